"""The command line: reads words, asks one question of `estoc.sim`, prints the answer."""

import atexit
import gc
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from errno import ENAMETOOLONG
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..text.speech import LANGUAGES, language_of, spoken, translated, usual_language
from ..text.streams import UnwritableError, give_up_output, prepare, shown
from .help import Group, show_error

if TYPE_CHECKING:
    from fractions import Fraction

    from ..ask.output import Output
    from ..base.result import Result
    from ..battle.question import BattleQuestion
    from ..combat.question import Question
    from ..phases.card_question import CardQuestion

F = TypeVar("F", bound=Callable[..., Any])

FAILED = 1
WRONG_USE = 2
THREADS = click.IntRange(1, 1024)


def stacked(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Return one decorator for several options, in the order they are listed in the help."""

    def decorate(function: F) -> F:
        """Give a command these options."""
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


who_options = stacked(
    click.option(
        "--fighters",
        multiple=True,
        metavar="FILE",
        help="Fighters of your own: a CSV file, or a folder of them. Repeatable.",
    ),
    click.option(
        "--set",
        "sets",
        multiple=True,
        metavar="NAME.KEY=VALUE",
        help='Replace a value of a card, as "Arkéon Sanath".ATT=5. Repeatable.',
    ),
)

edition_options = stacked(
    click.option(
        "--edition",
        "edition_name",
        default="conffede",
        show_default=True,
        metavar="NAME|FILE",
        help="Edition of the rules.",
    ),
    click.option(
        "--rule",
        "rules",
        multiple=True,
        metavar="KEY=VALUE",
        help="Replace a value of the edition, as many_dice=one_chain. Repeatable.",
    ),
)

abilities_option = click.option(
    "--no-abilities",
    "abilities",
    is_flag=True,
    callback=lambda ctx, option, given: not given,
    help="Leave out the abilities on the cards (W-7).",
)

policy_option = click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="[A=|B=]NAME[:key=value,…]",
    help="How a side decides: sensible, bold, cautious, always, never, optimal (exact odds "
    "only); see `estoc policy`.",
)

wish_options = stacked(
    click.option(
        "--chosen-by",
        type=click.Choice(["A", "B"], case_sensitive=False),
        default="A",
        show_default=True,
        help="Side that chose the combat: of equal PA the other places first (C-3.3); level in "
        "Initiative, the other decides first about a 6 (W-1.5).",
    ),
    click.option(
        "--turns", type=int, default=1, show_default=True, help="Fight at most so many turns."
    ),
    click.option(
        "--score",
        default="kills",
        show_default=True,
        metavar="NAME|A.STATE=X,…",
        help="What A wants and B does not: kills, points, wounds, survival-a, survival-b.",
    ),
    abilities_option,
)

fight_options = stacked(
    who_options,
    edition_options,
    policy_option,
    click.option(
        "--wounds",
        multiple=True,
        metavar="NAME=STATE",
        help="State at the start, as A=light,stunned. Repeatable.",
    ),
    click.option(
        "--all-defence",
        multiple=True,
        metavar="NAME",
        help="All dice in defence in the first turn: failed disengagement (C-3.6). Repeatable.",
    ),
    wish_options,
)

charge_option = click.option(
    "--charge",
    multiple=True,
    metavar="NAME",
    help="Who charged: A, B or a fighter's name (M-5). Repeatable.",
)


def half_width(text: str) -> float:
    """Return the number of a word; which numbers can be is `estoc.sim`'s to say."""
    try:
        return float(text)
    except ValueError:
        told = f'"{text}" should be a number as 0.005, for 0.5 % to each side'
        raise click.BadParameter(told) from None


def fraction(text: str) -> "Fraction":
    """Return the exact number of a word."""
    from fractions import Fraction

    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        told = f'"{text}" should be a chance as 1/3 or 0.25'
        raise click.BadParameter(told) from None


precision_option = click.option(
    "--precision",
    type=half_width,
    metavar="P",
    help="Sample until no interval reaches further than P to each side, as 0.005, of those of who "
    "wins and dies, a hit, a success, which card acts when; of a battle, who wins. Trials are "
    "then the most. [default of trials: 3/P²]",
)


def sample_options(
    trials: str, what: str, threads: bool = True, precision: bool = True
) -> Callable[[F], F]:
    """Return the options of a command that plays ``what``; ``trials`` says how many if not told."""
    cores = click.option("--threads", type=THREADS, help="All cores if not given.")
    return stacked(
        click.option("--trials", type=int, help=f"Sample: {what} to play. [default{trials}]"),
        *([precision_option] if precision else []),
        click.option(
            "--seed",
            type=int,
            help="Sample: seed of the dice; if not given, a fresh one is taken and printed.",
        ),
        *([cores] if threads else []),
    )


def run_options(trials: int, what: str = "combats", threads: bool = True) -> Callable[[F], F]:
    """Return the options of a command whose odds are exact or sampled; ``what`` is played."""
    return stacked(
        click.option(
            "--method",
            type=click.Choice(["exact", "mc", "both"]),
            help="Exact odds, sampled ones, or both compared; exact where it can be, unless "
            "trials, a seed or a precision are given.",
        ),
        sample_options(f" with --method mc or both: {trials:,}", what, threads),
    )


sampler_options = stacked(
    click.option(
        "--sampler",
        type=click.Choice(["literal", "chain"]),
        help="Sample: roll every die, so that any trial can be replayed, or draw from a chain that "
        "the exact engine has made, which is faster. [default: literal; of a melee, a chain]",
    ),
    click.option(
        "--device",
        type=click.Choice(["auto", "cpu", "gpu"]),
        help="Sample: where; no count depends on it. [default: auto, a device for many trials]",
    ),
)


output_options = stacked(
    click.option(
        "--format",
        "form",
        type=click.Choice(["table", "csv", "json", "parquet"]),
        help="Form of the output; a table, or what the file's ending says.",
    ),
    click.option("-o", "--output", type=click.Path(), help="Write to a file instead."),
)

plot_option = click.option(
    "--plot", type=click.Path(), metavar="FILE", help="Draw a picture: .png, .svg or .pdf."
)


class Commands(Group):
    """Commands of which one whose reader has had enough of it does not fail."""

    def invoke(self, ctx: click.Context) -> Any:
        """Call a command; click would leave with 1 for a closed pipe's own error."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise BrokenPipeError from None


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    expose_value=False,
    help="Language of what is shown, anywhere in the line. [default: ESTOC_LANG, or the locale]",
)
@click.version_option(package_name="estoc", prog_name="estoc", message="%(prog)s %(version)s")
def cli() -> None:
    """Odds of the combats of the miniatures game Confrontation (unofficial).

    A fighter is named as on its card, in any case, with or without accents, or by a
    unique beginning; name@origin says which card. `estoc profiles list` shows them.
    """


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--dice",
    nargs=2,
    metavar="A B",
    help="Dice in attack and defence of A and of B, as 2/0 1/1; the policies place if not given.",
)
@fight_options
@charge_option
@run_options(1_000_000)
@sampler_options
@output_options
@plot_option
def duel(**asked: Any) -> None:
    """Odds of a duel of A against B.

    \b
    estoc duel "garde prétorien" "guerrier de l'aube" --dice 2/0 1/1 \\
        --turns 3 --charge A
    """
    from ..ask.asking import read_options
    from ..ask.output import Output
    from ..base.progress import progress
    from ..combat import duel as module
    from ..combat.combat import TRIALS

    output = Output(asked["form"], asked["output"], asked["plot"])
    options, roster = read_options(asked)
    with progress(asked, TRIALS) as advance:
        result = module.duel(
            asked["a"],
            asked["b"],
            dice=asked["dice"],
            method=asked["method"],
            trials=asked["trials"],
            seed=asked["seed"],
            precision=asked["precision"],
            options=options,
            roster=roster,
            threads=asked["threads"],
            progress=advance,
            partial=True,
            sampler=asked["sampler"],
            device=asked["device"],
        )
    finish(result, output)


@cli.command()
@click.argument("fighters_met", nargs=-1, required=True, metavar="A… vs B…")
@click.option(
    "--dice", multiple=True, metavar="NAME=2/0", help="Dice that a fighter places. Repeatable."
)
@fight_options
@charge_option
@run_options(1_000_000)
@sampler_options
@output_options
@plot_option
def combat(**asked: Any) -> None:
    """Odds of a combat of one fighter against one or several.

    A fighter may be repeated as "name*3"; options name each of them "name#2".

    \b
    estoc combat "garde prétorien" vs "guerrier de l'aube*2" "arkéon sanath" \\
        --set "arkéon sanath".ATT=5 --set "arkéon sanath".RES=9
    """
    from ..ask.asking import read_options
    from ..ask.output import Output
    from ..base.options import sides_of
    from ..base.progress import progress
    from ..combat import combat as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    options, roster = read_options(asked)
    a, b = sides_of(asked["fighters_met"])
    with progress(asked, module.TRIALS) as advance:
        result = module.combat(
            a,
            b,
            method=asked["method"],
            trials=asked["trials"],
            seed=asked["seed"],
            precision=asked["precision"],
            options=options,
            roster=roster,
            threads=asked["threads"],
            progress=advance,
            partial=True,
            sampler=asked["sampler"],
            device=asked["device"],
        )
    finish(result, output)


@cli.command()
@click.argument("fighters_met", nargs=-1, required=True, metavar="A… vs B…")
@click.option(
    "--contacts",
    default="all",
    show_default=True,
    metavar="all|FILE",
    help='Who touches whom: all enemies, or a .toml file of lines as "A1" = ["B1", "B2"], or a '
    ".csv file headed fighter,touches.",
)
@click.option(
    "--routed",
    multiple=True,
    metavar="NAME",
    help="In rout: no test of Discipline, all dice in defence (C-1.4, W-4.3). Repeatable.",
)
@fight_options
@charge_option
@run_options(1_000_000, "combats of each kind")
@sampler_options
@output_options
def melee(**asked: Any) -> None:
    """Every separation of a melee into combats: odds, value, the best of each side.

    Several fighters on each side who touch enemies; whoever wins a test of Discipline
    says who fights whom (C-1). A fighter may be repeated as "name*3"; options and files
    name each of them A1, A2, B1 or "name#2".

    \b
    estoc melee "garde prétorien*2" vs "guerrier de l'aube*3" --contacts all
    """
    from ..ask.asking import read_options
    from ..ask.output import Output
    from ..base.options import sides_of
    from ..base.progress import progress
    from ..combat.combat import TRIALS, profiles_of
    from ..combat.method import chosen_method
    from ..table import melee as module
    from ..table.melee_question import ask

    output = Output(asked["form"], asked["output"])
    options, roster = read_options({**asked, "dice": ()})
    a, b = (profiles_of(names, roster) for names in sides_of(asked["fighters_met"], "melee"))
    question = ask(a, b, asked["contacts"], asked["routed"], options)
    combats = question.questions
    how = chosen_method(
        combats, asked["method"], asked["trials"], asked["seed"], TRIALS, asked["precision"],
        sampler=asked["sampler"], device=asked["device"], totals=True,
    )  # fmt: skip
    with progress({**asked, "method": how.name}, TRIALS, len(combats)) as advance:
        result = module.answer(
            question, how, threads=asked["threads"], progress=advance, partial=True
        )
    finish(result, output)


@cli.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--people", metavar="PEOPLE", help="All fighters of a people, instead of A.")
@click.option("--against", metavar="PEOPLE", help="All fighters of a people, instead of B.")
@click.option(
    "--allocations",
    default="all",
    show_default=True,
    metavar="all|policy|2/0,1/1",
    help="Dice that both sides try.",
)
@click.option(
    "--charge",
    multiple=True,
    type=click.Choice(["none", "A", "B"], case_sensitive=False),
    help="Who charges; repeat it to compare. [default: none]",
)
@click.option("--best", is_flag=True, help="Mark the best answers and the safest dice of A.")
@fight_options
@run_options(100_000, "combats of each duel")
@sampler_options
@output_options
@plot_option
def sweep(**asked: Any) -> None:
    """Odds of every duel of a grid: fighters, dice of both, who charges.

    \b
    estoc sweep "garde prétorien" "guerrier de l'aube" --best
    estoc sweep --people griffons --against dirz -o table.parquet --plot heat.png
    """
    from ..ask.asking import read_options, sweep_command, sweep_sides
    from ..ask.output import Output
    from ..base.progress import progress
    from ..combat import sweep as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    options, roster = read_options(asked)
    a, b = sweep_sides(asked, roster, options)
    charges = asked["charge"] or ("none",)
    duels = module.duels_of(a, b, options, asked["allocations"], charges)
    keys = ("method", "trials", "seed", "precision", "sampler", "device")
    how = module.method_asked(duels, *(asked[key] for key in keys))
    with progress({**asked, "method": how.name}, module.TRIALS, len(duels)) as advance:
        result = module.answer(
            duels,
            how,
            best=asked["best"],
            threads=asked["threads"],
            progress=advance,
            partial=True,
        )
    command = sweep_command(asked, options, result)
    finish(replace(result, command=command), output)


@cli.command()
@click.argument("fighters_met", nargs=-1, metavar="A B | A… vs B…")
@click.option(
    "--book",
    multiple=True,
    metavar="PEOPLE|NAME",
    help="Instead: all pairs of a people's fighters, or of those named. Repeatable.",
)
@click.option("--unseen", is_flag=True, help="Also: both place dice without seeing the other's.")
@click.option(
    "--dice", multiple=True, metavar="NAME=2/0", help="Dice that a fighter places. Repeatable."
)
@fight_options
@charge_option
@output_options
def solve(**asked: Any) -> None:
    """Best play: what to place, how to decide, what habits cost.

    Worked out exactly, for what A wants and B does not (--score). A side that is given a
    --policy keeps to it, and the other one plays the best answer.

    \b
    estoc solve "garde prétorien" "guerrier de l'aube"
    estoc solve "garde prétorien" vs "guerrier de l'aube*2" --unseen
    estoc solve --book daikinee --book dirz -o book.parquet
    """
    from ...profiles.errors import InputError
    from ..ask.asking import read_options, solve_sides
    from ..ask.output import Output
    from ..base.policy import OPEN
    from ..worth import solve as module

    output = Output(asked["form"], asked["output"])
    # said first, so that what a person says of a side replaces it
    asked["policies"] = (OPEN, *asked["policies"])
    options, roster = read_options(asked)
    module.checked_open(options)
    if asked["book"]:
        from ..worth.book import solve_book

        if asked["fighters_met"] or asked["unseen"]:
            raise InputError("solve: --book is for a list alone, without fighters and --unseen")
        finish(solve_book(asked["book"], options=options, roster=roster), output)
        return
    a, b = solve_sides(asked["fighters_met"])
    result = module.solve(a, b, unseen=asked["unseen"], options=options, roster=roster)
    finish(result, output)


@cli.command()
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
    from ..ask.asking import read_options
    from ..ask.output import checked_page
    from ..base.policy import OPEN
    from ..base.progress import progress
    from ..report.book import field_book
    from ..report.book_page import write_field_book

    path = checked_page(asked["output"])
    asked["policies"] = (OPEN, *asked["policies"])
    shape = {key: asked[key] for key in ("wounds", "enemies", "best")}
    options, roster = read_options({**asked, "wounds": (), "charge": (), "all_defence": ()})
    found = field_book(asked["a"], asked["b"], options=options, roster=roster, **shape)
    watched = {"method": "exact", "trials": None, "seed": None}
    with progress(watched, 1, found.situations) as advance:
        write_field_book(found, path, asked["threads"], advance)


@cli.command()
@click.argument("a")
@click.option(
    "--against",
    multiple=True,
    required=True,
    metavar="PEOPLE|B",
    help="Enemies: all fighters of a people, or a fighter. Repeatable.",
)
@click.option(
    "--abilities",
    "priced",
    is_flag=True,
    help="Does an ability pay? Each ability, and each line of the players' list of prices.",
)
@fight_options
@output_options
@plot_option
def worth(**asked: Any) -> None:
    """What a change is worth to A: +1 of a characteristic, a charge, a second attacker.

    Exactly, and against each enemy: with the change less without it. Both sides decide as
    well as they can, unless --policy says otherwise.

    \b
    estoc worth "garde prétorien" --against dirz --plot worth.png
    estoc worth "garde prétorien" --abilities --against dirz
    estoc worth "garde prétorien" --against "guerrier de l'aube" \\
        --score points --turns 2
    """
    from ..ask.asking import read_options
    from ..ask.output import Output, tell
    from ..base.policy import OPEN
    from ..base.progress import progress
    from ..worth import abilities as ability_worth
    from ..worth import worth

    output = Output(asked["form"], asked["output"], asked["plot"])
    # said first, so that what a person says of a side replaces it
    asked["policies"] = (OPEN, *asked["policies"])
    options, roster = read_options({**asked, "charge": ()})
    who = asked["a"], asked["against"]
    priced = asked["priced"]
    met = ability_worth.valuations_of if priced else worth.meetings_of
    valued, left_out = met(*who, options, roster)
    for note in left_out * (output.form != "table"):  # a table has it among its notes
        tell(note)
    exact = {"method": "exact", "trials": None, "seed": None}
    with progress(exact, 1, sum(len(one.questions) for one in valued)) as advance:
        answer = ability_worth.ability_worth if priced else worth.worth
        result = answer(*who, options=options, roster=roster, progress=advance, partial=True)
    finish(result, output)


@cli.command()
@click.argument("a", metavar="A.toml")
@click.argument("b", metavar="B.toml")
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="[A=|B=]NAME|FILE",
    help="How a side orders and plays its cards, instead of what its file says: "
    "listed, random, cheap, dear, threat, wait, optimal (exact odds only), or a .toml file. "
    "Repeatable.",
)
@click.option(
    "--winner",
    default="roll",
    show_default=True,
    type=click.Choice(["roll", "coin", "A", "B"], case_sensitive=False),
    help="Who wins the Tactics roll, and so says who speaks first.",
)
@click.option("--exact", is_flag=True, help="The same as --method exact.")
@click.option("--transcript", is_flag=True, help="Tell one phase, speaking turn by speaking turn.")
@click.option("--trial", type=int, help="Transcript: number of the trial. [default: 0]")
@who_options
@edition_options
@run_options(100_000, "phases")
@output_options
@plot_option
def cards(**asked: Any) -> None:
    """Which card acts when in an activation phase, before whom, and what changes it.

    A and B are files that list a people, its cards and how they are played, or armies that
    come with the program: griffon and scorpion, the example of the rules; daikinee and
    devoreurs.

    \b
    estoc cards griffon scorpion --winner A --transcript
    estoc cards daikinee devoreurs --policy A=wait --policy B=dear --plot cards.png
    """
    from ..ask.asking import card_question, method_asked
    from ..ask.output import Output
    from ..base.progress import progress
    from ..phases import cards as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = card_question(asked)
    if asked["transcript"]:
        output.deliver(module.transcript(question, asked["seed"], asked["trial"] or 0))
        return
    how = module.chosen(
        question, method_asked(asked), asked["trials"], asked["seed"], asked["precision"]
    )
    phases = len(question.compared.phases) if how.name == "exact" else 1
    with progress({**asked, "method": how.name}, module.TRIALS, phases) as advance:
        result = module.answer(
            question,
            how,
            threads=asked["threads"],
            progress=advance,
            partial=True,
        )
    finish(result, output)


@cli.command()
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "--policy-a",
    default="aggressive",
    show_default=True,
    metavar="NAME",
    help="How A decides, see `estoc policy`.",
)
@click.option(
    "--policy-b", default="aggressive", show_default=True, metavar="NAME", help="How B decides."
)
@who_options
@abilities_option
@edition_options
@sample_options(": 2,000", "battles")
@output_options
@plot_option
def battle(**asked: Any) -> None:
    """How a battle ends: who wins, what is destroyed turn by turn, who survives.

    SCENARIO is a file that lists table, terrain, fighters and what they fight for, or one that
    comes with the program: ambush, of five against five, and pitched, of ten against ten.

    \b
    estoc battle ambush --policy-b random --seed 5 --plot battle.png
    estoc replay ambush --policy-b random --seed 5 --trial 17
    """
    from ..ask.asking import battle_question
    from ..ask.output import Output
    from ..base.progress import progress
    from ..battle import battle as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = battle_question(asked)
    how = module.sampled(asked["trials"], asked["seed"], asked["precision"])
    with progress({**asked, "method": how.name}, module.TRIALS) as advance:
        result = module.answer(
            question, how, threads=asked["threads"], progress=advance, partial=True
        )
    finish(result, output)


@cli.command()
@click.argument("lists", nargs=-1, required=True, metavar="LISTS…")
@click.option(
    "--field", default="village", show_default=True, metavar="NAME|FILE", help="Where they fight."
)
@click.option(
    "--policies",
    multiple=True,
    metavar="NAME[:key=value,…],…",
    help="Who plays the lists: each list is played by each of them, see `estoc policy`. "
    "Repeatable. [default: by-odds]",
)
@who_options
@abilities_option
@edition_options
@sample_options(": 1,000, more for a precision", "battles of every two entrants", precision=False)
@click.option(
    "--precision",
    type=half_width,
    metavar="P",
    help="Two entrants have no more battles once half the interval of their score is at most P, "
    "as 0.01 for a point of percentage.",
)
@click.option(
    "--drop", is_flag=True, help="Those clearly below the best have no more battles, save time."
)
@click.option(
    "--losses",
    nargs=2,
    multiple=True,
    metavar="X Y",
    help="Show what these two entrants lose against each other; numbers will do. Repeatable.",
)
@output_options
@plot_option
@click.option(
    "--plot-kind",
    type=click.Choice(["both", "heat", "forest"]),
    default="both",
    show_default=True,
    help="What is drawn: all against all, each against the field.",
)
def matchup(**asked: Any) -> None:
    """Which list wins against which: all against all, both ways round with the same dice.

    LISTS are army files, or armies that come with the program. A list with a policy that plays
    it is an entrant.

    \b
    estoc matchup daikinee-foot devoreurs-elite --policies by-odds,aggressive --seed 5
    """
    from ..ask.contests import matchup_question
    from ..ask.output import Output
    from ..base.progress import progress
    from ..matchup import matchup as module
    from ..matchup.plan import plan_of

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = matchup_question(asked)
    plan = plan_of(asked["trials"], asked["seed"], asked["precision"], asked["drop"])
    told = {"method": "mc", "trials": plan.trials, "seed": plan.seed}
    with progress(told, plan.trials, len(question.cells)) as advance:
        result = module.answer(
            question,
            plan,
            threads=asked["threads"],
            progress=advance,
            partial=True,
            losses=asked["losses"],
            picture=asked["plot_kind"],
        )
    finish(result, output)


@cli.command()
@click.argument("battles", nargs=-1, required=True, metavar="SCENARIO [SCENARIO] | LIST vs LIST")
@click.option("--field", metavar="NAME|FILE", help="Where two lists meet. [default: village]")
@click.option(
    "--change",
    "changes",
    multiple=True,
    metavar="WHAT=VALUE",
    help="What is different in the second battle: policy-a=NAME, policy-b=NAME, rule=KEY=VALUE, "
    "set=NAME.KEY=VALUE, edition=NAME, army-a=LIST, army-b=LIST, field=NAME, tactics=A (wins every "
    "roll), first=A (speaks first), refusals-a=+1. Repeatable.",
)
@click.option(
    "--until-sure",
    is_flag=True,
    help="End when one battle is shown to be better for A, by a sequential test; --trials is the "
    "most. [default: 50,000]",
)
@click.option(
    "--favours",
    is_flag=True,
    help="Instead: what the Tactics roll, speaking first, a refusal, a fighter are worth to A.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Instead: how the answer moves with each assumed value of the edition.",
)
@click.option(
    "--policy-a", default="aggressive", show_default=True, metavar="NAME", help="How A decides."
)
@click.option(
    "--policy-b", default="aggressive", show_default=True, metavar="NAME", help="How B decides."
)
@who_options
@abilities_option
@edition_options
@sample_options(": 2,000", "battles of each", precision=False)
@click.option(
    "--precision",
    type=float,
    metavar="P",
    help="End when the interval of the score's difference reaches no further than P to each side, "
    "as 0.01 for a point of percentage; --trials is the most. [default of trials: 3/P²]",
)
@output_options
def compare(**asked: Any) -> None:
    """What one change to a battle does, from A's side: both with the same dice.

    The second battle is another SCENARIO, or the same with one --change or several. Two army
    lists fight each trial twice, the second time with the sides of the field changed.

    \b
    estoc compare pitched --change policy-b=random
    estoc compare pitched --change rule=wounds.killed_level=5 --seed 1
    estoc compare daikinee-riders vs devoreurs-horde --change army-a=daikinee-foot
    estoc compare pitched --favours --trials 5000
    estoc compare pitched --sensitivity
    """
    from ..ask.contests import comparison_asked, variants_asked
    from ..ask.output import Output
    from ..base.progress import progress
    from ..contest import compare as module
    from ..contest import variants

    output = Output(asked["form"], asked["output"])
    how = module.planned(asked["trials"], asked["seed"], asked["precision"], asked["until_sure"])
    told = {**asked, "method": how.name, "trials": how.trials}
    if asked["favours"] or asked["sensitivity"]:
        kind, base, changes, roster = variants_asked(asked)
        battles = (len(changes) + 1) * (1 if base.armies is None else 2)
        with progress(told, module.TRIALS, battles) as advance:
            result = variants.answer(
                kind,
                base,
                changes,
                how,
                roster=roster,
                threads=asked["threads"],
                progress=advance,
                partial=True,
            )
        finish(result, output)
        return
    comparison = comparison_asked(asked)
    with progress(told, module.TRIALS, 2 * comparison.ways) as advance:
        result = module.answer(
            comparison, how, threads=asked["threads"], progress=advance, partial=True
        )
    finish(result, output)


@cli.command()
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
    from ..ask.contests import trainer_asked
    from ..ask.output import Output, tell
    from ..base.progress import progress
    from ..contest import tune as module
    from ..text.writing import check_writable, write_whole

    file = asked["output"] if str(asked["output"]).endswith(".toml") else None
    if file:
        check_writable(file)
    output = Output(asked["form"], None if file else asked["output"])
    trainer, roster = trainer_asked(asked)
    told = {**asked, "method": "mc", "trials": trainer.total}
    with progress(told, trainer.total) as advance:
        result = module.tune(
            trainer, roster=roster, threads=asked["threads"], progress=advance, stoppable=True
        )
    if file and result.policy:
        write_whole(file, result.policy.toml().encode())
        tell(f"wrote {file}: {result.policy.text}")
    finish(result, output)


@cli.command()
@click.argument("batch", type=click.Path(), metavar="BATCH.toml|RUN")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(),
    metavar="RUN",
    help="Folder of the run. [default: the batch's name with .run, here]",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with the run that the folder holds; of a RUN, with what it has kept.",
)
@click.option("--dry-run", is_flag=True, help="Only say which cells there are, and how much work.")
@click.option("--threads", type=THREADS, help="All cores if not given.")
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Processes of this machine instead."
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Workers of a dask.distributed cluster instead, as tcp://host:8786 or its file.",
)
def run(
    batch: str,
    folder: str | None,
    resume: bool,
    dry_run: bool,
    threads: int | None,
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Run a batch: any number of commands and grids of them, in a folder that survives.

    Whatever stops a run, even the machine, costs the chunks in flight and nothing else: the same
    command with --resume goes on. The results are the same for any threads, workers and stops.

    \b
    estoc run batch.toml --dry-run
    estoc run batch.toml -o griffons.run --workers 2
    estoc run griffons.run --resume
    """
    from ..ask.output import tell
    from ..base.progress import run_bar
    from ..batch import runs as module
    from ..batch.folder import load_run
    from ..batch.table import plan_table, run_table
    from ..text.printing import print_renderable

    if dry_run:
        print_renderable(plan_table(module.foreseen(batch)))
        return
    place = module.place_of(batch, folder, resume)
    hire = module.hiring(threads, workers, scheduler)
    try:
        with run_bar() as watch:
            module.run(batch, place, resume=resume, hire=hire, watch=watch)
    except module.RunStopped as stop:
        tell(str(stop))
        sys.exit(FAILED)
    except KeyboardInterrupt:
        tell(f'stopped by Ctrl-C; what is finished is kept in "{place}": go on with --resume')
        sys.exit(FAILED)
    found = load_run(place)
    print_renderable(run_table(found))
    for line in found.warnings:
        tell(line)
    for line in found.errors:
        tell(f"failed: {line}")
    if found.errors:
        sys.exit(FAILED)


@cli.command()
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
    from ..ask.output import tell
    from ..report.report import save_report

    path = output or f"{Path(folder).name}.html"
    save_report(folder, path)
    tell(f"wrote {path}")


@cli.command(context_settings={"ignore_unknown_options": True})
@click.argument("made_by", nargs=-1, required=True, type=click.UNPROCESSED, metavar="WHAT…")
@click.option("--trial", type=int, required=True, help="Number of the trial, from 0.")
@click.option("--row", type=int, default=1, show_default=True, help="Row of a result file.")
@click.option(
    "--plot",
    type=click.Path(),
    metavar="DIR|FILE.gif",
    help="Draw a battle turn by turn: pictures in a folder, or an animation.",
)
@output_options
def replay(
    made_by: tuple[str, ...],
    trial: int,
    row: int,
    plot: str | None,
    form: str | None,
    output: str | None,
) -> None:
    """Print one trial of a run, die by die, one activation phase of it, or one battle.

    WHAT is a result file (.csv, .json, .parquet), or the command that made the run, with
    its --seed; of a battle, its SCENARIO is enough. With --format json, a battle is a list
    of its steps.

    \b
    estoc replay table.parquet --row 3 --trial 17
    estoc replay duel "garde prétorien" "guerrier de l'aube" --seed 5 --trial 17
    estoc replay ambush --seed 5 --trial 17 --plot battle.gif
    """
    from ...profiles.errors import InputError
    from ..ask.output import Output
    from ..base.result import SUFFIXES, command_of
    from ..battle.question import BattleQuestion
    from ..combat.transcript import replay as replayed
    from ..phases.card_question import CardQuestion
    from ..phases.cards import transcript

    place = Output(form, output)
    inputs = None
    if len(made_by) == 1 and Path(made_by[0]).suffix.lower() in SUFFIXES:
        made_by, inputs = command_of(made_by[0], row)
    made_by = made_by[made_by[:1] == ("estoc",) :]
    if made_by[:1] == ("sheet",):
        if plot:
            raise InputError("replay: --plot draws battles; estoc sheet map draws a situation")
        replay_sheet(made_by[1:], inputs, trial, place)
        return
    question, seed, trials = question_of(made_by)
    if trial >= trials:
        raise InputError(f"trial {trial}: the run has trials 0 to {trials - 1}")
    if inputs not in (None, question.inputs):
        raise InputError(
            f"the fighters or the edition are not those of the result any more: {' '.join(made_by)}"
        )
    if isinstance(question, BattleQuestion):
        deliver_battle(question, seed, trial, place, plot)
        return
    if plot:
        raise InputError("replay: --plot draws battles; duel, combat and cards have their own")
    if isinstance(question, CardQuestion):
        place.deliver(transcript(question, seed, trial))
        return
    place.deliver(replayed(question, seed, trial))


@cli.group()
def profiles() -> None:
    """Fighters: list them, show a card, check a file of your own."""


@profiles.command("list")
@click.option("--people", metavar="PEOPLE", help="Only a people, as dirz.")
@click.option("--fighters", multiple=True, metavar="FILE", help="Fighters of your own.")
@output_options
def profiles_list(
    people: str | None, fighters: tuple[str, ...], form: str | None, output: str | None
) -> None:
    """List the fighters that can be named."""
    from ...profiles.fighters.roster import Roster
    from ..ask.asking import profile_row
    from ..ask.output import Output
    from ..base.result import Result
    from .listing import profiles_table

    place = Output(form, output)
    roster = Roster.load(fighters)
    shown = roster.people(people) if people else tuple(roster)
    result = Result("profiles", [profile_row(p) for p in shown])
    place.deliver_listing(result, profiles_table(shown))


@profiles.command("show")
@click.argument("name")
@who_options
@output_options
def profiles_show(
    name: str,
    fighters: tuple[str, ...],
    sets: tuple[str, ...],
    form: str | None,
    output: str | None,
) -> None:
    """Show a fighter's card, where its figures come from, and what its abilities do."""
    from ...profiles.fighters.roster import Roster
    from ..ask.asking import profile_row
    from ..ask.output import Output
    from ..base.result import Result
    from ..combat.combatants import numbered, with_sets
    from .listing import profile_card

    place = Output(form, output)
    found = Roster.load(fighters).find(name)
    shown = with_sets(numbered([found], "A"), sets)[0].profile
    place.deliver_listing(Result("profile", [profile_row(shown)]), profile_card(shown))


@profiles.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path())
def profiles_check(files: tuple[str, ...]) -> None:
    """Read files of fighters and say what they hold or lack, or what is wrong and where."""
    from ...profiles.errors import InputError
    from ...profiles.fighters.roster import checked

    faults: list[str] = []
    for file in files:
        try:
            say(translated("\n".join(checked(file)), figures=False))
        except InputError as error:
            faults += error.args
    if faults:
        raise InputError(*faults)


