"""Points audits: who is found, how sure, and that editions are never put together."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from running import estoc
from scipy.stats import t as student

from estoc.profiles import InputError, Roster
from estoc.sim.base.options import Options
from estoc.sim.base.result import Result
from estoc.sim.worth import points
from estoc.sim.worth.book import BOOK, solve_book
from estoc.sim.worth.fit import FEWEST, price_fit
from estoc.sim.worth.points import (
    EQUILIBRIUM,
    EXCHANGE,
    OVER,
    UNDER,
    Values,
    points_audit,
    values_of,
)
from estoc.sim.worth.points_table import verdict

ROSTER = Roster.load()
C3 = [p for p in ROSTER if p.origin == "C3" and p.PA and p.INI is not None and p.ATT is not None]


def section(result, name):
    return [row for row in result if row["section"] == name]


@pytest.fixture(autouse=True)
def _no_collection(monkeypatch):
    """Statsmodels has all garbage collected at each fit: seconds among the objects of a suite."""
    monkeypatch.setattr("gc.collect", lambda *generation: 0)


def line(seed=5, n=24, slope=0.3, noise=1.0):
    rng = np.random.default_rng(seed)
    costs = rng.uniform(10, 90, n)
    return costs, 2 + slope * costs + rng.normal(0, noise, n)


def test_who_lies_far_from_the_line_is_found():
    costs, values = line()
    values[7] += 9
    fit = price_fit(costs, values)
    assert fit.form == "PA"
    assert np.flatnonzero(fit.p_adjusted < 0.05).tolist() == [7]
    assert fit.t[7] > 5


def test_nobody_is_found_on_a_line_of_noise_more_often_than_is_said():
    """Of 30 lines, 1.5 have somebody at 5 %; 9 or more: below 1e-4."""
    found = sum((price_fit(*line(seed)).p_adjusted < 0.05).any() for seed in range(30))
    assert found < 9


def test_leverage_and_influence_are_those_of_the_closed_forms():
    costs, values = line(9)
    fit = price_fit(costs, values)
    x = np.column_stack([np.ones(len(costs)), costs])
    hat = x @ np.linalg.inv(x.T @ x) @ x.T
    left = values - hat @ values
    h, n, k = np.diag(hat), len(costs), 2
    assert fit.leverage == pytest.approx(h)
    inner = left / np.sqrt(left @ left / (n - k) * (1 - h))
    assert fit.cook == pytest.approx(inner**2 / k * h / (1 - h))
    outer = inner * np.sqrt((n - k - 1) / (n - k - inner**2))
    assert fit.t == pytest.approx(outer)
    assert fit.p == pytest.approx(2 * student.sf(np.abs(outer), n - k - 1))
    assert fit.dffits == pytest.approx(outer * np.sqrt(h / (1 - h)))
    assert fit.pulls.tolist() == (fit.cook > 4 / n).tolist()


def test_the_chances_of_all_cards_are_adjusted_as_holm_says():
    fit = price_fit(*line(3))
    order = np.argsort(fit.p)
    steps = np.maximum.accumulate(fit.p[order] * np.arange(len(order), 0, -1))
    assert fit.p_adjusted[order] == pytest.approx(np.minimum(steps, 1.0))


def test_a_curve_in_the_logarithm_is_told():
    costs, _ = line()
    rng = np.random.default_rng(1)
    assert price_fit(costs, 5 * np.log(costs) + rng.normal(0, 0.2, len(costs))).form == "log PA"
    told = price_fit(costs, costs**2 / 50 + rng.normal(0, 0.2, len(costs))).diagnostics
    assert next(row for row in told if row["what"] == "RESET")["text"].startswith("doubtful")


def test_a_fair_price_is_where_the_line_has_the_value():
    costs, values = line(2, noise=0.5)
    fit = price_fit(costs, values)
    low, fair, high = fit.fair_price(20.0)
    assert fair is not None
    assert fit.band(np.array([fair]))[1][0] == pytest.approx(20.0, abs=0.05)
    assert low < fair < high
    assert fit.fair_price(1e6) == (None, None, None)


@pytest.mark.parametrize(
    ("costs", "why"),
    [
        ([10.0] * 7, "7 cards; 8 are needed"),
        ([10.0] * 8 + [20.0], "9 cards have 2 different PA; 3 are needed"),
        ([0.0, *range(1, 9)], "1 of 9 cards have no PA above 0"),
    ],
)
def test_prices_that_no_line_fits_are_refused(costs, why):
    with pytest.raises(InputError, match=why):
        price_fit(np.array(costs, float), np.arange(len(costs), dtype=float))


def book_of(worth):
    """Return a book in which row beats column by so much."""
    names = "abcdefgh"[: len(worth)]
    rows = [
        {"a": names[i] + "@x", "b": names[j] + "@x", "value": worth[i][j],
         "p_a": max(worth[i][j], 0), "p_b": max(-worth[i][j], 0)}
        for i in range(len(worth)) for j in range(i + 1, len(worth))
    ]  # fmt: skip
    own = [replace(C3[0], name=name, origin="x") for name in names]
    return Result(BOOK, rows), own


def test_values_in_equilibrium_of_a_game_by_hand():
    # stone, paper, scissors, and a fourth that loses to all: it is never brought
    game = [[0, -1, 1, 1], [1, 0, -1, 1], [-1, 1, 0, 1], [-1, -1, -1, 0]]
    found = values_of(*book_of(game), EQUILIBRIUM)
    assert found.shares == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-9)
    assert found.values == pytest.approx([0.5, 0.5, 0.5, 0.0])


def test_who_is_brought_is_said():
    notes = points_audit(["C3"], value=EQUILIBRIUM).notes
    assert "C3: brought where everyone brings his best: Shurat, le Maître de Guerre 100 %" in (
        notes[-1].partition(";")[0] if "brought" in notes[-1] else " ".join(notes)
    )


def test_values_in_exchange_are_the_mean_over_all_others():
    game = [[0, 4, 2], [-4, 0, 6], [-2, -6, 0]]
    found = values_of(*book_of(game), EXCHANGE)
    assert isinstance(found, Values)
    assert found.values.tolist() == [3, 1, -4]
    assert np.isnan(found.shares).all()


def test_a_pair_of_equal_price_counts_once():
    book, own = book_of([[0, 4], [-4, 0]])
    twice = [book.rows[0], {**book.rows[0], "value": 2}]
    assert values_of(Result(BOOK, twice), own, EXCHANGE).values.tolist() == [3, -3]


@pytest.fixture(scope="module")
def audit():
    return points_audit(["C3"])


def test_values_are_those_of_best_play(audit):
    book = solve_book(C3, options=Options(score="points"))
    worth = dict.fromkeys((p.label for p in C3), 0.0)
    for row in book:
        twice = 2 if row["pa_a"] == row["pa_b"] else 1  # by who chose the combat (C-3.3)
        worth[row["a"]] += row["value"] / twice
        worth[row["b"]] -= row["value"] / twice
    rows = section(audit, "fighter")
    assert len(rows) == len(C3) == 9
    for row in rows:
        assert row["value"] == pytest.approx(worth[f"{row['fighter']}@C3"] / 8)
        assert row["difference"] == pytest.approx(row["value"] - row["expected"])
    assert [row["t"] for row in rows] == sorted((row["t"] for row in rows), reverse=True)
    assert any("left out: Bougre avec Marteau-pioche" in note for note in audit.notes)


def test_editions_are_never_put_together(audit):
    plain = Options(abilities=False)
    alone, both = points_audit(["C3"], options=plain), points_audit(["C3", "C5"], options=plain)
    assert {row["origin"] for row in both} == {"C3", "C5"}
    own = [{**row, "command": both.command} for row in alone]
    assert [row for row in both if row["origin"] == "C3"] == own
    assert len(section(both, "fit")) == 6
    assert alone.rows != audit.rows


def test_a_price_that_is_far_too_high_is_found():
    def told(*sets):
        found = points_audit(["C5"], options=Options(abilities=False, sets=sets))
        rows = section(found, "fighter")
        return next(row for row in rows if row["fighter"] == "Arciere del Sangue")

    assert told()["verdict"] == ""
    dear = told("Arciere del Sangue.PA=160")
    assert (dear["PA"], dear["verdict"]) == (160, OVER)
    assert dear["pulls"]
    assert dear["fair_PA"] is None  # its own price is part of what it destroys and loses


def test_whose_abilities_are_not_all_played_is_said():
    (row,) = [r for r in section(points_audit(["C3"]), "fighter") if "Dragon" in r["fighter"]]
    told = {r["fighter"]: r["unplayed"] for r in section(points_audit(["C3"]), "fighter")}
    assert any(told.values())
    assert row["unplayed"] == told[row["fighter"]]
    plain = points_audit(["C3"], options=Options(abilities=False))
    assert {r["unplayed"] for r in section(plain, "fighter")} == {None}
    notes = points_audit(["C3"]).notes
    assert any(note.startswith("abilities not modelled: ") for note in notes)
    odd = [{"fighter": "é", "verdict": OVER, "unplayed": "Vol"}]
    assert "over-priced: é (not all abilities are played)" in verdict(odd)


def test_a_fair_price_is_told_where_the_own_price_is_no_part_of_the_value():
    rows = section(points_audit(["C3"], value=EQUILIBRIUM), "fighter")
    assert any(row["fair_PA"] for row in rows)


def test_who_is_told_to_be_wrongly_priced_is_said():
    rows = [{"fighter": "é", "verdict": UNDER}, {"fighter": "b", "verdict": OVER}]
    told = "of 2 cards, under-priced: é; over-priced: b (5 %, Holm)"
    assert verdict(rows) == told


def test_the_table_has_80_columns_and_the_picture_names_the_far(audit, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = estoc("audit", "C3").out.splitlines()
    assert max(map(len, lines)) <= 80
    told = "of 9 cards, none can be told to be wrongly priced (5 %, Holm); doubtful: the"
    assert told in [line.rstrip() for line in lines]
    texts = {text.get_text() for text in audit.plot().axes[0].texts}
    assert "Bougre sur Razorback" in texts


def test_files_and_pictures_are_written(tmp_path):
    done = estoc("audit", "C3", "-o", tmp_path / "x.csv", "--plot", tmp_path / "x.png")
    assert done.code == 0
    assert (tmp_path / "x.csv").read_text(encoding="utf-8").count("\n") == 9 + 3 + 3 + 1
    assert (tmp_path / "x.png").stat().st_size > 10_000


def test_what_cannot_be_audited_is_told(monkeypatch):
    few = f"Conf'Fédé: 4 cards, {FEWEST} are needed"
    for words, why in (
        (["Conf'Fédé"], few),
        (["nobody"], "nobody"),
        (["C3", "x.json"], "x.json"),
        (["x.json", "--value", "exchange"], "a transcript stands alone"),
        (["x.json", "C3"], "a transcript stands alone"),
        (["dirz"], "no origin has cards enough: Conf'Fédé: 1 card, 8 are needed"),
        (["Arkéon Sanath"], "Arkéon Sanath@Conf'Fédé has no ATT, RES"),
    ):
        done = estoc("audit", *words)
        assert (done.code, done.data) == (2, b"")
        assert why in done.err
        assert done.err.count("\n") == 1


def test_statsmodels_is_asked_for_before_the_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    monkeypatch.setattr(points, "solve_book", lambda *a, **k: pytest.fail("works before"))
    done = estoc("audit", "C3")
    assert (done.code, done.data) == (2, b"")
    assert "audit: needs the library statsmodels" in done.err
    assert 'pip install "estoc[stats]"' in done.err


def cards_file(folder, *costs):
    """A file of cards without an origin."""
    lines = [f"Carte {i},{cost},3,{2 + i % 4},5,{1 + i % 3},{4 + i % 5},Zorg" for i, cost in costs]
    path = folder / "cards.csv"
    path.write_text("\n".join(["name,PA,INI,ATT,FOR,DEF,RES,people", *lines]), encoding="utf-8")
    return str(path)


def test_a_card_that_costs_nothing_is_left_out_and_named(tmp_path):
    path = cards_file(tmp_path, *enumerate([0, *range(10, 90, 10)]))
    done = estoc("audit", "Zorg", "--fighters", path, "--value", "exchange")
    assert done.code == 0, done.err
    assert "Points of 8 cards\n" in done.out
    assert "left out: Carte 0, without PA above 0" in done.out
    named = "audit: Carte 0 has PA 0; the line of prices is for cards above 0"
    done = estoc("audit", "Carte 0", "--fighters", path)
    assert (done.code, done.data) == (2, b"")
    assert named in done.err


def test_prices_that_no_line_fits_are_refused_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(points, "solve_book", lambda *a, **k: pytest.fail("works before"))
    path = cards_file(tmp_path, *enumerate([10] * 8 + [20]))
    done = estoc("audit", "Zorg", "--fighters", path)
    assert done.code == 2
    assert "audit: 9 cards have 2 different PA; 3 are needed" in done.err
