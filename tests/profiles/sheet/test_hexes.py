"""Maps of hexes, against networkx (costs), shapely (lines of sight) and a search in breadth."""

import math
from dataclasses import dataclass, field
from functools import cache

import networkx as nx
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.kernels.layout.sheet import FAR_AWAY, OFF_MAP, Edge
from estoc.profiles.sheet.hexes import (
    HOLES,
    centre,
    distance,
    hex_map,
    neighbour,
)

PLACES = st.tuples(st.integers(0, 30), st.integers(0, 30))


@dataclass(frozen=True)
class Terrain:
    name: str
    cost: dict
    blocks_sight: bool = False


@dataclass(frozen=True)
class World:
    movers: tuple = ("foot", "flying")
    leave_cost: int = 1
    terrains: dict = field(
        default_factory=lambda: {
            ".": Terrain("open", {"foot": 1, "flying": 1}),
            "w": Terrain("wood", {"foot": 3, "flying": 2}, blocks_sight=True),
            "~": Terrain("water", {"foot": None, "flying": 1}),
        }
    )


@dataclass(frozen=True)
class Grid:
    rows: tuple
    burning: frozenset = frozenset()
    walls: frozenset = frozenset()


WORLD = World()


@st.composite
def grids(draw, letters="...ww~#", widest=7, highest=6):
    columns, rows = draw(st.integers(1, widest)), draw(st.integers(1, highest))
    row = st.text(alphabet=letters, min_size=columns, max_size=columns)
    places = st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1))
    sides = draw(st.lists(st.tuples(places, st.integers(0, 5)), max_size=6))
    walls = frozenset(frozenset((place, neighbour(place, way))) for place, way in sides)
    burning = draw(st.frozensets(places, max_size=3))
    return Grid(tuple(draw(st.lists(row, min_size=rows, max_size=rows))), burning, walls)


def places(grid):
    """All hexes that are not holes, by number."""
    columns = len(grid.rows[0])
    return {
        row * columns + column: (column, row)
        for row, line in enumerate(grid.rows)
        for column, letter in enumerate(line)
        if letter not in HOLES
    }


def corners(place):
    x, y = centre(place)
    return [(x + math.cos(k * math.pi / 3), y + math.sin(k * math.pi / 3)) for k in range(6)]


@cache
def hexagon(place):
    return shapely.Polygon(corners(place))


@cache
def grown(place, by):
    return hexagon(place).buffer(by)


def near(place, line):
    return hexagon(place).distance(line) < 0.1


def side_between(a, b):
    """Length of what two hexes share; the corners alone say who is beside whom."""
    shared = grown(a, 1e-9).intersection(grown(b, 1e-9))
    return shared.length / 2


# --- geometry -----------------------------------------------------------------------------------


def test_directions_run_clockwise_from_north():
    assert [neighbour((2, 2), k) for k in range(6)] == [
        (2, 1),
        (3, 1),
        (3, 2),
        (2, 3),
        (1, 2),
        (1, 1),
    ]
    assert [neighbour((3, 2), k) for k in range(6)] == [
        (3, 1),
        (4, 2),
        (4, 3),
        (3, 3),
        (2, 3),
        (2, 2),
    ]


@given(PLACES, st.integers(0, 5))
def test_a_neighbour_lies_one_side_away_at_its_bearing(place, direction):
    other = neighbour(place, direction)
    (x, y), (to_x, to_y) = centre(place), centre(other)
    bearing = math.degrees(math.atan2(to_x - x, y - to_y)) % 360
    assert math.hypot(to_x - x, to_y - y) == pytest.approx(math.sqrt(3))
    assert bearing == pytest.approx(60 * direction, abs=1e-6)
    assert neighbour(other, (direction + 3) % 6) == place


def test_hexes_tile_the_map():
    """Corners and centres fit: hexes beside each other share a side of 1, others none."""
    block = [(column, row) for column in range(4) for row in range(4)]
    for a in block:
        for b in block:
            if a < b:
                beside = b in [neighbour(a, k) for k in range(6)]
                assert side_between(a, b) == pytest.approx(1.0 if beside else 0.0, abs=1e-6)


# --- arrays -------------------------------------------------------------------------------------


