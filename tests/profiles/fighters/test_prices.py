"""The players' list of prices: every line part by part, and what is refused."""

from pathlib import Path

import pytest

from estoc.profiles import InputError, Roster
from estoc.profiles.fighters.card import CHARACTERISTICS
from estoc.profiles.fighters.prices import Change, Unread, load_prices, parts_of

# Every line: its price, and its parts; "?" before one that nobody can read.
LINES = {
    "+1 INI": (1, "+1 INI"),
    "+1 ATT": (1, "+1 ATT"),
    "+1 FOR": (1, "+1 FOR"),
    "+1 DEF": (1, "+1 DEF"),
    "+1 RES": (1, "+1 RES"),
    "+1 COU": (1, "+1 COU"),
    "Bretteur": (2, "Bretteur"),
    "Désengagement/4": (2, "Désengagement/4"),
    "+2 FOR": (3, "+2 FOR"),
    "+2 RES": (3, "+2 RES"),
    "ATT+1 FOR+1": (3, "+1 ATT", "+1 FOR"),
    "ATT+1 DEF+1": (3, "+1 ATT", "+1 DEF"),
    "FOR+1 RES+1": (3, "+1 FOR", "+1 RES"),
    "Vivacité": (3, "?Vivacité"),
    "+1 DIS": (3, "+1 DIS"),
    "ATT+1 & Feinte": (3, "+1 ATT", "Feinte"),
    "INI+1 & Bretteur": (3, "+1 INI", "Bretteur"),
    "FOR+1 & Épée-hache": (3, "+1 FOR", "Épée-hache"),
    "RES+1 & Inébranlable": (3, "+1 RES", "Inébranlable"),
    "RES+1 & Bravoure": (3, "+1 RES", "Bravoure"),
    "INI+1 & Instinct de survie/6": (3, "+1 INI", "Instinct de survie/6"),
    "Dur à cuire": (4, "Dur à cuire"),
    "RES+1 & Contre-attaque": (4, "+1 RES", "Contre-attaque"),
    "DEF+1 RES+2": (4, "+1 DEF", "+2 RES"),
    "FOR+1 & Brutal": (4, "+1 FOR", "Brutal"),
    "Régénération/5": (4, "Régénération/5"),
    "Soin/5": (4, "?Soin/5"),
    "Résolution/2": (4, "?Résolution/2"),
    "Cible/+2": (4, "Cible/2"),
    "ATT+1 & Force en charge/4": (4, "+1 ATT", "?Force en charge/4"),
    "INI+1 ATT+1 DEF+1": (5, "+1 INI", "+1 ATT", "+1 DEF"),
    "FOR+1 & Acharné": (5, "+1 FOR", "Acharné"),
    "FOR+2 & Endurance": (5, "+2 FOR", "Endurance"),
    "Arme sacrée": (6, "Arme sacrée"),
    "Armure sacrée": (6, "Armure sacrée"),
    "Toxique/1": (6, "Toxique/1"),
    "INI+1 & Assassin": (6, "+1 INI", "Assassin"),
    "ATT+1 & Furie guerrière": (6, "+1 ATT", "Furie guerrière"),
    "FOR+1 & Ambidextre": (6, "+1 FOR", "Ambidextre"),
    "INI+1 & Parade": (6, "+1 INI", "?Parade"),
    "FOR+1 RES+1 & Possédé": (6, "+1 FOR", "+1 RES", "Possédé"),
    "FOR+1 & Féroce": (6, "+1 FOR", "Féroce"),
    "ATT+1 DEF+1 & Juste": (6, "+1 ATT", "+1 DEF", "Juste"),
    "(two-handed) INI+1 ATT+1 DEF+1 & Réflexes": (6, "+1 INI", "+1 ATT", "+1 DEF", "Réflexes"),
    "INI+1 ATT+1 & Fine lame": (7, "+1 INI", "+1 ATT", "?Fine lame"),
    "INI+1 ATT+1 DEF+1 & Esquive": (7, "+1 INI", "+1 ATT", "+1 DEF", "Esquive"),
    "INI+1 & Rapidité": (7, "+1 INI", "Rapidité"),
    "ATT+1 RES+1 & Désespéré": (7, "+1 ATT", "+1 RES", "Désespéré"),
    "(two-handed) FOR+3 & Brute épaisse": (7, "+3 FOR", "Brute épaisse"),
    "RES+5 MOU−2.5": (8, "+5 RES", "−2.5 MOU"),
    "ATT+2 FOR+1 & Esquive": (8, "+2 ATT", "+1 FOR", "Esquive"),
    "INI, ATT, DEF, FOR +1 & Coup de maître/3": (
        *(8, "+1 INI", "+1 ATT", "+1 DEF", "+1 FOR", "Coup de maître/3"),
    ),
    "ATT+1 DEF+1 FOR+2 & Charge bestiale": (9, "+1 ATT", "+1 DEF", "+2 FOR", "Charge bestiale"),
    "FOR+5 DEF−1": (10, "+5 FOR", "−1 DEF"),
    "Tueur né": (10, "Tueur né"),
    "Chance": (10, "Chance"),
    "DEF+1 RES+1 & immunity to wound penalties and Stunned": (
        *(10, "+1 DEF", "+1 RES", "?immunity to wound penalties and Stunned"),
    ),
    "Aguerri": (15, "Aguerri"),
    "Monture: MOU+7.5 RES+1, Destrier, Grande taille": (
        *(18, "+7.5 MOU", "+1 RES", "?Destrier", "?Grande taille"),
    ),
    "Éthéré": (20, "Éthéré"),
    "Aimé des dieux": (25, "?Aimé des dieux"),
}


