"""Situation files: a map, wings and pieces of the activation sheet at one moment (1.1)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field

from ...kernels.layout.sheet import (
    MAX_PIECES,
    MAX_SIDES,
    MAX_WINGS,
    Breath,
    Cohesion,
    Deed,
    Edge,
    Fact,
    Faculty,
    Kind,
    Mark,
    Morale,
    Order,
)
from ..errors import InputError, suggestion
from ..files.toml import Table, read_toml, shared, toml_path, validated
from ..letters import fold
from ..message import joined, say
from .french import french_words, in_english, plain
from .hexes import DIRECTIONS, HOLES, Place, neighbour
from .pieces import Grid, Piece, SheetWing, Situation

__all__ = (
    *("Grid", "Piece", "SheetWing", "Situation", "load_situation", "parse_hex", "situation_of"),
)

MOST_HEXES = 1600
GIVEN = (  # facts that a file may give
    *("far", "can_fire", "can_face", "faces", "stacked", "duel_shock", "duel_fire"),
)

T = TypeVar("T")

_Letter = Annotated[str, Field(min_length=1)]


class _MapTable(Table):
    rows: list[_Letter] = Field(min_length=1)
    burning: list[str] = []
    walls: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = []


class _WingTable(Table):
    name: _Letter
    side: _Letter
    order: str
    leader: str = ""
    retreat_edge: str = ""
    lost: int = Field(default=0, ge=0, le=MAX_PIECES)


class _PieceTable(Table):
    name: _Letter
    kind: str
    side: _Letter
    wing: str = ""
    hex: str = ""
    facing: str = "n"
    cohesion: str = "good"
    breath: str = "fresh"
    morale: str = "ordinary"
    marks: list[str] = []
    faculties: list[str] = []
    steps: int = Field(default=2, ge=1, le=20)
    mover: str = "foot"
    shooter: bool | None = None
    fire_range: int | None = Field(default=None, ge=0, le=99)
    allowance: int | None = Field(default=None, ge=0, le=99)
    formation_mode: int = Field(default=0, ge=0, le=1)
    far: bool | None = None
    can_fire: bool | None = None
    can_face: bool | None = None
    faces: bool | None = None
    stacked: bool | None = None
    duel_shock: bool | None = None
    duel_fire: bool | None = None
    caster: bool | None = None
    cannot: list[str] = []


class _SituationTable(Table):
    name: _Letter
    map: _MapTable | None = None
    wings: list[_WingTable] = Field(default=[], max_length=MAX_WINGS)
    pieces: list[_PieceTable] = Field(min_length=1, max_length=MAX_PIECES)
    engages: list[Annotated[list[str], Field(min_length=2, max_length=2)]] | None = None


def load_situation(name: str | Path) -> Situation:
    """Return a situation."""
    path = toml_path("situation", str(name))
    where = str(path)
    return situation_of(read_toml(path), where, str(name))


def situation_of(table: Mapping[str, Any], where: str, file: str = "") -> Situation:
    """Return the situation that a table describes, its keys in English or French."""
    read = validated(_SituationTable, in_english(table, where), where)
    grid = _grid(read.map, say("{}: map", where)) if read.map else Grid((HOLES[0],))
    wings = tuple(_wing(each, say("{}: wing {}", where, each.name)) for each in read.wings)
    pieces = tuple(_piece(each, say("{}: {}", where, each.name)) for each in read.pieces)
    situation = Situation(read.name, grid, wings, pieces, None, file)
    _distinct([wing.name for wing in wings], say("{}: wings", where))
    _distinct([piece.name for piece in pieces], say("{}: pieces", where))
    return _checked(situation, read.engages, where)


def parse_hex(text: str, where: str) -> Place:
    """Return the column and the row that ``"3,4"`` or ``"0304"`` names."""
    found = re.fullmatch(r"(\d\d)(\d\d)|(\d+) *, *(\d+)", text.strip())
    if not found:
        raise InputError('{}: "{}" should be column,row or CCRR, as 3,4 or 0304', where, text)
    column, row = (int(part) for part in found.groups() if part)
    return column, row


def _grid(read: _MapTable, where: str) -> Grid:
    rows = tuple(read.rows)
    odd = next((n for n, row in enumerate(rows, 1) if len(row) != len(rows[0])), None)
    if odd:
        lengths = say("{} hexes, row 1 has {}", len(rows[odd - 1]), len(rows[0]))
        raise InputError(
            "{}: rows: row {} has {}; they should be equally long", where, odd, lengths
        )
    if len(rows) * len(rows[0]) > MOST_HEXES:
        size = f"{len(rows[0])} x {len(rows)}"
        raise InputError("{}: rows: {} hexes are too many; at most {}", where, size, MOST_HEXES)
    grid = Grid(rows)
    burning = [_on_map(text, grid, say("{}: burning", where)) for text in read.burning]
    walls = []
    for texts in read.walls:
        one, other = (_on_map(text, grid, say("{}: walls", where)) for text in texts)
        if other not in [neighbour(one, direction) for direction in range(6)]:
            raise InputError("{}: walls: {} and {} are not neighbours", where, texts[0], texts[1])
        walls.append(frozenset((one, other)))
    return Grid(rows, frozenset(burning), frozenset(walls))


def _on_map(text: str, grid: Grid, where: str) -> Place:
    place = parse_hex(text, where)
    if grid.letter(place) in HOLES:
        size = say("{} columns and {} rows, from 0", grid.columns, len(grid.rows))
        raise InputError("{}: {} is no hex of the map, which has {}", where, text, size)
    return place


def _wing(read: _WingTable, where: str) -> SheetWing:
    edges = {edge.name: edge for edge in Edge}
    edge = (
        _word(edges, read.retreat_edge, say("{}: retreat_edge", where))
        if read.retreat_edge
        else None
    )
    orders = {order.name: order for order in Order if order != Order.NONE}
    order = _word(orders, read.order, say("{}: order", where))
    return SheetWing(read.name, read.side, order, read.leader, edge, read.lost)


def _piece(read: _PieceTable, where: str) -> Piece:
    marks = {mark.name: mark.value for mark in Mark if mark < Mark.ALIVE}
    faculties = {each.name: each.value for each in Faculty if each != Faculty.LEADER}
    facings = {name: number for number, name in enumerate(DIRECTIONS)}
    given = {Fact[name.upper()]: getattr(read, name) for name in GIVEN}
    mark = _bits(marks, read.marks, say("{}: marks", where))
    made: dict[str, Any] = {
        "kind": _word(Kind.__members__, read.kind, say("{}: kind", where)),
        "place": parse_hex(read.hex, say("{}: hex", where)) if read.hex else None,
        "facing": _word(facings, read.facing, say("{}: facing", where)),
        "cohesion": _word(Cohesion.__members__, read.cohesion, say("{}: cohesion", where)),
        "breath": _word(Breath.__members__, read.breath, say("{}: breath", where)),
        "morale": _word(Morale.__members__, read.morale, say("{}: morale", where)),
        "mark": mark,
        "faculty": _bits(faculties, read.faculties, say("{}: faculties", where)),
        "fire_range": _fire_range(read, mark, where),
        "given": {fact: holds for fact, holds in given.items() if holds is not None},
        "cannot": _bits(
            {deed.name: 1 << deed for deed in Deed}, read.cannot, say("{}: cannot", where)
        ),
        "caster": _caster(read, mark, where),
    }
    return Piece(**shared(read, Piece) | made)


def _fire_range(read: _PieceTable, mark: int, where: str) -> int | None:
    """Return how far a piece fires: 0: not at all; None: as far as the world's shooters.

    Who has a target or has spent ammunition is a shooter, said or not; a condition of the sheet
    arms nobody.
    """
    signs = {"can_fire": read.can_fire, "duel_fire": read.duel_fire}
    told = [key for key, holds in signs.items() if holds]
    if told and mark & Mark.AMMO_OUT:
        raise InputError(
            "{}: {}: but its marks say ammo_out; leave out one of them", where, told[0]
        )
    told += [say("marks: ammo_out")] * bool(mark & Mark.AMMO_OUT)
    unarmed = say("shooter is false" if read.shooter is False else "fire_range is 0")
    if told and (read.shooter is False or read.fire_range == 0):
        raise InputError("{}: {}: but {}; only a shooter fires", where, told[0], unarmed)
    if read.fire_range is not None:
        if read.shooter is False and read.fire_range > 0:
            raise InputError("{}: fire_range: but shooter is false; leave out one of them", where)
        return read.fire_range
    return None if read.shooter or told else 0


def _caster(read: _PieceTable, mark: int, where: str) -> bool | None:
    """Return whether a piece knows spells: one that has chosen a spell does."""
    chosen = bool(mark & Mark.SPELL)
    if chosen and read.caster is False:
        raise InputError("{}: marks: spell: but caster is false; only a caster chooses one", where)
    return True if chosen else read.caster


def _word(known: Mapping[str, T], text: str, where: str) -> T:
    """Return what a word names, in any case, in English or French."""
    by_word = {french: known[name] for french, name in french_words() if name in known}
    by_word |= {plain(name): value for name, value in known.items()}
    if plain(text) not in by_word:
        names = [name.lower() for name in known]
        raise InputError('{}: "{}" is unknown; {}', where, text, suggestion(text, names))
    return by_word[plain(text)]


def _bits(known: Mapping[str, int], words: Sequence[str], where: str) -> int:
    return sum({_word(known, word, where) for word in words})


def _distinct(names: Sequence[str], where: str) -> None:
    folded = [fold(name) for name in names]
    for number, name in enumerate(folded):
        if folded.index(name) < number:
            raise InputError(
                '{}: item {}: "{}" is already item {}; names should differ',
                where,
                number + 1,
                names[number],
                folded.index(name) + 1,
            )


def _checked(
    situation: Situation, engages: Sequence[Sequence[str]] | None, where: str
) -> Situation:
    """Return the situation with its leaders and relations, if all of it can be."""
    if len(situation.sides) > MAX_SIDES:
        raise InputError(
            "{}: {} sides are too many; at most {}", where, len(situation.sides), MAX_SIDES
        )
    pieces = list(situation.pieces)
    for wing in situation.wings:
        if wing.side not in situation.sides:
            known = suggestion(wing.side, situation.sides)
            raise InputError(
                '{}: wing {}: side "{}" has no piece; {}', where, wing.name, wing.side, known
            )
        if wing.leader:
            leads = say("{}: wing {}: leader", where, wing.name)
            number = situation.index(wing.leader, leads)
            pieces[number] = _leading(pieces[number], wing, leads)
    for piece in pieces:
        _check_piece(piece, situation, say("{}: {}", where, piece.name))
        if piece.place is None and engages is None:
            fault = say("has no hex, and the file has no engages that would do without")
            raise InputError("{}: {}: {}", where, piece.name, fault)
    given = None if engages is None else _engaged(situation, engages, say("{}: engages", where))
    found = replace(situation, pieces=tuple(pieces), engages=given)
    _check_whole(found, where)
    return found


def _check_whole(situation: Situation, where: str) -> None:
    """Refuse what pieces and wings cannot be together."""
    for piece in situation.pieces:
        met = [pair for pair in situation.engages or () if piece.name in pair]
        if met and piece.given.get(Fact.FAR):
            one, other = met[0]
            raise InputError("{}: {}: far: but {} engages {}", where, piece.name, one, other)
    for side in situation.sides:
        generals = [p.name for p in situation.pieces if p.side == side and p.faculty & Faculty.CIC]
        if len(generals) > 1:
            listed = joined(say(" and "), generals)
            raise InputError("{}: {} are both cic of {}; an army has one", where, listed, side)


def _leading(piece: Piece, wing: SheetWing, where: str) -> Piece:
    """Return a character as the leader of a wing."""
    if piece.kind != Kind.CHARACTER:
        raise InputError("{}: {} is no character; only a character can lead", where, piece.name)
    if fold(piece.wing) != fold(wing.name):
        of = say("is of wing {}", piece.wing) if piece.wing else say("is of no wing")
        raise InputError('{}: {} {}; give it wing = "{}"', where, piece.name, of, wing.name)
    faculty, mark = piece.faculty | Faculty.LEADER, piece.mark | Mark.IN_COMMAND
    return replace(piece, faculty=faculty, mark=mark)


def _check_piece(piece: Piece, situation: Situation, where: str) -> None:
    """Refuse what a piece cannot be."""
    wings = {fold(wing.name): wing for wing in situation.wings}
    if piece.wing and fold(piece.wing) not in wings:
        known = suggestion(piece.wing, [wing.name for wing in situation.wings])
        raise InputError('{}: wing: no wing "{}"; {}', where, piece.wing, known)
    if piece.wing and wings[fold(piece.wing)].side != piece.side:
        side = wings[fold(piece.wing)].side
        raise InputError("{}: wing: {} is of side {}, not {}", where, piece.wing, side, piece.side)
    if piece.is_troop and not piece.wing:
        raise InputError("{}: has no wing; a Troop follows the order of one", where)
    if piece.place is not None and situation.grid.letter(piece.place) in HOLES:
        column, row = piece.place
        raise InputError("{}: hex: {},{} is no hex of the map", where, column, row)
    if piece.mark & Mark.CHARGE and piece.cohesion != Cohesion.GOOD:
        level = piece.cohesion.name.lower()
        raise InputError("{}: marks: a piece that is {} has lost its charge (D1a)", where, level)
    if piece.kind != Kind.CHARACTER and piece.given.get(Fact.STACKED):
        raise InputError(
            "{}: stacked: only a character is stacked with a Troop (Q9); give it to the "
            "character, or leave it out",
            where,
        )
    owned = Mark.SPELL | Mark.IN_COMMAND
    if piece.kind != Kind.CHARACTER and (piece.mark & owned or piece.faculty & Faculty.CIC):
        raise InputError("{}: only a character has spell, in_command or cic", where)


def _engaged(
    situation: Situation, engages: Sequence[Sequence[str]], where: str
) -> tuple[tuple[str, str], ...]:
    """Return who engages whom, with the names as pieces have them."""
    found = []
    for names in engages:
        one, other = (situation.pieces[situation.index(name, where)] for name in names)
        if one.side == other.side:
            raise InputError("{}: {} and {} are of one side", where, one.name, other.name)
        decoy = next((each.name for each in (one, other) if each.kind == Kind.DECOY), None)
        if decoy:
            raise InputError("{}: {} is a decoy; only Units engage and are engaged", where, decoy)
        found.append((one.name, other.name))
    return tuple(found)
