"""The activation phase as tables: who acts when, before whom, and what changes it."""

from collections.abc import Sequence
from math import inf

from ...profiles.message import say, say_all, say_n
from ..base.options import SIDES
from ..base.percent import rate, rounded_up, signed
from ..base.result import Result, Row
from ..base.result import sections as by_section
from ..base.sequence import stopping_of
from ..text.printing import Block, group, natural_width, styled, table_of

GAINS = "gains"
SHARE = say("% of all pairs of a card of A and one of B of which A's acts first")
CERTAIN = 1e-9  # a chance this near to 0 or 1 is rounding


def sections(result: Result, exact: bool) -> dict[str, list[Row]]:
    """Return the exact or the sampled rows by section; the others if there are none."""
    rows = [row for row in result if (row["method"] == "exact") == exact] or result.rows
    return by_section(rows)


def blocks(result: Result, width: int) -> list[Block]:
    """Return what is known of a phase, each part with its heading."""
    found = sections(result, exact=True)
    names = {side: _names(found, side) for side in SIDES}
    value = found["army"][-1]
    parts = [_sides(found["army"]), styled(_value(value)), _acts(found, names)]
    parts.append(_before(found["before"], names, width))
    sampled = sections(result, exact=False)
    if sampled["army"][0]["method"] != found["army"][0]["method"]:
        parts.append(styled(_agreement(found, sampled), "dim"))
    if "change" in found:
        parts.append(_changes(found, names))
    if "play" in found:
        parts.append(_plays(found["play"]))
    if "sequences" in found:
        parts.append(styled(_sequences(found["sequences"]), "dim"))
    return parts


def phase_blocks(result: Result, width: int) -> list[Block]:
    """Return one phase told speaking turn by speaking turn, as the rules' example is."""
    rows = result.rows
    players = {row["side"]: row["player"] for row in rows}
    won, first = rows[0]["won_roll"], rows[0]["side"]
    choice = say("speaks first") if won == first else say("lets {} speak first", players[first])
    lines = [[str(row["turn"]), row["player"], row["plays"], row["reserve"]] for row in rows]
    return [
        styled(say("{} wins the Tactics roll and {}.", players.get(won, won), choice)),
        table_of(["turn", "player", "plays", "reserve after"], lines, "nwtw"),
        styled("reserve: cards in it / most; - once the right to it is used up", "dim"),
    ]


def _names(found: dict[str, list[Row]], side: str) -> list[str]:
    """Return the cards of a side in the order of its file."""
    return list(dict.fromkeys(row["card"] for row in found.get("acts", ()) if row["side"] == side))


def _sides(rows: Sequence[Row]) -> Block:
    """Return a line for each side: cards, refusals, the Tactics roll, who speaks first."""
    cells = {(row["side"], row["what"]): row for row in rows}
    lines = []
    for side in SIDES:
        roll, first = cells[side, "wins the roll"], cells[side, "speaks first"]
        lines.append(
            [
                side,
                roll["other"],
                str(cells[side, "cards"]["number"]),
                str(cells[side, "refusals"]["number"]),
                rate({**roll, "trials": None}, "p"),
                _percent(first),
                say("{}, DIS {}", roll["card"], roll["number"]) if roll["card"] else "",
            ]
        )
    headings = say_all(
        ["", "army", "cards", "refusals", "wins roll, %", "speaks first, %", "rolls with"]
    )
    return table_of(headings, lines, "wtnnnnt", dull={""})


def _value(row: Row) -> str:
    """Return what the phase is worth to A."""
    shown = signed if row["other"] == GAINS else lambda value: f"{value:.2f}"
    text = say("value to A, {}: {}", row["other"], shown(_clean(row["value"])))
    if row["trials"]:
        low, high = (shown(_clean(row[end])) for end in ("value_low", "value_high"))
        text += say(" ({} {} to {})", stopping_of(row).of_mean, low, high)
    return text


def _percent(row: Row) -> str:
    return rate({**row, "p_x": row["p"], "x": row["count"]}, "p_x")


def _acts(found: dict[str, list[Row]], names: dict[str, list[str]]) -> Block:
    """Return a line for each card: in which speaking turns it acts."""
    lines = []
    for side in SIDES:
        for number, name in enumerate(names[side], 1):
            rows = [r for r in found["acts"] if r["side"] == side and r["card"] == name]
            mean = sum(row["turn"] * row["p"] for row in rows)
            most = max(rows, key=lambda row: row["p"])
            span = f"{rows[0]['turn']}–{rows[-1]['turn']}" if len(rows) > 1 else str(most["turn"])
            lines.append(
                [f"{side}{number}", name, span, f"{mean:.2f}", str(most["turn"]), _percent(most)]
            )
    headings = say_all(["", "card", "acts in turns", "mean", "mostly in", "%"])
    return table_of(headings, lines, "wtn")


