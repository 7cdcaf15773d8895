"""The clause table as it is compiled says what the plain reading says (2.1, 3.2, 7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray
from sheet_cases import CASES
from sheet_space import ORDERS, columns, command_space, hampered, reduced_space
from sheet_worlds import NAMES, decoded, point_of, table_of, trace_of

from estoc.kernels.layout.sheet import TAGS, Cohesion, Deed, Kind, Order, Reading, Tag
from estoc.kernels.sheet.select import select_both, select_many
from estoc.profiles.sheet.readings import load_switches
from reference.sheet import CHOSEN, Facts, Readings
from reference.sheet_select import select

SELECTING = (  # switches that selection reads
    *((Reading.SPECIAL, 1), (Reading.SPECIAL, 2), (Reading.UNLISTED_NONE, 1), (Reading.A6A, 1)),
    *((Reading.DODGE_NEEDS_G, 1), (Reading.A17_MOVE, 1), (Reading.A17B_STACKED, 1)),
)
UNDER: list[Readings] = [CHOSEN, {Reading.MODE: 1}]
UNDER += [{reading: value} for reading, value in SELECTING]
UNDER += [{reading: value, Reading.MODE: 1} for reading, value in SELECTING]


class Answers(NamedTuple):
    """Answers of the kernel, a row a situation."""

    permitted: NDArray[np.uint32]
    closing: NDArray[np.uint8]
    trace: NDArray[np.uint64]
    tags: NDArray[np.uint32]


def answers_to(space: Iterable[Facts], readings: Readings = CHOSEN) -> Answers:
    adds = readings.get(Reading.SPECIAL) == 1
    states = columns(space, readings)
    n = len(states.facts)
    found = Answers(
        np.zeros(n, np.uint32),
        np.zeros(n, np.uint8),
        np.zeros(n, np.uint64),
        np.zeros((n, TAGS), np.uint32),
    )
    run = select_both_many if adds else select_many
    run(table_of(readings), *states, readings.get(Reading.MODE, 0), *found)
    return found


@njit
def select_both_many(table, facts, feasible, first_only, permitted, closing, trace, tags):
    """As `select_many`, where a special order adds to the wing's (Q4)."""
    others = np.zeros(TAGS, np.uint32)
    for k in range(len(facts)):
        permitted[k], closing[k], trace[k] = select_both(
            table, facts[k], feasible[k], first_only, tags[k], others
        )


def agree(space: Sequence[Facts], readings: Readings) -> None:
    found = answers_to(space, readings)
    rows = zip(space, *(part.tolist() for part in found), strict=True)
    for facts, permitted, closing, trace, tags in rows:
        selected = select(facts, readings)
        assert (permitted, tags) == words_of(tuple(selected.permitted.items())), facts
        assert closing == point_of(selected), facts
        assert trace == trace_word(tuple(selected.trace)), facts


@cache
def words_of(permitted: tuple[tuple[Deed, Tag], ...]) -> tuple[int, list[int]]:
    """Permitted deeds, and those that carry each constraint, as words."""
    tags = [sum(1 << deed for deed, tag in permitted if tag is each) for each in Tag]
    return sum(tags), [0, *tags[1:]]


@cache
def trace_word(trace: tuple[str, ...]) -> int:
    return sum(1 << NAMES.index(name) for name in trace if name != "F0")


@cache
def whole_space() -> list[Facts]:
    return list(reduced_space())


@cache
def some_space() -> list[Facts]:
    """Some situations, characters, and what the world forbids, by the seeds 1 and 2."""
    space, commands = whole_space(), list(command_space())
    return [*space[::53], *commands[::7], *hampered(space, 61, 1), *hampered(commands, 7, 2)]


def test_the_whole_space():
    agree(whole_space(), CHOSEN)


def test_characters():
    agree(list(command_space()), CHOSEN)


@pytest.mark.parametrize("readings", UNDER, ids=str)
def test_readings(readings):
    agree(some_space(), readings)


def test_switches_that_selection_reads():
    """Every variant of the clause table is in the list of readings that are tested."""
    keys = {(each.code, value) for each in load_switches() for value in range(len(each.values))}
    tables = {
        pair
        for pair in keys
        if not all(
            np.array_equal(one, other)
            for one, other in zip(table_of({pair[0]: pair[1]}), table_of({}), strict=True)
        )
    }
    assert tables == set(SELECTING) - {(Reading.SPECIAL, 1), (Reading.SPECIAL, 2)}


@pytest.mark.parametrize("name", CASES)
def test_cases(name):
    """U1 to U14, and Fire's own conditions (7.1)."""
    case = CASES[name]
    found = answers_to([case.facts], case.readings)
    assert decoded(int(found.permitted[0]), found.tags[0].tolist()) == case.permitted
    trace = trace_of(int(found.trace[0]), int(found.closing[0]))
    if not case.readings:
        assert " ".join(trace) == case.trace


# --- properties over the whole space (7.3) ------------------------------------------------------


@pytest.fixture(scope="module")
def answers() -> Answers:
    return answers_to(whole_space())


def test_something_is_permitted(answers):
    assert answers.permitted.all()


def test_holes(answers):
    """F0 in the two families of 3.2, in 5,280 situations."""
    holes = [
        facts for facts, point in zip(whole_space(), answers.closing, strict=True) if not point
    ]
    assert len(holes) == 5_280
    fresh = [facts for facts in holes if facts.troop and facts.any_fresh_by]
    fresh = [facts for facts in fresh if facts.order in (Order.REGROUP, Order.RETREAT)]
    rest = [facts for facts in holes if facts.kind is Kind.FORMATION and not facts.engages]
    rest = [facts for facts in rest if facts.order is Order.DEFENCE and facts.engaged]
    assert (len(fresh), len(rest)) == (4_992, 288)


def test_rout(answers):
    space = whole_space()
    routed = np.array([facts.unit and facts.cohesion is Cohesion.ROUTED for facts in space])
    assert routed.any()
    assert not (answers.permitted[routed] & ~np.uint32(1 << Deed.RALLY | 1 << Deed.FLEE)).any()


def test_charges_and_special_orders_hide_the_order(answers):
    some = [facts for facts in whole_space()[::11] if facts.charge or facts.special]
    for order in ORDERS:
        found = answers_to([replace(facts, order=order) for facts in some])
        right = answers_to(some)
        assert all(np.array_equal(*pair) for pair in zip(found, right, strict=True))


def test_every_paragraph(answers):
    assert np.bitwise_or.reduce(answers.trace) == (1 << len(NAMES)) - 1


def test_one_row_of_tags_serves_for_all():
    space = some_space()[::50]
    found, tags = answers_to(space), np.zeros((1, TAGS), np.uint32)
    permitted = np.zeros_like(found.permitted)
    others = found.closing.copy(), found.trace.copy(), tags
    select_many(table_of(CHOSEN), *columns(space), 0, permitted, *others)
    assert np.array_equal(permitted, found.permitted)
    assert np.array_equal(tags[0], found.tags[-1])
