"""One against several, attack by attack: positions, what they are worth, where mass goes.

Levels of `positions` are worked through in order: upwards to find positions and to move masses,
downwards to find what a position is worth. `feats.attacks` does the same where somebody has an
ability; it shares the table, not the loops: what a position holds, and what follows an attack,
is other code there on almost every line.
"""

import numpy as np

from .._jit import part, routine
from ..combat.wounds import current, wound_row
from ..layout.combat import OUTCOMES, Rule, Stat
from ..layout.exact import NOBODY
from .choices import is_better, list_attacks, list_defences
from .laws import attack_chances
from .positions import (
    FULL,
    add,
    bare,
    end_place,
    find,
    shift_of_end,
    timing,
    unpack,
    with_target,
)


@part
def declare(fight, i, j):
    """Use an attack die, mark who strikes or is struck (C-5.2, C-6.1)."""
    fight.attack[i] -= 1
    fight.struck[max(i, j)] = 1


@part
def take_back(fight, i, j):
    """Undo `declare`."""
    fight.attack[i] += 1
    fight.struck[max(i, j)] = 0


@part
def code_of(fight, j):
    """Code of the defence dice of a fighter."""
    return fight.guard[j] + 1 if fight.sustained[j] else fight.defence[j]


@part
def code_after(fight, j, committed, sustains):
    """Code once committed dice are spent (C-6.4, C-7.2)."""
    return fight.guard[j] + 1 if sustains else fight.defence[j] - committed


@part
def lead_of(fight, turn, i, j, sustains):
    """ATT less DEF, a sustained defence about to begin included (C-7.2)."""
    lead = current(fight, turn, i, Stat.ATT) - current(fight, turn, j, Stat.DEF)
    begins = sustains and not fight.sustained[j]
    return lead + fight.scalars[Rule.SUSTAINED_PENALTY] * begins


@part
def blow(fight, turn, i, j):
    """Row of the wound table for a blow of ``i`` on ``j``."""
    return wound_row(fight, current(fight, turn, i, Stat.FOR) - current(fight, turn, j, Stat.RES))


@routine
def reach(fight, laws, turn, first, table):
    """Put every position that decisions may lead to into the table; False: it has no room."""
    end = shift_of_end(fight, laws)
    for level in range(len(table.heads) - 1):
        place = table.heads[level]
        while place != NOBODY:
            key = table.rows[place].key
            side = unpack(fight, laws, first, key)
            for pair in range(list_attacks(fight, laws, turn, side)):
                i, j = laws.striker[pair], laws.target[pair]
                state, kept = np.int64(fight.state[j]), bare(fight, laws, key, j)
                row = blow(fight, turn, i, j)
                own = code_of(fight, j)
                declare(fight, i, j)
                alive = timing(fight, laws, key, side, max(i, j), False)
                dead = timing(fight, laws, key, side, max(i, j), True)
                for option in range(list_defences(fight, laws, j)):
                    code = code_after(fight, j, laws.committed[option], laws.sustains[option])
                    if not alive >> end & 1:
                        for after in (own, code):
                            following = alive | with_target(fight, laws, kept, j, state, after)
                            if add(fight, laws, following, table) == FULL:
                                return False
                    for outcome in range(OUTCOMES):
                        worse = np.int64(fight.after[state, outcome])
                        killed = worse == fight.dead
                        where = dead if killed else alive
                        if where >> end & 1 or laws.wound[row, outcome] == 0:
                            continue
                        following = where | with_target(
                            fight, laws, kept, j, worse, 0 if killed else code
                        )
                        if add(fight, laws, following, table) == FULL:
                            return False
                take_back(fight, i, j)
            place = table.rows[place].link
    return True


@part
def worth_of(fight, laws, key, final, table):
    """What a position is worth, one that ends the combat included."""
    if key >> shift_of_end(fight, laws) & 1:
        return final[end_place(fight, laws, key)]
    return table.rows[find(key, table)].value


@routine
def attack_value(fight, laws, turn, key, side, pair, final, table):
    """What a position is worth once an attack is declared; how it is best met stays in ``laws``."""
    i, j = laws.striker[pair], laws.target[pair]
    state, kept = np.int64(fight.state[j]), bare(fight, laws, key, j)
    attack, row = current(fight, turn, i, Stat.ATT), blow(fight, turn, i, j)
    own = code_of(fight, j)
    declare(fight, i, j)
    alive = timing(fight, laws, key, side, max(i, j), False)
    dead = timing(fight, laws, key, side, max(i, j), True)
    best, sign = final[0] * 0, 1 - 2 * side
    for option in range(list_defences(fight, laws, j)):
        committed, sustains = laws.committed[option], laws.sustains[option]
        code = code_after(fight, j, committed, sustains)
        same = alive | with_target(fight, laws, kept, j, state, code)
        parried = worth_of(fight, laws, same, final, table)
        failed = parried
        if not sustains and committed > 0:
            unspent = alive | with_target(fight, laws, kept, j, state, own)
            failed = worth_of(fight, laws, unspent, final, table)
        hit = final[0] * 0
        for outcome in range(OUTCOMES):
            chance = laws.wound[row, outcome]
            if chance == 0:
                continue
            worse = np.int64(fight.after[state, outcome])
            if worse == fight.dead:
                following = dead | with_target(fight, laws, kept, j, worse, 0)
            else:
                following = alive | with_target(fight, laws, kept, j, worse, code)
            hit += chance * worth_of(fight, laws, following, final, table)
        fails, lands = attack_chances(
            fight, laws, side, committed, attack, lead_of(fight, turn, i, j, sustains),
            sign * failed, sign * parried, sign * hit,
        )  # fmt: skip
        worth = fails * failed + lands * hit + (1 - fails - lands) * parried
        if option == 0 or is_better(1 - side, worth, best):
            best = worth
            laws.option, laws.fails, laws.lands = option, fails, lands
            laws.worths[0], laws.worths[1] = sign * failed, sign * parried
            laws.worths[2] = sign * hit
    take_back(fight, i, j)
    return best


