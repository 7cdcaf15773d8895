"""A place that touches several enemies, and the shortest path there (M-4.5).

The model. The places looked at are those at regular steps along the edges of the first
enemy, and those where the base comes to touch another shape, which are found exactly.
"""

import math

import numpy as np

from .._jit import kernel, routine
from ..core.sets import NONE, bit
from ..layout.table import Base
from .geometry import FAR, fits, is_disc, shape_base, touch
from .paths import find_path
from .places import ROUND, STEPS, distance_to, edge_count, edge_length, place_on, put_at, take_all


@routine
def touches_all(table, mover, wanted):
    """Whether a base, where it is, fits and touches all of a mask."""
    if not fits(table, mover):
        return False
    for j in range(table.n):
        if wanted & bit(j) != NONE and not touch(table, mover, j):
            return False
    return True


@routine
def find_touching(table, route, mover, target, wanted, through):
    """The shortest path to a place at a base's edge that touches all of a mask; ``FAR``: none."""
    row = table.bases[mover]
    old_x, old_y, old_fx, old_fy = row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY]
    best, best_edge, best_t = FAR, 0, 0.0
    steps = ROUND if is_disc(table, target) else STEPS
    route.mover = mover
    for edge in range(edge_count(table, target)):
        length = edge_length(table, target, edge)
        take_all(table, route, target, edge)
        for k in range(-2 * route.taken_count, steps + 1):
            t = length * k / steps if k >= 0 else route.taken[(-k - 1) // 2, (-k - 1) % 2]
            if not 0 <= t <= length or distance_to(table, route, target, edge, t) >= best:
                continue
            put_at(table, mover, target, edge, t)
            there = touches_all(table, mover, wanted)
            row[Base.X], row[Base.Y], row[Base.FX], row[Base.FY] = old_x, old_y, old_fx, old_fy
            shape_base(table, mover)
            if not there:
                continue
            x, y, _, _ = place_on(table, target, edge, t)
            found = find_path(table, route, mover, x, y, through)
            if found < best:
                best, best_edge, best_t = found, edge, t
    if best == FAR:
        return FAR
    x, y, fx, fy = place_on(table, target, best_edge, best_t)
    route.place[0], route.place[1], route.place[2], route.place[3] = x, y, fx, fy
    return find_path(table, route, mover, x, y, through)


@kernel
def path_touching(tables, routes, mover, target, wanted, through):
    """Find the shortest path of a base to where it touches several enemies (M-4.5).

    Parameters
    ----------
    tables : ndarray of TABLE, shape (1,)
        Prepared; left as it was.
    routes : ndarray of ROUTE, shape (1,)
        Written as by `places.path_to_edge`.
    mover : int
    target : int
        The enemy at whose edge its aim point ends.
    wanted : uint64
        Mask of the enemies that it must touch.
    through : uint64
        Mask of bases that it passes through (M-1.3).

    Returns
    -------
    float
        Length and toll together, cm; infinity if there is no such place or no path.
    """
    found = find_touching(
        tables[0], routes[0], mover, target, np.uint64(wanted), np.uint64(through)
    )
    return math.inf if found == FAR else found
