"""French for what the program tells: a gettext catalogue whose messages are known again in texts.

A text that was put together in English, as ``12 rows of a.csv``, is matched with the messages of
the catalogue, as ``{rows} rows of {path}``; the values in it are told in French in turn.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from gettext import GNUTranslations
from importlib.resources import files
from string import Formatter
from typing import Any, NamedTuple

_NUMBER = r"[-+−<>±~]?\s?\d[\d.,]*(?:e[-+]?\d+)?|[–—]|nan|inf"
_FIGURES = re.compile(r"(?<![\w.,/])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w,]|\.\d|/\d)")
_SPACES = "\N{NARROW NO-BREAK SPACE}"
_NUMERIC = re.compile(r"[\d\s.,:;%+−–<>≤≥±()*/=~|x×-]*\d[\d\s.,:;%+−–<>≤≥±()*/=~|x×-]*")
_HOLE = re.compile(r"\{(\w+)(:n)?\}")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
# Where a text is cut that no message gives as a whole, and what the cut becomes.
_CUTS = (
    ("\n", "\n"),
    ("; ", "\N{NO-BREAK SPACE}; "),
    (": ", "\N{NO-BREAK SPACE}: "),
    (", ", ", "),
    (" and ", " et "),
    (" or ", " ou "),
    (" (", " ("),
    (" / ", " / "),
)
_JOINED = (" and ", " or ")  # also between names
_ENGLISH = re.compile(
    r"\b(the|of|and|or|is|are|with|without|from|to|by|for|not|that|than|which|this|was|were|has"
    r"|have|should|could|against|its?|all|each|every|at|if|when|what|who|where|how|less|more"
    r"|first|then|only|one|given|give|he|his|them|they|into|between|both|other)\b"
)
_QUOTED = re.compile(r'"[^"]*"|«[^»]*»')
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
        found = [_template(*item) for item in messages.items() if _HOLE.search(item[0])]
        self._templates = sorted(filter(None, found), key=lambda each: -each.weight)
        self._known = lru_cache(maxsize=20_000)(self._tell)

    def told(self, text: str, figures: bool = True) -> str:
        """Return a text in French, as far as it is known."""
        if not _LETTERS.search(text):
            return _figures(text) if figures else text
        return self._known(text, figures, 0)

    def formatted(self, text: str, values: Mapping[str, Any]) -> str:
        """Return a message in French with values in it."""
        french = self.messages.get(text, text)
        return _French(self).vformat(french, (), values) if values else french

    def _tell(self, text: str, figures: bool, depth: int) -> str:
        bare = text.strip()
        if not bare or depth > _DEEPEST:
            return text
        start = text[: len(text) - len(text.lstrip())]
        end = text[len(text.rstrip()) :]
        return start + self._whole(bare, figures, depth) + end

    def _whole(self, text: str, figures: bool, depth: int) -> str:
        if text in self.messages:
            return self.messages[text]
        if not _LETTERS.search(text):
            return _figures(text) if figures else text
        best = self._matched(text, figures, depth)
        if best is not None and _is_clean(best):
            return best
        cut = self._cut(text, figures, depth)
        for each in (cut, best):
            if each is not None and (each is best or _is_clean(each)):
                return each
        return text

    def _matched(self, text: str, figures: bool, depth: int) -> str | None:
        """Return the text by the message that explains most of it; None if none does."""
        poor = None
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
            if all(map(_is_clean, values.values())):
                return told
            poor = poor or told
        return poor

    def _part(self, value: str, figures: bool, depth: int) -> str:
        """Return a part of a text; one that is not known keeps its words."""
        if _NUMERIC.fullmatch(value):
            return _figures(value) if figures else value
        if not _LETTERS.search(value):
            return value
        told = self._known(value, figures, depth + 1)
        return told.replace(": ", "\N{NO-BREAK SPACE}: ") if figures and told == value else told

    def _cut(self, text: str, figures: bool, depth: int) -> str | None:
        """Return the text by its parts; None if none of them is known."""
        for cut, french in _CUTS:
            parts = text.split(cut)
            if len(parts) > 1:
                told = [self._part(part, figures, depth) for part in parts]
                if told != parts or cut in _JOINED:
                    return french.join(told)
        inner = text.strip("().:")
        if inner != text:
            told_inner = self._part(inner, figures, depth)
            if told_inner != inner:
                colon = "\N{NO-BREAK SPACE}:" if text.endswith(":") else ""
                return text.removesuffix(":").replace(inner, told_inner) + colon
        return None


class _French(Formatter):
    """Values in a French text: numbers with a comma, known texts in French."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value as a text."""
        if isinstance(value, str):
            return format(self.catalogue.told(value), format_spec)
        return _figures(format(value, format_spec))


@cache
def catalogue() -> Catalogue:
    """Return the French that comes with the program."""
    with files("estoc.sim").joinpath("estoc-fr.mo").open("rb") as file:
        messages: dict[str, str] = vars(GNUTranslations(file))["_catalog"]
    return Catalogue({english: french for english, french in messages.items() if english})


def _template(english: str, french: str) -> Template | None:
    """Return how a message is known; None if it has hardly a word of its own."""
    literals, holes = _HOLE.split(english)[::3], list(_HOLE.finditer(english))
    literals = [part.replace("{{", "{").replace("}}", "}") for part in literals]
    pattern = re.escape(literals[0])
    for hole, literal in zip(holes, literals[1:], strict=True):
        what = _NUMBER if hole[2] else r"[^\n]*?" if "\n" not in english else r"(?:.|\n)*?"
        pattern += f"(?P<{hole[1]}>{what})" + re.escape(literal)
    longest = max(literals, key=len)
    if not any(map(_LETTERS.search, literals)):
        return None
    return Template(french.replace(":n}", "}"), pattern, longest, sum(map(len, literals)))


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
        return match[1].replace(",", _SPACES) + (match[2] or "").replace(".", ",")

    return _FIGURES.sub(french, text)


def _is_clean(text: str) -> bool:
    """Whether a text has no English words that only a sentence has."""
    return not _ENGLISH.search(_QUOTED.sub("", text))
