"""Exact laws of whole combats: the reference, Fractions, many trials, clean tables.

The reference says what it left out (``Law.rest``, at most 1e-12): an exact chance lies
between its mass and that mass with the rest.
"""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import strategies
from exact_witness import ALL, Solver, dead_score, level_score, plainly, spoil
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from scipy.stats import chi2
from witness import Compiled, setup_of

from estoc.kernels.exact.duel import duel_law, new_duels, solve_duels
from estoc.kernels.exact.positions import FULL
from estoc.kernels.exact.several import solve_combat, table_of
from estoc.kernels.layout.combat import new_fight
from estoc.kernels.layout.exact import Scratch, new_laws, scratch_of
from estoc.kernels.layout.policy import OPTIMAL, Decision
from reference.book import Wounds, every_blow_kills, only_double_six_kills
from reference.exhaustive import (
    DEPTH,
    SIX,
    collect,
    decide_initiative,
    exact,
    initiative_law,
    resolve_passes,
)
from reference.state import Combat, Policy, beginning
from tests.kernels.combat.test_trials import (
    ALWAYS,
    BARE,
    BOOK,
    COMBATS,
    DEAR,
    DUELS,
    EVEN,
    LISTED,
    SHIELD,
    STRONG,
    SWIFT,
    TRIOS,
    WALL,
    WARY,
    books,
    fighter,
)

LOOSE = list(HealthCheck)
ALL_IN = replace(ALWAYS, reroll_initiative="always")
REST = 1e-12  # the most that the reference may leave out
ROUNDING = 2e-14

PLACED = (fighter(placed=(2, 2)), fighter(placed=(1, 1)))
QUARTETS = [
    Combat((STRONG, *(fighter(placed=(2, 0)),) * 3), (EVEN, EVEN), 0, every_blow_kills(BOOK)),
    Combat((WALL, fighter(), SWIFT, fighter(RES=7)), (BARE, ALWAYS), 1, books(killing=2)),
    Combat(
        (PLACED[0], PLACED[1], fighter(placed=(0, 2)), STRONG),
        (WARY, LISTED),
        order=(3, 0, 2, 1),
        book=books(killing=2, wound_table=("- - L L C",) * 11),
    ),
    Combat(
        (fighter(wounds=Wounds(1), placed=(4, 0)), *(fighter(charged=True, placed=(1, 1)),) * 3),
        (DEAR, EVEN),
        0,
        only_double_six_kills(BOOK),
    ),
]
# Each shown against the reference: depth of its enumeration where 20 dice take too long.
CASES = [(combat, 18) for combat in COMBATS] + [(combat, 18) for combat in QUARTETS]
CASES[5] = (COMBATS[5], 19)
LONG = {33}  # one chain of several dice, all enumerated together
CASES[33] = (COMBATS[33], 16)
IDS = [pytest.param(k, marks=pytest.mark.slow if k in LONG else ()) for k in range(len(CASES))]


# --- the reference ----------------------------------------------------------------------


def assert_law(found, law, rest=REST):
    """Two laws of ends: nothing impossible, nothing missing, every chance within the rest."""
    assert law.rest <= rest
    assert found.keys() <= law.masses.keys()
    for end, mass in law.masses.items():
        chance = found.get(end, 0)
        assert float(mass) - ROUNDING <= chance <= float(mass + law.rest) + ROUNDING, end


def test_there_are_enough_cases():
    assert len(CASES) >= 20
    fighters = [len(combat.fighters) for combat, _ in CASES]
    assert [fighters.count(n) for n in (2, 3, 4)] == [len(DUELS), len(TRIOS), len(QUARTETS)]


@pytest.mark.parametrize("case", IDS)
def test_law_of_the_ends_and_of_the_first_striker(case):
    combat, depth = CASES[case]
    law = Solver(combat).law()
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)
    assert_law(law, exact(combat, depth=depth))


@pytest.mark.parametrize("combat", DUELS)
def test_the_board_of_a_duel_is_the_table_of_positions(combat):
    dense, sparse = Solver(combat).joint(), Solver(combat, dense=False).joint()
    assert dense.keys() == sparse.keys()
    for end, mass in dense.items():
        assert mass == pytest.approx(sparse[end], abs=1e-14)


