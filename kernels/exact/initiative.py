"""The opposed Initiative test, exactly: chances where `combat.initiative` rolls (C-4, W-1.5).

Where a policy leaves the re-roll of a 6 open, both sides' decisions are solved backwards.
"""

from .._jit import kernel, part, routine
from ..combat.wounds import current
from ..layout.combat import Rule, Stat, Tie
from ..layout.exact import DEPTH, GOALS, MAX_LEAD
from ..layout.policy import OPTIMAL, Decision, Reroll
from .choices import tester_choice
from .dice import FAILED, natural_after_one


@part
def stops_at(difference, natural_0, natural_1, tie):
    """Chance that side 0 wins the test as the dice stand."""
    if natural_0 == FAILED or natural_1 == FAILED:
        if natural_0 == natural_1:
            return tie
        return tie * 0 + (natural_1 == FAILED)
    lead = natural_0 + difference - natural_1
    if lead == 0:
        return tie
    return tie * 0 + (lead > 0)


@part
def is_behind(fight, difference, natural_0, natural_1):
    """The side that decides first about its 6 (W-1.5)."""
    own = natural_0 + difference if natural_0 != FAILED else -GOALS - MAX_LEAD
    other = natural_1 if natural_1 != FAILED else -GOALS - MAX_LEAD
    if own == other:
        return 1 - fight.chooser
    return 0 if own < other else 1


@part
def decides_on_six(fight, side, wants, kept, rolled, ahead):
    """What a side's 6 is worth (chance that side 0 wins), kept or re-rolled (W-1.2, W-1.5)."""
    reroll = fight.policy[side, Decision.REROLL_INITIATIVE]
    if reroll == OPTIMAL:
        return max(kept, rolled) if side == wants else min(kept, rolled)
    if reroll == Reroll.ALWAYS or (reroll == Reroll.NEEDED and not ahead):
        return rolled
    return kept


@part
def settled(
    fight, wants, difference, natural_0, natural_1, tie, rolled_0, rolled_1, open_0, open_1
):
    """Chance that side 0 wins when each side in turn may re-roll the 6 it shows (W-1.5)."""
    value = stops_at(difference, natural_0, natural_1, tie)
    behind = is_behind(fight, difference, natural_0, natural_1)
    failed_0, failed_1 = natural_0 == FAILED, natural_1 == FAILED
    lead = natural_0 + difference - natural_1
    for turn in range(2):
        side = 1 - behind if turn == 0 else behind  # the second to be asked decides last
        if side == 0 and open_0:
            ahead = failed_1 or (not failed_0 and lead > 0)
            value = decides_on_six(fight, 0, wants, value, rolled_0, ahead)
        elif side == 1 and open_1:
            ahead = failed_0 or (not failed_1 and lead < 0)
            value = decides_on_six(fight, 1, wants, value, rolled_1, ahead)
    return value


@part
def lone_rolls(fight, laws, difference, sixes, natural, tie):
    """Chance that side 0 wins if it re-rolls its last 6, the other's test being over."""
    shown = 6 * sixes
    rolled = stops_at(difference, natural_after_one(fight, shown), natural, tie)
    for die in range(2, 6):
        rolled += stops_at(difference, shown + die, natural, tie)
    if sixes + 1 + natural // 6 > DEPTH:
        return (rolled + stops_at(difference, shown + 6, natural, tie)) / 6
    return (rolled + laws.lone_open[sixes + 1, natural]) / 6


@part
def other_rolls(fight, laws, difference, natural, sixes, tie):
    """Chance that side 0 wins if side 1 re-rolls its last 6, side 0's test being over."""
    shown = 6 * sixes
    rolled = stops_at(difference, natural, natural_after_one(fight, shown), tie)
    for die in range(2, 6):
        rolled += stops_at(difference, natural, shown + die, tie)
    if sixes + 1 + natural // 6 > DEPTH:
        return (rolled + stops_at(difference, natural, shown + 6, tie)) / 6
    return (rolled + laws.other_open[sixes + 1, natural]) / 6


@part
def both_roll(fight, laws, difference, sixes, others, tie):
    """The same while both show a 6, if side 0 re-rolls, and if side 1 does."""
    six_0, six_1 = 6 * sixes, 6 * others
    rolled_0 = laws.other_open[others, natural_after_one(fight, six_0)] + tie * 0
    rolled_1 = laws.lone_open[sixes, natural_after_one(fight, six_1)] + tie * 0
    for die in range(2, 6):
        rolled_0 += laws.other_open[others, six_0 + die]
        rolled_1 += laws.lone_open[sixes, six_1 + die]
    if sixes + others == DEPTH:
        rolled_0 += stops_at(difference, six_0 + 6, six_1, tie)
        rolled_1 += stops_at(difference, six_0, six_1 + 6, tie)
    else:
        rolled_0 += laws.both_open[sixes + 1, others]
        rolled_1 += laws.both_open[sixes, others + 1]
    return rolled_0 / 6, rolled_1 / 6


