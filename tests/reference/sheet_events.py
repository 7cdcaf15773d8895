"""Changes of state and the events that they make happen: stage D (3.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from estoc.kernels.layout.sheet import Breath, Cohesion, Modifier, Order, Reading, Trial
from reference.sheet_dice import NO_MODIFIER, Dice, Taken
from reference.sheet_state import (
    Hex,
    Piece,
    World,
    adjacent_friends,
    adjacent_hexes,
    enemy_units,
    engaged_by,
    engagers,
    engages,
    faces,
    others,
    see,
    wing_led,
)

QUEUE = ["D1", "D6", "D2", "D3", "D4b", "D4a", "D4c"]  # simultaneous events (3.3)


class Event(NamedTuple):
    """Something that happened to a piece, at its hex of that moment."""

    clause: str
    piece: Piece
    at: Hex | None = None
    pursuers: tuple[Piece, ...] = ()
    led: int | None = None  # the wing that it led


@dataclass
class Play:
    """A world in play: its dice, the stage, events to come, and clauses that took effect."""

    world: World
    dice: Dice
    stage: str = "S"
    queue: list[Event] = field(default_factory=list)
    told: list[tuple[str, int]] = field(default_factory=list)

    def tell(self, clause: str, who: int) -> None:
        self.told.append((clause, who))


# --- tests -------------------------------------------------------------------------------


def fails(play: Play, trial: Trial, piece: Piece) -> bool:
    """A test of a piece, with the modifiers that hold for it (6)."""
    return play.dice.fails(Taken(trial, piece.number, modifiers_of(play.world, piece)))


def fails_unmodified(play: Play, trial: Trial, piece: Piece) -> bool:
    return play.dice.fails(Taken(trial, piece.number, NO_MODIFIER))


def modifiers_of(world: World, piece: Piece) -> frozenset[Modifier]:
    found = set()
    if piece.cohesion is Cohesion.SHAKEN:
        found.add(Modifier.SHAKEN)
    if piece.breath is Breath.EXHAUSTED:
        found.add(Modifier.EXHAUSTED)
    if leader_near(world, piece):
        found.add(Modifier.LEADER_NEAR)
    if engagers(world, piece) and not faces(world, piece):
        found.add(Modifier.ENGAGED_NOT_FACING)
    return frozenset(found)


def leader_near(world: World, piece: Piece) -> bool:
    """The leader of its wing is in its hex or beside it."""
    if piece.wing is None:
        return False
    near = {piece.at, *adjacent_hexes(world, piece.at)} - {None}
    leader = world.wings[piece.wing].leader
    return any(one.number == leader and one.at in near for one in others(world, piece))


# --- changes of state --------------------------------------------------------------------


def raise_event(play: Play, event: Event) -> None:
    """An event is queued, unless only actions have consequences (Q16)."""
    if fires(play):
        play.queue.append(event)


def fires(play: Play) -> bool:
    return play.stage == "A" or play.world.reads(Reading.HOOKS) == 0


def tire(play: Play, piece: Piece) -> None:
    """One level of breath (Q21)."""
    if piece.breath is Breath.EXHAUSTED:
        if play.world.reads(Reading.BREATH) == 1:
            lose_cohesion(play, piece)
        return
    piece.breath = Breath(piece.breath + 1)


def lose_charge(play: Play, piece: Piece) -> None:
    if piece.charge:
        piece.charge = False
        tire(play, piece)


def lose_cohesion(play: Play, piece: Piece) -> None:
    set_cohesion(play, piece, Cohesion(min(piece.cohesion + 1, Cohesion.ROUTED)))


def rout(play: Play, piece: Piece) -> None:
    set_cohesion(play, piece, Cohesion.ROUTED)


def set_cohesion(play: Play, piece: Piece, level: Cohesion) -> None:
    worse = level > piece.cohesion
    piece.cohesion = level
    if worse:
        raise_event(play, Event("D1", piece))


def destroy(play: Play, piece: Piece) -> None:
    at, led, before = piece.at, wing_led(play.world, piece), imprudent(play.world)
    piece.alive = False
    leave(piece)
    watch(play, before)
    if piece.unit:
        raise_event(play, Event("D2", piece, at))
        lament(play, piece, led)
    if led is not None and not fires(play):
        play.world.wings[led].leader = None


def leave_map(play: Play, piece: Piece) -> None:
    """In good order nobody tests: destroyed, or leaves while ROUTED (D4).

    Whom a Troop screened can be engaged when it has left (Q9).
    """
    led, before = wing_led(play.world, piece), imprudent(play.world)
    leave(piece)
    watch(play, before)
    if piece.unit and piece.routed:
        lament(play, piece, led)
    if led is not None and not (piece.routed and fires(play)):
        play.world.wings[led].leader = None


def leave(piece: Piece) -> None:
    piece.on_map, piece.at = False, None


def lament(play: Play, piece: Piece, led: int | None) -> None:
    if piece.troop and piece.wing is not None:
        raise_event(play, Event("D4b", piece))
    if led is not None:
        raise_event(play, Event("D4a", piece, led=led))
    if piece.cic:
        raise_event(play, Event("D4c", piece, led=led))


def step(play: Play, piece: Piece, to: Hex) -> None:
    """A piece enters a hex: it may come to engage the infiltrated, and be seen (D1b, D6).

    It faces where it goes, on a map that has directions.
    """
    before = imprudent(play.world)
    around = play.world.towards.get(piece.at, {}) if piece.at is not None else {}
    ways = [way for way, there in around.items() if there == to]
    piece.at, piece.facing = to, ways[0] if ways else piece.facing
    come_to_engage(play, before)
    spied(play, piece)


def turn(play: Play, piece: Piece, facing: int) -> None:
    before = imprudent(play.world)
    piece.facing = facing
    come_to_engage(play, before)


def imprudent(world: World) -> set[tuple[int, int]]:
    """Who charges, and whom it engages that is infiltrated."""
    return {
        (one.number, other.number)
        for one in world.pieces
        for other in world.pieces
        if one.charge and other.infiltrated and engages(world, one, other)
    }


def come_to_engage(play: Play, before: set[tuple[int, int]]) -> None:
    watch(play, before)
    settle(play)


def watch(play: Play, before: set[tuple[int, int]]) -> None:
    """D1b of those who engage an infiltrated enemy that they did not before."""
    for number in sorted({one for one, _ in imprudent(play.world) - before}):
        raise_event(play, Event("D1", play.world.pieces[number]))


def spied(play: Play, piece: Piece) -> None:
    """Passive pieces first, then the active one is tested again (D6)."""
    for one in others(play.world, piece):
        if piece.unit and one.side != piece.side and secret(one) and see(play.world, one, piece):
            raise_event(play, Event("D6", one))
    settle(play)
    if secret(piece) and any(see(play.world, one, piece) for one in enemy_units(play.world, piece)):
        raise_event(play, Event("D6", piece))
    settle(play)


def secret(piece: Piece) -> bool:
    return piece.hidden or not piece.unit


# --- stage D -----------------------------------------------------------------------------


def settle(play: Play) -> None:
    """Events happen in the order of 3.3, those of one kind by piece."""
    while play.queue:
        first = min(play.queue, key=lambda event: (QUEUE.index(event.clause), event.piece.number))
        play.queue.remove(first)
        HOOKS[first.clause](play, first)


def d1(play: Play, event: Event) -> None:
    """D1a: a piece with a charge is SHAKEN or ROUTED."""
    if event.piece.charge:
        play.tell("D1", event.piece.number)
        lose_charge(play, event.piece)


def d6(play: Play, event: Event) -> None:
    """A Cache is removed; of a Decoy nothing is left."""
    play.tell("D6", event.piece.number)
    event.piece.hidden = False
    if not event.piece.unit:
        destroy(play, event.piece)


def d2(play: Play, event: Event) -> None:
    for one in adjacent_friends(play.world, event.piece, event.at):
        if not one.routed and fails(play, Trial.ROUT, one):
            play.tell("D2", one.number)
            rout(play, one)


def pursuers_of(world: World, piece: Piece) -> tuple[Piece, ...]:
    """Who may give chase when a piece flees: they engage it alone, and are fit (D3)."""
    return tuple(
        one
        for one in engagers(world, piece)
        if engaged_by(world, one) == [piece]
        and one.cohesion is Cohesion.GOOD
        and one.breath is not Breath.EXHAUSTED
    )


def d3(play: Play, event: Event) -> None:
    for one in event.pursuers:
        if fails(play, Trial.DISCIPLINE, one):
            play.tell("D3", one.number)
            one.charge = True


def d4a(play: Play, event: Event) -> None:
    assert event.led is not None
    play.world.wings[event.led].leader = None
    retreat(play, event.led)


def d4b(play: Play, event: Event) -> None:
    assert event.piece.wing is not None
    wing = play.world.wings[event.piece.wing]
    wing.lost += 1
    if play.dice.fails(Taken(Trial.DEMORALISATION, event.piece.wing)):
        play.tell("D4b", event.piece.wing)
        wing.order, wing.demoralised = Order.RETREAT, True


def d4c(play: Play, event: Event) -> None:
    """Every wing of the army; the one that D4a covers has tested (Q19)."""
    for number, wing in enumerate(play.world.wings):
        again = number != event.led or play.world.reads(Reading.D4_DOUBLE) == 1
        if wing.side == event.piece.side and again:
            retreat(play, number)


def retreat(play: Play, number: int) -> None:
    if play.dice.fails(Taken(Trial.RETREAT, number)):
        play.tell("D4", number)
        play.world.wings[number].order = Order.RETREAT


HOOKS = {"D1": d1, "D6": d6, "D2": d2, "D3": d3, "D4b": d4b, "D4a": d4a, "D4c": d4c}
