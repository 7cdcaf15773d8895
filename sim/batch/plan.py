"""The plan of a run: its shares of work, each with the task that does it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ...profiles.errors import InputError
from ...profiles.files.reading import Inputs, using
from ..ask.output import listening
from ..ask.request import Load, Request
from .batch import Batch, Cell, load_batch

SMALL = 2.0  # chunks' worth of work that a cell may be and still be done in one go


@dataclass(frozen=True)
class Share:
    """A part of a cell whose rows follow those of the part before."""

    cell: Cell
    number: int  # from 0, in its cell
    load: Load
    part: Request | None = None  # of the cell; the whole cell if not given
    is_last: bool = True  # of its cell

    @property
    def job(self) -> Request:
        """What it asks."""
        return self.part or self.cell.job

    @property
    def key(self) -> str:
        """What its answer is kept by."""
        return f"{self.cell.number}.{self.number}"


@dataclass(frozen=True)
class Plan:
    """A batch, all that it reads, and how much work it is."""

    batch: Batch
    inputs: Inputs
    loads: tuple[Load, ...]  # of the cells
    remarks: tuple[str, ...]  # what was noticed while it was read

    @property
    def load(self) -> Load:
        """How much work all of it is."""
        return sum(self.loads, Load(0, 0.0, 0))

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """The shares of all cells, in order."""
        with asking(self.inputs):
            return tuple(self._shares())

    def _shares(self) -> Iterator[Share]:
        for cell, load in zip(self.batch.cells, self.loads, strict=True):
            jobs = _shares_of(cell)
            part = load._replace(seconds=load.seconds / len(jobs))
            for number, job in enumerate(jobs):
                alone = len(jobs) == 1
                yield Share(cell, number, part, None if alone else job, number == len(jobs) - 1)

    def is_small(self, share: Share) -> bool:
        """Whether a share is done in one go, not by many workers together."""
        return not share.job.splits or share.load.seconds <= SMALL * self.batch.patience


def _shares_of(cell: Cell) -> list[Request]:
    job = cell.job
    try:
        return list(job.shares())
    except InputError:  # of values that do not go together: it fails alone, when it is asked
        return [job]


def planned(path: str | Path, inputs: Inputs | None = None, seed: int | None = None) -> Plan:
    """Read a batch with all that its cells read, and check every cell."""
    path = Path(os.path.abspath(path))
    inputs = Inputs(str(path.parent)) if inputs is None else inputs
    remarks: list[str] = []
    with using(inputs), listening(remarks.append):
        batch = replace(load_batch(path, seed), path=Path(path.name))
        loads = batch.loads()
    return Plan(batch, inputs, loads, tuple(dict.fromkeys(remarks)))


@contextmanager
def asking(inputs: Inputs) -> Iterator[None]:
    """Ask in this block as a run asks: of its inputs, and telling nobody."""
    with using(inputs), listening(lambda line: None):
        yield
