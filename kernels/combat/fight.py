"""One combat, pass of arms by pass of arms (C-3 to C-7)."""

import numpy as np

from .._jit import part, routine
from ..core.dice import best_of, chain, final, note
from ..core.rng import attack_address
from ..layout.abilities import ON_DICE, ON_PARRIES, ON_RESULTS, ON_WOUNDS, Effect, Roll
from ..layout.combat import (
    ATTACK,
    ATTACK_AGAIN,
    DEFENCE,
    DEFENCE_AGAIN,
    PAGED_PASSES,
    Call,
    Rule,
    Stat,
)
from ..layout.log import Event
from ..layout.policy import Decision, Luck, Reroll
from .feats import POOR, attack_bonus, defence_bonus, is_able, note_feat, opens_at
from .initiative import initiative
from .placing import place_dice
from .policy import (
    attack_keep_at,
    decides,
    has_attack_die,
    keep_at,
    next_striker,
    next_target,
    parry_dice,
    sustains,
)
from .prowess import (
    answer,
    commit_held,
    commits_held,
    end_feats,
    held_goes_on,
    hit_with_feats,
    take_dice,
)
from .wounds import FREE, SLOWED, current, wound_roll


@part
def can_fail(fight, attack):
    """Whether an attack test can fail automatically (C-6.5)."""
    scalars = fight.scalars
    return attack + 1 <= scalars[Rule.AUTOMATIC_FAILURE] or scalars[Rule.NATURAL_ONE_FAILS] == 1


@part
def attack_of(fight, turn, i, j, able):
    """ATT of ``i`` in a test against ``j``, what abilities add included (W-7)."""
    attack = current(fight, turn, i, Stat.ATT)
    if is_able(able, fight) and fight.effects[i] & ON_RESULTS:
        attack += attack_bonus(fight, i, j)
    return attack


@part
def defence_of(fight, turn, j, i, able):
    """DEF of ``j`` in a test against ``i``, what abilities add included (W-7)."""
    defence = current(fight, turn, j, Stat.DEF)
    if is_able(able, fight) and fight.effects[j] & ON_RESULTS:
        defence += defence_bonus(fight, j, i)
    return defence


@part
def roll_parry(fight, call: Call, committed, result, defence, slot, able):
    """Natural result of a defence test with dice from ``slot`` on (C-6.4)."""
    i = call.target
    goal = result - defence
    keep = keep_at(decides(fight, i, Decision.REROLL_DEFENCE), goal)
    opens = opens_at(fight, i, Roll.DEFENCE, able)
    if committed == 1:
        return chain(fight, call, i, slot, keep, opens)
    # who re-rolls every 6 does so even when the parry stands
    enough = goal if decides(fight, i, Decision.REROLL_DEFENCE) == Reroll.NEEDED else keep
    return best_of(fight, call, i, slot, committed, enough, keep, opens)


@part
def stands(fight, parry, result):
    """Whether a defence test's result parries an attack's (C-6.4)."""
    return parry >= result and parry > fight.scalars[Rule.AUTOMATIC_FAILURE]


@part
def is_parried(fight, call: Call, committed, result, able):
    """Defence test against an attack's result (C-6.4)."""
    i, j = call.target, call.striker
    defence = defence_of(fight, call.moment.turn, i, j, able)
    natural = roll_parry(fight, call, committed, result, defence, DEFENCE, able)
    parry = final(natural, defence)
    if may_repeat(fight, i, able) and not stands(fight, parry, result):
        repeat(fight, call, i, DEFENCE, parry)
        natural = roll_parry(fight, call, committed, result, defence, DEFENCE_AGAIN, able)
        parry = final(natural, defence)
    parried = stands(fight, parry, result)
    fight.lead = parry - result
    note(call.moment, Event.PARRY, call.number, i, j, 0, natural, parry, parried)
    return parried


@part
def may_repeat(fight, i, able):
    """Whether a fighter by luck rolls a test again that went badly (W-7)."""
    lucky = is_able(able, fight) and fight.luck[i] > 0
    return lucky and decides(fight, i, Decision.LUCK) != Luck.NEVER


@part
def repeat(fight, call: Call, i, slot, result):
    """Use up luck, giving up a result."""
    fight.luck[i] -= 1
    other = call.striker + call.target - i
    note_feat(call.moment, call.number, i, other, Effect.LUCK, slot, result, 0)


@part
def roll_attack(fight, call: Call, attack, committed, able):
    """Natural result of an attack test (C-6.3)."""
    i, j, turn = call.striker, call.target, call.moment.turn
    defence = defence_of(fight, turn, j, i, able) if committed else np.int64(0)
    keep = attack_keep_at(fight, i, attack, defence, committed)
    opens = opens_at(fight, i, Roll.ATTACK, able)
    natural = chain(fight, call, i, ATTACK, keep, opens)
    if may_repeat(fight, i, able):
        result = final(natural, attack)
        failed = result <= fight.scalars[Rule.AUTOMATIC_FAILURE]
        if failed or (committed and natural <= POOR):
            repeat(fight, call, i, ATTACK, result)
            natural = chain(fight, call, i, ATTACK_AGAIN, keep, opens)
    return natural


