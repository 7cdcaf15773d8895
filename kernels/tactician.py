"""What the players of a battle decide, by the style of each side (``battle_codes.Style``).

RANDOM makes legal decisions at random; some that the rules leave open it never makes: several
targets, pivots, another target of a redirected assault than the nearest. AGGRESSIVE charges the
nearest enemy that it can reach, engages one that it does not see, shoots if it has a weapon and
a target, casts what it knows, else runs at the nearest.
"""

import math

from estoc.kernels._jit import part, routine
from estoc.kernels.action_codes import NOTHING, Action, Fact, Step
from estoc.kernels.actions import record
from estoc.kernels.activation import (
    NO_TARGET,
    NO_WAY,
    begin_acting,
    disengage,
    facts_of,
    find_place,
    forces_left,
    may_do,
    move_to,
    reach_of,
    sight_fact,
)
from estoc.kernels.battle_codes import MAX_MYSTICS, Deed, Mystic, Story, Style, Trait
from estoc.kernels.contacts import NONE, bit, enemies
from estoc.kernels.dice import note
from estoc.kernels.disengage_codes import Way
from estoc.kernels.geometry import FAR
from estoc.kernels.march import LENGTH, TOLL, can_end, count_bits, nearest_point, side_of, stand
from estoc.kernels.marksmen import has_weapon, is_open_to_shots, shoot
from estoc.kernels.picks import pick
from estoc.kernels.spells import cast, knows, may_be_cast
from estoc.kernels.table_codes import Base

TRIES = 3  # enemies that are looked at, the nearest first
ASSAULTS = 2  # of them, whom the aggressive player may assail
FULL = 4  # enemies in contact from which one is not assailed
RANDOM_STEPS = 4  # cumulative actions that are tried at random
GRAIN = 1001  # of a random coordinate
DIRECTIONS = 16


# --- whom ------------------------------------------------------------------------------------


@routine
def nearest_of(battle, i, mask):
    """The fighter of a mask that is nearest, as the crow flies, and its distance; -1: none."""
    table, best, chosen = battle.table, FAR, NO_TARGET
    x, y = table.bases[i, Base.X], table.bases[i, Base.Y]
    for j in range(battle.n):
        if (mask & bit(j)) != NONE:
            dx, dy = table.x[j] - x, table.y[j] - y
            gap = math.sqrt(dx * dx + dy * dy) - table.reach[j]
            if gap < best:
                best, chosen = gap, j
    return chosen, best


@part
def foes_of(battle, i):
    """Mask of a fighter's living enemies."""
    return battle.alive[1 - side_of(battle, i)]


@routine
def any_of(battle, moment, mask):
    """A fighter of a mask, all as likely."""
    k = pick(battle, moment, count_bits(mask))
    for j in range(battle.n):
        if (mask & bit(j)) != NONE:
            if k == 0:
                return j
            k -= 1
    return NO_TARGET


# --- where to --------------------------------------------------------------------------------


@routine
def aim_at_random(battle, moment, i, limit):
    """Choose any point within reach to go to, and any to look at."""
    goal, row, table = battle.goals[i], battle.table.bases[i], battle.table
    for k in range(4):
        far = limit * (2 * pick(battle, moment, GRAIN) - GRAIN + 1) / (GRAIN - 1)
        goal[k] = far + (row[Base.X] if k % 2 == 0 else row[Base.Y])
    goal[0] = min(max(goal[0], 0.0), table.width)
    goal[1] = min(max(goal[1], 0.0), table.depth)


@routine
def aim_at(battle, i, j):
    """Choose to go towards an enemy, looking at it."""
    goal = battle.goals[i]
    battle.target[i] = j  # nothing else is looked at of it: the way to its edge is not in its way
    goal[0], goal[1] = nearest_point(battle, i, j)
    goal[2], goal[3] = battle.table.x[j], battle.table.y[j]


# --- what is announced -----------------------------------------------------------------------


@routine
def has_shot(battle, i):
    """An enemy that a fighter may shoot at, among the nearest; -1: none."""
    left = foes_of(battle, i)
    for _ in range(TRIES):
        j, gap = nearest_of(battle, i, left)
        if j == NO_TARGET or gap > battle.ranges[i, 2]:
            return NO_TARGET
        if is_open_to_shots(battle, i, j):
            return j
        left &= ~bit(j)
    return NO_TARGET


@routine
def has_spell(battle, i):
    """Whether a fighter may cast something at the nearest enemy or friend."""
    own = side_of(battle, i)
    for m in range(MAX_MYSTICS):
        if battle.known[i] != 0 and knows(battle, i, m):
            friends = battle.mystics[m, Mystic.FRIEND] == 1
            j, _ = nearest_of(battle, i, battle.alive[own if friends else 1 - own])
            if j != NO_TARGET and may_be_cast(battle, i, m, j):
                return True
    return False


