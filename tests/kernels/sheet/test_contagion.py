"""The kernels of rout contagion against the sheet's laws and a plain reading (S1a, S1b, 8.1).

Sampled laws are compared at four standard errors, 80 cells and 16 means of 16 laws, and each law as
a whole by chi-square at a chance of 1e-4: a right program fails about one such family in 130; the
seeds are fixed.
"""

from fractions import Fraction
from itertools import permutations
from math import factorial, sqrt

import numpy as np
import pytest
from scipy.stats import chi2
from witness import philox

from estoc.kernels.sheet.contagion import LANES, count_contagion
from estoc.kernels.sheet.contagion_odds import BEST, WORST, contagion_law, reachable, search_orders
from estoc.sim.contagion.exact import rational_law
from estoc.sim.contagion.layout import bits, layout_of
from estoc.sim.contagion.play import renumbered
from reference.contagion import law, mean_lost, play, sizes

HALF = Fraction(1, 2)
CHANCES = [Fraction(1, 6), Fraction(1, 3), HALF, Fraction(5, 6)]
SEED, CELL = 2026, 77
LOW = 0xFFFFFFFF


def beside(layout):
    return [set(bits(word)) for word in layout.neighbours]


def outward(n):
    return tuple(range(n))


def inward(n):
    return tuple(reversed(range(n)))


def rational(text, order, q, turns=1, flee=False, routed=1):
    return rational_law(layout_of(text).neighbours, routed, order, q, turns, flee)


def counted(layout, order, q, turns, flee, first, trials, routed=(0,), seed=SEED, cell=CELL):
    """What the kernel counts: sizes, then lost activations."""
    counts, lost = np.zeros(len(order) + 1, np.int64), np.zeros(2, np.int64)
    count_contagion(
        renumbered(layout.neighbours, order),
        np.uint64(sum(1 << order.index(unit) for unit in routed)),
        q.numerator,
        q.denominator,
        turns,
        flee,
        np.uint64(seed),
        np.uint64(cell),
        first,
        trials,
        counts,
        lost,
    )
    return counts, lost


def floated(layout, order, q, turns, flee, routed=1):
    """The float kernel's law and mean number of lost activations."""
    words = np.array(layout.neighbours, np.uint64)
    states = reachable(words, np.uint64(routed), flee)
    room = np.zeros(1 << (len(words) * (2 if flee else 1)))
    found = np.zeros(len(words) + 1)
    arguments = (words, states, np.uint64(routed), np.array(order), float(q), turns, flee)
    lost = contagion_law(*arguments, room, found)
    assert not room.any()
    return found, lost


# --- laws of 8.1, exactly -------------------------------------------------------------


@pytest.mark.parametrize("q", CHANCES)
@pytest.mark.parametrize("n", range(2, 8))
def test_laws_of_a_line_are_those_of_the_sheet(n, q):
    static = [k * q ** (k - 1) * (1 - q) ** 2 for k in range(1, n)]
    static.append(q ** (n - 1) * (n - (n - 1) * q))
    confined = [(1 - q) ** 2, 1 - (1 - q) ** 2] + [Fraction(0)] * (n - 2)
    fled = [q ** (k - 1) * (1 - q) for k in range(1, n)] + [q ** (n - 1)]
    expected = [(outward(n), False, static), (outward(n), True, fled)]
    if n > 2:  # of two, the far end is next to the one in rout
        expected.append((inward(n), False, confined))
    for order, flee, wanted in expected:
        found = rational(f"line:{n}", order, q, flee=flee)
        assert found.chances == (0, *wanted)
        assert sum(found.chances) == 1


@pytest.mark.parametrize("q", CHANCES)
def test_means_of_a_long_line(q):
    """The means for large n; of 60 units what is left out is below 1e-2 even at q = 5/6."""
    for flee, wanted in ((False, (1 + q) / (1 - q)), (True, 1 / (1 - q))):
        found = rational("line:60", outward(60), q, flee=flee)
        assert 0 <= wanted - found.mean < Fraction(1, 100)
    assert rational("line:60", inward(60), q).mean == 1 + 2 * q - q**2


@pytest.mark.parametrize(
    ("text", "order", "turns", "flee", "chances"),
    [
        ("line:3", (0, 1, 2), 1, False, ("1/4", "1/4", "1/2")),
        ("line:3", (2, 1, 0), 1, False, ("1/4", "3/4", "0")),
        ("line:5", (0, 1, 2, 3, 4), 2, False, ("1/16", "1/8", "5/32", "5/32", "1/2")),
        ("line:3", (2, 1, 0), 2, True, ("1/4", "9/16", "3/16")),
    ],
)
def test_golden_laws(text, order, turns, flee, chances):
    assert rational(text, order, HALF, turns, flee).chances == (0, *map(Fraction, chances))


