"""Time exact odds, abilities, activation phases, the table, battles, the sheet, runs.

Duels, dice libraries and start-up: `estoc bench`.

Everything is timed in one run, round robin and on one core, since machines and their load
differ by more than kernels do: compare ratios, not nanoseconds. No time is printed before
all kernels agree about the result.
"""

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click
from races.form import Bench

from estoc.profiles import InputError
from estoc.sim.base.libraries import versions
from estoc.sim.bench.agreement import Disagreement
from estoc.sim.bench.bench import library_versions, machine
from estoc.sim.bench.timing import pinned

# each a file of races/, whose function time_part checks, times and tells
PARTS = (
    *("abilities", "exact", "cards", "table", "battle", "matchup", "contagion", "sheet", "runs"),
)
BESIDE_C = "chain"


def file_of(part: str) -> ModuleType:
    """The file of a part, before any is timed."""
    try:
        return import_module(f"races.{part}")
    except ModuleNotFoundError as error:
        told = f"the part {part} needs {error.name}, which scripts/bench installs"
        raise click.ClickException(told) from None


def take(part: ModuleType, bench: Bench) -> dict[str, Any]:
    """Check, time and tell a part; what it found."""
    try:
        with pinned():
            part.time_part(bench)
    except Disagreement as error:
        raise click.ClickException(str(error)) from None
    except InputError as error:
        raise click.UsageError(str(error)) from None
    return bench.report


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
    "source",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Time the chain of a duel beside the walks of a C file instead (races/chain.py).",
)
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write all figures to FILE.")
def main(
    rounds: int,
    quick: bool,
    parts: tuple[str, ...],
    plot: Path | None,
    source: Path | None,
    path: Path | None,
) -> None:
    if plot is not None and (source or (parts and "battle" not in parts)):
        raise click.UsageError("--plot draws the part battle: add --part battle")
    rounds = min(rounds, 3) if quick else rounds
    files = {part: file_of(part) for part in ((BESIDE_C,) if source else parts or PARTS)}
    facts = machine() | versions() | library_versions() | {"rounds": str(rounds)}
    print("; ".join(f"{name} {value}" for name, value in facts.items()))
    report: dict[str, Any] = {"machine": facts}
    for part, file in files.items():
        report[part] = take(file, Bench(rounds, quick, plot, source))
    if path is not None:
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
