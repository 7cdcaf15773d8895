"""The units of a situation of the sheet, as the layout through which a rout spreads."""

from dataclasses import replace

from estoc.kernels.sheet_codes import Cohesion, Kind
from estoc.profiles import InputError
from estoc.profiles.hexes import distance
from estoc.profiles.pieces import Situation
from estoc.sim.contagion_layout import Layout
from estoc.sim.sheet_question import side_of


def layout_of_situation(situation: Situation, side: str | None = None) -> tuple[Layout, list[str]]:
    """Return a side's Units as a layout, and who of them is routed now.

    Units in one hex or in neighbouring ones, with no wall between, are adjacent (Q23).

    Parameters
    ----------
    situation : Situation
    side : str, optional
        The first if not given.

    Raises
    ------
    InputError
        If the side is unknown, or none of its Units is on the map.
    """
    name = situation.sides[side_of(situation, side)]
    units = [
        piece
        for piece in situation.pieces
        if piece.side == name and piece.kind != Kind.DECOY and piece.place is not None
    ]
    if not units:
        raise InputError(f"{situation.name}: no Unit of {name} is on the map")
    walls = situation.grid.walls
    pairs = [
        (i, j)
        for i, one in enumerate(units)
        for j in range(i)
        if (a := one.place) is not None
        and (b := units[j].place) is not None
        and distance(a, b) <= 1
        and frozenset((a, b)) not in walls
    ]
    told = situation.file or situation.name
    layout = replace(Layout.of_pairs(told, [unit.name for unit in units], pairs), side=name)
    return layout, [unit.name for unit in units if unit.cohesion == Cohesion.ROUTED]
