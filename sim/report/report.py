"""Reports: what a run found, as one page that can be sent, printed and read anywhere."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from ...profiles.fighters.roster import Roster
from ...profiles.files.reading import using
from ...profiles.message import joined
from ..ask.output import checked_page, listening
from ..base.answer import HIGH, LOW, SCORE, SHARE, Column
from ..base.printed import loaded
from ..base.result import Row
from ..batch.folder import RESULTS, Run, RunFolder, load_run
from ..batch.results import PLACE, Answered
from ..text.pages import packed_data, page
from ..text.speech import tr, translated
from ..text.writing import write_whole
from .cards import StaticTable, card_tables
from .charts import Chart, charts
from .places import Places, without_places
from .words import sentences

_CELLS = 12  # most cells of a job that are told one by one, and drawn
# Columns that say where an answer comes from: they are told once, not in each row.
TOLD = ("assumed", "readings", "remarks", "inputs", "version")


class RowsTable(NamedTuple):
    """The rows of a job for a page."""

    data: str  # packed: columns with their values
    constant: list[tuple[str, str]]  # columns that have the same value in all rows
    rows: int


class Chapter(NamedTuple):
    """What a report says of a job; ``file`` holds its rows, in the run's folder."""

    anchor: str
    name: str
    file: str
    sentences: list[str]
    notes: list[str]
    charts: list[Chart]
    tables: list[StaticTable]
    rows: RowsTable | None

    @property
    def heading(self) -> str:
        """What the table of its rows is called; the job's name is never translated."""
        return tr("All rows of {name}").format(name=self.name)


class Report(NamedTuple):
    """All that a report's page shows."""

    run: Run
    summary: str
    chapters: list[Chapter]
    cards: list[StaticTable]
    inputs: list[tuple[str, str]]  # two files may have one name
    assumed: str
    readings: str
    words: dict[str, str]


def save_report(folder: str | Path, path: str | Path) -> None:
    """Write the report of a finished run from its folder, whole or not at all.

    Parameters
    ----------
    folder : str or Path
        Of the run.
    path : str or Path
        The page: a file .html.

    Raises
    ------
    InputError
        If there is no finished run, or the page cannot be written there.
    """
    checked_page(str(path))
    run = load_run(folder)  # its own files are no inputs of it
    with using(RunFolder(Path(folder)).kept_inputs()), listening(lambda line: None):
        text = report(run)
    write_whole(path, text.encode())


def report(run: Run) -> str:
    """Return the report of a run as a page, in the language in use."""
    return page("report/report.html.j2", report=contents(run))


def contents(run: Run) -> Report:
    """Return what the report of a run shows."""
    places = Places(run.base, [*run.inputs, *run.folders])
    run = without_places(run, places)
    jobs = [(name, list(own)) for name, own in groupby(run.answered, lambda one: one.job)]
    results = [one.result for one in run.answered]
    summary = tr(
        "{jobs} jobs, {cells} cells, {rows} rows; seed {seed}, estoc {version}",
        jobs=f"{len(jobs):,}",
        cells=f"{len(run.answered):,}",
        rows=f"{sum(map(len, results)):,}",
        seed=str(run.seed),
        version=run.versions["estoc"],
    )
    words = {
        "shown": tr("rows {first} to {last} of {count}; {all} in all"),
        "none": tr("no row has that"),
        "yes": tr("yes"),
        "no": tr("no"),
    }
    return Report(
        run,
        summary,
        [_chapter(name, own) for name, own in jobs],
        list(card_tables(run.answered, Roster.load(_fighters(run.answered)))),
        [(places.told(path), digest) for path, digest in run.inputs.items()],
        ", ".join(dict.fromkeys(key for r in results for key in r.assumed)),
        ", ".join(dict.fromkeys(key for r in results for key in r.readings)),
        words,
    )


