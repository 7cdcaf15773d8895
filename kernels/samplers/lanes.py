"""Dice of many trials side by side, one in each lane: words, chains, fields of a step."""

import numpy as np

from .._jit import part, routine
from ..core.dice import FAILED
from ..core.lanes import lane_at, set_lane
from ..core.rng import DIGITS, DIRECTION, HALF, LOW, U64, philox
from .rows import ADDRESSES, REROLLED

I32, U32 = np.int32, np.uint32
LANES = 1024
# Where things of the lanes stand in their buffer: number of the trial (low half), both halves
# of the step, what was found, four words, numbers of lanes; trials and steps of the next turn.
TRIAL, STEP, HIGH, FOUND, WORDS = 0, LANES, 2 * LANES, 3 * LANES, 4 * LANES
LIST, MORE_TRIALS, MORE_STEPS = 8 * LANES, 9 * LANES, 10 * LANES
ROOM = 11 * LANES
OPEN = 1 << 20  # a chain that goes on after a word's dice
FOREVER = 1 << 19
SIXES = U32(3579139414)  # the least word whose first die is a 6
WIDTH = 32  # lanes that no loop works on one by one
SPARE = 2  # lanes are sorted out once one in so many is at an end


@part
def whole(lanes):
    """So many lanes that no loop has a rest; what is in the others is played, but not counted."""
    return (lanes + WIDTH - 1) // WIDTH * WIDTH


@routine
def make_words(buffer, lanes, high, cell, base, seed, own, first, parry, second):
    """Words of each lane, at the address of its step, from ``base`` on.

    ``own`` is None where the address is ``base`` itself; ``first``, ``parry`` and ``second`` are
    None where nobody looks at the words but the second, of an attack at its wound.
    """
    k0, k1 = seed & LOW, seed >> HALF
    for i in range(lanes):
        address = base
        if own is not None:
            address = base | (U64(lane_at(buffer, HIGH + i)) & U64(ADDRESSES)) << DIRECTION
        trial = U64(lane_at(buffer, TRIAL + i))
        w0, w1, w2, w3 = philox(trial, high, cell, address, k0, k1)
        set_lane(buffer, WORDS + LANES + i, U32(w1))
        if first is not None:
            set_lane(buffer, WORDS + i, U32(w0))
        if parry is not None:
            set_lane(buffer, WORDS + 2 * LANES + i, U32(w2))
        if second is not None:
            set_lane(buffer, WORDS + 3 * LANES + i, U32(w3))


@part
def share_of(word, parts):
    """Part of a word, from 0, when words are cut into so many: a high half, in 32 bits."""
    low = U32(U32(word & U32(0xFFFF)) * U32(parts)) >> U32(16)
    return I32(U32(U32(U32(word >> U32(16)) * U32(parts)) + U32(low)) >> U32(16))


@part
def die_of(word):
    """First die of a word, from 0."""
    return share_of(word, 6)


@part
def sixes_of(word, keep):
    """Sum of the 6s that a word's dice begin with and are re-rolled; the word from there on.

    A 6 is kept that brings the sum to ``keep``.
    """
    shown, going = I32(0), (word >= SIXES) & (I32(6) < keep)
    for dice in range(1, DIGITS):
        word = U32(word * U32(6)) if going else word
        shown = I32(6 * dice) if going else shown
        going = going & (word >= SIXES) & (I32(6 * dice + 6) < keep)
    return shown, word


@part
def rolled(word, keep, least, slope, base):
    """Natural result of a chain within one word (W-1.2, W-1.3); ``OPEN`` if it goes on.

    ``least`` is the die, from 0, below which a first one fails. A 1 that ends the re-roll of a 6
    gives ``base``, and what there was where ``slope`` has all bits set. They are None where no
    first die fails and a 1 resets the result.
    """
    shown, word = sixes_of(word, keep)
    die = die_of(word)
    natural = I32(shown + die + I32(1))
    if least is None:
        natural = I32(1) if die == I32(0) else natural
    else:
        after_one = I32((shown & slope) + base)
        natural = after_one if (shown > I32(0)) & (die == I32(0)) else natural
        natural = I32(FAILED) if (shown == I32(0)) & (die < least) else natural
    going = (die == I32(5)) & (I32(shown + I32(6)) < keep)
    return I32(OPEN) if going else natural


@part
def code_of(word):
    """Code of a chain that re-rolls 6s: their sum, and the die after them."""
    shown, word = sixes_of(word, I32(FOREVER))
    return I32(shown + die_of(word))


@part
def field(cell, shift, mask):
    """A field of a step's half."""
    return I32((cell >> U32(shift)) & U32(mask))


@part
def keep_of(goal, high):
    """Natural result from which a parrier keeps a 6: what he needs, never or always more."""
    return I32(goal + I32(I32(I32(high) >> I32(REROLLED)) * I32(FOREVER)))


@routine
def most_found(buffer, lanes):
    """The highest of what was found in the lanes."""
    most = U32(0)
    for i in range(lanes):
        most = max(most, lane_at(buffer, FOUND + i))
    return most
