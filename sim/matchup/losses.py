"""What both sides of a meeting lose: fighters, and their PA, exactly and at least so many."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from estoc.sim.entrants import Entrant
from estoc.sim.matchup_play import Array, Meeting
from estoc.sim.result import Row
from estoc.sim.sequence import Ends, proportion_sequence
from estoc.sim.stats import wilson

FIGHTERS, POINTS = LOSSES = ("fighters lost", "points lost")


def losses(one: Entrant, meeting: Meeting, tuned: float | None = None) -> Iterator[Row]:
    """Yield how often an entrant loses so many fighters, and so many points, in a meeting.

    Points count when the fighter is dead. Both battles of a pair have the same dice: intervals
    are those of as many battles as there are pairs, which is never too few.

    Parameters
    ----------
    one : Entrant
        X of the meeting.
    meeting : Meeting
    tuned : float, optional
        As of `estoc.sim.matchup_scores.Scores`.
    """
    for what, counts in zip(LOSSES, (meeting.fighters[0], meeting.points[0]), strict=True):
        yield from _tail(what, one, counts, tuned)


def rounds(meeting: Meeting, tuned: float | None = None) -> Iterator[Row]:
    """Yield how often the battles of a meeting end in which turn; parameters of `losses`."""
    trials = meeting.battles
    for turn, row in enumerate(_shares("", meeting.lasted, trials, _by_pairs(tuned))):
        if turn and trials:
            yield {"what": "last turn", "turn": turn, "trials": trials, **row}


def _by_pairs(tuned: float | None) -> Callable[[ArrayLike, ArrayLike], Ends]:
    """Return what gives intervals of shares of battles of which every two are a pair."""

    def ends(counts: ArrayLike, trials: ArrayLike) -> Ends:
        pairs = np.asarray(counts) / 2, np.asarray(trials) / 2
        return wilson(*pairs) if tuned is None else proportion_sequence(*pairs, tuned=tuned)

    return ends


def _tail(what: str, one: Entrant, counts: Array, tuned: float | None) -> Iterator[Row]:
    for row in tail(counts, _by_pairs(tuned)):
        yield {"what": what, "entrant": one.label, "trials": int(counts.sum()), **row}


def tail(counts: Array, ends: Callable[[ArrayLike, ArrayLike], Ends]) -> Iterator[Row]:
    """Yield how often a number was found, exactly and at least so many.

    Parameters
    ----------
    counts : ndarray of int64
        Trials by number.
    ends : callable
        Gives intervals of proportions: told counts, and trials.
    """
    numbers = np.flatnonzero(counts)
    at_least = np.cumsum(counts[::-1])[::-1]
    rows = zip(
        numbers,
        _shares("", counts[numbers], int(counts.sum()), ends),
        _shares("_at_least", at_least[numbers], int(counts.sum()), ends),
        strict=True,
    )
    for number, exactly, so_many in rows:
        yield {"number": int(number), **exactly, **so_many}


def _shares(
    name: str, counts: Array, trials: int, ends: Callable[[ArrayLike, ArrayLike], Ends]
) -> Iterator[Row]:
    lows, highs = ends(counts, trials)
    for count, low, high in zip(counts, lows, highs, strict=True):
        yield {
            f"count{name}": int(count),
            f"p{name}": int(count) / max(trials, 1),
            f"p{name}_low": float(low),
            f"p{name}_high": float(high),
        }
