"""One combat, pass of arms by pass of arms (C-3 to C-7)."""

import numpy as np

from estoc.kernels._jit import kernel
from estoc.kernels.dice import best_of, chain, final, note
from estoc.kernels.initiative import initiative
from estoc.kernels.layout import PAGED_PASSES, Call, Decision, Event, Reroll, Rule, Slot, Stat
from estoc.kernels.policy import (
    attack_keep_at,
    decides,
    keep_at,
    living_others,
    next_striker,
    next_target,
    parry_dice,
    place_dice,
    sustains,
)
from estoc.kernels.rng import attack_address
from estoc.kernels.wounds import current, is_dead, wound_roll


@kernel
def can_fail(fight, attack):
    """Whether an attack test can fail automatically (C-6.5)."""
    scalars = fight.scalars
    return attack + 1 <= scalars[Rule.AUTOMATIC_FAILURE] or scalars[Rule.NATURAL_ONE_FAILS] == 1


@kernel
def is_parried(fight, call: Call, committed, result):
    """Defence test against an attack's result (C-6.4)."""
    i, j = call.target, call.striker
    defence = current(fight, call.turn, i, Stat.DEF)
    goal = result - defence
    keep = keep_at(decides(fight, i, Decision.REROLL_DEFENCE), goal)
    if committed == 1:
        natural = chain(fight, call, i, Slot.DEFENCE, keep)
    else:
        # who re-rolls every 6 does so even when the parry stands
        enough = goal if decides(fight, i, Decision.REROLL_DEFENCE) == Reroll.NEEDED else keep
        natural = best_of(fight, call, i, Slot.DEFENCE, committed, enough, keep)
    parry = final(natural, defence)
    parried = parry >= result and parry > fight.scalars[Rule.AUTOMATIC_FAILURE]
    note(fight, Event.PARRY, call.turn, call.number, i, j, 0, natural, parry, parried)
    return parried


@kernel
def resolve_attack(fight, call: Call, committed, sustained):
    """Attack test, defence test and wound roll, in that order (C-6.3 to C-6.5)."""
    i, j, turn = call.striker, call.target, call.turn
    scalars = fight.scalars
    attack = current(fight, turn, i, Stat.ATT)
    if committed or can_fail(fight, attack):
        keep = attack_keep_at(fight, turn, i, j, committed)
        natural = chain(fight, call, i, Slot.ATTACK, keep)
        result = final(natural, attack)
        failed = result <= scalars[Rule.AUTOMATIC_FAILURE]
        note(fight, Event.ATTACK, turn, call.number, i, j, 0, natural, result, failed)
        if failed:
            return
        if committed:
            if not sustained:
                fight.defence[j] -= committed
            if is_parried(fight, call, committed, result):
                return
    wound_roll(fight, call)


@kernel
def strike(fight, lane, turn, number, i, j):
    """One attack of ``i`` on ``j``: an attack die is used, the defence declared (C-5.2, C-6)."""
    pair = max(i, j)
    fight.attack[i] -= 1
    fight.struck[pair] = 1
    committed = parry_dice(fight, j)
    if sustains(fight, j, committed):
        fight.sustained[j] = 1
    sustained = fight.sustained[j] and committed > 0
    note(fight, Event.STRIKE, turn, number, i, j, committed, sustained, committed > 0, 0)
    direction = np.int64(i > 0) ^ fight.mirror
    page = fight.page_of[number, pair, direction] if number < PAGED_PASSES else -1
    address = attack_address(turn, number, pair, direction)
    call = Call(lane, turn, number, i, j, address, page)
    resolve_attack(fight, call, committed, sustained)


@kernel
def is_over(fight):
    """Whether one side is all dead (C-5.5)."""
    return is_dead(fight, 0) or living_others(fight) == 0


@kernel
def lone_strikes(fight, lane, turn, number):
    """The lone fighter's attacks of a pass: one on each living enemy while dice last (C-5.3)."""
    while fight.attack[0] > 0:
        j = next_target(fight, turn)
        if j == 0:
            return
        strike(fight, lane, turn, number, 0, j)


@kernel
def others_strike(fight, lane, turn, number):
    """The others' attacks of a pass: one each while dice last (C-5.4)."""
    while not is_dead(fight, 0):
        i = next_striker(fight, turn)
        if i == 0:
            return
        strike(fight, lane, turn, number, i, 0)


@kernel
def attack_dice_left(fight):
    """Whether anybody still has an attack die (C-5.5)."""
    for i in range(fight.n):
        if fight.attack[i] > 0:
            return True
    return False


@kernel
def fight_combat(fight, lane, turn):
    """One combat from the placing of dice to its end; the side that struck first."""
    place_dice(fight, turn)
    first = initiative(fight, lane, turn)
    number = 0
    while attack_dice_left(fight) and not is_over(fight):
        for half in range(2):
            fight.struck[:] = 0
            if first ^ half == 0:
                lone_strikes(fight, lane, turn, number)
            else:
                others_strike(fight, lane, turn, number)
            if is_over(fight):
                break
        number += 1
    note(fight, Event.END, turn, 0, -1, -1, 0, 0, 0, 0)
    return first
