"""The strategic phase of a turn: sequences of cards, the Tactics roll, who speaks first (T-2)."""

import numpy as np

from .._jit import routine
from ..combat.feats import opens_of
from ..core.dice import SIX_OPENS, note
from ..core.sets import NONE, bit
from ..layout.abilities import Roll
from ..layout.battle import Custom, Trait
from ..layout.log import Story
from ..phases.cards import deal
from ..phases.opposed import tactics_roll
from ..players.cards import order_pile, wants_the_word


@routine
def deal_cards(battle, moment):
    """Arrange both piles of the cards that have a living fighter (T-2.2, A-1.2)."""
    phase = battle.phase
    phase.trials[0], phase.turn = battle.trial, moment.turn
    phase.present[0] = phase.present[1] = 0
    for i in range(battle.n):
        if (battle.table.here & bit(i)) != NONE:
            row = battle.traits[i]
            phase.present[row[Trait.SIDE]] |= 1 << row[Trait.CARD]
    deal(phase)
    for side in range(2):
        if battle.deals[side]:
            order_pile(battle, side)
        phase.refusals[side] = max(phase.refusals[side] + battle.more_refusals[side], 0)
        for place in range(phase.size[side]):
            card = np.int64(phase.order[side, place])
            note(moment, Story.CARD, place, side, -1, 0, card, 0, 0)


@routine
def tactician_of(battle, side):
    """The fighter who makes a side's Tactics roll, -1: nobody; his own Discipline (T-2.3)."""
    best, chosen = -1, -1
    for i in range(battle.n):
        row = battle.traits[i]
        able = (
            row[Trait.SIDE] == side and row[Trait.TACTICS] and (battle.table.here & bit(i)) != NONE
        )
        able = able and (battle.customs[Custom.ROUTED_MAY_ROLL] or battle.routed[i] == 0)
        if able and row[Trait.DIS] > best:
            best, chosen = row[Trait.DIS], i
    return chosen, best


@routine
def roll_tactics(battle, moment, tester, other):
    """Make the Tactics roll, with what the testers' abilities change in it (T-2.3, W-7)."""
    phase = battle.phase
    for side in range(2):
        i = tester if side == 0 else other
        phase.opening[side] = phase.luck[side] = 0
        if i >= 0:
            phase.opening[side] = SIX_OPENS - opens_of(battle, i, Roll.DISCIPLINE)
            phase.luck[side] = battle.luck[i]
    phase.won = tactics_roll(phase, moment, tester, other)
    for side in range(2):
        i = tester if side == 0 else other
        if i >= 0:
            battle.luck[i] = phase.luck[side]


@routine
def begin_turn(battle, moment):
    """The strategic phase: sequences, the Tactics roll, who speaks first (T-2)."""
    phase = battle.phase
    deal_cards(battle, moment)
    tester, own = tactician_of(battle, 0)
    other, enemy = tactician_of(battle, 1)
    phase.discipline[0], phase.discipline[1] = own, enemy
    if own >= 0 and enemy >= 0:
        note(moment, Story.VALUES, 0, own, enemy, 0, 0, 0, 0)
    roll_tactics(battle, moment, tester, other)
    second = phase.speaks_second[phase.won] != 0
    if battle.deals[phase.won]:
        second = not wants_the_word(battle, phase.won)
    phase.first = 1 - phase.won if second else phase.won
    if battle.first_word >= 0:
        phase.first = battle.first_word
    note(moment, Story.FIRST, 0, phase.first, phase.won, 0, 0, 0, 0)
