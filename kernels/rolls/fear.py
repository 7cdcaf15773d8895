"""Fear: the test of Courage, a rally, their exact chances (W-4).

Any record with the fields of ``FEAR`` does; for a test of Courage ``scalars`` and what dice need
are enough. COU is what stands for it: a leader's, or the fighter's own PEUR (W-4.1, W-4.5).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import number_of
from ..core.dice import SIX_OPENS, final
from ..core.rng import U64, courage_address
from ..layout.abilities import Effect, Number, Roll
from ..layout.combat import ATTACK, ATTACK_AGAIN, Call, Moment, Rule
from ..layout.maintenance import Custom, Person
from ..layout.rolls import FEAR
from ..phases.maintenance import passes_rally
from .attempts import attempt, attempt_chance, open_chance, renew_luck, repeated

COURAGE, RALLY = 0, 1  # places of both chances


def new_fear(
    scalars: NDArray[np.int64],
    customs: NDArray[np.int64],
    seed: int,
    cell: int,
    flags: int = 0,
    numbers: NDArray[np.int64] | None = None,
) -> NDArray[np.void]:
    """Return a record array of shape (1,), ready for the kernels below.

    Parameters
    ----------
    scalars : ndarray of int64, shape (len(Rule),)
        Of the edition's ``Rules``.
    customs : ndarray of int64, shape (len(Custom),)
        Of its ``MaintenanceRules``.
    seed : int
        0 to 2**64 - 1, the run.
    cell : int
        0 to 2**32 - 1, what is played.
    flags : int
        Abilities of who tests, bits ``1 << Effect`` (W-7).
    numbers : ndarray of int64, shape (NUMBERS,), optional
        By ``Number``; needed where there are flags.
    """
    records = np.zeros(1, FEAR)
    record: Any = records[0]
    record.scalars[:], record.customs[:] = scalars, customs
    record.seed, record.cell = seed, cell
    if numbers is not None:
        record["able"], record["effects"][0], record["numbers"][0] = flags, flags, numbers
    return records


@part
def courage_least(record, difficulty):
    """Least final result that succeeds: no automatic failure (W-1.3)."""
    return max(difficulty, record.scalars[Rule.AUTOMATIC_FAILURE] + 1)


@routine
def passes_courage(record, moment, fighter, nth, courage, difficulty):
    """Test COU; a 6 that is not enough is re-rolled (W-4.1, W-1.2), abilities as they say (W-7).

    Parameters
    ----------
    record
        Anything with an edition's ``scalars``, what dice need, and abilities.
    moment : Moment
    fighter : int
    nth : int
        0 to 31: which test of the turn, in the trial's stream.
    courage : int
        What the die is added to.
    difficulty : int
        PEUR of the enemy.

    Returns
    -------
    natural, result : int
        ``core.dice.FAILED`` where a rule failed the test.
    success : bool
    """
    call = Call(moment, nth, fighter, fighter, courage_address(moment.turn, nth), -1)
    least = courage_least(record, difficulty)
    goal = least - courage
    natural = attempt(record, call, call, fighter, ATTACK, ATTACK_AGAIN, goal, Roll.COURAGE)
    result = final(natural, courage)
    return natural, result, result >= least


@routine
def courage_chance(record, one, courage, difficulty):
    """Chance of a test of COU, in closed form; ``one`` is the number 1, float or Fraction."""
    goal = courage_least(record, difficulty) - courage
    return attempt_chance(record, one, 0, goal, Roll.COURAGE)


@routine
def rally_chance(record, one, nerve):
    """The same of a rally free of frightening enemies (W-4.4)."""
    goal = courage_least(record, record.customs[Custom.RALLY_DIFFICULTY]) - nerve
    opens = SIX_OPENS - record.people[0, Person.OPEN]
    lucky = record.able != 0 and number_of(record, 0, Effect.LUCK, Number.LUCK_TESTS) > 0
    return repeated(open_chance(record, one, goal, opens), lucky)


@kernel
def fear_chances(records, courage, difficulty, nerve, chances):
    """Fill in the exact chances of a test of Courage and of a rally (W-4.1, W-4.4).

    Parameters
    ----------
    records : ndarray of FEAR, shape (1,)
        From `new_fear`.
    courage, difficulty : int
        As in `passes_courage`.
    nerve : int
        The higher of COU and DIS.
    chances : ndarray of float64, shape (2,)
        Overwritten: ``COURAGE`` and ``RALLY``, the latter free of frightening enemies.
    """
    record = records[0]
    chances[COURAGE] = courage_chance(record, 1.0, courage, difficulty)
    chances[RALLY] = rally_chance(record, 1.0, nerve)


@kernel
def count_fear(records, courage, difficulty, nerve, nth, turn, first, trials, counts):
    """Add the successes of trials ``first`` to ``first + trials - 1`` to counts (W-4.1, W-4.4).

    Parameters
    ----------
    records, courage, difficulty, nerve
        As in `fear_chances`.
    nth, turn : int
        Which dice.
    first, trials : int
    counts : ndarray of int64, shape (2,)
        ``COURAGE`` and ``RALLY``.
    """
    record = records[0]
    record.people[0, Person.NERVE] = nerve
    moment = Moment(0, turn, None)
    for trial in range(first, first + trials):
        record.trials[0] = U64(trial)
        renew_luck(record, 0)
        record.people[0, Person.LUCK] = record.luck[0]
        counts[COURAGE] += passes_courage(record, moment, 0, nth, courage, difficulty)[2]
        counts[RALLY] += passes_rally(record, moment, 0)
