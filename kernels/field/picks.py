"""Random decisions of a battle's players: words of their own, so that no die depends on them."""

import numpy as np

from .._jit import part
from ..core.rng import HALF, LOW, U64, attack_address, philox

PICKS = 24  # number of their addresses; the 15 bits below count blocks of four words


@part
def pick(battle, moment, n):
    """One of 0 to n - 1, all as likely but for n / 2**32."""
    at = battle.picks & 3
    if at == 0:
        address = attack_address(moment.turn, PICKS, 0, 0) | U64(battle.picks >> 2)
        k0, k1 = battle.seed & LOW, battle.seed >> HALF
        trial = battle.trial
        w0, w1, w2, w3 = philox(trial & LOW, trial >> HALF, battle.cell, address, k0, k1)
        words = battle.picked
        words[0], words[1], words[2], words[3] = w0, w1, w2, w3
    battle.picks += 1
    return np.int64((battle.picked[at] * U64(n)) >> HALF)