def test_golden_means():
    first = rational("flower", outward(7), HALF)
    assert (first.mean, first.chances[7]) == (Fraction(51113, 8192), Fraction(2079, 4096))
    last = rational("flower", (1, 2, 3, 4, 5, 6, 0), HALF)
    assert (last.mean, last.chances[7]) == (Fraction(11, 2), Fraction(729, 4096))
    lost = {
        (turns, order[0]): rational("line:5", order, HALF, turns).lost
        for turns in (1, 2)
        for order in (outward(5), inward(5))
    }
    assert lost == {
        (1, 0): Fraction(11, 4),
        (1, 4): Fraction(3, 2),
        (2, 0): Fraction(213, 32),
        (2, 4): Fraction(15, 4),
    }


# --- the plain reading ----------------------------------------------------------------


def test_the_reference_tells_the_chain_reaction_apart():
    """Q6: the wrong reading gives the laws that the sheet's specification tells of it."""
    line = beside(layout_of("line:3"))
    for order, wanted in (((0, 1, 2), "1/4 3/16 9/16"), ((2, 1, 0), "1/4 1/2 1/4")):
        found = law(line, {0}, order, HALF, chain=True)
        assert sizes(found, 3) == [0, *map(Fraction, wanted.split())]
        assert sizes(law(line, {0}, order, HALF), 3) != sizes(found, 3)


CASES = [
    ("line:4", (1, 0, 3, 2), (0,), 2, False),
    ("line:4", (2, 1, 0, 3), (1, 3), 2, True),
    ("double:3", (4, 0, 5, 1, 3, 2), (0,), 1, False),
    ("double:2", (3, 1, 0, 2), (2,), 3, True),
    ("block:2x2", (0, 3, 1, 2), (0, 1), 2, False),
    ("flower", (1, 3, 0, 5, 2, 4, 6), (0,), 1, True),
]


@pytest.mark.parametrize(("text", "order", "routed", "turns", "flee"), CASES)
def test_both_exact_laws_are_the_references(text, order, routed, turns, flee):
    layout, q = layout_of(text), Fraction(2, 5)
    wanted = law(beside(layout), set(routed), order, q, turns, flee)
    start = sum(1 << unit for unit in routed)
    found = rational(text, order, q, turns, flee, start)
    assert found.chances == tuple(sizes(wanted, len(layout)))
    assert found.lost == mean_lost(wanted)
    floats, lost = floated(layout, order, q, turns, flee, start)
    assert np.abs(floats - [float(p) for p in found.chances]).max() < 1e-12
    assert lost == pytest.approx(float(found.lost), abs=1e-12)


@pytest.mark.parametrize("flee", [False, True])
def test_float_odds_of_larger_layouts(flee):
    text, turns = ("double:4", 2) if flee else ("block:3x4", 1)
    layout = layout_of(text)
    for order in (layout.outward([0]), layout.inward([0]), layout.outward([5])):
        exact = rational(text, order, Fraction(1, 3), turns, flee)
        floats, lost = floated(layout, order, Fraction(1, 3), turns, flee)
        assert np.abs(floats - [float(p) for p in exact.chances]).max() < 1e-12
        assert lost == pytest.approx(float(exact.lost), abs=1e-11)


def test_a_law_that_takes_too_long_is_given_up():
    layout = layout_of("block:3x3")
    arguments = (layout.neighbours, 1, layout.outward([0]), HALF, 1, False)
    assert rational_law(*arguments, most=100) is None
    assert rational_law(*arguments, most=100_000) is not None


# --- trials ---------------------------------------------------------------------------


def word_tape(trial, q, seed, cell):
    """The tests of a trial, from its words in order."""
    for block in range(1000):
        for word in philox((trial & LOW, trial >> 32, cell, block), (seed & LOW, seed >> 32)):
            yield word * q.denominator >> 32 < q.numerator


@pytest.mark.parametrize(("text", "order", "routed", "turns", "flee"), CASES)
def test_trials_are_played_as_the_reference_plays_their_words(text, order, routed, turns, flee):
    layout, q = layout_of(text), Fraction(3, 7)
    for trial in [*range(40), 2**40 + 3]:
        # a test of S1a by a neighbour activated later comes later: by place in the order
        place = {unit: i for i, unit in enumerate(order)}
        words = [{place[other] for other in beside(layout)[unit]} for unit in order]
        first = {place[unit] for unit in routed}
        tape = word_tape(trial, q, SEED << 33, CELL)
        size, lost = play(words, first, outward(len(order)), turns, flee, lambda t=tape: next(t))
        counts, idle = counted(layout, order, q, turns, flee, trial, 1, routed, seed=SEED << 33)
        assert (counts.argmax(), counts.sum(), idle.tolist()) == (size, 1, [lost, lost**2])


SAMPLED = [
    (text, order, turns, flee, q)
    for q in (Fraction(1, 3), Fraction(5, 6))
    for text, order, turns, flee in (
        ("line:6", outward(6), 1, False),
        ("line:6", inward(6), 1, False),
        ("line:6", outward(6), 1, True),
        ("line:5", inward(5), 2, False),
        ("line:3", inward(3), 2, True),
        ("flower", outward(7), 1, False),
        ("flower", (1, 2, 3, 4, 5, 6, 0), 1, True),
        ("double:3", (5, 0, 1, 4, 3, 2), 2, False),
    )
]


