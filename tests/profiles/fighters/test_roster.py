import contextlib
import csv
import errno
import io
import itertools
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import profiles, rosters, texts

from estoc.profiles import InputError, Profile, Roster, load_edition, read_fighters, write_fighters
from estoc.profiles.armies.weapons import can_shoot, weapon_of
from estoc.profiles.fighters.card import CHARACTERISTICS, COLUMNS, caster_of_role
from estoc.profiles.fighters.roster import checked, user_folder
from estoc.profiles.letters import fold, likeness, meant, spelled


@pytest.fixture(autouse=True)
def _no_user_folder(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))


@pytest.fixture(scope="module")
def shipped():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", "/nowhere")
        return Roster.load()


@pytest.fixture
def fighter_file(tmp_path):
    def write(content):
        path = tmp_path / "mine.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# The shipped cards


def test_shipped_counts(shipped):
    five = [p for p in shipped if all(getattr(p, c) is not None for c in CHARACTERISTICS)]
    priced = [p for p in five if p.PA is not None]
    whole = [
        p
        for p in priced
        if None not in (p.MOU, p.DIS) and (p.COU is not None or p.PEUR is not None)
    ]
    assert (len(shipped), len(five), len(priced), len(whole)) == (139, 137, 81, 63)
    assert len(set(shipped.peoples()) - {"(toutes)"}) == 17
    assert shipped.remarks == ()


def test_shipped_casters_follow_from_the_role(shipped):
    assert all(p.caster == caster_of_role(p.role) for p in shipped)
    assert sum(p.caster == "magician" for p in shipped) == 20
    assert sum(p.caster == "faithful" for p in shipped) == 15


def test_shipped_cells(shipped):
    guard = shipped.find("Garde prétorien")
    assert (guard.INI, guard.ATT, guard.FOR, guard.DEF, guard.RES, guard.PA) == (3, 5, 8, 5, 11, 49)
    assert guard.where.endswith("fighters-conffede.csv:2")
    stone = shipped.find("guerrier de pierre")
    assert stone.MOU == 12.5
    assert stone.abilities == ("Bravoure", "Brute épaisse", "Endurance", "Furie guerrière")


def test_importing_profiles_is_light():
    code = "import sys, estoc.profiles; print({'pandas', 'numba'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


# One profile


def test_need_names_fighter_cell_and_place(fighter_file):
    path = fighter_file("nom,ATT\nKael,3\n")
    (kael,) = read_fighters(path)
    assert kael.need("ATT") == 3
    with pytest.raises(InputError) as caught:
        kael.need("DEF")
    assert str(caught.value) == (
        f'{path}:2: fighter "Kael": the cell DEF is empty and is needed here; '
        'give one with --set "Kael".DEF=…'
    )
    with pytest.raises(InputError, match=r'^fighter "Kael": the cell DEF'):
        Profile("Kael").need("DEF")


def test_with_values():
    kael = Profile("Kael", ATT=3)
    assert kael.with_values({"ATT": 5, "défense": "4", "MOU": "12,5"}) == Profile(
        "Kael", ATT=5, DEF=4, MOU=12.5
    )
    assert kael.with_values({"ATT": None}).ATT is None
    assert kael.ATT == 3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"ATTT": 5}, 'fighter "Kael": unknown heading "ATTT"; nearest: ATT'),
        ({"ATT": "abc"}, "\"Kael\".ATT: 'abc' is not right: expected a whole number from 0 to 40"),
        ({"ATT": 3.7}, '"Kael".ATT: 3.7 is not right'),
        ({"ATT": True}, '"Kael".ATT: True is not right'),
        ({"MOU": float("nan")}, '"Kael".MOU: nan is not right'),
        ({"name": ""}, "\"Kael\".name: '' is not right: expected a name"),
    ],
)
def test_with_values_refuses(values, message):
    with pytest.raises(InputError) as caught:
        Profile("Kael").with_values(values)
    assert str(caught.value).startswith(message)


