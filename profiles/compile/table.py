"""A scenario as the record that the kernels of the table see (M-1, W-5)."""

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.table import TABLE, Base, Shape
from ..armies.scenario import Scenario
from ..edition.edition import Edition
from ..fighters.card import SIZES
from .room import base_of, size_of

_MM = 0.1  # cm


def compile_table(scenario: Scenario, edition: Edition) -> NDArray[np.void]:
    """Return the table of a scenario, shape (1,), not prepared yet (`kernels.table.contacts`).

    Fighters have the numbers of the scenario; side A is 0.
    """
    tables = np.zeros(1, TABLE)
    table = tables[0]
    table["width"], table["depth"] = scenario.width, scenario.depth
    table["n"] = len(scenario.fighters)
    sizes = list(SIZES)
    for row, placed in zip(table["bases"], scenario.fighters, strict=False):
        base, _ = base_of(placed.profile, edition)
        row[Base.X], row[Base.Y] = placed.at
        row[Base.FX], row[Base.FY] = placed.direction
        row[Base.SHAPE] = Shape.DISC if len(base) == 1 else Shape.RECTANGLE
        row[Base.WIDTH], row[Base.DEPTH] = base[0] * _MM, base[-1] * _MM
        row[Base.SIZE] = sizes.index(size_of(placed.profile, edition)[0])
        row[Base.SIDE], row[Base.LEVEL], row[Base.ALIVE] = placed.side == "B", placed.level, 1
    table["pieces"] = len(scenario.terrain)
    for k, piece in enumerate(scenario.terrain):
        table["corners"][k] = len(piece.corners)
        table["terrain"][k, : len(piece.corners)] = piece.corners
        table["height"][k], table["impassable"][k] = piece.height, piece.impassable
        table["sizes"][k] = sizes.index(piece.size)
    return tables
