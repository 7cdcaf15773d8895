"""Codes, columns and array shapes that kernels and their callers share; no logic.

Fighter 0 of a combat is the *lone* one (C-1.2), fighters 1..n-1 are its enemies.
Side 0 is the lone fighter's, side 1 that of the others.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .abilities import NUMBERS

MAX_ENEMIES = 8
MAX_TURNS = 4095
OPTIMAL = -99  # of any decision but the margin: the best one, which only the exact engine finds


class Stat(IntEnum):
    """Characteristics that a combat uses: first columns of a fighter row."""

    INI = 0
    ATT = 1
    FOR = 2
    DEF = 3
    RES = 4


STATS = len(Stat)


class Column(IntEnum):
    """The other columns of a fighter row."""

    START = 5  # state code at the beginning
    CHARGED = 6  # 1 = suffers the charge penalty, first turn only (M-5.1)
    ALL_DEFENCE = 7  # 1 = all dice in defence, first turn only (C-3.6); 2 = in this one
    PA = 8  # strategic value, -1 = unknown
    PLACED_ATTACK = 9  # dice placed by the caller, -1 = the placement policy decides
    PLACED_DEFENCE = 10
    CHARGING = 11  # 1 = has charged, first turn only; 2 = in this one
    PAIN = 12  # which table of penalties (`ability_codes.pain_of`)


COLUMNS = STATS + len(Column)


class Outcome(IntEnum):
    """Result of a wound roll (W-2)."""

    NOTHING = 0
    STUNNED = 1
    LIGHT = 2
    SERIOUS = 3
    CRITICAL = 4
    KILLED = 5


OUTCOMES = len(Outcome)


class Rule(IntEnum):
    """Scalars of an edition: index into ``Rules.scalars``."""

    REROLL_ONE = 0  # RerollOne
    NATURAL_ONE_FAILS = 1
    AUTOMATIC_FAILURE = 2  # a final result at or below it fails (W-1.3)
    ONE_CHAIN = 3  # 1: of several dice one 6 only is re-rolled (W-1.4)
    OPPOSED_TIE = 4  # Tie
    DICE_BASE = 5
    DICE_PER_ENEMY = 6
    NUMBERS_BONUS = 7
    SUSTAINED_PENALTY = 8
    WOUND_OFFSET = 9  # row 0 of ``Rules.wound`` is FOR - RES = -offset
    DOUBLE_SIX_KILLS = 10  # W-2.2


class RerollOne(IntEnum):
    """What a 1 does when it ends the re-roll of a 6 (W-1.2)."""

    RESET = 0
    ADD = 1
    FAIL = 2


class Tie(IntEnum):
    """An equal opposed test (C-4.3)."""

    REROLL = 0
    COIN = 1
    HIGHER_CHARACTERISTIC = 2
    FIRST = 3  # the side that chose the combat wins


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


# Decisions that can be OPTIMAL: all but the margin.
CHOICES = tuple(decision for decision in Decision if decision != Decision.MARGIN)

# Purposes of dice: an attack's (defence die j has DEFENCE + j), or initiative's.
ATTACK, WOUND, DEFENCE = 0, 1, 2
LONE, OTHERS, COIN = 0, 1, 2


class Event(IntEnum):
    """Kinds of log rows; ``LOG_COLUMNS`` says what a row holds."""

    PLACE = 0
    DIE = 1
    INITIATIVE = 2
    STRIKE = 3
    ATTACK = 4
    PARRY = 5
    WOUND = 6
    END = 7
    FEAT = 8  # an ability does something (W-7)


# Columns of a log row. For each kind:
#   PLACE       turn 0 fighter -1    0        attack    defence   held
#   DIE         turn p roller  other slot     index     value     0   (p = roll-off in initiative)
#   INITIATIVE  turn r 0       other winner   result 0  result 1  0   (winner -1 = tie)
#   STRIKE      turn p striker enemy committed sustained defended manner
#   ATTACK      turn p striker enemy 0        natural   result    failed
#   PARRY       turn p parrier enemy 0        natural   result    parried
#   WOUND       turn p striker enemy outcome  location  row       state after
#   END         turn 0 -1      -1    0        0         0         0
#   FEAT        turn p fighter other effect   x         y         z
LOG_COLUMNS = 9

HELD_DIE, MASTER_DIE = 1, 2  # bits of a strike's manner: with a held die, a master stroke
# Purposes of dice after the first of the wound dice, in the same word.
TOXIC_DIE, SURVIVAL_DIE = 3, 4
# Purposes of a test's second roll by luck: an attack's, a defence's first, initiative's first.
ATTACK_AGAIN, DEFENCE_AGAIN, INITIATIVE_AGAIN = 32, 34, 4


class Rules(NamedTuple):
    """An edition as arrays.

    scalars : ndarray of int64, shape (len(Rule),)
    wound : ndarray of int64, shape (d, 36)
        Outcome by FOR - RES + offset and by (die 1 - 1) * 6 + die 2 - 1.
    after : ndarray of int64, shape (s, 6)
        State after an outcome. States are ordered by severity, the last is dead.
    penalty : ndarray of int64, shape (PAINS, s, 5)
        What a state takes from each characteristic, by how a fighter bears wounds
        (`estoc.kernels.layout.abilities.pain_of`).
    charge : ndarray of int64, shape (5,)
        What being charged takes from each characteristic (M-5.1).
    recover : ndarray of int64, shape (s,)
        State after the maintenance phase (stunned removed, T-5.3).
    level : ndarray of int64, shape (s,)
        Wound level of each state (W-3.1), the killing level for the dead.
    starts : ndarray of int64, shape (m - 1,)
        Least results of the lines of the wound table after the first (W-2.1).
    lines : ndarray of int64, shape (m, 6)
        Outcome by line of the wound table and by lower die - 1.
    """

    scalars: NDArray[np.int64]
    wound: NDArray[np.int64]
    after: NDArray[np.int64]
    penalty: NDArray[np.int64]
    charge: NDArray[np.int64]
    recover: NDArray[np.int64]
    level: NDArray[np.int64]
    starts: NDArray[np.int64]
    lines: NDArray[np.int64]


class Setup(NamedTuple):
    """One combat as arrays.

    fighters : ndarray of int64, shape (n, COLUMNS)
        Row 0 the lone fighter, then 1..8 enemies.
    order : ndarray of int64, shape (n,)
        Fighters in the order in which they place their dice (C-3.2 to C-3.4).
    policy : ndarray of int64, shape (2, DECISIONS)
        Side 0 and side 1.
    chooser : int
        Side that chose the combat (C-3.3).
    mirror : int
        1 swaps the two sides' dice addresses, so that A against B and B against A
        roll the same dice.
    flags : ndarray of int64, shape (n,), optional
        Bits ``1 << Effect`` of each fighter (`estoc.kernels.layout.abilities`); none if not given.
    numbers : ndarray of int64, shape (n, NUMBERS), optional
        By ``Number``; needed where there are flags.
    banes : ndarray of bool, shape (n, n), optional
        [i, j]: fighter i is a bane of fighter j.
    """

    fighters: NDArray[np.int64]
    order: NDArray[np.int64]
    policy: NDArray[np.int64]
    chooser: int
    mirror: int
    flags: NDArray[np.int64] | None = None
    numbers: NDArray[np.int64] | None = None
    banes: NDArray[np.bool_] | None = None


LANES = 256  # trials whose words are made together
PAGED_PASSES = 4  # passes of arms whose words are made in advance, as far as dice last
MAX_FIGHTERS = 1 + MAX_ENEMIES
MAX_PAGES = 1 + PAGED_PASSES * MAX_ENEMIES * 2
MAX_STATES = 37
MAX_WOUND_ROWS = 256
MAX_WOUND_LINES = 32
MAX_LEVELS = 16  # of wounds
PAINS = 16  # ways to bear wounds
MAX_EVENTS = 2048

# All that the rules of one combat look at, as one record: kernels pass it by address.
FIGHT = np.dtype(
    (
        np.record,
        [
            # what is played
            ("n", np.int64),  # fighters
            ("fighters", np.int64, (MAX_FIGHTERS, COLUMNS)),
            ("order", np.int64, (MAX_FIGHTERS,)),
            ("policy", np.int64, (2, DECISIONS)),
            ("chooser", np.int64),
            ("mirror", np.int64),
            # by which rules
            ("scalars", np.int64, (len(Rule),)),
            ("wound", np.uint8, (MAX_WOUND_ROWS, 36)),
            ("wound_rows", np.int64),
            ("after", np.uint8, (MAX_STATES, OUTCOMES)),
            ("penalty", np.int64, (PAINS, MAX_STATES, STATS)),
            ("charge", np.int64, (STATS,)),
            ("recover", np.uint8, (MAX_STATES,)),
            ("dead", np.int64),  # the last state
            # abilities (W-7)
            ("able", np.int64),  # the flags of all; 0: nobody has an ability
            ("effects", np.int64, (MAX_FIGHTERS,)),
            ("numbers", np.int64, (MAX_FIGHTERS, NUMBERS)),
            ("banes", np.uint8, (MAX_FIGHTERS, MAX_FIGHTERS)),
            ("starts", np.int64, (MAX_WOUND_LINES,)),
            ("lines", np.uint8, (MAX_WOUND_LINES, 6)),
            ("line_count", np.int64),
            ("wounding", np.int64, (MAX_WOUND_ROWS,)),  # throws that give a light wound at least
            ("standing", np.uint8, (MAX_LEVELS,)),  # state of a wound level, not stunned
            # with which dice
            ("seed", np.uint64),
            ("cell", np.uint64),
            ("trials", np.uint64, (LANES,)),
            ("active", np.int64, (LANES,)),  # rows of the trials that go on
            ("words", np.uint32, (MAX_PAGES, 4, LANES)),
            ("page_of", np.int64, (PAGED_PASSES, MAX_FIGHTERS, 2)),  # -1 = made on demand
            # how it stands
            ("values", np.int64, (2, MAX_FIGHTERS, STATS)),  # unhurt: first turn, later
            ("state", np.uint8, (MAX_FIGHTERS,)),  # unsigned: an index without a sign to look at
            ("attack", np.int64, (MAX_FIGHTERS,)),  # attack dice left, -1 = not placed yet
            ("defence", np.int64, (MAX_FIGHTERS,)),
            ("placed", np.int64, (MAX_FIGHTERS,)),  # attack dice of the last placing
            ("guard", np.int64, (MAX_FIGHTERS,)),  # its defence dice, where odds are exact
            ("may_sustain", np.int64, (MAX_FIGHTERS,)),  # C-7.1
            ("sustained", np.int64, (MAX_FIGHTERS,)),  # C-7.2
            ("struck", np.int64, (MAX_FIGHTERS,)),  # this enemy has struck, or was struck
            ("killer", np.int64, (MAX_FIGHTERS,)),  # of the dead
            ("living", np.int64),  # living enemies of the lone fighter
            ("strikes", np.int64),  # attack dice left in the combat, 0 = it is over
            ("placed_defence", np.int64, (MAX_FIGHTERS,)),  # defence dice of the last placing
            # the same of abilities
            ("placed_held", np.int64, (MAX_FIGHTERS,)),
            ("opens", np.int64, (MAX_FIGHTERS, 4)),  # least die that is re-rolled, by Roll
            ("held", np.int64, (MAX_FIGHTERS,)),  # dice left unplaced
            ("into_attack", np.int64, (MAX_FIGHTERS,)),  # dice allocated so far (C-7.1)
            ("into_defence", np.int64, (MAX_FIGHTERS,)),
            ("chained", np.int64, (MAX_FIGHTERS,)),  # dice taken at the cost of ATT and DEF
            ("furious", np.int64, (MAX_FIGHTERS,)),
            ("luck", np.int64, (MAX_FIGHTERS,)),  # tests left that may be rolled again
            ("fresh", np.int64, (MAX_FIGHTERS,)),  # its first wound roll after a charge is to come
            ("doomed", np.int64, (MAX_FIGHTERS,)),  # killed, fights on
            ("lead", np.int64),  # of the last parry over its attack
        ],
    )
)


def write_wounds(record: Any, rules: Rules) -> None:
    """Write an edition's scalars and wound table into a record of a combat, shots or a battle."""
    rows, lines = len(rules.wound), len(rules.lines)
    record["scalars"], record["wound_rows"], record["line_count"] = rules.scalars, rows, lines
    record["wound"][:rows] = rules.wound
    record["starts"][: len(rules.starts)], record["lines"][:lines] = rules.starts, rules.lines


