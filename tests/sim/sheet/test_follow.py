"""What follows an event (D, E), the hexes that are open (3.5, D5), trials told: both engines."""

from __future__ import annotations

from collections import Counter, deque

import numpy as np
import pytest
from running import answered, estoc
from sheet_random import Field, one_of, random_world
from sheet_worlds import Game, Told, difference, flight_of, taken_in

from estoc.kernels.layout.sheet import (
    FAR_AWAY,
    MAX_PIECES,
    OFF_MAP,
    Cohesion,
    Deed,
    Event,
    Kind,
    Tag,
)
from estoc.kernels.sheet.hexes import open_hexes
from estoc.kernels.sheet.trials import What
from estoc.profiles import InputError
from estoc.sim.sheet.counters import Labels
from estoc.sim.sheet.follow import EVENTS, follow
from estoc.sim.sheet.question import ask_sheet
from estoc.sim.sheet.words import line_of
from reference import sheet_events, sheet_stages
from reference.sheet_events import Play
from reference.sheet_state import Piece, engaged_by, engagers
from reference.sheet_threat import legal_steps
from tests.kernels.sheet.test_moves import GOING


def happen(play: Play, piece: Piece, what: What) -> None:
    """The plain reading of one event, and of what it causes."""
    if what is What.FLEE:
        sheet_stages.flee(play, piece)
    elif what is What.LOSE:
        sheet_events.destroy(play, piece)
    elif what is What.LEAVE:
        sheet_events.leave_map(play, piece)
    elif what is What.SHAKE:
        sheet_events.set_cohesion(play, piece, max(piece.cohesion, Cohesion.SHAKEN))
    elif what is What.ROUT:
        sheet_events.set_cohesion(play, piece, Cohesion.ROUTED)
    elif what is What.DISCHARGE:
        sheet_events.lose_charge(play, piece)
    else:
        play.stage = "E"
        sheet_stages.end(play, piece, Deed.NONE, False)
    sheet_events.settle(play)


@pytest.mark.parametrize("name", EVENTS)
def test_events_agree_with_the_plain_reading(name):
    """D1 to D4, E1 to E3: the same tests in the same order, and the same state after them."""
    rng, what, seen = np.random.default_rng(31), EVENTS[name][0], Counter()
    for number in range(150):
        game, world = random_world(rng, {})
        present = [one for one in world.pieces if one.present]
        if not present:
            continue
        piece = one_of(rng, present)
        game.script(rng.random(40) < 0.5)
        game.play(what, [piece.number])
        rows = game.log()
        if what is What.FLEE and {row[0] for row in rows} & {Event.REVEALED, Event.REMOVED}:
            continue  # what it met on the way: `test_sheet_agreement` has that
        world.flight = flight_of(rows)
        told = Told(world, taken_in(game))
        play = Play(world, told)
        happen(play, world.pieces[piece.number], what)
        assert not told.left, (number, told.left)
        assert not difference(game, world, facing=what is not What.FLEE), (number, piece)
        seen["tests"] += bool(taken_in(game))
    quiet = {What.SHAKE, What.ROUT, What.DISCHARGE}
    assert (seen["tests"] > 0) == (what not in quiet)


# --- hexes ---------------------------------------------------------------------------------


