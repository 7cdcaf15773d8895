"""What the sheet says about a unit that is about to be activated, clause by clause (2, 3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from estoc.kernels.sheet_codes import (
    FROZEN,
    NOBODY,
    TAGS,
    Cohesion,
    Deed,
    Event,
    Fact,
    Faculty,
    Kind,
    Mark,
    Tag,
    Trial,
)
from estoc.kernels.sheet_trials import SheetCounts, What, run
from estoc.profiles import InputError
from estoc.profiles.sheet_clauses import Clauses, Paragraph, load_clauses
from estoc.sim.params import estoc_version
from estoc.sim.result import Result, Row
from estoc.sim.sheet_question import Compiled, SheetQuestion, piece_of
from estoc.sim.sheet_tape import Task, leaves
from estoc.sim.sheet_words import DEEDS, TESTS, facts_text, misses
from estoc.sim.sheet_words import TAGS as TAG_WORDS

MOST_CASES = 4096
USED_WORLD = ("front", "face", "fire_range", "allowance", "terrain")


@dataclass(frozen=True)
class Case:
    """What a unit may do after its tests fell in some way.

    Parameters
    ----------
    tests : tuple of (Trial, int, bool)
        Tests of stage S in order: which, of what piece, whether failed.
    chance : Fraction
    closing : int
        Point that closes; 0: F0; ``FROZEN``: no action (S2c); ``NOBODY``: it is gone.
    trace : int
        Paragraphs that applied, as bits.
    permitted : tuple of (Deed, Tag)
    facts : int
        Word of facts at the selection.
    """

    tests: tuple[tuple[Trial, int, bool], ...]
    chance: Fraction
    closing: int
    trace: int
    permitted: tuple[tuple[Deed, Tag], ...]
    facts: int


def check(question: SheetQuestion, unit: str, *, explain: bool = False) -> Result:
    """Return what the sheet says about a unit: its tests, then what it must or may do.

    Parameters
    ----------
    question : SheetQuestion
    unit : str
        A piece, by name or number.
    explain : bool
        Also the clauses that do not apply, and why.

    Returns
    -------
    Result
        Rows of four kinds (``what``): ``test`` to take at the start of the activation;
        ``action`` that is permitted, with its constraint, the clause that closed and the chance
        that the tests leave it permitted; ``clause`` that applied; with ``explain`` also
        ``silent`` ones and why.

    Raises
    ------
    InputError
        If there is no such piece.
    """
    u = piece_of(question.situation, unit, "unit")
    compiled = question.compiled()
    cases = list(cases_of(compiled, u))
    clauses = load_clauses()
    rows = [*_tests(question, cases), *_actions(cases, clauses)]
    rows += _clauses(question, compiled, u, cases, clauses, explain)
    piece = question.situation.pieces[u]
    command = _command(question, piece.name, explain)
    told = {"unit": piece.name, "inputs": question.inputs, "version": estoc_version()}
    return Result(
        "sheet-check",
        [{**row, **told} for row in rows],
        f"{piece.name} is activated: {question.situation.name}",
        notes=question.remarks(_used(cases), USED_WORLD),
        command=command,
    )


def _used(cases: list[Case]) -> list[str]:
    """Return the parts of the tests that an answer used."""
    taken = {trial.name.lower() for case in cases for trial, _, _ in case.tests}
    return ["reach", *(["dice", "modifier", *sorted(taken)] if taken else [])]


def cases_of(compiled: Compiled, u: int) -> Iterator[Case]:
    """Yield what a unit may do after stage S, for every way in which its tests can fall."""
    own = compiled.copy()
    sheet = own.sheets[0]
    sheet["telling"] = 1
    for count, (chance, _) in enumerate(leaves(own, Task(What.START, (u,)))):
        if count > MOST_CASES:
            raise InputError("unit: its activation begins with too many tests to list")
        log = sheet["log"][: sheet["logged"]].tolist()
        tests = tuple((Trial(a), who, b == 1) for event, who, a, b in log if event == Event.TEST)
        tags = [int(word) for word in sheet["tags"]]
        deeds = [deed for deed in Deed if int(sheet["permitted"]) >> deed & 1]
        yield Case(
            tests,
            chance,
            int(sheet["closing"]),
            int(sheet["trace"]),
            tuple((deed, _tag(tags, deed)) for deed in deeds),
            int(sheet["facts"]),
        )


def _tag(tags: list[int], deed: Deed) -> Tag:
    return next((Tag(k) for k in range(1, TAGS) if tags[k] >> deed & 1), Tag.FREE)


def _tests(question: SheetQuestion, cases: list[Case]) -> list[Row]:
    """Return the tests that are or may be taken, with the chance that each is and is failed."""
    found: dict[tuple[Trial, int], list[Fraction]] = {}
    for case in cases:
        for trial, who, failed in case.tests:
            taken = found.setdefault((trial, who), [Fraction(0), Fraction(0)])
            taken[0] += case.chance
            taken[1] += case.chance * failed
    return [
        _row(
            "test",
            text=TESTS[trial],
            who=question.situation.pieces[who].name,
            chance=float(taken),
            fails=float(failed / taken) if taken else None,
        )
        for (trial, who), (taken, failed) in found.items()
    ]


def _actions(cases: list[Case], clauses: Clauses) -> list[Row]:
    """Return what is permitted, by how the tests fell: cases of one answer are one."""
    answers: dict[tuple[Any, ...], Fraction] = {}
    for case in cases:
        key = (case.closing, case.trace, case.permitted)
        answers[key] = answers.get(key, Fraction(0)) + case.chance
    rows = []
    for place, ((closing, trace, permitted), chance) in enumerate(answers.items()):
        ids = [clauses.paragraphs[k].id for k in range(len(clauses.paragraphs)) if trace >> k & 1]
        what = {"case": place + 1, "chance": float(chance), "closing": closing_text(closing)}
        if not permitted:
            rows.append(_row("action", **what, deed="", text="none is selected", clauses=""))
        for deed, tag in permitted:
            english, french = DEEDS[deed]
            rows.append(
                _row(
                    "action",
                    **what,
                    deed=deed.name,
                    text=english,
                    french=french,
                    constraint=TAG_WORDS[tag],
                    must=len(permitted) == 1,
                    clauses=" ".join(ids),
                )
            )
    return rows


def closing_text(closing: int) -> str:
    """Return the clause that closed, by its name."""
    if closing == FROZEN:
        return "S2c"
    if closing == NOBODY:
        return "gone"
    return f"A{closing}" if closing else "F0"


def _clauses(
    question: SheetQuestion,
    compiled: Compiled,
    u: int,
    cases: list[Case],
    clauses: Clauses,
    explain: bool,
) -> list[Row]:
    """Return the clauses that apply in the first case, and with ``explain`` the others."""
    rows = []
    first = cases[0]
    for clause, applies, why in start_clauses(compiled, u, first.facts):
        heading = clauses.heading(clause)
        if applies or explain:
            what = "clause" if applies else "silent"
            rows.append(_row(what, clause=clause, heading=heading, why=why))
    for number, paragraph in enumerate(clauses.paragraphs):
        applied = first.trace >> number & 1
        if applied or explain:
            why = "" if applied else why_silent(paragraph, first, number)
            what = "clause" if applied else "silent"
            rows.append(_row(what, clause=paragraph.id, heading=paragraph.heading, why=why))
    return rows


def why_silent(paragraph: Paragraph, case: Case, number: int) -> str:
    """Return why a paragraph of stage A did not apply."""
    lacks = [misses(case.facts, facts.need, facts.value) for facts in paragraph.when]
    least = min(lacks, key=len)
    if not least:
        return f"{closing_text(case.closing)} closed before it"
    return ", ".join(least)


def start_clauses(compiled: Compiled, u: int, facts: int) -> Iterator[tuple[str, bool, str]]:
    """Yield the clauses of stage S: whether each applies to a piece as it stands, and why not."""
    begin = compiled.sheets[0]["begin"]
    routed = bool(begin["cohesion"][u] == Cohesion.ROUTED)
    decoy = bool(facts >> Fact.DECOY & 1)
    near = near_units(compiled, u)
    routed_near = any(begin["cohesion"][k] == Cohesion.ROUTED for k in near)
    fresh = bool(facts >> Fact.ANY_FRESH_BY & 1)
    mark, faculty = int(begin["mark"][u]), int(begin["faculty"][u])
    hidden = bool(mark & Mark.HIDDEN)
    yield "S1a", routed and not decoy, "" if routed else "it is not Routed"
    why = "it is Routed" if routed else "no adjacent friend is Routed"
    yield "S1b", not routed and routed_near and not decoy, why
    yield "S1c", bool(faculty & Faculty.FEARSOME), "it is not Effrayante"
    yield "S1d", bool(faculty & Faculty.INVULNERABLE), "it is not Invulnérable"
    why = "it is Routed" if routed else "no enemy with a Charge or Contact marker engages it"
    yield "S2", fresh and not routed, why
    yield "S3", bool(mark & Mark.CONTACT), "it has no Contact marker"
    why = "it is Routed" if routed else "it is hidden" if hidden else "an enemy sees it"
    yield "S4a", not (routed or hidden or decoy or is_seen(compiled, u)), why
    yield "S4b", hidden or decoy, "it is neither hidden nor a decoy"
    yield "S5a", hidden and not decoy, "it is not hidden"
    yield "S5b", decoy, "it is no decoy"


def near_units(compiled: Compiled, u: int) -> list[int]:
    """Return the friendly Units in the hexes round a piece's, and in its own (Q23)."""
    sheet, apart = compiled.sheets[0], compiled.terrain.apart
    begin, at = sheet["begin"], int(sheet["begin"]["at"][u])
    return [
        k
        for k in range(int(sheet["pieces"]))
        if k != u
        and at >= 0
        and begin["at"][k] >= 0
        and sheet["side"][k] == sheet["side"][u]
        and begin["kind"][k] != Kind.DECOY
        and apart[at, begin["at"][k]] <= 1
    ]


