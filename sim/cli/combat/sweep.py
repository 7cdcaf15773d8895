"""`estoc sweep`: odds of every duel of a grid."""

from dataclasses import replace
from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import fight_options, output_options, plot_option, run_options, sampler_options


@click.command(cls=Command)
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--people", metavar="PEOPLE", help="All fighters of a people, instead of A.")
@click.option("--against", metavar="PEOPLE", help="All fighters of a people, instead of B.")
@click.option(
    "--allocations",
    default="all",
    show_default=True,
    metavar="all|policy|2/0,1/1",
    help="Dice that both sides try.",
)
@click.option(
    "--charge",
    multiple=True,
    type=click.Choice(["none", "A", "B"], case_sensitive=False),
    help="Who charges; repeat it to compare. [default: none]",
)
@click.option("--best", is_flag=True, help="Mark the best answers and the safest dice of A.")
@fight_options
@run_options(100_000, "combats of each duel")
@sampler_options
@output_options
@plot_option
def sweep(**asked: Any) -> None:
    """Odds of every duel of a grid: fighters, dice of both, who charges.

    \b
    estoc sweep "garde prétorien" "guerrier de l'aube" --best
    estoc sweep --people griffons --against dirz -o table.parquet --plot heat.png
    """
    from ...ask.asking import read_options, run_of, sweep_command, sweep_sides
    from ...ask.output import Output
    from ...base.progress import progress
    from ...combat import sweep as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    options, roster = read_options(asked)
    a, b = sweep_sides(asked, roster, options)
    charges = asked["charge"] or ("none",)
    duels = module.duels_of(a, b, options, asked["allocations"], charges)
    how = module.method_asked(duels, run_of(asked))
    with progress({**asked, "method": how.name}, module.TRIALS, len(duels)) as advance:
        result = module.answer(duels, how, run_of(asked, advance), best=asked["best"])
    command = sweep_command(asked, options, result)
    finish(replace(result, command=command), output)
