"""How the player by odds plays its cards: who acts now, who waits (A-1, A-2, T-2.2, T-2.4)."""

import numpy as np

from .._jit import routine
from ..core.sets import NONE, lowest, without_lowest
from ..field.activation import begin_acting, reach_of
from ..field.aims import foes_of, gap_to
from ..field.stakes import worth_of
from ..layout.actions import Action
from ..layout.battle import Manner, Trait
from ..layout.cards import Move
from ..phases.cards import cards_left, legal_moves
from ..table.contacts import enemies
from .bold import manner
from .odds import prospect, threat_to

NO_CARD = -1.0


@routine
def haste_of(battle, i):
    """What it is worth to a fighter's side that it acts before the enemy does; see `comers`."""
    if battle.haste_stamp[i] != battle.stamp:
        battle.haste_stamp[i] = battle.stamp
        battle.haste[i] = find_haste(battle, i)
    return battle.haste[i]


@routine
def find_haste(battle, i):
    """As `haste_of`."""
    if enemies(battle.table, i) != NONE or battle.routed[i]:
        return 0.0
    limit = reach_of(battle, i, Action.CHARGE)
    best, foes = 0.0, foes_of(battle, i)
    while foes != NONE:
        j, foes = lowest(foes), without_lowest(foes)
        if gap_to(battle, i, j) <= limit:
            best = max(best, prospect(battle, i, j))
    return best - manner(battle, i, Manner.DANGER) * threat_to(battle, i)


@routine
def haste_of_card(battle, side, card):
    """The same of all fighters of a card."""
    total, left = 0.0, battle.alive[side]
    while left != NONE:
        i, left = lowest(left), without_lowest(left)
        if battle.traits[i, Trait.CARD] == card:
            total += haste_of(battle, i)
    return total


@routine
def points_of_card(battle, side, card):
    """PA of a card's living fighters."""
    total, left = 0, battle.alive[side]
    while left != NONE:
        i, left = lowest(left), without_lowest(left)
        if battle.traits[i, Trait.CARD] == card:
            total += worth_of(battle, i)
    return total


@routine
def rank_of_card(battle, side, card):
    """What a pile is ordered by, the most first: haste that cannot wait, else few points."""
    haste = haste_of_card(battle, side, card)
    if haste >= battle.manner[side, Manner.WAIT]:
        return haste
    return -1.0 - points_of_card(battle, side, card)


@routine
def order_pile(battle, side):
    """Arrange a side's pile (T-2.2)."""
    phase = battle.phase
    begin_acting(battle)
    for place in range(phase.size[side]):
        battle.worth[place] = rank_of_card(battle, side, np.int64(phase.order[side, place]))
    for last in range(1, phase.size[side]):
        place = last
        while place > 0 and battle.worth[place] > battle.worth[place - 1]:
            before = place - 1
            battle.worth[place], battle.worth[before] = battle.worth[before], battle.worth[place]
            order = phase.order
            order[side, place], order[side, before] = order[side, before], order[side, place]
            place = before


@routine
def wants_the_word(battle, side):
    """Whether a side that may say who speaks first takes the word itself (T-2.4)."""
    phase, total = battle.phase, 0.0
    begin_acting(battle)
    for place in range(phase.size[side]):
        total += max(haste_of_card(battle, side, np.int64(phase.order[side, place])), 0.0)
    return total >= battle.manner[side, Manner.WAIT]


@routine
def speak_by_odds(battle, side):
    """The move of cards that a side makes: who is in haste acts, the others wait (A-2)."""
    phase, wait = battle.phase, battle.manner[side, Manner.WAIT]
    begin_acting(battle)
    legal, top, held = legal_moves(phase, side), NO_CARD, NO_CARD
    pile = phase.size[side] - phase.next[side]
    if pile > 0:
        top = haste_of_card(battle, side, np.int64(phase.order[side, phase.next[side]]))
    if phase.held[side] >= 0:
        held = haste_of_card(battle, side, np.int64(phase.order[side, phase.held[side]]))
    if max(top, held) < wait and cards_left(phase, 1 - side) > 0:
        if (legal >> Move.REFUSE) & 1:
            return Move.REFUSE.value
        if (legal >> Move.TO_RESERVE) & 1 and pile > 1:
            return Move.TO_RESERVE.value
    if min(top, held) >= wait and (legal >> Move.BOTH) & 1:
        return Move.BOTH.value
    if pile == 0 or (held >= wait and held > top):
        return Move.RESERVE.value
    return Move.TOP.value
