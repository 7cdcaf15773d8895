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
    ADDRESS,
    AGAIN,
    ATTACK,
    CELLS,
    CODES,
    COIN,
    COMMITTED,
    DEFENCE,
    FACTS,
    FIGURES,
    FIRST_OPEN,
    FOLLOWERS,
    INITIATIVE,
    LANDED,
    MANY,
    MIDDLE,
    MISSED,
    MOST_TABLES,
    OPENS_ATTACK,
    OPENS_DEFENCE,
    PARRIED,
    REROLLED,
    ROW,
    TESTED,
    TURN_END,
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
    SIX,
    U64,
    attack_address,
    fill,
    initiative_address,
    philox,
)

I32, U32 = np.int32, np.uint32
LANES = 512
# Where things of the lanes stand in their buffer: number of the trial (low half), row, facts of
# the row, four words, what was found, further trials and rows (of the next turn).
TRIAL, PLACE, FOUND, WORDS = 0, LANES, 2 * LANES, 3 * LANES
MORE_TRIALS, MORE_PLACES, LIST = 7 * LANES, 8 * LANES, 9 * LANES
ROOM = 10 * LANES
ROLLED_ON = 3  # what was found: `combat` has to roll
OPEN = 1 << 20  # a chain that goes on after a word's dice
FOREVER = 1 << 19
ROLL_OFFS_IN_LANES = 3
OVER = U32(0xFFFFFFFF)  # no further turn
SPARE = 4  # lanes are sorted out once one in so many is at an end


# --- words ---------------------------------------------------------------------------------


@routine
def make_words(buffer, lanes, high, cell, base, seed):
    """Four words of each lane, at the address of its row, or at ``base`` for rows without."""
    k0, k1 = seed & LOW, seed >> HALF
    for i in range(lanes):
        own = U64(lane_at(buffer, FOUND + i)) >> U64(ADDRESS) << U64(10)
        trial = U64(lane_at(buffer, TRIAL + i))
        w0, w1, w2, w3 = philox(trial, high, cell, base | own, k0, k1)
        set_lane(buffer, WORDS + i, U32(w0))
        set_lane(buffer, WORDS + LANES + i, U32(w1))
        set_lane(buffer, WORDS + 2 * LANES + i, U32(w2))
        set_lane(buffer, WORDS + 3 * LANES + i, U32(w3))


# --- Initiative ----------------------------------------------------------------------------


@part
def code_of(word):
    """Code of a chain that re-rolls 6s: how many, and the die after them."""
    product = U64(word) * SIX
    code, sixes = I32(product >> HALF), I32(0)
    for _ in range(DIGITS - 1):
        product = (product & LOW) * SIX
        going = code == sixes + I32(5)
        sixes = I32(sixes + I32(5)) if going else sixes
        code = I32(sixes + I32(product >> HALF)) if going else code
    return code