@cli.group()
def army() -> None:
    """Armies: list those that come with the program, check one before a battle."""


@army.command("list")
@output_options
def army_list(form: str | None, output: str | None) -> None:
    """List the armies that can be named, with what they cost and of which kind they are."""
    from ..ask.output import Output
    from ..battle.armies import armies_table, shipped_armies

    place = Output(form, output)
    result = shipped_armies()
    place.deliver_listing(result, armies_table(result))


@army.command("check")
@click.argument("armies", metavar="FILE|NAME…", nargs=-1, required=True)
@click.option("--fighters", multiple=True, metavar="FILE", help="Fighters of your own.")
@click.option(
    "--field",
    default="open",
    show_default=True,
    metavar="NAME|FILE",
    help="Battlefield on which they stand up: open, village or a file.",
)
@edition_options
@output_options
def army_check(**asked: Any) -> None:
    """Say what armies are and cost, how they stand up, and what is doubtful in them.

    An army that cannot be in a battle is refused: it costs more than its points, has a card
    without a known fighter, or fighters of several editions.

    \b
    estoc army check devoreurs-mixed
    """
    from ...profiles.errors import InputError
    from ..ask.asking import told_roster
    from ..ask.output import Output
    from ..base.options import Options
    from ..battle.armies import army_blocks, checked, together
    from ..text.printing import apart

    place = Output(asked["form"], asked["output"])
    options = Options(
        edition_name=asked["edition_name"], rules=asked["rules"], fighters=asked["fighters"]
    )
    edition, roster = options.edition, told_roster(options)
    found: list[Result] = []
    faults: list[str] = []
    for name in asked["armies"]:
        try:
            found.append(checked(name, roster=roster, edition=edition, field=asked["field"]))
        except InputError as error:
            faults += error.args
    if found:
        place.deliver_listing(together(found), apart([army_blocks(one) for one in found]))
    if faults:
        raise InputError(*dict.fromkeys(faults))


