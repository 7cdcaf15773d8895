"""`estoc profiles`: fighters listed, shown, checked."""

import click

from ....profiles.message import joined
from ...text.speech import translated
from ..help import Group, show
from ..options import output_options, who_options


@click.group(cls=Group)
def profiles() -> None:
    """Fighters: list them, show a card, check a file of your own."""


@profiles.command("list")
@click.option("--people", metavar="PEOPLE", help="Only a people, as dirz.")
@click.option("--fighters", multiple=True, metavar="FILE", help="Fighters of your own.")
@output_options
def profiles_list(
    people: str | None, fighters: tuple[str, ...], form: str | None, output: str | None
) -> None:
    """List the fighters that can be named."""
    from ....profiles.fighters.roster import Roster
    from ...ask.kinds import PROFILES
    from ...ask.output import Output
    from ...base.result import Result
    from ..listing import profile_row, profiles_table

    place = Output(form, output)
    roster = Roster.load(fighters)
    shown = roster.people(people) if people else tuple(roster)
    result = Result(PROFILES, [profile_row(p) for p in shown])
    place.deliver_listing(result, profiles_table(shown))


@profiles.command("show")
@click.argument("name")
@who_options
@output_options
def profiles_show(
    name: str,
    fighters: tuple[str, ...],
    sets: tuple[str, ...],
    form: str | None,
    output: str | None,
) -> None:
    """Show a fighter's card, where its figures come from, and what its abilities do."""
    from ....profiles.fighters.roster import Roster
    from ...ask.kinds import PROFILES
    from ...ask.output import Output
    from ...base.result import Result
    from ...combat.combatants import numbered, with_sets
    from ..listing import profile_card, profile_row

    place = Output(form, output)
    found = Roster.load(fighters).find(name)
    shown = with_sets(numbered([found], "A"), sets)[0].profile
    place.deliver_listing(Result(PROFILES, [profile_row(shown)]), profile_card(shown))


@profiles.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path())
def profiles_check(files: tuple[str, ...]) -> None:
    """Read files of fighters and say what they hold or lack, or what is wrong and where."""
    from ....profiles.errors import InputError, InputErrors
    from ....profiles.fighters.roster import checked

    faults: list[str] = []
    for file in files:
        try:
            show(translated(joined("\n", checked(file)), figures=False))
        except InputError as error:
            faults += error.args
    if faults:
        raise InputErrors(*faults)
