"""The opposed Initiative test exactly, where somebody has an ability (W-7, C-4, W-1.5).

Chances are vectors over who wins, or a tie, and over how often each side has rolled again by
luck (`place_of`). Side 0 wants a high value.
"""

import numpy as np

from .._jit import part, routine
from ..combat.feats import initiative_bonus, opens_of
from ..combat.wounds import current
from ..exact.laws import FAILED, natural_after_one
from ..layout.abilities import Roll
from ..layout.combat import LEADS, MAX_LEAD, OPTIMAL, Decision, Luck, Reroll, Rule, Stat, Tie
from ..layout.feats import CAP, MOST_LUCK

WON, LOST, TIED = 0, 1, 2
USES = MOST_LUCK + 1
LENGTH = 3 * USES * USES
SIZE = CAP + 7  # naturals, closed ones included
SIXES_CAP = 96  # the same where only 6s are open: they weigh 6**-16
SETTLED = 10**14  # an iteration ends once the value changes by less than its inverse


@part
def place_of(used_0, used_1, end):
    """Place of an end in a vector."""
    return (used_0 * USES + used_1) * 3 + end


@part
def worth_of(test, vector, worth):
    """What a vector is worth to side 0."""
    value = 0.0
    for k in range(test.length):
        value += vector[k] * worth[k]
    return value


@part
def add_part(test, source, share, target):
    """Add a share of a vector to another."""
    for k in range(test.length):
        target[k] += source[k] * share


@part
def put(test, source, target):
    """Copy a vector."""
    for k in range(test.length):
        target[k] = source[k]


@part
def empty(test, target):
    """Make a vector all zero."""
    for k in range(test.length):
        target[k] = 0.0


@part
def may_show(opens, natural):
    """Whether an open die can have this natural result: of 6s alone, multiples of 6."""
    return natural >= opens and (opens < 6 or natural % 6 == 0)


@part
def lead_of(difference, natural_0, natural_1):
    """How far side 0's result leads."""
    if natural_0 == FAILED or natural_1 == FAILED:
        return int(natural_1 == FAILED) - int(natural_0 == FAILED)
    return natural_0 + difference - natural_1


@part
def decides_to_roll(fight, test, side, behind_or_level, kept, rolled, worth):
    """Whether a side re-rolls its open die (W-1.5)."""
    reroll = fight.policy[side, Decision.REROLL_INITIATIVE]
    if reroll == OPTIMAL:
        gain = worth_of(test, rolled, worth) - worth_of(test, kept, worth)
        return (gain if side == 0 else -gain) * 10**13 > 1
    return reroll == Reroll.ALWAYS or (reroll == Reroll.NEEDED and behind_or_level)


@part
def uses_luck(fight, test, side, kept, rolled, worth):
    """Whether a side that has lost the roll-off rolls again by luck."""
    luck = fight.policy[side, Decision.LUCK]
    if luck == OPTIMAL:
        gain = worth_of(test, rolled, worth) - worth_of(test, kept, worth)
        return (gain if side == 0 else -gain) * 10**13 > 1
    return luck != Luck.NEVER


@routine
def stand(fight, test, difference, used_0, used_1, natural_0, natural_1, worth, into):
    """Fill a vector with what follows from two results, luck included.

    ``test.again`` has what follows from a second test of a side, by luck used and by the
    other's natural result.
    """
    lead = lead_of(difference, natural_0, natural_1)
    empty(test, into)
    end = TIED if lead == 0 else (WON if lead > 0 else LOST)
    into[place_of(used_0, used_1, end)] = 1.0
    if lead == 0:
        return
    side = 0 if lead < 0 else 1
    used = used_0 if side == 0 else used_1
    if used < test.luck[side]:
        other = natural_1 if side == 0 else natural_0
        again = test.again[side, used_0, used_1, other]
        if uses_luck(fight, test, side, into, again, worth):
            put(test, again, into)


@routine
def fill_again(fight, test, difference, side, used_0, used_1, other, worth):
    """Fill ``test.again``: a side tests once more against the other's standing result."""
    opens, chain, kept = test.opens[side], test.chain, test.kept
    after_0, after_1 = used_0 + (side == 0), used_1 + (side == 1)
    row = test.again[side, used_0, used_1, other]
    empty(test, row)
    for natural in range(test.cap + 6, -1, -1):
        own, enemy = (natural, other) if side == 0 else (other, natural)
        stand(fight, test, difference, after_0, after_1, own, enemy, worth, kept)
        put(test, kept, test.single[natural])
        put(test, kept, chain[natural])
        if not may_show(opens, natural) or natural >= test.cap:
            continue
        rolled = test.rolled_0
        empty(test, rolled)
        for face in range(1, 7):
            if face >= opens:
                add_part(test, chain[natural + face], 1 / 6, rolled)
            elif face > 1:
                add_part(test, test.single[natural + face], 1 / 6, rolled)
        # what a 1 leads to has a lower natural result, or one that is known
        after = natural_after_one(fight, natural)
        if after <= natural:
            own, enemy = (after, other) if side == 0 else (other, after)
            stand(fight, test, difference, after_0, after_1, own, enemy, worth, test.one)
        else:
            put(test, test.single[after], test.one)
        add_part(test, test.one, 1 / 6, rolled)
        lead = (
            lead_of(difference, natural, other)
            if side == 0
            else -lead_of(difference, other, natural)
        )
        if decides_to_roll(fight, test, side, lead <= 0, kept, rolled, worth):
            put(test, rolled, chain[natural])
    first = 1 if fight.scalars[Rule.NATURAL_ONE_FAILS] == 0 else FAILED
    for face in range(1, 7):
        shown = first if face == 1 else face
        add_part(test, chain[shown] if face >= opens else test.single[shown], 1 / 6, row)


