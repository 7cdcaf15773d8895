"""Shooting: range, difficulty, the test of TIR, the wound roll, their exact chances (W-6).

Any record with the fields of ``SHOOTING`` does for what is rolled. TIR is the current one, what
wounds and a charge take is off (W-3.2, M-5.1); no state is changed here.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import has, is_toxic, outcome_of, poison, poisoned, survives
from ..combat.wounds import wound_row
from ..core.dice import final, note
from ..core.rng import HALF, LOW, SIX, U64, first_word, shot_address
from ..layout.abilities import Effect, Number, Roll, Weapon
from ..layout.combat import (
    ATTACK,
    ATTACK_AGAIN,
    WOUND,
    Call,
    Moment,
    Outcome,
    Rule,
    Rules,
    write_wounds,
)
from ..layout.log import Event
from ..layout.rolls import BANDS, OUT_OF_RANGE, SHOOTING, Shot
from ..table.geometry import within
from .attempts import attempt, attempt_chance, renew_luck

MISS, HIT = 0, 1  # places in a law: a miss, then the outcomes of a hit
SAVED = -1  # instead of an outcome: no wound roll was made (W-7)


def new_shooting(
    rules: Rules,
    still_wound: NDArray[np.int64],
    shots: NDArray[np.int64],
    seed: int,
    cell: int,
    still_lines: int = 0,
    flags: NDArray[np.int64] | None = None,
    numbers: NDArray[np.int64] | None = None,
    bane: bool = False,
) -> NDArray[np.void]:
    """Return a record array of shape (1,), ready for the kernels below.

    Parameters
    ----------
    rules : Rules
    still_wound : ndarray of int64, shape (d, 36)
        ``Rules.wound`` as read by a shooter who did not move.
    shots : ndarray of int64, shape (len(Shot),)
    seed : int
        0 to 2**64 - 1, the run.
    cell : int
        0 to 2**32 - 1, what is played.
    still_lines : int
        Lines of the wound table between ``Rules.wound`` and ``still_wound``.
    flags : ndarray of int64, shape (2,), optional
        Abilities of the shooter and of his target, bits ``1 << Effect`` (W-7).
    numbers : ndarray of int64, shape (2, NUMBERS), optional
        By ``Number``; needed where there are flags.
    bane : bool
        Whether the shooter is a bane of his target.
    """
    records = np.zeros(1, SHOOTING)
    record: Any = records[0]
    rows, states = len(rules.wound), len(rules.level)
    write_wounds(record, rules)
    record.shots[:], record.after[:states] = shots, rules.after
    record.still_wound[:rows], record.still_lines = still_wound, still_lines
    record.seed, record.cell = seed, cell
    if flags is not None:
        record["effects"], record["numbers"], record["banes"][0, 1] = flags, numbers, bane
        record["able"] = np.bitwise_or.reduce(flags)
    return records


@part
def band_of(ranges, distance):
    """Band that a distance in cm is in, ``OUT_OF_RANGE`` beyond the last; an end is within."""
    for band in range(BANDS):
        if ranges[band] > 0 and within(distance, ranges[band]):
            return band
    return OUT_OF_RANGE


@part
def shot_difficulty(shots, band, moved, cover):
    """Difficulty in a band, of a shooter who moved or not, of a target with Target/+cover."""
    return shots[band] + shots[Shot.MOVED] * (moved != 0) + cover


@part
def aim_least(record, difficulty):
    """Least final result that hits: no automatic failure (W-1.3)."""
    return max(difficulty, record.scalars[Rule.AUTOMATIC_FAILURE] + 1)


@part
def aim_goal(record, difficulty, aim):
    """Least natural result that hits."""
    return aim_least(record, difficulty) - aim


@routine
def shoots(record, moment, shooter, target, nth, aim, difficulty):
    """Test TIR; a 6 that is not enough is re-rolled (W-6, W-1.2), abilities as they say (W-7).

    Parameters
    ----------
    record
        Anything with an edition's ``scalars``, what dice need, and abilities.
    moment : Moment
    shooter, target : int
    nth : int
        0 to 31: which shot of the turn, in the trial's stream.
    aim : int
        Current TIR.
    difficulty : int
        From `shot_difficulty`.

    Returns
    -------
    natural, result : int
        ``core.dice.FAILED`` where a rule failed the test.
    hit : bool
    """
    call = Call(moment, nth, shooter, target, shot_address(moment.turn, nth), -1)
    goal = aim_goal(record, difficulty, aim)
    natural = attempt(record, call, call, shooter, ATTACK, ATTACK_AGAIN, goal, Roll.SHOT)
    result = final(natural, aim)
    return natural, result, result >= aim_least(record, difficulty)


@routine
def shot_wound(record, moment, shooter, target, nth, difference, still):
    """Roll the wound of a shot that hit, never re-rolled (W-6, W-1.6, W-2); no state changes.

    Parameters
    ----------
    record
        Anything with ``scalars``, ``wound``, ``still_wound``, ``wound_rows``, what dice need, and
        abilities; of who has one, ``starts``, ``lines``, ``line_count``, ``still_lines`` as well.
    moment, shooter, target, nth
        As in `shoots`.
    difference : int
        FOR of the weapon - RES of the target.
    still : bool
        Whether the shooter did not move.

    Returns
    -------
    outcome : int
        A `layout.combat.Outcome`; ``SAVED`` if the target's die cancels the roll (W-7).
    die_1, die_2 : int
        1 to 6.
    """
    address = shot_address(moment.turn, nth)
    call = Call(moment, nth, shooter, target, address, -1)
    if record.able and survives(record, call):
        return np.int64(SAVED), np.int64(0), np.int64(0)
    product = first_word(record, moment.lane, -1, address, WOUND) * SIX
    die_1 = np.int64(product >> HALF)
    die_2 = np.int64(((product & LOW) * SIX) >> HALF)
    note(moment, Event.DIE, nth, shooter, target, WOUND, 0, die_1 + 1, 0)
    note(moment, Event.DIE, nth, shooter, target, WOUND, 1, die_2 + 1, 0)
    if record.able:
        low, high = min(die_1, die_2) + 1, max(die_1, die_2) + 1
        outcome = feat_outcome(record, shooter, target, low, high, difference, still)
        outcome = poison(record, call, outcome)
    else:
        outcome = outcome_at(record, wound_row(record, difference), die_1 * 6 + die_2, still)
    return outcome, die_1 + 1, die_2 + 1


@routine
def feat_outcome(record, i, j, low, high, difference, still):
    """Outcome of both dice of a shot where somebody has an ability, before the toxic die."""
    further = record.still_lines if still else 0
    return outcome_of(record, i, j, low, high, difference, Weapon.RANGED, further)


@part
def outcome_at(record, row, column, still):
    """Cell of the wound table, read further down for a shooter who did not move (W-6)."""
    if still:
        return np.int64(record.still_wound[row, column])
    return np.int64(record.wound[row, column])


@routine
def hit_chance(record, one, goal):
    """Chance to hit, in closed form; ``one`` is the number 1, float or Fraction."""
    return attempt_chance(record, one, 0, goal, Roll.SHOT)


@part
def chance_to_save(record, j):
    """Chance that a target's die cancels the wound roll (W-7)."""
    if record.able and has(record, j, Effect.SURVIVAL):
        return (7 - record.numbers[j, Number.SURVIVAL_DIE]) / 6
    return 0.0


