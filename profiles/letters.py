"""The letters of what people write: when names are the same, and what cannot be seen.

Names are compared as people type them: in any case, with or without accents. What a terminal
would obey or hide is refused in texts that are read, and shown in those told: control characters
(escape sequences, line ends, NUL), marks that turn the direction of writing, letters without
width, separators of lines, and bytes that are no text: the categories Cc, Cf, Cs, Zl and Zp of
Unicode, without exception.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import filterfalse
from typing import Any

_SIGNS = str.maketrans({"’": "'", "ʼ": "'", "‑": "-"})
_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l"})

SPELLED, ALIKE, BEGUN_SO, BEGUN = range(4)  # how a text is like a name, best first

_SPOKEN = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_FORMATS = (  # Cf: regular expressions do not know categories
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
_HIDDEN = re.compile(f"[\\x00-\\x1f\\x7f-\\x9f\u2028\u2029\\ud800-\\udfff{_FORMATS}]")
_STARTS = ("=", "@", "\t", "\r", "+", "-", "'")
_FORMULA = re.compile(r"""'*(?:[=@\t\r]|[+-].*[(|!=&^<>:;"*@])""", re.DOTALL)
_ESCAPE = re.compile(r"\\[bfnrtuUxe]")
_BYTES = range(0xDC80, 0xDD00)  # letters that stand for a byte of a path that is no text


def tidy(text: str) -> str:
    """Return the text with every run of white space, line ends included, as one space."""
    return " ".join(text.split())


@lru_cache(maxsize=8192)
def spelled(text: str) -> str:
    """Return the form in which two names are the same one: in any case, with the same accents.

    >>> spelled("L’ÉLU") == spelled("l'élu"), spelled("élu") == spelled("elu")
    (True, False)
    """
    return unicodedata.normalize("NFC", tidy(text).casefold()).translate(_SIGNS)


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the form in which two spellings of a name are equal, whatever their accents.

    >>> fold("  L’Animæ  SYLVESTRE ") == fold("l'animae sylvestre")
    True
    """
    parts = unicodedata.normalize("NFKD", " ".join(text.split()).casefold())
    bare = "".join(filterfalse(unicodedata.combining, parts))
    return bare.translate(_SIGNS).translate(_LETTERS)


def likeness(text: str, name: str) -> int | None:
    """Return how a text is like a name: 0 the same, more the less it is; None if it is not.

    >>> [likeness(text, "Péché") for text in ("péché", "peche", "péc", "pec", "ché")]
    [0, 1, 2, 3, None]
    """
    typed, full = fold(text), fold(name)
    if typed == full:
        return SPELLED if spelled(text) == spelled(name) else ALIKE
    if not typed or not full.startswith(typed):
        return None
    # accents that were typed are meant; those that were not may have been left out
    accents = spelled(text) != typed
    return BEGUN_SO if accents and spelled(name).startswith(spelled(text)) else BEGUN


def meant(text: str, names: Sequence[str], begun: bool = True) -> list[int]:
    """Return the places of the names that a text is most like; of none: none.

    Case and accents count only where names differ by nothing else. Without ``begun`` a beginning
    of a name is not like it.

    >>> meant("elu", ["Élu", "Elu", "Elue"]), meant("elu", ["Élu", "Élue"])
    ([1], [0])
    >>> meant("peche", ["Péché", "Pêche"]), meant("pê", ["Péché", "Pêche"])
    ([0, 1], [1])
    """
    found = [(likeness(text, name), place) for place, name in enumerate(names)]
    last = BEGUN if begun else ALIKE
    like = [(rank, place) for rank, place in found if rank is not None and rank <= last]
    return [place for rank, place in like if rank == min(like)[0]]


def hidden(text: str, allowed: str = "") -> str | None:
    r"""Return the first character of a text that cannot be seen; None if there is none.

    >>> hidden("Ogre\x1b[31m")
    '\x1b'
    """
    return next((found[0] for found in _HIDDEN.finditer(text) if found[0] not in allowed), None)


def code_point(letter: str) -> str:
    """Return how a character is named that cannot be shown, as ``U+001B``."""
    return f"U+{ord(letter):04X}"


def visible(text: str, kept: str = "\n") -> str:
    r"""Return a text that can be shown anywhere: what cannot be seen is written as an escape.

    >>> visible("a\x1b[31m")
    'a\\x1b[31m'
    """
    return _HIDDEN.sub(lambda found: found[0] if found[0] in kept else _escape(found[0]), text)


def json_safe(text: str) -> str:
    """Return JSON in which what cannot be seen is written as an escape; it means the same."""

    def escape(found: re.Match[str]) -> str:
        code = ord(found[0])
        if code >= 0x10000:
            high, low = divmod(code - 0x10000, 0x400)
            return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
        return found[0] if found[0] == "\n" else f"\\u{code:04x}"

    return _HIDDEN.sub(escape, text)


def _escape(letter: str) -> str:
    """Return a character as a programmer writes it; a byte that is no text by its number."""
    code = ord(letter)
    if code in _BYTES:
        code -= 0xDC00
    if letter in _SPOKEN:
        return _SPOKEN[letter]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def as_cell(text: str) -> str:
    """Return a text as a cell of a CSV file that no spreadsheet takes for a formula.

    An apostrophe in front makes it a text there; `from_cell` takes it off. Signed numbers, and
    texts such as ``+1 ATT``, which can do nothing, stay as they are.

    >>> as_cell("=1+2"), as_cell("-5"), from_cell("'=1+2")
    ("'=1+2", '-5', '=1+2')
    """
    return "'" + text if text[:1] in _STARTS and _FORMULA.match(text) else text


def from_cell(cell: str) -> str:
    """Return the text of a cell that `as_cell` has made, or a spreadsheet; any other as it is."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell, 1) else cell


def hidden_in(table: Mapping[str, Any], source: str) -> tuple[str, str, int] | None:
    """Return where a file has a character that cannot be seen: its key, it, and the line."""
    raw = hidden(source, "\n\r\t")
    if raw is None and not _ESCAPE.search(source):
        return None
    is_long = '"""' in source or "'''" in source
    for key, text in _texts(table, ""):
        letter = hidden(text, "\n\t" if is_long else "")
        if letter is not None:
            return key, letter, _line(source, letter)
    return None


def _texts(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """Yield each text below a value, and its key; the keys too, which have none."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield "", name
            yield from _texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, key)


def _line(source: str, letter: str) -> int:
    """Return the first line on which a character stands, as it is or as an escape."""
    code = ord(letter)
    short = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r", "\x1b": "e"}.get(letter, "")
    escapes = rf"\\(?:u{code:04x}|U{code:08x}|x{code:02x}{f'|{short}' if short else ''})"
    as_is = "" if letter in "\n\r\t" else f"|{re.escape(letter)}"
    found = re.search(f"(?i:{escapes}){as_is}", source)
    return source.count("\n", 0, found.start() if found else 0) + 1
