"""Best play of all pairs of a list of fighters, in one go."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import COLUMNS
from ...profiles.compile.combat import placing_order
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import say_n
from ..base.answer import PLAYED, AnswerKind, columns, origin_columns
from ..base.naming import fighters_of, left_out, missing_cells
from ..base.options import SIDES, Dice, Options, number_of_dice, quoted
from ..base.policy import BEST_PLAY
from ..base.result import Result, Row
from ..combat.combat import SCORE, TURNS, VALUE, ask, exact_cells, notes_of
from ..combat.exact import Engine, checked_exact, remainder_of
from ..combat.laws import clean, weights
from ..combat.question import Question
from .solve import with_best_play

BOOK = AnswerKind(
    "book",
    columns("text", "fighter of this side", "a", "b", unit="fighter")
    + columns("whole", "points of the fighter", "pa_a", "pa_b", unit="PA")
    + columns("text", "side that chose the combat", "chosen_by")
    + columns("text", "side that places its dice first", "places_first")
    + VALUE
    + columns("text", "best dice in attack/defence", "dice_a", "dice_b")
    + columns("number", "chance that the other side dies", "p_a", "p_b", unit="share")
    + columns("number", "chance that neither side wins", "p_undecided", unit="share")
    + columns("number", "chance that A strikes first", "p_first_a", unit="share")
    + SCORE
    + TURNS,
    origin=PLAYED + origin_columns(),
    text="worth.solve_table:book_blocks",
)

PART = 1000  # duels solved in one call


def solve_book(
    fighters: Iterable[str | Profile],
    *,
    options: Options | None = None,
    roster: Roster | None = None,
) -> Result:
    """Return the best play of every pair of some fighters, one turn, as `solve` finds it.

    Fighters are profiles, names, or peoples, of whom those are left out who lack a characteristic,
    or PA where the score is ``points``. A pair of equal PA has two rows, by the side that chose
    the combat (C-3.3).

    >>> book = solve_book(["Garde prétorien", "Guerrier de l'aube"])
    >>> [(row["dice_a"], row["dice_b"], round(row["value"], 4)) for row in book]
    [('2/0', '1/1', 0.2497)]
    """
    options = with_best_play(options or Options())
    named = list(fighters)
    _check(options)
    listed, notes = _complete(fighters_of(named, roster), options)
    pairs = list(combinations(listed, 2))
    rows = []
    for chooser in SIDES:
        chosen = replace(options, chosen_by=chooser)
        mine = [p for p in pairs if chooser == options.chosen_by or _hangs_on_chooser(p, options)]
        for begin in range(0, len(mine), PART):
            rows += _solved(mine[begin : begin + PART], chosen)
    order = {(a.label, b.label): i for i, (a, b) in enumerate(pairs)}
    rows.sort(key=lambda row: (order[row["a"], row["b"]], row["chosen_by"]))
    asked = [who if isinstance(who, str) else who.label for who in named]
    words = [word for who in asked for word in ("--book", who)]
    command = " ".join(
        map(quoted, ["estoc", "solve", *words, *options.common_arguments(BEST_PLAY)])
    )
    question = ask([pairs[0][0]], [pairs[0][1]], options)
    return Result(
        BOOK,
        rows,
        say_n(
            "Best play of {1} fighters, {0:,} pair",
            "Best play of {1} fighters, {0:,} pairs",
            len(pairs),
            len(listed),
        ),
        notes=(*notes, *notes_of([ask([a], [b], options) for a, b in _neighbours(listed)])),
        assumed=question.assumed,
        readings=question.readings,
        command=command,
    )


def _hangs_on_chooser(pair: tuple[Profile, Profile], options: Options) -> bool:
    """Whether who places first depends on who chose the combat (C-3.3)."""
    missing = options.edition["defaults.missing_PA"]
    return bool((placing_order(pair, 0, missing) != placing_order(pair, 1, missing)).any())


def _neighbours(listed: Sequence[Profile]) -> list[tuple[Profile, Profile]]:
    """Return pairs in which every fighter stands, as few as that takes."""
    return [(listed[i], listed[i - 1]) for i in range(len(listed))]


def _check(options: Options) -> None:
    if options.turns != 1:
        raise InputError("book: the pairs of a list are solved for one turn")
    about = options.sets or options.wounds or options.dice or options.charge
    if about or options.all_defence:
        raise InputError("book: options about single fighters have no place in a list")


def _complete(
    fighters: dict[Profile, bool], options: Options
) -> tuple[list[Profile], tuple[str, ...]]:
    """Return the fighters whose cards suffice, and remarks on those of a people left out."""
    kept, notes = [], []
    for profile, unnamed in fighters.items():
        missing = missing_cells(profile, options.score)
        if missing and unnamed:
            notes.append(left_out(profile, missing))
        else:
            kept.append(profile)
    if len(kept) < 2:
        raise InputError("book: name a people, or at least two fighters")
    return kept, tuple(notes)


def _solved(pairs: Sequence[tuple[Profile, Profile]], options: Options) -> list[Row]:
    """Return the rows of some duels of one turn, all by one edition, policies and chooser."""
    questions = [replace(ask([a], [b], options), command="solve") for a, b in pairs]
    engine = Engine()
    plain = iter(_solved_at_once([q for q in questions if not q.able], engine))
    return [_solved_alone(q, engine) if q.able else next(plain) for q in questions]


def _solved_alone(question: Question, engine: Engine) -> Row:
    """Return the row of one duel, where somebody has an ability."""
    law = engine.law(question)
    return _row(question, law.joint, law.value, law.placed)


def _solved_at_once(questions: Sequence[Question], engine: Engine) -> list[Row]:
    """Return the rows of duels without abilities."""
    from ...kernels.exact.duel import new_duels, solve_duels
    from ...kernels.layout.combat import new_fight

    if not questions:
        return []
    first = questions[0]
    checked_exact(first)
    m, states = len(questions), len(first.rules.level)
    rows = np.empty((m, 2, COLUMNS), np.int64)
    orders = np.empty((m, 2), np.int64)
    worths = np.empty((m, 2, states))
    for i, question in enumerate(questions):
        rows[i] = question.setup.fighters
        orders[i] = question.setup.order
        worths[i] = weights(question)
    fights, duels = new_fight(first.setup, first.rules, 0, 0), new_duels(rows, orders, worths)
    solve_duels(fights, engine.laws(first), duels, engine.scratch(first.rules))
    shaped = duels.joints.reshape(m, 2, states, states)
    dice = number_of_dice(first.options.edition, 1)
    placed = [[Dice(attack, dice - attack) for attack in row] for row in duels.placed.tolist()]
    return [
        _row(question, shaped[i], float(duels.values[i]), placed[i])
        for i, question in enumerate(questions)
    ]


def _row(
    question: Question, joint: NDArray[np.float64], value: float, placed: Sequence[Dice]
) -> Row:
    """Return the answer to one pair."""
    a, b = question.a[0].profile, question.b[0].profile
    p_a, p_b = float(joint[:, :-1, -1].sum()), float(joint[:, -1, :-1].sum())
    return {
        "a": a.label,
        "b": b.label,
        "pa_a": a.PA,
        "pa_b": b.PA,
        "chosen_by": question.options.chosen_by,
        "places_first": SIDES[question.setup.order[0]],
        "value": clean(value),
        "dice_a": str(placed[0]),
        "dice_b": str(placed[1]),
        "p_a": p_a,
        "p_b": p_b,
        "p_undecided": float(joint[:, :-1, :-1].sum() + joint[:, -1, -1].sum()),
        "p_first_a": float(joint[0].sum()),
        "score": question.options.score,
        "turns": question.options.turns,
        "trials": None,
        **exact_cells(question, remainder_of(question)),
    }
