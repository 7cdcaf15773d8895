"""Many trials of a combat side by side, every die rolled: the same trials as `trials.count`.

Lanes walk the positions of a plan (`literal_plan`). What is rolled, from which words, is what
`combat` rolls, so that a trial ends here as it does there; no loop over lanes has a branch.
The rare trial that a row cannot tell (a chain longer than a word, three dice and more against
one attack) is rolled by `combat` itself.
"""

import numpy as np
from numpy.typing import NDArray

from estoc.kernels._jit import kernel, part, routine
from estoc.kernels.combat import attack_of, is_parried, roll_attack
from estoc.kernels.dice import FAILED, final
from estoc.kernels.initiative import initiative
from estoc.kernels.lane_access import lane_at, set_lane, table_at
from estoc.kernels.layout import Call, Moment, Reroll, RerollOne, Rule
from estoc.kernels.literal_plan import (
    ADDRESSES,
    AGAIN,
    ATTACK,
    CELLS,
    CODES,
    COIN,
    COMMITTED,
    DEFENCE,
    KEEP,
    LANDED,
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
    declare,
    set_up,
    striker_of,
)
from estoc.kernels.policy import place_anew
from estoc.kernels.rng import (
    DIGITS,
    HALF,
    LOW,
    U64,
    attack_address,
    fill,
    initiative_address,
    philox,
)

I32, U32 = np.int32, np.uint32
LANES = 512
# Where things of the lanes stand in their buffer: number of the trial (low half), both halves
# of the step, what was found, four words, numbers of lanes; trials and steps of the next turn.
TRIAL, STEP, HIGH, FOUND, WORDS = 0, LANES, 2 * LANES, 3 * LANES, 4 * LANES
LIST, MORE_TRIALS, MORE_STEPS, MORE_HIGHS = 8 * LANES, 9 * LANES, 10 * LANES, 11 * LANES
ROOM = 12 * LANES
ROLLED_ON = 15  # what was found: `combat` has to roll
OPEN = 1 << 20  # a chain that goes on after a word's dice
FOREVER = 1 << 19
SIXES = U32(3579139414)  # the least word whose first die is a 6
ROLL_OFFS_IN_LANES = 3
COPIES = 4
SPARE = 4  # lanes are sorted out once one in so many is at an end


# --- words and dice ------------------------------------------------------------------------


@routine
def make_words(buffer, lanes, high, cell, base, seed):
    """Four words of each lane, at the address of its step, from ``base`` on."""
    k0, k1 = seed & LOW, seed >> HALF
    for i in range(lanes):
        own = (U64(lane_at(buffer, HIGH + i)) & U64(ADDRESSES)) << U64(10)
        trial = U64(lane_at(buffer, TRIAL + i))
        w0, w1, w2, w3 = philox(trial, high, cell, base | own, k0, k1)
        set_lane(buffer, WORDS + i, U32(w0))
        set_lane(buffer, WORDS + LANES + i, U32(w1))
        set_lane(buffer, WORDS + 2 * LANES + i, U32(w2))
        set_lane(buffer, WORDS + 3 * LANES + i, U32(w3))


@part
def die_of(word):
    """First die of a word, from 0: six times the word, its high half, in 32 bits."""
    low = U32(U32(word & U32(0xFFFF)) * U32(6)) >> U32(16)
    return I32(U32(U32(U32(word >> U32(16)) * U32(6)) + U32(low)) >> U32(16))


@part
def rest_of(word):
    """What is left of a word after its first die."""
    return U32(word * U32(6))


@part
def sixes_of(word, keep):
    """Sum of the 6s that a word's dice begin with and are re-rolled; the word from there on.

    A 6 is kept that brings the sum to ``keep``.
    """
    shown, going = I32(0), (word >= SIXES) & (I32(6) < keep)
    for _ in range(DIGITS - 1):
        word = rest_of(word) if going else word
        shown = I32(shown + I32(6)) if going else shown
        going = going & (word >= SIXES) & (I32(shown + I32(6)) < keep)
    return shown, word


@part
def rolled(word, keep, least, slope, base):
    """Natural result of a chain within one word (W-1.2, W-1.3); ``OPEN`` if it goes on.

    ``least`` is the die, from 0, below which a first one fails. A 1 that ends the re-roll of a 6
    gives ``base``, and what there was where ``slope`` has all bits set.
    """
    shown, word = sixes_of(word, keep)
    die = die_of(word)
    natural = I32(shown + die + I32(1))
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


