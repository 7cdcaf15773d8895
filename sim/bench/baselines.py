"""One against one, written three plain ways: the measuring sticks of `estoc bench`.

They share no code with the samplers of estoc and stay as they are, so that a ratio of today can be
compared with one of next year. Each plays the whole rules C-4 to C-7 and W-1 to W-3 for two
fighters whose dice are placed, under one fixed policy:

- sixes of an attack or an Initiative test are always re-rolled, of a defence when needed;
- one defence die is committed to each attack while there is one;
- the last one is sustained, where that is allowed, when another attack can come.

Equal Initiative tests are rolled again; every attack die is rolled, also where C-6.5 would
spare it. A function ``f(job, trials, seed)`` returns how often the two fighters ended in each
pair of states: ndarray of int64, shape (s, s), fighter 0 by row.
"""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.samplers.baseline import (
    ATT,
    DEF,
    FOR,
    FOREVER,
    INI,
    RES,
    U64,
    play_plainly,
    seed_state,
)

STATE, ATTACK, DEFENCE, SUSTAINED = range(4)
BATCH = 1 << 15

Status = list[list[int]]
Ints = NDArray[np.int64]


class Job(NamedTuple):
    """Two fighters and the rules, as arrays of int64."""

    fighters: Ints
    dice: Ints
    wound: Ints
    after: Ints
    penalty: Ints
    offset: int
    sustained_penalty: int


# ---------------------------------------------------------------------------- plain Python


def python_counts(job: Job, trials: int, seed: int) -> Ints:
    """Return what plain Python counts, with lists and ``random``."""
    uniform = random.Random(seed).random

    def die() -> int:
        """Roll one."""
        return int(6 * uniform()) + 1

    parts: list[Any] = [p.tolist() if isinstance(p, np.ndarray) else p for p in job]
    lists = Job(*parts)
    states = len(lists.after)
    counts = np.zeros((states, states), np.int64)
    for _ in range(trials):
        counts[python_duel(lists, die)] += 1
    return counts


def python_duel(job: Any, die: Callable[[], int]) -> tuple[int, int]:
    """Return the final states of one combat, of a job whose arrays are lists."""
    dead = len(job.after) - 1
    status = [[0, attack, defence, 0] for attack, defence in job.dice]
    results = [0, 0]
    while results[0] == results[1]:
        results = [row[INI] + python_chain(die, FOREVER) for row in job.fighters]
    first = 0 if results[0] > results[1] else 1
    while status[0][ATTACK] + status[1][ATTACK] > 0:
        for i in (first, 1 - first):
            if status[i][ATTACK] > 0:
                python_attack(job, die, status, i, 1 - i)
                if status[1 - i][STATE] == dead:
                    return status[0][STATE], status[1][STATE]
    return status[0][STATE], status[1][STATE]


def python_chain(die: Callable[[], int], enough: int) -> int:
    """Return the natural result of one die whose sixes are re-rolled below ``enough``."""
    added = die()
    natural = added
    while added == 6 and natural < enough:
        added = die()
        if added == 1:
            return 1
        natural += added
    return natural


def python_attack(job: Any, die: Callable[[], int], status: Status, i: int, j: int) -> None:
    """Play one attack of ``i`` on ``j``."""
    striker, target = status[i], status[j]
    worse, weaker = job.penalty[striker[STATE]], job.penalty[target[STATE]]
    striker[ATTACK] -= 1
    may_sustain = job.dice[j][1] >= job.dice[j][0]
    if target[DEFENCE] == 1 and may_sustain and striker[ATTACK] > 0:
        target[SUSTAINED] = 1
    result = job.fighters[i][ATT] - worse[ATT] + python_chain(die, FOREVER)
    if result <= 0:
        return
    if target[DEFENCE] > 0:
        defence = job.fighters[j][DEF] - weaker[DEF] - job.sustained_penalty * target[SUSTAINED]
        target[DEFENCE] -= 1 - target[SUSTAINED]
        if defence + python_chain(die, result - defence) >= result:
            return
    row = job.fighters[i][FOR] - worse[FOR] - job.fighters[j][RES] + weaker[RES] + job.offset
    row = min(max(row, 0), len(job.wound) - 1)
    outcome = job.wound[row][(die() - 1) * 6 + die() - 1]
    target[STATE] = job.after[target[STATE]][outcome]


