"""Intervals for what was sampled."""

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95


def quantile(level: float = LEVEL) -> float:
    """Return how many standard errors an interval of that level reaches to each side."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def student(degrees: int, level: float = LEVEL) -> float:
    """Return `quantile` where the error itself is estimated, with so many degrees of freedom.

    >>> round(student(9), 2), round(student(999), 2)
    (2.26, 1.96)
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + level / 2))


def wilson(
    successes: ArrayLike, trials: ArrayLike, level: float = LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lower and upper ends of Wilson's interval for a proportion.

    It stays within 0 and 1, and gives an upper bound above 0 for what was never seen; no trial at
    all gives the interval from 0 to 1.

    >>> low, high = wilson(0, 100)
    >>> float(low), round(float(high), 4)
    (0.0, 0.037)
    """
    z2 = quantile(level) ** 2
    n = np.asarray(trials, np.float64)
    k = np.asarray(successes, np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(n > 0, k / n, 0.5)
        centre = (k + z2 / 2) / (n + z2)
        half = np.sqrt(z2 * (p * (1 - p) * n + z2 / 4)) / (n + z2)
    # the ends are exact where nothing, or everything, was seen
    low = np.where(k == 0, 0.0, centre - half)
    high = np.where(k == n, 1.0, centre + half)
    return low, high


def paired(
    difference: float, discordant: float, trials: int, errors: float | None = None
) -> tuple[float, float]:
    """Return the ends of an interval for the difference of two proportions of the same trials.

    It is of the trials with the first only, less those with the second only, and of those with one
    of the two only; a trial may count in part, and by the part's square there. It reaches so many
    standard errors to each side, or `quantile`. Agresti and Min's: half a trial is added to each
    of the four cells.

    >>> low, high = paired(0, 0, 1000)
    >>> round(low, 4), round(high, 4)
    (-0.002, 0.002)
    """
    n = trials + 2
    mean = difference / n
    half = (errors or quantile()) * np.sqrt(max((discordant + 1) / n - mean**2, 0.0) / n)
    return float(max(mean - half, -1.0)), float(min(mean + half, 1.0))
