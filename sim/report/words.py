"""What a report says of an answer in a sentence: how much, how sure, and by which method."""

from collections.abc import Iterator
from math import sqrt

from ...profiles.message import joined, say
from ..base.percent import counted, figures, mean, range_of, rate, shown, signed, unit
from ..base.printed import loaded
from ..base.result import Result, Row, sections
from ..base.sequence import stopping_of
from ..base.stats import quantile
from ..combat.duel import pair_of
from ..matchup.table import range_text, score_text
from ..text.speech import translated

_NAMED = 3  # most that a sentence names

Said = Iterator[tuple[str, Row | None]]  # sentences, with the row whose method is told


def sentences(result: Result) -> list[str]:
    """Return what an answer says, the most important first; its title if it has no words for it."""
    told: list[tuple[str, Row | None]] = []
    if result.rows and result.kind.sentences:
        told = list(loaded(result.kind.sentences)(result))
    first = result.rows[0] if result.rows else None
    return [
        _spaced(text if row is None else say("{} ({}).", text, method_of(row)))
        for text, row in told or [(result.title, first)]
    ]


def _spaced(text: str) -> str:
    """Return a sentence in the language in use, no line of which begins with a sign."""
    return translated(text).replace(" %", "\N{NO-BREAK SPACE}%")


def method_of(row: Row) -> str:
    """Return how a row's figures were found.

    >>> method_of({"method": "exact", "trials": None}), method_of({"method": "mc", "trials": 2000})
    ('exact', 'sampled, n = 2,000')
    """
    if row.get("trials") is None:
        return say("exact")
    return say("sampled, n = {:,}", int(row["trials"]))


def of_sides(result: Result) -> Said:
    """Yield who wins a duel or a combat, for each way in which it was answered."""
    for row in result:
        if row.get("fighter", "(sides)") == "(sides)":
            odds = say("A wins {a}, B wins {b}, neither {neither}", *_shares(row))
            yield say("{}: {}; {}", result.title, odds, _better(row)), row


def _shares(row: Row) -> list[str]:
    """Return what A wins, what B wins and what neither does, in percent; intervals if sampled."""
    names = ("p_a", "p_b", "p_undecided")
    if row["trials"] is None:
        return [say("{} %", rate(row, name)) for name in names]
    named = stopping_of(row).of_proportion
    parts = figures([counted(row, name) for name in names], stopping_of(row))
    return [
        say("{share} % ({interval} {ends})", part, named, range_of(row, name))
        for part, name in zip(parts, names, strict=True)
    ]


def _better(row: Row) -> str:
    """Return who wins more often, if that can be told."""
    sign = winner(row)
    if sign == 0:
        return say("who wins more often cannot be told")
    return say("A wins more often" if sign > 0 else "B wins more often")


def winner(row: Row) -> int:
    """Return 1 if A wins more often than B, -1 if B does, 0 if that cannot be told (95 %)."""
    if row.get("trials") is None:
        difference = row["p_a"] - row["p_b"]
        return 0 if abs(difference) < 1e-12 else (1 if difference > 0 else -1)
    a, b, n = int(row["wins_a"]), int(row["wins_b"]), int(row["trials"])
    error = sqrt(max(a + b - (a - b) ** 2 / n, 0.0)) if n else 0.0
    if abs(a - b) <= quantile() * error or a == b:
        return 0
    return 1 if a > b else -1


def of_sweep(result: Result) -> Said:
    """Yield in how many duels who wins more often, and the safest dice of the first pairs."""
    signs = [winner(row) for row in result]
    told = say(
        "A wins more often in {:,}, B in {:,}, and it cannot be told in {:,}",
        *map(signs.count, (1, -1, 0)),
    )
    yield joined(": ", [result.title, told]), result.rows[0]
    safest = {pair_of(row): row["dice_a"] for row in result if row.get("safest_a")}
    for (a, b, charge), dice in list(safest.items())[:_NAMED]:
        pair = pair_text(a, b, charge)
        yield say("{pair}: the safest dice are {dice}.", pair, dice), None


def pair_text(a: str, b: str, charge: str) -> str:
    """Return who fights whom, and who charges."""
    pair = say("{a} against {b}", a, b)
    return pair if charge == "none" else joined(", ", [pair, say("{side} charges", charge)])


def of_solve(result: Result) -> Said:
    """Yield what is best to place, and what that is worth."""
    for best in sections(result).get("value", []):
        text = say(
            "{title}: best play is {dice}, worth {value} to A ({unit}); A wins (all of B dead) "
            "{a} %, B wins (all of A dead) {b} %",
            result.title,
            best["what"],
            shown(best["value"], best["score"]),
            unit(best["score"]),
            rate(best, "p_a"),
            rate(best, "p_b"),
        )
        yield text, best


