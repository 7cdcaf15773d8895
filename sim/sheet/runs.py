"""Runs of the sheet: all with their exact weights or many rolled, and what they say (8.2)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial as partial_of
from itertools import count, pairwise
from math import prod, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.sheet import MAX_TAPE
from ...kernels.sheet.trials import SheetCounts, What, play_sheet
from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.answer import PLAYED, columns, origin_columns
from ..base.options import estoc_version
from ..base.parallel import Task as Work
from ..base.parallel import in_order, piece
from ..base.result import Row
from ..base.run import EXACT, SAMPLED, USUAL_RUN, Method, Provenance, Run, until_stopped
from ..base.stats import quantile, wilson
from ..combat.method import sampled_method
from .question import BARE, Compiled, SheetQuestion

MOST_RUNS = 20_000  # that are tried
GLANCE = 200  # runs after which it is guessed how many there are
HOPELESS = 10  # times too many, by that guess
CHUNK = 2_000  # trials of one task
SECONDS = 5e-5  # that a trial takes, about


Values = NDArray[np.int64]  # trials by value of a whole number
Measure = Callable[[SheetCounts], Values]
TRIALS = 100_000


class Task(NamedTuple):
    """What is run in each trial."""

    what: What
    pieces: tuple[int, ...] = ()
    wing: int = 0

    def add(self, compiled: Compiled, counts: SheetCounts, first: int, trials: int) -> None:
        """Run some trials and count what came of them."""
        pieces = np.array(self.pieces, np.int64)
        play_sheet(*compiled, int(self.what), pieces, first, trials, self.wing, counts)


def leaves(
    compiled: Compiled, task: Task, most: int | None = None
) -> Iterator[tuple[Fraction, SheetCounts]]:
    """Yield each run that can be, with its chance: all of them together have 1.

    The tape is an odometer: a chance beyond its end takes the first outcome, and the last one
    that has another outcome left takes that in the next run. What follows an outcome of no
    weight is skipped.
    """
    sheet = compiled.sheets[0]
    sheet["taped"], sheet["tape"] = 1, 0
    for tried in count(1):
        counts = SheetCounts.none(compiled.sheets)
        task.add(compiled, counts, 0, 1)
        drawn = int(sheet["drawn"])
        if drawn > MAX_TAPE or (most is not None and tried > most):
            raise TooManyRuns
        ways, of = sheet["tape_ways"][:drawn].tolist(), sheet["tape_of"][:drawn].tolist()
        last = drawn - 1
        if 0 in ways:
            last = ways.index(0)
        else:
            yield Fraction(prod(ways), prod(of)), counts
        tape, options = sheet["tape"], sheet["tape_options"]
        while last >= 0 and tape[last] + 1 >= options[last]:
            last -= 1
        if last < 0:
            return
        tape[last] += 1
        tape[last + 1 :] = 0


class TooManyRuns(Exception):
    """There are more runs than are worth listing."""


def exact_runs(
    compiled: Compiled, task: Task, patient: bool = True
) -> list[tuple[Fraction, SheetCounts]] | None:
    """Return all runs with their chances; None: there are more than `MOST_RUNS`.

    Who is not ``patient`` gives up as soon as the first runs have so little of all chance that
    there must be many times as many.
    """
    found: list[tuple[Fraction, SheetCounts]] = []
    covered = Fraction(0)
    try:
        for leaf in leaves(compiled.copy(), task, MOST_RUNS):
            found.append(leaf)
            covered += leaf[0]
            if not patient and len(found) == GLANCE and HOPELESS * covered * MOST_RUNS < GLANCE:
                return None
    except TooManyRuns:
        return None
    return found


def expected(
    runs: list[tuple[Fraction, SheetCounts]], value: Callable[[SheetCounts], int]
) -> Fraction:
    """Return the mean of a whole number over all runs."""
    return sum((weight * value(counts) for weight, counts in runs), Fraction(0))


def batches(
    compiled: Compiled, task: Task, bounds: Sequence[int], threads: int | None = None
) -> Iterator[tuple[SheetCounts, int]]:
    """Yield counts of the trials between each two bounds, and how many these are, in order."""
    works = (
        Work(f"{first}+{end - first}", partial_of(_batch, compiled, task, first, end))
        for first, end in pairwise(bounds)
    )
    return in_order(works, threads)


def _batch(compiled: Compiled, task: Task, first: int, end: int) -> tuple[SheetCounts, int]:
    own, counts = compiled.copy(), SheetCounts.none(compiled.sheets)
    task.add(own, counts, first, end - first)
    return counts, end - first


def sampled(
    compiled: Compiled, task: Task, trials: int, run: Run = USUAL_RUN
) -> tuple[SheetCounts, int]:
    """Return counts of so many trials, the same for any number of threads.

    Of a partial run, Ctrl-C gives the trials done so far; the second value says how many.
    """
    total, done = SheetCounts.none(compiled.sheets), 0
    bounds = [*range(0, trials, piece(CHUNK, SECONDS)), trials]
    with until_stopped(run.partial):
        for counts, size in batches(compiled, task, bounds, run.threads):
            total.add(counts)
            done += size
            run.advance(size)
    return total, done


@dataclass(frozen=True)
class Runs:
    """All runs with their chances, or many trials, and what they say of whole numbers."""

    how: Method
    exact: list[tuple[Fraction, SheetCounts]] | None = None
    counts: SheetCounts | None = None
    stopped: str = ""

    def row(self, measure: Measure) -> Row:
        """Return the cells of a mean: itself, its 95 % interval, and what it is exactly."""
        if self.exact is not None:
            found = expected(self.exact, lambda counts: total(measure(counts)))
            return {"mean": float(found), "low": None, "high": None, "exact": str(found)}
        assert self.counts is not None
        return {**estimate(measure(self.counts)), "exact": ""}


def provenance(
    question: SheetQuestion, how: Method, name: str, *words: str, **played: bool
) -> Provenance:
    """Return what an answer rests on; ``name`` and ``words`` are its command's."""
    words += ("--method", EXACT) if how.exact else tuple(how.arguments)
    command = question.command(name, *words, **played)
    return Provenance(question.policy, inputs=question.inputs, command=command)


