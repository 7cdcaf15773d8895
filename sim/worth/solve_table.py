"""Best play, as tables and words."""

from collections import Counter
from collections.abc import Sequence

from ...profiles.message import joined, say, say_all
from ..base.percent import chance, shown, unit
from ..base.result import Result, Row, sections
from ..text.printing import Block, short_names, styled, table_of

FREE = 1e-9  # a habit that costs less costs nothing
_MOVES = 12  # most assumed values that are listed
_ACROSS = 5  # most columns of a grid of placements


def blocks(result: Result, width: int) -> list[Block]:
    """Return the sections of a solved combat, each with its heading."""
    found = sections(result)
    parts = [_value(found["value"][0])]
    for section, block in (
        ("order", _orders),
        ("placement", _placements),
        ("unseen", _unseen),
        ("rule", _rules),
        ("habit", _habits),
        ("assumed", _assumed),
    ):
        if section in found:
            parts.append(block(found[section]))
    if "unseen" in found:
        parts.append(styled("rules and habits are those of dice placed in turn, and seen", "dim"))
    return parts


def book_blocks(result: Result, width: int) -> list[Block]:
    """Return a line for each pair of a book."""
    names = short_names(row[side] for row in result for side in ("a", "b"))
    twice = Counter((row["a"], row["b"]) for row in result)
    chosen = max(twice.values()) > 1
    headings = say_all(["A", "B", "chosen by", "dice A", "dice B", "worth to A", "A / B wins, %"])
    lines = [
        [
            names[row["a"]],
            names[row["b"]],
            row["chosen_by"] if twice[row["a"], row["b"]] > 1 else "",
            row["dice_a"],
            row["dice_b"],
            shown(row["value"], row["score"]),
            f"{chance(row['p_a'])} / {chance(row['p_b'])}",
        ]
        for row in result
    ]
    legend = say("worth: {}; A / B wins: all of the other side dead", unit(result.rows[0]["score"]))
    if chosen:
        legend += say("; chosen by: of equal PA, the other side places first (C-3.3)")
    return [table_of(headings, lines, "ttwwwnw", dull={""}), styled(legend, "dim")]


def _value(row: Row) -> Block:
    best = (
        say("best play of both") if row["policy"] == "optimal" else say("policy {}", row["policy"])
    )
    return styled(
        say(
            "{}: {}\nworth {} to A ({})\nA wins (all of B dead) {} %, B wins (all of A dead) {} %",
            best,
            row["what"],
            shown(row["value"], row["score"]),
            unit(row["score"]),
            chance(row["p_a"]),
            chance(row["p_b"]),
        )
    )


def _orders(rows: Sequence[Row]) -> Block:
    lines = [[row["what"], row["text"], shown(row["value"], row["score"])] for row in rows]
    title = say("Equal PA: who places first (C-3.3)")
    return table_of(["", "dice", "worth"], lines, "tt", title=title)


def _placements(rows: Sequence[Row]) -> Block:
    """Return what each way to place is worth: the side with fewer ways across."""
    ways = [tuple(part[2:] for part in row["what"].split(", ")) for row in rows]
    sides = [list(dict.fromkeys(way[i] for way in ways))[::-1] for i in (0, 1)]
    across = 1 if len(sides[1]) <= max(len(sides[0]), 1) and len(sides[1]) <= _ACROSS else 0
    down = 1 - across
    cells = {}
    for way, row in zip(ways, rows, strict=True):
        mark = " *" if row["text"] == "played" else ""
        cells[way[down], way[across]] = shown(row["value"], row["score"]) + mark
    lines = [[x, *(cells.get((x, y), "") for y in sides[across])] for x in sides[down]]
    headings = ["A \\ B" if down == 0 else "B \\ A", *sides[across]]
    legend = say("worth to A, the rest being best play; *: what best play places, each in his turn")
    title = say("Dice in attack / in defence")
    return table_of(headings, lines, "w" * len(headings), title=title, legend=legend)


def _unseen(rows: Sequence[Row]) -> Block:
    whole, *mixtures = rows
    lines = [
        [row["side"], row["what"], chance(row["share"])] for row in mixtures if row["share"] > FREE
    ]
    title = say("Placed unseen by both: worth {} to A", shown(whole["value"], whole["score"]))
    return table_of(["", "dice", "how often, %"], lines, "ww", title=title)


def _rules(rows: Sequence[Row]) -> Block:
    lines = [[row["side"], row["text"]] for row in rows]
    legend = say("for the dice that best play places; against dice: those committed to the parry")
    if any("%" in row["text"] for row in rows):
        legend += say("\n(%): how often best play does so, not to be rolled for")
    return table_of(["", ""], lines, "wt", title="How to decide (first turn)", legend=legend)


def _habits(rows: Sequence[Row]) -> Block:
    """Return what habits cost each side, the dearest first; those that cost nothing in a line."""
    cost: dict[str, dict[str, float]] = {}
    for row in rows:
        loss = -row["difference"] if row["side"] == "A" else row["difference"]
        cost.setdefault(row["text"], {})[row["side"]] = loss
    dear = {what: c for what, c in cost.items() if max(c.values()) > FREE}
    score = rows[0]["score"]
    lines = [
        [what, *(_cost(losses.get(side), score) for side in "AB")]
        for what, losses in sorted(dear.items(), key=lambda item: -max(item[1].values()))
    ]
    free = joined("; ", (what for what in cost if what not in dear))
    title = say("What a habit costs, the rest being best play")
    legend = say("cost nothing: {}", free) if free else ""
    headings = [say("habit"), "A", "B"] if lines else []
    return table_of(headings, lines, "t", title=title, legend=legend)


def _cost(loss: float | None, score: str) -> str:
    if loss is None:
        return ""
    return "0" if loss <= FREE else shown(loss, score).lstrip("+")


def _assumed(rows: Sequence[Row]) -> Block:
    """Return how the value moves with what nobody found, the greatest moves first."""
    moved = sorted(
        (row for row in rows if abs(row["difference"]) > FREE),
        key=lambda row: -abs(row["difference"]),
    )
    lines = [
        [
            row["what"],
            shown(row["value"], row["score"]),
            shown(row["difference"], row["score"]),
            row["text"],
        ]
        for row in moved[:_MOVES]
    ]
    less = moved[_MOVES:]
    rest = [say("values that move it by less: {}", len(less))] if less else []
    still = len(rows) - len(moved)
    rest += [say("values that do not move it: {}", still)] if still else []
    title = say("With another value of what nobody found")
    headings = say_all(["", "worth", "moves by", "dice"]) if lines else []
    return table_of(headings, lines, "tnnt", title=title, legend=joined("; ", rest))
