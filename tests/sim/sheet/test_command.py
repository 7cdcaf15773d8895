"""``estoc sheet …`` as a person types it: answers, files, the same again, refusals, Ctrl-C."""

import json
import shlex
from fractions import Fraction

import pyarrow.parquet as pq
import pytest
from running import answered, estoc
from sheet_asked import line

from estoc.sim.contagion.contagion import contagion
from estoc.sim.sheet import runs as sheet_tape
from estoc.sim.sheet.check import check
from estoc.sim.sheet.losses import wing
from estoc.sim.sheet.question import ask_sheet

FEW = ("--trials", 60, "--seed", 5)
CHECK = ("check", "skirmish", "--unit", "pike BLOCK")
LOST = ("lost", "skirmish", "--turns", 2, *FEW)
WING = ("wing", "wing", *FEW)
SENSITIVITY = ("sensitivity", "skirmish", *FEW)
ASKED = [
    CHECK,
    (*CHECK, "--explain", "--set", "engagement.ordinary=6", "--reading", "select.mode=M1"),
    LOST,
    ("lost", "skirmish", "--side", "raven", "--player", "Lion=careful", "--order", "Troll,0", *FEW),
    ("lost", "wing", "--fail", "1/3", "--method", "exact"),
    WING,
    ("wing", "wing", "--wing", "LEFT", "--lose", "Spears, captain"),
    SENSITIVITY,
    ("sensitivity", "wing", "--measure", "routed", "--reading", "a6a=any_stale"),
]
names = [" ".join(map(str, words[:2])) for words in ASKED]


@pytest.fixture(autouse=True)
def _narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def again(text: str) -> list[str]:
    """The command at the end of an answer, as a shell reads it."""
    return shlex.split(text.partition("again:\n")[2].replace("\\\n", " "))[1:]


@pytest.mark.parametrize("words", ASKED, ids=names)
def test_an_answer_fits_and_is_given_again(words):
    done = estoc("sheet", *words)
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "0 to 0 " not in done.out
    command = again(done.out)
    assert command[:2] == ["sheet", words[0]]
    assert estoc(*command).out == done.out
    assert answered(*command) == answered("sheet", *words)


@pytest.mark.parametrize("words", [CHECK, LOST, WING, SENSITIVITY, ("list",), ("readings",)])
def test_files(words, tmp_path):
    rows = answered("sheet", *words)
    for form in ("csv", "json", "parquet"):
        path = tmp_path / f"found.{form}"
        done = estoc("sheet", *words, "-o", path)
        assert (done.code, done.out) == (0, "")
        assert f"wrote {path}, {len(rows)} rows" in done.err
    assert json.loads((tmp_path / "found.json").read_text()) == rows
    assert pq.read_table(tmp_path / "found.parquet").to_pylist() == rows
    head, *lines = (tmp_path / "found.csv").read_text().splitlines()
    assert head == ",".join(rows[0])
    assert len(lines) == len(rows)
    done = estoc("sheet", *words, "-o", tmp_path / "found.txt")
    assert done.code == 0
    assert max(map(len, (tmp_path / "found.txt").read_text().splitlines())) <= 100


@pytest.mark.parametrize("words", [LOST, WING, SENSITIVITY], ids=["lost", "wing", "sensitivity"])
def test_threads_change_nothing(words):
    one, two = (answered("sheet", *words, "--threads", k) for k in (1, 2))
    assert one == two


@pytest.mark.parametrize("words", [("list",), ("readings",)])
def test_listings_fit(words):
    done = estoc("sheet", *words)
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80


def test_what_nobody_decides_is_not_asked_again():
    """The command again has no options that the command does not know."""
    question = ask_sheet("wing", players=["still"], turns=2, order="Spears", fail=Fraction(1, 3))
    idle = ("turns", "policy", "inputs")  # of what is not played
    for result in (wing(question), check(question, "Spears")):
        rows = answered(*shlex.split(result.command)[1:])
        for mine, theirs in zip(result, rows, strict=True):
            assert {k: mine[k] for k in mine if k not in idle} == {
                k: theirs[k] for k in theirs if k not in idle
            }
        assert "--fail 1/3" in result.command


