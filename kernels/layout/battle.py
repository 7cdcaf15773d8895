"""Codes, columns and array shapes of a battle: fighters, decisions, its log; no logic.

Fighters are numbered as the bases of the table; side 0 is A, side 1 is B. Masks have a bit
for each fighter. Dice are addressed as `estoc.kernels.core.rng` says; what is rolled more than once
in a turn has a *stream* of its own (`Stream`).
"""

from enum import IntEnum

import numpy as np

from .actions import ACTION_TABLE, STEPS
from .cards import PHASE
from .combat import FIGHT, MAX_STATES, MAX_WOUND_LINES, MAX_WOUND_ROWS, PAINS, THROWS, Rule
from .maintenance import MAINTENANCE
from .policy import DECISIONS
from .records import ability_fields, record
from .rolls import TEST, Shot
from .table import COLUMNS as BASE_COLUMNS
from .table import MAX_BASES, MAX_CORNERS, ROUTE, TABLE

MAX_TURNS = 32
MAX_ENEMIES = 8  # in contact with one fighter: as many as a combat has room for
MAX_COMBATS = MAX_BASES
MAX_MYSTICS = 16
MAX_ZONES = 8
MAX_EVENTS = 1 << 17  # rows of a battle's log
MAX_TRACK = 1 << 13  # moves and shots of a battle that is logged
TRIAL_BITS = 48  # of a trial's number; the stream has the others


class Trait(IntEnum):
    """Columns of a fighter's row, after the five of `combat.Stat`; -1 where there is none."""

    TIR = 5
    COU = 6
    PEUR = 7
    DIS = 8
    PA = 9
    POWER = 10
    SIDE = 11
    CARD = 12
    PURE = 13  # 1: a pure caster, who places first (C-3.4)
    TACTICS = 14  # 1: may make the Tactics roll (T-2.3)
    WEAPON = 15  # FOR of its ranged weapon
    START = 16  # state at the beginning
    ROUTED = 17  # whether it begins in rout
    CASTER = 18  # maintenance.Caster
    RANK = 19
    MANA = 20
    FAITH = 21


TRAITS = 5 + len(Trait)


class Custom(IntEnum):
    """Scalars of an edition that a battle needs besides those of its parts."""

    HIDES = 0  # table.Hides
    SHARING = 1  # combat.Sharing
    COVER = 2  # X of Target/+X (M-6.2)
    THROW_LEVEL_0 = 3  # M-6.3
    INTO_MELEE = 4  # a target that touches a friend of the shooter may be shot at
    NOBODY_LOSES = 5  # a side without a tester loses the test, else a coin decides (C-1.4)
    ROUTED_MAY_ROLL = 6  # T-2.6
    IMMUNE = 7  # W-4.2
    OWN_FEAR = 8  # W-4.1: a frightening fighter tests with its own PEUR
    ROUTED_DEFENCE = 9  # W-4.3
    FLIGHT = 10  # multiple of MOU
    UPKEEP_STAGE = 11  # maintenance.Stage in which upkeep is paid


class Style(IntEnum):
    """How a side's player decides."""

    RANDOM = 0  # any legal decision
    AGGRESSIVE = 1
    DEFENSIVE = 2
    SHOOTING_LINE = 3
    REFUSE_FLANK = 4
    BY_ODDS = 5


class Manner(IntEnum):
    """Numbers by which a style decides; a style looks at those it has."""

    LOOKS = 0  # enemies that are looked at for an assault, the best first
    FULL = 1  # enemies in contact from which one is not assailed
    REACH = 2  # share of a charge's reach within which a defender charges
    GAP = 3  # cm that shooters keep from an enemy's reach
    WING = 4  # share of the table's depth that is refused
    UNTIL = 5  # turn after which the refused flank comes on
    CAUTION = 6  # weight of the enemy's best reply
    WOUND = 7  # worth of a wound level, in shares of a fighter's PA
    LEAST = 8  # PA that an assault has to be worth
    SPACING = 9  # multiple of an enemy's reach that is kept while he can still act
    LATER = 10  # the same of one who has acted
    EAGER = 11  # share of both that is given up by the last turn
    DANGER = 12  # weight of being charged, in what a card's turn is worth
    WAIT = 13  # PA below which a card waits
    SHOT = 14  # multiple of what a shot is worth, against an assault
    CROWD = 15  # enemies who come to a reply together
    ADVANCE = 16  # PA that a prey has to be worth to be gone for, by who is not behind


