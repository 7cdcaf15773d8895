"""The sheet run: an activation from its start to its end, and whole turns (2, stages S, A, E)."""

import numpy as np

from .._jit import part, routine
from ..core.sets import NONE, bit
from ..layout.sheet import (
    ALL_DEEDS,
    FROZEN,
    MAX_PIECES,
    NOBODY,
    TAGS,
    Cohesion,
    Deed,
    End,
    Event,
    Faculty,
    Kind,
    Mark,
    Reading,
    Style,
)
from ..layout.situation import HexColumn
from .chance import pick_of, tell
from .deeds import feasible_deeds, perform
from .events import (
    destroy,
    gain_mark,
    lose_charge,
    lose_mark,
    remove_decoy,
    resolve,
    reveal,
    stand,
    watch_chargers,
)
from .facts import facts_of, fresh_of
from .nerve import catch_rout, frighten, panic
from .relations import by_of, can_reach_any, is_present, is_seen_at, is_unit
from .select import NO_DEEDS, select, select_both

U32 = np.uint32
ACTIVE, HIDDEN = int(Mark.ACTIVE), int(Mark.HIDDEN)
PRESENT = int(Mark.ALIVE | Mark.ON_MAP)
# markers that a decoy shows too
COPIED = int(Mark.CHARGE | Mark.CONTACT | Mark.SPECIAL | Mark.AMMO_OUT)
SAFE = int(Faculty.FIREPROOF | Faculty.FLYING | Faculty.INFILTRATED)
SPELLS = 1 << Deed.SPELL_CHOOSE | 1 << Deed.SPELL_CAST
BURNING = int(HexColumn.BURNING)


# --- S: the start of the activation ------------------------------------------------------------


@routine
def place_decoy(sheet, terrain, u):
    """S4b: put a decoy on top of a hidden piece or a decoy, with its markers."""
    d = sheet.n
    sheet.n += 1
    now = sheet.now
    sheet.side[d], sheet.morale[d] = sheet.side[u], sheet.morale[u]
    sheet.mover[d], sheet.allowance[d] = sheet.mover[u], sheet.allowance[u]
    sheet.fire_range[d] = 0
    sheet.given_facts[d, :] = -1
    sheet.feasible[d] = ALL_DEEDS
    now.kind[d], now.cohesion[d], now.breath[d] = Kind.DECOY, now.cohesion[u], now.breath[u]
    now.steps[d], now.wing[d], now.facing[d] = 1, now.wing[u], now.facing[u]
    now.mark[d] = PRESENT | HIDDEN | (now.mark[u] & COPIED)
    now.faculty[d] = now.formation_mode[d] = 0
    stand(sheet, terrain, d, now.at[u])
    sheet.decoys_left[sheet.side[u]] -= 1
    tell(sheet, Event.PLACED, d, u, 0)


@routine
def hide(sheet, terrain, u):
    """S4a: a Unit out of the enemy's sight may be hidden."""
    unseen = not is_seen_at(sheet, terrain, u, sheet.now.at[u], 1)
    ordered = is_unit(sheet, u) and sheet.now.cohesion[u] != Cohesion.ROUTED
    if sheet.hides[sheet.side[u]] and ordered and unseen and sheet.now.at[u] >= 0:
        gain_mark(sheet, u, Mark.HIDDEN)


@routine
def play_decoys(sheet, terrain, table, u):
    """S4b: place a decoy; one that is laid on top is played first.

    Who runs stage S places another one (Q12).
    """
    side, first = sheet.side[u], sheet.n
    while sheet.decoys_left[side] > 0 and sheet.n < MAX_PIECES:
        place_decoy(sheet, terrain, u)
        if not sheet.readings[Reading.DECOY_RUNS_START]:
            break
    if not sheet.decoys_under[side]:
        for decoy in range(sheet.n - 1, first - 1, -1):
            act(sheet, terrain, table, decoy)
            finish(sheet, terrain, decoy)


@routine
def veil(sheet, terrain, table, u):
    """S4, S5: hide, place a decoy, reveal; whether the piece goes on."""
    side = sheet.side[u]
    if not sheet.now.mark[u] & Mark.HIDDEN and is_unit(sheet, u):
        hide(sheet, terrain, u)
    covered = sheet.now.mark[u] & Mark.HIDDEN or not is_unit(sheet, u)
    if covered and sheet.now.at[u] >= 0:
        play_decoys(sheet, terrain, table, u)
    if covered and sheet.reveals[side]:
        if not is_unit(sheet, u):
            remove_decoy(sheet, terrain, u)
            return False
        reveal(sheet, u)
    return True


