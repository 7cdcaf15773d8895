"""Fear: the test of Courage, a rally, their exact chances (W-4).

Any record with the fields of ``FEAR`` does; for a test of Courage ``scalars`` and what dice need
are enough. COU is what stands for it: a leader's, or the fighter's own PEUR (W-4.1, W-4.5). The
difficulty is the enemy's PEUR, ``nerve`` the higher of COU and DIS.
"""

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, routine
from ..combat.feats import number_of
from ..core.dice import SIX_OPENS, least_result
from ..core.rng import COURAGE as COURAGE_TEST
from ..core.rng import nth_address
from ..layout.abilities import Effect, Number, Roll
from ..layout.combat import Call, Moment
from ..layout.maintenance import Custom, Person
from ..layout.rolls import FEAR
from ..phases.maintenance import passes_rally
from .attempts import attempt_chance, begin_trial, new_record, open_chance, repeated, result_of

COURAGE, RALLY = 0, 1  # places of both chances, and counts


def new_fear(
    scalars: NDArray[np.int64],
    customs: NDArray[np.int64],
    seed: int,
    cell: int,
    flags: int = 0,
    numbers: NDArray[np.int64] | None = None,
) -> NDArray[np.void]:
    """Return a record for an edition's ``Rules.scalars`` and customs of its maintenance phase."""
    records = new_record(FEAR, seed, cell, flags, numbers)
    records["scalars"], records["customs"] = scalars, customs
    return records


@routine
def passes_courage(record, moment, fighter, nth, courage, difficulty):
    """Test COU, of the ``nth`` dice of the turn (W-4.1, W-1.2); as `attempts.result_of`."""
    call = Call(moment, nth, fighter, fighter, nth_address(moment.turn, COURAGE_TEST, nth), -1)
    least = least_result(record, difficulty)
    return result_of(record, call, fighter, courage, least, Roll.COURAGE)


@routine
def rally_chance(record, one, nerve):
    """The same of a rally free of frightening enemies (W-4.4)."""
    goal = least_result(record, record.customs[Custom.RALLY_DIFFICULTY]) - nerve
    opens = SIX_OPENS - record.people[0, Person.OPEN]
    lucky = record.able != 0 and number_of(record, 0, Effect.LUCK, Number.LUCK_TESTS) > 0
    return repeated(open_chance(record, one, goal, opens), lucky)


@kernel
def fear_chances(records, courage, difficulty, nerve, chances):
    """Fill in the exact chances of a test of Courage and of a rally (W-4.1, W-4.4)."""
    record = records[0]
    goal = least_result(record, difficulty) - courage
    chances[COURAGE] = attempt_chance(record, 1.0, 0, goal, Roll.COURAGE)
    chances[RALLY] = rally_chance(record, 1.0, nerve)


@kernel
def count_fear(records, courage, difficulty, nerve, nth, turn, first, trials, counts):
    """Add the successes of trials ``first`` to ``first + trials - 1`` to counts (W-4.1, W-4.4)."""
    record = records[0]
    record.people[0, Person.NERVE] = nerve
    moment = Moment(0, turn, None)
    for trial in range(first, first + trials):
        begin_trial(record, trial)
        record.people[0, Person.LUCK] = record.luck[0]
        counts[COURAGE] += passes_courage(record, moment, 0, nth, courage, difficulty)[2]
        counts[RALLY] += passes_rally(record, moment, 0)
