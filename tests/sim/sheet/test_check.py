"""What the sheet says of a unit: the cases of 7.1, tests of stage S, holes, clauses and why not."""

import re
from dataclasses import replace

import pytest
from sheet_asked import U, piece, state, wing, write
from sheet_cases import CASES, FORMATION, REGROUPING, between, possible
from sheet_space import FRESH

from estoc.kernels.layout.sheet import Breath, Cohesion, Kind, Order
from estoc.profiles import InputError
from estoc.profiles.sheet.clauses import load_clauses
from estoc.sim.base.printed import plain_text
from estoc.sim.sheet.check import check
from estoc.sim.sheet.question import ask_sheet
from estoc.sim.sheet.words import OR_FLEES, TAGS
from estoc.sim.text.speech import spoken, translated
from reference.sheet import Facts

M1 = "U13a M1"


def of(result, what):
    return [row for row in result if row["what"] == what]


def said(result, clause):
    return next(row for row in result if row["clause"] == clause)


def asked(path, unit=U, explain=False, **more):
    return check(ask_sheet(path, **more), unit, explain=explain)


@pytest.mark.parametrize("name", CASES)
def test_the_cases_of_the_specification(name, tmp_path):
    """Where all tests of stage S are passed, as 7.1 takes them."""
    case = CASES[name]
    readings = ["select.mode=M1"] if name == M1 else []
    result = asked(state(tmp_path / "u.toml", case.facts), readings=readings)
    rows = [row for row in of(result, "action") if row["case"] == 1]
    permitted = {row["deed"]: row["constraint"].replace(OR_FLEES, "") for row in rows}
    expected = possible(case)
    assert permitted == {deed.name: TAGS[tag] for deed, tag in expected.items()}
    closing = rows[0]["closing"]
    assert rows[0]["clauses"].split() + ["F0"] * (closing == "F0") == case.trace.split()
    assert sum({row["case"]: row["chance"] for row in of(result, "action")}.values()) == 1


def test_a_test_that_matters_makes_two_cases(tmp_path):
    """U19c: a Formation in good order that fails its Engagement test is Shaken, and may go."""
    facts = Facts(Kind.FORMATION, **between(FRESH, FRESH))
    result = asked(state(tmp_path / "u.toml", facts))
    (test,) = of(result, "test")
    assert (test["text"], test["who"], test["chance"]) == ("Engagement test", U, 1)
    assert test["fails"] == 0.5
    cases = {row["case"]: row for row in of(result, "action")}
    assert [row["clauses"] for row in cases.values()] == ["A5 A11", "A5 A7a A11"]
    assert [row["chance"] for row in cases.values()] == [0.5, 0.5]
    assert said(result, "A7a")["chance"] == 0.5
    assert said(result, "A11")["chance"] == 1
    text = plain_text(result, 80)
    told = " ".join(text.split())
    assert "if u passes the Engagement test: 50.00 % A11 closes, by A5 A11; it must" in told
    assert "if u fails the Engagement test: 50.00 % A11 closes, by A5 A7a A11; it takes" in told
    assert "dice 1d6; engagement 4; modifiers of engagement" in " ".join(text.split())
    assert "rout" not in text.partition("assumed")[2]


@pytest.mark.parametrize(("settings", "fails"), [([], 2 / 6), (["engagement.ELITE=6"], 5 / 6)])
def test_odds_are_of_the_target(settings, fails, tmp_path):
    path = state(tmp_path / "u.toml", Facts(elite=True, **between(FRESH, FRESH)))
    assert of(asked(path, settings=settings), "test")[0]["fails"] == pytest.approx(fails)


def test_a_shaken_formation_that_fails_selects_nothing(tmp_path):
    """S2c (U19d)."""
    facts = Facts(Kind.FORMATION, cohesion=Cohesion.SHAKEN, **between(FRESH, FRESH))
    result = asked(state(tmp_path / "u.toml", facts), explain=True)
    frozen = [row for row in of(result, "action") if row["closing"] == "S2c"]
    assert [row["deed"] for row in frozen] == [""]
    assert frozen[0]["chance"] == pytest.approx(4 / 6)  # shaken: one less on the die
    assert said(result, "S2c")["what"] == "clause"
    assert said(result, "S2b")["why"] == "it is Shaken"
    assert "a shaken Formation that fails its Engagement test (S2c)" in plain_text(result, 100)


