"""Activations lost by cause: 8.1's values, both drivers, what was never seen, Ctrl-C."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pyarrow.parquet as pq
import pytest
from sheet_asked import line, piece, wing, write

from estoc.kernels.layout.sheet import End
from estoc.kernels.sheet.trials import What
from estoc.profiles import InputError
from estoc.sim.base.printed import plain_text
from estoc.sim.base.run import Run
from estoc.sim.base.stats import wilson
from estoc.sim.sheet import runs as sheet_runs
from estoc.sim.sheet import runs as sheet_tape
from estoc.sim.sheet.losses import CAUSES, lost
from estoc.sim.sheet.question import ask_sheet
from estoc.sim.sheet.runs import Task, estimate, exact_runs, leaves

HALF = Fraction(1, 2)
INWARD = "4,3,2,1,0"


def cause(result, name):
    return next(row for row in result if name in (row["clause"], row["cause"]))


@pytest.fixture
def five(tmp_path):
    return line(tmp_path / "five.toml")


@pytest.mark.parametrize(
    ("order", "turns", "expected"),
    [(None, 1, "11/4"), (INWARD, 1, "3/2"), (None, 2, "213/32"), (INWARD, 2, "15/4")],
)
def test_activations_lost_to_rout_on_a_line_of_five(five, order, turns, expected):
    question = ask_sheet(five, players=["still"], order=order, turns=turns, fail=HALF)
    result = lost(question, method="exact")
    assert cause(result, "A1")["exact"] == expected
    assert cause(result, "A1")["mean"] == float(Fraction(expected))
    assert {row["low"] for row in result} == {None}
    assert {row["remainder"] for row in result} == {0.0}


@pytest.mark.parametrize("q", ["1/6", "5/6"])
@pytest.mark.parametrize("order", [None, INWARD])
def test_how_many_are_routed_at_the_end(five, q, order):
    """Means of 8.1's laws of a static line."""
    chance = Fraction(q)
    law = {k: k * chance ** (k - 1) * (1 - chance) ** 2 for k in range(1, 5)}
    outward = sum(k * p for k, p in law.items()) + 5 * (1 - sum(law.values()))
    expected = outward if order is None else 1 + 2 * chance - chance**2
    question = ask_sheet(five, players=["still"], order=order, fail=chance)
    assert cause(lost(question), "routed")["exact"] == str(expected)


def test_trials_agree_with_exact_odds(five):
    """Three means of four situations within 4 standard errors: one set in 1300 would fail."""
    for order, turns in product((None, INWARD), (1, 2)):
        question = ask_sheet(five, players=["still"], order=order, turns=turns, fail=HALF)
        exact, trials = lost(question), lost(question, trials=20_000, seed=5)
        for name in ("A1", "lost", "routed"):
            row = cause(trials, name)
            error = (row["high"] - row["low"]) / 2 / 1.959964
            gap = row["mean"] - cause(exact, name)["mean"]
            assert abs(gap) <= 4 * error + 1e-12, (order, turns, name)


def test_threads_and_chunks_change_nothing(monkeypatch):
    question = ask_sheet("skirmish", turns=2)
    one = lost(question, trials=300, seed=8, threads=1)
    monkeypatch.setattr(sheet_tape, "CHUNK", 37)
    two = lost(question, trials=300, seed=8, threads=2)
    assert one.rows == two.rows
    assert one.rows != lost(question, trials=300, seed=9).rows


def causes_of(tmp_path):
    """Pieces that each lose their activation to one cause, by the piece's name."""
    ours = [
        piece("routed", hex="0,0", cohesion="routed", cannot=["flee", "rally"]),
        piece("idle", hex="2,0"),
    ]
    return write(tmp_path / "causes.toml", ours, [wing()], rows=["...."])


def test_causes_add_up(tmp_path):
    question = ask_sheet(causes_of(tmp_path), players=["still"])
    result = lost(question, method="exact")
    by_clause = {row["clause"]: row["exact"] for row in result if row["cause"] != "lost"}
    assert by_clause["A1"] == "1"
    assert by_clause["A6"] == by_clause["F0"] == by_clause["S2c"] == by_clause["A3"] == "0"
    assert cause(result, "nothing wanted is permitted")["exact"] == "1"
    assert cause(result, "lost")["exact"] == "2"


def test_a_sides_own_causes():
    """All causes together are what is lost, of either side and in any number of turns."""
    for side in ("Lion", "Raven"):
        result = lost(ask_sheet("skirmish", turns=2), side=side, trials=200, seed=2)
        causes = sum(row["mean"] for row in result if row["cause"] not in ("lost", "routed"))
        assert causes == pytest.approx(cause(result, "lost")["mean"])
        assert set(CAUSES) == set(End) - {End.USED}
        assert {row["side"] for row in result} == {side}


