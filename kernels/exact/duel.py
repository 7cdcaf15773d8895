"""One against one, exactly: every state of both fighters on one dense board (C-3 to C-7).

A place on the board is (code of fighter 0, code of fighter 1, state 0, state 1). A code is
the number of defence dice left; the one above all dice is a sustained die. States and dice
only get worse, so that a board is rewritten in place, attack by attack.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.policy import place_anew
from ..combat.wounds import wound_row
from ..layout.combat import COLUMNS, OUTCOMES, STATS, Column, Moment, Rule, Rules, Stat
from .choices import best_placement, count_placements, is_better, is_open, list_defences
from .initiative import lone_first
from .laws import attack_chances, prepare


@part
def codes_of(dice):
    """Number of codes of a fighter with so many defence dice."""
    return dice + 2 if dice > 0 else 1


@part
def strides_of(fight, i):
    """How far apart the states, and the codes, of a fighter stand on the board."""
    states = fight.dead + 1
    if i == 0:
        return states, codes_of(fight.guard[1]) * states * states
    return 1, states * states


@part
def board_of(fight):
    """Place of the beginning, and size of the board."""
    start, size = 0, 1
    for i in range(2):
        state, code = strides_of(fight, i)
        start += fight.guard[i] * code + fight.fighters[i, Column.START] * state
        size *= codes_of(fight.guard[i]) * (fight.dead + 1)
    return start, size


@part
def set_code(fight, j, code):
    """Give a fighter the defence dice that a code says."""
    sustained = code > fight.guard[j]
    fight.sustained[j] = sustained
    fight.defence[j] = 1 if sustained else code


@part
def way_to(fight, j, code, committed, sustains):
    """How many codes the dice committed to a parry take, once spent (C-6.4, C-7.2)."""
    return fight.guard[j] + 1 - code if sustains else -committed


@part
def set_strike(fight, first, number, half):
    """Set the dice left after an attack of this half of a pass; False: there is no attack.

    Also who may have been struck before it.
    """
    i, j = first ^ half, 1 - (first ^ half)
    if number >= fight.placed[i]:
        return False
    fight.attack[i] = fight.placed[i] - number - 1
    fight.attack[j] = fight.placed[j] - min(number + half, fight.placed[j])
    fight.struck[j] = number > 0
    fight.struck[i] = fight.placed[j] > 0 and number + half > 0
    return True


@part
def base(fight, turn, i, stat):
    """Characteristic of an unhurt fighter; `current`, in parts that loops do not repeat."""
    return fight.values[min(turn, 1), i, stat]


@routine
def strike_value(fight, laws, turn, i, step, value, choice, chances):
    """Replace what the board is worth after an attack of ``i`` by what it is worth before.

    ``step`` is where its decisions begin in ``choice`` and, twice as far, in ``chances``.
    """
    j, sign = 1 - i, 1 - 2 * i
    att, strength = base(fight, turn, i, Stat.ATT), base(fight, turn, i, Stat.FOR)
    defence, resistance = base(fight, turn, j, Stat.DEF), base(fight, turn, j, Stat.RES)
    pain_i, pain_j = fight.fighters[i, Column.PAIN], fight.fighters[j, Column.PAIN]
    slow = fight.scalars[Rule.SUSTAINED_PENALTY]
    state_i, code_i = strides_of(fight, i)
    state_j, code_j = strides_of(fight, j)
    dice = fight.guard[j]
    for rank in range(codes_of(dice)):
        # from the most dice on: they are spent, or the last is sustained
        code = dice - rank if rank <= dice else dice + 1
        if code != dice and not fight.struck[j]:
            continue
        set_code(fight, j, code)
        options = list_defences(fight, laws, j)
        for other in range(codes_of(fight.guard[i])):
            if other != fight.guard[i] and not fight.struck[i]:
                continue
            for si in range(fight.dead):
                if si != fight.fighters[i, Column.START] and not fight.struck[i]:
                    continue
                attack = att - fight.penalty[pain_i, si, Stat.ATT]
                force = strength - fight.penalty[pain_i, si, Stat.FOR] - resistance
                for sj in range(fight.dead):
                    if sj != fight.fighters[j, Column.START] and not fight.struck[j]:
                        continue
                    row = wound_row(fight, force + fight.penalty[pain_j, sj, Stat.RES])
                    lead = attack - defence + fight.penalty[pain_j, sj, Stat.DEF]
                    here = other * code_i + code * code_j + si * state_i + sj * state_j
                    best, best_worth = -1, value[here]
                    best_fails = best_lands = value[here]
                    for option in range(options):
                        committed, sustains = laws.committed[option], laws.sustains[option]
                        to = here + way_to(fight, j, code, committed, sustains) * code_j
                        failed = value[to] if sustains else value[here]
                        parried = value[to]
                        hit = value[to] * 0
                        for outcome in range(OUTCOMES):
                            worse = np.int64(fight.after[sj, outcome]) - sj
                            hit += laws.wound[row, outcome] * value[to + worse * state_j]
                        fails, lands = attack_chances(
                            fight, laws, i, committed, attack, lead + slow * sustains,
                            sign * failed, sign * parried, sign * hit,
                        )  # fmt: skip
                        worth = fails * failed + lands * hit + (1 - fails - lands) * parried
                        if best < 0 or is_better(j, worth, best_worth):
                            best, best_worth = option, worth
                            best_fails, best_lands = fails, lands
                    value[here] = best_worth
                    choice[step + here] = best
                    chances[2 * (step + here)] = best_fails
                    chances[2 * (step + here) + 1] = best_lands


@part
def fixed_chances(fight, laws, i, attack, lead):
    """`attack_chances` against the only defence listed, by policies."""
    zero = laws.parry[0, 0, 0, 0]
    committed = laws.committed[0]
    lead += fight.scalars[Rule.SUSTAINED_PENALTY] * laws.sustains[0]
    return attack_chances(fight, laws, i, committed, attack, lead, zero, zero, zero)


@routine
def strike_law(fight, laws, turn, i, step, solved, mass, choice, chances):
    """Move the masses on the board as an attack of ``i`` does; parameters of `strike_value`.

    ``choice`` and ``chances`` are None where policies decide all: best play is compiled away.
    """
    j = 1 - i
    att, strength = base(fight, turn, i, Stat.ATT), base(fight, turn, i, Stat.FOR)
    defence, resistance = base(fight, turn, j, Stat.DEF), base(fight, turn, j, Stat.RES)
    pain_i, pain_j = fight.fighters[i, Column.PAIN], fight.fighters[j, Column.PAIN]
    state_i, code_i = strides_of(fight, i)
    state_j, code_j = strides_of(fight, j)
    used_i, used_j = (codes_of(fight.guard[1]), 1) if i == 0 else (1, codes_of(fight.guard[1]))
    dice = fight.guard[j]
    zero = laws.parry[0, 0, 0, 0]
    for rank in range(codes_of(dice)):
        # from the fewest dice on, after the sustained one
        code = rank if dice == 0 else (dice + 1 if rank == 0 else rank - 1)
        set_code(fight, j, code)
        options = -1
        for other in range(codes_of(fight.guard[i])):
            used = other * used_i + code * used_j
            if not laws.used[used]:
                continue
            if options < 0:
                options = list_defences(fight, laws, j)
            for si in range(fight.dead):
                attack = att - fight.penalty[pain_i, si, Stat.ATT]
                force = strength - fight.penalty[pain_i, si, Stat.FOR] - resistance
                for sj in range(fight.dead - 1, -1, -1):
                    here = other * code_i + code * code_j + si * state_i + sj * state_j
                    moved = mass[here]
                    if moved == 0:
                        continue
                    lead = attack - defence + fight.penalty[pain_j, sj, Stat.DEF]
                    if choice is None:
                        option = 0
                        fails, lands = fixed_chances(fight, laws, i, attack, lead)
                    elif solved:
                        option = choice[step + here]
                        fails, lands = chances[2 * (step + here)], chances[2 * (step + here) + 1]
                    else:
                        option = 0
                        fails, lands = fixed_chances(fight, laws, i, attack, lead)
                    committed, sustains = laws.committed[option], laws.sustains[option]
                    away = way_to(fight, j, code, committed, sustains)
                    to = here + away * code_j
                    laws.used[used + away * used_j] = 1
                    mass[here] = zero
                    mass[to if sustains else here] += moved * fails
                    mass[to] += moved * (1 - fails - lands)
                    landed = moved * lands
                    wound = laws.wound[
                        wound_row(fight, force + fight.penalty[pain_j, sj, Stat.RES])
                    ]
                    after = fight.after[sj]
                    to -= sj * state_j
                    for outcome in range(OUTCOMES):
                        mass[to + np.int64(after[outcome]) * state_j] += landed * wound[outcome]


@part
def step_of(first, number, half, board, choice):
    """Where the decisions of an attack begin; ``choice`` is None where there are none."""
    if choice is None:
        return 0
    return (2 * number + half) * board + first * (len(choice) // 2)


@routine
def value_of_first(fight, laws, turn, first, final, value, choice, chances):
    """What the combat is worth to side 0 when side ``first`` strikes first."""
    start, board = board_of(fight)
    size = len(final)
    for cell in range(board):
        value[cell] = final[cell % size]
    for number in range(max(fight.placed[0], fight.placed[1]) - 1, -1, -1):
        for half in range(1, -1, -1):
            if set_strike(fight, first, number, half):
                step = step_of(first, number, half, board, choice)
                strike_value(fight, laws, turn, first ^ half, step, value, choice, chances)
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
def placement_value(fight, laws, turn, way, final, value, choice, chances):
    """What the combat is worth with dice placed so, and the chance that side 0 strikes first."""
    place(fight, turn, way)
    worth_0 = value_of_first(fight, laws, turn, 0, final, value, choice, chances)
    worth_1 = value_of_first(fight, laws, turn, 1, final, value, choice, chances)
    to_start(fight)
    chance = lone_first(fight, laws, turn, 0 if worth_0 >= worth_1 else 1)
    return chance * worth_0 + (1 - chance) * worth_1, chance


@routine
def best_chance(fight, laws, turn, final, value, choice, chances, values, picks):
    """Find the best placement and all decisions after it: its number, and side 0's first strike."""
    ways, way = count_placements(fight, turn), 0
    chance = laws.parry[0, 0, 0, 0]
    for other in range(ways):
        values[0, other], chance = placement_value(
            fight, laws, turn, other, final, value, choice, chances
        )
    if ways > 1:
        to_start(fight)
        way = best_placement(fight, turn, ways, values, picks)
        _, chance = placement_value(fight, laws, turn, way, final, value, choice, chances)
    return way, chance


