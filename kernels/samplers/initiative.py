"""The Initiative test of many trials side by side: who strikes first in each lane (C-4)."""

import numpy as np

from .._jit import part, routine
from ..combat.initiative import initiative
from ..combat.placing import place_anew
from ..core.lanes import lane_at, set_lane, table_at
from ..core.rng import HALF, U64, fill, initiative_address
from ..layout.combat import Moment, Rule, Tie
from .lanes import (
    FOUND,
    I32,
    LANES,
    LIST,
    STEP,
    TRIAL,
    U32,
    WORDS,
    code_of,
    die_of,
    make_words,
    most_found,
    whole,
)
from .plan import AGAIN, CODES, COIN
from .rows import PLACES, TABLE, set_up

ROLL_OFFS_IN_LANES = 8


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
    """Let `combat.initiative` settle the lanes that are open still."""
    for i in range(lanes):
        if buffer[FOUND + i] >= U32(AGAIN):
            trial = high << HALF | U64(buffer[TRIAL + i])
            first = settle(fight, able, turn, trial, keys[buffer[STEP + i] & U32(PLACES)])
            buffer[FOUND + i] = U32(first)


@routine
def decide_first(fight, able, buffer, again, lanes, turn, high, plan):
    """Let both sides test their Initiative in each lane; how often the lone fighter is first."""
    cell, seed, mirror, winners = fight.cell, fight.seed, U32(fight.mirror), plan.winners
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
        settle_rest(fight, able, buffer, lanes, turn, high, plan.keys)
    others = U32(0)
    for i in range(lanes):
        others = U32(others + lane_at(buffer, FOUND + i))
    return lanes - others
