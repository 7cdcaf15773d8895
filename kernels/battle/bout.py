"""One combat of a battle: who meets whom with what dice, and what comes of it (C-3 to C-7)."""

import numpy as np

from .._jit import part, routine
from ..combat.fight import fight_combat
from ..combat.placing import attack_dice
from ..core.rng import fill, initiative_address
from ..core.sets import NONE, bit
from ..field.losses import hurt
from ..field.nerve import set_stream
from ..field.picks import pick
from ..field.stakes import pair_of, pen_of
from ..layout.abilities import COMBAT, NUMBERS, Number
from ..layout.battle import MAX_SPLITS, Custom, Split, Stream, Style, Trait
from ..layout.combat import STATS, Column, Rule
from ..layout.maintenance import Marker
from ..layout.policy import (
    DECISIONS,
    Decision,
    Held,
    InitiativeFighter,
    Luck,
    Parry,
    Placement,
    Reroll,
    StrikeOrder,
    Sustain,
    Target,
    Use,
)

TESTERS, ORDERS, TARGETS = len(InitiativeFighter), len(StrikeOrder), len(Target)
SUSTAINS, REROLLS = len(Sustain), len(Reroll)
USES, HELDS, LUCKS = len(Use), len(Held), len(Luck)
CHAINS = 3  # dice that are taken at most
EVERY_DIE = int(Parry.ALL)


@routine
def place_fighters(battle, mask, lone):
    """Number a combat's fighters, the lone one first; how many there are (C-1.2)."""
    battle.fighter_at[0], n = lone, 1
    for i in range(battle.n):
        if (mask & bit(i)) != NONE and i != lone:
            battle.fighter_at[n] = i
            n += 1
    return n


@routine
def has_all_in_defence(battle, i):
    """Whether all dice of a fighter go to defence (C-3.6, M-7.5, W-4.3)."""
    routed = battle.routed[i] and battle.customs[Custom.ROUTED_DEFENCE]
    return routed or battle.markers[i] & Marker.DEFENCE != 0


@routine
def choose_placement(battle, moment, k, dice):
    """Attack dice of a fighter whose placing is forced or random; -1: the policy's (C-3)."""
    i = battle.fighter_at[k]
    if has_all_in_defence(battle, i):
        return 0
    if battle.style[battle.traits[i, Trait.SIDE]] == Style.RANDOM:
        return pick(battle, moment, dice + 1)
    return -1


@routine
def load_fighter(battle, moment, k):
    """Enter a fighter into the combat, in its present state."""
    fight, i = battle.fight, battle.fighter_at[k]
    row, traits = fight.fighters[k], battle.traits[i]
    charged = battle.markers[i] & Marker.CHARGED != 0
    for s in range(STATS):
        row[s] = traits[s]
        fight.values[1, k, s] = traits[s] - charged * fight.charge[s]
    fight.state[k] = battle.state[i]
    fight.killer[k] = -1
    row[Column.PA] = traits[Trait.PA]
    enemies = fight.n - 1 if k == 0 else 1
    row[Column.PAIN] = battle.pain[i]
    row[Column.CHARGING] = 2 * ((battle.chargers & bit(i)) != NONE)
    row[Column.ALL_DEFENCE] = 2 * has_all_in_defence(battle, i)
    scalars = fight.scalars
    dice = scalars[Rule.DICE_BASE] + scalars[Rule.DICE_PER_ENEMY] * enemies
    attack = choose_placement(battle, moment, k, dice)
    row[Column.PLACED_ATTACK] = attack
    row[Column.PLACED_DEFENCE] = dice - attack if attack >= 0 else -1


@routine
def load_feats(battle):
    """Enter the abilities of the combat's fighters; luck is what is left of it this turn (W-7)."""
    fight = battle.fight
    fight.able = 0
    if battle.able == 0:
        return
    for k in range(fight.n):
        fight.held[k] = 0  # of a combat before: nobody may have an ability in this one
        i = battle.fighter_at[k]
        fight.effects[k] = battle.effects[i] & COMBAT
        fight.able |= fight.effects[k]
        for number in range(NUMBERS):
            fight.numbers[k, number] = battle.numbers[i, number]
        fight.numbers[k, Number.LUCK_TESTS] = battle.luck[i]
        for other in range(fight.n):
            fight.banes[k, other] = battle.banes[i, battle.fighter_at[other]]


@part
def places_before(battle, a, b, chooser):
    """Whether a fighter places its dice before another (C-3.2 to C-3.4)."""
    one, other = battle.traits[battle.fighter_at[a]], battle.traits[battle.fighter_at[b]]
    if one[Trait.PURE] != other[Trait.PURE]:
        return one[Trait.PURE] == 1
    if one[Trait.PA] != other[Trait.PA]:
        return one[Trait.PA] < other[Trait.PA]
    chose, other_chose = min(a, 1) == chooser, min(b, 1) == chooser
    if chose != other_chose:
        return other_chose
    return a < b


@routine
def order_placing(battle, chooser):
    """Write in which order the fighters place their dice (C-3.2 to C-3.4)."""
    fight = battle.fight
    for a in range(fight.n):
        rank = 0
        for b in range(fight.n):
            if a != b and places_before(battle, b, a, chooser):
                rank += 1
        fight.order[rank] = a


