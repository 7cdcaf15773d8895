"""The sheet's part of the benchmark: it checks before it times, and its report is plain."""

import importlib
import json
from io import StringIO
from itertools import islice

import pytest
from rich.console import Console

from estoc.sim.bench.agreement import Disagreement


@pytest.mark.slow
def test_the_sheet_is_timed(monkeypatch):
    monkeypatch.syspath_prepend("scripts")
    bench = importlib.import_module("bench_sheet")
    text = StringIO()
    report = json.loads(json.dumps(bench.time_sheet(Console(file=text, width=80), 1, quick=True)))
    assert report["states"] == 132_872
    assert set(report["rows"]) == {bench.SELECT, bench.PLAIN, bench.ACTIVATE}
    assert 60 < report["activations_of_a_trial"] <= 4 * 60
    assert 0 < report["at_its_end"]["routed"] < 60
    assert all(row["best"] > 0 for row in report["rows"].values())
    assert bench.ACTIVATE in text.getvalue()


def test_a_wrong_selection_ends_the_run(monkeypatch):
    monkeypatch.syspath_prepend("scripts")
    bench = importlib.import_module("bench_sheet")
    states = list(islice(bench.reduced_space(), 5))
    facts, feasible = bench.columns(states)
    run, found = bench.selection(facts, feasible)
    run(len(states))
    bench.check_selection(states, found)
    found[0][3] ^= 1
    with pytest.raises(Disagreement, match="selection"):
        bench.check_selection(states, found)
