"""`estoc audit`: whether the points of cards are right, and a transcript by the rules."""

import sys
from typing import Any

import click

from ..finish import FAILED, finish
from ..help import Command
from ..options import abilities_option, output_options, plot_option


@click.command(cls=Command)
@click.argument("names", metavar="LIST… | TRANSCRIPT.json", nargs=-1, required=True)
@click.option(
    "--value",
    type=click.Choice(["exchange", "equilibrium"]),
    help="Of a card: points destroyed less points lost against all others, or the chance to win "
    "against those that are brought where everyone brings his best. [default: exchange]",
)
@click.option("--fighters", multiple=True, metavar="FILE", help="Fighters of your own.")
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME.KEY=VALUE",
    help='Replace a value of a card, as "Arkéon Sanath".PA=40. Repeatable.',
)
@abilities_option
@click.option(
    "--edition",
    "edition_name",
    metavar="NAME|FILE",
    help="Edition of the rules. [default: conffede; the one that a transcript names]",
)
@click.option("--rule", "rules", multiple=True, metavar="KEY=VALUE", help="Replace a value.")
@output_options
@plot_option
def audit(**asked: Any) -> None:
    """Are the points right? What each card is worth against what it costs.

    LIST is a people, an origin of cards, an army (a file or a name), or fighters; eight cards of
    one origin at least, which are never put together with those of another.

    Of a TRANSCRIPT, a JSON file with the steps of a battle: which clauses it breaks, read apart
    from the program that played it; leaves with 1 if it breaks any.

    \b
    estoc audit C3 --plot points.png
    estoc audit battle.json
    """
    if asked["names"][0].endswith(".json"):
        audit_transcript(asked)
        return
    from ...ask.output import Output
    from ...base.options import DEFAULT_EDITION, Options
    from ...worth.points import EXCHANGE, points_audit

    output = Output(asked["form"], asked["output"], asked["plot"])
    options = Options(
        edition_name=asked["edition_name"] or DEFAULT_EDITION,
        rules=asked["rules"],
        sets=asked["sets"],
        fighters=asked["fighters"],
        abilities=asked["abilities"],
    )
    value = asked["value"] or EXCHANGE
    finish(points_audit(asked["names"], value=value, options=options), output)


def audit_transcript(asked: dict[str, Any]) -> None:
    """Say which clauses a transcript breaks; leave with 1 if it breaks any."""
    from ....profiles.errors import InputError
    from ...audit.audit import audit as check
    from ...audit.audit import breach_table, edition_of, read_transcript
    from ...base.options import Options
    from ...text.printing import print_renderable

    of_lists = ("value", "fighters", "sets", "form", "output", "plot")
    lost = [key for key in of_lists if asked[key]] + ["abilities"] * (not asked["abilities"])
    if lost or len(asked["names"]) > 1:
        raise InputError("audit: a transcript stands alone, with --edition and --rule at most")
    (transcript,) = asked["names"]
    steps = read_transcript(transcript)
    if asked["edition_name"] is None:
        edition = edition_of(steps, transcript)
        for rule in asked["rules"]:
            edition = edition.with_rule(rule)
    else:
        edition = Options(edition_name=asked["edition_name"], rules=asked["rules"]).edition
    breaches = check(steps, edition)
    print_renderable(breach_table(breaches, len(steps)))
    if breaches:
        sys.exit(FAILED)
