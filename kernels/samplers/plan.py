"""Every position that the literal rules of a combat lead to, as rows that lanes look up.

A *plan* is made once: it says what is rolled in a position, by which figures, and which
position follows each end of the attack. The rules are those of `combat`, `policy` and
`wounds`, applied to a record as `trials` does; the exact engine has no part in it. Rows of
attacks come first, then those of beginnings of a turn, then those of its ends, which lead to
themselves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import blow_bonus, is_able, is_all_attack, opens_at, outcome_of
from ..combat.fight import attack_of, can_fail, defence_of, next_attack
from ..combat.initiative import NO_SIDE, opposed, testers, tie_winner
from ..combat.policy import attack_keep_at, decides, parry_dice, place_anew, sustains
from ..combat.wounds import SLOWED, bury, current, is_dead, is_over, wound_row
from ..core.dice import SIX_OPENS
from ..core.rng import DIGITS, U64, attack_address
from ..layout.abilities import KNOWN_IN_LANES, Roll, Weapon
from ..layout.combat import LONE, OTHERS, Call, Column, Decision, Moment, Reroll, Rule, Stat, Tie

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
MOST_KEPT = 31  # above what the dice of one word add up to
MANY = 3  # dice committed: rolled one by one
HOW = (0, 3, 1)  # by `Reroll`: as a number of two bits 0, -1 and 1 times as keen as the test
CODES = 30  # of a chain: sum of the 6s before the first other die, and that die from 0
AGAIN, COIN, UNCLEAR = 2, 3, 4  # of a table of Initiative, besides the side that strikes first
MOST_TABLES = 255  # of outcomes, and of Initiative

FULL = -1  # no room
OVER = np.uint64(2**64 - 1)  # no step: no further turn
ODD = -2  # a figure has no room in its field
CELLS = 5  # of a key, for each fighter
SUSTAINED_MARK, STRUCK, MAY_SUSTAIN, ALL_ATTACK = 3, 4, 8, 16
BEGINNING, END = 254, 255  # numbers of a pass that stand for these


class Plan(NamedTuple):
    """A combat as tables.

    rows : ndarray of uint64, shape ((p + 1) * ROW,)
        Steps that follow: an attack's ends; a beginning's, by who strikes first; an end's, which
        is itself. The last row is a spare one.
    returns : ndarray of uint64, shape (p,)
        Step of the beginning of the next turn that follows an end; ``OVER`` if none does.
    outcomes : ndarray of uint32, shape (w * 36,)
        Outcome of a wound roll by the two dice.
    winners : ndarray of uint32, shape (t * CODES * CODES,)
        Who wins the Initiative by the chains of the lone fighter and of the other tester.
    keys : ndarray of uint8, shape (p, CELLS * n + 4)
        What the positions are.
    attacks, ends : int
        First row that is no attack; first row that is an end.
    start : int
        Step of the beginning.
    """

    rows: NDArray[np.uint64]
    returns: NDArray[np.uint64]
    outcomes: NDArray[np.uint32]
    winners: NDArray[np.uint32]
    keys: NDArray[np.uint8]
    attacks: int
    ends: int
    start: int


# --- positions as bytes ------------------------------------------------------------------


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
def place_of(key, keys, slots, count):
    """Place of a position among the keys, added if it is new; ``FULL`` without room."""
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
    place = count[0]
    if place == len(keys):
        return np.int64(FULL)
    for cell in range(len(key)):
        keys[place, cell] = key[cell]
    count[0] += 1
    slots[slot] = place + 1
    return np.int64(place)


# --- what follows ------------------------------------------------------------------------


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
def follow(fight, keys, place, end, able, key):
    """Write the position after one end of an attack."""
    number, half, side, later = set_up(fight, keys[place])
    i, j = next_attack(fight, later, side, able)
    committed, sustained = declare(fight, i, j)
    if end != MISSED:
        fight.defence[j] -= committed * (1 - sustained)
    if end >= LANDED:
        state = fight.after[fight.state[j], end - LANDED]
        fight.state[j] = state
        if state == fight.dead:
            bury(fight, j)
    go_on(fight, number, half, side, later, True, able, key)


# --- figures -----------------------------------------------------------------------------


@routine
def wound_table(fight, turn, i, j, able, outcomes, tables):
    """Number of the table of outcomes for a blow of ``i`` on ``j``; added if it is new."""
    difference = current(fight, turn, i, Stat.FOR) - current(fight, turn, j, Stat.RES)
    if is_able(able, fight):
        difference += blow_bonus(fight, i)
    count = tables[0]
    row = wound_row(fight, difference)
    for dice in range(36):
        low, high = min(dice // 6, dice % 6) + 1, max(dice // 6, dice % 6) + 1
        outcome = np.int64(fight.wound[row, dice])
        if is_able(able, fight):
            outcome = outcome_of(fight, i, j, low, high, difference, Weapon.MELEE, 0)
        outcomes[count, dice] = outcome
    for table in range(count):
        same = True
        for dice in range(36):
            same = same and outcomes[table, dice] == outcomes[count, dice]
        if same:
            return table
    tables[0] += 1
    return np.int64(FULL) if tables[0] > MOST_TABLES else count


@routine
def describe(fight, keys, place, able, outcomes, tables, steps):
    """Write what is rolled in a position, its row left out; ``ODD`` if a figure has no room."""
    number, _, side, turn = set_up(fight, keys[place])
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
    table = wound_table(fight, turn, i, j, able, outcomes, tables)
    if table < 0:
        return np.int64(ODD)
    several = committed > 2 or (committed == 2 and fight.scalars[Rule.ONE_CHAIN] == 1)
    direction = np.int64(i > 0) ^ fight.mirror
    address = np.int64(attack_address(0, number, max(i, j), direction)) >> 10
    high = (
        address | min(max(keep, 0), MOST_KEPT) << KEEP | (lost + MIDDLE) << LOST
        | (low + MIDDLE) << LOW_END | HOW[reroll] << REROLLED
    )  # fmt: skip
    steps[place] = (
        high << 32 | table << TABLE | np.int64(tested) << TESTED
        | (MANY if several else committed) << COMMITTED
    )  # fmt: skip
    return np.int64(0)


@part
def word_of(code):
    """A word whose dice are those of a chain's code: sixes, then the other die."""
    sixes, die = code // 6, code % 6
    digits = 0
    for place in range(DIGITS):
        digits = digits * 6 + (5 if place < sixes else (die if place == sixes else 2))
    return (digits * 2**32 + 6**DIGITS - 1) // 6**DIGITS


