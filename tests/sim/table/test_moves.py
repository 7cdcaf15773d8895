"""What a fighter on a table may do: reach, sight, assaults, their penalty and odds (M-1 to M-5)."""

import re
import shlex
from dataclasses import replace
from math import cos, hypot, radians, sin
from statistics import NormalDist

import pytest
from running import answered, estoc

from estoc.profiles import InputError, Profile
from estoc.profiles.armies.scenario import Placed, Scenario, Terrain
from estoc.sim.base.options import Options
from estoc.sim.combat.combat import combat
from estoc.sim.table.moves import _Mover, moves
from estoc.sim.table.tabletop import Tabletop

SMALL = Profile("Small", MOU=10, INI=3, ATT=4, FOR=5, DEF=3, RES=5, PA=20, size="moyenne")
BIG = replace(SMALL, name="Big", size="grande", PA=40)


def placed(label, side, at, facing=0.0, profile=SMALL, **more) -> Placed:
    return Placed(label, replace(profile, name=label), side, at, facing, **more)


def tabletop(*fighters, terrain=(), options=None) -> Tabletop:
    return Tabletop(Scenario("test", 100.0, 80.0, tuple(terrain), fighters), options or Options())


def rows_of(result, section):
    return [row for row in result if row["section"] == section]


def assault(result, enemy):
    return next(row for row in rows_of(result, "assault") if row["enemy"] == enemy)


MOVER = placed("Mover", "A", (20.0, 40.0))


def test_moves_reach_a_multiple_of_mou():
    """M-8: walk and under cover MOU, run twice as far."""
    found = rows_of(moves(tabletop(MOVER, placed("Far", "B", (90.0, 40.0))), "mover"), "action")
    assert [(r["action"], r["reach"], r["allowed"], r["clause"]) for r in found] == [
        ("walk", 10, True, "M-2.2"),
        ("run", 20, True, "M-3.1"),
        ("under_cover", 10, True, "M-6.1"),
    ]


def test_in_contact_nothing_is_allowed_but_mystic_actions():
    """M-2.1, M-3.1, M-6.1, M-4: not without disengaging."""
    enemy = placed("Enemy", "B", (20.0, 40.0), 180.0)
    result = moves(tabletop(MOVER, enemy, placed("Other", "B", (30.0, 60.0), 180.0)), "Mover")
    clauses = [row["clause"] for row in rows_of(result, "action") if not row["allowed"]]
    assert clauses == ["M-2.1", "M-3.1", "M-6.1"]
    assert (assault(result, "Enemy")["allowed"], assault(result, "Enemy")["clause"]) == (
        False,
        "M-7.1",
    )
    assert not assault(result, "Other")["allowed"]
    assert rows_of(result, "places") == []


@pytest.mark.parametrize(("gap", "allowed"), [(19.99, True), (20.0, True), (20.01, False)])
def test_a_charge_reaches_twice_mou(gap, allowed):
    """M-4.1, M-1.1: from the aim point to the edge of the enemy's base."""
    enemy = placed("Enemy", "B", (20.0 + gap, 40.0), 180.0)
    row = assault(moves(tabletop(MOVER, enemy), "Mover"), "Enemy")
    assert row["distance"] == pytest.approx(gap, abs=1e-9)
    assert (row["action"], row["allowed"]) == ("charge", allowed)
    assert row["clause"] == ("M-4.1" if allowed else "M-4.4")


@pytest.mark.parametrize("base", ["25x25", "30"])
def test_rounding_does_not_decide_who_is_in_reach(base):
    """M-1.1, M-4.1: on a circle at the limit all may be charged, 1 mm beyond nobody."""
    bare = replace(SMALL, FOR=None, base=base)  # so that no odds are asked for
    for degree in range(0, 360, 6):
        for far, allowed in ((20.0, True), (20.1, False)):
            at = 40 + far * cos(radians(degree)), 40 + far * sin(radians(degree))
            mover = placed("Mover", "A", (40.0, 40.0), profile=bare)
            enemy = placed("Enemy", "B", at, degree + 180.0, profile=bare)
            asked = _Mover(tabletop(mover, enemy), 0, False)
            (row,) = asked.assaults()
            assert row["allowed"] is allowed, (degree, row)
            assert row["action"] == "charge"


