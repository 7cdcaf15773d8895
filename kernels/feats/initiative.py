"""The opposed Initiative test exactly, where somebody has an ability (W-7, C-4, W-1.5).

Chances are vectors as in `roll_off`. Side 0 wants a high value.
"""

import numpy as np

from .._jit import part, routine
from ..combat.feats import initiative_bonus, opens_of
from ..combat.wounds import current
from ..layout.abilities import Roll
from ..layout.combat import Rule, Stat, Tie
from ..layout.exact import LEADS, MAX_LEAD
from ..layout.feats import CAP
from ..layout.policy import OPTIMAL, Decision, Luck
from ..layout.records import record
from .roll_off import (
    LENGTH,
    LOST,
    SETTLED,
    SIXES_CAP,
    SIZE,
    TIED,
    USES,
    WON,
    place_of,
    throw_roll_off,
)


@part
def tie_share(fight, difference):
    """Chance that side 0 wins a tie; below 0: it is rolled again (C-4.3)."""
    tie = fight.scalars[Rule.OPPOSED_TIE]
    if tie == Tie.COIN:
        return 0.5
    if tie == Tie.FIRST:
        return 1.0 * (fight.chooser == 0)
    if tie == Tie.HIGHER_CHARACTERISTIC and difference != 0:
        return 1.0 * (difference > 0)
    return -1.0


@routine
def fill_worth(test, base_0, base_1, values, share):
    """Write what each end of a roll-off is worth, by luck used before it."""
    worth = test.worth
    for used_0 in range(USES):
        for used_1 in range(USES):
            b_0, b_1 = base_0 + used_0, base_1 + used_1
            for end in range(3):
                worth[place_of(used_0, used_1, end)] = 0.0
            if b_0 > test.most[0] or b_1 > test.most[1]:
                continue
            worth[place_of(used_0, used_1, WON)] = values[0, b_0, b_1]
            worth[place_of(used_0, used_1, LOST)] = values[1, b_0, b_1]
            if share < 0:
                worth[place_of(used_0, used_1, TIED)] = test.value[b_0, b_1]
            else:
                worth[place_of(used_0, used_1, TIED)] = (
                    share * values[0, b_0, b_1] + (1 - share) * values[1, b_0, b_1]
                )


@routine
def settle_from(fight, test, base_0, base_1, values):
    """Fill ``test.ends``: chances of who strikes first and luck used, from so much used on."""
    share = tie_share(fight, test.difference)
    most_0, most_1 = test.most[0], test.most[1]
    test.luck[0], test.luck[1] = most_0 - base_0, most_1 - base_1
    test.length = LENGTH if test.luck[0] + test.luck[1] > 0 else 3
    vector, ends = test.vector, test.ends[base_0, base_1]
    test.value[base_0, base_1] = (values[0, base_0, base_1] + values[1, base_0, base_1]) / 2
    for _ in range(60):
        fill_worth(test, base_0, base_1, values, share)
        throw_roll_off(fight, test, vector)
        ends[:] = 0.0
        alone = 1.0
        for used_0 in range(test.luck[0] + 1):
            for used_1 in range(test.luck[1] + 1):
                b_0, b_1 = base_0 + used_0, base_1 + used_1
                tied = vector[place_of(used_0, used_1, TIED)]
                won = vector[place_of(used_0, used_1, WON)]
                lost = vector[place_of(used_0, used_1, LOST)]
                if share >= 0:
                    won, lost = won + tied * share, lost + tied * (1 - share)
                elif used_0 + used_1 == 0:
                    alone = 1 - tied
                else:
                    for first in range(2):
                        for c_0 in range(b_0, most_0 + 1):
                            for c_1 in range(b_1, most_1 + 1):
                                ends[first, c_0, c_1] += tied * test.ends[b_0, b_1, first, c_0, c_1]
                ends[0, b_0, b_1] += won
                ends[1, b_0, b_1] += lost
        before, after = test.value[base_0, base_1], 0.0
        for first in range(2):
            for c_0 in range(USES):
                for c_1 in range(USES):
                    ends[first, c_0, c_1] /= alone
                    after += ends[first, c_0, c_1] * values[first, c_0, c_1]
        test.value[base_0, base_1] = after
        if not chooses(fight) or abs(after - before) * SETTLED < 1:
            return


@part
def chooses(fight):
    """Whether a side's decisions in the test hang on what follows."""
    for side in range(2):
        if fight.policy[side, Decision.REROLL_INITIATIVE] == OPTIMAL:
            return True
        if fight.policy[side, Decision.LUCK] == OPTIMAL:
            return True
    return False


