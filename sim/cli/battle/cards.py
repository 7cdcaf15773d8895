"""`estoc cards`: which card acts when in an activation phase."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import edition_options, output_options, plot_option, run_options, who_options


@click.command(cls=Command)
@click.argument("a", metavar="A.toml")
@click.argument("b", metavar="B.toml")
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="[A=|B=]NAME|FILE",
    help="How a side orders and plays its cards, instead of what its file says: "
    "listed, random, cheap, dear, threat, wait, optimal (exact odds only), or a .toml file. "
    "Repeatable.",
)
@click.option(
    "--winner",
    default="roll",
    show_default=True,
    type=click.Choice(["roll", "coin", "A", "B"], case_sensitive=False),
    help="Who wins the Tactics roll, and so says who speaks first.",
)
@click.option("--exact", is_flag=True, help="The same as --method exact.")
@click.option("--transcript", is_flag=True, help="Tell one phase, speaking turn by speaking turn.")
@click.option("--trial", type=int, help="Transcript: number of the trial. [default: 0]")
@who_options
@edition_options
@run_options(100_000, "phases")
@output_options
@plot_option
def cards(**asked: Any) -> None:
    """Which card acts when in an activation phase, before whom, and what changes it.

    A and B are files that list a people, its cards and how they are played, or armies that
    come with the program: griffon and scorpion, the example of the rules; daikinee and
    devoreurs.

    \b
    estoc cards griffon scorpion --winner A --transcript
    estoc cards daikinee devoreurs --policy A=wait --policy B=dear --plot cards.png
    """
    from ...ask.asking import card_question, method_asked, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...phases import cards as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = card_question(asked)
    if asked["transcript"]:
        output.deliver(module.transcript(question, asked["seed"], asked["trial"] or 0))
        return
    asked["method"] = method_asked(asked)
    how = module.chosen(question, run_of(asked))
    phases = len(question.compared.phases) if how.name == "exact" else 1
    with progress({**asked, "method": how.name}, module.TRIALS, phases) as advance:
        result = module.answer(question, how, run_of(asked, advance))
    finish(result, output)
