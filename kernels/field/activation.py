"""Speaking turns on the table: announced actions, then the others (A-5, M-2 to M-7).

What a fighter does is its player's policy's to say (`players.player`); here it is done by the
rules, and only what the rules allow.
"""

import numpy as np

from .._jit import part, routine
from ..combat.charge import penalised
from ..combat.feats import has
from ..core.dice import FAILED, note
from ..core.rng import U64
from ..core.sets import NONE, bit, count_bits, lowest
from ..layout.abilities import Effect, Number
from ..layout.actions import STEPS, Action, Attempt, Ban, Fact, Step
from ..layout.battle import Custom, Deed, Trait
from ..layout.combat import Stat
from ..layout.log import Story
from ..layout.maintenance import Caster, Marker
from ..layout.rolls import Way
from ..layout.table import Base
from ..phases.actions import is_legal, potential, record
from ..rolls.disengage import difficulty, disengagement_roll, eased, force_left, goal_of, may_force
from ..table.contacts import enemies
from ..table.geometry import FAR
from ..table.sight import sees
from .march import LENGTH, TOLL, flee, nearest_point, seek_place, seek_towards, side_of, stand
from .marksmen import has_weapon
from .nerve import NO_CHARGER, stands_firm, stands_firm_all
from .stakes import power_charging

NO_TARGET, NO_WAY = -1, -1


# --- what may be done ------------------------------------------------------------------------


@part
def stat(battle, i, which):
    """A characteristic less what wounds and a charge take (W-3.2, M-5.1)."""
    value = battle.traits[i, which]
    value -= battle.fight.penalty[battle.pain[i], battle.state[i], which]
    if battle.markers[i] & Marker.CHARGED:
        value -= battle.fight.charge[which]
    return value


@routine
def is_surrounded(battle, i):
    """Whether as many enemies touch a fighter as its size has room for (M-7.1)."""
    met, room = enemies(battle.table, i), 0
    for j in range(battle.n):
        if (met & bit(j)) != NONE:
            room = max(room, battle.most[i, j])
    return met != NONE and count_bits(met) >= room


@routine
def facts_of(battle, i):
    """How a fighter stands, but for what it sees: bits of ``Fact``."""
    facts = 0
    if enemies(battle.table, i) == NONE:
        facts |= 1 << Fact.FREE
    elif is_surrounded(battle, i):
        facts |= 1 << Fact.SURROUNDED
    if battle.table.bases[i, Base.LEVEL] == 0:
        facts |= 1 << Fact.LEVEL_0
    if has_weapon(battle, i):
        facts |= 1 << Fact.AIM | 1 << Fact.RANGED_WEAPON | 1 << Fact.LINE_OF_SIGHT
    if battle.traits[i, Trait.CASTER] != Caster.NONE:
        facts |= 1 << Fact.CASTER
    if (battle.assaulted & bit(i)) != NONE:
        facts |= 1 << Fact.ASSAULTED
    return facts


@part
def may_do(battle, facts, step):
    """Whether who acts may do a step now."""
    return is_legal(battle.actions, facts, battle.done, step) == Ban.NONE


@part
def begin_acting(battle):
    """Forget what was done by who acted before."""
    for step in range(STEPS):
        battle.done[step] = 0


@part
def sight_fact(battle, i, j):
    """The fact of what a fighter sees of an enemy that it wants to assail (M-4.1, M-4.2)."""
    if sees(battle.table, i, j, battle.customs[Custom.HIDES]):
        return 1 << Fact.SEES_TARGET
    return 1 << Fact.TARGET_UNSEEN


@part
def is_fast(battle, i):
    """Whether a fighter charges, runs and flees farther than others (W-7)."""
    return has(battle, i, Effect.FAST)


@routine
def reach_of(battle, i, action):
    """How far who acts may move by an action, in cm (M-8, W-7)."""
    if is_fast(battle, i) and (action == Action.CHARGE or action == Action.RUN):
        return battle.numbers[i, Number.FAST_FACTOR] * battle.mou[i]
    return potential(battle.actions, battle.done, action) * battle.mou[i]


