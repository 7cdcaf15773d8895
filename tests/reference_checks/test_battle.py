"""The plain reading of a battle, on small ones made by hand."""

from __future__ import annotations

import copy

import pytest
from battle_tapes import CONFFEDE, DOWN, RIGHT, UP, Tapes, battle, fighter, only

from reference.battle import replayed
from reference.decisions import Illegal

# --- pursuit (C-8) --------------------------------------------------------------------


def fought(steps):
    """Fighters and cause of each combat."""
    return [(step.data["fighters"], step.data["cause"]) for step in only(steps, "combat")]


def again(steps):
    """The transcript is its own replay."""
    assert replayed(steps, CONFFEDE) == steps
    return steps


def pair(x, y, card_a=0, card_b=0, **other):
    """Two enemies who touch, A looking right and B left, on a front edge at (x, y)."""
    return fighter(0, (x, y), card=card_a, **other), fighter(1, (x, y), card=card_b, **other)


def two_melees(**other):
    """A0 and B1 in contact; A2 and B3 in contact, 5 cm above them."""
    return battle(*pair(20, 20), *pair(20, 25), **other)


def opened(head, combats, named):
    """An idle activation phase; each melee one combat; A wins the Authority roll."""
    tapes = Tapes(head).idle()
    for combat in combats:
        tapes.says("separation", combats=[combat])
    for side in (0, 1):
        tapes.says("named", side=side, combat=named)
    return tapes


def authority(tapes, a, b):
    """The Authority roll, won by A."""
    return tapes.rolls(a, 5).rolls(b, 2)


def test_an_enemy_who_has_fought_is_left_alone():
    """C-8.3 a: B3 has fought when A0, who has killed B1, engages him."""
    tapes = opened(two_melees(), [[0, 1], [2, 3]], [2, 3])
    authority(tapes, 2, 3)
    tapes.says("combat", fighters=[2, 3]).harmless(2, 3, order="3 2")
    tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="0 1")
    tapes.says("pursuit", fighter=0, choice="engage", then=3)
    tapes.moves(0, "pursue", (21.25, 23.75), UP, 4.0, 3)
    steps = again(tapes.play())
    assert fought(steps) == [([2, 3], "chosen"), ([0, 1], "chosen")]
    assert only(steps, "move")[0].data["touched"] == [3]


def test_a_free_enemy_fights_the_pursuer_at_once():
    """C-8.3 b: B2 touches nobody; the combat is of the speaking turn's player (C-3.3)."""
    head = battle(*pair(20, 20), fighter(1, (24, 20)))
    tapes = opened(head, [[0, 1]], [0, 1])
    authority(tapes, 0, 1)
    tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="1 0")
    tapes.says("pursuit", fighter=0, choice="engage", then=2)
    tapes.moves(0, "pursue", (24, 20), RIGHT, 4.0, 2)
    tapes.says("combat", fighters=[0, 2]).harmless(0, 2, order="2 0")
    steps = again(tapes.play())
    assert fought(steps) == [([0, 1], "chosen"), ([0, 2], "pursuit")]
    assert not only(steps, "separation")[1:]
    placed = only(steps, "place")[-2:]
    assert [step.data["defence"] for step in placed] == [2, 2]  # a full new set (C-8.3)


def test_an_enemy_in_an_unresolved_combat_fights_with_the_pursuer():
    """C-8.3 c, and C-8.6: A2 touches B3; A0 kills B1 and engages B3: B3 against both."""
    tapes = opened(two_melees(), [[0, 1], [2, 3]], [0, 1])
    authority(tapes, 0, 1)
    tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="1 0")
    tapes.says("pursuit", fighter=0, choice="engage", then=3)
    tapes.moves(0, "pursue", (21.25, 23.75), UP, 4.0, 3)
    tapes.says("combat", fighters=[3, 2, 0]).harmless(3, 2, 0, order="3 2 0")
    steps = again(tapes.play())
    assert fought(steps) == [([0, 1], "chosen"), ([3, 2, 0], "pursuit")]
    assert [step.data["defence"] for step in only(steps, "place")[-3:]] == [3, 2, 2]


def test_a_pursuer_keeps_his_penalties():
    """C-8.3: stunned and wounded in his first combat, he fights on so in the next."""
    head = battle(*pair(20, 20), fighter(1, (24, 20)))
    tapes = opened(head, [[0, 1]], [0, 1])
    authority(tapes, 0, 1)
    tapes.says("combat", fighters=[0, 1]).places(f1=(2, 0), f0=(2, 0)).initiative(0, 1, 1)
    tapes.strikes(1, 0).wounds(1, 2, 1)  # 4 - 4 + 2 = 2, legs: stunned
    tapes.kills(0, 1)
    tapes.says("pursuit", fighter=0, choice="engage", then=2)
    tapes.moves(0, "pursue", (24, 20), RIGHT, 4.0, 2)
    tapes.says("combat", fighters=[0, 2]).harmless(0, 2, order="2 0")
    steps = again(tapes.play())
    last = only(steps, "opposed")[-1].data
    assert last["purpose"] == "initiative"
    assert last["values"] == [3, 4]


