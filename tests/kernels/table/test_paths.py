"""Shortest paths beside a visibility graph drawn with shapely and networkx (M-1.1 to M-1.4)."""

import math
from itertools import combinations

import numpy as np
import path_oracle
import pytest
import shapely
import tables as build
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from single_trials import draw_path

from estoc.kernels.layout.table import ROUTE, TOUCH, Base, Fault
from estoc.kernels.table.geometry import gap_between, gap_to_terrain
from estoc.kernels.table.paths import fits_facing, path_to_point

SEEDS = st.integers(0, 2**32 - 1)
ROUTES = np.zeros(1, ROUTE)
NOBODY = np.uint64(0)


def path(tables, x, y, through=0, mover=0):
    return path_to_point(tables, ROUTES, mover, float(x), float(y), np.uint64(through))


def drawn():
    """The path just found, as a line."""
    points = np.zeros((4096, 2))
    count = draw_path(ROUTES, 0.01, points)
    return points[:count]


def placed(rng, count, span, pieces=(), **other):
    """Bases that stand beside one another and off the terrain, on the table."""
    kept = []
    for _ in range(count):
        row = build.random_base(rng, span, **other)
        tables = build.table([*kept, row], pieces)
        i = len(kept)
        apart = all(gap_between(tables, i, j) > 0 for j in range(i))
        if apart and all(gap_to_terrain(tables, i, k) > 0 for k in range(len(pieces))):
            kept.append(row)
    return kept


def assert_agrees(tables, goal, through=0):
    """The length is between those of the oracle, and the path drawn has it."""
    found = path(tables, *goal, through)
    low = path_oracle.length(tables, 0, goal, through)
    high = path_oracle.length(tables, 0, goal, through, wider=path_oracle.WIDER)
    assert low - 1e-4 <= found <= high + 1e-4
    if found < math.inf:
        line = drawn()
        assert line[0] == pytest.approx(tables[0]["bases"][0, :2])
        assert line[-1] == pytest.approx(goal)
        assert shapely.LineString(line).length == pytest.approx(ROUTES[0]["length"], abs=1e-3)
    else:
        assert ROUTES[0]["fault"] == Fault.CLOSED
    return found


@given(SEEDS, st.integers(2, 12), st.integers(0, 3), st.sampled_from([14.0, 20.0, 30.0]))
@settings(max_examples=75, deadline=None)
def test_paths_agree_with_a_visibility_graph(seed, count, pieces, span):
    rng = np.random.default_rng(seed)
    terrain = [build.random_piece(rng, span, impassable=1) for _ in range(pieces)]
    rows = placed(rng, count, span, terrain)
    assume(rows)
    tables = build.table(rows, terrain, width=span, depth=span)
    assert_agrees(tables, tuple(rng.uniform(0, span, 2)), int(rng.integers(4)) << 1)


