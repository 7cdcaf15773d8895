"""One against several, exactly: positions in a table, attack by attack (C-3 to C-7).

Levels of `positions` are worked through in order: upwards to move masses, downwards to
find what a position is worth.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.fight import can_fail
from ..combat.policy import combat_dice, coming, place_anew
from ..combat.wounds import current, wound_row
from ..layout.combat import KEPT, OUTCOMES, PLAYED, REROLLED, UNROLLED, Moment, Played, Rule, Stat
from .choices import (
    best_placement,
    count_placements,
    is_better,
    is_open,
    list_attacks,
    list_defences,
)
from .initiative import lone_first
from .laws import attack_chances, prepare, six_ends
from .positions import (
    FULL,
    HALVES,
    NOBODY,
    TOO_WIDE,
    add,
    bare,
    clear,
    end_place,
    field,
    find,
    has_attack,
    measure,
    pack,
    shift_of_end,
    shift_of_half,
    timing,
    unpack,
    with_target,
)

# --- an attack ---------------------------------------------------------------------------


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

    ``answer`` gets the option (`list_defences`), the chances that the attack fails
    automatically and that it lands, and what failing, being parried and landing are worth to
    the striker.
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
            answer[3], answer[4], answer[5] = sign * failed, sign * parried, sign * hit
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
def note_next(laws, followers, key, end, mass):
    """Note where mass goes, and where that stands in ``joint``; how many places there are now."""
    laws.next_key[followers] = key
    laws.next_end[followers] = end
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
                found = kept | timing(fight, laws, key, side, max(i, j), True)
                found = with_target(fight, laws, found, j, worse, 0)
            else:
                found = with_target(fight, laws, alive, j, worse, code)
            there = here + (worse - state) * stride
            followers, before = note_next(laws, followers, found, there, share), worse
    if fails > 0:
        found = with_target(fight, laws, alive, j, state, code if sustains else own)
        followers = note_next(laws, followers, found, here, mass * fails)
    if missed > 0:
        found = with_target(fight, laws, alive, j, state, code)
        followers = note_next(laws, followers, found, here, missed)
    return followers


@routine
def spread(
    fight, laws, turn, first, solved, details, keys, links, slots, heads, count, masses,
    choice, chances, joint,
):  # fmt: skip
    """Move the masses of all positions to the ends of the combat; False: there is no room.

    With ``details`` all positions keep their mass, and the ends are put into the table.
    """
    zero = laws.parry[0, 0, 0, 0]
    end = shift_of_end(fight, laws)
    base = first * (len(joint) // 2)
    pair = option = np.int64(0)
    fails = lands = zero
    for level in range(len(heads) - 1):
        place = heads[level]
        while place != NOBODY:
            key, mass = keys[place], masses[place]
            if not details:
                masses[place] = zero
            here, place = place, links[place]
            if mass == 0:
                continue
            side = unpack(fight, laws, first, key)
            if solved:
                pair, option = np.int64(choice[here, 0]), np.int64(choice[here, 1])
                fails, lands = chances[here, 0], chances[here, 1]
            followers = move(fight, laws, turn, key, side, mass, solved, pair, option, fails, lands)
            for follower in range(followers):
                found, share = laws.next_key[follower], laws.next_mass[follower]
                if found >> end & 1:
                    joint[base + laws.next_end[follower]] += share
                    if not details:
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
    """Write the attack dice of a placement (`combat.policy.place_anew`) into `placed`."""
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
