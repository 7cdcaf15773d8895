"""Exact chances of tests and wound rolls where somebody has an ability (W-7, C-6).

Vectors are those of `feat_codes`. Values are the striker's: his enemy wants them low.
"""

import numpy as np

from .._jit import part, routine
from ..combat.feats import POOR, has, is_toxic, number_of, opens_of, outcome_of, poisoned
from ..exact.laws import FAILED, REFUSED, natural_after_one
from ..layout.abilities import Effect, Number, Roll, Weapon
from ..layout.combat import GOALS, OPTIMAL, OUTCOMES, Decision, Luck, Reroll, Rule
from ..layout.feats import CAP, DIFFERENCES, EXCHANGE_ENDS, KNOWN_DICE, PARRY_ENDS, WOUND_LAW, Ends

NEVER_REACHED = GOALS + 6


@part
def decision(fight, i, which):
    """Value of a decision in the policy of fighter ``i``'s side."""
    return fight.policy[min(i, 1), which]


@part
def copy(source, target, length):
    """Copy a vector."""
    for k in range(length):
        target[k] = source[k]


@part
def add_share(source, share, target, length):
    """Add a share of a vector to another."""
    for k in range(length):
        target[k] += source[k] * share


@part
def clear(target, length):
    """Make a vector all zero."""
    for k in range(length):
        target[k] = 0.0


@part
def product(vector, worth, first, length):
    """What a vector of chances is worth."""
    value = 0.0
    for k in range(length):
        value += vector[k] * worth[first + k]
    return value


# --- the defence test -------------------------------------------------------------------------


@part
def grade(natural, goal, strong):
    """How good a natural result is: 0 lands, 1 parries, 2 by enough for a counter-attack."""
    if natural == FAILED or natural < goal:
        return 0
    return 2 if natural >= strong else 1


@part
def parry_value(feats, vector, first):
    """What the ends of a defence test are worth to the striker.

    ``first`` is where the worths of those ends begin, luck of the striker used or not.
    """
    value = 0.0
    for end in range(3):
        for luck in range(2):
            value += vector[2 * end + luck] * feats.worth[4 * end + first + luck]
    return value


@part
def better_for_target(feats, one, other, first):
    """Whether the target prefers a vector to another, by more than rounding."""
    gain = parry_value(feats, other, first) - parry_value(feats, one, first)
    return gain * 10**13 > 1


@part
def rolls_on(feats, reroll, graded, rolled, kept, first):
    """Whether the parrier re-rolls an open die."""
    if reroll == Reroll.NEEDED:
        return graded == 0
    if reroll == REFUSED:
        return graded > 0
    if reroll == OPTIMAL:
        return better_for_target(feats, rolled, kept, first)
    return reroll == Reroll.ALWAYS


@part
def rest_into(fight, feats, sixes, fives, graded, goal, strong, into):
    """Copy the vector once a chain has ended: other open dice may be re-rolled."""
    if fight.scalars[Rule.ONE_CHAIN]:
        copy(feats.stop[shown_grade(sixes, fives, graded, goal, strong)], into, PARRY_ENDS)
    else:
        copy(feats.open[sixes, fives, graded], into, PARRY_ENDS)


@part
def shown_grade(sixes, fives, graded, goal, strong):
    """How good the dice are as they lie."""
    if sixes > 0:
        graded = max(graded, grade(6, goal, strong))
    if fives > 0:
        graded = max(graded, grade(5, goal, strong))
    return graded


