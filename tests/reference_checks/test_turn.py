"""The plain reading of a battle's other phases, on small battles made by hand."""

from __future__ import annotations

import copy

import pytest
from battle_tapes import CONFFEDE, DOWN, LEFT, RIGHT, UP, Tapes, battle, fighter, only

from reference.battle import replayed
from reference.decisions import Illegal, Step

BOW = {"strength": 4, "ranges": [25.0, 45.0, 65.0]}


def cells(steps, kind, *names):
    """Some cells of each step of a kind."""
    return [tuple(step.data[name] for name in names) for step in only(steps, kind)]


def played(tapes):
    """The steps, which are their own replay."""
    steps = tapes.play()
    assert replayed(steps, CONFFEDE) == steps
    return steps


def refused(tapes, clause):
    """The clause that a decision breaks."""
    with pytest.raises(Illegal) as error:
        tapes.play()
    assert error.value.clause == clause


# --- strategic phase, cards (T-2, A-1 to A-4) ------------------------------------------


def test_a_tie_of_the_tactics_roll_is_rolled_again():
    """T-2.3, T-2.4, W-1.5: 3 + 4 twice; then a 6 re-rolled to 1 loses by 4 to 5."""
    head = battle(fighter(0, (10, 10)), fighter(1, (90, 10), tactics=True))
    tapes = Tapes(head).cards(first=1).rolls(0, 4).rolls(1, 4)
    tapes.rolled += [[0, 6, 0, 0], [1, 2, 0, 0], [0, 1, 1, 0]]
    steps = played(tapes.speaks("top", 1).speaks("top", 0))
    assert cells(steps, "opposed", "results", "winner") == [([7, 7], -1), ([4, 5], 1)]
    assert cells(steps, "first", "side", "winner") == [(1, 1)]


def test_discipline_of_the_tactics_roll_is_ones_own():
    """T-2.3: a leader near by does not help."""
    head = battle(
        fighter(0, (10, 10), DIS=2),
        fighter(0, (10, 20), DIS=6, command=30),
        fighter(1, (90, 10), tactics=True, DIS=5),
    )
    tapes = Tapes(head).cards().rolls(0, 5).rolls(2, 1).speaks("top", 0, 1).speaks("top", 2)
    assert cells(played(tapes), "opposed", "testers", "values") == [([0, 2], [2, 5])]


def army(a, b):
    """A card for each of so many fighters a side, far from each other."""
    return battle(
        *(fighter(0, (10, 5 + 5 * i), card=i) for i in range(a)),
        *(fighter(1, (90, 5 + 5 * i), card=i) for i in range(b)),
    )


def test_the_worked_example_of_cards():
    """A-2 to A-4: five cards against four, ten speaking turns."""
    tapes = Tapes(army(5, 4)).cards(range(5), range(4), first=1)
    tapes.speaks("refuse").speaks("top", 0).speaks("to_reserve").speaks("to_reserve")
    tapes.speaks("top", 6).speaks("top", 2).speaks("both", 5, 7).speaks("top", 3)
    tapes.speaks("top", 8).speaks("both", 1, 4)
    told = cells(played(tapes), "speak", "side", "held", "refusals")
    assert [side for side, *_ in told] == [1, 0] * 5
    assert [held for _, held, _ in told] == [0, 0, 1, 1, 1, 1, 0, 1, 0, 0]
    assert [refusals for *_, refusals in told] == [0] * 10


def test_a_second_reserve_and_a_refusal_too_many_are_refused():
    """A-2.2, A-3.1."""
    tapes = Tapes(army(3, 3)).cards(range(3), range(3))
    tapes.speaks("to_reserve").speaks("top", 3).speaks("reserve", 0).speaks("top", 4)
    refused(tapes.speaks("to_reserve"), "A-2.2")
    refused(Tapes(army(3, 3)).cards(range(3), range(3)).speaks("refuse"), "A-3.1")


def test_cards_of_the_dead_are_left_out():
    """A-1.2, A-3.1: B has a card less, and a refusal."""
    head = army(2, 2)
    head["fighters"][3]["state"] = "dead"
    tapes = Tapes(head).cards((0, 1), (0,), first=1).speaks("refuse")
    steps = played(tapes.speaks("top", 0).speaks("top", 2).speaks("top", 1))
    assert cells(steps, "speak", "side") == [(1,), (0,), (1,), (0,)]
    refused(Tapes(head).cards((0, 1), (0, 1)), "A-1.2")


