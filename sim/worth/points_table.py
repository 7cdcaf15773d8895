"""The points of cards as tables: the verdict, each card, how the line fits."""

from collections.abc import Sequence

from ...profiles.message import joined, say, say_all
from ..base.percent import UNKNOWN, signed
from ..base.result import Result, Row, sections
from ..text.printing import Block, group, short_names, styled, table_of
from .fit import DOUBTFUL
from .points import OVER, SURE, UNDER, named_origin


def blocks(result: Result, width: int) -> list[Block]:
    """Return for each origin what can be told, its cards, and its line."""
    found: list[Block] = []
    origins = list(dict.fromkeys(row["origin"] for row in result))
    for origin in origins:
        own = sections(row for row in result if row["origin"] == origin)
        told = styled(_told(own["fighter"], own["diagnostic"]))
        found += [
            told if origins == [""] else group([styled(named_origin(origin), "bold"), told]),
            _cards(own["fighter"]),
            _line(own["fit"], own["diagnostic"]),
        ]
    return found


def verdict(rows: Sequence[Row]) -> str:
    """Return what can be told of the prices of some cards, in a sentence.

    >>> verdict([{"verdict": "", "fighter": "Un"}] * 9)
    'of 9 cards, none can be told to be wrongly priced (5 %, Holm)'
    """
    by = {what: [_named(row) for row in rows if row["verdict"] == what] for what in (UNDER, OVER)}
    parts = [say("{}: {}", what, names) for what, names in by.items() if names]
    sure = say("({:g} %, Holm)", 100 * SURE)
    if not parts:
        return say("of {} cards, none can be told to be wrongly priced {}", len(rows), sure)
    return say("of {} cards, {} {}", len(rows), joined("; ", parts), sure)


def _named(row: Row) -> str:
    """Return who is told of, and whether some of his abilities are not played."""
    name: str = row["fighter"]
    return say("{} (not all abilities are played)", name) if row.get("unplayed") else name


def _told(rows: Sequence[Row], diagnostics: Sequence[Row]) -> str:
    """Return the verdict, with what speaks against the line that it hangs on."""
    doubts = [row["text"] for row in diagnostics if row["text"].startswith(DOUBTFUL)]
    return joined("; ", [verdict(rows), *doubts])


def _cards(rows: Sequence[Row]) -> Block:
    names = short_names(row["fighter"] for row in rows)
    priced = any(row["fair_PA"] is not None for row in rows)
    lines = [
        [
            names[row["fighter"]],
            f"{row['PA']}",
            signed(row["value"]),
            signed(row["difference"]),
            _chance(row["p_adjusted"]),
            *([_fair(row)] if priced else []),
            f"{row['leverage']:.2f}",
            f"{row['cook']:.2f}" + (" *" if row["pulls"] else ""),
        ]
        for row in rows
    ]
    headings = [
        say("fighter"),
        say("PA"),
        say("value"),
        say("above"),
        "p",
        *([say("worth, PA")] if priced else []),
    ]
    headings += say_all(["leverage", "Cook"])
    legend = say("above: the line of prices; p: adjusted; *: pulls the line (above 4 / n)")
    return table_of(headings, lines, "tnnnntnn" if priced else "tnnnnnn", legend=legend)


def _chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.2g}" if p < 0.1 else f"{p:.1f}"


def _fair(row: Row) -> str:
    """Return the price that a card is worth, between those that 95 % of cards allow."""
    if row["fair_PA"] is None:
        return UNKNOWN
    fair, low, high = row["fair_PA"], row["fair_PA_low"], row["fair_PA_high"]
    if low is None and high is None:
        return f"{fair:.0f}"
    if low is None:
        return say("{:.0f} (to {:.0f})", fair, high)
    return (
        say("{:.0f} (from {:.0f})", fair, low)
        if high is None
        else say("{:.0f} ({:.0f} – {:.0f})", fair, low, high)
    )


def _line(fit: Sequence[Row], diagnostics: Sequence[Row]) -> Block:
    *ends, quality = fit
    lines = [
        [
            row["what"],
            signed(row["number"], 3),
            f"{signed(row['low'], 3)} – {signed(row['high'], 3)}",
        ]
        for row in ends
    ]
    lines.append([say("R², of {}", quality["text"]), f"{quality['number']:.2f}", ""])
    doubts = [
        say("{} ({}, p = {})", row["text"], row["what"], _chance(row["p"])) for row in diagnostics
    ]
    headings = say_all(["the line of prices", "", "95 % interval (HC3)"])
    return table_of(headings, lines, "tnt", legend=joined("; ", doubts))
