"""What a combat is worth by exact odds known beforehand, in expected PA (C-3 to C-7).

Of one against one, and of one against two alike, the odds stand in the record, by wounds and by
what weighs on whom. One against several different enemies is taken as the mean of one against as
many like each of them; a third enemy and each further one is taken to change what the lone
fighter survives, and what each enemy loses, by the factor by which the second one did. Friends
who share an enemy fight it together. Stunned fighters count as those who are not.
"""

import numpy as np

from .._jit import part, routine
from ..combat.feats import has, number_of
from ..core.dice import least_result
from ..core.sets import NONE, bit, count_bits, lowest, without_lowest
from ..layout.abilities import Effect, Number
from ..layout.battle import MAX_GOAL, NUMBERS, Custom, Manner, Odd, Pen, Trait
from ..layout.maintenance import Marker
from ..table.contacts import enemies
from .march import side_of
from .nerve import courage, fear_of, fears

SMALL = 1e-6


@part
def worth_of(battle, i):
    """PA of a fighter, 0 where they are not known."""
    return max(battle.traits[i, Trait.PA], 0)


@part
def pair_of(battle, i, j):
    """Which pair of kinds two enemies are."""
    if battle.traits[i, Trait.SIDE] == 0:
        return battle.kind[i] * battle.kinds[1] + battle.kind[j]
    return battle.kind[j] * battle.kinds[1] + battle.kind[i]


@part
def pen_of(battle, lone, other, charged, defends):
    """What weighs on whom; masks of who is taken as charged, or has all dice in defence."""
    lone_marks, other_marks = battle.markers[lone], battle.markers[other]
    if (lone_marks & Marker.DEFENCE) != 0 or (defends & bit(lone)) != NONE:
        return Pen.LONE_DEFENDS.value
    if (other_marks & Marker.DEFENCE) != 0 or (defends & bit(other)) != NONE:
        return Pen.OTHERS_DEFEND.value
    if (lone_marks & Marker.CHARGED) != 0 or (charged & bit(lone)) != NONE:
        return Pen.LONE_CHARGED.value
    if (other_marks & Marker.CHARGED) != 0 or (charged & bit(other)) != NONE:
        return Pen.OTHERS_CHARGED.value
    return Pen.NONE.value


@part
def odds_of(battle, lone, other, numbers, pen):
    """Share of the lone fighter's PA that is lost, and of each enemy's, against some alike."""
    own, enemy = battle.level[battle.state[lone]], battle.level[battle.state[other]]
    pair, side = pair_of(battle, lone, other), battle.traits[lone, Trait.SIDE]
    row = battle.odds[side, pair, numbers - 1, pen, own, enemy]
    return np.float64(row[Odd.LOST]), np.float64(row[Odd.TAKEN])


@routine
def duel_balance(battle, lone, other, charged, defends):
    """Expected PA that a fighter's side takes, less what it loses, one against one."""
    lost, taken = odds_of(battle, lone, other, 1, pen_of(battle, lone, other, charged, defends))
    return taken * worth_of(battle, other) - lost * worth_of(battle, lone)


@part
def grown(one, two, extra):
    """A share that changes with each further enemy by the factor of the second."""
    share = two
    factor = two / max(one, SMALL)
    for _ in range(extra):
        share *= factor
    return min(share, 1.0)


@routine
def balance(battle, lone, mask, charged, defends):
    """Expected PA that the lone fighter's side takes, less what it loses, against a mask."""
    count = count_bits(mask)
    if count == 0:
        return 0.0
    gain, spared, extra, left = 0.0, 0.0, max(count - NUMBERS, 0), mask
    if count == 1:
        return duel_balance(battle, lone, lowest(mask), charged, defends)
    while left != NONE:
        j, left = lowest(left), without_lowest(left)
        pen = pen_of(battle, lone, j, charged, defends)
        lost, taken = odds_of(battle, lone, j, NUMBERS, pen)
        if extra > 0:
            lost_one, taken_one = odds_of(battle, lone, j, 1, pen)
            lost = 1 - grown(1 - lost_one, 1 - lost, extra)
            taken = grown(taken_one, taken, extra)
        gain += taken * worth_of(battle, j)
        spared += 1 - lost
    return gain - (1 - spared / count) * worth_of(battle, lone)


