"""Intervals for what was sampled."""

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95


def wilson(
    successes: ArrayLike, trials: ArrayLike, level: float = LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lower and upper ends of Wilson's interval for a proportion.

    It stays within 0 and 1, and gives an upper bound above 0 for what was never seen.

    Parameters
    ----------
    successes, trials : array_like of int
        Of one shape; no trial at all gives the interval from 0 to 1.
    level : float
        Probability that the interval covers the truth, in the long run.

    Examples
    --------
    >>> low, high = wilson(0, 100)
    >>> float(low), round(float(high), 4)
    (0.0, 0.037)
    """
    z2 = NormalDist().inv_cdf(0.5 + level / 2) ** 2
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
