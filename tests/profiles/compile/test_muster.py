"""Armies that stand up on a battlefield: where, whoever the enemy, and who may not (A-1.1, M-1)."""

from dataclasses import replace
from itertools import combinations, pairwise, product
from math import cos, radians, sin

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from estoc.profiles import InputError, Profile, Roster, load_edition
from estoc.profiles.armies.army import MOST_LINES, Army, Card, load_army
from estoc.profiles.armies.scenario import Deployment, Placed, Scenario, Terrain, Victory, Zone
from estoc.profiles.compile.muster import MOST_FIGHTERS, load_field, muster, rising
from estoc.profiles.compile.room import base_of
from estoc.profiles.files.toml import shipped_names
from estoc.sim.base.options import Options
from estoc.sim.base.run import Run
from estoc.sim.battle.battle import answer, sampled
from estoc.sim.battle.question import ask_battle
from estoc.sim.table.tabletop import Tabletop

EDITION = load_edition("conffede")
ROSTER = Roster.load()
ARMIES = {name: load_army(name, ROSTER) for name in shipped_names("army")}
LISTS = [name for name, army in ARMIES.items() if army.points == 300]
FIELDS = {name: load_field(name) for name in shipped_names("field")}
OPEN = FIELDS["open"]
STATS = {"MOU": 10, "INI": 3, "ATT": 3, "FOR": 3, "DEF": 3, "RES": 3, "COU": 3, "DIS": 3, "PA": 9}


def soldier(name: str = "Garde", **cells: object) -> Profile:
    return Profile(name, **STATS | {"base": "25x25"} | cells)


def card(name: str = "Garde", fighters: int = 1, **cells: object) -> Card:
    """A card of a fighter of that name."""
    places = {key: cells.pop(key) for key in ("line", "wing", "routed") if key in cells}
    one = soldier(name, **cells)
    return Card(name, fighters, one, one.PA, None, one.DIS, one.people, one.abilities, **places)


def army(*cards: Card, name: str = "mine") -> Army:
    return Army(name, cards)


def stood(*cards: Card, field: Scenario = OPEN, side: str = "A") -> list[Placed]:
    found = muster(field, (army(*cards), army(*cards)), EDITION)
    return [placed for placed in found.fighters if placed.side == side]


def outline(placed: Placed) -> shapely.Polygon:
    """The base on the table, a disc as its square."""
    base, _ = base_of(placed.profile, EDITION)
    wide, deep = base[0] / 10, base[-1] / 10
    (x, y), angle = placed.at, radians(placed.facing)
    ahead, left = (cos(angle), sin(angle)), (-sin(angle), cos(angle))
    corners = [(a, b) for a, b in ((0, -1), (0, 1), (-deep, 1), (-deep, -1))]
    return shapely.Polygon(
        [
            (
                x + a * ahead[0] + b * wide / 2 * left[0],
                y + a * ahead[1] + b * wide / 2 * left[1],
            )
            for a, b in corners
        ]
    )


def check_places(found: Scenario) -> None:
    """Nobody is in another, in a house, or over the edge."""
    shapes = [outline(placed) for placed in found.fighters]
    for one, other in combinations(shapes, 2):
        assert one.intersection(other).area < 1e-9
    table = shapely.box(0, 0, found.width, found.depth).buffer(1e-9)
    houses = [shapely.Polygon(piece.corners) for piece in found.terrain if piece.impassable]
    for shape in shapes:
        assert table.covers(shape)
        assert all(shape.intersection(house).area < 1e-9 for house in houses)


# --- shipped lists and fields ------------------------------------------------------------


def test_there_are_lists_of_both_peoples_and_two_fields():
    assert len(LISTS) >= 6
    peoples = [ARMIES[name].people for name in LISTS]
    assert peoples.count("Elfes Daïkinee") >= 2
    assert peoples.count("Dévoreurs de Vile-Tis") >= 2
    assert set(FIELDS) == {"open", "village"}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(("a", "b"), list(product(LISTS, repeat=2)))