@routine
def contact_stake(battle, i, j):
    """Expected balance for a fighter's side of its combat with an enemy to whom it goes alone."""
    return -balance(battle, j, enemies(battle.table, j) | bit(i), NONE, NONE)


@routine
def held_stake(battle, i, mask, defends):
    """Expected balance for a fighter's side of the combats that it may be in with a mask."""
    count = count_bits(mask)
    if count > 1:
        return balance(battle, i, mask, NONE, defends)
    if count == 0:
        return 0.0
    j = lowest(mask)
    return -balance(battle, j, enemies(battle.table, j) | bit(i), NONE, defends)


@part
def charge_mask(battle, i, j):
    """The enemy as a mask, if a charge of this fighter alone would weigh on him (M-5.1)."""
    return weighed(battle, j, power_charging(battle, i), has(battle, i, Effect.BRUTAL))


@part
def power_charging(battle, i):
    """Power of a fighter who charges (M-5.1, W-7)."""
    more = number_of(battle, i, Effect.POWER_CHARGING, Number.POWER_CHARGING)
    return battle.traits[i, Trait.POWER] + more


@part
def weighed(battle, j, power, brutal):
    """The enemy as a mask, if a charge of so much power would weigh on him (M-5.1, W-7)."""
    hit = brutal or power >= battle.powers[j]
    return bit(j) if hit and not has(battle, j, Effect.STEADY) else NONE


@routine
def joint_charge_mask(battle, i, j):
    """The same of a fighter and of those who are to charge with it (M-5.1)."""
    power, left = power_charging(battle, i), battle.pledged[j]
    brutal = has(battle, i, Effect.BRUTAL)
    while left != NONE:
        k, left = lowest(left), without_lowest(left)
        power += power_charging(battle, k)
        brutal = brutal or has(battle, k, Effect.BRUTAL)
    return weighed(battle, j, power, brutal)


@part
def held_by(battle, j):
    """Mask of those who touch an enemy, or are to assail it in this speaking turn."""
    return enemies(battle.table, j) | (battle.pledged[j] & battle.table.here)


@part
def chance_of(battle, goal):
    """Chance that a die, a 6 re-rolled where it is not enough, reaches a goal (W-1.2)."""
    return battle.chance[min(max(goal, 0), MAX_GOAL)]


@routine
def firmness(battle, i, j, charger):
    """About the chance that a fighter is not routed by an enemy, of whom one charges (W-4.1)."""
    if not fears(battle, i, j, charger):
        return 1.0
    least = least_result(battle, fear_of(battle, j, charger))
    return chance_of(battle, least - courage(battle, i, charger))


@routine
def charge_worth(battle, i, j):
    """Expected PA that a fighter's side gains if it charges an enemy whom nobody else fights."""
    worth = duel_balance(battle, i, j, charge_mask(battle, i, j), NONE)
    stands = firmness(battle, j, i, i)
    if stands < 1 and battle.customs[Custom.ROUTED_DEFENCE]:
        worth = stands * worth + (1 - stands) * duel_balance(battle, i, j, NONE, bit(j))
    return worth


@routine
def assault_worth(battle, i, j):
    """Expected PA that a free fighter's side gains if it charges an enemy, fear included (W-4)."""
    firm = firmness(battle, i, j, i)
    worth = contact_worth(battle, i, j)
    if firm < 1:
        rout = battle.manner[side_of(battle, i), Manner.WOUND] * worth_of(battle, i)
        worth = firm * worth - (1 - firm) * rout
    return worth


@routine
def contact_worth(battle, i, j):
    """Expected PA that a free fighter's side gains if it comes to touch an enemy."""
    held = held_by(battle, j)
    if held == NONE:
        return charge_worth(battle, i, j)
    charged = joint_charge_mask(battle, i, j)
    if count_bits(held) == 1:
        f = lowest(held)
        met = enemies(battle.table, f)
        if count_bits(met) > 1:  # a friend against several is helped out
            before = balance(battle, f, met, NONE, NONE)
            after = balance(battle, f, met & ~bit(j), NONE, NONE)
            return after + duel_balance(battle, i, j, charged, NONE) - before
    before = -balance(battle, j, held, NONE, NONE)
    return -balance(battle, j, held | bit(i), charged, NONE) - before


@routine
def side_balance(battle, side, lone, mask):
    """Expected balance of a combat for a side."""
    worth = balance(battle, lone, mask & ~bit(lone), NONE, NONE)
    return worth if side_of(battle, lone) == side else -worth