def _before(rows: Sequence[Row], names: dict[str, list[str]], width: int) -> Block:
    """Return how often each card of A acts before each of B."""
    cells = {(row["card"], row["other"]): _percent(row) for row in rows}
    keys = {side: [f"{side}{n}" for n in range(1, len(names[side]) + 1)] for side in SIDES}

    def grid(own: Sequence[str], enemy: Sequence[str]) -> list[list[str]]:
        lines = [
            [label, *(cells[card, other] for other in names["B"])]
            for label, card in zip(own, names["A"], strict=True)
        ]
        return [[say("A before B, %"), *enemy], *lines]

    table = grid(names["A"], names["B"])
    if natural_width(table) > width:
        table = grid(keys["A"], keys["B"])
    parts: list[Block] = []
    for headings, *lines in _fitting(table, width):
        parts.append(table_of(headings, lines, "w"))
    n = rows[0]["trials"]
    if n is not None:
        half = max(row["p_high"] - row["p_low"] for row in rows) / 2
        named, most = stopping_of(rows[0]).of_proportion, rounded_up(100 * half)
        reach = say("{}: at most {} percentage points to each side", named, most)
        parts.append(styled(say_n("of {:,} trial; {}", "of {:,} trials; {}", n, reach), "dim"))
    return group(parts)


def _fitting(table: list[list[str]], width: int) -> list[list[list[str]]]:
    """Return a table as several, of so many columns each as a terminal has room for."""
    columns = len(table[0])
    for across in range(columns - 1, 1, -1):
        starts = range(1, columns, across)
        parts = [[[line[0], *line[s : s + across]] for line in table] for s in starts]
        if all(natural_width(part) <= width for part in parts):
            return parts
    return [[[line[0], line[c]] for line in table] for c in range(1, columns)]


def _agreement(exact: dict[str, list[Row]], sampled: dict[str, list[Row]]) -> str:
    """Return how far sampled odds are from exact ones."""
    if "before" not in sampled:
        return say("sampled besides: no trial")
    truth = {_key(row): row["p"] for section in ("before", "acts") for row in exact[section]}
    gaps = []
    for row in (*sampled["before"], *sampled["acts"]):
        p, n = truth.get(_key(row), 0.0), row["trials"]
        error = (p * (1 - p) / n) ** 0.5
        if error > CERTAIN:
            gaps.append(abs(row["p"] - p) / error)
        elif abs(row["p"] - p) > CERTAIN:
            gaps.append(inf)
    text = say("sampled besides, {:,} trials: ", sampled["before"][0]["trials"])
    if not gaps:
        return say("{}all is certain, and so it was there", text)
    most = say("at most {:.1f} standard errors from these", max(gaps))
    return say("{}{}, of {} proportions that are not certain", text, most, len(gaps))


def _key(row: Row) -> tuple[object, ...]:
    return tuple(row[name] for name in ("section", "side", "card", "other", "turn"))


def _changes(found: dict[str, list[Row]], names: dict[str, list[str]]) -> Block:
    """Return what the first word, the roll, refusals and the reserve are worth, and where most."""
    lines, sampled = [], found["change"][0]["trials"] is not None
    for row in found["change"]:
        pairs = [p for p in found["pair"] if (p["what"], p["side"]) == (row["what"], row["side"])]
        most = max(pairs, key=lambda pair: round(abs(pair["value"]), 9))
        line = [row["side"], row["what"], signed(_clean(row["value"]))]
        if sampled:
            line.append(_between(row))
        lines.append([*line, _pair(most, names)])
    unit = GAINS if found["army"][-1]["other"] == GAINS else "points"
    named = stopping_of(found["change"][0]).of_difference if sampled else ""
    headings = ["", say("worth to its side"), unit, *[named] * sampled]
    kinds = "wtnw" if sampled else "wtn"
    headings.append(say("changes most, percentage points"))
    legend = say("with it less without it, both playing as they do; points: percentage points")
    return table_of(headings, lines, kinds + "t", legend=legend)


def _between(row: Row) -> str:
    low, high = (signed(_clean(row[end]), 1) for end in ("value_low", "value_high"))
    return say("{} to {}", low, high)


def _pair(row: Row, names: dict[str, list[str]]) -> str:
    """Return a pair of cards, and how much likelier it is that A's acts first."""
    unsure = row["trials"] is not None and row["value_low"] <= 0 <= row["value_high"]
    if unsure or abs(row["value"]) < CERTAIN:
        return say("nothing")
    own, enemy = names["A"].index(row["card"]) + 1, names["B"].index(row["other"]) + 1
    between = "" if row["trials"] is None else say(" ({})", _between(row))
    return say("A{} before B{} {}{}", own, enemy, signed(row["value"], 1), between)


def _clean(value: float) -> float:
    """Return a value without what rounding left of a zero."""
    return 0.0 if abs(value) < CERTAIN else value


def _plays(rows: Sequence[Row]) -> Block:
    """Return what best play is worth: of known piles, and with the best pile of one side."""
    lines = [[row["what"], signed(_clean(row["value"])), row["card"] or ""] for row in rows]
    headings = say_all(["how they play", "gains to A", "its pile"])
    legend = say("best play knows both piles; who does not play his best does as his policy says")
    return table_of(headings, lines, "tnt", legend=legend, dull={""})


def _sequences(rows: Sequence[Row]) -> str:
    """Return how many complete sequences of moves are legal."""
    counts = [say("{:,} if {} speaks first", row["number"], row["side"]) for row in rows]
    return say("complete legal sequences of moves: {}", counts)
