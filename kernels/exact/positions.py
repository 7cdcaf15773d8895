"""Positions of a combat as numbers, and the table that holds them (C-5).

A position is one number: states, codes, attack dice of the lone fighter, who has struck or
been struck in this half of a pass, number of the half. A code is the number of defence
dice left; the one above all dice is a sustained die. Each attack leads to a later level:
(half, attacks made in it).
"""

import numpy as np

from .._jit import part, routine
from ..combat.placing import combat_dice
from ..layout.exact import MAX_DICE, NOBODY

MASK = 2**31 - 1
FULL = -2  # the table has no room left
TOO_WIDE = -3  # a position does not fit into a number
HALVES = 2 * MAX_DICE + 2
HALF_BITS = 6  # of the number of a half of a pass
ROOM = 62  # bits of a number that stays positive with one more


# --- positions as numbers ---------------------------------------------------------------


@part
def shift_of_codes(fight, laws):
    """Where the codes begin in a position's number."""
    return fight.n * laws.state_bits


@part
def shift_of_attack(fight, laws):
    """Where the lone fighter's attack dice begin."""
    return fight.n * (laws.state_bits + laws.code_bits)


@part
def shift_of_struck(fight, laws):
    """Where the marks of who was struck, or has struck, begin."""
    return shift_of_attack(fight, laws) + laws.attack_bits


@part
def shift_of_half(fight, laws):
    """Where the number of the half of a pass begins."""
    return shift_of_struck(fight, laws) + fight.n


@part
def shift_of_end(fight, laws):
    """Where the mark of a combat that is over stands."""
    return shift_of_half(fight, laws) + HALF_BITS


@routine
def measure(fight, laws):
    """Choose the width of each field of a position's number; whether it has room."""
    laws.state_bits = bits_for(fight.dead)
    dice = 0
    for i in range(fight.n):
        dice = max(dice, combat_dice(fight, i))
    laws.code_bits = bits_for(dice + 1)
    laws.attack_bits = bits_for(dice)
    return shift_of_end(fight, laws) < ROOM and dice <= MAX_DICE


@part
def bits_for(most):
    """Bits that a number up to ``most`` needs."""
    bits = 1
    while most >> bits:
        bits += 1
    return bits


@part
def field(key, shift, bits):
    """Return a field of a position's number."""
    return (key >> shift) & ((1 << bits) - 1)


@routine
def unpack(fight, laws, first, key):
    """Set up a position; returns the side whose half of the pass it is."""
    half = field(key, shift_of_half(fight, laws), HALF_BITS)
    side = first ^ (half & 1)
    done = (half + first) // 2  # passes that the others have finished
    fight.attack[0] = field(key, shift_of_attack(fight, laws), laws.attack_bits)
    marks, codes = key >> shift_of_struck(fight, laws), key >> shift_of_codes(fight, laws)
    state_mask, code_mask = (1 << laws.state_bits) - 1, (1 << laws.code_bits) - 1
    state_bits, code_bits, dead = laws.state_bits, laws.code_bits, fight.dead
    living = 0
    for i in range(fight.n):
        state, code = key & state_mask, codes & code_mask
        key, codes = key >> state_bits, codes >> code_bits
        fight.state[i] = state
        sustained = code > fight.guard[i]
        fight.sustained[i] = sustained
        fight.defence[i] = 1 if sustained else code
        if i > 0:
            struck = marks >> i & 1
            fight.struck[i] = struck
            alive = state != dead
            living += alive
            fight.attack[i] = max(fight.placed[i] - done - (struck & side), 0) * alive
    fight.living = living
    return side


@routine
def pack(fight, laws, half):
    """Return the number of the position that is set up."""
    key = half << shift_of_half(fight, laws)
    key |= fight.attack[0] << shift_of_attack(fight, laws)
    codes = shift_of_codes(fight, laws)
    for i in range(fight.n):
        code = fight.guard[i] + 1 if fight.sustained[i] else fight.defence[i]
        key = key | np.int64(fight.state[i]) << (i * laws.state_bits)
        key = key | code << (codes + i * laws.code_bits)
    return key


# --- the table of positions -------------------------------------------------------------


@part
def level_of(fight, laws, key):
    """Level of a position: later attacks have higher ones."""
    marks = field(key, shift_of_struck(fight, laws), fight.n)
    made = 0
    while marks:
        made += marks & 1
        marks >>= 1
    return field(key, shift_of_half(fight, laws), HALF_BITS) * fight.n + made