def test_the_key_is_folded_once_and_changes_nothing_else():
    élan, other = Profile("Élan", origin="C3"), Profile("Élan", origin="C3")
    assert élan.key == ("élan", "c3")
    assert élan.key is élan.key
    assert (élan == other, hash(élan) == hash(other)) == (True, True)
    assert pickle.loads(pickle.dumps(élan)) == other
    assert pickle.loads(pickle.dumps(élan)).key == élan.key
    assert replace(élan, name="Or").key == élan.with_values({"name": "or"}).key == ("or", "c3")
    with pytest.raises(FrozenInstanceError):
        élan.name = "Or"


def test_where_it_was_read_is_not_part_of_equality():
    assert Profile("Kael", file="a.csv", line=3) == Profile("Kael")
    assert hash(Profile("Kael", file="a.csv", line=3)) == hash(Profile("Kael"))


@pytest.mark.parametrize(
    ("caster", "role", "abilities", "pure"),
    [
        ("", "troupe", (), False),
        ("magician", "initié", (), True),
        ("magician", "initié", ("Guerrier-mage",), False),
        ("magician", "initié guerrier-mage", (), False),
        ("magician", "initié", ("Moine-guerrier",), True),
        ("faithful", "dévot", (), True),
        ("faithful", "dévot", ("MOINE-GUERRIER",), False),
        ("faithful", "dévot", ("Guerrier-mage",), True),
    ],
)
def test_pure_caster(caster, role, abilities, pure):
    assert Profile("x", role=role, caster=caster, abilities=abilities).pure_caster is pure


# Files that are right, in every form a spreadsheet gives them

CARDS = [
    Profile("Animæ “sylvestre”", people="Wolfens d’Yllia", role="troupe", MOU=12.5, ATT=2, PA=16,
            size="très grande", abilities=("Être du Destin/3", "Vol"), note="a, b; c"),
    Profile("Crâne, l'Œil", role="initié", caster="magician", MOU=10.0, RES=11, base="25x50",
            TIR=3, weapon="crossbow", weapon_FOR=7, ranges="20/35.5/45"),
]  # fmt: skip
FRENCH = {
    "name": "Nom", "people": "PEUPLE", "role": "Rôle", "caster": "lanceur", "MOU": "Mouvement",
    "INI": "initiative", "ATT": "Attaque", "FOR": "FORCE", "DEF": "Défense", "RES": "resistance",
    "TIR": "tir", "COU": "Courage", "PEUR": "peur", "DIS": "discipline",
    "PA": "Valeur  stratégique", "size": "Taille", "power": "Puissance", "base": "socle",
    "weapon": "Arme de tir", "weapon_FOR": "FOR de l’arme", "ranges": "Portées",
    "abilities": "Compétences", "origin": "ÉDITION", "confidence": "confiance",
    "source": "Source", "note": "remarque",
}  # fmt: skip


@pytest.mark.parametrize(
    ("encoding", "delimiter", "line_end", "quoting", "french"),
    list(
        itertools.product(
            ("utf-8", "utf-8-sig", "cp1252"),
            (",", ";", "\t"),
            ("\n", "\r\n", "\r"),
            (csv.QUOTE_MINIMAL, csv.QUOTE_ALL),
            (False, True),
        )
    ),
)
def test_every_form_of_a_file_gives_the_same_profiles(
    fighter_file, encoding, delimiter, line_end, quoting, french
):
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=line_end, quoting=quoting)
    writer.writerow(FRENCH.values() if french else COLUMNS)
    for card in CARDS:
        row = {name: column.kind.write(getattr(card, name)) for name, column in COLUMNS.items()}
        row |= {"MOU": row["MOU"].replace(".", ","), "note": f"{card.note} "}
        writer.writerow(row.values())
    cards = read_fighters(fighter_file(buffer.getvalue().encode(encoding)))
    assert cards == CARDS
    assert not any(card.name[0] in '"\ufeff' for card in cards)


def test_line_numbers_count_lines_of_cells_and_blank_lines(fighter_file):
    text = 'name,note\r\nA,"one\r\ntwo\r\nthree"\r\n\r\n,\r\nB,x\r\n'
    a, b = read_fighters(fighter_file(text))
    assert (a.line, a.note, b.line) == (2, "one two three", 7)


