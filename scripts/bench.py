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

PARTS = {
    "abilities": {"abilities": bench_abilities.time_abilities},
    "exact": {"exact": bench_exact.time_exact},
    "cards": {"cards": bench_cards.time_cards},
    "table": {"table": bench_table.time_table},
    "battle": {"battle": bench_battle.time_battle},
    "matchup": {"matchup": bench_matchup.time_matchup},
    "sheet": {"contagion": bench_contagion.time_contagion, "sheet": bench_sheet.time_sheet},
    "runs": {"runs": bench_runs.time_runs},
}


@click.command(help=__doc__)
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True, help="How often.")
@click.option("--quick", is_flag=True, help="Few trials: shows that it works, not how fast.")
@click.option(
    "--part", "parts", type=click.Choice(list(PARTS)), multiple=True, help="Only this; repeatable."
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
    if plot is not None and (beside_c or (parts and "battle" not in parts)):
        raise click.UsageError("--plot draws the part battle: add --part battle")
    rounds = min(rounds, 3) if quick else rounds
    console = Console(width=80)
    facts = machine() | versions() | library_versions()
    report: dict[str, Any] = {"machine": facts}
    machine_table = Table(show_header=False, title="Machine", width=80)
    for row in facts.items():
        machine_table.add_row(*row)
    console.print(machine_table)
    try:
        with pinned():
            if beside_c is not None:
                report["chain"] = bench_chain.time_chain(console, rounds, beside_c)
            for part in () if beside_c else parts or PARTS:
                for name, time in PARTS[part].items():
                    report[name] = time(console, rounds, quick)
            if plot is not None:
                bench_battle.draw(report["battle"]["growth"], plot)
                console.print(f"drew {plot}")
    except Disagreement as error:
        raise click.ClickException(str(error)) from None
    except InputError as error:
        raise click.UsageError(str(error)) from None
    if path is not None:
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