@routine
def meet(buffer, lanes, rows, winners, mirror):
    """Who strikes first in each lane, by the table of its beginning."""
    lone, others = mirror * LANES, (1 - mirror) * LANES
    for i in range(lanes):
        place = lane_at(buffer, PLACE + i)
        table = table_at(rows, U32(place * U32(ROW) + U32(INITIATIVE)))
        one = code_of(lane_at(buffer, WORDS + lone + i))
        other = code_of(lane_at(buffer, WORDS + others + i))
        code = U32(one * I32(CODES) + other)
        found = table_at(winners, U32(table * U32(CODES * CODES) + code))
        coin = U64(lane_at(buffer, WORDS + 2 * LANES + i)) * SIX >> HALF
        tossed = U32((coin > U64(2)) ^ mirror)
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
    for i in range(lanes):
        set_lane(buffer, FOUND + i, U32(0))
    cell, seed, mirror = fight.cell, fight.seed, U64(fight.mirror)
    make_words(buffer, lanes, high, cell, initiative_address(turn, 0), seed)
    meet(buffer, lanes, rows, winners, mirror)
    waiting = 0
    for i in range(lanes):
        again[LIST + waiting] = U32(i)
        waiting += buffer[FOUND + i] == U32(AGAIN)
    for roll_off in range(1, ROLL_OFFS_IN_LANES):
        for k in range(waiting):
            i = again[LIST + k]
            again[TRIAL + k], again[PLACE + k] = buffer[TRIAL + i], buffer[PLACE + i]
            again[FOUND + k] = U32(0)
        make_words(again, waiting, high, cell, initiative_address(turn, roll_off), seed)
        meet(again, waiting, rows, winners, mirror)
        still = 0
        for k in range(waiting):
            i, found = again[LIST + k], again[FOUND + k]
            buffer[FOUND + i] = found
            again[LIST + still] = i
            still += found == U32(AGAIN)
        waiting = still
    worst = U32(0)
    for i in range(lanes):
        worst = max(worst, lane_at(buffer, FOUND + i))
    if worst >= U32(AGAIN):
        for i in range(lanes):
            if buffer[FOUND + i] >= U32(AGAIN):
                trial = high << HALF | U64(buffer[TRIAL + i])
                first = settle(fight, turn, trial, keys[buffer[PLACE + i]])
                buffer[FOUND + i] = U32(first)
    others = np.int64(0)
    for i in range(lanes):
        first = lane_at(buffer, FOUND + i)
        row = U32(lane_at(buffer, PLACE + i) * U32(ROW) + U32(FOLLOWERS))
        set_lane(buffer, PLACE + i, table_at(rows, U32(row + first)))
        others += np.int64(first)
    return lanes - others


# --- attacks -------------------------------------------------------------------------------


@part
def rolled(word, keep, opens, least, slope, base):
    """Natural result of a chain within one word (W-1.2, W-1.3); ``OPEN`` if it goes on.

    ``opens`` and ``least`` count dice from 0. A 1 that ends the re-roll of a 6 gives
    ``base``, and what there was where ``slope`` has all bits set.
    """
    product = U64(word) * SIX
    die = I32(product >> HALF)
    natural = I32(die + I32(1)) if die >= least else I32(FAILED)
    going = (die >= opens) & (natural < keep)
    for _ in range(DIGITS - 1):
        product = (product & LOW) * SIX
        die = I32(product >> HALF)
        more = I32(natural + die + I32(1)) if die > I32(0) else I32((natural & slope) + base)
        natural = more if going else natural
        going = going & (die >= opens) & (natural < keep)
    return I32(OPEN) if going else natural


@part
def field(cell, shift, mask):
    """A field of a row's cell."""
    return I32((cell >> U32(shift)) & U32(mask))


