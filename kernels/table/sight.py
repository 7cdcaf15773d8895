"""Whether a fighter sees another, even partly (M-4.1).

The seed says neither from where, nor past what. Reading: the table seen from above. A fighter
sees a target if a straight line from its aim point reaches some point of the target's base and
nothing that hides the target is on it. A living base of another fighter or a piece of terrain
hides it where its size is at least that of the smaller of the two, or of the bigger (``Hides``:
the caller's choice). Terrain that overlaps the viewer's or the target's base hides nothing: they
stand in or upon it. Who touches the target sees it. What only grazes a line hides nothing, and
two shapes that touch let nothing through. Left out: what a fighter has behind its back (no seed
limits sight to the front), levels, and heights other than by size.

Visibility is exact, not sampled. Directions are slopes in a frame that looks at the nearest
point of the target, so that all of the target is in front of the viewer. Two convex shapes that
do not overlap can be divided by a line, so that one is before the other in all directions that
they share: each shape hides an interval of slopes or nothing, and the target is hidden where
these intervals leave nothing of its own.
"""

import math
from typing import NamedTuple

from .._jit import kernel, part, routine
from ..layout.table import MAX_BASES, SLIT, TOUCH, Base, Hides
from .geometry import FAR, is_disc, overlap_terrain, point_separation


class View(NamedTuple):
    """An eye, and the direction in which it looks; to the left of it slopes are above 0."""

    x: float
    y: float
    ux: float
    uy: float


@part
def nearest_point(table, i, px, py):
    """The point of a base that is nearest to a point outside it."""
    row, x, y = table.bases[i], px - table.x[i], py - table.y[i]
    if is_disc(table, i):
        share = table.reach[i] / math.sqrt(x * x + y * y)
        return table.x[i] + share * x, table.y[i] + share * y
    fx, fy = row[Base.FX], row[Base.FY]
    depth, half = 0.5 * row[Base.DEPTH], 0.5 * row[Base.WIDTH]
    ahead = min(max(x * fx + y * fy, -depth), depth)
    aside = min(max(y * fx - x * fy, -half), half)
    return table.x[i] + ahead * fx - aside * fy, table.y[i] + ahead * fy + aside * fx


@part
def local(view, x, y):
    """Distance of a point along the view, and to the left of it."""
    x, y = x - view.x, y - view.y
    return x * view.ux + y * view.uy, y * view.ux - x * view.uy


@part
def hull_span(view, hull, n):
    """Slopes between which a polygon is seen; of its parts in front only."""
    low, high = FAR, -FAR
    before_a, before_b = local(view, hull[n - 1, 0], hull[n - 1, 1])
    for k in range(n):
        a, b = local(view, hull[k, 0], hull[k, 1])
        if a > TOUCH:
            low, high = min(low, b / a), max(high, b / a)
        if (a > TOUCH) != (before_a > TOUCH):  # the edge comes from behind: cut it there
            cut = b + (before_b - b) * (a - TOUCH) / (a - before_a)
            low, high = min(low, cut / TOUCH), max(high, cut / TOUCH)
        before_a, before_b = a, b
    return low, high


@part
def disc_span(a, b, r):
    """Slopes between which a disc is seen; of its parts in front only."""
    square = a * a + b * b
    tangent = math.sqrt(max(square - r * r, 0.0))
    left_a, left_b = a * tangent - b * r, b * tangent + a * r
    right_a, right_b = a * tangent + b * r, b * tangent - a * r
    if left_a <= 0 and right_a <= 0 and a <= 0:
        return FAR, -FAR
    low = right_b / right_a if right_a > 0 else -FAR
    high = left_b / left_a if left_a > 0 else FAR
    return low, high


@part
def span(table, view, shape):
    """Slopes between which a base, or a piece of terrain, is seen."""
    if shape >= MAX_BASES:
        k = shape - MAX_BASES
        return hull_span(view, table.terrain[k], table.corners[k])
    if is_disc(table, shape):
        a, b = local(view, table.x[shape], table.y[shape])
        return disc_span(a, b, table.reach[shape])
    return hull_span(view, table.hull[shape], 4)


@part
def hull_entry(view, hull, n, slope):
    """How far along the view a line of sight enters a polygon that it meets."""
    entry = 0.0
    last_a, last_b = local(view, hull[n - 1, 0], hull[n - 1, 1])
    for k in range(n):
        a, b = local(view, hull[k, 0], hull[k, 1])
        across = (b - last_b) - slope * (a - last_a)
        if across < 0:  # the line comes in over this edge
            entry = max(entry, (last_a * (b - last_b) - last_b * (a - last_a)) / across)
        last_a, last_b = a, b
    return entry


