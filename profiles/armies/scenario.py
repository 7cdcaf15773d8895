"""A scenario: a table, its terrain, fighters placed on it, and what they fight for (M-1)."""

from dataclasses import dataclass, field
from math import cos, radians, sin

from pydantic import Field

from ..errors import meant_place
from ..fighters.card import Profile
from ..files.toml import Table
from ..message import say
from .card_policy import CardPolicy

Point = tuple[float, float]

TURNS, MOST_TURNS = 6, 32
MOST_ZONES = 8
MOST_MYSTICS = 8  # of one fighter
LEAST_TABLE, MOST_TABLE = 10.0, 1000.0  # cm of its sides


@dataclass(frozen=True)
class Terrain:
    """A piece of terrain: a convex shape on the table, in cm."""

    name: str
    corners: tuple[Point, ...]  # counter-clockwise
    impassable: bool = False  # whether it is gone round, not crossed (M-1.2)
    height: float = 0.0  # in cm: what crossing it costs (M-1.4)
    # size that it counts as, beside that of a fighter who crosses it or looks past it
    size: str = "moyenne"


@dataclass(frozen=True)
class Placed:
    """A fighter on the table."""

    label: str  # unlike that of any other
    profile: Profile
    side: str
    at: Point  # its aim point, in cm from the table's lower left corner
    facing: float  # in degrees, counter-clockwise; 0 looks to the right
    level: int = 0  # 0 is the ground
    wounds: str = ""  # as `estoc.profiles.compile.combat.state_code` reads them
    mystics: tuple[str, ...] = ()  # names of the mystic actions that it may cast
    mana: int = 0  # what it holds at the start
    faith: int = 0  # the same
    routed: bool = False  # whether it is in rout at the start (W-4.3)

    @property
    def direction(self) -> Point:
        """Unit vector of the facing."""
        return cos(radians(self.facing)), sin(radians(self.facing))


@dataclass(frozen=True)
class Side:
    """What a scenario says of one of the two players."""

    name: str = ""  # empty: its letter is enough
    people: str = ""  # of the army: who may make its Tactics roll (T-2.3)
    alliance: str = ""  # of the army: who may make its Tactics roll (T-2.3)
    # how its player plays its cards; the policy of the battle says so if not given
    cards: CardPolicy | None = None
    edge: str = ""  # of the table, towards which it flees (W-4.3); empty: where it began


@dataclass(frozen=True)
class Zone:
    """An objective: a convex part of the table that is worth points to who holds it at the end."""

    name: str
    corners: tuple[Point, ...]  # counter-clockwise
    points: int


@dataclass(frozen=True)
class Survival:
    """Points to a fighter's side if it is alive at the end."""

    fighter: int  # its number in the scenario
    points: int


class Victory(Table):
    """How points say who won."""

    # by how many points more a side wins; less is a draw
    margin: int = Field(default=1, ge=1, le=9999)
    destroyed: bool = True  # whether the PA of dead enemies are points


class Deployment(Table):
    """Where a battlefield lets the two sides stand up, in cm."""

    # from the middle of the table to the front edges of either side's first line
    front: float = Field(default=20.0, gt=0, le=200)
    # between the backs of a line and the front edges of the next one
    behind: float = Field(default=2.0, ge=0, le=50)
    # least room between neighbours of a line
    beside: float = Field(default=1.5, ge=0, le=50)
    # left free at both ends of every line
    margin: float = Field(default=5.0, ge=0, le=200)


@dataclass(frozen=True)
class Scenario:
    """A table with all that stands on it, and what the battle there is fought for."""

    name: str
    width: float  # of the table, in cm
    depth: float  # of the table, in cm
    terrain: tuple[Terrain, ...]
    fighters: tuple[Placed, ...]
    file: str = ""  # as it was named
    turns: int = TURNS  # after so many the battle ends
    sides: tuple[Side, Side] = (Side(), Side())  # A and B
    zones: tuple[Zone, ...] = ()
    survival: tuple[Survival, ...] = ()
    victory: Victory = field(default_factory=Victory)
    # of armies that are mustered on it
    deployment: Deployment = field(default_factory=Deployment)

    @property
    def edges(self) -> tuple[str, str]:
        """The edge towards which each side flees, as told or behind where it began (W-4.3)."""
        middles = []
        for letter in ("A", "B"):
            own = [placed.at for placed in self.fighters if placed.side == letter] or [(0.0, 0.0)]
            middles.append([sum(at[axis] for at in own) / len(own) for axis in range(2)])
        (ax, ay), (bx, by) = middles
        low, high = ("bottom", "top") if abs(by - ay) > abs(bx - ax) else ("left", "right")
        first = by - ay if low == "bottom" else bx - ax
        usual = (low, high) if first >= 0 else (high, low)
        a, b = (side.edge or edge for side, edge in zip(self.sides, usual, strict=True))
        return a, b

    def find(self, name: str) -> int:
        """Return the number of a fighter, by its label in any case, or a beginning of it."""
        labels = [placed.label for placed in self.fighters]
        return meant_place(
            name, labels, self.file or self.name, say('no fighter is called "{}"', name)
        )
