"""Lengths and their limits; what a player takes a distance for, as he may not measure (M-1)."""

from math import erfc, sqrt

import numpy as np

from ...kernels.layout.table import TOUCH
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError


def within(length: float, limit: float) -> bool:
    """Return whether a measured length is at most a limit; `kernels.table.geometry` has the same.

    Rounding decides nothing: what is longer by no more than makes a contact is within.

    Examples
    --------
    >>> within(20.000000000000004, 20.0), within(20.001, 20.0)
    (True, False)
    """
    return length <= limit + TOUCH


def estimated(
    distance: float, edition: Edition, seed: int, trial: int = 0, premeasure: bool = False
) -> float:
    """Return a player's estimate of a distance (M-1.6).

    Its error is normal, with a standard deviation of ``measuring.error`` times the distance.

    Parameters
    ----------
    distance : float
        The true one, in cm.
    edition : Edition
    seed, trial : int
        The estimate is a function of both.
    premeasure : bool
        Both players agreed to measure freely: there is no error.

    Raises
    ------
    InputError
        For a negative distance.
    """
    error = _error(distance, edition, premeasure)
    draw = np.random.Generator(np.random.Philox(key=[seed, trial])).standard_normal()
    return float(distance * (1 + error * draw))


def thought_in_reach(
    distance: float, reach: float, edition: Edition, premeasure: bool = False
) -> float:
    """Return the chance that an estimate of a distance is within a reach (M-1.6).

    Where the distance is not, an assault declared because of the estimate falls short (M-4.4).

    Parameters
    ----------
    distance, reach : float
        In cm.
    edition : Edition
    premeasure : bool
        As in `estimated`.

    Raises
    ------
    InputError
        For a negative distance.
    """
    spread = distance * _error(distance, edition, premeasure)
    if spread == 0:
        return float(within(distance, reach))
    return 0.5 * erfc((distance - reach) / (spread * sqrt(2)))


def _error(distance: float, edition: Edition, premeasure: bool) -> float:
    if distance < 0:
        raise InputError(f"distance {distance:g} should be 0 cm or more (M-1.6)")
    return 0.0 if premeasure else float(edition["measuring.error"])
