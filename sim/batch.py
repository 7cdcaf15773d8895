"""Batches: any number of jobs in a file, each a command or a grid of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from re import fullmatch
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from estoc.profiles import InputError
from estoc.profiles.errors import echoed, suggestion
from estoc.profiles.toml import read_toml, validated
from estoc.sim.job import Job, Load
from estoc.sim.jobs import COMMANDS
from estoc.sim.params import MAX_SEED, checked_seed, seeded

PATIENCE = 10.0  # seconds of a chunk, where a batch does not say
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"


class _Head(BaseModel):
    """A batch file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = ""
    seed: int | None = Field(None, ge=0, le=MAX_SEED)
    chunk: float = Field(PATIENCE, ge=0.01, le=86_400)
    job: tuple[dict[str, Any], ...] = Field(min_length=1)


@dataclass(frozen=True)
class Cell:
    """One question of a batch: a job at a point of its grid.

    Parameters
    ----------
    number : int
        From 0, through the whole batch.
    name : str
        Of its job.
    command : str
    point : dict
        What the grid sets here.
    table : dict
        All that the job's table says here, the point included.
    job : Job
    """

    number: int
    name: str
    command: str
    point: dict[str, Any]
    table: dict[str, Any]
    job: Job

    @property
    def told(self) -> str:
        """Which cell it is, in words."""
        values = ", ".join(f"{key} = {_value(value)}" for key, value in self.point.items())
        return f'job "{self.name}"' + (f" at {values}" if values else "")


@dataclass(frozen=True)
class Batch:
    """What a batch file asks.

    Parameters
    ----------
    path : Path
    title : str
    seed : int
        Where a cell has none of its own: a fresh one, if the file does not say.
    patience : float
        Seconds that a chunk should take, so the work that a stop can cost.
    cells : tuple of Cell
    """

    path: Path
    title: str
    seed: int
    patience: float
    cells: tuple[Cell, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The jobs, in order."""
        return tuple(dict.fromkeys(cell.name for cell in self.cells))

    def loads(self) -> tuple[Load, ...]:
        """Return how much work each cell is.

        Raises
        ------
        InputError
            For the first cell that cannot be asked so, named.
        """
        found = []
        with seeded(self.seed):
            for cell in self.cells:
                try:
                    found.append(cell.job.check())
                except InputError as error:
                    raise InputError(f"{self.path}: {cell.told}: {error}") from None
        return tuple(found)


def load_batch(path: str | Path, seed: int | None = None) -> Batch:
    """Return what a batch file asks.

    Parameters
    ----------
    path : str or Path
    seed : int, optional
        Instead of a fresh one where the file has none.

    Raises
    ------
    InputError
        If it cannot be read, or says what no batch can: file, job, key, and what would be right.
    """
    path = Path(path)
    head = validated(_Head, read_toml(path), str(path))
    cells = list(_cells(head, str(path)))
    return Batch(
        path,
        head.title or path.stem,
        checked_seed(seed if head.seed is None else head.seed),
        head.chunk,
        tuple(cells),
    )


def _cells(head: _Head, where: str) -> Iterator[Cell]:
    names: set[str] = set()
    number = 0
    for place, table in enumerate(head.job, 1):
        command, name, rest, grid = _parts_of(dict(table), place, where)
        if name in names:
            raise InputError(f'{where}: two jobs are named "{name}"; give each a name of its own')
        names.add(name)
        for point in _points(grid, f'{where}: job "{name}"'):
            told = {**rest, **point}
            cell = Cell(number, name, command, point, told, Job())
            job = validated(COMMANDS[command], told, f"{where}: {cell.told}")
            yield Cell(number, name, command, point, told, job)
            number += 1


def _parts_of(
    table: dict[str, Any], place: int, where: str
) -> tuple[str, str, dict[str, Any], dict[str, Any]]:
    """Return command, name, the other keys and the grid of a job."""
    command = table.pop("command", None)
    if command is None:
        raise InputError(
            f"{where}: job {place} has no command, which is needed: one of {', '.join(COMMANDS)}"
        )
    if command not in COMMANDS:
        raise InputError(
            f'{where}: job {place}: command "{command}" cannot be in a batch; '
            f"{suggestion(str(command), COMMANDS)}"
        )
    name = table.pop("name", None) or f"{str(command).replace(' ', '-')}-{place}"
    if not isinstance(name, str) or not fullmatch(_NAME, name):
        raise InputError(
            f'{where}: job {place}: name "{name}" should be of letters without accents, digits, '
            "and . _ - between them: a file is named so"
        )
    grid = table.pop("grid", {})
    if not isinstance(grid, dict):
        raise InputError(f'{where}: job "{name}": grid should be a table, headed [job.grid]')
    return command, name, table, grid


def _points(grid: dict[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """Yield every point of a grid, the last key running fastest."""
    for key, values in grid.items():
        if not isinstance(values, list) or not values:
            raise InputError(
                f"{where}: grid: {key} should be a list of values to try, as [1, 2], not "
                f"{echoed(values)}"
            )
    for values in product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def _value(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
