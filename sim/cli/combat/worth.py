"""`estoc worth`: what a change is worth to a fighter."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import fight_options, output_options, plot_option


@click.command(cls=Command)
@click.argument("a")
@click.option(
    "--against",
    multiple=True,
    required=True,
    metavar="PEOPLE|B",
    help="Enemies: all fighters of a people, or a fighter. Repeatable.",
)
@click.option(
    "--abilities",
    "priced",
    is_flag=True,
    help="Does an ability pay? Each ability, and each line of the players' list of prices.",
)
@fight_options
@output_options
@plot_option
def worth(**asked: Any) -> None:
    """What a change is worth to A: +1 of a characteristic, a charge, a second attacker.

    Exactly, and against each enemy: with the change less without it. Both sides decide as
    well as they can, unless --policy says otherwise.

    \b
    estoc worth "garde prétorien" --against dirz --plot worth.png
    estoc worth "garde prétorien" --abilities --against dirz
    estoc worth "garde prétorien" --against "guerrier de l'aube" \\
        --score points --turns 2
    """
    from ...ask.asking import read_options, run_of
    from ...ask.output import Output, tell
    from ...base.policy import OPEN
    from ...base.progress import progress
    from ...worth import abilities as ability_worth
    from ...worth import worth

    output = Output(asked["form"], asked["output"], asked["plot"])
    # said first, so that what a person says of a side replaces it
    asked["policies"] = (OPEN, *asked["policies"])
    options, roster = read_options({**asked, "charge": ()})
    who = asked["a"], asked["against"]
    priced = asked["priced"]
    met = ability_worth.valuations_of if priced else worth.meetings_of
    valued, left_out = met(*who, options, roster)
    for note in left_out * (output.form != "table"):  # a table has it among its notes
        tell(note)
    exact = {"method": "exact", "trials": None, "seed": None}
    with progress(exact, 1, sum(len(one.questions) for one in valued)) as advance:
        answer = ability_worth.ability_worth if priced else worth.worth
        result = answer(*who, options=options, roster=roster, run=run_of({}, advance))
    finish(result, output)