# --- all runs, each with its chance ---------------------------------------------------------


def test_runs_of_every_chance_add_up_to_one(five):
    question = ask_sheet(five, players=["still"], fail=Fraction(1, 3))
    runs = exact_runs(question.compiled(), Task(What.TURNS))
    assert sum(weight for weight, _ in runs) == 1
    assert all(weight > 0 for weight, _ in runs)


@pytest.mark.parametrize(("q", "runs"), [(0, 1), (1, 1)])
def test_what_follows_an_outcome_of_no_weight_is_skipped(five, monkeypatch, q, runs):
    tried = []
    add = Task.add
    monkeypatch.setattr(Task, "add", lambda *words: tried.append(1) or add(*words))
    question = ask_sheet(five, players=["still"], fail=Fraction(q))
    found = list(leaves(question.compiled(), Task(What.TURNS)))
    assert [weight for weight, _ in found] == [1] * runs
    assert len(tried) <= 1 + 4 + 1  # each of at most four tests has one other outcome


def test_too_many_runs_are_left_to_trials(monkeypatch):
    monkeypatch.setattr(sheet_tape, "MOST_RUNS", 50)
    monkeypatch.setattr(sheet_runs, "MOST_RUNS", 50)
    question = ask_sheet("skirmish")
    with pytest.raises(InputError, match=r"^method: there are more than 50 ways for the dice"):
        lost(question, method="exact")
    runs = sheet_runs.driven(question, Task(What.TURNS), Run(), usual=60)
    assert (runs.exact, runs.how.trials) == (None, 60)


def test_giving_up_early(monkeypatch):
    """After a glance, when a few runs have next to no chance."""
    monkeypatch.setattr(sheet_tape, "GLANCE", 20)
    tried = []
    add = Task.add
    monkeypatch.setattr(Task, "add", lambda *words: tried.append(1) or add(*words))
    question = ask_sheet("skirmish", turns=3)
    assert exact_runs(question.compiled(), Task(What.TURNS), patient=False) is None
    assert len(tried) < 2_000 < sheet_tape.MOST_RUNS


# --- what was never seen ---------------------------------------------------------------------


def test_what_was_never_seen_has_an_upper_bound(five):
    """By odds of one in many, a rout of all five: 0 is seen, and is not sure."""
    result = lost(ask_sheet(five, players=["still"]), trials=100, seed=1)
    row = cause(result, "F0")
    assert (row["mean"], row["low"]) == (0, 0)
    assert row["high"] == float(wilson(0, 100)[1]) > 0
    assert "0 to 0 " not in plain_text(result, 80)


@pytest.mark.parametrize(
    ("by_value", "low", "high"),
    [
        ([100, 0, 0], 0, 0.03699),
        ([0, 100, 0], 1 - 0.03699, 1 + 0.03699),
        ([0, 0, 100], 2 - 0.03699, 2),
        ([100, 0], 0, 0.03699),
        ([0, 100], 1 - 0.03699, 1),
    ],
)
def test_intervals_of_what_was_always_the_same(by_value, low, high):
    row = estimate(np.array(by_value))
    assert (row["low"], row["high"]) == (
        pytest.approx(low, abs=1e-4),
        pytest.approx(high, abs=1e-4),
    )


def test_intervals_stay_within_what_can_be():
    rare = estimate(np.array([999, 1, 0]))
    assert rare["low"] == 0 < rare["mean"] < rare["high"]
    assert estimate(np.array([1, 0, 999]))["high"] == 2
    half = estimate(np.array([50, 50]))
    assert (half["low"], half["high"]) == tuple(float(end) for end in wilson(50, 100))


def test_intervals_hold_what_they_should():
    """Of 400 means of a law of three values, 95 % miss: 20 misses, within 4 errors of 4.4."""
    random = np.random.default_rng(7)
    law = [0.5, 0.3, 0.2]
    rows = [estimate(random.multinomial(500, law)) for _ in range(400)]
    missed = sum(not row["low"] <= 0.7 <= row["high"] for row in rows)
    assert abs(missed - 20) < 4 * 4.4


def test_nothing_done_is_nothing_known(five, monkeypatch):
    assert estimate(np.zeros(4, np.int64)) == {"mean": None, "low": None, "high": None}

    def stopped(*asked):
        raise KeyboardInterrupt

    monkeypatch.setattr(sheet_tape, "batches", stopped)
    result = lost(ask_sheet(five), trials=10, seed=1, partial=True)
    assert (result.stopped, {row["mean"] for row in result}) == ("0 of 10 trials", {None})
    assert "–" in plain_text(result, 80)