@routine
def settle(fight, turn, trial, key):
    """Side that strikes first in a trial that lanes leave open."""
    set_up(fight, key)
    place_anew(fight, Moment(0, turn, None), 0)
    fight.trials[0] = trial
    fill(fight, 0, 1, initiative_address(turn, 0))
    if fight.able:
        return initiative(fight, Moment(0, turn, None), True)
    return initiative(fight, Moment(0, turn, None), None)
@routine
def decide_first(fight, buffer, again, lanes, turn, high, rows, winners, keys):
    """Let both sides test their Initiative in each lane; how often the lone fighter is first."""
    cell, seed, mirror = fight.cell, fight.seed, U32(fight.mirror)
    make_words(buffer, lanes, high, cell, initiative_address(turn, 0), seed)
    meet(buffer, lanes, winners, mirror)
    waiting = 0
    for i in range(lanes):
        again[LIST + waiting] = U32(i)
        waiting += buffer[FOUND + i] == U32(AGAIN)
    for roll_off in range(1, ROLL_OFFS_IN_LANES):
        for k in range(waiting):
            i = again[LIST + k]
            again[TRIAL + k], again[STEP + k] = buffer[TRIAL + i], buffer[STEP + i]
            again[HIGH + k] = U32(0)
        make_words(again, waiting, high, cell, initiative_address(turn, roll_off), seed)
        meet(again, waiting, winners, mirror)
        still = 0
        for k in range(waiting):
            i, found = again[LIST + k], again[FOUND + k]
            buffer[FOUND + i] = found
            again[LIST + still] = i
            still += found == U32(AGAIN)
        waiting = still
    if most_found(buffer, lanes) >= U32(AGAIN):
        for i in range(lanes):
            if buffer[FOUND + i] >= U32(AGAIN):
                trial = high << HALF | U64(buffer[TRIAL + i])
                first = settle(fight, turn, trial, keys[buffer[STEP + i] & U32(PLACES)])
                buffer[FOUND + i] = U32(first)
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
    going, together = U64(0), U64(0)
    for i in range(lanes):
        row = I32(lane_at(buffer, STEP + i) & U32(PLACES))
        end = I32(lane_at(buffer, FOUND + i))
        step = table_at(rows, I32(I32(row * I32(ROW)) + end))
        set_lane(buffer, STEP + i, U32(step & LOW))
        set_lane(buffer, HIGH + i, U32(step >> HALF))
        together |= step
        going += U64((step & U64(PLACES)) < attacks)
    return np.int64(going), together


# --- attacks -------------------------------------------------------------------------------


@part
def field(cell, shift, mask):
    """A field of a step's half."""
    return I32((cell >> U32(shift)) & U32(mask))


@part
def blow(buffer, outcomes, step, i):
    """End of an attack that lands: by the wound roll."""
    word = lane_at(buffer, WORDS + LANES + i)
    dice = I32(I32(die_of(word) * I32(6)) + die_of(rest_of(word)))
    table = I32(I32(step >> U32(TABLE)) * I32(36))
    return I32(I32(table_at(outcomes, I32(table + dice))) + I32(LANDED))


@routine
def hurt(buffer, lanes, outcomes):
    """Roll the wounds in lanes where every attack lands."""
    for i in range(lanes):
        step = lane_at(buffer, STEP + i)
        set_lane(buffer, FOUND + i, U32(blow(buffer, outcomes, step, i)))