@routine
def duel_turn(fight, laws, turn, final, mass, value, choice, chances, values, picks, joint):
    """One turn of a duel; parameters and answer of `solve_duel`."""
    begin(fight, laws, turn)
    solved = is_open(fight)
    if solved:
        way, chance = best_chance(fight, laws, turn, final, value, choice, chances, values, picks)
    else:
        way, chance = 0, lone_first(fight, laws, turn, 0)
    worth = laws_of_both(
        fight, laws, turn, way, chance, solved, final, mass, choice, chances, joint
    )
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
    """Law of one turn of a duel where policies leave no decision open.

    Parameters are those of `solve_duel`, which gives the same law and is compiled in twice
    the time.

    Returns
    -------
    float
        What the combat is worth to side 0.
    """
    fight, laws = fights[0], tables[0]
    begin(fight, laws, turn)
    chance = lone_first(fight, laws, turn, 0)
    return laws_of_both(fight, laws, turn, 0, chance, False, final, mass, None, None, joint)


@kernel
def solve_duel(fights, tables, turn, final, mass, value, choice, chances, values, picks, joint):
    """Law of one turn of a duel, and the best decisions where policies leave them open.

    Parameters
    ----------
    fights : ndarray of FIGHT, shape (1,)
        From `estoc.kernels.combat.trials.new_fight`, two fighters; scratch.
    tables : ndarray of LAWS, shape (1,)
        From `estoc.kernels.exact.laws.new_laws`, for the same edition, policies and chooser; grows.
    turn : int
        0, or any later turn.
    final : ndarray of float64, shape (s * s,)
        What side 0 gets for each pair of final states.
    mass, value, choice, chances
        Scratch: `scratch_of` says how much.
    values : ndarray of float64, shape (2, ways)
        In row 0 what each placement is worth (`estoc.kernels.combat.policy.place_anew` numbers
        them), written where a decision is open.
    picks
        Scratch.
    joint : ndarray of float64, shape (2 * s * s,)
        Chance of each pair of final states, by the side that strikes first; overwritten.

    Returns
    -------
    value : float
        What the combat is worth to side 0.
    way : int
        The placement played.
    """
    return duel_turn(
        fights[0], tables[0], turn, final, mass, value, choice, chances, values, picks, joint
    )


