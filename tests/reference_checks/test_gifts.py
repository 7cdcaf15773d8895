"""Abilities in battles made by hand: what the reference makes of them, clause by clause (W-7)."""

from __future__ import annotations

import pytest
from battle_tapes import LEFT, RIGHT, Tapes, battle, fighter, only

from tests.reference_checks.test_turn import BOW, cells, charge, clash, played, refused


def able(*effects, dealt=None, suffered=None, banes=(), lists=None, **numbers):
    """The cells of a fighter with abilities."""
    empty = {"open_rolls": [], "kill_weapons": [], "ignored_locations": []}
    return {
        "effects": list(effects),
        "numbers": numbers | empty | (lists or {}),
        "dealt": dealt or {},
        "suffered": suffered or {},
        "banes": list(banes),
    }


# --- charges (M-5) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("charger", "target", "hit"),
    [
        ({}, {}, True),
        ({}, able("power_charged", power_charged=1), False),
        (able("power_charging", power_charging=1), {"power": 2}, True),
        ({}, able("steady"), False),
        (able("brutal"), {"power": 3}, True),
        (able("brutal"), able("steady"), False),
    ],
)
def test_charges(charger, target, hit):
    head = battle(fighter(0, (20, 20), **charger), fighter(1, (30, 20), **target))
    tapes = charge(head).moves(0, "charge", (30, 20), RIGHT, 10.0, 1).speaks("top", 1)
    steps = played(clash(tapes, 0, 1).harmless(0, 1, order="1 0"))
    assert bool(only(steps, "penalties")) == hit


def test_the_fast_charge_farther():
    """MOU 10 x 3: 28 cm, and no more than 30."""
    for length, able_cells in ((28.0, able("fast", fast_factor=3)), (28.0, {})):
        head = battle(fighter(0, (20, 20), **able_cells), fighter(1, (48, 20)))
        tapes = charge(head).moves(0, "charge", (48, 20), RIGHT, length, 1).speaks("top", 1)
        clash(tapes, 0, 1).harmless(0, 1, order="1 0")
        if able_cells:
            assert cells(played(tapes), "move", "length") == [(28.0,)]
        else:
            refused(tapes, "M-8")


# --- fear (W-4) -------------------------------------------------------------------------


def test_a_war_cry_is_heard_by_who_is_charged():
    """PEUR 6 while it charges: COU 4 + 2 stands; and by luck 4 + 1 is rolled again."""
    crier = able("war_cry", war_cry_fear=6)
    lucky = able("luck", luck_tests=1)
    head = battle(fighter(0, (20, 20), **crier), fighter(1, (30, 20), **lucky))
    tapes = charge(head).moves(0, "charge", (30, 20), RIGHT, 10.0, 1)
    tapes.rolls(1, 1).says("feat", fighter=1, effect="luck", x=0, y=1, z=0).rolls(1, 2)
    steps = played(clash(tapes.speaks("top", 1), 0, 1).harmless(0, 1, order="1 0"))
    told = cells(steps, "courage", "value", "difficulty", "result", "success")
    assert told == [(4, 6, 6, True)]
    assert cells(steps, "feat", "effect", "y", "dice") == [("luck", 1, [[1, 1, 0, 0]])]


def test_luck_is_for_a_test_that_failed_and_once_a_turn():
    lucky = able("luck", luck_tests=1)
    head = battle(fighter(0, (20, 20), PEUR=6, COU=None), fighter(1, (30, 20), **lucky))
    tapes = charge(head).moves(0, "charge", (30, 20), RIGHT, 10.0, 1)
    tapes.rolls(1, 3).says("feat", fighter=1, effect="luck", x=0, y=3, z=0).rolls(1, 2)
    refused(clash(tapes.speaks("top", 1), 0, 1).harmless(0, 1, order="1 0"), "W-7")


def test_the_fearless_and_those_who_frighten_everyone():
    """A righteous one makes no test; an undead one's PEUR 5 moves one of PEUR 7, with his own 7."""
    for target, tests in ((able("fearless"), False), ({"PEUR": 7, "COU": None}, True)):
        undead = able("frightens_all") | {"PEUR": 5, "COU": None}
        head = battle(fighter(0, (20, 20), **undead), fighter(1, (30, 20), **target))
        tapes = charge(head)
        if tests:  # the charger tests against PEUR 7 with PEUR 5 as COU
            tapes.rolls(0, 2)
        tapes.moves(0, "charge", (30, 20), RIGHT, 10.0, 1)
        if tests:
            tapes.rolls(1, 1)
        steps = played(clash(tapes.speaks("top", 1), 0, 1).harmless(0, 1, order="1 0"))
        told = cells(steps, "courage", "fighter", "value", "difficulty", "success")
        assert told == ([(0, 5, 7, True), (1, 7, 5, True)] if tests else [])


# --- shots (W-6) ------------------------------------------------------------------------


def shot(own, foe, test, *dice):
    """A still bowman of TIR 3 at 30 cm, medium range; dice of the test, and of the wound."""
    head = battle(fighter(0, (20, 20), TIR=3, weapon=BOW, **own), fighter(1, (50, 20), **foe))
    tapes = Tapes(head).cards().speaks("top", 0).says("shoot", shooter=0, target=1)
    tapes.rolls(0, *test)
    for die in dice:
        tapes.rolled.append(list(die))
    return tapes.speaks("top", 1)


