"""The maintenance phase: rally, mystic regeneration, effects in six ordered steps (T-5).

A record of dtype ``MAINTENANCE`` is all that the functions look at; a larger record with the
same fields does as well.
"""

import numpy as np

from .._jit import part, routine
from ..combat.feats import note_feat
from ..core.dice import SIX_OPENS, chain, final, first_die, least_result, note
from ..core.rng import MAINTENANCE, nth_address
from ..layout.abilities import Effect as Ability
from ..layout.combat import Call, Outcome
from ..layout.maintenance import (
    FIRST_STEP,
    LAST_STEP,
    MAINTAINED,
    Caster,
    Custom,
    Effect,
    Kind,
    Person,
    Stage,
)

# Rolls of one address: the slot says whose they are.
RALLY_ROLL = 0
MANA_ROLLS = 1  # and the next two: a magician's dice, three at most
EFFECT_ROLLS = 4  # and on: two rolls for each 64 effects
RALLY_AGAIN = 31  # by luck (W-7)


@part
def lives(phase, i):
    """Whether a fighter is not dead."""
    return phase.people[i, Person.STATE] != phase.dead


@part
def takes_part(phase, i):
    """Whether a fighter may cause and suffer effects: not dead, not come back just now (T-5.3)."""
    return lives(phase, i) and phase.people[i, Person.RETURNED] == 0


@part
def call_of(moment, stage, i, roll):
    """Where a fighter's dice of one roll are."""
    return Call(moment, stage, i, i, nth_address(moment.turn, MAINTENANCE, roll), -1)


@part
def tell(moment, stage, i, source, effect, before, after, more):
    """Log what happened to a fighter."""
    note(moment, MAINTAINED, stage, i, source, effect, before, after, more)


# --- T-5.1 ---------------------------------------------------------------------------------


@routine
def touches_fear(phase, i):
    """Whether a fighter touches a frightening enemy who is alive (W-4.4)."""
    for j in range(phase.n):
        if phase.touches[i, j] and lives(phase, j):
            return True
    return False


@routine
def passes_rally(phase, moment, i):
    """Test of the higher of COU and DIS; a 6 that is not enough is re-rolled (W-4.4, W-1.2).

    ``Person.OPEN`` and ``Person.LUCK`` say what abilities change in it (W-7).
    """
    least = least_result(phase, phase.customs[Custom.RALLY_DIFFICULTY])
    nerve = phase.people[i, Person.NERVE]
    opens, goal = SIX_OPENS - phase.people[i, Person.OPEN], least - nerve
    natural = chain(phase, call_of(moment, 0, i, RALLY_ROLL), i, i, goal, opens)
    if natural < goal and phase.people[i, Person.LUCK] > 0:
        phase.people[i, Person.LUCK] -= 1
        note_feat(moment, 0, i, i, Ability.LUCK, i, natural, 0)
        natural = chain(phase, call_of(moment, 0, i, RALLY_AGAIN), i, i, goal, opens)
    return final(natural, nerve) >= least


@routine
def rally(phase, moment):
    """Every routed fighter may rally (T-5.1)."""
    for i in range(phase.n):
        if phase.people[i, Person.ROUTED] and takes_part(phase, i):
            barred = phase.customs[Custom.NO_RALLY_IN_CONTACT] != 0 and touches_fear(phase, i)
            routed = barred or not passes_rally(phase, moment, i)
            phase.people[i, Person.ROUTED] = routed
            tell(moment, Stage.RALLY, i, -1, -1, 1, routed, barred)


# --- T-5.2 ---------------------------------------------------------------------------------


@routine
def renew_faith(phase, moment):
    """Every faithful has new temporary faith in place of the old (T-5.2)."""
    customs = phase.customs
    for i in range(phase.n):
        if phase.people[i, Person.CASTER] == Caster.FAITHFUL and takes_part(phase, i):
            believers = 0
            for j in range(phase.n):
                believers += phase.aura[i, j] != 0 and lives(phase, j)
            before = phase.people[i, Person.FAITH]
            faith = customs[Custom.FAITH_BASE]
            faith += customs[Custom.FAITH_PER_RANK] * phase.people[i, Person.RANK]
            faith += customs[Custom.FAITH_PER_BELIEVER] * believers
            phase.people[i, Person.FAITH] = faith
            tell(moment, Stage.FAITH, i, -1, -1, before, faith, 0)


