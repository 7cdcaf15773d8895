"""What reports say of answers: sentences, what cannot be told, dice, cards, rows as kept."""

import gzip
import json
import re
from base64 import b64decode
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reports import cell, many_rows, run_of, written
from running import GUARD, WARRIOR
from scipy.stats import norm

from estoc.profiles import Roster
from estoc.profiles.armies.army import load_army
from estoc.profiles.armies.scenario_file import load_scenario
from estoc.sim.base.options import Options
from estoc.sim.base.percent import UNKNOWN, decimals_of, figure, figures
from estoc.sim.base.sequence import Stopping
from estoc.sim.base.stats import wilson
from estoc.sim.battle.losses import tail
from estoc.sim.combat.duel import duel
from estoc.sim.combat.sweep import SWEEP, sweep
from estoc.sim.report.cards import card_tables, profiles_of
from estoc.sim.report.charts import DISCOVERY, draw_losses, draw_rounds, step_of, told_apart
from estoc.sim.report.placing import placing_tables, placings
from estoc.sim.report.report import contents, report, rows_table
from estoc.sim.report.words import sentences, winner
from estoc.sim.worth.solve import solve


@pytest.fixture(scope="module")
def exact_sweep():
    return sweep(GUARD, WARRIOR, best=True)


@pytest.fixture(scope="module")
def sampled_sweep():
    return sweep(GUARD, WARRIOR, best=True, trials=300, seed=5)


DECLARED = {column.name: column for column in SWEEP.schema}


def said(result):
    """Return the sentences of an answer, whatever spaces they have."""
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in sentences(result)]


# --- sentences ------------------------------------------------------------------------


def test_an_exact_answer_has_no_interval_and_says_so():
    (text,) = said(duel(GUARD, WARRIOR))
    assert "exact" in text
    assert "interval" not in text


def test_a_sampled_answer_has_its_interval_and_its_trials():
    result = duel(GUARD, WARRIOR, trials=3_000, seed=5)
    (text,) = said(result)
    assert "sampled, n = 3,000" in text
    assert text.count("95 % Wilson interval") == 3
    (row,) = result.rows
    low, high = (100 * row[f"p_a_{end}"] for end in ("low", "high"))
    told = re.search(r"A wins [\d.]+ % \(95 % Wilson interval ([\d.]+) – ([\d.]+)\)", text)
    assert [float(end) for end in told.groups()] == pytest.approx([low, high], abs=0.06)


def test_what_was_never_seen_is_an_upper_bound():
    """All in defence never wins: 0 of 300."""
    result = duel(GUARD, WARRIOR, dice=("0/2", "0/2"), trials=300, seed=5)
    (text,) = said(result)
    assert "A wins < " in text
    assert " 0 %" not in text
    assert "cannot be told" in text


@given(st.lists(st.integers(1, 10_000), min_size=2, max_size=4))
def test_parts_of_a_sample_add_up_to_100(counts):
    texts, trials = figures(counts), sum(counts)
    places = {len(text.partition(".")[2]) for text in texts}
    assert [len(t.partition(".")[2]) for t in texts] == [decimals_of(k, trials) for k in counts]
    if len(places) == 1:
        assert sum(map(Decimal, texts)) == 100
    unit = Decimal(10) ** -max(places)
    for text, count in zip(texts, counts, strict=True):
        assert abs(Decimal(text) - Decimal(100 * count) / trials) < (
            unit if len(places) == 1 else Decimal(10) ** -len(text.partition(".")[2])
        )


def test_parts_that_were_never_seen_are_bounds():
    assert figures([0, 30, 70]) == [figure(0, 100), figure(30, 100), figure(70, 100)]
    assert figures([0, 0]) == [UNKNOWN] * 2


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
    first, *rest = said(exact_sweep)
    assert ": 9 duels: " in first
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


def names_of(**asked):
    return {profile.name for profile in profiles_of(asked, Roster.load())}


