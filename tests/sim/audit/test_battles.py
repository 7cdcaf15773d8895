"""The checker on battles that the kernels play: it accepts them, and rejects what is changed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from math import hypot
from typing import Any

import pytest
from audit_battles import transcript
from random_battles import policies
from running import estoc

from estoc.profiles import load_edition
from estoc.profiles.armies.scenario_file import load_scenario
from estoc.sim.audit.audit import audit
from estoc.sim.battle.odds import ready_battle
from estoc.sim.battle.policy import player_of
from estoc.sim.battle.steps import battle_steps

CONFFEDE, C3 = load_edition("conffede"), load_edition("c3")
QUICK, MANY = 100, 10_000
ENOUGH = 12  # steps of a kind that are changed
POOL = 150  # battles among which they are looked for

Steps = list[tuple[str, dict[str, Any]]]
Change = Callable[[Steps, int], bool]


@cache
def _played(seed: int) -> Steps:
    return [(step.kind, step.data) for step in transcript(seed, CONFFEDE)]


def check_accepted(seeds: range, edition) -> None:
    for seed in seeds:
        breaches = audit(transcript(seed, edition), edition)
        assert breaches == [], f"battle {seed}: {breaches}"


def test_battles_at_random_break_no_clause():
    check_accepted(range(QUICK), CONFFEDE)


def test_battles_of_the_older_edition_break_no_clause():
    check_accepted(range(QUICK // 4), C3)


@pytest.mark.slow
@pytest.mark.parametrize("edition", [CONFFEDE, C3], ids=str)
def test_many_battles_at_random_break_no_clause(edition):
    check_accepted(range(QUICK, MANY), edition)


@pytest.mark.parametrize("name", ["ambush", "pitched"])
def test_the_shipped_battles_break_no_clause(name):
    table = load_scenario(name)
    for seed in range(4):
        names = policies(seed)
        battles = ready_battle(table, CONFFEDE, [player_of(policy) for policy in names], seed=seed)
        assert audit(battle_steps(battles, table, CONFFEDE, seed, names), CONFFEDE) == []


def test_the_command_reads_what_replay_writes(tmp_path):
    path = tmp_path / "steps.json"
    replay = ("replay", "ambush", "--policy-b", "random", "--seed", 5, "--trial", 17)
    assert estoc(*replay, "--format", "json", "-o", path).code == 0
    done = estoc("audit", path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("no clause is broken (")


# Each changes one step of the kind it is listed for, and says whether it could.


def wound_outcome(steps: Steps, at: int) -> bool:
    data = steps[at][1]
    data["outcome"] = "light" if data["outcome"] != "light" else "serious"
    return True


def wound_state(steps: Steps, at: int) -> bool:
    data = steps[at][1]
    data["state"] = "critical" if data["state"] != "critical" else "serious"
    return True


def wound_strength(steps: Steps, at: int) -> bool:
    steps[at][1]["strength"] += 1
    return True


def other_parry(steps: Steps, at: int) -> bool:
    steps[at][1]["parried"] = not steps[at][1]["parried"]
    return True


def rerolled_low(steps: Steps, at: int) -> bool:
    """A die that is no 6 is re-rolled."""
    first = steps[at][1]["dice"][0]
    if first[1] == 6:
        return False
    steps[at][1]["dice"] = [first, [first[0], 2, 1, *first[3:]]]
    return True


def higher(steps: Steps, at: int) -> bool:
    steps[at][1]["result"] = 99
    return True


def lost_roll(steps: Steps, at: int) -> bool:
    steps[at][1]["winner"] = 1 - steps[at][1]["winner"]
    return True


def too_short(steps: Steps, at: int) -> bool:
    steps[at][1]["length"] *= 0.5
    return steps[at][1]["length"] > 0.1


def off_the_table(steps: Steps, at: int) -> bool:
    steps[at][1]["at"] = [-30.0, 20.0]
    return True


def too_far(steps: Steps, at: int) -> bool:
    steps[at][1]["length"] += 40.0
    return True


def unseen_touch(steps: Steps, at: int) -> bool:
    steps[at][1]["touched"] = []
    return not steps[at][1]["short"]


def turned_away(steps: Steps, at: int) -> bool:
    data = steps[at][1]
    data["facing"] = [-data["facing"][0], -data["facing"][1]]
    return bool(data["targets"]) and hypot(*data["facing"]) > 0


def die_too_many(steps: Steps, at: int) -> bool:
    steps[at][1]["defence"] += 1
    return True


def other_side(steps: Steps, at: int) -> bool:
    steps[at][1]["side"] = 1 - steps[at][1]["side"]
    return True


def other_winner(steps: Steps, at: int) -> bool:
    data = steps[at][1]
    data["winner"] = 1 - data["winner"]
    return data["winner"] in (0, 1) and data["results"][0] != data["results"][1]


def one_combat_less(steps: Steps, at: int) -> bool:
    steps[at][1]["combats"].pop()
    return True


def one_fighter_less(steps: Steps, at: int) -> bool:
    steps[at][1]["fighters"].pop()
    return True


def left_out(steps: Steps, at: int) -> bool:
    del steps[at]
    return True


def left_out_if_alone(steps: Steps, at: int) -> bool:
    """A test that nothing depends on but what it says."""
    passed = steps[at][1]["success"]
    del steps[at]
    return bool(passed)


def more_destroyed(steps: Steps, at: int) -> bool:
    steps[at][1]["destroyed"][0] += 1
    return True


def farther(steps: Steps, at: int) -> bool:
    steps[at][1]["distance"] += 1.0
    return True


def easier(steps: Steps, at: int) -> bool:
    steps[at][1]["difficulty"] -= 1
    return True


def better(steps: Steps, at: int) -> bool:
    data = steps[at][1]
    data["value"] += 1
    data["result"] = None if data["result"] is None else data["result"] + 1
    return True


def covered(steps: Steps, at: int) -> bool:
    steps[at][1]["cover"] += 1
    return True


def one_die_more(steps: Steps, at: int) -> bool:
    steps[at][1]["committed"] += 5
    return True


def nobody_named(steps: Steps, at: int) -> bool:
    named = steps[at][1]["fighter"]
    steps[at][1]["fighter"] = -1
    return named >= 0


def still_marked(steps: Steps, at: int) -> bool:
    data = steps[at][1]
    data["after"] = data["before"]
    return data["before"] != ["target"]


def refusal_more(steps: Steps, at: int) -> bool:
    steps[at][1]["refusals"] += 1
    return True


def card_again(steps: Steps, at: int) -> bool:
    """The card that was just played is played once more, by the same player."""
    steps.insert(at, copy.deepcopy(steps[at]))
    return steps[at][1]["move"] == "top"


def fought_again(steps: Steps, at: int) -> bool:
    """A combat is fought a second time."""
    end = next(k for k in range(at, len(steps)) if steps[k][0] == "end_combat")
    whole = copy.deepcopy(steps[at : end + 1])
    steps[end + 1 : end + 1] = whole
    return True


def strikes_again(steps: Steps, at: int) -> bool:
    data = steps[at][1]
    data["striker"], data["target"] = data["target"], data["striker"]
    return True


def mana_more(steps: Steps, at: int) -> bool:
    steps[at][1]["after"] += 1
    return True


def rallied(steps: Steps, at: int) -> bool:
    steps[at][1]["routed"] = not steps[at][1]["routed"]
    return True


CHANGES: list[tuple[str, Change, set[str]]] = [
    ("wound", wound_outcome, {"W-2.1"}),
    ("wound", wound_state, {"W-3.1"}),
    ("wound", wound_strength, {"W-2.1"}),
    ("parry", other_parry, {"C-6.4"}),
    ("attack", rerolled_low, {"W-1.2"}),
    ("attack", higher, {"W-1.1"}),
    ("move", too_short, {"M-1.1", "M-1.2"}),
    ("move", off_the_table, {"M-1.2"}),
    (
        "move",
        too_far,
        {"M-2.2", "M-3.1", "M-4.1", "M-4.2", "M-6.1", "M-7.4", "W-4.3", "C-8.1", "M-1.5"},
    ),
    ("move", turned_away, {"M-4.3"}),
    ("place", die_too_many, {"C-3.1"}),
    ("speak", other_side, {"A-2"}),
    ("speak", refusal_more, {"A-3.1"}),
    ("speak", card_again, {"A-2", "A-2.1", "T-1"}),
    ("combat", other_side, {"C-2.2", "C-2.3"}),
    ("combat", fought_again, {"C-1.3", "C-2.3", "C-8.1", "C-8.3", "T-1", "C-6.6"}),
    ("opposed", other_winner, {"W-1.5"}),
    ("separation", one_combat_less, {"C-1.3", "C-8.4"}),
    ("melee", one_fighter_less, {"C-1.1"}),
    ("melee", left_out, {"C-1.1"}),
    ("named", nobody_named, {"C-2.1"}),
    ("strike", one_die_more, {"C-6.2", "C-7.3"}),
    ("strike", strikes_again, {"C-5.1"}),
    ("strike", left_out, {"C-5.1", "C-5.3", "C-5.4"}),
    ("penalties", left_out, {"M-5.1"}),
    ("courage", left_out_if_alone, {"W-4.1"}),
    ("courage", better, {"W-4.1"}),
    ("rally", left_out, {"T-5.1"}),
    ("rally", rallied, {"W-1.1", "W-4.4"}),
    ("markers", left_out, {"T-5.3"}),
    ("markers", still_marked, {"T-5.3"}),
    ("mana", mana_more, {"T-5.2"}),
    ("shoot", farther, {"M-1.1"}),
    ("shoot", easier, {"W-6"}),
    ("shoot", better, {"W-6"}),
    ("shoot", covered, {"M-6.2"}),
    ("disengage", easier, {"M-7.2"}),
    ("disengage", better, {"M-7.2"}),
    ("score", more_destroyed, {"T-1"}),
    ("score", left_out, {"T-1"}),
    ("first", lost_roll, {"T-2.4"}),
]


@pytest.mark.parametrize(
    ("kind", "mutate", "clauses"),
    [pytest.param(*row, id=f"{row[0]}-{n}") for n, row in enumerate(CHANGES)],
)
def test_a_step_that_is_changed_is_found(kind, mutate, clauses):
    done = 0
    for seed in range(POOL):
        places = [at for at, (name, _) in enumerate(_played(seed)) if name == kind]
        for at in places[: 2 + seed % 3][-1:]:
            steps = copy.deepcopy(_played(seed))
            if not mutate(steps, at):
                continue
            found = {breach.clause for breach in audit(steps, CONFFEDE)}
            assert found & clauses, f"battle {seed}, step {at}: {found}"
            done += 1
        if done == ENOUGH:
            return
    assert done > 3
