"""What a unit may do after stage S however its tests fall, what it cannot do and why (2, 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...kernels.layout.sheet import FROZEN, NOBODY, TAGS, Deed, Event, Kind, Mark, Tag, Trial
from ...kernels.sheet.trials import What
from ...profiles.errors import InputError
from ...profiles.message import joined, say, say_all
from ...profiles.sheet.clauses import Clauses, Paragraph
from ...profiles.sheet.pieces import Piece
from ..base.result import Row
from .counters import Labels
from .question import Compiled
from .runs import Task, TooManyRuns, leaves
from .words import DEEDS, TESTS

MOST_CASES = 4096


MERGED_STEPS = 1  # of who merges, by the sheet
ASSUMED: dict[Deed, str] = say_all(
    {  # conditions that the sheet does not tell
        Deed.RELOAD: "reload: its ammunition is spent",
        Deed.DUEL_FIRE: "fire duel: it has ammunition",
        Deed.SHOCK: "shock combat: it engages an enemy",
        Deed.FORM_CONSTITUTE: "constitute or join a formation: it is none",
        Deed.FORM_JOIN: "constitute or join a formation: it is none",
        Deed.FORM_BREAK: "break or leave a formation, change its mode: it is one",
        Deed.FORM_LEAVE: "break or leave a formation, change its mode: it is one",
        Deed.FORM_MODE: "break or leave a formation, change its mode: it is one",
        Deed.MERGE: "merge: both as steady and as tired",
        Deed.WITHDRAW: "withdraw, flee: there is a way",
        Deed.FLEE: "withdraw, flee: there is a way",
        Deed.ORDERS_TROOPS: "special orders: to who is near enough and has none",
        Deed.ORDERS_CHARS: "special orders: to who is near enough and has none",
        Deed.SPELL_CAST: "cast a spell: an enemy is in range and sight",
    }
)
LACKS: dict[Deed, str] = say_all(
    {
        Deed.RELOAD: "has ammunition left",
        Deed.SHOCK: "engages nobody",
        Deed.FIRE: "has no target",
        Deed.FORM_CONSTITUTE: "is a Formation",
        Deed.FORM_JOIN: "is a Formation",
        Deed.FORM_BREAK: "is no Formation",
        Deed.FORM_LEAVE: "is no Formation",
        Deed.FORM_MODE: "is no Formation",
        Deed.MERGE: "no other Troop of 1 step like it is in its hex",
        Deed.WITHDRAW: "has no way to go",
        Deed.FLEE: "has no way to go",
        Deed.ORDERS_TROOPS: "no Troop without a special order is near enough",
        Deed.ORDERS_CHARS: "no other Character without a special order is near enough",
        Deed.SPELL_CHOOSE: "knows no spell",
        Deed.SPELL_CAST: "has no enemy in range and sight",
    }
)
OTHERWISE = say("in every other case")
BARRED = say("its file says that it cannot")
Result = tuple[Trial, int, bool]  # of a test: which, of what piece, whether failed


@dataclass(frozen=True)
class Case:
    """What a unit may do after its tests fell in some way."""

    # tests of stage S in order: which, of what piece, whether failed
    tests: tuple[tuple[Trial, int, bool], ...]
    chance: Fraction
    closing: int  # point that closes; 0: F0; ``FROZEN``: no action (S2c); ``NOBODY``: it is gone
    trace: int  # paragraphs that applied, as bits
    permitted: tuple[tuple[Deed, Tag], ...]
    facts: int  # word of facts at the selection
    able: int  # deeds whose own conditions hold, as bits


def cases_of(compiled: Compiled, u: int) -> list[Case]:
    """Return what a unit may do after stage S, for every way in which its tests can fall."""
    own = compiled.copy()
    own.sheets[0]["telling"] = 1
    found: list[Case] = []
    try:
        for chance, _ in leaves(own, Task(What.START, (u,)), MOST_CASES):
            found.append(_case(own.sheets[0], chance))
    except TooManyRuns:
        raise InputError("unit: its activation begins with too many tests to list") from None
    return found


def _case(sheet: np.void, chance: Fraction) -> Case:
    """Return the case that a record has just run."""
    log = sheet["log"][: sheet["logged"]].tolist()
    tags = [int(word) for word in sheet["tags"]]
    deeds = [deed for deed in Deed if int(sheet["permitted"]) >> deed & 1]
    return Case(
        tuple((Trial(a), who, b == 1) for event, who, a, b in log if event == Event.TEST),
        chance,
        int(sheet["closing"]),
        int(sheet["trace"]),
        tuple((deed, _tag(tags, deed)) for deed in deeds),
        int(sheet["facts"]),
        int(sheet["able"]),
    )


def _tag(tags: list[int], deed: Deed) -> Tag:
    return next((Tag(k) for k in range(1, TAGS) if tags[k] >> deed & 1), Tag.FREE)


def is_rally(closing: int, permitted: Sequence[tuple[Deed, Tag]]) -> bool:
    """Whether a Routed Unit must rally, and flee at once if it fails (A1)."""
    return closing == 1 and [deed for deed, _ in permitted] == [Deed.RALLY]


def rally_fails(compiled: Compiled, u: int) -> Fraction | None:
    """Return the chance that a piece that must rally fails; None: its activation is too long."""
    own = compiled.copy()
    sheet = own.sheets[0]
    sheet["telling"] = 1
    try:
        for _ in leaves(own, Task(What.ACTIVATE, (u,)), MOST_CASES):
            log = sheet["log"][: sheet["logged"]].tolist()
            drawn = [row for row in log if row[0] in (Event.TEST, Event.WING_TEST, Event.OUTCOME)]
            for place, (event, who, trial, failed) in enumerate(drawn):
                if event == Event.TEST and (who, trial) == (u, Trial.RALLY):
                    ways = Fraction(int(sheet["tape_ways"][place]), int(sheet["tape_of"][place]))
                    return ways if failed else 1 - ways
    except TooManyRuns:
        pass
    return None


def trace_of(trace: int, clauses: Clauses) -> list[str]:
    """Return the paragraphs that applied, by their names, in text order."""
    return [each.id for number, each in enumerate(clauses.paragraphs) if trace >> number & 1]


def deeds_of(case: Case) -> list[Deed]:
    """Return the actions that are permitted."""
    return [deed for deed, _ in case.permitted]


def closing_text(closing: int) -> str:
    """Return the clause that closed, by its name."""
    if closing == FROZEN:
        return "S2c"
    if closing == NOBODY:
        return "gone"
    return f"A{closing}" if closing else "F0"


def unable_rows(piece: Piece, cases: list[Case], clauses: Clauses) -> list[Row]:
    """Return the actions that a clause lists for a piece and that it cannot do, with the reason."""
    found: dict[Deed, list[str]] = {}
    for case in cases:
        for number, paragraph in enumerate(clauses.paragraphs):
            if case.trace >> number & 1:
                for deed in _listed(paragraph, case.facts):
                    if not case.able >> deed & 1:
                        found.setdefault(deed, []).append(paragraph.id)
    return [
        {
            "what": "unable",
            "deed": deed.name,
            "text": DEEDS[deed][0],
            "french": DEEDS[deed][1],
            "clauses": " ".join(dict.fromkeys(ids)),
            "why": why_unable(piece, deed),
        }
        for deed, ids in sorted(found.items())
    ]


def _listed(paragraph: Paragraph, facts: int) -> list[Deed]:
    """Return the actions that a paragraph grants for some facts, be they possible or not."""
    deeds = paragraph.grants
    for grant in paragraph.given:
        if facts & grant.facts.need == grant.facts.value:
            deeds |= grant.deeds
    return [deed for deed in Deed if deeds >> deed & 1]


def why_unable(piece: Piece, deed: Deed) -> str:
    """Return which of an action's own conditions does not hold."""
    if piece.cannot >> deed & 1:
        return BARRED
    if deed in (Deed.FIRE, Deed.DUEL_FIRE, Deed.RELOAD) and not piece.is_shooter:
        return say("is no shooter")
    if deed in (Deed.FIRE, Deed.DUEL_FIRE) and piece.mark & Mark.AMMO_OUT:
        return say("is out of ammunition")
    if deed == Deed.SPELL_CAST and piece.caster is False:
        return LACKS[Deed.SPELL_CHOOSE]
    if deed == Deed.MERGE and piece.kind != Kind.CHARACTER and piece.steps != MERGED_STEPS:
        return say("has {} steps, not 1", piece.steps)
    return LACKS.get(deed, say("its own conditions do not hold"))