@routine
def follow_chain(fight, feats, die, sixes, fives, graded, goal, strong, opens, reroll, first):
    """Fill ``chain[die]`` with the ends of re-rolling an open die that shows ``die``.

    ``sixes`` and ``fives`` are the other open dice, ``graded`` the best of the closed ones.
    """
    # from ``top`` on every result is as good
    top = max(min(strong if strong < NEVER_REACHED else goal, CAP), die)
    other = shown_grade(sixes, fives, graded, goal, strong)
    best = max(graded, grade(top, goal, strong))
    kept, lost = feats.kept, feats.lost
    rest_into(fight, feats, sixes, fives, best, goal, strong, kept)
    one = max(graded, grade(natural_after_one(fight, top), goal, strong))
    rest_into(fight, feats, sixes, fives, one, goal, strong, lost)
    row = feats.chain[top + 6]  # re-rolled for ever
    clear(row, PARRY_ENDS)
    add_share(lost, 1 / (opens - 1), row, PARRY_ENDS)
    add_share(kept, (opens - 2) / (opens - 1), row, PARRY_ENDS)
    going = rolls_on(feats, reroll, max(best, other), row, kept, first)
    for natural in range(top + 6, top - 1, -1):
        if natural < top + 6:
            copy(feats.chain[top + 6], feats.chain[natural], PARRY_ENDS)
        if not going:
            copy(kept, feats.chain[natural], PARRY_ENDS)
    if top == die and not going:
        clear(feats.chain[die], PARRY_ENDS)
        add_share(lost, 1 / 6, feats.chain[die], PARRY_ENDS)
        add_share(kept, 5 / 6, feats.chain[die], PARRY_ENDS)
    for natural in range(top - 1, die - 1, -1):
        row = feats.chain[natural]
        clear(row, PARRY_ENDS)
        for face in range(1, 7):
            if face >= opens:
                add_share(feats.chain[natural + face], 1 / 6, row, PARRY_ENDS)
                continue
            after = natural_after_one(fight, natural) if face == 1 else natural + face
            found = max(graded, grade(after, goal, strong))
            rest_into(fight, feats, sixes, fives, found, goal, strong, lost)
            add_share(lost, 1 / 6, row, PARRY_ENDS)
        if natural > die:
            found = max(graded, grade(natural, goal, strong))
            rest_into(fight, feats, sixes, fives, found, goal, strong, kept)
            if not rolls_on(feats, reroll, max(found, other), row, kept, first):
                copy(kept, row, PARRY_ENDS)


@routine
def fill_open(fight, feats, dice, sixes, fives, goal, strong, opens, reroll, first):
    """Fill ``open`` for so many open dice of all, those with fewer being filled."""
    for graded in range(1 if sixes + fives == dice else 3):
        row = feats.open[sixes, fives, graded]
        shown = shown_grade(sixes, fives, graded, goal, strong)
        kept = feats.stop[shown]
        if sixes + fives == 0:
            copy(kept, row, PARRY_ENDS)
            continue
        clear(row, PARRY_ENDS)
        if sixes > 0:
            follow_chain(
                fight, feats, 6, sixes - 1, fives, graded, goal, strong, opens, reroll, first
            )
            add_share(feats.chain[6], sixes / (sixes + fives), row, PARRY_ENDS)
        if fives > 0:
            if reroll == OPTIMAL and sixes > 0:  # he chooses which; what the 6 gives is known
                copy(feats.chain[6], feats.six, PARRY_ENDS)
            follow_chain(
                fight, feats, 5, sixes, fives - 1, graded, goal, strong, opens, reroll, first
            )
            if reroll == OPTIMAL and sixes > 0:
                copy(feats.six, row, PARRY_ENDS)
                if better_for_target(feats, feats.chain[5], row, first):
                    copy(feats.chain[5], row, PARRY_ENDS)
            else:
                add_share(feats.chain[5], fives / (sixes + fives), row, PARRY_ENDS)
        if not rolls_on(feats, reroll, shown, row, kept, first):
            copy(kept, row, PARRY_ENDS)


@part
def ways_to_throw(dice, sixes, fives):
    """In how many orders so many of the dice are open 6s and open 5s."""
    ways = 1
    for k in range(sixes):
        ways = ways * (dice - k) // (k + 1)
    for k in range(fives):
        ways = ways * (dice - sixes - k) // (k + 1)
    return ways


