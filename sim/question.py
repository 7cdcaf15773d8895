"""One combat as it is asked: who fights, by which rules and policies, from which start."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256

import numpy as np

from estoc.kernels.layout import MAX_ENEMIES, Rules, Setup
from estoc.profiles import Edition, InputError, Profile
from estoc.profiles.compile import (
    charge_flags,
    compile_rules,
    fighter_row,
    placing_order,
    power,
    state_code,
)
from estoc.profiles.names import fold
from estoc.profiles.schema import find_column
from estoc.sim.params import SIDES, Dice, Options, number_of_dice, quoted


@lru_cache(maxsize=64)
def compiled_rules(edition: Edition) -> Rules:
    """Return an edition as arrays, made once."""
    return compile_rules(edition)


@dataclass(frozen=True)
class Combatant:
    """A fighter of one combat.

    Parameters
    ----------
    profile : Profile
        With the caller's own values.
    label : str
        Its name in this combat; several of one name are numbered ``name#2``.
    side : {"A", "B"}
    wounds : str
        State at the beginning, as ``"light, stunned"``.
    charges, all_defence : bool
        Whether it charged its enemies, and whether all its dice are in defence, in the
        first turn (M-5.1, C-3.6).
    dice : Dice, optional
        What it places; the policy decides if not given.
    """

    profile: Profile
    label: str
    side: str
    wounds: str = ""
    charges: bool = False
    all_defence: bool = False
    dice: Dice | None = None


@dataclass(frozen=True)
class Question:
    """One combat, ready to be played: one fighter on a side at least (C-1.2).

    Parameters
    ----------
    a, b : tuple of Combatant
        Sides A and B.
    options : Options
        Where edition, policies and turns come from.
    command : str
        Name of the command that asks it.
    """

    a: tuple[Combatant, ...]
    b: tuple[Combatant, ...]
    options: Options
    command: str = "combat"

    def __post_init__(self) -> None:
        if min(len(self.a), len(self.b)) != 1:
            raise InputError(
                f"{len(self.a)} against {len(self.b)}: a combat is one fighter against one or "
                "more (C-1.2); separate the melee first"
            )
        if len(self.others) > MAX_ENEMIES:
            raise InputError(
                f"{len(self.others)} enemies against one: at most {MAX_ENEMIES} find room"
            )
        for combatant in self.fighters:
            self._check_dice(combatant)
        if len(self.others) == 1 and self.a[0].charges and self.b[0].charges:
            raise InputError(
                "A and B both charge: who is charged is in contact, and cannot (M-4.1)"
            )

    def _check_dice(self, combatant: Combatant) -> None:
        enemies = len(self.others) if combatant is self.lone else 1
        right = number_of_dice(self.options.edition, enemies)
        dice = combatant.dice
        if dice is not None and dice.attack + dice.defence != right:
            raise InputError(
                f'dice {dice} of "{combatant.label}" should be {right} in all: '
                f"1 + the number of his enemies (C-3.1)"
            )

    @property
    def lone_side(self) -> int:
        """0 if the lone fighter is on side A, else 1; A's in one against one."""
        return 0 if len(self.a) == 1 else 1

    @property
    def lone(self) -> Combatant:
        """The lone fighter (C-1.2)."""
        return (self.a, self.b)[self.lone_side][0]

    @property
    def others(self) -> tuple[Combatant, ...]:
        """His enemies."""
        return (self.b, self.a)[self.lone_side]

    @property
    def fighters(self) -> tuple[Combatant, ...]:
        """The lone fighter, then his enemies: the order of the kernels."""
        return (self.lone, *self.others)

    @cached_property
    def rules(self) -> Rules:
        """The edition as arrays."""
        return compiled_rules(self.options.edition)

    @cached_property
    def setup(self) -> Setup:
        """The combat as arrays."""
        edition = self.options.edition
        powers = [power(c.profile, edition)[0] for c in self.fighters]
        chargers = [i for i, c in enumerate(self.fighters) if c.charges]
        charged = charge_flags(powers, chargers)
        rows = [
            fighter_row(
                c.profile,
                edition,
                state=state_code(edition, c.wounds),
                charged=bool(charged[i]),
                all_defence=c.all_defence,
                placed=None if c.dice is None else (c.dice.attack, c.dice.defence),
            )
            for i, c in enumerate(self.fighters)
        ]
        chooser = SIDES.index(self.options.chosen_by) ^ self.lone_side
        policies = [self.options.policies[side ^ self.lone_side].row() for side in (0, 1)]
        return Setup(
            fighters=np.stack(rows),
            order=placing_order([c.profile for c in self.fighters], chooser),
            policy=np.stack(policies),
            chooser=chooser,
            mirror=self.mirror,
        )

    @property
    def mirror(self) -> int:
        """1 where A against B rolls the dice of B against A, sides swapped."""
        keys = [c.profile.key for c in self.fighters]
        return int(len(keys) == 2 and keys[0] > keys[1])

    @property
    def cell(self) -> int:
        """Number of the fighters who meet, 32 bits: questions about them share their dice."""
        keys = ["@".join(c.profile.key) for c in self.fighters]
        if self.mirror:
            keys.reverse()
        return int.from_bytes(sha256("\n".join(keys).encode()).digest()[:4])

    @cached_property
    def inputs(self) -> str:
        """Digest of the fighters, rules and policies, to tell whether they have changed."""
        setup = self.setup
        arrays = (setup.fighters, setup.order, setup.policy, *self.rules)
        data = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
        return sha256(data).hexdigest()[:12]

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        return self.options.assumed

    def remarks(self) -> list[str]:
        """Return what a reader of the answer should know about the fighters."""
        profiles = {c.profile.key: c.profile for c in self.fighters}.values()
        found = [
            f"{p.name} has no PA: places as if equal to his enemy (C-3.3, assumed)"
            for p in profiles
            if p.PA is None
        ]
        if any(c.charges for c in self.fighters):
            found += [
                f"power of {p.name} is assumed: {power(p, self.options.edition)[0]}"
                for p in profiles
                if power(p, self.options.edition)[1]
            ]
        found += [
            f"abilities of {p.name} are not modelled: {', '.join(p.abilities)}"
            for p in profiles
            if p.abilities
        ]
        origins = dict.fromkeys(p.origin for p in profiles)
        if len(origins) > 1:
            found.append(f"fighters of different origins: {', '.join(origins)}")
        return found

    def command_line(self, trials: int, seed: int) -> str:
        """Return the command that gives the same answer again."""
        parts = ["estoc", self.command, "--trials", str(trials), "--seed", str(seed)]
        parts += about(self.options, self.fighters).arguments()
        if self.command == "combat":
            parts += [c.profile.label for c in self.a] + ["vs"] + [c.profile.label for c in self.b]
            parts += [x for d in self.options.dice for x in ("--dice", d)]
        else:
            parts += [self.a[0].profile.label, self.b[0].profile.label]
            dice = (self.a[0].dice, self.b[0].dice)
            if any(dice):
                parts += ["--dice", *(str(d or "policy") for d in dice)]
        return " ".join(quoted(part) for part in parts)


