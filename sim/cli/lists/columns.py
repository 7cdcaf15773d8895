"""`estoc columns`: what the columns of an answer hold."""

import click

from ..help import Command
from ..options import output_options


@click.command(cls=Command)
@click.argument("answer", nargs=-1, required=True)
@output_options
def columns(answer: tuple[str, ...], form: str | None, output: str | None) -> None:
    """Say what the columns of an ANSWER hold: name, type, unit, meaning.

    Parquet files carry them as well.

    \b
    estoc columns duel
    estoc columns sheet lost
    """
    from ...ask.kinds import columns_of
    from ...ask.output import Output

    Output(form, output).deliver(columns_of("-".join(answer)))