@cli.group()
def edition() -> None:
    """Editions of the rules: their values, and how sure each of them is."""


@edition.command("list")
def edition_list() -> None:
    """List the editions that come with the program."""
    from ...profiles.edition.edition import edition_names, load_edition

    for name in edition_names():
        say(translated(f"{name}: {load_edition(name).title}"))


@edition.command("show")
@click.argument("name", default="conffede")
@click.option("--rule", "rules", multiple=True, metavar="KEY=VALUE", help="Replace a value.")
@click.option("--assumed", is_flag=True, help="Only what is assumed, or a reading.")
@output_options
def edition_show(
    name: str, rules: tuple[str, ...], assumed: bool, form: str | None, output: str | None
) -> None:
    """Print every value of an edition with its mark, clause and source."""
    from ..ask.output import Output
    from ..base.options import Options
    from ..base.result import Result
    from .listing import edition_table

    place = Output(form, output)
    shown = Options(edition_name=name, rules=rules).edition
    columns = ("key", "value", "mark", "clause", "source")
    rows = [dict(zip(columns, entry, strict=True)) for entry in shown.entries()]
    keys = None
    if assumed:
        rows = [row for row in rows if row["mark"] in ("assumed", "reading")]
        keys = {row["key"] for row in rows}
    place.deliver_listing(Result("edition", rows), edition_table(shown, keys))


