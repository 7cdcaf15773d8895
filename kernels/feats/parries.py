"""Exact chances of a defence test where somebody has an ability (W-7, C-6.4).

Vectors are those of `layout.feats`. Values are the striker's: his enemy wants them low.
"""

import numpy as np

from .._jit import part, routine
from ..combat.feats import number_of, opens_of
from ..combat.policy import decides
from ..exact.choices import is_better
from ..exact.dice import FAILED, REFUSED, natural_after_one
from ..layout.abilities import Effect, Number, Roll
from ..layout.combat import Rule
from ..layout.exact import GOALS
from ..layout.feats import CAP, KNOWN_DICE, PARRY_ENDS, Ends, Parry
from ..layout.policy import OPTIMAL, Decision, Luck, Reroll
from .vectors import add_share, clear, copy, exchange_end, parry_end

NEVER_REACHED = GOALS + 6


@part
def grade(parry, natural):
    """How good a natural result is: 0 lands, 1 parries, 2 by enough for a counter-attack."""
    if natural == FAILED or natural < parry.goal:
        return 0
    return 2 if natural >= parry.strong else 1


@part
def parry_value(feats, vector, first):
    """What the ends of a defence test are worth to the striker; ``first`` as in `Parry`."""
    value = 0.0
    for end in range(3):
        for luck in range(2):
            value += vector[parry_end(end, luck)] * feats.worth[exchange_end(end, first + luck)]
    return value


@part
def better_for_target(feats, one, other, first):
    """Whether the target prefers a vector to another, by more than rounding."""
    return is_better(1, parry_value(feats, one, first), parry_value(feats, other, first))


@part
def rolls_on(feats, parry, graded, rolled, kept):
    """Whether the parrier re-rolls an open die."""
    if parry.reroll == Reroll.NEEDED:
        return graded == 0
    if parry.reroll == REFUSED:
        return graded > 0
    if parry.reroll == OPTIMAL:
        return better_for_target(feats, rolled, kept, parry.first)
    return parry.reroll == Reroll.ALWAYS


@part
def rest_into(fight, feats, parry, sixes, fives, graded, into):
    """Copy the vector once a chain has ended: other open dice may be re-rolled."""
    if fight.scalars[Rule.ONE_CHAIN]:
        copy(feats.stop[shown_grade(parry, sixes, fives, graded)], into, PARRY_ENDS)
    else:
        copy(feats.open[sixes, fives, graded], into, PARRY_ENDS)


@part
def shown_grade(parry, sixes, fives, graded):
    """How good the dice are as they lie."""
    if sixes > 0:
        graded = max(graded, grade(parry, 6))
    if fives > 0:
        graded = max(graded, grade(parry, 5))
    return graded


@routine
def follow_chain(fight, feats, parry, die, sixes, fives, graded):
    """Fill ``chain[die]`` with the ends of re-rolling an open die that shows ``die``.

    ``sixes`` and ``fives`` are the other open dice, ``graded`` the best of the closed ones.
    """
    # from ``top`` on every result is as good
    opens = parry.opens
    top = max(min(parry.strong if parry.strong < NEVER_REACHED else parry.goal, CAP), die)
    other = shown_grade(parry, sixes, fives, graded)
    best = max(graded, grade(parry, top))
    kept, lost = feats.kept, feats.lost
    rest_into(fight, feats, parry, sixes, fives, best, kept)
    one = max(graded, grade(parry, natural_after_one(fight, top)))
    rest_into(fight, feats, parry, sixes, fives, one, lost)
    row = feats.chain[top + 6]  # re-rolled for ever
    clear(row, PARRY_ENDS)
    add_share(lost, 1 / (opens - 1), row, PARRY_ENDS)
    add_share(kept, (opens - 2) / (opens - 1), row, PARRY_ENDS)
    going = rolls_on(feats, parry, max(best, other), row, kept)
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
            found = max(graded, grade(parry, after))
            rest_into(fight, feats, parry, sixes, fives, found, lost)
            add_share(lost, 1 / 6, row, PARRY_ENDS)
        if natural > die:
            found = max(graded, grade(parry, natural))
            rest_into(fight, feats, parry, sixes, fives, found, kept)
            if not rolls_on(feats, parry, max(found, other), row, kept):
                copy(kept, row, PARRY_ENDS)


