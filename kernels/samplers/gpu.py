"""Chains and literal trials on a CUDA device: the counts of `chain` and `literal` to the integer.

A thread plays trials one after the other, from the same words, by the same rows. What lanes
leave to `combat`, a thread leaves to the caller: it writes the number of the trial down.
Only whoever asks for a device imports this module (`estoc.sim.base.device`).
"""

from typing import Any

import numpy as np
from numba import cuda as numba_cuda
from numba import uint32

from ..core.rng import CHAIN, DIRECTION, HALF, LOW, U64, attack_address, initiative_address, philox
from ..layout.combat import THROWS
from ..layout.samplers import OTHER, PLACE_MASK, THRESHOLD, WORD
from . import lanes
from .initiative import ROLL_OFFS_IN_LANES
from .lanes import I32, OPEN, U32
from .plan import AGAIN, CODES, COIN
from .rows import (
    ADDRESSES,
    COMMITTED,
    KEEP,
    LANDED,
    LOST,
    LOW_END,
    MANY,
    MIDDLE,
    MISSED,
    MOST_FAILED,
    MOST_KEPT,
    OVER,
    PARRIED,
    PLACES,
    ROW,
    TABLE,
)

cuda: Any = numba_cuda
THREADS = 128  # of a block
SHARED_ENDS = 4096  # that a block counts for itself
LEFT = -1


# --- chains -------------------------------------------------------------------------------


@cuda.jit(device=True)
def follow(rows, begin, bits, place, word):
    """Where a draw leads from a place."""
    rest = U64(WORD - bits)
    cell = rows[begin + (place << bits) + np.int64(U64(word) >> rest)]
    below = (U64(1) << rest) - U64(1)
    own = (U64(word) & below) < (cell >> THRESHOLD)
    return np.int64((cell if own else cell >> OTHER) & PLACE_MASK)


@cuda.jit(device=True)
def note(counts, place, trial, first, last):
    """Count a trial, if it is one of those asked for."""
    if first <= trial and trial < last:
        cuda.atomic.add(counts, place, 1)


@cuda.jit(device=True)
def going(goes_on, place, trial, first, last):
    """1 for a trial that is asked for and goes on to a further turn, else 0."""
    return np.int64(goes_on[place]) if first <= trial and trial < last else np.int64(0)


@cuda.jit
def draw_chain(
    rows, steps, opening, again, goes_on, seed, cell, first, last, turns, openings, ends, fought
):  # fmt: skip
    """Count where the trials of a chain end; as `samplers.chain.count_chain`, COPIES of 1.

    The turns fought after the first are added to ``fought[0]``.
    """
    shared = cuda.shared.array(0, uint32)
    held = openings.size <= SHARED_ENDS
    if held:
        for place in range(cuda.threadIdx.x, openings.size, cuda.blockDim.x):
            shared[place] = 0
        cuda.syncthreads()
    k0, k1 = seed & LOW, seed >> HALF
    group = (first >> U64(2)) + U64(cuda.grid(1))
    more = np.int64(0)
    while (group << U64(2)) < last:
        p0 = p1 = p2 = p3 = np.int64(0)
        trial = group << U64(2)
        for turn in range(turns):
            if turn > 0:
                left = going(goes_on, p0, trial, first, last)
                left += going(goes_on, p1, trial + U64(1), first, last)
                left += going(goes_on, p2, trial + U64(2), first, last)
                left += going(goes_on, p3, trial + U64(3), first, last)
                if left == 0:
                    break
                more += left
            begin, end = (0, opening) if turn == 0 else (opening, steps.shape[0])
            for step in range(begin, end):
                address = attack_address(turn, CHAIN, 0, 0) | U64(step)
                w0, w1, w2, w3 = philox(group & LOW, group >> HALF, cell, address, k0, k1)
                row, bits = steps[step, 0], steps[step, 1]
                p0 = follow(rows, row, bits, p0, w0)
                p1 = follow(rows, row, bits, p1, w1)
                p2 = follow(rows, row, bits, p2, w2)
                p3 = follow(rows, row, bits, p3, w3)
            if turn == 0 and held:
                note(shared, p0, trial, first, last)
                note(shared, p1, trial + U64(1), first, last)
                note(shared, p2, trial + U64(2), first, last)
                note(shared, p3, trial + U64(3), first, last)
            elif turn == 0:
                note(openings, p0, trial, first, last)
                note(openings, p1, trial + U64(1), first, last)
                note(openings, p2, trial + U64(2), first, last)
                note(openings, p3, trial + U64(3), first, last)
            if turn == 0 and turns > 1:
                p0, p1 = np.int64(again[p0]), np.int64(again[p1])
                p2, p3 = np.int64(again[p2]), np.int64(again[p3])
        if turns > 1:
            note(ends, p0, trial, first, last)
            note(ends, p1, trial + U64(1), first, last)
            note(ends, p2, trial + U64(2), first, last)
            note(ends, p3, trial + U64(3), first, last)
        group += U64(cuda.gridsize(1))
    cuda.atomic.add(fought, 0, more)
    if held:
        cuda.syncthreads()
        for place in range(cuda.threadIdx.x, openings.size, cuda.blockDim.x):
            if shared[place] > 0:
                cuda.atomic.add(openings, place, np.int64(shared[place]))


