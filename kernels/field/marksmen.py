"""Shots in a battle: at whom, how hard, and what comes of it (W-6, A-5.5, M-6)."""

from .._jit import part, routine
from ..combat.feats import number_of
from ..core.dice import note
from ..core.sets import NONE, bit
from ..layout.abilities import Effect, Number
from ..layout.actions import ACTIONS, ActionRule, Attempt, Cell, Step
from ..layout.battle import Custom, Stream, Style, Trait
from ..layout.combat import Stat
from ..layout.log import Story
from ..layout.maintenance import Marker
from ..layout.table import Base
from ..phases.actions import shoots_still
from ..rolls.shooting import SAVED, band_of, shoots, shot_difficulty, shot_wound
from ..table.contacts import enemies
from ..table.geometry import point_separation
from ..table.sight import sees
from .losses import hurt, state_left
from .march import LENGTH, TOLL, write_track
from .nerve import set_stream
from .picks import pick


@part
def has_weapon(battle, i):
    """Whether a fighter can shoot at all (A-5.5)."""
    return battle.traits[i, Trait.TIR] >= 0 and battle.traits[i, Trait.WEAPON] >= 0


@part
def shot_distance(battle, i, j):
    """Distance of a shot: from the shooter's aim point to the target's base."""
    row = battle.table.bases[i]
    return max(point_separation(battle.table, j, row[Base.X], row[Base.Y]), 0.0)


@routine
def is_open_to_shots(battle, i, j):
    """Whether a fighter may shoot at an enemy: in range, in sight, not in a melee with friends."""
    foes = enemies(battle.table, j)
    if foes != NONE and battle.customs[Custom.INTO_MELEE] == 0:
        return False
    if band_of(battle.ranges[i], shot_distance(battle, i, j)) < 0:
        return False
    return sees(battle.table, i, j, battle.customs[Custom.HIDES])


@part
def current_aim(battle, i):
    """TIR less what wounds and a charge take (W-3.2, M-5.1)."""
    aim = battle.traits[i, Trait.TIR] - battle.aim_penalty[battle.pain[i], battle.state[i]]
    if battle.markers[i] & Marker.CHARGED:
        aim -= battle.aim_charge
    return aim


@part
def cover_of(battle, j):
    """X of Target/X of a fighter in all: of its marker, and of its abilities (M-6.2, W-7)."""
    cover = number_of(battle, j, Effect.AIM_DIFFICULTY, Number.AIM_DIFFICULTY)
    if battle.markers[j] & Marker.TARGET:
        cover += battle.customs[Custom.COVER]
    return cover


@routine
def has_moved(battle):
    """Whether who acts has moved in this activation (W-6, A-5.5, M-1.5)."""
    done, actions = battle.done, battle.actions
    disengaged = done[Step.DISENGAGE] == Attempt.SUCCEEDED
    moved = disengaged and actions.scalars[ActionRule.DISENGAGED_SHOT_MOVED] != 0
    moved = moved or done[Step.TURN] > 0
    for action in range(ACTIONS):
        moved = moved or (done[action] > 0 and actions.rows[action, Cell.POTENTIAL] > 0)
    return moved


@routine
def throws_to_cover(battle, moment, j):
    """Whether the target of a shot throws itself to cover, if it may (M-6.3)."""
    if battle.style[battle.traits[j, Trait.SIDE]] != Style.RANDOM:
        return False
    acted = (battle.activated | battle.speaking) & bit(j)
    if acted != NONE or battle.routed[j] or enemies(battle.table, j) != NONE:
        return False
    if battle.customs[Custom.THROW_LEVEL_0] and battle.table.bases[j, Base.LEVEL] != 0:
        return False
    return pick(battle, moment, 2) == 1


@routine
def shoot(battle, moment, i, j):
    """One shot of a fighter at an enemy that it may shoot at (W-6)."""
    distance = shot_distance(battle, i, j)
    band = band_of(battle.ranges[i], distance)
    cover = cover_of(battle, j)
    if throws_to_cover(battle, moment, j):
        battle.duty |= bit(j)
        cover += battle.customs[Custom.COVER]
        note(moment, Story.THROW, 0, j, i, 0, 0, 0, 0)
    still, moved = shoots_still(battle.actions, battle.done), has_moved(battle)
    aim = current_aim(battle, i)
    difficulty = shot_difficulty(battle.shots, band, moved, cover)
    set_stream(battle, battle, Stream.SHOT, i, battle.shot[i])
    nth = battle.shot[i] >> 4
    battle.shot[i] += 1
    _, result, hit = shoots(battle, moment, i, j, nth, aim, difficulty)
    battle.place[LENGTH], battle.place[TOLL] = distance, 0.0
    row = battle.table.bases[i]
    number = write_track(battle, moment.log, i, row[Base.X], row[Base.Y])
    note(moment, Story.AIM, 0, i, j, 0, aim, difficulty, 0)
    note(moment, Story.SHOOT, number, i, j, band + 4 * moved, cover, result, hit)
    if hit:
        strength, resistance = battle.traits[i, Trait.WEAPON], battle.traits[j, Stat.RES]
        resistance -= battle.fight.penalty[battle.pain[j], battle.state[j], Stat.RES]
        outcome, _, _ = shot_wound(battle, moment, i, j, nth, strength - resistance, still)
        if outcome == SAVED:
            return
        state = state_left(battle, moment, j, battle.fight.after[battle.state[j], outcome], i)
        note(
            moment, Story.WOUND, 0, i, j, outcome, strength, resistance, state + 256 * still
        )  # fmt: skip
        hurt(battle, moment.turn, j, state, i)
