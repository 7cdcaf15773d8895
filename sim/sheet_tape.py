"""The sheet's two drivers: every run there is with its exact weight, or many rolled (8.2)."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial as partial_of
from typing import NamedTuple

import numpy as np

from estoc.kernels.sheet_codes import MAX_TAPE
from estoc.kernels.sheet_trials import SheetCounts, What, run
from estoc.profiles import InputError
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


def law(
    runs: list[tuple[Fraction, SheetCounts]], value: Callable[[SheetCounts], int]
) -> dict[int, Fraction]:
    """Return the chance of each value of a whole number."""
    found: dict[int, Fraction] = {}
    for weight, counts in runs:
        key = value(counts)
        found[key] = found.get(key, Fraction(0)) + weight
    return dict(sorted(found.items()))


def sampled(
    compiled: Compiled,
    task: Task,
    trials: int,
    threads: int = 1,
    progress: Progress | None = None,
    partial: bool = False,
    first: int = 0,
) -> tuple[SheetCounts, int]:
    """Return counts of so many trials from ``first`` on, the same for any number of threads.

    With ``partial``, Ctrl-C gives the trials done so far; the second value says how many.
    """
    if trials < 1:
        raise InputError(f"trials: {trials} should be at least 1")

    def chunk(start: int) -> tuple[SheetCounts, int]:
        own, counts = compiled.copy(), SheetCounts(compiled.sheets)
        size = min(CHUNK, first + trials - start)
        task.add(own, counts, start, size)
        return counts, size

    total, done = SheetCounts(compiled.sheets), 0
    starts = range(first, first + trials, CHUNK)
    tasks = (partial_of(chunk, start) for start in starts)
    with until_stopped(partial):
        for counts, size in in_order(tasks, threads):
            total += counts
            done += size
            if progress:
                progress(size)
    return total, done
