"""Situations in French words, one unit described by options, and the file to begin with."""

import pytest
from running import estoc

from estoc.kernels.layout.sheet import Cohesion, Fact, Kind, Mark, Order
from estoc.profiles import InputError
from estoc.profiles.sheet.situation import load_situation
from estoc.profiles.sheet.unit import described_unit
from estoc.sim.sheet.check import check
from estoc.sim.sheet.listing import new_situation
from estoc.sim.sheet.question import ask_unit
from estoc.sim.text.speech import spoken

FRENCH = """
nom = "petite"
engagements = [["Loups", "Piques"]]
[[ailes]]
nom = "gauche"
camp = "Lion"
ordre = "Défense"
[[ailes]]
nom = "horde"
camp = "Corbeau"
consigne = "attaque"
[[pieces]]
nom = "Piques"
genre = "Formation"
camp = "Lion"
aile = "gauche"
cohesion = "ébranlée"
souffle = "A Bout De Souffle"
moral = "élite"
marqueurs = ["ordre particulier", "munitions épuisées"]
facultes = ["esquive", "en vol"]
ne_peut_pas = ["Repli", "changer de mode"]
peut_faire_face = false
[[pieces]]
nom = "Loups"
genre = "simple"
camp = "Corbeau"
aile = "horde"
tireur = true
"""
ENGLISH = """
name = "petite"
engages = [["Loups", "Piques"]]
[[wings]]
name = "gauche"
side = "Lion"
order = "defence"
[[wings]]
name = "horde"
side = "Corbeau"
order = "attack"
[[pieces]]
name = "Piques"
kind = "formation"
side = "Lion"
wing = "gauche"
cohesion = "shaken"
breath = "exhausted"
morale = "elite"
marks = ["special", "ammo_out"]
faculties = ["dodge", "flying"]
cannot = ["withdraw", "form_mode"]
can_face = false
[[pieces]]
name = "Loups"
kind = "simple"
side = "Corbeau"
wing = "horde"
shooter = true
"""


def test_a_file_in_french_says_the_same(tmp_path):
    paths = [tmp_path / "fr.toml", tmp_path / "en.toml"]
    for path, text in zip(paths, (FRENCH, ENGLISH), strict=True):
        path.write_text(text, encoding="utf-8")
    french, english = (load_situation(path) for path in paths)
    assert (french.pieces, french.wings) == (english.pieces, english.wings)
    assert french.engages == english.engages == (("Loups", "Piques"),)


def test_a_key_in_both_languages_is_refused(tmp_path):
    path = tmp_path / "twice.toml"
    path.write_text(FRENCH.replace('ordre = "Défense"', 'ordre = "Défense"\norder = "attack"'))
    with pytest.raises(InputError, match="order: is order once more; leave out one of them"):
        load_situation(path)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_file_to_begin_with_can_be_asked_at_once(lang, tmp_path):
    path = tmp_path / "mine.toml"
    with spoken(lang):
        new_situation(path)
    names = {"en": ("Spears", "Archers"), "fr": ("Piques", "Archers")}[lang]
    for name in names:
        result = check(path, name)
        assert [row for row in result if row["what"] == "action"]
    with pytest.raises(InputError, match="is there already"):
        new_situation(path)
    with pytest.raises(InputError, match=r"is a \.toml file"):
        new_situation(tmp_path / "mine.txt")
    done = estoc("sheet", "new", tmp_path / "other.toml")
    assert (done.code, done.out) == (0, "")
    assert load_situation(tmp_path / "other.toml").pieces


# --- one unit in words ------------------------------------------------------------------------


def test_words_in_both_languages_make_the_same_unit():
    one = described_unit(["formation, defence, shaken, dodge, special"], "fresh", "fresh")
    two = described_unit(
        ["Formation, Défense", "ébranlée, esquive, Ordre Particulier"], "frais", "frais"
    )
    assert one == two
    piece = one.pieces[0]
    assert (piece.kind, piece.cohesion) == (Kind.FORMATION, Cohesion.SHAKEN)


def test_who_engages_whom():
    found = described_unit(["attack"], "mixed", "stale")
    assert found.engages == (("Fresh", "unit"), ("Stale", "unit"), ("unit", "Stale"))
    assert found.wings[0].order == Order.ATTACK
    marks = {piece.name: piece.mark for piece in found.pieces}
    assert (marks["Fresh"], marks["Stale"]) == (Mark.CONTACT, 0)
    behind = described_unit(["attack, not faces"], "stale", "stale")
    assert behind.engages == (("Stale", "unit"), ("unit", "Stale-2"))


def test_facts_and_commands():
    found = described_unit(["character, leader, caster, not far, stacked"])
    assert found.wings[0].leader == "unit"
    assert found.pieces[0].caster is True
    assert found.pieces[0].given == {Fact.FAR: False, Fact.STACKED: True}


@pytest.mark.parametrize(
    ("words", "by", "fault"),
    [
        (["simple"], "", "--is: a Troop follows an order: say which: attack, defence"),
        (["attack, defence"], "", '--is: "defence" contradicts "attack"'),
        (["attack, dodje"], "", '--is: "dodje" is unknown; nearest: dodge'),
        (["attack"], "fresch", '--engaged-by: "fresch" is unknown; nearest: fresh'),
    ],
)
def test_words_that_are_refused(words, by, fault):
    with pytest.raises(InputError) as refused:
        described_unit(words, by)
    assert fault in str(refused.value)


def test_a_unit_by_options_is_asked_again_by_them():
    words = ("sheet", "check", "--is", "attaque, tireur, peut tirer")
    done = estoc(*words)
    assert (done.code, done.err) == (0, "")
    assert "A14 closes, by A12 A14a; it takes one of:" in done.out
    assert 'estoc sheet check --is "attaque, tireur, peut tirer"' in done.out
    assert ask_unit(["attack, shooter, can_fire"]).inputs == ask_unit(words[3:]).inputs
    both = estoc("sheet", "check", "skirmish", "--is", "attack")
    assert both.code == 2
    assert "leave out one of them" in both.err
    neither = estoc("sheet", "check")
    assert neither.code == 2
    assert "name a SITUATION" in neither.err
    who = estoc("sheet", "check", "skirmish")
    assert who.code == 2
    assert "--unit: say which: Marshal" in who.err
