"""What a report says of an answer in a sentence: how much, how sure, and by which method."""

import re
from collections.abc import Callable
from dataclasses import replace
from math import sqrt

from ..base.percent import counted, figures, mean, range_of, rate, signed
from ..base.result import Result, Row
from ..base.scores import shown, unit
from ..base.sequence import stopping_of
from ..base.stats import quantile
from ..combat.duel import pair_of
from ..matchup.table import range_text, score_text
from ..text.speech import language, tr, translated

_BOUND = "\N{NO-BREAK SPACE}"
_TIGHT = re.compile(r"(?<=[^\s])[:;] ")
_NAMED = 3  # most that a sentence names


def sentences(result: Result) -> list[str]:
    """Return what an answer says, the most important first; its title if it has no words for it.

    Parameters
    ----------
    result : Result
    """
    result = replace(result, title=translated(result.title))
    if not result.rows:
        return [result.title]
    told = _WORDS.get(result.question, _titled)(result)
    return [_spaced(text) for text in told]


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


def _titled(result: Result) -> list[str]:
    return [f"{result.title} ({method_of(result.rows[0])})"]


def _sides(result: Result) -> list[str]:
    """Return who wins a duel or a combat, for each way in which it was answered."""
    found = []
    for row in result:
        if row.get("fighter", "(sides)") != "(sides)":
            continue
        a, b, neither = _shares(row)
        odds = tr("A wins {a}, B wins {b}, neither {neither}", a=a, b=b, neither=neither)
        found.append(f"{result.title}: {odds}; {_better(row)} ({method_of(row)}).")
    return found


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


def _sweep(result: Result) -> list[str]:
    by_sign = {sign: [row for row in result if winner(row) == sign] for sign in (1, -1, 0)}
    told = tr(
        "A wins more often in {a}, B in {b}, and it cannot be told in {neither}",
        a=f"{len(by_sign[1]):,}",
        b=f"{len(by_sign[-1]):,}",
        neither=f"{len(by_sign[0]):,}",
    )
    found = [f"{result.title}: {told} ({method_of(result.rows[0])})."]
    if "safest_a" in result.columns:
        safest = {pair_of(row): row["dice_a"] for row in result if row["safest_a"]}
        for (a, b, charge), dice in list(safest.items())[:_NAMED]:
            charged = f", {tr('{side} charges', side=charge)}" if charge != "none" else ""
            found.append(
                tr("{a} against {b}{charged}: the safest dice are {dice}.",
                   a=a, b=b, charged=charged, dice=dice)
            )  # fmt: skip
    return found


def _solve(result: Result) -> list[str]:
    best = next((row for row in result if row["section"] == "value"), None)
    if best is None:
        return _titled(result)
    return [
        tr(
            "{title}: best play is {dice}, worth {value} to A ({unit}); A wins (all of B dead) "
            "{a} %, B wins (all of A dead) {b} %",
            title=result.title,
            dice=best["what"],
            value=shown(best["value"], best["score"]),
            unit=unit(best["score"]),
            a=rate(best, "p_a"),
            b=rate(best, "p_b"),
        )
        + f" ({method_of(best)})."
    ]


def _battle(result: Result) -> list[str]:
    outcome = [row for row in result if row["section"] == "outcome"]
    shares = figures([row["count"] for row in outcome], stopping_of(outcome[0]))
    parts = [
        f"{tr(row['what'])} {part} % ({range_of_count(row)})"
        for row, part in zip(outcome, shares, strict=True)
    ]
    points = next(row for row in result if row["section"] == "difference")
    lead = tr("A's points less B's: {value} on average", value=signed(points["value"], 1))
    return [f"{result.title}: {', '.join(parts)} ({method_of(outcome[0])}). {lead}."]


def range_of_count(row: Row) -> str:
    """Return the interval of a share that is counted."""
    return range_of({**row, "p_count": row["p"]}, "p_count")


def _matchup(result: Result) -> list[str]:
    field = [row for row in result if row["section"] == "field" and row["score"] is not None]
    if not field:
        return _titled(result)
    best = max(field, key=lambda row: row["score"])
    level = [
        row["entrant"] for row in field
        if row is not best and row["score_high"] >= best["score_low"]
    ]  # fmt: skip
    found = [
        tr(
            "{title}: {name} scores most against the field, {score} % (95 % interval by pairs of "
            "battles {ends})",
            title=result.title,
            name=best["entrant"],
            score=score_text(best),
            ends=range_text(best),
        )
        + f" ({method_of(best)})."
    ]
    if level:
        found.append(tr("Its interval meets those of: {names}.", names=", ".join(level)))
    return found