@seed(41)
@settings(max_examples=100, deadline=None, suppress_health_check=LOOSE, database=None)
@given(strategies.combats(most=1))
def test_the_board_of_any_duel_is_the_table_of_positions(combat):
    combat = replace(combat, turns=min(combat.turns, 3))
    dense, sparse = Solver(combat).joint(), Solver(combat, dense=False).joint()
    for end in dense.keys() | sparse.keys():
        assert abs(dense.get(end, 0) - sparse.get(end, 0)) <= 1e-14


@seed(42)
@settings(max_examples=30, deadline=None, suppress_health_check=LOOSE, database=None)
@given(strategies.combats(most=1))
def test_any_duel_against_the_reference(combat):
    """Editions of any kind; the reference enumerates less here, and leaves out more."""
    combat = replace(
        combat,
        turns=min(combat.turns, 2),
        book=replace(combat.book, many_dice="best_chain", dice_base=min(combat.book.dice_base, 1)),
    )
    assert_law(Solver(combat).law(), exact(combat, depth=12), rest=1e-7)


# --- dice left --------------------------------------------------------------------------


def dice_left(combat, side):
    """Ends of the first turn when a side strikes first, with the dice: by the reference."""
    start = {beginning(combat): Fraction(1)}
    positions, _ = decide_initiative(combat, start, SIX, DEPTH)
    first = {position: mass for position, mass in positions.items() if position.first == side}
    share = sum(first.values())
    over, cut = resolve_passes(combat, first, SIX, 18)
    ends = collect(
        ((position.wounds, position.attack, position.defence), mass / share)
        for position, mass in over.items()
    )
    return ends, cut / share


@pytest.mark.parametrize("combat", [*DUELS[:12], *TRIOS[:9], *QUARTETS])
@pytest.mark.parametrize("side", [0, 1])
def test_dice_left_at_the_end(combat, side):
    solver = Solver(combat)
    n = solver.n
    if combat.book.opposed_tie == "first":
        pytest.skip("a side may never strike first")
    ends, cut = dice_left(combat, side)
    found = defaultdict(float)
    for row, mass in solver.left(0, solver.starts, side).items():
        wounds = tuple(solver.codes[state] for state in row[:n])
        found[wounds, row[n : 2 * n], row[2 * n :]] += mass
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    assert cut <= REST
    assert {end for end, mass in found.items() if mass > 0} <= ends.keys()
    for end, mass in ends.items():
        assert float(mass) - ROUNDING <= found[end] <= float(mass + cut) + ROUNDING, end


# --- in Fractions -----------------------------------------------------------------------

NEVER = Policy(
    "even", parry="spread", reroll_attack="never", reroll_defence="never", reroll_initiative="never"
)
SMALL = replace(
    BOOK, killing=2, wound_table=("- L - L K",) * 6 + ("L L K K K",) * 5, stunned_stacks=False
)
WITHOUT_REROLLS = [
    Combat((STRONG, WALL), (NEVER, NEVER)),
    Combat((SWIFT, WALL), (NEVER, NEVER), 0, SMALL, 2),
    Combat((fighter(charged=True), fighter()), (NEVER, replace(NEVER, sustain="always")), 1),
    Combat((STRONG, fighter(), SWIFT), (NEVER, NEVER), 0, SMALL),
    Combat((WALL, *(fighter(placed=(1, 1)),) * 3), (NEVER, NEVER), 0, SMALL),
]
WITH_REROLLS = [
    Combat((STRONG, WALL), (EVEN, WARY), 0, SMALL, 2),
    Combat((fighter(), SWIFT), (WARY, ALWAYS), 1, replace(SMALL, reroll_one="fail")),
    Combat((STRONG, fighter(), fighter()), (ALWAYS, EVEN), 0, SMALL),
]


def check_fractions():
    """Uncompiled, with Fractions: without re-rolls the very numbers of the reference."""
    for combat in WITHOUT_REROLLS:
        law = exact(combat)
        assert law.rest == 0
        for dense in (True, False) if len(combat.fighters) == 2 else (False,):
            found = Solver(combat, exact=True, dense=dense).law()
            assert all(isinstance(mass, Fraction) for mass in found.values())
            assert {end: mass for end, mass in found.items() if mass} == law.masses


