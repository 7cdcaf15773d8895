"""`estoc bench`: the program timed beside others."""

import sys

import click

from ....profiles.message import say
from ..help import FAILED, Command, Whole


@click.command(cls=Command)
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="NAME",
    help="Only this: kernels, exact, peers, growth or start-up. Repeatable.",
)
@click.option("--rounds", type=Whole(1), help="How often each is timed. [default: 15; 3 if quick]")
@click.option("--quick", is_flag=True, help="Few trials: shows that it works, not how fast.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    help="Form of the output; a table, or what the file's ending says.",
)
@click.option("-o", "--output", type=click.Path(), help="Write to a file instead.")
def bench(
    parts: tuple[str, ...], rounds: int | None, quick: bool, form: str | None, output: str | None
) -> None:
    """Time Estoc on this machine beside plain Python, NumPy, plain Numba, icepool and dyce.

    Everything is checked against everything else first, then timed in turn, on one core where
    the system can. Machines differ by more than programs do: compare ratios. Takes minutes; the
    first run compiles.

    \b
    estoc bench --quick
    estoc bench --part kernels --part exact -o bench.json
    """
    from ...ask.output import tell
    from ...bench import bench as module
    from ...bench.agreement import Disagreement

    place = module.place_of(form, output)
    told = (lambda part: tell(say("timing {}", part))) if sys.stderr.isatty() else None
    try:
        report = module.bench(parts, rounds, quick, told)
    except Disagreement as error:
        tell(str(error))
        sys.exit(FAILED)
    module.deliver(report, place)
