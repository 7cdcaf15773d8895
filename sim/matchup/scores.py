"""Scores of entrants against each other and against the field, with intervals by pairs of battles.

The score of an entrant is what it wins plus half of what is drawn. Both battles of a pair are
played with the same dice, sides swapped, and are counted together: only pairs are independent.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from math import comb, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.sequence import mean_sequence
from ..base.stats import LEVEL, quantile
from .play import STEPS, Meeting, Played

EVEN = 0.5
# Pairs added at each end of what is estimated, as many as Agresti and Coull add to a proportion: an
# interval has a width where all pairs came out alike, too.
ADDED = 2.0

Floats = NDArray[np.float64]

_WHOLE = 1.0  # no two scores are farther apart
_SCORES = np.arange(STEPS) / (STEPS - 1)


class Interval(NamedTuple):
    """A score and the ends of its interval; None of no battle."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def half(self) -> float:
        """Half its width, 1 where nothing is known."""
        return 1.0 if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def above(self) -> bool:
        """Whether the interval shows that the score is above one half."""
        return self.low is not None and self.low > EVEN

    @property
    def below(self) -> bool:
        """Whether the interval shows that the score is below one half."""
        return self.high is not None and self.high < EVEN


UNKNOWN = Interval(None, None, None)
KNOWN = Interval(EVEN, EVEN, EVEN)  # an entrant against itself, by symmetry


class Spread(NamedTuple):
    """Mean score of the pairs of a meeting, with those added, and its variance."""

    # of one pair
    mean: float
    variance: float
    pairs: float  # those that were played, and those added

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return sqrt(self.variance / self.pairs)


def spread_of(meeting: Meeting, added: float = ADDED) -> Spread:
    """Return mean and variance of the pairs of a meeting, with as many added at each end."""
    counts = meeting.pairs.astype(np.float64)
    counts[[0, -1]] += added
    pairs = float(counts.sum())
    mean = float(counts @ _SCORES) / pairs
    return Spread(mean, float(counts @ (_SCORES - mean) ** 2) / pairs, pairs)


def score_of(meeting: Meeting) -> float | None:
    """Return the score of X: battles won and half of those drawn; None of no battle.

    >>> meeting = Meeting.none((1, 1), (9, 9))
    >>> meeting.outcome[:] = 3, 1, 0
    >>> score_of(meeting)
    0.875
    """
    wins, draws, _ = map(int, meeting.outcome)
    return (wins + draws / 2) / meeting.battles if meeting.battles else None


def _ends(meetings: Sequence[Meeting], level: float) -> tuple[float, float]:
    """Return the ends of an interval for the mean of meetings, for fixed numbers of pairs."""
    spreads = [spread_of(meeting, ADDED / len(meetings)) for meeting in meetings]
    middle = sum(spread.mean for spread in spreads) / len(spreads)
    half = quantile(level) * sqrt(sum(spread.error**2 for spread in spreads)) / len(spreads)
    return middle - half, middle + half


def _share_of_error(part: int, whole: int) -> float:
    """Return the part of an error that a set of so many meetings has, of so many."""
    if whole == 1:
        return 1.0
    return 0.5 if part == whole else 0.5 / ((whole - 1) * comb(whole, part))


