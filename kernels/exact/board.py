"""One attack of a duel on its board: what it is worth, and where the masses go (C-5 to C-7)."""

import numpy as np

from .._jit import part, routine
from ..combat.wounds import wound_row
from ..layout.combat import OUTCOMES, Column, Rule, Stat
from .choices import is_better, list_defences
from .laws import attack_chances


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
