"""Shapes on the table: corners, gaps, contact, overlap, edges of the table, terrain.

Separation of two shapes: their gap where they are apart; below 0, how far one would have to
move so that they only touch. Bases at different levels neither touch nor overlap (reading).
"""

import math

from .._jit import kernel, part, routine
from ..layout.table import MAX_BASES, TOUCH, Base, Shape

FAR = 1e300
DISC = float(Shape.DISC)  # numba compares no float with a member


@part
def within(length, limit):
    """Whether a measured length is at most a limit: rounding decides nothing (M-1.1)."""
    return length <= limit + TOUCH


@part
def is_disc(table, i):
    """Whether a base is round."""
    return table.bases[i, Base.SHAPE] == DISC


@part
def base_point(table, i, ahead, left):
    """A point by its distance ahead of the aim point and to the left of it."""
    row = table.bases[i]
    x = row[Base.X] + ahead * row[Base.FX] - left * row[Base.FY]
    y = row[Base.Y] + ahead * row[Base.FY] + left * row[Base.FX]
    return x, y


@routine
def shape_base(table, i):
    """Derive corners and circle of a base from its row."""
    row, hull = table.bases[i], table.hull[i]
    depth, half = row[Base.DEPTH], 0.5 * row[Base.WIDTH]
    table.x[i], table.y[i] = base_point(table, i, -0.5 * depth, 0.0)
    if is_disc(table, i):
        table.reach[i] = half
        return
    table.reach[i] = math.sqrt(half * half + 0.25 * depth * depth)
    hull[0, 0], hull[0, 1] = base_point(table, i, 0.0, -half)
    hull[1, 0], hull[1, 1] = base_point(table, i, 0.0, half)
    hull[2, 0], hull[2, 1] = base_point(table, i, -depth, half)
    hull[3, 0], hull[3, 1] = base_point(table, i, -depth, -half)


