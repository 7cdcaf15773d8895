"""The contagion of rout as a table."""

from collections.abc import Iterable, Sequence

from ...profiles.message import say, say_all
from ..base.percent import chance, figure, interval, mean
from ..base.result import Result, Row
from ..base.sequence import stopping_of, trials_told
from ..text.printing import Block, group, natural_width, styled, table_of

_SHORT = 13  # most letters of a fraction that is shown
_NAME = 16  # most letters of the name of an order; longer ones are numbered

Law = list[Row]  # of one order and method, by the number of units in rout
Column = list[str]


def laws(result: Result) -> dict[str, list[Law]]:
    """Return the rows of each order: exact ones, trials, or both."""
    found: dict[str, dict[str, Law]] = {}
    for row in result:
        found.setdefault(row["order"], {}).setdefault(row["method"], []).append(row)
    return {order: list(methods.values()) for order, methods in found.items()}


def short_orders(rows: Iterable[Row]) -> dict[str, str]:
    """Return a short name of each order.

    >>> rows = [{"order": o} for o in ("inward", "0,1,2,3,4,5,6,7,8,9")]
    >>> short_orders(rows)
    {'inward': 'inward', '0,1,2,3,4,5,6,7,8,9': 'list 2'}
    """
    orders = dict.fromkeys(row["order"] for row in rows)
    return {
        order: order if len(order) <= _NAME else say("list {}", place)
        for place, order in enumerate(orders, start=1)
    }


def blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of the table: the law of each order, the means, the orders."""
    found, names = laws(result), short_orders(result)
    sizes = sorted({row["routed"] for row in result if row["p_routed"]})  # that an order leads to
    first: Column = [say("units in rout"), *(str(k) for k in sizes)]
    columns = {order: _columns(names[order], methods, sizes) for order, methods in found.items()}
    tables: list[list[Column]] = [[first]]
    for own in columns.values():
        if len(tables[-1]) > 1 and natural_width(_lines([*tables[-1], *own])) > width:
            tables.append([first])
        tables[-1] += own
    return [
        *(_table(table) for table in tables),
        _means(found, names),
        _sequences(found, names),
    ]


def _table(columns: Sequence[Column]) -> Block:
    headings, *lines = _lines(columns)
    return table_of(headings, lines)


def _lines(columns: Sequence[Column]) -> list[Column]:
    return [list(line) for line in zip(*columns, strict=True)]


def _columns(name: str, methods: Sequence[Law], sizes: Sequence[int]) -> list[Column]:
    """Return the columns of an order, headings first."""
    found: list[Column] = []
    for law in methods:
        rows = {row["routed"]: row for row in law}
        wanted = [rows[size] for size in sizes]
        if wanted[0]["trials"] is None:
            found.append([say("{}, %", name), *(chance(row["p_routed"]) for row in wanted)])
            if all(0 < len(row["exact"]) <= _SHORT for row in wanted):
                found.append(["exactly", *(row["exact"] for row in wanted)])
            continue
        n, stopping = wanted[0]["trials"], stopping_of(wanted[0])
        counts = [row["count"] for row in wanted]
        heading = say("{}, %", name) if not found else say("of trials, %")
        found.append([heading, *(figure(k, n, stopping=stopping) for k in counts)])
        found.append([stopping.of_proportion, *(interval(k, n, stopping=stopping) for k in counts)])
    return found


def _means(found: dict[str, list[Law]], names: dict[str, str]) -> Block:
    """Return the means of each order, and how often everybody is in rout at the end."""
    lines = []
    for order, methods in found.items():
        for law in methods:
            row = law[-1]
            how = (
                "exact" if row["trials"] is None else say("{} trials", trials_told([row["trials"]]))
            )
            everyone = (
                chance(row["p_routed"])
                if row["trials"] is None
                else figure(row["count"], row["trials"], stopping=stopping_of(row))
            )
            means = [_mean(row, key) for key in ("mean_routed", "mean_lost")]
            lines.append([names[order], how, *means, everyone])
    headings = say_all(["order", "", "mean in rout", "activations lost", "all in rout, %"])
    return table_of(headings, lines, "ww")


def _mean(row: Row, key: str) -> str:
    """Return a mean, as a fraction too where that is short, or with its interval."""
    if row["trials"] is not None:
        return f"{row[key]:.3f} ± {(row[f'{key}_high'] - row[f'{key}_low']) / 2:.2g}"
    exact = row[f"{key}_exact"]
    return (
        f"{mean(row[key])} = {exact}"
        if "/" in exact and len(exact) <= _SHORT
        else (exact if exact and "/" not in exact else f"{row[key]:.4f}")
    )


def _sequences(found: dict[str, list[Law]], names: dict[str, str]) -> Block:
    """Return the units of each order, and how it was found."""
    lines = []
    for order, methods in found.items():
        row = methods[0][0]
        sequence = row["sequence"].replace(",", " ")
        searched = say(" ({})", row["searched"]) if row["searched"] else ""
        lines.append(styled(say("{}: {}{}", names[order], sequence, searched)))
    return group(lines)
