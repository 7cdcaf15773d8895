"""Who touches whom: a mask of bases for each base; melees follow from it (`melees`, C-1)."""

import numpy as np

from .._jit import kernel, part, routine
from ..core.sets import NONE, bit
from ..layout.table import Base
from .geometry import shape_base, shape_terrain, touch


@part
def enlist(table, i):
    """Enter a base into the masks of the living and of its side, or strike it out."""
    mask, side = bit(i), np.int64(table.bases[i, Base.SIDE])
    for other in range(2):
        table.sides[other] &= ~mask
    table.here &= ~mask
    if table.bases[i, Base.ALIVE] != 0:
        table.here |= mask
        table.sides[side] |= mask


@part
def enemies(table, i):
    """Mask of the enemies that a base touches."""
    return table.touching[i] & table.sides[1 - np.int64(table.bases[i, Base.SIDE])]


@routine
def fill_contacts(table):
    """Find all contacts."""
    n = table.n
    for i in range(n):
        table.touching[i] = NONE
    for i in range(n):
        found = NONE
        for j in range(i + 1, n):
            if touch(table, i, j):
                found |= bit(j)
                table.touching[j] |= bit(i)
        table.touching[i] |= found


@routine
def change_contacts(table, i):
    """Take up the row of one base that has moved, changed or died, and its contacts."""
    shape_base(table, i)
    enlist(table, i)
    mask, found = bit(i), NONE
    for j in range(table.n):
        if touch(table, i, j):
            found |= bit(j)
            table.touching[j] |= mask
        else:
            table.touching[j] &= ~mask
    table.touching[i] = found


@routine
def prepare_table(table):
    """Derive all that follows from the rows of bases and terrain."""
    table.here = NONE
    for i in range(table.n):
        shape_base(table, i)
        enlist(table, i)
    for k in range(table.pieces):
        shape_terrain(table, k)
    fill_contacts(table)


@kernel
def prepare(tables):
    """Derive all that follows from the rows of bases and terrain, contacts included.

    Corners of terrain may run either way round; they are put in counter-clockwise order.
    """
    for t in range(len(tables)):
        prepare_table(tables[t])


@kernel
def update(tables, i):
    """Take up the row of base ``i``, which has moved, changed or died; see `prepare`."""
    change_contacts(tables[0], i)


@kernel
def enemy_contacts(tables, i):
    """Mask of the enemies that base ``i`` touches; see `contact_graph`."""
    return enemies(tables[0], i)
