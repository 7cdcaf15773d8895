"""How long a matchup is played: to a number of battles, to a precision, without clear losers."""

from dataclasses import dataclass

from ...profiles.compile.battle import MOST_TRIALS
from ...profiles.errors import InputError
from ..base.options import checked_seed, checked_trials
from ..base.run import SAMPLED, Method, Run
from ..base.sequence import PRECISION, checked_precision, looks, usual_cap
from ..base.stats import LEVEL
from .play import Judge, Played
from .question import Cell
from .scores import Scores

TRIALS = 1_000  # battles of two entrants
DROPPED = "dropped"  # why two entrants have no more battles, besides what ends any run


@dataclass(frozen=True)
class Plan(Method):
    """How a matchup is played.

    Its trials are battles of two entrants, at most; two of them have no more battles once half
    the interval of their score is as small as the precision.
    """

    drop: bool = False  # whether an entrant that is clearly below the best has no more battles

    @property
    def pairs(self) -> int:
        """Pairs of battles of two entrants, at most."""
        return self.stopping.most // 2

    @property
    def tuned(self) -> float | None:
        """Pairs after which intervals that hold at each look are narrowest; None without looks."""
        if self.precision is None:
            return self.pairs if self.drop else None
        return min(self.pairs, self.precision**-2)

    def judge(self, entrants: int) -> Judge:
        """Return who closes the meetings of so many entrants, and after how many pairs."""

        def close(played: Played, cells: list[Cell]) -> dict[Cell, str]:
            """Say which meetings have no more battles."""
            scores = Scores(played, entrants, self.tuned)
            ends = dict.fromkeys(self._precise(scores, cells), PRECISION)
            if self.drop:
                played.dropped |= dropped(played, scores)
                gone = [cell for cell in cells if set(cell) & set(played.dropped)]
                ends = dict.fromkeys(gone, DROPPED) | ends
            return ends

        return Judge((self.pairs,) if self.tuned is None else tuple(looks(self.pairs)), close)

    def _precise(self, scores: Scores, cells: list[Cell]) -> list[Cell]:
        """Return the meetings whose scores are known well enough."""
        if self.precision is None:
            return []
        found = [(cell, scores.against(*cell)) for cell in cells]
        return [cell for cell, score in found if score.half <= self.precision]

    @property
    def arguments(self) -> list[str]:
        """The plan as arguments of the command line."""
        *words, trials, number, seed, start = super().arguments
        return [*words, *["--drop"] * self.drop, trials, number, seed, start]


def dropped(played: Played, scores: Scores) -> dict[int, int]:
    """Return the entrants that are shown to score less against the field than the best does.

    The intervals of all of them hold together, at all looks, at the usual level: the best is
    dropped in no more than one run of twenty.
    """
    level = 1 - (1 - LEVEL) / scores.entrants
    found = [scores.field(x, level) for x in range(scores.entrants)]
    best = max((score.low for score in found if score.low is not None), default=0.0)
    return {
        x: max(played.seen_by(x, y).battles for y in range(scores.entrants) if y != x)
        for x, score in enumerate(found)
        if x not in played.dropped and score.high is not None and score.high < best
    }


def plan_of(run: Run, drop: bool = False) -> Plan:
    """Return how a matchup is played: a fresh seed if none is given."""
    wanted = checked_precision(run.precision)
    usual = TRIALS if wanted is None else 2 * usual_cap(wanted)
    most = checked_trials(usual if run.trials is None else run.trials)
    if most > MOST_TRIALS or most % 2:
        raise InputError(
            "matchup: trials {} should be an even number, at most {}: each battle is played "
            "both ways round",
            most,
            MOST_TRIALS,
        )
    seed = checked_seed(run.seed, run.usual_seed)
    return Plan(SAMPLED, most, seed, precision=wanted, drop=drop)