def test_places_at_the_very_limit_are_told():
    """M-2.2: also where a row of the grid ends there, or the table does."""
    result = moves(tabletop(MOVER, placed("Far", "B", (90.0, 10.0))), "Mover")
    walk, run = (set(row["corners"].split()) for row in rows_of(result, "places"))
    assert {"30,40", "10,40", "20,50", "20,30", "26,48", "14,32", "28,34"} <= walk
    assert {"40,40", "20,60", "20,20", "32,56"} <= run
    assert "31,40" not in walk


def test_the_unseen_are_engaged_round_what_hides_them():
    """M-4.2: not seen, so no charge; M-1.2: the way goes round."""
    wall = Terrain("wall", ((26.0, 37.0), (28.0, 37.0), (28.0, 43.0), (26.0, 43.0)), True)
    enemy = placed("Enemy", "B", (34.0, 40.0), 180.0)
    result = moves(tabletop(MOVER, enemy, terrain=[wall], options=Options()), "Mover")
    row = assault(result, "Enemy")
    assert (row["action"], row["seen"]) == ("engage", False)
    taut = hypot(26 - 20, 43 - 40) + 2 + hypot(34 - 28, 43 - 40)  # as if it had no width
    assert taut < row["distance"] < taut + 2
    assert row["penalty"] == ""  # M-5.3: engaging causes none
    low = moves(tabletop(MOVER, enemy, terrain=[replace(wall, size="petite")]), "Mover")
    assert assault(low, "Enemy")["action"] == "charge"


@pytest.mark.parametrize(("hides", "seen"), [("higher", True), ("lower", False)])
def test_whom_a_smaller_one_hides_is_a_rule(hides, seen):
    """M-4.1, a reading: a bigger enemy is seen over a fighter of the viewer's size, or is not."""
    enemy = placed("Enemy", "B", (34.0, 40.0), 180.0, profile=BIG)
    between = placed("Between", "A", (28.0, 40.0))
    asked = tabletop(MOVER, enemy, between, options=Options(rules=(f"sight.hides={hides}",)))
    assert assault(moves(asked, "Mover"), "Enemy")["seen"] is seen


@pytest.mark.parametrize(
    ("own", "enemy", "penalty"), [(SMALL, SMALL, "Enemy"), (SMALL, BIG, ""), (BIG, SMALL, "Enemy")]
)
def test_penalty_and_odds_are_those_of_the_charge(own, enemy, penalty):
    """M-5.1: the power of who charges is at least that of the charged."""
    one = placed("Mover", "A", (20.0, 40.0), profile=own)
    other = placed("Enemy", "B", (30.0, 40.0), 180.0, profile=enemy, wounds="light")
    row = assault(moves(tabletop(one, other), "Mover"), "Enemy")
    assert row["penalty"] == penalty
    options = Options(charge=("A",), wounds=("B=light",))
    odds = combat([one.profile], [other.profile], method="exact", options=options).rows[0]
    assert (row["p_a"], row["p_b"]) == (odds["p_a"], odds["p_b"])


def test_who_ends_beside_two_meets_both():
    """M-4.5: the place touches another enemy as well."""
    two = (
        placed("One", "B", (30.0, 40.0), 180.0),
        placed("Two", "B", (30.0, 42.5), 180.0),
    )
    block = Terrain("rock", ((27.0, 30.0), (29.9, 30.0), (29.9, 39.9), (27.0, 39.9)), True)
    row = assault(moves(tabletop(MOVER, *two, terrain=[block]), "Mover"), "One")
    assert row["meets"] == "One; Two"
    assert row["penalty"] == ""  # M-5.2: 1 on 1 + 1


