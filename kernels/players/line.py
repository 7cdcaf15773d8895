"""Players who hold a line: the defensive one, the shooting line, the one who refuses a flank."""

import math

from .._jit import part, routine
from ..combat.feats import has
from ..core.sets import NONE, bit
from ..field.activation import NO_TARGET, facts_of, may_do, move_to, reach_of
from ..field.aims import foes_of, gap_to, nearest_of
from ..field.march import side_of
from ..field.marksmen import has_weapon
from ..layout.abilities import Effect, Number
from ..layout.actions import NOTHING, Action
from ..layout.battle import Manner, Trait
from ..layout.table import Base
from ..table.contacts import enemies
from ..table.geometry import within
from .bold import assail_nearest, cast_boldly, decide_boldly, has_ranged_task, manner, shoot_boldly

CHARGE = 2  # multiple of MOU that an enemy's charge is good for, in what a player expects


# --- the defensive player --------------------------------------------------------------------


@routine
def decide_defensively(battle, i, facts):
    """Charge only who is well within reach; else shoot, cast, or hold the ground."""
    if enemies(battle.table, i) != NONE:
        return NOTHING
    most = manner(battle, i, Manner.REACH) * reach_of(battle, i, Action.CHARGE)
    return assail_nearest(battle, i, facts, most)


# --- the shooting line -----------------------------------------------------------------------


@routine
def aim_short_of(battle, i, j, keep):
    """Choose to go towards an enemy up to a distance, or away to it; whether that is a move."""
    goal, row, table = battle.goals[i], battle.table.bases[i], battle.table
    dx, dy = table.x[j] - row[Base.X], table.y[j] - row[Base.Y]
    length = math.sqrt(dx * dx + dy * dy)
    far = gap_to(battle, i, j) - keep
    if length <= 0 or within(abs(far), 0.0):
        return False
    x, y = row[Base.X] + far * dx / length, row[Base.Y] + far * dy / length
    half = 0.5 * row[Base.WIDTH]
    goal[0] = min(max(x, half), table.width - half)
    goal[1] = min(max(y, half), table.depth - half)
    goal[2], goal[3] = table.x[j], table.y[j]
    return True


@part
def charge_reach(battle, j):
    """How far an enemy's charge is expected to go (M-4.1, W-7)."""
    fast = has(battle, j, Effect.FAST)
    return (battle.numbers[j, Number.FAST_FACTOR] if fast else CHARGE) * battle.mou[j]


@routine
def safe_distance(battle, i, j):
    """How far a shooter keeps from an enemy: out of his charge, and some."""
    return charge_reach(battle, j) + manner(battle, i, Manner.GAP)


@routine
def has_shooters(battle, side):
    """Whether a side has a living fighter with a weapon to shoot with."""
    for i in range(battle.n):
        if (battle.alive[side] & bit(i)) != NONE and has_weapon(battle, i):
            return True
    return False


@routine
def decide_in_line(battle, i, facts):
    """Shooters come into range and no nearer; the others hold before them, or charge.

    Without shooters it is the aggressive player.
    """
    if not has_shooters(battle, side_of(battle, i)):
        return decide_boldly(battle, i, facts)
    if enemies(battle.table, i) != NONE or not has_weapon(battle, i):
        return decide_defensively(battle, i, facts)
    j, gap = nearest_of(battle, i, foes_of(battle, i))
    if j == NO_TARGET or has_ranged_task(battle, i):
        return NOTHING
    keep = max(safe_distance(battle, i, j), battle.ranges[i, 0])
    if within(gap, keep) or not may_do(battle, facts, Action.RUN):
        return NOTHING
    if aim_short_of(battle, i, j, keep):
        return Action.RUN.value
    return NOTHING


@routine
def act_in_line(battle, moment, i):
    """Walk out of an enemy's charge, then shoot."""
    cast_boldly(battle, moment, i)
    if battle.over:
        return
    j, gap = nearest_of(battle, i, foes_of(battle, i))
    free = enemies(battle.table, i) == NONE and has_weapon(battle, i)
    if free and not within(safe_distance(battle, i, j), gap):
        can = may_do(battle, facts_of(battle, i), Action.WALK)
        if can and aim_short_of(battle, i, j, safe_distance(battle, i, j)):
            move_to(battle, moment, i, Action.WALK)
    shoot_boldly(battle, moment, i)


# --- the refused flank -----------------------------------------------------------------------


@routine
def is_on_wing(battle, i, high, share):
    """Whether a fighter began on the upper, or lower, flank of the table."""
    y = battle.first_bases[i, Base.Y] / battle.table.depth
    return y > 1 - share if high else y < share


@routine
def refuses_upper(battle, side, share):
    """Whether a player refuses the upper flank: where more of the enemy's points began."""
    lead = 0
    for j in range(battle.n):
        if battle.traits[j, Trait.SIDE] != side:
            points = max(battle.traits[j, Trait.PA], 0)
            if is_on_wing(battle, j, True, share):
                lead += points
            if is_on_wing(battle, j, False, share):
                lead -= points
    return lead > 0 or (lead == 0 and side == 0)


@routine
def decide_on_flanks(battle, turn, i, facts):
    """Hold on the refused flank until a turn, be bold elsewhere."""
    side = side_of(battle, i)
    share = manner(battle, i, Manner.WING)
    holds = turn <= manner(battle, i, Manner.UNTIL)
    if holds and is_on_wing(battle, i, refuses_upper(battle, side, share), share):
        return decide_defensively(battle, i, facts)
    return decide_boldly(battle, i, facts)
