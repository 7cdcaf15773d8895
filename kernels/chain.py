"""Many trials of a chain of draws side by side; the kernel knows no rules.

Words are Philox's, by address as everywhere (`rng`): draw ``t`` of trials 4 g to 4 g + 3 is the
four words of counter (g, cell, address of the draw), so that a trial takes as many words as it
has draws, and every trial's are its own whatever is played besides.
"""

import numpy as np

from estoc.kernels._jit import kernel, routine
from estoc.kernels.chain_codes import WORD
from estoc.kernels.lane_access import lane_at, set_lane, table_at
from estoc.kernels.rng import CHAIN, HALF, LOW, U64, attack_address, philox

I32, U32 = np.int32, np.uint32
GROUPS = 256  # of four trials
LANES = 4 * GROUPS
COPIES = 8  # of the counts, not to wait for one


@routine
def draw(words, first_group, cell, address, seed):
    """One draw of each lane: lane q * GROUPS + j has word q of group j."""
    k0, k1 = seed & LOW, seed >> HALF
    for j in range(GROUPS):
        group = U64(first_group + U64(j))
        w0, w1, w2, w3 = philox(group & LOW, group >> HALF, cell, address, k0, k1)
        set_lane(words, j, U32(w0))
        set_lane(words, GROUPS + j, U32(w1))
        set_lane(words, 2 * GROUPS + j, U32(w2))
        set_lane(words, 3 * GROUPS + j, U32(w3))


@routine
def walk(words, places, rows, begin, bits):
    """Take each lane one step on."""
    rest = U32(WORD) - U32(bits)
    below = U32((U32(1) << rest) - U32(1))
    for i in range(LANES):
        word, place = lane_at(words, i), lane_at(places, i)
        column = I32(I32(I32(place) << I32(bits)) + I32(word >> rest))
        cell = table_at(rows, I32(column + I32(begin)))
        own, other = U32(cell & U64(0xFFFF)), U32((cell >> U64(16)) & U64(0xFFFF))
        after = own if U32(word & below) < U32(cell >> HALF) else other
        set_lane(places, i, after)


@routine
def count_lanes(places, group, first, last, counts):
    """Count where lanes are, of trials ``first`` to ``last - 1``; ``group`` is the first's."""
    whole = U64(4) * group >= first and U64(4) * (group + U64(GROUPS)) <= last
    if whole:
        for i in range(LANES):
            place = U32(lane_at(places, i) * U32(COPIES) + U32(i & (COPIES - 1)))
            set_lane(counts, place, lane_at(counts, place) + 1)
        return
    for i in range(LANES):
        trial = U64(4) * (group + U64(i & (GROUPS - 1))) + U64(i // GROUPS)
        if first <= trial < last:
            counts[places[i] * COPIES] += 1


@kernel
def count_chain(rows, steps, opening, again, seed, cell, first, trials, turns, openings, counts):
    """Count where trials ``first`` to ``first + trials - 1`` end.

    Parameters
    ----------
    rows, steps
        From `estoc.kernels.chain_plan.write_steps`, for the first turn, then for later ones.
    opening : int
        Number of steps of the first turn.
    again : ndarray of uint32, shape (e,)
        Ends of the first turn as those of later ones.
    seed, cell, first, trials, turns
        As in `estoc.kernels.trials`.
    openings : ndarray of int64, shape (e * COPIES,)
        Trials by the end of the first turn, to be added up; they are added to what is there.
    counts : ndarray of int64, shape (turns - 1, f * COPIES)
        The same by the end of each later turn.
    """
    words, places = np.empty(LANES, np.uint32), np.empty(LANES, np.uint32)
    seed, cell = U64(seed), U64(cell)
    first, last = U64(first), U64(first) + U64(trials)
    group, end = first >> U64(2), (last + U64(3)) >> U64(2)
    while group < end:
        for i in range(LANES):
            set_lane(places, i, U32(0))
        for step in range(opening):
            draw(words, group, cell, attack_address(0, CHAIN, 0, 0) | U64(step), seed)
            walk(words, places, rows, steps[step, 0], steps[step, 1])
        count_lanes(places, group, first, last, openings)
        if turns > 1:
            for i in range(LANES):
                set_lane(places, i, table_at(again, lane_at(places, i)))
        for turn in range(1, turns):
            for step in range(opening, len(steps)):
                address = attack_address(turn, CHAIN, 0, 0) | U64(step)
                draw(words, group, cell, address, seed)
                walk(words, places, rows, steps[step, 0], steps[step, 1])
            count_lanes(places, group, first, last, counts[turn - 1])
        group += U64(GROUPS)
