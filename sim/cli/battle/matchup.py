"""`estoc matchup`: which list wins against which."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import (
    abilities_option,
    edition_options,
    half_width,
    output_options,
    plot_option,
    sample_options,
    who_options,
)


@click.command(cls=Command)
@click.argument("lists", nargs=-1, required=True, metavar="LISTS…")
@click.option(
    "--field", default="village", show_default=True, metavar="NAME|FILE", help="Where they fight."
)
@click.option(
    "--policies",
    multiple=True,
    metavar="NAME[:key=value,…],…",
    help="Who plays the lists: each list is played by each of them, see `estoc policy`. "
    "Repeatable. [default: by-odds]",
)
@who_options
@abilities_option
@edition_options
@sample_options(": 1,000, more for a precision", "battles of every two entrants", precision=False)
@click.option(
    "--precision",
    type=half_width,
    metavar="P",
    help="Two entrants have no more battles once half the interval of their score is at most P, "
    "as 0.01 for a point of percentage.",
)
@click.option(
    "--drop", is_flag=True, help="Those clearly below the best have no more battles, save time."
)
@click.option(
    "--losses",
    nargs=2,
    multiple=True,
    metavar="X Y",
    help="Show what these two entrants lose against each other; numbers will do. Repeatable.",
)
@output_options
@plot_option
@click.option(
    "--plot-kind",
    type=click.Choice(["both", "heat", "forest"]),
    default="both",
    show_default=True,
    help="What is drawn: all against all, each against the field.",
)
def matchup(**asked: Any) -> None:
    """Which list wins against which: all against all, both ways round with the same dice.

    LISTS are army files, or armies that come with the program. A list with a policy that plays
    it is an entrant.

    \b
    estoc matchup daikinee-foot devoreurs-elite --policies by-odds,aggressive --seed 5
    """
    from ...ask.asking import run_of
    from ...ask.contests import matchup_question
    from ...ask.output import Output
    from ...base.progress import progress
    from ...matchup import matchup as module
    from ...matchup.plan import plan_of

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = matchup_question(asked)
    plan = plan_of(run_of(asked), asked["drop"])
    told = {"method": "mc", "trials": plan.trials, "seed": plan.seed}
    with progress(told, plan.stopping.most, len(question.cells)) as advance:
        result = module.answer(
            question,
            plan,
            run_of(asked, advance),
            losses=asked["losses"],
            picture=asked["plot_kind"],
        )
    finish(result, output)
