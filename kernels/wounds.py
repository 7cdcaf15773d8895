"""Wound rolls, states and current characteristics (W-2, W-3)."""

import numpy as np

from estoc.kernels._jit import part
from estoc.kernels.dice import note
from estoc.kernels.layout import WOUND, Call, Event, Rule, Stat
from estoc.kernels.rng import HALF, LOW, SIX, first_word


@part
def current(fight, turn, i, stat):
    """Characteristic with what wounds, a charge and a sustained defence take from it."""
    value = fight.values[min(turn, 1), i, stat]
    value -= fight.penalty[fight.state[i], stat]
    if stat == Stat.DEF:
        value -= fight.scalars[Rule.SUSTAINED_PENALTY] * fight.sustained[i]
    return value


@part
def is_dead(fight, i):
    """Whether a fighter is in the last state."""
    return fight.state[i] == fight.dead


@part
def bury(fight, i):
    """Take a killed fighter's dice away (C-6.6); the last of a side ends the combat (C-5.5)."""
    fight.strikes -= fight.attack[i]
    fight.attack[i] = 0
    fight.defence[i] = 0
    if i > 0:
        fight.living -= 1
    if is_over(fight):
        fight.strikes = 0


@part
def is_over(fight):
    """Whether one side is all dead."""
    return is_dead(fight, 0) or fight.living == 0


@part
def wound_row(fight, difference):
    """Row of the wound table for FOR - RES, its ends going on for ever."""
    row = difference + fight.scalars[Rule.WOUND_OFFSET]
    return min(max(row, 0), fight.wound_rows - 1)


@part
def wound_roll(fight, call: Call):
    """Roll the wound of an attack that landed (C-6.5, W-2); the killed lose their dice (C-6.6)."""
    striker, target = call.striker, call.target
    product = first_word(fight, call.moment.lane, call.page, call.address, WOUND) * SIX
    die_1 = np.int64(product >> HALF)
    die_2 = np.int64(((product & LOW) * SIX) >> HALF)
    difference = current(fight, call.moment.turn, striker, Stat.FOR)
    difference -= current(fight, call.moment.turn, target, Stat.RES)
    outcome = fight.wound[wound_row(fight, difference), die_1 * 6 + die_2]
    state = fight.after[fight.state[target], outcome]
    fight.state[target] = state
    if state == fight.dead:
        fight.killer[target] = striker
        bury(fight, target)
    low, high = min(die_1, die_2) + 1, max(die_1, die_2) + 1
    moment, number, row = call.moment, call.number, high + difference
    note(moment, Event.DIE, number, striker, target, WOUND, 0, die_1 + 1, 0)
    note(moment, Event.DIE, number, striker, target, WOUND, 1, die_2 + 1, 0)
    note(moment, Event.WOUND, number, striker, target, outcome, low, row, state)
