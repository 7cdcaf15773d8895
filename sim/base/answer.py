"""Kinds of answers: what their columns hold, and who tells, draws and reports them."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from ...profiles.message import say

# Units by which pages show a column: a share of trials, a score with an interval of its own.
SHARE, SCORE, FIGHTER = "share", "score", "fighter"
LOW, HIGH = "_low", "_high"  # ends of the names of an interval's columns
Type = Literal["text", "whole", "long", "number", "truth"]


@dataclass(frozen=True)
class Column:
    """A column of answers."""

    name: str  # with a ``{state}`` in it there is a column for each state of the edition
    # "text", "whole", "long", "number" or "truth": a ``whole`` number has 64 bits, a ``long`` one
    # has them without a sign
    type: Type
    meaning: str
    unit: str = ""  # what a number counts, or whose name a text is
    is_optional: bool = False  # whether only some answers of the kind have it

    def fits(self, name: str) -> bool:
        """Whether it is the column of a name."""
        pattern = re.sub(r"\\{\w+\\}", r"\\w+", re.escape(self.name))
        return re.fullmatch(pattern, name) is not None


Columns = tuple[Column, ...]


def columns(kind: Type, meaning: str, *names: str, unit: str = "") -> Columns:
    """Return columns that are alike but for their names."""
    return tuple(Column(name, kind, meaning, unit) for name in names)


def estimates(meaning: str, *names: str, unit: str = "share") -> Columns:
    """Return columns of numbers, each with the two of its interval."""
    found: Columns = ()
    for name in names:
        found += columns("number", meaning, name, unit=unit)
        found += columns("number", "lower end of its interval", name + LOW, unit=unit)
        found += columns("number", "upper end of its interval", name + HIGH, unit=unit)
    return found


def optional(columns: Columns) -> Columns:
    """Return columns that only some answers have."""
    return tuple(replace(column, is_optional=True) for column in columns)


PLAYED = columns("whole", "trials that were run; none of exact odds", "trials", unit="trials")
COUNTED = columns("whole", "trials in which it was so", "count", unit="trials") + estimates(
    say("share of those trials"), "p"
)
SEED = columns("long", "seed of the dice", "seed")
SECTION = columns("text", "what the row is about", "section")
_ORIGIN = (
    *columns("text", "how it was answered: exact, or mc by trials", "method"),
    *columns("text", "how trials were drawn: literal dice or a chain", "sampler"),
    *columns("number", "most that chances may lack, of rolls without end", "remainder"),
    *columns("text", "policies by which the sides decide", "policy"),
    *columns("text", "edition of the rules, and values that were replaced", "edition"),
    *SEED,
    *columns("text", "digest of fighters, rules and policies", "inputs"),
    *columns("text", "keys of the edition that it depends on and that nobody found", "assumed"),
    *columns("text", "clauses that it depends on and that can be read otherwise", "readings"),
    *columns("text", "what a reader should know of the question", "remarks"),
    *columns("text", "version of estoc", "version"),
    *columns("text", "command that gives the answer again", "command"),
)


def origin_columns(*names: str, lacking: Collection[str] = ()) -> Columns:
    """Return the columns that say where an answer comes from: some, or all but some."""
    wanted = set(names or (column.name for column in _ORIGIN)).difference(lacking)
    return tuple(column for column in _ORIGIN if column.name in wanted)


@dataclass(frozen=True)
class AnswerKind:
    """What is the same in all answers to a question; declared in the file of its subject.

    Functions are told by their places in `estoc.sim`, as ``combat.duel:duel_blocks``, and loaded
    when an answer is shown.
    """

    name: str  # mostly of the command that asks
    columns: Columns = ()  # of what it says
    origin: Columns = ()  # of where that comes from
    text: str = "base.printed:blocks"  # gives the blocks of its text, between title and notes
    picture: str = ""  # gives its figure; empty if it has none
    # yields what a report says of it, each with the row that it is about, or None
    sentences: str = ""
    # yields titles, figures and captions of a report, where not just its picture is shown
    charts: str = ""
    tables: str = ""  # yields small tables of a report
    is_transcript: bool = False  # whether the title is the whole text
    blank: str | None = None  # in a cell of text that does not apply

    def row(self, *first: Any, **cells: Any) -> dict[str, Any]:
        """Return the cells of a row but those of its origin, empty where none is given.

        The ``first`` are those of its first columns.
        """
        blank = {c.name: self.blank if c.type == "text" else None for c in self.columns}
        return {**blank, **dict(zip(blank, first, strict=False)), **cells}

    @cached_property
    def schema(self) -> Columns:
        """All columns, as they stand in rows."""
        return self.columns + self.origin

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.schema}

    def column(self, name: str) -> Column:
        """Return the column of a name; of an undeclared one, as of older programs, text."""
        if name in self._by_name:
            return self._by_name[name]
        fitting = [column for column in self.schema if column.fits(name)]
        family = max(fitting, key=lambda column: len(column.name), default=Column("", "text", ""))
        return replace(family, name=name)
