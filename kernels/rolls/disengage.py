"""Disengagement: what has to be rolled, the roll, its exact chance (M-7).

Characteristics are current ones, wounds and other penalties taken off (W-3.2, M-5.1).
"""

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import has
from ..core.dice import least_result
from ..core.rng import DISENGAGE, SLOTS, nth_address
from ..layout.abilities import Effect, Number, Roll
from ..layout.combat import Call, Moment
from ..layout.rolls import DISENGAGEMENT, WAYS, Custom, Try, Way
from .attempts import attempt, attempt_chance, begin_trial, new_record

AGAIN = 16  # blocks of fighters, after which are their tries by luck


def new_disengagement(
    scalars: NDArray[np.int64],
    seed: int,
    cell: int,
    flags: int = 0,
    numbers: NDArray[np.int64] | None = None,
) -> NDArray[np.void]:
    """Return a record for an edition's ``Rules.scalars``."""
    records = new_record(DISENGAGEMENT, seed, cell, flags, numbers)
    records["scalars"] = scalars
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
    return least_result(record, least) - value


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

    A fighter, 0 to 1023, tries once in a turn.
    """
    address = nth_address(moment.turn, DISENGAGE, fighter // SLOTS)
    call = Call(moment, 0, fighter, fighter, address, -1)
    address = nth_address(moment.turn, DISENGAGE, AGAIN + fighter // SLOTS)
    second, slot = Call(moment, 0, fighter, fighter, address, -1), fighter % SLOTS
    return attempt(record, call, second, fighter, slot, slot, goal, roll_of(way))


@part
def disengages(record, moment, fighter, goal, way):
    """Whether a try at disengaging succeeds; see `disengagement_roll`."""
    return disengagement_roll(record, moment, fighter, goal, way) >= goal


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

    ``own`` is size, from 0, then current INI and FOR; ``foes`` (n, 2) size and current RES of each
    enemy. Overwritten are ``rows`` (WAYS, len(Try)) and ``chances``, 0 of what is not possible.
    """
    record = records[0]
    weigh(record, customs, own, foes, rows)
    for way in range(WAYS):
        found = attempt_chance(record, 1.0, 0, rows[way, Try.GOAL], roll_of(way))
        chances[way] = found * rows[way, Try.POSSIBLE]


@kernel
def count_disengagements(records, rows, fighter, turn, first, trials, counts):
    """Add the successes of trials ``first`` to ``first + trials - 1`` to counts by way (M-7).

    `ways` filled ``rows``; both ways are tried with the same dice, those of ``fighter``.
    """
    record = records[0]
    for trial in range(first, first + trials):
        for way in range(WAYS):
            if rows[way, Try.POSSIBLE]:
                goal = rows[way, Try.GOAL]
                begin_trial(record, trial)
                counts[way] += disengages(record, Moment(0, turn, None), fighter, goal, way)
