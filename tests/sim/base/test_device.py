"""Trials on a CUDA device: the processor's counts, to the integer; here on numba's simulator."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from estoc.kernels.combat.trials import count
from estoc.kernels.layout.combat import new_fight
from estoc.kernels.samplers.chain import COPIES, count_chain
from estoc.profiles import InputError
from estoc.sim.base import device
from estoc.sim.base.options import Options
from estoc.sim.base.parallel import at_work
from estoc.sim.base.policy import Policy
from estoc.sim.base.run import Method
from estoc.sim.combat.chain import chain_of
from estoc.sim.combat.combat import ask, combat, profiles_of
from estoc.sim.combat.exact import Engine
from estoc.sim.combat.question import Question
from estoc.sim.combat.sampling import count_chunk, count_trials, plan_of

GUARD, WARRIOR = "Garde prétorien", "Guerrier de l'aube"
MOST = 1 << 17
SEED, FIRST, TRIALS = 5, 2**32 - 130, 260
HELPER = Path(__file__).parents[2] / "aids" / "on_simulator.py"


def asked(enemies: int, turns: int, dice: tuple[str, ...] = (), **policy: object) -> Question:
    both = replace(Policy("sensible"), **policy)
    one, other = profiles_of([GUARD, WARRIOR], None)
    return ask([one], [other] * enemies, Options(turns=turns, policies=(both, both), dice=dice))


CASES = {
    "duel": asked(1, 1),
    "three turns": asked(1, 3, placement="even"),
    "two enemies": asked(2, 1),
    # more than two dice against one attack are left to the processor
    "many dice": asked(4, 1, ("A=1/4",), parry="all"),
}
CHAINS = ("duel", "three turns", "two enemies")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """What the simulator answers, by function and case."""
    folder = tmp_path_factory.mktemp("device")
    asked_of = [("roll", name) for name in CASES] + [("draw", name) for name in CHAINS]
    told = []
    for way, name in asked_of:
        q = CASES[name]
        run = SEED, q.cell, FIRST, TRIALS, q.options.turns
        if way == "draw":
            told.append((way, (chain_of(q, Engine()), *run)))
        else:
            plan = plan_of(q.setup, q.rules, q.options.turns, MOST)
            told.append((way, (plan, q.setup, q.rules, *run)))
    source, target = folder / "asked", folder / "found"
    source.write_bytes(pickle.dumps(told))
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, HELPER, source, target], env=environment, check=True)
    return dict(zip(asked_of, pickle.loads(target.read_bytes()), strict=True))


@pytest.mark.parametrize("name", CHAINS)
def test_chains(simulated, name):
    q = CASES[name]
    chain, turns = chain_of(q, Engine()), q.options.turns
    openings = np.zeros(len(chain.ends) * COPIES, np.int64)
    ends = np.zeros(len(chain.later) * COPIES, np.int64)
    told = chain.rows, chain.steps, chain.opening, chain.again, chain.goes_on
    fought = count_chain(*told, SEED, q.cell, FIRST, TRIALS, turns, openings, ends)
    found = simulated["draw", name]
    np.testing.assert_array_equal(found[0], openings.reshape(-1, COPIES).sum(1))
    np.testing.assert_array_equal(found[1], ends.reshape(-1, COPIES).sum(1))
    assert found[2] == fought
    assert found[0].sum() == TRIALS
    assert found[1].sum() == TRIALS * (turns > 1)


@pytest.mark.parametrize("name", CASES)
def test_literal_trials(simulated, name, monkeypatch):
    """With those that it leaves, they are the trials of the kernel that plays one by one."""
    q = CASES[name]
    found = tuple(simulated["roll", name])
    assert (len(found[2]) > 0) == (name == "many dice")
    assert found[0].sum() + len(found[2]) == TRIALS
    monkeypatch.setattr("estoc.sim.combat.sampling.roll", lambda *told: found)
    monkeypatch.setattr("estoc.sim.combat.sampling.FEWEST_IN_LANES", 1)
    run = SEED, q.cell, FIRST, TRIALS, q.options.turns
    counts = count_chunk(q.setup, q.rules, *run, on_device=True)
    law, sides, tally = np.zeros_like(counts.law), np.zeros_like(counts.sides), np.zeros(2, int)
    fights = new_fight(q.setup, q.rules, SEED, q.cell)
    count(fights, FIRST, TRIALS, q.options.turns, law, sides, tally)
    np.testing.assert_array_equal(counts.law, law)
    np.testing.assert_array_equal(counts.sides, sides)
    assert [counts.first, counts.turns] == tally.tolist()


def test_too_many_left_are_played_here(monkeypatch):
    """A device that leaves more than there is room for has counted nothing."""
    q = CASES["duel"]
    run = SEED, q.cell, 0, 5000, 1
    whole = count_chunk(q.setup, q.rules, *run)
    monkeypatch.setattr("estoc.sim.combat.sampling.roll", lambda *told: None)
    monkeypatch.setattr("estoc.sim.combat.sampling.PIECE", 1_234)
    counts = count_chunk(q.setup, q.rules, *run, on_device=True)
    np.testing.assert_array_equal(counts.law, whole.law)


def test_a_device_is_asked_for_by_name():
    with pytest.raises(InputError, match="device should be 'auto', 'cpu' or 'gpu'"):
        combat(GUARD, WARRIOR, trials=10, seed=1, device="tpu")
    assert combat(GUARD, WARRIOR, device="cpu").rows == combat(GUARD, WARRIOR).rows


def test_where_no_device_can_be_used(monkeypatch):
    monkeypatch.setattr(device, "obstacle", lambda: "no CUDA device is found")
    with pytest.raises(InputError, match="device gpu: no CUDA device is found; take cpu"):
        combat(GUARD, WARRIOR, trials=10, seed=1, device="gpu")
    monkeypatch.setattr(device, "obstacle", lambda: "")
    with pytest.raises(InputError, match="device gpu: exact odds are not sampled; take method mc"):
        combat(GUARD, WARRIOR, device="gpu")
    monkeypatch.setattr(device, "obstacle", lambda: "no CUDA device is found")
    assert not device.uses_device("auto", 10**12)
    one, other = (combat(GUARD, WARRIOR, trials=500, seed=1, device=d) for d in ("auto", "cpu"))
    assert one.rows == other.rows


def test_the_simulator_of_compiled_code_is_refused():
    """It would call what is compiled from many threads, and end the process."""
    words = ["duel", GUARD, WARRIOR, "--trials", "50", "--seed", "7", "--device", "gpu"]
    done = subprocess.run(
        [sys.executable, "-m", "estoc.sim.cli.main", *words],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "device gpu: numba's simulator needs NUMBA_DISABLE_JIT=1 as well" in done.stderr


def test_few_trials_look_for_no_device(monkeypatch):
    monkeypatch.setattr(device, "obstacle", lambda: "")
    assert device.uses_device("auto", device.WORTH)
    assert not device.uses_device("auto", device.WORTH - 1)
    assert device.uses_device("gpu", 1)
    assert not device.uses_device("cpu", 10**12)


def test_a_crew_is_given_nothing_for_a_device(monkeypatch):
    """Its workers may have none."""
    told = []

    class Crew:
        patience = 1.0

        def in_order(self, tasks):
            for task in tasks:
                told.append(task.do.args[1].keywords["on_device"])
                yield task()

    monkeypatch.setattr("estoc.sim.combat.sampling.uses_device", lambda device, trials: True)
    with at_work(Crew()):
        count_trials([CASES["duel"]], Method("mc", 2000, 1, device="auto"))
    assert told == [False]
