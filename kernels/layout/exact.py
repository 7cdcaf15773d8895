"""Tables of exact chances in a combat, and what best play decides there; no logic."""

from enum import IntEnum

import numpy as np

from .combat import MAX_FIGHTERS, MAX_WOUND_ROWS, OUTCOMES, STATS

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
