"""A matchup as tables: everyone against everyone, against the field, what to bring."""

from collections.abc import Sequence
from math import ceil, log10
from typing import TYPE_CHECKING

from estoc.sim.battle_table import sections
from estoc.sim.percent import UNKNOWN
from estoc.sim.printing import group, natural_width, styled, table_of
from estoc.sim.result import Result, Row

if TYPE_CHECKING:
    from rich.console import RenderableType

_MEETINGS = 15  # most meetings that have a line each: of six entrants


def blocks(result: Result, width: int) -> "list[RenderableType]":
    """Return what came of a matchup, each part with its heading."""
    found = sections(result)
    names = [row["entrant"] for row in found["field"]]
    numbers = {name: str(number) for number, name in enumerate(names, 1)}
    parts = [_matrix(found["score"], numbers, width)]
    parts.append(_field([row for key in ("field", "list", "policy") for row in found.get(key, [])]))
    if len(found["score"]) <= 2 * _MEETINGS + len(names):
        parts.append(_meetings(found["score"], numbers))
    return parts


def score_text(row: Row) -> str:
    """Return a score in percent, with as many decimals as its interval carries.

    Examples
    --------
    >>> score_text({"score": 0.61234, "score_low": 0.59, "score_high": 0.635})
    '61'
    >>> score_text({"score": 0.5, "score_low": 0.5, "score_high": 0.5})
    '50'
    """
    return UNKNOWN if row["score"] is None else f"{100 * row['score']:.{_decimals(row)}f}"


def range_text(row: Row) -> str:
    """Return the interval of a score in percent."""
    if row["score"] is None:
        return UNKNOWN
    ends = (f"{100 * row[key]:.{_decimals(row)}f}" for key in ("score_low", "score_high"))
    return " – ".join(ends)


def _decimals(row: Row) -> int:
    """Return the decimals of a percentage of which the last is worth no more than its error."""
    half = 100 * (row["score_high"] - row["score_low"]) / 2
    return max(0, ceil(-log10(half / 2))) if half else 0


def _matrix(rows: Sequence[Row], numbers: dict[str, str], width: int) -> "RenderableType":
    """Return all scores, the rows' against the columns'."""
    cells = {(row["entrant"], row["other"]): row for row in rows}
    lines = [
        [number, name, *(_cell(cells[name, other]) for other in numbers)]
        for name, number in numbers.items()
    ]
    headings = ["", "", *numbers.values()]
    legend = "score against each, %: wins and half of the draws; ( ): not told from 50"
    if natural_width([headings, *lines]) > width:
        legend = "too many for a table of all against all: see --plot, or -o FILE"
        headings, lines = ["", ""], [line[:2] for line in lines]
    return group([table_of(headings, lines, "nw"), styled(legend, "dim")])


def _cell(row: Row) -> str:
    if row["entrant"] == row["other"]:
        return "·"
    text = score_text(row)
    return text if row["shown"] or row["score"] is None else f"({text})"


def _outcome(row: Row) -> list[str]:
    """Return how many battles, and how many of them won, drawn and lost."""
    return [f"{row[key]:,}" for key in ("trials", "wins", "draws", "losses")]


def _field(rows: Sequence[Row]) -> "RenderableType":
    """Return what each scores against all others."""
    lines = [[_group_name(row), *_outcome(row), score_text(row), range_text(row)] for row in rows]
    headings = ["against the field", "battles", "won", "drawn", "lost", "score, %", "interval"]
    return table_of(headings, lines, "t")


def _group_name(row: Row) -> str:
    """Return who it is about: an entrant, a list whoever plays it, a policy with any list."""
    if row["section"] == "list":
        return f"{row['list']}, any policy"
    return f"any list, {row['plays']}" if row["section"] == "policy" else str(row["entrant"])


def _meetings(rows: Sequence[Row], numbers: dict[str, str]) -> "RenderableType":
    """Return a line for every two entrants."""
    lines = [
        [
            f"{numbers[row['entrant']]} against {numbers[row['other']]}",
            *_outcome(row),
            score_text(row),
            range_text(row),
        ]
        for row in rows
        if int(numbers[row["entrant"]]) < int(numbers[row["other"]])
    ]
    headings = ["", "battles", "won", "drawn", "lost", "score, %", "interval"]
    return table_of(headings, lines, "w")
