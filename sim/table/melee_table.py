"""Melees as tables: who touches whom, and the separations by what they are worth."""

from collections.abc import Sequence
from itertools import groupby

from ...profiles.message import joined, say, say_all, say_n
from ..base.percent import UNKNOWN, chance, rate, rounded_up, shown, unit
from ..base.result import Result, Row
from ..base.sequence import stopping_of, trials_told
from ..text.printing import Block, group, styled, table_of

MOST_SHOWN = 20  # kinds of separations of a melee in a table: the first and the last


def blocks(result: Result, width: int) -> list[Block]:
    """Return who touches whom, then each melee: who separates it, and its separations."""
    rows = [row for row in result if row["method"] == "exact"] or result.rows
    parts = [_fighters([row for row in rows if row["section"] == "fighter"])]
    for number in dict.fromkeys(row["melee"] for row in rows if row["section"] == "melee"):
        parts += _melee([row for row in rows if row["melee"] == number])
    if not any(row["section"] == "melee" for row in rows):
        parts.append(_combats([row for row in rows if row["section"] == "combat"]))
    parts.append(styled(_legend(result), "dim"))
    return parts


def _fighters(rows: Sequence[Row]) -> Block:
    lines = [
        [
            row["what"],
            row["fighter"] + (say(", in rout") if row["routed"] else ""),
            *(UNKNOWN if row[key] is None else str(row[key]) for key in ("pa", "dis")),
            row["touches"] or "nobody",
        ]
        for row in rows
    ]
    return table_of(["", "fighter", "PA", "DIS", "touches"], lines, "wtnnt")


def _combats(rows: Sequence[Row]) -> Block:
    """Return a table of the combats that a stopped run has odds of."""
    lines = [[row["what"], _odds(row), shown(row["value"], row["score"])] for row in rows]
    return table_of(["combat", "A / B wins, %", "value"], lines, "tw")


def _odds(combat: Row) -> str:
    return f"{rate(combat, 'p_a')} / {rate(combat, 'p_b')}"


def _melee(rows: Sequence[Row]) -> list[Block]:
    """Return what is known of a melee."""
    (head,) = [row for row in rows if row["section"] == "melee"]
    separations = [row for row in rows if row["section"] == "separation"]
    number = say_n("{:,} separation", "{:,} separations", head["number"])
    ends = {side: row for row in separations for side in row["best"].split()}
    values = [
        say("best for {} {}", side, shown(ends[side]["value"], head["score"])) for side in "AB"
    ]
    text = [say("{}; {}", number, _who(head))]
    if head["number"] == 1:
        text.append(say("value to A: {}", shown(head["value"], head["score"])))
    else:
        expected = UNKNOWN if head["value"] is None else shown(head["value"], head["score"])
        text.append(say("value to A: {}; expected {}", values, expected))
    title = group([styled(head["what"], "bold"), styled(joined("\n", text))])
    return [title, _separations(rows, separations)]


def _who(head: Row) -> str:
    """Return who separates a melee, with which chances."""
    if "+" not in head["what"].partition(" v ")[0] or "+" not in head["what"].partition(" v ")[2]:
        return say("nobody chooses: a side is alone (C-1.6)")
    if head["p_separates_a"] is None:
        return say("who separates is not known without DIS (C-1.4)")
    chances = {"a": head["p_separates_a"], "b": 1 - head["p_separates_a"]}
    told = [
        say("{} {} % ({})", s.upper(), chance(p), _best(head[f"dis_{s}"]))
        for s, p in chances.items()
    ]
    return say("separated by {} (C-1.4)", joined(say(" or "), told))


def _best(discipline: int | None) -> str:
    if discipline is None:
        return say("DIS not known")
    return say("nobody able") if discipline < 0 else say("DIS {}", discipline)


def _separations(rows: Sequence[Row], separations: Sequence[Row]) -> Block:
    """Return a table of the separations, best for A first; those alike together."""
    combats: dict[int, list[Row]] = {}
    for row in rows:
        if row["section"] == "combat":
            combats.setdefault(row["separation"], []).append(row)
    kinds = [list(alike) for _, alike in groupby(separations, lambda row: row["alike"])]
    half = MOST_SHOWN // 2
    cut = len(kinds) > MOST_SHOWN
    lines: list[list[str]] = []
    for alike in kinds[:half] if cut else kinds:
        lines += _lines(alike, combats)
    if cut:
        lines.append(["…", say("{:,} more kinds", len(kinds) - 2 * half), "", "", "", ""])
        for alike in kinds[-half:]:
            lines += _lines(alike, combats)
    headings = say_all(["", "combat", "A / B wins, %", "value", "sum", "best for"])
    return table_of(headings, lines, "wtwnnw")


def _lines(alike: Sequence[Row], combats: dict[int, list[Row]]) -> list[list[str]]:
    """Return a line for each combat of a separation, the first with what all are worth."""
    first, last = alike[0], alike[-1]
    ranks = str(first["separation"])
    if first is not last:
        ranks += f"–{last['separation']}"
    lines = []
    for combat in combats[first["separation"]]:
        lines.append(
            ["", combat["what"], _odds(combat), shown(combat["value"], combat["score"]), "", ""]
        )
    lines[0][0] = ranks
    lines[0][4:] = [
        shown(first["value"], first["score"]),
        joined(say(" and "), first["best"].split()),
    ]
    return lines


def _legend(result: Result) -> str:
    """Return what the numbers mean, and how sure they are."""
    score = result.rows[0]["score"]
    what = unit(score)
    alike = [row for row in result if row["section"] == "separation"]
    sums = say(
        "sum: of a separation's combats" if alike else "no separations: some combats have no odds"
    )
    text = [say("value to A: {}; {}", what, sums)]
    kinds = [(row["method"], row["melee"], row["alike"]) for row in alike]
    if len(kinds) > len(set(kinds)):
        text.append(
            say("as 1–2: so many separations into equal combats, of which the first is named")
        )
    combats = [row for row in result if row["section"] == "combat" and row["trials"]]
    if combats:
        half = max(row[f"{p}_high"] - row[f"{p}_low"] for row in combats for p in ("p_a", "p_b"))
        trials = trials_told(row["trials"] for row in combats)
        named, most = stopping_of(combats[0]).of_proportion, rounded_up(50 * half)
        reach = say("{}: at most {} percentage points to each side", named, most)
        text.append(say("sampled: {} trials of each combat; {}", trials, reach))
    gaps = [abs(row[z] or 0.0) for row in combats for z in row if z.startswith("z_")]
    if len({row["method"] for row in result}) > 1:
        text.append(
            say("they are at most {:.1f} standard errors from the exact odds above", max(gaps))
        )
    return joined("\n", text)
