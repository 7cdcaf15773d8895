"""Mystic actions in a battle: who may cast what at whom, the test, what it does (A-5.6)."""

from .._jit import part, routine
from ..core.dice import chain, final, note
from ..core.rng import attack_address
from ..core.sets import NONE, bit
from ..layout.battle import Custom, Mystic, Stream, Trait
from ..layout.combat import ATTACK, Call, Outcome, Rule
from ..layout.log import Story
from ..layout.maintenance import MAX_EFFECTS, Effect, Kind
from ..table.geometry import within
from ..table.sight import sees
from .losses import hurt, state_left
from .marksmen import shot_distance
from .nerve import set_stream

CAST = 23  # number of the addresses of its dice


@part
def knows(battle, i, m):
    """Whether a fighter knows a mystic action, and can pay for it still (A-5.6)."""
    row = battle.mystics[m]
    times = row[Mystic.TIMES]
    known = (battle.known[i] >> m) & 1 and (times == 0 or battle.cast[i, m] < times)
    return known and battle.purse[i, row[Mystic.IN_FAITH]] >= row[Mystic.COST]


@routine
def may_be_cast(battle, i, m, j):
    """Whether a fighter may cast an action at another: side, range and sight."""
    row, own = battle.mystics[m], battle.traits[i, Trait.SIDE]
    if (battle.table.here & bit(j)) == NONE:
        return False
    if row[Mystic.UPKEEP] >= 0 and battle.upkeep.listed + 2 > MAX_EFFECTS:
        return False
    if (battle.traits[j, Trait.SIDE] == own) != (row[Mystic.FRIEND] == 1):
        return False
    if row[Mystic.KIND] == Kind.HEAL and battle.upkeep.healed[battle.state[j]] == battle.state[j]:
        return False
    if not within(shot_distance(battle, i, j), battle.mystic_range[m]):
        return False
    return (
        i == j or row[Mystic.SIGHT] == 0 or sees(battle.table, i, j, battle.customs[Custom.HIDES])
    )


@routine
def take_effect(battle, moment, i, m, j):
    """Do at once what an action does (T-5.3 has the kinds)."""
    row, before = battle.mystics[m], battle.state[j]
    state = before
    if row[Mystic.KIND] == Kind.DAMAGE:
        state = battle.fight.after[state, row[Mystic.OUTCOME]]
        for _ in range(row[Mystic.LEVELS]):
            state = battle.fight.after[state, Outcome.LIGHT]
    else:
        for _ in range(row[Mystic.LEVELS]):
            state = battle.upkeep.healed[state]
    state = state_left(battle, moment, j, state, i)
    note(moment, Story.EFFECT, m, j, i, 0, before, state, 0)
    hurt(battle, moment.turn, j, state, i)


@routine
def add_effect(battle, i, m, j):
    """Enter an effect that lasts and its upkeep for the maintenance phase."""
    phase, row = battle.upkeep, battle.mystics[m]
    e = phase.listed
    phase.listed = e + 2
    for k in range(2):
        effect = phase.effects[e + k]
        effect[:] = 0
        effect[Effect.TARGET], effect[Effect.SOURCE] = j, i
        effect[Effect.SUSTAINS], effect[Effect.GOES_ON] = -1, 1
    effect = phase.effects[e]
    effect[Effect.KIND], effect[Effect.STAGE] = row[Mystic.KIND], row[Mystic.STAGE]
    effect[Effect.NEEDS], effect[Effect.LEVELS] = row[Mystic.NEEDS], row[Mystic.LEVELS]
    effect[Effect.OUTCOME] = row[Mystic.OUTCOME]
    effect = phase.effects[e + 1]
    effect[Effect.KIND] = Kind.UPKEEP
    effect[Effect.STAGE] = battle.customs[Custom.UPKEEP_STAGE]
    effect[Effect.COST], effect[Effect.IN_FAITH] = row[Mystic.UPKEEP], row[Mystic.IN_FAITH]
    effect[Effect.KEEP], effect[Effect.SUSTAINS] = 1, e


@routine
def cast(battle, moment, i, m, j, outside):
    """Cast an action that may be cast at a fighter: pay, test, and what it does (A-5.6)."""
    row = battle.mystics[m]
    battle.purse[i, row[Mystic.IN_FAITH]] -= row[Mystic.COST]
    battle.cast[i, m] += 1
    set_stream(battle, battle, Stream.CAST, i, battle.casts[i])
    call = Call(moment, 0, i, i, attack_address(moment.turn, CAST, battle.casts[i] >> 4, 0), -1)
    battle.casts[i] += 1
    least = max(row[Mystic.DIFFICULTY], battle.scalars[Rule.AUTOMATIC_FAILURE] + 1)
    rank = battle.traits[i, Trait.RANK]
    result = final(chain(battle, call, i, ATTACK, least - rank), rank)
    success = result >= least
    note(moment, Story.CAST, m, i, j, outside, rank, result, success)
    note(moment, Story.PURSE, m, i, j, 0, battle.purse[i, row[Mystic.IN_FAITH]], 0, 0)
    if not success:
        return
    take_effect(battle, moment, i, m, j)
    if row[Mystic.UPKEEP] >= 0 and battle.state[j] != battle.fight.dead:
        add_effect(battle, i, m, j)