def numbered(profiles: Sequence[Profile], side: str) -> tuple[Combatant, ...]:
    """Return a side's fighters; those of one name are told apart by a number."""
    names = [p.name for p in profiles]
    found = []
    for i, p in enumerate(profiles):
        label = p.name if names.count(p.name) == 1 else f"{p.name}#{names[: i + 1].count(p.name)}"
        found.append(Combatant(p, label, side))
    return tuple(found)


def _selects(selector: str, combatant: Combatant) -> bool:
    """Whether ``A``, ``B``, a name, its beginning or ``name#2`` means a combatant."""
    if selector.strip().upper() in SIDES:
        return selector.strip().upper() == combatant.side
    wanted, label = fold(selector), fold(combatant.label)
    whole = {label, fold(combatant.profile.name), fold(combatant.profile.label)}
    return wanted in whole


def _chosen(
    selector: str, option: str, combatants: Sequence[Combatant], required: bool
) -> set[int]:
    """Return who an option is about: an exact name beats a unique beginning."""
    found = {i for i, c in enumerate(combatants) if _selects(selector, c)}
    if not found:
        wanted = fold(selector)
        begun = {c.profile.key for c in combatants if fold(c.profile.name).startswith(wanted)}
        if len(begun) == 1 and wanted:
            found = {i for i, c in enumerate(combatants) if c.profile.key in begun}
    if not found and required:
        known = ", ".join(dict.fromkeys(f'"{c.label}"' for c in combatants))
        raise InputError(f'{option} "{selector}": no such fighter here; A, B, or one of {known}')
    return found


def about(options: Options, combatants: Sequence[Combatant]) -> Options:
    """Return the options without what they say of fighters who are not there."""

    def there(text: str) -> bool:
        return bool(_chosen(text.partition("=")[0], "", combatants, False))

    def set_there(text: str) -> bool:
        return there(text.partition("=")[0].rpartition(".")[0].strip('"'))

    return replace(
        options,
        sets=tuple(filter(set_there, options.sets)),
        wounds=tuple(filter(there, options.wounds)),
        dice=tuple(filter(there, options.dice)),
        charge=tuple(filter(there, options.charge)),
        all_defence=tuple(filter(there, options.all_defence)),
    )


def split_assignment(text: str, option: str, form: str) -> tuple[str, str]:
    """Return the two halves of ``NAME=VALUE``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise InputError(f'{option} "{text}" should be {form}')
    return name.strip(), value.strip()


def with_options(
    combatants: Iterable[Combatant], options: Options, *, required: bool = True
) -> tuple[Combatant, ...]:
    """Return the combatants of both sides with what the options say of each.

    ``required`` refuses an option about somebody who is not there.
    """
    found = list(combatants)

    def change(selector: str, option: str, **values: object) -> None:
        for i in _chosen(selector, option, found, required):
            found[i] = replace(found[i], **values)  # type: ignore[arg-type]

    for text in options.sets:
        target, value = split_assignment(text, "--set", "NAME.KEY=VALUE")
        selector, dot, key = target.rpartition(".")
        if not dot:
            raise InputError(f'--set "{text}" should be NAME.KEY=VALUE, as "{target}".ATT=5')
        if find_column(key, f'--set "{text}"').name in ("name", "origin"):
            raise InputError(f'--set "{text}": name and origin say which card it is, and stay')
        for i in _chosen(selector.strip('"'), "--set", found, required):
            profile = found[i].profile.with_values({key: value})
            found[i] = replace(found[i], profile=profile)
    for text in options.wounds:
        selector, value = split_assignment(text, "--wounds", "NAME=light,stunned")
        state_code(options.edition, value)
        change(selector, "--wounds", wounds=value)
    for text in options.dice:
        selector, value = split_assignment(text, "--dice", "NAME=ATTACK/DEFENCE")
        change(selector, "--dice", dice=Dice.parse(value))
    for selector in options.charge:
        change(selector, "--charge", charges=True)
    for selector in options.all_defence:
        change(selector, "--all-defence", all_defence=True)
    return tuple(found)
