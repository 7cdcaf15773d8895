"""Who suffers the penalty of the charges of a speaking turn (M-5)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from estoc.profiles import Edition, Profile
from estoc.profiles.compile import charge_sharing, power


def charged_by(
    charges: NDArray[np.bool_], turns: ArrayLike, profiles: Sequence[Profile], edition: Edition
) -> NDArray[np.bool_]:
    """Return who suffers the penalty of a charge (M-5.1 to M-5.3).

    Parameters
    ----------
    charges : ndarray of bool, shape (n, n)
        [i, j]: fighter i charges j.
    turns : array_like of int, shape (n,)
        Speaking turn in which each charges.
    profiles : sequence of Profile
    edition : Edition
        Powers (W-5), and how a power is shared (M-5.2).
    """
    n = len(profiles)
    if not charges.any():
        return np.zeros(n, np.bool_)
    from estoc.kernels.penalties import charge_penalties

    powers = np.array([power(profile, edition)[0] for profile in profiles])
    when, charging = np.asarray(turns, np.int64), np.ones(n, np.int64)
    sharing = charge_sharing(edition).value
    return np.asarray(charge_penalties(when, charging, charges, powers, powers, sharing))
