"""`estoc battle`: how a battle ends."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import (
    abilities_option,
    edition_options,
    output_options,
    plot_option,
    sample_options,
    who_options,
)


@click.command(cls=Command)
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "--policy-a",
    default="aggressive",
    show_default=True,
    metavar="NAME",
    help="How A decides, see `estoc policy`.",
)
@click.option(
    "--policy-b", default="aggressive", show_default=True, metavar="NAME", help="How B decides."
)
@who_options
@abilities_option
@edition_options
@sample_options(": 2,000", "battles")
@output_options
@plot_option
def battle(**asked: Any) -> None:
    """How a battle ends: who wins, what is destroyed turn by turn, who survives.

    SCENARIO is a file that lists table, terrain, fighters and what they fight for, or one that
    comes with the program: ambush, of five against five, and pitched, of ten against ten.

    \b
    estoc battle ambush --policy-b random --seed 5 --plot battle.png
    estoc replay ambush --policy-b random --seed 5 --trial 17
    """
    from ...ask.asking import battle_question, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...battle import battle as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = battle_question(asked)
    how = module.sampled(run_of(asked))
    with progress({**asked, "method": how.name}, module.TRIALS) as advance:
        result = module.answer(question, how, run_of(asked, advance))
    finish(result, output)
