"""One fighter against one, over a combat phase or several turns."""

from collections.abc import Sequence
from dataclasses import replace

from ...profiles.errors import InputError, echoed
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import joined, say
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import Dice, Options
from ..base.percent import UNKNOWN, decimals_of, mean, range_of, rate, shown
from ..base.result import Result, Row
from ..base.run import USUAL_RUN, Method, Run, runs
from ..base.sequence import STOPPING, stopping_of
from ..text.printing import Block, styled, table_of
from .combat import (
    LOSSES,
    SIDE_ODDS,
    TRIALS,
    TURNS,
    answered,
    differences,
    mean_wounds,
    odds_cells,
    odds_rows,
    points_lost,
    profiles_of,
    side_cells,
)
from .combatants import numbered, with_options
from .method import Answer, Odds, answers, chosen_method
from .question import Question

DUEL = AnswerKind(
    "duel",
    columns("text", "fighter of this side", "a", "b", unit="fighter")
    + columns("text", "dice that this side places in attack/defence, or policy", "dice_a", "dice_b")
    + columns("text", "side that charges, or none", "charge")
    + TURNS
    + SIDE_ODDS
    + columns(
        "number",
        "wound level at the end on average",
        "wounds_a",
        "wounds_b",
        unit=say("wound levels"),
    )
    + LOSSES,
    origin=origin_columns() + STOPPING + differences("a", "b", "undecided", "first_a"),
    text="combat.duel:duel_blocks",
    picture="combat.plot:outcome_bar",
    sentences="report.words:of_sides",
)

COMPARED = ("p_a", "p_b", "p_undecided", "p_first_a")
ENDS = {
    say("A wins (B dead)"): "p_a",
    say("B wins (A dead)"): "p_b",
    "undecided": "p_undecided",
}


def pairing(
    a: Profile, b: Profile, options: Options, dice: tuple[Dice | None, Dice | None] = (None, None)
) -> Question:
    """Return the question of a duel, with the dice that each places."""
    both = with_options((*numbered([a], "A"), *numbered([b], "B")), options)
    placed = [replace(c, dice=d or c.dice) for c, d in zip(both, dice, strict=True)]
    return Question((placed[0],), (placed[1],), options, "duel")


def parsed_pair(dice: Sequence[str] | None) -> tuple[Dice | None, Dice | None]:
    """Return the dice of A and of B: ``["2/0", "1/1"]``."""
    texts = ("policy", "policy") if dice is None else dice
    if isinstance(texts, str) or len(texts) != 2:
        raise InputError('dice {} should be two, of A and of B, as ["2/0", "1/1"]', echoed(dice))
    return Dice.parse(texts[0]), Dice.parse(texts[1])


@runs
def duel(
    a: str | Profile,
    b: str | Profile,
    *,
    dice: Sequence[str] | None = None,
    options: Options | None = None,
    roster: Roster | None = None,
    run: Run,
) -> Result:
    """Return the odds of a duel: who dies, who is hurt, what it costs.

    Parameters
    ----------
    a, b : str or Profile
        The fighters; a name is looked up in the roster.
    dice : sequence of str, optional
        What A and B place, as ``["2/0", "1/1"]``; each side's policy decides if not given.
    options : Options, optional
        Edition, policies, wounds, charges, turns, score.
    roster, run
        As in `estoc.sim.combat.combat.combat`.

    Returns
    -------
    Result
        One row; with ``both`` an exact one and a sampled one. A win is the enemy's death;
        ``wounds_a`` is a mean level (light 1, serious 2, critical 3, dead 4), ``destroyed``
        and ``lost`` are mean points (PA).

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used.

    Examples
    --------
    >>> row = duel("Garde prétorien", "Guerrier de l'aube", trials=1000, seed=1).rows[0]
    >>> row["wins_a"] + row["wins_b"] + row["undecided"]
    1000
    """
    one, other = profiles_of([a, b], roster)
    question = pairing(one, other, options or Options(), parsed_pair(dice))
    return answer(question, chosen_method([question], run, TRIALS), run)


