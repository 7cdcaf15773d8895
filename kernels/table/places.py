"""Where a base may be placed at an enemy's edge, and the shortest path there (M-4.3, M-4.5).

The model. The aim point lies on the target's edge and the base faces it: square to a side of a
rectangle, towards the centre of a disc. It fits where it is on the table and overlaps nothing;
it may stick out beyond the side. What each other shape bars of a rectangle's edge follows from the
axes that part the two; of a disc, and for a disc, it is found by steps, its bounds by halving
them. A place that is just wide enough is found. Of each stretch that is left the path goes to the
place nearest to its beginning, then from its last bend to the place nearest to that, until it gets
no shorter; and so from places 1 cm apart, where the path can still be shorter: along a free
stretch a path changes by no more than its end. The shortest is taken. What is near the end of a
path grows less for it, so that a better place may be missed by up to half a millimetre.

Left out: facings askew at a corner of a rectangle; of discs, what bars less than a step of an
edge, but the place itself is looked at.
"""

import math

import numpy as np

from .._jit import kernel, part, routine
from ..layout.table import MAX_BASES, MAX_TAKEN, TOUCH, Base, Fault, Leg
from .geometry import (
    FAR,
    is_disc,
    meet,
    on_table,
    overlap,
    overlap_terrain,
    shape_base,
)
from .paths import find_path, fits_at

STEPS = 16  # places looked at along a side
ROUND = 64  # and round a disc
HALVINGS = 36  # of the step between a place that fits and one that does not
SPACING = 1.0  # cm between the places at which paths are first tried
TRIES = 40  # ends of a path, each nearer to the last bend or to the one before
NEARER = 1e-6  # places nearer to one another are one
GAIN = 1e-9  # a path that is shorter by less is as short
INSIDE = TOUCH - 1e-9  # as deep as bases may be in one another, but for rounding
PARALLEL = 1e-12


@part
def edge_count(table, target):
    """Edges along which a base can be placed."""
    return 1 if is_disc(table, target) else 4


@part
def edge_length(table, target, edge):
    """Range of places along an edge: cm along a side, radians round a disc."""
    if is_disc(table, target):
        return 2 * math.pi
    hull, after = table.hull[target], (edge + 1) % 4
    x, y = hull[after, 0] - hull[edge, 0], hull[after, 1] - hull[edge, 1]
    return math.sqrt(x * x + y * y)


@part
def place_on(table, target, edge, t):
    """Aim point and facing of a base placed at an edge."""
    if is_disc(table, target):
        cos, sin, r = math.cos(t), math.sin(t), table.reach[target]
        return table.x[target] + r * cos, table.y[target] + r * sin, -cos, -sin
    hull, after = table.hull[target], (edge + 1) % 4
    x, y = hull[edge, 0], hull[edge, 1]
    dx, dy = hull[after, 0] - x, hull[after, 1] - y
    length = math.sqrt(dx * dx + dy * dy)
    dx, dy = dx / length, dy / length
    return x + t * dx, y + t * dy, -dy, dx


@part
def nearest_on(table, target, edge, x, y, first, last):
    """The place of a stretch that is nearest to a point."""
    if is_disc(table, target):
        t = math.atan2(y - table.y[target], x - table.x[target])
        while t < first:
            t += 2 * math.pi
        if t <= last:
            return t
        # beyond the stretch: its nearer end, round the disc
        return last if t - last < first + 2 * math.pi - t else first
    px, py, fx, fy = place_on(table, target, edge, 0.0)
    return min(max((x - px) * fy - (y - py) * fx, first), last)


@part
def put_at(table, mover, target, edge, t):
    """Place the base at an edge, its contacts as they were."""
    row = table.bases[mover]
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = place_on(table, target, edge, t)
    shape_base(table, mover)


@part
def is_barred(table, mover, other):
    """Whether the base, where it is, overlaps one other shape, or -1: sticks out of the table."""
    if other < 0:
        return not on_table(table, mover)
    if other < MAX_BASES:
        return overlap(table, mover, other)
    return overlap_terrain(table, mover, other - MAX_BASES)


@routine
def halve(table, mover, target, edge, other, free, barred):
    """The bound between a place that a shape leaves free and one that it bars: still free."""
    for _ in range(HALVINGS):
        middle = 0.5 * (free + barred)
        put_at(table, mover, target, edge, middle)
        if is_barred(table, mover, other):
            barred = middle
        else:
            free = middle
    return free


@part
def take(route, first, last):
    """Note a stretch where the base does not fit; its ends are free."""
    if route.taken_count == MAX_TAKEN:
        route.fault = Fault.CROWDED.value
        return
    route.taken[route.taken_count, 0], route.taken[route.taken_count, 1] = first, last
    route.taken_count += 1


