"""Lanes that roll every die: the same trials as the kernel that plays one after the other."""

from dataclasses import replace

import numpy as np
import pytest
import strategies
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st
from witness import Compiled

from estoc.kernels.layout.abilities import KNOWN_IN_LANES, Effect
from estoc.kernels.layout.combat import new_fight
from estoc.kernels.samplers.lanes import LANES
from estoc.kernels.samplers.literal import count_ends
from estoc.kernels.samplers.plan import CODES, Plan, make_plan, word_of
from reference.book import Book
from reference.state import Combat, Fighter, Policy
from tests.kernels.combat.test_feats import able_combats

SEEDS = st.integers(0, 2**64 - 1)
LOOSE = list(HealthCheck)
MOST = 20_000

Counts = tuple[np.ndarray, np.ndarray, np.ndarray]


def plan_of(compiled: Compiled) -> Plan | None:
    return make_plan(compiled.fights, compiled.combat.turns, MOST)


def lanes(compiled: Compiled, plan: Plan, first: int, trials: int) -> Counts:
    n, s = len(compiled.combat.fighters), len(compiled.codes)
    law, sides = np.zeros((n, s), np.int64), np.zeros((s, n), np.int64)
    tally = np.zeros(2, np.int64)
    fights = new_fight(compiled.setup, compiled.rules, compiled.seed, compiled.cell)
    count_ends(plan, fights, first, trials, compiled.combat.turns, law, sides, tally)
    return law, sides, tally


def assert_same(one: Counts, other: Counts) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def fighter(**stats: int) -> Fighter:
    usual = {"INI": 3, "ATT": 4, "FOR": 6, "DEF": 3, "RES": 5}
    return Fighter("fighter", **{**usual, **stats})


def combat_of(enemies: int, turns: int = 1, **policy: object) -> Compiled:
    both = replace(Policy(), **policy)
    listed = (fighter(ATT=6), *(fighter(INI=k) for k in range(1, 1 + enemies)))
    return Compiled(Combat(listed, (both, both), 0, Book(), turns), 5, 77)


# 150 random combats of any edition and any policies, each of several thousand trials; where the
# lanes cannot tell a test, they let the other kernel roll it.
@seed(1201)
@settings(max_examples=150, deadline=None, suppress_health_check=LOOSE, database=None)
@given(
    strategies.combats(most=4), SEEDS, st.integers(0, 2**32 - 1), st.integers(0, 2**62),
    st.integers(0, 1), st.integers(1, 3 * LANES),
)  # fmt: skip
def test_plain_combats(combat, number, cell, first, mirror, trials):
    compiled = Compiled(combat, number, cell, mirror * (len(combat.fighters) == 2))
    plan = plan_of(compiled)
    assume(plan is not None)
    assert_same(lanes(compiled, plan, first, trials), compiled.count(first, trials))


@seed(1202)
@settings(max_examples=100, deadline=None, suppress_health_check=LOOSE, database=None)
@given(able_combats(), SEEDS, st.integers(0, 2**32 - 1), st.integers(0, 2**62))
def test_abilities(combat, number, cell, first):
    """Those that lanes know, of all fighters."""
    known = {e.name.lower() for e in Effect if KNOWN_IN_LANES >> e & 1}
    listed = tuple(
        replace(f, effects=frozenset(e for e in f.effects if e in known)) for f in combat.fighters
    )
    compiled = Compiled(replace(combat, fighters=listed), number, cell)
    plan = plan_of(compiled)
    assume(plan is not None)
    assert_same(lanes(compiled, plan, first, 1000), compiled.count(first, 1000))


@pytest.mark.parametrize("one_fails", [False, True])
def test_an_edition_in_which_no_result_is_too_low(one_fails):
    """W-1.3: at -99 nothing fails by its result; lanes have room for it."""
    book = Book(automatic_failure=-99, natural_one_fails=one_fails)
    listed = (fighter(ATT=-2, DEF=-1), fighter(ATT=3))
    compiled = Compiled(Combat(listed, (Policy(), Policy()), 0, book), 5, 77)
    plan = plan_of(compiled)
    assert plan is not None
    assert_same(lanes(compiled, plan, 0, 20_000), compiled.count(0, 20_000))


def test_abilities_that_lanes_do_not_know_have_no_plan():
    for effect in ("luck", "toxic", "hold_back", "open_fives", "survival", "feint"):
        one = replace(fighter(), effects=frozenset({effect}))
        assert plan_of(Compiled(Combat((one, fighter()), (Policy(), Policy()), 0))) is None


def test_a_plan_has_no_more_positions_than_it_may():
    compiled = combat_of(3)
    plan = plan_of(compiled)
    positions = len(plan.keys)
    assert positions > 256  # it grows while it is made
    for most in (0, 1, positions - 1):
        assert make_plan(compiled.fights, 1, most) is None
    again = make_plan(compiled.fights, 1, positions)
    assert all(np.array_equal(one, other) for one, other in zip(plan, again, strict=True))


@pytest.mark.parametrize("enemies", [1, 2])
@pytest.mark.parametrize("size", [1, 7, 1000, 65_536])
def test_chunks(enemies, size):
    compiled = combat_of(enemies, turns=2)
    plan = plan_of(compiled)
    first, trials = 2**32 - 1_234, max(3_000, size + 5)  # where the low half begins anew
    whole = lanes(compiled, plan, first, trials)
    parts = [
        lanes(compiled, plan, first + done, min(size, trials - done))
        for done in range(0, trials, size)
    ]
    assert_same(tuple(map(sum, zip(*parts, strict=True))), whole)
    assert_same(whole, compiled.count(first, trials))


@pytest.mark.parametrize("parry", ["spread", "all", 1, 2, 3])
@pytest.mark.parametrize("reroll", ["needed", "never", "always"])
def test_dice_against_one_attack(parry, reroll):
    """Two are rolled side by side, more by the other kernel."""
    compiled = combat_of(4, parry=parry, reroll_defence=reroll, placement="even")
    plan = plan_of(compiled)
    assert_same(lanes(compiled, plan, 10**9, 20_000), compiled.count(10**9, 20_000))


def test_words_of_codes():
    """A word that stands for a chain has its dice: 6s, then the one told."""
    for code in range(CODES):
        word, dice = int(word_of.py_func(code)), []
        for _ in range(5):
            dice.append(word * 6 >> 32)
            word = word * 6 & 0xFFFFFFFF
        assert dice[: code // 6 + 1] == [5] * (code // 6) + [code % 6]
