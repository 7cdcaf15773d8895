"""One against several, exactly: positions in a hash table, attack by attack (C-3 to C-7).

A position is one number: states, codes, attack dice of the lone fighter, who has struck or
been struck in this half of a pass, number of the half. A code is the number of defence
dice left; the one above all dice is a sustained die. Each attack leads to a later level,
(half, attacks made in it), so that levels are worked through in order: upwards to move
masses, downwards to find what a position is worth.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from estoc.kernels._jit import kernel, part, routine
from estoc.kernels.choices import (
    best_placement,
    count_placements,
    is_better,
    is_open,
    list_attacks,
    list_defences,
)
from estoc.kernels.laws import attack_chances, lone_first, prepare
from estoc.kernels.layout import MAX_DICE, OUTCOMES, Moment, Rule, Stat
from estoc.kernels.policy import combat_dice, place_anew
from estoc.kernels.wounds import current, wound_row

MASK = 2**31 - 1
NOBODY = -1
FULL = -2  # the table has no room left
HALVES = 2 * MAX_DICE + 2


# --- positions as numbers ---------------------------------------------------------------


@part
def shift_of_codes(fight, laws):
    """Where the codes begin in a position's number."""
    return fight.n * laws.state_bits


@part
def shift_of_attack(fight, laws):
    """Where the lone fighter's attack dice begin."""
    return fight.n * (laws.state_bits + laws.code_bits)


@part
def shift_of_struck(fight, laws):
    """Where the marks of who was struck, or has struck, begin."""
    return shift_of_attack(fight, laws) + laws.attack_bits


@part
def shift_of_half(fight, laws):
    """Where the number of the half of a pass begins."""
    return shift_of_struck(fight, laws) + fight.n


@part
def shift_of_end(fight, laws):
    """Where the mark of a combat that is over stands."""
    return shift_of_half(fight, laws) + 6


@routine
def measure(fight, laws):
    """Choose the width of each field of a position's number; whether it has room."""
    laws.state_bits = bits_for(fight.dead)
    dice = 0
    for i in range(fight.n):
        dice = max(dice, combat_dice(fight, i))
    laws.code_bits = bits_for(dice + 1)
    laws.attack_bits = bits_for(dice)
    return shift_of_end(fight, laws) < 62 and dice <= MAX_DICE


@part
def bits_for(most):
    """Bits that a number up to ``most`` needs."""
    bits = 1
    while most >> bits:
        bits += 1
    return bits


@part
def field(key, shift, bits):
    """Return a field of a position's number."""
    return (key >> shift) & ((1 << bits) - 1)


@routine
def unpack(fight, laws, first, key):
    """Set up a position; returns the side whose half of the pass it is."""
    half = field(key, shift_of_half(fight, laws), 6)
    side = first ^ (half & 1)
    # passes that the others have finished
    done = (half + first) // 2
    fight.attack[0] = field(key, shift_of_attack(fight, laws), laws.attack_bits)
    marks = shift_of_struck(fight, laws)
    codes = shift_of_codes(fight, laws)
    living = 0
    for i in range(fight.n):
        state = field(key, i * laws.state_bits, laws.state_bits)
        code = field(key, codes + i * laws.code_bits, laws.code_bits)
        fight.state[i] = state
        fight.sustained[i] = code > fight.guard[i]
        fight.defence[i] = 1 if code > fight.guard[i] else code
        if i > 0:
            struck = field(key, marks + i, 1)
            fight.struck[i] = struck
            alive = state != fight.dead
            living += alive
            fight.attack[i] = max(fight.placed[i] - done - (struck & side), 0) if alive else 0
    fight.living = living
    return side


@routine
def pack(fight, laws, half):
    """Return the number of the position that is set up."""
    key = half << shift_of_half(fight, laws)
    key |= fight.attack[0] << shift_of_attack(fight, laws)
    codes = shift_of_codes(fight, laws)
    for i in range(fight.n):
        code = fight.guard[i] + 1 if fight.sustained[i] else fight.defence[i]
        key |= np.int64(fight.state[i]) << (i * laws.state_bits)
        key |= code << (codes + i * laws.code_bits)
    return key


# --- the table of positions -------------------------------------------------------------


@part
def level_of(fight, laws, key):
    """Level of a position: later attacks have higher ones."""
    marks = field(key, shift_of_struck(fight, laws), fight.n)
    made = 0
    while marks:
        made += marks & 1
        marks >>= 1
    return field(key, shift_of_half(fight, laws), 6) * fight.n + made


