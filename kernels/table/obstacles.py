"""What a path goes round: shapes grown by half the mover's width, and gaps that are too narrow.

An obstacle is a core (polygon, line or point) and a radius; the mover's aim point keeps so far
from the core. The model of a whole path is described in `paths`.
"""

import math

import numpy as np

from .._jit import part, routine
from ..layout.table import MAX_BASES, MAX_OBSTACLES, SLACK, TOUCH, Base, Fault, Leg
from .geometry import FAR, hull_point, hulls, is_disc, segment_gap

U64 = np.uint64
ONE = np.uint64(1)
NONE = np.uint64(0)
LEFT_OUT = -2  # a shape that is no obstacle
INTO = 10 * SLACK  # how far a bar reaches into the two shapes that it joins


@part
def core_point(route, o, px, py):
    """Separation of a core and a point."""
    if route.corners[o] == 1:
        x, y = px - route.core[o, 0, 0], py - route.core[o, 0, 1]
        return math.sqrt(x * x + y * y)
    return hull_point(route.core[o], route.corners[o], px, py)


@routine
def core_line(route, o, ax, ay, bx, by):
    """Separation of a core and a straight line; exact up to the radius."""
    core, n = route.core[o], route.corners[o]
    if n == 1:
        return segment_gap(ax, ay, bx, by, core[0, 0], core[0, 1])
    if abs(ax - bx) + abs(ay - by) < SLACK:
        return hull_point(core, n, ax, ay)
    line = route.line
    line[0, 0], line[0, 1], line[1, 0], line[1, 1] = ax, ay, bx, by
    return hulls(core, n, line, 2, route.radius[o])


@part
def line_meets(route, o, ax, ay, bx, by):
    """Whether a straight line enters a grown obstacle."""
    reach = route.reach[o] + route.radius[o]
    if segment_gap(ax, ay, bx, by, route.x[o], route.y[o]) >= reach:
        return False
    return core_line(route, o, ax, ay, bx, by) - route.radius[o] < -SLACK


@part
def on_arc(turn, side, ax, ay, dx, dy):
    """Whether a direction lies on an arc that begins in the direction (ax, ay) of its centre."""
    angle = side * math.atan2(ax * dy - ay * dx, ax * dx + ay * dy)
    if angle < 0:
        angle += 2 * math.pi
    return angle < turn


@part
def spot_meets(route, o, cx, cy, r, turn, side, ax, ay, dx, dy):
    """Whether the arc's point in a direction is on the arc and inside a grown obstacle."""
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0 or not on_arc(turn, side, ax, ay, dx, dy):
        return False
    x, y = cx + r * dx / length, cy + r * dy / length
    return core_point(route, o, x, y) - route.radius[o] < -SLACK


@routine
def arc_meets(route, o, cx, cy, r, turn, side, ax, ay):
    """Whether an arc enters a grown obstacle, its ends apart.

    An arc is deepest in an obstacle in the direction of a corner or across an edge; where it
    cuts off a corner of a core with radius 0, at one of three places on it.
    """
    x, y = route.x[o] - cx, route.y[o] - cy
    far = route.reach[o] + route.radius[o] + r
    if r * turn < SLACK or x * x + y * y >= far * far:
        return False
    core, n = route.core[o], route.corners[o]
    for k in range(n):
        dx, dy = core[k, 0] - cx, core[k, 1] - cy
        if spot_meets(route, o, cx, cy, r, turn, side, ax, ay, dx, dy):
            return True
        after = k + 1 if k + 1 < n else 0
        ex, ey = core[after, 0] - core[k, 0], core[after, 1] - core[k, 1]
        if spot_meets(route, o, cx, cy, r, turn, side, ax, ay, -ey, ex):
            return True
        if spot_meets(route, o, cx, cy, r, turn, side, ax, ay, ey, -ex):
            return True
    for k in range(1, 4):
        angle = side * turn * k / 4
        cos, sin = math.cos(angle), math.sin(angle)
        dx, dy = ax * cos - ay * sin, ay * cos + ax * sin
        if spot_meets(route, o, cx, cy, r, turn, side, ax, ay, dx, dy):
            return True
    return False


@part
def in_box(route, x, y):
    """Whether the aim point may be there: half a width from the table's edge."""
    box = route.box
    across = box[0] - SLACK <= x <= box[1] + SLACK
    return across and box[2] - SLACK <= y <= box[3] + SLACK


