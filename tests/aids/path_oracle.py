"""Shortest paths by shapely and networkx: a visibility graph round buffered shapes.

A buffered corner is a polygon of ``SEGMENTS`` chords a quarter, inside the true arc; with a
radius larger by ``WIDER`` it is outside of it. The two lengths have the true one between them:
their difference is the oracle's own error.
"""

import math
from itertools import chain, combinations

import networkx as nx
import numpy as np
import shapely
import tables as build
from shapely.geometry.base import BaseGeometry

from estoc.kernels.layout.table import MAX_BASES, Base, Shape

SEGMENTS = 8
WIDER = 1 / math.cos(math.pi / (4 * SEGMENTS))
SHAVE = 1e-5  # what a line may enter


def cores(tables, mover, through, avoided):
    """Core and bare radius of all that is in the way (M-1.2, M-1.3)."""
    made = tables[0]
    rows = made["bases"]
    for i in range(made["n"]):
        same = rows[i, Base.LEVEL] == rows[mover, Base.LEVEL]
        if i == mover or not rows[i, Base.ALIVE] or not same or through >> i & 1:
            continue
        if rows[i, Base.SHAPE] == Shape.DISC:
            x, y, fx, fy = rows[i, :4]
            r = rows[i, Base.WIDTH] / 2
            yield i, shapely.Point(x - r * fx, y - r * fy), r
        else:
            yield i, build.shape(tables, i), 0.0
    for k in range(made["pieces"]):
        if made["impassable"][k] or k in avoided:
            yield MAX_BASES + k, build.piece(tables, k), 0.0


def grown(tables, mover, goal, through, avoided):
    """Obstacles as (core, radius), and lines that bar narrow gaps; None if the goal is inside."""
    row = tables[0]["bases"][mover]
    half = row[Base.WIDTH] / 2
    ends = shapely.Point(row[:2]), shapely.Point(goal)
    found = []
    for _, core, bare in cores(tables, mover, through, avoided):
        away, to = (core.distance(end) - bare for end in ends)
        if away < -1e-6 or core.buffer(-1e-6).contains(ends[0]):
            continue
        if to < -1e-6 or core.buffer(-1e-6).contains(ends[1]):
            return None
        found.append((core, bare, max(min(half, away, to), 0.0)))
    bars = []
    for (a, bare_a, grown_a), (b, bare_b, grown_b) in combinations(found, 2):
        gap = a.distance(b) - bare_a - bare_b
        narrow = max(grown_a + grown_b - SHAVE, -1e-6) < gap < 2 * half - SHAVE
        if narrow and min(grown_a, grown_b) < half - 1e-6:
            line = bar(row, ends[0], (a, bare_a), (b, bare_b))
            if line.distance(ends[1]) > 2 * SHAVE:
                bars.append(line)
    return [(core, bare + growth) for core, bare, growth in found], bars


def bar(row, start, one, other):
    """A line across a gap, from inside one shape to inside the other, and ahead of the base."""
    (a, bare_a), (b, bare_b) = one, other
    first, last = (np.array(point) for point in shapely.shortest_line(a, b).coords)
    along = last - first
    if np.hypot(*along) < SHAVE:
        along = np.subtract(b.centroid.coords[0], a.centroid.coords[0])
    along = along / np.hypot(*along)
    line = np.array([first + (bare_a - 2 * SHAVE) * along, last - (bare_b - 2 * SHAVE) * along])
    if shapely.LineString(line).distance(start) < SHAVE:
        line += 2 * SHAVE * np.array(row[2:4])
    return shapely.LineString(line)


def polygon(core: BaseGeometry, radius: float) -> BaseGeometry:
    return core.buffer(radius, quad_segs=SEGMENTS) if radius > 0 else core


def length(tables, mover, goal, through=0, avoided=(), wider=1.0):
    """Length of the shortest path; infinity if there is none."""
    made = tables[0]
    row = made["bases"][mover]
    half, start = row[Base.WIDTH] / 2, tuple(row[:2])
    obstacles = grown(tables, mover, goal, through, avoided)
    if obstacles is None:
        return math.inf
    shapes = [polygon(core, radius * wider) for core, radius in obstacles[0]]
    solid = shapely.union_all(
        [*(shape.buffer(-SHAVE, join_style="mitre") for shape in shapes), *obstacles[1]]
    )
    shapely.prepare(solid)
    sides = made["width"], made["depth"]
    low_x, low_y = (min(half, start[k], goal[k]) - SHAVE for k in range(2))
    high_x, high_y = (max(sides[k] - half, start[k], goal[k]) + SHAVE for k in range(2))
    points = [start, tuple(goal)]
    points += chain.from_iterable(shape.exterior.coords[:-1] for shape in shapes)
    points += chain.from_iterable(bar.coords for bar in obstacles[1])
    spots = np.array(points)
    inside = (low_x <= spots[:, 0]) & (spots[:, 0] <= high_x)
    inside &= (low_y <= spots[:, 1]) & (spots[:, 1] <= high_y)
    spots = spots[inside & ~shapely.intersects(solid, shapely.points(spots))]
    if len(spots) < 2 or tuple(spots[0]) != start or tuple(spots[1]) != tuple(goal):
        return math.inf
    a, b = np.triu_indices(len(spots), 1)
    free = ~shapely.intersects(solid, shapely.linestrings(np.stack([spots[a], spots[b]], axis=1)))
    graph = nx.Graph()
    graph.add_nodes_from(range(len(spots)))
    lengths = np.hypot(*(spots[a] - spots[b]).T)
    graph.add_weighted_edges_from(zip(a[free], b[free], lengths[free], strict=True))
    try:
        return nx.shortest_path_length(graph, 0, 1, weight="weight")
    except nx.NetworkXNoPath:
        return math.inf
