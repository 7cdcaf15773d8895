"""Many trials of a chain of draws side by side; the kernel knows no rules.

Words are Philox's, by address as everywhere (`core.rng`): draw ``t`` of trials 4 g to 4 g + 3 is
the four words of counter (g, cell, address of the draw), so that a trial takes as many words as
it has draws, and every trial's are its own whatever is played besides.
"""

import numpy as np

from .._jit import kernel, part, routine
from ..core.lanes import lane_at, set_lane, table_at
from ..core.rng import CHAIN, HALF, LOW, U64, attack_address, philox
from ..layout.samplers import OTHER, PLACE_MASK, THRESHOLD, WORD

I32, U32 = np.int32, np.uint32
GROUPS = 256  # of four trials
LANES = 4 * GROUPS
COPIES = 8  # of the counts, not to wait for one
FEW = 8  # of so many trials one goes on: those that are over are left out


@routine
def draw(words, first_group, groups, many, cell, address, seed):
    """One draw of each lane: lane q * many + j has word q of group ``first_group + groups[j]``.

    ``groups`` is None where it is all of them, in order.
    """
    k0, k1 = seed & LOW, seed >> HALF
    for j in range(many):
        group = first_group + U64(j)
        if groups is not None:
            group = first_group + U64(lane_at(groups, j))
        w0, w1, w2, w3 = philox(group & LOW, group >> HALF, cell, address, k0, k1)
        set_lane(words, j, U32(w0))
        set_lane(words, many + j, U32(w1))
        set_lane(words, 2 * many + j, U32(w2))
        set_lane(words, 3 * many + j, U32(w3))


@routine
def walk(words, places, lanes, rows, begin, bits):
    """Take each lane one step on."""
    rest = U32(WORD) - U32(bits)
    below = U32((U32(1) << rest) - U32(1))
    for i in range(lanes):
        word, place = lane_at(words, i), lane_at(places, i)
        column = I32(I32(I32(place) << I32(bits)) + I32(word >> rest))
        cell = table_at(rows, I32(column + I32(begin)))
        own, other = U32(cell & PLACE_MASK), U32((cell >> OTHER) & PLACE_MASK)
        after = own if U32(word & below) < U32(cell >> THRESHOLD) else other
        set_lane(places, i, after)


@part
def is_whole(first_group, first, last):
    """Whether all trials of a block are asked for."""
    return U64(4) * first_group >= first and U64(4) * (first_group + U64(GROUPS)) <= last


@part
def is_asked(first_group, groups, j, q, first, last):
    """Whether trial ``q`` of a group is asked for."""
    trial = U64(4) * (first_group + U64(groups[j])) + U64(q)
    return first <= trial < last


@routine
def count_lanes(places, first_group, groups, many, first, last, counts):
    """Count where lanes are, of trials ``first`` to ``last - 1``."""
    if is_whole(first_group, first, last):
        for i in range(4 * many):
            place = U32(lane_at(places, i) * U32(COPIES) + U32(i & (COPIES - 1)))
            set_lane(counts, place, lane_at(counts, place) + 1)
        return
    for q in range(4):
        for j in range(many):
            if is_asked(first_group, groups, j, q, first, last):
                counts[places[q * many + j] * COPIES] += 1


@routine
def count_going(places, first_group, groups, many, goes_on, first, last):
    """How many of the trials ``first`` to ``last - 1`` go on to a further turn."""
    found = U32(0)
    if is_whole(first_group, first, last):
        for i in range(4 * many):
            found = U32(found + table_at(goes_on, lane_at(places, i)))
        return np.int64(found)
    for q in range(4):
        for j in range(many):
            if is_asked(first_group, groups, j, q, first, last):
                found = U32(found + goes_on[places[q * many + j]])
    return np.int64(found)


@routine
def leave(places, first_group, groups, many, goes_on, first, last, ends):
    """Count, and leave out, groups of which no trial goes on; how many are left."""
    left = 0
    for j in range(many):
        going = 0
        for q in range(4):
            going += goes_on[places[q * many + j]]
        for q in range(4):
            if going > 0:
                places[q * many + left] = places[q * many + j]
            elif is_asked(first_group, groups, j, q, first, last):
                ends[places[q * many + j] * COPIES] += 1
        groups[left] = groups[j]
        left += going > 0
    for q in range(1, 4):  # each word's lanes behind those of the one before
        for j in range(left):
            places[q * left + j] = places[q * many + j]
    return left


@kernel
def count_chain(
    rows, steps, opening, again, goes_on, seed, cell, first, trials, turns, openings, ends
):  # fmt: skip
    """Count where trials ``first`` to ``first + trials - 1`` end; turns fought after the first.

    ``rows`` and ``steps`` are of `estoc.kernels.samplers.alias.write_steps`: the first turn,
    ``opening`` steps, then any later one. ``again`` has the ends of the first turn as those of
    later ones, ``goes_on`` 1 for an end of a later turn that a further one follows. Trials are
    added to ``openings`` (e * COPIES,), by the end of the first turn, and to ``ends`` (f *
    COPIES,), by that of the last one if there are more; copies are to be added up.
    """
    words, places = np.empty(LANES, np.uint32), np.empty(LANES, np.uint32)
    groups = np.empty(GROUPS, np.uint32)
    seed, cell = U64(seed), U64(cell)
    first, last = U64(first), U64(first) + U64(trials)
    group, end = first >> U64(2), (last + U64(3)) >> U64(2)
    fought = 0
    while group < end:
        for j in range(GROUPS):
            groups[j] = j
        for i in range(LANES):
            set_lane(places, i, U32(0))
        for step in range(opening):
            address = attack_address(0, CHAIN, 0, 0) | U64(step)
            draw(words, group, None, GROUPS, cell, address, seed)
            walk(words, places, LANES, rows, steps[step, 0], steps[step, 1])
        count_lanes(places, group, groups, GROUPS, first, last, openings)
        many = GROUPS
        if turns > 1:
            for i in range(LANES):
                set_lane(places, i, table_at(again, lane_at(places, i)))
        for turn in range(1, turns):
            going = count_going(places, group, groups, many, goes_on, first, last)
            if going == 0:
                break
            fought += going
            if going * FEW < 4 * many:
                many = leave(places, group, groups, many, goes_on, first, last, ends)
            for step in range(opening, len(steps)):
                address = attack_address(turn, CHAIN, 0, 0) | U64(step)
                draw(words, group, groups, many, cell, address, seed)
                walk(words, places, 4 * many, rows, steps[step, 0], steps[step, 1])
        if turns > 1:
            count_lanes(places, group, groups, many, first, last, ends)
        group += U64(GROUPS)
    return fought