@part
def winner_of(fight, call: Call, ini_0, ini_1, opens_0, opens_1):
    """Who wins an opposed test whose words are on the first page; or AGAIN, or COIN."""
    result_0, result_1 = opposed(fight, call, ini_0, ini_1, opens_0, opens_1)
    if result_0 != result_1:
        return np.int64(result_1 > result_0)
    if fight.scalars[Rule.OPPOSED_TIE] == Tie.COIN:
        return np.int64(COIN)
    side = tie_winner(fight, call, ini_0, ini_1)
    return np.int64(AGAIN if side == NO_SIDE else side)


@routine
def initiative_table(fight, turn, able, winners, kinds, tables):
    """Number of the table of Initiative of the fighters that are set up; added if it is new."""
    tester, ini_0, ini_1 = testers(fight, turn, able)
    opens_0 = opens_at(fight, 0, Roll.INITIATIVE, able)
    opens_1 = opens_at(fight, tester, Roll.INITIATIVE, able)
    for table in range(tables[1]):
        if (
            kinds[table, 0] == ini_0 and kinds[table, 1] == ini_1
            and kinds[table, 2] == opens_0 and kinds[table, 3] == opens_1
        ):  # fmt: skip
            return table
    table = tables[1]
    if table == MOST_TABLES:
        return np.int64(FULL)
    tables[1] += 1
    kinds[table, 0], kinds[table, 1] = ini_0, ini_1
    kinds[table, 2], kinds[table, 3] = opens_0, opens_1
    call = Call(Moment(0, turn, None), 0, 0, tester, U64(0), 0)
    for one in range(CODES):
        for other in range(CODES):
            winner = np.int64(UNCLEAR)
            if one % 6 < 5 and other % 6 < 5:  # a 6 there: the word was not long enough
                fight.words[0, LONE ^ fight.mirror, 0] = word_of(one)
                fight.words[0, OTHERS ^ fight.mirror, 0] = word_of(other)
                winner = winner_of(fight, call, ini_0, ini_1, opens_0, opens_1)
            winners[table, one * CODES + other] = winner
    return table


