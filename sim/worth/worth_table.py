"""What changes are worth, as a table."""

from collections.abc import Sequence
from math import isclose

from ...profiles.message import joined, say, say_all
from ..base.percent import UNKNOWN, shown, unit
from ..base.result import Result, Row
from ..text.printing import Block, short_names, styled, table_of
from .worth import MEAN

_SAME = 1e-12  # differences that differ by less are equal


def by_mean(result: Result) -> list[Row]:
    """Return the rows about all enemies, the change that is worth most first."""
    means = [row for row in result if row["b"] == MEAN]
    return sorted(means, key=lambda row: (row["difference"] is None, -(row["difference"] or 0.0)))


def rows_of(result: Result, change: str) -> list[Row]:
    """Return the rows of a change, one an enemy, of those who have a difference."""
    return [
        row
        for row in result
        if row["change"] == change and row["b"] != MEAN and row["difference"] is not None
    ]


def blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of the table: what a number means, and a line for each change."""
    enemies = {row["b"] for row in result} - {MEAN}
    table = _alone(result) if len(enemies) == 1 else _many(result)
    return [table, styled(_legend(result, len(enemies)), "dim")]


def _alone(result: Result) -> Block:
    """Return the table against one enemy."""
    score = result.rows[0]["score"]
    lines = [
        [row["change"], *(shown(row[key], score) for key in ("without", "with", "difference"))]
        for row in by_mean(result)
    ]
    return table_of(["change", "without", "with", "difference"], lines, "w")


def _many(result: Result) -> Block:
    """Return the table against many: the mean, and against whom a change is worth least and most.

    The duel as it is stands in its first line.
    """
    names = short_names(row["b"] for row in result)
    score = result.rows[0]["score"]
    first = [row for row in result if row["change"] == result.rows[0]["change"]]
    lines = [
        [say("as he is"), *spread([r for r in first if r["b"] != MEAN], "value", score, names)]
    ]
    for mean in by_mean(result):
        rows = rows_of(result, mean["change"])
        lines.append([mean["change"], *spread(rows, "difference", score, names)])
    headings = say_all(["change", "mean", "least", "against", "most", "against"])
    return table_of(headings, lines, "wnntnt")


def spread(rows: Sequence[Row], column: str, score: str, names: dict[str, str]) -> list[str]:
    """Return the mean of a column, the least and the most with whom."""
    values = [row[column] for row in rows]
    if not values:
        return [UNKNOWN] * 5
    cells = [shown(sum(values) / len(values), score)]
    for extreme in (min(values), max(values)):
        whom = [r["b"] for r in rows if isclose(r[column], extreme, rel_tol=0, abs_tol=_SAME)]
        said = say("all") if len(whom) == len(rows) else say("{} enemies", len(whom))
        cells += [shown(extreme, score), names[whom[0]] if len(whom) == 1 else said]
    return cells


def _legend(result: Result, enemies: int) -> str:
    """Return what a number means."""
    what = unit(result.rows[0]["score"])
    lines = [say("values: {}", what)]
    if enemies > 1:
        lines = [
            say("as he is: {}", what),
            say("below: what each change adds to it; mean: of {} enemies, counted alike", enemies),
        ]
    lines += say_all(
        [
            "sustained defence: may use it, instead of never",
            "is struck first: instead of striking first",
            "+: better for him; −: worse",
        ]
    )
    return joined("\n", lines)
