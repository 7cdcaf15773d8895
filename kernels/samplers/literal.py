"""Many trials of a combat side by side, every die rolled: the same trials as `trials.count`.

Lanes walk the positions of a plan (`literal_plan`). What is rolled, from which words, is what
`combat` rolls, so that a trial ends here as it does there; no loop over lanes has a branch.
The rare trial that a row cannot tell (a chain longer than a word, three dice and more against
one attack) is rolled by `combat` itself.
"""

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.fight import attack_of, is_parried, next_attack, roll_attack
from ..combat.initiative import initiative
from ..combat.policy import place_anew
from ..combat.trials import add_ends
from ..core.dice import FAILED, final
from ..core.lanes import lane_at, set_lane, table_at
from ..core.rng import DIGITS, HALF, LOW, U64, attack_address, fill, initiative_address, philox
from ..layout.combat import Call, Moment, RerollOne, Rule, Tie
from .plan import (
    ADDRESSES,
    AGAIN,
    CELLS,
    CODES,
    COIN,
    COMMITTED,
    KEEP,
    LANDED,
    LOST,
    LOW_END,
    MANY,
    MIDDLE,
    MISSED,
    MOST_KEPT,
    OVER,
    PARRIED,
    PLACES,
    REROLLED,
    ROW,
    TABLE,
    TESTED,
    Plan,
    able_of,
    declare,
    set_up,
)

I32, U32 = np.int32, np.uint32
LANES = 1024
# Where things of the lanes stand in their buffer: number of the trial (low half), both halves
# of the step, what was found, four words, numbers of lanes; trials and steps of the next turn.
TRIAL, STEP, HIGH, FOUND, WORDS = 0, LANES, 2 * LANES, 3 * LANES, 4 * LANES
LIST, MORE_TRIALS, MORE_STEPS = 8 * LANES, 9 * LANES, 10 * LANES
ROOM = 11 * LANES
ROLLED_ON = 15  # what was found: `combat` has to roll
OPEN = 1 << 20  # a chain that goes on after a word's dice
FOREVER = 1 << 19
SIXES = U32(3579139414)  # the least word whose first die is a 6
ROLL_OFFS_IN_LANES = 8
COPIES = 4
WIDTH = 32  # lanes that no loop works on one by one
SPARE = 2  # lanes are sorted out once one in so many is at an end


# --- words and dice ------------------------------------------------------------------------


@part
def whole(lanes):
    """So many lanes that no loop has a rest; what is in the others is played, but not counted."""
    return (lanes + WIDTH - 1) // WIDTH * WIDTH


@routine
def make_words(buffer, lanes, high, cell, base, seed, own, first, parry, second):
    """Words of each lane, at the address of its step, from ``base`` on.

    ``own`` is None where the address is ``base`` itself; ``first``, ``parry`` and ``second`` are
    None where nobody looks at the words but the second, of an attack at its wound.
    """
    k0, k1 = seed & LOW, seed >> HALF
    for i in range(lanes):
        address = base
        if own is not None:
            address = base | (U64(lane_at(buffer, HIGH + i)) & U64(ADDRESSES)) << U64(10)
        trial = U64(lane_at(buffer, TRIAL + i))
        w0, w1, w2, w3 = philox(trial, high, cell, address, k0, k1)
        set_lane(buffer, WORDS + LANES + i, U32(w1))
        if first is not None:
            set_lane(buffer, WORDS + i, U32(w0))
        if parry is not None:
            set_lane(buffer, WORDS + 2 * LANES + i, U32(w2))
        if second is not None:
            set_lane(buffer, WORDS + 3 * LANES + i, U32(w3))


@part
def share_of(word, parts):
    """Part of a word, from 0, when words are cut into so many: a high half, in 32 bits."""
    low = U32(U32(word & U32(0xFFFF)) * U32(parts)) >> U32(16)
    return I32(U32(U32(U32(word >> U32(16)) * U32(parts)) + U32(low)) >> U32(16))


