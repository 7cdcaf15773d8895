"""Policies by name, key and value; the numbers of the case table that depend on them."""

import re
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import GUARD, WARRIOR
from strategies import policies

from estoc.kernels.layout.policy import DECISIONS, Decision, Held, Luck, Placement, Reroll, Use
from estoc.profiles import InputError, Profile
from estoc.sim.base.options import Options
from estoc.sim.base.policy import POLICIES, Policy, description, parse_policies, parse_policy
from estoc.sim.combat.combat import combat
from estoc.sim.combat.duel import duel

KEYS = (
    *("placement", "initiative", "strike_order", "target", "parry", "sustain", "margin"),
    *("reroll_attack", "reroll_defence", "reroll_initiative"),
    *("fury", "chain", "master", "held", "feint", "luck"),
)

# The policies of the reference have the same decisions, with the same words.
ours = st.builds(
    lambda name, decided: Policy(name, **{key: getattr(decided, key) for key in KEYS}),
    st.sampled_from(sorted(POLICIES)),
    policies,
)


@given(ours)
def test_read_as_written(policy):
    assert parse_policy(str(policy)) == policy


def test_a_policy_has_a_number_for_every_decision():
    row = Policy().row()
    assert len(row) == DECISIONS == len(KEYS)
    assert row[Decision.PLACEMENT] == Placement.ANSWER
    assert row[Decision.REROLL_ATTACK] == Reroll.NEEDED
    assert row[Decision.PARRY] == 1
    assert row[Decision.MARGIN] == 5
    assert row[Decision.CHAIN] == 1
    for decision in (Decision.FURY, Decision.MASTER, Decision.FEINT):
        assert row[decision] == Use.USEFUL
    assert (row[Decision.HELD], row[Decision.LUCK]) == (Held.USEFUL, Luck.USEFUL)


def test_names_of_the_case_table():
    for name in ("always", "never"):
        for test in ("attack", "defence", "initiative"):
            assert getattr(POLICIES[name], f"reroll_{test}") == name
            assert getattr(POLICIES["sensible"], f"reroll_{test}") == "needed"


def test_case_does_not_matter():
    assert parse_policy(" Bold : Parry = ALL ") == parse_policy("bold:parry=all")


def test_one_side_or_both():
    assert parse_policies(()) == (Policy(), Policy())
    assert parse_policies(("bold",)) == (POLICIES["bold"],) * 2
    assert parse_policies(("a=bold", "B=never")) == (POLICIES["bold"], POLICIES["never"])
    assert parse_policies(("bold", "B=never:parry=3"))[1].parry == 3
    assert parse_policies(("bold:parry=2",))[0] == parse_policy("bold:parry=2")


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("brave", ['policy "brave"', "sensible, bold, cautious, always, never"]),
        ("sensibel", ["nearest: sensible"]),
        ("", ['policy ""', "known: sensible"]),
        ("sensible:pary=1", ['no decision "pary"', "nearest: parry"]),
        ("sensible:parry", ['"parry" should be parry=VALUE']),
        ("sensible:parry=0", ["parry=0", "none, spread, all", "a number from 1 to 9"]),
        ("sensible:parry=10", ["parry=10", "a number from 1 to 9"]),
        ("sensible:margin=many", ["margin=many", "a number from -20 to 40"]),
        ("sensible:target=weak", ["target=weak", "wounded, undefended, dearest, frail, listed"]),
        ("sensible:reroll_attack=1", ["reroll_attack=1", "needed, never, always"]),
        ("sensible:name=x", ['no decision "name"']),
    ],
)
def test_what_is_unknown_is_refused_with_what_would_be_right(text, fragments):
    with pytest.raises(InputError) as refusal:
        parse_policies((text,))
    assert [f for f in fragments if f not in str(refusal.value)] == []
    assert "\n" not in str(refusal.value)


def test_the_description_names_every_policy_decision_and_choice():
    text = description()
    for name in (*POLICIES, *KEYS):
        assert re.search(rf"^  {name}\b", text, re.MULTILINE), name
    for word in ("answer", "even", "spread", "undefended", "useful", "from 1 to 9"):
        assert word in text


@pytest.mark.parametrize(
    "text",
    [
        *("bold", "cautious", "never", "sensible:reroll_attack=always", "sensible:parry=none"),
        *("sensible:reroll_attack=never", "sensible:reroll_initiative=never"),
    ],
)
def test_a_policy_changes_what_happens(text):
    dice = {} if text in ("bold", "cautious") else {"dice": ["1/1", "1/1"]}
    options = Options(policies=parse_policies((text,)))
    asked = {"trials": 20_000, "seed": 1, **dice}
    before = duel(GUARD, WARRIOR, **asked).rows[0]
    after = duel(GUARD, WARRIOR, options=options, **asked).rows[0]
    assert after["policy"] == text
    assert (before["wounds_a"], before["wounds_b"], before["p_first_a"]) != (
        *(after["wounds_a"], after["wounds_b"]),
        after["p_first_a"],
    )


@pytest.mark.parametrize(
    ("policy", "p"),
    [("sensible:reroll_attack=always", 2 / 5), ("sensible:reroll_attack=never", 5 / 12)],
)
def test_attack_3_on_defence_3_lands_as_often_as_the_case_table_says(policy, p):
    # R2: one attack die on one defence die, all 6 of the attacker re-rolled or none
    card = dict.fromkeys(("INI", "ATT", "DEF", "RES"), 3)
    dice = ("A=1/1", "B=0/2")
    rows = combat(
        Profile("a", **card, FOR=40),  # every blow that lands wounds
        Profile("b", **card, FOR=3),
        trials=200_000,
        seed=7,
        options=Options(policies=parse_policies((policy,)), dice=dice),
    ).rows
    landed = 1 - rows[2]["unhurt"] / 200_000
    assert rows[1]["unhurt"] == 200_000
    assert landed == pytest.approx(p, abs=4 * sqrt(p * (1 - p) / 200_000))
