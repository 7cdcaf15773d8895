"""Tables for tests: built by hand, at random, or turned as a whole; and their shapely shapes."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from estoc.kernels.layout.table import TABLE, Base, Shape
from estoc.kernels.table.contacts import prepare

Point = tuple[float, float]
BASES = ((2.5, 2.5), (2.5, 5.0), (3.75, 3.75), (5.0, 5.0))  # W-5: width, depth
DISCS = (3.0, 5.0, 4.0, 6.0)
QUARTER = 256  # chords of a quarter of a circle
DEVIATION = 1 - math.cos(math.pi / (4 * QUARTER))  # of such a circle from one of radius 1


def base(
    x: float,
    y: float,
    angle: float = 90.0,
    width: float = 2.5,
    depth: float = 2.5,
    *,
    disc: bool = False,
    size: int = 1,
    side: int = 0,
    level: int = 0,
    alive: bool = True,
) -> list[float]:
    """A row; ``angle`` of the facing in degrees from the x axis."""
    turn = math.radians(angle)
    shape = Shape.DISC if disc else Shape.RECTANGLE
    depth = width if disc else depth
    facing = (math.cos(turn), math.sin(turn))
    return [x, y, *facing, shape, width, depth, size, side, level, alive]


def table(
    bases: Sequence[Sequence[float]],
    terrain: Sequence[dict[str, Any]] = (),
    width: float = 100.0,
    depth: float = 100.0,
) -> NDArray[np.void]:
    """A prepared table; a piece has ``corners``, ``height``, ``size``, ``impassable``."""
    tables = np.zeros(1, TABLE)
    made = tables[0]
    made["n"], made["pieces"] = len(bases), len(terrain)
    made["width"], made["depth"] = width, depth
    for i, row in enumerate(bases):
        made["bases"][i] = row
    for k, piece in enumerate(terrain):
        made["corners"][k] = len(piece["corners"])
        made["terrain"][k, : len(piece["corners"])] = piece["corners"]
        made["height"][k] = piece.get("height", 0.0)
        made["sizes"][k] = piece.get("size", 1)
        made["impassable"][k] = piece.get("impassable", 0)
    prepare(tables)
    return tables


def random_base(rng: np.random.Generator, span: float, **other: Any) -> list[float]:
    """A base of one of the sizes of W-5 somewhere in a square."""
    size, disc = int(rng.integers(4)), bool(rng.integers(2))
    width, depth = (DISCS[size], DISCS[size]) if disc else BASES[size]
    x, y = rng.uniform(6, span - 6, 2)
    angle = float(rng.choice([rng.uniform(0, 360), 90 * rng.integers(4), 45 * rng.integers(8)]))
    asked: dict[str, Any] = {"size": min(size, 3), "side": int(rng.integers(2))}
    return base(x, y, angle, width, depth, disc=disc, **(asked | other))


def random_piece(rng: np.random.Generator, span: float, **other: Any) -> dict[str, Any]:
    """A convex piece of terrain somewhere in a square, its corners either way round."""
    n = int(rng.integers(3, 9))
    turns = np.sort(rng.uniform(0, 1) + (np.arange(n) + rng.uniform(0, 0.6, n)) / n) * 2 * np.pi
    x, y = rng.uniform(6, span - 6, 2)
    a, b = rng.uniform(1.5, 6, 2)
    corners = np.column_stack([x + a * np.cos(turns), y + b * np.sin(turns)])
    return {"corners": corners[:: int(rng.choice([-1, 1]))]} | other


def turned(
    tables: NDArray[np.void], angle: float, about: Point = (0.0, 0.0), shift: Point = (0.0, 0.0)
) -> NDArray[np.void]:
    """The same table turned about a point and shifted: its decimals are inexact then."""
    made = tables.copy()
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    turn = np.array([[cos, sin], [-sin, cos]])
    rows = made[0]["bases"]
    rows[:, :2] = (rows[:, :2] - about) @ turn + about + shift
    rows[:, 2:4] = rows[:, 2:4] @ turn
    made[0]["terrain"][:] = (made[0]["terrain"] - about) @ turn + about + shift
    prepare(made)
    return made


def shape(tables: NDArray[np.void], i: int) -> BaseGeometry:
    """A base as shapely sees it; of a disc, a polygon whose corners are on the circle."""
    row = tables[0]["bases"][i]
    x, y, fx, fy = row[:4]
    if row[Base.SHAPE] == Shape.DISC:
        r = row[Base.WIDTH] / 2
        return shapely.Point(x - fx * r, y - fy * r).buffer(r, quad_segs=QUARTER)
    half, depth = row[Base.WIDTH] / 2, row[Base.DEPTH]
    places = ((0.0, half), (0.0, -half), (-depth, -half), (-depth, half))
    return shapely.Polygon([(x + a * fx - b * fy, y + a * fy + b * fx) for a, b in places])


def piece(tables: NDArray[np.void], k: int) -> BaseGeometry:
    """A piece of terrain as shapely sees it."""
    made = tables[0]
    return shapely.Polygon(made["terrain"][k, : made["corners"][k]])


def shape_error(tables: NDArray[np.void], i: int) -> float:
    """How far the polygon of `shape` is off a disc."""
    row = tables[0]["bases"][i]
    return DEVIATION * row[Base.WIDTH] / 2 if row[Base.SHAPE] == Shape.DISC else 0.0
