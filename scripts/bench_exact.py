"""The exact engine of bench.py: its bars, its agreement with others, and what those would need."""

from dataclasses import asdict
from functools import partial
from typing import Any

from bench_part import bar_cell, seconds_of, table_of, time_cells, within
from exact_runs import (
    PAIRS,
    SECTIONS,
    SHOWN,
    Run,
    Scans,
    all_runs,
    all_scans,
    check_sweep,
    sampled_runs,
)
from rich.console import Console
from rich.table import Table

from estoc.kernels.exact.several import table_of as table_of_positions
from estoc.kernels.layout.combat import FIGHT, Setup
from estoc.kernels.layout.exact import LAWS
from estoc.sim.bench.agreement import LIMIT_Z, demand, departure
from estoc.sim.bench.baselines import Job, numba_counts
from estoc.sim.bench.exact import (
    check_duel,
    check_optimal,
    final_states,
    single_combat,
    single_duel,
    trials_needed,
)
from estoc.sim.bench.samplers import LITERAL, SEED, literal_finals, sampled
from estoc.sim.bench.table import in_words
from estoc.sim.bench.timing import Timing, race, repeated, times_faster
from estoc.sim.bench.work import arrays, combat, fixed_policy, open_policy, text_of, usual_rules

ROUND_SECONDS = 0.02
PLAIN = "plain numba duel"


# ---------------------------------------------------------------------------- timing


def take_times(
    runs: dict[str, Run], sampled: dict[str, Setup], rounds: int
) -> tuple[list[float], dict[str, list[float]]]:
    """Fill in the times of all runs; the plain kernel's, and those of one sampled trial."""
    job: Job = arrays(((2, 0), (2, 0)))[0]
    everything = {name: repeated(run.call) for name, run in runs.items()}
    everything[PLAIN] = lambda n: numba_counts(job, n, SEED)
    for name, setup in sampled.items():
        everything[f"sampled {name}"] = partial(sample, setup)
    taken = race(everything, rounds, ROUND_SECONDS)
    for name, run in runs.items():
        run.taken = [value / run.answers for value in taken[name]]
    return taken[PLAIN], {name: taken[f"sampled {name}"] for name in sampled}


def sample(setup: Setup, trials: int) -> object:
    return sampled(LITERAL, setup, usual_rules(), trials)


# ---------------------------------------------------------------------------- report


def figures(runs: dict[str, Run], plain: list[float]) -> dict[str, dict[str, Any]]:
    """Seconds, bars and multiples of the plain duel, for the tables and the file."""
    return {
        name: {"enemies": run.enemies, "optimal": run.is_open}
        | within(run.taken, run.bar)
        | {"plain_duels": asdict(times_faster(run.taken, plain))}
        for name, run in runs.items()
    }