def check_fractions_with_rerolls():
    """What the reference left out, and no more than 6**-24 a test, is all that differs."""
    for combat in WITH_REROLLS:
        law = exact(combat, depth=16)
        found = Solver(combat, exact=True).law()
        tests = combat.turns * (2 + 4 * 2)  # initiative and its ties, attacks of two tests
        cut = Fraction(tests, 6**24)
        assert sum(found.values()) == 1
        assert found.keys() == law.masses.keys()
        for end, mass in law.masses.items():
            assert mass - cut <= found[end] <= mass + law.rest + cut


def check_fractions_of_the_handout():
    combat = Combat((fighter(), fighter()), (ALWAYS, ALWAYS), 0, only_double_six_kills(SMALL))
    for dense in (True, False):
        solver = Solver(combat, exact=True, dense=dense)
        joint = solver.turn(0, solver.starts, solver.nothing()).joint
        dead = joint[0] / joint[0].sum()
        assert dead[0, -1] == Fraction(2521, 46656)
        assert dead[-1, 0] == Fraction(88235, 1679616)
        assert dead[0, 0] == Fraction(1500625, 1679616)
        assert dead[-1, -1] == 0
    lone, *others = fighter(placed=(3, 0)), fighter(placed=(2, 0)), fighter(placed=(2, 0))
    combat = Combat((lone, *others), (ALWAYS, ALWAYS), 0, only_double_six_kills(SMALL))
    solver = Solver(combat, exact=True)
    joint = solver.turn(0, solver.starts, solver.nothing()).joint
    values = Fraction(8069686345, 78364164096), Fraction(228884111, 2176782336)
    for first, value in enumerate(values):
        assert joint[first, -1].sum() / joint[first].sum() == value
    best = {"best": ((Decision.REROLL_ATTACK,), ()), "exact": True}
    fighters = fighter(placed=(1, 1)), fighter(placed=(0, 2))
    combat = Combat(fighters, (ALWAYS, Policy("defence")), 0, every_blow_kills(SMALL))
    for dense in (True, False):
        score = lambda states: Fraction(states[1].dead)  # noqa: E731
        assert Solver(combat, dense=dense, **best).value(score) == Fraction(5, 12)


def check_in_fractions():
    check_fractions()
    check_fractions_with_rerolls()
    check_fractions_of_the_handout()


@pytest.mark.slow
def test_in_fractions(tmp_path):
    plainly("tests.kernels.exact.test_combats", "check_in_fractions", tmp_path)


# --- many trials ------------------------------------------------------------------------

# The exact law of each fighter, of the sides and of the first striker against counts of
# trials: one chi-square each, at most 6 a combat. Cells expected fewer than 30 times are
# taken together; what never happens must not be counted. The seeds are fixed: the chance
# that right programs failed when they were chosen is FAMILY for each family of combats.
FAMILY = 0.01
RARE = 30


