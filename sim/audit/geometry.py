"""Bases and terrain for the checker of transcripts: gaps, contact, straight ways, sight.

Written with plain floats, apart from the kernels. Where rounding could decide, `seen` takes a
margin by which what hides is shrunk or grown, so that its user errs on the side he wants.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import asin, atan2, cos, hypot, inf, pi, sin
from typing import NamedTuple

Point = tuple[float, float]

TOUCH = 1e-6  # bases within it are in contact, and a length that is longer by less is within
_STEPS = 24  # of the search for the nearest point of a straight way
_EDGE = 1e-9
_EASY = 0.02  # cm by which what is gone round is taken smaller: no right way is refused
_CIRCLE = tuple((cos(pi * k / 12), sin(pi * k / 12)) for k in range(24))


class Shape(NamedTuple):
    """A convex shape: corners counter-clockwise, or a disc; and a circle round it."""

    corners: tuple[Point, ...]
    radius: float  # of a disc; 0 = a polygon
    centre: Point
    reach: float


def base(shape: str, width: float, depth: float, at: Point, facing: Point) -> Shape:
    """Return a base by its aim point, the middle or foremost point of its front edge (M-4.3)."""
    (x, y), (fx, fy) = at, facing
    centre = (x - depth / 2 * fx, y - depth / 2 * fy)
    if shape == "disc":
        return Shape((), width / 2, centre, width / 2)
    ends = ((0.0, -width / 2), (0.0, width / 2), (-depth, width / 2), (-depth, -width / 2))
    corners = tuple((x + a * fx - b * fy, y + a * fy + b * fx) for a, b in ends)
    return Shape(corners, 0.0, centre, hypot(width, depth) / 2)


def polygon(corners: Iterable[Sequence[float]]) -> Shape:
    """Return a piece of terrain."""
    points = tuple((float(x), float(y)) for x, y in corners)
    n = len(points)
    centre = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    return Shape(points, 0.0, centre, max(_far(p, centre) for p in points))


def scaled(shape: Shape, margin: float) -> Shape:
    """Return a shape grown by about a margin, or shrunk if it is below 0."""
    share = 1 + margin / shape.reach
    cx, cy = shape.centre
    corners = tuple((cx + share * (x - cx), cy + share * (y - cy)) for x, y in shape.corners)
    return Shape(corners, shape.radius * share, shape.centre, shape.reach * share)


def _far(p: Point, q: Point) -> float:
    return hypot(p[0] - q[0], p[1] - q[1])


def _edges(corners: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    return zip(corners, corners[1:] + corners[:1], strict=True)


def _to_edge(p: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    share = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)
    share = min(max(share, 0.0), 1.0)
    return hypot(a[0] + share * dx - p[0], a[1] + share * dy - p[1])


def point_gap(shape: Shape, p: Point) -> float:
    """Return the distance of a point from a shape; below 0, how deep it is inside."""
    if not shape.corners:
        return _far(p, shape.centre) - shape.radius
    out = -inf
    for (ax, ay), (bx, by) in _edges(shape.corners):
        dx, dy = bx - ax, by - ay
        out = max(out, ((p[0] - ax) * dy - (p[1] - ay) * dx) / hypot(dx, dy))
    if out <= 0:
        return out
    return min(_to_edge(p, a, b) for a, b in _edges(shape.corners))


def _beyond(one: Shape, other: Shape) -> float:
    """Return the widest gap of two polygons across an edge of the first."""
    widest = -inf
    for (ax, ay), (bx, by) in _edges(one.corners):
        dx, dy = bx - ax, by - ay
        least = min((x - ax) * dy - (y - ay) * dx for x, y in other.corners)
        widest = max(widest, least / hypot(dx, dy))
    return widest


def gap(one: Shape, other: Shape) -> float:
    """Return the distance of two shapes; below 0, how deep they overlap."""
    if not other.corners:
        return point_gap(one, other.centre) - other.radius
    if not one.corners:
        return point_gap(other, one.centre) - one.radius
    apart = max(_beyond(one, other), _beyond(other, one))
    if apart <= 0:
        return apart
    return min(
        min(point_gap(other, p) for p in one.corners), min(point_gap(one, p) for p in other.corners)
    )


def within(length: float, limit: float) -> bool:
    """Whether a measured length is at most a limit, whatever the rounding."""
    return length <= limit + TOUCH


def near(one: Shape, other: Shape, margin: float = TOUCH) -> bool:
    """Whether the circles round two shapes come as near as a margin."""
    return _far(one.centre, other.centre) <= one.reach + other.reach + margin


def touch(one: Shape, other: Shape) -> bool:
    """Whether two bases are in contact."""
    return near(one, other) and abs(gap(one, other)) <= TOUCH


def overlap(one: Shape, other: Shape) -> bool:
    """Whether two shapes overlap; those that touch do not."""
    return near(one, other, 0.0) and gap(one, other) < -TOUCH


def on_table(shape: Shape, width: float, depth: float) -> bool:
    """Whether no part of a base is beyond the table's edge."""
    r = shape.radius
    return all(
        within(r, x) and within(x, width - r) and within(r, y) and within(y, depth - r)
        for x, y in shape.corners or (shape.centre,)
    )