@pytest.mark.parametrize(("text", "order", "turns", "flee", "q"), SAMPLED)
def test_sampled_laws_are_the_exact_ones(text, order, turns, flee, q):
    layout, trials = layout_of(text), 400_000
    exact = rational(text, order, q, turns, flee)
    counts, lost = counted(layout, order, q, turns, flee, 0, trials)
    assert counts.sum() == trials
    possible = [k for k, p in enumerate(exact.chances) if p]
    assert counts.sum() == counts[possible].sum()
    statistic = 0.0
    for k in possible:
        p = float(exact.chances[k])
        assert abs(counts[k] / trials - p) <= 4 * sqrt(p * (1 - p) / trials)
        statistic += (counts[k] - trials * p) ** 2 / (trials * p)
    assert chi2.sf(statistic, len(possible) - 1) > 1e-4
    error = sqrt(lost[1] / trials - (lost[0] / trials) ** 2) / sqrt(trials)
    assert abs(lost[0] / trials - float(exact.lost)) <= 4 * error


@pytest.mark.parametrize("flee", [False, True])
def test_a_trial_is_the_same_in_any_chunk(flee):
    layout = layout_of("block:3x3")
    order = layout.outward([4])
    whole, lost = counted(layout, order, HALF, 2, flee, 5, 3 * LANES + 7, (4,))
    parts, idle = np.zeros_like(whole), np.zeros_like(lost)
    for first, size in ((5, 1), (6, LANES - 1), (5 + LANES, 2 * LANES + 7)):
        more, also = counted(layout, order, HALF, 2, flee, first, size, (4,))
        parts, idle = parts + more, idle + also
    assert (whole.tolist(), lost.tolist()) == (parts.tolist(), idle.tolist())


@pytest.mark.parametrize("flee", [False, True])
def test_certain_tests_and_all_64_units(flee):
    layout = layout_of("line:64")
    for q, size in ((Fraction(0), 1), (Fraction(1), 64)):
        counts, lost = counted(layout, outward(64), q, 1, flee, 0, 10)
        assert counts[size] == 10
        assert lost.tolist() == [10 * size, 10 * size**2]
    counts, _ = counted(layout, inward(64), Fraction(1), 1, flee, 0, 10)
    assert counts[2] == 10
    counts, lost = counted(layout, outward(64), HALF, 1, flee, 0, 10, routed=(63,))
    assert counts[:65].sum() == 10 == counts[1:4].sum()


def test_the_seed_and_the_cell_count():
    layout = layout_of("line:6")
    found = {
        tuple(counted(layout, outward(6), HALF, 1, False, 0, 1000, seed=seed, cell=cell)[0])
        for seed in (1, 2, 1 << 40)
        for cell in (0, 1)
    }
    assert len(found) == 6


# --- orders ---------------------------------------------------------------------------


def best_and_worst(layout, q, turns, flee, first=None, count=None):
    words = np.array(layout.neighbours, np.uint64)
    states = reachable(words, np.uint64(1), flee)
    n = len(words)
    means, orders = np.array([np.inf, -np.inf]), np.zeros((2, n), np.int64)
    equal = np.zeros(2, np.int64)
    room = np.zeros(1 << (n * (2 if flee else 1)))
    start = np.array(first or range(n))
    total = count or factorial(n)
    arguments = (words, states, np.uint64(1), start, total, float(q), turns, flee)
    search_orders(*arguments, room, means, orders, equal)
    return means, orders, equal


@pytest.mark.parametrize(("text", "turns", "flee"), [("line:4", 1, False), ("double:2", 2, True)])
def test_all_orders_are_looked_at(text, turns, flee):
    layout, q = layout_of(text), Fraction(1, 3)
    everyone = list(permutations(range(len(layout))))
    means, orders, equal = best_and_worst(layout, q, turns, flee)
    exact = [rational(text, order, q, turns, flee).mean for order in everyone]
    for end, value in ((BEST, min(exact)), (WORST, max(exact))):
        assert means[end] == pytest.approx(float(value), abs=1e-12)
        assert equal[end] == exact.count(value)
        assert tuple(orders[end]) == everyone[exact.index(value)]


def test_orders_follow_one_another_as_in_a_dictionary():
    layout = layout_of("line:4")
    _, orders, _ = best_and_worst(layout, HALF, 1, False, (1, 0, 2, 3), 1)
    assert orders.tolist() == [[1, 0, 2, 3]] * 2
    means, orders, _ = best_and_worst(layout, HALF, 1, False, (3, 2, 0, 1), 2)
    assert {tuple(order) for order in orders} <= {(3, 2, 0, 1), (3, 2, 1, 0)}
    assert means[BEST] == pytest.approx(1.75)
