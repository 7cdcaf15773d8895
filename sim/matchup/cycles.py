"""Rings of entrants that beat each other round: what no ranking can hold."""

from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np
from numpy.typing import ArrayLike

Ring = tuple[int, ...]


def rings(beats: ArrayLike) -> list[Ring]:
    """Return rings of three, and those of four in which nobody beats the one across.

    A ring of four with such a shortcut holds a ring of three. Each beats the next one, the last
    the first; the lowest number comes first. ``beats``, (n, n): whether row beats column.

    >>> rings([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    [(0, 1, 2)]
    """
    won = np.asarray(beats, bool)
    return [*_of_three(won), *_of_four(won)]


def _of_three(won: np.ndarray) -> Iterator[Ring]:
    for ring in combinations(range(len(won)), 3):
        for order in (ring, (ring[0], ring[2], ring[1])):
            if _closed(won, order):
                yield order


def _of_four(won: np.ndarray) -> Iterator[Ring]:
    undecided = ~(won | won.T)
    for first, *others in combinations(range(len(won)), 4):
        for rest in permutations(others):
            order = (first, *rest)
            across = undecided[order[0], order[2]] and undecided[order[1], order[3]]
            if across and _closed(won, order):
                yield order


def _closed(won: np.ndarray, order: Ring) -> bool:
    """Return whether each beats the next one, and the last the first."""
    return all(won[one, other] for one, other in zip(order, order[1:] + order[:1], strict=True))