@routine
def attack(buffer, lanes, outcomes, two, failing, least, slope, base):
    """Roll attack, defence and wounds in each lane: its end, or `ROLLED_ON`.

    ``two``: some lane meets an attack with two dice. ``failing`` is the highest result that
    fails automatically.
    """
    for i in range(lanes):
        step, high = lane_at(buffer, STEP + i), lane_at(buffer, HIGH + i)
        committed, tested = field(step, COMMITTED, MANY), field(step, TESTED, 1)
        word = lane_at(buffer, WORDS + i)
        natural = rolled(word, field(high, KEEP, MOST_KEPT), least, slope, base)
        result = I32(natural + field(high, ATTACK, 127) - I32(MIDDLE))
        defence = I32(field(high, DEFENCE, 127) - I32(MIDDLE))
        goal = I32(result - defence)
        reroll = field(high, REROLLED, 3)
        keep = I32(FOREVER) if reroll == I32(Reroll.ALWAYS) else I32(-FOREVER)
        keep = goal if reroll == I32(Reroll.NEEDED) else keep
        word = lane_at(buffer, WORDS + 2 * LANES + i)
        parry = rolled(word, keep, least, slope, base)
        if two:
            word = lane_at(buffer, WORDS + 3 * LANES + i)
            second = rolled(word, keep, least, slope, base)
            parry = I32(max(parry, second)) if committed == I32(2) else parry
        met = committed > I32(0)
        parried = met & (parry >= goal) & (I32(parry + defence) > failing)
        found = I32(PARRIED) if parried else blow(buffer, outcomes, step, i)
        found = I32(MISSED) if (tested > I32(0)) & (result <= failing) else found
        unclear = (natural == I32(OPEN)) | (met & (parry == I32(OPEN))) | (committed == I32(MANY))
        found = I32(ROLLED_ON) if (tested > I32(0)) & unclear else found
        set_lane(buffer, FOUND + i, U32(found))


@routine
def roll_on(fight, turn, trial, key):
    """How an attack ends that lanes leave open."""
    number, _, side, _ = set_up(fight, key)
    fight.trials[0] = trial
    i, j = striker_of(fight, turn, side, fight.able)
    committed, sustained = declare(fight, i, j)
    direction = np.int64(i > 0) ^ fight.mirror
    address = attack_address(turn, number, max(i, j), direction)
    call = Call(Moment(0, turn, None), number, i, j, address, -1)
    attack = attack_of(fight, turn, i, j, fight.able)
    result = final(roll_attack(fight, call, attack, committed, fight.able), attack)
    if result <= fight.scalars[Rule.AUTOMATIC_FAILURE]:
        return MISSED
    if committed and is_parried(fight, call, committed, result, fight.able):
        return PARRIED
    return LANDED


@routine
def strike(fight, buffer, lanes, turn, high, together, outcomes, keys):
    """Make one attack in each lane: how it ends. ``together`` has all bits of their steps."""
    make_words(buffer, lanes, high, fight.cell, attack_address(turn, 0, 0, 0), fight.seed)
    if together >> U64(TESTED) & U64(1) == U64(0):
        hurt(buffer, lanes, outcomes)
        return
    scalars = fight.scalars
    mode = scalars[Rule.REROLL_ONE]
    attack(
        buffer, lanes, outcomes, (together >> U64(COMMITTED) & U64(2)) != U64(0),
        I32(scalars[Rule.AUTOMATIC_FAILURE]), I32(scalars[Rule.NATURAL_ONE_FAILS]),
        I32(-1 if mode == RerollOne.ADD else 0),
        I32(FAILED if mode == RerollOne.FAIL else 1),
    )  # fmt: skip
    if most_found(buffer, lanes) < U32(ROLLED_ON):
        return
    for i in range(lanes):
        if buffer[FOUND + i] == U32(ROLLED_ON):
            step = buffer[STEP + i]
            trial = high << HALF | U64(buffer[TRIAL + i])
            end = roll_on(fight, turn, trial, keys[step & U32(PLACES)])
            buffer[FOUND + i] = U32(blow(buffer, outcomes, step, i) if end == LANDED else end)


# --- trials --------------------------------------------------------------------------------


@routine
def count_all(buffer, lanes, counts):
    """Count lanes that are all at an end; in turns in one of the counts, not to wait for one."""
    for i in range(lanes):
        counts[i & (COPIES - 1), buffer[STEP + i] & U32(PLACES)] += 1


@routine
def sort_out(buffer, lanes, more, returns, attacks, last, counts):
    """Take the lanes out that are at an end: how many go on, and how many have a further turn.

    Those with a further turn are noted after the ``more`` that have one already.
    """
    going = 0
    for i in range(lanes):
        step, high, trial = buffer[STEP + i], buffer[HIGH + i], buffer[TRIAL + i]
        place = step & U32(PLACES)
        ended, back = place >= attacks, OVER
        if not last:
            back = returns[place]
            buffer[MORE_TRIALS + more] = trial
            buffer[MORE_STEPS + more], buffer[MORE_HIGHS + more] = U32(back), U32(back >> HALF)
            more += back != OVER
        counts[0, place] += ended and back == OVER
        buffer[STEP + going], buffer[HIGH + going], buffer[TRIAL + going] = step, high, trial
        going += not ended
    return going, more


