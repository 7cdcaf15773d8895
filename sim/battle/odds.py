"""Exact odds that a player by odds reads in a battle, made before it (C-3 to C-7).

For each pair of fighters that may meet: who dies and who is hurt in one against one, for every
wound level of both and whatever weighs on one of them (a charge, all dice in defence), the dice
placed as is best by turns; and in one against two alike, the dice placed as is usual. What
abilities do is left out: it is what a player expects; the battle itself has them (W-7).
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.battle import (
    LEVELS,
    MAX_GOAL,
    MAX_PAIRS,
    MAX_SPLITS,
    NUMBERS,
    ODDS,
    PENS,
    SPLITS,
    Manner,
    Odd,
    Pen,
    Split,
    Style,
    Trait,
)
from ...kernels.layout.combat import COLUMNS, OUTCOMES, Column, Outcome, Rule, Rules, Setup, Stat
from ...kernels.layout.exact import GOALS
from ...kernels.layout.policy import Reroll
from ...profiles.armies.scenario import Scenario
from ...profiles.compile.battle import NO_FAVOURS, Favours, Player, army_of, compile_battle
from ...profiles.compile.combat import compile_rules, fighter_row, placing_order
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ..base.policy import parse_policy
from ..combat.exact import Engine

# How a player by odds decides in a combat, and expects to be met. In a duel of one turn to sustain
# a die never pays (C-7.2): so played, parries are within 0.01 PA of the best that `solve` finds.
FIGHTING = "sensible:sustain=never"

# What weighs on the lone fighter and on the other, by Pen: charged, all dice in defence.
_WEIGHTS = {
    Pen.NONE: ((False, False), (False, False)),
    Pen.LONE_CHARGED: ((True, False), (False, False)),
    Pen.OTHERS_CHARGED: ((False, False), (True, False)),
    Pen.LONE_DEFENDS: ((False, True), (False, False)),
    Pen.OTHERS_DEFEND: ((False, False), (False, True)),
}
_SWAPPED = [Pen.NONE, Pen.OTHERS_CHARGED, Pen.LONE_CHARGED, Pen.OTHERS_DEFEND, Pen.LONE_DEFENDS]

Floats = NDArray[np.float64]

_DIES, _HURT, _OTHERS_DIE, _OTHERS_HURT = range(4)  # columns of odds


class LoneOdds(NamedTuple):
    """What comes of the meetings of one fighter with another, or with two like him.

    ``odds`` are by enemies, what weighs on whom, wound levels of both: chance that the lone fighter
    dies, wound levels that it takes and survives; how many of the others die, and their levels.
    """

    odds: Floats  # (NUMBERS, PENS, LEVELS, LEVELS, 4)
    first: NDArray[np.int64]  # (PENS, LEVELS, LEVELS): best attack dice of who places first
    answer: NDArray[np.int64]  # (PENS, LEVELS, LEVELS, dice + 1): of who has seen the other's

    def shares(self, wound: float) -> Floats:
        """Return the odds in shares of PA, by `estoc.kernels.layout.battle.Odd`."""
        numbers = np.arange(1, NUMBERS + 1).reshape(-1, 1, 1, 1)
        shares = np.empty((*self.odds.shape[:-1], ODDS))
        shares[..., Odd.LOST] = self.odds[..., _DIES] + wound * self.odds[..., _HURT]
        taken = self.odds[..., _OTHERS_DIE] + wound * self.odds[..., _OTHERS_HURT]
        shares[..., Odd.TAKEN] = taken / numbers
        return np.minimum(shares, 1.0)


def ready_battle(
    scenario: Scenario,
    edition: Edition,
    players: Sequence[Player],
    seed: int = 0,
    cell: int = 0,
    favours: Favours = NO_FAVOURS,
    abilities: bool = True,
) -> NDArray[np.void]:
    """Return a battle as `compile_battle` does, with the odds that its players look at."""
    battles = compile_battle(scenario, edition, players, seed, cell, favours, abilities)
    set_manners(battles[0], scenario, edition, players)
    return battles


def set_manners(
    battle: np.void, scenario: Scenario, edition: Edition, players: Sequence[Player]
) -> None:
    """Write into a battle by which parameters its players' styles decide, and their odds."""
    battle["manner"] = [player.manner for player in players]
    if any(player.style == Style.BY_ODDS for player in players):
        fill_odds(battle, scenario, edition, players)


