"""The sheet's clauses: stage A as data and as arrays (3.2), the headings of all stages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from pydantic import Field

from ...kernels.layout.sheet import MAX_GRANTS, MAX_ROWS, Deed, Fact, Mode, Reading, Tag
from ...kernels.layout.situation import CLAUSE_COLUMNS, ClauseColumn, ClauseTable
from ..errors import InputError, suggestion
from ..files.reading import shipped_file
from ..files.toml import Table, read_toml, shared, validated
from ..message import say
from .readings import parse_reading

_FILE = shipped_file("sheet/sheet-clauses.toml")

C = TypeVar("C", bound=IntEnum)


class Facts(NamedTuple):
    """Facts that hold together: a word P of facts matches if ``P & need == value``."""

    need: int
    value: int


class Grant(NamedTuple):
    """Deeds, as bits, that a paragraph permits only if some facts hold."""

    facts: Facts
    deeds: int


class Variant(NamedTuple):
    """What a paragraph says under another reading: other facts, more deeds."""

    reading: Reading
    value: int
    when: tuple[Facts, ...]
    grants: int


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of stage A (3.2); deeds are bits of a word."""

    id: str  # as ``A6a``
    point: int  # 1 to 17
    heading: str  # opening words of the French heading
    text: str  # what it says, in our words
    mode: Mode
    when: tuple[Facts, ...]  # it holds if one of them does
    grants: int
    given: tuple[Grant, ...]
    tag: Tag
    tagged: int  # deeds that carry the tag
    fallback: int  # deeds of a MUST of which nothing can be done
    fallback_need: int  # facts without which there is no fallback
    under: tuple[Variant, ...]


class Clause(Table):
    """A clause that is known by name only: stages S, D and E, A4's heading, F0."""

    id: str
    stage: Literal["S", "A", "D", "E"]
    heading: str
    text: str


class Hole(NamedTuple):
    """States for which no point closes (F0) under the chosen readings."""

    id: str
    who: str
    when: tuple[Facts, ...]


@dataclass(frozen=True)
class Clauses:
    """The clauses of the sheet, those of stage A in text order."""

    paragraphs: tuple[Paragraph, ...]
    clauses: tuple[Clause, ...]
    holes: tuple[Hole, ...]

    def text(self, clause: str) -> str:
        """Return what a clause says, in our words."""
        return self._clause(clause).text

    def heading(self, clause: str) -> str:
        """Return the opening words of a clause's French heading; of F0 none."""
        return self._clause(clause).heading

    def _clause(self, clause: str) -> Paragraph | Clause:
        every: list[Paragraph | Clause] = [*self.paragraphs, *self.clauses]
        return next(each for each in every if each.id == clause)


class _UnderTable(Table):
    reading: str
    when: list[str] = []
    grants: list[str] = []


class _ParagraphTable(Table):
    id: str
    point: int = Field(ge=1, le=17)
    heading: str
    text: str
    mode: Literal["must", "may", "menu", "may_closing"]
    when: list[str] = Field(min_length=1)
    grants: list[str] = []
    given: dict[str, str | list[str]] = {}
    tag: str = "free"
    tagged: list[str] = []
    fallback: list[str] = []
    fallback_when: str = ""
    under: list[_UnderTable] = []


class _HoleTable(Table):
    id: str
    who: str
    when: list[str]


class _SheetTable(Table):
    alias: dict[str, str] = {}
    clause: list[Clause] = []
    paragraph: list[_ParagraphTable] = Field(min_length=1)
    hole: list[_HoleTable] = []


@cache
def load_clauses(path: Path = _FILE) -> Clauses:
    """Return the clauses of the sheet."""
    read = validated(_SheetTable, read_toml(path), str(path))
    reader = _Reader(read.alias)
    return Clauses(
        tuple(reader.paragraph(table, say("{}: {}", path, table.id)) for table in read.paragraph),
        tuple(read.clause),
        tuple(reader.hole(table, say("{}: {}: when", path, table.id)) for table in read.hole),
    )


