"""Tables of what follows an event on the sheet, of hexes, and of one trial told."""

from itertools import groupby
from typing import TYPE_CHECKING

from estoc.sim.printing import styled, table_of
from estoc.sim.result import Result, Row
from estoc.sim.sheet_table import percent

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_OUTCOMES = 12  # that are shown one by one


def follow_blocks(result: Result, width: int) -> "list[RenderableType]":
    """Return what follows an event: who tests, then the outcomes, the most likely first."""
    tests = [row for row in result if row["what"] == "test"]
    outcomes = [row for row in result if row["what"] == "outcome"]
    parts: list[RenderableType] = [styled("nobody takes a test")]
    if tests:
        headings = ["test", "by", "clause", "taken", "fails"]
        parts = [table_of(headings, [_test(row) for row in tests], "ttw")]
    cases = [list(rows) for _, rows in groupby(outcomes, key=lambda row: row["case"])]
    lines = [
        [percent(row["chance"]) if place == 0 else "", row["text"]]
        for rows in cases[:MOST_OUTCOMES]
        for place, row in enumerate(rows)
    ]
    parts.append(table_of(["chance", "what has happened then"], lines, "nt"))
    rest = cases[MOST_OUTCOMES:]
    if rest:
        chance = percent(sum(rows[0]["chance"] for rows in rest))
        told = f"and {len(rest)} rarer outcomes, {chance} together: --format csv lists them"
        parts.append(styled(told, "dim"))
    return parts


def _test(row: Row) -> list[str]:
    fails = "" if row["fails"] is None else percent(row["fails"])
    return [row["text"], row["who"], row["clause"], percent(row["chance"]), fails]


def hexes_blocks(result: Result, width: int) -> "list[RenderableType]":
    """Return the nearest threats, then where each permitted action may end."""
    parts: list[RenderableType] = []
    threats = [row for row in result if row["what"] == "threat"]
    if threats[0]["points"] is None:
        parts.append(styled(threats[0]["text"]))
    else:
        lines = [[row["text"], row["hex"], str(row["points"])] for row in threats]
        parts.append(table_of(["nearest threat", "hex", "its points to contact"], lines, "tw"))
    moves = [row for row in result if row["what"] != "threat"]
    if not moves:
        parts.append(styled("no permitted action goes anywhere"))
        return parts
    lines = [_move(list(rows)) for _, rows in groupby(moves, key=_asked)]
    parts.append(table_of(["action", "constraint", "may end in"], lines, "ttk"))
    if any(row["what"] == "off" for row in moves):
        parts.append(styled("↦: or off the map, over the edge of its wing", "dim"))
    return parts


def _asked(row: Row) -> tuple[str, str]:
    return row["deed"], row["constraint"]


def _move(rows: list[Row]) -> list[str]:
    places = [row["hex"] for row in rows if row["what"] == "hex"]
    ends = " ".join(places) if places else "–"
    if rows[-1]["what"] == "off":
        ends = f"{ends} ↦"
    return [rows[0]["text"], rows[0]["constraint"], ends]


def replay_blocks(result: Result, width: int) -> "list[RenderableType]":
    """Return one trial, a line each event."""
    return [table_of(["", ""], [[str(row["step"]), row["text"]] for row in result], "nt")]
