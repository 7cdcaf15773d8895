"""Best decisions in words that a player can follow at a table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Column, Rule, Stat
from ...kernels.layout.exact import Played as Is
from ...profiles.compile.combat import state_names
from ...profiles.message import joined, say, say_n, series
from ..base.options import SIDES, number_of_dice
from ..combat.combatants import Combatant
from ..combat.exact import Engine
from ..combat.laws import Law, Position, Turn
from ..combat.question import Question

SAME = 1e-12
PASS = 2  # halves of a pass of arms
SURE = 0.9995  # a share that is not worth an exception


class Advice(NamedTuple):
    """One rule for one side."""

    side: str  # "A" or "B"
    decision: str  # what is decided, as in a policy
    text: str


def advice(question: Question, engine: Engine, law: Law) -> list[Advice]:
    """Return the decision rules of best play in the first turn, side A's first."""
    opening = law.opening
    played = engine.played(question)
    found: list[Advice] = []
    for side in SIDES:
        kernel_side = SIDES.index(side) ^ question.lone_side
        open_decisions = question.options.policies[SIDES.index(side)].open_decisions
        about: dict[str, Callable[[], list[str]]] = {
            "initiative": partial(_testers, question, opening, kernel_side),
            "reroll_initiative": partial(_initiative, question, engine, opening, kernel_side),
            "target": partial(_targets, question, played, kernel_side),
            "strike_order": partial(_strikers, question, played, kernel_side),
            "reroll_attack": partial(_attack_sixes, question, engine, played, kernel_side),
            "parry": partial(_defences, question, played, kernel_side),
            "reroll_defence": partial(_defence_sixes, question, engine, law, played, kernel_side),
        }
        for decision, texts in about.items():
            if decision in open_decisions or (decision == "parry" and "sustain" in open_decisions):
                found += [Advice(side, decision, text) for text in texts()]
    return found


# --- shares -----------------------------------------------------------------------------


