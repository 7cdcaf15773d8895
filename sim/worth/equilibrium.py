"""Zero-sum games in which both sides choose unseen: the best mixtures, by linear programming."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...profiles.message import say


class Equilibrium(NamedTuple):
    """Best mixtures of both sides."""

    value: float  # to the side that chooses the row
    # chance with which each row, and each column, is to be chosen
    rows: NDArray[np.float64]
    columns: NDArray[np.float64]


def equilibrium(worth: ArrayLike) -> Equilibrium:
    """Return the value of a matrix game, (m, k), to who chooses the row, and best mixtures.

    >>> game = equilibrium([[2, 0], [0, 2]])
    >>> round(game.value, 12), game.rows.tolist()
    (1.0, [0.5, 0.5])
    """
    matrix = np.asarray(worth, np.float64)
    return Equilibrium(float(_program(matrix)[-1]), mixture(matrix), mixture(-matrix.T))


def mixture(worth: ArrayLike) -> NDArray[np.float64]:
    """Return a best mixture of the side that chooses the row of a matrix game."""
    weights = np.clip(_program(np.asarray(worth, np.float64))[:-1], 0.0, None)
    return np.asarray(weights / weights.sum())


def _program(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the row player's mixture that guarantees most, then what it guarantees."""
    from scipy.optimize import linprog

    m, k = matrix.shape
    found = linprog(
        np.append(np.zeros(m), -1.0),
        A_ub=np.column_stack([-matrix.T, np.ones(k)]),
        b_ub=np.zeros(k),
        A_eq=np.append(np.ones(m), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
        method="highs",
    )
    if not found.success:  # every such game has a solution
        raise RuntimeError(say("no equilibrium found: {}", found.message))
    return np.asarray(found.x, np.float64)
