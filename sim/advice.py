"""Best decisions in words that a player can follow at a table."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from estoc.kernels.layout import Column, Rule, Stat
from estoc.kernels.layout import Played as Is
from estoc.profiles.compile import state_names
from estoc.sim.exact import Engine
from estoc.sim.params import SIDES
from estoc.sim.question import Question
from estoc.sim.turns import Played, Turn

SAME = 1e-12
_EITHER = 2  # ways to meet an attack with one die that cannot be sustained
SURE = 0.9995  # a share that is not worth an exception


class Advice(NamedTuple):
    """One rule for one side.

    Parameters
    ----------
    side : {"A", "B"}
    decision : str
        What is decided, as in a policy.
    text : str
    """

    side: str
    decision: str
    text: str


def advice(question: Question, engine: Engine, opening: Turn) -> list[Advice]:
    """Return the decision rules of best play in the first turn, side A's first.

    Parameters
    ----------
    question : Question
        Its policies leave open what is to be advised.
    engine : Engine
    opening : Turn
        The first turn of best play.
    """
    played = engine.played(question)
    found: list[Advice] = []
    for side in SIDES:
        kernel_side = SIDES.index(side) ^ question.lone_side
        open_decisions = question.options.policies[SIDES.index(side)].open_decisions
        about: dict[str, Callable[[], list[str]]] = {
            "reroll_initiative": partial(_initiative, question, engine, opening, kernel_side),
            "target": partial(_targets, question, played, kernel_side),
            "strike_order": partial(_strikers, question, played, kernel_side),
            "reroll_attack": partial(_attack_sixes, question, engine, played, kernel_side),
            "parry": partial(_defences, question, played, kernel_side),
        }
        for decision, texts in about.items():
            if decision in open_decisions or (decision == "parry" and "sustain" in open_decisions):
                found += [Advice(side, decision, text) for text in texts()]
    return found


# --- shares -----------------------------------------------------------------------------


def _shares(
    played: Iterable[Played], key: Callable[[Played], tuple[int, ...]]
) -> dict[tuple[int, ...], float]:
    """Return how often each decision is taken, the most frequent first."""
    total: dict[tuple[int, ...], float] = {}
    for position in played:
        total[key(position)] = total.get(key(position), 0.0) + position.chance
    whole = sum(total.values())
    return dict(sorted(((k, v / whole) for k, v in total.items()), key=lambda kv: -kv[1]))


def percent(share: float) -> str:
    """Return a share in whole percent that is 0 or 100 only if it is."""
    if share < 0.01:
        return "under 1 %"
    return f"{min(round(100 * share), 99) if share < 1 else 100} %"


def _plural(number: int, noun: str) -> str:
    plurals = {"die": "dice"}
    return f"{number} {noun if number == 1 else plurals.get(noun, noun + 's')}"


# --- Initiative -------------------------------------------------------------------------


def _initiative(question: Question, engine: Engine, opening: Turn, side: int) -> list[str]:
    """Return against which dice to re-roll a 6 in the Initiative test (W-1.5)."""
    lone, others = opening.by_first
    if abs(lone - others) <= SAME:
        return []  # nothing hangs on it
    wants = 1 if lone < others else 0
    gains = _gains(question, engine, wants, side)
    again = [die for die, gain in enumerate(gains, 1) if gain > SAME]
    if not again:
        return ["Initiative: keep a 6."]
    if len(again) == len(gains):
        return ["Initiative: re-roll a 6."]
    return [f"Initiative: re-roll a 6 against {_ranges(again)} of the enemy, else keep it."]


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as ``1 to 3 or 5``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [
        f"{_signless(run[0])} to {_signless(run[-1])}" if len(run) > 1 else _signless(run[0])
        for run in runs
    ]
    return " or ".join(texts)


def _signless(number: int) -> str:
    return str(number).replace("-", "−")


def _gains(question: Question, engine: Engine, wants: int, side: int) -> list[float]:
    """Return what the re-roll of a 6 gains against each die of the enemy.

    ``wants`` is 1 where whoever strikes second does better.
    """
    from estoc.kernels.exact_initiative import rerolls_initiative
    from estoc.kernels.trials import new_fight

    rules, rows = question.rules, question.setup.fighters
    ini = rows[:, Stat.INI] - rules.penalty[rows[:, Column.START], Stat.INI]
    ini = ini - rules.charge[Stat.INI] * rows[:, Column.CHARGED]
    bonus = rules.scalars[Rule.NUMBERS_BONUS] * (len(rows) - 2)
    gains = np.empty(6)
    fights = new_fight(question.setup, rules, 0, 0)
    others = question.options.policies[1 - question.lone_side]
    tester = ini[1] if others.initiative == "listed" else ini[1:].max()
    difference = int(ini[0] - tester - bonus)
    rerolls_initiative(fights, engine.laws(question), wants, difference, side, gains)
    return [float(gain) * (-1 if wants else 1) for gain in gains]


# --- whom to strike, who strikes --------------------------------------------------------


def _targets(question: Question, played: Sequence[Played], side: int) -> list[str]:
    """Return whom the lone fighter strikes first (C-5.3)."""
    return [] if side else _first_of(question, played, Is.TARGET, "strike")


def _strikers(question: Question, played: Sequence[Played], side: int) -> list[str]:
    """Return which of several fighters strikes first (C-5.4)."""
    return _first_of(question, played, Is.STRIKER, "let strike") if side else []


def _first_of(question: Question, played: Sequence[Played], column: int, verb: str) -> list[str]:
    """Return who is chosen while all can be."""
    several = len(question.others)
    side = 0 if column == Is.TARGET else 1
    opening = [p for p in played if p[Is.CHOICES] == several > 1 and _acts(p) == side]
    if not opening:
        return []
    shares = _shares(opening, lambda p: (p[column],))
    names = {question.fighters[i].label: share for (i,), share in shares.items()}
    if len(names) == 1:
        return [f"While all can be chosen, {verb} {next(iter(names))} first."]
    listed = ", ".join(f"{name} ({percent(share)})" for name, share in names.items())
    return [f"While all can be chosen, {verb} first: {listed}, by their wounds and dice."]


def _acts(position: Played) -> int:
    return 0 if position[Is.STRIKER] == 0 else 1


# --- the attack die ---------------------------------------------------------------------


def _attack_sixes(
    question: Question, engine: Engine, played: Sequence[Played], side: int
) -> list[str]:
    """Return when to keep a 6 on the attack die (W-1.2)."""
    from estoc.kernels.laws import keeps_six
    from estoc.kernels.trials import new_fight

    fights, tables = new_fight(question.setup, question.rules, 0, 0), engine.laws(question)
    attacks = [p for p in played if _acts(p) == side]
    if not attacks:
        return []
    most = 1 + (len(question.others) if side == 1 else 1)
    low, high = min(p[Is.LEAD] for p in attacks), max(p[Is.LEAD] for p in attacks)
    best = max(p[Is.ATTACK] for p in attacks)
    rules = {
        dice: [
            lead
            for lead in range(low, high + 1)
            if keeps_six(fights, tables, side, dice, best, lead)
        ]
        for dice in range(1, most + 1)
    }
    whole = list(range(low, high + 1))
    if all(kept == whole for kept in rules.values()):
        return ["Attack die: keep a 6."]
    if not any(rules.values()):
        return ["Attack die: re-roll a 6 while it may be parried."]
    last = max(dice for dice, kept in rules.items() if kept)
    if all(kept == whole for dice, kept in rules.items() if dice <= last):
        return [f"Attack die: keep a 6 unless the enemy commits {last + 1} dice or more."]
    texts: dict[str, list[int]] = {}
    for dice, kept in rules.items():
        texts.setdefault(_six_text(kept, whole), []).append(dice)
    said = [
        f"against {_ranges(dice)} {'die' if dice == [1] else 'dice'} {text}"
        for text, dice in texts.items()
    ]
    return [f"Attack die: {'; '.join(said)}."]


def _six_text(kept: Sequence[int], whole: Sequence[int]) -> str:
    """Return when a 6 is kept; ``kept`` are leads of ATT over DEF."""
    if not kept:
        return "re-roll a 6"
    if list(kept) == list(whole):
        return "keep a 6"
    return f"keep a 6 if your ATT less his DEF is {_ranges(kept)}, else re-roll it"


# --- dice in defence --------------------------------------------------------------------


def _defences(question: Question, played: Sequence[Played], side: int) -> list[str]:
    """Return how to meet attacks, by the dice left and the attacks still to come (C-6.2, C-7)."""
    texts = []
    mine = [p for p in played if _acts(p) != side and p[Is.OPTIONS] > 1]
    for i in range(len(question.fighters)):
        of_fighter = [p for p in mine if p[Is.TARGET] == i]
        name = f"{question.fighters[i].label}: " if side == 1 and len(question.others) > 1 else ""
        cases = sorted({(-p[Is.DEFENCE], p[Is.COMING]) for p in of_fighter})
        for dice, coming in cases:
            group = [p for p in of_fighter if (-p[Is.DEFENCE], p[Is.COMING]) == (dice, coming)]
            later = "no attack" if coming == 0 else _plural(coming, "attack")
            texts.append(
                f"{name}With {_plural(-dice, 'die')} left and {later} to come after this one: "
                f"{_decided(question, group)}."
            )
    return texts


def _met(committed: int, sustains: int, position: Played) -> str:
    """Return a way to meet an attack in words."""
    if committed == 0:
        return "do not defend"
    if sustains:
        return "defend, sustained"
    if position[Is.DEFENCE] > 1:
        return f"commit {_plural(committed, 'die')}"
    could_sustain = position[Is.OPTIONS] > _EITHER
    return "defend, not sustained" if could_sustain else "defend"


def _decided(question: Question, group: Sequence[Played]) -> str:
    """Return what is decided in some positions: always, by a wound, or mostly."""
    shares = _shares(group, _defence)
    words = {k: _met(k[0], k[1], group[0]) for k in shares}
    usual = next(iter(shares))
    if shares[usual] > SURE:
        return words[usual]
    for who, whose in ((Is.TARGET, "you are"), (Is.STRIKER, "the attacker is")):
        told = _by_state(question, group, who)
        if told is not None:
            cases = [
                f"{words[k]} if {whose} {' or '.join(states)}"
                for k, states in told.items()
                if k != usual
            ]
            return f"{words[usual]}; but {'; '.join(cases)}"
    return ", ".join(f"{words[k]} ({percent(share)})" for k, share in shares.items())


def _defence(position: Played) -> tuple[int, ...]:
    return position[Is.COMMITTED], position[Is.SUSTAINS]


def _by_state(
    question: Question,
    group: Sequence[Played],
    who: int,
) -> dict[tuple[int, ...], list[str]] | None:
    """Return the states of a fighter in which each decision is taken; None if others count too."""
    names = state_names(question.options.edition)
    decisions: dict[int, dict[tuple[int, ...], float]] = {}
    for state in sorted({p.states[p[who]] for p in group}):
        decisions[state] = _shares([p for p in group if p.states[p[who]] == state], _defence)
    if any(next(iter(shares.values())) < SURE for shares in decisions.values()):
        return None
    found: dict[tuple[int, ...], list[str]] = {}
    for state, shares in decisions.items():
        found.setdefault(next(iter(shares)), []).append(names[state].replace(", ", " and "))
    return found
