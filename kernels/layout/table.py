"""Codes, columns and array shapes of the table: bases, terrain, contacts, paths; no logic.

Lengths are centimetres, directions unit vectors, corners of a shape in counter-clockwise order.
"""

from enum import IntEnum

import numpy as np

from .records import record

# Two bases touch where their gap is within TOUCH, and overlap where they are deeper in one
# another. Places written with one or two decimals and turned by any angle are off by about
# 1e-13 cm, a person's hand by 1e-2 cm: any value far from both does the same. So it is for every
# measured length and its limit: a way, a range, a table's edge (`geometry.within`).
TOUCH = 1e-6
# A path may enter what it goes round by so much: between two bases that each touch a third one,
# and so are one base's width apart, there is room for it.
SLACK = 3e-6
# A sight line needs room: the slope between two blockers that touch is off by rounding.
SLIT = 1e-7

MAX_BASES = 64
MAX_TERRAIN = 32
MAX_CORNERS = 8
MAX_SHAPES = MAX_BASES + MAX_TERRAIN


class Base(IntEnum):
    """Columns of a base's row; a disc has its diameter as width and as depth.

    The aim point is the middle of a rectangle's front edge (width across, depth behind it), or
    the foremost point of a disc (reading of M-4.3: it lies on the front edge).
    """

    X = 0
    Y = 1
    FX = 2  # facing
    FY = 3
    SHAPE = 4  # Shape
    WIDTH = 5
    DEPTH = 6
    SIZE = 7  # 0 small, 1 medium, 2 large, 3 very large
    SIDE = 8  # 0 or 1
    LEVEL = 9
    ALIVE = 10


COLUMNS = len(Base)


class Shape(IntEnum):
    """Shape of a base."""

    RECTANGLE = 0
    DISC = 1


class Hides(IntEnum):
    """Which sizes hide a target (M-4.1 does not say)."""

    LOWER = 0  # those at least as big as the smaller of viewer and target
    HIGHER = 1  # those at least as big as the bigger of them


TABLE = record(
    ("bases", np.float64, (MAX_BASES, COLUMNS)),
    ("n", np.int64),  # bases
    ("terrain", np.float64, (MAX_TERRAIN, MAX_CORNERS, 2)),  # convex
    ("corners", np.int64, (MAX_TERRAIN,)),
    ("height", np.float64, (MAX_TERRAIN,)),
    ("sizes", np.int64, (MAX_TERRAIN,)),  # M-1.4, and whom it hides
    ("impassable", np.int64, (MAX_TERRAIN,)),
    ("pieces", np.int64),  # of terrain
    ("width", np.float64),  # the table is from (0, 0) to (width, depth)
    ("depth", np.float64),
    # what follows from the rows; filled by ``prepare`` and ``move``
    ("hull", np.float64, (MAX_BASES, 4, 2)),  # of a rectangle
    ("x", np.float64, (MAX_SHAPES,)),  # circles round bases, then round terrain
    ("y", np.float64, (MAX_SHAPES,)),
    ("reach", np.float64, (MAX_SHAPES,)),
    ("here", np.uint64),  # bases that are alive
    ("sides", np.uint64, (2,)),  # those of each side
    ("touching", np.uint64, (MAX_BASES,)),  # bases in contact with each
    # scratch of a sight line: slopes that are hidden
    ("low", np.float64, (MAX_SHAPES,)),
    ("high", np.float64, (MAX_SHAPES,)),
)


MAX_OBSTACLES = 160  # shapes in the way of one path, and narrow gaps
MAX_CIRCLES = 320  # corners of those in the way
MAX_NODES = 2 + 2 * MAX_CIRCLES
MAX_LABELS = 16384
MAX_LEGS = 128
MAX_TAKEN = 256
MAX_CHOICES = 64  # sets of relief to go round, of which one is the best
START, GOAL, FIRST_NODE = 0, 1, 2  # then each circle twice: turning right, turning left


