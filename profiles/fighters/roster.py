"""Fighter files, and the roster: every fighter that can be named, shipped or a person's own."""

import csv
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import InputError, InputErrors, nearest, suggestion
from ..files.reading import csv_files, csv_rows, read_text, shipped_files
from ..letters import ALIKE, BEGUN, as_cell, fold, likeness, spelled, tidy
from ..message import say, say_n
from .abilities import why_unmodelled
from .card import (
    CHARACTERISTICS,
    COLUMNS,
    Column,
    Profile,
    caster_of_role,
    find_column,
    known_column,
    wrong_cell,
)
from .cells import read_cells

MOST_ROWS = 10_000  # of a file of fighters
_SHOWN = 8


def read_fighters(path: str | Path) -> list[Profile]:
    """Return the fighters of a CSV file, in its order.

    UTF-8 (with or without byte-order mark) or cp1252; comma, semicolon or tab; any line
    ends; headings in French or English. Without a column *caster*, the rank in the role
    decides who casts.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    InputError
        If anything is doubtful: the message names file, line and column.
    """
    fighters, faults = examined(Path(path))
    if faults:
        raise faults[0]
    return fighters


def examined(path: Path) -> tuple[list[Profile], list[InputError]]:
    """Return the fighters of a CSV file, and one error for each cell or row that is wrong.

    A wrong cell of a fighter is as if empty; without errors all can be used.
    """
    rows = csv_rows(read_text(path), path)
    line, headings = next(rows, (1, []))
    if not any(headings):
        raise InputError("{}:{}: the file is empty; its first line should be headings", path, line)
    headings = [tidy(heading) for heading in headings]
    columns = _columns(headings, f"{path}:{line}")
    read: list[tuple[int, list[str]]] = []
    ends: list[InputError] = []
    try:
        for line, cells in rows:
            if len(read) == MOST_ROWS:
                fault = say("{}:{}: more than {:,} rows; cut the file up", path, line, MOST_ROWS)
                return [], [InputError(fault)]
            read.append((line, cells))
    except InputError as error:  # a quoted cell without end: no telling where a row begins
        ends.append(error)
    fighters, faults = _fighters(columns, headings, read, path)
    return fighters, faults + ends


def write_fighters(path: str | Path, fighters: Iterable[Profile]) -> None:
    """Write fighters as a CSV file that `read_fighters` reads as the same profiles.

    Parameters
    ----------
    path : str or Path
    fighters : iterable of Profile
    """
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for fighter in fighters:
            cells = (c.kind.write(getattr(fighter, c.name)) for c in COLUMNS.values())
            writer.writerow(map(as_cell, cells))


def _columns(headings: list[str], where: str) -> list[Column]:
    columns: list[Column] = []
    for number, heading in enumerate(headings, 1):
        column = known_column(heading) or find_column(heading, say("{}, column {}", where, number))
        if column in columns:
            first = columns.index(column)
            raise InputError(
                '{}, column {}: "{}" means {}, as column {} ("{}") does; keep one of them',
                *(where, number, heading, column.name, first + 1, headings[first]),
            )
        columns.append(column)
    if COLUMNS["name"] not in columns:
        raise InputError("{}: no column is headed name (or nom); every fighter needs one", where)
    return columns


def _fighters(
    columns: list[Column], headings: list[str], rows: list[tuple[int, list[str]]], path: Path
) -> tuple[list[Profile], list[InputError]]:
    """Return the fighters of rows, read column by column, and an error for each fault.

    A row that does not say which fighter it is has none.
    """
    even = [cells for _, cells in rows if len(cells) == len(columns)]
    kinds = [column.kind for column in columns]
    values = zip(*map(read_cells, kinds, zip(*even, strict=True)), strict=True)
    name = columns.index(COLUMNS["name"])
    name_cell = say('column {} "{}"', name + 1, headings[name])
    named: dict[tuple[str, str], Profile] = {}
    faults: list[InputError] = []
    for line, cells in rows:
        where = f"{path}:{line}"
        if len(cells) != len(columns):
            faults.append(_uneven(len(cells), len(columns), where))
            continue
        found: dict[str, Any] = {}
        for number, value in enumerate(next(values)):
            if isinstance(value, InputError):
                place = say('{}, column {} "{}"', where, number + 1, headings[number])
                faults.append(wrong_cell(cells[number], value, place))
            else:
                found[columns[number].name] = value
        if COLUMNS["caster"] not in columns:
            found["caster"] = caster_of_role(found.get("role", ""))
        if all(c.name in found for c in columns if c.name in ("name", "origin")):
            fighter = Profile.of_values(found, str(path), line)
            first = named.setdefault(fighter.key, fighter)
            if first is not fighter:
                faults.append(_already(first, fighter, name_cell))
    return list(named.values()), faults


