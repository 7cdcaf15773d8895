"""The activation phase of bench.py: sampled and exact, beside the same phase written plainly."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np
from asked_cards import Kernel, job_of, question, with_compared
from bench_part import bar_cell, table_of, time_cells, within
from plain_cards import DISCIPLINE, TURNS, Counts, Job, numba_counts, python_counts, python_odds
from rich.console import Console
from rich.table import Table

from estoc.sim.bench.agreement import CLOSE, FEWEST_SKEWED, demand
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.timing import Timing, race, repeated, times_faster
from estoc.sim.phases.card_exact import obstacle, solve_phase
from estoc.sim.phases.card_question import CardQuestion
from estoc.sim.phases.tactics import chance_of_test, chance_to_win

SAMPLED = (
    ("wait", "cheap"),  # cheap always speaks first: the roll is made but changes nothing
    ("threat", "cheap"),
    ("threat", "wait"),
    ("wait", "random"),
    ("random", "random"),
)
SIZES, EXACT_SIZES = (8, 8), (5, 4)
LIMIT_Z = 5.5  # more than elsewhere: thousands of cells are compared
BAR_NS = 500  # 2 million phases a second
BAR_EXACT = 10e-3
ROUND_SECONDS = 0.01  # short enough to fit between what else the machine does
PYTHON, NUMBA, OURS = "python, plain", "numba, plain", "estoc, 1 thread"
COMPARED = "estoc, compared"
KNOWN, ROLLED, RECURSION = "estoc", "estoc, with roll", "python, plain"


# ---------------------------------------------------------------------------- agreement


def apart(one: Counts, other: Counts) -> float:
    """Largest |z| of a cell between counts and counts, or chances; infinite where never is met.

    A rare cell is taken to spread as one with ``FEWEST_SKEWED`` cases does.
    """
    cells = one.cells(), other.cells()
    trials = min(one.trials, other.trials)
    if inf in (one.trials, other.trials):
        share = np.round(cells[0 if one.trials == inf else 1], 12)
    else:
        share = (cells[0] * one.trials + cells[1] * other.trials) / (one.trials + other.trials)
    gap = np.abs(cells[0] - cells[1])
    if (((share == 0) | (share == 1)) & (gap > CLOSE)).any():
        return inf
    spread = np.maximum(share * (1 - share), FEWEST_SKEWED / trials)
    return float((gap / np.sqrt(spread * (1 / one.trials + 1 / other.trials))).max())


def sampled_counts(asked: CardQuestion, job: Job, size: int) -> dict[str, Counts]:
    """What all three count; the plain Python one, which is slow, in fewer trials."""
    return {
        "python": python_counts(job, size // 40, SEED),
        "numba": numba_counts(job, size, SEED),
        "estoc": Kernel.of(asked).counts(size),
    }


def exact_counts(asked: CardQuestion) -> Counts:
    """The chances by the exact engine."""
    solved = solve_phase(asked, asked.phase)
    return Counts(inf, solved.before, solved.acts[:, :, :TURNS])


def check_sampled(name: str, asked: CardQuestion, job: Job, trials: int) -> float:
    """Compare what is timed, with the exact odds where there are any; largest |z|."""
    counts = sampled_counts(asked, job, trials)
    if not obstacle(asked):
        counts["exact"] = exact_counts(asked)
    worst = 0.0
    for one, other in combinations(counts, 2):
        z = apart(counts[one], counts[other])
        demand(z < LIMIT_Z, f"{name}: {one} and {other} disagree: |z| = {z:.1f} in a cell")
        worst = max(worst, z)
    return worst


def check_sizes(name: str, policies: tuple[str, str], trials: int) -> float:
    """Largest |z| of the phase that is timed, and of a smaller one where there are refusals."""
    asked = [question(policies, sizes) for sizes in (SIZES, EXACT_SIZES)]
    return max(check_sampled(name, q, job_of(q), trials) for q in asked)


def check_exact(name: str, asked: CardQuestion, job: Job) -> None:
    """The exact engine and the plain recursion find the same chances."""
    cells = exact_counts(asked).cells(), python_odds(job, asked.chance).cells()
    gap = np.abs(cells[0] - cells[1]).max()
    demand(gap < CLOSE, f"{name}: exact and the plain recursion differ by {gap:.1e}")


# ---------------------------------------------------------------------------- sampled phases


def sampled_runs(asked: CardQuestion, job: Job) -> dict[str, Callable[[int], object]]:
    return {
        PYTHON: lambda n: python_counts(job, n, SEED),
        NUMBA: lambda n: numba_counts(job, n, SEED),
        OURS: Kernel.of(asked).play,
        COMPARED: Kernel.of(asked, compared=True).play,
    }


def sampled_figures(taken: dict[str, list[float]], phases: int) -> dict[str, Any]:
    """Nanoseconds and ratios of a pair of policies, for the table and the file."""
    base, ours = taken[NUMBA], Timing.of(taken[OURS])
    return {
        "rows": {
            name: {
                "ns_per_phase": asdict(Timing.of(taken[name])),
                "times_faster": asdict(times_faster(base, taken[name])),
            }
            for name in (PYTHON, NUMBA, OURS)
        },
        "bar_ns": BAR_NS,
        "met": ours.least <= BAR_NS,
        "met_by_median": ours.median <= BAR_NS,
        "compared": {
            "phases": phases,
            "ns_per_trial": asdict(Timing.of(taken[COMPARED])),
            "times_one_phase": asdict(times_faster(taken[COMPARED], taken[OURS])),
        },
    }


def time_sampled(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print the tables of the sampled phases; what goes into the file."""
    worst, phases, runs = {}, {}, {}
    for policies in SAMPLED:
        name = " v ".join(policies)
        worst[name] = check_sizes(name, policies, 100_000 if quick else 2_000_000)
        asked = question(policies, SIZES)
        phases[name] = len(with_compared(asked)[0])
        found = sampled_runs(asked, job_of(asked))
        runs |= {(name, who): run for who, run in found.items()}
    taken = race(runs, rounds, ROUND_SECONDS)
    report = {}
    for name, z in worst.items():
        own = {who: values for (pair, who), values in taken.items() if pair == name}
        report[name] = {"largest_z": z} | sampled_figures(own, phases[name])
    console.print(sampled_table(report))
    console.print(bar_line(report), markup=False)
    console.print(compared_table(report))
    return report