@routine
def decide_boldly(battle, i, facts):
    """What the aggressive player announces."""
    if enemies(battle.table, i) != NONE:
        return NOTHING
    limit, left = reach_of(battle, i, Action.CHARGE), foes_of(battle, i)
    first = NO_TARGET
    for _ in range(ASSAULTS):
        j, gap = nearest_of(battle, i, left)
        if first == NO_TARGET:
            first = j
        if j == NO_TARGET or gap > limit:
            break
        left &= ~bit(j)
        if count_bits(enemies(battle.table, j)) < FULL and find_place(battle, i, j, limit) < FAR:
            fact = sight_fact(battle, i, j)
            seen = fact == 1 << Fact.SEES_TARGET
            action = Action.CHARGE.value if seen else Action.ENGAGE.value
            if may_do(battle, facts | fact, action):
                battle.target[i] = j
                return action
    if has_weapon(battle, i) and has_shot(battle, i) != NO_TARGET:
        return NOTHING
    if has_spell(battle, i) or first == NO_TARGET or not may_do(battle, facts, Action.RUN):
        return NOTHING
    aim_at(battle, i, first)
    return Action.RUN.value


@routine
def leave_at_random(battle, moment, i, facts):
    """What the random player announces for one who touches enemies."""
    if not may_do(battle, facts, Step.DISENGAGE) or pick(battle, moment, 2) == 0:
        return NOTHING
    by_force = forces_left(battle, i) > 0 and pick(battle, moment, 2) == 0
    battle.way[i] = Way.FORCE.value if by_force else Way.AGILITY.value
    if pick(battle, moment, 2) == 0:
        return NOTHING
    battle.target[i] = any_of(battle, moment, foes_of(battle, i))
    return Action.ENGAGE.value


@routine
def decide_at_random(battle, moment, i, facts):
    """What the random player announces."""
    if enemies(battle.table, i) != NONE:
        return leave_at_random(battle, moment, i, facts)
    k = pick(battle, moment, 8)
    if k < 3:
        j = any_of(battle, moment, foes_of(battle, i))
        fact = sight_fact(battle, i, j)
        seen = fact == 1 << Fact.SEES_TARGET
        action = Action.CHARGE.value if seen else Action.ENGAGE.value
        if may_do(battle, facts | fact, action):
            battle.target[i] = j
            return action
    elif k < 5:
        action = Action.RUN.value if k == 3 else Action.UNDER_COVER.value
        if may_do(battle, facts, action):
            aim_at_random(battle, moment, i, reach_of(battle, i, action))
            return action
    return NOTHING


@routine
def decide(battle, moment, i):
    """What a fighter does in its activation: an exclusive action, or NOTHING of that kind."""
    battle.way[i], battle.target[i] = NO_WAY, NO_TARGET
    begin_acting(battle)
    if battle.routed[i]:
        return Deed.FLEE.value if enemies(battle.table, i) == NONE else NOTHING
    facts = facts_of(battle, i)
    if (battle.duty & bit(i)) != NONE and may_do(battle, facts, Action.UNDER_COVER):
        aim_at_random(battle, moment, i, reach_of(battle, i, Action.UNDER_COVER))
        return Action.UNDER_COVER.value
    if battle.style[battle.traits[i, Trait.SIDE]] == Style.RANDOM:
        return decide_at_random(battle, moment, i, facts)
    return decide_boldly(battle, i, facts)


# --- what the others do ----------------------------------------------------------------------


@routine
def cast_one(battle, moment, i, known, outside):
    """Cast the first of some mystic actions that may be cast; whether there was one.

    The aggressive player casts at the nearest, the random one at anybody.
    """
    own = side_of(battle, i)
    for m in range(MAX_MYSTICS):
        if not (known >> m) & 1 or not knows(battle, i, m):
            continue
        left = battle.alive[own if battle.mystics[m, Mystic.FRIEND] else 1 - own]
        for _ in range(TRIES):
            if left == NONE:
                break
            if battle.style[own] == Style.RANDOM:
                j = any_of(battle, moment, left)
            else:
                j, _ = nearest_of(battle, i, left)
            left &= ~bit(j)
            if may_be_cast(battle, i, m, j):
                cast(battle, moment, i, m, j, outside)
                return True
    return False


@routine
def turn_at_random(battle, moment, i):
    """Turn on the spot to any side, if there is room (M-1.5)."""
    row, place = battle.table.bases[i], battle.place
    angle = 2 * math.pi * pick(battle, moment, DIRECTIONS) / DIRECTIONS
    fx, fy = math.cos(angle), math.sin(angle)
    if battle.mou[i] <= 0 or not can_end(battle, i, row[Base.X], row[Base.Y], fx, fy):
        return
    place[0], place[1], place[2], place[3] = row[Base.X], row[Base.Y], fx, fy
    place[LENGTH] = place[TOLL] = 0.0
    record(battle.actions, battle.done, Step.TURN, 0)
    stand(battle, moment, i, NO_TARGET, Step.TURN, 0, 0)


