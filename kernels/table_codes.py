"""Codes, columns and array shapes of the table: bases, terrain, contacts, paths; no logic.

Lengths are centimetres, directions unit vectors, corners of a shape in counter-clockwise order.
"""

from enum import IntEnum

import numpy as np

# Two bases touch where their gap is within TOUCH, and overlap where they are deeper in one
# another. Places written with one or two decimals and turned by any angle are off by about
# 1e-13 cm, a person's hand by 1e-2 cm: any value far from both does the same.
TOUCH = 1e-6
# A path may enter what it goes round by so much: less than TOUCH, so that it ends where it may.
SLACK = 1e-7
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


TABLE = np.dtype(
    (
        np.record,
        [
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
        ],
    )
)
