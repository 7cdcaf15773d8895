"""Every position that the literal rules of a combat lead to, as rows that lanes look up.

A *plan* is made once: it says what is rolled in a position, by which figures, and which
position follows each end of the attack. The rules are those of `combat`, applied to a record as
`combat.trials` does; the exact engine has no part in it. Rows of attacks come first, then those
of beginnings of a turn, then those of its ends, which lead to themselves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part
from ..combat.feats import opens_at
from ..combat.initiative import NO_SIDE, opposed, testers, tie_winner
from ..combat.placing import place_anew
from ..combat.wounds import is_over
from ..core.rng import DIGITS, U64
from ..layout.abilities import KNOWN_IN_LANES, Roll
from ..layout.combat import LONE, OTHERS, THROWS, Call, Column, Moment, Rule, Tie
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
    Index,
    Room,
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
    """A combat as tables; the last of ``rows`` is a spare one."""

    # steps that follow: an attack's ends; a beginning's, by who strikes first; an end's, itself
    rows: NDArray[np.uint64]  # ((p + 1) * ROW,)
    returns: NDArray[np.uint64]  # (p,): step of the next turn after an end; ``OVER`` if none
    outcomes: NDArray[np.uint32]  # (w * THROWS,): outcome of a wound roll by the two dice
    winners: NDArray[np.uint32]  # (t * CODES * CODES,): of the Initiative, by both chains
    keys: NDArray[np.uint8]  # (p, CELLS * n + 4): what the positions are
    attacks: int  # first row that is no attack
    ends: int  # first row that is an end
    start: int  # step of the beginning


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


@part
def initiative_table(fight, turn, able, room):
    """Number of the table of Initiative of the fighters that are set up; added if it is new."""
    tester, ini_0, ini_1 = testers(fight, turn, able)
    opens_0 = opens_at(fight, 0, Roll.INITIATIVE, able)
    opens_1 = opens_at(fight, tester, Roll.INITIATIVE, able)
    kinds, table = room.kinds, 0
    while table < room.tables[1]:
        if (
            kinds[table, 0] == ini_0 and kinds[table, 1] == ini_1
            and kinds[table, 2] == opens_0 and kinds[table, 3] == opens_1
        ):  # fmt: skip
            return table
        table += 1
    if table == MOST_TABLES:
        return np.int64(FULL)
    room.tables[1] += 1
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
            room.winners[table, one * CODES + other] = winner
    return table


# --- the plan ----------------------------------------------------------------------------


@part
def begin(fight, room, place, able):
    """Write what follows a beginning: dice are placed, both may strike first."""
    _, _, _, turn = set_up(fight, room.positions.keys[place])
    place_anew(fight, Moment(0, turn, None), 0, able)
    table = initiative_table(fight, turn, able, room)
    if table < 0:
        return np.int64(ODD)
    room.steps[place] = table << TABLE
    for first in range(2):
        set_up(fight, room.positions.keys[place])
        place_anew(fight, Moment(0, turn, None), 0, able)
        for i in range(fight.n):
            fight.struck[i] = 0
        go_on(fight, 0, 0, first, turn, False, able, room.positions.key)
        found = place_of(room.positions)
        if found == FULL:
            return found
        room.follows[place, first] = found
    return np.int64(0)


@part
def finish(fight, room, place, turns):
    """Write what follows an end: itself, and perhaps a further turn."""
    for end in range(ROW):
        room.follows[place, end] = place
    set_up(fight, room.positions.keys[place])
    if turns > 1 and not is_over(fight):
        for i in range(fight.n):
            fight.state[i] = fight.recover[fight.state[i]]
        write_states(fight, BEGINNING, 1, room.positions.key)
        room.returns[place] = place_of(room.positions)
        if room.returns[place] == FULL:
            return np.int64(FULL)
    return np.int64(0)


@part
def strike(fight, room, place, able):
    """Write an attack and what follows its ends."""
    done = describe(fight, room, place, able)
    if done < 0:
        return done
    step = room.steps[place]
    for end in range(ROW):
        room.follows[place, end] = 0
        can = step >> TESTED & 1 if end == MISSED else step >> COMMITTED & MANY
        if end >= LANDED:
            can = np.int64(0)
            for dice in range(THROWS):
                can |= room.outcomes[step >> TABLE & MOST_TABLES, dice] == end - LANDED
        if can:
            follow(fight, room.positions, place, end, able)
            found = place_of(room.positions)
            if found == FULL:
                return found
            room.follows[place, end] = found
    return np.int64(0)


@kernel
def write_plan(fights, able, turns, room):
    """Write every position of a combat, in the order in which they are found.

    Returns 0; ``FULL`` without room; ``ODD`` if a figure has none in its field. ``able`` is None
    where nobody has an ability: what they do is compiled away.
    """
    fight = fights[0]
    for i in range(fight.n):
        fight.state[i] = fight.fighters[i, Column.START]
        fight.chained[i] = fight.held[i] = 0
    write_states(fight, BEGINNING, 0, room.positions.key)
    place_of(room.positions)
    place = 0
    while place < room.positions.found[0]:
        number = room.positions.keys[place, CELLS * fight.n]
        room.steps[place] = 0
        room.returns[place] = FULL
        if number == BEGINNING:
            done = begin(fight, room, place, able)
        elif number == END:
            done = finish(fight, room, place, turns)
        else:
            done = strike(fight, room, place, able)
        if done < 0:
            return done
        place += 1
    return np.int64(0)


def is_known(fights: NDArray[np.void]) -> bool:
    """Whether lanes know all abilities of the fighters of a combat."""
    return not int(fights[0]["able"]) & ~KNOWN_IN_LANES


def able_of(fights: NDArray[np.void]) -> bool | None:
    """Return the argument ``able`` of kernels: None where nobody has an ability."""
    return True if fights[0]["able"] else None


def new_room(n: int, positions: int) -> Room:
    """Return room for so many positions of so many fighters."""
    cells = CELLS * n + 4
    index = Index(
        np.empty((positions, cells), np.uint8),
        np.zeros(4 << positions.bit_length(), np.int32),
        np.zeros(1, np.int64),
        np.empty(cells, np.uint8),
    )
    return Room(
        index,
        np.zeros((positions, ROW), np.int64),
        np.zeros(positions, np.int64),
        np.zeros(positions, np.int64),
        np.zeros((MOST_TABLES + 1, THROWS), np.uint32),
        np.zeros((MOST_TABLES, CODES * CODES), np.uint32),
        np.zeros((MOST_TABLES, 4), np.int64),
        np.zeros(2, np.int64),
    )


def make_plan(fights: NDArray[np.void], turns: int, most: int) -> Plan | None:
    """Return a combat as tables; None if it has more than so many positions."""
    if most < 1 or not is_known(fights):
        return None
    n, most = int(fights[0]["n"]), min(most, PLACES)
    room = new_room(n, min(256, most))
    while (done := write_plan(fights, able_of(fights), min(turns, 2), room)) == FULL:
        if len(room.positions.keys) == most:
            return None
        room = new_room(n, min(4 * len(room.positions.keys), most))
    if done == ODD:
        return None
    found = int(room.positions.found[0])
    number = room.positions.keys[:found, CELLS * n].astype(np.int64)
    kind = (number >= BEGINNING) * 1 + (number == END)
    order = np.argsort(kind, kind="stable")
    place = np.empty(found, np.int64)
    place[order] = np.arange(found)
    words = (room.steps[:found] | place).view(np.uint64)
    back = room.returns[order]
    return Plan(
        np.append(words[room.follows[order]], np.zeros(ROW, np.uint64)),
        np.where(back >= 0, words[back], OVER),
        room.outcomes[: room.tables[0]].ravel(),
        room.winners[: room.tables[1]].ravel(),
        np.ascontiguousarray(room.positions.keys[order]),
        int((kind == 0).sum()),
        int((kind <= 1).sum()),
        int(words[0]),
    )
