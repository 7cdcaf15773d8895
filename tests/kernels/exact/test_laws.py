"""Exact laws of single tests: the reference, the handout's numbers, sums in closed form.

The reference enumerates dice and says what it left out (``Law.rest``): an exact chance lies
between its mass and that mass with the rest. The kernels leave nothing out, but keep a
chain after ``DEPTH`` sixes: what may be wrong weighs 6**-24, below a float's last digit.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from exact_witness import fight_of, plainly, rational_laws, spoil
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from estoc.kernels.exact.initiative import opposed_law
from estoc.kernels.exact.laws import attack_law, natural_law, wound_law
from estoc.kernels.layout.combat import Outcome
from estoc.kernels.layout.exact import DEPTH, GOALS, new_laws
from estoc.kernels.layout.policy import Reroll
from estoc.profiles import InputError, load_edition
from reference import exhaustive
from reference.book import OUTCOMES, Book, only_double_six_kills
from reference.state import Combat, Fighter, Policy

FLOAT = 1e-15
RESET, ADD, FAIL = (Book(reroll_one=mode) for mode in ("reset", "add", "fail"))
ONE_CHAIN = Book(many_dice="one_chain")
REROLLS = ("needed", "never", "always")
USUAL = (Policy(), Policy())
EDITIONS = [
    Book(reroll_one=mode, natural_one_fails=one, automatic_failure=zero, many_dice=many)
    for mode, one, zero, many in product(
        ("reset", "add", "fail"), (False, True), (0, 1, 4), ("best_chain", "one_chain")
    )
]
BOOKS_OF_ONE_DIE = [book for book in EDITIONS if book.many_dice == "best_chain"]


def fighter(**fields):
    return Fighter("fighter", **{"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, **fields})


def duel(book=RESET, policies=USUAL, chooser=0):
    return Combat((fighter(), fighter()), policies, chooser, book)


def named(book):
    """A book in a test's name."""
    one = "-one fails" if book.natural_one_fails else ""
    return f"{book.reroll_one}{one}-{book.automatic_failure}-{book.many_dice}"


def assert_chance(found, law, outcome):
    """A chance is the enumerated one: it lies within what the reference left open."""
    mass = law.masses.get(outcome, Fraction(0))
    assert float(mass) - 2 * FLOAT <= found <= float(mass + law.rest) + 2 * FLOAT


# --- one die (W-1.2, W-1.3) -------------------------------------------------------------


def natural(book, reroll="always", needed=0):
    """Law of the natural result of one die, 0 for a test that a rule failed."""
    law = spoil(np.empty(GOALS))
    natural_law(fight_of(duel(book)), new_laws(), Reroll[reroll.upper()], needed, law)
    return law


@pytest.mark.parametrize("reroll", REROLLS)
@pytest.mark.parametrize("book", BOOKS_OF_ONE_DIE[::3], ids=named)
def test_natural_result_of_one_die(book, reroll):
    plain = replace(book, automatic_failure=-998)  # only a rule fails
    for needed in (-5, 1, 6, 7, 8, 12, 13, 20):
        policy = Policy(reroll_attack=reroll, margin=needed - 1)
        law = exhaustive.attack_law(plain, policy, 0, 0, exhaustive.SIX, exhaustive.DEPTH)
        found = natural(book, reroll, needed)
        assert found.sum() == pytest.approx(1, abs=FLOAT)
        assert_chance(found[0], law, (None,))
        for result in range(1, GOALS):
            assert_chance(found[result], law, (result,))


@pytest.mark.parametrize(
    ("book", "one", "mean"),
    [(RESET, Fraction(1, 5), Fraction(99, 25)), (ADD, Fraction(1, 6), Fraction(21, 5))],
)
def test_r1_natural_1_and_mean(book, one, mean):
    law = natural(book)
    assert law[1] == pytest.approx(float(one), abs=FLOAT)
    assert np.arange(GOALS) @ law == pytest.approx(float(mean), abs=4 * FLOAT)


def test_distribution_of_the_natural_result():
    law = natural(RESET)
    for k in range(DEPTH):
        assert law[6 * k + 6] == (0 if k + 1 < DEPTH else pytest.approx(6.0**-DEPTH, rel=1e-12))
        for j in range(2, 6):
            assert law[6 * k + j] == pytest.approx(6.0 ** -(k + 1), rel=1e-14)


