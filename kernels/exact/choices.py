"""All that a player may do where his policy leaves the decision open (`layout.policy.OPTIMAL`)."""

from .._jit import part, routine
from ..combat.fight import next_attack
from ..combat.placing import placements_of
from ..combat.policy import can_strike, initiative_fighter, parry_dice, sustains
from ..combat.wounds import is_dead
from ..layout.policy import DECISIONS, OPTIMAL, Decision

ROUNDING = 10**13  # a gain below its inverse may be rounding


@routine
def is_open(fight):
    """Whether any decision of either side is left open."""
    for side in range(2):
        for decision in range(DECISIONS):
            if fight.policy[side, decision] == OPTIMAL:
                return True
    return False


@routine
def count_placements(fight, turn):
    """In how many ways the fighters may place their dice."""
    ways = 1
    for i in range(fight.n):
        ways *= placements_of(fight, turn, i, True)
    return ways


@routine
def best_placement(fight, turn, ways, values, picks):
    """The placement where each fighter in his turn does best, seeing those before him (C-3.2).

    ``values`` has in row 0 what each is worth to side 0; row 1 and ``picks`` are scratch.
    """
    for way in range(ways):
        values[1, way], picks[way] = values[0, way], way
    for rank in range(fight.n - 1, -1, -1):
        i = fight.order[rank]
        radix = placements_of(fight, turn, i, True)
        if radix == 1:
            continue
        ways //= radix
        for way in range(ways):
            best = way + (radix - 1) * ways
            for attack in range(radix - 1):
                other = way + attack * ways
                if is_better(min(i, 1), values[1, other], values[1, best]):
                    best = other
            values[1, way], picks[way] = values[1, best], picks[best]
    return picks[0]


@part
def is_better(side, value, best):
    """Whether a value is better for a side, by more than rounding can tell."""
    gain = value - best if side == 0 else best - value
    return gain * ROUNDING > 1


@routine
def list_attacks(fight, laws, turn, side):
    """List who may strike whom next, and return their number (C-5.3, C-5.4)."""
    decision = Decision.TARGET if side == 0 else Decision.STRIKE_ORDER
    if fight.policy[side, decision] != OPTIMAL:
        laws.striker[0], laws.target[0] = next_attack(fight, turn, side, None)
        return 1
    count = 0
    for i in range(1, fight.n):
        if side == 1 and can_strike(fight, i, None):
            laws.striker[count], laws.target[count] = i, 0
            count += 1
        elif side == 0 and not is_dead(fight, i) and not fight.struck[i]:
            laws.striker[count], laws.target[count] = 0, i
            count += 1
    return count


@routine
def list_defences(fight, laws, j):
    """List the ways to meet the attack just declared on ``j``, and return their number.

    Dice committed, none first, and whether the die is sustained (C-6.2, C-7).
    """
    left, sustained = fight.defence[j], fight.sustained[j]
    if sustained or left == 0:
        laws.committed[0], laws.sustains[0] = sustained, sustained
        return 1
    side = min(j, 1)
    least, most = 0, left
    if fight.policy[side, Decision.PARRY] != OPTIMAL:
        least = most = parry_dice(fight, j)
    count = 0
    free = fight.policy[side, Decision.SUSTAIN] == OPTIMAL and fight.may_sustain[j] == 1
    for committed in range(least, most + 1):
        either = free and committed == 1 and fight.defence[j] == 1  # (C-7.1)
        laws.committed[count] = committed
        laws.sustains[count] = not either and sustains(fight, j, committed)
        count += 1
        if either:
            laws.committed[count], laws.sustains[count] = committed, 1
            count += 1
    return count


@routine
def tester_choice(fight, turn, tester):
    """The next fighter after ``tester`` who may take the Initiative test; 0: no more (C-4.1)."""
    if fight.policy[1, Decision.INITIATIVE] != OPTIMAL:
        return initiative_fighter(fight, turn) if tester == 0 else 0
    for i in range(tester + 1, fight.n):
        if not is_dead(fight, i):
            return i
    return 0
