"""The abilities' part of the benchmark: it checks before it times, and its report is plain."""

import importlib
import json
from io import StringIO

import pytest
from rich.console import Console

from estoc.sim.bench.agreement import Disagreement


@pytest.mark.slow
def test_abilities_are_timed(monkeypatch):
    monkeypatch.syspath_prepend("scripts")
    bench = importlib.import_module("bench_abilities")
    text = StringIO()
    console = Console(file=text, width=80)
    report = json.loads(json.dumps(bench.time_abilities(console, 1, quick=True)))
    assert list(report["rows"]) == list(bench.SETS)
    assert report["rows"][bench.PLAIN]["times_plain"] == 1
    assert report["rows"][bench.COMMON]["attacks"] > report["rows"][bench.PLAIN]["attacks"]
    assert "bar: 2 times a plain one" in text.getvalue()


def test_odds_that_differ_end_the_run(monkeypatch):
    monkeypatch.syspath_prepend("scripts")
    bench = importlib.import_module("bench_abilities")
    plain, able = bench.question_of(bench.PLAIN), bench.question_of(bench.CHOICES)
    bench.check(plain, 2_000)
    law = bench.Engine().law(plain)
    monkeypatch.setattr("bench_abilities.Engine.law", lambda self, question: law)
    with pytest.raises(Disagreement, match="differ"):
        bench.check(able, 20_000)
