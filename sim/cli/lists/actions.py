"""`estoc actions`: which action may follow which."""

import click

from ..help import Command
from ..options import edition_options, output_options


@click.command(cls=Command)
@edition_options
@output_options
def actions(
    edition_name: str, rules: tuple[str, ...], form: str | None, output: str | None
) -> None:
    """Print which action may follow which in one activation, and by which clause.

    \b
    estoc actions
    estoc actions --edition c3
    """
    from ...ask.output import Output
    from ...base.options import Options
    from ...phases.legality import legality, legality_table

    place = Output(form, output)
    edition = Options(edition_name=edition_name, rules=rules).edition
    result = legality(edition)
    place.deliver_listing(result, legality_table(result, edition))