@cli.command()
@edition_options
@output_options
def actions(
    edition_name: str, rules: tuple[str, ...], form: str | None, output: str | None
) -> None:
    """Print which action may follow which in one activation, and by which clause.

    \b
    estoc actions
    estoc actions --edition c3
    """
    from ..ask.output import Output
    from ..base.options import Options
    from ..phases.legality import legality, legality_table

    place = Output(form, output)
    edition = Options(edition_name=edition_name, rules=rules).edition
    result = legality(edition)
    place.deliver_listing(result, legality_table(result, edition))


@cli.command()
@click.argument("fighter")
@click.option(
    "--enemies",
    multiple=True,
    required=True,
    metavar="NAME",
    help='All enemies that touch it; "NAME*2" are two. Repeatable.',
)
@click.option(
    "--wounds",
    multiple=True,
    metavar="NAME=STATE",
    help="State at the start, as A=light,stunned; A is the fighter, B its enemies. Repeatable.",
)
@click.option(
    "--charged",
    is_flag=True,
    help="It was charged this turn, with the penalty (M-5.1); as --assaulted, it may not "
    "disengage unless the edition says so.",
)
@click.option(
    "--assaulted",
    is_flag=True,
    help="It was charged or engaged in this activation phase: it may not disengage (M-7.1).",
)
@click.option("--odds", is_flag=True, help="Also: the odds of the combat after a failure (M-7.5).")
@abilities_option
@who_options
@edition_options
@run_options(1_000_000, "tries by each way")
@output_options
def disengage(**asked: Any) -> None:
    """Chances to get away from all enemies in contact, by agility and by force.

    \b
    estoc disengage "garde prétorien" --enemies "guerrier de l'aube*2"
    estoc disengage kal-torog --enemies "garde prétorien" --wounds A=light --odds
    """
    from ..ask.asking import few_options
    from ..ask.output import Output
    from ..base.options import repeated
    from ..base.progress import progress
    from ..rolls import disengage as module

    output = Output(asked["form"], asked["output"])
    options, roster = few_options(asked)
    with progress(asked, module.TRIALS, in_trials=True) as advance:
        result = module.disengage(
            asked["fighter"],
            repeated(asked["enemies"]),
            charged=asked["charged"],
            assaulted=asked["assaulted"],
            odds=asked["odds"],
            method=asked["method"],
            trials=asked["trials"],
            seed=asked["seed"],
            precision=asked["precision"],
            options=options,
            roster=roster,
            threads=asked["threads"],
            progress=advance,
            partial=True,
        )
    finish(result, output)


