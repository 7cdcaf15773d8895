"""A battle by the rules, turn after turn (T-1 to T-5)."""

import numpy as np

from .._jit import part, routine
from ..combat.feats import has, opens_of
from ..core.dice import SIX_OPENS, note
from ..core.sets import NONE, bit
from ..field.activation import charge_marks, resolve
from ..field.losses import bury_doomed, kill
from ..field.nerve import led
from ..field.picks import pick
from ..layout.abilities import Effect as Ability
from ..layout.abilities import Number, Roll
from ..layout.actions import NOTHING, Action
from ..layout.battle import Custom, Story, Style, Trait
from ..layout.cards import Move
from ..layout.combat import Decision, Luck
from ..layout.maintenance import Effect, Kind, Marker, Person
from ..layout.table import COLUMNS, Base
from ..phases.cards import NOBODY, choose, deal, make_move, speaker_after, speaker_at
from ..phases.maintenance import maintain
from ..phases.tactics import tactics_roll
from ..players.cards import order_pile, speak_by_odds, wants_the_word
from ..players.player import act, answer_with_magic, decide
from ..rolls.attempts import renew_luck
from ..table.contacts import enemies, prepare_table
from ..table.geometry import hull_point, within
from .combat_phase import play_combats

MANA, FAITH = 0, 1  # places of a purse
DRAW = -1


# --- the strategic phase ---------------------------------------------------------------------


@routine
def deal_cards(battle, moment):
    """Arrange both piles of the cards that have a living fighter (T-2.2, A-1.2)."""
    phase = battle.phase
    phase.trials[0], phase.turn = battle.trial, moment.turn
    phase.present[0] = phase.present[1] = 0
    for i in range(battle.n):
        if (battle.table.here & bit(i)) != NONE:
            row = battle.traits[i]
            phase.present[row[Trait.SIDE]] |= 1 << row[Trait.CARD]
    deal(phase)
    for side in range(2):
        if battle.deals[side]:
            order_pile(battle, side)
        phase.refusals[side] = max(phase.refusals[side] + battle.more_refusals[side], 0)
        for place in range(phase.size[side]):
            card = np.int64(phase.order[side, place])
            note(moment, Story.CARD, place, side, -1, 0, card, 0, 0)


@routine
def tactician_of(battle, side):
    """The fighter who makes a side's Tactics roll, -1: nobody; his own Discipline (T-2.3)."""
    best, chosen = -1, -1
    for i in range(battle.n):
        row = battle.traits[i]
        able = (
            row[Trait.SIDE] == side and row[Trait.TACTICS] and (battle.table.here & bit(i)) != NONE
        )
        able = able and (battle.customs[Custom.ROUTED_MAY_ROLL] or battle.routed[i] == 0)
        if able and row[Trait.DIS] > best:
            best, chosen = row[Trait.DIS], i
    return chosen, best


@routine
def roll_tactics(battle, moment, tester, other):
    """Make the Tactics roll, with what the testers' abilities change in it (T-2.3, W-7)."""
    phase = battle.phase
    for side in range(2):
        i = tester if side == 0 else other
        phase.opening[side] = phase.luck[side] = 0
        if i >= 0:
            phase.opening[side] = SIX_OPENS - opens_of(battle, i, Roll.DISCIPLINE)
            phase.luck[side] = battle.luck[i]
    phase.won = tactics_roll(phase, moment, tester, other)
    for side in range(2):
        i = tester if side == 0 else other
        if i >= 0:
            battle.luck[i] = phase.luck[side]


@routine
def begin_turn(battle, moment):
    """The strategic phase: sequences, the Tactics roll, who speaks first (T-2)."""
    phase = battle.phase
    deal_cards(battle, moment)
    tester, own = tactician_of(battle, 0)
    other, enemy = tactician_of(battle, 1)
    phase.discipline[0], phase.discipline[1] = own, enemy
    if own >= 0 and enemy >= 0:
        note(moment, Story.VALUES, 0, own, enemy, 0, 0, 0, 0)
    roll_tactics(battle, moment, tester, other)
    second = phase.speaks_second[phase.won] != 0
    if battle.deals[phase.won]:
        second = not wants_the_word(battle, phase.won)
    phase.first = 1 - phase.won if second else phase.won
    if battle.first_word >= 0:
        phase.first = battle.first_word
    note(moment, Story.FIRST, 0, phase.first, phase.won, 0, 0, 0, 0)