# --- runs that are stopped, answers that are kept ----------------------------------------------


def test_ctrl_c_keeps_what_was_done(five, monkeypatch):
    monkeypatch.setattr(sheet_tape, "CHUNK", 40)
    done = []

    def advance(trials):
        done.append(trials)
        if len(done) == 3:
            raise KeyboardInterrupt

    question = ask_sheet(five, players=["still"], fail=HALF)
    asked = {"trials": 1000, "seed": 4, "threads": 1, "progress": advance}
    result = lost(question, **asked, partial=True)
    assert result.stopped == "120 of 1,000 trials"
    assert {row["trials"] for row in result} == {120}
    assert result.rows == lost(question, trials=120, seed=4).rows
    assert "--trials 120" in result.command
    assert "stopped after 120 of 1,000 trials" in plain_text(result, 80)
    done.clear()
    with pytest.raises(KeyboardInterrupt):
        lost(question, **asked)


def test_files_hold_the_same_rows(five, tmp_path):
    for run in ({}, {"trials": 50, "seed": 1}):
        result = lost(ask_sheet(five, players=["still"]), **run)
        for form in ("csv", "json", "parquet"):
            result.save(tmp_path / f"found.{form}")
        assert json.loads((tmp_path / "found.json").read_text()) == result.rows
        assert pq.read_table(tmp_path / "found.parquet").to_pylist() == result.rows
        schema = pq.read_schema(tmp_path / "found.parquet")
        kinds = [
            str(schema.field(name).type) for name in ("mean", "low", "high", "trials", "exact")
        ]
        assert kinds == ["double", "double", "double", "int64", "string"]
        assert len((tmp_path / "found.csv").read_text().splitlines()) == 1 + len(result)


def test_the_notes_say_what_was_used(five):
    text = " ".join(plain_text(lost(ask_sheet("skirmish"), trials=50, seed=6), 80).split())
    assert "50 trials, seed 6; estoc" in text
    assert "assumed players: all bold, who want shock fire attack_move" in text
    assert "rout 4 (ELITE 3, MAGICAL 3, DEMONIC 2); morale 4 (ELITE 3)" in text
    assert "UNSHAKEABLE" not in text  # nobody is
    settings = ["modifier.shaken=0", "modifier.exhausted=-2"]
    readings = ["select.mode=M1"]
    question = ask_sheet(five, players=["still"], settings=settings, readings=readings, fail=HALF)
    text = " ".join(plain_text(lost(question), 80).split())
    assert "exact: every way for the dice to fall" in text
    assert "rout fails with 1/2" in text
    assert "morale" not in text  # nobody frightens
    assert "modifiers of engagement, discipline, rally: exhausted -2, leader" in text
    assert "read otherwise than chosen: select.mode=M1" in text
    assert "players: Lion" not in text


def test_players_are_told_apart():
    question = ask_sheet("skirmish", players=["Raven=careful"])
    assert question.decided().startswith(
        "assumed players: Lion bold, Raven careful, who want shock"
    )
    with pytest.raises(InputError, match=r'^player: no side "Ravn"; .*Raven'):
        ask_sheet("skirmish", players=["Ravn=careful"])
    with pytest.raises(InputError, match=r'^player: no "carefull"; .*careful'):
        ask_sheet("skirmish", players=["carefull"])


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"order": "Troll,Troll"}, "order: Troll is named twice"),
        ({"order": "Trol"}, r'order: no piece "Trol"|order: .*Troll'),
        ({"turns": 0}, "turns: 0 should be from 1 to 100"),
        ({"settings": ["rout.ELIT=2"]}, r'set: no value "rout.ELIT"'),
        ({"settings": ["rout.ELITE"]}, "should be KEY=VALUE"),
        ({"readings": ["select.mode=M3"]}, "select.mode"),
        ({"readings": ["select.mod=M1"]}, "select.mode"),
        ({"fail": Fraction(3, 2)}, "fail 3/2 should be from 0 to 1, as 1/2"),
        ({"tests": "no-such.toml"}, "cannot be read"),
        ({"world": "no-such.toml"}, "cannot be read"),
    ],
)
def test_refusals_are_one_clear_line(more, told):
    with pytest.raises(InputError, match=told) as caught:
        ask_sheet("skirmish", **more)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("run", "told"),
    [
        ({"side": "Lyon"}, r'^side: no "Lyon"; .*Lion'),
        ({"trials": 0}, "^trials"),
        ({"trials": 5, "seed": -1}, "^seed"),
        ({"method": "exact", "trials": 5}, "^method: exact odds have no trials"),
    ],
)
def test_runs_that_cannot_be(run, told):
    with pytest.raises(InputError, match=told):
        lost(ask_sheet("skirmish"), **run)
