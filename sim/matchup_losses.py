"""What both sides of a meeting lose: fighters, and their PA, exactly and at least so many."""

from collections.abc import Iterator

import numpy as np

from estoc.sim.entrants import Entrant
from estoc.sim.matchup_play import Array, Meeting
from estoc.sim.result import Row
from estoc.sim.stats import wilson

FIGHTERS, POINTS = LOSSES = ("fighters lost", "points lost")


def losses(one: Entrant, meeting: Meeting) -> Iterator[Row]:
    """Yield how often an entrant loses so many fighters, and so many points, in a meeting.

    Points count when the fighter is dead. Both battles of a pair have the same dice: intervals
    are those of as many battles as there are pairs, which is never too few.

    Parameters
    ----------
    one : Entrant
        X of the meeting.
    meeting : Meeting
    """
    for what, counts in zip(LOSSES, (meeting.fighters[0], meeting.points[0]), strict=True):
        yield from _tail(what, one, counts)


def _tail(what: str, one: Entrant, counts: Array) -> Iterator[Row]:
    trials = int(counts.sum())
    at_least = np.cumsum(counts[::-1])[::-1]
    for number in np.flatnonzero(counts) if trials else ():
        yield {
            "what": what,
            "entrant": one.label,
            "number": int(number),
            "trials": trials,
            **_share("", int(counts[number]), trials),
            **_share("_at_least", int(at_least[number]), trials),
        }


def _share(name: str, count: int, trials: int) -> Row:
    low, high = (float(end) for end in wilson(count / 2, trials / 2))
    return {
        f"count{name}": count,
        f"p{name}": count / trials,
        f"p{name}_low": low,
        f"p{name}_high": high,
    }
