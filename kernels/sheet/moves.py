"""Moves over the map: hex by hex, each step the best that is legal (A6c, 3.5; the rest assumed).

A piece goes towards a target, away from threats, towards its wing's edge, or nowhere; tags of
constraints forbid hexes. What an ordinary Movement is for is the player's: here it goes up to the
enemy and stops short of engagement.
"""

from .._jit import part, routine
from ..core.sets import NONE, bit, lowest, without_lowest
from ..layout.sheet import EDGES, FAR_AWAY, Cohesion, Event, Order, Tag
from ..layout.situation import HexColumn, Plane
from .chance import tell
from .events import gain_mark, leave_map, spot, stand, take_up, watch_chargers
from .facts import follows
from .relations import (
    by_of,
    can_fire_at,
    enemies_of,
    enemy_units,
    is_far_at,
    is_present,
    is_seen_at,
    is_troop,
    is_unit,
    to_of,
)

MOST_STEPS = 64
EDGE = int(HexColumn.EDGE)
WORST = 4  # class of a step that goes nearer to every nearest threat (3.5)
COST = int(Plane.COST)
CONTACT = int(Plane.CONTACT)


@routine
def is_free(sheet, terrain, u, there):
    """Whether a piece may enter a hex: no enemy, room for a Troop among its friends."""
    troops, left = 0, terrain.stood[there] & ~bit(u)
    while left != NONE:
        k, left = lowest(left), without_lowest(left)
        if not is_present(sheet, k):  # destroyed, and its friends have not tested yet
            continue
        if sheet.side[k] != sheet.side[u]:
            return False
        troops += int(is_troop(sheet, k))
    return not is_troop(sheet, u) or troops < sheet.stack_limit


@routine
def obeys(sheet, terrain, u, there, tag):
    """Whether a constraint lets a piece end in a hex; decoys never come into sight (D5)."""
    if not is_unit(sheet, u) and is_seen_at(sheet, terrain, u, there, 1):
        return False
    if tag == Tag.STAY_FAR:
        return is_far_at(sheet, terrain, u, there)
    if tag == Tag.CAN_FIRE_AT_END:
        return can_fire_at(sheet, terrain, u, there)
    if tag == Tag.NOT_ENGAGED_AT_END or tag == Tag.NO_ENGAGE:
        return not is_met_at(sheet, terrain, u, there, tag == Tag.NO_ENGAGE)
    return True


@routine
def is_met_at(sheet, terrain, u, there, own):
    """Whether a piece would be engaged in a hex, or would engage where that counts."""
    old, facing = sheet.now.at[u], sheet.now.facing[u]
    take_up(sheet, terrain, u)
    stand(sheet, terrain, u, there)
    sheet.now.facing[u] = heading(terrain, old, there, facing)
    met = to_of(sheet, terrain, u) if own else by_of(sheet, terrain, u)
    take_up(sheet, terrain, u)
    stand(sheet, terrain, u, old)
    sheet.now.facing[u] = facing
    return met != NONE


@part
def heading(terrain, here, there, facing):
    """Where a piece faces that goes to a hex; as before if it is not beside its own."""
    for d in range(6):
        if terrain.hexes[here, d] == there:
            facing = d
    return facing


@part
def step_cost(sheet, terrain, u, there):
    """Movement points of a step to a hex beside a piece's."""
    return terrain.pairs[COST + 2 * sheet.mover[u], sheet.now.at[u], there]


@part
def cost_out(sheet, terrain, u, edge, here):
    """Movement points that it takes to leave the map by an edge."""
    return terrain.hexes[here, EDGE + EDGES * sheet.mover[u] + edge]


@routine
def step_class(sheet, terrain, u, there):
    """How well a step goes away from the nearest threats, 1 to 4 (3.5)."""
    here, least, left = sheet.now.at[u], FAR_AWAY, enemy_units(sheet, u)
    farther, nearer, some = True, False, False
    for look in range(2):
        threats = left
        while threats != NONE:
            e, threats = lowest(threats), without_lowest(threats)
            if sheet.now.at[e] < 0:
                continue
            row = terrain.pairs[CONTACT + 2 * sheet.mover[e], sheet.now.at[e]]
            if look == 0:
                least = min(least, row[here])
            elif row[here] == least:
                farther = farther and row[there] > row[here]
                nearer = nearer or row[there] < row[here]
                some = some or row[there] > row[here]
    if farther:
        return 1
    if not nearer:
        return 2
    return 3 if some else WORST


@routine
def go(sheet, terrain, u, there):
    """Take one step; what comes into sight is revealed. Whether the piece is still there."""
    old = sheet.now.at[u]
    take_up(sheet, terrain, u)
    stand(sheet, terrain, u, there)
    sheet.now.facing[u] = heading(terrain, old, there, sheet.now.facing[u])
    tell(sheet, Event.MOVED, u, old, there)
    watch_chargers(sheet, terrain, 0)
    spot(sheet, terrain, u)
    return is_present(sheet, u)


