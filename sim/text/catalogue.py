"""French for what the program tells: a gettext catalogue whose messages are known again in texts.

A text that was put together in English, as ``12 rows of a.csv``, is matched with the messages of
the catalogue, as ``{rows} rows of {path}``; the values in it are told in French in turn.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from gettext import GNUTranslations
from importlib.resources import files
from itertools import count
from typing import NamedTuple

from ...profiles.message import say

_NUMBER = r"[-+−<>±~]?\s?\d[\d.,]*(?:e[-+]?\d+)?|[–—]|nan|inf"
_FIGURES = re.compile(r"(?<![\w.,/])(?<![A-Z]-)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\w|,\d|\.\d|/\d)")
_SPACE, _THIN_SPACE = "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"
_NUMERIC = re.compile(r"[\d\s.,:;%+−–<>≤≥±()*/=~|x×-]*\d[\d\s.,:;%+−–<>≤≥±()*/=~|x×-]*")
_HOLE = re.compile(r"(?<!\{)\{(\w+)(?::([^{}]*))?\}")
_BARE = re.compile(r"(?<!\{)\{(\d*)(?:!r)?((?::[^{}]*)?)\}")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
# Where a text is cut that no message gives as a whole, and what the cut becomes.
_CUTS = (
    ("; ", say("{}; ", _SPACE)),
    (": ", say("{}: ", _SPACE)),
    (". ", ". "),
    (", ", ", "),
    (" and ", " et "),
    (" or ", " ou "),
    (" (", " ("),
    (" / ", " / "),
    (" + ", " + "),
    (" & ", " & "),
)
_JOINED = (" and ", " or ")  # also between names
_GAPS = re.compile(r"(\s{2,})")  # between a label and what stands beside it
_COLON = re.compile(r"(?<=\S): ")
_SIDE = re.compile(r"([AB]\d?) (?=[a-z])(.+)")
_OPEN, _CLOSE = "\x02", "\x03"  # around words that a person is told to type
_MARKS = dict.fromkeys(map(ord, _OPEN + _CLOSE))
_LISTED = re.compile(r"[^\s,]+(?:, [^\s,]+)*(?:, …)?")
_TYPED = re.compile(
    r"""\"[^"]*\"|«[^»]*»|\x02[^\x03]*\x03|(?<!\w)'[^']*'|[\w*]+(?:[-_./=@][\w*]+)+|--?[\w-]+"""
)  # names, keys, paths
_DEEPEST = 6


class Template(NamedTuple):
    """A message with values in it, and how it is known in a text."""

    french: str
    pattern: str
    longest: str
    weight: int