def chi_square(counts, chances, level):
    """Whether counts are those of a law."""
    counts, chances = np.asarray(counts, float), np.asarray(chances, float)
    trials = counts.sum()
    assert not counts[chances <= 0].any()
    expected = trials * chances
    rare = expected < RARE
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if len(expected) > 1 and expected[-1] < RARE:  # too rare even so: with the least of others
        least = expected[:-1].argmin()
        expected[least] += expected[-1]
        counts[least] += counts[-1]
        counts, expected = counts[:-1], expected[:-1]
    if len(expected) == 1:
        return True
    statistic = ((counts - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, len(expected) - 1) > level


def assert_trials(combat, cell, trials, level):
    solver, compiled = Solver(combat), Compiled(combat, 2027, cell)
    n, s = solver.n, solver.s
    laws, sides, first = np.zeros((n, s)), np.zeros((s, n)), np.zeros(2)
    for (opening, states), mass in solver.joint().items():
        first[opening] += mass
        sides[states[0], sum(state == s - 1 for state in states[1:])] += mass
        for i, state in enumerate(states):
            laws[i, state] += mass
    law, counted, tally = compiled.count(0, trials)
    for i in range(n):
        assert chi_square(law[i], laws[i], level), (combat, i)
    assert chi_square(counted.ravel(), sides.ravel(), level), combat
    assert chi_square([tally[0], trials - tally[0]], first, level), combat


def short(combat):
    """A combat whose positions are not too many for a test."""
    book = combat.book
    if len(combat.fighters) > 2:
        dice = {"dice_base": min(book.dice_base, 1), "dice_per_enemy": min(book.dice_per_enemy, 1)}
        book = replace(book, stunned_stacks=False, **dice)
    listed = tuple(
        replace(f, wounds=replace(f.wounds, stunned=min(f.wounds.stunned, 1)))
        if not book.stunned_stacks
        else f
        for f in combat.fighters
    )
    turns = min(combat.turns, 3 if len(combat.fighters) == 2 else 2)
    return replace(combat, fighters=listed, book=book, turns=turns)


RANDOM = 200


@seed(43)
@settings(max_examples=RANDOM, deadline=None, suppress_health_check=LOOSE, database=None)
@given(strategies.combats(most=2), st.integers(0, 2**32 - 1))
def test_law_against_many_trials(combat, cell):
    assert_trials(short(combat), cell, 30_000, FAMILY / (6 * RANDOM))


@pytest.mark.slow
@seed(44)
@settings(max_examples=RANDOM, deadline=None, suppress_health_check=LOOSE, database=None)
@given(strategies.combats(most=3), st.integers(0, 2**32 - 1))
def test_law_against_more_trials(combat, cell):
    combat = short(combat)
    if len(combat.fighters) == 4:
        combat = replace(combat, turns=1)
    assert_trials(combat, cell, 300_000, FAMILY / (6 * RANDOM))


def test_trials_tell_another_law():
    """The comparison sees one point of DEF, of INI, and a chance of 1 in 300 moved."""
    right = Combat((STRONG, fighter()), (EVEN, EVEN))
    assert_trials(right, 1, 30_000, FAMILY / (6 * RANDOM))
    solver, trials = Solver(right), Compiled(right, 2027, 1).count(0, 300_000)
    for wrong in (replace(STRONG, DEF=4), replace(STRONG, INI=4)):
        law = Solver(replace(right, fighters=(wrong, fighter()))).joint()
        lone, first = np.zeros(solver.s), np.zeros(2)
        for (opening, states), mass in law.items():
            lone[states[0]] += mass
            first[opening] += mass
        level = FAMILY / (6 * RANDOM)
        told = [trials[2][0], 300_000 - trials[2][0]]
        assert not (chi_square(trials[0][0], lone, level) and chi_square(told, first, level))


def test_a_false_alarm_of_the_trials_is_rare():
    """The level of one chi-square is what it is said to be, where its cells are rarest."""
    random = np.random.default_rng(5)
    law = np.array([RARE / 30_000] * 4 + [1 - 4 * RARE / 30_000])
    alarms = sum(
        not chi_square(counts, law, 1e-3) for counts in random.multinomial(30_000, law, 8_000)
    )
    assert alarms < 8_000 * 3e-3


# --- swapped ----------------------------------------------------------------------------


def swapped(combat):
    """The duel of B against A."""
    order = None if combat.order is None else tuple(1 - i for i in combat.order)
    return replace(
        combat,
        fighters=combat.fighters[::-1],
        policies=combat.policies[::-1],
        chooser=1 - combat.chooser,
        order=order,
    )


@seed(45)
@settings(max_examples=100, deadline=None, suppress_health_check=LOOSE, database=None)
@given(strategies.combats(most=1), st.booleans())
def test_a_duel_with_its_sides_swapped(combat, dense):
    combat = replace(combat, order=combat.order or (0, 1), turns=min(combat.turns, 2))
    there = Solver(combat, dense=dense).joint()
    back = Solver(swapped(combat), dense=dense).joint()
    turned = {(1 - first, states[::-1]): mass for (first, states), mass in back.items()}
    for end in there.keys() | turned.keys():
        assert abs(there.get(end, 0) - turned.get(end, 0)) <= 1e-14


def test_equal_fighters_are_even():
    """H2: rerolled ties favour neither side, whichever comes first."""
    combat = Combat((fighter(), fighter()), (EVEN, EVEN), order=(0, 1), turns=1)
    joint = Solver(replace(combat, policies=(ALL_IN, ALL_IN))).joint()
    first = sum(mass for (opening, _), mass in joint.items() if opening == 0)
    assert first == pytest.approx(0.5, abs=1e-15)


# --- the handout ------------------------------------------------------------------------

DICE_OF_ALL = {2: ((2, 0), (2, 0)), 3: ((3, 0), (2, 0), (2, 0))}


def all_attack(fighters, book):
    listed = tuple(fighter(placed=dice) for dice in DICE_OF_ALL[fighters])
    return Combat(listed, (ALL_IN, ALL_IN), 0, book)


def given_first(solver, first):
    """Law of the states when a side strikes first."""
    joint = solver.turn(0, solver.starts, solver.nothing()).joint[first]
    return joint / joint.sum()


@pytest.mark.parametrize("dense", [True, False])
def test_h3_the_dead_do_not_strike(dense):
    solver = Solver(all_attack(2, only_double_six_kills(BOOK)), dense=dense)
    law = given_first(solver, 0)
    assert law[0, -1] == pytest.approx(2521 / 46656, abs=1e-15)
    assert law[-1, 0] == pytest.approx(88235 / 1679616, abs=1e-15)
    assert law[0, 0] == pytest.approx(1500625 / 1679616, abs=1e-15)
    assert law[-1, -1] == 0
    solver = Solver(all_attack(2, every_blow_kills(BOOK)), dense=dense)
    assert given_first(solver, 0)[0, -1] == 1
    assert given_first(solver, 1)[-1, 0] == 1


def test_one_against_two_all_in_attack():
    solver = Solver(all_attack(3, only_double_six_kills(BOOK)))
    for first, value in enumerate((8069686345 / 78364164096, 228884111 / 2176782336)):
        assert given_first(solver, first)[-1].sum() == pytest.approx(value, abs=1e-15)


def first_strike(combat, dense=None):
    solver = Solver(combat, dense=dense)
    return solver.turn(0, solver.starts, solver.nothing()).joint[0].sum()


@pytest.mark.parametrize(
    ("bonus", "book", "value"),
    [
        (1, BOOK, Fraction(606, 925)),
        (1, books(reroll_one="add"), Fraction(20, 31)),
        (2, BOOK, Fraction(731, 955)),
        (2, books(reroll_one="add"), Fraction(144, 191)),
    ],
)
def test_h4_numbers_bonus(bonus, book, value):
    combat = Combat((fighter(),) * 3, (ALL_IN, ALL_IN), 0, replace(book, numbers_bonus=bonus))
    assert first_strike(combat) == pytest.approx(float(1 - value), abs=1e-15)


TIES = [("coin", 0), ("first", 0), ("first", 1), ("higher_characteristic", 0), ("reroll", 1)]


@pytest.mark.parametrize(("tie", "chooser"), TIES)
@pytest.mark.parametrize("lead", [0, 2, -1])
def test_first_strike_by_the_rule_of_ties(tie, chooser, lead):
    """H2: 101/175 is what a tie silently given to the first would make of 1/2."""
    combat = Combat(
        (fighter(INI=3 + lead), fighter()), (ALL_IN, ALL_IN), chooser, books(opposed_tie=tie)
    )
    law = initiative_law(combat, (3 + lead, 3)) if tie != "reroll" else None
    value = float(law.masses[0]) if law else {0: 0.5, 2: 731 / 955, -1: 319 / 925}[lead]
    for dense in (True, False):
        assert first_strike(combat, dense) == pytest.approx(value, abs=1e-13)
    if tie == "first" and lead == 0:
        assert first_strike(combat) == pytest.approx((101 if chooser == 0 else 74) / 175, abs=1e-15)


def test_h4_light_and_stunned_strikes_at_3_and_6():
    """His law is that of an unhurt fighter with ATT 3 and FOR 6, not of one with 1 and 4."""
    laws = []
    for striker in (
        fighter(ATT=5, FOR=8, wounds=Wounds(1, 1), INI=9),
        fighter(ATT=3, FOR=6, INI=7),
        fighter(ATT=1, FOR=4, INI=7),
    ):
        striker = replace(striker, placed=(2, 0))
        combat = Combat((striker, fighter(placed=(0, 2), RES=4)), (EVEN, EVEN))
        solver = Solver(combat)
        joint = solver.turn(0, solver.starts, solver.nothing()).joint
        laws.append(joint.sum(axis=(0, 1)))
    np.testing.assert_allclose(laws[0], laws[1], atol=1e-15, rtol=0)
    assert abs(laws[0] - laws[2]).max() > 0.01


def test_h4_light_then_serious_is_critical_only():
    """W-3.1: the levels add up; every blow of the second pass is serious."""
    book = books(wound_table=("S S S S S",) * 11, double_six_kills=False)
    hurt = fighter(placed=(0, 2), wounds=Wounds(1), DEF=0)
    combat = Combat((fighter(placed=(1, 1)), hurt), (EVEN, Policy(parry="none")), 0, book)
    solver = Solver(combat)
    law = solver.turn(0, solver.starts, solver.nothing()).joint.sum(axis=(0, 1))
    assert law[solver.codes.index(Wounds(3))] == pytest.approx(1, abs=1e-15)


# --- tables that are shared, scratch that is used, tables that are full ------------------


def solved(solver, score=dead_score):
    turn = solver.turn(0, solver.starts, solver.final(score))
    return turn.value, turn.joint


def assert_solved_alike(one, other):
    assert one[0] == other[0]
    np.testing.assert_array_equal(one[1], other[1])


RANGES = [
    (fighter(ATT=0, DEF=9), fighter(ATT=1, DEF=8)),
    (fighter(ATT=12, DEF=0), fighter(ATT=12, DEF=1)),
    (fighter(), fighter()),
    (fighter(ATT=40, INI=40, DEF=0), fighter(ATT=0, INI=0, DEF=40)),
    (fighter(), fighter(), SWIFT),
    (fighter(ATT=9), WALL, STRONG),
]


@pytest.mark.parametrize("best", [((), ()), (ALL, ALL)])
def test_tables_grow_whatever_the_order_of_the_fights(best):
    """Few dice first or many, narrow ranges first or wide: the laws are those of new tables."""
    solvers = [Solver(Combat(listed, (WARY, ALWAYS)), best) for listed in RANGES]
    alone = [solved(solver) for solver in solvers]
    for number in range(6):
        order = Random(number).sample(range(len(RANGES)), len(RANGES))
        tables = new_laws()
        for k in order:
            solvers[k].tables = tables
            assert_solved_alike(solved(solvers[k]), alone[k])
        for k in order:
            assert_solved_alike(solved(solvers[k]), alone[k])


@pytest.mark.parametrize("best", [((), ()), (ALL, ALL)])
def test_scratch_is_left_clean(best):
    """Any fight, any dice placed, first or later turn: then the same arrays solve another."""
    duels = [Solver(Combat(listed, (WARY, ALWAYS)), best) for listed in RANGES[:4]]
    duels += [Solver(replace(DUELS[k], policies=(EVEN, WARY)), best) for k in (6, 7, 8, 9, 10)]
    alone = [solved(solver) for solver in duels]
    for solver in duels:
        solver.scratch = duels[0].scratch
    for _ in range(2):
        for solver, law in zip(duels, alone, strict=True):
            assert_solved_alike(solved(solver), law)
            solver.turn(1, solver.starts, solver.nothing())
    trios = [Solver(combat, best) for combat in (*TRIOS[:3], TRIOS[11])]
    shielded = Solver(Combat((WALL,) * 3, (SHIELD, SHIELD)))  # not one attack die
    alone = [solved(solver) for solver in trios]
    for solver in (*trios, shielded):
        solver.table = trios[0].table
    for solver, law in zip(trios, alone, strict=True):
        shielded.turn(0, shielded.starts, shielded.nothing())
        assert_solved_alike(solved(solver), law)
        solver.left(0, solver.starts, 1) if best == ((), ()) else None
        assert_solved_alike(solved(solver), law)


def tree(solver, table, final):
    joint = spoil(np.empty(2 * solver.ends))
    dice = solver.dice(0, solver.starts)
    states = np.array(solver.starts)
    found = solve_combat(solver.fights, solver.tables, 0, states, dice, final, *table, joint)
    return found, joint


@pytest.mark.parametrize("best", [((), ()), (ALL[1:], ALL[1:])])
def test_a_table_too_small_says_so(best):
    """FULL, with nothing left behind: another fight, then a larger table, give their laws."""
    solver = Solver(TRIOS[0], best)
    final = solver.final(level_score(BOOK))
    (needed, value), joint = tree(solver, solver.table, final)
    assert needed > 50
    small = Solver(Combat(RANGES[4], (ALWAYS, ALWAYS), 0, every_blow_kills(BOOK)), best)
    score = small.final(dead_score)
    (fewer, worth), law = tree(small, small.table, score)
    assert fewer < needed
    for positions in (1, 2, fewer, needed // 2, needed - 1):
        table = table_of(3, positions)
        assert tree(solver, table, final)[0] == (FULL, 0)
        assert not table.slots.any()
        assert not table.rows["mass"].any()
        if positions >= fewer:
            assert tree(small, table, score)[0] == (fewer, worth)
            np.testing.assert_array_equal(tree(small, table, score)[1], law)
    found, again = tree(solver, table_of(3, needed), final)
    assert found == (needed, value)
    np.testing.assert_array_equal(again, joint)


@pytest.mark.parametrize("book", [BOOK, books(reroll_one="fail", automatic_failure=2)])
def test_a_duel_by_policies_is_the_same_to_the_last_bit(book):
    """`duel_law` and `solve_duel`, turn by turn, from any states."""
    random = Random(7)
    for _ in range(60):
        listed = tuple(
            fighter(
                **{stat: random.randint(0, 8) for stat in ("INI", "ATT", "FOR", "DEF", "RES")},
                charged=random.random() < 0.3,
                placed=random.choice((None, None, (1, 1), (2, 0), (0, 2))),
            )
            for _ in range(2)
        )
        policies = tuple(random.choice((EVEN, WARY)) for _ in range(2))
        solver = Solver(Combat(listed, policies, book=book))
        final = np.array([random.uniform(-1, 1) for _ in range(solver.ends)])
        states = tuple(random.randrange(solver.s - 1) for _ in range(2))
        turn = random.randrange(2)
        expected = solver.duel(turn, states, final)
        joint = spoil(np.empty(2 * solver.ends))
        mass = solver.scratch.mass
        value = duel_law(solver.fights, new_laws(), turn, final, mass, joint)
        assert value == expected.value
        assert joint.tolist() == expected.joint.ravel().tolist()
        assert not mass.any()


def test_many_duels_at_once_are_duels():
    """`solve_duels`: each its fighters, order, charge and wounds; what both sides are worth."""
    random = Random(3)
    count = 40
    for best in ((), ()), (ALL, ALL):
        combats = []
        for _ in range(count):
            listed = tuple(
                fighter(
                    **{stat: random.randint(0, 8) for stat in ("INI", "ATT", "FOR", "DEF", "RES")},
                    charged=random.random() < 0.3,
                    wounds=Wounds(random.choice((0, 0, 1, 3)), random.randint(0, 1)),
                    placed=random.choice((None, None, (1, 1), (2, 0))),
                )
                for _ in range(2)
            )
            combats.append(Combat(listed, (EVEN, WARY), order=random.choice(((0, 1), (1, 0)))))
        setups = [setup_of(combat) for combat in combats]
        policy = setups[0].policy.copy()
        for side in (0, 1):
            policy[side, list(best[side])] = OPTIMAL
        solvers = [Solver(combat, best) for combat in combats]
        s = solvers[0].s
        fights = new_fight(setups[-1]._replace(policy=policy), solvers[0].rules, 1, 0)
        worths = np.array([[random.uniform(-1, 1) for _ in range(s)] for _ in range(2)])
        duels = new_duels(
            np.array([setup.fighters for setup in setups]),
            np.array([setup.order for setup in setups]),
            np.array([worths] * count),
        )
        for written in (duels.joints, duels.values, duels.placed):
            spoil(written)
        mass, *rest = scratch_of(solvers[0].rules)
        solve_duels(fights, new_laws(), duels, Scratch(mass, *map(spoil, rest)))
        final = (worths[0][:, None] + worths[1][None]).ravel()
        for k, solver in enumerate(solvers):
            turn = solver.duel(0, solver.starts, final)
            assert duels.values[k] == pytest.approx(turn.value, abs=1e-15)
            assert duels.placed[k].tolist() == solver.dice(0, solver.starts, turn.way).tolist()
            np.testing.assert_array_equal(duels.joints[k], turn.joint.ravel())
