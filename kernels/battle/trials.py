"""Many trials of a battle: the same counts for any chunks, in any order; one told."""

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, routine
from ..core.rng import U64
from ..layout.battle import ENDS, MAX_EVENTS, End
from ..layout.combat import Moment
from ..layout.log import LOG_COLUMNS
from .battle import finish, play_turn, set_up


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


@kernel
def play_battles(
    battles, first, trials, log, ends, outcome, histogram, firsts, destroyed, squares, survived,
    kills, earned, deaths,
):  # fmt: skip
    """Add what comes of some trials to counts; see `count_battles`. One compilation serves all.

    ``log`` is an array of int64, shape (1 + events, LOG_COLUMNS): without events, nothing is told.
    ``ends`` has a row for each trial, or none.
    """
    battle = battles[0]
    for trial in range(first, first + trials):
        last = play_battle(battle, trial, log)
        if len(ends):
            write_end(battle, last, ends[trial - first])
        outcome[2 if battle.winner < 0 else battle.winner] += 1
        at = battle.points[0] - battle.points[1] + battle.reach
        histogram[at] += 1
        firsts[at] = min(firsts[at], trial)
        for turn in range(battle.turns):
            for side in range(2):
                points = battle.destroyed_by[turn, side]
                destroyed[turn, side] += points
                squares[turn, side] += points * points
        for i in range(battle.n):
            kills[i] += battle.kills[i]
            earned[i] += battle.earned[i]
            if battle.death[i] == 0:
                survived[i] += 1
            else:
                deaths[i, battle.death[i] - 1] += 1


Counts = NDArray[np.int64]


def count_battles(
    battles: NDArray[np.void],
    first: int,
    trials: int,
    outcome: Counts,
    histogram: Counts,
    firsts: Counts,
    destroyed: Counts,
    squares: Counts,
    survived: Counts,
    kills: Counts,
    earned: Counts,
    deaths: Counts,
    ends: Counts | None = None,
) -> None:
    """Add what comes of trials ``first`` to ``first + trials - 1`` to counts.

    Parameters
    ----------
    battles : ndarray of BATTLE, shape (1,)
        Its scratch is overwritten, so threads need one each.
    first, trials : int
        Trials are numbered from 0 to 2**48 - 1.
    outcome : ndarray of int64, shape (3,)
        Battles won by A, by B, drawn.
    histogram : ndarray of int64, shape (2 * reach + 1,)
        By A's points less B's, plus the record's ``reach``.
    firsts : ndarray of int64, shape (2 * reach + 1,)
        Lowest trial of each difference.
    destroyed, squares : ndarray of int64, shape (turns, 2)
        Points that each side has destroyed by the end of each turn, and their squares.
    survived, kills, earned : ndarray of int64, shape (n,)
        By fighter; the points of those whom he killed.
    deaths : ndarray of int64, shape (n, turns)
        By fighter and turn.
    ends : ndarray of int64, shape (trials, len(End)), optional
        What came of each trial (`estoc.kernels.layout.battle.End`).
    """
    log = np.zeros((1, LOG_COLUMNS), np.int64)
    counts = (outcome, histogram, firsts, destroyed, squares, survived, kills, earned, deaths)
    ends = np.zeros((0, ENDS), np.int64) if ends is None else ends
    play_battles(battles, first, trials, log, ends, *counts)


def tell_battle(battles: NDArray[np.void], trial: int) -> tuple[NDArray[np.int64], bool]:
    """Play one trial with a log; how it ended stands in the record.

    Parameters
    ----------
    battles : ndarray of BATTLE, shape (1,)
        Its scratch is overwritten.
    trial : int

    Returns
    -------
    rows : ndarray of int64, shape (events, LOG_COLUMNS)
    complete : bool
        Whether the log had room for all of them.
    """
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    n, turns, reach = (int(battles[0][name]) for name in ("n", "turns", "reach"))
    shapes = [(3,), (2 * reach + 1,), (2 * reach + 1,), (turns, 2), (turns, 2), n, n, n, (n, turns)]
    counts = [np.zeros(shape, np.int64) for shape in shapes]
    play_battles(battles, trial, 1, log, np.zeros((0, ENDS), np.int64), *counts)
    used = int(log[0, 0])
    return log[1 : 1 + used].copy(), used < MAX_EVENTS
