"""Moves of a battle: places at an enemy's edge, ways there, moves towards a point (M-1 to M-4).

The model. A fighter looks at a few places of the edges that face it, then at one of each other
edge, and takes the first that is free and in reach. Ways are straight, or have one bend or two:
never shorter than those of `table.paths`, and as far from everything, half a base's width
or what there is at their ends. Who cannot end a move where it wants to ends it nearer to its
beginning.
"""

import math

import numpy as np

from .._jit import part, routine
from ..core.dice import note
from ..core.sets import NONE, bit, count_bits, lowest, without_lowest
from ..layout.battle import MAX_ENEMIES, MAX_TRACK, Story
from ..layout.table import GOAL, MAX_BASES, SLACK, START, TOUCH, Base, Leg
from ..table.contacts import change_contacts, enemies
from ..table.geometry import (
    FAR,
    fits,
    hull_point,
    hulls,
    is_disc,
    is_inside,
    segment_gap,
    shape_base,
    touch,
    within,
)
from ..table.paths import cut_path, fix_tolls
from ..table.places import edge_count, edge_length, nearest_on, place_on

SAME = 1e-9  # cm that are no way at all
LENGTH, TOLL = 4, 5  # of a place, after aim point and facing
PLACES = 3  # looked at along an edge, or to each side round a disc
ASIDE = math.pi / 4  # between those round a disc
CLEAR = -1
BEGINS, ENDS = 1, 2  # where a way is, of which a line is a part
ROOM = 0.01  # cm beside what is gone round
WIDER = 3  # bends that are tried on a side, each round what bars the one before
BACK, BACKS = 0.5, 40  # cm from one end of a move that is tried to the next
LOOKS = 2  # at ways to free places at the edges of an enemy
HALVES = 3  # of a straight way that is barred
SOON = 6  # of them as near as that, the others four times as far


@part
def side_of(battle, i):
    """Side of a fighter."""
    return np.int64(battle.table.bases[i, Base.SIDE])


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
    ENDS with the line (bits of ``ends``), it may pass a shape as near as it is there (`paths`).
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

    Returns
    -------
    int
        ``CLEAR``, or what bars the last that was tried.
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
    """Whether the way in the route meets a piece of relief (M-1.4), as `paths` says."""
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


@routine
def is_crowded(battle, i):
    """Whether the base, where it is, would make more enemies touch one than may."""
    table, side = battle.table, side_of(battle, i)
    own, foes = count_bits(battle.alive[side]), count_bits(battle.alive[1 - side])
    if own <= MAX_ENEMIES and foes <= MAX_ENEMIES:
        return False
    met = 0
    for j in range(battle.n):
        if (battle.alive[1 - side] & bit(j)) != NONE and touch(table, i, j):
            met += 1
            if count_bits(enemies(table, j) & ~bit(i)) >= MAX_ENEMIES:
                return True
    return met > MAX_ENEMIES


@routine
def fits_on(battle, i, j, edge, t, limit):
    """Whether a place at an edge is free, and not too far as the crow flies; it is written down."""
    table, row, place = battle.table, battle.table.bases[i], battle.place
    x, y, fx, fy = place_on(table, j, edge, t)
    old_x, old_y, old_fx, old_fy = row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY]
    if not within(math.sqrt((x - old_x) ** 2 + (y - old_y) ** 2), limit):
        return False
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = x, y, fx, fy
    shape_base(table, i)
    free = fits(table, i) and not is_crowded(battle, i)
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = old_x, old_y, old_fx, old_fy
    shape_base(table, i)
    place[0], place[1], place[2], place[3] = x, y, fx, fy
    return free


@part
def faces_edge(table, j, edge, x, y):
    """How far a point is in front of an edge of a rectangle; below 0: behind it."""
    hull, after = table.hull[j], (edge + 1) % 4
    dx, dy = hull[after, 0] - hull[edge, 0], hull[after, 1] - hull[edge, 1]
    return (x - hull[edge, 0]) * dy - (y - hull[edge, 1]) * dx