@routine
def fight_turn(
    fight, buffer, lanes, turn, last, high, rows, returns, outcomes, keys, attacks, counts
):
    """One turn's combat of all lanes, Initiative decided; how many have a further turn."""
    more = 0
    going, together = go_on(buffer, lanes, rows, attacks)
    while True:
        if going == 0 and last:
            count_all(buffer, lanes, counts)
            return 0
        if going <= lanes - lanes // SPARE:
            lanes, more = sort_out(buffer, lanes, more, returns, U32(attacks), last, counts)
            if lanes == 0:
                break
        strike(fight, buffer, lanes, turn, high, together, outcomes, keys)
        going, together = go_on(buffer, lanes, rows, attacks)
    for i in range(more):
        buffer[TRIAL + i] = buffer[MORE_TRIALS + i]
        buffer[STEP + i] = buffer[MORE_STEPS + i]
        buffer[HIGH + i] = buffer[MORE_HIGHS + i]
    return more


@kernel
def count_literal(
    fights, rows, returns, outcomes, winners, keys, attacks, start, first, trials, turns, counts,
    tally,
):  # fmt: skip
    """Count in which positions trials ``first`` to ``first + trials - 1`` end.

    Parameters
    ----------
    fights : ndarray of FIGHT, shape (1,)
        From `estoc.kernels.trials.new_fight`; scratch, so threads need one each.
    rows, returns, outcomes, winners, keys, attacks, start
        Of `estoc.kernels.literal_plan.Plan`.
    first, trials, turns
        As in `estoc.kernels.trials.count`.
    counts : ndarray of int64, shape (COPIES, p)
        Trials by the row of their end, to be added up; they are added to what is there.
    tally : ndarray of int64, shape (2,)
        As in `estoc.kernels.trials.count`.
    """
    fight = fights[0]
    buffer, again = np.empty(ROOM, np.uint32), np.empty(ROOM, np.uint32)
    set_up(fight, keys[start & PLACES])
    place_anew(fight, Moment(0, 0, None), 0)  # what abilities give for the whole combat
    done, attacks = 0, U64(attacks)
    while done < trials:
        trial = U64(first + done)
        high = trial >> HALF
        lanes = min(LANES, trials - done, np.int64((high + U64(1) << HALF) - trial))
        for i in range(lanes):
            buffer[TRIAL + i] = U32((trial + U64(i)) & LOW)
            buffer[STEP + i], buffer[HIGH + i] = U32(start), U32(0)
        done += lanes
        for turn in range(turns):
            tally[1] += lanes
            lone = decide_first(fight, buffer, again, lanes, turn, high, rows, winners, keys)
            if turn == 0:
                tally[0] += lone
            lanes = fight_turn(
                fight, buffer, lanes, turn, turn == turns - 1, high, rows, returns, outcomes, keys,
                attacks, counts,
            )  # fmt: skip
            if lanes == 0:
                break


def count_ends(
    plan: Plan, fights: NDArray[np.void], first: int, trials: int, turns: int,
    law: NDArray[np.int64], sides: NDArray[np.int64], tally: NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the outcomes of trials to counts; parameters of `estoc.kernels.trials.count`."""
    counts = np.zeros((COPIES, len(plan.keys)), np.int64)
    count_literal(
        fights, plan.rows, plan.returns, plan.outcomes, plan.winners, plan.keys, plan.attacks,
        plan.start, first, trials, turns, counts, tally,
    )  # fmt: skip
    n, dead = law.shape[0], law.shape[1] - 1
    states = plan.keys[plan.ends :, 0 : CELLS * n : CELLS]
    ended = counts.sum(0)[plan.ends :]
    for i in range(n):
        np.add.at(law[i], states[:, i], ended)
    np.add.at(sides, (states[:, 0], (states[:, 1:] == dead).sum(1)), ended)
