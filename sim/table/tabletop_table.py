"""The table as a list: fighters, where they stand, whom they touch."""

from ...profiles.message import say, say_all
from ..base.result import Result
from ..text.printing import Block, styled, table_of


def blocks(result: Result, width: int) -> list[Block]:
    """Return the fighters of a table, then its terrain and its zones."""
    fighters = [row for row in result if row["section"] == "fighter"]
    lines = [
        [
            row["side"],
            row["name"],
            say("{:g}, {:g}", row["x"], row["y"]),
            f"{round(row['facing']) % 360}°",
            row["base"],
            "" if row["melee"] is None else str(row["melee"]),
            row["touches"],
        ]
        for row in fighters
    ]
    headings = say_all(["", "fighter", "aim point", "facing", "base, mm", "melee", "touches"])
    parts = [table_of(headings, lines, "wtwnwnt")]
    terrain = [row for row in result if row["section"] == "terrain"]
    pieces = [[row["name"], row["kind"], f"{row['height']:g}"] for row in terrain]
    if pieces:
        parts.append(table_of(["terrain", "kind", "height, cm"], pieces, "tw"))
    zones = [[row["name"], str(row["points"])] for row in result if row["section"] == "zone"]
    if zones:
        parts.append(table_of(["zone", "points"], zones, "t"))
    return [*parts, styled("lengths in cm from the lower left corner", "dim")]
