"""One against one in the plainest way: the measuring stick that all ratios refer to.

Scalar, one die after the other, with xoshiro256++ (Blackman and Vigna, 2019) seeded by
splitmix64. It shares no code with the other kernels and stays as it is, so that a ratio of
today can be compared with one of next year; `estoc.sim.bench.baselines` says what is played.
"""

import numpy as np

from .._jit import kernel

INI, ATT, FOR, DEF, RES = range(5)
FOREVER = 1 << 40  # no natural result reaches it: every 6 is re-rolled
U64 = np.uint64


@kernel
def seed_state(seed):
    """Four words from splitmix64."""
    words = np.empty(4, np.uint64)
    for i in range(4):
        seed += U64(0x9E3779B97F4A7C15)
        z = (seed ^ (seed >> U64(30))) * U64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> U64(27))) * U64(0x94D049BB133111EB)
        words[i] = z ^ (z >> U64(31))
    return words


@kernel
def rotate(word, bits):
    """``word`` turned left."""
    return (word << U64(bits)) | (word >> U64(64 - bits))


@kernel
def below(words, n):
    """A number from 0 to ``n - 1`` from the high half of the next word."""
    s0, s1, s2, s3 = words[0], words[1], words[2], words[3]
    word = rotate(s0 + s3, 23) + s0
    s2 ^= s0
    s3 ^= s1
    words[1] = s1 ^ s2
    words[0] = s0 ^ s3
    words[2] = s2 ^ (s1 << U64(17))
    words[3] = rotate(s3, 45)
    return np.int64(((word >> U64(32)) * U64(n)) >> U64(32))


@kernel
def chain(words, enough):
    """Natural result of one die whose sixes are re-rolled below ``enough``."""
    added = below(words, 6) + 1
    natural = added
    while added == 6 and natural < enough:
        added = below(words, 6) + 1
        if added == 1:
            return 1
        natural += added
    return natural


@kernel
def play_plainly(fighters, dice, wound, after, penalty, constants, trials, words, counts):
    """Play combats and count their final states.

    One loop: with the arrays passed on to a function for each attack, Numba counts references
    to them at each call and takes three times as long.
    """
    offset, sustained_penalty = constants
    dead = after.shape[0] - 1
    state, attack = np.zeros(2, np.int64), np.zeros(2, np.int64)
    defence, sustained = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for _ in range(trials):
        for i in range(2):
            state[i], attack[i], defence[i], sustained[i] = 0, dice[i, 0], dice[i, 1], 0
        lead = 0
        while lead == 0:
            lead = fighters[0, INI] + chain(words, FOREVER)
            lead -= fighters[1, INI] + chain(words, FOREVER)
        first = 0 if lead > 0 else 1
        while attack[0] + attack[1] > 0 and state[0] != dead and state[1] != dead:
            for half in range(2):
                i = first ^ half
                j = 1 - i
                if attack[i] == 0 or state[i] == dead:
                    continue
                attack[i] -= 1
                if defence[j] == 1 and attack[i] > 0 and dice[j, 1] >= dice[j, 0]:
                    sustained[j] = 1
                result = fighters[i, ATT] - penalty[state[i], ATT] + chain(words, FOREVER)
                if result <= 0:
                    continue
                if defence[j] > 0:
                    value = fighters[j, DEF] - penalty[state[j], DEF]
                    value -= sustained_penalty * sustained[j]
                    defence[j] -= 1 - sustained[j]
                    if value + chain(words, result - value) >= result:
                        continue
                row = fighters[i, FOR] - penalty[state[i], FOR] + offset
                row -= fighters[j, RES] - penalty[state[j], RES]
                row = min(max(row, 0), wound.shape[0] - 1)
                outcome = wound[row, below(words, 6) * 6 + below(words, 6)]
                state[j] = after[state[j], outcome]
        counts[state[0], state[1]] += 1
