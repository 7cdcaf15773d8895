"""Maps of hexes as arrays: who is beside whom, costs, lines of sight, distances (1.1, 1.2).

Hexes are flat-topped; those of odd columns lie half a hex lower. Directions are numbered
clockwise from north; hexes row by row, as ``row * columns + column``, holes included.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from ...kernels.layout.sheet import EDGES, FAR_AWAY, OFF_MAP, Edge
from ...kernels.layout.situation import HexMap

if TYPE_CHECKING:
    from .pieces import Grid
    from .world import World

Place: TypeAlias = tuple[int, int]  # column, row
_Axial: TypeAlias = tuple[int, int]  # column, and hexes down a slanted row: steps add up

DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")
HOLES = "# "
_STEPS: tuple[_Axial, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_HALF_HEIGHT = 3**0.5 / 2  # of a hex whose sides are 1


def neighbour(place: Place, direction: int) -> Place:
    """Return the hex beside another one, on the map or not.

    >>> neighbour((0, 0), DIRECTIONS.index("se")), neighbour((1, 0), DIRECTIONS.index("se"))
    ((1, 0), (2, 1))
    """
    (column, slant), (right, down) = _axial(place), _STEPS[direction]
    return _offset((column + right, slant + down))


def distance(a: Place, b: Place) -> int:
    """Return the number of hexes from one to another, as the crow flies; 0 to itself."""
    return _length(_difference(a, b))


def centre(place: Place) -> tuple[float, float]:
    """Return the centre of a hex whose sides are 1; x grows to the east and y to the south."""
    column, row = place
    return 1.5 * column, _HALF_HEIGHT * (2 * row + column % 2)


def hex_map(grid: "Grid", world: "World") -> HexMap:
    """Return a map as arrays.

    Readings, as the sheet gives no map: impassable sides stop movement and engagement, not sight;
    a hex hides another one if it blocks sight and the straight line between the two centres
    passes inside it, or along a side between it and a hex that blocks sight or none; the two ends
    hide nothing, nor does a corner that is only touched. A hole is no hex: nothing is in it and
    nothing is hidden by it. A piece leaves the map by an edge from the last hex of a row or of a
    column.
    """
    columns = len(grid.rows[0])
    letters = [letter for row in grid.rows for letter in row]
    present = np.array([letter not in HOLES for letter in letters])
    beside = _beside(grid, present)
    cost, edge = _costs(grid, world, present, beside)
    burning = np.zeros(len(letters), np.int16)
    burning[[row * columns + column for column, row in grid.burning]] = 1
    blocks = np.array(
        [p and world.terrains[a].blocks_sight for a, p in zip(letters, present, strict=True)]
    )
    sight = _sight(blocks.reshape(-1, columns), present.reshape(-1, columns))
    hexes = np.column_stack([beside, burning, edge.reshape(-1, len(letters)).T])
    planes = [_apart(columns, len(letters)), sight.astype(np.int16)]
    for way in cost:
        planes += [way, _contact(way, beside)]
    pairs = np.stack(planes)
    return HexMap(np.ascontiguousarray(hexes), pairs, np.zeros(len(letters), np.uint64))


def _axial(place: Place) -> _Axial:
    column, row = place
    return column, row - column // 2


def _offset(axial: _Axial) -> Place:
    column, slant = axial
    return column, slant + column // 2


def _difference(a: Place, b: Place) -> _Axial:
    (column, slant), (to_column, to_slant) = _axial(a), _axial(b)
    return to_column - column, to_slant - slant


def _length(axial: _Axial) -> int:
    column, slant = axial
    return max(abs(column), abs(slant), abs(column + slant))


def _beside(grid: "Grid", present: NDArray[np.bool_]) -> NDArray[np.int16]:
    columns, rows = len(grid.rows[0]), len(grid.rows)
    beside = np.full((len(present), 6), OFF_MAP, np.int16)
    for hexagon in np.flatnonzero(present).tolist():
        place = hexagon % columns, hexagon // columns
        for direction in range(6):
            column, row = other = neighbour(place, direction)
            walled = frozenset((place, other)) in grid.walls or not 0 <= column < columns
            if 0 <= row < rows and not walled and present[row * columns + column]:
                beside[hexagon, direction] = row * columns + column
    return beside


def _costs(
    grid: "Grid", world: "World", present: NDArray[np.bool_], beside: NDArray[np.int16]
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return least costs between all hexes, and to leave the map by each of its edges."""
    letters = [letter for row in grid.rows for letter in row]
    size = len(letters)
    cost = np.empty((len(world.movers), size, size), np.int16)
    edge = np.empty((len(world.movers), EDGES, size), np.int16)
    last = _last(present.reshape(-1, len(grid.rows[0])))
    for mover, name in enumerate(world.movers):
        entered = [world.terrains[a].cost[name] if a not in HOLES else None for a in letters]
        cost[mover] = _least(entered, beside)
        cost[mover, ~present] = FAR_AWAY
        for side in range(EDGES):
            way = cost[mover][:, last[side]].min(axis=1, initial=FAR_AWAY)
            edge[mover, side] = np.minimum(way.astype(np.int64) + world.leave_cost, FAR_AWAY)
    return cost, edge


