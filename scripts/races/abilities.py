"""Abilities: what a combat of fighters who have some costs, beside a plain one.

Sampled combats, and exact ones by the table of positions. Sets that give dice make more attacks,
so that their cost an attack is told too.
"""

from functools import partial

from races.form import Bench, Racer

from estoc.kernels.combat.trials import replay
from estoc.kernels.layout.combat import new_fight
from estoc.kernels.layout.log import Event
from estoc.profiles import Roster
from estoc.sim.base.options import Options
from estoc.sim.bench.agreement import LIMIT_Z, demand, departure
from estoc.sim.bench.samplers import LITERAL, SEED, sampled
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
DUEL, ATTACK = "A duel by abilities of one of both", "An attack of such a duel"


def question_of(abilities: str) -> Question:
    """The first duel, the first fighter with these abilities and no others."""
    sets = () if abilities == PLAIN else (f"A.abilities={abilities}",)
    one, other = profiles_of(FIGHTERS, Roster.load())
    return ask([one], [other], Options(sets=sets, abilities=abilities != PLAIN))


def attacks_of(question: Question) -> float:
    """Mean number of attacks of a combat."""
    fights = new_fight(question.setup, question.rules, SEED, question.cell)
    logs = (replay(fights, trial, 1)[0] for trial in range(LOGGED))
    return sum(int((log[:, 0] == Event.STRIKE).sum()) for log in logs) / LOGGED


def check(question: Question, trials: int) -> None:
    """End the run where sampled and exact odds differ."""
    law = Engine().law(question).law
    counts = sampled(LITERAL, question.setup, question.rules, trials)
    worst = max(map(departure, counts, law))
    demand(worst < LIMIT_Z, f"abilities: sampled and exact odds differ: |z| = {worst:.1f}")


def time_part(bench: Bench) -> None:
    """Time sampled duels of fighters with and without abilities."""
    questions = {name: question_of(name) for name in SETS}
    for question in questions.values():
        check(question, bench.pick(400_000, 20_000))
    racers = {
        name: Racer(partial(sampled, LITERAL, question.setup, question.rules), beside=PLAIN)
        for name, question in questions.items()
    }
    taken = bench.take(racers)
    bench.tell(DUEL, racers, taken, f"bar: {BAR:g} times a plain one, of five", longer=True)
    attacks = {name: attacks_of(question) for name, question in questions.items()}
    each = {name: racer._replace(answers=attacks[name]) for name, racer in racers.items()}
    bench.tell(ATTACK, each, taken, longer=True)
    bench.facts("Attacks of such a duel", attacks)