# --- moves and assaults (M) ------------------------------------------------------------


def charge(head):
    """A0 announces a charge on fighter 1."""
    return Tapes(head).cards().speaks("top", 0).announces(0, "charge", 1)


def clash(tapes, lone, other):
    """The one melee of two is a combat; A wins the Authority roll."""
    tapes.says("separation", combats=[[lone, other]])
    for side in (0, 1):
        tapes.says("named", side=side, combat=[lone, other])
    return tapes.rolls(lone, 5).rolls(other, 2).says("combat", fighters=[lone, other])


def test_a_charge_causes_its_penalty_until_the_end_of_the_turn():
    """M-5.1, T-5.3 step 6: one less INI in the combat, the marker gone afterwards."""
    head = battle(fighter(0, (20, 20)), fighter(1, (30, 20)))
    tapes = charge(head).moves(0, "charge", (30, 20), RIGHT, 10.0, 1).speaks("top", 1)
    steps = played(clash(tapes, 0, 1).harmless(0, 1, order="1 0"))
    assert cells(steps, "penalties", "fighters") == [([1],)]
    assert cells(steps, "opposed", "values")[-1] == ([4, 3],)
    assert cells(steps, "markers", "fighter", "before", "after") == [(1, ["charged"], [])]


def test_a_weaker_charger_causes_none():
    """M-5.1: power 1 on 2."""
    head = battle(fighter(0, (20, 20)), fighter(1, (30, 20), power=2))
    tapes = charge(head).moves(0, "charge", (30, 20), RIGHT, 10.0, 1).speaks("top", 1)
    steps = played(clash(tapes, 0, 1).harmless(0, 1, order="1 0"))
    assert not only(steps, "penalties")
    assert cells(steps, "opposed", "values")[-1] == ([4, 4],)


def piece(size, **other):
    """A piece of terrain across the way from (20, 20) to (30, 20)."""
    corners = [[24, 10], [26, 10], [26, 30], [24, 30]]
    return {"name": "wall", "corners": corners, "height": 1.0, "size": size, **other}


def test_a_charge_needs_sight_and_an_engagement_its_lack():
    """M-4.1, M-4.2: a piece as big as both hides the target."""
    walled = battle(fighter(0, (20, 20)), fighter(1, (30, 20)), terrain=[piece(1, impassable=True)])
    refused(charge(walled), "M-4.1")
    seen = Tapes(battle(fighter(0, (20, 20)), fighter(1, (30, 20)))).cards().speaks("top", 0)
    refused(seen.announces(0, "engage", 1), "M-4.2")


def test_a_smaller_piece_hides_nobody():
    """Sight reading: only what is as big as the bigger of both hides."""
    head = battle(fighter(0, (20, 20)), fighter(1, (30, 20)), terrain=[piece(0, impassable=False)])
    tapes = charge(head).moves(0, "charge", (30, 20), RIGHT, 10.0, 1).speaks("top", 1)
    steps = played(clash(tapes, 0, 1).harmless(0, 1, order="1 0"))
    assert cells(steps, "move", "touched") == [([1],)]


@pytest.mark.parametrize(
    ("at", "facing", "length", "clause"),
    [
        ((30, 20), RIGHT, 9.0, "M-1.1"),  # the straight way is 10
        ((24, 25), RIGHT, 7.0, "M-1.2"),  # over a friend's base
        ((0.5, 20), RIGHT, 19.5, "M-1.2"),  # half of the base is off the table
        ((30, 38), RIGHT, 21.0, "M-8"),  # more than MOU x 2
        ((35, 20), RIGHT, 15.0, "M-8"),  # ends in contact
        ((30, 20), (2.0, 0.0), 10.0, "M-1.5"),  # no direction
    ],
)
def test_runs_that_break_a_clause(at, facing, length, clause):
    head = battle(fighter(0, (20, 20)), fighter(1, (35, 20)), fighter(0, (24, 24)))
    tapes = Tapes(head).cards().speaks("top", 0, 2).announces(0, "run")
    refused(tapes.moves(0, "run", at, facing, length), clause)


