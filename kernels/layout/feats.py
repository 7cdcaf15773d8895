"""Tables and scratch of exact odds where somebody has an ability (W-7); no logic.

An *exchange* is the attack test and the defence test of an attack. Chances of its ends are a
vector: end, then by whom luck was used (`USED_BY_STRIKER`, `USED_BY_TARGET`); `feats.vectors`
says where each stands. Those of a defence test: end, then whether the target has used luck.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from .combat import MAX_FIGHTERS, OUTCOMES
from .exact import GOALS, POSITION_FIELDS
from .records import record

CAP = 144  # natural results from which an open die is taken as kept: they weigh 3**-24 at most
KNOWN_DICE = 4  # defence dice whose vectors are kept
VARIANTS = 2  # of a wound roll: 1 = the first after a charge
DIFFERENCES = 128  # FOR - RES, from -64 on
MOST_LUCK = 2  # tests a turn
MOST_FEINTS = 32
MOST_WAYS = 64  # attacks to choose from, ways to meet one
LEVELS = 512


class Ends(IntEnum):
    """How an exchange ends."""

    LANDS = 0
    PARRIED = 1
    COUNTERED = 2  # parried by enough for a counter-attack
    FAILED = 3  # automatically


ENDS = len(Ends)
LUCKS = 4  # by whom luck was used in an exchange: bits
USED_BY_STRIKER, USED_BY_TARGET = 2, 1
PARRY_ENDS, EXCHANGE_ENDS = 3 * 2, ENDS * LUCKS  # lengths of the vectors

# Places of what follows an exchange, by luck used: an end, or what a landed attack does.
SURVIVED = 4  # the wound roll is cancelled
WOUNDED = 5  # and the outcome
FEINTED = WOUNDED + OUTCOMES
PLACES = FEINTED + MOST_FEINTS
WOUND_LAW = OUTCOMES + 1  # the outcomes, then survival


class Kind(IntEnum):
    """With what an attack is made."""

    PLACED = 0
    HELD = 1
    MASTER = 2
    DECLINED = 3  # no attack: the side strikes no more in this half of a pass


class Field(IntEnum):
    """What a position holds of a fighter."""

    STATE = 0
    ATTACK = 1
    DEFENCE = 2
    SUSTAINED = 3
    HELD = 4
    USED_ATTACK = 5  # held dice used in attack
    USED_DEFENCE = 6
    LUCK = 7
    FRESH = 8
    DOOMED = 9


FIELDS = len(Field)
FEAT_POSITION = record(
    *POSITION_FIELDS,
    ("ends", np.float64, (EXCHANGE_ENDS,)),  # chances of the exchange
    ("landing", np.int16, (LUCKS,)),  # what a landed attack does, by luck used
)
_N = (MAX_FIGHTERS,)
_LUCK = (MOST_LUCK + 1, MOST_LUCK + 1)

FEATS = record(
    # how a position is packed into a number
    ("width", np.int64, (MAX_FIGHTERS, FIELDS)),
    ("shift", np.int64, (MAX_FIGHTERS, FIELDS)),
    ("struck_shift", np.int64),
    ("side_shift", np.int64),
    ("idle_shift", np.int64),
    ("end_shift", np.int64),
    ("weight", np.int64, (MAX_FIGHTERS, 2)),  # of a defence die, of a held one
    ("most", np.int64),  # weight of the beginning
    # dice placed
    ("base_attack", np.int64, _N),
    ("base_defence", np.int64, _N),
    ("base_held", np.int64, _N),
    ("marks", np.int64, _N),  # who has struck, kept while positions are tried
    # tests: vectors of parries, by fighter, counter-attack, luck, wants, dice, goal
    ("parry_known", np.uint8, (MAX_FIGHTERS, 2, 2, 2, KNOWN_DICE + 1, GOALS)),
    ("parry", np.float64, (MAX_FIGHTERS, 2, 2, 2, KNOWN_DICE + 1, GOALS, PARRY_ENDS)),
    ("open", np.float64, (16, 16, 3, PARRY_ENDS)),  # by open 6s and 5s, and the best yet
    ("chain", np.float64, (GOALS + 12, PARRY_ENDS)),
    ("stop", np.float64, (3, PARRY_ENDS)),
    ("six", np.float64, (PARRY_ENDS,)),
    ("faces", np.float64, (3,)),  # closed ones, by grade at most
    ("kept", np.float64, (PARRY_ENDS,)),
    ("lost", np.float64, (PARRY_ENDS,)),
    ("again", np.float64, (PARRY_ENDS,)),
    ("stands", np.float64, (GOALS + 12, EXCHANGE_ENDS)),
    ("rolls", np.float64, (GOALS + 12, EXCHANGE_ENDS)),
    ("repeated", np.float64, (EXCHANGE_ENDS,)),
    ("ends", np.float64, (EXCHANGE_ENDS,)),
    ("found", np.float64, (PARRY_ENDS,)),
    ("worth", np.float64, (EXCHANGE_ENDS,)),
    # wound rolls, by striker, target, variant, difference
    ("wound_known", np.uint8, (MAX_FIGHTERS, MAX_FIGHTERS, VARIANTS, DIFFERENCES)),
    (
        "wound",
        np.float64,
        (MAX_FIGHTERS, MAX_FIGHTERS, VARIANTS, DIFFERENCES, WOUND_LAW),
    ),
    ("law", np.float64, (WOUND_LAW,)),  # of the attack that is looked at
    # what may follow it, by luck used
    ("key", np.int64, (LUCKS, PLACES)),
    ("end", np.int64, (LUCKS, PLACES)),  # place of the final states, -1 = it goes on
    ("landing", np.int64, (LUCKS,)),  # best thing to do once it has landed
    ("best_ends", np.float64, (EXCHANGE_ENDS,)),
    ("best_landing", np.int64, (LUCKS,)),
    ("feint", np.int64, (MOST_FEINTS, 3)),  # dice taken: attack, defence, held
    ("feints", np.int64),
    # attacks to choose from, and ways to meet one
    ("striker", np.int64, (MOST_WAYS,)),
    ("target", np.int64, (MOST_WAYS,)),
    ("kind", np.int64, (MOST_WAYS,)),
    ("placed_dice", np.int64, (MOST_WAYS,)),
    ("held_dice", np.int64, (MOST_WAYS,)),
    ("sustain", np.int64, (MOST_WAYS,)),
    # initiative: values and chances by who strikes first and luck used
    ("start_value", np.float64, (2, *_LUCK)),
    ("start_chance", np.float64, (2, *_LUCK)),
)


class Attack(NamedTuple):
    """An attack that is declared in a position."""

    key: int  # the position
    side: int  # whose half of the pass it is
    striker: int
    target: int
    kind: int  # a `Kind`


class Exchange(NamedTuple):
    """The tests of an attack."""

    striker: int
    target: int
    committed: int  # defence dice, 0 = it is not met
    attack: int  # ATT of the test
    lead: int  # what that is above the DEF of the parry
    counters: bool  # a counter-attack can follow
    lucky: bool  # the target has luck left


class Parry(NamedTuple):
    """A defence test."""

    dice: int  # one at least
    goal: int  # natural result that parries
    strong: int  # natural result that gives a counter-attack
    opens: int  # least die that is re-rolled
    reroll: int  # by what policy
    first: int  # where its worths to the striker begin: with or without luck of his
