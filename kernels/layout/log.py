"""Kinds and columns of log rows, of a combat and of a battle; no logic."""

from enum import IntEnum


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
MAX_EVENTS = 2048  # rows of the log of a combat
HELD_DIE, MASTER_DIE = 1, 2  # bits of a strike's manner: with a held die, a master stroke


class Story(IntEnum):
    """Kinds of log rows beside `Event` and `maintenance.MAINTAINED`.

    A row has kind, turn, number, a, b, slot, x, y, z; masks are int64.
    """

    TURN = 32  # -
    CARD = 33  # number place; a side; x card
    OPPOSED = 34  # number roll-off; a, b testers; slot purpose; x, y results; z winner
    VALUES = 35  # a, b Disciplines of the test that follows; slot purpose
    COIN = 36  # slot purpose; z winner
    FIRST = 37  # a first; b winner
    SPEAK = 38  # a side; b move; slot held; x card of the reserve; y of the pile; z refusals
    ACTIVATE = 39  # a fighter, in the player's order
    ANNOUNCE = 40  # a fighter; b target; slot action; x way + 1, 0 = none
    DISENGAGE = (
        41  # number difficulty; a fighter; b way; slot enemies; x value; y result; z success
    )
    COURAGE = 42  # a fighter; b enemy; x value; y result; z success; slot difficulty
    MOVE = 43  # number track; a fighter; b target; slot action; x short; y redirected; z touched
    ANNOUNCE_WALK = 44  # a fighter
    SHOOT = 45  # number track; a shooter; b target; slot band + 4 * moved; x cover; y result; z hit
    AIM = 46  # a shooter; b target; x value; y difficulty: of the shot that follows
    THROW = 47  # a fighter; b shooter
    WOUND = 48  # a striker; b target; slot outcome; x strength; y resistance; z state + 256 * still
    CAST = 49  # number mystic; a fighter; b target; slot outside; x value; y result; z success
    PURSE = 50  # a fighter; b target; x what is left after a cast
    EFFECT = 51  # number mystic; a fighter; x before; y after
    NOTHING = 52  # a fighter
    PENALTIES = 53  # x mask
    MELEE = 54  # number melee; x mask
    SEPARATION = 55  # number melee; a side; b pursuer; slot cause; x mask
    STAR = 56  # a lone; x mask: a combat of the separation before
    NAMED = 57  # a side; b fighter; x mask; slot lone
    COMBAT = 58  # number the combats before; a lone; b side; slot cause; x mask; y chooser
    PURSUIT = 59  # a fighter; b choice
    SCORE = 60  # a, b points destroyed; x, y points
    END = 61  # x, y points; z winner, -1 = a draw
    NERVE = 62  # a fighter; x what it rallies with
