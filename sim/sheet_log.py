"""The log of the sheet in words: what happened to which piece, in the order in which it did."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from estoc.kernels.sheet_codes import (
    FROZEN,
    NOBODY,
    Breath,
    Cohesion,
    Deed,
    Event,
    Kind,
    Mark,
    Order,
    Outcome,
    Trial,
)
from estoc.profiles.hexes import DIRECTIONS
from estoc.sim.sheet_counter import Labels, word
from estoc.sim.sheet_words import DEEDS, TESTS

Entry = tuple[int, int, int, int]  # event, piece or wing, two numbers
_COHESION = {Cohesion.GOOD: "in good order", Cohesion.SHAKEN: "shaken", Cohesion.ROUTED: "routed"}


def entries_of(record: np.void) -> list[Entry]:
    """Return the log of a record that has been told."""
    return [(e, who, a, b) for e, who, a, b in record["log"][: record["logged"]].tolist()]


def lines_of(log: Sequence[Entry], labels: Labels) -> list[str]:
    """Return a log as lines; the steps of a way are one line."""
    return list(_lines(log, labels))


def _lines(log: Sequence[Entry], labels: Labels) -> Iterator[str]:
    place = 0
    while place < len(log):
        event, who, a, b = log[place]
        place += 1
        if event != Event.MOVED:
            yield line_of((event, who, a, b), labels)
            continue
        way = [a, b]
        while place < len(log) and log[place][:2] == (Event.MOVED, who):
            way.append(log[place][3])
            place += 1
        name, path = labels.piece(who), " → ".join(hex_text(at, labels) for at in way)
        yield f"{name}: goes along {path}"


def hex_text(at: int, labels: Labels) -> str:
    """Return a hex as in a situation: column and row."""
    row, column = divmod(at, labels.columns)
    return f"{column},{row}"


def line_of(entry: Entry, labels: Labels) -> str:
    """Return what one row of the log says."""
    event, who, a, b = entry
    if event in (Event.WING_TEST, Event.ORDER, Event.LEADER):
        return _of_wing(Event(event), labels.wings[who], a, b, labels)
    return _of_piece(Event(event), labels.piece(who), a, b, labels)


def _of_wing(event: Event, wing: str, a: int, b: int, labels: Labels) -> str:
    if event == Event.WING_TEST:
        return f"wing {wing}: {TESTS[Trial(a)]}, {_fate(b)}"
    if event == Event.ORDER:
        return f"wing {wing}: order now {word(Order(b))} (was {word(Order(a))})"
    if a == NOBODY:
        return f"wing {wing}: no leader any more"
    return f"wing {wing}: now led by {labels.piece(a)}"


def _of_piece(event: Event, name: str, a: int, b: int, labels: Labels) -> str:
    match event:
        case Event.TEST:
            return f"{name}: {TESTS[Trial(a)]}, {_fate(b)}"
        case Event.COHESION:
            return f"{name}: now {_COHESION[Cohesion(b)]} (was {_COHESION[Cohesion(a)]})"
        case Event.BREATH:
            return f"{name}: now {word(Breath(b))} (was {word(Breath(a))})"
        case Event.MARK_LOST:
            return f"{name}: marker lost: {word(Mark(a))}"
        case Event.MARK_GAINED:
            return f"{name}: marker gained: {word(Mark(a))}"
        case Event.CHOSEN:
            clause = "S2c" if b == FROZEN else f"A{b}" if b else "F0"
            return f"{name}: activated ({clause}): {DEEDS[Deed(a)][0]}"
        case Event.TURNED:
            return f"{name}: turned to {DIRECTIONS[b]}"
        case Event.DESTROYED:
            return f"{name} is destroyed"
        case Event.LEFT:
            return f"{name}: off the map"
        case Event.REVEALED:
            return f"{name} is revealed"
        case Event.REMOVED:
            return f"{name}: a decoy, removed"
        case Event.PLACED:
            return f"{name}: placed in the hex of {labels.piece(a)}"
        case Event.OUTCOME:
            return f"{name}: {word(Outcome(a))}, row {b + 1} of its outcomes"
        case Event.MERGED:
            return f"{name}: merged with {labels.piece(a)}"
        case Event.KIND:
            return f"{name}: now of the kind {word(Kind(b))}"
        case Event.FORMATION_MODE:
            return f"{name}: formation mode changed"
        case Event.STEP:
            return f"{name}: a step lost, {a} left"
        case _:
            raise AssertionError(f"{event!r} is not a piece's")


def _fate(failed: Any) -> str:
    return "failed" if failed else "passed"
