"""How the power of a charger counts against several enemies (M-5.2); no logic."""

from enum import IntEnum


class Sharing(IntEnum):
    """What a charger's power is compared with."""

    POOLED = 0  # all chargers and all charged of a connected group, together
    EQUAL = 1  # each charged fighter with an equal share of each of his chargers