@part
def slot_of(key, slots):
    """Where the search for a position begins."""
    mixed = (key & MASK) * 1_540_483_477 + (key >> 31) * 668_265_263
    return (mixed >> 20) & (len(slots) - 1)


@part
def own_slot(key, table):
    """Return the slot of a position, an empty one if it is not in the table."""
    slots = table.slots
    slot = slot_of(key, slots)
    while slots[slot] and table.rows[slots[slot] - 1].key != key:
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@part
def find(key, table):
    """Return the place of a position that is in the table."""
    return table.slots[own_slot(key, table)] - 1


@part
def put(key, slot, level, table):
    """Return the place of a new position in its empty slot; FULL without room."""
    place = table.used[0]
    if place == len(table.rows):
        return FULL
    table.used[0] += 1
    table.slots[slot] = place + 1
    table.rows[place].key = key
    table.rows[place].link = table.heads[level]
    table.heads[level] = place
    return place


@part
def add(fight, laws, key, table):
    """Return the place of a position, put into the table if it is new; FULL without room."""
    slot = own_slot(key, table)
    if table.slots[slot]:
        return table.slots[slot] - 1
    level = len(table.heads) - 1
    if not field(key, shift_of_end(fight, laws), 1):
        level = level_of(fight, laws, key)
    return put(key, slot, level, table)


@routine
def clear(table):
    """Empty the table."""
    slots = table.slots
    for place in range(table.used[0]):
        # what is found on the way is to be emptied as well
        slot = slot_of(table.rows[place].key, slots)
        while slots[slot]:
            slots[slot] = 0
            slot = (slot + 1) & (len(slots) - 1)
    for level in range(len(table.heads)):
        table.heads[level] = NOBODY
    table.used[0] = 0


@part
def forget(table):
    """Take the masses of all positions away."""
    for place in range(table.used[0]):
        table.rows[place].mass = 0


# --- who strikes next -------------------------------------------------------------------


@part
def has_attack(fight, besides):
    """Whether an enemy of the lone fighter, but one, lives and has an attack die left."""
    for i in range(1, fight.n):
        if i != besides and fight.attack[i] > 0:
            return True
    return False


@part
def half_goes_on(fight, side, marked):
    """Whether a side makes a further attack in this half, after the one of, or on, ``marked``."""
    if side == 0 and fight.attack[0] == 0:
        return False
    for i in range(1, fight.n):
        if i == marked or fight.struck[i] or fight.state[i] == fight.dead:
            continue
        if side == 0 or fight.attack[i] > 0:
            return True
    return False


@routine
def timing(fight, laws, key, side, marked, killed):
    """The fields of a position's number that say who strikes next, after an attack.

    ``key`` is the position before; the attack die is used, ``marked`` is marked.
    """
    end = 1 << shift_of_end(fight, laws)
    half = field(key, shift_of_half(fight, laws), HALF_BITS)
    marks = field(key, shift_of_struck(fight, laws), fight.n) | 1 << marked
    dice = 0 if killed and side == 1 else fight.attack[0]  # the killed lose theirs (C-6.6)
    attack = dice << shift_of_attack(fight, laws)
    here = attack | marks << shift_of_struck(fight, laws) | half << shift_of_half(fight, laws)
    besides = marked if killed and side == 0 else 0
    over = killed and (side == 1 or fight.living == 1)
    if over or (fight.attack[0] == 0 and not has_attack(fight, besides)):
        return here | end
    if half_goes_on(fight, side, marked):
        return here
    other_strikes = fight.attack[0] > 0 if side == 1 else has_attack(fight, besides)
    return attack | (half + (1 if other_strikes else 2)) << shift_of_half(fight, laws)


@part
def bare(fight, laws, key, j):
    """States and codes of a position, those of ``j`` left out."""
    codes = shift_of_codes(fight, laws)
    kept = key & ((1 << shift_of_attack(fight, laws)) - 1)
    kept &= ~(((1 << laws.state_bits) - 1) << (j * laws.state_bits))
    return kept & ~(((1 << laws.code_bits) - 1) << (codes + j * laws.code_bits))


@part
def with_target(fight, laws, kept, j, state, code):
    """States and codes of a position, those of ``j`` put in."""
    codes = shift_of_codes(fight, laws)
    return kept | state << (j * laws.state_bits) | code << (codes + j * laws.code_bits)


@part
def end_place(fight, laws, key):
    """Place of the states of a position in ``final`` and ``joint``."""
    place = 0
    for i in range(fight.n):
        state = field(key, i * laws.state_bits, laws.state_bits)
        place = place * (fight.dead + 1) + state
    return place
