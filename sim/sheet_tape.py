"""The sheet's two drivers: every run there is with its exact weight, or many rolled (8.2)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial as partial_of
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from estoc.kernels.sheet_codes import MAX_TAPE
from estoc.kernels.sheet_trials import SheetCounts, What, run
from estoc.sim.parallel import in_order
from estoc.sim.progress import announce_compilation, until_stopped
from estoc.sim.sampling import Progress
from estoc.sim.sheet_question import Compiled

MOST_LEAVES = 20_000
CHUNK = 2_000  # trials of one task


class Task(NamedTuple):
    """What is run in each trial."""

    what: What
    pieces: tuple[int, ...] = ()
    wing: int = 0

    def add(self, compiled: Compiled, counts: SheetCounts, first: int, trials: int) -> None:
        """Run some trials and count what came of them."""
        announce_compilation("play_sheet", 70)
        pieces = np.array(self.pieces, np.int64)
        run(*compiled, self.what, pieces, first, counts, trials, self.wing)


def leaves(compiled: Compiled, task: Task) -> Iterator[tuple[Fraction, SheetCounts]]:
    """Yield each run that can be, with its chance: all of them together have 1.

    The tape is an odometer: a chance beyond its end takes the first outcome, and the last one
    that has another outcome left takes that in the next run. Outcomes of no weight are skipped.
    """
    sheet = compiled.sheets[0]
    sheet["taped"], sheet["tape"] = 1, 0
    while True:
        counts = SheetCounts(compiled.sheets)
        task.add(compiled, counts, 0, 1)
        drawn = int(sheet["drawn"])
        if drawn > MAX_TAPE:
            raise TooManyRuns
        ways, of = sheet["tape_ways"][:drawn].tolist(), sheet["tape_of"][:drawn].tolist()
        weight = Fraction(1)
        for some, every in zip(ways, of, strict=True):
            weight *= Fraction(some, every)
        if weight:
            yield weight, counts
        last = drawn - 1
        while last >= 0 and sheet["tape"][last] + 1 >= sheet["tape_options"][last]:
            last -= 1
        if last < 0:
            return
        sheet["tape"][last] += 1
        sheet["tape"][last + 1 :] = 0


class TooManyRuns(Exception):
    """There are more runs than are worth listing."""


def exact_runs(
    compiled: Compiled, task: Task, most: int = MOST_LEAVES
) -> list[tuple[Fraction, SheetCounts]] | None:
    """Return all runs with their chances; None: there are more than ``most``."""
    found = []
    try:
        for leaf in leaves(compiled.copy(), task):
            found.append(leaf)
            if len(found) > most:
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

    def batch(first: int, end: int) -> tuple[SheetCounts, int]:
        own, counts = compiled.copy(), SheetCounts(compiled.sheets)
        task.add(own, counts, first, end - first)
        return counts, end - first

    return in_order((partial_of(batch, *pair) for pair in pairwise(bounds)), threads)


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
    bounds = [*range(0, trials, CHUNK), trials]
    with until_stopped(partial):
        for counts, size in batches(compiled, task, bounds, threads):
            total += counts
            done += size
            if progress:
                progress(size)
    return total, done