@part
def entry(table, view, shape, slope):
    """How far along the view a line of sight enters a shape that it meets."""
    if shape >= MAX_BASES:
        k = shape - MAX_BASES
        return hull_entry(view, table.terrain[k], table.corners[k], slope)
    if is_disc(table, shape):
        a, b = local(view, table.x[shape], table.y[shape])
        square, along = 1 + slope * slope, a + b * slope
        r = table.reach[shape]
        root = max(along * along - square * (a * a + b * b - r * r), 0.0)
        return (along - math.sqrt(root)) / square
    return hull_entry(view, table.hull[shape], 4, slope)


@part
def hides_part(table, view, shape, target, low, high):
    """Slopes, if any, at which a shape is before the target."""
    first, last = span(table, view, shape)
    first, last = max(first, low), min(last, high)
    if last <= first:
        return FAR, -FAR
    middle = 0.5 * (first + last)
    if entry(table, view, shape, middle) >= entry(table, view, target, middle):
        return FAR, -FAR
    return first, last


@part
def may_hide(table, view, shape, low, high, farthest):
    """Whether the circle round a shape is somewhere between the viewer and the target."""
    a, b = local(view, table.x[shape], table.y[shape])
    r = table.reach[shape]
    if a + r <= 0 or a - r >= farthest:
        return False
    above, below = b - high * a, low * a - b
    return not (
        (above > 0 and above * above > r * r * (1 + high * high))
        or (below > 0 and below * below > r * r * (1 + low * low))
    )


@part
def stands_in(table, viewer, target, k):
    """Whether one of two bases overlaps a piece of terrain."""
    return overlap_terrain(table, viewer, k) or overlap_terrain(table, target, k)


@part
def is_covered(table, found, low, high):
    """Whether the intervals found hide all slopes between two."""
    while True:
        reached = low
        for k in range(found):
            if table.low[k] <= low + SLIT * (1 + low * low):
                reached = max(reached, table.high[k])
        if reached >= high - SLIT * (1 + high * high):
            return True
        if reached <= low:
            return False
        low = reached


@part
def look_at(table, viewer, target):
    """A view of the nearest point of the target."""
    ex, ey = table.bases[viewer, Base.X], table.bases[viewer, Base.Y]
    px, py = nearest_point(table, target, ex, ey)
    x, y = px - ex, py - ey
    length = math.sqrt(x * x + y * y)
    return View(ex, ey, x / length, y / length)


@part
def hiding_size(table, viewer, target, hides):
    """The least size that hides the target."""
    one, other = table.bases[viewer, Base.SIZE], table.bases[target, Base.SIZE]
    return max(one, other) if hides == Hides.HIGHER else min(one, other)


@routine
def sees(table, viewer, target, hides):
    """Whether a fighter sees another, even partly (M-4.1)."""
    ex, ey = table.bases[viewer, Base.X], table.bases[viewer, Base.Y]
    if point_separation(table, target, ex, ey) <= TOUCH:
        return True
    view = look_at(table, viewer, target)
    size = hiding_size(table, viewer, target, hides)
    low, high = span(table, view, target)
    along, _ = local(view, table.x[target], table.y[target])
    farthest = along + table.reach[target]
    found = 0
    for i in range(table.n):
        row = table.bases[i]
        if i in (viewer, target) or row[Base.ALIVE] == 0 or row[Base.SIZE] < size:
            continue
        if may_hide(table, view, i, low, high, farthest):
            first, last = hides_part(table, view, i, target, low, high)
            if first < last:
                table.low[found], table.high[found] = first, last
                found += 1
    for k in range(table.pieces):
        shape = MAX_BASES + k
        if table.sizes[k] < size or not may_hide(table, view, shape, low, high, farthest):
            continue
        first, last = hides_part(table, view, shape, target, low, high)
        if first < last and not stands_in(table, viewer, target, k):
            table.low[found], table.high[found] = first, last
            found += 1
    return not is_covered(table, found, low, high)


@kernel
def sees_target(tables, viewer, target, hides):
    """Whether a fighter sees another, even partly, by the sizes that hide him (`Hides`; M-4.1)."""
    return sees(tables[0], viewer, target, hides)