def write_rules(fight: Any, rules: Rules) -> None:
    """Write an edition into a record of a combat."""
    states = len(rules.level)
    write_wounds(fight, rules)
    fight["dead"] = states - 1
    fight["wounding"][: len(rules.wound)] = (rules.wound >= Outcome.LIGHT).sum(1)
    fight["after"][:states], fight["penalty"][:, :states] = rules.after, rules.penalty
    fight["charge"], fight["recover"][:states] = rules.charge, rules.recover
    for state in range(states - 1):
        if rules.recover[state] == state:  # the worst one stands for levels that kill
            fight["standing"][rules.level[state] :] = state


DEPTH = 24  # sixes in a row after which a chain is taken as kept: they weigh 6**-24
MAX_DICE = 15  # combat dice of a fighter, where odds are exact
GOALS = 6 * DEPTH + 12  # natural results, and goals of a parry
LEADS = 301  # ATT - DEF, from -MAX_LEAD on
MAX_LEAD = LEADS // 2

# Chances of single tests, by what they hang on. ``wants`` is 0 where the side that acts
# (the striker, the parrier, the lone fighter) wants to succeed, 1 where it wants to fail.
LAWS = np.dtype(
    (
        np.record,
        [
            ("parry", np.float64, (2, 2, MAX_DICE + 1, GOALS)),  # parrier's side, wants, dice, goal
            ("hit", np.float64, (2, 2, MAX_DICE + 1, LEADS)),  # striker's side, wants, dice, lead
            ("wound", np.float64, (MAX_WOUND_ROWS, OUTCOMES)),
            ("first", np.float64, (2, LEADS)),  # the lone fighter's side wants, INI - INI
            ("least_penalty", np.int64, (STATS,)),
            ("most_penalty", np.int64, (STATS,)),
            ("low", np.int64),  # leads and dice that ``hit`` covers
            ("high", np.int64),
            ("dice", np.int64),
            ("knows_first", np.uint8, (2, LEADS)),
            # scratch of the opposed test: both sides show a 6, or one does
            ("both_open", np.float64, (DEPTH + 2, DEPTH + 2)),
            ("lone_open", np.float64, (DEPTH + 2, GOALS)),
            ("other_open", np.float64, (DEPTH + 2, GOALS)),
            # ways to meet one attack: dice committed, whether sustained
            ("committed", np.int64, (MAX_DICE + 2,)),
            ("sustains", np.int64, (MAX_DICE + 2,)),
            # attacks that may be made next
            ("striker", np.int64, (MAX_FIGHTERS,)),
            ("target", np.int64, (MAX_FIGHTERS,)),
            # boards of a duel, by both codes, on which something stands
            ("used", np.uint8, ((MAX_DICE + 2) ** 2,)),
            # what may follow an attack: positions, their states in ``joint``, and masses
            ("next_key", np.int64, (OUTCOMES + 2,)),
            ("next_end", np.int64, (OUTCOMES + 2,)),
            ("next_mass", np.float64, (OUTCOMES + 2,)),
            # how a position is packed into a number: width of each field
            ("state_bits", np.int64),
            ("code_bits", np.int64),
            ("attack_bits", np.int64),
        ],
    )
)


