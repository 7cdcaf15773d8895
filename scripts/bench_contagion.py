"""Rout contagion in bench.py: trials a second, on one core.

A line of 20 units in both orders, with units that stay and units that flee, beside plain Python.
Nothing is timed before both agree with exact odds, and threads and chunks with each other.
"""

import random
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from bench_part import table_of
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from estoc.sim.base.run import Method, Run
from estoc.sim.bench.agreement import LIMIT_Z, demand, departure
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.timing import Timing, race, times_faster
from estoc.sim.contagion.exact import rational_law
from estoc.sim.contagion.play import count_orders
from estoc.sim.contagion.question import Contagion, ask_contagion
from estoc.sim.contagion.search import Odds

BAR = 5_000_000  # trials a second
UNITS = 20
OURS, PLAIN = "estoc", "python, plain"
JOBS = {
    f"{model}, {order}": {"orders": [order], "model": model}
    for model in ("static", "flee")
    for order in ("outward", "inward")
}


class Work(NamedTuple):
    """One order of one question."""

    question: Contagion
    order: tuple[int, ...]


def work(name: str) -> Work:
    question = ask_contagion(f"line:{UNITS}", fail="1/2", **JOBS[name])
    return Work(question, question.listed(question.orders[0]))


def estoc_law(
    job: Work, trials: int, threads: int = 1, chunk: int | None = None
) -> NDArray[np.int64]:
    """Trials by units in rout."""
    how, run = Method("mc", trials, SEED), Run(threads=threads, chunk=chunk)
    (counts,) = count_orders(job.question, [job.order], how, run)
    return counts.law


# ---------------------------------------------------------------------------- plain Python


def python_law(job: Work, trials: int) -> NDArray[np.int64]:
    """The same, by sets and ``random``: S1a, S1b and A1 as they are written."""
    question, order = job
    beside = [{v for v in range(UNITS) if word >> v & 1} for word in question.layout.neighbours]
    fails = partial(below, random.Random(SEED).random, float(question.fail))
    law = np.zeros(UNITS + 1, np.int64)
    for _ in range(trials):
        law[python_trial(beside, set(question.routed), order, question.flee, fails)] += 1
    return law


def below(uniform: Callable[[], float], chance: float) -> bool:
    return uniform() < chance


def python_trial(
    beside: list[set[int]],
    routed: set[int],
    order: tuple[int, ...],
    flee: bool,
    fails: Callable[[], bool],
) -> int:
    """Units in rout after one turn."""
    gone: set[int] = set()
    for unit in order:
        if unit in routed:
            routed |= {v for v in beside[unit] if v not in routed and v not in gone and fails()}
        elif beside[unit] & (routed - gone) and fails():
            routed.add(unit)
        if flee and unit in routed:
            gone.add(unit)
    return len(routed)


# ---------------------------------------------------------------------------- report


def check(name: str, trials: int) -> dict[str, float]:
    """End the run where a law is not the exact one, or threads and chunks change it."""
    job = work(name)
    exact = exact_law(job)
    counts = estoc_law(job, trials)
    two = estoc_law(job, trials, threads=2, chunk=1000)
    demand(counts.tolist() == two.tolist(), f"contagion, {name}: differs on 2 threads")
    found = {}
    for who, law in ((OURS, counts), (PLAIN, python_law(job, max(trials // 20, 2000)))):
        found[who] = departure(law, exact)
        demand(
            found[who] < LIMIT_Z,
            f"contagion, {name}: {who} is not the exact law: |z| = {found[who]:.1f} in a cell",
        )
    return found


def exact_law(job: Work) -> NDArray[np.float64]:
    """Fractions where units flee: floats know 11 of them."""
    question, order = job
    if not question.flee:
        return np.array(Odds(question).law(order).chances)
    asked = (question.fail, question.turns, question.flee)
    law = rational_law(question.layout.neighbours, question.start, order, *asked)
    assert law is not None
    return np.array(law.chances, np.float64)


def shown(rows: dict[str, Any]) -> Table:
    title = f"rout contagion, a line of {UNITS}, one turn, q = 1/2, one core"
    headings = ("model, order", "estoc, million/s", "plain Python, /s", "times faster")
    cells = (
        (
            *(name, f"{row[OURS]['least'] / 1e6:.1f}", f"{row[PLAIN]['least']:,.0f}"),
            f"{row['times_faster']['least']:,.0f}",
        )
        for name, row in rows.items()
    )
    return table_of(title, headings, cells)


def time_contagion(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print the table; what goes into the file."""
    rows: dict[str, Any] = {}
    for name in JOBS:
        checked = check(name, 100_000 if quick else 2_000_000)
        job = work(name)
        runs = {OURS: partial(estoc_law, job), PLAIN: partial(python_law, job)}
        taken = race(runs, rounds)
        speeds = {who: Timing.of([1e9 / ns for ns in taken[who]]) for who in runs}
        rows[name] = {
            # the best round is the fastest
            who: {"least": max(1e9 / ns for ns in taken[who]), "median": speed.median}
            for who, speed in speeds.items()
        }
        rows[name] |= {
            "times_faster": asdict(times_faster(taken[PLAIN], taken[OURS])),
            "largest_z": checked,
            "bar": BAR,
            "met": rows[name][OURS]["least"] >= BAR,
        }
    console.print(shown(rows))
    return {"units": UNITS, "rows": rows}
