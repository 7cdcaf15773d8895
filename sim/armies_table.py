"""Armies as tables: those that come with the program, one that is looked at."""

from typing import TYPE_CHECKING

from estoc.sim.naming import plural
from estoc.sim.percent import UNKNOWN
from estoc.sim.printing import apart, styled, table_of
from estoc.sim.result import Result, Row

if TYPE_CHECKING:
    from rich.console import RenderableType


def armies_table(result: Result) -> "RenderableType":
    """Return armies as a list: what they are called, what they cost, of which kind they are."""
    lines = [
        [
            row["army"],
            row["people"] or UNKNOWN,
            str(row["fighters"]),
            _number(row["cost"]),
            _number(row["points"]),
            row["kind"] or UNKNOWN,
        ]
        for row in result
    ]
    return table_of(["army", "people", "fighters", "PA", "limit", "kind"], lines, "wtnnnt")


def army_blocks(result: Result) -> "RenderableType":
    """Return an army: its cards with what they cost, its lines, what is doubtful in it."""
    found: dict[str, list[Row]] = {}
    for row in result:
        found.setdefault(row["section"], []).append(row)
    (army,) = found["army"]
    cards = [
        [
            row["name"],
            str(row["fighters"]),
            _number(row["PA"]),
            _number(row["cost"]),
            str(row["line"]),
            row["wing"],
        ]
        for row in found["card"]
    ]
    cards.append(["all", str(army["fighters"]), "", _number(army["cost"]), "", ""])
    lines = [[str(row["line"]), row["text"]] for row in found["line"]]
    parts = [
        styled(f"{result.title}: {army['kind']}" if army["kind"] else result.title, "bold"),
        styled(_summary(army)),
        table_of(["card", "fighters", "PA", "in all", "line", "wing"], cards, "tnnnnw"),
        table_of(["line", "from left to right, as its player sees it"], lines, "nt"),
    ]
    of_whom: dict[str, list[str]] = {}
    for row in found.get("doubt", []):
        of_whom.setdefault(row["text"], []).append(row["name"])
    doubts = [["; ".join(names), text] for text, names in of_whom.items()]
    return apart([*parts, *([table_of(["doubtful", ""], doubts, "tt")] if doubts else [])])


def _summary(army: Row) -> str:
    limit = f" of {army['points']}" if army["points"] is not None else ""
    cards, fighters = plural(army["cards"], "card"), plural(army["fighters"], "fighter")
    return f"{army['people'] or 'no people'}, {cards}, {fighters}, {army['cost']} PA{limit}"


def _number(value: int | None) -> str:
    return UNKNOWN if value is None else str(value)
