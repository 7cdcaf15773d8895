"""Kernels and the plain reading agree on whole battles, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import cos, isclose, radians, sin
from typing import Any

import pytest
import random_battles
from battle_tapes import CONFFEDE

from estoc.profiles import Profile
from estoc.profiles.armies.scenario import Placed, Scenario
from estoc.profiles.edition.edition import Edition
from estoc.sim.audit.audit import audit
from estoc.sim.base.options import Options
from estoc.sim.battle.log import Step
from estoc.sim.battle.odds import ready_battle
from estoc.sim.battle.policy import player_of
from estoc.sim.battle.steps import battle_steps
from estoc.sim.table.moves import _Mover
from estoc.sim.table.tabletop import Tabletop
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
    texts = isinstance(one, str) and isinstance(other, str)  # one may know its French
    return (texts or type(one) is type(other)) and one == other


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
    battles = ready_battle(scenario, edition, [player_of(name) for name in names], seed)
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


def duelled(far: float, degree: int, **card: Any) -> tuple[list[Step], Scenario]:
    """Play a turn of two who stand so far apart, at an angle; checked by all who can."""
    x, y = cos(radians(degree)), sin(radians(degree))
    stats = dict.fromkeys(("INI", "ATT", "FOR", "DEF", "RES", "COU", "DIS", "PA"), 4)
    alpha = Profile("Alpha", MOU=10.0, base="25x25", size="moyenne", **stats, **card)
    beta = replace(alpha, name="Beta", TIR=None, weapon="")
    fighters = (
        Placed("Alpha", alpha, "A", (100.0, 100.0), 0.0),
        Placed("Beta", beta, "B", (100 + far * x, 100 + far * y), degree + 180.0),
    )
    scenario = Scenario("two", 200.0, 200.0, (), fighters, turns=1)
    names = ("aggressive", "defensive:reach=0")
    battles = ready_battle(scenario, CONFFEDE, [player_of(name) for name in names], degree)
    steps = battle_steps(battles, scenario, CONFFEDE, 0, names)
    assert audit(steps, CONFFEDE) == []
    again = replayed(steps, CONFFEDE)
    assert len(again) == len(steps)
    assert all(alike(list(one), list(other)) for one, other in zip(steps, again, strict=True))
    return steps, scenario


@pytest.mark.parametrize("degree", range(0, 360, 6))
def test_rounding_does_not_decide_who_is_charged(degree):
    """M-4.1, M-1.1: at 20 cm all round as `moves` says; not at a millimetre more."""
    for far, charged in ((20.0, True), (20.1, False)):
        steps, scenario = duelled(far, degree)
        move = next(step.data for step in steps if step.kind == "move")
        assert (move["action"] == "charge", move["targets"] == [1]) == (charged, charged)
        mover = _Mover(Tabletop(scenario, Options()), 0, True)
        assert next(iter(mover.assaults()))["allowed"] is charged


@pytest.mark.parametrize("degree", range(0, 360, 24))
def test_rounding_does_not_decide_the_band_of_a_shot(degree):
    """W-6: an end of a range is within it."""
    for far, band in ((30.0, 0), (30.1, 1), (60.0, 1), (60.1, 2)):
        steps, _ = duelled(far, degree, TIR=3, weapon="rifle")
        shot = next(step.data for step in steps if step.kind == "shoot")
        assert shot["band"] == band


@pytest.mark.slow
@pytest.mark.parametrize("magic", [False, True])
@pytest.mark.parametrize("block", range(20))
def test_they_agree_on_many_more(block, magic, mystics):
    for seed in range(1000 + 25 * block, 1025 + 25 * block):
        agree(seed, mystics if magic else {})
