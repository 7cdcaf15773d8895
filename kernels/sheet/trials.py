"""Runs of the sheet: losses, some activations, whole turns; logged, or counted over many trials.

Python calls `play_sheet` alone, so that the sheet is compiled once.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part, routine
from ..core.rng import U64
from ..core.sets import NONE
from ..layout.sheet import (
    ENDS,
    FROZEN,
    MAX_SIDES,
    NOBODY,
    Cohesion,
    Deed,
    End,
    Mark,
    Order,
    Reading,
    Tag,
)
from .deeds import flee
from .events import destroy, leave_map, lose_charge, resolve, set_cohesion
from .facts import follows
from .relations import is_present, is_troop
from .run import activate, begin, finish, permit_deeds, play_turn, start

U32 = np.uint32
Ints = NDArray[np.int64]


class What(IntEnum):
    """What is run from the beginning of each trial, with some pieces."""

    SELECT = 0  # the clause table of each, as the pieces stand: the last one's is left
    ACTIVATE = 1  # each is activated, in that order
    LOSE = 2  # each is destroyed, in that order
    TURNS = 3  # whole turns; the pieces are not asked for
    START = 4  # stage S of each, then the clause table; no action
    FLEE = 5  # each flees, and its enemies may lose their heads (D3)
    LEAVE = 6  # each leaves the map (D4)
    SHAKE = 7  # each is shaken, if it was in good order (D1a)
    ROUT = 8  # each becomes routed (D1a)
    DISCHARGE = 9  # each loses its Charge marker
    FINISH = 10  # stage E of each, as if it had taken no action


class SheetCounts(NamedTuple):
    """What comes of trials, added up."""

    ends: Ints  # (pieces, ENDS): activations by cause of loss
    routed: Ints  # (pieces,): trials that end with the piece in rout, on the map or off it
    gone: Ints  # (pieces,): and not on the map
    orders: Ints  # (wings, 5): trials by order at the end
    sizes: Ints  # (MAX_SIDES, pieces + 1): trials by a side's pieces in rout, or left so
    # (MAX_SIDES, ENDS, turns * pieces + 1): trials by a side's activations lost to each cause;
    # to any, in place of USED
    lost: Ints
    attacks: Ints  # (pieces + 1, 2): after each loss, trials with another order, with ATTACK
    bound: Ints  # (pieces + 1, pieces + 1): and by troops that follow ATTACK, chargers too (A4)

    @classmethod
    def none(cls, sheets: NDArray[np.void]) -> "SheetCounts":
        """Return counts of no trial."""
        n, wings, turns = (int(sheets[name][0]) for name in ("pieces", "wings", "turns"))
        shapes = (
            *((n, ENDS), (n,), (n,), (wings, len(Order)), (MAX_SIDES, n + 1)),
            *((MAX_SIDES, ENDS, turns * n + 1), (n + 1, 2), (n + 1, n + 1)),
        )
        return cls(*(np.zeros(shape, np.int64) for shape in shapes))

    def add(self, other: "SheetCounts") -> None:
        """Add the counts of other trials."""
        for own, more in zip(self, other, strict=True):
            own += more


@routine
def lose_piece(sheet, terrain, wing, u, k, attacks, bound):
    """Destroy a piece; how its wing stands afterwards."""
    if is_present(sheet, u):
        destroy(sheet, terrain, u)
        resolve(sheet, terrain)
    attacks[k, int(sheet.now.order[wing] == Order.ATTACK)] += 1
    count = 0
    for i in range(sheet.pieces):
        own = sheet.now.wing[i] == wing and is_troop(sheet, i) and is_present(sheet, i)
        fit = own and sheet.now.cohesion[i] != Cohesion.ROUTED
        count += int(fit and follows(sheet, i) == Order.ATTACK)
    bound[k, count] += 1


@routine
def play_turns(sheet, terrain, table, ends, lost):
    """Play whole turns; which activations were lost."""
    wasted = sheet.wasted
    wasted[:, :] = 0
    for turn in range(sheet.turns):
        play_turn(sheet, terrain, table, turn)
        for u in range(sheet.pieces):
            cause = sheet.end[u]
            if cause >= 0:
                ends[u, cause] += 1
                wasted[sheet.side[u], cause] += int(cause != End.USED)
                wasted[sheet.side[u], End.USED] += int(cause != End.USED)
    for side in range(len(wasted)):
        for cause in range(len(wasted[0])):
            lost[side, cause, wasted[side, cause]] += 1


@routine
def start_only(sheet, terrain, table, u):
    """Stage S, and what may be chosen after it; ``closing`` is FROZEN, or NOBODY: no selection."""
    sheet.closing, sheet.permitted, sheet.trace = NOBODY, U32(0), NONE
    sheet.hooked = 1 - sheet.readings[Reading.HOOKS]
    goes_on = start(sheet, terrain, table, u)
    if sheet.frozen:
        sheet.closing = FROZEN
    elif goes_on:
        permit_deeds(sheet, terrain, table, u)


@routine
def happen(sheet, terrain, what, u):
    """Let one thing happen to a piece, and what follows of it (stages D, E)."""
    if not is_present(sheet, u):
        return
    level = sheet.now.cohesion[u]
    if what == What.FLEE:
        flee(sheet, terrain, u, Tag.FREE.value)
    elif what == What.LEAVE:
        leave_map(sheet, terrain, u)
    elif what == What.SHAKE:
        set_cohesion(sheet, u, max(level, Cohesion.SHAKEN.value))
    elif what == What.ROUT:
        set_cohesion(sheet, u, Cohesion.ROUTED.value)
    elif what == What.DISCHARGE:
        lose_charge(sheet, u)
    else:
        sheet.chosen = Deed.NONE.value
        finish(sheet, terrain, u)
    resolve(sheet, terrain)


@part
def count_end(sheet, counts):
    """Count how pieces and wings stand at the end of a trial."""
    fled = sheet.fled
    fled[:] = 0
    for u in range(sheet.pieces):
        alive = (sheet.now.mark[u] & Mark.ALIVE) != 0
        is_routed = int(alive and sheet.now.cohesion[u] == Cohesion.ROUTED)
        counts.routed[u] += is_routed
        counts.gone[u] += int(not is_present(sheet, u))
        fled[sheet.side[u]] += is_routed
    for side in range(len(fled)):
        counts.sizes[side, fled[side]] += 1
    for wing in range(sheet.wings):
        counts.orders[wing, sheet.now.order[wing]] += 1


@kernel
def play_sheet(sheets, terrain, table, what, pieces, first, trials, wing, counts):
    """Run some trials, 0 to 2**48 - 1, and add what came of them to counts.

    State, log, tape and last selection of ``sheets`` are overwritten, and ``terrain.stood``:
    threads need their own. ``wing`` is whose order and troops count as it loses pieces.
    """
    sheet = sheets[0]
    for trial in range(first, first + trials):
        begin(sheet, terrain, U64(trial))
        if what == What.TURNS:
            play_turns(sheet, terrain, table, counts.ends, counts.lost)
        for k in range(len(pieces)):
            u = pieces[k]
            if what == What.LOSE:
                lose_piece(sheet, terrain, wing, u, k, counts.attacks, counts.bound)
            elif what == What.SELECT:
                permit_deeds(sheet, terrain, table, u)
            elif what == What.START:
                start_only(sheet, terrain, table, u)
            elif what >= What.FLEE:
                happen(sheet, terrain, what, u)
            elif is_present(sheet, u):
                activate(sheet, terrain, table, u)
        count_end(sheet, counts)
