"""Many trials of an activation phase: the same counts for any chunks, in any order."""

import numpy as np

from .._jit import kernel, part
from ..core.rng import HALF, LOW, U64
from ..layout.cards import LOG_COLUMNS, MAX_SPOKEN
from .cards import play_phase


@kernel
def tell_phase(phases, trial):
    """Play one trial and tell its moves.

    Parameters
    ----------
    phases : ndarray of PHASE, shape (1,)
    trial : int

    Returns
    -------
    ndarray of int64, shape (speaking turns, LOG_COLUMNS)
    """
    phase = phases[0]
    phase.trials[0] = U64(trial)
    log = np.zeros((MAX_SPOKEN, LOG_COLUMNS), np.int64)
    play_phase(phase, log)
    return log[: phase.spoken[0] + phase.spoken[1]]


@part
def count_before(phase, i, row):
    """Count the cards of B that A's card i acted before; the sum of their swings."""
    when, enemy, swing = phase.when[0, i], phase.when[1], phase.swing[i]
    value = 0
    for j in range(len(row)):
        sooner = np.int64(when < enemy[j])
        row[j] += sooner
        value += sooner * swing[j]
    return value


@part
def count_flips(phase, other, i, row):
    """Count the cards of B that A's card i acted before in one of two phases only."""
    when, enemy = phase.when[0, i], phase.when[1]
    other_when, other_enemy = other.when[0, i], other.when[1]
    for j in range(len(row)):
        row[j] += np.int64((when < enemy[j]) != (other_when < other_enemy[j]))


@kernel
def count_phases(phases, against, first, trials, before, flips, tally, acts, speaks):
    """Add what happens in trials ``first`` to ``first + trials - 1`` to counts.

    Parameters
    ----------
    phases : ndarray of PHASE, shape (k,)
        Played with the same words; their scratch is overwritten, so threads need their own.
    against : ndarray of int64, shape (k,)
        For each phase an earlier one that it is compared with, or itself for none.
    first, trials : int
    before : ndarray of int64, shape (k, a, b)
        How often A's card i acted before B's card j.
    flips : ndarray of int64, shape (k, a, b)
        How often that was not so in the phase that it is compared with, or the other way round.
    tally : ndarray of int64, shape (k, 3)
        Sum of the differences of the swings, and of their squares: high and low 32 bits.
    acts : ndarray of int64, shape (2, c, t)
        How often a card of the first phase acted in which speaking turn.
    speaks : ndarray of int64, shape (k,)
        How often A spoke first.
    """
    own = before.shape[1]
    values = np.zeros(len(phases), np.int64)
    log = np.zeros((0, LOG_COLUMNS), np.int64)
    for trial in range(first, first + trials):
        for k in range(len(phases)):
            phase = phases[k]
            phase.trials[0] = U64(trial)
            play_phase(phase, log)
            speaks[k] += phase.first == 0
            values[k] = 0
            for i in range(own):
                values[k] += count_before(phase, i, before[k, i])
            value = values[k]
            if against[k] != k:
                value -= values[against[k]]
                for i in range(own):
                    count_flips(phase, phases[against[k]], i, flips[k, i])
            square = U64(abs(value)) * U64(abs(value))  # would not fit with a sign
            tally[k, 0] += value
            tally[k, 1] += np.int64(square >> HALF)
            tally[k, 2] += np.int64(square & LOW)
        for side in range(2):
            for card in range(phases[0].cards[side]):
                acts[side, card, phases[0].when[side, card]] += 1
