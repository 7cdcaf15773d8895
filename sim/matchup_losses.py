"""Of the battles of a meeting: what both sides lose, and the turn in which they end."""

from collections.abc import Iterator

from estoc.sim.entrants import Entrant
from estoc.sim.losses import LOSSES, tails
from estoc.sim.matchup_play import Array, Meeting
from estoc.sim.result import Row
from estoc.sim.sequence import Ends, proportion_sequence
from estoc.sim.stats import wilson


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
    trials = meeting.battles
    for what, counts in zip(LOSSES, (meeting.fighters[0], meeting.points[0]), strict=True):
        for cells in tails(counts, trials, lambda found: _ends(found, trials, tuned)):
            yield {"what": what, "entrant": one.label, "trials": trials, **cells}


def rounds(meeting: Meeting, tuned: float | None = None) -> Iterator[Row]:
    """Yield how many battles of a meeting end in each turn; intervals as of `losses`."""
    trials, counts = meeting.battles, meeting.rounds[1:]
    lows, highs = _ends(counts, trials, tuned)
    for turn, (count, low, high) in enumerate(zip(counts, lows, highs, strict=True), 1):
        share = {"p": int(count) / trials, "p_low": float(low), "p_high": float(high)}
        yield {"what": "ends", "turn": turn, "trials": trials, "count": int(count), **share}


def _ends(counts: Array, trials: int, tuned: float | None) -> Ends:
    pairs = counts / 2, trials / 2
    return wilson(*pairs) if tuned is None else proportion_sequence(*pairs, tuned=tuned)
