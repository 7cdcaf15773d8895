"""Decisions of the players, one by one, on chosen dice (`estoc.kernels.combat.policy`)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import combats
from witness import Compiled, assert_same_trial, scripted

from reference.book import Book, Wounds
from reference.combat import ATTACK, DIE, INITIATIVE, PLACE, STRIKE
from reference.state import Combat, Fighter, Policy

HARMLESS = Book(wound_table=("- - - - -",) * 11, double_six_kills=False)
USUAL = {"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5}


def fighter(**fields):
    return Fighter("fighter", **{**USUAL, **fields})


def combat(*fighters, lone=None, others=None, **fields):
    """A combat without wounds, so that every attack is made."""
    policies = (lone or Policy(), others or Policy())
    return Combat(fighters, policies, **{"book": HARMLESS, **fields})


def rows(log, kind):
    return [row for row in log if row[0] == kind]


def log_of(combat, trial=0):
    """Log of the kernels, which is the reference's."""
    compiled = Compiled(combat)
    assert_same_trial(compiled, trial)
    return compiled.log(trial)


def placements(combat):
    return {row[3]: row[6:8] for row in rows(log_of(combat), PLACE)}


def strikes(combat, side, trial=0):
    """Who strikes or is struck in the first pass, in order, for side 1 or side 0."""
    first = [row for row in rows(log_of(combat, trial), STRIKE) if row[2] == 0]
    return [row[4 - side] for row in first if (row[3] > 0) == side]


# --- placing dice (C-3) ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("placement", "dice"),
    [("attack", (3, 0)), ("defence", (0, 3)), ("even", (2, 1))],
)
def test_fixed_placements(placement, dice):
    policy = Policy(placement=placement)
    assert placements(combat(fighter(), fighter(), fighter(), lone=policy))[0] == dice


BETTER = fighter(FOR=6)


def test_answer_attacks_unless_an_enemy_is_better():
    assert placements(combat(fighter(), fighter())) == {0: (2, 0), 1: (2, 0)}
    # who is outclassed and places second keeps a die for each attack, and one to attack
    pair = (fighter(PA=9), replace(BETTER, PA=1))
    assert placements(combat(*pair)) == {1: (2, 0), 0: (1, 1)}
    # who places first divides his dice
    pair = (fighter(PA=1), replace(BETTER, PA=9), fighter(PA=9))
    assert placements(combat(*pair))[0] == (2, 1)


def test_answer_shares_the_attacks_of_the_lone_fighter():
    lone = replace(BETTER, PA=1)
    for placed, dice in (((4, 0), (0 + 1, 1)), ((1, 3), (1, 1)), ((0, 4), (2, 0))):
        listed = (replace(lone, placed=placed), *(fighter(PA=5) for _ in range(3)))
        found = placements(combat(*listed))
        assert [found[i] for i in (1, 2, 3)] == [dice] * 3


def test_answer_with_wounds_and_a_charge():
    even = fighter(PA=9), fighter(PA=1)
    assert placements(combat(*even))[0] == (2, 0)
    hurt = replace(even[0], wounds=Wounds(1))
    assert placements(combat(hurt, even[1]))[0] == (1, 1)
    assert placements(combat(replace(even[0], charged=True), even[1]))[0] == (1, 1)


def test_all_defence_and_placed_dice_come_before_the_policy():
    policy = Policy(placement="attack")
    pair = combat(fighter(placed=(1, 1)), fighter(all_defence=True), lone=policy, others=policy)
    assert placements(pair) == {0: (1, 1), 1: (0, 2)}
    later = [row for row in rows(log_of(replace(pair, turns=2)), PLACE) if row[1] == 1]
    assert {row[3]: row[6:8] for row in later} == {0: (1, 1), 1: (2, 0)}


@pytest.mark.parametrize(
    ("placed", "dice"),
    [((1, 0), (3, 0)), ((1, 1), (2, 1)), ((0, 4), (0, 3)), ((3, 1), (2, 1)), ((1, 5), (1, 2))],
)
def test_placed_dice_are_scaled(placed, dice):
    assert placements(combat(fighter(placed=placed), fighter(), fighter()))[0] == dice