def is_seen(compiled: Compiled, u: int) -> bool:
    """Whether an enemy piece sees a piece's hex (S4a)."""
    sheet, sight = compiled.sheets[0], compiled.terrain.sight
    begin, at = sheet["begin"], int(sheet["begin"]["at"][u])
    others = [k for k in range(int(sheet["pieces"])) if sheet["side"][k] != sheet["side"][u]]
    return at < 0 or any(begin["at"][k] >= 0 and sight[begin["at"][k], at] for k in others)


def standing(compiled: Compiled, u: int) -> list[str]:
    """Return how a piece stands before its activation, in words."""
    own = compiled.copy()
    own.sheets[0]["telling"] = 1
    run(*own, What.SELECT, np.array([u], np.int64), 0, SheetCounts(own.sheets))
    return facts_text(int(own.sheets[0]["facts"]))


def _row(what: str, **cells: Any) -> Row:
    blank: Row = {
        "what": what,
        "case": None,
        "chance": None,
        "closing": "",
        "deed": "",
        "text": "",
        "french": "",
        "constraint": "",
        "must": None,
        "clauses": "",
        "who": "",
        "fails": None,
        "clause": "",
        "heading": "",
        "why": "",
    }
    return {**blank, **cells}


def _command(question: SheetQuestion, unit: str, explain: bool) -> str:
    return question.command("check", "--unit", unit, *["--explain"] * explain)