# --- literal trials -----------------------------------------------------------------------


@cuda.jit(device=True)
def words_of(trial, cell, base, step, seed):
    """The four words of a step."""
    own = ((step >> HALF) & U64(ADDRESSES)) << DIRECTION
    address = (base | own) & LOW
    return philox(trial & LOW, trial >> HALF, cell, address, seed & LOW, seed >> HALF)


@cuda.jit(device=True)
def first_striker(winners, turn, trial, cell, step, seed, mirror):
    """Side that strikes first; ``LEFT`` if lanes leave that open."""
    table = np.int64((step & LOW) >> U64(TABLE))
    for roll_off in range(ROLL_OFFS_IN_LANES):
        base = initiative_address(turn, roll_off)
        w0, w1, w2, _ = words_of(trial, cell, base, U64(0), seed)
        lone, other = (w1, w0) if mirror else (w0, w1)
        one, two = np.int64(lanes.code_of(U32(lone))), np.int64(lanes.code_of(U32(other)))
        found = np.int64(winners[table * CODES * CODES + one * CODES + two])
        if found < AGAIN:
            return found
        if found == COIN:
            return np.int64(lanes.die_of(U32(w2)) > 2) ^ mirror
        if found != AGAIN:
            return np.int64(LEFT)
    return np.int64(LEFT)


@cuda.jit(device=True)
def end_of_attack(outcomes, turn, trial, cell, step, seed, least, slope, base):
    """How an attack ends; ``LEFT`` if lanes leave that open."""
    w0, w1, w2, w3 = words_of(trial, cell, attack_address(turn, 0, 0, 0), step, seed)
    low, high = U32(step & LOW), U32(step >> HALF)
    committed = lanes.field(low, COMMITTED, MANY)
    natural = lanes.rolled(U32(w0), lanes.field(high, KEEP, MOST_KEPT), least, slope, base)
    lost, low = lanes.field(high, LOST, MOST_FAILED), lanes.field(high, LOW_END, MOST_FAILED)
    if natural == OPEN or committed == MANY:
        return np.int64(LEFT)
    if natural + MIDDLE <= lost:
        return np.int64(MISSED)
    if committed > 0:
        goal = I32(natural + low - lost)
        keep = lanes.keep_of(goal, high)
        parry = lanes.rolled(U32(w2), keep, least, slope, base)
        if committed == 2:
            parry = max(parry, lanes.rolled(U32(w3), keep, least, slope, base))
        if parry == OPEN:
            return np.int64(LEFT)
        if parry >= goal and parry + MIDDLE > low:
            return np.int64(PARRIED)
    dice = np.int64(lanes.share_of(U32(w1), THROWS))
    table = np.int64((step & LOW) >> U64(TABLE))
    return np.int64(outcomes[table * THROWS + dice]) + LANDED


@cuda.jit
def roll_literal(
    rows, returns, outcomes, winners, attacks, start, seed, cell, mirror, figures,
    first, trials, turns, counts, tally, left,
):  # fmt: skip
    """Count in which positions trials end; as `samplers.literal.count_literal`, COPIES of 1.

    ``left`` gets how many trials are left to the caller, who counts them, and their numbers from
    ``first`` on, as far as there is room.
    """
    least, slope, base = figures[0], figures[1], figures[2]
    for k in range(cuda.grid(1), trials, cuda.gridsize(1)):
        trial, step, lone, fought = U64(first) + U64(k), U64(start), np.int64(0), 0
        while step != OVER and fought < turns:
            side = first_striker(winners, fought, trial, cell, step, seed, mirror)
            lone = np.int64(side == 0) if fought == 0 else lone
            while side != LEFT:
                step = rows[np.int64(step & U64(PLACES)) * ROW + side]
                place = np.int64(step & U64(PLACES))
                if place >= attacks:
                    break
                side = end_of_attack(outcomes, fought, trial, cell, step, seed, least, slope, base)
            if side == LEFT:
                break
            fought += 1
            step = returns[place]
        if side == LEFT:
            found = cuda.atomic.add(left, 0, 1)
            if found + 1 < left.size:
                left[found + 1] = k
        else:
            cuda.atomic.add(counts, place, 1)
            cuda.atomic.add(tally, 0, lone)
            cuda.atomic.add(tally, 1, fought)