class Leg(IntEnum):
    """Columns of a leg: a straight line, and the arc that follows it."""

    X0 = 0
    Y0 = 1
    X1 = 2
    Y1 = 3
    CX = 4  # the arc's centre
    CY = 5
    RADIUS = 6  # above 0: it turns left, below 0: right
    TURN = 7  # in radians; 0 = none follows


LEG_COLUMNS = len(Leg)


class Fault(IntEnum):
    """Why there is no path."""

    NONE = 0
    CLOSED = 1  # the goal cannot be reached, or nothing fits there
    CROWDED = 2  # more is in the way than the arrays hold


LABEL = record(
    ("cost", np.float64),  # as far as the leg's end
    ("from_node", np.int64),
    ("node", np.int64),
    ("parent", np.int64),  # label, -1 = the start
    ("turn", np.float64),  # on the circle that the leg leaves
    ("x0", np.float64),
    ("y0", np.float64),
    ("x1", np.float64),
    ("y1", np.float64),
    ("dx", np.float64),
    ("dy", np.float64),
)

# A path and all that its search needs: polygons (a point, a line) with a radius to go round.
ROUTE = record(
    # what is asked
    ("mover", np.int64),
    ("ends", np.float64, (2, 2)),  # from, to
    ("half", np.float64),  # half the mover's width
    ("through", np.uint64),  # bases that are not in the way
    ("box", np.float64, (4,)),  # least and greatest x, least and greatest y
    ("most", np.float64),  # no longer way is looked for
    # what is found
    ("length", np.float64),
    ("toll", np.float64),  # for relief, in cm
    ("fault", np.int64),
    ("legs", np.float64, (MAX_LEGS, LEG_COLUMNS)),
    ("leg_count", np.int64),
    ("place", np.float64, (4,)),  # at an enemy's edge: aim point and facing at the end
    # obstacles
    ("obstacles", np.int64),
    ("listed", np.int64, (MAX_SHAPES,)),  # shapes that the mover goes round
    ("listed_count", np.int64),
    ("near_count", np.int64),  # of them, those near the straight way: first in the list
    ("slot", np.int64, (MAX_SHAPES,)),  # of a shape, -1 = not looked at
    ("shape", np.int64, (MAX_OBSTACLES,)),  # -1 = a narrow gap
    ("core", np.float64, (MAX_OBSTACLES, MAX_CORNERS, 2)),
    ("corners", np.int64, (MAX_OBSTACLES,)),
    ("radius", np.float64, (MAX_OBSTACLES,)),
    ("growth", np.float64, (MAX_OBSTACLES,)),
    ("x", np.float64, (MAX_OBSTACLES,)),  # circle round the core
    ("y", np.float64, (MAX_OBSTACLES,)),
    ("reach", np.float64, (MAX_OBSTACLES,)),
    ("met", np.int64, (MAX_OBSTACLES,)),  # 1 = was in the way
    ("line", np.float64, (2, 2)),  # scratch
    # stretches of an enemy's edge where the mover does not fit
    ("lane", np.float64, (6,)),  # centre and facing at an edge's beginning, half width and depth
    ("taken", np.float64, (MAX_TAKEN, 2)),
    ("taken_count", np.int64),
    # relief
    ("tolls", np.float64, (MAX_TERRAIN,)),
    ("avoided", np.uint64),  # pieces that this search goes round
    ("avoid", np.uint64, (MAX_CHOICES,)),
    ("paid", np.uint64, (MAX_CHOICES,)),
    # search
    ("circles", np.int64),
    ("circle", np.float64, (MAX_CIRCLES, 7)),  # centre, radius, way to both neighbours
    ("owner", np.int64, (MAX_CIRCLES,)),
    ("status", np.int8, (MAX_NODES, MAX_NODES)),
    ("labels", LABEL, (MAX_LABELS,)),
    ("label_count", np.int64),
    ("heap", np.int64, (MAX_LABELS,)),
    ("key", np.float64, (MAX_LABELS,)),  # least length of a whole path, by label
    ("heaped", np.int64),
    ("way", np.float64, (MAX_LEGS, LEG_COLUMNS)),
    ("way_count", np.int64),
)
