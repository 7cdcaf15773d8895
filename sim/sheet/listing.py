"""Situations and readings that come with the program, and a new situation to fill in."""

from pathlib import Path

from ...kernels.layout.sheet import Kind
from ...profiles.errors import InputError
from ...profiles.files.reading import shipped_file
from ...profiles.files.toml import shipped_names
from ...profiles.message import say
from ...profiles.sheet.pieces import Situation
from ...profiles.sheet.readings import load_switches
from ...profiles.sheet.situation import load_situation
from ..base.answer import AnswerKind, columns
from ..base.result import Result
from ..text.printing import Block, table_of
from ..text.speech import language

SITUATIONS = AnswerKind(
    "sheet-situations",
    columns("text", "name of the situation, and what it is", "name", "what")
    + columns("text", "its sides", "sides")
    + columns("whole", "wings and pieces that it has", "wings", "pieces")
    + columns("whole", "pieces of this kind", *(kind.name.lower() for kind in Kind))
    + columns("text", "size of its map", "map"),
)

READINGS = AnswerKind(
    "sheet-readings",
    columns("text", "switch by which the sheet is read", "switch")
    + columns("text", "question that it answers, by its number and in words", "question", "text")
    + columns("text", "a reading, and what it means", "value", "meaning")
    + columns("truth", "whether it is the one that is chosen", "chosen"),
)


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
    return Result(SITUATIONS, rows, say("situations of the sheet"))


def _size(situation: Situation) -> str:
    """Return the columns and rows of a map; where relations are given there may be none."""
    if all(piece.place is None for piece in situation.pieces):
        return "none"
    return f"{situation.grid.columns} x {len(situation.grid.rows)}"


def situations_table(result: Result) -> Block:
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
    return Result(READINGS, rows, say("readings of the sheet"))


def readings_table(result: Result) -> Block:
    """Return readings as a table, a block for each switch."""
    lines = []
    for row in result:
        if row["chosen"]:
            lines.append([row["question"], row["switch"], row["text"]])
        mark = "*" if row["chosen"] else " "
        lines.append(["", f"  {mark} {row['value']}", row["meaning"]])
    return table_of(["", "switch", "* the reading that is chosen"], lines, "wit")


def new_situation(path: str | Path) -> Path:
    """Write a new situation with a remark on each key, in the language in use."""
    target = Path(path)
    if target.suffix != ".toml":
        raise InputError("{}: a situation is a .toml file; name it so", target)
    text = shipped_file(f"sheet/sheet-new-{language()}.toml").read_bytes()
    try:
        with target.open("xb") as file:
            file.write(text)
    except FileExistsError:
        raise InputError("{}: is there already; take another name", target) from None
    except OSError as error:
        raise InputError("{}: cannot be written: {}", target, error.strerror) from None
    return target
