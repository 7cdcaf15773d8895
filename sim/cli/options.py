"""Options that commands have besides those of their requests."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ...profiles.message import say
from ..text.speech import translated
from .help import Whole

F = TypeVar("F", bound=Callable[..., Any])
THREADS = Whole(1, 1024)


def given(*options: click.Option) -> Callable[[F], F]:
    """Return a decorator that gives a command options, in this order."""

    def decorate(function: F) -> F:
        """Give a command these options."""
        kept = getattr(function, "__click_params__", [])
        function.__click_params__ = [*kept, *reversed(options)]  # type: ignore[attr-defined]
        return function

    return decorate


who_options = given(
    click.Option(
        ["--fighters"],
        multiple=True,
        metavar="FILE",
        help="Fighters of your own: a CSV file, or a folder of them. Repeatable.",
    ),
    click.Option(
        ["--set", "sets"],
        multiple=True,
        metavar="NAME.KEY=VALUE",
        help='Replace a value of a card, as "Arkéon Sanath".ATT=5. Repeatable.',
    ),
)

edition_options = given(
    click.Option(
        ["--edition", "edition_name"],
        default="conffede",
        show_default=True,
        metavar="NAME|FILE",
        help="Edition of the rules.",
    ),
    click.Option(
        ["--rule", "rules"],
        multiple=True,
        metavar="KEY=VALUE",
        help="Replace a value of the edition, as many_dice=one_chain. Repeatable.",
    ),
)


def half_width(text: str) -> float:
    """Return the number of a word; which numbers can be is `estoc.sim`'s to say."""
    try:
        return float(text)
    except ValueError:
        told = say('"{}" should be a number as 0.005, for 0.5 % to each side', text)
        raise click.BadParameter(translated(told)) from None


OUTPUT = (
    click.Option(
        ["--format", "form"],
        type=click.Choice(["table", "csv", "json", "parquet"]),
        help="Form of the output; a table, or what the file's ending says.",
    ),
    click.Option(["-o", "--output"], type=click.Path(), help="Write to a file instead."),
)
PLOT = (
    click.Option(
        ["--plot"], type=click.Path(), metavar="FILE", help="Draw a picture: .png, .svg or .pdf."
    ),
)
output_options = given(*OUTPUT)
