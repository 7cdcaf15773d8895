"""Moves of a battle: to a place at an enemy's edge, towards a point, in flight (M-1 to M-4).

The model. A fighter looks at a few places of the edges that face it, then at one of each other
edge, and takes the first that is free and in reach, by a way as `ways` finds them. Who cannot end
a move where it wants to ends it nearer to its beginning.
"""

import math

import numpy as np

from .._jit import part, routine
from ..core.dice import note
from ..core.sets import NONE, bit, count_bits
from ..layout.battle import MAX_ENEMIES, MAX_TRACK, Edge
from ..layout.log import Story
from ..layout.table import Base
from ..table.contacts import change_contacts, enemies
from ..table.geometry import (
    FAR,
    fits,
    is_disc,
    shape_base,
    touch,
    within,
)
from ..table.paths import cut_path
from ..table.places import edge_count, edge_length, nearest_on, place_on
from .ways import CLEAR, SAME, find_bend, find_length, go_straight

LENGTH, TOLL = 4, 5  # of a place, after aim point and facing
PLACES = 3  # looked at along an edge, or to each side round a disc
ASIDE = math.pi / 4  # between those round a disc
BACK, BACKS = 0.5, 40  # cm from one end of a move that is tried to the next
LOOKS = 2  # at ways to free places at the edges of an enemy
HALVES = 3  # of a straight way that is barred
SOON = 6  # of them as near as that, the others four times as far


@part
def side_of(battle, i):
    """Side of a fighter."""
    return np.int64(battle.table.bases[i, Base.SIDE])


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


@routine
def met_at(battle, i):
    """Mask of the enemies that a fighter would touch at ``battle.place``."""
    table, row, place = battle.table, battle.table.bases[i], battle.place
    old_x, old_y, old_fx, old_fy = row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY]
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = place[0], place[1], place[2], place[3]
    shape_base(table, i)
    met, foes = NONE, battle.alive[1 - side_of(battle, i)]
    for j in range(battle.n):
        if (foes & bit(j)) != NONE and touch(table, i, j):
            met |= bit(j)
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = old_x, old_y, old_fx, old_fy
    shape_base(table, i)
    return met


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

    Returned are its length, and the edge and t of a free place with something in the way, edge -1:
    none.
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
    """Move a fighter in rout towards its side's edge of the table, looking there (W-4.3)."""
    table, row = battle.table, battle.table.bases[i]
    half, edge = 0.5 * row[Base.WIDTH], battle.edges[side_of(battle, i)]
    x = min(max(row[Base.X], half), table.width - half)
    y = min(max(row[Base.Y], half), table.depth - half)
    look_x, look_y = x, y
    if edge == Edge.LEFT:
        x, look_x = 0.0, -1.0
    elif edge == Edge.RIGHT:
        x, look_x = table.width, table.width + 1.0
    elif edge == Edge.BOTTOM:
        y, look_y = 0.0, -1.0
    else:
        y, look_y = table.depth, table.depth + 1.0
    if seek_towards(battle, i, x, y, limit, look_x, look_y, -1) > 0:
        stand(battle, moment, i, -1, action, 0, 0)