@routine
def shoot_at_random(battle, moment, i):
    """Shoot at any enemy that may be shot at, among a few that are looked at."""
    left = foes_of(battle, i)
    for _ in range(TRIES):
        if left == NONE:
            return
        j = any_of(battle, moment, left)
        left &= ~bit(j)
        if is_open_to_shots(battle, i, j):
            record_shot(battle, moment, i, j)
            return


@routine
def record_shot(battle, moment, i, j):
    """Shoot, and note that it was done."""
    shoot(battle, moment, i, j)
    record(battle.actions, battle.done, Action.SHOOT, 0)


@routine
def walk_at_random(battle, moment, i):
    """Walk to any point."""
    aim_at_random(battle, moment, i, reach_of(battle, i, Action.WALK))
    move_to(battle, moment, i, Action.WALK)


@routine
def step_at_random(battle, moment, i, step):
    """Do a step of the random player's, if it is legal; whether something was tried."""
    facts = facts_of(battle, i)
    if not may_do(battle, facts, step):
        return False
    if step == Step.ANNOUNCE_WALK:
        if not has_weapon(battle, i):
            return False
        record(battle.actions, battle.done, step, 0)
        note(moment, Story.ANNOUNCE_WALK, 0, i, -1, 0, 0, 0, 0)
    elif step == Action.WALK:
        walk_at_random(battle, moment, i)
    elif step == Step.TURN:
        turn_at_random(battle, moment, i)
    elif step == Action.SHOOT:
        shoot_at_random(battle, moment, i)
    elif cast_one(battle, moment, i, battle.known[i], 0):
        record(battle.actions, battle.done, Action.MYSTIC, 0)
    return True


RANDOM_CHOICES = (
    Action.WALK.value,
    Action.SHOOT.value,
    Action.MYSTIC.value,
    Step.TURN.value,
    Step.ANNOUNCE_WALK.value,
)


@routine
def act_at_random(battle, moment, i):
    """Do cumulative actions in any order."""
    if battle.way[i] != NO_WAY and enemies(battle.table, i) != NONE:
        disengage(battle, moment, i, battle.way[i])
    for _ in range(RANDOM_STEPS):
        k = pick(battle, moment, 6)
        if k == 5 or battle.over:
            break
        step_at_random(battle, moment, i, RANDOM_CHOICES[k])
    owed = battle.done[Step.ANNOUNCE_WALK] > 0 and battle.done[Action.WALK] == 0
    if owed and not battle.over and may_do(battle, facts_of(battle, i), Action.WALK):
        walk_at_random(battle, moment, i)


@routine
def act_boldly(battle, moment, i):
    """Cast at the nearest, shoot at the nearest."""
    facts = facts_of(battle, i)
    while not battle.over and battle.known[i] != 0 and may_do(battle, facts, Action.MYSTIC):
        if not cast_one(battle, moment, i, battle.known[i], 0):
            break
        record(battle.actions, battle.done, Action.MYSTIC, 0)
    facts = facts_of(battle, i)  # who held it may be dead
    if battle.over or not has_weapon(battle, i) or not may_do(battle, facts, Action.SHOOT):
        return
    j = has_shot(battle, i)
    if j != NO_TARGET:
        record_shot(battle, moment, i, j)


@routine
def has_acted(battle):
    """Whether who acts has done anything."""
    total = 0
    for step in range(len(battle.done)):
        total += battle.done[step]
    return total > 0


@routine
def act(battle, moment, i):
    """Do what is not announced (A-5.3)."""
    begin_acting(battle)
    if battle.routed[i] == 0:
        if battle.style[battle.traits[i, Trait.SIDE]] == Style.RANDOM:
            act_at_random(battle, moment, i)
        else:
            act_boldly(battle, moment, i)
    if not has_acted(battle):
        note(moment, Story.NOTHING, 0, i, -1, 0, 0, 0, 0)


@routine
def answer_with_magic(battle, moment):
    """Let the random players cast what may be cast while others act (A-5.4)."""
    for i in range(battle.n):
        caster = battle.known[i] & battle.outside
        if caster == 0 or (battle.table.here & bit(i)) == NONE or battle.over:
            continue
        able = battle.style[battle.traits[i, Trait.SIDE]] == Style.RANDOM and battle.routed[i] == 0
        if able and pick(battle, moment, 2) == 0:
            cast_one(battle, moment, i, caster, 1)
