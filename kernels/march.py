"""Moves of a battle: places at an enemy's edge, ways there, moves towards a point (M-1 to M-4).

The model. A fighter looks at a few places of the edges that face it, then at one of each other
edge, and takes the first that is free and in reach. Ways are straight where nothing is near
them, else the shortest (`estoc.kernels.paths`). Who cannot end a move where it wants to ends
it nearer to its beginning.
"""

import math

import numpy as np

from estoc.kernels._jit import part, routine
from estoc.kernels.battle_codes import MAX_ENEMIES, MAX_TRACK, Story
from estoc.kernels.contacts import NONE, bit, change_contacts, enemies
from estoc.kernels.dice import note
from estoc.kernels.geometry import FAR, fits, is_disc, shape_base, touch
from estoc.kernels.paths import cut_path, find_path
from estoc.kernels.places import edge_length, nearest_on, place_on
from estoc.kernels.table_codes import MAX_BASES, Base, Leg

SAME = 1e-9  # cm: a way that is longer by less is in reach
LENGTH, TOLL = 4, 5  # of a place, after aim point and facing
PLACES = 4  # looked at along an edge, or to each side round a disc
ASIDE = math.pi / 4  # between those round a disc
BACK, BACKS = 0.5, 40  # cm from one end of a move that is tried to the next
SOON = 6  # of them as near as that, the others four times as far


@part
def count_bits(mask):
    """Number of fighters in a mask."""
    count = 0
    while mask != NONE:
        mask &= mask - np.uint64(1)
        count += 1
    return count


@part
def side_of(battle, i):
    """Side of a fighter."""
    return np.int64(battle.table.bases[i, Base.SIDE])


@part
def is_alive(battle, i):
    """Whether a fighter is on the table."""
    return (battle.table.here & bit(i)) != NONE


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


@part
def is_near_way(table, shape, x0, y0, dx, dy, scale, margin):
    """Whether the circle round a shape comes as near to a straight way as ``margin``."""
    px, py = table.x[shape] - x0, table.y[shape] - y0
    t = min(max((px * dx + py * dy) * scale, 0.0), 1.0)
    px, py = px - t * dx, py - t * dy
    reach = table.reach[shape] + margin
    return px * px + py * py < reach * reach


@routine
def is_clear(table, i, x, y, skip):
    """Whether nothing but ``skip`` is near the straight way of a base to a point."""
    row = table.bases[i]
    x0, y0, half = row[Base.X], row[Base.Y], 0.5 * row[Base.WIDTH]
    dx, dy = x - x0, y - y0
    length = dx * dx + dy * dy
    scale = 1.0 / length if length > 0 else 0.0
    for j in range(table.n):
        if j != i and j != skip and (table.here & bit(j)) != NONE:
            if is_near_way(table, j, x0, y0, dx, dy, scale, half):
                return False
    for k in range(table.pieces):
        if is_near_way(table, MAX_BASES + k, x0, y0, dx, dy, scale, half):
            return False
    return True


@routine
def find_length(battle, i, x, y, skip):
    """Length and toll together of the way to a point, ``FAR``: none; the way is in the route.

    ``skip`` is a base that a straight way is known not to cross, or -1.
    """
    table, route = battle.table, battle.route
    if not is_clear(table, i, x, y, skip):
        return find_path(table, route, i, x, y, passes_through(battle, i))
    leg, row = route.legs[0], table.bases[i]
    leg[Leg.X0], leg[Leg.Y0], leg[Leg.X1], leg[Leg.Y1] = row[Base.X], row[Base.Y], x, y
    leg[Leg.RADIUS] = leg[Leg.TURN] = 0.0
    route.leg_count, route.toll = 1, 0.0
    route.length = math.sqrt((x - row[Base.X]) ** 2 + (y - row[Base.Y]) ** 2)
    return route.length


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
def try_place(battle, i, j, edge, t, limit, skip):
    """Length of the way to a place at an edge, ``FAR`` if it is taken or too far."""
    table, row = battle.table, battle.table.bases[i]
    x, y, fx, fy = place_on(table, j, edge, t)
    old_x, old_y, old_fx, old_fy = row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY]
    if (x - old_x) ** 2 + (y - old_y) ** 2 > (limit + SAME) ** 2:
        return FAR
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = x, y, fx, fy
    shape_base(table, i)
    free = fits(table, i) and not is_crowded(battle, i)
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = old_x, old_y, old_fx, old_fy
    shape_base(table, i)
    if not free:
        return FAR
    found = find_length(battle, i, x, y, skip)
    if found > limit + SAME:
        return FAR
    place = battle.place
    place[0], place[1], place[2], place[3] = x, y, fx, fy
    place[LENGTH], place[TOLL] = battle.route.length, battle.route.toll
    return found


@part
def faces_edge(table, j, edge, x, y):
    """How far a point is in front of an edge of a rectangle; below 0: behind it."""
    hull, after = table.hull[j], (edge + 1) % 4
    dx, dy = hull[after, 0] - hull[edge, 0], hull[after, 1] - hull[edge, 1]
    return (x - hull[edge, 0]) * dy - (y - hull[edge, 1]) * dx


@part
def spot_on(length, nearest, k):
    """The k-th place that is looked at along an edge."""
    if k == 0:
        return nearest
    return length * 0.5 * (k - 1)


@routine
def seek_round(battle, i, j, limit):
    """A free place in reach at the edge of a disc; see `seek_place`."""
    row = battle.table.bases[i]
    nearest = nearest_on(battle.table, j, 0, row[Base.X], row[Base.Y], 0.0, 2 * math.pi)
    for k in range(2 * PLACES):
        turn = ASIDE * ((k + 1) // 2)
        t = nearest + (turn if k % 2 else -turn)
        found = try_place(battle, i, j, 0, t, limit, j if k == 0 else -1)
        if found < FAR:
            return found
    return FAR


@routine
def seek_place(battle, i, j, limit):
    """Length and toll of the way to a free place at an enemy's edge (M-4.3); ``FAR``: none is seen.

    The place is written to ``battle.place``.
    """
    table = battle.table
    if is_disc(table, j):
        return seek_round(battle, i, j, limit)
    x, y = table.bases[i, Base.X], table.bases[i, Base.Y]
    for behind in range(2):
        for edge in range(4):
            in_front = faces_edge(table, j, edge, x, y) > 0
            if in_front == (behind == 1):
                continue
            length = edge_length(table, j, edge)
            nearest = nearest_on(table, j, edge, x, y, 0.0, length)
            if behind:
                found = try_place(battle, i, j, edge, 0.5 * length, limit, -1)
                if found < FAR:
                    return found
                continue
            for k in range(PLACES):
                t = spot_on(length, nearest, k)
                found = try_place(battle, i, j, edge, t, limit, j)
                if found < FAR:
                    return found
    return FAR


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
    for edge in range(4):
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
    if log is not None:
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
def seek_towards(battle, i, x, y, limit, look_x, look_y):
    """Find how far a fighter can go towards a point, to look at another there; 0: it stays.

    The end is written to ``battle.place``. It touches no enemy (M-2.2, M-3.1, M-4.4).
    """
    if find_length(battle, i, x, y, -1) >= FAR:
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
    if seek_towards(battle, i, x, y, limit, beyond, y) > 0:
        stand(battle, moment, i, -1, action, 0, 0)