@routine
def start(sheet, terrain, table, u):
    """Stage S; whether the piece goes on to select an action."""
    unit = is_unit(sheet, u)
    was_routed = sheet.now.cohesion[u] == Cohesion.ROUTED
    was_met = fresh_of(sheet, by_of(sheet, terrain, u)) != NONE
    if unit:
        catch_rout(sheet, terrain, u)
        frighten(sheet, terrain, u)
    resolve(sheet, terrain)
    sheet.frozen = 0
    if not is_present(sheet, u):
        return False
    routed, met = sheet.now.cohesion[u] == Cohesion.ROUTED, was_met
    if sheet.readings[Reading.START]:
        routed = was_routed
    elif was_met:  # a fresh engager that frightened may have lost its marker
        met = fresh_of(sheet, by_of(sheet, terrain, u)) != NONE
    if unit and not routed and met and panic(sheet, terrain, u):
        sheet.frozen = 1
        if sheet.readings[Reading.S2C_SKIPS_END]:
            return True
    lose_mark(sheet, u, Mark.CONTACT)
    return veil(sheet, terrain, table, u)


# --- A: the action -----------------------------------------------------------------------------


@routine
def choose(sheet, u, permitted):
    """The action that a piece's player takes of those permitted."""
    side, best, chosen, count = sheet.side[u], -1, Deed.NONE.value, 0
    for deed in range(len(sheet.rank[0])):
        if (permitted >> U32(deed)) & U32(1) == NO_DEEDS:
            continue
        count += 1
        if sheet.rank[side, deed] > best:
            best, chosen = sheet.rank[side, deed], deed
    if sheet.style[side] != Style.RANDOM or count < 2:
        return chosen
    left = pick_of(sheet, count)
    for deed in range(len(sheet.rank[0])):
        if (permitted >> U32(deed)) & U32(1) != NO_DEEDS:
            if left == 0:
                return deed
            left -= 1
    return chosen


@routine
def permit_deeds(sheet, terrain, table, u):
    """Run the clause table for a piece; what it says stands in the record."""
    sheet.facts = facts_of(sheet, terrain, u, sheet.telling)
    sheet.able = feasible_deeds(sheet, terrain, u)
    facts, feasible = sheet.facts, U32(sheet.able)
    first_only = sheet.readings[Reading.MODE]
    if sheet.readings[Reading.SPECIAL] == 1:
        found = select_both(table, facts, feasible, first_only, sheet.tags, sheet.other_tags)
    else:
        found = select(table, facts, feasible, first_only, sheet.tags)
    sheet.permitted, sheet.closing, sheet.trace = found


@part
def tag_of(sheet, deed):
    """The constraint that a permitted action carries."""
    for tag in range(1, TAGS):
        if (sheet.tags[tag] >> U32(deed)) & U32(1) != NO_DEEDS:
            return tag
    return 0


@routine
def why_lost(sheet, u):
    """Why an activation is lost: nothing that its player wants is permitted (8, question 3)."""
    if sheet.frozen:
        return End.FROZEN.value
    if np.int64(sheet.permitted) & sheet.wanted[sheet.side[u]] != 0:
        return End.USED.value
    closing = sheet.closing
    if closing == 1:
        return End.ROUT.value
    if closing == 3:
        return End.FACING.value
    if closing == 6:
        return End.RETREAT.value
    return End.HOLE.value if closing == 0 else End.OTHER.value


@routine
def act(sheet, terrain, table, u):
    """Stage A and the action, with the events that follow."""
    permit_deeds(sheet, terrain, table, u)
    sheet.chosen = choose(sheet, u, sheet.permitted)
    sheet.end[u] = why_lost(sheet, u)
    tell(sheet, Event.CHOSEN, u, sheet.chosen, sheet.closing)
    sheet.hooked = 1
    watch_chargers(sheet, terrain, 1)
    perform(sheet, terrain, u, sheet.chosen, tag_of(sheet, sheet.chosen))
    watch_chargers(sheet, terrain, 0)
    resolve(sheet, terrain)
    sheet.hooked = 1 - sheet.readings[Reading.HOOKS]


