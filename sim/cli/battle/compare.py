"""`estoc compare`: what one change to a battle does."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import abilities_option, edition_options, output_options, sample_options, who_options


@click.command(cls=Command)
@click.argument("battles", nargs=-1, required=True, metavar="SCENARIO [SCENARIO] | LIST vs LIST")
@click.option("--field", metavar="NAME|FILE", help="Where two lists meet. [default: village]")
@click.option(
    "--change",
    "changes",
    multiple=True,
    metavar="WHAT=VALUE",
    help="What is different in the second battle: policy-a=NAME, policy-b=NAME, rule=KEY=VALUE, "
    "set=NAME.KEY=VALUE, edition=NAME, army-a=LIST, army-b=LIST, field=NAME, tactics=A (wins every "
    "roll), first=A (speaks first), refusals-a=+1. Repeatable.",
)
@click.option(
    "--until-sure",
    is_flag=True,
    help="End when one battle is shown to be better for A, by a sequential test; --trials is the "
    "most. [default: 50,000]",
)
@click.option(
    "--favours",
    is_flag=True,
    help="Instead: what the Tactics roll, speaking first, a refusal, a fighter are worth to A.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Instead: how the answer moves with each assumed value of the edition.",
)
@click.option(
    "--policy-a", default="aggressive", show_default=True, metavar="NAME", help="How A decides."
)
@click.option(
    "--policy-b", default="aggressive", show_default=True, metavar="NAME", help="How B decides."
)
@who_options
@abilities_option
@edition_options
@sample_options(": 2,000", "battles of each", precision=False)
@click.option(
    "--precision",
    type=float,
    metavar="P",
    help="End when the interval of the score's difference reaches no further than P to each side, "
    "as 0.01 for a point of percentage; --trials is the most. [default of trials: 3/P²]",
)
@output_options
def compare(**asked: Any) -> None:
    """What one change to a battle does, from A's side: both with the same dice.

    The second battle is another SCENARIO, or the same with one --change or several. Two army
    lists fight each trial twice, the second time with the sides of the field changed.

    \b
    estoc compare pitched --change policy-b=random
    estoc compare pitched --change rule=wounds.killed_level=5 --seed 1
    estoc compare daikinee-riders vs devoreurs-horde --change army-a=daikinee-foot
    estoc compare pitched --favours --trials 5000
    estoc compare pitched --sensitivity
    """
    from ...ask.asking import run_of
    from ...ask.contests import comparison_asked, variants_asked
    from ...ask.output import Output
    from ...base.progress import progress
    from ...contest import compare as module
    from ...contest import variants

    output = Output(asked["form"], asked["output"])
    how = module.planned(run_of(asked), asked["until_sure"])
    told = {**asked, "method": how.name, "trials": how.trials}
    if asked["favours"] or asked["sensitivity"]:
        kind, base, changes, roster = variants_asked(asked)
        battles = (len(changes) + 1) * (1 if base.armies is None else 2)
        with progress(told, module.TRIALS, battles) as advance:
            run = run_of(asked, advance)
            result = variants.answer(kind, base, changes, how, run, roster=roster)
        finish(result, output)
        return
    comparison = comparison_asked(asked)
    with progress(told, module.TRIALS, 2 * comparison.ways) as advance:
        result = module.answer(comparison, how, run_of(asked, advance))
    finish(result, output)
