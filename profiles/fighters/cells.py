"""What a cell of a fighter file may hold: each kind reads a cell, or refuses it.

A kind also accepts the value that it returns itself, so that values typed by a person
and values given by a program are checked by the same line.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import InputError
from ..letters import code_point, fold, hidden
from ..message import say


class Kind(Protocol):
    """A kind of cell."""

    @property
    def expected(self) -> str:
        """What a right cell holds, as the end of "expected ..."."""

    def read(self, raw: object) -> object:
        """Return the value of a cell; raise ``InputError(expected)`` for nonsense."""

    def write(self, value: object) -> str:
        """Return the cell that reads as this value."""


def read_cells(kind: Kind, cells: Sequence[str]) -> list[Any]:
    """Return the values of a column, each an error where its cell is wrong; equal cells as one."""
    values: dict[str, Any] = {}
    for cell in dict.fromkeys(cells):
        try:
            values[cell] = kind.read(cell)
        except InputError as error:
            values[cell] = error
    return [values[cell] for cell in cells]


@dataclass(frozen=True)
class Text:
    """Free text, on one line; ``required`` text is a name, which can be typed and found."""

    required: bool = False

    @property
    def expected(self) -> str:
        """What a right cell holds."""
        if self.required:
            return say("a name, without @, nor a quote or - in front")
        return say("text without invisible characters")

    def read(self, raw: object) -> str:
        """Return the text with single spaces."""
        if not isinstance(raw, str):
            raise InputError(self.expected)
        text = " ".join(raw.split())
        letter = None if text.isprintable() else hidden(text)
        if letter is not None:
            raise InputError("text without the invisible character {}", code_point(letter))
        if self.required and not is_name(text):
            raise InputError(self.expected)
        return text

    def write(self, value: object) -> str:
        """Return the text."""
        return str(value)


def is_name(text: str) -> bool:
    """Return whether a fighter can be called so: typed, found, and followed by @origin."""
    return bool(text) and text[0] not in '-"“”„«' and set("@＠﹫").isdisjoint(text)


@dataclass(frozen=True)
class Number:
    """A number from 0 to ``high`` with at most ``decimals`` decimals; empty is unknown."""

    high: int
    decimals: int = 0

    @property
    def expected(self) -> str:
        """What a right cell holds."""
        what = say("a whole number")
        if self.decimals:
            what = say("a number with at most {} decimals", self.decimals)
        return say("{} from 0 to {}, or nothing if unknown", what, self.high)

    def read(self, raw: object) -> float | None:
        """Return an int, a float where decimals are allowed, or None."""
        if isinstance(raw, str):
            raw = self._number(raw.strip())
        if raw is None:
            return None
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            raise InputError(self.expected)
        if not 0 <= raw <= self.high or round(raw, self.decimals) != raw:
            raise InputError(self.expected)
        return abs(float(raw)) if self.decimals else int(raw)

    def _number(self, text: str) -> float | None:
        if not text:
            return None
        if not re.fullmatch(r"[0-9]{1,9}([.,][0-9]{1,9})?", text):
            raise InputError(self.expected)
        return float(text.replace(",", "."))

    def write(self, value: object) -> str:
        """Return the shortest text of the number, nothing for None."""
        return "" if value is None else f"{value:.9g}"


class Choice:
    """One word of a list, in any of its spellings; empty is unknown."""

    def __init__(self, words: Mapping[str, Iterable[str]]):
        self._words = {fold(w): word for word, others in words.items() for w in (word, *others)}
        self.expected = say("one of {}, or nothing", words)

    def read(self, raw: object) -> str:
        """Return the first spelling of the word, or the empty string."""
        if not isinstance(raw, str):
            raise InputError(self.expected)
        word = fold(raw)
        if word and word not in self._words:
            raise InputError(self.expected)
        return self._words.get(word, "")

    def write(self, value: object) -> str:
        """Return the word."""
        return str(value)


class Words:
    """Several texts in one cell, separated by ``|`` (or ``;``)."""

    expected = say("abilities separated by |")

    def read(self, raw: object) -> tuple[str, ...]:
        """Return the texts that are not empty."""
        if isinstance(raw, str):
            raw = re.split(r"[|;]", raw)
        if not isinstance(raw, list | tuple):
            raise InputError(self.expected)
        words = tuple(Text().read(word) for word in raw)
        if any("|" in word or ";" in word for word in words):
            raise InputError(self.expected)
        return tuple(word for word in words if word)

    def write(self, value: object) -> str:
        """Return the texts joined by ``|``."""
        return "|".join(self.read(value))


class Base:
    """Dimensions of a base in mm: ``25x50`` (width, depth) or a diameter; empty is unknown."""

    expected = say("a base in mm like 25x50 or (a diameter) 30, or nothing if unknown")

    def read(self, raw: object) -> str:
        """Return the dimensions as ``25x50`` or ``30``."""
        if not isinstance(raw, str):
            raise InputError(self.expected)
        text = re.sub(r"\s*[x×*]\s*", "x", raw.strip().lower()).replace(",", ".")
        side = r"[1-9][0-9]{0,2}(\.[0-9])?"
        if text and not re.fullmatch(rf"{side}(x{side})?", text):
            raise InputError(self.expected)
        return text

    def write(self, value: object) -> str:
        """Return the dimensions."""
        return str(value)


class Ranges:
    """Three ascending ranges of a weapon in cm, as ``25/45/65``; ``-/5/10`` has no short one."""

    expected = say("three ascending ranges in cm like 25/45/65 or -/5/10, or nothing if unknown")

    def read(self, raw: object) -> str:
        """Return the ranges as ``25/45/65``."""
        if not isinstance(raw, str):
            raise InputError(self.expected)
        text = re.sub(r"\s+", "", raw).replace(",", ".")
        number = r"[1-9][0-9]{0,2}(\.[0-9])?"
        text = re.sub(f"^({number})-({number})-({number})$", r"\1/\3/\5", text)
        if not text:
            return ""
        if not re.fullmatch(f"({number}|-)/{number}/{number}", text):
            raise InputError(self.expected)
        short, medium, long = ranges_of(text)
        if not short < medium < long:
            raise InputError(self.expected)
        return text

    def write(self, value: object) -> str:
        """Return the ranges."""
        return str(value)


def ranges_of(text: str) -> tuple[float, float, float]:
    """Return the ranges of a cell that `Ranges` has read; 0 where there is no short one."""
    short, medium, long = text.split("/")
    return float(short.replace("-", "0")), float(medium), float(long)
