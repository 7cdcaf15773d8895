"""A battle by the rules, turn after turn (T-1 to T-5)."""

from .._jit import routine
from ..combat.feats import has
from ..core.dice import note
from ..core.sets import NONE, bit
from ..field.losses import bury_doomed
from ..field.picks import pick
from ..layout.abilities import Effect as Ability
from ..layout.abilities import Number
from ..layout.battle import Trait
from ..layout.log import Story
from ..layout.maintenance import Effect, Kind
from ..layout.policy import Decision, Luck
from ..layout.table import COLUMNS, Base
from ..rolls.attempts import renew_luck
from ..table.contacts import prepare_table
from ..table.geometry import hull_point, within
from .activation_phase import play_activations
from .combat_phase import play_combats
from .maintenance_phase import FAITH, MANA, play_maintenance
from .strategic_phase import begin_turn

DRAW = -1


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
