"""Bases that nearly touch at the start, as places of two decimals leave them: made to touch.

Who overlaps by no more than ``measuring.contact`` is moved until it only touches, and so are
enemies between whom no wider gap is left. All whom such contacts link are moved together, as
little as may be, and nobody is turned.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import hypot
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.table import TOUCH, Base, Shape
from ...profiles.armies.scenario import Placed, Scenario
from ...profiles.compile.table import compile_table
from ...profiles.edition.edition import Edition
from ...profiles.message import joined, say
from .measuring import within

KEY = "measuring.contact"
_MM = 0.1  # cm
_EXACT = TOUCH / 100
_ROUNDS = 120  # where corners meet, small steps lead there
_STEP = 1e-8  # cm by which a base is moved to see which way a gap grows
_SIDES = ((0, 1), (1, 1), (0, -1), (1, -1))  # of the table: coordinate, and the way inwards
_TERRAIN, _EDGE = 1000, 2000  # from which numbers on a neighbour is no base

Tables = NDArray[np.void]
Pair = tuple[int, int]  # a base, and a base, a piece of terrain or an edge of the table


class _Contact(NamedTuple):
    """A gap that should be 0, and which way the first of the two goes for it to grow."""

    pair: Pair
    gap: float
    normal: tuple[float, float]


def settled(scenario: Scenario, edition: Edition) -> tuple[Scenario, tuple[str, ...]]:
    """Return a scenario in which those who nearly touch do, and who was moved, in words.

    Overlaps that are too deep, or find no room, are left: nobody may stand so (M-1.2).
    """
    limit = edition[KEY] * _MM
    tables = prepared(scenario, edition)
    first = _gaps(tables)
    near = {pair: gap for pair, gap in first.items() if within(abs(gap), limit)}
    foes = {pair for pair in near if _are_foes(tables, pair)}
    if not any(gap < -TOUCH or (gap > TOUCH and pair in foes) for pair, gap in near.items()):
        return scenario, ()
    deep = {pair for pair, gap in first.items() if not within(-gap, limit)}
    done = _moved_together(tables, foes, deep)
    return _told(scenario, tables, near) if done else (scenario, ())


def prepared(scenario: Scenario, edition: Edition) -> Tables:
    """Return the record of the kernels, shape (1,), with contacts."""
    tables = compile_table(scenario, edition)
    _contacts().prepare(tables)
    return tables


def _contacts() -> Any:
    """Return the kernels of contacts, loaded when they are needed."""
    from ...kernels.table import contacts

    return contacts


def _geometry() -> Any:
    """Return the kernels of shapes, loaded when they are needed."""
    from ...kernels.table import geometry

    return geometry


def _are_foes(tables: Tables, pair: Pair) -> bool:
    """Whether two are enemies: others, walls and edges may be near without touching."""
    i, j = pair
    side = tables[0]["bases"][:, Base.SIDE]
    return j < _TERRAIN and bool(side[i] != side[j])


def _gaps(tables: Tables) -> dict[Pair, float]:
    """Return the gaps of all that is near; below 0, the depth of an overlap."""
    return {pair: _gap(tables, pair) for pair in _neighbours(tables)}


def _neighbours(tables: Tables) -> Iterator[Pair]:
    """Yield who is so near to whom, or to what, that the circles round them nearly meet."""
    table = tables[0]
    n, level = int(table["n"]), table["bases"][:, Base.LEVEL]
    x, y, reach = (table[name][:n] for name in ("x", "y", "reach"))
    far = np.hypot(x[:, None] - x, y[:, None] - y) - reach[:, None] - reach
    for i, j in np.argwhere(np.triu(far <= 1.0, 1)).tolist():
        if level[i] == level[j]:
            yield i, j
    for i in range(n):
        if level[i] == 0:
            for k in np.flatnonzero(table["impassable"][: table["pieces"]]).tolist():
                yield i, _TERRAIN + k
        for side, (axis, _) in enumerate(_SIDES):
            at, size = (x, table["width"]) if axis == 0 else (y, table["depth"])
            if min(at[i], size - at[i]) <= reach[i] + 1.0:
                yield i, _EDGE + side


def _gap(tables: Tables, pair: Pair) -> float:
    i, j = pair
    if j < _TERRAIN:
        return float(_geometry().gap_between(tables, i, j))
    if j < _EDGE:
        return float(_geometry().gap_to_terrain(tables, i, j - _TERRAIN))
    axis, inwards = _SIDES[j - _EDGE]
    table = tables[0]
    if table["bases"][i][Base.SHAPE] == Shape.DISC:
        centre, reach = float(table["y" if axis else "x"][i]), float(table["reach"][i])
        low, high = centre - reach, centre + reach
    else:
        low, high = (float(end(table["hull"][i][:, axis])) for end in (np.min, np.max))
    return low if inwards > 0 else float(table["depth" if axis else "width"]) - high


def _shift(tables: Tables, i: int, x: float, y: float) -> None:
    row = tables[0]["bases"][i]
    row[Base.X], row[Base.Y] = row[Base.X] + x, row[Base.Y] + y
    _contacts().update(tables, i)


def _contact(tables: Tables, pair: Pair, gap: float) -> _Contact:
    slopes = []
    for x, y in ((_STEP, 0.0), (0.0, _STEP)):
        ends = []
        for sign in (1, -1):
            trial = tables.copy()
            _shift(trial, pair[0], sign * x, sign * y)
            ends.append(_gap(trial, pair))
        slopes.append((ends[0] - ends[1]) / (2 * _STEP))
    return _Contact(pair, gap, (slopes[0], slopes[1]))


def _moved_together(tables: Tables, wanted: set[Pair], deep: set[Pair]) -> bool:
    """Move bases until all who are wanted in contact are, and nobody newly overlaps."""
    for _ in range(_ROUNDS):
        gaps = _gaps(tables)
        left = {p: g for p, g in gaps.items() if p in wanted or (g < -_EXACT and p not in deep)}
        if all(abs(gap) <= TOUCH / 2 for gap in left.values()):
            return True
        _step(tables, [_contact(tables, pair, gap) for pair, gap in left.items()])
    return False


def _step(tables: Tables, contacts: list[_Contact]) -> None:
    """Move bases by the least, all together, that closes gaps and undoes overlaps."""
    for linked in _linked(contacts):
        if all(abs(contact.gap) <= _EXACT for contact in linked):
            continue
        bases = sorted({i for contact in linked for i in contact.pair if i < _TERRAIN})
        equations = np.zeros((len(linked), 2 * len(bases)))
        for row, (pair, _, normal) in zip(equations, linked, strict=True):
            for i, sign in zip(pair, (1, -1), strict=True):
                if i < _TERRAIN:
                    place = 2 * bases.index(i)
                    row[place : place + 2] = sign * normal[0], sign * normal[1]
        steps = np.linalg.lstsq(equations, [-contact.gap for contact in linked], rcond=1e-9)[0]
        for i, (x, y) in zip(bases, steps.reshape(-1, 2).tolist(), strict=True):
            _shift(tables, i, x, y)


def _linked(contacts: Iterable[_Contact]) -> list[list[_Contact]]:
    """Return contacts in groups that share no base."""
    groups: list[tuple[set[int], list[_Contact]]] = []
    for contact in contacts:
        bases = {i for i in contact.pair if i < _TERRAIN}
        own = [group for group in groups if group[0] & bases]
        groups = [group for group in groups if not group[0] & bases]
        members = [member for group in own for member in group[1]]
        groups.append((bases.union(*(group[0] for group in own)), [*members, contact]))
    return [members for _, members in groups]


def _told(
    scenario: Scenario, tables: Tables, near: dict[Pair, float]
) -> tuple[Scenario, tuple[str, ...]]:
    """Return the scenario as it stands now, and a remark on all who were moved."""
    fighters: list[Placed] = []
    told: list[str] = []
    for i, placed in enumerate(scenario.fighters):
        x, y = tables[0]["bases"][i][[Base.X, Base.Y]].tolist()
        far = hypot(x - placed.at[0], y - placed.at[1])
        fighters.append(replace(placed, at=(x, y)) if far > TOUCH else placed)
        if far > TOUCH:
            told.append(_moved(scenario, i, far / _MM, near))
    return replace(scenario, fighters=tuple(fighters)), tuple(told)


def _moved(scenario: Scenario, i: int, mm: float, near: dict[Pair, float]) -> str:
    """Return who was moved, how far, and to touch whom."""
    labels = [placed.label for placed in scenario.fighters]
    pairs = [pair for pair, gap in near.items() if i in pair and abs(gap) > TOUCH]
    others = [one if other == i else other for one, other in pairs]
    names = [labels[j] for j in others if j < _TERRAIN]
    names += [scenario.terrain[j - _TERRAIN].name for j in others if _TERRAIN <= j < _EDGE]
    names += [say("the edge")] * any(j >= _EDGE for j in others)
    whom = joined(", ", dict.fromkeys(names)) or say("its neighbours")
    return say(
        "{} was moved by {:.2g} mm so that it just touches {} ({})", labels[i], mm, whom, KEY
    )
