"""The Tactics roll: an opposed Discipline test for who decides who speaks first (T-2.3)."""

import numpy as np

from estoc.kernels._jit import part, routine
from estoc.kernels.card_codes import Winner
from estoc.kernels.initiative import NO_SIDE, opposed, tie_winner
from estoc.kernels.layout import Call, Moment
from estoc.kernels.rng import card_words, fill, tactics_address

COIN_TOSS = 4  # purpose of words, beside those in `cards`
CHOOSER = 3  # word of a roll-off that no die is read from


@part
def coin(phase):
    """Side 0 or 1, as likely."""
    word, _, _, _ = card_words(phase, COIN_TOSS, 0)
    return np.int64(word >> np.uint64(31))


@routine
def opposed_roll(phase):
    """Winner of the opposed test, tied ones by the edition's rule (T-2.4)."""
    own, other = phase.discipline[0], phase.discipline[1]
    winner, roll_off = NO_SIDE, 0
    while winner == NO_SIDE:
        address = tactics_address(phase.turn, roll_off)
        fill(phase, 0, 1, address)
        if roll_off == 0:  # nobody chose the test: a coin says who is asked last
            phase.chooser = phase.words[0, CHOOSER, 0] >> 31
        call = Call(Moment(0, phase.turn, None), roll_off, 0, 1, address, 0)
        result, other_result = opposed(phase, call, own, other)
        if result != other_result:
            winner = int(other_result > result)
        else:
            winner = tie_winner(phase, call, own, other)
        roll_off += 1
    return winner


@part
def tactics_roll(phase):
    """Side that wins the Tactics roll (T-2.3 to T-2.5)."""
    if phase.winner < Winner.ROLL:
        return phase.winner
    able, enemy_able = phase.discipline[0] >= 0, phase.discipline[1] >= 0
    if phase.winner == Winner.ROLL and able and enemy_able:
        return opposed_roll(phase)
    if phase.winner == Winner.ROLL and phase.no_fighter_loses and able != enemy_able:
        return 0 if able else 1
    return coin(phase)
