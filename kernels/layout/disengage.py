"""Codes, columns and array shapes of a disengagement (M-7); no logic."""

from enum import IntEnum

import numpy as np

from .abilities import ability_fields
from .combat import Rule


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


# All that rolling and chances look at, as one record: kernels pass it by address.
DISENGAGEMENT = np.dtype(
    (
        np.record,
        [
            ("scalars", np.int64, (len(Rule),)),
            *ability_fields(1),  # of who disengages (W-7)
            ("seed", np.uint64),
            ("cell", np.uint64),
            ("trials", np.uint64, (1,)),
            ("words", np.uint32, (1, 4, 1)),  # none are made in advance
        ],
    )
)