@routine
def throw_parry(fight, feats, dice, goal, strong, opens, reroll, first, vector):
    """Fill a vector with the ends of a defence test, by what ``stop`` says of each grade."""
    faces = feats.faces
    clear(faces, 3)
    for face in range(1, opens):
        natural = face if face > fight.scalars[Rule.NATURAL_ONE_FAILS] else FAILED
        for graded in range(grade(natural, goal, strong), 3):
            faces[graded] += 1 / 6
    clear(vector, PARRY_ENDS)
    most_sixes = dice if opens <= 6 else 0
    most_fives = dice if opens <= 5 else 0
    for sixes in range(most_sixes + 1):
        for fives in range(min(most_fives, dice - sixes) + 1):
            fill_open(fight, feats, dice, sixes, fives, goal, strong, opens, reroll, first)
            closed = dice - sixes - fives
            weight = ways_to_throw(dice, sixes, fives) / 6.0 ** (sixes + fives)
            below = 0.0
            for graded in range(3):
                reached = faces[graded] ** closed
                share = weight * (reached - below)
                if closed == 0:
                    share = weight if graded == 0 else 0.0
                if share > 0:
                    add_share(feats.open[sixes, fives, graded], share, vector, PARRY_ENDS)
                below = reached


@routine
def parry_ends(fight, feats, j, dice, goal, counters, luck, first, vector):
    """Fill a vector with the ends of a defence test of ``j`` (C-6.4).

    Parameters
    ----------
    dice : int
        Committed, at least one.
    goal : int
        Natural result that parries.
    counters : bool
        Whether a counter-attack can follow.
    luck : bool
        Whether he has luck left.
    first : int
        Where his worths begin (`parry_value`).
    """
    goal = min(goal, GOALS - 1)
    reroll = decision(fight, j, Decision.REROLL_DEFENCE)
    lucky = luck and decision(fight, j, Decision.LUCK) != Luck.NEVER
    chooses = lucky and decision(fight, j, Decision.LUCK) == OPTIMAL
    fixed = not chooses and (reroll != OPTIMAL or (not counters and not lucky))
    wants = 0
    if reroll == OPTIMAL and fixed:
        wants = int(feats.worth[4 * Ends.PARRIED + first] > feats.worth[first])
        reroll = REFUSED if wants else np.int64(Reroll.NEEDED)
    if not counters:
        goal = max(goal, 1)
    keeps = fixed and dice <= KNOWN_DICE and goal >= 0
    if keeps and feats.parry_known[j, int(counters), int(lucky), wants, dice, goal]:
        copy(feats.parry[j, int(counters), int(lucky), wants, dice, goal], vector, PARRY_ENDS)
        return
    opens = opens_of(fight, j, Roll.DEFENCE)
    strong = np.int64(NEVER_REACHED)
    if counters:
        strong = goal + fight.numbers[j, Number.COUNTER_MARGIN]
    for graded in range(3):
        clear(feats.stop[graded], PARRY_ENDS)
        feats.stop[graded, 2 * graded + int(lucky)] = 1.0
    if lucky:
        throw_parry(fight, feats, dice, goal, strong, opens, reroll, first, feats.again)
        for graded in range(3):
            row = feats.stop[graded]
            row[2 * graded], row[2 * graded + 1] = 1.0, 0.0
            repeats = graded == 0
            if chooses:
                repeats = better_for_target(feats, feats.again, row, first)
            if repeats:
                copy(feats.again, row, PARRY_ENDS)
    throw_parry(fight, feats, dice, goal, strong, opens, reroll, first, vector)
    if keeps:
        copy(vector, feats.parry[j, int(counters), int(lucky), wants, dice, goal], PARRY_ENDS)
        feats.parry_known[j, int(counters), int(lucky), wants, dice, goal] = 1


# --- the attack test --------------------------------------------------------------------------