MANNERS = len(Manner)


class Pen(IntEnum):
    """What weighs on whom in a meeting that odds are known of."""

    NONE = 0
    LONE_CHARGED = 1
    OTHERS_CHARGED = 2
    LONE_DEFENDS = 3  # all dice in defence (M-7.5)
    OTHERS_DEFEND = 4


PENS = len(Pen)
LEVELS = 4  # wound levels of the living
NUMBERS = 2  # enemies alike of a lone fighter, of whom odds are known
MAX_PAIRS = 256  # of kinds of fighters, one of each side


class Odd(IntEnum):
    """What is known of a meeting, in shares of PA: deaths, and wounds as a player weighs them."""

    LOST = 0  # of the lone fighter's
    TAKEN = 1  # of each other's


ODDS = len(Odd)


class Split(IntEnum):
    """Best attack dice in a duel of two kinds, by who places first."""

    FIRST = 0  # of sides 0 and 1, if they place first
    ANSWER = 2  # of side 0 to 0, 1, … attack dice of side 1, then of side 1


MAX_SPLITS = 4  # ways to place the dice of a duel
SPLITS = len(Split) + 2 * MAX_SPLITS
MAX_GOAL = 40  # natural results above it are taken as never reached


class End(IntEnum):
    """Columns of what came of a trial."""

    LEAD = 0  # A's points less B's
    LOST_A = 1  # fighters dead
    LOST_B = 2
    POINTS_A = 3  # PA of the dead
    POINTS_B = 4
    WINNER = 5  # 2 = a draw
    TURN = 6  # the last that was played


ENDS = len(End)


class Mystic(IntEnum):
    """Columns of a mystic action."""

    COST = 0
    IN_FAITH = 1
    DIFFICULTY = 2
    SIGHT = 3  # 1: needs a line of sight
    FRIEND = 4  # 1: on friends, else on enemies
    OUTSIDE = 5  # 1: may be cast while others act
    TIMES = 6  # most times a turn, 0 = as often as it can be paid
    KIND = 7  # maintenance.Kind: DAMAGE or HEAL
    LEVELS = 8
    OUTCOME = 9  # combat.Outcome
    UPKEEP = 10  # cost a turn of an effect that lasts, -1 = it is done at once
    STAGE = 11  # maintenance.Stage of an effect that lasts
    NEEDS = 12  # least die of its effect in maintenance, 0 = none is rolled


class Stream(IntEnum):
    """What dice are for that may be rolled several times a turn."""

    NONE = 0
    COMBAT = 1  # of the lone fighter, and how often he has fought this turn
    SEPARATION = 2  # of the melee's first fighter
    AUTHORITY = 3
    COURAGE = 4  # of the fighter who tests, and how often before in this turn
    SHOT = 5  # of the shooter, and how often before
    CAST = 6


class Purpose(IntEnum):
    """What an opposed test of Discipline is about."""

    TACTICS = 0  # T-2.3
    SEPARATION = 1  # C-1.4
    AUTHORITY = 2  # C-2.1


class Cause(IntEnum):
    """Why a combat is resolved now, or a melee separated."""

    CHOSEN = 0  # C-2.3; of a separation: at the beginning of the phase
    PURSUIT = 1  # C-8


class Pursuit(IntEnum):
    """What a survivor does (C-8.1, C-8.5)."""

    STAY = 0
    MOVE = 1
    ENGAGE = 2


class Deed(IntEnum):
    """Moves that are no actions of an activation; after `actions.Action` and `actions.Step`."""

    FLEE = 16  # W-4.3
    PURSUE = 17  # C-8.1


class Edge(IntEnum):
    """Edges of the table: from (0, 0), left and bottom, to (width, depth)."""

    LEFT = 0
    RIGHT = 1
    BOTTOM = 2
    TOP = 3


