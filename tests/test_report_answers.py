"""What reports say of answers: sentences, what cannot be told, dice, cards, rows as kept."""

import gzip
import json
import re
from base64 import b64decode
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from reports import cell, many_rows, run_of, written
from running import GUARD, WARRIOR, estoc
from scipy.stats import norm

from estoc.profiles import Roster
from estoc.sim.duel import duel
from estoc.sim.language import spoken
from estoc.sim.params import Options
from estoc.sim.report import contents, report
from estoc.sim.report_cards import card_tables
from estoc.sim.report_charts import DISCOVERY, told_apart
from estoc.sim.report_placing import placing_tables, placings
from estoc.sim.report_rows import rows_table
from estoc.sim.report_words import sentences, winner
from estoc.sim.solve import solve
from estoc.sim.sweep import sweep


@pytest.fixture(scope="module")
def exact_sweep():
    return sweep(GUARD, WARRIOR, best=True)


@pytest.fixture(scope="module")
def sampled_sweep():
    return sweep(GUARD, WARRIOR, best=True, trials=300, seed=5)


# --- sentences ------------------------------------------------------------------------


def test_an_exact_answer_has_no_interval_and_says_so():
    (text,) = sentences(duel(GUARD, WARRIOR))
    assert "exact" in text
    assert "interval" not in text


def test_a_sampled_answer_has_its_interval_and_its_trials():
    result = duel(GUARD, WARRIOR, trials=3_000, seed=5)
    (text,) = sentences(result)
    assert "sampled, n = 3,000" in text
    assert text.count("95 % interval") == 3
    (row,) = result.rows
    low, high = (100 * row[f"p_a_{end}"] for end in ("low", "high"))
    told = re.search(r"A wins [\d.]+ % \(95 % interval ([\d.]+) – ([\d.]+)\)", text)
    assert [float(end) for end in told.groups()] == pytest.approx([low, high], abs=0.06)


def test_what_was_never_seen_is_an_upper_bound():
    """All in defence never wins: 0 of 300."""
    result = duel(GUARD, WARRIOR, dice=("0/2", "0/2"), trials=300, seed=5)
    (text,) = sentences(result)
    assert "A wins < " in text
    assert " 0 %" not in text
    assert "cannot be told" in text


@pytest.mark.parametrize(
    ("a", "b", "who"),
    [(59, 41, 0), (60, 40, 1), (75, 25, 1), (25, 75, -1), (1, 0, 0), (0, 0, 0), (50, 50, 0)],
)
def test_who_wins_more_often_is_said_only_if_it_can_be_told(a, b, who):
    row = {"trials": 1_000, "wins_a": a, "wins_b": b}
    assert winner(row) == who
    # a sign test of the decided trials agrees
    assert (abs(a - b) > norm.ppf(0.975) * (a + b) ** 0.5) == bool(who)


def test_the_safest_dice_are_named(exact_sweep):
    first, *rest = sentences(exact_sweep)
    assert "of 9 duels" in first
    (told,) = rest
    safest = {row["dice_a"] for row in exact_sweep if row["safest_a"]}
    assert told.endswith(f"the safest dice are {safest.pop()}.")


# --- what can be told -----------------------------------------------------------------


def score_rows(errors):
    """Return scores of every two of some entrants, so many standard errors from one half."""
    names = "pqrstu"
    for (x, y), z in zip(combinations(names, 2), errors, strict=False):
        half = norm.ppf(0.975) * 0.02
        for one, other, sign in ((x, y, 1), (y, x, -1)):
            score = 0.5 + sign * z * 0.02
            ends = {"score": score, "score_low": score - half, "score_high": score + half}
            yield {"entrant": one, "other": other, **ends}
    for name in names:
        yield {"entrant": name, "other": name, "score": 0.5, "score_low": 0.5, "score_high": 0.5}


