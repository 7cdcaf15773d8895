"""Exact odds of a combat, turn by turn: chances forwards, best play backwards."""

from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Column, Rule, Rules, Setup
from ...kernels.layout.exact import DEPTH, Opening, Scratch, Table
from ...kernels.layout.policy import OPTIMAL
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.options import Dice, number_of_dice
from .laws import Floats, Law, Placed, Position, TooLarge, Turn, weights
from .question import Question

POSITIONS = 4096  # room of the table of positions at first
MOST_POSITIONS = 1 << 24
SETTLED = 1e-14  # the values of two turns that differ by less are the same


def checked_exact(question: Question) -> None:
    """Refuse a question that has no exact answer."""
    if question.obstacle:
        raise InputError(_refusal(question, question.obstacle))


def _refusal(question: Question, why: str) -> str:
    """Return why there are no exact odds, and what to do instead if trials can be played."""
    fixed = not any(policy.open_decisions for policy in question.options.policies)
    if fixed and question.command in ("duel", "combat"):
        return say("exact odds: {}; sample it with --method mc", why)
    return say("exact odds: {}", why)


class Engine:
    """Works out laws, with tables and scratch that questions share; for one thread.

    Parameters
    ----------
    most : int, optional
        Positions of one combat for which there is room; ``MOST_POSITIONS`` if not given.
    """

    def __init__(self, most: int | None = None) -> None:
        self._tables: dict[tuple[Any, ...], NDArray[np.void]] = {}
        self._scratch: dict[tuple[int, ...], Scratch] = {}
        self._table: tuple[int, Table] | None = None
        self._feats: Table | None = None
        self._room, self.most = POSITIONS, most or MOST_POSITIONS

    def law(self, question: Question) -> Law:
        """Return the exact answer to a question."""
        checked_exact(question)
        return Combat(self, question).law()

    def played(self, question: Question) -> list[Position]:
        """Return every position of the first turn that best play leads to, and its decisions."""
        checked_exact(question)
        return Combat(self, question).positions_played()

    def laws(self, question: Question) -> NDArray[np.void]:
        """Return the tables of single tests for a question's edition and policies."""
        return self.tables_of(question.options.edition, question.setup)

    def tables_of(self, edition: Edition, setup: Setup) -> NDArray[np.void]:
        """Return the tables of single tests for an edition and the policies of a combat."""
        from ...kernels.layout.exact import new_laws

        key = (edition, setup.policy.tobytes(), setup.chooser)
        if key not in self._tables:
            self._tables[key] = new_laws()
        return self._tables[key]

    def scratch(self, rules: Rules) -> Scratch:
        """Return the scratch arrays of a duel."""
        from ...kernels.layout.exact import scratch_of

        size = (
            len(rules.level),
            int(rules.scalars[Rule.DICE_BASE]),
            int(rules.scalars[Rule.DICE_PER_ENEMY]),
        )
        if size not in self._scratch:
            self._scratch[size] = scratch_of(rules)
        return self._scratch[size]

    def table(self, fighters: int) -> Table:
        """Return an empty table of positions."""
        from ...kernels.exact.several import table_of

        if self._table is None or self._table[0] != fighters:
            self._table = fighters, table_of(fighters, self._room)
        return self._table[1]

    def feats_table(self) -> Table:
        """Return an empty table of positions where somebody has an ability."""
        from ...kernels.feats.several import table_of

        self._feats = self._feats or table_of(self._room)
        return self._feats

    def enlarge(self, question: Question) -> None:
        """Make room for four times as many positions."""
        if self._room >= self.most:
            why = say("the combat has more than {:,} positions", self._room)
            raise TooLarge(_refusal(question, why))
        self._room = min(4 * self._room, self.most)
        self._table = self._feats = None


def _by_first(joint: Floats, final: Floats) -> tuple[float, float]:
    """Return what a turn is worth by the side that strikes first."""
    whole = joint.sum(1)
    lone, others = (joint @ final / np.where(whole > 0, whole, np.nan)).tolist()
    return lone, others


def dice_of(question: Question) -> list[int]:
    """Return how many combat dice each fighter has, the lone one first (C-3.1)."""
    edition, others = question.options.edition, len(question.others)
    return [number_of_dice(edition, others)] + [number_of_dice(edition, 1)] * others


def remainder_of(question: Question) -> float:
    """Return the most that a chance can be wrong by because chains of sixes have an end.

    An attack's chain is longer than ``DEPTH`` sixes, and is taken as kept there, with a
    chance of 6**-DEPTH at most; an Initiative test's, ties rolled again included, with less
    than a hundred times that.
    """
    return float(question.options.turns * (100 + sum(dice_of(question))) * 6.0**-DEPTH)


