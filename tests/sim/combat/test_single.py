"""Exact chances of single tests, asked from Python: the numbers of the handout."""

from fractions import Fraction

import pytest

from estoc.profiles import InputError
from estoc.sim.base.options import Options
from estoc.sim.base.policy import POLICIES, parse_policy
from estoc.sim.combat.single import attack_law, natural_law, opposed_law, wound_law

ALWAYS = (POLICIES["always"], POLICIES["always"])
ATTACKER = (POLICIES["always"], POLICIES["sensible"])  # R2: only he re-rolls every 6


def options(*rules, policies=ALWAYS):
    return Options(rules=rules, policies=policies)


def same(found, *wanted):
    assert list(found) == pytest.approx([float(Fraction(w)) for w in wanted], abs=1e-14)


@pytest.mark.parametrize(
    ("rules", "one", "mean"),
    [((), "1/5", "99/25"), (("reroll_one=add",), "1/6", "21/5"), (("reroll_one=fail",), "1/6", "")],
)
def test_natural_result_of_one_die(rules, one, mean):
    law = natural_law(options=options(*rules))
    assert sum(law.values()) == pytest.approx(1, abs=1e-15)
    same([law[1]], one)
    if mean:
        same([sum(n * p for n, p in law.items())], mean)
    else:
        same([law[None]], "1/30")


def test_a_six_is_re_rolled_as_long_as_it_is_not_enough():
    same(natural_law("never").values(), *["1/6"] * 6)
    law = natural_law("needed", 12)
    assert 12 in law
    assert max(law) == 12
    same([sum(p for n, p in law.items() if n >= 10)], "1/12")


@pytest.mark.parametrize(
    ("more", "win", "tie"),
    [
        (0, "74/175", "27/175"),
        (1, "101/175", "5/42"),
        (2, "731/1050", "19/210"),
        (4, "64/75", "3/70"),
    ],
)
def test_h2_opposed_test(more, win, tie):
    found = opposed_law(3 + more, 3, options())
    same(found[:2], win, tie)
    assert sum(found) == pytest.approx(1, abs=1e-15)
    mirrored = opposed_law(3, 3 + more, options())
    assert mirrored == pytest.approx((found.lose, found.tie, found.win), abs=1e-15)


def test_h2_an_equal_defence_parries():
    same([attack_law(3, 3, 1, options(policies=ATTACKER)).parried], "3/5")
    added = options("reroll_one=add", policies=ATTACKER)
    same([attack_law(3, 3, 1, added).parried], "4/7")
    same([attack_law(5, 3, 1, options(policies=ATTACKER)).parried], "23/70")


@pytest.mark.parametrize(("dice", "parried"), [(1, "3/5"), (2, "161/215"), (3, "6519/7955")])
def test_several_dice_against_an_equal_attack(dice, parried):
    same([attack_law(3, 3, dice, options(policies=ATTACKER)).parried], parried)


@pytest.mark.parametrize(("dice", "parried"), [(1, "7/12"), (2, "161/216"), (3, "119/144")])
def test_several_dice_against_an_attacker_who_keeps_his_six(dice, parried):
    keeps = (parse_policy("sensible:reroll_attack=never"), POLICIES["sensible"])
    same([attack_law(3, 3, dice, options(policies=keeps)).parried], parried)


def test_r2_keeping_the_six_is_better():
    kept = attack_law(3, 3, 1)  # the sensible policy keeps it
    rolled = attack_law(3, 3, 1, options(policies=ATTACKER))
    same([kept.lands, rolled.lands], "5/12", "2/5")


def test_w_1_3_an_attack_may_fail_automatically():
    assert attack_law(0, 3, 0).lands == 1
    failed = attack_law(-1, 3, 0)
    same([failed.failed, failed.lands], "1/6", "5/6")


COUNTS = {
    -10: (11, 16, 8, 0, 0, 1),
    -4: (5, 14, 11, 3, 2, 1),
    0: (0, 5, 14, 11, 3, 3),
    4: (0, 0, 9, 12, 9, 6),
    12: (0, 0, 0, 5, 13, 18),
}


@pytest.mark.parametrize(("difference", "counts"), COUNTS.items())
def test_w_2_wound_roll(difference, counts):
    found = wound_law(20 + difference, 20)
    assert list(found) == ["nothing", "stunned", "light", "serious", "critical", "killed"]
    same(found.values(), *(Fraction(c, 36) for c in counts))


@pytest.mark.parametrize(
    ("ask", "fault"),
    [
        (lambda: natural_law("sometimes"), 'reroll "sometimes" should be one of'),
        (lambda: attack_law(3, 3, 16), "dice 16 should be from 0 to 15"),
        (
            lambda: attack_law(3, 3, 1, Options(policies=(POLICIES["optimal"],) * 2)),
            "what is best in one test hangs on the combat",
        ),
    ],
)
def test_what_cannot_be_asked(ask, fault):
    with pytest.raises(InputError, match=fault):
        ask()
