"""Runs of the sheet for Python: one activation told, many trials counted, losses of a wing."""

from estoc.kernels._jit import kernel
from estoc.kernels.rng import U64
from estoc.kernels.sheet import activate, begin, play_turn
from estoc.kernels.sheet_codes import Cohesion, End, Mark, Order
from estoc.kernels.sheet_deeds import feasible_deeds
from estoc.kernels.sheet_events import destroy, resolve
from estoc.kernels.sheet_facts import facts_of, follows, is_present, is_troop

PRESENT = int(Mark.ALIVE | Mark.ON_MAP)


@kernel
def state_facts(sheets, terrain, u):
    """The word of facts and the feasible deeds of a piece at the beginning.

    Parameters
    ----------
    sheets : ndarray of SHEET, shape (1,)
    terrain : HexMap
    u : int
    """
    sheet = sheets[0]
    begin(sheet, terrain, U64(0))
    return facts_of(sheet, terrain, u, 1), feasible_deeds(sheet, terrain, u)


@kernel
def play_activations(sheets, terrain, table, pieces, trial):
    """Activate some pieces one after the other, in one trial from the beginning.

    Parameters
    ----------
    sheets : ndarray of SHEET, shape (1,)
        Its state, log, tape and last selection are overwritten.
    terrain : HexMap
    table : ClauseTable
    pieces : ndarray of int64
    trial : int
    """
    sheet = sheets[0]
    begin(sheet, terrain, U64(trial))
    for u in pieces:
        if is_present(sheet, u):
            activate(sheet, terrain, table, u)


@kernel
def play_sheet(sheets, terrain, table, first, trials, ends, routed, gone, orders, sizes, lost):
    """Play whole turns and count what came of them.

    Parameters
    ----------
    sheets : ndarray of SHEET, shape (1,)
        Its state is overwritten, so threads need one each; and so has ``terrain``.
    terrain : HexMap
    table : ClauseTable
    first, trials : int
    ends : ndarray of int64, shape (pieces, ENDS)
        Activations by piece and by cause of loss.
    routed, gone : ndarray of int64, shape (pieces,)
        Trials at the end of which a piece is routed, or off the map in rout; is not on it.
    orders : ndarray of int64, shape (wings, 4)
        Orders at the end.
    sizes : ndarray of int64, shape (MAX_SIDES, pieces + 1)
        Trials by number of a side's pieces that are routed or left in rout.
    lost : ndarray of int64, shape (MAX_SIDES, turns * pieces + 1)
        Trials by number of a side's activations lost.
    """
    sheet = sheets[0]
    for trial in range(first, first + trials):
        begin(sheet, terrain, U64(trial))
        wasted = sheet.wasted
        wasted[:] = 0
        for _ in range(sheet.turns):
            play_turn(sheet, terrain, table)
            for u in range(sheet.pieces):
                cause = sheet.end[u]
                ends[u, cause] += 1
                wasted[sheet.side[u]] += int(cause != End.USED)
        fled = sheet.fled
        fled[:] = 0
        for u in range(sheet.pieces):
            is_routed = sheet.now.cohesion[u] == Cohesion.ROUTED
            routed[u] += int(is_routed)
            gone[u] += int(not is_present(sheet, u))
            fled[sheet.side[u]] += int(is_routed)
        for side in range(len(fled)):
            sizes[side, fled[side]] += 1
            lost[side, wasted[side]] += 1
        for wing in range(sheet.wings):
            orders[wing, sheet.now.order[wing]] += 1


@kernel
def lose_pieces(sheets, terrain, victims, wing, first, trials, attacks, bound):
    """Destroy pieces one after the other; what their wing's order is after each (D4).

    Parameters
    ----------
    sheets : ndarray of SHEET, shape (1,)
    terrain : HexMap
    victims : ndarray of int64
        The leader first, say.
    wing : int
    first, trials : int
    attacks : ndarray of int64, shape (victims,)
        Trials in which the wing's order is ATTACK after each.
    bound : ndarray of int64, shape (victims, pieces + 1)
        Trials by number of its Troops that follow ATTACK after each, chargers included (A4).
    """
    sheet = sheets[0]
    for trial in range(first, first + trials):
        begin(sheet, terrain, U64(trial))
        for k in range(len(victims)):
            if is_present(sheet, victims[k]):
                destroy(sheet, terrain, victims[k])
                resolve(sheet, terrain)
            attacks[k] += int(sheet.now.order[wing] == Order.ATTACK)
            count = 0
            for u in range(sheet.pieces):
                own = sheet.now.wing[u] == wing and is_troop(sheet, u) and is_present(sheet, u)
                fit = own and sheet.now.cohesion[u] != Cohesion.ROUTED
                count += int(fit and follows(sheet, u) == Order.ATTACK)
            bound[k, count] += 1
