"""Scenario files: what they say, every way in which they can be wrong, and their record (M-1)."""

import json
from dataclasses import replace
from math import atan2, cos, degrees, radians, sin
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from running import estoc

from estoc.kernels.layout.table import MAX_BASES, MAX_CORNERS, MAX_TERRAIN, Base, Shape
from estoc.profiles import InputError, Profile, Roster
from estoc.profiles.armies.card_policy import load_card_policy
from estoc.profiles.armies.scenario import Placed, Scenario, Side, Survival, Terrain, Victory, Zone
from estoc.profiles.armies.scenario_file import load_scenario
from estoc.profiles.compile.room import base_of
from estoc.profiles.compile.table import compile_table
from estoc.profiles.edition.edition import load_edition
from estoc.profiles.fighters.card import SIZES
from estoc.profiles.files.toml import shipped_names
from estoc.sim.base.options import Options
from estoc.sim.table.tabletop import Tabletop

EDITION = load_edition("conffede")
ROSTER = Roster(
    (
        Profile("Garde", size="moyenne"),
        Profile("Lame"),
        Profile("Disque", base="30"),
        Profile("Double", origin="one"),
        Profile("Double", origin="two"),
        Profile("Éclaireur", size="petite"),
    )
)
HEAD = 'name = "x"\n'
PIECE = '[[terrain]]\nname = "wall"\n'
SQUARE = PIECE + "rectangle = [1, 1, 4, 4]\n"


def fighter(name="Garde", at=(20, 20), side="A", **keys) -> str:
    """Return the table of one fighter."""
    keys = {"name": name, "side": side, "at": list(at), **keys}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()]
    return "\n".join(["[[fighters]]", *lines, ""])


def corners(*pairs) -> str:
    """Return a piece of terrain that goes round some points."""
    return f"{PIECE}corners = {json.dumps([list(pair) for pair in pairs])}\n"


def ring(number: int, step: int = 1) -> list[list[float]]:
    """Return points of a circle, each ``step`` further round than the last."""
    turns = [radians(360 * step * k / number) for k in range(number)]
    return [[50 + 9 * cos(turn), 50 + 9 * sin(turn)] for turn in turns]


ONE = fighter()
ZONE = '[[zones]]\nname = "well"\nrectangle = [10, 10, 4, 4]\npoints = 30\n'
SURVIVAL = '[[survival]]\nfighter = "{}"\npoints = {}\n'


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "mine.toml") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def load(path) -> Scenario:
    return load_scenario(path, ROSTER)


# --- what a file says -----------------------------------------------------------------


def test_the_least_that_a_file_says(file):
    path = file(HEAD + ONE)
    garde = Placed("Garde", ROSTER.find("Garde"), "A", (20.0, 20.0), 0.0)
    assert load(path) == Scenario("x", 120.0, 120.0, (), (garde,), path)
    assert load(Path(path)) == load(path)


def test_a_file_with_everything(file):
    text = HEAD + "table = [90, 60.5]\n"
    text += corners((1, 1), (3, 1), (2, 4)) + 'kind = "relief"\nheight = 2\nsize = "Small"\n'
    text += SQUARE.replace("wall", "ruin") + 'kind = "impassable"\nsize = "TRES GRANDE"\n'
    text += fighter("lame", (10.5, 20), "B", label="Ada", facing=-90, level=2, wounds="light")
    found = load(file(text))
    assert (found.name, found.width, found.depth) == ("x", 90.0, 60.5)
    assert found.terrain == (
        Terrain("wall", ((1.0, 1.0), (3.0, 1.0), (2.0, 4.0)), False, 2.0, "petite"),
        Terrain("ruin", ((1.0, 1.0), (5.0, 1.0), (5.0, 5.0), (1.0, 5.0)), True, 0, "très grande"),
    )
    ada = Placed("Ada", ROSTER.find("Lame"), "B", (10.5, 20.0), 270.0, 2, "light")
    assert found.fighters == (ada,)


def test_terrain_is_impassable_and_of_medium_size_unless_the_file_says_otherwise(file):
    (piece,) = load(file(HEAD + ONE + SQUARE)).terrain
    assert (piece.impassable, piece.height, piece.size) == (True, 0.0, "moyenne")


