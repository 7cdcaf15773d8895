"""The answer of a matchup, and what of it is shown."""

from dataclasses import dataclass

from ..base.result import Result

PICTURES = ("both", "heat", "forest")


@dataclass(frozen=True)
class MatchupResult(Result):
    """The answer of a matchup."""

    # labels of every two entrants whose losses against each other the table shows
    losses: tuple[tuple[str, str], ...] = ()
    # "both", "heat" or "forest": everyone against everyone, everyone against the field, or both
    picture: str = PICTURES[0]
