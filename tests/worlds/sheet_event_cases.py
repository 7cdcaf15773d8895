"""The sheet's test cases of events, U15 to U25, test for test (7.2); each raises if it is wrong."""

from __future__ import annotations

from collections.abc import Iterable

from estoc.kernels.layout.sheet import Breath, Cohesion, Deed, Kind, Morale, Order, Tag, Trial
from reference import sheet_events, sheet_stages
from reference.sheet_dice import NO_MODIFIER, Script
from reference.sheet_events import Play
from reference.sheet_stages import Activation, Policy
from reference.sheet_state import Piece, Wing, World

A, B, C, D = range(4)
GOOD, SHAKEN, ROUTED = Cohesion
ROUT, MORALE, ENGAGEMENT = Trial.ROUT, Trial.MORALE, Trial.ENGAGEMENT


def around(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    beside: dict[int, set[int]] = {}
    for one, other in pairs:
        beside.setdefault(one, set()).add(other)
        beside.setdefault(other, set()).add(one)
    return beside


def chain(*cohesions: Cohesion) -> World:
    """Friends in a row of hexes, one in each."""
    pieces = [Piece(at=at, cohesion=cohesion, wing=0) for at, cohesion in enumerate(cohesions)]
    beside = around((at, at + 1) for at in range(len(pieces) - 1))
    return World(pieces, beside, [Wing()])


def run(
    world: World, number: int, script: str = "", policy: Policy | None = None
) -> tuple[Activation, list[tuple[Trial, int]]]:
    """Activate a piece; the tests that were taken, in order."""
    dice = Script(script)
    activation = sheet_stages.activate(world, number, policy or Policy(), dice)
    return activation, dice.finish()


def closing(activation: Activation) -> str:
    assert activation.selected is not None
    return activation.selected.closing


def routed(world: World) -> list[int]:
    return [one.number for one in world.pieces if one.routed]


# --- rout --------------------------------------------------------------------------------


def u15() -> None:
    world = chain(ROUTED, GOOD, GOOD, GOOD)
    activation, taken = run(world, A, "F")
    assert taken == [(ROUT, B)]
    assert routed(world) == [A, B]
    assert closing(activation) == "A1"


def u16() -> None:
    world = chain(ROUTED, GOOD, GOOD, GOOD)
    activation, taken = run(world, B, "F")
    assert taken == [(ROUT, B)]
    assert routed(world) == [A, B]
    assert closing(activation) == "A1"
    _, taken = run(world, C, "P")
    assert taken == [(ROUT, C)]


def u16_fled() -> None:
    world = chain(ROUTED, GOOD, GOOD, GOOD)
    world.flight = lambda world, piece: 99
    run(world, B, "F")
    _, taken = run(world, C)
    assert taken == []


def u17() -> None:
    world = chain(GOOD, ROUTED, GOOD)
    world.pieces[A].active = world.pieces[C].active = True
    _, taken = run(world, B, "FP")
    assert taken == [(ROUT, A), (ROUT, C)]
    assert routed(world) == [A, B]
    assert world.pieces[A].active
    assert world.pieces[C].active


def u18() -> None:
    world = chain(ROUTED, ROUTED, GOOD)
    _, taken = run(world, B, "P")
    assert taken == [(ROUT, C)]


# --- panic -------------------------------------------------------------------------------


def abordage(piece: Piece, *friends: Piece) -> World:
    """One fresh enemy, too tired to pursue, and the piece engage each other; friends beside it."""
    enemy = Piece(side=1, at=0, contact=True, breath=Breath.EXHAUSTED)
    piece.at = 1
    for friend in friends:
        friend.at = 2
    world = World([piece, enemy, *friends], around([(0, 1), (1, 2)]), [Wing()])
    world.given_to = {(0, 1), (1, 0)}
    return world


def u19a() -> None:
    piece = Piece(charge=True)
    activation, taken = run(abordage(piece), 0, "F")
    assert taken == [(ENGAGEMENT, 0)]
    assert piece.cohesion is SHAKEN
    assert not piece.charge
    assert piece.breath is Breath.WINDED
    assert activation.selected is not None


def u19b() -> None:
    piece, friend = Piece(cohesion=SHAKEN), Piece()
    activation, taken = run(abordage(piece, friend), 0, "F")
    assert taken == [(ENGAGEMENT, 0)]
    assert piece.routed
    assert friend.cohesion is GOOD
    assert closing(activation) == "A1"


def u19c() -> None:
    piece = Piece(kind=Kind.FORMATION)
    activation, taken = run(abordage(piece), 0, "F")
    assert taken == [(ENGAGEMENT, 0)]
    assert piece.cohesion is SHAKEN
    assert activation.selected is not None


def u19d() -> None:
    piece = Piece(kind=Kind.FORMATION, cohesion=SHAKEN, special=True, contact=True)
    activation, taken = run(abordage(piece), 0, "F")
    assert taken == [(ENGAGEMENT, 0)]
    assert piece.cohesion is SHAKEN
    assert activation.selected is None
    assert activation.chosen is Deed.NONE
    assert not piece.contact
    assert not piece.special
    assert piece.active


def u14b() -> None:
    """A character stacked with an engaged troop takes no Engagement test (Q9)."""
    troop, leader = Piece(), Piece(kind=Kind.CHARACTER)
    world = abordage(troop, leader)
    leader.at = troop.at
    assert world.given_to is not None
    world.given_to |= {(1, 2), (2, 1)}
    activation, taken = run(world, 2)
    assert taken == []
    assert closing(activation) == "A17a"


def u3() -> None:
    """e1 is engaged, e2 engages from behind: facing comes first and costs the charge."""
    piece = Piece(at=1, charge=True, wing=0)
    world = World([piece, Piece(side=1, at=0), Piece(side=1, at=2)], wings=[Wing()])
    world.given_to = {(0, 1), (2, 0)}
    activation, taken = run(world, 0)
    assert taken == []
    assert closing(activation) == "A3a"
    assert not piece.charge
    assert piece.breath is Breath.WINDED


# --- fear, flight ------------------------------------------------------------------------


def u20() -> None:
    fearsome = Piece(at=0, fearsome=True)
    first = Piece(side=1, at=1, charge=True)
    second = Piece(side=1, at=2, morale=Morale.DEMONIC)
    third = Piece(side=1, at=3, cohesion=SHAKEN)
    friend = Piece(side=1, at=4)
    beside = around([(0, 1), (0, 2), (0, 3), (3, 4)])
    world, dice = (
        World([fearsome, first, second, third, friend], beside, given_to=set()),
        Script("FF"),
    )
    sheet_stages.activate(world, 0, Policy(), dice)
    assert dice.finish() == [(MORALE, 1), (MORALE, 3)]
    assert all(test.modifiers == NO_MODIFIER for test in dice.taken)
    assert first.cohesion is SHAKEN
    assert not first.charge
    assert first.breath is Breath.WINDED
    assert third.routed
    assert friend.cohesion is GOOD


def u20_invulnerable() -> None:
    """Only those who can't attack it test, once each (S1d)."""
    monster = Piece(at=0, invulnerable=True)
    able = Piece(side=1, at=1, attacks_invulnerable=True)
    unable = Piece(side=1, at=2)
    world = World([monster, able, unable], around([(0, 1), (0, 2)]), given_to=set())
    _, taken = run(world, 0, "P")
    assert taken == [(MORALE, 2)]
    monster.fearsome = True
    _, taken = run(world, 0, "PP")
    assert taken == [(MORALE, 1), (MORALE, 2)]


def u21() -> None:
    world = hunt()
    activation, taken = run(world, 0, "F", Policy([Deed.FLEE]))
    assert activation.chosen is Deed.FLEE
    assert taken == [(Trial.DISCIPLINE, 2)]
    pursuer = world.pieces[2]
    assert pursuer.charge
    world.given_to = set()
    later, _ = run(world, 2, "", Policy())
    assert later.selected is not None
    assert closing(later) == "A4b"
    assert later.selected.permitted == {Deed.ATTACK_MOVE: Tag.FREE}


def hunt() -> World:
    """u is 0, v is 1, e1 to e4 are 2 to 5; e5, ROUTED, is 6 (D3)."""
    breaths = [Breath.FRESH, Breath.FRESH, Breath.EXHAUSTED, Breath.FRESH, Breath.FRESH]
    cohesions = [GOOD, GOOD, GOOD, SHAKEN, ROUTED]
    hunters = [
        Piece(side=1, at=2 + number, wing=1, breath=breath, cohesion=cohesion)
        for number, (breath, cohesion) in enumerate(zip(breaths, cohesions, strict=True))
    ]
    wings = [Wing(order=Order.RETREAT), Wing(1, Order.DEFENCE)]
    world = World([Piece(at=0, wing=0), Piece(at=1, wing=0), *hunters], wings=wings)
    world.given_to = {(number, 0) for number in range(2, 7)} | {(3, 1), (0, 2)}
    return world


# --- destruction, leaders ----------------------------------------------------------------


def u22() -> None:
    world = chain(GOOD, GOOD, ROUTED, GOOD)
    world.beside = around([(0, 1), (0, 2), (1, 3)])
    dice = Script("FP")
    play = Play(world, dice, "A")
    sheet_events.destroy(play, world.pieces[0])
    sheet_events.settle(play)
    assert dice.finish() == [(ROUT, 1), (Trial.DEMORALISATION, 0)]
    assert routed(world) == [1, 2]
    assert world.wings[0].order is Order.ATTACK
    assert world.wings[0].lost == 1


def army() -> World:
    """A commander-in-chief who leads wing 0 of 3, and a friend beside him."""
    chief = Piece(at=0, kind=Kind.CHARACTER, wing=0, cic=True)
    friend = Piece(at=1, kind=Kind.CHARACTER, wing=1)
    wings = [Wing(leader=0), Wing(leader=1), Wing(), Wing(side=1)]
    return World([chief, friend], around([(0, 1)]), wings)


def u23(cohesion: Cohesion, cic: bool, destroyed: bool, script: str) -> list:
    world = army()
    chief = world.pieces[0]
    chief.cohesion, chief.cic = cohesion, cic
    dice = Script(script)
    play = Play(world, dice, "A")
    (sheet_events.destroy if destroyed else sheet_events.leave_map)(play, chief)
    sheet_events.settle(play)
    assert [wing.order is Order.RETREAT for wing in world.wings[1:]] == [False] * 3
    return dice.finish()


def u23a() -> None:
    assert u23(GOOD, cic=False, destroyed=False, script="") == []


def u23b() -> None:
    assert u23(ROUTED, cic=False, destroyed=False, script="F") == [(Trial.RETREAT, 0)]


def u23c() -> None:
    tests = [(ROUT, 1), *((Trial.RETREAT, wing) for wing in range(3))]
    assert u23(GOOD, cic=True, destroyed=True, script="PFPP") == tests


# --- scouts, end of activation -----------------------------------------------------------


def scouting(other: Piece) -> World:
    """A hidden Unit about to walk from hex 0 to 1, which hex 2 sees."""
    other.side, other.at = 1, 2
    scout = Piece(at=0, hidden=True, wing=0)
    wings = [Wing(order=Order.DEFENCE)]
    world = World([scout, other], around([(0, 1)]), wings, given_to=set())
    world.sight = {frozenset((1, 2))}
    return world


def u24a() -> None:
    world = scouting(Piece(kind=Kind.DECOY))
    activation, _ = run(world, 0, "", Policy([Deed.MOVE], path=[1]))
    assert activation.told == [("D6", 1)]
    assert not world.pieces[1].alive
    assert world.pieces[0].hidden


def u24b() -> None:
    world = scouting(Piece(hidden=True))
    activation, _ = run(world, 0, "", Policy([Deed.MOVE], path=[1]))
    assert activation.told == [("D6", 1), ("D6", 0)]
    assert not world.pieces[0].hidden
    assert not world.pieces[1].hidden


def u25a() -> None:
    world = chain(GOOD)
    world.pieces[0].charge = True
    activation, _ = run(world, 0)
    assert closing(activation) == "A4b"
    assert not world.pieces[0].charge
    assert world.pieces[0].breath is Breath.WINDED


def u25b() -> None:
    for deed, kept in ((Deed.NONE, False), (Deed.SPELL_CHOOSE, True), (Deed.SPELL_CAST, False)):
        caster = Piece(at=0, kind=Kind.CHARACTER, spell_chosen=True)
        activation, _ = run(World([caster]), 0, "", Policy([deed]))
        assert activation.chosen is deed
        assert caster.spell_chosen is kept
        assert ("E2", 0) in activation.told or deed is not Deed.NONE


def u25c() -> None:
    world = army()
    leader, world.burning = world.pieces[0], {0}
    leader.cic = False
    _, taken = run(world, 0, "PF", Policy([Deed.NONE]))
    assert taken == [(ROUT, 1), (Trial.RETREAT, 0)]
    assert not leader.alive
    assert not leader.active
    assert world.wings[0].order is Order.RETREAT
    assert world.wings[0].leader is None


EVENTS = {
    f"U{name[1:]} played": case
    for name, case in list(globals().items())
    if name[0] == "u" and name[1:2].isdigit() and case is not u23
}
