"""Hexes in which an action may end: every way that its constraint leaves open (2, 3.5, D5).

A player's own way is one of them: `moves` takes it. Constraints "at the end" bind there,
the others at each step.
"""

from .._jit import kernel, part, routine
from ..core.rng import U64
from ..layout.sheet import FAR_AWAY, Deed, Tag
from ..layout.situation import Plane
from .events import stand, take_up
from .moves import WORST, cost_out, is_free, leaves, nearest_enemy, obeys, step_class, step_cost
from .run import begin

COST = int(Plane.COST)
ANYWHERE, TO_EDGE, AWAY, TO_ENEMY = range(4)  # where each step has to lead


@part
def way_of(sheet, u, deed, tag):
    """Where each step of an action has to lead."""
    if tag == Tag.TO_RETREAT_EDGE:
        return TO_EDGE
    if tag == Tag.AWAY_FROM_NEAREST_THREAT:
        return AWAY
    if deed == Deed.ATTACK_MOVE:
        return TO_ENEMY
    if deed == Deed.FLEE and tag != Tag.STAY_FAR:
        wing = sheet.now.wing[u]
        return TO_EDGE if wing >= 0 and sheet.retreat_edge[wing] >= 0 else AWAY
    return ANYWHERE if deed == Deed.MOVE else AWAY


@part
def binds_on_the_way(tag):
    """Whether a constraint holds at each step, not only at the end."""
    return tag != Tag.NOT_ENGAGED_AT_END and tag != Tag.CAN_FIRE_AT_END


@part
def put(sheet, terrain, u, there):
    """Put a piece into another hex."""
    take_up(sheet, terrain, u)
    stand(sheet, terrain, u, there)


@routine
def worth_of(sheet, terrain, u, there, way, goal, edge):
    """How well a step leads where it has to; 0: not at all."""
    here = sheet.now.at[u]
    if way == TO_EDGE:
        nearer = cost_out(sheet, terrain, u, edge, there) < cost_out(sheet, terrain, u, edge, here)
        return int(nearer)
    if way == AWAY:
        return WORST - step_class(sheet, terrain, u, there)
    if way == TO_ENEMY:
        costs = terrain.pairs[COST + 2 * sheet.mover[u]]
        return int(costs[there, goal] < costs[here, goal])
    return 1


@routine
def can_enter(sheet, terrain, u, there, tag, points):
    """Whether a piece may take a step, wherever it leads."""
    if there < 0 or not is_free(sheet, terrain, u, there):
        return False
    cost = step_cost(sheet, terrain, u, there)
    if cost >= FAR_AWAY or cost > points:
        return False
    return obeys(sheet, terrain, u, there, tag if binds_on_the_way(tag) else Tag.FREE.value)


@routine
def spread(sheet, terrain, u, deed, tag, left):
    """Go every way from where a piece stands; what is left in each hex that it comes to.

    Only the best steps are legal where they have to lead away (3.5).
    """
    way, flees = way_of(sheet, u, deed, tag), deed == Deed.FLEE
    goal, start, wing = 0, sheet.now.at[u], sheet.now.wing[u]
    edge = sheet.retreat_edge[wing] if wing >= 0 else -1
    if way == TO_ENEMY:
        target = nearest_enemy(sheet, terrain, u)
        if target < 0:
            return
        goal = sheet.now.at[target]
    if way == TO_EDGE and edge < 0:
        return
    changed = True
    while changed:
        changed = False
        for here in range(len(left)):
            if left[here] <= 0:
                continue
            put(sheet, terrain, u, here)
            points = FAR_AWAY - 1 if flees else left[here]
            best = 1
            for look in range(2):  # the best there is, then all that are as good
                for d in range(6):
                    there = terrain.hexes[here, d]
                    if not can_enter(sheet, terrain, u, there, tag, points):
                        continue
                    worth = worth_of(sheet, terrain, u, there, way, goal, edge)
                    if look == 0:
                        best = max(best, worth)
                        continue
                    cost = 1 if flees else step_cost(sheet, terrain, u, there)
                    if worth == best and left[here] - cost > left[there]:
                        left[there] = left[here] - cost
                        changed = True
    put(sheet, terrain, u, start)


@routine
def close(sheet, terrain, u, deed, tag, left):
    """Take out the hexes in which the action may not end; whether it may lead off the map."""
    start, wing, goes_off = sheet.now.at[u], sheet.now.wing[u], False
    edge = sheet.retreat_edge[wing] if wing >= 0 else -1
    way = way_of(sheet, u, deed, tag)
    off = Tag.TO_RETREAT_EDGE.value if way == TO_EDGE else int(tag)
    for here in range(len(left)):
        if left[here] < 0:
            continue
        put(sheet, terrain, u, here)
        if edge >= 0 and left[here] > 0:
            out = cost_out(sheet, terrain, u, edge, here)
            can_pay = deed == Deed.FLEE or out <= left[here]
            goes_off = goes_off or (can_pay and leaves(sheet, terrain, u, edge, off, out))
        put(sheet, terrain, u, start)
        if not binds_on_the_way(tag) and not obeys(sheet, terrain, u, here, tag):
            left[here] = -1
    return goes_off and way != ANYWHERE and way != TO_ENEMY


@kernel
def open_hexes(sheets, terrain, u, deed, tag, left):
    """Note in which hexes an action of a piece may end, as pieces stand at the beginning.

    ``left`` gets the movement points (or hexes of flight) left there, -1 where it may not end.
    Returns whether it may lead off the map, over the edge of its wing.
    """
    sheet = sheets[0]
    begin(sheet, terrain, U64(0))
    left[:] = -1
    left[sheet.now.at[u]] = sheet.flee_hexes if deed == Deed.FLEE else sheet.allowance[u]
    spread(sheet, terrain, u, deed, tag, left)
    return close(sheet, terrain, u, deed, tag, left)
