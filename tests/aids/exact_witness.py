"""Combats of the reference in the exact engine: built, solved turn by turn, read.

`Solver` keeps the arrays of one combat. All of them that need not be empty are filled
with rubbish, so that every test shows that nothing of it is read.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from running import TEST_PATHS
from witness import rules_of, setup_of, wounds_by_code

from estoc.kernels.exact.duel import solve_duel
from estoc.kernels.exact.laws import attack_law
from estoc.kernels.exact.positions import FULL, TOO_WIDE
from estoc.kernels.exact.several import (
    choose_placement,
    count_ways,
    end_positions,
    place_dice,
    solve_combat,
    table_of,
)
from estoc.kernels.feats.several import new_feats, solve_feats
from estoc.kernels.feats.several import table_of as feats_table
from estoc.kernels.layout.combat import Column, new_fight
from estoc.kernels.layout.exact import LAWS, Opening, Scratch, Table, new_laws, scratch_of
from estoc.kernels.layout.policy import OPTIMAL, Decision
from reference.book import Book, Wounds
from reference.exhaustive import Final
from reference.state import Combat

ALL = tuple(d for d in Decision if d != Decision.MARGIN)  # that can be left open
NONE = ()
Open = tuple[Iterable[Decision], Iterable[Decision]]
Score = Callable[[tuple[Wounds, ...]], float]

RUBBISH = 77


def spoil(array: np.ndarray) -> np.ndarray:
    """The array, filled with what must not be read."""
    if array.dtype == object:
        array.fill(None)
    else:
        array.fill(np.nan if array.dtype.kind == "f" else RUBBISH)
    return array


def spoilt(table: Table) -> Table:
    """The table, all filled with what must not be read but what has to be clean."""
    for name in set(table.rows.dtype.names) - {"mass"}:
        spoil(table.rows[name])
    return table


def rational(array: np.ndarray) -> np.ndarray:
    """An array of floats, or of records with some, as one of Fractions, all of them 0."""
    if array.dtype.names:
        kinds = [(name, rational(array[name]).dtype) for name in array.dtype.names]
        numbers = np.zeros(array.shape, np.dtype((np.record, kinds)))
        for name in array.dtype.names:
            numbers[name] = rational(array[name])
        return numbers
    if array.dtype.kind != "f":
        return array
    numbers = np.empty(array.shape, object)
    numbers.fill(Fraction(0))
    return numbers


def rational_laws() -> list[SimpleNamespace]:
    """Empty tables of single tests whose chances are Fractions; for kernels not compiled."""
    (tables,) = new_laws()
    fields = {name: tables[name] for name in LAWS.names}
    for name, value in fields.items():
        if isinstance(value, np.ndarray):
            fields[name] = rational(value.copy())
        else:
            fields[name] = int(value)
    return [SimpleNamespace(**fields)]


class Turn(NamedTuple):
    """One turn, solved: worth to side 0; joint law (first striker, states...); dice placed."""

    value: float
    joint: np.ndarray
    way: int
    positions: int = 0
    placed: tuple[int, ...] = ()


class Solver:
    """One combat in the exact engine.

    best : the decisions that each side's policy leaves open
    exact : whether numbers are Fractions
    """

    def __init__(
        self,
        combat: Combat,
        best: Open = (NONE, NONE),
        positions: int = 1 << 14,
        exact: bool = False,
        dense: bool | None = None,
    ):
        setup, self.rules = setup_of(combat), rules_of(combat.book)
        policy = setup.policy.copy()
        for side in (0, 1):
            for decision in best[side]:
                policy[side, decision] = OPTIMAL
        self.combat, self.best, self.exact = combat, best, exact
        self.solves = any(len(tuple(decisions)) for decisions in best)
        self.codes = wounds_by_code(combat.book)
        self.n, self.s = len(combat.fighters), len(self.codes)
        self.dense = self.n == 2 if dense is None else dense
        self.fights = new_fight(setup._replace(policy=policy), self.rules, 1, 0)
        self.tables = rational_laws() if exact else new_laws()
        self.starts = tuple(int(state) for state in setup.fighters[:, Column.START])
        self.ends = self.s**self.n
        self.new_table(positions)
        if self.n == 2:
            mass, *rest = (self.numbers(array) for array in scratch_of(self.rules))
            self.scratch = Scratch(mass, *map(spoil, rest))

    def numbers(self, array: np.ndarray) -> np.ndarray:
        return rational(array) if self.exact else array

    def new_table(self, positions: int) -> None:
        """An empty table for so many positions."""
        table = table_of(self.n, positions)
        self.table = spoilt(table._replace(rows=self.numbers(table.rows)))

    def rubbish(self, size: int | tuple[int, ...]) -> np.ndarray:
        return spoil(np.empty(size, object if self.exact else float))

    def final(self, score: Score) -> np.ndarray:
        """What each end is worth to side 0."""
        worth = [score(states) for states in product(self.codes, repeat=self.n)]
        return np.array(worth, object if self.exact else float)

    def nothing(self) -> np.ndarray:
        return self.final(lambda states: Fraction(0) if self.exact else 0.0)

    # --- one turn -------------------------------------------------------------------

    def turn(self, turn: int, states: tuple[int, ...], final: np.ndarray) -> Turn:
        return (self.duel if self.dense else self.tree)(turn, states, final)

    def duel(self, turn: int, states: tuple[int, ...], final: np.ndarray) -> Turn:
        """One turn by the kernel of duels."""
        for i in (0, 1):
            self.fights[0].fighters[i, Column.START] = states[i]
        joint = self.rubbish(2 * self.ends)
        value, way = solve_duel(self.fights, self.tables, turn, final, *self.scratch, joint)
        assert not self.scratch.mass.any()  # the board is left empty
        return Turn(value, joint.reshape((2, self.s, self.s)), way)

    def tree(self, turn: int, states: tuple[int, ...], final: np.ndarray) -> Turn:
        """One turn by the table of positions, however the dice are best placed."""
        at = np.array(states)
        ways = count_ways(self.fights, turn, at)
        turns = [self.placed(turn, states, way, final) for way in range(ways)]
        if ways == 1:
            return turns[0]
        values = self.rubbish((2, ways))
        values[0] = [solved.value for solved in turns]
        picks = spoil(np.empty(ways, np.int64))
        return turns[choose_placement(self.fights, turn, at, values, picks)]

    def dice(self, turn: int, states: tuple[int, ...], way: int = 0) -> np.ndarray:
        """Attack dice that the fighters place."""
        placed = spoil(np.empty(self.n, np.int64))
        place_dice(self.fights, turn, np.array(states), way, placed)
        return placed

    def placed(self, turn: int, states: tuple[int, ...], way: int, final: np.ndarray) -> Turn:
        """One turn with the dice placed in one way; a table that is full is doubled."""
        dice, at = self.dice(turn, states, way), np.array(states)
        while True:
            joint = self.rubbish(2 * self.ends)
            positions, value = solve_combat(
                self.fights, self.tables, turn, at, dice, final, *self.table, joint
            )
            # no mass is left but at the beginning, which is set
            assert not self.table.rows["mass"][1:].any()
            if positions != FULL:
                shape = (2, *(self.s,) * self.n)
                return Turn(value, joint.reshape(shape), way, positions, tuple(dice.tolist()))
            self.new_table(2 * len(self.table.rows))

    def left(self, turn: int, states: tuple[int, ...], first: int) -> dict[tuple, float]:
        """Ends of a turn with the dice left: states, attack dice, defence dice."""
        done, found, masses = end_positions(
            self.fights,
            self.tables,
            Opening(turn, np.array(states), self.dice(turn, states)),
            first,
            self.nothing(),
            self.table,
            self.rubbish(2 * self.ends),
        )
        if done == FULL:
            self.new_table(2 * len(self.table.rows))
            return self.left(turn, states, first)
        law: dict[tuple, float] = defaultdict(float)
        for row, mass in zip(found.tolist(), masses.tolist(), strict=True):
            law[tuple(row)] += mass
        return dict(law)

    # --- all turns ------------------------------------------------------------------

    def learn(self, dice: int) -> Any:
        """The tables of single tests, filled for so many dice."""
        attack_law(self.fights, self.tables, 0, dice, 3, 3)
        return self.tables[0]

    def is_over(self, states: tuple[int, ...]) -> bool:
        dead = self.s - 1
        return states[0] == dead or all(state == dead for state in states[1:])

    def recovered(self, states: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(self.rules.recover[state]) for state in states)

    def before(self, turn: int, final: np.ndarray) -> np.ndarray:
        """What the ends of the turn before are worth."""
        known: dict[tuple[int, ...], float] = {}
        worth = final.copy()
        for place, states in enumerate(product(range(self.s), repeat=self.n)):
            if self.is_over(states):
                continue
            start = self.recovered(states)
            if start not in known:
                known[start] = self.turn(turn, start, final).value
            worth[place] = known[start]
        return worth

    def value(self, score: Score) -> float:
        """What the combat is worth to side 0, played out from its end backwards."""
        final = self.final(score)
        for turn in range(self.combat.turns - 1, 0, -1):
            final = self.before(turn, final)
        return self.turn(0, self.starts, final).value

    def joint(self) -> dict[tuple[int, tuple[int, ...]], float]:
        """Law of (side that struck first in the first turn, final states); fixed policies."""
        assert not self.solves
        nothing = self.nothing()
        law = masses_of(self.turn(0, self.starts, nothing).joint)
        for turn in range(1, self.combat.turns):
            after: dict = defaultdict(type(nothing[0]))
            going_on: dict = defaultdict(lambda: defaultdict(type(nothing[0])))
            for (first, states), mass in law.items():
                if self.is_over(states):
                    after[first, states] += mass
                else:
                    going_on[self.recovered(states)][first] += mass
            for start, openings in going_on.items():
                ends = masses_of(self.turn(turn, start, nothing).joint.sum(axis=0)[None])
                for first, mass in openings.items():
                    for (_, states), part in ends.items():
                        after[first, states] += mass * part
            law = after
        return dict(law)

    def law(self) -> dict[Final, float]:
        """The same in the reference's words."""
        law: dict = defaultdict(type(self.nothing()[0]))
        for (first, states), mass in self.joint().items():
            law[Final(tuple(self.codes[state].code for state in states), first)] += mass
        return dict(law)


