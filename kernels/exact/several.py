"""One against several, exactly: positions in a table, attack by attack (C-3 to C-7)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.fight import can_fail
from ..combat.placing import combat_dice, place_anew
from ..combat.policy import coming
from ..combat.wounds import current
from ..layout.combat import Moment, Stat
from ..layout.exact import KEPT, PLAYED, REROLLED, UNROLLED, Played
from .attacks import attack_value, declare, evaluate, lead_of, reach, spread
from .choices import (
    best_placement,
    count_placements,
    is_open,
    list_attacks,
    list_defences,
)
from .initiative import lone_first
from .laws import prepare, six_ends
from .positions import (
    FULL,
    HALVES,
    NOBODY,
    TOO_WIDE,
    add,
    clear,
    end_place,
    field,
    has_attack,
    measure,
    pack,
    shift_of_end,
    shift_of_half,
    unpack,
)


@part
def to_start(fight, states):
    """Everybody as he begins the turn, without dice."""
    fight.living = 0
    for i in range(fight.n):
        fight.state[i] = states[i]
        fight.sustained[i] = 0
        fight.struck[i] = 0
        fight.living += i > 0 and states[i] != fight.dead


@routine
def open_table(fight, laws, turn, states, placed, first, keys, links, slots, heads, count, joint):
    """Put the beginning into an empty table, dice placed; its place, or where it ends at once.

    Returns
    -------
    int
        Place in the table; NOBODY if no attack die was placed.
    """
    clear(keys, slots, heads, count)
    to_start(fight, states)
    strikes = 0
    for i in range(fight.n):
        dice = combat_dice(fight, i) if fight.state[i] != fight.dead else 0
        fight.placed[i] = fight.attack[i] = placed[i] if dice else 0
        fight.guard[i] = fight.defence[i] = dice - fight.placed[i]
        fight.may_sustain[i] = fight.guard[i] >= fight.placed[i]
        strikes += fight.placed[i]
    opens = fight.attack[0] > 0 if first == 0 else has_attack(fight, 0)
    half = 0 if opens else 1
    key = pack(fight, laws, half)
    if strikes == 0:
        key |= 1 << shift_of_end(fight, laws)
    place = add(fight, laws, key, keys, links, slots, heads, count)
    return place if strikes else NOBODY


@kernel
def count_ways(fights, turn, states):
    """In how many ways open policies may place the dice from these states."""
    fight = fights[0]
    to_start(fight, states)
    return count_placements(fight, turn)


@kernel
def place_dice(fights, turn, states, way, placed):
    """Write the attack dice of a placement (`combat.placing.place_anew`) into `placed`."""
    fight = fights[0]
    to_start(fight, states)
    place_anew(fight, Moment(0, turn, None), way, True)
    for i in range(fight.n):
        placed[i] = fight.attack[i]


@kernel
def choose_placement(fights, turn, states, values, picks):
    """Return the placement where each in his turn does best, by what each is worth."""
    fight = fights[0]
    to_start(fight, states)
    return best_placement(fight, turn, count_placements(fight, turn), values, picks)


@routine
def play_first(
    fight, laws, turn, states, placed, first, final, details,
    keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
):  # fmt: skip
    """Solve the combat when side ``first`` strikes first; 1 if done, FULL if there is no room."""
    root = open_table(
        fight, laws, turn, states, placed, first, keys, links, slots, heads, count, joint
    )
    one = laws.parry[0, 0, 0, 0] * 0 + 1
    if root == NOBODY:
        joint[first * len(final) + end_place(fight, keys[0], laws)] += one
        masses[0] = one
        return 1
    solved = is_open(fight)
    if solved:
        if not reach(fight, laws, turn, first, keys, links, slots, heads, count):
            return FULL
        evaluate(
            fight, laws, turn, first, final, keys, links, slots, heads, value, choice, chances,
            answer,
        )  # fmt: skip
    masses[root] = one
    room = spread(
        fight, laws, turn, first, solved, details, keys, links, slots, heads, count, masses,
        choice, chances, joint,
    )  # fmt: skip
    if room:
        return 1
    for place in range(len(masses)):
        masses[place] = one - one
    return FULL


@kernel
def solve_combat(
    fights, tables, turn, states, placed, final,
    keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
):  # fmt: skip
    """Law of one turn of a combat with the dice placed, and the best decisions left open.

    Parameters
    ----------
    fights, tables, turn
        As in `estoc.kernels.exact.duel.solve_duel`, with one enemy or more.
    states : ndarray of int64, shape (n,)
        Of all fighters at the beginning of the turn.
    placed : ndarray of int64, shape (n,)
        Attack dice (`place_dice`).
    final : ndarray of float64, shape (s ** n,)
        What side 0 gets for the final states of all, the lone fighter's counting most.
    keys, links, slots, heads, count, value, masses, choice, chances, answer
        The table, from `table_of`.
    joint : ndarray of float64, shape (2 * s ** n,)
        Chance of the final states of all, by the side that strikes first; overwritten.

    Returns
    -------
    positions : int
        The most that stood in the table at once; ``FULL`` if it had no room, ``TOO_WIDE``
        if a position has none in a number.
    value : float
        What the combat is worth to side 0.
    """
    fight, laws = fights[0], tables[0]
    size = len(final)
    zero = laws.parry[0, 0, 0, 0]
    worth_0 = worth_1 = zero
    for end in range(2 * size):
        joint[end] = zero
    to_start(fight, states)
    prepare(fight, laws, turn)
    positions = 0
    if not measure(fight, laws):
        return TOO_WIDE, zero
    for first in range(2):
        done = play_first(
            fight, laws, turn, states, placed, first, final, False,
            keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
        )  # fmt: skip
        positions = max(positions, count[0])
        if done == FULL:
            clear(keys, slots, heads, count)
            return FULL, zero
        worth = zero
        for end in range(size):
            worth += joint[first * size + end] * final[end]
        if first == 0:
            worth_0 = worth
        else:
            worth_1 = worth
    to_start(fight, states)
    chance = lone_first(fight, laws, turn, 0 if worth_0 >= worth_1 else 1)
    for end in range(size):
        joint[end] *= chance
        joint[size + end] *= 1 - chance
    return positions, chance * worth_0 + (1 - chance) * worth_1


@part
def play_in_detail(
    fight, laws, turn, states, placed, first, final,
    keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
):  # fmt: skip
    """As `play_first`; all positions and ends stay in the table, with their masses."""
    to_start(fight, states)
    prepare(fight, laws, turn)
    measure(fight, laws)
    return play_first(
        fight, laws, turn, states, placed, first, final, True,
        keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
    )  # fmt: skip


@kernel
def end_positions(
    fights, tables, turn, states, placed, first, final,
    keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
):  # fmt: skip
    """Ends of one turn with the dice that are left, given who strikes first.

    Parameters are those of `solve_combat`.

    Returns
    -------
    done : int
        FULL if the table had no room; then nothing is told.
    ends : ndarray of int64, shape (m, 3 * n)
        States, attack dice left, defence dice left.
    masses : ndarray of float64, shape (m,)
    """
    fight, laws = fights[0], tables[0]
    done = play_in_detail(
        fight, laws, turn, states, placed, first, final,
        keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
    )  # fmt: skip
    found = np.zeros((0 if done == FULL else count[0], 3 * fight.n), np.int64)
    weights = np.zeros(len(found))
    ends, place = 0, heads[len(heads) - 1]
    while place != NOBODY and done != FULL:
        unpack(fight, laws, first, keys[place])
        for i in range(fight.n):
            found[ends, i] = fight.state[i]
            found[ends, fight.n + i] = fight.attack[i]
            found[ends, 2 * fight.n + i] = fight.defence[i]
        weights[ends] = masses[place]
        ends += 1
        place = links[place]
    forget(masses, count)
    return done, found[:ends], weights[:ends]


@part
def forget(masses, count):
    """Take the masses of all positions away."""
    for place in range(count[0]):
        masses[place] = 0


@kernel
def played_positions(
    fights, tables, turn, states, placed, first, final,
    keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
):  # fmt: skip
    """Every position of one turn that best play leads to, and what is decided there.

    Parameters are those of `solve_combat`; some decision is left open. ``first`` is given.

    Returns
    -------
    done : int
        FULL if the table had no room; then nothing is told.
    rows : ndarray of int64, shape (m, len(Played) + n)
        As `Played` says, then the states of all.
    masses : ndarray of float64, shape (m,)
    """
    fight, laws = fights[0], tables[0]
    done = play_in_detail(
        fight, laws, turn, states, placed, first, final,
        keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
    )  # fmt: skip
    rows = np.zeros((0 if done == FULL else count[0], PLAYED + fight.n), np.int64)
    weights = np.zeros(len(rows))
    found = 0
    for level in range(len(heads) - 1):
        place = heads[level] if done != FULL else NOBODY
        while place != NOBODY:
            if masses[place] > 0:
                describe(
                    fight, laws, turn, first, keys[place], choice[place, 0],
                    final, keys, slots, value, answer, rows[found],
                )  # fmt: skip
                weights[found] = masses[place]
                found += 1
            place = links[place]
    forget(masses, count)
    return done, rows[:found], weights[:found]


@routine
def describe(fight, laws, turn, first, key, pair, final, keys, slots, value, answer, row):
    """Write what is decided in a position into a row of `played_positions`."""
    side = unpack(fight, laws, first, key)
    row[Played.HALF] = field(key, shift_of_half(fight, laws), 6)
    row[Played.CHOICES] = list_attacks(fight, laws, turn, side)
    i, j = laws.striker[pair], laws.target[pair]
    for k in range(fight.n):
        row[PLAYED + k] = fight.state[k]
    row[Played.STRIKER], row[Played.TARGET] = i, j
    row[Played.DEFENCE], row[Played.SUSTAINED] = fight.defence[j], fight.sustained[j]
    attack_value(fight, laws, turn, key, side, pair, final, keys, slots, value, answer)
    declare(fight, i, j)
    row[Played.COMING] = coming(fight, j)
    row[Played.OPTIONS] = list_defences(fight, laws, j)
    option = np.int64(answer[0])
    committed, sustains = laws.committed[option], laws.sustains[option]
    row[Played.COMMITTED], row[Played.SUSTAINS] = committed, sustains
    row[Played.ATTACK] = attack = current(fight, turn, i, Stat.ATT)
    row[Played.LEAD] = lead = lead_of(fight, turn, i, j, sustains)
    row[Played.SIX] = UNROLLED
    if committed > 0 or can_fail(fight, attack):
        wants = 0 if answer[5] >= answer[4] else 1
        _, _, keep = six_ends(
            fight, laws, side, wants, committed, attack, lead, 6, answer[3], answer[4], answer[5]
        )
        row[Played.SIX] = KEPT if keep else REROLLED


def table_of(fighters: int, positions: int) -> tuple[NDArray[Any], ...]:
    """Return an empty table for so many fighters and positions: keys to answer."""
    slots = 1 << (2 * positions - 1).bit_length()
    return (
        np.empty(positions, np.int64),
        np.empty(positions, np.int32),
        np.zeros(slots, np.int32),
        np.full(HALVES * fighters + 1, NOBODY, np.int32),
        np.zeros(1, np.int64),
        np.empty(positions),
        np.zeros(positions),
        np.empty((positions, 2), np.uint8),
        np.empty((positions, 2)),
        np.empty(6),
    )
