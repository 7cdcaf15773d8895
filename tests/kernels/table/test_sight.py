"""Who sees whom, beside shadows drawn with shapely."""

import numpy as np
import pytest
import shapely
import tables as build
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity
from single_trials import gap_to_point

from estoc.kernels.layout.table import TOUCH, Base, Hides, Shape
from estoc.kernels.table.geometry import gap_between, gap_to_terrain
from estoc.kernels.table.sight import sees_target

SEEDS = st.integers(0, 2**32 - 1)
LONG = 1e5  # how many times as far from the eye a shadow ends


def shadow(eye, shape):
    """All points that a shape hides from an eye outside it, as far as LONG."""
    far = affinity.scale(shape, LONG, LONG, origin=eye)
    return shapely.union_all([shape, far]).convex_hull


def visible_area(tables, viewer, target, hides):
    """Area of the target's base that some straight line reaches, cm²."""
    made = tables[0]
    sizes = made["bases"][:, Base.SIZE]
    pair = sizes[viewer], sizes[target]
    least = min(pair) if hides == Hides.LOWER else max(pair)
    eye = tuple(made["bases"][viewer, :2])
    blockers = [
        build.shape(tables, i)
        for i in range(made["n"])
        if i not in (viewer, target) and made["bases"][i, Base.ALIVE] and sizes[i] >= least
    ]
    for k in range(made["pieces"]):
        stands = min(gap_to_terrain(tables, i, k) for i in (viewer, target)) < -TOUCH
        if made["sizes"][k] >= least and not stands:
            blockers.append(build.piece(tables, k))
    shadows = shapely.union_all([shadow(eye, blocker) for blocker in blockers])
    return build.shape(tables, target).difference(shadows).area


def without_overlaps(rows, pieces):
    """Those of some bases that stand beside one another, and off the terrain."""
    kept = []
    for row in rows:
        tables = build.table([*kept, row], pieces)
        i = len(kept)
        if all(gap_between(tables, i, j) > 0 for j in range(i)):
            kept.append(row)
    return kept


@given(SEEDS, st.booleans(), st.sampled_from(Hides))
@settings(max_examples=150, deadline=None)
def test_sight_agrees_with_shadows(seed, round_too, hides):
    rng = np.random.default_rng(seed)
    pieces = [build.random_piece(rng, 40, size=int(rng.integers(4))) for _ in range(3)]
    rows = [build.random_base(rng, 40, alive=rng.integers(8) > 0) for _ in range(16)]
    rows = [row for row in rows if round_too or row[Base.SHAPE] == Shape.RECTANGLE]
    rows = without_overlaps(rows, pieces)
    tables = build.table(rows, pieces)
    # inscribed polygons hide less than discs: by so much, thrown as far as the table is wide
    margin = 1e-2 if round_too else 1e-6
    for target in range(1, len(rows)):
        if not rows[target][Base.ALIVE] or gap_to_point(tables, target, *rows[0][:2]) <= TOUCH:
            continue
        area = visible_area(tables, 0, target, hides)
        if not 1e-9 < area < margin:
            assert sees_target(tables, 0, target, hides) == (area >= margin)


def row_of(count, gap=0.0, **other):
    """Bases side by side between a viewer below and a target above, both in the middle."""
    first = 50 - (count - 1) * (2.5 + gap) / 2
    between = [build.base(first + k * (2.5 + gap), 52, **other) for k in range(count)]
    return [build.base(50, 48), build.base(50, 58), *between]


@pytest.mark.parametrize("angle", [0, 30, 45, 17.3, 222.2])
@pytest.mark.parametrize("gap", [0.0, 0.001])
def test_bases_that_touch_let_nothing_through(angle, gap):
    tables = build.turned(build.table(row_of(4, gap)), angle, about=(50, 50))
    assert sees_target(tables, 0, 1, Hides.LOWER) == (gap > 0)


@pytest.mark.parametrize("angle", [0, 45, 17.3])
def test_what_only_grazes_a_line_hides_nothing(angle):
    """Blockers on both sides leave a strip as wide as the target, or reach in from one side."""
    rows = [build.base(50, 48), build.base(50, 58), build.base(47.5, 56), build.base(52.5, 56)]
    assert sees_target(build.turned(build.table(rows), angle), 0, 1, Hides.LOWER)
    rows[2:] = [build.base(48.75, 57.5)]  # covers the left half, up to the line in the middle
    assert sees_target(build.turned(build.table(rows), angle), 0, 1, Hides.LOWER)


@pytest.mark.parametrize(
    ("viewer", "target", "blocker", "lower", "higher"),
    [
        (1, 1, 1, False, False),
        (1, 1, 0, True, True),
        (1, 3, 1, False, True),
        (3, 1, 2, False, True),
        (3, 1, 3, False, False),
        (2, 3, 1, True, True),
    ],
)
def test_sizes_that_hide(viewer, target, blocker, lower, higher):
    rows = row_of(4, size=blocker)
    rows[0][Base.SIZE], rows[1][Base.SIZE] = viewer, target
    tables = build.table(rows)
    assert sees_target(tables, 0, 1, Hides.LOWER) == lower
    assert sees_target(tables, 0, 1, Hides.HIGHER) == higher
    wall = {"corners": [(40, 51), (60, 51), (60, 52), (40, 52)], "size": blocker}
    tables = build.table(rows[:2], [wall])
    assert sees_target(tables, 0, 1, Hides.LOWER) == lower
    assert sees_target(tables, 0, 1, Hides.HIGHER) == higher


def test_the_dead_hide_nothing():
    tables = build.table(row_of(4))
    assert not sees_target(tables, 0, 1, Hides.LOWER)
    assert sees_target(build.table(row_of(4, alive=False)), 0, 1, Hides.LOWER)


def test_who_touches_the_target_sees_it():
    rows = [build.base(50, 50), build.base(50, 52.5), build.base(52.5, 51)]
    tables = build.table(rows)
    assert sees_target(tables, 0, 1, Hides.LOWER)
    assert sees_target(build.turned(tables, 33.3), 0, 1, Hides.LOWER)


@pytest.mark.parametrize("angle", [0, 45, 17.3, 300.1])
@pytest.mark.parametrize("disc", [False, True])
def test_a_blocker_that_touches_the_aim_point_hides_what_is_behind_it(angle, disc):
    width = 5.0 if disc else 2.5
    blocker = build.base(50, 50 + width, 90, width, disc=disc)
    rows = [build.base(50, 50), build.base(50, 60), blocker, build.base(70, 52), build.base(50, 40)]
    tables = build.turned(build.table(rows), angle)
    seen = [bool(sees_target(tables, 0, k, Hides.LOWER)) for k in (1, 3, 4)]
    assert seen == [False, True, True]


def test_terrain_under_viewer_or_target_hides_nothing():
    hill = {"corners": [(40, 49), (60, 49), (60, 56), (40, 56)], "size": 3}
    rows = [build.base(50, 45), build.base(50, 55), build.base(50, 70), build.base(50, 47)]
    tables = build.table(rows, [hill])
    assert sees_target(build.table(rows[:2], [hill]), 0, 1, Hides.LOWER)
    assert not sees_target(build.table(rows[:3], [hill]), 0, 2, Hides.LOWER)
    assert sees_target(tables, 1, 2, Hides.LOWER)
