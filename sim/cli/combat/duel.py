"""`estoc duel`: odds of a duel."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import (
    charge_option,
    fight_options,
    output_options,
    plot_option,
    run_options,
    sampler_options,
)


@click.command(cls=Command)
@click.argument("a")
@click.argument("b")
@click.option(
    "--dice",
    nargs=2,
    metavar="A B",
    help="Dice in attack and defence of A and of B, as 2/0 1/1; the policies place if not given.",
)
@fight_options
@charge_option
@run_options(1_000_000)
@sampler_options
@output_options
@plot_option
def duel(**asked: Any) -> None:
    """Odds of a duel of A against B.

    \b
    estoc duel "garde prétorien" "guerrier de l'aube" --dice 2/0 1/1 \\
        --turns 3 --charge A
    """
    from ...ask.asking import read_options, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...combat import duel as module
    from ...combat.combat import TRIALS

    output = Output(asked["form"], asked["output"], asked["plot"])
    options, roster = read_options(asked)
    with progress(asked, TRIALS) as advance:
        result = module.duel(
            asked["a"],
            asked["b"],
            dice=asked["dice"],
            options=options,
            roster=roster,
            run=run_of(asked, advance),
        )
    finish(result, output)
