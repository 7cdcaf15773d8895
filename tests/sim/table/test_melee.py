"""Melees: every separation with its odds, who separates, what it is worth (C-1, C-2)."""

import csv
import json
import re
import shlex
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import ARKEON, GUARD, ROSTER, WARRIOR, answered, estoc

from estoc.profiles import InputError
from estoc.sim.base.options import Options
from estoc.sim.base.policy import parse_policies
from estoc.sim.base.printed import plain_text
from estoc.sim.base.run import Run
from estoc.sim.combat.combat import combat
from estoc.sim.phases.tactics import chance_to_win
from estoc.sim.table import melee as module
from estoc.sim.table import melee_choice
from estoc.sim.table.melee import melee
from estoc.sim.table.melee_contacts import charged_of, key_of, touching_of
from estoc.sim.table.melee_question import ask
from reference import melees as rules
from reference import tactics
from reference.book import Book

GOLDEN = Path(__file__).parents[2] / "golden" / "melee.txt"
FALCONER = "Fauconnier d'Alahan"
SETS = ("A.DIS=4", "B.DIS=2", f"{ARKEON}.ATT=5", f"{ARKEON}.RES=9")
OPTIONS = Options(sets=SETS)
FEW = Options(sets=SETS[:2])  # where Arkéon is not there
A, B = [GUARD, GUARD, ARKEON], [WARRIOR, WARRIOR, FALCONER]
ROW = {"A1": ["B1"], "B1": ["A2"], "A2": ["B2"], "B2": ["A3"], "A3": ["B3"]}  # alternating


def played(a=A, b=B, contacts="all", options=OPTIONS, **asked):
    return melee(a, b, contacts, options=options, roster=ROSTER, **asked)


def question(a=A, b=B, contacts="all", routed=(), options=OPTIONS):
    return ask([ROSTER.find(n) for n in a], [ROSTER.find(n) for n in b], contacts, routed, options)


def section(result, name):
    return [row for row in result if row["section"] == name]


def separations(result):
    """Each separation, as the names of its combats, with its row."""
    return {frozenset(row["what"].split(", ")): row for row in section(result, "separation")}


def combats(result, separation):
    return [r for r in section(result, "combat") if r["separation"] == separation["separation"]]


def refusal(call, *words, **asked):
    with pytest.raises(InputError) as caught:
        call(*words, **asked)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- separations and their odds -------------------------------------------------------


def test_rows_of_a_melee():
    found = played()
    assert len(section(found, "fighter")) == 6
    (head,) = section(found, "melee")
    assert (head["what"], head["number"]) == ("A1+A2+A3 v B1+B2+B3", 15)  # H5
    assert len(separations(found)) == 15
    assert all(list(row) == found.columns for row in found)
    ranked = section(found, "separation")
    assert [row["separation"] for row in ranked] == list(range(1, 16))
    values = [row["value"] for row in ranked]
    assert values == sorted(values, reverse=True)


def test_odds_of_each_combat_are_those_of_the_combat_alone():
    found = played()
    names = {f"A{i}": name for i, name in enumerate(A, 1)} | {
        f"B{i}": name for i, name in enumerate(B, 1)
    }
    seen = 0
    for row in section(found, "combat"):
        a, b = ([names[k] for k in side.split("+")] for side in row["what"].split(" v "))
        sets = [s for s in SETS if not s.startswith(ARKEON) or ARKEON in a]
        alone = combat(a, b, options=replace(OPTIONS, sets=tuple(sets)), roster=ROSTER).rows[0]
        for key in ("p_a", "p_b", "p_undecided", "p_first_a", "value"):
            assert row[key] == pytest.approx(alone[key], abs=1e-13)
        seen += 1
    assert seen == sum(len(what) for what in separations(found))


def test_a_separation_is_worth_its_combats_and_the_best_are_the_ends():
    # combats of one phase share no fighter
    found = played()
    (head,) = section(found, "melee")
    values = []
    for row in separations(found).values():
        own = combats(found, row)
        assert ", ".join(c["what"] for c in own) == row["what"]
        assert row["value"] == pytest.approx(sum(c["value"] for c in own), abs=1e-12)
        values.append(row["value"])
    for row in separations(found).values():
        sides = [s for s, end in (("A", max), ("B", min)) if row["value"] == end(values)]
        assert row["best"] == " ".join(sides)
    p = head["p_separates_a"]
    assert head["value"] == pytest.approx(p * max(values) + (1 - p) * min(values), abs=1e-12)


