"""A combat as a chain of draws: what follows a position, and how likely, as alias rows.

The exact engine says which positions follow each other (`link_positions`, `exact.attacks`).
`write_steps` joins attacks to *steps* while the rows stay short, and writes each step's rows
(Walker, 1977): of a draw's 32 bits the first say which column, the others whether its own
place follows or the other one. A draw so resolves 2**-32, however many columns there are.

Nodes are numbered: ends of a turn first, then attacks, then perhaps a beginning.
"""

import numpy as np

from .._jit import kernel, part, routine
from ..exact.attacks import move
from ..exact.positions import FULL, end_place, find, shift_of_end, unpack
from ..exact.several import forget, play_in_detail
from ..layout.samplers import JOINED_ROOM, MOST_BITS, NO_ROOM, WORD

# --- links -------------------------------------------------------------------------------


@kernel
def link_positions(
    fights, tables, turn, states, placed, first, final,
    keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
    to, likely, ends,
):  # fmt: skip
    """What follows each position of one turn, given who strikes first.

    Parameters
    ----------
    fights, ..., joint
        As in `estoc.kernels.exact.several.end_positions`; all policies are fixed.
    to : ndarray of int32, shape (p, OUTCOMES + 2)
        Places of the positions that follow; -1 for none. The combat begins at place 0.
    likely : ndarray of float64, shape (p, OUTCOMES + 2)
        How likely they are.
    ends : ndarray of int64, shape (p,)
        Where an end stands in ``final``; -1 for what is none.

    Returns
    -------
    int
        Number of positions; ``FULL`` if the table or the arrays have no room.
    """
    fight, laws = fights[0], tables[0]
    done = play_in_detail(
        fight, laws, turn, states, placed, first, final,
        keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
    )  # fmt: skip
    forget(masses, count)
    if done == FULL or count[0] > len(ends):
        return np.int64(FULL)
    end = shift_of_end(fight, laws)
    for place in range(count[0]):
        key = keys[place]
        to[place] = -1
        if key >> end & 1:
            ends[place] = end_place(fight, key, laws)
            continue
        ends[place] = -1
        side = unpack(fight, laws, first, key)
        followers = move(fight, laws, turn, key, side, 1.0, False, 0, 0, 0.0, 0.0)
        for follower in range(followers):
            to[place, follower] = find(laws.next_key[follower], keys, slots)
            likely[place, follower] = laws.next_mass[follower]
    return count[0]


# --- joining ------------------------------------------------------------------------------


@routine
def go(node, heads, to, likely, mass, nodes, found):
    """Move the mass of a node along its links; how many nodes have some now."""
    moved = mass[node]
    mass[node] = 0.0
    for link in range(heads[node], heads[node + 1]):
        if mass[to[link]] == 0.0 and likely[link] * moved > 0.0:
            nodes[found] = to[link]
            found += 1
        mass[to[link]] += likely[link] * moved
    return found


@part
def stays(node, begins, ends, heads):
    """Whether a node is an end, and no turn begins there."""
    return node < ends and not (begins and heads[node] < heads[node + 1])


@routine
def reach(node, times, fresh, ends, heads, to, likely, mass, nodes, spare):
    """Put the law of a node after so many attacks into ``mass`` and ``nodes``; how many nodes.

    ``fresh``: the turn begins here, for ends that have links; else ends stay.
    """
    mass[node] = 1.0
    nodes[0], found = node, 1
    for time in range(times):
        before = found
        for k in range(before):
            spare[k] = nodes[k]
        found = 0
        begins = fresh and time == 0
        for k in range(before):
            if stays(spare[k], begins, ends, heads):
                nodes[found] = spare[k]
                found += 1
        for k in range(before):
            if not stays(spare[k], begins, ends, heads):
                found = go(spare[k], heads, to, likely, mass, nodes, found)
    return found


@part
def bits_of(found):
    """Bits of the column of a row for so many nodes, one at least."""
    bits = 1
    while found > 1 << bits:
        bits += 1
    return bits


@routine
def most_reached(frontier, size, times, fresh, ends, heads, to, likely, mass, nodes, spare):
    """Most nodes that one of a step may lead to; whether all of them are ends."""
    most, over = 0, True
    for k in range(size):
        found = reach(frontier[k], times, fresh, ends, heads, to, likely, mass, nodes, spare)
        most = max(most, found)
        for j in range(found):
            mass[nodes[j]] = 0.0
            over = over and nodes[j] < ends
    return most, over


