"""What happens to pieces, and the events that follow at once (stage D).

Events wait as sets of pieces until what caused them is done, then fire in the order D2, D3, D4b,
D4a, D4c; D1 and D6 happen with their cause. Whoever becomes routed by them makes nobody test (Q6).
"""

from .._jit import part, routine
from ..core.sets import NONE, bit, lowest, without_lowest
from ..layout.sheet import (
    NOBODY,
    OFF_MAP,
    Breath,
    Cohesion,
    Event,
    Faculty,
    Mark,
    Order,
    Reading,
    Trial,
)
from ..layout.situation import Plane
from .chance import fails_test, tell, wing_fails
from .relations import (
    adjacent_friends,
    by_of,
    enemies_of,
    enemy_units,
    is_present,
    is_troop,
    is_unit,
    to_of,
)

ALIVE, HIDDEN = int(Mark.ALIVE), int(Mark.HIDDEN)
PRESENT = int(Mark.ALIVE | Mark.ON_MAP)
ON_MAP = int(Mark.ON_MAP)
SIGHT = int(Plane.SIGHT)


# --- markers and levels ----------------------------------------------------------------------


@routine
def gain_mark(sheet, u, mark):
    """Put a marker on a piece; 0: none."""
    if mark & ~sheet.now.mark[u]:
        sheet.now.mark[u] |= mark
        tell(sheet, Event.MARK_GAINED, u, mark, 0)


@routine
def lose_mark(sheet, u, mark):
    """Take a marker from a piece."""
    if sheet.now.mark[u] & mark:
        sheet.now.mark[u] &= ~mark
        tell(sheet, Event.MARK_LOST, u, mark, 0)


@routine
def tire(sheet, u):
    """Take a level of breath; it saturates, or costs a level of cohesion (Q21)."""
    old = sheet.now.breath[u]
    if old < Breath.EXHAUSTED:
        sheet.now.breath[u] = old + 1
        tell(sheet, Event.BREATH, u, old, old + 1)
        return
    while sheet.readings[Reading.BREATH] and sheet.now.cohesion[u] < Cohesion.ROUTED:
        sheet.now.cohesion[u] += 1
        tell(sheet, Event.COHESION, u, sheet.now.cohesion[u] - 1, sheet.now.cohesion[u])
        if not sheet.hooked or not sheet.now.mark[u] & Mark.CHARGE:
            return
        lose_mark(sheet, u, Mark.CHARGE)  # D1a: one more level


@routine
def lose_charge(sheet, u):
    """Remove a Charge marker, at the price of a level of breath; no marker, no price."""
    if sheet.now.mark[u] & Mark.CHARGE:
        lose_mark(sheet, u, Mark.CHARGE)
        tire(sheet, u)


@routine
def set_cohesion(sheet, u, level):
    """Change a piece's level; whoever is shaken or worse charges no more (D1a)."""
    old = sheet.now.cohesion[u]
    if level == old:
        return
    sheet.now.cohesion[u] = level
    tell(sheet, Event.COHESION, u, old, level)
    if level > old and sheet.hooked:
        lose_charge(sheet, u)


@part
def lose_cohesion(sheet, u):
    """Lose one level, down to ROUTED."""
    set_cohesion(sheet, u, min(sheet.now.cohesion[u] + 1, Cohesion.ROUTED.value))


@routine
def rout_test(sheet, terrain, u):
    """Take a Rout test; whether the piece becomes routed."""
    if not fails_test(sheet, terrain, Trial.ROUT, u):
        return False
    set_cohesion(sheet, u, Cohesion.ROUTED.value)
    return True


# --- on and off the map ----------------------------------------------------------------------


@routine
def stand(sheet, terrain, u, at):
    """Put a piece into a hex."""
    sheet.now.at[u] = at
    if at >= 0:
        terrain.stood[at] |= bit(u)