def plain_hexes(game: Game, world: Field, piece: Piece, deed: Deed, tag: Tag) -> set[int]:
    """A plain search over (hex, points left), by the words of `estoc sheet check --hexes`."""
    sheet, terrain, start = game.sheet, world.terrain, piece.at
    flees = deed is Deed.FLEE
    points = int(sheet["flee_hexes"] if flees else sheet["allowance"][piece.number])
    wing = int(sheet["begin"]["wing"][piece.number])
    edge = int(sheet["retreat_edge"][wing]) if wing >= 0 else -1
    enemies = [o for o in world.pieces if o.present and o.side != piece.side and o.at is not None]
    costs = {e.number: terrain.contact[0, e.at] for e in enemies if e.unit}
    target = min(enemies, key=lambda e: (terrain.contact[0, start, e.at], e.number), default=None)
    if target is not None and terrain.contact[0, start, target.at] >= FAR_AWAY:
        target = None

    def stands(at: int, facing: int) -> None:
        piece.at, piece.facing = at, facing

    def may_enter(here: int, there: int, left: int) -> bool:
        inside = [o for o in world.pieces if o is not piece and o.present and o.at == there]
        cost = terrain.cost[0, here, there]
        if any(o.side != piece.side for o in inside) or cost >= FAR_AWAY:
            return False
        if piece.troop and sum(o.troop for o in inside) >= int(sheet["stack_limit"]):
            return False
        return (flees or cost <= left) and obeys(here, there, tag not in AT_END)

    def obeys(here: int, there: int, bound: bool) -> bool:
        facing = piece.facing
        ways = [d for d in range(6) if terrain.beside[here, d] == there]
        stands(there, ways[0] if ways else facing)
        fine = piece.unit or not any(terrain.sight[there, e.at] for e in enemies)
        if bound and tag is Tag.STAY_FAR:
            fine &= world.far(piece)
        elif bound and tag is Tag.CAN_FIRE_AT_END:
            fine &= world.can_fire(piece) and not piece.ammo_out
        elif bound and tag is Tag.NOT_ENGAGED_AT_END:
            fine &= not engagers(world, piece)
        elif bound and tag is Tag.NO_ENGAGE:
            fine &= not engaged_by(world, piece)
        stands(here, facing)
        return fine

    def good(here: int, ways: set[int]) -> set[int]:
        to_edge = tag is Tag.TO_RETREAT_EDGE
        away = tag is Tag.AWAY_FROM_NEAREST_THREAT
        if flees and not away and tag is not Tag.STAY_FAR:
            to_edge, away = edge >= 0, edge < 0
        if to_edge:
            if edge < 0:
                return set()
            out = terrain.edge[0, edge]
            return {there for there in ways if out[there] < out[here]}
        if away or deed in (Deed.WITHDRAW, Deed.FLEE):
            classes = legal_steps(costs, here, ways)
            worst = [e for e in costs if costs[e][here] == min(c[here] for c in costs.values())]
            return {
                there
                for there in classes
                if not worst
                or not (
                    any(costs[e][there] < costs[e][here] for e in worst)
                    and not any(costs[e][there] > costs[e][here] for e in worst)
                )
            }
        if deed is Deed.ATTACK_MOVE:
            if target is None:
                return set()
            return {
                w for w in ways if terrain.cost[0, w, target.at] < terrain.cost[0, here, target.at]
            }
        return ways

    facing = piece.facing
    seen, waiting = {(start, points)}, deque([(start, points)])
    while waiting:
        here, left = waiting.popleft()
        if left <= 0:
            continue
        stands(here, facing)
        around = {int(w) for w in terrain.beside[here] if w >= 0}
        for there in good(here, {w for w in around if may_enter(here, w, left)}):
            state = (there, left - (1 if flees else int(terrain.cost[0, here, there])))
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    stands(start, facing)
    found = {at for at, _ in seen}
    return {at for at in found if tag not in AT_END or obeys(start, at, True)}


AT_END = (Tag.NOT_ENGAGED_AT_END, Tag.CAN_FIRE_AT_END)


def test_hexes_are_those_of_a_plain_search():
    """A6b, A6c, A8, A9b, A12, A14, D5: each action and constraint, on random maps."""
    rng, seen = np.random.default_rng(41), Counter()
    for number in range(500):
        game, world = random_world(rng, {}, related=0)
        pieces = [one for one in world.pieces if one.present and one.at is not None]
        if not pieces:
            continue
        piece = one_of(rng, pieces)
        game.sheet["allowance"] = rng.integers(0, 5, MAX_PIECES)
        world.allowance = game.sheet["allowance"].tolist()
        game.sheet["flee_hexes"] = rng.integers(0, 4)
        tag = Tag.STAY_UNSEEN if piece.kind is Kind.DECOY else Tag(int(rng.integers(0, 7)))
        deed = one_of(rng, [Deed(d) for d in GOING])
        left = np.empty(len(world.terrain.stood), np.int64)
        open_hexes(game.sheets, game.terrain, piece.number, int(deed), int(tag), left)
        wanted = plain_hexes(game, world, piece, deed, tag)
        assert set(np.flatnonzero(left >= 0).tolist()) == wanted, (number, deed, tag, piece)
        seen[deed] += len(wanted) > 1
        seen[tag] += len(wanted) > 1
    assert min(seen[deed] for deed in GOING) > 5, seen
    assert min(seen[tag] for tag in Tag) > 1, seen


def test_hexes_hold_what_the_player_does():
    """Where a move of the kernels ends is one of its hexes, or off the map if that may be."""
    from tests.kernels.sheet.test_moves import some_moves

    ends = 0
    for move in some_moves(250):
        sheet = move.game.sheet
        end = move.steps[-1][1] if move.steps else move.piece.at
        gone = any(
            row[0] == Event.REMOVED and row[1] == move.piece.number for row in move.game.log()
        )
        acted = [r for r in move.game.log() if r[0] in (Event.PLACED, Event.TEST, Event.COHESION)]
        if gone or acted:
            continue  # others were changed before it went
        left = np.empty(len(move.world.terrain.stood), np.int64)
        numbers = (move.piece.number, int(move.deed), int(move.tag))
        off = open_hexes(move.game.sheets, move.game.terrain, *numbers, left)
        assert sheet["begin"]["at"][move.piece.number] != OFF_MAP
        assert off if move.left is not None else left[end] >= 0, (move.deed, move.tag, move.steps)
        ends += bool(move.steps)
    assert ends > 50


# --- commands ------------------------------------------------------------------------------

ASKED = ("sheet", "check", "skirmish", "--unit")


