"""What to bring where everyone brings his best: mixtures of a symmetric game, and how sure."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.stats import LEVEL, quantile
from ..worth.equilibrium import mixture

RESAMPLES = 300
_IN_IT = 1e-9  # a smaller share is none

Floats = NDArray[np.float64]


class Mix(NamedTuple):
    """A mixture of entrants that none of them beats."""

    shares: Floats  # how often each is to be brought
    # ends of the shares, over matrices drawn anew within the errors
    low: Floats
    high: Floats
    kept: Floats  # part of these in which each has a share
    # what each scores above one half against the mixture, and at most at the level of the family of
    # all of them: how far the mixture may be from one that nobody beats
    gains: Floats
    most: Floats


def best_mix(
    scores: ArrayLike,
    errors: ArrayLike,
    seed: int,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Mix:
    """Return the mixture of a matrix of scores that no entrant beats."""
    worth = np.asarray(scores, np.float64) - 0.5
    error = np.triu(np.asarray(errors, np.float64), 1)
    shares = mixture(worth)
    random = np.random.default_rng(seed)
    drawn = np.array([mixture(_again(worth, error, random)) for _ in range(resamples)])
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    gains = worth @ shares
    spread = np.sqrt((error + error.T) ** 2 @ shares**2)
    most = gains + quantile(1 - 2 * (1 - level) / len(worth)) * spread
    return Mix(shares, low, high, (drawn > _IN_IT).mean(axis=0), gains, most)


def _again(worth: Floats, error: Floats, random: np.random.Generator) -> Floats:
    """Return a game as it may be as well: each meeting moved by its error."""
    moved = np.triu(worth, 1) + error * random.standard_normal(worth.shape)
    return np.clip(moved - moved.T, -0.5, 0.5)
