"""What the sheet says of a unit about to be activated, clause by clause, stage S first (2, 3)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...kernels.layout.sheet import (
    FROZEN,
    NOBODY,
    Cohesion,
    Fact,
    Faculty,
    Kind,
    Mark,
    Reading,
    Trial,
)
from ...kernels.sheet.trials import SheetCounts, What, play_sheet
from ...profiles.message import joined, say, say_all
from ...profiles.sheet.clauses import Clauses, Hole, Paragraph, load_clauses, read_under
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import estoc_version
from ..base.result import Result, Row
from .cases import (
    Case,
    cases_of,
    closing_text,
    conditions,
    conditions_note,
    is_rally,
    rally_fails,
    trace_of,
    unable_rows,
)
from .counters import Labels
from .open import assumed_rows
from .question import BARE, Askable, Compiled, SheetQuestion, question_of, unit_of
from .words import DEEDS, FACT_WORDS, OR_FLEES, TESTS, misses
from .words import TAGS as TAG_WORDS

CHECK = AnswerKind(
    "sheet-check",
    columns("text", "kind of the row: test, action, clause, silent or hole", "what")
    + columns("whole", "number of the case: how tests fall", "case")
    + columns("text", "when that is so", "when")
    + columns("number", "chance that it is so", "chance")
    + columns("text", "clause that closes the list of actions", "closing")
    + columns("text", "action, its name in English and in French", "deed", "text", "french")
    + columns("text", "what binds the action", "constraint")
    + columns("truth", "whether nothing else is permitted", "must")
    + columns("text", "clauses that lead to it", "clauses")
    + columns("text", "piece that tests", "who")
    + columns("number", "chance that the test is failed", "fails")
    + columns("text", "clause, its heading and what it says", "clause", "heading", "says")
    + columns("text", "why it applies or not", "why")
    + columns("text", "clauses that would apply otherwise", "otherwise")
    + columns("text", "piece that is asked about", "unit"),
    origin=origin_columns(*BARE),
    text="sheet.table:check_blocks",
    blank="",
)
_row = CHECK.row

MAY = say("it may")
IF_FAILED = say("if the test fails")

Condition = tuple[bool, str]  # whether it holds, and what keeps it from holding


USED_WORLD = ("front", "face", "fire_range", "allowance", "terrain")
NO_CHOICE = say_all(
    {  # closing codes of no selection
        FROZEN: "no action: a shaken Formation that fails its Engagement test (S2c)",
        NOBODY: "it is no longer there to act",
    }
)


class Said(NamedTuple):
    """A clause of stage S: whether it applies, and why not; if it does, what else it takes."""

    clause: str
    applies: bool
    why: str


def start_clauses(compiled: Compiled, u: int, facts: int) -> Iterator[Said]:
    """Yield the clauses of stage S, in their order, for a piece before its activation."""
    for clause, then, needed in _conditions(compiled, u, facts):
        lacks = [why for holds, why in needed if not holds]
        yield Said(clause, not lacks, lacks[0] if lacks else then)


def _conditions(
    compiled: Compiled, u: int, facts: int
) -> Iterator[tuple[str, str, tuple[Condition, ...]]]:
    """Yield each clause, what it takes to have its effect, and its conditions (3.1)."""
    sheet, begin = compiled.sheets[0], compiled.sheets[0]["begin"]
    kind, cohesion = Kind(begin["kind"][u]), Cohesion(begin["cohesion"][u])
    mark, faculty = int(begin["mark"][u]), int(begin["faculty"][u])
    routed, hidden = cohesion == Cohesion.ROUTED, bool(mark & Mark.HIDDEN)
    decoy, formation = kind == Kind.DECOY, kind == Kind.FORMATION
    unit = (not decoy, say("it is a decoy"))
    firm = (not routed, say("it is Routed"))
    open_ = (not hidden, say("it is hidden"))
    yield "S1a", "", (unit, (routed, say("it is not Routed")))
    near = any(begin["cohesion"][k] == Cohesion.ROUTED for k in near_units(compiled, u))
    yield "S1b", "", (unit, firm, (near, say("no adjacent friend is Routed")))
    bold = (firm, open_) if sheet["readings"][Reading.FEAR_ROUTED] else ()
    yield "S1c", "", (unit, (bool(faculty & Faculty.FEARSOME), say("it is not Effrayante")), *bold)
    never = (bool(faculty & Faculty.INVULNERABLE), say("it is not Invulnérable"))
    yield "S1d", "", (unit, never, *bold)
    met = say("no enemy with a Charge or Contact marker engages it")
    panic = (unit, firm, (bool(facts >> Fact.ANY_FRESH_BY & 1), met))
    yield "S2", "", panic
    spared = kind == Kind.CHARACTER and bool(sheet["readings"][Reading.S2_CHARACTER])
    loses = (
        (not formation, say("it is a Formation")),
        (not spared, say("it is a Character (Q10)")),
    )
    good = cohesion == Cohesion.GOOD
    yield "S2a", IF_FAILED, (*panic, *loses)
    yield (
        "S2b",
        IF_FAILED,
        (*panic, (formation, say("it is no Formation")), (good, say("it is Shaken"))),
    )
    ordered = (not good, say("it is in good order"))
    yield "S2c", IF_FAILED, (*panic, (formation, say("it is no Formation")), ordered)
    yield "S2d", IF_FAILED, (*panic, *loses, ordered)
    yield "S3", "", ((bool(mark & Mark.CONTACT), say("it has no Contact marker")),)
    there = (begin["at"][u] >= 0, say("it is off the map"))
    unseen = (not is_seen(compiled, u), say("an enemy sees it"))
    yield "S4a", MAY, (unit, open_, firm, there, unseen)
    yield "S4b", MAY, ((hidden or decoy, say("it is neither hidden nor a decoy")), there)
    yield "S5a", MAY, (unit, (hidden, say("it is not hidden")))
    yield "S5b", MAY, ((decoy, say("it is no decoy")),)


def near_units(compiled: Compiled, u: int) -> list[int]:
    """Return the friendly Units in the hexes round a piece's, and in its own by Q23."""
    sheet, begin = compiled.sheets[0], compiled.sheets[0]["begin"]
    at = int(begin["at"][u])
    if at < 0:
        return []
    hexes = {int(there) for there in compiled.terrain.beside[at] if there >= 0}
    if not sheet["readings"][Reading.STACK_ADJACENT]:
        hexes.add(at)
    return [
        k
        for k in range(int(sheet["pieces"]))
        if k != u
        and int(begin["at"][k]) in hexes
        and sheet["side"][k] == sheet["side"][u]
        and begin["kind"][k] != Kind.DECOY
    ]


