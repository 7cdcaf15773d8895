"""Who stands beside whom: lines, blocks of hexes, a flower, a situation's units; orders."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...kernels.layout.sheet import MAX_PIECES, Cohesion, Kind
from ...profiles.errors import InputError, suggestion
from ...profiles.letters import fold
from ...profiles.message import say
from ...profiles.sheet.hexes import distance
from ...profiles.sheet.pieces import Situation
from ..sheet.question import side_of

FORMS = ("line:N", "double:N", "block:RxC", "flower")
OUTWARD, INWARD, BEST, WORST = "outward", "inward", "best", "worst"
_NAMED = (OUTWARD, INWARD, BEST, WORST)

Order = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Friendly units, and who is beside whom (S1)."""

    told: str  # what a person writes for it
    names: tuple[str, ...]  # of the units, each once
    neighbours: tuple[int, ...]  # of each unit, as bits
    side: str = ""  # whose units they are, of a situation

    def __post_init__(self) -> None:
        if not 1 <= len(self.names) <= MAX_PIECES:
            raise _size(self.told, len(self.names))
        for place, name in enumerate(self.names):
            if fold(name) in map(fold, self.names[:place]):
                raise InputError('layout "{}": "{}" is there twice; rename one', self.told, name)
            if "," in name:
                raise InputError(
                    'layout "{}": "{}" should have no comma, as lists do', self.told, name
                )

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def of_pairs(
        cls, told: str, names: Sequence[str], pairs: Iterable[tuple[int, int]]
    ) -> "Layout":
        """Return the layout in which the units of each pair, told by number, are adjacent."""
        words = [0] * len(names)
        for one, other in pairs:
            if one == other:
                raise InputError('layout "{}": {} cannot be beside itself', told, names[one])
            words[one] |= 1 << other
            words[other] |= 1 << one
        return cls(told, tuple(names), tuple(words))

    def place(self, text: str, where: str) -> int:
        """Return the unit that a name or a number (of units without names) means."""
        by_name = {fold(name): i for i, name in enumerate(self.names)}
        unit = by_name.get(fold(text))
        if unit is None and text.strip().isdecimal() and int(text) < len(self):
            unit = int(text)
        if unit is None:
            raise InputError(
                '{}: layout "{}" has no unit "{}"; {}',
                where,
                self.told,
                text.strip(),
                suggestion(text, self.names),
            )
        return unit

    def distances(self, routed: Iterable[int]) -> list[int]:
        """Return how many steps each unit is from the nearest of some; the number of units: never.

        >>> layout_of("line:4").distances([1])
        [1, 0, 1, 2]
        """
        found = [len(self)] * len(self)
        layer = list(dict.fromkeys(routed))
        for unit in layer:
            found[unit] = 0
        while layer:
            unit = layer.pop(0)
            for other in bits(self.neighbours[unit]):
                if found[other] == len(self):
                    found[other] = found[unit] + 1
                    layer.append(other)
        return found

    def outward(self, routed: Iterable[int]) -> Order:
        """Return the order from the units in rout outward, by number at the same distance."""
        distance = self.distances(routed)
        return tuple(sorted(range(len(self)), key=lambda unit: (distance[unit], unit)))

    def inward(self, routed: Iterable[int]) -> Order:
        """Return the order from the farthest units inward, by number at the same distance."""
        distance = self.distances(routed)
        return tuple(sorted(range(len(self)), key=lambda unit: (-distance[unit], unit)))

    def listed(self, text: str) -> Order:
        """Return the order that a list of all units says."""
        where = say('order "{}"', text)
        found = tuple(self.place(word, where) for word in text.split(","))
        for unit in range(len(self)):
            if found.count(unit) != 1:
                fault = say("is missing" if unit not in found else "is there twice")
                raise InputError(
                    "{}: {} {}; name each of the {} units once",
                    where,
                    self.names[unit],
                    fault,
                    len(self),
                )
        return found

    def told_order(self, order: Order) -> str:
        """Return an order as a person writes it."""
        return ",".join(self.names[unit] for unit in order)


def bits(word: int) -> list[int]:
    """Return the numbers of the bits of a set.

    >>> bits(0b1101)
    [0, 2, 3]
    """
    return [i for i in range(word.bit_length()) if word >> i & 1]


def checked_order(layout: Layout, text: str) -> str:
    """Return an order that a layout has: ``outward``, ``inward``, ``best``, ``worst`` or a list."""
    word = text.strip().lower()
    if word in _NAMED:
        return word
    if "," not in text and len(layout) > 1:
        raise InputError(
            'order "{}" should be a list of all units, as {}, or a word; {}',
            text,
            layout.told_order(tuple(range(min(3, len(layout))))),
            suggestion(text, _NAMED),
        )
    return layout.told_order(layout.listed(text))


def layout_of(text: str) -> Layout:
    """Return the layout that a text says.

    ``line:N`` is a line of N units; ``block:RxC`` is R rows of C hexes, odd rows half a hex to
    the right; ``double:N`` is two ranks of N, a block of two rows; ``flower`` is a hex and the
    six around it. Units are numbered from 0, row by row; the centre of a flower is 0.

    >>> layout_of("double:3").neighbours == layout_of("block:2x3").neighbours
    True
    """
    word = text.strip().lower()
    if word == "flower":
        ring = [(i, i % 6 + 1) for i in range(1, 7)]
        return _numbered(word, 7, [*ring, *((0, i) for i in range(1, 7))])
    found = re.fullmatch(r"(line|double):(\d{1,4})|block:(\d{1,4})x(\d{1,4})", word)
    if not found:
        near = suggestion(word.partition(":")[0], ("line", "double", "block", "flower"))
        raise InputError('layout "{}" should be {}; {}', text, FORMS, near)
    form, length, rows, columns = found.groups()
    if form:
        rows, columns = ("1" if form == "line" else "2"), length
    return _block(word, int(rows), int(columns))


def _size(told: str, units: int) -> InputError:
    return InputError('layout "{}" has {} units: it should have 1 to {}', told, units, MAX_PIECES)


def _numbered(told: str, units: int, pairs: Iterable[tuple[int, int]]) -> Layout:
    return Layout.of_pairs(told, [str(i) for i in range(units)], pairs)


def _block(told: str, rows: int, columns: int) -> Layout:
    """Return rows of hexes, odd ones half a hex to the right."""
    if not 1 <= rows * columns <= MAX_PIECES:
        raise _size(told, rows * columns)
    pairs = []
    for row in range(rows):
        for column in range(columns):
            unit, shift = row * columns + column, row % 2
            if column + 1 < columns:
                pairs.append((unit, unit + 1))
            below = [c for c in (column - 1 + shift, column + shift) if 0 <= c < columns]
            pairs += [(unit, (row + 1) * columns + c) for c in below if row + 1 < rows]
    return _numbered(told, rows * columns, pairs)


def layout_of_situation(situation: Situation, side: str | None = None) -> tuple[Layout, list[str]]:
    """Return a side's Units as a layout, the first side's if none is given, and who is routed now.

    Units in one hex or in neighbouring ones, with no wall between, are adjacent (Q23).
    """
    name = situation.sides[side_of(situation, side)]
    units = [
        piece
        for piece in situation.pieces
        if piece.side == name and piece.kind != Kind.DECOY and piece.place is not None
    ]
    if not units:
        raise InputError("{}: no Unit of {} is on the map", situation.name, name)
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
