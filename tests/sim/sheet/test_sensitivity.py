"""Readings of the sheet compared: which matter, by how much, the same trials under both."""

import json
from fractions import Fraction

import pyarrow.parquet as pq
import pytest
from sheet_asked import line, piece, wing, write

from estoc.profiles import InputError
from estoc.profiles.sheet.readings import load_switches
from estoc.sim.base.printed import plain_text
from estoc.sim.sheet import sensitivity as module
from estoc.sim.sheet.losses import lost
from estoc.sim.sheet.question import ask_sheet
from estoc.sim.sheet.sensitivity import count_flips, sheet_sensitivity
from estoc.sim.text.drawing import save_figure

HALF = Fraction(1, 2)


@pytest.fixture
def three(tmp_path):
    return ask_sheet(line(tmp_path / "three.toml", 3), players=["still"], fail=HALF)


def read_as(result, words):
    return next(row for row in result if row["read_as"] == words)


def test_every_other_reading_is_told_once(three):
    result = sheet_sensitivity(three, measure="routed")
    every = {switch.word(k) for switch in load_switches() for k in range(1, len(switch.values))}
    assert {row["read_as"] for row in result} == every
    assert len(result) == len(every) == count_flips()
    changes = [abs(row["difference"]) for row in result]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0


@pytest.mark.parametrize(
    ("reading", "sizes"),
    [("s1b", ["1/4", "3/16", "9/16"]), ("all", ["1/4", "1/8", "5/8"])],
)
def test_the_immediate_chain(three, reading, sizes):
    """8.1's mutant instead of 1/4, 1/4, 1/2; and the chain from every failure, by hand."""
    result = sheet_sensitivity(three, measure="routed", method="exact")
    mean = sum(k * Fraction(size) for k, size in enumerate(sizes, 1))
    row = read_as(result, f"contagion.immediate={reading}")
    assert (row["before"], row["mean"], row["difference"]) == (9 / 4, mean, mean - 9 / 4)
    assert row["low"] is None
    assert read_as(result, "select.mode=M1")["difference"] == 0


def test_from_another_reading_the_chosen_one_is_a_flip(tmp_path):
    path = line(tmp_path / "three.toml", 3)
    readings = ["contagion.immediate=all"]
    question = ask_sheet(path, players=["still"], readings=readings, fail=HALF)
    result = sheet_sensitivity(question, measure="routed")
    row = read_as(result, "contagion.immediate=no")
    assert (row["before"], row["mean"]) == (19 / 8, 9 / 4)
    assert row["chosen"] == "contagion.immediate=all"


def test_trials_agree_with_exact_odds(three):
    """Of 22 differences, those that are not 0 within two half intervals (about 4 errors)."""
    exact = sheet_sensitivity(three, measure="routed")
    trials = sheet_sensitivity(three, measure="routed", trials=8_000, seed=4)
    for row in trials:
        true = read_as(exact, row["read_as"])
        half = (row["high"] - row["low"]) / 2
        assert half > 0
        assert abs(row["difference"] - true["difference"]) <= 2 * half


def test_a_mean_is_that_of_all_trials(three):
    """Batches of two sizes: no trial counts for more than another."""
    result = sheet_sensitivity(three, measure="routed", trials=39, seed=4)
    other = lost(three, trials=39, seed=4)
    mean = next(row["mean"] for row in other if row["cause"] == "routed")
    for row in result:
        assert row["before"] == pytest.approx(mean, abs=1e-12)
        assert row["difference"] == pytest.approx(row["mean"] - row["before"], abs=1e-12)


def test_threads_change_nothing():
    question = ask_sheet("skirmish", turns=2)
    one, two = (sheet_sensitivity(question, trials=60, seed=2, threads=k) for k in (1, 2))
    assert one.rows == two.rows


def test_what_no_trial_changed_has_an_upper_bound(three):
    result = sheet_sensitivity(three, trials=200, seed=1)
    row = read_as(result, "a17.move=yes")
    assert row["difference"] == 0
    assert row["high"] == -row["low"] == pytest.approx(0.0188, abs=1e-4)  # Wilson, 0 of 200
    text = " ".join(plain_text(result, 80).split())
    assert "no change (at most 0.019 each): " in text
    exact = " ".join(plain_text(sheet_sensitivity(three), 80).split())
    assert "no change: " in exact
    assert "interval" not in exact


