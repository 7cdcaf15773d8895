"""Notebooks: they run from the first cell to the last, and end with numbers that tests know."""

import json
import sys
from fractions import Fraction
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from estoc.sim.combat.duel import duel
from estoc.sim.contagion.contagion import answer
from estoc.sim.contagion.question import ask_contagion
from estoc.sim.matchup.matchup import matchup
from estoc.sim.worth.points import points_audit
from estoc.sim.worth.solve import solve
from estoc.sim.worth.worth import worth

FOLDER = Path(__file__).parents[2] / "notebooks"
NAMES = (
    *("first-duel", "dice-placement", "charge"),
    *("army-matchup", "points-audit", "rout-contagion"),
)
PAIR = "Garde prétorien", "Guerrier de l'aube"


def cells(name, kind):
    book = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in book["cells"] if cell["cell_type"] == kind]


def test_there_are_those_that_are_promised():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NAMES)


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """Make the interpreter of the tests a kernel, known in a temporary folder only."""
    for name in ("DATA_DIR", "CONFIG_DIR", "RUNTIME_DIR", "PATH"):
        monkeypatch.setenv(f"JUPYTER_{name}", str(tmp_path / name))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    folder = tmp_path / "PATH" / "kernels" / "python3"
    folder.mkdir(parents=True)
    words = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": words, "display_name": "Python 3", "language": "python"}
    folder.joinpath("kernel.json").write_text(json.dumps(spec))


def shown(book, kind):
    outputs = [o for cell in book.cells for o in cell.get("outputs", ())]
    return [o["data"][kind] for o in outputs if kind in o.get("data", {})]


@pytest.mark.filterwarnings("default")  # of Jupyter's own
@pytest.mark.parametrize("name", NAMES)
def test_it_runs(name, tmp_path, kernel):
    book = nbformat.read(FOLDER / f"{name}.ipynb", 4)
    figures = sum(cell.source.endswith(".plot()") for cell in book.cells)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert len(shown(book, "image/png")) == figures >= 1  # a figure is shown once


@pytest.mark.parametrize("name", NAMES)
def test_it_is_kept_without_outputs_and_asserts_something(name):
    code = cells(name, "code")
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert "assert " in "".join(code[-1]["source"])
    assert len({cell["id"] for cell in (*code, *cells(name, "markdown"))}) >= 5
    assert "".join(cells(name, "markdown")[0]["source"]).startswith("# ")


# --- the numbers that they end with ------------------------------------------------------


def test_a_duel():
    assert round(100 * duel(*PAIR, dice=["2/0", "1/1"]).rows[0]["p_a"], 2) == 30.23


def test_a_placement():
    value = next(row for row in solve(*PAIR) if row["section"] == "value")
    assert (value["what"], round(value["value"], 4)) == ("A 2/0, B 1/1", 0.2497)


def test_a_charge():
    gains = {row["change"]: round(row["difference"], 4) for row in worth(*PAIR)}
    assert (gains["charges"], gains["is charged"]) == (0.0461, -0.0517)


def test_a_matchup():
    lists = ["daikinee-foot", "devoreurs-elite", "devoreurs-horde"]
    row = next(
        row
        for row in matchup(lists, ["aggressive"], trials=40, seed=5)
        if (row["section"], row["entrant"], row["other"]) == ("score", *lists[1::-1])
    )
    assert (row["wins"], row["draws"], row["losses"]) == (31, 5, 4)


def test_an_audit():
    slope = next(row for row in points_audit(["C3"]) if row["what"] == "per PA")
    assert round(slope["number"], 3) == 0.18


def test_a_contagion():
    rows = answer(ask_contagion("line:5"))
    means = {row["order"]: Fraction(row["mean_routed_exact"]) for row in rows}
    assert means == {"outward": Fraction(11, 4), "inward": Fraction(7, 4)}
