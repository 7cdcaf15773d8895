"""A situation as a picture and as a layout, and the listings: what is drawn, what is not told."""

import json
from fractions import Fraction

import pytest
from sheet_asked import line, piece, wing, write

from estoc.kernels.layout.sheet import Kind
from estoc.profiles import InputError
from estoc.profiles.files.toml import toml_path
from estoc.profiles.sheet.readings import load_switches
from estoc.profiles.sheet.situation import load_situation
from estoc.sim.contagion.contagion import contagion
from estoc.sim.contagion.layout import layout_of_situation
from estoc.sim.sheet import picture as sheet_picture
from estoc.sim.sheet.listing import readings, readings_table, situations, situations_table
from estoc.sim.sheet.losses import lost
from estoc.sim.sheet.picture import save_map
from estoc.sim.sheet.question import ask_sheet
from estoc.sim.text.printing import rendered

HALF = Fraction(1, 2)


@pytest.fixture
def panels(monkeypatch):
    """The panels of each picture that is drawn."""
    drawn, draw = [], sheet_picture.draw_panels

    def noted(grid, world, panels, *words):
        drawn.append(panels)
        return draw(grid, world, panels, *words)

    monkeypatch.setattr(sheet_picture, "draw_panels", noted)
    return drawn


# --- the picture ----------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_situation_is_drawn(tmp_path, panels, ending):
    path = tmp_path / f"map.{ending}"
    drawn = save_map(ask_sheet("skirmish"), path)
    assert drawn == (f"drew {path}", (), "")
    assert path.stat().st_size > 5_000
    (panel,) = panels[0]
    names = {counter.name for counter in panel.pieces}
    assert names == {each.name for each in load_situation("skirmish").pieces}
    assert (panel.title, panel.chances) == ("", {})
    save_map(ask_sheet("skirmish"), tmp_path / f"again.{ending}")
    assert path.read_bytes() == (tmp_path / f"again.{ending}").read_bytes()


def changed(tmp_path, who, changes):
    """The skirmish with something of one piece changed, in its file."""
    text = toml_path("situation", "skirmish").read_text(encoding="utf-8")
    head, *pieces = text.split("[[pieces]]")
    for k, each in enumerate(pieces):
        if f'name = "{who}"' in each:
            kept = [row for row in each.splitlines() if row.partition(" ")[0] not in changes]
            more = [f"{key} = {json.dumps(value)}" for key, value in changes.items()]
            pieces[k] = "\n".join([*kept, *more, ""])
    path = tmp_path / "changed.toml"
    path.write_text("[[pieces]]".join([head, *pieces]), encoding="utf-8")
    return ask_sheet(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Other", "facing": "s"},
        {"kind": "formation", "steps": 9, "faculties": []},
        {"kind": "decoy", "marks": [], "faculties": [], "morale": "elite"},
        {"wing": "Lion van", "mover": "mounted"},
    ],
)
def test_a_player_is_not_told_what_is_below_a_cache(tmp_path, changes):
    """Two truths that are hidden alike make one picture to the byte; the owner's differ."""
    pictures = {}
    for truth, question in (
        ("was", ask_sheet("skirmish")),
        ("is", changed(tmp_path, "Woodsmen", changes)),
    ):
        for side in ("Lion", "Raven"):
            path = tmp_path / f"{truth}-{side}.svg"
            save_map(question, path, side=side)
            pictures[truth, side] = path.read_bytes()
    assert pictures["was", "Raven"] == pictures["is", "Raven"]
    if changes.keys() & {"name", "kind"}:
        assert pictures["was", "Lion"] != pictures["is", "Lion"]


def test_as_seen_by_a_side(tmp_path, panels):
    save_map(ask_sheet("skirmish"), tmp_path / "raven.svg", side="raven")
    (panel,) = panels[0]
    kinds = {counter.name: counter.kind for counter in panel.pieces}
    assert "Woodsmen" not in kinds
    assert [name for name, kind in kinds.items() if kind == "cache"] == ["cache 1"]
    assert kinds["Shadow"] == "decoy"  # his own
    marks = {counter.name: counter.marks for counter in panel.pieces}
    assert "spell" not in marks["Abbess"]


def test_how_rout_spreads_is_a_panel_a_turn(tmp_path, panels):
    question = ask_sheet(line(tmp_path / "five.toml"), players=["still"], turns=2, fail=HALF)
    drawn = save_map(question, tmp_path / "map.svg", routed=True)
    assert drawn.told.endswith(", exact")
    assert any("rout fails with 1/2" in note for note in drawn.notes)
    now, first, second = panels[0]
    assert [panel.title for panel in panels[0]] == ["now", "after turn 1", "after turn 2"]
    assert now.chances == {}
    exact = [1, 3 / 4, 1 / 2, 5 / 16, 3 / 16]  # at least k routed: sums of k q^(k-1) (1-q)^2
    assert list(first.chances.values()) == pytest.approx(exact)
    for turns, panel in ((1, first), (2, second)):
        asked = ask_sheet(question.situation, players=["still"], turns=turns, fail=HALF)
        routed = next(row for row in lost(asked) if row["cause"] == "routed")
        assert sum(panel.chances.values()) == pytest.approx(routed["mean"])


