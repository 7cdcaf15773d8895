"""Ends of an attack where somebody has an ability, and the positions that follow (W-7)."""

import numpy as np

from .._jit import part, routine
from ..combat.feats import blow_bonus, has, number_of, state_after
from ..combat.fight import attack_of, can_fail, defence_of
from ..combat.policy import decides
from ..combat.prowess import dice_left, strength_of
from ..combat.wounds import bury, current
from ..layout.abilities import Effect, Number
from ..layout.combat import OUTCOMES, Stat
from ..layout.feats import EXCHANGE_ENDS, FEINTED, MOST_FEINTS, SURVIVED, WOUNDED, Ends, Field, Kind
from ..layout.policy import OPTIMAL, Decision
from .laws import exchange_ends
from .options import begin_attack, begin_defence
from .positions import end_place, following, get, is_end, new_half, pack, unpack


@part
def note_place(fight, feats, side, luck_i, luck_j, place):
    """Write down a position that may follow, as it is set up; the marks are as they were."""
    key = following(fight, feats, side)
    feats.key[luck_i, luck_j, place] = key
    feats.end[luck_i, luck_j, place] = end_place(fight) if is_end(feats, key) else -1


@routine
def keep_marks(fight, marks):
    """Write down who has struck."""
    for i in range(fight.n):
        marks[i] = fight.struck[i]


@routine
def restore_marks(fight, marks):
    """Mark again who has struck."""
    for i in range(fight.n):
        fight.struck[i] = marks[i]


@routine
def note_wounds(fight, feats, side, i, j, luck_i, luck_j, marks):
    """Write down the positions after each outcome of a wound roll, and after none (C-6.5)."""
    if has(fight, j, Effect.SURVIVAL):
        note_place(fight, feats, side, luck_i, luck_j, SURVIVED)
        restore_marks(fight, marks)
    fresh = fight.fresh[i]
    fight.fresh[i] = 0
    state, attack, defence = np.int64(fight.state[j]), fight.attack[j], fight.defence[j]
    held, sustained, doomed = fight.held[j], fight.sustained[j], fight.doomed[j]
    living = fight.living
    for outcome in range(OUTCOMES):
        after, dooms = state_after(fight, j, outcome)
        fight.state[j] = after
        if dooms:
            fight.doomed[j] = 1
        if after == fight.dead:
            bury(fight, j)
        note_place(fight, feats, side, luck_i, luck_j, WOUNDED + outcome)
        fight.state[j], fight.attack[j], fight.defence[j] = state, attack, defence
        fight.held[j], fight.sustained[j], fight.doomed[j] = held, sustained, doomed
        fight.living = living
        restore_marks(fight, marks)
    fight.fresh[i] = fresh


@routine
def list_feints(fight, feats, i, j):
    """List which dice of ``j`` a feint may take; how many ways."""
    feats.feints = 0
    if not has(fight, i, Effect.FEINT) or dice_left(fight, j) == 0:
        return
    dice = min(fight.numbers[i, Number.FEINT_DICE], dice_left(fight, j))
    free = decides(fight, i, Decision.FEINT) == OPTIMAL
    for missing in range(min(dice, fight.attack[j]) + 1):
        attack = min(dice, fight.attack[j]) - missing  # those of fixed policies first
        for spared in range(min(dice - attack, fight.defence[j]) + 1):
            defence = min(dice - attack, fight.defence[j]) - spared
            held = dice - attack - defence
            if held > fight.held[j] or feats.feints == MOST_FEINTS:
                continue
            row = feats.feint[feats.feints]
            row[0], row[1], row[2] = attack, defence, held
            feats.feints += 1
            if not free:
                return


@routine
def note_feints(fight, feats, side, j, luck_i, luck_j, marks):
    """Write down the positions after each feint."""
    for k in range(feats.feints):
        attack, defence, held = feats.feint[k, 0], feats.feint[k, 1], feats.feint[k, 2]
        sustained = fight.sustained[j]
        fight.attack[j] -= attack
        fight.defence[j] -= defence
        fight.held[j] -= held
        if fight.defence[j] == 0:
            fight.sustained[j] = 0
        note_place(fight, feats, side, luck_i, luck_j, FEINTED + k)
        fight.attack[j] += attack
        fight.defence[j] += defence
        fight.held[j] += held
        fight.sustained[j] = sustained
        restore_marks(fight, marks)


