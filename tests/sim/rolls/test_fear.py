"""Fear as a person asks for it (W-4).

Four shares are compared with exact chances at four standard errors: a right program fails about
one such family in 4,000.
"""

import json
import shlex

import pytest
from maintenance_exact import chances
from running import answered, estoc
from witness import assert_share

from estoc.profiles import InputError, Profile
from estoc.sim.base.options import Options
from estoc.sim.phases.effects import Fighter
from estoc.sim.rolls.fear import fear, fright
from estoc.sim.rolls.fear_question import Leader
from reference.book import Book
from reference.fear import Nerve, chance_to_hold, chance_to_rally, needed_test, rally_value

BRAVE = Profile("Brave", COU=5, DIS=3, MOU=10)
TROLL = Profile("Troll", PEUR=8, DIS=2, MOU=12.5)
OGRE = Profile("Ogre", PEUR=9, MOU=15)
STONE, KILLYOX = "Guerrier de Pierre (1)", "Killyox, l'Exilé"
BOOK = Book()


def nerve_of(card):
    return Nerve(card.COU, card.PEUR, card.DIS)


# --- who tests, with what chance ------------------------------------------------------


@pytest.mark.parametrize("a", [BRAVE, TROLL, OGRE, Profile("Meek", COU=0), Profile("Tie", PEUR=8)])
@pytest.mark.parametrize("b", [BRAVE, TROLL, OGRE])
@pytest.mark.parametrize("command", [None, 7, 2])
def test_both_tests_are_as_in_the_reference(a, b, command):
    """W-4.1, W-4.5: both ways, frightening against frightening too."""
    rows = fear(a, b, command=None if command is None else str(command)).rows
    led = None if command is None else max(command, a.COU or 0)
    for row, own, foe, leader in zip(rows, (a, b), (b, a), (led, None), strict=True):
        test = needed_test(nerve_of(own), nerve_of(foe), leader)
        assert row["tests"] == (test is not None)
        if test is None:
            assert row["why"]
            assert (row["p_success"], row["p_rally"], row["goal"]) == (None, None, None)
            continue
        assert (row["value"], row["difficulty"]) == test
        low, high = chance_to_hold(BOOK, *test)
        assert float(low) - 1e-12 <= row["p_success"] <= float(high) + 1e-12


def test_what_is_told_of_each():
    """W-4.1 to W-4.3."""
    one, other = fear(BRAVE, TROLL).rows
    assert (one["stat"], one["goal"], one["p_success"]) == ("COU", 3, pytest.approx(4 / 6))
    assert one["success"] == "immune to PEUR 8 for the game"
    assert one["failure"] == (
        "rout: free it flees MOU x 2 = 20 cm; in contact all its dice in defence"
    )
    assert (other["why"], other["success"]) == ("the enemy is not frightening", "")
    one, other = fear(TROLL, OGRE).rows
    assert (one["stat"], one["value"], one["difficulty"]) == ("PEUR", 8, 9)
    assert other["why"] == "the enemy's PEUR is not higher than its own"
    led = fear(BRAVE, TROLL, command="7").rows[0]
    assert (led["stat"], led["value"], led["clause"]) == ("command", 7, "W-4.5")
    assert fear(TROLL, OGRE, command="12").rows[0]["value"] == 12
    assert fear(TROLL, OGRE, command="7").rows[0]["value"] == 8  # its own PEUR
    assert fear(BRAVE, TROLL, command="5").rows[0]["stat"] == "COU"


def test_the_edition_counts():
    """W-4.1 to W-4.4."""
    own = Options(rules=("own_fear_as_courage=false",), sets=("A.COU=3", "B.COU=1"))
    row = fear(TROLL, Profile("Tie", PEUR=8), options=own).rows[0]
    assert (row["stat"], row["value"], row["nerve"]) == ("COU", 3, 3)
    led = fear(TROLL, Profile("Tie", PEUR=8), options=own, command="4/6").rows[0]
    assert (led["stat"], led["value"], led["nerve"]) == ("command", 4, 6)
    words = Options(
        rules=("immune_after_success=false", "routed_all_defence=false", "fear.flight=3")
    )
    row = fear(Profile("Bare", COU=5), TROLL, options=words).rows[0]
    assert (row["success"], row["failure"]) == (
        "no rout",
        "rout: free it flees MOU x 3; in contact it fights",
    )
    older = fear(BRAVE, Profile("Low", PEUR=4), options=Options(edition_name="c3")).rows[0]
    assert older["p_success"] == pytest.approx(5 / 6)  # a 1 fails


# --- rallies --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "command", "nerve"),
    [
        (BRAVE, None, 5),
        (Profile("Drilled", COU=2, DIS=6), None, 6),
        (BRAVE, "6", 6),
        (BRAVE, "2/7", 7),
        (TROLL, None, 2),  # its DIS: PEUR is no COU in a rally
    ],
)
def test_rallies_are_as_in_the_reference_and_in_maintenance(card, command, nerve):
    """W-4.4, W-4.5: free, and while touching the frightening enemy."""
    row = fear(card, OGRE, command=command).rows[0]
    assert row["nerve"] == nerve
    low, high = chance_to_rally(BOOK, Nerve(COU=nerve), False)
    assert float(low) - 1e-12 <= row["p_rally"] <= float(high) + 1e-12
    assert row["p_rally_in_contact"] == chance_to_rally(BOOK, Nerve(COU=nerve), True)[0]
    routed = [Fighter("own", routed=True, courage=nerve)]
    assert row["p_rally"] == pytest.approx(1 - chances(routed).routed["own"])
    if command is None and card.PEUR is None:
        assert rally_value(nerve_of(card)) == nerve


