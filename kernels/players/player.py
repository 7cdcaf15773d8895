"""What a fighter does, by the style of its side's player (`layout.battle.Style`)."""

from .._jit import routine
from ..core.dice import note
from ..core.sets import NONE, bit
from ..field.activation import NO_TARGET, NO_WAY, begin_acting, facts_of, may_do, reach_of
from ..field.aims import aim_at_random, cast_one
from ..field.picks import pick
from ..layout.actions import NOTHING, Action
from ..layout.battle import Deed, Style, Trait
from ..layout.log import Story
from ..table.contacts import enemies
from .bold import act_boldly, decide_boldly
from .line import act_in_line, decide_defensively, decide_in_line, decide_on_flanks
from .odds import act_by_odds, decide_by_odds
from .random import act_at_random, decide_at_random


@routine
def decide(battle, moment, i):
    """What a fighter does in its activation: an exclusive action, or NOTHING of that kind."""
    battle.way[i], battle.target[i], battle.also[i] = NO_WAY, NO_TARGET, NONE
    begin_acting(battle)
    if battle.routed[i]:
        return Deed.FLEE.value if enemies(battle.table, i) == NONE else NOTHING
    facts = facts_of(battle, i)
    if (battle.duty & bit(i)) != NONE and may_do(battle, facts, Action.UNDER_COVER):
        aim_at_random(battle, moment, i, reach_of(battle, i, Action.UNDER_COVER))
        return Action.UNDER_COVER.value
    style = battle.style[battle.traits[i, Trait.SIDE]]
    if style == Style.RANDOM:
        return decide_at_random(battle, moment, i, facts)
    if style == Style.DEFENSIVE:
        return decide_defensively(battle, i, facts)
    if style == Style.SHOOTING_LINE:
        return decide_in_line(battle, i, facts)
    if style == Style.REFUSE_FLANK:
        return decide_on_flanks(battle, moment.turn, i, facts)
    if style == Style.BY_ODDS:
        return decide_by_odds(battle, moment.turn, i, facts)
    return decide_boldly(battle, i, facts)


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
    style = battle.style[battle.traits[i, Trait.SIDE]]
    if battle.routed[i] == 0:
        if style == Style.RANDOM:
            act_at_random(battle, moment, i)
        elif style == Style.SHOOTING_LINE:
            act_in_line(battle, moment, i)
        elif style == Style.BY_ODDS:
            act_by_odds(battle, moment, i)
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
