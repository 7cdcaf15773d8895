"""Sizes of chains of draws that kernels and their callers share; no logic."""

WORD = 32  # bits of a draw
MOST_BITS = 16  # of the column; also of a node's place in its step
JOINED_BITS = 6  # of the column, in steps that join attacks
JOINED_ROOM = 1 << 13  # columns of all rows of such a step
NO_ROOM = -1