def shown_rows(rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The rows for the tables: of the nine pairs of dice some, and the slowest."""
    nine = {f"1 v 1, {text_of(dice)}": dice for dice in PAIRS}
    slowest = max(nine, key=lambda name: rows[name]["seconds"]["least"])
    shown = {name: rows[name] for name, dice in nine.items() if dice in SHOWN}
    shown[f"1 v 1, slowest of 9: {text_of(nine[slowest])}"] = rows[slowest]
    return shown | {name: row for name, row in rows.items() if name not in nine}


def exact_table(section: str, rows: dict[str, dict[str, Any]], plain: Timing) -> Table:
    caption = (
        "plain: so many duels, 2/0 v 2/0, does the plain numba kernel play in that time"
        f"\n({in_words(plain.least)}, median {in_words(plain.median)} each); median of the rounds"
    )
    own = {n.partition(": ")[2]: row for n, row in rows.items() if n.startswith(section)}
    cells = (
        (name, *time_cells(row), bar_cell(row), f"{row['plain_duels']['median']:,.0f}")
        for name, row in shown_rows(own).items()
    )
    headings = ("combat", "min", "median", "bar", "plain")
    return table_of(f"Exact answers, {section}", headings, cells, caption)


def needs(
    rows: dict[str, dict[str, Any]], sampled: dict[str, Setup], trial: dict[str, list[float]]
) -> dict[str, dict[str, Any]]:
    """What Monte Carlo needs for a tenth of a point either way, at its speed in this run."""
    found = {}
    for name, setup in sampled.items():
        solve = single_duel if len(setup.fighters) == 2 else single_combat
        joint = solve(setup).joint.reshape((2,) + (final_states(),) * len(setup.fighters))
        chance = float(joint[(slice(None), slice(None)) + (-1,) * (len(setup.fighters) - 1)].sum())
        trials = trials_needed(chance)
        per_trial, exact = seconds_of(trial[name]), rows[name]["seconds"]
        found[name] = {
            "p_a_wins": chance,
            "trials": trials,
            "seconds_per_trial": asdict(per_trial),
            "seconds": trials * per_trial.least,
            "times_exact": trials * per_trial.least / exact["least"],
        }
    return found


def needs_table(found: dict[str, dict[str, Any]]) -> Table:
    cells = (
        (
            *(name.partition(": ")[2], f"{100 * row['p_a_wins']:.2f} %", f"{row['trials']:,}"),
            f"{row['seconds_per_trial']['least'] * 1e9:.1f}",
            *(in_words(row["seconds"]), f"{row['times_exact']:,.0f}"),
        )
        for name, row in found.items()
    )
    return table_of(
        "What Monte Carlo needs for A wins ± 0.1 points (95 %)",
        ("combat, policies fixed", "A wins", "trials", "ns a trial", "all", "times exact"),
        cells,
        "estoc's own sampled kernel, 1 thread, min; times the exact answer's min",
    )


def memory(scans: Scans) -> dict[str, dict[str, int]]:
    """Bytes that the allocation with the most positions needs, by section."""
    found = {}
    for (enemies, is_open), scanned in scans.by.items():
        n = 1 + enemies
        found[f"1 v {enemies}, {SECTIONS[is_open]}"] = {
            "positions": scanned.positions,
            "table": sum(part.nbytes for part in table_of_positions(n, scanned.positions)),
            "final_and_joint": 3 * 8 * final_states() ** n,
            "fight_and_laws": FIGHT.itemsize + LAWS.itemsize,
        }
    return found


def memory_table(found: dict[str, dict[str, int]]) -> Table:
    most = "combat, most of all allocations"
    headings = (most, "positions", "their table", "final, joint", "fight, laws")
    cells = (
        (name, f"{positions:,}", *(f"{size / 1024:,.0f}" for size in sizes))
        for name, (positions, *sizes) in ((name, row.values()) for name, row in found.items())
    )
    return table_of("Memory in KiB", headings, cells)


# ---------------------------------------------------------------------------- all of it


def check_combat(dice: tuple[tuple[int, int], ...], trials: int) -> float:
    """One against several, exact and by estoc's samples; the largest |z|."""
    setup = combat(dice, fixed_policy())
    z = departure(literal_finals(setup, usual_rules(), trials), single_combat(setup).law)
    demand(z < LIMIT_Z, f"{text_of(dice)}: exact and sampled disagree: |z| = {z:.1f}")
    return z


def check_all(scans: Scans, trials: int) -> dict[str, float]:
    """Everything that is timed against something else; largest |z| by what it was."""
    duels = [check_duel(dice, trials) for dice in PAIRS]
    found = {f"1 v 1 and {name}": max(z[name] for z in duels) for name in duels[0]}
    for enemies in (2, 3):
        dice = scans.slowest(enemies, False)
        found[f"1 v {enemies} and estoc sampled"] = check_combat(dice, trials)
    for dice in (*PAIRS, scans.slowest(2, True), scans.middle(2, True)):
        check_optimal(dice)
    for policy in (fixed_policy(), open_policy(0, 1)):
        check_sweep(policy)
    return found


def time_exact(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print the tables of the exact engine; what goes into the file."""
    scans = all_scans(quick)
    agreement = check_all(scans, 100_000 if quick else 1_000_000)
    worst = ", ".join(f"{name} {z:.1f}" for name, z in agreement.items())
    console.print(f"Exact and sampled laws agree: largest |z| of a cell: {worst}.", markup=False)
    runs, sampled = all_runs(scans), sampled_runs(scans)
    plain, trial = take_times(runs, sampled, rounds)
    rows = figures(runs, plain)
    for section in SECTIONS.values():
        console.print(exact_table(section, rows, seconds_of(plain)))
    found, bytes_needed = needs(rows, sampled, trial), memory(scans)
    console.print(needs_table(found))
    console.print(memory_table(bytes_needed))
    return {
        "largest_z": agreement,
        "plain_seconds": asdict(seconds_of(plain)),
        "rows": rows,
        "monte_carlo": found,
        "memory_bytes": bytes_needed,
    }