wounds_option = click.option(
    "--wounds",
    multiple=True,
    metavar="NAME=STATE",
    help="State at the start, as A=light,stunned. Repeatable.",
)


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--range",
    "distance",
    type=float,
    metavar="CM",
    help="How far B is; all three ranges of the weapon if not given.",
)
@click.option("--moved", is_flag=True, help="A moved; if not given, and no --range: both.")
@click.option(
    "--cover",
    type=int,
    default=0,
    show_default=True,
    metavar="X",
    help="Target/+X of B in all, added to the difficulty (M-6.2).",
)
@click.option("--charged", is_flag=True, help="A suffers the penalty of a charge (M-5.1).")
@wounds_option
@abilities_option
@who_options
@edition_options
@run_options(1_000_000, "shots of each kind", threads=False)
@output_options
def shoot(**asked: Any) -> None:
    """Odds of a shot of A at B: to hit, of each wound, of how B stands after it.

    \b
    estoc shoot alahel "garde prétorien"
    estoc shoot alahel "garde prétorien" --range 30 --moved --cover 2
    """
    from ..ask.asking import few_options
    from ..ask.output import Output
    from ..base.progress import progress
    from ..rolls import shooting as module

    output = Output(asked["form"], asked["output"])
    options, roster = few_options(asked)
    question = module.shooting(
        asked["a"],
        asked["b"],
        distance=asked["distance"],
        moved=asked["moved"] or None,
        cover=asked["cover"],
        charged=asked["charged"],
        options=options,
        roster=roster,
    )
    how = module.chosen(asked["method"], asked["trials"], asked["seed"], asked["precision"])
    kinds = len(question.variants) if how.sampled else 1
    with progress({**asked, "method": how.name}, module.TRIALS, kinds) as advance:
        result = module.answer(question, how, progress=advance, partial=True)
    finish(result, output)


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--command",
    metavar="COU[/DIS]",
    help="A is within reach of a leader with this COU and DIS (W-4.5).",
)
@abilities_option
@charge_option
@who_options
@edition_options
@run_options(1_000_000, "tests of each kind", threads=False)
@output_options
def fear(**asked: Any) -> None:
    """Who is afraid of whom: tests of Courage of A and of B, and the chance to rally.

    \b
    estoc fear "guerrier de pierre" killyox
    estoc fear "guerrier de pierre" killyox --command 7/6
    """
    from ..ask.asking import few_options
    from ..ask.output import Output
    from ..base.progress import progress
    from ..rolls import fear as module

    output = Output(asked["form"], asked["output"])
    options, roster = few_options({**asked, "wounds": ()})
    question = module.fright(
        asked["a"], asked["b"], command=asked["command"], options=options, roster=roster
    )
    how = module.chosen(asked["method"], asked["trials"], asked["seed"], asked["precision"])
    kinds = 2 if how.sampled else 1
    with progress({**asked, "method": how.name}, module.TRIALS, kinds) as advance:
        result = module.answer(question, how, progress=advance, partial=True)
    finish(result, output)


