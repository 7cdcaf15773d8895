"""The player by odds: what each decision is worth in expected PA, the enemy's next reply included.

Odds are those of `field.stakes`. Before it charges, a fighter asks who can come to its
victim's help; where it does not, who can charge it; a move ends out of the reach of whom it fears.
"""

import math

from .._jit import part, routine
from ..core.sets import NONE, bit, count_bits, lowest, without_lowest
from ..field.activation import (
    NO_TARGET,
    NO_WAY,
    disengage,
    facts_of,
    forces_left,
    may_do,
    move_to,
    reach_of,
    stat,
)
from ..field.aims import aim_at, foes_of, gap_to, has_spell, nearest_of, record_shot
from ..field.march import side_of
from ..field.marksmen import cover_of, current_aim, has_weapon, is_open_to_shots, shot_distance
from ..field.stakes import (
    assault_worth,
    balance,
    chance_of,
    charge_mask,
    duel_balance,
    held_by,
    held_stake,
    worth_of,
)
from ..layout.actions import NOTHING, Action, Step
from ..layout.battle import Manner, Trait
from ..layout.combat import Rule, Stat
from ..layout.rolls import Way
from ..layout.table import Base
from ..rolls.disengage import difficulty, eased, goal_of
from ..rolls.shooting import aim_goal, band_of, shot_difficulty
from ..table.contacts import enemies
from ..table.geometry import FAR, within
from .bold import assail, cast_boldly, manner
from .line import charge_reach

STEPS_TRIED = 4  # parts of a move that are tried, the whole first


# --- the enemy's reply -----------------------------------------------------------------------


@part
def can_come(battle, k):
    """Whether an enemy may still charge in this turn."""
    still = (battle.activated & bit(k)) == NONE and battle.routed[k] == 0
    return still and enemies(battle.table, k) == NONE


@routine
def distance(battle, j, k):
    """Distance between two bases' circles, as the crow flies."""
    table = battle.table
    dx, dy = table.x[j] - table.x[k], table.y[j] - table.y[k]
    return math.sqrt(dx * dx + dy * dy) - table.reach[j] - table.reach[k]


@routine
def comers(battle, side, at):
    """The enemies of a side, as many as it reckons with, who can charge to where ``at`` is.

    The nearest come first. They are remembered until something moves or acts.
    """
    if battle.coming_stamp[side, at] != battle.stamp:
        battle.coming_stamp[side, at] = battle.stamp
        battle.coming[side, at] = find_comers(battle, side, at)
    return battle.coming[side, at]


@routine
def find_comers(battle, side, at):
    """As `comers`."""
    mask, left, most = NONE, battle.alive[1 - side] & ~bit(at), battle.manner[side, Manner.CROWD]
    while left != NONE:
        k, left = lowest(left), without_lowest(left)
        if can_come(battle, k) and within(distance(battle, at, k), charge_reach(battle, k)):
            mask |= bit(k)
    if count_bits(mask) <= most:
        return mask
    coming = NONE
    for _ in range(int(most)):
        nearest, chosen, left = FAR, NO_TARGET, mask & ~coming
        while left != NONE:
            k, left = lowest(left), without_lowest(left)
            gap = distance(battle, at, k)
            if gap < nearest:
                nearest, chosen = gap, k
        coming |= bit(chosen)
    return coming


@routine
def threat_to(battle, i):
    """Expected PA that a charge of those who can come takes from a fighter's side, 0 or less."""
    coming = comers(battle, side_of(battle, i), i)
    if coming == NONE:
        return 0.0
    return min(balance(battle, i, coming, bit(i), NONE), 0.0)


@routine
def reply_to(battle, i, j, worth):
    """What an assault is worth after the enemy's reply: those who can come to help."""
    if held_by(battle, j) != NONE:
        return worth  # the friends who hold him are in the way of replies
    coming = comers(battle, side_of(battle, i), j)
    if coming == NONE:
        return worth
    return min(worth, balance(battle, i, bit(j) | coming, charge_mask(battle, i, j), NONE))


@routine
def prospect(battle, i, j):
    """What an assault is worth, with the weight that the player gives to the reply."""
    worth = assault_worth(battle, i, j)
    caution = manner(battle, i, Manner.CAUTION)
    if caution <= 0 or worth <= 0:
        return worth
    return worth + caution * (reply_to(battle, i, j, worth) - worth)


# --- shots -----------------------------------------------------------------------------------


@routine
def shot_worth(battle, i, j):
    """Expected PA that a shot takes, out of range 0 (W-6)."""
    band = band_of(battle.ranges[i], shot_distance(battle, i, j))
    if band < 0:
        return 0.0
    cover = cover_of(battle, j)
    goal = aim_goal(battle, shot_difficulty(battle.shots, band, 0, cover), current_aim(battle, i))
    row = battle.traits[i, Trait.WEAPON] - battle.traits[j, Stat.RES]
    row += battle.fight.penalty[battle.pain[j], battle.state[j], Stat.RES]
    row += battle.scalars[Rule.WOUND_OFFSET]
    pierce = battle.pierce[min(max(row, 0), battle.wound_rows - 1)]
    taken = pierce[0] + manner(battle, i, Manner.WOUND) * pierce[1]
    return chance_of(battle, goal) * min(taken, 1.0) * worth_of(battle, j)


