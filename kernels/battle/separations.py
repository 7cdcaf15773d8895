"""Separations of melees of any size on the table: every fighter in one star (C-1.2, C-1.3).

``links`` are the contacts that make combats: each fighter's in a mask of its enemies. A set of
links in which of two joined fighters one has no other link is a separation.
"""

import numpy as np

from .._jit import part, routine
from ..core.dice import note
from ..core.rng import U64
from ..core.sets import NONE, bit, count_bits
from ..field.aims import any_of
from ..field.picks import pick
from ..field.stakes import side_balance
from ..layout.battle import Style
from ..layout.log import Story
from ..table.contacts import enemies


@part
def link(battle, i, j):
    """Join two fighters."""
    battle.links[i] |= bit(j)
    battle.links[j] |= bit(i)


@part
def unlink(battle, i, j):
    """Part two fighters."""
    battle.links[i] &= ~bit(j)
    battle.links[j] &= ~bit(i)


@routine
def cover_at_random(battle, moment, melee):
    """Link each fighter with any enemy that it touches."""
    for i in range(battle.n):
        if (melee & bit(i)) != NONE:
            link(battle, i, any_of(battle, moment, enemies(battle.table, i) & melee))


@routine
def cover_boldly(battle, melee, side):
    """Link a side's fighters with the enemies that most of them touch, then the enemies left."""
    own = melee & battle.table.sides[side]
    for i in range(battle.n):
        if (own & bit(i)) != NONE:
            best, chosen, met = 0, i, enemies(battle.table, i) & melee
            for j in range(battle.n):
                if (met & bit(j)) != NONE:
                    count = count_bits(enemies(battle.table, j) & own)
                    if count > best:
                        best, chosen = count, j
            link(battle, i, chosen)
    for j in range(battle.n):
        if (melee & ~own & bit(j)) != NONE and battle.links[j] == NONE:
            link(battle, j, spare_of(battle, enemies(battle.table, j) & melee))


@routine
def spare_of(battle, mask):
    """The fighter of a mask whose only enemy has the most others linked with him."""
    best, chosen = -1, 0
    for i in range(battle.n):
        if (mask & bit(i)) != NONE:
            count = 0
            for j in range(battle.n):
                if (battle.links[i] & bit(j)) != NONE:
                    count = max(count, count_bits(battle.links[j]))
            if count > best:
                best, chosen = count, i
    return chosen


@routine
def prune(battle, moment, melee, at_random):
    """Take links away until only stars are left; nobody loses his last one."""
    start = pick(battle, moment, battle.n) if at_random else 0
    for k in range(battle.n):
        i = (start + k) % battle.n
        if (melee & bit(i)) == NONE:
            continue
        for j in range(battle.n):
            linked = (battle.links[i] & bit(j)) != NONE
            if linked and count_bits(battle.links[i]) > 1 and count_bits(battle.links[j]) > 1:
                unlink(battle, i, j)


@routine
def add_combat(battle, mask, lone):
    """Enter a combat that is to be fought."""
    c = 0
    while c < battle.combats and battle.combat[c] != NONE:
        c += 1
    battle.combat[c], battle.lone[c] = mask, lone
    battle.combats = max(battle.combats, c + 1)


@routine
def enter_stars(battle, moment, melee):
    """Enter the combats that the links of a melee make, the lone fighter's first."""
    left = melee
    for i in range(battle.n):
        if (left & bit(i)) == NONE:
            continue
        mask = battle.links[i]
        if count_bits(mask) == 1:  # a pair, or one of several: his enemy may be the lone one
            for j in range(battle.n):
                if mask == bit(j) and count_bits(battle.links[j]) > 1:
                    mask = NONE
        if mask == NONE:
            continue
        mask |= bit(i)
        lone = i
        if count_bits(mask) == 2:  # of a pair, A's fighter
            for j in range(battle.n):
                if (mask & battle.table.sides[0] & bit(j)) != NONE:
                    lone = j
        add_combat(battle, mask, lone)
        note(moment, Story.STAR, 0, lone, -1, 0, np.int64(mask), 0, 0)
        left &= ~mask


@routine
def stars_balance(battle, side, melee):
    """Expected PA that a side gains by the separation that the links make."""
    total = 0.0
    for i in range(battle.n):
        if (melee & bit(i)) == NONE:
            continue
        mask = battle.links[i]
        count = count_bits(mask)
        alone = count > 1
        for j in range(battle.n):
            if mask == bit(j):  # of a pair, the lower one stands for both
                alone = count_bits(battle.links[j]) == 1 and i < j
        if alone:
            total += side_balance(battle, side, i, mask | bit(i))
    return total


@routine
def cover(battle, moment, melee, side, way):
    """Separate a melee in a way: one side's fighters together, or the other's."""
    for i in range(battle.n):
        if (melee & bit(i)) != NONE:
            battle.links[i] = U64(0)
    cover_boldly(battle, melee, side if way == 0 else 1 - side)
    prune(battle, moment, melee, False)


@routine
def cover_by_odds(battle, moment, melee, side):
    """Separate a melee in the way that is worth more to a side."""
    worths = 0.0
    for way in range(2):
        cover(battle, moment, melee, side, way)
        worth = stars_balance(battle, side, melee)
        worths += -worth if way else worth
    if worths >= 0:
        cover(battle, moment, melee, side, 0)


@routine
def separate(battle, moment, number, melee, side, cause, pursuer):
    """Separate a melee as a side's player wants to (C-1.3, C-8.4)."""
    for i in range(battle.n):
        if (melee & bit(i)) != NONE:
            battle.links[i] = U64(0)
    at_random = battle.style[max(side, 0)] == Style.RANDOM and side >= 0
    if at_random:
        cover_at_random(battle, moment, melee)
        prune(battle, moment, melee, True)
    elif side >= 0 and battle.style[side] == Style.BY_ODDS:
        cover_by_odds(battle, moment, melee, side)
    else:
        cover(battle, moment, melee, max(side, 0), 0)
    note(moment, Story.SEPARATION, number, side, pursuer, cause, np.int64(melee), 0, 0)
    enter_stars(battle, moment, melee)