@routine
def evaluate(fight, laws, turn, first, final, table):
    """Find what each position in the table is worth, and the decisions there."""
    for level in range(len(table.heads) - 2, -1, -1):
        place = table.heads[level]
        while place != NOBODY:
            row = table.rows[place]
            side = unpack(fight, laws, first, row.key)
            for pair in range(list_attacks(fight, laws, turn, side)):
                worth = attack_value(fight, laws, turn, row.key, side, pair, final, table)
                if pair == 0 or is_better(side, worth, row.value):
                    row.value, row.pair, row.option = worth, pair, laws.option
                    row.fails, row.lands = laws.fails, laws.lands
            place = row.link


@part
def note_next(laws, followers, key, end, mass):
    """Note where mass goes, and where that stands in ``joint``; how many places there are now."""
    laws.next_key[followers] = key
    laws.next_end[followers] = end
    laws.next_mass[followers] = mass
    return followers + 1


@part
def move(fight, laws, turn, key, side, mass, solved):
    """Note what follows an attack, and how much of the mass goes where; how many there are.

    Which attack, and how it is met, is in ``laws``; if ``solved``, its chances as well.
    """
    zero = laws.parry[0, 0, 0, 0]
    list_attacks(fight, laws, turn, side)
    i, j = laws.striker[laws.pair], laws.target[laws.pair]
    state, own = np.int64(fight.state[j]), code_of(fight, j)
    row = blow(fight, turn, i, j)
    declare(fight, i, j)
    list_defences(fight, laws, j)
    committed, sustains = laws.committed[laws.option], laws.sustains[laws.option]
    code = code_after(fight, j, committed, sustains)
    fails, lands = laws.fails, laws.lands
    if not solved:
        attack, lead = current(fight, turn, i, Stat.ATT), lead_of(fight, turn, i, j, sustains)
        fails, lands = attack_chances(fight, laws, side, committed, attack, lead, zero, zero, zero)
    kept = bare(fight, laws, key, j)
    alive = kept | timing(fight, laws, key, side, max(i, j), False)
    wound, after = laws.wound[row], fight.after[state]
    here = 0
    for k in range(fight.n):
        here = here * (fight.dead + 1) + np.int64(fight.state[k])
    stride = (fight.dead + 1) ** (fight.n - 1 - j)
    followers, missed, before = 0, mass * (1 - fails - lands), state
    for outcome in range(OUTCOMES):
        share = mass * lands * wound[outcome]
        worse = np.int64(after[outcome])
        if worse == state:
            missed += share
        elif worse == before:  # as the outcome before it
            laws.next_mass[followers - 1] += share
        elif share > 0:
            if worse == fight.dead:
                following = kept | timing(fight, laws, key, side, max(i, j), True)
                following = with_target(fight, laws, following, j, worse, 0)
            else:
                following = with_target(fight, laws, alive, j, worse, code)
            there = here + (worse - state) * stride
            followers, before = note_next(laws, followers, following, there, share), worse
    if fails > 0:
        following = with_target(fight, laws, alive, j, state, code if sustains else own)
        followers = note_next(laws, followers, following, here, mass * fails)
    if missed > 0:
        following = with_target(fight, laws, alive, j, state, code)
        followers = note_next(laws, followers, following, here, missed)
    return followers


@routine
def spread(fight, laws, turn, first, solved, details, table, joint):
    """Move the masses of all positions to the ends of the combat; False: there is no room.

    With ``details`` all positions keep their mass, and the ends are put into the table.
    """
    end = shift_of_end(fight, laws)
    base = first * (len(joint) // 2)
    laws.pair = laws.option = 0
    for level in range(len(table.heads) - 1):
        place = table.heads[level]
        while place != NOBODY:
            row = table.rows[place]
            mass, place = row.mass, row.link
            if not details:
                row.mass = laws.parry[0, 0, 0, 0]
            if mass == 0:
                continue
            side = unpack(fight, laws, first, row.key)
            if solved:
                laws.pair, laws.option = row.pair, row.option
                laws.fails, laws.lands = row.fails, row.lands
            for follower in range(move(fight, laws, turn, row.key, side, mass, solved)):
                following, share = laws.next_key[follower], laws.next_mass[follower]
                if following >> end & 1:
                    joint[base + laws.next_end[follower]] += share
                    if not details:
                        continue
                to = add(fight, laws, following, table)
                if to == FULL:
                    return False
                table.rows[to].mass += share
    return True