def _shares(
    played: Iterable[Position], key: Callable[[Position], tuple[int, ...]]
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
        return say("under 1 %")
    return f"{min(round(100 * share), 99) if share < 1 else 100} %"


# --- Initiative -------------------------------------------------------------------------


def _initiative(question: Question, engine: Engine, opening: Turn, side: int) -> list[str]:
    """Return when to re-roll a 6 in the Initiative test, and who takes it (W-1.5, C-4.1)."""
    lone, others = opening.by_first
    if abs(lone - others) <= SAME:
        return []  # nothing hangs on it
    wants = 1 if lone < others else 0
    lead, gains = _gains(question, engine, wants, side)
    # by how much a 6 is ahead, and what its re-roll gains; a 6 of the enemy may be re-rolled too
    closed = {6 + lead - result: gain for result, gain in enumerate(gains, 1) if result != 6}
    again = [ahead for ahead, gain in sorted(closed.items()) if gain > SAME]
    text = say("re-roll a 6" if len(again) == len(closed) else "keep a 6")
    if 0 < len(again) < len(closed):
        text = say("re-roll a 6 when you are {}, else keep it", _standing(again, sorted(closed)))
    like_the_others = lead in again or (lead not in closed and len(again) > len(closed) / 2)
    if (gains[5] > SAME) != like_the_others:
        again_too = gains[5] > SAME
        text += say("; against a 6, re-roll it" if again_too else "; against a 6, keep it")
    return [say("Initiative: {}.", text)]


def _standing(chosen: Sequence[int], whole: Sequence[int]) -> str:
    """Return leads in words: ``behind, level or ahead by 1 or 2``."""
    behind = [-lead for lead in whole if lead < 0]
    mine = sorted(-lead for lead in chosen if lead < 0)
    ahead = [lead for lead in chosen if lead > 0]
    words = []
    if mine:
        whole_rear = len(mine) == len(behind)
        words.append(say("behind") if whole_rear else say("behind by {}", _ranges(mine)))
    if 0 in chosen:
        words.append(say("level"))
    if ahead:
        everyone = ahead == [lead for lead in whole if lead >= ahead[0]]
        open_ended = say("ahead") if ahead[0] == 1 else say("ahead by {} or more", ahead[0])
        words.append(open_ended if everyone else say("ahead by {}", _ranges(ahead)))
    return series(words, say(" or "))


def _testers(question: Question, opening: Turn, side: int) -> list[str]:
    """Return which of several takes the Initiative test (C-4.1)."""
    lone, others = opening.by_first
    if side == 0 or len(question.others) < 2 or abs(lone - others) <= SAME:
        return []
    tester = _tester(question, 1 if lone < others else 0)
    return [say("Initiative: {} takes the test.", question.fighters[tester].label)]


def _tester(question: Question, wants: int) -> int:
    """Return who of several tests: the highest INI, or the lowest of a side that wants to lose."""
    ini = _initiatives(question)
    if question.options.policies[1 - question.lone_side].initiative == "listed":
        return 1
    best = ini[1:].min() if wants else ini[1:].max()
    return 1 + int(np.flatnonzero(ini[1:] == best)[0])


def _initiatives(question: Question) -> NDArray[np.int64]:
    """Return the INI of all, wounds and charge taken off."""
    rules, rows = question.rules, question.setup.fighters
    ini = rows[:, Stat.INI] - rules.penalty[rows[:, Column.PAIN], rows[:, Column.START], Stat.INI]
    return np.asarray(ini - rules.charge[Stat.INI] * rows[:, Column.CHARGED])


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as ``1 to 3, 5 or 6``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts: list[str] = []
    for run in runs:
        ends = [str(number).replace("-", "−") for number in run]
        texts += ends if len(run) < 3 else [say("{} to {}", ends[0], ends[-1])]
    return series(texts, say(" or "))


def _gains(question: Question, engine: Engine, wants: int, side: int) -> tuple[int, list[float]]:
    """Return a side's INI less the enemy's, and what the re-roll of a 6 gains, by his result.

    ``wants`` is 1 where whoever strikes second does better.
    """
    from ...kernels.exact.initiative import rerolls_initiative
    from ...kernels.layout.combat import new_fight

    ini = _initiatives(question)
    bonus = question.rules.scalars[Rule.NUMBERS_BONUS] * (len(ini) - 2)
    difference = int(ini[0] - ini[_tester(question, wants)] - bonus)
    lead = difference if side == 0 else -difference
    gains = np.empty(max(6 + lead + 2, 11))  # up to where a 6 is well behind
    fights = new_fight(question.setup, question.rules, 0, 0)
    rerolls_initiative(fights, engine.laws(question), wants, difference, side, gains)
    return lead, [float(gain) * (-1 if wants else 1) for gain in gains]


# --- whom to strike, who strikes --------------------------------------------------------


def _targets(question: Question, played: Sequence[Position], side: int) -> list[str]:
    """Return whom the lone fighter strikes first (C-5.3)."""
    return [] if side else _first_of(question, played, Is.TARGET, "strike")


def _strikers(question: Question, played: Sequence[Position], side: int) -> list[str]:
    """Return which of several fighters strikes first (C-5.4)."""
    return _first_of(question, played, Is.STRIKER, say("let strike")) if side else []


def _first_of(question: Question, played: Sequence[Position], column: int, verb: str) -> list[str]:
    """Return who is chosen while all can be."""
    several = len(question.others)
    side = 0 if column == Is.TARGET else 1
    opening = [
        p for p in played if p[Is.CHOICES] == several > 1 and _acts(p) == side and p[Is.HALF] < PASS
    ]
    if not opening:
        return []
    shares = _shares(opening, lambda p: (p[column],))
    names = {question.fighters[i].label: share for (i,), share in shares.items()}
    if len(names) == 1:
        (name,) = names
        if verb == "strike":
            return [say("In the first pass, strike {} first.", name)]
        return [say("In the first pass, {} strikes first.", name)]
    listed = [say("{} ({})", name, percent(share)) for name, share in names.items()]
    if verb == "strike":
        return [say("In the first pass, strike first: {}, by their wounds and dice.", listed)]
    return [say("In the first pass, who strikes first: {}, by their wounds and dice.", listed)]


def _acts(position: Position) -> int:
    return 0 if position[Is.STRIKER] == 0 else 1


# --- the attack die ---------------------------------------------------------------------


def _attack_sixes(
    question: Question, engine: Engine, played: Sequence[Position], side: int
) -> list[str]:
    """Return when to keep a 6 on the attack die (W-1.2)."""
    from ...kernels.exact.laws import keeps_six
    from ...kernels.layout.combat import new_fight

    fights, tables = new_fight(question.setup, question.rules, 0, 0), engine.laws(question)
    attacks = [p for p in played if _acts(p) == side]
    if not attacks:
        return []
    most = max(
        c.dice.defence if c.dice else number_of_dice(question.options.edition, enemies)
        for c, enemies in _enemies(question, side)
    )
    # a striker so weak that he may fail automatically decides by what failing costs
    sure = [p for p in attacks if p[Is.ATTACK] + 1 > question.rules.scalars[Rule.AUTOMATIC_FAILURE]]
    if not sure:
        return []
    whole = list(range(min(p[Is.LEAD] for p in sure), max(p[Is.LEAD] for p in sure) + 1))
    attack = max(p[Is.ATTACK] for p in sure)

    def kept(dice: int, asked: int) -> list[int]:
        return [n for n in whole if keeps_six(fights, tables, side, dice, attack, n, asked)]

    rules = {dice: kept(dice, 6) for dice in range(1, most + 1)}
    rerolled = any(leads != whole for leads in rules.values())
    second = all(set(kept(dice, 12)) == set(whole) for dice in rules) if rerolled else False
    text = _sixes_text(rules, whole)
    return [say("Attack die: {}; keep a 12.", text) if second else say("Attack die: {}.", text)]


def _enemies(question: Question, side: int) -> list[tuple[Combatant, int]]:
    """Return the enemies of a side, and against how many each of them fights."""
    if side == 0:
        return [(c, 1) for c in question.others]
    return [(question.lone, len(question.others))]


def _sixes_text(rules: dict[int, list[int]], whole: Sequence[int]) -> str:
    """Return when a 6 is kept, by the dice against it and the leads at which it is."""
    if all(kept == whole for kept in rules.values()):
        return say("keep a 6")
    if not any(rules.values()):
        return say("re-roll a first 6 while it may be parried")
    last = max(dice for dice, kept in rules.items() if kept)
    if all(kept == whole for dice, kept in rules.items() if dice <= last):
        return say("keep a 6 unless the enemy commits {} dice or more", last + 1)
    texts: dict[str, list[int]] = {}
    for dice, kept in rules.items():
        texts.setdefault(_six_text(kept, whole), []).append(dice)
    return joined(
        "; ",
        (
            say_n("against {1} die {2}", "against {1} dice {2}", max(dice), _ranges(dice), text)
            for text, dice in texts.items()
        ),
    )


def _six_text(kept: Sequence[int], whole: Sequence[int]) -> str:
    """Return when a 6 is kept; ``kept`` are leads of ATT over DEF."""
    if not kept:
        return say("re-roll a first 6")
    if list(kept) == list(whole):
        return say("keep a 6")
    return say("keep a 6 if your ATT less his DEF is {}, else re-roll it", _ranges(kept))


# --- dice in defence --------------------------------------------------------------------


def _defences(question: Question, played: Sequence[Position], side: int) -> list[str]:
    """Return how to meet attacks, by the dice left and the attacks still to come (C-6.2, C-7)."""
    texts = []
    mine = [p for p in played if _acts(p) != side and p[Is.OPTIONS] > 1]
    for i in range(len(question.fighters)):
        of_fighter = [p for p in mine if p[Is.TARGET] == i]
        name = question.fighters[i].label if side == 1 and len(question.others) > 1 else ""
        cases = sorted({(-p[Is.DEFENCE], p[Is.COMING]) for p in of_fighter})
        for dice, coming in cases:
            group = [p for p in of_fighter if (-p[Is.DEFENCE], p[Is.COMING]) == (dice, coming)]
            later = say_n("{} attack", "{} attacks", coming) if coming else say("no attack")
            left = say_n("{} die", "{} dice", -dice)
            met = _decided(question, group)
            text = say("With {} left and {} to come after this one: {}.", left, later, met)
            texts.append(say("{}: {}", name, text) if name else text)
    return texts


def _met(committed: int, sustains: int, position: Position, may_sustain: bool) -> str:
    """Return a way to meet an attack in words."""
    if committed == 0:
        return say("do not defend")
    if sustains:
        return say("defend, sustained")
    if position[Is.DEFENCE] > 1:
        return say_n("commit {} die", "commit {} dice", committed)
    return say("defend, not sustained" if may_sustain else "defend")


def _decided(question: Question, group: Sequence[Position]) -> str:
    """Return what is decided in some positions: always, by a wound, or mostly."""
    shares = _shares(group, _defence)
    policies = dict(zip(SIDES, question.options.policies, strict=True))
    policy = policies[question.fighters[group[0][Is.TARGET]].side]
    either = 2 if "parry" in policy.open_decisions else 1  # ways without a sustained die
    words = {k: _met(k[0], k[1], group[0], group[0][Is.OPTIONS] > either) for k in shares}
    usual = next(iter(shares))
    if shares[usual] > SURE:
        return words[usual]
    for who, whose in ((Is.TARGET, say("you are")), (Is.STRIKER, say("the attacker is"))):
        told = _by_state(question, group, who)
        if told is not None:
            cases = [
                say("{} if {} {}", words[k], whose, joined(say(" or "), states))
                for k, states in told.items()
                if k != usual
            ]
            return say("{}; but {}", words[usual], joined("; ", cases))
    listed = [say("{} ({})", words[k], percent(share)) for k, share in shares.items()]
    return say("{}, by the wounds of all", listed)


def _defence_sixes(
    question: Question, engine: Engine, law: Law, played: Sequence[Position], side: int
) -> list[str]:
    """Return when to re-roll a 6 on a defence die (W-1.2), where the usual way is the best one."""
    if not any(_acts(p) != side and p[Is.COMMITTED] for p in played):
        return []
    policies = list(question.options.policies)
    index = side ^ question.lone_side
    policies[index] = replace(policies[index], reroll_defence="needed")
    options = replace(question.options, policies=(policies[0], policies[1]))
    usual = engine.law(replace(question, options=options)).value
    if abs(usual - law.value) > SAME:
        return []
    return [say("Defence dice: re-roll a 6 only while the attack is not parried.")]


def _defence(position: Position) -> tuple[int, ...]:
    return position[Is.COMMITTED], position[Is.SUSTAINS]


def _by_state(
    question: Question,
    group: Sequence[Position],
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
        found.setdefault(next(iter(shares)), []).append(
            joined(say(" and "), names[state].split(", "))
        )
    return found
