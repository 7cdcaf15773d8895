"""The battles of a matchup: every two entrants, both ways round with the same dice."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial as bound
from typing import NamedTuple
from zlib import compress, decompress

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.battle import BATTLE, End
from ..base.parallel import Task, in_order, piece
from ..base.run import USUAL_RUN, Method, Run, until_stopped
from ..base.sequence import CAP, STOPPED
from ..battle.sampling import SECONDS, battle_ends
from .question import Cell, MatchupQuestion

CHUNK = 100  # pairs of battles played in one go: Ctrl-C waits for them
STEPS = 5  # a pair of battles is worth 0, ½, 1, 1½ or 2 points

Array = NDArray[np.int64]


@dataclass(frozen=True)
class Meeting:
    """What came of the battles of two entrants, X and Y."""

    pairs: Array  # shape (5,): pairs of battles by the points that X has of them: 0, ½, 1, 1½, 2
    outcome: Array  # shape (3,): battles that X wins, that are drawn, that X loses
    fighters: tuple[Array, Array]  # battles by the number of fighters that X, and that Y, has lost
    points: tuple[Array, Array]  # battles by the PA of these
    lasted: Array  # shape (turns + 1,): battles by their last turn

    @classmethod
    def none(cls, fighters: tuple[int, int], points: tuple[int, int], turns: int = 0) -> "Meeting":
        """Return the counts of no battle; X and Y have so many fighters of so many PA."""

        def zeros(most: tuple[int, int]) -> tuple[Array, Array]:
            return np.zeros(most[0] + 1, np.int64), np.zeros(most[1] + 1, np.int64)

        return cls(
            np.zeros(STEPS, np.int64),
            np.zeros(3, np.int64),
            zeros(fighters),
            zeros(points),
            np.zeros(turns + 1, np.int64),
        )

    def __add__(self, other: "Meeting") -> "Meeting":
        """Return the counts of these and of other battles of the same entrants."""
        return Meeting(
            self.pairs + other.pairs,
            self.outcome + other.outcome,
            (self.fighters[0] + other.fighters[0], self.fighters[1] + other.fighters[1]),
            (self.points[0] + other.points[0], self.points[1] + other.points[1]),
            self.lasted + other.lasted,
        )

    @property
    def battles(self) -> int:
        """Battles played."""
        return int(self.outcome.sum())

    @property
    def mirrored(self) -> "Meeting":
        """The same as Y sees it."""
        return Meeting(
            self.pairs[::-1],
            self.outcome[::-1],
            self.fighters[::-1],
            self.points[::-1],
            self.lasted,
        )


@dataclass
class Played:
    """What came of a matchup."""

    meetings: dict[Cell, Meeting]  # by the numbers of X and Y, X below Y
    # why a meeting has no more battles: of `estoc.sim.base.sequence`, or `DROPPED`
    ends: dict[Cell, str] = field(default_factory=dict)
    # entrants that were dropped, and after how many battles of theirs a meeting
    dropped: dict[int, int] = field(default_factory=dict)
    whole: bool = False  # whether nobody stopped it

    def seen_by(self, one: int, other: int) -> Meeting:
        """Return what came of the battles of two entrants, as the first sees it."""
        if one < other:
            return self.meetings[one, other]
        return self.meetings[other, one].mirrored


class Judge(NamedTuple):
    """Who says after which numbers of pairs which meetings go on."""

    # pairs of battles that a meeting has at each look, the last the most of all
    looks: tuple[int, ...]
    # Told what was played, and the open meetings: why to close which. It may drop entrants.
    close: Callable[[Played, list[Cell]], Mapping[Cell, str]]


def play(question: MatchupQuestion, judge: Judge, how: Method, run: Run = USUAL_RUN) -> Played:
    """Play the battles of a matchup; chunks are of pairs of battles."""
    records = _Records(question, how.seed or 0)
    played = Played({cell: _nothing(question, cell) for cell in question.cells})
    before = 0
    with until_stopped(run.partial):
        for pairs in judge.looks:
            cells = [cell for cell in question.cells if cell not in played.ends]
            if not cells:
                break
            step = run.chunk or piece(CHUNK, 2 * SECONDS)
            tasks = _tasks(records, cells, (before, pairs), step)
            for cell, counts in in_order(tasks, run.threads):
                played.meetings[cell] += counts  # a new object: Ctrl-C leaves no half of a sum
                run.advance(counts.battles)
            played.ends |= judge.close(played, cells)
            before = pairs
        played.whole = True
    rest = CAP if played.whole else STOPPED
    played.ends = dict.fromkeys(question.cells, rest) | played.ends
    return played


def _nothing(question: MatchupQuestion, cell: Cell) -> Meeting:
    """Return the counts of no battle of two entrants."""
    one, other = (question.entrants[number] for number in cell)
    turns = question.field.turns
    return Meeting.none((one.fighters, other.fighters), (one.points, other.points), turns)


class _Records:
    """The battles of meetings as the kernels see them, kept small between looks.

    Parameters
    ----------
    question : MatchupQuestion
    seed : int
    """

    def __init__(self, question: MatchupQuestion, seed: int) -> None:
        self.question = question
        self._seed = seed
        self._kept: dict[Cell, list[bytes]] = {}

    def of(self, cell: Cell) -> list[NDArray[np.void]]:
        """Return the records of a meeting, both ways round."""
        if cell not in self._kept:
            dice = self.question.dice(*cell)
            battles = [self.question.battle(*way) for way in (cell, cell[::-1])]
            records = [battle.compiled(self._seed, dice) for battle in battles]
            self._kept[cell] = [compress(record.tobytes(), 1) for record in records]
        return [np.frombuffer(decompress(data), BATTLE) for data in self._kept[cell]]


def _tasks(
    records: _Records, cells: list[Cell], span: tuple[int, int], chunk: int
) -> Iterator[Task[tuple[Cell, Meeting]]]:
    """Yield the work from one number of pairs of each meeting to another."""
    for cell in cells:
        battles, nothing = records.of(cell), _nothing(records.question, cell)
        for first in range(*span, chunk):
            pairs = min(chunk, span[1] - first)
            key = f"{cell[0]}-{cell[1]}/{first}+{pairs}"
            yield Task(key, bound(_count, cell, battles, first, pairs, nothing))


def _count(
    cell: Cell, records: list[NDArray[np.void]], first: int, pairs: int, nothing: Meeting
) -> tuple[Cell, Meeting]:
    there, back = (battle_ends(record, first, pairs) for record in records)
    return cell, nothing + counted(there, back, nothing)


def counted(there: Array, back: Array, nothing: Meeting) -> Meeting:
    """Count battles of two entrants, X on side A, and the same with X on side B (`battle_ends`)."""
    halves = (_worth(there[:, End.WINNER], 0), _worth(back[:, End.WINNER], 1))
    outcome = [sum(int((half == worth).sum()) for half in halves) for worth in (2, 1, 0)]
    lost = (End.LOST_A, End.LOST_B), (End.POINTS_A, End.POINTS_B)
    fighters, points = (
        (
            _histogram(there[:, of_a], back[:, of_b], len(most[0])),
            _histogram(there[:, of_b], back[:, of_a], len(most[1])),
        )
        for (of_a, of_b), most in zip(lost, (nothing.fighters, nothing.points), strict=True)
    )
    pairs = np.bincount(halves[0] + halves[1], minlength=STEPS)
    lasted = _histogram(there[:, End.TURN], back[:, End.TURN], len(nothing.lasted))
    return Meeting(pairs, np.array(outcome, np.int64), fighters, points, lasted)


def _worth(winner: Array, side: int) -> Array:
    """Return what battles are worth to a side, in half points."""
    return np.where(winner == 2, 1, 2 * (winner == side))


def _histogram(one: Array, other: Array, length: int) -> Array:
    """Return how often there is each number in both."""
    return np.bincount(one, minlength=length) + np.bincount(other, minlength=length)
