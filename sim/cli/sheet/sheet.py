"""`estoc sheet`: what the sheet says of a unit, and what comes of it."""

import sys
from typing import TYPE_CHECKING, Any

import click

from ..finish import FAILED, finish
from ..help import Group
from ..options import output_options, plot_option, run_options, sample_options, stacked

if TYPE_CHECKING:
    from fractions import Fraction


def fraction(text: str) -> "Fraction":
    """Return the exact number of a word."""
    from fractions import Fraction

    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        told = f'"{text}" should be a chance as 1/3 or 0.25'
        raise click.BadParameter(told) from None


situation_options = stacked(
    click.option("--tests", metavar="FILE", help="Values of the tests: all are assumed."),
    click.option("--world", metavar="FILE", help="Ground, moves, outcomes: all are assumed."),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Replace a value of the tests, as rout.ELITE=2. Repeatable.",
    ),
    click.option(
        "--reading",
        "readings",
        multiple=True,
        metavar="SWITCH=VALUE",
        help="Read the sheet otherwise, as select.mode=M1; see `estoc sheet readings`.",
    ),
)
fail_option = click.option(
    "--fail",
    type=fraction,
    metavar="Q",
    help="Every Rout test fails with this chance, as 1/3, whatever else.",
)
turns_options = stacked(
    click.option(
        "--player",
        "players",
        multiple=True,
        metavar="[SIDE=]NAME",
        help="Who decides: bold, careful, still, random; all assumed. Repeatable.",
    ),
    click.option("--order", metavar="PIECES", help="Who is activated first, with commas."),
    click.option("--turns", type=int, default=1, show_default=True, help="Turns to play."),
    fail_option,
)
either_options = stacked(
    click.option(
        "--method",
        type=click.Choice(["exact", "mc"]),
        help="All ways in which the dice can fall, or trials; the first where it can be.",
    ),
    sample_options(": 100,000", "trials", precision=False),
)


@click.group(cls=Group)
def sheet() -> None:
    """The unit activation sheet of a hex wargame: what it says, and what comes of it."""


@sheet.command("list")
@output_options
def sheet_list(form: str | None, output: str | None) -> None:
    """List the situations that come with the program."""
    from ...ask.output import Output
    from ...sheet import listing as module

    result = module.situations()
    Output(form, output).deliver_listing(result, module.situations_table(result))


@sheet.command("readings")
@output_options
def sheet_readings(form: str | None, output: str | None) -> None:
    """List where the sheet can be read two ways, and how it is read."""
    from ...ask.output import Output
    from ...sheet import listing as module

    result = module.readings()
    Output(form, output).deliver_listing(result, module.readings_table(result))


@sheet.command("new")
@click.argument("file", type=click.Path())
def sheet_new(file: str) -> None:
    """Write a situation with a remark on each key, to be changed; it can be asked about at once.

    \b
    estoc sheet new mine.toml
    """
    from ...ask.output import tell
    from ...sheet.listing import new_situation

    tell(f"wrote {new_situation(file)}")


@sheet.command("check")
@click.argument("situation", metavar="[SITUATION]", required=False)
@click.option("--unit", metavar="NAME", help="Who is about to be activated.")
@click.option(
    "--is",
    "words",
    multiple=True,
    metavar="WORDS",
    help="In place of a situation, one unit in words with commas, as "
    "'formation, defence, shaken, dodge'. Repeatable.",
)
@click.option(
    "--engaged-by",
    metavar="WHO",
    help="Who engages it: fresh (has just come), stale, mixed.",
)
@click.option("--engages", metavar="WHO", help="Whom it engages: fresh, stale, mixed.")
@click.option("--explain", is_flag=True, help="Also what does not apply, and why.")
@click.option(
    "--if",
    "event",
    metavar="EVENT",
    help="What follows if it flees, dies, leaves, is-shaken, routs, loses-charge, or ends its "
    "activation: who tests, and how it comes out.",
)
@click.option("--hexes", is_flag=True, help="Where its actions may end; the nearest threat.")
@situation_options
@fail_option
@output_options
def sheet_check(**asked: Any) -> None:
    """What the sheet says about a unit, clause by clause: its tests, what it must or may do.

    \b
    estoc sheet check skirmish --unit "Lion archers" --explain
    estoc sheet check --is 'formation, defence, shaken' --engaged-by fresh
    estoc sheet check skirmish --unit "Marshal" --if dies
    estoc sheet check skirmish --unit "Wolf riders" --hexes
    """
    from ....profiles.errors import InputError
    from ...ask.asking import asked_sheet
    from ...ask.output import Output

    output = Output(asked["form"], asked["output"])
    if sum(map(bool, (asked["explain"], asked["event"] is not None, asked["hexes"]))) > 1:
        raise InputError("check: --explain, --if and --hexes are three questions; take one")
    question, unit = asked_sheet(asked), asked["unit"]
    if asked["event"] is not None:
        from ...sheet.follow import follow

        output.deliver(follow(question, unit, asked["event"]))
    elif asked["hexes"]:
        from ...sheet.hexes import hexes

        output.deliver(hexes(question, unit))
    else:
        from ...sheet.check import check

        output.deliver(check(question, unit, explain=asked["explain"]))


