"""Activations lost by cause, and how many are routed: turns of a situation played (8)."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.sheet_codes import End
from estoc.kernels.sheet_trials import SheetCounts, What
from estoc.profiles import InputError
from estoc.sim.method import EXACT, SAMPLED
from estoc.sim.params import checked_seed, checked_trials, estoc_version
from estoc.sim.result import Result, Row
from estoc.sim.sampling import Progress
from estoc.sim.sheet_question import SheetQuestion, side_of
from estoc.sim.sheet_tape import MOST_LEAVES, Task, exact_runs, expected, sampled
from estoc.sim.stats import quantile

Values = NDArray[np.int64]

TRIALS = 100_000
CAUSES: dict[End, tuple[str, str]] = {
    End.ROUT: ("A1", "routed: rally or flee"),
    End.FROZEN: ("S2c", "shaken formation frozen"),
    End.FACING: ("A3", "turns to face"),
    End.RETREAT: ("A6", "has to go away"),
    End.HOLE: ("F0", "the sheet says nothing"),
    End.OTHER: ("", "nothing wanted is permitted"),
}
USED_TESTS = ("dice", "rout", "morale", "engagement", "discipline", "rally", "wing", "modifier")
USED_WORLD = ("outcome", "allowance", "terrain", "front", "stack_limit")


@dataclass(frozen=True)
class Answer:
    """A mean: exact, or of trials with its standard error."""

    mean: float
    error: float = 0.0
    exact: Fraction | None = None


def lost(
    question: SheetQuestion,
    *,
    side: str | None = None,
    method: str | None = None,
    trials: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    partial: bool = False,
) -> Result:
    """Return how many activations a side loses in some turns, by cause (8, question 3).

    An activation is lost if the clauses permit none of the actions that the side's player wants.
    Exact by the tape while there are few runs, else sampled.

    Parameters
    ----------
    question : SheetQuestion
    side : str, optional
        The first of the situation if not given.
    method : {"exact", "mc"}, optional
    trials, seed, threads : int, optional
    progress : callable, optional
    partial : bool
        Whether Ctrl-C gives the answer of the trials done so far.

    Returns
    -------
    Result
        A row for each cause, one for all (``lost``), one for the side's pieces that are routed
        at the end or left in rout (``routed``): ``mean``, its 95 % interval, ``exact`` as a
        fraction.

    Raises
    ------
    InputError
        If the side is unknown, or exact odds are asked for of what has too many runs.
    """
    own = side_of(question.situation, side)
    runs = driven(question, Task(What.TURNS), method, trials, seed, threads, progress, partial)
    rows = [
        {"cause": text, "clause": clause, **runs.row(_cause(own, cause))}
        for cause, (clause, text) in CAUSES.items()
    ]
    rows.append({"cause": "lost", "clause": "", **runs.row(lost_of(own))})
    rows.append({"cause": "routed", "clause": "", **runs.row(routed_of(own))})
    name = question.situation.sides[own]
    told = {"side": name, **runs.told(question)}
    turns = "1 turn" if question.turns == 1 else f"{question.turns} turns"
    return Result(
        "sheet-lost",
        [{**row, **told} for row in rows],
        f"activations that {name} loses in {turns}: {question.situation.name}",
        notes=question.remarks(USED_TESTS, USED_WORLD),
        command=question.command("lost", "--side", name, *runs.arguments),
        stopped=runs.stopped,
    )


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
        """Trials and seed as arguments of the command line."""
        if self.exact is not None:
            return ["--method", EXACT]
        return ["--trials", str(self.trials), "--seed", str(self.seed)]

    def row(self, values: Callable[[SheetCounts], Values]) -> Row:
        """Return the cells of a mean.

        Parameters
        ----------
        values : callable
            Trials by value, of counts: shape (values,).
        """
        answer = self.mean(values)
        half = quantile() * answer.error
        return {
            "mean": answer.mean,
            "low": None if self.exact is not None else answer.mean - half,
            "high": None if self.exact is not None else answer.mean + half,
            "exact": "" if answer.exact is None else str(answer.exact),
        }

    def mean(self, values: Callable[[SheetCounts], Values]) -> Answer:
        """Return a mean; see `row`."""
        if self.exact is not None:
            found = expected(self.exact, lambda counts: _total(values(counts)))
            return Answer(float(found), exact=found)
        assert self.counts is not None
        by_value = values(self.counts)
        trials = int(by_value.sum())
        if not trials:
            return Answer(float("nan"), float("nan"))
        mean = float(by_value @ _up_to(by_value)) / trials
        square = float(by_value @ _up_to(by_value) ** 2) / trials
        return Answer(mean, sqrt(max(square - mean * mean, 0.0) / trials))

    def told(self, question: SheetQuestion) -> Row:
        """Return the cells that say where the row comes from."""
        return {
            "turns": question.turns,
            "method": EXACT if self.exact is not None else SAMPLED,
            "remainder": 0.0 if self.exact is not None else None,
            "trials": self.trials,
            "seed": self.seed,
            "policy": question.policy,
            "inputs": question.inputs,
            "version": estoc_version(),
        }


def driven(
    question: SheetQuestion,
    task: Task,
    method: str | None,
    trials: int | None,
    seed: int | None,
    threads: int = 1,
    progress: Progress | None = None,
    partial: bool = False,
) -> Runs:
    """Return all runs of a task with their chances where that is asked for or can be, else trials.

    Raises
    ------
    InputError
        If exact odds are asked for of what has too many runs, or trials or seed are wrong.
    """
    asked = method == SAMPLED or (method is None and (trials, seed) != (None, None))
    if not asked:
        exact = exact_runs(question.compiled(), task)
        if exact is not None:
            return Runs(exact)
        if method == EXACT:
            raise InputError(
                f"there are more than {MOST_LEAVES:,} ways for the dice to fall: take --method mc"
            )
    number = checked_trials(TRIALS if trials is None else trials)
    used = checked_seed(seed)
    compiled = question.compiled(used)
    counts, done = sampled(compiled, task, number, threads, progress, partial)
    stopped = "" if done == number else f"{done:,} of {number:,} trials"
    return Runs(None, counts, done, used, stopped)


def lost_of(side: int) -> Callable[[SheetCounts], Values]:
    """Trials by number of activations that a side loses."""
    return lambda counts: counts.lost[side, End.USED]


def routed_of(side: int) -> Callable[[SheetCounts], Values]:
    """Trials by number of a side's pieces that are routed at the end, or left in rout."""
    return lambda counts: counts.sizes[side]


def _cause(side: int, cause: End) -> Callable[[SheetCounts], Values]:
    return lambda counts: counts.lost[side, cause]


def _up_to(values: Values) -> Values:
    return np.arange(len(values))


def _total(values: Values) -> int:
    return int(values @ _up_to(values))
