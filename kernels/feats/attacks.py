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
from ..exact.positions import FULL, find
from ..layout.abilities import Effect
from ..layout.combat import OUTCOMES
from ..layout.exact import NOBODY
from ..layout.feats import (
    ENDS,
    EXCHANGE_ENDS,
    FEINTED,
    LUCKS,
    SURVIVED,
    WOUNDED,
    Attack,
    Ends,
    Kind,
)
from ..layout.policy import OPTIMAL, Decision
from .ends import find_law, may_use, note_all, note_declined, throw
from .options import WOUND_ROLL, begin_attack, begin_defence, list_attacks, list_defences
from .positions import add, level_of, unpack
from .vectors import clear, copy, exchange_end, product


@part
def attack_at(feats, key, side, pair):
    """One of the attacks that are listed."""
    return Attack(key, side, feats.striker[pair], feats.target[pair], feats.kind[pair])


@routine
def reach(fight, feats, turn, table):
    """Put every position that decisions may lead to into the table; False: it has no room."""
    for level in range(len(table.heads)):
        place = table.heads[level]
        while place != NOBODY:
            key = table.rows[place].key
            side = unpack(fight, feats, key)
            for pair in range(list_attacks(fight, feats, turn, side)):
                attack = attack_at(feats, key, side, pair)
                if attack.kind == Kind.DECLINED:
                    note_declined(fight, feats, key)
                    if not add_place(fight, feats, 0, 0, table):
                        return False
                    unpack(fight, feats, key)
                    continue
                begin_attack(fight, attack)
                for option in range(list_defences(fight, feats, attack.target)):
                    note_all(fight, feats, attack, option)
                    if not add_all(fight, feats, attack, table):
                        return False
                unpack(fight, feats, key)
            place = table.rows[place].link
    return True


@part
def add_place(fight, feats, luck, place, table):
    """Put a position that may follow into the table; False: it has no room."""
    if feats.end[luck, place] >= 0:
        return True
    after = feats.key[luck, place]
    return add(fight, feats, after, level_of(fight, feats, after), table) != FULL


@routine
def add_all(fight, feats, attack, table):
    """Put every position that may follow an attack into the table; False: it has no room."""
    for luck in range(LUCKS):
        if not may_use(feats, attack, luck):
            continue
        for place in range(FEINTED + feats.feints):
            if place == SURVIVED and not has(fight, attack.target, Effect.SURVIVAL):
                continue
            if place == Ends.LANDS:
                continue
            if not add_place(fight, feats, luck, place, table):
                return False
    return True


@part
def value_at(feats, luck, place, final, table):
    """What a position that may follow is worth."""
    end = feats.end[luck, place]
    if end >= 0:
        return final[end]
    return table.rows[find(feats.key[luck, place], table)].value


@routine
def landing_value(fight, feats, attack, luck, fixed, final, table):
    """What an attack that lands is worth to side 0, and what is done; ``fixed`` by policy."""
    law, rolled = feats.law, 0.0
    for outcome in range(OUTCOMES):
        if law[outcome] > 0:
            rolled += law[outcome] * value_at(feats, luck, WOUNDED + outcome, final, table)
    if law[OUTCOMES] > 0:
        rolled += law[OUTCOMES] * value_at(feats, luck, SURVIVED, final, table)
    best, chosen = rolled, np.int64(WOUND_ROLL)
    free = decides(fight, attack.striker, Decision.FEINT) == OPTIMAL
    for k in range(feats.feints):
        worth = value_at(feats, luck, FEINTED + k, final, table)
        if k == fixed or (free and is_better(attack.side, worth, best)):
            best, chosen = worth, np.int64(k)
    return best, chosen


@routine
def fixed_landing(fight, feats, turn, attack, option):
    """What a fixed policy does with an attack that lands: a feint, the first, or the roll."""
    i, j = attack.striker, attack.target
    if not has(fight, i, Effect.FEINT) or decides(fight, i, Decision.FEINT) == OPTIMAL:
        return np.int64(WOUND_ROLL)
    unpack(fight, feats, attack.key)
    begin_attack(fight, attack)
    committed = begin_defence(fight, feats, j, option)
    if fight.sustained[j] == 0:
        fight.defence[j] -= committed
    return np.int64(0) if feints(fight, turn, i, j) else np.int64(WOUND_ROLL)


@routine
def attack_value(fight, feats, turn, attack, option, final, table):
    """What a position is worth once an attack is declared and met so; chances stay in ``ends``."""
    sign = 1 - 2 * attack.side
    note_all(fight, feats, attack, option)
    clear(feats.worth, EXCHANGE_ENDS)
    find_law(fight, feats, turn, attack, option)
    fixed = fixed_landing(fight, feats, turn, attack, option)
    for luck in range(LUCKS):
        if not may_use(feats, attack, luck):
            continue
        best, chosen = landing_value(fight, feats, attack, luck, fixed, final, table)
        feats.landing[luck] = chosen
        feats.worth[exchange_end(Ends.LANDS, luck)] = sign * best
        for end in range(1, ENDS):
            worth = value_at(feats, luck, end, final, table)
            feats.worth[exchange_end(end, luck)] = sign * worth
    throw(fight, feats, turn, attack, option)
    return sign * product(feats.ends, feats.worth, EXCHANGE_ENDS)


