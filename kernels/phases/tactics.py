"""The Tactics roll: an opposed Discipline test for who decides who speaks first (T-2.3)."""

import numpy as np

from .._jit import part
from ..core.dice import SIX_OPENS, note
from ..core.rng import TACTICS, card_words
from ..layout.battle import Purpose, Story
from ..layout.cards import Winner
from .opposed import opposed_test

COIN_TOSS = 4  # purpose of words, beside those in `cards`


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
