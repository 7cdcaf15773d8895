"""Exact chances of single tests (W-1, W-2, C-6): what `core.dice` rolls, summed over all rolls.

A chain of sixes has no longest one. Where its sum has a closed form it is taken; else
the chain ends after ``DEPTH`` sixes, the last of them kept: nothing is dropped, and what
may be counted wrongly weighs 6**-DEPTH a test.

Every value may be a float, or, uncompiled, a `fractions.Fraction`: no number with a
decimal point stands here.
"""

from .._jit import kernel, part, routine
from ..combat.fight import can_fail
from ..combat.placing import combat_dice
from ..combat.wounds import wound_row
from ..layout.combat import OUTCOMES, STATS, THROWS, RerollOne, Rule, Stat
from ..layout.exact import DEPTH, GOALS, MAX_LEAD
from ..layout.policy import OPTIMAL, Decision, Reroll
from .dice import FAILED, REFUSED, keeps, natural_after_one, parry_chance


@part
def chance_to_parry(laws, side, wants, dice, goal):
    """Chance of a parry from the table."""
    return laws.parry[side, wants, dice, min(max(goal, 1), GOALS - 1)]


@part
def is_safe(fight, attack):
    """Whether no attack test with so much ATT can fail automatically (C-6.3)."""
    scalars = fight.scalars
    return (
        attack + 1 > scalars[Rule.AUTOMATIC_FAILURE]
        and scalars[Rule.NATURAL_ONE_FAILS] == 0
        and scalars[Rule.REROLL_ONE] != RerollOne.FAIL
    )


@part
def attack_ends(fight, laws, side, wants, dice, attack, lead, natural):
    """Chances that an attack of this natural result fails automatically, and that it lands."""
    zero = laws.parry[0, 0, 0, 0]
    if natural == FAILED or natural + attack <= fight.scalars[Rule.AUTOMATIC_FAILURE]:
        return zero + 1, zero
    return zero, 1 - chance_to_parry(laws, 1 - side, wants, dice, natural + lead)


@part
def roll_ends(fight, laws, side, wants, dice, attack, lead, natural):
    """The same of a 6 that is re-rolled, by 1 to 5 on the new die, added up."""
    after = (
        natural_after_one(fight, natural) if natural else 1 - fight.scalars[Rule.NATURAL_ONE_FAILS]
    )
    fails, lands = attack_ends(fight, laws, side, wants, dice, attack, lead, after)
    for die in range(2, 6):
        a, b = attack_ends(fight, laws, side, wants, dice, attack, lead, natural + die)
        fails, lands = fails + a, lands + b
    return fails, lands


@routine
def six_ends(fight, laws, side, wants, dice, attack, lead, asked, failed, parried, hit):
    """What follows an attack die that shows a 6: chances as of `exchange`, and whether it is kept.

    ``asked`` is the natural result, 6 or a multiple, that is asked about (W-1.2); True also where a
    lower one is kept already.
    """
    reroll = fight.policy[side, Decision.REROLL_ATTACK]
    needed = fight.policy[side, Decision.MARGIN] + 1 - lead
    if dice == 0:
        needed = fight.scalars[Rule.AUTOMATIC_FAILURE] + 1 - attack
    top = max(failed, parried, hit)
    natural = 0
    keep = False
    while not keep and natural < 6 * DEPTH:
        natural += 6
        fails, lands = attack_ends(fight, laws, side, wants, dice, attack, lead, natural)
        if reroll == OPTIMAL:  # kept, if another 6 would not make the re-roll worth it
            a, b = roll_ends(fight, laws, side, wants, dice, attack, lead, natural)
            rolled = a * failed + b * hit + (5 - a - b) * parried + top
            keep = 6 * (fails * failed + lands * hit + (1 - fails - lands) * parried) >= rolled
        else:
            keep = keeps(reroll, natural, needed)
    kept_asked = keep or natural != asked
    while natural > 6:
        natural -= 6
        a, b = roll_ends(fight, laws, side, wants, dice, attack, lead, natural)
        fails, lands = (fails + a) / 6, (lands + b) / 6
        keep = False
        if reroll == OPTIMAL:
            rolled = fails * failed + lands * hit + (1 - fails - lands) * parried
            a, b = attack_ends(fight, laws, side, wants, dice, attack, lead, natural)
            keep = a * failed + b * hit + (1 - a - b) * parried >= rolled
            if keep:
                fails, lands = a, b
        if natural == asked:
            kept_asked = keep
    return fails, lands, kept_asked