class Scores:
    """What each entrant scores.

    Parameters
    ----------
    played : Played
    entrants : int
        How many there are.
    tuned : float, optional
        Intervals hold at all looks together and are narrowest after so many pairs; not given,
        they are for numbers of pairs that were fixed beforehand.
    """

    def __init__(self, played: Played, entrants: int, tuned: float | None = None) -> None:
        self.entrants = entrants
        self._tuned = tuned
        self._meetings = {(x, y): played.seen_by(x, y) for x, y in permutations(range(entrants), 2)}

    def against(self, one: int, other: int, level: float = LEVEL) -> Interval:
        """Return the score of an entrant against another."""
        if one == other:
            return KNOWN
        return self.mean([(one, other)], level)

    def mean(self, cells: Iterable[tuple[int, int]], level: float = LEVEL) -> Interval:
        """Return the mean score of entrants against others, whose meetings differ."""
        meetings = [self._meetings[cell] for cell in cells]
        found = [score for score in map(score_of, meetings) if score is not None]
        if not meetings or len(found) < len(meetings):
            return UNKNOWN
        ends = _ends if self._tuned is None else self._sequence
        low, high = ends(meetings, level)
        return Interval(sum(found) / len(found), max(low, 0.0), min(high, 1.0))

    def _sequence(self, meetings: Sequence[Meeting], level: float) -> tuple[float, float]:
        """Return the ends of an interval that holds at all looks.

        Meetings that stopped at different looks are taken apart by their pairs. Which of them
        are together hangs on what they gave: all sets of meetings hold at once (Bonferroni; half
        of the error is for the set of all, the rest for the others, evenly by their size).
        """
        parts: dict[int, list[Meeting]] = {}
        for meeting in meetings:
            parts.setdefault(int(meeting.pairs.sum()), []).append(meeting)
        low = high = 0.0
        for part in parts.values():
            error = (1 - level) * _share_of_error(len(part), len(meetings))
            ends = self._together(part, 1 - error)
            low, high = (
                end + new * len(part) / len(meetings)
                for end, new in zip((low, high), ends, strict=True)
            )
        return low, high

    def _together(self, part: Sequence[Meeting], level: float) -> tuple[float, float]:
        """Return the ends for the mean of meetings with the same number of pairs."""
        assert self._tuned is not None
        pairs = int(part[0].pairs.sum())
        found = [spread_of(meeting, 0.0) for meeting in part]
        mean = sum(spread.mean - EVEN for spread in found) / len(part)
        variance = sum(spread.variance for spread in found) / len(part) ** 2
        squares = pairs * (variance + mean**2)
        low, high = mean_sequence(pairs * mean, squares, pairs, level, self._tuned, EVEN)
        return EVEN + float(low), EVEN + float(high)

    def field(self, one: int, level: float = LEVEL) -> Interval:
        """Return the mean score of an entrant against all others."""
        return self.mean(((one, y) for y in range(self.entrants) if y != one), level)

    def between(self, own: Sequence[int], level: float = LEVEL) -> Interval:
        """Return the mean score of some entrants against all that are not of them."""
        others = [y for y in range(self.entrants) if y not in own]
        return self.mean(((x, y) for x in own for y in others), level)

    @property
    def family(self) -> float:
        """Level at which the intervals of all meetings hold at once (Bonferroni)."""
        return 1 - (1 - LEVEL) / (self.entrants * (self.entrants - 1) / 2)

    @property
    def complete(self) -> bool:
        """Whether all have met."""
        return all(meeting.battles for meeting in self._meetings.values())

    def matrix(self) -> Floats:
        """Return the scores of all against all, rows against columns."""
        return self._by_pair(lambda meeting: score_of(meeting) or 0.0, EVEN)

    def means(self) -> Floats:
        """Return the scores with pairs added at each end, so that none is 0 or 1."""
        return self._by_pair(lambda meeting: spread_of(meeting).mean, EVEN)

    def errors(self) -> Floats:
        """Return the standard errors of the scores of all against all.

        With looks they are larger: as those whose intervals for fixed numbers of pairs would be
        as wide as the ones that hold at all looks.
        """
        return self._by_pair(self._error, 0.0)

    def _error(self, meeting: Meeting) -> float:
        if self._tuned is None:
            return spread_of(meeting).error
        low, high = self._sequence([meeting], LEVEL)
        return min((high - low) / 2, _WHOLE) / quantile()

    def beats(self) -> NDArray[np.bool_]:
        """Return who is shown to beat whom, at the level of all meetings together."""
        every = range(self.entrants)
        return np.array([[self.against(x, y, self.family).above for y in every] for x in every])

    def _by_pair(self, of: Callable[[Meeting], float], mirror: float) -> Floats:
        found = np.full((self.entrants, self.entrants), mirror)
        for (x, y), meeting in self._meetings.items():
            found[x, y] = of(meeting)
        return found