def test_combats_of_equal_fighters_are_worked_out_once():
    # A1 and A2 are equal, and so are B1 and B2
    asked = question()
    assert len(asked.questions) < sum(map(len, asked.index))
    shared = {}
    for name, place in ((asked.melees[0].name(c), p) for c, p in asked.index[0].items()):
        alike = re.sub("A[12]", "A", re.sub("B[12]", "B", name))
        assert shared.setdefault(alike, place) == place
    assert len(set(shared.values())) == len(shared)


def test_equal_fighters_who_start_otherwise_are_not_the_same():
    wounded = question(options=replace(OPTIONS, wounds=("A2=light",)))
    assert len(wounded.questions) > len(question().questions)


def test_separations_into_equal_combats_are_listed_together():
    found = played([GUARD] * 3, [WARRIOR] * 3, options=FEW)
    kinds = [row["alike"] for row in section(found, "separation")]
    assert sorted(kinds, key=kinds.index) == kinds
    assert [kinds.count(kind) for kind in dict.fromkeys(kinds)] in ([9, 6], [6, 9])


@given(st.permutations(range(3)), st.permutations(range(3)))
@settings(max_examples=6, deadline=None)
def test_the_order_of_the_fighters_does_not_matter(own, other):
    contacts = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0)]  # a ring
    plain = played(contacts=[(f"A{i + 1}", f"B{j + 1}") for i, j in contacts])
    moved = played(
        [A[i] for i in own],
        [B[j] for j in other],
        [(f"A{own.index(i) + 1}", f"B{other.index(j) + 1}") for i, j in contacts],
    )
    assert len(separations(plain)) == 5  # H5
    for key in ("value", "best"):
        mine, theirs = ([r[key] for r in section(x, "separation")] for x in (plain, moved))
        assert mine == pytest.approx(theirs) if key == "value" else mine == theirs


def test_sides_exchanged():
    swapped = replace(OPTIONS, sets=("A.DIS=2", "B.DIS=4", *SETS[2:]), chosen_by="B")
    one, other = played(), played(B, A, options=swapped)
    values = [row["value"] for row in section(one, "separation")]
    mirrored = [-row["value"] for row in section(other, "separation")]
    assert values == pytest.approx(mirrored[::-1])
    heads = section(one, "melee")[0], section(other, "melee")[0]
    assert heads[0]["p_separates_a"] == pytest.approx(1 - heads[1]["p_separates_a"])
    assert heads[0]["value"] == pytest.approx(-heads[1]["value"])


def test_several_melees_and_free_fighters():
    # C-1.1: friends who touch link nothing, and who touches no enemy is in none
    found = played(contacts=[("A1", "B1"), ("A2", "B2"), ("B1", "B2"), ("A3", "A2")])
    assert [row["what"] for row in section(found, "melee")] == ["A1 v B1", "A2 v B2"]
    fighters = {row["what"]: row for row in section(found, "fighter")}
    assert [fighters[k]["melee"] for k in ("A1", "A2", "A3", "B1", "B2", "B3")] == [
        *(1, 2, None, 1, 2, None)
    ]
    assert fighters["A2"]["touches"] == "B2"
    assert any("in no melee" in note and "A3, B3" in note for note in found.notes)


def test_a_row_has_one_separation_less_than_a_ring():
    found = played(contacts=ROW)
    assert set(separations(found)) == {
        frozenset({"A1 v B1", "A2 v B2", "A3 v B3"}),
        frozenset({"A1+A2 v B1", "A3 v B2+B3"}),
    }  # H5: 6 in a row


def test_of_very_many_only_the_best_are_listed(monkeypatch):
    whole = played()
    for place in (module, melee_choice):
        monkeypatch.setattr(place, "MOST_LISTED", 14)
    few = played()
    ranked = section(whole, "separation")
    assert [r["value"] for r in section(few, "separation")] == [
        ranked[0]["value"],
        ranked[-1]["value"],
    ]
    assert section(few, "melee")[0]["number"] == 15
    assert any(note.startswith("15 separations: only the best") for note in few.notes)


