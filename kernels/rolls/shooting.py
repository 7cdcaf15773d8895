"""Shooting: range, difficulty, the test of TIR, the wound roll, their exact chances (W-6).

Any record with the fields of ``SHOOTING`` does for what is rolled. TIR is the current one, what
wounds and a charge take is off (W-3.2, M-5.1); no state is changed here.
"""

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import has, is_toxic, outcome_of, poison, poisoned, survives
from ..combat.wounds import throw_of, wound_row
from ..core.dice import least_result, wound_dice
from ..core.rng import SHOT, nth_address
from ..layout.abilities import Effect, Number, Roll, Weapon
from ..layout.combat import THROWS, Call, Moment, Outcome, Rules, write_wounds
from ..layout.rolls import BANDS, OUT_OF_RANGE, SHOOTING, Shot
from ..table.geometry import within
from .attempts import attempt_chance, begin_trial, new_record, result_of

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
    """Return a record for a shooter, fighter 0, and his target, fighter 1.

    ``still_wound`` is ``Rules.wound`` as read by a shooter who did not move, ``still_lines`` lines
    further down; ``shots`` is indexed by `Shot`.
    """
    records = new_record(SHOOTING, seed, cell, flags, numbers)
    write_wounds(records[0], rules)
    records["shots"], records["after"][0, : len(rules.level)] = shots, rules.after
    records["still_wound"][0, : len(rules.wound)] = still_wound
    records["still_lines"], records["banes"][0, 0, 1] = still_lines, bane
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
def aim_goal(record, difficulty, aim):
    """Least natural result that hits."""
    return least_result(record, difficulty) - aim


@part
def shot_call(moment, shooter, target, nth):
    """Where the ``nth`` dice of a turn's shots are."""
    return Call(moment, nth, shooter, target, nth_address(moment.turn, SHOT, nth), -1)


@routine
def shoots(record, moment, shooter, target, nth, aim, difficulty):
    """Test TIR, of the ``nth`` dice of the turn (W-6, W-1.2); as `attempts.result_of`."""
    call = shot_call(moment, shooter, target, nth)
    return result_of(record, call, shooter, aim, least_result(record, difficulty), Roll.SHOT)


@routine
def shot_wound(record, moment, shooter, target, nth, difference, still):
    """Roll the wound of a shot that hit (W-6, W-1.6, W-2): outcome and both dice; no state changes.

    ``difference`` is FOR of the weapon - RES of the target, ``still`` whether the shooter did not
    move. The outcome is ``SAVED`` if the target's die cancels the roll (W-7).
    """
    call = shot_call(moment, shooter, target, nth)
    if record.able and survives(record, call):
        return np.int64(SAVED), np.int64(0), np.int64(0)
    die_1, die_2 = wound_dice(record, call)
    if record.able:
        low, high = min(die_1, die_2), max(die_1, die_2)
        outcome = feat_outcome(record, shooter, target, low, high, difference, still)
        outcome = poison(record, call, outcome)
    else:
        outcome = outcome_at(record, wound_row(record, difference), throw_of(die_1, die_2), still)
    return outcome, die_1, die_2


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
    """Fill in the exact law of one shot: a miss, then each outcome of a hit (W-6)."""
    record = records[0]
    chance = attempt_chance(record, 1.0, 0, aim_goal(record, difficulty, aim), Roll.SHOT)
    row = wound_row(record, difference)
    law[:] = 0.0
    saved = chance * chance_to_save(record, 1)
    law[HIT + Outcome.NOTHING] = saved
    for column in range(THROWS):
        share = (chance - saved) / THROWS
        if record.able:
            add_feat_outcome(record, column, difference, still, share, law)
        else:
            law[HIT + outcome_at(record, row, column, still)] += share
    law[MISS] = 1.0 - chance


@kernel
def count_shots(records, aim, difficulty, difference, still, nth, turn, first, trials, counts):
    """Add what came of trials ``first`` to ``first + trials - 1`` to counts, as in `shot_law`."""
    record = records[0]
    moment = Moment(0, turn, None)
    for trial in range(first, first + trials):
        begin_trial(record, trial)
        place = np.int64(MISS)
        if shoots(record, moment, 0, 1, nth, aim, difficulty)[2]:
            outcome = shot_wound(record, moment, 0, 1, nth, difference, still)[0]
            place = HIT + max(outcome, np.int64(Outcome.NOTHING))
        counts[place] += 1


@kernel
def bands_at(ranges, distances, bands):
    """Fill in the band of each distance by short, medium and long range in cm (W-6)."""
    for i in range(len(distances)):
        bands[i] = band_of(ranges, distances[i])


@kernel
def difficulties(shots, cover, table):
    """Fill in the difficulty by band and whether the shooter moved (W-6)."""
    for band in range(BANDS):
        for moved in range(2):
            table[band, moved] = shot_difficulty(shots, band, moved, cover)
