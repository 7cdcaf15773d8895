"""French words in situation files: keys and values as the sheet has them, without accents too."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..errors import InputError
from ..files.reading import shipped_file
from ..files.toml import Table, read_toml, validated
from ..letters import fold

_FILE = shipped_file("sheet/sheet-french.toml")


class _French(Table):
    keys: dict[str, str]
    words: dict[str, list[str]]


def plain(word: str) -> str:
    """Return a word as it is compared: any case, with or without accents, ``_`` or a space."""
    return " ".join(fold(word.replace("_", " ")).split())


@cache
def _french() -> _French:
    return validated(_French, read_toml(_FILE), str(_FILE))


@cache
def french_keys() -> dict[str, str]:
    """Return the English key of each French one, as `plain` has it."""
    return {plain(french): english for french, english in _french().keys.items()}


@cache
def french_words() -> tuple[tuple[str, str], ...]:
    """Return French words, as `plain` has them, with the name of the code that each means."""
    return tuple((plain(word), code) for code, words in _french().words.items() for word in words)


def in_english(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return a table of a situation with its French keys in English, and those of its tables."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        english = french_keys().get(plain(key), key)
        if english in found:
            raise InputError("{}: {}: is {} once more; leave out one of them", where, key, english)
        inner = value if isinstance(value, list) else [value]
        tables = [in_english(each, where) if isinstance(each, dict) else each for each in inner]
        found[english] = tables if isinstance(value, list) else tables[0]
    return found