@routine
def exchange(fight, laws, side, wants, dice, attack, lead, failed, parried, hit):
    """Chances that an attack that is rolled fails automatically, and that it lands (C-6.3, C-6.4).

    ``side`` is the striker's, ``wants`` 0 if he would rather land it than have it parried, ``dice``
    what is committed against it, ``lead`` his current ATT less the current DEF. ``failed``,
    ``parried`` and ``hit`` say what each end is worth to him; for a fixed policy, anything.
    """
    fails, lands, _ = six_ends(
        fight, laws, side, wants, dice, attack, lead, 6, failed, parried, hit
    )
    a, b = roll_ends(fight, laws, side, wants, dice, attack, lead, 0)
    return (fails + a) / 6, (lands + b) / 6


@part
def attack_chances(fight, laws, side, committed, attack, lead, failed, parried, hit):
    """Chances that an attack of a side fails automatically, and that it lands (C-6); as `exchange`.

    Read from the tables, or worked out where an automatic failure is possible.
    """
    zero = laws.parry[0, 0, 0, 0]
    if committed == 0 and not can_fail(fight, attack):
        return zero, zero + 1
    wants = 0 if hit >= parried else 1
    if is_safe(fight, attack):
        place = min(max(lead, -MAX_LEAD), MAX_LEAD) + MAX_LEAD
        return zero, laws.hit[side, wants, committed, place]
    return exchange(fight, laws, side, wants, committed, attack, lead, failed, parried, hit)


@part
def parrier_reroll(fight, side, wants):
    """How a side re-rolls its defence dice."""
    reroll = fight.policy[side, Decision.REROLL_DEFENCE]
    if reroll != OPTIMAL:
        return reroll
    return Reroll.NEEDED if wants == 0 else REFUSED


@routine
def learn_parries(fight, laws, dice):
    """Fill the table of parries for up to ``dice`` dice (C-6.4)."""
    one = laws.parry[0, 0, 0, 0] * 0 + 1
    for side in range(2):
        for wants in range(2):
            reroll = parrier_reroll(fight, side, wants)
            for k in range(1, dice + 1):
                for goal in range(1, GOALS):
                    laws.parry[side, wants, k, goal] = parry_chance(fight, one, k, goal, reroll)


@routine
def learn_wounds(fight, laws):
    """Fill the table of wound rolls (W-2)."""
    for row in range(fight.wound_rows):
        for outcome in range(OUTCOMES):
            count = 0
            for dice in range(THROWS):
                count += fight.wound[row, dice] == outcome
            laws.wound[row, outcome] = (laws.parry[0, 0, 0, 0] * 0 + count) / THROWS


@routine
def learn_penalties(fight, laws):
    """Note the least and the most that a state of a living fighter takes."""
    for stat in range(STATS):
        laws.least_penalty[stat] = laws.most_penalty[stat] = fight.penalty[0, 0, stat]
        for state in range(1, fight.dead):
            penalty = fight.penalty[0, state, stat]
            laws.least_penalty[stat] = min(laws.least_penalty[stat], penalty)
            laws.most_penalty[stat] = max(laws.most_penalty[stat], penalty)


@routine
def learn_dice(fight, laws, dice):
    """Make the tables hold up to ``dice`` dice, for no lead yet."""
    learn_wounds(fight, laws)
    learn_penalties(fight, laws)
    learn_parries(fight, laws, dice)
    laws.dice, laws.low, laws.high = dice, 0, -1


@routine
def learn_leads(fight, laws, low, high):
    """Add the chances to land an attack for all leads from ``low`` to ``high``."""
    known_low, known_high = laws.low, laws.high
    if known_low <= known_high:
        low, high = min(low, known_low), max(high, known_high)
    laws.low, laws.high = low, high
    safe = fight.scalars[Rule.AUTOMATIC_FAILURE] + 1
    zero = laws.parry[0, 0, 0, 0]
    for side in range(2):
        for wants in range(2):
            for k in range(laws.dice + 1):
                for lead in range(low, high + 1):
                    if known_low <= lead <= known_high:
                        continue
                    # a test that cannot fail automatically: only parried or not counts
                    _, lands = exchange(
                        fight,
                        laws,
                        side,
                        wants,
                        k,
                        safe,
                        lead,
                        zero,
                        zero + wants,
                        zero + 1 - wants,
                    )
                    laws.hit[side, wants, k, lead + MAX_LEAD] = lands


