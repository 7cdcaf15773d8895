"""Who fights, and what the options say of each; the dice that questions share."""

from dataclasses import replace

import numpy as np
import pytest
from running import ABLE, ARKEON, GUARD, PLAIN, ROSTER, WARRIOR

from estoc.kernels.combat.trials import play
from estoc.kernels.layout.combat import Column, new_fight
from estoc.profiles import InputError, Profile, load_edition
from estoc.sim.base.options import Dice, Options
from estoc.sim.base.policy import parse_policies
from estoc.sim.base.run import Method
from estoc.sim.combat.combat import ask
from estoc.sim.combat.combatants import chosen, numbered, remarks, with_options
from estoc.sim.combat.duel import pairing

FIND = ROSTER.find
TRIALS = 4000


def three(**options):
    """The guard against two warriors."""
    return ask([FIND(GUARD)], [FIND(WARRIOR)] * 2, Options(**options))


def duel(dice=(None, None), a=GUARD, b=WARRIOR, **options):
    placed = tuple(d and Dice.parse(d) for d in dice)
    return pairing(FIND(a), FIND(b), Options(**options), placed)


def test_namesakes_are_numbered():
    labels = [c.label for c in numbered([FIND(WARRIOR), FIND(GUARD), FIND(WARRIOR)], "A")]
    assert labels == [f"{WARRIOR}#1", GUARD, f"{WARRIOR}#2"]


@pytest.mark.parametrize(
    ("selector", "who"),
    [
        ("A", [0]),
        ("b", [1, 2]),
        (GUARD, [0]),
        ("GARDE PRETORIEN", [0]),
        ("garde", [0]),
        (f"{GUARD}@Conf'Fédé", [0]),
        (WARRIOR, [1, 2]),
        ("guerrier", [1, 2]),
        (f"{WARRIOR}#2", [2]),
    ],
)
def test_an_option_is_about_a_side_a_name_its_beginning_or_one_of_several(selector, who):
    question = three(wounds=(f"{selector}=light",), all_defence=(selector,))
    assert [i for i, c in enumerate(question.fighters) if c.wounds == "light"] == who
    assert [i for i, c in enumerate(question.fighters) if c.all_defence] == who


def test_an_exact_name_beats_a_beginning():
    a, b = Profile("Loup", ATT=1), Profile("Loup blanc", ATT=1)
    both = with_options((*numbered([a], "A"), *numbered([b], "B")), Options(sets=("loup.ATT=9",)))
    assert [c.profile.ATT for c in both] == [9, 1]


def test_a_beginning_of_two_names_is_nobody():
    a, b = Profile("Loup gris"), Profile("Loup blanc")
    with pytest.raises(InputError, match='--set "loup" could be Loup gris, Loup blanc'):
        with_options((*numbered([a], "A"), *numbered([b], "B")), Options(sets=("loup.ATT=9",)))


def test_accents_count_where_names_differ_by_nothing_else():
    fighters = (*numbered([Profile("Péché")], "A"), *numbered([Profile("Pêche")], "B"))
    for name, found in (("péché", {0}), ("pêche", {1}), ("pê", {1}), ("A", {0})):
        assert chosen(name, "--set", fighters) == found
    for name in ("peche", "pech"):
        with pytest.raises(InputError, match=f'--wounds "{name}" could be Péché, Pêche'):
            chosen(name, "--wounds", fighters)


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("key", ["ATT", "att", "attaque"])
def test_values_are_set_with_or_without_quotes_in_both_languages(quote, key):
    question = three(sets=(f"{quote}{GUARD}{quote}.{key}=9", "B.PA=3"))
    assert question.lone.profile.ATT == 9
    assert [c.profile.PA for c in question.others] == [3, 3]


