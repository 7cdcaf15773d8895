"""How a fighter with abilities places his combat dice (W-7, C-3); `policy` does it for others."""

from .._jit import part, routine
from ..layout.abilities import Effect, Number, Roll
from ..layout.combat import OPTIMAL, Column, Decision, Use
from .feats import has, note_feat, number_of, opens_of


@part
def all_in_defence(fight, turn, i):
    """Whether all dice of a fighter have to be in defence (C-3.6)."""
    forced = fight.fighters[i, Column.ALL_DEFENCE]
    return forced == 2 or (forced == 1 and turn == 0)


@part
def has_charged(fight, turn, i):
    """Whether a fighter charged before this combat."""
    charging = fight.fighters[i, Column.CHARGING]
    return charging == 2 or (charging == 1 and turn == 0)


@part
def extra_dice(fight, i):
    """Dice that a fighter has besides those of C-3.1."""
    return number_of(fight, i, Effect.EXTRA_DICE, Number.EXTRA_DICE)


@part
def held_back(fight, i, dice):
    """How many of his dice a fighter leaves unplaced."""
    return min(number_of(fight, i, Effect.HOLD_BACK, Number.HELD_DICE), dice)


@part
def decision_of(fight, i, decision):
    """Value of a decision in the policy of fighter ``i``'s side."""
    return fight.policy[min(i, 1), decision]


@routine
def chain_ways(fight, i):
    """From how many numbers of dice of a chain the best is looked for; 1: from none."""
    if decision_of(fight, i, Decision.CHAIN) != OPTIMAL:
        return 1
    return 1 + number_of(fight, i, Effect.CHAIN, Number.CHAIN_DICE)


@part
def most_chained(fight, i):
    """Most dice of a chain that a fighter takes, by his policy."""
    most = number_of(fight, i, Effect.CHAIN, Number.CHAIN_DICE)
    chain = decision_of(fight, i, Decision.CHAIN)
    return most if chain == OPTIMAL else min(most, chain)


@part
def may_rage(fight, i):
    """Whether a fighter may declare fury: the caller has put none of his dice in defence."""
    return has(fight, i, Effect.FURY) and fight.fighters[i, Column.PLACED_DEFENCE] <= 0


@part
def splits_freely(fight, i):
    """Whether the best split is looked for."""
    placed = fight.fighters[i, Column.PLACED_ATTACK] >= 0
    return not placed and decision_of(fight, i, Decision.PLACEMENT) == OPTIMAL


@routine
def placings_of(fight, turn, i, dice):
    """In how many ways a fighter of an open policy may place his dice, chain and fury included.

    A way's number is the chain's dice, then, in multiples of its ways, the attack dice, and
    after the last of them fury.
    """
    if all_in_defence(fight, turn, i):
        return 1
    chain = chain_ways(fight, i)
    most = dice - held_back(fight, i, dice) + most_chained(fight, i)
    splits = most + 1 if splits_freely(fight, i) else 1
    fury = may_rage(fight, i) and decision_of(fight, i, Decision.FURY) == OPTIMAL
    return chain * (splits + fury)


@part
def chain_taken(fight, i, way):
    """Dice that a fighter takes besides, at the cost of ATT and DEF."""
    ways = chain_ways(fight, i)
    if ways > 1:
        return way % ways
    return most_chained(fight, i)


@part
def rages(fight, i, free, split, most, attack, whole):
    """Whether a fighter declares fury.

    Parameters
    ----------
    free : bool
        Whether the best split is looked for.
    split, most : int
        Which one is tried, from 0, and the last of them; one more is fury.
    attack, whole : int
        Attack dice by his policy, and the dice that he places.
    """
    if not may_rage(fight, i):
        return False
    fury = decision_of(fight, i, Decision.FURY)
    if fury == OPTIMAL:
        return split > (most if free else 0)
    return fury == Use.ALWAYS or (fury == Use.USEFUL and attack == whole)


@routine
def begin_feats(fight, turn, i):
    """Give a fighter what his abilities have in one combat."""
    fight.luck[i] = number_of(fight, i, Effect.LUCK, Number.LUCK_TESTS)
    fight.fresh[i] = has_charged(fight, turn, i)
    fight.doomed[i] = fight.held[i] = fight.chained[i] = fight.furious[i] = 0
    for roll in (Roll.INITIATIVE, Roll.ATTACK, Roll.DEFENCE):
        fight.opens[i, roll] = opens_of(fight, i, roll)


@part
def settle(fight, i, attack, defence):
    """Enter the dice that a fighter has placed."""
    fight.attack[i], fight.defence[i] = attack, defence
    fight.into_attack[i], fight.into_defence[i] = attack, defence
    fight.may_sustain[i] = defence >= attack


@part
def tell_placing(fight, moment, i):
    """Log what a fighter took besides."""
    if fight.furious[i]:
        dice = fight.numbers[i, Number.FURY_DICE]
        note_feat(moment, 0, i, -1, Effect.FURY, dice, 0, 0)
    if fight.chained[i]:
        note_feat(moment, 0, i, -1, Effect.CHAIN, fight.chained[i], 0, 0)