def note(how: Method) -> str:
    """Return where figures come from, in words."""
    if how.exact:
        return say("exact: every way for the dice to fall; estoc {}", estoc_version())
    return say("{:,} trials, seed {}; estoc {}", how.trials, how.seed, estoc_version())


ORIGIN = (  # the columns of `cells`
    columns("whole", "turns that are played", "turns", unit="turns")
    + origin_columns("method", "remainder")
    + PLAYED
    + origin_columns("seed")
    + origin_columns("policy", *BARE)
)


def cells(question: SheetQuestion, how: Method, rested: Provenance) -> Row:
    """Return the cells that say where a row comes from."""
    return {
        "turns": question.turns,
        "method": how.name,
        "remainder": 0.0 if how.exact else None,
        "trials": how.trials,
        "seed": how.seed,
        **rested.cells(),
    }


def estimate(by_value: Values) -> Row:
    """Return a mean of trials and its 95 % interval, within the values that can be.

    What is 0 or 1 has Wilson's interval. What was the same in all trials has as much room as
    the chance that a trial differs, at its upper bound: none is certain for being never seen.

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


def is_sampled(run: Run) -> bool:
    """Whether trials are asked for: by their method, their number or their seed."""
    if run.method == EXACT and run.asks_to_sample:
        raise InputError("method: exact odds have no trials and no seed; leave them out")
    return run.method == SAMPLED or run.asks_to_sample


def too_many() -> InputError:
    """Return the refusal of exact odds of what has too many runs."""
    return InputError(
        "method: there are more than {:,} ways for the dice to fall; take --method mc", MOST_RUNS
    )


def driven(question: SheetQuestion, task: Task, run: Run, usual: int = TRIALS) -> Runs:
    """Return all runs of a task with their chances where that is asked for or can be, else trials.

    ``usual`` is how many trials there are where nobody says.
    """
    if not is_sampled(run):
        exact = exact_runs(question.compiled(), task, patient=run.method == EXACT)
        if exact is not None:
            return Runs(Method(EXACT), exact)
        if run.method == EXACT:
            raise too_many()
    how = sampled_method(run, usual)
    counts, done = sampled(question.compiled(how.seed or 0), task, how.stopping.most, run)
    stopped = "" if done == how.trials else how.stopping.cut_short(done)
    return Runs(how.sampling(done), None, counts, stopped)
