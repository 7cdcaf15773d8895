"""Shots as a person asks for them (W-6).

Forty-two shares are compared with exact ones at four standard errors: a right program fails about
one such family in 380.
"""

import json
import shlex
from dataclasses import replace

import pytest
from running import GUARD, answered, estoc
from witness import assert_share

from estoc.profiles import InputError, Profile, load_edition
from estoc.profiles.compile.combat import state_names
from estoc.sim.base.options import Options
from estoc.sim.rolls.shooting import shoot, shooting
from reference.book import OUTCOMES, Book, Wounds, suffer
from reference.shooting import Customs, band, chance_to_hit, difficulty, wound_law

ARCHER = Profile("Archer", TIR=3, weapon="bow", PA=10)
TARGET = Profile("Target", RES=5)
BOW = (25.0, 45.0, 65.0)
BOOK, CUSTOMS = Book(), Customs()
NAMES = ("nothing", "stunned", "light", "serious", "critical", "killed")
SHOOTER, ARGUMENTS = "Alahel le Messager", ("Alahel le Messager", GUARD)


def only(*fighters, **asked):
    """The row of a question that has one."""
    (row,) = shoot(*fighters, **asked).rows
    return row


# --- chances --------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [1, 25, 25.1, 45, 46, 65])
@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("cover", [0, 2])
def test_one_shot_is_as_in_the_reference(distance, moved, cover):
    """W-6: difficulty, chance to hit, wound of a bow's FOR 4 against RES 5."""
    row = only(ARCHER, TARGET, distance=distance, moved=moved, cover=cover)
    name = band(BOW, distance)
    least = difficulty(CUSTOMS, name, moved, cover)
    assert (row["band"], row["difficulty"], row["goal"]) == (name, least, least - 3)
    low, high = chance_to_hit(BOOK, 3, least, depth=12)
    assert float(low) - 1e-12 <= row["p_hit"] <= float(high) + 1e-12
    wounds = wound_law(BOOK, 4 - 5, 0 if moved else 1)
    for word, outcome in zip(OUTCOMES, NAMES, strict=True):
        expected = row["p_hit"] * float(wounds.get(word, 0))
        assert row[f"p_outcome_{outcome}"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("wounds", ["", "light", "stunned", "serious", "light, stunned"])
def test_the_targets_state_afterwards(wounds):
    """W-3: wounds add up, a miss changes nothing."""
    told = Options(wounds=(f"B={wounds}",) if wounds else ())
    words = wounds.replace(",", " ").split()
    level = {"light": 1, "serious": 2}
    start = Wounds(sum(level.get(word, 0) for word in words), int("stunned" in words))
    row = only(ARCHER, TARGET, distance=40, options=told)
    expected = {start.code: 1 - row["p_hit"]}
    for word, p in wound_law(BOOK, -1, 1).items():
        code = suffer(BOOK, start, word).code
        expected[code] = expected.get(code, 0.0) + row["p_hit"] * float(p)
    columns = [
        f"p_state_{name.replace(', ', '_')}" for name in state_names(load_edition("conffede"))
    ]
    for code, column in enumerate(columns):
        assert row[column] == pytest.approx(expected.get(code, 0), abs=1e-12)
    assert sum(row[column] for column in columns) == pytest.approx(1)


@pytest.mark.parametrize(
    ("told", "charged", "aim"),
    [("", False, 3), ("", True, 2), ("light", False, 2), ("serious,stunned", False, 0)],
)
def test_what_is_left_of_tir(told, charged, aim):
    """W-3.2, M-5.1."""
    options = Options(wounds=(f"A={told}",) if told else ())
    row = only(ARCHER, TARGET, distance=10, charged=charged, options=options)
    assert (row["aim"], row["goal"]) == (aim, 4 - aim)
    assert row["strength"] == 4  # the weapon's


def test_all_ranges_unless_a_distance_is_told():
    rows = shoot(ARCHER, TARGET).rows
    assert [(row["band"], row["moved"]) for row in rows] == [
        (name, moved) for name in ("short", "medium", "long") for moved in (False, True)
    ]
    assert [row["difficulty"] for row in rows] == [4, 5, 7, 8, 10, 11]
    moved = shoot(ARCHER, TARGET, moved=True).rows
    assert [row["moved"] for row in moved] == [True] * 3
    assert only(ARCHER, TARGET, distance=30)["moved"] is False
    stones = replace(ARCHER, weapon="", weapon_FOR=1, ranges="-/5/10")
    assert [row["band"] for row in shoot(stones, TARGET, moved=False)] == ["medium", "long"]
    assert only(stones, TARGET, distance=1)["band"] == "medium"


def test_the_edition_and_the_card_count():
    """W-6, A-5.5."""
    far = Options(rules=("shooting.long=12", "still_lines=0"))
    row = only(ARCHER, TARGET, distance=50, options=far)
    assert row["difficulty"] == 12
    moved = only(ARCHER, TARGET, distance=50, moved=True, options=far)
    share = row["p_outcome_light"] / row["p_hit"]
    assert share == pytest.approx(moved["p_outcome_light"] / moved["p_hit"])
    own = only(ARCHER, TARGET, distance=50, options=Options(sets=("A.weapon_FOR=9", "A.TIR=6")))
    assert (own["strength"], own["aim"], own["resistance"]) == (9, 6, 5)
    older = only(ARCHER, TARGET, distance=10, options=Options(edition_name="c3"))
    assert older["p_hit"] == pytest.approx(5 / 6)  # a 1 fails


# --- refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "foe", "asked", "text"),
    [
        (replace(ARCHER, TIR=None), TARGET, {}, '"Archer": the cell TIR is empty'),
        (replace(ARCHER, weapon=""), TARGET, {}, '"Archer": the cell weapon is empty'),
        (ARCHER, Profile("Target"), {}, '"Target": the cell RES is empty'),
        (ARCHER, TARGET, {"distance": 65.5}, r"65.5 cm is out of its weapon's range, 65 cm \(W-6"),
        (ARCHER, TARGET, {"distance": 0}, "range 0 should be a distance in cm, above 0"),
        (ARCHER, TARGET, {"distance": float("inf")}, "inf cm is out of its weapon's range"),
        (ARCHER, TARGET, {"distance": float("nan")}, "range nan should be"),
        (ARCHER, TARGET, {"cover": -1}, "cover -1 should be from 0 to 20"),
        (ARCHER, TARGET, {"method": "exact", "seed": 1}, "method exact has no trials"),
    ],
)
def test_refusals(own, foe, asked, text):
    with pytest.raises(InputError, match=text):
        shoot(own, foe, **asked)


