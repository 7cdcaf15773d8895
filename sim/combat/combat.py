"""One combat of one fighter against one or several (C-3 to C-7)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import inf, sqrt

from ...profiles.compile.combat import state_names
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import joined, say, say_n
from ..base.answer import PLAYED, AnswerKind, Columns, columns, estimates, optional, origin_columns
from ..base.options import SIDES, Options
from ..base.result import Result, Row
from ..base.run import BOTH, EXACT, USUAL_RUN, Method, Provenance, Run, Traceable, runs
from ..base.sequence import STOPPING
from .combatants import Combatant, numbered, remarks, with_options
from .laws import Law, weights
from .method import Answer, Odds, answers, chosen_method
from .question import Question
from .sampling import Counts

_FAR = say("distance of sampled from exact odds, none of an exact row")


def differences(*names: str) -> Columns:
    """Return the columns of `difference_cells`."""
    z = (f"z_{name}" for name in names)
    return optional(columns("number", _FAR, *z, unit=say("standard errors")))


SCORE = columns("text", "score by which a combat is worth something", "score")
VALUE = columns("number", "what it is worth to A on average, by the score", "value")
TURNS = columns("whole", "turns that are played at most", "turns", unit="turns")
LOSSES = columns("number", "points of B destroyed on average", "destroyed", unit="PA") + columns(
    "number", "points of A lost on average", "lost", unit="PA"
)
SIDE_ODDS = (  # the columns of `side_cells`
    PLAYED
    + columns(
        "whole",
        "trials that this side won, the other being dead",
        "wins_a",
        "wins_b",
        unit="trials",
    )
    + columns("whole", "trials without a winner", "undecided", unit="trials")
    + estimates(say("chance that the other side dies"), "p_a", "p_b")
    + estimates(say("chance that neither side wins"), "p_undecided")
    + columns("whole", "trials in which A struck first", "first_a", unit="trials")
    + estimates(say("chance that A strikes first"), "p_first_a")
    + columns("number", "turns until its end on average", "mean_turns", unit="turns")
    + SCORE
    + VALUE
)
COMBAT = AnswerKind(
    "combat",
    columns("text", "whom the row is about: a fighter, or (sides)", "fighter", unit="fighter")
    + columns("text", "side of the fighter", "side")
    + columns("whole", "points of the fighter", "pa", unit="PA")
    + columns("text", "dice placed in attack/defence, or policy", "dice")
    + SIDE_ODDS
    + estimates(say("chance that the fighter is dead at the end"), "p_dead")
    + columns("whole", "trials that the fighter ended so", "{state}", unit="trials")
    + columns("number", "chance that the fighter ends so", "p_{state}", unit="share")
    + columns("number", "wound level at the end on average", "wounds", unit=say("wound levels"))
    + LOSSES
    + TURNS,
    origin=origin_columns() + STOPPING + differences("a", "b", "undecided", "first_a", "dead"),
    text="combat.table:combat_blocks",
    picture="combat.plot:state_bars",
    sentences="report.words:of_sides",
)

TRIALS = 1_000_000
COMPARED = ("p_a", "p_b", "p_undecided", "p_first_a", "p_dead")


def per_trial(total: float, odds: Odds) -> float | None:
    """Return a total over trials as their mean, an exact value as it is; None of no trials."""
    if isinstance(odds, Law):
        return float(total)
    return float(total) / odds.trials if odds.trials else None


def share(part: float, odds: Odds) -> float | None:
    """Return a count as a proportion, or a chance within 0 and 1; None of no trials."""
    found = per_trial(part, odds)
    return None if found is None else min(max(found, 0.0), 1.0)


def number(part: float, odds: Odds) -> int | None:
    """Return how many trials ended so; None of exact odds."""
    return int(part) if isinstance(odds, Counts) else None


def proportion(name: str, part: float, odds: Odds) -> Row:
    """Return a proportion and its interval as three cells; an exact chance has none."""
    low, high = None, None
    if isinstance(odds, Counts) and odds.trials:
        low, high = map(float, odds.stopping.proportions(part, odds.trials))
    return {name: share(part, odds), f"{name}_low": low, f"{name}_high": high}


def side_cells(question: Question, odds: Odds) -> Row:
    """Return how often each side wins, with intervals where that was sampled."""
    whole = odds.trials if isinstance(odds, Counts) else 1.0
    wins = [odds.lone_wins, odds.others_win]
    if question.lone_side == 1:
        wins.reverse()
    undecided = odds.undecided
    first = odds.first if question.lone_side == 0 else whole - odds.first
    return {
        "trials": number(whole, odds),
        "wins_a": number(wins[0], odds),
        "wins_b": number(wins[1], odds),
        "undecided": number(undecided, odds),
        **proportion("p_a", wins[0], odds),
        **proportion("p_b", wins[1], odds),
        **proportion("p_undecided", undecided, odds),
        "first_a": number(first, odds),
        **proportion("p_first_a", first, odds),
        "mean_turns": per_trial(odds.turns, odds),
        "score": question.options.score,
        "value": score_value(question, odds),
    }


def score_value(question: Question, odds: Odds) -> float | None:
    """Return what a combat is worth to A, by the question's score; None of no trials."""
    total = float((weights(question) * odds.law).sum())
    return per_trial(total, odds)


