"""The fighters of a combat: what options say of each, and who suffers a charge (M-5)."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...kernels.layout.abilities import Effect, Number
from ...profiles.compile.combat import charge_sharing, power, state_code
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.fighters.abilities import abilities_of, compile_abilities, unmodelled
from ...profiles.fighters.card import Profile, find_column
from ...profiles.letters import meant, spelled
from ...profiles.message import say
from ..base.options import Dice, Options

_SHOWN = 4  # most fighters that a remark names


_POWERS = (Number.POWER_CHARGING, Number.POWER_CHARGED)


@dataclass(frozen=True)
class Combatant:
    """A fighter of one combat."""

    profile: Profile  # with the caller's own values
    label: str  # its name in this combat; several of one name are numbered ``name#2``
    side: str  # "A" or "B"
    place: int = 1  # its number on its side, from 1
    sets: tuple[tuple[str, str], ...] = ()  # keys and values of the card that the caller replaced
    wounds: str = ""  # state at the beginning, as ``"light, stunned"``
    # whether it charged its enemies, and whether all its dice are in defence, in the first turn
    # (M-5.1, C-3.6)
    charges: bool = False
    all_defence: bool = False
    dice: Dice | None = None  # what it places; the policy decides if not given
    # whether it suffers the penalty of a charge; if not given, those whom it meets tell
    charged: bool | None = None

    def arguments(self, name: str) -> list[str]:
        """Return what the command line says of this fighter, called ``name``, but its dice."""
        found = [word for k, v in self.sets for word in ("--set", f"{name}.{k}={v}")]
        if self.wounds:
            found += ["--wounds", f"{name}={self.wounds}"]
        if self.charges:
            found += ["--charge", name]
        if self.all_defence:
            found += ["--all-defence", name]
        return found


def numbered(profiles: Sequence[Profile], side: str) -> tuple[Combatant, ...]:
    """Return a side's fighters; those of one name are told apart by a number."""
    names = [p.name for p in profiles]
    found = []
    for i, p in enumerate(profiles):
        label = p.name if names.count(p.name) == 1 else f"{p.name}#{names[: i + 1].count(p.name)}"
        found.append(Combatant(p, label, side, i + 1))
    return tuple(found)


def chosen(selector: str, option: str, combatants: Sequence[Combatant]) -> set[int]:
    """Return who an option is about: ``A``, ``B2``, a name, ``name#2`` or ``name@origin``.

    An exact name beats a unique beginning, and accents count where names differ by them alone.
    """
    match = re.fullmatch(r"\s*([AB])([1-9]\d*)?\s*", selector.upper())
    if match:
        placed = {
            i
            for i, c in enumerate(combatants)
            if match[1] == c.side and match[2] in (None, str(c.place))
        }
        if placed:
            return placed
    names = {name: None for c in combatants for name in (c.label, c.profile.name, c.profile.label)}
    like = [list(names)[place] for place in meant(selector, list(names))]
    found = {
        i
        for i, c in enumerate(combatants)
        if {c.label, c.profile.name, c.profile.label} & set(like)
    }
    if len({spelled(combatants[i].profile.name) for i in found}) == 1:
        return found
    if found:
        several = ", ".join(dict.fromkeys(combatants[i].profile.label for i in sorted(found)))
        raise InputError('{} "{}" could be {}', option, selector, several)
    known = ", ".join(dict.fromkeys(f'"{c.label}"' for c in combatants))
    if not any(c.side for c in combatants):
        raise InputError('{} "{}": no such fighter here; one of {}', option, selector, known)
    raise InputError('{} "{}": no such fighter here; A, B, or one of {}', option, selector, known)