def answer(question: Question, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return the odds of a duel; see `duel`."""
    (found,) = answers([question], how, run)
    return answered(DUEL, found, duel_rows(found, how), how)


def duel_rows(answer: Answer, how: Method) -> list[Row]:
    """Return the rows of a duel: exact, sampled, or one of each."""
    return odds_rows(answer, how, lambda *asked: [duel_row(*asked)], COMPARED)


def duel_row(question: Question, odds: Odds, how: Method) -> Row:
    """Return the answer to a duel as one tidy row."""
    a, b = question.a[0], question.b[0]
    charge = "".join(c.side for c in (a, b) if c.charges)
    return {
        "a": a.profile.label,
        "b": b.profile.label,
        "dice_a": str(a.dice or "policy"),
        "dice_b": str(b.dice or "policy"),
        "charge": charge or "none",
        "turns": question.options.turns,
        **side_cells(question, odds),
        "wounds_a": mean_wounds(question, odds, 0),
        "wounds_b": mean_wounds(question, odds, 1),
        "destroyed": points_lost(question, odds, "B"),
        "lost": points_lost(question, odds, "A"),
        **odds_cells(question, odds, how),
    }


def pair_of(row: Row) -> tuple[str, str, str]:
    """Return who meets whom, and who charges."""
    return row["a"], row["b"], row["charge"]


def duel_blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of a duel: who fights, who wins, wounds and points."""
    row = result.exact_rows[0]
    who = [
        say("{}  {}: {}", side, row[name], _begins(row[dice], row["charge"] == side))
        for side, name, dice in (("A", "a", "dice_a"), ("B", "b", "dice_b"))
    ]
    means = [
        [say("mean wounds taken (dead: 4)"), mean(row["wounds_a"]), mean(row["wounds_b"])],
        [say("mean points destroyed"), mean(row["destroyed"]), mean(row["lost"])],
        [say("struck first"), _percent(rate(row, "p_first_a")), _percent(_complement(row))],
    ]
    parts = [styled(joined("\n", who)), outcomes(result), table_of(["", "A", "B"], means)]
    return parts + worth_of(row)


def outcomes(result: Result) -> Block:
    """Return how often each side wins: exactly, of the trials, or both side by side."""
    exact = result.exact_rows[0]
    sampled = next(iter(sampled_rows(result)), None)
    if sampled is None:
        return table_of(["", "%"], [[what, rate(exact, name)] for what, name in ENDS.items()])
    n = sampled["trials"]
    counts = [sampled[key] for key in ("wins_a", "wins_b", "undecided")]
    decimals = max((decimals_of(k, n) for k in counts if 0 < k < n), default=0)
    headings = ["", say("trials"), "%", stopping_of(sampled).of_proportion]
    lines = [
        [what, f"{k:,}", rate(sampled, name, decimals), range_of(sampled, name, decimals)]
        for (what, name), k in zip(ENDS.items(), counts, strict=True)
    ]
    lines.append([say("all trials"), f"{n:,}", "", ""])
    if exact is not sampled:
        headings += [say("exact %"), say("difference, SE")]
        for line, name in zip(lines, ENDS.values(), strict=False):
            line += [rate(exact, name, decimals), errors_of(sampled[f"z_{name[2:]}"])]
        lines[-1] += ["", ""]
    return table_of(headings, lines)


def worth_of(row: Row) -> list[Block]:
    """Return what a combat is worth to A, where a score was asked for or played for."""
    if row["score"] == "kills" and "optimal" not in row["policy"]:
        return []
    return [
        styled(say("value to A, score {}: {}", row["score"], shown(row["value"], row["score"])))
    ]


def sampled_rows(result: Result) -> list[Row]:
    """Return the rows that were sampled."""
    return [row for row in result if row["method"] != "exact"]


def errors_of(z: float | None) -> str:
    """Return a difference in standard errors, with its sign."""
    return UNKNOWN if z is None else f"{z:+.2f}".replace("-", "−")


def _percent(figure: str) -> str:
    return figure if figure == UNKNOWN else f"{figure} %"


def _complement(row: Row) -> str:
    """Return how often B strikes first."""
    n = row["trials"]
    if n is None:
        return rate({"trials": None, "p_b": 1 - row["p_first_a"]}, "p_b")
    return rate({**row, "wins_b": n - row["first_a"]}, "p_b")


def _begins(dice: str, charges: bool) -> str:
    """Return what a fighter places, and whether it charges."""
    placed = say("dice by policy") if dice == "policy" else say("dice {}", dice)
    return joined(", ", [placed] + [say("charges")] * charges)