def test_shipped_lists_stand_on_shipped_fields(field, a, b):
    found = muster(FIELDS[field], (ARMIES[a], ARMIES[b]), EDITION)
    check_places(found)
    Tabletop(found, Options())  # the program's own refusals
    labels = [placed.label for placed in found.fighters]
    assert len({label.casefold() for label in labels}) == len(labels)
    counts = [sum(placed.side == side for placed in found.fighters) for side in "AB"]
    assert counts == [ARMIES[a].fighters, ARMIES[b].fighters]
    for side, name in zip(found.sides, (a, b), strict=True):
        assert (side.name, side.people) == (ARMIES[name].name, ARMIES[name].people)
    gap = min(p.at[0] for p in found.fighters if p.side == "B") - max(
        p.at[0] for p in found.fighters if p.side == "A"
    )
    assert gap == pytest.approx(40)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_against_itself_is_the_same_by_half_a_turn(name):
    found = muster(OPEN, (ARMIES[name], ARMIES[name]), EDITION)
    own, enemies = ([p for p in found.fighters if p.side == side] for side in "AB")
    for placed, other in zip(own, enemies, strict=True):
        assert placed.profile == other.profile
        turned = OPEN.width - placed.at[0], OPEN.depth - placed.at[1]
        assert other.at == pytest.approx(turned, abs=1e-9, rel=0)
        assert np.add(placed.direction, other.direction) == pytest.approx((0, 0), abs=1e-9)


@pytest.mark.parametrize(("a", "b"), list(combinations(LISTS, 2)))
def test_a_list_stands_the_same_whichever_side_it_is(a, b):
    one = muster(OPEN, (ARMIES[a], ARMIES[b]), EDITION)
    other = muster(OPEN, (ARMIES[b], ARMIES[a]), EDITION)
    for side, turned in ("AB", "BA"):
        here = [placed for placed in one.fighters if placed.side == side]
        there = [placed for placed in other.fighters if placed.side == turned]
        assert [placed.profile for placed in here] == [placed.profile for placed in there]
        for placed, again in zip(here, there, strict=True):
            middle = OPEN.width - again.at[0], OPEN.depth - again.at[1]
            assert placed.at == pytest.approx(middle, abs=1e-9, rel=0)


def test_terrain_of_the_village_is_the_same_for_both_sides_and_not_where_they_stand():
    field = FIELDS["village"]
    shapes = [shapely.Polygon(piece.corners) for piece in field.terrain]
    kinds = [piece.impassable for piece in field.terrain]
    assert sorted(kinds) == [False, False, True, True]
    for shape, piece in zip(shapes, field.terrain, strict=True):
        turned = shapely.Polygon([(field.width - x, field.depth - y) for x, y in piece.corners])
        twin = next(n for n, other in enumerate(shapes) if other.equals(turned))
        assert replace(piece, name="", corners=()) == replace(
            field.terrain[twin], name="", corners=()
        )
        low, _, high, _ = shape.bounds
        middle, front = field.width / 2, field.deployment.front
        assert middle - front <= low <= high <= middle + front


# --- where they stand ----------------------------------------------------------------------


def test_lines_stand_behind_one_another():
    """Front edges at 60 - 20; 2.5 cm of the first line, 2 between, 5 of the second's deepest."""
    found = stood(
        card("rear", line=7),
        card("front"),
        card("large", base="50x50", line=2),
        card("small", line=2),
    )
    places = {placed.label.partition("#")[0]: placed.at[0] for placed in found}
    assert places == pytest.approx({"front": 40, "large": 35.5, "small": 35.5, "rear": 28.5})


@pytest.mark.parametrize(
    ("wing", "places"),
    [
        # of 80 cm from 5 to 85: a third is 26.67; bases of 2.5, 1.5 apart; the left is high y
        ("left", [85 - 80 / 6 + 2, 85 - 80 / 6 - 2]),
        ("centre", [47, 43]),
        ("right", [5 + 80 / 6 + 2, 5 + 80 / 6 - 2]),
        ("spread", [65, 25]),
    ],
)
def test_wings_are_those_that_the_player_sees(wing, places):
    found = stood(card("Garde", 2, wing=wing))
    assert [placed.at[1] for placed in found] == pytest.approx(places)
    other = stood(card("Garde", 2, wing=wing), side="B")
    assert [placed.at[1] for placed in other] == pytest.approx([90 - y for y in places])


def test_neighbours_who_are_too_close_move_apart_by_the_same():
    """Two in one place: each gives way by half of base and room, (2.5 + 1.5) / 2."""
    found = stood(card("one"), card("two", wing="centre"))
    assert [placed.at[1] for placed in found] == pytest.approx([47, 43])


def test_a_full_wing_is_pushed_into_the_line_not_out_of_it():
    found = stood(card("Garde", 12, wing="left"))
    assert found[0].at[1] == pytest.approx(85 - 1.25)
    steps = -np.diff([placed.at[1] for placed in found])
    assert steps == pytest.approx([4] * 11)


@given(st.lists(st.integers(-9, 9) | st.floats(-9, 9), max_size=12))
def test_least_squares_are_scipy_s(values):
    wanted = isotonic_regression(values).x if values else []
    assert rising(values) == pytest.approx(wanted, abs=1e-9)


