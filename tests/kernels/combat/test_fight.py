"""Whole combats: the worked example, every row against the reference, cases H3 and H4."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import combats
from witness import Compiled, Ending, assert_same_trial, assert_share, scripted

from reference.book import Book, Wounds, every_blow_kills, only_double_six_kills
from reference.combat import ATTACK, DIE, END, INITIATIVE, PARRY, PLACE, STRIKE, WOUND
from reference.state import Combat, Fighter, Policy
from reference.transcript import transcript

GOLDEN = Path(__file__).parents[2] / "golden"
RESET, ADD = Book(), Book(reroll_one="add")
HARMLESS = Book(wound_table=("- - - - -",) * 11, double_six_kills=False)
ALWAYS = Policy(placement="attack", reroll_attack="always", reroll_initiative="always")
USUAL = {"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5}
TRIALS = 400_000

SEEDS = st.integers(0, 2**64 - 1)
CELLS = st.integers(0, 2**32 - 1)
FIRSTS = st.integers(0, 2**62)


def fighter(name="fighter", **fields):
    return Fighter(name, **{**USUAL, **fields})


def rows(log, kind):
    return [row for row in log if row[0] == kind]


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
EXAMPLE_DICE = [5, 2, 4, 2, 2, 3, 3, 5, 2, 6, 6, 4, 6, 1, 4, 5, 4, 2, 6, 6]


@pytest.mark.parametrize("lane", [0, 1, 255])
def test_worked_example_die_for_die(lane):
    log = scripted(EXAMPLE, EXAMPLE_DICE, lane)
    golden = (GOLDEN / "worked-example.txt").read_text(encoding="utf-8")
    assert transcript(EXAMPLE, log) == golden


def test_worked_example_without_w_2_2():
    book = replace(RESET, double_six_kills=False)
    log = scripted(replace(EXAMPLE, book=book), EXAMPLE_DICE)
    # serious, with light: critical, and he was stunned; then Arkéon has no die left
    assert rows(log, WOUND)[-1] == (WOUND, 0, 1, 1, 0, 3, 6, 1, 7)


# --- row by row -----------------------------------------------------------------------


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(combats(), SEEDS, CELLS, FIRSTS, st.integers(0, 1))
def test_every_row_is_the_reference_s(combat, seed, cell, first, mirror):
    compiled = Compiled(combat, seed, cell, mirror)
    for trial in range(first, first + 4):
        assert_same_trial(compiled, trial)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(combats(least=8, most=8), SEEDS, CELLS, FIRSTS, st.integers(0, 1))
def test_every_row_is_the_reference_s_with_eight_enemies(combat, seed, cell, first, mirror):
    compiled = Compiled(combat, seed, cell, mirror)
    for trial in range(first, first + 2):
        assert_same_trial(compiled, trial)


@pytest.mark.slow
@settings(max_examples=5000, deadline=None, suppress_health_check=list(HealthCheck))
@given(combats(most=8), SEEDS, CELLS, FIRSTS, st.integers(0, 1))
def test_every_row_is_the_reference_s_for_long(combat, seed, cell, first, mirror):
    compiled = Compiled(combat, seed, cell, mirror)
    for trial in range(first, first + 4):
        assert_same_trial(compiled, trial)


def test_editions_as_large_as_can_be():
    """Dice, states and rows of the wound table at the ends of what a file may say."""
    book = Book(dice_base=3, dice_per_enemy=3, opposed_tie="coin", stunned_stacks=True)
    strong = replace(fighter(), ATT=40, FOR=40)
    spread = Policy(placement="even", parry="spread", sustain="always")
    combat = Combat((strong, *(fighter(PA=4),) * 8), (spread, spread), 0, book, turns=3)
    compiled = Compiled(combat)
    for trial in range(5):
        assert_same_trial(compiled, trial)
    attack = Combat(combat.fighters, (ALWAYS, Policy(placement="defence", parry="all")), 0, book)
    assert_same_trial(Compiled(attack), 0)
    most = max(row[2] for row in rows(Compiled(attack).log(0), STRIKE))
    assert most < 31


# --- what must always hold ------------------------------------------------------------


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(combats(), SEEDS)
def test_what_must_always_hold(combat, seed):
    compiled = Compiled(combat, seed)
    log = compiled.log(0)
    fighters = combat.fighters
    dead, attack, defence, allowed, sustained = set(), {}, {}, {}, set()
    for kind, turn, _, a, b, c, x, y, z in log:
        if kind == PLACE:
            assert a not in dead
            assert min(x, y) >= 0
            if fighters[a].all_defence and turn == 0:
                assert x == 0
            enemies = len({*range(1, len(fighters))} - dead) if a == 0 else 1
            assert x + y == combat.book.dice_base + combat.book.dice_per_enemy * enemies
            attack[a], defence[a], allowed[a] = x, y, y >= x
        elif kind == STRIKE:
            assert not {a, b} & dead
            assert (a == 0) != (b == 0)
            attack[a] -= 1
            assert attack[a] >= 0
            assert 0 <= c <= defence[b]
            if x:
                assert c == 1
                assert allowed[b]
                if b not in sustained:
                    assert defence[b] == 1
                sustained.add(b)
            elif b in sustained:
                raise AssertionError("a sustained die was not used")
            committed = 0 if x else c
        elif kind == ATTACK and z:
            committed = 0  # C-6.3: no die is lost
        elif kind == PARRY:
            assert a not in dead
            defence[a] -= committed
        elif kind == WOUND and z == 8:
            dead.add(b)
            attack[b] = defence[b] = 0
        elif kind == END:
            over = 0 in dead or {*range(1, len(fighters))} <= dead
            assert over or not any(attack.values())
            sustained.clear()
    assert log[-1][0] == END
    ending = compiled.ending(compiled.play(0, 1)[0])
    assert {i for i, wounds in enumerate(ending.wounds) if wounds.dead} == dead
    assert ending.first == next(row[5] for row in log if row[0] == INITIATIVE and row[5] >= 0)
    assert ending.turns == sum(row[0] == END for row in log) <= combat.turns
    assert not (0 in dead and {*range(1, len(fighters))} <= dead)


def dice_by_address(log):
    """Dice of a log; who tests for the others in initiative does not change the dice."""
    dice = {}
    in_initiative = True
    for kind, turn, number, roller, enemy, slot, index, die, _ in log:
        in_initiative = kind == PLACE or (in_initiative and kind != STRIKE)
        if kind == DIE:
            who = None if in_initiative else (roller, enemy)
            address = (turn, number, who, slot, index)
            assert address not in dice
            dice[address] = die
    return dice


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(combats(least=2, most=3), combats(least=2, most=3), SEEDS)
def test_dice_of_one_address_are_the_same_in_any_combat(one, other, seed):
    """Nothing shifts a die: common random numbers for whatever is compared."""
    dice, others = (dice_by_address(Compiled(c, seed).log(0)) for c in (one, other))
    assert all(others.get(address, die) == die for address, die in dice.items())


def test_one_more_die_for_one_fighter_shifts_nobody_else_s():
    listed = fighter(), fighter(placed=(1, 1)), fighter(placed=(2, 0))
    before = Combat(listed, (ALWAYS, ALWAYS), book=HARMLESS)
    more = replace(before, fighters=(*listed[:1], fighter(placed=(2, 0)), listed[2]))
    for trial in range(50):
        logs = [Compiled(c).log(trial) for c in (before, more)]
        dice, others = (dice_by_address(log) for log in logs)
        assert all(others.get(address, die) == die for address, die in dice.items())
        assert len(rows(logs[1], STRIKE)) == len(rows(logs[0], STRIKE)) + 1


# --- charges and wounds ---------------------------------------------------------------


def spoken(log, turn):
    """Characteristics that a log's tests show: result - natural result, by kind and fighter."""
    return {
        (row[0], row[3]): row[7] - row[6]
        for row in log
        if row[0] in (ATTACK, PARRY) and row[1] == turn
    }


