"""Positions of a combat where somebody has an ability, as numbers, and who strikes next (C-5, W-7).

A position is one number: the fields of each fighter (`layout.feats.Field`), who has struck or been
struck in this half of a pass, whose half it is, whether nobody struck in the half before. Every
attack leads to a later level: dice weigh what they can still become.
"""

import numpy as np

from .._jit import part, routine
from ..combat.feats import has
from ..combat.policy import has_attack_die
from ..combat.wounds import is_dead, is_over
from ..exact.positions import ROOM, bits_for, field, own_slot, put
from ..layout.abilities import Effect
from ..layout.feats import FIELDS, LEVELS, Field
from .parries import gains


@part
def width_for(most):
    """Bits of a field with values up to ``most``; none for one that is always 0."""
    return bits_for(most) if most > 0 else 0


@routine
def measure_fighter(fight, feats, i):
    """Choose the widths of a fighter's fields."""
    width, held = feats.width[i], fight.held[i]
    dice, gain = fight.defence[i] + held, gains(fight, i)
    width[Field.STATE] = bits_for(fight.dead)
    width[Field.ATTACK] = width_for(fight.attack[i] + gain * dice)
    width[Field.DEFENCE] = width_for(dice)
    width[Field.SUSTAINED] = 0 if dice == 0 else 1 + (held > 0)
    width[Field.HELD] = width[Field.USED_ATTACK] = width[Field.USED_DEFENCE] = width_for(held)
    width[Field.LUCK] = width_for(fight.luck[i])
    width[Field.FRESH] = fight.fresh[i] if has(fight, i, Effect.WOUND_DICE) else 0
    width[Field.DOOMED] = has(fight, i, Effect.DIEHARD)
    feats.weight[i, 0] = 1 + gain
    feats.weight[i, 1] = 2 + gain


@routine
def measure(fight, feats):
    """Choose the place of each field once the dice are placed; whether a number has room."""
    place = 0
    for i in range(fight.n):
        feats.base_attack[i], feats.base_defence[i] = fight.into_attack[i], fight.into_defence[i]
        feats.base_held[i] = fight.held[i]
        measure_fighter(fight, feats, i)
        for f in range(FIELDS):
            feats.shift[i, f] = place
            place += feats.width[i, f]
    feats.struck_shift = place
    feats.side_shift = place + fight.n
    feats.idle_shift = feats.side_shift + 1
    feats.end_shift = feats.idle_shift + 1
    feats.most = potential(fight, feats)
    return feats.end_shift < ROOM and 2 * feats.most + 3 < LEVELS


@routine
def potential(fight, feats):
    """What the dice of all weigh: less after each attack."""
    weight = np.int64(0)
    for i in range(fight.n):
        weight += fight.attack[i] + feats.weight[i, 0] * fight.defence[i]
        weight += feats.weight[i, 1] * fight.held[i]
    return weight


@part
def get(feats, key, i, which):
    """Return a field of a position."""
    return field(key, feats.shift[i, which], feats.width[i, which])


@routine
def unpack(fight, feats, key):
    """Set up a position; returns the side whose half of the pass it is."""
    living = 0
    for i in range(fight.n):
        fight.state[i] = get(feats, key, i, Field.STATE)
        fight.attack[i] = get(feats, key, i, Field.ATTACK)
        fight.defence[i] = get(feats, key, i, Field.DEFENCE)
        fight.sustained[i] = get(feats, key, i, Field.SUSTAINED)
        fight.held[i] = get(feats, key, i, Field.HELD)
        used_attack = get(feats, key, i, Field.USED_ATTACK)
        used_defence = get(feats, key, i, Field.USED_DEFENCE)
        fight.into_attack[i] = feats.base_attack[i] + used_attack
        fight.into_defence[i] = feats.base_defence[i] + used_defence
        fight.may_sustain[i] = fight.into_defence[i] >= fight.into_attack[i]
        fight.luck[i] = get(feats, key, i, Field.LUCK)
        fight.fresh[i] = get(feats, key, i, Field.FRESH)
        fight.doomed[i] = get(feats, key, i, Field.DOOMED)
        fight.struck[i] = key >> (feats.struck_shift + i) & 1
        living += i > 0 and fight.state[i] != fight.dead
    fight.living = living
    return key >> feats.side_shift & 1


