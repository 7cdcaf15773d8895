"""The table: contacts, sight and paths, beside shapely and a networkx graph.

40 fighters on square bases and 12 pieces of impassable terrain. The baselines share no code with
the package. Their corners are polygons instead of arcs: between polygons inside the arcs and
polygons outside of them lies the true length, and the distance of the two is their own error.
"""

import math
from functools import partial
from itertools import combinations
from typing import NamedTuple

import networkx as nx
import numpy as np
import shapely
from numpy.typing import NDArray
from races.form import Bench, Racer, in_turn
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from estoc.kernels._jit import kernel
from estoc.kernels.layout.table import MAX_BASES, ROUTE, TABLE, Hides
from estoc.kernels.table.contacts import change_contacts, fill_contacts, prepare
from estoc.kernels.table.geometry import FAR
from estoc.kernels.table.paths import find_path
from estoc.kernels.table.places import find_place
from estoc.kernels.table.sight import sees
from estoc.sim.bench.agreement import demand
from estoc.sim.bench.timing import repeated

FIGHTERS, PIECES, SIDE, WIDTH = 40, 12, 100.0, 2.5
SEED = 6
QUERIES = 64
NEAR = 1e-9  # shapely's contact: bases are placed by whole decimals
SHAVE = 1e-6  # what a line may enter
SEGMENTS = 8  # chords of a quarter of a circle
WIDER = 1 / math.cos(math.pi / (4 * SEGMENTS))
LONG = 1e5
BARS = {
    "contact graph": 5e-6,
    "contacts after one move": 0.3e-6,
    "sight line": 1e-6,
    "path, nothing in the way": 1e-6,
    "path with a detour": 50e-6,
    "path to an enemy's edge": None,
}
LEAST_RATIO = 100
ROUND_SECONDS = 0.01


# ---------------------------------------------------------------------------- the work


class Work(NamedTuple):
    """A table, and what is asked of it.

    shapes : bases and pieces as polygons
    pairs : shape (q, 2), viewer and target
    straight, round : shape (q, 3), mover and where it goes
    """

    tables: NDArray[np.void]
    bases: list[BaseGeometry]
    pieces: list[BaseGeometry]
    pairs: NDArray[np.int64]
    straight: NDArray[np.float64]
    round: NDArray[np.float64]


def square(x: float, y: float) -> BaseGeometry:
    """A base that faces up, by its aim point."""
    return shapely.box(x - WIDTH / 2, y - WIDTH, x + WIDTH / 2, y)


def place(rng: np.random.Generator) -> tuple[list[list[float]], list[BaseGeometry]]:
    """Aim points and pieces of terrain, none upon another; a third of the fighters in contact."""
    pieces: list[BaseGeometry] = []
    while len(pieces) < PIECES:
        turns = np.sort(rng.uniform(0, 2 * np.pi, 6))
        middle, axes = rng.uniform(10, SIDE - 10, 2), rng.uniform(2, 5, 2)
        corners = middle + axes * np.column_stack([np.cos(turns), np.sin(turns)])
        piece = shapely.Polygon(corners)
        if all(piece.distance(other) > 1 for other in pieces):
            pieces.append(piece)
    aims: list[list[float]] = []
    while len(aims) < FIGHTERS:
        x, y = np.round(rng.uniform(8, SIDE - 8, 2), 1)
        new = [[x, y], [x + 0.5, y + WIDTH]] if len(aims) < FIGHTERS // 3 else [[x, y]]
        others = [*pieces, *(square(*aim) for aim in aims)]
        if all(square(*aim).distance(other) > 0.3 for aim in new for other in others):
            aims += new
    return aims[:FIGHTERS], pieces


def work() -> Work:
    """The table, and questions about it that have an answer."""
    rng = np.random.default_rng(SEED)
    aims, pieces = place(rng)
    tables = np.zeros(1, TABLE)
    table = tables[0]
    table["n"], table["pieces"], table["width"], table["depth"] = FIGHTERS, PIECES, SIDE, SIDE
    for i, (x, y) in enumerate(aims):
        table["bases"][i] = [x, y, 0, 1, 0, WIDTH, WIDTH, 1, i % 2, 0, 1]
    for k, piece in enumerate(pieces):
        corners = np.array(piece.exterior.coords[:-1])
        table["corners"][k], table["sizes"][k], table["impassable"][k] = len(corners), 2, 1
        table["terrain"][k, : len(corners)] = corners
    prepare(tables)
    pairs = np.array([rng.choice(FIGHTERS, 2, replace=False) for _ in range(QUERIES)])
    blank = np.zeros((0, 3))
    found = Work(tables, [square(*aim) for aim in aims], pieces, pairs, blank, blank)
    straight, bent = [], []
    while min(len(straight), len(bent)) < QUERIES:
        mover = int(rng.integers(FIGHTERS))
        goal = np.array(aims[mover]) + rng.uniform(-20, 20, 2)
        if is_open(found, mover, goal):
            free = plain_free(found, mover, goal)
            (straight if free else bent).append([mover, *goal])
    return found._replace(straight=np.array(straight[:QUERIES]), round=np.array(bent[:QUERIES]))


