"""The language of what people read: English as it is written here, or French.

Rows of results, names of columns and options, and commands are data: they stay as they are.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...profiles.message import Filling, Message, say

if TYPE_CHECKING:
    from gettext import GNUTranslations

LANGUAGES = ("en", "fr")
# name and folder, as gettext wants them
CATALOGUE = ("estoc", str(Path(__file__).parent))

_SPACED = re.compile(r"(?<=\S)(?=[:;](?:\s|$))| (?=%)")  # where French has a no-break space
_HOLE = re.compile(r"\{[^{}]*\}")
_FIGURES = re.compile(r"(?<![\w.,/])(?<![A-Z]-)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\w|,\d|\.\d|/\d)")
_THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"

_language: ContextVar[str] = ContextVar("language", default="en")


def language() -> str:
    """Return the language in use, ``en`` or ``fr``."""
    return _language.get()


def use_language(name: str) -> None:
    """Show everything from here on in a language, ``en`` or ``fr``."""
    if name not in LANGUAGES:
        raise ValueError(say("language {!r}: should be one of {}", name, LANGUAGES))
    _language.set(name)


@contextmanager
def spoken(name: str) -> Iterator[None]:
    """Show everything inside a ``with`` block in a language."""
    before = _language.get()
    use_language(name)
    try:
        yield
    finally:
        _language.set(before)


def usual_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the surroundings ask for: ``ESTOC_LANG``, else the locale.

    >>> usual_language({"LANG": "fr_FR.UTF-8"})
    'fr'
    >>> usual_language({"LC_ALL": "C", "LANG": "fr_FR.UTF-8"})
    'en'
    """
    for name in ("ESTOC_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return "fr" if environment[name].lower().startswith("fr") else "en"
    return "en"


def language_of(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the language that words of a command line ask for, and the other words.

    Nothing is taken behind ``--``; the last ``--lang`` counts.

    >>> language_of(["duel", "A", "B", "--lang", "fr", "--best"])
    ('fr', ['duel', 'A', 'B', '--best'])
    >>> language_of(["--lang=en", "duel", "--", "--lang"])
    ('en', ['duel', '--', '--lang'])
    """
    asked: str | None = None
    others: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            return asked, [*others, word, *left]
        if word == "--lang" and left:
            asked = left.pop(0)
        elif word.startswith("--lang="):
            asked = word.partition("=")[2]
        else:
            others.append(word)
    return asked, others


def tr(text: str, **values: object) -> str:
    """Return a message with values in it, as of `say`, in the language in use."""
    return translated(Message(text, values))


def translated(text: str, figures: bool = True) -> str:
    """Return a text in the language in use: a message, or a word that is one by itself.

    Parameters
    ----------
    text : str
    figures : bool
        Also write numbers as the language does, ``12,5`` for ``12.5``, and tell single words
        in a text: not where a person is told what to type.
    """
    return str.__str__(text) if _language.get() == "en" else _told(text, figures)


def _told(text: str, figures: bool) -> str:
    if isinstance(text, Message) and text.values:
        return _French(figures).filled(_looked_up(text), text.values)
    if not any(map(str.isalpha, text)):
        return _figures(text) if figures else str.__str__(text)
    return _looked_up(text) if isinstance(text, Message) else _translations().gettext(text)


def _looked_up(message: Message) -> str:
    """Return the pattern of a message in French; of one without words, its own."""
    pattern, plural = message.pattern, message.plural
    french = _translations()
    told = (
        french.ngettext(pattern, plural, message.values[0]) if plural else french.gettext(pattern)
    )
    if told != pattern or any(map(str.isalpha, _HOLE.sub("", pattern))):
        return told
    return _SPACED.sub("\N{NO-BREAK SPACE}", pattern)


@cache
def _translations() -> "GNUTranslations":
    """Return the French that comes with the program."""
    from gettext import translation

    return translation(*CATALOGUE, languages=["fr"])


class _French(Filling):
    """Puts values into a French pattern."""

    def __init__(self, figures: bool) -> None:
        self.figures = figures

    def text(self, text: str) -> str:
        """Return a message, or a word, in French; as it is if it may be one that is typed."""
        if isinstance(text, Message) or self.figures or " " in text:
            return _told(text, self.figures)
        return text

    def number(self, text: str) -> str:
        """Return a number as French writes it."""
        return _figures(text) if self.figures else text


def _figures(text: str) -> str:
    """Return the numbers of a text as French writes them.

    >>> _figures("12.50 / 0.5 of 1,000 in 0.1.0, 2/0")
    '12,50 / 0,5 of 1\u202f000 in 0.1.0, 2/0'
    """

    def french(match: re.Match[str]) -> str:
        return match[1].replace(",", _THIN_SPACE) + (match[2] or "").replace(".", ",")

    return _FIGURES.sub(french, text)
