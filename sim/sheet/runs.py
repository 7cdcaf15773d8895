"""Runs of a question about the sheet: all with their chances or many rolled, and what they say."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.sheet_trials import SheetCounts
from estoc.profiles import InputError
from estoc.sim.method import EXACT, SAMPLED
from estoc.sim.params import checked_seed, checked_trials, estoc_version
from estoc.sim.result import Row
from estoc.sim.sampling import Progress
from estoc.sim.sheet_question import SheetQuestion
from estoc.sim.sheet_tape import MOST_RUNS, Task, exact_runs, expected, sampled
from estoc.sim.stats import quantile, wilson

Values = NDArray[np.int64]  # trials by value of a whole number
Measure = Callable[[SheetCounts], Values]

TRIALS = 100_000


@dataclass(frozen=True)
class Runs:
    """All runs with their chances, or many trials, and what they say of whole numbers."""

    exact: list[tuple[Fraction, SheetCounts]] | None
    counts: SheetCounts | None = None
    trials: int | None = None
    seed: int | None = None
    stopped: str = ""

    @property
    def arguments(self) -> list[str]:
        """Method, or trials and seed, as arguments of the command line."""
        return arguments(self.trials, self.seed)

    @property
    def note(self) -> str:
        """Where the figures come from, in words."""
        return note(self.trials, self.seed)

    def row(self, measure: Measure) -> Row:
        """Return the cells of a mean: itself, its 95 % interval, and what it is exactly."""
        if self.exact is not None:
            found = expected(self.exact, lambda counts: total(measure(counts)))
            return {"mean": float(found), "low": None, "high": None, "exact": str(found)}
        assert self.counts is not None
        return {**estimate(measure(self.counts)), "exact": ""}

    def told(self, question: SheetQuestion) -> Row:
        """Return the cells that say where a row comes from."""
        return origin(question, self.trials, self.seed)


def arguments(trials: int | None, seed: int | None) -> list[str]:
    """Return trials and seed as arguments of the command line; None: it was exact."""
    if trials is None:
        return ["--method", EXACT]
    return ["--trials", str(trials), "--seed", str(seed)]


def note(trials: int | None, seed: int | None) -> str:
    """Return where figures come from, in words; None: from all ways for the dice to fall."""
    if trials is None:
        return f"exact: every way for the dice to fall; estoc {estoc_version()}"
    return f"{trials:,} trials, seed {seed}; estoc {estoc_version()}"


def origin(question: SheetQuestion, trials: int | None, seed: int | None) -> Row:
    """Return the cells that say where a row comes from."""
    return {
        "turns": question.turns,
        "method": EXACT if trials is None else SAMPLED,
        "remainder": 0.0 if trials is None else None,
        "trials": trials,
        "seed": seed,
        "policy": question.policy,
        "inputs": question.inputs,
        "version": estoc_version(),
    }


def estimate(by_value: Values) -> Row:
    """Return a mean of trials and its 95 % interval, within the values that can be.

    What is 0 or 1 has Wilson's interval. What was the same in all trials has as much room as
    the chance that a trial differs, at its upper bound: none is certain for being never seen.

    Parameters
    ----------
    by_value : ndarray of int64
        Trials by value, from 0 to the most that can be.

    Examples
    --------
    >>> row = estimate(np.array([100, 0, 0]))
    >>> row["mean"], row["low"], round(row["high"], 4)
    (0.0, 0.0, 0.037)
    """
    trials, most = int(by_value.sum()), len(by_value) - 1
    if not trials:
        return {"mean": None, "low": None, "high": None}
    mean = total(by_value) / trials
    if most == 1:
        low, high = (float(end) for end in wilson(by_value[1], trials))
        return {"mean": mean, "low": low, "high": high}
    if np.count_nonzero(by_value) == 1:
        half = unseen(trials)
    else:
        square = float(by_value @ np.arange(most + 1) ** 2) / trials
        half = quantile() * sqrt(max(square - mean * mean, 0.0) / trials)
    return {"mean": mean, "low": max(mean - half, 0.0), "high": min(mean + half, float(most))}


def unseen(trials: int) -> float:
    """Return the upper bound of the chance of what no trial has shown (Wilson, 95 %)."""
    return float(wilson(0, trials)[1])


def total(by_value: Values) -> int:
    """Return the sum over trials."""
    return int(by_value @ np.arange(len(by_value)))


def is_sampled(method: str | None, trials: int | None, seed: int | None) -> bool:
    """Whether trials are asked for: by their method, their number or their seed.

    Raises
    ------
    InputError
        If exact odds are asked for as well.
    """
    if method == EXACT and (trials, seed) != (None, None):
        raise InputError("method: exact odds have no trials and no seed; leave them out")
    return method == SAMPLED or (trials, seed) != (None, None)


def too_many() -> InputError:
    """Return the refusal of exact odds of what has too many runs."""
    return InputError(
        f"method: there are more than {MOST_RUNS:,} ways for the dice to fall; take --method mc"
    )


def driven(
    question: SheetQuestion,
    task: Task,
    method: str | None = None,
    trials: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    partial: bool = False,
    usual: int = TRIALS,
) -> Runs:
    """Return all runs of a task with their chances where that is asked for or can be, else trials.

    ``usual`` is how many trials there are where nobody says.

    Raises
    ------
    InputError
        If exact odds are asked for of what has too many runs, or trials or seed are wrong.
    """
    if not is_sampled(method, trials, seed):
        exact = exact_runs(question.compiled(), task, patient=method == EXACT)
        if exact is not None:
            return Runs(exact)
        if method == EXACT:
            raise too_many()
    number = checked_trials(usual if trials is None else trials)
    used = checked_seed(seed)
    counts, done = sampled(question.compiled(used), task, number, threads, progress, partial)
    stopped = "" if done == number else f"{done:,} of {number:,} trials"
    return Runs(None, counts, done, used, stopped)
