"""`estoc combat`: odds of one fighter against one or several."""

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
@click.argument("fighters_met", nargs=-1, required=True, metavar="A… vs B…")
@click.option(
    "--dice", multiple=True, metavar="NAME=2/0", help="Dice that a fighter places. Repeatable."
)
@fight_options
@charge_option
@run_options(1_000_000)
@sampler_options
@output_options
@plot_option
def combat(**asked: Any) -> None:
    """Odds of a combat of one fighter against one or several.

    A fighter may be repeated as "name*3"; options name each of them "name#2".

    \b
    estoc combat "garde prétorien" vs "guerrier de l'aube*2" "arkéon sanath" \\
        --set "arkéon sanath".ATT=5 --set "arkéon sanath".RES=9
    """
    from ...ask.asking import read_options, run_of
    from ...ask.output import Output
    from ...base.options import sides_of
    from ...base.progress import progress
    from ...combat import combat as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    options, roster = read_options(asked)
    a, b = sides_of(asked["fighters_met"])
    with progress(asked, module.TRIALS) as advance:
        run = run_of(asked, advance)
        result = module.combat(a, b, options=options, roster=roster, run=run)
    finish(result, output)
