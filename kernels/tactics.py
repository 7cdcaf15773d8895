"""The Tactics roll: an opposed Discipline test for who decides who speaks first (T-2.3)."""

import numpy as np

from estoc.kernels._jit import part
from estoc.kernels.battle_codes import Purpose
from estoc.kernels.card_codes import Winner
from estoc.kernels.layout import Moment
from estoc.kernels.opposed import opposed_test
from estoc.kernels.rng import TACTICS, card_words

COIN_TOSS = 4  # purpose of words, beside those in `cards`


@part
def coin(phase):
    """Side 0 or 1, as likely."""
    word, _, _, _ = card_words(phase, COIN_TOSS, 0)
    return np.int64(word >> np.uint64(31))


@part
def tactics_roll(phase):
    """Side that wins the Tactics roll (T-2.3 to T-2.5)."""
    if phase.winner < Winner.ROLL:
        return phase.winner
    able, enemy_able = phase.discipline[0] >= 0, phase.discipline[1] >= 0
    if phase.winner == Winner.ROLL and able and enemy_able:
        own, other = phase.discipline[0], phase.discipline[1]
        moment = Moment(0, phase.turn, None)
        return opposed_test(phase, moment, TACTICS, Purpose.TACTICS, 0, 1, own, other)
    if phase.winner == Winner.ROLL and phase.no_fighter_loses and able != enemy_able:
        return 0 if able else 1
    return coin(phase)
