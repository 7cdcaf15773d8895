"""Editions of the rules: every value with its mark, its clause and its source."""

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, ValidationError

from ..errors import InputError, echoed, suggestion
from ..files.toml import Table, fault_of, read_toml, shipped_names, toml_path, wanted
from ..message import joined, say, say_n
from .rulebook import KEYS

YOURS: Final = "yours"  # mark of a value that replaces the file's

_HEAD = ("name", "title", "extends", "readings")  # keys of a file that are no rules
_SECTIONS = {key[:dot] for key in KEYS for dot, letter in enumerate(key) if letter == "."}
_UNSURE = ("assumed", "reading")
_LONGEST = 16  # chain of editions that extend one another
_LIKE = say('{ value = …, mark = "assumed", clause = "W-1.4" }')


def _clause(text: str) -> str:
    if not re.fullmatch(r"[A-Z]-\d+(\.\d+)?", text):
        raise ValueError(say('be like "W-1.4"'))
    return text


class _Marked(Table):
    mark: Literal["seed", "source", "assumed", "reading"]
    clause: Annotated[str, AfterValidator(_clause)]


class _EntryTable(_Marked):
    value: Any
    source: str = ""


class _ReadingTable(_Marked):
    text: str


@dataclass(frozen=True)
class Entry:
    """A value of an edition."""

    key: str  # a key of `rulebook.KEYS`
    value: Any  # its value
    mark: str  # who says so; "yours" is a value that replaces the file's
    clause: str  # the clause of the rules
    # the public source, for the mark "source"; ``as conffede`` if inherited from there
    source: str = ""

    @property
    def text(self) -> str:
        """The value as it is written after ``KEY=``."""
        if isinstance(self.value, str):
            return self.value
        return json.dumps(self.value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class Reading:
    """A sentence of the rules that can be taken in several ways, and how it is taken.

    Its source is empty, or ``as conffede`` if inherited from there.
    """

    clause: str
    text: str
    mark: str
    source: str = ""


_Vouched = TypeVar("_Vouched", Entry, Reading)


@dataclass(frozen=True)
class Edition:
    """The values of one edition; ``edition["tests.many_dice"]`` gives one.

    Parameters
    ----------
    base : str
        Name in the file.
    title : str
        What the edition is.
    values : tuple of Entry
        One for each key of `rulebook.KEYS`, in that order.
    readings : tuple of Reading
        What results depend on, but no value can change.
    """

    base: str
    title: str
    values: tuple[Entry, ...]
    readings: tuple[Reading, ...]

    def __post_init__(self) -> None:
        starts, table = self["wounds.starts"], self["wounds.table"]
        if len(table) != len(starts) + 1:
            raise InputError(
                "{}: wounds.starts should have {} rows, one less than wounds.table has lines, "
                "not {}",
                self.base,
                len(table) - 1,
                len(starts),
            )
        if list(starts) != sorted(set(starts)):
            raise InputError(
                "{}: wounds.starts should be ascending, not {}", self.base, str(starts)
            )
        levels = tuple(self[f"wounds.{level}"] for level in ("light", "serious", "critical"))
        if levels[0] != 1 or list(levels) != sorted(set(levels)):
            raise InputError(
                "{}: wounds.light should be 1 and lower than serious, serious than critical, "
                "not {}",
                self.base,
                str(levels),
            )

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __getitem__(self, key: str) -> Any:
        return self._by_key[key].value if key in self._by_key else self.entry(key)

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Name in the file and what replaces its values: ``conffede+many_dice=one_chain``."""
        yours = (f"{_short(e.key)}={e.text}" for e in self.values if e.mark == YOURS)
        return "+".join((self.base, *yours))

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))

    @cached_property
    def _by_key(self) -> dict[str, Entry]:
        return {entry.key: entry for entry in self.values}

    def entry(self, key: str) -> Entry:
        """Return the value of a key with its mark, clause and source."""
        if key not in self._by_key:
            raise InputError('{}: no key "{}"; {}', self.base, key, suggestion(key, KEYS))
        return self._by_key[key]

    def entries(self) -> Iterator[tuple[str, str, str, str, str]]:
        """Yield key, value as text, mark, clause and source of every value, for printing."""
        return ((e.key, e.text, e.mark, e.clause, e.source) for e in self.values)

    def with_rule(self, rule: str) -> "Edition":
        """Return the edition with one value replaced, marked "yours".

        Parameters
        ----------
        rule : str
            ``KEY=VALUE``. The key may be shortened to its last parts while only one key
            ends so; the value is written as in TOML, without quotes around a word.
        """
        text, equals, value = (part.strip() for part in rule.partition("="))
        if not equals:
            raise InputError('rule "{}": expected KEY=VALUE, like many_dice=one_chain', rule)
        key = _full_key(text, rule)
        checked = _checked(key, _toml_value(value), say('rule "{}"', rule))
        new = replace(self.entry(key), value=checked, mark=YOURS, source="")
        return replace(self, values=tuple(new if e.key == key else e for e in self.values))

    def assumed(self, prefixes: Iterable[str]) -> tuple[str, ...]:
        """Return the keys, among those below the prefixes, that are assumed or a reading."""
        below = tuple(prefixes)
        if below not in self._assumed:
            self._assumed[below] = tuple(
                entry.key
                for entry in self.values
                if entry.mark in _UNSURE and any(f"{entry.key}.".startswith(f"{p}.") for p in below)
            )
        return self._assumed[below]

    @cached_property
    def _assumed(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """What `assumed` has found: each row of a result asks for the same."""
        return {}


def edition_names() -> tuple[str, ...]:
    """Return the names of the editions that come with the package."""
    return shipped_names("edition")


def load_edition(name: str | Path) -> Edition:
    """Return an edition.

    Parameters
    ----------
    name : str or Path
        ``"conffede"``, ``"c3"`` or a TOML file.

    Raises
    ------
    InputError
        For an unknown name, and for a file that says too little, too much or nonsense.
    """
    if name in edition_names():
        return _shipped(str(name))
    return _edition(toml_path("edition", str(name)))


@cache
def _shipped(name: str) -> Edition:
    """Return an edition that comes with the package, read once."""
    return _edition(toml_path("edition", name))


def _edition(path: Path) -> Edition:
    head, entries, readings = _read(path, ())
    missing = [key for key in KEYS if key not in entries]
    if missing:
        raise InputError(
            say_n(
                '{1}: {0} key is missing, first {2} ({3}); extends = "conffede" would give them',
                '{1}: {0} keys are missing, first {2} ({3}); extends = "conffede" would give them',
                len(missing),
                path,
                missing[0],
                KEYS[missing[0]].text,
            )
        )
    return Edition(head["name"], head["title"], tuple(entries[key] for key in KEYS), readings)


def _read(
    path: Path, above: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, Entry], tuple[Reading, ...]]:
    """Return name and title, values and readings of a file and of what it extends.

    What is inherited is assumed: the sources of the other edition say nothing of this one.
    """
    place = os.path.realpath(path)
    if place in above:
        raise InputError("{}: extends itself; an edition can only extend another one", path)
    if len(above) == _LONGEST:
        raise InputError("{}: is the end of a chain of more than {} editions", path, _LONGEST)
    tables = read_toml(path)
    head = {key: tables.pop(key, None) for key in ("name", "title")}
    for key, text in head.items():
        if not isinstance(text, str) or not text or "+" in text:
            raise InputError('{0}: {1} should be a text without +, like {1} = "house"', path, key)
    entries: dict[str, Entry] = {}
    readings: tuple[Reading, ...] = ()
    if "extends" in tables:
        parent = toml_path(
            "edition", str(tables.pop("extends")), path.parent, say("{}: extends", path)
        )
        base, entries, readings = _read(parent, (*above, place))
        entries = {key: _inherited(entry, base["name"]) for key, entry in entries.items()}
        readings = tuple(_inherited(reading, base["name"]) for reading in readings)
    own = tables.pop("readings", [])
    if not isinstance(own, list) or not all(isinstance(table, dict) for table in own):
        raise InputError("{}: readings should be a list of {{ clause, mark, text }}", path)
    readings += tuple(_reading(table, path, n) for n, table in enumerate(own, 1))
    entries |= {key: _entry(key, table, path) for key, table in _flat(tables, "", path)}
    return head, entries, readings


def _inherited(entry: _Vouched, base: str) -> _Vouched:
    """Return a value or a reading as it is for an edition whose own sources say nothing."""
    if entry.mark in _UNSURE:
        return replace(entry, source=entry.source or say("as {}", base))
    return replace(entry, mark="assumed", source=say("as {}", base))


def _flat(tables: dict[str, Any], prefix: str, path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the dotted key and the table of each value."""
    for name, table in tables.items():
        key = prefix + name
        section = key in _SECTIONS
        if key not in KEYS and not section:
            raise InputError(
                '{}: unknown key "{}"; {}', path, key, suggestion(key, (*_HEAD, *KEYS))
            )
        if not isinstance(table, dict):
            raise InputError("{}: {} should be a table like {}", path, key, _LIKE)
        if section:
            yield from _flat(table, f"{key}.", path)
        else:
            yield key, table


def _entry(key: str, table: dict[str, Any], path: Path) -> Entry:
    try:
        read = _EntryTable.model_validate(table)
    except ValidationError as error:
        raise InputError("{}: {}: {}", path, key, fault_of(_EntryTable, error)) from None
    if (read.mark == "source") != bool(read.source):
        raise InputError(
            '{}: {}: a source (a text) goes with mark = "source", and only with it', path, key
        )
    return Entry(key, _checked(key, read.value, path), read.mark, read.clause, read.source)


def _reading(table: Any, path: Path, number: int) -> Reading:
    try:
        read = _ReadingTable.model_validate(table)
    except ValidationError as error:
        raise InputError(
            "{}: reading {}: {}", path, number, fault_of(_ReadingTable, error)
        ) from None
    return Reading(read.clause, " ".join(read.text.split()), read.mark)


def _checked(key: str, value: Any, where: object) -> Any:
    """Return the value with lists as tuples, if it is of the key's kind."""
    try:
        return KEYS[key].kind.validate_python(_frozen(value))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        item = joined("", (say(" item {}", n + 1) for n in first["loc"] if isinstance(n, int)))
        raise InputError(
            "{}: {}{} should {}, not {} ({})",
            where,
            key,
            item,
            wanted(first),
            echoed(first["input"]),
            KEYS[key].text,
        ) from None


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _toml_value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):  # no TOML, a number or a nesting without end
        return text


def _full_key(text: str, rule: str) -> str:
    ending = [key for key in KEYS if f".{key}".endswith(f".{text}")]
    if not ending:
        known = [*KEYS, *(key.rpartition(".")[2] for key in KEYS)]
        raise InputError('rule "{}": no key "{}"; {}', rule, text, suggestion(text, known))
    if len(ending) > 1:
        raise InputError('rule "{}": "{}" could be {}', rule, text, ending)
    return ending[0]


def _short(key: str) -> str:
    """Return the shortest ending of a key that no other key has."""
    parts = key.split(".")
    endings = (".".join(parts[start:]) for start in reversed(range(len(parts))))
    return next(e for e in endings if sum(f".{k}".endswith(f".{e}") for k in KEYS) == 1)