# --- sampling -------------------------------------------------------------------------


def test_sampled_odds_are_those_of_the_exact_ones():
    """W-6: and the same again by seed."""
    n = 100_000
    asked = {"method": "both", "trials": n, "seed": 3}
    rows = shoot(ARCHER, TARGET, **asked).rows
    exact, sampled = rows[:6], rows[6:]
    assert {row["method"] for row in exact} == {"exact"}
    for one, other in zip(exact, sampled, strict=True):
        assert (one["band"], one["moved"]) == (other["band"], other["moved"])
        assert_share(other["hit"], n, one["p_hit"])
        for name in NAMES:
            assert_share(other[f"outcome_{name}"], n, one[f"p_outcome_{name}"])
        counted = [other[key.removeprefix("p_")] for key in other if key.startswith("p_state_")]
        assert sum(counted) == n
        assert other["p_hit_low"] <= other["p_hit"] <= other["p_hit_high"]
    assert shoot(ARCHER, TARGET, **asked).rows == rows
    fresh = shoot(ARCHER, TARGET, method="mc", trials=n, seed=4).rows
    assert fresh[2]["hit"] != sampled[2]["hit"]


def test_progress_is_told_of_all_trials():
    done = []
    shoot(ARCHER, TARGET, distance=30, trials=150_000, seed=1, progress=done.append)
    assert sum(done) == 150_000
    assert len(done) > 1


# --- what an answer depends on --------------------------------------------------------