def test_meetings_are_told_apart_by_benjamini_and_hochberg():
    errors = np.array([4.0, 3.1, 2.75, 2.4, 2.1, 2.0, 1.97, *np.linspace(0, 1.5, 8)])
    chances = 2 * norm.sf(errors)  # from the most to the least surprising
    order = np.argsort(chances)
    steps = DISCOVERY * np.arange(1, len(errors) + 1) / len(errors)
    last = max(np.flatnonzero(chances[order] <= steps))
    wanted = {int(place) for place in order[: last + 1]}
    told = told_apart(list(score_rows(errors)))
    shown = [is_shown for row, is_shown in told if row["entrant"] < row["other"]]
    assert {place for place, is_shown in enumerate(shown) if is_shown} == wanted
    assert 2 < len(wanted) < (chances <= DISCOVERY).sum()  # stricter than each for itself
    of_both = {frozenset((row["entrant"], row["other"])): shown for row, shown in told}
    assert all(of_both[frozenset((r["entrant"], r["other"]))] == s for r, s in told)
    assert not any(shown for row, shown in told if row["entrant"] == row["other"])


# --- dice to place --------------------------------------------------------------------


def test_placing_costs_are_those_of_the_worst_replies(exact_sweep):
    worth = {(r["dice_a"], r["dice_b"]): r["p_a"] - r["p_b"] for r in exact_sweep}
    worst = {a: min(v for (own, _), v in worth.items() if own == a) for a, _ in worth}
    best = max(worst.values())
    found = placings(exact_sweep.rows)
    assert {one.dice: one.cost for one in found} == pytest.approx(
        {dice: best - value for dice, value in worst.items()}
    )
    assert found[0].cost == 0
    assert not found[0].told
    assert all(one.told for one in found[1:])
    (table,) = placing_tables(exact_sweep)
    assert [line[0] for line in table.lines] == [one.dice for one in found]
    assert not any("cannot be told" in cell for line in table.lines for cell in line)


def test_a_cost_that_trials_cannot_tell_is_said_to_be_so(sampled_sweep):
    """1/1 and 0/2 differ by some points; of 300 trials the error of each is near 2."""
    few = many_rows(sampled_sweep.rows, 9)
    for row in few:
        if row["dice_a"] != "2/0":
            row |= {"p_a": 0.1, "p_b": 0.1, "value": 0.0 if row["dice_a"] == "1/1" else -0.01}
        else:
            row |= {"p_a": 0.5, "p_b": 0.1, "value": 0.4}
    assert [one.told for one in placings(few)] == [False, True, True]
    for row in few:
        row["value"] -= 0.39 * (row["dice_a"] == "2/0")
    assert [one.told for one in placings(few)] == [False] * 3
    (table,) = placing_tables(replace(sampled_sweep, rows=few))
    assert all("cannot be told from 0" in line[-1] for line in table.lines[1:])


def test_duels_that_are_missing_make_no_table(exact_sweep):
    assert list(placing_tables(replace(exact_sweep, rows=exact_sweep.rows[1:]))) == []


# --- cards ----------------------------------------------------------------------------


def test_what_was_set_stands_beside_what_the_card_says():
    result = solve(GUARD, WARRIOR, options=Options(sets=("A.ATT=7",)))
    asked = {"a": GUARD, "b": WARRIOR, "set": "A.ATT=7"}
    cards, changes = card_tables([cell("best", result, asked=asked)], Roster.load())
    guard = Roster.load().find(GUARD)
    assert [line[0] for line in cards.lines] == [guard.name, Roster.load().find(WARRIOR).name]
    assert str(guard.ATT) in cards.lines[0]
    assert changes.lines == [["best", guard.name, "ATT", str(guard.ATT), "7"]]


# --- rows -----------------------------------------------------------------------------


def unpacked(table):
    return json.loads(gzip.decompress(b64decode(table.data)))


