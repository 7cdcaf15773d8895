import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fighters
from witness import rules_of

from estoc.kernels.layout.abilities import Number
from estoc.kernels.layout.combat import COLUMNS, PAINS, Column, Outcome, RerollOne, Rule, Stat, Tie
from estoc.profiles import InputError, Profile, load_edition
from estoc.profiles.compile.combat import (
    charges_of_combat,
    compile_rules,
    fighter_row,
    pain_of,
    placing_order,
    power,
    state_code,
    state_names,
)
from estoc.profiles.fighters.abilities import plain_numbers
from reference.book import Book
from reference.exhaustive import DEPTH, SIX, attack_law
from reference.state import Policy

CONFFEDE = load_edition("conffede")
RULES = compile_rules(CONFFEDE)
PLAIN = pain_of(plain_numbers())  # the penalties of who has no ability

# W-2: FOR - RES and the counts out of 36 of nothing, stunned, light, serious, critical, killed.
COUNTS = [
    (-10, (11, 16, 8, 0, 0, 1)),
    (-6, (9, 16, 8, 2, 0, 1)),
    (-4, (5, 14, 11, 3, 2, 1)),
    (-2, (1, 11, 13, 7, 3, 1)),
    (-1, (0, 8, 15, 9, 3, 1)),
    (0, (0, 5, 14, 11, 3, 3)),
    (1, (0, 3, 13, 12, 4, 4)),
    (2, (0, 1, 13, 11, 7, 4)),
    (4, (0, 0, 9, 12, 9, 6)),
    (6, (0, 0, 5, 13, 9, 9)),
    (8, (0, 0, 1, 13, 11, 11)),
    (12, (0, 0, 0, 5, 13, 18)),
]


def wound(rules, difference, die_1, die_2):
    row = np.clip(difference + rules.scalars[Rule.WOUND_OFFSET], 0, len(rules.wound) - 1)
    return Outcome(rules.wound[row, (die_1 - 1) * 6 + die_2 - 1])


# Rules


@pytest.mark.parametrize(("difference", "counts"), COUNTS)
def test_wound_counts(difference, counts):
    rolls = [wound(RULES, difference, *dice) for dice in itertools.product(range(1, 7), repeat=2)]
    assert tuple(rolls.count(outcome) for outcome in Outcome) == counts


@pytest.mark.parametrize(
    ("die_1", "die_2", "difference", "outcome"),
    [  # the worked example of the combat chapter
        (2, 3, 7 - 11, Outcome.STUNNED),
        (3, 5, 7 - 11, Outcome.LIGHT),
        (2, 6, 6 - 7, Outcome.LIGHT),
        (4, 5, 6 - 7, Outcome.SERIOUS),
        (6, 6, 6 - 11, Outcome.KILLED),
    ],
)
def test_worked_example(die_1, die_2, difference, outcome):
    assert wound(RULES, difference, die_1, die_2) == outcome
    assert wound(RULES, difference, die_2, die_1) == outcome


def test_clipping_at_the_ends_of_the_wound_table_changes_nothing():
    offset = RULES.scalars[Rule.WOUND_OFFSET]
    lines = [line.split() for line in CONFFEDE["wounds.table"]]
    codes = ["-", "St", "L", "S", "C", "K"]
    for row, line in ((RULES.wound[0], lines[0]), (RULES.wound[-1], lines[-1])):
        for column, (a, b) in enumerate(itertools.product(range(1, 7), repeat=2)):
            expected = "K" if a == b == 6 else line[min(a, b, 5) - 1]
            assert codes[row[column]] == expected
    assert -offset + 6 < CONFFEDE["wounds.starts"][0]
    assert len(RULES.wound) - 1 - offset + 1 >= CONFFEDE["wounds.starts"][-1]


def test_double_six_can_be_an_ordinary_result():
    rules = compile_rules(CONFFEDE.with_rule("double_six_kills=false"))
    assert wound(rules, 6 - 11, 6, 6) == Outcome.SERIOUS  # C, last line of the worked example
    assert (rules.wound[:, :-1] == RULES.wound[:, :-1]).all()


def test_scalars():
    expected = dict.fromkeys(Rule, 0) | {
        Rule.DICE_BASE: 1,
        Rule.DICE_PER_ENEMY: 1,
        Rule.NUMBERS_BONUS: 1,
        Rule.SUSTAINED_PENALTY: 2,
        Rule.WOUND_OFFSET: 7,
        Rule.DOUBLE_SIX_KILLS: 1,
    }
    assert dict(zip(Rule, RULES.scalars, strict=True)) == expected


