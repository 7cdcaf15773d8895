"""Which actions a fighter may combine in its activation, and who acts when (A-5, M-7, M-8).

*facts* is a mask of ``Fact`` bits, *done* what the fighter did in this activation: an
array of int64, shape (STEPS,), how often by step, all 0 at its start; for DISENGAGE an
``Attempt``.
"""

import numpy as np

from .._jit import kernel, part, routine
from ..layout.actions import (
    ACTIONS,
    STEPS,
    Action,
    ActionRule,
    Attempt,
    Ban,
    Cell,
    Fact,
    Step,
)


@part
def done_mask(done):
    """Bits of what was done, the try at disengaging left out."""
    mask = 0
    for step in range(Step.DISENGAGE):
        if done[step] > 0:
            mask |= 1 << step
    return mask


@part
def earlier_ban(table, facts, done, action):
    """Whether what was done may come before an action of another kind (A-5.3, A-5.4, M-9)."""
    row = table.rows[action]
    allowed = row[Cell.AFTER] | 1 << action
    if facts >> Fact.COMBINES & 1:
        allowed |= row[Cell.AFTER_COMBINING]
    if not row[Cell.EXCLUSIVE]:
        allowed |= 1 << Step.TURN | 1 << Step.ANNOUNCE_WALK
    barred = done_mask(done) & ~allowed
    for other in range(ACTIONS):
        once = done[other] > 0 and table.rows[other, Cell.EXCLUSIVE]
        if once and (other == action or barred >> other & 1):
            return Ban.EXCLUSIVE
    return Ban.AFTER if barred else Ban.NONE


@part
def contact_ban(table, facts, done, action):
    """Whether enemies in contact, or a disengagement, forbid an action (M-2.1, M-7.4, M-7.5)."""
    row = table.rows[action]
    failed = done[Step.DISENGAGE] == Attempt.FAILED
    if failed and row[Cell.POTENTIAL] > 0 and table.scalars[ActionRule.FAILURE_STAYS]:
        return Ban.STAYS
    if done[Step.DISENGAGE] == Attempt.SUCCEEDED:
        return Ban.NONE if row[Cell.AFTER_DISENGAGING] else Ban.DISENGAGED
    if not facts >> Fact.FREE & 1 and not row[Cell.IN_CONTACT]:
        return Ban.CONTACT
    return Ban.NONE


@part
def lacks_fact(table, facts, done, action):
    """Whether an action needs a fact that does not hold (M-4.1, M-4.2, M-6.1, A-5.5, A-5.6)."""
    disengaged = done[Step.DISENGAGE] == Attempt.SUCCEEDED
    needs = table.rows[action, Cell.NEEDS_DISENGAGED if disengaged else Cell.NEEDS]
    return needs & ~facts != 0


@routine
def action_ban(table, facts, done, action, times):
    """Why an action may not follow; ``times``: most times, 0 = no limit."""
    ban = earlier_ban(table, facts, done, action)
    if ban != Ban.NONE:
        return ban
    if times and done[action] >= times:
        return Ban.TIMES
    ban = contact_ban(table, facts, done, action)
    if ban != Ban.NONE:
        return ban
    if lacks_fact(table, facts, done, action):
        return Ban.NEEDS
    shot_first = action == Action.WALK and done[Action.SHOOT] > 0
    if shot_first and table.scalars[ActionRule.WALK_ANNOUNCED] and not done[Step.ANNOUNCE_WALK]:
        return Ban.ANNOUNCED
    return Ban.NONE


@routine
def disengaging_ban(table, facts, done):
    """Why a fighter may not try to disengage (M-7.1)."""
    mask = done_mask(done)
    for action in range(ACTIONS):
        if mask >> action & 1 and table.rows[action, Cell.EXCLUSIVE]:
            return Ban.EXCLUSIVE
    if done[Step.DISENGAGE] > 0:
        return Ban.TRIED
    if mask & ~table.scalars[ActionRule.DISENGAGE_AFTER]:
        return Ban.AFTER
    if facts >> Fact.FREE & 1:
        return Ban.FREE
    if facts & table.scalars[ActionRule.DISENGAGE_UNLESS]:
        return Ban.BARRED
    return Ban.NONE


@routine
def is_legal(table, facts, done, step):
    """0 if a fighter may do a step now, else the ``Ban`` that forbids it (A-5, M-7.4).

    A turn on the spot is possible where a walk is; it is one in the older edition (M-1.5,
    M-9). A walk can be announced while it is possible and before a shot (A-5.5).
    """
    if step == Step.DISENGAGE:
        return disengaging_ban(table, facts, done)
    if step == Step.ANNOUNCE_WALK and (done[Action.SHOOT] > 0 or done[Step.ANNOUNCE_WALK] > 0):
        return Ban.ANNOUNCED
    action = step if step < ACTIONS else Action.WALK
    times = table.rows[action, Cell.TIMES]
    if step == Step.TURN and not table.scalars[ActionRule.TURNING_IS_WALK]:
        times = 0
    return action_ban(table, facts, done, action, times)


@part
def record(table, done, step, attempt):
    """Enter a step that was done; ``attempt``: how a try at disengaging ended."""
    if step == Step.DISENGAGE:
        done[step] = attempt
        return
    done[step] += 1
    if step == Step.TURN and table.scalars[ActionRule.TURNING_IS_WALK]:
        done[Action.WALK] += 1


@part
def potential(table, done, action):
    """How far a fighter may move by an action, as a multiple of its MOU (M-7.4, M-8)."""
    disengaged = done[Step.DISENGAGE] == Attempt.SUCCEEDED
    return table.rows[action, Cell.POTENTIAL_DISENGAGED if disengaged else Cell.POTENTIAL]


@routine
def shoots_still(table, done):
    """Whether a shot now has the bonus of a shooter that does not move (A-5.5)."""
    if not table.scalars[ActionRule.STILL_BONUS]:
        return False
    if done[Step.TURN] > 0 or done[Step.ANNOUNCE_WALK] > 0:
        return False
    disengaged = done[Step.DISENGAGE] == Attempt.SUCCEEDED
    if disengaged and table.scalars[ActionRule.DISENGAGED_SHOT_MOVED]:
        return False
    for action in range(ACTIONS):
        if done[action] > 0 and table.rows[action, Cell.POTENTIAL] > 0:
            return False
    return True


@kernel
def bans(table, facts, done):
    """`is_legal` of every step: ndarray of int64, shape (STEPS,)."""
    found = np.empty(STEPS, np.int64)
    for step in range(STEPS):
        found[step] = is_legal(table, facts, done, step)
    return found


@kernel
def advance(table, done, step, attempt):
    """Enter a step in ``done``; ``attempt``: an ``Attempt``, or 0 for other steps."""
    record(table, done, step, attempt)


@kernel
def standing(table, done):
    """Potentials of the actions, then whether a shot is still: int64, shape (ACTIONS + 1,)."""
    found = np.empty(ACTIONS + 1, np.int64)
    for action in range(ACTIONS):
        found[action] = potential(table, done, action)
    found[ACTIONS] = shoots_still(table, done)
    return found
