"""Pictures: what is drawn, what is written in it, and the same bytes each time."""

import sys
from dataclasses import replace
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.text import Text

from estoc.profiles import InputError, Profile, Roster
from estoc.sim.base.options import Options
from estoc.sim.base.result import Result
from estoc.sim.combat.combat import combat
from estoc.sim.combat.duel import duel
from estoc.sim.combat.plot import points, safest_duel, told_apart
from estoc.sim.combat.sweep import SWEEP, sweep
from estoc.sim.combat.table import state_columns
from estoc.sim.combat.transcript import REPLAY
from estoc.sim.text.drawing import (
    check_plot,
    figure,
    fitting_dpi,
    save_figure,
    style,
    translate_figure,
)
from estoc.sim.text.speech import spoken

ROSTER = Roster.load()
GUARD, WARRIOR = ROSTER.find("Garde prétorien"), ROSTER.find("Guerrier de l'aube")
ABLE = [p for p in ROSTER if None not in (p.INI, p.ATT, p.FOR, p.DEF, p.RES)]


@pytest.fixture(scope="module")
def grid():
    return sweep(GUARD, WARRIOR, trials=200, seed=1)


@pytest.fixture(scope="module")
def a_duel():
    return duel(GUARD, WARRIOR, trials=200, seed=1, options=Options(charge=("B",)))


@pytest.fixture(scope="module")
def a_combat():
    return combat(GUARD, [WARRIOR, WARRIOR], trials=200, seed=1)


def row(a=0, b=0, n=100, dice_a="2/0", dice_b="2/0"):
    counts = {"wins_a": a, "wins_b": b, "trials": n, "p_a": a / n, "p_b": b / n}
    return {"a": "A", "b": "B", "charge": "none", "dice_a": dice_a, "dice_b": dice_b, **counts}


def panels(picture):
    """Return the axes of cells, without the bar of colours and what is empty."""
    return [axes for axes in picture.axes if axes.get_xlabel()]


def squares(axes):
    """Return how many cells of a panel are told apart, and how many are hatched."""
    found = [c for c in axes.collections if isinstance(c, PolyCollection)]
    return [len(c.get_paths()) for c in sorted(found, key=lambda c: c.get_hatch() or "")]


def words(artist):
    """Return all texts below an artist."""
    return [t.get_text() for t in artist.findobj(matplotlib.text.Text) if t.get_text()]


def test_one_pair(grid):
    rows = [{**r, **row(50, 10), "dice_a": r["dice_a"], "dice_b": r["dice_b"]} for r in grid]
    rows = [{**r, "a": "Garde prétorien@x", "b": "Œil"} for r in rows]
    rows[0] |= row(5, 5) | {"a": "Garde prétorien@x", "b": "Œil"}
    picture = Result(SWEEP, rows, "Été").plot()
    (axes,) = panels(picture)
    assert squares(axes) == [8, 1]
    assert axes.get_title() == "A Garde prétorien\nB Œil"
    assert [t.get_text() for t in axes.texts].count("50\n10") == 8
    assert "5\n5" in words(axes)
    assert [t.get_text() for t in axes.get_xticklabels()] == ["2/0", "1/1", "0/2"]
    assert "Été" in words(picture)
    assert any("hatched: A and B cannot be told apart" in text for text in words(picture))


def test_cells_are_where_their_dice_are():
    rows = [
        row(a, 1, 1000, dice_a, dice_b)
        for a, (dice_a, dice_b) in zip(
            (100, 200, 300, 400),
            [("2/0", "2/0"), ("2/0", "0/2"), ("1/1", "2/0"), ("1/1", "0/2")],
            strict=True,
        )
    ]
    (axes,) = panels(Result(SWEEP, rows).plot())
    written = {t.get_position(): t.get_text().partition("\n")[0] for t in axes.texts}
    assert {k: round(float(v)) for k, v in written.items()} == {
        (0, 0): 10, (1, 0): 20, (0, 1): 30, (1, 1): 40,
    }  # fmt: skip
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first dice on top


@pytest.mark.parametrize(
    ("a", "b", "charges", "count", "title"),
    [
        (1, 1, ("none", "A", "B"), 3, "A charges"),
        (2, 3, ("none",), 6, ""),
        (3, 4, ("B",), 12, "B charges"),
    ],
)
def test_few_pairs_have_a_panel_each(a, b, charges, count, title):
    options = Options(abilities=False)  # all place two dice
    result = sweep(ABLE[:a], ABLE[10 : 10 + b], trials=20, seed=1, charges=charges, options=options)
    found = panels(result.plot())
    assert len(found) == count
    assert all(sum(squares(axes)) == 9 for axes in found)
    assert all(len(axes.texts) == 9 for axes in found)
    assert any(title in axes.get_title() for axes in found)