def fill_odds(
    battle: np.void, scenario: Scenario, edition: Edition, players: Sequence[Player]
) -> None:
    """Write into a battle's record what its players by odds look at.

    Raises
    ------
    InputError
        If there are more pairs of profiles than there is room for.
    """
    cards = [[card.profile for card in army_of(scenario, side).cards] for side in range(2)]
    sides = [[profile for profile in side if profile is not None] for side in cards]
    if len(sides[0]) * len(sides[1]) > MAX_PAIRS:
        raise InputError(
            "{}: {} profiles against {}: by-odds knows the odds of {} pairs at most; take "
            "another policy",
            scenario.file or scenario.name,
            len(sides[0]),
            len(sides[1]),
            MAX_PAIRS,
        )
    rules = compile_rules(edition)
    battle["kinds"] = [len(side) for side in sides]
    battle["kind"] = battle["traits"][:, Trait.CARD]
    battle["level"][: len(rules.level)] = np.minimum(rules.level, LEVELS - 1)
    battle["chance"] = _chances(edition)
    battle["pierce"][: len(battle["still_wound"])] = _pierce(battle["still_wound"])
    weights = [float(player.manner[Manner.WOUND]) for player in players]
    for pair, (a, b) in enumerate(product(*sides)):
        both = lone_odds(a, b, edition, weights[0]), lone_odds(b, a, edition, weights[1])
        for side in range(2):
            battle["odds"][side, pair] = both[side].shares(weights[side])
        battle["split"][pair] = _split(*both)


def _split(one: LoneOdds, other: LoneOdds) -> NDArray[np.int8]:
    """Return the best attack dice of both, seen from side A."""
    split = np.zeros((PENS, LEVELS, LEVELS, SPLITS), np.int8)
    ways = one.answer.shape[-1]
    if ways > MAX_SPLITS:
        return split  # duels of so many dice are placed as the policies say
    split[..., Split.FIRST] = one.first
    split[..., Split.FIRST + 1] = other.first[_SWAPPED].swapaxes(1, 2)
    split[..., Split.ANSWER : Split.ANSWER + ways] = one.answer
    start = Split.ANSWER + MAX_SPLITS
    split[..., start : start + ways] = other.answer[_SWAPPED].swapaxes(1, 2)
    return split


@lru_cache(maxsize=8)
def _chances(edition: Edition) -> Floats:
    """Return by goal the chance that a die reaches it, a 6 re-rolled where it is not enough."""
    from ...kernels.exact.laws import natural_law
    from ...kernels.layout.combat import new_fight

    rules = compile_rules(edition)
    setup = Setup(np.zeros((2, COLUMNS), np.int64), np.arange(2), _policies(), 0, 0)
    fights, tables = new_fight(setup, rules, 0, 0), _engine(edition).tables_of(edition, setup)
    chances, law = np.empty(MAX_GOAL + 1), np.empty(GOALS)
    for goal in range(MAX_GOAL + 1):
        natural_law(fights, tables, Reroll.NEEDED.value, goal, law)
        chances[goal] = law[max(goal, 1) :].sum()  # at 0 stands what a rule failed
    return chances


def _pierce(wounds: NDArray[np.uint8]) -> Floats:
    """Return by row of a wound table the chance to kill, and the wound levels else."""
    levels = np.zeros(OUTCOMES)
    levels[[Outcome.LIGHT, Outcome.SERIOUS, Outcome.CRITICAL]] = 1, 2, 3
    kills = (wounds == Outcome.KILLED).mean(1)
    return np.stack([kills, levels[wounds].mean(1)], 1)


