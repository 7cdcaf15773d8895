"""`estoc army`: armies listed and checked."""

from typing import TYPE_CHECKING, Any

import click

from ..help import Group
from ..options import edition_options, output_options

if TYPE_CHECKING:
    from ...base.result import Result


@click.group(cls=Group)
def army() -> None:
    """Armies: list those that come with the program, check one before a battle."""


@army.command("list")
@output_options
def army_list(form: str | None, output: str | None) -> None:
    """List the armies that can be named, with what they cost and of which kind they are."""
    from ...ask.output import Output
    from ...battle.armies import armies_table, shipped_armies

    place = Output(form, output)
    result = shipped_armies()
    place.deliver_listing(result, armies_table(result))


@army.command("check")
@click.argument("armies", metavar="FILE|NAME…", nargs=-1, required=True)
@click.option("--fighters", multiple=True, metavar="FILE", help="Fighters of your own.")
@click.option(
    "--field",
    default="open",
    show_default=True,
    metavar="NAME|FILE",
    help="Battlefield on which they stand up: open, village or a file.",
)
@edition_options
@output_options
def army_check(**asked: Any) -> None:
    """Say what armies are and cost, how they stand up, and what is doubtful in them.

    An army that cannot be in a battle is refused: it costs more than its points, has a card
    without a known fighter, or fighters of several editions.

    \b
    estoc army check devoreurs-mixed
    """
    from ....profiles.errors import InputError, InputErrors
    from ...ask.output import Output
    from ...ask.request import roster_of
    from ...base.options import Options
    from ...battle.armies import army_blocks, checked, together
    from ...text.printing import apart

    place = Output(asked["form"], asked["output"])
    options = Options(
        edition_name=asked["edition_name"], rules=asked["rules"], fighters=asked["fighters"]
    )
    edition, roster = options.edition, roster_of(options.fighters)
    found: list[Result] = []
    faults: list[str] = []
    for name in asked["armies"]:
        try:
            found.append(checked(name, roster=roster, edition=edition, field=asked["field"]))
        except InputError as error:
            faults += error.args
    if found:
        place.deliver_listing(together(found), apart([army_blocks(one) for one in found]))
    if faults:
        raise InputErrors(*dict.fromkeys(faults))
