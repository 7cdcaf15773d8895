"""All kinds of answers by name, wherever they are declared."""

from collections.abc import Iterator
from dataclasses import asdict
from importlib import import_module
from pkgutil import iter_modules

from ... import sim
from ...profiles.errors import InputError, suggestion
from ...profiles.message import say
from ..base.answer import AnswerKind, columns
from ..base.result import Result
from ..text.printing import Block, styled, table_of

STATS = ("INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS")
PROFILES = AnswerKind(
    "profiles",
    columns("text", "name of the fighter", "name", unit="fighter")
    + columns("text", "its people and its role", "people", "role")
    + columns("text", "as what it casts", "caster")
    + columns("number", "how far it moves", "MOU", unit="cm")
    + columns(
        "whole",
        "characteristic of the card",
        *["INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS"],
    )
    + columns("whole", "price of the fighter", "PA", unit="PA")
    + columns("text", "size of the fighter", "size")
    + columns("whole", "power of the fighter", "power")
    + columns("text", "its base in mm", "base")
    + columns("text", "weapon that it shoots with", "weapon")
    + columns("whole", "strength of that weapon", "weapon_FOR")
    + columns("text", "short, medium and long range of it in cm", "ranges")
    + columns("text", "abilities, with a bar between any two", "abilities")
    + columns("text", "where the figures come from", "origin", "confidence", "source", "note"),
)
EDITION = AnswerKind(
    "edition",
    columns("text", "key of the value", "key")
    + columns("text", "the value", "value")
    + columns("text", "who says so: seed, source, assumed, reading or yours", "mark")
    + columns("text", "clause and source of the value", "clause", "source"),
)

COLUMNS = AnswerKind(
    "columns",
    columns("text", "name of the column; {state}: one for each state", "name")
    + columns("text", "text, whole, long, number or truth", "type")
    + columns("text", "what it means", "meaning")
    + columns("text", "what it counts, or whose name it is", "unit")
    + columns("truth", "whether only some answers have it", "is_optional"),
    text="ask.kinds:columns_table",
)

_ABOVE = ("ask", "audit", "batch", "bench", "cli", "report")  # rooms that declare none


def kinds() -> Iterator[AnswerKind]:
    """Yield all kinds of answers, loading one after the other the rooms that declare them."""
    known = {kind.name: kind for kind in (PROFILES, EDITION, COLUMNS)}
    yield from known.values()
    for room in iter_modules(sim.__path__, "estoc.sim."):
        if room.ispkg and room.name.rpartition(".")[2] not in _ABOVE:
            for file in iter_modules(import_module(room.name).__path__, f"{room.name}."):
                for kind in vars(import_module(file.name)).values():
                    if isinstance(kind, AnswerKind) and known.get(kind.name) is not kind:
                        known[kind.name] = kind
                        yield kind


def kind_named(name: str) -> AnswerKind | None:
    """Return the kind that has a name, as ``duel`` or ``sheet-lost``; None if there is none."""
    return next((kind for kind in kinds() if kind.name == name), None)


def columns_of(name: str) -> Result:
    """Return the columns of a kind of answers, a row each.

    Raises
    ------
    InputError
        If no kind is called so.
    """
    kind = kind_named(name)
    if kind is None:
        known = sorted(each.name for each in kinds())
        raise InputError('columns: no answers are called "{}"; {}', name, suggestion(name, known))
    return Result(COLUMNS, [asdict(column) for column in kind.schema], say("columns of {}", name))


def columns_table(result: Result, width: int) -> list[Block]:
    """Return columns as a table, those that only some answers have in brackets."""
    lines = [
        [
            f"({row['name']})" if row["is_optional"] else row["name"],
            row["type"],
            row["unit"],
            row["meaning"],
        ]
        for row in result
    ]
    legend = styled("in brackets: only where it is asked for", "dim")
    headings = [say("column"), say("type"), say("unit"), say("meaning")]
    return [
        table_of(headings, lines, "iiwt"),
        *[legend] * any(row["is_optional"] for row in result),
    ]
