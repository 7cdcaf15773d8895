"""Vectors of chances: the ends of a test, added up and compared (W-7)."""

from .._jit import part


@part
def copy(source, target, length):
    """Copy a vector."""
    for k in range(length):
        target[k] = source[k]


@part
def add_share(source, share, target, length):
    """Add a share of a vector to another."""
    for k in range(length):
        target[k] += source[k] * share


@part
def clear(target, length):
    """Make a vector all zero."""
    for k in range(length):
        target[k] = 0.0


@part
def product(vector, worth, first, length):
    """What a vector of chances is worth."""
    value = 0.0
    for k in range(length):
        value += vector[k] * worth[first + k]
    return value
