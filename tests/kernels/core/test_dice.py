"""Chains of re-rolled sixes, several dice, tests failed by a rule (W-1; cases H1 and H2)."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from witness import Compiled, assert_share, best_naturals, natural_of, scripted, word_of

from estoc.kernels.core.dice import FAILED
from reference import exhaustive
from reference.book import Book, every_blow_kills
from reference.combat import ATTACK, PARRY
from reference.state import Combat, Fighter, Policy

FOREVER = 10**9
RESET, ADD, FAIL = (Book(reroll_one=mode) for mode in ("reset", "add", "fail"))
ONE_CHAIN = Book(many_dice="one_chain")
TRIALS = 400_000


def compiled_of(book, seed=1):
    fighter = Fighter("fighter", 3, 3, 5, 3, 5)
    return Compiled(Combat((fighter, fighter), book=book), seed)


def natural(book, chains, goal, keep_at=None):
    """What dice of these chains give: a goal, and a natural result that is kept."""
    words = np.array([word_of(chain) for chain in chains], np.uint32)
    return natural_of(compiled_of(book).fights, words, goal, goal if keep_at is None else keep_at)


# --- chosen dice ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chain", "by_book"),
    [
        ([4], (4, 4, 4)),
        ([1], (1, 1, 1)),
        ([6, 4], (10, 10, 10)),
        ([6, 1], (1, 7, FAILED)),
        ([6, 6, 3], (15, 15, 15)),
        ([6, 6, 1], (1, 13, FAILED)),
        ([6, 6, 6, 6, 2], (26, 26, 26)),
    ],
)
def test_one_chain(chain, by_book):
    for book, value in zip((RESET, ADD, FAIL), by_book, strict=True):
        assert natural(book, [chain], FOREVER) == value


def test_a_natural_one_fails_in_other_editions():
    book = Book(natural_one_fails=True)
    assert natural(book, [[1]], 9) == FAILED
    assert natural(book, [[1], [2]], 9) == 2
    assert natural(book, [[6, 1]], 9) == 1  # only the first die is a natural 1


def test_h1_a_reroll_adds_to_its_own_die():
    assert natural(RESET, [[6, 4], [3]], 10) == 10
    assert natural(RESET, [[3], [6, 4]], 10) == 10
    assert natural(RESET, [[6, 4], [6, 5]], 20) == 11  # never a sum of two chains


@pytest.mark.parametrize(
    ("book", "chains", "goal", "keep_at", "value"),
    [
        (RESET, [[6, 4], [6, 5]], 10, 10, 10),  # the second die is not needed
        (RESET, [[6, 1], [6, 5]], 10, 10, 11),  # a 1 spoils its own die only
        (RESET, [[6, 1], [2]], 10, 10, 2),
        (RESET, [[6, 4], [5]], 5, 5, 6),  # a 6 that is enough is kept
        (RESET, [[6, 4], [5]], FOREVER, FOREVER, 10),
        (RESET, [[6, 4], [5]], 9, -FOREVER, 6),  # never re-rolled
        (ADD, [[6, 1], [6, 2]], 10, 10, 8),
        (FAIL, [[6, 1], [4]], 10, 10, 4),
        (FAIL, [[6, 1], [6, 1]], 10, 10, FAILED),
        (ONE_CHAIN, [[6, 2], [6, 5]], 10, 10, 8),  # one 6 only
        (ONE_CHAIN, [[6, 1], [6, 5]], 10, 10, 6),  # the other 6 still counts
        (ONE_CHAIN, [[6, 6, 4], [6, 5]], 16, 16, 16),
    ],
)
def test_several_dice(book, chains, goal, keep_at, value):
    assert natural(book, chains, goal, keep_at) == value


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(1, 6), min_size=5, max_size=5), min_size=1, max_size=2),
    st.integers(-3, 20),
    st.sampled_from(["needed", "never", "always"]),
    st.sampled_from(["reset", "add", "fail"]),
    st.sampled_from(["best_chain", "one_chain"]),
    st.booleans(),
)
def test_best_of_is_the_defence_test_of_the_rules(words, goal, reroll, one, many, fails):
    chains = [dice if max(dice) > 1 and set(dice) != {6} else [1] * 5 for dice in words]
    book = Book(reroll_one=one, many_dice=many, natural_one_fails=fails)
    told = exhaustive.defence_test(
        book, lambda slot, index: chains[slot - 2][index], len(chains), 0, goal, reroll
    )
    keep_at = {"needed": goal, "never": -FOREVER, "always": FOREVER}[reroll]
    found = natural(book, chains, goal if reroll == "needed" else keep_at, keep_at)
    assert max(found, -999) == told.result
    if found > FAILED:
        assert found == told.natural


# --- laws -----------------------------------------------------------------------------

NATURAL_TEN = [
    (RESET, 1, Fraction(1, 12)),
    (RESET, 2, Fraction(23, 144)),
    (RESET, 3, Fraction(397, 1728)),
    (ADD, 2, Fraction(23, 144)),
    (ADD, 3, Fraction(397, 1728)),
    (ONE_CHAIN, 1, Fraction(1, 12)),
    (ONE_CHAIN, 2, Fraction(11, 72)),
    (ONE_CHAIN, 3, Fraction(91, 432)),
]


@pytest.mark.parametrize(("book", "dice", "value"), NATURAL_TEN)
def test_h1_natural_ten_or_more(book, dice, value):
    naturals = best_naturals(compiled_of(book).fights, TRIALS, dice, 10, 10)
    assert_share((naturals >= 10).sum(), TRIALS, float(value))


def test_h1_a_value_of_the_other_reading_would_show():
    naturals = best_naturals(compiled_of(RESET).fights, TRIALS, 2, 10, 10)
    with pytest.raises(AssertionError):
        assert_share((naturals >= 10).sum(), TRIALS, 11 / 72)


@pytest.mark.parametrize(("book", "ones", "mean"), [(RESET, 1 / 5, 99 / 25), (ADD, 1 / 6, 21 / 5)])
def test_natural_result_when_every_six_is_re_rolled(book, ones, mean):
    naturals = best_naturals(compiled_of(book).fights, TRIALS, 1, FOREVER, FOREVER)
    assert_share((naturals == 1).sum(), TRIALS, ones)
    assert abs(naturals.mean() - mean) < 4 * naturals.std() / TRIALS**0.5
    assert not (naturals == 6).any()
    for k, j in itertools.product(range(3), range(2, 6)):
        assert_share((naturals == 6 * k + j).sum(), TRIALS, 6 ** -(k + 1))


# --- attack against defence (H2) ------------------------------------------------------


def exchange(book, attacker, committed, attack=3, defence=3):
    """A combat that is one attack on ``committed`` defence dice."""
    book = every_blow_kills(Book(reroll_one=book.reroll_one, dice_base=committed - 1))
    striker = Fighter("striker", 9, attack, 5, 3, 5, placed=(1, committed - 1))
    parrier = Fighter("parrier", 3, 3, 5, defence, 5, placed=(0, committed))
    return Combat((striker, parrier), (attacker, Policy(parry="all", sustain="never")), 0, book)


ALWAYS, KEEPS = Policy(reroll_attack="always"), Policy(reroll_attack="never")


@pytest.mark.parametrize(
    ("combat", "value"),
    [
        (exchange(RESET, ALWAYS, 1), Fraction(3, 5)),
        (exchange(RESET, ALWAYS, 2), Fraction(161, 215)),
        (exchange(RESET, ALWAYS, 3), Fraction(6519, 7955)),
        (exchange(RESET, KEEPS, 1), Fraction(7, 12)),
        (exchange(RESET, KEEPS, 2), Fraction(161, 216)),
        (exchange(RESET, KEEPS, 3), Fraction(119, 144)),
        (exchange(ADD, ALWAYS, 1), Fraction(4, 7)),
        (exchange(RESET, ALWAYS, 1, attack=5), Fraction(23, 70)),
    ],
)
def test_h2_equality_parries(combat, value):
    states = Compiled(combat).play(0, TRIALS)
    parried = (states[:, 1] == 0).sum()
    assert_share(parried, TRIALS, float(value))
    assert ((states[:, 1] == 0) | (states[:, 1] == len(Compiled(combat).codes) - 1)).all()


def test_h2_the_value_of_the_wrong_side_of_ties_would_show():
    states = Compiled(exchange(RESET, ALWAYS, 1)).play(0, TRIALS)
    with pytest.raises(AssertionError):
        assert_share((states[:, 1] == 0).sum(), TRIALS, 19 / 42)


def rows(log, kind):
    return [row for row in log if row[0] == kind]


def test_a_tie_of_results_is_parried():
    log = scripted(exchange(RESET, KEEPS, 1), [5, 2, 4, 4])
    assert rows(log, ATTACK) == [(ATTACK, 0, 0, 0, 1, 0, 4, 7, 0)]
    assert rows(log, PARRY) == [(PARRY, 0, 0, 1, 0, 0, 4, 7, 1)]


def test_r4_attack_three_never_fails_and_an_attack_of_zero_does():
    never = exchange(RESET, KEEPS, 1)
    assert rows(scripted(never, [5, 2, 1, 1]), ATTACK) == [(ATTACK, 0, 0, 0, 1, 0, 1, 4, 0)]
    fails = exchange(RESET, KEEPS, 1, attack=0)
    charged = replace(fails.fighters[0], charged=True)  # ATT -1
    fails = replace(fails, fighters=(charged, fails.fighters[1]))
    assert rows(scripted(fails, [5, 2, 1]), ATTACK) == [(ATTACK, 0, 0, 0, 1, 0, 1, 0, 1)]
