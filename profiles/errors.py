"""The one exception for input that cannot be used."""

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from .letters import fold, meant, visible
from .message import Message, joined, say

MOST = 400  # letters of a line about what went wrong

_SHOWN = 25  # most words of a list
_LISTED = 200  # most letters of a list
_VALUE = 60  # letters that are left of a long value
_LONG = 100  # most letters of a value that stays whole: more than a cut one has
_PATH = 200  # the same of a path, of which the end matters too
_HEAD, _TAIL = 100, 60  # letters that are left of a long path
_START, _END = 180, 170  # and of a line that is too long still
_QUOTED = re.compile(r"""(?<![\w"'])(["'])((?:(?!\1).)+)\1(?![\w"'])""", re.DOTALL)
_WORD = re.compile(rf"""(\S{{{_LONG + 1},}}?)([:;,.)"']{{0,3}})(?!\S)""")


class InputError(ValueError):
    """Input from a person cannot be used; the message is one line to show as it is.

    A line says where (file, line, column, option), what is wrong and what would be right. What
    cannot be seen in it is written as an escape, and long values are cut.

    Parameters
    ----------
    fault : str
        What is wrong: a message, or the pattern of one.
    *values
        As of `say`; without any, ``fault`` is the message.
    """

    def __init__(self, fault: str = "", *values: Any) -> None:
        super().__init__(fault if isinstance(fault, Message) else say(fault, *values))

    def __str__(self) -> str:
        return joined("\n", map(one_line, self.args))


class InputErrors(InputError):
    """Several faults, one line each, as the check of a whole file finds them."""

    def __init__(self, *faults: str) -> None:
        super().__init__(faults[0])
        self.args = faults


def one_line(message: str) -> str:
    """Return a message on one line of at most `MOST` letters, its long values cut."""
    short = _shortened(visible(message, kept=""))
    if short == message:
        return message
    if isinstance(message, Message) and message.values:
        for cut in (_cut, _cut_values):
            values = {name: _with_short(value, cut) for name, value in message.values.items()}
            told = Message(message.pattern, values, message.plural)
            if told == short:
                return told
    return short


def _with_short(value: Any, cut: Callable[[str], str]) -> Any:
    """Return a value of a message with what a person gave in it cut."""
    if isinstance(value, tuple):
        return tuple(_with_short(each, cut) for each in value)
    if isinstance(value, Message) and value.values:
        values = {name: _with_short(each, cut) for name, each in value.values.items()}
        return Message(value.pattern, values, value.plural)
    return cut(visible(value, kept="")) if isinstance(value, str) else value


def first_line(message: str) -> str:
    """Return the first line of a message."""
    return message.splitlines()[0] if "\n" in message else message


def _shortened(line: str) -> str:
    if len(line) <= _LONG:
        return line
    line = _cut_values(line, _PATH)
    if len(line) > MOST:
        line = _cut_values(line, _LONG)
    return _without_middle(line, _START, _END) if len(line) > MOST else line


def brief(text: str) -> str:
    """Return a text that a person gave, cut where it is long, with how much was left out.

    >>> brief("a" * 5000)[50:]
    'aaaaaaaaaa… (4,940 more characters)'
    """
    if len(text) <= _LONG:
        return text
    return say("{}… ({:,} more characters)", text[:_VALUE], len(text) - _VALUE)


def echoed(value: object) -> str:
    """Return a value of a file as it is written, cut where it is long."""
    text = repr(value)
    if isinstance(value, str):
        return text[0] + brief(text[1:-1]) + text[-1]
    return brief(text)


def _cut(text: str, longest_path: int = _PATH) -> str:
    """Return a value, cut where it is long."""
    if len(text) <= _LONG:
        return text
    if not set(text) & set("/\\"):
        return brief(text)
    return _without_middle(text, _HEAD, _TAIL) if len(text) > longest_path else text


def _cut_values(message: str, longest_path: int = _PATH) -> str:
    """Return a message with long values cut: what stands in quotes, and long words."""

    def cut(text: str) -> str:
        return _cut(text, longest_path)

    message = _QUOTED.sub(lambda found: found[1] + cut(found[2]) + found[1], message)
    return _WORD.sub(lambda found: cut(found[1]) + found[2], message)


def _without_middle(text: str, head: int, tail: int) -> str:
    left_out = len(text) - head - tail
    return say("{}… ({:,} more characters) …{}", text[:head], left_out, text[-tail:])


def nearest(word: str, known: Iterable[str], count: int = 3, likeness: float = 0.6) -> list[str]:
    """Return the known words nearest to one that was mistyped, best first, if like enough."""
    if len(word) > _LONG:  # nobody mistypes that, and comparing takes its square
        return []
    by_fold: dict[str, dict[str, None]] = {}
    for name in known:
        by_fold.setdefault(fold(name), {})[name] = None
    close = get_close_matches(fold(word), by_fold, n=count, cutoff=likeness)
    return [name for near in close for name in by_fold[near]]


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: the nearest ones, or the first.

    >>> suggestion("many_dise", ["many_dice", "opposed_tie"])
    'nearest: many_dice'
    >>> suggestion("x", ["many_dice", "opposed_tie"])
    'known: many_dice, opposed_tie'
    """
    names = list(known)
    near = nearest(word, names)
    if near:
        return say("nearest: {}", near)
    return say("known: {}", first_of(names))


def place_of(name: str, names: Sequence[str], fault: str) -> int:
    """Return the place of a name in any case, with or without accents; ``fault`` that none is."""
    folded = [fold(each) for each in names]
    if fold(name) not in folded:
        raise InputError("{}; {}", fault, suggestion(name, names))
    return folded.index(fold(name))


def meant_place(name: str, names: Sequence[str], where: str, fault: str, begun: bool = True) -> int:
    """Return the place of the one name that is meant; ``fault`` that none is like it."""
    found = meant(name, names, begun)
    if not found:
        raise InputError("{}: {}; {}", where, fault, suggestion(name, names))
    if len(found) > 1:
        several = first_of((names[place] for place in found), "; ")
        raise InputError('{}: "{}" could be {}', where, name, several)
    return found[0]


def first_of(words: Iterable[str], mark: str = ", ") -> str:
    """Return the first of some words of a person's, as many as a line about them may hold."""
    told: list[str] = []
    every = list(words)
    for word in map(brief, every[:_SHOWN]):
        if told and sum(map(len, told)) + len(mark) * len(told) + len(word) > _LISTED:
            break
        told.append(word)
    told += ["…"] * (len(told) < len(every))
    is_cut = any(isinstance(word, Message) for word in told)
    return joined(mark, told) if is_cut else mark.join(told)  # nothing else is in any language