def test_an_assault_that_falls_short_touches_nobody():
    """M-4.4: the whole potential, no contact, no penalty."""
    head = battle(fighter(0, (20, 20)), fighter(1, (50, 20)))
    tapes = charge(head).moves(0, "charge", (40, 20), RIGHT, 20.0, aimed=1).speaks("top", 1)
    steps = played(tapes)
    assert cells(steps, "move", "short", "aimed", "targets") == [(True, 1, [])]
    assert not only(steps, "penalties", "melee")


def test_who_was_charged_does_not_disengage():
    """M-7.1."""
    head = battle(fighter(0, (20, 20)), fighter(1, (30, 20)))
    tapes = charge(head).moves(0, "charge", (30, 20), RIGHT, 10.0, 1).speaks("top", 1)
    refused(tapes.says("disengage", fighter=1, way="agility"), "M-7.1")


def test_who_fails_to_disengage_may_only_defend():
    """M-7.2, M-7.5, C-3.6: 4 + 1 against 6."""
    head = battle(fighter(0, (20, 20)), fighter(1, (20, 20)))
    tapes = Tapes(head).cards().speaks("top", 0).says("disengage", fighter=0, way="agility")
    clash(tapes.rolls(0, 1).speaks("top", 1), 0, 1)
    bold = copy.deepcopy(tapes).places(f1=(0, 2), f0=(1, 1))
    steps = played(tapes.harmless(0, 1, order="1 0"))
    assert cells(steps, "disengage", "value", "difficulty", "success") == [(4, 6, False)]
    assert cells(steps, "markers", "before", "after") == [(["defence"], [])]
    refused(bold, "C-3.6")


def test_force_takes_the_resistance_off():
    """M-7.3: FOR 8 - RES 4 = 4; a fighter who is no larger cannot."""
    for size in (2, 1):
        head = battle(fighter(0, (20, 20), FOR=8, size=size), fighter(1, (20, 20)))
        tapes = Tapes(head).cards().speaks("top", 0).says("disengage", fighter=0, way="force")
        tapes.rolls(0, 2).moves(0, "walk", (15, 20), RIGHT, 5.0).speaks("top", 1)
        if size == 1:
            refused(tapes, "M-7.3")
        else:
            assert cells(played(tapes), "disengage", "value", "success") == [(4, True)]


# --- fear (W-4) ------------------------------------------------------------------------


def test_an_assailant_who_does_not_stand_flees():
    """W-4.1, W-4.3: COU 4 + 1 against PEUR 6; 20 cm towards x = 0, and no penalty."""
    head = battle(fighter(0, (30, 20)), fighter(1, (40, 20), PEUR=6))
    tapes = charge(head).rolls(0, 1).moves(0, "flee", (10, 20), LEFT, 20.0).speaks("top", 1)
    steps = played(tapes.rolls(0, 2))
    assert cells(steps, "courage", "fighter", "against", "success") == [(0, 1, False)]
    assert cells(steps, "move", "action") == [("flee",)]
    assert not only(steps, "penalties")
    assert cells(steps, "rally", "value", "difficulty", "routed") == [(4, 8, True)]


def test_the_assailed_is_routed_in_contact_and_only_defends():
    """W-4.1, W-4.3, C-3.6, W-4.4: and cannot rally while he touches who frightens him."""
    head = battle(fighter(0, (20, 20), PEUR=6), fighter(1, (30, 20)))
    tapes = charge(head).moves(0, "charge", (30, 20), RIGHT, 10.0, 1).rolls(1, 1)
    tapes.speaks("top", 1).says("separation", combats=[[0, 1]])
    for side in (0, 1):
        tapes.says("named", side=side, combat=[0, 1])
    tapes.says("combat", fighters=[0, 1])
    bold = copy.deepcopy(tapes).places(f1=(1, 1))
    steps = played(tapes.harmless(0, 1, order="1 0"))
    assert cells(steps, "named", "fighter") == [(0,), (-1,)]  # no Authority roll (C-2.1)
    assert cells(steps, "rally", "barred", "result", "routed") == [(True, None, True)]
    assert cells(steps, "penalties", "fighters") == [([1],)]
    refused(bold, "C-3.6")


