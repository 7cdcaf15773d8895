"""Random small worlds on maps, for both engines of the sheet."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from sheet_worlds import FACULTIES, NOWHERE, Game, game_of, on_map

from estoc.kernels.layout.sheet import (
    FAR_AWAY,
    MAX_PIECES,
    Breath,
    Cohesion,
    Deed,
    Kind,
    Morale,
    Order,
    Reading,
)
from estoc.kernels.layout.situation import HexMap
from estoc.profiles.sheet.hexes import hex_map
from estoc.profiles.sheet.pieces import Grid
from estoc.profiles.sheet.world import load_world
from reference.sheet_state import Piece, Wing, World

RNG = np.random.Generator
MAPS = 12
COLUMNS, ROWS = 6, 5


@dataclass
class Field(World):
    """A world on a map, which decides the predicates that are not given (1.2, [H])."""

    terrain: HexMap | None = None
    allowance: list[int] = field(default_factory=list)
    ranges: list[int] = field(default_factory=list)

    def asked(self, piece: Piece, predicate: str) -> bool:
        if (piece.number, predicate) in self.given:
            return self.given[piece.number, predicate]
        return bool(getattr(self, predicate)(piece))

    def enemies(self, piece: Piece) -> list[Piece]:
        return [one for one in self.pieces if one.present and one.unit and one.side != piece.side]

    def near(self, one: Piece, other: Piece) -> bool:
        assert self.terrain is not None
        if not (on_map(one) and on_map(other)):
            return False
        cost = int(self.terrain.contact[0, one.at, other.at])
        return cost < FAR_AWAY and cost <= self.allowance[one.number]

    def far(self, piece: Piece) -> bool:
        return on_map(piece) and not any(self.near(e, piece) for e in self.enemies(piece))

    def reaches(self, piece: Piece) -> bool:
        return any(self.near(piece, one) for one in self.enemies(piece))

    def shoots(self, piece: Piece, one: Piece) -> bool:
        assert self.terrain is not None
        if not (on_map(piece) and on_map(one) and self.terrain.sight[piece.at, one.at]):
            return False
        return bool(self.terrain.apart[piece.at, one.at] <= self.ranges[piece.number])

    def can_fire(self, piece: Piece) -> bool:
        armed = self.ranges[piece.number] > 0
        return armed and any(self.shoots(piece, one) for one in self.enemies(piece))

    def duel_fire(self, piece: Piece) -> bool:
        rivals = [one for one in self.enemies(piece) if one.kind is Kind.CHARACTER]
        return any(self.shoots(piece, one) for one in rivals)

    def can_face(self, piece: Piece) -> bool:
        return False

    def faces(self, piece: Piece) -> bool:
        return False


@cache
def maps() -> list[tuple[HexMap, Grid]]:
    """Maps with woods, holes, fires and walls."""
    rng, found = np.random.default_rng(1), []
    for _ in range(MAPS):
        letters = rng.choice(list("..........wr#"), size=(ROWS, COLUMNS))
        grid = Grid(tuple("".join(row) for row in letters))
        present = [(c, r) for c in range(COLUMNS) for r in range(ROWS) if letters[r, c] != "#"]
        burning = frozenset(place for place in present if rng.random() < 0.12)
        grid = Grid(grid.rows, burning)
        found.append((hex_map(grid, load_world()), grid))
    return found


# --- worlds --------------------------------------------------------------------------------


def chance(rng: RNG, of: float) -> bool:
    return bool(rng.random() < of)


def one_of(rng: RNG, those, weights=None):
    """One of some codes, of its own type."""
    return list(those)[rng.choice(len(list(those)), p=weights)]


def random_piece(rng: RNG, side: int) -> Piece:
    kind = one_of(rng, Kind, (0.38, 0.3, 0.25, 0.07))
    piece = Piece(side, kind=kind, facing=int(rng.integers(6)))
    if kind is Kind.DECOY:
        piece.wing = one_of(rng, (None, side))
        piece.hidden = True
        return piece
    character = kind is Kind.CHARACTER
    piece.wing = one_of(rng, (side, side + 2, None) if character else (side, side + 2))
    piece.cohesion = one_of(rng, Cohesion, (0.45, 0.3, 0.25))
    piece.breath = one_of(rng, Breath)
    piece.morale = one_of(rng, Morale, (0.5, 0.2, 0.1, 0.1, 0.1))
    piece.charge = piece.cohesion is Cohesion.GOOD and chance(rng, 0.35)
    for mark in ("contact", "hidden", "special", "ammo_out"):
        setattr(piece, mark, chance(rng, 0.25))
    piece.active = chance(rng, 0.3)
    for faculty in FACULTIES:
        setattr(piece, faculty, chance(rng, 0.2))
    piece.flying, piece.infiltrated = chance(rng, 0.08), chance(rng, 0.15)
    piece.cic = character and chance(rng, 0.3)
    piece.spell_chosen = character and chance(rng, 0.4)
    piece.in_command = character and chance(rng, 0.3)
    piece.alive, piece.on_map = chance(rng, 0.96), chance(rng, 0.97)
    return piece


def settle_down(rng: RNG, pieces: list[Piece], terrain: HexMap) -> None:
    """Near to each other: friends may share a hex, enemies never do."""
    centre = one_of(rng, np.flatnonzero((terrain.beside >= 0).sum(axis=1) > 2))
    close = [int(at) for at in np.flatnonzero(terrain.apart[centre] <= 2)]
    close = [at for at in close if terrain.sight[at, at]]
    for number, piece in enumerate(pieces):
        taken = {one.at: one.side for one in pieces if one.at is not None}
        free = [at for at in close if taken.get(at, piece.side) == piece.side]
        own = [at for at in free if at in taken]
        piece.at = one_of(rng, own if own and chance(rng, 0.3) else free or [NOWHERE + number])


def random_world(
    rng: RNG, readings: dict[Reading, int], related: float = 0.3
) -> tuple[Game, Field]:
    """Four to eight pieces of two sides, each of two wings."""
    terrain, grid = one_of(rng, maps())
    pieces = [random_piece(rng, int(rng.integers(2))) for _ in range(rng.integers(4, 9))]
    settle_down(rng, pieces, terrain)
    wings = [Wing(side, one_of(rng, list(Order)[:4])) for side in (0, 1, 0, 1)]
    world = Field(pieces, wings=wings, terrain=terrain, readings=readings, conditions=True)
    for number, wing in enumerate(wings):
        wing.lost = int(rng.integers(3))
        leaders = [p.number for p in pieces if p.kind is Kind.CHARACTER and p.wing == number]
        wing.leader = one_of(rng, [*leaders, None])
    for at, row in enumerate(terrain.beside.tolist()):
        world.towards[at] = {way: there for way, there in enumerate(row) if there >= 0}
        world.beside[at] = set(world.towards[at].values())
    seen = np.argwhere(terrain.sight)
    world.sight = {frozenset((int(one), int(other))) for one, other in seen if one != other}
    world.burning = {row * COLUMNS + column for column, row in grid.burning}
    wide, all_round = (0, 1, 5), tuple(range(6))
    world.front = dict(zip(Kind, (wide, one_of(rng, [(0,), wide]), all_round, ()), strict=True))
    world.turns = dict(zip(Kind, (all_round[1:], (3,), all_round[1:], ()), strict=True))
    if chance(rng, related):
        relate(rng, world)
    if Reading.FACES in readings:
        for piece in pieces:
            world.given[piece.number, "faces"] = chance(rng, 0.5)
    world.allowance = rng.integers(0, 5, MAX_PIECES).tolist()
    world.ranges = [int(rng.integers(4)) * chance(rng, 0.5) for _ in pieces] + [0] * MAX_PIECES
    return field_game(rng, world), world


def relate(rng: RNG, world: Field) -> None:
    """Relations are given; some pieces are on no map."""
    units = [one for one in world.pieces if one.unit]
    world.given_to = {
        (one.number, other.number)
        for one in units
        for other in units
        if one.side != other.side and chance(rng, 0.3)
    }
    for piece in units:
        if chance(rng, 0.25):
            piece.at = NOWHERE + piece.number


def field_game(rng: RNG, world: Field) -> Game:
    mapped = all(on_map(piece) for piece in world.pieces)
    world.decoys_left = {side: int(rng.integers(3)) * mapped for side in (0, 1)}
    game = game_of(world, world.terrain)
    sheet, n = game.sheet, len(world.pieces)
    sheet["allowance"][:n], sheet["fire_range"][:n] = world.allowance[:n], world.ranges[:n]
    sheet["stack_limit"], sheet["order_range"], sheet["spell_range"] = 2, 2, 2
    sheet["flee_hexes"] = int(chance(rng, 0.6))
    sheet["retreat_edge"][:4] = rng.integers(-1, 4, 4)
    for piece in world.pieces:
        cannot = rng.random(len(Deed)) < 0.1
        sheet["feasible"][piece.number] &= ~sum(1 << int(deed) for deed in np.flatnonzero(cannot))
    return game
