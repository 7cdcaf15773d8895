"""Counters on the map of the sheet: what is printed on them and the markers on top (1.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

from estoc.kernels.sheet_codes import Breath, Cohesion, Kind, Mark
from estoc.profiles.hexes import DIRECTIONS, Place
from estoc.profiles.pieces import Situation

Moment = Literal["now", "begin"]

CACHE = "cache"  # a hidden Unit or a Decoy, as the enemy sees it
STANDING = Mark.ALIVE | Mark.ON_MAP


@dataclass(frozen=True)
class Labels:
    """What a record of `SHEET` does not know: names by number, and the columns of the map.

    Decoys that are placed during a game (S4b) come after the pieces that have names.
    """

    pieces: Sequence[str]
    wings: Sequence[str]
    columns: int

    @classmethod
    def of(cls, situation: Situation) -> "Labels":
        """Return the names of a situation."""
        pieces = [piece.name for piece in situation.pieces]
        return cls(pieces, [wing.name for wing in situation.wings], situation.grid.columns)

    def piece(self, i: int) -> str:
        """Return the name of a piece by its number."""
        placed = i - len(self.pieces)
        return self.pieces[i] if placed < 0 else f"placed decoy {placed + 1}"


@dataclass(frozen=True)
class Counter:
    """A piece as it lies on the map.

    Parameters
    ----------
    name : str
    kind : {"simple", "formation", "character", "decoy", "cache"}
    side : int
    hex : tuple of int, optional
        Column and row; None: off the map.
    facing : {"n", "ne", "se", "s", "sw", "nw"}, optional
        None: not shown.
    cohesion : {"good", "shaken", "routed"}
    breath : {"fresh", "winded", "exhausted"}
    marks : tuple of str
        In the order of `Mark`, without ``alive`` and ``on map``.
    """

    name: str
    kind: str
    side: int
    hex: Place | None
    facing: str | None
    cohesion: str
    breath: str
    marks: tuple[str, ...]


def counters(record: Any, labels: Labels, moment: Moment = "now") -> tuple[Counter, ...]:
    """Return the pieces of a record of `SHEET` that are on the map, all face up."""
    found = (counter(record, i, labels, moment) for i in range(int(record["n"])))
    return tuple(piece for piece in found if piece.hex is not None)


def counter(record: Any, i: int, labels: Labels, moment: Moment = "now") -> Counter:
    """Return a piece of a record of `SHEET`, face up."""
    state = record[moment]
    return Counter(
        labels.piece(i),
        word(Kind(state["kind"][i])),
        int(record["side"][i]),
        place(state, i, labels.columns),
        DIRECTIONS[state["facing"][i]],
        word(Cohesion(state["cohesion"][i])),
        word(Breath(state["breath"][i])),
        words(int(state["mark"][i]) & ~STANDING, Mark),
    )


def place(state: Any, i: int, columns: int) -> Place | None:
    """Return the column and the row of a piece; None: it is destroyed or off the map."""
    if int(state["mark"][i]) & STANDING != STANDING or state["at"][i] < 0:
        return None
    row, column = divmod(int(state["at"][i]), columns)
    return column, row


def word(code: IntEnum) -> str:
    """Return a code in words.

    Examples
    --------
    >>> word(Mark.AMMO_OUT)
    'ammo out'
    """
    return code.name.lower().replace("_", " ")


def words(bits: int, codes: type[IntEnum]) -> tuple[str, ...]:
    """Return the bits of a set of codes in words."""
    return tuple(word(code) for code in codes if bits & code)
