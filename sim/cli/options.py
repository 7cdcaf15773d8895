"""Options that several commands have, and the decorators that give them."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
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