@part
def die_of(word):
    """First die of a word, from 0."""
    return share_of(word, 6)


@part
def sixes_of(word, keep):
    """Sum of the 6s that a word's dice begin with and are re-rolled; the word from there on.

    A 6 is kept that brings the sum to ``keep``.
    """
    shown, going = I32(0), (word >= SIXES) & (I32(6) < keep)
    for dice in range(1, DIGITS):
        word = U32(word * U32(6)) if going else word
        shown = I32(6 * dice) if going else shown
        going = going & (word >= SIXES) & (I32(6 * dice + 6) < keep)
    return shown, word


@part
def rolled(word, keep, least, slope, base):
    """Natural result of a chain within one word (W-1.2, W-1.3); ``OPEN`` if it goes on.

    ``least`` is the die, from 0, below which a first one fails. A 1 that ends the re-roll of a 6
    gives ``base``, and what there was where ``slope`` has all bits set. They are None where no
    first die fails and a 1 resets the result.
    """
    shown, word = sixes_of(word, keep)
    die = die_of(word)
    natural = I32(shown + die + I32(1))
    if least is None:
        natural = I32(1) if die == I32(0) else natural
    else:
        after_one = I32((shown & slope) + base)
        natural = after_one if (shown > I32(0)) & (die == I32(0)) else natural
        natural = I32(FAILED) if (shown == I32(0)) & (die < least) else natural
    going = (die == I32(5)) & (I32(shown + I32(6)) < keep)
    return I32(OPEN) if going else natural


# --- Initiative ----------------------------------------------------------------------------


@part
def code_of(word):
    """Code of a chain that re-rolls 6s: their sum, and the die after them."""
    shown, word = sixes_of(word, I32(FOREVER))
    return I32(shown + die_of(word))


@routine
def meet(buffer, lanes, winners, mirror):
    """Who strikes first in each lane, by the table of its beginning."""
    lone, others = U32(WORDS) + mirror * U32(LANES), U32(WORDS) + (U32(1) - mirror) * U32(LANES)
    for i in range(lanes):
        table = I32(U32(lane_at(buffer, STEP + i)) >> U32(TABLE))
        one = code_of(lane_at(buffer, lone + U32(i)))
        other = code_of(lane_at(buffer, others + U32(i)))
        place = I32(I32(table * I32(CODES * CODES)) + I32(one * I32(CODES)) + other)
        found = table_at(winners, place)
        tossed = U32(U32(die_of(lane_at(buffer, WORDS + 2 * LANES + i)) > I32(2)) ^ mirror)
        set_lane(buffer, FOUND + i, tossed if found == U32(COIN) else found)


@part
def roll_off(buffer, lanes, toss, turn, number, high, cell, seed, winners, mirror):
    """Test the Initiative once in each lane; ``toss``: a coin may decide."""
    base = initiative_address(turn, number)
    if toss:
        make_words(buffer, lanes, high, cell, base, seed, None, True, True, None)
    else:
        make_words(buffer, lanes, high, cell, base, seed, None, True, None, None)
    meet(buffer, lanes, winners, mirror)


@routine
def settle(fight, able, turn, trial, key):
    """Side that strikes first in a trial that lanes leave open."""
    set_up(fight, key)
    place_anew(fight, Moment(0, turn, None), 0, able)
    fight.trials[0] = trial
    fill(fight, 0, 1, initiative_address(turn, 0))
    return initiative(fight, Moment(0, turn, None), able)


@routine
def list_ties(buffer, again, lanes):
    """Note the lanes whose Initiative was equal; how many there are."""
    ties = U32(0)
    for i in range(lanes):
        set_lane(again, U32(ties + U32(LIST)), U32(i))
        ties = U32(ties + U32(table_at(buffer, FOUND + i) == U32(AGAIN)))
    return ties


