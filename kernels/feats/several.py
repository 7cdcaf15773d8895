"""A combat exactly where somebody has an ability (W-7): positions in a table, attack by attack."""

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import has
from ..combat.placing import place_anew
from ..combat.policy import decides
from ..combat.wounds import is_dead
from ..exact.choices import is_better, is_open, tester_choice
from ..exact.positions import FULL, TOO_WIDE, clear, find, forget
from ..layout.abilities import Effect
from ..layout.combat import Moment
from ..layout.exact import Table, new_table
from ..layout.feats import FEAT_POSITION, FEATS, LEVELS
from ..layout.policy import Decision, Luck
from .attacks import evaluate, reach, spread
from .initiative import TEST, first_law
from .positions import add, end_place, is_end, level_of, measure, opening, pack, unpack
from .roll_off import USES


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
def solve_feats(fights, tables, tests, turn, states, way, final, table, joint):
    """Law of one turn of a combat where somebody has an ability, and the best decisions left open.

    ``tables`` and ``tests`` are of `new_feats`, for the fighters, edition and policies of
    ``fights``, which is scratch; ``states`` are of all fighters at the beginning of the turn,
    ``way`` is the placement (`estoc.kernels.combat.placing.place_anew`). All else, and what is
    returned, is as `estoc.kernels.exact.several.solve_combat` says.
    """
    fight, feats, test = fights[0], tables[0], tests[0]
    joint[:] = 0.0
    clear(table)
    if not set_out(fight, feats, turn, states, way):
        return TOO_WIDE, 0.0
    start = pack(fight, feats, 0, 0)
    solved = is_open(fight)
    if solved:
        if not add_roots(fight, feats, start, table) or not reach(fight, feats, turn, table):
            return FULL, 0.0
        evaluate(fight, feats, turn, final, table)
    tester = begin(fight, feats, test, turn, start, solved, final, table)
    size = len(final)
    for first in range(2):
        ends = joint[first * size : (first + 1) * size]
        room = give_roots(fight, feats, start, first, tester, table, ends)
        if not room or not spread(fight, feats, turn, solved, table, ends):
            forget(table)
            return FULL, 0.0
    total = 0.0
    for end in range(size):
        total += (joint[end] + joint[size + end]) * final[end]
    return table.used[0], total


@part
def add_root(fight, feats, key, table):
    """Put a beginning that is no end into the table; its place, FULL without room."""
    return add(fight, feats, key, level_of(fight, feats, key), table)


@routine
def add_roots(fight, feats, start, table):
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
                    if not is_end(feats, key) and add_root(fight, feats, key, table) == FULL:
                        return False
    return True


@routine
def give_roots(fight, feats, start, first, tester, table, joint):
    """Give the beginnings of a side that strikes first their masses; False: no room."""
    for used_0 in range(USES):
        for used_1 in range(USES):
            chance = feats.start_chance[first, used_0, used_1]
            if chance > 0:
                key = root(fight, feats, start, first, tester, used_0, used_1)
                if is_end(feats, key):
                    joint[end_place(fight)] += chance
                    continue
                place = add_root(fight, feats, key, table)
                if place == FULL:
                    return False
                table.rows[place].mass += chance
    return True


@routine
def fill_start(fight, feats, start, tester, final, table):
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
                    found = table.rows[find(key, table)].value
                feats.start_value[first, used_0, used_1] = found
    unpack(fight, feats, start)


@routine
def begin(fight, feats, test, turn, start, solved, final, table):
    """Fill ``start_chance``: who strikes first, and luck used; who tests for the others (C-4)."""
    unpack(fight, feats, start)
    chosen, best = np.int64(0), 0.0
    tester = tester_choice(fight, turn, 0)
    last = np.int64(0)
    while tester:
        found = law_with(fight, feats, test, turn, start, solved, tester, final, table)
        if chosen == 0 or is_better(1, found, best):
            chosen, best = tester, found
        last = tester
        tester = tester_choice(fight, turn, tester)
    if chosen != last:
        law_with(fight, feats, test, turn, start, solved, chosen, final, table)
    return chosen


@routine
def law_with(fight, feats, test, turn, start, solved, tester, final, table):
    """Fill ``start_chance`` for who tests for the others; what the combat is worth then."""
    if solved:
        fill_start(fight, feats, start, tester, final, table)
    return first_law(fight, test, turn, tester, feats.start_value, feats.start_chance)


def new_feats() -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Return empty tables of laws and of the Initiative test, as record arrays of shape (1,)."""
    return np.zeros(1, FEATS), np.zeros(1, TEST)


def table_of(positions: int) -> Table:
    """Return an empty table for so many positions."""
    return new_table(np.zeros(positions, FEAT_POSITION), LEVELS)
