"""The random player: legal decisions, all as likely, but for some that it never makes.

It never pivots anybody, and redirects an assault to the nearest.
"""

import math

from .._jit import routine
from ..core.dice import note
from ..core.sets import NONE, bit
from ..field.activation import (
    NO_TARGET,
    NO_WAY,
    disengage,
    facts_of,
    find_place,
    forces_left,
    may_do,
    move_to,
    reach_of,
)
from ..field.aims import aim_at_random, any_of, cast_one, foes_of, record_shot
from ..field.march import LENGTH, TOLL, can_end, met_at, stand
from ..field.marksmen import has_weapon, is_open_to_shots
from ..field.picks import pick
from ..layout.actions import NOTHING, Action, Step
from ..layout.log import Story
from ..layout.rolls import Way
from ..layout.table import Base
from ..phases.actions import record
from ..table.contacts import enemies
from ..table.geometry import FAR
from .bold import name_targets

RANDOM_STEPS = 4  # cumulative actions that are tried
DIRECTIONS = 16


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
        also = NONE
        if find_place(battle, i, j, reach_of(battle, i, Action.CHARGE)) < FAR:
            also = met_at(battle, i) & ~bit(j)
        return name_targets(battle, i, j, facts, also)
    if k < 5:
        action = Action.RUN.value if k == 3 else Action.UNDER_COVER.value
        if may_do(battle, facts, action):
            aim_at_random(battle, moment, i, reach_of(battle, i, action))
            return action
    return NOTHING


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
    """Shoot at any enemy that may be shot at."""
    left = foes_of(battle, i)
    for _ in range(battle.n):
        if left == NONE:
            return
        j = any_of(battle, moment, left)
        left &= ~bit(j)
        if is_open_to_shots(battle, i, j):
            record_shot(battle, moment, i, j)
            return


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
