"""Sets of fighters as bits, against Python's own integers."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from estoc.kernels.core.sets import bit, count_bits, lowest, without_lowest

WORDS = st.integers(0, 2**64 - 1)


@njit
def sizes(words):
    return [(count_bits(word), lowest(word), without_lowest(word)) for word in words]


@njit
def members(mask):
    found = []
    while mask:
        found.append(lowest(mask))
        mask = without_lowest(mask)
    return found


@njit
def joined(numbers):
    mask = np.uint64(0)
    for number in numbers:
        mask |= bit(number)
    return mask


@settings(deadline=None)
@given(st.lists(WORDS, min_size=1))
def test_a_mask_is_counted_and_taken_apart(words):
    found = sizes(np.array(words, np.uint64))
    for word, (count, first, rest) in zip(words, found, strict=True):
        assert count == word.bit_count()
        assert first == ((word & -word).bit_length() - 1 if word else 64)
        assert rest == word & (word - 1)


@settings(deadline=None)
@given(st.sets(st.integers(0, 63), min_size=1))
def test_a_set_is_put_together_and_taken_apart(numbers):
    mask = joined(np.array(sorted(numbers)))
    assert members(np.uint64(mask)) == sorted(numbers)
    assert int(mask) == sum(1 << number for number in numbers)
