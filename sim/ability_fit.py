"""What a point buys: prices against values, by least squares, and what lies far from it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from estoc.sim.score import ROUNDING

FAR = 2.0  # standardised residuals beyond it are outliers
CHEAP, DEAR = "cheap", "dear"


@dataclass(frozen=True)
class Fit:
    """Values fitted by their prices, as ``value = per_point * price``.

    Parameters
    ----------
    per_point : float
        What a point buys.
    residuals : tuple of float
        Values less what their prices buy.
    standardised : tuple of float
        Residuals by their own standard deviations, of which dear lines, which pull the fit more,
        have smaller ones.
    """

    per_point: float
    residuals: tuple[float, ...]
    standardised: tuple[float, ...]


def fitted(prices: Sequence[float], values: Sequence[float]) -> Fit | None:
    """Return the line through the origin with the least squares; None of fewer than two points.

    Examples
    --------
    >>> found = fitted([1, 2, 3], [2, 4, 7])
    >>> round(found.per_point, 3), [round(z, 2) for z in found.standardised]
    (2.214, [-0.53, -1.2, 1.41])
    """
    if len(prices) < 2:
        return None
    x, y = np.array(prices, float), np.array(values, float)
    per_point = float(x @ y / (x @ x))
    residuals = y - per_point * x
    spread = float(np.sqrt(residuals @ residuals / (len(x) - 1)))
    if spread <= ROUNDING * max(1.0, float(np.abs(y).max())):
        residuals = np.zeros(len(x))
        spread = 1.0
    errors = spread * np.sqrt(1 - x**2 / (x @ x))
    return Fit(per_point, tuple(map(float, residuals)), tuple(map(float, residuals / errors)))


def verdict(standardised: float) -> str:
    """Return what an outlier is: cheap, worth more than its price, or dear; else nothing."""
    if abs(standardised) <= FAR:
        return ""
    return CHEAP if standardised > 0 else DEAR