@given(SEEDS, st.sampled_from([0.0, 45.0, 17.3]))
@settings(max_examples=40, deadline=None)
def test_paths_among_bases_that_touch(seed, angle):
    """On a grid as wide as the bases: flush sides, corners that meet, gaps just wide enough."""
    rng = np.random.default_rng(seed)
    cells = rng.permutation(36)[:13]
    rows = [build.base(0, 0, 90 * rng.integers(4)) for _ in range(12)]
    for cell, row in zip(cells[:12], rows, strict=True):  # it fills its cell, whatever its facing
        row[0] = 2.5 * (cell % 6) + 1.25 * (1 + row[2])
        row[1] = 2.5 * (cell // 6) + 1.25 * (1 + row[3])
    goal = np.array([2.5 * (cells[12] % 6) + 1.25, 2.5 * (cells[12] // 6) + 1.25])
    tables = build.turned(build.table(rows), angle, shift=(40, 40))
    turn = math.radians(angle)
    x, y = goal
    goal = (
        40 + x * math.cos(turn) - y * math.sin(turn),
        40 + x * math.sin(turn) + y * math.cos(turn),
    )
    assert_agrees(tables, goal)


def test_straight_where_nothing_is_in_the_way():
    tables = build.table([build.base(50, 50), build.base(60, 53.2)])
    assert path(tables, 70, 48.7) == math.dist((50, 50), (70, 48.7))
    assert ROUTES[0]["leg_count"] == 1
    assert path(tables, 50, 50) == 0  # M-1.5: no way made


@pytest.mark.parametrize("angle", [0, 45, 17.3, 203.7])
def test_round_one_base_exactly(angle):
    """Tangents and arcs by hand: round two corners of a square, or round a disc (M-1.1, M-1.2)."""
    square = build.turned(build.table([build.base(40, 50), build.base(50, 51.25)]), angle)
    far = math.hypot(8.75, 1.25)  # to the corner, of which the arc is 1.25 away
    bend = math.asin(1.25 / far) + math.atan2(1.25, 8.75)  # of the tangent against the middle line
    expected = 2 * (math.sqrt(far**2 - 1.25**2) + 1.25 * bend) + 2.5
    assert path(square, *target(angle, 60, 50)) == pytest.approx(expected, abs=1e-12)

    rows = [build.base(40, 50), build.base(50, 51.5, 90, 3, disc=True)]
    disc = build.turned(build.table(rows), angle)
    r = 1.5 + 1.25
    expected = 2 * math.sqrt(100 - r * r) + 2 * r * math.asin(r / 10)
    assert path(disc, *target(angle, 60, 50)) == pytest.approx(expected, abs=1e-12)


def target(angle, x, y):
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cos - y * sin, x * sin + y * cos


@pytest.mark.parametrize("gap", [2.4, 2.499, 2.5, 2.501])
@pytest.mark.parametrize("disc", [False, True])
def test_a_gap_narrower_than_the_base_cannot_be_passed(gap, disc):  # M-1.2
    width = 3.0 if disc else 2.5
    across = (gap + width) / 2
    pair = [build.base(50 + k * across, 50 + width / 2, 90, width, disc=disc) for k in (-1, 1)]
    tables = build.table([build.base(50, 40), *pair])
    straight = gap >= 2.5
    assert (path(tables, 50, 60) == 20) == straight
    tables = build.table([build.base(50, 40, 90, 3.75, 3.75), *pair])
    assert path(tables, 50, 60) > 20


@pytest.mark.parametrize("gap", [1.0, 2.4, 2.5])
def test_nor_from_its_very_mouth(gap):
    """A base whose front touches both: what does not grow there leaves no room either."""
    across = (gap + 2.5) / 2
    pair = [build.base(50 + k * across, 52.5) for k in (-1, 1)]
    tables = build.table([build.base(50, 50), *pair])
    assert (path(tables, 50, 60) == 10) == (gap == 2.5)
    tables = build.table([build.base(50, 40), *pair])  # nor out of it, to a place in its mouth
    assert (path(tables, 50, 52.6) == pytest.approx(12.6)) == (gap == 2.5)


def test_friends_of_the_mask_are_passed_through():  # M-1.3
    tables = build.table([build.base(50, 40), build.base(50, 50), build.base(50, 55)])
    assert path(tables, 50, 60, 0b110) == 20
    assert path(tables, 50, 60, 0b010) > 20
    assert path(tables, 50, 60, 0b100) > 20


def test_the_dead_and_other_levels_are_not_in_the_way():
    rows = [build.base(50, 40), build.base(50, 50, alive=False), build.base(50, 55, level=1)]
    assert path(build.table(rows), 50, 60) == 20


def test_no_way_in_or_out():
    ring = [(50 + 3.2 * math.cos(a), 50 + 3.2 * math.sin(a)) for a in np.arange(8) * math.pi / 4]
    rows = [build.base(50, 50, 90, 2.4, disc=True)]
    rows += [build.base(x + 1.2, y, 0, 2.4, disc=True) for x, y in ring]
    tables = build.table(rows)
    assert path(tables, 70, 50) == math.inf
    assert ROUTES[0]["fault"] == Fault.CLOSED
    assert path(build.table([build.base(70, 50), *rows[1:]]), 50, 50) == math.inf
    assert path(build.table([build.base(50, 40), build.base(50, 50)]), 50, 49) == math.inf


@pytest.mark.parametrize(("at", "free"), [(2.4, False), (2.6, True)])
def test_between_a_base_and_the_edge_of_the_table(at, free):
    """The straight way runs along the edge, past a base ``at`` from it."""
    rows = [build.base(40, 1.25), build.base(50, at + 2.5)]
    tables = build.table(rows)
    found = path(tables, 60, 1.25)
    assert (found == 20) == free
    assert found < math.inf
    assert drawn()[:, 1].min() >= 1.25 - 1e-9


def relief(height=3.0, size=1, x=50, impassable=0):
    corners = [(x - 1, 20), (x + 1, 20), (x + 1, 80), (x - 1, 80)]
    return {"corners": corners, "height": height, "size": size, "impassable": impassable}


@pytest.mark.parametrize(
    ("mover", "size", "toll"), [(3, 0, 0), (2, 0, 0), (2, 1, 3), (1, 0, 3), (1, 1, 6), (1, 3, 6)]
)
def test_relief_costs_by_size(mover, size, toll):  # M-1.4
    tables = build.table([build.base(40, 50, size=mover)], [relief(size=size)])
    assert path(tables, 60, 50) == 20 + toll
    assert ROUTES[0]["toll"] == toll
    assert ROUTES[0]["length"] == 20


@pytest.mark.parametrize(("x", "goal", "toll"), [(40, 50, 3), (50, 60, 3), (49.5, 50.5, 0)])
def test_relief_on_which_a_path_begins_or_ends(x, goal, toll):  # M-1.4: up or down only
    tables = build.table([build.base(x, 50)], [relief(size=1)])
    assert path(tables, goal, 50) == goal - x + toll
    smaller = build.table([build.base(x, 50)], [relief(size=0)])
    assert path(smaller, goal, 50) == goal - x + (toll if x == 40 else 0)


def test_impassable_relief_is_gone_round():
    tables = build.table([build.base(40, 50)], [relief(size=0, impassable=1)])
    assert path(tables, 60, 50) > 60
    assert ROUTES[0]["toll"] == 0


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_relief_is_crossed_only_where_that_is_shorter(seed):
    """Beside all sets of relief gone round, one after the other."""
    rng = np.random.default_rng(seed)
    terrain = [
        build.random_piece(rng, 24, height=float(rng.uniform(0.2, 3)), size=int(rng.integers(3)))
        for _ in range(3)
    ]
    rows = placed(rng, 4, 24, terrain, size=1)
    assume(rows)
    tables = build.table(rows, terrain, width=24, depth=24)
    goal = tuple(rng.uniform(0, 24, 2))
    assume(all(build.piece(tables, k).distance(shapely.Point(goal)) > 1e-3 for k in range(3)))
    found = path(tables, *goal)
    tolls = [terrain[k]["height"] * (1 + (terrain[k]["size"] > 0)) for k in range(3)]
    bounds = []
    for wider in (1.0, path_oracle.WIDER):
        ways = [
            path_oracle.length(tables, 0, goal, avoided=avoided, wider=wider)
            + sum(tolls[k] for k in range(3) if k not in avoided)
            for n in range(4)
            for avoided in combinations(range(3), n)
        ]
        bounds.append(min(ways))
    # the oracle pays for all that it does not go round: no less than the path does
    assert found <= bounds[1] + 1e-4
    paid_less = path_oracle.length(tables, 0, goal) + ROUTES[0]["toll"]
    assert found >= min(bounds[0], paid_less) - 1e-4


def test_fits_facing_leaves_the_table_as_it_was():
    tables = build.table([build.base(40, 50), build.base(50, 50)])
    before = tables.copy()
    assert fits_facing(tables, 0, 50.0, 47.5, 0.0, 1.0)  # touches
    assert not fits_facing(tables, 0, 50.0, 47.5 + 2 * TOUCH, 0.0, 1.0)
    assert not fits_facing(tables, 0, 50.0, 1.0, 0.0, 1.0)
    assert tables.tobytes() == before.tobytes()


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_there_and_back_is_as_far(seed):
    rng = np.random.default_rng(seed)
    rows = placed(rng, 8, 20.0)
    tables = build.table(rows, width=20, depth=20)
    goal = rng.uniform(1.25, 18.75, 2)
    there = path(tables, *goal)
    assume(there < math.inf)
    back = build.table([[*goal, *rows[0][2:]], *rows[1:]], width=20, depth=20)
    back[0]["bases"][0, Base.WIDTH] = rows[0][Base.WIDTH]
    assert path(back, *rows[0][:2]) == pytest.approx(there, abs=1e-9)
