"""What a fighter on a table may do, as tables."""

from ...profiles.message import say, say_all
from ..base.percent import UNKNOWN, chance
from ..base.result import Result, Row
from ..text.printing import Block, table_of

_REFUSED = say_all(
    {
        "M-4.4": "out of reach",
        "M-1.2": "no way, or no room",
        "M-7.1": "in contact",
    }
)


def blocks(result: Result, width: int) -> list[Block]:
    """Return how far the fighter goes, then whom it may assault."""
    moves = [row for row in result if row["section"] == "action"]
    assaults = [row for row in result if row["section"] == "assault"]
    lines = [
        [row["action"].replace("_", " "), f"{row['reach']:g}", _allowed(row), row["clause"]]
        for row in moves
    ]
    parts = [table_of(["move", "cm", "allowed", "clause"], lines, "wnww")]
    lines = [_assault(row) for row in assaults]
    headings = say_all(["enemy", "seen", "cm away", "how", "penalty", "A / B wins, %", "clause"])
    legend = say(
        "cm away: the shortest path to its edge (how likely it is judged in reach, %, M-1.6)\n"
        "penalty: who suffers that of the charge"
    )
    if lines:
        parts.append(table_of(headings, lines, "twnttww", legend=legend))
    return parts


def _whole(p: float) -> str:
    """Return a chance in whole percent that is 0 or 100 only if it is certain."""
    return f"{100 * p:.0f}" if p in (0, 1) else f"{min(max(100 * p, 1), 99):.0f}"


def _allowed(row: Row) -> str:
    return "yes" if row["allowed"] else "no"


def _assault(row: Row) -> list[str]:
    """Return an enemy, and whether and how it may be assaulted."""
    how = _REFUSED.get(row["clause"], say("not allowed"))
    if row["allowed"]:
        how = say("{}, {:g} cm", row["action"], row["reach"])
    odds = ""
    if row["p_a"] is not None:
        odds = f"{chance(row['p_a'])} / {chance(row['p_b'])}"
    met = row["meets"] or ""
    if ";" in met:
        how += say(", meets {}", met)
    away = UNKNOWN if row["distance"] is None else f"{row['distance']:.1f}"
    if row["p_judged"] is not None:
        away += say(" ({})", _whole(row["p_judged"]))
    seen = "yes" if row["seen"] else "no"
    return [row["enemy"], seen, away, how, row["penalty"] or "", odds, row["clause"]]