@pytest.mark.parametrize("key", ["name", "nom", "origin", "origine"])
def test_name_and_origin_are_not_set(key):
    with pytest.raises(InputError, match="name and origin say which card it is"):
        three(sets=(f"A.{key}=x",))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sets": ("A",)}, r'--set "A" should be NAME.KEY=VALUE'),
        ({"sets": ("A=5",)}, r'--set "A=5" should be NAME.KEY=VALUE, as "A".ATT=5'),
        ({"sets": ("A.ATT=",)}, "should be NAME.KEY=VALUE"),
        ({"sets": ("A.ATTT=5",)}, 'unknown heading "ATTT"; nearest: ATT'),
        ({"sets": ("A.ATT=41",)}, f'"{GUARD}".ATT: .41. is not right: .* from 0 to 40'),
        ({"wounds": ("A",)}, '--wounds "A" should be NAME=light,stunned'),
        ({"wounds": ("A=ligth",)}, 'no state "ligth"; nearest: light'),
        ({"wounds": ("A=critical,serious",)}, "he would be dead; a fighter starts alive"),
        ({"dice": ("A:2/1",)}, '--dice "A:2/1" should be NAME=ATTACK/DEFENCE'),
        ({"dice": ("A=2/2",)}, f'dice 2/2 of "{GUARD}" should be 3 in all'),
        ({"dice": ("B=2/1",)}, f'dice 2/1 of "{WARRIOR}#1" should be 2 in all'),
        ({"charge": ("C",)}, f'--charge "C": no such fighter here; A, B, or one of "{GUARD}"'),
        ({"all_defence": ("x",)}, '--all-defence "x": no such fighter here'),
    ],
)
def test_wrong_options_are_refused_with_what_would_be_right(options, message):
    with pytest.raises(InputError, match=message):
        three(**options)


def test_at_most_one_side_has_several():
    with pytest.raises(InputError, match="2 against 2: a combat is one fighter against one or"):
        ask([FIND(GUARD)] * 2, [FIND(WARRIOR)] * 2, Options())


def test_at_most_eight_enemies():
    ask([FIND(GUARD)], [FIND(WARRIOR)] * 8, Options())
    with pytest.raises(InputError, match="9 enemies against one: at most 8"):
        ask([FIND(GUARD)], [FIND(WARRIOR)] * 9, Options())


def test_two_do_not_charge_each_other():
    with pytest.raises(InputError, match=r"A and B both charge.*M-4\.1"):
        duel(charge=("A", "B"))


def test_a_missing_characteristic_names_fighter_cell_and_remedy():
    question = ask([FIND(ARKEON)], [FIND(WARRIOR)], Options())
    with pytest.raises(InputError, match=r'"Arkéon Sanath": the cell ATT is empty.*--set'):
        assert question.setup
    assert ask([FIND(ARKEON)], [FIND(WARRIOR)], Options(sets=("A.ATT=5", "A.RES=9"))).setup


def test_the_charged_suffer_it_when_the_chargers_are_as_strong():
    assert duel(charge=("A",)).setup.fighters[:, Column.CHARGED].tolist() == [0, 1]
    weak = duel(charge=("A",), sets=("B.power=2",))
    assert weak.setup.fighters[:, Column.CHARGED].tolist() == [0, 0]
    both = three(charge=("B",), sets=("A.power=2",))
    assert both.setup.fighters[:, Column.CHARGED].tolist() == [1, 0, 0]


def test_remarks_tell_what_is_assumed():
    plain = pairing(PLAIN, FIND(GUARD), Options())
    assert plain.remarks() == (
        f"no PA, placed as if equal to the enemy (C-3.3, assumed): {PLAIN.name}",
        "fighters of different origins: ConfArena, Conf'Fédé",
    )
    assert duel().remarks() == ()
    charge = duel(charge=("A",)).remarks()
    assert charge == (f"power assumed to be 1: {GUARD}, {WARRIOR}",)
    many = remarks(
        numbered([replace(PLAIN, name=f"n{i}") for i in range(9)], "A"), load_edition("c3")
    )
    assert many[0].endswith(": n0, n1, n2, n3 and 5 more")


def test_remarks_tell_which_abilities_are_played():
    mixed = replace(FIND(GUARD), abilities=("Tueur né/2", "Vol", "Toxique/2", "Bretteur"))
    assert pairing(mixed, FIND(WARRIOR), Options()).remarks() == (
        f"abilities not modelled: {GUARD} (Vol)",
        f"abilities assumed: {GUARD} (Tueur né/2, Toxique/2)",
    )
    assert pairing(mixed, FIND(WARRIOR), Options(abilities=False)).remarks() == (
        f"abilities left out: {GUARD} (Tueur né/2, Vol, Toxique/2, Bretteur)",
    )