@routine
def best_shot(battle, i):
    """The enemy at whom a shot is worth the most, and that; -1: there is none."""
    left = foes_of(battle, i)
    for _ in range(battle.n):
        best, chosen = 0.0, NO_TARGET
        for j in range(battle.n):
            if (left & bit(j)) != NONE and within(gap_to(battle, i, j), battle.ranges[i, 2]):
                worth = shot_worth(battle, i, j)
                if worth > best:
                    best, chosen = worth, j
        if chosen == NO_TARGET or is_open_to_shots(battle, i, chosen):
            return chosen, best
        left &= ~bit(chosen)
    return NO_TARGET, 0.0


# --- where to --------------------------------------------------------------------------------


@routine
def is_feared(battle, i, k):
    """Whether a charge of an enemy would cost a fighter's side more than it brings."""
    return duel_balance(battle, i, k, charge_mask(battle, k, i), NONE) < 0


@routine
def is_safe_at(battle, turn, i, x, y):
    """Whether nobody whom a fighter fears could charge it at a point, as far as one minds."""
    table, foes = battle.table, foes_of(battle, i)
    share = 1 - manner(battle, i, Manner.EAGER) * (turn - 1) / max(battle.turns - 1, 1)
    while foes != NONE:
        k, foes = lowest(foes), without_lowest(foes)
        if battle.routed[k] or enemies(table, k) != NONE:
            continue
        which = Manner.SPACING.value if can_come(battle, k) else Manner.LATER.value
        keep = manner(battle, i, which)
        dx, dy = table.x[k] - x, table.y[k] - y
        gap = math.sqrt(dx * dx + dy * dy) - table.reach[k] - table.reach[i]
        reach = keep * share * charge_reach(battle, k)
        if within(gap, reach) and is_feared(battle, i, k):
            return False
    return True


@routine
def likeliest_prey(battle, i):
    """The enemy to go for: worth the most in PA for each cm; the nearest if none is worth any."""
    left, table = foes_of(battle, i), battle.table
    best, chosen = -FAR, NO_TARGET
    limit = max(reach_of(battle, i, Action.CHARGE), 1.0)
    while left != NONE:
        j, left = lowest(left), without_lowest(left)
        gap, worth = gap_to(battle, i, j), assault_worth(battle, i, j)
        turns = (gap + limit) / limit
        rate = worth / turns if worth > 0 else worth * turns
        if rate > best:
            best, chosen = rate, j
    if best <= 0:
        chosen, _ = nearest_of(battle, i, foes_of(battle, i) & table.here)
    return chosen


@part
def is_behind(battle, i):
    """Whether a fighter's side has lost more points than it has destroyed."""
    side = side_of(battle, i)
    return battle.destroyed[side] < battle.destroyed[1 - side]


@routine
def aim_by_odds(battle, turn, i):
    """Choose to go towards the likeliest prey, as far as is safe; whether that is a move."""
    j = likeliest_prey(battle, i)
    if j == NO_TARGET:
        return False
    if assault_worth(battle, i, j) < manner(battle, i, Manner.ADVANCE) and not is_behind(battle, i):
        return False
    goal, row = battle.goals[i], battle.table.bases[i]
    aim_at(battle, i, j)
    x, y = row[Base.X], row[Base.Y]
    dx, dy = goal[0] - x, goal[1] - y
    length = math.sqrt(dx * dx + dy * dy)
    if length <= 0:
        return False
    far = min(reach_of(battle, i, Action.RUN), length)
    for k in range(STEPS_TRIED):
        part_of = far * (STEPS_TRIED - k) / STEPS_TRIED / length
        px, py = x + part_of * dx, y + part_of * dy
        if is_safe_at(battle, turn, i, px, py):
            if k > 0:
                goal[0], goal[1] = px, py
                battle.target[i] = NO_TARGET  # the goal is not at its edge
            return True
    return False


@routine
def aim_away(battle, i):
    """Choose to go away from the nearest enemy."""
    j, _ = nearest_of(battle, i, foes_of(battle, i))
    if j == NO_TARGET:
        return False
    goal, row, table = battle.goals[i], battle.table.bases[i], battle.table
    dx, dy = row[Base.X] - table.x[j], row[Base.Y] - table.y[j]
    length = max(math.sqrt(dx * dx + dy * dy), 1e-9)
    far, half = charge_reach(battle, i), 0.5 * row[Base.WIDTH]
    goal[0] = min(max(row[Base.X] + far * dx / length, half), table.width - half)
    goal[1] = min(max(row[Base.Y] + far * dy / length, half), table.depth - half)
    goal[2], goal[3] = table.x[j], table.y[j]
    return True