@routine
def take_for(table, route, target, edge, other):
    """Note all stretches of an edge that one other shape bars."""
    mover, length = route.mover, edge_length(table, target, edge)
    if not (is_disc(table, mover) or is_disc(table, target)):
        take_along(table, route, target, edge, other, length)
        return
    steps = ROUND if is_disc(table, target) else STEPS
    first, was_barred = -1.0, False
    for k in range(steps + 1):
        t = length * k / steps
        put_at(table, mover, target, edge, t)
        barred = is_barred(table, mover, other)
        if barred and not was_barred and k > 0:
            first = halve(table, mover, target, edge, other, length * (k - 1) / steps, t)
        if was_barred and not barred:
            before = length * (k - 1) / steps
            take(route, first, halve(table, mover, target, edge, other, t, before))
        was_barred = barred
    if was_barred:
        take(route, first, length + 1.0)


@part
def take_between(route, first, last, length):
    """Note a stretch where the base does not fit, if it reaches the edge from 0 to its length."""
    if first < last and last > 0 and first < length:
        take(route, first, last)


@routine
def take_polygon(route, lane, hull, n, length):
    """Note where a rectangle that moves along an edge overlaps a polygon: on all their axes."""
    first, last, fx, fy = -FAR, FAR, lane[2], lane[3]
    for k in range(2 + n):
        ux, uy = fx, fy
        if k == 1:
            ux, uy = fy, -fx
        elif k > 1:
            a, b = k - 2, k - 1 if k - 1 < n else 0
            ux, uy = hull[b, 1] - hull[a, 1], hull[a, 0] - hull[b, 0]
            norm = math.sqrt(ux * ux + uy * uy)
            ux, uy = ux / norm, uy / norm
        pace, ahead = fy * ux - fx * uy, fx * ux + fy * uy
        room = lane[4] * abs(pace) + lane[5] * abs(ahead) - INSIDE
        low = high = hull[0, 0] * ux + hull[0, 1] * uy
        for c in range(1, n):
            along = hull[c, 0] * ux + hull[c, 1] * uy
            low, high = min(low, along), max(high, along)
        at = lane[0] * ux + lane[1] * uy
        low, high = low - room - at, high + room - at
        if abs(pace) < PARALLEL:
            if low >= 0 or high <= 0:
                return
            continue
        low, high = low / pace, high / pace
        first, last = max(first, min(low, high)), min(last, max(low, high))
    take_between(route, first, last, length)


@routine
def take_disc(route, lane, x, y, r, length):
    """Note where a rectangle that moves along an edge overlaps a disc."""
    fx, fy, room = lane[2], lane[3], r - INSIDE
    dx, dy = x - lane[0], y - lane[1]
    along, beyond = dx * fy - dy * fx, abs(dx * fx + dy * fy) - lane[5]
    if beyond >= room:
        return
    half = lane[4] + (room if beyond <= 0 else math.sqrt(room * room - beyond * beyond))
    take_between(route, along - half, along + half, length)


@routine
def take_outside(table, route, lane, length):
    """Note where a rectangle that moves along an edge sticks out of the table."""
    fx, fy, first, last = lane[2], lane[3], 0.0, length
    for k in range(2):
        pace = fy if k == 0 else -fx
        reach = lane[4] * abs(pace) + lane[5] * (abs(fx) if k == 0 else abs(fy)) - INSIDE
        size, at = (table.width, lane[0]) if k == 0 else (table.depth, lane[1])
        low, high = reach - at, size - reach - at
        if abs(pace) < PARALLEL:
            if low > 0 or high < 0:
                last = -1.0
            continue
        low, high = low / pace, high / pace
        first, last = max(first, min(low, high)), min(last, max(low, high))
    if first > last:
        take(route, -1.0, length + 1.0)
        return
    take_between(route, -1.0, first, length)
    take_between(route, last, length + 1.0, length)


@routine
def take_along(table, route, target, edge, other, length):
    """As `take_for`, of a rectangle at a rectangle's edge."""
    mover, lane = route.mover, route.lane
    row = table.bases[mover]
    x, y, fx, fy = place_on(table, target, edge, 0.0)
    lane[2], lane[3] = fx, fy
    lane[4], lane[5] = 0.5 * row[Base.WIDTH], 0.5 * row[Base.DEPTH]
    lane[0], lane[1] = x - lane[5] * fx, y - lane[5] * fy
    if other < 0:
        take_outside(table, route, lane, length)
    elif other >= MAX_BASES:
        k = other - MAX_BASES
        take_polygon(route, lane, table.terrain[k], table.corners[k], length)
    elif meet(table, mover, other):
        if is_disc(table, other):
            take_disc(route, lane, table.x[other], table.y[other], table.reach[other], length)
        else:
            take_polygon(route, lane, table.hull[other], 4, length)