places = st.fixed_dictionaries(
    {
        "fighters": st.integers(1, 3),
        "line": st.integers(1, 3),
        "wing": st.sampled_from(["left", "centre", "right", "spread"]),
        "base": st.sampled_from(["25x25", "37.5x37.5", "25x50", "50x50", "30"]),
    }
)


@given(st.lists(places, min_size=1, max_size=4))
def test_whatever_the_list_nobody_overlaps_and_lines_keep_their_room(rows):
    cards = [card(f"c{n}", **row) for n, row in enumerate(rows)]
    found = muster(OPEN, (army(*cards), army(card("other"))), EDITION)
    check_places(found)
    own = [placed for placed in found.fighters if placed.side == "A"]
    assert [p.profile.name for p in own] == [c.name for c in cards for _ in range(c.fighters)]
    for x in {placed.at[0] for placed in own}:
        line = sorted(
            (p.at[1] - w / 2, p.at[1] + w / 2)
            for p in own
            if p.at[0] == x
            for w in [base_of(p.profile, EDITION)[0][0] / 10]
        )
        assert line[0][0] >= 5 - 1e-9
        assert line[-1][1] <= 85 + 1e-9
        for (_, end), (start, _) in pairwise(line):
            assert start - end >= 1.5 - 1e-9


# --- what they are called, and what they bring -------------------------------------------------


def test_labels_say_the_side_only_where_both_have_the_card():
    a = army(card("Garde", 2), card("Chef"), card("Seul"), card("Lame", 2))
    b = army(card("Garde", 2), card("Chef"), card("Autre"))
    found = muster(OPEN, (a, b), EDITION)
    own = ["Garde#A1", "Garde#A2", "Chef#A", "Seul", "Lame#1", "Lame#2"]
    assert [p.label for p in found.fighters] == [*own, "Garde#B1", "Garde#B2", "Chef#B", "Autre"]
    assert [placed.label for placed in found.fighters] == [
        found.fighters[found.find(placed.label)].label for placed in found.fighters
    ]


def test_what_an_army_s_file_says_of_a_fighter_holds_in_the_battle():
    changed = replace(card("Garde", routed=True), PA=77, DIS=1, abilities=("Bond",), people="X")
    (found,) = stood(changed)
    assert (found.profile.PA, found.profile.DIS, found.profile.people) == (77, 1, "X")
    assert found.profile.abilities == ("Bond",)
    assert found.routed


def test_the_field_s_own_stays():
    field = FIELDS["village"]
    found = muster(field, (army(card()), army(card())), EDITION)
    assert replace(found, fighters=(), sides=field.sides, file=field.file) == field


# --- fields ----------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_field_with_everything(file):
    path = file(
        """
        name = " My  field "
        table = [100, 80]
        turns = 4
        [victory]
        margin = 7
        destroyed = false
        [deployment]
        front = 25
        behind = 1
        beside = 0.5
        margin = 10
        [[terrain]]
        name = "inn"
        rectangle = [50, 40, 2, 3]
        [[zones]]
        name = "well"
        rectangle = [10, 10, 1, 1]
        points = 3
        """
    )
    inn = Terrain("inn", ((50, 40), (52, 40), (52, 43), (50, 43)), impassable=True)
    well = Zone("well", ((10, 10), (11, 10), (11, 11), (10, 11)), 3)
    assert load_field(path) == Scenario(
        "My field",
        100,
        80,
        (inn,),
        (),
        path,
        turns=4,
        zones=(well,),
        victory=Victory(margin=7, destroyed=False),
        deployment=Deployment(front=25, behind=1, beside=0.5, margin=10),
    )


