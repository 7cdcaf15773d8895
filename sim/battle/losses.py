"""What a side loses in battles: how often exactly so many, and at least so many."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...profiles.message import say, say_all
from ..base.answer import columns, estimates
from ..base.result import Row
from ..base.sequence import Ends

Array = NDArray[np.int64]

AT_LEAST = columns(  # with what is exactly so, the columns of `tail`
    "whole", "trials in which it was at least so many", "count_at_least", unit="trials"
) + estimates(say("share of those trials"), "p_at_least")
FIGHTERS, POINTS = LOSSES = say_all(("fighters lost", "points lost"))


def tail(counts: Array, ends: Callable[[ArrayLike, ArrayLike], Ends]) -> Iterator[Row]:
    """Yield how often a number was found, exactly and at least so many.

    Parameters
    ----------
    counts : ndarray of int64
        Trials by number.
    ends : callable
        Gives intervals of proportions: told counts, and trials.
    """
    numbers = np.flatnonzero(counts)
    at_least = np.cumsum(counts[::-1])[::-1]
    rows = zip(
        numbers,
        shares("", counts[numbers], int(counts.sum()), ends),
        shares("_at_least", at_least[numbers], int(counts.sum()), ends),
        strict=True,
    )
    for number, exactly, so_many in rows:
        yield {"number": int(number), **exactly, **so_many}


def shares(
    name: str, counts: Array, trials: int, ends: Callable[[ArrayLike, ArrayLike], Ends]
) -> Iterator[Row]:
    """Yield counts as shares of the trials, with intervals; cells end in the name."""
    lows, highs = ends(counts, trials)
    for count, low, high in zip(counts, lows, highs, strict=True):
        yield {
            f"count{name}": int(count),
            f"p{name}": int(count) / max(trials, 1),
            f"p{name}_low": float(low),
            f"p{name}_high": float(high),
        }
