"""No time is told before all that is timed agrees about the answer."""

import numpy as np
from numpy.typing import NDArray

from .samplers import Counts

LIMIT_Z = 4.5
CLOSE = 1e-12
FEWEST = 10  # expected cases of a cell; rarer cells are compared together
FEWEST_SKEWED = 30  # the same where one side is a law and the cells are many


class Disagreement(Exception):
    """Two ways to the same answer that give different ones."""


def demand(holds: bool, complaint: str) -> None:
    """End the run, before any time is told, where two engines differ."""
    if not holds:
        raise Disagreement(complaint)


def disagreement(one: Counts, other: Counts) -> tuple[float, float]:
    """Return the largest |z| of a cell and chi-square by degree of freedom between two counts."""
    both = np.stack([one.ravel(), other.ravel()]).astype(float)
    totals = both.sum(axis=1, keepdims=True)
    share = both.sum(axis=0) / totals.sum()
    rare = share * totals.min() < FEWEST
    both = np.column_stack([both[:, ~rare], both[:, rare].sum(axis=1)])
    share = both.sum(axis=0) / totals.sum()
    both, share = both[:, share > 0], share[share > 0]
    gap = both[0] / totals[0] - both[1] / totals[1]
    spread = share * (1 / totals).sum()
    z = gap / np.sqrt(spread * (1 - share))
    return float(np.abs(z).max()), float((gap**2 / spread).sum() / (len(share) - 1))


def departure(counts: Counts, law: NDArray[np.float64]) -> float:
    """Return the largest |z| of a cell of counts from their law; infinite where it says never."""
    counts, law = counts.ravel(), law.ravel()
    if counts[law == 0].any():
        return float("inf")
    trials = counts.sum()
    rare = trials * law < FEWEST_SKEWED
    if trials * law[rare].sum() < FEWEST_SKEWED:
        rare[np.argmin(np.where(rare, np.inf, law))] = True
    counts = np.append(counts[~rare], counts[rare].sum())
    law = np.append(law[~rare], law[rare].sum())
    if len(law) == 1:
        return 0.0
    return float(np.abs((counts - trials * law) / np.sqrt(trials * law * (1 - law))).max())
