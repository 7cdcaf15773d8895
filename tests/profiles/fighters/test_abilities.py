"""Abilities as data: W-7 line by line, what the shipped cards have, spellings, and the order."""

from dataclasses import replace

import numpy as np
import pytest

from estoc.kernels.layout.abilities import (
    MAP_COLUMNS,
    NUMBERS,
    Effect,
    Location,
    Number,
    Roll,
    Weapon,
)
from estoc.kernels.layout.combat import Outcome
from estoc.profiles import InputError, Profile, Roster
from estoc.profiles.fighters.abilities import (
    abilities_of,
    compile_abilities,
    is_bane_of,
    load_abilities,
    parse_ability,
    plain_numbers,
    unmodelled,
    why_unmodelled,
)
from estoc.profiles.fighters.roster import checked
from estoc.sim.cli.listing import profile_card
from estoc.sim.text.printing import rendered

FILE = load_abilities()
ROSTER = tuple(Roster.load())


def fighter(*abilities: str, **cells: str) -> Profile:
    return Profile("fighter", abilities=abilities, **cells)


def bits(*rolls: Roll) -> int:
    return sum(1 << roll for roll in rolls)


def mapped(first: Number, **becomes: str) -> dict[int, int]:
    return {first + Outcome[old]: int(Outcome[new]) for old, new in becomes.items()}