def mean_wounds(question: Question, odds: Odds, fighter: int) -> float | None:
    """Return a fighter's mean wound level at the end; the dead count as the killing level."""
    total = float(odds.law[fighter] @ question.rules.level)
    return per_trial(total, odds)


def points_lost(question: Question, odds: Odds, side: str) -> float | None:
    """Return the mean strategic value that a side loses; None where a PA is not known."""
    total = 0.0
    for i, combatant in enumerate(question.fighters):
        if combatant.side == side:
            if combatant.profile.PA is None:
                return None
            total += combatant.profile.PA * float(odds.law[i, -1])
    return per_trial(total, odds)


def difference_cells(row: Row, exact: Row | None, columns: Sequence[str]) -> Row:
    """Return how far sampled proportions are from the exact ones, in standard errors."""
    return {
        f"z_{name.removeprefix('p_')}": None if exact is None else _z(row, exact, name)
        for name in columns
    }


def _z(row: Row, exact: Row, name: str) -> float | None:
    if row[name] is None or not row["trials"]:
        return None
    p, gap = exact[name], row[name] - exact[name]
    error = sqrt(max(p * (1 - p), 0.0) / row["trials"])
    if error == 0:
        return 0.0 if gap == 0 else inf
    return float(gap / error)


def odds_cells(question: Traceable, odds: Odds, how: Method) -> Row:
    """Return what a row of odds comes from, and the command that gives it again."""
    if isinstance(odds, Law):
        ends = {} if how.precision is None else how.stopping.cells()
        return exact_cells(question, odds.remainder) | ends
    own = how.sampling(odds.trials)
    cells = question.provenance(own).cells(
        method=own.name, sampler=own.sampler, remainder=None, seed=own.seed
    )
    return cells | odds.stopping.cells(odds.shares, odds.trials)


def exact_cells(question: Traceable, remainder: float) -> Row:
    """Return what a row of exact odds comes from."""
    return question.provenance(Method(EXACT)).cells(
        method=EXACT, sampler=None, remainder=remainder, seed=None
    )


def provenance_of(asked: Sequence[Question], how: Method) -> Provenance:
    """Return what an answer about some combats rests on, with the command of the first."""
    return replace(
        asked[0].provenance(how),
        assumed=tuple(dict.fromkeys(key for q in asked for key in q.assumed)),
        readings=tuple(dict.fromkeys(clause for q in asked for clause in q.readings)),
        remarks=notes_of(asked),
    )


def notes_of(asked: Sequence[Question]) -> tuple[str, ...]:
    """Return the remarks on all fighters of some questions together."""
    if len(asked) == 1:
        return asked[0].remarks()
    fighters = {(c.profile.key, c.charges): c for q in asked for c in q.fighters}
    options = asked[0].options
    return remarks(fighters.values(), options.edition, options.abilities)


def profiles_of(
    fighters: str | Profile | Sequence[str | Profile], roster: Roster | None
) -> list[Profile]:
    """Return the profiles of names, looked up in a roster (the shipped one by default)."""
    listed = [fighters] if isinstance(fighters, str | Profile) else list(fighters)
    if roster is None and any(isinstance(f, str) for f in listed):
        roster = Roster.load()
    return [f if isinstance(f, Profile) else _found(f, roster) for f in listed]


def _found(name: str, roster: Roster | None) -> Profile:
    assert roster is not None  # made above if any name is to be looked up
    return roster.find(name)


def ask(a: Sequence[Profile], b: Sequence[Profile], options: Options) -> Question:
    """Return the question of some fighters against others."""
    both = with_options((*numbered(a, "A"), *numbered(b, "B")), options)
    return Question(
        tuple(c for c in both if c.side == "A"), tuple(c for c in both if c.side == "B"), options
    )


