"""Which action may follow which in one activation, as a table (A-5, M-8)."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...profiles.compile.actions import FACTS
from ...profiles.edition.edition import Edition
from ...profiles.edition.rulebook import MOVES
from ...profiles.message import joined, say, say_all
from ..base.answer import AnswerKind, columns
from ..base.result import Result, Row
from ..text.printing import Block, apart, group, styled, table_of
from ..text.speech import translated
from .actions import NAMES, Activation

if TYPE_CHECKING:
    from rich.text import Text

ACTIONS = AnswerKind(
    "actions",
    columns("text", "how the fighter stands: free, in contact or disengaged", "situation")
    + columns("text", "its first action, and the next one", "first", "then")
    + columns("text", "whether that may follow: yes, no, told or some", "allowed")
    + columns("text", "clause that says so", "clause")
    + columns("whole", "multiple of MOU that it moves", "potential"),
)

SITUATIONS = ("free", "in contact", "disengaged")
NOTHING_YET = say("nothing yet")
_CLAUSES = ("M-1.5", "A-5.", "M-7.", "M-9")  # of the readings that actions depend on
_ALLOWED = say_all(
    {
        "yes": "it may follow; the clause is the one that says so",
        "told": "it may, if announced before the first",
        "some": "it may, for a fighter with an ability that combines them",
        "no": "it may not; the clause is the one that forbids it",
    }
)
_OPENINGS = {"free": "needs", "in contact": "in_contact", "disengaged": "after_disengaging"}
_HEADS = say_all(
    {
        "free": "A fighter that touches no enemy. First action, and what may follow:",
        "in contact": "A fighter that touches an enemy and does not disengage:",
        "disengaged": "A fighter that has disengaged. First action, and what may follow:",
    }
)


def legality(edition: Edition) -> Result:
    """Return which action may follow which in one activation, and by which clause.

    All that an action needs is taken to be so (a target, a weapon, a line of sight). Allowed is
    ``yes``, ``no``, ``told`` (if announced before the first, A-5.5) or ``some`` (only for a fighter
    with an ability that combines them, M-9). The clause is the one that allows it, or forbids it.
    ``potential`` is the multiple of MOU that the next one moves (M-7.4, M-8), None of what is no
    move, or never is in this situation.
    """
    rows = [
        {
            "situation": situation,
            "first": first,
            "then": then,
            **_answer(edition, situation, first, then),
            "potential": _multiple(edition, situation, then),
        }
        for situation in SITUATIONS
        for first in (NOTHING_YET, *NAMES)
        for then in NAMES
    ]
    return Result(
        ACTIONS,
        rows,
        title=say("{}: which action may follow which in one activation", edition.name),
        assumed=edition.assumed(["actions"]),
        readings=tuple(r.clause for r in edition.readings if r.clause.startswith(_CLAUSES)),
    )


def _answer(edition: Edition, situation: str, first: str, then: str) -> Row:
    """Return whether an action may follow, and the clause."""
    facts = {f for f in FACTS if f not in ("combines", "assaulted", "surrounded")}
    facts -= set() if situation == "free" else {"free"}
    before = ["disengage"] if situation == "disengaged" else []
    after = [then] if first == NOTHING_YET else [first, then]
    clause = _forbidding(edition, facts, [*before, *after])
    if not clause:
        opening = _OPENINGS[situation]
        key = {NOTHING_YET: opening, then: "times"}.get(first, "after")
        return {"allowed": "yes", "clause": edition.entry(f"actions.{then}.{key}").clause}
    if not _forbidding(edition, facts, [*before, "announce_walk", *after]):
        return {"allowed": "told", "clause": edition.entry("actions.shoot.walk_announced").clause}
    if not _forbidding(edition, facts | {"combines"}, [*before, *after]):
        entry = edition.entry(f"actions.{then}.after_if_combines")
        return {"allowed": "some", "clause": entry.clause}
    return {"allowed": "no", "clause": clause}


def _multiple(edition: Edition, situation: str, action: str) -> int | None:
    """Return how far an action moves, as a multiple of MOU."""
    if action not in MOVES or (situation, action) in _never(edition):
        return None
    left = situation == "disengaged"
    where = "actions.disengage" if left else f"actions.{action}"
    return int(edition[f"{where}.potential"])


def _never(edition: Edition) -> set[tuple[str, str]]:
    """Return the actions that are not done in a situation at all."""
    return {
        (situation, name)
        for situation in SITUATIONS[1:]
        for name in NAMES
        if not edition[f"actions.{name}.{_OPENINGS[situation]}"]
    }


def _forbidding(edition: Edition, facts: Iterable[str], steps: Sequence[str]) -> str:
    """Return the clause that forbids a sequence of steps, ``""`` if it is legal."""
    activation = Activation(edition, facts)
    for step in steps:
        clause = activation.clause(step)
        if clause:
            return clause
        activation.do(step, True if step == "disengage" else None)
    return ""


def legality_table(result: Result, edition: Edition) -> Block:
    """Return the answer of `legality`: a table for each situation, then what actions are."""
    parts: list[Block] = [styled(say("{}: {}", edition.name, edition.title), "bold")]
    for situation in SITUATIONS:
        cells = {
            (row["first"], row["then"]): styled(
                joined("\n", [row["allowed"], row["clause"]]),
                "" if row["allowed"] == "no" else "green",
            )
            for row in result
            if row["situation"] == situation
        }
        some = [first for first in (NOTHING_YET, *NAMES) if _leads_on(result, situation, first)]
        lines: list[list[str | Text]] = [
            [_said(first), *(cells[first, then] for then in NAMES)] for first in some
        ]
        headings = ["", *map(_heading, NAMES)]
        table = table_of(headings, lines, "t" * len(headings))
        last = [_said(name) for name in NAMES if name not in some]
        end = styled(say("Nothing may follow {}.", last) if last else "", "dim")
        parts.append(group([styled(_HEADS[situation]), table, end]))
    used = {row["allowed"] for row in result}
    legend = [[word, text] for word, text in _ALLOWED.items() if word in used]
    parts += [table_of(["", ""], legend, "wt"), _kinds(edition), _left(edition), _turning(edition)]
    return apart([*parts, _unsure(result)] if result.assumed else parts)


def _leads_on(result: Result, situation: str, first: str) -> bool:
    """Whether anything may follow a first action."""
    return any(
        row["allowed"] != "no"
        for row in result
        if row["situation"] == situation and row["first"] == first
    )


def _kinds(edition: Edition) -> Block:
    """Return what each action is (M-8): type, potential, contact at the end, times, needs."""
    lines: list[list[str]] = []
    for name in NAMES:
        where = f"actions.{name}"
        moves = name in MOVES
        times = edition[f"{where}.times"]
        lines.append(
            [
                _said(name),
                edition[f"{where}.kind"],
                _potential(edition, name) if moves else "-",
                edition[f"{where}.contact"] if moves else "-",
                f"{times}" if times else say("any"),
                joined(", ", map(_said, edition[f"{where}.needs"])) or "-",
            ]
        )
    headings = say_all(["action", "type", "moves", "ends in contact", "times", "needs"])
    return table_of(headings, lines, "wwwtwt")


def _potential(edition: Edition, name: str) -> str:
    """Return how far an action moves, after a disengagement too where that is another (M-7.4)."""
    usual, left = edition[f"actions.{name}.potential"], edition["actions.disengage.potential"]
    if not edition[f"actions.{name}.after_disengaging"] or usual == left:
        return say("MOU x {}", usual)
    return say("MOU x {} / x {}", usual, left)


def _left(edition: Edition) -> Block:
    """Return what holds after a disengagement: how far it moves, whom it may engage again."""
    entry = edition.entry("actions.disengage.potential")
    said = [
        say(
            "After a disengagement, as behind the /, every move is MOU x {} ({}).",
            entry.value,
            entry.clause,
        )
    ]
    if edition["actions.engage.after_disengaging"]:
        clause = edition.entry("actions.engage.in_sight_after_disengaging").clause
        said.append(say("After it, an engagement may be of an enemy just left ({}).", clause))
    return styled(joined("\n", said))


def _turning(edition: Edition) -> Block:
    """Return what turning on the spot counts as (M-1.5, M-9)."""
    entry = edition.entry("actions.walk.turning_counts")
    what = (
        say("Turning on the spot is a walk ({}).", entry.clause)
        if entry.value
        else say(
            "Turning on the spot is possible when a walk is, and leaves the walk ({}).",
            entry.clause,
        )
    )
    return styled(what)


def _unsure(result: Result) -> Block:
    """Return which values nobody found who says them, or can be read otherwise."""
    keys = ", ".join(key.removeprefix("actions.") for key in result.assumed)
    return styled(
        say(
            "Assumed, or a reading: {}; and clauses {} (see estoc edition show).",
            keys,
            dict.fromkeys(result.readings),
        )
    )


def _heading(name: str) -> str:
    """Return an action as a heading, broken in English, where it would be wider than its cells."""
    word = _said(name)
    told = translated(word)
    return told.replace(" ", "\n") if told == word else told


def _said(word: str) -> str:
    return word.replace("_", " ")