class Played(IntEnum):
    """Columns of what is decided in a position; the states of all fighters follow."""

    HALF = 0  # of the passes of arms, from 0
    STRIKER = 1
    TARGET = 2
    CHOICES = 3  # attacks to choose from
    DEFENCE = 4  # defence dice that the target has left
    SUSTAINED = 5  # whether they are a die already sustained
    COMING = 6  # attacks that he can meet after this one
    OPTIONS = 7  # ways to meet it to choose from
    COMMITTED = 8
    SUSTAINS = 9
    ATTACK = 10  # current ATT
    LEAD = 11  # and what it is above the current DEF
    SIX = 12  # what becomes of a 6 on the attack die: one of the next three


PLAYED = len(Played)
UNROLLED, REROLLED, KEPT = -1, 0, 1


class Moment(NamedTuple):
    """Whose dice are rolled, when, and where events go.

    lane : int
        Place of the trial in its block.
    turn : int
    log : ndarray of int64, shape (1 + MAX_EVENTS, LOG_COLUMNS), or None
        Row 0 begins with the number of rows used. Without a log, logging is compiled away.
    """

    lane: int
    turn: int
    log: NDArray[np.int64] | None


class Call(NamedTuple):
    """One roll-off or one attack, and where its dice are.

    number : int
        Pass of arms, or roll-off.
    striker, target : int
        The attack's two fighters; in initiative the lone fighter and the other tester.
    """

    moment: Moment
    number: int
    striker: int
    target: int
    address: np.uint64
    page: int
