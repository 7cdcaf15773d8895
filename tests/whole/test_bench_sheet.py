"""The sheet's part of the benchmark: it checks before it times, and its report is plain."""

import importlib
import json
from itertools import islice

import pytest

from estoc.sim.bench.agreement import Disagreement


@pytest.fixture
def part(monkeypatch):
    monkeypatch.syspath_prepend("scripts")
    return importlib.import_module("races.sheet")


@pytest.mark.slow
def test_the_sheet_is_timed(part):
    bench = part.Bench(1, quick=True)
    part.time_part(bench)
    rows, played = json.loads(json.dumps(bench.report)).values()
    assert set(rows) == {part.SELECT, part.PLAIN, part.ACTIVATE}
    assert all(row["seconds"]["least"] > 0 for row in rows.values())
    assert played["states"] == 132_872
    assert 60 < played["activations of a trial"] <= 4 * 60
    assert 0 < played["routed at its end"] < 60


def test_a_wrong_selection_ends_the_run(part):
    states = list(islice(part.reduced_space(), 5))
    facts, feasible = part.columns(states)
    run, found = part.selection(facts, feasible)
    run(len(states))
    part.check_selection(states, found)
    found[0][3] ^= 1
    with pytest.raises(Disagreement, match="selection"):
        part.check_selection(states, found)
