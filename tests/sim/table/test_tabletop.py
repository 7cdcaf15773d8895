"""What stands on a table: refusals, contacts, melees; `estoc table` and its picture (C-1, M-1)."""

import csv
import io
import json
import shlex
from dataclasses import replace
from itertools import combinations
from math import cos, radians, sin

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, Polygon
from running import answered, estoc

from estoc.profiles import InputError, Profile
from estoc.profiles.armies.scenario import Placed, Scenario, Terrain, Zone
from estoc.sim.base.options import Options
from estoc.sim.table.tabletop import ALONE, Tabletop, load_table, table
from estoc.sim.table.tabletop_plot import SIDES, board, points

MEDIUM, LARGE = Profile("Garde", size="moyenne"), Profile("Ogre", size="grande")
ROUND, RIDER = Profile("Disque", base="30"), Profile("Cavalier", base="25x50", size="grande")
UNKNOWN = Profile("Inconnu")
LONG = "Extraordinairementlonguement"

OWN = """name,size,base
Garde,moyenne,
Disque,,30
Inconnu,,
Cavalier,grande,25x50
"""
MINE = """
name = "Mine"
table = [60, 40]
[[terrain]]
name = "ruin"
rectangle = [1, 1, 5, 4]
[[terrain]]
name = "wall"
kind = "relief"
corners = [[40, 30], [50, 32], [45, 36]]
height = 2.5
[[fighters]]
name = "Garde"
side = "A"
at = [20, 20]
facing = 0
[[fighters]]
name = "Disque"
side = "B"
at = [20, 20]
facing = 180
[[fighters]]
name = "Inconnu"
side = "A"
at = [40, 20]
[[fighters]]
name = "Inconnu"
side = "B"
at = [43, 20]
label = "Autre"
"""
ASKED = ("table", "mine.toml", "--fighters", "own.csv")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("scenarios")
    (place / "mine.toml").write_text(MINE, encoding="utf-8")
    (place / "own.csv").write_text(OWN, encoding="utf-8")
    return place


