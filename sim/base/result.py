"""Results: tidy rows with all that is needed to make them again."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict

from ...profiles.errors import InputError, first_line
from ...profiles.files.reading import (
    DEEPEST,
    is_too_deep,
    read_bytes,
)
from ...profiles.files.toml import validated
from ...profiles.letters import as_cell, from_cell, json_safe, visible
from ...profiles.message import say, wrapped
from ..text.speech import tr
from ..text.writing import write_whole
from .answer import AnswerKind, Column
from .options import words_of
from .run import Provenance
from .sequence import end_notes

if TYPE_CHECKING:
    import pandas as pd

    from ..text.drawing import Figure

SUFFIXES = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table"}
_PAGE = 100  # columns of a notebook, for what does not become a table
MOST_BYTES, MOST_ROWS = 256 * 2**20, 5_000_000  # of a result that is read

Row = dict[str, Any]

EXACT = 2**53 - 1  # the largest whole number that floats and JavaScript tell from its neighbours


@dataclass(frozen=True)
class Result:
    """The answer to a question: rows that all have the same columns.

    Parameters
    ----------
    kind : AnswerKind
        What it is an answer to, and who shows it.
    rows : list of dict
        None where a cell does not apply or is not known.
    title : str
        What was asked, in a line; of a replay, its whole text.
    notes : tuple of str
        Remarks on the answer.
    assumed : tuple of str
        Keys of the edition that the answer depends on and that nobody found.
    readings : tuple of str
        Clauses that the answer depends on and that can be read otherwise.
    command : str
        What gives the answer again.
    stopped : str
        What was done, if the run was interrupted.
    """

    kind: AnswerKind
    rows: list[Row]
    title: str = ""
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    command: str = ""
    stopped: str = field(default="", compare=False)

    @classmethod
    def of(
        cls,
        kind: AnswerKind,
        rows: list[Row],
        title: str,
        provenance: Provenance,
        *,
        before: Iterable[str] = (),
        note: str = "",
        after: Iterable[str] = (),
        stopped: str = "",
        **own: Any,
    ) -> Self:
        """Return a result that tells what it rests on; ``own`` is what its class adds to a result.

        Notes are ``before``, the remarks, ``note`` on the method, the run's end, ``after``.
        """
        remarks = provenance.remarks or ()
        ends = end_notes(rows) if rows and "precision" in rows[0] else ()
        notes = dict.fromkeys((*before, *remarks, note, *ends, *after))
        return cls(
            kind,
            rows,
            title,
            tuple(filter(None, notes)),
            provenance.assumed or (),
            provenance.readings or (),
            provenance.command if rows else "",
            stopped,
            **own,
        )

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @property
    def question(self) -> str:
        """What it is an answer to, mostly the command: ``duel``, ``sweep``, ``sheet-lost``."""
        return self.kind.name

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return list(self.rows[0]) if self.rows else []

    @property
    def exact_rows(self) -> list[Row]:
        """The exact rows, or all rows if it was only sampled."""
        return [row for row in self.rows if row.get("method") == "exact"] or self.rows

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a data frame, one a row."""
        import pandas as pd

        frame = pd.DataFrame(self.rows, columns=self.columns)
        for column in self.columns:
            values = [row[column] for row in self.rows]
            if None in values and any(isinstance(v, int) and abs(v) > EXACT for v in values):
                frame[column] = pd.array(values, "UInt64")  # a gap would make them floats
        return frame

    def text(self, form: str) -> str:
        """Return the result as ``"csv"`` or ``"json"``, whole numbers of any length as such.

        In CSV an apostrophe stands before a text that a spreadsheet would take for a formula.
        """
        if form == "json":
            return json_safe(json.dumps(self.rows, ensure_ascii=False, indent=1)) + "\n"
        buffer = io.StringIO()
        writer = csv.DictWriter(buffer, self.columns, lineterminator="\n")
        writer.writeheader()
        for row in self.rows:
            writer.writerow({k: as_cell(v) if isinstance(v, str) else v for k, v in row.items()})
        return visible(buffer.getvalue())

    def encoded(self, form: str, width: int = 100) -> bytes:
        """Return the result as the bytes of a file, UTF-8 where it is text."""
        if form == "parquet":
            return encoded_rows(self.rows, list(map(self.kind.column, self.columns)))
        if form == "table":
            from .printed import plain_text

            return plain_text(self, width).encode()
        return self.text(form).encode()

    def save(self, path: str | Path, form: str | None = None) -> None:
        """Write the result to a file, whole or not at all.

        Parameters
        ----------
        path : str or Path
            Its ending says the format if ``form`` does not: ``.csv``, ``.json``,
            ``.parquet`` or ``.txt``.
        form : {"csv", "json", "parquet", "table"}, optional

        Raises
        ------
        InputError
            For an unknown ending, or a place that cannot be written.
        """
        write_whole(path, self.encoded(form or format_of(path)))

    def plot(self) -> "Figure":
        """Return a picture of the result: a heat map of a sweep, bars of a duel or combat.

        Raises
        ------
        InputError
            If there is nothing to draw, or answers of this kind are not drawn.
        """
        from ..text.drawing import style
        from .printed import loaded

        if not self.kind.picture:
            raise InputError("{}: there is no picture of such an answer", self.question)
        if not self.rows:
            raise InputError("{}: there is nothing to draw", self.question)
        with style():
            picture: Figure = loaded(self.kind.picture)(self)
            if not picture.get_suptitle():
                picture.suptitle(wrapped(self.title, 80))
        return picture

    def _repr_html_(self) -> str:
        from ..text.html import as_html, folded, preserved
        from .printed import answer, plain_text

        if self.kind.is_transcript:
            return preserved(plain_text(self, _PAGE))
        page = as_html(answer(self, _PAGE))
        # a terminal names a few of them
        return page + folded(tr("assumed values"), ", ".join(self.assumed)) * bool(self.assumed)


