"""All rows of a report, column by column, as its page unpacks, searches and sorts them."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from ..base.answer import HIGH, LOW, SCORE, SHARE, Column
from ..base.result import Row
from ..text.pages import packed_data

# Columns that say where an answer comes from: they are told once, not in each row.
TOLD = ("assumed", "readings", "remarks", "inputs", "version")


class RowsTable(NamedTuple):
    """The rows of a job for a page."""

    data: str  # packed: columns with their values
    constant: list[tuple[str, str]]  # columns that have the same value in all rows
    rows: int


def rows_table(rows: Sequence[Row], declared: Mapping[str, Column]) -> RowsTable:
    """Return rows, of which not all have all columns, for a page."""
    names = list(dict.fromkeys(name for row in rows for name in row if name not in TOLD))
    columns = {name: [row.get(name) for row in rows] for name in names}
    constant, told = [], []
    for name, values in columns.items():
        if len(rows) > 1 and name != "trials" and _is_constant(values):
            if values[0] not in (None, ""):
                constant.append((name, str(values[0])))
        elif any(value is not None for value in values):
            told.append(_column(declared[name], values, columns))
    text = json.dumps({"rows": len(rows), "columns": told}, separators=(",", ":"))
    return RowsTable(packed_data(text), constant, len(rows))


def _is_constant(values: Sequence[Any]) -> bool:
    first = values[0]
    if isinstance(first, float):  # may be a share that was never seen: shown with its bound
        return False
    return all(value == first and type(value) is type(first) for value in values)


def _column(column: Column, values: Sequence[Any], columns: Collection[str]) -> dict[str, Any]:
    """Return a column: its name, its kind, its values; texts by their place in a list."""
    found: dict[str, Any] = {"name": column.name, "kind": _kind(column, columns)}
    if column.type == "text":
        found["texts"] = list(dict.fromkeys(str(value) for value in values if value is not None))
        place = {text: number for number, text in enumerate(found["texts"])}
        return found | {"values": [-1 if v is None else place[str(v)] for v in values]}
    convert = {"truth": int, "long": str}.get(column.type, lambda value: value)
    return found | {"values": [None if value is None else convert(value) for value in values]}


def _kind(column: Column, columns: Collection[str]) -> str:
    """Return how a column is shown: in percent with its interval, as an end of one, as it is."""
    if any(column.name == f"{name}{end}" for name in columns for end in (LOW, HIGH)):
        return "end"
    if column.unit == SCORE and column.name + LOW in columns:
        return "estimate"
    return "share" if column.unit == SHARE and column.type == "number" else column.type
