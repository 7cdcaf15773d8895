"""`estoc tune`: better parameters for a policy."""

from typing import Any

import click

from ..finish import finish
from ..help import Command
from ..options import THREADS, abilities_option, edition_options, output_options, who_options


@click.command(cls=Command)
@click.argument("policy")
@click.option(
    "--against", multiple=True, required=True, metavar="POLICY", help="An enemy's. Repeatable."
)
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="LIST",
    help="Army lists, each against each and itself, from both sides. Repeatable.",
)
@click.option("--field", metavar="NAME|FILE", help="Where lists meet. [default: village]")
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="SCENARIO",
    help="Instead, or besides: a scenario, from both sides. Repeatable.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="PARAMETER",
    help="Not to be varied; of by-odds, a new wound makes new tables of odds, some seconds each. "
    "Repeatable.",
)
@click.option("--generations", type=click.IntRange(1), help="Of candidates. [default: 20]")
@click.option("--candidates", type=click.IntRange(4), help="In each generation. [default: 10]")
@click.option(
    "--trials",
    type=click.IntRange(1),
    help="Of each battle, for one candidate in one generation. [default: 20]",
)
@click.option(
    "--fresh", type=click.IntRange(1), help="Of each battle, to see the gain. [default: 400]"
)
@click.option(
    "--spread",
    type=float,
    help="Standard deviation of the first candidates, in shares of each parameter's range; less "
    "stays nearer to the policy as it is. [default: 0.25]",
)
@click.option("--seed", type=int, help="Of the search; fresh trials have the next one.")
@click.option("--threads", type=THREADS, help="All cores if not given.")
@who_options
@abilities_option
@edition_options
@output_options
def tune(**asked: Any) -> None:
    """Better parameters for a POLICY, found by playing (CMA-ES), and what they gain.

    The gain is measured on fresh trials, beside the policy as it was. With -o FILE.toml the
    tuned policy is kept, with how it was found. Needs the library cma: pip install "estoc[tune]".

    \b
    estoc tune by-odds --against aggressive --list devoreurs-elite \\
        --list daikinee-foot --seed 1 -o mine.toml
    """
    from ...ask.asking import run_of
    from ...ask.contests import trainer_asked
    from ...ask.output import Output, tell
    from ...base.progress import progress
    from ...contest import tune as module
    from ...text.writing import check_writable, write_whole

    file = asked["output"] if str(asked["output"]).endswith(".toml") else None
    if file:
        check_writable(file)
    output = Output(asked["form"], None if file else asked["output"])
    trainer, roster = trainer_asked(asked)
    told = {**asked, "method": "mc", "trials": trainer.total}
    with progress(told, trainer.total) as advance:
        run = run_of({"threads": asked["threads"]}, advance)
        result = module.tune(trainer, run, roster=roster)
    if file and result.policy:
        write_whole(file, result.policy.toml().encode())
        tell(f"wrote {file}: {result.policy.text}")
    finish(result, output)
