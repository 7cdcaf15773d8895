"""The activation of one piece: stages S, A and E (2, 3.1, 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from estoc.kernels.layout.sheet import (
    Breath,
    Cohesion,
    Deed,
    End,
    Kind,
    Morale,
    Reading,
    Tag,
    Trial,
)
from reference import sheet_select
from reference.sheet import Facts
from reference.sheet_events import (
    Dice,
    Event,
    Play,
    destroy,
    fails,
    fails_unmodified,
    leave_map,
    lose_charge,
    lose_cohesion,
    pursuers_of,
    raise_event,
    rout,
    settle,
    step,
    turn,
)
from reference.sheet_select import Selected
from reference.sheet_state import (
    Hex,
    Piece,
    World,
    adjacent_enemies,
    adjacent_friends,
    any_fresh_by,
    engagers,
    facing_turns,
    facts_of,
    others,
    see,
    wing_led,
)

FEARLESS = (Morale.MAGICAL, Morale.UNSHAKEABLE, Morale.DEMONIC)
UNDER = "under"


@dataclass
class Policy:
    """What a player wants: the first of ``wants`` that is permitted, else the lowest deed."""

    wants: Sequence[Deed] = ()
    hide: bool = False
    decoy: str = ""  # "on", "under"
    reveal: bool = False
    path: Sequence[Hex] = ()

    def choose(self, permitted: dict[Deed, Tag]) -> Deed:
        for deed in self.wants:
            if deed in permitted:
                return deed
        return min(permitted)


class Activation(NamedTuple):
    """What an activation came to; ``facts`` and ``selected`` are None without stage A."""

    facts: Facts | None
    selected: Selected | None
    chosen: Deed
    frozen: bool
    told: list[tuple[str, int]]


def activate(world: World, number: int, policy: Policy, dice: Dice) -> Activation:
    """One activation, whole (2)."""
    return run_stages(Play(world, dice), world.pieces[number], policy, True)


def run_stages(play: Play, piece: Piece, policy: Policy, begins: bool) -> Activation:
    """Stages S, A and E; a new Decoy skips S, and is played in the order of the stack (S4b)."""
    made, frozen = start(play, piece, policy) if begins else (None, False)
    if made is not None and policy.decoy != UNDER:
        run_decoy(play, made, policy)
    if not piece.alive:
        return Activation(None, None, Deed.NONE, False, play.told)
    facts, selected, chosen = None, None, Deed.NONE
    play.stage = "A"
    if not frozen:
        facts = facts_of(play.world, piece)
        selected = sheet_select.select(facts, play.world.readings)
        chosen = policy.choose(selected.permitted)
        perform(play, piece, chosen, policy)
    play.stage = "E"
    end(play, piece, chosen, frozen)
    if made is not None and policy.decoy == UNDER:
        run_decoy(play, made, policy)
    return Activation(facts, selected, chosen, frozen, play.told)


def run_decoy(play: Play, decoy: Piece, policy: Policy) -> None:
    """Of a new Decoy, which makes none unless it runs stage S (Q12)."""
    begins = play.world.reads(Reading.DECOY_RUNS_START) == 1
    stage = play.stage
    run_stages(play, decoy, Policy(policy.wants, decoy=policy.decoy), begins)
    play.stage = stage


def lost_to(activation: Activation, wanted: set[Deed]) -> End:
    """Why an activation is lost: nothing wanted is permitted (8, question 3)."""
    if activation.frozen:
        return End.FROZEN
    if activation.selected is None:
        return End.OTHER
    if wanted & set(activation.selected.permitted):
        return End.USED
    point = activation.selected.closing.rstrip("abc")
    causes = {"A1": End.ROUT, "A3": End.FACING, "A6": End.RETREAT, "F0": End.HOLE}
    return causes.get(point, End.OTHER)


# --- stage S -----------------------------------------------------------------------------


def start(play: Play, piece: Piece, policy: Policy) -> tuple[Piece | None, bool]:
    """S1 to S5: the Decoy that was made, and whether a formation is frozen (S2c)."""
    world = play.world
    if not piece.unit:
        return stealth(play, piece, policy), False
    was_routed, was_near = piece.routed, beside_rout(world, piece)
    was_fresh = any_fresh_by(world, piece)
    once = world.reads(Reading.START) == 1  # Q2: conditions read before anything happens
    if piece.routed:
        s1a(play, piece)
    if not was_routed and (was_near if once else beside_rout(world, piece)):
        s1b(play, piece)
    frighten(play, piece)
    frozen = False
    steady = not was_routed if once else not piece.routed
    if steady and (was_fresh if once else any_fresh_by(world, piece)):
        frozen = s2(play, piece)
    if frozen and world.reads(Reading.S2C_SKIPS_END) == 1:  # Q11
        return None, True
    piece.contact = False  # S3
    return stealth(play, piece, policy), frozen


def beside_rout(world: World, piece: Piece) -> bool:
    return any(one.routed for one in adjacent_friends(world, piece, piece.at))


def spread_to(world: World, piece: Piece) -> list[Piece]:
    """Who tests beside a routed Unit, activated or not (S1a)."""
    return [one for one in adjacent_friends(world, piece, piece.at) if not one.routed]


def s1a(play: Play, piece: Piece) -> None:
    """By one reading of Q6 who fails makes its own neighbours test, after those of the first."""
    waiting = [piece]
    while waiting:
        first = min(waiting, key=lambda one: one.number)
        waiting.remove(first)
        failed = spread(play, first)
        if play.world.reads(Reading.IMMEDIATE) == 2:
            waiting += failed


def spread(play: Play, piece: Piece) -> list[Piece]:
    """The neighbours that fail their Rout test."""
    failed = []
    for one in spread_to(play.world, piece):
        if not one.routed and fails(play, Trial.ROUT, one):
            play.tell("S1a", one.number)
            rout(play, one)
            settle(play)
            failed.append(one)
    return failed


def s1b(play: Play, piece: Piece) -> None:
    if fails(play, Trial.ROUT, piece):
        play.tell("S1b", piece.number)
        rout(play, piece)
        settle(play)
        if play.world.reads(Reading.IMMEDIATE) >= 1:  # Q6
            s1a(play, piece)


def frighten(play: Play, piece: Piece) -> None:
    """S1c and S1d: an enemy that both cover tests once."""
    if play.world.reads(Reading.FEAR_ROUTED) == 1 and (piece.routed or piece.hidden):  # Q24
        return
    for one in adjacent_enemies(play.world, piece):
        unhurt = piece.invulnerable and not one.attacks_invulnerable
        if (piece.fearsome or unhurt) and one.morale not in FEARLESS:
            clause = "S1c" if piece.fearsome else "S1d"
            if fails_unmodified(play, Trial.MORALE, one):
                play.tell(clause, one.number)
                if play.world.reads(Reading.MORALE_TRACK) == 0:  # Q8
                    lose_cohesion(play, one)
                    settle(play)


def s2(play: Play, piece: Piece) -> bool:
    """One Engagement test; whether a formation may do nothing (S2c)."""
    if not fails(play, Trial.ENGAGEMENT, piece):
        return False
    if piece.kind is Kind.FORMATION and piece.cohesion is not Cohesion.GOOD:
        play.tell("S2c", piece.number)
        return True
    if piece.kind is Kind.CHARACTER and play.world.reads(Reading.S2_CHARACTER) == 1:  # Q10
        return False
    play.tell("S2b" if piece.kind is Kind.FORMATION else "S2a", piece.number)
    panic(play, piece)
    return False


def panic(play: Play, piece: Piece) -> None:
    """The charge is lost before D1a can see it."""
    lose_charge(play, piece)
    lose_cohesion(play, piece)
    settle(play)


def stealth(play: Play, piece: Piece, policy: Policy) -> Piece | None:
    """S4 and S5."""
    made = None
    watched = any(see(play.world, one, piece) for one in opponents(play.world, piece))
    if policy.hide and piece.unit and not (piece.hidden or piece.routed or watched):
        piece.hidden = True
        play.tell("S4a", piece.number)
    if policy.decoy and (piece.hidden or not piece.unit):
        made = make_decoy(play, piece)
    if policy.reveal and (piece.hidden or not piece.unit):
        play.tell("S5a" if piece.unit else "S5b", piece.number)
        piece.hidden = False
        if not piece.unit:
            destroy(play, piece)
    return made


def opponents(world: World, piece: Piece) -> list[Piece]:
    """Enemy Units and Decoys."""
    return [one for one in others(world, piece) if one.side != piece.side]


def make_decoy(play: Play, piece: Piece) -> Piece | None:
    left = play.world.decoys_left.get(piece.side, 0)
    if left == 0:
        return None
    play.world.decoys_left[piece.side] = left - 1
    decoy = Piece(piece.side, piece.at, Kind.DECOY, piece.wing, number=len(play.world.pieces))
    play.world.pieces.append(decoy)
    play.tell("S4b", decoy.number)
    return decoy


# --- stage A -----------------------------------------------------------------------------


def perform(play: Play, piece: Piece, deed: Deed, policy: Policy) -> None:
    """The effects that the sheet defines, and those of its data (6)."""
    if deed in EFFECTS:
        EFFECTS[deed](play, piece)
    for at in policy.path:
        if deed in (Deed.MOVE, Deed.ATTACK_MOVE, Deed.WITHDRAW) and piece.present:
            step(play, piece, at)
    settle(play)


def rally(play: Play, piece: Piece) -> None:
    """On a failed rally flight follows in the same activation (A1); a decoy feigns it (A2)."""
    if not piece.routed:
        return
    if fails(play, Trial.RALLY, piece):
        flee(play, piece)
    else:
        piece.cohesion = Cohesion.SHAKEN


def flee(play: Play, piece: Piece) -> None:
    pursuers = pursuers_of(play.world, piece) if piece.unit else ()
    play.tell("FLEE", piece.number)
    to = play.world.flight(play.world, piece)
    if to is None:
        leave_map(play, piece)
    elif to != piece.at:
        step(play, piece, to)
    raise_event(play, Event("D3", piece, pursuers=pursuers))
    settle(play)


def face(play: Play, piece: Piece) -> None:
    """By reflex, which costs the charge (A3)."""
    turns = facing_turns(play.world, piece)
    if turns:
        turn(play, piece, turns[0])
    if play.world.given_to is not None:
        face_given(play.world, piece)
    lose_charge(play, piece)


def face_given(world: World, piece: Piece) -> None:
    """Where relations are given, it engages those that engage it, and them only."""
    assert world.given_to is not None
    faced = {(piece.number, one.number) for one in engagers(world, piece)}
    world.given_to = {pair for pair in world.given_to if pair[0] != piece.number} | faced


def rest(play: Play, piece: Piece) -> None:
    piece.breath = Breath(max(piece.breath - 1, Breath.FRESH))


def regroup(play: Play, piece: Piece) -> None:
    piece.cohesion = Cohesion.GOOD


def reload(play: Play, piece: Piece) -> None:
    piece.ammo_out = False


def choose_spell(play: Play, piece: Piece) -> None:
    piece.spell_chosen = True


def cast_spell(play: Play, piece: Piece) -> None:
    piece.spell_chosen = False


def resign(play: Play, piece: Piece) -> None:
    led = wing_led(play.world, piece)
    if led is not None:
        play.world.wings[led].leader, piece.in_command = None, False


EFFECTS = {
    Deed.RALLY: rally,
    Deed.FLEE: flee,
    Deed.FACE: face,
    Deed.REST: rest,
    Deed.REGROUP: regroup,
    Deed.RELOAD: reload,
    Deed.SPELL_CHOOSE: choose_spell,
    Deed.SPELL_CAST: cast_spell,
    Deed.RESIGN: resign,
}


# --- stage E -----------------------------------------------------------------------------


def end(play: Play, piece: Piece, chosen: Deed, frozen: bool) -> None:
    """E1 to E3; a frozen formation may stop before (Q11)."""
    if frozen and play.world.reads(Reading.S2C_SKIPS_END) == 1:
        piece.active = True
        return
    e1(play, piece)
    e2(play, piece, chosen)
    e3(play, piece)
    settle(play)


def e1(play: Play, piece: Piece) -> None:
    empty = not engagers(play.world, piece) and not play.world.asked(piece, "reaches")
    if piece.charge and empty:
        play.tell("E1", piece.number)
        lose_charge(play, piece)


def e2(play: Play, piece: Piece, chosen: Deed) -> None:
    if piece.spell_chosen and chosen not in (Deed.SPELL_CHOOSE, Deed.SPELL_CAST):
        play.tell("E2", piece.number)
        piece.spell_chosen = False


def e3(play: Play, piece: Piece) -> None:
    burns = piece.at is not None and piece.at in play.world.burning
    spared = piece.fireproof or piece.flying or piece.infiltrated
    if piece.unit and burns and not spared:
        play.tell("E3a", piece.number)
        destroy(play, piece)
    piece.special = False
    if piece.alive:
        piece.active = True
