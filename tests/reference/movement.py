"""A plain reading of how a move ends that is too long, and of whom a charger pivots (M-4)."""

from collections.abc import Sequence
from itertools import pairwise
from math import dist


def point_at(line: Sequence[tuple[float, float]], far: float) -> tuple[float, float]:
    """The point of a broken line at a length from its beginning, or its end (M-4.4)."""
    for (ax, ay), (bx, by) in pairwise(line):
        length = dist((ax, ay), (bx, by))
        if far <= length:
            share = far / length if length else 0.0
            return ax + share * (bx - ax), ay + share * (by - ay)
        far -= length
    return line[-1]


def may_pivot(own: int, turned: Sequence[int], in_contact: Sequence[bool], square: bool) -> bool:
    """Whether a charger of a power may pivot fighters of these powers, if there is room (M-4.6)."""
    if not turned:
        return True
    return square and not any(in_contact) and sum(turned) <= own