def test_fear_against_fear():
    """W-4.1: PEUR 5 tests against PEUR 7, with 5 as COU; PEUR 7 does not test."""
    head = battle(fighter(0, (20, 20), PEUR=5, COU=None), fighter(1, (30, 20), PEUR=7))
    tapes = charge(head).rolls(0, 2).moves(0, "charge", (30, 20), RIGHT, 10.0, 1)
    steps = played(clash(tapes.speaks("top", 1), 0, 1).harmless(0, 1, order="1 0"))
    assert cells(steps, "courage", "fighter", "value", "difficulty") == [(0, 5, 7)]


def test_who_has_stood_a_fear_is_immune_to_it():
    """W-4.2: one test in two turns."""
    head = battle(fighter(0, (20, 20)), fighter(1, (30, 20), PEUR=6), turns=2)
    tapes = charge(head).rolls(0, 2).moves(0, "charge", (30, 20), RIGHT, 10.0, 1)
    clash(tapes.speaks("top", 1), 0, 1).harmless(0, 1, order="1 0")
    tapes.cards().speaks("top", 0).says("disengage", fighter=0, way="agility").rolls(0, 5)
    tapes.moves(0, "walk", (20, 20), RIGHT, 10.0)
    tapes.speaks("top", 1).announces(1, "charge", 0).moves(1, "charge", (20, 20), LEFT, 10.0, 0)
    steps = played(clash(tapes, 0, 1).harmless(0, 1, order="1 0"))
    assert len(only(steps, "courage")) == 1


@pytest.mark.parametrize(("routed", "value"), [(False, 7), (True, 4)])
def test_a_leader_lends_courage(routed, value):
    """W-4.5: his printed COU, from base to base, while he is not in rout."""
    head = battle(
        fighter(0, (30, 20)),
        fighter(1, (40, 20), PEUR=6),
        fighter(0, (17.5, 20), card=1, COU=7, command=10, routed=routed),
    )
    tapes = Tapes(head).cards((0, 1)).speaks("top", 0).announces(0, "charge", 1)
    tapes.rolls(0, 2).moves(0, "charge", (40, 20), RIGHT, 10.0, 1).speaks("top", 1)
    tapes.speaks("top", 2)
    if routed:
        tapes.announces(2, "flee")
    clash(tapes, 0, 1).harmless(0, 1, order="1 0")
    if routed:
        tapes.rolls(2, 5)
    assert cells(played(tapes), "courage", "value") == [(value,)]


def test_who_is_in_rout_and_free_has_to_flee():
    """W-4.3: to his own edge."""
    head = battle(fighter(0, (30, 20), routed=True), fighter(1, (90, 20)))
    tapes = Tapes(head).cards().speaks("top", 0)
    refused(tapes.says("announce_walk", fighter=0), "W-4.3")
    tapes = Tapes(head).cards().speaks("top", 0).announces(0, "flee")
    refused(tapes.moves(0, "flee", (35, 20), RIGHT, 5.0), "W-4.3")


# --- shots and mystic actions (W-6, A-5.5, A-5.6) --------------------------------------


def archer(**other):
    """TIR 3 and a bow."""
    return fighter(0, (20, 20), TIR=3, weapon=BOW, **other)


def test_a_still_shot_reads_one_line_down():
    """W-6: 30 cm is medium, 3 + 5 hits 7; dice 1 and 3, row 3 in the legs: stunned, or light."""
    head = battle(archer(), fighter(1, (50, 20)))
    tapes = Tapes(head).cards().speaks("top", 0).says("shoot", shooter=0, target=1)
    steps = played(tapes.rolls(0, 5).wounds(0, 1, 3).speaks("top", 1))
    told = cells(steps, "shoot", "distance", "band", "difficulty", "hit")
    assert told == [(30.0, 1, 7, True)]
    assert cells(steps, "wound", "outcome", "still") == [("light", True)]
    tapes = Tapes(head).cards().speaks("top", 0).moves(0, "walk", (25, 20), RIGHT, 5.0)
    tapes.says("shoot", shooter=0, target=1).rolls(0, 5).wounds(0, 1, 3)
    steps = played(tapes.speaks("top", 1))
    assert cells(steps, "wound", "outcome", "still") == [("stunned", False)]


