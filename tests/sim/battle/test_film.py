"""A battle as pictures: which ones, what they show, and the same bytes each time."""

import matplotlib.image
import pytest
from battle_script import ADA, BATTLE, BEN, CID, DOT, step
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from estoc.profiles import InputError
from estoc.sim.battle.field import ACTIVATION, COMBAT, END, START, described, frames
from estoc.sim.battle.film import check_film, save_film
from estoc.sim.table.tabletop_plot import points

NAMES = [
    *("turn-1-0-start.png", "turn-1-1-activation.png", "turn-1-2-combat.png"),
    *("turn-2-0-start.png", "turn-2-1-activation.png", "turn-2-3-end.png"),
]


@pytest.fixture(scope="module")
def shown():
    return list(frames(BATTLE))


def fighters(frame):
    """Return the rows of fighters, in the order of the scenario."""
    return [row for row in frame.rows if row["section"] == "fighter"]


# --- which pictures -------------------------------------------------------------------


def test_three_pictures_a_turn_and_one_of_the_end(shown):
    """The second turn of this battle has no combat."""
    parts = [(frame.turn, frame.part) for frame in shown]
    assert parts == [
        *((1, START), (1, ACTIVATION), (1, COMBAT)),
        *((2, START), (2, ACTIVATION), (2, END)),
    ]
    assert [name for name, _ in described(shown)] == NAMES
    assert shown[-1].title == "turn 2, end, 25 points to 0: A wins"


def test_an_animation_has_a_picture_for_each_speaking_turn():
    titles = [frame.title for frame in frames(BATTLE, each=True)]
    assert titles == [
        "turn 1, start",
        "turn 1, A activates Ada",
        "turn 1, A activates Ben",
        "turn 1, B activates Dot#1, Cid",
        "turn 1, after the combat phase",
        "turn 2, start",
        "turn 2, A activates Ben",
        "turn 2, B activates Dot#1",
        "turn 2, end, 25 points to 0: A wins",
    ]


def test_what_maintenance_does_is_not_in_the_picture_before_it():
    kinds = [told.kind for told in BATTLE]
    begun = BATTLE[: kinds.index("speak") + 1]
    harm = step("lasting", fighter=BEN, before="unhurt", after="light")
    pictures = list(frames([*begun, harm, BATTLE[-1]]))
    assert [frame.part for frame in pictures] == [START, ACTIVATION, END]
    assert [fighters(frame)[BEN]["state"] for frame in pictures] == ["", "", "light"]


# --- what they show -------------------------------------------------------------------


def test_moves_go_from_where_they_began(shown):
    ways = {
        (move.fighter, move.action): (move.start, move.end)
        for frame in shown
        for move in frame.moves
    }
    assert ways[ADA, "charge"] == ((10, 15), (28, 15))
    assert ways[ADA, "pursue"] == ((28, 15), (30, 18))
    assert ways[BEN, "engage"] == ((14, 20), (20, 21))
    assert [len(frame.moves) for frame in shown] == [0, 3, 1, 0, 2, 0]
    assert points(shown[1].moves[0].corners)[2:] == [(10, 13.75), (10, 16.25)]


def test_fighters_stand_where_the_moves_left_them(shown):
    assert [(row["x"], row["y"]) for row in fighters(shown[0])][ADA] == (10, 15)
    assert [(row["x"], row["y"]) for row in fighters(shown[1])][ADA] == (28, 15)
    centre, aim = points(fighters(shown[0])[DOT]["corners"])
    assert aim == (30, 24)
    assert centre == (31.5, 24)


def test_wounds_and_rout_are_written_beside_names(shown):
    assert [fighters(frame)[DOT]["state"] for frame in shown] == [
        "light",
        "serious, in rout",
        "serious, in rout",
        "serious, in rout",
        "critical, in rout",
        "serious, in rout",
    ]
    assert [fighters(frame)[CID]["state"] for frame in shown] == ["", "", *["dead"] * 4]
    hurt = [[row["key"] for row in fighters(frame) if row["hurt"]] for frame in shown]
    assert hurt == [[], ["B2"], ["B1"], [], [], []]


