"""`estoc book`: a field book of two armies, as one page."""

from typing import Annotated, Any, Literal

import click

from ..ask.output import checked_page
from ..ask.request import Bar, Request, Wishing
from ..base.progress import progress
from ..base.run import Option, Run, Threads
from .requests import command


class Book(Wishing):
    """A field book: one page for the table, with exact odds and what to place.

    Of all fighters of two armies, by their wounds, who charges and how many they are; the page
    needs no network. An army is a .toml file, or one that comes with the program.

    \b
    estoc book daikinee devoreurs -o book.html
    estoc book mine.toml devoreurs-elite --wounds levels --best 2 -o book.html
    """

    open_play = True
    apart = ("policies", "wounds")

    a: Annotated[str, Option(metavar="ARMY-A", flag="")]
    b: Annotated[str, Option(metavar="ARMY-B", flag="")]
    wounds: Annotated[
        Literal["all", "levels", "none"],
        Option("States in which fighters begin: all, those in which nobody is stunned, or unhurt."),
    ] = "all"
    enemies: Annotated[int, Option("Most enemies of one fighter.", least=1, most=3)] = 3
    best: Annotated[
        int,
        Option(
            "Best play of all decisions against so many enemies; against one more, the best dice; "
            "against yet more, what a sensible player does. 2 takes ten times as long as 1.",
            least=0,
            most=3,
        ),
    ] = 1
    threads: Threads = None


def _written(request: Request, run: Run, words: dict[str, Any]) -> None:
    """Write the page."""
    from ..report.book import field_book
    from ..report.book_page import write_field_book

    assert isinstance(request, Book)
    path = checked_page(words["output"])
    shape = {key: getattr(request, key) for key in ("wounds", "enemies", "best")}
    found = field_book(
        request.a, request.b, options=request.options, roster=request.roster, **shape
    )
    with progress(run, Bar(1, found.situations, method="exact")) as advance:
        write_field_book(found, path, run.but(progress=advance))


book = command(Book, "book", _written, output=False)
book.params.append(
    click.Option(["-o", "--output"], required=True, metavar="FILE", help="The page: a file .html.")
)
