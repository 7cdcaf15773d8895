"""The contagion of rout (S1a, S1b) without dice: exact odds as floats, and the search of orders.

A state is who is in rout and, where units flee, who has fled: bit *i* and bit ``n + i`` of a
number. An activation moves probability from state to state in place, a test at a time; a test
only ever adds a unit to the rout, so that nothing is moved twice.
"""

import numpy as np

from .._jit import kernel, part, routine
from ..core.rng import U64
from ..core.sets import NONE, ONE, bit, count_bits, lowest, without_lowest

MOST_STATIC = 20  # units: 2**20 states
MOST_FLEEING = 11  # units: 4**11 numbers, 3**11 of them states
BEST, WORST = 0, 1
SAME = 1e-12  # means that differ by less are equal


@part
def _in_rout(state, size):
    """Who is in rout, fled ones too."""
    return state & (bit(size) - ONE)


@part
def _spreads(state, size):
    """Who makes neighbours test: in rout and there."""
    return _in_rout(state, size) & ~(state >> U64(size))


@kernel
def reachable(neighbours, routed, flee):
    """Return every state that some order leads to, uint64.

    `MOST_STATIC` units at most, `MOST_FLEEING` where units flee.
    """
    size = len(neighbours)
    seen = np.zeros(1 << (2 * size if flee else size), np.uint8)
    states = np.empty(len(seen) if not flee else 3**size, np.uint64)
    states[0] = U64(routed)
    seen[routed] = 1
    done, found = 0, 1
    while done < found:
        state = states[done]
        done += 1
        spreading = _spreads(state, size)
        while spreading != NONE:
            unit = lowest(spreading)
            spreading = without_lowest(spreading)
            if flee and not seen[state | bit(size + unit)]:
                seen[state | bit(size + unit)] = 1
                states[found] = state | bit(size + unit)
                found += 1
            exposed = neighbours[unit] & ~state
            while exposed != NONE:
                after = state | bit(lowest(exposed))
                exposed = without_lowest(exposed)
                if not seen[after]:
                    seen[after] = 1
                    states[found] = after
                    found += 1
    return states[:found].copy()


@routine
def _activate(chances, states, neighbours, unit, q, flee):
    """Activate one unit: S1a or S1b, then A1; the chance that it is in rout there."""
    size = len(neighbours)
    own, away = bit(unit), bit(size + unit)
    testing = neighbours[unit]
    while testing != NONE:  # S1a
        tester = bit(lowest(testing))
        testing = without_lowest(testing)
        for state in states:
            if _spreads(state, size) & own != NONE and state & tester == NONE:
                chance = chances[state]
                chances[state | tester] += q * chance
                chances[state] = (1 - q) * chance
    if flee:  # A1
        for state in states:
            if _spreads(state, size) & own != NONE:
                chances[state | away] += chances[state]
                chances[state] = 0.0
    idle = 0.0
    for state in states:
        if state & own != NONE:
            idle += chances[state]
    for state in states:  # S1b, and A1 at once
        if state & own == NONE and neighbours[unit] & _spreads(state, size) != NONE:
            chance = chances[state]
            after = state | own | away if flee else state | own
            chances[after] += q * chance
            chances[state] = (1 - q) * chance
            idle += q * chance
    return idle


@routine
def _play(chances, states, neighbours, routed, order, q, turns, flee):
    """Fill in the chances of all states at the end; the mean number of lost activations."""
    chances[routed] = 1.0
    idle = 0.0
    for _ in range(turns):
        for place in range(len(order)):
            idle += _activate(chances, states, neighbours, order[place], q, flee)
    return idle


@kernel
def contagion_law(neighbours, states, routed, order, q, turns, flee, chances, law):
    """Find the exact odds of one order (8.2); mean number of activations lost in rout (A1).

    As `contagion.count_contagion`, units in any order; a test fails with a chance of ``q``.
    ``states`` are from `reachable`, ``chances`` room for all numbers: zeros, at the end as well.
    ``law`` gets the chances of the numbers of units in rout at the end.
    """
    idle = _play(chances, states, neighbours, U64(routed), order, q, turns, flee)
    law[:] = 0.0
    for state in states:
        law[count_bits(_in_rout(state, len(neighbours)))] += chances[state]
        chances[state] = 0.0
    return idle


@part
def _next_order(order):
    """Turn an order into the next one, as in a dictionary; the last one stays."""
    low = len(order) - 2
    while low >= 0 and order[low] > order[low + 1]:
        low -= 1
    if low < 0:
        return
    high = len(order) - 1
    while order[high] < order[low]:
        high -= 1
    order[low], order[high] = order[high], order[low]
    low, high = low + 1, len(order) - 1
    while low < high:
        order[low], order[high] = order[high], order[low]
        low, high = low + 1, high - 1


@kernel
def search_orders(
    neighbours, states, routed, order, count, q, turns, flee, chances, means, orders, equal
):
    """Look for the orders with the least and the largest mean number of units in rout.

    As `contagion_law`, from ``order`` on so many orders as in a dictionary. ``means``, ``orders``
    and ``equal`` have the `BEST` and the `WORST` so far, and how many orders had that mean; only
    what is better or worse replaces them.
    """
    size = len(neighbours)
    for _ in range(count):
        _play(chances, states, neighbours, U64(routed), order, q, turns, flee)
        mean = 0.0
        for state in states:
            mean += chances[state] * count_bits(_in_rout(state, size))
            chances[state] = 0.0
        for end in (BEST, WORST):
            gain = means[end] - mean if end == BEST else mean - means[end]
            if gain > SAME:
                means[end], equal[end] = mean, 0
                orders[end] = order
            if gain > -SAME:
                equal[end] += 1
        _next_order(order)
