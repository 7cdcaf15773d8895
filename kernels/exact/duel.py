"""One against one, exactly: every state of both fighters on one dense board (C-3 to C-7).

A place on the board is (code of fighter 0, code of fighter 1, state 0, state 1). A code is
the number of defence dice left; the one above all dice is a sustained die. States and dice
only get worse, so that a board is rewritten in place, attack by attack.
"""

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.placing import place_anew
from ..layout.combat import COLUMNS, STATS, Column, Moment
from ..layout.exact import Duels, Scratch
from .board import board_of, set_strike, strike_law, strike_value
from .choices import best_placement, count_placements, is_open
from .initiative import lone_first
from .laws import prepare


@part
def step_of(first, number, half, board, choice):
    """Where the decisions of an attack begin; ``choice`` is None where there are none."""
    if choice is None:
        return 0
    return (2 * number + half) * board + first * (len(choice) // 2)


@routine
def value_of_first(fight, laws, turn, first, final, scratch):
    """What the combat is worth to side 0 when side ``first`` strikes first."""
    start, board = board_of(fight)
    size, value, choice = len(final), scratch.value, scratch.choice
    for cell in range(board):
        value[cell] = final[cell % size]
    for number in range(max(fight.placed[0], fight.placed[1]) - 1, -1, -1):
        for half in range(1, -1, -1):
            if set_strike(fight, first, number, half):
                step = step_of(first, number, half, board, choice)
                strike_value(fight, laws, turn, first ^ half, step, value, choice, scratch.chances)
    return value[start]


@routine
def law_of_first(fight, laws, turn, first, chance, solved, mass, choice, chances, joint):
    """Add the final states to ``joint`` when side ``first`` strikes first; ``mass`` stays zero."""
    start, board = board_of(fight)
    size = (fight.dead + 1) * (fight.dead + 1)
    mass[start] = chance
    laws.used[start // size] = 1
    for number in range(max(fight.placed[0], fight.placed[1])):
        for half in range(2):
            if set_strike(fight, first, number, half):
                step = step_of(first, number, half, board, choice)
                strike_law(fight, laws, turn, first ^ half, step, solved, mass, choice, chances)
    zero = laws.parry[0, 0, 0, 0]
    for layer in range(board // size):
        if laws.used[layer]:
            laws.used[layer] = 0
            for end in range(size):
                joint[first * size + end] += mass[layer * size + end]
                mass[layer * size + end] = zero


@part
def to_start(fight):
    """Both fighters as they begin, without dice."""
    for i in range(2):
        fight.state[i] = fight.fighters[i, Column.START]
        fight.sustained[i] = 0


@part
def place(fight, turn, way):
    """Let both fighters place their dice (C-3)."""
    to_start(fight)
    place_anew(fight, Moment(0, turn, None), way, None)
    for i in range(2):
        fight.placed[i], fight.guard[i] = fight.attack[i], fight.defence[i]


@routine
def placement_value(fight, laws, turn, way, final, scratch):
    """What the combat is worth with dice placed so, and the chance that side 0 strikes first."""
    place(fight, turn, way)
    worth_0 = value_of_first(fight, laws, turn, 0, final, scratch)
    worth_1 = value_of_first(fight, laws, turn, 1, final, scratch)
    to_start(fight)
    chance = lone_first(fight, laws, turn, 0 if worth_0 >= worth_1 else 1)
    return chance * worth_0 + (1 - chance) * worth_1, chance


@routine
def best_chance(fight, laws, turn, final, scratch):
    """Find the best placement and all decisions after it: its number, and side 0's first strike."""
    ways, way = count_placements(fight, turn), 0
    chance = laws.parry[0, 0, 0, 0]
    for other in range(ways):
        value, chance = placement_value(fight, laws, turn, other, final, scratch)
        scratch.values[0, other] = value
    if ways > 1:
        to_start(fight)
        way = best_placement(fight, turn, ways, scratch.values, scratch.picks)
        _, chance = placement_value(fight, laws, turn, way, final, scratch)
    return way, chance


@routine
def duel_turn(fight, laws, turn, final, scratch, joint):
    """One turn of a duel; parameters and answer of `solve_duel`."""
    begin(fight, laws, turn)
    solved = is_open(fight)
    if solved:
        way, chance = best_chance(fight, laws, turn, final, scratch)
    else:
        way, chance = 0, lone_first(fight, laws, turn, 0)
    worth = laws_of_both(
        fight, laws, turn, way, chance, solved, final,
        scratch.mass, scratch.choice, scratch.chances, joint,
    )  # fmt: skip
    return worth, way


@part
def begin(fight, laws, turn):
    """Both fighters before they place their dice, and the tables of what they may test."""
    fight.living = 1
    to_start(fight)
    prepare(fight, laws, turn)


@part
def laws_of_both(fight, laws, turn, way, chance, solved, final, mass, choice, chances, joint):
    """Fill ``joint`` with dice placed, side 0 striking first by ``chance``; what it is worth."""
    place(fight, turn, way)
    size = len(final)
    for end in range(2 * size):
        joint[end] = laws.parry[0, 0, 0, 0]
    for first in range(2):
        law_of_first(fight, laws, turn, first, chance, solved, mass, choice, chances, joint)
        chance = 1 - chance
    worth = laws.parry[0, 0, 0, 0]
    for end in range(size):
        worth += (joint[end] + joint[size + end]) * final[end]
    return worth


@kernel
def duel_law(fights, tables, turn, final, mass, joint):
    """Law of one turn of a duel where policies leave no decision open; what it is worth to side 0.

    `solve_duel` gives the same law and is compiled in twice the time.
    """
    fight, laws = fights[0], tables[0]
    begin(fight, laws, turn)
    chance = lone_first(fight, laws, turn, 0)
    return laws_of_both(fight, laws, turn, 0, chance, False, final, mass, None, None, joint)


@kernel
def solve_duel(fights, tables, turn, final, mass, value, choice, chances, values, picks, joint):
    """Law of one turn of a duel, and the best decisions where policies leave them open.

    ``fights``, of `layout.combat.new_fight`, has two fighters and is scratch; ``tables``, of
    `layout.exact.new_laws` for the same edition, policies and chooser, grow. ``final`` (s * s,) is
    what side 0 gets for each pair of final states; ``joint`` (2 * s * s,) is overwritten with the
    chance of each pair, by the side that strikes first. ``mass`` to ``picks`` are the fields of
    `layout.exact.Scratch`, one by one: handing over a tuple takes numba a fifth of the time that a
    duel does. Returned are what the combat is worth to side 0, and the number of the placement
    played (`estoc.kernels.combat.placing.place_anew`).
    """
    scratch = Scratch(mass, value, choice, chances, values, picks)
    return duel_turn(fights[0], tables[0], turn, final, scratch, joint)


@kernel
def solve_duels(fights, tables, duels, scratch):
    """Laws of many `layout.exact.Duels` of one turn, by one edition and pair of policies."""
    fight = fights[0]
    states = fight.dead + 1
    final = np.empty(states * states)
    for m in range(len(duels.pairs)):
        for i in range(2):
            enter(fight, i, duels.pairs[m, i])
            fight.order[i] = duels.orders[m, i]
        for end in range(states * states):
            final[end] = duels.worths[m, 0, end // states] + duels.worths[m, 1, end % states]
        duels.values[m], _ = duel_turn(fight, tables[0], 0, final, scratch, duels.joints[m])
        for i in range(2):
            duels.placed[m, i] = fight.placed[i]


@part
def enter(fight, i, row):
    """Let a fighter take place ``i``."""
    for column in range(COLUMNS):
        fight.fighters[i, column] = row[column]
    for stat in range(STATS):
        fight.values[0, i, stat] = row[stat] - fight.charge[stat] * row[Column.CHARGED]
        fight.values[1, i, stat] = row[stat]


def new_duels(
    pairs: NDArray[np.int64], orders: NDArray[np.int64], worths: NDArray[np.float64]
) -> Duels:
    """Return duels with room for what is written about them."""
    m, states = len(pairs), worths.shape[2]
    joints, values = np.empty((m, 2 * states**2)), np.empty(m)
    return Duels(pairs, orders, worths, joints, values, np.empty((m, 2), np.int64))
