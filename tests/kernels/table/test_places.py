"""Paths to an enemy's edge, beside all places of that edge tried one by one (M-1.1, M-4.3)."""

import math

import numpy as np
import pytest
import tables as build
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from estoc.kernels.layout.table import ROUTE, Base, Fault, Shape
from estoc.kernels.table.contacts import update
from estoc.kernels.table.geometry import gap_between, gap_to_terrain
from estoc.kernels.table.paths import fits_facing, path_to_point
from estoc.kernels.table.places import path_to_edge

SEEDS = st.integers(0, 2**32 - 1)
ROUTES, OTHER = np.zeros(1, ROUTE), np.zeros(1, ROUTE)
NOBODY = np.uint64(0)
MISSED = 0.05  # cm; what `places` says it may miss


def reach(tables, through=0):
    return path_to_edge(tables, ROUTES, 0, 1, np.uint64(through))


def assert_placed(tables):
    """In the place found the base touches the target with its aim point, and overlaps nothing."""
    moved = tables.copy()
    moved[0]["bases"][0, :4] = ROUTES[0]["place"]
    update(moved, 0)
    assert int(moved[0]["touching"][0]) & 0b10
    assert fits_facing(tables, 0, *ROUTES[0]["place"])


def places(tables, steps):
    """Aim points and facings all along the target's edge."""
    row = tables[0]["bases"][1]
    if row[Base.SHAPE] == Shape.DISC:
        r = row[Base.WIDTH] / 2
        for t in np.linspace(0, 2 * math.pi, 4 * steps):
            out = np.array([math.cos(t), math.sin(t)])
            yield *(row[:2] - r * row[2:4] + r * out), *-out
        return
    hull = tables[0]["hull"][1]
    for k in range(4):
        along = hull[(k + 1) % 4] - hull[k]
        inward = np.array([-along[1], along[0]]) / np.hypot(*along)
        for t in np.linspace(0, 1, steps):
            yield *(hull[k] + t * along), *inward


@given(SEEDS, st.integers(3, 10))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_no_place_tried_is_nearer(seed, count):
    rng = np.random.default_rng(seed)
    terrain = [build.random_piece(rng, 18, impassable=1)]
    rows = []
    for _ in range(count):
        rows.append(build.random_base(rng, 18))
        tables, last = build.table(rows, terrain), len(rows) - 1
        overlaps = any(gap_between(tables, last, j) <= 0 for j in range(last))
        if overlaps or gap_to_terrain(tables, last, 0) <= 0:
            rows.pop()
    assume(len(rows) > 1)
    tables = build.table(rows, terrain, width=18, depth=18)
    before = tables.copy()
    found = reach(tables)
    assert tables[0]["bases"].tobytes() == before[0]["bases"].tobytes()
    assert tables[0]["hull"].tobytes() == before[0]["hull"].tobytes()
    tried = [
        path_to_point(tables, OTHER, 0, float(x), float(y), NOBODY)
        for x, y, fx, fy in places(tables, 41)
        if fits_facing(tables, 0, float(x), float(y), float(fx), float(fy))
    ]
    assert found <= min(tried, default=math.inf) + MISSED
    if found < math.inf:
        assert_placed(tables)
        assert ROUTES[0]["length"] >= gap_between(tables, 0, 1) - 1e-9
    else:
        assert ROUTES[0]["fault"] == Fault.CLOSED


@pytest.mark.parametrize("angle", [0, 45, 17.3])
def test_straight_to_the_nearest_place(angle):
    tables = build.turned(
        build.table([build.base(50, 40), build.base(50.4, 52.5)]), angle, about=(50, 50)
    )
    assert reach(tables) == pytest.approx(10, abs=1e-12)
    assert_placed(tables)
    rows = [build.base(50, 40), build.base(53, 47, 90, 3, disc=True)]
    tables = build.turned(build.table(rows), angle, about=(50, 50))
    assert reach(tables) == pytest.approx(math.hypot(3, 5.5) - 1.5, abs=1e-12)
    assert_placed(tables)
    rows = [build.base(50, 40), build.base(60, 52.5)]  # to the corner, set square to a side
    tables = build.turned(build.table(rows), angle, about=(50, 50))
    assert reach(tables) == pytest.approx(math.hypot(8.75, 10), abs=1e-12)
    assert_placed(tables)


@pytest.mark.parametrize("angle", [0, 45, 17.3, 301.9])
@pytest.mark.parametrize("slot", [2.4, 2.5])
def test_a_slot_just_wide_enough(angle, slot):
    """Between two friends that touch the same side of a large base."""
    across = (slot + 2.5) / 2
    friends = [build.base(50 + k * across, 50) for k in (-1, 1)]
    rows = [build.base(50, 40), build.base(50, 55, 90, 5, 5, side=1), *friends]
    tables = build.turned(build.table(rows), angle, about=(50, 50))
    found = reach(tables)
    assert_placed(tables)
    if slot == 2.5:
        assert found == pytest.approx(10, abs=1e-5)
    else:
        assert found > 11


def test_an_edge_that_is_full():
    ring = [build.base(50, 50, 90), build.base(52.5, 47.5), build.base(50, 47.5)]
    ring += [build.base(47.5, 47.5), build.base(47.5, 50), build.base(47.5, 52.5)]
    ring += [build.base(50, 52.5), build.base(52.5, 52.5), build.base(52.5, 50)]
    tables = build.table([build.base(50, 40), *ring])
    assert reach(tables) == math.inf
    assert ROUTES[0]["fault"] == Fault.CLOSED
    tables = build.table([build.base(50, 40), *ring[:-1]])  # one place is free
    assert reach(tables) < math.inf
    assert_placed(tables)


def test_friends_passed_through_are_not_ended_upon():  # M-1.3
    rows = [build.base(50, 40), build.base(50, 55), build.base(50, 52.5), build.base(50, 46)]
    tables = build.table(rows)
    alone = reach(tables)
    through = reach(tables, 0b1100)
    assert_placed(tables)
    assert 12.5 < through < alone


def test_the_edge_of_the_table_bars_places():
    rows = [build.base(10, 99), build.base(1.0, 99.5, 90, 2, 2)]
    tables = build.table(rows)
    assert reach(tables) < math.inf
    assert_placed(tables)
