"""Codes, columns and records that kernels and their callers share, and how a record begins.

Fighter 0 of a combat is the *lone* one (C-1.2), fighters 1..n-1 are its enemies.
Side 0 is the lone fighter's, side 1 that of the others.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .abilities import NUMBERS, Effect, Number
from .policy import DECISIONS
from .records import record

MAX_ENEMIES = 8
MAX_TURNS = 4095


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
    PAIN = 12  # which table of penalties (`pain_of` of profiles)


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


class Sharing(IntEnum):
    """What a charger's power is compared with (M-5.2)."""

    POOLED = 0  # all chargers and all charged of a connected group, together
    EQUAL = 1  # each charged fighter with an equal share of each of his chargers


# Purposes of dice: an attack's (defence die j has DEFENCE + j), or initiative's.
ATTACK, WOUND, DEFENCE = 0, 1, 2
LONE, OTHERS, COIN = 0, 1, 2

# Purposes of dice after the first of the wound dice, in the same word.
TOXIC_DIE, SURVIVAL_DIE = 3, 4
# Purposes of a test's second roll by luck: an attack's, a defence's first, initiative's first.
ATTACK_AGAIN, DEFENCE_AGAIN, INITIATIVE_AGAIN = 32, 34, 4


class Rules(NamedTuple):
    """An edition as arrays; s states, ordered by severity, the last is dead."""

    scalars: NDArray[np.int64]  # by `Rule`
    wound: NDArray[np.int64]  # (d, 36): outcome by FOR - RES + offset and by both dice, from 0
    after: NDArray[np.int64]  # (s, OUTCOMES): state after an outcome
    penalty: NDArray[np.int64]  # (PAINS, s, STATS): what states take (`pain_of` of profiles)
    charge: NDArray[np.int64]  # (STATS,): what being charged takes (M-5.1)
    recover: NDArray[np.int64]  # (s,): state after maintenance, stunned removed (T-5.3)
    level: NDArray[np.int64]  # (s,): wound level (W-3.1), the killing level for the dead
    starts: NDArray[np.int64]  # (m - 1,): least results of the table's lines but the first (W-2.1)
    lines: NDArray[np.int64]  # (m, 6): outcome by line of the table and by lower die - 1


class Setup(NamedTuple):
    """One combat as arrays."""

    fighters: NDArray[np.int64]  # (n, COLUMNS): the lone fighter, then 1 to 8 enemies
    order: NDArray[np.int64]  # (n,): in which they place their dice (C-3.2 to C-3.4)
    policy: NDArray[np.int64]  # (2, DECISIONS): of both sides
    chooser: int  # side that chose the combat (C-3.3)
    mirror: int  # 1 swaps both sides' dice: A against B and B against A roll the same
    flags: NDArray[np.int64] | None = None  # (n,): bits ``1 << Effect``; none if not given
    numbers: NDArray[np.int64] | None = None  # (n, NUMBERS): needed where there are flags
    banes: NDArray[np.bool_] | None = None  # (n, n): [i, j]: i is a bane of j


LANES = 256  # trials whose words are made together
PAGED_PASSES = 4  # passes of arms whose words are made in advance, as far as dice last
MAX_FIGHTERS = 1 + MAX_ENEMIES
MAX_PAGES = 1 + PAGED_PASSES * MAX_ENEMIES * 2
MAX_STATES = 37
MAX_WOUND_ROWS = 256
THROWS = 36  # of two dice: columns of the wound table
MAX_WOUND_LINES = 32
MAX_LEVELS = 16  # of wounds
PAINS = 16  # ways to bear wounds

