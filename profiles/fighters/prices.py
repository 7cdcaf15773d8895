"""What players ask for abilities: a list of prices in points, each of one thing or of a bundle."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from ..errors import InputError, suggestion
from ..files.reading import csv_rows, read_text, shipped_file
from ..letters import tidy
from ..message import joined, say
from .abilities import Ability, ability_or_why

PRICED = ("MOU", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS")  # on a card

_FILE = shipped_file("abilities/ability-prices.csv")
_HEADINGS = ("price_PA", "what", "source")
_KEY, _AMOUNT = rf"(?:{'|'.join(PRICED)})\b", r"[+−-][0-9]{1,2}(?:[.,][0-9]{1,2})?"
_BEFORE = re.compile(rf"({_AMOUNT}) ?({_KEY})")  # +1 INI
_BEHIND = re.compile(rf"({_KEY}(?: ?, ?{_KEY})*) ?({_AMOUNT})")  # ATT+1; INI, ATT, DEF +1
_CONDITION = re.compile(r"\(([^)]+)\) ?|(\w+) ?: ?")  # (two-handed) …; Monture: …


@dataclass(frozen=True)
class Change:
    """So much more of a characteristic of the card, or less."""

    key: str  # one of `PRICED`
    amount: float

    @property
    def label(self) -> str:
        """As ``+1 INI``."""
        return f"{self.amount:+g} {self.key}".replace("-", "−")


@dataclass(frozen=True)
class Unread:
    """A part of a bundle that is nothing this program knows."""

    label: str  # as found
    reason: str  # why it is not


Part: TypeAlias = Change | Ability | Unread


@dataclass(frozen=True)
class Price:
    """A line of the list."""

    points: int  # PA
    what: str  # as found
    parts: tuple[Part, ...]  # what is bought, in its order
    condition: str  # what the line says of the whole, as ``two-handed``
    source: str
    where: str  # file and line


@cache
def load_prices(path: Path = _FILE) -> tuple[Price, ...]:
    """Return the lines of a list of prices, the shipped one if not told.

    >>> line = next(line for line in load_prices() if line.what.startswith("INI, ATT"))
    >>> line.points, [part.label for part in line.parts]
    (8, ['+1 INI', '+1 ATT', '+1 DEF', '+1 FOR', 'Coup de maître/3'])
    """
    rows = csv_rows(read_text(path), path)
    line, headings = next(rows, (1, []))
    _check_headings([tidy(heading) for heading in headings], f"{path}:{line}")
    found: dict[str, Price] = {}
    for line, cells in rows:
        price = _price(cells, [tidy(heading) for heading in headings], f"{path}:{line}")
        first = found.setdefault(price.what, price)
        if first is not price:
            raise InputError(
                '{}, "what": {} has its price in {}', price.where, price.what, first.where
            )
    if not found:
        raise InputError("{}: no price below the headings", path)
    return tuple(found.values())


def parts_of(what: str) -> tuple[Part, ...]:
    """Return what a line sells, part by part; what cannot be read is a part too.

    >>> [part.label for part in parts_of("RES+5 MOU−2.5")]
    ['+5 RES', '−2.5 MOU']
    >>> parts_of("ATT+1 & Vivacité")[1]
    Unread(label='Vivacité', reason='is not known; nothing in W-7 is like it')
    """
    condition = _CONDITION.match(what)
    whole = what[condition.end() :] if condition else what
    return tuple(part for piece in whole.split("&") for part in _parts(piece.strip()))


def what_told(what: str) -> str:
    """Return what a line sells as a message: its pieces may be words of the program.

    Examples
    --------
    >>> what_told("(two-handed) FOR+3 & Éthéré")
    '(two-handed) FOR+3 & Éthéré'
    """
    condition = _CONDITION.match(what)
    pieces = joined(" & ", what[condition.end() if condition else 0 :].split(" & "))
    if condition is None:
        return pieces
    head = next(filter(None, condition.groups()))
    several = (say(pattern, head, pieces) for pattern in ("({}) {}", "{}: {}"))
    return next((told for told in several if told == what), what)


def _parts(piece: str) -> Iterator[Part]:
    """Yield the parts of a piece between two ``&``: characteristics, then what else there is."""
    while piece:
        before, behind = _BEFORE.match(piece), _BEHIND.match(piece)
        match = before or behind
        if match is None:
            head, _, piece = piece.partition(",")
            yield _named(head.strip())
        else:
            amount, keys = match.groups() if before else match.groups()[::-1]
            yield from (Change(key, _number(amount)) for key in re.findall(_KEY, keys))
            piece = piece[match.end() :]
        piece = piece.lstrip(" ,")


def _named(text: str) -> Part:
    """Return an ability; if it is none, why."""
    found = ability_or_why(text)
    return Unread(text, found) if isinstance(found, str) else found


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "."))


def _check_headings(headings: list[str], where: str) -> None:
    """Refuse a list without the three columns, or with others."""
    for number, heading in enumerate(headings, 1):
        if heading not in _HEADINGS or heading in headings[: number - 1]:
            known = suggestion(heading, _HEADINGS)
            raise InputError(
                '{}, column {}: heading "{}" is not right; {}', where, number, heading, known
            )
    missing = [heading for heading in _HEADINGS if heading not in headings]
    if missing:
        raise InputError("{}: no column is headed {}", where, missing)


def _price(cells: list[str], headings: list[str], where: str) -> Price:
    """Return a line of the list."""
    if len(cells) != len(headings):
        raise InputError("{}: {} cells below {} headings", where, len(cells), len(headings))
    values = dict(zip(headings, map(tidy, cells), strict=True))
    for heading, value in values.items():
        if not value:
            raise InputError('{}, "{}": the cell is empty', where, heading)
    points = values["price_PA"]
    if not re.fullmatch(r"[1-9][0-9]{0,3}", points):
        raise InputError(
            '{}, "price_PA": "{}" is not right: expected a whole number from 1 to 9999',
            where,
            points,
        )
    what = values["what"]
    parts = parts_of(what)
    if not parts:
        raise InputError(
            '{}, "what": "{}" is not right: expected what the price is of', where, what
        )
    condition = _CONDITION.match(what)
    said = next(filter(None, condition.groups())) if condition else ""
    return Price(int(points), what, parts, said, values["source"], where)
