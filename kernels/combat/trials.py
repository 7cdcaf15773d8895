"""Many trials of one combat: the same counts for any chunks, in any order."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part
from ..core.rng import U64, attack_address, fill, initiative_address
from ..layout.combat import (
    LANES,
    PAGED_PASSES,
    Column,
    Moment,
)
from ..layout.log import LOG_COLUMNS, MAX_EVENTS
from .fight import fight_combat
from .wounds import is_over


@part
def fill_block(fight, lanes, turn):
    """Make the words of one turn for the first ``lanes`` trials."""
    fill(fight, 0, lanes, initiative_address(turn, 0))
    for number in range(PAGED_PASSES):
        for pair in range(1, fight.n):
            for direction in range(2):
                page = fight.page_of[number, pair, direction]
                if page >= 0:
                    fill(fight, page, lanes, attack_address(turn, number, pair, direction))


@part
def play_block(fight, first, lanes, turns, final_states, log, able):
    """Play trials ``first`` to ``first + lanes - 1``, each until a side is dead or ``turns``.

    A row of ``final_states`` gets the fighters' states, the side that struck first in
    the first turn, and the number of turns fought.
    """
    n = fight.n
    active = fight.active
    for k in range(lanes):
        active[k] = k
        for i in range(n):
            final_states[k, i] = fight.fighters[i, Column.START]
    for turn in range(turns):
        for lane in range(lanes):
            fight.trials[lane] = U64(first + active[lane])
        fill_block(fight, lanes, turn)
        going_on = 0
        for lane in range(lanes):
            k = active[lane]
            fight.living = 0
            for i in range(n):
                state = final_states[k, i]
                fight.state[i] = state if turn == 0 else fight.recover[state]
                fight.living += i > 0 and state != fight.dead
            striker = fight_combat(fight, Moment(lane, turn, log), able)
            for i in range(n):
                final_states[k, i] = fight.state[i]
            if turn == 0:
                final_states[k, n] = striker
            final_states[k, n + 1] = turn + 1
            active[going_on] = k
            going_on += not is_over(fight)
        lanes = going_on
        if lanes == 0:
            break


@kernel
def play(fights, first, trials, turns):
    """Return what `play_block` writes of trials ``first`` to ``first + trials - 1``."""
    fight = fights[0]
    final_states = np.empty((trials, fight.n + 2), np.int64)
    for start in range(0, trials, LANES):
        lanes = min(LANES, trials - start)
        found = final_states[start : start + lanes]
        play_block(fight, first + start, lanes, turns, found, None, True)
    return final_states


@kernel
def replay(fights, trial, turns):
    """Return the events of one trial, rows of a log, and whether it had room for all of them."""
    fight = fights[0]
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    final_states = np.empty((1, fight.n + 2), np.int64)
    play_block(fight, trial, 1, turns, final_states, log, True)
    used = log[0, 0]
    return log[1 : 1 + used], used < MAX_EVENTS


def add_ends(
    states: NDArray[Any], ended: NDArray[np.int64], dead: int,
    law: NDArray[np.int64], sides: NDArray[np.int64],
) -> None:  # fmt: skip
    """Add trials, so many of each row of final states, to counts; parameters of `count`."""
    for i in range(len(law)):
        np.add.at(law[i], states[:, i], ended)
    np.add.at(sides, (states[:, 0], (states[:, 1:] == dead).sum(1)), ended)


@part
def count_block(fight, lanes, final_states, law, sides, tally):
    """Add the outcomes of a block of trials to counts."""
    n = fight.n
    for k in range(lanes):
        killed = 0
        for i in range(n):
            state = final_states[k, i]
            law[i, state] += 1
            killed += i > 0 and state == fight.dead
        sides[final_states[k, 0], killed] += 1
        tally[0] += final_states[k, n] == 0
        tally[1] += final_states[k, n + 1]


@kernel
def count(fights, first, trials, turns, law, sides, tally):
    """Add the outcomes of trials ``first`` to ``first + trials - 1`` to counts.

    ``law`` (n, s) counts final states by fighter, ``sides`` (s, n) those of the lone fighter by
    dead enemies, ``tally`` trials in which he struck first in the first turn, and turns fought.
    Scratch of ``fights`` is overwritten: threads need one each.
    """
    fight = fights[0]
    final_states = np.empty((LANES, fight.n + 2), np.int64)
    for start in range(0, trials, LANES):
        lanes = min(LANES, trials - start)
        if fight.able:
            play_block(fight, first + start, lanes, turns, final_states, None, True)
        else:
            play_block(fight, first + start, lanes, turns, final_states, None, None)
        count_block(fight, lanes, final_states, law, sides, tally)


@kernel
def count_listed(fights, numbers, turns, law, sides, tally):
    """Add the outcomes of some trials to counts, by their numbers; else as `count`."""
    fight = fights[0]
    final_states = np.empty((1, fight.n + 2), np.int64)
    for number in numbers:
        play_block(fight, number, 1, turns, final_states, None, True)
        count_block(fight, 1, final_states, law, sides, tally)
