"""Whole battles: ten against ten for six turns, and how time grows with the armies.

Aggressive players on both sides, on the table of the pitched battle and on the same without
terrain; the random policy and the one by odds beside them. A duel of the plain kernel tells what
the clock of the machine is worth. Armies of other sizes repeat the fighters of the pitched battle;
a table has room for 64.
"""

import tracemalloc
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.ticker import FormatStrFormatter, LogLocator
from races.form import Bench, Racer, onward

from estoc.kernels.battle.trials import Tally, count_battles
from estoc.profiles.armies.scenario import Placed, Scenario
from estoc.profiles.armies.scenario_file import load_scenario
from estoc.sim.audit.audit import audit
from estoc.sim.base.run import Method, Run
from estoc.sim.battle.log import Step
from estoc.sim.battle.question import BattleQuestion, ask_battle
from estoc.sim.battle.sampling import BattleCounts, count_battle
from estoc.sim.battle.steps import battle_steps
from estoc.sim.bench import timing
from estoc.sim.bench.agreement import demand
from estoc.sim.bench.samplers import LITERAL, SEED, sampled
from estoc.sim.bench.work import arrays, shipped, usual_edition
from estoc.sim.text.drawing import figure, style

BOLD, RANDOM = ("aggressive", "aggressive"), ("random", "random")
ODDS = ("by-odds", "by-odds")
OPEN, TERRAIN, CHANCE = "open table", "4 pieces of terrain", "4 pieces, random policy"
BY_ODDS = "4 pieces, by odds"
CLOCK = "a duel, 2/0 v 2/0"
SIDES = (5, 10, 20, 32)  # fighters a side
LINE, ROW, RANK = 10, 7.0, 6.0  # in a line; cm between two in it, and between lines
FRONT = 36.0  # cm from the edge to the first line
TELLING = 12  # battles told and counted
ROUND_SECONDS = 0.4
KINDS = "Ten against ten, six turns, aggressive if not said"
GROWTH = "As armies grow: open table, aggressive"
MEMORY_TRIALS = 200
MORE = 1.05  # times the memory: what Python itself takes differs from run to run


# ---------------------------------------------------------------------------- the work