@routine
def fill_lucks(fight, test, difference, worth):
    """Fill all second tests, those with most luck used first."""
    for total in range(test.luck[0] + test.luck[1], 0, -1):
        for after_0 in range(min(test.luck[0], total) + 1):
            after_1 = total - after_0
            if after_1 > test.luck[1]:
                continue
            for other in range(test.cap + 7):
                if after_0 > 0:
                    fill_again(fight, test, difference, 0, after_0 - 1, after_1, other, worth)
                if after_1 > 0:
                    fill_again(fight, test, difference, 1, after_0, after_1 - 1, other, worth)


@part
def roll_one(fight, test, difference, side, natural_0, natural_1, open_other, worth, into):
    """Fill a vector with what follows if a side re-rolls its open die."""
    empty(test, into)
    opens = test.opens[side]
    for face in range(1, 7):
        natural = natural_0 if side == 0 else natural_1
        if face == 1:
            natural = natural_after_one(fight, natural)
        else:
            natural += face
        own, enemy = (natural, natural_1) if side == 0 else (natural_0, natural)
        if open_other:
            if face >= opens:
                add_part(test, test.both[own, enemy], 1 / 6, into)
            elif side == 0:
                add_part(test, test.other[own, enemy], 1 / 6, into)
            else:
                add_part(test, test.lone[own, enemy], 1 / 6, into)
        elif face >= opens and side == 0:
            add_part(test, test.lone[own, enemy], 1 / 6, into)
        elif face >= opens:
            add_part(test, test.other[own, enemy], 1 / 6, into)
        else:
            stand(fight, test, difference, 0, 0, own, enemy, worth, test.one)
            add_part(test, test.one, 1 / 6, into)


@routine
def fill_roll_off(fight, test, difference, worth):
    """Fill the tables of one roll-off, from the longest chains on (W-1.5)."""
    kept, cap = test.kept, test.cap
    size = cap + 7
    for high in range(size - 1, 4, -1):
        for low in range(size):
            # side 0's die is open, side 1's test is over
            if may_show(test.opens[0], high):
                stand(fight, test, difference, 0, 0, high, low, worth, kept)
                put(test, kept, test.lone[high, low])
            if may_show(test.opens[0], high) and high < cap:
                roll_one(fight, test, difference, 0, high, low, False, worth, test.rolled_0)
                lead = lead_of(difference, high, low)
                if decides_to_roll(fight, test, 0, lead <= 0, kept, test.rolled_0, worth):
                    put(test, test.rolled_0, test.lone[high, low])
            if may_show(test.opens[1], high):
                stand(fight, test, difference, 0, 0, low, high, worth, kept)
                put(test, kept, test.other[low, high])
            if may_show(test.opens[1], high) and high < cap:
                roll_one(fight, test, difference, 1, low, high, False, worth, test.rolled_1)
                lead = lead_of(difference, low, high)
                if decides_to_roll(fight, test, 1, lead >= 0, kept, test.rolled_1, worth):
                    put(test, test.rolled_1, test.other[low, high])
    for natural_0 in range(size - 1, 4, -1):
        for natural_1 in range(size - 1, 4, -1):
            if may_show(test.opens[0], natural_0) and may_show(test.opens[1], natural_1):
                fill_both(fight, test, difference, natural_0, natural_1, worth)


@routine
def fill_both(fight, test, difference, natural_0, natural_1, worth):
    """Fill a place of ``test.both``: both sides' dice are open."""
    if natural_0 >= test.cap:
        put(test, test.other[natural_0, natural_1], test.both[natural_0, natural_1])
        return
    if natural_1 >= test.cap:
        put(test, test.lone[natural_0, natural_1], test.both[natural_0, natural_1])
        return
    lead = lead_of(difference, natural_0, natural_1)
    behind = 1 - fight.chooser if lead == 0 else int(lead > 0)
    kept = test.kept
    stand(fight, test, difference, 0, 0, natural_0, natural_1, worth, kept)
    for turn in range(2):
        side = 1 - behind if turn == 0 else behind  # the second to be asked decides last
        into = test.rolled_0 if side == 0 else test.rolled_1
        roll_one(fight, test, difference, side, natural_0, natural_1, True, worth, into)
        slow = lead <= 0 if side == 0 else lead >= 0
        if decides_to_roll(fight, test, side, slow, kept, into, worth):
            put(test, into, kept)
    put(test, kept, test.both[natural_0, natural_1])