@routine
def prepare(fight, laws, turn):
    """Make the tables hold all tests that the combat of one turn can need."""
    low, high, most = MAX_LEAD, -MAX_LEAD, 1
    for i in range(fight.n):
        most = max(most, combat_dice(fight, i))
    if most > laws.dice:
        learn_dice(fight, laws, most)
    for i in range(1, fight.n):
        for side in range(2):
            striker, target = (0, i) if side == 0 else (i, 0)
            least_att, most_att = span(fight, laws, turn, striker, Stat.ATT)
            least_def, most_def = span(fight, laws, turn, target, Stat.DEF)
            least_def -= fight.scalars[Rule.SUSTAINED_PENALTY]
            low, high = min(low, least_att - most_def), max(high, most_att - least_def)
    low, high = max(low, -MAX_LEAD), min(high, MAX_LEAD)
    if low < laws.low or high > laws.high:
        learn_leads(fight, laws, low, high)


@part
def span(fight, laws, turn, i, stat):
    """Least and most of a characteristic over all states of a living fighter."""
    value = fight.values[min(turn, 1), i, stat]
    return value - laws.most_penalty[stat], value - laws.least_penalty[stat]


@kernel
def natural_law(fights, tables, reroll, needed, law):
    """Fill in the chances of the natural results of one die, 0 for a failed test (W-1.2).

    ``reroll`` is a `Reroll`; NEEDED re-rolls a 6 while the result is below ``needed``.
    """
    fight = fights[0]
    one = tables[0].parry[0, 0, 0, 0] * 0 + 1
    law[:] = one - one
    for die in range(1, 6):
        law[die] = one / 6
    if fight.scalars[Rule.NATURAL_ONE_FAILS]:
        law[FAILED], law[1] = law[1], law[FAILED]
    natural, share = 6, one / 6
    while natural < 6 * DEPTH and not keeps(reroll, natural, needed):
        law[natural_after_one(fight, natural)] += share / 6
        for die in range(2, 6):
            law[natural + die] += share / 6
        natural, share = natural + 6, share / 6
    law[natural] += share


@kernel
def attack_law(fights, tables, side, dice, attack, defence):
    """Chances that an attack fails automatically, is parried, lands (C-6.3, C-6.4); fixed policies.

    ``dice`` are committed by the target, 0 if it is not defended.
    """
    fight, laws = fights[0], tables[0]
    if max(dice, 1) > laws.dice:
        learn_dice(fight, laws, max(dice, 1))
    zero = laws.parry[0, 0, 0, 0]
    if dice == 0 and not can_fail(fight, attack):
        return zero, zero, zero + 1
    fails, lands = exchange(fight, laws, side, 0, dice, attack, attack - defence, zero, zero, zero)
    return fails, 1 - fails - lands, lands


@kernel
def keeps_six(fights, tables, side, dice, attack, lead, asked):
    """Whether a striker who wants to land his attack keeps a 6, or more, on his die (W-1.2).

    As `six_ends`. An automatic failure is worth no less to him than a parry.
    """
    fight, laws = fights[0], tables[0]
    if max(dice, 1) > laws.dice:
        learn_dice(fight, laws, max(dice, 1))
    zero = laws.parry[0, 0, 0, 0]
    _, _, keep = six_ends(fight, laws, side, 0, dice, attack, lead, asked, zero, zero, zero + 1)
    return keep


@kernel
def wound_law(fights, tables, difference, law):
    """Chances of the outcomes of a wound roll with so much FOR - RES, into ``law`` (W-2)."""
    fight, laws = fights[0], tables[0]
    if laws.dice == 0:
        learn_dice(fight, laws, 1)
    row = wound_row(fight, difference)
    for outcome in range(OUTCOMES):
        law[outcome] = laws.wound[row, outcome]