def test_rows_are_all_there_as_they_are(sampled_sweep):
    table = rows_table(sampled_sweep.rows)
    found = unpacked(table)
    assert found["rows"] == table.rows == len(sampled_sweep)
    constant = dict(table.constant)
    columns = {}
    for column in found["columns"]:
        values = column["values"]
        if column["kind"] == "text":
            values = [None if v < 0 else column["texts"][v] for v in values]
        elif column["kind"] == "truth":
            values = [None if v is None else bool(v) for v in values]
        columns[column["name"]] = values
    for name in ("a", "b", "dice_a", "dice_b", "p_a", "p_a_low", "wins_a", "safest_a", "command"):
        wanted = [row[name] for row in sampled_sweep]
        if name in constant:
            assert {str(value) for value in wanted} == {constant[name]}
        else:
            assert columns[name] == wanted


def test_a_share_that_was_never_seen_is_not_told_as_a_constant(sampled_sweep):
    rows = [row | {"p_b": 0.0, "p_b_low": 0.0} for row in sampled_sweep]
    table = rows_table(rows)
    assert not {"p_b", "p_b_low"} & set(dict(table.constant))
    kinds = {column["name"]: column["kind"] for column in unpacked(table)["columns"]}
    assert (kinds["p_b"], kinds["p_b_low"]) == ("share", "end")
    assert dict(table.constant)["turns"] == "1"


def test_a_report_is_the_same_each_time(exact_sweep, tmp_path):
    run = run_of(cell("sweep", exact_sweep))
    pages = [written(run, tmp_path / name).read_bytes() for name in ("one.html", "two.html")]
    assert pages[0] == pages[1]


def test_a_page_names_nothing_outside_it(exact_sweep):
    text = report(run_of(cell("sweep", exact_sweep)))
    addresses = re.findall(r"""(?:src|href)\s*=\s*["']([^"']*)""", text)
    assert addresses
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert "<b>not bold</b>" not in text
    assert "&lt;b&gt;not bold&lt;/b&gt;" in text


# --- all of it ------------------------------------------------------------------------


def test_jobs_stand_in_order_and_say_what_failed(exact_sweep):
    failed = cell("broken", replace(exact_sweep, rows=[]), number=1, failure="no such fighter")
    found = contents(
        run_of(cell("sweep", exact_sweep), failed, errors=("cell 1: no such fighter",))
    )
    assert [chapter.name for chapter in found.chapters] == ["sweep", "broken"]
    assert found.errors == ["cell 1: no such fighter"]
    assert found.chapters[1].sentences == ["failed: no such fighter"]
    assert found.chapters[1].rows is None
    assert found.chapters[0].charts


def test_points_of_a_grid_are_told_one_by_one():
    results = [duel(GUARD, WARRIOR, options=Options(turns=turns)) for turns in (1, 2)]
    answered = [
        cell("grid", result, number=k, point={"turns": k + 1}) for k, result in enumerate(results)
    ]
    (chapter,) = contents(run_of(*answered)).chapters
    assert [text.partition(":")[0] for text in chapter.sentences] == ["turns=1", "turns=2"]
    names = {column["name"] for column in unpacked(chapter.rows)["columns"]}
    assert {"cell", "point"} <= names


def test_the_language_of_a_page(exact_sweep):
    with spoken("fr"):
        text = report(run_of(cell("sweep", exact_sweep)))
    assert '<html lang="fr">' in text
    assert '<html lang="en">' in report(run_of(cell("sweep", exact_sweep)))


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    batch = f'[[job]]\nname = "one"\ncommand = "duel"\na = "{GUARD}"\nb = "{WARRIOR}"\n'
    (tmp_path / "b.toml").write_text(batch, encoding="utf-8")
    assert estoc("run", "b.toml", "-o", "one.run").code == 0
    done = estoc("report", "one.run", "-o", "page.html")
    assert (done.code, done.out) == (0, "")
    assert "A wins" in (tmp_path / "page.html").read_text(encoding="utf-8")
    for words, fault in (
        (("report", "nowhere"), "nowhere"),
        (("report", "one.run", "-o", "none/page.html"), "none"),
    ):
        done = estoc(*words)
        assert done.code == 2
        assert fault in done.err
        assert len(done.err.splitlines()) == 1