# --- E: the end --------------------------------------------------------------------------------


@routine
def finish(sheet, terrain, u):
    """Stage E, of a piece that is still there."""
    if not is_present(sheet, u):
        return
    now = sheet.now
    free = by_of(sheet, terrain, u) == NONE
    if now.mark[u] & Mark.CHARGE and free and not can_reach_any(sheet, terrain, u):
        lose_charge(sheet, u)
    if now.kind[u] == Kind.CHARACTER and not (SPELLS >> sheet.chosen) & 1:
        lose_mark(sheet, u, Mark.SPELL)
    burnt = now.at[u] >= 0 and terrain.hexes[now.at[u], BURNING] and is_unit(sheet, u)
    if burnt and not now.faculty[u] & SAFE:
        destroy(sheet, terrain, u)
        watch_chargers(sheet, terrain, 0)
        resolve(sheet, terrain)
    lose_mark(sheet, u, Mark.SPECIAL)
    if now.mark[u] & Mark.ALIVE:
        now.mark[u] |= ACTIVE


@routine
def activate(sheet, terrain, table, u):
    """Activate a piece from stage S to stage E."""
    sheet.hooked = 1 - sheet.readings[Reading.HOOKS]
    sheet.chosen = Deed.NONE.value
    sheet.end[u] = End.USED.value
    first = sheet.n
    if not start(sheet, terrain, table, u):
        return
    if sheet.frozen:
        sheet.end[u] = End.FROZEN.value
        sheet.chosen = Deed.NONE.value
        tell(sheet, Event.CHOSEN, u, Deed.NONE, FROZEN)
        if sheet.readings[Reading.S2C_SKIPS_END]:
            sheet.now.mark[u] |= ACTIVE
            return
    else:
        act(sheet, terrain, table, u)
    finish(sheet, terrain, u)
    for decoy in range(first, sheet.n):
        if is_present(sheet, decoy) and not sheet.now.mark[decoy] & ACTIVE:  # it lies below (S4b)
            act(sheet, terrain, table, decoy)
            finish(sheet, terrain, decoy)


# --- turns -------------------------------------------------------------------------------------


@routine
def copy_state(begin, now):
    """Begin again."""
    for k in range(MAX_PIECES):
        now.kind[k], now.cohesion[k], now.breath[k] = (
            begin.kind[k],
            begin.cohesion[k],
            begin.breath[k],
        )
        now.steps[k], now.mark[k], now.faculty[k] = begin.steps[k], begin.mark[k], begin.faculty[k]
        now.wing[k], now.at[k], now.facing[k] = begin.wing[k], begin.at[k], begin.facing[k]
        now.formation_mode[k] = begin.formation_mode[k]
    for k in range(len(now.order)):
        now.order[k], now.leader[k], now.lost[k] = begin.order[k], begin.leader[k], begin.lost[k]
        now.demoralised[k] = begin.demoralised[k]


@routine
def begin(sheet, terrain, trial):
    """Set up a trial."""
    copy_state(sheet.begin, sheet.now)
    sheet.n, sheet.trial, sheet.drawn, sheet.logged = sheet.pieces, trial, 0, 0
    sheet.destroyed = sheet.left = sheet.undisciplined = NONE
    sheet.hooked = 1
    terrain.stood[:] = NONE
    for k in range(len(sheet.decoys_left)):
        sheet.decoys_left[k] = sheet.decoys[k]
    for u in range(sheet.n):
        sheet.to[u] = sheet.given_to[u]
        if sheet.now.at[u] >= 0 and is_present(sheet, u):
            terrain.stood[sheet.now.at[u]] |= bit(u)


@routine
def play_turn(sheet, terrain, table, turn):
    """Activate every piece once, in the sequence; decoys placed meanwhile have acted.

    In the first turn, those whom the situation says to be active have acted.
    """
    for u in range(sheet.n):
        if turn > 0:
            sheet.now.mark[u] &= ~ACTIVE
        sheet.end[u] = NOBODY
    for k in range(sheet.pieces):
        u = sheet.sequence[k]
        if is_present(sheet, u) and not sheet.now.mark[u] & Mark.ACTIVE:
            activate(sheet, terrain, table, u)
    for u in range(sheet.pieces, sheet.n):
        if is_present(sheet, u) and not sheet.now.mark[u] & Mark.ACTIVE:
            activate(sheet, terrain, table, u)