@routine
def copy_steps(buffer, again, ties, alike):
    """Give the lanes that are noted their trials and beginnings."""
    for k in range(ties):
        i = lane_at(again, LIST + k)
        set_lane(again, TRIAL + k, table_at(buffer, U32(i + U32(TRIAL))))
    if alike:
        start = buffer[STEP]
        for k in range(ties):
            set_lane(again, STEP + k, start)
    else:
        for k in range(ties):
            i = lane_at(again, LIST + k)
            set_lane(again, STEP + k, table_at(buffer, U32(i + U32(STEP))))


@routine
def note_found(buffer, again, ties):
    """Tell the lanes that were noted what was found, keep those that tie again; how many."""
    still = U32(0)
    for k in range(ties):
        i, found = lane_at(again, LIST + k), lane_at(again, FOUND + k)
        set_lane(buffer, U32(i + U32(FOUND)), found)
        set_lane(again, U32(still + U32(LIST)), i)
        still = U32(still + U32(found == U32(AGAIN)))
    return still


@routine
def settle_rest(fight, able, buffer, lanes, turn, high, keys):
    """Let `combat` settle the lanes that are open still."""
    for i in range(lanes):
        if buffer[FOUND + i] >= U32(AGAIN):
            trial = high << HALF | U64(buffer[TRIAL + i])
            first = settle(fight, able, turn, trial, keys[buffer[STEP + i] & U32(PLACES)])
            buffer[FOUND + i] = U32(first)


@routine
def decide_first(fight, able, buffer, again, lanes, turn, high, winners, keys):
    """Let both sides test their Initiative in each lane; how often the lone fighter is first."""
    cell, seed, mirror = fight.cell, fight.seed, U32(fight.mirror)
    toss = fight.scalars[Rule.OPPOSED_TIE] == Tie.COIN
    for i in range(lanes, whole(lanes)):
        buffer[STEP + i] = buffer[STEP]
    roll_off(buffer, whole(lanes), toss, turn, 0, high, cell, seed, winners, mirror)
    ties, number = list_ties(buffer, again, lanes), 1
    while ties > U32(0) and number < ROLL_OFFS_IN_LANES:
        copy_steps(buffer, again, ties, turn == 0)
        work = whole(np.int64(ties))
        roll_off(again, work, toss, turn, number, high, cell, seed, winners, mirror)
        ties = note_found(buffer, again, ties)
        number += 1
    if most_found(buffer, lanes) >= U32(AGAIN):
        settle_rest(fight, able, buffer, lanes, turn, high, keys)
    others = U32(0)
    for i in range(lanes):
        others = U32(others + lane_at(buffer, FOUND + i))
    return lanes - others


@routine
def most_found(buffer, lanes):
    """The highest of what was found in the lanes."""
    most = U32(0)
    for i in range(lanes):
        most = max(most, lane_at(buffer, FOUND + i))
    return most


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
def field(cell, shift, mask):
    """A field of a step's half."""
    return I32((cell >> U32(shift)) & U32(mask))


@part
def blow(buffer, outcomes, step, i):
    """End of an attack that lands: by the wound roll."""
    dice = share_of(lane_at(buffer, WORDS + LANES + i), 36)  # both
    table = I32(I32(step >> U32(TABLE)) * I32(36))
    return I32(I32(table_at(outcomes, I32(table + dice))) + I32(LANDED))


@routine
def hurt(buffer, lanes, outcomes):
    """Roll the wounds in lanes where every attack lands."""
    for i in range(lanes):
        step = lane_at(buffer, STEP + i)
        set_lane(buffer, FOUND + i, U32(blow(buffer, outcomes, step, i)))


