"""`estoc moves`: what a fighter on a table may do."""

from typing import Any

import click

from ..help import Command
from ..options import edition_options, output_options, plot_option, who_options


@click.command(cls=Command)
@click.argument("scenario", metavar="SCENARIO")
@click.option("--fighter", required=True, metavar="NAME", help="Who moves, by its label.")
@click.option("--premeasure", is_flag=True, help="Both players agreed to measure freely (M-1.6).")
@who_options
@edition_options
@output_options
@plot_option
def moves(**asked: Any) -> None:
    """What a fighter on a table may do: how far, whom it may charge, with what odds.

    \b
    estoc moves crossing --fighter cavaliere --plot moves.png
    """
    from ...ask.asking import tabletop_asked
    from ...ask.output import Output
    from ...table import moves as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    answer = module.moves(tabletop_asked(asked), asked["fighter"], premeasure=asked["premeasure"])
    output.deliver(answer)
