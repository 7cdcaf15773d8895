"""The sheet's kernels: cases of 7.2 die for die, laws of 8.1 by their tape, counts of trials."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from copy import deepcopy
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2
from sheet_cases import CASES, possible
from sheet_event_cases import EVENTS, army, around, chain, scouting
from sheet_rout import flower, line
from sheet_worlds import (
    Game,
    duel,
    game_of,
    ground,
    permitted_by,
    table_of,
    taken_in,
)

from estoc.kernels.layout.sheet import (
    MAX_PIECES,
    MAX_TAPE,
    Breath,
    Cohesion,
    Deed,
    Edge,
    End,
    Event,
    Fact,
    Kind,
    Mark,
    Order,
    Reading,
    Tag,
    Trial,
)
from estoc.kernels.sheet.trials import SheetCounts, What
from estoc.profiles.sheet.compile import compile_situation
from estoc.profiles.sheet.hexes import hex_map
from estoc.profiles.sheet.readings import chosen_readings
from estoc.profiles.sheet.situation import load_situation
from estoc.profiles.sheet.tests import load_tests
from estoc.profiles.sheet.world import load_world
from reference import sheet_stages
from reference.sheet_state import Piece, Wing, World, stays

GOOD, SHAKEN, ROUTED = Cohesion
ROUT, RETREAT, DEMORALISATION = Trial.ROUT, Trial.RETREAT, Trial.DEMORALISATION
WANTED = 1 << Deed.SHOCK | 1 << Deed.FIRE | 1 << Deed.ATTACK_MOVE
HALF = Fraction(1, 2)
NAMES = {reading.name: reading for reading in Reading}


def taken(game: Game) -> list[tuple[Trial, int]]:
    return [(test.trial, test.who) for test in taken_in(game)]


def fails(letters: str) -> list[bool]:
    return [letter == "F" for letter in letters]


# --- cases of 7.1 and 7.2 -------------------------------------------------------------------


@pytest.mark.parametrize("name", EVENTS)
def test_events(name, monkeypatch):
    """Every activation of U3, U14b and U15 to U25 by both engines, with the same script."""
    right, played = sheet_stages.activate, []

    def activate(world, number, policy, dice):
        before, used = deepcopy(world), len(dice.taken)
        activation = right(world, number, policy, dice)
        letters = dice.letters[used : len(dice.taken)]
        if not policy.path:  # of U24 below
            with monkeypatch.context() as patch:
                patch.setattr(sheet_stages, "activate", right)
                game = game_of(before, refuges=before.flight is not stays)
                duel(game, before, number, policy, fails(letters))
            assert taken(game) == [(test.trial, test.who) for test in dice.taken[used:]]
            played.append(number)
        return activation

    monkeypatch.setattr(sheet_stages, "activate", activate)
    EVENTS[name]()
    assert played or name[:3] in ("U22", "U23", "U24")


def test_u22():
    """A Troop is destroyed: its friends test, then its wing; nobody beside the one who routs."""
    world = chain(GOOD, GOOD, ROUTED, GOOD)
    world.beside = around([(0, 1), (0, 2), (1, 3)])
    game = game_of(world)
    game.script(fails("FP"))
    game.play(What.LOSE, [0])
    assert taken(game) == [(ROUT, 1), (DEMORALISATION, 0)]
    now = game.sheet["now"]
    assert now["cohesion"][:4].tolist() == [GOOD, ROUTED, ROUTED, GOOD]
    assert (now["order"][0], now["lost"][0]) == (Order.ATTACK, 1)


@pytest.mark.parametrize(
    ("cohesion", "script", "tests"),
    [(GOOD, "", []), (ROUTED, "F", [(RETREAT, 0)])],
    ids=["U23a", "U23b"],
)
def test_a_leader_leaves(cohesion, script, tests):
    """He withdraws in good order, or flees in rout, off the map."""
    world = army()
    chief = world.pieces[0]
    chief.cohesion, chief.cic, world.beside = cohesion, False, {}
    game = game_of(world, ground(world, edge=1))
    game.sheet["retreat_edge"][0], game.sheet["flee_hexes"] = Edge.SOUTH, 1
    game.sheet["rank"][0, Deed.FLEE] = 1
    game.script(fails(script))
    game.play(What.ACTIVATE, [0])
    assert taken(game) == tests
    assert not game.sheet["now"]["mark"][0] & Mark.ON_MAP
    expected = Order.RETREAT if tests else Order.ATTACK
    assert game.sheet["now"]["order"][:4].tolist() == [expected] + [Order.ATTACK] * 3


@pytest.mark.parametrize("double", [0, 1])
def test_u23c(double):
    """The commander-in-chief of three wings, one of them his own: three Retreat tests, or four."""
    world = army()
    world.readings = {Reading.D4_DOUBLE: double}
    game = game_of(world)
    game.script(fails("PFPP"))
    game.play(What.LOSE, [0])
    wings = [0, 0, 1, 2] if double else [0, 1, 2]
    assert taken(game) == [(ROUT, 1), *((RETREAT, wing) for wing in wings)]
    assert game.sheet["now"]["order"][0] == Order.RETREAT
    assert game.sheet["now"]["leader"][:2].tolist() == [-1, 1]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (Piece(kind=Kind.DECOY), [(Event.REMOVED, 1)]),
        (Piece(hidden=True), [(Event.REVEALED, 1), (Event.REVEALED, 0)]),
    ],
    ids=["U24a", "U24b"],
)
def test_u24(other, told):
    """The passive player reveals first."""
    world = scouting(other)
    other.at, world.beside = 3, around([(0, 1), (1, 2), (2, 3)])
    world.sight = {frozenset((1, 3))}
    if other.kind is Kind.DECOY:  # somebody to go to
        world.pieces.append(Piece(side=1, at=4, number=2))
        world.beside = around([(0, 1), (1, 2), (2, 3), (3, 4)])
    game = game_of(world)
    game.sheet["allowance"], game.sheet["rank"][0, Deed.MOVE] = 1, 1
    game.script([])
    game.play(What.ACTIVATE, [0])
    moved = [row for row in game.log() if row[0] == Event.MOVED]
    assert [row[1:] for row in moved] == [(0, 0, 1)]
    seen = [row[:2] for row in game.log() if row[0] in (Event.REMOVED, Event.REVEALED)]
    assert seen == told


@pytest.mark.parametrize("name", CASES)
def test_selection_by_a_record(name):
    """U1 to U14: every fact is given; the kernel makes the word, and runs the table."""
    case = CASES[name]
    facts = case.facts
    piece = Piece(kind=facts.kind, cohesion=facts.cohesion, breath=facts.breath, wing=0)
    for mark in ("charge", "special", "ammo_out", "dodge", "cic", "in_command", "spell_chosen"):
        setattr(piece, mark, getattr(facts, mark))
    piece.morale = sheet_stages.Morale(facts.elite)
    wing = Wing(order=facts.order, leader=0 if facts.leader else None)
    world = World([piece], wings=[wing], given_to=set(), readings=case.readings)
    world.infeasible = {0: frozenset(Deed) - facts.feasible}
    game = game_of(world)
    for fact in ("engaged", "engages", "any_fresh_by", "all_fresh_by", "all_fresh_to"):
        give_fact(game, fact, getattr(facts, fact))
    for fact in ("no_fresh_to", "can_face", "stacked", "far", "can_fire", "free_wing"):
        give_fact(game, fact, getattr(facts, fact))
    if facts.engaged or facts.engages:  # relations that are met; all that follows is given
        world.pieces += [Piece(side=1, number=1), Piece(side=1, number=2)]
        met = 1 if facts.faces else 2
        world.given_to = {(1, 0)} if facts.engaged else set()
        world.given_to |= {(0, met)} if facts.engages else set()
        given = game.sheet["given_facts"][0].copy()
        game = game_of(world)
        game.sheet["given_facts"][0] = given
    game.play(What.SELECT, [0])
    assert permitted_by(game.sheet) == possible(case)


def give_fact(game: Game, name: str, holds: bool) -> None:
    game.sheet["given_facts"][0, Fact[name.upper()]] = holds


# --- the tape enumerates (8.2) --------------------------------------------------------------


def branches(game: Game, what: What, pieces: Sequence[int] = ()) -> Iterator[Fraction]:
    """Every way that the chances can fall, with its weight; counts are of that one alone."""
    sheet = game.sheet
    game.script([])
    while True:
        game.restart()
        game.play(what, pieces)
        drawn = int(sheet["drawn"])
        assert drawn <= MAX_TAPE
        weight = Fraction(1)
        for k in range(drawn):
            weight *= Fraction(int(sheet["tape_ways"][k]), int(sheet["tape_of"][k]))
        yield weight
        k = drawn - 1
        while k >= 0 and sheet["tape"][k] + 1 >= sheet["tape_options"][k]:
            sheet["tape"][k] = 0
            k -= 1
        if k < 0:
            sheet["taped"] = sheet["telling"] = 0
            return
        sheet["tape"][k] += 1
        sheet["tape"][k + 1 :] = 0


def law(
    game: Game, outcome: Callable[[Game], Hashable], what: What, pieces: Sequence[int] = ()
) -> dict[Hashable, Fraction]:
    """The exact law of an outcome; its weights sum to 1 exactly."""
    masses: dict[Hashable, Fraction] = {}
    for weight in branches(game, what, pieces):
        if weight:
            key = outcome(game)
            masses[key] = masses.get(key, Fraction(0)) + weight
    assert sum(masses.values()) == 1
    return masses


def mean(masses: dict[Hashable, Fraction]) -> Fraction:
    return sum((mass * key for key, mass in masses.items()), Fraction(0))  # type: ignore[operator]


def rout_game(
    beside: dict[int, set[int]],
    order: Sequence[int],
    q: Fraction = HALF,
    turns: int = 1,
    flees: bool = False,
) -> Game:
    """Friends, one in each hex, the first ROUTED; each Rout test fails with chance q."""
    pieces = [Piece(at=at, wing=0, cohesion=ROUTED if at == 0 else GOOD) for at in sorted(beside)]
    game = game_of(World(pieces, beside, [Wing()]), refuges=flees)
    sheet = game.sheet
    sheet["ways"], sheet["fails"] = q.denominator, q.numerator
    sheet["turns"], sheet["sequence"][: len(order)] = turns, order
    sheet["wanted"] = WANTED
    game.restart()
    return game


def size_of(game: Game) -> int:
    return int(np.flatnonzero(game.counts.sizes[0])[0])


def lost_of(game: Game) -> int:
    return int(np.flatnonzero(game.counts.lost[0, End.USED])[0])


def routs_of(game: Game) -> int:
    return int(game.counts.ends[:, End.ROUT].sum())


def outward(n: int) -> list[int]:
    return list(range(n))


def inward(n: int) -> list[int]:
    return list(reversed(range(n)))


@pytest.mark.parametrize("q", [Fraction(1, 6), Fraction(1, 3), HALF, Fraction(5, 6)], ids=str)
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_laws_of_a_line(n, q):
    """Static outward, static inward, and by flight (8.1)."""
    static = {k: k * q ** (k - 1) * (1 - q) ** 2 for k in range(1, n)}
    static[n] = q ** (n - 1) * (n - (n - 1) * q)
    assert law(rout_game(line(n), outward(n), q), size_of, What.TURNS) == static
    still = {1: (1 - q) ** 2, 2: 1 - (1 - q) ** 2}
    found = law(rout_game(line(n), inward(n), q), size_of, What.TURNS)
    assert found == (still if n > 2 else static)
    fled = {k: q ** (k - 1) * (1 - q) for k in range(1, n)} | {n: q ** (n - 1)}
    assert law(rout_game(line(n), outward(n), q, flees=True), size_of, What.TURNS) == fled


@pytest.mark.parametrize(
    ("n", "order", "turns", "flees", "expected"),
    [
        (3, outward(3), 1, False, "1/4 1/4 1/2"),
        (3, inward(3), 1, False, "1/4 3/4"),
        (5, outward(5), 2, False, "1/16 1/8 5/32 5/32 1/2"),
        (3, inward(3), 2, True, "1/4 9/16 3/16"),
    ],
)
def test_golden_lines(n, order, turns, flees, expected):
    found = law(rout_game(line(n), order, turns=turns, flees=flees), size_of, What.TURNS)
    assert found == {k: Fraction(mass) for k, mass in enumerate(expected.split(), 1)}


@pytest.mark.parametrize(
    ("order", "expected"),
    [((0, 1, 2), "1/4 3/16 9/16"), ((2, 1, 0), "1/4 1/2 1/4")],
)
def test_immediate_contagion(order, expected):
    """Q6, s1b: the laws that 8.1 gives for the immediate chain."""
    game = rout_game(line(3), order)
    game.sheet["readings"][Reading.IMMEDIATE] = 1
    found = law(game, size_of, What.TURNS)
    assert found == {k: Fraction(mass) for k, mass in enumerate(expected.split(), 1)}


@pytest.mark.parametrize(
    ("order", "average", "all_of_them"),
    [
        ((0, 1, 2, 3, 4, 5, 6), Fraction(51113, 8192), Fraction(2079, 4096)),
        ((1, 2, 3, 4, 5, 6, 0), Fraction(11, 2), Fraction(729, 4096)),
    ],
    ids=["centre first", "centre last"],
)
def test_flower(order, average, all_of_them):
    found = law(rout_game(flower(), order), size_of, What.TURNS)
    assert mean(found) == average
    assert found[7] == all_of_them


@pytest.mark.parametrize(
    ("order", "turns", "expected"),
    [
        (outward(5), 1, Fraction(11, 4)),
        (inward(5), 1, Fraction(3, 2)),
        (outward(5), 2, Fraction(213, 32)),
        (inward(5), 2, Fraction(15, 4)),
    ],
)
def test_activations_lost_to_rout(order, turns, expected):
    game = rout_game(line(5), order, turns=turns)
    assert mean(law(game, lost_of, What.TURNS)) == expected
    assert mean(law(game, routs_of, What.TURNS)) == expected  # all of them are lost to A1


# --- a wing without its leader ----------------------------------------------------------------


def wing_game() -> Game:
    """The situation that is shipped: a leader, then three troops, of which one charges."""
    readings = chosen_readings()
    tests, world = load_tests(), load_world()
    sheets, grid = compile_situation(load_situation("wing"), tests, world, readings)
    return Game(sheets, hex_map(grid, world), table_of(readings))


@pytest.mark.parametrize(
    ("losses", "expected"),
    [(0, HALF), (1, Fraction(5, 12)), (2, Fraction(5, 18)), (3, Fraction(5, 36))],
)
def test_wing_still_attacks(losses, expected):
    found = law(
        wing_game(),
        lambda game: int(game.counts.attacks[losses, 1]),
        What.LOSE,
        range(losses + 1),
    )
    assert found[1] == expected


def test_troops_still_bound_to_attack():
    """Three if the order holds, else the one that charges (A4)."""
    found = law(
        wing_game(), lambda game: int(np.flatnonzero(game.counts.bound[0])[0]), What.LOSE, [0]
    )
    assert found == {3: HALF, 1: HALF}
    assert mean(found) == 2


def test_the_leader_burns():
    """E3a, D4a: activated in the fire, as if he were lost (U25c)."""
    game = wing_game()
    game.sheet["rank"][0, Deed.NONE] = 1
    found = law(game, lambda game: int(game.sheet["now"]["order"][0]), What.ACTIVATE, [0])
    assert found == {Order.ATTACK: HALF, Order.RETREAT: HALF}


# --- trials -------------------------------------------------------------------------------------

TRIALS = 20_000
SEED = 20261128


@pytest.fixture(scope="module")
def sampled() -> Game:
    """A line of five, two turns, in a fixed sequence of chances."""
    game = rout_game(line(5), outward(5), turns=2)
    game.sheet["seed"] = SEED
    game.play(What.TURNS, trials=TRIALS)
    return game


def test_counts_follow_the_exact_law(sampled):
    """Each frequency within 4 standard errors, and a chi-square at 0.1 %: of some 16 tests."""
    exact = rout_game(line(5), outward(5), turns=2)
    for outcome, counts in (
        (size_of, sampled.counts.sizes[0]),
        (lost_of, sampled.counts.lost[0, End.USED]),
    ):
        masses = law(exact, outcome, What.TURNS)
        chances = np.array([float(masses.get(k, 0)) for k in range(len(counts))])
        errors = np.sqrt(chances * (1 - chances) * TRIALS)
        assert (np.abs(counts - chances * TRIALS) <= 4 * errors).all()
        live = chances > 0
        expected = chances[live] * TRIALS
        statistic = ((counts[live] - expected) ** 2 / expected).sum()
        assert statistic < chi2.ppf(0.999, live.sum() - 1)


def test_counts_add_up(sampled):
    counts = sampled.counts
    assert counts.sizes[0].sum() == counts.lost[0, End.USED].sum() == TRIALS
    assert counts.orders.sum() == TRIALS
    assert counts.ends.sum() == 2 * 5 * TRIALS
    assert (counts.routed == TRIALS)[0]
    assert counts.routed.sum() == counts.sizes[0] @ np.arange(6)
    assert counts.ends[:, 1:].sum() == counts.lost[0, End.USED] @ np.arange(11)
    assert not counts.gone.any()


def test_any_split_of_trials_counts_alike(sampled):
    game = rout_game(line(5), outward(5), turns=2)
    game.sheet["seed"] = SEED
    for first, last in ((0, 1), (1, 7_000), (7_000, TRIALS)):
        game.play(What.TURNS, first=first, trials=last - first)
    pairs = zip(game.counts, sampled.counts, strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)
    parts = SheetCounts.none(game.sheets)
    parts.add(game.counts)
    assert np.array_equal(parts.sizes, game.counts.sizes)


def test_another_seed_another_sample(sampled):
    game = rout_game(line(5), outward(5), turns=2)
    game.sheet["seed"] = SEED + 1
    game.play(What.TURNS, trials=TRIALS)
    assert not np.array_equal(game.counts.sizes, sampled.counts.sizes)


# --- ends of the arrays --------------------------------------------------------------------------


def test_as_many_pieces_as_there_are_bits():
    """Piece 63 tests as any other; the line routs to its end."""
    game = rout_game(line(MAX_PIECES), outward(MAX_PIECES))
    game.script([True] * MAX_PIECES)
    game.restart()
    game.play(What.TURNS)
    assert taken(game) == [(ROUT, u) for u in range(1, MAX_PIECES)]
    assert game.counts.sizes[0, MAX_PIECES] == 1
    assert (game.sheet["now"]["cohesion"] == ROUTED).all()


def hiding(pieces: int, decoys: int) -> Game:
    """Hidden pieces, each in a hex of its own, of a player who places decoys."""
    those = [Piece(at=at, wing=0, hidden=True) for at in range(pieces)]
    world = World(those, wings=[Wing(order=Order.DEFENCE)], decoys_left={0: decoys})
    game = game_of(world)
    game.sheet["rank"][0, Deed.NONE] = 1
    game.sheet["turns"] = 3
    game.restart()
    return game


def test_decoys_end_with_the_counters():
    """S4b: one an activation, while there are; they are activated from the next turn on."""
    game = hiding(pieces=2, decoys=5)
    game.sheet["telling"] = 1
    game.play(What.TURNS)
    placed = [row[1:3] for row in game.log() if row[0] == Event.PLACED]
    assert placed == [(2, 0), (3, 1), (4, 0), (5, 1), (6, 2)]
    assert game.sheet["n"] == 7
    chosen = [row[1] for row in game.log() if row[0] == Event.CHOSEN]
    assert chosen == [2, 0, 3, 1, 4, 0, 5, 1, 6, 2, 3, 0, 1, 2, 3, 4, 5, 6]
    assert game.counts.ends.sum() == 2 * 3


def test_decoys_end_with_the_bits():
    game = hiding(pieces=MAX_PIECES - 1, decoys=9)
    game.play(What.TURNS, trials=3)
    assert game.sheet["n"] == MAX_PIECES
    assert game.sheet["decoys_left"][0] == 8
    assert game.counts.sizes[0, 0] == 3


def test_a_leader_is_destroyed_while_pieces_wait():
    """The wing's Retreat test comes before the next piece selects its action."""
    leader = Piece(at=0, kind=Kind.CHARACTER, wing=0)
    world = World([leader, Piece(at=1, wing=0)], around([(1, 2)]), [Wing(leader=0)])
    world.burning = {0}
    game = game_of(world)
    game.sheet["rank"][0, Deed.NONE] = 1
    game.restart()
    game.script([True])
    game.play(What.TURNS)
    assert taken(game) == [(RETREAT, 0)]
    assert game.log()[-1][0] == Event.CHOSEN
    assert game.log()[-1][3] == 6  # A6b
    assert game.counts.gone.tolist() == [1, 0]
    assert game.counts.orders[0, Order.RETREAT] == 1