@part
def resolve_attack(fight, call: Call, committed, sustained, manner, able):
    """Attack test, defence test and wound roll, in that order (C-6.3 to C-6.5)."""
    i, j, turn = call.striker, call.target, call.moment.turn
    scalars = fight.scalars
    attack = attack_of(fight, turn, i, j, able)
    if committed or can_fail(fight, attack):
        natural = roll_attack(fight, call, attack, committed, able)
        result = final(natural, attack)
        failed = result <= scalars[Rule.AUTOMATIC_FAILURE]
        note(call.moment, Event.ATTACK, call.number, i, j, 0, natural, result, failed)
        if failed:
            return
        if committed:
            fight.defence[j] -= committed * (1 - sustained)
            if is_parried(fight, call, committed, result, able):
                if is_able(able, fight) and not sustained and fight.effects[j] & ON_PARRIES:
                    answer(fight, call.moment, call.number, i, j, manner)
                return
    if is_able(able, fight) and (fight.effects[i] | fight.effects[j]) & ON_WOUNDS:
        hit_with_feats(fight, call, manner)
    else:
        wound_roll(fight, call)


@part
def strike(fight, moment, number, i, j, able):
    """One attack of ``i`` on ``j``: an attack die is used, the defence declared (C-5.2, C-6)."""
    pair = max(i, j)
    manner = np.int64(0)
    if is_able(able, fight) and fight.effects[i] & ON_DICE:
        manner = take_dice(fight, moment, number, i, j)
    else:
        fight.attack[i] -= 1
        fight.strikes -= 1
    fight.struck[pair] = 1
    if is_able(able, fight) and fight.held[j] > 0 and commits_held(fight, j):
        commit_held(fight, moment, number, j, i)
        committed = np.int64(1)
        if sustains(fight, j, committed):
            fight.sustained[j] = FREE
    else:
        committed = parry_dice(fight, j)
        if sustains(fight, j, committed):
            fight.sustained[j] = SLOWED
    sustained = np.int64(fight.sustained[j] > 0) & (committed > 0)
    note(moment, Event.STRIKE, number, i, j, committed, sustained, committed > 0, manner)
    direction = np.int64(i > 0) ^ fight.mirror
    page = fight.page_of[number, pair, direction] if number < PAGED_PASSES else -1
    address = attack_address(moment.turn, number, pair, direction)
    call = Call(moment, number, i, j, address, page)
    resolve_attack(fight, call, committed, sustained, manner, able)


@part
def next_attack(fight, turn, side, able):
    """Who strikes whom next on a side's half of a pass (C-5.3, C-5.4); (0, 0): nobody."""
    if side == 1:
        return next_striker(fight, turn, able), 0
    return 0, next_target(fight, turn) if has_attack_die(fight, 0, able) else 0


@part
def goes_on(fight, able):
    """Whether somebody has an attack die left, or uses a held one (C-5.5)."""
    if able is None:
        return fight.strikes > 0
    return fight.strikes > 0 or (fight.able & ON_DICE != 0 and held_goes_on(fight))


@routine
def side_strikes(fight, moment, number, side, able):
    """Make the attacks of one side in a pass of arms (C-5.1)."""
    for i in range(1, fight.n):
        fight.struck[i] = 0
    i, j = next_attack(fight, moment.turn, side, able)
    while i != j:
        strike(fight, moment, number, i, j, able)
        if not goes_on(fight, able):
            return
        i, j = next_attack(fight, moment.turn, side, able)


@part
def fight_combat(fight, moment, able):
    """One combat from the placing of dice to its end; the side that struck first.

    ``able`` is None where nobody has an ability: what they do is compiled away.
    """
    place_dice(fight, moment)
    first = initiative(fight, moment, able)
    number = 0
    while goes_on(fight, able):
        for half in range(2):
            side = first ^ half
            if fight.n > 2:
                side_strikes(fight, moment, number, side, able)
            # one against one needs no choice, and known indices make it a fifth faster
            elif side == 0:
                if has_attack_die(fight, 0, able):
                    strike(fight, moment, number, 0, 1, able)
            elif has_attack_die(fight, 1, able):
                strike(fight, moment, number, 1, 0, able)
        number += 1
    if is_able(able, fight) and fight.able >> Effect.DIEHARD & 1:
        end_feats(fight)
    note(moment, Event.END, 0, -1, -1, 0, 0, 0, 0)
    return first