def test_the_least_that_a_field_says(file):
    found = load_field(file('name = "x"'))
    assert (found.width, found.depth, found.deployment) == (120, 120, Deployment())
    assert load_field("open").file == "open"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no name"),
        ('name = "x"\nterain = []', 'unknown key "terain"; nearest: terrain'),
        ('name = "x"\n[[fighters]]\nname = "y"', 'unknown key "fighters"'),
        ('name = "x"\n[deployment]\nfrom = 3', 'deployment: unknown key "from"; nearest: front'),
        ('name = "x"\n[deployment]\nfront = 0', "deployment: front should be greater than 0"),
        ('name = "x"\n[deployment]\nbeside = -1', "deployment: beside should be at least"),
        ('name = "x"\ntable = [0, 9]', "table should be width and depth in cm"),
        ('name = "x"\n[[terrain]]\nname = "y"', "terrain item 1: give corners, or a rectangle"),
    ],
)
def test_wrong_fields_are_refused_in_one_line_that_says_where(file, text, message):
    path = file(text)
    with pytest.raises(InputError) as caught:
        load_field(path)
    assert str(caught.value).startswith(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_fields():
    with pytest.raises(InputError, match=r'"vilage" is neither a battlefield .* nearest: village'):
        load_field("vilage")


# --- armies that cannot stand there ------------------------------------------------------------

HOUSE = Terrain("inn", ((38, 44), (50, 44), (50, 46), (38, 46)), impassable=True)
REFUSED = {
    "nobody's": (OPEN, [Card("Conscrit")], 'mine: "Conscrit" is no fighter that is known'),
    "cells": (OPEN, [card("Garde", RES=None, COU=None)], '"Garde": RES, COU or PEUR not known'),
    "no PA": (OPEN, [replace(card(), PA=None)], '"Garde": PA not known'),
    "twice": (
        OPEN,
        [card(), replace(card(), name="Other")],
        '"Other" is the same fighter as "Garde"; a card stands for all',
    ),
    "origins": (
        OPEN,
        [card("a", origin="C3"), card("b", origin="C5"), card("c")],
        "mine: fighters of several origins, C3, C5: their figures",
    ),
    "many": (OPEN, [card("a", MOST_FIGHTERS), card("b")], "33 fighters: at most 32 a side"),
    "wide": (OPEN, [card("a", 21)], "line 1 is 82.5 cm wide, and 80.0 cm are free"),
    "deep": (
        OPEN,
        [card(f"c{n}", line=n, base="50x50") for n in range(1, 8)],
        "line 7 would stand 7.0 cm over the edge of open",
    ),
    "house": (
        replace(OPEN, terrain=(HOUSE,)),
        [card("Chef", wing="centre")],
        "Chef#A would stand on inn of open, which is impassable (M-1.2)",
    ),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_armies_that_cannot_stand_there_are_refused_in_one_line(fault):
    field, cards, message = REFUSED[fault]
    with pytest.raises(InputError) as caught:
        stood(*cards, field=field)
    assert message in str(caught.value)
    assert str(caught.value).startswith("mine: ")
    assert "\n" not in str(caught.value)


def test_fighters_of_one_s_own_go_with_those_of_any_origin():
    assert len(stood(card("a", origin="C5"), card("b"))) == 2


def test_as_many_as_there_may_be():
    cards = [card(f"c{n}", 4, line=n) for n in range(1, 8)] + [card("c8", 4, line=7)]
    assert len(stood(*cards)) == MOST_FIGHTERS
    assert len(stood(*(card(f"c{n}", line=n) for n in range(1, MOST_LINES + 1)))) == MOST_LINES
    last = stood(*(card(f"c{n}", line=n, base="50x50") for n in range(1, 7)))[-1]
    assert last.at[0] == pytest.approx(5)  # six of 5 and 2 between: just the 40 cm that there are
    assert len(stood(card("a", 32, base="10x10"))) == MOST_FIGHTERS


def test_houses_are_in_the_way_of_either_side_just_where_they_are():
    """A base reaches from its front 2.5 cm back; a house that it only touches is none of it."""

    def on(x: float) -> Scenario:
        corners = ((x, 40.0), (x + 5, 40.0), (x + 5, 50.0), (x, 50.0))
        return replace(OPEN, terrain=(Terrain("inn", corners, impassable=True),))

    one = card("one", wing="centre")
    for x, letter in ((38, "A"), (33, "A"), (79, "B"), (81, "B")):
        with pytest.raises(InputError, match=f"one#{letter} would stand on inn"):
            stood(one, field=on(x))
    for x in (40, 32.5, 75, 82.5):
        check_places(muster(on(x), (army(one), army(one)), EDITION))
    tip = Terrain("inn", ((40.2, 45), (50, 30), (50, 60)), impassable=True)
    check_places(muster(replace(OPEN, terrain=(tip,)), (army(one), army(card("far"))), EDITION))
    relief = replace(HOUSE, impassable=False)
    assert stood(one, field=replace(OPEN, terrain=(relief,)))


# --- a battle of them --------------------------------------------------------------------------


@pytest.mark.parametrize("field", FIELDS)
def test_a_battle_of_mustered_lists_is_fought_to_its_end(field):
    armies = ARMIES["devoreurs-archers"], ARMIES["daikinee-riders"]
    question = ask_battle(muster(FIELDS[field], armies, EDITION))
    result = answer(question, sampled(Run(trials=20, seed=5)))
    assert question.sides == ("Dévoreurs, archers", "Daïkinee, riders")
    outcomes = [row["count"] for row in result if row["section"] == "outcome"]
    assert sum(outcomes) == 20