class Combat:
    """One question on its way through the turns: what `Engine` answers with."""

    def __init__(self, engine: Engine, question: Question):
        from ...kernels.layout.combat import new_fight

        self.engine, self.question = engine, question
        self.setup, self.rules = question.setup, question.rules
        self.n, self.states = len(question.fighters), len(self.rules.level)
        self.size = self.states**self.n
        self.fights = new_fight(self.setup, self.rules, 0, 0)
        self.tables = engine.laws(question)
        self.sign = 1 if question.lone_side == 0 else -1
        self.open = bool((self.setup.policy == OPTIMAL).any())
        self.positions = 0
        self.able = question.able

    @cached_property
    def feats(self) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """Tables of laws where somebody has an ability."""
        from ...kernels.feats.several import new_feats

        return new_feats()

    @cached_property
    def score(self) -> Floats:
        """What the lone fighter's side gets for the final states of all, flat."""
        total = np.zeros(())
        for row in weights(self.question):
            total = total[..., np.newaxis] + row
        return np.ascontiguousarray(self.sign * total.ravel())

    @cached_property
    def over(self) -> NDArray[np.bool_]:
        """Whether a side is all dead, by the final states of all, flat."""
        states = np.indices((self.states,) * self.n).reshape(self.n, -1)
        dead = states == self.states - 1
        return np.asarray(dead[0] | dead[1:].all(0))

    @cached_property
    def recovered(self) -> NDArray[np.int64]:
        """Place of the states after maintenance, by the final states of all, flat (T-5.3)."""
        states = np.indices((self.states,) * self.n).reshape(self.n, -1)
        after = tuple(self.rules.recover[states])
        return np.asarray(np.ravel_multi_index(after, (self.states,) * self.n), np.int64)

    @property
    def start(self) -> int:
        """Place of the states at the beginning."""
        states = tuple(self.setup.fighters[:, Column.START])
        return int(np.ravel_multi_index(states, (self.states,) * self.n))

    def law(self) -> Law:
        """Return the law of all turns together."""
        turns = self.question.options.turns
        opening = self.turn(0, self.start, self.worth_after(self.plan_for(1)))
        joint, total, fought = opening.joint, np.zeros_like(opening.joint), 1.0
        later: dict[int, Turn] = {}
        for turn in range(1, turns):
            going_on = np.zeros((self.size, 2))
            np.add.at(going_on, self.recovered[~self.over], joint[:, ~self.over].T)
            total[:, self.over] += joint[:, self.over]
            fought += float(going_on.sum())
            later = self.plan_for(turn) or later
            joint = np.zeros_like(total)
            for place in map(int, np.flatnonzero(going_on.sum(1))):
                if place not in later:
                    later[place] = self.turn(1, place, self.score)
                joint += np.outer(going_on[place], later[place].joint.sum(0))
        total += joint
        shape = (2, *(self.states,) * self.n)
        value = self.sign * float(total.sum(0) @ self.score)
        remainder = remainder_of(self.question)
        return Law(total.reshape(shape), fought, value, remainder, opening, self.positions)

    def positions_played(self) -> list[Position]:
        """Return the positions of the first turn that best play leads to."""
        if self.able:  # their table is another
            raise InputError("positions are told of combats without abilities only (W-7)")
        if not self.open:
            raise InputError("positions of best play: no policy leaves a decision open")
        final = self.worth_after(self.plan_for(1))
        opening, positions = self.turn(0, self.start, final), []
        for first in range(2):
            chance = float(opening.joint[first].sum())
            rows, masses = self._played(opening.placed, first, final)
            for row, mass in zip(rows.tolist(), masses.tolist(), strict=True):
                columns, after = tuple(row[: -self.n]), tuple(row[-self.n :])
                positions.append(Position(chance * mass, first, columns, after))
        return positions

    def _played(self, dice: Placed, first: int, final: Floats) -> tuple[NDArray[np.int64], Floats]:
        """Return the positions of the first turn as rows; the table grows until there is room."""
        from ...kernels.exact.positions import FULL
        from ...kernels.exact.several import played_positions

        placed, joint = np.array([d.attack for d in dice], np.int64), np.zeros(2 * self.size)
        opening = Opening(0, self.setup.fighters[:, Column.START].copy(), placed)
        while True:
            table = self.engine.table(self.n)
            done, rows, masses = played_positions(
                self.fights, self.tables, opening, first, final, table, joint
            )
            if done != FULL:
                return rows, masses
            self.engine.enlarge(self.question)

    def plan_for(self, turn: int) -> dict[int, Turn] | None:
        """Return the best play of a later turn; None after the last one, and of fixed policies."""
        last = self.question.options.turns - 1
        if not self.open or turn > last:
            return None
        return self.plans[min(last - turn, len(self.plans) - 1)]

    @cached_property
    def plans(self) -> list[dict[int, Turn]]:
        """The best play of the last turn, of the one before it, … of the second one.

        Once a further turn changes no value, all earlier ones are played alike.
        """
        plans: list[dict[int, Turn]] = []
        for _ in range(self.question.options.turns - 1):
            later = plans[-1] if plans else None
            final = self.worth_after(later)
            plans.append({place: self.turn(1, place, final) for place in self.places()})
            if later is not None and all(
                abs(turn.value - later[place].value) < SETTLED for place, turn in plans[-1].items()
            ):
                break
        return plans

    def places(self) -> list[int]:
        """Return the places of all states in which a later turn may begin."""
        shape = (self.states,) * self.n
        level, first = self.rules.level, self.setup.fighters[:, Column.START]
        alive = [
            [s for s in set(self.rules.recover.tolist()) if level[s] >= level[first[i]]]
            for i in range(self.n)
        ]
        places = [int(np.ravel_multi_index(states, shape)) for states in product(*alive)]
        return [place for place in places if not self.over[place]]

    def worth_after(self, plan: dict[int, Turn] | None) -> Floats:
        """Return what final states are worth where the combat may go on as planned, flat."""
        if plan is None:
            return self.score
        after = np.zeros(self.size)
        after[list(plan)] = [turn.value for turn in plan.values()]
        return np.where(self.over, self.score, after[self.recovered])

    def turn(self, turn: int, place: int, final: Floats) -> Turn:
        """Return one turn from the states at a place."""
        states = np.array(np.unravel_index(place, (self.states,) * self.n), np.int64)
        if self.n == 2 and not self.able:
            return self._duel(turn, states, final)
        return self._several(turn, states, final)

    def _duel(self, turn: int, states: NDArray[np.int64], final: Floats) -> Turn:
        from ...kernels.exact.duel import duel_law, solve_duel

        fight: Any = self.fights[0]
        fight.fighters[:2, Column.START] = states
        joint = np.empty(2 * self.size)
        scratch = self.engine.scratch(self.rules)
        if self.open:
            value, _ = solve_duel(self.fights, self.tables, turn, final, *scratch, joint)
        else:
            value = duel_law(self.fights, self.tables, turn, final, scratch.mass, joint)
        attack = [int(fight.placed[i]) for i in range(2)]
        placed = tuple(Dice(a, w - a) for a, w in zip(attack, dice_of(self.question), strict=True))
        placements = self._placements(turn, states, scratch.values[0]) if self.open else {}
        joint = joint.reshape(2, -1)
        return Turn(joint, float(value), _by_first(joint, final), placed, placements)

    def _several(self, turn: int, states: NDArray[np.int64], final: Floats) -> Turn:
        from ...kernels.exact.several import choose_placement, count_ways

        ways = count_ways(self.fights, turn, states)
        if ways == 1:
            return self._placed(turn, states, 0, final)
        values = np.empty((2, ways))
        for way in range(ways):
            values[0, way] = self._placed(turn, states, way, final).value
        placements = self._placements(turn, states, values[0])
        way = choose_placement(self.fights, turn, states, values, np.empty(ways, np.int64))
        return replace(self._placed(turn, states, way, final), placements=placements)

    def _placed(self, turn: int, states: NDArray[np.int64], way: int, final: Floats) -> Turn:
        """Return one turn with the dice placed in one way, from the table of positions."""
        from ...kernels.exact.positions import FULL, TOO_WIDE
        from ...kernels.exact.several import solve_combat
        from ...kernels.feats.several import solve_feats

        dice, joint = self._dice(turn, states, way), np.empty(2 * self.size)
        placed = np.array([d.attack for d in dice], np.int64)
        while True:
            if self.able:
                table = self.engine.feats_table()
                used, value = solve_feats(
                    self.fights, *self.feats, turn, states, way, final, table, joint
                )
            else:
                table = self.engine.table(self.n)
                used, value = solve_combat(
                    self.fights, self.tables, turn, states, placed, final, *table, joint
                )
            if used == TOO_WIDE:
                raise TooLarge("exact odds: too many fighters, dice and states at once")
            if used != FULL:
                break
            self.engine.enlarge(self.question)
        self.positions = max(self.positions, int(used))
        joint = joint.reshape(2, -1)
        return Turn(joint, float(value), _by_first(joint, final), dice)

    def _dice(self, turn: int, states: NDArray[np.int64], way: int) -> Placed:
        """Return what all place in one way."""
        from ...kernels.exact.several import place_dice

        fight: Any = self.fights[0]
        attack = np.zeros(self.n, np.int64)
        place_dice(self.fights, turn, states, way, attack)
        return tuple(Dice(int(a), int(fight.defence[i])) for i, a in enumerate(attack))

    def _placements(
        self, turn: int, states: NDArray[np.int64], values: Floats
    ) -> dict[Placed, float]:
        """Return what each way to place dice is worth, by the dice."""
        from ...kernels.exact.several import count_ways

        placements: dict[Placed, float] = {}
        for way in range(count_ways(self.fights, turn, states)):
            # abilities may place the same dice in several ways: the plainest counts
            placements.setdefault(self._dice(turn, states, way), float(values[way]))
        return placements
