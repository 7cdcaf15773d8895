"""`estoc audit`: whether the points of cards are right, and a transcript by the rules."""

import sys
from typing import Annotated, Any, Literal

from pydantic import Field

from ...profiles.errors import InputError
from ..ask.output import Output
from ..ask.request import Able, Names, Request
from ..base.options import DEFAULT_EDITION
from ..base.run import Option, Run
from .help import FAILED
from .requests import command, finish


class Audit(Able):
    """Are the points right? What each card is worth against what it costs.

    LIST is a people, an origin of cards, an army (a file or a name), or fighters; eight cards of
    one origin at least, which are never put together with those of another.

    Of a TRANSCRIPT, a JSON file with the steps of a battle: which clauses it breaks, read apart
    from the program that played it; leaves with 1 if it breaks any.

    \b
    estoc audit C3 --plot points.png
    estoc audit battle.json
    """

    drawn = True

    names: Annotated[Names, Option(metavar="LIST… | TRANSCRIPT.json", flag="")]
    value: Annotated[
        Literal["exchange", "equilibrium"] | None,
        Option(
            "Of a card: points destroyed less points lost against all others, or the chance to "
            "win against those that are brought where everyone brings his best. "
            "[default: exchange]"
        ),
    ] = None
    edition_name: Annotated[
        str,
        Option(
            "Edition of the rules. [default: conffede; the one that a transcript names]",
            "NAME|FILE",
        ),
    ] = Field("", alias="edition")


def _audited(request: Request, run: Run, words: dict[str, Any]) -> None:
    """Show what cards are worth, or what is wrong about a transcript."""
    assert isinstance(request, Audit)
    if request.names[0].endswith(".json"):
        _check_transcript(request, words)
        return
    from ..worth.points import EXCHANGE, points_audit

    output = Output(words["form"], words["output"], words["plot"])
    known = request.but(edition_name=request.edition_name or DEFAULT_EDITION)
    assert isinstance(known, Audit)
    value = request.value or EXCHANGE
    finish(points_audit(request.names, value=value, options=known.options), output)


def _check_transcript(request: Audit, words: dict[str, Any]) -> None:
    """Say which clauses a transcript breaks; leave with 1 if it breaks any."""
    from ..audit.audit import audit as check
    from ..audit.audit import breach_table, edition_of, read_transcript
    from ..text.printing import print_renderable

    of_lists = ("value", "fighters", "sets", "form", "output", "plot")
    lost = [key for key in of_lists if words[key]] + ["abilities"] * (not request.abilities)
    if lost or len(request.names) > 1:
        raise InputError("audit: a transcript stands alone, with --edition and --rule at most")
    (transcript,) = request.names
    steps = read_transcript(transcript)
    if request.edition_name:
        edition = request.options.edition
    else:
        edition = edition_of(steps, transcript)
        for rule in request.rules:
            edition = edition.with_rule(rule)
    breaches = check(steps, edition)
    print_renderable(breach_table(breaches, len(steps)))
    if breaches:
        sys.exit(FAILED)


audit = command(Audit, "audit", _audited)
