"""Who must test Courage against whom, with what chance, and what follows (W-4)."""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Rule
from ...kernels.layout.maintenance import Person
from ...profiles.compile.combat import compile_rules
from ...profiles.compile.maintenance import compile_maintenance
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ..base.answer import PLAYED, AnswerKind, columns, origin_columns
from ..base.options import Options, estoc_version
from ..base.result import Result, Row
from ..base.run import EXACT, SAMPLED, USUAL_RUN, Method, Run, runs_odds
from ..base.sequence import STOPPING, end_notes
from ..combat.combat import profiles_of
from ..combat.combatants import numbered, with_options
from ..combat.method import method_of
from ..combat.sampling import Kind, Tally, count_kinds, cut_short
from .fear_question import Fright, Leader, Test

TOLD = ("method", "sampler", "remainder", "seed")  # that stand apart in rows of rolls
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
    origin=PLAYED + origin_columns("seed") + STOPPING + origin_columns(lacking=TOLD),
    text="rolls.fear_table:blocks",
)

TRIALS = 1_000_000
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
    own, foe = profiles_of([a, b], roster)
    one, other = with_options((*numbered([own], "A"), *numbered([foe], "B")), options)
    return Fright(one, other, options, None if command is None else Leader.parse(command))


@runs_odds
def fear(
    a: str | Profile,
    b: str | Profile,
    *,
    command: str | None = None,
    options: Options | None = None,
    roster: Roster | None = None,
    run: Run,
) -> Result:
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
    question = fright(a, b, command=command, options=options, roster=roster)
    return answer(question, chosen(run), run)


def chosen(run: Run) -> Method:
    """Return how to answer a question of this kind."""
    return method_of(run, TRIALS, obstacle="", open_play=False)


