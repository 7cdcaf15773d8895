"""The reference reads the rules right: scripted dice, laws, invariants."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference import exhaustive
from reference.book import DEAD, FAILED, UNHURT, Book, Wounds, suffer, wound_outcome
from reference.choices import (
    coming_attacks,
    committed_dice,
    next_striker,
    next_target,
    placing_order,
    scaled,
    wants_attack_reroll,
)
from reference.combat import (
    ATTACK,
    DIE,
    END,
    INITIATIVE,
    PARRY,
    PLACE,
    STRIKE,
    WOUND,
    one_side_dead,
    play,
)
from reference.rolls import attack_test, defence_test, opposed_test, wound_roll
from reference.state import Combat, Fighter, Policy, beginning
from reference.tape import Address, FunctionTape, ScriptedTape
from reference.transcript import transcript

BOOK = Book()
GOLDEN = Path(__file__).parents[1] / "golden"


def fighter(name="fighter", **fields):
    usual = {"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5}
    return Fighter(name, **{**usual, **fields})


def scripted(combat, values):
    """Play a combat on these dice, all of them."""
    tape = ScriptedTape(values)
    position, log = play(combat, tape)
    tape.finish()
    return position, log


def rows(log, kind):
    return [row for row in log if row[0] == kind]


def script(*values):
    """A roll that gives the values in order."""
    left = list(values)
    return lambda slot, index: left.pop(0)


# --- the worked example ---------------------------------------------------------------

EXAMPLE = Combat(
    (
        Fighter("garde prétorien", 3, 5, 8, 5, 11, 49, placed=(3, 1)),
        Fighter("guerrier de l'aube 1", 3, 3, 7, 3, 7, 19, placed=(2, 0)),
        Fighter("guerrier de l'aube 2", 3, 3, 7, 3, 7, 19, placed=(1, 1)),
        Fighter("Arkéon Sanath", 5, 5, 7, 6, 9, 74, placed=(1, 1)),  # ATT, RES: not in the seed
    ),
    (
        Policy(target="listed", reroll_attack="always", sustain="never"),
        Policy(strike_order="listed", sustain="never"),
    ),
)
EXAMPLE_DICE = (5, 2, 4, 2, 2, 3, 3, 5, 2, 6, 6, 4, 6, 1, 4, 5, 4, 2, 6, 6)


def test_worked_example_die_for_die():
    position, log = scripted(EXAMPLE, EXAMPLE_DICE)
    golden = (GOLDEN / "worked-example.txt").read_text(encoding="utf-8")
    assert transcript(EXAMPLE, log) == golden
    assert position.wounds == (DEAD, Wounds(1), Wounds(2), UNHURT)
    assert rows(log, END) == [(END, 0, 0, -1, -1, 0, 0, 0, 0)]


def test_worked_example_log_rows():
    _, log = scripted(EXAMPLE, EXAMPLE_DICE)
    assert log[:4] == [
        (PLACE, 0, 0, 1, -1, 0, 2, 0, 0),
        (PLACE, 0, 0, 2, -1, 0, 1, 1, 0),
        (PLACE, 0, 0, 0, -1, 0, 3, 1, 0),
        (PLACE, 0, 0, 3, -1, 0, 1, 1, 0),
    ]
    assert log[4:7] == [
        (DIE, 0, 0, 0, 3, 0, 0, 5, 0),
        (DIE, 0, 0, 3, 0, 1, 0, 2, 0),
        (INITIATIVE, 0, 0, 0, 3, 1, 8, 9, 0),
    ]
    start = log.index((STRIKE, 0, 0, 0, 2, 1, 0, 1, 0))
    assert log[start + 1 : start + 10] == [
        (DIE, 0, 0, 0, 2, 0, 0, 6, 0),
        (DIE, 0, 0, 0, 2, 0, 1, 4, 0),
        (ATTACK, 0, 0, 0, 2, 0, 10, 13, 0),
        (DIE, 0, 0, 2, 0, 2, 0, 6, 0),
        (DIE, 0, 0, 2, 0, 2, 1, 1, 0),
        (PARRY, 0, 0, 2, 0, 0, 1, 4, 0),
        (DIE, 0, 0, 0, 2, 1, 0, 4, 0),
        (DIE, 0, 0, 0, 2, 1, 1, 5, 0),
        (WOUND, 0, 0, 0, 2, 3, 4, 4, 4),
    ]
    assert rows(log, WOUND)[-1] == (WOUND, 0, 1, 1, 0, 5, 6, 1, 8)


def test_worked_example_addresses():
    values = list(EXAMPLE_DICE)
    tape = FunctionTape(lambda address: values.pop(0))
    play(EXAMPLE, tape)
    assert tape.asked[:4] == [
        Address(0, "initiative", 0, 0, 3, 0, 0),
        Address(0, "initiative", 0, 0, 3, 1, 0),
        Address(0, "attack", 0, 1, 0, 0, 0),
        Address(0, "attack", 0, 1, 0, 2, 0),
    ]
    assert tape.asked[-1] == Address(0, "attack", 1, 1, 0, 1, 1)
    assert len(set(tape.asked)) == len(EXAMPLE_DICE)


def test_a_scripted_tape_must_fit():
    with pytest.raises(LookupError):
        play(EXAMPLE, ScriptedTape(EXAMPLE_DICE[:-1]))
    with pytest.raises(LookupError):
        scripted(EXAMPLE, (*EXAMPLE_DICE, 1))


# --- W-2 and W-3: wounds --------------------------------------------------------------

COUNTS = {
    -10: (11, 16, 8, 0, 0, 1),
    -6: (9, 16, 8, 2, 0, 1),
    -4: (5, 14, 11, 3, 2, 1),
    -2: (1, 11, 13, 7, 3, 1),
    -1: (0, 8, 15, 9, 3, 1),
    0: (0, 5, 14, 11, 3, 3),
    1: (0, 3, 13, 12, 4, 4),
    2: (0, 1, 13, 11, 7, 4),
    4: (0, 0, 9, 12, 9, 6),
    6: (0, 0, 5, 13, 9, 9),
    8: (0, 0, 1, 13, 11, 11),
    12: (0, 0, 0, 5, 13, 18),
}


@pytest.mark.parametrize(("margin", "counts"), COUNTS.items())
def test_w2_counts_out_of_36(margin, counts):
    rolled = [
        wound_roll(BOOK, script(*dice), 10 + margin, 10).outcome
        for dice in product(range(1, 7), repeat=2)
    ]
    assert tuple(rolled.count(name) for name in ("-", "St", "L", "S", "C", "K")) == counts
    law = exhaustive.wound_law(BOOK, 10 + margin, 10)
    assert sum(law.masses.values()) == 1
    assert law.masses.get("K", 0) == Fraction(counts[5], 36)


def test_w2_cells_of_the_seed():
    assert wound_outcome(BOOK, 2, 3, -1) == "St"
    assert wound_outcome(BOOK, 3, 5, 1) == "L"
    assert wound_outcome(BOOK, 2, 6, 5) == "L"
    assert wound_outcome(BOOK, 4, 5, 4) == "S"
    assert wound_outcome(replace(BOOK, double_six_kills=False), 6, 6, 1) == "S"


def test_w3_levels_add_up():
    assert suffer(BOOK, Wounds(1), "L") == Wounds(2)
    assert suffer(BOOK, Wounds(1, 1), "S") == Wounds(3, 1)
    assert suffer(BOOK, Wounds(2), "S") == DEAD
    assert suffer(BOOK, Wounds(1), "C") == DEAD
    assert suffer(BOOK, UNHURT, "K") == DEAD
    assert suffer(BOOK, DEAD, "L") == DEAD


def test_w3_stunned():
    assert suffer(BOOK, Wounds(0, 1), "St") == Wounds(0, 1)
    assert suffer(Book(stunned_stacks=True), Wounds(0, 1), "St") == Wounds(0, 2)
    assert [w.code for w in (UNHURT, Wounds(0, 1), Wounds(1), Wounds(3, 1), DEAD)] == [
        0,
        1,
        2,
        7,
        8,
    ]


# --- W-1: tests -----------------------------------------------------------------------


def always(natural):
    return True


def test_w1_what_a_one_does_on_a_reroll():
    for switch, expected in [("reset", (1, 4)), ("add", (7, 10)), ("fail", (1, FAILED))]:
        test = attack_test(Book(reroll_one=switch), script(6, 1), 3, always)
        assert test == (*expected, switch != "fail")


def test_w1_natural_one_fails_only_on_the_first_die():
    book = Book(natural_one_fails=True)
    assert attack_test(book, script(1), 3, always) == (1, FAILED, False)
    assert attack_test(book, script(6, 1), 3, always) == (1, 4, True)
    assert defence_test(book, script(1, 4), 2, 3, 5, "needed") == (4, 7, True)
    assert defence_test(book, script(1, 1), 2, 3, -5, "needed") == (1, FAILED, False)


def test_w1_a_result_of_zero_fails():
    assert attack_test(BOOK, script(1), -1, always) == (1, 0, False)
    assert attack_test(BOOK, script(2), -1, always) == (2, 1, True)
    assert attack_test(Book(automatic_failure=4), script(1), 3, always) == (1, 4, False)


def test_w1_a_reroll_of_one_spoils_its_own_die_only():
    assert defence_test(BOOK, script(6, 6, 1, 5), 2, 0, 11, "needed") == (11, 11, True)
    assert defence_test(BOOK, script(6, 6, 1, 1), 2, 0, 6, "always") == (1, 1, False)


def test_w1_one_chain_rerolls_one_six_only():
    book = Book(many_dice="one_chain")
    assert defence_test(book, script(6, 6, 1), 2, 0, 11, "needed") == (6, 6, False)
    assert defence_test(book, script(3, 6, 6, 2), 2, 0, 99, "always") == (14, 14, False)


def test_w1_the_side_behind_decides_first():
    rerolls = ("needed", "needed")
    log = []

    def roll(slot, index):
        log.append((slot, index))
        return {(0, 0): 6, (1, 0): 6, (1, 1): 2, (0, 1): 3}[slot, index]

    assert opposed_test(BOOK, roll, (3, 3), rerolls, 0) == (0, (12, 11))
    assert log == [(0, 0), (1, 0), (1, 1), (0, 1)]


@pytest.mark.parametrize(
    ("tie", "characteristics", "dice", "winner"),
    [
        ("reroll", (3, 3), (2, 2), -1),
        ("coin", (3, 3), (2, 2, 3), 0),
        ("coin", (3, 3), (2, 2, 4), 1),
        ("first", (3, 3), (2, 2), 1),
        ("higher_characteristic", (4, 3), (2, 3), 0),
        ("higher_characteristic", (3, 3), (2, 2), -1),
    ],
)
def test_c4_ties(tie, characteristics, dice, winner):
    book = Book(opposed_tie=tie)
    rolled = opposed_test(book, script(*dice), characteristics, ("needed", "needed"), chooser=1)
    assert rolled.winner == winner


def test_a_side_failed_by_a_rule_loses_and_two_are_equal():
    book = Book(natural_one_fails=True)
    never = ("never", "never")
    assert opposed_test(book, script(1, 2), (9, -9), never, 0).winner == 1
    assert opposed_test(book, script(1, 1), (9, 3), never, 0).winner == -1


# --- C-3: placing dice ----------------------------------------------------------------


def order(chooser, *fighters):
    return placing_order(Combat(fighters, chooser=chooser))


def test_c3_placing_order():
    a, b, c = fighter(PA=19), fighter(PA=19), fighter(PA=74)
    guard = fighter(PA=49)
    assert order(0, guard, a, b, c) == [1, 2, 0, 3]
    assert order(0, guard, fighter(PA=49)) == [1, 0]
    assert order(1, guard, fighter(PA=49)) == [0, 1]
    assert order(0, fighter(PA=80, pure_caster=True), a) == [0, 1]
    assert order(0, guard, fighter()) == [1, 0]
    assert order(1, guard, fighter()) == [0, 1]
    assert order(0, fighter(), a, c) == [1, 2, 0]
    assert order(1, fighter(), a, c) == [0, 1, 2]
    assert placing_order(Combat((guard, a), order=(0, 1))) == [0, 1]


def placements(combat):
    _, log = play(combat, FunctionTape(lambda address: 2 + address.slot % 2))
    return {row[3]: row[6:8] for row in rows(log, PLACE) if row[1] == 0}


def test_c3_placement_policies():
    pair = (fighter(PA=1), fighter(PA=2), fighter(PA=3))
    expected = {"attack": (3, 0), "defence": (0, 3), "even": (2, 1)}
    for placement, dice in expected.items():
        policies = (Policy(placement=placement), Policy())
        assert placements(Combat(pair, policies))[0] == dice
    assert placements(Combat(pair)) == {0: (3, 0), 1: (2, 0), 2: (2, 0)}  # nobody is better
    better = fighter(PA=3, FOR=99)
    outclassed = placements(Combat((*pair[:2], better)))
    assert outclassed == {0: (2, 1), 1: (2, 0), 2: (2, 0)}  # places first: evenly
    attackers = tuple(replace(one, placed=(2, 0)) for one in (pair[1], better))
    assert placements(Combat((fighter(PA=9), *attackers)))[0] == (1, 2)
    strong = fighter(PA=9, RES=99)
    assert placements(Combat((strong, *pair[1:])))[1] == (1, 1)
    assert placements(Combat((replace(strong, PA=0), *pair[1:])))[1] == (1, 1)


def test_c3_all_defence_counts_in_the_first_turn_only():
    lone = fighter("lone", all_defence=True, placed=(2, 0), RES=99)
    _, log = play(Combat((lone, fighter(RES=99)), turns=2), FunctionTape(one_six_apart))
    assert [row[6:8] for row in rows(log, PLACE) if row[3] == 0] == [(0, 2), (2, 0)]


def one_six_apart(address):
    """Dice without a tie in initiative and without a 6."""
    return 5 if address.kind == "initiative" and address.slot == 0 else 2


def test_scaled_placement():
    assert scaled((3, 1), 4) == (3, 1)
    assert scaled((3, 1), 3) == (2, 1)
    assert scaled((3, 1), 2) == (2, 0)
    assert scaled((2, 2), 3) == (2, 1)
    assert scaled((0, 2), 3) == (0, 3)


# --- C-4 to C-7: passes, attacks, sustained defence -----------------------------------

TOUGH = {"FOR": 0, "RES": 20}  # nothing happens but stunned and light: chosen dice are 1, 2


def blows(log):
    return [(row[2], row[3], row[4]) for row in rows(log, STRIKE)]


def test_c5_passes_alternate_and_the_lone_one_strikes_each_enemy_once():
    fighters = (
        fighter("lone", placed=(3, 0), **TOUGH),
        fighter("one", placed=(2, 0), **TOUGH),
        fighter("other", placed=(2, 0), **TOUGH),
    )
    combat = Combat(fighters, (Policy(target="listed"), Policy(strike_order="listed")))
    _, log = scripted(combat, [5, 1, *[1, 1] * 7])
    assert blows(log) == [
        (0, 0, 1),
        (0, 0, 2),
        (0, 1, 0),
        (0, 2, 0),
        (1, 0, 1),
        (1, 1, 0),
        (1, 2, 0),
    ]
    _, log = scripted(combat, [1, 5, *[1, 1] * 7])
    assert [pair[1:] for pair in blows(log)][:4] == [(1, 0), (2, 0), (0, 1), (0, 2)]


def test_c5_the_dead_do_not_strike_and_lose_their_dice():
    fighters = (fighter("A", placed=(2, 0)), fighter("B", placed=(2, 0)))
    position, log = scripted(Combat(fighters), [5, 1, 6, 6])
    assert blows(log) == [(0, 0, 1)]
    assert position.attack == (1, 0)
    assert one_side_dead(position)


def test_c6_automatic_failure_keeps_the_defence_die():
    fighters = (
        fighter("A", ATT=-1, placed=(2, 0), **TOUGH),
        fighter("B", placed=(1, 1), ATT=9, **TOUGH),
    )
    combat = Combat(fighters, (Policy(), Policy(sustain="never")))
    _, log = scripted(combat, [5, 1, 1, 1, 1, 2, 2])
    assert [row[5:] for row in rows(log, STRIKE)] == [(1, 0, 1, 0), (0, 0, 0, 0), (1, 0, 1, 0)]
    assert [row[6:] for row in rows(log, ATTACK)] == [(1, 0, 1), (2, 1, 0)]
    assert len(rows(log, PARRY)) == 1


def test_c6_an_undefended_attack_that_can_fail_is_rolled():
    fighters = (fighter("A", ATT=-1, placed=(2, 0), **TOUGH), fighter("B", placed=(0, 2), **TOUGH))
    combat = Combat(fighters, (Policy(), Policy(parry="none")))
    _, log = scripted(combat, [5, 1, 1, 2, 1, 1])
    assert rows(log, ATTACK) == [
        (ATTACK, 0, 0, 0, 1, 0, 1, 0, 1),
        (ATTACK, 0, 1, 0, 1, 0, 2, 1, 0),
    ]
    assert rows(log, WOUND) == [(WOUND, 0, 1, 0, 1, 0, 1, 1 - 20, 0)]


def test_c7_sustained_defence_keeps_the_die_at_minus_two():
    fighters = (
        fighter("A", placed=(2, 0), **TOUGH),
        fighter("B", placed=(1, 1), ATT=9, **TOUGH),
    )
    # initiative; A attacks 2, B parries with 4 - 2 = 2; B strikes; A attacks 3, B has 4 - 2 again.
    _, log = scripted(Combat(fighters), [5, 1, 2, 4, 1, 1, 3, 4, 1, 1])
    assert [row[5:] for row in rows(log, STRIKE)] == [(1, 1, 1, 0), (0, 0, 0, 0), (1, 1, 1, 0)]
    assert [row[6:] for row in rows(log, PARRY)] == [(4, 5, 1), (4, 5, 0)]


def sustained_flags(placed, policy, attacks=2):
    fighters = (fighter("A", placed=(attacks, 0), **TOUGH), fighter("B", placed=placed, **TOUGH))
    tape = FunctionTape(one_six_apart)
    _, log = play(Combat(fighters, (Policy(), policy)), tape)
    return [row[5:7] for row in rows(log, STRIKE) if row[4] == 1]


def test_c7_only_with_enough_defence_dice_alone_and_last():
    assert sustained_flags((1, 1), Policy()) == [(1, 1), (1, 1)]
    assert sustained_flags((1, 1), Policy(sustain="never")) == [(1, 0), (0, 0)]
    assert sustained_flags((0, 2), Policy(parry="all")) == [(2, 0), (0, 0)]
    assert sustained_flags((0, 2), Policy()) == [(1, 0), (1, 0)]
    assert sustained_flags((0, 2), Policy(sustain="always")) == [(1, 0), (1, 1)]
    assert sustained_flags((0, 2), Policy(parry="spread")) == [(1, 0), (1, 0)]


def test_stunned_is_removed_between_turns_and_the_charge_ends():
    fighters = (fighter("A", placed=(2, 0), charged=True), fighter("B", placed=(2, 0)))
    _, log = play(Combat(fighters, turns=2), FunctionTape(stunned_in_the_legs))
    results = [row[6:8] for row in rows(log, INITIATIVE)]
    assert results == [(5 + 3 - 1, 2 + 3), (5 + 3, 2 + 3)]


def stunned_in_the_legs(address):
    if address.kind == "initiative":
        return 5 if address.slot == 0 else 2
    return 1  # wound dice 1, 1: stunned


def test_c6_a_sustained_defence_that_was_declared_stands_after_an_automatic_failure():
    fighters = (
        fighter("A", ATT=-1, placed=(2, 0), **TOUGH),
        fighter("B", placed=(1, 1), ATT=9, **TOUGH),
    )
    _, log = scripted(Combat(fighters), [5, 1, 1, 1, 1, 4, 4])
    assert [row[5:7] for row in rows(log, STRIKE) if row[4] == 1] == [(1, 1), (1, 1)]
    assert [row[6:] for row in rows(log, PARRY)] == [(4, 5, 1)]


# --- choices --------------------------------------------------------------------------


def standing(combat, **fields):
    """A position in the middle of a combat, one die of each kind left to everybody."""
    ones = (1,) * len(combat.fighters)
    return replace(beginning(combat), **{"attack": ones, "defence": ones, **fields})


CROWD = (
    fighter("lone"),
    fighter("one", RES=7, PA=9, ATT=2, FOR=6),
    fighter("two", RES=4, ATT=2),
    fighter("three", RES=6, PA=12, ATT=5, wounds=Wounds(1)),
    fighter("four", RES=5, wounds=Wounds(1)),
)


@pytest.mark.parametrize(
    ("target", "chosen"),
    [("wounded", 4), ("undefended", 3), ("dearest", 3), ("frail", 2), ("listed", 1)],
)
def test_c5_targets(target, chosen):
    combat = Combat(CROWD, (Policy(target=target), Policy()))
    position = standing(combat, defence=(1, 2, 1, 0, 1))
    assert next_target(combat, position, [1, 2, 3, 4]) == chosen


@pytest.mark.parametrize(
    ("strike_order", "chosen"), [("weakest", 2), ("strongest", 3), ("listed", 1)]
)
def test_c5_strikers(strike_order, chosen):
    combat = Combat(CROWD, (Policy(), Policy(strike_order=strike_order)))
    assert next_striker(combat, standing(combat), [1, 2, 3]) == chosen


def test_attacks_that_can_still_come():
    combat = Combat(CROWD)
    position = standing(combat, attack=(4, 2, 1, 1, 0))
    assert coming_attacks(position, 0) == 4
    assert coming_attacks(position, 1) == 1
    struck = replace(position, done=(False, True, True, False, False))
    assert coming_attacks(struck, 2) == 2
    assert coming_attacks(replace(struck, attack=(1, 2, 1, 1, 0)), 2) == 0


def test_c6_committed_dice():
    combat = Combat(CROWD, (Policy(parry="spread"), Policy()))
    position = standing(combat, defence=(5, 1, 1, 1, 1), attack=(0, 1, 0, 0, 0))
    assert committed_dice(combat, position, 0) == 3
    for parry, dice in {"none": 0, "all": 5, 2: 2, 9: 5}.items():
        other = replace(combat, policies=(Policy(parry=parry), Policy()))
        assert committed_dice(other, position, 0) == dice


def test_r2_the_attacker_rerolls_within_the_margin():
    def wants(natural, defence, **fields):
        return wants_attack_reroll(BOOK, Policy(**fields), natural, 3, defence)

    assert wants(6, 4)
    assert not wants(6, 3)
    assert wants(6, 3, margin=6)
    assert not wants(6, None)
    assert wants(6, None, reroll_attack="always")
    assert wants_attack_reroll(BOOK, Policy(), 6, -6, None)


# --- invariants on random combats -----------------------------------------------------

policies = st.builds(
    Policy,
    placement=st.sampled_from(["answer", "even", "attack", "defence"]),
    initiative=st.sampled_from(["best", "listed"]),
    strike_order=st.sampled_from(["weakest", "strongest", "listed"]),
    target=st.sampled_from(["wounded", "undefended", "dearest", "frail", "listed"]),
    parry=st.sampled_from(["none", "spread", "all", 1, 2]),
    sustain=st.sampled_from(["useful", "never", "always"]),
    reroll_attack=st.sampled_from(["needed", "never", "always"]),
    reroll_defence=st.sampled_from(["needed", "never", "always"]),
    reroll_initiative=st.sampled_from(["needed", "never", "always"]),
)
fighters = st.builds(
    Fighter,
    name=st.just("fighter"),
    INI=st.integers(0, 6),
    ATT=st.integers(-1, 6),
    FOR=st.integers(0, 12),
    DEF=st.integers(0, 6),
    RES=st.integers(0, 12),
    PA=st.none() | st.integers(1, 3),
    pure_caster=st.booleans(),
    wounds=st.builds(Wounds, st.integers(0, 3), st.integers(0, 1)),
    charged=st.booleans(),
    all_defence=st.booleans(),
)
books = st.builds(
    Book,
    reroll_one=st.sampled_from(["reset", "add", "fail"]),
    natural_one_fails=st.booleans(),
    many_dice=st.sampled_from(["best_chain", "one_chain"]),
)


def combats(max_enemies, **fields):
    return st.builds(
        Combat,
        fighters=st.lists(fighters, min_size=2, max_size=1 + max_enemies).map(tuple),
        policies=st.tuples(policies, policies),
        chooser=st.sampled_from([0, 1]),
        **fields,
    )


LARGE = [HealthCheck.large_base_example, HealthCheck.too_slow]


class Watcher:
    """Follows a log and checks each strike against what was placed and lost."""

    def __init__(self, combat):
        self.dead = {i for i, one in enumerate(combat.fighters) if one.wounds.dead}
        self.attack, self.defence, self.placed = {}, {}, {}
        self.sustained, self.struck = set(), set()
        self.parry = None

    def read(self, log):
        for row in log:
            assert len(row) == 9
            if row[0] == PLACE:
                self.place(row)
            if row[0] == END:
                self.sustained, self.struck = set(), set()
            if row[0] == STRIKE:
                self.strike(row)
            if row[0] == PARRY and self.parry[0] not in self.sustained:
                self.defence[self.parry[0]] -= self.parry[1]
            if row[0] == WOUND and row[8] == 8:
                self.dead.add(row[4])

    def place(self, row):
        i, attack, defence = row[3], row[6], row[7]
        assert i not in self.dead
        assert min(attack, defence) >= 0
        self.attack[i], self.defence[i], self.placed[i] = attack, defence, (attack, defence)

    def strike(self, row):
        _, turn, number, striker, target, committed, sustained, defended, _ = row
        assert not {striker, target} & self.dead
        assert (turn, number, striker, target) not in self.struck
        self.struck.add((turn, number, striker, target))
        self.attack[striker] -= 1
        assert self.attack[striker] >= 0
        assert 0 <= committed <= self.defence[target]
        assert defended == (committed > 0)
        if sustained:
            attack, defence = self.placed[target]
            assert defence >= attack
            assert committed == self.defence[target] == 1
            self.sustained.add(target)
        assert sustained == (target in self.sustained)
        self.parry = (target, committed)


@settings(max_examples=150, deadline=None, suppress_health_check=LARGE)
@given(combats(4, book=books, turns=st.integers(1, 3)), st.randoms(use_true_random=False))
def test_every_combat_keeps_the_rules(combat, random):
    _, log = play(combat, FunctionTape(lambda address: random.randint(1, 6)))
    Watcher(combat).read(log)
    assert log[-1][0] == END
    assert transcript(combat, log).endswith(f"turn {len(rows(log, END))}\n")


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(combats(1, book=books, turns=st.integers(1, 2)))
def test_masses_and_rest_sum_to_one(combat):
    law = exhaustive.exact(combat, depth=12)
    assert sum(law.masses.values()) + law.rest == 1
    assert 0 <= law.rest < Fraction(1, 10**6)


# --- the merged law is the law of the combats -----------------------------------------


@pytest.mark.slow
def test_the_default_depth_cuts_next_to_nothing():
    combat = Combat((fighter("A"), fighter("B")), turns=3)
    assert exhaustive.exact(combat).rest < Fraction(1, 10**12)
    three = Combat((fighter("A"), fighter("B"), fighter("C")), turns=2)
    assert exhaustive.exact(three).rest < Fraction(1, 10**12)


@pytest.mark.parametrize("reroll", ["never", "needed", "always"])
@pytest.mark.parametrize("switch", ["reset", "add", "fail"])
def test_dice_of_a_parry_are_independent_chains(reroll, switch):
    book = Book(reroll_one=switch)
    for difficulty in (4, 7, 9, 15):
        quick = exhaustive.parry_law(book, reroll, 2, 1, difficulty)
        raw = exhaustive.raw_parry_law(book, reroll, 2, 1, difficulty, depth=7)
        for parried in (True, False):
            low, high = raw.masses.get(parried, 0), quick.masses.get(parried, 0)
            assert low <= high + quick.rest
            assert high <= low + raw.rest


NEVER = Policy(reroll_attack="never", reroll_defence="never", reroll_initiative="never")


def test_merged_law_is_that_of_every_die():
    """One defended blow, all six faces, nothing left out."""
    book = Book(dice_base=0, opposed_tie="first")
    pair = (fighter("A", placed=(1, 0), PA=1), fighter("B", placed=(0, 1), FOR=6))
    combat = Combat(pair, (NEVER, NEVER), 0, book)
    law = exhaustive.every_die(combat)
    assert law.rest == 0
    assert exhaustive.exact(combat) == law


@settings(max_examples=15, deadline=None)
@given(
    combats(1, book=books.map(lambda book: replace(book, opposed_tie="coin"))),
    st.sampled_from([(2, 5), (1, 4), (1, 3)]),
)
def test_merged_law_is_that_of_every_die_with_two_faces(combat, faces):
    law = exhaustive.every_die(combat, faces)
    assert law.rest == 0
    assert exhaustive.exact(combat, faces) == law


@pytest.mark.parametrize("chooser", [0, 1])
@pytest.mark.parametrize("switch", ["reset", "fail"])
def test_merged_law_is_that_of_every_die_with_sixes_kept(chooser, switch):
    book = Book(opposed_tie="first", natural_one_fails=switch == "fail")
    pair = (fighter("A", FOR=8, wounds=Wounds(1)), fighter("B", charged=True))
    combat = Combat(pair, (NEVER, NEVER), chooser, book)
    assert exhaustive.exact(combat, (1, 6)) == exhaustive.every_die(combat, (1, 6))


def test_merged_law_of_two_turns():
    book = Book(dice_base=0, opposed_tie="first")
    pair = (fighter("A", charged=True), fighter("B", FOR=7))
    combat = Combat(pair, (NEVER, NEVER), 1, book, turns=2)
    law = exhaustive.every_die(combat, (2, 5))
    assert exhaustive.exact(combat, (2, 5)) == law


def test_merged_law_of_one_against_two():
    three = (
        fighter("lone", placed=(1, 2), FOR=7),
        fighter("one", placed=(1, 1), DEF=2),
        fighter("other", placed=(1, 1), RES=4),
    )
    combat = Combat(three, (NEVER, NEVER), 0, Book(opposed_tie="first"))
    assert exhaustive.exact(combat, (2, 5)) == exhaustive.every_die(combat, (2, 5))
