"""A tuned policy as tables: its parameters, how the search went, what it gained."""

from collections.abc import Sequence

from ...profiles.message import say
from ..base.percent import signed
from ..base.result import Result, Row, sections
from ..text.printing import Block, group, styled, table_of
from .compare_table import SCALE, interval_cells
from .tune import OUTCOMES, POLICIES

_MOST = 10  # generations that are shown
_NAMES = {"score": say("score, %"), "points": "points"}


def blocks(result: Result, width: int) -> list[Block]:
    """Return the parameters, the generations, and what was gained on fresh trials."""
    found = sections(result)
    parts = [_parameters(found["parameter"])]
    if "generation" in found:
        parts.append(_generations(found["generation"]))
    if "gain" in found:
        parts.append(_gains(found))
    return parts


def _parameters(rows: Sequence[Row]) -> Block:
    lines = [
        [
            row["what"],
            *(f"{row[key]:g}" for key in ("start", "value")),
            f"{row['low']:g} – {row['high']:g}",
            row["text"],
        ]
        for row in rows
    ]
    headings = [say("parameter"), say("untuned"), say("tuned"), say("between"), say("what it is")]
    return table_of(headings, lines, "wnnwt")


def _generations(rows: Sequence[Row]) -> Block:
    """Return some generations, the first and the last among them."""
    steps = min(len(rows), _MOST) - 1
    shown = [rows[round(i * (len(rows) - 1) / steps)] for i in range(steps + 1)] if steps else rows
    lines = [
        [
            row["what"],
            f"{100 * row['value']:.1f}",
            f"{100 * row['value_high']:.1f}",
            f"{row['spread']:.2f}",
        ]
        for row in shown
    ]
    legend = say("score in the trials of that generation; spread: of the next one, 1 at first")
    headings = [say("generation"), say("mean score, %"), say("best"), say("spread")]
    return table_of(headings, lines, "n", legend=legend)


def _gains(found: dict[str, list[Row]]) -> Block:
    lines = []
    for name in POLICIES:
        cells = {row["what"]: row for row in found[name]}
        counts = [f"{cells[what]['count']:,}" for what in (OUTCOMES[0], OUTCOMES[2], OUTCOMES[1])]
        score, points = cells["score"]["value"], cells["points"]["value"]
        lines.append([name, *counts, f"{100 * score:.1f}", signed(points)])
    headings = [
        "",
        say("wins"),
        say("draws"),
        say("losses"),
        say("score, %"),
        say("points less the enemy's"),
    ]
    gains = [
        [_NAMES[row["what"]], *interval_cells(row, SCALE[row["what"]])] for row in found["gain"]
    ]
    row = found["gain"][0]
    legend = say(
        "{:,} fresh trials of each battle (seed {}), the same dice for both",
        row["trials"],
        row["fresh_seed"],
    )
    return group(
        [
            table_of(headings, lines, "w", title="On fresh trials", legend=legend),
            styled(""),
            table_of(["tuned less untuned", "difference", "95 % interval"], gains, "w"),
        ]
    )
