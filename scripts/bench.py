"""Time the Monte Carlo of one combat beside plain baselines, and estoc's start-up.

Everything is timed in one run, round robin and on one core, since machines and their load
differ by more than kernels do: compare ratios, not nanoseconds. No time is printed before
all kernels agree about the result.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import numpy as np
from bench_baselines import Job, numba_counts, numpy_counts, python_counts
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from estoc.kernels.layout import STATS, Decision, Reroll, Rule, Rules, Setup, Sustain, Tie
from estoc.kernels.trials import count, new_fight, play
from estoc.profiles import Roster, load_edition, read_fighters
from estoc.profiles.compile import compile_rules, fighter_row, placing_order

EDITION = "conffede"
FIGHTERS = ("garde prétorien", "guerrier de l'aube")
DICE = {"1/1 v 1/1": ((1, 1), (1, 1)), "2/0 v 2/0": ((2, 0), (2, 0))}
BASELINE = "numba, plain, xoshiro256++"
OURS, OURS_TWO = "estoc, 1 thread", "estoc, 2 threads"
FIRST_DUEL = ["duel", *FIGHTERS]
ROUND_SECONDS = 0.06
LIMIT_Z = 4.5
FEWEST = 10  # expected cases of a cell; rarer cells are compared together
SEED = 1
CORES = os.sched_getaffinity(0)

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Timing:
    """The best and the middle of several rounds."""

    least: float
    median: float

    @classmethod
    def of(cls, values: list[float]) -> "Timing":
        return cls(min(values), statistics.median(values))


# ---------------------------------------------------------------------------- the work


def arrays(dice: tuple[tuple[int, int], ...]) -> tuple[Job, Setup, Rules]:
    """One job for the baselines, and the same for estoc's kernel."""
    edition = load_edition(EDITION)
    # Not Roster.load, which knows the user's own fighters as well.
    roster = Roster(tuple(read_fighters(files("estoc.profiles") / "fighters-conffede.csv")))
    profiles = [roster.find(name) for name in FIGHTERS]
    rules = compile_rules(edition)
    rows = [fighter_row(p, edition, placed=d) for p, d in zip(profiles, dice, strict=True)]
    fighters = np.array(rows)
    scalars = rules.scalars
    # What the baselines take for granted.
    assert scalars[Rule.AUTOMATIC_FAILURE] == scalars[Rule.NATURAL_ONE_FAILS] == 0
    assert scalars[Rule.REROLL_ONE] == 0
    assert scalars[Rule.OPPOSED_TIE] == Tie.REROLL
    job = Job(
        fighters=fighters[:, :STATS].copy(),
        dice=np.array(dice),
        wound=rules.wound,
        after=rules.after,
        penalty=rules.penalty,
        offset=int(scalars[Rule.WOUND_OFFSET]),
        sustained_penalty=int(scalars[Rule.SUSTAINED_PENALTY]),
    )
    policy = np.zeros((2, len(Decision)), np.int64)
    policy[:, Decision.PARRY] = 1
    policy[:, Decision.SUSTAIN] = Sustain.USEFUL
    policy[:, [Decision.REROLL_ATTACK, Decision.REROLL_INITIATIVE]] = Reroll.ALWAYS
    policy[:, Decision.REROLL_DEFENCE] = Reroll.NEEDED
    return job, Setup(fighters, placing_order(profiles, 0), policy, 0, 0), rules


def estoc_counts(setup: Setup, rules: Rules, trials: int, threads: int) -> Counts:
    """Final states of each fighter, shape (2, s), from estoc's kernel: what is timed."""
    states = len(rules.level)

    def part(first: int, last: int) -> Counts:
        law = np.zeros((2, states), np.int64)
        sides = np.zeros((states, 2), np.int64)
        tally = np.zeros(2, np.int64)
        count(new_fight(setup, rules, SEED, 0), first, last - first, 1, law, sides, tally)
        return law

    ends = [trials * k // threads for k in range(threads + 1)]
    if threads == 1:
        return part(*ends)
    with all_cores(), ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(part, ends, ends[1:]))


def estoc_pairs(setup: Setup, rules: Rules, trials: int) -> Counts:
    """Pairs of final states, shape (s, s), of the same trials as ``estoc_counts``."""
    states = len(rules.level)
    final = play(new_fight(setup, rules, SEED, 0), 0, trials, 1)
    pairs = np.bincount(final[:, 0] * states + final[:, 1], minlength=states * states)
    return pairs.reshape(states, states)


# ---------------------------------------------------------------------------- agreement


