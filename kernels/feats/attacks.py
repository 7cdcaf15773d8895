"""A combat with abilities, attack by attack: positions, what they are worth, where mass goes.

Levels of `positions` are worked through in order: upwards to find positions and to move masses,
downwards to find what a position is worth.
"""

import numpy as np

from .._jit import part, routine
from ..combat.feats import has
from ..combat.policy import decides
from ..combat.prowess import feints
from ..exact.choices import is_better
from ..exact.positions import FULL, NOBODY, find
from ..layout.abilities import Effect
from ..layout.combat import OUTCOMES
from ..layout.feats import EXCHANGE_ENDS, FEINTED, SURVIVED, WOUNDED, Ends, Kind
from ..layout.policy import OPTIMAL, Decision
from .ends import blow, luck_of, note_all, note_declined, throw
from .laws import wound_place
from .options import WOUND_ROLL, begin_attack, begin_defence, list_attacks, list_defences
from .positions import add, level_of, unpack


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
