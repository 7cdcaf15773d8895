"""Scores of a combat that have a name, and the units that a value is told in."""

from ...profiles.message import say, say_all
from .percent import signed

KILLS = "kills"
SCORES = say_all(
    {
        KILLS: "expected kills minus own deaths",
        "points": "PA of B destroyed minus PA of A lost, on average per combat",
        "wounds": "wound levels dealt to B minus levels taken by A, on average per combat",
        "survival-a": "fighters of A who survive, on average per combat",
        "survival-b": "fighters of B who survive, counted against A, on average per combat",
    }
)


def scaled(value: float | None, score: str) -> float | None:
    """Return a value in the unit it is shown in: kills in 100 fights, all else in one combat."""
    return value if value is None or score != KILLS else 100 * value


def shown(value: float | None, score: str) -> str:
    """Return a value in the unit it is shown in, as text."""
    return signed(scaled(value, score), 2 if score == KILLS else 3)


def unit(score: str) -> str:
    """Return what a value counts, in words."""
    if score == KILLS:
        return say("{}, per 100 fights", SCORES[KILLS])
    return SCORES.get(score, say("the score {}, on average per combat", score))
