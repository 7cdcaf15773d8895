"""Many trials of a battle: the same counts for any chunks, in any order; one with its log."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, routine
from ..core.rng import U64
from ..layout.battle import ENDS, MAX_EVENTS, End
from ..layout.combat import Moment
from ..layout.log import LOG_COLUMNS
from .battle import finish, play_turn, set_up

Ints = NDArray[np.int64]


@routine
def play_battle(battle, trial, log):
    """Play a trial and return its last turn; a log without room is none: one compilation."""
    set_up(battle, U64(trial))
    turn = 0
    while turn < battle.turns and not battle.over:
        turn += 1
        play_turn(battle, Moment(0, turn, log))
    finish(battle, Moment(0, turn, log))
    for t in range(turn, battle.turns):
        battle.destroyed_by[t, 0] = battle.destroyed[0]
        battle.destroyed_by[t, 1] = battle.destroyed[1]
    return turn


@routine
def write_end(battle, turn, row):
    """Write what came of a trial."""
    row[End.LEAD] = battle.points[0] - battle.points[1]
    row[End.LOST_A], row[End.LOST_B] = battle.lost[0], battle.lost[1]
    row[End.POINTS_A], row[End.POINTS_B] = battle.destroyed[1], battle.destroyed[0]
    row[End.WINNER] = 2 if battle.winner < 0 else battle.winner
    row[End.TURN] = turn


class Tally(NamedTuple):
    """What is counted of trials, added up; by fighter or turn."""

    outcome: Ints  # (3,): battles won by A, by B, drawn
    histogram: Ints  # (2 * reach + 1,): by A's points less B's, plus the record's ``reach``
    firsts: Ints  # (2 * reach + 1,): lowest trial of each difference
    destroyed: Ints  # (turns, 2): points that each side has destroyed by the end of each turn
    squares: Ints  # (turns, 2): and their squares
    survived: Ints  # (n,)
    kills: Ints  # (n,)
    earned: Ints  # (n,): points of those whom he killed
    deaths: Ints  # (n, turns)


@kernel
def play_battles(battles, first, trials, log, ends, tally):
    """Add what comes of some trials to counts; see `count_battles`. One compilation serves all.

    ``log`` is an array of int64, shape (1 + events, LOG_COLUMNS): without events, no log.
    ``ends`` has a row for each trial, or none.
    """
    battle = battles[0]
    for trial in range(first, first + trials):
        last = play_battle(battle, trial, log)
        if len(ends):
            write_end(battle, last, ends[trial - first])
        tally.outcome[2 if battle.winner < 0 else battle.winner] += 1
        at = battle.points[0] - battle.points[1] + battle.reach
        tally.histogram[at] += 1
        tally.firsts[at] = min(tally.firsts[at], trial)
        for turn in range(battle.turns):
            for side in range(2):
                points = battle.destroyed_by[turn, side]
                tally.destroyed[turn, side] += points
                tally.squares[turn, side] += points * points
        for i in range(battle.n):
            tally.kills[i] += battle.kills[i]
            tally.earned[i] += battle.earned[i]
            if battle.death[i] == 0:
                tally.survived[i] += 1
            else:
                tally.deaths[i, battle.death[i] - 1] += 1


def count_battles(
    battles: NDArray[np.void], first: int, trials: int, tally: Tally, ends: Ints | None = None
) -> None:
    """Add what comes of trials ``first`` to ``first + trials - 1``, from 0 to 2**48 - 1.

    Scratch of ``battles`` is overwritten: threads need one each. ``ends`` gets a row for each
    trial, by `layout.battle.End`.
    """
    log = np.zeros((1, LOG_COLUMNS), np.int64)
    ends = np.zeros((0, ENDS), np.int64) if ends is None else ends
    play_battles(battles, first, trials, log, ends, tally)


def tell_battle(battles: NDArray[np.void], trial: int) -> tuple[Ints, bool]:
    """Play one trial with a log, and return its rows, and whether it had room for all of them.

    How it ended stands in the record.
    """
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    n, turns, reach = (int(battles[0][name]) for name in ("n", "turns", "reach"))
    shapes = [(3,), (2 * reach + 1,), (2 * reach + 1,), (turns, 2), (turns, 2), n, n, n, (n, turns)]
    tally = Tally(*(np.zeros(shape, np.int64) for shape in shapes))
    play_battles(battles, trial, 1, log, np.zeros((0, ENDS), np.int64), tally)
    used = int(log[0, 0])
    return log[1 : 1 + used].copy(), used < MAX_EVENTS
