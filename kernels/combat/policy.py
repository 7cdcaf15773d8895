"""The players' decisions, each read from a side's policy row (`layout.policy.Decision`).

Fighter 0 is alone on side 0; the others are side 1. ``coming`` is the number of
attacks that a defender can still meet in this combat after the present one.
"""

import numpy as np

from .._jit import part, routine
from ..layout.combat import Column, Rule, Stat
from ..layout.policy import (
    OPTIMAL,
    Decision,
    Held,
    InitiativeFighter,
    Parry,
    Reroll,
    StrikeOrder,
    Sustain,
    Target,
)
from .wounds import current, is_dead

FOREVER = 1_000_000_000  # no natural result reaches it: re-roll every 6
NEVER = -FOREVER  # every natural result reaches it: keep every 6


@part
def decides(fight, i, decision):
    """Value of a decision in the policy of fighter ``i``'s side."""
    return fight.policy[min(i, 1), decision]


@routine
def initiative_fighter(fight, turn):
    """The one of several fighters that takes the Initiative test (C-4.1)."""
    chosen = 0
    for i in range(1, fight.n):
        if is_dead(fight, i):
            continue
        if chosen == 0:
            chosen = i
            if decides(fight, i, Decision.INITIATIVE) == InitiativeFighter.LISTED:
                return chosen
        elif current(fight, turn, i, Stat.INI) > current(fight, turn, chosen, Stat.INI):
            chosen = i
    return chosen


@part
def can_strike(fight, i, able):
    """Whether one of several fighters still has to strike in this pass (C-5.4)."""
    return has_attack_die(fight, i, able) and not fight.struck[i]


@part
def has_attack_die(fight, i, able):
    """Whether a fighter has an attack die, or uses a held one now (C-5.2, W-7).

    ``able`` is None where nobody has an ability.
    """
    if able is None:
        return fight.attack[i] > 0
    return fight.attack[i] > 0 or (fight.held[i] > 0 and uses_held(fight, i))


@routine
def uses_held(fight, i):
    """Whether a fighter without an attack die uses a held die for an attack now (W-7)."""
    held = decides(fight, i, Decision.HELD)
    if held != Held.USEFUL:
        return held == Held.ATTACK or held == OPTIMAL
    return not has_dice_to_strike(fight, i)


@routine
def has_dice_to_strike(fight, i):
    """Whether an enemy of a fighter has an attack die, or a held one, left."""
    if i > 0:
        return fight.attack[0] > 0 or fight.held[0] > 0
    for j in range(1, fight.n):
        if fight.attack[j] > 0 or fight.held[j] > 0:
            return True
    return False


@routine
def next_striker(fight, turn, able):
    """Which of several fighters strikes next (C-5.4); 0 when all have struck."""
    order = fight.policy[1, Decision.STRIKE_ORDER]
    chosen, best = 0, 0
    for i in range(1, fight.n):
        if not can_strike(fight, i, able):
            continue
        strength = 1000 * current(fight, turn, i, Stat.ATT) + current(fight, turn, i, Stat.FOR)
        score = 0
        if order == StrikeOrder.WEAKEST:
            score = -strength
        elif order == StrikeOrder.STRONGEST:
            score = strength
        if chosen == 0 or score > best:
            chosen, best = i, score
    return chosen


@part
def target_score(fight, turn, i):
    """How much the lone fighter's policy wants to strike ``i``; equal scores go by the list."""
    target = fight.policy[0, Decision.TARGET]
    resistance = current(fight, turn, i, Stat.RES)
    if target == Target.WOUNDED:
        return 1000 * np.int64(fight.state[i]) - resistance
    if target == Target.UNDEFENDED:
        return -fight.defence[i]
    if target == Target.DEAREST:
        return fight.fighters[i, Column.PA]
    if target == Target.FRAIL:
        return -resistance
    return 0


@routine
def next_target(fight, turn):
    """Whom the lone fighter strikes next (C-5.3); 0 when he has struck everyone."""
    chosen, best = 0, 0
    for i in range(1, fight.n):
        if is_dead(fight, i) or fight.struck[i]:
            continue
        score = target_score(fight, turn, i)
        if chosen == 0 or score > best:
            chosen, best = i, score
    return chosen


@part
def coming(fight, i):
    """Attacks that ``i`` can still meet in this combat after the present one."""
    if fight.n == 2:
        return fight.attack[1 - i]
    if i == 0:
        total = 0
        for j in range(1, fight.n):
            total += fight.attack[j]
        return total
    spare = fight.attack[0]
    for j in range(1, fight.n):
        if j != i and not is_dead(fight, j) and not fight.struck[j]:
            spare -= 1
    return max(spare, 0)


@part
def parry_dice(fight, i):
    """Defence dice committed against an attack (C-6.2); a sustained die must be (C-7.3)."""
    left = fight.defence[i]
    parry = decides(fight, i, Decision.PARRY)
    if parry > 0:  # a sustained die is the last one
        return min(left, parry)
    if fight.sustained[i] or parry == Parry.ALL:
        return left
    if parry == Parry.SPREAD:
        share = 1 + coming(fight, i)
        return (left + share - 1) // share
    return 0


@part
def sustains(fight, i, committed):
    """Whether the defence now declared begins a sustained one (C-7.1, C-7.2)."""
    last_die = (committed == 1) & (fight.defence[i] == 1) & (fight.sustained[i] == 0)
    if not last_die & (fight.may_sustain[i] == 1) & (fight.held[i] == 0):  # C-7.5
        return False
    sustain = decides(fight, i, Decision.SUSTAIN)
    if sustain == Sustain.USEFUL:
        return coming(fight, i) > 0
    return sustain == Sustain.ALWAYS


@part
def keep_at(reroll, needed):
    """Natural result from which a 6 is kept, for a policy that needs ``needed``."""
    if reroll == Reroll.NEEDED:
        return needed
    return NEVER if reroll == Reroll.NEVER else FOREVER


@part
def attack_keep_at(fight, i, attack, defence, committed):
    """Natural result from which striker ``i`` keeps a 6 against committed dice and ``defence``."""
    if committed:
        lead = fight.policy[min(i, 1), Decision.MARGIN] + 1
        needed = lead + defence - attack
    else:
        needed = fight.scalars[Rule.AUTOMATIC_FAILURE] + 1 - attack
    return keep_at(decides(fight, i, Decision.REROLL_ATTACK), needed)