def conditions_note(rows: list[Row]) -> tuple[str, ...]:
    """Return the note on the assumed conditions that left something out; none: nothing was."""
    deeds = [Deed[row["deed"]] for row in rows if row["why"] != BARRED]
    told = dict.fromkeys(ASSUMED[deed] for deed in deeds if deed in ASSUMED)
    return (say("assumed, when an action can be done: {}", joined("; ", told)),) if told else ()


def conditions(groups: Sequence[Sequence[Case]], names: Labels) -> list[str]:
    """Return for each group of cases which results of tests lead to it; empty if no words do."""
    if len(groups) == 1:
        return [""]
    told = [_told(group, groups, names) for group in groups]
    return [OTHERWISE if not words and told.count("") == 1 else words for words in told]


def _told(group: Sequence[Case], groups: Sequence[Sequence[Case]], names: Labels) -> str:
    """Return the results that all cases of a group have and no case of another group has."""
    others = [set(case.tests) for each in groups if each is not group for case in each]
    shared = [test for test in group[0].tests if all(test in case.tests for case in group)]
    if any(set(shared) <= tests for tests in others):
        return ""
    for test in tuple(shared):  # those without which it is still told
        rest = [each for each in shared if each != test]
        if rest and not any(set(rest) <= tests for tests in others):
            shared = rest
    return say("if {}", joined(say(" and "), (_words(test, names) for test in shared)))


def _words(test: Result, names: Labels) -> str:
    trial, who, failed = test
    if failed:
        return say("{} fails the {}", names.piece(who), TESTS[trial])
    return say("{} passes the {}", names.piece(who), TESTS[trial])