@part
def counters(fight, j, sustained, kind):
    """Whether a parry can be answered by a counter-attack (C-7.4, W-7)."""
    return has(fight, j, Effect.COUNTER_ATTACK) and sustained == 0 and kind != Kind.HELD


@routine
def note_all(fight, feats, key, i, j, kind, option, marks):
    """Write down every position that may follow an attack, by luck used."""
    for luck_i in range(1 + luck_of(feats, key, i)):
        for luck_j in range(1 + luck_of(feats, key, j)):
            side = unpack(fight, feats, key)
            fight.luck[i] -= luck_i
            fight.luck[j] -= luck_j
            begin_attack(fight, feats, side, i, j, kind)
            committed = begin_defence(fight, feats, j, option)
            keep_marks(fight, marks)
            note_place(fight, feats, side, luck_i, luck_j, Ends.FAILED)
            restore_marks(fight, marks)
            sustained = fight.sustained[j]
            if sustained == 0:
                fight.defence[j] -= committed
            note_wounds(fight, feats, side, i, j, luck_i, luck_j, marks)
            list_feints(fight, feats, i, j)
            note_feints(fight, feats, side, j, luck_i, luck_j, marks)
            spent = sustained == 0 and committed > 0
            if spent:
                fight.attack[j] += number_of(fight, j, Effect.PARRY_DICE, Number.PARRY_DICE)
            note_place(fight, feats, side, luck_i, luck_j, Ends.PARRIED)
            restore_marks(fight, marks)
            if spent and counters(fight, j, sustained, kind):
                fight.attack[j] += fight.numbers[j, Number.COUNTER_DICE]
            note_place(fight, feats, side, luck_i, luck_j, Ends.COUNTERED)
            restore_marks(fight, marks)


@part
def luck_of(feats, key, i):
    """1 if a fighter has luck left in a position."""
    return np.int64(get(feats, key, i, Field.LUCK) > 0)


@routine
def note_declined(fight, feats, key):
    """Write down the position after a side strikes no more in its half of a pass."""
    side = unpack(fight, feats, key)
    made = 0
    for i in range(fight.n):
        made |= fight.struck[i]
    idle = key >> feats.idle_shift & 1
    if idle and not made:
        found = pack(fight, feats, side, 0) | 1 << feats.end_shift
    else:
        found = new_half(fight, feats, side, made)
    feats.key[0, 0, 0] = found
    feats.end[0, 0, 0] = end_place(fight) if is_end(feats, found) else -1


@routine
def throw(fight, feats, turn, key, i, j, kind, option):
    """Fill ``ends``: how the exchange of an attack met so ends (C-6.3, C-6.4)."""
    side = unpack(fight, feats, key)
    begin_attack(fight, feats, side, i, j, kind)
    committed = begin_defence(fight, feats, j, option)
    attack = attack_of(fight, turn, i, j, True)
    if committed == 0 and not can_fail(fight, attack):
        for k in range(EXCHANGE_ENDS):
            feats.ends[k] = 0.0
        feats.ends[0] = 1.0
        return
    lead = attack - defence_of(fight, turn, j, i, True)
    countered = counters(fight, j, fight.sustained[j], kind)
    exchange_ends(
        fight, feats, i, j, committed, attack, lead, countered,
        fight.luck[i] > 0, fight.luck[j] > 0,
    )  # fmt: skip


@routine
def blow(fight, feats, turn, key, i, j, kind, option):
    """FOR - RES of a blow with what is added to it, and whether its roll is a first one."""
    side = unpack(fight, feats, key)
    manner = begin_attack(fight, feats, side, i, j, kind)
    begin_defence(fight, feats, j, option)
    difference = strength_of(fight, turn, i, manner) - current(fight, turn, j, Stat.RES)
    fresh = np.int64(has(fight, i, Effect.WOUND_DICE) and fight.fresh[i] != 0)
    return difference + blow_bonus(fight, i), fresh