@routine
def fill_stand(fight, feats, i, j, committed, attack, lead, counters, used, luck_j, natural):
    """Fill ``stands[natural]``: the ends if the attack's natural result stands (C-6.3, C-6.4)."""
    row = feats.stands[natural]
    clear(row, EXCHANGE_ENDS)
    if natural == FAILED or natural + attack <= fight.scalars[Rule.AUTOMATIC_FAILURE]:
        row[4 * Ends.FAILED + 2 * used] = 1.0
        return
    if committed == 0:
        row[4 * Ends.LANDS + 2 * used] = 1.0
        return
    vector = feats.found
    parry_ends(fight, feats, j, committed, natural + lead, counters, luck_j, 2 * used, vector)
    for end in range(3):
        for luck in range(2):
            row[4 * end + 2 * used + luck] = vector[2 * end + luck]


@part
def worth_more(feats, one, other):
    """Whether the striker prefers a vector to another, by more than rounding."""
    gain = product(one, feats.worth, 0, EXCHANGE_ENDS)
    gain -= product(other, feats.worth, 0, EXCHANGE_ENDS)
    return gain * 10**13 > 1


@part
def repeats_attack(fight, feats, i, row, natural, attack, committed):
    """Whether the striker rolls the test again by luck."""
    luck = decision(fight, i, Decision.LUCK)
    if luck == OPTIMAL:
        return worth_more(feats, feats.repeated, row)
    failed = natural == FAILED or natural + attack <= fight.scalars[Rule.AUTOMATIC_FAILURE]
    return failed or (committed > 0 and natural <= POOR)


@routine
def throw_attack(
    fight, feats, i, j, committed, attack, lead, counters, used, lucky, luck_j, vector
):
    """Fill a vector with the ends of an attack test, once luck is used or not."""
    reroll = decision(fight, i, Decision.REROLL_ATTACK)
    opens = opens_of(fight, i, Roll.ATTACK)
    needed = fight.policy[min(i, 1), Decision.MARGIN] + 1 - lead
    if committed == 0:
        needed = fight.scalars[Rule.AUTOMATIC_FAILURE] + 1 - attack
    last = CAP
    if reroll == Reroll.NEEDED:
        last = min(max(needed, 6), CAP)
    elif reroll == Reroll.NEVER or opens > 6:
        last = 6
    grows = reroll == OPTIMAL and last == CAP and hits_please(feats, used)
    for natural in range(last + 7):
        if natural == FAILED and not can_be_failed(fight):
            continue
        fill_stand(fight, feats, i, j, committed, attack, lead, counters, used, luck_j, natural)
        row = feats.stands[natural]
        if lucky and repeats_attack(fight, feats, i, row, natural, attack, committed):
            copy(feats.repeated, row, EXCHANGE_ENDS)
        if grows and last == CAP and natural >= 6 and is_kept_for_good(fight, feats, row):
            last = natural
        if natural == last + 6:
            break
    for natural in range(last + 6, 4, -1):
        row, stands = feats.rolls[natural], feats.stands[natural]
        if natural >= last or reroll == Reroll.NEVER:
            copy(stands, row, EXCHANGE_ENDS)
            continue
        clear(row, EXCHANGE_ENDS)
        for face in range(1, 7):
            if face >= opens:
                add_share(feats.rolls[natural + face], 1 / 6, row, EXCHANGE_ENDS)
            else:
                after = natural_after_one(fight, natural) if face == 1 else natural + face
                add_share(feats.stands[after], 1 / 6, row, EXCHANGE_ENDS)
        keep = reroll == Reroll.NEEDED and natural >= needed
        if reroll == OPTIMAL:
            keep = not worth_more(feats, row, stands)
        if keep:
            copy(stands, row, EXCHANGE_ENDS)
    clear(vector, EXCHANGE_ENDS)
    for face in range(1, 7):
        natural = face if face > fight.scalars[Rule.NATURAL_ONE_FAILS] else FAILED
        if face >= opens:
            add_share(feats.rolls[face], 1 / 6, vector, EXCHANGE_ENDS)
        else:
            add_share(feats.stands[natural], 1 / 6, vector, EXCHANGE_ENDS)


@part
def hits_please(feats, used):
    """Whether the striker would rather land his attack than see it end otherwise."""
    for luck in range(2):
        hit = feats.worth[4 * Ends.LANDS + 2 * used + luck]
        for end in range(1, 4):
            if feats.worth[4 * end + 2 * used + luck] > hit:
                return False
    return True