@pytest.mark.parametrize(
    ("rule", "scalar", "value"),
    [
        ("reroll_one=add", Rule.REROLL_ONE, RerollOne.ADD),
        ("reroll_one=fail", Rule.REROLL_ONE, RerollOne.FAIL),
        ("natural_one_fails=true", Rule.NATURAL_ONE_FAILS, 1),
        ("automatic_failure=1", Rule.AUTOMATIC_FAILURE, 1),
        ("automatic_failure=-99", Rule.AUTOMATIC_FAILURE, -99),
        ("many_dice=one_chain", Rule.ONE_CHAIN, 1),
        ("opposed_tie=coin", Rule.OPPOSED_TIE, Tie.COIN),
        ("opposed_tie=higher_characteristic", Rule.OPPOSED_TIE, Tie.HIGHER_CHARACTERISTIC),
        ("opposed_tie=first", Rule.OPPOSED_TIE, Tie.FIRST),
        ("dice.base=2", Rule.DICE_BASE, 2),
        ("per_enemy=2", Rule.DICE_PER_ENEMY, 2),
        ("numbers_bonus=0", Rule.NUMBERS_BONUS, 0),
        ("sustained_penalty=1", Rule.SUSTAINED_PENALTY, 1),
    ],
)
def test_a_rule_changes_its_scalar_only(rule, scalar, value):
    rules = compile_rules(CONFFEDE.with_rule(rule))
    expected = RULES.scalars.copy()
    expected[scalar] = value
    np.testing.assert_array_equal(rules.scalars, expected)
    for name in ("wound", "after", "penalty", "charge", "recover", "level"):
        np.testing.assert_array_equal(getattr(rules, name), getattr(RULES, name))


def test_a_one_fails_a_test_of_the_shipped_c3():
    c3 = load_edition("c3")
    book = Book(**{key: c3[f"tests.{key}"] for key in ("reroll_one", "natural_one_fails")})
    for shipped, written in zip(compile_rules(c3), rules_of(book), strict=True):
        np.testing.assert_array_equal(shipped, written)
    law = attack_law(book, Policy(reroll_attack="always"), 3, None, SIX, DEPTH)  # H: R1 and R4
    fails = law.masses[(None,)]
    assert fails <= Fraction(1, 5) <= fails + law.rest
    assert law.rest < Fraction(1, 10**12)


def test_states_of_conffede():
    assert state_names(CONFFEDE) == (
        "unhurt",
        "stunned",
        "light",
        "light, stunned",
        "serious",
        "serious, stunned",
        "critical",
        "critical, stunned",
        "dead",
    )
    np.testing.assert_array_equal(RULES.level, [0, 0, 1, 1, 2, 2, 3, 3, 4])
    np.testing.assert_array_equal(RULES.recover, [0, 0, 2, 2, 4, 4, 6, 6, 8])
    np.testing.assert_array_equal(RULES.charge, [1, 1, 0, 1, 0])
    np.testing.assert_array_equal(RULES.after[0], [0, 1, 2, 4, 6, 8])
    np.testing.assert_array_equal(RULES.after[3], [3, 3, 5, 7, 8, 8])
    np.testing.assert_array_equal(RULES.after[8], [8] * 6)
    for state, lost in enumerate([0, 1, 1, 2, 2, 3, 3, 4]):
        np.testing.assert_array_equal(RULES.penalty[PLAIN, state], [lost, lost, lost, lost, 0])


@pytest.mark.parametrize(
    "rules", [(), ("stunned_stacks=true",), ("killed_level=6", "stunned_stacks=true")]
)
def test_shapes_and_states_of_other_editions(rules):
    edition = CONFFEDE
    for rule in rules:
        edition = edition.with_rule(rule)
    compiled = compile_rules(edition)
    names = state_names(edition)
    states = len(names)
    assert len(set(names)) == states
    assert all(array.dtype == np.int64 for array in compiled)
    assert compiled.scalars.shape == (len(Rule),)
    assert compiled.wound.shape[1] == 36
    assert compiled.after.shape == (states, len(Outcome))
    assert compiled.penalty.shape == (PAINS, states, len(Stat))
    assert compiled.recover.shape == compiled.level.shape == (states,)
    assert (compiled.after >= np.arange(states)[:, None]).all()  # nothing heals in a combat
    assert [state_code(edition, name) for name in names[:-1]] == list(range(states - 1))
    for state in range(states - 1):
        for outcome in (Outcome.STUNNED, Outcome.LIGHT, Outcome.SERIOUS, Outcome.CRITICAL):
            after = compiled.after[state, outcome]
            if after < states - 1:
                assert state_code(edition, f"{names[state]}, {outcome.name}") == after