def test_no_dice_at_all():
    book = replace(HARMLESS, dice_base=0, dice_per_enemy=0)
    for placement in ("answer", "even", "attack", "defence"):
        policy = Policy(placement=placement)
        pair = combat(fighter(), BETTER, lone=policy, others=policy, book=book)
        assert placements(pair) == {0: (0, 0), 1: (0, 0)}


def test_order_of_placing():
    listed = (fighter(PA=20), fighter(PA=10), fighter(PA=30), fighter(PA=40, pure_caster=True))
    assert [row[3] for row in rows(log_of(combat(*listed)), PLACE)] == [3, 1, 0, 2]
    equal = fighter(PA=5), fighter(PA=5)
    for chooser in (0, 1):
        told = rows(log_of(combat(*equal, chooser=chooser)), PLACE)
        assert [row[3] for row in told] == [1 - chooser, chooser]
    own = combat(*listed, order=(2, 0, 1, 3))
    assert [row[3] for row in rows(log_of(own), PLACE)] == [2, 0, 1, 3]


# --- initiative (C-4) -----------------------------------------------------------------


def test_who_takes_the_initiative_test():
    listed = fighter(), fighter(INI=2), fighter(INI=4), fighter(INI=4)
    best = rows(log_of(combat(*listed)), INITIATIVE)
    assert best[0][4] == 2
    first = rows(log_of(combat(*listed, others=Policy(initiative="listed"))), INITIATIVE)
    assert first[0][4] == 1
    hurt = (*listed[:2], replace(listed[2], wounds=Wounds(1, 1)), listed[3])
    assert rows(log_of(combat(*hurt)), INITIATIVE)[0][4] == 3


@pytest.mark.parametrize(
    ("policy", "dice", "results"),
    [
        ("needed", [6, 2], (9, 5)),  # ahead: nobody re-rolls
        ("never", [6, 6], (9, 9)),
        ("always", [6, 2, 3], (12, 5)),
    ],
)
def test_sixes_of_initiative(policy, dice, results):
    sides = Policy(reroll_initiative=policy, placement="defence")
    book = replace(HARMLESS, opposed_tie="first")
    told = rows(scripted(combat(fighter(), fighter(), lone=sides, others=sides, book=book), dice),
                INITIATIVE)  # fmt: skip
    assert [row[6:8] for row in told] == [results]


@pytest.mark.parametrize("chooser", [0, 1])
def test_the_side_that_did_not_choose_re_rolls_first(chooser):
    sides = Policy(placement="defence")
    pair = combat(fighter(), fighter(), lone=sides, others=sides, chooser=chooser)
    log = scripted(pair, [6, 6, 2, 3])  # he gets 6→2, then the other is behind: 6→3
    order = [row[3] for row in rows(log, DIE)]
    assert order == [0, 1, 1 - chooser, chooser]
    result = rows(log, INITIATIVE)[0]
    assert result[5] == chooser
    assert sorted(result[6:8]) == [11, 12]


# --- striking (C-5) -------------------------------------------------------------------


def test_order_of_the_strikers():
    listed = fighter(), fighter(ATT=4), fighter(ATT=2), fighter(ATT=4, FOR=4), fighter(ATT=9)
    expected = {"weakest": [2, 3, 1, 4], "strongest": [4, 1, 3, 2], "listed": [1, 2, 3, 4]}
    for order, who in expected.items():
        policy = Policy(strike_order=order, placement="attack")
        assert strikes(combat(*listed, others=policy), 1) == who


