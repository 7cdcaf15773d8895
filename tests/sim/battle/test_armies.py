"""Armies looked at from the command line: listed, checked, refused."""

import csv
import io

import pytest
from running import DATA, answered, estoc, process

from estoc.profiles import Roster, load_edition
from estoc.profiles.armies.army import Army, Card, load_army
from estoc.profiles.fighters.card import Profile
from estoc.profiles.files.toml import shipped_names
from estoc.sim.battle.armies import doubts

EDITION = load_edition("conffede")
LISTS = [name for name in shipped_names("army") if load_army(name).points]
STATS = dict.fromkeys(("MOU", "INI", "ATT", "FOR", "DEF", "RES", "COU", "DIS"), 3)
HEAD = 'name = "Mine"\n'


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "mine.toml") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def card(name: str, fighters: int = 1) -> str:
    return f'[[cards]]\nname = "{name}"\nfighters = {fighters}\n'


def doubted(**cells: object) -> list[str]:
    """What is doubtful of a fighter of whom all else is known."""
    sure = {"size": "moyenne", "power": 1, "confidence": "high", "PA": 9}
    fighters = cells.pop("fighters", 1)
    profile = Profile("Garde", "Lions", **STATS | sure | cells)
    own = Card("Garde", fighters, profile, 9, people="Lions")
    return [text for _, text in doubts(Army("x", (own,), "Lions", points=300), EDITION)]


# --- the list --------------------------------------------------------------------------


def test_the_list_has_all_that_come_with_the_program():
    rows = {row["army"]: row for row in answered("army", "list")}
    assert list(rows) == list(shipped_names("army"))
    horde = rows["devoreurs-horde"]
    assert (horde["cost"], horde["points"], horde["fighters"]) == (296, 300, 18)
    assert horde["kind"] == "many cheap fighters"
    assert (rows["griffon"]["cost"], rows["griffon"]["points"]) == (None, None)


def test_the_list_fits_a_terminal():
    done = process("army", "list", COLUMNS="80", PYTHONIOENCODING="utf-8")
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in shipped_names("army"):
        assert any(line.startswith(f"{name} ") for line in lines)


# --- what a check says -------------------------------------------------------------------


@pytest.mark.parametrize("name", LISTS)
def test_shipped_lists_are_fit_for_a_battle(name):
    army = load_army(name)
    rows = answered("army", "check", name, "--field", "village")
    (whole,) = [row for row in rows if row["section"] == "army"]
    cards = [row for row in rows if row["section"] == "card"]
    lines = [row for row in rows if row["section"] == "line"]
    assert whole["cost"] == sum(row["cost"] for row in cards) == army.cost
    assert all(row["cost"] == row["PA"] * row["fighters"] for row in cards)
    assert whole["fighters"] == sum(row["fighters"] for row in lines) == army.fighters
    assert [row["name"] for row in cards] == [card.name for card in army.cards]
    assert all(row["army"] == name for row in rows)


def test_lines_are_told_from_left_to_right():
    rows = answered("army", "check", "devoreurs-mixed")
    told = [(row["line"], row["text"]) for row in rows if row["section"] == "line"]
    assert told == [
        (1, "1 Carnivoro (1); 4 Guerriero del Sangue; 2 Razziatore di Vile-Tis (1)"),
        (
            2,
            "1 Evisceratore; 1 Arciere del Sangue; 1 Ashkasa, Guerriero del Sangue; "
            "1 Arciere del Sangue; 1 Il Korgan",
        ),
    ]


def test_assumed_weapons_and_figures_of_low_confidence_are_told():
    rows = answered("army", "check", "daikinee-riders")
    told = [(row["name"], row["text"]) for row in rows if row["section"] == "doubt"]
    assert ("Guerriero Mandigorn", "confidence low: MOU 15 on foot / 20 flying") in told
    rider = [text for name, text in told if name == "Cavaliere su Cervo Volante"]
    assert rider[0] == "its weapon is taken to be a bow (typical figures, assumed)"
    assert rider[1].startswith("confidence low")


@pytest.mark.parametrize("name", LISTS)
def test_a_check_fits_a_terminal(name):
    done = process("army", "check", name, COLUMNS="80", PYTHONIOENCODING="utf-8")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert f"{load_army(name).cost} PA of 300" in done.out