@part
def slot_of(key, slots):
    """Where the search for a position begins."""
    mixed = (key & MASK) * 1_540_483_477 + (key >> 31) * 668_265_263
    return (mixed >> 20) & (len(slots) - 1)


@part
def find(key, keys, slots):
    """Return the place of a position that is in the table."""
    slot = slot_of(key, slots)
    while keys[slots[slot] - 1] != key:
        slot = (slot + 1) & (len(slots) - 1)
    return slots[slot] - 1


@part
def add(fight, laws, key, keys, links, slots, heads, count):
    """Return the place of a position, put into the table if it is new; FULL without room."""
    slot = slot_of(key, slots)
    while slots[slot]:
        if keys[slots[slot] - 1] == key:
            return slots[slot] - 1
        slot = (slot + 1) & (len(slots) - 1)
    place = count[0]
    if place == len(keys):
        return FULL
    count[0] += 1
    slots[slot] = place + 1
    keys[place] = key
    level = len(heads) - 1
    if not field(key, shift_of_end(fight, laws), 1):
        level = level_of(fight, laws, key)
    links[place] = heads[level]
    heads[level] = place
    return place


@routine
def clear(keys, slots, heads, count):
    """Empty the table."""
    for place in range(count[0]):
        # what is found on the way is to be emptied as well
        slot = slot_of(keys[place], slots)
        while slots[slot]:
            slots[slot] = 0
            slot = (slot + 1) & (len(slots) - 1)
    for level in range(len(heads)):
        heads[level] = NOBODY
    count[0] = 0


# --- what follows an attack -------------------------------------------------------------


@part
def has_attack(fight, besides):
    """Whether an enemy of the lone fighter, but one, lives and has an attack die left."""
    for i in range(1, fight.n):
        if i != besides and fight.attack[i] > 0:
            return True
    return False


@part
def half_goes_on(fight, side, marked):
    """Whether a side makes a further attack in this half, after the one of, or on, ``marked``."""
    if side == 0 and fight.attack[0] == 0:
        return False
    for i in range(1, fight.n):
        if i == marked or fight.struck[i] or fight.state[i] == fight.dead:
            continue
        if side == 0 or fight.attack[i] > 0:
            return True
    return False


@routine
def timing(fight, laws, key, side, marked, killed):
    """The fields of a position's number that say who strikes next, after an attack.

    Parameters
    ----------
    key : int
        The position before; the attack die is used, ``marked`` is marked.
    killed : bool
        Whether the attack killed its target.
    """
    end = 1 << shift_of_end(fight, laws)
    half = field(key, shift_of_half(fight, laws), 6)
    marks = field(key, shift_of_struck(fight, laws), fight.n) | 1 << marked
    attack = fight.attack[0] << shift_of_attack(fight, laws)
    here = attack | marks << shift_of_struck(fight, laws) | half << shift_of_half(fight, laws)
    besides = marked if killed and side == 0 else 0
    over = killed and (side == 1 or fight.living == 1)
    if over or (fight.attack[0] == 0 and not has_attack(fight, besides)):
        return here | end
    if half_goes_on(fight, side, marked):
        return here
    other_strikes = fight.attack[0] > 0 if side == 1 else has_attack(fight, besides)
    return attack | (half + (1 if other_strikes else 2)) << shift_of_half(fight, laws)


@part
def bare(fight, laws, key, j):
    """States and codes of a position, those of ``j`` left out."""
    codes = shift_of_codes(fight, laws)
    kept = key & ((1 << shift_of_attack(fight, laws)) - 1)
    kept &= ~(((1 << laws.state_bits) - 1) << (j * laws.state_bits))
    return kept & ~(((1 << laws.code_bits) - 1) << (codes + j * laws.code_bits))


@part
def with_target(fight, laws, kept, j, state, code):
    """States and codes of a position, those of ``j`` put in."""
    codes = shift_of_codes(fight, laws)
    return kept | state << (j * laws.state_bits) | code << (codes + j * laws.code_bits)


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


@part
def end_place(fight, key, laws):
    """Place of the states of a position in ``final`` and ``joint``."""
    place = 0
    for i in range(fight.n):
        state = field(key, i * laws.state_bits, laws.state_bits)
        place = place * (fight.dead + 1) + state
    return place


