"""Combats as tables: a combat of several, a sweep of duels."""

from collections.abc import Sequence

from ...profiles.message import joined, say
from ..base.percent import UNKNOWN, mean, range_of, rate
from ..base.result import Result, Row
from ..base.sequence import stopping_of, trials_told
from ..text.printing import Block, natural_width, short_names, styled, table_of
from .duel import ENDS, errors_of, outcomes, pair_of, sampled_rows, worth_of

Pair = tuple[str, str, str]  # fighter A, fighter B, who charges
_GRIDS = 12  # most tables of a sweep; more pairs make one long table


def pairs(result: Result) -> dict[Pair, list[Row]]:
    """Return the duels of a sweep by fighter A, fighter B and who charges; once if asked twice."""
    found: dict[Pair, list[Row]] = {}
    for row in result.exact_rows:
        found.setdefault(pair_of(row), []).append(row)
    return found


def charge_text(charge: str) -> str:
    """Return who charges, in words."""
    return say("no charge") if charge == "none" else say("{} charges", charge)


def state_columns(result: Result) -> list[str]:
    """Return the columns of a combat that count final states."""
    columns = result.columns
    states = columns[columns.index("p_dead_high") + 1 : columns.index("wounds")]
    return [state for state in states if not state.startswith("p_")]


def state_told(column: str) -> str:
    """Return the state that a column is about, in words."""
    return joined(", ", column.split("_"))


def combat_blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of a combat of several: who wins, who dies, final states."""
    sides, *fighters = result.exact_rows
    if sides["trials"] is not None:
        fighters = [row for row in fighters if row["fighter"] != "(sides)"]
    keys = _numbered([row["side"] for row in fighters])
    sampled = [row for row in sampled_rows(result) if row["fighter"] != "(sides)"]
    both = bool(sampled) and "z_dead" in sampled[0]
    who = _compared(fighters, sampled, keys) if both else _who(fighters, sampled, keys)
    law = [
        [state_told(state), *(rate(row, f"p_{state}") for row in fighters)]
        for state in state_columns(result)
    ]
    lost = say(
        "mean points lost: A {}, B {}; side A struck first: {} %",
        mean(sides["lost"]),
        mean(sides["destroyed"]),
        rate(sides, "p_first_a"),
    )
    heading = say("final state, % exactly" if both else "final state, %")
    return [
        outcomes(result),
        styled(lost),
        who,
        table_of([heading, *keys], law),
        *worth_of(sides),
    ]


def _who(fighters: Sequence[Row], sampled: Sequence[Row], keys: Sequence[str]) -> Block:
    """Return who fights, and who dies."""
    headings = ["", say("fighter"), say("PA"), say("dice"), say("wounds"), say("dead %")]
    lines = [
        [
            key,
            row["fighter"],
            UNKNOWN if row["pa"] is None else str(row["pa"]),
            row["dice"],
            mean(row["wounds"]),
            rate(row, "p_dead"),
        ]
        for key, row in zip(keys, fighters, strict=True)
    ]
    if sampled:
        headings.append(stopping_of(sampled[0]).of_proportion)
        for line, row in zip(lines, sampled, strict=True):
            line.append(range_of(row, "p_dead"))
    return table_of(headings, lines, "wt")


def _compared(fighters: Sequence[Row], sampled: Sequence[Row], keys: Sequence[str]) -> Block:
    """Return who dies, of the trials and exactly."""
    lines = [
        [
            key,
            row["fighter"],
            rate(row, "p_dead"),
            range_of(row, "p_dead"),
            rate(exact, "p_dead"),
            errors_of(row["z_dead"]),
        ]
        for key, row, exact in zip(keys, sampled, fighters, strict=True)
    ]
    named = stopping_of(sampled[0]).of_proportion
    headings = ["", say("fighter"), say("dead %"), named, say("exact %"), say("difference, SE")]
    return table_of(headings, lines, "wt")


def _numbered(sides: Sequence[str]) -> list[str]:
    """Return ``A1``, ``B1``, ``B2``… for the sides of fighters."""
    return [f"{side}{sides[: i + 1].count(side)}" for i, side in enumerate(sides)]


def sweep_blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of a sweep: a grid for each pair, or one long table."""
    found = pairs(result)
    names = short_names(label for a, b, _ in found for label in (a, b))
    blocks: list[Block] = []
    if len(found) <= _GRIDS and any(len(rows) > 1 for rows in found.values()):
        grids = {pair: _grid(rows) for pair, rows in found.items()}
        if all(natural_width(grid) <= width for grid in grids.values()):
            blocks = [_titled(pair, grid, names) for pair, grid in grids.items()]
    if not blocks:
        blocks = [_long(found, names)]
    row, sampled = result.exact_rows[0], sampled_rows(result)
    legend = [say("A wins / B wins, %; the others are undecided")]
    if row["trials"] is not None:
        trials = trials_told(row["trials"] for row in result.exact_rows)
        legend = [say("A wins / B wins, % of {} trials; the others are undecided", trials)]
    elif sampled:
        legend.append(_agreement(sampled))
    if "best_a" in result.columns:
        legend.append(
            say("*: A's best answer to these dice of B; safest: best for A against B's best reply")
        )
    return [*blocks, styled(joined("\n", legend), "dim")]