_N = (MAX_BASES,)
BATTLE = record(
    # what is played
    ("n", np.int64),
    ("turns", np.int64),
    ("edges", np.int64, (2,)),  # Edge towards which each side flees (W-4.3)
    ("traits", np.int64, (MAX_BASES, TRAITS)),
    ("mou", np.float64, _N),
    ("ranges", np.float64, (MAX_BASES, 3)),
    ("command", np.float64, _N),  # cm of Command/X, 0 = none (W-4.5)
    ("commanders", np.uint64, (2,)),
    ("most", np.int64, (MAX_BASES, MAX_BASES)),  # enemies like j who may touch i (M-7.1)
    ("first_bases", np.float64, (MAX_BASES, BASE_COLUMNS)),
    ("mystics", np.int64, (MAX_MYSTICS, len(Mystic))),
    ("mystic_range", np.float64, (MAX_MYSTICS,)),
    ("known", np.int64, _N),  # mask of mystic actions
    ("outside", np.int64),  # mask of those that may be cast while others act
    ("zones", np.int64),
    ("zone", np.float64, (MAX_ZONES, MAX_CORNERS, 2)),
    ("zone_corners", np.int64, (MAX_ZONES,)),
    ("zone_points", np.int64, (MAX_ZONES,)),
    ("survival", np.int64, _N),  # points for who is alive at the end
    ("destruction", np.int64),  # 1: points destroyed count
    ("margin", np.int64),
    ("reach", np.int64),  # no difference of points is greater
    ("healing_stage", np.int64),  # maintenance.Stage of abilities that heal
    # abilities (W-7)
    *ability_fields(MAX_BASES),
    ("pain", np.int64, _N),  # which table of penalties (`pain_of` of profiles)
    # how the players decide
    ("style", np.int64, (2,)),
    ("fighting", np.int64, (2, DECISIONS)),  # their policies in combats
    ("manner", np.float64, (2, MANNERS)),
    ("deals", np.int64, (2,)),  # 1: the style plays the cards, not ``phase``
    ("kind", np.int64, _N),  # of fighter, by side
    ("kinds", np.int64, (2,)),
    ("level", np.int64, (MAX_STATES,)),  # of wounds, by state
    ("odds", np.float32, (2, MAX_PAIRS, NUMBERS, PENS, LEVELS, LEVELS, ODDS)),
    ("split", np.int8, (MAX_PAIRS, PENS, LEVELS, LEVELS, SPLITS)),
    ("chance", np.float64, (MAX_GOAL + 1,)),  # of a die, re-rolled if needed, by goal
    ("pierce", np.float64, (MAX_WOUND_ROWS, 2)),  # a shot's chance to kill, its levels
    # favours, to see what they are worth
    ("first_word", np.int64),  # side that speaks first, -1 = as the winner says
    ("more_refusals", np.int64, (2,)),
    # by which rules
    ("customs", np.int64, (len(Custom),)),
    ("disengagement", np.int64, (2,)),  # rolls.Custom
    ("actions", ACTION_TABLE),
    ("scalars", np.int64, (len(Rule),)),
    ("wound", np.uint8, (MAX_WOUND_ROWS, THROWS)),
    ("still_wound", np.uint8, (MAX_WOUND_ROWS, THROWS)),
    ("wound_rows", np.int64),
    ("shots", np.int64, (len(Shot),)),
    ("starts", np.int64, (MAX_WOUND_LINES,)),
    ("lines", np.uint8, (MAX_WOUND_LINES, 6)),
    ("line_count", np.int64),
    ("still_lines", np.int64),
    ("aim_penalty", np.int64, (PAINS, MAX_STATES)),
    ("aim_charge", np.int64),
    # with which dice
    ("seed", np.uint64),
    ("cell", np.uint64),
    ("trial", np.uint64),
    ("trials", np.uint64, (1,)),  # with the stream
    ("words", np.uint32, (1, 4, 1)),
    ("picks", np.int64),  # random decisions of the turn so far
    ("picked", np.uint64, (4,)),
    # its parts
    ("table", TABLE),
    ("route", ROUTE),
    ("phase", PHASE),
    ("fight", FIGHT),
    ("upkeep", MAINTENANCE),
    ("test", TEST),
    # how it stands
    ("state", np.int64, _N),
    ("routed", np.int64, _N),
    ("immune", np.int64, _N),  # highest PEUR that it has stood (W-4.2)
    ("markers", np.int64, _N),
    ("doomed", np.int64, _N),  # killed, fights on to the end of the phase (W-7)
    ("slayer", np.int64, _N),  # of those
    ("chargers", np.uint64),  # who have charged this turn, and not fought since
    ("purse", np.int64, (MAX_BASES, 2)),  # mana, faith
    ("cast", np.int64, (MAX_BASES, MAX_MYSTICS)),  # times this turn
    ("alive", np.uint64, (2,)),
    ("over", np.int64),  # 1: a side has nobody left
    # the activation phase
    ("assaulted", np.uint64),
    ("activated", np.uint64),
    ("duty", np.uint64),  # who has thrown himself to cover (M-6.3)
    ("speaking", np.uint64),  # who is activated in this speaking turn
    ("order", np.int64, _N),  # of those
    ("chosen", np.int64, _N),  # action announced, by fighter
    ("target", np.int64, _N),
    ("way", np.int64, _N),  # of disengaging before it, -1 = none
    ("done", np.int64, (STEPS,)),  # by who acts now
    ("tested", np.int64, _N),  # Courage tests of a fighter in this turn
    ("shot", np.int64, _N),
    ("casts", np.int64, _N),
    ("assaults", np.int64),  # of this speaking turn
    ("assault_turn", np.int64, _N),
    ("assault_charge", np.int64, _N),
    ("assault_targets", np.uint64, _N),
    ("assault_power", np.int64, _N),
    ("assault_brutal", np.int64, _N),
    ("powers", np.int64, _N),  # when charged
    # a place that was looked for
    ("hand", np.int64),  # of a turn, by chance: 1 = clockwise where both ways are as good
    ("stamp", np.int64),  # moves so far
    ("also", np.uint64, _N),  # enemies who are named beside the target of an assault (M-4.5)
    ("place_stamp", np.int64, _N),  # when the place of a fighter was found
    ("place_target", np.int64, _N),
    ("places", np.float64, (MAX_BASES, 6)),  # aim point, facing, length, toll
    ("passed", np.uint64),  # friends that who moves passes through
    ("place", np.float64, (6,)),
    ("worth", np.float64, _N),  # of assailing each enemy
    ("pledged", np.uint64, _N),  # who is to assail each enemy in this speaking turn
    ("coming", np.uint64, (2, MAX_BASES)),  # who can charge to where each is, by decider
    ("coming_stamp", np.int64, (2, MAX_BASES)),  # when that was found
    ("haste", np.float64, _N),
    ("haste_stamp", np.int64, _N),
    ("goals", np.float64, (MAX_BASES, 4)),  # where who moves wants to be, and to look
    # the combat phase
    ("melee", np.uint64, (MAX_BASES,)),
    ("combats", np.int64),
    ("combat", np.uint64, (MAX_COMBATS,)),  # mask, 0 = resolved or given up
    ("lone", np.int64, (MAX_COMBATS,)),
    ("links", np.uint64, _N),  # edges of a separation
    ("fought", np.uint64),
    ("pursued", np.int64, _N),  # pursuit moves of this phase
    ("pending", np.uint64),  # who fights again at once (C-8)
    ("bouts", np.int64, _N),  # combats of a turn, by the lone fighter
    ("fighter_at", np.int64, (2 + MAX_ENEMIES,)),  # by place in the combat
    # what comes of it
    ("destroyed", np.int64, (2,)),
    ("lost", np.int64, (2,)),  # fighters
    ("destroyed_by", np.int64, (MAX_TURNS, 2)),
    ("points", np.int64, (2,)),
    ("winner", np.int64),
    ("kills", np.int64, _N),
    ("earned", np.int64, _N),
    ("death", np.int64, _N),  # turn, 0 = alive
    # where the log's moves went
    ("tracks", np.int64),
    ("track", np.float64, (MAX_TRACK, 8)),  # aim point, facing, length, toll, from
)
