"""Codes and columns of the actions of an activation (A-5, M-8); no logic."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .records import record


class Action(IntEnum):
    """Actions of an activation: rows of ``ActionTable.rows`` and first columns of *done*."""

    CHARGE = 0
    ENGAGE = 1
    RUN = 2
    UNDER_COVER = 3
    WALK = 4
    SHOOT = 5
    MYSTIC = 6


ACTIONS = len(Action)


class Step(IntEnum):
    """What a fighter does in its activation besides actions: the next columns of *done*."""

    TURN = 7  # on the spot (M-1.5, M-9)
    ANNOUNCE_WALK = 8  # a walk after a shot, said before it
    DISENGAGE = 9  # a try (M-7): 0 none, or an `Attempt`


STEPS = ACTIONS + len(Step)
NOTHING = -1  # the first action of a fighter that does nothing


class Attempt(IntEnum):
    """How a try at disengaging ended (M-7.4, M-7.5)."""

    SUCCEEDED = 1
    FAILED = 2


class Fact(IntEnum):
    """How a fighter stands: bits of *facts*.

    What it sees counts at the start of its activation (M-4.1, M-4.2), a line of sight when
    it shoots (A-5.5), the others as they are now.
    """

    FREE = 0  # touches no enemy
    SEES_TARGET = 1  # an enemy to assault is in sight
    TARGET_UNSEEN = 2  # an enemy to assault is out of sight
    LEVEL_0 = 3  # stands on the ground (M-6.1)
    AIM = 4  # has TIR
    RANGED_WEAPON = 5
    LINE_OF_SIGHT = 6  # to the target of a shot
    CASTER = 7  # magician or faithful
    COMBINES = 8  # an ability lets it combine an exclusive action (M-9)
    ASSAULTED = 9  # charged or engaged in this activation phase (M-7.1)
    SURROUNDED = 10  # touched by as many enemies as its size has room for (M-7.1)


class Cell(IntEnum):
    """Columns of ``ActionTable.rows``; of masks, bit *a* stands for action *a*."""

    EXCLUSIVE = 0
    IN_CONTACT = 1  # may be done while touching an enemy, without disengaging
    AFTER_DISENGAGING = 2
    TIMES = 3  # most times in an activation, 0 = as resources allow
    AFTER = 4  # mask of actions that may come before it
    AFTER_COMBINING = 5  # the same where a fighter combines
    NEEDS = 6  # mask of facts
    NEEDS_DISENGAGED = 7  # mask of facts after a disengagement
    POTENTIAL = 8  # multiple of MOU
    POTENTIAL_DISENGAGED = 9


class ActionRule(IntEnum):
    """Scalars of the actions: index into ``ActionTable.scalars``."""

    TURNING_IS_WALK = 0  # M-9
    WALK_ANNOUNCED = 1  # a walk after a shot must be announced before it
    DISENGAGED_SHOT_MOVED = 2  # a shot after a disengagement is one after a walk
    STILL_BONUS = 3  # a shooter that does not move has a bonus
    DISENGAGE_AFTER = 4  # mask of actions that may come before a disengagement (M-7.1)
    DISENGAGE_UNLESS = 5  # mask of facts that bar it (M-7.1)
    FAILURE_STAYS = 6  # who fails it does not move (M-7.5)


class Ban(IntEnum):
    """Why a step is not legal; the edition's entry for it has the clause."""

    NONE = 0
    EXCLUSIVE = 1  # an exclusive action was done: nothing else
    AFTER = 2  # what was done may not come before it
    TIMES = 3  # done as often as it may be
    STAYS = 4  # failed to disengage (M-7.5)
    CONTACT = 5  # touches an enemy
    DISENGAGED = 6  # not after disengaging (M-7.4)
    NEEDS = 7  # a fact is missing
    ANNOUNCED = 8  # a walk after a shot is announced before it, once
    FREE = 9  # touches no enemy: nothing to disengage from (M-7.1)
    TRIED = 10  # has tried to disengage (M-7.1)
    BARRED = 11  # may not try (M-7.1)


class ActionTable(NamedTuple):
    """The actions of an edition as arrays."""

    rows: NDArray[np.int64]  # (ACTIONS, len(Cell))
    scalars: NDArray[np.int64]  # by `ActionRule`


ACTION_TABLE = record(
    ("rows", np.int64, (ACTIONS, len(Cell))),
    ("scalars", np.int64, (len(ActionRule),)),
)