class Catalogue:
    """Messages and what they are in French.

    Parameters
    ----------
    messages : mapping of str to str
        English, with ``{names}`` where values stand, to French.
    """

    def __init__(self, messages: Mapping[str, str]) -> None:
        self.messages = messages
        self._whole_texts = {
            _plain(e): _plain(f) for e, f in messages.items() if not _HOLE.search(e)
        }
        found = [_template(*item) for item in messages.items() if _HOLE.search(item[0])]
        self._templates = sorted(filter(None, found), key=lambda each: -each.weight)
        self._known = lru_cache(maxsize=20_000)(self._tell)
        self._english = _vocabulary(messages) - _vocabulary(messages.values())

    def told(self, text: str, figures: bool = True) -> str:
        """Return a text in French, as far as it is known; without ``figures`` as `translated`."""
        if not _LETTERS.search(text):
            return _figures(text) if figures else text
        return self._known(text, figures, 0).translate(_MARKS)

    def _tell(self, text: str, figures: bool, depth: int) -> str:
        bare = text.strip()
        if not bare or depth > _DEEPEST:
            return text
        start, _, end = text.partition(bare)
        return start + self._whole(bare, figures, depth) + end

    def _whole(self, text: str, figures: bool, depth: int) -> str:
        """Return a text without spaces around it, in English as it is if not all is known."""
        if text in self._whole_texts:
            return self._whole_texts[text]
        small = text[0].lower() + text[1:]  # where a message begins a sentence
        if small in self._whole_texts:
            french = self._whole_texts[small]
            return french[0].upper() + french[1:]
        if not _LETTERS.search(text):
            return _figures(text) if figures else text
        if _SPACE in text and "\n" not in text:
            return text  # told before: English has no such spaces
        if "\n" in text and " ".join(text.split()) in self._whole_texts:
            return self._whole_texts[" ".join(text.split())]
        matched, weight = self._matched(text, figures, depth)
        if weight and self._is_french(matched):
            return matched
        cut = self._cut(text, figures, depth)
        if "\n" in text or self._is_french(cut):
            return cut
        return matched if weight > len(text) / 3 else text

    def _matched(self, text: str, figures: bool, depth: int) -> tuple[str, int]:
        """Return the text by the message that explains most of it, and how much that is."""
        poor, weight = text, 0
        for each in self._templates:
            if each.longest not in text:
                continue
            match = _compiled(each.pattern).fullmatch(text)
            if match is None:
                continue
            values = {
                name: self._part(value, figures, depth) for name, value in match.groupdict().items()
            }
            told = each.french.format(**values)
            if all(map(self._is_french, values.values())):
                return told, each.weight
            if not weight:
                poor, weight = told, each.weight
        return poor, weight

    def _part(self, value: str, figures: bool, depth: int) -> str:
        """Return a part of a text; one that is not known keeps its words."""
        if _NUMERIC.fullmatch(value):
            return _figures(value) if figures else value
        if not _LETTERS.search(value):
            return value
        if not figures and _LISTED.fullmatch(value):
            return f"{_OPEN}{value}{_CLOSE}"
        told = self._known(value, figures, depth + 1)
        return _COLON.sub(say("{}: ", _SPACE), told) if figures and told == value else told

    def _cut(self, text: str, figures: bool, depth: int) -> str:
        """Return the text by its parts, where that leaves no English; else as it is."""
        if "\n" in text:
            return "\n".join(self._part(line, figures, depth) for line in text.split("\n"))
        changed = text
        for told in self._cuts(text, figures, depth):
            if self._is_french(told):
                return told
            changed = changed if changed != text else told
        return changed

    def _cuts(self, text: str, figures: bool, depth: int) -> Iterator[str]:
        """Yield the text with its parts told, for each way to cut it that changes it."""
        if text.endswith(":"):
            yield self._part(text[:-1], figures, depth) + f"{_SPACE}:"
        if text[0] == "(" and text.find(")") == len(text) - 1:
            yield say("({})", self._part(text[1:-1], figures, depth))
        if text[-1] == "." or (text[-1] == ")" and text.count("(") < text.count(")")):
            yield self._part(text[:-1], figures, depth) + text[-1]
        side = _SIDE.fullmatch(text)
        if side:
            yield f"{side[1]} {self._part(side[2], figures, depth)}"
        pieces = _GAPS.split(text)
        if len(pieces) > 1:
            told = [self._part(piece, figures, depth) for piece in pieces]
            yield "".join(map(_in_place, pieces, told, [*[False] * (len(told) - 1), True]))
        for cut, french in _CUTS:
            parts = text.split(cut)
            if len(parts) > 1:
                told = [self._part(part, figures, depth) for part in parts]
                if told != parts or cut in _JOINED:
                    yield french.join(told)

    def _is_french(self, text: str) -> bool:
        """Whether a text has no word that only English messages have; names are no words."""
        return self._english.isdisjoint(_LETTERS.findall(_TYPED.sub("", text)))


@cache
def catalogue() -> Catalogue:
    """Return the French that comes with the program."""
    with files(__package__).joinpath("estoc-fr.mo").open("rb") as file:
        messages: dict[str, str] = vars(GNUTranslations(file))["_catalog"]
    told = {e: french for e, french in messages.items() if e and isinstance(e, str)}
    return Catalogue({_named(english): _named(french) for english, french in told.items()})


def _named(text: str) -> str:
    """Return a message with names for its values that have none."""
    numbers = count()
    return _BARE.sub(lambda hole: f"{{v{hole[1] or next(numbers)}{hole[2]}}}", text)


def _template(english: str, french: str) -> Template | None:
    """Return how a message is known; None if it has hardly a word of its own."""
    literals, holes = _HOLE.split(english)[::3], list(_HOLE.finditer(english))
    literals = [_plain(part) for part in literals]
    pattern = re.escape(literals[0])
    for hole, literal in zip(holes, literals[1:], strict=True):
        what = r"[^\n]*?" if "\n" not in english else r"(?:.|\n)*?"
        what = _NUMBER if re.search("[nfdg,%]$", hole[2] or "") else what
        pattern += f"(?P<{hole[1]}>{what})" + re.escape(literal)
    longest = max(literals, key=len)
    if not any(map(_LETTERS.search, literals)):
        return None
    return Template(_HOLE.sub(r"{\1}", french), pattern, longest, sum(map(len, literals)))


def _plain(text: str) -> str:
    """Return a message without values as it is shown: braces are written twice in it."""
    return text.replace("{{", "{").replace("}}", "}")


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _figures(text: str) -> str:
    """Return the numbers of a text as French writes them.

    Examples
    --------
    >>> _figures("12.50 / 0.5 of 1,000 in 0.1.0, 2/0")
    '12,50 / 0,5 of 1\u202f000 in 0.1.0, 2/0'
    """

    def french(match: re.Match[str]) -> str:
        return match[1].replace(",", _THIN_SPACE) + (match[2] or "").replace(".", ",")

    return _FIGURES.sub(french, text)


def _vocabulary(texts: Iterable[str]) -> set[str]:
    """Return the words of messages that are no names: without capitals."""
    return {
        word
        for text in texts
        for word in _LETTERS.findall(_TYPED.sub("", _HOLE.sub("", text)))
        if word.islower()
    }


def _in_place(english: str, french: str, is_last: bool) -> str:
    """Return a part of a line, as wide as it was where something stands beside it."""
    return french if is_last else french.ljust(len(english))
