"""How `estoc bench` takes times: on one core where that can be, all in turn, round by round."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial

ROUND_SECONDS = 0.06

Run = Callable[[int], object]


def _allowed_cores() -> set[int]:
    """Return the cores that the process may use."""
    if hasattr(os, "sched_getaffinity"):
        return set(os.sched_getaffinity(0))
    return set(range(os.cpu_count() or 1))


CORES = frozenset(_allowed_cores())


@dataclass(frozen=True)
class Timing:
    """The best and the middle of several rounds."""

    least: float
    median: float

    @classmethod
    def of(cls, values: list[float]) -> "Timing":
        """Return both of some times."""
        return cls(min(values), statistics.median(values))


@contextmanager
def on_cores(cores: frozenset[int]) -> Iterator[None]:
    """Keep to some cores where the system can; threads begun inside do so as well."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def pinned_core() -> int | None:
    """Return the core that everything is timed on; None where there is no choosing."""
    return max(CORES) if hasattr(os, "sched_setaffinity") else None


def pinned() -> AbstractContextManager[None]:
    """Stay on one core: moving between cores costs caches and tells two clocks apart."""
    return on_cores(frozenset({max(CORES)}))


def all_cores() -> AbstractContextManager[None]:
    """Undo `pinned` for a while."""
    return on_cores(CORES)


def seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def sized(run: Run, round_seconds: float) -> int:
    """Return how many trials take about as long as a round."""
    run(1)  # the first call may load a kernel
    trials, taken = 1, steady_seconds(partial(run, 1))
    while taken < round_seconds / 4:
        trials *= 4
        taken = steady_seconds(partial(run, trials))
    return max(1, int(trials * round_seconds / taken))


def steady_seconds(call: Callable[[], object]) -> float:
    """Return the better of two times: one may meet an interruption."""
    return min(seconds(call), seconds(call))


def race(
    runs: dict[str, Run], rounds: int, round_seconds: float = ROUND_SECONDS
) -> dict[str, list[float]]:
    """Return nanoseconds a trial of each, round by round, taken in turn."""
    sizes = {name: sized(run, round_seconds) for name, run in runs.items()}
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            trials = sizes[name]
            taken[name].append(seconds(partial(run, trials)) / trials * 1e9)
    return taken


def repeated(call: Callable[[], object]) -> Run:
    """Return the run whose trial is one call."""

    def run(times: int) -> None:
        """Call so many times."""
        for _ in range(times):
            call()

    return run


def times_faster(base: list[float], values: list[float]) -> Timing:
    """Return the speed-up over a base: of the best rounds, and the median of the rounds.

    The two of one round met the same load of the machine.
    """
    by_round = [b / value for b, value in zip(base, values, strict=True)]
    return Timing(min(base) / min(values), statistics.median(by_round))
