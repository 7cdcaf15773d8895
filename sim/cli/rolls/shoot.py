"""`estoc shoot`: odds of a shot."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import abilities_option, edition_options, output_options, run_options, who_options

wounds_option = click.option(
    "--wounds",
    multiple=True,
    metavar="NAME=STATE",
    help="State at the start, as A=light,stunned. Repeatable.",
)


@click.command(cls=Command)
@click.argument("a")
@click.argument("b")
@click.option(
    "--range",
    "distance",
    type=float,
    metavar="CM",
    help="How far B is; all three ranges of the weapon if not given.",
)
@click.option("--moved", is_flag=True, help="A moved; if not given, and no --range: both.")
@click.option(
    "--cover",
    type=int,
    default=0,
    show_default=True,
    metavar="X",
    help="Target/+X of B in all, added to the difficulty (M-6.2).",
)
@click.option("--charged", is_flag=True, help="A suffers the penalty of a charge (M-5.1).")
@wounds_option
@abilities_option
@who_options
@edition_options
@run_options(1_000_000, "shots of each kind", threads=False)
@output_options
def shoot(**asked: Any) -> None:
    """Odds of a shot of A at B: to hit, of each wound, of how B stands after it.

    \b
    estoc shoot alahel "garde prétorien"
    estoc shoot alahel "garde prétorien" --range 30 --moved --cover 2
    """
    from ...ask.asking import few_options, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...rolls import shooting as module

    output = Output(asked["form"], asked["output"])
    options, roster = few_options(asked)
    question = module.shooting(
        asked["a"],
        asked["b"],
        distance=asked["distance"],
        moved=asked["moved"] or None,
        cover=asked["cover"],
        charged=asked["charged"],
        options=options,
        roster=roster,
    )
    how = module.chosen(run_of(asked))
    kinds = len(question.variants) if how.sampled else 1
    with progress({**asked, "method": how.name}, module.TRIALS, kinds) as advance:
        result = module.answer(question, how, run_of(asked, advance))
    finish(result, output)
