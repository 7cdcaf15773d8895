"""Pursuit moves, and the combats that follow from them (C-8)."""

import math

from .._jit import part, routine
from ..combat.feats import number_of
from ..core.dice import note
from ..core.rng import U64
from ..core.sets import NONE, bit, count_bits
from ..field.aims import aim_at_random, any_of, gap_to, nearest_of
from ..field.march import seek_place, seek_towards, side_of, stand
from ..field.nerve import NO_CHARGER, stands_firm
from ..field.picks import pick
from ..field.stakes import contact_stake, held_stake
from ..layout.abilities import Effect, Number
from ..layout.battle import Cause, Deed, Pursuit, Style
from ..layout.log import Story
from ..players.odds import aim_away
from ..table.contacts import enemies
from ..table.geometry import FAR, within
from .separations import add_combat, separate

NO_COMBAT = -1


@part
def unfought(battle):
    """Mask of the living who have not fought in this phase (C-8.3)."""
    return battle.table.here & ~battle.fought


@routine
def combat_of(battle, i):
    """The combat, still to be fought, that a fighter is in; ``NO_COMBAT``: none."""
    for c in range(battle.combats):
        if (battle.combat[c] & bit(i)) != NONE:
            return c
    return NO_COMBAT


@part
def pursuit_reach(battle, i):
    """How far a survivor pursues: half of MOU, rounded up (C-8.1)."""
    return math.ceil(battle.mou[i] / 2)


# --- moves -----------------------------------------------------------------------------------


@part
def may_pursue(battle, i):
    """Whether a survivor has a pursuit move left: one, and those of an ability (C-8.1, W-7)."""
    more = number_of(battle, i, Effect.PURSUITS, Number.EXTRA_PURSUITS)
    return battle.pursued[i] <= more and battle.routed[i] == 0


@routine
def engage_next(battle, moment, i, j):
    """Move a survivor to an enemy, if there is a place in reach; whether it moved."""
    if seek_place(battle, i, j, pursuit_reach(battle, i)) >= FAR:
        return False
    battle.pursued[i] += 1
    note(moment, Story.PURSUIT, 0, i, Pursuit.ENGAGE, 0, 0, 0, 0)
    if stands_firm(battle, moment, i, j, NO_CHARGER):
        before = enemies(battle.table, i) & ~bit(j)
        stand(battle, moment, i, j, Deed.PURSUE, 0, 0)
        met = enemies(battle.table, i) & ~before  # engaged as well (W-4.1)
        for k in range(battle.n):
            if (met & bit(k)) != NONE:
                stands_firm(battle, moment, k, i, NO_CHARGER)
    return True


@routine
def pursue_boldly(battle, moment, i):
    """Stay by an enemy who has not fought; else engage the nearest, such a one first."""
    if (enemies(battle.table, i) & unfought(battle)) != NONE:
        return False
    foes = battle.alive[1 - side_of(battle, i)]
    for left in (foes & unfought(battle), foes & battle.fought):
        j, gap = nearest_of(battle, i, left)
        near = j >= 0 and within(gap, pursuit_reach(battle, i))
        if near and engage_next(battle, moment, i, j):
            return True
    return False


@routine
def pursue_at_random(battle, moment, i):
    """Stay, move anywhere, or engage anybody."""
    k = pick(battle, moment, 3)
    foes = battle.alive[1 - side_of(battle, i)]
    if k == 0 or foes == NONE:
        return False
    if k == 1:
        return engage_next(battle, moment, i, any_of(battle, moment, foes))
    aim_at_random(battle, moment, i, pursuit_reach(battle, i))
    return go_off(battle, moment, i)


@routine
def go_off(battle, moment, i):
    """Move a survivor to where it wants to be, out of contact; whether it moved."""
    goal, reach = battle.goals[i], pursuit_reach(battle, i)
    if seek_towards(battle, i, goal[0], goal[1], reach, goal[2], goal[3], -1) <= 0:
        return False
    battle.pursued[i] += 1
    note(moment, Story.PURSUIT, 0, i, Pursuit.MOVE, 0, 0, 0, 0)
    stand(battle, moment, i, -1, Deed.PURSUE, 0, 0)
    return True