# --- one pair --------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def lone_odds(lone: Profile, other: Profile, edition: Edition, wound: float) -> LoneOdds:
    """Return what comes of the meetings of a fighter with another, or with two like him.

    Dice are placed by what a wound level is worth in shares of a fighter's PA.
    """
    odds = np.empty((NUMBERS, PENS, LEVELS, LEVELS, 4))
    odds[0], first, answer = _placed(lone, other, edition, wound)
    odds[1] = _against_two(lone, other, edition)
    return LoneOdds(odds, first, answer)


@lru_cache(maxsize=8)
def _engine(edition: Edition) -> Engine:
    return Engine()


def _cases(
    lone: Profile, other: Profile, edition: Edition
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of both in each case, shape (m, 2, COLUMNS), and their wound levels."""
    level, rows, levels = compile_rules(edition).level, [], []
    for pen, *hurt in product(Pen, range(LEVELS), range(LEVELS)):
        for profile, (charged, defends), wounds in zip(
            (lone, other), _WEIGHTS[pen], hurt, strict=True
        ):
            state = int(np.argmax(level >= wounds))  # the mildest of that level
            row = fighter_row(profile, edition, state=state, charged=charged, all_defence=defends)
            rows.append(row)
        levels.append(hurt)
    return np.array(rows).reshape(-1, 2, COLUMNS), np.array(levels)


@lru_cache(maxsize=4096)
def _duels(lone: Profile, other: Profile, edition: Edition) -> Floats:
    """Return the odds of one against one for all dice that both may place."""
    rules = compile_rules(edition)
    dice = int(rules.scalars[Rule.DICE_BASE] + rules.scalars[Rule.DICE_PER_ENEMY])
    ways = dice + 1
    rows, levels = _cases(lone, other, edition)
    pairs = np.empty((len(rows), ways, ways, 2, COLUMNS), np.int64)
    pairs[:] = rows[:, None, None]
    for k in range(ways):  # all dice in defence goes before what is placed
        pairs[:, k, :, 0, Column.PLACED_ATTACK] = pairs[:, :, k, 1, Column.PLACED_ATTACK] = k
        pairs[:, k, :, 0, Column.PLACED_DEFENCE] = dice - k
        pairs[:, :, k, 1, Column.PLACED_DEFENCE] = dice - k
    joints = _solved(pairs.reshape(-1, 2, pairs.shape[-1]), rules, edition)
    shape = (PENS, LEVELS, LEVELS, ways, ways)
    each = levels.repeat(ways * ways, 0)
    return np.stack(_dead_and_hurt(joints, rules, each), -1).reshape(*shape, 4)


def _placed(
    lone: Profile, other: Profile, edition: Edition, wound: float
) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Return the odds of one against one, and how dice are best placed in it."""
    duels = _duels(lone, other, edition)
    worth = _worth(duels, lone, other, wound)
    answers = worth.argmin(-1), worth.argmax(-2)  # of the other to the lone one's, and back
    as_first = np.take_along_axis(worth, answers[0][..., None], -1)[..., 0].argmax(-1)
    as_second = np.take_along_axis(worth, answers[1][..., None, :], -2)[..., 0, :].argmin(-1)
    by_lone = _picked(duels, as_first, _at(answers[0], as_first))
    by_other = _picked(duels, _at(answers[1], as_second), as_second)
    orders = [placing_order([lone, other], chooser)[0] for chooser in range(2)]
    odds = np.mean([by_lone if first == 0 else by_other for first in orders], 0)
    return odds, as_first, answers[1]


def _at(table: NDArray[np.int64], index: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.take_along_axis(table, index[..., None], -1)[..., 0]


def _picked(odds: Floats, a: NDArray[np.int64], b: NDArray[np.int64]) -> Floats:
    """Return the odds at one placing of each case."""
    at_a = np.take_along_axis(odds, a[..., None, None, None], 3)[..., 0, :, :]
    return np.take_along_axis(at_a, b[..., None, None], 3)[..., 0, :]


def _worth(odds: Floats, lone: Profile, other: Profile, wound: float) -> Floats:
    """Return expected PA that the lone fighter takes, less his own that are lost."""
    taken = odds[..., _OTHERS_DIE] + wound * odds[..., _OTHERS_HURT]
    lost = odds[..., _DIES] + wound * odds[..., _HURT]
    return np.asarray((other.PA or 0) * taken - (lone.PA or 0) * lost)


def _solved(pairs: NDArray[np.int64], rules: Rules, edition: Edition) -> Floats:
    """Return the chances of the final states of both in many duels, shape (m, s, s)."""
    from ...kernels.exact.duel import new_duels, solve_duels
    from ...kernels.layout.combat import new_fight

    m, states, engine = len(pairs), len(rules.level), _engine(edition)
    order = np.arange(2)
    setup = Setup(pairs[0], order, _policies(), 0, 0)
    duels = new_duels(pairs, np.tile(order, (m, 1)), np.zeros((m, 2, states)))
    fights, tables = new_fight(setup, rules, 0, 0), engine.tables_of(edition, setup)
    solve_duels(fights, tables, duels, engine.scratch(rules))
    return np.asarray(duels.joints.reshape(m, 2, states, states).sum(1))


@cache
def _policies() -> NDArray[np.int64]:
    return np.stack([parse_policy(FIGHTING).row()] * 2)


def _dead_and_hurt(
    joints: Floats, rules: Rules, levels: NDArray[np.int64]
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the chances of death and the mean wounds of the living, of both."""
    dead, hurt = [], []
    for side, law in enumerate((joints.sum(2), joints.sum(1))):
        grown = np.maximum(rules.level[None, :-1] - levels[:, side, None], 0)
        dead.append(law[:, -1])
        hurt.append((law[:, :-1] * grown).sum(1))
    return dead[0], hurt[0], dead[1], hurt[1]


@lru_cache(maxsize=4096)
def _against_two(lone: Profile, other: Profile, edition: Edition) -> Floats:
    """Return the odds of one against two alike, the dice placed by the usual policy."""
    rules = compile_rules(edition)
    rows, levels = _cases(lone, other, edition)
    order = placing_order([lone, other, other], 0)
    joints = _solved_against_two(rows[:, [0, 1, 1]], order, rules, edition)
    # both enemies: they do not strike in the same order
    one, two = (_dead_and_hurt(joints.sum(3 - n), rules, levels) for n in range(2))
    both = np.stack([*one[:2], one[2] + two[2], one[3] + two[3]], -1)
    return both.reshape(PENS, LEVELS, LEVELS, 4)


def _solved_against_two(
    rows: NDArray[np.int64], order: NDArray[np.int64], rules: Rules, edition: Edition
) -> Floats:
    """Return the chances of the final states of one and two enemies, shape (m, s, s, s)."""
    from ...kernels.exact.several import place_dice, solve_combat
    from ...kernels.layout.combat import new_fight

    engine, states, n = _engine(edition), len(rules.level), rows.shape[1]
    setup = Setup(rows[0], order, _policies(), 0, 0)
    fights, tables = new_fight(setup, rules, 0, 0), engine.tables_of(edition, setup)
    fighters, values = fights["fighters"][0], fights["values"][0]
    charged = rules.charge * rows[..., Column.CHARGED, None]
    placed, final = np.zeros(n, np.int64), np.zeros(states**n)
    joints = np.empty((len(rows), 2 * states**n))
    for case, joint in enumerate(joints):
        fighters[:n] = rows[case]
        values[:, :n] = rows[case, :, : len(Stat)]
        values[0, :n] -= charged[case]
        start = rows[case, :, Column.START].copy()
        place_dice(fights, 0, start, 0, placed)
        solve_combat(fights, tables, 0, start, placed, final, *engine.table(n), joint)
    return np.asarray(joints.reshape(-1, 2, *(states,) * n).sum(1))
