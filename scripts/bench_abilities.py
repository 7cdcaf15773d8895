"""Abilities in bench.py: what a combat of fighters who have some costs, beside a plain one.

Sampled combats, and exact ones by the table of positions. Sets that give dice make more attacks,
so that their cost an attack is told too.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from estoc.kernels.combat.trials import count, replay
from estoc.kernels.layout.combat import new_fight
from estoc.kernels.layout.log import Event
from estoc.profiles import Roster
from estoc.sim.base.options import Options
from estoc.sim.bench.agreement import demand
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.timing import race, times_faster
from estoc.sim.bench.work import FIGHTERS
from estoc.sim.combat.combat import ask, profiles_of
from estoc.sim.combat.exact import Engine
from estoc.sim.combat.question import Question

PLAIN = "none"
ROLLS = "Dur à cuire|Féroce|Bravoure|Esquive|Contre-attaque"
CHOICES = "Toxique/2|Bretteur|Chance|Feinte|Ambidextre"
COMMON = "Tueur né|Contre-attaque|Enchaînement/1|Coup de maître/3|Ambidextre"
SETS = (PLAIN, ROLLS, CHOICES, COMMON)
BAR = 2.0  # times a plain combat: of five abilities that give no dice
LOGGED = 400  # trials whose attacks are counted
LIMIT_Z = 4.5


def question_of(abilities: str) -> Question:
    """The first duel, the first fighter with these abilities and no others."""
    sets = () if abilities == PLAIN else (f"A.abilities={abilities}",)
    one, other = profiles_of(FIGHTERS, Roster.load())
    return ask([one], [other], Options(sets=sets, abilities=abilities != PLAIN))


def sampled(question: Question) -> Callable[[int], object]:
    """The run whose trial is one combat."""
    fights = new_fight(question.setup, question.rules, SEED, question.cell)
    n, states = len(question.fighters), len(question.rules.level)
    law, sides = np.zeros((n, states), np.int64), np.zeros((states, n), np.int64)
    tally = np.zeros(2, np.int64)

    def run(trials: int) -> None:
        count(fights, 0, trials, 1, law, sides, tally)

    return run


def attacks_of(question: Question) -> float:
    """Mean number of attacks of a combat."""
    fights = new_fight(question.setup, question.rules, SEED, question.cell)
    logs = (replay(fights, trial, 1)[0] for trial in range(LOGGED))
    return sum(int((log[:, 0] == Event.STRIKE).sum()) for log in logs) / LOGGED


def check(question: Question, trials: int) -> None:
    """End the run where sampled and exact odds differ."""
    law = Engine().law(question).law
    fights = new_fight(question.setup, question.rules, SEED, question.cell)
    found, sides = np.zeros(law.shape, np.int64), np.zeros(law.shape[::-1], np.int64)
    count(fights, 0, trials, 1, found, sides, np.zeros(2, np.int64))
    error = np.sqrt(np.clip(law * (1 - law), 1e-9, None) / trials)
    worst = float(np.abs((found / trials - law) / error).max())
    demand(worst < LIMIT_Z, f"abilities: sampled and exact odds differ: |z| = {worst:.1f}")


def time_abilities(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Time sampled duels of fighters with and without abilities; report them."""
    questions = {name: question_of(name) for name in SETS}
    for question in questions.values():
        check(question, 20_000 if quick else 400_000)
    taken = race({name: sampled(q) for name, q in questions.items()}, rounds)
    plain = attacks_of(questions[PLAIN])
    rows = {}
    for name in SETS:
        cost = times_faster(taken[name], taken[PLAIN])  # how many times longer
        attacks = attacks_of(questions[name])
        rows[name] = {
            "best": min(taken[name]),
            "times_plain": cost.least,
            "attacks": attacks,
            "times_plain_an_attack": cost.least * plain / attacks,
        }
    table = Table(title="abilities: one duel, one core", title_justify="left")
    table.add_column("abilities of one of both", overflow="fold")
    for heading in ("ns", "times plain", "attacks", "times plain, an attack"):
        table.add_column(heading, justify="right")
    for name, row in rows.items():
        table.add_row(
            name, f"{row['best']:.0f}", *(f"{cell:.2f}" for cell in list(row.values())[1:])
        )
    console.print(table)
    console.print(f"bar: {BAR:g} times a plain one, of five abilities")
    return {"bar": BAR, "rows": rows}
