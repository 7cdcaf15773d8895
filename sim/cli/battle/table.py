"""`estoc table`: what stands on a table."""

from typing import Any

import click

from ..help import Command
from ..options import edition_options, output_options, plot_option, who_options


@click.command(cls=Command)
@click.argument("scenario", metavar="SCENARIO")
@who_options
@edition_options
@output_options
@plot_option
def table(**asked: Any) -> None:
    """What stands on a table: who touches whom, and in which melee.

    SCENARIO is a file that lists table, terrain and fighters placed on it, or crossing, an
    example that comes with the program.

    \b
    estoc table crossing --plot table.png
    """
    from ...ask.asking import tabletop_asked
    from ...ask.output import Output
    from ...table import tabletop as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    output.deliver(module.table(tabletop_asked(asked)))