def test_a_charge_counts_in_the_first_turn_only():
    book = replace(HARMLESS, reroll_one="add", opposed_tie="first")
    careful = Policy(reroll_initiative="never", sustain="never")
    listed = fighter(placed=(1, 1), charged=True, RES=9), fighter(placed=(1, 1))
    combat = Combat(listed, (careful, careful), 0, book, turns=3)
    log = Compiled(combat).log(0)
    for turn in range(3):
        lost = 1 if turn == 0 else 0
        assert spoken(log, turn) == {
            (ATTACK, 0): 3 - lost,
            (PARRY, 0): 3 - lost,
            (ATTACK, 1): 3,
            (PARRY, 1): 3,
        }
        dice = [row[7] for row in rows(log, DIE) if row[1] == turn][:2]
        result = next(row for row in rows(log, INITIATIVE) if row[1] == turn)
        assert result[6:8] == (dice[0] + 3 - lost, dice[1] + 3)


def test_penalties_of_wounds_are_taken_once():
    """H4: ATT 5 FOR 8, light and stunned: 3 and 6; light then serious: critical's only."""
    for wounds, lost in ((Wounds(), 0), (Wounds(1), 1), (Wounds(1, 1), 2), (Wounds(3), 3)):
        book = replace(HARMLESS, reroll_one="add")
        hurt = fighter(ATT=5, FOR=8, RES=11, placed=(1, 1), wounds=wounds)
        log = Compiled(Combat((hurt, fighter(DEF=0, placed=(1, 1))), book=book)).log(0)
        assert spoken(log, 0)[ATTACK, 0] == 5 - lost
        for row in rows(log, WOUND):
            if row[3] == 0:
                high = max(r[7] for r in rows(log, DIE) if (r[3], r[5]) == (0, 1))
                assert row[7] == high + 8 - lost - 5


