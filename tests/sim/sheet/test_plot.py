"""The picture of the sheet's map: every counter in its hex, readable, nothing over another."""

import io
from dataclasses import replace
from itertools import combinations

import matplotlib
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from shapely import Polygon

from estoc.profiles.sheet.compile import compile_situation
from estoc.profiles.sheet.hexes import centre
from estoc.profiles.sheet.readings import readings_of
from estoc.profiles.sheet.situation import load_situation
from estoc.profiles.sheet.tests import load_tests
from estoc.profiles.sheet.world import load_world
from estoc.sim.sheet.counters import Counter, Labels, view
from estoc.sim.sheet.plot import Panel, corners, draw_panels, percent

WORLD = load_world()
FIELD = load_situation("field")
GRID = load_situation("skirmish").grid


def piece(name="Guard", at=(2, 2), **parts):
    basic = Counter(name, "simple", 0, at, "n", "good", "fresh", ())
    return replace(basic, **parts)


def sixty():
    """The sixty units of the field, in all states."""
    sides, states = FIELD.sides, ("good", "shaken", "routed")
    marks = (("charge", "contact", "active", "special"), ("active",), ())
    breaths = ("fresh", "winded", "exhausted")
    return [
        Counter(
            p.name, p.kind.name.lower(), sides.index(p.side), p.place, "n", states[k % 3],
            breaths[k // 3 % 3], marks[k // 9 % 3],
        )
        for k, p in enumerate(FIELD.pieces)
    ]  # fmt: skip


def draw_map(grid, world, pieces, chances=None, **more):
    return draw_panels(grid, world, [Panel("", pieces, chances or {})], **more)


def words(artist):
    return [t.get_text() for t in artist.findobj(matplotlib.text.Text) if t.get_text()]


def told(picture):
    (legend,) = picture.legends
    return [text.get_text() for text in legend.get_texts()]


def boxes(axes):
    """Extents of counters and texts of a drawn picture, in sides of a hex."""
    axes.figure.canvas.draw()
    shapes = [p for p in axes.patches if isinstance(p, Rectangle) and not p.get_fill()]
    counters = [p.get_path().transformed(p.get_patch_transform()).get_extents() for p in shapes]
    back = axes.transData.inverted()
    texts = {t: t.get_window_extent().transformed(back) for t in axes.texts if t.get_text()}
    return counters, texts


def within(box, place):
    x, y = zip((box.x0, box.y0), (box.x1, box.y1), strict=True)
    shape = Polygon([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])])
    return Polygon(corners(place, 1.03)).covers(shape)


def test_all_counters_are_in_their_hexes_and_named_readably():
    pieces = sixty()
    picture = draw_map(FIELD.grid, WORLD, pieces, {p.name: 0.5 for p in pieces})
    axes = picture.axes[0]
    counters, texts = boxes(axes)
    assert len(counters) == len(pieces) == 60
    for each in pieces:
        here = [box for box in [*counters, *texts.values()] if within(box, each.hex)]
        assert len(here) >= 3  # the counter, its chance, its name
        assert any(" ".join(t.get_text().split()) == each.name for t in texts)
    assert min(t.get_fontsize() for t in texts) >= 5  # points
    homes = {p.hex for p in pieces}
    for text, box in texts.items():
        assert any(within(box, place) for place in homes), text.get_text()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_nothing_in_a_stack_lies_over_anything_else(count):
    names = ["Lion archers", "Abbess", "Third of the guard", "Last"][:count]
    stack = [piece(n, marks=("charge", "active"), facing="s") for n in names]
    axes = draw_map(GRID, WORLD, stack).axes[0]
    counters, texts = boxes(axes)
    assert len(counters) == count
    assert not any(a.overlaps(b) for a, b in combinations(counters, 2))
    below = next(box for text, box in texts.items() if text.get_text().startswith("Lion"))
    assert not any(below.overlaps(box) for box in counters)
    assert all(within(box, (2, 2)) for box in counters)


def test_of_a_high_stack_it_says_how_many_are_not_named():
    axes = draw_map(GRID, WORLD, [piece(f"P{k}") for k in range(7)]).axes[0]
    assert "P0\nP1\n+ 5 more" in words(axes)


def test_a_long_name_is_cut():
    axes = draw_map(GRID, WORLD, [piece("Companions of the silver chalice of Alahan")]).axes[0]
    assert "Companions\nof the sil…" in words(axes)


def test_pieces_off_the_map_are_not_drawn():
    picture = draw_map(GRID, WORLD, [piece(), piece("Gone", None, side=1, cohesion="routed")])
    assert not {"Gone", "routed", "side 1"} & {*words(picture.axes[0]), *told(picture)}