def test_a_rout_of_a_situation_spreads_as_on_its_layout(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # so that no long path is in a line
    line(tmp_path / "four.toml", 4)
    path = "four.toml"
    words = ("sheet", "contagion", path, "--side", "lion", "--order", "outward")
    rows = answered(*words)
    same = contagion("line:4", orders=["outward"])
    assert [row["exact"] for row in rows] == [row["exact"] for row in same]
    done = estoc(*words)
    assert answered(*again(done.out)) == rows
    assert max(map(len, done.out.splitlines())) <= 80


def test_pictures(tmp_path):
    done = estoc("sheet", *SENSITIVITY, "--plot", tmp_path / "s.svg")
    assert f"drew {tmp_path / 's.svg'}" in done.err
    assert (tmp_path / "s.svg").stat().st_size > 5_000
    done = estoc("sheet", "map", "wing", "--routed", "--plot", tmp_path / "m.svg", *FEW)
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(f"estoc: drew {tmp_path / 'm.svg'}, 60 trials, seed 5\n")
    assert "estoc: assumed (tests" in done.err
    done = estoc("sheet", "map", "skirmish", "--as-seen-by", "Raven", "--plot", tmp_path / "r.svg")
    assert done.code == 0
    assert (tmp_path / "r.svg").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("check", "skirmish", "--unit", "Trol"), "Troll"),
        (("check", "skirmish"), "--unit"),
        (("check", "skirmsh", "--unit", "Troll"), "skirmish"),
        (("check", "no-such.toml", "--unit", "Troll"), "no-such.toml"),
        (("lost", "skirmish", "--side", "Ravn"), "Raven"),
        (("lost", "skirmish", "--player", "bald"), "bold"),
        (("lost", "skirmish", "--player", "Ravn=bold"), "Raven"),
        (("lost", "skirmish", "--set", "rout.ELIT=2"), "rout.ELITE"),
        (("lost", "skirmish", "--set", "rout.ELITE=x"), "rout"),
        (("lost", "skirmish", "--reading", "select.mod=M1"), "select.mode"),
        (("lost", "skirmish", "--reading", "select.mode=M3"), "M1"),
        (("lost", "skirmish", "--order", "Troll,troll"), "named twice"),
        (("lost", "skirmish", "--turns", 0), "from 1 to 100"),
        (("lost", "skirmish", "--trials", 0), "trials"),
        (("lost", "skirmish", "--fail", "2"), "1"),
        (("lost", "skirmish", "--method", "exact"), "take --method mc"),
        (("lost", "wing", "--method", "exact", "--seed", 1), "exact odds have no trials"),
        (("wing", "wing", "--wing", "lef"), "left"),
        (("wing", "wing", "--lose", "Spear"), "Spears"),
        (("wing", "u11"), "no wing of the situation has a leader"),
        (("sensitivity", "skirmish", "--measure", "loss"), "lost"),
        (("sensitivity", "skirmish", "--trials", 5), "at least 20"),
        (("sensitivity", "skirmish", "--plot", "s.gif"), "ending of a picture"),
        (("map", "u11", "--plot", "m.svg"), "no map to draw"),
        (("map", "skirmish", "--plot", "m.svg", "--as-seen-by", "Ravn"), "Raven"),
        (("map", "skirmish", "--plot", "m.svg", "--as-seen-by", "Raven", "--routed"), "take one"),
        (("contagion", "u11"), "no Unit of Lion is on the map"),
        (("contagion", "line:3", "--side", "Lion"), "no situation and has no sides"),
    ],
)
def test_refusals_are_one_clear_line(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = estoc("sheet", *words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err.splitlines()[-1], done.err
    assert "Traceback" not in done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [LOST, WING])
def test_ctrl_c_gives_what_was_done(words, monkeypatch):
    batches = sheet_tape.batches

    def stopped(*asked):
        yield next(batches(*asked))
        raise KeyboardInterrupt

    monkeypatch.setattr(sheet_tape, "CHUNK", 20)
    monkeypatch.setattr(sheet_tape, "batches", stopped)
    done = estoc("sheet", *words)
    assert done.code == 1
    assert "stopped by Ctrl-C after 20 of 60 trials" in done.err
    assert "stopped after 20 of 60 trials" in done.out
    assert "--trials 20 --seed 5" in " ".join(again(done.out))


def test_ctrl_c_before_anything_was_done(monkeypatch):
    def stopped(*asked):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(sheet_tape, "batches", stopped)
    done = estoc("sheet", *LOST)
    assert (done.code, done.out) == (1, "")
    assert "stopped by Ctrl-C after 0 of 60 trials" in done.err
