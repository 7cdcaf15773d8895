"""What each player sees of the sheet's pieces, apart from the truth (S4, S5, D5, D6).

An enemy's hidden Unit and his Decoy are the same to the other players: a cache, with the markers
that lie on it. Readings, as the sheet does not say: the markers of cohesion, breath, charge,
contact, activation, special order and spent ammunition lie on top; the facing does not show; a
chosen spell lies face down, on any character; the orders and losses of a wing are known to its
player alone, who leads it to all who see him; what an enemy has off the map is not listed.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from estoc.kernels.sheet_codes import NOBODY, Faculty, Kind, Mark, Morale, Order
from estoc.sim.sheet_counter import (
    CACHE,
    Counter,
    Labels,
    Moment,
    counter,
    place,
    word,
    words,
)

_ON_TOP = Mark.CHARGE | Mark.CONTACT | Mark.ACTIVE | Mark.SPECIAL | Mark.AMMO_OUT
_FACE_DOWN = word(Mark.SPELL)


@dataclass(frozen=True)
class Seen(Counter):
    """A piece as a player sees it; None: he cannot know.

    Parameters
    ----------
    morale, steps, faculties, formation_mode
        What is printed on the counter.
    wing : str, optional
        Empty: none.
    leads : bool, optional
        Whether it leads its wing.
    """

    morale: str | None = None
    steps: int | None = None
    faculties: tuple[str, ...] | None = None
    formation_mode: int | None = None
    wing: str | None = None
    leads: bool | None = None


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
        return "".join(f"{line}\n" for line in _lines(self))


def view(record: Any, labels: Labels, side: int, moment: Moment = "now") -> View:
    """Return what the player of a side sees.

    Parameters
    ----------
    record : numpy.void
        An item of an array of `SHEET`.
    labels : Labels
    side : int
    moment : {"now", "begin"}
        Which of the record's states.
    """
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
        fate = ", demoralised" if wing.demoralised else ""
        leader = wing.leader or "nobody"
        yield f"wing {wing.name}: {wing.order}, led by {leader}, lost {wing.lost}{fate}"
    for piece in seen.pieces:
        whose = "own" if piece.side == seen.side else f"side {piece.side}"
        parts = [f"at {_hex(piece)}" if piece.hex else "off the map", piece.cohesion, piece.breath]
        if piece.facing is not None and piece.hex is not None:
            parts.insert(1, f"facing {piece.facing}")
        parts += piece.marks
        if piece.kind != CACHE:
            parts += [piece.kind, f"{piece.morale} morale", f"steps {piece.steps}"]
            parts += [f"wing {piece.wing}"] * bool(piece.wing) + ["leads it"] * bool(piece.leads)
            parts += piece.faculties or ()
        yield f"{whose}: {piece.name}: {', '.join(parts)}"
