"""Codes and array shapes of shooting (W-6); no logic."""

from enum import IntEnum

import numpy as np

from .abilities import ability_fields
from .combat import MAX_STATES, MAX_WOUND_LINES, MAX_WOUND_ROWS, OUTCOMES, Rule


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


# All that rolling and chances look at, as one record: kernels pass it by address.
SHOOTING = np.dtype(
    (
        np.record,
        [
            # by which rules
            ("scalars", np.int64, (len(Rule),)),
            ("wound", np.uint8, (MAX_WOUND_ROWS, 36)),
            ("still_wound", np.uint8, (MAX_WOUND_ROWS, 36)),  # of a shooter who did not move
            ("wound_rows", np.int64),
            ("after", np.uint8, (MAX_STATES, OUTCOMES)),
            ("shots", np.int64, (len(Shot),)),
            ("starts", np.int64, (MAX_WOUND_LINES,)),
            ("lines", np.uint8, (MAX_WOUND_LINES, 6)),
            ("line_count", np.int64),
            ("still_lines", np.int64),  # that such a shooter's wounds are read down
            # abilities of the shooter and of his target (W-7)
            *ability_fields(2),
            # with which dice
            ("seed", np.uint64),
            ("cell", np.uint64),
            ("trials", np.uint64, (1,)),
            ("words", np.uint32, (1, 4, 1)),  # none are made in advance
        ],
    )
)