@routine
def shape_terrain(table, k):
    """Put the corners of a piece in counter-clockwise order, and draw a circle round it."""
    hull, n = table.terrain[k], table.corners[k]
    area = x = y = 0.0
    for a in range(n):
        b = a + 1 if a + 1 < n else 0
        area += hull[a, 0] * hull[b, 1] - hull[a, 1] * hull[b, 0]
        x += hull[a, 0] / n
        y += hull[a, 1] / n
    if area < 0:
        for a in range(n // 2):
            b = n - 1 - a
            hull[a, 0], hull[b, 0] = hull[b, 0], hull[a, 0]
            hull[a, 1], hull[b, 1] = hull[b, 1], hull[a, 1]
    reach = 0.0
    for a in range(n):
        reach = max(reach, math.sqrt((hull[a, 0] - x) ** 2 + (hull[a, 1] - y) ** 2))
    at = MAX_BASES + k
    table.x[at], table.y[at], table.reach[at] = x, y, reach


@part
def segment_gap(ax, ay, bx, by, px, py):
    """Distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = ((px - ax) * dx + (py - ay) * dy) / length if length > 0 else 0.0
    t = min(max(t, 0.0), 1.0)
    x, y = ax + t * dx - px, ay + t * dy - py
    return math.sqrt(x * x + y * y)


@routine
def hull_point(hull, n, px, py):
    """Separation of a polygon and a point."""
    inside, gap = -FAR, FAR
    for a in range(n):
        b = a + 1 if a + 1 < n else 0
        ax, ay, bx, by = hull[a, 0], hull[a, 1], hull[b, 0], hull[b, 1]
        dx, dy = bx - ax, by - ay
        out = ((px - ax) * dy - (py - ay) * dx) / math.sqrt(dx * dx + dy * dy)
        inside = max(inside, out)
        if out > 0:
            gap = min(gap, segment_gap(ax, ay, bx, by, px, py))
    return gap if inside > 0 else inside


@part
def outside(hull, n, other, m, limit):
    """The widest gap between two polygons across an edge of the first; stops above ``limit``."""
    widest = -FAR
    for a in range(n):
        b = a + 1 if a + 1 < n else 0
        ax, ay = hull[a, 0], hull[a, 1]
        dx, dy = hull[b, 0] - ax, hull[b, 1] - ay
        least = FAR
        for c in range(m):
            least = min(least, (other[c, 0] - ax) * dy - (other[c, 1] - ay) * dx)
        widest = max(widest, least / math.sqrt(dx * dx + dy * dy))
        if widest > limit:
            return widest
    return widest


@routine
def hulls(hull, n, other, m, limit):
    """Separation of two polygons; above ``limit``, some value above it that is not too high."""
    widest = outside(hull, n, other, m, limit)
    if widest <= limit:
        widest = max(widest, outside(other, m, hull, n, limit))
    if widest <= 0 or widest > limit:
        return widest
    gap = FAR
    for a in range(n):
        gap = min(gap, hull_point(other, m, hull[a, 0], hull[a, 1]))
    for c in range(m):
        gap = min(gap, hull_point(hull, n, other[c, 0], other[c, 1]))
    return gap


@part
def point_separation(table, i, px, py):
    """Separation of a base and a point."""
    row = table.bases[i]
    x, y = px - table.x[i], py - table.y[i]
    if is_disc(table, i):
        return math.sqrt(x * x + y * y) - table.reach[i]
    ahead = abs(x * row[Base.FX] + y * row[Base.FY]) - 0.5 * row[Base.DEPTH]
    aside = abs(y * row[Base.FX] - x * row[Base.FY]) - 0.5 * row[Base.WIDTH]
    if ahead > 0 and aside > 0:
        return math.sqrt(ahead * ahead + aside * aside)
    return max(ahead, aside)


@routine
def rectangles(table, i, j):
    """The widest gap between two rectangles across one of their sides; below 0: they overlap."""
    one, other = table.bases[i], table.bases[j]
    x, y = table.x[j] - table.x[i], table.y[j] - table.y[i]
    fx, fy, gx, gy = one[Base.FX], one[Base.FY], other[Base.FX], other[Base.FY]
    cos, sin = abs(fx * gx + fy * gy), abs(fx * gy - fy * gx)
    deep, wide = 0.5 * one[Base.DEPTH], 0.5 * one[Base.WIDTH]
    other_deep, other_wide = 0.5 * other[Base.DEPTH], 0.5 * other[Base.WIDTH]
    gap = abs(x * fx + y * fy) - deep - other_deep * cos - other_wide * sin
    gap = max(gap, abs(y * fx - x * fy) - wide - other_deep * sin - other_wide * cos)
    gap = max(gap, abs(x * gx + y * gy) - other_deep - deep * cos - wide * sin)
    return max(gap, abs(y * gx - x * gy) - other_wide - deep * sin - wide * cos)


@part
def within_limit(table, i, j, limit):
    """Separation of two bases, whatever their levels; exact up to ``limit``."""
    if is_disc(table, j):
        return point_separation(table, i, table.x[j], table.y[j]) - table.reach[j]
    if is_disc(table, i):
        return point_separation(table, j, table.x[i], table.y[i]) - table.reach[i]
    widest = rectangles(table, i, j)
    if widest <= 0 or widest > limit:
        return widest
    return hulls(table.hull[i], 4, table.hull[j], 4, limit)


@routine
def separation(table, i, j):
    """Separation of two bases, whatever their levels."""
    return within_limit(table, i, j, FAR)


@routine
def terrain_separation(table, i, k, limit):
    """Separation of a base and a piece of terrain; exact up to ``limit``."""
    if is_disc(table, i):
        gap = hull_point(table.terrain[k], table.corners[k], table.x[i], table.y[i])
        return gap - table.reach[i]
    return hulls(table.hull[i], 4, table.terrain[k], table.corners[k], limit)


@part
def near(table, a, b, margin):
    """Whether the circles round two shapes come as near as ``margin``."""
    x, y = table.x[a] - table.x[b], table.y[a] - table.y[b]
    reach = table.reach[a] + table.reach[b] + margin
    return x * x + y * y <= reach * reach


@part
def meet(table, i, j):
    """Whether two bases may touch or overlap: alive, and at one level."""
    one, other = table.bases[i], table.bases[j]
    here = one[Base.ALIVE] != 0 and other[Base.ALIVE] != 0
    return i != j and here and one[Base.LEVEL] == other[Base.LEVEL]


@part
def touch(table, i, j):
    """Whether two bases are in contact."""
    if not (near(table, i, j, TOUCH) and meet(table, i, j)):
        return False
    return abs(within_limit(table, i, j, TOUCH)) <= TOUCH


@part
def overlap(table, i, j):
    """Whether two bases overlap; those that touch do not."""
    if not (near(table, i, j, 0.0) and meet(table, i, j)):
        return False
    return within_limit(table, i, j, -TOUCH) < -TOUCH


@part
def overlap_terrain(table, i, k):
    """Whether a base overlaps a piece of terrain; one that it touches it does not."""
    return near(table, i, MAX_BASES + k, 0.0) and terrain_separation(table, i, k, 0.0) < -TOUCH


@part
def is_inside(table, x, y, r):
    """Whether a disc is on the table."""
    across = within(r, x) and within(x, table.width - r)
    return across and within(r, y) and within(y, table.depth - r)


@part
def on_table(table, i):
    """Whether no part of a base is beyond the table's edge."""
    if is_disc(table, i):
        return is_inside(table, table.x[i], table.y[i], table.reach[i])
    for a in range(4):
        if not is_inside(table, table.hull[i, a, 0], table.hull[i, a, 1], 0.0):
            return False
    return True


@routine
def first_overlap(table, i):
    """What a base overlaps: a base, ``MAX_BASES`` + an impassable piece of terrain, or -1 (M-1.2).

    A base that is not at level 0 stands upon terrain, which is not in its way.
    """
    for j in range(table.n):
        if overlap(table, i, j):
            return j
    if table.bases[i, Base.LEVEL] != 0:
        return -1
    for k in range(table.pieces):
        if table.impassable[k] and overlap_terrain(table, i, k):
            return MAX_BASES + k
    return -1


@part
def fits(table, i):
    """Whether a base stands on the table and overlaps nothing that it must go round (M-1.2)."""
    return on_table(table, i) and first_overlap(table, i) < 0


@kernel
def gap_between(tables, i, j):
    """Gap between two bases in cm, levels left out; below 0, minus the depth of their overlap."""
    return separation(tables[0], i, j)


@kernel
def gap_to_terrain(tables, i, k):
    """Separation of a base and a piece of terrain, in cm; arguments as of `gap_between`."""
    return terrain_separation(tables[0], i, k, FAR)


@kernel
def is_on_table(tables, i):
    """Whether no part of a base is beyond the table's edge; arguments as of `gap_between`."""
    return on_table(tables[0], i)


@kernel
def overlapped(tables, i):
    """As `first_overlap`."""
    return first_overlap(tables[0], i)
