"""Counters of the sheet's pieces: what is printed on them, and what each player sees (S4, D5)."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from enum import IntEnum
from typing import Any, Literal

from ...kernels.layout.sheet import NOBODY, Breath, Cohesion, Faculty, Kind, Mark, Morale, Order
from ...profiles.message import joined, say
from ...profiles.sheet.hexes import DIRECTIONS, Place
from ...profiles.sheet.pieces import Situation

Moment = Literal["now", "begin"]

CACHE = "cache"  # a hidden Unit or a Decoy, as the enemy sees it
STANDING = Mark.ALIVE | Mark.ON_MAP


_ON_TOP = Mark.CHARGE | Mark.CONTACT | Mark.ACTIVE | Mark.SPECIAL | Mark.AMMO_OUT


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
        return self.pieces[i] if placed < 0 else say("placed decoy {}", placed + 1)


@dataclass(frozen=True)
class Counter:
    """A piece as it lies on the map."""

    name: str
    kind: str  # "simple", "formation", "character", "decoy" or "cache"
    side: int
    hex: Place | None  # column and row; None: off the map
    facing: str | None  # "n", "ne", "se", "s", "sw" or "nw"; None: not shown
    cohesion: str  # "good", "shaken" or "routed"
    breath: str  # "fresh", "winded" or "exhausted"
    marks: tuple[str, ...]  # in the order of `Mark`, without ``alive`` and ``on map``


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

    >>> word(Mark.AMMO_OUT)
    'ammo out'
    """
    return code.name.lower().replace("_", " ")


def words(bits: int, codes: type[IntEnum]) -> tuple[str, ...]:
    """Return the bits of a set of codes in words."""
    return tuple(word(code) for code in codes if bits & code)


_FACE_DOWN = word(Mark.SPELL)


@dataclass(frozen=True)
class Seen(Counter):
    """A piece as a player sees it; None: he cannot know."""

    # what is printed on the counter
    morale: str | None = None
    steps: int | None = None
    faculties: tuple[str, ...] | None = None
    formation_mode: int | None = None
    wing: str | None = None  # empty: none
    leads: bool | None = None  # whether it leads its wing


@dataclass(frozen=True)
class OwnWing:
    """A wing as its own player knows it; ``leader`` empty: it has none."""

    name: str
    order: str
    leader: str
    lost: int
    demoralised: bool


@dataclass(frozen=True)
class View:
    """What a player sees: his pieces, the enemy's that lie open, then the enemy's caches.

    Caches are numbered by where they lie, so that a number says nothing of what is below, nor
    which cache of another view it is.
    """

    side: int
    pieces: tuple[Seen, ...]
    wings: tuple[OwnWing, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return the pieces, one a row, ``hex`` as ``column,row``."""
        return [asdict(piece) | {"hex": _hex(piece)} for piece in self.pieces]

    def json(self) -> str:
        """Return the view as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"

    def text(self) -> str:
        """Return the view in lines, one a piece or wing."""
        return joined("\n", (*_lines(self), ""))


def view(record: Any, labels: Labels, side: int, moment: Moment = "now") -> View:
    """Return what the player of a side sees."""
    state = record[moment]
    own, shown, caches = [], [], []
    for i in range(int(record["n"])):
        if record["side"][i] == side:
            own.append(_open(record, i, labels, moment))
        elif place(state, i, labels.columns) is None:
            continue
        elif state["kind"][i] == Kind.DECOY or state["mark"][i] & Mark.HIDDEN:
            caches.append(_cache(record, i, labels, moment))
        else:
            piece = _open(record, i, labels, moment)
            marks = tuple(mark for mark in piece.marks if mark != _FACE_DOWN)
            shown.append(replace(piece, marks=marks))
    caches.sort(key=lambda piece: (piece.side, piece.hex, *asdict(piece).values()))
    named = [replace(piece, name=f"{CACHE} {k}") for k, piece in enumerate(caches, 1)]
    return View(side, (*own, *shown, *named), tuple(_wings(record, labels, side, moment)))


def _open(record: Any, i: int, labels: Labels, moment: Moment) -> Seen:
    state, lying = record[moment], counter(record, i, labels, moment)
    wing = int(state["wing"][i])
    return Seen(
        **{part.name: getattr(lying, part.name) for part in fields(lying)},
        morale=word(Morale(record["morale"][i])),
        steps=int(state["steps"][i]),
        faculties=words(int(state["faculty"][i]), Faculty),
        formation_mode=int(state["formation_mode"][i]),
        wing="" if wing == NOBODY else labels.wings[wing],
        leads=wing != NOBODY and bool(state["leader"][wing] == i),
    )


def _cache(record: Any, i: int, labels: Labels, moment: Moment) -> Seen:
    """Return a cache, of which nothing is taken but where it lies and the markers on top."""
    lying = counter(record, i, labels, moment)
    marks = words(int(record[moment]["mark"][i]) & _ON_TOP, Mark)
    return Seen(CACHE, CACHE, lying.side, lying.hex, None, lying.cohesion, lying.breath, marks)


def _wings(record: Any, labels: Labels, side: int, moment: Moment) -> Iterator[OwnWing]:
    state = record[moment]
    for wing in range(int(record["wings"])):
        if record["wing_side"][wing] == side:
            leader = int(state["leader"][wing])
            yield OwnWing(
                labels.wings[wing],
                word(Order(state["order"][wing])),
                "" if leader == NOBODY else labels.piece(leader),
                int(state["lost"][wing]),
                bool(state["demoralised"][wing]),
            )


def _hex(piece: Counter) -> str | None:
    return None if piece.hex is None else f"{piece.hex[0]},{piece.hex[1]}"


def _lines(seen: View) -> Iterator[str]:
    for wing in seen.wings:
        leader = wing.leader or say("nobody")
        told = say("wing {}: {}, led by {}, lost {}", wing.name, wing.order, leader, wing.lost)
        yield say("{}, demoralised", told) if wing.demoralised else told
    for piece in seen.pieces:
        whose = say("own") if piece.side == seen.side else say("side {}", piece.side)
        parts = [
            say("at {}", _hex(piece)) if piece.hex else say("off the map"),
            piece.cohesion,
            piece.breath,
        ]
        if piece.facing is not None and piece.hex is not None:
            parts.insert(1, say("facing {}", piece.facing))
        parts += piece.marks
        if piece.kind != CACHE:
            parts += [piece.kind, say("{} morale", piece.morale), say("steps {}", piece.steps)]
            parts += [say("wing {}", piece.wing)] * bool(piece.wing)
            parts += [say("leads it")] * bool(piece.leads)
            parts += piece.faculties or ()
        yield say("{}: {}: {}", whose, piece.name, parts)