def test_a_shot_after_a_walk_is_harder():
    """W-6, A-5.5: 8 instead of 7; a walk after it has to be announced, and costs the bonus."""
    head = battle(archer(), fighter(1, (60, 20)))
    tapes = Tapes(head).cards().speaks("top", 0).moves(0, "walk", (25, 20), RIGHT, 5.0)
    tapes.says("shoot", shooter=0, target=1).rolls(0, 4).speaks("top", 1)
    assert cells(played(tapes), "shoot", "difficulty", "moved", "hit") == [(8, True, False)]
    told = Tapes(head).cards().speaks("top", 0).says("announce_walk", fighter=0)
    told.says("shoot", shooter=0, target=1).rolls(0, 4).wounds(0, 1, 3)
    told.moves(0, "walk", (25, 20), RIGHT, 5.0)
    steps = played(told.speaks("top", 1))
    assert cells(steps, "shoot", "difficulty", "moved", "hit") == [(7, False, True)]
    assert cells(steps, "wound", "still") == [(False,)]
    silent = Tapes(head).cards().speaks("top", 0).says("shoot", shooter=0, target=1).rolls(0, 3)
    refused(silent.moves(0, "walk", (25, 20), RIGHT, 5.0), "A-5.5")


def test_who_throws_himself_to_cover_has_to_go_there():
    """M-6.3: Target/+2 for this shot; then a move under cover, and the marker stays (M-6.2)."""
    head = battle(archer(), fighter(1, (60, 20)))
    tapes = Tapes(head).cards().speaks("top", 0).says("throw", fighter=1, shooter=0)
    tapes.says("shoot", shooter=0, target=1).rolls(0, 5).speaks("top", 1)
    lazy = copy.deepcopy(tapes).announces(1, "run")
    tapes.announces(1, "under_cover").moves(1, "under_cover", (65, 20), LEFT, 5.0)
    steps = played(tapes)
    assert cells(steps, "shoot", "cover", "difficulty", "hit") == [(2, 9, False)]
    assert not only(steps, "markers")
    refused(lazy, "M-6.3")


def test_no_shot_into_a_melee_nor_out_of_range():
    """W-6 as assumed: the target touches a friend; a bow ends at 65 cm."""
    behind = fighter(0, (52.5, 20), facing=list(LEFT))
    mixed = battle(archer(), behind, fighter(1, (50, 20)))
    tapes = Tapes(mixed).cards().speaks("top", 0, 1)
    refused(tapes.says("shoot", shooter=0, target=2), "W-6")
    far = battle(archer(), fighter(1, (85.5, 20)))
    refused(Tapes(far).cards().speaks("top", 0).says("shoot", shooter=0, target=1), "W-6")


BOLT = {"name": "bolt", "in_faith": False, "cost": 2, "difficulty": 5, "range": 30.0}
BOLT |= {"sight": True, "friend": False, "outside": False, "times": 1, "kind": "damage"}
BOLT |= {"levels": 1, "outcome": "nothing", "upkeep": None}
BALM = BOLT | {"friend": True, "kind": "heal", "times": 0}


def test_a_mystic_action_is_paid_for_either_way():
    """A-5.6, T-5.2: rank 2 + 1 fails, 2 + 4 works; 2 + 5 mana come back, 10 at most."""
    caster = {"rank": 2, "mana": 8, "mystic": [0, 1], "casts": "magician"}
    head = battle(
        fighter(0, (20, 20), **caster),
        fighter(1, (40, 20)),
        fighter(0, (20, 30), state="serious"),
        mystics=[BOLT, BALM],
    )
    tapes = Tapes(head).cards().speaks("top", 0, 2)
    tapes.says("cast", fighter=0, mystic=0, target=1, outside=False).rolls(0, 1)
    twice = copy.deepcopy(tapes).says("cast", fighter=0, mystic=0, target=1, outside=False)
    tapes.says("cast", fighter=0, mystic=1, target=2, outside=False).rolls(0, 4).speaks("top", 1)
    steps = played(tapes.rolls(0, 5))
    assert cells(steps, "cast", "success", "held") == [(False, 6), (True, 4)]
    assert cells(steps, "effect", "fighter", "before", "after") == [(2, "serious", "light")]
    assert cells(steps, "mana", "before", "after") == [(4, 10)]
    refused(twice, "A-5.6")


