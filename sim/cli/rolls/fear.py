"""`estoc fear`: who is afraid of whom, and the chance to rally."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import (
    abilities_option,
    charge_option,
    edition_options,
    output_options,
    run_options,
    who_options,
)


@click.command(cls=Command)
@click.argument("a")
@click.argument("b")
@click.option(
    "--command",
    metavar="COU[/DIS]",
    help="A is within reach of a leader with this COU and DIS (W-4.5).",
)
@abilities_option
@charge_option
@who_options
@edition_options
@run_options(1_000_000, "tests of each kind", threads=False)
@output_options
def fear(**asked: Any) -> None:
    """Who is afraid of whom: tests of Courage of A and of B, and the chance to rally.

    \b
    estoc fear "guerrier de pierre" killyox
    estoc fear "guerrier de pierre" killyox --command 7/6
    """
    from ...ask.asking import few_options, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...rolls import fear as module

    output = Output(asked["form"], asked["output"])
    options, roster = few_options({**asked, "wounds": ()})
    question = module.fright(
        asked["a"], asked["b"], command=asked["command"], options=options, roster=roster
    )
    how = module.chosen(run_of(asked))
    kinds = 2 if how.sampled else 1
    with progress({**asked, "method": how.name}, module.TRIALS, kinds) as advance:
        result = module.answer(question, how, run_of(asked, advance))
    finish(result, output)
