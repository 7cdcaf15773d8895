"""The answer of a matchup, and what of it is shown."""

from dataclasses import dataclass

from estoc.sim.result import Result

PICTURES = ("both", "heat", "forest")


@dataclass(frozen=True)
class MatchupResult(Result):
    """The answer of a matchup.

    Parameters
    ----------
    losses : (str, str), optional
        Labels of the two entrants whose losses the table shows.
    picture : {"both", "heat", "forest"}
        Everyone against everyone, everyone against the field, or both.
    """

    losses: tuple[str, str] | None = None
    picture: str = PICTURES[0]