def test_a_charge_goes_on_when_its_target_dies():
    """M-4.7, A-5.4: a friend's bolt kills fighter 1 before A0 moves; he goes there, and on."""
    bolt = BOLT | {"outside": True, "levels": 4}
    head = battle(
        fighter(0, (20, 20)),
        fighter(1, (30, 20)),
        fighter(1, (36, 20)),
        fighter(0, (20, 40), card=1, rank=3, mana=2, mystic=[0], casts="magician"),
        mystics=[bolt],
    )
    tapes = Tapes(head).cards((0, 1)).speaks("top", 0).announces(0, "charge", 1)
    tapes.says("cast", fighter=3, mystic=0, target=1, outside=True, when=None).rolls(3, 3)
    tapes.moves(0, "charge", (30, 20), RIGHT, 10.0, aimed=1, then=2)
    tapes.moves(0, "charge", (36, 20), RIGHT, 6.0, 2)
    tapes.speaks("top", 2).speaks("top", 3)
    steps = played(clash(tapes, 0, 2).harmless(0, 2, order="2 0").rolls(3, 1))
    told = cells(steps, "move", "action", "targets", "short", "redirected")
    assert told == [("charge", [], True, True), ("charge", [2], False, True)]
    assert cells(steps, "cast", "outside") == [(True,)]
    assert cells(steps, "penalties", "fighters") == [([2],)]


def bolted(**other):
    """A0 touches fighter 1, whom A3 may kill while others act; fighter 2 is 15 cm off."""
    bolt = BOLT | {"outside": True, **other}
    return battle(
        fighter(0, (20, 20)),
        fighter(1, (20, 20)),
        fighter(1, (20, 35)),
        fighter(0, (20, 10), card=1, rank=3, mana=2, mystic=[0], casts="magician"),
        mystics=[bolt],
    )


def test_who_is_held_no_longer_needs_no_disengagement():
    """M-7.1, M-4.2: fighter 1 is dead when A0 moves: no test, and twice his MOU."""
    tapes = Tapes(bolted(levels=4)).cards((0, 1)).speaks("top", 0)
    tapes.announces(0, "engage", 2, way="agility")
    tapes.says("cast", fighter=3, mystic=0, target=1, outside=True, when=None).rolls(3, 3)
    tapes.moves(0, "engage", (20, 35), RIGHT, 15.0, 2).speaks("top", 2).speaks("top", 3)
    steps = played(clash(tapes, 0, 2).harmless(0, 2, order="2 0").rolls(3, 1))
    assert not only(steps, "disengage", "penalties")
    assert cells(steps, "move", "targets", "length") == [([2], 15.0)]


def test_the_dead_get_no_penalty():
    """M-5.1: fighter 1 is charged, and killed before the marker is given."""
    head = bolted(levels=4)
    head["fighters"][0]["at"] = [10, 20]
    walker = fighter(0, (5, 40), label="fighter 4", most=[6] * 5)
    head["fighters"].append(walker)
    tapes = Tapes(head).cards((0, 1)).speaks("top", 0, 4).announces(0, "charge", 1)
    tapes.announces(4, "run").moves(0, "charge", (20, 20), RIGHT, 10.0, 1)
    tapes.says("cast", fighter=3, mystic=0, target=1, outside=True, when=9).rolls(3, 3)
    tapes.speaks("top", 2).speaks("top", 3)
    steps = played(tapes.rolls(3, 1))
    assert cells(steps, "effect", "after") == [("dead",)]
    assert not only(steps, "penalties")


# --- a combat (C-2 to C-7) -------------------------------------------------------------


