"""Ways of a fighter: straight, or with a bend or two past what bars them (M-1).

Never shorter than those of `table.paths`, and as far from everything: half a base's width, or
what there is at their ends.
"""

import math

from .._jit import part, routine
from ..core.sets import NONE, bit, lowest, without_lowest
from ..layout.table import GOAL, MAX_BASES, SLACK, START, TOUCH, Base, Leg
from ..table.contacts import enemies
from ..table.geometry import FAR, hull_point, hulls, is_disc, is_inside, segment_gap
from ..table.paths import fix_tolls

SAME = 1e-9  # cm that are no way at all
CLEAR = -1
BEGINS, ENDS = 1, 2  # where a way is, of which a line is a part
ROOM = 0.01  # cm beside what is gone round
WIDER = 3  # bends that are tried on a side, each round what bars the one before


@routine
def passes_through(battle, i):
    """Mask of the friends that a fighter passes through (M-1.3)."""
    mask, others = NONE, battle.speaking & ~bit(i) & battle.table.here
    if others == NONE:
        return NONE
    for j in range(battle.n):
        if (others & bit(j)) != NONE and enemies(battle.table, j) == NONE:
            mask |= bit(j)
    return mask


@routine
def leg_gap(table, route, shape, ax, ay, bx, by, limit):
    """Separation of a shape and a straight line; exact up to ``limit``."""
    if shape < MAX_BASES and is_disc(table, shape):
        return segment_gap(ax, ay, bx, by, table.x[shape], table.y[shape]) - table.reach[shape]
    terrain = shape - MAX_BASES
    hull = table.terrain[terrain] if terrain >= 0 else table.hull[shape]
    corners = table.corners[terrain] if terrain >= 0 else 4
    if abs(ax - bx) + abs(ay - by) < SLACK:
        return hull_point(hull, corners, ax, ay)
    line = route.line
    line[0, 0], line[0, 1], line[1, 0], line[1, 1] = ax, ay, bx, by
    return hulls(hull, corners, line, 2, limit)


@part
def crosses_box(ax, ay, bx, by, wide, deep):
    """Whether a straight line enters a box round the origin, given by half its sides."""
    dx, dy = bx - ax, by - ay
    first, last = 0.0, 1.0
    if dx != 0:
        t = -ax / dx
        span = wide / abs(dx)
        first, last = max(first, t - span), min(last, t + span)
    elif abs(ax) >= wide:
        return False
    if dy != 0:
        t = -ay / dy
        span = deep / abs(dy)
        first, last = max(first, t - span), min(last, t + span)
    elif abs(ay) >= deep:
        return False
    return first < last


@routine
def enters_rectangle(table, j, ax, ay, bx, by, room):
    """Whether a straight line comes nearer to a rectangle than ``room``; see `enters`."""
    row, x, y = table.bases[j], table.x[j], table.y[j]
    fx, fy = row[Base.FX], row[Base.FY]
    wide, deep = 0.5 * row[Base.DEPTH], 0.5 * row[Base.WIDTH]
    px, py = (ax - x) * fx + (ay - y) * fy, (ay - y) * fx - (ax - x) * fy
    qx, qy = (bx - x) * fx + (by - y) * fy, (by - y) * fx - (bx - x) * fy
    if not crosses_box(px, py, qx, qy, wide + room, deep + room):
        return False
    if room <= 0 or crosses_box(px, py, qx, qy, wide + room, deep):
        return True
    if crosses_box(px, py, qx, qy, wide, deep + room):
        return True
    for k in range(4):  # only where a corner's quarter of a disc is
        cx, cy = wide if k % 2 else -wide, deep if k > 1 else -deep
        if segment_gap(px, py, qx, qy, cx, cy) < room:
            return True
    return False


@part
def enters(table, route, shape, ax, ay, bx, by, room):
    """Whether a straight line comes nearer to a shape than ``room``; below 0: deeper into it."""
    if shape < MAX_BASES and not is_disc(table, shape):
        return enters_rectangle(table, shape, ax, ay, bx, by, room)
    return leg_gap(table, route, shape, ax, ay, bx, by, max(room, 0.0)) < room


@part
def is_near_leg(table, shape, ax, ay, dx, dy, scale, margin):
    """Whether the circle round a shape comes as near to a straight line as ``margin``."""
    px, py = table.x[shape] - ax, table.y[shape] - ay
    t = min(max((px * dx + py * dy) * scale, 0.0), 1.0)
    px, py = px - t * dx, py - t * dy
    reach = table.reach[shape] + margin
    return px * px + py * py < reach * reach