@cli.command("table")
@click.argument("scenario", metavar="SCENARIO")
@who_options
@edition_options
@output_options
@plot_option
def table_(**asked: Any) -> None:
    """What stands on a table: who touches whom, and in which melee.

    SCENARIO is a file that lists table, terrain and fighters placed on it, or crossing, an
    example that comes with the program.

    \b
    estoc table crossing --plot table.png
    """
    from ..ask.asking import tabletop_asked
    from ..ask.output import Output
    from ..table import tabletop as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    output.deliver(module.table(tabletop_asked(asked)))


@cli.command()
@click.argument("scenario", metavar="SCENARIO")
@click.option("--fighter", required=True, metavar="NAME", help="Who moves, by its label.")
@click.option("--premeasure", is_flag=True, help="Both players agreed to measure freely (M-1.6).")
@who_options
@edition_options
@output_options
@plot_option
def moves(**asked: Any) -> None:
    """What a fighter on a table may do: how far, whom it may charge, with what odds.

    \b
    estoc moves crossing --fighter cavaliere --plot moves.png
    """
    from ..ask.asking import tabletop_asked
    from ..ask.output import Output
    from ..table import moves as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    answer = module.moves(tabletop_asked(asked), asked["fighter"], premeasure=asked["premeasure"])
    output.deliver(answer)