def _gain(result: Result) -> list[str]:
    rows = [row for row in result if row["section"] == "gain" and row["what"] == "score"]
    if not rows:
        return _titled(result)
    row = rows[0]
    low, high = row["value_low"], row["value_high"]
    told = low is not None and (low > 0 or high < 0)
    ends = "" if low is None else f" ({points_of(low)} – {points_of(high)})"
    verdict = tr("the change is told from none") if told else tr("it cannot be told from none")
    moved = tr("the change moves A's score by {value} points", value=points_of(row["value"]))
    return [f"{result.title}: {moved}{ends}; {verdict} ({method_of(row)})."]


def points_of(value: float) -> str:
    """Return a difference of shares in points of percentage."""
    return signed(100 * value, 1)


def _variants(result: Result) -> list[str]:
    changes = [row for row in result if row["section"] == "change" and row["value"] is not None]
    if not changes:
        return _titled(result)
    most = max(changes, key=lambda row: abs(row["value"]))
    told = most["value_low"] is not None and most["value_low"] * most["value_high"] > 0
    text = tr(
        "{title}: {what} moves A's score most, by {value} points",
        title=result.title,
        what=most["what"],
        value=points_of(most["value"]),
    )
    doubt = "" if told else "; " + tr("it cannot be told from none")
    return [f"{text}{doubt} ({method_of(most)})."]


def _worth(result: Result) -> list[str]:
    most = max(result, key=lambda row: abs(row["difference"] or 0.0))
    return [
        tr(
            "{title}: worth most is {change} against {enemy}, {value}",
            title=result.title,
            change=most["change"],
            enemy=most["b"],
            value=shown(most["difference"], most["score"]),
        )
        + f" ({method_of(most)})."
    ]


def _cards(result: Result) -> list[str]:
    row = next((row for row in result if row["what"] == "value to A"), None)
    if row is None:
        return _titled(result)
    ends = (
        ""
        if row["value_low"] is None
        else f" ({mean(row['value_low'])} – {mean(row['value_high'])})"
    )
    value = tr("value to A {value}", value=_mean(row["value"]))
    return [f"{result.title}: {value}{ends} ({method_of(row)})."]


def _melee(result: Result) -> list[str]:
    found = []
    for row in result:
        if row["section"] == "separation" and row["best"]:
            best = tr(
                "best for {side}: {what}, worth {value} to A",
                side=" = ".join(row["best"].split()),
                what=row["what"],
                value=shown(row["value"], row["score"]),
            )
            found.append(f"{best} ({method_of(row)}).")
    return [result.title, *found[:_NAMED]]


def _means(result: Result) -> list[str]:
    """Return the means of an answer about the sheet."""
    known = [row for row in result if _mean_of(row) is not None]
    if not known:
        return _titled(result)
    found = {}
    for row in sorted(known, key=lambda row: -(_mean_of(row) or 0.0)):
        what = row.get("cause") or row.get("order") or row.get("what") or result.title
        low = row.get("low", row.get("mean_routed_low"))
        high = row.get("high", row.get("mean_routed_high"))
        ends = "" if low is None else f" ({_mean(low)} – {_mean(high)})"
        found[what] = f"{tr(str(what))}: {_mean(_mean_of(row))}{ends} ({method_of(row)})."
    return [result.title, *list(found.values())[:_NAMED]]


def _mean(value: float | None) -> str:
    """Return a mean as the language in use writes it."""
    return translated(mean(value))


def _mean_of(row: Row) -> float | None:
    """Return the mean that a row about the sheet has."""
    value: float | None = row.get("mean", row.get("mean_routed"))
    return value


_WORDS: dict[str, Callable[[Result], list[str]]] = {
    "duel": _sides,
    "combat": _sides,
    "sweep": _sweep,
    "solve": _solve,
    "battle": _battle,
    "matchup": _matchup,
    "worth": _worth,
    "cards": _cards,
    "melee": _melee,
    "compare": _gain,
    "sensitivity": _variants,
    "favours": _variants,
    "sheet-lost": _means,
    "contagion": _means,
}
