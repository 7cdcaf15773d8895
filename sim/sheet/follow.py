"""What follows if something happens to a unit: tests that others take, and how all ends (D, E)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...kernels.layout.sheet import Event, Kind, Mark, Trial
from ...kernels.sheet.trials import What
from ...profiles.errors import InputError, place_of
from ...profiles.message import say, say_all
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import estoc_version
from ..base.result import Result
from .counters import Labels
from .question import BARE, Askable, SheetQuestion, question_of, unit_of
from .runs import Task, TooManyRuns, leaves
from .words import TESTS, Entry, entries_of, lines_of

FOLLOW = AnswerKind(
    "sheet-follow",
    columns("text", "kind of the row: test or outcome", "what")
    + columns("whole", "number of the case: how tests fall", "case")
    + columns("text", "the test, or what has happened", "text")
    + columns("text", "piece or wing that tests", "who")
    + columns("text", "clauses that ask for the test", "clause")
    + columns("number", "chance that it is so", "chance")
    + columns("number", "chance that the test is failed", "fails")
    + columns("text", "piece to which it happens, and what", "unit", "event"),
    origin=origin_columns(*BARE),
    text="sheet.table:follow_blocks",
    blank="",
)
_row = FOLLOW.row

MOST_RUNS = 20_000
# What can be asked: what is run, how it is told, the clauses that follow it.
EVENTS: dict[str, tuple[What, str, str]] = say_all(
    {
        "flees": (What.FLEE, "flees", "D3"),
        "dies": (What.LOSE, "is destroyed", "D2 D4"),
        "leaves": (What.LEAVE, "leaves the map", "D4"),
        "is-shaken": (What.SHAKE, "is shaken", "D1"),
        "routs": (What.ROUT, "becomes routed", "D1"),
        "loses-charge": (What.DISCHARGE, "loses its Charge marker", "D1"),
        "ends": (What.FINISH, "ends its activation without an action", "E1 E2 E3"),
    }
)
_CAUSES = {  # the clauses by which the tests of these events are taken
    Trial.ROUT: "D2",
    Trial.DISCIPLINE: "D3",
    Trial.DEMORALISATION: "D4b",
    Trial.RETREAT: "D4a, D4c",
}
_USED_TESTS = ("rout", "discipline", "retreat", "demoralisation", "effect", "reach")
_USED_WORLD = ("front", "terrain")
_Fallen = tuple[int, int, bool]  # a test: Trial; piece, or wing; whether of a wing


def follow(question: Askable, unit: str | None, event: str) -> Result:
    """Return what follows if something happens to a unit as the pieces stand now.

    Exact: every way in which the tests can fall is run.

    Parameters
    ----------
    question : SheetQuestion, Situation, str or Path
        A situation by name or file: as it stands, with the shipped values.
    unit : str, optional
        A piece, by name or number; the only one, or the one that was described, if None.
    event : str
        One of `EVENTS`.

    Returns
    -------
    Result
        Rows of two kinds (``what``): ``test`` that a piece or a wing takes, with the chance that
        it is taken, that it fails, and the ``clause``; ``outcome``: what has happened in the end,
        a line each, with the chance of it; the most likely first.

    Raises
    ------
    InputError
        If there is no such piece or event, or too many ways in which the tests can fall.
    """
    question = question_of(question)
    u = unit_of(question, unit)
    what, told, clauses = EVENTS[_known(event)]
    _refuse_absurd(question, u, what)
    runs = _runs(question, what, u)
    piece = question.situation.pieces[u]
    named = [] if question.described else ["--unit", piece.name]
    command = question.command("check", *named, "--if", _known(event), played=False)
    rows = [*_tests(question, runs), *_outcomes(question, runs)]
    common = {
        **{"unit": piece.name, "event": _known(event), "inputs": question.inputs},
        **{"version": estoc_version(), "command": command},
    }
    return Result(
        FOLLOW,
        [{**row, **common} for row in rows],
        say("if {} {} ({}): {}", piece.name, told, clauses, question.situation.name),
        notes=(*_map_notes(question), *question.remarks(_USED_TESTS, _USED_WORLD)),
        command=command,
    )


def _known(event: str) -> str:
    """Return the name of an event, as it is listed."""
    return list(EVENTS)[place_of(event, list(EVENTS), say('if: no event "{}"', event))]


def _refuse_absurd(question: SheetQuestion, u: int, what: What) -> None:
    """Refuse to ask of a piece what cannot happen to it."""
    piece = question.situation.pieces[u]
    if what == What.DISCHARGE and not piece.mark & Mark.CHARGE:
        raise InputError("if: {} has no Charge marker to lose", piece.name)
    if piece.kind == Kind.DECOY and what in (What.FLEE, What.SHAKE, What.ROUT):
        raise InputError("if: {} is a decoy: it has no cohesion to lose", piece.name)


def _map_notes(question: SheetQuestion) -> tuple[str, ...]:
    """Return what an answer without a map leaves out."""
    if question.situation.engages is None:
        return ()
    return (
        say("the file has no map: nobody is known to be beside the unit, so nobody tests for that"),
    )


def _runs(question: SheetQuestion, what: What, u: int) -> list[tuple[Fraction, list[Entry]]]:
    """Return what happens in each way in which the tests can fall, with its chance."""
    own = question.compiled()
    own.sheets[0]["telling"] = 1
    try:
        return [
            (chance, entries_of(own.sheets[0]))
            for chance, _ in leaves(own, Task(what, (u,)), MOST_RUNS)
        ]
    except TooManyRuns:
        raise InputError("if: too many tests follow for all their ways to be listed") from None


def _is_test(entry: Entry) -> bool:
    return entry[0] in (Event.TEST, Event.WING_TEST)


def _tests(
    question: SheetQuestion, runs: Sequence[tuple[Fraction, list[Entry]]]
) -> list[dict[str, Any]]:
    """Return the tests that are or may be taken, with the chance that each is and is failed."""
    labels = Labels.of(question.situation)
    found: dict[_Fallen, list[Fraction]] = {}
    for chance, log in runs:
        for event, who, trial, failed in filter(_is_test, log):
            taken = found.setdefault(
                (trial, who, event == Event.WING_TEST), [Fraction(0), Fraction(0)]
            )
            taken[0] += chance
            taken[1] += chance * failed
    return [
        _row(
            "test",
            text=TESTS[Trial(trial)],
            who=say("wing {}", labels.wings[who]) if of_wing else labels.piece(who),
            clause=_CAUSES.get(Trial(trial), ""),
            chance=float(taken),
            fails=float(failed / taken) if taken else None,
        )
        for (trial, who, of_wing), (taken, failed) in found.items()
    ]


def _outcomes(
    question: SheetQuestion, runs: Sequence[tuple[Fraction, list[Entry]]]
) -> list[dict[str, Any]]:
    """Return what has happened in the end, most likely first: a row for each line."""
    labels = Labels.of(question.situation)
    found: dict[tuple[str, ...], Fraction] = {}
    for chance, log in runs:
        lines = tuple(lines_of([entry for entry in log if not _is_test(entry)], labels))
        found[lines] = found.get(lines, Fraction(0)) + chance
    ranked = sorted(found.items(), key=lambda item: -item[1])
    return [
        _row("outcome", case=number, chance=float(chance), text=line)
        for number, (lines, chance) in enumerate(ranked, 1)
        for line in lines or (say("nothing changes"),)
    ]
