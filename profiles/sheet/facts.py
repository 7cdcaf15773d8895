"""Facts that a situation leaves open: no map decides them and the file does not give them (1.2).

An answer takes each as it is assumed here, and names those on which it rests.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ...kernels.layout.sheet import Deed, Fact, Kind, Mark, Order, Reading
from ..letters import fold
from .pieces import Piece, Situation

SPELLS = 1 << Deed.SPELL_CHOOSE | 1 << Deed.SPELL_CAST
SHOTS = 1 << Deed.FIRE | 1 << Deed.DUEL_FIRE


class OpenFact(NamedTuple):
    """A fact of a piece that nobody gives, and what is assumed of it."""

    piece: int
    fact: Fact
    assumed: bool

    @property
    def key(self) -> str:
        """The key by which a file gives it."""
        return self.fact.name.lower()


def open_facts(situation: Situation, readings: Mapping[Reading, int]) -> list[OpenFact]:
    """Return the facts that neither the map nor the file decides, piece by piece."""
    return [
        OpenFact(number, fact, assumed)
        for number, piece in enumerate(situation.pieces)
        for fact, assumed in _assumed(piece, situation, readings).items()
        if fact not in piece.given
    ]


def settled(piece: Piece, situation: Situation) -> dict[Fact, bool]:
    """Return the facts of a piece that do not follow from a map: given, known or assumed."""
    known = {}
    if piece.place is None and piece.is_shooter and not piece.mark & Mark.AMMO_OUT:
        known[Fact.CAN_FIRE] = _is_met(piece, situation)  # whoever is beside it is a target
    return {**known, **_assumed(piece, situation, {}), **piece.given}


def unable(piece: Piece, situation: Situation) -> int:
    """Return the deeds that a piece cannot do whatever the moment, as bits.

    A clause that permits Fire or a spell speaks of who can shoot or cast: it arms nobody.
    """
    deeds = piece.cannot
    if not piece.is_shooter:
        deeds |= SHOTS
    elif piece.place is None and not settled(piece, situation).get(Fact.CAN_FIRE):
        deeds |= 1 << Deed.FIRE
    return deeds | SPELLS * (piece.caster is False)


def _assumed(
    piece: Piece, situation: Situation, readings: Mapping[Reading, int]
) -> dict[Fact, bool]:
    """Return what is assumed of a piece where nothing is given."""
    found: dict[Fact, bool] = {}
    if piece.kind == Kind.DECOY:
        return found
    met = _is_met(piece, situation)
    if situation.engages is not None and _is_engaged_formation(piece, situation):
        found[Fact.CAN_FACE] = False
    if readings.get(Reading.FACES) and met:
        found[Fact.FACES] = _faces(piece, situation)
    if piece.place is not None:
        return found
    if not met:
        found[Fact.FAR] = not _enemies(piece, situation)
    shoots = piece.is_shooter and not piece.mark & Mark.AMMO_OUT
    if shoots and not met:
        found[Fact.CAN_FIRE] = False
    if piece.kind == Kind.CHARACTER:
        found[Fact.STACKED] = found[Fact.DUEL_SHOCK] = False
        if shoots:
            found[Fact.DUEL_FIRE] = False
    return found


def asks(piece: Piece, situation: Situation, fact: Fact) -> bool:
    """Whether a fact can matter to a piece in any moment of a game from here."""
    if fact != Fact.FAR:
        return True
    wings = {fold(wing.name): wing for wing in situation.wings}
    wing = wings.get(fold(piece.wing)) if piece.is_troop else None
    return wing is not None and wing.order == Order.REGROUP


def _pairs(piece: Piece, situation: Situation) -> list[tuple[str, str]]:
    return [pair for pair in situation.engages or () if piece.name in pair]


def _is_met(piece: Piece, situation: Situation) -> bool:
    """Whether a piece engages, or is engaged, by what is given."""
    return bool(_pairs(piece, situation))


def _faces(piece: Piece, situation: Situation) -> bool:
    """Whether a piece engages one who engages it, by what is given (Q7)."""
    pairs = _pairs(piece, situation)
    return any((other, one) in pairs for one, other in pairs)


def _is_engaged_formation(piece: Piece, situation: Situation) -> bool:
    engaged = any(other == piece.name for _, other in _pairs(piece, situation))
    return piece.kind == Kind.FORMATION and engaged and not _faces(piece, situation)


def _enemies(piece: Piece, situation: Situation) -> list[Piece]:
    return [one for one in situation.pieces if one.side != piece.side and one.kind != Kind.DECOY]