def test_several_armies_are_checked_in_one_answer():
    done = estoc("army", "check", *LISTS[:2], "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["army"] for row in rows if row["section"] == "army"] == LISTS[:2]


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({}, []),
        ({"TIR": 3, "weapon_FOR": 5, "ranges": "10/20/30"}, []),
        ({"TIR": 3, "weapon": "bow"}, ["its weapon is taken to be a bow"]),
        ({"TIR": 3}, ["TIR, and no weapon that is known: it does not shoot"]),
        ({"caster": "magician"}, ["a magician whose mystic actions are not known"]),
        ({"size": ""}, ["size not known: assumed"]),
        ({"size": "", "power": None}, ["size and power not known: assumed"]),
        ({"confidence": ""}, ["confidence not said"]),
        ({"confidence": "medium", "note": "by ear"}, ["confidence medium: by ear"]),
        ({"role": "personnage élite", "fighters": 2}, ["a personage, unique, and there are 2"]),
        ({"role": "personnage élite"}, []),
        ({"role": "troupe élite", "fighters": 2}, []),
    ],
)
def test_what_is_doubtful_of_a_fighter(cells, told):
    found = doubted(**cells)
    assert len(found) == len(told)
    assert all(text.startswith(start) for text, start in zip(found, told, strict=True))


def test_what_is_doubtful_of_a_whole_army(file):
    text = HEAD + 'people = "Elfes Daïkinee"\n' + card("Fuco Daikinee") + card("Evisceratore")
    rows = answered("army", "check", file(text))
    told = [row["text"] for row in rows if row["section"] == "doubt" and row["name"] == "Mine"]
    assert told == [
        "several peoples: Elfes Daïkinee, Dévoreurs de Vile-Tis",
        "its file has no points: nothing limits what it costs",
    ]


def test_fighters_of_one_s_own_are_found(file):
    own = "name,MOU,INI,ATT,FOR,DEF,RES,COU,DIS,PA\nMon brave,10,3,3,3,3,3,3,3,20\n"
    path = file(HEAD + "points = 60\n" + card("Mon brave", 3))
    rows = answered("army", "check", path, "--fighters", file(own, "own.csv"))
    assert [row["cost"] for row in rows if row["section"] == "army"] == [60]


# --- refusals ------------------------------------------------------------------------------

REFUSED = {
    "points": (
        "points = 100\n" + card("Fuco Daikinee", 7),
        "Mine costs 112 PA, 12 more than its points = 100",
    ),
    "nobody": (
        card("Fuco Daikine", 2),
        '"Fuco Daikine" is no fighter that is known; nearest: Fuco Daikinee; a battle needs',
    ),
    "origins": (
        card("Fuco Daikinee") + card("Ashkasa, Guerrier de Sang"),
        "fighters of several origins, C5, C3",
    ),
    "cells": (card("Garde prétorien"), "not known, and a battle needs it"),
    "key": (card("Fuco Daikinee") + "lines = 2", 'unknown key "lines"; nearest: line'),
    "wide": (card("Fuco Daikinee", 30), "line 1 is 118.5 cm wide, and 80.0 cm are free"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_an_army_that_cannot_be_in_a_battle_is_refused_in_one_line(file, fault):
    text, message = REFUSED[fault]
    path = file(HEAD + text)
    done = estoc("army", "check", path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"estoc: {path}: ")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_wrong_army_does_not_hide_a_right_one(file):
    wrong = file(HEAD + "points = 10\n" + card("Fuco Daikinee"))
    done = estoc("army", "check", wrong, "daikinee-foot", "griffon", "--format", "csv")
    assert done.code == 2
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert {row["army"] for row in rows} == {"daikinee-foot"}
    assert done.err.count("\n") == 2
    assert '"Conscrit" is no fighter that is known' in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("devoreur-horde",), "nearest: devoreurs-horde"),
        (("daikinee-foot", "--field", "vilage"), "nearest: village"),
        (("daikinee-foot", "--edition", "c9"), "c9"),
    ],
)
def test_names_that_are_nobody_s(words, message):
    done = estoc("army", "check", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_the_files_of_the_lists_say_where_their_figures_come_from():
    roster = Roster.load()
    for name in LISTS:
        text = (DATA / "armies" / f"army-{name}.toml").read_text(encoding="utf-8")
        said = "\n".join(line for line in text.splitlines() if line.startswith("#"))
        army = load_army(name, roster)
        files = {card.profile.file.rpartition("/")[2] for card in army.cards}
        assert all(file in said for file in files)
        typical = any(card.profile.weapon for card in army.cards)
        assert ("assumed" in said) == typical
