"""Tests of one die against a difficulty, and what abilities change in them (W-1, W-7).

Any record with what dice need and the fields of `layout.abilities.ability_fields` does. What
succeeds is a least final result (``least``), or the least natural one (``goal``); which test it is
(``roll``) is a `layout.abilities.Roll`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import part, routine
from ..combat.feats import note_feat, number_of, opens_of
from ..core.dice import SIX_OPENS, chain, final
from ..core.rng import U64
from ..layout.abilities import Effect, Number
from ..layout.combat import ATTACK, ATTACK_AGAIN, Call, RerollOne, Rule


def new_record(
    dtype: Any, seed: int, cell: int, flags: Any = 0, numbers: NDArray[np.int64] | None = None
) -> NDArray[np.void]:
    """Return a record of shape (1,) with its dice, and abilities where there are numbers of them.

    ``seed`` is the run, 0 to 2**64 - 1; ``cell`` what is played, 0 to 2**32 - 1; ``flags`` are bits
    ``1 << Effect`` of one fighter, or of each (W-7).
    """
    records = np.zeros(1, dtype)
    records["seed"], records["cell"] = seed, cell
    if numbers is not None:
        records["effects"], records["numbers"] = flags, numbers
        records["able"] = np.bitwise_or.reduce(np.atleast_1d(flags))
    return records


@part
def begin_trial(record, trial):
    """Let the dice be those of a trial; who has luck has it again."""
    record.trials[0] = U64(trial)
    renew_luck(record, 0)


@part
def opens_in(record, i, roll):
    """Least die of a test that is re-rolled like a 6: of who has no ability, a 6."""
    return opens_of(record, i, roll) if record.able else SIX_OPENS


@routine
def attempt(record, call: Call, second: Call, i, slot, again, goal, roll):
    """Natural result of a test of fighter ``i``: at least ``goal`` succeeds.

    By luck, a test that failed is rolled again with the dice of ``second`` and ``again``, and the
    second result stays.
    """
    opens = opens_in(record, i, roll)
    natural = chain(record, call, i, slot, goal, opens)
    if record.able and natural < goal and record.luck[i] > 0:
        record.luck[i] -= 1
        other = call.striker + call.target - i
        note_feat(call.moment, call.number, i, other, Effect.LUCK, slot, natural, 0)
        natural = chain(record, second, i, again, goal, opens)
    return natural


@routine
def result_of(record, call: Call, i, value, least, roll):
    """Natural and final result of a test with ``value`` added, and whether it reaches ``least``."""
    natural = attempt(record, call, call, i, ATTACK, ATTACK_AGAIN, least - value, roll)
    result = final(natural, value)
    return natural, result, result >= least


@part
def renew_luck(record, i):
    """Give a fighter the tests that he may roll again in a turn."""
    record.luck[i] = number_of(record, i, Effect.LUCK, Number.LUCK_TESTS)


@routine
def attempt_chance(record, one, i, goal, roll):
    """Chance that a test succeeds, in closed form; ``one`` is the number 1, float or Fraction.

    Luck, if there is any, is for this test.
    """
    opens = opens_in(record, i, roll)
    lucky = record.able != 0 and number_of(record, i, Effect.LUCK, Number.LUCK_TESTS) > 0
    return repeated(open_chance(record, one, goal, opens), lucky)


@part
def repeated(chance, lucky):
    """Chance of a test that may be rolled again once it failed."""
    return chance + (1 - chance) * chance if lucky else chance


@part
def turned_to_one(record, one, natural, goal):
    """1 where a re-roll that shows a 1 reaches a goal, else 0 (W-1.2)."""
    mode = record.scalars[Rule.REROLL_ONE]
    after = natural + 1 if mode == RerollOne.ADD else 1
    return one if mode != RerollOne.FAIL and after >= goal else one - one


@routine
def open_chance(record, one, goal, opens):
    """Chance that a die reaches a natural result, re-rolled while it is open and below it.

    A die is open that shows ``opens`` or more (W-1.2).
    """
    none = one - one
    # chances from an open die that shows so much in all, and 1 to 6 more
    now = first = second = third = fourth = fifth = sixth = none
    from_5 = from_6 = none
    for natural in range(goal - 1, 4, -1):
        first, second, third, fourth, fifth, sixth = now, first, second, third, fourth, fifth
        now = turned_to_one(record, one, natural, goal)
        for die in range(2, 7):
            if natural + die >= goal:
                now += one
        if natural + 5 < goal and opens <= 5:
            now += fifth
        if natural + 6 < goal and opens <= 6:
            now += sixth
        now /= 6
        if natural == 5:
            from_5 = now
        elif natural == 6:
            from_6 = now
    chance = none
    for die in range(1, 7):
        failed = die == 1 and record.scalars[Rule.NATURAL_ONE_FAILS] != 0
        if die >= goal and not failed:
            chance += one
    if goal > 5 and opens <= 5:
        chance += from_5
    if goal > 6 and opens <= 6:
        chance += from_6
    return chance / 6
