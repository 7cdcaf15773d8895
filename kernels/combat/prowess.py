"""What abilities do in an attack beside the rolls: dice held back, traded, won (W-7)."""

import numpy as np

from .._jit import part, routine
from ..layout.abilities import Effect, Number
from ..layout.combat import Call, Stat
from ..layout.log import HELD_DIE, MASTER_DIE
from ..layout.policy import Decision, Held, Parry, Use
from .feats import has, note_feat
from .policy import decides, uses_held
from .wounds import bury, current, feat_wound, is_dead, is_over, wound_row

HALF_OF_ALL = 18  # of the 36 throws of two dice


# --- dice --------------------------------------------------------------------------------------


@routine
def held_goes_on(fight):
    """Whether a combat without attack dice goes on: a held die is used for an attack (C-5.5)."""
    if is_over(fight):
        return False
    for i in range(fight.n):
        if fight.held[i] > 0 and uses_held(fight, i):
            return True
    return False


@part
def use_held(fight, i):
    """Use a held die for an attack."""
    fight.held[i] -= 1
    fight.into_attack[i] += 1
    fight.may_sustain[i] = fight.into_defence[i] >= fight.into_attack[i]


@part
def can_master(fight, i):
    """Whether a fighter can make a master stroke."""
    return has(fight, i, Effect.MASTER_STROKE) and (
        fight.attack[i] >= fight.numbers[i, Number.MASTER_DICE]
    )


@part
def masters(fight, turn, i, j):
    """Whether a fighter's policy makes a master stroke now: *useful* where his FOR is too low."""
    if not can_master(fight, i):
        return False
    master = decides(fight, i, Decision.MASTER)
    weak = current(fight, turn, i, Stat.FOR) < current(fight, turn, j, Stat.RES)
    return master == Use.ALWAYS or (master == Use.USEFUL and weak)


@routine
def take_dice(fight, moment, number, i, j):
    """Use the dice of an attack; in what manner it is made."""
    if fight.attack[i] == 0:
        use_held(fight, i)
        note_feat(moment, number, i, j, Effect.HOLD_BACK, 0, 0, 0)
        return np.int64(HELD_DIE)
    if masters(fight, moment.turn, i, j):
        dice = fight.numbers[i, Number.MASTER_DICE]
        fight.attack[i] -= dice
        fight.strikes -= dice
        note_feat(moment, number, i, j, Effect.MASTER_STROKE, dice, 0, 0)
        return np.int64(MASTER_DIE)
    fight.attack[i] -= 1
    fight.strikes -= 1
    return np.int64(0)


@routine
def commits_held(fight, j):
    """Whether a fighter's policy meets an attack with a held die: he has no other."""
    if fight.held[j] == 0 or fight.defence[j] > 0:
        return False
    ready = decides(fight, j, Decision.HELD) != Held.ATTACK
    return ready and decides(fight, j, Decision.PARRY) != Parry.NONE


@part
def ready_held(fight, j):
    """Put a held die into defence."""
    fight.held[j] -= 1
    fight.defence[j] += 1
    fight.into_defence[j] += 1
    fight.may_sustain[j] = fight.into_defence[j] >= fight.into_attack[j]


@routine
def commit_held(fight, moment, number, j, i):
    """Meet an attack of ``i`` with a held die of ``j``."""
    ready_held(fight, j)
    note_feat(moment, number, j, i, Effect.HOLD_BACK, 1, 0, 0)


@part
def answer(fight, moment, number, i, j, manner):
    """Give ``j``, who has parried with dice that are no sustained one, attack dice (C-7.4)."""
    wins = has(fight, j, Effect.COUNTER_ATTACK) and (manner & HELD_DIE) == 0
    if wins and fight.lead >= fight.numbers[j, Number.COUNTER_MARGIN]:
        gain_dice(fight, moment, number, i, j, Effect.COUNTER_ATTACK, Number.COUNTER_DICE)
    if has(fight, j, Effect.PARRY_DICE):
        gain_dice(fight, moment, number, i, j, Effect.PARRY_DICE, Number.PARRY_DICE)


@part
def gain_dice(fight, moment, number, i, j, effect, column):
    """Give ``j`` attack dice by an effect."""
    dice = fight.numbers[j, column]
    fight.attack[j] += dice
    fight.strikes += dice
    note_feat(moment, number, j, i, effect, dice, 0, 0)


# --- an attack that lands -----------------------------------------------------------------------


@part
def dice_left(fight, j):
    """Combat dice that a fighter has left."""
    return fight.attack[j] + fight.defence[j] + fight.held[j]


@routine
def rarely_wounds(fight, turn, i, j):
    """Whether less than half of the throws of ``i`` would give ``j`` a light wound at least."""
    force = current(fight, turn, i, Stat.FOR) - current(fight, turn, j, Stat.RES)
    return fight.wounding[wound_row(fight, force)] < HALF_OF_ALL


@part
def feints(fight, turn, i, j):
    """Whether a fighter's policy takes dice from ``j`` instead of wounding him."""
    if not has(fight, i, Effect.FEINT) or dice_left(fight, j) == 0:
        return False
    feint = decides(fight, i, Decision.FEINT)
    return feint == Use.ALWAYS or (feint == Use.USEFUL and rarely_wounds(fight, turn, i, j))


@part
def drop_dice(fight, j, attack, defence, held):
    """Take dice from a fighter."""
    fight.attack[j] -= attack
    fight.strikes -= attack
    fight.defence[j] -= defence
    fight.held[j] -= held
    if fight.defence[j] == 0:
        fight.sustained[j] = 0


@routine
def feint(fight, moment, number, i, j):
    """Take dice from ``j``: attack dice first, then defence dice, then held ones."""
    most = fight.numbers[i, Number.FEINT_DICE]
    attack = min(most, fight.attack[j])
    defence = min(most - attack, fight.defence[j])
    held = min(most - attack - defence, fight.held[j])
    drop_dice(fight, j, attack, defence, held)
    note_feat(moment, number, i, j, Effect.FEINT, attack, defence, held)


@part
def strength_of(fight, turn, i, manner):
    """FOR of a blow: that of a master stroke adds the printed ATT, and more."""
    strength = current(fight, turn, i, Stat.FOR)
    if manner & MASTER_DIE:
        strength += fight.fighters[i, Stat.ATT] + fight.numbers[i, Number.MASTER_STRENGTH]
    return strength


@routine
def hit_with_feats(fight, call: Call, manner):
    """What an attack does that landed, where somebody has an ability (C-6.5)."""
    i, j, moment = call.striker, call.target, call.moment
    if feints(fight, moment.turn, i, j):
        feint(fight, moment, call.number, i, j)
        return
    feat_wound(fight, call, strength_of(fight, moment.turn, i, manner))


@routine
def end_feats(fight):
    """Let those die who were killed and fought on."""
    for i in range(fight.n):
        if fight.doomed[i] and not is_dead(fight, i):
            fight.state[i] = fight.dead
            bury(fight, i)