def test_sampled_and_both():
    exact, both = played(), played(method="both", trials=20_000, seed=3)
    sampled = [row for row in both if row["method"] == "mc"]
    assert [r["value"] for r in both if r["method"] == "exact"] == [r["value"] for r in exact]
    assert [r["what"] for r in sampled] == [r["what"] for r in exact]
    gaps = [row["z_a"] for row in sampled if row["section"] == "combat"]
    assert 0 < max(map(abs, gaps)) < 4.5
    assert all(row["z_a"] is None for row in both if row not in sampled)
    alone = played(trials=20_000, seed=3)
    assert {r["value"] for r in section(alone, "combat")} == {
        r["value"] for r in sampled if r["section"] == "combat"
    }
    assert {r["seed"] for r in alone} == {3}


def test_sampled_where_exact_odds_cannot_be():
    contacts = [("A1", f"B{i}") for i in range(1, 6)]
    found = played([GUARD] * 2, [WARRIOR] * 5, contacts, FEW)
    assert {row["method"] for row in found} == {"mc"}
    assert any("sampled: 5 enemies" in note for note in found.notes)


def test_best_play_is_that_of_each_combat():
    options = replace(OPTIONS, policies=parse_policies(("optimal",)))
    found = played([GUARD, GUARD], [WARRIOR, WARRIOR], options=replace(options, sets=SETS[:2]))
    alone = combat(GUARD, WARRIOR, options=replace(options, sets=()), roster=ROSTER).rows[0]
    assert section(found, "combat")[0]["value"] == pytest.approx(alone["value"])
    # the test of Discipline is made as the policy sensible makes it
    assert section(found, "melee")[0]["p_separates_a"] == chance_to_win(4, 2)


# --- scores ---------------------------------------------------------------------------


def test_a_score_names_fighters_of_the_melee():
    found = played(options=replace(OPTIONS, score="B2.dead=1"))
    for row in section(found, "combat"):
        b = row["what"].partition(" v ")[2].split("+")
        if "B2" not in b:
            assert row["value"] == 0
        elif b == ["B2"]:
            assert row["value"] == pytest.approx(row["p_a"])
        assert row["score"] == "B2.dead=1"


def test_a_score_about_nobody_is_refused():
    text = refusal(played, options=replace(OPTIONS, score="B4.dead=1"))
    assert text == 'score "B4.dead=1": there is no fighter B4'
    assert "no state" in refusal(played, options=replace(OPTIONS, score="A.gone=1"))


@pytest.mark.parametrize("score", ["points", "wounds", "survival-a"])
def test_other_scores_add_up_too(score):
    found = played(options=replace(OPTIONS, score=score))
    for row in separations(found).values():
        assert row["value"] == pytest.approx(sum(c["value"] for c in combats(found, row)))


# --- who separates, and who speaks first (C-1.4, C-1.6, C-2.1) ------------------------

TIES = ("reroll", "coin", "higher_characteristic")


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(("own", "other"), [(4, 2), (3, 3), (0, 5)])
def test_the_chance_to_separate_is_that_of_the_reference(tie, own, other):
    # C-1.4: opposed Discipline
    options = Options(
        sets=(f"A.DIS={own}", "B1.DIS=0", f"B2.DIS={other}"), rules=(f"discipline_tie={tie}",)
    )
    (only,) = question([GUARD] * 2, [WARRIOR] * 2, options=options).melees
    low, high = tactics.chance_to_win(Book(opposed_tie=tie), (own, other), ("needed", "needed"))
    assert low - Fraction(1, 10**12) <= only.chance_a(only.whole) <= high + Fraction(1, 10**12)