@routine
def find_place(battle, i, j, limit):
    """As `march.seek_place`, remembered until something moves."""
    place, kept = battle.place, battle.places[i]
    known = battle.place_stamp[i] == battle.stamp and battle.place_target[i] == j
    if known and kept[LENGTH] + kept[TOLL] <= limit:
        for k in range(6):
            place[k] = kept[k]
        return kept[LENGTH] + kept[TOLL]
    found = seek_place(battle, i, j, limit)
    if found < FAR:
        battle.place_stamp[i], battle.place_target[i] = battle.stamp, j
        for k in range(6):
            kept[k] = place[k]
    return found


# --- disengaging -----------------------------------------------------------------------------


@routine
def forces_left(battle, i):
    """FOR of a try by force, 0 if it is not possible (M-7.3)."""
    table, met = battle.table, enemies(battle.table, i)
    largest, toughest = np.int64(0), np.int64(-99)
    for j in range(battle.n):
        if (met & bit(j)) != NONE:
            largest = max(largest, np.int64(table.bases[j, Base.SIZE]))
            toughest = max(toughest, stat(battle, j, Stat.RES))
    left = force_left(stat(battle, i, Stat.FOR), toughest)
    return left if may_force(np.int64(table.bases[i, Base.SIZE]), largest, left) else 0


@routine
def disengage(battle, moment, i, way):
    """Try to disengage who acts; a failure leaves all its dice in defence (M-7)."""
    met = count_bits(enemies(battle.table, i))
    value = forces_left(battle, i) if way == Way.FORCE else 0
    if value <= 0:  # force may have become impossible since it was announced (M-7.3)
        way, value = Way.AGILITY.value, stat(battle, i, Stat.INI)
    least = eased(battle, i, difficulty(battle.disengagement, met))
    goal = goal_of(battle, least, value)
    battle.trials[0] = battle.trial
    natural = disengagement_roll(battle, moment, i, goal, way)
    success = natural >= goal
    result = FAILED if natural <= FAILED else natural + value
    note(moment, Story.DISENGAGE, least, i, way, met, value, result, success)
    attempt = Attempt.SUCCEEDED if success else Attempt.FAILED
    record(battle.actions, battle.done, Step.DISENGAGE, attempt)
    if not success:
        battle.markers[i] |= Marker.DEFENCE
    return success


# --- announced actions -----------------------------------------------------------------------


@part
def enter_assault(battle, moment, i, targets, charge):
    """Note an assault that reached its targets (M-5.1, M-7.1)."""
    battle.assaulted |= targets
    m = battle.assaults
    battle.assault_turn[m], battle.assault_charge[m] = 0, charge
    battle.assault_targets[m] = targets
    battle.assault_power[m] = power_charging(battle, i)
    battle.assault_brutal[m] = has(battle, i, Effect.BRUTAL)
    if charge:
        battle.chargers |= bit(i)
    battle.assaults = m + 1


@routine
def fall_short(battle, moment, i, j, limit, action, redirected):
    """Move as far towards a target as may be (M-4.4)."""
    x, y = nearest_point(battle, i, j)
    if seek_towards(battle, i, x, y, limit, battle.table.x[j], battle.table.y[j], j) > 0:
        stand(battle, moment, i, j, action, 1, redirected)


@routine
def land(battle, moment, i, j, also, limit, action, charge, redirected):
    """Bring an assailant to its targets, or as near to the first as it comes (M-4.3 to M-4.5)."""
    if find_place(battle, i, j, limit) >= FAR:
        fall_short(battle, moment, i, j, limit, action, redirected)
        return
    stand(battle, moment, i, j, action, 0, redirected)
    targets = (bit(j) | also) & enemies(battle.table, i)
    enter_assault(battle, moment, i, targets, charge)
    charger = i if charge else NO_CHARGER
    stands_firm(battle, moment, j, i, charger)
    for k in range(battle.n):
        if (targets & ~bit(j) & bit(k)) != NONE:
            stands_firm(battle, moment, k, i, charger)