# --- the activation phase --------------------------------------------------------------------


@routine
def gather(battle, moment, side, cards):
    """Write who is activated by some cards, in the player's order (A-5.1); how many they are."""
    count = 0
    battle.speaking = NONE
    battle.stamp += 1  # friends to pass through change the ways
    for i in range(battle.n):
        row = battle.traits[i]
        of_these = row[Trait.SIDE] == side and (cards >> row[Trait.CARD]) & 1
        if of_these and (battle.table.here & bit(i)) != NONE:
            battle.order[count] = i
            battle.speaking |= bit(i)
            count += 1
    if battle.style[side] == Style.RANDOM:
        for last in range(count - 1, 0, -1):
            k = pick(battle, moment, last + 1)
            battle.order[last], battle.order[k] = battle.order[k], battle.order[last]
    return count


@part
def is_announced(battle, i):
    """Whether a fighter's action is one that is announced: all but NOTHING (A-5.2)."""
    return battle.chosen[i] != NOTHING


@routine
def announce(battle, moment, count):
    """Let each fighter decide; those with exclusive actions announce them (A-5.2)."""
    for k in range(count):
        i = battle.order[k]
        note(moment, Story.ACTIVATE, k, i, -1, 0, 0, 0, 0)
    for k in range(count):
        i = battle.order[k]
        battle.markers[i] &= ~Marker.TARGET
        battle.chosen[i] = decide(battle, moment, i)
    for k in range(count):
        i = battle.order[k]
        if is_announced(battle, i):
            assault = battle.chosen[i] == Action.CHARGE or battle.chosen[i] == Action.ENGAGE
            target = battle.target[i] if assault else -1
            note(
                moment, Story.ANNOUNCE, k, i, target, battle.chosen[i], battle.way[i] + 1, 0, 0
            )  # fmt: skip


@routine
def activate(battle, moment, side, cards):
    """Activate the fighters of the cards of one speaking turn (A-5)."""
    count = gather(battle, moment, side, cards)
    announce(battle, moment, count)
    battle.assaults = 0
    for k in range(count):
        i = battle.order[k]
        if is_announced(battle, i):
            if battle.outside:
                answer_with_magic(battle, moment)
            if not battle.over and (battle.table.here & bit(i)) != NONE:
                resolve(battle, moment, i)
    charge_marks(battle, moment)
    for k in range(count):
        i = battle.order[k]
        if battle.over:
            break
        if not is_announced(battle, i) and (battle.table.here & bit(i)) != NONE:
            act(battle, moment, i)
    for j in range(battle.n):
        battle.pledged[j] = NONE
    battle.activated |= battle.speaking
    battle.speaking = NONE
    battle.stamp += 1


@routine
def tell_speech(battle, moment, side, move):
    """Log a move of cards that is about to be made (A-2)."""
    phase = battle.phase
    top, held = phase.next[side], phase.held[side]
    from_reserve = from_pile = np.int64(-1)
    if move == Move.TOP or move == Move.BOTH:
        from_pile = np.int64(phase.order[side, top])
    if move == Move.RESERVE or move == Move.BOTH:
        from_reserve = np.int64(phase.order[side, held])
    if move == Move.TO_RESERVE:
        from_reserve = np.int64(phase.order[side, top])
    stays = held >= 0 and move != Move.RESERVE and move != Move.BOTH
    left = phase.refusals[side] - (move == Move.REFUSE)
    held_after = np.int64(stays or move == Move.TO_RESERVE)
    note(moment, Story.SPEAK, 0, side, move, held_after, from_reserve, from_pile, left)


@routine
def play_activations(battle, moment):
    """The activation phase (T-3)."""
    phase = battle.phase
    side = speaker_at(phase)
    while side != NOBODY and not battle.over:
        move = speak_by_odds(battle, side) if battle.deals[side] else choose(phase, side)
        tell_speech(battle, moment, side, move)
        before = phase.acted[side]
        make_move(phase, side, move)
        cards = phase.acted[side] & ~before
        if cards:
            activate(battle, moment, side, cards)
        side = speaker_after(phase, side)


