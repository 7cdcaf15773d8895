"""Codes and array shapes of the unit activation sheet, its map and its clause table; no logic.

Sections and clauses are those of the sheet's specification: S1 to S5, A1 to A17, F0, D1 to D6,
E1 to E3, readings Q1 to Q25. Pieces, wings and hexes are numbered from 0; sets of pieces are
words of 64 bits.
"""

from enum import IntEnum

MAX_PIECES = 64
MAX_WINGS = 8
MAX_ROWS = 64  # of the clause table
MAX_GRANTS = 8  # conditional ones of a row: A17a has as many
MAX_TAPE = 256  # chances of a run that is logged or enumerated
MAX_SIDES = 4
NOBODY = -1
OFF_MAP = -1
FAR_AWAY = 30_000  # movement points: out of reach of everything


class Kind(IntEnum):
    """Pieces (1.1)."""

    SIMPLE = 0
    FORMATION = 1
    CHARACTER = 2
    DECOY = 3


class Cohesion(IntEnum):
    """Bon Ordre, Ebranlée, en Déroute."""

    GOOD = 0
    SHAKEN = 1
    ROUTED = 2


class Breath(IntEnum):
    """Essoufflée, A Bout De Souffle."""

    FRESH = 0
    WINDED = 1
    EXHAUSTED = 2


class Morale(IntEnum):
    """Profil de Moral."""

    ORDINARY = 0
    ELITE = 1
    MAGICAL = 2
    UNSHAKEABLE = 3
    DEMONIC = 4


class Order(IntEnum):
    """Consigne of a wing; what a piece follows can be none of them."""

    ATTACK = 0
    DEFENCE = 1
    REGROUP = 2
    RETREAT = 3
    NONE = 4


class Mark(IntEnum):
    """Bits of a piece's markers and of what becomes of it."""

    CHARGE = 1
    CONTACT = 2
    HIDDEN = 4
    ACTIVE = 8
    SPECIAL = 16
    SPELL = 32
    AMMO_OUT = 64
    IN_COMMAND = 128
    ALIVE = 256
    ON_MAP = 512


class Faculty(IntEnum):
    """Bits of what a piece is or can do."""

    DODGE = 1
    FEARSOME = 2
    INVULNERABLE = 4
    FIREPROOF = 8
    FLYING = 16
    INFILTRATED = 32
    LEADER = 64
    CIC = 128
    ATTACKS_INVULNERABLE = 256  # can_attack: it can attack an invulnerable enemy


class Deed(IntEnum):
    """The sheet's actions (1.3), in the order of their bits."""

    RALLY = 0
    FLEE = 1
    FACE = 2
    SHOCK = 3
    ATTACK_MOVE = 4
    MOVE = 5
    WITHDRAW = 6
    REST = 7
    REGROUP = 8
    FIRE = 9
    RELOAD = 10
    HANDLE = 11
    MERGE = 12
    FORM_CONSTITUTE = 13
    FORM_JOIN = 14
    FORM_BREAK = 15
    FORM_LEAVE = 16
    FORM_MODE = 17
    ORDERS_TROOPS = 18
    ORDERS_CHARS = 19
    DUEL_SHOCK = 20
    DUEL_FIRE = 21
    SPELL_CHOOSE = 22
    SPELL_CAST = 23
    CHANGE_ORDER = 24
    TAKE_COMMAND = 25
    RESIGN = 26
    NONE = 27


DEEDS = len(Deed)
ALL_DEEDS = (1 << DEEDS) - 1


class Fact(IntEnum):
    """What selection asks of the activated piece (1.2): numbers of bits of a word."""

    SIMPLE = 0
    FORMATION = 1
    CHARACTER = 2
    DECOY = 3
    SHAKEN = 4
    ROUTED = 5
    TIRED = 6
    EXHAUSTED = 7
    CHARGE = 8
    SPECIAL = 9
    ELITE = 10
    DODGE = 11
    ENGAGED = 12  # E(u)
    ENGAGES = 13  # G(u)
    ANY_FRESH_BY = 14
    ALL_FRESH_BY = 15
    ALL_FRESH_TO = 16
    NO_FRESH_TO = 17
    FACES = 18
    CAN_FACE = 19
    STACKED = 20
    FAR = 21
    CAN_FIRE = 22
    AMMO_OUT = 23
    FOLLOWS_ATTACK = 24
    FOLLOWS_DEFENCE = 25
    FOLLOWS_REGROUP = 26
    FOLLOWS_RETREAT = 27
    LEADER = 28
    CIC = 29
    IN_COMMAND = 30
    SPELL_CHOSEN = 31
    FREE_WING = 32  # a wing of its side has no leader
    DUEL_SHOCK = 33  # an enemy character is adjacent
    DUEL_FIRE = 34  # an enemy character is in range


FACTS = len(Fact)


class Tag(IntEnum):
    """Constraints that a permitted action carries; 0: none."""

    FREE = 0
    NOT_ENGAGED_AT_END = 1
    STAY_FAR = 2
    CAN_FIRE_AT_END = 3
    NO_ENGAGE = 4
    AWAY_FROM_NEAREST_THREAT = 5
    TO_RETREAT_EDGE = 6
    STAY_UNSEEN = 7


TAGS = len(Tag)


