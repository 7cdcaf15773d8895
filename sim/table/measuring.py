"""Lengths and their limits; what a player takes a distance for, as he may not measure (M-1)."""

from math import erfc, sqrt

from ...kernels.layout.table import TOUCH
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError


def within(length: float, limit: float) -> bool:
    """Return whether a measured length is at most a limit; `kernels.table.geometry` has the same.

    Rounding decides nothing: what is longer by no more than makes a contact is within.

    >>> within(20.000000000000004, 20.0), within(20.001, 20.0)
    (True, False)
    """
    return length <= limit + TOUCH


def thought_in_reach(
    distance: float, reach: float, edition: Edition, premeasure: bool = False
) -> float:
    """Return the chance that an estimate of a distance is within a reach (M-1.6).

    Its error is normal, with a standard deviation of ``measuring.error`` times the distance.

    Where the distance is not, an assault declared because of the estimate falls short (M-4.4).
    """
    spread = distance * _error(distance, edition, premeasure)
    if spread == 0:
        return float(within(distance, reach))
    return 0.5 * erfc((distance - reach) / (spread * sqrt(2)))


def _error(distance: float, edition: Edition, premeasure: bool) -> float:
    if distance < 0:
        raise InputError("distance {:g} should be 0 cm or more (M-1.6)", distance)
    return 0.0 if premeasure else float(edition["measuring.error"])
