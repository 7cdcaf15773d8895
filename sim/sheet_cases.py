"""What a unit may do after stage S, for every way in which its tests can fall (2, 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from estoc.kernels.sheet_codes import FROZEN, NOBODY, TAGS, Deed, Event, Tag, Trial
from estoc.kernels.sheet_trials import What
from estoc.profiles import InputError
from estoc.profiles.sheet_clauses import Clauses
from estoc.sim.sheet_question import Compiled
from estoc.sim.sheet_tape import Task, TooManyRuns, leaves

MOST_CASES = 4096


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
    able : int
        Deeds whose own conditions hold, as bits.
    """

    tests: tuple[tuple[Trial, int, bool], ...]
    chance: Fraction
    closing: int
    trace: int
    permitted: tuple[tuple[Deed, Tag], ...]
    facts: int
    able: int


def cases_of(compiled: Compiled, u: int) -> list[Case]:
    """Return what a unit may do after stage S, for every way in which its tests can fall.

    Raises
    ------
    InputError
        If there are too many ways.
    """
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
