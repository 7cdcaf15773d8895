"""The players' decisions, each read from a side's policy row (``layout.Decision``).

Fighter 0 is alone on side 0; the others are side 1. ``coming`` is the number of
attacks that a defender can still meet in this combat after the present one.
"""

import numpy as np

from .._jit import part, routine
from ..core.dice import note
from ..layout.abilities import Effect, Number
from ..layout.combat import (
    OPTIMAL,
    Column,
    Decision,
    Event,
    Held,
    InitiativeFighter,
    Parry,
    Placement,
    Reroll,
    Rule,
    Stat,
    StrikeOrder,
    Sustain,
    Target,
)
from .feats import number_of
from .placing import (
    all_in_defence,
    begin_feats,
    chain_taken,
    chain_ways,
    extra_dice,
    has_charged,
    held_back,
    most_chained,
    placings_of,
    rages,
    settle,
    splits_freely,
    tell_placing,
)
from .wounds import current, is_dead

FOREVER = 1_000_000_000  # no natural result reaches it: re-roll every 6
NEVER = -FOREVER  # every natural result reaches it: keep every 6


@part
def decides(fight, i, decision):
    """Value of a decision in the policy of fighter ``i``'s side."""
    return fight.policy[min(i, 1), decision]


@part
def combat_dice(fight, i):
    """Number of a fighter's combat dice (C-3.1)."""
    enemies = fight.living if i == 0 else 1
    scalars = fight.scalars
    dice = scalars[Rule.DICE_BASE] + scalars[Rule.DICE_PER_ENEMY] * enemies
    return dice + extra_dice(fight, i) if fight.able else dice


@routine
def expected_attacks(fight, i):
    """Attacks that enemies have already placed against ``i``; -1 if none has placed yet."""
    if i > 0:
        placed = fight.attack[0]
        if placed < 0:
            return -1
        living = fight.living
        return (placed + living - 1) // living
    total, seen = 0, False
    for j in range(1, fight.n):
        if not is_dead(fight, j) and fight.attack[j] >= 0:
            total += fight.attack[j]
            seen = True
    return total if seen else -1


@routine
def is_outclassed(fight, turn, i):
    """Whether some living enemy of ``i`` is the better fighter, wounds and charge included."""
    own = worth(fight, turn, i)
    if i > 0:
        return worth(fight, turn, 0) > own
    for j in range(1, fight.n):
        if not is_dead(fight, j) and worth(fight, turn, j) > own:
            return True
    return False


@part
def worth(fight, turn, i):
    """Sum of what a fighter strikes and stands with."""
    blow = current(fight, turn, i, Stat.ATT) + current(fight, turn, i, Stat.FOR)
    return blow + current(fight, turn, i, Stat.DEF) + current(fight, turn, i, Stat.RES)


@routine
def answering_attack_dice(fight, turn, i, dice):
    """All dice, unless outclassed: then one is kept back for each attack already placed."""
    if not is_outclassed(fight, turn, i):
        return dice
    expected = expected_attacks(fight, i)
    if expected < 0:
        return (dice + 1) // 2
    return dice - min(expected, max(dice - 1, 0))


@part
def attack_dice(fight, turn, i, dice):
    """How many of its dice a fighter places in attack (C-3.2, C-3.6)."""
    row = fight.fighters[i]
    if all_in_defence(fight, turn, i):
        return 0
    attack, defence = row[Column.PLACED_ATTACK], row[Column.PLACED_DEFENCE]
    if attack >= 0:
        placed = attack + defence
        # fewer enemies than the caller placed dice for: the same share, half a die goes to attack
        return attack if placed == dice else (2 * attack * dice + placed) // (2 * placed)
    placement = decides(fight, i, Decision.PLACEMENT)
    if placement == Placement.ATTACK:
        return dice
    if placement == Placement.DEFENCE:
        return 0
    if placement == Placement.ANSWER:
        return answering_attack_dice(fight, turn, i, dice)
    return (dice + 1) // 2


@part
def place_dice(fight, moment):
    """Every living fighter places its dice in order, seeing those before it (C-3).

    All trials of a block begin alike, so in the first turn its first trial places for all.
    """
    if moment.turn == 0 and moment.lane > 0:
        recall_dice(fight)
        if fight.able:
            recall_feats(fight)
        return
    place_anew(fight, moment, 0, True)
    for i in range(fight.n):
        fight.placed[i], fight.placed_defence[i] = fight.attack[i], fight.defence[i]
        fight.placed_held[i] = fight.held[i]


@part
def recall_dice(fight):
    """Give every fighter the dice that the block's first trial placed."""
    fight.strikes = 0
    for i in range(fight.n):
        attack = fight.placed[i]
        fight.attack[i] = attack
        fight.defence[i] = fight.placed_defence[i]
        fight.sustained[i] = 0
        fight.strikes += attack