@cli.group()
def sheet() -> None:
    """The unit activation sheet of a hex wargame: what it says, and what comes of it."""


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


@sheet.command("list")
@output_options
def sheet_list(form: str | None, output: str | None) -> None:
    """List the situations that come with the program."""
    from ..ask.output import Output
    from ..sheet import listing as module

    result = module.situations()
    Output(form, output).deliver_listing(result, module.situations_table(result))


@sheet.command("readings")
@output_options
def sheet_readings(form: str | None, output: str | None) -> None:
    """List where the sheet can be read two ways, and how it is read."""
    from ..ask.output import Output
    from ..sheet import listing as module

    result = module.readings()
    Output(form, output).deliver_listing(result, module.readings_table(result))


@sheet.command("new")
@click.argument("file", type=click.Path())
def sheet_new(file: str) -> None:
    """Write a situation with a remark on each key, to be changed; it can be asked about at once.

    \b
    estoc sheet new mine.toml
    """
    from ..ask.output import tell
    from ..sheet.listing import new_situation

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
    from ...profiles.errors import InputError
    from ..ask.asking import asked_sheet
    from ..ask.output import Output

    output = Output(asked["form"], asked["output"])
    if sum(map(bool, (asked["explain"], asked["event"] is not None, asked["hexes"]))) > 1:
        raise InputError("check: --explain, --if and --hexes are three questions; take one")
    question, unit = asked_sheet(asked), asked["unit"]
    if asked["event"] is not None:
        from ..sheet.follow import follow

        output.deliver(follow(question, unit, asked["event"]))
    elif asked["hexes"]:
        from ..sheet.hexes import hexes

        output.deliver(hexes(question, unit))
    else:
        from ..sheet.check import check

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
    from ..ask.asking import asked_contagion
    from ..ask.output import Output
    from ..base.progress import progress
    from ..contagion import contagion as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = asked_contagion(asked)
    names = ("method", "trials", "seed", "precision", "threads")
    run = {name: asked[name] for name in names}
    with progress(asked, module.TRIALS, len(question.orders), in_trials=True) as advance:
        result = module.answer(question, **run, progress=advance, partial=True)
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
    from ..ask.asking import asked_sheet, sheet_run
    from ..ask.output import Output
    from ..base.progress import progress
    from ..sheet import losses as module
    from ..sheet.runs import TRIALS

    output = Output(asked["form"], asked["output"])
    question = asked_sheet(asked)
    with progress({**asked, "precision": None}, TRIALS, in_trials=True) as advance:
        result = module.lost(question, side=asked["side"], **sheet_run(asked, advance))
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
    from ..ask.asking import asked_sheet, sheet_run
    from ..ask.output import Output
    from ..base.progress import progress
    from ..sheet import losses as module
    from ..sheet.runs import TRIALS

    output = Output(asked["form"], asked["output"])
    question = asked_sheet(asked)
    losses = asked["lose"].split(",") if asked["lose"] else ()
    with progress({**asked, "precision": None}, TRIALS, in_trials=True) as advance:
        run = sheet_run(asked, advance)
        result = module.wing(question, asked["wing"], losses=losses, **run)
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
    from ..ask.asking import asked_sheet, sheet_run
    from ..ask.output import Output
    from ..base.progress import progress
    from ..sheet import sensitivity as module

    output = Output(asked["form"], asked["output"], asked["plot"])
    question = asked_sheet(asked)
    with progress(
        {**asked, "precision": None}, module.TRIALS, module.count_flips() + 1, in_trials=True
    ) as advance:
        run = sheet_run(asked, advance)
        result = module.sheet_sensitivity(
            question, side=asked["side"], measure=asked["measure"], **run
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
    from ..ask.asking import asked_sheet, sheet_run
    from ..ask.output import tell
    from ..base.progress import progress
    from ..sheet import picture as module

    question = asked_sheet(asked)
    with progress({**asked, "precision": None}, module.TRIALS) as advance:
        run = sheet_run(asked, advance)
        drawn = module.save_map(
            question, asked["plot"], side=asked["as_seen_by"], routed=asked["routed"], **run
        )
    for line in (drawn.told, *drawn.notes):
        tell(line)
    if drawn.stopped:
        tell(f"stopped by Ctrl-C after {drawn.stopped}")
        sys.exit(FAILED)


@cli.command()
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
    from ..ask.output import Output
    from ..base.options import DEFAULT_EDITION, Options
    from ..worth.points import EXCHANGE, points_audit

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
    from ...profiles.errors import InputError
    from ..audit.audit import audit as check
    from ..audit.audit import breach_table, edition_of, read_transcript
    from ..base.options import Options
    from ..text.printing import print_renderable

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


@cli.command()
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="NAME",
    help="Only this: kernels, exact, peers, growth or start-up. Repeatable.",
)
@click.option(
    "--rounds", type=click.IntRange(1), help="How often each is timed. [default: 15; 3 if quick]"
)
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
    from ..ask.output import tell
    from ..bench import bench as module
    from ..bench.agreement import Disagreement

    place = module.place_of(form, output)
    told = (lambda part: tell(f"timing {part}")) if sys.stderr.isatty() else None
    try:
        report = module.bench(parts, rounds, quick, told)
    except Disagreement as error:
        tell(str(error))
        sys.exit(FAILED)
    module.deliver(report, place)


@cli.command()
@click.argument("name", required=False)
def policy(name: str | None) -> None:
    """Print the policies by which a side decides, and what each is made of.

    With the NAME of a policy for cards, its file, to be copied and changed.
    """
    from ...profiles.armies.card_policy import card_policy_text
    from ..base.policy import description
    from ..battle.policy import battle_description

    every = f"{description()}\n{battle_description()}"
    say(card_policy_text(name) if name else every)


def finish(result: "Result", output: "Output") -> None:
    """Deliver an answer; leave with 1 if the run was interrupted."""
    from ..ask.output import tell

    if any(row["trials"] != 0 for row in result):
        output.deliver(result)
    if result.stopped:
        tell(f"stopped by Ctrl-C after {result.stopped}")
        sys.exit(FAILED)


