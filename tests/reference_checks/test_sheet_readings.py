"""Every switch of section 5 changes what the plain reading says, where it should."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sheet_cases import between
from sheet_event_cases import abordage, army, around, chain, routed, run
from sheet_space import FRESH, MIXED, STALE

from estoc.kernels.layout.sheet import Breath, Cohesion, Deed, Kind, Order, Reading, Tag, Trial
from reference import sheet_events
from reference.sheet import Facts
from reference.sheet_dice import Script
from reference.sheet_events import Play
from reference.sheet_select import select
from reference.sheet_stages import Policy
from reference.sheet_state import Piece, World, facts_of

GOOD, SHAKEN, ROUTED = Cohesion

CHANGES = {  # facts, actions under the chosen reading, and under the other one
    Reading.UNLISTED_NONE: (
        Facts(order=Order.DEFENCE, **between(STALE, FRESH)),
        {Deed.WITHDRAW, Deed.FLEE, Deed.SHOCK, Deed.FIRE},
        {Deed.WITHDRAW, Deed.FLEE, Deed.SHOCK, Deed.FIRE, Deed.NONE},
    ),
    Reading.A6A: (
        Facts(order=Order.REGROUP, **between(MIXED, MIXED)),
        {Deed.SHOCK, Deed.NONE},
        {Deed.SHOCK, Deed.WITHDRAW, Deed.FLEE},
    ),
    Reading.DODGE_NEEDS_G: (
        Facts(Kind.FORMATION, order=Order.DEFENCE, dodge=True, **between(STALE, 0)),
        {Deed.NONE},
        {Deed.WITHDRAW, Deed.FLEE, Deed.NONE},
    ),
    Reading.MODE: (
        Facts(can_fire=True),
        {Deed.MOVE, Deed.FIRE},
        {Deed.MOVE, Deed.NONE},
    ),
}


@pytest.mark.parametrize("switch", CHANGES)
def test_selection_switch(switch):
    facts, chosen, other = CHANGES[switch]
    assert set(select(facts).permitted) == chosen
    assert set(select(facts, {switch: 1}).permitted) == other


def test_special_order_and_the_order_of_the_wing():
    """Q4: replaces, adds, wing."""
    facts = Facts(special=True, order=Order.RETREAT, **between(0, 0))
    replaces, adds, wing = (select(facts, {Reading.SPECIAL: value}) for value in range(3))
    assert replaces.trace == ["A15b"]
    assert wing.trace == ["A6b"]
    assert set(wing.permitted) == {Deed.MOVE, Deed.WITHDRAW, Deed.FLEE}
    assert adds.trace == ["A6b", "A15b"]
    assert adds.permitted == replaces.permitted  # without a constraint where one reading has none


def test_characters():
    free = Facts(Kind.CHARACTER)
    assert Deed.MOVE not in select(free).permitted
    assert select(free, {Reading.A17_MOVE: 1}).permitted[Deed.MOVE] is Tag.FREE
    stacked = replace(free, stacked=True, leader=True)
    assert Deed.RESIGN not in select(stacked).permitted
    assert Deed.RESIGN in select(stacked, {Reading.A17B_STACKED: 1}).permitted
    assert (
        Deed.RESIGN
        not in select(replace(stacked, stacked=False), {Reading.A17B_STACKED: 1}).permitted
    )


# --- stages ------------------------------------------------------------------------------


def under(world: World, switch: Reading) -> World:
    world.readings = {switch: 1}
    return world


def test_conditions_read_once():
    """Q2: routed by S1b, it still takes the Engagement test that it was due."""
    for switch, script in ((Reading.MODE, "F"), (Reading.START, "FF")):
        piece, friend = Piece(), Piece(cohesion=ROUTED)
        _, taken = run(under(abordage(piece, friend), switch), 0, script)
        assert taken == [(Trial.ROUT, 0), (Trial.ENGAGEMENT, 0)][: len(script)]


def test_immediate():
    """Q6: who fails S1b makes its neighbours test; by the third reading who fails S1a too."""
    for value, script, tests in ((0, "F", [1]), (1, "F", [1]), (2, "FP", [1, 2])):
        world = chain(ROUTED, GOOD, GOOD, GOOD)
        world.readings = {Reading.IMMEDIATE: value}
        assert run(world, 0, script)[1] == [(Trial.ROUT, one) for one in tests]
    for value, script, tests in ((0, "F", [1]), (1, "FF", [1, 2]), (2, "FFP", [1, 2, 3])):
        world = chain(ROUTED, GOOD, GOOD, GOOD)
        world.readings = {Reading.IMMEDIATE: value}
        assert run(world, 1, script)[1] == [(Trial.ROUT, one) for one in tests]


def test_faces_is_given():
    """Q7."""
    piece = Piece()
    world = abordage(piece)
    assert facts_of(world, piece).faces
    assert not facts_of(under(world, Reading.FACES), piece).faces
    world.given[0, "faces"] = True
    assert facts_of(world, piece).faces


def test_fear():
    """Q8 and Q24."""
    for switch, script, cohesion in (
        (Reading.MODE, "F", SHAKEN),
        (Reading.MORALE_TRACK, "F", GOOD),
        (Reading.FEAR_ROUTED, "", GOOD),
    ):
        enemy = Piece(side=1, at=1)
        fearsome = Piece(at=0, fearsome=True, hidden=True)
        world = World([fearsome, enemy], around([(0, 1)]), given_to=set())
        run(under(world, switch), 0, script)
        assert enemy.cohesion is cohesion


def test_screen():
    """Q9: without it the stacked character is engaged, and tests."""
    troop, leader = Piece(), Piece(kind=Kind.CHARACTER)
    world = under(abordage(troop, leader), Reading.SCREEN)
    leader.at = troop.at
    world.given_to = {(0, 1), (1, 0), (1, 2), (2, 1)}
    activation, taken = run(world, 2, "P", Policy([Deed.SHOCK]))
    assert taken == [(Trial.ENGAGEMENT, 2)]
    assert activation.selected is not None
    assert activation.selected.trace == ["A5", "A16"]


def test_character_who_panics():
    """Q10."""
    for switch, cohesion in ((Reading.MODE, SHAKEN), (Reading.S2_CHARACTER, GOOD)):
        piece = Piece(kind=Kind.CHARACTER)
        run(under(abordage(piece), switch), 0, "F", Policy([Deed.SHOCK]))
        assert piece.cohesion is cohesion


def test_frozen_formation_stops():
    """Q11: the end is skipped, yet it is activated."""
    piece = Piece(kind=Kind.FORMATION, cohesion=SHAKEN, special=True, contact=True)
    activation, _ = run(under(abordage(piece), Reading.S2C_SKIPS_END), 0, "F")
    assert activation.frozen
    assert piece.contact
    assert piece.special
    assert piece.active


@pytest.mark.parametrize(("value", "made"), [(0, 1), (1, 3)])
def test_decoy_runs_the_start(value, made):
    """Q12: a chain of Decoys as long as there are counters."""
    world = World([Piece(at=0, hidden=True)], given_to=set(), decoys_left={0: 3})
    world.readings = {Reading.DECOY_RUNS_START: value}
    run(world, 0, "", Policy([Deed.NONE], decoy="on"))
    decoys = world.pieces[1:]
    assert len(decoys) == made
    assert all(one.kind is Kind.DECOY and one.active for one in decoys)


def test_hooks_of_actions_only():
    """Q16: a charger who is shaken in stage S keeps its charge, a burnt leader no one mourns."""
    fearsome, enemy = Piece(at=0, fearsome=True), Piece(side=1, at=1, charge=True)
    world = World([fearsome, enemy], around([(0, 1)]), given_to=set())
    run(under(world, Reading.HOOKS), 0, "F")
    assert enemy.charge
    world = under(army(), Reading.HOOKS)
    world.burning = {0}
    _, taken = run(world, 0)
    assert taken == []


def test_leader_and_commander_test_twice():
    """Q19."""
    world, dice = under(army(), Reading.D4_DOUBLE), Script("PPPPP")
    play = Play(world, dice, "A")
    sheet_events.destroy(play, world.pieces[0])
    sheet_events.settle(play)
    assert [wing for trial, wing in dice.finish() if trial is Trial.RETREAT] == [0, 0, 1, 2]


def test_breath_overflows():
    """Q21."""
    for switch, cohesion in ((Reading.MODE, GOOD), (Reading.BREATH, SHAKEN)):
        world = under(chain(GOOD), switch)
        piece = world.pieces[0]
        piece.charge, piece.breath = True, Breath.EXHAUSTED
        run(world, 0)
        assert piece.breath is Breath.EXHAUSTED
        assert piece.cohesion is cohesion


def test_same_hex():
    """Q23: a character stacked with a routed troop tests."""
    for switch, script in ((Reading.MODE, "F"), (Reading.STACK_ADJACENT, "")):
        troop, leader = Piece(at=0, cohesion=ROUTED), Piece(at=0, kind=Kind.CHARACTER)
        world = under(World([troop, leader], around([(0, 1)])), switch)
        run(world, 0, script)
        assert routed(world) == [0, 1][: 1 + len(script)]


# --- geometry, cover ---------------------------------------------------------------------


def ring() -> World:
    """A piece in the middle of six hexes, 1 to 6 clockwise from north, one enemy south."""
    world = World([Piece(at=0), Piece(side=1, at=4)], around((0, at) for at in range(1, 7)))
    world.towards = {0: {way: way + 1 for way in range(6)}, 4: {0: 0}}
    world.front = {Kind.SIMPLE: (5, 0, 1), Kind.FORMATION: (0,)}
    world.turns = {Kind.SIMPLE: (0, 1, 2, 3, 4, 5), Kind.FORMATION: (3,)}
    return world


def test_front():
    world = ring()
    piece, enemy = world.pieces
    facts = facts_of(world, piece)
    assert facts.engaged
    assert not facts.engages
    for facing, engages in enumerate((False, False, True, True, True, False)):
        piece.facing = facing
        assert facts_of(world, piece).faces is engages
    enemy.cohesion = ROUTED
    assert not facts_of(world, piece).engaged
    enemy.cohesion, enemy.flying = GOOD, True
    assert not facts_of(world, piece).engaged
    assert not facts_of(world, piece).engages


def test_reflex():
    """A3: any turn for a troop; for a formation the one that it has, if it helps."""
    world = ring()
    piece = world.pieces[0]
    run(world, 0)
    assert facts_of(world, piece).faces
    for facing in range(6):
        piece.kind, piece.facing = Kind.FORMATION, facing
        assert facts_of(world, piece).can_face is (facing == 0)


def test_charge_against_the_infiltrated():
    """D1b, once it comes to engage it; by default geometry only the infiltrated do so."""
    world = ring()
    piece, enemy = world.pieces
    piece.charge, piece.infiltrated, enemy.infiltrated, piece.facing = True, True, True, 0
    play = Play(world, Script(), "A")
    sheet_events.turn(play, piece, 3)
    assert play.told == [("D1", 0)]
    assert not piece.charge
    assert piece.breath is Breath.WINDED


def test_fog():
    """S4a and S5a: hide where no enemy sees, a Decoy included; reveal."""
    for seen, hidden in ((False, True), (True, False)):
        world = World([Piece(at=0), Piece(side=1, at=1, kind=Kind.DECOY)], given_to=set())
        world.sight = {frozenset((0, 1))} if seen else set()
        run(world, 0, "", Policy(hide=True))
        assert world.pieces[0].hidden is hidden
    activation, _ = run(world, 1, "", Policy(reveal=True))
    assert activation.told == [("S5b", 1)]
    assert activation.selected is None
    assert not world.pieces[1].alive


def test_failed_rally_is_flight():
    """A1."""
    for script, cohesion, told in (("P", SHAKEN, []), ("F", ROUTED, [("FLEE", 0)])):
        world = chain(ROUTED)
        world.pieces[0].special = True
        activation, taken = run(world, 0, script)
        assert taken == [(Trial.RALLY, 0)]
        assert world.pieces[0].cohesion is cohesion
        assert activation.told == told


def test_rout_off_the_map_demoralises():
    """D4b: a troop that leaves while ROUTED."""
    world = chain(ROUTED)
    world.flight = lambda world, piece: None
    _, taken = run(world, 0, "F")
    assert taken == [(Trial.DEMORALISATION, 0)]
    assert world.wings[0].order is Order.RETREAT
    assert world.wings[0].demoralised
