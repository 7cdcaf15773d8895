"""Disengagement: what has to be rolled, the roll, its exact chance (M-7).

Characteristics are current ones, wounds and other penalties taken off (W-3.2, M-5.1).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import has
from ..core.rng import SLOTS, U64, disengagement_address
from ..layout.abilities import Effect, Number, Roll
from ..layout.combat import Call, Moment, Rule
from ..layout.rolls import DISENGAGEMENT, WAYS, Custom, Try, Way
from .attempts import attempt, attempt_chance, renew_luck

AGAIN = 16  # blocks of fighters, after which are their tries by luck


def new_disengagement(
    scalars: NDArray[np.int64],
    seed: int,
    cell: int,
    flags: int = 0,
    numbers: NDArray[np.int64] | None = None,
) -> NDArray[np.void]:
    """Return a record array of shape (1,), ready for the kernels below.

    Parameters
    ----------
    scalars : ndarray of int64, shape (len(Rule),)
        Of the edition's ``Rules``.
    seed : int
        0 to 2**64 - 1, the run.
    cell : int
        0 to 2**32 - 1, what is played.
    flags : int
        Abilities of fighter 0, bits ``1 << Effect`` (W-7).
    numbers : ndarray of int64, shape (NUMBERS,), optional
        By ``Number``; needed where there are flags.
    """
    records = np.zeros(1, DISENGAGEMENT)
    record: Any = records[0]
    record.scalars[:], record.seed, record.cell = scalars, seed, cell
    if numbers is not None:
        record["able"], record["effects"][0], record["numbers"][0] = flags, flags, numbers
    return records


@part
def difficulty(customs, enemies):
    """Difficulty of a disengagement from so many enemies in contact (M-7.2)."""
    return customs[Custom.DIFFICULTY] + customs[Custom.DIFFICULTY_PER_ENEMY] * enemies


@part
def eased(record, i, difficulty):
    """Difficulty of a disengagement of fighter ``i``, his abilities looked at (W-7)."""
    if record.able and has(record, i, Effect.DISENGAGES):
        return min(difficulty, record.numbers[i, Number.DISENGAGE_MOST])
    return difficulty


@part
def roll_of(way):
    """What is tested: INI by agility, FOR by force (M-7.2, M-7.3)."""
    return Roll.INITIATIVE if way == Way.AGILITY else Roll.DISENGAGEMENT


@part
def goal_of(record, least, value):
    """Least natural result that succeeds: ``least`` in all, and no automatic failure (W-1.3)."""
    return max(least, record.scalars[Rule.AUTOMATIC_FAILURE] + 1) - value


@part
def force_left(strength, toughest):
    """FOR of a test of force: less the highest RES of the enemies in contact (M-7.3)."""
    return strength - toughest


@part
def may_force(size, largest, left):
    """Whether a fighter may try by force: larger than each enemy, and some FOR left (M-7.3)."""
    return size > largest and left > 0


@routine
def disengagement_roll(record, moment, fighter, goal, way):
    """Natural result of a try; a 6 that is not enough is re-rolled (M-7.2, M-7.3, W-1.2).

    Parameters
    ----------
    record
        Anything with an edition's ``scalars``, what dice need, and abilities.
    moment : Moment
    fighter : int
        0 to 1023, whose die: he tries once in a turn.
    goal : int
        From `goal_of`.
    way : int
    """
    address = disengagement_address(moment.turn, fighter // SLOTS)
    call = Call(moment, 0, fighter, fighter, address, -1)
    address = disengagement_address(moment.turn, AGAIN + fighter // SLOTS)
    second, slot = Call(moment, 0, fighter, fighter, address, -1), fighter % SLOTS
    return attempt(record, call, second, fighter, slot, slot, goal, roll_of(way))


@part
def disengages(record, moment, fighter, goal, way):
    """Whether a try at disengaging succeeds; see `disengagement_roll`."""
    return disengagement_roll(record, moment, fighter, goal, way) >= goal


@routine
def chance(record, one, goal, way):
    """Chance of fighter 0's try, in closed form; ``one`` is the number 1, float or Fraction."""
    return attempt_chance(record, one, 0, goal, roll_of(way))


@part
def weigh(record, customs, own, foes, rows):
    """Fill a row for each way; see `ways`."""
    largest, toughest = foes[0, 0], foes[0, 1]
    for i in range(1, len(foes)):
        largest, toughest = max(largest, foes[i, 0]), max(toughest, foes[i, 1])
    left = force_left(own[2], toughest)
    rows[Way.AGILITY, Try.POSSIBLE], rows[Way.AGILITY, Try.VALUE] = 1, own[1]
    rows[Way.FORCE, Try.POSSIBLE] = may_force(own[0], largest, left)
    rows[Way.FORCE, Try.VALUE] = left
    least = eased(record, 0, difficulty(customs, len(foes)))
    for way in range(WAYS):
        rows[way, Try.DIFFICULTY] = least
        rows[way, Try.GOAL] = goal_of(record, least, rows[way, Try.VALUE])


@kernel
def ways(records, customs, own, foes, rows, chances):
    """Both ways to disengage from all enemies in contact, and their exact chances (M-7).

    Parameters
    ----------
    records : ndarray of DISENGAGEMENT, shape (1,)
        From `new_disengagement`.
    customs : ndarray of int64, shape (len(Custom),)
    own : ndarray of int64, shape (3,)
        Size, from 0, then current INI and FOR.
    foes : ndarray of int64, shape (n, 2)
        Size and current RES of each enemy in contact, at least one.
    rows : ndarray of int64, shape (WAYS, len(Try))
        Overwritten.
    chances : ndarray of float64, shape (WAYS,)
        Overwritten; 0 of what is not possible.
    """
    record = records[0]
    weigh(record, customs, own, foes, rows)
    for way in range(WAYS):
        found = chance(record, 1.0, rows[way, Try.GOAL], way)
        chances[way] = found * rows[way, Try.POSSIBLE]


@kernel
def count_disengagements(records, rows, fighter, turn, first, trials, counts):
    """Add the successes of trials ``first`` to ``first + trials - 1`` to counts (M-7).

    Parameters
    ----------
    records, rows
        As in `ways`, which filled ``rows``.
    fighter, turn : int
        Which dice; both ways are tried with the same.
    first, trials : int
    counts : ndarray of int64, shape (WAYS,)
    """
    record = records[0]
    for trial in range(first, first + trials):
        record.trials[0] = U64(trial)
        for way in range(WAYS):
            if rows[way, Try.POSSIBLE]:
                goal = rows[way, Try.GOAL]
                renew_luck(record, 0)
                counts[way] += disengages(record, Moment(0, turn, None), fighter, goal, way)
