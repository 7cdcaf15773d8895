"""How often so many are lost: exactly so many, and at least."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from estoc.sim.result import Row
from estoc.sim.sequence import Ends

FIGHTERS, POINTS = LOSSES = ("fighters lost", "points lost")

Array = NDArray[np.int64]


def tails(counts: Array, trials: int, ends_of: Callable[[Array], Ends]) -> Iterator[Row]:
    """Yield for each number that was lost in some trial how often it was so, and at least so.

    Parameters
    ----------
    counts : ndarray of int64, shape (most + 1,)
        Trials by what was lost.
    trials : int
        All of them.
    ends_of : callable
        Gives the ends of the intervals of so many trials.

    Examples
    --------
    >>> rows = list(tails(np.array([1, 0, 3]), 4, lambda k: (k / 8, k / 4)))
    >>> [(row["number"], row["count"], row["count_at_least"]) for row in rows]
    [(0, 1, 4), (2, 3, 3)]
    """
    numbers = np.flatnonzero(counts)
    at_least = np.cumsum(counts[::-1])[::-1]
    exactly, so_many = (
        _shares(name, found[numbers], trials, ends_of)
        for name, found in (("", counts), ("_at_least", at_least))
    )
    for number, one, other in zip(numbers, exactly, so_many, strict=True):
        yield {"number": int(number), **one, **other}


def _shares(
    name: str, counts: Array, trials: int, ends_of: Callable[[Array], Ends]
) -> Iterator[Row]:
    for count, low, high in zip(counts, *ends_of(counts), strict=True):
        yield {
            f"count{name}": int(count),
            f"p{name}": int(count) / trials,
            f"p{name}_low": float(low),
            f"p{name}_high": float(high),
        }