def _least(entered: Sequence[int | None], beside: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return least costs of ways between all hexes, for one mover."""
    prices = np.array([FAR_AWAY if price is None else price for price in entered])
    source, direction = np.nonzero(beside >= 0)
    target = beside[source, direction]
    enterable = prices[target] < FAR_AWAY
    source, target = source[enterable], target[enterable]
    graph = csr_array((prices[target], (source, target)), shape=(len(prices), len(prices)))
    return np.asarray(np.minimum(dijkstra(graph), FAR_AWAY), np.int16)


def _contact(cost: NDArray[np.int16], beside: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return least costs of ways to a hex beside each."""
    ways = np.pad(cost, ((0, 0), (0, 1)), constant_values=FAR_AWAY)  # -1 is the last column
    return np.asarray(ways[:, beside].min(axis=2), np.int16)


def _last(present: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the hexes with nothing but holes between them and each edge of the map."""
    last = np.zeros((EDGES, *present.shape), bool)
    for hexes, marks in (
        (present, last[Edge.NORTH]),
        (present[::-1], last[Edge.SOUTH, ::-1]),
        (present.T, last[Edge.WEST].T),
        (present.T[::-1], last[Edge.EAST].T[::-1]),
    ):
        marks[...] = hexes & (np.cumsum(hexes, axis=0) == 1)
    return last.reshape(EDGES, -1)


def _apart(columns: int, size: int) -> NDArray[np.int16]:
    column = np.arange(size) % columns
    slant = np.arange(size) // columns - column // 2
    right, down = column - column[:, None], slant - slant[:, None]
    longest = np.maximum.reduce([abs(right), abs(down), abs(right + down)])
    return np.asarray(longest, np.int16)


def _sight(blocks: NDArray[np.bool_], present: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return who sees whom, for all pairs that lie the same way from each other at once.

    Sets of hexes are the bits of whole numbers, so that a shift moves all of them alike.
    """
    rows, columns = blocks.shape
    high = rows + (columns - 1) // 2  # bits of a column, so that slanted rows are level
    row, column = np.divmod(np.arange(blocks.size), columns)
    bits = column * high + (columns - 1) // 2 - column // 2 + row
    number = np.full(columns * high, OFF_MAP)
    number[bits] = np.arange(blocks.size)
    hexes = _word(bits[present.ravel()])
    screens = _word(bits[blocks.ravel()])
    sight = np.diag(present.ravel()).astype(np.uint8)
    for right in range(columns):
        for down in range(1 if right == 0 else 1 - high, high):
            shift = right * high + down
            pairs = hexes & hexes >> shift & _level(columns, high, right, down)
            viewers = _members(_seeing(pairs, screens, hexes, high, right, down), number.size)
            here, there = number[viewers], number[viewers + shift]
            sight[here, there] = sight[there, here] = 1
    return sight


def _seeing(viewers: int, screens: int, hexes: int, high: int, right: int, down: int) -> int:
    """Return those of some hexes that see the hex at a displacement from them."""
    clear = hexes & ~screens
    for passed in _crossed(right, down) if viewers else ():
        steps = [x * high + y for x, y in passed]
        through = _moved(~screens, steps[0])
        if len(steps) == 2:
            through &= _moved(~screens, steps[1])
            through |= _moved(clear, steps[0]) | _moved(clear, steps[1])
        viewers &= through
    return viewers


def _word(bits: NDArray[np.int64]) -> int:
    return sum(1 << bit for bit in bits.tolist())


def _members(word: int, size: int) -> NDArray[np.int64]:
    octets = np.frombuffer(word.to_bytes(size // 8 + 1, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little"))


def _moved(word: int, step: int) -> int:
    return word >> step if step >= 0 else word << -step


def _level(columns: int, high: int, right: int, down: int) -> int:
    """Return the bits from which a displacement ends in the column that it should."""
    column = ((1 << high - abs(down)) - 1) << max(0, -down)
    return sum(column << x * high for x in range(columns - right))


def _crossed(right: int, down: int) -> list[list[_Axial]]:
    """Return the hexes that a line between two centres passes, without the two at its ends.

    Where it follows a side, both hexes of that side come together. Centres are (3 x, 2 y + x) in
    units in which the corners of a hex are whole: two 2 across from it, four 1 across and 1 down.
    """
    across, along = 3 * right, 2 * down + right
    half = max(abs(2 * along), abs(across - along), abs(across + along))  # of a hex, seen along it
    x, y = np.ogrid[0 : right + 1, min(0, down) : max(0, down) + 1]
    aside = np.abs(across * (2 * y + x) - along * 3 * x)
    low = min(0, down)
    inside = [(x, y + low) for x, y in np.argwhere(aside < half).tolist()]
    passed = [[hexagon] for hexagon in inside if hexagon not in ((0, 0), (right, down))]
    step = {0: (0, 1), across: (1, -1), -across: (1, 0)}.get(along)
    if step is None:
        return passed
    touched = {(x, y + low) for x, y in np.argwhere(aside == half).tolist()}
    beside = [(hexagon, (hexagon[0] + step[0], hexagon[1] + step[1])) for hexagon in touched]
    return passed + [[one, other] for one, other in beside if other in touched]
