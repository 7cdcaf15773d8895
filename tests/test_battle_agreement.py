"""Kernels and the plain reading agree on whole battles, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from math import isclose
from typing import Any

import pytest
import random_battles
from battle_tapes import CONFFEDE

from estoc.profiles.battle import compile_battle
from estoc.profiles.edition import Edition
from estoc.sim.battle_policy import player_of
from estoc.sim.chronicle import Step, battle_steps
from reference.battle import replayed

RULES = (
    *("tests.opposed_tie=higher_characteristic", "tests.opposed_tie=first"),
    *("tests.many_dice=one_chain", "tests.reroll_one=add", "wounds.stunned_stacks=true"),
    *("melee.discipline_tie=coin", "melee.nobody_able=coin", "tactics.tie=coin"),
    *("charge.sharing=equal", "sight.hides=lower", "shooting.into_melee=true"),
    *("fear.immune_after_success=false", "fear.routed_all_defence=false"),
    *("tactics.routed_may_roll=false", "cards.refusal_alone=true"),
)


def alike(one: Any, other: Any) -> bool:
    """Whether two cells of steps are the same, lengths and places to within 1e-6."""
    if isinstance(one, float) or isinstance(other, float):
        numbers = isinstance(one, float | int) and isinstance(other, float | int)
        return numbers and isclose(one, other, rel_tol=0, abs_tol=1e-6)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


@pytest.fixture(scope="module")
def mystics(tmp_path_factory):
    """Files of mystic actions, for each kind of caster."""
    return random_battles.write_mystics(tmp_path_factory.mktemp("mystics"))


def agree(
    seed: int,
    mystics: Mapping[str, tuple[str, ...]],
    edition: Edition = CONFFEDE,
    *,
    abilities: bool = False,
) -> list[Step]:
    """Play a random battle, and play it again from its dice and decisions; its steps."""
    scenario = random_battles.scenario(seed, mystics, abilities=abilities)
    names = random_battles.policies(seed)
    battles = compile_battle(scenario, edition, [player_of(name) for name in names], seed)
    steps = battle_steps(battles, scenario, edition, seed % 7, names)
    again = replayed(steps, edition)
    for number, (step, read) in enumerate(zip(steps, again, strict=False)):
        assert alike(list(step), list(read)), (number, step, read)
    assert len(steps) == len(again)
    return steps


@pytest.mark.parametrize("seed", range(60))
def test_kernels_and_reference_agree_step_by_step(seed, mystics):
    agree(seed, mystics)


@pytest.mark.parametrize("rule", RULES)
def test_they_agree_by_other_rules(rule):
    edition = CONFFEDE.with_rule(rule)
    for seed in range(100, 108):
        agree(seed, {}, edition)


@pytest.mark.parametrize("seed", range(2000, 2060))
def test_they_agree_where_fighters_have_abilities(seed, mystics):
    """W-7 in all of a battle: charges, fear, shots, combats, pursuits, maintenance."""
    agree(seed, mystics if seed % 2 else {}, abilities=True)


@pytest.mark.parametrize("rule", RULES)
def test_they_agree_on_abilities_by_other_rules(rule):
    edition = CONFFEDE.with_rule(rule)
    for seed in range(2100, 2104):
        agree(seed, {}, edition, abilities=True)


@pytest.mark.slow
@pytest.mark.parametrize("magic", [False, True])
@pytest.mark.parametrize("block", range(20))
def test_they_agree_on_many_more(block, magic, mystics):
    for seed in range(1000 + 25 * block, 1025 + 25 * block):
        agree(seed, mystics if magic else {})
