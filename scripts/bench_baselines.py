"""The combat of one against one, written three plain ways: the measuring sticks of bench.py.

They share no code with the package and stay as they are, so that a ratio of today can be
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
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

INI, ATT, FOR, DEF, RES = range(5)
STATE, ATTACK, DEFENCE, SUSTAINED = range(4)
FOREVER = 1 << 40  # no natural result reaches it: every 6 is re-rolled


class Job(NamedTuple):
    """Two fighters and the rules, as arrays of int64.

    fighters : shape (2, 5), characteristics INI ATT FOR DEF RES
    dice : shape (2, 2), placed in attack and in defence
    wound : shape (d, 36), outcome by FOR - RES + offset and by the two dice
    after : shape (s, 6), state after an outcome; the last state is dead
    penalty : shape (s, 5), what a state takes from each characteristic
    """

    fighters: NDArray[np.int64]
    dice: NDArray[np.int64]
    wound: NDArray[np.int64]
    after: NDArray[np.int64]
    penalty: NDArray[np.int64]
    offset: int
    sustained_penalty: int


# ---------------------------------------------------------------------------- plain Python


def python_counts(job: Job, trials: int, seed: int) -> NDArray[np.int64]:
    """Plain Python: lists and ``random``."""
    uniform = random.Random(seed).random

    def die() -> int:
        return int(6 * uniform()) + 1

    lists = Job(*(part.tolist() if isinstance(part, np.ndarray) else part for part in job))
    states = len(lists.after)
    counts = np.zeros((states, states), np.int64)
    for _ in range(trials):
        counts[python_duel(lists, die)] += 1
    return counts


def python_duel(job: Job, die: Callable[[], int]) -> tuple[int, int]:
    """Final states of one combat."""
    dead = len(job.after) - 1
    status = [[0, attack, defence, 0] for attack, defence in job.dice]
    results = (0, 0)
    while results[0] == results[1]:
        results = tuple(row[INI] + python_chain(die, FOREVER) for row in job.fighters)
    first = 0 if results[0] > results[1] else 1
    while status[0][ATTACK] + status[1][ATTACK] > 0:
        for i in (first, 1 - first):
            if status[i][ATTACK] > 0:
                python_attack(job, die, status, i, 1 - i)
                if status[1 - i][STATE] == dead:
                    return status[0][STATE], status[1][STATE]
    return status[0][STATE], status[1][STATE]


def python_chain(die: Callable[[], int], enough: int) -> int:
    """Natural result of one die whose sixes are re-rolled below ``enough``."""
    added = die()
    natural = added
    while added == 6 and natural < enough:
        added = die()
        if added == 1:
            return 1
        natural += added
    return natural


def python_attack(job: Job, die: Callable[[], int], status: list, i: int, j: int) -> None:
    """One attack of ``i`` on ``j``."""
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


def numpy_counts(job: Job, trials: int, seed: int) -> NDArray[np.int64]:
    """NumPy over batches of trials, as large as the cache likes."""
    generator = np.random.default_rng(seed)
    states = len(job.after)
    counts = np.zeros(states * states, np.int64)
    for start in range(0, trials, 1 << 15):
        state = numpy_batch(job, generator, min(1 << 15, trials - start))
        counts += np.bincount(state[0] * states + state[1], minlength=len(counts))
    return counts.reshape(states, states)


def numpy_batch(job: Job, generator: np.random.Generator, trials: int) -> NDArray[np.int64]:
    """Final states of a batch of combats, shape (2, trials)."""
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


def numpy_initiative(job: Job, generator: np.random.Generator, trials: int) -> NDArray[np.int64]:
    """Which fighter strikes first in each trial."""
    first = np.zeros(trials, np.int64)
    tied = np.arange(trials)
    while tied.size:
        results = [row[INI] + numpy_chain(generator, tied.size, FOREVER) for row in job.fighters]
        first[tied] = results[1] > results[0]
        tied = tied[results[0] == results[1]]
    return first


def numpy_chain(
    generator: np.random.Generator, size: int, enough: NDArray[np.int64] | int
) -> NDArray[np.int64]:
    """Natural results whose sixes are re-rolled below ``enough``."""
    natural = generator.integers(1, 7, size, dtype=np.int8).astype(np.int64)
    enough = np.broadcast_to(enough, size)
    again = np.flatnonzero((natural == 6) & (natural < enough))
    while again.size:
        added = generator.integers(1, 7, again.size, dtype=np.int8)
        natural[again] = np.where(added == 1, 1, natural[again] + added)
        again = again[(added == 6) & (natural[again] < enough[again])]
    return natural


def numpy_attacks(job, generator, status, number, i, trial) -> None:
    """Attack ``number`` of striker ``i[k]`` in trial ``trial[k]``, for all k."""
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
# The baseline that every ratio refers to: scalar, one die after the other, xoshiro256++
# (Blackman and Vigna, 2019) seeded by splitmix64.

U64 = np.uint64


def numba_counts(job: Job, trials: int, seed: int) -> NDArray[np.int64]:
    """Plain scalar Numba with xoshiro256++."""
    states = len(job.after)
    counts = np.zeros((states, states), np.int64)
    numba_trials(*job[:5], job[5:], trials, seed_state(U64(seed)), counts)
    return counts


@njit(cache=True)
def seed_state(seed):
    """Four words from splitmix64."""
    words = np.empty(4, np.uint64)
    for i in range(4):
        seed += U64(0x9E3779B97F4A7C15)
        z = (seed ^ (seed >> U64(30))) * U64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> U64(27))) * U64(0x94D049BB133111EB)
        words[i] = z ^ (z >> U64(31))
    return words


@njit(cache=True)
def rotate(word, bits):
    """``word`` turned left."""
    return (word << U64(bits)) | (word >> U64(64 - bits))


@njit(cache=True)
def below(words, n):
    """A number from 0 to ``n - 1`` from the high half of the next word."""
    s0, s1, s2, s3 = words[0], words[1], words[2], words[3]
    word = rotate(s0 + s3, 23) + s0
    s2 ^= s0
    s3 ^= s1
    words[1] = s1 ^ s2
    words[0] = s0 ^ s3
    words[2] = s2 ^ (s1 << U64(17))
    words[3] = rotate(s3, 45)
    return np.int64(((word >> U64(32)) * U64(n)) >> U64(32))


@njit(cache=True)
def numba_chain(words, enough):
    """Natural result of one die whose sixes are re-rolled below ``enough``."""
    added = below(words, 6) + 1
    natural = added
    while added == 6 and natural < enough:
        added = below(words, 6) + 1
        if added == 1:
            return 1
        natural += added
    return natural


@njit(cache=True)
def numba_trials(fighters, dice, wound, after, penalty, constants, trials, words, counts):
    """Play combats and count their final states.

    One loop: with the arrays passed on to a function for each attack, Numba counts references
    to them at each call and takes three times as long.
    """
    offset, sustained_penalty = constants
    dead = after.shape[0] - 1
    state, attack = np.zeros(2, np.int64), np.zeros(2, np.int64)
    defence, sustained = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for _ in range(trials):
        for i in range(2):
            state[i], attack[i], defence[i], sustained[i] = 0, dice[i, 0], dice[i, 1], 0
        lead = 0
        while lead == 0:
            lead = fighters[0, INI] + numba_chain(words, FOREVER)
            lead -= fighters[1, INI] + numba_chain(words, FOREVER)
        first = 0 if lead > 0 else 1
        while attack[0] + attack[1] > 0 and state[0] != dead and state[1] != dead:
            for half in range(2):
                i = first ^ half
                j = 1 - i
                if attack[i] == 0 or state[i] == dead:
                    continue
                attack[i] -= 1
                if defence[j] == 1 and attack[i] > 0 and dice[j, 1] >= dice[j, 0]:
                    sustained[j] = 1
                result = fighters[i, ATT] - penalty[state[i], ATT] + numba_chain(words, FOREVER)
                if result <= 0:
                    continue
                if defence[j] > 0:
                    value = fighters[j, DEF] - penalty[state[j], DEF]
                    value -= sustained_penalty * sustained[j]
                    defence[j] -= 1 - sustained[j]
                    if value + numba_chain(words, result - value) >= result:
                        continue
                row = fighters[i, FOR] - penalty[state[i], FOR] + offset
                row -= fighters[j, RES] - penalty[state[j], RES]
                row = min(max(row, 0), wound.shape[0] - 1)
                outcome = wound[row, below(words, 6) * 6 + below(words, 6)]
                state[j] = after[state[j], outcome]
        counts[state[0], state[1]] += 1