@routine
def pack(fight, feats, side, idle):
    """Return the number of the position that is set up."""
    key = side << feats.side_shift | idle << feats.idle_shift
    for i in range(fight.n):
        shift = feats.shift[i]
        key = key | np.int64(fight.state[i]) << shift[Field.STATE]
        key = key | fight.struck[i] << (feats.struck_shift + i)
        if is_dead(fight, i):
            continue
        key = key | fight.attack[i] << shift[Field.ATTACK]
        key = key | fight.defence[i] << shift[Field.DEFENCE]
        key = key | fight.sustained[i] << shift[Field.SUSTAINED]
        key = key | fight.held[i] << shift[Field.HELD]
        if feats.base_held[i]:
            used = fight.into_attack[i] - feats.base_attack[i]
            key = key | used << shift[Field.USED_ATTACK]
            used = fight.into_defence[i] - feats.base_defence[i]
            key = key | used << shift[Field.USED_DEFENCE]
        key = key | fight.luck[i] << shift[Field.LUCK]
        if feats.width[i, Field.FRESH]:
            key = key | fight.fresh[i] << shift[Field.FRESH]
        key = key | fight.doomed[i] << shift[Field.DOOMED]
    return key


@part
def is_end(feats, key):
    """Whether a position is the end of the combat."""
    return key >> feats.end_shift & 1


@routine
def end_place(fight):
    """Place of the final states of all: who was killed and fought on is dead now."""
    place = np.int64(0)
    for i in range(fight.n):
        state = fight.dead if fight.doomed[i] else np.int64(fight.state[i])
        place = place * (fight.dead + 1) + state
    return place


# --- who strikes next ---------------------------------------------------------------------------


@routine
def side_can(fight, side):
    """Whether a side can make a further attack in this half of a pass (C-5.3, C-5.4)."""
    for i in range(1, fight.n):
        if is_dead(fight, i) or fight.struck[i]:
            continue
        if side == 0 or has_attack_die(fight, i, True):
            return side == 1 or (not is_dead(fight, 0) and has_attack_die(fight, 0, True))
    return False


@routine
def new_half(fight, feats, side, made):
    """The position after a side's half of a pass, in which it ``made`` attacks or none."""
    for i in range(fight.n):
        fight.struck[i] = 0
    if side_can(fight, 1 - side):
        return pack(fight, feats, 1 - side, 1 - made)
    if made and side_can(fight, side):
        return pack(fight, feats, side, 0)
    return pack(fight, feats, side, 0) | 1 << feats.end_shift


@routine
def following(fight, feats, side):
    """The position after an attack of a side, everything done."""
    if is_over(fight):
        for i in range(fight.n):
            fight.struck[i] = 0
        return pack(fight, feats, side, 0) | 1 << feats.end_shift
    if side_can(fight, side):
        return pack(fight, feats, side, 0)
    return new_half(fight, feats, side, 1)


@routine
def opening(fight, feats, first):
    """The position in which the combat begins, when a side strikes first."""
    for i in range(fight.n):
        fight.struck[i] = 0
    if side_can(fight, first):
        return pack(fight, feats, first, 0)
    if side_can(fight, 1 - first):
        return pack(fight, feats, 1 - first, 0)
    return pack(fight, feats, first, 0) | 1 << feats.end_shift


# --- the table ------------------------------------------------------------------------------------


@part
def add(fight, feats, key, level, table):
    """Return the place of a position, put into the table if it is new; FULL without room."""
    slot = own_slot(key, table)
    if table.slots[slot]:
        return table.slots[slot] - 1
    return put(key, slot, level, table)


@routine
def level_of(fight, feats, key):
    """Level of a position: later attacks have higher ones."""
    weight = np.int64(0)
    for i in range(fight.n):
        weight += get(feats, key, i, Field.ATTACK)
        weight += feats.weight[i, 0] * get(feats, key, i, Field.DEFENCE)
        weight += feats.weight[i, 1] * get(feats, key, i, Field.HELD)
    return 2 * (feats.most - weight) + (key >> feats.idle_shift & 1)
