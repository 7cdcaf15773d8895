"""Moves of the sheet's kernels on random maps: steps, constraints, threats, ways off (3.2, 3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from sheet_random import Field, chance, one_of, random_world
from sheet_worlds import MOVES, Game, follow, permitted_by

from estoc.kernels.layout.sheet import (
    EDGES,
    FAR_AWAY,
    MAX_PIECES,
    OFF_MAP,
    Cohesion,
    Deed,
    Event,
    Kind,
    Mark,
    Tag,
)
from estoc.kernels.sheet.trials import What
from reference.sheet_stages import Policy
from reference.sheet_state import Piece, engaged_by, engagers

GOING = (*MOVES, Deed.FLEE)


class Move(NamedTuple):
    """A piece that went somewhere, or stayed; the world as it was, and how it is."""

    game: Game
    world: Field
    piece: Piece
    deed: Deed
    tag: Tag
    steps: list[tuple[int, int]]
    left: int | None  # the hex from which it left the map

    def places(self, state: str) -> None:
        """Put the world's pieces as they were to begin with, or are now."""
        now = self.game.sheet[state]
        for one in self.world.pieces:
            mark, at = int(now["mark"][one.number]), int(now["at"][one.number])
            one.at = None if at == OFF_MAP else at
            one.alive, one.on_map = mark & Mark.ALIVE != 0, mark & Mark.ON_MAP != 0
            one.facing = int(now["facing"][one.number])
            one.cohesion = Cohesion(int(now["cohesion"][one.number]))


@pytest.fixture(scope="module")
def moves() -> list[Move]:
    return list(some_moves(1500))


def some_moves(worlds: int) -> Iterator[Move]:
    rng = np.random.default_rng(21)
    for _ in range(worlds):
        game, world = random_world(rng, {}, related=0)
        piece = one_of(rng, world.pieces)
        wants = [Deed(deed) for deed in rng.permutation(GOING)]
        follow(game.sheet, Policy(wants), piece.side)
        world.allowance = rng.integers(0, 6, MAX_PIECES).tolist()
        game.sheet["allowance"] = world.allowance
        game.sheet["flee_hexes"] = rng.integers(0, 4)
        game.sheet["feasible"] |= sum(1 << deed for deed in GOING) * chance(rng, 0.5)
        game.script(rng.random(40) < 0.3)
        game.play(What.ACTIVATE, [piece.number])
        rows = game.log()
        choices = [row for row in rows if row[0] == Event.CHOSEN and row[1] == piece.number]
        if not choices or choices[0][2] not in GOING:
            continue
        deed = Deed(choices[0][2])
        steps = [row[2:] for row in rows if row[:2] == (Event.MOVED, piece.number)]
        left = [row[2] for row in rows if row[:2] == (Event.LEFT, piece.number)]
        tag = permitted_by(game.sheet)[deed]
        yield Move(game, world, piece, deed, tag, steps, left[0] if left else None)


def test_all_kinds_of_moves_are_seen(moves):
    seen = Counter((move.deed, move.tag) for move in moves if move.steps)
    pairs = {(deed, Tag.AWAY_FROM_NEAREST_THREAT) for deed in GOING if deed != Deed.ATTACK_MOVE}
    pairs |= {(Deed.MOVE, tag) for tag in (Tag.STAY_FAR, Tag.CAN_FIRE_AT_END, Tag.TO_RETREAT_EDGE)}
    pairs |= {(Deed.FLEE, Tag.STAY_FAR), (Deed.WITHDRAW, Tag.STAY_FAR)}
    pairs |= {(Deed.ATTACK_MOVE, Tag.NO_ENGAGE), (Deed.MOVE, Tag.NOT_ENGAGED_AT_END)}
    assert {pair for pair in pairs if not seen[pair]} == set()


