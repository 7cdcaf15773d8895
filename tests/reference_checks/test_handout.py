"""Cases H1 to H4 of the handout and its numbers, answered by the reference alone."""

from fractions import Fraction

import pytest

from reference import combat as rules
from reference import exhaustive
from reference.book import UNHURT, Book, Wounds, every_blow_kills, only_double_six_kills, suffer
from reference.rolls import DEFENCE, attack_test, defence_test
from reference.state import Combat, Fighter, Policy, beginning, current

RESET, ADD = Book(), Book(reroll_one="add")
ONE_CHAIN = Book(many_dice="one_chain")
ALWAYS = Policy(placement="attack", reroll_attack="always", reroll_initiative="always")
KEEPS = Policy(reroll_attack="never")


def assert_mass(law, outcome, value):
    """The value lies within what was enumerated and the rest that was cut off."""
    mass = law.masses.get(outcome, Fraction(0))
    assert law.rest < Fraction(1, 10**12)
    assert mass <= value <= mass + law.rest


def fighter(name="fighter", **fields):
    return Fighter(name, **{"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, **fields})


def duel(book, chooser=0, policy=ALWAYS):
    fighters = (fighter("A", PA=10), fighter("B", PA=10))
    return Combat(fighters, (policy, policy), chooser, book)


# --- one die --------------------------------------------------------------------------


def natural_law(book):
    return exhaustive.attack_law(book, ALWAYS, 0, None, exhaustive.SIX, exhaustive.DEPTH)


@pytest.mark.parametrize(
    ("book", "one", "mean"),
    [(RESET, Fraction(1, 5), Fraction(99, 25)), (ADD, Fraction(1, 6), Fraction(21, 5))],
)
def test_natural_result_of_one_die(book, one, mean):
    law = natural_law(book)
    assert_mass(law, (1,), one)
    total = sum(natural * mass for (natural,), mass in law.masses.items())
    assert abs(total - mean) < Fraction(1, 10**12)


def test_distribution_of_the_natural_result():
    law = natural_law(RESET)
    for k in range(5):
        for j in range(2, 6):
            assert law.masses[(6 * k + j,)] == Fraction(1, 6 ** (k + 1))


def test_a_one_may_fail_the_test_in_other_editions():
    assert natural_law(Book(reroll_one="fail")).masses[(1,)] == Fraction(1, 6)
    assert_mass(natural_law(Book(reroll_one="fail")), (None,), Fraction(1, 30))
    law = natural_law(Book(reroll_one="fail", natural_one_fails=True))
    assert_mass(law, (None,), Fraction(1, 5))


# --- H1: several dice -----------------------------------------------------------------


def test_h1_a_reroll_adds_to_its_own_die():
    dice = {(DEFENCE, 0): 6, (DEFENCE + 1, 0): 3, (DEFENCE, 1): 4}
    asked = []

    def roll(slot, index):
        asked.append((slot, index))
        return dice[slot, index]

    test = defence_test(RESET, roll, committed=2, defence=3, difficulty=13, reroll="needed")
    assert test == (10, 13, True)
    assert asked == list(dice)


@pytest.mark.parametrize("book", [RESET, ADD])
@pytest.mark.parametrize(
    ("dice", "value"), [(1, Fraction(1, 12)), (2, Fraction(23, 144)), (3, Fraction(397, 1728))]
)
def test_h1_natural_ten_or_more(book, dice, value):
    law = exhaustive.raw_parry_law(book, "needed", dice, 0, 10)
    assert law == exhaustive.parry_law(book, "needed", dice, 0, 10)
    assert (law.masses[True], law.rest) == (value, 0)


@pytest.mark.parametrize(
    ("dice", "value"), [(1, Fraction(1, 12)), (2, Fraction(11, 72)), (3, Fraction(91, 432))]
)
def test_h1_natural_ten_or_more_with_one_chain(dice, value):
    law = exhaustive.parry_law(ONE_CHAIN, "needed", dice, 0, 10)
    assert (law.masses[True], law.rest) == (value, 0)


def test_r2_a_six_that_is_enough_may_be_kept():
    assert exhaustive.parry_law(RESET, "needed", 1, 3, 9).masses[True] == Fraction(1, 6)
    assert_mass(exhaustive.parry_law(RESET, "always", 1, 3, 9), True, Fraction(2, 15))


# --- H2: ties -------------------------------------------------------------------------

TIES = [
    (RESET, 0, Fraction(74, 175), Fraction(27, 175)),
    (RESET, 1, Fraction(101, 175), Fraction(5, 42)),
    (RESET, 2, Fraction(731, 1050), Fraction(19, 210)),
    (RESET, 4, Fraction(64, 75), Fraction(3, 70)),
    (ADD, 0, Fraction(3, 7), Fraction(1, 7)),
]


@pytest.mark.parametrize(("book", "more", "win", "tie"), TIES)
@pytest.mark.parametrize("chooser", [0, 1])
def test_h2_opposed_test(book, more, win, tie, chooser):
    law = exhaustive.roll_off_law(duel(book, chooser=chooser), (3 + more, 3))
    assert_mass(law, 0, win)
    assert_mass(law, -1, tie)
    assert_mass(law, 1, 1 - win - tie)


def test_equal_opposed_test_without_rerolls():
    law = exhaustive.roll_off_law(duel(RESET, policy=Policy(reroll_initiative="never")), (3, 3))
    assert law.masses[-1] == Fraction(1, 6)


@pytest.mark.parametrize("book", [RESET, ADD])
@pytest.mark.parametrize("chooser", [0, 1])
def test_h2_ties_rolled_again_favour_nobody(book, chooser):
    law = exhaustive.initiative_law(duel(book, chooser=chooser), (3, 3))
    assert law.masses[0] == law.masses[1]
    assert_mass(law, 0, Fraction(1, 2))


PARRIES = [
    (RESET, ALWAYS, [Fraction(3, 5), Fraction(161, 215), Fraction(6519, 7955)]),
    (RESET, KEEPS, [Fraction(7, 12), Fraction(161, 216), Fraction(119, 144)]),
    (ADD, ALWAYS, [Fraction(4, 7)]),
]


@pytest.mark.parametrize(("book", "attacker", "values"), PARRIES)
def test_h2_equality_parries(book, attacker, values):
    for committed, value in enumerate(values, start=1):
        law = exhaustive.exchange_law(book, attacker, "needed", 3, 3, committed)
        assert_mass(law, "parried", value)
        assert_mass(law, "lands", 1 - value)


def test_defence_two_below_attack():
    law = exhaustive.exchange_law(RESET, ALWAYS, "needed", 5, 3, 1)
    assert_mass(law, "parried", Fraction(23, 70))


# --- H3: the dead do not strike -------------------------------------------------------


def given_first(law, first):
    """State codes -> probability when this side won the first initiative."""
    masses = {end.states: mass for end, mass in law.masses.items() if end.first == first}
    return {states: mass / sum(masses.values()) for states, mass in masses.items()}


def test_h3_only_double_six_kills():
    law = exhaustive.exact(duel(only_double_six_kills(RESET)))
    assert given_first(law, 0) == {
        (0, 8): Fraction(2521, 46656),
        (8, 0): Fraction(88235, 1679616),
        (0, 0): Fraction(1500625, 1679616),
    }


def test_h3_every_blow_kills():
    law = exhaustive.exact(duel(every_blow_kills(RESET)))
    assert given_first(law, 0) == {(0, 8): 1}
    assert given_first(law, 1) == {(8, 0): 1}


def test_one_against_two():
    fighters = (fighter("lone"), fighter("one"), fighter("other"))
    book = only_double_six_kills(RESET)
    law = exhaustive.exact(Combat(fighters, (ALWAYS, ALWAYS), 0, book))
    values = {0: Fraction(8069686345, 78364164096), 1: Fraction(228884111, 2176782336)}
    for first, value in values.items():
        ends = given_first(law, first)
        assert sum(mass for states, mass in ends.items() if states[0] == 8) == value


# --- H4: a modifier is applied once ---------------------------------------------------


@pytest.mark.parametrize(("book", "value"), [(RESET, Fraction(606, 925)), (ADD, Fraction(20, 31))])
def test_h4_numbers_bonus(book, value):
    fighters = (fighter("lone"), fighter("one"), fighter("other"))
    combat = Combat(fighters, (ALWAYS, ALWAYS), 0, book)
    law = exhaustive.exact(combat)
    first = sum(mass for end, mass in law.masses.items() if end.first == 1)
    assert first <= value <= first + law.rest
    values = rules.initiative_values(combat, beginning(combat)).characteristics
    assert values == (3, 4)


@pytest.mark.parametrize(
    ("book", "value"), [(RESET, Fraction(731, 955)), (ADD, Fraction(144, 191))]
)
def test_h4_a_bonus_of_two_would_show(book, value):
    assert_mass(exhaustive.initiative_law(duel(book), (3, 5)), 1, value)


def current_with(wounds, characteristic):
    combat = Combat((fighter(ATT=5, FOR=8, RES=11, wounds=wounds), fighter()))
    return current(combat, beginning(combat), 0, characteristic)


def test_h4_light_and_stunned():
    wounds = suffer(RESET, suffer(RESET, UNHURT, "St"), "L")
    assert current_with(wounds, "ATT") == 3
    assert current_with(wounds, "FOR") == 6
    assert current_with(wounds, "RES") == 11


def test_h4_light_then_serious_is_critical_only():
    wounds = suffer(RESET, suffer(RESET, UNHURT, "L"), "S")
    assert wounds == Wounds(level=3)
    assert current_with(wounds, "ATT") == 2


def test_r4_attack_three_never_fails():
    law = exhaustive.attack_law(RESET, ALWAYS, 3, 3, exhaustive.SIX, exhaustive.DEPTH)
    assert (None,) not in law.masses
    assert attack_test(RESET, lambda slot, index: 1, 3, lambda natural: True).passed