def test_who_tests_if_a_general_dies():
    """D2, D4a, D4c: the Troop beside him, and each wing of his army once (Q19)."""
    rows = answered(*ASKED, "Marshal", "--if", "dies")
    tests = {(row["text"], row["who"]): row for row in rows if row["what"] == "test"}
    assert set(tests) == {
        ("Rout test (Déroute)", "Pike block"),
        ("Retreat test (Retraite)", "wing Lion van"),
        ("Retreat test (Retraite)", "wing Lion guard"),
    }
    assert {row["fails"] for row in tests.values()} == {0.5}
    outcomes = {row["case"]: row["chance"] for row in rows if row["what"] == "outcome"}
    assert len(outcomes) == 8
    assert sum(outcomes.values()) == 1


def test_nothing_follows_a_good_piece_that_leaves():
    """D4: leaving in good order costs no test."""
    rows = answered(*ASKED, "Knights", "--if", "leaves")
    assert [row["text"] for row in rows] == ["Knights: off the map"]


def test_lost_charge_costs_breath():
    """D1, Q21."""
    question = ask_sheet("skirmish")
    charging = [p.name for p in question.situation.pieces if p.mark & 1]
    for name in charging:
        texts = [row["text"] for row in follow(question, name, "loses-charge")]
        assert texts == [f"{name}: marker lost: charge", f"{name}: now winded (was fresh)"]
    with pytest.raises(InputError, match="Marshal has no Charge marker to lose"):
        follow(question, "Marshal", "loses-charge")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--if", "fleas"), 'if: no event "fleas"; nearest: flees'),
        (("--if", "dies", "--hexes"), "three questions; take one"),
        (("--explain", "--hexes"), "three questions; take one"),
    ],
)
def test_wrong_questions(words, message):
    done = estoc(*ASKED, "Marshal", *words)
    assert done.code == 2
    assert message in done.err


def test_hexes_need_a_map():
    done = estoc("sheet", "check", "u11", "--unit", "Winded spears", "--hexes")
    assert done.code == 2
    assert "hexes: the file has no map" in done.err


def test_hexes_of_a_unit():
    """Each hex once an action, the nearest threat named; the piece's own hex is no move."""
    rows = answered(*ASKED, "Marshal", "--hexes")
    assert [(row["text"], row["points"]) for row in rows if row["what"] == "threat"] == [
        ("Wolf riders", 1)
    ]
    flight = [row["hex"] for row in rows if row["deed"] == "FLEE" and row["what"] == "hex"]
    assert flight == ["6,8", "6,9", "6,10"]
    assert [row["deed"] for row in rows if row["what"] == "off"] == ["FLEE"]


def test_a_trial_told_is_the_trial_that_was_counted():
    """What a told trial ends with is what its counts say, whatever the other trials."""
    pieces = ask_sheet("skirmish").situation.pieces
    routed: Counter[str] = Counter()
    for seed in range(4, 9):
        run = ("sheet", "lost", "skirmish", "--turns", "2", "--seed", seed, "--trials", "1")
        told = [row["text"] for row in answered("replay", *run, "--trial", "0")]
        ends = {piece.name: piece.cohesion == Cohesion.ROUTED for piece in pieces}
        dead = {text.removesuffix(" is destroyed") for text in told if text.endswith("destroyed")}
        for text in told:
            name, _, what = text.partition(": now ")
            if name in ends and what.startswith(("in good order", "shaken", "routed")):
                ends[name] = what.startswith("routed")
        for side in ("Lion", "Raven"):
            own = {piece.name for piece in pieces if piece.side == side and ends[piece.name]}
            rows = answered(*run, "--side", side)
            assert [r["mean"] for r in rows if r["cause"] == "routed"] == [len(own - dead)]
            routed[side] += len(own - dead)
    assert min(routed[side] for side in ("Lion", "Raven")) > 0, routed
    run = ("sheet", "lost", "skirmish", "--seed", "5", "--trials", "1")
    text = estoc("replay", *run, "--trial", "0").out
    again = estoc(
        "replay", "sheet", "lost", "skirmish", "--seed", "5", "--trials", "9", "--trial", "0"
    )
    told = [line for line in again.out.splitlines() if line.strip()[:1].isdigit()]
    assert told
    assert told == [line for line in text.splitlines() if line.strip()[:1].isdigit()]


def test_a_wing_told():
    run = ("sheet", "wing", "wing", "--seed", "3", "--trials", "20")
    told = answered("replay", *run, "--trial", "2")
    assert "destroyed" in told[0]["text"]
    refused = estoc("replay", *run, "--trial", "20")
    assert refused.code == 2
    assert "the run has trials 0 to 19" in refused.err
    other = estoc("replay", "sheet", "map", "skirmish", "--trial", "1")
    assert other.code == 2
    assert "should be sheet lost or sheet wing" in other.err


def test_each_event_of_the_log_has_words():
    """The teller knows every event of the kernels."""
    labels = Labels(("Bors", "Alan"), ("van",), 4)
    assert all(line_of((event, 0, 1, 1), labels) for event in Event if event != Event.MOVED)