def test_the_best_who_is_not_in_rout_makes_the_test():
    sets = ("A1.DIS=5", "A2.DIS=3", "B1.DIS=4", "B2.DIS=1")
    options = replace(OPTIONS, sets=sets)
    calm = played([GUARD] * 2, [WARRIOR] * 2, options=options)
    routed = played([GUARD] * 2, [WARRIOR] * 2, options=options, routed=("A1", "B1"))
    for found, own, other in ((calm, 5, 4), (routed, 3, 1)):
        (head,) = section(found, "melee")
        assert (head["dis_a"], head["dis_b"]) == (own, other)
        assert head["p_separates_a"] == chance_to_win(own, other)
        for row in section(found, "combat"):  # C-2.1: of the combat named
            expected = [
                max(
                    (int(s[-1]) for s in sets if s[:2] in row["what"]
                     and s[0] == side and (found is calm or s[1] != "1")),
                    default=-1,
                )
                for side in "AB"
            ]  # fmt: skip
            assert [row["dis_a"], row["dis_b"]] == expected
            assert row["p_first_word_a"] == chance_to_win(*expected)


@pytest.mark.parametrize("rule", ["loses", "coin"])
@pytest.mark.parametrize("routed", [("A",), ("B",), ("A", "B"), ("A1", "B2")])
def test_a_side_all_in_rout(rule, routed):
    # C-1.4, C-2.1 (assumed)
    options = replace(OPTIONS, sets=SETS[:2], rules=(f"nobody_able={rule}",))
    found = played([GUARD] * 2, [WARRIOR] * 2, options=options, routed=routed)
    (head,) = section(found, "melee")
    how = rules.who_wins_without_a_test("A" not in routed, "B" not in routed)
    if rule == "coin" and how != "test":
        how = "coin"
    expected = {"test": chance_to_win(4, 2), "A": 1, "B": 0, "coin": 0.5}[how]
    assert head["p_separates_a"] == expected


def test_the_routed_have_all_dice_in_defence():
    # C-3.6 by W-4.3, which an edition may change
    options = replace(OPTIONS, sets=())
    found = played([GUARD], [WARRIOR], options=options, routed=("B1",))
    told = replace(options, all_defence=("B",))
    other = played([GUARD], [WARRIOR], options=told)
    free = replace(options, rules=("routed_all_defence=false",))
    calm = played([GUARD], [WARRIOR], options=free, routed=("B1",))
    values = [section(x, "combat")[0]["value"] for x in (found, other, calm)]
    assert values[0] == values[1] != values[2]
    assert values[2] == combat(GUARD, WARRIOR, roster=ROSTER).rows[0]["value"]


@pytest.mark.parametrize(("a", "b"), [(1, 3), (2, 1), (1, 1)])
def test_with_a_lone_fighter_nobody_separates(a, b):
    # C-1.6
    found = played([GUARD] * a, [WARRIOR] * b, options=replace(OPTIONS, sets=()))
    (head,) = section(found, "melee")
    assert (head["number"], head["p_separates_a"]) == (1, None)
    (row,) = section(found, "separation")
    assert head["value"] == pytest.approx(row["value"])
    assert row["best"] == "A B"
    assert "melee.nobody_able" not in found.assumed
    assert "melee.nobody_able" in played().assumed
    assert {"C-1.4", "C-2.1"} <= set(played().readings)


def test_a_discipline_that_no_card_says():
    found = played([GUARD] * 2, [WARRIOR] * 2, options=replace(OPTIONS, sets=("B1.DIS=3",)))
    (head,) = section(found, "melee")
    assert (head["dis_a"], head["dis_b"], head["p_separates_a"]) == (None, 3, None)
    assert any("no DIS on the card" in note and "A1, A2, B2" in note for note in found.notes)
    lost = played([GUARD] * 2, [WARRIOR] * 2, options=replace(OPTIONS, sets=()), routed=("B",))
    assert section(lost, "melee")[0]["p_separates_a"] == 1  # whatever A's is


# --- charges (M-5) --------------------------------------------------------------------


@st.composite
def charges(draw):
    """Contacts of 3 against 3, powers and chargers."""
    keys = [f"{side}{i}" for side in "AB" for i in (1, 2, 3)]
    pairs = [(f, g) for i, f in enumerate(keys) for g in keys[:i]]
    contacts = draw(st.sets(st.sampled_from(pairs), min_size=1))
    powers = {key: draw(st.integers(1, 3)) for key in keys}
    return contacts, powers, draw(st.sets(st.sampled_from(keys)))


