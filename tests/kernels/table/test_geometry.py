"""Gaps, contacts, overlaps, melees and the table's edge, beside shapely and a plain reading."""

import math
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
import shapely
import tables as build
from hypothesis import given, settings
from hypothesis import strategies as st
from single_trials import gap_to_point

from estoc.kernels.layout.table import MAX_BASES, TABLE, TOUCH, Base, Shape
from estoc.kernels.table import contacts, geometry
from estoc.kernels.table.melees import melees_of
from tests.reference import geometry as plain

SEEDS = st.integers(0, 2**32 - 1)
ANGLES = st.sampled_from([0.0, 30.0, 45.0, 90.0, 17.3, 61.7, 123.4, 270.0])


def plain_base(tables, i):
    row = tables[0]["bases"][i]
    aim, facing = tuple(row[:2]), tuple(row[2:4])
    if row[Base.SHAPE] == Shape.DISC:
        return plain.disc(aim, facing, row[Base.WIDTH])
    return plain.rectangle(aim, facing, row[Base.WIDTH], row[Base.DEPTH])


def touching(tables):
    """Pairs in contact."""
    n, masks = tables[0]["n"], tables[0]["touching"]
    return {(i, j) for i in range(n) for j in range(n) if int(masks[i]) >> j & 1}


@given(SEEDS)
@settings(max_examples=200, deadline=None)
def test_gaps_agree_with_shapely_and_the_plain_reading(seed):
    rng = np.random.default_rng(seed)
    tables = build.table([build.random_base(rng, 30) for _ in range(8)], width=30, depth=30)
    for i, j in combinations(range(8), 2):
        found = geometry.gap_between(tables, i, j)
        assert found == pytest.approx(geometry.gap_between(tables, j, i), abs=1e-12)
        assert found == pytest.approx(
            plain.gap(plain_base(tables, i), plain_base(tables, j)), abs=1e-12
        )
        one, other = build.shape(tables, i), build.shape(tables, j)
        error = build.shape_error(tables, i) + build.shape_error(tables, j) + 1e-12
        assert max(found, 0) == pytest.approx(shapely.distance(one, other), abs=error)
        if found < -2 * error:
            assert shapely.intersection(one, other).area > 0


@given(SEEDS)
@settings(max_examples=200, deadline=None)
def test_terrain_and_points_agree_with_shapely(seed):
    rng = np.random.default_rng(seed)
    tables = build.table(
        [build.random_base(rng, 30, alive=True)], [build.random_piece(rng, 30) for _ in range(6)]
    )
    one, error = build.shape(tables, 0), build.shape_error(tables, 0) + 1e-12
    for k in range(6):
        found, other = geometry.gap_to_terrain(tables, 0, k), build.piece(tables, k)
        assert max(found, 0) == pytest.approx(shapely.distance(one, other), abs=error)
        if found < -2 * error:
            assert shapely.intersection(one, other).area > 0
    for x, y in rng.uniform(0, 30, (20, 2)):
        found = gap_to_point(tables, 0, x, y)
        assert abs(found) == pytest.approx(one.exterior.distance(shapely.Point(x, y)), abs=error)
        if abs(found) > error:
            assert (found < 0) == one.contains(shapely.Point(x, y))


def melees(tables) -> list[int]:
    """Masks of the melees, by the kernel that separates them too."""
    table = tables[0]
    return melees_of(table["touching"][: table["n"]], table["sides"][0]).tolist()


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_contacts_and_melees_agree_with_shapely_and_networkx(seed):
    rng = np.random.default_rng(seed)
    rows = [
        build.base(2.5 * x, 2.5 * y, 90 * rng.integers(4), side=rng.integers(2))
        for x, y in rng.integers(1, 9, (14, 2))
    ]
    tables = build.table(rows, width=25, depth=25)
    expected = set()
    for i, j in combinations(range(14), 2):
        one, other = build.shape(tables, i), build.shape(tables, j)
        if shapely.distance(one, other) < 1e-9 and shapely.intersection(one, other).area < 1e-9:
            expected |= {(i, j), (j, i)}
    assert touching(tables) == expected

    graph = nx.Graph((i, j) for i, j in expected if rows[i][Base.SIDE] != rows[j][Base.SIDE])
    wanted = {sum(1 << i for i in members) for members in nx.connected_components(graph)}
    assert set(melees(tables)) == wanted


def test_a_contact_between_friends_links_nothing():  # C-1
    rows = [build.base(10 + 2.5 * k, 10, side=side) for k, side in enumerate((0, 1, 1, 0))]
    tables = build.table(rows)
    assert melees(tables) == [0b0011, 0b1100]
    assert contacts.enemy_contacts(tables, 1) == 0b0001
    assert contacts.enemy_contacts(tables, 2) == 0b1000


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_update_after_a_move_is_the_whole_graph_anew(seed):
    rng = np.random.default_rng(seed)
    rows = [build.base(2.5 * x, 2.5 * y, side=k % 2) for k, (x, y) in enumerate(grid(rng))]
    tables = build.table(rows)
    for _ in range(20):
        i = int(rng.integers(len(rows)))
        rows[i] = build.base(*(2.5 * rng.integers(1, 6, 2)), 90 * rng.integers(4), side=i % 2)
        rows[i][Base.ALIVE] = rng.integers(4) > 0
        rows[i][Base.LEVEL] = rng.integers(4) == 0
        tables[0]["bases"][i] = rows[i]
        contacts.update(tables, i)
        anew = build.table(rows)
        for name in ("touching", "here", "sides", "hull", "x", "y", "reach"):
            assert np.array_equal(tables[0][name], anew[0][name])


