"""The answer of a matchup, and what of it is shown."""

from dataclasses import dataclass

from ..base.result import Result

PICTURES = ("both", "heat", "forest")


@dataclass(frozen=True)
class MatchupResult(Result):
    """The answer of a matchup.

    Parameters
    ----------
    losses : tuple of (str, str)
        Labels of every two entrants whose losses against each other the table shows.
    picture : {"both", "heat", "forest"}
        Everyone against everyone, everyone against the field, or both.
    """

    losses: tuple[tuple[str, str], ...] = ()
    picture: str = PICTURES[0]
