"""What can be bought for a fighter: an ability, a characteristic, a bundle; and where it acts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...kernels.layout.abilities import Effect, Number, Roll
from ...profiles.errors import InputError
from ...profiles.fighters.abilities import Ability, abilities_of, entry_of, load_abilities
from ...profiles.fighters.ability_file import AbilityEffect, AbilityEntry
from ...profiles.fighters.card import CHARACTERISTICS, Profile
from ...profiles.fighters.prices import Change, Part, Price, Unread
from ...profiles.message import joined, say, say_all
from .worth import CHARGES, IS_CHARGED

NO_CHARGE = say("no charge")
SITUATIONS = (NO_CHARGE, CHARGES, IS_CHARGED)  # of the fighter, the plainest first

CHARACTERISTIC, ABILITY, LINE = "characteristic", "ability", "price"  # kinds of subjects
ANYONE = "X"  # whom a bane is against: whoever the enemy is

_IN_COMBAT = {
    *(Roll.PLACING, Roll.INITIATIVE, Roll.ATTACK, Roll.DEFENCE),
    *(Roll.WOUND_DEALT, Roll.WOUND_TAKEN, Roll.SURVIVAL, Roll.PENALTY),
}
_IN_CHARGE = {
    Effect.CHARGE_DICE: CHARGES,
    Effect.WOUND_DICE: CHARGES,
    Effect.POWER_CHARGING: CHARGES,
    Effect.BRUTAL: CHARGES,
    Effect.POWER_CHARGED: IS_CHARGED,
    Effect.STEADY: IS_CHARGED,
}
_SAID = say_all({CHARGES: "when he charges", IS_CHARGED: "when he is charged"})
_ELSEWHERE = say_all(
    {
        Roll.FEAR: "in fear",
        Roll.COURAGE: "in fear",
        Roll.SHOT: "in shooting",
        Roll.MOVE: "in movement",
        Roll.PURSUIT: "in pursuit",
        Roll.DISENGAGEMENT: "in disengagement",
        Roll.DISCIPLINE: "in Discipline",
        Roll.MAINTENANCE: "in maintenance",
    }
)
_OF_CELLS = say_all(
    {
        "MOU": "in movement",
        "TIR": "in shooting",
        "COU": "in fear",
        "PEUR": "in fear",
        "DIS": "in Discipline",
    }
)


@dataclass(frozen=True)
class Subject:
    """What is valued: the parts that a fighter gets together."""

    kind: str  # "characteristic", "ability" or "price"
    what: str  # as it is shown
    parts: tuple[Part, ...]
    points: int | None = None  # its price, where the list has one
    condition: str = ""  # what the list says of the whole, as ``two-handed``
    number_from: str = ""  # where the number behind an ability comes from

    @cached_property
    def situation(self) -> str:
        """The one in which most parts act; of several the plainest."""
        return max(SITUATIONS, key=lambda s: sum(s in _situations(part) for part in self.parts))

    @cached_property
    def acting(self) -> tuple[Change | Ability, ...]:
        """The parts that act in a combat of two, in its situation."""
        return tuple(
            part
            for part in self.parts
            if not isinstance(part, Unread) and self.situation in _situations(part)
        )

    @property
    def is_whole(self) -> bool:
        """Whether every part is valued."""
        return len(self.acting) == len(self.parts)

    @property
    def reason(self) -> str:
        """Why none of it is valued; empty if something is."""
        if self.acting:
            return ""
        return joined("; ", dict.fromkeys(_why_not(part) for part in self.parts))

    @cached_property
    def not_counted(self) -> tuple[str, ...]:
        """What it does besides, and its value has not: other parts, other effects of its parts."""
        if not self.acting:
            return ()
        parts = [say("{} ({})", p.label, _why_not(p)) for p in self.parts if p not in self.acting]
        effects = [
            say("{} ({})", part.label, where)
            for part in self.acting
            if isinstance(part, Ability)
            for where in _other_places(part, self.situation)
        ]
        return tuple(dict.fromkeys(parts + effects))

    def without(self, profile: Profile) -> Profile:
        """Return a card less the abilities that are valued."""
        names = {part.entry.name for part in self.acting if isinstance(part, Ability)}
        kept = (text for text in profile.abilities if _name_of(text) not in names)
        return profile.with_values({"abilities": tuple(kept)})

    def added(self, profile: Profile, enemy: Profile) -> Profile:
        """Return a card with what is valued."""
        for part in self.acting:
            if isinstance(part, Change):
                value = f"{profile.need(part.key) + part.amount:g}"
                try:
                    profile = profile.with_values({part.key: value})
                except InputError:
                    raise InputError("no card has {} {}", part.key, value) from None
        texts = (_text(part, enemy) for part in self.acting if isinstance(part, Ability))
        return profile.with_values({"abilities": (*profile.abilities, *texts)})


def subjects_of(fighter: Profile, prices: Sequence[Price]) -> tuple[Subject, ...]:
    """Return all that is valued: +1 of each characteristic, each ability, each line of prices.

    The number behind an ability is that of the list of prices, or else that of the card, or
    else the usual one, or else 1.
    """
    alone = {p.parts[0].label: p.points for p in prices if len(p.parts) == 1 and not p.condition}
    rises = [Change(key, 1) for key in CHARACTERISTICS]
    found = [Subject(CHARACTERISTIC, rise.label, (rise,)) for rise in rises]
    listed = [part for price in prices for part in price.parts if isinstance(part, Ability)]
    for entry in load_abilities().ability:
        found += [
            Subject(ABILITY, ability.label, (ability,), number_from=number_from)
            for ability, number_from in _as_valued(entry, listed, abilities_of(fighter))
        ]
    priced = [
        Subject(s.kind, s.what, s.parts, alone.get(s.what), number_from=s.number_from)
        for s in found
    ]
    lines = [Subject(LINE, p.what, p.parts, p.points, p.condition) for p in prices]
    return (*priced, *lines)


def _as_valued(
    entry: AbilityEntry, listed: Iterable[Ability], own: Iterable[Ability]
) -> Iterator[tuple[Ability, str]]:
    """Yield an ability in the forms that are valued, and where its number comes from."""
    if entry.parameter == "none" or (entry.parameter == "choice" and entry.effects):
        yield Ability(entry), ""
    elif entry.parameter == "choice":
        yield from ((Ability(entry, choice), "") for choice in entry.choices)
    elif entry.parameter == "people":
        yield Ability(entry, ANYONE), say("the enemy")
    else:
        for source, known in (("price", listed), ("card", own)):
            for ability in known:
                if ability.entry == entry and not (source == "price" and ability.usual):
                    yield ability, source
                    return
        usual = entry.usual
        yield (
            Ability(entry, 1 if usual is None else usual),
            "assumed" if usual is None else "default",
        )


def _name_of(text: str) -> str:
    """Return the name of the ability that a text of a card means; empty if nobody knows it."""
    entry = entry_of(text)
    return "" if entry is None else entry.name


def _text(ability: Ability, enemy: Profile) -> str:
    """Return an ability as a card has it; a bane of anyone is one of the enemy's people."""
    if ability.entry.parameter != "people" or ability.parameter != ANYONE:
        return ability.label
    whom = re.sub("[|;]", " ", enemy.people or enemy.name)
    return f"{ability.entry.name}/{whom}"


