"""Philox, addresses and the dice made of words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chisquare
from witness import Compiled, chains, die_of, philox, place_of, sheet_words, word_of

from estoc.kernels._jit import kernel
from estoc.kernels.core import rng
from estoc.kernels.core.rng import attack_address, fill, first_word, initiative_address
from estoc.kernels.layout.combat import COIN, LANES, MAX_ENEMIES, PAGED_PASSES, Call, Moment
from reference.state import Combat, Fighter
from reference.tape import Address

FIGHTER = Fighter("fighter", 3, 3, 5, 3, 5)
WORDS = st.integers(0, 2**32 - 1)


@kernel
def compiled_philox(counter, key):
    return rng.philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1])


@kernel
def word_in_block(fights, lane, page, turn, number, pair, direction, slot):
    """A word as an attack reads it: from its page, or made when the page is -1."""
    fight = fights[0]
    address = attack_address(turn, number, pair, direction)
    return first_word(fight, lane, page, address, slot)


@kernel
def fill_page(fights, page, first, turn, number, pair, direction):
    fight = fights[0]
    for lane in range(LANES):
        fight.trials[lane] = np.uint64(first + lane)
    fill(fight, page, LANES, attack_address(turn, number, pair, direction))


# --- Philox ---------------------------------------------------------------------------

ANSWERS = [  # Random123's kat_vectors: counter, key, result
    (4 * "00000000 ", 2 * "00000000 ", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    (4 * "ffffffff ", 2 * "ffffffff ", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


def numbers(text):
    return [int(word, 16) for word in text.split()]


@pytest.mark.parametrize(("counter", "key", "answer"), ANSWERS)
def test_known_answers(counter, key, answer):
    counter, key, answer = numbers(counter), numbers(key), numbers(answer)
    arrays = np.array(counter, np.uint64), np.array(key, np.uint64)
    assert list(compiled_philox(*arrays)) == answer
    assert list(rng.philox.py_func(*arrays[0], *arrays[1])) == answer
    assert list(philox(tuple(counter), tuple(key))) == answer


@settings(deadline=None)
@given(st.lists(WORDS, min_size=6, max_size=6))
def test_compiled_philox_is_philox(values):
    array = np.array(values, np.uint64)
    assert compiled_philox(array[:4], array[4:]) == philox(tuple(values[:4]), tuple(values[4:]))


# --- addresses ------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 2**64 - 1),
    cell=st.integers(0, 2**32 - 1),
    first=st.integers(0, 2**63 - 1 - LANES),
    turn=st.integers(0, 4095),
    number=st.integers(0, 31),
    pair=st.integers(0, 15),
    direction=st.integers(0, 1),
)
def test_words_made_in_blocks_are_those_made_on_demand(
    seed, cell, first, turn, number, pair, direction
):
    compiled = Compiled(Combat((FIGHTER, FIGHTER)), seed, cell)
    attack = (turn, number, pair, direction)
    fill_page(compiled.fights, 1, first, *attack)
    sheet = turn << 20 | number << 15 | pair << 11 | direction << 10
    for lane in (0, 1, LANES - 1):
        words = sheet_words(seed, cell, first + lane, sheet)
        for slot in range(4):
            assert word_in_block(compiled.fights, lane, 1, *attack, slot) == words[slot]
            assert word_in_block(compiled.fights, lane, -1, *attack, slot) == words[slot]


MOST_DICE = 3 + 3 * MAX_ENEMIES  # the most that an edition can give
SLOTS = range(2 + MOST_DICE)


def places(monkeypatch, roll_off_or_attack, address):
    """Sheet and word of every purpose of an address, as the kernels compute them."""
    found = []
    monkeypatch.setattr(
        rng, "word_on_demand", lambda fight, lane, sheet, word: found.append((int(sheet), word))
    )
    for slot in range(COIN + 1) if roll_off_or_attack == "roll-off" else SLOTS:
        rng.first_word.py_func(None, 0, -1, address, slot)
        for block in range(1, 16):
            rng.later_word.py_func(None, 0, address, slot, block)
    return found


def test_no_two_purposes_share_a_word(monkeypatch):
    monkeypatch.setattr(rng, "attack_address", attack_address.py_func)
    monkeypatch.setattr(rng, "nth_address", rng.nth_address.py_func)
    found = []
    for turn in (0, 1, 4095):
        for roll_off in range(rng.ROLL_OFFS):
            address = initiative_address.py_func(turn, roll_off)
            found += places(monkeypatch, "roll-off", address)
        for number in range(0, rng.INITIATIVE, 6):
            for pair in range(1, 1 + MAX_ENEMIES):
                for direction in range(2):
                    address = attack_address.py_func(turn, number, pair, direction)
                    found += places(monkeypatch, "attack", address)
    assert len(set(found)) == len(found)
    assert all(0 <= sheet < 2**32 and 0 <= word < 4 for sheet, word in found)


def test_no_combat_has_a_pass_with_the_number_of_initiative():
    # against 8 he strikes 8 in the first pass, and one by one once 7 are dead
    assert 1 + MOST_DICE - MAX_ENEMIES <= rng.INITIATIVE


def test_pages_of_attacks_are_distinct():
    for enemies in range(1, 1 + MAX_ENEMIES):
        compiled = Compiled(Combat((FIGHTER,) * (1 + enemies)))
        pages = compiled.fights[0].page_of
        made = pages[pages >= 0]
        assert len(set(made)) == len(made)
        assert made.min() == 1
        assert made.max() < compiled.fights[0].words.shape[0]
        assert len(pages) == PAGED_PASSES


# --- dice of a word -------------------------------------------------------------------


@given(st.lists(st.integers(1, 6), min_size=1, max_size=rng.DIGITS))
def test_a_word_holds_any_five_dice(dice):
    word = word_of(dice)
    assert word < 2**32
    assert [die_of(word, digit) for digit in range(len(dice))] == dice


def test_the_bias_of_a_die_is_below_two_in_a_million():
    # words with a given beginning of k dice, by how much they differ from 2**32 / 6**k
    for dice in range(1, rng.DIGITS + 1):
        for value in range(0, 6**dice, 97):
            low, high = (-(-v * 2**32 // 6**dice) for v in (value, value + 1))
            assert abs((high - low) * 6**dice / 2**32 - 1) < 2e-6


def test_dice_are_those_of_the_address():
    compiled = Compiled(Combat((FIGHTER, FIGHTER)), seed=5, cell=6)
    rows = chains(compiled.fights, 50, 12)
    for trial in range(50):
        expected = [
            compiled.die(trial, Address(0, "attack", 0, 0, 1, 2, index)) for index in range(12)
        ]
        assert rows[trial].tolist() == expected
    assert place_of(Address(0, "attack", 0, 0, 1, 2, 5)) == (1 << 11 | 64 + 2, 0, 0)


@pytest.fixture(scope="module")
def many_dice():
    return chains(Compiled(Combat((FIGHTER, FIGHTER)), seed=2024).fights, 300_000, 11)


def test_dice_are_uniform(many_dice):
    # 11 places of a chain, fixed seed; a right program fails with chance 0.001
    for place in range(many_dice.shape[1]):
        counts = np.bincount(many_dice[:, place], minlength=7)
        assert counts[0] == 0
        assert chisquare(counts[1:]).pvalue > 0.001 / many_dice.shape[1]


def independent(a, b, a_values, b_values):
    """Chi-square chance of two columns being as dependent as this by luck."""
    table = np.zeros((a_values, b_values))
    np.add.at(table, (a, b), 1)
    expected = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / table.sum()
    statistic = ((table - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, (a_values - 1) * (b_values - 1))


def test_dice_and_their_re_rolls_are_independent(many_dice):
    # every pair of the 11 places, the change of word after 5 and 10 dice among them
    pairs = [(i, j) for i in range(11) for j in range(i)]
    for i, j in pairs:
        chance = independent(many_dice[:, i] - 1, many_dice[:, j] - 1, 6, 6)
        assert chance > 0.001 / len(pairs)


def test_neighbouring_trials_and_cells_are_independent():
    dice = chains(Compiled(Combat((FIGHTER, FIGHTER)), cell=0).fights, 100_000, 1)[:, 0] - 1
    other = chains(Compiled(Combat((FIGHTER, FIGHTER)), cell=1).fights, 100_000, 1)[:, 0] - 1
    later = chains(Compiled(Combat((FIGHTER, FIGHTER)), seed=2).fights, 100_000, 1)[:, 0] - 1
    assert independent(dice[:-1], dice[1:], 6, 6) > 0.001 / 3
    assert independent(dice, other, 6, 6) > 0.001 / 3
    assert independent(dice, later, 6, 6) > 0.001 / 3


def test_a_call_has_the_fields_that_these_tests_fill():
    assert Call._fields == ("moment", "number", "striker", "target", "address", "page")
    assert Moment._fields == ("lane", "turn", "log")