class _Reader:
    """Reads names of facts, deeds and tags; knows the aliases of a file."""

    def __init__(self, alias: Mapping[str, str]) -> None:
        self._alias = alias

    def paragraph(self, table: _ParagraphTable, where: str) -> Paragraph:
        grants = self.deeds(table.grants, say("{}: grants", where))
        given = tuple(self._given(table.given, say("{}: given", where)))
        under = tuple(self._variant(each, say("{}: under", where)) for each in table.under)
        every = grants
        for deeds in (*(grant.deeds for grant in given), *(each.grants for each in under)):
            every |= deeds
        tagged = self.deeds(table.tagged, say("{}: tagged", where))
        if tagged & ~every:
            raise InputError("{}: tagged: has a deed that the paragraph does not grant", where)
        made = {
            "mode": Mode[table.mode.upper()],
            "when": self.any_of(table.when, say("{}: when", where)),
            "grants": grants,
            "given": given,
            "tag": _coded(Tag, table.tag, say("{}: tag", where)),
            "tagged": tagged or (every if table.tag != "free" else 0),
            "fallback": self.deeds(table.fallback, say("{}: fallback", where)),
            "fallback_need": self.facts(table.fallback_when, say("{}: fallback_when", where)).need,
            "under": under,
        }
        return Paragraph(**shared(table, Paragraph) | made)

    def hole(self, table: _HoleTable, where: str) -> Hole:
        return Hole(table.id, table.who, self.any_of(table.when, where))

    def _given(self, given: Mapping[str, str | list[str]], where: str) -> Iterable[Grant]:
        for deed, when in given.items():
            bits = self.deeds([deed], where)
            for facts in self.any_of([when] if isinstance(when, str) else when, where):
                yield Grant(facts, bits)

    def _variant(self, table: _UnderTable, where: str) -> Variant:
        reading, value = parse_reading(table.reading, where)
        when = self.any_of(table.when, say("{}: when", where))
        return Variant(reading, value, when, self.deeds(table.grants, say("{}: grants", where)))

    def deeds(self, names: Sequence[str], where: str) -> int:
        return sum({1 << _coded(Deed, name, where) for name in names})

    def any_of(self, lists: Sequence[str], where: str) -> tuple[Facts, ...]:
        return tuple(self.facts(each, where) for each in lists)

    def facts(self, text: str, where: str) -> Facts:
        need = value = 0
        for word in self._words(text):
            bit = 1 << _coded(Fact, word.removeprefix("!"), where)
            wanted = 0 if word.startswith("!") else bit
            if need & bit and value & bit != wanted:
                raise InputError('{}: "{}" asks for a fact and for its contrary', where, text)
            need, value = need | bit, value | wanted
        return Facts(need, value)

    def _words(self, text: str) -> Iterable[str]:
        for word in text.split():
            yield from self._alias.get(word, word).split()


def _coded(codes: type[C], name: str, where: str) -> C:
    """Return the code of a name in any case."""
    if name.upper() in codes.__members__:
        return codes[name.upper()]
    what = codes.__name__.lower()
    raise InputError('{}: no {} "{}"; {}', where, what, name, suggestion(name, codes.__members__))


def compile_clauses(clauses: Clauses, readings: Mapping[Reading, int]) -> ClauseTable:
    """Return stage A under some readings as arrays, a row for each list of facts (8.3).

    A paragraph has the same number under every reading, and its rows stand together.
    """
    read = read_under(clauses, readings).paragraphs
    rows = [(n, paragraph, facts) for n, paragraph in enumerate(read) for facts in paragraph.when]
    most = max(read, key=lambda paragraph: len(paragraph.given))
    if len(rows) > MAX_ROWS or len(most.given) > MAX_GRANTS:
        raise InputError(
            "clauses: {} rows, of at most {}; {} has {} conditional grants, of at most {}",
            len(rows),
            MAX_ROWS,
            most.id,
            len(most.given),
            MAX_GRANTS,
        )
    keys = np.array([facts for *_, facts in rows], np.uint64).T.copy()
    table = np.zeros((len(rows), CLAUSE_COLUMNS), np.uint64)
    for row, (number, each, _) in zip(table, rows, strict=True):
        row[: ClauseColumn.GIVEN] = (
            *(1 << number, each.point, each.mode, each.grants),
            *(each.tagged, each.tag, each.fallback, each.fallback_need),
        )
        for column, (facts, deeds) in enumerate(each.given):
            row[ClauseColumn.GIVEN + column :: MAX_GRANTS] = (*facts, deeds)
    return ClauseTable(keys, table)


def read_under(clauses: Clauses, readings: Mapping[Reading, int]) -> Clauses:
    """Return what the clauses say under some readings."""
    paragraphs = tuple(_under(paragraph, readings) for paragraph in clauses.paragraphs)
    return replace(clauses, paragraphs=paragraphs)


def _under(paragraph: Paragraph, readings: Mapping[Reading, int]) -> Paragraph:
    """Return what a paragraph says under some readings."""
    when, grants = paragraph.when, paragraph.grants
    for variant in paragraph.under:
        if readings[variant.reading] == variant.value:
            when, grants = variant.when or when, grants | variant.grants
    return replace(paragraph, when=when, grants=grants)