def test_a_simple_one_that_fails_twice_obeys_a1(tmp_path):
    """U19b: SHAKEN and failing, it is Routed, and A1 applies in the same activation (S2d)."""
    facts = Facts(cohesion=Cohesion.SHAKEN, **between(FRESH, FRESH))
    result = asked(state(tmp_path / "u.toml", facts), explain=True)
    failed = [row for row in of(result, "action") if row["case"] == 2]
    assert [(row["deed"], row["closing"], row["must"]) for row in failed] == [("FLEE", "A1", True)]
    assert said(result, "S2d")["what"] == "clause"


@pytest.mark.parametrize(
    ("keys", "fails"),
    [({"morale": "elite"}, 3 / 6), ({"marks": ["special"], "breath": "exhausted"}, 4 / 6)],
)
def test_who_must_rally_flees_if_he_fails(keys, fails, tmp_path):
    """A1: the rally is a must, and so is the flight in the same activation after it."""
    path = write(tmp_path / "s.toml", [piece(U, cohesion="routed", **keys)], [wing()], [])
    result = asked(path)
    (row,) = of(result, "action")
    assert (row["deed"], row["must"], row["constraint"]) == (
        *("RALLY", True),
        OR_FLEES,
    )
    (test,) = of(result, "test")
    assert (test["text"], test["who"], test["chance"]) == ("Rally (Ralliement)", U, 1)
    assert test["fails"] == pytest.approx(fails)
    text = " ".join(plain_text(result, 100).split())
    assert "if it fails, it must flee" in text
    assert "rally" in text.partition("assumed (tests")[2]


def test_the_rally_of_who_is_routed_by_a_test(tmp_path):
    """S2d, A1: Elite and Shaken, it fails the Engagement test and must rally at once."""
    facts = Facts(cohesion=Cohesion.SHAKEN, elite=True, **between(FRESH, FRESH))
    result = asked(state(tmp_path / "u.toml", facts))
    engagement, rally = of(result, "test")
    assert rally["chance"] == pytest.approx(engagement["fails"]) == pytest.approx(3 / 6)


# --- what is listed and cannot be done ------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, {"RELOAD": "is no shooter", "FORM_MODE": "is no Formation"}),
        ({"shooter": True}, {"RELOAD": "has ammunition left", "FORM_MODE": "is no Formation"}),
        ({"kind": "formation"}, {"RELOAD": "is no shooter"}),
        (
            {"kind": "formation", "marks": ["ammo_out"], "cannot": ["handle"]},
            {"HANDLE": "its file says that it cannot"},
        ),
    ],
)
def test_what_the_sheet_lists_and_cannot_be_done_says_why(changes, why, tmp_path):
    """A9b lists Reload and a change of mode: their own conditions are assumed, and named."""
    rows = ["....."] * 4
    pieces = [piece(U, hex="0,1", **changes), piece("foe", "Raven", hex="4,2", morale="elite")]
    wings = [wing(), wing("theirs", "Raven")]
    result = asked(write(tmp_path / "s.toml", pieces, wings, rows=rows), explain=True)
    unable = {row["deed"]: row for row in of(result, "unable")}
    assert {deed: row["why"] for deed, row in unable.items()} == why
    assert all(row["clauses"] == "A9b" for row in unable.values())
    given = {row["deed"] for row in of(result, "action")}
    assert not given & set(why)
    told = " ".join(plain_text(result, 100).split())
    assert ("reload: its ammunition is spent" in told) == ("RELOAD" in why)
    assert "listed, not possible" in told
    plain = asked(write(tmp_path / "s.toml", pieces, wings, rows=rows))
    assert not of(plain, "unable")
    assert ("reload: its ammunition is spent" in " ".join(plain.notes)) == ("RELOAD" in why)


# --- who may fire, and what nobody said ---------------------------------------------------


@pytest.mark.parametrize(
    ("order", "kind", "marks"),
    [
        ("defence", "simple", []),  # A9a
        ("attack", "simple", []),  # A11
        ("attack", "simple", ["special"]),  # A15a
        ("attack", "character", []),  # A16
    ],
)
@pytest.mark.parametrize(
    ("keys", "fires"),
    [
        ({"shooter": False, "can_fire": False}, False),
        ({}, False),
        ({"shooter": True}, True),  # who is engaged has a target beside it
        ({"shooter": True, "can_fire": False}, False),
        ({"shooter": True, "marks": ["ammo_out"]}, False),
    ],
)
def test_the_condition_of_fire_arms_nobody(order, kind, marks, keys, fires, tmp_path):
    """A9a, A11, A15a, A16: only shooters fire, in a file without a map as on one."""
    own = {"kind": kind, **keys, "marks": [*marks, *keys.get("marks", [])]}
    wings = [wing(order=order), wing("theirs", "Raven")]
    pieces = [piece(U, **own), piece("foe", "Raven", marks=["contact"])]
    path = write(tmp_path / "s.toml", pieces, wings, [["foe", U], [U, "foe"]])
    given = {row["deed"] for row in of(asked(path), "action")}
    assert ("FIRE" in given) == fires
    on_map = [{**one, "hex": f"1,{3 - k}"} for k, one in enumerate(pieces)]
    on_map[1]["facing"] = "s"
    if "can_fire" not in keys:
        mapped = write(tmp_path / "m.toml", on_map, wings, rows=["..."] * 6)
        assert given == {row["deed"] for row in of(asked(mapped), "action")}


