"""What came of a run's cells, on disk: a table for each job, and what to say of each cell."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from ...profiles.errors import InputError
from ...profiles.message import say
from ..ask.output import tell
from ..base.answer import AnswerKind
from ..base.answer import columns as columns_of
from ..base.result import Result, Row, encoded_rows, read_rows
from .batch import Cell
from .own_files import FILE, kind_of, own_bytes, put_aside, write_durably
from .parcel import kept_text, packed, read_text, unpacked

ANSWERS, ASIDE = "answers.json", ".aside"
# of a row: in which cell it is
PLACE = columns_of("whole", say("number of the cell in the run"), "cell") + columns_of(
    "text", say("what the grid sets there"), "point"
)


@dataclass(frozen=True)
class Answered:
    """What came of a cell."""

    job: str  # its name in the batch file
    cell: int  # its number in the run, from 0
    point: dict[str, Any]  # what this point of the job's grid sets
    asked: dict[str, Any]  # the whole cell: its command, and all that its table says
    result: Result  # without rows if it failed
    failure: str = ""  # why it has no answer; empty if it has one

    @classmethod
    def of(cls, cell: Cell, result: Result | None, failure: str = "") -> "Answered":
        """Return what came of a cell of a batch."""
        asked = {"command": cell.command, **cell.table}
        result = Result(AnswerKind(cell.command), [], cell.told) if result is None else result
        return cls(cell.name, cell.number, cell.point, asked, result, failure)

    @property
    def told(self) -> str:
        """What the grid sets here, as text."""
        return ", ".join(f"{key}={_value(value)}" for key, value in self.point.items())


def _value(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def result_names(jobs: Iterable[str]) -> list[str]:
    """Return the names of the files that a run of some jobs writes, the rows first."""
    return [*(f"{job}.parquet" for job in jobs), ANSWERS]


def write_results(folder: Path, answered: Sequence[Answered], ours: Collection[str]) -> None:
    """Write what came of all cells; each file is there whole or not at all."""
    folder.mkdir(exist_ok=True)
    about = []
    for name, cells in groupby(answered, lambda one: one.job):
        rows: list[Row] = []
        columns = {column.name: column for column in PLACE}
        for one in cells:
            bare = replace(one.result, rows=[])
            told = {
                "job": one.job,
                "cell": one.cell,
                "point": one.point,
                "asked": one.asked,
                "result": packed(bare),
                "failure": kept_text(one.failure),
                "columns": one.result.columns,
                "rows": [len(rows), len(rows) + len(one.result)],
            }
            about.append(told)
            rows += [{"cell": one.cell, "point": one.told, **row} for row in one.result]
            columns |= {column: one.result.kind.column(column) for column in one.result.columns}
        empty = dict.fromkeys(columns)
        encoded = encoded_rows([{**empty, **row} for row in rows], list(columns.values()))
        _write(folder / f"{name}.parquet", encoded, ours)
    text = json.dumps(about, ensure_ascii=False, indent=1)
    _write(folder / ANSWERS, f"{text}\n".encode(), ours)


def _write(path: Path, data: bytes, ours: Collection[str]) -> None:
    """Write a file of the results; a run that was killed may have done so."""
    found = kind_of(path)
    if found and not (found == FILE and (path.name in ours or own_bytes(path) == data)):
        aside = put_aside(path, ASIDE)
        tell(say('"{}" is not of this run: put aside as {}', path, aside.name))
    write_durably(path, data)


def read_results(folder: Path) -> tuple[Answered, ...]:
    """Return what came of all cells of a finished run."""
    place = folder / ANSWERS
    try:
        about = json.loads(place.read_bytes())
        return tuple(_read(folder, about))
    except OSError as error:
        raise InputError('"{}": cannot be read: {}', place, error.strerror) from None
    except (ValueError, LookupError, TypeError, AttributeError, ImportError) as error:
        raise InputError('"{}" is damaged: {}', place, error) from None


def _read(folder: Path, about: list[dict[str, Any]]) -> list[Answered]:
    tables: dict[str, list[Row]] = {}
    found = []
    for told in about:
        name = told["job"]
        first, end = told["rows"]
        if name not in tables:
            tables[name] = read_rows(folder / f"{name}.parquet") if _has_rows(about, name) else []
        columns = told["columns"]
        rows = [{column: row[column] for column in columns} for row in tables[name][first:end]]
        result = replace(unpacked(told["result"]), rows=rows)
        cell, point, asked = told["cell"], told["point"], told["asked"]
        failure = read_text(told["failure"])
        found.append(Answered(name, cell, point, asked, result, failure))
    return found


def _has_rows(about: list[dict[str, Any]], name: str) -> bool:
    return any(told["rows"][1] for told in about if told["job"] == name)
