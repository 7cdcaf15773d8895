"""The plain reading of the nearest threat (3.5)."""

from __future__ import annotations

import pytest

from reference.sheet_threat import legal_steps, nearest_threats, step_class

HERE = 0
COSTS = {  # two enemies as near, one farther; hexes 1 to 5 around
    7: {HERE: 2, 1: 3, 2: 2, 3: 3, 4: 1, 5: 2},
    8: {HERE: 2, 1: 4, 2: 3, 3: 1, 4: 2, 5: 2},
    9: {HERE: 5, 1: 1, 2: 1, 3: 9, 4: 9, 5: 9},
}


def test_nearest_threats():
    assert nearest_threats(COSTS, HERE) == [7, 8]
    assert nearest_threats(COSTS, 1) == [9]
    assert nearest_threats({}, HERE) == []


@pytest.mark.parametrize(("to", "rank"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 2)])
def test_class_of_a_step(to, rank):
    """Farther from all, nearer none, farther from one, else; who isn't nearest doesn't count."""
    assert step_class(COSTS, HERE, to) == rank


@pytest.mark.parametrize(
    ("around", "legal"),
    [([1, 2, 3, 4, 5], {1}), ([2, 3, 4, 5], {2, 5}), ([3, 4], {3}), ([4], {4}), ([], set())],
)
def test_best_class_available(around, legal):
    assert legal_steps(COSTS, HERE, around) == legal


def test_nobody_threatens():
    assert legal_steps({}, HERE, [1, 2]) == {1, 2}
