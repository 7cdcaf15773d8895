"""What a report says of an answer in a sentence: how much, how sure, and by which method."""

import re
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt

from ...profiles.message import say
from ..base.percent import counted, figures, mean, range_of, rate, shown, signed, unit
from ..base.printed import loaded
from ..base.result import Result, Row, sections
from ..base.sequence import stopping_of
from ..base.stats import quantile
from ..combat.duel import pair_of
from ..matchup.table import range_text, score_text
from ..text.speech import language, tr, translated

_BOUND = "\N{NO-BREAK SPACE}"
_TIGHT = re.compile(r"(?<=[^\s])[:;] ")
_NAMED = 3  # most that a sentence names

Said = Iterator[tuple[str, Row | None]]  # sentences, with the row whose method is told


def sentences(result: Result) -> list[str]:
    """Return what an answer says, the most important first; its title if it has no words for it."""
    result = replace(result, title=translated(result.title))
    told: list[tuple[str, Row | None]] = []
    if result.rows and result.kind.sentences:
        told = list(loaded(result.kind.sentences)(result))
    first = result.rows[0] if result.rows else None
    return [
        _spaced(text if row is None else f"{text} ({method_of(row)}).")
        for text, row in told or [(result.title, first)]
    ]


def _spaced(text: str) -> str:
    """Return a sentence with the spaces that no line may break at, as its language has them."""
    found = text.replace(" %", "\N{NO-BREAK SPACE}%")
    if language() == "fr":
        found = _TIGHT.sub(lambda mark: f"{_BOUND}{mark[0]}", found)
    return found


def method_of(row: Row) -> str:
    """Return how a row's figures were found.

    Examples
    --------
    >>> method_of({"method": "exact", "trials": None}), method_of({"method": "mc", "trials": 2000})
    ('exact', 'sampled, n = 2,000')
    """
    if row.get("trials") is None:
        return tr("exact")
    return tr("sampled, n = {n}", n=f"{int(row['trials']):,}")


def of_sides(result: Result) -> Said:
    """Yield who wins a duel or a combat, for each way in which it was answered."""
    for row in result:
        if row.get("fighter", "(sides)") == "(sides)":
            a, b, neither = _shares(row)
            odds = tr("A wins {a}, B wins {b}, neither {neither}", a=a, b=b, neither=neither)
            yield f"{result.title}: {odds}; {_better(row)}", row


def _shares(row: Row) -> list[str]:
    """Return what A wins, what B wins and what neither does, in percent; intervals if sampled."""
    names = ("p_a", "p_b", "p_undecided")
    if row["trials"] is None:
        return [f"{rate(row, name)} %" for name in names]
    named = translated(stopping_of(row).of_proportion)
    parts = figures([counted(row, name) for name in names], stopping_of(row))
    return [
        tr("{share} % ({interval} {ends})", share=part, interval=named, ends=range_of(row, name))
        for part, name in zip(parts, names, strict=True)
    ]


def _better(row: Row) -> str:
    """Return who wins more often, if that can be told."""
    sign = winner(row)
    if sign == 0:
        return tr("who wins more often cannot be told")
    return tr("A wins more often") if sign > 0 else tr("B wins more often")


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
    told = tr(
        "A wins more often in {a}, B in {b}, and it cannot be told in {neither}",
        a=f"{signs.count(1):,}",
        b=f"{signs.count(-1):,}",
        neither=f"{signs.count(0):,}",
    )
    yield f"{result.title}: {told}", result.rows[0]
    safest = {pair_of(row): row["dice_a"] for row in result if row.get("safest_a")}
    for (a, b, charge), dice in list(safest.items())[:_NAMED]:
        charged = f", {tr('{side} charges', side=charge)}" if charge != "none" else ""
        text = tr(
            "{a} against {b}{charged}: the safest dice are {dice}.",
            **{"a": a, "b": b, "charged": charged, "dice": dice},
        )
        yield text, None


def of_solve(result: Result) -> Said:
    """Yield what is best to place, and what that is worth."""
    for best in sections(result).get("value", []):
        text = tr(
            "{title}: best play is {dice}, worth {value} to A ({unit}); A wins (all of B dead) "
            "{a} %, B wins (all of A dead) {b} %",
            title=result.title,
            dice=best["what"],
            value=shown(best["value"], best["score"]),
            unit=unit(best["score"]),
            a=rate(best, "p_a"),
            b=rate(best, "p_b"),
        )
        yield text, best