def test_abilities_of_a_quoted_cell(fighter_file):
    path = fighter_file('nom;compétences\nA;"Vol;Bond | Assassin"\nB;\n')
    assert [card.abilities for card in read_fighters(path)] == [("Vol", "Bond", "Assassin"), ()]


def test_the_role_decides_who_casts_only_without_a_column(fighter_file):
    (card,) = read_fighters(fighter_file("nom,rôle\nA,personnage Zélote élite\n"))
    assert card.caster == "faithful"
    (card,) = read_fighters(fighter_file("nom,rôle,caster\nA,zélote,\n"))
    assert card.caster == ""


def test_weapons_in_both_languages(fighter_file):
    """W-6: and ranges in the forms that cards print."""
    text = "nom;arme;portée\nA;Arbalète;10 / 15 / 20\nB;BALISTE;10-15-20\nC;bow;-/5/10,5\nD;;\n"
    cards = read_fighters(fighter_file(text))
    assert [card.weapon for card in cards] == ["crossbow", "ballista", "bow", ""]
    assert [card.ranges for card in cards] == ["10/15/20", "10/15/20", "-/5/10.5", ""]


def test_what_a_fighter_shoots_with():
    """W-6: the card's own figures before the edition's, which are named where assumed."""
    edition = load_edition("conffede")
    bow = weapon_of(Profile("A", TIR=3, weapon="bow"), edition)
    assert bow == (4, (25.0, 45.0, 65.0), ("weapon.bow.strength", "weapon.bow.ranges"), "bow")
    yours = edition.with_rule("weapon.bow.strength=5")
    assert weapon_of(Profile("A", TIR=3, weapon="bow"), yours)[::2] == (5, ("weapon.bow.ranges",))
    half = weapon_of(Profile("A", TIR=3, weapon="bow", weapon_FOR=3), edition)
    assert half[::2] == (3, ("weapon.bow.ranges",))
    own = weapon_of(Profile("A", TIR=3, weapon_FOR=1, ranges="-/5/10"), edition)
    assert own == (1, (0.0, 5.0, 10.0), (), "")
    whole = weapon_of(Profile("A", TIR=3, weapon="bow", weapon_FOR=3, ranges="20/40/60"), edition)
    assert whole == (3, (20.0, 40.0, 60.0), (), "")


@pytest.mark.parametrize(
    ("cells", "cell"),
    [
        ({}, "TIR"),
        ({"weapon": "bow"}, "TIR"),
        ({"TIR": 3}, "weapon"),
        ({"TIR": 3, "ranges": "10/15/20"}, "weapon_FOR"),
        ({"TIR": 3, "weapon_FOR": 3}, "ranges"),
    ],
)
def test_who_does_not_shoot(cells, cell):
    """A-5.5: no TIR or no ranged weapon; the message names fighter and cell."""
    card = Profile("Kael", **cells)
    assert not can_shoot(card)
    with pytest.raises(InputError, match=f'^fighter "Kael": the cell {cell} is empty'):
        weapon_of(card, load_edition("conffede"))


def test_every_shipped_shooter_has_a_weapon(shipped):
    """W-6: its card's own, or a typical one, and then its note says so."""
    edition = load_edition("conffede")
    shooters = [card for card in shipped if card.TIR is not None]
    assert len(shooters) == 20
    assert shooters == [card for card in shipped if can_shoot(card)]
    for card in shooters:
        weapon = weapon_of(card, edition)
        assert ("weapon assumed: a " in card.note) == bool(weapon.typical)
        if weapon.typical:
            assert f"weapon assumed: a {card.weapon}, " in card.note
    assert {card.name for card in shooters if not weapon_of(card, edition).assumed} == {
        "Barde d'Alahan (1)",
        "Rôdeur wolfen",
        "Dragon Cynwäll",
        "Fauconnier d'Alahan",
        "Magistrat du Griffon",
        "Saphon le Prêcheur",
        "Sÿlann, Champion Khidarÿm",
        "Alahel le Messager",
        "Magistrat du Griffon monté",
        "Pygmées Gniards",
    }
    assert weapon_of(shipped.find("saphon"), edition)[:2] == (6, (25.0, 50.0, 75.0))
    assert weapon_of(shipped.find("arciere daikinee"), edition)[:2] == (4, (25.0, 45.0, 65.0))