def obstacles(job: Work, mover: int) -> list[BaseGeometry]:
    return [base for i, base in enumerate(job.bases) if i != mover] + job.pieces


def is_open(job: Work, mover: int, goal: NDArray[np.float64]) -> bool:
    """Whether both ends of a path are half a base's width from everything."""
    if not (goal.min() > WIDTH and goal.max() < SIDE - WIDTH):
        return False
    ends = shapely.Point(job.tables[0]["bases"][mover, :2]), shapely.Point(goal)
    return all(end.distance(o) > WIDTH / 2 for end in ends for o in obstacles(job, mover))


# ---------------------------------------------------------------------------- shapely, networkx


def plain_contacts(job: Work) -> set[tuple[int, int]]:
    """Pairs of bases that touch."""
    tree = shapely.STRtree(job.bases)
    one, other = tree.query(job.bases, predicate="dwithin", distance=NEAR)
    return {(int(i), int(j)) for i, j in zip(one, other, strict=True) if i < j}


def plain_update(job: Work, tree: shapely.STRtree, i: int) -> set[int]:
    """Bases that touch one, among those of a tree."""
    found = tree.query(job.bases[i], predicate="dwithin", distance=NEAR)
    return {int(j) for j in found if j != i}


def plain_sight(job: Work, viewer: int, target: int) -> bool:
    """Whether some of the target's base is outside the shadows of all others."""
    eye = tuple(job.tables[0]["bases"][viewer, :2])
    line = shapely.LineString([eye, job.bases[target].centroid]).buffer(2 * WIDTH)
    seen = job.bases[target]
    for k, shape in enumerate(job.bases + job.pieces):
        if k not in (viewer, target) and shape.intersects(line):
            far = affinity.scale(shape, LONG, LONG, origin=eye)
            seen = seen.difference(shapely.union_all([shape, far]).convex_hull)
    return seen.area > 1e-9


def plain_free(job: Work, mover: int, goal: NDArray[np.float64]) -> bool:
    """Whether the straight line keeps half a base's width from everything."""
    line = shapely.LineString([job.tables[0]["bases"][mover, :2], goal])
    return all(line.distance(shape) >= WIDTH / 2 - SHAVE for shape in obstacles(job, mover))


def plain_path(job: Work, mover: int, goal: NDArray[np.float64], wider: float = 1.0) -> float:
    """Length of the shortest path; what is in the way of one joins the graph of the next."""
    start = job.tables[0]["bases"][mover, :2]
    every = [shape.buffer(wider * WIDTH / 2, quad_segs=SEGMENTS) for shape in obstacles(job, mover)]
    inner = [shape.buffer(-SHAVE) for shape in every]
    tree, spots, way, met = shapely.STRtree(inner), np.array([start, goal]), [0, 1], set()
    length = math.dist(start, goal)
    while True:
        line = shapely.LineString(spots[way])
        new = {int(k) for k in tree.query(line, predicate="intersects")} - met
        if not new:
            return length
        met |= new
        solid = shapely.union_all([inner[k] for k in met])
        shapely.prepare(solid)
        corners = [np.array(every[k].exterior.coords[:-1]) for k in met]
        spots = np.concatenate([[start, goal], *corners])
        a, b = np.triu_indices(len(spots), 1)
        lines = shapely.linestrings(np.stack([spots[a], spots[b]], axis=1))
        free = ~shapely.intersects(solid, lines)
        graph = nx.Graph()
        lengths = np.hypot(*(spots[a] - spots[b]).T)
        graph.add_weighted_edges_from(zip(a[free], b[free], lengths[free], strict=True))
        length, way = nx.bidirectional_dijkstra(graph, 0, 1)


# ---------------------------------------------------------------------------- estoc, in loops


@kernel
def contacts_loop(tables, times):
    """Find all contacts so often."""
    for _ in range(times):
        fill_contacts(tables[0])