# All that the rules of one combat look at, as one record: kernels pass it by address.
FIGHT = record(
    # what is played
    ("n", np.int64),  # fighters
    ("fighters", np.int64, (MAX_FIGHTERS, COLUMNS)),
    ("order", np.int64, (MAX_FIGHTERS,)),
    ("policy", np.int64, (2, DECISIONS)),
    ("chooser", np.int64),
    ("mirror", np.int64),
    # by which rules
    ("scalars", np.int64, (len(Rule),)),
    ("wound", np.uint8, (MAX_WOUND_ROWS, THROWS)),
    ("wound_rows", np.int64),
    ("penalty", np.int64, (PAINS, MAX_STATES, STATS)),
    ("charge", np.int64, (STATS,)),
    ("dead", np.int64),  # the last state
    # abilities (W-7)
    ("able", np.int64),  # the flags of all; 0: nobody has an ability
    ("effects", np.int64, (MAX_FIGHTERS,)),
    ("numbers", np.int64, (MAX_FIGHTERS, NUMBERS)),
    ("starts", np.int64, (MAX_WOUND_LINES,)),
    ("line_count", np.int64),
    ("wounding", np.int64, (MAX_WOUND_ROWS,)),  # throws that give a light wound at least
    # with which dice
    ("seed", np.uint64),
    ("cell", np.uint64),
    ("trials", np.uint64, (LANES,)),
    ("active", np.int64, (LANES,)),  # rows of the trials that go on
    ("words", np.uint32, (MAX_PAGES, 4, LANES)),
    ("page_of", np.int64, (PAGED_PASSES, MAX_FIGHTERS, 2)),  # -1 = made on demand
    # how it stands
    ("values", np.int64, (2, MAX_FIGHTERS, STATS)),  # unhurt: first turn, later
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
    # bytes last, so that all else is aligned; unsigned: indices without a sign to look at
    ("after", np.uint8, (MAX_STATES, OUTCOMES)),
    ("recover", np.uint8, (MAX_STATES,)),
    ("lines", np.uint8, (MAX_WOUND_LINES, 6)),
    ("standing", np.uint8, (MAX_LEVELS,)),  # state of a wound level, not stunned
    ("state", np.uint8, (MAX_FIGHTERS,)),
    ("banes", np.uint8, (MAX_FIGHTERS, MAX_FIGHTERS)),
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


def new_fight(setup: Setup, rules: Rules, seed: int, cell: int) -> NDArray[np.void]:
    """Return one combat as a record array of shape (1,), ready for the kernels below.

    ``seed``, 0 to 2**64 - 1, is the run; combats of one ``cell``, 0 to 2**32 - 1, roll the same
    dice.
    """
    fights = np.zeros(1, FIGHT)
    fight: Any = fights[0]
    n = len(setup.fighters)
    fight.n, fight.seed, fight.cell = n, seed, cell
    fight.fighters[:n] = setup.fighters
    fight.order[:n] = setup.order
    fight.policy[:] = setup.policy
    fight.chooser, fight.mirror = setup.chooser, setup.mirror
    write_rules(fight, rules)
    fight.values[:, :n] = setup.fighters[:, :STATS]
    fight.values[0, :n] -= rules.charge * setup.fighters[:, [Column.CHARGED]]
    if setup.flags is not None:
        fight.effects[:n], fight.numbers[:n] = setup.flags, setup.numbers
        fight.able = np.bitwise_or.reduce(setup.flags)
        if setup.banes is not None:
            fight.banes[:n, :n] = setup.banes
    _number_pages(fight)
    return fights


def _number_pages(fight: Any) -> None:
    """Say which attacks have their words made in advance: those that can happen."""
    page_of, mirror, pages = fight.page_of, int(fight.mirror), 1
    page_of[:] = -1
    enemies = int(fight.n) - 1
    base, per_enemy = fight.scalars[[Rule.DICE_BASE, Rule.DICE_PER_ENEMY]].tolist()
    placed = fight.fighters[: enemies + 1, Column.PLACED_ATTACK].tolist()
    met = [enemies] + [1] * enemies
    dice = [p if p >= 0 else base + per_enemy * m for p, m in zip(placed, met, strict=True)]
    dice = [d + _more_dice(fight, i) for i, d in enumerate(dice)]
    for number in range(PAGED_PASSES):
        for pair in range(1, enemies + 1):
            for i in (0, pair):
                if dice[i] > number * met[i]:
                    page_of[number, pair, int(i > 0) ^ mirror] = pages
                    pages += 1


def _more_dice(fight: Any, i: int) -> int:
    """Return how many dice abilities usually give a fighter besides."""
    of_effects = {
        Effect.EXTRA_DICE: Number.EXTRA_DICE,
        Effect.CHAIN: Number.CHAIN_DICE,
        Effect.FURY: Number.FURY_DICE,
        Effect.CHARGE_DICE: Number.CHARGE_DICE,
    }
    flags, numbers = int(fight.effects[i]), fight.numbers[i]
    return sum(int(numbers[n]) for effect, n in of_effects.items() if flags >> effect & 1)


class Moment(NamedTuple):
    """Whose dice are rolled, when, and where events go."""

    lane: int  # place of the trial in its block
    turn: int
    # (1 + MAX_EVENTS, LOG_COLUMNS), row 0 has the rows used; None: logging is compiled away
    log: NDArray[np.int64] | None


class Call(NamedTuple):
    """One roll-off or one attack, and where its dice are."""

    moment: Moment
    number: int  # pass of arms, or roll-off
    striker: int  # in initiative the lone fighter
    target: int  # in initiative the other tester
    address: np.uint64
    page: int