def test_pieces_of_no_wing_off_the_map():
    """Relations are given, and nothing else is known: E1, A17, D4 have nothing to ask a map."""
    hero = Piece(kind=Kind.CHARACTER, cic=True)
    enemy = Piece(side=1, contact=True)
    world = World([hero, enemy], wings=[Wing(), Wing(1)], given_to={(0, 1), (1, 0)})
    game = game_of(world)
    game.sheet["rank"][0, Deed.SHOCK] = 1
    game.script(fails("F"))
    game.play(What.ACTIVATE, [0])
    assert taken(game) == [(Trial.ENGAGEMENT, 0)]
    assert permitted_by(game.sheet) == dict.fromkeys(
        (Deed.SHOCK, Deed.WITHDRAW, Deed.FLEE), Tag.FREE
    )
    game.play(What.LOSE, [0])
    assert taken(game) == [(RETREAT, 0)]
    assert game.sheet["now"]["at"][:2].tolist() == [-1, -1]


def test_a_leader_of_two_who_die_in_one_fight():
    """D4a of both before D4c of the one (3.3): no wing's test comes twice."""
    chief = Piece(at=0, kind=Kind.CHARACTER, wing=0, cic=True)
    other = Piece(side=1, at=1, kind=Kind.CHARACTER, wing=2)
    wings = [Wing(leader=0), Wing(), Wing(1, leader=1)]
    world = World([chief, other], around([(0, 1)]), wings, given_to={(0, 1), (1, 0)})
    game = game_of(world)
    game.sheet["begin"]["steps"], game.sheet["rank"][0, Deed.SHOCK] = 1, 1
    game.sheet["outcome_actor"][:, 0] = game.sheet["outcome_target"][:, 0] = 4  # a step
    game.script([])
    game.play(What.ACTIVATE, [0])
    assert taken(game) == [(RETREAT, 0), (RETREAT, 2), (RETREAT, 1)]
    assert game.counts.gone.tolist() == [1, 1]


def test_breath_beyond_exhausted():
    """Q21: a level from a fight costs cohesion, which costs the charge, and so cohesion again."""
    fighter = Piece(at=0, charge=True, breath=Breath.EXHAUSTED, wing=0)
    world = World([fighter, Piece(side=1, at=1)], around([(0, 1)]), [Wing()])
    world.given_to, world.readings = {(0, 1), (1, 0)}, {Reading.BREATH: 1}
    game = game_of(world)
    game.sheet["outcome_actor"][:, 0] = 8  # a level of breath
    game.script([])
    game.play(What.ACTIVATE, [0])
    assert game.sheet["now"]["cohesion"][0] == ROUTED
    assert not game.sheet["now"]["mark"][0] & Mark.CHARGE
