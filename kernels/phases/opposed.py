"""An opposed test of Discipline, as the Tactics roll is (C-1.4, C-2.1, T-2.3 to T-2.5, W-1.5)."""

from typing import NamedTuple

import numpy as np

from .._jit import part, routine
from ..combat.feats import note_feat
from ..combat.initiative import NO_SIDE, opposed, tie_winner
from ..combat.policy import keep_at
from ..core.dice import SIX_OPENS, chain, final, note
from ..core.rng import TACTICS, card_words, fill, nth_address
from ..layout.abilities import Effect
from ..layout.battle import Purpose
from ..layout.cards import Winner
from ..layout.combat import INITIATIVE_AGAIN, Call
from ..layout.log import Story
from ..layout.policy import Decision

CHOOSER = 3  # word of a roll-off that no die is read from
COIN_TOSS = 4  # purpose of words, beside those in `cards`


class Tester(NamedTuple):
    """Who tests for a side."""

    fighter: int  # for the log
    value: int  # Discipline
    opens: int  # least die that is re-rolled like a 6
    luck: int  # tests that he may roll again


@routine
def roll_again(record, call: Call, side, tester, standing, slot, given_up):
    """Result of a tester who has lost a roll-off, and by luck rolls again (W-7)."""
    i = tester.fighter
    other = call.striker + call.target - i
    note_feat(call.moment, call.number, i, other, Effect.LUCK, side, given_up, 0)
    keep = keep_at(record.policy[side, Decision.REROLL_INITIATIVE], standing + 1 - tester.value)
    slot += side ^ record.mirror
    return final(chain(record, call, i, slot, keep, tester.opens), tester.value)


@routine
def opposed_test(record, moment, number, purpose, tester, other):
    """Side that wins, 0 or 1; tied ones by the edition's rule. And the luck that both have left.

    ``record`` has the fields of `layout.rolls.TEST`; ``number`` is of the dice's addresses
    (`core.rng`), ``purpose`` a `layout.battle.Purpose`. Who is behind rolls again by luck.
    """
    winner, roll_off = NO_SIDE, 0
    luck, other_luck = tester.luck, other.luck
    while winner == NO_SIDE:
        address = nth_address(moment.turn, number, roll_off)
        fill(record, 0, 1, address)
        if roll_off == 0:  # nobody chose the test: a coin says who is asked last
            record.chooser = record.words[0, CHOOSER, 0] >> 31
        call = Call(moment, roll_off, tester.fighter, other.fighter, address, 0)
        result, other_result = opposed(
            record, call, tester.value, other.value, tester.opens, other.opens
        )
        slot = other_slot = INITIATIVE_AGAIN
        while (result < other_result and luck > 0) or (other_result < result and other_luck > 0):
            if result < other_result:
                luck -= 1
                result = roll_again(record, call, 0, tester, other_result, slot, result)
                slot += 2
            else:
                other_luck -= 1
                other_result = roll_again(record, call, 1, other, result, other_slot, other_result)
                other_slot += 2
        if result != other_result:
            winner = int(other_result > result)
        else:
            winner = tie_winner(record, call, tester.value, other.value)
        note(
            moment, Story.OPPOSED, roll_off, tester.fighter, other.fighter, purpose, result,
            other_result, winner,
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
        one = Tester(tester, own, SIX_OPENS - phase.opening[0], phase.luck[0])
        two = Tester(other, enemy, SIX_OPENS - phase.opening[1], phase.luck[1])
        winner, phase.luck[0], phase.luck[1] = opposed_test(
            phase, moment, TACTICS, Purpose.TACTICS, one, two
        )
        return winner
    if phase.winner == Winner.ROLL and phase.no_fighter_loses and (own >= 0) != (enemy >= 0):
        return 0 if own >= 0 else 1
    winner = coin(phase)
    note(moment, Story.COIN, 0, tester, other, Purpose.TACTICS, 0, 0, winner)
    return winner