@pytest.fixture(autouse=True)
def surroundings(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(folder)


def placed(x=20.0, y=20.0, facing=0.0, profile=MEDIUM, side="A", **keys) -> Placed:
    return Placed(keys.pop("label", ""), profile, side, (float(x), float(y)), facing, **keys)


def stood(*fighters: Placed, terrain=(), width=90.0, depth=60.0, rules=()) -> Tabletop:
    """Return a table with these fighters; who has no label is called by its number."""
    named = [f if f.label else replace(f, label=f"f{n}") for n, f in enumerate(fighters, 1)]
    scenario = Scenario("x", width, depth, tuple(terrain), tuple(named))
    return Tabletop(scenario, Options(rules=tuple(rules)))


def block(x, y, w, d, *, impassable=True) -> Terrain:
    return Terrain("wall", ((x, y), (x + w, y), (x + w, y + d), (x, y + d)), impassable)


def refusal(*fighters: Placed, **keys) -> str:
    with pytest.raises(InputError) as caught:
        stood(*fighters, **keys)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- what may not stand there (M-1.2) -------------------------------------------------


def test_bases_do_not_overlap():
    assert refusal(placed(), placed(22.3)) == "x: f1 overlaps f2 (M-1.2)"
    told = refusal(placed(60), placed(), placed(21, profile=ROUND, label="Ada"))
    assert told == "x: f2 overlaps Ada (M-1.2)"
    stood(placed(), placed(22.3, level=1))


@pytest.mark.parametrize(
    ("x", "y", "facing"), [(2.3, 20, 0), (90.2, 20, 0), (20, 1.1, 0), (20, 58.9, 0), (0, 0, 225)]
)
def test_nobody_stands_over_the_edge(x, y, facing):
    assert refusal(placed(x, y, facing)) == "x: f1 stands over the edge of the table (M-1.2)"


def test_nobody_stands_on_impassable_terrain():
    ruin = block(20.1, 10, 5, 20)
    told = refusal(placed(60), placed(20.3), terrain=[block(1, 1, 2, 2, impassable=False), ruin])
    assert told == "x: f2 stands on wall, which is impassable (M-1.2)"
    refusal(placed(20.3, profile=ROUND), terrain=[ruin])
    refusal(placed(23), terrain=[ruin])  # all of it within the piece
    stood(placed(20.3, level=1), terrain=[ruin])


def test_a_refusal_names_the_file_where_there_is_one():
    asked = Scenario("x", 9.0, 9.0, (), (placed(label="Ada"),), "a.toml")
    with pytest.raises(InputError, match=r"^a\.toml: Ada stands over the edge"):
        Tabletop(asked, Options())


def test_who_only_touches_may_stay():
    for profile, half in ((MEDIUM, 1.25), (ROUND, 1.5)):
        length = 2 * half
        stood(placed(length, half, profile=profile))
        stood(placed(90, 60 - half, profile=profile))
        stood(placed(profile=profile), placed(20 + length, profile=profile))
        stood(placed(profile=profile), terrain=[block(20, 10, 5, 20)])
        stood(placed(profile=profile), terrain=[block(17, 20 + half, 5, 5)])


@given(st.floats(0, 360), st.sampled_from([MEDIUM, ROUND, LARGE, RIDER]))
@settings(max_examples=60, deadline=None)
def test_front_to_front_at_any_angle_is_contact(angle, profile):
    asked = stood(placed(40, 30, angle), placed(40, 30, angle + 180, profile, "B"))
    assert asked.enemies(0) == [1]
    assert asked.melees == [0, 0]


def test_relief_may_be_stood_on():
    stood(placed(), terrain=[block(10, 10, 20, 20, impassable=False)])


def outline(fighter: Placed, size: tuple[float, float]) -> shapely.Polygon:
    """Return the rectangle behind an aim point."""
    (x, y), (fx, fy), (width, depth) = fighter.at, fighter.direction, size
    ends = ((0, 0.5), (0, -0.5), (-depth, -0.5), (-depth, 0.5))
    return shapely.Polygon(
        [(x + a * fx - b * width * fy, y + a * fy + b * width * fx) for a, b in ends]
    )


SIZES = {"Garde": (2.5, 2.5), "Ogre": (3.75, 3.75), "Cavalier": (2.5, 5.0)}
anywhere = st.builds(
    placed,
    st.integers(0, 200).map(lambda n: n / 10),
    st.integers(0, 200).map(lambda n: n / 10),
    st.integers(0, 359).map(float),
    st.sampled_from([MEDIUM, LARGE, RIDER]),
    level=st.sampled_from([0, 0, 0, 1]),
)


@given(st.lists(anywhere, min_size=1, max_size=4), st.booleans())
@settings(max_examples=150, deadline=None)
def test_refusals_are_those_of_shapely(fighters, impassable):
    piece = block(8, 8, 4, 4, impassable=impassable)
    shapes = [outline(f, SIZES[f.profile.name]) for f in fighters]
    board_, wall = shapely.box(0, 0, 20, 20), shapely.Polygon(piece.corners)
    beyond = [shape.difference(board_).area for shape in shapes]
    inside = [
        wall.intersection(shape).area
        for f, shape in zip(fighters, shapes, strict=True)
        if impassable and f.level == 0
    ]
    shared = [
        shapes[i].intersection(shapes[j]).area
        for i, j in combinations(range(len(shapes)), 2)
        if fighters[i].level == fighters[j].level
    ]
    worst = max([*beyond, *inside, *shared])
    assume(worst < 1e-12 or worst > 1e-5)  # deeper than two who touch
    try:
        exact = ("measuring.contact=0.0",)
        stood(*fighters, terrain=[piece], width=20.0, depth=20.0, rules=exact)
    except InputError:
        assert worst > 1e-5
    else:
        assert worst < 1e-12


# --- contacts and melees (C-1) --------------------------------------------------------


def test_friends_link_nothing():
    """C-1.1: two melees whose friends touch stay two; who touches friends only has none."""
    asked = stood(
        placed(20, 20),
        placed(22.5, 20),
        placed(17.5, 20, side="B"),
        placed(25, 20, side="B"),
        placed(60, 20),
        placed(62.5, 20),
    )
    assert asked.melees == [0, 1, 0, 1, ALONE, ALONE]
    assert [asked.enemies(i) for i in range(6)] == [[2], [3], [0], [1], [], []]


def test_corners_that_meet_are_contact():
    asked = stood(placed(20, 20), placed(22.5, 20), placed(20, 22.5, side="B"))
    assert asked.enemies(2) == [0, 1]
    assert asked.melees == [0, 0, 0]


def test_melees_are_counted_in_the_order_of_the_file():
    pair = [placed(40, 20), placed(42.5, 20, side="B")]
    other = [placed(20, 40), placed(22.5, 40, side="B")]
    assert stood(placed(5, 5), pair[0], other[0], other[1], pair[1]).melees == [-1, 0, 1, 1, 0]


def test_nobody_touches_across_levels():
    asked = stood(placed(), placed(22.5, side="B", level=1), placed(17.5, side="B"))
    assert asked.melees == [0, ALONE, 0]


# Bases in rows 3.75 cm high, side by side or with gaps: extents, profile, facings.
_pieces = st.tuples(
    st.sampled_from(
        [
            (2.5, 2.5, MEDIUM, (0, 90, 180, 270)),
            (3.75, 3.75, LARGE, (0, 90, 180, 270)),
            (5.0, 2.5, RIDER, (0, 180)),
            (3.0, 3.0, ROUND, (0, 90, 180, 270, 33, 200)),
        ]
    ),
    st.integers(0, 5),
    st.sampled_from("AB"),
    st.sampled_from([0, 0, 0, 0, 1]),
    st.sampled_from([0.0, 0.0, 0.0, 0.5, 1.25]),  # gap before it
    st.booleans(),  # at the upper end of its row
)
crowds = st.lists(st.lists(_pieces, max_size=5), min_size=1, max_size=4)


@given(crowds, st.integers(0, 359), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_contacts_and_melees_are_those_of_shapely(rows, angle, rng):
    turn = radians(angle)

    def turned(x, y):
        return 60 + x * cos(turn) - y * sin(turn), 60 + x * sin(turn) + y * cos(turn)

    made = []
    for n, row in enumerate(rows):
        left = 0.0
        for (wide, high, profile, facings), pick, side, level, space, upper in row:
            left += space
            low = 3.75 * n + (3.75 - high if upper else 0)
            facing = facings[pick % len(facings)]
            x, y = left + wide / 2, low + high / 2
            way = radians(facing)
            reach = (wide if facing in (0, 180) else high) / 2
            aim = turned(x + reach * cos(way), y + reach * sin(way))
            fighter = placed(*aim, facing + angle, profile, side, level=level)
            # a disc is a point and a radius: exact
            centre = shapely.Point(*turned(x, y))
            ends = ((left, low), (left + wide, low), (left + wide, low + high), (left, low + high))
            core = centre if profile is ROUND else shapely.Polygon([turned(*end) for end in ends])
            made.append((fighter, core, 1.5 if profile is ROUND else 0.0))
            left += wide
    assume(made)
    rng.shuffle(made)
    exact = ("measuring.contact=0.0",)
    asked = stood(*(fighter for fighter, _, _ in made), width=120.0, depth=120.0, rules=exact)
    graph = nx.empty_graph(len(made))
    for i, j in combinations(range(len(made)), 2):
        (one, core, r), (other, far, s) = made[i], made[j]
        near = shapely.distance(core, far) - r - s <= 1e-6
        if near and one.side != other.side and one.level == other.level:
            graph.add_edge(i, j)
    assert [asked.enemies(i) for i in graph] == [sorted(graph[i]) for i in graph]
    melees = sorted((sorted(c) for c in nx.connected_components(graph) if len(c) > 1), key=min)
    wanted = {i: n for n, melee in enumerate(melees) for i in melee}
    assert asked.melees == [wanted.get(i, ALONE) for i in graph]
    shown = [row for row in table(asked) if row["section"] == "fighter"]
    assert [row["melee"] for row in shown] == [
        wanted[i] + 1 if i in wanted else None for i in graph
    ]
    for i, row in enumerate(shown):
        names = [asked.scenario.fighters[j].label for j in sorted(graph[i])]
        assert row["touches"] == "; ".join(names)


@given(st.integers(0, 359), st.sampled_from([MEDIUM, LARGE, RIDER]))
@settings(max_examples=30, deadline=None)
def test_the_outline_of_a_base(angle, profile):
    asked = stood(placed(40, 30, float(angle), profile))
    corners = asked.outline(0)
    shape = outline(asked.scenario.fighters[0], SIZES[profile.name])
    assert shapely.Polygon(corners).normalize().equals_exact(shape.normalize(), 1e-9)
    assert np.mean(corners[2:], axis=0) == pytest.approx((40, 30))  # the front is last


def test_the_outline_of_a_disc():
    (centre, aim) = stood(placed(40, 30, 90.0, ROUND)).outline(0)
    assert centre == pytest.approx((40, 28.5))
    assert aim == (40, 30)


# --- the command ----------------------------------------------------------------------


def test_rows():
    rows = answered(*ASKED)
    assert [row["section"] for row in rows] == ["table"] + ["terrain"] * 2 + ["fighter"] * 4
    frame, ruin, wall, garde, disc, unknown, other = rows
    assert (frame["name"], frame["width"], frame["depth"]) == ("Mine", 60, 40)
    assert (ruin["kind"], ruin["height"], ruin["corners"]) == ("impassable", 0, "1,1 6,1 6,5 1,5")
    assert (wall["name"], wall["kind"], wall["height"]) == ("wall", "relief", 2.5)
    assert (garde["x"], garde["y"], garde["facing"], garde["base"]) == (20, 20, 0, "25x25")
    assert [row["base_from"] for row in rows[3:]] == [
        *("square.moyenne", "card", "defaults.base", "defaults.base")
    ]
    assert (disc["base"], disc["profile"], disc["side"]) == ("30", "Disque", "B")
    assert np.array(points(disc["corners"])) == pytest.approx(np.array([(21.5, 20), (20, 20)]))
    assert (garde["melee"], garde["touches"], disc["touches"]) == (1, "Disque", "Garde")
    assert (unknown["melee"], unknown["touches"], other["name"]) == (None, "", "Autre")
    assert {row["edition"] for row in rows} == {"conffede"}
    assert {row["command"] for row in rows} == {"estoc table mine.toml --fighters own.csv"}


def words_of(text: str) -> str:
    return " ".join(text.split())


def test_the_table_fits_and_says_what_is_assumed():
    done = estoc(*ASKED)
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "Mine: 60 by 40 cm, 4 fighters, 1 melee" in done.out
    assert "A  Garde    20, 20" in done.out
    assert "defaults.base" in done.out  # W-5 does not say what base an unknown size has
    assert done.out.rstrip().endswith("again:\nestoc table mine.toml --fighters own.csv")
    assert "defaults." not in estoc("table", "crossing").out.partition("again:")[2]


def test_the_shipped_example_fits():
    done = estoc("table", "crossing")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "The crossing: 90 by 60 cm, 7 fighters, 1 melee" in done.out


def changed(place, *changes: tuple[str, str]) -> str:
    """Write the scenario with other texts in it."""
    text = MINE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = place / "changed table.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_names_of_forty_letters_fit(tmp_path):
    names = [(side + LONG * 2)[:40] for side in "PQ"]
    path = changed(
        tmp_path,
        ('name = "Garde"', f'name = "Garde"\nlabel = "{names[0]}"'),
        ('name = "Disque"', f'name = "Disque"\nlabel = "{names[1]}"'),
    )
    done = estoc("table", path, "--fighters", "own.csv")
    assert done.code == 0, done.err
    shown = done.out.partition("\nagain:\n")[0]
    assert max(map(len, shown.splitlines())) <= 80
    assert words_of(shown).count("P" + LONG[:8]) == words_of(shown).count("Q" + LONG[:8]) == 2


def test_a_facing_is_shown_below_360(tmp_path):
    path = changed(tmp_path, ("at = [43, 20]", "at = [43, 20]\nfacing = 359.7"))
    done = estoc("table", path, "--fighters", "own.csv")
    assert done.code == 0, done.err
    assert "360°" not in done.out


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_forms_hold_the_same_rows(form, tmp_path):
    rows = answered(*ASKED)
    told = estoc(*ASKED, "--format", form).data
    path = tmp_path / f"a.{form}"
    done = estoc(*ASKED, "-o", path)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"estoc: wrote {path}, 7 rows\n"
    assert path.read_bytes() == told
    if form == "csv":
        found = list(csv.DictReader(io.StringIO(told.decode("utf-8-sig"))))
        blank = [{k: "" if v is None else v for k, v in row.items()} for row in rows]
        assert [row["name"] for row in found] == [row["name"] for row in blank]
        assert [row["corners"] for row in found] == [row["corners"] for row in blank]
        assert list(found[0]) == list(rows[0])
    elif form == "json":
        assert json.loads(told) == rows
    else:
        found = pq.read_table(path).to_pylist()
        assert list(found[0]) == list(rows[0])
        assert found == rows


def test_a_text_file_is_the_table(tmp_path):
    done = estoc(*ASKED, "-o", tmp_path / "a.txt")
    assert (done.code, done.out) == (0, "")
    text = (tmp_path / "a.txt").read_text(encoding="utf-8")
    assert words_of(text) == words_of(estoc(*ASKED).out)


@pytest.mark.parametrize(
    "more",
    [(), ("--rule", "defaults.base=[30,30]"), ("--edition", "c3", "--rule", "many_dice=one_chain")],
)
def test_the_command_gives_the_same_again(more, tmp_path, monkeypatch):
    changed(tmp_path)
    (tmp_path / "own.csv").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    rows = answered("table", "changed table.toml", "--fighters", "own.csv", *more)
    program, *words = shlex.split(rows[0]["command"])
    assert program == "estoc"
    assert answered(*words) == rows
    told = estoc(*words).out.rpartition("again:\n")[2]
    assert shlex.split(told.replace("\\\n", " ")) == [program, *words]


def test_a_rule_changes_who_touches_whom():
    before = answered(*ASKED)
    after = answered(*ASKED, "--rule", "defaults.base=[30,30]")
    assert [row["melee"] for row in before[3:]] == [1, 1, None, None]
    assert [row["melee"] for row in after[3:]] == [1, 1, 2, 2]
    assert [row["touches"] for row in after[5:]] == ["Autre", "Inconnu"]
    assert [row["base"] for row in after[3:]] == ["25x25", "30", "30x30", "30x30"]
    done = estoc(*ASKED, "--rule", "defaults.base=[32.5,32.5]")
    assert (done.code, done.data) == (2, b"")
    assert done.err == "estoc: mine.toml: Inconnu overlaps Autre (M-1.2)\n"


def test_a_scenario_without_a_file_has_no_command():
    assert {row["command"] for row in table(stood(placed()))} == {""}


def test_the_library_reads_what_the_command_reads():
    options = Options(fighters=("own.csv",))
    rows = [dict(row) for row in table(load_table("mine.toml", options))]
    assert json.loads(json.dumps(rows)) == answered(*ASKED)


# --- the picture ----------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_is_the_same_bytes_each_time(ending, tmp_path):
    paths = [tmp_path / f"{n}.{ending}" for n in "ab"]
    for path in paths:
        done = estoc(*ASKED, "--plot", path)
        assert (done.code, done.err) == (0, f"estoc: drew {path}\n")
        assert done.out == estoc(*ASKED).out
    one, other = (path.read_bytes() for path in paths)
    assert one == other
    assert one.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending])


