"""Whether a fighter sees another: every line that could make a difference is tried (M-4.1).

Seen from above, all bases convex. Directions in which the eye passes a corner, or grazes a round
base, part the circle; between two of them nothing changes, so one line in each part tells all.
"""

from __future__ import annotations

from math import acos, atan2, cos, dist, hypot, inf, pi, sin, sqrt

from reference.field import TOUCH, Game, Warrior, away, terrain_pieces
from reference.geometry import Plain, Point, edges, gap

SLIT = 1e-9  # radians, between directions that are the same


def sees(game: Game, viewer: Warrior, target: Warrior) -> bool:
    """Whether some straight line from the viewer's aim point to the target's base is free."""
    eye = viewer.at
    if away(eye, target) <= TOUCH or target in game.touching(viewer):
        return True
    hiding = blockers(game, viewer, target)
    turns = sorted(a % (2 * pi) for shape in [*hiding, target.base] for a in limits(eye, shape))
    for one, other in zip(turns, [*turns[1:], turns[0] + 2 * pi], strict=True):
        if other - one <= SLIT:
            continue
        middle = (one + other) / 2
        way = (cos(middle), sin(middle))
        goal, _ = crossed(eye, way, target.base)
        if goal < inf and not any(hides(eye, way, shape, goal) for shape in hiding):
            return True
    return False


def blockers(game: Game, viewer: Warrior, target: Warrior) -> list[Plain]:
    """What could hide the target: what is as big as the smaller, or the bigger, of both."""
    sizes = viewer.card["size"], target.card["size"]
    least = min(sizes) if game.edition["sight.hides"] == "lower" else max(sizes)
    found = [
        other.base
        for other in game.living()
        if other not in (viewer, target) and other.card["size"] >= least
    ]
    for piece, shape in terrain_pieces(game):
        stands = min(gap(viewer.base, shape), gap(target.base, shape)) < -TOUCH
        if piece["size"] >= least and not stands:
            found.append(shape)
    return found


def limits(eye: Point, shape: Plain) -> list[float]:
    """Directions of the corners of a shape, or of the two lines that graze a round one."""
    if not shape.radius:
        return [atan2(y - eye[1], x - eye[0]) for x, y in shape.corners]
    x, y = shape.corners[0][0] - eye[0], shape.corners[0][1] - eye[1]
    far = hypot(x, y)
    half = pi / 2 - acos(min(shape.radius / far, 1.0)) if far else pi / 2
    return [atan2(y, x) - half, atan2(y, x) + half]


def crossed(eye: Point, way: Point, shape: Plain) -> tuple[float, float]:
    """How far along a line a shape begins and ends; infinity: it is not met."""
    if shape.radius:
        (cx, cy), r = shape.corners[0], shape.radius
        along = (cx - eye[0]) * way[0] + (cy - eye[1]) * way[1]
        square = r * r - dist(eye, (cx, cy)) ** 2 + along * along
        if square <= 0:
            return inf, inf
        first, last = along - sqrt(square), along + sqrt(square)
    else:
        first, last = 0.0, inf
        for (ax, ay), (bx, by) in edges(shape.corners):
            nx, ny = by - ay, ax - bx  # out of a counter-clockwise shape
            out = (eye[0] - ax) * nx + (eye[1] - ay) * ny
            speed = way[0] * nx + way[1] * ny
            if speed == 0:
                if out > 0:
                    return inf, inf
            elif speed < 0:
                first = max(first, -out / speed)
            else:
                last = min(last, -out / speed)
    first = max(first, 0.0)
    return (first, last) if last - first > SLIT else (inf, inf)


def hides(eye: Point, way: Point, shape: Plain, goal: float) -> bool:
    """Whether a shape lies on a line before the goal."""
    first, _ = crossed(eye, way, shape)
    return first < goal - SLIT
