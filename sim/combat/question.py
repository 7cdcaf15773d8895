"""One combat as it is asked: who fights, by which rules and policies, from which start."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.abilities import COMBAT, Effect, Number, Roll
from ...kernels.layout.combat import MAX_ENEMIES, Rules, Setup
from ...kernels.layout.exact import MAX_DICE
from ...kernels.layout.feats import MOST_LUCK, MOST_WAYS
from ...profiles.compile.combat import (
    charges_of_combat,
    compile_rules,
    fighter_row,
    placing_order,
    power,
    state_code,
)
from ...profiles.errors import InputError
from ...profiles.fighters.abilities import compile_abilities, is_bane_of, plain_numbers
from ...profiles.fighters.card import Profile
from ...profiles.letters import fold
from ...profiles.message import say
from ..base.options import SIDES, Options, number_of_dice, quoted
from ..base.policy import BEST_PLAY, Policy
from ..base.run import Method, WithOptions, dice_of, digest
from .combatants import Combatant, charged_by, remarks

# Clauses of a combat, whatever its fighters.
CLAUSES = re.compile(r"W-[123]\.|C-[3-7]\.")


MAX_EXACT = 4  # enemies of the lone fighter
MAX_BEST_TURNS, MAX_BEST_PLACING = 2, 3  # the same where best play is looked for

Feats = tuple[int, NDArray[np.int64]]


def combat_feats(combatant: Combatant, options: Options) -> tuple[int, NDArray[np.int64]]:
    """Return flags and numbers of a fighter's abilities, as far as they are played."""
    if not options.abilities:
        return 0, plain_numbers()
    flags, numbers = compile_abilities(combatant.profile)
    return flags & COMBAT, numbers


def more_dice(combatant: Combatant, options: Options) -> int:
    """Return how many dice more than C-3.1 says a fighter places, by his abilities."""
    flags, numbers = combat_feats(combatant, options)
    found = 0
    if flags >> Effect.EXTRA_DICE & 1:
        found += int(numbers[Number.EXTRA_DICE])
    if flags >> Effect.HOLD_BACK & 1 and not combatant.all_defence:
        found -= int(numbers[Number.HELD_DICE])
    return found


def _why_not(combatant: Combatant, right: int, more: int) -> str:
    """Return why a fighter cannot place dice; ``more``: what abilities change of their number."""
    told = combatant.dice, combatant.label, right
    if not more:
        return say(
            'dice {} of "{}" should be {} in all: 1 + the number of his enemies (C-3.1)', *told
        )
    return say(
        'dice {} of "{}" should be {} in all: 1 + the number of his enemies (C-3.1), {} by '
        "abilities (W-7)",
        *told,
        f"{more:+}".replace("-", "−"),
    )


