"""A side's policy in combat: its decisions, and the codes of each; no logic."""

from enum import IntEnum

OPTIMAL = -99  # of any decision but the margin: the best one, which only the exact engine finds


class Decision(IntEnum):
    """Columns of a side's policy row."""

    PLACEMENT = 0
    INITIATIVE = 1
    STRIKE_ORDER = 2
    TARGET = 3
    PARRY = 4
    SUSTAIN = 5
    REROLL_ATTACK = 6
    REROLL_DEFENCE = 7
    REROLL_INITIATIVE = 8
    MARGIN = 9
    # of abilities (W-7)
    FURY = 10  # Use
    CHAIN = 11  # dice
    MASTER = 12  # Use
    HELD = 13  # Held
    FEINT = 14  # Use
    LUCK = 15  # Luck


DECISIONS = len(Decision)


class Placement(IntEnum):
    """How a fighter splits its combat dice when the caller did not (C-3)."""

    ANSWER = 0
    EVEN = 1
    ATTACK = 2
    DEFENCE = 3


class InitiativeFighter(IntEnum):
    """Which of several fighters takes the Initiative test (C-4.1)."""

    BEST = 0
    LISTED = 1


class StrikeOrder(IntEnum):
    """In which order several fighters strike (C-5.4)."""

    WEAKEST = 0
    STRONGEST = 1
    LISTED = 2


class Target(IntEnum):
    """Whom the lone fighter strikes next (C-5.3)."""

    WOUNDED = 0
    UNDEFENDED = 1
    DEAREST = 2
    FRAIL = 3
    LISTED = 4


class Parry(IntEnum):
    """Dice committed to a parry; other values are a fixed number (C-6.2)."""

    NONE = 0
    SPREAD = -1
    ALL = -2


class Sustain(IntEnum):
    """Whether the last defence die is sustained (C-7)."""

    USEFUL = 0
    NEVER = 1
    ALWAYS = 2


class Reroll(IntEnum):
    """Whether a natural 6 is re-rolled (W-1.2)."""

    NEEDED = 0
    NEVER = 1
    ALWAYS = 2


class Use(IntEnum):
    """When an ability that need not be used is (W-7)."""

    USEFUL = 0
    NEVER = 1
    ALWAYS = 2


class Held(IntEnum):
    """What the dice that a fencer keeps unplaced are used for (W-7)."""

    USEFUL = 0
    ATTACK = 1
    DEFENCE = 2


class Luck(IntEnum):
    """When a test is rolled again by luck (W-7)."""

    USEFUL = 0
    NEVER = 1
