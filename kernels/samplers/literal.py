"""Many trials of a combat side by side, every die rolled: the same trials as `combat.trials.count`.

Lanes walk the positions of a plan (`plan`). What is rolled, from which words, is what
`combat.fight` rolls, so that a trial ends here as it does there; no loop over lanes has a branch.
The rare trial that a row cannot tell (a chain longer than a word, three dice and more against
one attack) is rolled by `combat.fight` itself.
"""

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.fight import attack_of, is_parried, next_attack, roll_attack
from ..combat.placing import place_anew
from ..combat.trials import add_ends
from ..core.dice import FAILED, final
from ..core.lanes import lane_at, set_lane, table_at
from ..core.rng import HALF, LOW, U64, attack_address
from ..layout.combat import THROWS, Call, Moment, RerollOne, Rule
from .initiative import decide_first
from .lanes import (
    FOUND,
    HIGH,
    I32,
    LANES,
    MORE_STEPS,
    MORE_TRIALS,
    OPEN,
    ROOM,
    SPARE,
    STEP,
    TRIAL,
    U32,
    WORDS,
    field,
    keep_of,
    make_words,
    most_found,
    rolled,
    share_of,
    whole,
)
from .plan import Plan, able_of
from .rows import (
    CELLS,
    COMMITTED,
    KEEP,
    LANDED,
    LOST,
    LOW_END,
    MANY,
    MIDDLE,
    MISSED,
    MOST_FAILED,
    MOST_KEPT,
    OVER,
    PARRIED,
    PLACES,
    ROW,
    TABLE,
    TESTED,
    declare,
    set_up,
)

ROLLED_ON = 15  # what was found: `combat.fight` has to roll
COPIES = 4


# --- steps ---------------------------------------------------------------------------------


@routine
def go_on(buffer, lanes, rows, attacks):
    """Take each lane to the step that follows; how many have an attack there, and all its bits."""
    going, together, work = U64(0), U64(0), whole(lanes)
    for i in range(work):
        row = I32(lane_at(buffer, STEP + i) & U32(PLACES))
        end = I32(lane_at(buffer, FOUND + i))
        step = table_at(rows, I32(I32(row * I32(ROW)) + end))
        set_lane(buffer, STEP + i, U32(step & LOW))
        set_lane(buffer, HIGH + i, U32(step >> HALF))
        together |= step
        going += U64((step & U64(PLACES)) < attacks)
    for i in range(lanes, work):
        going -= U64(U64(buffer[STEP + i] & U32(PLACES)) < attacks)
    return np.int64(going), together


@routine
def begin(buffer, lanes, rows, attacks):
    """As `go_on`, where all lanes begin alike."""
    row = I32(buffer[STEP] & U32(PLACES)) * ROW
    by_lone, by_others = rows[row], rows[row + 1]
    one, other = U32(by_lone & LOW), U32(by_others & LOW)
    high_one, high_other = U32(by_lone >> HALF), U32(by_others >> HALF)
    others = U32(0)
    for i in range(whole(lanes)):
        first = lane_at(buffer, FOUND + i)
        set_lane(buffer, STEP + i, other if first == U32(1) else one)
        set_lane(buffer, HIGH + i, high_other if first == U32(1) else high_one)
    for i in range(lanes):
        others = U32(others + lane_at(buffer, FOUND + i))
    going = (by_others & U64(PLACES) < attacks) * np.int64(others)
    going += (by_lone & U64(PLACES) < attacks) * np.int64(lanes - others)
    return going, by_lone | by_others


# --- attacks -------------------------------------------------------------------------------


@part
def blow(buffer, outcomes, step, i):
    """End of an attack that lands: by the wound roll."""
    dice = share_of(lane_at(buffer, WORDS + LANES + i), THROWS)  # both
    table = I32(I32(step >> U32(TABLE)) * I32(THROWS))
    return I32(I32(table_at(outcomes, I32(table + dice))) + I32(LANDED))


@routine
def hurt(buffer, lanes, outcomes):
    """Roll the wounds in lanes where every attack lands."""
    for i in range(lanes):
        step = lane_at(buffer, STEP + i)
        set_lane(buffer, FOUND + i, U32(blow(buffer, outcomes, step, i)))