def test_pictures_that_cannot_be(tmp_path):
    for name in ("a.xyz", "none/a.png"):
        done = estoc(*ASKED, "--plot", tmp_path / name)
        assert (done.code, done.data) == (2, b"")
        assert done.err.count("\n") == 1


def test_discs_and_squares_are_drawn_to_scale():
    result = table(load_table("mine.toml", Options(fighters=("own.csv",))))
    _, axes = board(result)
    discs = [patch for patch in axes.patches if isinstance(patch, Circle)]
    shapes = [patch for patch in axes.patches if isinstance(patch, Polygon)]
    assert [(d.center, d.radius) for d in discs] == [(pytest.approx((21.5, 20)), 1.5)]
    areas = [shapely.Polygon(shape.get_xy()).area for shape in shapes]
    assert areas == pytest.approx([20, 25, 6.25, 6.25, 6.25])  # terrain comes first
    assert to_hex(discs[0].get_facecolor()) == SIDES["B"].lower()
    sides = [to_hex(shape.get_facecolor()) for shape in shapes[2:]]
    assert sides == [SIDES[side].lower() for side in "AAB"]
    assert (axes.get_xlim(), axes.get_ylim(), axes.get_aspect()) == ((0, 60), (0, 40), 1)
    assert discs[0].get_edgecolor() == shapes[2].get_edgecolor()  # one melee
    assert shapes[3].get_edgecolor() != shapes[2].get_edgecolor()
    texts = {text.get_text() for text in axes.texts}
    assert texts == {"Garde", "Disque", "Inconnu", "Autre", "ruin", "wall, 2.5 cm", "10 cm"}


