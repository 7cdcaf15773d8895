"""The shortest way among some obstacles: tangents of circles round their corners, by A*.

A way is taut: it leaves a circle on the tangent on which it goes on, so that its last line and
the sense in which it turns are all that matters for the rest. A node of the search is a line
from one circle (and sense) to another. Whether a line or an arc is free is looked at only when
its turn comes.
"""

import math

from .._jit import part, routine
from ..layout.table import FIRST_NODE, GOAL, MAX_CIRCLES, MAX_LABELS, MAX_LEGS, START, Fault, Leg
from .obstacles import arc_in_box, arc_meets, in_box, in_way, line_meets

UNKNOWN, OPEN, BLOCKED, DONE = 0, 1, 2, 3
CLOSE = 1e-9  # rounding of a direction, or of a squared distance


@part
def is_active(table, route, o):
    """Whether this search goes round an obstacle."""
    return route.met[o] != 0 and (route.shape[o] < 0 or in_way(table, route, route.shape[o]))


@routine
def draw_circles(table, route):
    """List the corners of all obstacles that are in the way."""
    found = 0
    for o in range(route.obstacles):
        if not is_active(table, route, o):
            continue
        core, n = route.core[o], route.corners[o]
        if found + n > MAX_CIRCLES:
            route.fault = Fault.CROWDED.value
            break
        for a in range(n):
            row = route.circle[found]
            before, after = (a - 1 if a else n - 1), (a + 1 if a + 1 < n else 0)
            row[0], row[1], row[2] = core[a, 0], core[a, 1], route.radius[o]
            row[3], row[4] = core[before, 0] - row[0], core[before, 1] - row[1]
            row[5], row[6] = core[after, 0] - row[0], core[after, 1] - row[1]
            route.owner[found] = o
            found += 1
    route.circles = found


@part
def node_circle(route, node):
    """Centre of a node's circle and its radius, below 0 where the way turns right round it."""
    if node < FIRST_NODE:
        return route.ends[node, 0], route.ends[node, 1], 0.0
    row = route.circle[(node - FIRST_NODE) >> 1]
    return row[0], row[1], row[2] if node & 1 else -row[2]


@part
def supports(route, node, dx, dy):
    """Whether a line in this direction that touches the node's circle passes its obstacle by."""
    if node < FIRST_NODE:
        return True
    row = route.circle[(node - FIRST_NODE) >> 1]
    side = 1 if node & 1 else -1
    before = side * (row[4] * dx - row[3] * dy)
    after = side * (row[6] * dx - row[5] * dy)
    return before >= -CLOSE and after >= -CLOSE


@part
def turn_between(side, ax, ay, bx, by):
    """Angle by which a way turns from one direction to another, turning left (1) or right (-1)."""
    angle = side * math.atan2(ax * by - ay * bx, ax * bx + ay * by)
    if angle < -CLOSE:
        angle += 2 * math.pi
    return max(angle, 0.0)


@part
def push(route, label):
    """Enter a label into the heap."""
    heap, key = route.heap, route.key
    at = route.heaped
    route.heaped += 1
    while at > 0:
        above = (at - 1) >> 1
        if key[heap[above]] <= key[label]:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = label


@part
def pop(route):
    """Take the label with the least key out of the heap."""
    heap, key = route.heap, route.key
    first = heap[0]
    route.heaped -= 1
    last, n, at = heap[route.heaped], route.heaped, 0
    while True:
        below = 2 * at + 1
        if below >= n:
            break
        if below + 1 < n and key[heap[below + 1]] < key[heap[below]]:
            below += 1
        if key[last] <= key[heap[below]]:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = last
    return first


