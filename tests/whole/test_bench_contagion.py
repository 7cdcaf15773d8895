"""The contagion's part of the benchmark: its plain Python is a witness, and its checks can fail."""

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from estoc.sim.bench.agreement import Disagreement

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def part(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("races.contagion")


def test_contagion_is_timed_beside_plain_python(part: ModuleType) -> None:
    bench = part.Bench(1, quick=True)
    part.time_part(bench)
    rows, checked = bench.report.values()
    orders = {"static, outward", "static, inward", "flee, outward", "flee, inward"}
    assert set(rows) == {f"{o}: {who}" for o in orders for who in ("estoc", "python, plain")}
    for name, row in rows.items():
        if name.endswith(": estoc"):
            assert row["met"] == (row["seconds"]["least"] <= 1 / 5e6)
            assert row["ratio"]["least"] > 1
    assert set(checked) == orders
    assert max(max(found.values()) for found in checked.values()) < 4.5


def test_a_law_that_differs_is_noticed(part: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    right = part.exact_law
    monkeypatch.setattr(part, "exact_law", lambda job: np.roll(right(job), 1))
    with pytest.raises(Disagreement, match="estoc is not the exact law"):
        part.check("static, outward", 2000)
    monkeypatch.setattr(part, "exact_law", right)
    monkeypatch.setattr(part, "python_trial", lambda *_: 2)
    with pytest.raises(Disagreement, match="python, plain is not the exact law"):
        part.check("flee, inward", 2000)
