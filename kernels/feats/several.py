"""A combat exactly where somebody has an ability (W-7): positions in a table, attack by attack."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import has
from ..combat.placing import place_anew
from ..combat.policy import decides
from ..combat.wounds import is_dead
from ..exact.choices import is_open, tester_choice
from ..exact.positions import FULL, NOBODY, TOO_WIDE, clear, find
from ..layout.abilities import Effect
from ..layout.combat import Moment
from ..layout.feats import (
    EXCHANGE_ENDS,
    FEATS,
    LEVELS,
)
from ..layout.policy import Decision, Luck
from .attacks import evaluate, reach, spread
from .initiative import TEST, difference_of, first_law
from .positions import (
    add,
    end_place,
    is_end,
    level_of,
    measure,
    opening,
    pack,
    unpack,
)


@routine
def set_out(fight, feats, turn, states, way):
    """Everybody as he begins the turn, his dice placed; whether positions have room."""
    fight.living = 0
    for i in range(fight.n):
        fight.state[i] = states[i]
        fight.sustained[i] = fight.struck[i] = 0
        fight.attack[i] = fight.defence[i] = fight.held[i] = 0
        fight.luck[i] = fight.fresh[i] = fight.doomed[i] = 0
        fight.into_attack[i] = fight.into_defence[i] = fight.chained[i] = 0
        fight.living += i > 0 and states[i] != fight.dead
    place_anew(fight, Moment(0, turn, None), way, True)
    for i in range(fight.n):
        fight.placed[i] = fight.attack[i]
        if not has(fight, i, Effect.WOUND_DICE):
            fight.fresh[i] = 0
    return measure(fight, feats)


@routine
def root(fight, feats, start, first, tester, used_0, used_1):
    """The position in which the combat begins, after so much luck in the Initiative test."""
    unpack(fight, feats, start)
    fight.luck[0] -= used_0
    fight.luck[tester] -= used_1
    return opening(fight, feats, first)


@part
def lucks(fight, i):
    """How many tests a fighter may roll again."""
    never = decides(fight, i, Decision.LUCK) == Luck.NEVER
    return np.int64(0) if never else fight.luck[i]


@kernel
def solve_feats(
    fights, tables, tests, turn, states, way, final,
    keys, links, slots, heads, count, value, masses, choice, chances, landing, marks, joint,
):  # fmt: skip
    """Law of one turn of a combat where somebody has an ability, and the best decisions left open.

    Parameters
    ----------
    fights : ndarray of FIGHT, shape (1,)
        From `estoc.kernels.combat.trials.new_fight`; scratch.
    tables : ndarray of FEATS, shape (1,)
        From `new_feats`, for the same fighters, edition and policies.
    tests : ndarray of TEST, shape (1,)
        From `new_feats`.
    turn : int
        0, or any later turn.
    states : ndarray of int64, shape (n,)
        Of all fighters at the beginning of the turn.
    way : int
        The placement (`estoc.kernels.combat.placing.place_anew`).
    final : ndarray of float64, shape (s ** n,)
        What side 0 gets for the final states of all, the lone fighter's counting most.
    keys, links, slots, heads, count, value, masses, choice, chances, landing, marks
        The table, from `table_of`.
    joint : ndarray of float64, shape (2 * s ** n,)
        Chance of the final states of all, by the side that strikes first; overwritten.

    Returns
    -------
    positions : int
        That stood in the table at once; ``FULL`` if it had no room, ``TOO_WIDE`` if a position
        has none in a number.
    value : float
        What the combat is worth to side 0.
    """
    fight, feats, test = fights[0], tables[0], tests[0]
    joint[:] = 0.0
    clear(keys, slots, heads, count)
    if not set_out(fight, feats, turn, states, way):
        return TOO_WIDE, 0.0
    start = pack(fight, feats, 0, 0)
    solved = is_open(fight)
    if solved:
        if not add_roots(fight, feats, start, keys, links, slots, heads, count):
            return FULL, 0.0
        if not reach(fight, feats, turn, keys, links, slots, heads, count, marks):
            return FULL, 0.0
        evaluate(
            fight, feats, turn, final, keys, links, slots, heads, value, choice, chances, landing,
            marks,
        )  # fmt: skip
    tester = begin(fight, feats, test, turn, start, solved, final, keys, slots, value)
    for first in range(2):
        base = first * len(final)
        for used_0 in range(3):
            for used_1 in range(3):
                chance = feats.start_chance[first, used_0, used_1]
                if chance > 0:
                    key = root(fight, feats, start, first, tester, used_0, used_1)
                    if is_end(feats, key):
                        joint[base + end_place(fight)] += chance
                        continue
                    level = level_of(fight, feats, key)
                    place = add(fight, feats, key, level, keys, links, slots, heads, count)
                    if place == FULL:
                        masses[:] = 0.0
                        return FULL, 0.0
                    masses[place] += chance
        room = spread(
            fight, feats, turn, solved, keys, links, slots, heads, count, masses,
            choice, chances, landing, marks, joint, base,
        )  # fmt: skip
        if not room:
            masses[:] = 0.0
            return FULL, 0.0
    total = 0.0
    for end in range(len(final)):
        total += (joint[end] + joint[len(final) + end]) * final[end]
    return count[0], total


@routine
def add_roots(fight, feats, start, keys, links, slots, heads, count):
    """Put all beginnings into the table, whoever tests and strikes first; False: no room."""
    for tester in range(1, fight.n):
        unpack(fight, feats, start)
        most_0, most_1 = lucks(fight, 0), lucks(fight, tester)
        if is_dead(fight, tester):
            continue
        for first in range(2):
            for used_0 in range(most_0 + 1):
                for used_1 in range(most_1 + 1):
                    key = root(fight, feats, start, first, tester, used_0, used_1)
                    level = level_of(fight, feats, key)
                    if is_end(feats, key):
                        continue
                    if add(fight, feats, key, level, keys, links, slots, heads, count) == FULL:
                        return False
    return True


@routine
def fill_start(fight, feats, start, tester, final, keys, slots, value):
    """Fill ``start_value``: what the combat is worth, by who strikes first and luck used."""
    unpack(fight, feats, start)
    most_0, most_1 = lucks(fight, 0), lucks(fight, tester)
    for first in range(2):
        for used_0 in range(most_0 + 1):
            for used_1 in range(most_1 + 1):
                key = root(fight, feats, start, first, tester, used_0, used_1)
                if is_end(feats, key):
                    found = final[end_place(fight)]
                else:
                    found = value[find(key, keys, slots)]
                feats.start_value[first, used_0, used_1] = found
    unpack(fight, feats, start)


@routine
def begin(fight, feats, test, turn, start, solved, final, keys, slots, value):
    """Fill ``start_chance``: who strikes first, and luck used; who tests for the others (C-4)."""
    unpack(fight, feats, start)
    chosen, best = np.int64(0), 0.0
    tester = tester_choice(fight, turn, 0)
    last = np.int64(0)
    while tester:
        found = law_with(fight, feats, test, turn, start, solved, tester, final, keys, slots, value)
        if chosen == 0 or (best - found) * 10**13 > 1:
            chosen, best = tester, found
        last = tester
        tester = tester_choice(fight, turn, tester)
    if chosen != last:
        law_with(fight, feats, test, turn, start, solved, chosen, final, keys, slots, value)
    return chosen


@routine
def law_with(fight, feats, test, turn, start, solved, tester, final, keys, slots, value):
    """Fill ``start_chance`` for who tests for the others; what the combat is worth then."""
    if solved:
        fill_start(fight, feats, start, tester, final, keys, slots, value)
    difference = difference_of(fight, turn, tester)
    return first_law(fight, test, tester, difference, feats.start_value, feats.start_chance)


def new_feats() -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Return empty tables of laws and of the Initiative test, as record arrays of shape (1,)."""
    return np.zeros(1, FEATS), np.zeros(1, TEST)


def table_of(positions: int) -> tuple[NDArray[Any], ...]:
    """Return an empty table for so many positions: keys to marks."""
    slots = 1 << (2 * positions - 1).bit_length()
    return (
        np.empty(positions, np.int64),
        np.empty(positions, np.int32),
        np.zeros(slots, np.int32),
        np.full(LEVELS, NOBODY, np.int32),
        np.zeros(1, np.int64),
        np.empty(positions),
        np.zeros(positions),
        np.empty((positions, 2), np.uint8),
        np.empty((positions, EXCHANGE_ENDS)),
        np.empty((positions, 4), np.int8),
        np.zeros(9, np.int64),
    )