@routine
def bars(table, route, shape, ax, ay, bx, by, room, ends):
    """Whether a straight line passes a shape too near; see `find_barrier`."""
    if not enters(table, route, shape, ax, ay, bx, by, room - SLACK):
        return False
    near = room
    if ends & BEGINS:
        near = min(near, leg_gap(table, route, shape, ax, ay, ax, ay, room))
        if near < -TOUCH:  # it begins inside of it
            return False
    if ends & ENDS:
        near = min(near, leg_gap(table, route, shape, bx, by, bx, by, room))
    return (
        near >= room or near < -SLACK or enters(table, route, shape, ax, ay, bx, by, near - SLACK)
    )


@routine
def find_barrier(battle, i, ax, ay, bx, by, target, ends):
    """The first shape that is nearer to a straight line than half a base's width; ``CLEAR``: none.

    The line may touch ``target``, but not cross it (-1: there is none). Where the way BEGINS or
    ENDS with the line (bits of ``ends``), it may pass a shape as near as it is there
    (`table.paths`).
    """
    table, route = battle.table, battle.route
    half = 0.5 * table.bases[i, Base.WIDTH]
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    scale = 1.0 / length if length > 0 else 0.0
    left = table.here & ~bit(i) & ~battle.passed
    while left != NONE:
        j, left = lowest(left), without_lowest(left)
        if is_near_leg(table, j, ax, ay, dx, dy, scale, half):
            room = 0.0 if j == target else half
            if table.bases[j, Base.LEVEL] != table.bases[i, Base.LEVEL]:
                continue
            if bars(table, route, j, ax, ay, bx, by, room, ends):
                return j
    for shape in range(MAX_BASES, MAX_BASES + table.pieces):
        near = is_near_leg(table, shape, ax, ay, dx, dy, scale, half)
        near = near and table.impassable[shape - MAX_BASES] != 0
        if near and bars(table, route, shape, ax, ay, bx, by, half, ends):
            return shape
    return CLEAR


@part
def write_leg(route, k, ax, ay, bx, by):
    """Write a straight leg of the route; its length."""
    leg = route.legs[k]
    leg[Leg.X0], leg[Leg.Y0], leg[Leg.X1], leg[Leg.Y1] = ax, ay, bx, by
    leg[Leg.RADIUS] = leg[Leg.TURN] = 0.0
    return math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)


@routine
def bend_past(battle, i, x, y, target, barrier, side):
    """Write a clear way with one bend, on the left (1) or right (-1) of what bars it.

    Returned is ``CLEAR``, or what bars the last that was tried.
    """
    table, route, row = battle.table, battle.route, battle.table.bases[i]
    ax, ay, half = row[Base.X], row[Base.Y], 0.5 * row[Base.WIDTH]
    dx, dy = x - ax, y - ay
    length = math.sqrt(dx * dx + dy * dy)
    for _ in range(WIDER):
        away = side * (table.reach[barrier] + half + ROOM) / max(length, SLACK)
        px, py = table.x[barrier] - away * dy, table.y[barrier] + away * dx
        if not is_inside(table, px, py, half):
            return barrier
        other = find_barrier(battle, i, ax, ay, px, py, -1, BEGINS)
        if other == CLEAR:
            other = find_barrier(battle, i, px, py, x, y, target, ENDS)
        if other == CLEAR:
            route.length = write_leg(route, 0, ax, ay, px, py) + write_leg(route, 1, px, py, x, y)
            route.leg_count = 2
            add_tolls(battle, i, x, y)
            return CLEAR
        barrier = other
    return barrier


@part
def is_near_way(table, shape, leg, margin):
    """Whether the circle round a shape comes as near to a leg as ``margin``."""
    dx, dy = leg[Leg.X1] - leg[Leg.X0], leg[Leg.Y1] - leg[Leg.Y0]
    length = dx * dx + dy * dy
    scale = 1.0 / length if length > 0 else 0.0
    return is_near_leg(table, shape, leg[Leg.X0], leg[Leg.Y0], dx, dy, scale, margin)


@routine
def pays(table, route, k, half):
    """Whether the way in the route meets a piece of relief (M-1.4), as `table.paths` says."""
    shape, ends, room = MAX_BASES + k, route.ends, half
    near = False
    for at in range(route.leg_count):
        near = near or is_near_way(table, shape, route.legs[at], half)
    if not near:
        return False
    for end in range(2):
        x, y = ends[end, 0], ends[end, 1]
        room = min(room, max(leg_gap(table, route, shape, x, y, x, y, half), 0.0))
    for at in range(route.leg_count):
        leg = route.legs[at]
        ax, ay, bx, by = leg[Leg.X0], leg[Leg.Y0], leg[Leg.X1], leg[Leg.Y1]
        if enters(table, route, shape, ax, ay, bx, by, room - SLACK):
            return True
    return False


