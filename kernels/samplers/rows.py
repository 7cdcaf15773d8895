"""Positions of a combat as rows: keys, what is rolled there, what follows an attack."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import part, routine
from ..combat.feats import blow_bonus, is_able, is_all_attack, opens_at, outcome_of
from ..combat.fight import attack_of, can_fail, defence_of, next_attack
from ..combat.policy import attack_keep_at, decides, parry_dice, sustains
from ..combat.wounds import SLOWED, bury, current, is_dead, is_over, wound_row
from ..core.dice import SIX_OPENS
from ..core.rng import DIRECTION, U64, attack_address
from ..layout.abilities import Roll, Weapon
from ..layout.combat import THROWS, Rule, Stat
from ..layout.policy import Decision, Reroll

ROW = 8  # cells of a row: the steps that follow the ends of an attack
MISSED, PARRIED, LANDED = 0, 1, 2  # ends of an attack; `LANDED` plus an outcome
# A *step* is what a lane holds of its position, 64 bits. Low half: row (21 bits), dice committed
# (2), whether a test is rolled, table of outcomes (8; of a beginning, its table of Initiative).
# High half: number, pair and direction of the attack's address (10 bits), the natural result from
# which a 6 of the attack is kept (5), the highest natural results of attack and of defence that
# fail automatically (7 each, from -MIDDLE on), and how the parrier re-rolls 6s (2: `HOW`).
PLACES = (1 << 21) - 1
COMMITTED, TESTED, TABLE = 21, 23, 24
ADDRESSES = (1 << 10) - 1
KEEP, LOST, LOW_END, REROLLED = 10, 15, 22, 30
MIDDLE = 64
MOST_FAILED = 2 * MIDDLE - 1
MOST_KEPT = 31  # above what the dice of one word add up to
MANY = 3  # dice committed: rolled one by one
HOW = (0, 3, 1)  # by `Reroll`: as a number of two bits 0, -1 and 1 times as keen as the test
MOST_TABLES = 255  # of outcomes, and of Initiative

FULL = -1  # no room
OVER = np.uint64(2**64 - 1)  # no step: no further turn
ODD = -2  # a figure has no room in its field
CELLS = 5  # of a key, for each fighter
SUSTAINED_MARK, STRUCK, MAY_SUSTAIN, ALL_ATTACK = 3, 4, 8, 16
BEGINNING, END = 254, 255  # numbers of a pass that stand for these


class Index(NamedTuple):
    """Positions as they are found."""

    keys: NDArray[np.uint8]  # (p, CELLS * n + 4): what they are
    slots: NDArray[np.int32]  # hash table of places, from 1; 0 = empty
    found: NDArray[np.int64]  # (1,): how many
    key: NDArray[np.uint8]  # (CELLS * n + 4,): the one that is looked up


class Room(NamedTuple):
    """What is rolled in each position, and what follows."""

    positions: Index
    follows: NDArray[np.int64]  # (p, ROW): place after each end of an attack
    steps: NDArray[np.int64]  # (p,)
    returns: NDArray[np.int64]  # (p,): place where the next turn begins after an end, or FULL
    outcomes: NDArray[np.uint32]  # (MOST_TABLES + 1, THROWS)
    winners: NDArray[np.uint32]  # (MOST_TABLES, codes of two chains)
    kinds: NDArray[np.int64]  # (MOST_TABLES, 4): INI and opening dice of both, of ``winners``
    tables: NDArray[np.int64]  # (2,): how many of outcomes, and of Initiative


@part
def write_key(fight, number, half, side, later, key):
    """Write the position that is set up."""
    for i in range(fight.n):
        cell = CELLS * i
        key[cell] = fight.state[i]
        key[cell + 1], key[cell + 2] = fight.attack[i], fight.defence[i]
        marks = fight.sustained[i] | fight.may_sustain[i] * MAY_SUSTAIN
        if fight.n > 2:
            marks |= fight.struck[i] * STRUCK
        if fight.able:
            marks |= ALL_ATTACK * is_all_attack(fight, i)
        key[cell + 3] = marks
        key[cell + 4] = fight.chained[i]
    cell = CELLS * fight.n
    key[cell], key[cell + 1], key[cell + 2], key[cell + 3] = number, half, side, later


@part
def write_states(fight, number, later, key):
    """Write a beginning or an end: only states count."""
    for cell in range(CELLS * fight.n + 4):
        key[cell] = 0
    for i in range(fight.n):
        key[CELLS * i] = fight.state[i]
    key[CELLS * fight.n], key[CELLS * fight.n + 3] = number, later


@routine
def set_up(fight, key):
    """Set a position up; its pass of arms, half, side and whether the turn is a later one."""
    fight.living = fight.strikes = 0
    for i in range(fight.n):
        cell = CELLS * i
        fight.state[i] = key[cell]
        fight.attack[i], fight.defence[i] = key[cell + 1], key[cell + 2]
        marks = np.int64(key[cell + 3])
        fight.sustained[i] = marks & SUSTAINED_MARK
        fight.struck[i] = (marks & STRUCK) != 0
        fight.may_sustain[i] = (marks & MAY_SUSTAIN) != 0
        fight.into_attack[i] = (marks & ALL_ATTACK) != 0
        fight.into_defence[i] = 1 - fight.into_attack[i]
        fight.chained[i] = key[cell + 4]
        fight.held[i] = 0
        fight.strikes += fight.attack[i]
        fight.living += i > 0 and not is_dead(fight, i)
    cell = CELLS * fight.n
    number, half, side, later = key[cell], key[cell + 1], key[cell + 2], key[cell + 3]
    return np.int64(number), np.int64(half), np.int64(side), np.int64(later)


@routine
def place_of(index):
    """Place of ``index.key`` among the keys, added if it is new; ``FULL`` without room."""
    key, keys, slots = index.key, index.keys, index.slots
    mixed = U64(14695981039346656037)
    for cell in range(len(key)):
        mixed = (mixed ^ U64(key[cell])) * U64(1099511628211)
    slot = np.int64(mixed >> U64(20)) & (len(slots) - 1)
    while slots[slot]:
        place = slots[slot] - 1
        same = True
        for cell in range(len(key)):
            same = same and keys[place, cell] == key[cell]
        if same:
            return np.int64(place)
        slot = (slot + 1) & (len(slots) - 1)
    place = index.found[0]
    if place == len(keys):
        return np.int64(FULL)
    for cell in range(len(key)):
        keys[place, cell] = key[cell]
    index.found[0] += 1
    slots[slot] = place + 1
    return np.int64(place)


@routine
def go_on(fight, number, half, side, later, attacked, able, key):
    """Write the next position in which somebody strikes, or the end of the turn.

    ``attacked``: an attack has just been made in this half of the pass.
    """
    while fight.strikes > 0 and not is_over(fight):
        if not (attacked and fight.n == 2):
            i, j = next_attack(fight, later, side, able)
            if i != j:
                write_key(fight, number, half, side, later, key)
                return
        attacked = False
        number, half, side = number + half, 1 - half, 1 - side
        for i in range(fight.n):
            fight.struck[i] = 0
    write_states(fight, END, later, key)


@part
def declare(fight, i, j):
    """Use the attack die, declare the defence (C-5.2, C-6): dice committed, if sustained."""
    fight.attack[i] -= 1
    fight.strikes -= 1
    fight.struck[max(i, j)] = 1
    committed = parry_dice(fight, j)
    if sustains(fight, j, committed):
        fight.sustained[j] = SLOWED
    return committed, np.int64(fight.sustained[j] > 0) & (committed > 0)


@routine
def follow(fight, index, place, end, able):
    """Write the position after one end of an attack into ``index.key``."""
    number, half, side, later = set_up(fight, index.keys[place])
    i, j = next_attack(fight, later, side, able)
    committed, sustained = declare(fight, i, j)
    if end != MISSED:
        fight.defence[j] -= committed * (1 - sustained)
    if end >= LANDED:
        state = fight.after[fight.state[j], end - LANDED]
        fight.state[j] = state
        if state == fight.dead:
            bury(fight, j)
    go_on(fight, number, half, side, later, True, able, index.key)


@part
def wound_table(fight, turn, i, j, able, room):
    """Number of the table of outcomes for a blow of ``i`` on ``j``; added if it is new."""
    difference = current(fight, turn, i, Stat.FOR) - current(fight, turn, j, Stat.RES)
    if is_able(able, fight):
        difference += blow_bonus(fight, i)
    count, outcomes = room.tables[0], room.outcomes
    row = wound_row(fight, difference)
    for dice in range(THROWS):
        low, high = min(dice // 6, dice % 6) + 1, max(dice // 6, dice % 6) + 1
        outcome = np.int64(fight.wound[row, dice])
        if is_able(able, fight):
            outcome = outcome_of(fight, i, j, low, high, difference, Weapon.MELEE, 0)
        outcomes[count, dice] = outcome
    for table in range(count):
        same = True
        for dice in range(THROWS):
            same = same and outcomes[table, dice] == outcomes[count, dice]
        if same:
            return table
    room.tables[0] += 1
    return np.int64(FULL) if room.tables[0] > MOST_TABLES else count


@part
def describe(fight, room, place, able):
    """Write what is rolled in a position, its row left out; ``ODD`` if a figure has no room."""
    number, _, side, turn = set_up(fight, room.positions.keys[place])
    i, j = next_attack(fight, turn, side, able)
    committed, _ = declare(fight, i, j)
    attack = attack_of(fight, turn, i, j, able)
    defence = defence_of(fight, turn, j, i, able) if committed else np.int64(0)
    tested = committed > 0 or can_fail(fight, attack)
    keep = attack_keep_at(fight, i, attack, defence, committed)
    reroll = decides(fight, j, Decision.REROLL_DEFENCE)
    failing = fight.scalars[Rule.AUTOMATIC_FAILURE]
    # a natural result is at least 1: what fails no test may as well be a little higher
    failing = max(failing, min(attack, defence))
    lost, low = failing - attack, failing - defence
    if not tested or opens_at(fight, i, Roll.ATTACK, able) > SIX_OPENS:
        keep = np.int64(0)
    if opens_at(fight, j, Roll.DEFENCE, able) > SIX_OPENS:
        reroll = np.int64(Reroll.NEVER)
    if committed == 0:  # a die that nobody rolls, and that never parries
        reroll, low = np.int64(Reroll.NEVER), np.int64(MIDDLE - 1)
    if min(lost, low) < -MIDDLE or max(lost, low) >= MIDDLE:
        return np.int64(ODD)
    table = wound_table(fight, turn, i, j, able, room)
    if table < 0:
        return np.int64(ODD)
    several = committed > 2 or (committed == 2 and fight.scalars[Rule.ONE_CHAIN] == 1)
    direction = np.int64(i > 0) ^ fight.mirror
    address = np.int64(attack_address(0, number, max(i, j), direction)) >> np.int64(DIRECTION)
    high = (
        address | min(max(keep, 0), MOST_KEPT) << KEEP | (lost + MIDDLE) << LOST
        | (low + MIDDLE) << LOW_END | HOW[reroll] << REROLLED
    )  # fmt: skip
    room.steps[place] = (
        high << 32 | table << TABLE | np.int64(tested) << TESTED
        | (MANY if several else committed) << COMMITTED
    )  # fmt: skip
    return np.int64(0)
