"""The audit of battles whose fighters have abilities: it accepts them, and finds what is wrong."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, get_args

import pytest
import random_battles
from battle_tapes import CONFFEDE

from estoc.kernels.layout.abilities import Effect, Number
from estoc.profiles.armies.scenario_file import load_scenario
from estoc.profiles.compile.combat import compile_rules
from estoc.profiles.edition.edition import load_edition
from estoc.profiles.errors import InputError
from estoc.sim.audit.audit import audit
from estoc.sim.audit.fighters import EFFECTS, NUMBERS
from estoc.sim.audit.steps import KINDS, Feat
from estoc.sim.battle.log import Step
from estoc.sim.battle.odds import ready_battle
from estoc.sim.battle.policy import player_of
from estoc.sim.battle.steps import battle_steps
from estoc.sim.battle.story import Story, battle_text
from estoc.sim.combat.events import rolled
from estoc.sim.text.speech import use_language

POOL = range(3000, 3120)
ENOUGH = 4
Change = Callable[[dict[str, Any]], bool]


@cache
def played(seed: int) -> list[Step]:
    scenario = random_battles.scenario(seed, abilities=True)
    names = random_battles.policies(seed)
    battles = ready_battle(scenario, CONFFEDE, [player_of(name) for name in names], seed)
    return battle_steps(battles, scenario, CONFFEDE, seed % 7, names)


@pytest.mark.parametrize("seed", POOL)
def test_a_battle_of_fighters_with_abilities_breaks_no_clause(seed):
    assert audit(played(seed), CONFFEDE) == []


@pytest.mark.parametrize("seed", POOL[:12])
def test_it_is_told_in_words(seed):
    steps = played(seed)
    text = battle_text(steps)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.count("(W-7)") >= sum(step.kind in ("feat", "fall") for step in steps)


def test_each_ability_of_a_battle_is_told_with_its_dice():
    """Every effect that is a step of its own, in English and French; no sum without its dice."""
    found: set[str] = set()
    for seed in POOL:
        steps = played(seed)
        feats = [step.data for step in steps if step.kind == "feat"]
        if {data["effect"] for data in feats} <= found:
            continue
        found |= {data["effect"] for data in feats}
        text = battle_text(steps)
        assert not re.search(r": : | [:,] \d+ \+ [A-Z]", text)
        flat = " ".join(text.split())
        for data in feats:
            if data["effect"] == "luck":
                shown = rolled(data["dice"], data["fighter"])
                assert f"gives up {shown}" in flat
            elif data["effect"] in ("survival", "toxic"):
                assert re.search(rf"(rolls |poison of .*: ){data['x']}\b", flat)
        use_language("fr")
        try:
            french = " ".join(battle_text(steps).split())
        finally:
            use_language("en")
        assert french.count("(W-7)") == flat.count("(W-7)")
        assert "rolls again" not in french
    assert found == set(get_args(Feat.model_fields["effect"].annotation))


def test_every_kind_of_step_is_told():
    assert [kind for kind in KINDS if not hasattr(Story, f"_{kind}")] == []


@pytest.mark.parametrize("seed", POOL[:20])
def test_abilities_that_are_not_played_change_nothing(seed):
    """Off: the battle of the same cards without them, but for who places first, as before."""
    scenario = random_battles.scenario(seed, abilities=True)
    bare = tuple(
        replace(placed, profile=replace(placed.profile, abilities=kept(placed.profile.abilities)))
        for placed in scenario.fighters
    )
    names = random_battles.policies(seed)
    players = [player_of(name) for name in names]
    told = []
    for world in (scenario, replace(scenario, fighters=bare)):
        battles = ready_battle(world, CONFFEDE, players, seed, abilities=False)
        told.append(battle_steps(battles, world, CONFFEDE, 0, names))
    assert told[0] == told[1]
    assert not [step for step in told[0] if step.kind == "feat"]


def kept(abilities: tuple[str, ...]) -> tuple[str, ...]:
    """Those that were looked at before abilities were played."""
    words = ("Commandement", "Guerrier-mage", "Moine-guerrier")
    return tuple(ability for ability in abilities if ability.startswith(words))


def left_out(data: dict[str, Any]) -> bool:
    data["gone"] = True
    return True


def more(cell: str) -> Change:
    def change(data: dict[str, Any]) -> bool:
        if data.get(cell) is None:
            return False
        data[cell] += 1
        return True

    return change


def other_die(data: dict[str, Any]) -> bool:
    data["dice"][0][1] = 7 - data["dice"][0][1]
    return True


def turned(data: dict[str, Any]) -> bool:
    data["y"] = 1 - data["y"]
    return True


def none_held(data: dict[str, Any]) -> bool:
    return data.pop("held", None) is not None


def no_success(data: dict[str, Any]) -> bool:
    """A die that healed is one that does not."""
    if data["source"] != data["fighter"] or data["before"] == data["after"]:
        return False
    data["dice"][0][1] = 1
    return True


def feat(effect: str, change: Change) -> tuple[str, str, Change, set[str]]:
    return "feat", effect, change, {"W-7"}


CHANGES: list[tuple[str, str, Change, set[str]]] = [
    feat("luck", more("y")),
    feat("survival", turned),
    feat("survival", other_die),
    ("feat", "survival", left_out, {"W-7", "W-1.6"}),
    feat("toxic", more("y")),
    feat("toxic", left_out),
    feat("counter_attack", more("x")),
    feat("counter_attack", left_out),
    feat("parry_dice", left_out),
    feat("feint", more("x")),
    ("feat", "hold_back", left_out, {"W-7", "C-6.2"}),
    feat("master_stroke", left_out),
    ("feat", "chain", more("x"), {"W-7", "C-3.1"}),
    feat("fury", more("x")),
    feat("diehard", left_out),
    ("fall", "", left_out, {"W-7"}),
    ("fall", "", more("by"), {"W-7"}),
    ("place", "", none_held, {"W-7"}),
    ("lasting", "", no_success, {"W-7"}),
]


@pytest.mark.parametrize(
    ("kind", "effect", "change", "clauses"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}-{n}") for n, row in enumerate(CHANGES)],
)
def test_an_ability_that_is_told_wrong_is_found(kind, effect, change, clauses):
    done = 0
    for seed in POOL:
        places = [
            at
            for at, (name, data) in enumerate(played(seed))
            if name == kind and data.get("effect", "") in (effect, *([] if effect else range(99)))
        ]
        for at in places[:1]:
            steps = copy.deepcopy(played(seed))
            if not change(steps[at].data):
                continue
            if steps[at].data.get("gone"):
                del steps[at]
            try:
                found = {breach.clause for breach in audit(steps, CONFFEDE)}
            except InputError:
                continue  # it is no transcript any more, and is refused
            assert found & clauses, f"battle {seed}, step {at}: {found}"
            done += 1
        if done == ENOUGH:
            return
    assert done


def test_an_ability_where_nobody_has_one_is_found():
    """A step of luck before one that is no test."""
    for seed in POOL[:20]:
        steps = copy.deepcopy(played(seed))
        at = next(k for k, step in enumerate(steps) if step.kind == "speak")
        cells = {"fighter": 0, "against": None, "effect": "luck", "x": 0, "y": 1, "z": 0}
        steps.insert(at, Step("feat", {**cells, "dice": [[0, 1, 0]]}))
        assert "W-7" in {breach.clause for breach in audit(steps, CONFFEDE)}


def test_the_form_knows_all_effects_and_numbers():
    assert list(EFFECTS) == [effect.name.lower() for effect in Effect]
    maps = (Number.DEALT, Number.SUFFERED)
    assert list(NUMBERS) == [n.name.lower() for n in Number if n not in maps]


@pytest.mark.parametrize("killing", [2, 3, 4, 5])
def test_who_fights_on_has_the_worst_level_that_lives(killing):
    """Acharné (W-7) in an edition where his level kills: in battles as in single combats."""
    edition = load_edition("conffede").with_rule(f"wounds.killed_level={killing}")
    rules = compile_rules(edition)
    players = [player_of("aggressive")] * 2
    battle = ready_battle(load_scenario("ambush"), edition, players)[0]
    state = int(battle["fight"]["standing"][3])
    assert rules.level[state] == min(3, killing - 1)
    assert rules.recover[state] == state
