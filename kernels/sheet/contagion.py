"""The contagion of rout (S1a, S1b): many trials of one activation order.

Units are numbered by their place in that order, so that the next one that matters is the lowest
bit of a word: units that are neither in rout nor beside one that is roll nothing.

A trial uses its random words one after the other, whatever is rolled: word *i* is the
``i % 4``-th of the block whose counter is (trial, cell, ``i // 4``) and whose key is the seed
(`estoc.kernels.core.rng.philox`). A test fails if ``word * ways >> 32 < fails``: its chance is off
by less than 2.4e-10.
"""

import numpy as np

from .._jit import kernel, part
from ..core.rng import HALF, LOW, U64, philox
from ..core.sets import NONE, ONE, count_bits, lowest, without_lowest

LANES = 64  # trials whose first words are made together


@part
def _first_words(words, seed, cell, first):
    """Fill in the first four words of ``LANES`` trials."""
    for lane in range(LANES):
        trial = U64(first + lane)
        w0, w1, w2, w3 = philox(trial & LOW, trial >> HALF, cell, NONE, seed & LOW, seed >> HALF)
        words[0, lane], words[1, lane] = np.uint32(w0), np.uint32(w1)
        words[2, lane], words[3, lane] = np.uint32(w2), np.uint32(w3)


@part
def _beside(neighbours, units):
    """Every unit that is beside one of some."""
    found = NONE
    while units != NONE:
        found |= neighbours[lowest(units)]
        units = without_lowest(units)
    return found


@kernel
def count_contagion(
    neighbours, routed, fails, ways, turns, flee, seed, cell, first, trials, law, lost
):
    """Add what became of trials ``first`` to ``first + trials - 1`` to counts (8.1).

    A test fails in ``fails`` of ``ways`` ways, 10,000 at most. ``neighbours`` are those of each
    unit in the order of activation, the same in all turns. If units ``flee``, one in rout leaves
    everybody's side at its action step; else nobody moves. Nobody rallies.

    ``law`` counts trials by the number of units in rout at the end, fled ones too; ``lost`` sums
    activations of units in rout at their action step (A1), and their squares.
    """
    words = np.empty((4, LANES), np.uint32)
    start_routed, start_near = U64(routed), _beside(neighbours, U64(routed))
    seed, cell, fails, ways = U64(seed), U64(cell), U64(fails), U64(ways)
    end = first + trials
    for base in range(first, end, LANES):
        _first_words(words, seed, cell, base)
        for lane in range(min(LANES, end - base)):
            trial = U64(base + lane)
            w0, w1 = U64(words[0, lane]), U64(words[1, lane])
            w2, w3 = U64(words[2, lane]), U64(words[3, lane])
            left, block = 4, NONE
            routed, near, gone, idle = start_routed, start_near, NONE, 0
            for _ in range(turns):
                waiting = routed | near
                while waiting != NONE:
                    unit = lowest(waiting)
                    own = ONE << U64(unit)
                    testing = NONE
                    if routed & own != NONE:  # S1a: the neighbours test
                        if gone & own == NONE:
                            testing = neighbours[unit] & ~routed
                    elif neighbours[unit] & routed & ~gone != NONE:  # S1b: it does
                        testing = own
                    while testing != NONE:
                        if left == 0:
                            block += ONE
                            w0, w1, w2, w3 = philox(
                                trial & LOW, trial >> HALF, cell, block, seed & LOW, seed >> HALF
                            )
                            left = 4
                        if (w0 * ways) >> HALF < fails:
                            routed |= testing & (~testing + ONE)
                            near |= neighbours[lowest(testing)]
                        w0, w1, w2, left = w1, w2, w3, left - 1
                        testing = without_lowest(testing)
                    if routed & own != NONE:  # A1
                        idle += 1
                        if flee:
                            gone |= own
                    waiting = (routed | near) & ~(own | (own - ONE))
            law[count_bits(routed)] += 1
            lost[0] += idle
            lost[1] += idle * idle