@pytest.mark.parametrize(
    ("own", "foe", "outcome"),
    [
        ({}, {}, "light"),  # 1 and 3, row 3, one line down in the legs
        ({}, able("tough", tough_rows=1), "stunned"),
        (able("bane", bane_rows=1, banes=(1,)), {}, "light"),  # 4-5, then 6-7: L and L
        (able("bane", bane_rows=1, banes=(1,)), able("tough", tough_rows=3), "light"),
        ({}, able("ignore_location", lists={"ignored_locations": [1]}), "nothing"),
        ({}, able("replace_suffered", suffered={"light": "serious"}), "serious"),
        (able("replace_dealt", dealt={"light": "killed"}), {}, "light"),  # in melee only
    ],
)
def test_wounds_of_shots(own, foe, outcome):
    steps = played(shot(own, foe, (5,), [0, 1, 0, 0], [0, 3, 1, 0]))
    assert cells(steps, "wound", "outcome") == [(outcome,)]


def test_a_target_and_a_seasoned_shooter():
    """7 + 1 for Target/1: a 5 is re-rolled, a 1 after it spoils both."""
    seasoned = able("open_fives", lists={"open_rolls": ["shot"]})
    for test, result, hit in (((5, 2), 10, True), ((5, 1), 4, False)):
        dice = [[0, 1, 0, 0], [0, 3, 1, 0]] if hit else []
        hard = able("aim_difficulty", aim_difficulty=2)
        steps = played(shot(seasoned, hard, test, *dice))
        told = cells(steps, "shoot", "cover", "difficulty", "result", "hit")
        assert told == [(2, 9, result, hit)]


def test_poison_and_survival():
    """Light, and a die of 2 or less: critical; a die of 4 or more, and there is no wound roll."""
    toxic, tough = able("toxic", toxic_twice=2), able("survival", survival_die=4)
    steps = played(shot(toxic, {}, (5,), [0, 1, 0, 0], [0, 3, 1, 0], [0, 2, 3, 0]))
    assert cells(steps, "wound", "outcome") == [("critical",)]
    assert not only(played(shot(toxic, tough, (5,), [1, 4, 4, 0])), "wound")


def test_one_killed_by_a_shot_fights_on_to_the_end_of_the_phase():
    """Killed outright: critical, until the activations are over."""
    foe = able("diehard", diehard_level=3)
    steps = played(shot({}, foe, (5,), [0, 6, 0, 0], [0, 6, 1, 0]))
    assert cells(steps, "wound", "outcome", "state") == [("killed", "critical")]
    kinds = [step.kind for step in steps]
    assert kinds.index("wound") < kinds.index("fall") < kinds.index("score")
    assert cells(steps, "fall", "fighter", "by") == [(1, 0)]
    assert cells(steps, "score", "destroyed") == [([10, 0],)]


# --- disengaging, pursuits, maintenance ---------------------------------------------------


def test_disengagement_x():
    """INI 4 + 1 against 5 instead of 6."""
    own = able("disengages", disengage_most=5)
    head = battle(fighter(0, (20, 20), **own), fighter(1, (20, 20)))
    tapes = Tapes(head).cards().speaks("top", 0).says("disengage", fighter=0, way="agility")
    tapes.rolls(0, 1).moves(0, "walk", (15, 20), RIGHT, 5.0).speaks("top", 1)
    told = cells(played(tapes), "disengage", "difficulty", "success")
    assert told == [(5, True)]


def test_regeneration_rolls_once_more_after_a_success():
    """5 and 4 against 4: from serious to unhurt; a 3 is enough for nothing."""
    own = able("regeneration", regeneration_die=4) | {"state": "serious"}
    for dice, state in (((5, 4), "unhurt"), ((5, 3), "light"), ((3,), "serious")):
        head = battle(fighter(0, (20, 20), **own), fighter(1, (60, 20), facing=LEFT))
        tapes = Tapes(head).idle()
        for die in dice:
            tapes.rolls(0, die)
        steps = played(tapes)
        assert cells(steps, "lasting", "before", "after") == [("serious", state)]


def test_the_implacable_pursue_twice():
    """A0 kills B1, engages B2 and kills it, then engages B3: a second move needs Implacable/1."""
    for own in (able("pursuits", extra_pursuits=1), {}):
        foes = [fighter(1, (x, 20)) for x in (20, 24, 28)]
        head = battle(fighter(0, (20, 20), PA=5, **own), *foes)
        tapes = clash(Tapes(head).idle(), 0, 1).duel(0, 1, 0, order="0 1")
        for x, foe in ((24, 2), (28, 3)):
            tapes.says("pursuit", fighter=0, choice="engage", then=foe)
            tapes.moves(0, "pursue", (x, 20), RIGHT, 4.0, foe)
            tapes.says("combat", fighters=[0, foe])
            if foe == 2:
                tapes.duel(0, 2, 0, order="0 2")
            else:
                tapes.harmless(0, 3, order="0 3")
        if own:
            assert cells(played(tapes), "pursuit", "choice") == [("engage",)] * 2
        else:
            refused(tapes, "C-8.1")