def test_sampled_panels_show_the_same_trials(tmp_path, panels):
    """A run without a seed takes one, of all its panels."""
    question = ask_sheet("skirmish", turns=2)
    drawn = save_map(question, tmp_path / "map.svg", routed=True, method="mc", trials=50)
    assert drawn.told.count("seed") == 1
    seed = int(drawn.told.rpartition(" ")[2])
    save_map(question, tmp_path / "b.svg", routed=True, trials=50, seed=seed, threads=2)
    assert panels[0] == panels[1]
    assert 0 < sum(panels[0][1].chances.values()) < len(panels[0][1].chances)


def test_ctrl_c_keeps_the_panels_done(tmp_path, panels, monkeypatch):
    monkeypatch.setattr("estoc.sim.sheet.runs.CHUNK", 10)
    done = []

    def advance(trials):
        done.append(trials)
        if len(done) == 7:
            raise KeyboardInterrupt

    run = {"trials": 50, "seed": 1, "progress": advance, "partial": True}
    drawn = save_map(ask_sheet("skirmish", turns=3), tmp_path / "map.svg", routed=True, **run)
    assert drawn.stopped == "20 of 50 trials"
    assert [panel.title for panel in panels[0]] == ["now", "after turn 1", "after turn 2"]
    assert "50 trials, seed 1, 20 trials, seed 1" in drawn.told


@pytest.mark.parametrize(
    ("situation", "name", "more", "told"),
    [
        ("u11", "map.svg", {}, "has no map to draw"),
        ("skirmish", "map.gif", {}, "ending of a picture should be .png, .svg, .pdf"),
        ("skirmish", "none/map.svg", {}, "there is no folder"),
        ("skirmish", "map.svg", {"side": "Ravens"}, '^side: no "Ravens"; .*Raven'),
        ("skirmish", "map.svg", {"side": "Raven", "routed": True}, "--as-seen-by hides: take one"),
        ("skirmish", "map.svg", {"routed": True, "trials": 0}, "^trials"),
    ],
)
def test_refusals(tmp_path, situation, name, more, told):
    with pytest.raises(InputError, match=told):
        save_map(ask_sheet(situation), tmp_path / name, **more)
    assert not (tmp_path / "map.svg").exists()


# --- the layout ------------------------------------------------------------------------------


def test_a_line_of_a_file_is_a_line(tmp_path):
    layout, routed = layout_of_situation(load_situation(line(tmp_path / "five.toml")))
    assert routed == ["unit 0"]
    mine = contagion(layout, routed=routed, turns=2)
    theirs = contagion("line:5", turns=2)
    keys = ("order", "routed", "exact", "mean_lost_exact")
    assert [[row[key] for key in keys] for row in mine] == [
        [row[key] for key in keys] for row in theirs
    ]


def test_who_is_adjacent(tmp_path):
    """Neighbours and who shares a hex; not across a wall, not decoys, not the other side's."""
    pieces = [
        piece("a", hex="0,0"),
        piece("b", hex="0,1"),
        piece("chief", kind="character", hex="0,1"),
        piece("c", hex="0,2", cohesion="routed"),
        piece("ghost", kind="decoy", hex="1,1"),
        piece("foe", "Raven", hex="1,0"),
    ]
    wings = [wing(), wing("theirs", "Raven")]
    walls = [["0,0", "0,1"]]
    path = write(tmp_path / "s.toml", pieces, wings, rows=["..", "..", ".."], walls=walls)
    layout, routed = layout_of_situation(load_situation(path))
    assert list(layout.names) == ["a", "b", "chief", "c"]
    assert routed == ["c"]
    pairs = {
        frozenset((layout.names[i], layout.names[j]))
        for i in range(4)
        for j in range(4)
        if layout.neighbours[i] >> j & 1
    }
    assert pairs == {frozenset(pair) for pair in (("b", "chief"), ("b", "c"), ("chief", "c"))}
    other, none = layout_of_situation(load_situation(path), "raven")
    assert (list(other.names), none) == (["foe"], [])


def test_layouts_that_cannot_be():
    with pytest.raises(InputError, match=r'^side: no "Lyon"'):
        layout_of_situation(load_situation("skirmish"), "Lyon")
    with pytest.raises(InputError, match="no Unit of Lion is on the map"):
        layout_of_situation(load_situation("u11"))


# --- the listings ------------------------------------------------------------------------------


def test_situations_are_listed():
    rows = {row["name"]: row for row in situations()}
    assert {"skirmish", "wing", "u11"} <= rows.keys()
    skirmish = rows["skirmish"]
    assert (skirmish["sides"], skirmish["wings"], skirmish["pieces"]) == ("Lion Raven", 4, 12)
    assert sum(skirmish[kind.name.lower()] for kind in Kind) == 12
    assert (skirmish["decoy"], skirmish["map"]) == (1, "16 x 11")
    assert rows["u11"]["map"] == "none"
    text = rendered(situations_table(situations()), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "Skirmish at the farm" in text


def test_readings_are_listed():
    found = readings()
    assert [row["switch"] for row in found if row["chosen"]] == [
        each.key for each in load_switches()
    ]
    assert len(found) == sum(len(each.values) for each in load_switches())
    text = rendered(readings_table(found), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "* M2" in text
