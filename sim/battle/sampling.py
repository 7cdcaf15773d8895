"""Battles played and counted, the same for any number of threads."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial as bound

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.battle import ENDS, End
from ..base.parallel import Task, in_order, piece
from ..base.progress import announce_compilation, until_stopped
from ..base.run import USUAL_RUN, Method, Run
from .question import BattleQuestion

CHUNK = 100  # battles played in one go: Ctrl-C waits for them
SECONDS = 2e-4  # that a battle takes, about
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
    lasted : ndarray of int64, shape (turns + 1,)
        Trials by their last turn.
    lost : ndarray of int64, shape (2, n + 1)
        By side: trials by the number of fighters that it has lost.
    paid : ndarray of int64, shape (2, reach + 1)
        By side: trials by the PA of these.
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
    lasted: Array
    lost: Array
    paid: Array
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
            lasted=zeros(turns + 1),
            lost=zeros(2, fighters + 1),
            paid=zeros(2, reach + 1),
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
            lasted=self.lasted + other.lasted,
            lost=self.lost + other.lost,
            paid=self.paid + other.paid,
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


def count_battle(question: BattleQuestion, how: Method, run: Run = USUAL_RUN) -> BattleCounts:
    """Count trials of a battle."""
    battles, stopping = question.compiled(how.seed or 0), how.stopping
    shape = len(question.labels), question.scenario.turns, int(battles["reach"][0])
    announce_compilation("play_battles", 60)

    def tasks() -> Iterator[Task[BattleCounts]]:
        for first, size in stopping.spans(piece(CHUNK, SECONDS)):
            yield Task(f"{first}+{size}", bound(_count, battles, first, size, shape))

    total = BattleCounts.none(*shape)
    with until_stopped(run.partial):
        for counts in in_order(tasks(), run.threads):
            total += counts
            run.advance(counts.trials)
            if stopping.reached(total.outcome, total.trials):
                break
    return total


def _count(
    battles: NDArray[np.void], first: int, trials: int, shape: tuple[int, int, int]
) -> BattleCounts:
    played, total = battles.copy(), BattleCounts.none(*shape)
    for start in range(first, first + trials, BATCH):
        total += _batch(played, start, min(BATCH, first + trials - start), shape)
    return total


def _play(
    battles: NDArray[np.void],
    first: int,
    trials: int,
    shape: tuple[int, int, int],
    ends: Array,
) -> BattleCounts:
    """Play some trials; what stands in the record besides the battle is overwritten."""
    from ...kernels.battle.trials import count_battles

    found = BattleCounts.none(*shape)
    count_battles(
        battles,
        first,
        trials,
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
    return replace(found, trials=trials)


def _ended(found: BattleCounts, ends: Array) -> BattleCounts:
    """Return counts with those of how each trial ended (`battle_ends`)."""

    def by_number(counts: Array, *columns: End) -> Array:
        numbers = (np.bincount(ends[:, c], minlength=counts.shape[-1]) for c in columns)
        return np.stack(list(numbers)).reshape(counts.shape)

    return replace(
        found,
        lasted=by_number(found.lasted, End.TURN),
        lost=by_number(found.lost, End.LOST_A, End.LOST_B),
        paid=by_number(found.paid, End.POINTS_A, End.POINTS_B),
    )


def _batch(
    battles: NDArray[np.void], first: int, trials: int, shape: tuple[int, int, int]
) -> BattleCounts:
    """Play some trials, a whole batch of them or less; as `_play`."""
    ends = np.empty((trials, ENDS), np.int64)
    found = _ended(_play(battles, first, trials, shape, ends), ends)
    if trials < BATCH:
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
        Columns by `estoc.kernels.layout.battle.End`; the same for any chunks.
    """
    battle, ends = battles[0], np.empty((trials, ENDS), np.int64)
    shape = int(battle["n"]), int(battle["turns"]), int(battle["reach"])
    _play(battles.copy(), first, trials, shape, ends)
    return ends