@part
def keep_of(goal, high):
    """Natural result from which a parrier keeps a 6: what he needs, never or always more."""
    return I32(goal + I32(I32(I32(high) >> I32(REROLLED)) * I32(FOREVER)))


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
        lost = field(high, LOST, 127)
        found = blow(buffer, outcomes, step, i)
        highest = natural
        if met is not None:
            low = field(high, LOW_END, 127)
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
def strike(fight, able, buffer, lanes, turn, high, together, outcomes, keys, figures):
    """Make one attack in each lane: how it ends. ``together`` has all bits of their steps."""
    cell, seed, where = fight.cell, fight.seed, attack_address(turn, 0, 0, 0)
    work = whole(lanes)
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
            end = roll_on(fight, able, turn, trial, keys[step & U32(PLACES)])
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
def fight_turn(
    fight, able, buffer, lanes, turn, last, high, rows, returns, outcomes, keys, figures,
    attacks, counts,
):  # fmt: skip
    """One turn's combat of all lanes, Initiative decided; how many have a further turn."""
    more = U32(0)
    if turn == 0:
        going, together = begin(buffer, lanes, rows, attacks)
    else:
        going, together = go_on(buffer, lanes, rows, attacks)
    while True:
        if going == 0 and last:
            count_all(buffer, lanes, counts)
            return 0
        if going <= lanes - lanes // SPARE:
            lanes, more = sort_out(buffer, lanes, more, returns, U32(attacks), last, counts)
            if lanes == 0:
                break
        strike(fight, able, buffer, lanes, turn, high, together, outcomes, keys, figures)
        going, together = go_on(buffer, lanes, rows, attacks)
    for i in range(more):
        buffer[TRIAL + i] = buffer[MORE_TRIALS + i]
        buffer[STEP + i] = buffer[MORE_STEPS + i]
    return np.int64(more)


@kernel
def count_literal(
    fights, able, rows, returns, outcomes, winners, keys, figures, attacks, start, first, trials,
    turns, counts, tally,
):  # fmt: skip
    """Count in which positions trials ``first`` to ``first + trials - 1`` end.

    Parameters
    ----------
    fights : ndarray of FIGHT, shape (1,)
        From `estoc.kernels.combat.trials.new_fight`; scratch, so threads need one each.
    able : bool, optional
        As in `estoc.kernels.samplers.plan.write_plan`.
    rows, returns, outcomes, winners, keys, attacks, start
        Of `estoc.kernels.samplers.plan.Plan`.
    figures : ndarray of int32, shape (3,)
        From `figures_of`.
    first, trials, turns
        As in `estoc.kernels.combat.trials.count`.
    counts : ndarray of int64, shape (p * COPIES,)
        Trials by the row of their end, to be added up; they are added to what is there.
    tally : ndarray of int64, shape (2,)
        As in `estoc.kernels.combat.trials.count`.
    """
    fight = fights[0]
    buffer, again = np.empty(ROOM, np.uint32), np.empty(ROOM, np.uint32)
    for i in range(LANES):
        again[STEP + i], again[TRIAL + i] = U32(start), U32(0)
    set_up(fight, keys[start & PLACES])
    place_anew(fight, Moment(0, 0, None), 0, able)  # what abilities give for the whole combat
    done, attacks = 0, U64(attacks)
    while done < trials:
        trial = U64(first + done)
        high = trial >> HALF
        lanes = min(LANES, trials - done, np.int64((high + U64(1) << HALF) - trial))
        for i in range(LANES):
            set_lane(buffer, TRIAL + i, U32((trial + U64(i)) & LOW))
            set_lane(buffer, STEP + i, U32(start))
        done += lanes
        for turn in range(turns):
            tally[1] += lanes
            lone = decide_first(fight, able, buffer, again, lanes, turn, high, winners, keys)
            if turn == 0:
                tally[0] += lone
            lanes = fight_turn(
                fight, able, buffer, lanes, turn, turn == turns - 1, high, rows, returns, outcomes,
                keys, figures, attacks, counts,
            )  # fmt: skip
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
    count_literal(
        fights, able_of(fights), plan.rows, plan.returns, plan.outcomes, plan.winners, plan.keys,
        figures, plan.attacks, plan.start, first, trials, turns, counts, tally,
    )  # fmt: skip
    ends_of(plan, counts.reshape(-1, COPIES).sum(1), law, sides)