@routine
def recover_mana(phase, moment):
    """Every magician rolls to recover mana, up to the most that his rank may hold (T-5.2)."""
    customs = phase.customs
    for i in range(phase.n):
        if phase.people[i, Person.CASTER] == Caster.MAGICIAN and takes_part(phase, i):
            rank = phase.people[i, Person.RANK]
            before = phase.people[i, Person.MANA]
            mana = before + customs[Custom.MANA_BASE] + customs[Custom.MANA_PER_RANK] * rank
            for j in range(customs[Custom.MANA_DICE]):
                call = call_of(moment, Stage.MANA, i, MANA_ROLLS + j)
                die, _ = first_die(phase, call, i, i)
                mana += die
            mana = max(before, min(mana, customs[Custom.MANA_MOST_PER_RANK] * rank))
            phase.people[i, Person.MANA] = mana
            tell(moment, Stage.MANA, i, -1, -1, before, mana, 0)


# --- T-5.3, steps 1 to 5 -------------------------------------------------------------------


@part
def has_cause(phase, e):
    """Whether an effect's source, if it has one, may cause effects (T-5.3)."""
    source = phase.effects[e, Effect.SOURCE]
    return source < 0 or takes_part(phase, source)


@routine
def effect_die(phase, moment, e, again):
    """An effect's die, the first or the second; 6 without a roll where none is asked for."""
    if phase.effects[e, Effect.NEEDS] == 0:
        return 6
    stage, target = phase.effects[e, Effect.STAGE], phase.effects[e, Effect.TARGET]
    call = call_of(moment, stage, target, EFFECT_ROLLS + 2 * (e >> 6) + again)
    die, _ = first_die(phase, call, target, e & 63)
    return die


@part
def change_state(phase, moment, e, state):
    """Give an effect's target another state."""
    target = phase.effects[e, Effect.TARGET]
    before = phase.people[target, Person.STATE]
    phase.people[target, Person.STATE] = state
    stage, source = phase.effects[e, Effect.STAGE], phase.effects[e, Effect.SOURCE]
    tell(moment, stage, target, source, e, before, state, phase.effects[e, Effect.GOES_ON])


@routine
def damage(phase, moment, e):
    """Wound levels or a result of the wound table, if the die is enough (T-5.3, W-3.1)."""
    state = np.int64(phase.people[phase.effects[e, Effect.TARGET], Person.STATE])
    if effect_die(phase, moment, e, 0) >= phase.effects[e, Effect.NEEDS]:
        state = np.int64(phase.after[state, phase.effects[e, Effect.OUTCOME]])
        for _ in range(phase.effects[e, Effect.LEVELS]):
            state = np.int64(phase.after[state, Outcome.LIGHT])  # one level in every edition
    change_state(phase, moment, e, state)


@routine
def heal(phase, moment, e):
    """Wound levels less, if the die is enough (T-5.3, W-3.1)."""
    state = np.int64(phase.people[phase.effects[e, Effect.TARGET], Person.STATE])
    if phase.healed[state] == state:
        return
    if effect_die(phase, moment, e, 0) >= phase.effects[e, Effect.NEEDS]:
        for _ in range(phase.effects[e, Effect.LEVELS]):
            state = np.int64(phase.healed[state])
    change_state(phase, moment, e, state)


@routine
def roll_to_heal(phase, moment, e):
    """d6 >= X heals one level, and a success rolls once more while a wound is left (W-7)."""
    state = np.int64(phase.people[phase.effects[e, Effect.TARGET], Person.STATE])
    if phase.healed[state] == state:
        return
    for again in range(2):
        if phase.healed[state] == state:
            break
        if effect_die(phase, moment, e, again) < phase.effects[e, Effect.NEEDS]:
            break
        state = np.int64(phase.healed[state])
    change_state(phase, moment, e, state)


@part
def end_effect(phase, e):
    """End an upkeep, and the effect that it keeps up."""
    phase.effects[e, Effect.GOES_ON] = 0
    sustained = phase.effects[e, Effect.SUSTAINS]
    if sustained >= 0:
        phase.effects[sustained, Effect.GOES_ON] = 0