@routine
def redirect(battle, moment, i, lost, limit, action):
    """Go on with an assault whose target died: to its place, then on (M-4.7)."""
    table, own = battle.table, side_of(battle, i)
    table.bases[lost, Base.ALIVE] = 1.0  # its place is still one to go to
    found = find_place(battle, i, lost, limit)
    table.bases[lost, Base.ALIVE] = 0.0
    if found >= FAR:
        fall_short(battle, moment, i, lost, limit, action, 1)
        return
    stand(battle, moment, i, lost, action, 1, 1)
    left, best, target = limit - found, FAR, NO_TARGET
    for j in range(battle.n):
        if (battle.alive[1 - own] & bit(j)) != NONE and (enemies(table, i) & bit(j)) == NONE:
            found = seek_place(battle, i, j, min(left, best))
            if found < best:
                best, target = found, j
    if target == NO_TARGET:
        return
    charge = action == Action.CHARGE
    charge = charge and sees(table, i, target, battle.customs[Custom.HIDES])
    kind = Action.CHARGE.value if charge else Action.ENGAGE.value
    if not stands_firm(battle, moment, i, target, i if charge else NO_CHARGER):
        return
    land(battle, moment, i, target, NONE, left, kind, charge, 1)


@routine
def assail(battle, moment, i, action):
    """Charge or engage the announced targets, those who are alive (M-4)."""
    j = battle.target[i]
    named = (bit(j) | battle.also[i]) & battle.table.here
    if named != NONE and (named & bit(j)) == NONE:
        j = lowest(named)
    also = named & ~bit(j)
    held = battle.way[i] != NO_WAY and enemies(battle.table, i) != NONE  # they may have died
    if held and not disengage(battle, moment, i, battle.way[i]):
        return
    limit = reach_of(battle, i, action)
    record(battle.actions, battle.done, action, 0)
    if (battle.table.here & bit(j)) == NONE:
        redirect(battle, moment, i, j, limit, action)
    elif stands_firm_all(battle, moment, i, j, also, i if action == Action.CHARGE else NO_CHARGER):
        land(battle, moment, i, j, also, limit, action, action == Action.CHARGE, 0)
    else:
        run_away(battle, moment, i)


@routine
def run_away(battle, moment, i):
    """Flee, free of enemies (W-4.3)."""
    if enemies(battle.table, i) == NONE:
        factor = battle.customs[Custom.FLIGHT]
        if is_fast(battle, i):
            factor = battle.numbers[i, Number.FAST_FACTOR]
        flee(battle, moment, i, factor * battle.mou[i], Deed.FLEE)


@routine
def move_to(battle, moment, i, action):
    """Run, walk or move under cover to the place that was chosen (M-2, M-3, M-6)."""
    goal = battle.goals[i]
    limit = reach_of(battle, i, action)
    target = battle.target[i]
    if seek_towards(battle, i, goal[0], goal[1], limit, goal[2], goal[3], target) > 0:
        record(battle.actions, battle.done, action, 0)
        stand(battle, moment, i, NO_TARGET, action, 0, 0)
    if action == Action.UNDER_COVER:
        battle.markers[i] |= Marker.TARGET
        battle.duty &= ~bit(i)


@routine
def resolve(battle, moment, i):
    """Do the announced action of a fighter (A-5.2)."""
    action = battle.chosen[i]
    begin_acting(battle)
    if action == Deed.FLEE:
        run_away(battle, moment, i)
    elif action == Action.CHARGE or action == Action.ENGAGE:
        assail(battle, moment, i, action)
    else:
        move_to(battle, moment, i, action)


@routine
def charge_marks(battle, moment):
    """Give the markers of the charges of a speaking turn (M-5)."""
    m = battle.assaults
    if m == 0:
        return
    mask = penalised(
        battle.assault_turn[:m], battle.assault_charge[:m], battle.assault_targets[:m],
        battle.assault_power[:m], battle.powers[: battle.n], battle.customs[Custom.SHARING],
    )  # fmt: skip
    for k in range(m):  # who always inflicts it, charging or engaging (W-7)
        if battle.assault_brutal[k]:
            mask |= battle.assault_targets[k]
    new = U64(0)
    for j in range(battle.n):
        hit = (mask & battle.table.here & bit(j)) != NONE and not has(battle, j, Effect.STEADY)
        if hit and battle.markers[j] & Marker.CHARGED == 0:
            battle.markers[j] |= Marker.CHARGED
            new |= bit(j)
    if new != NONE:
        note(moment, Story.PENALTIES, 0, -1, -1, 0, np.int64(new), 0, 0)