@kernel
def update_loop(tables, times):
    """Take up one base's row so often, each in turn."""
    for k in range(times):
        change_contacts(tables[0], k % tables[0].n)


@kernel
def sight_loop(tables, pairs, times):
    """Look along so many lines; how many are free."""
    seen = 0
    for k in range(times):
        pair = pairs[k % len(pairs)]
        seen += sees(tables[0], pair[0], pair[1], Hides.LOWER)
    return seen


@kernel
def path_loop(tables, routes, asked, times):
    """Find so many paths; the length of the last one."""
    length = 0.0
    for k in range(times):
        row = asked[k % len(asked)]
        mover, x, y = np.int64(row[0]), row[1], row[2]
        length = find_path(tables[0], routes[0], mover, x, y, np.uint64(0), FAR)
    return length


@kernel
def place_loop(tables, routes, pairs, times):
    """Find so many paths to another base's edge; the length of the last one."""
    length = 0.0
    for k in range(times):
        pair = pairs[k % len(pairs)]
        length = find_place(tables[0], routes[0], pair[0], pair[1], np.uint64(0), FAR)
    return length


def near_pairs(job: Work) -> NDArray[np.int64]:
    """Fighters within 20 cm of one another, as far as most of them charge."""
    aims = job.tables[0]["bases"][:FIGHTERS, :2]
    found = [pair for pair in combinations(range(FIGHTERS), 2) if math.dist(*aims[list(pair)]) < 20]
    return np.array(found[:QUERIES])


# ---------------------------------------------------------------------------- checks and times


def check(job: Work, count: int) -> float:
    """End the run where two disagree; the widest error of a plain path, cm."""
    table, routes = job.tables[0], np.zeros(1, ROUTE)
    masks = [int(mask) for mask in table["touching"][:FIGHTERS]]
    ours = {(i, j) for i, j in combinations(range(FIGHTERS), 2) if masks[i] >> j & 1}
    demand(ours == plain_contacts(job) and len(ours) > 3, "contacts differ from shapely's")
    for viewer, target in job.pairs[:count]:
        seen = sight_loop(job.tables, np.array([[viewer, target]]), 1) == 1
        demand(seen == plain_sight(job, viewer, target), f"sight {viewer} to {target} differs")
    widest = 0.0
    for row in (*job.straight[:count], *job.round[:count]):
        length = path_loop(job.tables, routes, row[None], 1)
        low, high = (plain_path(job, int(row[0]), row[1:], wider) for wider in (1.0, WIDER))
        demand(
            low - 2 * SHAVE * MAX_BASES <= length <= high + 2 * SHAVE * MAX_BASES,
            f"path of {row}: {length} is not between {low} and {high}",
        )
        widest = max(widest, high - low)
    return widest


def racers(job: Work) -> dict[str, Racer]:
    """What is timed, each question by both who answer it."""
    routes, tree = np.zeros(1, ROUTE), shapely.STRtree(job.bases)
    straight, bent = ([(int(r[0]), r[1:]) for r in rows] for rows in (job.straight, job.round))
    ours = (
        partial(contacts_loop, job.tables),
        partial(update_loop, job.tables),
        partial(sight_loop, job.tables, job.pairs),
        partial(path_loop, job.tables, routes, job.straight),
        partial(path_loop, job.tables, routes, job.round),
        partial(place_loop, job.tables, routes, near_pairs(job)),
    )
    plain = (
        repeated(partial(plain_contacts, job)),
        in_turn(partial(plain_update, job, tree), [(i,) for i in range(FIGHTERS)]),
        in_turn(partial(plain_sight, job), job.pairs),
        in_turn(partial(plain_free, job), straight),
        in_turn(partial(plain_path, job), bent),
        None,
    )
    found = {}
    for (name, bar), own, other in zip(BARS.items(), ours, plain, strict=True):
        beside = f"{name}, plain" if other else ""
        found[name] = Racer(own, beside=beside, bar=bar)
        if other:
            found[beside] = Racer(other)
    return found


def time_part(bench: Bench) -> None:
    """Time all questions."""
    job = work()
    error = check(job, bench.pick(QUERIES, 8))
    title = f"{FIGHTERS} fighters and {PIECES} pieces of terrain"
    wanted = f"plain: by shapely and networkx; wanted: {LEAST_RATIO} times as fast"
    bench.race(title, racers(job), wanted, seconds=ROUND_SECONDS)
    bench.facts("Paths agree to within the error of the plain ones", {"most, cm": error})