# --- all positions, downwards: what they are worth --------------------------------------


@routine
def reach(fight, laws, turn, first, keys, links, slots, heads, count):
    """Put every position that decisions may lead to into the table; False: it has no room."""
    end = shift_of_end(fight, laws)
    for level in range(len(heads) - 1):
        place = heads[level]
        while place != NOBODY:
            key = keys[place]
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
                            found = alive | with_target(fight, laws, kept, j, state, after)
                            if add(fight, laws, found, keys, links, slots, heads, count) == FULL:
                                return False
                    for outcome in range(OUTCOMES):
                        worse = np.int64(fight.after[state, outcome])
                        killed = worse == fight.dead
                        where = dead if killed else alive
                        if where >> end & 1 or laws.wound[row, outcome] == 0:
                            continue
                        found = where | with_target(
                            fight, laws, kept, j, worse, 0 if killed else code
                        )
                        if add(fight, laws, found, keys, links, slots, heads, count) == FULL:
                            return False
                take_back(fight, i, j)
            place = links[place]
    return True


@part
def worth_of(fight, laws, key, final, keys, slots, value):
    """What a position is worth, one that ends the combat included."""
    if key >> shift_of_end(fight, laws) & 1:
        return final[end_place(fight, key, laws)]
    return value[find(key, keys, slots)]


@routine
def attack_value(fight, laws, turn, key, side, pair, final, keys, slots, value, answer):
    """What a position is worth once an attack is declared; the best way to meet it in ``answer``.

    ``answer`` gets the option (`list_defences`), and the chances that the attack fails
    automatically and that it lands.
    """
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
        parried = worth_of(fight, laws, same, final, keys, slots, value)
        failed = parried
        if not sustains and committed > 0:
            unspent = alive | with_target(fight, laws, kept, j, state, own)
            failed = worth_of(fight, laws, unspent, final, keys, slots, value)
        hit = final[0] * 0
        for outcome in range(OUTCOMES):
            chance = laws.wound[row, outcome]
            if chance == 0:
                continue
            worse = np.int64(fight.after[state, outcome])
            if worse == fight.dead:
                found = dead | with_target(fight, laws, kept, j, worse, 0)
            else:
                found = alive | with_target(fight, laws, kept, j, worse, code)
            hit += chance * worth_of(fight, laws, found, final, keys, slots, value)
        fails, lands = attack_chances(
            fight, laws, side, committed, attack, lead_of(fight, turn, i, j, sustains),
            sign * failed, sign * parried, sign * hit,
        )  # fmt: skip
        worth = fails * failed + lands * hit + (1 - fails - lands) * parried
        if option == 0 or is_better(1 - side, worth, best):
            best = worth
            answer[0], answer[1], answer[2] = option, fails, lands
    take_back(fight, i, j)
    return best


@routine
def evaluate(
    fight, laws, turn, first, final, keys, links, slots, heads, value, choice, chances, answer
):
    """Find what each position in the table is worth, and the decisions there."""
    for level in range(len(heads) - 2, -1, -1):
        place = heads[level]
        while place != NOBODY:
            key = keys[place]
            side = unpack(fight, laws, first, key)
            for pair in range(list_attacks(fight, laws, turn, side)):
                worth = attack_value(
                    fight, laws, turn, key, side, pair, final, keys, slots, value, answer
                )
                if pair == 0 or is_better(side, worth, value[place]):
                    value[place] = worth
                    choice[place, 0], choice[place, 1] = pair, answer[0]
                    chances[place, 0], chances[place, 1] = answer[1], answer[2]
            place = links[place]


# --- masses, upwards --------------------------------------------------------------------


@part
def note_next(laws, followers, key, mass):
    """Note where mass goes; returns how many such places there are now."""
    laws.next_key[followers] = key
    laws.next_mass[followers] = mass
    return followers + 1