def test_an_edition_may_let_them_rally_in_contact():
    """W-4.4."""
    free = Options(rules=("no_rally_in_contact=false", "rally_difficulty=9"))
    row = fear(BRAVE, OGRE, options=free).rows[0]
    assert row["p_rally_in_contact"] == row["p_rally"] == pytest.approx(3 / 6)


# --- sampling -------------------------------------------------------------------------


def test_sampled_chances_are_those_of_the_exact_ones():
    """W-4: and the same again by seed; A and B have dice of their own."""
    n = 100_000
    asked = {"method": "both", "trials": n, "seed": 3}
    rows = fear(BRAVE, OGRE, **asked).rows
    exact, sampled = rows[0], rows[2]
    assert [row["method"] for row in rows] == ["exact", "exact", "mc", "mc"]
    for name in ("success", "rally"):
        assert_share(sampled[f"{name}_count"], n, exact[f"p_{name}"])
        assert sampled[f"{name}_low"] < sampled[f"p_{name}"] < sampled[f"{name}_high"]
    assert sampled["p_rally_in_contact"] == 0
    assert (rows[3]["p_success"], rows[3]["success_count"]) == (None, None)
    assert fear(BRAVE, OGRE, **asked).rows == rows
    free = fear(BRAVE, OGRE, method="mc", trials=n, seed=4).rows[0]
    assert free["success_count"] != sampled["success_count"]
    assert_share(free["success_count"], n, exact["p_success"])
    assert_share(free["rally_count"], n, exact["p_rally"])


def test_progress_is_told_of_all_trials():
    done = []
    fear(BRAVE, OGRE, trials=150_000, seed=1, progress=done.append)
    assert sum(done) == 300_000


# --- refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "command", "text"),
    [
        (Profile("Blank"), TROLL, None, '"Blank": the cell COU is empty'),
        (BRAVE, Profile("Blank"), None, '"Blank": the cell PEUR is empty'),
        (Profile("Blank"), BRAVE, None, '"Blank": the cell PEUR is empty'),
        (BRAVE, TROLL, "x", r'command "x" should be COU or COU/DIS of the leader'),
        (BRAVE, TROLL, "41", 'command "41" should be'),
        (BRAVE, TROLL, "7/", 'command "7/" should be'),
    ],
)
def test_refusals(a, b, command, text):
    """W-4.1: a fighter has COU or PEUR; nothing is guessed."""
    with pytest.raises(InputError, match=text):
        fear(a, b, command=command)


def test_leaders():
    """W-4.5."""
    assert Leader.parse(" 7 / 6 ") == Leader(7, 6)
    assert str(Leader.parse("7")) == "7"
    assert str(Leader(7, 0)) == "7/0"


def test_what_an_answer_depends_on():
    question = fright(BRAVE, TROLL, command="7")
    assert question.readings == ("W-4.1", "W-4.5", "T-5.1")
    assert "W-4.5" not in fright(BRAVE, TROLL).readings
    older = fright(BRAVE, TROLL, options=Options(edition_name="c3"))
    assert {"fear.rally_difficulty", "tests.automatic_failure"} <= set(older.assumed)


# --- the command ----------------------------------------------------------------------


def test_the_command_and_its_answer_again():
    rows = answered("fear", STONE, KILLYOX, "--command", "7/6", "--set", "A.COU=4")
    assert [(row["tests"], row["value"]) for row in rows] == [(True, 7), (False, None)]
    assert answered(*shlex.split(rows[0]["command"])[1:]) == rows
    sampled = answered("fear", STONE, KILLYOX, "--trials", 500, "--seed", 7)
    assert {row["trials"] for row in sampled} == {500}
    assert answered(*shlex.split(sampled[0]["command"])[1:]) == sampled
    both = answered("fear", STONE, KILLYOX, "--method", "both", "--trials", 50, "--seed", 7)
    assert answered(*shlex.split(both[0]["command"])[1:]) == both


@pytest.mark.parametrize("method", ["exact", "mc", "both"])
def test_the_table_fits_and_tells_all(method, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    sampled = () if method == "exact" else ("--trials", 1_000_000, "--seed", 3)
    done = estoc("fear", STONE, KILLYOX, "--method", method, *sampled)
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    for word in ("COU 5", "4+", "MOU x 2 = 25 cm", "immune to PEUR 9", "does not test", "W-4.4"):
        assert word in done.out
    assert ("66.67" in done.out) == (method != "mc")
    assert ("95 % Wilson interval" in done.out) == (method != "exact")


def test_files(tmp_path):
    path = tmp_path / "f.json"
    done = estoc("fear", STONE, KILLYOX, "-o", path)
    assert done.code == 0, done.err
    assert [row["tests"] for row in json.loads(path.read_text())] == [True, False]
    assert estoc("fear", STONE, KILLYOX, "-o", tmp_path / "f.parquet").code == 0