@dataclass(frozen=True)
class Question(WithOptions):
    """One combat, ready to be played: one fighter on a side at least (C-1.2)."""

    # sides A and B
    a: tuple[Combatant, ...]
    b: tuple[Combatant, ...]
    options: Options  # where edition, policies and turns come from
    command: str = "combat"  # name of the command that asks it

    def __post_init__(self) -> None:
        if min(len(self.a), len(self.b)) != 1:
            raise InputError(
                "{} against {}: a combat is one fighter against one or more (C-1.2); separate "
                "the melee first",
                len(self.a),
                len(self.b),
            )
        if len(self.others) > MAX_ENEMIES:
            raise InputError(
                "{} enemies against one: at most {} find room", len(self.others), MAX_ENEMIES
            )
        for combatant in self.fighters:
            self._check_dice(combatant)
        told = any(c.charged is not None for c in self.fighters)
        if len(self.others) == 1 and self.a[0].charges and self.b[0].charges and not told:
            raise InputError(
                "A and B both charge: who is charged is in contact, and cannot (M-4.1)"
            )

    def _check_dice(self, combatant: Combatant) -> None:
        enemies = len(self.others) if combatant is self.lone else 1
        more = more_dice(combatant, self.options)
        right = max(number_of_dice(self.options.edition, enemies) + more, 0)
        dice = combatant.dice
        if dice is not None and dice.attack and combatant.all_defence and self.options.turns == 1:
            raise InputError(
                'dice {} of "{}" should be 0/{}, all in defence (C-3.6)',
                dice,
                combatant.label,
                right,
            )
        if dice is not None and dice.attack + dice.defence != right:
            raise InputError(_why_not(combatant, right, more))

    @cached_property
    def lone_side(self) -> int:
        """0 if the lone fighter is on side A, else 1; A's in one against one."""
        return 0 if len(self.a) == 1 else 1

    @cached_property
    def lone(self) -> Combatant:
        """The lone fighter (C-1.2)."""
        return (self.a, self.b)[self.lone_side][0]

    @cached_property
    def others(self) -> tuple[Combatant, ...]:
        """His enemies."""
        return (self.b, self.a)[self.lone_side]

    @cached_property
    def fighters(self) -> tuple[Combatant, ...]:
        """The lone fighter, then his enemies: the order of the kernels."""
        return (self.lone, *self.others)

    @cached_property
    def rules(self) -> Rules:
        """The edition as arrays."""
        return compile_rules(self.options.edition)

    @cached_property
    def setup(self) -> Setup:
        """The combat as arrays."""
        edition = self.options.edition
        profiles = [c.profile for c in self.fighters]
        able, when = self.options.abilities, np.zeros(len(profiles))
        charged = charged_by(self._charges, when, profiles, edition, able)
        feats = self._feats
        rows = [
            fighter_row(
                c.profile,
                edition,
                state=state_code(edition, c.wounds),
                charged=bool(charged[i] if c.charged is None else c.charged),
                all_defence=c.all_defence,
                placed=None if c.dice is None else (c.dice.attack, c.dice.defence),
                charging=c.charges,
                numbers=feats[i][1],
            )
            for i, c in enumerate(self.fighters)
        ]
        chooser = SIDES.index(self.options.chosen_by) ^ self.lone_side
        policies = [self.options.policies[side ^ self.lone_side].row() for side in (0, 1)]
        return Setup(
            fighters=np.stack(rows),
            order=placing_order(profiles, chooser, edition["defaults.missing_PA"]),
            policy=np.stack(policies),
            chooser=chooser,
            mirror=self.mirror,
            flags=np.array([flags for flags, _ in feats], np.int64),
            numbers=np.stack([numbers for _, numbers in feats]),
            banes=self._banes,
        )

    @cached_property
    def _feats(self) -> list[tuple[int, NDArray[np.int64]]]:
        """Flags and numbers of the fighters' abilities, as far as they are played."""
        return [combat_feats(c, self.options) for c in self.fighters]

    @cached_property
    def obstacle(self) -> str:
        """Why it has no exact answer here; empty if it has one."""
        enemies, options = len(self.others), self.options
        if enemies > MAX_EXACT:
            return say("{} enemies; exact odds are for {} at most", enemies, MAX_EXACT)
        for fighter, (_, numbers) in zip(self.fighters, self._feats, strict=True):
            dice = number_of_dice(options.edition, enemies if fighter is self.lone else 1)
            reason = _without_room(dice, numbers)
            if reason:
                return reason
        # best play would take hours
        open_decisions = {key for policy in options.policies for key in policy.open_decisions}
        if open_decisions and enemies > MAX_BEST_TURNS and options.turns > 1:
            return say(
                "best play of several turns is for {} enemies at most, not {}",
                MAX_BEST_TURNS,
                enemies,
            )
        placing = "placement" in open_decisions and not all(c.dice for c in self.fighters)
        if placing and enemies > MAX_BEST_PLACING:
            return say(
                "the best dice are looked for against {} enemies at most, not {}; combat and "
                "solve can be told them with --dice",
                MAX_BEST_PLACING,
                enemies,
            )
        return ""

    @property
    def able(self) -> bool:
        """Whether somebody has an ability that is played."""
        return any(flags for flags, _ in self._feats)

    def has_effect(self, effect: Effect, side: str) -> bool:
        """Return whether a fighter of a side has an ability with an effect, and it is played."""
        feats = zip(self.fighters, self._feats, strict=True)
        return any(c.side == side and flags >> effect & 1 for c, (flags, _) in feats)

    @property
    def _banes(self) -> NDArray[np.bool_]:
        """Who is a bane of whom, [i, j]."""
        cards = [c.profile for c in self.fighters]
        return np.array([[is_bane_of(one, other) for other in cards] for one in cards])

    @cached_property
    def _charges(self) -> NDArray[np.bool_]:
        """Who charges whom."""
        chargers = [i for i, c in enumerate(self.fighters) if c.charges]
        return charges_of_combat(len(self.fighters), chargers)

    @property
    def _names(self) -> list[tuple[tuple[str, str], tuple[str, str]]]:
        """What says which dice fighters have: names without accents first, as ever."""
        profiles = [c.profile for c in self.fighters]
        return [((fold(p.name), fold(p.origin)), p.key) for p in profiles]

    @property
    def mirror(self) -> int:
        """1 where A against B rolls the dice of B against A, sides swapped."""
        keys = self._names
        return int(len(keys) == 2 and keys[0] > keys[1])

    @property
    def cell(self) -> int:
        """Number of the fighters who meet, 32 bits: questions about them share their dice."""
        keys = ["@".join(name) for name, _ in self._names]
        if self.mirror:
            keys.reverse()
        return dice_of("\n".join(keys).encode())

    @cached_property
    def inputs(self) -> str:
        """Digest of the fighters, rules and policies, to tell whether they have changed."""
        setup = self.setup
        own = (setup.fighters, setup.order, setup.policy, setup.flags, setup.numbers, setup.banes)
        arrays = (*(array for array in own if array is not None), *self.rules)
        return digest(*(np.ascontiguousarray(array).tobytes() for array in arrays))

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        keys = list(self.options.assumed)
        if any(c.profile.PA is None for c in self.fighters):
            keys.append("defaults.missing_PA")
        if any(c.charges for c in self.fighters):
            edition = self.options.edition
            if any(power(c.profile, edition)[1] for c in self.fighters):
                keys.append("defaults.power")
        if (self._charges.sum(axis=1) > 1).any():
            keys += self.options.edition.assumed(["charge.sharing"])
        return tuple(keys)

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that can be read otherwise, and that the answer depends on."""
        charged = any(c.charges for c in self.fighters)
        return tuple(
            r.clause
            for r in self.options.edition.readings
            if CLAUSES.match(r.clause) or (charged and r.clause.startswith("M-5"))
        )

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the fighters."""
        return (
            remarks(self.fighters, self.options.edition, self.options.abilities)
            + self._about_equal_points()
        )

    def _about_equal_points(self) -> tuple[str, ...]:
        equal = any(c.profile.PA == self.lone.profile.PA for c in self.others)
        if not equal or all(c.dice for c in self.fighters):
            return ()
        other = "BA"[SIDES.index(self.options.chosen_by)]
        return (
            say(
                "equal PA: {} chose the combat, {} places first (C-3.3)",
                self.options.chosen_by,
                other,
            ),
        )

    def command_line(self, how: Method) -> str:
        """Return the command that gives the same answer again."""
        words = ["estoc", self.command, *how.arguments]
        words += self.options.common_arguments(*self._usual_policy())
        for c in (*self.a, *self.b):
            words += c.arguments(self._selector(c))
        if self.command == "duel":
            words += [self.a[0].profile.label, self.b[0].profile.label]
            dice = (self.a[0].dice, self.b[0].dice)
            if any(dice):
                words += ["--dice", *(str(d or "policy") for d in dice)]
        else:
            for c in self.fighters:
                words += ["--dice", f"{self._selector(c)}={c.dice}"] if c.dice else []
            words += [c.profile.label for c in self.a]
            words += ["vs", *(c.profile.label for c in self.b)]
        return " ".join(quoted(word) for word in words)

    def _usual_policy(self) -> tuple[Policy, ...]:
        """Return the policy of both sides where the command is told none."""
        return (BEST_PLAY,) if self.command == "solve" else ()

    def _selector(self, combatant: Combatant) -> str:
        alone = len(self.a if combatant.side == "A" else self.b) == 1
        return combatant.side if alone else f"{combatant.side}{combatant.place}"