def deliver_battle(
    question: "BattleQuestion", seed: int, trial: int, place: "Output", plot: str | None
) -> None:
    """Print or write one battle, and draw it."""
    from ..ask.output import tell
    from ..base.naming import plural
    from ..battle.battle import transcript
    from ..battle.film import check_film, save_film

    if plot:
        check_film(plot)
    result = transcript(question, seed, trial)
    place.deliver(result)
    if plot:
        tell(f"drew {plot}, {plural(save_film(result.steps, plot), 'picture')}")


def question_of(
    words: tuple[str, ...],
) -> tuple["Question | CardQuestion | BattleQuestion", int, int]:
    """Return the question that a command asks, its seed and its trials."""
    from ...profiles.errors import InputError
    from ...profiles.files.toml import shipped_names
    from ..ask.asking import battle_question, card_question, read_options
    from ..base.options import sides_of
    from ..battle import battle as battles
    from ..combat.combat import TRIALS, ask, profiles_of
    from ..combat.duel import pairing, parsed_pair
    from ..combat.method import most_trials
    from ..phases import cards as activation

    commands = {"duel": duel, "combat": combat, "cards": cards, "battle": battle}
    words = words[words[:1] == ("estoc",) :]
    if words and (words[0].endswith(".toml") or words[0] in shipped_names("scenario")):
        words = ("battle", *words)
    if not words or words[0] not in commands:
        raise InputError(
            f'replay: "{" ".join(words[:1])}" should be duel, combat, cards or battle with its '
            "arguments, a scenario, or a result file; of a sweep, give the file and --row"
        )
    asked = commands[words[0]].make_context(words[0], list(words[1:])).params
    seed = seed_to_replay(asked)
    if asked.get("sampler") == "chain":
        raise InputError(
            "replay: a chain of draws has no dice to tell; sample with --sampler literal"
        )
    usual = {"battle": battles.TRIALS, "cards": activation.TRIALS}.get(words[0], TRIALS)
    trials = most_trials(asked["trials"], usual, asked["precision"])
    if words[0] == "battle":
        return battle_question(asked), seed, trials
    if words[0] == "cards":
        return card_question(asked), seed, trials
    options, roster = read_options(asked)
    if words[0] == "combat":
        a, b = sides_of(asked["fighters_met"])
        return ask(profiles_of(a, roster), profiles_of(b, roster), options), seed, trials
    one, other = profiles_of([asked["a"], asked["b"]], roster)
    return pairing(one, other, options, parsed_pair(asked["dice"])), seed, trials


def seed_to_replay(asked: dict[str, Any]) -> int:
    """Return the seed that a command was given; without one there is no trial to tell."""
    from ...profiles.errors import InputError
    from ..base.options import checked_seed

    if asked["seed"] is None:
        raise InputError(
            "replay: give the --seed that the run printed; exact odds have no trials to replay"
        )
    return checked_seed(asked["seed"])


def replay_sheet(words: tuple[str, ...], inputs: str | None, trial: int, place: "Output") -> None:
    """Print one trial of a question about the sheet, event by event."""
    from ...profiles.errors import InputError
    from ..ask.asking import asked_sheet
    from ..base.options import quoted
    from ..sheet.losses import TURNS, losing, told_trial
    from ..sheet.runs import TRIALS

    commands = {"lost": sheet_lost, "wing": sheet_wing}
    if not words or words[0] not in commands:
        raise InputError(
            f'replay: sheet "{" ".join(words[:1])}" should be sheet lost or sheet wing'
        )
    asked = commands[words[0]].make_context(words[0], list(words[1:])).params
    seed = seed_to_replay(asked)
    trials = TRIALS if asked["trials"] is None else asked["trials"]
    if not 0 <= trial < trials:
        raise InputError(f"trial {trial}: the run has trials 0 to {trials - 1}")
    question = asked_sheet(asked)
    if inputs not in (None, question.inputs):
        raise InputError(
            f"the situation or its values are not those of the result any more: {' '.join(words)}"
        )
    lose = asked.get("lose")
    losses = lose.split(",") if lose else ()
    task = TURNS if words[0] == "lost" else losing(question, asked["wing"], losses)
    run = " ".join(map(quoted, ("estoc", "replay", "sheet", *words)))
    place.deliver(told_trial(question, task, seed, trial, run))


def keep_garbage() -> None:
    """Look seldom for what can be freed, and not at the end: a quarter of a short command's time.

    Nearly all that a start makes is used, and all of it is freed when the process ends.
    """
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)


def main() -> None:
    """Run the command line: one line for what a person did wrong, never a trace."""
    keep_garbage()
    prepare()
    asked, words = language_of(sys.argv[1:])
    with spoken(asked if asked in LANGUAGES else usual_language()):
        if asked not in (None, *LANGUAGES):
            words = ["--lang", str(asked)]  # click says what would be right
        run_words(words)


def run_words(words: list[str]) -> None:
    """Run a command in the language in use, and leave."""
    try:
        os.getcwd()
    except OSError:
        echo_error("the working folder is gone or cannot be read; go to another one with cd")
        sys.exit(FAILED)
    try:
        try:
            code = cli.main(words, standalone_mode=False)
        finally:
            sys.stdout.flush()  # what the end of the process would fail to write
        sys.exit(code)
    except click.ClickException as error:
        show_error(error)
        sys.exit(WRONG_USE)
    except (KeyboardInterrupt, click.Abort) as stop:
        if isinstance(stop.__cause__, EOFError):  # click takes it for a person's, at a prompt
            sys.exit(refused(stop.__cause__))
        echo_error("stopped by Ctrl-C; nothing was done")
        sys.exit(FAILED)
    except BrokenPipeError:
        give_up_output()  # whoever read it had enough of it
        sys.exit(0)
    except UnwritableError as error:
        give_up_output()
        echo_error(f"cannot write to standard output: {error}")
        sys.exit(FAILED)
    except Exception as error:
        sys.exit(refused(error))


def echo_error(*lines: str) -> None:
    """Print a line about what went wrong, or several, in the language in use."""
    told = "\n".join(shown(translated(line, figures=False), cut=True) for line in lines)
    click.echo(f"estoc: {told}", err=True)


def say(text: str) -> None:
    """Print text on standard output, line by line."""
    click.echo("\n".join(map(shown, text.split("\n"))))


def refused(error: Exception) -> int:
    """Print one line about what went wrong; the exit code."""
    from ...profiles.errors import InputError
    from ..base.progress import SettingError

    if isinstance(error, InputError):
        echo_error(*error.args)
        return WRONG_USE
    if isinstance(error, SettingError):
        echo_error(f"numba cannot be loaded: {error}")
        return WRONG_USE
    if os.environ.get("ESTOC_DEBUG"):
        raise error
    if isinstance(error, OSError) and error.filename is not None:  # a place that cannot be used
        echo_error(f'"{os.fsdecode(error.filename)}": {error.strerror}')
        return WRONG_USE if error.errno == ENAMETOOLONG else FAILED
    kind = type(error).__name__
    echo_error(f"the run failed: {kind}: {error} (a fault of estoc; ESTOC_DEBUG=1 shows where)")
    return 1


if __name__ == "__main__":
    main()