@routine
def throw_roll_off(fight, test, difference, worth, into):
    """Fill a vector with the ends of one roll-off."""
    fill_lucks(fight, test, difference, worth)
    fill_roll_off(fight, test, difference, worth)
    empty(test, into)
    for die_0 in range(1, 7):
        for die_1 in range(1, 7):
            own = die_0 if die_0 > fight.scalars[Rule.NATURAL_ONE_FAILS] else FAILED
            enemy = die_1 if die_1 > fight.scalars[Rule.NATURAL_ONE_FAILS] else FAILED
            open_0, open_1 = die_0 >= test.opens[0], die_1 >= test.opens[1]
            if open_0 and open_1:
                add_part(test, test.both[own, enemy], 1 / 36, into)
            elif open_0:
                add_part(test, test.lone[own, enemy], 1 / 36, into)
            elif open_1:
                add_part(test, test.other[own, enemy], 1 / 36, into)
            else:
                stand(fight, test, difference, 0, 0, own, enemy, worth, test.one)
                add_part(test, test.one, 1 / 36, into)


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
def fill_worth(test, most_0, most_1, base_0, base_1, values, share, worth):
    """Write what each end of a roll-off is worth, by luck used before it."""
    for used_0 in range(USES):
        for used_1 in range(USES):
            b_0, b_1 = base_0 + used_0, base_1 + used_1
            for end in range(3):
                worth[place_of(used_0, used_1, end)] = 0.0
            if b_0 > most_0 or b_1 > most_1:
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
def settle_from(fight, test, difference, most_0, most_1, base_0, base_1, values):
    """Fill ``test.ends``: chances of who strikes first and luck used, from so much used on."""
    share = tie_share(fight, difference)
    test.luck[0], test.luck[1] = most_0 - base_0, most_1 - base_1
    test.length = LENGTH if test.luck[0] + test.luck[1] > 0 else 3
    vector, ends = test.vector, test.ends[base_0, base_1]
    test.value[base_0, base_1] = (values[0, base_0, base_1] + values[1, base_0, base_1]) / 2
    for _ in range(60):
        fill_worth(test, most_0, most_1, base_0, base_1, values, share, test.worth)
        throw_roll_off(fight, test, difference, test.worth, vector)
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
def plain_law(fight, test, difference, values, chances):
    """`first_law` where nobody has luck: only who is wanted to strike first counts."""
    wants = int(values[0, 0, 0] < values[1, 0, 0])
    place = min(max(difference, -MAX_LEAD), MAX_LEAD) + MAX_LEAD
    opens_0, opens_1 = test.opens[0] - 5, test.opens[1] - 5
    if not test.known[opens_0, opens_1, wants, place]:
        chances[:] = 0.0
        chances[wants, 0, 0] = 1.0  # as values: what is wanted
        settle_from(fight, test, place - MAX_LEAD, 0, 0, 0, 0, chances)
        test.chance[opens_0, opens_1, wants, place] = test.ends[0, 0, 0, 0, 0]
        test.known[opens_0, opens_1, wants, place] = 1
    chance = test.chance[opens_0, opens_1, wants, place]
    chances[:] = 0.0
    chances[0, 0, 0], chances[1, 0, 0] = chance, 1 - chance
    return chance * values[0, 0, 0] + (1 - chance) * values[1, 0, 0]


@routine
def first_law(fight, test, tester, difference, values, chances):
    """Fill the chances of who strikes first, by luck used; what they are worth to side 0.

    Parameters
    ----------
    tester : int
        Who tests for side 1.
    difference : int
        INI of the lone fighter less his, with all that is added.
    values : ndarray of float64, shape (2, USES, USES)
        What the combat is worth to side 0 then.
    chances : ndarray of float64, shape (2, USES, USES)
        Overwritten.
    """
    test.opens[0] = opens_of(fight, 0, Roll.INITIATIVE)
    test.opens[1] = opens_of(fight, tester, Roll.INITIATIVE)
    test.cap = CAP if min(test.opens[0], test.opens[1]) < 6 else SIXES_CAP
    most_0 = fight.luck[0] if fight.policy[0, Decision.LUCK] != Luck.NEVER else 0
    most_1 = fight.luck[tester] if fight.policy[1, Decision.LUCK] != Luck.NEVER else 0
    if most_0 + most_1 == 0:
        return plain_law(fight, test, difference, values, chances)
    for total in range(most_0 + most_1, -1, -1):
        for base_0 in range(min(most_0, total) + 1):
            if total - base_0 <= most_1:
                settle_from(fight, test, difference, most_0, most_1, base_0, total - base_0, values)
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


TEST = np.dtype(
    (
        np.record,
        [
            ("opens", np.int64, (2,)),
            ("luck", np.int64, (2,)),
            ("cap", np.int64),
            ("length", np.int64),  # of the vectors, as far as they are used
            ("known", np.uint8, (3, 3, 2, LEADS)),  # who wants what, where nobody has luck
            ("chance", np.float64, (3, 3, 2, LEADS)),
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
        ],
    )
)