@routine
def take_up(sheet, terrain, u):
    """Take a piece out of its hex."""
    at = sheet.now.at[u]
    if at >= 0:
        terrain.stood[at] &= ~bit(u)
    sheet.now.at[u] = OFF_MAP


@routine
def vacate(sheet, u):
    """A leader is gone without an event: his wing has none."""
    led = led_by(sheet, u)
    if led != NOBODY:
        sheet.now.leader[led] = NOBODY
        tell(sheet, Event.LEADER, led, NOBODY, 0)


@routine
def destroy(sheet, terrain, u):
    """Destroy a piece; its friends and its wing will test (D2, D4)."""
    tell(sheet, Event.DESTROYED, u, sheet.now.at[u], 0)
    sheet.now.mark[u] &= ~ALIVE
    if sheet.hooked and is_unit(sheet, u):
        sheet.destroyed |= bit(u)  # it leaves its hex when they have tested
    else:
        take_up(sheet, terrain, u)
        vacate(sheet, u)


@routine
def leave_map(sheet, terrain, u):
    """Leave the map; in rout, its wing will test (D4)."""
    tell(sheet, Event.LEFT, u, sheet.now.at[u], 0)
    sheet.now.mark[u] &= ~ON_MAP
    take_up(sheet, terrain, u)
    if sheet.hooked and sheet.now.cohesion[u] == Cohesion.ROUTED:
        sheet.left |= bit(u)
    else:
        vacate(sheet, u)


@routine
def remove_decoy(sheet, terrain, u):
    """Take a decoy off the map."""
    tell(sheet, Event.REMOVED, u, sheet.now.at[u], 0)
    sheet.now.mark[u] &= ~PRESENT
    take_up(sheet, terrain, u)


@routine
def reveal(sheet, u):
    """Remove a unit's Cache."""
    if sheet.now.mark[u] & Mark.HIDDEN:
        sheet.now.mark[u] &= ~HIDDEN
        tell(sheet, Event.REVEALED, u, 0, 0)


