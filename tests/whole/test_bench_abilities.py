"""The abilities' part of the benchmark: it checks before it times, and its report is plain."""

import importlib
import json

import pytest

from estoc.sim.bench.agreement import Disagreement


@pytest.fixture
def part(monkeypatch):
    monkeypatch.syspath_prepend("scripts")
    return importlib.import_module("races.abilities")


@pytest.mark.slow
def test_abilities_are_timed(part, capsys):
    bench = part.Bench(1, quick=True)
    part.time_part(bench)
    duels, each, attacks = json.loads(json.dumps(bench.report)).values()
    assert list(duels) == list(each) == list(attacks) == list(part.SETS)
    assert duels[part.PLAIN]["ratio"]["least"] == 1
    assert attacks[part.COMMON] > attacks[part.PLAIN]
    assert "bar: 2 times a plain one" in capsys.readouterr().out


def test_odds_that_differ_end_the_run(part, monkeypatch):
    plain, able = part.question_of(part.PLAIN), part.question_of(part.CHOICES)
    part.check(plain, 2_000)
    law = part.Engine().law(plain)
    monkeypatch.setattr(part.Engine, "law", lambda self, question: law)
    with pytest.raises(Disagreement, match="differ"):
        part.check(able, 20_000)