@part
def spot_on(battle, j, edge, nearest, k):
    """The k-th place that is looked at along an edge, from the nearest on, in the turn's sense."""
    table = battle.table
    if is_disc(table, j):
        turn = ASIDE * ((k + 1) // 2)
        return nearest + (turn if k % 2 == battle.hand else -turn)
    if k == 0:
        return nearest
    return edge_length(table, j, edge) if (k == 1) == (battle.hand == 1) else 0.0


@part
def edge_at(battle, k):
    """The k-th edge that is looked at, in the turn's sense."""
    return (4 - k) % 4 if battle.hand else k


@routine
def seek_straight(battle, i, j, limit):
    """A free place at an enemy's edge with nothing in the way, ``FAR``: none is seen.

    Returns
    -------
    length : float
    edge, t : int and float
        A free place with something in the way, edge -1: none.
    """
    table, row = battle.table, battle.table.bases[i]
    x, y, round_base = row[Base.X], row[Base.Y], is_disc(table, j)
    other_edge, other_t, looks = -1, 0.0, 0
    for side in range(edge_count(table, j)):
        edge = edge_at(battle, side)
        if not round_base and faces_edge(table, j, edge, x, y) <= 0:
            continue
        nearest = nearest_on(table, j, edge, x, y, 0.0, edge_length(table, j, edge))
        for k in range(2 * PLACES if round_base else PLACES):
            t = spot_on(battle, j, edge, nearest, k)
            if looks == LOOKS or not fits_on(battle, i, j, edge, t, limit):
                continue
            looks += 1
            place, route = battle.place, battle.route
            if go_straight(battle, i, place[0], place[1], j) == CLEAR:
                if within(route.length + route.toll, limit):
                    place[LENGTH], place[TOLL] = route.length, route.toll
                    return route.length + route.toll, edge, t
                continue
            if other_edge < 0:
                other_edge, other_t = edge, t
    return FAR, other_edge, other_t


@routine
def seek_hidden(battle, i, j, limit):
    """An edge of a rectangle that looks away, the middle of which is free; -1: none."""
    table, row = battle.table, battle.table.bases[i]
    if is_disc(table, j):
        return -1
    for k in range(4):
        edge = edge_at(battle, k)
        middle = 0.5 * edge_length(table, j, edge)
        hidden = faces_edge(table, j, edge, row[Base.X], row[Base.Y]) <= 0
        if hidden and fits_on(battle, i, j, edge, middle, limit):
            return edge
    return -1


@routine
def seek_place(battle, i, j, limit):
    """Length and toll of the way to a free place at an enemy's edge (M-4.3); ``FAR``: none is seen.

    The place is written to ``battle.place``.
    """
    table, place = battle.table, battle.place
    found, edge, t = seek_straight(battle, i, j, limit)
    if found < FAR:
        return found
    if edge < 0:
        edge = seek_hidden(battle, i, j, limit)
        if edge < 0:
            return FAR
        t = 0.5 * edge_length(table, j, edge)
    x, y, fx, fy = place_on(table, j, edge, t)
    found = find_length(battle, i, x, y, j)
    if not within(found, limit):
        return FAR
    place[0], place[1], place[2], place[3] = x, y, fx, fy
    place[LENGTH], place[TOLL] = battle.route.length, battle.route.toll
    return found


@routine
def nearest_point(battle, i, j):
    """The point of an enemy's edge that is nearest to a fighter's aim point, of those facing it."""
    table = battle.table
    x, y = table.bases[i, Base.X], table.bases[i, Base.Y]
    if is_disc(table, j):
        t = nearest_on(table, j, 0, x, y, 0.0, 2 * math.pi)
        px, py, _, _ = place_on(table, j, 0, t)
        return px, py
    best, best_x, best_y = FAR, table.x[j], table.y[j]
    for k in range(4):
        edge = edge_at(battle, k)
        if faces_edge(table, j, edge, x, y) > 0:
            t = nearest_on(table, j, edge, x, y, 0.0, edge_length(table, j, edge))
            px, py, _, _ = place_on(table, j, edge, t)
            gap = (px - x) ** 2 + (py - y) ** 2
            if gap < best:
                best, best_x, best_y = gap, px, py
    return best_x, best_y


@part
def write_track(battle, log, i, x, y):
    """Write where a move from (x, y) led, and its length; its number."""
    number = 0
    if len(log) > 1:
        number = min(battle.tracks, MAX_TRACK - 1)
        row, track = battle.table.bases[i], battle.track[number]
        track[0], track[1], track[2], track[3] = (
            row[Base.X],
            row[Base.Y],
            row[Base.FX],
            row[Base.FY],
        )
        track[4], track[5] = battle.place[LENGTH], battle.place[TOLL]
        track[6], track[7] = x, y
        battle.tracks += 1
    return number


@routine
def stand(battle, moment, i, target, action, short, redirected):
    """Put a fighter at ``battle.place``, find its contacts, and tell of the move."""
    row, place = battle.table.bases[i], battle.place
    x, y = row[Base.X], row[Base.Y]
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = place[0], place[1], place[2], place[3]
    change_contacts(battle.table, i)
    battle.stamp += 1
    number = write_track(battle, moment.log, i, x, y)
    met = np.int64(enemies(battle.table, i))
    note(moment, Story.MOVE, number, i, target, action, short, redirected, met)


@routine
def can_end(battle, i, x, y, fx, fy):
    """Whether a move may end at a place: it is free, and in contact with no enemy."""
    table, row = battle.table, battle.table.bases[i]
    old_x, old_y, old_fx, old_fy = row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY]
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = x, y, fx, fy
    shape_base(table, i)
    free = fits(table, i)
    foes = battle.alive[1 - side_of(battle, i)]
    for j in range(battle.n):
        if free and (foes & bit(j)) != NONE and touch(table, i, j):
            free = False
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = old_x, old_y, old_fx, old_fy
    shape_base(table, i)
    return free