def test_english_sizes(fighter_file):
    cards = read_fighters(fighter_file("name,size\nA,Large\nB,TRES GRANDE\nC,\n"))
    assert [card.size for card in cards] == ["grande", "très grande", ""]


@given(rosters)
def test_round_trip(tmp_path_factory, cards):
    path = tmp_path_factory.mktemp("round") / "cards.csv"
    write_fighters(path, cards)
    assert read_fighters(path) == cards


# Files that are refused

BAD_FILES = {
    "unknown heading": (
        "name,Ataque\nA,3\n",
        '{}:1, column 2: unknown heading "Ataque"; nearest: attaque',
    ),
    "empty heading": ("name,\nA,\n", '{}:1, column 2: unknown heading ""; known: name, people'),
    "long heading": ('name,"AT\nTT"\nA,3\n', '{}:1, column 2: unknown heading "AT TT"'),
    "no name": ("ATT,DEF\n3,3\n", "{}:1: no column is headed name (or nom)"),
    "same heading twice": (
        "name,ATT,Attaque\nA,3,3\n",
        '{}:1, column 3: "Attaque" means ATT, as column 2 ("ATT") does; keep one',
    ),
    "too many cells": (
        "name,MOU\nA,12\nB,12,5\n",
        "{}:3, column 3: the row has 3 cells and the headings are 2; quote a cell",
    ),
    "too few cells": ("name,ATT,DEF\nA,3\n", "{}:2, column 3: the row has 2 cells"),
    "empty name": ("ATT;nom\n3; \n", "{}:2, column 2 \"nom\": ' ' is not right: expected a name"),
    "quote in front": ('name\n"""A"\n', '{}:2, column 1 "name": \'"A\' is not right'),
    "mark in front": ("\ufeffname\n\ufeffA\n", '{}:2, column 1 "name": '),
    "at sign": ("name\nA@C3\n", '{}:2, column 1 "name": '),
    "same fighter twice": (
        "name,origin\nÉlan,C3\nÉlan,c4\nÉLAN,c3\n",
        '{}:4, column 1 "name": ÉLAN@c3 is already on line 2; two fighters of one file need',
    ),
    "same fighter twice, its name further on": (
        "peuple;rang;nom\nX;1;Élan\nX;1;ÉLAN\n",
        '{}:3, column 3 "nom": ÉLAN is already on line 2',
    ),
    "a cell without end": (
        "name,note\nA,3\nB," + "x" * 131_073 + "\n",
        "{}:3: a cell has more than 131,072 characters; is a quoted cell not closed?",
    ),
    "too many rows": (
        "name\n" + "A\n" * 10_001,
        "{}:10002: more than 10,000 rows; cut the file up",
    ),
    "letters": (
        "name,ATT\nA,abc\n",
        "{}:2, column 2 \"ATT\": 'abc' is not right: expected a whole number from 0 to 40, or",
    ),
    "negative": ("name;attaque\nA;-1\n", "{}:2, column 2 \"attaque\": '-1' is not right"),
    "not whole": ("name;ATT\nA;3,7\n", "{}:2, column 2 \"ATT\": '3,7' is not right"),
    "absurd": ("name;ATT\nA;41\n", "{}:2, column 2 \"ATT\": '41' is not right"),
    "very long": ("name;ATT\nA;" + "9" * 5000, '{}:2, column 2 "ATT": '),
    "other digits": ("name;ATT\nA;٣\n", '{}:2, column 2 "ATT": '),
    "underscore": ("name;PA\nA;1_0\n", '{}:2, column 2 "PA": '),
    "size": ("name;size\nA;huge\n", "{}:2, column 2 \"size\": 'huge' is not right: expected one"),
    "base": ("name;base\nA;25y25\n", '{}:2, column 2 "base": '),
    "weapon": (
        "nom;arme\nA;épée\n",
        "{}:2, column 2 \"arme\": 'épée' is not right: expected one of pistol, crossbow, bow,",
    ),
    "weapon FOR": ("name;weapon FOR\nA;x\n", "{}:2, column 2 \"weapon FOR\": 'x' is not right"),
    "ranges": (
        "nom;portées\nA;25/45\n",
        "{}:2, column 2 \"portées\": '25/45' is not right: expected three ascending ranges in cm",
    ),
    "falling ranges": ("name;range\nA;25/20/30\n", '{}:2, column 2 "range": '),
    "date for ranges": ("name;range\nA;10/15/2020\n", '{}:2, column 2 "range": '),
    "after a long cell": ('name,note,ATT\nA,"1\n2\n3",3\nB,,x\n', '{}:5, column 3 "ATT": '),
    "open quote": ('name,note\nA,x\nB,"y\n\nC,z\n', "{}:3: a quoted cell is not closed"),
    "text after quotes": ('name,note\nA,"x"y\n', "{}:2: a quoted cell is not closed, or text"),
    "huge cell": ("name,note\nA," + "x" * 200_000, "{}:2: "),
    "huge heading": ("x" * 200_000, "{}:1: "),
    "empty": ("", "{}:1: the file is empty"),
    "blank": ("\n \n", "{}:1: the file is empty"),
    "only a mark": ("\ufeff", "{}:1: the file is empty"),
    "nul": ("name,ATT\r\nA,\0\r\n", "{}:2, character 3: holds a NUL byte"),
    "utf-16": ("name\nA\n".encode("utf-16"), "{}:1, character 4: holds a NUL byte (UTF-16"),
    "spreadsheet": (b"PK\x03\x04\x14\0", "{}: is a spreadsheet or an archive; save the sheet"),
    "undecodable": (
        b"name\nA\xe9\nB\x81\n",
        "{}:3, character 2: byte 0x81 is not UTF-8, and",
    ),
    "two encodings": (
        "name\né\n".encode() + b"\xe9\n",
        "{}:3, character 1: byte 0xe9 is not UTF-8, and",
    ),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file_is_one_clear_line(fighter_file, case):
    content, message = BAD_FILES[case]
    path = fighter_file(content)
    with pytest.raises(InputError) as caught:
        read_fighters(path)
    assert str(caught.value).startswith(message.format(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_fault_is_the_same_alone_and_in_a_check(fighter_file, case):
    path = fighter_file(BAD_FILES[case][0])
    with pytest.raises(InputError) as first:
        read_fighters(path)
    with pytest.raises(InputError) as every:
        checked(path)
    assert str(every.value).splitlines() == [str(first.value)]


SEVERAL = """name,origin,ATT,size
A,C3,abc,huge
B,C3,3
a,c3,-1,petite
Good,C3,4,
@,C3,5,
b,C4,x,
good,c3,,
C,"C3,3,
D,C3,y,
"""


def test_a_check_names_every_fault(fighter_file):
    path = fighter_file(SEVERAL)
    with pytest.raises(InputError) as caught:
        checked(path)
    begin = [
        "2, column 3 \"ATT\": 'abc' is not right: expected a whole number",
        "2, column 4 \"size\": 'huge' is not right: expected one of",
        "3, column 4: the row has 3 cells",
        "4, column 3 \"ATT\": '-1' is not right",
        '4, column 1 "name": a@c3 is already on line 2',
        "6, column 1 \"name\": '@' is not right",
        "7, column 3 \"ATT\": 'x' is not right",
        '8, column 1 "name": good@c3 is already on line 5',
        "9: a quoted cell is not closed",
    ]
    lines = str(caught.value).splitlines()
    for line, text in zip(lines, begin, strict=True):
        assert line.startswith(f"{path}:{text}")
    with pytest.raises(InputError) as first:
        read_fighters(path)
    assert str(first.value) == lines[0]


def test_a_fault_of_the_whole_file_is_single(fighter_file):
    path = fighter_file("name,Ataque,Defanse\nA,x,y\n")
    with pytest.raises(InputError) as caught:
        checked(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f'{path}:1, column 2: unknown heading "Ataque"')


def test_a_check_of_a_folder_reads_every_file(tmp_path):
    for name, text in (("a", "name,ATT\nA,x\nB,y\n"), ("b", "nome\nA\n"), ("c", "name\n@\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        checked(tmp_path)
    places = [line.removeprefix(f"{tmp_path}/")[:7] for line in str(caught.value).splitlines()]
    assert places == ["a.csv:2", "a.csv:3", "b.csv:1", "c.csv:2"]
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.csv").write_text("name,ATT\nA,3\n")
    assert checked(tmp_path)[0] == f"{tmp_path}: 3 fighters, every cell can be read"


def test_no_file_and_a_folder(tmp_path):
    with pytest.raises(InputError, match=r"gone\.csv: cannot be read: No such file"):
        read_fighters(tmp_path / "gone.csv")
    with pytest.raises(InputError, match=r": is a folder, not a CSV file"):
        read_fighters(tmp_path)


@given(st.binary(max_size=60) | st.text(',;"\n\r\t\ufeffname ATT3é', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "any.csv"
    path.write_bytes(data)
    with contextlib.suppress(InputError):
        assert all(card.name[0] not in '"\ufeff' for card in read_fighters(path))


@given(
    st.sampled_from(
        [*CHARACTERISTICS, "TIR", "COU", "PEUR", "DIS", "PA", "MOU", "power", "weapon_FOR"]
    ),
    st.text(max_size=8).filter(lambda text: text.strip() and not text.strip().isascii())
    | st.integers(max_value=-1).map(str)
    | st.integers(min_value=10000).map(str)
    | st.sampled_from(["x", "3.7.1", "1e1", "inf", "nan", "0x3", "1 2", "+3", "--", "3,", ",5"]),
)
def test_nonsense_in_a_number_is_refused(name, text):
    with pytest.raises(InputError, match=f'^fighter "x", {name}: '):
        Profile("x", **{name: text})


@given(profiles)
def test_a_profile_is_made_of_its_cells(profile):
    cells = {name: column.kind.write(getattr(profile, name)) for name, column in COLUMNS.items()}
    assert Profile(**cells) == profile


# The roster


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("GARDE PRETORIEN", "Garde prétorien@Conf'Fédé"),
        ("garde", "Garde prétorien@Conf'Fédé"),
        ("animae", "Animæ sylvestre@C3"),
        ("guerrier de l’aube", "Guerrier de l'aube@Conf'Fédé"),
        ("ranghor@c5", "Ranghor, Capo Muta (Scaith)@C5"),
        ("Ashkasa@c3", "Ashkasa, Guerrier de Sang@C3"),
        ("Eclissante", "Eclissante@C5"),
        ("Guerriero del Sangue", "Guerriero del Sangue@C5"),
    ],
)
def test_find(shipped, text, label):
    assert shipped.find(text).label == label


def test_every_shipped_card_is_found_by_its_label_and_name(shipped):
    for card in shipped:
        assert shipped.find(card.label) is card
        assert shipped.find(fold(card.name)) is card


@given(rosters)
def test_every_card_is_found_by_its_label(cards):
    roster = Roster(tuple(cards))
    assert all(roster.find(card.label) is card for card in cards)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("garde pretorian", 'no fighter is called "garde pretorian"; nearest: Garde prétorien'),
        ("zeiren", '"zeiren" could be Zeiren (I)@C5, Zeiren (II)@C5'),
        ("ranghor@conf", 'no "ranghor" of origin "conf"; there is Ranghor, Chef de Guerre@C3, R'),
        ("", 'no fighter is called ""'),
        ("@C3", 'no fighter is called "@C3"'),
    ],
)
def test_find_refuses(shipped, text, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(").replace(")", r"\)")):
        shipped.find(text)


def test_long_lists_of_candidates_are_cut(shipped):
    with pytest.raises(InputError, match=r", … \(\d+ in all\)$"):
        shipped.find("c")


def test_people(shipped):
    assert {card.people for card in shipped.people("daikinee")} == {"Elfes Daïkinee"}
    assert len(shipped.people("DIRZ")) == 6
    assert len(shipped.people("Bran-o")) == 5
    assert len(shipped.people("lions d’alahan")) == 8
    with pytest.raises(InputError, match='"elfes" could be Elfes Cynwälls, Elfes Daïkinee, Elfes'):
        shipped.people("elfes")
    with pytest.raises(InputError, match='no people is called "x"; known: Morts'):
        shipped.people("x")


def test_later_files_replace_earlier_ones(tmp_path, monkeypatch):
    home = tmp_path / "estoc" / "fighters"
    home.mkdir(parents=True)
    (home / "b.csv").write_text("nom,origine,ATT\ngarde prétorien,conf'fede,6\nNew,,1\n", "utf-8")
    (home / "note.txt").write_text("not read")
    (tmp_path / "extra.csv").write_text("nom,ATT\nNew,2\n", "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "Z.CSV").write_text("nom,origin,ATT\nNew,mine,3\n", "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    roster = Roster.load([tmp_path / "extra.csv", str(tmp_path / "folder")])
    assert len(roster) == 141
    assert roster.find("garde prétorien").ATT == 6
    assert roster.find("new").ATT == 2
    assert roster.find("new@mine").ATT == 3
    assert [card.name for card in roster][-2:] == ["New", "New"]
    assert len(roster.remarks) == 2
    assert "b.csv:2: garde prétorien@conf'fede replaces the one of " in roster.remarks[0]
    with pytest.raises(InputError, match=r"gone\.csv: cannot be read"):
        Roster.load([tmp_path / "gone.csv"])


def test_fighters_whose_accents_differ_are_two(fighter_file, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = fighter_file("nom,ATT\nPéché,1\nPêche,2\nÉlu,3\n")
    later = tmp_path / "later.csv"
    later.write_text("nom,ATT\nElu,4\nPÉCHÉ,5\n", "utf-8")
    roster = Roster.load([path, later])
    found = {name: roster.find(name).ATT for name in ("péché", "Pêche", "Élu", "elu", "pê", "é")}
    assert found == {"péché": 5, "Pêche": 2, "Élu": 3, "elu": 4, "pê": 2, "é": 3}
    assert roster.find("E\N{COMBINING ACUTE ACCENT}lu").ATT == 3
    for text in ("peche", "péche", "pech"):
        with pytest.raises(InputError, match=f'"{text}" could be PÉCHÉ, Pêche'):
            roster.find(text)
    assert [remark.partition(": ")[2] for remark in roster.remarks] == [
        f"Elu is another fighter than Élu of {path}:4: their accents differ",
        f"PÉCHÉ replaces the one of {path}:2",
    ]


def test_peoples_whose_accents_differ_are_two():
    cards = [Profile("A", people="Nés"), Profile("B", people="Nes"), Profile("C", people="NÉS")]
    roster = Roster(tuple(cards))
    assert roster.peoples() == ("Nés", "Nes")
    assert [card.name for card in roster.people("nés")] == ["A", "C"]
    assert [card.name for card in roster.people("nes")] == ["B"]
    with pytest.raises(InputError, match='"nès" could be Nés, Nes'):
        roster.people("nès")


@given(texts, texts)
def test_a_text_is_most_like_the_name_that_is_spelled_so(one, other):
    assert likeness(one, one) == 0
    assert meant(one, [other, one]) == ([0, 1] if spelled(one) == spelled(other) else [1])


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENAMETOOLONG])
def test_a_folder_of_the_user_that_cannot_be_reached_is_left_out_with_a_word(monkeypatch, number):
    is_dir = Path.is_dir

    def refused(path):
        if path == user_folder():
            raise OSError(number, os.strerror(number), str(path))
        return is_dir(path)

    plain = Roster.load()
    monkeypatch.setattr(Path, "is_dir", refused)
    roster = Roster.load()
    assert roster.fighters == plain.fighters
    assert roster.remarks == (
        f"{user_folder()}: cannot be read: {os.strerror(number)}; what is there is left out",
    )
