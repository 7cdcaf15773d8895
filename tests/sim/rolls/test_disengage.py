"""Disengagements as a person asks for them (M-7)."""

import json
import shlex
from dataclasses import replace
from fractions import Fraction

import pytest
from running import GUARD, WARRIOR, answered, estoc

from estoc.profiles import InputError, Profile, Roster
from estoc.sim.base.options import Options
from estoc.sim.combat.combat import combat
from estoc.sim.rolls.disengage import disengage, disengagement
from reference.book import Book, Wounds
from reference.disengage import Standing, chance, difficulty, may_try, value_by_force

ROSTER = Roster.load()
SMALL = Profile("Small", INI=3, ATT=3, FOR=4, DEF=3, RES=5, PA=10, size="moyenne")
BIG = Profile("Big", INI=2, ATT=4, FOR=9, DEF=3, RES=8, PA=30, size="grande", MOU=10)


FREE = Options(rules=("disengage.unless=[]",))  # who was charged may try


def both(fighter, enemies, **asked):
    """The rows by agility and by force."""
    return disengage(fighter, enemies, **asked).rows


# --- chances --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ini", "shares"),
    [
        (2, ("3/6", "1/6", "5/36")),
        (3, ("4/6", "2/6", "5/36")),
        (4, ("5/6", "3/6", "1/6")),
        (5, ("1", "4/6", "2/6")),
    ],
)
def test_the_digests_chances(ini, shares):
    """M-7.2."""
    for touching, share in enumerate(shares, 1):
        agility, force = both(replace(SMALL, INI=ini), [SMALL] * touching)
        assert agility["p_success"] == pytest.approx(float(Fraction(share)), abs=1e-15)
        assert agility["difficulty"] == 4 + 2 * touching
        assert (force["possible"], force["p_success"], force["clause"]) == (False, None, "M-7.3")


@pytest.mark.parametrize("touching", [1, 2, 3])
@pytest.mark.parametrize("wounds", ["", "light", "stunned", "serious", "light,stunned"])
@pytest.mark.parametrize("charged", [False, True])
def test_wounds_and_a_charge_count(wounds, charged, touching):
    """M-7.2, M-7.3, W-3.2, M-5.1: as in the reference."""
    book = Book()
    level = {"light": 1, "serious": 2}
    words = wounds.split(",") if wounds else []
    state = Wounds(sum(level.get(word, 0) for word in words), int("stunned" in words))
    own = Standing("large", INI=2, FOR=9, RES=8, wounds=state, charged=charged)
    enemies = [Standing(INI=3, FOR=4, RES=5, wounds=Wounds(1))] * touching
    options = Options(wounds=(*([f"A={wounds}"] if wounds else []), "B=light"))
    options = replace(options, rules=FREE.rules)
    rows = both(BIG, [SMALL] * touching, options=options, charged=charged)
    ini = 2 - state.level - state.stunned - charged
    for row, value in zip(rows, (ini, value_by_force(book, own, enemies)), strict=True):
        assert row["possible"] == (value is not None)
        if value is not None:
            assert row["value"] == value
            low, high = chance(book, value, difficulty(touching), depth=10)
            assert float(low) - 1e-12 <= row["p_success"] <= float(high) + 1e-12


def test_why_force_is_not_possible():
    """M-7.3."""
    assert both(SMALL, [BIG])[1]["why"] == "not larger than each enemy in contact"
    assert both(BIG, [SMALL, BIG])[1]["why"] == "not larger than each enemy in contact"
    strong = replace(SMALL, RES=9)
    assert both(BIG, [SMALL, strong])[1]["why"] == "FOR less the highest RES is 0"
    assert both(BIG, [SMALL])[1]["why"] == ""


def test_cells_are_needed_only_where_they_count():
    """M-7.3: by agility INI is enough; by force FOR and each RES."""
    bare = Profile("Bare", INI=4)
    assert both(bare, [Profile("Other")])[0]["p_success"] == pytest.approx(5 / 6)
    with pytest.raises(InputError, match='"Bare": the cell FOR is empty'):
        disengage(replace(bare, size="grande"), [SMALL])
    with pytest.raises(InputError, match='"Other": the cell RES is empty'):
        disengage(BIG, [Profile("Other")])


def test_older_editions():
    """W-1.3: a 1 fails, and a 1 after a 6 too."""
    agility, _ = both(replace(SMALL, INI=5), [SMALL], options=Options(edition_name="c3"))
    assert agility["p_success"] == pytest.approx(5 / 6)
    assert agility["edition"] == "c3"


# --- conditions -----------------------------------------------------------------------


