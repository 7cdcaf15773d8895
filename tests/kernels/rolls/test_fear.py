"""Fear in the kernels, against the reference (W-4).

Four shares are compared with exact chances at four standard errors: a right program fails about
one such family in 4,000.
"""

from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from single_trials import courage_trial
from strategies import books
from witness import assert_share, die_of, edition_of, rules_of, sheet_words

from estoc.kernels.layout.log import Event
from estoc.kernels.rolls.fear import (
    COURAGE,
    RALLY,
    count_fear,
    fear_chances,
    new_fear,
)
from estoc.profiles import load_edition
from estoc.profiles.compile.maintenance import compile_maintenance
from reference.book import Book
from reference.fear import Nerve, chance_to_hold, chance_to_rally, holds

CONFFEDE = load_edition("conffede")
PLAIN = Book()


@cache
def record_of(book, seed=1, cell=0, edition=None):
    customs = compile_maintenance(edition or edition_of(book)).customs
    return new_fear(rules_of(book).scalars, customs, seed, cell)


def chances_of(records, courage, difficulty, nerve=0):
    chances = np.full(2, np.nan)
    fear_chances(records, courage, difficulty, nerve, chances)
    return chances


_held = cache(chance_to_hold)


# --- chances --------------------------------------------------------------------------


@given(books, st.integers(0, 12), st.integers(0, 14), st.integers(0, 12))
@settings(max_examples=100, deadline=None)
@example(Book(natural_one_fails=True), 9, 5, 9)
@example(Book(reroll_one="fail"), 1, 8, 0)
@example(Book(automatic_failure=5), 3, 4, 3)
def test_chances_agree_with_every_roll_enumerated(book, courage, difficulty, nerve):
    """W-4.1, W-4.4, W-1.1 to W-1.3."""
    chances = chances_of(record_of(book), courage, difficulty, nerve)
    for found, (low, high) in zip(
        chances,
        (_held(book, courage, difficulty), chance_to_rally(book, Nerve(COU=nerve), False)),
        strict=True,
    ):
        assert float(low) - 1e-12 <= found <= float(high) + 1e-12


@pytest.mark.parametrize(
    ("courage", "difficulty", "share"),
    [(4, 7, 4 / 6), (3, 9, 1 / 6), (2, 9, 5 / 36), (6, 7, 1.0), (5, 12, 5 / 36), (5, 3, 1.0)],
)
def test_chances_by_hand(courage, difficulty, share):
    """W-4.1: a 6 that is not enough is re-rolled, and a 1 spoils it."""
    assert chances_of(record_of(PLAIN), courage, difficulty)[COURAGE] == pytest.approx(share)


def test_a_rally_by_hand():
    """W-4.4: difficulty 8, which the edition says."""
    assert chances_of(record_of(PLAIN), 0, 5, 4)[RALLY] == pytest.approx(3 / 6)
    easy = CONFFEDE.with_rule("rally_difficulty=6")
    assert chances_of(record_of(PLAIN, edition=easy), 0, 5, 4)[RALLY] == pytest.approx(5 / 6)


# --- dice -----------------------------------------------------------------------------


def die_at(seed, cell, trial, turn, nth):
    """The dice of the address that ``kernels/core/rng.py`` gives to tests of Courage."""
    first = turn << 20 | 25 << 15 | nth % 16 << 11 | nth // 16 << 10

    def die(index):
        block, digit = divmod(index, 5)
        return die_of(sheet_words(seed, cell, trial, first + 64 * block)[0], digit)

    return die


def assert_same_test(book, courage, difficulty, nth, turn, trial, seed=1, cell=0):
    records = record_of(book, seed, cell)
    told, log = courage_trial(records, courage, difficulty, nth, turn, trial)
    asked = []

    def die(index):
        asked.append(die_at(seed, cell, trial, turn, nth)(index))
        return asked[-1]

    assert told[2] == holds(book, die, courage, difficulty)
    assert set(log[:, 0].tolist()) == {Event.DIE}
    assert log[:, 7].tolist() == asked
    return asked


@given(
    books,
    st.integers(0, 12),
    st.integers(0, 20),
    st.integers(0, 31),
    st.integers(0, 4094),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=200, deadline=None)
def test_kernel_and_reference_agree_die_for_die(
    book, courage, difficulty, nth, turn, trial, seed, cell
):
    """W-4.1, W-1.2."""
    assert_same_test(book, courage, difficulty, nth, turn, trial, seed, cell)


def test_long_chains_agree():
    """W-1.2 past one word of dice (5)."""
    for trial in range(60_000):
        if [die_at(1, 0, trial, 3, 20)(index) for index in range(5)] == [6] * 5:
            assert len(assert_same_test(PLAIN, 0, 90, 20, 3, trial)) > 5
            return
    raise AssertionError("no chain was longer than a word")


def test_no_two_tests_share_dice():
    """Tests of a turn, turns and streams."""
    places = [(nth, turn, stream) for nth in (0, 1, 16, 31) for turn in (0, 1) for stream in (0, 1)]
    found = {
        tuple(die_at(1, 0, trial | stream << 48, turn, nth)(0) for trial in range(100))
        for nth, turn, stream in places
    }
    assert len(found) == len(places)


@pytest.mark.parametrize(("courage", "difficulty", "nerve"), [(4, 7, 5), (2, 9, 3)])
def test_counts_are_of_the_exact_chances_and_of_any_chunks(courage, difficulty, nerve):
    """W-4.1, W-4.4."""
    records, n = record_of(PLAIN, 5), 200_000
    counts, parts = np.zeros(2, np.int64), np.zeros(2, np.int64)
    count_fear(records, courage, difficulty, nerve, 0, 0, 0, n, counts)
    for first in range(0, n, 70_000):
        size = min(70_000, n - first)
        count_fear(records, courage, difficulty, nerve, 0, 0, first, size, parts)
    assert counts.tolist() == parts.tolist()
    for k, p in zip(counts, chances_of(records, courage, difficulty, nerve), strict=True):
        assert_share(int(k), n, float(p))
