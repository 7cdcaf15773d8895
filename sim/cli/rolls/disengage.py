"""`estoc disengage`: chances to get away from enemies in contact."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import abilities_option, edition_options, output_options, run_options, who_options


@click.command(cls=Command)
@click.argument("fighter")
@click.option(
    "--enemies",
    multiple=True,
    required=True,
    metavar="NAME",
    help='All enemies that touch it; "NAME*2" are two. Repeatable.',
)
@click.option(
    "--wounds",
    multiple=True,
    metavar="NAME=STATE",
    help="State at the start, as A=light,stunned; A is the fighter, B its enemies. Repeatable.",
)
@click.option(
    "--charged",
    is_flag=True,
    help="It was charged this turn, with the penalty (M-5.1); as --assaulted, it may not "
    "disengage unless the edition says so.",
)
@click.option(
    "--assaulted",
    is_flag=True,
    help="It was charged or engaged in this activation phase: it may not disengage (M-7.1).",
)
@click.option("--odds", is_flag=True, help="Also: the odds of the combat after a failure (M-7.5).")
@abilities_option
@who_options
@edition_options
@run_options(1_000_000, "tries by each way")
@output_options
def disengage(**asked: Any) -> None:
    """Chances to get away from all enemies in contact, by agility and by force.

    \b
    estoc disengage "garde prétorien" --enemies "guerrier de l'aube*2"
    estoc disengage kal-torog --enemies "garde prétorien" --wounds A=light --odds
    """
    from ...ask.asking import few_options, run_of
    from ...ask.output import Output
    from ...base.options import repeated
    from ...base.progress import progress
    from ...rolls import disengage as module

    output = Output(asked["form"], asked["output"])
    options, roster = few_options(asked)
    with progress(asked, module.TRIALS, in_trials=True) as advance:
        result = module.disengage(
            asked["fighter"],
            repeated(asked["enemies"]),
            charged=asked["charged"],
            assaulted=asked["assaulted"],
            odds=asked["odds"],
            options=options,
            roster=roster,
            run=run_of(asked, advance),
        )
    finish(result, output)
