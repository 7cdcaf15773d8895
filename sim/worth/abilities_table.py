"""Whether abilities pay, as tables: what each is worth, and what each price buys."""

from collections.abc import Sequence

from ...profiles.fighters.prices import what_told
from ...profiles.message import Message, joined, parts, say, say_all
from ..base.percent import shown, signed, unit
from ..base.result import Result, Row
from ..text.printing import Block, group, styled, table_of
from .fit import CHEAP, DEAR, FAR
from .subjects import LINE, NO_CHARGE
from .worth import MEAN


def means_of(result: Result) -> list[Row]:
    """Return the rows about all enemies."""
    return [row for row in result if row["b"] == MEAN]


def counted_lines(result: Result) -> list[Row]:
    """Return the priced lines of which every part is valued."""
    return [row for row in means_of(result) if row["kind"] == LINE and row["whole"]]


def per_point_of(lines: Sequence[Row]) -> float | None:
    """Return what a point buys by the fit, None where there is none."""
    known = [row for row in lines if row["value_of_price"] is not None]
    return known[0]["value_of_price"] / known[0]["price"] if known else None


def blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of the table: abilities by value, lines by what they give for a price."""
    means = means_of(result)
    alone = [row for row in means if row["kind"] != LINE]
    lines = [row for row in means if row["kind"] == LINE]
    return [
        _abilities(result, alone),
        *_not_valued(say("no value in a combat of two"), alone),
        *_unseen(alone),
        _lines(result, lines),
        styled(_fit_text(result)),
        *_not_valued(say("lines without value in a combat of two"), lines),
        styled(_legend(result), "dim"),
    ]


def _abilities(result: Result, means: Sequence[Row]) -> Block:
    """Return a line for each ability and characteristic, the best first."""
    score = means[0]["score"]
    known = [row for row in _valued(means) if not row["unseen"]]
    known.sort(key=lambda row: -row["difference"])
    many = len({row["b"] for row in result}) > 2
    lines = []
    for row in known:
        numbers = _extremes(result, row) if many else [row["without"], row["with"]]
        price = "" if row["price"] is None else str(row["price"])
        cells = [shown(value, score) for value in (row["difference"], *numbers)]
        lines.append([what_told(row["what"]), price, *cells, _note(row)])
    headings = [
        "",
        say("PA"),
        *(say_all(["mean", "least", "most"]) if many else say_all(["worth", "without", "with"])),
    ]
    return table_of([*headings, "note"], lines, "wnnnnt")


def _extremes(result: Result, mean: Row) -> list[float]:
    """Return the least and the most that something is worth against an enemy."""
    same = (mean["kind"], mean["what"])
    differences = [
        row["difference"]
        for row in result
        if (row["kind"], row["what"]) == same and row["b"] != MEAN and row["difference"] is not None
    ]
    return [min(differences), max(differences)]


def _note(row: Row) -> str:
    """Return in which situation a value is, and what it has not."""
    said = [row["situation"]] * (row["situation"] != NO_CHARGE)
    said += [say("number assumed")] * (row["number_from"] == "assumed")
    besides = row["not_counted"]
    if besides.startswith(f"{row['what']} ("):  # an ability alone: its name stands in the line
        words = parts("; ", besides)
        besides = joined(", ", (w.values[1] if isinstance(w, Message) else w for w in words))
    said += [say("not counted: {}", besides)] * bool(besides)
    return joined(", ", said)


def _lines(result: Result, means: Sequence[Row]) -> Block:
    """Return a line for each priced line, the cheapest first, those valued in part last."""
    score = means[0]["score"]
    counted = sorted(counted_lines(result), key=lambda row: -(row["z_residual"] or 0.0))
    in_part = [row for row in _valued(means) if not row["whole"]]
    cells = [
        [
            str(row["price"]),
            joined("; ", filter(None, (what_told(row["what"]), _note(row)))),
            shown(row["difference"], score),
            shown(row["value_per_point"], score),
            signed(row["z_residual"], 1),
            _verdict(row),
        ]
        for row in (*counted, *in_part)
    ]
    headings = say_all(["PA", "what it buys", "worth", "per PA", "residual", ""])
    return table_of(headings, cells, "ntnnnw")


def _verdict(row: Row) -> str:
    """Return whether a line is an outlier, or why nothing is said of it."""
    if row["whole"]:
        return str(row["verdict"])
    return say("unseen" if row["unseen"] else "in part")


def _fit_text(result: Result) -> str:
    """Return what a point buys, and the lines that are far from it."""
    lines = counted_lines(result)
    per_point = per_point_of(lines)
    if per_point is None:
        return say("too few lines whose parts are all valued: no price of a value")
    all_lines = sum(row["kind"] == LINE for row in means_of(result))
    score = lines[0]["score"]
    found = [
        say(
            "one PA buys {}: least squares through 0, {} of {} lines, those whose parts "
            "are all valued",
            shown(per_point, score),
            len(lines),
            all_lines,
        ),
    ]
    far = {word: [row for row in lines if row["verdict"] == word] for word in (CHEAP, DEAR)}
    number = sum(map(len, far.values()))
    found.append(say("beyond {:g} standardised residuals: {} of {}", FAR, number, len(lines)))
    found += [
        say(
            "  {}: {}",
            word,
            [say("{} ({} PA)", what_told(row["what"]), row["price"]) for row in rows],
        )
        for word, rows in far.items()
        if rows
    ]
    return joined("\n", found)


def _not_valued(what: str, rows: Sequence[Row]) -> list[Block]:
    """Return what has no value, by why."""
    none = [row for row in rows if row["difference"] is None]
    reasons = dict.fromkeys(row["reason"] for row in none)
    lines = [
        say("{} ({}): {}", what, why, [what_told(r["what"]) for r in none if r["reason"] == why])
        for why in reasons
    ]
    return [group([styled(line, "dim") for line in lines])] if lines else []


def _unseen(rows: Sequence[Row]) -> list[Block]:
    """Return the abilities of which nothing is claimed, as none changes any value."""
    names = ", ".join(row["what"] for row in rows if row["unseen"])
    said = say("no ability changes any value here, so nothing is claimed of one: {}", names)
    return [styled(said, "yellow")] if names else []


def _valued(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["difference"] is not None]


def _legend(result: Result) -> str:
    """Return what a number means."""
    row = result.rows[0]
    enemies = len({row["b"] for row in result} - {MEAN})
    whom = say("; mean: of {} enemies, counted alike", enemies) if enemies > 1 else ""
    return say(
        "worth: what it adds to {}{}\nas his card is: {}\nresidual: worth less what its "
        "price buys, standardised; + cheap, − dear",
        unit(row["score"]),
        whom,
        shown(means_of(result)[0]["value"], row["score"]),
    )