def test_stunned_is_removed_between_turns_and_wounds_stay():
    stuns = Book(wound_table=("St St St St St",) * 11, double_six_kills=False)
    combat = Combat((fighter(wounds=Wounds(1)), fighter()), (ALWAYS, ALWAYS), 0, stuns, turns=2)
    log = Compiled(combat).log(0)
    second = log.index(rows(log, END)[0]) + 1
    dice = [row[7] for row in rows(log[second:], DIE)]
    result = rows(log[second:], INITIATIVE)[0]
    if 6 not in dice[:2]:
        assert result[6:8] == (dice[0] + 3 - 1, dice[1] + 3)
    assert Compiled(combat).ending(Compiled(combat).play(0, 1)[0]) == Ending(
        (Wounds(1, 1), Wounds(0, 1)), rows(log, INITIATIVE)[0][5], 2
    )


# --- H2: initiative -------------------------------------------------------------------


def shares(combat, seed=1):
    """States by trial, and who struck first."""
    states = Compiled(combat, seed).play(0, TRIALS)
    return states[:, : len(combat.fighters)], states[:, -2]


def duel(book, chooser=0):
    return Combat((fighter(PA=10), fighter(PA=10)), (ALWAYS, ALWAYS), chooser, book)


@pytest.mark.parametrize("book", [RESET, ADD])
@pytest.mark.parametrize("chooser", [0, 1])
def test_h2_ties_rolled_again_favour_nobody(book, chooser):
    _, first = shares(duel(book, chooser))
    assert_share((first == 0).sum(), TRIALS, 1 / 2)


