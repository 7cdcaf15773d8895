"""Courage and Discipline in a battle: leaders, who tests fear, who is routed (W-4)."""

from .._jit import part, routine
from ..combat.feats import has
from ..core.dice import note
from ..core.rng import U64
from ..core.sets import NONE, bit
from ..layout.abilities import Effect, Number
from ..layout.battle import TRIAL_BITS, Custom, Stream, Trait
from ..layout.log import Story
from ..rolls.fear import passes_courage
from ..table.geometry import separation, within
from ..table.melees import NOBODY

STREAMS = U64(TRIAL_BITS)
NO_CHARGER = -1


@part
def set_stream(battle, record, stream, i, nth):
    """Give a record the dice of a fighter's n-th test of a kind in a turn."""
    code = (stream << 12) | (i << 4) | (nth & 15)
    record.trials[0] = battle.trial | U64(code) << STREAMS


@routine
def led(battle, i, trait):
    """COU or DIS of a fighter, or of a leader who is near enough, if higher (W-4.5)."""
    best = battle.traits[i, trait]
    side = battle.traits[i, Trait.SIDE]
    leaders = battle.commanders[side] & battle.alive[side] & ~bit(i)
    if leaders == NONE:
        return best
    for j in range(battle.n):
        if (leaders & bit(j)) != NONE and battle.routed[j] == 0:
            near = within(separation(battle.table, i, j), battle.command[j])
            if near and battle.traits[j, trait] > best:
                best = battle.traits[j, trait]
    return best


@routine
def fear_of(battle, i, charger):
    """PEUR of a fighter, which is a war cry's while he charges, if higher (W-7).

    ``charger`` is who charges now; ``NO_CHARGER``: nobody does.
    """
    fear = battle.traits[i, Trait.PEUR]
    if i == charger and has(battle, i, Effect.WAR_CRY):
        return max(fear, battle.numbers[i, Number.WAR_CRY_FEAR])
    return fear


@routine
def courage(battle, i, charger):
    """What a fighter tests Courage with: COU, or its own PEUR (W-4.1, W-4.5)."""
    own = led(battle, i, Trait.COU)
    if battle.customs[Custom.OWN_FEAR]:
        own = max(own, fear_of(battle, i, charger))
    return own


@routine
def fears(battle, i, j, charger):
    """Whether a fighter has to test Courage against an enemy (W-4.1, W-4.2, W-7)."""
    fear = fear_of(battle, j, charger)
    if fear <= 0 or battle.routed[i] or fear <= battle.immune[i]:
        return False
    if has(battle, i, Effect.FEARLESS):
        return False
    if battle.customs[Custom.OWN_FEAR] == 0 or has(battle, j, Effect.FRIGHTENS_ALL):
        return True
    return fear > fear_of(battle, i, charger)


@routine
def stands_firm(battle, moment, i, j, charger):
    """Test a fighter's Courage against an enemy, if it has to; who fails is routed (W-4).

    ``charger`` is who of them charges the other; ``NO_CHARGER``: neither.
    """
    if not fears(battle, i, j, charger):
        return True
    fear, own = fear_of(battle, j, charger), courage(battle, i, charger)
    set_stream(battle, battle, Stream.COURAGE, i, battle.tested[i])
    nth = battle.tested[i] >> 4
    battle.tested[i] += 1
    _, result, success = passes_courage(battle, moment, i, nth, own, fear)
    note(moment, Story.COURAGE, 0, i, j, fear, own, result, success)
    if not success:
        battle.routed[i] = 1
    elif battle.customs[Custom.IMMUNE]:
        battle.immune[i] = fear
    return success


@routine
def stands_firm_all(battle, moment, i, j, also, charger):
    """As `stands_firm`, against the most frightening of an enemy and some others (W-4.1)."""
    worst, most = j, fear_of(battle, j, charger) if fears(battle, i, j, charger) else 0
    for k in range(battle.n):
        if (also & bit(k)) != NONE and fears(battle, i, k, charger):
            fear = fear_of(battle, k, charger)
            if fear > most:
                worst, most = k, fear
    return stands_firm(battle, moment, i, worst, charger)


@routine
def best_tester(battle, mask):
    """The fighter of a mask who makes a test of Discipline: the best, not in rout (C-1.4, C-2.1).

    ``NOBODY``: none may.
    """
    best, chosen = -1, NOBODY
    for i in range(battle.n):
        if (mask & bit(i)) != NONE and battle.routed[i] == 0:
            value = led(battle, i, Trait.DIS)
            if value > best:
                best, chosen = value, i
    return chosen