@routine
def recall_feats(fight):
    """Give every fighter what his abilities had when the block's first trial placed."""
    able = fight.able
    for i in range(fight.n):
        fight.held[i] = fight.placed_held[i]
        fight.into_attack[i], fight.into_defence[i] = fight.attack[i], fight.defence[i]
        fight.may_sustain[i] = fight.defence[i] >= fight.attack[i]
        if able >> Effect.LUCK & 1:
            fight.luck[i] = number_of(fight, i, Effect.LUCK, Number.LUCK_TESTS)
        if able >> Effect.WOUND_DICE & 1:
            fight.fresh[i] = has_charged(fight, 0, i)
        if able >> Effect.DIEHARD & 1:
            fight.doomed[i] = 0


@routine
def placements_of(fight, turn, i, able):
    """From how many placements of a fighter the best is looked for; 1: from none.

    ``able`` is None where nobody has an ability: what they do is compiled away.
    """
    if is_dead(fight, i) or all_in_defence(fight, turn, i):
        return 1
    dice = combat_dice(fight, i)
    plain = dice + 1 if splits_freely(fight, i) else 1
    if able is None:
        return plain
    return placings_of(fight, turn, i, dice) if fight.able else plain


@routine
def place_anew(fight, moment, way, able):
    """Let every living fighter place its dice, in order.

    ``way`` counts the placements that may be the best one: the first to choose has the
    lowest digit, which is his attack dice. ``able`` as in `placements_of`.
    """
    fight.strikes = 0
    for i in range(fight.n):
        fight.attack[i] = -1
        fight.sustained[i] = 0
    for rank in range(fight.n):
        i = fight.order[rank]
        if is_dead(fight, i):
            fight.attack[i] = 0
            fight.defence[i] = 0
            fight.held[i] = 0
            continue
        dice = combat_dice(fight, i)
        ways = placements_of(fight, moment.turn, i, able)
        own, way = way % ways, way // ways
        if able is None:
            place_plainly(fight, moment.turn, i, dice, own, ways)
        elif fight.able:
            place_with_feats(fight, moment, i, dice, own)
        else:
            place_plainly(fight, moment.turn, i, dice, own, ways)
        fight.strikes += fight.attack[i]
        held = fight.held[i]
        note(moment, Event.PLACE, 0, i, -1, 0, fight.attack[i], fight.defence[i], held)


@part
def place_plainly(fight, turn, i, dice, way, ways):
    """Let a fighter place his dice where nobody has an ability: in one of so many ways."""
    attack = way if ways > 1 else attack_dice(fight, turn, i, dice)
    fight.attack[i] = attack
    fight.defence[i] = dice - attack
    fight.may_sustain[i] = dice - attack >= attack


@routine
def place_with_feats(fight, moment, i, dice, way):
    """Let a fighter place his dice where somebody has an ability (W-7).

    ``way`` is one of `placings_of`, 0 where the policy decides.
    """
    turn = moment.turn
    begin_feats(fight, turn, i)
    if all_in_defence(fight, turn, i):
        settle(fight, i, 0, dice)
        return
    held = held_back(fight, i, dice)
    fight.chained[i] = chain_taken(fight, i, way)
    whole = dice - held + fight.chained[i]
    split, free = way // chain_ways(fight, i), splits_freely(fight, i)
    attack = min(split, whole) if free else attack_dice(fight, turn, i, whole)
    most = dice - held + most_chained(fight, i)
    defence = whole - attack
    if rages(fight, i, free, split, most, attack, whole):
        fight.furious[i] = 1
        attack = whole + held + fight.numbers[i, Number.FURY_DICE]
        held = defence = 0
    if has_charged(fight, turn, i):
        attack += number_of(fight, i, Effect.CHARGE_DICE, Number.CHARGE_DICE)
    fight.held[i] = held
    settle(fight, i, attack, defence)
    tell_placing(fight, moment, i)


@routine
def initiative_fighter(fight, turn):
    """The one of several fighters that takes the Initiative test (C-4.1)."""
    chosen = 0
    for i in range(1, fight.n):
        if is_dead(fight, i):
            continue
        if chosen == 0:
            chosen = i
            if decides(fight, i, Decision.INITIATIVE) == InitiativeFighter.LISTED:
                return chosen
        elif current(fight, turn, i, Stat.INI) > current(fight, turn, chosen, Stat.INI):
            chosen = i
    return chosen


@part
def can_strike(fight, i, able):
    """Whether one of several fighters still has to strike in this pass (C-5.4)."""
    return has_attack_die(fight, i, able) and not fight.struck[i]