# ---------------------------------------------------------------------------- NumPy


def numpy_counts(job: Job, trials: int, seed: int) -> Ints:
    """Return what NumPy counts over batches of trials, as large as the cache likes."""
    generator = np.random.default_rng(seed)
    states = len(job.after)
    counts = np.zeros(states * states, np.int64)
    for start in range(0, trials, BATCH):
        state = numpy_batch(job, generator, min(BATCH, trials - start))
        counts += np.bincount(state[0] * states + state[1], minlength=len(counts))
    return counts.reshape(states, states)


def numpy_batch(job: Job, generator: np.random.Generator, trials: int) -> Ints:
    """Return the final states of a batch of combats, shape (2, trials)."""
    first = numpy_initiative(job, generator, trials)
    state = np.zeros((2, trials), np.int64)
    defence = np.repeat(job.dice[:, 1:], trials, axis=1)
    sustained = np.zeros((2, trials), np.int64)
    for number in range(job.dice[:, 0].max()):
        for striker in (first, 1 - first):
            alive = (state < len(job.after) - 1).all(axis=0)
            trial = np.flatnonzero(alive & (number < job.dice[striker, 0]))
            numpy_attacks(
                job, generator, (state, defence, sustained), number, striker[trial], trial
            )
    return state


def numpy_initiative(job: Job, generator: np.random.Generator, trials: int) -> Ints:
    """Return which fighter strikes first in each trial."""
    first = np.zeros(trials, np.int64)
    tied = np.arange(trials)
    while tied.size:
        results = [row[INI] + numpy_chain(generator, tied.size, FOREVER) for row in job.fighters]
        first[tied] = results[1] > results[0]
        tied = tied[results[0] == results[1]]
    return first


def numpy_chain(generator: np.random.Generator, size: int, enough: Ints | int) -> Ints:
    """Return natural results whose sixes are re-rolled below ``enough``."""
    natural = generator.integers(1, 7, size, dtype=np.int8).astype(np.int64)
    enough = np.broadcast_to(enough, size)
    again = np.flatnonzero((natural == 6) & (natural < enough))
    while again.size:
        added = generator.integers(1, 7, again.size, dtype=np.int8)
        natural[again] = np.where(added == 1, 1, natural[again] + added)
        again = again[(added == 6) & (natural[again] < enough[again])]
    return natural


def numpy_attacks(
    job: Job,
    generator: np.random.Generator,
    status: tuple[Ints, Ints, Ints],
    number: int,
    i: Ints,
    trial: Ints,
) -> None:
    """Play attack ``number`` of striker ``i[k]`` in trial ``trial[k]``, for all k."""
    state, defence, sustained = status
    j = 1 - i
    may_sustain = (job.dice[j, 1] >= job.dice[j, 0]) & (job.dice[i, 0] - number > 1)
    sustained[j, trial] |= (defence[j, trial] == 1) & may_sustain
    worse, weaker = job.penalty[state[i, trial]], job.penalty[state[j, trial]]
    result = job.fighters[i, ATT] - worse[:, ATT] + numpy_chain(generator, trial.size, FOREVER)
    hit = result > 0
    k = np.flatnonzero(hit & (defence[j, trial] > 0))
    defender, sustains = j[k], sustained[j[k], trial[k]]
    value = job.fighters[defender, DEF] - weaker[k, DEF] - job.sustained_penalty * sustains
    defence[defender, trial[k]] -= 1 - sustains
    hit[k] = value + numpy_chain(generator, k.size, result[k] - value) < result[k]
    k = np.flatnonzero(hit)
    row = job.fighters[i[k], FOR] - worse[k, FOR] - job.fighters[j[k], RES] + weaker[k, RES]
    row = np.clip(row + job.offset, 0, len(job.wound) - 1)
    outcome = job.wound[row, generator.integers(0, 36, k.size, dtype=np.int8)]
    state[j[k], trial[k]] = job.after[state[j[k], trial[k]], outcome]


# ---------------------------------------------------------------------------- Numba


def numba_counts(job: Job, trials: int, seed: int) -> Ints:
    """Return what the plain scalar kernel counts."""
    states = len(job.after)
    counts = np.zeros((states, states), np.int64)
    play_plainly(*job[:5], job[5:], trials, seed_state(U64(seed)), counts)
    return counts
