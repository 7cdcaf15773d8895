"""`estoc report`: what a run found, as one page."""

from pathlib import Path

import click

from ....profiles.message import say
from ..help import Command


@click.command(cls=Command)
@click.argument("folder", metavar="RUN")
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE.html",
    help="Write the page here. [default: the run's name with .html, here]",
)
def report(folder: str, output: str | None) -> None:
    """What a run found, as one page that can be sent, printed and read without a network.

    \b
    estoc report griffons.run -o report.html
    estoc report griffons.run --lang fr -o rapport.html
    """
    from ...ask.output import tell
    from ...report.report import save_report

    path = output or f"{Path(folder).name}.html"
    save_report(folder, path)
    tell(say("wrote {}", path))