def test_fighters_have_keys_by_side(shown):
    assert [row["key"] for row in fighters(shown[0])] == ["A1", "A2", "B1", "B2"]


def test_the_dead_are_dead_from_then_on(shown):
    assert [fighters(frame)[CID]["alive"] for frame in shown] == [True, True, *[False] * 4]


def test_melees_are_marked_while_the_turn_lasts(shown):
    assert [fighters(frame)[ADA]["melee"] for frame in shown] == [None, 1, 1, None, None, None]
    assert [fighters(frame)[BEN]["melee"] for frame in shown] == [None] * 6


def test_shots_and_mystic_actions_are_drawn_where_they_were_made(shown):
    shots = [[(shot.start, shot.end, shot.hit) for shot in frame.shots] for frame in shown]
    assert shots[1] == [((10, 20), (30, 24), True), ((10, 20), (30, 24), False)]
    assert shots[4] == [((20, 21), (24, 22), True)]
    assert [len(s) for s in shots] == [0, 2, 0, 0, 1, 0]


# --- files ----------------------------------------------------------------------------


def test_a_folder_of_pictures(tmp_path):
    assert save_film(BATTLE, tmp_path / "film") == 6
    files = sorted(path.name for path in (tmp_path / "film").iterdir())
    assert files == sorted(NAMES)
    save_film(BATTLE, tmp_path / "again")
    for name in NAMES:
        assert (tmp_path / "film" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
        image = matplotlib.image.imread(tmp_path / "film" / name)
        assert image.shape[0] < image.shape[1]


def test_an_animation(tmp_path):
    path = tmp_path / "battle.gif"
    assert save_film(BATTLE, path) == 9
    data = path.read_bytes()
    with Image.open(path) as animation:
        assert animation.n_frames == 9
        assert animation.info["loop"] == 0
        assert animation.info["duration"] == 1000
    save_film(BATTLE, path)
    assert path.read_bytes() == data


def test_what_is_drawn_in_a_picture(shown, monkeypatch):
    """Arrows and the cross of the dead, in a picture that no window knows."""
    drawn = {}
    savefig = "matplotlib.figure.Figure.savefig"
    monkeypatch.setattr(savefig, lambda picture, *_, **__: drawn.setdefault("last", picture))
    from estoc.sim.battle.film import _png

    _png(shown[2])
    (axes,) = drawn["last"].axes
    assert isinstance(drawn["last"].canvas, FigureCanvasAgg)
    arrows = [text.arrow_patch for text in axes.texts if getattr(text, "arrow_patch", None)]
    assert len(arrows) == 1
    words = [text.get_text() for text in axes.texts]
    assert {"A1", "A2", "B1", "B2", "B1 Cid: dead", "B2 Dot#1: serious, in rout"} <= set(words)
    inks = {text.get_text(): text.get_color() for text in axes.texts}
    assert inks["B1 Cid: dead"] != inks["B2 Dot#1: serious, in rout"]
    cross = [line for line in axes.lines if line.get_alpha() == 0.6]
    assert len(cross) == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.png", "battles are drawn in a folder, or in a .gif file"),
        ("file", "is there and is no folder"),
        ("none/film", "there is no folder"),
        ("none/film.gif", "there is no folder"),
    ],
)
def test_places_that_are_no_film(tmp_path, name, message):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=message):
        check_film(tmp_path / name)


def test_a_folder_that_is_there_is_drawn_in(tmp_path):
    check_film(tmp_path)
    check_film(tmp_path / "film")
    check_film(tmp_path / "film.GIF")


@pytest.mark.parametrize("kind", ["text", "link", "folder"])
def test_what_is_no_picture_is_not_replaced_by_one(tmp_path, kind):
    own = tmp_path / "film" / "turn-1-0-start.png"
    own.parent.mkdir()
    (tmp_path / "notes").write_text("mine")
    if kind == "text":
        own.write_text("mine")
    elif kind == "link":
        own.symlink_to(tmp_path / "notes")
    else:
        own.mkdir()
    with pytest.raises(InputError, match="is no picture of a battle: name another folder"):
        check_film(own.parent)
    assert (tmp_path / "notes").read_text() == "mine"