@pytest.mark.parametrize(
    ("book", "win", "tie"),
    [(RESET, Fraction(74, 175), Fraction(27, 175)), (ADD, Fraction(3, 7), Fraction(1, 7))],
)
def test_h2_equal_initiative(book, win, tie):
    for chooser in (0, 1):
        combat = duel(replace(book, opposed_tie="first"), chooser)
        _, first = shares(combat)
        chosen = (first == chooser).sum()  # he wins the ties
        assert_share(chosen, TRIALS, float(win + tie))


@pytest.mark.parametrize(
    ("more", "win", "tie"),
    [
        (1, Fraction(101, 175), Fraction(5, 42)),
        (2, Fraction(731, 1050), Fraction(19, 210)),
        (4, Fraction(64, 75), Fraction(3, 70)),
    ],
)
def test_initiative_with_a_lead(more, win, tie):
    listed = fighter(INI=3 + more), fighter()
    for book, value in (
        (replace(RESET, opposed_tie="first"), win),  # the chooser, side 1, wins ties
        (replace(RESET, opposed_tie="coin"), win + tie / 2),
        (replace(RESET, opposed_tie="higher_characteristic"), win + tie),
        (RESET, win / (1 - tie)),
    ):
        _, first = shares(Combat(listed, (ALWAYS, ALWAYS), 1, book))
        assert_share((first == 0).sum(), TRIALS, float(value))


# --- H3: the dead do not strike -------------------------------------------------------


def test_h3_only_double_six_kills():
    states, first = shares(duel(only_double_six_kills(RESET)))
    dead = states == 8
    started = first == 0
    runs = started.sum()
    assert_share((dead[started, 1]).sum(), runs, 2521 / 46656)
    assert_share((dead[started, 0]).sum(), runs, 88235 / 1679616)
    assert_share((~dead[started].any(axis=1)).sum(), runs, 1500625 / 1679616)
    assert not dead.all(axis=1).any()
    with pytest.raises(AssertionError):  # what it would be if the dead struck back
        assert_share((dead[started, 0]).sum(), runs * 100, 71 / 1296)


def test_h3_every_blow_kills():
    states, first = shares(duel(every_blow_kills(RESET)))
    assert ((states[:, 1] == 8) == (first == 0)).all()
    assert ((states[:, 0] == 8) == (first == 1)).all()


def test_one_against_two():
    listed = fighter("lone"), fighter("one"), fighter("other")
    states, first = shares(Combat(listed, (ALWAYS, ALWAYS), 0, only_double_six_kills(RESET)))
    for side, value in (
        (0, Fraction(8069686345, 78364164096)),
        (1, Fraction(228884111, 2176782336)),
    ):
        started = first == side
        assert_share((states[started, 0] == 8).sum(), started.sum(), float(value))
    assert not (states == 8).all(axis=1).any()


# --- H4: the bonus of numbers ---------------------------------------------------------


@pytest.mark.parametrize(("book", "value"), [(RESET, Fraction(606, 925)), (ADD, Fraction(20, 31))])
def test_h4_numbers_bonus(book, value):
    listed = fighter("lone"), fighter("one"), fighter("other")
    _, first = shares(Combat(listed, (ALWAYS, ALWAYS), 0, book))
    assert_share((first == 1).sum(), TRIALS, float(value))
    with pytest.raises(AssertionError):
        assert_share((first == 1).sum(), TRIALS, 731 / 955)


def test_the_dead_give_no_bonus():
    """Of two enemies one is dead in the second turn: the other tests at his own INI."""
    book = every_blow_kills(replace(RESET, opposed_tie="first"))
    lone = fighter(INI=40, placed=(1, 2))
    listed = (lone, fighter(placed=(0, 2)), fighter(placed=(0, 2)))
    careful = Policy(parry="none", reroll_initiative="never")
    log = Compiled(Combat(listed, (careful, careful), 0, book, turns=2)).log(0)
    told = rows(log, INITIATIVE)
    dice = [row[7] for row in rows(log, DIE) if row[4] == 0 and row[5] == 1]
    assert [row[7] for row in told] == [dice[0] + 4, dice[1] + 3]
