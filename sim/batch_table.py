"""Batches as tables: what a run would be, and what came of it."""

from typing import TYPE_CHECKING

from estoc.sim.job import Load
from estoc.sim.printing import group, styled, table_of
from estoc.sim.run_folder import RESULTS, Run
from estoc.sim.runs import Plan

if TYPE_CHECKING:
    from rich.console import RenderableType

BYTES = 120  # of a row on disk, about
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def plan_table(plan: Plan) -> "RenderableType":
    """Return what a batch would do: its jobs, their cells, trials, time and size, about."""
    lines = []
    for name in plan.batch.names:
        own = [
            (cell, load)
            for cell, load in zip(plan.batch.cells, plan.loads, strict=True)
            if cell.name == name
        ]
        load = sum((load for _, load in own), Load(0, 0.0, 0))
        lines.append([name, own[0][0].command, f"{len(own):,}", *_told(load)])
    lines.append(["all", "", f"{len(plan.batch.cells):,}", *_told(plan.load)])
    headings = ["job", "command", "cells", "trials", "one core", "rows", "size"]
    about = (
        f"{plan.batch.title}: seed {plan.batch.seed}, chunks of about "
        f"{plan.batch.patience:g} s; time and size are estimates"
    )
    remarks = [styled(line, "dim") for line in plan.remarks]
    return group([styled(about), table_of(headings, lines, "kknnnnn"), *remarks])


def _told(load: Load) -> list[str]:
    trials = f"{load.trials:,}" if load.trials else "exact"
    return [trials, duration(load.seconds), f"{load.rows:,}", size(load.rows * BYTES)]


def run_table(run: Run) -> "RenderableType":
    """Return what came of a run: a line for each job, and where its rows are."""
    lines = []
    for name in dict.fromkeys(one.job for one in run.answered):
        own = [one for one in run.answered if one.job == name]
        rows, failed = sum(len(one.result) for one in own), sum(bool(one.failure) for one in own)
        file = f"{RESULTS}/{name}.parquet"
        cells = f"{len(own):,}" + (f" ({failed:,} failed)" if failed else "")
        lines.append([name, own[0].asked["command"], cells, f"{rows:,}", file])
    table = table_of(["job", "command", "cells", "rows", f"in {run.folder.name}"], lines, "kknnk")
    return group([styled(run.title), table, styled(f"seed {run.seed}", "dim")])


def duration(seconds: float) -> str:
    """Return a time in a unit that people use.

    Examples
    --------
    >>> duration(0.2), duration(90), duration(86_400)
    ('below 1 s', '1.5 min', '1 d')
    """
    if seconds < 1:
        return "below 1 s"
    for unit, name in _UNITS:
        if seconds >= unit:
            return (
                f"{seconds / unit:.2g} {name}"
                if seconds < 10 * unit
                else f"{seconds / unit:,.0f} {name}"
            )
    return f"{seconds:.0f} s"


def size(count: float) -> str:
    """Return a number of bytes in a unit that people use.

    Examples
    --------
    >>> size(900), size(2_500_000)
    ('1 KB', '2 MB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB")):
        if count >= unit:
            return f"{count / unit:,.0f} {name}"
    return f"{max(round(count / 1000), 1)} KB"