def test_places_are_where_the_aim_point_may_end():
    """M-2.2 and M-3.1: within reach, clear of terrain, of others and of the table's edge."""
    rock = Terrain("rock", ((24.0, 36.0), (30.0, 36.0), (30.0, 44.0), (24.0, 44.0)), True)
    result = moves(tabletop(MOVER, placed("Far", "B", (90.0, 40.0)), terrain=[rock]), "Mover")
    walk, run = rows_of(result, "places")
    near = [tuple(map(float, pair.split(","))) for pair in walk["corners"].split()]
    far = {tuple(map(float, pair.split(","))) for pair in run["corners"].split()}
    assert set(near) <= far
    assert all(hypot(x - 20, y - 40) <= 10 for x, y in near)
    assert not any(24 < x < 30 and 36 < y < 44 for x, y in far)
    assert (20.0, 49.0) in near
    assert (31.0, 40.0) not in near  # eleven centimetres away, and behind the rock
    assert (34.0, 40.0) in far


def test_distances_are_judged_before_they_are_measured():
    """M-1.6: an estimate is off by a tenth of the distance, unless both agreed to measure."""
    asked = tabletop(MOVER, placed("Enemy", "B", (41.0, 40.0), 180.0))
    row = assault(moves(asked, "Mover"), "Enemy")
    assert not row["allowed"]  # it is 21 cm away, and the charge goes 20
    assert row["p_judged"] == pytest.approx(NormalDist(21, 2.1).cdf(20), abs=1e-9)
    assert assault(moves(asked, "Mover", premeasure=True), "Enemy")["p_judged"] == 0
    assert "measuring.error" in moves(asked, "Mover").assumed
    assert "measuring.error" not in moves(asked, "Mover", premeasure=True).assumed


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    done = estoc("moves", "crossing", "--fighter", "cavaliere", "--plot", "m.svg")
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    assert "charge" in done.out
    first = (tmp_path / "m.svg").read_bytes()
    estoc("moves", "crossing", "--fighter", "cavaliere", "--plot", "m.svg")
    assert (tmp_path / "m.svg").read_bytes() == first
    rows = answered("moves", "crossing", "--fighter", "lama 1")
    assert {row["section"] for row in rows} == {"table", "terrain", "fighter", "action", "assault"}
    wrong = estoc("moves", "crossing", "--fighter", "lama")
    assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)
    assert "Lama 1; Lama 2" in wrong.err


def test_a_card_without_mou_is_asked_for_it():
    lame = placed("Lame", "A", (20.0, 40.0), profile=replace(SMALL, MOU=None))
    with pytest.raises(InputError, match="MOU"):
        moves(tabletop(lame, placed("Enemy", "B", (40.0, 40.0))), "Lame")


PLAIN = """
name = "Plain"
table = [60, 60]
[[fighters]]
name = "Garde prétorien"
side = "A"
at = [20, 30]
facing = 0
[[fighters]]
name = "Lama di Smeraldo"
side = "B"
at = [40, 30]
facing = 180
"""


def test_what_is_advised_for_an_empty_cell_can_be_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.toml").write_text(PLAIN, "utf-8")
    words = ("moves", "plain.toml", "--fighter", "garde")
    done = estoc(*words)
    assert done.code == 2
    advice = re.search(r'the cell MOU is empty.*give one with --set ("[^"]*"\.MOU=)…', done.err)[1]
    rows = answered(*words, "--set", f"{advice}10")
    reach = {row["action"]: row["reach"] for row in rows if row["section"] == "action"}
    assert reach == {"walk": 10, "run": 20, "under_cover": 10}
    again = answered(*shlex.split(rows[0]["command"])[1:])
    assert again == rows


def test_a_table_with_another_base_has_it_again(tmp_path):
    rows = answered("table", "crossing", "--set", "Lama 2.base=50x50", "--set", "B.DIS=3")
    bases = {row["name"]: row["base"] for row in rows if row["section"] == "fighter"}
    assert (bases["Lama 1"], bases["Lama 2"]) == ("25x25", "50x50")
    assert answered(*shlex.split(rows[0]["command"])[1:]) == rows
    refused = estoc("table", "crossing", "--set", "Nobody.DIS=3")
    assert (refused.code, '--set "Nobody": no such fighter here' in refused.err) == (2, True)