COUNTER = {Number.COUNTER_MARGIN: 2, Number.COUNTER_DICE: 1}
# W-7, line by line: an ability as on a card, the effects it should have, and their numbers.
W7 = [
    ("Guerrier-mage", {Effect.PLACES_IN_TURN, Effect.COUNTER_ATTACK}, COUNTER),
    ("Moine-guerrier", {Effect.PLACES_IN_TURN, Effect.COUNTER_ATTACK}, COUNTER),
    (
        "Dur à cuire",
        {Effect.TOUGH, Effect.POWER_CHARGED},
        {Number.TOUGH_ROWS: 1, Number.POWER_CHARGED: 1},
    ),
    ("Fléau/Dirz", {Effect.BANE}, {Number.BANE_ROWS: 1}),
    ("Féroce", {Effect.REPLACE_DEALT}, mapped(Number.DEALT, STUNNED="LIGHT")),
    ("Épée-hache", {Effect.REPLACE_DEALT}, mapped(Number.DEALT, CRITICAL="KILLED")),
    ("Arme sacrée", {Effect.KILL_DOUBLES}, {Number.KILL_WEAPONS: Weapon.MELEE | Weapon.RANGED}),
    ("Armure sacrée", {Effect.IGNORE_DOUBLES}, {}),
    (
        "Éthéré",
        {Effect.REPLACE_SUFFERED},
        mapped(
            Number.SUFFERED,
            STUNNED="NOTHING",
            LIGHT="NOTHING",
            SERIOUS="LIGHT",
            CRITICAL="SERIOUS",
        ),
    ),
    (
        "Vulnérable",
        {Effect.REPLACE_SUFFERED},
        mapped(Number.SUFFERED, LIGHT="SERIOUS", SERIOUS="CRITICAL", CRITICAL="KILLED"),
    ),
    ("Toxique/1", {Effect.TOXIC}, {Number.TOXIC_TWICE: 1}),
    ("Immunité/jambes", {Effect.IGNORE_LOCATION}, {Number.IGNORED_LOCATIONS: 0b000001}),
    ("Immunité/tête", {Effect.IGNORE_LOCATION}, {Number.IGNORED_LOCATIONS: 0b110000}),
    (
        "Immunité/Sonné",
        {Effect.REPLACE_SUFFERED},
        mapped(Number.SUFFERED, STUNNED="NOTHING"),
    ),
    (
        "Brute épaisse",
        {Effect.OPEN_FIVES, Effect.POWER_CHARGING},
        {Number.OPEN_ROLLS: bits(Roll.ATTACK), Number.POWER_CHARGING: 1},
    ),
    ("Cri de guerre/9", {Effect.WAR_CRY}, {Number.WAR_CRY_FEAR: 9}),
    ("Cible/+2", {Effect.AIM_DIFFICULTY}, {Number.AIM_DIFFICULTY: 2}),
    ("Ambidextre", {Effect.PARRY_DICE}, {Number.PARRY_DICE: 1}),
    ("Contre-attaque", {Effect.COUNTER_ATTACK}, COUNTER),
    ("Enchaînement/3", {Effect.CHAIN}, {Number.CHAIN_DICE: 3, Number.CHAIN_COST: 1}),
    (
        "Coup de maître/5",
        {Effect.MASTER_STROKE},
        {Number.MASTER_DICE: 2, Number.MASTER_STRENGTH: 5},
    ),
    ("Bretteur", {Effect.HOLD_BACK}, {Number.HELD_DICE: 1}),
    ("Feinte", {Effect.FEINT}, {Number.FEINT_DICE: 1}),
    ("Tueur né", {Effect.EXTRA_DICE}, {Number.EXTRA_DICE: 1}),
    ("Furie guerrière", {Effect.FURY}, {Number.FURY_DICE: 1}),
    ("Charge bestiale", {Effect.CHARGE_DICE}, {Number.CHARGE_DICE: 1}),
    ("Assassin", {Effect.WOUND_DICE}, {Number.WOUND_DICE: 3}),
    ("Esquive", {Effect.OPEN_FIVES}, {Number.OPEN_ROLLS: bits(Roll.DEFENCE)}),
    ("Réflexes", {Effect.OPEN_FIVES}, {Number.OPEN_ROLLS: bits(Roll.INITIATIVE)}),
    ("Stratège", {Effect.OPEN_FIVES}, {Number.OPEN_ROLLS: bits(Roll.DISCIPLINE)}),
    ("Précision", {Effect.OPEN_FIVES}, {Number.OPEN_ROLLS: bits(Roll.SHOT)}),
    (
        "Aguerri",
        {Effect.OPEN_FIVES},
        {
            Number.OPEN_ROLLS: bits(
                *(Roll.INITIATIVE, Roll.ATTACK, Roll.DEFENCE, Roll.SHOT),
                *(Roll.COURAGE, Roll.DISCIPLINE),
            )
        },
    ),
    ("Bravoure", {Effect.ALL_ATTACK_RESULT}, {Number.ALL_ATTACK_RESULT: 1}),
    ("Juste", {Effect.ALL_ATTACK_RESULT, Effect.FEARLESS}, {Number.ALL_ATTACK_RESULT: 1}),
    ("Fanatisme", {Effect.ALL_ATTACK_WOUND}, {Number.ALL_ATTACK_WOUND: 1}),
    ("Possédé", {Effect.LIGHTER_PENALTY}, {Number.LIGHTER_LEVELS: 1}),
    ("Endurance", {Effect.IGNORE_PENALTY}, {Number.IGNORED_LEVEL: 1}),
    ("Acharné", {Effect.DIEHARD}, {Number.DIEHARD_LEVEL: 3}),
    ("Instinct de survie/5", {Effect.SURVIVAL}, {Number.SURVIVAL_DIE: 5}),
    ("Régénération/4", {Effect.REGENERATION}, {Number.REGENERATION_DIE: 4}),
    ("Chance", {Effect.LUCK}, {Number.LUCK_TESTS: 1}),
    ("Désespéré", {Effect.DESPERATE}, {Number.DESPERATE_RESULT: 1}),
    ("Maudit", {Effect.NO_REROLLS}, {}),
    ("Inébranlable", {Effect.STEADY}, {}),
    ("Brutal", {Effect.BRUTAL}, {}),
    ("Rapidité", {Effect.FAST}, {Number.FAST_FACTOR: 3}),
    ("Implacable/4", {Effect.PURSUITS}, {Number.EXTRA_PURSUITS: 4}),
    ("Désengagement/4", {Effect.DISENGAGES}, {Number.DISENGAGE_MOST: 4}),
    (
        "Mort-vivant",
        {Effect.FEARLESS, Effect.FRIGHTENS_ALL, Effect.FIXED_DISCIPLINE, Effect.IMMUNE_TOXIC},
        {Number.DISCIPLINE: 0},
    ),
]
HIGH = {  # W-7's "h", the first of "h / m" apart
    *("Dur à cuire", "Fléau", "Féroce", "Épée-hache", "Arme sacrée", "Armure sacrée", "Éthéré"),
    *("Vulnérable", "Toxique", "Immunité", "Brute épaisse", "Cri de guerre", "Cible"),
}


