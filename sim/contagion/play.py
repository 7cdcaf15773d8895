"""Trials of the contagion of rout, counted the same for any number of threads and chunks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial as bound

import numpy as np
from numpy.typing import NDArray

from ..base.parallel import count_each, piece
from ..base.run import USUAL_RUN, Method, Run
from ..base.sequence import Stopping
from .layout import Order, bits
from .question import Contagion

CHUNK = 262_144  # trials of one turn played in one go
SECONDS = 1e-7  # that a turn of a trial takes, about


@dataclass
class Counts:
    """What became of some trials of one order."""

    law: NDArray[np.int64]  # shape (n + 1,): trials by the number of units in rout at the end
    # shape (2,): activations of units in rout at their action step (A1): sum, and sum of squares
    lost: NDArray[np.int64]
    stopping: Stopping = field(default_factory=lambda: Stopping(0))  # when the run ends

    @classmethod
    def none(cls, units: int, stopping: Stopping) -> "Counts":
        """Return the counts of no trial."""
        return cls(np.zeros(units + 1, np.int64), np.zeros(2, np.int64), stopping)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.law + other.law, self.lost + other.lost, self.stopping)

    @property
    def trials(self) -> int:
        """How many."""
        return int(self.law.sum())

    @property
    def shares(self) -> NDArray[np.int64]:
        """Trials of what a precision is about."""
        return self.law

    @property
    def reached(self) -> bool:
        """Whether the run ends here for its precision."""
        return self.stopping.reached(self.law, self.trials)

    def mean_routed(self) -> tuple[float, float, float]:
        """Return the mean number of units in rout, and its interval."""
        sizes = np.arange(len(self.law), dtype=np.float64)
        return self._mean(float(self.law @ sizes), float(self.law @ sizes**2))

    def mean_lost(self) -> tuple[float, float, float]:
        """Return the mean number of lost activations, and its interval."""
        total, squares = self.lost.tolist()
        return self._mean(total, squares)

    def _mean(self, total: float, squares: float) -> tuple[float, float, float]:
        n = self.trials
        mean = total / n
        half = self.stopping.errors(n) * float(np.sqrt(max(squares / n - mean**2, 0.0) / n))
        return mean, mean - half, mean + half


def renumbered(neighbours: Sequence[int], order: Order) -> NDArray[np.uint64]:
    """Return who is beside whom when units are numbered by their place in an order.

    >>> renumbered([2, 5, 2], (1, 0, 2)).tolist()
    [6, 1, 1]
    """
    place = {unit: i for i, unit in enumerate(order)}
    words = [sum(1 << place[other] for other in bits(neighbours[unit])) for unit in order]
    return np.array(words, np.uint64)


def count_chunk(
    question: Contagion, order: Order, seed: int, cell: int, first: int, trials: int
) -> Counts:
    """Play trials ``first`` to ``first + trials - 1`` of one order, and count."""
    from ...kernels.sheet.contagion import count_contagion

    counts = Counts.none(len(order), Stopping(0))
    count_contagion(
        renumbered(question.layout.neighbours, order),
        np.uint64(sum(1 << order.index(unit) for unit in question.routed)),
        question.fail.numerator,
        question.fail.denominator,
        question.turns,
        question.flee,
        np.uint64(seed),
        np.uint64(cell),
        first,
        trials,
        counts.law,
        counts.lost,
    )
    return counts


def count_orders(
    question: Contagion, orders: Sequence[Order], how: Method, run: Run = USUAL_RUN
) -> list[Counts]:
    """Count the same trials of each order."""
    step = piece(max(CHUNK // question.turns, 4096), SECONDS * question.turns)
    played = [bound(count_chunk, question, order, how.seed or 0, question.cell) for order in orders]
    none = [Counts.none(len(order), how.stopping) for order in orders]
    return count_each([(play, step) for play in played], none, how.stopping, run)
