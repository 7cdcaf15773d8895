"""Texts for people: marked where they are written, filled by name, told in a language when shown.

`scripts/translate` finds the messages by the calls that make them: `say`, `say_n` and `say_all`.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from numbers import Number
from string import Formatter
from textwrap import fill
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Message(str):
    """A finished text in English that knows what it was made of.

    Parameters
    ----------
    pattern : str
        With ``{names}`` where values stand; without values it is the text itself.
    values : mapping
        What stands there: numbers, further messages, and names, which are the same in every
        language. Anything else becomes a text.
    plural : str
        The pattern where the value ``n`` is not 1.
    """

    __slots__ = ("pattern", "plural", "values")
    pattern: str
    values: Mapping[str, Any]
    plural: str

    def __new__(
        cls, pattern: str, values: Mapping[str, Any] | None = None, plural: str = ""
    ) -> "Message":
        """Make the text."""
        known = {name: _value(value) for name, value in (values or {}).items()}
        chosen = plural if plural and known["n"] != 1 else pattern
        made = super().__new__(cls, Filling().vformat(chosen, (), known) if known else chosen)
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
    """Puts values into a pattern; ``{text:fold80}`` breaks a text into lines of 80 columns."""

    def text(self, text: str) -> str:
        """Return a text among the values as it is shown."""
        return str.__str__(text)

    def number(self, text: str) -> str:
        """Return a number, written in English, as it is shown."""
        return text

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value as it stands in the text."""
        if not isinstance(value, str):
            return self.number(format(value, format_spec))
        told = self.text(value)
        if format_spec.startswith("fold"):
            return fill(told, int(format_spec[4:]))
        return format(told, format_spec)


def say(pattern: str, *values: Any, **named: Any) -> Message:
    """Return a message; values in the order in which the pattern names them, or by name.

    Examples
    --------
    >>> say("{rows:,} rows of {path}", 1200, "a.csv")
    '1,200 rows of a.csv'
    """
    known = dict(zip(_names(pattern), values, strict=True)) if values else {}
    return Message(pattern, known | named)


def say_n(one: str, many: str, n: Any, **named: Any) -> Message:
    """Return a message about a number ``n`` of things.

    Examples
    --------
    >>> say_n("{n} die", "{n} dice", 1), say_n("{n} die", "{n} dice", 0)
    ('1 die', '0 dice')
    """
    return Message(one, {"n": n, **named}, many)


def say_all(table: T) -> T:
    """Return texts as messages: one, or those of a tuple, a list or a mapping at any depth."""
    if isinstance(table, str):
        return cast(T, Message(table))
    if isinstance(table, Mapping):
        return cast(T, {key: say_all(value) for key, value in table.items()})
    if isinstance(table, tuple | list):
        return cast(T, type(table)(say_all(value) for value in table))
    return table


def joined(separator: str, items: Iterable[str]) -> Message:
    """Return texts as one, with a separator between any two.

    Examples
    --------
    >>> joined("; ", ["one", "two"]), joined(say(" or "), ["one", "two", "three"])
    ('one; two', 'one or two or three')
    """
    values = {f"i{n}": item for n, item in enumerate(items)}
    pattern = separator.join(f"{{{name}}}" for name in values)
    if isinstance(separator, Message):
        pattern = "{between}".join(f"{{{name}}}" for name in values)
        values["between"] = separator
    return Message(pattern, values)


def series(items: Iterable[str], last: str) -> Message:
    """Return texts as a list, with a word before the last one.

    Examples
    --------
    >>> series(["one", "two", "three"], say(" and "))
    'one, two and three'
    """
    *some, end = items
    return joined(last, [joined(", ", some), end]) if some else joined("", [end])


def folded(text: str, width: int) -> Message:
    """Return a text that is broken into lines once it is in the language that is shown."""
    return Message(f"{{text:fold{width}}}", {"text": text})


def _beside(*texts: str) -> Message:
    """Return texts as one; signs alone, as "; ", belong to its pattern."""
    values = {f"i{n}": text for n, text in enumerate(texts)}
    signs = {
        n for n, t in values.items() if not isinstance(t, Message) and not any(map(str.isalnum, t))
    }
    pattern = "".join(values[n] if n in signs else f"{{{n}}}" for n in values)
    return Message(pattern, {n: text for n, text in values.items() if n not in signs})


def _value(value: Any) -> Any:
    """Return what a message keeps of a value; of a refusal, the message."""
    if isinstance(value, str | Number):
        return value
    if isinstance(value, Exception) and len(value.args) == 1 and isinstance(value.args[0], Message):
        return value.args[0]
    return str(value)


@cache
def _names(pattern: str) -> tuple[str, ...]:
    """Return the names in a pattern, each once."""
    return tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(pattern) if name))
