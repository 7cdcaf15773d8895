"""Shortest paths of a base to a point of the table (M-1.1 to M-1.4).

The model. The aim point goes along straight lines and arcs. It stays half a base's width away
from every obstacle, so that a disc as wide as the base would follow it; arcs round corners are
exact. Obstacles are the living bases at the mover's level, but those of the mask ``through``
(M-1.3), and impassable terrain (M-1.2). A path is first tried straight; only what is in its way
is gone round.

At its ends the base stands or will stand, and its aim point is nearer to its neighbours than
half its width: an obstacle is grown only so far that both ends are free. What this opens between
two obstacles that are less than the base's width apart is barred by a line (M-1.2). An obstacle
in which the path begins is left out; a path that ends inside one is refused.

The aim point stays half a width from the table's edge, or as near as the path's ends.

Relief that is not impassable costs (M-1.4) where it is less than two sizes smaller than the
mover and the disc meets it, once a path: its height up, unless the path begins on it, and down
too, unless it ends on it or it is one size smaller. The path goes round it instead where that
costs less.

Left out: the base's turning on its way, and its length behind the aim point (a base of 25 x 50
passes where its width does); levels of what is climbed; crossing the same relief twice. Facing
is taken up at the end, where the base must fit (`fits_facing`).
"""

import math

import numpy as np

from .._jit import kernel, part, routine
from ..layout.table import (
    GOAL,
    LEG_COLUMNS,
    MAX_BASES,
    MAX_CHOICES,
    MAX_SHAPES,
    START,
    TOUCH,
    Base,
    Fault,
    Leg,
)
from .geometry import FAR, fits, hull_point, shape_base
from .obstacles import (
    LEFT_OUT,
    NONE,
    ONE,
    U64,
    arc_meets,
    close_gaps,
    leg_near,
    line_meets,
    list_shapes,
    load,
)
from .search import search


@part
def ask(table, route, mover, x, y, through):
    """Begin a path of a base to a point."""
    row, half = table.bases[mover], 0.5 * table.bases[mover, Base.WIDTH]
    route.mover, route.half, route.through = mover, half, through
    route.ends[START, 0], route.ends[START, 1] = row[Base.X], row[Base.Y]
    route.ends[GOAL, 0], route.ends[GOAL, 1] = x, y
    box = route.box
    box[0] = min(half, row[Base.X], x)
    box[1] = max(table.width - half, row[Base.X], x)
    box[2] = min(half, row[Base.Y], y)
    box[3] = max(table.depth - half, row[Base.Y], y)
    route.fault, route.avoided = Fault.NONE.value, NONE


@part
def is_on(table, route, k, end):
    """Whether the path begins, or ends, on a piece of terrain."""
    x, y, at = route.ends[end, 0], route.ends[end, 1], MAX_BASES + k
    dx, dy, reach = x - table.x[at], y - table.y[at], table.reach[at]
    if dx * dx + dy * dy >= reach * reach:
        return False
    return hull_point(table.terrain[k], table.corners[k], x, y) < -TOUCH


@routine
def fix_tolls(table, route):
    """Write what relief costs where it is crossed; what leaving it costs at first (M-1.4)."""
    size, leaving = table.bases[route.mover, Base.SIZE], 0.0
    for k in range(table.pieces):
        route.tolls[k] = 0.0
        bigger = size - table.sizes[k]
        if table.impassable[k] or bigger >= 2 or table.height[k] <= 0:
            continue
        begins, ends = is_on(table, route, k, START), is_on(table, route, k, GOAL)
        up = 0.0 if begins else table.height[k]
        down = 0.0 if ends or bigger == 1 else table.height[k]
        if begins:
            leaving += down
        else:
            route.tolls[k] = up + down
    return leaving


@part
def leg_meets(route, o, leg):
    """Whether a leg, line or arc, enters a grown obstacle."""
    x1, y1 = leg[Leg.X1], leg[Leg.Y1]
    if line_meets(route, o, leg[Leg.X0], leg[Leg.Y0], x1, y1):
        return True
    r = abs(leg[Leg.RADIUS])
    if r == 0 or leg[Leg.TURN] == 0:
        return False
    cx, cy, side = leg[Leg.CX], leg[Leg.CY], 1 if leg[Leg.RADIUS] > 0 else -1
    return arc_meets(route, o, cx, cy, r, leg[Leg.TURN], side, (x1 - cx) / r, (y1 - cy) / r)


@part
def way_meets(table, route, shape):
    """Whether the way enters a shape, grown; the shape's slot or ``LEFT_OUT``."""
    for k in range(route.way_count):
        leg = route.way[k]
        if leg_near(table, route, shape, leg):
            o = load(table, route, shape)
            if o == LEFT_OUT:
                return LEFT_OUT
            if leg_meets(route, o, leg):
                return o
    return LEFT_OUT


@routine
def meet_more(table, route, listed):
    """Mark what the way enters of the first shapes listed; whether there was anything new."""
    more = False
    for at in range(listed):
        o = way_meets(table, route, route.listed[at])
        if o != LEFT_OUT:
            more = more or route.met[o] == 0
            route.met[o] = 1
    for o in range(route.obstacles):
        if route.shape[o] < 0 and route.met[o] == 0:
            for k in range(route.way_count):
                if leg_meets(route, o, route.way[k]):
                    route.met[o] = 1
                    more = True
    return more


@part
def go_straight(route):
    """Make the way the straight line; its length."""
    leg = route.way[0]
    leg[Leg.X0], leg[Leg.Y0] = route.ends[START, 0], route.ends[START, 1]
    leg[Leg.X1], leg[Leg.Y1] = route.ends[GOAL, 0], route.ends[GOAL, 1]
    leg[Leg.RADIUS] = leg[Leg.TURN] = 0.0
    route.way_count = 1
    x, y = leg[Leg.X1] - leg[Leg.X0], leg[Leg.Y1] - leg[Leg.Y0]
    return math.sqrt(x * x + y * y)


