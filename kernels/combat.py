"""One combat, pass of arms by pass of arms (C-3 to C-7)."""

import numpy as np

from estoc.kernels._jit import part, routine
from estoc.kernels.dice import best_of, chain, final, note
from estoc.kernels.initiative import initiative
from estoc.kernels.layout import (
    ATTACK,
    DEFENCE,
    PAGED_PASSES,
    Call,
    Decision,
    Event,
    Reroll,
    Rule,
    Stat,
)
from estoc.kernels.policy import (
    attack_keep_at,
    decides,
    keep_at,
    next_striker,
    next_target,
    parry_dice,
    place_dice,
    sustains,
)
from estoc.kernels.rng import attack_address
from estoc.kernels.wounds import current, wound_roll


@part
def can_fail(fight, attack):
    """Whether an attack test can fail automatically (C-6.5)."""
    scalars = fight.scalars
    return attack + 1 <= scalars[Rule.AUTOMATIC_FAILURE] or scalars[Rule.NATURAL_ONE_FAILS] == 1


@part
def is_parried(fight, call: Call, committed, result):
    """Defence test against an attack's result (C-6.4)."""
    i, j = call.target, call.striker
    defence = current(fight, call.moment.turn, i, Stat.DEF)
    goal = result - defence
    keep = keep_at(decides(fight, i, Decision.REROLL_DEFENCE), goal)
    if committed == 1:
        natural = chain(fight, call, i, DEFENCE, keep)
    else:
        # who re-rolls every 6 does so even when the parry stands
        enough = goal if decides(fight, i, Decision.REROLL_DEFENCE) == Reroll.NEEDED else keep
        natural = best_of(fight, call, i, DEFENCE, committed, enough, keep)
    parry = final(natural, defence)
    parried = parry >= result and parry > fight.scalars[Rule.AUTOMATIC_FAILURE]
    note(call.moment, Event.PARRY, call.number, i, j, 0, natural, parry, parried)
    return parried


@part
def resolve_attack(fight, call: Call, committed, sustained):
    """Attack test, defence test and wound roll, in that order (C-6.3 to C-6.5)."""
    i, j, turn = call.striker, call.target, call.moment.turn
    scalars = fight.scalars
    attack = current(fight, turn, i, Stat.ATT)
    if committed or can_fail(fight, attack):
        keep = attack_keep_at(fight, turn, i, j, committed)
        natural = chain(fight, call, i, ATTACK, keep)
        result = final(natural, attack)
        failed = result <= scalars[Rule.AUTOMATIC_FAILURE]
        note(call.moment, Event.ATTACK, call.number, i, j, 0, natural, result, failed)
        if failed:
            return
        if committed:
            fight.defence[j] -= committed * (1 - sustained)
            if is_parried(fight, call, committed, result):
                return
    wound_roll(fight, call)


@part
def strike(fight, moment, number, i, j):
    """One attack of ``i`` on ``j``: an attack die is used, the defence declared (C-5.2, C-6)."""
    pair = max(i, j)
    fight.attack[i] -= 1
    fight.strikes -= 1
    fight.struck[pair] = 1
    committed = parry_dice(fight, j)
    if sustains(fight, j, committed):
        fight.sustained[j] = 1
    sustained = fight.sustained[j] & (committed > 0)
    note(moment, Event.STRIKE, number, i, j, committed, sustained, committed > 0, 0)
    direction = np.int64(i > 0) ^ fight.mirror
    page = fight.page_of[number, pair, direction] if number < PAGED_PASSES else -1
    address = attack_address(moment.turn, number, pair, direction)
    call = Call(moment, number, i, j, address, page)
    resolve_attack(fight, call, committed, sustained)


@part
def next_attack(fight, turn, side):
    """Who strikes whom next on a side's half of a pass (C-5.3, C-5.4); (0, 0): nobody."""
    if side == 1:
        return next_striker(fight, turn), 0
    return 0, next_target(fight, turn) if fight.attack[0] > 0 else 0


@routine
def side_strikes(fight, moment, number, side):
    """Make the attacks of one side in a pass of arms (C-5.1)."""
    for i in range(1, fight.n):
        fight.struck[i] = 0
    i, j = next_attack(fight, moment.turn, side)
    while i != j:
        strike(fight, moment, number, i, j)
        if fight.strikes == 0:
            return
        i, j = next_attack(fight, moment.turn, side)


@part
def fight_combat(fight, moment):
    """One combat from the placing of dice to its end; the side that struck first."""
    place_dice(fight, moment)
    first = initiative(fight, moment)
    number = 0
    while fight.strikes > 0:
        for half in range(2):
            side = first ^ half
            if fight.n > 2:
                side_strikes(fight, moment, number, side)
            # one against one needs no choice, and known indices make it a fifth faster
            elif side == 0:
                if fight.attack[0] > 0:
                    strike(fight, moment, number, 0, 1)
            elif fight.attack[1] > 0:
                strike(fight, moment, number, 1, 0)
        number += 1
    note(moment, Event.END, 0, -1, -1, 0, 0, 0, 0)
    return first