@pytest.mark.parametrize(
    ("keys", "text", "why", "otherwise"),
    [
        ({"shooter": True}, "can_fire = false", "has no target", "A12 A14a"),
        ({"wing": "rear"}, "far = true", "is out of reach", "A6c"),
        (
            *({"kind": "character", "caster": True}, "duel_shock = false"),
            *("no enemy character is adjacent", "shock duel"),
        ),
        ({"kind": "character", "duel_shock": False}, "caster = true", "knows spells", ""),
        (
            *({"cohesion": "routed", "morale": "ordinary"},),
            *("nobody is beside anybody: there is no map", "", "S1a"),
        ),
    ],
)
def test_what_nobody_gave_is_assumed_and_named(keys, text, why, otherwise, tmp_path):
    """A14a, A6c and A8, A17a, S1a: the answer says on which missing facts it rests."""
    wings = [wing(order="attack"), wing("rear", order="regroup")]
    path = write(tmp_path / "s.toml", [piece(U, **keys), piece("friend")], wings, [])
    (row,) = of(asked(path), "assumed")
    assert (row["text"], row["why"], row["otherwise"]) == (text, why, otherwise)
    shown = " ".join(plain_text(asked(path), 100).split())
    assert "assumed, the file does not say" in shown
    assert text in shown


def test_regroup_with_an_enemy_is_within_his_reach_and_says_so(tmp_path):
    """A6c, where the file has an enemy and no map: assumed to be in reach; given, not assumed."""
    pieces = [piece(U), piece("foe", "Raven")]
    wings = [wing(order="regroup"), wing("theirs", "Raven")]
    result = asked(write(tmp_path / "s.toml", pieces, wings, []))
    assert of(result, "action")[0]["clauses"] == "A6c"
    (row,) = of(result, "assumed")
    assert (row["text"], row["otherwise"]) == ("far = false", "A8")
    pieces[0]["far"] = False
    assert not of(asked(write(tmp_path / "t.toml", pieces, wings, [])), "assumed")


def test_nothing_is_assumed_where_a_map_tells(tmp_path):
    pieces = [piece(U, shooter=True, hex="0,0"), piece("foe", "Raven", hex="2,0")]
    wings = [wing(order="attack"), wing("theirs", "Raven")]
    result = asked(write(tmp_path / "s.toml", pieces, wings, rows=["..."]))
    assert not of(result, "assumed")
    assert of(result, "action")[-1]["clauses"] == "A12 A14a"


# --- which results of tests lead to what ----------------------------------------------------


def test_two_tests_are_told_by_their_results(tmp_path):
    """S1b, S2: routed by the first it takes no second, and A1 applies."""
    rows = ["..."] * 6
    pieces = [
        piece(U, hex="1,3"),
        piece("runner", hex="2,3", cohesion="routed"),
        piece("foe", "Raven", hex="1,2", facing="s", marks=["contact"]),
    ]
    wings = [wing(), wing("theirs", "Raven")]
    result = asked(write(tmp_path / "s.toml", pieces, wings, rows=rows))
    when = {row["case"]: (row["when"], row["clauses"]) for row in of(result, "action")}
    assert list(when.values()) == [
        ("if u passes the Engagement test", "A5 A9a"),
        ("if u fails the Engagement test", "A5 A7a A9a"),
        ("if u fails the Rout test (Déroute)", "A1"),
    ]


def test_each_clause_has_a_sentence_of_its_own(tmp_path):
    """In our words, in both languages, no longer than a line of a page."""
    clauses = load_clauses()
    every = [*clauses.clauses, *clauses.paragraphs]
    said_ = {each.id: each.text for each in every}
    assert len(set(said_.values())) == len(every)
    assert all(30 <= len(text) + 12 <= 112 and text.endswith(".") for text in said_.values())
    with spoken("fr"):
        french = {name: translated(text) for name, text in said_.items()}
    assert not [name for name in said_ if french[name] == said_[name]]
    result = asked(state(tmp_path / "u.toml", Facts()))
    assert said(result, "A14b")["says"] == said_["A14b"]
    assert said_["A14b"] in " ".join(plain_text(result, 100).split())


