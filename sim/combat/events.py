"""The events of one trial, as the kernels log them and as tidy rows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from estoc.kernels import trials
from estoc.kernels.ability_codes import Effect
from estoc.kernels.dice import FAILED
from estoc.kernels.layout import ATTACK as ATTACK_SLOT
from estoc.kernels.layout import (
    ATTACK_AGAIN,
    COIN,
    DEFENCE,
    DEFENCE_AGAIN,
    MAX_EVENTS,
    SURVIVAL_DIE,
    TOXIC_DIE,
    Event,
    Outcome,
)
from estoc.kernels.layout import WOUND as WOUND_SLOT
from estoc.profiles import InputError
from estoc.profiles.compile import state_names
from estoc.sim.question import Question
from estoc.sim.result import Row

Log = NDArray[np.int64] | Sequence[Sequence[int]]

# Columns of an event; None where they do not apply.
COLUMNS = (
    *("turn", "event", "number", "fighter", "other"),
    *("attack", "defence"),  # dice placed
    *("purpose", "die", "reroll", "value"),
    *("committed", "sustained"),
    *("winner", "natural", "result", "other_result", "failed", "parried"),
    *("outcome", "location", "row", "state"),
    *("held", "effect", "dice", "levels", "saved"),  # of abilities (W-7)
)


def trial_log(question: Question, seed: int, trial: int) -> NDArray[np.int64]:
    """Return the kernels' log of a trial, whole."""
    fights = trials.new_fight(question.setup, question.rules, seed, question.cell)
    log, complete = trials.replay(fights, trial, question.options.turns)  # type: ignore[no-untyped-call]
    if complete:
        return np.asarray(log, np.int64)
    told = int((log[: MAX_EVENTS - 1, 0] == Event.END).sum())
    raise InputError(
        f"trial {trial} has more than the {MAX_EVENTS} events that a transcript holds; "
        f"ask for at most {told} turns"
    )


def fighter_names(question: Question) -> list[str]:
    """Return what fighters are called in a transcript; namesakes get their side's letter."""
    labels = Counter(c.label for c in question.fighters)
    return [c.label if labels[c.label] == 1 else f"{c.label} ({c.side})" for c in question.fighters]


class Line(NamedTuple):
    """A row of the kernels' log; `estoc.kernels.layout.LOG_COLUMNS` says what it means."""

    event: Event
    turn: int
    number: int
    fighter: int
    other: int
    slot: int
    x: int
    y: int
    z: int


def lines_of(log: Log) -> Iterator[tuple[Line, str]]:
    """Return the lines of a log, each with what it is for if it is a die."""
    opening = True  # the combat has had no attack yet: its dice are initiative's
    for row in log:
        kind, *cells = (int(cell) for cell in row)
        line = Line(Event(kind), *cells)
        if line.event in (Event.PLACE, Event.STRIKE):
            opening = line.event == Event.PLACE
        yield line, _purpose(line, opening) if line.event == Event.DIE else ""


def _purpose(line: Line, opening: bool) -> str:
    if opening:
        return "coin" if line.slot == COIN else "initiative"
    if line.slot == WOUND_SLOT:
        return {TOXIC_DIE: "toxic", SURVIVAL_DIE: "survival"}.get(line.x, "wound")
    return "attack" if line.slot in (ATTACK_SLOT, ATTACK_AGAIN) else "defence"


def event_rows(question: Question, log: Log) -> list[Row]:
    """Return the events of a log as rows with the columns of `COLUMNS`.

    Turns, passes, roll-offs and dice are numbered from 1, re-rolls of a die from 0, its
    first throw. A result that a rule fails (W-1.3) is None.
    """
    names = fighter_names(question)
    rows = []
    for line, purpose in lines_of(log):
        row: Row = dict.fromkeys(COLUMNS)
        row |= {"turn": line.turn + 1, "event": line.event.name.lower()}
        row |= {"fighter": names[line.fighter]} if line.fighter >= 0 else {}
        row |= {"other": names[line.other]} if line.other >= 0 else {}
        row |= _die_cells(line, purpose) if purpose else _cells(line, question)
        rows.append(row)
    return rows


def _cells(line: Line, question: Question) -> Row:
    """Return the cells of an event that is no die."""
    numbered: Row = {"number": line.number + 1}
    tested = numbered | {"natural": _known(line.x), "result": _known(line.y)}
    match line.event:
        case Event.PLACE:
            return {"attack": line.x, "defence": line.y, "held": line.z or None}
        case Event.STRIKE:
            return numbered | {"committed": line.slot, "sustained": bool(line.x)}
        case Event.ATTACK:
            return tested | {"failed": bool(line.z)}
        case Event.PARRY:
            return tested | {"parried": bool(line.z)}
        case Event.WOUND:
            edition = question.options.edition
            wound = {"outcome": Outcome(line.slot).name.lower(), "row": line.y}
            place = {"location": edition["wounds.places"][line.x - 1]}
            return numbered | wound | place | {"state": state_names(edition)[line.z]}
        case Event.INITIATIVE:
            winner = None if line.slot < 0 else question.fighters[line.slot].side
            results = {"result": _known(line.x), "other_result": _known(line.y)}
            return numbered | {"winner": winner} | results
        case Event.FEAT:
            effect = {"effect": Effect(line.slot).name.lower()}
            return (numbered if line.other >= 0 else {}) | effect | _feat_cells(line)
        case Event.END | Event.DIE:
            return {}
        case _:
            assert_never(line.event)


def _feat_cells(line: Line) -> Row:
    """Return what an ability does, its numbers under their names."""
    match Effect(line.slot):
        case Effect.LUCK:
            return {"result": _known(line.y)}  # the one given up
        case Effect.HOLD_BACK:
            return {"purpose": "defence" if line.x else "attack", "dice": 1}
        case Effect.FEINT:
            return {"attack": line.x, "defence": line.y, "held": line.z}
        case Effect.SURVIVAL:
            return {"value": line.x, "saved": bool(line.y)}
        case Effect.TOXIC:
            return {"value": line.x, "levels": line.y}
        case Effect.DIEHARD:
            return {}
        case _:  # those by which more dice are rolled
            return {"dice": line.x}


def _die_cells(line: Line, purpose: str) -> Row:
    """Return the cells of a die; those of a wound roll are never thrown again (W-1.6)."""
    die, reroll = 1, line.x
    if purpose == "wound":
        die, reroll = line.x + 1, 0
    elif purpose in ("toxic", "survival"):
        reroll = 0
    elif purpose == "defence":
        first = DEFENCE_AGAIN if line.slot >= DEFENCE_AGAIN else DEFENCE
        die = line.slot - first + 1
    cells = {"number": line.number + 1, "purpose": purpose, "die": die}
    return cells | {"reroll": reroll, "value": line.y}


def _known(number: int) -> int | None:
    return None if number <= FAILED else number
