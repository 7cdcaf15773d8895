"""Who acts when in an activation phase: odds of one form, sampled or exact."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..base.sequence import Stopping
from .card_question import Change


@dataclass(frozen=True)
class Difference:
    """What a change makes of the phase: with it less without it.

    Parameters
    ----------
    change : Change
    value : float
        Of the sum of swings, in thousandths.
    error : float
        Its standard error, 0 if it is exact.
    before : ndarray, shape (a, b)
        Of how often A's card i acts before B's card j: trials, or a chance.
    flips : ndarray, shape (a, b)
        How often it is the other way round: trials, or 0.
    """

    change: Change
    value: float
    error: float
    before: NDArray[np.generic]
    flips: NDArray[np.generic]


@dataclass(frozen=True)
class PhaseOdds:
    """Who acts when.

    Parameters
    ----------
    before : ndarray, shape (a, b)
        How often A's card i acts before B's card j: trials, or a chance.
    acts : ndarray, shape (2, c, t)
        How often a card acts in which speaking turn, from 0.
    first : int or float
        How often A speaks first.
    value, error : float
        Expected sum of swings, in thousandths, and its standard error.
    differences : tuple of Difference
    trials : int, optional
        None if all is exact.
    stopping : Stopping
        When the run of trials ends.
    """

    before: NDArray[np.generic]
    acts: NDArray[np.generic]
    first: float
    value: float
    error: float
    differences: tuple[Difference, ...]
    trials: int | None
    stopping: Stopping = field(default_factory=lambda: Stopping(0))

    @property
    def shares(self) -> NDArray[np.generic]:
        """Trials of everything whose proportion has an interval."""
        return np.concatenate(([self.first], self.before.ravel(), self.acts.ravel()))

    @property
    def reached(self) -> bool:
        """Whether the run of trials ends here for its precision."""
        return self.stopping.reached(self.shares, self.trials or 0)
