"""Situations as arrays: the record that the sheet's kernels read."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.sheet import ALL_DEEDS, NOBODY, OFF_MAP, Kind, Mark, Morale, Reading, Trial
from ...kernels.layout.situation import SHEET, HexMap
from ..errors import InputError, suggestion
from ..letters import fold
from ..message import say
from .facts import settled, unable
from .hexes import HOLES, Place
from .pieces import Grid, Piece, Situation
from .tests import SheetTests
from .world import World


def compile_situation(
    situation: Situation, tests: SheetTests, world: World, readings: Mapping[Reading, int]
) -> tuple[NDArray[np.void], Grid]:
    """Return a situation as a record of `SHEET`, shape (1,), and its map.

    ``begin`` is the state to start from; ``now``, relations and chances are the kernels'.
    """
    _check_ground(situation, world)
    _check_stacks(situation, world)
    sheets = np.zeros(1, SHEET)
    sheet = sheets[0]
    sheet["pieces"] = sheet["n"] = len(situation.pieces)
    sheet["wings"] = len(situation.wings)
    sheet["readings"] = [readings[reading] for reading in Reading]
    sheet["decoys"] = sheet["decoys_left"] = world.decoys
    _fill_wings(sheet, situation)
    _fill_tests(sheet, tests)
    _fill_world(sheet, world)
    for number, piece in enumerate(situation.pieces):
        _fill_piece(sheet, number, piece, situation, world)
    _fill_relations(sheet, situation)
    return sheets, situation.grid


def _check_ground(situation: Situation, world: World) -> None:
    """Refuse terrain that the world has not, and pieces where they cannot stand."""
    where = situation.file or situation.name
    for letter in sorted({letter for row in situation.grid.rows for letter in row} - set(HOLES)):
        if letter not in world.terrains:
            known = ", ".join(world.terrains)
            raise InputError('{}: map: rows: no terrain "{}"; known: {}', where, letter, known)
    for piece in situation.pieces:
        if piece.mover not in world.movers:
            known = suggestion(piece.mover, world.movers)
            raise InputError(
                '{}: {}: mover: no mover "{}"; {}', where, piece.name, piece.mover, known
            )
        if piece.place is None:
            continue
        terrain = world.terrains[situation.grid.letter(piece.place)]
        if terrain.cost[piece.mover] is None:
            raise InputError(
                "{}: {}: hex: {} is impassable to {}", where, piece.name, terrain.name, piece.mover
            )


def check_view(situation: Situation, terrain: HexMap) -> None:
    """Refuse decoys and hidden Units that stand in view: they would be revealed (D6)."""
    where, grid = situation.file or situation.name, situation.grid
    placed = [(piece, piece.place) for piece in situation.pieces if piece.place is not None]
    for piece, place in placed:
        decoy = piece.kind == Kind.DECOY
        if not decoy and not piece.mark & Mark.HIDDEN:
            continue
        for enemy, there in placed:
            unit = enemy.side != piece.side and enemy.kind != Kind.DECOY
            if unit and terrain.sight[grid.number(there), grid.number(place)]:
                what = say("a decoy in an enemy's sight is removed (D6b)")
                told = what if decoy else say("a hidden Unit in an enemy's sight is revealed (D6a)")
                raise InputError("{}: {}: hex: {} sees it; {}", where, piece.name, enemy.name, told)


def _check_stacks(situation: Situation, world: World) -> None:
    """Refuse enemies in one hex, and more Troops in it than there is room for."""
    where = situation.file or situation.name
    stacks: dict[Place, list[Piece]] = {}
    for piece in situation.pieces:
        if piece.place is not None:
            stacks.setdefault(piece.place, []).append(piece)
    for (column, row), stack in stacks.items():
        hexagon = say("{}: hex {},{}", where, column, row)
        enemy = next((piece for piece in stack if piece.side != stack[0].side), None)
        if enemy:
            raise InputError(
                "{}: {} and {} are enemies in one hex", hexagon, stack[0].name, enemy.name
            )
        troops = [piece.name for piece in stack if piece.is_troop]
        if len(troops) > world.stack_limit:
            listed, limit = ", ".join(troops), world.stack_limit
            raise InputError("{}: {} are too many Troops; at most {}", hexagon, listed, limit)


def _fill_wings(sheet: Any, situation: Situation) -> None:
    sheet["retreat_edge"], sheet["begin"]["leader"] = NOBODY, NOBODY
    for number, wing in enumerate(situation.wings):
        sheet["wing_side"][number] = situation.sides.index(wing.side)
        sheet["retreat_edge"][number] = NOBODY if wing.edge is None else wing.edge
        sheet["begin"]["order"][number] = wing.order
        sheet["begin"]["lost"][number] = wing.lost
        if wing.leader:
            sheet["begin"]["leader"][number] = situation.index(wing.leader)


def _fill_tests(sheet: Any, tests: SheetTests) -> None:
    for trial in Trial:
        sheet["modified"][trial] = tests.is_modified(trial)
        for morale in Morale:
            sheet["fails"][trial, morale] = tests.fail_ways(trial, morale)
    sheet["least"], sheet["ways"] = tests.least, tests.ways
    sheet["modifier"] = tests.modifiers
    sheet["retreat_fails"] = tests.retreat_fails()
    sheet["demoralised_fails"] = tests.demoralised_fails()
    sheet["flee_hexes"], sheet["rest"] = tests.flee_hexes, tests.rest
    sheet["reach_turns"] = tests.reach_turns


def _fill_world(sheet: Any, world: World) -> None:
    for kind in Kind:
        sheet["front"][kind] = world.front[kind]
        sheet["faces_by"][kind] = world.face[kind]
    weight, actor, target = world.outcome_arrays()
    sheet["outcome_weight"], sheet["outcome_actor"] = weight, actor
    sheet["outcome_target"] = target
    sheet["stack_limit"] = world.stack_limit
    sheet["order_range"], sheet["spell_range"] = world.order_range, world.spell_range
    sheet["contact_mark"] = world.contact_mark


def _fill_piece(sheet: Any, number: int, piece: Piece, situation: Situation, world: World) -> None:
    begin, far = sheet["begin"], piece.fire_range
    wings = [fold(wing.name) for wing in situation.wings]
    sheet["side"][number] = situation.sides.index(piece.side)
    sheet["morale"][number] = piece.morale
    sheet["mover"][number] = world.movers.index(piece.mover)
    own = piece.allowance
    sheet["allowance"][number] = world.allowance[piece.kind] if own is None else own
    sheet["fire_range"][number] = world.fire_range if far is None else far
    sheet["feasible"][number] = ALL_DEEDS & ~unable(piece, situation)
    for key in ("kind", "cohesion", "breath", "steps", "faculty", "facing", "formation_mode"):
        begin[key][number] = getattr(piece, key)
    begin["mark"][number] = piece.mark | Mark.ALIVE | Mark.ON_MAP
    begin["wing"][number] = wings.index(fold(piece.wing)) if piece.wing else NOBODY
    begin["at"][number] = OFF_MAP if piece.place is None else situation.grid.number(piece.place)


def _fill_relations(sheet: Any, situation: Situation) -> None:
    sheet["given_facts"] = -1
    for number, piece in enumerate(situation.pieces):
        for fact, holds in settled(piece, situation).items():
            sheet["given_facts"][number, fact] = holds
    sheet["given"] = situation.engages is not None
    for one, other in situation.engages or ():
        bit = np.uint64(1) << np.uint64(situation.index(other))
        sheet["given_to"][situation.index(one)] |= bit
