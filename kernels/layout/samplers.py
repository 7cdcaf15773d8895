"""Sizes of chains of draws that kernels and their callers share; no logic."""

import numpy as np

WORD = 32  # bits of a draw
MOST_BITS = 16  # of the column; also of a node's place in its step
JOINED_BITS = 6  # of the column, in steps that join attacks
JOINED_ROOM = 1 << 13  # columns of all rows of such a step
NO_ROOM = -1
# A cell of a row of draws: own place, other place, threshold below which a draw leads to its own.
PLACE_MASK, OTHER, THRESHOLD = np.uint64(0xFFFF), np.uint64(16), np.uint64(32)