@routine
def test(buffer, lanes, rows, two, failing, least, slope, base):
    """Roll attack and defence in each lane: `MISSED`, `PARRIED`, `LANDED` or `ROLLED_ON`.

    ``two``: some lane meets an attack with two dice. ``failing`` is the highest result that
    fails automatically.
    """
    for i in range(lanes):
        place = lane_at(buffer, PLACE + i)
        facts = lane_at(buffer, FOUND + i)
        figures = table_at(rows, U32(place * U32(ROW) + U32(FIGURES)))
        committed, tested = field(facts, COMMITTED, MANY), field(facts, TESTED, 1)
        opens = I32(field(figures, OPENS_ATTACK, 3) + I32(FIRST_OPEN - 1))
        word = lane_at(buffer, WORDS + i)
        natural = rolled(word, field(figures, 0, 127), opens, least, slope, base)
        result = I32(natural + field(figures, ATTACK, 255) - I32(MIDDLE))
        defence = I32(field(figures, DEFENCE, 255) - I32(MIDDLE))
        goal = I32(result - defence)
        opens = I32(field(figures, OPENS_DEFENCE, 3) + I32(FIRST_OPEN - 1))
        reroll = field(figures, REROLLED, 3)
        keep = I32(FOREVER) if reroll == I32(Reroll.ALWAYS) else I32(-FOREVER)
        keep = goal if reroll == I32(Reroll.NEEDED) else keep
        word = lane_at(buffer, WORDS + 2 * LANES + i)
        parry = rolled(word, keep, opens, least, slope, base)
        if two:
            word = lane_at(buffer, WORDS + 3 * LANES + i)
            second = rolled(word, keep, opens, least, slope, base)
            parry = max(parry, second) if committed == I32(2) else parry
        met = committed > I32(0)
        failed = (tested > I32(0)) & (result <= failing)
        parried = met & (parry >= goal) & (I32(parry + defence) > failing)
        found = I32(PARRIED) if parried else I32(LANDED)
        found = I32(MISSED) if failed else found
        unclear = (natural == I32(OPEN)) | (met & (parry == I32(OPEN))) | (committed == I32(MANY))
        found = I32(ROLLED_ON) if (tested > I32(0)) & unclear else found
        set_lane(buffer, WORDS + i, U32(found))


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
def wound(buffer, lanes, rows, outcomes, tested, attacks):
    """Roll the wounds and go on to the next rows; how many lanes have an attack there."""
    going = np.int64(0)
    for i in range(lanes):
        place, facts = lane_at(buffer, PLACE + i), lane_at(buffer, FOUND + i)
        product = U64(lane_at(buffer, WORDS + LANES + i)) * SIX
        die_1, product = U32(product >> HALF), (product & LOW) * SIX
        dice = U32(die_1 * U32(6) + U32(product >> HALF))
        table = U32(U32(facts & U32(MOST_TABLES)) * U32(36))
        outcome = table_at(outcomes, U32(table + dice))
        end = U32(outcome + U32(LANDED))
        if tested:
            found = lane_at(buffer, WORDS + i)
            end = end if found == U32(LANDED) else found
        row = U32(place * U32(ROW) + U32(FOLLOWERS))
        after = table_at(rows, U32(row + end))
        set_lane(buffer, PLACE + i, after)
        going += np.int64(after < attacks)
    return going


@routine
def strike(fight, buffer, lanes, turn, high, rows, outcomes, keys, attacks):
    """Make one attack in each lane; how many lanes have a further one."""
    together, most = U32(0), U32(0)
    for i in range(lanes):
        place = lane_at(buffer, PLACE + i)
        facts = table_at(rows, U32(place * U32(ROW)))
        set_lane(buffer, FOUND + i, facts)
        together = U32(together | facts)
        most = max(most, U32((facts >> U32(COMMITTED)) & U32(MANY)))
    make_words(buffer, lanes, high, fight.cell, attack_address(turn, 0, 0, 0), fight.seed)
    tested = (together >> U32(TESTED)) & U32(1) != U32(0)
    if tested:
        scalars = fight.scalars
        mode = scalars[Rule.REROLL_ONE]
        test(
            buffer, lanes, rows, most > U32(1), I32(scalars[Rule.AUTOMATIC_FAILURE]),
            I32(scalars[Rule.NATURAL_ONE_FAILS]),
            I32(-1 if mode == RerollOne.ADD else 0),
            I32(FAILED if mode == RerollOne.FAIL else 1),
        )  # fmt: skip
        worst = U32(0)
        for i in range(lanes):
            worst = max(worst, lane_at(buffer, WORDS + i))
        if worst == U32(ROLLED_ON):
            for i in range(lanes):
                if buffer[WORDS + i] == U32(ROLLED_ON):
                    trial = high << HALF | U64(buffer[TRIAL + i])
                    buffer[WORDS + i] = U32(roll_on(fight, turn, trial, keys[buffer[PLACE + i]]))
    return wound(buffer, lanes, rows, outcomes, tested, attacks)


# --- trials --------------------------------------------------------------------------------


