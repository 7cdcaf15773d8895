"""The language of what people read: English as it is written here, or French.

Rows of results, names of columns and options, and commands are data: they stay as they are.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

LANGUAGES = ("en", "fr")

_language: ContextVar[str] = ContextVar("language", default="en")


def language() -> str:
    """Return the language in use, ``en`` or ``fr``."""
    return _language.get()


def use_language(name: str) -> None:
    """Show everything from here on in a language, ``en`` or ``fr``."""
    if name not in LANGUAGES:
        raise ValueError(f"language {name!r}: should be one of {', '.join(LANGUAGES)}")
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

    Examples
    --------
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

    Examples
    --------
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
    """Return a text in the language in use.

    Parameters
    ----------
    text : str
        English, with ``{names}`` where values stand.
    **values
        What stands there; texts among them are told in that language too, where known.
    """
    if _language.get() == "en":
        return text.format(**values) if values else text
    from .catalogue import catalogue

    return catalogue().formatted(text, values)


def translated(text: str, figures: bool = True) -> str:
    """Return a text that was put together in English in the language in use.

    What no message of the catalogue can have given stays as it is.

    Parameters
    ----------
    text : str
    figures : bool
        Also write numbers as the language does, ``12,5`` for ``12.5``, and tell single words
        in a text: not where a person is told what to type.
    """
    if _language.get() == "en":
        return text
    from .catalogue import catalogue

    return catalogue().told(text, figures)
