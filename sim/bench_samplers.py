"""Estoc's own samplers, as `estoc bench` checks and times them: each a line of `SAMPLERS`."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.layout import Rules, Setup
from estoc.kernels.trials import count, new_fight, play
from estoc.sim.bench_timing import all_cores

SEED = 1

Counts = NDArray[np.int64]


class Sampler(NamedTuple):
    """A way to sample combats.

    Parameters
    ----------
    counts : callable
        ``(setup, rules, first, last)``: final states of each fighter in trials ``first`` to
        ``last - 1``, ndarray of int64, shape (n, s).
    enemies : int
        The most that it can play.
    """

    counts: Callable[[Setup, Rules, int, int], Counts]
    enemies: int = 4


def literal_counts(setup: Setup, rules: Rules, first: int, last: int) -> Counts:
    """Return what the kernel counts that plays die by die."""
    fighters, states = len(setup.fighters), len(rules.level)
    law = np.zeros((fighters, states), np.int64)
    sides = np.zeros((states, fighters), np.int64)
    tally = np.zeros(2, np.int64)
    count(new_fight(setup, rules, SEED, 0), first, last - first, 1, law, sides, tally)
    return law


LITERAL = Sampler(literal_counts)
SAMPLERS = {
    "estoc, literal": LITERAL,
}


def sampled(sampler: Sampler, setup: Setup, rules: Rules, trials: int, threads: int = 1) -> Counts:
    """Return final states of each fighter, shape (n, s), from so many threads."""
    if threads == 1:
        return sampler.counts(setup, rules, 0, trials)
    ends = [trials * k // threads for k in range(threads + 1)]
    with all_cores(), ThreadPoolExecutor(threads) as pool:
        parts = pool.map(lambda ends: sampler.counts(setup, rules, *ends), pairwise(ends))
        total: Counts = np.sum(list(parts), axis=0)
    return total


def literal_finals(setup: Setup, rules: Rules, trials: int) -> Counts:
    """Return final states of all, shape (s,) * n, of the same trials as `literal_counts`."""
    shape = (len(rules.level),) * len(setup.fighters)
    final = play(new_fight(setup, rules, SEED, 0), 0, trials, 1)
    cells = np.ravel_multi_index(tuple(final[:, : len(shape)].T), shape)
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