def test_the_worked_example_of_a_combat():
    """Chapter 7's example, die for die, on a table."""
    dawn = {"PA": 19, "INI": 3, "ATT": 3, "DEF": 3, "FOR": 7, "RES": 7}
    guard = {"PA": 49, "INI": 3, "ATT": 5, "DEF": 5, "FOR": 8, "RES": 11}
    arkeon = {"PA": 74, "INI": 5, "ATT": 4, "DEF": 6, "FOR": 7, "RES": 8}
    head = battle(
        fighter(0, (20, 20), **guard),
        fighter(1, (20, 20), **dawn),
        fighter(1, (18.75, 21.25), facing=list(DOWN), **dawn),
        fighter(1, (18.75, 18.75), facing=list(UP), **arkeon),
    )
    tapes = Tapes(head).idle().says("separation", combats=[[0, 1, 2, 3]])
    for side in (0, 1):
        tapes.says("named", side=side, combat=[0, 1, 2, 3])
    tapes.rolls(0, 2).rolls(1, 5).says("combat", fighters=[0, 1, 2, 3])
    tapes.places(f1=(2, 0), f2=(1, 1), f0=(3, 1), f3=(1, 1))
    tapes.says("testers", testers=[0, 3]).rolls(0, 5).rolls(3, 2)
    tapes.strikes(1, 0, 1).rolls(1, 4).rolls(0, 2)
    tapes.strikes(2, 0).wounds(2, 2, 3).strikes(3, 0).wounds(3, 3, 5)
    tapes.strikes(0, 1).wounds(0, 2, 6)
    tapes.strikes(0, 2, 1).rolls(0, 6, 4).rolls(2, 6, 1).wounds(0, 4, 5)
    tapes.strikes(0, 3, 1).rolls(0, 4).rolls(3, 2)
    steps = played(tapes.strikes(1, 0).wounds(1, 6, 6))
    assert cells(steps, "opposed", "results")[-1] == ([8, 9],)
    assert cells(steps, "attack", "result") == [(7,), (13,), (7,)]
    assert cells(steps, "parry", "result", "parried") == [(7, True), (4, False), (8, True)]
    states = ["stunned", "light, stunned", "light", "serious", "dead"]
    assert [state for (state,) in cells(steps, "wound", "state")] == states
    assert cells(steps, "wound", "strength")[-1] == (6,)
    assert cells(steps, "end", "points", "winner") == [([0, 49], 1)]
    assert not only(steps, "pursuit", "markers")  # nobody of A is left


def sustain():
    """A0 has one die in attack and one in defence, B1 two in attack, and strikes first."""
    tapes = clash(Tapes(battle(fighter(0, (20, 20)), fighter(1, (20, 20)))).idle(), 0, 1)
    return tapes.places(f1=(2, 0), f0=(1, 1)).initiative(0, 1, 1)


def test_a_sustained_die_is_kept_and_costs_two():
    """C-7.1 to C-7.3: DEF 4 - 2 from this parry on, the die used again."""
    tapes = sustain().strikes(1, 0, 1, sustained=True).rolls(1, 3).rolls(0, 5)
    tapes.strikes(0, 1).wounds(0, 1, 1)
    tapes.strikes(1, 0, 1, sustained=True).rolls(1, 4).rolls(0, 4).wounds(1, 1, 1)
    steps = played(tapes)
    assert cells(steps, "attack", "result") == [(7,), (7,)]  # stunned meanwhile
    assert cells(steps, "parry", "result", "parried") == [(7, True), (6, False)]


def test_who_sustains_must_go_on():
    """C-7.3."""
    tapes = sustain().strikes(1, 0, 1, sustained=True).rolls(1, 3).rolls(0, 5)
    refused(tapes.strikes(0, 1).wounds(0, 1, 1).strikes(1, 0), "C-7.3")


def test_more_in_attack_than_in_defence_cannot_sustain():
    """C-7.1: 2 in attack, 1 in defence."""
    head = battle(
        fighter(0, (20, 20)),
        fighter(1, (20, 20)),
        fighter(1, (18.75, 21.25), facing=list(DOWN)),
    )
    tapes = Tapes(head).idle().says("separation", combats=[[0, 1, 2]])
    for side in (0, 1):
        tapes.says("named", side=side, combat=[0, 1, 2])
    tapes.rolls(0, 5).rolls(1, 2).says("combat", fighters=[0, 1, 2])
    tapes.places(f1=(2, 0), f2=(2, 0), f0=(2, 1)).initiative(0, 1, 1)
    refused(tapes.strikes(1, 0, 1, sustained=True), "C-7.1")