def test_many_pairs_have_a_matrix_for_each_charge():
    result = sweep(ABLE[:5], ABLE[5:10], trials=20, seed=1, charges=("none", "A"))
    picture = result.plot()
    found = panels(picture)
    assert [axes.get_title() for axes in found] == ["no charge", "A charges"]
    assert all(sum(squares(axes)) == len(axes.texts) == 25 for axes in found)
    assert [t.get_text() for t in found[0].get_yticklabels()] == [p.name[:28] for p in ABLE[:5]]
    assert "both place their safest dice" in " ".join(picture.get_suptitle().split())


def test_one_allocation_makes_a_matrix():
    result = sweep(ABLE[:2], ABLE[5:8], trials=20, seed=1, dice="policy")
    picture = result.plot()
    (axes,) = panels(picture)
    assert sum(squares(axes)) == 6
    assert picture.get_suptitle().split()[-2:] == ["dice:", "policy"]


def test_a_wide_matrix_has_no_texts():
    rows = [row(i % 90, 5) | {"a": f"A{i}", "b": "B" * 40} for i in range(60)]
    (axes,) = panels(Result(SWEEP, rows).plot())
    assert sum(squares(axes)) == 60
    assert not axes.texts
    assert axes.get_xticklabels()[0].get_text() == "B" * 27 + "…"


def test_scores_in_a_matrix_are_never_a_signed_0():
    wins = [(0, 0), (1, 0), (0, 1), (50, 10), (10, 50)]
    rows = [row(a, b, 10_000) | {"a": f"A{i}"} for i, (a, b) in enumerate(wins)]
    (axes,) = panels(Result(SWEEP, rows).plot())
    assert [t.get_text() for t in sorted(axes.texts, key=lambda t: t.get_position()[1])] == [
        "0", "+0.01", "−0.01", "+0.4", "−0.4",
    ]  # fmt: skip


def test_names_are_never_formulas():
    result = sweep(
        Profile("$x^2$ & <b>", INI=3, ATT=3, FOR=3, DEF=3, RES=3), WARRIOR, trials=10, seed=1
    )
    picture = result.plot()
    assert "$x^2$ & <b>" in " ".join(words(picture))
    assert not any(t.get_parse_math() for t in panels(picture)[0].texts)


def test_points_and_what_can_be_told():
    assert points(row(50, 10)) == 40
    assert told_apart(row(50, 10))
    assert not told_apart(row(10, 10))
    assert not told_apart(row(0, 0))
    assert not told_apart(row(2, 0))
    assert told_apart(row(0, 20))


def test_safest_dice_of_both():
    dice = ("2/0", "0/2")
    wins = {("2/0", "2/0"): 30, ("2/0", "0/2"): 10, ("0/2", "2/0"): 50, ("0/2", "0/2"): 5}
    rows = [row(wins[a, b], 0, 100, a, b) for a in dice for b in dice]
    assert safest_duel(rows)["wins_a"] == 10
    assert safest_duel(rows[:1]) is rows[0]


def test_duel(a_duel):
    counts = {"wins_a": 700, "wins_b": 0, "undecided": 300, "trials": 1000}
    picture = replace(a_duel, rows=[{**a_duel.rows[0], **counts}]).plot()
    (axes,) = picture.axes
    assert [bar.get_width() for bar in axes.patches] == [70, 30, 0]
    labels = [t.get_text() for t in picture.legends[0].get_texts()]
    assert labels[0] == "A wins: Garde prétorien, 70 % (67 – 73)"
    assert labels[2] == "B wins: Guerrier de l'aube, < 0.39 % (0 – 0.39)"
    assert [t.get_text() for t in axes.texts] == ["70 %", "30 %"]
    assert "B charges" in picture.get_suptitle()


def test_combat(a_combat):
    picture = a_combat.plot()
    (axes,) = picture.axes
    states = state_columns(a_combat)
    assert len(axes.patches) == 3 * len(states)
    assert sum(bar.get_width() for bar in axes.patches) == pytest.approx(300)
    assert [t.get_text() for t in picture.legends[0].get_texts()] == [
        state.replace("_", ", ") for state in states
    ]
    assert axes.get_yticklabels()[0].get_text().startswith("A  Garde prétorien\ndead ")
    assert "undecided" in axes.get_title()
    hatched = {bar.get_hatch() for bar in axes.patches}
    assert hatched == {None, "////"}


