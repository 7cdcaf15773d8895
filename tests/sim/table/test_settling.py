"""Bases that nearly touch where a scenario begins, as places of two decimals leave them (C-1)."""

from dataclasses import replace
from math import cos, hypot, radians, sin

import numpy as np
import pytest
from running import answered, estoc

from estoc.kernels.table.geometry import gap_between
from estoc.profiles import InputError, Profile, load_edition
from estoc.profiles.armies.scenario import Placed, Scenario, Terrain
from estoc.sim.base.options import Options
from estoc.sim.battle.question import ask_battle
from estoc.sim.table.moves import moves
from estoc.sim.table.settling import settled
from estoc.sim.table.tabletop import Tabletop, table

STATS = dict.fromkeys(("MOU", "INI", "ATT", "FOR", "DEF", "RES", "COU", "DIS", "PA"), 5)
SQUARE = Profile("Square", base="25x25", size="moyenne", **STATS)
ROUND = replace(SQUARE, name="Round", base="30")
EDITION = load_edition("conffede")
EXACT = Options(rules=("measuring.contact=0.0",))
NEAR = 1e-6


def put(label, side, x, y, facing=0.0, profile=SQUARE, **keys) -> Placed:
    return Placed(label, replace(profile, name=label), side, (float(x), float(y)), facing, **keys)


def stood(*fighters, terrain=(), options=None) -> Tabletop:
    return Tabletop(Scenario("x", 60.0, 60.0, tuple(terrain), fighters), options or Options())


def gap(asked: Tabletop, i: int, j: int) -> float:
    return gap_between(asked.tables, i, j)


def moved(asked: Tabletop, fighters) -> list[float]:
    """How far each fighter stands from where it was put."""
    now = asked.scenario.fighters
    return [hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) for a, b in zip(now, fighters, strict=True)]


def by_two_decimals(turn: float, decimals: int = 2) -> list[Placed]:
    """Two enemies front to front and a friend of one at his side, turned, as a person writes it."""
    ux, uy = cos(radians(turn)), sin(radians(turn))
    places = ((0.0, 0.0, 0.0, "A"), (0.0, 0.0, 180.0, "B"), (0.0, 2.5, 180.0, "B"))
    return [
        put(f"f{n}", side, round(30 + x * ux - y * uy, decimals),
            round(30 + x * uy + y * ux, decimals), turn + facing)
        for n, (x, y, facing, side) in enumerate(places, 1)
    ]  # fmt: skip


@pytest.mark.parametrize("turn", range(1, 360, 13))
def test_two_decimals_are_enough_for_contact(turn):
    fighters = by_two_decimals(turn)
    asked = stood(*fighters)
    assert asked.enemies(0) == [1, 2]
    assert asked.melees == [0, 0, 0]
    assert max(moved(asked, fighters)) < 0.02
    assert abs(gap(asked, 0, 1)) < NEAR
    assert abs(gap(asked, 0, 2)) < NEAR
    assert gap(asked, 1, 2) > -NEAR  # friends


@pytest.mark.parametrize("profile", [SQUARE, ROUND])
@pytest.mark.parametrize(("off", "how"), [(0.04, "gap"), (0.1, "gap"), (-0.04, ""), (-0.1, "")])
def test_within_a_millimetre_it_is_contact(profile, off, how):
    """Both are moved by half of it, so that they touch, not overlap."""
    size = 2.5 if profile is SQUARE else 3.0
    own = put("G1", "A", 20, 20, 90.0, profile)
    foe = put("S1", "B", 20 + size + off, 20, 90.0, profile)
    asked = stood(own, foe)
    assert asked.enemies(0) == [1]
    assert abs(gap(asked, 0, 1)) < NEAR
    assert moved(asked, (own, foe)) == pytest.approx([abs(off) / 2] * 2)
    told = f"{10 * abs(off) / 2:.2g}"
    assert asked.remarks == (
        f"G1 was moved by {told} mm so that it just touches S1 (measuring.contact)",
        f"S1 was moved by {told} mm so that it just touches G1 (measuring.contact)",
    )
    assert table(asked).notes == asked.remarks
    assert "measuring.contact" in table(asked).assumed


def test_more_than_a_millimetre_is_neither():
    own, foe = put("G1", "A", 20, 20, 90.0), put("S1", "B", 22.61, 20, 90.0)
    asked = stood(own, foe)
    assert (asked.remarks, asked.enemies(0), table(asked).assumed) == ((), [], ())
    with pytest.raises(InputError, match=r"G1 overlaps S1 \(M-1\.2\)"):
        stood(own, put("S1", "B", 22.39, 20, 90.0))


def test_the_millimetre_is_the_editions():
    own, foe = put("G1", "A", 20, 20, 90.0), put("S1", "B", 22.54, 20, 90.0)
    assert stood(own, foe, options=EXACT).enemies(0) == []
    with pytest.raises(InputError, match="G1 overlaps S1"):
        stood(own, put("S1", "B", 22.46, 20, 90.0), options=EXACT)
    wide = Options(rules=("measuring.contact=3.0",))
    assert stood(own, put("S1", "B", 22.78, 20, 90.0), options=wide).enemies(0) == [1]