# --- the holes of the sheet ------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "hole"),
    [(FORMATION, "F0b"), (replace(REGROUPING, **between(FRESH, FRESH)), "F0a")],
)
def test_holes_are_listed_where_no_clause_closes(facts, hole, tmp_path):
    result = asked(state(tmp_path / "u.toml", facts))
    holes = {row["clause"]: row for row in of(result, "hole")}
    assert list(holes) == ["F0a", "F0b"]
    assert {name for name, row in holes.items() if row["chance"]} == {hole}
    assert [row["text"] for row in holes.values()] == [each.who for each in load_clauses().holes]
    text = " ".join(plain_text(result, 80).split())
    assert "no clause closes (F0)" in text
    assert "for whom the sheet says nothing" in text


def test_no_hole_is_listed_where_a_clause_closes(tmp_path):
    assert not of(asked(state(tmp_path / "u.toml", Facts())), "hole")


# --- stage S and the clauses that do not apply -------------------------------------------


HIDDEN = {"marks": ["hidden"], "hex": "0,0"}  # behind the wood of `neighbours`
DECOY = {"kind": "decoy", "hex": "0,0"}


def neighbours(tmp_path, pieces, **of_map):
    unseen = any(one["hex"] == "0,0" for one in pieces)
    rows = ["..w.."] * 3 if unseen else ["....."] * 3
    enemy = piece("foe", "Raven", hex="4,2")
    wings = [wing(), wing("theirs", "Raven")]
    return write(tmp_path / "s.toml", [*pieces, enemy], wings, rows=rows, **of_map)


def test_rout_comes_from_an_adjacent_friend_unless_a_wall_is_between(tmp_path):
    """S1b; a wall keeps neighbours from being adjacent, in the test and in the words."""
    pieces = [piece(U, hex="1,0"), piece("runner", hex="1,1", cohesion="routed")]
    open_ = asked(neighbours(tmp_path, pieces), explain=True)
    assert [row["text"] for row in of(open_, "test")] == ["Rout test (Déroute)"]
    assert said(open_, "S1b")["what"] == "clause"
    assert said(open_, "S1b")["why"] == ""
    walled = asked(neighbours(tmp_path, pieces, walls=[["1,0", "1,1"]]), explain=True)
    assert not of(walled, "test")
    assert said(walled, "S1b")["why"] == "no adjacent friend is Routed"


@pytest.mark.parametrize(("reading", "tests"), [([], 1), (["stack_is_adjacent=no"], 0)])
def test_a_stacked_character_is_adjacent_by_q23(reading, tests, tmp_path):
    chief = piece(U, kind="character", hex="1,0")
    runner = piece("runner", hex="1,0", cohesion="routed")
    result = asked(neighbours(tmp_path, [chief, runner]), explain=True, readings=reading)
    assert len(of(result, "test")) == tests
    assert (said(result, "S1b")["what"] == "clause") == bool(tests)


def test_a_routed_one_makes_its_neighbours_test(tmp_path):
    """S1a: all who are adjacent and not Routed, in the order of the file."""
    friends = [piece(name, hex=at) for name, at in (("a", "1,1"), ("b", "2,0"), ("far", "0,2"))]
    result = asked(neighbours(tmp_path, [piece(U, hex="1,0", cohesion="routed"), *friends]))
    assert [row["who"] for row in of(result, "test")] == ["a", "b"]
    assert said(result, "S1a")["what"] == "clause"


@pytest.mark.parametrize(
    ("changes", "clause", "why"),
    [
        ({}, "S3", "it has no Contact marker"),
        ({"marks": ["contact"]}, "S3", ""),
        ({"faculties": ["fearsome"]}, "S1c", ""),
        ({"faculties": ["invulnerable"]}, "S1d", ""),
        ({}, "S4a", "an enemy sees it"),
        (HIDDEN, "S4a", "it is hidden"),
        ({"cohesion": "routed"}, "S4a", "it is Routed"),
        (HIDDEN, "S4b", "it may"),
        (HIDDEN, "S5a", "it may"),
        (DECOY, "S5b", "it may"),
        (DECOY, "S1b", "it is a decoy"),
        (DECOY, "S4b", "it may"),
        ({"marks": ["charge"]}, "A4", ""),
        ({}, "A4", "has no Charge marker"),
        ({}, "A14c", "does not follow Attack"),
    ],
)
def test_clauses_and_why_not(changes, clause, why, tmp_path):
    path = neighbours(tmp_path, [piece(U, **{"hex": "1,0", **changes})])
    row = said(asked(path, explain=True), clause)
    assert why in row["why"] if clause == "A14c" else row["why"] == why
    assert (row["what"] == "clause") == (why in ("", "it may"))


