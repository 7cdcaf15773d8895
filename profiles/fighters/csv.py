"""Fighter files: reading any CSV that a spreadsheet saves, writing one of ours."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files.reading import read_bytes
from ..message import say
from ..names import tidy
from ..text import as_cell, from_cell
from .card import COLUMNS, Column, Profile, caster_of_role, find_column, known_column, wrong_cell
from .cells import read_cells

DELIMITERS = ",;\t"
MOST_ROWS = 10_000  # of a file of fighters


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


def read_text(path: Path) -> str:
    """Return the decoded text of a file with line feeds as line ends and without mark."""
    try:
        data = read_bytes(path)
    except IsADirectoryError:
        raise InputError("{}: is a folder, not a CSV file", path) from None
    except OSError as error:
        raise InputError("{}: cannot be read: {}", path, error.strerror) from None
    if data.startswith(b"PK\x03\x04"):
        raise InputError("{}: is a spreadsheet or an archive; save the sheet as CSV UTF-8", path)
    if b"\0" in data:
        where = _place(path, data, data.index(b"\0"))
        raise InputError("{}: holds a NUL byte (UTF-16, or no text?); save it as CSV UTF-8", where)
    text = _decode(data, path).lstrip("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = error.start
    # Bytes that are right in UTF-8 beside one that is not: a mixture, no guess is safe.
    letters = data.decode("utf-8", "surrogateescape")
    mixed = any(letter > "\x7f" and not "\ud800" <= letter <= "\udfff" for letter in letters)
    try:
        if not mixed:
            return data.decode("cp1252")
    except UnicodeDecodeError as error:
        bad = error.start
    where = _place(path, data, bad)
    raise InputError(
        "{}: byte 0x{:02x} is not UTF-8, and the file is not all cp1252 either; save it as UTF-8",
        where,
        data[bad],
    )


def _place(path: Path, data: bytes, offset: int) -> str:
    before = data[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return say("{}:{}, character {}", path, len(before), len(before[-1]) + 1)


def csv_rows(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line on which it begins, cells) of each row of a CSV file that is not blank."""
    lines = [line + "\n" for line in text.split("\n")]
    line = 1
    try:
        reader = csv.reader(lines, delimiter=_delimiter(lines), strict=True)
        for cells in reader:
            if any(map(str.strip, cells)):
                yield line, [from_cell(cell) if cell[:1] == "'" else cell for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        if "field limit" in str(error):
            raise InputError(
                "{}:{}: a cell has more than {:,} characters; is a quoted cell not closed?",
                path,
                line,
                csv.field_size_limit(),
            ) from None
        raise InputError(
            "{}:{}: a quoted cell is not closed, or text follows its quotes ({})", path, line, error
        ) from None


def _delimiter(lines: list[str]) -> str:
    """Return the delimiter that cuts the first line that is not blank into most cells."""
    heading = next(filter(str.strip, lines), "")
    return max(DELIMITERS, key=lambda mark: len(next(csv.reader([heading], delimiter=mark), [])))


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