# --- the plan ----------------------------------------------------------------------------


@routine
def begin(fight, keys, place, able, winners, kinds, tables, slots, count, key, follows, steps):
    """Write what follows a beginning: dice are placed, both may strike first."""
    _, _, _, turn = set_up(fight, keys[place])
    place_anew(fight, Moment(0, turn, None), 0, able)
    table = initiative_table(fight, turn, able, winners, kinds, tables)
    if table < 0:
        return np.int64(ODD)
    steps[place] = table << TABLE
    for first in range(2):
        set_up(fight, keys[place])
        place_anew(fight, Moment(0, turn, None), 0, able)
        for i in range(fight.n):
            fight.struck[i] = 0
        go_on(fight, 0, 0, first, turn, False, able, key)
        found = place_of(key, keys, slots, count)
        if found == FULL:
            return found
        follows[place, first] = found
    return np.int64(0)


@routine
def finish(fight, keys, place, turns, slots, count, key, follows, returns):
    """Write what follows an end: itself, and perhaps a further turn."""
    steps_on = FULL
    for end in range(ROW):
        follows[place, end] = place
    set_up(fight, keys[place])
    if turns > 1 and not is_over(fight):
        for i in range(fight.n):
            fight.state[i] = fight.recover[fight.state[i]]
        write_states(fight, BEGINNING, 1, key)
        steps_on = place_of(key, keys, slots, count)
        if steps_on == FULL:
            return steps_on
    returns[place] = steps_on
    return np.int64(0)


@routine
def strike(fight, keys, place, able, outcomes, tables, slots, count, key, follows, steps):
    """Write an attack and what follows its ends."""
    done = describe(fight, keys, place, able, outcomes, tables, steps)
    if done < 0:
        return done
    step = steps[place]
    for end in range(ROW):
        follows[place, end] = 0
        can = step >> TESTED & 1 if end == MISSED else step >> COMMITTED & MANY
        if end >= LANDED:
            can = np.int64(0)
            for dice in range(36):
                can |= outcomes[step >> TABLE & MOST_TABLES, dice] == end - LANDED
        if can:
            follow(fight, keys, place, end, able, key)
            found = place_of(key, keys, slots, count)
            if found == FULL:
                return found
            follows[place, end] = found
    return np.int64(0)


@part
def explore(
    fight, turns, able, keys, slots, follows, steps, returns, outcomes, winners, kinds, tables,
    count, key,
):  # fmt: skip
    """Write every position and what follows it; 0, ``FULL`` or ``ODD``."""
    for i in range(fight.n):
        fight.state[i] = fight.fighters[i, Column.START]
        fight.chained[i] = fight.held[i] = 0
    write_states(fight, BEGINNING, 0, key)
    place_of(key, keys, slots, count)
    place = 0
    while place < count[0]:
        number = keys[place, CELLS * fight.n]
        steps[place] = 0
        returns[place] = FULL
        if number == BEGINNING:
            done = begin(
                fight, keys, place, able, winners, kinds, tables, slots, count, key, follows, steps
            )
        elif number == END:
            done = finish(fight, keys, place, turns, slots, count, key, follows, returns)
        else:
            done = strike(
                fight, keys, place, able, outcomes, tables, slots, count, key, follows, steps
            )
        if done < 0:
            return done
        place += 1
    return np.int64(0)


