"""Trials of the contagion of rout, counted the same for any number of threads and chunks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial as bound
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.parallel import Task, in_order, piece
from ..base.run import USUAL_RUN, Method, Run, until_stopped
from ..base.sequence import Stopping
from .layout import Order, bits
from .question import Contagion

CHUNK = 262_144  # trials of one turn played in one go
SECONDS = 1e-7  # that a turn of a trial takes, about


@dataclass
class Counts:
    """What became of some trials of one order.

    Parameters
    ----------
    law : ndarray of int64, shape (n + 1,)
        Trials by the number of units in rout at the end.
    lost : ndarray of int64, shape (2,)
        Activations of units in rout at their action step (A1): sum, and sum of squares.
    stopping : Stopping
        When the run ends.
    """

    law: NDArray[np.int64]
    lost: NDArray[np.int64]
    stopping: Stopping = field(default_factory=lambda: Stopping(0))

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

    Examples
    --------
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
    ended: set[int] = set()
    stopping = how.stopping
    step = run.chunk or piece(max(CHUNK // question.turns, 4096), SECONDS * question.turns)

    def tasks() -> Iterator[Task[tuple[int, Counts]]]:
        for index, order in enumerate(orders):
            for first, size in stopping.spans(step):
                if index in ended:
                    break
                counting = (question, order, how.seed or 0, question.cell, first, size)
                yield Task(f"{index}/{first}+{size}", bound(_indexed, index, *counting))

    found = [Counts.none(len(order), stopping) for order in orders]
    with until_stopped(run.partial):
        for index, counts in in_order(tasks(), run.threads):
            if index in ended:  # played ahead by threads
                continue
            found[index] += counts  # a new object: Ctrl-C leaves no half of a sum
            if found[index].reached:
                ended.add(index)
            run.advance(counts.trials)
    return found


def _indexed(index: int, *counting: Any) -> tuple[int, Counts]:
    return index, count_chunk(*counting)