def masses_of(joint: np.ndarray) -> dict[tuple[int, tuple[int, ...]], float]:
    """Places of an array that hold mass."""
    return {
        (int(first), tuple(map(int, states))): joint[first, *states]
        for first, *states in zip(*np.nonzero(joint), strict=True)
    }


def fight_of(combat: Combat) -> np.ndarray:
    """The combat as the kernels of single tests take it."""
    return new_fight(setup_of(combat), rules_of(combat.book), 1, 0)


def dead_score(states: tuple[Wounds, ...]) -> float:
    """Enemies dead, less himself."""
    return sum(wounds.dead for wounds in states[1:]) - 1.0 * states[0].dead


def level_score(book: Book) -> Score:
    """Wound levels of his enemies, less his own, the stunned counting a little."""

    def weight(wounds: Wounds) -> float:
        return book.killing + 1 if wounds.dead else wounds.level + wounds.stunned / 4

    return lambda states: sum(map(weight, states[1:])) - weight(states[0])


def placed_as(combat: Combat, placed: Iterable[tuple[int, int]]) -> Combat:
    """The combat with all dice placed."""
    fighters = zip(combat.fighters, placed, strict=True)
    return replace(combat, fighters=tuple(replace(f, placed=dice) for f, dice in fighters))


def plainly(module: str, function: str, folder: Path) -> None:
    """Run a function of a test module in a Python that compiles no kernel."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": TEST_PATHS}
    script = f"import {module} as module; module.{function}()"
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", script],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


# --- abilities (W-7) --------------------------------------------------------------------


class FeatSolver(Solver):
    """One combat by the kernels of abilities, whether anybody has one or not."""

    def __init__(self, combat: Combat, best: Open = (NONE, NONE), positions: int = 1 << 12):
        self.laws = new_feats()
        self.new_feats_table(positions)
        super().__init__(combat, best, positions=1, dense=False)

    def new_feats_table(self, positions: int) -> None:
        """An empty table for so many positions."""
        self.feats = spoilt(feats_table(positions))

    def placed(self, turn: int, states: tuple[int, ...], way: int, final: np.ndarray) -> Turn:
        dice, at = self.dice(turn, states, way), np.array(states)
        while True:
            joint = self.rubbish(2 * self.ends)
            positions, value = solve_feats(
                self.fights, *self.laws, turn, at, way, final, self.feats, joint
            )
            assert positions != TOO_WIDE
            assert not self.feats.rows["mass"].any()  # no mass is left
            if positions != FULL:
                shape = (2, *(self.s,) * self.n)
                return Turn(value, joint.reshape(shape), way, positions, tuple(dice.tolist()))
            self.new_feats_table(2 * len(self.feats.rows))
