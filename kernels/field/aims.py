"""Whom a fighter looks at, where it wants to go, what it may do to whom: for all styles."""

import math

from .._jit import part, routine
from ..core.sets import NONE, bit, count_bits, lowest, without_lowest
from ..layout.actions import Action
from ..layout.battle import MAX_MYSTICS, Mystic, Style
from ..layout.table import Base
from ..phases.actions import record
from ..table.geometry import FAR, within
from .activation import NO_TARGET
from .march import nearest_point, side_of
from .marksmen import is_open_to_shots, shoot
from .picks import pick
from .spells import cast, knows, may_be_cast

GRAIN = 1001  # of a random coordinate


# --- whom ------------------------------------------------------------------------------------


@part
def gap_to(battle, i, j):
    """Distance from a fighter's aim point to the circle round a base, as the crow flies."""
    row, table = battle.table.bases[i], battle.table
    dx, dy = table.x[j] - row[Base.X], table.y[j] - row[Base.Y]
    return math.sqrt(dx * dx + dy * dy) - table.reach[j]


@routine
def nearest_of(battle, i, mask):
    """The fighter of a mask that is nearest, as the crow flies, and its distance; -1: none."""
    table, best, chosen = battle.table, FAR, NO_TARGET
    x, y = table.bases[i, Base.X], table.bases[i, Base.Y]
    while mask != NONE:
        j, mask = lowest(mask), without_lowest(mask)
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


# --- what may be done to whom ----------------------------------------------------------------


@routine
def has_shot(battle, i, looks):
    """The nearest enemy that a fighter may shoot at, of so many that it looks at; -1: none."""
    left = foes_of(battle, i)
    for _ in range(looks):
        j, gap = nearest_of(battle, i, left)
        if j == NO_TARGET or not within(gap, battle.ranges[i, 2]):
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
def cast_one(battle, moment, i, known, outside):
    """Cast the first of some mystic actions that may be cast; whether there was one.

    The aggressive player casts at the nearest, the random one at anybody.
    """
    own = side_of(battle, i)
    for m in range(MAX_MYSTICS):
        if not (known >> m) & 1 or not knows(battle, i, m):
            continue
        left = battle.alive[own if battle.mystics[m, Mystic.FRIEND] else 1 - own]
        for _ in range(battle.n):
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
def record_shot(battle, moment, i, j):
    """Shoot, and note that it was done."""
    shoot(battle, moment, i, j)
    record(battle.actions, battle.done, Action.SHOOT, 0)
