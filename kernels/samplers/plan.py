"""Every position that the literal rules of a combat lead to, as rows that lanes look up.

A *plan* is made once: it says what is rolled in a position, by which figures, and which
position follows each end of the attack. The rules are those of `combat`, applied to a record as
`combat.trials` does; the exact engine has no part in it. Rows of attacks come first, then those
of beginnings of a turn, then those of its ends, which lead to themselves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import opens_at
from ..combat.initiative import NO_SIDE, opposed, testers, tie_winner
from ..combat.placing import place_anew
from ..combat.wounds import is_over
from ..core.rng import DIGITS, U64
from ..layout.abilities import KNOWN_IN_LANES, Roll
from ..layout.combat import LONE, OTHERS, Call, Column, Moment, Rule, Tie
from .rows import (
    BEGINNING,
    CELLS,
    COMMITTED,
    END,
    FULL,
    LANDED,
    MANY,
    MISSED,
    MOST_TABLES,
    ODD,
    OVER,
    PLACES,
    ROW,
    TABLE,
    TESTED,
    describe,
    follow,
    go_on,
    place_of,
    set_up,
    write_states,
)

CODES = 30  # of a chain: sum of the 6s before the first other die, and that die from 0
AGAIN, COIN, UNCLEAR = 2, 3, 4  # of a table of Initiative, besides the side that strikes first


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


# --- figures -----------------------------------------------------------------------------


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