@routine
def evaluate(fight, feats, turn, final, table):
    """Find what each position in the table is worth, and the decisions there."""
    for level in range(len(table.heads) - 1, -1, -1):
        place = table.heads[level]
        while place != NOBODY:
            row = table.rows[place]
            side = unpack(fight, feats, row.key)
            for pair in range(list_attacks(fight, feats, turn, side)):
                attack = attack_at(feats, row.key, side, pair)
                if attack.kind == Kind.DECLINED:
                    note_declined(fight, feats, row.key)
                    worth = value_at(feats, 0, 0, final, table)
                    if pair == 0 or is_better(side, worth, row.value):
                        row.value, row.pair, row.option = worth, pair, 0
                else:
                    evaluate_attack(fight, feats, turn, attack, pair, row, final, table)
                unpack(fight, feats, row.key)
            place = row.link


@routine
def evaluate_attack(fight, feats, turn, attack, pair, row, final, table):
    """Find the best way to meet an attack, and write it down if the attack is the best so far."""
    begin_attack(fight, attack)
    best, chosen = 0.0, 0
    for option in range(list_defences(fight, feats, attack.target)):
        worth = attack_value(fight, feats, turn, attack, option, final, table)
        if option == 0 or is_better(1 - attack.side, worth, best):
            best, chosen = worth, option
            copy(feats.ends, feats.best_ends, EXCHANGE_ENDS)
            copy(feats.landing, feats.best_landing, LUCKS)
    if pair == 0 or is_better(attack.side, best, row.value):
        row.value, row.pair, row.option = best, pair, chosen
        copy(feats.best_ends, row.ends, EXCHANGE_ENDS)
        copy(feats.best_landing, row.landing, LUCKS)


@routine
def spread(fight, feats, turn, solved, table, joint):
    """Move the masses of all positions to the ends of the combat; False: there is no room."""
    for level in range(len(table.heads)):
        place = table.heads[level]
        while place != NOBODY:
            row = table.rows[place]
            mass, place = row.mass, row.link
            row.mass = 0.0
            if mass == 0:
                continue
            side = unpack(fight, feats, row.key)
            list_attacks(fight, feats, turn, side)
            attack = attack_at(feats, row.key, side, np.int64(row.pair) if solved else 0)
            if attack.kind == Kind.DECLINED:
                note_declined(fight, feats, row.key)
                if not give(fight, feats, 0, 0, mass, table, joint):
                    return False
                continue
            begin_attack(fight, attack)
            list_defences(fight, feats, attack.target)
            option = np.int64(row.option) if solved else np.int64(0)
            note_all(fight, feats, attack, option)
            find_law(fight, feats, turn, attack, option)
            fixed = fixed_landing(fight, feats, turn, attack, option)
            if solved:
                copy(row.ends, feats.ends, EXCHANGE_ENDS)
            else:
                clear(feats.worth, EXCHANGE_ENDS)
                throw(fight, feats, turn, attack, option)
            for luck in range(LUCKS):
                lands = np.int64(row.landing[luck]) if solved else fixed
                if not give_all(fight, feats, luck, lands, mass, table, joint):
                    return False
    return True


@part
def give(fight, feats, luck, place, mass, table, joint):
    """Move mass to a position that follows; False: there is no room for it."""
    end = feats.end[luck, place]
    if end >= 0:
        joint[end] += mass
        return True
    after = feats.key[luck, place]
    to = add(fight, feats, after, level_of(fight, feats, after), table)
    if to == FULL:
        return False
    table.rows[to].mass += mass
    return True


@routine
def give_all(fight, feats, luck, lands, mass, table, joint):
    """Move mass to all that follows an attack after so much luck; False: there is no room."""
    for end in range(1, ENDS):
        share = feats.ends[exchange_end(end, luck)]
        if share > 0 and not give(fight, feats, luck, end, mass * share, table, joint):
            return False
    share = feats.ends[exchange_end(Ends.LANDS, luck)]
    if share == 0:
        return True
    if lands != WOUND_ROLL:
        return give(fight, feats, luck, FEINTED + lands, mass * share, table, joint)
    law = feats.law
    for outcome in range(OUTCOMES + 1):
        place = SURVIVED if outcome == OUTCOMES else WOUNDED + outcome
        if law[outcome] > 0 and not give(
            fight, feats, luck, place, mass * share * law[outcome], table, joint
        ):
            return False
    return True