def of_battle(result: Result) -> Said:
    """Yield how often a battle is won and drawn, and the mean lead."""
    found = sections(result)
    shares = figures([row["count"] for row in found["outcome"]], stopping_of(result.rows[0]))
    parts = [
        f"{tr(row['what'])} {part} % ({range_of({**row, 'p_count': row['p']}, 'p_count')})"
        for row, part in zip(found["outcome"], shares, strict=True)
    ]
    yield f"{result.title}: {', '.join(parts)}", result.rows[0]
    lead = signed(found["difference"][0]["value"], 1)
    yield tr("A's points less B's: {value} on average", value=lead) + ".", None


def of_matchup(result: Result) -> Said:
    """Yield who scores most against the field, and whose intervals meet his."""
    field = [row for row in sections(result)["field"] if row["score"] is not None]
    if not field:
        return
    best = max(field, key=lambda row: row["score"])
    text = tr(
        "{title}: {name} scores most against the field, {score} % (95 % interval by pairs of "
        "battles {ends})",
        title=result.title,
        name=best["entrant"],
        score=score_text(best),
        ends=range_text(best),
    )
    yield text, best
    level = [
        row["entrant"]
        for row in field
        if row is not best and row["score_high"] >= best["score_low"]
    ]
    if level:
        yield tr("Its interval meets those of: {names}.", names=", ".join(level)), None


def of_gain(result: Result) -> Said:
    """Yield by how much the second battle is better for A."""
    for row in sections(result).get("gain", [])[:1]:
        low, high = row["value_low"], row["value_high"]
        told = low is not None and (low > 0 or high < 0)
        ends = "" if low is None else f" ({points_of(low)} – {points_of(high)})"
        verdict = tr("the change is told from none") if told else tr("it cannot be told from none")
        moved = tr("the change moves A's score by {value} points", value=points_of(row["value"]))
        yield f"{result.title}: {moved}{ends}; {verdict}", row


def points_of(value: float) -> str:
    """Return a difference of shares in points of percentage."""
    return signed(100 * value, 1)


def of_variants(result: Result) -> Said:
    """Yield which change moves A's score most."""
    changes = [row for row in sections(result).get("change", []) if row["value"] is not None]
    if changes:
        most = max(changes, key=lambda row: abs(row["value"]))
        told = most["value_low"] is not None and most["value_low"] * most["value_high"] > 0
        text = tr(
            "{title}: {what} moves A's score most, by {value} points",
            title=result.title,
            what=most["what"],
            value=points_of(most["value"]),
        )
        yield text + ("" if told else "; " + tr("it cannot be told from none")), most


def of_worth(result: Result) -> Said:
    """Yield what is worth most, and against whom."""
    most = max(result, key=lambda row: abs(row["difference"] or 0.0))
    text = tr(
        "{title}: worth most is {change} against {enemy}, {value}",
        title=result.title,
        change=most["change"],
        enemy=most["b"],
        value=shown(most["difference"], most["score"]),
    )
    yield text, most


def of_cards(result: Result) -> Said:
    """Yield what a phase is worth to A."""
    for row in [row for row in result if row["what"] == say("value to A")][:1]:
        value = tr("value to A {value}", value=_mean(row["value"]))
        yield f"{result.title}: {value}{_between(row, 'value_low', 'value_high')}", row


def of_melee(result: Result) -> Said:
    """Yield the best separations."""
    yield result.title, None
    best = [row for row in sections(result).get("separation", []) if row["best"]]
    for row in best[:_NAMED]:
        text = tr(
            "best for {side}: {what}, worth {value} to A",
            side=" = ".join(row["best"].split()),
            what=row["what"],
            value=shown(row["value"], row["score"]),
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
        found[what] = (
            f"{tr(what)}: {_mean(row[name])}{_between(row, f'{prefix}low', f'{prefix}high')}",
            row,
        )
    if found:
        yield result.title, None
        yield from list(found.values())[:_NAMED]


def _between(row: Row, low: str, high: str) -> str:
    """Return an interval in brackets; nothing where there is none."""
    return "" if row[low] is None else f" ({_mean(row[low])} – {_mean(row[high])})"


def _mean(value: float | None) -> str:
    """Return a mean as the language in use writes it."""
    return translated(mean(value))
