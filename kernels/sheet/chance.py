"""Chances of the sheet: rolled from words by address, or read from a tape (8.2)."""

import numpy as np

from .._jit import part, routine
from ..core.rng import HALF, LOW, U64, philox
from ..core.sets import NONE, bit
from ..layout.sheet import (
    MAX_LOG,
    MAX_OUTCOMES,
    MAX_TAPE,
    NOBODY,
    Breath,
    Cohesion,
    Event,
    Modifier,
    Trial,
)
from .relations import beside, by_of, faces, is_present


@routine
def tell(sheet, event, piece, a, b):
    """Add a row to the log of a run that is logged."""
    if sheet.telling and sheet.logged < MAX_LOG:
        row = sheet.log[sheet.logged]
        row[0], row[1], row[2], row[3] = event, piece, a, b
        sheet.logged += 1


@part
def below(sheet, of):
    """A number below ``of``, all as likely but for ``of`` / 2**32."""
    place = sheet.drawn & 3
    if place == 0:
        trial, address = sheet.trial, U64(sheet.drawn >> 2)
        words = philox(
            trial & LOW, trial >> HALF, sheet.cell, address, sheet.seed & LOW, sheet.seed >> HALF
        )
        for k in range(4):
            sheet.words[k] = words[k]
    return (sheet.words[place] * U64(of)) >> HALF


@routine
def fails_in(sheet, ways, of):
    """Whether something fails that fails in so many ways of all."""
    if not sheet.taped:
        failed = below(sheet, of) < U64(ways)
        sheet.drawn += 1
        return failed
    k = sheet.drawn
    if k < MAX_TAPE:
        sheet.tape_options[k], sheet.tape_of[k] = 2, of
        sheet.tape_ways[k] = of - ways if sheet.tape[k] == 0 else ways
    sheet.drawn += 1
    return k < MAX_TAPE and sheet.tape[k] == 1


@routine
def outcome_of(sheet, table):
    """A row of an outcome table."""
    weights, total = sheet.outcome_weight[table], 0
    for row in range(MAX_OUTCOMES):
        total += weights[row]
    k, row = sheet.drawn, 0
    if sheet.taped:
        if k < MAX_TAPE:
            row = sheet.tape[k]
            sheet.tape_options[k], sheet.tape_of[k] = MAX_OUTCOMES, total
            sheet.tape_ways[k] = weights[row]
    else:
        left = np.int64(below(sheet, total))
        while left >= weights[row]:
            left -= weights[row]
            row += 1
    sheet.drawn += 1
    return row


@routine
def pick_of(sheet, count):
    """One of so many, all as likely."""
    k, chosen = sheet.drawn, np.int64(0)
    if sheet.taped:
        if k < MAX_TAPE:
            chosen = sheet.tape[k]
            sheet.tape_options[k], sheet.tape_of[k], sheet.tape_ways[k] = count, count, 1
    else:
        chosen = np.int64(below(sheet, count))
    sheet.drawn += 1
    return chosen


@routine
def modifiers(sheet, terrain, u):
    """What shifts a piece's tests (6)."""
    total, now = 0, sheet.now
    if now.cohesion[u] == Cohesion.SHAKEN:
        total += sheet.modifier[Modifier.SHAKEN]
    if now.breath[u] == Breath.EXHAUSTED:
        total += sheet.modifier[Modifier.EXHAUSTED]
    if sheet.modifier[Modifier.LEADER_NEAR] != 0 and has_leader_near(sheet, terrain, u):
        total += sheet.modifier[Modifier.LEADER_NEAR]
    behind = sheet.modifier[Modifier.ENGAGED_NOT_FACING]
    if behind != 0 and by_of(sheet, terrain, u) != NONE and not faces(sheet, terrain, u):
        total += behind
    return total


@routine
def has_leader_near(sheet, terrain, u):
    """Whether the leader of a piece's wing is another one in its hex or beside it."""
    now, wing = sheet.now, sheet.now.wing[u]
    leader = now.leader[wing] if wing >= 0 else NOBODY
    if leader < 0 or leader == u or now.at[u] < 0 or not is_present(sheet, leader):
        return False
    return now.at[leader] == now.at[u] or (beside(sheet, terrain, u) & bit(leader)) != NONE


@routine
def fails_test(sheet, terrain, trial, u):
    """Take a test; whether it is failed. S1c and S1d: Morale has no modifiers."""
    total = modifiers(sheet, terrain, u) if sheet.modified[trial] else 0
    ways = sheet.fails[trial, sheet.morale[u], total - sheet.least]
    failed = fails_in(sheet, ways, sheet.ways)
    tell(sheet, Event.TEST, u, trial, int(failed))
    return failed


@routine
def wing_fails(sheet, trial, wing):
    """Take a wing's Retreat or Demoralisation test; whether it is failed."""
    ways = sheet.retreat_fails
    if trial == Trial.DEMORALISATION:
        ways = sheet.demoralised_fails[min(sheet.now.lost[wing], len(sheet.demoralised_fails) - 1)]
    failed = fails_in(sheet, ways, sheet.ways)
    tell(sheet, Event.WING_TEST, wing, trial, int(failed))
    return failed
