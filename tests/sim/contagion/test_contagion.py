"""How far a rout spreads, as a person asks for it (S1, 8.1).

Sampled means are compared with exact ones at four standard errors, 4 of them: a right program
fails about one such family in 4,000; seeds are fixed.
"""

import json
import shlex
from dataclasses import replace
from fractions import Fraction

import pyarrow.parquet as pq
import pytest
from running import answered, estoc

from estoc.profiles import InputError
from estoc.sim.ask.output import Output
from estoc.sim.base.printed import plain_text
from estoc.sim.base.run import Method, Run
from estoc.sim.base.sequence import PRECISION
from estoc.sim.contagion import search as contagion_search
from estoc.sim.contagion.contagion import TRIALS, ContagionResult, answer, contagion
from estoc.sim.contagion.layout import Layout, bits, layout_of
from estoc.sim.contagion.play import count_orders
from estoc.sim.contagion.question import ask_contagion, checked_chance
from estoc.sim.contagion.search import Odds, nth_order, search
from estoc.sim.text.drawing import save_figure

HALF = Fraction(1, 2)


def one(rows, **cells):
    (found,) = [row for row in rows if all(row[key] == cells[key] for key in cells)]
    return found


# --- layouts --------------------------------------------------------------------------


def sides(text):
    return [bits(word) for word in layout_of(text).neighbours]


def test_lines_and_flowers():
    assert sides("line:4") == [[1], [0, 2], [1, 3], [2]]
    assert sides("line:1") == [[]]
    assert sides(" Flower ") == [
        [1, 2, 3, 4, 5, 6],
        *([0, 2, 6], [0, 1, 3], [0, 2, 4], [0, 3, 5], [0, 4, 6], [0, 1, 5]),
    ]


def test_blocks_are_hexes():
    """Odd rows are half a hex to the right; all inner hexes have six neighbours."""
    assert sides("block:2x2") == [[1, 2], [0, 2, 3], [0, 1, 3], [1, 2]]
    assert sides("double:3") == sides("block:2x3")
    block = sides("block:3x3")
    assert block[4] == [1, 2, 3, 5, 7, 8]
    assert block[3] == [0, 1, 4, 6, 7]
    assert sides("block:5x4")[9] == [4, 5, 8, 10, 12, 13]
    for unit, others in enumerate(sides("block:8x8")):
        assert all(unit in sides("block:8x8")[other] for other in others)
        assert (len(others) == 6) == (0 < unit // 8 < 7 and 0 < unit % 8 < 7)


def test_a_layout_of_names():
    layout = Layout.of_pairs("river.toml", ["Lances", "Arcs", "Éclaireurs"], [(0, 1), (2, 1)])
    assert layout.neighbours == (2, 5, 2)
    result = contagion(layout, orders=["eclaireurs,arcs,0"], routed=["Lances"])
    assert [row["exact"] for row in result] == ["1/4", "3/4", "0"]
    assert result.rows[0]["sequence"] == "Éclaireurs,Arcs,Lances"
    assert shlex.split(result.command)[3:8] == [
        *("river.toml", "--order", "Éclaireurs,Arcs,Lances", "--routed", "Lances")
    ]


def test_distances_and_orders():
    layout = layout_of("line:5")
    assert layout.distances([1, 4]) == [1, 0, 1, 1, 0]
    assert layout.outward([1]) == (1, 0, 2, 3, 4)
    assert layout.inward([1]) == (4, 3, 0, 2, 1)
    apart = Layout.of_pairs("apart", "abc", [(0, 1)])
    assert apart.distances([0]) == [0, 1, 3]
    assert (apart.outward([1]), apart.inward([1])) == ((1, 0, 2), (2, 0, 1))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"layout": "lines:5"}, ['layout "lines:5"', "block:RxC", "nearest: line"]),
        ({"layout": "line:0"}, ["0 units", "1 to 64"]),
        ({"layout": "block:9x8"}, ["72 units", "1 to 64"]),
        ({"layout": "line:65"}, ["65 units"]),
        ({"layout": "block:9999x9999"}, ["99980001 units", "1 to 64"]),
        ({"orders": ["outwards"]}, ['order "outwards"', "0,1,2", "nearest: outward"]),
        ({"orders": ["0,1"]}, ['order "0,1"', "2 is missing"]),
        ({"orders": ["0,1,1,2"]}, ["1 is there twice"]),
        ({"orders": ["0,1,3"]}, ['no unit "3"', "known: 0, 1, 2"]),
        ({"orders": []}, ["name at least one"]),
        ({"routed": ["0,7"]}, ['routed "7"', 'no unit "7"']),
        ({"fail": "half"}, ['fail "half"', "1/2, 0.5 or 50%"]),
        ({"fail": "1/0"}, ['fail "1/0"']),
        ({"fail": "3/2"}, ["from 0 to 1"]),
        ({"fail": "101%"}, ["from 0 to 1"]),
        ({"fail": "-0.1"}, ['fail "-0.1"']),
        ({"fail": "0.33333"}, ["100,000", "10,000", "nearest: 1/3"]),
        ({"turns": 0}, ["turns 0", "1 to 100"]),
        ({"turns": 101}, ["turns 101"]),
        ({"model": "fled"}, ['model "fled"', "static or flee", "nearest: flee"]),
        ({"method": "exact", "seed": 1}, ["method exact has no trials"]),
        ({"method": "guess"}, ["'exact', 'mc' or 'both'"]),
        ({"trials": 0}, ["trials should be at least 1"]),
        ({"precision": 0.7}, ["precision 0.7"]),
    ],
)
def test_what_cannot_be_asked(asked, told):
    with pytest.raises(InputError) as error:
        contagion(**{"layout": "line:3", **asked})
    assert all(text in str(error.value) for text in told)
    assert "\n" not in str(error.value)


