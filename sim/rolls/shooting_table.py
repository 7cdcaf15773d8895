"""A shot as a table."""

from ...kernels.layout.combat import Outcome
from ...profiles.message import joined, say, say_all
from ..base.percent import chance, figure, share_cells
from ..base.result import Result, Row
from ..base.sequence import stopping_of, trials_told
from ..text.printing import Block, natural_width, styled, table_of


def blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of the table: the test, then wounds, then the target."""
    row = result.rows[0]
    shots = list(dict.fromkeys((r["band"], r["moved"]) for r in result))
    found = [[r for r in result if (r["band"], r["moved"]) == shot] for shot in shots]
    best = [rows[0] for rows in found]
    cover = say(", Target/+{} counted", row["cover"]) if row["cover"] else ""
    told = say(
        "TIR {} against the difficulty{}; ranges {} cm; wound roll with FOR {} against "
        "RES {} (W-6)",
        row["aim"],
        cover,
        row["ranges"],
        row["strength"],
        row["resistance"],
    )
    states = [name for name in row if name.startswith("p_state_")]
    outcomes = [f"p_outcome_{outcome.name.lower()}" for outcome in Outcome]
    possible = [name for name in states if any(r[name] for r in best)]
    return [
        _tests(result, found, width),
        styled(told),
        _shares(say("result of the shot, %"), best, ["p_miss", *outcomes]),
        _shares(say("{} after it, %", row["target"]), best, possible),
    ]


def _tests(result: Result, found: list[list[Row]], width: int) -> Block:
    """Return the test of TIR of each shot; of columns that are too wide, headings are broken."""
    headings = say_all(["range", "shooter", "difficulty", "die"])
    lines = [_line(rows[0]) for rows in found]
    if result.rows[0]["trials"] is None:
        headings.append(say("hit, %"))
        lines = [[*line, chance(rows[0]["p_hit"])] for line, rows in zip(lines, found, strict=True)]
    sampled = [rows[-1] for rows in found]
    if sampled[0]["trials"] is not None:
        trials = trials_told(row["trials"] for row in sampled)
        headings += [say("% of {} trials", trials), stopping_of(sampled[0]).of_proportion]
        for line, row in zip(lines, sampled, strict=True):
            line += share_cells(row["hit"], row["trials"], stopping_of(row))
        if natural_width([headings, *lines]) > width:
            headings[-2] = say("% of\n{}\ntrials", trials)
    return table_of(headings, lines, "ww")


def _line(row: Row) -> list[str]:
    """Return the first cells of a shot."""
    goal = f"{max(row['goal'], 1)}+"
    return [row["band"], _stance(row), str(row["difficulty"]), goal]


def _stance(row: Row) -> str:
    return "moved" if row["moved"] else "still"


def _shares(heading: str, rows: list[Row], names: list[str]) -> Block:
    """Return chances, one a line, a column for each shot."""
    lines = [["", *map(_stance, rows)]]
    for name in names:
        words = name.removeprefix("p_").removeprefix("outcome_").removeprefix("state_")
        lines.append([joined(", ", words.split("_")), *(_cell(row, name) for row in rows)])
    return table_of([heading, *(row["band"] for row in rows)], lines, "w")


def _cell(row: Row, name: str) -> str:
    if row["trials"] is None:
        return chance(1 - row["p_hit"] if name == "p_miss" else row[name])
    count = row["trials"] - row["hit"] if name == "p_miss" else row[name.removeprefix("p_")]
    return figure(count, row["trials"], stopping=stopping_of(row))