@pytest.mark.parametrize(
    ("facing", "ahead"),
    [
        *[("n", (0, -1)), ("ne", (1, -1)), ("se", (1, 1))],
        *[("s", (0, 1)), ("sw", (-1, 1)), ("nw", (-1, -1))],
    ],
)
def test_an_arrow_lies_where_its_counter_faces(facing, ahead):
    axes = draw_map(GRID, WORLD, [piece(facing=facing)]).axes[0]
    (arrow,) = [p for p in axes.patches if not isinstance(p, Rectangle)]
    box = axes.patches[0].get_extents().transformed(axes.transData.inverted())
    middle = arrow.get_xy()[:3].mean(axis=0) - ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
    assert [round(float(part), 1) > 0 for part in middle] == [part > 0 for part in ahead]
    assert [round(float(part), 1) < 0 for part in middle] == [part < 0 for part in ahead]


def test_a_cache_shows_no_facing():
    axes = draw_map(GRID, WORLD, [piece("cache 1", kind="cache", facing=None)]).axes[0]
    assert all(isinstance(p, Rectangle) for p in axes.patches)
    assert "?" in words(axes)


def test_a_player_sees_his_view_drawn():
    situation = load_situation("skirmish")
    sheets, _ = compile_situation(situation, load_tests(), WORLD, readings_of([]))
    ours, theirs = (
        draw_map(GRID, WORLD, view(sheets[0], Labels.of(situation), side, "begin").pieces)
        for side in (0, 1)
    )
    found = [{"Woodsmen", "Shadow", "cache 1"} & set(words(each)) for each in (ours, theirs)]
    assert found == [{"Woodsmen", "cache 1"}, {"Shadow", "cache 1"}]


def test_markers_are_written_and_explained():
    marked = piece(marks=("charge", "ammo out"), breath="winded", cohesion="shaken")
    picture = draw_map(GRID, WORLD, [marked], sides=("Lion",))
    assert "CE~" in words(picture.axes[0])
    assert {"C charge", "E ammo out", "~ winded", "shaken", "Lion", "simple"} <= set(told(picture))
    assert not {"routed", "H hidden", "≈ exhausted"} & set(told(picture))


def test_the_ground_is_explained_where_it_occurs():
    picture = draw_map(GRID, WORLD, [])
    assert {"wood", "burning", "impassable side"} <= set(told(picture))
    assert "water" not in told(picture)
    plain = replace(GRID, burning=frozenset(), walls=frozenset())
    assert not {"burning", "impassable side"} & set(told(draw_map(plain, WORLD, [])))


def test_a_greater_chance_is_hotter():
    pieces = [piece("Cold", (1, 1)), piece("Hot", (4, 4)), piece("Unknown", (6, 6))]
    chances = {"Cold": 0.1, "Hot": 0.9}
    picture = draw_map(GRID, WORLD, pieces, chances, meaning="chance of rout")
    axes = picture.axes[0]
    faces = [p for p in axes.patches if isinstance(p, Rectangle) and p.get_fill()][::2]
    cold, hot, unknown = (p.get_facecolor() for p in faces)
    assert hot[1] < cold[1] < 1.0
    assert to_hex(unknown) == "#ffffff"
    assert {"10", "90"} <= set(words(axes))
    assert "number: chance of rout, %" in told(picture)


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0.0, "0"), (0.004, "<1"), (0.5, "50"), (0.994, ">99"), (0.99, "99"), (1.0, "100")],
)
def test_only_what_is_certain_is_0_or_100(chance, text):
    assert percent(chance) == text


def test_moments_have_a_panel_each():
    panels = [Panel(f"turn {k}", [piece()], {"Guard": k / 4}) for k in range(1, 5)]
    picture = draw_panels(GRID, WORLD, panels, "How a rout spreads")
    titles = [axes.get_title() for axes in picture.axes if axes.axison]
    assert titles == ["turn 1", "turn 2", "turn 3", "turn 4"]
    for axes, chance in zip(picture.axes, ("25", "50", "75", "100"), strict=True):
        assert chance in words(axes)
    assert picture.get_suptitle() == "How a rout spreads"


def test_a_piece_is_drawn_at_the_centre_of_its_hex():
    for place in [(0, 0), (3, 4), (15, 10)]:
        axes = draw_map(GRID, WORLD, [piece(at=place)]).axes[0]
        (box,), _ = boxes(axes)
        assert (box.x0 + box.x1) / 2 == pytest.approx(centre(place)[0])
        assert within(box, place)


@pytest.mark.parametrize("form", ["png", "svg"])
def test_the_same_picture_is_the_same_bytes(form):
    def saved():
        picture = draw_map(GRID, WORLD, [piece(), piece("Other", (3, 3), side=1)])
        buffer = io.BytesIO()
        with matplotlib.rc_context({"svg.hashsalt": "estoc"}):
            metadata = {"Date": None} if form == "svg" else None
            picture.savefig(buffer, format=form, metadata=metadata)
        return buffer.getvalue()

    assert saved() == saved()
