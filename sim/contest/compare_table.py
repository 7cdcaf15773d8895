"""Two battles side by side, as a table."""

from math import ceil

from ...profiles.message import joined, say, say_all
from ..base.percent import signed
from ..base.result import Result, Row
from ..base.sequence import CAP, stopping_of
from ..text.printing import Block, group, styled, table_of
from .compare import BATTLES, ENDS, SHOWN, VERDICTS

_NAMES = {"score": say("score of A, %"), "points": say("A's points less B's")}
SCALE = {"score": 100.0, "points": 1.0}
_VERDICTS = say_all(  # as they begin a sentence
    {
        VERDICTS[1]: "Second is better for A",
        VERDICTS[-1]: "First is better for A",
        VERDICTS[0]: "Neither is shown better",
    }
)


def blocks(result: Result, width: int) -> list[Block]:
    """Return what came of both battles, and what is different in the second."""
    rows = {(row["section"], row["what"]): row for row in result}
    lines = []
    for name in BATTLES:
        counts = [f"{rows[name, what]['count']:,}" for what in (ENDS[0], ENDS[2], ENDS[1])]
        score, points = rows[name, "score"]["value"], rows[name, "points"]["value"]
        lines.append([name, *counts, f"{100 * score:.1f}", signed(points)])
    headings = [say("battle"), say("A wins"), say("draw"), say("B wins"), *_NAMES.values()]
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
    trials = row["trials"]
    how = {
        SHOWN: say("shown after {:,} trials", trials),
        CAP: say("after {:,} trials, the most", trials),
    }
    ended = how.get(row["ended"], say("after {:,} trials", trials))
    what = say("{}: {}", _VERDICTS[row["what"]], ended)
    note = say(
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
    return [signed(scale * row["value"]), say("{} to {}", *ends)]


def _words(gain: Row, battles: int) -> str:
    """Return how the differences were found, and what the same dice saved."""
    trials = gain["trials"]
    lines = [say("score: a win is 1, a draw ½")]
    if battles > trials:
        lines.append(say("each trial is fought twice, the second time with the sides changed"))
    if gain["saving"] is None:
        lines.append(
            say("the same dice in both: none of {:,} trials ends with another score", trials)
        )
        return joined("\n", lines)
    apart = ceil(gain["saving"] * trials)
    lines += [
        say(
            "the same dice in both: {:,} of {:,} trials end with another score",
            gain["differing"],
            trials,
        ),
        say(
            "with dice of their own, as good an interval would take {:,} trials of each ({:.2g} "
            "times as many)",
            apart,
            gain["saving"],
        ),
    ]
    return joined("\n", lines)