def test_a_survivor_who_stays_takes_part_in_the_next_combat():
    """C-8.5: Z touches A and B, B kills Y and stays: Z against A and B follows."""
    # A0 = A, A1 = B; B2 = Y, to the right of B; B3 = Z, below B and to the right of A
    head = battle(
        fighter(0, (20, 20)),
        fighter(0, (21.25, 22.5)),
        fighter(1, (21.25, 22.5)),
        fighter(1, (20, 20)),
    )
    tapes = Tapes(head).idle()
    tapes.says("separation", combats=[[0, 3], [1, 2]])
    tapes.rolls(0, 5).rolls(2, 2)
    tapes.says("named", side=0, combat=[1, 2]).says("named", side=1, combat=[1, 2])
    authority(tapes, 1, 2)
    tapes.says("combat", fighters=[1, 2]).duel(1, 2, 1, order="2 1")
    tapes.says("pursuit", fighter=1, choice="stay")
    tapes.says("combat", fighters=[3, 0, 1]).harmless(3, 0, 1, order="3 0 1")
    steps = again(tapes.play())
    assert fought(steps) == [([1, 2], "chosen"), ([3, 0, 1], "pursuit")]


def test_a_survivor_who_moves_off_fights_no_more():
    """C-8.5: or he moves off (C-8.1); Z then fights A alone."""
    head = battle(
        fighter(0, (20, 20)),
        fighter(0, (21.25, 22.5)),
        fighter(1, (21.25, 22.5)),
        fighter(1, (20, 20)),
    )
    tapes = Tapes(head).idle()
    tapes.says("separation", combats=[[0, 3], [1, 2]])
    tapes.rolls(0, 5).rolls(2, 2)
    tapes.says("named", side=0, combat=[1, 2]).says("named", side=1, combat=[1, 2])
    authority(tapes, 1, 2)
    tapes.says("combat", fighters=[1, 2]).duel(1, 2, 1, order="2 1")
    tapes.says("pursuit", fighter=1, choice="move")
    tapes.moves(1, "pursue", (21.25, 26.5), RIGHT, 4.0)
    tapes.says("combat", fighters=[0, 3]).harmless(0, 3, order="0 3")
    steps = again(tapes.play())
    assert fought(steps) == [([1, 2], "chosen"), ([0, 3], "chosen")]
    assert [step.data["side"] for step in only(steps, "combat")] == [0, 1]  # C-2.3


def chain_of_four():
    """C-8.6: A0 = B beside Y = B1; A2 = A touches B3 = Z and B4 = X, who touch him only."""
    return battle(
        *pair(20, 20),
        fighter(0, (20, 30)),
        fighter(1, (20, 30)),
        fighter(1, (18.75, 31.25), facing=list(DOWN)),
        fighter(0, (60, 60)),
    )


def test_a_pursuer_separates_anew_and_only_his_combat_is_resolved():
    """C-8.6: Z against B at once, A against X later; B's player separates."""
    head = chain_of_four()
    head["fighters"][0]["MOU"] = 20
    tapes = Tapes(head).idle()
    tapes.says("separation", combats=[[0, 1]]).says("separation", combats=[[2, 3, 4]])
    tapes.says("named", side=0, combat=[0, 1]).says("named", side=1, combat=[0, 1])
    authority(tapes, 0, 1)
    tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="1 0")
    tapes.says("pursuit", fighter=0, choice="engage", then=3)
    tapes.moves(0, "pursue", (21.25, 28.75), UP, 9.0, 3)
    tapes.says("separation", combats=[[0, 3], [2, 4]])
    tapes.says("combat", fighters=[0, 3]).harmless(0, 3, order="3 0")
    tapes.says("combat", fighters=[2, 4]).harmless(2, 4, order="2 4")
    steps = again(tapes.play())
    assert fought(steps) == [([0, 1], "chosen"), ([0, 3], "pursuit"), ([2, 4], "chosen")]
    made = only(steps, "separation")[-1].data
    assert (made["cause"], made["by"], made["side"]) == ("pursuit", 0, 0)
    assert [step.data["side"] for step in only(steps, "combat")] == [0, 0, 1]


def test_a_new_separation_leaves_nobody_out():
    """C-8.4, C-1.3."""
    head = chain_of_four()
    head["fighters"][0]["MOU"] = 20
    tapes = Tapes(head).idle()
    tapes.says("separation", combats=[[0, 1]]).says("separation", combats=[[2, 3, 4]])
    tapes.says("named", side=0, combat=[0, 1]).says("named", side=1, combat=[0, 1])
    authority(tapes, 0, 1)
    tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="1 0")
    tapes.says("pursuit", fighter=0, choice="engage", then=3)
    tapes.moves(0, "pursue", (21.25, 28.75), UP, 9.0, 3)
    tapes.says("separation", combats=[[3, 0, 2]])
    with pytest.raises(Illegal, match=r"^C-1\.3"):
        tapes.play()


