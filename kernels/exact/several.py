"""One against several, exactly: positions in a table, attack by attack (C-3 to C-7)."""

import numpy as np

from .._jit import kernel, part, routine
from ..combat.fight import can_fail
from ..combat.placing import combat_dice, place_anew
from ..combat.policy import coming
from ..combat.wounds import current
from ..layout.combat import Moment, Stat
from ..layout.exact import (
    KEPT,
    NOBODY,
    PLAYED,
    POSITION,
    REROLLED,
    UNROLLED,
    Opening,
    Played,
    Table,
    new_table,
)
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
    HALF_BITS,
    HALVES,
    TOO_WIDE,
    add,
    clear,
    end_place,
    field,
    forget,
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
def open_table(fight, laws, opening, first, table):
    """Put the beginning into an empty table, dice placed; its place, NOBODY without attack dice."""
    clear(table)
    to_start(fight, opening.states)
    strikes = 0
    for i in range(fight.n):
        dice = combat_dice(fight, i) if fight.state[i] != fight.dead else 0
        fight.placed[i] = fight.attack[i] = opening.placed[i] if dice else 0
        fight.guard[i] = fight.defence[i] = dice - fight.placed[i]
        fight.may_sustain[i] = fight.guard[i] >= fight.placed[i]
        strikes += fight.placed[i]
    opens = fight.attack[0] > 0 if first == 0 else has_attack(fight, 0)
    key = pack(fight, laws, 0 if opens else 1)
    if strikes == 0:
        key |= 1 << shift_of_end(fight, laws)
    place = add(fight, laws, key, table)
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
def play_first(fight, laws, opening, first, final, details, table, joint):
    """Solve the combat when side ``first`` strikes first; 1 if done, FULL if there is no room."""
    root = open_table(fight, laws, opening, first, table)
    one = laws.parry[0, 0, 0, 0] * 0 + 1
    if root == NOBODY:
        joint[first * len(final) + end_place(fight, laws, table.rows[0].key)] += one
        table.rows[0].mass = one
        return 1
    solved, turn = is_open(fight), opening.turn
    if solved:
        if not reach(fight, laws, turn, first, table):
            return FULL
        evaluate(fight, laws, turn, first, final, table)
    table.rows[root].mass = one
    if spread(fight, laws, turn, first, solved, details, table, joint):
        return 1
    forget(table)
    return FULL


@kernel
def solve_combat(fights, tables, turn, states, placed, final, rows, slots, heads, used, joint):
    """Law of one turn of a combat with the dice placed, and the best decisions left open.

    ``fights`` and ``tables`` are those of `estoc.kernels.exact.duel.solve_duel`, with one enemy or
    more; then come the fields of `layout.exact.Opening`, and those of `Table` from `table_of`, one
    by one: numba takes long to be handed a tuple. ``final`` (s ** n,) is what side 0 gets for the
    final states of all, the lone fighter's counting most; ``joint`` (2 * s ** n,) is overwritten
    with their chances, by the side that strikes first. Returned are the most positions that stood
    in the table at once, ``FULL`` if it had no room, ``TOO_WIDE`` if a position has none in a
    number; and what the combat is worth to side 0.
    """
    fight, laws = fights[0], tables[0]
    opening, table = Opening(turn, states, placed), Table(rows, slots, heads, used)
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
        done = play_first(fight, laws, opening, first, final, False, table, joint)
        positions = max(positions, table.used[0])
        if done == FULL:
            clear(table)
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
def play_in_detail(fight, laws, opening, first, final, table, joint):
    """As `play_first`; all positions and ends stay in the table, with their masses."""
    to_start(fight, opening.states)
    prepare(fight, laws, opening.turn)
    measure(fight, laws)
    return play_first(fight, laws, opening, first, final, True, table, joint)


