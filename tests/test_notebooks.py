"""The notebooks run from the first cell to the last, and what they assert is so."""

import json
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from estoc.sim import api as estoc

BOOKS = sorted(Path(__file__).parents[1].joinpath("notebooks").glob("*.ipynb"))
GUARD, WARRIOR = "Garde prétorien", "Guerrier de l'aube"


@pytest.fixture(autouse=True)
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
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_it_runs(path, tmp_path):
    book = nbformat.read(path, 4)
    with_figures = sum(cell.source.endswith(".plot()") for cell in book.cells)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert any("<table>" in page for page in shown(book, "text/html"))
    assert len(shown(book, "image/png")) == with_figures >= 1  # a figure is shown once


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs_and_ends_with_an_assertion(path):
    book = nbformat.read(path, 4)
    nbformat.validate(book)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(cell.execution_count is None and cell.outputs == [] for cell in cells)
    assert "assert " in book.cells[-1].source
    assert [cell.id for cell in book.cells] == [
        f"{path.stem}-{i}" for i in range(1, len(book.cells) + 1)
    ]


def test_what_the_charge_is_worth():
    best = estoc.parse_policies(("optimal",))
    still, charging = (
        estoc.duel(GUARD, WARRIOR, options=estoc.Options(policies=best, charge=who)).rows[0]
        for who in ((), ("A",))
    )
    assert round(charging["value"] - still["value"], 4) == 0.0461


def test_the_first_duel():
    row = estoc.duel(GUARD, WARRIOR, dice=["2/0", "1/1"]).rows[0]
    assert (round(100 * row["p_a"], 2), round(100 * row["p_b"], 2)) == (30.23, 2.65)
