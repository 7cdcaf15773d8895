"""How fighters place their combat dice in attack and in defence, abilities included (C-3, W-7)."""

from .._jit import part, routine
from ..core.dice import note
from ..layout.abilities import Effect, Number, Roll
from ..layout.combat import Column, Rule, Stat
from ..layout.log import Event
from ..layout.policy import OPTIMAL, Decision, Placement, Use
from .feats import has, note_feat, number_of, opens_of
from .policy import decides
from .wounds import current, is_dead


@part
def all_in_defence(fight, turn, i):
    """Whether all dice of a fighter have to be in defence (C-3.6)."""
    forced = fight.fighters[i, Column.ALL_DEFENCE]
    return forced == 2 or (forced == 1 and turn == 0)


@part
def has_charged(fight, turn, i):
    """Whether a fighter charged before this combat."""
    charging = fight.fighters[i, Column.CHARGING]
    return charging == 2 or (charging == 1 and turn == 0)


@part
def held_back(fight, i, dice):
    """How many of his dice a fighter leaves unplaced."""
    return min(number_of(fight, i, Effect.HOLD_BACK, Number.HELD_DICE), dice)


@routine
def chain_ways(fight, i):
    """From how many numbers of dice of a chain the best is looked for; 1: from none."""
    if decides(fight, i, Decision.CHAIN) != OPTIMAL:
        return 1
    return 1 + number_of(fight, i, Effect.CHAIN, Number.CHAIN_DICE)


@part
def most_chained(fight, i):
    """Most dice of a chain that a fighter takes, by his policy."""
    most = number_of(fight, i, Effect.CHAIN, Number.CHAIN_DICE)
    chain = decides(fight, i, Decision.CHAIN)
    return most if chain == OPTIMAL else min(most, chain)


@part
def may_rage(fight, i):
    """Whether a fighter may declare fury: the caller has put none of his dice in defence."""
    return has(fight, i, Effect.FURY) and fight.fighters[i, Column.PLACED_DEFENCE] <= 0


@part
def splits_freely(fight, i):
    """Whether the best split is looked for."""
    placed = fight.fighters[i, Column.PLACED_ATTACK] >= 0
    return not placed and decides(fight, i, Decision.PLACEMENT) == OPTIMAL


@routine
def placings_of(fight, turn, i, dice):
    """In how many ways a fighter of an open policy may place his dice, chain and fury included.

    A way's number is the chain's dice, then, in multiples of its ways, the attack dice, and
    after the last of them fury.
    """
    if all_in_defence(fight, turn, i):
        return 1
    chain = chain_ways(fight, i)
    most = dice - held_back(fight, i, dice) + most_chained(fight, i)
    splits = most + 1 if splits_freely(fight, i) else 1
    fury = may_rage(fight, i) and decides(fight, i, Decision.FURY) == OPTIMAL
    return chain * (splits + fury)


@part
def chain_taken(fight, i, way):
    """Dice that a fighter takes besides, at the cost of ATT and DEF."""
    ways = chain_ways(fight, i)
    if ways > 1:
        return way % ways
    return most_chained(fight, i)


@part
def rages(fight, i, free, split, most, attack, whole):
    """Whether a fighter declares fury.

    Of a split that is ``free``, ``split`` is the one that is tried and ``most`` the last; one more
    is fury. ``attack`` are the dice by his policy, of the ``whole``.
    """
    if not may_rage(fight, i):
        return False
    fury = decides(fight, i, Decision.FURY)
    if fury == OPTIMAL:
        return split > (most if free else 0)
    return fury == Use.ALWAYS or (fury == Use.USEFUL and attack == whole)


@routine
def begin_feats(fight, turn, i):
    """Give a fighter what his abilities have in one combat."""
    fight.luck[i] = number_of(fight, i, Effect.LUCK, Number.LUCK_TESTS)
    fight.fresh[i] = has_charged(fight, turn, i)
    fight.doomed[i] = fight.held[i] = fight.chained[i] = fight.furious[i] = 0
    for roll in (Roll.INITIATIVE, Roll.ATTACK, Roll.DEFENCE):
        fight.opens[i, roll] = opens_of(fight, i, roll)


@part
def settle(fight, i, attack, defence):
    """Enter the dice that a fighter has placed."""
    fight.attack[i], fight.defence[i] = attack, defence
    fight.into_attack[i], fight.into_defence[i] = attack, defence
    fight.may_sustain[i] = defence >= attack


@part
def tell_placing(fight, moment, i):
    """Log what a fighter took besides."""
    if fight.furious[i]:
        dice = fight.numbers[i, Number.FURY_DICE]
        note_feat(moment, 0, i, -1, Effect.FURY, dice, 0, 0)
    if fight.chained[i]:
        note_feat(moment, 0, i, -1, Effect.CHAIN, fight.chained[i], 0, 0)


@part
def combat_dice(fight, i):
    """Number of a fighter's combat dice (C-3.1)."""
    enemies = fight.living if i == 0 else 1
    scalars = fight.scalars
    dice = scalars[Rule.DICE_BASE] + scalars[Rule.DICE_PER_ENEMY] * enemies
    return dice + number_of(fight, i, Effect.EXTRA_DICE, Number.EXTRA_DICE) if fight.able else dice


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