def test_stunned_can_add_up():
    edition = CONFFEDE.with_rule("stunned_stacks=true")
    rules = compile_rules(edition)
    codes = [state_code(edition, ",".join(["stunned"] * count)) for count in range(5)]
    assert codes == [0, 1, 2, 3, 3]
    assert rules.penalty[PLAIN, 3, Stat.ATT] == 3


def test_a_second_wound_gives_its_own_penalty_only():
    serious = state_code(CONFFEDE, "serious")
    after = RULES.after[serious, Outcome.LIGHT]
    assert RULES.penalty[PLAIN, after, Stat.ATT] == CONFFEDE["penalty.critical.ATT"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "unhurt"),
        ("indemne", "unhurt"),
        ("Sonné", "stunned"),
        ("stunned, stunned", "stunned"),
        ("LÉGÈRE+sonné", "light, stunned"),
        ("light,light", "serious"),
        ("light,serious", "critical"),
        ("grave", "serious"),
        ("critique, sonnee", "critical, stunned"),
    ],
)
def test_state_code(text, name):
    assert state_names(CONFFEDE)[state_code(CONFFEDE, text)] == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dead", 'state "dead": he would be dead'),
        ("tué", 'state "tué": he would be dead'),
        ("serious,serious", 'state "serious,serious": he would be dead'),
        ("ligth", 'state "ligth": no state "ligth"; nearest: light'),
    ],
)
def test_state_code_refuses(text, message):
    with pytest.raises(InputError) as caught:
        state_code(CONFFEDE, text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("stat", Stat)
def test_penalties_are_read_by_state_and_characteristic(stat):
    rules = compile_rules(CONFFEDE.with_rule(f"charge.{stat.name}=7"))
    assert rules.charge[stat] == 7
    for wound, states in (("light", [2, 3]), ("serious", [4, 5]), ("stunned", [1, 3, 5, 7])):
        rules = compile_rules(CONFFEDE.with_rule(f"penalty.{wound}.{stat.name}=9"))
        changed = np.argwhere(rules.penalty[PLAIN] != RULES.penalty[PLAIN])
        np.testing.assert_array_equal(changed, [[state, stat] for state in states])


# Fighters

GUARD = Profile("guard", INI=3, ATT=5, FOR=8, DEF=5, RES=11, PA=49)


def test_fighter_row():
    row = fighter_row(GUARD, CONFFEDE)
    assert row.dtype == np.int64
    assert row.shape == (COLUMNS,)
    np.testing.assert_array_equal(row, [3, 5, 8, 5, 11, 0, 0, 0, 49, -1, -1, 0, PLAIN])
    row = fighter_row(
        GUARD.with_values({"PA": None}),
        CONFFEDE,
        state=3,
        charged=True,
        all_defence=True,
        placed=(0, 2),
    )
    np.testing.assert_array_equal(row[Column.START :], [3, 1, 1, -1, 0, 2, 0, PLAIN])


def test_penalties_of_who_bears_wounds_better():
    # W-7: Endurance ignores those of light wounds, Possédé pays for a level less
    light, serious, critical = (state_code(CONFFEDE, w) for w in ("light", "serious", "critical"))
    stunned = state_code(CONFFEDE, "light, stunned")
    for ignored, lighter, lost in (
        (1, 0, (0, 1, 2, 3)),
        (0, 1, (0, 1, 1, 2)),
        (1, 1, (0, 1, 1, 2)),
        (0, 2, (0, 1, 0, 1)),
        (0, 3, (0, 1, 0, 0)),
    ):
        numbers = plain_numbers()
        numbers[Number.IGNORED_LEVEL], numbers[Number.LIGHTER_LEVELS] = ignored, lighter
        table = RULES.penalty[pain_of(numbers)]
        assert tuple(table[[light, stunned, serious, critical], Stat.ATT]) == lost
        row = fighter_row(GUARD, CONFFEDE, charging=True, numbers=numbers)
        assert row[Column.PAIN] == pain_of(numbers)
        assert row[Column.CHARGING] == 1


def test_fighter_row_refuses():
    with pytest.raises(InputError, match='fighter "x": the cell INI is empty'):
        fighter_row(Profile("x"), CONFFEDE)
    with pytest.raises(InputError, match='fighter "guard": state 8 should be from 0 to 7'):
        fighter_row(GUARD, CONFFEDE, state=8)
    with pytest.raises(InputError, match="should be one or more"):
        fighter_row(GUARD, CONFFEDE, placed=(-1, 2))


def card(pa, caster=""):
    return Profile("x", PA=pa, caster=caster)


@pytest.mark.parametrize(
    ("cards", "chooser", "order"),
    [
        # the worked example: the guard against two warriors and Arkéon
        ([card(49), card(19), card(19), card(74)], 0, [1, 2, 0, 3]),
        ([card(20), card(20)], 0, [1, 0]),
        ([card(20), card(20)], 1, [0, 1]),
        ([card(20), card(30, "magician"), card(10)], 0, [1, 2, 0]),
        ([card(30, "faithful"), card(20, "magician"), card(10)], 0, [1, 0, 2]),
        # unknown PA of an enemy, then of the lone fighter, then of all
        ([card(20), card(30), card(None), card(10)], 0, [3, 2, 0, 1]),
        ([card(20), card(30), card(None), card(10)], 1, [3, 0, 2, 1]),
        ([card(None), card(30), card(10)], 0, [2, 1, 0]),
        ([card(None), card(30), card(10)], 1, [0, 2, 1]),
        ([card(None), card(None), card(None)], 0, [1, 2, 0]),
        ([card(None), card(None), card(None)], 1, [0, 1, 2]),
    ],
)
def test_placing_order(cards, chooser, order):
    result = placing_order(cards, chooser)
    assert result.dtype == np.int64
    assert result.tolist() == order
    assert placing_order(cards, chooser, CONFFEDE["defaults.missing_PA"]).tolist() == order


@pytest.mark.parametrize(
    ("cards", "chooser", "first", "last"),
    [
        ([card(20), card(30), card(None), card(10)], 0, [2, 3, 0, 1], [3, 0, 1, 2]),
        ([card(None), card(30), card(10)], 0, [0, 2, 1], [2, 1, 0]),
        ([card(None), card(30), card(10)], 1, [0, 2, 1], [2, 1, 0]),
        # several without PA are equal: the side that did not choose first
        ([card(None), card(30), card(None)], 0, [2, 0, 1], [1, 2, 0]),
        ([card(None), card(30), card(None)], 1, [0, 2, 1], [1, 0, 2]),
        # casters before everyone else, the same among themselves
        ([card(20), card(None, "magician"), card(None)], 0, [1, 2, 0], [1, 0, 2]),
        ([card(None), card(None, "magician"), card(5, "faithful")], 0, [1, 2, 0], [2, 1, 0]),
        # nobody without PA
        ([card(20), card(30), card(10)], 0, [2, 0, 1], [2, 0, 1]),
    ],
)
def test_placing_order_of_an_unknown_pa(cards, chooser, first, last):
    for value, order in (("first", first), ("last", last)):
        edition = CONFFEDE.with_rule(f"missing_PA={value}")
        assert placing_order(cards, chooser, edition["defaults.missing_PA"]).tolist() == order


@given(
    st.lists(fighters, min_size=2, max_size=5),
    st.sampled_from([0, 1]),
    st.sampled_from(["equal", "first", "last"]),
)
def test_placing_order_keeps_every_pair_in_order(cards, chooser, missing):
    order = placing_order(cards, chooser, missing).tolist()
    assert sorted(order) == list(range(len(cards)))
    for earlier, later in itertools.combinations(order, 2):
        a, b = cards[earlier], cards[later]
        assert a.pure_caster >= b.pure_caster
        if a.pure_caster == b.pure_caster and None not in (a.PA, b.PA):
            assert a.PA <= b.PA
            if a.PA == b.PA and 0 in (earlier, later):
                assert min(earlier, 1) != chooser
            elif a.PA == b.PA:
                assert earlier < later
        elif a.pure_caster == b.pure_caster and missing != "equal" and a.PA != b.PA:
            assert (a.PA is None) == (missing == "first")


@pytest.mark.parametrize(
    ("profile", "value", "assumed"),
    [
        (Profile("x", power=2, size="petite"), 2, False),
        (Profile("x", size="petite"), 1, False),
        (Profile("x", size="grande"), 2, False),
        (Profile("x", size="très grande"), 3, False),
        (Profile("x"), 1, True),
    ],
)
def test_power(profile, value, assumed):
    assert power(profile, CONFFEDE) == (value, assumed)


@pytest.mark.parametrize(
    ("fighters", "chargers", "pairs"),
    [
        (2, [], set()),
        (2, [0], {(0, 1)}),
        (3, [1, 2], {(1, 0), (2, 0)}),
        (3, [0, 1], {(0, 2), (1, 0)}),  # he charges those who do not charge him
        (2, [0, 1], {(1, 0)}),
    ],
)
def test_charges_of_combat(fighters, chargers, pairs):
    """M-5."""
    charges = charges_of_combat(fighters, chargers)
    assert charges.dtype == np.bool_
    assert set(zip(*map(list, np.nonzero(charges)), strict=True)) == pairs