@pytest.mark.parametrize(("text", "effects", "numbers"), W7, ids=[line[0] for line in W7])
def test_a_line_of_w7(text, effects, numbers):
    flags, parameters = compile_abilities(fighter(text))
    assert flags == sum(1 << effect for effect in effects)
    expected = plain_numbers()
    for column, value in numbers.items():
        expected[column] = value
    assert parameters.tolist() == expected.tolist()


def test_the_file_is_w7_and_no_more():
    assert {entry.name for entry in FILE.ability} == {text.partition("/")[0] for text, *_ in W7}
    assert {entry.name for entry in FILE.ability if entry.confidence == "high"} == HIGH
    assert all("W-7" in entry.clause for entry in FILE.ability)


def test_numbers_given_stand_at_their_effect():
    used = {column for _, _, numbers in W7 for column in numbers}
    firsts = (Number.DEALT, Number.SUFFERED)
    assert used | set(firsts) >= set(Number)
    taken = [c for n in Number for c in (range(n, n + MAP_COLUMNS) if n in firsts else (n,))]
    assert sorted(taken) == list(range(NUMBERS))
    assert len({effect for _, effects, _ in W7 for effect in effects}) == len(Effect) < 64
    assert Location.LEGS & Location.HEAD == 0
    words = [word for kind in (Outcome, Weapon, Location, Roll) for word in kind.__members__]
    assert len(words) == len(set(words))  # a word of the file says which code it is


def test_a_fighter_without_abilities():
    flags, parameters = compile_abilities(fighter())
    assert flags == 0
    assert parameters.dtype == np.int64
    assert {c: v for c, v in enumerate(parameters.tolist()) if v} == {
        first + outcome: outcome
        for first in (Number.DEALT, Number.SUFFERED)
        for outcome in range(1, MAP_COLUMNS)
    }


# --- the shipped cards ------------------------------------------------------------------------

UNMODELLED = {  # names of the shipped cards that W-7 does not have
    *("Abominable", "Aimé des Dieux", "Autorité", "Bond", "Chef de guerre", "Commandement"),
    *("Concentration", "Conscience", "Destrier", "Ennemi personnel", "Exalté", "Farouche"),
    *("Fine lame", "Force en charge", "Féal", "Harcèlement", "Iconoclaste", "Illuminé"),
    *("Insensible", "Lames dorsales 2", "Maîtrise des arcanes", "Mercenaire", "Mutagène"),
    *("Paria", "Piété", "Rechargement rapide", "Renfort", "Résolution", "Soin", "Thaumaturge"),
    *("Tir instinctif", "Tir supplémentaire", "Venin", "Visée", "Vivacité", "Vol", "Vétéran"),
    *("Éclaireur", "Énorme", "Être du Destin"),
}
LACKING = {"Fléau/X", "Immunité/Peur", "Immunité/Toxique"}  # W-7 has the name, not this of it


def test_every_ability_of_the_shipped_cards_is_known_or_named():
    found = {text for card in ROSTER for text in unmodelled(card)}
    assert {text for text in found if text.partition("/")[0] not in UNMODELLED} == LACKING
    assert {text.partition("/")[0] for text in found - LACKING} == UNMODELLED
    for card in ROSTER:
        known = [text for text in card.abilities if text not in unmodelled(card)]
        assert len(abilities_of(card)) == len(known) == len(card.abilities) - len(unmodelled(card))