@part
def move(fight, laws, turn, key, side, mass, solved, pair, option, fails, lands):
    """Note what follows an attack, and how much of the mass goes where; how many there are.

    ``pair``, ``option``, ``fails`` and ``lands`` are the decisions if ``solved``.
    """
    zero = laws.parry[0, 0, 0, 0]
    list_attacks(fight, laws, turn, side)
    i, j = laws.striker[pair], laws.target[pair]
    state, own = np.int64(fight.state[j]), code_of(fight, j)
    row = blow(fight, turn, i, j)
    declare(fight, i, j)
    list_defences(fight, laws, j)
    committed, sustains = laws.committed[option], laws.sustains[option]
    code = code_after(fight, j, committed, sustains)
    if not solved:
        attack, lead = current(fight, turn, i, Stat.ATT), lead_of(fight, turn, i, j, sustains)
        fails, lands = attack_chances(fight, laws, side, committed, attack, lead, zero, zero, zero)
    kept = bare(fight, laws, key, j)
    alive = kept | timing(fight, laws, key, side, max(i, j), False)
    wound, after = laws.wound[row], fight.after[state]
    followers, missed = 0, mass * (1 - fails - lands)
    for outcome in range(OUTCOMES):
        share = mass * lands * wound[outcome]
        worse = np.int64(after[outcome])
        if worse == state:
            missed += share
        elif share > 0:
            if worse == fight.dead:
                found = kept | timing(fight, laws, key, side, max(i, j), True)
                found = with_target(fight, laws, found, j, worse, 0)
            else:
                found = with_target(fight, laws, alive, j, worse, code)
            followers = note_next(laws, followers, found, share)
    if fails > 0:
        found = with_target(fight, laws, alive, j, state, code if sustains else own)
        followers = note_next(laws, followers, found, mass * fails)
    if missed > 0:
        found = with_target(fight, laws, alive, j, state, code)
        followers = note_next(laws, followers, found, missed)
    return followers


@routine
def spread(
    fight, laws, turn, first, solved, ends, keys, links, slots, heads, count, masses,
    choice, chances, joint,
):  # fmt: skip
    """Move the masses of all positions to the ends of the combat; False: there is no room."""
    zero = laws.parry[0, 0, 0, 0]
    end = shift_of_end(fight, laws)
    base = first * (len(joint) // 2)
    pair = option = 0
    fails = lands = zero
    for level in range(len(heads) - 1):
        place = heads[level]
        while place != NOBODY:
            key, mass = keys[place], masses[place]
            masses[place] = zero
            here, place = place, links[place]
            if mass == 0:
                continue
            side = unpack(fight, laws, first, key)
            if solved:
                pair, option = np.int64(choice[here, 0]), np.int64(choice[here, 1])
                fails, lands = chances[here, 0], chances[here, 1]
            followers = move(
                fight, laws, turn, key, side, mass, solved, pair, option, fails, lands
            )
            for follower in range(followers):
                found, share = laws.next_key[follower], laws.next_mass[follower]
                if found >> end & 1:
                    joint[base + end_place(fight, found, laws)] += share
                    if not ends:
                        continue
                to = add(fight, laws, found, keys, links, slots, heads, count)
                if to == FULL:
                    return False
                masses[to] += share
    return True


# --- one turn ---------------------------------------------------------------------------


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
    half = 0
    if first == 0 and fight.attack[0] == 0:
        half = 1
    elif first == 1 and not has_attack(fight, 0):
        half = 1
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
    """Write the attack dice of one placement into ``placed`` (`estoc.kernels.policy.place_anew`)."""
    fight = fights[0]
    to_start(fight, states)
    place_anew(fight, Moment(0, turn, None), way)
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
    fight, laws, turn, states, placed, first, final, ends,
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
        fight, laws, turn, first, solved, ends, keys, links, slots, heads, count, masses,
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
        As in `estoc.kernels.exact_duel.solve_duel`, with one enemy or more.
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
        The most that stood in the table at once; ``FULL`` if it had no room.
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
        return FULL, zero
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


@kernel
def end_positions(
    fights, tables, turn, states, placed, first, final,
    keys, links, slots, heads, count, value, masses, choice, chances, answer, joint,
):  # fmt: skip
    """Ends of one turn with the dice that are left, given who strikes first.

    Parameters are those of `solve_combat`.

    Returns
    -------
    ends : ndarray of int64, shape (m, 3 * n)
        States, attack dice left, defence dice left.
    masses : ndarray of float64, shape (m,)
    """
    fight, laws = fights[0], tables[0]
    to_start(fight, states)
    prepare(fight, laws, turn)
    measure(fight, laws)
    done = play_first(
        fight, laws, turn, states, placed, first, final, True,
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
        masses[place] = 0
        ends += 1
        place = links[place]
    return found[:ends], weights[:ends]


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
        np.empty(3),
    )
