"""Wound rolls, states and current characteristics (W-2, W-3)."""

import numpy as np

from estoc.kernels._jit import kernel
from estoc.kernels.dice import note
from estoc.kernels.layout import Call, Event, Rule, Slot, Stat
from estoc.kernels.rng import HALF, LOW, SIX, first_word


@kernel
def current(fight, turn, i, stat):
    """Characteristic with what wounds, a charge and a sustained defence take from it."""
    value = fight.values[min(turn, 1), i, stat]
    value -= fight.penalty[fight.state[i], stat]
    if stat == Stat.DEF and fight.sustained[i]:
        value -= fight.scalars[Rule.SUSTAINED_PENALTY]
    return value


@kernel
def is_dead(fight, i):
    """Whether a fighter is in the last state."""
    return fight.state[i] == fight.dead


@kernel
def wound_row(fight, difference):
    """Row of the wound table for FOR - RES, its ends going on for ever."""
    row = difference + fight.scalars[Rule.WOUND_OFFSET]
    return min(max(row, 0), fight.wound_rows - 1)


@kernel
def wound_roll(fight, call: Call):
    """Roll the wound of an attack that landed (C-6.5, W-2); the killed lose their dice (C-6.6)."""
    striker, target = call.striker, call.target
    product = first_word(fight, call.lane, call.page, call.address, Slot.WOUND) * SIX
    die_1 = np.int64(product >> HALF)
    die_2 = np.int64(((product & LOW) * SIX) >> HALF)
    difference = current(fight, call.turn, striker, Stat.FOR)
    difference -= current(fight, call.turn, target, Stat.RES)
    outcome = fight.wound[wound_row(fight, difference), die_1 * 6 + die_2]
    state = fight.after[fight.state[target], outcome]
    fight.state[target] = state
    if is_dead(fight, target):
        fight.attack[target] = 0
        fight.defence[target] = 0
    if fight.logging:
        turn, number = call.turn, call.number
        note(fight, Event.DIE, turn, number, striker, target, Slot.WOUND, 0, die_1 + 1, 0)
        note(fight, Event.DIE, turn, number, striker, target, Slot.WOUND, 1, die_2 + 1, 0)
        low, high = min(die_1, die_2) + 1, max(die_1, die_2) + 1
        row = high + difference
        note(fight, Event.WOUND, turn, number, striker, target, outcome, low, row, state)
