"""What of the activation sheet can be named: situations, and readings of it."""

from typing import TYPE_CHECKING

from estoc.kernels.sheet_codes import Kind
from estoc.profiles.pieces import Situation
from estoc.profiles.sheet_readings import load_switches
from estoc.profiles.situation import load_situation
from estoc.profiles.toml import shipped_names
from estoc.sim.printing import table_of
from estoc.sim.result import Result

if TYPE_CHECKING:
    from rich.console import RenderableType


def situations() -> Result:
    """Return the situations that come with the package, a row each."""
    rows = []
    for name in shipped_names("situation"):
        found = load_situation(name)
        kinds = [piece.kind for piece in found.pieces]
        rows.append(
            {
                "name": name,
                "what": found.name,
                "sides": " ".join(found.sides),
                "wings": len(found.wings),
                "pieces": len(kinds),
                **{kind.name.lower(): kinds.count(kind) for kind in Kind},
                "map": _size(found),
            }
        )
    return Result("sheet-situations", rows, "situations of the sheet")


def _size(situation: Situation) -> str:
    """Return the columns and rows of a map; where relations are given there may be none."""
    if all(piece.place is None for piece in situation.pieces):
        return "none"
    return f"{situation.grid.columns} x {len(situation.grid.rows)}"


def situations_table(result: Result) -> "RenderableType":
    """Return situations as a table."""
    columns = ["name", "", "sides", "wings", "pieces", "map"]
    keys = ["name", "what", "sides", "wings", "pieces", "map"]
    return table_of(columns, [[str(row[key]) for key in keys] for row in result], "ittnnt")


def readings() -> Result:
    """Return the readings of each switch, the chosen one first."""
    rows = [
        {
            "switch": switch.key,
            "question": switch.question,
            "text": switch.text,
            "value": value,
            "meaning": meaning,
            "chosen": place == 0,
        }
        for switch in load_switches()
        for place, (value, meaning) in enumerate(switch.values.items())
    ]
    return Result("sheet-readings", rows, "readings of the sheet")


def readings_table(result: Result) -> "RenderableType":
    """Return readings as a table, a block for each switch."""
    lines = []
    for row in result:
        if row["chosen"]:
            lines.append([row["question"], row["switch"], row["text"]])
        mark = "*" if row["chosen"] else " "
        lines.append(["", f"  {mark} {row['value']}", row["meaning"]])
    return table_of(["", "switch", "* the reading that is chosen"], lines, "wit")
