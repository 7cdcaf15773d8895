"""Battles played and counted, the same for any number of threads."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial as bound

import numpy as np
from numpy.typing import NDArray

from estoc.sim.battle_question import BattleQuestion
from estoc.sim.parallel import Task, default_threads, in_order, piece
from estoc.sim.progress import announce_compilation, until_stopped
from estoc.sim.sampling import Progress
from estoc.sim.sequence import Stopping

CHUNK = 100  # battles played in one go: Ctrl-C waits for them
SECONDS = 2e-3  # that a battle takes, about
BATCH = 10  # battles whose sums give the intervals of what is known by sums only
NEVER = np.iinfo(np.int64).max  # no trial had that difference

Array = NDArray[np.int64]


@dataclass(frozen=True)
class BattleCounts:
    """What happened in some trials of one battle.

    Parameters
    ----------
    outcome : ndarray of int64, shape (3,)
        A wins, B wins, draws.
    histogram : ndarray of int64, shape (2 * reach + 1,)
        No difference is above the reach. Trials by A's points less B's, from -reach on.
    firsts : ndarray of int64, shape (2 * reach + 1,)
        The first trial with that difference, `NEVER` of none.
    destroyed, squares : ndarray of int64, shape (turns, 2)
        Points that each side has destroyed by the end of each turn, and their squares, added up.
    survived, kills, earned : ndarray of int64, shape (n,)
        By fighter: trials that it survived; enemies that it killed and their PA, added up.
    deaths : ndarray of int64, shape (n, turns)
        Trials by the turn of its death.
    spread : ndarray of float64, shape (2, n)
        Squares of kills and of points earned in each whole batch of trials, added up.
    whole : ndarray of int64, shape (2, n)
        Kills and points earned in whole batches.
    rounds : ndarray of int64, shape (turns + 1,)
        Trials by the last turn that was played.
    fighters : ndarray of int64, shape (2, n + 1)
        Trials by the fighters that A, and that B, has lost.
    points : ndarray of int64, shape (2, reach + 1)
        Trials by the PA of these.
    trials, batches : int
        Batches: the whole ones.
    """

    outcome: Array
    histogram: Array
    firsts: Array
    destroyed: Array
    squares: Array
    survived: Array
    kills: Array
    earned: Array
    deaths: Array
    spread: NDArray[np.float64]
    whole: Array
    rounds: Array
    fighters: Array
    points: Array
    trials: int = 0
    batches: int = 0

    @classmethod
    def none(cls, fighters: int, turns: int, reach: int) -> "BattleCounts":
        """Return the counts of no trial."""

        def zeros(*shape: int) -> Array:
            return np.zeros(shape, np.int64)

        differences = 2 * reach + 1
        return cls(
            outcome=zeros(3),
            histogram=zeros(differences),
            firsts=np.full(differences, NEVER),
            destroyed=zeros(turns, 2),
            squares=zeros(turns, 2),
            survived=zeros(fighters),
            kills=zeros(fighters),
            earned=zeros(fighters),
            deaths=zeros(fighters, turns),
            spread=np.zeros((2, fighters)),
            whole=zeros(2, fighters),
            rounds=zeros(turns + 1),
            fighters=zeros(2, fighters + 1),
            points=zeros(2, reach + 1),
        )

    def __add__(self, other: "BattleCounts") -> "BattleCounts":
        """Return the counts of these and of other trials of the same battle."""
        return BattleCounts(
            outcome=self.outcome + other.outcome,
            histogram=self.histogram + other.histogram,
            firsts=np.minimum(self.firsts, other.firsts),
            destroyed=self.destroyed + other.destroyed,
            squares=self.squares + other.squares,
            survived=self.survived + other.survived,
            kills=self.kills + other.kills,
            earned=self.earned + other.earned,
            deaths=self.deaths + other.deaths,
            spread=self.spread + other.spread,
            whole=self.whole + other.whole,
            rounds=self.rounds + other.rounds,
            fighters=self.fighters + other.fighters,
            points=self.points + other.points,
            trials=self.trials + other.trials,
            batches=self.batches + other.batches,
        )

    @property
    def reach(self) -> int:
        """The greatest difference that has a place in the histogram."""
        return len(self.histogram) // 2

    def at_rank(self, rank: int) -> tuple[int, int]:
        """Return the difference of points of a rank from 1, the lowest first, and a trial of it."""
        place = int(np.searchsorted(np.cumsum(self.histogram), rank))
        return place - self.reach, int(self.firsts[place])


def count_battle(
    question: BattleQuestion,
    trials: int,
    seed: int,
    *,
    precision: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> BattleCounts:
    """Count trials of a battle.

    Parameters
    ----------
    question : BattleQuestion
    trials, seed : int
    precision : float, optional
        Half the width of the intervals of who wins at which the run ends before.
    threads, progress, partial
        As in `estoc.sim.sampling.count_trials`.
    """
    battles, stopping = question.compiled(seed), Stopping(trials, precision)
    shape = len(question.labels), question.scenario.turns, int(battles["reach"][0])
    announce_compilation("play_battles", 150)

    def tasks() -> Iterator[Task[BattleCounts]]:
        for first, size in stopping.spans(piece(CHUNK, SECONDS)):
            yield Task(f"{first}+{size}", bound(_count, battles, first, size, shape))

    total = BattleCounts.none(*shape)
    with until_stopped(partial):
        for counts in in_order(tasks(), threads or default_threads()):
            total += counts
            if progress is not None:
                progress(counts.trials)
            if stopping.reached(total.outcome, total.trials):
                break
    return total


def _count(
    battles: NDArray[np.void], first: int, trials: int, shape: tuple[int, int, int]
) -> BattleCounts:
    from estoc.kernels.battle_codes import ENDS

    played, total = battles.copy(), BattleCounts.none(*shape)
    ends = np.empty((trials, ENDS), np.int64)
    for start in range(0, trials, BATCH):
        total += _batch(played, first + start, ends[start : start + BATCH], shape)
    return total + _ended(ends, shape)


def _ended(ends: Array, shape: tuple[int, int, int]) -> BattleCounts:
    """Count when trials ended and what both sides had lost; no trial is added."""
    from estoc.kernels.battle_codes import End

    found = BattleCounts.none(*shape)
    found.rounds[:] = _histogram(ends[:, End.TURN], found.rounds)
    for side, (lost, points) in enumerate(((End.LOST_A, End.POINTS_A), (End.LOST_B, End.POINTS_B))):
        found.fighters[side] = _histogram(ends[:, lost], found.fighters[side])
        found.points[side] = _histogram(ends[:, points], found.points[side])
    return found


def _histogram(numbers: Array, like: Array) -> Array:
    return np.bincount(numbers, minlength=len(like))


def _play(
    battles: NDArray[np.void], first: int, ends: Array, shape: tuple[int, int, int]
) -> BattleCounts:
    """Play a trial for each row of ends; what stands in the record besides the battle is lost."""
    from estoc.kernels.battle_trials import count_battles

    found = BattleCounts.none(*shape)
    count_battles(
        battles,
        first,
        len(ends),
        found.outcome,
        found.histogram,
        found.firsts,
        found.destroyed,
        found.squares,
        found.survived,
        found.kills,
        found.earned,
        found.deaths,
        ends,
    )
    return replace(found, trials=len(ends))


def _batch(
    battles: NDArray[np.void], first: int, ends: Array, shape: tuple[int, int, int]
) -> BattleCounts:
    """Play some trials, a whole batch of them or less; as `_play`."""
    found = _play(battles, first, ends, shape)
    if len(ends) < BATCH:
        return found
    whole = np.stack((found.kills, found.earned))
    squares = whole.astype(np.float64) ** 2
    return replace(found, batches=1, whole=whole, spread=squares)


def battle_ends(battles: NDArray[np.void], first: int, trials: int) -> Array:
    """Return what came of each of some trials.

    Parameters
    ----------
    battles : ndarray of BATTLE, shape (1,)
        What is played; left as it is.
    first, trials : int

    Returns
    -------
    ndarray of int64, shape (trials, len(End))
        Columns by `estoc.kernels.battle_codes.End`; the same for any chunks.
    """
    from estoc.kernels.battle_codes import ENDS

    battle, ends = battles[0], np.empty((trials, ENDS), np.int64)
    shape = int(battle["n"]), int(battle["turns"]), int(battle["reach"])
    _play(battles.copy(), first, ends, shape)
    return ends
