"""The kinds of fighters of two armies: one for each card that can be reckoned with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...profiles.armies.army import Army, Card
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.message import say
from ..base.naming import left_out, missing_cells
from ..base.options import SIDES, Options
from ..combat.combatants import Combatant, numbered, with_sets

_CELLS = ("PA", "abilities")  # of a card that an army's file may say otherwise, and a combat needs


@dataclass(frozen=True)
class Kind:
    """All fighters of one card in an army."""

    profile: Profile  # with the values of the army's file and of the caller
    sets: tuple[tuple[str, str], ...]  # what differs from the card, as ``--set`` reads it
    fighters: int  # how many the army has

    def combatants(
        self, side: str, number: int, wounds: str = "", charges: bool = False
    ) -> tuple[Combatant, ...]:
        """Return so many of them as a side of a combat."""
        alike = numbered([self.profile] * number, side)
        return tuple(replace(c, sets=self.sets, wounds=wounds, charges=charges) for c in alike)


def kinds_of(
    armies: tuple[Army, Army], options: Options
) -> tuple[tuple[tuple[Kind, ...], tuple[Kind, ...]], tuple[str, ...]]:
    """Return the kinds of fighters of two armies, and remarks on cards that were left out."""
    told = [_known(army) for army in armies]
    numbers = [numbered([profile for _, profile in cards], s) for s, (cards, _) in _sided(told)]
    combatants = with_sets([c for side in numbers for c in side], options.sets)
    kinds, notes = [], []
    for army, side, (cards, unknown) in zip(armies, SIDES, told, strict=True):
        own = [c for c in combatants if c.side == side]
        kept, remarks = _kept(cards, own, options.score)
        if not kept:
            raise InputError(
                "{}: no card has a fighter whose figures are known; see estoc profiles list, "
                "or give a file of your own (--fighters FILE)",
                army.where,
            )
        kinds.append(kept)
        notes += [say("left out: {}, no fighter that is known", name) for name in unknown] + remarks
    return (kinds[0], kinds[1]), tuple(notes)


_Known = tuple[list[tuple[Card, Profile]], list[str]]


def _sided(told: Sequence[_Known]) -> list[tuple[str, _Known]]:
    return list(zip(SIDES, told, strict=True))


def _known(army: Army) -> _Known:
    """Return the cards with their fighters, and the names of cards that have none."""
    known = [
        (card, replace(card.profile, PA=card.PA, abilities=card.abilities))
        for card in army.cards
        if card.profile is not None
    ]
    return known, [card.name for card in army.cards if card.profile is None]


def _kept(
    cards: Sequence[tuple[Card, Profile]], own: Sequence[Combatant], score: str
) -> tuple[tuple[Kind, ...], list[str]]:
    """Return the kinds of a side, equal ones as one, and remarks on those left out."""
    found: dict[Profile, Kind] = {}
    remarks = []
    for (card, told), combatant in zip(cards, own, strict=True):
        profile = combatant.profile
        missing = missing_cells(profile, score)
        if missing:
            remarks.append(left_out(profile, missing))
            continue
        sets = (*_changes(card, told), *combatant.sets)
        before = found[profile].fighters if profile in found else 0
        found[profile] = Kind(profile, tuple(dict(sets).items()), before + card.fighters)
    return tuple(found.values()), remarks


def _changes(card: Card, told: Profile) -> list[tuple[str, str]]:
    """Return what the army's file says otherwise than the card, as ``--set`` reads it."""
    changes = []
    for cell in _CELLS:
        value = getattr(told, cell)
        if value != getattr(card.profile, cell):
            changes.append((cell, "|".join(value) if isinstance(value, tuple) else str(value)))
    return changes