def test_exact_places_and_friends_who_are_near_are_left():
    """Of friends only overlaps are undone: whether they touch says nothing (C-1.1)."""
    fighters = (put("a", "A", 20, 20), put("b", "A", 17.45, 20), put("z", "B", 20, 20, 180.0))
    asked = stood(*fighters)
    assert asked.scenario.fighters == fighters
    near = (fighters[0], put("b", "A", 20, 22.45), put("z", "B", 40, 20, 180.0))
    assert moved(stood(*near), near) == pytest.approx([0.025, 0.025, 0.0])
    assert stood(*near).scenario.fighters[2] is near[2]


def test_walls_and_edges_do_not_move():
    wall = Terrain("wall", ((20.0, 10.0), (25.0, 10.0), (25.0, 30.0), (20.0, 30.0)), True)
    asked = stood(put("a", "A", 20.06, 20), put("b", "B", 59, 58.83), terrain=[wall])
    assert asked.scenario.fighters[0].at == pytest.approx((20.0, 20.0))
    assert asked.scenario.fighters[1].at == pytest.approx((59.0, 58.75))
    assert asked.remarks == (
        "a was moved by 0.6 mm so that it just touches wall (measuring.contact)",
        "b was moved by 0.8 mm so that it just touches the edge (measuring.contact)",
    )
    with pytest.raises(InputError, match="stands on wall"):
        stood(put("a", "A", 20.16, 20), terrain=[wall])
    stood(put("a", "A", 20.16, 20, level=1), terrain=[wall])


def test_crowds_of_two_decimals():
    """Rows of enemies, turned and rounded: all who were meant to touch do, nobody overlaps."""
    rng = np.random.default_rng(5)
    for _ in range(12):
        turn, n = rng.uniform(0, 360), int(rng.integers(2, 6))
        ux, uy = cos(radians(turn)), sin(radians(turn))
        fighters = []
        for k in range(n):
            y = 2.5 * k
            x0, y0 = (round(30 + c, 2) for c in (-y * uy, y * ux))
            fighters += [put(f"A{k}", "A", x0, y0, turn), put(f"B{k}", "B", x0, y0, turn + 180)]
        asked = stood(*fighters)
        assert max(moved(asked, fighters)) < 0.05
        for k in range(n):
            assert 2 * k + 1 in asked.enemies(2 * k)
        assert set(asked.melees) == {0}


def test_a_ring_round_one():
    """Seven discs, each of whom touches three others at least: twelve contacts."""
    places = [(30 + 3 * cos(radians(60 * k)), 30 + 3 * sin(radians(60 * k))) for k in range(6)]
    ring = [
        put(f"f{k}", "AB"[k % 2], round(x, 1) + 1.5, round(y, 1), 0.0, ROUND)
        for k, (x, y) in enumerate(places)
    ]
    asked = stood(put("A", "A", 31.5, 30, 0.0, ROUND), *ring)
    assert asked.enemies(0) == [2, 4, 6]
    assert min(gap(asked, i, j) for i in range(7) for j in range(i)) > -NEAR
    assert [len(asked.enemies(k)) for k in range(1, 7)] == [2, 3, 2, 3, 2, 3]


def test_where_there_is_no_room_an_overlap_is_refused_as_ever():
    left, right = (
        Terrain(name, ((x, 10.0), (x + 5, 10.0), (x + 5, 30.0), (x, 30.0)), True)
        for name, x in (("left", 15.0), ("right", 22.46))
    )
    with pytest.raises(InputError, match=r"a stands on (left|right), which is impassable"):
        stood(put("a", "A", 22.5, 20), terrain=[left, right])


def test_a_scenario_is_settled_once():
    scenario = Scenario("x", 60.0, 60.0, (), tuple(by_two_decimals(40)))
    once, told = settled(scenario, EDITION)
    assert told
    assert settled(once, EDITION) == (once, ())


def test_moves_and_battles_say_it_too():
    fighters = by_two_decimals(45)
    asked = stood(*fighters)
    assert moves(asked, "f1").notes == asked.remarks != ()
    question = ask_battle(asked.scenario)
    assert question.remarks() == ()
    question = ask_battle(Scenario("x", 60.0, 60.0, (), tuple(fighters)))
    assert question.remarks() == asked.remarks
    assert question.assumed[0] == "measuring.contact"
    assert int(question.tabletop.tables[0]["touching"][0]) == 0b110


def test_the_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(
        f'[[fighters]]\nname = "guerrier de l\'aube"\nlabel = "{p.label}"\nside = "{p.side}"\n'
        f"at = [{p.at[0]}, {p.at[1]}]\nfacing = {p.facing}\n"
        for p in by_two_decimals(45)
    )
    (tmp_path / "two.toml").write_text(f'name = "two"\ntable = [60, 60]\n{rows}', "utf-8")
    told = estoc("table", "two.toml")
    assert told.code == 0, told.err
    assert "so that it just touches" in told.out
    found = [row for row in answered("table", "two.toml") if row["section"] == "fighter"]
    assert [row["touches"] for row in found] == ["f2; f3", "f1", "f1"]
    assert "déplacement de" in estoc("table", "two.toml", "--lang", "fr").out
