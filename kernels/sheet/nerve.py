"""Nerve at the start of an activation: rout that spreads, fright, panic (S1, S2)."""

from .._jit import routine
from ..core.sets import NONE, bit, lowest, without_lowest
from ..layout.sheet import Cohesion, Faculty, Kind, Mark, Morale, Reading, Trial
from .chance import fails_test
from .events import lose_charge, lose_cohesion, rout_test
from .relations import adjacent_enemies, adjacent_friends


@routine
def spread_rout(sheet, terrain, u, chain):
    """S1a: the neighbours of a routed Unit take a Rout test each.

    By readings of Q6 who fails makes its own neighbours test in turn (``chain``).
    """
    waiting = bit(u)
    while waiting != NONE:
        v, waiting = lowest(waiting), without_lowest(waiting)
        left = adjacent_friends(sheet, terrain, v)
        while left != NONE:
            k, left = lowest(left), without_lowest(left)
            if sheet.now.cohesion[k] == Cohesion.ROUTED:
                continue
            if rout_test(sheet, terrain, k) and chain:
                waiting |= bit(k)


@routine
def has_routed_friend(sheet, terrain, u):
    """Whether an adjacent friendly Unit is routed (S1b)."""
    left = adjacent_friends(sheet, terrain, u)
    while left != NONE:
        k, left = lowest(left), without_lowest(left)
        if sheet.now.cohesion[k] == Cohesion.ROUTED:
            return True
    return False


@routine
def catch_rout(sheet, terrain, u):
    """S1a, S1b: rout goes from the activated Unit to its neighbours, or from them to it."""
    immediate = sheet.readings[Reading.IMMEDIATE]
    if sheet.now.cohesion[u] == Cohesion.ROUTED or (
        has_routed_friend(sheet, terrain, u) and rout_test(sheet, terrain, u) and immediate
    ):
        spread_rout(sheet, terrain, u, immediate == 2)


@routine
def frighten(sheet, terrain, u):
    """S1c, S1d: adjacent enemies who are afraid take a Morale test without modifier."""
    faculty = sheet.now.faculty[u]
    fearsome, invulnerable = faculty & Faculty.FEARSOME, faculty & Faculty.INVULNERABLE
    if not fearsome and not invulnerable:
        return
    hidden = sheet.now.mark[u] & Mark.HIDDEN or sheet.now.cohesion[u] == Cohesion.ROUTED
    if hidden and sheet.readings[Reading.FEAR_ROUTED]:
        return
    left = adjacent_enemies(sheet, terrain, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        afraid = sheet.morale[e] == Morale.ORDINARY or sheet.morale[e] == Morale.ELITE
        if not fearsome and sheet.now.faculty[e] & Faculty.ATTACKS_INVULNERABLE:
            afraid = False
        failed = afraid and fails_test(sheet, terrain, Trial.MORALE, e)
        if failed and not sheet.readings[Reading.MORALE_TRACK]:
            lose_cohesion(sheet, e)


@routine
def panic(sheet, terrain, u):
    """S2: a Unit that was just engaged takes an Engagement test; whether it is frozen (S2c)."""
    if not fails_test(sheet, terrain, Trial.ENGAGEMENT, u):
        return False
    kind = sheet.now.kind[u]
    if kind == Kind.FORMATION and sheet.now.cohesion[u] != Cohesion.GOOD:
        return True
    if kind == Kind.CHARACTER and sheet.readings[Reading.S2_CHARACTER]:
        return False
    lose_cohesion(sheet, u)
    lose_charge(sheet, u)
    return False
