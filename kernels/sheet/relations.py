"""What pieces are to one another: who is beside, engages, reaches, sees whom (1.2).

What is given goes before what follows from the map.
"""

import numpy as np

from .._jit import part, routine
from ..core.sets import NONE, bit, lowest, without_lowest
from ..layout.sheet import FAR_AWAY, Cohesion, Fact, Faculty, Kind, Mark, Reading
from ..layout.situation import Plane

U64 = np.uint64
PRESENT = int(Mark.ALIVE | Mark.ON_MAP)
ABOVE = int(Faculty.FLYING | Faculty.INFILTRATED)
APART = int(Plane.APART)
SIGHT = int(Plane.SIGHT)
CONTACT = int(Plane.CONTACT)


@part
def is_present(sheet, u):
    """Whether a piece is alive and on the map."""
    return (sheet.now.mark[u] & PRESENT) == PRESENT


@part
def is_unit(sheet, u):
    """Whether a piece is a Unit (Q1: a decoy is not)."""
    return sheet.now.kind[u] != Kind.DECOY


@part
def is_troop(sheet, u):
    """Whether a piece is a Troop."""
    return sheet.now.kind[u] < Kind.CHARACTER


@routine
def friends_of(sheet, u):
    """Set of the pieces of one's side that are present, oneself included."""
    found, side = NONE, sheet.side[u]
    for k in range(sheet.n):
        if sheet.side[k] == side and is_present(sheet, k):
            found |= bit(k)
    return found


@routine
def enemies_of(sheet, u):
    """Set of the enemy pieces that are present, decoys included."""
    found, side = NONE, sheet.side[u]
    for k in range(sheet.n):
        if sheet.side[k] != side and is_present(sheet, k):
            found |= bit(k)
    return found


