"""One roll-off of the Initiative test exactly, where somebody has an ability (W-7, W-1.5).

Chances are vectors over who wins, or a tie, and over how often each side has rolled again by
luck (`place_of`). Side 0 wants a high value.
"""

from .._jit import part, routine
from ..exact.dice import FAILED, natural_after_one
from ..layout.combat import Rule
from ..layout.feats import CAP, MOST_LUCK
from ..layout.policy import OPTIMAL, Decision, Luck, Reroll

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
