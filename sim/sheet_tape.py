"""The sheet's two drivers: every run there is with its exact weight, or many rolled (8.2)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from functools import partial as partial_of
from itertools import count, pairwise
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.sheet_codes import MAX_TAPE
from estoc.kernels.sheet_trials import SheetCounts, What, run
from estoc.sim.parallel import Task as Work
from estoc.sim.parallel import in_order, piece
from estoc.sim.progress import announce_compilation, until_stopped
from estoc.sim.sampling import Progress
from estoc.sim.sheet_question import Compiled

MOST_RUNS = 20_000  # that are tried
GLANCE = 200  # runs after which it is guessed how many there are
HOPELESS = 10  # times too many, by that guess
CHUNK = 2_000  # trials of one task
SECONDS = 5e-5  # that a trial takes, about


class Task(NamedTuple):
    """What is run in each trial."""

    what: What
    pieces: tuple[int, ...] = ()
    wing: int = 0

    def add(self, compiled: Compiled, counts: SheetCounts, first: int, trials: int) -> None:
        """Run some trials and count what came of them."""
        _announce()
        pieces = np.array(self.pieces, np.int64)
        run(*compiled, self.what, pieces, first, counts, trials, self.wing)


@cache
def _announce() -> None:
    """Say once that the kernel is about to be compiled, if it is: looking takes time."""
    announce_compilation("play_sheet", 15)


def leaves(
    compiled: Compiled, task: Task, most: int | None = None
) -> Iterator[tuple[Fraction, SheetCounts]]:
    """Yield each run that can be, with its chance: all of them together have 1.

    The tape is an odometer: a chance beyond its end takes the first outcome, and the last one
    that has another outcome left takes that in the next run. What follows an outcome of no
    weight is skipped.

    Raises
    ------
    TooManyRuns
        If more than ``most`` were tried, or one has more chances than a tape holds.
    """
    sheet = compiled.sheets[0]
    sheet["taped"], sheet["tape"] = 1, 0
    for tried in count(1):
        counts = SheetCounts(compiled.sheets)
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
    compiled: Compiled, task: Task, bounds: Sequence[int], threads: int = 1
) -> Iterator[tuple[SheetCounts, int]]:
    """Yield counts of the trials between each two bounds, and how many these are, in order."""

    def counted() -> Iterator[tuple[SheetCounts, int]]:
        for arrays, size in in_order(works, threads):
            counts = SheetCounts(compiled.sheets)
            for whole, part in zip(counts.arrays(), arrays, strict=True):
                whole[...] = part
            yield counts, size

    works = (
        Work(f"{first}+{end - first}", partial_of(_batch, compiled, task, first, end))
        for first, end in pairwise(bounds)
    )
    return counted()


def _batch(
    compiled: Compiled, task: Task, first: int, end: int
) -> tuple[tuple[NDArray[np.int64], ...], int]:
    own, counts = compiled.copy(), SheetCounts(compiled.sheets)
    task.add(own, counts, first, end - first)
    return counts.arrays(), end - first


def sampled(
    compiled: Compiled,
    task: Task,
    trials: int,
    threads: int = 1,
    progress: Progress | None = None,
    partial: bool = False,
) -> tuple[SheetCounts, int]:
    """Return counts of so many trials, the same for any number of threads.

    With ``partial``, Ctrl-C gives the trials done so far; the second value says how many.
    """
    total, done = SheetCounts(compiled.sheets), 0
    bounds = [*range(0, trials, piece(CHUNK, SECONDS)), trials]
    with until_stopped(partial):
        for counts, size in batches(compiled, task, bounds, threads):
            total += counts
            done += size
            if progress:
                progress(size)
    return total, done