def _nearest_on_way(shape: Shape, a: Point, b: Point) -> float:
    """Return how near a straight way comes to a shape, below 0 if it goes into it."""
    low, high = 0.0, 1.0

    def at(share: float) -> float:
        return point_gap(shape, (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))

    for _ in range(_STEPS):  # the distance from a convex shape is convex along a line
        third = (high - low) / 3
        if at(low + third) < at(high - third):
            high -= third
        else:
            low += third
    return min(at(low), at(high), at(0.0), at(1.0))


def _outline(shape: Shape, growth: float) -> list[Point]:
    """Return points of a shape grown by so much, none of them outside it."""
    if not shape.corners:
        return list(_ring(shape.centre, shape.radius + growth))
    if growth == 0:
        return list(shape.corners)
    return [point for corner in shape.corners for point in _ring(corner, growth)]


def _ring(centre: Point, radius: float) -> Iterator[Point]:
    return ((centre[0] + radius * x, centre[1] + radius * y) for x, y in _CIRCLE)


def _hull(points: Iterable[Point]) -> list[Point]:
    """Return the corners of the convex hull, counter-clockwise."""
    halves: list[list[Point]] = []
    ordered = sorted(set(points))
    for line in (ordered, ordered[::-1]):
        half: list[Point] = []
        for p in line:
            while len(half) > 1 and _left_of(half[-2], half[-1], p) <= 0:
                half.pop()
            half.append(p)
        halves.append(half[:-1])
    return halves[0] + halves[1]


def _left_of(a: Point, b: Point, p: Point) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def way_round(shape: Shape, a: Point, b: Point, half: float) -> float:
    """Return a length that no way of a disc round a shape is shorter than (M-1.2).

    A way that begins or ends nearer to the shape than the disc's radius, ``half``, may go as
    near as that.
    """
    straight = _far(a, b)
    if straight == 0 or _to_edge(shape.centre, a, b) > shape.reach + half:
        return straight
    growth = min(half, point_gap(shape, a), point_gap(shape, b)) - _EASY
    if growth < 0:
        shape, growth = scaled(shape, -_EASY), 0.0
    if _nearest_on_way(shape, a, b) >= growth:
        return straight
    hull = _hull([*_outline(shape, growth), a, b])
    if a not in hull or b not in hull:
        return straight
    start = hull.index(a)
    ring = hull[start:] + hull[:start] + [a]
    end = ring.index(b)
    ways = (ring[: end + 1], ring[end:])
    return min(sum(_far(p, q) for p, q in pairwise(way)) for way in ways)


def _turned(angle: float) -> float:
    return (angle + pi) % (2 * pi) - pi


def _bounds(shape: Shape, eye: Point, ahead: float) -> list[float]:
    """Return directions, from the one ahead, between which a shape is seen."""
    if not shape.corners:
        far = _far(eye, shape.centre)
        middle = _turned(atan2(shape.centre[1] - eye[1], shape.centre[0] - eye[0]) - ahead)
        half = asin(min(shape.radius / far, 1.0)) if far > 0 else pi / 2
        return [middle - half, middle + half]
    return [
        _turned(atan2(y - eye[1], x - eye[0]) - ahead)
        for x, y in shape.corners
        if _far((x, y), eye) > _EDGE
    ]


def _enters(shape: Shape, eye: Point, ux: float, uy: float) -> float:
    """Return how far a ray goes before it enters a shape; infinity if it only grazes it."""
    first, last = 0.0, inf
    if not shape.corners:
        x, y = shape.centre[0] - eye[0], shape.centre[1] - eye[1]
        along, aside = x * ux + y * uy, x * uy - y * ux
        square = shape.radius**2 - aside**2
        if square <= 0:
            return inf
        first, last = max(along - square**0.5, 0.0), along + square**0.5
        return first if last > first + _EDGE else inf
    for (ax, ay), (bx, by) in _edges(shape.corners):
        nx, ny = by - ay, ax - bx  # outwards
        outside = (eye[0] - ax) * nx + (eye[1] - ay) * ny
        towards = -(ux * nx + uy * ny)
        if towards > 0:
            first = max(first, outside / towards)
        elif towards < 0:
            last = min(last, outside / towards)
        elif outside > 0:
            return inf
    return first if last > first + _EDGE else inf


def seen(eye: Point, target: Shape, hiding: Sequence[Shape], margin: float) -> bool:
    """Whether some point of a base is seen from an aim point past all that can hide it (M-4.1).

    What hides is grown by a margin: below 0, a doubtful target is seen.
    """
    if not hiding or point_gap(target, eye) <= TOUCH:
        return True
    ahead = atan2(target.centre[1] - eye[1], target.centre[0] - eye[0])
    own = _bounds(target, eye, ahead)
    low, high = min(own), max(own)
    walls = [scaled(shape, margin) for shape in hiding]
    cuts = {angle for wall in walls for angle in _bounds(wall, eye, ahead) if low < angle < high}
    ends = [low, *sorted(cuts), high]
    for left, right in pairwise(ends):
        middle = ahead + (left + right) / 2
        ux, uy = cos(middle), sin(middle)
        far = _enters(target, eye, ux, uy)
        if all(_enters(wall, eye, ux, uy) >= far for wall in walls):
            return True
    return False