def test_how_many_names_of_the_shipped_cards_are_known():
    names = {text.partition("/")[0] for card in ROSTER for text in card.abilities}
    known = {entry.name for entry in FILE.ability}
    assert (len(names), len(names & known)) == (78, 38)


def test_what_the_shipped_cards_guess():
    guessed = {
        text for card in ROSTER for a in abilities_of(card) if a.assumed for text in [a.label]
    }
    assert guessed == {
        *("Arme sacrée/combat", "Armure sacrée", "Dur à cuire/2", "Tueur né/2", "Éthéré"),
        *("Fléau/Éclaireur", "Fléau/Élémentaires", "Fléau/État-major"),
    }


# --- spellings and parameters -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("TUEUR NE", "Tueur né"),
        ("Tueur-né", "Tueur né"),
        ("tueur né / 2", "Tueur né/2"),
        ("Tueur né/1", "Tueur né"),
        ("born killer/2", "Tueur né/2"),
        ("Contre attaque", "Contre-attaque"),
        ("Counter-attack/2", "Contre-attaque"),
        ("Contre-attaque/3", "Contre-attaque/3"),
        ("Guerrière-mage", "Guerrier-mage"),
        ("Moine guerrier", "Moine-guerrier"),
        ("epee hache", "Épée-hache"),
        ("Possédée", "Possédé"),
        ("Bane/Dirz", "Fléau/Dirz"),
        ("Cible/2", "Cible/2"),
        ("Cible/+2", "Cible/2"),
        ("Arme sacrée/Combat", "Arme sacrée/combat"),
        ("Arme sacrée", "Arme sacrée"),
        ("IMMUNITE/TETE", "Immunité/tête"),
        ("Coup de maître/0", "Coup de maître/0"),
    ],
)
def test_spellings(text, label):
    assert parse_ability(text).label == label
    assert parse_ability(label) == parse_ability(text)


def test_a_spelling_is_of_one_ability_only():
    spellings = [n for e in FILE.ability for n in {e.name, e.english, *e.aliases}]
    assert len({parse_bare(name) for name in spellings}) == len(FILE.ability)
    for entry in FILE.ability:
        assert {parse_bare(n) for n in (entry.name, entry.english, *entry.aliases)} == {entry.name}