def test_a_1_may_fail_the_test_in_other_editions():
    assert natural(FAIL)[0] == pytest.approx(1 / 30, abs=FLOAT)
    assert natural(FAIL)[1] == pytest.approx(1 / 6, abs=FLOAT)
    strict = natural(replace(FAIL, natural_one_fails=True))
    assert strict[0] == pytest.approx(1 / 5, abs=FLOAT)  # R4: natural 1, a fifth of the time
    assert strict[1] == 0


# --- several defence dice (C-6.4, W-1.4) ------------------------------------------------


def parries(book, reroll="needed", dice=3):
    """Chances to reach a natural result, by dice and by that result."""
    tables = new_laws()
    policies = Policy(reroll_defence=reroll), Policy(reroll_defence=reroll)
    attack_law(fight_of(duel(book, policies)), tables, 0, dice, 3, 3)
    table = tables[0].parry
    np.testing.assert_array_equal(table[0, 0], table[1, 0])
    return table[0, 0]


@pytest.mark.parametrize("reroll", REROLLS)
@pytest.mark.parametrize("book", EDITIONS[:4] + EDITIONS[12:16] + EDITIONS[24:28:3], ids=named)
def test_best_of_several_dice(book, reroll):
    table = parries(book, reroll)
    for dice in (1, 2, 3):
        one_chain = dice > 1 and book.many_dice == "one_chain"
        goals = (2, 6, 7, 10) if one_chain else range(1, 32)
        for goal in goals if dice < 3 or not one_chain else (6, 9):
            depth = exhaustive.DEPTH if not one_chain else 9 + dice
            law = exhaustive.parry_law(book, reroll, dice, 100, 100 + goal, depth=depth)
            assert_chance(table[dice, goal], law, True)
            assert_chance(1 - table[dice, goal], law, False)


@pytest.mark.parametrize(
    ("book", "values"),
    [
        (RESET, [Fraction(1, 12), Fraction(23, 144), Fraction(397, 1728)]),
        (ADD, [Fraction(1, 12), Fraction(23, 144), Fraction(397, 1728)]),
        (ONE_CHAIN, [Fraction(1, 12), Fraction(11, 72), Fraction(91, 432)]),
    ],
)
def test_h1_natural_ten_or_more(book, values):
    for dice, value in enumerate(values, start=1):
        assert parries(book)[dice, 10] == pytest.approx(float(value), abs=FLOAT)


def test_r2_a_six_that_is_enough_may_be_kept():
    assert parries(RESET, "needed")[1, 6] == pytest.approx(1 / 6, abs=FLOAT)
    assert parries(RESET, "always")[1, 6] == pytest.approx(2 / 15, abs=FLOAT)


def test_a_higher_goal_is_never_easier_and_more_dice_never_worse():
    for book, reroll in product(EDITIONS, ("needed", "never")):
        table = parries(book, reroll)
        assert (np.diff(table[1:4, 1:], axis=1) <= FLOAT).all()
        assert (np.diff(table[1:4, 1:], axis=0) >= -FLOAT).all()


# --- an attack on defence dice (C-6.3, C-6.4) -------------------------------------------


def exchanged(book, attacker, reroll_defence, attack, defence, dice, side=0):
    """Failed, parried, lands: by the kernel."""
    defender = Policy(reroll_defence=reroll_defence)
    policies = (attacker, defender) if side == 0 else (defender, attacker)
    return attack_law(fight_of(duel(book, policies)), new_laws(), side, dice, attack, defence)


def assert_exchange(book, attacker, reroll_defence, attack, defence, dice, side=0, depth=20):
    found = exchanged(book, attacker, reroll_defence, attack, defence, dice, side)
    assert sum(found) == pytest.approx(1, abs=FLOAT)
    if dice == 0 and not (book.natural_one_fails or attack + 1 <= book.automatic_failure):
        assert found == (0, 0, 1)  # C-6.5: the die is not rolled
        return
    law = exhaustive.exchange_law(
        book, attacker, reroll_defence, attack, defence, dice, exhaustive.SIX, depth
    )
    for chance, outcome in zip(found, ("failed", "parried", "lands"), strict=True):
        assert_chance(chance, law, outcome)