def _rolls(effect: AbilityEffect, ability: Ability) -> list[Roll]:
    """Return what an effect touches."""
    if effect.kind is Effect.OPEN_FIVES:
        bits = effect.columns(ability.parameter)[Number.OPEN_ROLLS]
        return [roll for roll in Roll if bits >> roll & 1]
    return [r for step in load_abilities().order if step.effect is effect.kind for r in step.rolls]


def _where(effect: AbilityEffect, ability: Ability) -> tuple[str, ...]:
    """Return the situations in which an effect acts in a combat of two."""
    if effect.kind in _IN_CHARGE:
        return (_IN_CHARGE[effect.kind],)
    return SITUATIONS if _IN_COMBAT & set(_rolls(effect, ability)) else ()


def _situations(part: Part) -> tuple[str, ...]:
    """Return the situations in which a part acts in a combat of two."""
    if isinstance(part, Unread):
        return ()
    if isinstance(part, Change):
        return SITUATIONS if part.key in CHARACTERISTICS else ()
    return tuple(s for s in SITUATIONS if any(s in _where(e, part) for e in part.effects))


def _other_places(ability: Ability, situation: str) -> list[str]:
    """Return where the effects of an ability act that do not act in a situation."""
    effects = [e for e in ability.effects if situation not in _where(e, ability)]
    return list(dict.fromkeys(place for e in effects for place in _places(e, ability)))


def _places(effect: AbilityEffect, ability: Ability) -> list[str]:
    """Return when or where an effect acts that does not act in every combat, in words."""
    if effect.kind in _IN_CHARGE:
        return [_SAID[_IN_CHARGE[effect.kind]]]
    return [_ELSEWHERE[roll] for roll in _rolls(effect, ability) if roll in _ELSEWHERE]


def _why_not(part: Part) -> str:
    """Return why a part is not valued."""
    if isinstance(part, Unread):
        return say("is not known")
    if isinstance(part, Change):
        return say("acts only {}", _OF_CELLS[part.key])
    places = dict.fromkeys(place for e in part.effects for place in _places(e, part))
    return say("acts only {}", joined(say(" and "), places))
