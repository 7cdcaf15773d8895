"""Time combats, abilities, activation phases, the table, battles, the sheet, runs; start-up.

Everything is timed in one run, round robin and on one core, since machines and their load
differ by more than kernels do: compare ratios, not nanoseconds. No time is printed before
all kernels agree about the result.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import Any

import bench_abilities
import bench_battle
import bench_cards
import bench_contagion
import bench_exact
import bench_matchup
import bench_runs
import bench_sheet
import bench_table
import click
import numpy as np
from bench_baselines import Job, numba_counts, numpy_counts, python_counts
from bench_timing import CORES, Timing, all_cores, pin, race, seconds, times_faster
from bench_work import (
    FIGHTERS,
    LIMIT_Z,
    SEED,
    arrays,
    disagreement,
    estoc_counts,
    estoc_finals,
)
from rich.console import Console
from rich.table import Table

from estoc.kernels.layout import Rules, Setup

DICE = {"1/1 v 1/1": ((1, 1), (1, 1)), "2/0 v 2/0": ((2, 0), (2, 0))}
BASELINE = "numba, plain, xoshiro256++"
OURS, OURS_TWO = "estoc, 1 thread", "estoc, 2 threads"
FIRST_DUEL = ["duel", *FIGHTERS]
PARTS = (
    "kernels",
    "abilities",
    "exact",
    "cards",
    "table",
    "battle",
    "matchup",
    "sheet",
    "runs",
    "start-up",
)


# ---------------------------------------------------------------------------- kernels


def check(name: str, job: Job, setup: Setup, rules: Rules, quick: bool) -> dict[str, float]:
    """Compare all kernels with each other; end the run where two differ."""
    size = 10 if quick else 1
    counts = {
        "python": python_counts(job, 50_000 // size, SEED),
        "numpy": numpy_counts(job, 1_000_000 // size, SEED),
        "numba": numba_counts(job, 4_000_000 // size, SEED),
        "estoc": estoc_finals(setup, rules, 4_000_000 // size),
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


def time_kernels(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print a table for each pair of dice; what goes into the file."""
    report: dict[str, Any] = {}
    for name, dice in DICE.items():
        job, setup, rules = arrays(dice)
        agreement = check(name, job, setup, rules, quick)
        rows = figures(race_kernels(job, setup, rules, rounds))
        console.print(kernel_table(name, rows, agreement))
        report[name] = agreement | {"rows": rows}
    return report


def time_start_up(console: Console, repeats: int) -> dict[str, Any]:
    timings = measure_start_up(repeats)
    console.print(start_up_table(timings))
    return {label: asdict(t) for label, t in timings.items()}


@click.command(help=__doc__)
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True, help="How often.")
@click.option("--quick", is_flag=True, help="Few trials: shows that it works, not how fast.")
@click.option(
    "--part", "parts", type=click.Choice(PARTS), multiple=True, help="Only this; repeatable."
)
@click.option(
    "--plot", type=click.Path(path_type=Path), help="Draw how battles grow in FILE (.png, .svg)."
)
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write all figures to FILE.")
def main(
    rounds: int, quick: bool, parts: tuple[str, ...], plot: Path | None, path: Path | None
) -> None:
    if plot is not None and parts and "battle" not in parts:
        raise click.UsageError("--plot draws the part battle: add --part battle")
    rounds = min(rounds, 3) if quick else rounds
    console = Console(width=80)
    facts = machine()
    report: dict[str, Any] = {"machine": facts}
    console.print(machine_table(facts))
    pin()
    if not parts or "kernels" in parts:
        report["kernels"] = time_kernels(console, rounds, quick)
    if not parts or "abilities" in parts:
        report["abilities"] = bench_abilities.time_abilities(console, rounds, quick)
    if not parts or "exact" in parts:
        report["exact"] = bench_exact.time_exact(console, rounds, quick)
    if not parts or "cards" in parts:
        report["cards"] = bench_cards.time_cards(console, rounds, quick)
    if not parts or "table" in parts:
        report["table"] = bench_table.time_table(console, rounds, quick)
    if not parts or "battle" in parts:
        report["battle"] = bench_battle.time_battle(console, rounds, quick, plot)
    if not parts or "matchup" in parts:
        report["matchup"] = bench_matchup.time_matchup(console, rounds, quick)
    if not parts or "sheet" in parts:
        report["contagion"] = bench_contagion.time_contagion(console, rounds, quick)
        report["sheet"] = bench_sheet.time_sheet(console, rounds, quick)
    if not parts or "runs" in parts:
        report["runs"] = bench_runs.time_runs(console, rounds, quick)
    if not parts or "start-up" in parts:
        report["start_up_seconds"] = time_start_up(console, 3 if quick else 9)
    if path is not None:
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