@given(grids())
def test_holes_and_walls_are_beside_nobody(grid):
    found, held = hex_map(grid, WORLD), places(grid)
    columns = len(grid.rows[0])
    for number in range(len(found.beside)):
        for direction in range(6):
            other = found.beside[number, direction]
            place = (number % columns, number // columns)
            ahead = neighbour(place, direction)
            open_side = (
                number in held
                and ahead in held.values()
                and frozenset((place, ahead)) not in grid.walls
            )
            assert (held[other] == ahead) if open_side else (other == OFF_MAP)


@given(grids())
def test_burning_hexes(grid):
    columns = len(grid.rows[0])
    burning = np.flatnonzero(hex_map(grid, WORLD).burning)
    assert {(n % columns, n // columns) for n in burning.tolist()} == grid.burning


def test_distances_by_a_search_in_breadth():
    found = hex_map(Grid((("." * 9),) * 8), WORLD)
    graph = nx.Graph((a, int(b)) for a, row in enumerate(found.beside) for b in row if b >= 0)
    for a, lengths in nx.all_pairs_shortest_path_length(graph):
        for b, length in lengths.items():
            assert found.apart[a, b] == length == distance((a % 9, a // 9), (b % 9, b // 9))


def ways(grid, mover):
    """The map as a graph, with a node beyond each of its edges."""
    held, graph = places(grid), nx.DiGraph()
    graph.add_nodes_from([*held.values(), *Edge])
    for column, row in held.values():
        for direction in range(6):
            ahead = neighbour((column, row), direction)
            if ahead not in held.values() or frozenset(((column, row), ahead)) in grid.walls:
                continue
            price = WORLD.terrains[grid.rows[ahead[1]][ahead[0]]].cost[mover]
            if price is not None:
                graph.add_edge((column, row), ahead, weight=price)
        in_column = [r for c, r in held.values() if c == column]
        in_row = [c for c, r in held.values() if r == row]
        last = {
            Edge.NORTH: row == min(in_column),
            Edge.SOUTH: row == max(in_column),
            Edge.WEST: column == min(in_row),
            Edge.EAST: column == max(in_row),
        }
        for edge, here in last.items():
            if here:
                graph.add_edge((column, row), edge, weight=WORLD.leave_cost)
    return graph


@settings(deadline=None)
@given(grids())
def test_costs_are_those_of_networkx(grid):
    found, held = hex_map(grid, WORLD), places(grid)
    size = len(found.beside)
    for mover, name in enumerate(WORLD.movers):
        cost = np.full((size, size), FAR_AWAY)
        edge = np.full((len(Edge), size), FAR_AWAY)
        graph, numbers = ways(grid, name), {place: n for n, place in held.items()}
        for number, place in held.items():
            for end, length in nx.single_source_dijkstra_path_length(graph, place).items():
                if isinstance(end, Edge):
                    edge[end, number] = length
                else:
                    cost[number, numbers[end]] = length
        np.testing.assert_array_equal(found.cost[mover], cost)
        np.testing.assert_array_equal(found.edge[mover], edge)
        for target, beside in enumerate(found.beside):
            nearest = cost[:, beside[beside >= 0]].min(axis=1, initial=FAR_AWAY)
            np.testing.assert_array_equal(found.contact[mover][:, target], nearest)


def test_the_step_off_the_map_costs_what_the_world_says():
    grid = Grid(("...", "...", "..."))
    edge = hex_map(grid, World(leave_cost=4)).edge[0]
    assert edge[:, 4].tolist() == [5, 5, 5, 5]
    assert edge[:, 0].tolist() == [4, 6, 6, 4]


# --- sight --------------------------------------------------------------------------------------


def sees(grid, a, b):
    """Whether no part of a line is in a wood without being in, or at the side of, a clear hex."""
    held = places(grid)
    if not {a, b} <= set(held.values()):
        return False
    line = shapely.LineString([centre(a), centre(b)])
    woods = [p for p in held.values() if grid.rows[p[1]][p[0]] == "w" and p not in (a, b)]
    clear = [p for p in held.values() if p not in woods]
    hidden = line.intersection(shapely.union_all([grown(p, 1e-7) for p in woods if near(p, line)]))
    free = shapely.union_all([grown(p, 1e-6) for p in clear if near(p, line)])
    return hidden.difference(free).length < 1e-4


@settings(deadline=None, max_examples=25)
@given(grids(letters="...ww#"))
def test_lines_of_sight_are_those_of_shapely(grid):
    sight, columns = hex_map(grid, WORLD).sight, len(grid.rows[0])
    for a in range(len(sight)):
        for b in range(a + 1):
            ends = (a % columns, a // columns), (b % columns, b // columns)
            expected = sees(grid, *ends) if a != b else a in places(grid)
            assert sight[a, b] == expected, ends


def test_long_lines_of_sight_are_those_of_shapely():
    rng = np.random.default_rng(4)
    letters = rng.choice(list("." * 14 + "w"), (16, 20))
    grid = Grid(tuple("".join(row) for row in letters))
    sight = hex_map(grid, WORLD).sight
    for a, b in rng.choice(320, (400, 2)).tolist():
        assert a == b or sight[a, b] == sees(grid, (a % 20, a // 20), (b % 20, b // 20)), (a, b)


@settings(deadline=None)
@given(grids(widest=14, highest=11))
def test_sight_is_symmetric(grid):
    sight = hex_map(grid, WORLD).sight
    np.testing.assert_array_equal(sight, sight.T)


@settings(deadline=None)
@given(grids(letters=".~#", widest=14, highest=11))
def test_without_woods_all_hexes_see_each_other(grid):
    held = np.isin(np.arange(len(grid.rows) * len(grid.rows[0])), list(places(grid)))
    np.testing.assert_array_equal(hex_map(grid, WORLD).sight, np.outer(held, held))


@settings(deadline=None)
@given(grids(letters="..w", widest=9, highest=9), st.data())
def test_a_wood_more_shows_nothing_more(grid, data):
    column = data.draw(st.integers(0, len(grid.rows[0]) - 1))
    row = data.draw(st.integers(0, len(grid.rows) - 1))
    rows = list(grid.rows)
    rows[row] = rows[row][:column] + "w" + rows[row][column + 1 :]
    after = hex_map(Grid(tuple(rows)), WORLD).sight
    assert (after <= hex_map(grid, WORLD).sight).all()


@pytest.mark.parametrize(
    ("above", "below", "seen"),
    [(".", ".", True), (".", "w", True), ("w", ".", True), ("w", "w", False), ("#", "w", False)],
)
def test_a_line_along_a_side_sees_past_one_wood(above, below, seen):
    """The line from (0,1) to (2,1) runs between (1,0) and (1,1); a hole shows nothing."""
    grid = Grid((f".{above}.", f".{below}."))
    assert hex_map(grid, WORLD).sight[3, 5] == seen


def test_a_wood_hides_what_is_behind_it_not_who_is_in_it():
    sight = hex_map(Grid((".", "w", ".", "w")), WORLD).sight
    assert sight.tolist() == [[1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1]]