def answer(question: Fright, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return the odds of both tests; see `fear`."""
    records = [_record(question, how, test) for test in question.tests]
    rows: list[Row] = []
    stopped = ""
    if how.exact:
        cells = how.stopping.cells()
        for test, record in zip(question.tests, records, strict=True):
            rows.append({**_row(question, test), **_exact(question, record, test), **cells})
    if how.sampled:
        kinds = [_kind(question, records[i], i, test) for i, test in enumerate(question.tests)]
        tallies = count_kinds(kinds, how, run)
        stopped = cut_short(tallies, how.stopping)
        for test, tally in zip(question.tests, tallies, strict=True):
            rows.append({**_row(question, test), **_sampled(question, test, tally, how)})
    told = {**_origin(question), "command": question.command_line(how)}
    return Result(
        FEAR,
        [{**row, **told} for row in rows],
        _title(question),
        notes=(*question.remarks(), *end_notes(rows)),
        assumed=question.assumed,
        readings=question.readings,
        command=told["command"],
        stopped=stopped,
    )


def _record(question: Fright, how: Method, test: Test) -> NDArray[np.void]:
    from ...kernels.rolls.fear import new_fear

    customs = compile_maintenance(question.edition).customs
    scalars = compile_rules(question.edition).scalars
    feats = question.feats(test.fighter)
    records = new_fear(scalars, customs, how.seed or 0, question.cell, *feats)
    records["people"][0, 0, Person.OPEN] = question.rally_opening(test)
    return records


def _values(question: Fright, test: Test) -> tuple[int, int, int]:
    """Return what the kernels take; 0 where there is no test, whose result is not told."""
    return test.value or 0, test.difficulty or 0, question.nerve(test) or 0


def _kind(question: Fright, records: NDArray[np.void], place: int, test: Test) -> Kind:
    """Return trials of a test and of a rally; each fighter has dice of its own."""
    from ...kernels.rolls.fear import count_fear

    values = _values(question, test)

    def add(first: int, trials: int, counts: NDArray[np.int64]) -> None:
        count_fear(records, *values, place, 0, first, trials, counts)

    return Kind(len(_CHANCES), add, lambda counts: counts if test.needed else ())


def _row(question: Fright, test: Test) -> Row:
    """Return what is told of a test, but the chances."""
    edition = question.edition
    failure = int(compile_rules(edition).scalars[Rule.AUTOMATIC_FAILURE])
    goal = None
    if test.value is not None and test.difficulty is not None:
        goal = max(test.difficulty, failure + 1) - test.value
    nerve = question.nerve(test)
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
        "rally_difficulty": edition["fear.rally_difficulty"],
        "rally_goal": _rally_goal(nerve, edition["fear.rally_difficulty"], failure),
    }


def _rally_goal(nerve: int | None, difficulty: int, failure: int) -> int | None:
    return None if nerve is None else max(difficulty, failure + 1) - nerve


def _success(immune: bool, test: Test) -> str:
    """Return what follows a success (W-4.2)."""
    if not test.needed:
        return ""
    return f"immune to PEUR {test.difficulty} for the game" if immune else "no rout"


def _failure_text(question: Fright, test: Test) -> str:
    """Return what follows a failure (W-4.3)."""
    if not test.needed:
        return ""
    times, move = question.edition["fear.flight"], test.fighter.profile.MOU
    flight = f"MOU x {times}" + ("" if move is None else f" = {move * times:g} cm")
    dice = "all its dice in defence" if question.edition["fear.routed_all_defence"] else "it fights"
    return f"rout: free it flees {flight}; in contact {dice}"


def _told(question: Fright, test: Test, shares: Sequence[float | None]) -> dict[str, float | None]:
    """Return the chances of a test and of rallies, where there is one to tell."""
    success, rally = shares
    if not test.needed:
        return dict.fromkeys(("p_success", "p_rally", "p_rally_in_contact"))
    barred = question.edition["fear.no_rally_in_contact"]
    touching = 0.0 if barred else rally
    return {"p_success": success, "p_rally": rally, "p_rally_in_contact": touching}


def _exact(question: Fright, records: NDArray[np.void], test: Test) -> Row:
    from ...kernels.rolls.fear import fear_chances

    chances = np.zeros(2)
    fear_chances(records, *_values(question, test), chances)
    counts = [f"{name}{end}" for name in _CHANCES for end in ("_count", "_low", "_high")]
    return {
        "method": EXACT,
        "remainder": 0.0,
        **_told(question, test, chances.tolist()),
        **dict.fromkeys(counts),
        "trials": None,
        "seed": None,
    }


def _sampled(question: Fright, test: Test, tally: Tally, how: Method) -> Row:
    counts, done, _ = tally
    shares = [int(count) / done if done else None for count in counts]
    more: Row = {}
    for name, count in zip(_CHANCES, counts.tolist(), strict=True):
        low, high = map(float, how.stopping.proportions(count, done))
        cells = {f"{name}_count": count, f"{name}_low": low, f"{name}_high": high}
        more |= cells if test.needed else dict.fromkeys(cells)
    return {
        "method": SAMPLED,
        "remainder": None,
        **_told(question, test, shares),
        **more,
        "trials": done,
        "seed": how.seed,
        **how.stopping.cells(counts if test.needed else None, done),
    }


def _origin(question: Fright) -> Row:
    """Return what the rows came from."""
    values = [_values(question, test) for test in question.tests]
    customs = compile_maintenance(question.edition).customs
    data = compile_rules(question.edition).scalars.tobytes() + customs.tobytes()
    for test in question.tests:
        flags, numbers = question.feats(test.fighter)
        data += np.append(numbers, flags).tobytes() * bool(flags)
    return {
        "policy": "a 6 that is not enough is re-rolled",
        "edition": question.edition.name,
        "inputs": sha256(data + np.array(values).tobytes()).hexdigest()[:12],
        "assumed": " ".join(question.assumed),
        "readings": " ".join(question.readings),
        "remarks": "; ".join(question.remarks()),
        "version": estoc_version(),
    }


def _title(question: Fright) -> str:
    led = f" (command {question.leader})" if question.leader else ""
    return f"{question.a.label}{led} meets {question.b.label}"