def test_assumed_values_are_named():
    """W-6, W-3.2."""
    found = set(shooting(ARCHER, TARGET, distance=30).assumed)
    assert {"weapon.bow.strength", "weapon.bow.ranges", "shooting.medium"} <= found
    assert {"shooting.still_lines", "actions.shoot.still_bonus", "wounds.killed_level"} <= found
    assert not {"shooting.short", "shooting.moved", "penalty.light.TIR", "weapon.rifle"} & found
    moved = set(shooting(ARCHER, TARGET, moved=True).assumed)
    assert {"shooting.short", "shooting.long", "shooting.moved"} <= moved
    assert "shooting.still_lines" not in moved
    hurt = Options(wounds=("A=light",))
    assert "penalty.light.TIR" in shooting(ARCHER, TARGET, options=hurt).assumed
    own = shooting(replace(ARCHER, weapon_FOR=3, ranges="20/40/60"), TARGET)
    assert not [key for key in own.assumed if key.startswith("weapon.")]
    assert own.remarks() == ()
    typical = shoot(ARCHER, TARGET)
    assert "figures of a typical bow (W-6), not of the card: Archer" in typical.notes
    assert typical.readings == ("W-6",)
    assert "W-6" in typical.rows[0]["readings"]


# --- the command ----------------------------------------------------------------------


def test_the_command_and_its_answer_again():
    more = ("--wounds", "B=light", "--charged", "--set", "A.TIR=4", "--cover", 2)
    rows = answered("shoot", *ARGUMENTS, "--range", 30, "--moved", *more)
    assert [(row["band"], row["difficulty"], row["aim"]) for row in rows] == [("medium", 10, 3)]
    assert answered(*shlex.split(rows[0]["command"])[1:]) == rows
    sampled = answered("shoot", *ARGUMENTS, "--trials", 500, "--seed", 7, "--rule", "medium=8")
    assert {row["trials"] for row in sampled} == {500}
    assert answered(*shlex.split(sampled[0]["command"])[1:]) == sampled
    both = answered("shoot", *ARGUMENTS, "--method", "both", "--trials", 50, "--seed", 7)
    assert answered(*shlex.split(both[0]["command"])[1:]) == both


@pytest.mark.parametrize("method", ["exact", "mc", "both"])
def test_the_table_fits_and_tells_all(method, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    sampled = () if method == "exact" else ("--trials", 1_000_000, "--seed", 3)
    done = estoc("shoot", *ARGUMENTS, "--cover", 2, "--method", method, *sampled)
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    for word in ("short", "moved", "3+", "Target/+2", "FOR 3", "RES 11", "20/40/60", "W-6 is read"):
        assert word in done.out
    line = next(line.split() for line in done.out.splitlines() if line.startswith("medium"))
    assert line[:4] == ["medium", "still", "9", "6+"]
    assert method == "mc" or line[4] == "16.67"
    assert ("hit, %" in done.out) == (method != "mc")
    assert ("95 % Wilson interval" in done.out) == (method != "exact")


def test_the_card_shows_the_weapon():
    """W-6: and whether its figures are assumed."""
    told = {
        "arciere daikinee": "weapon      bow FOR 4, 25/45/65 cm (typical, assumed)",
        "saphon": "weapon      rifle FOR 6, 25/50/75 cm",
        "pygm": "weapon      FOR 1, –/5/10 cm",
        GUARD: "weapon      –",
    }
    for name, text in told.items():
        shown = [line.rstrip() for line in estoc("profiles", "show", name).out.splitlines()]
        assert text in shown


def test_refusals_of_the_command():
    done = estoc("shoot", SHOOTER, GUARD, "--range", 100)
    assert done.code == 2
    assert "100 cm is out of its weapon's range, 60 cm" in done.err
    done = estoc("shoot", GUARD, SHOOTER)
    assert done.code == 2
    assert f'fighter "{GUARD}": the cell TIR is empty' in done.err
    assert done.data == b""


def test_files(tmp_path):
    path = tmp_path / "s.json"
    done = estoc("shoot", *ARGUMENTS, "-o", path)
    assert done.code == 0, done.err
    assert len(json.loads(path.read_text())) == 6
    assert estoc("shoot", *ARGUMENTS, "-o", tmp_path / "s.parquet").code == 0