@given(charges())
@settings(deadline=None)
def test_who_suffers_a_charge_is_that_of_the_reference(case):
    # M-5.1, M-5.2
    contacts, powers, chargers = case
    side = {key: key[0] for key in powers}
    touching = {frozenset(pair) for pair in contacts}
    options = Options(
        sets=tuple(f"{key}.power={power}" for key, power in powers.items()),
        charge=tuple(sorted(chargers)),
    )
    if any(len({side[f] for f in pair}) == 2 and pair <= chargers for pair in touching):
        with pytest.raises(InputError, match=r"M-4\.1"):
            question([GUARD] * 3, [WARRIOR] * 3, contacts, options=options)
        return
    asked = question([GUARD] * 3, [WARRIOR] * 3, options=Options()).fighters
    told = [
        replace(
            c, charges=key_of(c) in chargers, profile=replace(c.profile, power=powers[key_of(c)])
        )
        for c in asked
    ]
    found = charged_of(told, touching_of(contacts, told), options)
    expected = rules.charged(side, touching, powers, chargers)
    assert {key_of(told[i]) for i in found} == expected


@pytest.mark.parametrize(
    ("a", "b", "who"), [(1, 3, ("A",)), (1, 3, ("B1", "B3")), (2, 1, ("A",)), (1, 1, ("B",))]
)
def test_a_charge_on_a_lone_fighter_is_that_of_a_combat(a, b, who):
    options = Options(charge=who, sets=("A.power=2",))
    alone = combat([GUARD] * a, [WARRIOR] * b, options=options, roster=ROSTER).rows[0]
    (row,) = section(played([GUARD] * a, [WARRIOR] * b, options=options), "combat")
    assert row["value"] == pytest.approx(alone["value"], abs=1e-13)


def test_a_charge_hurts_whatever_the_separation():
    # M-5.1: until the end of the turn; A1 charged B1, also where B1 meets A2 alone
    contacts = [("A1", "B1"), ("A2", "B1"), ("A1", "B2"), ("A2", "B2")]
    options = Options(charge=("A1",), sets=("A1.power=2",))
    found = played([GUARD] * 2, [WARRIOR] * 2, contacts, options=options)
    charged = combat(GUARD, WARRIOR, options=Options(charge=("A",)), roster=ROSTER).rows[0]["value"]
    assert [r["value"] for r in section(found, "combat")] == pytest.approx([charged] * 4)
    assert any("charged by those" in note and "B1, B2" in note for note in found.notes)
    weak = played([GUARD] * 2, [WARRIOR] * 2, contacts, options=Options(charge=("A1",)))
    assert any("no charge here is strong enough" in note for note in weak.notes)


# --- what cannot be asked -------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "fragments"),
    [
        ({"options": replace(OPTIONS, dice=("A1=1/1",))}, ("C-3.1", "--dice")),
        ({"options": replace(OPTIONS, turns=2)}, ("--turns 1", "C-1")),
        ({"contacts": [("A1", "A2")]}, ("no fighter touches an enemy", "C-1.1")),
        ({"contacts": [("A1", "A1")]}, ("contact 1", "cannot touch himself")),
        ({"contacts": [("A1", "B1"), ("A1", "B9")]}, ("contact 2", '"B9"', "no such fighter")),
        ({"contacts": {WARRIOR: ["A1"]}}, ("contact 1", "2 fighters", "B1, B2")),
        ({"contacts": [("A", "B1")]}, ('"A" is 3 fighters', "A1, A2, A3")),
        ({"contacts": "some"}, ('contacts "some"', ".toml or .csv")),
        ({"routed": ("B7",)}, ('--routed "B7"', "no such fighter")),
        (
            {"a": [GUARD] * 9, "b": [WARRIOR] * 8, "options": FEW},
            ("17 fighters", "at most 16", "A1"),
        ),
        (
            {"a": [GUARD] * 2, "b": [WARRIOR] * 9, "options": FEW},
            ("A1 touches 9 enemies", "at most 8"),
        ),
        ({"a": [GUARD] * 60, "b": [WARRIOR] * 5}, ("65 fighters", "64")),
    ],
)
def test_refusals(asked, fragments):
    text = refusal(played, **asked)
    assert [f for f in fragments if f not in text] == []


