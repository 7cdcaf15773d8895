"""All rows of a report, column by column, as its page unpacks, searches and sorts them."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..base.result import EXACT, Row
from ..text.pages import packed_data

# Columns that say where an answer comes from: they are told once, not in each row.
TOLD = ("assumed", "readings", "remarks", "inputs", "version")
_ENDS = ("_low", "_high")
_ESTIMATES = ("score", "share")  # in percent, as sure as their intervals are narrow


class RowsTable(NamedTuple):
    """The rows of a job for a page.

    Parameters
    ----------
    data : str
        Packed: columns with their values, those of text by their place in a list of texts.
    constant : list of (str, str)
        Columns that have the same value in all rows, and that value.
    rows : int
    """

    data: str
    constant: list[tuple[str, str]]
    rows: int


def rows_table(rows: Sequence[Row]) -> RowsTable:
    """Return rows for a page.

    Parameters
    ----------
    rows : sequence of dict
        Not all have all columns.
    """
    names = list(dict.fromkeys(name for row in rows for name in row if name not in TOLD))
    columns = {name: [row.get(name) for row in rows] for name in names}
    constant, told = [], []
    for name, values in columns.items():
        if len(rows) > 1 and name != "trials" and _is_constant(values):
            if values[0] not in (None, ""):
                constant.append((name, str(values[0])))
        elif any(value is not None for value in values):
            told.append(_column(name, values, columns))
    text = json.dumps({"rows": len(rows), "columns": told}, separators=(",", ":"))
    return RowsTable(packed_data(text), constant, len(rows))


def _is_constant(values: Sequence[Any]) -> bool:
    first = values[0]
    if isinstance(first, float):  # may be a share that was never seen: shown with its bound
        return False
    return all(value == first and type(value) is type(first) for value in values)


def _column(name: str, values: Sequence[Any], columns: dict[str, list[Any]]) -> dict[str, Any]:
    """Return a column: its name, its kind, its values."""
    known = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in known):
        texts = list(dict.fromkeys(str(value) for value in known))
        place = {text: number for number, text in enumerate(texts)}
        found = [-1 if value is None else place[str(value)] for value in values]
        return {"name": name, "kind": "text", "texts": texts, "values": found}
    if any(isinstance(value, bool) for value in known):
        truths = [None if value is None else int(value) for value in values]
        return {"name": name, "kind": "truth", "values": truths}
    kind = _kind(name, known, columns)
    if kind == "whole" and any(abs(value) > EXACT for value in known):
        long = [None if value is None else str(value) for value in values]
        return {"name": name, "kind": "long", "values": long}
    return {"name": name, "kind": kind, "values": list(values)}


def _kind(name: str, known: Sequence[Any], columns: dict[str, list[Any]]) -> str:
    """Return how a number is shown: in percent with its interval, as an end of one, as it is."""
    for end in _ENDS:
        if name.endswith(end) and name.removesuffix(end) in columns:
            return "end"
    if name in _ESTIMATES and f"{name}_low" in columns:
        return "estimate"
    if name == "p" or name.startswith(("p_", "share")):
        return "share"
    return "whole" if all(isinstance(value, int) for value in known) else "number"
