"""One combat of one fighter against one or several (C-3 to C-7)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from math import inf, sqrt

from ...profiles.compile.combat import state_names
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ..base.answer import PLAYED, AnswerKind, Columns, columns, estimates, optional, origin_columns
from ..base.options import SIDES, Options, estoc_version
from ..base.result import Result, Row
from ..base.sequence import STOPPING, end_notes
from .combatants import Combatant, numbered, remarks, with_options
from .laws import Law
from .method import BOTH, EXACT, SAMPLED, Answer, Method, Odds, answers, chosen_method
from .question import Question
from .sampling import Counts, Progress
from .score import weights

_FAR = "distance of sampled from exact odds, none of an exact row"


def differences(*names: str) -> Columns:
    """Return the columns of `difference_cells`."""
    z = (f"z_{name}" for name in names)
    return optional(columns("number", _FAR, *z, unit="standard errors"))


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
    + estimates("chance that the other side dies", "p_a", "p_b")
    + estimates("chance that neither side wins", "p_undecided")
    + columns("whole", "trials in which A struck first", "first_a", unit="trials")
    + estimates("chance that A strikes first", "p_first_a")
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
    + estimates("chance that the fighter is dead at the end", "p_dead")
    + columns("whole", "trials that the fighter ended so", "{state}", unit="trials")
    + columns("number", "chance that the fighter ends so", "p_{state}", unit="share")
    + columns("number", "wound level at the end on average", "wounds", unit="wound levels")
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


def difference_cells(row: Row, exact: Row | None, columns: Sequence[str] = COMPARED) -> Row:
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


def origin_cells(question: Question, method: Method, remainder: float | None = None) -> Row:
    """Return what a row came from, and the command that gives it again."""
    a, b = question.options.policies
    return {
        "method": method.name,
        "sampler": method.sampler,
        "remainder": remainder,
        "policy": str(a) if a == b else f"A={a} B={b}",
        "edition": question.options.edition.name,
        "seed": method.seed,
        "inputs": question.inputs,
        "assumed": " ".join(question.assumed),
        "readings": " ".join(question.readings),
        "remarks": "; ".join(question.remarks()),
        "version": estoc_version(),
        "command": question.command_line(
            method.name, method.trials, method.seed, method.precision, method.sampler_told
        ),
    }


def odds_origin(question: Question, odds: Odds, method: Method) -> Row:
    """Return what the odds of a question came from."""
    if isinstance(odds, Law):
        found = origin_cells(question, Method(EXACT), odds.remainder)
        return found | method.stopping.cells()
    if method.precision is None:
        return origin_cells(question, replace(method, name=SAMPLED, trials=odds.trials))
    found = origin_cells(question, replace(method, name=SAMPLED))
    return found | odds.stopping.cells(odds.shares, odds.trials)


def result_of(
    kind: AnswerKind,
    asked: Sequence[Question],
    rows: list[Row],
    title: str,
    method: Method,
    stopped: str = "",
) -> Result:
    """Return rows as a result, with the remarks on what was asked and what they assume."""
    return Result(
        kind,
        rows,
        title,
        notes=tuple(filter(None, (*notes_of(asked), method.note, *end_notes(rows)))),
        readings=tuple(dict.fromkeys(clause for q in asked for clause in q.readings)),
        assumed=tuple(dict.fromkeys(key for q in asked for key in q.assumed)),
        command=asked[0].command_line(
            method.name, method.trials, method.seed, method.precision, method.sampler_told
        )
        if rows
        else "",
        stopped=stopped,
    )


def notes_of(asked: Sequence[Question]) -> tuple[str, ...]:
    """Return the remarks on all fighters of some questions together."""
    if len(asked) == 1:
        return asked[0].remarks()
    fighters = {(c.profile.key, c.charges): c for q in asked for c in q.fighters}
    options = asked[0].options if asked else None
    return remarks(fighters.values(), options.edition, options.abilities) if options else ()


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


def combat(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    *,
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
    """Return the odds of a combat of one fighter against one or several.

    Parameters
    ----------
    a, b : str, Profile or a sequence of them
        Sides A and B; one of them has a single fighter (C-1.2).
    method : {"exact", "mc", "both"}, optional
        If not given: ``mc`` where trials, a seed, a precision or a sampler are told, else
        ``exact`` where it can be.
    trials : int, optional
        Combats to play; 1,000,000 where sampling is asked for.
    seed : int, optional
        0 to 2**64 - 1; a fresh one if not given, told in the result.
    precision : float, optional
        Half the width of intervals at which sampling ends; trials are then the most
        (`estoc.sim.base.sequence`).
    options : Options, optional
        Edition, policies, wounds, charges, dice, turns, score.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.
    threads : int, optional
        The counts do not depend on it.
    progress : callable, optional
        Told how many trials were just done.
    partial : bool
        Whether Ctrl-C gives the answer of the trials done so far; ``stopped`` says so.
    sampler : {"literal", "chain"}, optional
        Whether every die is rolled, so that `estoc replay` shows any trial, or a chain of draws
        is sampled that the exact engine has made; if told, it is sampled.
    device : {"auto", "cpu", "gpu"}, optional
        Where it is sampled; the counts do not depend on it.

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
    options = options or Options()
    question = ask(profiles_of(a, roster), profiles_of(b, roster), options)
    chosen = chosen_method(
        [question], method, trials, seed, TRIALS, precision, sampler=sampler, device=device
    )
    answer = answers([question], chosen, threads=threads, progress=progress, partial=partial)[0]
    return combat_result(answer, chosen)


def combat_result(answer: Answer, method: Method) -> Result:
    """Return the rows of a combat: the sides, then its fighters, side A first."""
    question = answer.question
    rows: list[Row] = []
    for odds in answer.odds:
        found = _combat_rows(question, odds, method)
        if method.name == BOTH:
            for row, exact in zip_longest(found, rows):
                row.update(difference_cells(row, exact))
        rows += found
    stopped = cut_short(answer, method)
    result = result_of(COMBAT, [question], rows, title_of(question), method, stopped)
    return replace(result, notes=placed_note(answer) + result.notes)


def _combat_rows(question: Question, odds: Odds, method: Method) -> list[Row]:
    names = [state.replace(", ", "_") for state in state_names(question.options.edition)]
    origin = odds_origin(question, odds, method)
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
    return (f"dice placed{' in the first turn' if question.options.turns > 1 else ''}: {listed}",)


def cut_short(answer: Answer, method: Method) -> str:
    """Return how far a run came; empty if it is whole."""
    if answer.is_whole(method):
        return ""
    if answer.counts is None:
        return "no odds"
    most = "at most " * (method.precision is not None)
    return f"{answer.counts.trials:,} of {most}{method.trials:,} trials"


def _described(combatant: Combatant) -> str:
    """Return a fighter's name, and what is special about his start."""
    special = [f"starts {combatant.wounds}"] if combatant.wounds else []
    special += ["charges"] * combatant.charges + ["all in defence"] * combatant.all_defence
    return combatant.label + (f" ({', '.join(special)})" if special else "")


def title_of(question: Question) -> str:
    """Return who meets whom, and for how long."""
    names = [" + ".join(map(_described, side)) for side in (question.a, question.b)]
    turns = question.options.turns
    return f"{names[0]} against {names[1]}, {turns} turn{'s' if turns > 1 else ''}"
