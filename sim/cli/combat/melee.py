"""`estoc melee`: every separation of a melee into combats."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import charge_option, fight_options, output_options, run_options, sampler_options


@click.command(cls=Command)
@click.argument("fighters_met", nargs=-1, required=True, metavar="A… vs B…")
@click.option(
    "--contacts",
    default="all",
    show_default=True,
    metavar="all|FILE",
    help='Who touches whom: all enemies, or a .toml file of lines as "A1" = ["B1", "B2"], or a '
    ".csv file headed fighter,touches.",
)
@click.option(
    "--routed",
    multiple=True,
    metavar="NAME",
    help="In rout: no test of Discipline, all dice in defence (C-1.4, W-4.3). Repeatable.",
)
@fight_options
@charge_option
@run_options(1_000_000, "combats of each kind")
@sampler_options
@output_options
def melee(**asked: Any) -> None:
    """Every separation of a melee into combats: odds, value, the best of each side.

    Several fighters on each side who touch enemies; whoever wins a test of Discipline
    says who fights whom (C-1). A fighter may be repeated as "name*3"; options and files
    name each of them A1, A2, B1 or "name#2".

    \b
    estoc melee "garde prétorien*2" vs "guerrier de l'aube*3" --contacts all
    """
    from ...ask.asking import read_options, run_of
    from ...ask.output import Output
    from ...base.options import sides_of
    from ...base.progress import progress
    from ...combat.combat import TRIALS, profiles_of
    from ...table import melee as module
    from ...table.melee_question import ask

    output = Output(asked["form"], asked["output"])
    options, roster = read_options({**asked, "dice": ()})
    a, b = (profiles_of(names, roster) for names in sides_of(asked["fighters_met"], "melee"))
    question = ask(a, b, asked["contacts"], asked["routed"], options)
    how = module.chosen(question, run_of(asked))
    with progress({**asked, "method": how.name}, TRIALS, len(question.questions)) as advance:
        result = module.answer(question, how, run_of(asked, advance))
    finish(result, output)
