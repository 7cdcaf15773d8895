"""Battles fought with the same dice, trial by trial, and how what comes of them differs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import erfc, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.battle import End
from ..base.parallel import Task, in_order
from ..base.run import USUAL_RUN, Run
from ..base.stats import paired, quantile
from ..battle.sampling import battle_ends

CHUNK = 50  # battles played in one go
SCORE, LEAD = 0, 1  # what is compared: wins and half of draws, and points
_UNITS = (0.5, 1.0)  # a win counts 2, a draw 1, so that sums are of whole numbers
HALVES = np.array([2, 0, 1])  # of a battle won by A, by B, by nobody

Array = NDArray[np.int64]
Records = Sequence[NDArray[np.void]]  # of a contest's battles (`Contest.compiled`)


def marks_of(
    records: Records,
    first: int,
    trials: int,
    run: Run = USUAL_RUN,
) -> Array:
    """Return what A makes of each trial of a contest, on whichever side it stands.

    Of shape (trials, ways, 2): half points, then points less those of B.
    """

    def tasks() -> Iterator[Task[Array]]:
        for start in range(first, first + trials, CHUNK):
            for way, record in enumerate(records):
                some = min(CHUNK, first + trials - start)
                marks = partial(marks_in, record, start, some, swapped=way == 1)
                yield Task(f"{way}/{start}+{some}", marks)

    found = []
    for marks in in_order(tasks(), run.threads):
        found.append(marks)
        run.advance(len(marks))
    ways = [np.concatenate(found[way :: len(records)]) for way in range(len(records))]
    return np.stack(ways, axis=1)


def marks_of_each(
    contests: Sequence[Records],
    first: int,
    trials: int,
    run: Run = USUAL_RUN,
) -> list[Array]:
    """Return `marks_of` each of some contests: threads share the contests, not the trials."""

    def tasks() -> Iterator[Task[Array]]:
        for number, records in enumerate(contests):
            for way, record in enumerate(records):
                marks = partial(marks_in, record, first, trials, swapped=way == 1)
                yield Task(f"{number}-{way}/{first}+{trials}", marks)

    found = []
    for marks in in_order(tasks(), run.threads):
        found.append(marks)
        run.advance(trials)
    rest = iter(found)
    return [np.stack([next(rest) for _ in records], axis=1) for records in contests]


def marks_in(record: NDArray[np.void], first: int, trials: int, *, swapped: bool) -> Array:
    """Return what A, or B where the sides are ``swapped``, makes of each trial of a battle."""
    ends = battle_ends(record, first, trials)
    halves, lead = HALVES[ends[:, End.WINNER]], ends[:, End.LEAD]
    return np.stack((2 - halves, -lead) if swapped else (halves, lead), axis=1)


def score_gains(first: Array, second: Array) -> NDArray[np.float64]:
    """Return by how much A's score is higher in the second of two contests, trial by trial."""
    gains: NDArray[np.float64] = (second - first)[..., SCORE].mean(axis=1) * _UNITS[SCORE]
    return gains


def same_battle(one: Records, other: Records) -> bool:
    """Whether two contests are the same to the kernels, so that they need not be fought twice."""
    return all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


class Gain(NamedTuple):
    """By how much A does better in the second of two contests."""

    value: float  # mean of the second less the first
    # ends of its interval; None where nothing varied, or of a single trial
    low: float | None
    high: float | None
    # how likely chance alone is to give as much, either way (a normal test); None without an
    # interval
    p: float | None
    differing: int  # trials in which the two differ
    # how many times as many trials, with dice of their own, give the same interval; None where the
    # two never differ
    saving: float | None


@dataclass(frozen=True)
class Paired:
    """Sums over trials of two contests with the same dice."""

    trials: int
    # shape (2, 3): battles that A wins, B wins, draws, of each contest; all ways together
    outcomes: Array
    # shape (2, ways, 2): of what A makes of it: half points, points
    sums: Array
    squares: Array
    # shape (2,): of the second less the first, all ways of a trial together
    gains: Array
    gain_squares: Array
    differing: Array  # shape (2,): trials in which the two differ in that
    changed: int  # trials in which they differ in anything of it

    @classmethod
    def none(cls, ways: int) -> "Paired":
        """Return the sums of no trial."""
        nothing = np.zeros((0, ways, 2), np.int64)
        return cls.of(nothing, nothing)

    @classmethod
    def of(cls, first: Array, second: Array) -> "Paired":
        """Return the sums of the same trials of two contests (`marks_of`)."""
        both = np.stack((first, second))
        halves = both[..., SCORE].reshape(2, -1)
        outcomes = np.stack([(halves == mark).sum(axis=1) for mark in HALVES], axis=1)
        gains, differ = (second - first).sum(axis=1), (second != first).any(axis=1)
        return cls(
            len(first),
            outcomes,
            both.sum(axis=1),
            (both**2).sum(axis=1),
            gains.sum(axis=0),
            (gains**2).sum(axis=0),
            differ.sum(axis=0),
            int(differ.any(axis=1).sum()),
        )

    def __add__(self, other: "Paired") -> "Paired":
        """Return the sums of these and of other trials of the same contests."""
        return Paired(
            self.trials + other.trials,
            self.outcomes + other.outcomes,
            self.sums + other.sums,
            self.squares + other.squares,
            self.gains + other.gains,
            self.gain_squares + other.gain_squares,
            self.differing + other.differing,
            self.changed + other.changed,
        )

    @property
    def ways(self) -> int:
        """Battles of each contest in a trial."""
        return int(self.sums.shape[1])

    def mean(self, contest: int, measure: int) -> float:
        """Return what A makes of a contest, on average over its battles."""
        total = int(self.sums[contest, :, measure].sum())
        return _UNITS[measure] * total / (self.trials * self.ways)

    def gain(self, measure: int, errors: float | None = None) -> Gain:
        """Return by how much A does better in the second, in score or in points."""
        unit, n = _UNITS[measure] / self.ways, self.trials
        total, squares = int(self.gains[measure]), int(self.gain_squares[measure])
        value, errors = unit * total / n, errors or quantile()
        variance = _variance(total, squares, n)
        differing = int(self.differing[measure])
        if measure == SCORE:
            low, high = paired(unit * total, unit**2 * squares, n, errors)
            centre = unit * total / (n + 2)
            half = centre - low if centre > 0 else high - centre  # the other end may be cut off
        elif n < 2 or variance == 0:
            return Gain(value, None, None, None, differing, None)
        else:
            centre, half = value, errors * unit * sqrt(variance / n)
            low, high = centre - half, centre + half
        p = erfc(abs(centre) / (half / errors) / sqrt(2)) if half else 1.0
        return Gain(value, low, high, p, differing, self._saving(measure, variance))

    def _saving(self, measure: int, variance: float) -> float | None:
        if self.trials < 2 or variance == 0:
            return None
        sums = self.sums[..., measure].ravel().tolist()
        squares = self.squares[..., measure].ravel().tolist()
        apart = (_variance(s, q, self.trials) for s, q in zip(sums, squares, strict=True))
        return sum(apart) / variance


def _variance(total: int, squares: int, n: int) -> float:
    return (n * squares - total * total) / (n * (n - 1)) if n > 1 else inf


def holm(chances: Sequence[float]) -> list[float]:
    """Return how likely chance is to give as much in any row, by Holm's correction.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    found, least = [0.0] * len(chances), 0.0
    for rank, i in enumerate(order):
        least = max(least, min(1.0, (len(chances) - rank) * chances[i]))
        found[i] = least
    return found