@routine
def draw_policy(battle, moment, row):
    """Write a random policy of a side in a combat: any decision, as likely."""
    row[Decision.PLACEMENT] = Placement.EVEN  # not looked at: the dice are placed one by one
    row[Decision.INITIATIVE] = pick(battle, moment, TESTERS)
    row[Decision.STRIKE_ORDER] = pick(battle, moment, ORDERS)
    row[Decision.TARGET] = pick(battle, moment, TARGETS)
    parry = pick(battle, moment, 4)
    row[Decision.PARRY] = parry if parry < 3 else EVERY_DIE
    row[Decision.SUSTAIN] = pick(battle, moment, SUSTAINS)
    row[Decision.REROLL_ATTACK] = pick(battle, moment, REROLLS)
    row[Decision.REROLL_DEFENCE] = pick(battle, moment, REROLLS)
    row[Decision.REROLL_INITIATIVE] = pick(battle, moment, REROLLS)
    if battle.fight.able:
        draw_feats(battle, moment, row)


@routine
def draw_feats(battle, moment, row):
    """Write how abilities are used, where somebody has one: at random (W-7)."""
    row[Decision.FURY] = row[Decision.MASTER] = row[Decision.FEINT] = pick(battle, moment, USES)
    row[Decision.CHAIN] = pick(battle, moment, CHAINS)
    row[Decision.HELD] = pick(battle, moment, HELDS)
    row[Decision.LUCK] = pick(battle, moment, LUCKS)


@routine
def load_policies(battle, moment, lone_side):
    """Enter how both sides decide in the combat."""
    for k in range(2):
        side, row = lone_side ^ k, battle.fight.policy[k]
        for d in range(DECISIONS):
            row[d] = battle.fighting[side, d]
        if battle.style[side] == Style.RANDOM:
            draw_policy(battle, moment, row)


@routine
def placing_by_odds(battle, k, answered):
    """Best attack dice in a duel of a fighter who places first, or to those placed before."""
    fight, i, j = battle.fight, battle.fighter_at[k], battle.fighter_at[1 - k]
    a, b = (i, j) if battle.traits[i, Trait.SIDE] == 0 else (j, i)
    pen = pen_of(battle, a, b, NONE, NONE)
    levels = battle.level[fight.state[k]], battle.level[fight.state[1 - k]]
    own, enemy = levels if a == i else (levels[1], levels[0])
    row = battle.split[pair_of(battle, a, b), pen, own, enemy]
    side = battle.traits[i, Trait.SIDE]
    if answered < 0:
        return np.int64(row[Split.FIRST + side])
    return np.int64(row[Split.ANSWER + MAX_SPLITS * side + answered])


@routine
def place_duel(battle, moment):
    """Place the dice of a duel that a player by odds is in, his as is best (C-3)."""
    fight, before = battle.fight, np.int64(-1)
    dice = fight.scalars[Rule.DICE_BASE] + fight.scalars[Rule.DICE_PER_ENEMY]
    fight.attack[0] = fight.attack[1] = -1
    fight.sustained[0] = fight.sustained[1] = 0
    if dice >= MAX_SPLITS:
        return
    for place in range(2):
        k = fight.order[place]
        row, i = fight.fighters[k], battle.fighter_at[k]
        if row[Column.PLACED_ATTACK] < 0:
            if battle.style[battle.traits[i, Trait.SIDE]] == Style.BY_ODDS:
                attack = placing_by_odds(battle, k, before)
            else:
                attack = attack_dice(fight, moment.turn, k, dice)
            row[Column.PLACED_ATTACK], row[Column.PLACED_DEFENCE] = attack, dice - attack
        before = row[Column.PLACED_ATTACK]
        fight.attack[k] = before


@routine
def fight_here(fight, moment):
    """Fight the combat that is loaded."""
    fill(fight, 0, 1, initiative_address(moment.turn, 0))
    fight_combat(fight, moment, True)


@routine
def clash(battle, moment, mask, lone, chooser):
    """Fight a combat; mask of its survivors if all of a side were killed, else none (C-8.1).

    ``chooser`` is the side that chose it (C-3.3).
    """
    fight, lone_side = battle.fight, battle.traits[lone, Trait.SIDE]
    fight.n = place_fighters(battle, mask, lone)
    fight.living = fight.n - 1
    fight.chooser = chooser ^ lone_side
    load_feats(battle)
    load_policies(battle, moment, lone_side)
    for k in range(fight.n):
        load_fighter(battle, moment, k)
    order_placing(battle, fight.chooser)
    if fight.n == 2 and (battle.style[0] == Style.BY_ODDS or battle.style[1] == Style.BY_ODDS):
        place_duel(battle, moment)
    set_stream(battle, fight, Stream.COMBAT, lone, battle.bouts[lone])
    battle.bouts[lone] += 1
    fight_here(fight, moment)
    for k in range(fight.n):
        i = battle.fighter_at[k]
        state = np.int64(fight.state[k])
        battle.chargers &= ~bit(i)
        if fight.able:
            battle.luck[i] = fight.luck[k]
        if state != battle.state[i]:
            killer = fight.killer[k]
            hurt(battle, moment.turn, i, state, battle.fighter_at[killer] if killer >= 0 else -1)
    if battle.state[lone] == fight.dead or fight.living == 0:
        return mask & battle.table.here
    return NONE
