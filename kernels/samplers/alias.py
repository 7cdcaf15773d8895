"""A combat as a chain of draws: what follows a position, and how likely, as alias rows.

The exact engine says which positions follow each other (`link_positions`, `exact.attacks`).
`write_steps` joins attacks to *steps* while the rows stay short, and writes each step's rows
(Walker, 1977): of a draw's 32 bits the first say which column, the others whether its own
place follows or the other one. A draw so resolves 2**-32, however many columns there are.

Nodes are numbered: ends of a turn first, then attacks, then perhaps a beginning.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..exact.attacks import move
from ..exact.positions import FULL, end_place, find, forget, shift_of_end, unpack
from ..exact.several import play_in_detail
from ..layout.samplers import JOINED_ROOM, MOST_BITS, NO_ROOM, OTHER, THRESHOLD, WORD

# --- links -------------------------------------------------------------------------------


@kernel
def link_positions(fights, tables, opening, first, final, table, joint, to, likely, ends):
    """What follows each position of one turn, given who strikes first and all policies.

    Written are the places ``to`` (p, OUTCOMES + 2) of the positions that follow, -1 for none, how
    ``likely`` they are, and where ``ends`` stand in ``final``, -1 for what is none; all else is as
    in `estoc.kernels.exact.several.end_positions`. The combat begins at place 0. Returned is the
    number of positions; ``FULL`` if the table or the arrays have no room.
    """
    fight, laws, count = fights[0], tables[0], table.used
    done = play_in_detail(fight, laws, opening, first, final, table, joint)
    forget(table)
    if done == FULL or count[0] > len(ends):
        return np.int64(FULL)
    end = shift_of_end(fight, laws)
    for place in range(count[0]):
        key = table.rows[place].key
        to[place] = -1
        if key >> end & 1:
            ends[place] = end_place(fight, laws, key)
            continue
        ends[place] = -1
        side = unpack(fight, laws, first, key)
        for follower in range(move(fight, laws, opening.turn, key, side, 1.0, False)):
            to[place, follower] = find(laws.next_key[follower], table)
            likely[place, follower] = laws.next_mass[follower]
    return count[0]


# --- joining ------------------------------------------------------------------------------


class Links(NamedTuple):
    """Nodes and their links, and scratch for the law of what one of them leads to."""

    ends: int  # nodes below it are ends of the turn; one with links is where a turn begins
    heads: NDArray[np.int64]  # (m + 1,): where the links of each node begin
    to: NDArray[np.int64]  # (l,): where a link leads
    likely: NDArray[np.float64]  # (l,): and how likely
    mass: NDArray[np.float64]  # (m,): the law; 0 between calls
    nodes: NDArray[np.int64]  # (m,): those with a mass
    spare: NDArray[np.int64]  # (m,)


@routine
def go(node, links, found):
    """Move the mass of a node along its links; how many nodes have some now."""
    mass, to, likely = links.mass, links.to, links.likely
    moved = mass[node]
    mass[node] = 0.0
    for link in range(links.heads[node], links.heads[node + 1]):
        if mass[to[link]] == 0.0 and likely[link] * moved > 0.0:
            links.nodes[found] = to[link]
            found += 1
        mass[to[link]] += likely[link] * moved
    return found


@part
def stays(node, begins, links):
    """Whether a node is an end, and no turn begins there."""
    return node < links.ends and not (begins and links.heads[node] < links.heads[node + 1])


@routine
def reach(node, times, fresh, links):
    """Fill ``mass`` and ``nodes`` with the law of a node after so many attacks; how many nodes.

    ``fresh``: the turn begins here, for ends that have links; else ends stay.
    """
    nodes, spare = links.nodes, links.spare
    links.mass[node] = 1.0
    nodes[0], found = node, 1
    for time in range(times):
        before = found
        for k in range(before):
            spare[k] = nodes[k]
        found = 0
        begins = fresh and time == 0
        for k in range(before):
            if stays(spare[k], begins, links):
                nodes[found] = spare[k]
                found += 1
        for k in range(before):
            if not stays(spare[k], begins, links):
                found = go(spare[k], links, found)
    return found


@part
def bits_of(found):
    """Bits of the column of a row for so many nodes, one at least."""
    bits = 1
    while found > 1 << bits:
        bits += 1
    return bits


@routine
def most_reached(frontier, size, times, fresh, links):
    """Most nodes that one of a step may lead to; whether all of them are ends."""
    most, over = 0, True
    for k in range(size):
        found = reach(frontier[k], times, fresh, links)
        most = max(most, found)
        for j in range(found):
            links.mass[links.nodes[j]] = 0.0
            over = over and links.nodes[j] < links.ends
    return most, over


@routine
def attacks_joined(frontier, size, fresh, joined, links):
    """How many attacks a step joins; bits of its columns; whether it is the last one."""
    times = 1
    most, over = most_reached(frontier, size, times, fresh, links)
    while not over:
        more, end = most_reached(frontier, size, times + 1, fresh, links)
        if more > 1 << joined or size << bits_of(more) > JOINED_ROOM:
            break
        times, most, over = times + 1, more, end
    return times, bits_of(most), over


# --- rows ---------------------------------------------------------------------------------


class Columns(NamedTuple):
    """Scratch of a row; weights of 1 are what a column has room for."""

    weight: NDArray[np.float64]
    own: NDArray[np.uint64]  # place that a column's draws lead to
    small: NDArray[np.int64]  # columns with room
    large: NDArray[np.int64]  # columns with too much


@routine
def write_row(found, bits, links, place, row, columns_of):
    """Write a law as a row of 2**bits columns; of each, its threshold, other and own place."""
    mass, nodes = links.mass, links.nodes
    weight, own, small, large = columns_of
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
        row[column] = threshold << THRESHOLD | own[other] << OTHER | own[column]
        weight[other] -= 1.0 - weight[column]
        if weight[other] < 1.0:
            larges -= 1
            small[smalls] = other
            smalls += 1
    for k in range(larges):
        row[large[k]] = own[large[k]] << OTHER | own[large[k]]
    for k in range(smalls):
        row[small[k]] = own[small[k]] << OTHER | own[small[k]]


@kernel
def write_steps(frontier, size, ends, heads, to, likely, joined, rows, steps):
    """Write a turn as steps: how many, and the columns of all; (NO_ROOM, 0) without room.

    ``frontier`` has the nodes of the first step, ``size`` of them, in order, and is overwritten;
    ends, heads, to and likely are as in `Links`, and the last step leads to ends by number. The
    column of steps that join attacks has ``joined`` bits at most; 0 joins none. Overwritten are
    ``rows``, cells (`layout.samplers`), and ``steps`` (s, 2): where those of each step begin, bits
    of its columns.
    """
    if ends > 1 << MOST_BITS:
        return NO_ROOM, 0
    nodes_in_all = len(heads) - 1
    place, following = np.empty(nodes_in_all, np.int64), np.empty(nodes_in_all, np.int64)
    links = Links(
        ends, heads, to, likely, np.zeros(nodes_in_all),
        np.empty(nodes_in_all, np.int64), np.empty(nodes_in_all, np.int64),
    )  # fmt: skip
    columns_of = Columns(
        np.empty(1 << MOST_BITS), np.empty(1 << MOST_BITS, np.uint64),
        np.empty(1 << MOST_BITS, np.int64), np.empty(1 << MOST_BITS, np.int64),
    )  # fmt: skip
    mass, nodes = links.mass, links.nodes
    step, used, over = 0, 0, False
    while not over:
        fresh = step == 0
        times, bits, over = attacks_joined(frontier, size, fresh, joined, links)
        if bits > MOST_BITS or step == len(steps) or used + (size << bits) > len(rows):
            return NO_ROOM, 0
        steps[step, 0], steps[step, 1] = used, bits
        for node in range(nodes_in_all):
            place[node] = node if over else -1
        follow = 0
        for k in range(size):
            found = reach(frontier[k], times, fresh, links)
            for j in range(found):
                if place[nodes[j]] < 0:
                    place[nodes[j]] = follow
                    following[follow] = nodes[j]
                    follow += 1
            row = rows[used : used + (1 << bits)]
            write_row(found, bits, links, place, row, columns_of)
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