@pytest.mark.parametrize("size", SIZES)
def test_sizes_of_terrain_are_those_of_cards_in_either_language(file, size):
    for word in (size, *SIZES[size]):
        assert load(file(HEAD + ONE + SQUARE + f'size = "{word}"')).terrain[0].size == size


@pytest.mark.parametrize("change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n")])
def test_byte_order_marks_and_line_ends_change_nothing(file, tmp_path, change):
    text = HEAD + fighter("Éclaireur") + SQUARE
    plain = load(file(text))
    (tmp_path / "mine.toml").write_bytes(change(text).encode())
    assert load(tmp_path / "mine.toml") == plain


@pytest.mark.parametrize("name", shipped_names("scenario"))
def test_shipped_scenarios(name):
    found = load_scenario(name)
    assert found.file == name
    assert {placed.side for placed in found.fighters} == {"A", "B"}
    assert all(isinstance(placed.profile, Profile) for placed in found.fighters)


def test_the_shipped_example():
    found = load_scenario("crossing")
    assert [piece.name for piece in found.terrain] == ["ruin", "wall"]
    assert [piece.impassable for piece in found.terrain] == [True, False]
    assert len(found.fighters) == 7
    assert found.fighters[found.find("lama 1")].at == found.fighters[found.find("evis")].at


