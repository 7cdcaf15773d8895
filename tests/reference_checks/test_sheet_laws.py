"""Exact laws and golden values of the sheet, every test enumerated by the plain reading (8.1)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sheet_rout import Position, activated, flees, flower, laws, line, mean, mean_lost, sizes

from estoc.kernels.layout.sheet import Cohesion, Kind, Order, Reading, Trial
from reference import sheet_events
from reference.sheet import follows
from reference.sheet_dice import Dice, Taken, law
from reference.sheet_events import Play
from reference.sheet_state import Piece, Wing, World, facts_of

HALF = Fraction(1, 2)
CHANCES = [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2), Fraction(5, 6)]


def outward(n: int) -> list[int]:
    return list(range(n))


def inward(n: int) -> list[int]:
    return list(reversed(range(n)))


# --- the three laws of a line ------------------------------------------------------------


@pytest.mark.parametrize("q", CHANCES)
@pytest.mark.parametrize("n", range(2, 8))
def test_static_line_outward(n, q):
    expected = [k * q ** (k - 1) * (1 - q) ** 2 for k in range(1, n)]
    expected.append(q ** (n - 1) * (n - (n - 1) * q))
    assert sizes(laws(line(n), outward(n), q)) == expected


@pytest.mark.parametrize("q", CHANCES)
@pytest.mark.parametrize("n", range(2, 8))
def test_static_line_inward(n, q):
    one = (1 - q) ** 2
    expected = [one, 1 - one] + [0] * (n - 2)
    assert sizes(laws(line(n), inward(n), q)) == expected
    if n > 2:
        assert mean(expected) == 1 + 2 * q - q**2


@pytest.mark.parametrize("q", CHANCES)
@pytest.mark.parametrize("n", range(2, 8))
def test_flee_line_outward(n, q):
    expected = [q ** (k - 1) * (1 - q) for k in range(1, n)] + [q ** (n - 1)]
    assert sizes(laws(line(n), outward(n), q, flight=flees)) == expected


def test_merging_positions_changes_nothing():
    """A whole turn on one tape gives the law of a turn merged after each activation."""
    start = Position((Cohesion.ROUTED,) + (Cohesion.GOOD,) * 3, (0, 1, 2, 3), 0)

    def turn(dice: Dice) -> Position:
        position = start
        for number in (1, 0, 3, 2):
            position = activated(position, line(4), number, flees, {}, dice)
        return position

    assert law(turn, lambda test: Fraction(1, 3)) == laws(
        line(4), (1, 0, 3, 2), Fraction(1, 3), flight=flees
    )


# --- golden values, q = 1/2 --------------------------------------------------------------


def test_static_line_of_three():
    assert sizes(laws(line(3), (0, 1, 2), HALF)) == [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]
    assert sizes(laws(line(3), (2, 1, 0), HALF)) == [Fraction(1, 4), Fraction(3, 4), 0]


def test_static_line_of_five_two_turns():
    expected = [Fraction(1, 16), Fraction(1, 8), Fraction(5, 32), Fraction(5, 32), Fraction(1, 2)]
    assert sizes(laws(line(5), outward(5), HALF, turns=2)) == expected


def test_flee_line_of_three_inward_two_turns():
    expected = [Fraction(1, 4), Fraction(9, 16), Fraction(3, 16)]
    assert sizes(laws(line(3), inward(3), HALF, turns=2, flight=flees)) == expected


def test_flower():
    first = sizes(laws(flower(), outward(7), HALF))
    assert mean(first) == Fraction(51113, 8192)
    assert first[-1] == Fraction(2079, 4096)
    last = sizes(laws(flower(), [*range(1, 7), 0], HALF))
    assert mean(last) == Fraction(11, 2)
    assert last[-1] == Fraction(729, 4096)


@pytest.mark.parametrize(
    ("order", "turns", "expected"),
    [
        (outward(5), 1, Fraction(11, 4)),
        (inward(5), 1, Fraction(3, 2)),
        (outward(5), 2, Fraction(213, 32)),
        (inward(5), 2, Fraction(15, 4)),
    ],
)
def test_activations_lost_to_rout(order, turns, expected):
    assert mean_lost(laws(line(5), order, HALF, turns=turns)) == expected


def test_immediate_contagion():
    """Q6's other reading: whoever fails S1a makes its own neighbours test at once."""
    q = Fraction(1, 3)
    masses = sizes(laws(line(3), (0,), q, readings={Reading.IMMEDIATE: 2}))
    assert masses == [1 - q, q * (1 - q), q**2]


# --- a wing without its leader -----------------------------------------------------------


def wing_chance(world: World, test: Taken) -> Fraction:
    """Retreat fails on half the faces, Demoralisation on one for each troop lost (6)."""
    if test.trial is Trial.RETREAT:
        return HALF
    assert test.trial is Trial.DEMORALISATION
    return Fraction(world.wings[test.who].lost, 6)


def orphan() -> World:
    """A leader and three troops, one of them charging, none beside another."""
    leader = Piece(at=0, kind=Kind.CHARACTER, wing=0)
    troops = [Piece(at=at, wing=0, charge=at == 3) for at in (1, 2, 3)]
    return World([leader, *troops], wings=[Wing(leader=0)])


def after_losses(losses: int) -> dict[tuple[Order, int], Fraction]:
    """Order of the wing, and how many of its troops are bound to attack."""
    worlds: list[World] = []

    def run(dice: Dice) -> tuple[Order, int]:
        world = orphan()
        worlds.append(world)
        play = Play(world, dice, "A")
        for number in range(losses + 1):
            sheet_events.destroy(play, world.pieces[number])
            sheet_events.settle(play)
        bound = [follows(facts_of(world, one)) is Order.ATTACK for one in world.pieces[1:]]
        return world.wings[0].order, sum(bound)

    return law(run, lambda test: wing_chance(worlds[-1], test))


@pytest.mark.parametrize(
    ("losses", "expected"),
    [(0, HALF), (1, Fraction(5, 12)), (2, Fraction(5, 18)), (3, Fraction(5, 36))],
)
def test_wing_still_attacks(losses, expected):
    found = after_losses(losses)
    assert sum(mass for (order, _), mass in found.items() if order is Order.ATTACK) == expected


def test_troops_still_bound_to_attack():
    """Three if the order holds, else the one that charges: A4 keeps it attacking."""
    assert sum(bound * mass for (_, bound), mass in after_losses(0).items()) == 2
