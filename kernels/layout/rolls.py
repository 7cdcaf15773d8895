"""Codes and array shapes of single tests; no logic.

Shooting (W-6), fear (W-4), disengagement (M-7), opposed tests of Discipline.
"""

from enum import IntEnum

import numpy as np

from .combat import MAX_STATES, MAX_WOUND_LINES, MAX_WOUND_ROWS, OUTCOMES, THROWS, Rule
from .maintenance import PERSON_COLUMNS
from .maintenance import Custom as Upkeep
from .policy import DECISIONS
from .records import DICE, ability_fields, record


class Band(IntEnum):
    """How far a target is (W-6)."""

    SHORT = 0
    MEDIUM = 1
    LONG = 2


BANDS = len(Band)
OUT_OF_RANGE = -1


class Shot(IntEnum):
    """Difficulties of an edition: index into *shots* (W-6)."""

    SHORT = 0
    MEDIUM = 1
    LONG = 2
    MOVED = 3  # added if the shooter moved


# All that rolling and chances look at.
SHOOTING = record(
    # by which rules
    ("scalars", np.int64, (len(Rule),)),
    ("wound", np.uint8, (MAX_WOUND_ROWS, THROWS)),
    ("still_wound", np.uint8, (MAX_WOUND_ROWS, THROWS)),  # of a shooter who did not move
    ("wound_rows", np.int64),
    ("after", np.uint8, (MAX_STATES, OUTCOMES)),
    ("shots", np.int64, (len(Shot),)),
    ("starts", np.int64, (MAX_WOUND_LINES,)),
    ("lines", np.uint8, (MAX_WOUND_LINES, 6)),
    ("line_count", np.int64),
    ("still_lines", np.int64),  # that such a shooter's wounds are read down
    # abilities of the shooter and of his target (W-7)
    *ability_fields(2),
    *DICE,
)

FEAR = record(
    ("scalars", np.int64, (len(Rule),)),
    ("customs", np.int64, (len(Upkeep),)),  # of the maintenance phase, for a rally
    ("people", np.int64, (1, PERSON_COLUMNS)),
    *ability_fields(1),  # of who tests (W-7)
    *DICE,
)


class Way(IntEnum):
    """How a fighter disengages (M-7.2, M-7.3)."""

    AGILITY = 0
    FORCE = 1


WAYS = len(Way)


class Custom(IntEnum):
    """What a disengagement needs of an edition: index into *customs*."""

    DIFFICULTY = 0
    DIFFICULTY_PER_ENEMY = 1


class Try(IntEnum):
    """Columns of a way's row."""

    POSSIBLE = 0  # 0 by force: not larger than each enemy, or no FOR left (M-7.3)
    VALUE = 1  # what the die is added to
    DIFFICULTY = 2
    GOAL = 3  # least natural result that succeeds


DISENGAGEMENT = record(
    ("scalars", np.int64, (len(Rule),)),
    *ability_fields(1),  # of who disengages (W-7)
    *DICE,
)

# The opposed tests of Discipline, in a record that `combat.initiative.opposed` of kernels takes.
TEST = record(
    ("scalars", np.int64, (len(Rule),)),
    ("policy", np.int64, (2, DECISIONS)),
    ("chooser", np.int64),
    ("mirror", np.int64),
    *DICE,
)