def parse_bare(name: str) -> str:
    """Return which ability a name is of, whatever should stand behind it."""
    for behind in ("", "/1", "/Dirz", "/tête"):
        try:
            return parse_ability(name + behind).entry.name
        except InputError:
            continue
    raise AssertionError(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Tuer né", 'ability "Tuer né": is not known; nearest: Tueur né'),
        ("Vol", 'ability "Vol": is not known; nothing in W-7 is like it'),
        ("", 'ability "": is not known; nothing in W-7 is like it'),
        ("Toxique", 'ability "Toxique": should be Toxique/X, X from 0 to 6 (W-7)'),
        ("Toxique/7", 'ability "Toxique/7": should be Toxique/X, X from 0 to 6 (W-7)'),
        ("Toxique/-1", 'ability "Toxique/-1": should be Toxique/X, X from 0 to 6 (W-7)'),
        ("Toxique/a", 'ability "Toxique/a": should be Toxique/X, X from 0 to 6 (W-7)'),
        ("Tueur né/0", "Tueur né or Tueur né/X, X from 1 to 9 (W-7)"),
        ("Contre-attaque/x", "Contre-attaque or Contre-attaque/X, X from 0 to 9"),
        ("Fléau", "should be Fléau/WHOM, as Fléau/Dirz (W-7)"),
        ("Fléau/X", "should be Fléau/WHOM, as Fléau/Dirz (W-7)"),
        ("Maudit/2", "should be Maudit, with nothing behind it (W-7)"),
        ("Immunité", "should be Immunité/jambes or Immunité/tête or Immunité/Sonné (W-7)"),
        ("Immunité/Peur", "should be Immunité/jambes or Immunité/tête or Immunité/Sonné (W-7)"),
        ("Arme sacrée/Tir", "should be Arme sacrée or Arme sacrée/combat (W-7)"),
    ],
)
def test_refusals(text, message):
    with pytest.raises(InputError) as caught:
        parse_ability(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert unmodelled(fighter("Vivant", text)) == ("Vivant", *[text] * bool(text))


def test_a_strength_is_that_many_times_the_effect():
    for text, column in [
        ("Tueur né/2", Number.EXTRA_DICE),
        ("Dur à cuire/2", Number.TOUGH_ROWS),
        ("Dur à cuire/2", Number.POWER_CHARGED),
        ("Brute épaisse/2", Number.POWER_CHARGING),
        ("Désespéré/2", Number.DESPERATE_RESULT),
    ]:
        assert compile_abilities(fighter(text))[1][column] == 2


def test_the_better_of_two_numbers_counts():
    def number(column: int, *abilities: str) -> int:
        flags, parameters = compile_abilities(fighter(*abilities))
        assert (flags, parameters.tolist()) == (
            compile_abilities(fighter(*reversed(abilities)))[0],
            compile_abilities(fighter(*reversed(abilities)))[1].tolist(),
        )
        return int(parameters[column])

    assert number(Number.COUNTER_MARGIN, "Guerrier-mage", "Contre-attaque/3") == 2
    assert number(Number.COUNTER_MARGIN, "Guerrier-mage", "Contre-attaque/1") == 1
    assert number(Number.SURVIVAL_DIE, "Instinct de survie/4", "Instinct de survie/6") == 4
    assert number(Number.ALL_ATTACK_RESULT, "Bravoure", "Juste") == 1
    assert number(Number.EXTRA_DICE, "Tueur né/2", "Tueur né") == 2
    rolls = bits(Roll.ATTACK, Roll.DEFENCE)
    assert number(Number.OPEN_ROLLS, "Brute épaisse", "Esquive") == rolls
    both = number(Number.IGNORED_LOCATIONS, "Immunité/tête", "Immunité/jambes")
    assert both == Location.HEAD | Location.LEGS
    stunned = Number.SUFFERED + Outcome.STUNNED
    assert number(stunned, "Immunité/Sonné", "Vulnérable") == Outcome.NOTHING
    light = Number.SUFFERED + Outcome.LIGHT
    assert number(light, "Immunité/Sonné", "Vulnérable") == Outcome.SERIOUS
    assert number(light, "Éthéré", "Vulnérable") == Outcome.NOTHING


@pytest.mark.parametrize(
    ("whom", "enemy", "expected"),
    [
        ("Dirz", fighter(people="Scorpions de Dirz"), True),
        ("dirz", fighter(people="Dirz"), True),
        ("Dir", fighter(people="Dirz"), False),
        ("Élémentaires", fighter("Élémentaire/Feu"), True),
        ("Morts-vivants", fighter("Mort-vivant"), True),
        ("Éclaireur", fighter("Éclaireur"), True),
        ("Éclaireur", fighter(role="troupe éclaireur"), True),
        ("Éclaireur", fighter("Vol", people="Lions"), False),
        ("fighter", fighter(), True),
        ("Lions d'Alahan", fighter(people="Lions d’Alahan"), True),
        ("Lions", fighter("Fléau/Lions", people="Griffons"), False),
    ],
)
def test_whom_a_bane_is_against(whom, enemy, expected):
    hunter = Profile("hunter", abilities=("Vol", f"Fléau/{whom}"))
    assert is_bane_of(hunter, enemy) is expected
    assert not is_bane_of(replace(hunter, abilities=("Féroce", "Fléau/X")), enemy)


# --- the order of application -----------------------------------------------------------------

STEPS = [step.name for step in FILE.order]
PLACE = {name: place for place, name in enumerate(STEPS)}
STRUCK = {Roll.WOUND_DEALT, Roll.WOUND_TAKEN, Roll.SURVIVAL}  # parts of one wound roll


def test_every_effect_has_one_place():
    assert len(STEPS) == len(set(STEPS))
    assert set(STEPS) >= set(Effect.__members__)
    assert {name for name in STEPS if name not in Effect.__members__} == {
        *("C-3.1", "C-6.4", "C-7", "W-2.2")
    }
    assert {roll for step in FILE.order for roll in step.rolls} == set(Roll)


def test_what_beats_or_cancels_comes_first():
    for row in FILE.interaction:
        first, second = (FILE.order[PLACE[name]] for name in (row.first, row.second))
        assert row.first != row.second
        if row.result != "both":
            assert PLACE[row.first] < PLACE[row.second], row
            shared = set(first.rolls) & set(second.rolls)
            assert shared or (set(first.rolls) & STRUCK and set(second.rolls) & STRUCK), row


def test_no_pair_is_told_twice():
    pairs = [frozenset((row.first, row.second)) for row in FILE.interaction]
    assert len(pairs) == len(set(pairs))


def test_the_interactions_that_the_rules_state():
    stated = {
        (i.first, i.second, i.result, i.mark) for i in FILE.interaction if i.mark != "assumed"
    }
    assert stated == {
        ("IGNORE_DOUBLES", "KILL_DOUBLES", "beats", "source"),
        ("BANE", "TOUGH", "cancels", "source"),
        ("IMMUNE_TOXIC", "TOXIC", "cancels", "source"),
        ("HOLD_BACK", "COUNTER_ATTACK", "cancels", "source"),
        ("HOLD_BACK", "C-7", "cancels", "seed"),
        ("C-7", "COUNTER_ATTACK", "cancels", "seed"),
        ("C-7", "PARRY_DICE", "cancels", "seed"),
    }


@pytest.mark.parametrize(
    "sequence",
    [
        # each is W-7's own word: before a wound roll; the roll; its row; its result; after it
        ("SURVIVAL", "WOUND_DICE", "IGNORE_DOUBLES", "KILL_DOUBLES", "W-2.2", "BANE", "TOUGH"),
        ("BANE", "TOUGH", "REPLACE_DEALT", "REPLACE_SUFFERED", "TOXIC", "DIEHARD"),
        ("FEINT", "WOUND_DICE"),
        ("C-3.1", "EXTRA_DICE", "CHAIN", "HOLD_BACK"),
        ("C-6.4", "C-7", "COUNTER_ATTACK"),
    ],
)
def test_sequences(sequence):
    assert [name for name in STEPS if name in sequence] == list(sequence)


# --- what a person sees -----------------------------------------------------------------------


def test_a_check_names_abilities_that_are_unknown(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(
        "name,INI,ATT,FOR,DEF,RES,PA,abilities\n"
        "A,3,3,3,3,3,9,Tueur né/2|Féroce\n"
        "B,3,3,3,3,3,9,Tuer né|Vol|Fléau/X|Fléau/Dirz\n",
        encoding="utf-8",
    )
    assert checked(path) == [
        f"{path}: 2 fighters, every cell can be read",
        f"{path}:3: B: not modelled: Tuer né (nearest: Tueur né), Vol, Fléau/X "
        "(should be Fléau/WHOM, as Fléau/Dirz (W-7))",
    ]


def test_a_card_says_what_its_abilities_do():
    card = fighter("Tueur né/2", "Guerrier-mage", "Vol", "Feroce")
    shown = " ".join(rendered(profile_card(card), 200).split())
    assert "Tueur né/2 Born killer: has X combat dice more (X = 2)" in shown
    assert f"assumed: {FILE.strength} W-7 Guerrier-mage" in shown
    assert "has Contre-attaque W-7, C-3.4 Vol" in shown
    assert "Vol not modelled" in shown
    assert "Feroce Fierce: in melee, a stunned result that it deals is a light wound W-7" in shown
    assert "what it does" not in rendered(profile_card(fighter()), 200)


def test_a_name_that_nobody_could_mean_has_no_hint():
    assert why_unmodelled(fighter("Vol", "Regeneratoin/5", "Féroce")) == {
        "Vol": "",
        "Regeneratoin/5": "nearest: Régénération",
    }