@routine
def spot(sheet, terrain, u):
    """Reveal what comes into sight since a piece has moved, the passive side's first (D6)."""
    at = sheet.now.at[u]
    if at < 0:
        return
    left = enemies_of(sheet, u) if is_unit(sheet, u) else NONE
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if sheet.now.at[e] < 0 or not terrain.pairs[SIGHT, at, sheet.now.at[e]]:
            continue
        if not is_unit(sheet, e):
            remove_decoy(sheet, terrain, e)
        else:
            reveal(sheet, e)
    decoy = not is_unit(sheet, u)
    if not decoy and not sheet.now.mark[u] & Mark.HIDDEN:
        return
    left = enemy_units(sheet, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if sheet.now.at[e] >= 0 and terrain.pairs[SIGHT, at, sheet.now.at[e]]:
            if decoy:
                remove_decoy(sheet, terrain, u)
            else:
                reveal(sheet, u)
            return


# --- flight ----------------------------------------------------------------------------------


@routine
def note_flight(sheet, terrain, u):
    """Note who may lose his head when a piece flees: before it goes (D3)."""
    if not sheet.hooked:
        return
    left = by_of(sheet, terrain, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        steady = sheet.now.cohesion[e] == Cohesion.GOOD
        rested = sheet.now.breath[e] != Breath.EXHAUSTED
        if steady and rested and to_of(sheet, terrain, e) == bit(u):
            sheet.undisciplined |= bit(e)


# --- what follows ----------------------------------------------------------------------------


@routine
def set_order(sheet, wing, order):
    """Give a wing an order."""
    if sheet.now.order[wing] != order:
        tell(sheet, Event.ORDER, wing, sheet.now.order[wing], order)
        sheet.now.order[wing] = order


@routine
def retreat_test(sheet, wing):
    """A wing's Retreat test (D4a, D4c)."""
    if wing_fails(sheet, Trial.RETREAT, wing):
        set_order(sheet, wing, Order.RETREAT.value)


@routine
def demoralisation_test(sheet, wing):
    """A wing's Demoralisation test, for the troop that it has just lost (D4b)."""
    sheet.now.lost[wing] += 1
    if wing_fails(sheet, Trial.DEMORALISATION, wing):
        sheet.now.demoralised[wing] = 1
        set_order(sheet, wing, Order.RETREAT.value)


@routine
def shake_friends(sheet, terrain, lost):
    """D2: the friends beside each destroyed Unit take a Rout test; who is routed does not."""
    while lost != NONE:
        u, lost = lowest(lost), without_lowest(lost)
        left = adjacent_friends(sheet, terrain, u)
        while left != NONE:
            k, left = lowest(left), without_lowest(left)
            if is_present(sheet, k) and sheet.now.cohesion[k] != Cohesion.ROUTED:
                rout_test(sheet, terrain, k)
        take_up(sheet, terrain, u)


@routine
def try_discipline(sheet, terrain, left):
    """D3: who fails charges after the one who fled."""
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if is_present(sheet, e) and fails_test(sheet, terrain, Trial.DISCIPLINE, e):
            gain_mark(sheet, e, Mark.CHARGE)


@routine
def led_by(sheet, u):
    """The wing that a piece leads; -1: none."""
    for wing in range(sheet.wings):
        if sheet.now.leader[wing] == u:
            return wing
    return NOBODY


@routine
def lose_leaders(sheet, gone):
    """D4a, D4c: the wings of lost leaders take a Retreat test, of a lost general all of a side."""
    left = gone
    while left != NONE:
        u, left = lowest(left), without_lowest(left)
        led = led_by(sheet, u)
        if led != NOBODY:
            tell(sheet, Event.LEADER, led, NOBODY, 0)
            retreat_test(sheet, led)
    left = gone
    while left != NONE:
        u, left = lowest(left), without_lowest(left)
        led = led_by(sheet, u)
        if sheet.now.faculty[u] & Faculty.CIC:
            for wing in range(sheet.wings):
                again = wing != led or sheet.readings[Reading.D4_DOUBLE]
                if sheet.wing_side[wing] == sheet.side[u] and again:
                    retreat_test(sheet, wing)
        if led != NOBODY:
            sheet.now.leader[led] = NOBODY


@routine
def resolve(sheet, terrain):
    """Fire the events that wait, and those that they cause."""
    while (sheet.destroyed | sheet.left | sheet.undisciplined) != NONE:
        lost, gone = sheet.destroyed, sheet.destroyed | sheet.left
        undisciplined = sheet.undisciplined
        sheet.destroyed = sheet.left = sheet.undisciplined = NONE
        shake_friends(sheet, terrain, lost)
        try_discipline(sheet, terrain, undisciplined)
        left = gone
        while left != NONE:
            u, left = lowest(left), without_lowest(left)
            if is_troop(sheet, u) and sheet.now.wing[u] >= 0:
                demoralisation_test(sheet, sheet.now.wing[u])
        lose_leaders(sheet, gone)


@routine
def watch_chargers(sheet, terrain, begins):
    """D1b: who charges and comes to engage an infiltrated enemy charges no more.

    ``begins``: whom they engage already is noted; else whom they engage besides costs the charge.
    """
    for u in range(sheet.n):
        if not sheet.now.mark[u] & Mark.CHARGE or not is_present(sheet, u):
            continue
        met = infiltrated_of(sheet, to_of(sheet, terrain, u))
        if not begins and (met & ~sheet.watched[u]) != NONE:
            lose_charge(sheet, u)
        sheet.watched[u] = met


@routine
def infiltrated_of(sheet, mask):
    """The pieces of a set that are infiltrated."""
    found = NONE
    while mask != NONE:
        e, mask = lowest(mask), without_lowest(mask)
        if sheet.now.faculty[e] & Faculty.INFILTRATED:
            found |= bit(e)
    return found