@routine
def nearest_enemy(sheet, terrain, u):
    """The enemy piece, for all its player knows, that is nearest in movement points; -1: none."""
    best, chosen, left = FAR_AWAY, -1, enemies_of(sheet, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if sheet.now.at[e] < 0:
            continue
        cost = terrain.pairs[CONTACT + 2 * sheet.mover[u], sheet.now.at[u], sheet.now.at[e]]
        if cost < best:
            best, chosen = cost, e
    return chosen


@routine
def approach(sheet, terrain, u, tag):
    """Go towards the nearest enemy until it is engaged, or points or ways run out."""
    target = nearest_enemy(sheet, terrain, u)
    if target < 0:
        return
    goal, left = sheet.now.at[target], sheet.allowance[u]
    for _ in range(MOST_STEPS):
        here = sheet.now.at[u]
        best, chosen = terrain.pairs[COST + 2 * sheet.mover[u], here, goal], -1
        for d in range(6):
            there = terrain.hexes[here, d]
            if there < 0 or step_cost(sheet, terrain, u, there) > left:
                continue
            cost = terrain.pairs[COST + 2 * sheet.mover[u], there, goal]
            nearer = cost < best and is_free(sheet, terrain, u, there)
            if nearer and obeys(sheet, terrain, u, there, tag):
                best, chosen = cost, there
        if chosen < 0:
            break
        left -= step_cost(sheet, terrain, u, chosen)
        if not go(sheet, terrain, u, chosen):
            return
        if is_beside(terrain, chosen, goal):
            break
    if tag != Tag.NO_ENGAGE:
        face_towards(sheet, terrain, u, goal)


@part
def is_beside(terrain, here, there):
    """Whether two hexes share a side that can be passed."""
    for d in range(6):
        if terrain.hexes[here, d] == there:
            return True
    return False


@routine
def face_towards(sheet, terrain, u, goal):
    """Turn to a hex beside a piece's."""
    for d in range(6):
        if terrain.hexes[sheet.now.at[u], d] == goal and sheet.now.facing[u] != d:
            tell(sheet, Event.TURNED, u, sheet.now.facing[u], d)
            sheet.now.facing[u] = d


@routine
def go_off(sheet, terrain, u, tag, points, hexes):
    """Go away from the nearest threats, by the classes of 3.5, or to the wing's edge and over it.

    ``points`` and ``hexes`` are the most movement points, and steps.
    """
    wing = sheet.now.wing[u]
    edge = sheet.retreat_edge[wing] if wing >= 0 else -1
    for _ in range(hexes):
        here, chosen = sheet.now.at[u], -1
        out = cost_out(sheet, terrain, u, edge, here) if edge >= 0 else FAR_AWAY
        best, best_class = out, WORST
        for d in range(6):
            there = terrain.hexes[here, d]
            if there < 0 or not is_free(sheet, terrain, u, there):
                continue
            cost = step_cost(sheet, terrain, u, there)
            barred = cost >= FAR_AWAY or cost > points
            if barred or not obeys(sheet, terrain, u, there, tag):
                continue
            to_edge = cost_out(sheet, terrain, u, edge, there) if edge >= 0 else FAR_AWAY
            away = 1
            if tag != Tag.TO_RETREAT_EDGE:
                away = step_class(sheet, terrain, u, there)
                if away == WORST:
                    continue
            better = away < best_class or (away == best_class and to_edge < best)
            if better and (tag != Tag.TO_RETREAT_EDGE or to_edge < out):
                best, best_class, chosen = to_edge, away, there
        if chosen < 0:
            if out <= points and leaves(sheet, terrain, u, edge, tag, out):
                leave_map(sheet, terrain, u)
            return
        points -= step_cost(sheet, terrain, u, chosen)
        if not go(sheet, terrain, u, chosen):
            return


@routine
def leaves(sheet, terrain, u, edge, tag, out):
    """Whether a piece that can go no farther goes over its edge: from the last hex before it."""
    if edge < 0 or out >= FAR_AWAY:
        return False
    for d in range(6):
        there = terrain.hexes[sheet.now.at[u], d]
        if there < 0:
            continue
        if step_cost(sheet, terrain, u, there) + cost_out(sheet, terrain, u, edge, there) <= out:
            return False
    return tag == Tag.TO_RETREAT_EDGE or sheet.now.cohesion[u] == Cohesion.ROUTED


@routine
def has_way_off(sheet, terrain, u, flees):
    """Whether a piece can go a step away from a threat, or may leave over its edge (A6b).

    Flight goes over the edge whatever the order, and counts hexes, not points.
    """
    points = FAR_AWAY - 1 if flees else sheet.allowance[u]
    here, wing = sheet.now.at[u], sheet.now.wing[u]
    if here < 0:
        return True
    edge = sheet.retreat_edge[wing] if wing >= 0 else -1
    goes = follows(sheet, u) == Order.RETREAT and by_of(sheet, terrain, u) == NONE
    goes = goes or flees != 0
    if edge >= 0 and goes and cost_out(sheet, terrain, u, edge, here) <= points:
        return True
    for d in range(6):
        there = terrain.hexes[here, d]
        if there < 0 or step_cost(sheet, terrain, u, there) > points:
            continue
        if is_free(sheet, terrain, u, there) and step_class(sheet, terrain, u, there) < WORST:
            return True
    return False


@routine
def after_move(sheet, terrain, u, was_engaging):
    """Mark who came to engage by an attack move (assumed)."""
    if is_present(sheet, u) and not was_engaging and to_of(sheet, terrain, u) != NONE:
        gain_mark(sheet, u, sheet.contact_mark)
