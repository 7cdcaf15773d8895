"""What many changes to a battle are worth, as a table."""

from collections.abc import Sequence
from math import ceil, log10

from ...profiles.message import say
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
        parts.append(_listed(say("with less effect on the score"), [row["what"] for row in less]))
    still = [row["what"] for row in rows if not row["differing"]]
    if still:
        parts.append(_listed(say("no trial of {:,} is changed by", rows[0]["trials"]), still))
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
    return [f"{row['what']}: {row['text']}", str(row["number"])]


def _cells(row: Row) -> list[str]:
    score = give_or_take(row["value"], row["value_low"], row["value_high"], 100)
    points = give_or_take(row["mean_points"], row["mean_points_low"], row["mean_points_high"])
    return [score, "*" if row["chance_any"] < SURE else "", points]


def give_or_take(value: float, low: float | None, high: float | None, scale: float = 1.0) -> str:
    """Return a difference and half its interval, with as many decimals as it carries.

    Examples
    --------
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
    return styled("\n".join(lines), "dim")


def _listed(what: str, names: Sequence[str]) -> Block:
    return styled(f"{what}: {', '.join(names)}", "dim")


def _kept(result: Result) -> list[Block]:
    """Return what cannot be changed, by why."""
    rows = _of(result, KEPT)
    reasons = dict.fromkeys(row["text"] for row in rows)
    return [
        group(
            [
                _listed(
                    say("cannot be changed ({})", why),
                    [r["what"] for r in rows if r["text"] == why],
                )
                for why in reasons
            ]
        )
    ] * bool(rows)