def test_who_was_assaulted_may_not_try():
    """M-7.1."""
    assert not may_try(True, 1, 6)
    with pytest.raises(InputError, match=r"charged or engaged in this activation phase \(M-7.1\)"):
        disengage(SMALL, [SMALL], assaulted=True)
    assert both(SMALL, [SMALL], assaulted=True, options=FREE)[0]["possible"]


def test_who_suffers_the_penalty_of_a_charge_was_charged_in_this_phase():
    """M-7.1, M-5.1: the penalty ends with the turn, and charges are of its activation phase."""
    with pytest.raises(InputError, match=r"it was charged in this activation phase \(M-7\.1\)"):
        disengage(SMALL, [SMALL], charged=True)
    for state in ("stunned", "light", "serious", "light,stunned"):
        with pytest.raises(InputError, match=r"M-7\.1"):
            disengage(SMALL, [SMALL], charged=True, options=Options(wounds=(f"A={state}",)))
    assert both(SMALL, [SMALL], charged=True, options=FREE)[0]["value"] == 2


def test_who_is_touched_by_the_most_enemies_may_not_try():
    """M-7.1, M-7.6."""
    assert may_try(False, 5, 6)
    assert not may_try(False, 6, 6)
    agility, _ = both(SMALL, [SMALL] * 5)
    assert (agility["enemies"], agility["most"], agility["most_clause"]) == (5, 6, "M-7.1")
    with pytest.raises(InputError, match=r"6 enemies touch it, and at most 6 can: the bases .*M-7"):
        disengage(SMALL, [SMALL] * 6)
    capped = Options(rules=("most.moyenne=3",))
    assert both(SMALL, [SMALL] * 2, options=capped)[0]["most_clause"] == "M-7.6"
    with pytest.raises(InputError, match=r"at most 3 can: that is disengage.most.moyenne \(M-7.6"):
        disengage(SMALL, [SMALL] * 3, options=capped)
    assert both(BIG, [SMALL] * 6)[0]["most"] == 8


def test_who_touches_nobody_has_nothing_to_disengage_from():
    """M-7.1."""
    with pytest.raises(InputError, match="touches no enemy"):
        disengage(SMALL, [])


# --- what follows ---------------------------------------------------------------------


def test_what_may_follow():
    """M-7.4, M-7.5."""
    row = both(BIG, [SMALL])[0]
    assert row["success"] == "engage MOU x 1, walk MOU x 1"
    assert row["failure"] == "nothing"
    armed = replace(SMALL, TIR=3, weapon="bow", caster="magician")
    shooter = both(armed, [SMALL])[0]
    assert shooter["success"] == "engage MOU x 1, walk MOU x 1, shoot, mystic"
    assert shooter["failure"] == "mystic"
    unarmed = both(replace(armed, weapon=""), [SMALL])[0]
    assert unarmed["success"] == "engage MOU x 1, walk MOU x 1, mystic"


@pytest.mark.parametrize("charged", [False, True])
def test_the_odds_after_a_failure_are_those_of_all_dice_in_defence(charged):
    """M-7.5: in this turn's combat, with the penalty of a charge if it is there (M-5.1)."""
    told = replace(FREE, wounds=("A=light", "B2=stunned"))
    row = both(BIG, [SMALL] * 2, options=told, charged=charged, odds=True)[0]
    own = replace(BIG, ATT=3, INI=1, DEF=2) if charged else BIG
    sides = combat(own, [SMALL] * 2, options=replace(told, all_defence=("A",))).rows[0]
    for key in ("p_a", "p_b", "p_undecided"):
        assert row[f"failure_{key}"] == pytest.approx(sides[key], abs=1e-12)
    assert row["failure_p_a"] == 0 < row["failure_p_b"]
    assert "failure_p_a" not in both(BIG, [SMALL])[0]
    assert {"C-7.2", "M-7.1"} <= set(row["readings"].split())
    assert {"tests.many_dice", "actions.disengage.after"} <= set(row["assumed"].split())


def test_the_odds_have_the_penalty_of_a_charge_by_whomever():
    """M-5.1: the marker is there, though these enemies have not the power for it."""
    row, other = (both(BIG, [SMALL], charged=c, odds=True, options=FREE)[0] for c in (True, False))
    assert row["failure_p_b"] > other["failure_p_b"]
    row = both(BIG, [SMALL], odds=True, trials=2000, seed=3)[0]
    assert (row["failure_method"], row["failure_trials"]) == ("mc", 2000)


# --- sampling -------------------------------------------------------------------------


