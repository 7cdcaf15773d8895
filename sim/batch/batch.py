"""Batches: any number of jobs in a file, each a command or a grid of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, product
from math import prod
from pathlib import Path
from re import fullmatch
from typing import Any

from pydantic import Field

from ...profiles.errors import InputError, echoed, suggestion
from ...profiles.files.toml import Table, read_toml, validated
from ...profiles.message import say
from ..ask.commands import COMMANDS
from ..ask.output import tell
from ..ask.request import Load, Request, batch_keys
from ..base.options import MAX_SEED, checked_seed
from .own_files import UNFINISHED
from .parts import SUFFIX

_CELL = 3e-3  # seconds of reading, keeping and writing a cell, about, as measured
PATIENCE = 10.0  # seconds of a chunk, where a batch does not say
MOST_CELLS = 1_000_000
MOST_CHECKED = 1_000  # cells, each by itself
MOST_NAMED = 255 - len(f"{SUFFIX}{UNFINISHED}")  # of a job, so that its files can be named
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_DEVICES = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}


class _Head(Table):
    """A batch file."""

    title: str = ""
    seed: int | None = Field(None, ge=0, le=MAX_SEED)
    chunk: float = Field(PATIENCE, ge=0.01, le=86_400)
    job: tuple[dict[str, Any], ...] = Field(min_length=1, strict=False)


@dataclass(frozen=True)
class Cell:
    """One question of a batch: a job at a point of its grid."""

    number: int  # from 0, through the whole batch
    name: str  # of its job
    command: str
    point: dict[str, Any]  # what the grid sets here
    rest: dict[str, Any]  # what the job's table says besides

    @property
    def table(self) -> dict[str, Any]:
        """All that the job's table says here, the point included."""
        return {**self.rest, **self.point}

    @property
    def job(self) -> Request:
        """What it asks; made anew each time, since a batch may have very many.

        Raises
        ------
        InputError
            For keys that the command does not know, or not so.
        """
        model = COMMANDS[self.command]
        known = batch_keys(model)
        last = next((key for key in self.table if key not in known), None)
        if last is not None:
            raise InputError('{}: unknown key "{}"; {}', self.told, last, suggestion(last, known))
        return validated(model, self.table, self.told)

    @property
    def told(self) -> str:
        """Which cell it is, in words."""
        values = ", ".join(f"{key} = {_value(value)}" for key, value in self.point.items())
        return say('job "{}" at {}', self.name, values) if values else say('job "{}"', self.name)


@dataclass(frozen=True)
class JobGrid:
    """A job of a batch file: a command at every point of its grid."""

    name: str
    command: str
    rest: dict[str, Any]  # what its table says besides the grid
    grid: dict[str, list[Any]]
    first: int  # number of its first cell in the batch

    def __len__(self) -> int:
        return prod(map(len, self.grid.values()))

    def __iter__(self) -> Iterator[Cell]:
        """Yield its cells, the last key of the grid running fastest."""
        for number, values in enumerate(product(*self.grid.values()), self.first):
            point = dict(zip(self.grid, values, strict=True))
            yield Cell(number, self.name, self.command, point, self.rest)

    def axes(self) -> Iterator[tuple[str, list[Cell]]]:
        """Yield each key of the grid with a cell for each of its values, all else as at first."""
        start = {key: values[0] for key, values in self.grid.items()}
        step = len(self)
        for key, values in self.grid.items():
            step //= len(values)
            cells = []
            for number, value in enumerate(values):
                point, place = {**start, key: value}, self.first + number * step
                cells.append(Cell(place, self.name, self.command, point, self.rest))
            yield key, cells

    def check_keys(self) -> None:
        """Refuse keys and values that the command does not know.

        Each value of the grid is looked at once, but where keys hang on each other each cell is.
        """
        together = COMMANDS[self.command].__pydantic_decorators__.model_validators
        alone = chain(islice(self, 1), *(cells[1:] for _, cells in self.axes()))
        for cell in self if together else alone:
            cell.job  # noqa: B018  # is made, or refuses


