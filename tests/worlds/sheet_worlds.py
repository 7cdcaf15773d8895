"""Worlds of the plain reading as the records of the kernels, and both engines on one world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sheet_space import word

from estoc.kernels.layout.sheet import (
    ALL_DEEDS,
    EDGES,
    FAR_AWAY,
    FROZEN,
    NOBODY,
    OFF_MAP,
    TAGS,
    Deed,
    Event,
    Fact,
    Faculty,
    Kind,
    Mark,
    Modifier,
    Reading,
    Tag,
    Trial,
)
from estoc.kernels.layout.situation import SHEET, ClauseTable, HexMap
from estoc.kernels.sheet import trials as sheet_trials
from estoc.kernels.sheet.trials import SheetCounts, What
from estoc.profiles.sheet.clauses import compile_clauses, load_clauses
from reference import sheet_select, sheet_stages
from reference.sheet import EVERYTHING, Facts, Readings
from reference.sheet_dice import Taken
from reference.sheet_select import Selected
from reference.sheet_stages import Policy
from reference.sheet_state import Piece, World, facts_of

NAMES = [paragraph.id for paragraph in load_clauses().paragraphs]
WAYS = 100_000  # of a test, so that its ways to fail tell which one it is
MODIFIERS = tuple(1 << number for number in range(len(Modifier)))  # sums tell which ones hold
RETREAT_WAYS, DEMORALISED_WAYS = 50_000, 60_000
NOWHERE = 900  # hexes of pieces that are on no map, each alone in one
NO_PIECES = np.zeros(0, np.int64)
MARKS = {
    "charge": Mark.CHARGE,
    "contact": Mark.CONTACT,
    "hidden": Mark.HIDDEN,
    "active": Mark.ACTIVE,
    "special": Mark.SPECIAL,
    "spell_chosen": Mark.SPELL,
    "ammo_out": Mark.AMMO_OUT,
    "in_command": Mark.IN_COMMAND,
}
FACULTIES = {
    "dodge": Faculty.DODGE,
    "fearsome": Faculty.FEARSOME,
    "invulnerable": Faculty.INVULNERABLE,
    "fireproof": Faculty.FIREPROOF,
    "flying": Faculty.FLYING,
    "infiltrated": Faculty.INFILTRATED,
    "cic": Faculty.CIC,
    "attacks_invulnerable": Faculty.ATTACKS_INVULNERABLE,
}
PREDICATES = {  # that a world may give
    "far": Fact.FAR,
    "can_fire": Fact.CAN_FIRE,
    "can_face": Fact.CAN_FACE,
    "duel_fire": Fact.DUEL_FIRE,
}


def table_of(readings: Readings) -> ClauseTable:
    """The clause table under some readings."""
    return _table(tuple(readings.get(reading, 0) for reading in Reading))


@cache
def _table(values: tuple[int, ...]) -> ClauseTable:
    return compile_clauses(load_clauses(), dict(zip(Reading, values, strict=True)))


# --- maps ----------------------------------------------------------------------------------


def ground(world: World, refuges: bool = False, edge: int = FAR_AWAY) -> HexMap:
    """A map whose hexes are beside each other as the world says, in directions of any kind.

    Parameters
    ----------
    refuges : bool
        A way leads out of each hex to one that nothing else is beside: who flees there is out of
        adjacency.
    edge : int
        Movement points to leave the map from anywhere.
    """
    ends = {at for around in world.beside.values() for at in around}
    ends |= {piece.at for piece in world.pieces if piece.at is not None}
    hexes = 1 + max({*ends, *world.beside, *(at for pair in world.sight for at in pair)}, default=0)
    size = hexes * (1 + refuges)
    beside = np.full((size, 6), OFF_MAP, np.int16)
    for at, around in world.beside.items():
        ways = world.towards.get(at) or dict(enumerate(sorted(around), int(refuges)))
        for way, there in ways.items():
            beside[at, way] = there
    for at in range(hexes if refuges else 0):
        beside[at, 0] = hexes + at  # the first of ways that are as good is taken
    apart = steps(beside)
    sight = np.eye(size, dtype=np.int16)
    for pair in world.sight:
        one, other = min(pair), max(pair)
        sight[one, other] = sight[other, one] = 1
    burning = [at in world.burning for at in range(size)]
    columns = np.column_stack([beside, burning, np.full((size, EDGES), edge)])
    contact = np.maximum(apart - 1, 0)
    pairs = np.stack([apart, sight, apart, contact]).astype(np.int16)
    return HexMap(columns.astype(np.int16), pairs, np.zeros(size, np.uint64))


def steps(beside: NDArray[np.int16]) -> NDArray[np.int64]:
    """Least steps from each hex to each other one."""
    size = len(beside)
    apart = np.where(np.eye(size, dtype=bool), 0, FAR_AWAY)
    for _ in range(size):
        for way in range(6):
            there = beside[:, way]
            by_way = np.where((there >= 0)[:, None], apart[there] + 1, FAR_AWAY)
            apart = np.minimum(apart, by_way)
    return np.minimum(apart, FAR_AWAY)


# --- records -------------------------------------------------------------------------------


@dataclass
class Game:
    """A record, its map and its clause table."""

    sheets: NDArray[np.void]
    terrain: HexMap
    table: ClauseTable
    counts: SheetCounts = field(init=False)

    def __post_init__(self) -> None:
        self.counts = SheetCounts.none(self.sheets)

    @property
    def sheet(self) -> np.void:
        return self.sheets[0]

    def play(
        self, what: What, pieces: Sequence[int] = (), first: int = 0, trials: int = 1, wing: int = 0
    ) -> None:
        """Run some trials; counts add up."""
        numbers = np.array(pieces, np.int64) if len(pieces) else NO_PIECES
        sheet_trials.play_sheet(
            *(self.sheets, self.terrain, self.table),
            *(int(what), numbers, first, trials, wing, self.counts),
        )

    def restart(self) -> None:
        self.counts = SheetCounts.none(self.sheets)

    def script(self, letters: Sequence[bool] | NDArray[np.bool_]) -> None:
        """Chances are read from a tape: whether each test fails; those after it pass."""
        self.sheet["taped"] = self.sheet["telling"] = 1
        self.sheet["tape"] = 0
        self.sheet["tape"][: len(letters)] = letters

    def log(self) -> list[tuple[int, ...]]:
        """Rows of the log: event, piece, two numbers."""
        return [tuple(row) for row in self.sheet["log"][: self.sheet["logged"]].tolist()]


def game_of(world: World, terrain: HexMap | None = None, refuges: bool = False) -> Game:
    """A world that both engines can play.

    Parameters
    ----------
    terrain : HexMap, optional
        It decides the predicates that the world doesn't; None: the world's own hexes, where all
        of them are given.
    refuges : bool
        Whoever flees gets out of adjacency; else nobody moves.
    """
    sheets = np.zeros(1, SHEET)
    sheet = sheets[0]
    sheet["pieces"] = sheet["n"] = len(world.pieces)
    sheet["wings"] = len(world.wings)
    sheet["readings"] = [world.reads(reading) for reading in Reading]
    sheet["turns"], sheet["sequence"] = 1, np.arange(sheet["sequence"].size)
    fill_tests(sheet)
    fill_wings(sheet, world)
    fill_ground(sheet, world, refuges)
    sheet["given_facts"], sheet["given"] = -1, world.given_to is not None
    sheet["feasible"] = ALL_DEEDS
    sheet["begin"]["at"] = OFF_MAP
    for piece in world.pieces:
        fill_piece(sheet, piece)
        for deed in world.infeasible.get(piece.number, ()):
            sheet["feasible"][piece.number] &= ~(1 << deed)
        if world.reads(Reading.FACES) == 1:
            sheet["given_facts"][piece.number, Fact.FACES] = world.asked(piece, "faces")
        if terrain is None:
            give(sheet, world, piece)
    for one, other in world.given_to or ():
        sheet["given_to"][one] |= np.uint64(1 << other)
    return Game(sheets, terrain or ground(world, refuges), table_of(world.readings))


def on_map(piece: Piece) -> bool:
    """Whether it is in a hex of the map, and not where relations only are known."""
    return piece.at is not None and piece.at < NOWHERE


def fill_tests(sheet: np.void) -> None:
    """Tests that any of them can fail, in ways that tell which one it is; fights without effect."""
    sheet["ways"], sheet["least"], sheet["modifier"] = WAYS, 0, MODIFIERS
    sheet["modified"] = 1
    sheet["modified"][Trial.MORALE] = 0
    sheet["fails"] = np.arange(1, 1 + sheet["fails"].size).reshape(sheet["fails"].shape)
    sheet["retreat_fails"] = RETREAT_WAYS
    sheet["demoralised_fails"] = DEMORALISED_WAYS + np.arange(len(sheet["demoralised_fails"]))
    sheet["outcome_weight"][:, :2] = 1


def fill_wings(sheet: np.void, world: World) -> None:
    begin = sheet["begin"]
    sheet["retreat_edge"], begin["leader"] = NOBODY, NOBODY
    for number, wing in enumerate(world.wings):
        sheet["wing_side"][number] = wing.side
        begin["order"][number], begin["lost"][number] = wing.order, wing.lost
        begin["demoralised"][number] = wing.demoralised
        begin["leader"][number] = NOBODY if wing.leader is None else wing.leader
        if wing.leader is not None:
            begin["faculty"][wing.leader] |= Faculty.LEADER


def fill_ground(sheet: np.void, world: World, refuges: bool) -> None:
    sheet["rest"], sheet["flee_hexes"], sheet["reach_turns"] = -1, int(refuges), 1
    sheet["stack_limit"], sheet["allowance"] = 1, -1  # nobody reaches anybody
    for kind in Kind:
        sheet["front"][kind] = sum(1 << way for way in world.front.get(kind, ()))
        sheet["faces_by"][kind] = sum(1 << turn for turn in world.turns.get(kind, ()))
    for side, decoys in world.decoys_left.items():
        sheet["decoys"][side] = decoys


def fill_piece(sheet: np.void, piece: Piece) -> None:
    begin, number = sheet["begin"], piece.number
    sheet["side"][number], sheet["morale"][number] = piece.side, piece.morale
    begin["kind"][number], begin["steps"][number] = piece.kind, 2
    begin["cohesion"][number], begin["breath"][number] = piece.cohesion, piece.breath
    begin["wing"][number] = NOBODY if piece.wing is None else piece.wing
    begin["at"][number] = piece.at if on_map(piece) else OFF_MAP
    begin["facing"][number] = piece.facing
    begin["mark"][number] = piece.alive * Mark.ALIVE | piece.on_map * Mark.ON_MAP
    for name, mark in MARKS.items():
        begin["mark"][number] |= mark * getattr(piece, name)
    for name, faculty in FACULTIES.items():
        begin["faculty"][number] |= faculty * getattr(piece, name)


def give(sheet: np.void, world: World, piece: Piece) -> None:
    """The predicates that the world gives, be they false."""
    for name, fact in PREDICATES.items():
        if name != "can_face" or world.given_to is not None:
            sheet["given_facts"][piece.number, fact] = world.asked(piece, name)
    if world.asked(piece, "reaches"):
        sheet["allowance"][piece.number] = FAR_AWAY - 1


def follow(sheet: np.void, policy: Policy, side: int) -> None:
    """A player as the plain reading has him: what he wants first, else the lowest deed."""
    sheet["rank"][side] = 0
    for place, deed in enumerate(policy.wants):
        sheet["rank"][side, deed] = len(Deed) - place
    sheet["hides"][side], sheet["reveals"][side] = policy.hide, policy.reveal
    sheet["decoys_under"][side] = policy.decoy == "under"
    if not policy.decoy:
        sheet["decoys"][side] = 0


# --- what came of it -----------------------------------------------------------------------


class Test(NamedTuple):
    """A test that was taken, of a piece or of a wing, and its ways to fail of `WAYS`."""

    __test__ = False
    trial: Trial
    who: int
    failed: bool
    ways: int


def taken_in(game: Game, rows: Sequence[tuple[int, ...]] | None = None) -> list[Test]:
    """The tests of a log, in order; every other chance is an outcome of a fight."""
    sheet, found, k = game.sheet, [], 0
    for event, who, a, b in game.log() if rows is None else rows:
        if event == Event.OUTCOME:
            k += 1
        elif event in (Event.TEST, Event.WING_TEST):
            ways = int(sheet["tape_ways"][k])
            found.append(Test(Trial(a), who, bool(b), ways if b else WAYS - ways))
            k += 1
    assert rows is not None or k == sheet["drawn"]
    return found


def permitted_by(sheet: np.void) -> dict[Deed, Tag]:
    """The actions of the last selection, and their constraints."""
    return decoded(int(sheet["permitted"]), sheet["tags"].tolist())


def decoded(permitted: int, tags: Sequence[int]) -> dict[Deed, Tag]:
    """Words of deeds and of those that carry each constraint, as the plain reading has them."""
    found = {deed: Tag.FREE for deed in Deed if permitted >> deed & 1}
    for tag in range(1, TAGS):
        for deed in Deed:
            if tags[tag] >> deed & 1:
                assert found[deed] is Tag.FREE, "two constraints, or one of what is not permitted"
                found[deed] = Tag(tag)
    return found


def trace_of(word: int, closing: int) -> list[str]:
    """Paragraphs in text order; F0 if none closed."""
    return [name for k, name in enumerate(NAMES) if word >> k & 1] + ["F0"] * (closing == 0)


def point_of(selected: Selected) -> int:
    """Number of the point that closed; 0: F0."""
    return int(selected.closing.strip("FAabc"))


def asked_of(facts: Facts, readings: Readings) -> int:
    """The word of those facts that a clause can ask."""
    found = word(facts, readings)
    idle = set()
    if not facts.engaged:
        idle.add(Fact.FACES)
    if not facts.engaged or facts.faces:
        idle.add(Fact.CAN_FACE)
    if facts.kind is not Kind.CHARACTER:
        idle |= {Fact.FREE_WING, Fact.DUEL_SHOCK, Fact.DUEL_FIRE}
    return found & ~sum(1 << fact for fact in idle)


def ways_of(test: Trial, piece: Piece, modifiers: frozenset[Modifier]) -> int:
    """Ways to fail a test of a piece, by `fill_tests`."""
    total = sum(MODIFIERS[modifier] for modifier in modifiers)
    return 1 + int(np.ravel_multi_index((test, piece.morale, total), (len(Trial), 5, 32)))


def difference(game: Game, world: World, facing: bool = True) -> list[str]:
    """Where the state of a record and a world differ; decoys that were placed: where they are."""
    now, found = game.sheet["now"], []

    def compare(what: str, kernel: object, plain: object) -> None:
        if kernel != plain:
            found.append(f"{what}: kernel {kernel}, reference {plain}")

    compare("pieces", int(game.sheet["n"]), len(world.pieces))
    for number, piece in enumerate(world.pieces):
        mark = int(now["mark"][number])
        present = mark & Mark.ALIVE != 0 and mark & Mark.ON_MAP != 0
        compare(f"{number} alive", mark & Mark.ALIVE != 0, piece.alive)
        compare(f"{number} present", present, piece.present)
        if not piece.present:
            continue
        compare(f"{number} at", int(now["at"][number]), piece.at if on_map(piece) else OFF_MAP)
        if number >= game.sheet["pieces"]:
            continue
        for name in ("kind", "cohesion", "breath") + ("facing",) * (facing and bool(world.towards)):
            compare(f"{number} {name}", int(now[name][number]), int(getattr(piece, name)))
        for name, bit in MARKS.items():
            compare(f"{number} {name}", mark & bit != 0, getattr(piece, name))
    for number, wing in enumerate(world.wings):
        leader = NOBODY if wing.leader is None else wing.leader
        compare(f"wing {number} leader", int(now["leader"][number]), leader)
        for name in ("order", "lost", "demoralised"):
            compare(f"wing {number} {name}", int(now[name][number]), int(getattr(wing, name)))
    return found


# --- both engines --------------------------------------------------------------------------

MOVES = (Deed.MOVE, Deed.ATTACK_MOVE, Deed.WITHDRAW)
UNLIKE = (  # what they do is not in the sheet, and the plain reading doesn't play it
    *(Deed.MERGE, Deed.FORM_CONSTITUTE, Deed.FORM_JOIN, Deed.FORM_BREAK, Deed.FORM_LEAVE),
    *(Deed.ORDERS_TROOPS, Deed.ORDERS_CHARS, Deed.CHANGE_ORDER, Deed.TAKE_COMMAND),
)


class EnoughError(Exception):
    """The plain reading has come to the action, and need not perform it."""


@dataclass
class Stopping(Policy):
    """Stops the activation of one piece at its action; its decoys are played."""

    permitted: dict[Deed, Tag] | None = None

    def choose(self, permitted: dict[Deed, Tag]) -> Deed:
        self.permitted = permitted
        raise EnoughError


class Told:
    """Tests of the plain reading: the kernel's, in its order; any other one is an error."""

    def __init__(self, world: World, tests: list[Test]):
        self.world, self.left = world, tests

    def fails(self, test: Taken) -> bool:
        assert self.left, f"the kernel does not take {test}"
        own = self.left.pop(0)
        assert (own.trial, own.who) == (test.trial, test.who), (own, test)
        if test.trial is Trial.RETREAT:
            assert own.ways == RETREAT_WAYS
        elif test.trial is Trial.DEMORALISATION:
            assert own.ways == DEMORALISED_WAYS + self.world.wings[test.who].lost
        elif self.world.pieces[test.who].unit:
            ways = ways_of(test.trial, self.world.pieces[test.who], test.modifiers)
            assert own.ways == ways, (own, test)
        return own.failed