def test_sampled_chances_are_those_of_the_exact_ones():
    """M-7: and they are the same again by seed."""
    asked = {"method": "both", "trials": 100_000, "seed": 3}
    rows = both(BIG, [SMALL] * 2, **asked)
    assert [row["method"] for row in rows] == ["exact", "exact", "mc", "mc"]
    for exact, sampled in zip(rows[:2], rows[2:], strict=True):
        p = exact["p_success"]
        assert abs(sampled["p_success"] - p) < 5 * (p * (1 - p) / 100_000) ** 0.5
        assert sampled["successes"] == round(sampled["p_success"] * 100_000)
        assert sampled["p_success_low"] < sampled["p_success"] < sampled["p_success_high"]
    assert both(BIG, [SMALL] * 2, **asked) == rows
    other = both(BIG, [SMALL] * 2, method="mc", trials=100_000, seed=4)
    assert other[0]["successes"] != rows[2]["successes"]


def test_progress_is_told_of_all_trials():
    done = []
    disengage(SMALL, [SMALL], trials=150_000, seed=1, progress=done.append)
    assert sum(done) == 150_000
    assert len(done) > 1


# --- what an answer depends on --------------------------------------------------------


def test_assumed_values_are_named():
    """M-7.6, W-5, W-3.2."""
    sized = replace(SMALL, base="25x25")
    assert disengagement(sized, [sized]).assumed == (
        "actions.disengage.after",
        "disengage.most.moyenne",  # even where the bases leave less room
    )
    found = disengage(Profile("Bare", INI=3), [SMALL])
    assert {"defaults.size", "defaults.base"} <= set(found.assumed)
    assert "size assumed to be moyenne: Bare" in found.notes
    hurt = disengagement(sized, [sized], options=Options(wounds=("A=light",))).assumed
    assert "penalty.light.INI" in hurt
    assert "penalty.light.FOR" not in hurt
    capped = disengagement(replace(sized, size="très grande"), [sized])
    assert "disengage.most.tres_grande" in capped.assumed
    assert set(capped.readings) == {"M-7.1", "M-7.4"}


# --- the command ----------------------------------------------------------------------


def test_the_command_and_its_answer_again():
    words = ("disengage", GUARD, "--enemies", f"{WARRIOR}*2", "--wounds", "B2=light", "--charged")
    words += ("--rule", "disengage.unless=[]")
    rows = answered(*words, "--set", "A.INI=4", "--odds")
    assert rows[0]["p_success"] == pytest.approx(2 / 6)
    assert answered(*shlex.split(rows[0]["command"])[1:]) == rows
    sampled = answered(*words, "--trials", 500, "--seed", 7, "--rule", "many_dice=one_chain")
    assert sampled[0]["trials"] == 500
    assert answered(*shlex.split(sampled[0]["command"])[1:]) == sampled


@pytest.mark.parametrize("method", ["exact", "mc", "both"])
def test_the_table_fits_and_tells_all(method, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    sampled = () if method == "exact" else ("--trials", 1000, "--seed", 3)
    done = estoc(
        *("disengage", GUARD, "--enemies", f"{WARRIOR}*2", "--set", "A.size=grande", "--odds"),
        *("--set", "A.FOR=12", "--method", method, *sampled),
    )
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    for word in ("agility", "INI 3", "5+", "FOR 5", "M-7.4", "M-7.5", "2 enemies touch it"):
        assert word in done.out
    assert ("33.33" in done.out) == (method != "mc")
    assert ("95 % Wilson" in done.out) == (method != "exact")
    assert "M-7.3" not in done.out


def test_the_table_says_why_a_way_is_barred():
    done = estoc("disengage", GUARD, "--enemies", WARRIOR, "--trials", 100, "--seed", 1)
    assert "force: not larger than each enemy in contact (M-7.3)" in done.out
    assert "1 enemy touches it" in done.out


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (("--assaulted",), "may not disengage: it was charged or engaged"),
        (("--charged",), "may not disengage: it was charged in this activation phase (M-7.1)"),
        (("--enemies", f"{WARRIOR}*5"), "6 enemies touch it, and at most 6 can"),
        (("--wounds", "C=light"), 'no such fighter here; A, B, or one of'),
        (("--method", "exact", "--seed", 1), "method exact has no trials and no seed"),
    ],
)  # fmt: skip
def test_refusals(more, text):
    done = estoc("disengage", GUARD, "--enemies", WARRIOR, *more)
    assert done.code == 2
    assert text in done.err
    assert done.data == b""


def test_files(tmp_path):
    path = tmp_path / "d.json"
    done = estoc("disengage", GUARD, "--enemies", WARRIOR, "-o", path)
    assert done.code == 0, done.err
    assert [row["way"] for row in json.loads(path.read_text())] == ["agility", "force"]
    assert estoc("disengage", GUARD, "--enemies", WARRIOR, "-o", tmp_path / "d.parquet").code == 0
