"""The aggressive player: charges the nearest, shoots and casts at the nearest, else runs at him."""

from .._jit import part, routine
from ..core.sets import NONE, bit, count_bits
from ..field.activation import NO_TARGET, facts_of, find_place, may_do, reach_of, sight_fact
from ..field.aims import aim_at, cast_one, foes_of, has_shot, has_spell, nearest_of, record_shot
from ..field.march import met_at
from ..field.marksmen import has_weapon
from ..layout.actions import NOTHING, Action, Fact
from ..layout.battle import Manner, Trait
from ..phases.actions import record
from ..table.contacts import enemies
from ..table.geometry import FAR, within

NEAREST = 3  # enemies for one of whom a shooter stays where it is


@part
def manner(battle, i, which):
    """A parameter of a fighter's player."""
    return battle.manner[battle.traits[i, Trait.SIDE], which]


@routine
def assail(battle, i, j, facts, limit):
    """The assault of an enemy that a fighter can announce, ``NOTHING``: none."""
    if find_place(battle, i, j, limit) >= FAR:
        return NOTHING
    return name_targets(battle, i, j, facts, met_at(battle, i) & ~bit(j))


@routine
def name_targets(battle, i, j, facts, also):
    """Name targets: a charge if all are seen; ``NOTHING`` if it may not be made (M-4.5)."""
    fact = sight_fact(battle, i, j)
    for k in range(battle.n):
        if (also & bit(k)) != NONE and fact == 1 << Fact.SEES_TARGET:
            fact = sight_fact(battle, i, k)
    seen = fact == 1 << Fact.SEES_TARGET
    action = Action.CHARGE.value if seen else Action.ENGAGE.value
    if not may_do(battle, facts | fact, action):
        return NOTHING
    battle.target[i], battle.also[i] = j, also
    return action


@routine
def assail_nearest(battle, i, facts, most):
    """Assail the nearest enemy in reach, no farther than some distance; the action."""
    limit, left = reach_of(battle, i, Action.CHARGE), foes_of(battle, i)
    for _ in range(int(manner(battle, i, Manner.LOOKS))):
        j, gap = nearest_of(battle, i, left)
        if j == NO_TARGET or not within(gap, min(limit, most)):
            return NOTHING
        left &= ~bit(j)
        if count_bits(enemies(battle.table, j)) < manner(battle, i, Manner.FULL):
            action = assail(battle, i, j, facts, limit)
            if action != NOTHING:
                return action
    return NOTHING


@routine
def has_ranged_task(battle, i):
    """Whether a fighter stays where it is to shoot or to cast."""
    shoots = has_weapon(battle, i) and has_shot(battle, i, NEAREST) != NO_TARGET
    return shoots or has_spell(battle, i)


@routine
def decide_boldly(battle, i, facts):
    """What the aggressive player announces."""
    if enemies(battle.table, i) != NONE:
        return NOTHING
    action = assail_nearest(battle, i, facts, FAR)
    if action != NOTHING:
        return action
    if has_ranged_task(battle, i) or not may_do(battle, facts, Action.RUN):
        return NOTHING
    j, _ = nearest_of(battle, i, foes_of(battle, i))
    if j == NO_TARGET:
        return NOTHING
    aim_at(battle, i, j)
    return Action.RUN.value


@routine
def cast_boldly(battle, moment, i):
    """Cast at the nearest what can be paid for."""
    facts = facts_of(battle, i)
    while not battle.over and battle.known[i] != 0 and may_do(battle, facts, Action.MYSTIC):
        if not cast_one(battle, moment, i, battle.known[i], 0):
            break
        record(battle.actions, battle.done, Action.MYSTIC, 0)


@routine
def shoot_boldly(battle, moment, i):
    """Shoot at the nearest."""
    facts = facts_of(battle, i)  # who held it may be dead
    if battle.over or not has_weapon(battle, i) or not may_do(battle, facts, Action.SHOOT):
        return
    j = has_shot(battle, i, battle.n)
    if j != NO_TARGET:
        record_shot(battle, moment, i, j)


@routine
def act_boldly(battle, moment, i):
    """Cast at the nearest, shoot at the nearest."""
    cast_boldly(battle, moment, i)
    shoot_boldly(battle, moment, i)
