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
from ..layout.feats import (
    EXCHANGE_ENDS,
    FEINTED,
    LUCKS,
    MOST_FEINTS,
    SURVIVED,
    USED_BY_STRIKER,
    USED_BY_TARGET,
    WOUNDED,
    Ends,
    Exchange,
    Field,
    Kind,
)
from ..layout.policy import OPTIMAL, Decision
from .laws import exchange_ends, look_up_wound
from .options import begin_attack, begin_defence
from .positions import end_place, following, get, is_end, new_half, pack, unpack
from .vectors import clear, copy, exchange_end


@routine
def note_place(fight, feats, attack, luck, place):
    """Write down a position that may follow, as it is set up; the marks stay as they are kept."""
    key = following(fight, feats, attack.side)
    note_key(fight, feats, luck, place, key)
    copy(feats.marks, fight.struck, fight.n)


@part
def note_key(fight, feats, luck, place, key):
    """Write down a position that may follow, by its number."""
    feats.key[luck, place] = key
    feats.end[luck, place] = end_place(fight) if is_end(feats, key) else -1


@routine
def note_wounds(fight, feats, attack, luck):
    """Write down the positions after each outcome of a wound roll, and after none (C-6.5)."""
    i, j = attack.striker, attack.target
    if has(fight, j, Effect.SURVIVAL):
        note_place(fight, feats, attack, luck, SURVIVED)
    fresh = fight.fresh[i]
    fight.fresh[i] = 0
    state, placed, defence = np.int64(fight.state[j]), fight.attack[j], fight.defence[j]
    held, sustained, doomed = fight.held[j], fight.sustained[j], fight.doomed[j]
    living = fight.living
    for outcome in range(OUTCOMES):
        after, dooms = state_after(fight, j, outcome)
        fight.state[j] = after
        if dooms:
            fight.doomed[j] = 1
        if after == fight.dead:
            bury(fight, j)
        note_place(fight, feats, attack, luck, WOUNDED + outcome)
        fight.state[j], fight.attack[j], fight.defence[j] = state, placed, defence
        fight.held[j], fight.sustained[j], fight.doomed[j] = held, sustained, doomed
        fight.living = living
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
def note_feints(fight, feats, attack, luck):
    """Write down the positions after each feint."""
    j = attack.target
    for k in range(feats.feints):
        placed, defence, held = feats.feint[k, 0], feats.feint[k, 1], feats.feint[k, 2]
        sustained = fight.sustained[j]
        fight.attack[j] -= placed
        fight.defence[j] -= defence
        fight.held[j] -= held
        if fight.defence[j] == 0:
            fight.sustained[j] = 0
        note_place(fight, feats, attack, luck, FEINTED + k)
        fight.attack[j] += placed
        fight.defence[j] += defence
        fight.held[j] += held
        fight.sustained[j] = sustained


@part
def counters(fight, j, sustained, kind):
    """Whether a parry can be answered by a counter-attack (C-7.4, W-7)."""
    return has(fight, j, Effect.COUNTER_ATTACK) and sustained == 0 and kind != Kind.HELD


@routine
def note_all(fight, feats, attack, option):
    """Write down every position that may follow an attack, by luck used."""
    i, j = attack.striker, attack.target
    for luck in range(LUCKS):
        if not may_use(feats, attack, luck):
            continue
        unpack(fight, feats, attack.key)
        fight.luck[i] -= (luck & USED_BY_STRIKER) != 0
        fight.luck[j] -= (luck & USED_BY_TARGET) != 0
        begin_attack(fight, attack)
        committed = begin_defence(fight, feats, j, option)
        copy(fight.struck, feats.marks, fight.n)
        note_place(fight, feats, attack, luck, Ends.FAILED)
        sustained = fight.sustained[j]
        if sustained == 0:
            fight.defence[j] -= committed
        note_wounds(fight, feats, attack, luck)
        list_feints(fight, feats, i, j)
        note_feints(fight, feats, attack, luck)
        spent = sustained == 0 and committed > 0
        if spent:
            fight.attack[j] += number_of(fight, j, Effect.PARRY_DICE, Number.PARRY_DICE)
        note_place(fight, feats, attack, luck, Ends.PARRIED)
        if spent and counters(fight, j, sustained, attack.kind):
            fight.attack[j] += fight.numbers[j, Number.COUNTER_DICE]
        note_place(fight, feats, attack, luck, Ends.COUNTERED)


@part
def may_use(feats, attack, luck):
    """Whether those who would use luck have some left in the position."""
    striker = luck & USED_BY_STRIKER == 0 or get(feats, attack.key, attack.striker, Field.LUCK) > 0
    return striker and (
        luck & USED_BY_TARGET == 0 or get(feats, attack.key, attack.target, Field.LUCK) > 0
    )


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
    note_key(fight, feats, 0, 0, found)


@routine
def throw(fight, feats, turn, attack, option):
    """Fill ``ends``: how the exchange of an attack met so ends (C-6.3, C-6.4)."""
    i, j = attack.striker, attack.target
    unpack(fight, feats, attack.key)
    begin_attack(fight, attack)
    committed = begin_defence(fight, feats, j, option)
    value = attack_of(fight, turn, i, j, True)
    if committed == 0 and not can_fail(fight, value):
        clear(feats.ends, EXCHANGE_ENDS)
        feats.ends[exchange_end(Ends.LANDS, 0)] = 1.0
        return
    lead = value - defence_of(fight, turn, j, i, True)
    countered = counters(fight, j, fight.sustained[j], attack.kind)
    exchange = Exchange(i, j, committed, value, lead, countered, fight.luck[j] > 0)
    exchange_ends(fight, feats, exchange, fight.luck[i] > 0)


@routine
def find_law(fight, feats, turn, attack, option):
    """Fill ``law``: chances of the outcomes of a blow's wound roll, and that a die cancels it."""
    i, j = attack.striker, attack.target
    unpack(fight, feats, attack.key)
    manner = begin_attack(fight, attack)
    begin_defence(fight, feats, j, option)
    difference = strength_of(fight, turn, i, manner) - current(fight, turn, j, Stat.RES)
    fresh = np.int64(has(fight, i, Effect.WOUND_DICE) and fight.fresh[i] != 0)
    look_up_wound(fight, feats, i, j, fresh, difference + blow_bonus(fight, i))
