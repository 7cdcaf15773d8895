"""How bench.py takes times: on one core, everything in turn, round by round."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

ROUND_SECONDS = 0.06
CORES = os.sched_getaffinity(0)


@dataclass(frozen=True)
class Timing:
    """The best and the middle of several rounds."""

    least: float
    median: float

    @classmethod
    def of(cls, values: list[float]) -> "Timing":
        return cls(min(values), statistics.median(values))


@contextmanager
def all_cores() -> Iterator[None]:
    """Undo ``pin`` for a while; threads begun inside keep the cores."""
    pinned = os.sched_getaffinity(0)
    os.sched_setaffinity(0, CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, pinned)


def pin() -> None:
    """Stay on one core: moving between cores costs caches and tells two clocks apart."""
    os.sched_setaffinity(0, {max(CORES)})


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def sized(run: Callable[[int], object], round_seconds: float) -> int:
    """How many trials take about as long as a round."""
    run(1)  # the first call may load a kernel
    trials, taken = 1, steady_seconds(partial(run, 1))
    while taken < round_seconds / 4:
        trials *= 4
        taken = steady_seconds(partial(run, trials))
    return max(1, int(trials * round_seconds / taken))


def steady_seconds(call: Callable[[], object]) -> float:
    """The better of two times: one may meet an interruption."""
    return min(seconds(call), seconds(call))


def race(
    runs: dict[str, Callable[[int], object]], rounds: int, round_seconds: float = ROUND_SECONDS
) -> dict[str, list[float]]:
    """Nanoseconds a trial of each, round by round, taken in turn."""
    sizes = {name: sized(run, round_seconds) for name, run in runs.items()}
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            trials = sizes[name]
            taken[name].append(seconds(partial(run, trials)) / trials * 1e9)
    return taken


def repeated(call: Callable[[], object]) -> Callable[[int], object]:
    """The run whose trial is one call."""

    def run(times: int) -> None:
        for _ in range(times):
            call()

    return run


def times_faster(base: list[float], values: list[float]) -> Timing:
    """Speed-up over a base: of the best rounds, and the median of the rounds.

    The two of one round met the same load of the machine.
    """
    by_round = [b / value for b, value in zip(base, values, strict=True)]
    return Timing(min(base) / min(values), statistics.median(by_round))
