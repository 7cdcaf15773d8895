"""Codes, columns and array shapes of the activation phase (A-1 to A-4); no logic.

Side 0 is player A, side 1 player B. A *place* is where a card lies in a player's pile.
"""

from enum import IntEnum

import numpy as np

from .combat import Rule
from .policy import DECISIONS
from .records import DICE, record

MAX_CARDS = 32  # of a side: a set of cards is a mask in a word
MAX_RULES = 16  # of a policy
MAX_CONDITIONS = 4  # of a rule
MAX_CHANCES = 4  # rules of a policy that hang on chance: two to a word
MAX_MOVES = 2 * MAX_CARDS  # of a side in a phase: its cards, its refusals and its reserve
MAX_SPOKEN = 2 * MAX_MOVES  # speaking turns of a phase
MAX_STATES = 3_528  # of a side: 21 cards against 32 have the most


class Move(IntEnum):
    """What a player may do in a speaking turn (A-2)."""

    TOP = 0
    TO_RESERVE = 1
    RESERVE = 2
    BOTH = 3
    REFUSE = 4


MOVES = len(Move)
ANY = MOVES  # of a policy: any legal move, all of them as likely


class Fault(IntEnum):
    """Why a move is not legal."""

    NONE = 0
    NO_CARD = 1
    PILE_EMPTY = 2
    RESERVE_USED = 3
    RESERVE_EMPTY = 4
    NO_REFUSAL = 5
    ALONE = 6


class Feature(IntEnum):
    """What a rule of a policy may look at: all of it is open to the player."""

    OWN_CARDS = 0  # in pile and reserve
    ENEMY_CARDS = 1
    LEAD = 2  # own cards less the enemy's
    PILE = 3
    HELD = 4  # cards in reserve
    REFUSALS = 5  # left
    ENEMY_HELD = 6
    ENEMY_REFUSALS = 7
    TURN = 8  # this player's speaking turns, from 1
    TOP = 9  # rank of the top card by what it is worth, 1 the most; 0 without one
    RESERVED = 10  # the same of the card in reserve


FEATURES = len(Feature)
OWN_ACTED = 100  # + card: whether this card of the player has acted
ENEMY_ACTED = 200  # + card: whether this card of the enemy has


class RuleColumn(IntEnum):
    """Columns of a policy's rule; (feature, least, most) of each condition follow."""

    MOVE = 0  # Move or ANY
    CHANCE = 1  # in percent that it applies, 100 without chance
    CONDITIONS = 2


RULE_COLUMNS = len(RuleColumn) + 3 * MAX_CONDITIONS


class Winner(IntEnum):
    """How the Tactics roll ends: side 0 or 1, or one of these."""

    ROLL = 2
    COIN = 3


# One activation phase: what is played, by which rules, with which dice, how it stands.
PHASE = record(
    # the cards; ``listed`` is in the order that the player wants
    ("cards", np.int64, (2,)),
    ("listed", np.int64, (2, MAX_CARDS)),
    ("shuffled", np.int64, (2,)),  # 1 = in any order, all of them as likely
    ("present", np.int64, (2,)),  # mask of cards that have a fighter left
    ("rank", np.int64, (2, MAX_CARDS)),  # by what a card is worth, 1 the most
    # the Tactics roll (T-2.3 to T-2.5)
    ("winner", np.int64),
    ("discipline", np.int64, (2,)),  # -1 = nobody may roll
    ("opening", np.int64, (2,)),  # of its test: 1: 5s are re-rolled too, -1: not even 6s
    ("luck", np.int64, (2,)),  # tests that both may roll again (W-7)
    ("no_fighter_loses", np.int64),
    (
        "speaks_second",
        np.int64,
        (2,),
    ),  # as winner: 1 lets the enemy begin, -1 best
    # how the players decide
    ("scripted", np.int64, (2,)),  # scripted moves
    ("script", np.int64, (2, MAX_MOVES)),
    ("rules", np.int64, (2, MAX_RULES, RULE_COLUMNS)),
    ("rule_count", np.int64, (2,)),
    ("looks", np.int64, (2,)),  # 1 = some rule has a condition
    ("by_chance", np.int64, (2,)),  # 1 = some rule needs a random word
    ("optimal", np.int64, (2,)),  # 1 = the best move, which only the exact engine finds
    # the rules of the game
    ("refusals_alone", np.int64),  # 1 = a refusal may be used alone
    ("no_reserve", np.int64, (2,)),  # 1 = this side goes without, to see what it is worth
    ("no_refusals", np.int64, (2,)),
    # value to A of its card i acting before B's card j, above its acting after
    ("swing", np.int64, (MAX_CARDS, MAX_CARDS)),
    # the dice: as in a combat (`combat.FIGHT`), whose opposed test the roll is
    ("scalars", np.int64, (len(Rule),)),
    ("policy", np.int64, (2, DECISIONS)),
    ("chooser", np.int64),
    ("mirror", np.int64),
    *DICE,
    ("turn", np.int64),
    # how it stands
    ("order", np.uint8, (2, MAX_CARDS)),  # cards by place, an index without a sign
    ("size", np.int64, (2,)),  # of the piles at the start
    ("next", np.int64, (2,)),  # place of the top card
    ("held", np.int64, (2,)),  # place of the card in reserve, -1 = none
    ("used", np.int64, (2,)),  # 1 = the right to put a card in reserve is used up
    ("refusals", np.int64, (2,)),  # left
    ("spoken", np.int64, (2,)),  # speaking turns
    ("acted", np.int64, (2,)),  # mask of cards that were played
    ("won", np.int64),  # who won the Tactics roll
    ("first", np.int64),  # who speaks first
    ("fault", np.int64, (2,)),  # of a scripted move: Fault, and where
    ("when", np.int64, (2, MAX_CARDS)),  # speaking turn in which a card acted, from 0
    ("picks", np.uint64, (2, 4)),  # words of a block of speaking turns
    ("pick_block", np.int64, (2,)),
    ("features", np.int64, (FEATURES,)),
)


class LogColumn(IntEnum):
    """Columns of a phase's log: one row for each speaking turn."""

    SIDE = 0
    MOVE = 1
    RESERVE = 2  # card played from the reserve, or put there; -1 = none
    TOP = 3  # card played from the pile, -1 = none
    HELD = 4  # cards in reserve after the move
    USED = 5  # whether the right to put one there is used up
    REFUSALS = 6  # left


LOG_COLUMNS = len(LogColumn)


class StateColumn(IntEnum):
    """Columns of a side's states, as the exact engine lists them."""

    NEXT = 0
    HELD = 1
    USED = 2
    REFUSALS = 3
    SPOKEN = 4
    ACTED = 5
    LEFT = 6  # cards in pile and reserve


STATE_COLUMNS = len(StateColumn)