FILES = {
    "contacts.toml": f'A1 = ["B1", "b2"]\n"{GUARD}#2" = ["B2"]\n"{ARKEON}" = ["fauc", "B2"]\n'
    'A2 = ["A1"]\n',
    "contacts.csv": f"fighter,touches\nA1,B1\nA1,b2\n{GUARD}#2,B2\n{ARKEON},fauc\nB2,A3\nA3,A1\n",
    "semicolons.csv": f"Fighter;Touches\nA1;B1\nA1;B2\n{GUARD}#2;B2\n{ARKEON};B3\nA3;B2\n",
}


@pytest.mark.parametrize("name", FILES)
def test_files_of_contacts(name, tmp_path):
    path = tmp_path / name
    path.write_text(FILES[name], "utf-8-sig")
    pairs = [("A1", "B1"), ("A1", "B2"), ("A2", "B2"), ("A3", "B3"), ("A3", "B2")]
    told = question(contacts=path)
    plain = question(contacts=pairs)
    for number in range(6):
        touched = [[key_of(c) for c in q.touched(number)] for q in (told, plain)]
        assert touched[0] == touched[1]


WRONG = {
    "a.toml": ('A1 = ["B1"\n', "a.toml:", "TOML"),
    "b.toml": ('A1 = "B1"\n', 'b.toml: "A1" should be a list'),
    "c.toml": ("A1 = [1]\n", 'c.toml: "A1", item 1: should be a name', "1"),
    "d.toml": ('A1 = ["B1", "Nobody"]\n', 'd.toml: "A1", item 2', '"Nobody"', "no such fighter"),
    "e.toml": ("", "e.toml: says of nobody"),
    "f.csv": ("A1,B1\n", "f.csv:1: the headings should be fighter,touches"),
    "g.csv": ("fighter,touches\nA1,B1\nA1\n", "g.csv:3: should be two names"),
    "h.csv": ("fighter,touches\nA1,\n", "h.csv:2: should be two names"),
    "i.csv": ("fighter,touches\n\nA1,C1\n", 'i.csv:3: "C1"', "no such fighter"),
    "j.csv": ("", "j.csv:1: the headings"),
    "k.txt": ("A1 B1\n", 'k.txt" should be all, or a .toml or .csv file'),
    "l.toml": (None, "l.toml: cannot be read"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_of_contacts(name, tmp_path):
    text, *fragments = WRONG[name]
    if text is not None:
        (tmp_path / name).write_text(text)
    told = refusal(question, contacts=tmp_path / name)
    assert [f for f in fragments if f not in told] == []


# --- the command ----------------------------------------------------------------------

SHORT = ("melee", f"{GUARD}*2", ARKEON, "vs", f"{WARRIOR}*2", FALCONER)
WORDS = (*SHORT, *(word for text in SETS for word in ("--set", text)))


def test_the_command_is_the_function():
    rows = played().rows
    assert answered(*WORDS) == json.loads(json.dumps(rows))


def test_the_command_again_gives_the_same(tmp_path):
    path = tmp_path / "contacts.toml"
    path.write_text(FILES["contacts.toml"])
    more = ("--contacts", path, "--routed", "B2", "--charge", "A3", "--wounds", "B1=light")
    for extra in ((), ("--trials", 500, "--seed", 4), ("--method", "both", "--seed", 4)):
        rows = answered(*WORDS, *more, *extra, *(["--trials", 300] if "both" in extra else []))
        (command,) = {row["command"] for row in rows}
        assert answered(*shlex.split(command)[1:]) == rows
    assert len(rows) == 2 * (6 + 1 + sum(1 + len(s) for s in separations(rows[: len(rows) // 2])))


def test_without_a_file_of_contacts_no_command_is_told():
    found = played(contacts=ROW)
    assert found.command == ""
    assert {row["command"] for row in found} == {""}


@pytest.mark.parametrize("form", ["csv", "json", "parquet", "txt"])
def test_files(form, tmp_path):
    path = tmp_path / f"melee.{form}"
    done = estoc(*WORDS, "-o", path)
    rows = played().rows
    assert (done.code, done.data) == (0, b"")
    assert done.err == f"estoc: wrote {path}, {len(rows)} rows\n"
    if form == "parquet":
        assert pq.read_table(path).to_pylist() == rows
    elif form == "csv":
        read = list(csv.DictReader(StringIO(path.read_text("utf-8"))))
        assert [r["what"] for r in read] == [r["what"] for r in rows]
    elif form == "txt":
        assert "15 separations" in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "fragments"),
    [
        (("melee", GUARD, WARRIOR), ("melee: write the fighters as A… vs B…",)),
        ((*SHORT, "--turns", 2), ("--turns 1 only",)),
        ((*SHORT, "--contacts", "none.toml"), ("none.toml: cannot be read",)),
        ((*SHORT, "--set", f"{ARKEON}.ATT=5"), (ARKEON, "RES", "--set")),
        ((*WORDS, "--method", "exact", "--trials", 5), ("method exact has no trials",)),
    ],
)
def test_wrong_commands(words, fragments):
    done = estoc(*words)
    assert (done.code, done.data) == (2, b"")
    (line,) = done.err.splitlines()
    assert [f for f in fragments if f not in line] == []


def shown(result, width=80):
    """What a terminal shows, of whatever version of the program."""
    rows = [{**row, "version": "VERSION"} for row in result]
    return plain_text(replace(result, rows=rows), width)


def test_golden_table():
    asked = question([GUARD] * 2, [WARRIOR] * 2 + [FALCONER], options=FEW)
    how = module.chosen_method(asked.questions, Run(), 1)
    text = shown(module.answer(asked, how))
    assert text == GOLDEN.read_text("utf-8")
    assert max(map(len, text.splitlines())) <= 80


def test_tables_fit_and_tell_the_melee():
    text = shown(played(contacts=ROW, routed=("A2",), trials=1000, seed=1))
    for fragment in (
        *("in rout", "2 separations", "separated by A", "1,000 trials of each combat", "points"),
        *("best for A", "best for B", "expected", "A1+A2 v B1", "A3 v B2+B3"),
    ):
        assert fragment in text
    assert max(map(len, text.splitlines())) <= 80
    assert "again:" not in text
    both = shown(played(contacts=ROW, method="both", trials=1000, seed=1))
    assert "standard errors from the exact odds" in both
    alone = shown(played([GUARD], [WARRIOR], options=replace(OPTIONS, sets=())))
    assert "nobody chooses" in alone
    nobody = shown(played([GUARD] * 2, [WARRIOR] * 2, options=replace(OPTIONS, sets=())))
    assert "not known without DIS" in nobody
    fled = shown(played([GUARD] * 2, [WARRIOR] * 2, routed=("B",), options=FEW))
    assert "separated by A 100 % (DIS 4) or B 0 % (nobody able)" in " ".join(fled.split())


def test_a_table_shows_the_first_and_the_last_of_many_kinds():
    # all different: 184 separations of 4 against 4, all in files
    wounds = ("A2=light", "A3=serious", "A4=critical", "B2=light", "B3=serious", "B4=critical")
    options = Options(wounds=wounds)
    found = played([GUARD] * 4, [WARRIOR] * 4, options=options, trials=2000, seed=1)
    assert len(section(found, "separation")) == 184
    lines = shown(found).splitlines()
    ranks = [int(line.split()[0]) for line in lines if re.match(r"\d+ +A\d", line)]
    assert ranks == [*range(1, 11), *range(175, 185)]
    assert any("164 more kinds" in line for line in lines)


def test_melees_can_be_weighed_by_a_table_of_values():
    """The value of a choice is that of brute force over all separations."""
    (only,) = question().melees
    luck = np.random.default_rng(7)
    values = {c: float(luck.normal()) for c in only.combats()}
    kinds = dict.fromkeys(values, 0)
    found = melee_choice.choice(only, values, kinds)
    sums = {s: sum(values[c] for c in s) for s in only.separations()}
    assert len(sums) == 15
    assert found.best["A"] == pytest.approx(max(sums.values()))
    assert found.best["B"] == pytest.approx(min(sums.values()))
    assert [s for s in found.values if "A" in found.best_for(s)] == [max(sums, key=sums.get)]
