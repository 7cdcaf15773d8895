"""Batches as tables: what a run would be, and what came of it."""

from collections.abc import Sequence

from ...profiles.message import say, say_all
from ..ask.request import Load
from ..text.printing import Block, group, styled, table_of
from .folder import RESULTS, Run
from .plan import Plan
from .results import Answered

CELL_BYTES, BYTES = 2_300, 250  # on disk, about: of a cell, and of each of its rows
_UNITS = say_all(((86_400, "{} d"), (3_600, "{} h"), (60, "{} min")))
_SIZES = say_all(((10**9, "{} GB"), (10**6, "{} MB")))


def plan_table(plan: Plan) -> Block:
    """Return what a batch would do: its jobs, their cells, trials, time and size, about."""
    lines = []
    for job in plan.batch.jobs:
        own = plan.loads[job.first : job.first + len(job)]
        lines.append([job.name, job.command, *_told(own)])
    lines.append(["all", "", *_told(plan.loads)])
    headings = say_all(["job", "command", "cells", "trials", "one core", "rows", "size"])
    about = say(
        "{}: seed {}, chunks of about {:g} s; time and size are estimates",
        plan.batch.title,
        plan.batch.seed,
        plan.batch.patience,
    )
    remarks = [styled(line, "dim") for line in plan.remarks]
    return group([styled(about), table_of(headings, lines, "kknnnnn"), *remarks])


def _told(loads: Sequence[Load]) -> list[str]:
    load = sum(loads, Load(0, 0.0, 0))
    trials = f"{load.trials:,}" if load.trials else "exact"
    room = size(room_of(loads))
    return [f"{len(loads):,}", trials, duration(load.seconds), f"{load.rows:,}", room]


def room_of(loads: Sequence[Load]) -> int:
    """Return how many bytes cells will take on disk, about."""
    return len(loads) * CELL_BYTES + sum(load.rows for load in loads) * BYTES


def run_table(run: Run) -> Block:
    """Return what came of a run: a line for each job, and where its rows are."""
    lines = []
    by_job: dict[str, list[Answered]] = {}
    for one in run.answered:
        by_job.setdefault(one.job, []).append(one)
    for name, own in by_job.items():
        rows, failed = sum(len(one.result) for one in own), sum(bool(one.failure) for one in own)
        file = f"{RESULTS}/{name}.parquet"
        cells = f"{len(own):,}"
        if failed:
            cells = say("{:,} ({:,} failed)", len(own), failed)
        lines.append([name, own[0].asked["command"], cells, f"{rows:,}", file])
    table = table_of(
        ["job", "command", "cells", "rows", say("in {}", run.folder.name)], lines, "kknnk"
    )
    return group([styled(run.title), table, styled(say("seed {}", run.seed), "dim")])


def duration(seconds: float) -> str:
    """Return a time in a unit that people use.

    >>> duration(0.2), duration(90), duration(86_400)
    ('below 1 s', '1.5 min', '1 d')
    """
    if seconds < 1:
        return say("below 1 s")
    for unit, pattern in _UNITS:
        if seconds >= unit:
            count = seconds / unit
            return say(pattern, f"{count:.2g}" if count < 10 else f"{count:,.0f}")
    return say("{:.0f} s", seconds)


def size(count: float) -> str:
    """Return a number of bytes in a unit that people use.

    >>> size(900), size(2_500_000)
    ('1 KB', '2 MB')
    """
    for unit, pattern in _SIZES:
        if count >= unit:
            return say(pattern, f"{count / unit:,.0f}")
    return say("{} KB", max(round(count / 1000), 1))