# --- what is announced -----------------------------------------------------------------------


@routine
def chance_to_leave(battle, i, way):
    """Chance of a try to disengage, 0 where it is not possible (M-7.2, M-7.3)."""
    value = stat(battle, i, Stat.INI) if way == Way.AGILITY else forces_left(battle, i)
    if way == Way.FORCE and value <= 0:
        return 0.0
    least = difficulty(battle.disengagement, count_bits(enemies(battle.table, i)))
    least = eased(battle, i, least)
    return chance_of(battle, goal_of(battle, least, value))


@routine
def left_behind(battle, i, met):
    """Expected balance for a fighter's side of what its friends go on to fight if it leaves."""
    total = 0.0
    while met != NONE:
        j, met = lowest(met), without_lowest(met)
        friends = enemies(battle.table, j) & ~bit(i)
        if friends != NONE:
            total -= balance(battle, j, friends, NONE, NONE)
    return total


@routine
def friends_in(battle, i, met):
    """Whether a friend of a fighter touches one of the enemies that it touches."""
    while met != NONE:
        j, met = lowest(met), without_lowest(met)
        if (enemies(battle.table, j) & ~bit(i)) != NONE:
            return True
    return False


@routine
def way_to_leave(battle, i):
    """The way to disengage that is worth more than to stay and fight (M-7); ``NO_WAY``: none."""
    met, least = enemies(battle.table, i), manner(battle, i, Manner.LEAST)
    if count_bits(met) > 1 and friends_in(battle, i, met):
        return NO_WAY  # who will fight whom is for the separation to say
    stay, fail = held_stake(battle, i, met, NONE), held_stake(battle, i, met, bit(i))
    agile, strong = chance_to_leave(battle, i, Way.AGILITY), chance_to_leave(battle, i, Way.FORCE)
    chance = max(agile, strong)
    leave = chance * left_behind(battle, i, met) + (1 - chance) * fail
    if leave <= stay + least:
        return NO_WAY
    return Way.FORCE.value if strong > agile else Way.AGILITY.value


@routine
def choose_assault(battle, i, facts, least):
    """Announce the assault that is worth the most, if it is worth more than ``least``."""
    limit, foes = reach_of(battle, i, Action.CHARGE), foes_of(battle, i)
    for j in range(battle.n):
        battle.worth[j] = -FAR
        near = (foes & bit(j)) != NONE and within(gap_to(battle, i, j), limit)
        if near and count_bits(held_by(battle, j)) < manner(battle, i, Manner.FULL):
            battle.worth[j] = prospect(battle, i, j)
    for _ in range(int(manner(battle, i, Manner.LOOKS))):
        best, chosen = least, NO_TARGET
        for j in range(battle.n):
            if battle.worth[j] > best:
                best, chosen = battle.worth[j], j
        if chosen == NO_TARGET:
            return NOTHING
        action = assail(battle, i, chosen, facts, limit)
        if action != NOTHING:
            battle.pledged[chosen] |= bit(i)
            return action
        battle.worth[chosen] = -FAR
    return NOTHING


@routine
def decide_by_odds(battle, turn, i, facts):
    """What the player by odds announces."""
    if enemies(battle.table, i) != NONE:
        if may_do(battle, facts, Step.DISENGAGE):
            battle.way[i] = way_to_leave(battle, i)
        return NOTHING
    shot = 0.0
    if has_weapon(battle, i):
        _, shot = best_shot(battle, i)
    waiting = (
        manner(battle, i, Manner.CAUTION) * threat_to(battle, i)
        + manner(battle, i, Manner.SHOT) * shot
    )
    action = choose_assault(battle, i, facts, waiting + manner(battle, i, Manner.LEAST))
    if action != NOTHING:
        return action
    if shot > 0 or has_spell(battle, i) or not may_do(battle, facts, Action.RUN):
        return NOTHING
    return Action.RUN.value if aim_by_odds(battle, turn, i) else NOTHING


@routine
def act_by_odds(battle, moment, i):
    """Get away if that was decided, cast, shoot where it is worth the most."""
    held = battle.way[i] != NO_WAY and enemies(battle.table, i) != NONE
    if held and disengage(battle, moment, i, battle.way[i]):
        can = may_do(battle, facts_of(battle, i), Action.WALK)
        if can and aim_away(battle, i):
            move_to(battle, moment, i, Action.WALK)
    cast_boldly(battle, moment, i)
    if battle.over or not has_weapon(battle, i):
        return
    if may_do(battle, facts_of(battle, i), Action.SHOOT):
        j, _ = best_shot(battle, i)
        if j != NO_TARGET:
            record_shot(battle, moment, i, j)
