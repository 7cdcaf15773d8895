"""Tables of exact chances in a combat, and what best play decides there."""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .combat import MAX_FIGHTERS, MAX_WOUND_ROWS, OUTCOMES, STATS, Rule, Rules
from .records import record

DEPTH = 24  # sixes in a row after which a chain is taken as kept: they weigh 6**-24
MAX_DICE = 15  # combat dice of a fighter, where odds are exact
GOALS = 6 * DEPTH + 12  # natural results, and goals of a parry
LEADS = 301  # ATT - DEF, from -MAX_LEAD on
MAX_LEAD = LEADS // 2

# Chances of single tests, by what they hang on. ``wants`` is 0 where the side that acts
# (the striker, the parrier, the lone fighter) wants to succeed, 1 where it wants to fail.
LAWS = record(
    ("parry", np.float64, (2, 2, MAX_DICE + 1, GOALS)),  # parrier's side, wants, dice, goal
    ("hit", np.float64, (2, 2, MAX_DICE + 1, LEADS)),  # striker's side, wants, dice, lead
    ("wound", np.float64, (MAX_WOUND_ROWS, OUTCOMES)),
    ("first", np.float64, (2, LEADS)),  # the lone fighter's side wants, INI - INI
    ("least_penalty", np.int64, (STATS,)),
    ("most_penalty", np.int64, (STATS,)),
    ("low", np.int64),  # leads and dice that ``hit`` covers
    ("high", np.int64),
    ("dice", np.int64),
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
    # the attack that is made, how it is met, chances to fail automatically and to land
    ("pair", np.int64),
    ("option", np.int64),
    ("fails", np.float64),
    ("lands", np.float64),
    ("worths", np.float64, (3,)),  # to the striker: failing, being parried, landing
    # what may follow an attack: positions, their states in ``joint``, and masses
    ("next_key", np.int64, (OUTCOMES + 2,)),
    ("next_end", np.int64, (OUTCOMES + 2,)),
    ("next_mass", np.float64, (OUTCOMES + 2,)),
    # how a position is packed into a number: width of each field
    ("state_bits", np.int64),
    ("code_bits", np.int64),
    ("attack_bits", np.int64),
    # bytes last, so that all else is aligned
    ("knows_first", np.uint8, (2, LEADS)),
    ("used", np.uint8, ((MAX_DICE + 2) ** 2,)),  # boards of a duel that are not empty
)


def new_laws() -> NDArray[np.void]:
    """Return empty tables of single tests, as a record array of shape (1,)."""
    tables = np.zeros(1, LAWS)
    laws: Any = tables[0]
    laws.low, laws.high = 0, -1
    return tables


NOBODY = -1  # no further position
POSITION_FIELDS = [
    ("key", np.int64),  # the position as a number
    ("value", np.float64),  # what it is worth to side 0
    ("mass", np.float64),  # chance to be there; 0 between calls
    ("link", np.int32),  # place of the next one of its level, or NOBODY
    ("pair", np.int16),  # the attack that is chosen
    ("option", np.int16),  # how it is met
]
POSITION = record(*POSITION_FIELDS, ("fails", np.float64), ("lands", np.float64))


class Table(NamedTuple):
    """Positions of one turn in lists by level, what each is worth and what is decided there."""

    rows: NDArray[np.void]  # (p,): of POSITION, or of `layout.feats.FEAT_POSITION`
    slots: NDArray[np.int32]  # hash table of places, from 1; 0 = empty
    heads: NDArray[np.int32]  # (levels,): place of the first position of each, or NOBODY
    used: NDArray[np.int64]  # (1,): positions in the table


def new_table(rows: NDArray[np.void], levels: int) -> Table:
    """Return an empty table of positions that will stand in these rows."""
    slots = np.zeros(1 << (2 * len(rows) - 1).bit_length(), np.int32)
    return Table(rows, slots, np.full(levels, NOBODY, np.int32), np.zeros(1, np.int64))


class Opening(NamedTuple):
    """How a turn begins."""

    turn: int  # 0, or any later turn
    states: NDArray[np.int64]  # (n,): of all fighters
    placed: NDArray[np.int64]  # (n,): their attack dice (`exact.several.place_dice`)


class Scratch(NamedTuple):
    """Arrays that a duel is solved in; b cells of a board, s steps of b, w placements."""

    mass: NDArray[np.float64]  # (b,): 0 between calls
    value: NDArray[np.float64]  # (b,)
    choice: NDArray[np.uint8]  # (s,)
    chances: NDArray[np.float64]  # (2 * s,)
    values: NDArray[np.float64]  # (2, w): in row 0 what each placement is worth to side 0
    picks: NDArray[np.int64]  # (w,)


def scratch_of(rules: Rules) -> Scratch:
    """Return the arrays that duels of an edition are solved in."""
    states = len(rules.level)
    dice = int(rules.scalars[Rule.DICE_BASE] + rules.scalars[Rule.DICE_PER_ENEMY])
    board = (dice + 2) ** 2 * states**2
    steps = 2 * 2 * dice * board
    ways = (dice + 1) ** 2
    return Scratch(
        np.zeros(board),
        np.empty(board),
        np.empty(steps, np.uint8),
        np.empty(2 * steps),
        np.empty((2, ways)),
        np.empty(ways, np.int64),
    )


class Duels(NamedTuple):
    """Many duels of one turn, and what is written about them; s final states of a fighter."""

    pairs: NDArray[np.int64]  # (m, 2, COLUMNS): rows of both fighters
    orders: NDArray[np.int64]  # (m, 2): who places his dice first
    worths: NDArray[np.float64]  # (m, 2, s): what side 0 gets for each final state
    joints: NDArray[np.float64]  # (m, 2 * s * s): chances, by the side that strikes first
    values: NDArray[np.float64]  # (m,): what each duel is worth to side 0
    placed: NDArray[np.int64]  # (m, 2): attack dice of both


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