@part
def arc_in_box(route, cx, cy, r, turn, side, ax, ay):
    """Whether an arc stays on the table, its ends apart."""
    for k in range(4):
        dx, dy = (1 - k, 0) if k % 2 == 0 else (0, 2 - k)
        if on_arc(turn, side, ax, ay, dx, dy) and not in_box(route, cx + r * dx, cy + r * dy):
            return False
    return True


@part
def new_obstacle(route):
    """Room for one more; the last place again where there is none."""
    if route.obstacles == MAX_OBSTACLES:
        route.fault = Fault.CROWDED.value
        return MAX_OBSTACLES - 1
    route.obstacles += 1
    return route.obstacles - 1


@part
def copy_core(route, o, hull, n):
    """Make a polygon the core of an obstacle."""
    route.corners[o] = n
    for a in range(n):
        route.core[o, a, 0], route.core[o, a, 1] = hull[a, 0], hull[a, 1]


@routine
def load(table, route, shape):
    """Make a shape an obstacle: its slot, or ``LEFT_OUT`` if the path begins inside of it.

    It is grown by half the mover's width, or less where it is nearer to the path's ends.
    """
    if route.slot[shape] != -1:
        return route.slot[shape]
    o = new_obstacle(route)
    route.shape[o], route.met[o] = shape, 0
    route.x[o], route.y[o], route.reach[o] = table.x[shape], table.y[shape], table.reach[shape]
    bare = 0.0
    if shape >= MAX_BASES:
        copy_core(route, o, table.terrain[shape - MAX_BASES], table.corners[shape - MAX_BASES])
    elif is_disc(table, shape):
        route.corners[o], bare, route.reach[o] = 1, table.reach[shape], 0.0
        route.core[o, 0, 0], route.core[o, 0, 1] = table.x[shape], table.y[shape]
    else:
        copy_core(route, o, table.hull[shape], 4)
    away = core_point(route, o, route.ends[0, 0], route.ends[0, 1]) - bare
    to = core_point(route, o, route.ends[1, 0], route.ends[1, 1]) - bare
    if away < -TOUCH:
        route.obstacles -= 1
        route.slot[shape] = LEFT_OUT
        return LEFT_OUT
    route.growth[o] = max(min(route.half, away, to), 0.0)
    route.radius[o] = bare + route.growth[o]
    route.slot[shape] = o
    return o


@part
def in_way(table, route, shape):
    """Whether the mover goes round a shape (M-1.2, M-1.3): also relief that it avoids."""
    if shape >= MAX_BASES:
        k = shape - MAX_BASES
        return table.impassable[k] != 0 or (route.avoided >> U64(k)) & ONE != NONE
    if shape == route.mover or (route.through >> U64(shape)) & ONE != NONE:
        return False
    row = table.bases[shape]
    return row[Base.ALIVE] != 0 and row[Base.LEVEL] == table.bases[route.mover, Base.LEVEL]


@part
def leg_near(table, route, shape, leg):
    """Whether the circle round a shape, grown, comes near a leg."""
    reach = table.reach[shape] + route.half + abs(leg[Leg.RADIUS]) * min(leg[Leg.TURN], 2.0)
    x, y = table.x[shape] - leg[Leg.X0], table.y[shape] - leg[Leg.Y0]
    dx, dy = leg[Leg.X1] - leg[Leg.X0], leg[Leg.Y1] - leg[Leg.Y0]
    along, across, length = x * dx + y * dy, x * dy - y * dx, dx * dx + dy * dy
    if along <= 0:
        return x * x + y * y < reach * reach
    if along >= length:
        return (x - dx) * (x - dx) + (y - dy) * (y - dy) < reach * reach
    return across * across < reach * reach * length


@part
def enlist(table, route, shape):
    """List a shape, in front if the straight way comes near it."""
    last = route.listed_count
    route.listed_count += 1
    route.listed[last] = shape
    if leg_near(table, route, shape, route.way[0]):
        route.listed[last] = route.listed[route.near_count]
        route.listed[route.near_count] = shape
        route.near_count += 1


@routine
def list_shapes(table, route):
    """List all shapes that the mover goes round, those near the straight way first."""
    route.listed_count = route.near_count = 0
    for i in range(table.n):
        if in_way(table, route, i):
            enlist(table, route, i)
    for k in range(table.pieces):
        if in_way(table, route, MAX_BASES + k):
            enlist(table, route, MAX_BASES + k)