@routine
def opposed_test(fight, laws, wants, difference, tie):
    """Chance that side 0 wins one roll-off, a tie counting ``tie`` (W-1.5).

    Decisions are solved backwards, from the longest chains on.
    """
    nothing = tie * 0
    lone, other, both = laws.lone_open, laws.other_open, laws.both_open
    for natural in range(6 * DEPTH + 6):
        for sixes in range(DEPTH - natural // 6, 0, -1):
            rolled = lone_rolls(fight, laws, difference, sixes, natural, tie)
            lone[sixes, natural] = settled(
                fight, wants, difference, 6 * sixes, natural, tie, rolled, nothing, True, False
            )
            rolled = other_rolls(fight, laws, difference, natural, sixes, tie)
            other[sixes, natural] = settled(
                fight, wants, difference, natural, 6 * sixes, tie, nothing, rolled, False, True
            )
    for total in range(DEPTH, 1, -1):
        for sixes in range(1, total):
            others = total - sixes
            rolled_0, rolled_1 = both_roll(fight, laws, difference, sixes, others, tie)
            both[sixes, others] = settled(
                fight, wants, difference, 6 * sixes, 6 * others, tie, rolled_0, rolled_1, True, True
            )
    opening_one = FAILED if fight.scalars[Rule.NATURAL_ONE_FAILS] else 1
    chance = both[1, 1] + nothing
    for die in range(1, 6):
        natural = opening_one if die == 1 else die
        chance += lone[1, natural] + other[1, natural]
        for die_1 in range(1, 6):
            natural_1 = opening_one if die_1 == 1 else die_1
            chance += stops_at(difference, natural, natural_1, tie)
    return chance / 36


@routine
def initiative_chance(fight, laws, wants, difference):
    """Chance that side 0 strikes first (C-4), by the difference of both INI.

    ``wants`` is 0 if side 0 wants to and side 1 wants it not to; 1 if the reverse.
    """
    one = laws.parry[0, 0, 0, 0] * 0 + 1
    tie = fight.scalars[Rule.OPPOSED_TIE]
    if tie == Tie.COIN:
        return opposed_test(fight, laws, wants, difference, one / 2)
    if tie == Tie.FIRST:
        return opposed_test(fight, laws, wants, difference, one * (fight.chooser == 0))
    if tie == Tie.HIGHER_CHARACTERISTIC and difference != 0:
        return opposed_test(fight, laws, wants, difference, one * (difference > 0))
    # rolled again: the tie is worth what the whole test is worth
    lost = opposed_test(fight, laws, wants, difference, one - one)
    won = opposed_test(fight, laws, wants, difference, one)
    chance = lost / (1 - (won - lost))
    fixed = fight.policy[0, Decision.REROLL_INITIATIVE] != OPTIMAL
    if fixed and fight.policy[1, Decision.REROLL_INITIATIVE] != OPTIMAL:
        return chance
    for _ in range(200):
        better = opposed_test(fight, laws, wants, difference, chance)
        if abs(better - chance) * 10**16 < 1:
            return better
        chance = better
    return chance


@routine
def first_chance(fight, laws, wants, difference):
    """`initiative_chance`, each difference of INI worked out once."""
    difference = min(max(difference, -MAX_LEAD), MAX_LEAD)
    place = difference + MAX_LEAD
    if not laws.knows_first[wants, place]:
        laws.first[wants, place] = initiative_chance(fight, laws, wants, difference)
        laws.knows_first[wants, place] = 1
    return laws.first[wants, place]


@routine
def lone_first(fight, laws, turn, wants):
    """Chance that the lone fighter's side strikes first, by whoever tests for the others (C-4)."""
    ini = current(fight, turn, 0, Stat.INI)
    bonus = fight.scalars[Rule.NUMBERS_BONUS] * (fight.living - 1)
    tester = tester_choice(fight, turn, 0)
    chance = first_chance(fight, laws, wants, ini - current(fight, turn, tester, Stat.INI) - bonus)
    tester = tester_choice(fight, turn, tester)
    while tester:
        other = first_chance(
            fight, laws, wants, ini - current(fight, turn, tester, Stat.INI) - bonus
        )
        chance = min(chance, other) if wants == 0 else max(chance, other)
        tester = tester_choice(fight, turn, tester)
    return chance


@kernel
def opposed_law(fights, tables, difference):
    """Chances that the lone fighter's side wins, ties and loses a roll-off (W-1.5); fixed policies.

    ``difference`` is his characteristic less the other's.
    """
    fight, laws = fights[0], tables[0]
    one = laws.parry[0, 0, 0, 0] * 0 + 1
    wins = opposed_test(fight, laws, 0, difference, one - one)
    holds = opposed_test(fight, laws, 0, difference, one)
    return wins, holds - wins, 1 - holds


@kernel
def rerolls_initiative(fights, tables, wants, difference, side, gains):
    """What the re-roll of an Initiative die of 6 gains, by the enemy's natural result (W-1.5).

    ``gains`` gets the chance to strike first if ``side`` re-rolls its 6, less that if it keeps it,
    for results from 1 on. The enemy may re-roll a first 6; of a higher result his test is over.
    """
    fight, laws = fights[0], tables[0]
    tie = initiative_chance(fight, laws, wants, difference)
    opposed_test(fight, laws, wants, difference, tie)
    for result in range(1, len(gains) + 1):
        natural = FAILED if result == 1 and fight.scalars[Rule.NATURAL_ONE_FAILS] else result
        if side == 0:
            rolled = lone_rolls(fight, laws, difference, 1, natural, tie)
            gains[result - 1] = rolled - stops_at(difference, 6, natural, tie)
        else:
            rolled = other_rolls(fight, laws, difference, natural, 1, tie)
            gains[result - 1] = stops_at(difference, natural, 6, tie) - rolled
    # against a 6, the enemy may still re-roll his
    rolled_0, rolled_1 = both_roll(fight, laws, difference, 1, 1, tie)
    if side == 0:
        kept = settled(fight, wants, difference, 6, 6, tie, rolled_0, rolled_1, False, True)
        gains[5] = rolled_0 - kept
    else:
        kept = settled(fight, wants, difference, 6, 6, tie, rolled_0, rolled_1, True, False)
        gains[5] = kept - rolled_1