def test_a_lone_fighter_strikes_each_enemy_once():
    """C-5.3: not the same enemy twice while another has not been struck."""
    head = battle(
        fighter(0, (20, 20)),
        fighter(1, (20, 20)),
        fighter(1, (18.75, 21.25), facing=list(DOWN)),
    )
    tapes = Tapes(head).idle().says("separation", combats=[[0, 1, 2]])
    for side in (0, 1):
        tapes.says("named", side=side, combat=[0, 1, 2])
    tapes.rolls(0, 5).rolls(1, 2).says("combat", fighters=[0, 1, 2])
    tapes.places(f1=(0, 2), f2=(0, 2), f0=(3, 0)).initiative(0, 1, 0)
    refused(tapes.strikes(0, 1).wounds(0, 1, 1).strikes(0, 1), "C-5.3")


def test_the_authority_winner_starts_with_the_combat_he_named():
    """C-2.2."""
    head = battle(*(fighter(side, (20, y)) for y in (20, 40) for side in (0, 1)))
    tapes = Tapes(head).idle()
    tapes.says("separation", combats=[[0, 1]]).says("separation", combats=[[2, 3]])
    tapes.says("named", side=0, combat=[0, 1]).says("named", side=1, combat=[2, 3])
    tapes.rolls(0, 5).rolls(3, 2)
    refused(tapes.says("combat", fighters=[2, 3]), "C-2.2")


# --- points ----------------------------------------------------------------------------


def test_zones_survival_and_margin():
    """More PA of those not in rout holds a zone; less than the margin is a draw."""
    zone = {"name": "well", "points": 15, "corners": [[0, 0], [30, 0], [30, 30], [0, 30]]}
    head = battle(
        fighter(0, (20, 20), PA=12),
        fighter(1, (25, 10), PA=11),
        fighter(1, (90, 10), PA=40),
        zones=[zone],
        survival=[{"fighter": 2, "points": 6}],
    )
    steps = played(Tapes(head).idle())
    assert cells(steps, "end", "points", "winner") == [([15, 6], 0)]
    steps = played(Tapes(head | {"margin": 10}).idle())
    assert cells(steps, "end", "points", "winner") == [([15, 6], -1)]


def test_the_battle_ends_with_the_last_fighter_of_a_side():
    """The phases are cut short: no maintenance, no second turn."""
    head = battle(archer(), fighter(1, (50, 20), PA=7), turns=2)
    tapes = Tapes(head).cards().speaks("top", 0).says("shoot", shooter=0, target=1)
    steps = played(tapes.rolls(0, 5).wounds(0, 6, 6))
    assert [step.kind for step in steps[-3:]] == ["wound", "score", "end"]
    assert cells(steps, "end", "turn", "points", "winner") == [(1, [7, 0], 0)]


# --- the replay itself -----------------------------------------------------------------


def test_a_false_cell_shows():
    """A replay works out all that is no decision: each cell that is changed differs."""
    head = battle(fighter(0, (20, 20)), fighter(1, (30, 20), PEUR=6))
    tapes = charge(head).rolls(0, 2).moves(0, "charge", (30, 20), RIGHT, 10.0, 1)
    steps = clash(tapes.speaks("top", 1), 0, 1).harmless(0, 1, order="1 0").play()
    worked_out = {
        "courage": ("value", "difficulty", "result", "success", "against"),
        "move": ("touched", "short", "redirected"),
        "penalties": ("fighters",),
        "melee": ("fighters",),
        "separation": ("side", "melee"),
        "named": ("fighter",),
        "opposed": ("values", "results", "winner"),
        "combat": ("side", "chooser"),
        "markers": ("before", "after", "what"),
        "score": ("destroyed", "points"),
        "end": ("points", "winner"),
    }
    assert worked_out.keys() <= {step.kind for step in steps}
    for k, (kind, data) in enumerate(steps):
        for name in worked_out.get(kind, ()):
            false = [*steps[:k], Step(kind, data | {name: "false"}), *steps[k + 1 :]]
            assert replayed(false, CONFFEDE) == steps
