"""Shooting in the kernels, against the reference (W-6).

Fourteen shares are compared with exact chances at four standard errors: a right program fails
about one such family in 1,100.
"""

from functools import cache, partial
from math import cos, hypot, radians, sin

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from single_trials import shot_trial
from strategies import books
from witness import assert_share, die_of, edition_of, rules_of, sheet_words

from estoc.kernels._jit import kernel
from estoc.kernels.core.rng import U64
from estoc.kernels.layout.combat import OUTCOMES, Moment
from estoc.kernels.layout.log import Event
from estoc.kernels.layout.rolls import BANDS, OUT_OF_RANGE, SHOOTING, Band
from estoc.kernels.rolls.fear import passes_courage
from estoc.kernels.rolls.shooting import (
    band_of,
    bands_at,
    count_shots,
    difficulties,
    new_shooting,
    shoots,
    shot_difficulty,
    shot_law,
    shot_wound,
)
from estoc.profiles import load_edition
from estoc.profiles.compile.combat import compile_rules, state_names
from estoc.profiles.compile.shooting import compile_shooting
from reference.book import OUTCOMES as OUTCOME_WORDS
from reference.book import Book
from reference.fear import holds
from reference.shooting import (
    MISS,
    Customs,
    band,
    chance_to_hit,
    difficulty,
    outcome_lines_down,
    shoot,
    wound_law,
)

CONFFEDE = load_edition("conffede")
CUSTOMS = Customs()
PLAIN = Book()


@cache
def record_of(book, seed=1, cell=0):
    rules = compile_shooting(edition_of(book))
    return new_shooting(rules_of(book), rules.still_wound, rules.shots, seed, cell)


def law_of(book, aim, least, difference, still):
    law = np.full(1 + OUTCOMES, np.nan)
    shot_law(record_of(book), aim, least, difference, still, law)
    return law


# --- ranges and difficulties ----------------------------------------------------------


@given(
    st.tuples(*[st.floats(0.5, 100)] * 3).map(sorted).map(tuple),
    st.floats(0, 400),
)
@settings(deadline=None)
@example((25.0, 45.0, 65.0), 25.0)
@example((25.0, 45.0, 65.0), 65.0)
@example((25.0, 45.0, 65.0), 65.01)
def test_bands(ranges, distance):
    """W-6: an end of a range is within it."""
    bands = np.full(1, -99)
    bands_at(np.array(ranges), np.array([distance]), bands)
    expected = band(ranges, distance)
    assert bands[0] == (OUT_OF_RANGE if expected is None else Band[expected.upper()])


def test_rounding_does_not_decide_the_band():
    """W-6: all round at the very end of a range it is within, 1 mm farther it is not."""
    for degree in range(360):
        for number, reach in enumerate((25.0, 45.0, 65.0)):
            x, y = 60 + reach * cos(radians(degree)), 60 + reach * sin(radians(degree))
            bands = np.full(2, -99)
            far = hypot(x - 60, y - 60)
            bands_at(np.array([25.0, 45.0, 65.0]), np.array([far, far + 0.1]), bands)
            assert bands.tolist() == [number, number + 1 if number < 2 else OUT_OF_RANGE]


def test_a_weapon_without_a_short_range_has_none_at_no_distance():
    bands = np.full(1, -99)
    bands_at(np.array([0.0, 15.0, 30.0]), np.array([0.0]), bands)
    assert bands[0] == Band.MEDIUM
    assert band((0.0, 15.0, 30.0), 0.0) == "medium"


@pytest.mark.parametrize("cover", [0, 1, 2, 4])
def test_difficulties(cover):
    """W-6, M-6.2."""
    table = np.full((BANDS, 2), -99)
    difficulties(compile_shooting(CONFFEDE).shots, cover, table)
    for name in Band:
        for moved in (False, True):
            expected = difficulty(CUSTOMS, name.name.lower(), moved, cover)
            assert table[name, int(moved)] == expected
    assert table[:, 0].tolist() == [4 + cover, 7 + cover, 10 + cover]


