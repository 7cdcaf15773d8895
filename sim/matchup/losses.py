"""What both sides of a meeting lose: fighters, and their PA, exactly and at least so many."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from ...profiles.message import say
from ..base.result import Row
from ..base.sequence import Ends, proportion_sequence
from ..base.stats import wilson
from ..battle.losses import LOSSES, shares, tail
from .entrants import Entrant
from .play import Array, Meeting


def losses(one: Entrant, meeting: Meeting, tuned: float | None = None) -> Iterator[Row]:
    """Yield how often an entrant loses so many fighters, and so many points, in a meeting.

    Points count when the fighter is dead. Both battles of a pair have the same dice: intervals
    are those of as many battles as there are pairs, which is never too few.
    """
    for what, counts in zip(LOSSES, (meeting.fighters[0], meeting.points[0]), strict=True):
        yield from _tail(what, one, counts, tuned)


def rounds(meeting: Meeting, tuned: float | None = None) -> Iterator[Row]:
    """Yield how often the battles of a meeting end in which turn; parameters of `losses`."""
    trials = meeting.battles
    for turn, row in enumerate(shares("", meeting.lasted, trials, _by_pairs(tuned))):
        if turn and trials:
            yield {"what": say("last turn"), "turn": turn, "trials": trials, **row}


def _by_pairs(tuned: float | None) -> Callable[[ArrayLike, ArrayLike], Ends]:
    """Return what gives intervals of shares of battles of which every two are a pair."""

    def ends(counts: ArrayLike, trials: ArrayLike) -> Ends:
        pairs = np.asarray(counts) / 2, np.asarray(trials) / 2
        return wilson(*pairs) if tuned is None else proportion_sequence(*pairs, tuned=tuned)

    return ends


def _tail(what: str, one: Entrant, counts: Array, tuned: float | None) -> Iterator[Row]:
    for row in tail(counts, _by_pairs(tuned)):
        yield {"what": what, "entrant": one.label, "trials": int(counts.sum()), **row}