def disagreement(one: Counts, other: Counts) -> tuple[float, float]:
    """Largest |z| of a cell and chi-square by degree of freedom between two sets of counts."""
    both = np.stack([one.ravel(), other.ravel()]).astype(float)
    totals = both.sum(axis=1, keepdims=True)
    share = both.sum(axis=0) / totals.sum()
    rare = share * totals.min() < FEWEST
    both = np.column_stack([both[:, ~rare], both[:, rare].sum(axis=1)])
    share = both.sum(axis=0) / totals.sum()
    both, share = both[:, share > 0], share[share > 0]
    gap = both[0] / totals[0] - both[1] / totals[1]
    spread = share * (1 / totals).sum()
    z = gap / np.sqrt(spread * (1 - share))
    return float(np.abs(z).max()), float((gap**2 / spread).sum() / (len(share) - 1))


def check(name: str, job: Job, setup: Setup, rules: Rules, quick: bool) -> dict[str, float]:
    """Compare all kernels with each other; end the run where two differ."""
    size = 10 if quick else 1
    counts = {
        "python": python_counts(job, 50_000 // size, SEED),
        "numpy": numpy_counts(job, 1_000_000 // size, SEED),
        "numba": numba_counts(job, 4_000_000 // size, SEED),
        "estoc": estoc_pairs(setup, rules, 4_000_000 // size),
    }
    law = estoc_counts(setup, rules, 4_000_000 // size, 1)
    two = estoc_counts(setup, rules, 4_000_000 // size, 2)
    if not np.array_equal(law, two):
        raise click.ClickException(f"{name}: estoc counts differently on 2 threads")
    if not np.array_equal(law, [counts["estoc"].sum(axis=1), counts["estoc"].sum(axis=0)]):
        raise click.ClickException(f"{name}: estoc's count and play differ")
    found = {
        f"{one} and {other}": disagreement(counts[one], counts[other])
        for one, other in combinations(counts, 2)
    }
    for pair, (z, _) in found.items():
        if not z < LIMIT_Z:
            raise click.ClickException(f"{name}: {pair} disagree: |z| = {z:.1f} in a cell")
    worst_z, worst_chi = (max(column) for column in zip(*found.values(), strict=True))
    return {"largest_z": worst_z, "largest_chi_square_by_df": worst_chi}


# ---------------------------------------------------------------------------- timing


@contextmanager
def all_cores() -> Iterator[None]:
    """Undo ``pin`` for a while; threads begun inside keep the cores."""
    pinned = os.sched_getaffinity(0)
    os.sched_setaffinity(0, CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, pinned)


def pin() -> None:
    """Stay on one core: moving between cores costs caches and tells two clocks apart."""
    os.sched_setaffinity(0, {max(CORES)})


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def sized(run: Callable[[int], object]) -> int:
    """How many trials take about ``ROUND_SECONDS``."""
    trials, taken = 1 << 10, seconds(partial(run, 1 << 10))
    while taken < ROUND_SECONDS / 4:
        trials *= 4
        taken = seconds(partial(run, trials))
    return max(1, int(trials * ROUND_SECONDS / taken))


def race(runs: dict[str, Callable[[int], object]], rounds: int) -> dict[str, list[float]]:
    """Nanoseconds a trial of each, round by round, taken in turn."""
    sizes = {name: sized(run) for name, run in runs.items()}
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            trials = sizes[name]
            taken[name].append(seconds(partial(run, trials)) / trials * 1e9)
    return taken


def times_faster(base: list[float], values: list[float]) -> Timing:
    """Speed-up over a base: of the best rounds, and the median of the rounds.

    The two of one round met the same load of the machine.
    """
    by_round = [b / value for b, value in zip(base, values, strict=True)]
    return Timing(min(base) / min(values), statistics.median(by_round))


def race_kernels(job: Job, setup: Setup, rules: Rules, rounds: int) -> dict[str, list[float]]:
    runs = {
        "python, plain": lambda n: python_counts(job, n, SEED),
        "numpy, batches": lambda n: numpy_counts(job, n, SEED),
        BASELINE: lambda n: numba_counts(job, n, SEED),
        OURS: lambda n: estoc_counts(setup, rules, n, 1),
        OURS_TWO: lambda n: estoc_counts(setup, rules, n, 2),
    }
    return race(runs, rounds)


# ---------------------------------------------------------------------------- start-up


def launch(arguments: list[str], cache: str) -> None:
    """Run estoc with its compiled kernels in a cache folder of its own."""
    environment = os.environ | {"XDG_CACHE_HOME": cache}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [str(Path(sys.executable).with_name("estoc")), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise click.ClickException(f"estoc {' '.join(arguments)}: {last}")


def measure_start_up(repeats: int) -> dict[str, Timing]:
    """Seconds from a shell's point of view, on all cores as people have them."""
    taken: dict[str, list[float]] = {"first duel, cold cache": []}
    with all_cores(), tempfile.TemporaryDirectory() as warm:
        for _ in range(max(1, repeats // 3)):
            with tempfile.TemporaryDirectory() as cold:
                value = seconds(partial(launch, FIRST_DUEL, cold))
            taken["first duel, cold cache"].append(value)
        launch(FIRST_DUEL, warm)
        for name, arguments in (("--help", ["--help"]), ("first duel, warm cache", FIRST_DUEL)):
            taken[name] = [seconds(partial(launch, arguments, warm)) for _ in range(repeats)]
    return {name: Timing.of(taken[name]) for name in sorted(taken)}


# ---------------------------------------------------------------------------- report


def machine() -> dict[str, str]:
    """What the figures were taken on."""
    rows: dict[str, str] = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        rows.setdefault(key.strip(), value.strip())
    flags = set(rows.get("flags", "").split()) & {"avx2", "avx512f"}
    packages = ("estoc", "numba", "llvmlite", "numpy")
    return {
        "processor": rows.get("model name", platform.processor()),
        "flags": " ".join(sorted(flags)) or "neither avx2 nor avx512f",
        "cores": str(len(CORES)),
        "load": f"{os.getloadavg()[0]:.1f} when it began",
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }


def figures(taken: dict[str, list[float]]) -> dict[str, dict[str, Any]]:
    """Nanoseconds and ratios of each kernel, for the table and the file."""
    return {
        name: {
            "ns_per_duel": asdict(Timing.of(values)),
            "times_faster": asdict(times_faster(taken[BASELINE], values)),
        }
        for name, values in taken.items()
    } | {"2 threads over 1": {"times_faster": asdict(times_faster(taken[OURS], taken[OURS_TWO]))}}


def kernel_table(name: str, rows: dict[str, dict[str, Any]], agreement: dict[str, float]) -> Table:
    table = Table(
        "kernel",
        title=f"{' v '.join(FIGHTERS)}, dice {name}",
        caption=f"ns per duel; times faster than {BASELINE}\n"
        f"agree with each other: largest |z| of a cell {agreement['largest_z']:.1f}, "
        f"chi²/df {agreement['largest_chi_square_by_df']:.2f}",
        width=80,
    )
    for heading in ("min", "median", "faster, min", "by round"):
        table.add_column(heading, justify="right")
    for label, row in rows.items():
        timing, ratio = row.get("ns_per_duel"), row["times_faster"]
        times = [f"{timing[key]:.1f}" if timing else "" for key in ("least", "median")]
        table.add_row(label, *times, f"{ratio['least']:.3g}", f"{ratio['median']:.3g}")
    return table


def start_up_table(timings: dict[str, Timing]) -> Table:
    table = Table("estoc", title="Start-up: seconds by the wall clock", width=80)
    for heading in ("min", "median"):
        table.add_column(heading, justify="right")
    for label, timing in timings.items():
        table.add_row(label, f"{timing.least:.2f}", f"{timing.median:.2f}")
    return table


def machine_table(facts: dict[str, str]) -> Table:
    table = Table(show_header=False, title="Machine", width=80)
    for row in facts.items():
        table.add_row(*row)
    return table


@click.command(help=__doc__)
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True, help="How often.")
@click.option("--quick", is_flag=True, help="Few trials: shows that it works, not how fast.")
@click.option("--start-up/--no-start-up", default=True, help="Time the start of estoc too.")
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write all figures to FILE.")
def main(rounds: int, quick: bool, start_up: bool, path: Path | None) -> None:
    rounds = 3 if quick else rounds
    console = Console(width=80)
    facts = machine()
    report: dict[str, Any] = {"machine": facts, "kernels": {}}
    console.print(machine_table(facts))
    pin()
    for name, dice in DICE.items():
        job, setup, rules = arrays(dice)
        agreement = check(name, job, setup, rules, quick)
        rows = figures(race_kernels(job, setup, rules, rounds))
        console.print(kernel_table(name, rows, agreement))
        report["kernels"][name] = agreement | {"rows": rows}
    if start_up:
        timings = measure_start_up(3 if quick else 9)
        console.print(start_up_table(timings))
        report["start_up_seconds"] = {label: asdict(t) for label, t in timings.items()}
    if path is not None:
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
