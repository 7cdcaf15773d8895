"""Battles played and counted, the same for any number of threads."""

from dataclasses import dataclass, fields, replace
from functools import partial as bound

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.battle import ENDS, End
from ..base.parallel import count_each, piece
from ..base.run import USUAL_RUN, Method, Run
from .question import BattleQuestion

CHUNK = 100  # battles played in one go: Ctrl-C waits for them
SECONDS = 2e-4  # that a battle takes, about
BATCH = 10  # battles whose sums give the intervals of what is known by sums only
NEVER = np.iinfo(np.int64).max  # no trial had that difference

Array = NDArray[np.int64]


@dataclass(frozen=True)
class BattleCounts:
    """What happened in some trials of one battle: how many trials, if nothing else is said."""

    outcome: Array  # (3,): A wins, B wins, draws
    histogram: Array  # (2 * reach + 1,): by A's points less B's, from -reach on; no other is met
    firsts: Array  # (2 * reach + 1,): the first trial with that difference, `NEVER` of none
    destroyed: Array  # (turns, 2): points that each side has destroyed by each turn's end, in all
    squares: Array  # (turns, 2): squares of these, in all
    survived: Array  # (n,): by fighter
    kills: Array  # (n,): enemies that it killed, in all
    earned: Array  # (n,): their PA
    deaths: Array  # (n, turns): by the turn of its death
    spread: NDArray[np.float64]  # (2, n): squares of kills and of PA in each whole batch, in all
    whole: Array  # (2, n): kills and PA in whole batches
    lasted: Array  # (turns + 1,): by their last turn
    lost: Array  # (2, n + 1): by side and the number of fighters that it has lost
    paid: Array  # (2, reach + 1): by side and the PA of these
    trials: int = 0
    batches: int = 0  # whole ones

    @classmethod
    def none(cls, fighters: int, turns: int, reach: int) -> "BattleCounts":
        """Return the counts of no trial."""
        shapes = {
            **{"outcome": 3, "histogram": 2 * reach + 1},
            **{"destroyed": (turns, 2), "squares": (turns, 2), "lasted": turns + 1},
            **dict.fromkeys(("survived", "kills", "earned"), fighters),
            **{"deaths": (fighters, turns), "whole": (2, fighters)},
            **{"lost": (2, fighters + 1), "paid": (2, reach + 1)},
        }
        zeros = {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}
        firsts = np.full(2 * reach + 1, NEVER)
        return cls(**zeros, firsts=firsts, spread=np.zeros((2, fighters)))

    def __add__(self, other: "BattleCounts") -> "BattleCounts":
        """Return the counts of these and of other trials of the same battle."""
        names = [field.name for field in fields(self) if field.name != "firsts"]
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return BattleCounts(**sums, firsts=np.minimum(self.firsts, other.firsts))

    @property
    def shares(self) -> Array:
        """Trials of what a precision is about."""
        return self.outcome

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
    battles = question.compiled(how.seed or 0)
    shape = len(question.labels), question.scenario.turns, int(battles["reach"][0])
    kind = bound(_count, battles, shape=shape), piece(CHUNK, SECONDS)
    (total,) = count_each([kind], [BattleCounts.none(*shape)], how.stopping, run)
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
    from ...kernels.battle.trials import Tally, count_battles

    found = BattleCounts.none(*shape)
    tally = Tally(*(getattr(found, name) for name in Tally._fields))
    count_battles(battles, first, trials, tally, ends)
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
    """Return what came of each of some trials, by `End`; the battle is left as it is."""
    battle, ends = battles[0], np.empty((trials, ENDS), np.int64)
    shape = int(battle["n"]), int(battle["turns"]), int(battle["reach"])
    _play(battles.copy(), first, trials, shape, ends)
    return ends