def test_zones_are_listed_and_drawn_to_scale():
    corners = ((10.0, 10.0), (14.0, 10.0), (14.0, 13.0), (10.0, 13.0))
    scenario = replace(stood(placed(50)).scenario, zones=(Zone("well", corners, 1),))
    result = table(Tabletop(scenario, Options()))
    (row,) = (row for row in result if row["section"] == "zone")
    assert (row["name"], row["points"], points(row["corners"])) == ("well", 1, list(corners))
    assert [r["points"] for r in result if r["section"] != "zone"] == [None, None]
    lines = result.encoded("table", 80).decode().splitlines()
    assert ["well", "1"] in [line.split() for line in lines]
    _, axes = board(result)
    shapes = [patch for patch in axes.patches if isinstance(patch, Polygon)]
    areas = [shapely.Polygon(shape.get_xy()).area for shape in shapes]
    assert areas == pytest.approx([12, 6.25])
    assert "well, 1 point" in [text.get_text() for text in axes.texts]


def test_the_title_and_names_with_signs_are_as_they_are():
    asked = stood(placed(label="$a$ _b_"))
    picture = table(asked).plot()
    FigureCanvasAgg(picture).draw()
    assert picture.get_suptitle() == "x: 90 by 60 cm, 1 fighter, 0 melees"
    assert "$a$ _b_" in [text.get_text() for text in picture.axes[0].texts]


