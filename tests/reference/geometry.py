"""Gaps of bases written plainly: a slow reading of the shapes of movement.md.

A base is its list of corners, or a centre and a radius.
"""

import math
from typing import NamedTuple

Point = tuple[float, float]


class Plain(NamedTuple):
    """A base: corners of a rectangle, or the one centre of a disc and its radius."""

    corners: tuple[Point, ...]
    radius: float


def rectangle(aim: Point, facing: Point, width: float, depth: float) -> Plain:
    """The aim point is the middle of the front edge (reading of M-4.3)."""
    (x, y), (fx, fy) = aim, facing
    ends = [(0.0, -width / 2), (0.0, width / 2), (-depth, width / 2), (-depth, -width / 2)]
    return Plain(tuple((x + a * fx - b * fy, y + a * fy + b * fx) for a, b in ends), 0.0)


def disc(aim: Point, facing: Point, diameter: float) -> Plain:
    """The aim point is the foremost point of the edge (reading of M-4.3)."""
    r = diameter / 2
    return Plain(((aim[0] - r * facing[0], aim[1] - r * facing[1]),), r)


def edges(corners: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def to_edge(p: Point, edge: tuple[Point, Point]) -> float:
    """Distance of a point from a segment."""
    (ax, ay), (bx, by) = edge
    length = math.hypot(bx - ax, by - ay)
    if length == 0:
        return math.hypot(p[0] - ax, p[1] - ay)
    t = ((p[0] - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / length**2
    t = min(max(t, 0.0), 1.0)
    return math.hypot(ax + t * (bx - ax) - p[0], ay + t * (by - ay) - p[1])


def beyond(p: Point, edge: tuple[Point, Point]) -> float:
    """How far a point is to the right of an edge: outside of a counter-clockwise shape."""
    (ax, ay), (bx, by) = edge
    length = math.hypot(bx - ax, by - ay)
    return ((p[0] - ax) * (by - ay) - (p[1] - ay) * (bx - ax)) / length if length else -math.inf


def gap(one: Plain, other: Plain) -> float:
    """Distance of two bases; below 0, minus how far one must move to be free of the other."""
    cores = one.corners, other.corners
    radii = one.radius + other.radius
    if len(cores[0]) == len(cores[1]) == 1:
        return math.dist(cores[0][0], cores[1][0]) - radii
    ways = [
        min(beyond(p, edge) for p in cores[1 - k]) for k in range(2) for edge in edges(cores[k])
    ]
    if max(ways) <= 0:
        return max(ways) - radii
    every = [to_edge(p, edge) for k in range(2) for p in cores[k] for edge in edges(cores[1 - k])]
    return min(every) - radii