@routine
def attack(buffer, lanes, outcomes, met, two, least, slope, base):
    """Roll attack, defence and wounds in each lane: its end, or `ROLLED_ON`.

    ``met`` and ``two`` are None where no lane meets an attack with a die, or with two: what they
    would show is compiled away. The last three parameters are those of `rolled`.
    """
    for i in range(lanes):
        step, high = lane_at(buffer, STEP + i), lane_at(buffer, HIGH + i)
        word = lane_at(buffer, WORDS + i)
        natural = rolled(word, field(high, KEEP, MOST_KEPT), least, slope, base)
        lost = field(high, LOST, MOST_FAILED)
        found = blow(buffer, outcomes, step, i)
        highest = natural
        if met is not None:
            low = field(high, LOW_END, MOST_FAILED)
            goal = I32(natural + low - lost)
            keep = keep_of(goal, high)
            word = lane_at(buffer, WORDS + 2 * LANES + i)
            parry = rolled(word, keep, least, slope, base)
            if two is not None:
                committed = field(step, COMMITTED, MANY)
                word = lane_at(buffer, WORDS + 3 * LANES + i)
                second = rolled(word, keep, least, slope, base)
                parry = I32(max(parry, second)) if committed == I32(2) else parry
                parry = I32(OPEN) if committed == I32(MANY) else parry
            found = I32(PARRIED) if (parry >= goal) & (I32(parry + I32(MIDDLE)) > low) else found
            highest = I32(max(natural, parry))
        found = I32(MISSED) if I32(natural + I32(MIDDLE)) <= lost else found
        found = I32(ROLLED_ON) if highest == I32(OPEN) else found
        set_lane(buffer, FOUND + i, U32(found))


@routine
def roll_on(fight, able, turn, trial, key):
    """How an attack ends that lanes leave open."""
    number, _, side, _ = set_up(fight, key)
    fight.trials[0] = trial
    i, j = next_attack(fight, turn, side, able)
    committed, _ = declare(fight, i, j)
    direction = np.int64(i > 0) ^ fight.mirror
    address = attack_address(turn, number, max(i, j), direction)
    call = Call(Moment(0, turn, None), number, i, j, address, -1)
    attack = attack_of(fight, turn, i, j, able)
    result = final(roll_attack(fight, call, attack, committed, able), attack)
    if result <= fight.scalars[Rule.AUTOMATIC_FAILURE]:
        return MISSED
    if committed and is_parried(fight, call, committed, result, able):
        return PARRIED
    return LANDED


@routine
def strike(fight, able, buffer, lanes, turn, high, together, plan, figures):
    """Make one attack in each lane: how it ends. ``together`` has all bits of their steps."""
    cell, seed, where = fight.cell, fight.seed, attack_address(turn, 0, 0, 0)
    work, outcomes = whole(lanes), plan.outcomes
    if together >> U64(TESTED) & U64(1) == U64(0):
        make_words(buffer, work, high, cell, where, seed, True, None, None, None)
        hurt(buffer, work, outcomes)
        return
    least, slope, base = I32(figures[0]), I32(figures[1]), I32(figures[2])
    committed = together >> U64(COMMITTED) & U64(MANY)
    if least != I32(0) or slope != I32(0) or base != I32(1):
        make_words(buffer, work, high, cell, where, seed, True, True, True, True)
        attack(buffer, work, outcomes, True, True, least, slope, base)
    elif committed == U64(0):
        make_words(buffer, work, high, cell, where, seed, True, True, None, None)
        attack(buffer, work, outcomes, None, None, None, None, None)
    elif committed == U64(1):
        make_words(buffer, work, high, cell, where, seed, True, True, True, None)
        attack(buffer, work, outcomes, True, None, None, None, None)
    else:
        make_words(buffer, work, high, cell, where, seed, True, True, True, True)
        attack(buffer, work, outcomes, True, True, None, None, None)
    if most_found(buffer, lanes) < U32(ROLLED_ON):
        return
    for i in range(lanes):
        if buffer[FOUND + i] == U32(ROLLED_ON):
            step = buffer[STEP + i]
            trial = high << HALF | U64(buffer[TRIAL + i])
            end = roll_on(fight, able, turn, trial, plan.keys[step & U32(PLACES)])
            buffer[FOUND + i] = U32(blow(buffer, outcomes, step, i) if end == LANDED else end)


# --- trials --------------------------------------------------------------------------------


@routine
def count_all(buffer, lanes, counts):
    """Count lanes that are all at an end; in turns in one of the counts, not to wait for one."""
    for i in range(lanes):
        place = lane_at(buffer, STEP + i) & U32(PLACES)
        place = U32(place * U32(COPIES) + U32(i & (COPIES - 1)))
        set_lane(counts, place, lane_at(counts, place) + 1)


