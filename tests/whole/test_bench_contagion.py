"""The sheet's part of the benchmark: its plain Python is a witness, and its checks can fail."""

import importlib
import io
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from rich.console import Console

from estoc.sim.bench.agreement import Disagreement

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def sheet(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("bench_contagion")


def test_contagion_is_timed_beside_plain_python(sheet: ModuleType) -> None:
    text = io.StringIO()
    found = sheet.time_contagion(Console(file=text, width=80), 1, True)
    assert set(found["rows"]) == {
        *("static, outward", "static, inward", "flee, outward", "flee, inward")
    }
    for row in found["rows"].values():
        assert row["met"] == (row["estoc"]["least"] >= 5e6)
        assert row["times_faster"]["least"] > 1
        assert max(row["largest_z"].values()) < 4.5
    assert "flee, inward" in text.getvalue()


def test_a_law_that_differs_is_noticed(sheet: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    right = sheet.exact_law
    monkeypatch.setattr(sheet, "exact_law", lambda job: np.roll(right(job), 1))
    with pytest.raises(Disagreement, match="estoc is not the exact law"):
        sheet.check("static, outward", 2000)
    monkeypatch.setattr(sheet, "exact_law", right)
    monkeypatch.setattr(sheet, "python_trial", lambda *_: 2)
    with pytest.raises(Disagreement, match="python, plain is not the exact law"):
        sheet.check("flee, inward", 2000)