def test_a_pursuit_goes_half_its_move_rounded_up():
    """C-8.1: MOU 7 goes 4 cm, no more."""
    for far, clause in ((4.0, None), (4.5, "M-8")):
        tapes = opened(battle(*pair(20, 20, MOU=7), fighter(1, (60, 60))), [[0, 1]], [0, 1])
        authority(tapes, 0, 1)
        tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="1 0")
        tapes.says("pursuit", fighter=0, choice="move")
        tapes.moves(0, "pursue", (20 + far, 20), RIGHT, far)
        if clause is None:
            assert only(again(tapes.play()), "move")[0].data["length"] == far
        else:
            with pytest.raises(Illegal, match=clause):
                tapes.play()


def test_one_pursuit_move_a_turn():
    """C-8.1: A0 kills two, and pursues after the first only; then he can but stay."""
    head = battle(*pair(20, 20), fighter(1, (24, 20)), fighter(1, (60, 60)))
    tapes = opened(head, [[0, 1]], [0, 1])
    authority(tapes, 0, 1)
    tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="1 0")
    tapes.says("pursuit", fighter=0, choice="engage", then=2)
    tapes.moves(0, "pursue", (24, 20), RIGHT, 4.0, 2)
    tapes.says("combat", fighters=[0, 2]).duel(0, 2, 0, order="2 0")
    more = copy.deepcopy(tapes).says("pursuit", fighter=0, choice="move")
    steps = again(tapes.says("pursuit", fighter=0, choice="stay").play())
    assert fought(steps) == [([0, 1], "chosen"), ([0, 2], "pursuit")]
    with pytest.raises(Illegal, match=r"^C-8\.1"):
        more.play()


def test_a_routed_survivor_does_not_pursue():
    """C-8, reading; and all his dice are in defence (C-3.6)."""
    head = battle(
        fighter(0, (20, 20), routed=True),
        fighter(0, (20, 22.5)),
        fighter(1, (20, 21.25)),
        fighter(1, (60, 60)),
    )
    tapes = Tapes(head).idle()
    tapes.says("separation", combats=[[2, 0, 1]])
    tapes.says("named", side=0, combat=[2, 0, 1]).says("named", side=1, combat=[2, 0, 1])
    authority(tapes, 1, 2)
    tapes.says("combat", fighters=[2, 0, 1])
    tapes.places(f2=(3, 0), f0=(0, 2), f1=(2, 0)).initiative(2, 1, 1).kills(1, 2)
    flees = copy.deepcopy(tapes).says("pursuit", fighter=0, choice="move")
    for i in (0, 1):
        tapes.says("pursuit", fighter=i, choice="stay")
    tapes.rolls(0, 4)  # the rally: 4 + 4
    steps = again(tapes.play())
    with pytest.raises(Illegal, match=r"^C-8\.1"):
        flees.play()
    assert only(steps, "rally")[0].data["routed"] is False


def test_pursuers_and_free_enemies_in_a_row():
    """C-2.3: all that pursuits cause comes before the other player speaks."""
    head = battle(*pair(20, 20), fighter(1, (24, 20)), *pair(60, 60))
    tapes = opened(head, [[0, 1], [3, 4]], [0, 1])
    authority(tapes, 0, 1)
    tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="1 0")
    tapes.says("pursuit", fighter=0, choice="engage", then=2)
    tapes.moves(0, "pursue", (24, 20), RIGHT, 4.0, 2)
    tapes.says("combat", fighters=[0, 2]).harmless(0, 2, order="2 0")
    tapes.says("combat", fighters=[3, 4]).harmless(3, 4, order="3 4")
    steps = again(tapes.play())
    assert [step.data["side"] for step in only(steps, "combat")] == [0, 0, 1]


@pytest.mark.parametrize("stands", [True, False])
def test_a_pursuer_who_engages_a_frightening_enemy_tests_first(stands):
    """C-8.1, W-4.1: who fails is in rout and stays; the enemy has no one to fight."""
    head = battle(*pair(20, 20), fighter(1, (24, 20), PEUR=6))
    tapes = opened(head, [[0, 1]], [0, 1])
    authority(tapes, 0, 1)
    tapes.says("combat", fighters=[0, 1]).duel(0, 1, 0, order="1 0")
    tapes.says("pursuit", fighter=0, choice="engage", then=2)
    if stands:
        tapes.rolls(0, 2).moves(0, "pursue", (24, 20), RIGHT, 4.0, 2)
        tapes.says("combat", fighters=[0, 2]).harmless(0, 2, order="2 0")
    else:
        tapes.rolls(0, 1).rolls(0, 2)  # the second one is the rally
    steps = again(tapes.play())
    assert only(steps, "courage")[0].data["success"] is stands
    assert len(only(steps, "combat")) == 1 + stands