def test_assumed_values_are_named_and_yours_are_not_among_them():
    assert "tests.many_dice" in duel().assumed
    assert "tests.many_dice" not in duel(rules=("many_dice=one_chain",)).assumed


# --- dice that questions share --------------------------------------------------------


def states(question, seed=5, trials=TRIALS):
    fights = new_fight(question.setup, question.rules, seed, question.cell)
    return play(fights, 0, trials, question.options.turns)


def scores(question, seed=5):
    """+1 where A kills, -1 where it dies."""
    final = states(question, seed)
    dead = len(question.rules.level) - 1
    return (final[:, 1] == dead).astype(int) - (final[:, 0] == dead)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (duel(), duel(sets=("A.ATT=6",))),
        (duel(), duel(sets=("B.DEF=4",))),
        (duel(), duel(sets=("A.RES=12",))),
        (duel(("2/0", "1/1")), duel(("1/1", "1/1"))),
        (duel(("1/1", "2/0")), duel(("1/1", "1/1"))),
        (duel(("2/0", "1/1")), duel(("2/0", "1/1"), charge=("A",))),
    ],
    ids=["ATT", "DEF", "RES", "dice A", "dice B", "charge"],
)
def test_a_change_of_one_fighter_keeps_the_other_dice(one, other):
    one, other = scores(one), scores(other)
    paired = np.var(one - other)
    assert 0 < 1.5 * paired < np.var(one) + np.var(other)


def test_a_seed_a_pair_and_a_trial_say_the_dice():
    same = states(duel())
    assert (states(duel()) == same).all()
    assert (states(duel(policies=parse_policies(("sensible",)))) == same).all()
    assert (states(duel(), seed=6) != same).any()
    assert duel().cell == duel(("2/0", "2/0"), turns=3).cell
    assert duel().cell != duel(b=ABLE[5].name).cell


def test_cells_do_not_depend_on_the_order_of_the_sides():
    assert duel().cell == duel(a=WARRIOR, b=GUARD).cell
    assert {duel().mirror, duel(a=WARRIOR, b=GUARD).mirror} == {0, 1}
    assert ask([FIND(GUARD)], [FIND(WARRIOR)] * 2, Options()).cell == three().cell


def test_inputs_tell_whether_anything_that_counts_has_changed():
    same = duel()
    changes = [
        duel(sets=("A.ATT=6",)),
        duel(rules=("many_dice=one_chain",)),
        duel(policies=parse_policies(("A=never",))),
        duel(("1/1", "1/1")),
        duel(charge=("A",)),
        duel(wounds=("B=light",)),
    ]
    assert len({question.inputs for question in (same, *changes)}) == 7
    renoted = replace(FIND(GUARD), note="another", abilities=("another",))
    assert pairing(renoted, FIND(WARRIOR), Options()).inputs == same.inputs


def test_the_command_names_each_fighter_by_his_place():
    question = three(sets=(f"{WARRIOR}#2.ATT=6",), wounds=("A=light",), dice=("B1=1/1",))
    line = question.command_line(Method("mc", 10, 1))
    assert "--set B2.ATT=6" in line
    assert "--wounds A=light" in line
    assert "--dice B1=1/1" in line


def test_values_assumed_for_these_fighters_are_named():
    assert not {"defaults.missing_PA", "defaults.power"} & set(duel().assumed)
    assert "defaults.power" in duel(charge=("A",)).assumed
    without = replace(FIND(GUARD), PA=None)
    assert "defaults.missing_PA" in pairing(without, FIND(WARRIOR), Options()).assumed
    assert "M-5.3" in duel(charge=("A",)).readings
    assert "M-5.3" not in duel().readings
    assert {"W-1.5", "C-7.2", "C-7.6"} <= set(duel().readings)
    texts = [r.text for r in duel().options.edition.readings if r.clause == "C-7.6"]
    assert "if that attack then fails automatically" in texts[0]


def test_placed_dice_and_all_in_defence_contradict_each_other():
    with pytest.raises(InputError, match="should be 0/2, all in defence"):
        duel(("2/0", None), all_defence=("A",))
    assert duel(("0/2", None), all_defence=("A",)).lone.dice == Dice(0, 2)
    assert duel(("2/0", None), all_defence=("A",), turns=2).lone.dice == Dice(2, 0)
