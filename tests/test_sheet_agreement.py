"""Random small worlds: the sheet's kernels and its plain reading activate a piece alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest
from sheet_worlds import (
    FACULTIES,
    NOWHERE,
    UNLIKE,
    Game,
    Told,
    difference,
    duel,
    follow,
    game_of,
    on_map,
    taken_in,
)
from test_reference_sheet_mutants import MUTANTS

from estoc.kernels.sheet_codes import (
    FAR_AWAY,
    MAX_PIECES,
    Breath,
    Cohesion,
    Deed,
    End,
    HexMap,
    Kind,
    Morale,
    Order,
    Reading,
)
from estoc.kernels.sheet_trials import What
from estoc.profiles.hexes import hex_map
from estoc.profiles.pieces import Grid
from estoc.profiles.sheet_readings import load_switches
from estoc.profiles.sheet_world import load_world
from reference import sheet_stages
from reference.sheet_stages import Policy
from reference.sheet_state import Piece, Wing, World

RNG = np.random.Generator
MAPS = 12
WANTED = {Deed.SHOCK, Deed.FIRE, Deed.ATTACK_MOVE}
COLUMNS, ROWS = 6, 5
NUMBERS = [mutant[0] for mutant in MUTANTS]
ALL_READINGS = [
    {each.code: value} for each in load_switches() for value in range(1, len(each.values))
]


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
    world = Field(pieces, wings=wings, terrain=terrain, readings=readings)
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


def random_wants(rng: RNG) -> list[Deed]:
    """A player's order of all actions; those that only one engine performs may come last."""
    wants = [Deed(deed) for deed in rng.permutation(len(Deed))]
    return sorted(wants, key=UNLIKE.__contains__) if chance(rng, 0.5) else wants


def play(seed: int, worlds: int, readings: dict[Reading, int]) -> Counter:
    """Activate a piece of each of some worlds; how many came to what."""
    rng, seen = np.random.default_rng(seed), Counter()
    for number in range(worlds):
        game, world = random_world(rng, readings)
        present = [one for one in world.pieces if one.present]
        mapped = all(on_map(one) for one in world.pieces)
        if not present:
            continue
        piece = one_of(rng, present)
        wants = random_wants(rng)
        hide, decoy, reveal = (mapped and chance(rng, 0.4) for _ in range(3))
        policy = Policy(wants, hide, "on" if decoy else "", reveal)
        fails = rng.random(40) < 0.5
        try:
            result = duel(game, world, piece.number, policy, fails)
        except AssertionError as error:
            raise AssertionError(f"world {number} of seed {seed}, piece {piece}") from error
        seen["whole" if result.whole else "up to the action"] += 1
        seen[result.chosen] += 1
    return seen


def test_activations():
    """The actions that both perform come up; most activations are compared to their end."""
    seen = play(seed=11, worlds=600, readings={})
    assert seen["whole"] > 2 * seen["up to the action"]
    rare = {Deed.RESIGN, Deed.DUEL_SHOCK, Deed.DUEL_FIRE}
    assert set(Deed) - set(seen) <= rare | set(UNLIKE)


@pytest.mark.parametrize("readings", ALL_READINGS, ids=str)
def test_readings(readings):
    play(seed=100 + min(readings), worlds=40, readings=readings)


def test_readings_together():
    rng = np.random.default_rng(5)
    for seed in range(150):
        switches = rng.choice(len(ALL_READINGS), 4, replace=False)
        together = {key: value for k in switches for key, value in ALL_READINGS[k].items()}
        play(seed, worlds=1, readings=together)


@pytest.mark.parametrize(("number", "mutate"), [mutant[:2] for mutant in MUTANTS], ids=NUMBERS)
def test_mutants_of_the_reading_are_caught(number, mutate, monkeypatch):
    """Section 4: both engines no longer agree."""
    mutate(monkeypatch)
    with pytest.raises(AssertionError, match=r"world \d+ of seed 3"):
        play(seed=3, worlds=1500, readings={})


# --- whole turns -----------------------------------------------------------------------------


def test_turns():
    """Two turns where relations are given and nobody moves: all that happens, and every loss."""
    rng, causes = np.random.default_rng(8), Counter()
    for number in range(150):
        readings = ALL_READINGS[number % len(ALL_READINGS)] if number % 2 else {}
        game, world = random_world(rng, readings, related=1)
        policies = stand_still(rng, game, world)
        game.script(rng.random(200) < 0.5)
        game.play(What.TURNS)
        told = Told(world, taken_in(game))
        try:
            ends = play_turns(world, policies, told, game.sheet["sequence"][: len(world.pieces)])
            differences = difference(game, world, facing=False)
            assert not differences, differences
            assert not told.left, told.left
            lost = game.counts.ends[:, 1:]
            found = {(u, End(k + 1)): lost[u, k] for u, k in np.argwhere(lost)}
            plain = {key: count for key, count in ends.items() if key[1] is not End.USED}
            assert found == plain, (found, plain)
        except AssertionError as error:
            raise AssertionError(f"world {number}") from error
        causes.update(cause for _, cause in ends.elements())
    assert set(causes) == set(End)


def stand_still(rng: RNG, game: Game, world: Field) -> list[Policy]:
    """The players; what only one engine performs is not feasible, nor is any move."""
    sheet, n = game.sheet, len(world.pieces)
    sheet["turns"], sheet["flee_hexes"] = 2, 0
    sheet["sequence"][:n] = rng.permutation(n)
    sheet["allowance"], world.allowance = 0, [0] * MAX_PIECES
    for piece in world.pieces:
        sheet["feasible"][piece.number] &= ~sum(1 << deed for deed in UNLIKE)
        able = int(sheet["feasible"][piece.number])
        world.infeasible[piece.number] = frozenset(deed for deed in Deed if not able >> deed & 1)
    mapped = all(on_map(one) for one in world.pieces)
    policies = []
    for side in (0, 1):
        hide, decoy = mapped and chance(rng, 0.4), mapped and chance(rng, 0.4)
        policies.append(Policy(random_wants(rng), hide, "on" if decoy else ""))
        follow(sheet, policies[side], side)
        sheet["wanted"][side] = sum(1 << deed for deed in WANTED)
    game.restart()
    return policies


def play_turns(world: Field, policies: list[Policy], told: Told, sequence) -> Counter:
    """Two turns by the plain reading; causes of lost activations, by piece."""
    ends: Counter = Counter()
    for _ in range(2):
        for piece in world.pieces:
            piece.active = False
        for number in [*sequence.tolist(), *range(len(sequence), MAX_PIECES)]:
            if number >= len(world.pieces):
                break
            piece = world.pieces[number]
            if piece.present and not piece.active:
                activation = sheet_stages.activate(world, number, policies[piece.side], told)
                if number < len(sequence):
                    ends[number, sheet_stages.lost_to(activation, WANTED)] += 1
    return ends
