"""What a notebook shows: the tables of a terminal, pictures once; names that are never modules."""

import subprocess
import sys
from inspect import ismodule

from IPython.core.formatters import DisplayFormatter
from rich.text import Text

from estoc.sim import api
from estoc.sim.base.answer import AnswerKind
from estoc.sim.base.result import Result
from estoc.sim.text.html import as_html
from estoc.sim.text.printing import table_of

PAIR = "Garde prétorien", "Guerrier de l'aube"


def test_the_tables_of_a_terminal():
    page = api.sweep(*PAIR, best=True)._repr_html_()
    assert "37.33 / 5.82 *" in page
    assert page.count("<table>") == 1
    assert page.count("<tr>") == 4


def test_assumed_values_are_all_named():
    result = api.duel(*PAIR)
    page = result._repr_html_()
    assert ">estoc duel &quot;" in page
    assert len(result.assumed) > 4
    assert all(key in page for key in result.assumed)


def test_cells_are_text():
    found = as_html(table_of(["<i>"], [["<b>"], [Text("a & b")]]))
    assert "<b>" not in found
    assert "<i>" not in found
    assert "&lt;b&gt;" in found
    assert "a &amp; b" in found


def test_long_tables_are_cut_and_say_so():
    rows = [{"n": i} for i in range(1000)]
    page = Result(AnswerKind("made up"), rows)._repr_html_()
    assert page.count("<td") == 20
    assert "980 more lines" in page
    assert "more lines" not in Result(AnswerKind("made up"), rows[:60])._repr_html_()


def test_a_picture_is_shown_once():
    data, _ = DisplayFormatter().format(api.duel(*PAIR).plot())
    assert sorted(data) == ["image/png", "text/plain"]
    assert data["image/png"].startswith(b"\x89PNG")


def test_names_are_what_they_say_whatever_was_imported_before():
    assert not [name for name in api.__all__ if ismodule(getattr(api, name))]
    assert not hasattr(api, "nothing")


def test_importing_is_cheap():
    code = "import estoc.sim, sys; estoc.sim.api; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
