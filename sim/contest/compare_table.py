"""Two battles side by side, as a table."""

from math import ceil

from ..base.percent import signed
from ..base.result import Result, Row
from ..base.sequence import CAP, stopping_of
from ..text.printing import Block, group, styled, table_of
from .compare import BATTLES, ENDS, SHOWN

_NAMES = {"score": "score of A, %", "points": "A's points less B's"}
SCALE = {"score": 100.0, "points": 1.0}


def blocks(result: Result, width: int) -> list[Block]:
    """Return what came of both battles, and what is different in the second."""
    rows = {(row["section"], row["what"]): row for row in result}
    lines = []
    for name in BATTLES:
        counts = [f"{rows[name, what]['count']:,}" for what in (ENDS[0], ENDS[2], ENDS[1])]
        score, points = rows[name, "score"]["value"], rows[name, "points"]["value"]
        lines.append([name, *counts, f"{100 * score:.1f}", signed(points)])
    headings = ["battle", "A wins", "draw", "B wins", *_NAMES.values()]
    gains = [rows["gain", what] for what in _NAMES]
    return [
        table_of(headings, lines, "w"),
        group([styled("Second less first", "bold"), _gains(gains)]),
        *_verdict(result),
        styled(_words(gains[0], sum(rows[BATTLES[0], what]["count"] for what in ENDS)), "dim"),
    ]


def _verdict(result: Result) -> list[Block]:
    """Return what a sequential test shows, if it was asked for."""
    row = next((row for row in result if row["section"] == "verdict"), None)
    if row is None:
        return []
    trials = f"{row['trials']:,} trials"
    how = {SHOWN: f"shown after {trials}", CAP: f"after {trials}, the most"}
    what = f"{row['what'][0].upper()}{row['what'][1:]}: {how.get(row['ended'], f'after {trials}')}"
    note = (
        "by a sequential test that is wrong in 5 % of runs at most, stricter than the intervals:\n"
        "these hold at any end, too, but take means as normal"
    )
    return [group([styled(what, "bold"), styled(note, "dim")])]


def _gains(rows: list[Row]) -> Block:
    lines = [[_NAMES[row["what"]], *interval_cells(row, SCALE[row["what"]])] for row in rows]
    return table_of(["", "difference", stopping_of(rows[0]).of_difference], lines, "w")


def interval_cells(row: Row, scale: float = 1.0) -> list[str]:
    """Return a difference and its interval, which is empty where there is none."""
    if row["value_low"] is None:
        return [signed(scale * row["value"]), ""]
    ends = (signed(scale * row[key]) for key in ("value_low", "value_high"))
    return [signed(scale * row["value"]), " to ".join(ends)]


def _words(gain: Row, battles: int) -> str:
    """Return how the differences were found, and what the same dice saved."""
    trials = gain["trials"]
    lines = ["score: a win is 1, a draw ½"]
    if battles > trials:
        lines.append("each trial is fought twice, the second time with the sides changed")
    if gain["saving"] is None:
        lines.append(f"the same dice in both: none of {trials:,} trials ends with another score")
        return "\n".join(lines)
    apart = ceil(gain["saving"] * trials)
    lines += [
        f"the same dice in both: {gain['differing']:,} of {trials:,} trials end with another score",
        f"with dice of their own, as good an interval would take {apart:,} trials of each "
        f"({gain['saving']:.2g} times as many)",
    ]
    return "\n".join(lines)