def test_who_is_out_of_sight_may_be_hidden(tmp_path):
    """S4a: a wood is between it and the only enemy."""
    pieces = [piece(U, hex="0,1"), piece("foe", "Raven", hex="4,1")]
    wings = [wing(), wing("theirs", "Raven")]
    path = write(tmp_path / "s.toml", pieces, wings, rows=["..w..", "..w..", "..w.."])
    assert said(asked(path, explain=True), "S4a")["why"] == "it may"


@pytest.mark.parametrize(
    ("hidden", "fault"),
    [
        ({"kind": "decoy"}, "a decoy in an enemy's sight is removed (D6b)"),
        ({"marks": ["hidden"]}, "a hidden Unit in an enemy's sight is revealed (D6a)"),
    ],
)
def test_nothing_hidden_stands_in_view(hidden, fault, tmp_path):
    """D6: neither a decoy nor a hidden Unit can be in an enemy Unit's sight at the start."""
    pieces = [piece("trick", hex="0,1", **hidden), piece(U, "Raven", hex="4,1")]
    wings = [wing(), wing("theirs", "Raven")]
    path = write(tmp_path / "s.toml", pieces, wings, rows=["....."] * 3)
    with pytest.raises(InputError, match=re.escape(f"trick: hex: {U} sees it; {fault}")):
        asked(path)
    behind = write(tmp_path / "t.toml", pieces, wings, rows=["..w.."] * 3)
    assert of(asked(behind), "action")


def test_everything_is_told_once_under_explain(tmp_path):
    path = state(tmp_path / "u.toml", Facts(breath=Breath.WINDED, order=Order.DEFENCE))
    result = asked(path, explain=True)
    told = [row["clause"] for row in result if row["what"] in ("clause", "silent", "later")]
    clauses = load_clauses()
    every = [*clauses.clauses, *clauses.paragraphs]
    assert sorted(told) == sorted(each.id for each in every if each.id != "F0")
    assert {row["clause"][0] for row in of(result, "later")} == {"D", "E"}
    assert all(row["why"] for row in of(result, "silent"))
    plain = asked(path)
    assert {row["what"] for row in plain} == {"action", "clause"}


@pytest.mark.parametrize(
    ("readings", "what"), [([], "silent"), (["a7a.dodge_needs_g=no"], "clause")]
)
def test_clauses_are_those_of_the_reading(readings, what, tmp_path):
    """Q15: Dodge without engaging anybody."""
    path = state(tmp_path / "u.toml", Facts(dodge=True))
    row = said(asked(path, explain=True, readings=readings), "A7a")
    assert row["what"] == what
    other = state(tmp_path / "v.toml", Facts(kind=Kind.CHARACTER))
    lacks = said(asked(other, explain=True, readings=readings), "A7a")["why"]
    assert lacks == ("cannot dodge" if readings else "is not Shaken, engages nobody")


def test_a_name_goes_before_a_number(tmp_path):
    pieces = [piece("1"), piece("other")]
    path = write(tmp_path / "s.toml", pieces, [wing()], engages=[])
    assert asked(path, "1").rows[0]["unit"] == "1"
    assert asked(path, "0").rows[0]["unit"] == "1"
    with pytest.raises(InputError, match=r"^unit: "):
        asked(path, "2")


def test_a_piece_off_the_map_of_a_situation_that_has_one(tmp_path):
    """Relations are given, some pieces stand nowhere: they are asked about like any other."""
    pieces = [piece(U), piece("there", hex="0,0")]
    path = write(tmp_path / "s.toml", pieces, [wing()], engages=[], rows=["."])
    result = asked(path, explain=True)
    assert of(result, "action")[0]["closing"] == "A9"
    assert said(result, "S4a")["why"] == "it is off the map"


def test_refusals_are_one_clear_line():
    with pytest.raises(InputError, match=r'^unit: no piece.*"Trol".*Troll'):
        asked("skirmish", "Trol")
    with pytest.raises(InputError, match="situation"):
        asked("skirmsh", U)


@pytest.mark.parametrize("unit", ["Pike block", "Shadow", "Woodsmen", "Troll", "Abbess", "7"])
def test_no_line_is_wider_than_the_terminal(unit):
    result = asked("skirmish", unit, explain=True)
    assert max(map(len, plain_text(result, 80).splitlines())) <= 80