@part
def has_attack_die(fight, i, able):
    """Whether a fighter has an attack die, or uses a held one now (C-5.2, W-7).

    ``able`` is None where nobody has an ability.
    """
    if able is None:
        return fight.attack[i] > 0
    return fight.attack[i] > 0 or (fight.held[i] > 0 and uses_held(fight, i))


@routine
def uses_held(fight, i):
    """Whether a fighter without an attack die uses a held die for an attack now (W-7)."""
    held = decides(fight, i, Decision.HELD)
    if held != Held.USEFUL:
        return held == Held.ATTACK or held == OPTIMAL
    return not has_dice_to_strike(fight, i)


@routine
def has_dice_to_strike(fight, i):
    """Whether an enemy of a fighter has an attack die, or a held one, left."""
    if i > 0:
        return fight.attack[0] > 0 or fight.held[0] > 0
    for j in range(1, fight.n):
        if fight.attack[j] > 0 or fight.held[j] > 0:
            return True
    return False


@routine
def next_striker(fight, turn, able):
    """Which of several fighters strikes next (C-5.4); 0 when all have struck."""
    order = fight.policy[1, Decision.STRIKE_ORDER]
    chosen, best = 0, 0
    for i in range(1, fight.n):
        if not can_strike(fight, i, able):
            continue
        strength = 1000 * current(fight, turn, i, Stat.ATT) + current(fight, turn, i, Stat.FOR)
        score = 0
        if order == StrikeOrder.WEAKEST:
            score = -strength
        elif order == StrikeOrder.STRONGEST:
            score = strength
        if chosen == 0 or score > best:
            chosen, best = i, score
    return chosen


@part
def target_score(fight, turn, i):
    """How much the lone fighter's policy wants to strike ``i``; equal scores go by the list."""
    target = fight.policy[0, Decision.TARGET]
    resistance = current(fight, turn, i, Stat.RES)
    if target == Target.WOUNDED:
        return 1000 * np.int64(fight.state[i]) - resistance
    if target == Target.UNDEFENDED:
        return -fight.defence[i]
    if target == Target.DEAREST:
        return fight.fighters[i, Column.PA]
    if target == Target.FRAIL:
        return -resistance
    return 0


@routine
def next_target(fight, turn):
    """Whom the lone fighter strikes next (C-5.3); 0 when he has struck everyone."""
    chosen, best = 0, 0
    for i in range(1, fight.n):
        if is_dead(fight, i) or fight.struck[i]:
            continue
        score = target_score(fight, turn, i)
        if chosen == 0 or score > best:
            chosen, best = i, score
    return chosen


@part
def coming(fight, i):
    """Attacks that ``i`` can still meet in this combat after the present one."""
    if fight.n == 2:
        return fight.attack[1 - i]
    if i == 0:
        total = 0
        for j in range(1, fight.n):
            total += fight.attack[j]
        return total
    spare = fight.attack[0]
    for j in range(1, fight.n):
        if j != i and not is_dead(fight, j) and not fight.struck[j]:
            spare -= 1
    return max(spare, 0)


@part
def parry_dice(fight, i):
    """Defence dice committed against an attack (C-6.2); a sustained die must be (C-7.3)."""
    left = fight.defence[i]
    parry = decides(fight, i, Decision.PARRY)
    if parry > 0:  # a sustained die is the last one
        return min(left, parry)
    if fight.sustained[i] or parry == Parry.ALL:
        return left
    if parry == Parry.SPREAD:
        share = 1 + coming(fight, i)
        return (left + share - 1) // share
    return 0


@part
def sustains(fight, i, committed):
    """Whether the defence now declared begins a sustained one (C-7.1, C-7.2)."""
    last_die = (committed == 1) & (fight.defence[i] == 1) & (fight.sustained[i] == 0)
    if not last_die & (fight.may_sustain[i] == 1) & (fight.held[i] == 0):  # C-7.5
        return False
    sustain = decides(fight, i, Decision.SUSTAIN)
    if sustain == Sustain.USEFUL:
        return coming(fight, i) > 0
    return sustain == Sustain.ALWAYS


@part
def keep_at(reroll, needed):
    """Natural result from which a 6 is kept, for a policy that needs ``needed``."""
    if reroll == Reroll.NEEDED:
        return needed
    return NEVER if reroll == Reroll.NEVER else FOREVER


@part
def attack_keep_at(fight, i, attack, defence, committed):
    """Natural result from which striker ``i`` keeps a 6 against committed dice and ``defence``."""
    if committed:
        lead = fight.policy[min(i, 1), Decision.MARGIN] + 1
        needed = lead + defence - attack
    else:
        needed = fight.scalars[Rule.AUTOMATIC_FAILURE] + 1 - attack
    return keep_at(decides(fight, i, Decision.REROLL_ATTACK), needed)
