"""Who acts when in an activation phase: odds of one form, sampled or exact."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..base.sequence import Stopping
from .card_question import Change


@dataclass(frozen=True)
class Difference:
    """What a change makes of the phase: with it less without it."""

    change: Change
    value: float  # of the sum of swings, in thousandths
    error: float  # its standard error, 0 if it is exact
    # shape (a, b): of how often A's card i acts before B's card j: trials, or a chance
    before: NDArray[np.generic]
    flips: NDArray[np.generic]  # shape (a, b): how often it is the other way round: trials, or 0


@dataclass(frozen=True)
class PhaseOdds:
    """Who acts when."""

    # shape (a, b): how often A's card i acts before B's card j: trials, or a chance
    before: NDArray[np.generic]
    # shape (2, c, t): how often a card acts in which speaking turn, from 0
    acts: NDArray[np.generic]
    first: float  # how often A speaks first
    # expected sum of swings, in thousandths, and its standard error
    value: float
    error: float
    differences: tuple[Difference, ...]
    trials: int | None  # None if all is exact
    stopping: Stopping = field(default_factory=lambda: Stopping(0))  # when the run of trials ends

    @property
    def shares(self) -> NDArray[np.generic]:
        """Trials of everything whose proportion has an interval."""
        return np.concatenate(([self.first], self.before.ravel(), self.acts.ravel()))

    @property
    def reached(self) -> bool:
        """Whether the run of trials ends here for its precision."""
        return self.stopping.reached(self.shares, self.trials or 0)