class Duel(NamedTuple):
    """What a piece chose, if it came to that; whether the action was compared too."""

    chosen: Deed | None
    whole: bool


def duel(game: Game, world: World, number: int, policy: Policy, fails: Sequence[bool]) -> Duel:
    """Activate a piece by the kernel, then by the plain reading: all is the same.

    An action that only the kernel performs ends the comparison. The plain reading is told which
    way a piece goes, and which actions' own conditions hold.
    """
    follow(game.sheet, policy, world.pieces[number].side)
    game.script(fails)
    game.play(What.START, [number])
    chose = game.sheet.copy()  # its own selection: a decoy that lies below acts after it
    game.play(What.ACTIVATE, [number])
    rows = game.log()
    choices = {row[1]: k for k, row in enumerate(rows) if row[0] == Event.CHOSEN}
    came = number in choices and rows[choices[number]][3] != FROZEN
    chosen = Deed(rows[choices[number]][2]) if came else None
    after = rows[choices[number] + 1 :] if came else []
    gone = {row[0] for row in after} & {Event.LEFT, Event.TURNED}
    whole = chosen not in UNLIKE and not (chosen in MOVES and gone)
    world.infeasible = {}
    for decoy in choices.keys() - {number}:
        deed = Deed(rows[choices[decoy]][2])
        world.infeasible[decoy] = EVERYTHING - {deed}
        ways = [row for row in rows if row[1] == decoy and row[0] in (Event.MOVED, Event.LEFT)]
        if deed in MOVES and ways:
            return Duel(None, False)
    if came:
        world.infeasible[number] = frozenset(d for d in Deed if not chose["able"] >> d & 1)
    world.flight = flight_of(rows)
    path = [row[3] for row in after if row[:2] == (Event.MOVED, number)]
    if whole:
        told = Told(world, taken_in(game))
        own = Policy(policy.wants, policy.hide, policy.decoy, policy.reveal, path)
        activation = sheet_stages.activate(world, number, own, told)
        facts, selected = activation.facts, activation.selected
        assert (selected is not None) == came
        differences = difference(game, world)
        assert not differences, differences
    else:
        told = Told(world, taken_in(game, rows[: choices[number]]))
        stopping = Stopping(policy.wants, policy.hide, policy.decoy, policy.reveal)
        try:
            sheet_stages.activate(world, number, stopping, told)
        except EnoughError:
            facts = facts_of(world, world.pieces[number])
            selected = sheet_select.select(facts, world.readings)
            assert selected.permitted == stopping.permitted
    assert not told.left, f"the plain reading does not take {told.left}"
    if facts is not None and selected is not None:
        compare_choice(chose, world, facts, selected)
    return Duel(chosen, whole)


def flight_of(rows: Sequence[tuple[int, ...]]) -> Callable[[World, Piece], int | None]:
    """The way that each piece went."""

    def flight(world: World, piece: Piece) -> int | None:
        to = piece.at
        for event, who, _, b in rows:
            if who == piece.number and event in (Event.MOVED, Event.LEFT):
                to = b if event == Event.MOVED else None
        return to

    return flight


def compare_choice(sheet: np.void, world: World, facts: Facts, selected: Selected) -> None:
    """The word of facts and the selection of the activated piece."""
    asked = asked_of(facts, world.readings)
    others = [Fact(k) for k in range(len(Fact)) if (int(sheet["facts"]) ^ asked) >> k & 1]
    assert not others, (others, facts)
    assert permitted_by(sheet) == selected.permitted, (permitted_by(sheet), selected)
    assert sheet["closing"] == point_of(selected)
    if world.reads(Reading.MODE) == 0:
        assert trace_of(int(sheet["trace"]), int(sheet["closing"])) == selected.trace
