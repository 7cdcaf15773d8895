"""Who must test Courage against whom, with what chance, and what follows (W-4)."""

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.maintenance import Person
from ...profiles.compile.combat import compile_rules
from ...profiles.compile.maintenance import compile_maintenance
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import say
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import Options
from ..base.result import Result, Row
from ..base.run import USUAL_RUN, Method, Run, asks, runs_odds
from .fear_question import Fright, Leader, Test
from .rolling import ORIGIN, Parts, Trials, chosen, combatants, interval, rolled, share, whole

FEAR = AnswerKind(
    "fear",
    columns("text", "who meets whom", "fighter", "enemy", unit="fighter")
    + columns("truth", "whether the fighter takes a test", "tests")
    + columns("text", "why it takes none", "why")
    + columns("text", "clause that says so", "clause")
    + columns("text", "COU, PEUR or command", "stat")
    + columns("whole", "what the die is added to", "value")
    + columns("whole", "difficulty of the test", "difficulty")
    + columns("whole", "least natural result that succeeds", "goal")
    + columns("text", "what follows a success", "success")
    + columns("text", "what follows a failure", "failure")
    + columns("whole", "what the die of a rally is added to", "nerve")
    + columns("whole", "difficulty of a rally", "rally_difficulty")
    + columns("whole", "least natural result that rallies", "rally_goal")
    + origin_columns("method", "remainder")
    + columns("number", "chance of a success", "p_success", unit="share")
    + columns("number", "chance of a rally after a failure", "p_rally", unit="share")
    + columns("number", "the same in contact with an enemy", "p_rally_in_contact", unit="share")
    + columns("whole", "trials that succeeded", "success_count", unit="trials")
    + columns("number", "end of its interval", "success_low", "success_high", unit="share")
    + columns("whole", "trials that rallied", "rally_count", unit="trials")
    + columns("number", "end of its interval", "rally_low", "rally_high", unit="share"),
    origin=ORIGIN,
    text="rolls.fear_table:blocks",
)

_CHANCES = ("success", "rally")


def fright(
    a: str | Profile,
    b: str | Profile,
    *,
    command: str | None = None,
    options: Options | None = None,
    roster: Roster | None = None,
) -> Fright:
    """Return the question about two enemies; parameters and errors are `fear`'s."""
    options = options or Options()
    one, other = combatants(a, b, options, roster)
    return Fright(one, other, options, None if command is None else Leader.parse(command))


@runs_odds
@asks(fright)
def fear(question: Fright, *, run: Run) -> Result:
    """Return who must test Courage when two enemies meet, and with what chance (W-4).

    Parameters
    ----------
    a, b : str or Profile
        One charges or engages the other.
    command : str, optional
        ``COU`` or ``COU/DIS`` of a leader whose command reaches A (W-4.5).
    options : Options, optional
        Edition, rules, values of cards.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`); 1,000,000 trials
        of each test where sampling is asked for.

    Returns
    -------
    Result
        A row for A and one for B, with ``both`` exact ones first: ``tests``, or ``why`` not and
        the ``clause``; what the die is added to (``stat``, ``value``), ``difficulty``, ``goal``,
        ``p_success``; of one who is in rout, ``nerve`` and ``p_rally`` in a maintenance phase
        free of frightening enemies, ``p_rally_in_contact`` while touching this one.

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used.

    Examples
    --------
    >>> brave, troll = Profile("Brave", COU=4), Profile("Troll", PEUR=7)
    >>> one, other = fear(brave, troll)
    >>> one["tests"], one["goal"], round(one["p_success"], 6)
    (True, 3, 0.666667)
    >>> other["tests"], other["why"], other["clause"]
    (False, 'the enemy is not frightening', 'W-4.1')
    """
    return answer(question, chosen(run), run)