def _without_room(dice: int, numbers: NDArray[np.int64]) -> str:
    """Return what of a fighter has no room in exact tables; empty if all has."""
    dice += int(numbers[Number.EXTRA_DICE] + numbers[Number.CHAIN_DICE])
    if dice > MAX_DICE:
        return say("{} combat dice; exact odds are for {} at most", dice, MAX_DICE)
    luck = int(numbers[Number.LUCK_TESTS])
    if luck > MOST_LUCK:
        return say(
            "{} tests rolled again by Chance; exact odds are for {} at most", luck, MOST_LUCK
        )
    held = min(int(numbers[Number.HELD_DICE]), dice)
    if (held + 1) * (dice - held + 1) > MOST_WAYS - 2:  # a sustained die is met in two ways
        return say("{} of {} dice held back; exact odds are for fewer", held, dice)
    return ""


def feats_of(profile: Profile, options: Options) -> Feats:
    """Return flags and numbers of a fighter; none where abilities are not played."""
    return compile_abilities(profile) if options.abilities else (0, plain_numbers())


def number_of(feats: Feats, effect: Effect, number: Number) -> int | None:
    """Return a number of an effect; None without the effect."""
    flags, numbers = feats
    return int(numbers[number]) if flags >> effect & 1 else None


def has(feats: Feats, effect: Effect) -> bool:
    """Whether a fighter has an effect."""
    return bool(feats[0] >> effect & 1)


def opening(feats: Feats, rolls: Sequence[Roll]) -> int:
    """Return which dice are re-rolled besides 6s in a test of any of these kinds.

    As ``Person.OPEN`` has it: 1: 5s; -1: not even 6s.
    """
    if has(feats, Effect.NO_REROLLS):
        return -1
    opens = number_of(feats, Effect.OPEN_FIVES, Number.OPEN_ROLLS) or 0
    return int(any(opens >> roll & 1 for roll in rolls))