def test_layouts_that_cannot_be():
    for names, fault in ((["a", "A"], '"A" is there twice'), (["a", "b,c"], "no comma")):
        with pytest.raises(InputError, match=fault):
            Layout.of_pairs("x", names, [])
    with pytest.raises(InputError, match="a cannot be beside itself"):
        Layout.of_pairs("x", ["a"], [(0, 0)])


def test_chances():
    assert checked_chance(" .25 ") == checked_chance("25 %") == Fraction(1, 4)
    assert (checked_chance("0"), checked_chance("1")) == (0, 1)
    assert checked_chance("9999/10000") == Fraction(9999, 10000)


# --- answers --------------------------------------------------------------------------


def test_exact_rows_say_so():
    result = contagion("line:5")
    assert isinstance(result, ContagionResult)
    assert [(row["order"], row["routed"]) for row in result] == [
        (order, k) for order in ("outward", "inward") for k in range(1, 6)
    ]
    row = one(result, order="outward", routed=3)
    assert (row["exact"], row["p_routed"], row["method"]) == ("3/16", 3 / 16, "exact")
    assert (row["mean_routed_exact"], row["mean_lost_exact"]) == ("11/4", "11/4")
    for key in ("count", "p_routed_low", "mean_routed_low", "mean_lost_high", "trials", "seed"):
        assert row[key] is None
    assert result.laws[1].chances[2] == Fraction(3, 4)
    assert sum(result.laws[0].chances) == 1
    assert (row["assumed"], row["readings"]) == ("fail", "Q2 Q6")


def test_several_in_rout_at_the_start():
    result = contagion("line:3", orders=["1,0,2"], routed=["0,2"], fail="1/3")
    assert result.rows[0]["exact"] == "0"
    # 1 tests once at its own activation, then twice beside those in rout
    assert one(result, routed=2)["exact"] == str(Fraction(2, 3) ** 3)


def test_more_states_than_fractions_can_do_are_floats():
    result = contagion("block:4x5", orders=["outward"])
    assert {row["exact"] for row in result} == {""}
    assert isinstance(result.laws[0].lost, float)
    assert sum(result.laws[0].chances) == pytest.approx(1, abs=1e-12)
    assert result.rows[0]["trials"] is None


def test_more_states_than_odds_can_do_are_sampled():
    result = contagion("block:5x5", orders=["outward"], precision=0.02, seed=1)
    assert not result.laws
    with pytest.raises(InputError, match="too many states for exact odds; take --method mc"):
        contagion("block:5x5", method="exact")
    with pytest.raises(InputError, match="too many states"):
        contagion("block:5x5", method="both", trials=5)
    question = ask_contagion("block:5x5", orders=["outward"])
    sampled = answer(question, Run(progress=lambda trials: None))
    assert sampled.rows[0]["trials"] == TRIALS
    assert "sampled: 25 units can be in too many states for exact odds" in sampled.notes


