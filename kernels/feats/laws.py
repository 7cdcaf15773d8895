"""Exact chances of attacks and wound rolls where somebody has an ability (W-7, C-6).

Vectors are those of `layout.feats`. Values are the striker's: his enemy wants them low.
"""

from .._jit import part, routine
from ..combat.feats import POOR, has, is_toxic, opens_of, outcome_of, poisoned
from ..combat.policy import decides
from ..exact.choices import is_better
from ..exact.dice import FAILED, natural_after_one
from ..layout.abilities import Effect, Number, Roll, Weapon
from ..layout.combat import OUTCOMES, Rule
from ..layout.feats import (
    CAP,
    DIFFERENCES,
    ENDS,
    EXCHANGE_ENDS,
    LUCKS,
    USED_BY_STRIKER,
    WOUND_LAW,
    Ends,
)
from ..layout.policy import OPTIMAL, Decision, Luck, Reroll
from .parries import parry_ends
from .vectors import add_share, clear, copy, exchange_end, parry_end, product

# --- the attack test --------------------------------------------------------------------------


@part
def fails_outright(fight, exchange, natural):
    """Whether an attack test of this natural result fails automatically (C-6.3)."""
    least = fight.scalars[Rule.AUTOMATIC_FAILURE]
    return natural == FAILED or natural + exchange.attack <= least


@routine
def fill_stand(fight, feats, exchange, used, natural):
    """Fill ``stands[natural]``: the ends if the attack's natural result stands (C-6.3, C-6.4)."""
    row = feats.stands[natural]
    clear(row, EXCHANGE_ENDS)
    if fails_outright(fight, exchange, natural):
        row[exchange_end(Ends.FAILED, used)] = 1.0
        return
    if exchange.committed == 0:
        row[exchange_end(Ends.LANDS, used)] = 1.0
        return
    vector = feats.found
    parry_ends(fight, feats, exchange, natural + exchange.lead, used, vector)
    for end in range(3):
        for luck in range(2):
            row[exchange_end(end, used + luck)] = vector[parry_end(end, luck)]


@part
def worth_more(feats, one, other):
    """Whether the striker prefers a vector to another, by more than rounding."""
    worth = feats.worth
    return is_better(0, product(one, worth, EXCHANGE_ENDS), product(other, worth, EXCHANGE_ENDS))


@part
def repeats_attack(fight, feats, exchange, row, natural):
    """Whether the striker rolls the test again by luck."""
    luck = decides(fight, exchange.striker, Decision.LUCK)
    if luck == OPTIMAL:
        return worth_more(feats, feats.repeated, row)
    poor = exchange.committed > 0 and natural <= POOR
    return fails_outright(fight, exchange, natural) or poor


@routine
def throw_attack(fight, feats, exchange, used, lucky, vector):
    """Fill a vector with the ends of an attack test, once luck is used or not."""
    i = exchange.striker
    reroll = decides(fight, i, Decision.REROLL_ATTACK)
    opens = opens_of(fight, i, Roll.ATTACK)
    needed = decides(fight, i, Decision.MARGIN) + 1 - exchange.lead
    if exchange.committed == 0:
        needed = fight.scalars[Rule.AUTOMATIC_FAILURE] + 1 - exchange.attack
    last = CAP
    if reroll == Reroll.NEEDED:
        last = min(max(needed, 6), CAP)
    elif reroll == Reroll.NEVER or opens > 6:
        last = 6
    grows = reroll == OPTIMAL and last == CAP and hits_please(feats, used)
    for natural in range(last + 7):
        if natural == FAILED and not can_be_failed(fight):
            continue
        fill_stand(fight, feats, exchange, used, natural)
        row = feats.stands[natural]
        if lucky and repeats_attack(fight, feats, exchange, row, natural):
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
        hit = feats.worth[exchange_end(Ends.LANDS, used + luck)]
        for end in range(1, ENDS):
            if feats.worth[exchange_end(end, used + luck)] > hit:
                return False
    return True


@part
def is_kept_for_good(fight, feats, row):
    """Whether no result as high is re-rolled: even if all but a 1 would land."""
    if natural_after_one(fight, 6) != 1:
        return False
    most = feats.worth[exchange_end(Ends.LANDS, 0)]
    for luck in range(1, LUCKS):
        most = max(most, feats.worth[exchange_end(Ends.LANDS, luck)])
    one = product(feats.stands[1], feats.worth, EXCHANGE_ENDS)
    return 6 * product(row, feats.worth, EXCHANGE_ENDS) >= one + 5 * most


@part
def can_be_failed(fight):
    """Whether a rule can fail a test (W-1.2, W-1.3)."""
    return fight.scalars[Rule.NATURAL_ONE_FAILS] == 1 or natural_after_one(fight, 6) == FAILED


@routine
def exchange_ends(fight, feats, exchange, lucky):
    """Fill ``ends`` with the ends of an attack that is rolled (C-6.3, C-6.4).

    ``lucky``: the striker has luck left.
    """
    lucky = lucky and decides(fight, exchange.striker, Decision.LUCK) != Luck.NEVER
    if lucky:
        throw_attack(fight, feats, exchange, USED_BY_STRIKER, False, feats.repeated)
    throw_attack(fight, feats, exchange, 0, lucky, feats.ends)


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
def look_up_wound(fight, feats, i, j, variant, difference):
    """Copy to ``law`` that of a wound roll; ``difference`` is FOR - RES and what is added to it."""
    held = min(max(difference, -DIFFERENCES // 2), DIFFERENCES // 2 - 1)
    place = held + DIFFERENCES // 2
    if not feats.wound_known[i, j, variant, place]:
        fill_wound(fight, feats, i, j, variant, held)
        feats.wound_known[i, j, variant, place] = 1
    copy(feats.wound[i, j, variant, place], feats.law, WOUND_LAW)
