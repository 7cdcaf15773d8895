"""The activation sheet: clauses selected, and whole activations, a second and a core.

Selection runs over the reduced space of situations, in an order that no processor can guess,
beside the plain reading of the tests. Activations are those of sixty units on a map in four turns,
with all that follows from them: tests, cascades, moves, fights.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from races.form import Bench, Racer, in_turn, onward

from estoc.kernels.layout.sheet import TAGS
from estoc.kernels.sheet.select import select_many
from estoc.kernels.sheet.trials import SheetCounts, What
from estoc.profiles.sheet.clauses import compile_clauses, load_clauses
from estoc.profiles.sheet.readings import chosen_readings
from estoc.sim.base.run import Run
from estoc.sim.bench import timing
from estoc.sim.bench.agreement import demand
from estoc.sim.bench.samplers import SEED
from estoc.sim.sheet.question import ask_sheet
from estoc.sim.sheet.runs import Task, sampled

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
sys.path.insert(1, str(Path(__file__).parents[2] / "tests" / "worlds"))

from sheet_space import columns, reduced_space

from reference.sheet_select import select

STATES_BAR, ACTIVATIONS_BAR = 1 / 10_000_000, 1 / 200_000  # seconds of each
SELECT, PLAIN, ACTIVATE = "selection", "selection, plain Python", "activations"
PLAIN_STATES = 20_000
FIELD, TURNS = "field", 4
CHECKED = "What is played"


def selection(facts: np.ndarray, feasible: np.ndarray) -> tuple[timing.Run, Any]:
    """The run whose trial is a state, over all of them again and again; what it finds."""
    table = compile_clauses(load_clauses(), chosen_readings())
    size = len(facts)
    found = np.zeros(size, np.uint32), np.zeros(size, np.uint8), np.zeros(size, np.uint64)
    tags = np.zeros((1, TAGS), np.uint32)

    def run(states: int) -> None:
        left = states
        while left > 0:
            some = min(left, size)
            part = (column[:some] for column in found)
            select_many(table, facts[:some], feasible[:some], 0, *part, tags)
            left -= some

    return run, found


def check_selection(space: list[Any], found: Any) -> None:
    """End the run where the plain reading permits something else."""
    for state, deeds in zip(space, found[0].tolist(), strict=True):
        plain = sum(1 << deed for deed in select(state, {}).permitted)
        demand(plain == deeds, f"selection: {state} permits {plain:b}, not {deeds:b}")


def activations() -> timing.Run:
    """The run whose trial is a battle of the field of sixty."""
    compiled = ask_sheet(FIELD, turns=TURNS).compiled(SEED)

    def play(first: int, turns: int) -> None:
        Task(What.TURNS).add(compiled, SheetCounts.none(compiled.sheets), first, turns)

    return onward(play)


def check_activations(trials: int) -> tuple[float, dict[str, float]]:
    """End the run where threads change the counts; activations of a trial, and what they met."""
    compiled = ask_sheet(FIELD, turns=TURNS).compiled(SEED)
    runs = (Run(threads=threads) for threads in (1, 2))
    one, two = (sampled(compiled, Task(What.TURNS), trials, run)[0] for run in runs)
    for name in SheetCounts._fields:
        same = np.array_equal(getattr(one, name), getattr(two, name))
        demand(same, f"activations: {name} differs on 2 threads")
    met = {"routed at its end": one.routed.sum() / trials, "gone": one.gone.sum() / trials}
    return float(one.ends.sum() / trials), {name: float(value) for name, value in met.items()}


def time_part(bench: Bench) -> None:
    """Time states and activations."""
    space = list(reduced_space())
    np.random.default_rng(SEED).shuffle(space)
    facts, feasible = columns(space)
    run, found = selection(facts, feasible)
    run(len(space))
    few = space[:PLAIN_STATES]
    some = bench.pick(len(space), len(few))
    check_selection(space[:some], tuple(column[:some] for column in found))
    each, met = check_activations(200)
    racers = {
        SELECT: Racer(run, beside=PLAIN, bar=STATES_BAR),
        PLAIN: Racer(in_turn(select, [(state, {}) for state in few])),
        ACTIVATE: Racer(activations(), each, bar=ACTIVATIONS_BAR),
    }
    bench.race("The activation sheet", racers, "of a state, of an activation")
    bench.facts(CHECKED, {"states": len(space), "activations of a trial": each} | met)
