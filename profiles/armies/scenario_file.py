"""Scenario files: what their tables may hold, and the scenario that they say."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import atan2, degrees, dist, hypot, pi
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ...kernels.layout.table import MAX_BASES, MAX_CORNERS, MAX_TERRAIN
from ..errors import InputError, meant_place, suggestion
from ..fighters.card import SIZES
from ..fighters.roster import Roster
from ..files.toml import Table, load, shared
from ..letters import fold, spelled, tidy
from ..message import say
from .army import people_named
from .card_policy import load_card_policy
from .scenario import (
    LEAST_TABLE,
    MOST_MYSTICS,
    MOST_TABLE,
    MOST_TURNS,
    MOST_ZONES,
    TURNS,
    Placed,
    Point,
    Scenario,
    Side,
    Survival,
    Terrain,
    Victory,
    Zone,
)

_THINNEST = 0.01  # cm of a side of terrain
_FLAT = 1e-6  # radians of a turn: less is a straight edge
# Terrain may reach beyond the table, but not out of the world.
_Coordinate = Annotated[float, Field(ge=-MOST_TABLE, le=2 * MOST_TABLE)]


class _TerrainTable(Table):
    name: str = Field(min_length=1)
    kind: Literal["impassable", "relief"] = "impassable"
    corners: list[list[_Coordinate]] = []
    rectangle: list[_Coordinate] = []
    height: float = Field(default=0.0, ge=0, le=100)
    size: str = "moyenne"


class _FighterTable(Table):
    name: str = Field(min_length=1)
    side: Literal["A", "B"]
    at: list[_Coordinate] = Field(min_length=2, max_length=2)
    facing: float | str = 0.0
    label: str = ""
    level: int = Field(default=0, ge=0, le=9)
    wounds: str = ""
    mystics: list[str] = Field(default=[], max_length=MOST_MYSTICS)
    mana: int = Field(default=0, ge=0, le=99)
    faith: int = Field(default=0, ge=0, le=99)
    routed: bool = False


class _SideTable(Table):
    name: str = ""
    people: str = ""
    alliance: str = ""
    cards: str = ""
    edge: Literal["", "left", "right", "bottom", "top"] = ""


class _SidesTable(Table):
    A: _SideTable = _SideTable()
    B: _SideTable = _SideTable()


class _ZoneTable(Table):
    name: str = Field(min_length=1)
    corners: list[list[_Coordinate]] = []
    rectangle: list[_Coordinate] = []
    points: int = Field(ge=1, le=9999)


class _SurvivalTable(Table):
    fighter: str
    points: int = Field(ge=1, le=9999)


class GroundTable(Table):
    """What a file says of a table, its terrain, and what is fought for there."""

    name: str = Field(min_length=1)
    table: list[float] = Field(default=[120.0, 120.0], min_length=2, max_length=2)
    turns: int = Field(default=TURNS, ge=1, le=MOST_TURNS)
    victory: Victory = Victory()
    terrain: list[_TerrainTable] = Field(default=[], max_length=MAX_TERRAIN)
    zones: list[_ZoneTable] = Field(default=[], max_length=MOST_ZONES)


class _ScenarioTable(GroundTable):
    sides: _SidesTable = _SidesTable()
    fighters: list[_FighterTable] = Field(min_length=1, max_length=MAX_BASES)
    survival: list[_SurvivalTable] = Field(default=[], max_length=MAX_BASES)


def load_scenario(name: str | Path, roster: Roster | None = None) -> Scenario:
    """Return a scenario."""
    read, path = load("scenario", name, _ScenarioTable)
    roster = Roster.load() if roster is None else roster
    scenario = replace(
        ground_of(read, path, str(name)),
        fighters=tuple(_placed(read.fighters, roster, path)),
        sides=(_side(read, "A", roster, path), _side(read, "B", roster, path)),
    )
    return replace(scenario, survival=tuple(_survival(read.survival, scenario, path)))


def ground_of(read: GroundTable, path: Path, file: str) -> Scenario:
    """Return a table without anybody on it."""
    if not all(LEAST_TABLE <= side <= MOST_TABLE for side in read.table):
        raise InputError(
            "{}: table should be width and depth in cm, {:.0f} to {:.0f} each, not {}",
            path,
            LEAST_TABLE,
            MOST_TABLE,
            str(read.table),
        )
    width, depth = map(float, read.table)
    terrain = enumerate(read.terrain, 1)
    return Scenario(
        tidy(read.name),
        width,
        depth,
        tuple(_terrain(piece, say("{}: terrain item {}", path, n)) for n, piece in terrain),
        (),
        file,
        turns=read.turns,
        zones=tuple(
            _zone(row, say("{}: zones item {}", path, n)) for n, row in enumerate(read.zones, 1)
        ),
        victory=read.victory,
    )


def _placed(rows: Sequence[_FighterTable], roster: Roster, path: Path) -> Iterator[Placed]:
    """Yield the fighters on the table."""
    labels = _labels(rows, path)
    for n, (row, label) in enumerate(zip(rows, labels, strict=True), 1):
        where = say("{}: fighters item {}", path, n)
        try:
            profile = roster.find(tidy(row.name))
        except InputError as error:
            raise InputError("{}: {}", where, error) from None
        made = {
            "label": label,
            "profile": profile,
            "at": (float(row.at[0]), float(row.at[1])),
            "facing": _facing(row, rows, labels, where),
            "mystics": _mystics(row.mystics, where),
        }
        yield Placed(**shared(row, Placed) | made)


def _mystics(names: Sequence[str], where: str) -> tuple[str, ...]:
    """Return the names of mystic actions, each of them once."""
    found = tuple(map(tidy, names))
    for n, name in enumerate(found):
        if not name:
            raise InputError("{}: mystics should be names, not blank", where)
        if fold(name) in map(fold, found[:n]):
            raise InputError('{}: mystics: "{}" is there twice', where, name)
    return found


def _side(read: _ScenarioTable, letter: str, roster: Roster, path: Path) -> Side:
    row: _SideTable = getattr(read.sides, letter)
    where = say("{}: sides: {}", path, letter)
    policy = None
    if row.cards:
        try:
            policy = load_card_policy(row.cards, path.parent)
        except InputError as error:
            raise InputError("{}: cards: {}", where, error) from None
        if policy.optimal:
            raise InputError(
                '{}: cards: policy "{}" needs exact odds, which a battle has not; take another one',
                where,
                policy.name,
            )
    people = people_named(tidy(row.people), roster, say("{}: people", where))
    return Side(tidy(row.name), people, tidy(row.alliance), policy, row.edge)


def _zone(row: _ZoneTable, where: str) -> Zone:
    return Zone(tidy(row.name), _corners(row, where), row.points)


def _survival(rows: Sequence[_SurvivalTable], scenario: Scenario, path: Path) -> Iterator[Survival]:
    """Yield who is worth points alive, each fighter once."""
    seen: set[int] = set()
    for n, row in enumerate(rows, 1):
        where = say("{}: survival item {}", path, n)
        fighter = replace(scenario, file=where).find(row.fighter)
        if fighter in seen:
            label = scenario.fighters[fighter].label
            raise InputError("{}: {} is there twice; add the points up", where, label)
        seen.add(fighter)
        yield Survival(fighter, row.points)


def _labels(rows: Sequence[_FighterTable], path: Path) -> list[str]:
    """Return what each fighter is called: its label, or its name, numbered if several have it."""
    wanted = [tidy(row.label or row.name) for row in rows]
    counts = [sum(spelled(other) == spelled(label) for other in wanted) for label in wanted]
    seen: dict[str, int] = {}
    labels: list[str] = []
    for label, count, row in zip(wanted, counts, rows, strict=True):
        number = seen[spelled(label)] = seen.get(spelled(label), 0) + 1
        labels.append(label if count == 1 or row.label else f"{label}#{number}")
    for n, (label, count, row) in enumerate(zip(labels, counts, rows, strict=True), 1):
        if not label:
            raise InputError("{}: fighters item {}: label should not be blank", path, n)
        before = [spelled(other) for other in labels[: n - 1]]
        if (row.label and count > 1) or spelled(label) in before:
            raise InputError('{}: fighters item {}: label "{}" is there twice', path, n, label)
    return labels


def _facing(
    row: _FighterTable, rows: Sequence[_FighterTable], labels: Sequence[str], where: str
) -> float:
    """Return a facing in degrees; a text names the fighter that is looked at."""
    if not isinstance(row.facing, str):
        return row.facing % 360 % 360  # the rest of a tiny negative one is 360
    facing = tidy(row.facing)
    where = say("{}: facing", where)
    fault = say('should be degrees or a fighter; no "{}"', facing)
    target = rows[meant_place(facing, labels, where, fault, begun=False)]
    dx, dy = target.at[0] - row.at[0], target.at[1] - row.at[1]
    if hypot(dx, dy) == 0:
        raise InputError("{}: {} is at the same place", where, facing)
    return degrees(atan2(dy, dx)) % 360


def _terrain(row: _TerrainTable, where: str) -> Terrain:
    sizes = {fold(size): size for size in SIZES}
    sizes |= {fold(word): size for size, words in SIZES.items() for word in words}
    if fold(row.size) not in sizes:
        size = tidy(row.size)
        raise InputError('{}: size "{}" is unknown; {}', where, size, suggestion(size, SIZES))
    impassable = row.kind == "impassable"
    corners = _corners(row, where)
    return Terrain(tidy(row.name), corners, impassable, row.height, sizes[fold(row.size)])


def _corners(row: _TerrainTable | _ZoneTable, where: str) -> tuple[Point, ...]:
    """Return a shape counter-clockwise."""
    if bool(row.corners) == bool(row.rectangle):
        raise InputError("{}: give corners, or a rectangle = [left, bottom, width, depth]", where)
    return _rectangle(row.rectangle, where) if row.rectangle else _polygon(row.corners, where)


def _rectangle(numbers: Sequence[float], where: str) -> tuple[Point, ...]:
    if len(numbers) != 4 or min(numbers[2:]) < _THINNEST:
        raise InputError(
            "{}: rectangle should be [left, bottom, width, depth] in cm, not {}",
            where,
            str(numbers),
        )
    x, y, w, d = map(float, numbers)
    return (x, y), (x + w, y), (x + w, y + d), (x, y + d)


def _polygon(rows: Sequence[Sequence[float]], where: str) -> tuple[Point, ...]:
    """Return corners counter-clockwise, if they make a convex shape."""
    if not 3 <= len(rows) <= MAX_CORNERS or any(len(row) != 2 for row in rows):
        raise InputError("{}: corners should be 3 to {} pairs [x, y], in cm", where, MAX_CORNERS)
    corners = [(float(x), float(y)) for x, y in rows]
    turns = [_turn(corners[i - 2], corners[i - 1], corners[i]) for i in range(len(corners))]
    once = abs(abs(sum(turns)) - 2 * pi) < _FLAT  # a star goes round more than once
    if once and all(turn < -_FLAT for turn in turns):
        corners, turns = corners[::-1], [-turn for turn in turns]
    if not once or not all(turn > _FLAT for turn in turns):
        raise InputError(
            "{}: corners should go round a convex shape; cut another one into several", where
        )
    if any(dist(corners[i - 1], corners[i]) < _THINNEST for i in range(len(corners))):
        raise InputError("{}: corners should be at least {} cm from the next one", where, _THINNEST)
    return tuple(corners)


def _turn(a: Point, b: Point, c: Point) -> float:
    """Return by how much a way turns left at its second point, in radians."""
    (px, py), (qx, qy) = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
    return atan2(px * qy - py * qx, px * qx + py * qy)