@routine
def waits_for(battle, i):
    """What a survivor's side expects of the combat that it is in if it stays (C-8.5)."""
    return held_stake(battle, i, enemies(battle.table, i) & unfought(battle), NONE)


@routine
def pursue_by_odds(battle, moment, i):
    """Engage whom it is worth the most to fight now, else stay, or get away if it is worth less."""
    stay, reach = waits_for(battle, i), pursuit_reach(battle, i)
    best, chosen = max(stay, 0.0), -1
    foes = battle.alive[1 - side_of(battle, i)] & unfought(battle) & ~enemies(battle.table, i)
    for j in range(battle.n):
        if (foes & bit(j)) != NONE and within(gap_to(battle, i, j), reach):
            worth = contact_stake(battle, i, j)
            if worth > best:
                best, chosen = worth, j
    if chosen >= 0 and engage_next(battle, moment, i, chosen):
        return True
    return stay < 0 and aim_away(battle, i) and go_off(battle, moment, i)


@routine
def pursue(battle, moment, survivors):
    """Let each survivor stay or move (C-8.1, C-8.2); those who are to fight again are pending."""
    for i in range(battle.n):
        if (survivors & bit(i)) == NONE:
            continue
        moved = False
        if may_pursue(battle, i):
            style = battle.style[side_of(battle, i)]
            if style == Style.RANDOM:
                moved = pursue_at_random(battle, moment, i)
            elif style == Style.BY_ODDS:
                moved = pursue_by_odds(battle, moment, i)
            elif style == Style.DEFENSIVE:
                moved = False
            else:
                moved = pursue_boldly(battle, moment, i)
        if not moved:
            note(moment, Story.PURSUIT, 0, i, Pursuit.STAY, 0, 0, 0, 0)
    for i in range(battle.n):
        if (survivors & bit(i)) != NONE and (enemies(battle.table, i) & unfought(battle)) != NONE:
            battle.pending |= bit(i)
    battle.fought &= ~(battle.pending & survivors)


# --- combats that follow -----------------------------------------------------------------------


@routine
def join(battle, i):
    """Let a pursuer take part in the combat of the one enemy it touches; whether it can (C-8.3)."""
    met = enemies(battle.table, i) & unfought(battle)
    if count_bits(met) != 1:
        return False
    for j in range(battle.n):
        if met == bit(j):
            c = combat_of(battle, j)
            if c == NO_COMBAT:
                lone = i if side_of(battle, i) == 0 else j
                add_combat(battle, bit(i) | bit(j), lone)
                return True
            if battle.lone[c] != j and count_bits(battle.combat[c]) > 2:
                return False
            battle.combat[c] |= bit(i)
            battle.lone[c] = j
            return True
    return False


@routine
def melee_of(battle, i):
    """Those who have not fought that a fighter is chained to by contacts (C-1.1)."""
    ready = unfought(battle)
    melee, before = bit(i), U64(0)
    while melee != before:
        before = melee
        for j in range(battle.n):
            if (melee & bit(j)) != NONE:
                melee |= enemies(battle.table, j) & ready
    return melee


@routine
def separate_anew(battle, moment, i):
    """Separate the melee of a pursuer again, as its player wants to (C-8.4)."""
    melee = melee_of(battle, i)
    for c in range(battle.combats):
        if (battle.combat[c] & melee) != NONE:
            battle.combat[c] = NONE
    separate(battle, moment, -1, melee, side_of(battle, i), Cause.PURSUIT, i)


@routine
def regroup(battle, moment):
    """Find the combats of those who are to fight again (C-8.3 to C-8.5)."""
    for i in range(battle.n):
        waits = (battle.pending & bit(i)) != NONE
        if waits and combat_of(battle, i) == NO_COMBAT and not join(battle, i):
            separate_anew(battle, moment, i)


@routine
def urgent_combat(battle):
    """The combat of one who is to fight again that its speaker chooses; ``NO_COMBAT``: none."""
    for c in range(battle.combats):
        if (battle.combat[c] & battle.pending) != NONE:
            return c
    return NO_COMBAT
