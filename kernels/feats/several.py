"""A combat exactly where somebody has an ability (W-7): positions in a table, attack by attack.

Levels of `feat_positions` are worked through in order: upwards to move masses, downwards to find
what a position is worth.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..combat.feats import blow_bonus, has, number_of, state_after
from ..combat.fight import attack_of, can_fail, defence_of, next_attack
from ..combat.policy import coming, decides, parry_dice, place_anew
from ..combat.prowess import (
    can_master,
    commits_held,
    dice_left,
    feints,
    masters,
    ready_held,
    strength_of,
    use_held,
)
from ..combat.wounds import FREE, SLOWED, bury, current, is_dead
from ..exact.choices import is_better, is_open, tester_choice
from ..exact.positions import FULL, NOBODY, TOO_WIDE, clear, find
from ..layout.abilities import Effect, Number
from ..layout.combat import (
    HELD_DIE,
    MASTER_DIE,
    OPTIMAL,
    OUTCOMES,
    Decision,
    Held,
    Luck,
    Moment,
    Stat,
    Sustain,
)
from ..layout.feats import (
    EXCHANGE_ENDS,
    FEATS,
    FEINTED,
    LEVELS,
    MOST_FEINTS,
    SURVIVED,
    WOUNDED,
    Ends,
    Field,
    Kind,
)
from .initiative import TEST, difference_of, first_law
from .laws import exchange_ends, wound_place
from .positions import (
    add,
    end_place,
    following,
    get,
    is_end,
    level_of,
    measure,
    new_half,
    opening,
    pack,
    unpack,
)

WOUND_ROLL = -1  # in place of a feint

# --- what may be done ----------------------------------------------------------------------------


@part
def offer(feats, count, i, j, kind):
    """Add an attack to choose from."""
    feats.striker[count], feats.target[count], feats.kind[count] = i, j, kind
    return count + 1


@routine
def offer_kinds(fight, feats, turn, count, i, j):
    """Add the ways in which ``i`` can attack ``j``."""
    open_held = decides(fight, i, Decision.HELD) == OPTIMAL
    if fight.attack[i] > 0:
        master = decides(fight, i, Decision.MASTER)
        either = master == OPTIMAL and can_master(fight, i)
        if either or not masters(fight, turn, i, j):
            count = offer(feats, count, i, j, Kind.PLACED)
        if either or masters(fight, turn, i, j):
            count = offer(feats, count, i, j, Kind.MASTER)
    if fight.held[i] > 0 and (open_held or fight.attack[i] == 0):
        count = offer(feats, count, i, j, Kind.HELD)
    return count


@routine
def must_strike(fight, side):
    """Whether a side still has to strike in this half: somebody has an attack die."""
    for i in range(1, fight.n):
        if is_dead(fight, i) or fight.struck[i]:
            continue
        if fight.attack[i if side == 1 else 0] > 0:
            return True
    return False


@routine
def list_attacks(fight, feats, turn, side):
    """List the attacks that a side may make now, and return their number (C-5.3, C-5.4)."""
    decision = Decision.TARGET if side == 0 else Decision.STRIKE_ORDER
    free = fight.policy[side, decision] == OPTIMAL
    must = must_strike(fight, side)
    count = np.int64(0)
    if free:
        for k in range(1, fight.n):
            if is_dead(fight, k) or fight.struck[k]:
                continue
            i, j = (0, k) if side == 0 else (k, 0)
            count = offer_kinds(fight, feats, turn, count, i, j)
    else:
        i, j = next_attack(fight, turn, side, True)
        count = offer_kinds(fight, feats, turn, count, i, j)
    if not must and fight.policy[side, Decision.HELD] == OPTIMAL:
        count = offer(feats, count, 0, 0, Kind.DECLINED)
    return count


@part
def offer_defence(feats, count, placed, held, sustain):
    """Add a way to meet an attack."""
    feats.placed_dice[count], feats.held_dice[count] = placed, held
    feats.sustain[count] = sustain
    return count + 1


@routine
def may_sustain_with(fight, j, placed, held):
    """Whether a sustained defence can begin with these dice (C-7.1, C-7.5)."""
    if placed + held != 1 or fight.defence[j] + fight.held[j] != 1 or fight.sustained[j]:
        return False
    return fight.into_defence[j] + held >= fight.into_attack[j]


@routine
def sustains_with(fight, j, placed, held):
    """Whether a fixed policy sustains so (C-7.2)."""
    if not may_sustain_with(fight, j, placed, held):
        return False
    sustain = decides(fight, j, Decision.SUSTAIN)
    if sustain == Sustain.USEFUL:
        return coming(fight, j) > 0
    return sustain == Sustain.ALWAYS


@routine
def list_defences(fight, feats, j):
    """List the ways to meet the attack just declared on ``j``, and return their number (C-6.2)."""
    count = np.int64(0)
    if fight.sustained[j]:
        return offer_defence(feats, count, fight.defence[j], 0, fight.sustained[j])
    free = decides(fight, j, Decision.PARRY) == OPTIMAL
    open_held = decides(fight, j, Decision.HELD) == OPTIMAL
    least = np.int64(0) if free else np.int64(parry_dice(fight, j))
    most = fight.defence[j] if free else least
    for placed in range(least, most + 1):
        low = high = np.int64(0)
        if open_held:
            high = fight.held[j]
        elif free:
            ready = decides(fight, j, Decision.HELD) != Held.ATTACK and fight.defence[j] == 0
            high = min(fight.held[j], 1) * ready
        elif commits_held(fight, j):
            low = high = np.int64(1)
        for held in range(low, high + 1):
            slowed = FREE if held else SLOWED
            if decides(fight, j, Decision.SUSTAIN) == OPTIMAL:
                count = offer_defence(feats, count, placed, held, 0)
                if may_sustain_with(fight, j, placed, held):
                    count = offer_defence(feats, count, placed, held, slowed)
            else:
                slowed *= sustains_with(fight, j, placed, held)
                count = offer_defence(feats, count, placed, held, slowed)
    return count


# --- what follows ---------------------------------------------------------------------------------


@routine
def begin_attack(fight, feats, side, i, j, kind):
    """Use the dice of an attack; its manner (C-5.2)."""
    fight.struck[max(i, j)] = 1
    if kind == Kind.HELD:
        use_held(fight, i)
        return np.int64(HELD_DIE)
    if kind == Kind.MASTER:
        fight.attack[i] -= fight.numbers[i, Number.MASTER_DICE]
        return np.int64(MASTER_DIE)
    fight.attack[i] -= 1
    return np.int64(0)


@routine
def begin_defence(fight, feats, j, option):
    """Commit dice (C-6.2); how many."""
    held = feats.held_dice[option]
    for _ in range(held):
        ready_held(fight, j)
    if feats.sustain[option]:
        fight.sustained[j] = feats.sustain[option]
    return feats.placed_dice[option] + held


@part
def note_place(fight, feats, side, luck_i, luck_j, place):
    """Write down a position that may follow, as it is set up; the marks are as they were."""
    key = following(fight, feats, side)
    feats.key[luck_i, luck_j, place] = key
    feats.end[luck_i, luck_j, place] = end_place(fight) if is_end(feats, key) else -1


@routine
def keep_marks(fight, marks):
    """Write down who has struck."""
    for i in range(fight.n):
        marks[i] = fight.struck[i]


@routine
def restore_marks(fight, marks):
    """Mark again who has struck."""
    for i in range(fight.n):
        fight.struck[i] = marks[i]


@routine
def note_wounds(fight, feats, side, i, j, luck_i, luck_j, marks):
    """Write down the positions after each outcome of a wound roll, and after none (C-6.5)."""
    if has(fight, j, Effect.SURVIVAL):
        note_place(fight, feats, side, luck_i, luck_j, SURVIVED)
        restore_marks(fight, marks)
    fresh = fight.fresh[i]
    fight.fresh[i] = 0
    state, attack, defence = np.int64(fight.state[j]), fight.attack[j], fight.defence[j]
    held, sustained, doomed = fight.held[j], fight.sustained[j], fight.doomed[j]
    living = fight.living
    for outcome in range(OUTCOMES):
        after, dooms = state_after(fight, j, outcome)
        fight.state[j] = after
        if dooms:
            fight.doomed[j] = 1
        if after == fight.dead:
            bury(fight, j)
        note_place(fight, feats, side, luck_i, luck_j, WOUNDED + outcome)
        fight.state[j], fight.attack[j], fight.defence[j] = state, attack, defence
        fight.held[j], fight.sustained[j], fight.doomed[j] = held, sustained, doomed
        fight.living = living
        restore_marks(fight, marks)
    fight.fresh[i] = fresh


@routine
def list_feints(fight, feats, i, j):
    """List which dice of ``j`` a feint may take; how many ways."""
    feats.feints = 0
    if not has(fight, i, Effect.FEINT) or dice_left(fight, j) == 0:
        return
    dice = min(fight.numbers[i, Number.FEINT_DICE], dice_left(fight, j))
    free = decides(fight, i, Decision.FEINT) == OPTIMAL
    for missing in range(min(dice, fight.attack[j]) + 1):
        attack = min(dice, fight.attack[j]) - missing  # those of fixed policies first
        for spared in range(min(dice - attack, fight.defence[j]) + 1):
            defence = min(dice - attack, fight.defence[j]) - spared
            held = dice - attack - defence
            if held > fight.held[j] or feats.feints == MOST_FEINTS:
                continue
            row = feats.feint[feats.feints]
            row[0], row[1], row[2] = attack, defence, held
            feats.feints += 1
            if not free:
                return


@routine
def note_feints(fight, feats, side, j, luck_i, luck_j, marks):
    """Write down the positions after each feint."""
    for k in range(feats.feints):
        attack, defence, held = feats.feint[k, 0], feats.feint[k, 1], feats.feint[k, 2]
        sustained = fight.sustained[j]
        fight.attack[j] -= attack
        fight.defence[j] -= defence
        fight.held[j] -= held
        if fight.defence[j] == 0:
            fight.sustained[j] = 0
        note_place(fight, feats, side, luck_i, luck_j, FEINTED + k)
        fight.attack[j] += attack
        fight.defence[j] += defence
        fight.held[j] += held
        fight.sustained[j] = sustained
        restore_marks(fight, marks)


@part
def counters(fight, j, sustained, kind):
    """Whether a parry can be answered by a counter-attack (C-7.4, W-7)."""
    return has(fight, j, Effect.COUNTER_ATTACK) and sustained == 0 and kind != Kind.HELD


@routine
def note_all(fight, feats, key, i, j, kind, option, marks):
    """Write down every position that may follow an attack, by luck used."""
    for luck_i in range(1 + luck_of(feats, key, i)):
        for luck_j in range(1 + luck_of(feats, key, j)):
            side = unpack(fight, feats, key)
            fight.luck[i] -= luck_i
            fight.luck[j] -= luck_j
            begin_attack(fight, feats, side, i, j, kind)
            committed = begin_defence(fight, feats, j, option)
            keep_marks(fight, marks)
            note_place(fight, feats, side, luck_i, luck_j, Ends.FAILED)
            restore_marks(fight, marks)
            sustained = fight.sustained[j]
            if sustained == 0:
                fight.defence[j] -= committed
            note_wounds(fight, feats, side, i, j, luck_i, luck_j, marks)
            list_feints(fight, feats, i, j)
            note_feints(fight, feats, side, j, luck_i, luck_j, marks)
            spent = sustained == 0 and committed > 0
            if spent:
                fight.attack[j] += number_of(fight, j, Effect.PARRY_DICE, Number.PARRY_DICE)
            note_place(fight, feats, side, luck_i, luck_j, Ends.PARRIED)
            restore_marks(fight, marks)
            if spent and counters(fight, j, sustained, kind):
                fight.attack[j] += fight.numbers[j, Number.COUNTER_DICE]
            note_place(fight, feats, side, luck_i, luck_j, Ends.COUNTERED)
            restore_marks(fight, marks)


@part
def luck_of(feats, key, i):
    """1 if a fighter has luck left in a position."""
    return np.int64(get(feats, key, i, Field.LUCK) > 0)


@routine
def note_declined(fight, feats, key):
    """Write down the position after a side strikes no more in its half of a pass."""
    side = unpack(fight, feats, key)
    made = 0
    for i in range(fight.n):
        made |= fight.struck[i]
    idle = key >> feats.idle_shift & 1
    if idle and not made:
        found = pack(fight, feats, side, 0) | 1 << feats.end_shift
    else:
        found = new_half(fight, feats, side, made)
    feats.key[0, 0, 0] = found
    feats.end[0, 0, 0] = end_place(fight) if is_end(feats, found) else -1


@routine
def throw(fight, feats, turn, key, i, j, kind, option):
    """Fill ``ends``: how the exchange of an attack met so ends (C-6.3, C-6.4)."""
    side = unpack(fight, feats, key)
    begin_attack(fight, feats, side, i, j, kind)
    committed = begin_defence(fight, feats, j, option)
    attack = attack_of(fight, turn, i, j, True)
    if committed == 0 and not can_fail(fight, attack):
        for k in range(EXCHANGE_ENDS):
            feats.ends[k] = 0.0
        feats.ends[0] = 1.0
        return
    lead = attack - defence_of(fight, turn, j, i, True)
    countered = counters(fight, j, fight.sustained[j], kind)
    exchange_ends(
        fight, feats, i, j, committed, attack, lead, countered,
        fight.luck[i] > 0, fight.luck[j] > 0,
    )  # fmt: skip


@routine
def blow(fight, feats, turn, key, i, j, kind, option):
    """FOR - RES of a blow with what is added to it, and whether its roll is a first one."""
    side = unpack(fight, feats, key)
    manner = begin_attack(fight, feats, side, i, j, kind)
    begin_defence(fight, feats, j, option)
    difference = strength_of(fight, turn, i, manner) - current(fight, turn, j, Stat.RES)
    fresh = np.int64(has(fight, i, Effect.WOUND_DICE) and fight.fresh[i] != 0)
    return difference + blow_bonus(fight, i), fresh


# --- all positions, downwards -----------------------------------------------------------------


@routine
def reach(fight, feats, turn, keys, links, slots, heads, count, marks):
    """Put every position that decisions may lead to into the table; False: it has no room."""
    for level in range(len(heads)):
        place = heads[level]
        while place != NOBODY:
            key = keys[place]
            side = unpack(fight, feats, key)
            for pair in range(list_attacks(fight, feats, turn, side)):
                i, j, kind = feats.striker[pair], feats.target[pair], feats.kind[pair]
                if kind == Kind.DECLINED:
                    note_declined(fight, feats, key)
                    if not add_place(fight, feats, 0, 0, 0, keys, links, slots, heads, count):
                        return False
                    unpack(fight, feats, key)
                    continue
                begin_attack(fight, feats, side, i, j, kind)
                for option in range(list_defences(fight, feats, j)):
                    note_all(fight, feats, key, i, j, kind, option, marks)
                    if not add_all(fight, feats, key, i, j, keys, links, slots, heads, count):
                        return False
                unpack(fight, feats, key)
            place = links[place]
    return True


@part
def add_place(fight, feats, luck_i, luck_j, place, keys, links, slots, heads, count):
    """Put a position that may follow into the table; False: it has no room."""
    if feats.end[luck_i, luck_j, place] >= 0:
        return True
    found = feats.key[luck_i, luck_j, place]
    level = level_of(fight, feats, found)
    return add(fight, feats, found, level, keys, links, slots, heads, count) != FULL


@routine
def add_all(fight, feats, key, i, j, keys, links, slots, heads, count):
    """Put every position that may follow an attack into the table; False: it has no room."""
    for luck_i in range(1 + luck_of(feats, key, i)):
        for luck_j in range(1 + luck_of(feats, key, j)):
            for place in range(FEINTED + feats.feints):
                if place == SURVIVED and not has(fight, j, Effect.SURVIVAL):
                    continue
                if place == Ends.LANDS:
                    continue
                if not add_place(
                    fight, feats, luck_i, luck_j, place, keys, links, slots, heads, count
                ):
                    return False
    return True


@part
def value_at(feats, luck_i, luck_j, place, final, keys, slots, value):
    """What a position that may follow is worth."""
    end = feats.end[luck_i, luck_j, place]
    if end >= 0:
        return final[end]
    return value[find(feats.key[luck_i, luck_j, place], keys, slots)]


@routine
def landing_value(
    fight, feats, side, i, j, luck_i, luck_j, difference, fresh, fixed, final, keys, slots, value
):
    """What an attack that lands is worth to side 0, and what is done; ``fixed`` by policy."""
    law = feats.wound[i, j, fresh, wound_place(fight, feats, i, j, fresh, difference)]
    rolled = 0.0
    for outcome in range(OUTCOMES):
        if law[outcome] > 0:
            place = WOUNDED + outcome
            rolled += law[outcome] * value_at(
                feats, luck_i, luck_j, place, final, keys, slots, value
            )
    if law[OUTCOMES] > 0:
        rolled += law[OUTCOMES] * value_at(
            feats, luck_i, luck_j, SURVIVED, final, keys, slots, value
        )
    best, chosen = rolled, np.int64(WOUND_ROLL)
    free = decides(fight, i, Decision.FEINT) == OPTIMAL
    for k in range(feats.feints):
        worth = value_at(feats, luck_i, luck_j, FEINTED + k, final, keys, slots, value)
        if k == fixed or (free and is_better(side, worth, best)):
            best, chosen = worth, np.int64(k)
    return best, chosen


@routine
def fixed_landing(fight, feats, turn, key, i, j, kind, option):
    """What a fixed policy does with an attack that lands: a feint, the first, or the roll."""
    if not has(fight, i, Effect.FEINT) or decides(fight, i, Decision.FEINT) == OPTIMAL:
        return np.int64(WOUND_ROLL)
    side = unpack(fight, feats, key)
    begin_attack(fight, feats, side, i, j, kind)
    committed = begin_defence(fight, feats, j, option)
    if fight.sustained[j] == 0:
        fight.defence[j] -= committed
    return np.int64(0) if feints(fight, turn, i, j) else np.int64(WOUND_ROLL)


@routine
def attack_value(
    fight, feats, turn, key, side, i, j, kind, option, final, keys, slots, value, marks
):
    """What a position is worth once an attack is declared and met so; chances stay in ``ends``."""
    sign = 1 - 2 * side
    note_all(fight, feats, key, i, j, kind, option, marks)
    for k in range(EXCHANGE_ENDS):
        feats.worth[k] = 0.0
    difference, fresh = blow(fight, feats, turn, key, i, j, kind, option)
    fixed = fixed_landing(fight, feats, turn, key, i, j, kind, option)
    for luck_i in range(1 + luck_of(feats, key, i)):
        for luck_j in range(1 + luck_of(feats, key, j)):
            best, chosen = landing_value(
                fight, feats, side, i, j, luck_i, luck_j, difference, fresh, fixed,
                final, keys, slots, value,
            )  # fmt: skip
            feats.landing[2 * luck_i + luck_j] = chosen
            feats.worth[2 * luck_i + luck_j] = sign * best
            for end in range(1, 4):
                feats.worth[4 * end + 2 * luck_i + luck_j] = sign * value_at(
                    feats, luck_i, luck_j, end, final, keys, slots, value
                )
    throw(fight, feats, turn, key, i, j, kind, option)
    worth = 0.0
    for k in range(EXCHANGE_ENDS):
        worth += feats.ends[k] * feats.worth[k]
    return sign * worth


@routine
def evaluate(
    fight, feats, turn, final, keys, links, slots, heads, value, choice, chances, landing, marks
):
    """Find what each position in the table is worth, and the decisions there."""
    for level in range(len(heads) - 1, -1, -1):
        place = heads[level]
        while place != NOBODY:
            key = keys[place]
            side = unpack(fight, feats, key)
            attacks = list_attacks(fight, feats, turn, side)
            for pair in range(attacks):
                i, j, kind = feats.striker[pair], feats.target[pair], feats.kind[pair]
                if kind == Kind.DECLINED:
                    note_declined(fight, feats, key)
                    worth = value_at(feats, 0, 0, 0, final, keys, slots, value)
                    if pair == 0 or is_better(side, worth, value[place]):
                        value[place] = worth
                        choice[place, 0], choice[place, 1] = pair, 0
                else:
                    evaluate_attack(
                        fight, feats, turn, key, side, pair, i, j, kind, place, final,
                        keys, slots, value, choice, chances, landing, marks,
                    )  # fmt: skip
                unpack(fight, feats, key)
            place = links[place]


@routine
def evaluate_attack(
    fight, feats, turn, key, side, pair, i, j, kind, place, final,
    keys, slots, value, choice, chances, landing, marks,
):  # fmt: skip
    """Find the best way to meet an attack, and write it down if the attack is the best so far."""
    begin_attack(fight, feats, side, i, j, kind)
    options = list_defences(fight, feats, j)
    best, chosen = 0.0, 0
    for option in range(options):
        worth = attack_value(
            fight, feats, turn, key, side, i, j, kind, option, final, keys, slots, value, marks
        )
        if option == 0 or is_better(1 - side, worth, best):
            best, chosen = worth, option
            for k in range(EXCHANGE_ENDS):
                feats.best_ends[k] = feats.ends[k]
            for k in range(4):
                feats.best_landing[k] = feats.landing[k]
    if pair == 0 or is_better(side, best, value[place]):
        value[place] = best
        choice[place, 0], choice[place, 1] = pair, chosen
        for k in range(EXCHANGE_ENDS):
            chances[place, k] = feats.best_ends[k]
        for k in range(4):
            landing[place, k] = feats.best_landing[k]


# --- masses, upwards ---------------------------------------------------------------------------


@routine
def spread(
    fight, feats, turn, solved, keys, links, slots, heads, count, masses,
    choice, chances, landing, marks, joint, base,
):  # fmt: skip
    """Move the masses of all positions to the ends of the combat; False: there is no room."""
    for level in range(len(heads)):
        place = heads[level]
        while place != NOBODY:
            key, mass, here = keys[place], masses[place], place
            masses[place] = 0.0
            place = links[place]
            if mass == 0:
                continue
            side = unpack(fight, feats, key)
            list_attacks(fight, feats, turn, side)
            pair = np.int64(choice[here, 0]) if solved else np.int64(0)
            i, j, kind = feats.striker[pair], feats.target[pair], feats.kind[pair]
            if kind == Kind.DECLINED:
                note_declined(fight, feats, key)
                room = give(
                    fight, feats, 0, 0, 0, mass, keys, links, slots, heads, count, masses, joint,
                    base,
                )  # fmt: skip
                if not room:
                    return False
                continue
            begin_attack(fight, feats, side, i, j, kind)
            list_defences(fight, feats, j)
            option = np.int64(choice[here, 1]) if solved else np.int64(0)
            note_all(fight, feats, key, i, j, kind, option, marks)
            difference, fresh = blow(fight, feats, turn, key, i, j, kind, option)
            fixed = fixed_landing(fight, feats, turn, key, i, j, kind, option)
            if solved:
                for k in range(EXCHANGE_ENDS):
                    feats.ends[k] = chances[here, k]
            else:
                for k in range(EXCHANGE_ENDS):
                    feats.worth[k] = 0.0
                throw(fight, feats, turn, key, i, j, kind, option)
            for luck in range(4):
                lands = np.int64(landing[here, luck]) if solved else fixed
                room = give_all(
                    fight, feats, luck >> 1, luck & 1, i, j, difference, fresh, lands, mass,
                    keys, links, slots, heads, count, masses, joint, base,
                )  # fmt: skip
                if not room:
                    return False
    return True


@part
def give(
    fight, feats, luck_i, luck_j, place, mass,
    keys, links, slots, heads, count, masses, joint, base,
):  # fmt: skip
    """Move mass to a position that follows; False: there is no room for it."""
    end = feats.end[luck_i, luck_j, place]
    if end >= 0:
        joint[base + end] += mass
        return True
    found = feats.key[luck_i, luck_j, place]
    level = level_of(fight, feats, found)
    to = add(fight, feats, found, level, keys, links, slots, heads, count)
    if to == FULL:
        return False
    masses[to] += mass
    return True


@routine
def give_all(
    fight, feats, luck_i, luck_j, i, j, difference, fresh, lands, mass,
    keys, links, slots, heads, count, masses, joint, base,
):  # fmt: skip
    """Move mass to all that follows an attack after so much luck; False: there is no room."""
    for end in range(1, 4):
        share = feats.ends[4 * end + 2 * luck_i + luck_j]
        if share > 0 and not give(
            fight, feats, luck_i, luck_j, end, mass * share,
            keys, links, slots, heads, count, masses, joint, base,
        ):  # fmt: skip
            return False
    share = feats.ends[2 * luck_i + luck_j]
    if share == 0:
        return True
    if lands != WOUND_ROLL:
        return give(
            fight, feats, luck_i, luck_j, FEINTED + lands, mass * share,
            keys, links, slots, heads, count, masses, joint, base,
        )  # fmt: skip
    law = feats.wound[i, j, fresh, wound_place(fight, feats, i, j, fresh, difference)]
    for outcome in range(OUTCOMES + 1):
        place = SURVIVED if outcome == OUTCOMES else WOUNDED + outcome
        if law[outcome] > 0 and not give(
            fight, feats, luck_i, luck_j, place, mass * share * law[outcome],
            keys, links, slots, heads, count, masses, joint, base,
        ):  # fmt: skip
            return False
    return True


# --- one turn ----------------------------------------------------------------------------------


@routine
def set_out(fight, feats, turn, states, way):
    """Everybody as he begins the turn, his dice placed; whether positions have room."""
    fight.living = 0
    for i in range(fight.n):
        fight.state[i] = states[i]
        fight.sustained[i] = fight.struck[i] = 0
        fight.attack[i] = fight.defence[i] = fight.held[i] = 0
        fight.luck[i] = fight.fresh[i] = fight.doomed[i] = 0
        fight.into_attack[i] = fight.into_defence[i] = fight.chained[i] = 0
        fight.living += i > 0 and states[i] != fight.dead
    place_anew(fight, Moment(0, turn, None), way, True)
    for i in range(fight.n):
        fight.placed[i] = fight.attack[i]
        if not has(fight, i, Effect.WOUND_DICE):
            fight.fresh[i] = 0
    return measure(fight, feats)


@routine
def root(fight, feats, start, first, tester, used_0, used_1):
    """The position in which the combat begins, after so much luck in the Initiative test."""
    unpack(fight, feats, start)
    fight.luck[0] -= used_0
    fight.luck[tester] -= used_1
    return opening(fight, feats, first)


@part
def lucks(fight, i):
    """How many tests a fighter may roll again."""
    never = decides(fight, i, Decision.LUCK) == Luck.NEVER
    return np.int64(0) if never else fight.luck[i]


@kernel
def solve_feats(
    fights, tables, tests, turn, states, way, final,
    keys, links, slots, heads, count, value, masses, choice, chances, landing, marks, joint,
):  # fmt: skip
    """Law of one turn of a combat where somebody has an ability, and the best decisions left open.

    Parameters
    ----------
    fights : ndarray of FIGHT, shape (1,)
        From `estoc.kernels.combat.trials.new_fight`; scratch.
    tables : ndarray of FEATS, shape (1,)
        From `new_feats`, for the same fighters, edition and policies.
    tests : ndarray of TEST, shape (1,)
        From `new_feats`.
    turn : int
        0, or any later turn.
    states : ndarray of int64, shape (n,)
        Of all fighters at the beginning of the turn.
    way : int
        The placement (`estoc.kernels.combat.policy.place_anew`).
    final : ndarray of float64, shape (s ** n,)
        What side 0 gets for the final states of all, the lone fighter's counting most.
    keys, links, slots, heads, count, value, masses, choice, chances, landing, marks
        The table, from `table_of`.
    joint : ndarray of float64, shape (2 * s ** n,)
        Chance of the final states of all, by the side that strikes first; overwritten.

    Returns
    -------
    positions : int
        That stood in the table at once; ``FULL`` if it had no room, ``TOO_WIDE`` if a position
        has none in a number.
    value : float
        What the combat is worth to side 0.
    """
    fight, feats, test = fights[0], tables[0], tests[0]
    joint[:] = 0.0
    clear(keys, slots, heads, count)
    if not set_out(fight, feats, turn, states, way):
        return TOO_WIDE, 0.0
    start = pack(fight, feats, 0, 0)
    solved = is_open(fight)
    if solved:
        if not add_roots(fight, feats, start, keys, links, slots, heads, count):
            return FULL, 0.0
        if not reach(fight, feats, turn, keys, links, slots, heads, count, marks):
            return FULL, 0.0
        evaluate(
            fight, feats, turn, final, keys, links, slots, heads, value, choice, chances, landing,
            marks,
        )  # fmt: skip
    tester = begin(fight, feats, test, turn, start, solved, final, keys, slots, value)
    for first in range(2):
        base = first * len(final)
        for used_0 in range(3):
            for used_1 in range(3):
                chance = feats.start_chance[first, used_0, used_1]
                if chance > 0:
                    key = root(fight, feats, start, first, tester, used_0, used_1)
                    if is_end(feats, key):
                        joint[base + end_place(fight)] += chance
                        continue
                    level = level_of(fight, feats, key)
                    place = add(fight, feats, key, level, keys, links, slots, heads, count)
                    if place == FULL:
                        masses[:] = 0.0
                        return FULL, 0.0
                    masses[place] += chance
        room = spread(
            fight, feats, turn, solved, keys, links, slots, heads, count, masses,
            choice, chances, landing, marks, joint, base,
        )  # fmt: skip
        if not room:
            masses[:] = 0.0
            return FULL, 0.0
    total = 0.0
    for end in range(len(final)):
        total += (joint[end] + joint[len(final) + end]) * final[end]
    return count[0], total


@routine
def add_roots(fight, feats, start, keys, links, slots, heads, count):
    """Put all beginnings into the table, whoever tests and strikes first; False: no room."""
    for tester in range(1, fight.n):
        unpack(fight, feats, start)
        most_0, most_1 = lucks(fight, 0), lucks(fight, tester)
        if is_dead(fight, tester):
            continue
        for first in range(2):
            for used_0 in range(most_0 + 1):
                for used_1 in range(most_1 + 1):
                    key = root(fight, feats, start, first, tester, used_0, used_1)
                    level = level_of(fight, feats, key)
                    if is_end(feats, key):
                        continue
                    if add(fight, feats, key, level, keys, links, slots, heads, count) == FULL:
                        return False
    return True


@routine
def fill_start(fight, feats, start, tester, final, keys, slots, value):
    """Fill ``start_value``: what the combat is worth, by who strikes first and luck used."""
    unpack(fight, feats, start)
    most_0, most_1 = lucks(fight, 0), lucks(fight, tester)
    for first in range(2):
        for used_0 in range(most_0 + 1):
            for used_1 in range(most_1 + 1):
                key = root(fight, feats, start, first, tester, used_0, used_1)
                if is_end(feats, key):
                    found = final[end_place(fight)]
                else:
                    found = value[find(key, keys, slots)]
                feats.start_value[first, used_0, used_1] = found
    unpack(fight, feats, start)


@routine
def begin(fight, feats, test, turn, start, solved, final, keys, slots, value):
    """Fill ``start_chance``: who strikes first, and luck used; who tests for the others (C-4)."""
    unpack(fight, feats, start)
    chosen, best = np.int64(0), 0.0
    tester = tester_choice(fight, turn, 0)
    last = np.int64(0)
    while tester:
        found = law_with(fight, feats, test, turn, start, solved, tester, final, keys, slots, value)
        if chosen == 0 or (best - found) * 10**13 > 1:
            chosen, best = tester, found
        last = tester
        tester = tester_choice(fight, turn, tester)
    if chosen != last:
        law_with(fight, feats, test, turn, start, solved, chosen, final, keys, slots, value)
    return chosen


@routine
def law_with(fight, feats, test, turn, start, solved, tester, final, keys, slots, value):
    """Fill ``start_chance`` for who tests for the others; what the combat is worth then."""
    if solved:
        fill_start(fight, feats, start, tester, final, keys, slots, value)
    difference = difference_of(fight, turn, tester)
    return first_law(fight, test, tester, difference, feats.start_value, feats.start_chance)


def new_feats() -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Return empty tables of laws and of the Initiative test, as record arrays of shape (1,)."""
    return np.zeros(1, FEATS), np.zeros(1, TEST)


def table_of(positions: int) -> tuple[NDArray[Any], ...]:
    """Return an empty table for so many positions: keys to marks."""
    slots = 1 << (2 * positions - 1).bit_length()
    return (
        np.empty(positions, np.int64),
        np.empty(positions, np.int32),
        np.zeros(slots, np.int32),
        np.full(LEVELS, NOBODY, np.int32),
        np.zeros(1, np.int64),
        np.empty(positions),
        np.zeros(positions),
        np.empty((positions, 2), np.uint8),
        np.empty((positions, EXCHANGE_ENDS)),
        np.empty((positions, 4), np.int8),
        np.zeros(9, np.int64),
    )