@kernel
def write_plan(
    fights, able, turns, keys, slots, follows, steps, returns, outcomes, winners, kinds, tables,
    count, key,
):  # fmt: skip
    """Write every position of a combat, in the order in which they are found.

    Parameters
    ----------
    fights : ndarray of FIGHT, shape (1,)
        From `estoc.kernels.combat.trials.new_fight`; scratch.
    able : bool, optional
        None where nobody has an ability: what they do is compiled away.
    turns : int
        1, or more.
    keys, slots, follows, steps, returns, outcomes, winners, kinds, tables, count, key
        Room, from `make_plan`.

    Returns
    -------
    int
        0; ``FULL`` without room; ``ODD`` if a figure has none in its field.
    """
    return explore(
        fights[0], turns, able, keys, slots, follows, steps, returns, outcomes, winners, kinds,
        tables, count, key,
    )  # fmt: skip


def is_known(fights: NDArray[np.void]) -> bool:
    """Whether lanes know all abilities of the fighters of a combat."""
    return not int(fights[0]["able"]) & ~KNOWN_IN_LANES


def able_of(fights: NDArray[np.void]) -> bool | None:
    """Return what kernels are told: None where nobody has an ability."""
    return True if fights[0]["able"] else None


def make_plan(fights: NDArray[np.void], turns: int, most: int) -> Plan | None:
    """Return a combat as tables; None if it has more than so many positions.

    Parameters
    ----------
    fights : ndarray of FIGHT, shape (1,)
        From `estoc.kernels.combat.trials.new_fight`; scratch.
    turns : int
    most : int
        Positions.
    """
    if most < 1 or not is_known(fights):
        return None
    n, most = int(fights[0]["n"]), min(most, PLACES)
    room = min(256, most)
    while True:
        cells = CELLS * n + 4
        keys, slots = np.empty((room, cells), np.uint8), np.zeros(4 << room.bit_length(), np.int32)
        follows = np.zeros((room, ROW), np.int64)
        steps, returns = np.zeros(room, np.int64), np.zeros(room, np.int64)
        outcomes = np.zeros((MOST_TABLES + 1, 36), np.uint32)
        winners = np.zeros((MOST_TABLES, CODES * CODES), np.uint32)
        kinds, tables = np.zeros((MOST_TABLES, 4), np.int64), np.zeros(2, np.int64)
        count = np.zeros(1, np.int64)
        done = write_plan(
            fights, able_of(fights), min(turns, 2), keys, slots, follows, steps, returns, outcomes,
            winners, kinds, tables, count, np.empty(cells, np.uint8),
        )  # fmt: skip
        if done == ODD or (done == FULL and room >= most):
            return None
        if done != FULL:
            break
        room = min(4 * room, most)
    found = int(count[0])
    number = keys[:found, CELLS * n].astype(np.int64)
    kind = (number >= BEGINNING) * 1 + (number == END)
    order = np.argsort(kind, kind="stable")
    place = np.empty(found, np.int64)
    place[order] = np.arange(found)
    words = (steps[:found] | place).view(np.uint64)
    back = returns[order]
    return Plan(
        np.append(words[follows[order]], np.zeros(ROW, np.uint64)),
        np.where(back >= 0, words[back], OVER),
        outcomes[: tables[0]].ravel(),
        winners[: tables[1]].ravel(),
        np.ascontiguousarray(keys[order]),
        int((kind == 0).sum()),
        int((kind <= 1).sum()),
        int(words[0]),
    )