def of_battle(result: Result) -> Said:
    """Yield how often a battle is won and drawn, and the mean lead."""
    found = sections(result)
    shares = figures([row["count"] for row in found["outcome"]], stopping_of(result.rows[0]))
    parts = [
        say("{} {} % ({})", row["what"], part, range_of({**row, "p_count": row["p"]}, "p_count"))
        for row, part in zip(found["outcome"], shares, strict=True)
    ]
    yield joined(": ", [result.title, joined(", ", parts)]), result.rows[0]
    lead = signed(found["difference"][0]["value"], 1)
    yield say("A's points less B's: {value} on average.", lead), None


def of_matchup(result: Result) -> Said:
    """Yield who scores most against the field, and whose intervals meet his."""
    field = [row for row in sections(result)["field"] if row["score"] is not None]
    if not field:
        return
    best = max(field, key=lambda row: row["score"])
    text = say(
        "{title}: {name} scores most against the field, {score} % (95 % interval by pairs of "
        "battles {ends})",
        result.title,
        best["entrant"],
        score_text(best),
        range_text(best),
    )
    yield text, best
    level = [
        row["entrant"]
        for row in field
        if row is not best and row["score_high"] >= best["score_low"]
    ]
    if level:
        yield say("Its interval meets those of: {names}.", level), None


def of_gain(result: Result) -> Said:
    """Yield by how much the second battle is better for A."""
    for row in sections(result).get("gain", [])[:1]:
        low, high = row["value_low"], row["value_high"]
        told = low is not None and (low > 0 or high < 0)
        ends = () if low is None else (points_of(low), points_of(high))
        moved = say("the change moves A's score by {value} points", points_of(row["value"]))
        verdict = say("the change is told from none" if told else "it cannot be told from none")
        yield say("{}: {}; {}", result.title, _between(moved, *ends), verdict), row


def points_of(value: float) -> str:
    """Return a difference of shares in points of percentage."""
    return signed(100 * value, 1)


def of_variants(result: Result) -> Said:
    """Yield which change moves A's score most."""
    changes = [row for row in sections(result).get("change", []) if row["value"] is not None]
    if changes:
        most = max(changes, key=lambda row: abs(row["value"]))
        told = most["value_low"] is not None and most["value_low"] * most["value_high"] > 0
        text = say(
            "{title}: {what} moves A's score most, by {value} points",
            result.title,
            most["what"],
            points_of(most["value"]),
        )
        parts = [text] if told else [text, say("it cannot be told from none")]
        yield joined("; ", parts), most


def of_worth(result: Result) -> Said:
    """Yield what is worth most, and against whom."""
    most = max(result, key=lambda row: abs(row["difference"] or 0.0))
    text = say(
        "{title}: worth most is {change} against {enemy}, {value}",
        result.title,
        most["change"],
        most["b"],
        shown(most["difference"], most["score"]),
    )
    yield text, most


def of_cards(result: Result) -> Said:
    """Yield what a phase is worth to A."""
    for row in [row for row in result if row["what"] == say("value to A")][:1]:
        value = say("value to A {value}", mean(row["value"]))
        yield joined(": ", [result.title, _between(value, *_ends(row, "value_"))]), row


def of_melee(result: Result) -> Said:
    """Yield the best separations."""
    yield result.title, None
    best = [row for row in sections(result).get("separation", []) if row["best"]]
    for row in best[:_NAMED]:
        text = say(
            "best for {side}: {what}, worth {value} to A",
            " = ".join(row["best"].split()),
            row["what"],
            shown(row["value"], row["score"]),
        )
        yield text, row


def of_means(result: Result) -> Said:
    """Yield the greatest means of an answer about the sheet."""
    name = "mean" if "mean" in result.columns else "mean_routed"
    prefix = "" if name == "mean" else f"{name}_"
    known = sorted((row for row in result if row[name] is not None), key=lambda row: -row[name])
    found = {}
    for row in known:
        what = row.get("cause") or row["order"]
        found[what] = joined(": ", [what, _between(mean(row[name]), *_ends(row, prefix))]), row
    if found:
        yield result.title, None
        yield from list(found.values())[:_NAMED]


def _ends(row: Row, prefix: str) -> tuple[str, ...]:
    """Return the ends of an interval of a mean; none where it is exact."""
    low, high = row[f"{prefix}low"], row[f"{prefix}high"]
    return () if low is None else (mean(low), mean(high))


def _between(text: str, *ends: str) -> str:
    """Return what is said of a figure with its interval in brackets, if it has one."""
    return say("{} ({} – {})", text, *ends) if ends else text