def test_too_many_runs_under_one_reading_only(three, monkeypatch):
    """Then all are sampled, unless exact odds were asked for."""
    exactly, calls = module.exact_runs, []

    def few(*words):
        calls.append(1)
        return None if len(calls) == 3 else exactly(*words)

    monkeypatch.setattr(module, "exact_runs", few)
    monkeypatch.setattr(module, "TRIALS", 40)
    result = sheet_sensitivity(three)
    assert {(row["method"], row["trials"]) for row in result} == {("mc", 40)}
    calls.clear()
    with pytest.raises(InputError, match=r"^method: there are more than .* ways for the dice"):
        sheet_sensitivity(three, method="exact")


@pytest.mark.parametrize("run", [{}, {"trials": 40, "seed": 1}])
def test_ctrl_c_keeps_the_readings_done(three, monkeypatch, run):
    play, calls = ask_sheet("wing").__class__.compiled, []

    def compiled(*words):
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return play(*words)

    whole = sheet_sensitivity(three, **run)
    monkeypatch.setattr(three.__class__, "inputs", whole.rows[0]["inputs"])
    monkeypatch.setattr(three.__class__, "compiled", compiled)
    result = sheet_sensitivity(three, **run, partial=True)
    assert result.stopped == f"3 of {count_flips()} readings"
    assert len(result) == 3
    assert all(row in whole.rows for row in result)
    text = plain_text(result, 80)
    assert f"stopped after 3 of {count_flips()} readings" in text
    calls.clear()
    with pytest.raises(KeyboardInterrupt):
        sheet_sensitivity(three, **run)


def test_ctrl_c_before_any_reading(three, monkeypatch):
    def compiled(*words):
        raise KeyboardInterrupt

    monkeypatch.setattr(three.__class__, "inputs", "")
    monkeypatch.setattr(three.__class__, "compiled", compiled)
    result = sheet_sensitivity(three, trials=40, partial=True)
    assert (len(result), result.stopped) == (0, f"0 of {count_flips()} readings")
    assert "stopped after 0 of" in plain_text(result, 80)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"measure": "loss"}, r'^measure: no "loss"; .*lost'),
        ({"side": "Lyon"}, r'^side: no "Lyon"'),
        ({"trials": 19}, "^trials: 19 should be at least 20 to compare"),
        ({"trials": 0}, "^trials"),
        ({"method": "exact", "seed": 2}, "^method: exact odds have no trials"),
    ],
)
def test_refusals(three, more, told):
    with pytest.raises(InputError, match=told):
        sheet_sensitivity(three, **more)


def test_files_and_notebooks(three, tmp_path):
    for run in ({}, {"trials": 40, "seed": 1}):
        result = sheet_sensitivity(three, **run)
        for form in ("csv", "json", "parquet"):
            result.save(tmp_path / f"found.{form}")
        assert json.loads((tmp_path / "found.json").read_text()) == result.rows
        assert pq.read_table(tmp_path / "found.parquet").to_pylist() == result.rows
        kinds = {str(pq.read_schema(tmp_path / "found.parquet").field("low").type)}
        assert kinds == {"double"}
        assert "assumed players: all still" in result._repr_html_()


@pytest.mark.parametrize("run", [{}, {"trials": 40, "seed": 1}])
def test_the_picture(three, run, tmp_path):
    result = sheet_sensitivity(three, measure="routed", **run)
    (axes,) = result.plot().axes
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == [row["difference"] for row in result]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[0].endswith(result.rows[0]["read_as"])
    assert len(axes.collections) == bool(run)  # intervals
    for name in ("a.svg", "b.svg"):
        save_figure(result.plot(), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_no_line_is_wider_than_the_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # so that no long path is in a line
    pieces = [piece("a unit with a name that is rather long", hex="0,0", cohesion="routed")]
    write(tmp_path / "s.toml", pieces, [wing()], rows=["..."] * 3)
    for question in (ask_sheet("s.toml"), ask_sheet("skirmish", turns=2)):
        text = plain_text(sheet_sensitivity(question, trials=40, seed=1), 80)
        assert max(map(len, text.splitlines())) <= 80