@routine
def find_direction(battle, i, x, y, limit, target):
    """Whether there is a way towards a point, as far as a fighter may go; it is in the route.

    Where the straight way and those with a bend are barred, it is a part of the straight one.
    """
    row = battle.table.bases[i]
    ax, ay = row[Base.X], row[Base.Y]
    length = math.sqrt((x - ax) ** 2 + (y - ay) ** 2)
    if length <= SAME:
        return False
    share = min(limit / length, 1.0)
    barrier = go_straight(battle, i, ax + share * (x - ax), ay + share * (y - ay), target)
    if barrier == CLEAR or find_bend(battle, i, x, y, target, barrier):
        return True
    for _ in range(HALVES):
        share *= 0.5
        if go_straight(battle, i, ax + share * (x - ax), ay + share * (y - ay), target) == CLEAR:
            return True
    return False


@routine
def seek_towards(battle, i, x, y, limit, look_x, look_y, target):
    """Find how far a fighter can go towards a point, to look at another there; 0: it stays.

    The end is written to ``battle.place``. It touches no enemy (M-2.2, M-3.1, M-4.4). ``target``
    is a base on whose edge the point is, or -1.
    """
    if not find_direction(battle, i, x, y, limit, target):
        return 0.0
    route, place = battle.route, battle.place
    toll = route.toll
    far = min(limit - toll, route.length)
    for k in range(BACKS):
        if far <= SAME:
            return 0.0
        px, py, dx, dy = cut_path(route, far)
        lx, ly = look_x - px, look_y - py
        length = math.sqrt(lx * lx + ly * ly)
        if length > SAME:
            dx, dy = lx / length, ly / length
        if can_end(battle, i, px, py, dx, dy):
            place[0], place[1], place[2], place[3] = px, py, dx, dy
            place[LENGTH], place[TOLL] = far, toll
            return far
        far -= BACK if k < SOON else 4 * BACK
    return 0.0


@routine
def flee(battle, moment, i, limit, action):
    """Move a fighter in rout towards its side's edge of the table (W-4.3)."""
    table, row = battle.table, battle.table.bases[i]
    half = 0.5 * row[Base.WIDTH]
    x = 0.0 if side_of(battle, i) == 0 else table.width
    y = min(max(row[Base.Y], half), table.depth - half)
    beyond = -1.0 if side_of(battle, i) == 0 else table.width + 1.0
    if seek_towards(battle, i, x, y, limit, beyond, y, -1) > 0:
        stand(battle, moment, i, -1, action, 0, 0)