def extents(asked: Tabletop, *labels: str):
    """Return where names are written."""
    picture = table(asked).plot()
    canvas = FigureCanvasAgg(picture)
    canvas.draw()
    texts = {text.get_text(): text for text in picture.axes[0].texts}
    return [texts[label].get_window_extent(canvas.get_renderer()) for label in labels]


@pytest.mark.parametrize("profile", [MEDIUM, ROUND])
@pytest.mark.parametrize("angle", [0, 60, 90, 135, 180, 270, 300])
def test_names_of_two_who_touch_do_not_meet(profile, angle):
    names = "Guerriero Mandigorn", "Tiranno di Vile-Tis"
    asked = stood(
        placed(40, 30, angle, profile, label=names[0]),
        placed(40, 30, angle + 180, profile, "B", label=names[1]),
    )
    one, other = extents(asked, *names)
    assert not one.overlaps(other)


def test_wounds_that_are_none_are_refused():
    with pytest.raises(InputError, match=r"x: fighters item 2: wounds: .*xyzzy"):
        stood(placed(10, 10), placed(40, 30, wounds="xyzzy"))


def test_no_names_of_the_shipped_example_meet():
    asked = load_table("crossing", Options())
    names = [*(f.label for f in asked.scenario.fighters), "ruin", "wall, 2 cm"]
    for one, other in combinations(extents(asked, *names), 2):
        assert not one.overlaps(other)


@pytest.mark.parametrize(("x", "y"), [(2.5, 58.75), (90, 58.75), (2.5, 1.25), (90, 1.25)])
@pytest.mark.parametrize("side", ["A", "B"])
def test_names_beside_the_edge_are_whole(x, y, side):
    asked = stood(placed(x, y, side=side, label=LONG * 2))
    picture = table(asked).plot()
    canvas = FigureCanvasAgg(picture)
    canvas.draw()
    (name,) = (text for text in picture.axes[0].texts if text.get_text() == LONG * 2)
    box = name.get_window_extent(canvas.get_renderer())
    assert box.x0 >= 0
    assert box.y0 >= 0
    assert box.x1 <= picture.bbox.x1
    assert box.y1 <= picture.bbox.y1
    for other in (picture.axes[0].texts[-1], picture._suptitle):  # of the scale, and the title
        assert not box.overlaps(other.get_window_extent(canvas.get_renderer()))