@routine
def nearest_pair(route, o, p, line):
    """Write the nearest points of two cores that are apart."""
    best = FAR
    for turn in range(2):
        one, other = (o, p) if turn == 0 else (p, o)
        for a in range(route.corners[one]):
            px, py = route.core[one, a, 0], route.core[one, a, 1]
            m = route.corners[other]
            for b in range(m):
                c = b + 1 if b + 1 < m else 0
                bx, by = route.core[other, b, 0], route.core[other, b, 1]
                dx, dy = route.core[other, c, 0] - bx, route.core[other, c, 1] - by
                length = dx * dx + dy * dy
                t = ((px - bx) * dx + (py - by) * dy) / length if length > 0 else 0.0
                t = min(max(t, 0.0), 1.0)
                x, y = bx + t * dx, by + t * dy
                gap = (x - px) * (x - px) + (y - py) * (y - py)
                if gap < best:
                    best = gap
                    line[0, 0], line[0, 1], line[1, 0], line[1, 1] = px, py, x, y
    return math.sqrt(best)


@routine
def close_gap(table, route, o, p):
    """Bar the gap between two obstacles if it is narrower than the mover (M-1.2).

    Where they overlap as they are grown, nothing more is needed.
    """
    line = route.line
    apart = nearest_pair(route, o, p, line)
    bare_o, bare_p = route.radius[o] - route.growth[o], route.radius[p] - route.growth[p]
    gap, grown = apart - bare_o - bare_p, route.growth[o] + route.growth[p]
    if gap >= 2 * route.half - SLACK or gap < -TOUCH or gap < grown - 4 * SLACK:
        return
    w = new_obstacle(route)
    ax, ay, bx, by = line[0, 0], line[0, 1], line[1, 0], line[1, 1]
    dx, dy = bx - ax, by - ay
    if apart < SLACK:  # they touch: across the seam
        dx, dy = route.x[p] - route.x[o], route.y[p] - route.y[o]
    length = math.sqrt(dx * dx + dy * dy)
    dx, dy = dx / length, dy / length
    first, last = (bare_o, bare_p) if belongs(route, o, ax, ay) else (bare_p, bare_o)
    core, first, last = route.core[w], first - INTO, last - INTO
    core[0, 0], core[0, 1] = ax + first * dx, ay + first * dy
    core[1, 0], core[1, 1] = bx - last * dx, by - last * dy
    step_back(table, route, core)
    x, y = route.ends[1, 0], route.ends[1, 1]
    if segment_gap(core[0, 0], core[0, 1], core[1, 0], core[1, 1], x, y) < INTO:
        route.obstacles -= 1  # the path ends in the mouth, from whichever side
        return
    route.shape[w], route.met[w], route.corners[w] = -1, 0, 2
    route.radius[w], route.growth[w] = 2 * SLACK, 0.0  # no line may even end on it
    route.x[w], route.y[w] = 0.5 * (core[0, 0] + core[1, 0]), 0.5 * (core[0, 1] + core[1, 1])
    route.reach[w] = 0.5 * gap + 2 * INTO


@part
def step_back(table, route, bar):
    """Move a bar on which the path begins a little ahead, so that the base is on one side."""
    x, y = route.ends[0, 0], route.ends[0, 1]
    if segment_gap(bar[0, 0], bar[0, 1], bar[1, 0], bar[1, 1], x, y) < SLACK:
        row = table.bases[route.mover]
        for a in range(2):
            bar[a, 0] += INTO * row[Base.FX]
            bar[a, 1] += INTO * row[Base.FY]


@part
def belongs(route, o, x, y):
    """Whether a point is a corner of a core."""
    for a in range(route.corners[o]):
        if route.core[o, a, 0] == x and route.core[o, a, 1] == y:
            return True
    return False


@routine
def close_gaps(table, route):
    """Load what is near the path's ends, and bar narrow gaps beside what could not grow there."""
    for at in range(route.near_count):
        shape = route.listed[at]
        if not near_ends(table, route, shape):
            continue
        o = load(table, route, shape)
        if o == LEFT_OUT or route.growth[o] >= route.half - TOUCH:
            continue
        for at_other in range(route.listed_count):
            other = route.listed[at_other]
            if other == shape:
                continue
            x, y = table.x[shape] - table.x[other], table.y[shape] - table.y[other]
            reach = table.reach[shape] + table.reach[other] + 2 * route.half
            if x * x + y * y < reach * reach:
                p = load(table, route, other)
                # of two that could not grow, once
                if p != LEFT_OUT and not (route.growth[p] < route.half - TOUCH and other < shape):
                    close_gap(table, route, o, p)


@part
def near_ends(table, route, shape):
    """Whether the circle round a shape comes within half a width of an end of the path."""
    reach = table.reach[shape] + route.half
    for k in range(2):
        x, y = route.ends[k, 0] - table.x[shape], route.ends[k, 1] - table.y[shape]
        if x * x + y * y < reach * reach:
            return True
    return False
