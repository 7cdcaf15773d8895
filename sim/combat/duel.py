"""One fighter against one, over a combat phase or several turns."""

from collections.abc import Sequence
from dataclasses import replace

from ...profiles.errors import InputError, echoed
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import Dice, Options
from ..base.result import Result, Row
from ..base.sequence import STOPPING
from .combat import (
    LOSSES,
    SIDE_ODDS,
    TRIALS,
    TURNS,
    cut_short,
    difference_cells,
    differences,
    mean_wounds,
    odds_origin,
    placed_note,
    points_lost,
    profiles_of,
    result_of,
    side_cells,
    title_of,
)
from .combatants import numbered, with_options
from .method import BOTH, Answer, Method, Odds, answers, chosen_method
from .question import Question
from .sampling import Progress

DUEL = AnswerKind(
    "duel",
    columns("text", "fighter of this side", "a", "b", unit="fighter")
    + columns("text", "dice that this side places in attack/defence, or policy", "dice_a", "dice_b")
    + columns("text", "side that charges, or none", "charge")
    + TURNS
    + SIDE_ODDS
    + columns(
        "number", "wound level at the end on average", "wounds_a", "wounds_b", unit="wound levels"
    )
    + LOSSES,
    origin=origin_columns() + STOPPING + differences("a", "b", "undecided", "first_a"),
    text="combat.table:duel_blocks",
    picture="combat.plot:outcome_bar",
    sentences="report.words:of_sides",
)

COMPARED = ("p_a", "p_b", "p_undecided", "p_first_a")


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
        raise InputError(f'dice {echoed(dice)} should be two, of A and of B, as ["2/0", "1/1"]')
    return Dice.parse(texts[0]), Dice.parse(texts[1])


def duel(
    a: str | Profile,
    b: str | Profile,
    *,
    dice: Sequence[str] | None = None,
    method: str | None = None,
    trials: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
    options: Options | None = None,
    roster: Roster | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
    sampler: str | None = None,
    device: str | None = None,
) -> Result:
    """Return the odds of a duel: who dies, who is hurt, what it costs.

    Parameters
    ----------
    a, b : str or Profile
        The fighters; a name is looked up in the roster.
    dice : sequence of str, optional
        What A and B place, as ``["2/0", "1/1"]``; each side's policy decides if not given.
    method, trials, seed, precision
        As in `estoc.sim.combat.combat.combat`.
    options : Options, optional
        Edition, policies, wounds, charges, turns, score.
    roster, threads, progress, partial, sampler, device
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
    options = options or Options()
    profiles = profiles_of([a, b], roster)
    question = pairing(profiles[0], profiles[1], options, parsed_pair(dice))
    chosen = chosen_method(
        [question], method, trials, seed, TRIALS, precision, sampler=sampler, device=device
    )
    answer = answers([question], chosen, threads=threads, progress=progress, partial=partial)[0]
    rows = duel_rows(answer, chosen)
    stopped = cut_short(answer, chosen)
    found = result_of(DUEL, [question], rows, title_of(question), chosen, stopped)
    return replace(found, notes=placed_note(answer) + found.notes)


def duel_rows(answer: Answer, method: Method) -> list[Row]:
    """Return the rows of a duel: exact, sampled, or one of each."""
    rows: list[Row] = []
    for odds in answer.odds:
        row = duel_row(answer.question, odds, method)
        if method.name == BOTH:
            row.update(difference_cells(row, rows[0] if rows else None, COMPARED))
        rows.append(row)
    return rows


def duel_row(question: Question, odds: Odds, method: Method) -> Row:
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
        **odds_origin(question, odds, method),
    }


def pair_of(row: Row) -> tuple[str, str, str]:
    """Return who meets whom, and who charges."""
    return row["a"], row["b"], row["charge"]
