"""Plain reading of the unit activation sheet: its test cases, one by one (7.1, 7.2)."""

from __future__ import annotations

import pytest
from sheet_cases import CASES
from sheet_event_cases import EVENTS

from reference.sheet_select import select


@pytest.mark.parametrize("name", CASES)
def test_selection(name):
    case = CASES[name]
    selected = select(case.facts, case.readings)
    assert " ".join(selected.trace) == case.trace
    assert selected.permitted == case.permitted


@pytest.mark.parametrize("name", EVENTS)
def test_events(name):
    EVENTS[name]()
