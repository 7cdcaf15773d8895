"""What selection asks of the activated piece (1.2), in a word of facts.

Facts that are given go before those that follow from the map.
"""

from .._jit import part, routine
from ..core.sets import NONE, ONE, bit, lowest, without_lowest
from ..layout.sheet import (
    FACTS,
    Breath,
    Cohesion,
    Fact,
    Faculty,
    Kind,
    Mark,
    Morale,
    Order,
    Reading,
)
from .relations import (
    U64,
    adjacent_enemies,
    by_of,
    can_fire_at,
    facing_that_faces,
    is_far_at,
    is_stacked,
    target_at,
    to_of,
)

FRESH = int(Mark.CHARGE | Mark.CONTACT)


@routine
def follows(sheet, u):
    """The order that a piece follows (1.2, Q4)."""
    if sheet.now.mark[u] & Mark.SPECIAL and sheet.readings[Reading.SPECIAL] == 0:
        return Order.NONE.value
    if sheet.now.mark[u] & Mark.CHARGE:
        return Order.ATTACK.value
    wing = sheet.now.wing[u]
    return sheet.now.order[wing] if wing >= 0 else Order.NONE.value


@part
def flag(fact, holds):
    """A bit of the word of facts."""
    return ONE << U64(fact) if holds else NONE


@routine
def own_facts(sheet, u):
    """Facts that a piece's own row says."""
    now = sheet.now
    mark, faculty = now.mark[u], now.faculty[u]
    word = ONE << U64(now.kind[u])
    word |= flag(Fact.SHAKEN, now.cohesion[u] == Cohesion.SHAKEN)
    word |= flag(Fact.ROUTED, now.cohesion[u] == Cohesion.ROUTED)
    word |= flag(Fact.TIRED, now.breath[u] != Breath.FRESH)
    word |= flag(Fact.EXHAUSTED, now.breath[u] == Breath.EXHAUSTED)
    word |= flag(Fact.ELITE, sheet.morale[u] == Morale.ELITE)
    word |= flag(Fact.CHARGE, mark & Mark.CHARGE) | flag(Fact.SPECIAL, mark & Mark.SPECIAL)
    word |= flag(Fact.AMMO_OUT, mark & Mark.AMMO_OUT)
    word |= flag(Fact.IN_COMMAND, mark & Mark.IN_COMMAND)
    word |= flag(Fact.SPELL_CHOSEN, mark & Mark.SPELL)
    word |= flag(Fact.DODGE, faculty & Faculty.DODGE)
    word |= flag(Fact.LEADER, faculty & Faculty.LEADER) | flag(Fact.CIC, faculty & Faculty.CIC)
    order = follows(sheet, u)
    if order != Order.NONE:
        word |= ONE << U64(Fact.FOLLOWS_ATTACK + order)
    return word


@routine
def met_facts(sheet, terrain, u):
    """Facts that follow from who engages whom."""
    by, to = by_of(sheet, terrain, u), to_of(sheet, terrain, u)
    fresh_by, fresh_to = fresh_of(sheet, by), fresh_of(sheet, to)
    word = flag(Fact.ENGAGED, by != NONE) | flag(Fact.ENGAGES, to != NONE)
    word |= flag(Fact.ANY_FRESH_BY, fresh_by != NONE)
    word |= flag(Fact.ALL_FRESH_BY, by != NONE and fresh_by == by)
    word |= flag(Fact.ALL_FRESH_TO, to != NONE and fresh_to == to)
    word |= flag(Fact.NO_FRESH_TO, to != NONE and fresh_to == NONE)
    if by == NONE:
        return word
    facing = (by & to) != NONE
    if sheet.readings[Reading.FACES] and sheet.given_facts[u, Fact.FACES] >= 0:
        facing = sheet.given_facts[u, Fact.FACES] != 0
    word |= flag(Fact.FACES, facing)
    if not facing and sheet.now.kind[u] == Kind.FORMATION and not sheet.given:
        word |= flag(Fact.CAN_FACE, facing_that_faces(sheet, terrain, u) >= 0)
    return word


@part
def fresh_of(sheet, mask):
    """The pieces of a set that have a Charge or Contact marker."""
    found = NONE
    while mask != NONE:
        e, mask = lowest(mask), without_lowest(mask)
        if sheet.now.mark[e] & FRESH:
            found |= bit(e)
    return found


@routine
def character_facts(sheet, terrain, u):
    """Facts that only clauses of characters ask for."""
    word, at = flag(Fact.STACKED, is_stacked(sheet, terrain, u)), sheet.now.at[u]
    left = adjacent_enemies(sheet, terrain, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        word |= flag(Fact.DUEL_SHOCK, sheet.now.kind[e] == Kind.CHARACTER)
    word |= flag(Fact.DUEL_FIRE, target_at(sheet, terrain, u, at, 1) >= 0)
    for wing in range(sheet.wings):
        own = sheet.wing_side[wing] == sheet.side[u]
        word |= flag(Fact.FREE_WING, own and sheet.now.leader[wing] < 0)
    return word


@routine
def facts_of(sheet, terrain, u, whole):
    """The word of facts of a piece.

    If not the ``whole`` is asked for, *Far* only where a clause that is reached asks for it.
    """
    word, at = own_facts(sheet, u) | met_facts(sheet, terrain, u), sheet.now.at[u]
    word |= flag(Fact.CAN_FIRE, can_fire_at(sheet, terrain, u, at))
    if sheet.now.kind[u] == Kind.CHARACTER:
        word |= character_facts(sheet, terrain, u)
    regroups = (word >> U64(Fact.FOLLOWS_REGROUP)) & ONE
    if whole or (regroups and (word >> U64(Fact.ENGAGED)) & ONE == NONE):
        word |= flag(Fact.FAR, at >= 0 and is_far_at(sheet, terrain, u, at))
    for fact in range(FACTS):
        if sheet.given_facts[u, fact] >= 0 and fact != Fact.FACES:
            word &= ~(ONE << U64(fact))
            word |= flag(fact, sheet.given_facts[u, fact])
    if sheet.now.mark[u] & Mark.AMMO_OUT:
        word &= ~(ONE << U64(Fact.CAN_FIRE))
    return word