@part
def is_kept_for_good(fight, feats, row):
    """Whether no result as high is re-rolled: even if all but a 1 would land."""
    if natural_after_one(fight, 6) != 1:
        return False
    most = feats.worth[0]
    for luck in range(1, 4):
        most = max(most, feats.worth[luck])
    one = product(feats.stands[1], feats.worth, 0, EXCHANGE_ENDS)
    return 6 * product(row, feats.worth, 0, EXCHANGE_ENDS) >= one + 5 * most


@part
def can_be_failed(fight):
    """Whether a rule can fail a test (W-1.2, W-1.3)."""
    return fight.scalars[Rule.NATURAL_ONE_FAILS] == 1 or natural_after_one(fight, 6) == FAILED


@routine
def exchange_ends(fight, feats, i, j, committed, attack, lead, counters, luck_i, luck_j):
    """Fill ``ends`` with the ends of an attack that is rolled (C-6.3, C-6.4).

    Parameters
    ----------
    committed : int
        Defence dice of ``j``.
    attack, lead : int
        ATT of the test, and what it is above the DEF of the parry.
    counters : bool
        Whether a counter-attack can follow.
    luck_i, luck_j : bool
        Who has luck left.
    """
    lucky = luck_i and decision(fight, i, Decision.LUCK) != Luck.NEVER
    if lucky:
        throw_attack(
            fight, feats, i, j, committed, attack, lead, counters, 1, False, luck_j, feats.repeated
        )
    throw_attack(
        fight, feats, i, j, committed, attack, lead, counters, 0, lucky, luck_j, feats.ends
    )


# --- wound rolls ------------------------------------------------------------------------------


@part
def add_outcome(fight, i, j, outcome, share, law):
    """Add a wound's outcome to a law, a toxic die after it."""
    if not is_toxic(fight, i, j, outcome):
        law[outcome] += share
        return
    twice = fight.numbers[i, Number.TOXIC_TWICE]
    for die in range(1, 7):
        law[poisoned(outcome, die, twice)] += share / 6


@routine
def fill_wound(fight, feats, i, j, variant, difference):
    """Fill the law of a wound roll: chances of the outcomes, and that a die cancels it (W-2)."""
    law = feats.wound[i, j, variant, difference + DIFFERENCES // 2]
    clear(law, WOUND_LAW)
    saved = 0.0
    if has(fight, j, Effect.SURVIVAL):
        saved = min(max(7 - fight.numbers[j, Number.SURVIVAL_DIE], 0), 6) / 6
    law[OUTCOMES] = saved
    three = has(fight, i, Effect.WOUND_DICE) and variant == 1
    thirds = 6 if three else 1
    share = (1 - saved) / (36 * thirds)
    for one in range(1, 7):
        for two in range(1, 7):
            for third in range(1, thirds + 1):
                low, high = min(one, two), max(one, two)
                if three:
                    low, high = max(low, min(high, third)), max(high, third)
                outcome = outcome_of(fight, i, j, low, high, difference, Weapon.MELEE, 0)
                add_outcome(fight, i, j, outcome, share, law)


@routine
def wound_place(fight, feats, i, j, variant, difference):
    """Place of the law of a wound roll; ``difference`` is FOR - RES with what is added to it."""
    held = min(max(difference, -DIFFERENCES // 2), DIFFERENCES // 2 - 1)
    place = held + DIFFERENCES // 2
    if not feats.wound_known[i, j, variant, place]:
        fill_wound(fight, feats, i, j, variant, held)
        feats.wound_known[i, j, variant, place] = 1
    return place


@part
def gains(fight, j):
    """Most attack dice that one parry gives."""
    dice = number_of(fight, j, Effect.COUNTER_ATTACK, Number.COUNTER_DICE)
    return dice + number_of(fight, j, Effect.PARRY_DICE, Number.PARRY_DICE)