def test_steps(moves):
    """From hex to hex beside it, never among enemies, within the movement points or hexes."""
    for move in moves:
        move.places("begin")
        at, sheet, terrain = move.piece.at, move.game.sheet, move.world.terrain
        for here, there in move.steps:
            assert here == at
            assert there in move.world.beside[here]
            at = there
            friends = standing(move, there)
            assert all(one.side == move.piece.side for one in friends)
            assert not move.piece.troop or sum(one.troop for one in friends) < 2
        if move.deed is Deed.FLEE:
            assert len(move.steps) + (move.left is not None) <= sheet["flee_hexes"]
        else:
            cost = sum(int(terrain.cost[0, here, there]) for here, there in move.steps)
            assert cost + (move.left is not None) <= move.world.allowance[move.piece.number]


def standing(move: Move, at: int) -> list[Piece]:
    """Other pieces that stand in a hex while the piece moves; decoys that it meets vanish."""
    gone = {row[1] for row in move.game.log() if row[0] == Event.REMOVED}
    others = [one for one in move.world.pieces if one is not move.piece and one.present]
    return [one for one in others if one.at == at and one.number not in gone]


def test_constraints_hold_at_the_end(moves):
    for move in moves:
        move.places("now")
        world, piece = move.world, move.piece
        if not piece.present or not move.steps:
            continue
        if move.tag is Tag.NO_ENGAGE:
            assert not engaged_by(world, piece)
        elif move.tag is Tag.NOT_ENGAGED_AT_END:
            assert not engagers(world, piece)
        elif move.tag is Tag.STAY_FAR:
            assert world.far(piece)
        elif move.tag is Tag.CAN_FIRE_AT_END:
            assert world.can_fire(piece)
        elif move.tag is Tag.STAY_UNSEEN:
            assert piece.kind is Kind.DECOY
            assert not any(world.terrain.sight[piece.at, one.at] for one in foes(move))


def foes(move: Move) -> list[Piece]:
    others = [one for one in move.world.pieces if one.present]
    return [one for one in others if one.side != move.piece.side and one.at is not None]


def test_away_from_the_nearest_threat(moves):
    """A6c: each step is of the best class that is open, and none goes nearer to all of them."""
    for move in moves:
        if move.tag is not Tag.AWAY_FROM_NEAREST_THREAT:
            continue
        move.places("begin")
        points = FAR_AWAY if move.deed is Deed.FLEE else move.world.allowance[move.piece.number]
        for here, there in move.steps:
            best = min(step_class(move, here, way) for way in open_to(move, here, points))
            assert step_class(move, here, there) == best < 4
            points -= int(move.world.terrain.cost[0, here, there])


def open_to(move: Move, here: int, points: int) -> list[int]:
    """Hexes into which the piece may step."""
    found = []
    for there in sorted(move.world.beside[here]):
        inside = standing(move, there)
        room = not move.piece.troop or sum(one.troop for one in inside) < 2
        friendly = all(one.side == move.piece.side for one in inside)
        if room and friendly and move.world.terrain.cost[0, here, there] <= points:
            found.append(there)
    return found


def step_class(move: Move, here: int, there: int) -> int:
    """3.5."""
    contact = move.world.terrain.contact[0]
    enemies = [one for one in foes(move) if one.unit]
    least = min((contact[one.at, here] for one in enemies), default=0)
    gains = [
        int(contact[e.at, there]) - int(least) for e in enemies if contact[e.at, here] == least
    ]
    if all(gain > 0 for gain in gains):
        return 1
    if all(gain >= 0 for gain in gains):
        return 2
    return 3 if any(gain > 0 for gain in gains) else 4


def test_off_the_map_by_ones_own_edge_from_its_last_hex(moves):
    seen = 0
    for move in moves:
        if move.left is None:
            continue
        wing = move.game.sheet["begin"]["wing"][move.piece.number]
        edge = int(move.game.sheet["retreat_edge"][wing])
        assert 0 <= edge < EDGES
        out = move.world.terrain.edge[0, edge]
        assert out[move.left] == 1
        seen += 1
    assert seen > 20
