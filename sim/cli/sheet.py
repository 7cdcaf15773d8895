"""`estoc sheet`: what the sheet says of a unit, and what comes of it."""

import sys
from typing import Annotated, Any

import click

from ...profiles.message import say
from ..ask.commands import ASKED, COMMANDS
from ..ask.output import Output, tell
from ..ask.request import Bar, Request
from ..ask.sheet import Played
from ..base.progress import progress
from ..base.run import Option, Run
from .help import FAILED, Group
from .options import output_options
from .requests import command


class Map(Played):
    """Draw a situation: units, facing, markers; what a player sees; how rout spreads.

    \b
    estoc sheet map skirmish --plot skirmish.png
    """

    plot: Annotated[str, Option(".png, .svg, .pdf.", "FILE")]
    as_seen_by: Annotated[str | None, Option("Only what that side's player sees.", "SIDE")] = None
    routed: Annotated[bool, Option("With each piece's chance to be routed at the end.")] = False

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..sheet.picture import TRIALS

        return Bar(TRIALS)


def _drawn(request: Request, run: Run, words: dict[str, Any]) -> None:
    """Draw the map."""
    from ..sheet.picture import save_map

    assert isinstance(request, Map)
    with progress(run, request.bar()) as advance:
        drawn = save_map(
            request.question,
            request.plot,
            run.but(progress=advance),
            side=request.as_seen_by,
            routed=request.routed,
        )
    for line in (drawn.told, *drawn.notes):
        tell(line)
    if drawn.stopped:
        tell(say("stopped by Ctrl-C after {}", drawn.stopped))
        sys.exit(FAILED)


@click.group(cls=Group)
def sheet() -> None:
    """The unit activation sheet of a hex wargame: what it says, and what comes of it."""


@sheet.command("list")
@output_options
def sheet_list(form: str | None, output: str | None) -> None:
    """List the situations that come with the program."""
    from ..sheet import listing as module

    result = module.situations()
    Output(form, output).deliver_listing(result, module.situations_table(result))


@sheet.command("readings")
@output_options
def sheet_readings(form: str | None, output: str | None) -> None:
    """List where the sheet can be read two ways, and how it is read."""
    from ..sheet import listing as module

    result = module.readings()
    Output(form, output).deliver_listing(result, module.readings_table(result))


@sheet.command("new")
@click.argument("file", type=click.Path())
def sheet_new(file: str) -> None:
    """Write a situation with a remark on each key, to be changed; it can be asked about at once.

    \b
    estoc sheet new mine.toml
    """
    from ..sheet.listing import new_situation

    tell(say("wrote {}", new_situation(file)))


for _asked in (ASKED, COMMANDS):
    for _name in _asked:
        if _name.startswith("sheet "):
            sheet.add_command(command(_asked[_name], _name.removeprefix("sheet ")))
sheet.add_command(command(Map, "map", _drawn, output=False))