@routine
def fill_open(fight, feats, parry, sixes, fives):
    """Fill ``open`` for so many open dice of all, those with fewer being filled."""
    chooses = parry.reroll == OPTIMAL and sixes > 0  # which die he re-rolls, a 6 or a 5
    for graded in range(1 if sixes + fives == parry.dice else 3):
        row = feats.open[sixes, fives, graded]
        shown = shown_grade(parry, sixes, fives, graded)
        kept = feats.stop[shown]
        if sixes + fives == 0:
            copy(kept, row, PARRY_ENDS)
            continue
        clear(row, PARRY_ENDS)
        if sixes > 0:
            follow_chain(fight, feats, parry, 6, sixes - 1, fives, graded)
            add_share(feats.chain[6], sixes / (sixes + fives), row, PARRY_ENDS)
        if fives > 0:
            if chooses:
                copy(feats.chain[6], feats.six, PARRY_ENDS)
            follow_chain(fight, feats, parry, 5, sixes, fives - 1, graded)
            if chooses:
                copy(feats.six, row, PARRY_ENDS)
                if better_for_target(feats, feats.chain[5], row, parry.first):
                    copy(feats.chain[5], row, PARRY_ENDS)
            else:
                add_share(feats.chain[5], fives / (sixes + fives), row, PARRY_ENDS)
        if not rolls_on(feats, parry, shown, row, kept):
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
def throw_parry(fight, feats, parry, vector):
    """Fill a vector with the ends of a defence test, by what ``stop`` says of each grade."""
    faces, dice, opens = feats.faces, parry.dice, parry.opens
    clear(faces, 3)
    for face in range(1, opens):
        natural = face if face > fight.scalars[Rule.NATURAL_ONE_FAILS] else FAILED
        for graded in range(grade(parry, natural), 3):
            faces[graded] += 1 / 6
    clear(vector, PARRY_ENDS)
    most_sixes = dice if opens <= 6 else 0
    most_fives = dice if opens <= 5 else 0
    for sixes in range(most_sixes + 1):
        for fives in range(min(most_fives, dice - sixes) + 1):
            fill_open(fight, feats, parry, sixes, fives)
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
def parry_ends(fight, feats, exchange, goal, first, vector):
    """Fill a vector with the ends of the defence test of an exchange (C-6.4).

    ``goal`` is the natural result that parries; ``first`` as in `Parry`.
    """
    j, dice, counters = exchange.target, exchange.committed, exchange.counters
    goal = min(goal, GOALS - 1)
    reroll, luck = decides(fight, j, Decision.REROLL_DEFENCE), decides(fight, j, Decision.LUCK)
    lucky = exchange.lucky and luck != Luck.NEVER
    chooses = lucky and luck == OPTIMAL
    fixed = not chooses and (reroll != OPTIMAL or (not counters and not lucky))
    wants = 0
    if reroll == OPTIMAL and fixed:
        parried = feats.worth[exchange_end(Ends.PARRIED, first)]
        wants = int(parried > feats.worth[exchange_end(Ends.LANDS, first)])
        reroll = REFUSED if wants else np.int64(Reroll.NEEDED)
    if not counters:
        goal = max(goal, 1)
    keeps = fixed and dice <= KNOWN_DICE and goal >= 0
    if keeps and feats.parry_known[j, int(counters), int(lucky), wants, dice, goal]:
        copy(feats.parry[j, int(counters), int(lucky), wants, dice, goal], vector, PARRY_ENDS)
        return
    strong = NEVER_REACHED
    if counters:
        strong = goal + fight.numbers[j, Number.COUNTER_MARGIN]
    parry = Parry(dice, goal, strong, opens_of(fight, j, Roll.DEFENCE), reroll, first)
    for graded in range(3):
        clear(feats.stop[graded], PARRY_ENDS)
        feats.stop[graded, parry_end(graded, int(lucky))] = 1.0
    if lucky:
        throw_parry(fight, feats, parry, feats.again)
        for graded in range(3):
            row = feats.stop[graded]
            row[parry_end(graded, 0)], row[parry_end(graded, 1)] = 1.0, 0.0
            repeats = graded == 0
            if chooses:
                repeats = better_for_target(feats, feats.again, row, first)
            if repeats:
                copy(feats.again, row, PARRY_ENDS)
    throw_parry(fight, feats, parry, vector)
    if keeps:
        copy(vector, feats.parry[j, int(counters), int(lucky), wants, dice, goal], PARRY_ENDS)
        feats.parry_known[j, int(counters), int(lucky), wants, dice, goal] = 1


@part
def gains(fight, j):
    """Most attack dice that one parry gives."""
    dice = number_of(fight, j, Effect.COUNTER_ATTACK, Number.COUNTER_DICE)
    return dice + number_of(fight, j, Effect.PARRY_DICE, Number.PARRY_DICE)
