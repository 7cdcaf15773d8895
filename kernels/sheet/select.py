"""Which actions the activated piece must or may take: the clause table run (2.1, A1 to A17).

A word of facts has a bit for each `Fact`. A paragraph whose facts hold is *live*. A MUST closes at
once; a MAY adds; a MENU adds and lets no later point follow. By reading M1 the first point that has
a live paragraph is the only one (Q3).
"""

import numpy as np

from .._jit import kernel, part, routine
from ..core.sets import NONE, ONE, lowest, without_lowest
from ..layout.sheet import MAX_GRANTS, TAGS, Deed, Fact, Mode
from ..layout.situation import ClauseColumn as C

U32 = np.uint32
U64 = np.uint64
NO_DEEDS = np.uint32(0)
NO_ACTION = np.uint32(1 << Deed.NONE)
MUST, MAY = np.uint64(Mode.MUST), np.uint64(Mode.MAY)
PARAGRAPH, POINT, MODE = int(C.PARAGRAPH), int(C.POINT), int(C.MODE)
GRANTS, TAGGED, TAG, GIVEN = int(C.GRANTS), int(C.TAGGED), int(C.TAG), int(C.GIVEN)
VALUES, DEEDS = MAX_GRANTS, 2 * MAX_GRANTS  # columns after those of facts needed
FALLBACK, FALLBACK_NEED = int(C.FALLBACK), int(C.FALLBACK_NEED)
SPECIAL_BIT = np.uint64(1 << Fact.SPECIAL)


@part
def live_rows(table, facts):
    """Rows whose facts hold, as bits: without a branch, several at a time."""
    rows = NONE
    need, value = table.keys[0], table.keys[1]
    for row in range(len(need)):
        rows |= U64(facts & need[row] == value[row]) << U64(row)
    return rows


@part
def granted_by(row, facts):
    """Deeds that a live row grants, infeasible ones included."""
    deeds = row[GRANTS]
    for k in range(GIVEN, GIVEN + MAX_GRANTS):  # several at a time
        deeds |= row[k + DEEDS] * U64(facts & row[k] == row[k + VALUES])
    return U32(deeds)


@part
def permit(tags, permitted, deeds, tagged, tag):
    """Add deeds: of two grants the one with fewer constraints counts, of equals the earlier."""
    free = deeds & ~tagged
    for k in range(TAGS):
        tags[k] &= ~free
    tags[tag] |= deeds & tagged & ~permitted
    return permitted | deeds


@part
def walk(table, facts, feasible, first_only, tags):
    """Run the clause table, but for the inaction that no paragraph lists.

    ``first_only``: reading M1. ``tags`` gets the deeds that carry each constraint. Returns the
    permitted ones, the point that closed (0: none did, F0), the live paragraphs that were reached,
    and whether no action is permitted too: no point closed, or nothing of it can be done.
    """
    for k in range(TAGS):
        tags[k] = NO_DEEDS
    permitted, trace = NO_DEEDS, NONE
    point, closes, left = NONE, False, live_rows(table, facts)
    while left != NONE:
        row, left = table.rows[lowest(left)], without_lowest(left)
        if trace & row[PARAGRAPH] != NONE:
            continue
        if row[POINT] != point:
            if closes or (first_only != 0 and point != NONE):
                break
            point = row[POINT]
        trace |= row[PARAGRAPH]
        deeds, tagged, tag = granted_by(row, facts) & feasible, U32(row[TAGGED]), row[TAG]
        if row[MODE] == MUST:
            if deeds == NO_DEEDS and facts & row[FALLBACK_NEED] == row[FALLBACK_NEED]:
                deeds = U32(row[FALLBACK]) & feasible
            permitted = permit(tags, permitted, deeds, tagged, tag)
            return permitted, np.int64(point), trace, deeds == NO_DEEDS
        permitted = permit(tags, permitted, deeds, tagged, tag)
        closes = closes or row[MODE] != MAY
    if closes:
        return permitted, np.int64(point), trace, permitted == NO_DEEDS
    closing = np.int64(point) if first_only != 0 else 0
    return permitted, closing, trace, True


@part
def select(table, facts, feasible, first_only, tags):
    """Run the clause table: permitted deeds, the point that closed and the trace, as `walk`."""
    permitted, closing, trace, idle = walk(table, facts, feasible, first_only, tags)
    return permitted | (NO_ACTION if idle else NO_DEEDS), closing, trace


@routine
def select_both(table, facts, feasible, first_only, tags, others):
    """A special order adds to the wing's (Q4): what either lets a piece do.

    ``facts`` are those of a piece that follows its wing's order; the second run takes the
    special order's own menu, A15, which the order's clauses otherwise always close before. An
    inaction that nothing lists needs both to allow nothing else.
    """
    permitted, closing, trace, idle = walk(table, facts, feasible, first_only, tags)
    orders = U64(0)
    for order in range(Fact.FOLLOWS_ATTACK, Fact.FOLLOWS_RETREAT + 1):
        orders |= ONE << U64(order)
    if facts & SPECIAL_BIT == NONE or facts & orders == NONE:
        return permitted | (NO_ACTION if idle else NO_DEEDS), closing, trace
    more, last, way, alone = walk(table, facts & ~orders, feasible, first_only, others)
    for k in range(1, TAGS):  # a grant without constraint counts
        tags[k] &= ~(more & ~all_tagged(others))
        tags[k] |= others[k] & ~permitted
    both = permitted | more | (NO_ACTION if idle and alone else NO_DEEDS)
    return both, max(closing, last), trace | way


@part
def all_tagged(tags):
    """Deeds that carry any constraint."""
    deeds = NO_DEEDS
    for k in range(1, TAGS):
        deeds |= tags[k]
    return deeds


@kernel
def select_many(table, facts, feasible, first_only, permitted, closing, trace, tags):
    """Run the clause table on many states, into ``permitted``, ``closing``, ``trace`` and ``tags``.

    ``first_only``: reading M1. ``tags`` has a row for each state, or one for all.
    """
    last = len(tags) - 1
    for k in range(len(facts)):
        found, point, way = select(table, facts[k], feasible[k], first_only, tags[min(k, last)])
        permitted[k], closing[k], trace[k] = found, point, way
