"""Scenario files: a table, its terrain, and fighters placed on it (M-1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, pi, radians, sin
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from estoc.kernels.table_codes import MAX_BASES, MAX_CORNERS, MAX_TERRAIN
from estoc.profiles.errors import InputError, suggestion
from estoc.profiles.load import Roster
from estoc.profiles.names import fold, tidy
from estoc.profiles.schema import SIZES, Profile
from estoc.profiles.toml import read_toml, toml_path, validated

Point = tuple[float, float]

_FLAT = 1e-6  # radians of a turn: less is a straight edge


@dataclass(frozen=True)
class Terrain:
    """A piece of terrain: a convex shape on the table, in cm.

    Parameters
    ----------
    name : str
    corners : tuple of (float, float)
        Counter-clockwise.
    impassable : bool
        Whether it is gone round, not crossed (M-1.2).
    height : float
        In cm: what crossing it costs (M-1.4).
    size : str
        Size that it counts as, beside that of a fighter who crosses it or looks past it.
    """

    name: str
    corners: tuple[Point, ...]
    impassable: bool = False
    height: float = 0.0
    size: str = "moyenne"


@dataclass(frozen=True)
class Placed:
    """A fighter on the table.

    Parameters
    ----------
    label : str
        Unlike that of any other.
    profile : Profile
    side : {"A", "B"}
    at : (float, float)
        Its aim point, in cm from the table's lower left corner.
    facing : float
        In degrees, counter-clockwise; 0 looks to the right.
    level : int
        0 is the ground.
    wounds : str
        As `estoc.profiles.compile.state_code` reads them.
    """

    label: str
    profile: Profile
    side: str
    at: Point
    facing: float
    level: int = 0
    wounds: str = ""

    @property
    def direction(self) -> Point:
        """Unit vector of the facing."""
        return cos(radians(self.facing)), sin(radians(self.facing))


@dataclass(frozen=True)
class Scenario:
    """A table with all that stands on it.

    Parameters
    ----------
    name : str
    width, depth : float
        Of the table, in cm.
    terrain : tuple of Terrain
    fighters : tuple of Placed
    file : str
        As it was named.
    """

    name: str
    width: float
    depth: float
    terrain: tuple[Terrain, ...]
    fighters: tuple[Placed, ...]
    file: str = ""

    def find(self, name: str) -> int:
        """Return the number of a fighter, by its label in any case, or a beginning of it.

        Raises
        ------
        InputError
            If none or several answer.
        """
        labels = [placed.label for placed in self.fighters]
        same = [i for i, label in enumerate(labels) if fold(label) == fold(name)]
        begun = [i for i, label in enumerate(labels) if fold(label).startswith(fold(name))]
        found = same or (begun if fold(name) else [])
        if len(found) == 1:
            return found[0]
        if found:
            several = "; ".join(labels[i] for i in found)
            raise InputError(f'{self.file or self.name}: "{name}" could be {several}')
        raise InputError(
            f'{self.file or self.name}: no fighter is called "{name}"; {suggestion(name, labels)}'
        )


class _TerrainTable(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    name: str = Field(min_length=1)
    kind: Literal["impassable", "relief"] = "impassable"
    corners: list[list[float]] = []
    rectangle: list[float] = []
    height: float = Field(default=0.0, ge=0, le=100)
    size: str = "moyenne"


class _FighterTable(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    name: str = Field(min_length=1)
    side: Literal["A", "B"]
    at: list[float] = Field(min_length=2, max_length=2)
    facing: float | str = 0.0
    label: str = ""
    level: int = Field(default=0, ge=0, le=9)
    wounds: str = ""


class _ScenarioTable(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    name: str = Field(min_length=1)
    table: list[float] = Field(default=[120.0, 120.0], min_length=2, max_length=2)
    terrain: list[_TerrainTable] = Field(default=[], max_length=MAX_TERRAIN)
    fighters: list[_FighterTable] = Field(min_length=1, max_length=MAX_BASES)


def load_scenario(name: str | Path, roster: Roster | None = None) -> Scenario:
    """Return a scenario.

    Parameters
    ----------
    name : str or Path
        A ``.toml`` file, or the name of one that comes with the package.
    roster : Roster, optional
        Where fighters are looked up; the shipped one if not given.

    Raises
    ------
    InputError
        For a wrong file: the message says where and what would be right.
    """
    path = toml_path("scenario", str(name), Path(), "a scenario", "scenario")
    read = validated(_ScenarioTable, read_toml(path), str(path))
    if min(read.table) <= 0:
        raise InputError(f"{path}: table should be width and depth in cm, not {read.table}")
    roster = Roster.load() if roster is None else roster
    terrain = [
        _terrain(piece, f"{path}: terrain item {n}") for n, piece in enumerate(read.terrain, 1)
    ]
    labels = _labels(read.fighters, path)
    placed = []
    for n, (row, label) in enumerate(zip(read.fighters, labels, strict=True), 1):
        where = f"{path}: fighters item {n}"
        try:
            profile = roster.find(tidy(row.name))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        facing = _facing(row, read.fighters, labels, where)
        at = (float(row.at[0]), float(row.at[1]))
        placed.append(Placed(label, profile, row.side, at, facing, row.level, row.wounds))
    width, depth = map(float, read.table)
    return Scenario(tidy(read.name), width, depth, tuple(terrain), tuple(placed), str(name))


def _labels(rows: Sequence[_FighterTable], path: Path) -> list[str]:
    """Return what each fighter is called: its label, or its name, numbered if several have it."""
    wanted = [tidy(row.label or row.name) for row in rows]
    counts = [sum(fold(other) == fold(label) for other in wanted) for label in wanted]
    seen: dict[str, int] = {}
    labels: list[str] = []
    for label, count, row in zip(wanted, counts, rows, strict=True):
        number = seen[fold(label)] = seen.get(fold(label), 0) + 1
        labels.append(label if count == 1 or row.label else f"{label}#{number}")
    for n, (label, count, row) in enumerate(zip(labels, counts, rows, strict=True), 1):
        if not label:
            raise InputError(f"{path}: fighters item {n}: label should not be blank")
        before = [fold(other) for other in labels[: n - 1]]
        if (row.label and count > 1) or fold(label) in before:
            raise InputError(f'{path}: fighters item {n}: label "{label}" is there twice')
    return labels


def _facing(
    row: _FighterTable, rows: Sequence[_FighterTable], labels: Sequence[str], where: str
) -> float:
    """Return a facing in degrees; a text names the fighter that is looked at."""
    if not isinstance(row.facing, str):
        return row.facing % 360 % 360  # the rest of a tiny negative one is 360
    facing = tidy(row.facing)
    folded = [fold(label) for label in labels]
    if fold(facing) not in folded:
        raise InputError(
            f'{where}: facing should be degrees or a fighter; no "{facing}"; '
            f"{suggestion(facing, labels)}"
        )
    target = rows[folded.index(fold(facing))]
    dx, dy = target.at[0] - row.at[0], target.at[1] - row.at[1]
    if hypot(dx, dy) == 0:
        raise InputError(f"{where}: facing: {facing} is at the same place")
    return degrees(atan2(dy, dx)) % 360


def _terrain(row: _TerrainTable, where: str) -> Terrain:
    sizes = {fold(size): size for size in SIZES}
    sizes |= {fold(word): size for size, words in SIZES.items() for word in words}
    if fold(row.size) not in sizes:
        size = tidy(row.size)
        raise InputError(f'{where}: size "{size}" is unknown; {suggestion(size, SIZES)}')
    if bool(row.corners) == bool(row.rectangle):
        raise InputError(f"{where}: give corners, or a rectangle = [left, bottom, width, depth]")
    corners = _rectangle(row.rectangle, where) if row.rectangle else _polygon(row.corners, where)
    impassable = row.kind == "impassable"
    return Terrain(tidy(row.name), corners, impassable, row.height, sizes[fold(row.size)])


def _rectangle(numbers: Sequence[float], where: str) -> tuple[Point, ...]:
    if len(numbers) != 4 or min(numbers[2:]) <= 0:
        raise InputError(
            f"{where}: rectangle should be [left, bottom, width, depth] in cm, not {numbers}"
        )
    x, y, w, d = map(float, numbers)
    return (x, y), (x + w, y), (x + w, y + d), (x, y + d)


def _polygon(rows: Sequence[Sequence[float]], where: str) -> tuple[Point, ...]:
    """Return corners counter-clockwise, if they make a convex shape."""
    if not 3 <= len(rows) <= MAX_CORNERS or any(len(row) != 2 for row in rows):
        raise InputError(f"{where}: corners should be 3 to {MAX_CORNERS} pairs [x, y], in cm")
    corners = [(float(x), float(y)) for x, y in rows]
    turns = [_turn(corners[i - 2], corners[i - 1], corners[i]) for i in range(len(corners))]
    once = abs(abs(sum(turns)) - 2 * pi) < _FLAT  # a star goes round more than once
    if once and all(turn < -_FLAT for turn in turns):
        return tuple(reversed(corners))
    if not once or not all(turn > _FLAT for turn in turns):
        raise InputError(
            f"{where}: corners should go round a convex shape; cut another one into several"
        )
    return tuple(corners)


def _turn(a: Point, b: Point, c: Point) -> float:
    """Return by how much a way turns left at its second point, in radians."""
    (px, py), (qx, qy) = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
    return atan2(px * qy - py * qx, px * qx + py * qy)
