"""A disengagement as a table."""

from ...profiles.message import joined, say, say_all, say_n
from ..base.percent import UNKNOWN, chance, share_cells
from ..base.result import Result, Row
from ..base.sequence import stopping_of
from ..text.printing import Block, styled, table_of


def blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of the table: both ways, then what follows."""
    row = result.rows[0]
    ways = list(dict.fromkeys(r["way"] for r in result))
    found = [[r for r in result if r["way"] == way] for way in ways]
    headings = say_all(["by", "test", "difficulty", "die", "success, %"])
    sampled = any(r["trials"] for r in result)
    lines = [_line(rows) for rows in found]
    if sampled:
        n = result.rows[-1]["trials"]
        named = stopping_of(result.rows[-1]).of_proportion.removesuffix(" interval")
        headings += [say("% of {:,} trials", n), named]  # both, and exact odds, in 80 columns
        lines = [line + _sampled(rows[-1]) for line, rows in zip(lines, found, strict=True)]
        if len(found[0]) == 1:
            headings, lines = _without(4, headings, lines)
    barred = [
        say("{}: {} ({})", r["way"], r["why"], r["clause"]) for r in result.rows[:2] if r["why"]
    ]
    told = [
        *barred,
        say_n(
            "{} enemy touches it, and at most {} can ({})",
            "{} enemies touch it, and at most {} can ({})",
            *(row["enemies"], row["most"], row["most_clause"]),
        ),
        say("success, then: {} (M-7.4)", row["success"]),
        say(
            "failure: it stays, all its dice in defence in this turn's combats; then: {} (M-7.5)",
            row["failure"],
        ),
    ]
    kinds = "ww"
    return [table_of(headings, lines, kinds), styled(joined("\n", told)), *_after(row)]


def _line(rows: list[Row]) -> list[str]:
    """Return the cells of a way."""
    row = rows[0]
    p = row["p_success"]
    return [
        row["way"],
        row["test"] if row["value"] is None else f"{row['test']} {row['value']}",
        str(row["difficulty"]),
        f"{max(row['goal'], 1)}+" if row["possible"] else UNKNOWN,
        UNKNOWN if p is None else chance(p),
    ]


def _sampled(row: Row) -> list[str]:
    """Return the cells of what was sampled of a way."""
    if not row["possible"]:
        return [UNKNOWN, ""]
    return share_cells(row["successes"], row["trials"], stopping_of(row))


def _without(
    column: int, headings: list[str], lines: list[list[str]]
) -> tuple[list[str], list[list[str]]]:
    """Leave a column out."""
    return (
        headings[:column] + headings[column + 1 :],
        [line[:column] + line[column + 1 :] for line in lines],
    )


def _after(row: Row) -> list[Block]:
    """Return the odds of the combat after a failure, if they were asked for."""
    if row.get("failure_p_a") is None:
        return []
    ends = {
        say("all its enemies die"): "failure_p_a",
        say("it dies"): "failure_p_b",
        say("undecided"): "failure_p_undecided",
    }
    headings, n = say_all(["this turn's combat after a failure", "%"]), row["failure_trials"]
    if n is None:
        return [table_of(headings, [[what, chance(row[key])] for what, key in ends.items()])]
    stopping = stopping_of({**row, "trials": n})
    lines = []
    for what, key in ends.items():
        lines.append([what, *share_cells(round(row[key] * n), n, stopping)])
    return [table_of([headings[0], say("% of {:,} trials", n), stopping.of_proportion], lines)]
