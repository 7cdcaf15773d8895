"""The activation phase of a turn: who is activated, what is announced and done (T-3, A-5)."""

import numpy as np

from .._jit import part, routine
from ..core.dice import note
from ..core.sets import NONE, bit
from ..field.activation import charge_marks, resolve
from ..field.picks import pick
from ..layout.actions import NOTHING, Action
from ..layout.battle import Style, Trait
from ..layout.cards import Move
from ..layout.log import Story
from ..layout.maintenance import Marker
from ..phases.cards import NOBODY, choose, make_move, speaker_after, speaker_at
from ..players.cards import speak_by_odds
from ..players.player import act, answer_with_magic, decide


@routine
def gather(battle, moment, side, cards):
    """Write who is activated by some cards, in the player's order (A-5.1); how many they are."""
    count = 0
    battle.speaking = NONE
    battle.stamp += 1  # friends to pass through change the ways
    for i in range(battle.n):
        row = battle.traits[i]
        of_these = row[Trait.SIDE] == side and (cards >> row[Trait.CARD]) & 1
        if of_these and (battle.table.here & bit(i)) != NONE:
            battle.order[count] = i
            battle.speaking |= bit(i)
            count += 1
    if battle.style[side] == Style.RANDOM:
        for last in range(count - 1, 0, -1):
            k = pick(battle, moment, last + 1)
            battle.order[last], battle.order[k] = battle.order[k], battle.order[last]
    return count


@part
def is_announced(battle, i):
    """Whether a fighter's action is one that is announced: all but NOTHING (A-5.2)."""
    return battle.chosen[i] != NOTHING


@routine
def announce(battle, moment, count):
    """Let each fighter decide; those with exclusive actions announce them (A-5.2)."""
    for k in range(count):
        i = battle.order[k]
        note(moment, Story.ACTIVATE, k, i, -1, 0, 0, 0, 0)
    for k in range(count):
        i = battle.order[k]
        battle.markers[i] &= ~Marker.TARGET
        battle.chosen[i] = decide(battle, moment, i)
    for k in range(count):
        i = battle.order[k]
        if is_announced(battle, i):
            assault = battle.chosen[i] == Action.CHARGE or battle.chosen[i] == Action.ENGAGE
            target = battle.target[i] if assault else -1
            also = np.int64(battle.also[i] if assault else NONE)
            note(
                moment, Story.ANNOUNCE, k, i, target, battle.chosen[i], battle.way[i] + 1, 0, also
            )  # fmt: skip


@routine
def activate(battle, moment, side, cards):
    """Activate the fighters of the cards of one speaking turn (A-5)."""
    count = gather(battle, moment, side, cards)
    announce(battle, moment, count)
    battle.assaults = 0
    for k in range(count):
        i = battle.order[k]
        if is_announced(battle, i):
            if battle.outside:
                answer_with_magic(battle, moment)
            if not battle.over and (battle.table.here & bit(i)) != NONE:
                resolve(battle, moment, i)
    charge_marks(battle, moment)
    for k in range(count):
        i = battle.order[k]
        if battle.over:
            break
        if not is_announced(battle, i) and (battle.table.here & bit(i)) != NONE:
            act(battle, moment, i)
    for j in range(battle.n):
        battle.pledged[j] = NONE
    battle.activated |= battle.speaking
    battle.speaking = NONE
    battle.stamp += 1


@routine
def tell_speech(battle, moment, side, move):
    """Log a move of cards that is about to be made (A-2)."""
    phase = battle.phase
    top, held = phase.next[side], phase.held[side]
    from_reserve = from_pile = np.int64(-1)
    if move == Move.TOP or move == Move.BOTH:
        from_pile = np.int64(phase.order[side, top])
    if move == Move.RESERVE or move == Move.BOTH:
        from_reserve = np.int64(phase.order[side, held])
    if move == Move.TO_RESERVE:
        from_reserve = np.int64(phase.order[side, top])
    stays = held >= 0 and move != Move.RESERVE and move != Move.BOTH
    left = phase.refusals[side] - (move == Move.REFUSE)
    held_after = np.int64(stays or move == Move.TO_RESERVE)
    note(moment, Story.SPEAK, 0, side, move, held_after, from_reserve, from_pile, left)


@routine
def play_activations(battle, moment):
    """The activation phase (T-3)."""
    phase = battle.phase
    side = speaker_at(phase)
    while side != NOBODY and not battle.over:
        move = speak_by_odds(battle, side) if battle.deals[side] else choose(phase, side)
        tell_speech(battle, moment, side, move)
        before = phase.acted[side]
        make_move(phase, side, move)
        cards = phase.acted[side] & ~before
        if cards:
            activate(battle, moment, side, cards)
        side = speaker_after(phase, side)