@routine
def sort_out(buffer, lanes, more, rows, attacks, last, counts):
    """Take the lanes out that are at an end: how many go on, and how many have a further turn.

    Those with a further turn are noted after the ``more`` that have one already.
    """
    going = 0
    for i in range(lanes):
        place, trial = buffer[PLACE + i], buffer[TRIAL + i]
        ended = place >= attacks
        returns = False
        if not last:
            root = rows[place * U32(ROW) + U32(TURN_END)]
            returns = ended and root != OVER
            buffer[MORE_TRIALS + more], buffer[MORE_PLACES + more] = trial, root
            more += returns
        counts[place] += ended and not returns
        buffer[PLACE + going], buffer[TRIAL + going] = place, trial
        going += not ended
    return going, more


@routine
def fight_turn(fight, buffer, lanes, turn, last, high, rows, outcomes, keys, attacks, counts):
    """One turn's combat of all lanes, from their positions on; how many have a further turn."""
    going, more = np.int64(lanes), 0
    while lanes > 0:
        going = strike(fight, buffer, lanes, turn, high, rows, outcomes, keys, attacks)
        if going <= lanes - lanes // SPARE:
            lanes, more = sort_out(buffer, lanes, more, rows, attacks, last, counts)
    for i in range(more):
        buffer[TRIAL + i] = buffer[MORE_TRIALS + i]
        buffer[PLACE + i] = buffer[MORE_PLACES + i]
    return more


@kernel
def count_literal(
    fights, rows, outcomes, winners, keys, attacks, start, first, trials, turns, counts, tally
):
    """Count in which positions trials ``first`` to ``first + trials - 1`` end.

    Parameters
    ----------
    fights : ndarray of FIGHT, shape (1,)
        From `estoc.kernels.trials.new_fight`; scratch, so threads need one each.
    rows, outcomes, winners, keys, attacks, start
        Of `estoc.kernels.literal_plan.Plan`.
    first, trials, turns
        As in `estoc.kernels.trials.count`.
    counts : ndarray of int64, shape (p,)
        Trials by the row of their end; they are added to what is there.
    tally : ndarray of int64, shape (2,)
        As in `estoc.kernels.trials.count`.
    """
    fight = fights[0]
    buffer, again = np.empty(ROOM, np.uint32), np.empty(ROOM, np.uint32)
    set_up(fight, keys[start])
    place_anew(fight, Moment(0, 0, None), 0)  # what abilities give for the whole combat
    done, attacks = 0, U32(attacks)
    while done < trials:
        trial = U64(first + done)
        high = trial >> HALF
        lanes = min(LANES, trials - done, np.int64((high + U64(1) << HALF) - trial))
        for i in range(lanes):
            buffer[TRIAL + i], buffer[PLACE + i] = U32((trial + U64(i)) & LOW), U32(start)
        done += lanes
        for turn in range(turns):
            tally[1] += lanes
            lone = decide_first(fight, buffer, again, lanes, turn, high, rows, winners, keys)
            if turn == 0:
                tally[0] += lone
            lanes = fight_turn(
                fight, buffer, lanes, turn, turn == turns - 1, high, rows, outcomes, keys,
                attacks, counts,
            )  # fmt: skip
            if lanes == 0:
                break


def count_ends(
    plan: Plan, fights: NDArray[np.void], first: int, trials: int, turns: int,
    law: NDArray[np.int64], sides: NDArray[np.int64], tally: NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the outcomes of trials to counts; parameters of `estoc.kernels.trials.count`."""
    counts = np.zeros(len(plan.keys), np.int64)
    count_literal(
        fights, plan.rows, plan.outcomes, plan.winners, plan.keys, plan.attacks, plan.start,
        first, trials, turns, counts, tally,
    )  # fmt: skip
    n, dead = law.shape[0], law.shape[1] - 1
    states = plan.keys[plan.ends :, 0 : CELLS * n : CELLS]
    ended = counts[plan.ends :]
    for i in range(n):
        np.add.at(law[i], states[:, i], ended)
    np.add.at(sides, (states[:, 0], (states[:, 1:] == dead).sum(1)), ended)