def timed_cells(ns: dict[str, float], ratio: dict[str, float]) -> list[str]:
    times = [f"{ns[key]:,.0f}" for key in ("least", "median")]
    return times + [f"{ratio[key]:.3g}" for key in ("least", "median")]


def sampled_table(report: dict[str, dict[str, Any]]) -> Table:
    worst = max(row["largest_z"] for row in report.values())
    title = f"Activation phases of {SIZES[0]} against {SIZES[1]} cards, sampled"
    caption = (
        f"ns per phase; times faster than {NUMBA} (with xoshiro256++)\n"
        f"agree with each other and the exact odds: largest |z| of a cell {worst:.1f}"
    )
    rows: list[list[str]] = []
    for pair, row in report.items():
        rows.append([pair])
        for who, timed in row["rows"].items():
            rows.append([f"  {who}", *timed_cells(timed["ns_per_phase"], timed["times_faster"])])
    return table_of(title, ("policies", "min", "median", "faster, min", "by round"), rows, caption)


def compared_table(report: dict[str, dict[str, Any]]) -> Table:
    title = "A trial that plays several phases with the same dice and compares them"
    headings = ("policies", "phases", "min", "median", "times one, min", "by round")
    rows = (
        (pair, str(of["phases"]), *timed_cells(of["ns_per_trial"], of["times_one_phase"]))
        for pair, row in report.items()
        for of in [row["compared"]]
    )
    return table_of(title, headings, rows, "ns per trial; times the one phase of the table above")


