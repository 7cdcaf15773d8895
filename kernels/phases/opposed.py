"""An opposed test of Discipline, as the Tactics roll is (C-1.4, C-2.1, T-2.3 to T-2.5, W-1.5)."""

import numpy as np

from .._jit import part, routine
from ..combat.feats import note_feat
from ..combat.initiative import NO_SIDE, opposed, tie_winner
from ..combat.policy import keep_at
from ..core.dice import SIX_OPENS, chain, final, note
from ..core.rng import TACTICS, attack_address, card_words, fill
from ..layout.abilities import Effect
from ..layout.battle import Purpose
from ..layout.cards import Winner
from ..layout.combat import INITIATIVE_AGAIN, Call
from ..layout.log import Story
from ..layout.policy import Decision

CHOOSER = 3  # word of a roll-off that no die is read from
COIN_TOSS = 4  # purpose of words, beside those in `cards`


@routine
def roll_again(record, call: Call, side, value, standing, slot, opens, given_up):
    """Result of a tester who has lost a roll-off, and by luck rolls again (W-7)."""
    i = call.striker if side == 0 else call.target
    other = call.striker + call.target - i
    note_feat(call.moment, call.number, i, other, Effect.LUCK, side, given_up, 0)
    keep = keep_at(record.policy[side, Decision.REROLL_INITIATIVE], standing + 1 - value)
    return final(chain(record, call, i, slot + (side ^ record.mirror), keep, opens), value)


@routine
def opposed_test(
    record, moment, number, purpose, tester, other, value, other_value, opens, other_opens, luck,
    other_luck,
):  # fmt: skip
    """Side that wins, 0 or 1; tied ones by the edition's rule. And the luck that both have left.

    Parameters
    ----------
    record
        Anything with the fields of `layout.rolls.TEST`.
    moment : Moment
    number : int
        Of the dice's addresses (`estoc.kernels.core.rng`).
    purpose : int
        A `layout.battle.Purpose`, for the log.
    tester, other : int
        Fighters of sides 0 and 1, for the log.
    value, other_value : int
        Their Disciplines.
    opens, other_opens : int
        Least dice of both that are re-rolled like 6s.
    luck, other_luck : int
        Tests that both may roll again: who is behind does.
    """
    winner, roll_off = NO_SIDE, 0
    while winner == NO_SIDE:
        address = attack_address(moment.turn, number, roll_off & 15, roll_off >> 4)
        fill(record, 0, 1, address)
        if roll_off == 0:  # nobody chose the test: a coin says who is asked last
            record.chooser = record.words[0, CHOOSER, 0] >> 31
        call = Call(moment, roll_off, tester, other, address, 0)
        result, other_result = opposed(record, call, value, other_value, opens, other_opens)
        slot = other_slot = INITIATIVE_AGAIN
        while (result < other_result and luck > 0) or (other_result < result and other_luck > 0):
            if result < other_result:
                luck, standing = luck - 1, other_result
                result = roll_again(record, call, 0, value, standing, slot, opens, result)
                slot += 2
            else:
                other_luck, standing = other_luck - 1, result
                other_result = roll_again(
                    record, call, 1, other_value, standing, other_slot, other_opens, other_result
                )
                other_slot += 2
        if result != other_result:
            winner = int(other_result > result)
        else:
            winner = tie_winner(record, call, value, other_value)
        note(
            moment, Story.OPPOSED, roll_off, tester, other, purpose, result, other_result, winner
        )  # fmt: skip
        roll_off += 1
    return winner, luck, other_luck


@part
def coin(phase):
    """Side 0 or 1, as likely."""
    word, _, _, _ = card_words(phase, COIN_TOSS, 0)
    return np.int64(word >> np.uint64(31))


@part
def tactics_roll(phase, moment, tester, other):
    """Side that wins the Tactics roll (T-2.3 to T-2.5); the testers are for the log."""
    if phase.winner < Winner.ROLL:
        return phase.winner
    own, enemy = phase.discipline[0], phase.discipline[1]
    if phase.winner == Winner.ROLL and own >= 0 and enemy >= 0:
        winner, phase.luck[0], phase.luck[1] = opposed_test(
            phase, moment, TACTICS, Purpose.TACTICS, tester, other, own, enemy,
            SIX_OPENS - phase.opening[0], SIX_OPENS - phase.opening[1],
            phase.luck[0], phase.luck[1],
        )  # fmt: skip
        return winner
    if phase.winner == Winner.ROLL and phase.no_fighter_loses and (own >= 0) != (enemy >= 0):
        return 0 if own >= 0 else 1
    winner = coin(phase)
    note(moment, Story.COIN, 0, tester, other, Purpose.TACTICS, 0, 0, winner)
    return winner