class Mode(IntEnum):
    """What a paragraph does to the ones after its point (2.1)."""

    MUST = 0  # closes; nothing feasible: its fallback, else no action
    MAY = 1  # adds
    MENU = 2  # adds, and its point closes
    MAY_CLOSING = 3  # A14c: adds, and its point closes


class Trial(IntEnum):
    """Tests that the sheet names and does not define (6)."""

    ROUT = 0
    MORALE = 1
    ENGAGEMENT = 2
    DISCIPLINE = 3
    RALLY = 4
    RETREAT = 5
    DEMORALISATION = 6


TRIALS = len(Trial)


class Modifier(IntEnum):
    """What shifts a test's total (6)."""

    SHAKEN = 0
    EXHAUSTED = 1
    LEADER_NEAR = 2
    ENGAGED_NOT_FACING = 3


MODIFIERS = len(Modifier)


class Reading(IntEnum):
    """Switches of section 5; 0 is the reading that is chosen."""

    START = 0  # Q2: 0 in sequence, 1 conditions read once
    MODE = 1  # Q3: 0 M2, 1 M1
    SPECIAL = 2  # Q4: 0 replaces, 1 adds, 2 wing
    UNLISTED_NONE = 3  # Q5: 1 a menu without NONE allows it
    IMMEDIATE = 4  # Q6: 1 who fails S1b makes its neighbours test, 2 who fails S1a as well
    FACES = 5  # Q7: 1 faces is an input, not To and By
    MORALE_TRACK = 6  # Q8: 1 S1c and S1d cost no cohesion
    SCREEN = 7  # Q9: 1 a stacked character is engaged
    S2_CHARACTER = 8  # Q10: 1 a character loses nothing
    S2C_SKIPS_END = 9  # Q11: 1 S3 to S5 and E do not run
    DECOY_RUNS_START = 10  # Q12: 1 a new decoy runs stage S
    A6A = 11  # Q14: 0 none fresh, 1 any stale
    DODGE_NEEDS_G = 12  # Q15: 1 dodge does not need G
    HOOKS = 13  # Q16: 0 during the activation, 1 during the action only
    A17_MOVE = 14  # Q17: 1 characters may MOVE
    A17B_STACKED = 15  # Q18: 1 a stacked character needs no special order for A17b
    D4_DOUBLE = 16  # Q19: 1 a commander-in-chief who leads a wing makes it test twice
    BREATH = 17  # Q21: 0 saturates, 1 a level beyond EXHAUSTED costs cohesion
    STACK_ADJACENT = 18  # Q23: 1 the same hex is not adjacent
    FEAR_ROUTED = 19  # Q24: 1 a routed or hidden piece frightens nobody
    INFILTRATED = 20  # Q25: 1 an infiltrated enemy in one's front is engaged


READINGS = len(Reading)


class Event(IntEnum):
    """Rows of the log: what happened, to which piece, and two numbers."""

    TEST = 0  # Trial; 1: failed
    WING_TEST = 1  # of a wing, not a piece: Trial; 1: failed
    COHESION = 2  # level before, after
    BREATH = 3  # level before, after
    MARK_LOST = 4  # Mark
    MARK_GAINED = 5  # Mark
    CHOSEN = 6  # Deed; closing point, 0: F0; FROZEN: no selection
    MOVED = 7  # hex before, after
    TURNED = 8  # facing before, after
    DESTROYED = 9  # hex
    LEFT = 10  # the map, from a hex
    REVEALED = 11
    REMOVED = 12  # a decoy
    PLACED = 13  # a decoy; the piece that it covers
    OUTCOME = 14  # Outcome; row
    ORDER = 15  # of a wing, not a piece: before, after
    LEADER = 16  # of a wing: the new one, or NOBODY
    MERGED = 17  # with a piece
    KIND = 18  # before, after
    FORMATION_MODE = 19  # before, after
    STEP = 20  # steps left


MAX_LOG = 512
FROZEN = -2  # closing of who takes no action (S2c)


class Style(IntEnum):
    """How a side's player chooses among what is permitted."""

    RANKS = 0  # the action that it ranks first
    RANDOM = 1


class End(IntEnum):
    """Causes of a lost activation (8, question 3); NOBODY: not activated."""

    USED = 0
    ROUT = 1  # A1
    FROZEN = 2  # S2c
    FACING = 3  # A3
    RETREAT = 4  # A6
    HOLE = 5  # F0
    OTHER = 6


ENDS = len(End)


class Outcome(IntEnum):
    """Tables of what comes of fights and spells: all assumed."""

    SHOCK = 0
    FIRE = 1
    DUEL_SHOCK = 2
    DUEL_FIRE = 3
    SPELL = 4


OUTCOMES = len(Outcome)
MAX_OUTCOMES = 12  # rows of one of them


class Effect(IntEnum):
    """Bits of what a row of an outcome table does to the one who acts, or to the other."""

    COHESION = 1  # one level lost
    COHESION_AGAIN = 2  # another one
    STEP = 4  # one step lost; of the last, destroyed
    BREATH = 8  # one level taken
    AMMO_OUT = 16
    PUSHED = 32  # goes back one hex


class Edge(IntEnum):
    """Sides of the map: ways off it."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


EDGES = len(Edge)
