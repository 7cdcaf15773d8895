"""Vectors of chances: the ends of a test, where they stand, added up and compared (W-7)."""

from .._jit import part
from ..layout.feats import LUCKS


@part
def exchange_end(end, luck):
    """Place of an end of an exchange in its vector, by whom luck was used."""
    return LUCKS * end + luck


@part
def parry_end(end, luck):
    """Place of an end of a defence test in its vector, luck of the target used or not."""
    return 2 * end + luck


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
def product(vector, worth, length):
    """What a vector of chances is worth."""
    value = 0.0
    for k in range(length):
        value += vector[k] * worth[k]
    return value
