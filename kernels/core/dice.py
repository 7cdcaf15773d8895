"""Dice and chains of re-rolled sixes (W-1.2)."""

import numpy as np

from .._jit import part, routine
from ..layout.combat import WOUND, Call, RerollOne, Rule
from ..layout.log import Event
from .rng import DIGITS, HALF, LOW, SIX, U64, first_word, later_word

SIX_OPENS = 6  # who has no ability re-rolls 6s
FAILED = -1_000_000  # below any result: a test that a rule failed


@routine
def write_row(log, kind, turn, number, a, b, slot, x, y, z):
    """Add a row to a log that has room for it."""
    log[0, 0] += 1
    row = log[log[0, 0]]
    row[0] = kind
    row[1] = turn
    row[2] = number
    row[3] = a
    row[4] = b
    row[5] = slot
    row[6] = x
    row[7] = y
    row[8] = z


@part
def note(moment, kind, number, a, b, slot, x, y, z):
    """Log an event, if a log is kept."""
    write_if_kept(moment.log, kind, moment.turn, number, a, b, slot, x, y, z)


@part
def write_if_kept(log, kind, turn, number, a, b, slot, x, y, z):
    """Without a log, numba drops the branch, and the whole call with it."""
    if log is not None and log[0, 0] < len(log) - 1:
        write_row(log, kind, turn, number, a, b, slot, x, y, z)


@part
def first_die(fight, call: Call, roller, slot):
    """Die, 1 to 6, and what is left of its word."""
    other = call.striker + call.target - roller
    product = first_word(fight, call.moment.lane, call.page, call.address, slot) * SIX
    die = np.int64(product >> HALF) + 1
    note(call.moment, Event.DIE, call.number, roller, other, slot, 0, die, 0)
    return die, product & LOW


@part
def next_die(fight, call: Call, roller, slot, index, rest):
    """The ``index``-th die of a chain, and what is left of its word."""
    if index % DIGITS == 0:
        rest = later_word(fight, call.moment.lane, call.address, slot, index // DIGITS)
    other = call.striker + call.target - roller
    product = U64(rest) * SIX
    die = np.int64(product >> HALF) + 1
    note(call.moment, Event.DIE, call.number, roller, other, slot, index, die, 0)
    return die, product & LOW


@part
def wound_dice(fight, call: Call):
    """Both dice of a wound roll (W-2)."""
    die_1, rest = first_die(fight, call, call.striker, WOUND)
    die_2 = np.int64((rest * SIX) >> HALF) + 1
    note(call.moment, Event.DIE, call.number, call.striker, call.target, WOUND, 1, die_2, 0)
    return die_1, die_2


@part
def opening(fight, die):
    """Natural result of a first die; ``FAILED`` where an edition fails a 1 (W-1.3)."""
    return die if die > fight.scalars[Rule.NATURAL_ONE_FAILS] else FAILED


@part
def added(fight, natural, die):
    """Natural result after a re-roll of a 6 showed ``die`` (W-1.2)."""
    if die > 1:
        return natural + die
    mode = fight.scalars[Rule.REROLL_ONE]
    if mode == RerollOne.RESET:
        return 1
    if mode == RerollOne.ADD:
        return natural + 1
    return FAILED


@part
def final(natural, characteristic):
    """Final result of a test; ``FAILED`` stays so whatever the characteristic (W-1.1)."""
    return FAILED if natural <= FAILED else natural + characteristic


@part
def least_result(record, difficulty):
    """Least final result of a test that succeeds: no automatic failure (W-1.3)."""
    return max(difficulty, record.scalars[Rule.AUTOMATIC_FAILURE] + 1)


@part
def rest_of_chain(fight, call: Call, roller, slot, die, rest, keep_at, opens):
    """Natural result of a die that is open, re-rolled while it is below ``keep_at``."""
    natural, index = die, 0
    while die >= opens and natural < keep_at:
        index += 1
        die, rest = next_die(fight, call, roller, slot, index, rest)
        natural = added(fight, natural, die)
    return natural


@part
def chain(fight, call: Call, roller, slot, keep_at, opens=SIX_OPENS):
    """Natural result of one die, re-rolled while it is open and below ``keep_at``.

    A die is open that shows ``opens`` or more.
    """
    die, rest = first_die(fight, call, roller, slot)
    if die < opens:
        return opening(fight, die)
    return rest_of_chain(fight, call, roller, slot, die, rest, keep_at, opens)


@routine
def best_of(fight, call: Call, roller, slot, dice, goal, keep_at, opens):
    """Best natural result of several dice, each a chain of its own (W-1.4).

    Open dice are re-rolled in their order while no die has reached ``goal``. ``keep_at`` is
    the natural result from which a chain is not re-rolled.
    """
    best, shown = FAILED, 0
    for j in range(dice):
        die, _ = first_die(fight, call, roller, slot + j)
        if die >= opens:
            shown = max(shown, die)
        else:
            best = max(best, opening(fight, die))
    if shown == 0 or goal <= shown or keep_at <= shown:
        return max(best, shown) if shown else best
    barred = False
    for j in range(dice):
        product = first_word(fight, call.moment.lane, call.page, call.address, slot + j) * SIX
        die = np.int64(product >> HALF) + 1
        if die < opens:
            continue
        if best < goal and not barred:
            rest = product & LOW
            natural = rest_of_chain(fight, call, roller, slot + j, die, rest, keep_at, opens)
            best = max(best, natural)
            barred = fight.scalars[Rule.ONE_CHAIN] == 1
        else:
            best = max(best, int(die))
    return best