@kernel
def end_positions(fights, tables, opening, first, final, table, joint):
    """Ends of one turn with the dice that are left, given who strikes first; see `solve_combat`.

    Returned are ``FULL`` if the table had no room, and nothing then; the states, attack dice left
    and defence dice left of all, (m, 3 * n), and the masses of the ends.
    """
    fight, laws = fights[0], tables[0]
    done = play_in_detail(fight, laws, opening, first, final, table, joint)
    rows = np.zeros((0 if done == FULL else table.used[0], 3 * fight.n), np.int64)
    weights = np.zeros(len(rows))
    ends, place = 0, table.heads[len(table.heads) - 1]
    while place != NOBODY and done != FULL:
        unpack(fight, laws, first, table.rows[place].key)
        for i in range(fight.n):
            rows[ends, i] = fight.state[i]
            rows[ends, fight.n + i] = fight.attack[i]
            rows[ends, 2 * fight.n + i] = fight.defence[i]
        weights[ends] = table.rows[place].mass
        ends += 1
        place = table.rows[place].link
    forget(table)
    return done, rows[:ends], weights[:ends]


@kernel
def played_positions(fights, tables, opening, first, final, table, joint):
    """Every position of one turn that best play leads to, and what is decided there.

    As `solve_combat`, where some decision is left open; ``first`` is given. Returned are ``FULL``
    if the table had no room, and nothing then; rows (m, len(Played) + n), as `Played` says, then
    the states of all, and their masses.
    """
    fight, laws = fights[0], tables[0]
    done = play_in_detail(fight, laws, opening, first, final, table, joint)
    rows = np.zeros((0 if done == FULL else table.used[0], PLAYED + fight.n), np.int64)
    weights = np.zeros(len(rows))
    found = 0
    for level in range(len(table.heads) - 1):
        place = table.heads[level] if done != FULL else NOBODY
        while place != NOBODY:
            if table.rows[place].mass > 0:
                describe(fight, laws, opening.turn, first, place, final, table, rows[found])
                weights[found] = table.rows[place].mass
                found += 1
            place = table.rows[place].link
    forget(table)
    return done, rows[:found], weights[:found]


@routine
def describe(fight, laws, turn, first, place, final, table, row):
    """Write what is decided in a position into a row of `played_positions`."""
    key, pair = table.rows[place].key, table.rows[place].pair
    side = unpack(fight, laws, first, key)
    row[Played.HALF] = field(key, shift_of_half(fight, laws), HALF_BITS)
    row[Played.CHOICES] = list_attacks(fight, laws, turn, side)
    i, j = laws.striker[pair], laws.target[pair]
    for k in range(fight.n):
        row[PLAYED + k] = fight.state[k]
    row[Played.STRIKER], row[Played.TARGET] = i, j
    row[Played.DEFENCE], row[Played.SUSTAINED] = fight.defence[j], fight.sustained[j]
    attack_value(fight, laws, turn, key, side, pair, final, table)
    declare(fight, i, j)
    row[Played.COMING] = coming(fight, j)
    row[Played.OPTIONS] = list_defences(fight, laws, j)
    committed, sustains = laws.committed[laws.option], laws.sustains[laws.option]
    row[Played.COMMITTED], row[Played.SUSTAINS] = committed, sustains
    row[Played.ATTACK] = attack = current(fight, turn, i, Stat.ATT)
    row[Played.LEAD] = lead = lead_of(fight, turn, i, j, sustains)
    row[Played.SIX] = UNROLLED
    if committed > 0 or can_fail(fight, attack):
        failed, parried, hit = laws.worths[0], laws.worths[1], laws.worths[2]
        wants = 0 if hit >= parried else 1
        _, _, keep = six_ends(
            fight, laws, side, wants, committed, attack, lead, 6, failed, parried, hit
        )
        row[Played.SIX] = KEPT if keep else REROLLED


def table_of(fighters: int, positions: int) -> Table:
    """Return an empty table for so many fighters and positions."""
    return new_table(np.zeros(positions, POSITION), HALVES * fighters + 1)