def test_the_edition_says_the_difficulties():
    edition = CONFFEDE.with_rule("shooting.medium=8").with_rule("shooting.moved=3")
    table = np.zeros((BANDS, 2), np.int64)
    difficulties(compile_shooting(edition).shots, 0, table)
    assert table.tolist() == [[4, 7], [8, 11], [10, 13]]


# --- the wound table some lines down --------------------------------------------------

BY_HAND = {  # the lower and the higher die, FOR - RES: as printed, and one line down
    (1, 2, -4): ("-", "St"),  # row -2, the first line, then 0-1
    (4, 4, -4): ("L", "S"),  # 0-1, then 2-3
    (3, 5, -4): ("L", "L"),  # the same two
    (1, 4, -1): ("St", "L"),  # 2-3, then 4-5
    (5, 6, 1): ("K", "K"),  # 6-7, then 8-9
    (2, 6, 1): ("S", "S"),
    (1, 6, 3): ("L", "S"),  # 8-9, then 10-11
    (2, 6, 6): ("C", "C"),  # 12-13, then 14-15
    (1, 6, 9): ("S", "C"),  # 14-15, then 16-17
    (2, 5, 12): ("C", "K"),  # 16-17, then the last
    (1, 6, 12): ("C", "C"),  # the last stays
    (6, 6, -40): ("K", "K"),  # W-2.2
    (1, 1, -40): ("-", "St"),
}


@pytest.mark.parametrize(("dice", "words"), BY_HAND.items())
def test_one_line_down_by_hand(dice, words):
    """W-6, W-2: a line is two results wide."""
    low, high, difference = dice
    record = record_of(PLAIN)[0]
    row = min(max(difference + int(record.scalars[9]), 0), int(record.wound_rows) - 1)
    for word, table in zip(words, (record.wound, record.still_wound), strict=True):
        for pair in ((low, high), (high, low)):
            assert OUTCOME_WORDS[table[row, (pair[0] - 1) * 6 + pair[1] - 1]] == word
    for lines in (0, 1):
        assert outcome_lines_down(PLAIN, low, high, high + difference, lines) == words[lines]


@given(books, st.integers(-30, 30), st.sampled_from([0, 1, 2, 3, 20]))
@settings(max_examples=60, deadline=None)
def test_the_law_of_wounds_some_lines_down(book, difference, lines):
    """W-6: towards killed, at most to the last line."""
    edition = edition_of(book)
    if lines != 1:
        edition = edition.with_rule(f"still_lines={lines}")
    rules = compile_shooting(edition)
    records = new_shooting(compile_rules(edition), rules.still_wound, rules.shots, 1, 0)
    law = np.zeros(1 + OUTCOMES)
    sure = Book().automatic_failure + 60
    shot_law(records, sure, 0, difference, 1, law)
    expected = wound_law(book, difference, lines)
    for outcome, word in enumerate(OUTCOME_WORDS):
        share = law[1 + outcome] / law[1:].sum()
        assert share == pytest.approx(float(expected.get(word, 0)), abs=1e-12)


def test_an_edition_may_give_no_bonus_for_standing_still():
    """A-5.5."""
    rules = compile_shooting(CONFFEDE.with_rule("still_bonus=false"))
    assert np.array_equal(rules.still_wound, compile_rules(CONFFEDE).wound)
    assert not np.array_equal(compile_shooting(CONFFEDE).still_wound, rules.still_wound)


# --- chances --------------------------------------------------------------------------


@given(books, st.integers(-3, 9), st.integers(0, 20), st.integers(-12, 20), st.booleans())
@settings(max_examples=100, deadline=None)
@example(Book(natural_one_fails=True), 8, 4, 0, True)
@example(Book(reroll_one="fail"), 1, 12, 0, False)
@example(Book(automatic_failure=5), 3, 4, 0, False)
def test_the_law_of_a_shot_agrees_with_every_roll_enumerated(book, aim, least, difference, still):
    """W-6, W-1.1 to W-1.3, W-2."""
    law = law_of(book, aim, least, difference, still)
    low, high = _bounds(book, aim, least)
    assert float(low) - 1e-12 <= 1 - law[0] <= float(high) + 1e-12
    wounds = wound_law(book, difference, CUSTOMS.still_lines if still else 0)
    for outcome, word in enumerate(OUTCOME_WORDS):
        expected = (1 - law[0]) * float(wounds.get(word, 0))
        assert law[1 + outcome] == pytest.approx(expected, abs=1e-12)