@runs
def combat(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    *,
    options: Options | None = None,
    roster: Roster | None = None,
    run: Run,
) -> Result:
    """Return the odds of a combat of one fighter against one or several.

    Parameters
    ----------
    a, b : str, Profile or a sequence of them
        Sides A and B; one of them has a single fighter (C-1.2).
    options : Options, optional
        Edition, policies, wounds, charges, dice, turns, score.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`); 1,000,000 trials where
        sampling is asked for.

    Returns
    -------
    Result
        A row for each fighter, with its final states, and one for the sides; with ``both``
        exact ones first, and ``z_…``, differences in standard errors.

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used.

    Examples
    --------
    >>> result = combat("Garde prétorien", ["Guerrier de l'aube"] * 2)
    >>> [row["fighter"] for row in result]
    ['(sides)', 'Garde prétorien', "Guerrier de l'aube#1", "Guerrier de l'aube#2"]
    >>> round(result.rows[0]["p_a"], 6), result.rows[0]["trials"]
    (0.028403, None)
    """
    question = ask(profiles_of(a, roster), profiles_of(b, roster), options or Options())
    return answer(question, chosen_method([question], run, TRIALS), run)


def answer(question: Question, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return the odds of a combat: the sides, then its fighters, side A first."""
    (found,) = answers([question], how, run)
    return answered(COMBAT, found, odds_rows(found, how, _combat_rows, COMPARED), how)


def answered(kind: AnswerKind, answer: Answer, rows: list[Row], how: Method) -> Result:
    """Return the rows about one combat as its answer."""
    question = answer.question
    return Result.of(
        kind,
        rows,
        title_of(question),
        question.provenance(how),
        before=placed_note(answer),
        note=how.note,
        stopped=cut_short(answer, how),
    )


def odds_rows(
    answer: Answer,
    how: Method,
    rows_of: Callable[[Question, Odds, Method], list[Row]],
    compared: Sequence[str],
) -> list[Row]:
    """Return the rows of exact odds, then those of sampled ones; of both with differences."""
    rows: list[Row] = []
    for odds in answer.odds:
        found = rows_of(answer.question, odds, how)
        if how.name == BOTH:
            for row, exact in zip_longest(found, rows):
                row.update(difference_cells(row, exact, compared))
        rows += found
    return rows


def _combat_rows(question: Question, odds: Odds, how: Method) -> list[Row]:
    names = [state.replace(", ", "_") for state in state_names(question.options.edition)]
    origin = odds_cells(question, odds, how)
    states = [*names, *(f"p_{name}" for name in names[:-1])]
    rows: list[Row] = [
        {
            "fighter": "(sides)",
            "side": None,
            "pa": None,
            "dice": None,
            **side_cells(question, odds),
            **dict.fromkeys(("p_dead", "p_dead_low", "p_dead_high", *states)),
            "wounds": None,
            "destroyed": points_lost(question, odds, "B"),
            "lost": points_lost(question, odds, "A"),
            "turns": question.options.turns,
            **origin,
        }
    ]
    for i, c in sorted(enumerate(question.fighters), key=lambda pair: pair[1].side):
        law = odds.law[i]
        rows.append(
            {
                **dict.fromkeys(rows[0]),
                "fighter": c.label,
                "side": c.side,
                "pa": c.profile.PA,
                "dice": str(c.dice or "policy"),
                "trials": rows[0]["trials"],
                **proportion("p_dead", law[-1], odds),
                **{name: number(part, odds) for name, part in zip(names, law, strict=True)},
                **{f"p_{n}": share(part, odds) for n, part in zip(names[:-1], law, strict=False)},
                "wounds": mean_wounds(question, odds, i),
                "turns": question.options.turns,
                **origin,
            }
        )
    return rows


def placed_note(answer: Answer) -> tuple[str, ...]:
    """Return what policies placed in the first turn, where the exact answer tells."""
    question, law = answer.question, answer.law
    if law is None or all(c.dice for c in question.fighters):
        return ()
    dice = zip(law.placed, question.fighters, strict=True)
    told = sorted((c.side, c.place, str(d)) for d, c in dice)
    alone = {side for side in SIDES if sum(s == side for s, _, _ in told) == 1}
    listed = ", ".join(f"{s}{'' if s in alone else p} {d}" for s, p, d in told)
    first = question.options.turns > 1
    return (say("dice placed in the first turn: {}" if first else "dice placed: {}", listed),)


def cut_short(answer: Answer, how: Method) -> str:
    """Return how far a run came; empty if it is whole."""
    if answer.is_whole(how):
        return ""
    return say("no odds") if answer.counts is None else how.stopping.cut_short(answer.counts.trials)


def _described(combatant: Combatant) -> str:
    """Return a fighter's name, and what is special about his start."""
    wounds = joined(",", combatant.wounds.split(","))
    special = [say("starts {}", wounds)] if wounds else []
    special += [say("charges")] * combatant.charges
    special += [say("all in defence")] * combatant.all_defence
    return say("{} ({})", combatant.label, joined(", ", special)) if special else combatant.label


def title_of(question: Question) -> str:
    """Return who meets whom, and for how long."""
    names = [joined(" + ", map(_described, side)) for side in (question.a, question.b)]
    turns = question.options.turns
    return say_n("{1} against {2}, {0} turn", "{1} against {2}, {0} turns", turns, *names)
