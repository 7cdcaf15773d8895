"""Texts for people: marked where they are written, filled, told in a language when shown.

`scripts/translate` finds the messages by the calls that make them, as `say`, `say_n` and `say_all`.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from numbers import Number
from string import Formatter
from textwrap import fill
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Message(str):
    """A finished text in English that knows what it was made of."""

    __slots__ = ("pattern", "plural", "values")
    # with ``{}`` or ``{names}`` where values stand; without values it is the text itself
    pattern: str
    # What stands there, by name or by number from 0: numbers, further messages, and names, which
    # are the same in every language; several with commas between them. Anything else becomes a
    # text.
    values: Mapping[int | str, Any]
    plural: str  # the pattern where the first value is not 1

    def __new__(
        cls, pattern: str, values: Mapping[Any, Any] | None = None, plural: str = ""
    ) -> "Message":
        """Make the text."""
        known = {name: _value(value) for name, value in (values or {}).items()}
        chosen = plural if plural and known[0] != 1 else pattern
        made = super().__new__(cls, Filling().filled(chosen, known) if known else chosen)
        made.pattern, made.values, made.plural = str.__str__(pattern), known, plural
        return made

    def __str__(self) -> str:
        """Return the message as it is: ``str()`` does not make it forget what it is made of."""
        return self

    def __add__(self, other: str) -> "Message":
        return _beside(self, other)

    def __radd__(self, other: str) -> "Message":
        return _beside(other, self)

    def __reduce__(self) -> tuple[type["Message"], tuple[Any, ...]]:
        return Message, (self.pattern, self.values, self.plural)


class Filling(Formatter):
    """Puts values into a pattern; ``{:wrap80}`` breaks a text into lines of 80 columns."""

    def filled(self, pattern: str, values: Mapping[int | str, Any]) -> str:
        """Return a pattern with values in it."""
        return self.vformat(pattern, (), cast("Mapping[str, Any]", values))

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[Any, Any]) -> Any:
        """Return a value by its name or its number."""
        return kwargs[key]

    def text(self, text: str) -> str:
        """Return a text among the values as it is shown."""
        return str.__str__(text)

    def number(self, text: str) -> str:
        """Return a number, written in English, as it is shown."""
        return text

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value as it stands in the text."""
        if isinstance(value, tuple):
            return ", ".join(self.format_field(each, format_spec) for each in value)
        if not isinstance(value, str):
            return self.number(format(value, format_spec))
        told = self.text(value)
        if format_spec.startswith("wrap"):
            return fill(told, int(format_spec[4:]))
        return format(told, format_spec)


def say(pattern: str, *values: Any) -> str:
    """Return a message with values in the order in which the pattern has places for them.

    >>> say("{:,} rows of {}", 1200, "a.csv"), say("{1} or {0}: {1}", 1, 2)
    ('1,200 rows of a.csv', '2 or 1: 2')
    """
    return Message(pattern, dict(zip(_places(pattern), values, strict=True)) if values else None)


def say_n(one: str, many: str, n: Any, *values: Any) -> str:
    """Return a message about a number of things, its first value.

    >>> say_n("{} die", "{} dice", 1), say_n("{} die", "{} dice", 0)
    ('1 die', '0 dice')
    """
    return Message(one, dict(enumerate((n, *values))), many)


def say_all(table: T) -> T:
    """Return texts as messages: one, or those of a tuple, a list or a mapping at any depth."""
    if isinstance(table, str):
        return cast(T, table if isinstance(table, Message) else Message(table))
    if isinstance(table, Mapping):
        return cast(T, {key: say_all(value) for key, value in table.items()})
    if isinstance(table, tuple | list):
        return cast(T, type(table)(say_all(value) for value in table))
    return table


def joined(separator: str, items: Iterable[str]) -> str:
    """Return texts as one, with a separator between any two.

    >>> joined("; ", ["one", "two"]), joined(say(" or "), ["one", "two", "three"])
    ('one; two', 'one or two or three')
    """
    values: dict[Any, str] = dict(enumerate(items))
    if not isinstance(separator, Message):
        return Message(separator.join(["{}"] * len(values)), values)
    return Message("{between}".join(f"{{{n}}}" for n in values), values | {"between": separator})


def parts(separator: str, text: str) -> list[str]:
    """Return what `joined` made a text of, or some text with such separators."""
    if isinstance(text, Message) and text.pattern == separator.join(["{}"] * len(text.values)):
        return list(text.values.values())
    return text.split(separator)


def series(items: Iterable[str], last: str) -> str:
    """Return texts as a list, with a word before the last one.

    >>> series(["one", "two", "three"], say(" and "))
    'one, two and three'
    """
    *some, end = items
    return joined(last, [joined(", ", some), end]) if some else joined("", [end])


def wrapped(text: str, width: int) -> str:
    """Return a text that is broken into lines once it is in the language that is shown."""
    return Message(f"{{:wrap{width}}}", {0: text})


def _beside(*texts: str) -> Message:
    """Return texts as one; signs alone, as "; ", belong to its pattern."""
    signs = [not isinstance(text, Message) and not any(map(str.isalnum, text)) for text in texts]
    pattern = "".join(text if sign else "{}" for text, sign in zip(texts, signs, strict=True))
    told = (text for text, sign in zip(texts, signs, strict=True) if not sign)
    return Message(pattern, dict(enumerate(told)))


def _value(value: Any) -> Any:
    """Return what a message keeps of a value; of a refusal, the message."""
    if isinstance(value, str | Number):
        return value
    if isinstance(value, Exception) and len(value.args) == 1 and isinstance(value.args[0], Message):
        return value.args[0]
    if isinstance(value, Iterable):
        return tuple(map(_value, value))
    return str(value)


@cache
def _places(pattern: str) -> tuple[int | str, ...]:
    """Return the names of the places for values in a pattern, or their numbers."""
    names = [name for _, name, _, _ in Formatter().parse(pattern) if name is not None]
    if all(name.isdigit() for name in names if name):
        return tuple(range(max((int(name) + 1 for name in names if name), default=len(names))))
    return tuple(dict.fromkeys(names))