def is_seen(compiled: Compiled, u: int) -> bool:
    """Whether an enemy Unit or decoy sees a piece's hex (S4a)."""
    sheet, sight = compiled.sheets[0], compiled.terrain.sight
    begin, at = sheet["begin"], int(sheet["begin"]["at"][u])
    others = [k for k in range(int(sheet["pieces"])) if sheet["side"][k] != sheet["side"][u]]
    return at >= 0 and any(begin["at"][k] >= 0 and sight[begin["at"][k], at] for k in others)


def check(question: Askable, unit: str | None = None, *, explain: bool = False) -> Result:
    """Return what the sheet says about a unit: its tests, then what it must or may do.

    Parameters
    ----------
    question : SheetQuestion, Situation, str or Path
        A situation by name or file: as it stands, with the shipped values.
    unit : str, optional
        A piece, by name or number; the only one, or the one that was described, if not given.
    explain : bool
        Also the clauses that do not apply, and why.

    Returns
    -------
    Result
        Rows of some kinds (``what``): ``test`` to take at the start of the activation;
        ``action`` that is permitted, with its constraint, the clause that closed, how the tests
        must fall (``when``) and how likely they do; ``hole`` of the sheet, where no clause closes;
        what is ``assumed`` as neither file nor map says it, and what would apply ``otherwise``;
        ``clause`` that applies; with ``explain`` also actions that are listed and that it is
        ``unable`` to do, ``silent`` clauses, and why, and those of stages D and E, which come
        ``later``.

    Raises
    ------
    InputError
        If there is no such piece, or its tests can fall in too many ways.
    """
    question = question_of(question)
    u = unit_of(question, unit)
    compiled = question.compiled()
    cases = cases_of(compiled, u)
    clauses = read_under(load_clauses(), question.readings)
    rows = [*_tests(question, cases), *_rally(compiled, u, question, cases)]
    names = Labels.of(question.situation)
    rows += [*_actions(cases, clauses, names), *_holes(cases, clauses)]
    rows += [_row(**row) for row in assumed_rows(question, u, cases, clauses)]
    unable = unable_rows(question.situation.pieces[u], cases, clauses)
    rows += [_row(**row) for row in unable if explain]
    every = [*_clauses(compiled, u, cases, clauses), *_later(clauses, question)]
    rows += [row for row in every if explain or row["what"] == "clause"]
    piece = question.situation.pieces[u]
    more = [] if question.described else ["--unit", piece.name]
    more += ["--explain"] * explain
    command = question.command("check", *more, played=False)
    told = {
        "unit": piece.name,
        "inputs": question.inputs,
        "version": estoc_version(),
        "command": command,
    }
    return Result(
        CHECK,
        [{**row, **told} for row in rows],
        say("{} is activated: {}", piece.name, question.situation.name),
        notes=(*question.remarks(_used(cases), USED_WORLD), *conditions_note(unable)),
        command=command,
    )


def _used(cases: list[Case]) -> list[str]:
    """Return the parts of the tests that an answer used."""
    rally = ["rally"] * any(is_rally(case.closing, case.permitted) for case in cases)
    return ["reach", *rally, *{trial.name.lower() for case in cases for trial, _, _ in case.tests}]


def _tests(question: SheetQuestion, cases: list[Case]) -> list[Row]:
    """Return the tests that are or may be taken, with the chance that each is and is failed."""
    names = Labels.of(question.situation)
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
            who=names.piece(who),
            chance=float(taken),
            fails=float(failed / taken) if taken else None,
        )
        for (trial, who), (taken, failed) in found.items()
    ]