def answer(question: Fright, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return the odds of both tests; see `fear`."""
    tests = question.tests
    records = [_record(question, how, test) for test in tests]
    rows, stopped = rolled(
        [_row(question, test) for test in tests],
        how,
        run,
        [_law(question, *both) for both in zip(records, tests, strict=True)],
        [_trials(question, records[place], place, test) for place, test in enumerate(tests)],
        lambda place, parts, done: _chances(question, tests[place], parts, done, how),
    )
    provenance = question.provenance(how)
    rows = [row | provenance.cells() for row in rows]
    return Result.of(FEAR, rows, question.title, provenance, stopped=stopped)


def _record(question: Fright, how: Method, test: Test) -> NDArray[np.void]:
    from ...kernels.rolls.fear import new_fear

    customs = compile_maintenance(question.edition).customs
    scalars = compile_rules(question.edition).scalars
    feats = question.feats(test.fighter)
    records = new_fear(scalars, customs, how.seed or 0, question.cell, *feats)
    records["people"][0, 0, Person.OPEN] = question.rally_opening(test)
    return records


def _law(question: Fright, records: NDArray[np.void], test: Test) -> list[float]:
    """Return the exact chances of a test and of a rally."""
    from ...kernels.rolls.fear import fear_chances

    chances = np.zeros(len(_CHANCES))
    fear_chances(records, *question.values(test), chances)
    return chances.tolist()


def _trials(question: Fright, records: NDArray[np.void], place: int, test: Test) -> Trials:
    """Return trials of a test and of a rally; each fighter has dice of its own."""
    from ...kernels.rolls.fear import count_fear

    values = question.values(test)

    def add(first: int, trials: int, counts: NDArray[np.int64]) -> None:
        count_fear(records, *values, place, 0, first, trials, counts)

    return Trials(len(_CHANCES), add, lambda counts: counts if test.needed else ())


def _row(question: Fright, test: Test) -> Row:
    """Return what is told of a test, but the chances."""
    edition = question.edition
    goal = None
    if test.value is not None and test.difficulty is not None:
        goal = question.goal(test.difficulty, test.value)
    nerve, rally = question.nerve(test), edition["fear.rally_difficulty"]
    return {
        "fighter": test.fighter.label,
        "enemy": test.enemy.label,
        "tests": test.needed,
        "why": test.why,
        "clause": "W-4.5" if test.stat == "command" else "W-4.1",
        "stat": test.stat,
        "value": test.value,
        "difficulty": test.difficulty,
        "goal": goal,
        "success": _success(edition["fear.immune_after_success"], test),
        "failure": _failure_text(question, test),
        "nerve": nerve,
        "rally_difficulty": rally,
        "rally_goal": None if nerve is None else question.goal(rally, nerve),
    }


def _success(immune: bool, test: Test) -> str:
    """Return what follows a success (W-4.2)."""
    if not test.needed:
        return ""
    return say("immune to PEUR {} for the game", test.difficulty) if immune else say("no rout")


def _failure_text(question: Fright, test: Test) -> str:
    """Return what follows a failure (W-4.3)."""
    if not test.needed:
        return ""
    times, move = question.edition["fear.flight"], test.fighter.profile.MOU
    flight = say("MOU x {}", times)
    if move is not None:
        flight = say("{} = {:g} cm", flight, move * times)
    dice = say(
        "all its dice in defence" if question.edition["fear.routed_all_defence"] else "it fights"
    )
    return say("rout: free it flees {}; in contact {}", flight, dice)


def _chances(question: Fright, test: Test, parts: Parts, done: int | None, how: Method) -> Row:
    """Return the chances of a test and of rallies, where there is one to tell."""
    success, rally = (share(part, done) for part in parts)
    barred = question.edition["fear.no_rally_in_contact"]
    found: Row = {
        "p_success": success,
        "p_rally": rally,
        "p_rally_in_contact": 0.0 if barred else rally,
    }
    for name, part in zip(_CHANCES, parts, strict=True):
        low, high = interval(part, done, how)
        count = whole(part, done)
        found |= {f"{name}_count": count, f"{name}_low": low, f"{name}_high": high}
    return found if test.needed else dict.fromkeys(found)