@part
def try_line(route, parent, node, to):
    """Enter the line from a node to another, if one touches both their circles and is taut."""
    if route.status[node, to] >= BLOCKED:
        return
    ax, ay, k = node_circle(route, node)
    bx, by, m = node_circle(route, to)
    x, y, k_to = bx - ax, by - ay, m - k
    square = x * x + y * y
    length = square - k_to * k_to
    if length < -CLOSE or square < CLOSE * CLOSE:
        return
    length = math.sqrt(max(length, 0.0))
    dx, dy = (length * x + k_to * y) / square, (length * y - k_to * x) / square
    if not (supports(route, node, dx, dy) and supports(route, to, dx, dy)):
        return
    turn = cost = 0.0
    if parent >= 0:
        last = route.labels[parent]
        turn = turn_between(1 if node & 1 else -1, last.dx, last.dy, dx, dy)
        if turn > math.pi:
            return
        cost = last.cost + abs(k) * turn
    x, y = route.ends[GOAL, 0] - bx - m * dy, route.ends[GOAL, 1] - by + m * dx
    key = cost + length + math.sqrt(x * x + y * y)
    if key > route.most:
        return
    if route.label_count == MAX_LABELS:
        route.fault = Fault.CROWDED.value
        return
    new = route.labels[route.label_count]
    new.cost, new.from_node, new.node, new.parent, new.turn = cost + length, node, to, parent, turn
    new.x0, new.y0, new.x1, new.y1 = ax + k * dy, ay - k * dx, bx + m * dy, by - m * dx
    new.dx, new.dy = dx, dy
    route.key[route.label_count] = key
    push(route, route.label_count)
    route.label_count += 1


@routine
def go_on(route, parent, node):
    """Enter all lines that may follow."""
    try_line(route, parent, node, GOAL)
    for to in range(FIRST_NODE, FIRST_NODE + 2 * route.circles):
        if to != node:
            try_line(route, parent, node, to)


@routine
def line_is_free(table, route, label):
    """Whether the line of a label stays on the table and enters no obstacle in the way."""
    row = route.labels[label]
    if not in_box(route, row.x1, row.y1) or not in_box(route, row.x0, row.y0):
        return False
    for o in range(route.obstacles):
        if is_active(table, route, o) and line_meets(route, o, row.x0, row.y0, row.x1, row.y1):
            return False
    return True


@routine
def arc_is_free(table, route, label):
    """Whether the arc before the line of a label stays on the table and enters no obstacle."""
    row = route.labels[label]
    if row.parent < 0 or row.turn == 0:
        return True
    cx, cy, k = node_circle(route, row.from_node)
    if k == 0:
        return True
    last = route.labels[row.parent]
    r, side = abs(k), 1 if k > 0 else -1
    ax, ay = (last.x1 - cx) / r, (last.y1 - cy) / r
    if not arc_in_box(route, cx, cy, r, row.turn, side, ax, ay):
        return False
    own = route.owner[(row.from_node - FIRST_NODE) >> 1]
    for o in range(route.obstacles):
        others = o != own and is_active(table, route, o)
        if others and arc_meets(route, o, cx, cy, r, row.turn, side, ax, ay):
            return False
    return True


@routine
def trace_back(route, label):
    """Write the way that ends with a label."""
    count, at = 0, label
    while at >= 0:
        count += 1
        at = route.labels[at].parent
    if count > MAX_LEGS:
        route.fault = Fault.CROWDED.value
        count = 0
    route.way_count = count
    at = label
    for k in range(count - 1, -1, -1):
        row, leg = route.labels[at], route.way[k]
        leg[Leg.X0], leg[Leg.Y0], leg[Leg.X1], leg[Leg.Y1] = row.x0, row.y0, row.x1, row.y1
        leg[Leg.CX], leg[Leg.CY], leg[Leg.RADIUS] = node_circle(route, row.node)
        leg[Leg.TURN] = route.labels[label_after(route, label, at)].turn if k < count - 1 else 0.0
        at = row.parent


@part
def label_after(route, last, label):
    """The label of a way that follows another."""
    at = last
    while route.labels[at].parent != label:
        at = route.labels[at].parent
    return at


@routine
def search(table, route):
    """Find the shortest way round the obstacles in the way; its length, or -1 if there is none."""
    draw_circles(table, route)
    nodes = FIRST_NODE + 2 * route.circles
    for a in range(nodes):
        for b in range(nodes):
            route.status[a, b] = UNKNOWN
    route.label_count = route.heaped = 0
    go_on(route, -1, START)
    while route.heaped > 0 and route.fault != Fault.CROWDED:
        label = pop(route)
        row = route.labels[label]
        a, b = row.from_node, row.node
        if route.status[a, b] == UNKNOWN:
            route.status[a, b] = OPEN if line_is_free(table, route, label) else BLOCKED
        if route.status[a, b] != OPEN or not arc_is_free(table, route, label):
            continue
        route.status[a, b] = DONE
        if b == GOAL:
            trace_back(route, label)
            return row.cost
        go_on(route, label, b)
    return -1.0