def army(scenario: Scenario, side: str, fighters: int) -> list[Placed]:
    """So many of a side's fighters, repeated, in lines before its edge."""
    own = [placed for placed in scenario.fighters if placed.side == side]
    low = (scenario.depth - ROW * (min(fighters, LINE) - 1)) / 2
    found = []
    for k, placed in enumerate(islice(cycle(own), fighters)):
        x, y = FRONT - RANK * (k // LINE), low + ROW * (k % LINE)
        at = (x if side == "A" else scenario.width - x, y)
        found.append(replace(placed, label=f"{side} {k + 1}", at=at))
    return found


def armies(scenario: Scenario, fighters: int) -> Scenario:
    """So many a side on the open table."""
    both = (*army(scenario, "A", fighters), *army(scenario, "B", fighters))
    return replace(scenario, terrain=(), survival=(), fighters=both)


def questions() -> dict[str, BattleQuestion]:
    """The battles that are timed."""
    pitched = load_scenario("pitched", shipped("c5"))
    return {
        OPEN: ask_battle(replace(pitched, terrain=()), BOLD),
        TERRAIN: ask_battle(pitched, BOLD),
        CHANCE: ask_battle(pitched, RANDOM),
        BY_ODDS: ask_battle(pitched, ODDS),
    }


def grown() -> dict[int, BattleQuestion]:
    """The battles that grow."""
    pitched = load_scenario("pitched", shipped("c5"))
    return {fighters: ask_battle(armies(pitched, fighters), BOLD) for fighters in SIDES}


def run_of(question: BattleQuestion) -> timing.Run:
    """The run whose trial is a battle, counted on this thread as `estoc battle` does."""
    battles = question.compiled(SEED)
    reach = int(battles["reach"][0])
    counts = BattleCounts.none(len(question.labels), question.scenario.turns, reach)
    tally = Tally(*(getattr(counts, name) for name in Tally._fields))
    return onward(lambda first, trials: count_battles(battles, first, trials, tally))


# ---------------------------------------------------------------------------- checks


def told(steps: list[Step]) -> tuple[int, list[int]]:
    """Who won, and the points that each side destroyed, from a transcript."""
    last = [step.data["destroyed"] for step in steps if step.kind == "score"][-1]
    return int(steps[-1].data["winner"]), last


def check(name: str, question: BattleQuestion, trials: int) -> None:
    """End the run where counts, transcripts and the checker of transcripts disagree."""
    one, other = (
        count_battle(question, Method("mc", trials, SEED), Run(threads=n)) for n in (1, 2)
    )
    for cell, value in vars(one).items():
        same = np.array_equal(value, getattr(other, cell))
        demand(same, f"{name}: {cell} differs on 2 threads")
    outcome, destroyed = np.zeros(3, np.int64), np.zeros(2, np.int64)
    battles = question.compiled(SEED)
    for trial in range(trials):
        steps = battle_steps(battles, question.scenario, usual_edition(), trial, question.policies)
        breaches = audit(steps, usual_edition())
        demand(not breaches, f"{name}: trial {trial} breaks the rules: {breaches[:1]}")
        winner, points = told(steps)
        outcome[winner] += 1
        destroyed += points
    demand(np.array_equal(outcome, one.outcome), f"{name}: transcripts tell other winners")
    same = np.array_equal(destroyed, one.destroyed[-1])
    demand(same, f"{name}: transcripts tell other points")


def peak(question: BattleQuestion, trials: int) -> int:
    """Most bytes in use while so many battles are counted on one thread."""
    tracemalloc.start()
    try:
        count_battle(question, Method("mc", trials, SEED), Run(threads=1))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def memory(question: BattleQuestion) -> dict[str, int]:
    """Bytes of a battle's record, one a thread; and of a run, however many its trials."""
    peak(question, 1)  # the first call loads the kernel
    few, many = (peak(question, MEMORY_TRIALS * times) for times in (1, 4))
    demand(many < MORE * few, f"memory grows with trials: {few:,} bytes, then {many:,}")
    record = question.compiled(SEED).nbytes
    return {"of its record": record, "most": few, "most, with 4 times the trials": many}


# ---------------------------------------------------------------------------- all of it


def draw(growth: dict[str, dict[str, Any]], path: Path) -> None:
    """Draw how the time of a battle grows with the armies."""
    sides = [int(name.split()[0]) for name in growth]
    with style():
        picture, (axes,) = figure((6.0, 4.0), 1, 1)
        for key, name, mark in (("least", "min", "o-"), ("median", "median", "s--")):
            times = [row["seconds"][key] * 1e3 for row in growth.values()]
            axes.loglog(sides, times, mark, label=name)
        axes.set_xticks(sides, [str(n) for n in sides])
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(FormatStrFormatter("%g"))
        axes.minorticks_off()
        axes.set_xlabel("fighters a side")
        axes.set_ylabel("ms a battle")
        axes.set_title("Battles of six turns, aggressive players, open table, one core")
        axes.grid(alpha=0.3)
        axes.legend()
        picture.savefig(path)


def time_part(bench: Bench) -> None:
    """Time battles of several kinds, then of several sizes."""
    asked = questions()
    larger = {f"{fighters} a side": question for fighters, question in grown().items()}
    for name, question in (asked | larger).items():
        check(name, question, bench.pick(TELLING, 3))
    kept = memory(asked[TERRAIN])
    _, setup, rules = arrays(((2, 0), (2, 0)))
    clock = {CLOCK: Racer(partial(sampled, LITERAL, setup, rules))}
    kinds, sizes = (
        {name: Racer(run_of(question), beside=CLOCK) for name, question in some.items()} | clock
        for some in (asked, larger)
    )
    taken = bench.take(kinds | sizes, ROUND_SECONDS / bench.pick(1, 8))
    bench.tell(KINDS, kinds, taken, longer=True)
    growth = bench.tell(GROWTH, sizes, taken, longer=True)
    bench.facts("Bytes of a thread", kept)
    if bench.plot is not None:
        draw({name: row for name, row in growth.items() if name != CLOCK}, bench.plot)
        print(f"drew {bench.plot}")