def test_both_ways_agree():
    result = contagion("flower", model="flee", fail="1/3", method="both", trials=200_000, seed=9)
    exact = [row for row in result if row["method"] == "exact"]
    sampled = [row for row in result if row["method"] == "mc"]
    assert result.rows == exact + sampled
    assert len(exact) == len(sampled) == 14
    for law, found in zip(exact[::7], sampled[::7], strict=True):
        for key in ("mean_routed", "mean_lost"):
            error = (found[f"{key}_high"] - found[key]) / 1.959964
            assert abs(found[key] - law[key]) <= 4 * error
    assert sum(row["count"] for row in sampled[:7]) == 200_000
    assert all(row["p_routed_low"] <= row["p_routed"] <= row["p_routed_high"] for row in sampled)


def test_threads_and_chunks_change_nothing():
    question = ask_contagion("block:3x4", orders=["outward", "inward"], turns=2, model="flee")
    orders = [question.listed(order) for order in question.orders]
    found = [
        count_orders(question, orders, Method("mc", 5_000, 4), Run(threads=threads, chunk=chunk))
        for threads, chunk in ((1, None), (2, 333), (3, 64))
    ]
    for counts in found[1:]:
        for mine, first in zip(counts, found[0], strict=True):
            assert mine.law.tolist() == first.law.tolist()
            assert mine.lost.tolist() == first.lost.tolist()
    assert found[0][0].law.tolist() != found[0][1].law.tolist()


def test_a_run_ends_at_its_precision():
    asked = {"layout": "line:6", "precision": 0.02, "seed": 3}
    result = contagion(**asked, threads=2, chunk=70)
    assert result.rows == contagion(**asked, threads=1).rows
    for row in result:
        assert row["ended"] == PRECISION
        assert row["trials"] < row["most_trials"] == 7500
        assert row["p_routed_high"] - row["p_routed_low"] <= 0.04
        assert row["p_routed_low"] <= row["p_routed"] <= row["p_routed_high"]
    assert any(note.startswith("ended at the precision 0.02") for note in result.notes)


def test_ctrl_c_keeps_what_was_done():
    question = ask_contagion("line:6")
    done = []

    def advance(trials):
        done.append(trials)
        if len(done) == 3:
            raise KeyboardInterrupt

    asked = {"trials": 1000, "seed": 1, "threads": 1, "chunk": 400, "progress": advance}
    result = answer(question, Run(**asked, partial=True))
    assert result.stopped == "1,000 of 2 x 1,000 trials"
    assert {row["order"] for row in result} == {"outward"}
    assert "stopped after" in plain_text(result, 80)
    done.clear()
    with pytest.raises(KeyboardInterrupt):
        answer(question, Run(**asked))


# --- orders ---------------------------------------------------------------------------


@pytest.mark.parametrize("q", ["1/6", "1/2", "5/6"])
@pytest.mark.parametrize("n", [3, 6])
def test_the_best_order_of_a_line_is_inward_and_the_worst_outward(n, q):
    result = contagion(f"line:{n}", orders=["best", "worst", "inward", "outward"], fail=q)
    best, worst, inward, outward = result.laws
    assert (best, worst) == (inward, outward)
    chance = Fraction(q)
    assert best.mean == 1 + 2 * chance - chance**2
    assert "best of all" in result.rows[0]["searched"]
    assert one(result, order="inward", routed=1)["searched"] == ""


def test_a_search_of_all_orders_in_parts(monkeypatch):
    question = ask_contagion("block:2x3", model="flee", fail="2/5")
    whole = search(question, threads=1)
    monkeypatch.setattr(contagion_search, "_PART", 7 * Odds(question).steps)
    assert search(question, threads=2) == whole
    odds = Odds(question)
    means = [odds.law(nth_order(6, place)).mean for place in range(720)]
    for end, value in (("best", min(means)), ("worst", max(means))):
        assert odds.law(whole[end].order).mean == pytest.approx(value, abs=1e-12)
        equal = sum(abs(mean - value) < 1e-12 for mean in means)
        told = f"{equal} have the same mean" if equal > 1 else "no other has"
        assert told in whole[end].told


