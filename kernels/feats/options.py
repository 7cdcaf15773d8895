"""What may be declared where somebody has an ability: attacks, and ways to meet one (W-7)."""

import numpy as np

from .._jit import part, routine
from ..combat.fight import next_attack
from ..combat.policy import coming, decides, parry_dice
from ..combat.prowess import can_master, commits_held, masters, ready_held, use_held
from ..combat.wounds import FREE, SLOWED, is_dead
from ..layout.abilities import Number
from ..layout.feats import Kind
from ..layout.log import HELD_DIE, MASTER_DIE
from ..layout.policy import OPTIMAL, Decision, Held, Sustain

WOUND_ROLL = -1  # in place of a feint


@part
def offer(feats, count, i, j, kind):
    """Add an attack to choose from."""
    feats.striker[count], feats.target[count], feats.kind[count] = i, j, kind
    return count + 1


@routine
def offer_kinds(fight, feats, turn, count, i, j):
    """Add the ways in which ``i`` can attack ``j``."""
    open_held = decides(fight, i, Decision.HELD) == OPTIMAL
    if fight.attack[i] > 0:
        master = decides(fight, i, Decision.MASTER)
        either = master == OPTIMAL and can_master(fight, i)
        if either or not masters(fight, turn, i, j):
            count = offer(feats, count, i, j, Kind.PLACED)
        if either or masters(fight, turn, i, j):
            count = offer(feats, count, i, j, Kind.MASTER)
    if fight.held[i] > 0 and (open_held or fight.attack[i] == 0):
        count = offer(feats, count, i, j, Kind.HELD)
    return count


@routine
def must_strike(fight, side):
    """Whether a side still has to strike in this half: somebody has an attack die."""
    for i in range(1, fight.n):
        if is_dead(fight, i) or fight.struck[i]:
            continue
        if fight.attack[i if side == 1 else 0] > 0:
            return True
    return False


@routine
def list_attacks(fight, feats, turn, side):
    """List the attacks that a side may make now, and return their number (C-5.3, C-5.4)."""
    decision = Decision.TARGET if side == 0 else Decision.STRIKE_ORDER
    free = fight.policy[side, decision] == OPTIMAL
    must = must_strike(fight, side)
    count = np.int64(0)
    if free:
        for k in range(1, fight.n):
            if is_dead(fight, k) or fight.struck[k]:
                continue
            i, j = (0, k) if side == 0 else (k, 0)
            count = offer_kinds(fight, feats, turn, count, i, j)
    else:
        i, j = next_attack(fight, turn, side, True)
        count = offer_kinds(fight, feats, turn, count, i, j)
    if not must and fight.policy[side, Decision.HELD] == OPTIMAL:
        count = offer(feats, count, 0, 0, Kind.DECLINED)
    return count


@part
def offer_defence(feats, count, placed, held, sustain):
    """Add a way to meet an attack."""
    feats.placed_dice[count], feats.held_dice[count] = placed, held
    feats.sustain[count] = sustain
    return count + 1


@routine
def may_sustain_with(fight, j, placed, held):
    """Whether a sustained defence can begin with these dice (C-7.1, C-7.5)."""
    if placed + held != 1 or fight.defence[j] + fight.held[j] != 1 or fight.sustained[j]:
        return False
    return fight.into_defence[j] + held >= fight.into_attack[j]


@routine
def sustains_with(fight, j, placed, held):
    """Whether a fixed policy sustains so (C-7.2)."""
    if not may_sustain_with(fight, j, placed, held):
        return False
    sustain = decides(fight, j, Decision.SUSTAIN)
    if sustain == Sustain.USEFUL:
        return coming(fight, j) > 0
    return sustain == Sustain.ALWAYS


@routine
def list_defences(fight, feats, j):
    """List the ways to meet the attack just declared on ``j``, and return their number (C-6.2)."""
    count = np.int64(0)
    if fight.sustained[j]:
        return offer_defence(feats, count, fight.defence[j], 0, fight.sustained[j])
    free = decides(fight, j, Decision.PARRY) == OPTIMAL
    open_held = decides(fight, j, Decision.HELD) == OPTIMAL
    least = np.int64(0) if free else np.int64(parry_dice(fight, j))
    most = fight.defence[j] if free else least
    for placed in range(least, most + 1):
        low = high = np.int64(0)
        if open_held:
            high = fight.held[j]
        elif free:
            ready = decides(fight, j, Decision.HELD) != Held.ATTACK and fight.defence[j] == 0
            high = min(fight.held[j], 1) * ready
        elif commits_held(fight, j):
            low = high = np.int64(1)
        for held in range(low, high + 1):
            slowed = FREE if held else SLOWED
            if decides(fight, j, Decision.SUSTAIN) == OPTIMAL:
                count = offer_defence(feats, count, placed, held, 0)
                if may_sustain_with(fight, j, placed, held):
                    count = offer_defence(feats, count, placed, held, slowed)
            else:
                slowed *= sustains_with(fight, j, placed, held)
                count = offer_defence(feats, count, placed, held, slowed)
    return count


@routine
def begin_attack(fight, attack):
    """Use the dice of an attack; its manner (C-5.2)."""
    i = attack.striker
    fight.struck[max(i, attack.target)] = 1
    if attack.kind == Kind.HELD:
        use_held(fight, i)
        return np.int64(HELD_DIE)
    if attack.kind == Kind.MASTER:
        fight.attack[i] -= fight.numbers[i, Number.MASTER_DICE]
        return np.int64(MASTER_DIE)
    fight.attack[i] -= 1
    return np.int64(0)


@routine
def begin_defence(fight, feats, j, option):
    """Commit dice (C-6.2); how many."""
    held = feats.held_dice[option]
    for _ in range(held):
        ready_held(fight, j)
    if feats.sustain[option]:
        fight.sustained[j] = feats.sustain[option]
    return feats.placed_dice[option] + held
