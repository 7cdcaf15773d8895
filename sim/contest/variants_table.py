"""What many changes to a battle are worth, as a table."""

from collections.abc import Sequence
from math import ceil, log10

from ...profiles.message import joined, say
from ..base.percent import signed
from ..base.result import Result, Row
from ..base.sequence import PAIRED
from ..text.printing import Block, group, styled, table_of
from .variants import BASE, CHANGED, KEPT

SURE = 0.05  # chance of any false claim in a table
_MOST = 12  # rows of what moves the answer that are listed


def favours_blocks(result: Result, width: int) -> list[Block]:
    """Return what is given to each side, and what it is worth to A."""
    rows = _of(result, CHANGED)
    lines = [[row["side"], *_named(row), *_cells(row)] for row in rows]
    table = table_of(["to", "favour", "PA", *_HEADINGS], lines, "wt")
    return [_as_it_is(result), table, _legend(rows), *_kept(result)]


def sensitivity_blocks(result: Result, width: int) -> list[Block]:
    """Return how the answer moves with each assumed value, the greatest effect first."""
    rows = _of(result, CHANGED)
    moved = sorted((row for row in rows if row["differing"]), key=lambda row: -abs(row["value"]))
    table = table_of(
        ["value", *_HEADINGS], [[row["what"], *_cells(row)] for row in moved[:_MOST]], "t"
    )
    parts = [_as_it_is(result)]
    parts += [table, _legend(rows)] if moved else []
    less = moved[_MOST:]
    if less:
        names = [row["what"] for row in less]
        parts.append(styled(say("with less effect on the score: {}", names), "dim"))
    still = [row["what"] for row in rows if not row["differing"]]
    if still:
        of_trials = say("no trial of {:,} is changed by: {}", rows[0]["trials"], still)
        parts.append(styled(of_trials, "dim"))
    return [*parts, *_kept(result)]


_HEADINGS = [say("score of A, %"), "", say("A's points less B's")]


def _of(result: Result, section: str) -> list[Row]:
    return [row for row in result if row["section"] == section]


def _as_it_is(result: Result) -> Block:
    row = _of(result, BASE)[0]
    points = signed(row["mean_points"])
    return styled(
        say("as it is: score of A {:.1f} %, A's points less B's {}", 100 * row["value"], points)
    )


def _named(row: Row) -> list[str]:
    if not row["text"]:
        return [row["what"], ""]
    return [say("{}: {}", row["what"], row["text"]), str(row["number"])]


def _cells(row: Row) -> list[str]:
    score = give_or_take(row["value"], row["value_low"], row["value_high"], 100)
    points = give_or_take(row["mean_points"], row["mean_points_low"], row["mean_points_high"])
    return [score, "*" if row["chance_any"] < SURE else "", points]


def give_or_take(value: float, low: float | None, high: float | None, scale: float = 1.0) -> str:
    """Return a difference and half its interval, with as many decimals as it carries.

    >>> give_or_take(0.0123, 0.0023, 0.0223, 100), give_or_take(0.0, None, None)
    ('+1.2 ± 1.0', '0')
    """
    half = 0.0 if low is None or high is None else scale * (high - low) / 2
    if half == 0:
        return signed(scale * value) if value else "0"
    decimals = max(ceil(1 - log10(half)) if half < 10 else 0, 0)
    text = f"{scale * value:+.{decimals}f}".replace("-", "−")
    return f"{text} ± {half:.{decimals}f}"


def _legend(rows: Sequence[Row]) -> Block:
    savings = [row["saving"] for row in rows if row["saving"] is not None]
    lines = [
        say("with the change less without it, the same dice in both, ± half a {}", PAIRED),
        say("*: the score moves, whatever chance does: Holm's test of all {} at 5 %", len(rows)),
    ]
    if savings:
        middle = sorted(savings)[len(savings) // 2]
        lines.append(
            say(
                "dice of their own would take {:.2g} times as many trials (median of the rows)",
                middle,
            )
        )
    return styled(joined("\n", lines), "dim")


def _kept(result: Result) -> list[Block]:
    """Return what cannot be changed, by why."""
    rows = _of(result, KEPT)
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        by_reason.setdefault(row["text"], []).append(row["what"])
    told = [say("cannot be changed ({}): {}", why, names) for why, names in by_reason.items()]
    return [group([styled(text, "dim") for text in told])] * bool(rows)
