"""Fighters killed in a battle: what their death changes, and who earned their points.

Who is killed out of combats and fights on (W-7) is *doomed*: he dies at the end of the phase. In a
combat, he dies at its end; in the maintenance phase, at once.
"""

import numpy as np

from .._jit import routine
from ..combat.feats import has, note_feat
from ..core.sets import NONE, bit
from ..layout.abilities import Effect, Number
from ..layout.battle import Trait
from ..layout.table import Base
from ..table.contacts import change_contacts

NOBODY = -1


@routine
def kill(battle, turn, i, killer):
    """Take a killed fighter off the table; his points are the killer's (``NOBODY``: nobody's)."""
    traits, side = battle.traits[i], battle.traits[i, Trait.SIDE]
    battle.state[i] = battle.fight.dead
    battle.table.bases[i, Base.ALIVE] = 0.0
    change_contacts(battle.table, i)
    battle.alive[side] &= ~bit(i)
    battle.routed[i] = 0
    battle.stamp += 1
    points = max(traits[Trait.PA], 0)
    battle.destroyed[1 - side] += points
    battle.lost[side] += 1
    battle.death[i] = turn
    if killer >= 0 and battle.traits[killer, Trait.SIDE] != side:
        battle.kills[killer] += 1
        battle.earned[killer] += points
    if battle.alive[side] == NONE:
        battle.over = 1


@routine
def hurt(battle, turn, i, state, killer):
    """Give a fighter another state; the dead are taken off the table."""
    battle.state[i] = state
    if state == battle.fight.dead:
        kill(battle, turn, i, killer)


@routine
def state_left(battle, moment, i, state, killer):
    """State of a fighter after harm out of combats; who would be dead may fight on (W-7)."""
    if battle.doomed[i]:
        return np.int64(battle.state[i])
    if state == battle.fight.dead and has(battle, i, Effect.DIEHARD):
        battle.doomed[i], battle.slayer[i] = 1, killer
        note_feat(moment, 0, i, killer, Effect.DIEHARD, 0, 0, 0)
        return np.int64(battle.fight.standing[battle.numbers[i, Number.DIEHARD_LEVEL]])
    return np.int64(state)


@routine
def bury_doomed(battle, moment):
    """Let those die who were killed and fought on: the phase ends (W-7)."""
    for i in range(battle.n):
        if battle.doomed[i]:
            battle.doomed[i] = 0
            note_feat(moment, 0, i, battle.slayer[i], Effect.DIEHARD, 1, 0, 0)
            kill(battle, moment.turn, i, battle.slayer[i])
