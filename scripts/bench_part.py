"""What the parts of bench.py share: tables with figures to the right, times and their bars."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from estoc.sim.bench.table import in_words
from estoc.sim.bench.timing import Timing


def table_of(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], caption: str | None = None
) -> Table:
    """Figures under headings; a row of one cell begins a section."""
    table = Table(headings[0], title=title, caption=caption, width=80)
    for heading in headings[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        if len(row) == 1 and table.rows:
            table.add_section()
        table.add_row(*row)
    return table


def seconds_of(taken: list[float]) -> Timing:
    """Seconds of nanoseconds."""
    return Timing.of([value * 1e-9 for value in taken])


def within(taken: list[float], bar: float | None) -> dict[str, Any]:
    """Seconds of rounds, and whether a bar holds: by the best and by the middle one."""
    timing = seconds_of(taken)
    return {
        "seconds": asdict(timing),
        "bar": bar,
        "met": None if bar is None else timing.least <= bar,
        "met_by_median": None if bar is None else timing.median <= bar,
    }


def time_cells(row: dict[str, Any]) -> list[str]:
    """The best and the middle time of a row."""
    return [in_words(row["seconds"][key]) for key in ("least", "median")]


def bar_cell(row: dict[str, Any]) -> str:
    """The bar, and whether it holds: by both times, or only by the best."""
    if row["bar"] is None:
        return ""
    if not row["met"]:
        return f"{in_words(row['bar'])} NOT met"
    return f"{in_words(row['bar'])} {'' if row['met_by_median'] else 'min '}met"