def _fighters(answered: Sequence[Answered]) -> tuple[str, ...]:
    """Return the files of fighters that cells were told."""
    told = (one.asked.get("fighters", ()) for one in answered)
    files = (file for names in told for file in ([names] if isinstance(names, str) else names))
    return tuple(dict.fromkeys(files))


def _chapter(name: str, cells: Sequence[Answered]) -> Chapter:
    """Return what is said of a job: its first cells one by one, all of them in its rows."""
    first = cells[:_CELLS]
    told = [text for one in first for text in _said(one)]
    if len(cells) > len(first):
        told.append(tr("{n} more cells are in the rows.", n=f"{len(cells) - len(first):,}"))
    notes = dict.fromkeys(translated(note) for one in cells for note in one.result.notes)
    rows = [{**_place(one), **row} for one in cells for row in one.result]
    declared = {column.name: column for column in PLACE}
    for one in cells:
        declared |= {name: one.result.kind.column(name) for name in one.result.columns}
    return Chapter(
        f"job-{name}",
        name,
        f"{RESULTS}/{name}.parquet",
        told,
        list(notes),
        [chart for one in first if one.result.rows for chart in charts(one.result)],
        [table for one in first for table in _tables(one)],
        rows_table(rows, declared) if rows else None,
    )


def _place(one: Answered) -> dict[str, object]:
    return {"cell": one.cell, "point": one.told} if one.point else {}


def _said(one: Answered) -> list[str]:
    if one.failure:
        return [tr("failed: {why}", why=one.failure)]
    said = sentences(one.result)
    first = translated(joined(": ", [one.told, said[0]]))
    return [first, *said[1:]] if one.point else said


def _tables(one: Answered) -> Iterator[StaticTable]:
    """Yield what is best to place and what else costs, and the trials worth replaying."""
    if one.result.rows and one.result.kind.tables:
        yield from loaded(one.result.kind.tables)(one.result)


def rows_table(rows: Sequence[Row], declared: Mapping[str, Column]) -> RowsTable:
    """Return rows, of which not all have all columns, for a page."""
    names = list(dict.fromkeys(name for row in rows for name in row if name not in TOLD))
    columns = {name: [row.get(name) for row in rows] for name in names}
    constant, told = [], []
    for name, values in columns.items():
        if len(rows) > 1 and name != "trials" and _is_constant(values):
            if values[0] not in (None, ""):
                constant.append((name, str(values[0])))
        elif any(value is not None for value in values):
            told.append(_column(declared[name], values, columns))
    text = json.dumps({"rows": len(rows), "columns": told}, separators=(",", ":"))
    return RowsTable(packed_data(text), constant, len(rows))


def _is_constant(values: Sequence[Any]) -> bool:
    first = values[0]
    if isinstance(first, float):  # may be a share that was never seen: shown with its bound
        return False
    return all(value == first and type(value) is type(first) for value in values)


def _column(column: Column, values: Sequence[Any], columns: Collection[str]) -> dict[str, Any]:
    """Return a column: its name, its kind, its values; texts by their place in a list."""
    found: dict[str, Any] = {"name": column.name, "kind": _kind(column, columns)}
    if column.type == "text":
        found["texts"] = list(dict.fromkeys(str(value) for value in values if value is not None))
        place = {text: number for number, text in enumerate(found["texts"])}
        return found | {"values": [-1 if v is None else place[str(v)] for v in values]}
    convert = {"truth": int, "long": str}.get(column.type, lambda value: value)
    return found | {"values": [None if value is None else convert(value) for value in values]}


def _kind(column: Column, columns: Collection[str]) -> str:
    """Return how a column is shown: in percent with its interval, as an end of one, as it is."""
    if any(column.name == f"{name}{end}" for name in columns for end in (LOW, HIGH)):
        return "end"
    if column.unit == SCORE and column.name + LOW in columns:
        return "estimate"
    return "share" if column.unit == SHARE and column.type == "number" else column.type