@routine
def take_all(table, route, target, edge):
    """Note all stretches of an edge where the base does not fit; it is left where it was."""
    mover, row = route.mover, table.bases[route.mover]
    old_x, old_y, old_fx, old_fy = row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY]
    route.taken_count = 0
    span = 2 * table.reach[mover] + table.reach[target]
    x, y = table.x[target], table.y[target]
    if not (span <= x <= table.width - span and span <= y <= table.depth - span):
        take_for(table, route, target, edge, -1)
    grounded = row[Base.LEVEL] == 0
    for other in range(MAX_BASES + table.pieces):
        is_base = other < table.n and other != mover and other != target
        is_wall = other >= MAX_BASES and grounded and table.impassable[other - MAX_BASES] != 0
        dx, dy, reach = table.x[other] - x, table.y[other] - y, table.reach[other] + span
        if (is_base or is_wall) and dx * dx + dy * dy < reach * reach:
            take_for(table, route, target, edge, other)
    row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = old_x, old_y, old_fx, old_fy
    shape_base(table, mover)


@part
def stretch_end(route, first, length):
    """Where a stretch ends that begins at a place; below 0 if the place is taken."""
    last = length
    for k in range(route.taken_count):
        if route.taken[k, 0] < first < route.taken[k, 1]:
            return -1.0
        if route.taken[k, 0] >= first:
            last = min(last, route.taken[k, 0])
    return last


@part
def distance_to(table, route, target, edge, t):
    """Distance from the base to a place, as the crow flies."""
    x, y, _, _ = place_on(table, target, edge, t)
    row = table.bases[route.mover]
    return math.sqrt((x - row[Base.X]) ** 2 + (y - row[Base.Y]) ** 2)


@routine
def approach(table, route, target, edge, t, first, last, through, best, most):
    """The shortest path to a stretch from a place of it on; its length and its end."""
    found, at = FAR, t
    for _ in range(TRIES):
        if distance_to(table, route, target, edge, t) >= best:
            break
        x, y, fx, fy = place_on(table, target, edge, t)
        length = FAR
        if fits_at(table, route.mover, x, y, fx, fy):
            length = find_path(table, route, route.mover, x, y, through, most)
        if length < found - GAIN:
            found, at = length, t
            leg = route.legs[route.leg_count - 1]
            t = nearest_on(table, target, edge, leg[Leg.X0], leg[Leg.Y0], first, last)
        else:  # too far: what is near the end of a path grows less for it, so that ways change
            t = 0.5 * (at + t)
        if abs(t - at) < NEARER:
            break
    return found, at


@routine
def find_place(table, route, mover, target, through, most):
    """The shortest path to where a base fits at another's edge; its length, ``FAR``: none.

    None is looked for that is longer than ``most``.
    """
    route.mover, route.fault, crowded = mover, Fault.NONE.value, False
    best, best_edge, best_t = most, -1, 0.0
    sx, sy = table.bases[mover, Base.X], table.bases[mover, Base.Y]
    scale = table.reach[target] if is_disc(table, target) else 1.0  # cm of a place's unit
    spacing = SPACING / scale
    for edge in range(edge_count(table, target)):
        length = edge_length(table, target, edge)
        nearest = nearest_on(table, target, edge, sx, sy, 0.0, length)
        if distance_to(table, route, target, edge, nearest) >= best:
            continue
        take_all(table, route, target, edge)
        for k in range(-1, route.taken_count):
            first = 0.0 if k < 0 else route.taken[k, 1]
            if first > length:
                continue
            last = stretch_end(route, first, length)
            if last < first:
                continue
            middle = nearest_on(table, target, edge, sx, sy, first, last)
            if distance_to(table, route, target, edge, middle) >= best:
                continue
            most_there = best + scale * (last - first)  # a longer way there leads nowhere else
            found, t = approach(
                table, route, target, edge, middle, first, last, through, best, most_there
            )
            crowded = crowded or route.fault == Fault.CROWDED
            if found == FAR and not crowded:
                continue
            if found < best - GAIN:
                best, best_edge, best_t = found, edge, t
            least, at = found, t
            seeds = 2 + int((last - first) / spacing)
            for seed in range(seeds):
                t = first + (last - first) * seed / (seeds - 1)
                if least - scale * abs(t - at) < best - GAIN:
                    found, t = approach(
                        table, route, target, edge, t, first, last, through, best, most_there
                    )
                    crowded = crowded or route.fault == Fault.CROWDED
                    if found < best - GAIN:
                        best, best_edge, best_t = found, edge, t
    if best_edge < 0:
        route.fault = Fault.CROWDED.value if crowded else Fault.CLOSED.value
        return FAR
    x, y, fx, fy = place_on(table, target, best_edge, best_t)
    route.place[0], route.place[1], route.place[2], route.place[3] = x, y, fx, fy
    return find_path(table, route, mover, x, y, through, FAR)


@kernel
def path_to_edge(tables, routes, mover, target, through):
    """Find the shortest path of a base to another's edge, where it fits (M-1.1, M-4.3).

    As `paths.path_to_point`; ``place`` gets aim point and facing at the end, which is not on a
    base passed ``through``.
    """
    found = find_place(tables[0], routes[0], mover, target, np.uint64(through), FAR)
    return math.inf if found == FAR else found
