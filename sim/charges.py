"""Who suffers the penalty of the charges of a speaking turn (M-5)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from estoc.kernels.ability_codes import Effect, Number
from estoc.profiles import Edition, Profile
from estoc.profiles.abilities import compile_abilities
from estoc.profiles.compile import charge_sharing, power

_POWERS = (Number.POWER_CHARGING, Number.POWER_CHARGED)


def charged_by(
    charges: NDArray[np.bool_],
    turns: ArrayLike,
    profiles: Sequence[Profile],
    edition: Edition,
    abilities: bool = True,
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
    abilities : bool
        Whether those on the cards are played: powers more, and who always inflicts the penalty,
        or never suffers it (W-7).
    """
    n = len(profiles)
    if not charges.any():
        return np.zeros(n, np.bool_)
    from estoc.kernels.penalties import charge_penalties

    powers = np.array([power(profile, edition)[0] for profile in profiles])
    feats = [compile_abilities(profile) for profile in profiles if abilities]
    flags = np.array([flag for flag, _ in feats] or [0] * n)
    more = [[numbers[column] for column in _POWERS] for _, numbers in feats]
    charging_powers, charged_powers = (powers + np.array(more or [[0, 0]] * n).T).copy()
    when, charging = np.asarray(turns, np.int64), np.ones(n, np.int64)
    sharing = charge_sharing(edition).value
    found = charge_penalties(when, charging, charges, charging_powers, charged_powers, sharing)
    brutal, steady = (flags >> effect & 1 != 0 for effect in (Effect.BRUTAL, Effect.STEADY))
    found = (found | charges[brutal].any(axis=0)) & ~steady
    return np.asarray(found)