def told(parts):
    return [f"{'?' * isinstance(part, Unread)}{part.label}" for part in parts]


@pytest.mark.parametrize("price", load_prices(), ids=lambda price: price.what)
def test_every_line_is_read_part_by_part(price):
    assert (price.points, *told(price.parts)) == LINES[price.what]


def test_the_list_is_whole_and_says_whose_it_is():
    prices = load_prices()
    assert [price.what for price in prices] == list(LINES)
    assert {price.source for price in prices} == {"SebDelile/cdrf-confarena (arena format, 2023)"}
    assert [p.condition for p in prices if p.condition] == ["two-handed", "two-handed", "Monture"]
    assert prices[0].where.endswith("ability-prices.csv:2")
    ones = [p.points for p in prices if p.parts == (Change(p.what[-3:], 1),)]
    assert ones == [1] * 6 + [3]  # the five of a combat and COU; DIS


def test_prices_are_no_fighters():
    assert not any("ability-prices" in fighter.file for fighter in Roster.load())


def test_forms_of_a_characteristic():
    for text in ("+1 INI", "INI+1", "INI +1", "+1INI"):
        assert parts_of(text) == (Change("INI", 1),)
    every = parts_of(f"{', '.join(CHARACTERISTICS)} +2, MOU-2,5")
    assert every == (*(Change(key, 2) for key in CHARACTERISTICS), Change("MOU", -2.5))


def test_a_part_that_cannot_be_read_says_why():
    (part,) = parts_of("Toxique")
    assert part == Unread("Toxique", "should be Toxique/X, X from 0 to 6 (W-7)")
    (part,) = parts_of("Toxik/1")
    assert "nearest: Toxique" in part.reason
    assert [type(part) for part in parts_of("INIT+1 & ATT")] == [Unread, Unread]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column is headed price_PA, what, source"),
        ("price_PA,what\n1,Chance", "prices.csv:1: no column is headed source"),
        ("price,what,source", 'prices.csv:1, column 1: heading "price" is not right; nearest: pri'),
        ("what,what,source", 'column 2: heading "what" is not right'),
        ("price_PA,what,source", "no price below the headings"),
        ("price_PA,what,source\n\n1,Chance", "prices.csv:3: 2 cells below 3 headings"),
        ("price_PA,what,source\n,Chance,x", 'prices.csv:2, "price_PA": the cell is empty'),
        ("price_PA,what,source\n1,Chance,", 'prices.csv:2, "source": the cell is empty'),
        ("price_PA,what,source\n0,Chance,x", '"price_PA": "0" is not right: expected a whole num'),
        ("price_PA,what,source\n1.5,Chance,x", '"1.5" is not right'),
        ("price_PA,what,source\n1,(mounted) &,x", "expected what the price is of"),
        (
            "price_PA,what,source\n1,Chance,x\n2,Chance,x",
            'prices.csv:3, "what": Chance has its price in ',
        ),
    ],
)
def test_a_list_that_is_wrong_is_refused_by_file_line_and_cell(text, message, tmp_path: Path):
    path = tmp_path / "prices.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        load_prices(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