def bar_line(report: dict[str, dict[str, Any]]) -> str:
    """Which pairs of policies meet the bar."""
    groups: dict[str, list[str]] = {"met by": [], "by the min only by": [], "not met by": []}
    for pair, row in report.items():
        met = "met by" if row["met_by_median"] else "by the min only by"
        groups[met if row["met"] else "not met by"].append(pair)
    told = "; ".join(f"{word} {', '.join(pairs)}" for word, pairs in groups.items() if pairs)
    return f"Bar: 2 million phases a second on a core, {BAR_NS} ns a phase: {told}."


# ---------------------------------------------------------------------------- exact phases


class Exact(NamedTuple):
    """An exact question: its policies, and whether no pile is shuffled though it may be."""

    policies: tuple[str, str]
    listed: bool = False

    @property
    def name(self) -> str:
        return " v ".join(self.policies) + (", listed" if self.listed else "")


EXACT = (
    Exact(("wait", "cheap")),
    Exact(("threat", "cheap")),
    Exact(("wait", "random"), listed=True),
    Exact(("random", "random"), listed=True),
    Exact(("wait", "random")),
)


def solve_afresh(asked: CardQuestion) -> None:
    """Solve a phase, the odds of its Tactics roll with it."""
    chance_of_test.cache_clear()
    chance_to_win(*DISCIPLINE, asked.options)
    solve_phase(asked, asked.phase)


def exact_runs(asked: CardQuestion, job: Job) -> dict[str, Callable[[int], object]]:
    return {
        KNOWN: repeated(partial(solve_phase, asked, asked.phase)),
        ROLLED: repeated(partial(solve_afresh, asked)),
        RECURSION: repeated(partial(python_odds, job, asked.chance)),
    }


def exact_figures(taken: dict[str, list[float]]) -> dict[str, Any]:
    """Seconds, bars and ratios of a question, by who answers."""
    return {
        who: within(values, None if who == RECURSION else BAR_EXACT)
        | {"times_faster": asdict(times_faster(taken[RECURSION], values))}
        for who, values in taken.items()
    }


def time_exact(console: Console, rounds: int) -> dict[str, Any]:
    """Print the table of the exact phases; what goes into the file."""
    runs = {}
    for case in EXACT:
        asked = question(case.policies, EXACT_SIZES, case.listed)
        check_exact(case.name, asked, job_of(asked))
        runs |= {(case.name, who): run for who, run in exact_runs(asked, job_of(asked)).items()}
    taken = race(runs, rounds, ROUND_SECONDS)
    report: dict[str, Any] = {}
    for case in EXACT:
        own = {who: values for (name, who), values in taken.items() if name == case.name}
        report[case.name] = exact_figures(own)
    console.print(exact_table(report))
    return report


def exact_table(report: dict[str, dict[str, Any]]) -> Table:
    title = f"Who acts before whom, {EXACT_SIZES[0]} against {EXACT_SIZES[1]} cards, exactly"
    caption = (
        "agree to 12 digits; times faster, min, than python's recursion over all moves\n"
        "with roll: and the odds of the Tactics roll, else known before\n"
        "listed: random moves, but no pile is shuffled"
    )
    cells: list[list[str]] = []
    for name, rows in report.items():
        cells.append([name])
        for who, row in rows.items():
            ratios = [f"{row['times_faster'][key]:.3g}" for key in ("least", "median")]
            cells.append([f"  {who}", *time_cells(row), bar_cell(row), *ratios])
    headings = ("policies", "min", "median", "bar", "faster", "by round")
    return table_of(title, headings, cells, caption)


def time_cards(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print the tables of the activation phase; what goes into the file."""
    return {
        "sampled": time_sampled(console, rounds, quick),
        "exact": time_exact(console, rounds),
    }
