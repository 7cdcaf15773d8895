"""The end of a command: its answer delivered, text said, an interrupted run told."""

import sys
from typing import TYPE_CHECKING

import click

from ..text.streams import shown

if TYPE_CHECKING:
    from ..ask.output import Output
    from ..base.result import Result

FAILED = 1


def finish(result: "Result", output: "Output") -> None:
    """Deliver an answer; leave with 1 if the run was interrupted."""
    from ..ask.output import tell

    if any(row.get("trials") != 0 for row in result):
        output.deliver(result)
    if result.stopped:
        tell(f"stopped by Ctrl-C after {result.stopped}")
        sys.exit(FAILED)


def say(text: str) -> None:
    """Print text on standard output, line by line."""
    click.echo("\n".join(map(shown, text.split("\n"))))