@routine
def add_tolls(battle, i, x, y):
    """Write what the way in the route costs for relief (M-1.4)."""
    table, route, row = battle.table, battle.route, battle.table.bases[i]
    route.toll = 0.0
    if table.pieces == 0:
        return
    route.mover = i
    route.ends[START, 0], route.ends[START, 1] = row[Base.X], row[Base.Y]
    route.ends[GOAL, 0], route.ends[GOAL, 1] = x, y
    route.toll = fix_tolls(table, route)
    half = 0.5 * row[Base.WIDTH]
    for k in range(table.pieces):
        if route.tolls[k] > 0 and pays(table, route, k, half):
            route.toll += route.tolls[k]


@routine
def go_straight(battle, i, x, y, target):
    """What bars the straight way to a point; ``CLEAR``: nothing, and it is in the route."""
    row, route = battle.table.bases[i], battle.route
    battle.passed = passes_through(battle, i)
    barrier = find_barrier(battle, i, row[Base.X], row[Base.Y], x, y, target, BEGINS | ENDS)
    if barrier == CLEAR:
        route.length, route.leg_count = write_leg(route, 0, row[Base.X], row[Base.Y], x, y), 1
        add_tolls(battle, i, x, y)
    return barrier


@part
def corner_of(table, shape, k):
    """The k-th corner of a shape, of which a disc has none."""
    if shape >= MAX_BASES:
        hull = table.terrain[shape - MAX_BASES]
        return hull[k, 0], hull[k, 1]
    return table.hull[shape, k, 0], table.hull[shape, k, 1]


@routine
def bend_twice(battle, i, x, y, target, barrier, side):
    """Whether there is a clear way along a side of what bars the straight one, left 1, right -1."""
    table, route, row = battle.table, battle.route, battle.table.bases[i]
    ax, ay, room = row[Base.X], row[Base.Y], 0.5 * row[Base.WIDTH] + ROOM
    length = math.sqrt((x - ax) ** 2 + (y - ay) ** 2)
    if length <= SAME:
        return False
    ux, uy = (x - ax) / length, (y - ay) / length
    px, py = table.x[barrier] - ax, table.y[barrier] - ay
    first = last = px * ux + py * uy
    wide = side * (py * ux - px * uy)
    if barrier < MAX_BASES and is_disc(table, barrier):
        reach = table.reach[barrier]
        first, last, wide = first - reach, last + reach, wide + reach
    else:
        for k in range(table.corners[barrier - MAX_BASES] if barrier >= MAX_BASES else 4):
            cx, cy = corner_of(table, barrier, k)
            along = (cx - ax) * ux + (cy - ay) * uy
            first, last = min(first, along), max(last, along)
            wide = max(wide, side * ((cy - ay) * ux - (cx - ax) * uy))
    first, last, wide = max(first - room, 0.0), min(last + room, length), side * (wide + room)
    px, py = ax + first * ux - wide * uy, ay + first * uy + wide * ux
    qx, qy = ax + last * ux - wide * uy, ay + last * uy + wide * ux
    if not (is_inside(table, px, py, room) and is_inside(table, qx, qy, room)):
        return False
    if find_barrier(battle, i, ax, ay, px, py, -1, BEGINS) != CLEAR:
        return False
    if find_barrier(battle, i, px, py, qx, qy, -1, 0) != CLEAR:
        return False
    if find_barrier(battle, i, qx, qy, x, y, target, ENDS) != CLEAR:
        return False
    route.length = write_leg(route, 0, ax, ay, px, py) + write_leg(route, 1, px, py, qx, qy)
    route.length += write_leg(route, 2, qx, qy, x, y)
    route.leg_count = 3
    add_tolls(battle, i, x, y)
    return True


@routine
def find_bend(battle, i, x, y, target, barrier):
    """Whether there is a way with a bend or two past what bars the straight one, in the route."""
    table, row = battle.table, battle.table.bases[i]
    ax, ay = row[Base.X], row[Base.Y]
    left = (x - ax) * (table.y[barrier] - ay) - (y - ay) * (table.x[barrier] - ax)
    side = -1 if left > 0 or (left == 0 and battle.hand) else 1
    if bend_past(battle, i, x, y, target, barrier, side) == CLEAR:
        return True
    if bend_past(battle, i, x, y, target, barrier, -side) == CLEAR:
        return True
    if bend_twice(battle, i, x, y, target, barrier, side):
        return True
    return bend_twice(battle, i, x, y, target, barrier, -side)


@routine
def find_length(battle, i, x, y, target):
    """Length and toll together of a way to a point, ``FAR``: none is seen; it is in the route.

    ``target`` is a base on whose edge the point is, or -1.
    """
    barrier = go_straight(battle, i, x, y, target)
    if barrier == CLEAR or find_bend(battle, i, x, y, target, barrier):
        return battle.route.length + battle.route.toll
    return FAR
