"""Duels: one tidy row that adds up, mirrors, and can be made again."""

import shlex
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import ABLE, GUARD, PLAIN, ROSTER, WARRIOR, answered, duel_options, estoc, own_dice

from estoc.profiles import InputError, Profile
from estoc.sim.base.options import Options
from estoc.sim.base.policy import parse_policies
from estoc.sim.combat.combat import combat
from estoc.sim.combat.duel import duel

COLUMNS = [
    *("a", "b", "dice_a", "dice_b", "charge", "turns", "trials", "wins_a", "wins_b", "undecided"),
    *("p_a", "p_a_low", "p_a_high", "p_b", "p_b_low", "p_b_high"),
    *("p_undecided", "p_undecided_low", "p_undecided_high"),
    *("first_a", "p_first_a", "p_first_a_low", "p_first_a_high", "mean_turns"),
    *("score", "value"),
    *("wounds_a", "wounds_b", "destroyed", "lost"),
    *(
        "method",
        "sampler",
        "remainder",
        "policy",
        "edition",
        "seed",
        "inputs",
        "assumed",
        "readings",
        "remarks",
    ),
    *("version", "command"),
]
# Columns of A and their mirrors.
MIRRORED = {
    **{"a": "b", "dice_a": "dice_b", "wins_a": "wins_b", "wounds_a": "wounds_b"},
    **{"p_a": "p_b", "p_a_low": "p_b_low", "p_a_high": "p_b_high", "destroyed": "lost"},
}
WORTHLESS = dict.fromkeys(("INI", "ATT", "FOR", "DEF", "RES"), 0)
SIDES = {"A": "B", "B": "A"}
CLOSE = 1e-9


def row(a=GUARD, b=WARRIOR, trials=2000, seed=1, **asked):
    return duel(a, b, trials=trials, seed=seed, roster=ROSTER, **asked).rows[0]


def test_columns():
    assert list(row()) == COLUMNS


@given(
    st.sampled_from(ABLE),
    st.sampled_from(ABLE),
    st.integers(1, 500),
    st.integers(1, 4),
    st.integers(0, 2**64 - 1),
)
@settings(max_examples=40, deadline=None)
def test_counts_are_integers_that_add_up(a, b, trials, turns, seed):
    # H6
    found = row(a, b, trials, seed, options=Options(turns=turns))
    counts = [found[key] for key in ("wins_a", "wins_b", "undecided")]
    assert all(type(count) is int and count >= 0 for count in counts)
    assert sum(counts) == found["trials"] == trials
    for key, count in zip(("p_a", "p_b", "p_undecided"), counts, strict=True):
        assert found[key] == count / trials
        assert found[f"{key}_low"] <= found[key] <= found[f"{key}_high"]
    assert 1 <= found["mean_turns"] <= turns
    for points, fighter, wins in (("destroyed", b, "wins_a"), ("lost", a, "wins_b")):
        if fighter.PA is None:
            assert found[points] is None
            continue
        least = fighter.PA * found[wins] / trials
        both = any("Acharné" in f.abilities for f in (a, b))  # then both may die
        most = least + both * fighter.PA * found["undecided"] / trials
        assert least - CLOSE <= found[points] <= most + CLOSE


@st.composite
def asked(draw):
    """Two fighters and options of a duel, and the options that swap the sides."""
    a, b = draw(st.lists(st.sampled_from(ABLE), min_size=2, max_size=2, unique_by=lambda f: f.key))
    placings = [st.sampled_from([*own_dice(f), "policy"]) for f in (a, b)]
    dice = draw(st.none() | st.tuples(*placings))
    names = draw(st.tuples(*[st.sampled_from(["sensible", "bold", "cautious", "always"])] * 2))
    options = Options(
        policies=parse_policies((f"A={names[0]}", f"B={names[1]}")),
        chosen_by=draw(st.sampled_from("AB")),
        turns=draw(st.integers(1, 3)),
        charge=draw(st.sampled_from([(), ("A",), ("B",)])),
        all_defence=() if dice else draw(st.sampled_from([(), ("A",), ("B",), ("A", "B")])),
        wounds=draw(st.sampled_from([(), ("A=light",), ("B=serious,stunned",)])),
        rules=draw(
            st.sampled_from(
                [(), ("opposed_tie=coin",), ("opposed_tie=first",), ("many_dice=one_chain",)]
            )
        ),
    )
    swapped = replace(
        options,
        policies=options.policies[::-1],
        chosen_by=SIDES[options.chosen_by],
        charge=tuple(map(SIDES.get, options.charge)),
        all_defence=tuple(map(SIDES.get, options.all_defence)),
        wounds=tuple(SIDES[text[0]] + text[1:] for text in options.wounds),
    )
    return (a, b, dice, options), (b, a, dice and dice[::-1], swapped)


