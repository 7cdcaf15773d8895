"""Wound rolls, states and current characteristics (W-2, W-3)."""

from .._jit import part, routine
from ..core.dice import note, wound_dice
from ..layout.abilities import Effect, Weapon
from ..layout.combat import Call, Column, Rule, Stat
from ..layout.log import Event
from .feats import blow_bonus, note_feat, outcome_of, poison, state_after, survives, with_more_dice

SLOWED, FREE = 1, 2  # a sustained defence that costs DEF, one with a held die that does not


@part
def current(fight, turn, i, stat):
    """Characteristic with what wounds, a charge and a sustained defence take from it."""
    value = fight.values[min(turn, 1), i, stat]
    value -= fight.penalty[fight.fighters[i, Column.PAIN], fight.state[i], stat]
    if stat == Stat.DEF:
        value -= fight.scalars[Rule.SUSTAINED_PENALTY] * (fight.sustained[i] & SLOWED)
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
    fight.held[i] = 0
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
def throw_of(die_1, die_2):
    """Column of the wound table for two dice."""
    return (die_1 - 1) * 6 + die_2 - 1


@routine
def feat_wound(fight, call: Call, strength):
    """Roll the wound of an attack where somebody has an ability (W-7, C-6.5); `wound_roll`."""
    striker, target, moment = call.striker, call.target, call.moment
    own, other = fight.effects[striker], fight.effects[target]
    if other >> Effect.SURVIVAL & 1 and survives(fight, call):
        return
    difference = strength - current(fight, moment.turn, target, Stat.RES)
    difference += blow_bonus(fight, striker)
    die_1, die_2 = wound_dice(fight, call)
    low, high = min(die_1, die_2), max(die_1, die_2)
    if own >> Effect.WOUND_DICE & 1:
        low, high = with_more_dice(fight, call, low, high)
    outcome = outcome_of(fight, striker, target, low, high, difference, Weapon.MELEE, 0)
    if own >> Effect.TOXIC & 1:
        outcome = poison(fight, call, outcome)
    state, doomed = state_after(fight, target, outcome)
    if doomed:
        fight.doomed[target] = 1
        fight.killer[target] = striker
        note_feat(moment, call.number, target, striker, Effect.DIEHARD, 0, 0, 0)
    fight.state[target] = state
    if state == fight.dead:
        fight.killer[target] = striker
        bury(fight, target)
    row = high + difference
    note(moment, Event.WOUND, call.number, striker, target, outcome, low, row, state)


@part
def wound_roll(fight, call: Call):
    """Roll the wound of an attack that landed (C-6.5, W-2); the killed lose their dice (C-6.6)."""
    striker, target = call.striker, call.target
    die_1, die_2 = wound_dice(fight, call)
    difference = current(fight, call.moment.turn, striker, Stat.FOR)
    difference -= current(fight, call.moment.turn, target, Stat.RES)
    outcome = fight.wound[wound_row(fight, difference), throw_of(die_1, die_2)]
    state = fight.after[fight.state[target], outcome]
    fight.state[target] = state
    if state == fight.dead:
        fight.killer[target] = striker
        bury(fight, target)
    low, row = min(die_1, die_2), max(die_1, die_2) + difference
    note(call.moment, Event.WOUND, call.number, striker, target, outcome, low, row, state)
