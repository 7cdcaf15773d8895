"""`estoc solve`: best play, of a combat or of all pairs of a list."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import charge_option, fight_options, output_options


@click.command(cls=Command)
@click.argument("fighters_met", nargs=-1, metavar="A B | A… vs B…")
@click.option(
    "--book",
    multiple=True,
    metavar="PEOPLE|NAME",
    help="Instead: all pairs of a people's fighters, or of those named. Repeatable.",
)
@click.option("--unseen", is_flag=True, help="Also: both place dice without seeing the other's.")
@click.option(
    "--dice", multiple=True, metavar="NAME=2/0", help="Dice that a fighter places. Repeatable."
)
@fight_options
@charge_option
@output_options
def solve(**asked: Any) -> None:
    """Best play: what to place, how to decide, what habits cost.

    Worked out exactly, for what A wants and B does not (--score). A side that is given a
    --policy keeps to it, and the other one plays the best answer.

    \b
    estoc solve "garde prétorien" "guerrier de l'aube"
    estoc solve "garde prétorien" vs "guerrier de l'aube*2" --unseen
    estoc solve --book daikinee --book dirz -o book.parquet
    """
    from ....profiles.errors import InputError
    from ...ask.asking import read_options, solve_sides
    from ...ask.output import Output
    from ...base.policy import OPEN
    from ...worth import solve as module

    output = Output(asked["form"], asked["output"])
    # said first, so that what a person says of a side replaces it
    asked["policies"] = (OPEN, *asked["policies"])
    options, roster = read_options(asked)
    module.checked_open(options)
    if asked["book"]:
        from ...worth.book import solve_book

        if asked["fighters_met"] or asked["unseen"]:
            raise InputError("solve: --book is for a list alone, without fighters and --unseen")
        finish(solve_book(asked["book"], options=options, roster=roster), output)
        return
    a, b = solve_sides(asked["fighters_met"])
    result = module.solve(a, b, unseen=asked["unseen"], options=options, roster=roster)
    finish(result, output)