@pytest.mark.parametrize("book", BOOKS_OF_ONE_DIE, ids=named)
def test_attack_on_defence_dice_in_every_edition(book):
    for number, (reroll, parry) in enumerate(product(REROLLS, REROLLS)):
        attacker = Policy(reroll_attack=reroll, margin=(5, 0, -2)[number % 3])
        dice = (1, 2, 0)[(number + number // 3) % 3]
        attack, defence = (3, 3) if number % 2 else (number % 5, (2 * number) % 7)
        assert_exchange(book, attacker, parry, attack, defence, dice, number % 2)


@pytest.mark.parametrize("attack", [-2, 0, 4])
def test_only_a_natural_one_fails_where_the_edition_says_so(attack):
    """W-1.3: with ATT -2 a 2 makes 0, and hits who does not defend."""
    edition = load_edition("c3").with_rule("automatic_failure=-99")
    assert edition["tests.automatic_failure"] == -99
    with pytest.raises(InputError, match="at least -99"):
        edition.with_rule("automatic_failure=-100")
    book = Book(reroll_one="fail", natural_one_fails=True, automatic_failure=-99)
    failed, _, lands = exchanged(book, Policy(), "never", attack, 3, 0)
    assert (failed, lands) == (pytest.approx(1 / 6), pytest.approx(5 / 6))
    for dice, defence in ((0, 0), (1, -3), (1, 5), (2, 0)):
        assert_exchange(book, Policy(), "needed", attack, defence, dice)
        assert_exchange(replace(book, natural_one_fails=False), Policy(), "needed", attack, -1, 1)


@pytest.mark.parametrize("mode", ["reset", "add", "fail"])
def test_attack_on_defence_dice_with_one_chain(mode):
    """The reference rolls all dice together, so that it leaves out a little more."""
    book = replace(ONE_CHAIN, reroll_one=mode)
    for reroll, parry in (("always", "needed"), ("needed", "always"), ("never", "never")):
        assert_exchange(book, Policy(reroll_attack=reroll), parry, 3, 4, 2, depth=8)


@seed(31)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(
    st.sampled_from(BOOKS_OF_ONE_DIE),
    st.builds(Policy, reroll_attack=st.sampled_from(REROLLS), margin=st.integers(-3, 9)),
    st.sampled_from(REROLLS),
    st.integers(-3, 9),
    st.integers(-3, 9),
    st.integers(0, 4),
    st.integers(0, 1),
)
def test_any_attack_on_defence_dice(book, attacker, parry, attack, defence, dice, side):
    assert_exchange(book, attacker, parry, attack, defence, dice, side)


ALWAYS, KEEPS = Policy(reroll_attack="always"), Policy(reroll_attack="never")


@pytest.mark.parametrize(
    ("book", "attacker", "values"),
    [
        (RESET, ALWAYS, [Fraction(3, 5), Fraction(161, 215), Fraction(6519, 7955)]),
        (RESET, KEEPS, [Fraction(7, 12), Fraction(161, 216), Fraction(119, 144)]),
        (ADD, ALWAYS, [Fraction(4, 7)]),
    ],
)
def test_h2_equality_parries(book, attacker, values):
    for dice, value in enumerate(values, start=1):
        failed, parried, lands = exchanged(book, attacker, "needed", 3, 3, dice)
        assert failed == 0
        assert parried == pytest.approx(float(value), abs=FLOAT)
        assert lands == pytest.approx(float(1 - value), abs=FLOAT)


def test_defence_two_below_attack():
    _, parried, _ = exchanged(RESET, ALWAYS, "needed", 5, 3, 1)
    assert parried == pytest.approx(23 / 70, abs=FLOAT)


def test_r4_attack_three_never_fails():
    for book, chance in ((RESET, 0), (Book(reroll_one="fail", natural_one_fails=True), 1 / 5)):
        failed, parried, lands = exchanged(book, ALWAYS, "needed", 3, 3, 0)
        assert (failed, parried, lands) == pytest.approx((chance, 0, 1 - chance), abs=FLOAT)


# --- the opposed test (W-1.5) -----------------------------------------------------------


def roll_off(book, difference, rerolls=("always", "always"), chooser=0):
    """Wins, ties, loses: by the kernel."""
    policies = tuple(Policy(reroll_initiative=name) for name in rerolls)
    return opposed_law(fight_of(duel(book, policies, chooser)), new_laws(), difference)


def assert_roll_off(book, difference, rerolls, chooser):
    policies = tuple(Policy(reroll_initiative=name) for name in rerolls)
    law = exhaustive.roll_off_law(duel(book, policies, chooser), (3 + difference, 3), depth=14)
    found = roll_off(book, difference, rerolls, chooser)
    assert sum(found) == pytest.approx(1, abs=FLOAT)
    for chance, outcome in zip(found, (0, -1, 1), strict=True):
        assert_chance(chance, law, outcome)


@pytest.mark.parametrize("book", BOOKS_OF_ONE_DIE[::3], ids=named)
def test_opposed_test_in_every_edition(book):
    for number, rerolls in enumerate(product(REROLLS, REROLLS)):
        assert_roll_off(book, (0, 1, -2)[number % 3], rerolls, number % 2)


@seed(32)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(
    st.sampled_from(BOOKS_OF_ONE_DIE[::3]),
    st.integers(-8, 8),
    st.tuples(st.sampled_from(REROLLS), st.sampled_from(REROLLS)),
    st.integers(0, 1),
)
def test_any_opposed_test(book, difference, rerolls, chooser):
    assert_roll_off(book, difference, rerolls, chooser)


@pytest.mark.parametrize(
    ("book", "more", "win", "tie"),
    [
        (RESET, 0, Fraction(74, 175), Fraction(27, 175)),
        (RESET, 1, Fraction(101, 175), Fraction(5, 42)),
        (RESET, 2, Fraction(731, 1050), Fraction(19, 210)),
        (RESET, 4, Fraction(64, 75), Fraction(3, 70)),
        (ADD, 0, Fraction(3, 7), Fraction(1, 7)),
    ],
)
@pytest.mark.parametrize("chooser", [0, 1])
def test_h2_opposed_test(book, more, win, tie, chooser):
    expected = [float(value) for value in (win, tie, 1 - win - tie)]
    np.testing.assert_allclose(roll_off(book, more, chooser=chooser), expected, atol=FLOAT, rtol=0)
    back = roll_off(book, -more, chooser=chooser)
    np.testing.assert_allclose(back, expected[::-1], atol=FLOAT, rtol=0)


def test_equal_opposed_test_without_rerolls():
    wins, ties, loses = roll_off(RESET, 0, ("never", "never"))
    assert ties == pytest.approx(1 / 6, abs=FLOAT)
    assert wins == pytest.approx(5 / 12, abs=FLOAT)
    assert loses == pytest.approx(5 / 12, abs=FLOAT)


def test_an_opposed_test_out_of_reach_is_won():
    for rerolls in product(("needed", "never"), repeat=2):
        assert roll_off(RESET, 400, rerolls) == pytest.approx((1, 0, 0), abs=FLOAT)
        assert roll_off(RESET, -400, rerolls) == pytest.approx((0, 0, 1), abs=FLOAT)


# --- the wound roll (W-2) ---------------------------------------------------------------


def wounds(book, difference, tables=None):
    law = spoil(np.empty(len(Outcome)))
    wound_law(fight_of(duel(book)), new_laws() if tables is None else tables, difference, law)
    return law


COUNTS = """
-10 11 16  8  0  0  1
 -6  9 16  8  2  0  1
 -4  5 14 11  3  2  1
 -2  1 11 13  7  3  1
 -1  0  8 15  9  3  1
  0  0  5 14 11  3  3
  1  0  3 13 12  4  4
  2  0  1 13 11  7  4
  4  0  0  9 12  9  6
  6  0  0  5 13  9  9
  8  0  0  1 13 11 11
 12  0  0  0  5 13 18
"""


@pytest.mark.parametrize("line", COUNTS.strip().splitlines())
def test_counts_of_the_wound_roll(line):
    difference, *counts = map(int, line.split())
    assert sum(counts) == 36
    np.testing.assert_array_equal(wounds(RESET, difference), np.array(counts) / 36)


BY_LOCATION = Book(wound_table=("- St L S C",) * 11, double_six_kills=False)


@pytest.mark.parametrize(
    "book",
    [
        RESET,
        Book(double_six_kills=False),
        only_double_six_kills(RESET),
        BY_LOCATION,
        Book(wound_table=tuple(f"{a} - {a} St L" for a in (*OUTCOMES, *reversed(OUTCOMES[:5])))),
    ],
)
def test_wound_roll_by_strength(book):
    tables = new_laws()
    for difference in range(-40, 41):
        law = exhaustive.wound_law(book, difference, 0)
        expected = [float(law.masses.get(outcome, 0)) for outcome in OUTCOMES]
        np.testing.assert_array_equal(wounds(book, difference, tables), expected)


def test_locations_are_the_lower_die():
    """Lower die 1 to 6: 11, 9, 7, 5, 3 and 1 of 36; the head is 5 and 6."""
    np.testing.assert_array_equal(wounds(BY_LOCATION, 0), np.array([11, 9, 7, 5, 3 + 1, 0]) / 36)


# --- in whole numbers -------------------------------------------------------------------


def check_closed_forms():
    """Uncompiled, chances are Fractions: they miss the closed form by no more than 6**-24."""
    cut = Fraction(1, 6**DEPTH)
    for book, one, mean in (
        (RESET, Fraction(1, 5), Fraction(99, 25)),
        (ADD, None, Fraction(21, 5)),
    ):
        law = spoil(np.empty(GOALS, object))
        natural_law(fight_of(duel(book)), rational_laws(), Reroll.ALWAYS, 0, law)
        assert all(isinstance(chance, Fraction) for chance in law)
        assert sum(law) == 1
        assert one is None or 0 < one - law[1] <= cut
        assert 0 < abs(mean - sum(k * chance for k, chance in enumerate(law))) <= 6 * DEPTH * cut
        for k in range(DEPTH - 1):
            assert law[6 * k + 2] == Fraction(1, 6 ** (k + 1))
    for dice, value in enumerate((Fraction(1, 12), Fraction(23, 144), Fraction(397, 1728)), 1):
        tables = rational_laws()
        attack_law(fight_of(duel()), tables, 0, 3, 3, 3)
        assert tables[0].parry[0, 0, dice, 10] == value
    assert tables[0].parry[0, 0, 1, 6] == Fraction(1, 6)
    numbers = (ALWAYS, [Fraction(3, 5), Fraction(161, 215), Fraction(6519, 7955)])
    for attacker, values in (numbers, (KEEPS, [Fraction(7, 12), Fraction(161, 216)])):
        for dice, value in enumerate(values, start=1):
            tables, fights = rational_laws(), fight_of(duel(policies=(attacker, Policy())))
            failed, parried, lands = attack_law(fights, tables, 0, dice, 3, 3)
            assert (failed, parried + lands) == (0, 1)
            assert abs(parried - value) <= (cut if attacker is ALWAYS else 0)
    always = Policy(reroll_initiative="always")
    for book, more, win, tie in (
        (RESET, 0, Fraction(74, 175), Fraction(27, 175)),
        (RESET, 4, Fraction(64, 75), Fraction(3, 70)),
        (ADD, 0, Fraction(3, 7), Fraction(1, 7)),
    ):
        fights = fight_of(duel(book, (always, always)))
        wins, ties, loses = opposed_law(fights, rational_laws(), more)
        assert wins + ties + loses == 1
        assert abs(wins - win) <= DEPTH * cut
        assert abs(ties - tie) <= DEPTH * cut
    law = spoil(np.empty(len(Outcome), object))
    wound_law(fight_of(duel()), rational_laws(), 0, law)
    assert list(law) == [Fraction(count, 36) for count in (0, 5, 14, 11, 3, 3)]


@pytest.mark.slow
def test_closed_forms_in_fractions(tmp_path):
    plainly("tests.kernels.exact.test_laws", "check_closed_forms", tmp_path)
