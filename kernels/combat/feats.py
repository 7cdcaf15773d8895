"""What abilities change in the tests and wound rolls of a combat (W-7).

Nothing here is called where nobody has an ability (``fight.able`` is 0).
"""

import numpy as np

from .._jit import part, routine
from ..core.dice import SIX_OPENS, note
from ..core.rng import HALF, LOW, SIX, first_word
from ..layout.abilities import Effect, Number, Weapon
from ..layout.combat import SURVIVAL_DIE, TOXIC_DIE, WOUND, Call, Column, Outcome, Rule
from ..layout.log import Event

NOTHING_OPENS = 7
POOR = 2  # a natural result up to it is rolled again by luck where it meets a parry


@part
def has(fight, i, effect):
    """Whether a fighter has an ability with an effect."""
    return (fight.effects[i] >> effect) & 1 != 0


@part
def number_of(fight, i, effect, number):
    """A number of an effect of a fighter; 0 for one who has not got it."""
    return fight.numbers[i, number] * ((fight.effects[i] >> effect) & 1)


@part
def note_feat(moment, number, i, j, effect, x, y, z):
    """Log what an ability does."""
    note(moment, Event.FEAT, number, i, j, effect, x, y, z)


# --- tests ----------------------------------------------------------------------------------


@routine
def opens_of(fight, i, roll):
    """Least die that is re-rolled like a 6 (W-1.2)."""
    if has(fight, i, Effect.NO_REROLLS):
        return NOTHING_OPENS
    rolls = number_of(fight, i, Effect.OPEN_FIVES, Number.OPEN_ROLLS)
    return SIX_OPENS - ((rolls >> roll) & 1)


@part
def is_able(able, fight):
    """Whether somebody has an ability; known when the code is compiled if ``able`` is None."""
    if able is None:
        return False
    return fight.able != 0


@part
def opens_at(fight, i, roll, able):
    """Least die of a test that is re-rolled like a 6: of who has no ability, a 6."""
    return fight.opens[i, roll] if is_able(able, fight) else SIX_OPENS


@routine
def is_all_attack(fight, i):
    """Whether all dice of a fighter are in attack: none in defence, none unplaced."""
    return fight.into_attack[i] > 0 and fight.into_defence[i] == 0 and fight.held[i] == 0


@routine
def is_dearer(fight, i, j):
    """Whether fighter ``j`` is known to have more points."""
    own, other = fight.fighters[i, Column.PA], fight.fighters[j, Column.PA]
    return own >= 0 and other > own


@routine
def despair(fight, i, j):
    """What is added to a fighter's results against ``j``: outnumbered, or he is dearer."""
    if has(fight, i, Effect.DESPERATE) and (
        (i == 0 and fight.living > 1) or is_dearer(fight, i, j)
    ):
        return fight.numbers[i, Number.DESPERATE_RESULT]
    return np.int64(0)


@routine
def attack_bonus(fight, i, j):
    """What abilities add to the attack results of ``i`` against ``j``."""
    bonus = despair(fight, i, j) - fight.chained[i] * fight.numbers[i, Number.CHAIN_COST]
    if has(fight, i, Effect.ALL_ATTACK_RESULT) and is_all_attack(fight, i):
        bonus += fight.numbers[i, Number.ALL_ATTACK_RESULT]
    return bonus


@routine
def defence_bonus(fight, i, j):
    """What abilities add to the defence results of ``i`` against ``j``."""
    return despair(fight, i, j) - fight.chained[i] * fight.numbers[i, Number.CHAIN_COST]


@routine
def initiative_bonus(fight, i):
    """What abilities add to the Initiative result of ``i``: desperate against any enemy."""
    if i > 0:
        return despair(fight, i, 0)
    best = np.int64(0)
    for j in range(1, fight.n):
        if fight.state[j] != fight.dead:
            best = max(best, despair(fight, 0, j))
    return best


# --- wound rolls ----------------------------------------------------------------------------


@part
def wound_die(fight, call: Call, roller, index):
    """A die of a wound roll's word, 1 to 6."""
    rest = first_word(fight, call.moment.lane, call.page, call.address, WOUND)
    for _ in range(index + 1):
        product = rest * SIX
        rest = product & LOW
    die = np.int64(product >> HALF) + 1
    other = call.striker + call.target - roller
    note(call.moment, Event.DIE, call.number, roller, other, WOUND, index, die, 0)
    return die


@routine
def survives(fight, call: Call):
    """Whether the target's die cancels the wound roll."""
    i, j = call.target, call.striker
    if not has(fight, i, Effect.SURVIVAL):
        return False
    die = wound_die(fight, call, i, SURVIVAL_DIE)
    saved = die >= fight.numbers[i, Number.SURVIVAL_DIE]
    note_feat(call.moment, call.number, i, j, Effect.SURVIVAL, die, np.int64(saved), 0)
    return saved


