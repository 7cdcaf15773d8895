"""Optimal play of the exact engine: against every decision branched on, and against policies.

`reference.optimal` is the other side of the comparison: plain Python, Fractions, its values
wrong by at most 6**-18 of the scores' span a test.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
import strategies
from exact_witness import ALL, Solver, dead_score, level_score, placed_as
from hypothesis import HealthCheck, example, given, seed, settings
from hypothesis import strategies as st
from witness import wounds_by_code

from estoc.kernels.layout import Decision
from reference.book import Book, Wounds, every_blow_kills, only_double_six_kills
from reference.exhaustive import exact
from reference.optimal import EVERY, NOTHING, Game, chance_to_parry
from reference.state import Combat, Fighter, Policy

LOOSE = list(HealthCheck)
CLOSE = 1e-12
NAMES = sorted(EVERY)
USUAL = {"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5}
EVEN = Policy(placement="even")


def fighter(**fields):
    return Fighter("fighter", **{**USUAL, **fields})


def opened(names):
    """The kernels' columns of decisions that the reference names."""
    return [Decision[name.upper()] for name in names]


# --- tiny combats: every decision branched on -------------------------------------------

# Few states, so that the tree can be walked: unhurt, light, dead.
PENALTIES = """
          INI ATT FOR DEF RES
light      1   1   1   1   0
serious    2   2   2   2   0
critical   3   3   3   3   0
stunned    1   1   1   1   0
charged    1   1   0   1   0
"""
WEAK = PENALTIES.replace("1", "0").replace("light      0   0   0   0", "light      0   1   2   1")
TABLE = ("- - - - L",) * 3 + ("- - L L L",) * 3 + ("- L L L K",) * 3 + ("L L K K K",) * 2
TINY = Book(killing=2, wound_table=TABLE, penalties=WEAK)


def scores_of(book, fighters, number, step=8):
    """A score for each end, drawn at random: being hit may be good, and nothing adds up."""
    random = Random(number)
    codes = [wounds for wounds in wounds_by_code(book) if not wounds.stunned]
    table = {
        states: Fraction(random.randint(-step, step), step)
        for states in product(codes, repeat=fighters)
    }
    return lambda states: table[tuple(replace(wounds, stunned=0) for wounds in states)]


def assert_best(combat, best, score):
    """The kernels' optimal play is worth what the tree of all decisions is."""
    value = Game(combat, score, best).value()
    number = float(value)
    names = opened(best[0]), opened(best[1])
    for dense in (True, False) if len(combat.fighters) == 2 else (False,):
        found = Solver(combat, names, dense=dense).value(lambda states: float(score(states)))
        assert abs(found - number) <= CLOSE, (combat, best, found, number)
    return value


tiny_books = st.builds(
    replace,
    st.just(TINY),
    double_six_kills=st.booleans(),
    sustained_penalty=st.integers(0, 3),
    reroll_one=st.sampled_from(["reset", "add", "fail"]),
    natural_one_fails=st.booleans(),
    automatic_failure=st.sampled_from([0, 0, 0, 3, 5]),
    many_dice=st.sampled_from(["best_chain", "one_chain"]),
    opposed_tie=st.sampled_from(["reroll", "coin", "higher_characteristic", "first"]),
)


@st.composite
def tiny_combats(draw, enemies=1, open_placement=True):
    book = draw(tiny_books)
    listed = []
    for i in range(1 + enemies):
        dice = 1 + (enemies if i == 0 else 1)
        attack = draw(st.integers(0, dice))
        listed.append(
            fighter(
                INI=draw(st.integers(1, 4)),
                **{stat: draw(st.integers(0, 7)) for stat in ("ATT", "FOR", "DEF", "RES")},
                wounds=Wounds(draw(st.sampled_from([0, 0, 1]))),
                charged=draw(st.booleans()),
                placed=None if open_placement else (attack, dice - attack),
            )
        )
    order = draw(st.permutations(range(1 + enemies)))
    policies = (draw(strategies.policies), draw(strategies.policies))
    return Combat(tuple(listed), policies, draw(st.integers(0, 1)), book, 1, tuple(order))


choices = st.frozensets(st.sampled_from(NAMES), min_size=1)
sides = st.tuples(choices, choices) | st.tuples(choices, st.just(NOTHING))
sides = sides | st.tuples(st.just(NOTHING), choices) | st.just((EVERY, EVERY))


def trees(examples):
    return settings(
        max_examples=examples, deadline=None, suppress_health_check=LOOSE, database=None
    )


@seed(611)
@trees(30)
@given(tiny_combats(), sides, st.integers(0, 10**6))
def test_best_play_of_a_tiny_duel(combat, best, number):
    assert_best(combat, best, scores_of(combat.book, 2, number))


@seed(612)
@trees(25)
@given(tiny_combats(2, open_placement=False), sides, st.integers(0, 10**6))
def test_best_play_of_a_tiny_one_against_two(combat, best, number):
    assert_best(combat, best, scores_of(combat.book, 3, number))


@pytest.mark.slow
@seed(613)
@trees(400)
@given(tiny_combats(), sides, st.integers(0, 10**6), st.integers(1, 2))
def test_best_play_of_many_tiny_duels(combat, best, number, turns):
    combat = replace(combat, turns=turns)
    assert_best(combat, best, scores_of(combat.book, 2, number))


@pytest.mark.slow
@seed(614)
@trees(200)
@given(tiny_combats(2, open_placement=False), sides, st.integers(0, 10**6))
def test_best_play_of_many_tiny_ones_against_two(combat, best, number):
    assert_best(combat, best, scores_of(combat.book, 3, number))


@pytest.mark.slow
@seed(615)
@trees(8)
@given(tiny_combats(2), st.integers(0, 10**6))
def test_best_placement_of_a_tiny_one_against_two(combat, number):
    assert_best(combat, (EVERY, EVERY), scores_of(combat.book, 3, number))
