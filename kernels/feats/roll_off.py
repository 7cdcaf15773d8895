"""One roll-off of the Initiative test exactly, where somebody has an ability (W-7, W-1.5).

Chances are vectors over who wins, or a tie, and over how often each side has rolled again by
luck (`place_of`). Side 0 wants a high value.
"""

from .._jit import part, routine
from ..exact.choices import is_better
from ..exact.dice import FAILED, natural_after_one
from ..layout.combat import Rule
from ..layout.feats import CAP, MOST_LUCK
from ..layout.policy import OPTIMAL, Decision, Luck, Reroll
from .vectors import add_share, clear, copy, product

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
def may_show(opens, natural):
    """Whether an open die can have this natural result: of 6s alone, multiples of 6."""
    return natural >= opens and (opens < 6 or natural % 6 == 0)


@part
def lead_of(test, natural_0, natural_1):
    """How far side 0's result leads."""
    if natural_0 == FAILED or natural_1 == FAILED:
        return int(natural_1 == FAILED) - int(natural_0 == FAILED)
    return natural_0 + test.difference - natural_1


@part
def is_better_rolled(test, side, kept, rolled):
    """Whether a side prefers what a further roll gives, by more than rounding."""
    worth, length = test.worth, test.length
    return is_better(side, product(rolled, worth, length), product(kept, worth, length))


@part
def decides_to_roll(fight, test, side, natural_0, natural_1, kept, rolled):
    """Whether a side re-rolls its open die (W-1.5)."""
    reroll = fight.policy[side, Decision.REROLL_INITIATIVE]
    if reroll == OPTIMAL:
        return is_better_rolled(test, side, kept, rolled)
    lead = lead_of(test, natural_0, natural_1)
    trails = lead <= 0 if side == 0 else lead >= 0
    return reroll == Reroll.ALWAYS or (reroll == Reroll.NEEDED and trails)


@part
def uses_luck(fight, test, side, kept, rolled):
    """Whether a side that has lost the roll-off rolls again by luck."""
    luck = fight.policy[side, Decision.LUCK]
    if luck == OPTIMAL:
        return is_better_rolled(test, side, kept, rolled)
    return luck != Luck.NEVER


@routine
def stand(fight, test, used_0, used_1, natural_0, natural_1, into):
    """Fill a vector with what follows from two results, luck included.

    ``test.again`` has what follows from a second test of a side, by luck used and by the
    other's natural result.
    """
    lead = lead_of(test, natural_0, natural_1)
    clear(into, test.length)
    end = TIED if lead == 0 else (WON if lead > 0 else LOST)
    into[place_of(used_0, used_1, end)] = 1.0
    if lead == 0:
        return
    side = 0 if lead < 0 else 1
    used = used_0 if side == 0 else used_1
    if used < test.luck[side]:
        other = natural_1 if side == 0 else natural_0
        again = test.again[side, used_0, used_1, other]
        if uses_luck(fight, test, side, into, again):
            copy(again, into, test.length)


@routine
def fill_again(fight, test, side, used_0, used_1, other):
    """Fill ``test.again``: a side tests once more against the other's standing result."""
    opens, chain, kept = test.opens[side], test.chain, test.kept
    after_0, after_1 = used_0 + (side == 0), used_1 + (side == 1)
    row = test.again[side, used_0, used_1, other]
    clear(row, test.length)
    for natural in range(test.cap + 6, -1, -1):
        natural_0, natural_1 = (natural, other) if side == 0 else (other, natural)
        stand(fight, test, after_0, after_1, natural_0, natural_1, kept)
        copy(kept, test.single[natural], test.length)
        copy(kept, chain[natural], test.length)
        if not may_show(opens, natural) or natural >= test.cap:
            continue
        rolled = test.rolled_0
        clear(rolled, test.length)
        for face in range(1, 7):
            if face >= opens:
                add_share(chain[natural + face], 1 / 6, rolled, test.length)
            elif face > 1:
                add_share(test.single[natural + face], 1 / 6, rolled, test.length)
        # what a 1 leads to has a lower natural result, or one that is known
        after = natural_after_one(fight, natural)
        if after <= natural:
            own, enemy = (after, other) if side == 0 else (other, after)
            stand(fight, test, after_0, after_1, own, enemy, test.one)
        else:
            copy(test.single[after], test.one, test.length)
        add_share(test.one, 1 / 6, rolled, test.length)
        if decides_to_roll(fight, test, side, natural_0, natural_1, kept, rolled):
            copy(rolled, chain[natural], test.length)
    first = 1 if fight.scalars[Rule.NATURAL_ONE_FAILS] == 0 else FAILED
    for face in range(1, 7):
        shown = first if face == 1 else face
        add_share(chain[shown] if face >= opens else test.single[shown], 1 / 6, row, test.length)