@sheet.command("contagion")
@click.argument("layout", metavar="LAYOUT")
@click.option("--side", metavar="NAME", help="Of a situation; its first side if not given.")
@click.option(
    "--order",
    "orders",
    multiple=True,
    metavar="ORDER",
    help="In which units are activated: outward and inward from the rout, best and worst for "
    "containing it, or a list as 2,0,1. Repeatable. [default: outward and inward]",
)
@click.option("--routed", multiple=True, metavar="UNIT", help="Who is routed at the start.")
@click.option("--fail", default="1/2", show_default=True, metavar="Q", help="Chance to rout.")
@click.option("--turns", type=int, default=1, show_default=True, help="Turns to play.")
@click.option(
    "--model",
    type=click.Choice(["static", "flee"]),
    default="static",
    show_default=True,
    help="Nobody moves, or who is routed flees out of the way.",
)
@run_options(1_000_000, "trials of each order")
@output_options
@plot_option
def sheet_contagion(**asked: Any) -> None:
    """How far a rout spreads, by the order in which units are activated.

    LAYOUT is line:N, double:N, block:RxC, flower, or a situation.

    \b
    estoc sheet contagion line:5 --turns 2
    estoc sheet contagion flower --order best --order worst --fail 1/3
    """
    from ...ask.asking import asked_contagion, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...contagion import contagion as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = asked_contagion(asked)
    with progress(asked, module.TRIALS, len(question.orders), in_trials=True) as advance:
        result = module.answer(question, run_of(asked, advance))
    finish(result, output)


@sheet.command("lost")
@click.argument("situation", metavar="SITUATION")
@click.option("--side", metavar="NAME", help="The first of the situation if not given.")
@situation_options
@turns_options
@either_options
@output_options
def sheet_lost(**asked: Any) -> None:
    """Activations that a side loses, by cause: routed, frozen, made to turn or to go away.

    \b
    estoc sheet lost skirmish --turns 2
    """
    from ...ask.asking import asked_sheet, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...sheet import losses as module
    from ...sheet.runs import TRIALS

    output = Output(asked["form"], asked["output"])
    question = asked_sheet(asked)
    with progress({**asked, "precision": None}, TRIALS, in_trials=True) as advance:
        result = module.lost(question, side=asked["side"], run=run_of(asked, advance))
    finish(result, output)


@sheet.command("wing")
@click.argument("situation", metavar="SITUATION")
@click.option("--wing", metavar="NAME", help="The first that has a leader if not given.")
@click.option("--lose", metavar="PIECES", help="Who dies, in order, with commas.")
@situation_options
@fail_option
@either_options
@output_options
def sheet_wing(**asked: Any) -> None:
    """Whether a wing still attacks after its leader dies, and after each further loss.

    \b
    estoc sheet wing wing
    """
    from ...ask.asking import asked_sheet, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...sheet import losses as module
    from ...sheet.runs import TRIALS

    output = Output(asked["form"], asked["output"])
    question = asked_sheet(asked)
    losses = asked["lose"].split(",") if asked["lose"] else ()
    with progress({**asked, "precision": None}, TRIALS, in_trials=True) as advance:
        run = run_of(asked, advance)
        result = module.wing(question, asked["wing"], losses=losses, run=run)
    finish(result, output)


@sheet.command("sensitivity")
@click.argument("situation", metavar="SITUATION")
@click.option("--side", metavar="NAME", help="The first of the situation if not given.")
@click.option(
    "--measure",
    type=click.Choice(["lost", "routed"]),
    default="lost",
    show_default=True,
    help="Activations lost in all turns, or pieces routed at the end.",
)
@situation_options
@turns_options
@either_options
@output_options
@plot_option
def sheet_sensitivity(**asked: Any) -> None:
    """The same question with each reading of the sheet changed, most changed first.

    \b
    estoc sheet sensitivity skirmish --turns 2
    """
    from ...ask.asking import asked_sheet, run_of
    from ...ask.output import Output
    from ...base.progress import progress
    from ...sheet import sensitivity as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = asked_sheet(asked)
    with progress(
        {**asked, "precision": None}, module.TRIALS, module.count_flips() + 1, in_trials=True
    ) as advance:
        run = run_of(asked, advance)
        result = module.sheet_sensitivity(
            question, side=asked["side"], measure=asked["measure"], run=run
        )
    finish(result, output)


@sheet.command("map")
@click.argument("situation", metavar="SITUATION")
@click.option("--plot", required=True, type=click.Path(), metavar="FILE", help=".png, .svg, .pdf.")
@click.option("--as-seen-by", metavar="SIDE", help="Only what that side's player sees.")
@click.option("--routed", is_flag=True, help="With each piece's chance to be routed at the end.")
@situation_options
@turns_options
@either_options
def sheet_map(**asked: Any) -> None:
    """Draw a situation: units, facing, markers; what a player sees; how rout spreads.

    \b
    estoc sheet map skirmish --plot skirmish.png
    """
    from ...ask.asking import asked_sheet, run_of
    from ...ask.output import tell
    from ...base.progress import progress
    from ...sheet import picture as module

    question = asked_sheet(asked)
    with progress({**asked, "precision": None}, module.TRIALS) as advance:
        run = run_of(asked, advance)
        drawn = module.save_map(
            question, asked["plot"], side=asked["as_seen_by"], routed=asked["routed"], run=run
        )
    for line in (drawn.told, *drawn.notes):
        tell(line)
    if drawn.stopped:
        tell(f"stopped by Ctrl-C after {drawn.stopped}")
        sys.exit(FAILED)