@routine
def attacks_joined(frontier, size, fresh, ends, heads, to, likely, joined, mass, nodes, spare):
    """How many attacks a step joins; bits of its columns; whether it is the last one."""
    times = 1
    most, over = most_reached(
        frontier, size, times, fresh, ends, heads, to, likely, mass, nodes, spare
    )
    while not over:
        more, end = most_reached(
            frontier, size, times + 1, fresh, ends, heads, to, likely, mass, nodes, spare
        )
        if more > 1 << joined or size << bits_of(more) > JOINED_ROOM:
            break
        times, most, over = times + 1, more, end
    return times, bits_of(most), over


# --- rows ---------------------------------------------------------------------------------


@routine
def write_row(found, bits, mass, nodes, place, row, weight, own, small, large):
    """Write a law as a row of 2**bits columns: threshold (32 bits), other and own place."""
    columns = 1 << bits
    total = 0.0
    for k in range(found):
        total += mass[nodes[k]]
    for column in range(columns):
        k = min(column, found - 1)
        own[column] = place[nodes[k]]
        weight[column] = mass[nodes[k]] / total * columns if column < found else 0.0
    smalls = larges = 0
    for column in range(columns):
        if weight[column] < 1.0:
            small[smalls] = column
            smalls += 1
        else:
            large[larges] = column
            larges += 1
    one = float(1 << (WORD - bits))
    while smalls > 0 and larges > 0:
        smalls -= 1
        column, other = small[smalls], large[larges - 1]
        threshold = np.uint64(np.rint(weight[column] * one))
        row[column] = threshold << 32 | np.uint64(own[other]) << 16 | np.uint64(own[column])
        weight[other] -= 1.0 - weight[column]
        if weight[other] < 1.0:
            larges -= 1
            small[smalls] = other
            smalls += 1
    for k in range(larges):
        row[large[k]] = own[large[k]] * np.uint64(0x10001)
    for k in range(smalls):
        row[small[k]] = own[small[k]] * np.uint64(0x10001)


@kernel
def write_steps(frontier, size, ends, heads, to, likely, joined, rows, steps):
    """Write a turn as steps.

    Parameters
    ----------
    frontier : ndarray of int64, shape (m,)
        Nodes of the first step, ``size`` of them, in order; overwritten.
    ends : int
        Nodes from 0 to ``ends - 1`` are ends of the turn; the last step leads to them by
        number. One with links is where a turn begins; it is none but in the first step.
    heads : ndarray of int64, shape (m + 1,)
        Where the links of each node begin.
    to, likely : ndarray of int64 and of float64, shape (l,)
        Where a link leads, how likely.
    joined : int
        Bits of the column of steps that join attacks, at most; 0 to join none.
    rows : ndarray of uint64
        Room for the rows.
    steps : ndarray of int64, shape (s, 2)
        Where the rows of each step begin; bits of its columns; overwritten.

    Returns
    -------
    steps, columns : int
        How many there are; (NO_ROOM, 0) if the arrays have no room.
    """
    if ends > 1 << MOST_BITS:
        return NO_ROOM, 0
    nodes_in_all = len(heads) - 1
    mass, place = np.zeros(nodes_in_all), np.empty(nodes_in_all, np.int64)
    nodes, spare = np.empty(nodes_in_all, np.int64), np.empty(nodes_in_all, np.int64)
    following = np.empty(nodes_in_all, np.int64)
    weight, own = np.empty(1 << MOST_BITS), np.empty(1 << MOST_BITS, np.uint64)
    small, large = np.empty(1 << MOST_BITS, np.int64), np.empty(1 << MOST_BITS, np.int64)
    step, used, over = 0, 0, False
    while not over:
        fresh = step == 0
        times, bits, over = attacks_joined(
            frontier, size, fresh, ends, heads, to, likely, joined, mass, nodes, spare
        )
        if bits > MOST_BITS or step == len(steps) or used + (size << bits) > len(rows):
            return NO_ROOM, 0
        steps[step, 0], steps[step, 1] = used, bits
        for node in range(nodes_in_all):
            place[node] = node if over else -1
        follow = 0
        for k in range(size):
            found = reach(frontier[k], times, fresh, ends, heads, to, likely, mass, nodes, spare)
            for j in range(found):
                if place[nodes[j]] < 0:
                    place[nodes[j]] = follow
                    following[follow] = nodes[j]
                    follow += 1
            row = rows[used : used + (1 << bits)]
            write_row(found, bits, mass, nodes, place, row, weight, own, small, large)
            used += 1 << bits
            for j in range(found):
                mass[nodes[j]] = 0.0
        if follow > 1 << MOST_BITS:
            return NO_ROOM, 0
        size = follow
        for k in range(size):
            frontier[k] = following[k]
        step += 1
    return step, used