@pytest.mark.parametrize("model", ["static", "flee"])
def test_a_local_search_finds_what_all_orders_tell(monkeypatch, model):
    """Of a line, by exact odds, then by trials; it doesn't say that it is proved."""
    question = ask_contagion("line:6", model=model, orders=["0,2,4,1,3,5"])
    odds, whole = Odds(question), search(question)
    monkeypatch.setattr(contagion_search, "MOST_WORK", 0)
    monkeypatch.setattr(question.layout.__class__, "inward", lambda self, _: (0, 5, 2, 1, 4, 3))
    local = search(question, threads=2)
    for end in ("best", "worst"):
        assert local[end].told.endswith("by exact odds; not proved")
        assert odds.law(local[end].order).mean == pytest.approx(odds.law(whole[end].order).mean)
    monkeypatch.setattr(contagion_search, "QUICK", 0)
    (sampled,) = search(question, ["worst"]).values()
    assert sampled.told.endswith("by 20,000 trials each; not proved")
    outward = odds.law(question.listed("outward")).mean
    assert odds.law(sampled.order).mean >= outward - 0.05
    assert search(question, ["worst"], threads=1)["worst"] == sampled


def test_a_search_ends():
    climbed = []

    def judge(order):
        climbed.append(order)
        return -len(climbed), 0  # each order is better than the last

    top = contagion_search._improved((0, 1, 2), judge)
    assert top.looks == len(climbed) == contagion_search.MOST_LOOKS


# --- what is shown --------------------------------------------------------------------


def test_the_table_fits_and_tells_fractions_and_assumptions():
    result = contagion("flower", orders=["outward", "best"], fail="1/2")
    text = plain_text(result, 80)
    assert max(map(len, text.splitlines())) <= 80
    told = ("51113/8192", "2079/4096", "729/4096", "best of all 5,040 orders", "exact odds")
    flat = " ".join(text.split())
    assert all(words in flat for words in told)
    assert "interval" not in text
    assert "assumed, the sheet does not say: every Rout test fails with chance 1/2" in flat
    assert "depends on how Q2, Q6 are read" in flat
    assert "estoc sheet contagion flower --order outward --order best" in flat
    both = contagion("line:20", method="both", trials=2000, seed=5, orders=["outward", "inward"])
    text = plain_text(both, 80)
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("95 % Wilson interval") == 2
    assert "seed 5" in text


def test_long_lists_are_numbered():
    order = ",".join(map(str, range(20)))
    text = plain_text(contagion("line:20", orders=["inward", order]), 80)
    assert "list 2: 0 1 2 3" in text
    assert "list 2, %" in text


def test_files_hold_the_same_rows(tmp_path):
    for result in (contagion("line:3"), contagion("line:3", trials=100, seed=1)):
        places = {form: tmp_path / f"found.{form}" for form in ("json", "csv", "parquet")}
        for form, place in places.items():
            Output(form, str(place)).deliver(result)
        assert json.loads(places["json"].read_text()) == result.rows
        assert pq.read_table(places["parquet"]).to_pylist() == result.rows
        assert len(places["csv"].read_text().splitlines()) == 7
        schema = pq.read_schema(places["parquet"])
        assert [str(schema.field(key).type) for key in ("exact", "p_routed_low", "count")] == [
            *("string", "double", "int64")
        ]
    assert len(contagion("line:3").to_frame()) == 6
    assert "assumed, the sheet" in contagion("line:3")._repr_html_()


@pytest.mark.parametrize("sampled", [{}, {"trials": 500, "seed": 2}])
def test_the_picture(sampled, tmp_path):
    result = contagion("line:4", orders=["outward", "inward", "3,1,0,2"], **sampled)
    (axes,) = result.plot().axes
    assert len(axes.patches) == 12
    heights = [round(bar.get_height(), 9) for bar in axes.patches[:4]]
    assert heights == [round(100 * row["p_routed"], 9) for row in result.rows[:4]]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels[2].startswith("3,1,0,2: mean ")
    assert len(axes.collections) == (3 if sampled else 0)  # intervals
    save_figure(result.plot(), tmp_path / "a.svg")
    save_figure(replace(result, title=result.title).plot(), tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_flight_says_what_it_counts_as_lost():
    """One unit, in rout from the start: it flees, and loses an activation in each of 3 turns."""
    words = ("sheet", "contagion", "line:1", "--model", "flee", "--turns", "3")
    done = estoc(*words)
    assert "loses its activation in each later turn too" in " ".join(done.out.split())
    assert {row["mean_lost"] for row in answered(*words)} == {3.0}
