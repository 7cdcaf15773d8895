"""Rout contagion: trials a second, on one core.

A line of 20 units in both orders, with units that stay and units that flee, beside plain Python.
Nothing is timed before both agree with exact odds, and threads and chunks with each other.
"""

import random
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from races.form import Bench, Racer

from estoc.sim.base.run import Method, Run
from estoc.sim.bench.agreement import LIMIT_Z, demand, departure
from estoc.sim.bench.samplers import SEED
from estoc.sim.contagion.exact import rational_law
from estoc.sim.contagion.play import count_orders
from estoc.sim.contagion.question import Contagion, ask_contagion
from estoc.sim.contagion.search import Odds

BAR = 1 / 5_000_000  # seconds of a trial
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


# ---------------------------------------------------------------------------- checks and times


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


def racers() -> dict[str, Racer]:
    """Both who play each order."""
    found = {}
    for name in JOBS:
        job, plain = work(name), f"{name}: {PLAIN}"
        found[f"{name}: {OURS}"] = Racer(partial(estoc_law, job), beside=plain, bar=BAR)
        found[plain] = Racer(partial(python_law, job))
    return found


def time_part(bench: Bench) -> None:
    """Time a turn of all orders, by both."""
    checked = {name: check(name, bench.pick(2_000_000, 100_000)) for name in JOBS}
    bench.race(f"Rout contagion: one turn of a line of {UNITS}, q = 1/2", racers())
    bench.facts("Largest |z| of a cell, beside the exact law", checked)
