"""A wing as it loses its leader and its Troops: 8.1's values, both drivers, who is meant."""

from fractions import Fraction

import pytest
from sheet_asked import piece, wing, write

from estoc.profiles import InputError
from estoc.sim.base.printed import plain_text
from estoc.sim.sheet.losses import wing as ask_wing
from estoc.sim.sheet.question import ask_sheet


@pytest.fixture
def exact():
    return ask_wing(ask_sheet("wing"))


def test_the_specifications_values(exact):
    assert [row["attack_exact"] for row in exact] == ["1/2", "5/12", "5/18", "5/36"]
    assert [row["attack_mean"] for row in exact] == [1 / 2, 5 / 12, 5 / 18, 5 / 36]
    assert exact.rows[0]["bound_exact"] == "2"
    assert [row["lost"] for row in exact] == ["Captain", "Spears", "Swords", "Riders"]
    assert [row["losses"] for row in exact] == [1, 2, 3, 4]


def test_bound_troops_follow_from_the_odds(exact):
    """The two others attack while the wing does; the charging Riders do whatever its order (A4)."""
    attack = [Fraction(row["attack_exact"]) for row in exact]
    expected = [2 * attack[0] + 1, attack[1] + 1, 1, 0]
    assert [row["bound_exact"] for row in exact] == [str(value) for value in expected]


def test_trials_agree_with_exact_odds(exact):
    """Eight figures within 4 standard errors: one run in 2000 would fail."""
    n = 20_000
    trials = ask_wing(ask_sheet("wing"), trials=n, seed=11)
    for mine, true in zip(trials, exact, strict=True):
        p = true["attack_mean"]
        assert abs(mine["attack_mean"] - p) <= 4 * (p * (1 - p) / n) ** 0.5
        error = (mine["bound_high"] - mine["bound_low"]) / 2 / 1.959964
        assert abs(mine["bound_mean"] - true["bound_mean"]) <= 4 * error


def test_threads_change_nothing():
    question = ask_sheet("wing")
    one, two = (ask_wing(question, trials=5_000, seed=3, threads=k) for k in (1, 2))
    assert one.rows == two.rows


def test_the_leader_can_outlive_his_troops():
    """D4b alone: with one Troop lost the target is 2, which fails 1 time in 6."""
    result = ask_wing(ask_sheet("wing"), losses=["Spears"])
    assert [row["attack_exact"] for row in result] == ["5/6"]
    assert "--lose Spears" in result.command


def test_targets_are_the_files():
    """A Retreat that never fails leaves the order as it is."""
    question = ask_sheet("wing", settings=["wing.retreat_target=1"])
    result = ask_wing(question, losses=["Captain"])
    assert result.rows[0]["attack_exact"] == "1"
    assert result.rows[0]["bound_exact"] == "3"


def two_wings(path, orders, leaders=("a", "b")):
    ours = [wing(name, order=order) for name, order in zip("xy", orders, strict=True)]
    for own, leader in zip(ours, leaders, strict=True):
        own["leader"] = leader
    pieces = []
    for k, (name, leader) in enumerate(zip("xy", "ab", strict=True)):
        pieces += [
            piece(leader, kind="character", wing=name, hex=f"{4 * k},0"),
            piece(f"troop {name}", wing=name.upper(), hex=f"{4 * k},2"),
        ]
    return write(path, pieces, ours, rows=["......"] * 3)


def test_a_wing_that_is_not_named(tmp_path):
    """The first that has a leader and attacks; else the first that has a leader."""
    path = tmp_path / "s.toml"
    for orders, leaders, chosen in (
        (("defence", "attack"), "ab", "y"),
        (("attack", "attack"), "ab", "x"),
        (("defence", "defence"), "ab", "x"),
        (("attack", "defence"), ("", "b"), "y"),
    ):
        result = ask_wing(ask_sheet(two_wings(path, orders, leaders)))
        assert {row["wing"] for row in result} == {chosen}
        assert [row["lost"] for row in result] == ["ab"["xy".index(chosen)], f"troop {chosen}"]
    none = ask_sheet(two_wings(path, ("attack", "attack"), ("", "")))
    with pytest.raises(InputError, match=r"^wing: no wing of the situation has a leader"):
        ask_wing(none)
    assert len(ask_wing(none, "Y")) == 1


@pytest.mark.parametrize(
    ("name", "losses", "told"),
    [
        ("lef", [], r'^wing: no wing "lef"; .*left'),
        ("left", ["Spear"], r"^lose: .*Spears"),
        ("left", ["Spears", "spears"], "^lose: Spears is named twice"),
    ],
)
def test_refusals(name, losses, told):
    with pytest.raises(InputError, match=told):
        ask_wing(ask_sheet("wing"), name, losses=losses)


def test_a_wing_that_has_nobody(tmp_path):
    wings = [wing(), wing("empty")]
    path = write(tmp_path / "s.toml", [piece("one", hex="0,0")], wings, rows=["."])
    with pytest.raises(InputError, match=r"^wing: empty has nobody to lose"):
        ask_wing(ask_sheet(path), "empty")


@pytest.mark.parametrize("run", [{}, {"trials": 300, "seed": 1}])
def test_the_table(run):
    result = ask_wing(ask_sheet("wing"), **run)
    text = plain_text(result, 80)
    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    assert "retreat 4; demoralisation 1 + 1 a Troop lost; " in flat
    assert "a wing that fails retreats" in flat
    assert "players" not in flat  # nobody decides anything
    assert ("5/36" in flat) == (not run)
    assert ("95 % Wilson interval" in flat) == bool(run)


def test_the_interval_of_a_share_is_wilsons():
    result = ask_wing(ask_sheet("wing"), losses=["Captain"], trials=200, seed=2)
    row = result.rows[0]
    assert 0 < row["attack_low"] < row["attack_mean"] < row["attack_high"] < 1
    sure = ask_wing(ask_sheet("wing"), "wall", losses=["Pikes"], trials=200, seed=2).rows[0]
    assert (sure["attack_mean"], sure["attack_low"]) == (0, 0)
    assert 0 < sure["attack_high"] < 0.02


def test_ctrl_c_keeps_what_was_done(monkeypatch):
    monkeypatch.setattr("estoc.sim.sheet.runs.CHUNK", 50)

    def advance(trials):
        raise KeyboardInterrupt

    run = {"trials": 500, "seed": 1, "progress": advance, "partial": True}
    result = ask_wing(ask_sheet("wing"), **run)
    assert result.stopped == "50 of 500 trials"