def test_as_many_as_there_may_be(file):
    places = [(5 + 10 * (n % 10), 5 + 10 * (n // 10)) for n in range(MAX_BASES)]
    text = HEAD + "".join(fighter(at=at) for at in places) + SQUARE * MAX_TERRAIN
    found = load(file(text))
    assert (len(found.fighters), len(found.terrain)) == (64, 32)
    assert [placed.label for placed in found.fighters[::63]] == ["Garde#1", "Garde#64"]
    assert len(load(file(HEAD + ONE + corners(*ring(MAX_CORNERS)))).terrain[0].corners) == 8


# --- what a battle there is fought for -------------------------------------------------


def test_a_battle_with_everything(file):
    text = HEAD + "turns = 32\n"
    text += '[sides.A]\nname = " The  North "\npeople = "Lions"\nalliance = "Lumière"\n'
    text += '[sides.B]\ncards = "wait"\n[victory]\nmargin = 12\ndestroyed = false\n'
    text += ZONE + '[[zones]]\nname = "hill"\ncorners = [[1, 1], [2, 4], [3, 1]]\npoints = 5\n'
    text += fighter(mystics=["Bolt", " Mend  all "], mana=7, faith=2, routed=True)
    text += fighter("Lame", (40, 20), "B") + SURVIVAL.format("lame", 30)
    found = load(file(text))
    assert found.turns == 32
    north = Side("The North", "Lions", "Lumière")
    assert found.sides == (north, Side(cards=load_card_policy("wait")))
    assert found.victory == Victory(margin=12, destroyed=False)
    square = ((10.0, 10.0), (14.0, 10.0), (14.0, 14.0), (10.0, 14.0))
    assert found.zones == (
        Zone("well", square, 30),
        Zone("hill", ((3.0, 1.0), (2.0, 4.0), (1.0, 1.0)), 5),
    )
    assert found.survival == (Survival(1, 30),)
    garde, lame = found.fighters
    assert (garde.mystics, garde.mana, garde.faith) == (("Bolt", "Mend all"), 7, 2)
    assert garde.routed
    assert (lame.mystics, lame.mana, lame.faith, lame.routed) == ((), 0, 0, False)


def test_what_a_file_that_says_nothing_of_a_battle_means(file):
    found = load(file(HEAD + ONE))
    assert (found.turns, found.zones, found.survival) == (6, (), ())
    assert found.sides == (Side(), Side())
    assert found.victory == Victory(margin=1, destroyed=True)


def test_a_people_is_the_one_of_the_cards(file):
    known = Roster((Profile("Garde", people="Elfes Daïkinee"),))
    path = file(HEAD + '[sides.A]\npeople = "elfes daikinee"\n' + ONE)
    assert load_scenario(path, known).sides[0].people == "Elfes Daïkinee"


def test_a_policy_for_cards_lies_beside_the_scenario(file):
    file('name = "mine"\ntitle = "x"\n', "mine-cards.toml")
    path = file(HEAD + '[sides.A]\ncards = "mine-cards.toml"\n' + ONE)
    policy = load(path).sides[0].cards
    assert policy is not None
    assert Path(policy.file).name == "mine-cards.toml"


@pytest.mark.parametrize(("name", "size"), [("ambush", 5), ("pitched", 10)])
def test_shipped_battles_can_be_fought(name, size):
    """Both sides stand in their thirds, with all that a battle needs on their cards."""
    found = load_scenario(name)
    for side, left, right in (("A", 0, found.width / 3), ("B", 2 * found.width / 3, found.width)):
        own = [placed for placed in found.fighters if placed.side == side]
        assert len(own) == size
        assert all(left <= placed.at[0] <= right for placed in own)
        for profile in (placed.profile for placed in own):
            needed = ("INI", "ATT", "FOR", "DEF", "RES", "MOU", "DIS", "PA")
            assert None not in [getattr(profile, key) for key in needed]
            assert profile.COU is not None or profile.PEUR is not None
            assert profile.people == found.sides["AB".index(side)].people
        assert any(placed.profile.TIR for placed in own)
    assert len({placed.profile.origin for placed in found.fighters}) == 1
    assert found.zones
    totals = [sum(p.profile.PA for p in found.fighters if p.side == side) for side in "AB"]
    assert abs(totals[0] - totals[1]) <= 5
    assert found.file == name
    Tabletop(found, Options())


# --- labels ---------------------------------------------------------------------------


def labels(path) -> list[str]:
    return [placed.label for placed in load(path).fighters]


def test_namesakes_are_numbered(file):
    text = fighter() + fighter("Lame", (30, 20)) + fighter("GARDE", (40, 20)) + fighter(at=(50, 9))
    assert labels(file(HEAD + text)) == ["Garde#1", "Lame", "GARDE#2", "Garde#3"]


def test_a_label_takes_a_fighter_out_of_its_namesakes(file):
    text = fighter() + fighter(at=(30, 20), label="Ada")
    assert labels(file(HEAD + text)) == ["Garde", "Ada"]


def test_labels_that_differ_by_accents_are_two_fighters(file):
    path = file(
        HEAD
        + fighter(label="Péché")
        + fighter(at=(30, 20), label="Pêche")
        + fighter(at=(40, 20), label="Ada", facing="pêche")
    )
    found = load(path)
    assert labels(path) == ["Péché", "Pêche", "Ada"]
    assert [found.find(name) for name in ("PÉCHÉ", "pêche", "pê", "ada")] == [0, 1, 1, 2]
    assert found.fighters[2].facing == 180
    with pytest.raises(InputError, match='"peche" could be Péché; Pêche'):
        found.find("peche")
    looks = fighter(label="Péché") + fighter(at=(9, 9), label="Pêche") + fighter(facing="peche")
    with pytest.raises(InputError, match='item 3: facing: "peche" could be Péché; Pêche'):
        load(file(HEAD + looks))


def test_no_two_fighters_are_called_alike(file):
    """A label that a number would give is taken."""
    text = fighter() + fighter(at=(30, 20)) + fighter("Lame", (40, 20), label="garde#1")
    try:
        found = labels(file(HEAD + text))
    except InputError:
        return
    assert len({label.casefold() for label in found}) == 3


def called(*names: str) -> Scenario:
    placed = (Placed(name, ROSTER.find("Garde"), "A", (9.0, 9.0), 0.0) for name in names)
    return Scenario("Mine", 90.0, 60.0, (), tuple(placed))


def test_fighters_are_found_as_people_type_them():
    asked = called("Guerrier Kératis", "Tigre", "Tigre blanc", "Lame#1", "Lame#2")
    for number, *texts in (
        (0, "guerrier  keratis", "g", "GUERRIER"),
        (1, "TIGRE", "tigre"),
        (2, "Tigre b"),
        (4, "lame#2"),
    ):
        assert [asked.find(text) for text in texts] == [number] * len(texts)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t", 'Mine: "t" could be Tigre; Tigre blanc'),
        ("lame", 'Mine: "lame" could be Lame#1; Lame#2'),
        ("Tigra", 'Mine: no fighter is called "Tigra"; nearest: Tigre'),
        ("", 'Mine: no fighter is called ""; known:'),
        (" ", 'Mine: no fighter is called " "; known:'),
    ],
)
def test_fighters_that_nobody_or_several_are(text, message):
    asked = called("Tigre", "Tigre blanc", "Lame#1", "Lame#2")
    with pytest.raises(InputError) as caught:
        asked.find(text)
    assert str(caught.value).startswith(message)
    with pytest.raises(InputError, match=r"^a\.toml: "):
        replace(asked, file="a.toml").find(text)


# --- facing ---------------------------------------------------------------------------


@given(st.integers(-90, 90), st.integers(-90, 90), st.sampled_from(["Ada", "ada", " ADA "]))
def test_a_facing_in_words_looks_at_the_aim_point(tmp_path_factory, dx, dy, word):
    path = tmp_path_factory.getbasetemp() / "facing.toml"
    at = (20 + dx, 20 + dy)
    text = fighter(facing=word) + fighter("Lame", at, label="Ada", facing=77)
    path.write_text(HEAD + text, encoding="utf-8")
    if (dx, dy) == (0, 0):
        with pytest.raises(InputError, match="at the same place"):
            load(path)
        return
    seen = load(path).fighters[0]
    assert 0 <= seen.facing < 360
    assert seen.facing == pytest.approx(degrees(atan2(dy, dx)) % 360)
    length = np.hypot(dx, dy)
    assert seen.direction == pytest.approx((dx / length, dy / length))


def test_a_facing_names_one_of_several_by_its_number(file):
    text = fighter(facing="garde#2") + fighter(at=(20, 50), facing="Garde#1")
    assert [placed.facing for placed in load(file(HEAD + text)).fighters] == [90.0, 270.0]


@pytest.mark.parametrize(
    ("told", "facing"), [(0, 0), (360, 0), (-90, 270), (725.5, 5.5), (-1e-20, 0)]
)
def test_a_facing_is_from_0_to_360(file, told, facing):
    found = load(file(HEAD + fighter(facing=told))).fighters[0].facing
    assert found == pytest.approx(facing)
    assert 0 <= found < 360


# --- terrain --------------------------------------------------------------------------


@given(st.integers(3, MAX_CORNERS), st.integers(0, 7), st.booleans())
def test_corners_are_turned_to_run_counter_clockwise(tmp_path_factory, number, first, clockwise):
    path = tmp_path_factory.getbasetemp() / "terrain.toml"
    points = ring(number)
    points = points[first % number :] + points[: first % number]
    points = points[::-1] if clockwise else points
    path.write_text(HEAD + ONE + corners(*points), encoding="utf-8")
    found = shapely.Polygon(load(path).terrain[0].corners)
    assert found.exterior.is_ccw
    assert found.normalize().equals_exact(shapely.Polygon(points).normalize(), 1e-12)


# --- wrong files ----------------------------------------------------------------------

BOTH = SQUARE + "corners = [[1, 1], [2, 1], [2, 2]]\n"
CONVEX = "terrain item 1: corners should go round a convex shape"
NUMBERS = "terrain item 1: rectangle should be [left, bottom, width, depth] in cm, not ["
WRONG = [
    ("", "has no name, which is needed"),
    (ONE, "has no name, which is needed"),
    ('name = ""\n' + ONE, "name should not be empty"),
    (HEAD, "has no fighters, which is needed"),
    (HEAD + "fighters = []", "fighters should have at least 1 item, not 0"),
    (HEAD + ONE.replace("[[", "[").replace("]]", "]"), "each headed [[fighters]]"),
    ("tabel = [9, 9]\n" + HEAD + ONE, 'unknown key "tabel"; nearest: table'),
    (HEAD + ONE + "labl = 1", 'fighters: item 1: unknown key "labl"; nearest: label'),
    (HEAD + ONE + SQUARE + "hight = 1", 'terrain: item 1: unknown key "hight"; nearest: height'),
    *(
        (
            HEAD + f"table = {table}\n" + ONE,
            "table should be width and depth in cm, 10 to 1000 each",
        )
        for table in ("[0, 60]", "[90, -1]", "[9.9, 60]", "[30, 30000]", "[1e308, 1e308]")
    ),
    (
        HEAD + PIECE + "rectangle = [1, 1, 4, 1e-300]\n" + ONE,
        "terrain item 1: rectangle should be [left, bottom, width, depth] in cm, not [",
    ),
    (
        HEAD + PIECE + "rectangle = [1, 1, 4, 1e308]\n" + ONE,
        "terrain: item 1: rectangle: item 4 should be at most 2000, not 1e+308",
    ),
    (
        HEAD + corners((0, 0), (9, 0), (9, 0.001), (0, 9)) + ONE,
        "terrain item 1: corners should be at least 0.01 cm from the next one",
    ),
    (
        HEAD + corners((0, 0), (9, 0), (9, -1e9)) + ONE,
        "terrain: item 1: corners: item 3: item 2 should be at least -1000",
    ),
    (
        HEAD + fighter(at=(1e300, 5)),
        "fighters: item 1: at: item 1 should be at most 2000, not 1e+300",
    ),
    (HEAD + "table = [90]\n" + ONE, "table should have at least 2 items, not 1"),
    (HEAD + "table = [9, 9, 9]\n" + ONE, "table should have at most 2 items, not 3"),
    (HEAD + 'table = ["9", 9]\n' + ONE, "table: item 1 should be a number, not '9'"),
    (HEAD + "table = [inf, 60]\n" + ONE, "table"),
    (HEAD + "table = [nan, 60]\n" + ONE, "table"),
    # fighters
    (HEAD + ONE + fighter("Gard3"), 'fighters item 2: no fighter is called "Gard3"; nearest: Gar'),
    (
        HEAD + ONE + fighter("Double", (40, 40)),
        'fighters item 2: "Double" could be Double@one, Double@two',
    ),
    (HEAD + '[[fighters]]\nside = "A"\nat = [1, 1]', "fighters: item 1: has no name, which"),
    (HEAD + fighter(name=""), "fighters: item 1: name should not be empty"),
    (HEAD + ONE.replace('side = "A"', ""), "fighters: item 1: has no side, which is needed"),
    (HEAD + fighter(side="C"), "fighters: item 1: side should be 'A' or 'B', not 'C'"),
    (HEAD + ONE.replace("at = [20, 20]", ""), "fighters: item 1: has no at, which is needed"),
    (HEAD + fighter(at=(1, 2, 3)), "fighters: item 1: at should have at most 2 items, not 3"),
    (HEAD + fighter(at=(1,)), "fighters: item 1: at should have at least 2 items, not 1"),
    (HEAD + fighter(at=("1", 2)), "fighters: item 1: at: item 1 should be a number"),
    (HEAD + fighter(level=-1), "fighters: item 1: level should be at least 0"),
    (HEAD + fighter(level=10), "fighters: item 1: level should be at most 9"),
    (HEAD + fighter(level=1.0), "fighters: item 1: level should be"),
    (HEAD + fighter(label=3), "fighters: item 1: label should be"),
    (
        HEAD + fighter(label="Ada") + fighter("Lame", (40, 40), label=" ada "),
        'fighters item 1: label "Ada" is there twice',
    ),
    (HEAD + ONE + fighter("Lame", label="GARDE"), 'item 2: label "GARDE" is there twice'),
    (HEAD + ONE * 65, "fighters should have at most 64 items, not 65"),
    # facing
    (
        HEAD + fighter(facing="Lamme") + fighter("Lame", (40, 40)),
        'fighters item 1: facing: should be degrees or a fighter; no "Lamme"; nearest: Lame',
    ),
    (HEAD + fighter(facing=""), "fighters item 1: facing: should be degrees or a fighter"),
    (
        HEAD + ONE + fighter(at=(40, 40)) + fighter("Lame", facing="Garde"),
        'fighters item 3: facing: should be degrees or a fighter; no "Garde"; nearest: Garde#',
    ),
    (HEAD + fighter(facing="Garde"), "fighters item 1: facing: Garde is at the same place"),
    (
        HEAD + ONE + fighter("Lame", facing="garde"),
        "fighters item 2: facing: garde is at the same place",
    ),
    (HEAD + fighter(facing=[1]), "fighters: item 1: facing"),
    (HEAD + ONE + "facing = nan", "fighters"),
    (HEAD + ONE + "facing = inf", "fighters"),
    (HEAD + ONE.replace("[20, 20]", "[nan, 20]"), "fighters"),
    # terrain
    (HEAD + ONE + PIECE, "terrain item 1: give corners, or a rectangle = [left, bottom, width,"),
    (HEAD + ONE + SQUARE + BOTH, "terrain item 2: give corners, or a rectangle"),
    (HEAD + ONE + PIECE + "rectangle = [1, 2, 3]", NUMBERS + "1.0, 2.0, 3.0]"),
    (HEAD + ONE + PIECE + "rectangle = [1, 2, 3, 4, 5]", NUMBERS),
    (HEAD + ONE + PIECE + "rectangle = [1, 2, 0, 4]", NUMBERS + "1.0, 2.0, 0.0, 4.0]"),
    (HEAD + ONE + PIECE + "rectangle = [1, 2, 3, -4]", NUMBERS),
    (HEAD + ONE + PIECE + "rectangle = [nan, 2, 3, 4]", "rectangle"),
    (HEAD + ONE + PIECE + "rectangle = [1, 2, nan, 4]", "rectangle"),
    (HEAD + ONE + PIECE + "rectangle = [1, 2, inf, 4]", "rectangle"),
    (HEAD + ONE + corners((1, 1), (9, 1), (3, 3), (1, 9)), CONVEX),
    (HEAD + ONE + corners((1, 9), (3, 3), (9, 1), (1, 1)), CONVEX),
    (HEAD + ONE + corners((1, 1), (2, 1), (3, 1), (3, 3)), CONVEX),
    (HEAD + ONE + corners((1, 1), (2, 2), (3, 3)), CONVEX),
    (HEAD + ONE + corners((1, 1), (1, 1), (3, 1), (3, 3)), CONVEX),
    (HEAD + ONE + corners((1, 1), (3, 3), (3, 1), (1, 3)), CONVEX),
    (HEAD + ONE + corners(*ring(5, step=2)), CONVEX),  # a star: all of its turns are left
    (HEAD + ONE + corners(*ring(7, step=3)[::-1]), CONVEX),
    (HEAD + ONE + PIECE + "corners = [[1, 1], [3, 1], [nan, 3]]", "terrain: item 1: corners"),
    (HEAD + ONE + corners((1, 1), (3, 1)), "terrain item 1: corners should be 3 to 8 pairs"),
    (HEAD + ONE + corners(*ring(9)), "terrain item 1: corners should be 3 to 8 pairs [x, y]"),
    (HEAD + ONE + corners((1, 1), (3, 1, 2), (2, 2)), "corners should be 3 to 8 pairs [x, y]"),
    (HEAD + ONE + SQUARE * 33, "terrain should have at most 32 items, not 33"),
    (HEAD + ONE + SQUARE + 'size = "grende"', 'item 1: size "grende" is unknown; nearest: grande'),
    (HEAD + ONE + SQUARE + 'kind = "wall"', "kind should be 'impassable' or 'relief', not 'wall'"),
    (HEAD + ONE + SQUARE + "height = -1", "terrain: item 1: height should be at least"),
    (HEAD + ONE + SQUARE + "height = 101", "terrain: item 1: height should be at most"),
    (HEAD + ONE + SQUARE.replace("wall", ""), "terrain: item 1: name should not be empty"),
    # battles
    ("turns = 0\n" + HEAD + ONE, "turns should be at least 1, not 0"),
    ("turns = 33\n" + HEAD + ONE, "turns should be at most 32, not 33"),
    (HEAD + "[sides.C]\n" + ONE, 'sides: unknown key "C"; known: A, B'),
    (HEAD + '[sides.A]\npeple = "x"\n' + ONE, 'sides: A: unknown key "peple"; nearest: people'),
    (
        HEAD + '[sides.B]\ncards = "wiat"\n' + ONE,
        'sides: B: cards: policy "wiat" is neither a policy for cards nor a .toml file; nearest: w',
    ),
    (
        HEAD + '[sides.A]\ncards = "optimal"\n' + ONE,
        'sides: A: cards: policy "optimal" needs exact odds, which a battle has not',
    ),
    (HEAD + "[victory]\nmargin = 0\n" + ONE, "victory: margin should be at least"),
    (HEAD + "[victory]\nmagrin = 1\n" + ONE, 'victory: unknown key "magrin"; nearest: margin'),
    (HEAD + ONE + ZONE.replace("points = 30", ""), "zones: item 1: has no points, which is needed"),
    (HEAD + ONE + ZONE.replace("30", "0"), "zones: item 1: points should be at least"),
    (HEAD + ONE + ZONE.replace("30", "1.5"), "zones: item 1: points should be"),
    (HEAD + ONE + ZONE.replace("[10, 10, 4, 4]", "[10, 10, 0, 4]"), "zones item 1: rectangle"),
    (HEAD + ONE + ZONE.replace("rectangle = [10, 10, 4, 4]", ""), "zones item 1: give corners"),
    (HEAD + ONE + ZONE * 9, "zones should have at most 8 items, not 9"),
    (HEAD + ONE + SURVIVAL.format("Gard3", 3), "survival item 1: no fighter is called"),
    (HEAD + ONE + SURVIVAL.format("Garde", -3), "survival: item 1: points should be at least"),
    (
        HEAD + ONE + SURVIVAL.format("Garde", 3) + SURVIVAL.format("garde", 4),
        "survival item 2: Garde is there twice; add the points up",
    ),
    (HEAD + fighter(mystics=["a", " A "]), 'fighters item 1: mystics: "A" is there twice'),
    (HEAD + fighter(mystics=[" "]), "fighters item 1: mystics should be names, not blank"),
    (HEAD + fighter(mystics=list("abcdefghi")), "mystics should have at most 8 items, not 9"),
    (HEAD + fighter(mana=-1), "fighters: item 1: mana should be at least 0"),
    (HEAD + fighter(routed=1), "fighters: item 1: routed should be true or false, not 1"),
    # what is written in two lines is told in one
    (HEAD + fighter(facing="a\nb"), "facing holds the invisible character U+000A"),
    (HEAD + fighter(name="a\nb"), "name holds the invisible character U+000A"),
    (HEAD + ONE + SQUARE + 'size = "a\\nb"', "size holds the invisible character U+000A"),
    ('name = "x', "is not right TOML"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_files_are_refused_in_one_line_that_says_where(file, text, message):
    path = file(text)
    with pytest.raises(InputError) as caught:
        load(path)
    told = str(caught.value)
    assert told.startswith(path)
    assert message in told
    assert "\n" not in told


def test_broken_toml_is_told_with_its_line(file):
    path = file(HEAD + "table = [9, 9]\ntable = [8, 8]\n" + ONE)
    with pytest.raises(InputError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}:3: is not right TOML: ")


def test_places_that_hold_no_scenario(file, tmp_path):
    (tmp_path / "folder.toml").mkdir()
    text = HEAD + fighter(label="Épée")
    (tmp_path / "old.toml").write_bytes(text.encode("cp1252"))
    for name, message in (
        ("none.toml", "cannot be read: No such file"),
        ("folder.toml", "cannot be read: "),
        ("old.toml", f"is not UTF-8 text (byte {text.index('É') + 1})"),
    ):
        path = tmp_path / name
        with pytest.raises(InputError) as caught:
            load(path)
        assert str(caught.value).startswith(f"{path}: {message}")
    with pytest.raises(InputError) as caught:
        load("crosing")
    assert str(caught.value) == (
        'scenario: "crosing" is neither a scenario nor a .toml file; nearest: crossing'
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "labl = 1", 'unknown key "labl"'),
        (HEAD + fighter("Nobody at all"), 'fighters item 1: no fighter is called "Nobody at all"'),
        (HEAD + fighter("Evisceratore") + PIECE, "terrain item 1: give corners"),
        (HEAD + fighter("Evisceratore", (1, 1)), "Evisceratore stands over the edge"),
        (HEAD + fighter("Evisceratore", facing="a\nb"), "facing holds the invisible character"),
        (None, "cannot be read: Is a directory"),
    ],
)
def test_the_command_refuses_them_too(file, tmp_path, text, message):
    path = file(text) if text is not None else str(tmp_path)
    if text is None:
        path = str(tmp_path / "folder.toml")
        Path(path).mkdir()
    done = estoc("table", path)
    assert (done.code, done.data) == (2, b"")
    assert done.err.startswith(f"estoc: {path}:")
    assert message in done.err
    assert done.err.count("\n") == 1


# --- the record -----------------------------------------------------------------------


def placed(profile: Profile, **keys) -> Placed:
    return Placed("x", profile, **{"side": "A", "at": (9.0, 9.0), "facing": 0.0, **keys})


@pytest.mark.parametrize(
    ("profile", "shape", "width", "depth", "size"),
    [
        (Profile("a", size="petite"), Shape.RECTANGLE, 2.5, 2.5, 0),
        (Profile("a", size="moyenne"), Shape.RECTANGLE, 2.5, 2.5, 1),
        (Profile("a", size="grande"), Shape.RECTANGLE, 3.75, 3.75, 2),
        (Profile("a", size="grande", base="25x50"), Shape.RECTANGLE, 2.5, 5.0, 2),
        (Profile("a", size="très grande"), Shape.RECTANGLE, 5.0, 5.0, 3),
        (Profile("a", base="30"), Shape.DISC, 3.0, 3.0, 1),
        (Profile("a", size="grande", base="40"), Shape.DISC, 4.0, 4.0, 2),
        (Profile("a"), Shape.RECTANGLE, 2.5, 2.5, 1),
    ],
)
def test_bases_are_those_of_sizes_and_cards_in_cm(profile, shape, width, depth, size):
    """W-5: the base of a size unless the card has one; a medium one where neither is known."""
    table = compile_table(Scenario("x", 90.0, 60.0, (), (placed(profile),)), EDITION)[0]
    row = table["bases"][0]
    assert row[Base.SHAPE] == shape
    assert (row[Base.WIDTH], row[Base.DEPTH]) == pytest.approx((width, depth))
    assert row[Base.SIZE] == size


def test_what_a_base_follows_from():
    assert base_of(Profile("a", base="30", size="grande"), EDITION) == ((30.0,), "")
    assert base_of(Profile("a", size="très grande"), EDITION) == ((50, 50), "square.tres_grande")
    assert base_of(Profile("a"), EDITION) == ((25, 25), "defaults.base")
    assert EDITION.entry("defaults.base").mark == "assumed"
    changed = EDITION.with_rule("defaults.size=grande").with_rule("defaults.base=[40, 50]")
    row = compile_table(Scenario("x", 9.0, 9.0, (), (placed(Profile("a")),)), changed)[0]["bases"][
        0
    ]
    assert (row[Base.WIDTH], row[Base.DEPTH]) == pytest.approx((4.0, 5.0))
    assert row[Base.SIZE] == 2


def test_the_record_of_a_table():
    garde = Profile("a", size="moyenne")
    fighters = (
        placed(garde, at=(9.0, 8.0), facing=30.0),
        placed(garde, side="B", at=(50.0, 40.0), facing=270.0, level=3),
    )
    wall = Terrain("wall", ((1.0, 1.0), (3.0, 1.0), (2.0, 4.0)), False, 2.5, "petite")
    ruin = Terrain("ruin", tuple(map(tuple, ring(8))), True, 0.0, "très grande")
    tables = compile_table(Scenario("x", 90.0, 60.0, (wall, ruin), fighters), EDITION)
    assert tables.shape == (1,)
    table = tables[0]
    assert (table["width"], table["depth"], table["n"], table["pieces"]) == (90, 60, 2, 2)
    columns = [Base.X, Base.Y, Base.FX, Base.FY, Base.SIDE, Base.LEVEL, Base.ALIVE]
    assert table["bases"][0][columns] == pytest.approx([9, 8, 3**0.5 / 2, 0.5, 0, 0, 1])
    assert table["bases"][1][columns] == pytest.approx([50, 40, 0, -1, 1, 3, 1])
    assert not table["bases"][2:].any()
    assert table["corners"][:3].tolist() == [3, 8, 0]
    assert table["terrain"][0, :3].tolist() == [[1, 1], [3, 1], [2, 4]]
    assert table["terrain"][1].tolist() == ring(8)
    assert table["height"][:2].tolist() == [2.5, 0]
    assert table["impassable"][:2].tolist() == [0, 1]
    assert table["sizes"][:2].tolist() == [0, 3]