@routine
def upkeep(phase, moment, e):
    """The source pays and keeps the effect, or it ends (T-5.3); nobody pays for the dead."""
    target, source = phase.effects[e, Effect.TARGET], phase.effects[e, Effect.SOURCE]
    purse = Person.FAITH if phase.effects[e, Effect.IN_FAITH] else Person.MANA
    before, cost = phase.people[source, purse], phase.effects[e, Effect.COST]
    pays = phase.effects[e, Effect.KEEP] != 0 and before >= cost
    pays = pays and takes_part(phase, source) and (target < 0 or takes_part(phase, target))
    if pays:
        phase.people[source, purse] = before - cost
    else:
        end_effect(phase, e)
    stage, after = phase.effects[e, Effect.STAGE], phase.people[source, purse]
    tell(moment, stage, source, source, e, before, after, pays)


@routine
def come_back(phase, moment, e):
    """A dead fighter is back on the field, in no rout and without markers (T-5.3 step 5)."""
    target, source = phase.effects[e, Effect.TARGET], phase.effects[e, Effect.SOURCE]
    if lives(phase, target) or not (source == target or has_cause(phase, e)):
        return
    die = effect_die(phase, moment, e, 0)
    state = phase.dead
    if die >= phase.effects[e, Effect.NEEDS]:
        state = phase.effects[e, Effect.STATE]
        phase.people[target, Person.ROUTED] = 0
        phase.people[target, Person.MARKERS] = 0
        phase.people[target, Person.MANA] = phase.effects[e, Effect.MANA]
        phase.people[target, Person.FAITH] = phase.effects[e, Effect.FAITH]
        phase.people[target, Person.RETURNED] = 1
    elif die <= phase.effects[e, Effect.LOST]:
        phase.effects[e, Effect.GOES_ON] = 0
    change_state(phase, moment, e, state)


@part
def resolve(phase, moment, e):
    """Resolve one effect; those of or on the dead, or on who is just back, do nothing (T-5.3)."""
    kind = phase.effects[e, Effect.KIND]
    if kind == Kind.UPKEEP:
        upkeep(phase, moment, e)
    elif kind == Kind.RETURN:
        come_back(phase, moment, e)
    elif has_cause(phase, e) and takes_part(phase, phase.effects[e, Effect.TARGET]):
        if kind == Kind.DAMAGE:
            damage(phase, moment, e)
        elif kind == Kind.HEAL:
            heal(phase, moment, e)
        else:
            roll_to_heal(phase, moment, e)


@routine
def run_step(phase, moment, stage):
    """Resolve the effects of one step, in the order in which they are listed (T-5.3)."""
    for e in range(phase.listed):
        if phase.effects[e, Effect.STAGE] == stage and phase.effects[e, Effect.GOES_ON]:
            resolve(phase, moment, e)


# --- T-5.3, step 6 -------------------------------------------------------------------------


@routine
def remove_markers(phase, moment):
    """Take away stunned and the other markers that are not needed any more (T-5.3 step 6)."""
    for i in range(phase.n):
        if takes_part(phase, i):
            before = phase.people[i, Person.STATE]
            if phase.customs[Custom.REMOVES_STUNNED] and phase.recover[before] != before:
                state = np.int64(phase.recover[before])
                phase.people[i, Person.STATE] = state
                tell(moment, Stage.MARKERS, i, -1, -1, before, state, 0)
            before = phase.people[i, Person.MARKERS]
            markers = before & ~phase.customs[Custom.REMOVED_MARKERS]
            if markers != before:
                phase.people[i, Person.MARKERS] = markers
                tell(moment, Stage.MARKERS, i, -1, -1, before, markers, 1)


# --- the phase -----------------------------------------------------------------------------


@routine
def maintain(phase, moment):
    """The whole phase, in its order (T-5)."""
    for i in range(phase.n):
        phase.people[i, Person.RETURNED] = 0
    rally(phase, moment)
    renew_faith(phase, moment)
    recover_mana(phase, moment)
    for stage in range(FIRST_STEP, LAST_STEP + 1):
        run_step(phase, moment, stage)
    remove_markers(phase, moment)
