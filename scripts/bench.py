"""Time exact odds, abilities, activation phases, the table, battles, the sheet, runs.

Duels, dice libraries and start-up: `estoc bench`.

Everything is timed in one run, round robin and on one core, since machines and their load
differ by more than kernels do: compare ratios, not nanoseconds. No time is printed before
all kernels agree about the result.
"""

import json
from pathlib import Path
from typing import Any

import bench_abilities
import bench_battle
import bench_cards
import bench_chain
import bench_contagion
import bench_exact
import bench_matchup
import bench_runs
import bench_sheet
import bench_table
import click
from rich.console import Console
from rich.table import Table

from estoc.profiles import InputError
from estoc.sim.base.libraries import versions
from estoc.sim.bench.agreement import Disagreement
from estoc.sim.bench.bench import library_versions, machine
from estoc.sim.bench.timing import pinned

PARTS = (
    "abilities",
    "exact",
    "cards",
    "table",
    "battle",
    "matchup",
    "sheet",
    "runs",
)


def machine_table(facts: dict[str, str]) -> Table:
    table = Table(show_header=False, title="Machine", width=80)
    for row in facts.items():
        table.add_row(*row)
    return table


def measured(
    console: Console, parts: tuple[str, ...], rounds: int, quick: bool, plot: Path | None
) -> dict[str, Any]:
    """Print the tables of the parts; what goes into the file."""
    report: dict[str, Any] = {}
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
    return report


@click.command(help=__doc__)
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True, help="How often.")
@click.option("--quick", is_flag=True, help="Few trials: shows that it works, not how fast.")
@click.option(
    "--part", "parts", type=click.Choice(PARTS), multiple=True, help="Only this; repeatable."
)
@click.option(
    "--plot", type=click.Path(path_type=Path), help="Draw how battles grow in FILE (.png, .svg)."
)
@click.option(
    "--beside-c",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Time the chain of a duel beside the walks of a C file instead (bench_chain.py).",
)
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write all figures to FILE.")
def main(
    rounds: int,
    quick: bool,
    parts: tuple[str, ...],
    plot: Path | None,
    beside_c: Path | None,
    path: Path | None,
) -> None:
    if plot is not None and parts and "battle" not in parts:
        raise click.UsageError("--plot draws the part battle: add --part battle")
    rounds = min(rounds, 3) if quick else rounds
    console = Console(width=80)
    facts = machine() | versions() | library_versions()
    report: dict[str, Any] = {"machine": facts}
    console.print(machine_table(facts))
    try:
        with pinned():
            if beside_c is not None:
                report["chain"] = bench_chain.time_chain(console, rounds, beside_c)
            else:
                report |= measured(console, parts, rounds, quick, plot)
    except Disagreement as error:
        raise click.ClickException(str(error)) from None
    except InputError as error:
        raise click.UsageError(str(error)) from None
    if path is not None:
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
