"""The maintenance phase of a turn: fears, what fighters rally with, effects (T-5)."""

from .._jit import routine
from ..combat.feats import has, opens_of
from ..core.dice import SIX_OPENS, note
from ..core.sets import NONE, bit
from ..field.losses import kill
from ..field.nerve import led
from ..layout.abilities import Effect as Ability
from ..layout.abilities import Roll
from ..layout.battle import Trait
from ..layout.log import Story
from ..layout.maintenance import Effect, Kind, Person
from ..phases.maintenance import maintain
from ..table.contacts import enemies

MANA, FAITH = 0, 1  # places of a purse


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