@routine
def line_of(fight, value):
    """Line of the wound table for a result (W-2.1)."""
    line = 0
    while line < fight.line_count - 1 and value >= fight.starts[line]:
        line += 1
    return line


@routine
def lines_down(fight, i, j):
    """Lines towards killed that a blow of ``i`` on ``j`` is read."""
    if has(fight, i, Effect.BANE) and fight.banes[i, j]:
        return fight.numbers[i, Number.BANE_ROWS]
    return -number_of(fight, j, Effect.TOUGH, Number.TOUGH_ROWS)


@routine
def outcome_of(fight, i, j, low, high, difference, weapon, further):
    """Outcome of the two dice that count, before the toxic die: W-7's order of application.

    ``difference`` is FOR - RES, with what is added to the roll; a ``Weapon.RANGED`` may be read
    lines ``further`` down (W-6). What somebody makes of outcomes (``Number.DEALT``) is for melee.
    """
    if low == high:
        if has(fight, j, Effect.IGNORE_DOUBLES):
            return np.int64(Outcome.NOTHING)
        weapons = number_of(fight, i, Effect.KILL_DOUBLES, Number.KILL_WEAPONS)
        six = low == 6 and fight.scalars[Rule.DOUBLE_SIX_KILLS] != 0
        if six or weapons & weapon:
            return np.int64(Outcome.KILLED)
    places = number_of(fight, j, Effect.IGNORE_LOCATION, Number.IGNORED_LOCATIONS)
    if (places >> (low - 1)) & 1:
        return np.int64(Outcome.NOTHING)
    down = lines_down(fight, i, j) + further
    if down == 0:
        row = min(max(difference + fight.scalars[Rule.WOUND_OFFSET], 0), fight.wound_rows - 1)
        outcome = np.int64(fight.wound[row, (high - 1) * 6 + low - 1])
    else:
        line = min(max(line_of(fight, high + difference) + down, 0), fight.line_count - 1)
        outcome = np.int64(fight.lines[line, low - 1])
    if weapon == Weapon.MELEE and has(fight, i, Effect.REPLACE_DEALT):
        outcome = fight.numbers[i, Number.DEALT + outcome]
    if has(fight, j, Effect.REPLACE_SUFFERED):
        outcome = fight.numbers[j, Number.SUFFERED + outcome]
    return outcome


@part
def is_toxic(fight, i, j, outcome):
    """Whether a toxic die is rolled after this outcome."""
    wound = outcome >= Outcome.LIGHT and outcome <= Outcome.CRITICAL
    return wound and has(fight, i, Effect.TOXIC) and not has(fight, j, Effect.IMMUNE_TOXIC)


@part
def poisoned(outcome, die, twice):
    """Outcome after a toxic die: one level more, or two."""
    worse = outcome + (1 if die > twice else 2)
    return min(worse, np.int64(Outcome.KILLED))


@routine
def poison(fight, call: Call, outcome):
    """Outcome after the toxic die, if there is one."""
    i, j = call.striker, call.target
    if not is_toxic(fight, i, j, outcome):
        return outcome
    die = wound_die(fight, call, i, TOXIC_DIE)
    worse = poisoned(outcome, die, fight.numbers[i, Number.TOXIC_TWICE])
    levels = 1 if die > fight.numbers[i, Number.TOXIC_TWICE] else 2
    note_feat(call.moment, call.number, i, j, Effect.TOXIC, die, levels, 0)
    return worse


@part
def blow_bonus(fight, i):
    """What is added to the wound rolls of who has all dice in attack."""
    if has(fight, i, Effect.ALL_ATTACK_WOUND) and is_all_attack(fight, i):
        return fight.numbers[i, Number.ALL_ATTACK_WOUND]
    return np.int64(0)


@part
def state_after(fight, j, outcome):
    """State of ``j`` after an outcome; and whether it dooms him (he fights on, killed)."""
    state = np.int64(fight.state[j])
    if fight.doomed[j]:
        return state, False
    after = np.int64(fight.after[state, outcome])
    if after == fight.dead and has(fight, j, Effect.DIEHARD):
        return np.int64(fight.standing[fight.numbers[j, Number.DIEHARD_LEVEL]]), True
    return after, False


@routine
def with_more_dice(fight, call: Call, low, high):
    """The two highest of a wound roll's dice, once more of them are rolled after a charge."""
    i = call.striker
    if fight.fresh[i]:
        for index in range(2, fight.numbers[i, Number.WOUND_DICE]):
            die = wound_die(fight, call, i, index)
            low, high = max(low, min(high, die)), max(high, die)
    fight.fresh[i] = 0
    return low, high