@cache
def _bounds(book, aim, least):
    return chance_to_hit(book, aim, least, depth=12)


@pytest.mark.parametrize(
    ("aim", "least", "share"),
    [(3, 4, 1), (3, 7, 1 / 2), (3, 10, 5 / 36), (4, 10, 1 / 6), (3, 5, 5 / 6), (4, 13, 4 / 36)],
)
def test_chances_by_hand(aim, least, share):
    """W-6, W-1.2: TIR 3 at 10 needs 7, a 6 and then anything but 1; at 9 of a die, 3 to 6."""
    assert 1 - law_of(PLAIN, aim, least, 0, True)[0] == pytest.approx(share, abs=1e-12)


def test_what_wounds_and_a_charge_take_from_tir():
    """W-3.2, M-5.1: TIR has columns of its own in the edition."""
    rules = compile_shooting(CONFFEDE)
    names = state_names(CONFFEDE)
    taken = dict(zip(names, rules.aim_penalty[0].tolist(), strict=True))
    assert taken["unhurt"] == 0
    assert taken["light"] == taken["stunned"] == 1
    assert taken["light, stunned"] == taken["serious"] == 2
    assert (taken["critical"], taken["critical, stunned"]) == (3, 4)
    assert rules.aim_charge == 1
    assert rules.into_melee is False
    other = CONFFEDE.with_rule("penalty.light.TIR=5").with_rule("charge.TIR=0")
    rules = compile_shooting(other.with_rule("into_melee=true"))
    assert rules.aim_penalty[0, names.index("light, stunned")] == 6
    assert (rules.aim_charge, rules.into_melee) == (0, True)


# --- dice -----------------------------------------------------------------------------


def roll_at(seed, cell, trial, turn, nth, number=26):
    """The dice of the address that ``kernels/core/rng.py`` gives to shots, or to another number."""
    first = turn << 20 | number << 15 | nth % 16 << 11 | nth // 16 << 10

    def roll(slot, index):
        block, digit = divmod(index, 5)
        sheet, word = (first + 64 * block + slot, 0) if block else (first, slot)
        return die_of(sheet_words(seed, cell, trial, sheet)[word], digit)

    return roll


def assert_same_shot(book, aim, least, difference, still, nth, turn, trial, seed=1, cell=0):
    records = record_of(book, seed, cell)
    told, log = shot_trial(records, aim, least, difference, still, nth, turn, trial)
    asked = []

    def roll(slot, index):
        asked.append((slot, index, roll_at(seed, cell, trial, turn, nth)(slot, index)))
        return asked[-1][2]

    outcome = shoot(book, CUSTOMS, roll, aim, least, difference, not still)
    assert told[2] == (outcome != MISS)
    assert (MISS if told[3] < 0 else OUTCOME_WORDS[told[3]]) == outcome
    assert set(log[:, 0].tolist()) == {Event.DIE}
    assert [tuple(row) for row in log[:, 5:8].tolist()] == asked
    assert set(log[:, 2].tolist()) == {nth}
    assert {tuple(row) for row in log[:, 3:5].tolist()} == {(0, 1)}
    if told[2]:
        assert told[4:].tolist() == [die for slot, _, die in asked if slot == 1]
    return asked


@given(
    books,
    st.integers(-3, 9),
    st.integers(0, 20),
    st.integers(-12, 20),
    st.booleans(),
    st.integers(0, 31),
    st.integers(0, 4094),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=100, deadline=None)