def test_order_of_the_targets():
    listed = (
        fighter(),
        fighter(RES=6, PA=5, placed=(1, 1)),
        fighter(RES=4, PA=7, placed=(1, 1), wounds=Wounds(1)),
        fighter(RES=9, PA=None, placed=(2, 0)),
        fighter(RES=5, PA=9, placed=(0, 2), wounds=Wounds(0, 1)),
        fighter(RES=3, PA=1, placed=(1, 1), wounds=Wounds(1)),
    )
    expected = {
        "wounded": [5, 2, 4, 1, 3],
        "undefended": [3, 1, 2, 5, 4],
        "dearest": [4, 2, 1, 5, 3],
        "frail": [5, 2, 4, 1, 3],
        "listed": [1, 2, 3, 4, 5],
    }
    for target, who in expected.items():
        policy = Policy(target=target, placement="attack")
        # he strikes first, so that the defence dice are as they were placed
        first = combat(replace(listed[0], INI=40), *listed[1:], lone=policy, others=Policy(parry=1))
        assert strikes(first, 0) == who


# --- defending (C-6.2, C-7) -----------------------------------------------------------


def committed(parry, attackers, dice=5, sustain="never"):
    """Dice committed by the lone fighter against one attack of each enemy, all parried."""
    enemies = tuple(fighter(placed=(1, 1), ATT=1) for _ in range(attackers))
    lone = fighter(DEF=40, INI=0, placed=(0, dice))
    book = replace(HARMLESS, dice_base=dice - attackers)
    enemies = tuple(replace(enemy, placed=(1, dice - attackers)) for enemy in enemies)
    fought = combat(lone, *enemies, lone=Policy(parry=parry, sustain=sustain), book=book)
    return [row[5:7] for row in rows(log_of(fought), STRIKE)]


def test_number_of_dice_committed():
    assert committed("none", 3) == [(0, 0)] * 3
    assert committed(1, 3) == [(1, 0)] * 3
    assert committed(2, 3) == [(2, 0), (2, 0), (1, 0)]
    assert committed("all", 3) == [(5, 0), (0, 0), (0, 0)]
    assert committed("spread", 3) == [(2, 0), (2, 0), (1, 0)]
    assert committed("spread", 4) == [(2, 0), (1, 0), (1, 0), (1, 0)]


def test_sustained_defence():
    assert committed(1, 4, dice=4, sustain="useful")[-2:] == [(1, 0), (1, 0)]
    assert committed(1, 4, dice=4, sustain="always")[-2:] == [(1, 0), (1, 1)]
    assert committed(3, 4, dice=4, sustain="useful") == [(3, 0), (1, 1), (1, 1), (1, 1)]
    assert committed(3, 4, dice=4, sustain="never") == [(3, 0), (1, 0), (0, 0), (0, 0)]


def test_not_sustained_with_more_attack_than_defence_dice():
    for placed, sustained in (((2, 1), 0), ((1, 2), 1)):
        lone = fighter(DEF=40, INI=0, placed=placed)
        enemies = fighter(placed=(2, 0)), fighter(placed=(2, 0))
        fought = combat(lone, *enemies, lone=Policy(sustain="always"))
        met = [row for row in rows(log_of(fought), STRIKE) if row[4] == 0]
        assert any(row[6] for row in met) == sustained


# --- sixes (W-1.2) --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reroll", "margin", "rolled_again"),
    [
        ("needed", 5, False),  # 6 + 3 leads a DEF of 3 by 6
        ("needed", 6, True),
        ("never", 99, False),
        ("always", -99, True),
    ],
)
def test_the_attacker_keeps_a_six_that_leads_by_enough(reroll, margin, rolled_again):
    sides = Policy(reroll_attack=reroll, margin=margin), Policy(parry=2)
    fought = Combat((fighter(placed=(1, 1)), fighter(placed=(0, 2))), sides, 0, HARMLESS)
    chain = [6, 4] if rolled_again else [6]
    told = rows(scripted(fought, [5, 2, *chain, 2, 2, 1, 1]), ATTACK)
    assert told == [(ATTACK, 0, 0, 0, 1, 0, sum(chain), sum(chain) + 3, 0)]


@settings(max_examples=60, deadline=None)
@given(combats(most=3, any_book=False), st.integers(0, 2**32))
def test_every_policy_decides_as_the_reference_does(fought, trial):
    assert_same_trial(Compiled(fought), trial)
