"""What an answer about the sheet takes for granted, as the file gives no map and no fact (1.2)."""

from collections.abc import Iterable
from dataclasses import replace

from ...kernels.layout.sheet import Cohesion, Deed, Fact, Faculty, Kind
from ...profiles.message import joined, say
from ...profiles.sheet.clauses import Clauses
from ...profiles.sheet.facts import OpenFact, asks, open_facts
from ...profiles.sheet.pieces import Piece, Situation
from ..base.result import Row
from .cases import Case, cases_of, deeds_of, trace_of
from .question import SheetQuestion
from .words import DEEDS, FACT_WORDS

NOBODY_NEAR = say("nobody is beside anybody: there is no map")
KNOWS_SPELLS = "caster = true"


def assumed_rows(question: SheetQuestion, u: int, cases: list[Case], clauses: Clauses) -> list[Row]:
    """Return what the answer about a piece rests on and nobody gave, with what else it would be."""
    piece, rows = question.situation.pieces[u], []
    for fact in open_facts(question.situation, question.readings):
        if fact.piece == u:
            other = cases_of(_turned(question, fact).compiled(), u)
            if _answers(other) != _answers(cases):
                why = FACT_WORDS[fact.fact][not fact.assumed]
                rows.append(_row(piece, _told(fact), why, _gained(other, cases, clauses)))
    casts = any(Deed.SPELL_CHOOSE in deeds_of(case) for case in cases)
    if piece.caster is None and casts:
        rows.append(_row(piece, KNOWS_SPELLS, say("knows spells"), ""))
    near = _clauses_of_the_near(piece, question.situation)
    return [*rows, *[_row(piece, NOBODY_NEAR, "", near)] * bool(near)]


def _row(piece: Piece, text: str, why: str, otherwise: str) -> Row:
    return {
        "what": "assumed",
        "who": piece.name,
        "text": text,
        "why": why,
        "otherwise": otherwise,
    }


def _told(fact: OpenFact) -> str:
    return f"{fact.key} = {str(fact.assumed).lower()}"


def _turned(question: SheetQuestion, fact: OpenFact) -> SheetQuestion:
    """Return the question with a fact given that is the contrary of what is assumed."""
    pieces = list(question.situation.pieces)
    piece = pieces[fact.piece]
    pieces[fact.piece] = replace(piece, given={**piece.given, fact.fact: not fact.assumed})
    situation = replace(question.situation, pieces=tuple(pieces))
    return question.of(situation)


def _answers(cases: list[Case]) -> set[tuple[object, ...]]:
    return {(case.tests, case.closing, case.trace, case.permitted) for case in cases}


def _gained(other: list[Case], cases: list[Case], clauses: Clauses) -> str:
    """Return the clauses that would apply besides; if none, the actions that would be permitted."""
    more = {name for case in other for name in trace_of(case.trace, clauses)}
    more -= {name for case in cases for name in trace_of(case.trace, clauses)}
    if more:
        return " ".join(each.id for each in clauses.paragraphs if each.id in more)
    deeds = {deed for case in other for deed in deeds_of(case)}
    deeds -= {deed for case in cases for deed in deeds_of(case)}
    return joined(", ", (DEEDS[deed][0] for deed in sorted(deeds)))


def _clauses_of_the_near(piece: Piece, situation: Situation) -> str:
    """Return the clauses of stage S that ask who is adjacent, where only a map would tell."""
    units = [one for one in situation.pieces if one.kind != Kind.DECOY and one is not piece]
    friends = [one for one in units if one.side == piece.side]
    if piece.place is not None or piece.kind == Kind.DECOY:
        return ""
    routed = piece.cohesion == Cohesion.ROUTED
    found = ["S1a"] * (routed and any(one.cohesion != Cohesion.ROUTED for one in friends))
    found += ["S1b"] * (not routed and any(one.cohesion == Cohesion.ROUTED for one in friends))
    afraid = any(one.side != piece.side for one in units)
    found += ["S1c"] * (afraid and bool(piece.faculty & Faculty.FEARSOME))
    found += ["S1d"] * (afraid and bool(piece.faculty & Faculty.INVULNERABLE))
    return " ".join(found)


def open_note(question: SheetQuestion, facts: Iterable[Fact] = tuple(Fact)) -> tuple[str, ...]:
    """Return the note on what played turns take for granted; none where a map tells all."""
    situation = question.situation
    found: dict[str, list[str]] = {}
    for fact in open_facts(situation, question.readings):
        piece = situation.pieces[fact.piece]
        if fact.fact in facts and asks(piece, situation, fact.fact):
            found.setdefault(_told(fact), []).append(piece.name)
    told = [say("{} ({})", what, names) for what, names in found.items()]
    told += [NOBODY_NEAR] * any(piece.place is None for piece in situation.pieces)
    return (say("assumed, the file does not say: {}", joined("; ", told)),) if told else ()
