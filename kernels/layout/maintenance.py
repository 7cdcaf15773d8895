"""Codes, columns and array shapes of the maintenance phase (T-5); no logic."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .combat import MAX_STATES, OUTCOMES, Rule
from .records import DICE, record

MAX_PEOPLE = 64  # what the addresses of their dice have room for (`estoc.kernels.core.rng`)
MAX_EFFECTS = 256


class Stage(IntEnum):
    """Parts of the phase, in their order (T-5.1 to T-5.3)."""

    RALLY = 0  # T-5.1
    FAITH = 1  # T-5.2, of each faithful of both players
    MANA = 2  # T-5.2
    HARM = 3  # T-5.3 step 1
    PASSIVE = 4  # step 2
    ACTIVE = 5  # step 3
    OTHER = 6  # step 4
    RETURN = 7  # step 5
    MARKERS = 8  # step 6


FIRST_STEP, LAST_STEP = int(Stage.HARM), int(Stage.RETURN)  # those that effects are resolved in


class Kind(IntEnum):
    """What an effect does."""

    DAMAGE = 0  # LEVELS wound levels, or OUTCOME
    HEAL = 1  # LEVELS wound levels less
    ROLL_TO_HEAL = 2  # d6 >= NEEDS heals one level, and a success rolls once more (W-7)
    UPKEEP = 3  # SOURCE pays COST, or the effect ends
    RETURN = 4  # a dead target is back in STATE


class Caster(IntEnum):
    """What a fighter casts."""

    NONE = 0
    MAGICIAN = 1
    FAITHFUL = 2


class Marker(IntEnum):
    """Bits of the markers beside a fighter; stunned is part of his state (W-3.3)."""

    CHARGED = 1  # M-5.1
    DEFENCE = 2  # M-7.5: all dice in defence
    TARGET = 4  # M-6.2: Target/+2


class Person(IntEnum):
    """Columns of a fighter's row."""

    STATE = 0  # code as in ``Rules.after``
    ROUTED = 1
    NERVE = 2  # the higher of COU and DIS (W-4.4)
    CASTER = 3  # Caster
    RANK = 4  # 1 to 4
    MANA = 5
    FAITH = 6  # temporary
    MARKERS = 7  # bits of Marker
    RETURNED = 8  # came back in this phase (T-5.3 step 5)
    OPEN = 9  # of his rally: 1: 5s are re-rolled like 6s, -1: not even 6s (W-7)
    LUCK = 10  # tests of this turn that he may roll again still (W-7)


class Effect(IntEnum):
    """Columns of an effect's row; fighters and effects by place, -1 = none."""

    KIND = 0
    STAGE = 1  # HARM to RETURN
    TARGET = 2
    SOURCE = 3
    NEEDS = 4  # least die, 0 = none is rolled
    LEVELS = 5
    OUTCOME = 6  # layout.Outcome
    COST = 7
    IN_FAITH = 8  # 1: paid in faith, else in mana
    KEEP = 9  # the payer's choice
    SUSTAINS = 10  # effect that ends with this upkeep
    STATE = 11  # of one who returns, and what he holds
    MANA = 12
    FAITH = 13
    LOST = 14  # a die at or below it ends the effect for good
    GOES_ON = 15  # 0: ended


PERSON_COLUMNS = len(Person)
EFFECT_COLUMNS = len(Effect)


class Custom(IntEnum):
    """Scalars of the phase: index into ``MaintenanceRules.customs``."""

    RALLY_DIFFICULTY = 0
    NO_RALLY_IN_CONTACT = 1
    MANA_BASE = 2
    MANA_PER_RANK = 3
    MANA_DICE = 4
    MANA_MOST_PER_RANK = 5
    FAITH_BASE = 6
    FAITH_PER_RANK = 7
    FAITH_PER_BELIEVER = 8
    REMOVES_STUNNED = 9
    REMOVED_MARKERS = 10  # bits of Marker


# Kind of a log row that says what happened; `log.Event` has lower ones, and its rows of
# dice come before. Columns: MAINTAINED, turn, stage, fighter, source, effect (-1 = none),
# before, after, and
#   RALLY    1 = failed without a die (W-4.4)    before and after: routed
#   UPKEEP   1 = goes on                         before and after: what the source holds
#   RETURN   1 = the effect goes on              before and after: state, as of damage and heal
#   MARKERS  0: before and after are states, 1: bits of Marker
MAINTAINED = 16


class MaintenanceRules(NamedTuple):
    """What the phase needs of an edition, beside `combat.Rules`."""

    customs: NDArray[np.int64]  # by `Custom`
    healed: NDArray[np.int64]  # (s,): state with one wound level less, if there is one


_PEOPLE = (MAX_PEOPLE, PERSON_COLUMNS)
_EFFECTS = (MAX_EFFECTS, EFFECT_COLUMNS)

# All that the phase looks at.
MAINTENANCE = record(
    ("n", np.int64),  # fighters
    ("listed", np.int64),  # effects
    ("people", np.int64, _PEOPLE),
    ("effects", np.int64, _EFFECTS),
    ("first_people", np.int64, _PEOPLE),  # as they were when the phase began
    ("first_effects", np.int64, _EFFECTS),
    ("touches", np.uint8, (MAX_PEOPLE, MAX_PEOPLE)),  # [i, j]: j frightens, i touches j
    ("aura", np.uint8, (MAX_PEOPLE, MAX_PEOPLE)),  # [i, j]: i has faith from j
    # by which rules
    ("customs", np.int64, (len(Custom),)),
    ("scalars", np.int64, (len(Rule),)),
    ("after", np.uint8, (MAX_STATES, OUTCOMES)),
    ("recover", np.uint8, (MAX_STATES,)),
    ("healed", np.uint8, (MAX_STATES,)),
    ("dead", np.int64),
    # with which dice
    *DICE,
)