@given(asked(), st.integers(0, 2**64 - 1))
@settings(max_examples=60, deadline=None)
def test_a_against_b_mirrors_b_against_a(questions, seed):
    one, other = (
        row(a, b, 500, seed, dice=dice, options=options) for a, b, dice, options in questions
    )
    for key, mirrored in MIRRORED.items():
        assert (one[key], one[mirrored]) == (other[mirrored], other[key])
    assert (one["undecided"], one["mean_turns"]) == (other["undecided"], other["mean_turns"])
    assert one["p_first_a"] == pytest.approx(1 - other["p_first_a"])
    assert one["charge"] == SIDES.get(other["charge"], "none")


def test_namesakes_are_even():
    found = row(GUARD, GUARD, trials=200_000, options=Options(turns=3))
    assert found["wins_a"] == pytest.approx(found["wins_b"], rel=0.02)
    assert found["p_first_a"] == pytest.approx(0.5, abs=0.01)


def test_a_duel_is_a_combat_of_two():
    options = Options(turns=2, charge=("B",))
    sides = combat(GUARD, WARRIOR, trials=2000, seed=1, options=options).rows[0]
    found = row(options=options)
    shared = [c for c in COLUMNS if c in sides and c != "command"]
    assert {c: found[c] for c in shared} == {c: sides[c] for c in shared}


def test_dice_in_options_and_dice_given():
    given_apart = row(dice=["2/0", "1/1"])
    in_options = row(options=Options(dice=("A=2/0", "B=1/1")))
    assert given_apart == in_options
    assert (given_apart["dice_a"], given_apart["dice_b"]) == ("2/0", "1/1")


def test_a_fighter_without_pa():
    found = row(PLAIN, GUARD)
    assert found["lost"] is None
    assert found["destroyed"] == pytest.approx(49 * found["p_a"])
    assert "C-3.3" in found["remarks"]


def test_nobody_dies_without_attacks():
    found = row(dice=["0/2", "0/2"], options=Options(turns=3))
    assert (found["wins_a"], found["wins_b"], found["undecided"]) == (0, 0, 2000)
    assert (found["wounds_a"], found["mean_turns"]) == (0, 3)
    assert found["p_undecided_low"] < 1 == found["p_undecided"]


def test_the_sure_winner_wins():
    giant = Profile("giant", INI=40, ATT=40, FOR=40, DEF=40, RES=40, PA=9)
    found = row(giant, Profile("dwarf", **WORTHLESS, PA=1), options=Options(turns=50))
    assert found["undecided"] == 0
    assert found["wins_a"] > 1950  # a double six kills anybody (W-2.2)
    assert found["destroyed"] == found["p_a"]


@pytest.mark.parametrize(
    ("better", "key"),
    [("A.ATT=7", "p_a"), ("A.FOR=12", "p_a"), ("B.DEF=0", "p_a"), ("B.RES=1", "p_a")],
)
def test_a_better_card_kills_more(better, key):
    dice = {"dice": ["1/1", "1/1"]}
    assert row(**dice, options=Options(sets=(better,)))[key] > row(**dice)[key]


def test_a_wound_and_a_charge_cost():
    asked = {"trials": 20_000, "dice": ["1/1", "1/1"]}
    plain = row(**asked)
    hurt = row(**asked, options=Options(wounds=("A=serious",)))
    charge = row(**asked, options=Options(charge=("A",)))
    assert hurt["p_a"] < plain["p_a"] < charge["p_a"]
    assert hurt["p_b"] > plain["p_b"]
    assert hurt["wounds_a"] >= 2


def test_the_fighters_may_be_given_as_profiles():
    assert row(ROSTER.find(GUARD), ROSTER.find(WARRIOR)) == row()


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match='no fighter is called "Gard prétorien"; nearest: Garde'):
        row("Gard prétorien")


@given(duel_options)
@settings(max_examples=25, deadline=None)
def test_the_command_of_a_row_gives_the_row_again(options):
    first = estoc("duel", GUARD, WARRIOR, "--trials", 50, *options, "--format", "json")
    if first.code == 2:  # these options do not go together
        assert first.err.startswith("estoc: ")
        return
    found = first.rows
    again = answered(*shlex.split(found[0]["command"])[1:])
    assert again == found
    assert found[0]["inputs"] == again[0]["inputs"]


@given(st.sampled_from(ABLE), st.sampled_from(ABLE))
@settings(max_examples=25, deadline=None)
def test_the_command_names_every_fighter_without_doubt(a, b):
    found = row(a, b, 20)
    assert answered(*shlex.split(found["command"])[1:]) == [found]