def _agreement(sampled: list[Row]) -> str:
    """Return how far sampled odds are from exact ones."""
    gaps = [abs(row[f"z_{name[2:]}"] or 0.0) for row in sampled for name in ENDS.values()]
    return say(
        "sampled besides, {} trials a duel: at most {:.1f} standard errors from these, of {} "
        "proportions",
        trials_told(row["trials"] for row in sampled),
        max(gaps),
        len(gaps),
    )


def _grid(rows: list[Row]) -> list[list[str]]:
    """Return the lines of a table of one pair, headings first: dice of A by dice of B."""
    by_reply: dict[str, list[Row]] = {}
    for row in rows:
        by_reply.setdefault(row["dice_b"], []).append(row)
    columns = []
    headings = ["A \\ B"]
    for reply, column in by_reply.items():
        odds = _odds(column)
        columns.append(dict(zip([row["dice_a"] for row in column], odds, strict=True)))
        headings.append(say("{}{}", " " * (odds[0].index("/") - 1), reply))
    safest = {row["dice_a"] for row in rows if row.get("safest_a")}
    lines = [
        [
            say("{} safest", placed) if placed in safest else placed,
            *(column.get(placed, UNKNOWN) for column in columns),
        ]
        for placed in dict.fromkeys(row["dice_a"] for row in rows)
    ]
    return [headings, *lines]


def _titled(pair: Pair, grid: list[list[str]], names: dict[str, str]) -> Block:
    a, b, charge = pair
    title = say("{} (A) against {} (B), {}", names[a], names[b], charge_text(charge))
    headings, *lines = grid
    return table_of(headings, lines, "w" * len(headings), title=title)


def _odds(rows: list[Row]) -> list[str]:
    """Return what A and B win in each row, slashes aligned, with a star on A's best answers."""
    both = [[rate(row, name) for name in ("p_a", "p_b")] for row in rows]
    widest = max(len(a) for a, _ in both)
    stars = [" *" if row.get("best_a") else "" for row in rows]
    return [f"{a:>{widest}} / {b}{star}" for star, (a, b) in zip(stars, both, strict=True)]


def _long(found: dict[Pair, list[Row]], names: dict[str, str]) -> Block:
    """Return a table with a line for each duel, each pair named once."""
    odds = iter(_odds([row for rows in found.values() for row in rows]))
    lines = []
    for (a, b, charge), rows in found.items():
        who = [names[a], names[b], charge]
        for row in rows:
            safest = "safest" if row.get("safest_a") else ""
            lines.append([*who, row["dice_a"], row["dice_b"], safest, next(odds)])
            who = ["", "", ""]
    headings = ["A", "B", say("charge"), say("dice A"), say("dice B"), "", say("A / B wins, %")]
    return table_of(headings, lines, "ttwwwww", dull={"none", "policy", ""})
