"""Pieces of the activation sheet, their wings and the map that they stand on (1.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...kernels.layout.sheet import Breath, Cohesion, Edge, Fact, Kind, Morale, Order
from ..errors import place_of
from ..message import say
from .hexes import HOLES, Place


@dataclass(frozen=True)
class Grid:
    """A map of hexes: odd columns lie half a hex lower; hexes are (column, row), from 0."""

    rows: tuple[str, ...]  # a letter of terrain a hex; "#" or a space: there is none
    burning: frozenset[Place] = frozenset()
    # pairs of neighbouring hexes whose common side is impassable
    walls: frozenset[frozenset[Place]] = frozenset()

    @property
    def columns(self) -> int:
        """How many hexes a row has."""
        return len(self.rows[0])

    def number(self, place: Place) -> int:
        """Return the number of a hex in arrays."""
        column, row = place
        return row * self.columns + column

    def letter(self, place: Place) -> str:
        """Return the terrain of a hex; that of a hole if it is off the map."""
        column, row = place
        inside = 0 <= row < len(self.rows) and 0 <= column < self.columns
        return self.rows[row][column] if inside else HOLES[0]


@dataclass(frozen=True)
class SheetWing:
    """A wing (Aile); ``leader`` is a piece's name, empty for none; ``edge`` of the map or None."""

    name: str
    side: str
    order: Order
    leader: str = ""
    edge: Edge | None = None
    lost: int = 0


@dataclass(frozen=True)
class Piece:
    """A piece: its counter and its markers (1.1)."""

    name: str  # unlike that of any other
    kind: Kind
    side: str
    wing: str = ""  # empty: none
    place: Place | None = None  # column and row; None: off any map, where relations are given
    facing: int = 0  # 0 to 5, clockwise from north
    cohesion: Cohesion = Cohesion.GOOD
    breath: Breath = Breath.FRESH
    morale: Morale = Morale.ORDINARY
    mark: int = 0  # bits of `Mark` and `Faculty`
    faculty: int = 0  # bits of `Mark` and `Faculty`
    steps: int = 2
    mover: str = "foot"
    fire_range: int | None = 0  # in hexes, 0 for none; None: a shooter's, by the world
    allowance: int | None = None  # movement points; None: those of its kind, by the world
    formation_mode: int = 0
    given: Mapping[Fact, bool] = field(default_factory=dict)  # facts that the map does not decide
    cannot: int = 0  # bits of `Deed`: actions whose own conditions do not hold
    caster: bool | None = None  # whether it knows spells; None: nobody says

    @property
    def is_shooter(self) -> bool:
        """Whether it can fire at all."""
        return self.fire_range != 0

    @property
    def is_troop(self) -> bool:
        """Whether it is a Troupe."""
        return self.kind in (Kind.SIMPLE, Kind.FORMATION)


@dataclass(frozen=True)
class Situation:
    """A moment of a game."""

    name: str
    grid: Grid
    wings: tuple[SheetWing, ...]
    pieces: tuple[Piece, ...]
    # who engages whom, by name; None: it follows from the map
    engages: tuple[tuple[str, str], ...] | None = None
    file: str = ""  # as it was named

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the sides, in the order of the pieces."""
        return tuple(dict.fromkeys(piece.side for piece in self.pieces))

    def index(self, name: str, where: str = "piece") -> int:
        """Return the number of a piece, named in any case, with or without accents."""
        names = [piece.name for piece in self.pieces]
        return place_of(name, names, say('{}: no piece "{}"', where, name))