@routine
def sort_out(buffer, lanes, more, returns, attacks, last, counts):
    """Take the lanes out that are at an end: how many go on, and how many have a further turn.

    Those with a further turn are noted after the ``more`` that have one already.
    """
    going = U32(0)
    for i in range(lanes):
        step, trial = lane_at(buffer, STEP + i), lane_at(buffer, TRIAL + i)
        place = step & U32(PLACES)
        ended, back = place >= attacks, OVER
        if not last:
            back = lane_at(returns, place)
            set_lane(buffer, U32(more + U32(MORE_TRIALS)), trial)
            set_lane(buffer, U32(more + U32(MORE_STEPS)), U32(back & LOW))
            more = U32(more + U32(back != OVER))
        place = U32(place * U32(COPIES))
        set_lane(counts, place, lane_at(counts, place) + np.int64(ended & (back == OVER)))
        set_lane(buffer, U32(going + U32(STEP)), step)
        set_lane(buffer, U32(going + U32(HIGH)), lane_at(buffer, HIGH + i))
        set_lane(buffer, U32(going + U32(TRIAL)), trial)
        going = U32(going + U32(not ended))
    return np.int64(going), more


@routine
def fight_turn(fight, able, buffer, lanes, turn, last, high, plan, figures, counts):
    """One turn's combat of all lanes, Initiative decided; how many have a further turn."""
    rows, attacks, more = plan.rows, U64(plan.attacks), U32(0)
    if turn == 0:
        going, together = begin(buffer, lanes, rows, attacks)
    else:
        going, together = go_on(buffer, lanes, rows, attacks)
    while True:
        if going == 0 and last:
            count_all(buffer, lanes, counts)
            return 0
        if going <= lanes - lanes // SPARE:
            lanes, more = sort_out(buffer, lanes, more, plan.returns, U32(attacks), last, counts)
            if lanes == 0:
                break
        strike(fight, able, buffer, lanes, turn, high, together, plan, figures)
        going, together = go_on(buffer, lanes, rows, attacks)
    for i in range(more):
        buffer[TRIAL + i] = buffer[MORE_TRIALS + i]
        buffer[STEP + i] = buffer[MORE_STEPS + i]
    return np.int64(more)


@kernel
def count_literal(fights, able, plan, figures, first, trials, turns, counts, tally):
    """Count in which positions trials ``first`` to ``first + trials - 1`` end.

    As `combat.trials.count`; ``able`` as in `plan.write_plan`, ``figures`` from `figures_of`.
    ``counts``, int64 of shape (p * COPIES,), gets trials by the row of their end, to be added up.
    """
    fight = fights[0]
    buffer, again = np.empty(ROOM, np.uint32), np.empty(ROOM, np.uint32)
    for i in range(LANES):
        again[STEP + i], again[TRIAL + i] = U32(plan.start), U32(0)
    set_up(fight, plan.keys[plan.start & PLACES])
    place_anew(fight, Moment(0, 0, None), 0, able)  # what abilities give for the whole combat
    done = 0
    while done < trials:
        trial = U64(first + done)
        high = trial >> HALF
        lanes = min(LANES, trials - done, np.int64((high + U64(1) << HALF) - trial))
        for i in range(LANES):
            set_lane(buffer, TRIAL + i, U32((trial + U64(i)) & LOW))
            set_lane(buffer, STEP + i, U32(plan.start))
        done += lanes
        for turn in range(turns):
            tally[1] += lanes
            lone = decide_first(fight, able, buffer, again, lanes, turn, high, plan)
            if turn == 0:
                tally[0] += lone
            last = turn == turns - 1
            lanes = fight_turn(fight, able, buffer, lanes, turn, last, high, plan, figures, counts)
            if lanes == 0:
                break


def figures_of(scalars: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return what an edition says about dice: the last parameters of `rolled` (W-1.2, W-1.3)."""
    mode = scalars[Rule.REROLL_ONE]
    slope = -1 if mode == RerollOne.ADD else 0
    base = FAILED if mode == RerollOne.FAIL else 1
    return np.array([scalars[Rule.NATURAL_ONE_FAILS], slope, base], np.int32)


def ends_of(
    plan: Plan, counts: NDArray[np.int64], law: NDArray[np.int64], sides: NDArray[np.int64]
) -> None:
    """Add trials, counted by the row of their end, to counts by state."""
    n, dead = law.shape[0], law.shape[1] - 1
    states = plan.keys[plan.ends :, 0 : CELLS * n : CELLS]
    add_ends(states, counts[plan.ends :], dead, law, sides)


def count_ends(
    plan: Plan, fights: NDArray[np.void], first: int, trials: int, turns: int,
    law: NDArray[np.int64], sides: NDArray[np.int64], tally: NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the outcomes of trials to counts; parameters of `estoc.kernels.combat.trials.count`."""
    counts = np.zeros(len(plan.keys) * COPIES, np.int64)
    figures = figures_of(fights[0]["scalars"])
    count_literal(fights, able_of(fights), plan, figures, first, trials, turns, counts, tally)
    ends_of(plan, counts.reshape(-1, COPIES).sum(1), law, sides)
