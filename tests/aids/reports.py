"""Runs for reports, made of answers without a folder."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from running import ABLE, ROSTER

from estoc.sim.base.libraries import versions
from estoc.sim.base.result import Result, Row
from estoc.sim.base.stats import wilson
from estoc.sim.batch.folder import Run
from estoc.sim.batch.results import Answered
from estoc.sim.combat.sweep import sweep
from estoc.sim.report.report import report

COUNTS = ("wins_a", "wins_b", "undecided")
SHARES = ("p_a", "p_b", "p_undecided")
BATCH = 'title = "Made"\nseed = 5\n[[job]]\ncommand = "duel"  # <b>not bold</b>\n'


def cell(job: str, result: Result, *, number: int = 0, **told: Any) -> Answered:
    """Return an answer as a run keeps it; ``point``, ``asked`` and ``failure`` may be told."""
    asked = {"command": result.question, **told.get("asked", {})}
    return Answered(job, number, told.get("point", {}), asked, result, told.get("failure", ""))


def run_of(*answered: Answered, **told: Any) -> Run:
    """Return a run of some answers; ``errors`` and ``warnings`` may be told."""
    return Run(
        folder=Path("made.run"),
        title=told.get("title", "Made"),
        command="estoc run made.toml -o made.run",
        seed=5,
        versions=versions(),
        inputs={"made.toml": "0123456789abcdef" * 4},
        batch=BATCH,
        warnings=told.get("warnings", ()),
        errors=told.get("errors", ()),
        answered=answered,
    )


def written(run: Run, path: Path) -> Path:
    """Write the report of a run."""
    path.write_text(report(run), encoding="utf-8")
    return path


def many_cells(count: int, fighters: int = 132) -> Result:
    """Return a sweep with so many cells, of so many fighters on both sides; Estoc brings 132.

    Its rows are those of real duels, with other names, seeds and counts.
    """
    names = [fighter.label for fighter in ABLE[::12]]
    result = sweep(names, names, dice="policy", trials=200, seed=5)
    known = [fighter.label for fighter in ROSTER][:fighters]
    every = known + [f"Fighter {number}" for number in range(len(known), fighters)]
    grid = product(("none", "A", "B"), every, every, ("2/0", "1/1"))
    rows = [
        row | {"a": a, "b": b, "charge": charge, "dice_b": dice}
        for row, (charge, a, b, dice) in zip(many_rows(result.rows, count), grid, strict=False)
    ]
    assert len(rows) == count
    return replace(result, rows=rows)


def many_rows(rows: Sequence[Row], count: int) -> list[Row]:
    """Repeat sampled rows of a sweep with other counts of the same trials, as so many cells."""
    random, trials = np.random.default_rng(5), rows[0]["trials"]
    laws = np.array([[row[share] for share in SHARES] for row in rows])
    counts = random.multinomial(trials, laws[np.arange(count) % len(rows)])
    lows, highs = wilson(counts, trials)
    found = []
    for number in range(count):
        row = dict(rows[number % len(rows)])
        row["seed"] = number
        row["command"] = row["command"].replace("--seed 5", f"--seed {number}")
        for k, share in enumerate(SHARES):
            row[COUNTS[k]] = int(counts[number, k])
            row[share] = int(counts[number, k]) / trials
            row[f"{share}_low"], row[f"{share}_high"] = lows[number, k], highs[number, k]
        found.append(row)
    return found