def format_of(path: str | Path) -> str:
    """Return the format that a file's ending says."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError('"{}": the ending should be one of {}', path, SUFFIXES)
    return SUFFIXES[suffix]


def checked_format(path: str | Path, form: str | None) -> str:
    """Return the format of a file: what is asked for, or what its ending says.

    A stream, or a name without ending, may have any format that is asked for.
    """
    suffix = Path(path).suffix.lower()
    if form is None:
        return format_of(path)
    right = next(ending for ending, named in SUFFIXES.items() if named == form)
    if suffix not in ("", right):
        raise InputError('"{}": the ending of a {} file should be {}', path, form, right)
    return form


def encoded_rows(rows: Sequence[Row], columns: Sequence[Column]) -> bytes:
    """Return rows as the bytes of a Parquet file, with the types, units and meanings of columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"text": pa.string(), "whole": pa.int64(), "long": pa.uint64(), "truth": pa.bool_()}
    fields = [
        pa.field(
            c.name, types.get(c.type, pa.float64()), metadata={"meaning": c.meaning, "unit": c.unit}
        )
        for c in columns
    ]
    table = pa.table([[row[c.name] for row in rows] for c in columns], pa.schema(fields))
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    encoded: bytes = sink.getvalue().to_pybytes()
    return encoded


def read_rows(path: str | Path, columns: Sequence[str] = ()) -> list[Row]:
    """Return the rows of a result file; cells of a CSV file stay text.

    Only some columns if they are named, as far as they are there.
    """
    form = format_of(path)
    if form == "table":
        raise InputError(
            '"{}" is a table to read: give a .csv, .json or .parquet file, or the command '
            "at the table's end",
            path,
        )
    try:
        data = read_bytes(Path(path), MOST_BYTES)
    except OSError as error:
        raise InputError('"{}" could not be read: {}', path, error.strerror) from None
    try:
        rows = _DECODED[form](data, columns)
    except (ValueError, csv.Error, RecursionError) as error:
        why = first_line(str(error))
        raise InputError('"{}" is not a {} file: {}', path, form, why) from None
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        raise InputError('"{}" holds no rows of a result', path)
    return rows


def _of_parquet(data: bytes, columns: Sequence[str]) -> list[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        if file.metadata.num_rows > MOST_ROWS:
            raise ValueError(say("it has more than {:,} rows", MOST_ROWS))
        wanted = [name for name in file.schema_arrow.names if not columns or name in columns]
        rows: list[Row] = file.read(wanted, use_threads=False).to_pylist()
    except (OSError, pa.ArrowException, OverflowError) as error:
        raise ValueError(str(error)) from None
    return rows


def _of_json(data: bytes, columns: Sequence[str]) -> Any:
    rows = json.loads(data.decode("utf-8-sig"))
    if is_too_deep(rows):
        raise ValueError(say("it has more than {} objects and lists in one another", DEEPEST))
    return rows


def _of_csv(data: bytes, columns: Sequence[str]) -> list[Row]:
    rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    headings = next(rows, [])
    kept = [(i, name) for i, name in enumerate(headings) if not columns or name in columns]
    found = []
    for cells in filter(None, rows):
        if len(cells) != len(headings):
            raise ValueError(
                say(
                    "line {} has {} cells and the headings are {}",
                    rows.line_num,
                    len(cells),
                    len(headings),
                )
            )
        found.append({name: from_cell(cells[i]) for i, name in kept})
    return found


_DECODED = {"parquet": _of_parquet, "json": _of_json, "csv": _of_csv}


class _Origin(BaseModel):
    """What a row says of the run that it is from."""

    model_config = ConfigDict(strict=True)
    command: str = ""
    inputs: str | None = None


def command_of(path: str | Path, row: int) -> tuple[tuple[str, ...], str | None]:
    """Return the command that made a row (from 1) of a result file, and its inputs' digest."""
    rows = read_rows(path, ("command", "inputs"))
    if not 1 <= row <= len(rows):
        raise InputError('row {}: "{}" has rows 1 to {}', row, path, len(rows))
    if "command" not in rows[row - 1]:
        raise InputError('"{}" has no column "command": it is not the result of a run', path)
    where = say('"{}", row {}', path, row)
    origin = validated(_Origin, rows[row - 1], where)
    try:
        words = words_of(origin.command)
    except ValueError as error:
        raise InputError("{}: the command cannot be read: {}", where, error) from None
    if words[:1] != ["estoc"] or len(words) == 1:
        told = origin.command
        raise InputError('{}: the command should be like "estoc duel …", not "{}"', where, told)
    return tuple(words[1:]), origin.inputs


def sections(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows by section."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["section"], []).append(row)
    return found