def _rally(compiled: Compiled, u: int, question: SheetQuestion, cases: list[Case]) -> list[Row]:
    """Return the test of the rally that A1 asks for, if it does in some case."""
    chance = sum(case.chance for case in cases if is_rally(case.closing, case.permitted))
    fails = rally_fails(compiled, u) if chance else None
    if fails is None:
        return []
    who = Labels.of(question.situation).piece(u)
    told = {"chance": float(chance), "fails": float(fails)}
    return [_row("test", text=TESTS[Trial.RALLY], who=who, **told)]


def _actions(cases: list[Case], clauses: Clauses, names: Labels) -> list[Row]:
    """Return what is permitted, by how the tests fell: cases of one answer are one."""
    answers: dict[tuple[Any, ...], list[Case]] = {}
    for case in cases:
        answers.setdefault((case.closing, case.trace, case.permitted), []).append(case)
    when = conditions(list(answers.values()), names)
    rows = []
    for place, ((closing, trace, permitted), group) in enumerate(answers.items()):
        ids = trace_of(trace, clauses)
        chance = float(sum(case.chance for case in group))
        what = {"case": place + 1, "when": when[place], "chance": chance}
        what["closing"] = closing_text(closing)
        if not permitted:
            rows.append(_row("action", **what, text=NO_CHOICE[closing]))
        for deed, tag in permitted:
            english, french = DEEDS[deed]
            rows.append(
                _row(
                    "action",
                    **what,
                    deed=deed.name,
                    text=english,
                    french=french,
                    constraint=OR_FLEES if is_rally(closing, permitted) else TAG_WORDS[tag],
                    must=len(permitted) == 1,
                    clauses=" ".join(ids),
                )
            )
    return rows


def _clauses(compiled: Compiled, u: int, cases: list[Case], clauses: Clauses) -> list[Row]:
    """Return the clauses of stages S and A, those that apply in no case with the reason."""
    rows = []
    facts = _facts(compiled, u)
    for clause, applies, why in start_clauses(compiled, u, facts):
        what = "clause" if applies else "silent"
        rows.append(_row(what, **_clause(clause, clauses), why=why))
    for number, paragraph in enumerate(clauses.paragraphs):
        if paragraph.id == "A4a":
            rows.append(_charge(facts, clauses))
        chance = sum(case.chance for case in cases if case.trace >> number & 1)
        told = _clause(paragraph.id, clauses)
        if chance:
            rows.append(_row("clause", **told, chance=float(chance)))
        else:
            rows.append(_row("silent", **told, why=why_silent(paragraph, cases[0])))
    return rows


def _charge(facts: int, clauses: Clauses) -> Row:
    """Return the row of A4's heading, which only says which order is followed."""
    why = "" if facts >> Fact.CHARGE & 1 else FACT_WORDS[Fact.CHARGE][1]
    what = "silent" if why else "clause"
    return _row(what, **_clause("A4", clauses), why=why)


def _clause(clause: str, clauses: Clauses) -> dict[str, str]:
    """Return the cells of a clause: its name, its French heading, what it says in our words."""
    heading, says = clauses.heading(clause), clauses.text(clause)
    return {"clause": clause, "heading": heading, "says": says}


def _later(clauses: Clauses, question: SheetQuestion) -> list[Row]:
    """Return the clauses of stages D and E, which events and the end bring about."""
    when = say_all({"D": "on an event", "E": "at the end"})
    alike = question.situation.engages is None and not question.readings[Reading.INFILTRATED]
    other = {"D1b": say("on a map only if both are infiltrated (Q25)")} if alike else {}
    return [
        _row(
            "later",
            **_clause(each.id, clauses),
            why=other.get(each.id, when[each.stage]),
        )
        for each in clauses.clauses
        if each.stage in when
    ]


def _holes(cases: list[Case], clauses: Clauses) -> list[Row]:
    """Return the holes of the sheet if a case is in one: with the chance of being in it (F0)."""
    fallen = [case for case in cases if case.closing == 0]
    return [
        _row(
            "hole",
            clause=hole.id,
            text=hole.who,
            chance=float(sum(case.chance for case in fallen if _is_in(case, hole))),
        )
        for hole in clauses.holes
        if fallen
    ]


def _is_in(case: Case, hole: Hole) -> bool:
    return any(case.facts & facts.need == facts.value for facts in hole.when)


def why_silent(paragraph: Paragraph, case: Case) -> str:
    """Return why a paragraph of stage A did not apply."""
    if case.closing in (FROZEN, NOBODY):
        return NO_CHOICE[case.closing]
    lacks = [misses(case.facts, facts.need, facts.value) for facts in paragraph.when]
    least = min(lacks, key=len)
    return joined(", ", least) or say("{} closed before it", closing_text(case.closing))


def _facts(compiled: Compiled, u: int) -> int:
    """Return the word of facts of a piece as it stands, before its activation."""
    own = compiled.copy()
    own.sheets[0]["telling"] = 1
    counts = SheetCounts.none(own.sheets)
    play_sheet(*own, int(What.SELECT), np.array([u], np.int64), 0, 1, 0, counts)
    return int(own.sheets[0]["facts"])