def grid(rng):
    return rng.integers(1, 6, (10, 2))


def test_dead_bases_and_other_levels_touch_nothing():
    pair = [build.base(10, 10), build.base(12.5, 10, side=1)]
    assert touching(build.table(pair)) == {(0, 1), (1, 0)}
    for column, value in ((Base.ALIVE, 0), (Base.LEVEL, 1)):
        other = [pair[0], list(pair[1])]
        other[1][column] = value
        assert touching(build.table(other)) == set()


@given(
    ANGLES,
    st.floats(-2.4, 2.4),
    st.sampled_from(["side", "front", "disc on side", "discs"]),
    st.sampled_from([(0.1, 0.2), (33.3, 47.1), (1e-3, 71.7)]),
)
@settings(max_examples=300, deadline=None)
def test_contact_at_inexact_decimals_on_a_diagonal(angle, slide, kind, shift):
    """Placed exactly by hand, then turned and shifted: contact, not overlap, not apart."""
    others = {
        "side": build.base(2.5, slide),
        "front": build.base(slide, 0, -90),
        "disc on side": build.base(2.75, slide / 2.5, 90, 3.0, disc=True),
        "discs": build.base(0, 0, -90, 3.0, disc=True),
    }
    first = build.base(0, 0, 90, 5.0, disc=True) if kind == "discs" else build.base(0, 0)
    tables = build.turned(build.table([first, others[kind]]), angle, shift=shift)
    assert abs(geometry.gap_between(tables, 0, 1)) < 1e-12
    assert touching(tables) == {(0, 1), (1, 0)}
    assert geometry.overlapped(tables, 0) == -1


@pytest.mark.parametrize("off", [-2, -0.5, 0.5, 2])
@pytest.mark.parametrize("disc", [False, True])
def test_the_tolerance_of_contact(off, disc):
    width = 3.0 if disc else 2.5
    rows = [build.base(50, 50, 90, width, width, disc=disc)]
    rows.append(build.base(50 + width + off * TOUCH, 50, 90, width, width, disc=disc))
    tables = build.table(rows)
    assert touching(tables) == ({(0, 1), (1, 0)} if abs(off) < 1 else set())
    assert (geometry.overlapped(tables, 0) == 1) == (off < -1)


def test_corner_to_corner_is_contact():
    tables = build.table([build.base(10, 10), build.base(12.5, 12.5)])
    assert geometry.gap_between(tables, 0, 1) == 0
    assert touching(tables) == {(0, 1), (1, 0)}
    assert geometry.gap_between(build.table([build.base(0, 0), build.base(5.5, 6.5)]), 0, 1) == 5


@pytest.mark.parametrize(
    ("row", "inside"),
    [
        (build.base(1.25, 2.5), True),  # touches two edges exactly
        (build.base(1.25 - 2 * TOUCH, 2.5), False),
        (build.base(50, 100), True),
        (build.base(50, 100.1), False),
        (build.base(1.7, 5, 45), False),  # one corner sticks out
        (build.base(97, 98.5, 0, 3.0, disc=True), True),
        (build.base(100, 98.5, 0, 3.0, disc=True), True),
        (build.base(100, 98.6, 0, 3.0, disc=True), False),
        (build.base(2.9, 50, 0, 3.0, disc=True), False),
    ],
)
def test_edge_of_the_table(row, inside):
    tables = build.table([row])
    assert geometry.is_on_table(tables, 0) == inside
    spot = build.shape(tables, 0)
    assert shapely.box(0, 0, 100, 100).buffer(TOUCH).covers(spot) == inside


def test_only_impassable_terrain_is_in_the_way_of_a_base():  # M-1.2
    wall = {"corners": [(10, 10), (20, 10), (20, 11), (10, 11)], "impassable": 1}
    rows = [build.base(15, 12)]
    assert geometry.overlapped(build.table(rows, [wall]), 0) == MAX_BASES
    assert geometry.overlapped(build.table(rows, [wall | {"impassable": 0}]), 0) == -1
    assert geometry.overlapped(build.table([build.base(15, 13.5)], [wall]), 0) == -1  # touches
    assert geometry.overlapped(build.table([build.base(15, 12, level=1)], [wall]), 0) == -1


def test_aim_point_is_on_the_front_edge():
    tables = build.table([build.base(10, 20, 30, 2.5, 5.0), build.base(30, 20, 30, 3, disc=True)])
    for i in range(2):
        x, y, fx, fy = tables[0]["bases"][i, :4]
        assert gap_to_point(tables, i, x, y) == pytest.approx(0, abs=1e-12)
        assert gap_to_point(tables, i, x + fx, y + fy) == pytest.approx(1)
    assert gap_to_point(tables, 0, 10 - math.cos(math.pi / 6), 19.5) == pytest.approx(-1)


def test_prepare_takes_several_tables():
    pair = [build.base(10, 10), build.base(12.5, 10)]
    tables = np.concatenate([build.table(pair), build.table(pair[:1])])
    tables["touching"] = 0
    contacts.prepare(tables)
    assert tables["touching"][:, :2].tolist() == [[2, 1], [0, 0]]
    assert tables.dtype == TABLE
