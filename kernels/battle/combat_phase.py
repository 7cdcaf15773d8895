"""The combat phase on the table: melees, who speaks, combats in turn (C-1, C-2, C-8)."""

import numpy as np

from .._jit import part, routine
from ..combat.feats import opens_of
from ..core.dice import note
from ..core.rng import TACTICS, U64, attack_address, word_on_demand
from ..core.sets import NONE, bit, count_bits
from ..field.nerve import best_tester, led, set_stream
from ..field.picks import pick
from ..field.stakes import side_balance
from ..layout.abilities import Roll
from ..layout.battle import Cause, Custom, Purpose, Stream, Style, Trait
from ..layout.log import Story
from ..phases.opposed import Tester, opposed_test
from ..table.geometry import FAR
from ..table.melees import NOBODY, find_melees
from .bout import clash
from .pursuit import NO_COMBAT, pursue, regroup, urgent_combat
from .separations import separate

COIN = 22  # number of the addresses of coins


@part
def first_of(mask):
    """The lowest fighter of a mask."""
    i = 0
    while (mask & bit(i)) == NONE:
        i += 1
    return i


@routine
def toss(battle, moment, purpose):
    """A coin for a test that nobody can make; the side (C-1.4)."""
    address = attack_address(moment.turn, COIN, 0, 0)
    winner = np.int64(word_on_demand(battle.test, 0, address, 0) >> U64(31))
    note(moment, Story.COIN, 0, -1, -1, purpose, 0, 0, winner)
    return winner


@routine
def contest(battle, moment, purpose, tester, other):
    """Side that wins an opposed test of Discipline, ``NOBODY`` to be left out (C-1.4)."""
    if tester == NOBODY or other == NOBODY:
        if (tester == NOBODY and other == NOBODY) or battle.customs[Custom.NOBODY_LOSES] == 0:
            return toss(battle, moment, purpose)
        return 1 if tester == NOBODY else 0
    own, enemy = led(battle, tester, Trait.DIS), led(battle, other, Trait.DIS)
    note(moment, Story.VALUES, 0, own, enemy, purpose, 0, 0, 0)
    one = Tester(tester, own, opens_of(battle, tester, Roll.DISCIPLINE), battle.luck[tester])
    two = Tester(other, enemy, opens_of(battle, other, Roll.DISCIPLINE), battle.luck[other])
    winner, battle.luck[tester], battle.luck[other] = opposed_test(
        battle.test, moment, TACTICS, purpose, one, two
    )
    return winner


@routine
def separate_melee(battle, moment, number, melee):
    """Separate a melee; with one fighter on a side there is nothing to roll for (C-1.4, C-1.6)."""
    own, foes = melee & battle.alive[0], melee & battle.alive[1]
    side = -1
    if count_bits(own) > 1 and count_bits(foes) > 1:
        set_stream(battle, battle.test, Stream.SEPARATION, first_of(melee), 0)
        tester, other = best_tester(battle, own), best_tester(battle, foes)
        side = contest(battle, moment, Purpose.SEPARATION, tester, other)
    separate(battle, moment, number, melee, side, Cause.CHOSEN, -1)


@routine
def find_combats(battle, moment):
    """Find all melees, and separate each (C-1); how many combats there are."""
    table = battle.table
    battle.combats = 0
    melees = find_melees(table.touching[: battle.n], table.sides[0], battle.melee)
    for m in range(melees):
        note(moment, Story.MELEE, m, -1, -1, 0, np.int64(battle.melee[m]), 0, 0)
    for m in range(melees):
        separate_melee(battle, moment, m, battle.melee[m])
    return battle.combats


@routine
def lead_in(battle, side, c):
    """How far a side is ahead in a combat: in fighters, or by odds in expected PA."""
    mask = battle.combat[c]
    if battle.style[side] == Style.BY_ODDS:
        return side_balance(battle, side, battle.lone[c], mask)
    own, foes = count_bits(mask & battle.alive[side]), count_bits(mask & battle.alive[1 - side])
    return 1.0 * (own - foes)


@routine
def wanted_combat(battle, moment, side):
    """The combat that a side's player wants to be fought next; ``NO_COMBAT``: none is left."""
    if battle.style[side] == Style.RANDOM:
        count = 0
        for c in range(battle.combats):
            count += battle.combat[c] != NONE
        k = pick(battle, moment, max(count, 1))
        for c in range(battle.combats):
            if battle.combat[c] != NONE:
                if k == 0:
                    return c
                k -= 1
        return NO_COMBAT
    best, chosen = -FAR, NO_COMBAT
    for c in range(battle.combats):
        if battle.combat[c] != NONE:
            lead = lead_in(battle, side, c)
            if lead > best:
                best, chosen = lead, c
    return chosen


@routine
def name_combats(battle, moment):
    """Let both players name a combat and who tests; who speaks first, and with which (C-2)."""
    first, second = wanted_combat(battle, moment, 0), wanted_combat(battle, moment, 1)
    tester = best_tester(battle, battle.combat[first] & battle.alive[0])
    other = best_tester(battle, battle.combat[second] & battle.alive[1])
    for side in range(2):
        c = first if side == 0 else second
        who = tester if side == 0 else other
        mask = np.int64(battle.combat[c])
        note(moment, Story.NAMED, 0, side, who, battle.lone[c], mask, 0, 0)
    set_stream(battle, battle.test, Stream.AUTHORITY, 0, 0)
    winner = contest(battle, moment, Purpose.AUTHORITY, tester, other)
    return winner, first if winner == 0 else second


@routine
def resolve_combat(battle, moment, c, speaker, cause):
    """Fight a combat now; the survivors who may pursue (C-8.1)."""
    mask, lone = battle.combat[c], battle.lone[c]
    note(moment, Story.COMBAT, c, lone, speaker, cause, np.int64(mask), speaker, 0)
    battle.combat[c] = NONE
    survivors = clash(battle, moment, mask, lone, speaker)
    battle.fought |= mask
    battle.pending &= ~mask
    return survivors


@routine
def speak_combat(battle, moment, c, speaker):
    """A speaking turn: a combat, and all that its pursuits cause (C-2.3, C-8)."""
    survivors = resolve_combat(battle, moment, c, speaker, Cause.CHOSEN)
    while not battle.over:
        if survivors != NONE:
            pursue(battle, moment, survivors)
            regroup(battle, moment)
        c = urgent_combat(battle)
        if c == NO_COMBAT:
            return
        survivors = resolve_combat(battle, moment, c, speaker, Cause.PURSUIT)


@routine
def play_combats(battle, moment):
    """The whole combat phase (C-1, C-2)."""
    battle.fought = battle.pending = NONE
    for i in range(battle.n):
        battle.pursued[i] = 0
    if find_combats(battle, moment) == 0:
        return
    speaker, c = name_combats(battle, moment)
    while c != NO_COMBAT and not battle.over:
        speak_combat(battle, moment, c, speaker)
        speaker = 1 - speaker
        c = NO_COMBAT if battle.over else wanted_combat(battle, moment, speaker)