@kernel
def solve_duels(
    fights, tables, pairs, orders, worths,
    mass, value, choice, chances, values, picks, joints, found, placed,
):  # fmt: skip
    """Laws of many duels of one turn, by one edition and pair of policies.

    Parameters
    ----------
    pairs : ndarray of int64, shape (m, 2, COLUMNS)
        Rows of both fighters of each duel.
    orders : ndarray of int64, shape (m, 2)
        Who places his dice first.
    worths : ndarray of float64, shape (m, 2, s)
        What side 0 gets for each final state of each fighter.
    joints : ndarray of float64, shape (m, 2 * s * s)
        As in `solve_duel`.
    found : ndarray of float64, shape (m,)
        Value of each duel to side 0; overwritten.
    placed : ndarray of int64, shape (m, 2)
        Attack dice of both; overwritten.

    The other parameters are those of `solve_duel`.
    """
    fight = fights[0]
    states = fight.dead + 1
    final = np.empty(states * states)
    for m in range(len(pairs)):
        for i in range(2):
            enter(fight, i, pairs[m, i])
            fight.order[i] = orders[m, i]
        for end in range(states * states):
            final[end] = worths[m, 0, end // states] + worths[m, 1, end % states]
        found[m], _ = duel_turn(
            fight, tables[0], 0, final, mass, value, choice, chances, values, picks, joints[m]
        )
        for i in range(2):
            placed[m, i] = fight.placed[i]


@part
def enter(fight, i, row):
    """Let a fighter take place ``i``."""
    for column in range(COLUMNS):
        fight.fighters[i, column] = row[column]
    for stat in range(STATS):
        fight.values[0, i, stat] = row[stat] - fight.charge[stat] * row[Column.CHARGED]
        fight.values[1, i, stat] = row[stat]


def scratch_of(rules: Rules) -> tuple[NDArray[Any], ...]:
    """Return the scratch arrays of `solve_duel`: mass to picks."""
    states = len(rules.level)
    dice = int(rules.scalars[Rule.DICE_BASE] + rules.scalars[Rule.DICE_PER_ENEMY])
    board = (dice + 2) ** 2 * states**2
    steps = 2 * 2 * dice * board
    ways = (dice + 1) ** 2
    return (
        np.zeros(board),
        np.empty(board),
        np.empty(steps, np.uint8),
        np.empty(2 * steps),
        np.empty((2, ways)),
        np.empty(ways, np.int64),
    )
