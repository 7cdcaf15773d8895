"""Many trials of an activation phase: the same counts for any chunks, in any order."""

import numpy as np

from .._jit import kernel, part
from ..core.rng import HALF, LOW, U64
from ..layout.cards import LOG_COLUMNS, MAX_SPOKEN
from .cards import play_phase


@kernel
def tell_phase(phases, trial):
    """Play one trial and return its moves, rows of `LogColumn`."""
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
    """Add what happens in trials ``first`` to ``first + trials - 1`` of k phases to counts.

    Phases are played with the same words; ``against`` names for each an earlier one that it is
    compared with, or itself.

    ``before`` (k, a, b) counts how often A's card i acted before B's card j, ``flips`` how often
    that was otherwise in the phase compared with; ``tally`` (k, 3) sums the differences of the
    swings, and the high and low 32 bits of their squares; ``acts`` (2, c, t) counts in which
    speaking turn a card of the first phase acted, ``speaks`` how often A spoke first.
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