@routine
def fill_lucks(fight, test):
    """Fill all second tests, those with most luck used first."""
    for total in range(test.luck[0] + test.luck[1], 0, -1):
        for after_0 in range(min(test.luck[0], total) + 1):
            after_1 = total - after_0
            if after_1 > test.luck[1]:
                continue
            for other in range(test.cap + 7):
                if after_0 > 0:
                    fill_again(fight, test, 0, after_0 - 1, after_1, other)
                if after_1 > 0:
                    fill_again(fight, test, 1, after_0, after_1 - 1, other)


@part
def roll_one(fight, test, side, natural_0, natural_1, open_other, into):
    """Fill a vector with what follows if a side re-rolls its open die."""
    clear(into, test.length)
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
                add_share(test.both[own, enemy], 1 / 6, into, test.length)
            elif side == 0:
                add_share(test.other[own, enemy], 1 / 6, into, test.length)
            else:
                add_share(test.lone[own, enemy], 1 / 6, into, test.length)
        elif face >= opens and side == 0:
            add_share(test.lone[own, enemy], 1 / 6, into, test.length)
        elif face >= opens:
            add_share(test.other[own, enemy], 1 / 6, into, test.length)
        else:
            stand(fight, test, 0, 0, own, enemy, test.one)
            add_share(test.one, 1 / 6, into, test.length)


@routine
def fill_roll_off(fight, test):
    """Fill the tables of one roll-off, from the longest chains on (W-1.5)."""
    size = test.cap + 7
    for high in range(size - 1, 4, -1):
        for low in range(size):
            for side in range(2):  # whose die is open; the other's test is over
                if may_show(test.opens[side], high):
                    fill_one(fight, test, side, high, low)
    for natural_0 in range(size - 1, 4, -1):
        for natural_1 in range(size - 1, 4, -1):
            if may_show(test.opens[0], natural_0) and may_show(test.opens[1], natural_1):
                fill_both(fight, test, natural_0, natural_1)


@part
def fill_one(fight, test, side, high, low):
    """Fill a place of ``test.lone`` or ``test.other``: the die of a side is open."""
    natural_0, natural_1 = (high, low) if side == 0 else (low, high)
    table = test.lone if side == 0 else test.other
    row, rolled = table[natural_0, natural_1], test.rolled_0
    stand(fight, test, 0, 0, natural_0, natural_1, row)
    if high < test.cap:
        roll_one(fight, test, side, natural_0, natural_1, False, rolled)
        if decides_to_roll(fight, test, side, natural_0, natural_1, row, rolled):
            copy(rolled, row, test.length)


@routine
def fill_both(fight, test, natural_0, natural_1):
    """Fill a place of ``test.both``: both sides' dice are open."""
    if natural_0 >= test.cap:
        copy(test.other[natural_0, natural_1], test.both[natural_0, natural_1], test.length)
        return
    if natural_1 >= test.cap:
        copy(test.lone[natural_0, natural_1], test.both[natural_0, natural_1], test.length)
        return
    lead = lead_of(test, natural_0, natural_1)
    behind = 1 - fight.chooser if lead == 0 else int(lead > 0)
    kept = test.kept
    stand(fight, test, 0, 0, natural_0, natural_1, kept)
    for turn in range(2):
        side = 1 - behind if turn == 0 else behind  # the second to be asked decides last
        into = test.rolled_0 if side == 0 else test.rolled_1
        roll_one(fight, test, side, natural_0, natural_1, True, into)
        if decides_to_roll(fight, test, side, natural_0, natural_1, kept, into):
            copy(into, kept, test.length)
    copy(kept, test.both[natural_0, natural_1], test.length)


@routine
def throw_roll_off(fight, test, into):
    """Fill a vector with the ends of one roll-off."""
    fill_lucks(fight, test)
    fill_roll_off(fight, test)
    clear(into, test.length)
    for die_0 in range(1, 7):
        for die_1 in range(1, 7):
            own = die_0 if die_0 > fight.scalars[Rule.NATURAL_ONE_FAILS] else FAILED
            enemy = die_1 if die_1 > fight.scalars[Rule.NATURAL_ONE_FAILS] else FAILED
            open_0, open_1 = die_0 >= test.opens[0], die_1 >= test.opens[1]
            if open_0 and open_1:
                add_share(test.both[own, enemy], 1 / 36, into, test.length)
            elif open_0:
                add_share(test.lone[own, enemy], 1 / 36, into, test.length)
            elif open_1:
                add_share(test.other[own, enemy], 1 / 36, into, test.length)
            else:
                stand(fight, test, 0, 0, own, enemy, test.one)
                add_share(test.one, 1 / 36, into, test.length)