# --- maintenance -----------------------------------------------------------------------------


@routine
def fill_fears(battle, i):
    """Write which frightening enemies a fighter touches (W-4.4)."""
    met = enemies(battle.table, i)
    for j in range(battle.n):
        frightens = (met & bit(j)) != NONE and battle.traits[j, Trait.PEUR] > 0
        battle.upkeep.touches[i, j] = frightens and not has(battle, i, Ability.FEARLESS)


@routine
def fill_nerve(battle, i, courage, discipline):
    """Write with what a fighter rallies: the higher of both, and which dice are re-rolled (W-7)."""
    row = battle.upkeep.people[i]
    row[Person.NERVE] = max(courage, discipline)
    opens = SIX_OPENS
    if courage >= discipline:
        opens = opens_of(battle, i, Roll.COURAGE)
    if courage == discipline:
        opens = min(opens, opens_of(battle, i, Roll.DISCIPLINE))
    elif courage < discipline:
        opens = opens_of(battle, i, Roll.DISCIPLINE)
    row[Person.OPEN] = SIX_OPENS - opens


@routine
def play_maintenance(battle, moment):
    """The maintenance phase (T-5)."""
    phase = battle.upkeep
    phase.trials[0] = battle.trial
    for i in range(battle.n):
        row = phase.people[i]
        row[Person.STATE], row[Person.ROUTED] = battle.state[i], battle.routed[i]
        row[Person.MARKERS], row[Person.LUCK] = battle.markers[i], battle.luck[i]
        row[Person.MANA], row[Person.FAITH] = battle.purse[i, MANA], battle.purse[i, FAITH]
        if battle.routed[i]:
            fill_nerve(battle, i, led(battle, i, Trait.COU), led(battle, i, Trait.DIS))
            note(moment, Story.NERVE, 0, i, -1, 0, row[Person.NERVE], 0, 0)
            fill_fears(battle, i)
    for i in range(battle.n):
        battle.target[i] = source_of(battle, i)
    maintain(phase, moment)
    for i in range(battle.n):
        row = phase.people[i]
        battle.routed[i], battle.markers[i] = row[Person.ROUTED], row[Person.MARKERS]
        battle.luck[i] = row[Person.LUCK]
        battle.purse[i, MANA], battle.purse[i, FAITH] = row[Person.MANA], row[Person.FAITH]
        died = row[Person.STATE] == phase.dead and battle.state[i] != phase.dead
        battle.state[i] = row[Person.STATE]
        if died:
            kill(battle, moment.turn, i, battle.target[i])


@routine
def source_of(battle, i):
    """Who causes the first harmful effect that lasts on a fighter, -1: nobody."""
    phase = battle.upkeep
    for e in range(phase.listed):
        row = phase.effects[e]
        harms = row[Effect.TARGET] == i and row[Effect.KIND] == Kind.DAMAGE
        if harms and row[Effect.GOES_ON]:
            return row[Effect.SOURCE]
    return -1


# --- the end ---------------------------------------------------------------------------------


@routine
def zone_points(battle, k):
    """Who holds a zone: PA of A's living, unrouted fighters in it less those of B's."""
    lead = 0
    for i in range(battle.n):
        row = battle.table.bases[i]
        if (battle.table.here & bit(i)) != NONE and battle.routed[i] == 0:
            x, y = row[Base.X], row[Base.Y]
            if within(hull_point(battle.zone[k], battle.zone_corners[k], x, y), 0.0):
                points = max(battle.traits[i, Trait.PA], 0)
                lead += points if battle.traits[i, Trait.SIDE] == 0 else -points
    return lead


@routine
def count_points(battle):
    """Write the points of both sides as they stand."""
    for side in range(2):
        battle.points[side] = battle.destroyed[side] if battle.destruction else 0
    for k in range(battle.zones):
        lead = zone_points(battle, k)
        if lead != 0:
            battle.points[0 if lead > 0 else 1] += battle.zone_points[k]
    for i in range(battle.n):
        if (battle.table.here & bit(i)) != NONE:
            battle.points[battle.traits[i, Trait.SIDE]] += battle.survival[i]