@dataclass(frozen=True)
class Batch:
    """What a batch file asks."""

    path: Path
    title: str
    seed: int  # where a cell has none of its own: a fresh one, if the file does not say
    patience: float  # seconds that a chunk should take, so the work that a stop can cost
    jobs: tuple[JobGrid, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The jobs, in order."""
        return tuple(job.name for job in self.jobs)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of all jobs, in order."""
        return tuple(chain.from_iterable(self.jobs))

    def loads(self) -> tuple[Load, ...]:
        """Return how much work each cell is.

        Of a batch of very many, each value of a grid is checked, not each cell: it tells so.
        """
        count = sum(map(len, self.jobs))
        if count <= MOST_CHECKED:
            return tuple(map(self._load, self.cells))
        tell(
            say(
                "{:,} cells: each value of a grid was checked, not each cell; a cell whose values "
                "do not go together will fail alone",
                count,
            )
        )
        return tuple(chain.from_iterable(map(self._estimated, self.jobs)))

    def _load(self, cell: Cell) -> Load:
        try:
            job = cell.job
            load = job.check(job.run.but(usual_seed=self.seed))
        except InputError as error:
            raise InputError("{}: {}: {}", self.path, cell.told, error) from None
        return load._replace(seconds=load.seconds + _CELL)

    def _estimated(self, job: JobGrid) -> Iterator[Load]:
        """Yield the loads of a job's cells, of those of its values one by one."""
        base = self._load(next(iter(job)))
        axes = []
        for key, cells in job.axes():
            others = [base if key == "seed" else self._load(cell) for cell in cells[1:]]
            axes.append([base, *others])
        for alone in product(*axes):
            yield base.changed(alone)


def load_batch(path: str | Path, seed: int | None = None) -> Batch:
    """Return what a batch file asks."""
    path = Path(path)
    head = validated(_Head, read_toml(path), str(path))
    return Batch(
        path,
        head.title or path.stem,
        checked_seed(seed if head.seed is None else head.seed),
        head.chunk,
        tuple(_jobs(head, str(path))),
    )


def _jobs(head: _Head, where: str) -> Iterator[JobGrid]:
    names: dict[str, str] = {}
    first = 0
    for place, table in enumerate(head.job, 1):
        command, name, rest, grid = _parts_of(dict(table), place, where)
        other = names.setdefault(name.casefold(), name)
        if other != name:
            raise InputError(
                '{}: the jobs "{}" and "{}" would be one file where capitals make no '
                "difference; give each a name of its own",
                where,
                other,
                name,
            )
        if len(names) < place:
            raise InputError(
                '{}: two jobs are named "{}"; give each a name of its own', where, name
            )
        _check_values(grid, say('{}: job "{}"', where, name))
        job = JobGrid(name, command, rest, grid, first)
        try:
            job.check_keys()
        except InputError as error:
            raise InputError("{}: {}", where, error) from None
        first += len(job)
        if first > MOST_CELLS:
            raise InputError(
                '{}: job "{}": {:,} cells up to here; a batch may have {:,} at most: make the '
                "grid smaller, or more batches of it",
                where,
                name,
                first,
                MOST_CELLS,
            )
        yield job


def _parts_of(
    table: dict[str, Any], place: int, where: str
) -> tuple[str, str, dict[str, Any], dict[str, Any]]:
    """Return command, name, the other keys and the grid of a job."""
    command = table.pop("command", None)
    if command is None:
        raise InputError(
            "{}: job {} has no command, which is needed: one of {}", where, place, COMMANDS
        )
    if not isinstance(command, str):
        raise InputError(
            '{}: job {}: command should be a word, as "duel", not {}', where, place, echoed(command)
        )
    if command not in COMMANDS:
        raise InputError(
            '{}: job {}: command "{}" cannot be in a batch; {}',
            where,
            place,
            command,
            suggestion(command, COMMANDS),
        )
    name = table.pop("name", f"{command.replace(' ', '-')}-{place}")
    _check_name(name, place, where)
    grid = table.pop("grid", {})
    if not isinstance(grid, dict):
        raise InputError('{}: job "{}": grid should be a table, headed [job.grid]', where, name)
    return command, name, table, grid


def _check_name(name: Any, place: int, where: str) -> None:
    """Refuse a job's name that cannot be a file's, on any system that the run may go to."""
    if not isinstance(name, str):
        raise InputError(
            '{}: job {}: name should be a word, as "first", not {}', where, place, echoed(name)
        )
    if not fullmatch(_NAME, name):
        raise InputError(
            "{}: job {}: name {} should be of letters without accents, digits, and . _ - "
            "between them: a file is named so",
            where,
            place,
            echoed(name),
        )
    if len(name) > MOST_NAMED:
        raise InputError(
            '{}: job {}: name "{:.60}…" has {} characters; a file is named so, and {} at most '
            "can be: give it a shorter one",
            where,
            place,
            name,
            len(name),
            MOST_NAMED,
        )
    if name.partition(".")[0].lower() in _DEVICES:
        raise InputError(
            '{}: job {}: name "{}" is a device where Windows runs, and no file can be named '
            "so: give it another one",
            where,
            place,
            name,
        )


def _check_values(grid: dict[str, Any], where: str) -> None:
    """Refuse a grid of something else than lists of values."""
    for key, values in grid.items():
        if not isinstance(values, list) or not values:
            raise InputError(
                "{}: grid: {} should be a list of values to try, as [1, 2], not {}",
                where,
                key,
                echoed(values),
            )


def _value(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