def test_kernel_and_reference_agree_die_for_die(
    book, aim, least, difference, still, nth, turn, trial, seed, cell
):
    """W-6, W-1.2; a trial with a stream on top has dice of its own."""
    assert_same_shot(book, aim, least, difference, still, nth, turn, trial, seed, cell)


def test_long_chains_agree():
    """W-1.2 past one word of dice (5)."""
    for trial in range(60_000):
        if [roll_at(1, 0, trial, 3, 17)(0, index) for index in range(5)] == [6] * 5:
            assert len(assert_same_shot(PLAIN, 0, 90, 0, True, 17, 3, trial)) > 5
            return
    raise AssertionError("no chain was longer than a word")


def test_no_two_shots_share_dice():
    """Shots of a turn, turns and streams."""
    places = [
        (nth, turn, stream) for nth in (0, 1, 15, 16, 31) for turn in (0, 1) for stream in (0, 1)
    ]
    found = {
        tuple(
            roll_at(1, 0, trial | stream << 48, turn, nth)(slot, 0)
            for trial in range(60)
            for slot in (0, 1)
        )
        for nth, turn, stream in places
    }
    assert len(found) == len(places)


BATTLE = np.dtype(  # a record of somebody else, with more fields and in another order
    (
        np.record,
        [("state", np.uint8, (8,)), *((name, SHOOTING[name]) for name in reversed(SHOOTING.names))],
    )
)


@kernel
def shots_of_a_battle(records, trial, stream, nth, distance, ranges, moved, cover, told):
    record = records[0]
    record.trials[0] = U64(trial) | (U64(stream) << U64(48))
    moment = Moment(0, 2, None)
    band = band_of(ranges, distance)
    least = shot_difficulty(record.shots, band, moved, cover)
    told[0], told[1], told[2] = shoots(record, moment, 5, 7, nth, 3, least)
    told[3], told[4], told[5] = shot_wound(record, moment, 5, 7, nth, 1, not moved)
    told[6], told[7], told[8] = passes_courage(record, moment, 7, nth, 3, 8)


@pytest.mark.parametrize("stream", [0, 1, 2**15, 2**16 - 1])
@pytest.mark.parametrize("nth", [0, 31])
def test_a_battle_calls_them_in_streams(stream, nth):
    """W-6, W-4.1: on its own record, which stays as it was but for the trial."""
    battle = np.zeros(1, BATTLE)
    for name in SHOOTING.names:
        battle[name] = record_of(PLAIN, 9, 4)[name]
    before = battle.copy()
    told = np.full(9, -99)
    for trial in range(40):
        shots_of_a_battle(battle, trial, stream, nth, 30.0, np.array([25.0, 45, 65]), 1, 2, told)
        roll = roll_at(9, 4, trial | stream << 48, 2, nth)
        expected = shoot(PLAIN, CUSTOMS, roll, 3, 10, 1, True)
        assert told[2] == (expected != MISS)
        assert expected in (MISS, OUTCOME_WORDS[told[3]])
        assert told[4:6].tolist() == [roll(1, 0), roll(1, 1)]
        courage = roll_at(9, 4, trial | stream << 48, 2, nth, 25)
        assert told[8] == holds(PLAIN, partial(courage, 0), 3, 8)
    before["trials"] = battle["trials"]
    assert battle.tobytes() == before.tobytes()


@pytest.mark.parametrize("still", [False, True])
def test_counts_are_of_the_exact_law_and_of_any_chunks(still):
    """W-6."""
    records, n = record_of(PLAIN, 5), 200_000
    counts, parts = np.zeros(1 + OUTCOMES, np.int64), np.zeros(1 + OUTCOMES, np.int64)
    count_shots(records, 3, 7, 1, still, 0, 0, 0, n, counts)
    for first in range(0, n, 70_000):
        count_shots(records, 3, 7, 1, still, 0, 0, first, min(70_000, n - first), parts)
    assert counts.tolist() == parts.tolist()
    assert counts.sum() == n
    for k, p in zip(counts, law_of(PLAIN, 3, 7, 1, still), strict=True):
        assert_share(int(k), n, float(p))
