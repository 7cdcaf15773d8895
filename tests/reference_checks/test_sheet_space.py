"""Properties of selection over the reduced space of situations (7.3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from sheet_space import ORDERS, columns, command_space, hampered, reduced_space, word

from estoc.kernels.layout.sheet import Cohesion, Deed, Fact, Kind, Order, Reading, Tag
from reference.sheet import Facts, follows
from reference.sheet_select import TEXT, Selected, select

M1 = {Reading.MODE: 1}


@pytest.fixture(scope="module")
def space() -> list[Facts]:
    return list(reduced_space())


@pytest.fixture(scope="module")
def answers(space: list[Facts]) -> list[Selected]:
    return [select(facts) for facts in space]


def reached(answers: list[Selected]) -> set[str]:
    return {name for selected in answers for name in selected.trace}


def test_size(space):
    """As many situations as the specification counts."""
    assert len(space) == 132_872


def test_one_closing_clause_and_something_permitted(answers):
    for selected in answers:
        assert selected.permitted
        assert selected.closing == selected.trace[-1]
        assert selected.trace.count("F0") == (selected.closing == "F0")


def test_the_holes_of_the_sheet(space, answers):
    """F0 is reached in the two families of 3.2 only, in 5,280 situations."""
    families = Counter()
    for facts, selected in zip(space, answers, strict=True):
        if selected.closing == "F0":
            families[family(facts)] += 1
            assert Deed.NONE in selected.permitted
    assert sum(families.values()) == 5_280
    assert families == {"fresh engager": 4_992, "formation": 288}


def family(facts: Facts) -> str:
    order = follows(facts)
    if facts.troop and order in (Order.REGROUP, Order.RETREAT) and facts.any_fresh_by:
        return "fresh engager"
    assert facts.kind is Kind.FORMATION
    assert order is Order.DEFENCE
    assert facts.engaged
    assert not facts.engages
    assert not facts.can_face
    return "formation"


def test_rout_allows_rally_or_flight_only(space, answers):
    for facts, selected in zip(space, answers, strict=True):
        if facts.unit and facts.cohesion is Cohesion.ROUTED:
            assert set(selected.permitted) <= {Deed.RALLY, Deed.FLEE}


def test_a_charge_or_a_special_order_hides_the_order_of_the_wing(space, answers):
    for facts, selected in zip(space, answers, strict=True):
        if facts.order is Order.ATTACK and (facts.charge or facts.special):
            for order in ORDERS[1:]:
                assert select(replace(facts, order=order)) == selected


def test_every_paragraph_is_reached(answers):
    assert reached(answers) == {*TEXT, "F0"}


def test_under_m1_a14a_is_the_one_paragraph_never_reached(space):
    """The specification's reason not to read the sheet so (2.1)."""
    assert reached([select(facts, M1) for facts in space]) == {*TEXT, "F0"} - {"A14a"}


def test_special_order_that_does_not_replace_hides_a15(space):
    """Under the wing's order no troop that attacks reaches A15, and in defence few do (Q4)."""
    wing = {Reading.SPECIAL: 2}
    seen = set()
    for facts in space:
        if facts.special and facts.troop and not facts.charge:
            selected = select(facts, wing)
            if selected.closing.startswith("A15"):
                seen.add(facts.order)
                if facts.order is Order.DEFENCE:
                    assert facts.kind is Kind.FORMATION
                    assert not facts.can_face
    assert Order.ATTACK not in seen
    assert Order.DEFENCE in seen


def test_what_is_not_feasible_is_not_permitted(space):
    for facts in [*hampered(space, 7, 1), *hampered(command_space(), 3, 2)]:
        for reading in ({}, M1, {Reading.SPECIAL: 1}):
            permitted = select(facts, reading).permitted
            assert permitted
            assert set(permitted) - facts.feasible <= {Deed.NONE}


def test_special_order_that_adds_is_a_union(space):
    """Q4, adds: what it permits is what either reading lists, with the lighter constraint."""
    for facts in space[::11]:
        if not facts.special:
            continue
        both = select(facts, {Reading.SPECIAL: 1}).permitted
        alone = select(facts).permitted
        ordered = select(facts, {Reading.SPECIAL: 2}).permitted
        assert set(alone) <= set(both) <= set(alone) | set(ordered)
        assert set(ordered) - set(both) <= {Deed.NONE}
        for deed in set(alone) & set(ordered):
            if Tag.FREE in (alone[deed], ordered[deed]):
                assert both[deed] is Tag.FREE


def test_words(space):
    """A word of facts says what the facts say."""
    facts = Facts(Kind.FORMATION, Cohesion.SHAKEN, charge=True, order=Order.RETREAT, far=True)
    bits = {Fact.FORMATION, Fact.SHAKEN, Fact.CHARGE, Fact.FOLLOWS_ATTACK, Fact.FAR}
    assert word(facts) == sum(1 << bit for bit in bits)
    some = columns(space[:100])
    assert some.facts.tolist() == [word(facts) for facts in space[:100]]