def split_assignment(text: str, option: str, form: str) -> tuple[str, str]:
    """Return the two halves of ``NAME=VALUE``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise InputError('{} "{}" should be {}', option, text, form)
    return name.strip(), value.strip()


def with_sets(combatants: Iterable[Combatant], sets: Sequence[str]) -> list[Combatant]:
    """Return the combatants with cells of their cards replaced: ``NAME.KEY=VALUE``."""
    found = list(combatants)
    for text in sets:
        target, value = split_assignment(text, "--set", say("NAME.KEY=VALUE"))
        selector, dot, key = target.rpartition(".")
        if not dot:
            raise InputError('--set "{}" should be NAME.KEY=VALUE, as "{}".ATT=5', text, target)
        key = find_column(key, say('--set "{}"', text)).name
        if key in ("name", "origin"):
            raise InputError('--set "{}": name and origin say which card it is, and stay', text)
        for i in chosen(selector.strip('"'), "--set", found):
            profile = found[i].profile.with_values({key: value})
            found[i] = replace(found[i], profile=profile, sets=(*found[i].sets, (key, value)))
    return found


def with_options(combatants: Iterable[Combatant], options: Options) -> tuple[Combatant, ...]:
    """Return the combatants of both sides with what the options say of each."""
    found = with_sets(combatants, options.sets)

    def change(selector: str, option: str, **values: object) -> None:
        for i in chosen(selector, option, found):
            found[i] = replace(found[i], **values)  # type: ignore[arg-type]

    for text in options.wounds:
        selector, value = split_assignment(text, "--wounds", say("NAME=light,stunned"))
        state_code(options.edition, value)
        change(selector, "--wounds", wounds=value)
    for text in options.dice:
        selector, value = split_assignment(text, "--dice", say("NAME=ATTACK/DEFENCE"))
        change(selector, "--dice", dice=Dice.parse(value))
    for selector in options.charge:
        change(selector, "--charge", charges=True)
    for selector in options.all_defence:
        change(selector, "--all-defence", all_defence=True)
    return tuple(found)


def remarks(
    combatants: Iterable[Combatant], edition: Edition, abilities: bool = False
) -> tuple[str, ...]:
    """Return what a reader of an answer about these fighters should know of them.

    ``abilities`` says whether those on the cards are played (W-7).
    """
    listed = list(combatants)
    profiles = list({c.profile.key: c.profile for c in listed}.values())
    charging = any(c.charges for c in listed)
    guessed = [p.name for p in profiles if charging and power(p, edition)[1]]
    found = [
        _remark(say('no PA, placed as if equal to the enemy (C-3.3, assumed)'), [
            p.name for p in profiles if p.PA is None
        ]),
        _remark(say('power assumed to be {}', edition['defaults.power']), guessed),
        *_about_abilities(profiles, abilities),
    ]  # fmt: skip
    origins = list(dict.fromkeys(p.origin or "unknown" for p in profiles))
    if len(origins) > 1:
        found.append(_remark(say("fighters of different origins"), origins))
    return tuple(filter(None, found))


def _about_abilities(profiles: Sequence[Profile], played: bool) -> list[str]:
    """Return which abilities are not played, and what is assumed of those that are (W-7)."""

    def listed(found: Callable[[Profile], Iterable[str]]) -> list[str]:
        by_name = {p.name: ", ".join(found(p)) for p in profiles}
        return [f"{name} ({texts})" for name, texts in by_name.items() if texts]

    if not played:
        return [_remark(say("abilities left out"), listed(lambda p: p.abilities))]
    return [
        _remark(say("abilities not modelled"), listed(unmodelled)),
        _remark(say("abilities assumed"), listed(_assumed)),
    ]


def _assumed(profile: Profile) -> list[str]:
    """Return the abilities of a card of which something is assumed."""
    return [ability.label for ability in abilities_of(profile) if ability.assumed]


def _remark(what: str, whom: Sequence[str]) -> str:
    """Return a remark on some fighters, the first of them named."""
    if not whom:
        return ""
    more = len(whom) - _SHOWN
    if more > 0:
        return say("{}: {} and {} more", what, whom[:_SHOWN], more)
    return say("{}: {}", what, whom)


def charged_by(
    charges: NDArray[np.bool_],
    turns: ArrayLike,
    profiles: Sequence[Profile],
    edition: Edition,
    abilities: bool = True,
) -> NDArray[np.bool_]:
    """Return who suffers the penalty of a charge (M-5.1 to M-5.3); [i, j]: i charges j."""
    n = len(profiles)
    if not charges.any():
        return np.zeros(n, np.bool_)
    from ...kernels.combat.charge import charge_penalties

    powers = np.array([power(profile, edition)[0] for profile in profiles])
    feats = [compile_abilities(profile) for profile in profiles if abilities]
    flags = np.array([flag for flag, _ in feats] or [0] * n)
    more = [[numbers[column] for column in _POWERS] for _, numbers in feats]
    charging_powers, charged_powers = (powers + np.array(more or [[0, 0]] * n).T).copy()
    when, charging = np.asarray(turns, np.int64), np.ones(n, np.int64)
    sharing = charge_sharing(edition).value
    found = charge_penalties(when, charging, charges, charging_powers, charged_powers, sharing)
    brutal, steady = (flags >> effect & 1 != 0 for effect in (Effect.BRUTAL, Effect.STEADY))
    found = (found | charges[brutal].any(axis=0)) & ~steady
    return np.asarray(found)


def raised_by_one(combatant: Combatant, key: str) -> Combatant | None:
    """Return a fighter with one more of a characteristic; None if no card may have it."""
    value = str(combatant.profile.need(key) + 1)
    try:
        profile = combatant.profile.with_values({key: value})
    except InputError:
        return None
    return replace(combatant, profile=profile, sets=(*combatant.sets, (key, value)))
