"""`estoc book`: a field book of two armies, as one page."""

from typing import Any

import click

from ..help import Command
from ..options import THREADS, edition_options, policy_option, who_options, wish_options


@click.command(cls=Command)
@click.argument("a", metavar="ARMY-A")
@click.argument("b", metavar="ARMY-B")
@click.option(
    "--wounds",
    type=click.Choice(["all", "levels", "none"]),
    default="all",
    show_default=True,
    help="States in which fighters begin: all, those in which nobody is stunned, or unhurt.",
)
@click.option(
    "--enemies",
    type=click.IntRange(1, 3),
    default=3,
    show_default=True,
    help="Most enemies of one fighter.",
)
@click.option(
    "--best",
    type=click.IntRange(0, 3),
    default=1,
    show_default=True,
    help="Best play of all decisions against so many enemies; against one more, the best dice; "
    "against yet more, what a sensible player does. 2 takes ten times as long as 1.",
)
@who_options
@edition_options
@policy_option
@wish_options
@click.option("--threads", type=THREADS, help="All cores if not given.")
@click.option("-o", "--output", required=True, metavar="FILE", help="The page: a file .html.")
def book(**asked: Any) -> None:
    """A field book: one page for the table, with exact odds and what to place.

    Of all fighters of two armies, by their wounds, who charges and how many they are; the page
    needs no network. An army is a .toml file, or one that comes with the program.

    \b
    estoc book daikinee devoreurs -o book.html
    estoc book mine.toml devoreurs-elite --wounds levels --best 2 -o book.html
    """
    from ...ask.asking import read_options
    from ...ask.output import checked_page
    from ...base.policy import OPEN
    from ...base.progress import progress
    from ...report.book import field_book
    from ...report.book_page import write_field_book

    path = checked_page(asked["output"])
    asked["policies"] = (OPEN, *asked["policies"])
    shape = {key: asked[key] for key in ("wounds", "enemies", "best")}
    options, roster = read_options({**asked, "wounds": (), "charge": (), "all_defence": ()})
    found = field_book(asked["a"], asked["b"], options=options, roster=roster, **shape)
    watched = {"method": "exact", "trials": None, "seed": None}
    with progress(watched, 1, found.situations) as advance:
        write_field_book(found, path, asked["threads"], advance)
