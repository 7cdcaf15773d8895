"""Rout contagion by the plain reading: exact laws of layouts of friends (8.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from sheet_event_cases import around

from estoc.kernels.layout.sheet import Cohesion, Deed, End, Reading
from reference import sheet_stages
from reference.sheet_dice import Dice, law
from reference.sheet_stages import Policy, lost_to
from reference.sheet_state import Hex, Piece, Wing, World, stays

GONE = 1000  # a hex beside nothing: out of adjacency, still on the map
WANTED = {Deed.SHOCK, Deed.FIRE, Deed.ATTACK_MOVE}
Flight = Callable[[World, Piece], Hex | None]


class Position(NamedTuple):
    """What a turn leaves: cohesions, hexes, activations lost to A1 so far."""

    cohesions: tuple[Cohesion, ...]
    hexes: tuple[Hex | None, ...]
    lost: int


def flees(world: World, piece: Piece) -> Hex:
    return GONE + piece.number


def line(units: int) -> dict[Hex, set[Hex]]:
    return around((at, at + 1) for at in range(units - 1))


def flower() -> dict[Hex, set[Hex]]:
    """The centre, 0, and six petals in ring order."""
    ring = [(petal, petal % 6 + 1) for petal in range(1, 7)]
    return around([(0, petal) for petal in range(1, 7)] + ring)


def laws(
    beside: dict[Hex, set[Hex]],
    order: Sequence[int],
    q: Fraction,
    turns: int = 1,
    flight: Flight = stays,
    readings: dict[Reading, int] | None = None,
) -> dict[Position, Fraction]:
    """Law of the position after some turns; unit 0 begins ROUTED, equal positions merge."""
    units = len(beside)
    cohesions = (Cohesion.ROUTED, *[Cohesion.GOOD] * (units - 1))
    positions = {Position(cohesions, tuple(range(units)), 0): Fraction(1)}
    for number in [*order] * turns:
        after: dict[Position, Fraction] = {}
        for position, mass in positions.items():
            run = partial(activated, position, beside, number, flight, readings or {})
            for outcome, part in law(run, lambda test: q).items():
                after[outcome] = after.get(outcome, Fraction(0)) + mass * part
        positions = after
    return positions


def activated(
    position: Position,
    beside: dict[Hex, set[Hex]],
    number: int,
    flight: Flight,
    readings: dict[Reading, int],
    dice: Dice,
) -> Position:
    pieces = [
        Piece(at=at, cohesion=cohesion, wing=0)
        for cohesion, at in zip(position.cohesions, position.hexes, strict=True)
    ]
    world = World(pieces, beside, [Wing()], flight=flight, readings=readings)
    activation = sheet_stages.activate(world, number, Policy(), dice)
    return Position(
        tuple(piece.cohesion for piece in pieces),
        tuple(piece.at for piece in pieces),
        position.lost + (lost_to(activation, WANTED) is End.ROUT),
    )


def sizes(positions: dict[Position, Fraction]) -> list[Fraction]:
    """Chances that 1, 2, … units are ROUTED."""
    units = len(next(iter(positions)).cohesions)
    found = [Fraction(0)] * units
    for position, mass in positions.items():
        found[sum(one is Cohesion.ROUTED for one in position.cohesions) - 1] += mass
    return found


def mean(masses: Sequence[Fraction]) -> Fraction:
    return sum((k * mass for k, mass in enumerate(masses, 1)), Fraction(0))


def mean_lost(positions: dict[Position, Fraction]) -> Fraction:
    return sum((position.lost * mass for position, mass in positions.items()), Fraction(0))