@routine
def enemy_units(sheet, u):
    """Set of the enemy Units that are present."""
    found, left = NONE, enemies_of(sheet, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if is_unit(sheet, e):
            found |= bit(e)
    return found


@routine
def beside(sheet, terrain, u):
    """Set of the pieces in the hexes round a piece's, and in its own by Q23, without itself."""
    at = sheet.now.at[u]
    if at < 0:
        return NONE
    found = NONE if sheet.readings[Reading.STACK_ADJACENT] else terrain.stood[at]
    for d in range(6):
        if terrain.hexes[at, d] >= 0:
            found |= terrain.stood[terrain.hexes[at, d]]
    return found & ~bit(u)


@routine
def adjacent_units(sheet, terrain, u, own):
    """Set of the adjacent Units of one's side, or of the others."""
    found, left = NONE, beside(sheet, terrain, u)
    while left != NONE:
        k, left = lowest(left), without_lowest(left)
        ours = sheet.side[k] == sheet.side[u]
        if ours == (own != 0) and is_unit(sheet, k) and is_present(sheet, k):
            found |= bit(k)
    return found


@part
def adjacent_friends(sheet, terrain, u):
    """Set of the adjacent Units of one's side."""
    return adjacent_units(sheet, terrain, u, 1)


@part
def adjacent_enemies(sheet, terrain, u):
    """Set of the adjacent enemy Units."""
    return adjacent_units(sheet, terrain, u, 0)


@routine
def is_stacked(sheet, terrain, u):
    """Whether a character is in the hex of a friendly Troop."""
    if sheet.now.kind[u] != Kind.CHARACTER:
        return False
    given = sheet.given_facts[u, Fact.STACKED]
    if given >= 0:
        return given != 0
    if sheet.now.at[u] < 0:
        return False
    left = terrain.stood[sheet.now.at[u]] & ~bit(u)
    while left != NONE:
        k, left = lowest(left), without_lowest(left)
        if sheet.side[k] == sheet.side[u] and is_troop(sheet, k) and is_present(sheet, k):
            return True
    return False


@routine
def is_screened(sheet, terrain, u):
    """Whether a Troop keeps a character out of engagements (Q9)."""
    return not sheet.readings[Reading.SCREEN] and is_stacked(sheet, terrain, u)


@part
def front_hex(sheet, terrain, u, turn):
    """The hex so many sixths of a turn from a piece's facing; -1: there is none in its front."""
    if (sheet.front[sheet.now.kind[u]] >> turn) & 1 == 0:
        return -1
    return np.int64(terrain.hexes[sheet.now.at[u], (sheet.now.facing[u] + turn) % 6])


@routine
def to_of(sheet, terrain, u):
    """To(u): set of the enemy Units that a piece engages."""
    if not is_unit(sheet, u) or not is_present(sheet, u) or is_screened(sheet, terrain, u):
        return NONE
    left = NONE
    if sheet.given:
        left = sheet.to[u]
    elif sheet.now.cohesion[u] != Cohesion.ROUTED and sheet.now.at[u] >= 0:
        for turn in range(6):
            there = front_hex(sheet, terrain, u, turn)
            if there >= 0:
                left |= terrain.stood[there]
    found = NONE
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if is_met(sheet, terrain, u, e):
            found |= bit(e)
    return found


@part
def is_met(sheet, terrain, u, e):
    """Whether a piece in one's front is an enemy Unit that can be engaged."""
    if sheet.side[e] == sheet.side[u] or not is_unit(sheet, e) or not is_present(sheet, e):
        return False
    if is_screened(sheet, terrain, e):
        return False
    own, other = sheet.now.faculty[u], sheet.now.faculty[e]
    if sheet.readings[Reading.INFILTRATED] and other & Faculty.INFILTRATED:  # Q25
        own |= Faculty.INFILTRATED
    return sheet.given != 0 or own & ABOVE == other & ABOVE


@routine
def by_of(sheet, terrain, u):
    """By(u): set of the enemy Units that engage a piece."""
    if not is_unit(sheet, u):
        return NONE
    found = NONE
    left = enemy_units(sheet, u) if sheet.given else adjacent_enemies(sheet, terrain, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if (to_of(sheet, terrain, e) & bit(u)) != NONE:
            found |= bit(e)
    return found


@routine
def faces(sheet, terrain, u):
    """Whether a piece faces one of those that engage it (Q7)."""
    given = sheet.given_facts[u, Fact.FACES]
    if given >= 0 and sheet.readings[Reading.FACES]:
        return given != 0
    return (by_of(sheet, terrain, u) & to_of(sheet, terrain, u)) != NONE


@routine
def facing_that_faces(sheet, terrain, u):
    """The first facing to which a piece may turn and face an engager; -1: there is none."""
    old, met = sheet.now.facing[u], by_of(sheet, terrain, u)
    for turn in range(1, 6):
        if (sheet.faces_by[sheet.now.kind[u]] >> turn) & 1 == 0:
            continue
        sheet.now.facing[u] = (old + turn) % 6
        found = (to_of(sheet, terrain, u) & met) != NONE
        sheet.now.facing[u] = old
        if found:
            return (old + turn) % 6
    return -1


@part
def is_reached(sheet, terrain, e, at):
    """Whether a piece can come beside a hex in the turns that count (6, reach)."""
    own = sheet.now.at[e]
    if own < 0 or at < 0:
        return False
    cost = terrain.pairs[CONTACT + 2 * sheet.mover[e], own, at]
    return cost < FAR_AWAY and cost <= sheet.allowance[e] * sheet.reach_turns


@routine
def is_far_at(sheet, terrain, u, at):
    """Far(u), at a hex: no enemy Unit can reach it."""
    left = enemy_units(sheet, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if is_reached(sheet, terrain, e, at):
            return False
    return True


@routine
def can_reach_any(sheet, terrain, u):
    """Whether a piece can reach an enemy Unit (E1)."""
    left = enemy_units(sheet, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if is_reached(sheet, terrain, u, sheet.now.at[e]):
            return True
    return False


@routine
def target_at(sheet, terrain, u, at, characters):
    """The nearest enemy Unit in range and sight of a hex, of characters only if so; -1: none."""
    if at < 0:
        return -1
    best, chosen, left = sheet.fire_range[u] + 1, -1, enemy_units(sheet, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        there = sheet.now.at[e]
        if there < 0 or (characters and sheet.now.kind[e] != Kind.CHARACTER):
            continue
        gap = np.int64(terrain.pairs[APART, at, there])
        if gap < best and terrain.pairs[SIGHT, at, there]:
            best, chosen = gap, e
    return chosen


@routine
def can_fire_at(sheet, terrain, u, at):
    """CanFire(u), at a hex."""
    if sheet.now.mark[u] & Mark.AMMO_OUT or sheet.fire_range[u] <= 0:
        return False
    return target_at(sheet, terrain, u, at, 0) >= 0


@routine
def can_fire(sheet, terrain, u):
    """CanFire(u), be it given: the own condition of Fire, so that no clause arms a piece."""
    given = sheet.given_facts[u, Fact.CAN_FIRE]
    if given >= 0:
        return given != 0 and not sheet.now.mark[u] & Mark.AMMO_OUT
    return can_fire_at(sheet, terrain, u, sheet.now.at[u])


@routine
def is_seen_at(sheet, terrain, u, at, decoys):
    """Whether an enemy Unit, or decoy where they count, sees a hex."""
    if at < 0:
        return False
    left = enemies_of(sheet, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        there = sheet.now.at[e]
        if (decoys or is_unit(sheet, e)) and there >= 0 and terrain.pairs[SIGHT, there, at]:
            return True
    return False
