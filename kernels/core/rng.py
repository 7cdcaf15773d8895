"""Random words by address: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011).

The key is the run's seed, the counter is (trial, cell, address), so that every word
is a pure function of where it is used: any trial can be played alone, in any order,
on any thread, and one more die for one fighter shifts nobody else's dice.

Address, 32 bits: turn (12) | number (5) | pair (4) | direction (1) | sheet (10).
``number`` is the pass of arms, or 31 for initiative, whose pair and direction hold the
number of the roll-off; 30 is the Tactics roll, laid out the same; 29 is the maintenance
phase's, whose pair and direction say which roll, and the slot whose
(`estoc.kernels.phases.maintenance`); 28 is the cards of the activation phase, whose pair is the
purpose and whose sheet is the speaking turn or block (`estoc.kernels.phases.cards`); 27 is
disengagements, whose pair and direction say which 64 fighters (from 16 on, their second tries
by luck), and the slot which of them;
26 is a shot and 25 a test of Courage, whose pair and direction say which one of the turn
(`estoc.kernels.rolls.shooting`, `estoc.kernels.rolls.fear`).
Otherwise ``pair`` is the enemy of the lone fighter who strikes or is struck,
``direction`` says which of them strikes. A sheet holds four words, one a purpose
(`layout.combat`); sheets from 64 on go on with a chain longer than a word.

The 16 top bits of a trial's 64 are a *stream*: whoever plays many tests of one turn in one
trial, as a battle does, keeps trials below 2**48 and sets a stream before each test, which so
has dice of its own at the same addresses. Everywhere else the stream is 0.
"""

import numpy as np

from .._jit import part, routine

U64 = np.uint64
LOW = U64(0xFFFFFFFF)
HALF = U64(32)
MULTIPLIER_0, MULTIPLIER_1 = U64(0xD2511F53), U64(0xCD9E8D57)
WEYL_0, WEYL_1 = U64(0x9E3779B9), U64(0xBB67AE85)

INITIATIVE = 31
TACTICS = 30
MAINTENANCE = 29
CARDS = 28
DISENGAGE = 27
SHOT = 26
COURAGE = 25
CHAIN = 24
ROLL_OFFS = 32
TURN, NUMBER, PAIR, DIRECTION = U64(20), U64(15), U64(11), U64(10)
SLOTS = 64
SIX = U64(6)
DIGITS = 5  # dice in a word: the bias of each stays below 6**5 / 2**32 = 2e-6 of its chance


@part
def philox(c0, c1, c2, c3, k0, k1):
    """Four 32-bit words, as uint64, for a 128-bit counter and a 64-bit key."""
    for _ in range(10):
        p0 = MULTIPLIER_0 * c0
        p1 = MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (p1 >> HALF) ^ c1 ^ k0, p1 & LOW, (p0 >> HALF) ^ c3 ^ k1, p0 & LOW
        k0 = (k0 + WEYL_0) & LOW
        k1 = (k1 + WEYL_1) & LOW
    return c0, c1, c2, c3


@part
def attack_address(turn, number, pair, direction):
    """Address of an attack's first sheet."""
    return (
        (U64(turn) << TURN) | (U64(number) << NUMBER) | (U64(pair) << PAIR)
        | (U64(direction) << DIRECTION)
    )  # fmt: skip


@part
def nth_address(turn, number, nth):
    """Address of the ``nth`` roll, 0 to 31, of those with a number of their own."""
    return attack_address(turn, number, nth & 15, nth >> 4)


@part
def initiative_address(turn, roll_off):
    """Address of a roll-off's first sheet."""
    return nth_address(turn, INITIATIVE, roll_off)


@part
def card_words(phase, purpose, index):
    """Four words of the trial that a phase plays."""
    trial = phase.trials[0]
    address = attack_address(phase.turn, CARDS, purpose, 0) | U64(index)
    key_0, key_1 = phase.seed & LOW, phase.seed >> HALF
    return philox(trial & LOW, trial >> HALF, phase.cell, address, key_0, key_1)


@routine
def fill(fight, page, lanes, address):
    """Make one sheet of the first ``lanes`` trials."""
    cell, k0, k1 = fight.cell, fight.seed & LOW, fight.seed >> HALF
    for lane in range(lanes):
        trial = fight.trials[lane]
        w0, w1, w2, w3 = philox(trial & LOW, trial >> HALF, cell, address, k0, k1)
        fight.words[page, 0, lane] = np.uint32(w0)
        fight.words[page, 1, lane] = np.uint32(w1)
        fight.words[page, 2, lane] = np.uint32(w2)
        fight.words[page, 3, lane] = np.uint32(w3)


@routine
def word_on_demand(fight, lane, address, place):
    """Word ``place`` of the sheet at ``address``."""
    trial = fight.trials[lane]
    w0, w1, w2, w3 = philox(
        trial & LOW, trial >> HALF, fight.cell, address, fight.seed & LOW, fight.seed >> HALF
    )
    if place == 0:
        return w0
    if place == 1:
        return w1
    if place == 2:
        return w2
    return w3


@part
def first_word(fight, lane, page, address, slot):
    """The word that a purpose's first dice are read from."""
    if page >= 0 and slot < 4:
        return U64(fight.words[page, slot, lane])
    return word_on_demand(fight, lane, address | U64(slot >> 2), slot & 3)


@part
def later_word(fight, lane, address, slot, block):
    """The word that a chain goes on with after ``block`` words are used up."""
    return word_on_demand(fight, lane, address | U64(block * SLOTS + slot), 0)