def test_cards_of_battles_are_those_of_the_scenario_and_of_the_lists():
    foot, elite = (load_army(name) for name in ("daikinee-foot", "devoreurs-elite"))
    of_foot, of_elite = ({c.profile.name for c in army.cards} for army in (foot, elite))
    assert names_of(command="matchup", lists=["daikinee-foot", "devoreurs-elite"]) == (
        of_foot | of_elite
    )
    fighters = {placed.profile.name for placed in load_scenario("ambush").fighters}
    assert names_of(command="battle", scenario="ambush") == fighters
    assert names_of(command="compare", battles="ambush") == fighters
    asked = {"command": "compare", "battles": ["daikinee-foot", "vs", "daikinee-foot"]}
    assert names_of(**asked) == of_foot
    assert names_of(**asked, change="army-b=devoreurs-elite") == of_foot | of_elite
    assert names_of(command="battle", scenario="nowhere.toml") == set()
    assert names_of(command="duel", a=GUARD) == set()


# --- losses and last turns -----------------------------------------------------------------


def loss_rows(counts, what):
    ends = Stopping(sum(counts)).proportions
    return [{"what": what, **row} for row in tail(np.array(counts), ends)]


def test_losses_are_drawn_as_they_are_counted():
    """0 to 2 fighters of 7, 9 and 4 battles; their PA 0, 23 and 39: classes of 2."""
    points = [0] * 40
    points[0], points[23], points[39] = 7, 9, 4
    mine = loss_rows([7, 9, 4], "fighters lost") + loss_rows(points, "points lost")
    theirs = loss_rows([20], "fighters lost") + loss_rows([20], "points lost")
    exactly, at_least, pa, pa_at_least = draw_losses({"p": mine, "q": theirs}).axes
    assert [bar.get_height() for bar in exactly.patches] == pytest.approx([35, 45, 20, 100])
    assert [bar.get_height() for bar in at_least.patches] == pytest.approx([100, 65, 20, 100])
    assert sum(bar.get_height() for bar in pa.patches) == pytest.approx(200)
    assert {round(bar.get_width(), 9) for bar in pa.patches} == {0.5 * step_of(39)}
    line = pa_at_least.lines[0]
    assert line.get_xdata().tolist() == [0, 23, 39]
    assert line.get_ydata() == pytest.approx([100, 65, 20])
    (whiskers, *_) = at_least.collections
    low, high = wilson(13, 20)
    assert whiskers.get_segments()[1][:, 1] == pytest.approx([100 * low, 100 * high])


@given(st.integers(0, 100_000))
def test_classes_are_few_and_round(most):
    step = step_of(most)
    assert most // step < 20
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert step == 1 or most // (step // 2) >= 10


def test_a_turn_in_which_no_battle_ended_has_a_bound():
    rows = [{"turn": turn, "count": count} for turn, count in ((1, 0), (2, 30), (3, 70))]
    (axes,) = draw_rounds(rows, lambda battles: battles / 2).axes
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([0, 30, 70])
    (whiskers,) = axes.collections
    tops = [segment[1, 1] for segment in whiskers.get_segments()]
    assert tops == pytest.approx([100 * wilson(n / 2, 50)[1] for n in (0, 30, 70)])
    assert tops[0] > 0


# --- rows -----------------------------------------------------------------------------


def unpacked(table):
    return json.loads(gzip.decompress(b64decode(table.data)))


def test_rows_are_all_there_as_they_are(sampled_sweep):
    table = rows_table(sampled_sweep.rows, DECLARED)
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
    table = rows_table(rows, DECLARED)
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


def test_points_of_a_grid_are_told_one_by_one():
    results = [duel(GUARD, WARRIOR, options=Options(turns=turns)) for turns in (1, 2)]
    answered = [
        cell("grid", result, number=k, point={"turns": k + 1}) for k, result in enumerate(results)
    ]
    (chapter,) = contents(run_of(*answered)).chapters
    assert [text.partition(":")[0] for text in chapter.sentences] == ["turns=1", "turns=2"]
    names = {column["name"] for column in unpacked(chapter.rows)["columns"]}
    assert {"cell", "point"} <= names
