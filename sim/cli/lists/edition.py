"""`estoc edition`: editions listed and shown."""

import click

from ....profiles.message import say
from ...text.speech import translated
from ..help import Group, show
from ..options import output_options


@click.group(cls=Group)
def edition() -> None:
    """Editions of the rules: their values, and how sure each of them is."""


@edition.command("list")
def edition_list() -> None:
    """List the editions that come with the program."""
    from ....profiles.edition.edition import edition_names, load_edition

    for name in edition_names():
        show(translated(say("{}: {}", name, load_edition(name).title)))


@edition.command("show")
@click.argument("name", default="conffede")
@click.option("--rule", "rules", multiple=True, metavar="KEY=VALUE", help="Replace a value.")
@click.option("--assumed", is_flag=True, help="Only what is assumed, or a reading.")
@output_options
def edition_show(
    name: str, rules: tuple[str, ...], assumed: bool, form: str | None, output: str | None
) -> None:
    """Print every value of an edition with its mark, clause and source."""
    from ...ask.kinds import EDITION
    from ...ask.output import Output
    from ...base.options import Options
    from ...base.result import Result
    from ..listing import edition_table

    place = Output(form, output)
    shown = Options(edition_name=name, rules=rules).edition
    columns = ("key", "value", "mark", "clause", "source")
    rows = [dict(zip(columns, entry, strict=True)) for entry in shown.entries()]
    keys = None
    if assumed:
        rows = [row for row in rows if row["mark"] in ("assumed", "reading")]
        keys = {row["key"] for row in rows}
    place.deliver_listing(Result(EDITION, rows), edition_table(shown, keys))
