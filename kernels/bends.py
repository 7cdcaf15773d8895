"""A way with one bend at most: what a battle takes where the straight one is barred (M-1.1, M-1.2).

It keeps as far from everything as `paths` says, so that it is a way that may be gone; a shorter
one, with more bends or along arcs, is not looked for.
"""

import math

from estoc.kernels._jit import part, routine
from estoc.kernels.contacts import NONE
from estoc.kernels.geometry import FAR
from estoc.kernels.obstacles import LEFT_OUT, close_gaps, in_box, list_shapes
from estoc.kernels.paths import (
    ask,
    crossed,
    fix_tolls,
    go_straight,
    keep_way,
    leg_meets,
    toll_of,
    way_meets,
)
from estoc.kernels.table_codes import GOAL, MAX_SHAPES, START, Fault, Leg

CLEAR = -1
ROOM = 0.01  # cm beside what is gone round
WIDER = 3  # bends that are tried on a side, each round what bars the one before


@routine
def first_barrier(table, route):
    """What bars the way first; ``CLEAR``: nothing."""
    for at in range(route.listed_count):
        o = way_meets(table, route, route.listed[at])
        if o != LEFT_OUT:
            return o
    for o in range(route.obstacles):
        if route.shape[o] < 0:
            for k in range(route.way_count):
                if leg_meets(route, o, route.way[k]):
                    return o
    return CLEAR


@part
def set_leg(route, k, x0, y0, x1, y1):
    """Make a leg of the way a straight line; its length."""
    leg = route.way[k]
    leg[Leg.X0], leg[Leg.Y0], leg[Leg.X1], leg[Leg.Y1] = x0, y0, x1, y1
    leg[Leg.RADIUS] = leg[Leg.TURN] = 0.0
    return math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)


@routine
def bend_round(route, o, side):
    """Bend the way round an obstacle, on its left (1) or right (-1); ``FAR``: off the table."""
    ends = route.ends
    ax, ay, bx, by = ends[START, 0], ends[START, 1], ends[GOAL, 0], ends[GOAL, 1]
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0:
        return FAR
    away = side * (route.reach[o] + route.half + ROOM) / length
    x, y = route.x[o] - away * dy, route.y[o] + away * dx
    if not in_box(route, x, y):
        return FAR
    route.way_count = 2
    return set_leg(route, 0, ax, ay, x, y) + set_leg(route, 1, x, y, bx, by)


@routine
def bend_past(table, route, barrier, side):
    """Find a clear way with one bend on a side; its length, ``FAR``: none."""
    o = barrier
    for _ in range(WIDER):
        length = bend_round(route, o, side)
        if length >= FAR:
            return FAR
        o = first_barrier(table, route)
        if o == CLEAR:
            return length
    return FAR


@part
def side_beside(route, o):
    """The side on which the way round an obstacle is shorter."""
    ends = route.ends
    dx, dy = ends[GOAL, 0] - ends[START, 0], ends[GOAL, 1] - ends[START, 1]
    left = dx * (route.y[o] - ends[START, 1]) - dy * (route.x[o] - ends[START, 0])
    return -1 if left > 0 else 1


@routine
def find_bent(table, route, mover, x, y, through):
    """A way of a base to a point, straight or with one bend; its length and toll, ``FAR``: none."""
    ask(table, route, mover, x, y, through)
    leaving = fix_tolls(table, route)
    length = go_straight(route)
    route.obstacles = 0
    for shape in range(MAX_SHAPES):
        route.slot[shape] = -1
    list_shapes(table, route)
    close_gaps(table, route)
    barrier = first_barrier(table, route)
    if barrier != CLEAR:
        side = side_beside(route, barrier)
        length = bend_past(table, route, barrier, side)
        if length >= FAR:
            length = bend_past(table, route, barrier, -side)
        if length >= FAR:
            route.fault = Fault.CLOSED.value
            return FAR
    over = crossed(table, route)
    toll = leaving + toll_of(table, route, over) if over != NONE else leaving
    keep_way(route, length, toll)
    return length + toll