def test_combat_stopped_before_the_first_trial(a_combat):
    empty = [{**r, "trials": 0, **dict.fromkeys(state_columns(a_combat), 0)} for r in a_combat]
    empty[0] |= {"wins_a": 0, "wins_b": 0, "undecided": 0}
    picture = replace(a_combat, rows=empty).plot()
    assert sum(bar.get_width() for bar in picture.axes[0].patches) == 0


def test_plot_chooses(grid, a_duel, a_combat):
    for result in (grid, a_duel, a_combat):
        assert result.plot().axes
    with pytest.raises(InputError, match="no picture"):
        Result(REPLAY, [{}]).plot()
    with pytest.raises(InputError, match="nothing to draw"):
        Result(SWEEP, []).plot()


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".PNG"])
def test_same_bytes_each_time(ending, grid, a_combat, tmp_path):
    for result in (grid, a_combat):
        saved = []
        for name in ("one", "two"):
            save_figure(result.plot(), tmp_path / (name + ending))
            saved.append((tmp_path / (name + ending)).read_bytes())
        assert saved[0] == saved[1]
        starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
        assert saved[0].startswith(starts[ending.lower()])
        assert not any(w in saved[0] for w in (b"CreationDate", b"dc:date", b"Matplotlib v"))
    assert len(list(tmp_path.iterdir())) == 2


def test_settings_of_a_person_change_nothing(grid, tmp_path):
    save_figure(grid.plot(), tmp_path / "plain.svg")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "none"}):
        save_figure(grid.plot(), tmp_path / "styled.svg")
        assert matplotlib.rcParams["font.size"] == 30
    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "styled.svg").read_bytes()
    ElementTree.parse(tmp_path / "plain.svg")


def test_no_window_is_opened(grid):
    grid.plot()
    figures = sys.modules.get("matplotlib.pyplot")
    assert figures is None or not figures.get_fignums()


@pytest.mark.parametrize("name", ["heat.jpg", "heat", "heat.txt", "nowhere/heat.png"])
def test_wrong_places_are_refused(name, tmp_path):
    with pytest.raises(InputError, match=r"heat|nowhere"):
        check_plot(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_picture_has_no_more_dots_than_it_needs():
    with style():
        small, _ = figure((4.0, 3.0), 1, 1)
        long, _ = figure((1.0, 900.0), 1, 1)
        large, _ = figure((200.0, 100.0), 1, 1)
    assert fitting_dpi(small, 150) == 150
    assert round(fitting_dpi(long, 150) * 900) == 32_000
    assert round(fitting_dpi(large, 150) ** 2 * 200 * 100) == 50_000_000


# --- letters that a font lacks ----------------------------------------------------------

BOAR = replace(GUARD, name="Ogre 🐗 剣 œuf")
HEX = replace(WARRIOR, name="\u2b22\ufe0f Élu")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_letters_without_a_picture_are_replaced(lang, ending, tmp_path, monkeypatch):
    # a warning of matplotlib's would be an error here
    monkeypatch.setattr("estoc.sim.text.drawing._installed", lambda: ())
    with spoken(lang):
        for result in (
            duel(BOAR, HEX, trials=20, seed=1),
            sweep(BOAR, HEX, trials=20, seed=1),
            sweep([BOAR, HEX], [BOAR, HEX], dice="policy", trials=20, seed=1),
        ):
            picture = result.plot()
            save_figure(picture, tmp_path / f"a.{ending}")
            told = "\n".join(text.get_text() for text in picture.findobj(Text))
            assert "Ogre ? ? œuf" in told.replace("\n", " ")
            assert not set(told) & set("🐗剣")


def test_a_font_that_a_person_has_is_used(monkeypatch):
    chars = {"DejaVu Sans": {97: 1}, "Noto Emoji": {ord("🐗"): 1}}
    monkeypatch.setattr("estoc.sim.text.drawing._installed", lambda: ("Noto Emoji",))
    monkeypatch.setattr("estoc.sim.text.drawing._letters", chars.get)
    with style():
        picture = Figure()
        text = picture.text(0, 0, "a🐗剣")
        translate_figure(picture)
    assert text.get_text() == "a🐗?"
    assert text.get_fontfamily() == ["DejaVu Sans", "Noto Emoji"]