@routine
def add_feat_outcome(record, column, difference, still, chance, law):
    """Add what both dice of a shot come to, the toxic die included, to a law."""
    low, high = min(column // 6, column % 6) + 1, max(column // 6, column % 6) + 1
    outcome = feat_outcome(record, 0, 1, low, high, difference, still)
    if not is_toxic(record, 0, 1, outcome):
        law[HIT + outcome] += chance
        return
    for die in range(1, 7):
        worse = poisoned(outcome, die, record.numbers[0, Number.TOXIC_TWICE])
        law[HIT + worse] += chance / 6


@kernel
def shot_law(records, aim, difficulty, difference, still, law):
    """Fill in the exact law of one shot (W-6).

    Parameters
    ----------
    records : ndarray of SHOOTING, shape (1,)
        From `new_shooting`.
    aim, difficulty, difference, still : int
        As in `shoots` and `shot_wound`.
    law : ndarray of float64, shape (1 + OUTCOMES,)
        Overwritten: chance of a miss, then of each outcome of a hit.
    """
    record = records[0]
    chance = hit_chance(record, 1.0, aim_goal(record, difficulty, aim))
    row = wound_row(record, difference)
    law[:] = 0.0
    saved = chance * chance_to_save(record, 1)
    law[HIT + Outcome.NOTHING] = saved
    for column in range(36):
        share = (chance - saved) / 36
        if record.able:
            add_feat_outcome(record, column, difference, still, share, law)
        else:
            law[HIT + outcome_at(record, row, column, still)] += share
    law[MISS] = 1.0 - chance


@kernel
def count_shots(records, aim, difficulty, difference, still, nth, turn, first, trials, counts):
    """Add what came of the shots of trials ``first`` to ``first + trials - 1`` to counts (W-6).

    Parameters
    ----------
    records, aim, difficulty, difference, still
        As in `shot_law`.
    nth, turn : int
        Which dice.
    first, trials : int
    counts : ndarray of int64, shape (1 + OUTCOMES,)
        A miss, then each outcome of a hit.
    """
    record = records[0]
    moment = Moment(0, turn, None)
    for trial in range(first, first + trials):
        record.trials[0] = U64(trial)
        renew_luck(record, 0)
        place = np.int64(MISS)
        if shoots(record, moment, 0, 1, nth, aim, difficulty)[2]:
            outcome = shot_wound(record, moment, 0, 1, nth, difference, still)[0]
            place = HIT + max(outcome, np.int64(Outcome.NOTHING))
        counts[place] += 1


@kernel
def bands_at(ranges, distances, bands):
    """Fill in the band of each distance (W-6).

    Parameters
    ----------
    ranges : ndarray of float64, shape (BANDS,)
        Short, medium and long range in cm.
    distances : ndarray of float64, shape (n,)
    bands : ndarray of int64, shape (n,)
        Overwritten: a ``Band`` or ``OUT_OF_RANGE``.
    """
    for i in range(len(distances)):
        bands[i] = band_of(ranges, distances[i])


@kernel
def difficulties(shots, cover, table):
    """Fill in the difficulty of every band, still and moved (W-6).

    Parameters
    ----------
    shots : ndarray of int64, shape (len(Shot),)
    cover : int
        X of Target/X in all.
    table : ndarray of int64, shape (BANDS, 2)
        Overwritten, by band and whether the shooter moved.
    """
    for band in range(BANDS):
        for moved in range(2):
            table[band, moved] = shot_difficulty(shots, band, moved, cover)