@routine
def plain_law(fight, test, values, chances):
    """`first_law` where nobody has luck: only who is wanted to strike first counts."""
    wants = int(values[0, 0, 0] < values[1, 0, 0])
    test.difference = min(max(test.difference, -MAX_LEAD), MAX_LEAD)
    place = test.difference + MAX_LEAD
    opens_0, opens_1 = test.opens[0] - 5, test.opens[1] - 5
    if not test.known[opens_0, opens_1, wants, place]:
        chances[:] = 0.0
        chances[wants, 0, 0] = 1.0  # as values: what is wanted
        settle_from(fight, test, 0, 0, chances)
        test.chance[opens_0, opens_1, wants, place] = test.ends[0, 0, 0, 0, 0]
        test.known[opens_0, opens_1, wants, place] = 1
    chance = test.chance[opens_0, opens_1, wants, place]
    chances[:] = 0.0
    chances[0, 0, 0], chances[1, 0, 0] = chance, 1 - chance
    return chance * values[0, 0, 0] + (1 - chance) * values[1, 0, 0]


@routine
def first_law(fight, test, turn, tester, values, chances):
    """Fill the chances of who strikes first, by luck used; what they are worth to side 0.

    ``tester`` tests for side 1; ``values`` says what the combat is worth to side 0 then.
    """
    test.difference = difference_of(fight, turn, tester)
    test.opens[0] = opens_of(fight, 0, Roll.INITIATIVE)
    test.opens[1] = opens_of(fight, tester, Roll.INITIATIVE)
    test.cap = CAP if min(test.opens[0], test.opens[1]) < 6 else SIXES_CAP
    most_0 = fight.luck[0] if fight.policy[0, Decision.LUCK] != Luck.NEVER else 0
    most_1 = fight.luck[tester] if fight.policy[1, Decision.LUCK] != Luck.NEVER else 0
    test.most[0], test.most[1] = most_0, most_1
    if most_0 + most_1 == 0:
        return plain_law(fight, test, values, chances)
    for total in range(most_0 + most_1, -1, -1):
        for base_0 in range(min(most_0, total) + 1):
            if total - base_0 <= most_1:
                settle_from(fight, test, base_0, total - base_0, values)
    value = 0.0
    for first in range(2):
        for used_0 in range(USES):
            for used_1 in range(USES):
                chance = test.ends[0, 0, first, used_0, used_1]
                chances[first, used_0, used_1] = chance
                value += chance * values[first, used_0, used_1]
    return value


@routine
def difference_of(fight, turn, tester):
    """INI of the lone fighter less that of who tests for the others, with all that is added."""
    bonus = fight.scalars[Rule.NUMBERS_BONUS] * (fight.living - 1)
    own = current(fight, turn, 0, Stat.INI) + initiative_bonus(fight, 0)
    return own - current(fight, turn, tester, Stat.INI) - bonus - initiative_bonus(fight, tester)


TEST = record(
    ("difference", np.int64),  # of both INI, with all that is added
    ("opens", np.int64, (2,)),  # least die of each side that is re-rolled
    ("most", np.int64, (2,)),  # tests that each may roll again, at the beginning
    ("luck", np.int64, (2,)),  # and now
    ("cap", np.int64),
    ("length", np.int64),  # of the vectors, as far as they are used
    ("chance", np.float64, (3, 3, 2, LEADS)),  # by who wants what, if nobody has luck
    ("lone", np.float64, (SIZE, SIZE, LENGTH)),
    ("other", np.float64, (SIZE, SIZE, LENGTH)),
    ("both", np.float64, (SIZE, SIZE, LENGTH)),
    ("again", np.float64, (2, USES, USES, SIZE, LENGTH)),
    ("chain", np.float64, (SIZE, LENGTH)),
    ("single", np.float64, (SIZE, LENGTH)),
    ("kept", np.float64, (LENGTH,)),
    ("one", np.float64, (LENGTH,)),
    ("rolled_0", np.float64, (LENGTH,)),
    ("rolled_1", np.float64, (LENGTH,)),
    ("vector", np.float64, (LENGTH,)),
    ("worth", np.float64, (LENGTH,)),
    ("value", np.float64, (USES, USES)),
    ("ends", np.float64, (USES, USES, 2, USES, USES)),
    ("known", np.uint8, (3, 3, 2, LEADS)),  # of ``chance``; bytes last: all is aligned
)
