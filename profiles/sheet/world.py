"""The world around the sheet: ground, moves, what comes of fights; all assumed (6)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, create_model

from ...kernels.layout.sheet import MAX_OUTCOMES, Effect, Kind, Mark, Outcome
from ..errors import InputError, suggestion
from ..files.reading import shipped_file
from ..files.toml import Table, read_toml, shared, validated
from ..message import joined, say
from .hexes import HOLES

_FILE = shipped_file("sheet/sheet-world.toml")
_MARKS = {"charge": Mark.CHARGE.value, "contact": Mark.CONTACT.value, "none": 0}

_Turn = Annotated[int, Field(ge=0, le=5)]
_Hexes = Annotated[int, Field(ge=0, le=99)]
_Points = Annotated[int, Field(ge=1, le=99)]
_EffectName = Literal["cohesion", "cohesion_again", "step", "breath", "ammo_out", "pushed"]


@dataclass(frozen=True)
class Terrain:
    """What a hex is covered with."""

    name: str
    cost: Mapping[str, int | None]  # movement points of entering it, by mover; None: impassable
    blocks_sight: bool  # whether it hides what is behind it


class OutcomeRow(NamedTuple):
    """A row of an outcome table: how often, and bits of `Effect` on the two."""

    weight: int
    actor: int
    target: int


@dataclass(frozen=True)
class World:
    """Ground, moves and fights; every value is an assumption."""

    movers: Sequence[str]  # in the order of the rows of `HexMap.cost`
    terrains: Mapping[str, Terrain]  # by letter
    leave_cost: int
    stack_limit: int
    order_range: int
    spell_range: int
    fire_range: int
    decoys: int
    allowance: Mapping[Kind, int]  # movement points
    # bits of the turns from the facing: to hexes in front, and that Faire Face may make
    front: Mapping[Kind, int]
    face: Mapping[Kind, int]
    contact_mark: int  # bit of `Mark` that an attack move gives to who comes to engage; 0: none
    outcomes: Mapping[Outcome, tuple[OutcomeRow, ...]]
    values: Mapping[str, str]  # all of it by key, as it is printed

    @property
    def digest(self) -> str:
        """Hash of all values, to print beside results."""
        return sha256(str(sorted(self.values.items())).encode()).hexdigest()[:12]

    def assumed(self, parts: Collection[str] = ()) -> list[tuple[str, str]]:
        """Return the assumed values by key, of parts as ``("front", "outcome")`` or of all."""
        return [(k, v) for k, v in self.values.items() if not parts or k.split(".")[0] in parts]

    def outcome_arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return weights, and bits of effects on the actor and the target: (OUTCOMES, rows)."""
        found = np.zeros((3, len(Outcome), MAX_OUTCOMES), np.int64)
        for outcome, rows in self.outcomes.items():
            found[:, outcome, : len(rows)] = np.array(rows, np.int64).T
        return found[0], found[1], found[2]


class _TerrainTable(Table):
    letter: str = Field(min_length=1, max_length=1)
    name: str
    cost: dict[str, _Points]
    blocks_sight: bool


class _RowTable(Table):
    weight: int = Field(ge=1, le=1000)
    actor: list[_EffectName]
    target: list[_EffectName]


def _table_of(codes: type[IntEnum], kind: Any) -> Any:
    """Return a table with a value for each code, by its name."""
    keys: Any = {code.name: (kind, ...) for code in codes}
    return create_model(codes.__name__, __base__=Table, **keys)


_Rows = Annotated[list[_RowTable], Field(min_length=1, max_length=MAX_OUTCOMES)]
_PointsTable, _TurnsTable = _table_of(Kind, _Points), _table_of(Kind, list[_Turn])
_OutcomeTable = _table_of(Outcome, _Rows)


class _WorldTable(Table):
    basis: Literal["assumption"]
    movers: list[str] = Field(min_length=1, max_length=8)
    leave_cost: _Points
    stack_limit: _Points
    order_range: _Hexes
    spell_range: _Hexes
    fire_range: _Points
    decoys: _Hexes
    contact_mark: Literal["charge", "contact", "none"]
    allowance: _PointsTable  # type: ignore[valid-type]
    front: _TurnsTable  # type: ignore[valid-type]
    face: _TurnsTable  # type: ignore[valid-type]
    terrain: list[_TerrainTable] = Field(min_length=1)
    outcome: _OutcomeTable  # type: ignore[valid-type]


def load_world(path: str | Path | None = None) -> World:
    """Return the world of a file, or the shipped one."""
    where = str(path or _FILE)
    raw = read_toml(Path(where))
    read = validated(_WorldTable, raw, where)
    made = {
        "terrains": _terrains(read, where),
        "allowance": {kind: getattr(read.allowance, kind.name) for kind in Kind},
        "front": {kind: _turns(getattr(read.front, kind.name)) for kind in Kind},
        "face": {kind: _turns(getattr(read.face, kind.name)) for kind in Kind},
        "contact_mark": _MARKS[read.contact_mark],
        "outcomes": {code: _rows(getattr(read.outcome, code.name)) for code in Outcome},
        "values": dict(_told(raw)),
    }
    return World(**shared(read, World) | made)


def _terrains(read: _WorldTable, where: str) -> dict[str, Terrain]:
    found: dict[str, Terrain] = {}
    for number, table in enumerate(read.terrain, 1):
        place = say("{}: terrain: item {}", where, number)
        if table.letter in HOLES or table.letter in found:
            fault = say("is no hex" if table.letter in HOLES else "is another terrain's")
            raise InputError('{}: letter "{}" {}; take another one', place, table.letter, fault)
        for mover in table.cost:
            if mover not in read.movers:
                known = suggestion(mover, read.movers)
                raise InputError('{}: cost: no mover "{}"; {}', place, mover, known)
        cost = {mover: table.cost.get(mover) for mover in read.movers}
        found[table.letter] = Terrain(table.name, cost, table.blocks_sight)
    return found


def _turns(turns: Sequence[int]) -> int:
    return sum({1 << turn for turn in turns})


def _rows(tables: Sequence[_RowTable]) -> tuple[OutcomeRow, ...]:
    return tuple(OutcomeRow(row.weight, _bits(row.actor), _bits(row.target)) for row in tables)


def _bits(effects: Sequence[str]) -> int:
    return sum({Effect[name.upper()].value for name in effects})


def _told(raw: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the values of a file by key, in words."""
    found: list[tuple[str, str]] = []
    for key, value in raw.items():
        if key == "terrain":
            found += [(f"terrain.{each['letter']}", _terrain_told(each)) for each in value]
        elif key == "outcome":
            found += [(f"outcome.{name}", _outcome_told(rows)) for name, rows in value.items()]
        elif isinstance(value, dict):
            found += [(f"{key}.{name}", _value_told(each)) for name, each in value.items()]
        elif key != "basis":
            found.append((key, _value_told(value)))
    return found


def _terrain_told(table: Mapping[str, Any]) -> str:
    cost = ", ".join(f"{mover} {points}" for mover, points in table["cost"].items())
    return (
        say("{}: {}; blocks sight", table["name"], cost)
        if table["blocks_sight"]
        else say("{}: {}", table["name"], cost)
    )


def _outcome_told(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return an outcome table as ``1: actor cohesion; 2: nothing``."""
    parts = []
    for row in rows:
        sides = [f"{who} {'+'.join(row[who])}" for who in ("actor", "target") if row[who]]
        parts.append(say("{}: {}", row["weight"], sides or say("nothing")))
    return joined("; ", parts)


def _value_told(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(each) for each in value) or say("none")
    return str(value)
