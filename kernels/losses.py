"""Fighters killed in a battle: what their death changes, and who earned their points."""

from estoc.kernels._jit import routine
from estoc.kernels.battle_codes import Trait
from estoc.kernels.contacts import change_contacts
from estoc.kernels.masks import NONE, bit
from estoc.kernels.table_codes import Base

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