def _uneven(cells: int, headings: int, where: str) -> InputError:
    return InputError(
        "{}, column {}: the row has {} cells and the headings are {}; quote a cell "
        "that holds a separator",
        where,
        min(cells, headings) + 1,
        cells,
        headings,
    )


def _already(first: Profile, fighter: Profile, cell: str) -> InputError:
    """Return an error, in the cell of the name, about a second fighter of a name and origin."""
    return InputError(
        "{}, {}: {} is already on line {}; two fighters of one file need different "
        "names or origins",
        fighter.where,
        cell,
        fighter.label,
        first.line,
    )


def user_folder() -> Path:
    """Return the folder whose ``*.csv`` are read after the shipped files."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(home, "estoc", "fighters")


@dataclass(frozen=True)
class Roster:
    """Fighters in a stable order: the files' order, then the order in each file.

    Parameters
    ----------
    fighters : tuple of Profile
        No two with the same name and origin.
    remarks : tuple of str
        One line for each fighter that replaced one of an earlier file.
    """

    fighters: tuple[Profile, ...]
    remarks: tuple[str, ...] = ()

    @classmethod
    def load(cls, extra_paths: Iterable[str | Path] = ()) -> "Roster":
        """Read the shipped files, the user's folder, then files or folders given.

        A fighter with the name and origin of an earlier one, accents included, replaces it, in
        its place.
        """
        paths = list(shipped_files("fighters", ".csv").values())
        remarks = []
        try:
            paths += csv_files(user_folder()) or []
        except OSError as error:  # of a folder above it, as another person's
            remarks.append(
                say(
                    "{}: cannot be read: {}; what is there is left out",
                    user_folder(),
                    error.strerror,
                )
            )
        for extra in map(Path, extra_paths):
            paths += _csv_files(extra)
        fighters: dict[tuple[str, str], Profile] = {}
        alike: dict[str, Profile] = {}
        for path in paths:
            for fighter in read_fighters(path):
                earlier = fighters.get(fighter.key)
                near = alike.setdefault(fold(fighter.label), fighter)
                if earlier is not None:
                    remarks.append(
                        say(
                            "{}: {} replaces the one of {}",
                            fighter.where,
                            fighter.label,
                            earlier.where,
                        )
                    )
                elif near.file != fighter.file:
                    remarks.append(
                        say(
                            "{}: {} is another fighter than {} of {}: their accents differ",
                            fighter.where,
                            fighter.label,
                            near.label,
                            near.where,
                        )
                    )
                fighters[fighter.key] = fighter
        return cls(tuple(fighters.values()), tuple(remarks))

    @cached_property
    def _known(self) -> dict[str, Profile]:
        """Fighters by the texts that found them: a batch asks for the same ones very often."""
        return {}

    def __iter__(self) -> Iterator[Profile]:
        return iter(self.fighters)

    def __len__(self) -> int:
        return len(self.fighters)

    def find(self, text: str) -> Profile:
        """Return the fighter of this name.

        Parameters
        ----------
        text : str
            The name on the card in any case; without accents where only one name is like it;
            or a beginning that only one name has: an exact name beats a beginning.
            ``name@origin`` says which card, the origin shortened likewise; a card without
            origin has its bare name.

        Raises
        ------
        InputError
            If no fighter or several answer.
        """
        if text in self._known:
            return self._known[text]
        found = self.meant(text)
        if len(found) == 1:
            return self._known.setdefault(text, found[0])
        if found:
            raise InputError('"{}" could be {}', text, _some(f.label for f in found))
        name, _, origin = text.partition("@")
        namesakes = self.meant(name)
        if namesakes:
            raise InputError(
                'no "{}" of origin "{}"; there is {}',
                name,
                origin,
                _some(f.label for f in namesakes),
            )
        near = nearest(name, [fighter.name for fighter in self])
        hint = say("nearest: {}", near) if near else say("see estoc profiles list")
        raise InputError('no fighter is called "{}"; {}', text, hint)

    def meant(self, text: str, begun: bool = True) -> list[Profile]:
        """Return the fighters that a text is most like, as `find`.

        Without ``begun`` a beginning of a name is not like it.
        """
        name, _, origin = text.partition("@")
        begins = fold(name)
        ranked: dict[tuple[int, int], list[Profile]] = {}
        for fighter in self:
            if not fold(fighter.name).startswith(begins):
                continue
            by_name = likeness(name, fighter.name)
            if by_name is None or (by_name > ALIKE and not begun):
                continue
            by_origin = likeness(origin, fighter.origin) if origin else 0
            if not origin and by_name <= ALIKE:
                by_origin = int(bool(fighter.origin))  # a card without origin has its bare name
            if by_origin is not None:
                ranked.setdefault((by_name, by_origin), []).append(fighter)
        return ranked[min(ranked)] if ranked else []

    def people(self, text: str) -> tuple[Profile, ...]:
        """Return all fighters of a people, named like a fighter or by one of its words."""
        word = re.compile(rf"\b{re.escape(fold(text))}")
        ranked: dict[int, list[str]] = {}
        for people in self.peoples():
            rank = likeness(text, people)
            if rank is None and fold(text) and word.search(fold(people)):
                rank = BEGUN + 1
            if rank is not None:
                ranked.setdefault(rank, []).append(people)
        if not ranked:
            raise InputError('no people is called "{}"; {}', text, suggestion(text, self._words()))
        found = ranked[min(ranked)]
        if len(found) > 1:
            raise InputError('"{}" could be {}', text, _some(found))
        people = spelled(found[0])
        return tuple(fighter for fighter in self if spelled(fighter.people) == people)

    def _words(self) -> list[str]:
        """Return the names of the peoples, and the words that they are known by."""
        words = (word for people in self.peoples() for word in people.split())
        return [*self.peoples(), *(word for word in words if word[0].isupper())]

    def peoples(self) -> tuple[str, ...]:
        """Return the names of the peoples, in the order of the fighters."""
        found: dict[str, str] = {}
        for fighter in self:
            found.setdefault(spelled(fighter.people), fighter.people)
        return tuple(found.values())


def _csv_files(path: Path) -> list[Path]:
    """Return the CSV files of a folder, or the one file that is told."""
    if path.suffix.lower() == ".csv":
        return [path]
    found = csv_files(path)
    return [path] if found is None else found


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    if len(listed) <= _SHOWN:
        return ", ".join(listed)
    return say("{}, … ({} in all)", listed[:_SHOWN], len(listed))


def checked(path: str | Path) -> list[str]:
    """Return what a file of fighters holds, in lines: how many, and what they lack.

    An ability that the program does not know (W-7) is named with those that may be meant.
    """
    fighters: list[Profile] = []
    faults: list[InputError] = []
    for file in _csv_files(Path(path)):
        try:
            read, wrong = examined(file)
        except InputError as error:  # of the whole file
            read, wrong = [], [error]
        fighters += read
        faults += wrong
    if faults:
        raise InputErrors(*(line for fault in faults for line in fault.args))
    if not fighters:
        raise InputError("{}: no fighter below the headings", path)
    lines = [
        say_n(
            "{1}: {0} fighter, every cell can be read",
            "{1}: {0} fighters, every cell can be read",
            len(fighters),
            path,
        )
    ]
    for fighter in fighters:
        missing = [c for c in (*CHARACTERISTICS, "PA") if getattr(fighter, c) is None]
        if missing:
            lines.append(say("{}: {} has no {}", fighter.where, fighter.label, missing))
        unknown = [
            say("{} ({})", a, why) if why else a for a, why in why_unmodelled(fighter).items()
        ]
        if unknown:
            lines.append(say("{}: {}: not modelled: {}", fighter.where, fighter.label, unknown))
    return lines
