"""What both sides of a meeting lose: fighters, and their PA, exactly and at least so many."""

from collections.abc import Iterator

import numpy as np

from estoc.sim.entrants import Entrant
from estoc.sim.matchup_play import Array, Meeting
from estoc.sim.result import Row
from estoc.sim.sequence import proportion_sequence
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


def _tail(what: str, one: Entrant, counts: Array, tuned: float | None) -> Iterator[Row]:
    trials = int(counts.sum())
    numbers = np.flatnonzero(counts)
    at_least = np.cumsum(counts[::-1])[::-1]
    shares = zip(
        numbers,
        _shares("", counts[numbers], trials, tuned),
        _shares("_at_least", at_least[numbers], trials, tuned),
        strict=True,
    )
    for number, exactly, so_many in shares:
        who = {"what": what, "entrant": one.label, "number": int(number), "trials": trials}
        yield who | exactly | so_many


def _shares(name: str, counts: Array, trials: int, tuned: float | None) -> Iterator[Row]:
    pairs = counts / 2, trials / 2
    lows, highs = wilson(*pairs) if tuned is None else proportion_sequence(*pairs, tuned=tuned)
    for count, low, high in zip(counts, lows, highs, strict=True):
        yield {
            f"count{name}": int(count),
            f"p{name}": int(count) / trials,
            f"p{name}_low": float(low),
            f"p{name}_high": float(high),
        }