@routine
def finish(battle, moment):
    """Say who has won."""
    count_points(battle)
    lead = battle.points[0] - battle.points[1]
    battle.winner = DRAW
    if abs(lead) >= max(battle.margin, 1):
        battle.winner = 0 if lead > 0 else 1
    note(
        moment, Story.END, 0, -1, -1, 0, battle.points[0], battle.points[1], battle.winner
    )  # fmt: skip


# --- all of it -------------------------------------------------------------------------------


@routine
def set_up(battle, trial):
    """Put everything back to how a battle begins."""
    table = battle.table
    battle.trial = trial
    for i in range(battle.n):
        row, first = table.bases[i], battle.first_bases[i]
        for c in range(COLUMNS):
            row[c] = first[c]
        traits = battle.traits[i]
        battle.state[i], battle.routed[i] = traits[Trait.START], traits[Trait.ROUTED]
        battle.purse[i, MANA], battle.purse[i, FAITH] = traits[Trait.MANA], traits[Trait.FAITH]
        battle.immune[i] = battle.markers[i] = battle.kills[i] = battle.earned[i] = 0
        battle.death[i] = 0
        battle.place_stamp[i] = battle.haste_stamp[i] = -1
        battle.coming_stamp[0, i] = battle.coming_stamp[1, i] = -1
        battle.pledged[i] = NONE
    prepare_table(table)
    battle.alive[0], battle.alive[1] = table.sides[0], table.sides[1]
    battle.over = battle.stamp = battle.tracks = battle.upkeep.listed = 0
    battle.destroyed[0] = battle.destroyed[1] = battle.lost[0] = battle.lost[1] = 0
    battle.chargers = NONE
    list_healing(battle)


@routine
def list_healing(battle):
    """List the effects of those who heal by themselves, before all others (T-5.3, W-7)."""
    phase = battle.upkeep
    for i in range(battle.n):
        battle.doomed[i] = 0
        if has(battle, i, Ability.REGENERATION):
            effect = phase.effects[phase.listed]
            phase.listed += 1
            effect[:] = 0
            effect[Effect.KIND], effect[Effect.STAGE] = Kind.ROLL_TO_HEAL, battle.healing_stage
            effect[Effect.NEEDS] = battle.numbers[i, Number.REGENERATION_DIE]
            effect[Effect.TARGET] = effect[Effect.SOURCE] = i
            effect[Effect.SUSTAINS], effect[Effect.GOES_ON] = -1, 1


@routine
def renew(battle, moment):
    """Forget what counted for a turn only; draw in which sense places are looked at in it."""
    battle.picks = 0
    battle.stamp += 1  # all may act again
    battle.hand = pick(battle, moment, 2)
    battle.assaulted = battle.activated = battle.duty = battle.speaking = NONE
    battle.chargers = NONE
    for i in range(battle.n):
        battle.tested[i] = battle.shot[i] = battle.casts[i] = battle.bouts[i] = 0
        renew_luck(battle, i)
        if battle.fighting[battle.traits[i, Trait.SIDE], Decision.LUCK] == Luck.NEVER:
            battle.luck[i] = 0
        if battle.known[i]:
            for m in range(len(battle.mystics)):
                battle.cast[i, m] = 0


@routine
def play_turn(battle, moment):
    """One turn (T-1); it ends where a side has nobody left."""
    note(moment, Story.TURN, 0, -1, -1, 0, 0, 0, 0)
    renew(battle, moment)
    begin_turn(battle, moment)
    play_activations(battle, moment)
    bury_doomed(battle, moment)
    if not battle.over:
        play_combats(battle, moment)
    if not battle.over:
        play_maintenance(battle, moment)
    if len(moment.log) > 1:
        count_points(battle)
    own, enemy = battle.destroyed[0], battle.destroyed[1]
    battle.destroyed_by[moment.turn - 1, 0], battle.destroyed_by[moment.turn - 1, 1] = own, enemy
    note(moment, Story.SCORE, 0, own, enemy, 0, battle.points[0], battle.points[1], 0)
