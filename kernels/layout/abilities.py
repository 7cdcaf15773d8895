"""Codes and columns of abilities (W-7): what flags and numbers of a fighter mean.

A fighter's abilities are one word of flags, bit ``1 << Effect``, and one row of numbers, by
`Number`. A number counts only where the flag of its effect is set, but for the results of wounds,
which are then the result itself: `DEALT` and `SUFFERED` can be looked up without asking.
"""

from enum import IntEnum


class Effect(IntEnum):
    """What an ability does; a bit of a fighter's flags."""

    # combat dice (C-3)
    PLACES_IN_TURN = 0  # a caster who does not place before everyone
    EXTRA_DICE = 1
    FURY = 2  # declared before initiative, all dice in attack to the end of the turn
    CHARGE_DICE = 3  # attack dice in the combat after a successful charge
    CHAIN = 4  # more dice, each for less ATT and DEF
    HOLD_BACK = 5  # dice unplaced until they are used
    # characteristic tests (W-1) and strikes (C-6)
    NO_REROLLS = 6
    OPEN_FIVES = 7  # 5s re-rolled like 6s
    LUCK = 8
    DESPERATE = 9  # outnumbered, or against a dearer enemy
    ALL_ATTACK_RESULT = 10
    MASTER_STROKE = 11
    COUNTER_ATTACK = 12
    PARRY_DICE = 13  # attack dice for every successful defence
    # wounds (W-2), in melee unless a number says otherwise
    FEINT = 14  # instead of the wound roll
    SURVIVAL = 15  # a die before the wound roll
    WOUND_DICE = 16  # of the first wound roll after a charge; the two highest are kept
    IGNORE_DOUBLES = 17
    KILL_DOUBLES = 18
    IGNORE_LOCATION = 19
    ALL_ATTACK_WOUND = 20
    BANE = 21  # against some enemies only
    TOUGH = 22
    REPLACE_DEALT = 23
    REPLACE_SUFFERED = 24
    IMMUNE_TOXIC = 25
    TOXIC = 26
    DIEHARD = 27  # killed, he fights on to the end of the phase
    # penalties of wounds (W-3)
    IGNORE_PENALTY = 28
    LIGHTER_PENALTY = 29
    # charges (M-5) and fear (W-4)
    STEADY = 30
    BRUTAL = 31
    POWER_CHARGING = 32
    POWER_CHARGED = 33
    FEARLESS = 34
    WAR_CRY = 35
    FRIGHTENS_ALL = 36
    # all else
    AIM_DIFFICULTY = 37
    FAST = 38
    PURSUITS = 39
    DISENGAGES = 40
    FIXED_DISCIPLINE = 41
    REGENERATION = 42


# Flags that a combat looks at: placing, tests, wound rolls (``combat.FIGHT``: ``effects``).
COMBAT = sum(1 << effect for effect in Effect if Effect.EXTRA_DICE <= effect <= Effect.DIEHARD)


def _bits(*effects: Effect) -> int:
    return sum(1 << effect for effect in effects)


# Who has none of these needs no look at what abilities do there.
ON_DICE = _bits(Effect.HOLD_BACK, Effect.MASTER_STROKE)
ON_RESULTS = _bits(Effect.CHAIN, Effect.DESPERATE, Effect.ALL_ATTACK_RESULT)
ON_PARRIES = _bits(Effect.COUNTER_ATTACK, Effect.PARRY_DICE)
ON_WOUNDS = _bits(
    *(effect for effect in Effect if Effect.MASTER_STROKE <= effect <= Effect.DIEHARD)
)
ON_WOUNDS &= ~ON_PARRIES & ~_bits(Effect.IMMUNE_TOXIC)
# Abilities that lanes know (`estoc.kernels.samplers.plan`): those that change how dice are placed,
# or the figures of a test or wound roll; not those by which more dice are rolled, or a die is used
# otherwise.
KNOWN_IN_LANES = _bits(
    *(Effect.PLACES_IN_TURN, Effect.EXTRA_DICE, Effect.FURY, Effect.CHARGE_DICE, Effect.CHAIN),
    *(Effect.NO_REROLLS, Effect.DESPERATE, Effect.ALL_ATTACK_RESULT, Effect.IGNORE_DOUBLES),
    *(Effect.KILL_DOUBLES, Effect.IGNORE_LOCATION, Effect.ALL_ATTACK_WOUND, Effect.BANE),
    *(Effect.TOUGH, Effect.REPLACE_DEALT, Effect.REPLACE_SUFFERED, Effect.IMMUNE_TOXIC),
)


class Number(IntEnum):
    """Columns of a fighter's numbers; the name says of which effect."""

    EXTRA_DICE = 0
    FURY_DICE = 1
    CHARGE_DICE = 2
    CHAIN_DICE = 3  # at most
    CHAIN_COST = 4  # of ATT and of DEF, for each die
    HELD_DICE = 5
    OPEN_ROLLS = 6  # bits of `Roll`
    LUCK_TESTS = 7  # a turn
    DESPERATE_RESULT = 8
    ALL_ATTACK_RESULT = 9
    MASTER_DICE = 10  # that make one attack
    MASTER_STRENGTH = 11
    COUNTER_MARGIN = 12  # by which the defence must beat the attack
    COUNTER_DICE = 13
    PARRY_DICE = 14
    FEINT_DICE = 15  # that the enemy loses
    SURVIVAL_DIE = 16  # least that succeeds
    WOUND_DICE = 17
    KILL_WEAPONS = 18  # bits of `Weapon`
    IGNORED_LOCATIONS = 19  # bits of `Location`
    ALL_ATTACK_WOUND = 20
    BANE_ROWS = 21  # towards killed
    TOUGH_ROWS = 22  # towards nothing
    DEALT = 23  # six columns: by an `Outcome`, the one that it becomes
    SUFFERED = 29  # likewise
    TOXIC_TWICE = 35  # a die at or below it: two levels more
    DIEHARD_LEVEL = 36  # at which he fights on
    IGNORED_LEVEL = 37  # wounds up to it cost nothing
    LIGHTER_LEVELS = 38
    POWER_CHARGING = 39
    POWER_CHARGED = 40
    WAR_CRY_FEAR = 41
    AIM_DIFFICULTY = 42
    FAST_FACTOR = 43  # of MOU
    EXTRA_PURSUITS = 44
    DISENGAGE_MOST = 45  # difficulty
    DISCIPLINE = 46
    REGENERATION_DIE = 47  # least that succeeds


NUMBERS = Number.REGENERATION_DIE + 1
MAPS = (Number.DEALT, Number.SUFFERED)
MAP_COLUMNS = 6  # an outcome each


class Roll(IntEnum):
    """What an effect touches; bits of `Number.OPEN_ROLLS` are those of tests."""

    PLACING = 0
    INITIATIVE = 1
    ATTACK = 2
    DEFENCE = 3
    WOUND_DEALT = 4
    WOUND_TAKEN = 5
    SURVIVAL = 6
    PENALTY = 7
    CHARGE = 8
    PURSUIT = 9
    FEAR = 10
    COURAGE = 11
    SHOT = 12
    MOVE = 13
    DISENGAGEMENT = 14
    DISCIPLINE = 15
    MAINTENANCE = 16


class Weapon(IntEnum):
    """Bits of what a wound roll comes of."""

    MELEE = 1
    RANGED = 2


class Location(IntEnum):
    """Bits of locations: ``1 << lower die - 1`` (W-2.1)."""

    LEGS = 0b000001
    HEAD = 0b110000


IGNORED, LIGHTER = 4, 4  # ways to bear wounds: levels that cost nothing, levels less that cost