@routine
def find_way(table, route):
    """The shortest way round all that is in it, relief that is avoided included; -1: none."""
    length = go_straight(route)
    if length > route.most:
        return -1.0
    route.obstacles = 0
    for shape in range(MAX_SHAPES):
        route.slot[shape] = -1
    list_shapes(table, route)
    close_gaps(table, route)
    more = meet_more(table, route, route.near_count)
    while more:
        length = search(table, route)
        more = length >= 0 and meet_more(table, route, route.listed_count)
    return length


@routine
def crossed(table, route):
    """Mask of the relief that the way crosses at a cost."""
    mask = NONE
    for k in range(table.pieces):
        if route.tolls[k] > 0 and way_meets(table, route, MAX_BASES + k) != LEFT_OUT:
            mask |= ONE << U64(k)
    return mask


@part
def toll_of(table, route, mask):
    """What all relief of a mask costs."""
    toll = 0.0
    for k in range(table.pieces):
        if (mask >> U64(k)) & ONE != NONE:
            toll += route.tolls[k]
    return toll


@part
def keep_way(route, length, toll):
    """Make the way that was found the path."""
    route.length, route.toll, route.leg_count = length, toll, route.way_count
    for k in range(route.way_count):
        for column in range(LEG_COLUMNS):
            route.legs[k, column] = route.way[k, column]


@routine
def find_path(table, route, mover, x, y, through, most):
    """The shortest path of a base to a point; its length with all costs, ``FAR``: none.

    No way is looked for that is longer than ``most``, its tolls apart.

    Relief that the best way so far crosses is gone round, or paid for and kept: both are tried
    as long as they can be better than the best path known.
    """
    ask(table, route, mover, x, y, through)
    route.most = most
    leaving = fix_tolls(table, route)
    best, todo = FAR, 1
    route.avoid[0] = route.paid[0] = NONE
    while todo > 0 and route.fault != Fault.CROWDED:
        todo -= 1
        avoid, paid = route.avoid[todo], route.paid[todo]
        route.avoided = avoid
        length = find_way(table, route)
        if length < 0 or length + leaving + toll_of(table, route, paid) >= best:
            continue
        over = crossed(table, route)
        toll = leaving + toll_of(table, route, over)
        if length + toll < best:
            best = length + toll
            keep_way(route, length, toll)
        open_to_choice = over & ~paid
        if open_to_choice != NONE:
            first = open_to_choice & (~open_to_choice + ONE)
            if todo + 2 > MAX_CHOICES:
                route.fault = Fault.CROWDED.value
                break
            route.avoid[todo], route.paid[todo] = avoid, paid | first
            route.avoid[todo + 1], route.paid[todo + 1] = avoid | first, paid
            todo += 2
    if route.fault == Fault.CROWDED:
        return FAR
    if best == FAR:
        route.fault = Fault.CLOSED.value
    return best


@routine
def fits_at(table, mover, x, y, fx, fy):
    """Whether a base fits at a place; the table is left as it was."""
    row = table.bases[mover]
    old_x, old_y, old_fx, old_fy = row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY]
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = x, y, fx, fy
    shape_base(table, mover)
    answer = fits(table, mover)
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = old_x, old_y, old_fx, old_fy
    shape_base(table, mover)
    return answer


@kernel
def path_to_point(tables, routes, mover, x, y, through):
    """Find the shortest path of a base's aim point to (x, y) (M-1.1 to M-1.4).

    ``through`` are bases that it passes through (M-1.3). The route gets the legs of the way, its
    length without tolls, and why there is none. Returns length and toll together, infinity without
    a path.
    """
    found = find_path(tables[0], routes[0], mover, x, y, np.uint64(through), FAR)
    return math.inf if found == FAR else found


@kernel
def fits_facing(tables, mover, x, y, fx, fy):
    """Whether a base fits at a place with a facing (a unit vector): overlaps nothing (M-1.2)."""
    return fits_at(tables[0], mover, x, y, fx, fy)


@part
def turned(leg, angle):
    """The point of a leg's arc at an angle from where it begins, and the same from the centre."""
    x, y = leg[Leg.X1] - leg[Leg.CX], leg[Leg.Y1] - leg[Leg.CY]
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = x * cos - y * sin, y * cos + x * sin
    return leg[Leg.CX] + x, leg[Leg.CY] + y, x, y


@routine
def cut_path(route, distance):
    """Where the aim point is after so much of a path, and the unit vector of the way there."""
    left = distance
    dx = dy = 0.0
    for k in range(route.leg_count):
        leg = route.legs[k]
        x, y = leg[Leg.X1] - leg[Leg.X0], leg[Leg.Y1] - leg[Leg.Y0]
        length = math.sqrt(x * x + y * y)
        if length > 0:
            dx, dy = x / length, y / length
        if left <= length:
            return leg[Leg.X0] + left * dx, leg[Leg.Y0] + left * dy, dx, dy
        left -= length
        r, side = abs(leg[Leg.RADIUS]), 1.0 if leg[Leg.RADIUS] > 0 else -1.0
        if r > 0 and left < r * leg[Leg.TURN]:
            px, py, x, y = turned(leg, side * left / r)
            return px, py, -side * y / r, side * x / r
        left -= r * leg[Leg.TURN]
    last = route.legs[route.leg_count - 1]
    return last[Leg.X1], last[Leg.Y1], dx, dy
