"""A combat as a chain of draws, from the exact engine; sampled without a look at the rules."""

from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import OUTCOMES
from ...kernels.layout.exact import Opening
from ...kernels.layout.samplers import JOINED_BITS
from ..base.memory import Memory
from .exact import POSITIONS, Combat, Engine
from .laws import TooLarge, Turn
from .question import Question

MOST_STARTS = 256  # states in which a turn may begin
MOST_NODES = 1 << 17
MOST_SOLVED = 1 << 18  # positions that the exact engine may work out for a chain
ROOM = 1 << 18  # columns of all rows of a turn
STEPS = 64
FEW = 1 << 13  # columns that any cache holds
KEPT = 1 << 26  # bytes of chains: 10,000 duels of one turn

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Links = tuple[Ints, Floats]  # codes of nodes, how likely they are


class Chain(NamedTuple):
    """Rows of draws (`estoc.kernels.samplers.alias`), and what their ends mean."""

    rows: NDArray[np.uint64]
    steps: Ints  # shape (s, 2)
    opening: int  # steps of the first turn; the others are those of any later turn
    # shape (e, 1 + n): side that strikes first, and states, of each end of the first turn
    ends: Ints
    # shape (e,): the same ends as those of later turns; empty if there is one turn
    again: NDArray[np.uint32]
    # shape (f,): 1 for an end of a later turn that a further one follows, 0 if the combat is over
    goes_on: NDArray[np.uint32]
    later: Ints  # shape (f, n): states of each end of a later turn
    positions: int  # that the exact engine has worked out in a turn, at most; 0 of duels


class Graph:
    """Nodes of a turn and their links; by code, ends are -1, -2, …, attacks 0, 1, and so on."""

    def __init__(self) -> None:
        self.names: list[tuple[int, int]] = []
        self.attacks = 0
        self._ends: dict[tuple[int, int], int] = {}
        self._links: list[tuple[Ints, Ints, Floats]] = []

    def end(self, first: int, place: int) -> int:
        """Return the code of an end, a new one if it is not known."""
        if (first, place) not in self._ends:
            self._ends[first, place] = -1 - len(self.names)
            self.names.append((first, place))
        return self._ends[first, place]

    def add(self, to: Ints, likely: Floats, codes: Ints) -> int:
        """Add the positions of a turn, given who strikes first; the code of the first of them.

        ``codes`` has the codes of ends, and any number from 0 on for attacks.
        """
        attacks = codes >= 0
        codes = np.where(attacks, self.attacks + np.cumsum(attacks) - 1, codes)
        self.attacks += int(attacks.sum())
        if self.attacks > MOST_NODES:
            raise TooLarge
        linked = to[attacks] >= 0
        found = codes[to[attacks][linked]], likely[attacks][linked]
        self._links.append((linked.sum(1), *found))
        return int(codes[0])

    def steps(self, starts: dict[int, Links], joined: int) -> tuple[NDArray[np.uint64], Ints]:
        """Return the rows and steps of a turn that begins at ends, or at one node after them.

        ``joined`` is as in `estoc.kernels.samplers.alias.write_steps`.
        """
        from ...kernels.samplers.alias import write_steps

        size, nowhere = len(self.names), (np.empty(0, np.int64), np.empty(0))
        alone = [starts[size]] if size in starts else []
        own = [starts.get(end, nowhere) for end in range(size)]
        counts = [np.array([len(to) for to, _ in group], np.int64) for group in (own, alone)]
        counts[1:1] = [links[0] for links in self._links]
        to = np.concatenate(
            [t for t, _ in own] + [t for _, t, _ in self._links] + [t for t, _ in alone]
        )
        likely = np.concatenate(
            [p for _, p in own] + [p for _, _, p in self._links] + [p for _, p in alone]
        )
        heads = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)
        frontier = np.zeros(len(heads), np.int64)
        begins = [len(heads) - 2] if alone else range(size)
        frontier[: len(begins)] = begins
        rows, steps = np.empty(ROOM, np.uint64), np.empty((STEPS, 2), np.int64)
        nodes = np.where(to < 0, -1 - to, to + size)
        done, used = write_steps(
            frontier, len(begins), size, heads, nodes, likely, joined, rows, steps
        )
        if done < 0:
            raise TooLarge
        return rows[:used].copy(), steps[:done].copy()


class Solved:
    """The turns of a combat with fixed policies, each worked out once."""

    def __init__(self, question: Question, engine: Engine) -> None:
        self.combat = Combat(engine, question)
        self._known: dict[tuple[int, int], Turn] = {}

    def turn(self, turn: int, place: int) -> Turn:
        """Return a turn from the states at a place."""
        if (turn, place) not in self._known:
            self._known[turn, place] = self.combat.turn(turn, place, self.combat.score)
        return self._known[turn, place]


class Builder:
    """Makes the chain of one question.

    Parameters
    ----------
    question : Question
    engine : Engine
    joined : int
        As in `Graph.steps`.
    whole : bool
        Whether a turn is one draw. With abilities it always is: only positions of combats
        without any are linked (`estoc.kernels.samplers.alias.link_positions`).
    solved : Solved, optional
        Turns that another builder may have worked out for the same question.
    """

    def __init__(
        self,
        question: Question,
        engine: Engine,
        joined: int = JOINED_BITS,
        whole: bool = False,
        solved: Solved | None = None,
    ):
        self.joined, self.whole = joined, whole or question.able
        self.columns = 0
        self.engine = engine
        self.solved = solved or Solved(question, engine)
        self.combat = self.solved.combat
        self.turns = question.options.turns

    def chain(self) -> Chain:
        """Return the chain."""
        opening, later = Graph(), Graph()
        start = self._links(opening, 0, self.combat.start, by_first=True)
        rows, steps = opening.steps({len(opening.names): start}, self.joined)
        opened, again = len(steps), np.zeros(0, np.uint32)
        if self.turns > 1:
            ends = [-1 - later.end(0, place) for _, place in opening.names]
            again = np.array(ends, np.uint32)
            more, further = later.steps(self._beginnings(later), self.joined)
            further[:, 0] += len(rows)
            rows, steps = np.concatenate([rows, more]), np.concatenate([steps, further])
        first, places = np.array(opening.names, np.int64).T
        told = np.column_stack([first, self._states(places)])
        last = np.array([place for _, place in later.names], np.int64)
        goes_on = (~self.combat.over[last]).astype(np.uint32)
        states = self._states(last)
        return Chain(rows, steps, opened, told, again, goes_on, states, self.combat.positions)

    def _beginnings(self, graph: Graph) -> dict[int, Links]:
        """Add all later turns to a graph that has the ends of the first; where they begin."""
        starts: dict[int, Links] = {}
        known: dict[int, Links] = {}
        end = 0
        while end < len(graph.names):
            place = graph.names[end][1]
            if not self.combat.over[place]:
                place = int(self.combat.recovered[place])
                if place not in known:
                    known[place] = self._links(graph, 1, place, by_first=False)
                starts[end] = known[place]
            if len(known) > MOST_STARTS:
                raise TooLarge
            end += 1
        return starts

    def _states(self, places: Ints) -> Ints:
        """Return the states of all, by row, at some places."""
        shape = (self.combat.states,) * self.combat.n
        return np.stack(np.unravel_index(places, shape), axis=-1)

    def _links(self, graph: Graph, turn: int, place: int, by_first: bool) -> Links:
        """Add a turn from the states at a place; where it begins."""
        played = self.solved.turn(turn, place)
        if self.whole:
            return self._whole(graph, played, by_first)
        roots, chances = [], []
        for first in range(2):
            chance = float(played.joint[first].sum())
            if chance > 0:
                roots.append(self._positions(graph, turn, place, played, first, by_first))
                chances.append(chance)
        return np.array(roots), np.array(chances)

    def _whole(self, graph: Graph, played: Turn, by_first: bool) -> Links:
        """Return the law of a whole turn as one draw."""
        found: dict[int, float] = {}
        for first, place in np.argwhere(played.joint > 0).tolist():
            code = graph.end(first * by_first, place)
            found[code] = found.get(code, 0.0) + float(played.joint[first, place])
        self.columns += len(found)
        if self.columns > ROOM:
            raise TooLarge
        return np.array(list(found)), np.array(list(found.values()))

    def _positions(
        self, graph: Graph, turn: int, place: int, played: Turn, first: int, by_first: bool
    ) -> int:
        """Add the positions of a turn, given who strikes first; the code of the first of them."""
        from ...kernels.exact.positions import FULL
        from ...kernels.samplers.alias import link_positions

        combat = self.combat
        states = self._states(np.array(place))
        placed = np.array([dice.attack for dice in played.placed], np.int64)
        while True:
            table, joint = self.engine.table(combat.n), np.zeros(2 * combat.size)
            room = len(table.rows)
            to, likely = np.empty((room, OUTCOMES + 2), np.int32), np.empty((room, OUTCOMES + 2))
            ends = np.empty(room, np.int64)
            count = link_positions(
                combat.fights, combat.tables, Opening(turn, states, placed), first, combat.score,
                table, joint, to, likely, ends,
            )  # fmt: skip
            if count != FULL:
                break
            self.engine.enlarge(combat.question)
        codes = [
            graph.end(first * by_first, end) if end >= 0 else 0 for end in ends[:count].tolist()
        ]
        return graph.add(to[:count].astype(np.int64), likely[:count], np.array(codes, np.int64))


_chains: Memory[Chain] = Memory(KEPT)


def new_engine(most: int = MOST_SOLVED) -> Engine:
    """Return an engine that gives up on combats of more positions: chains have no room for them."""
    return Engine(max(POSITIONS, min(most, MOST_SOLVED)))


def chain_of(question: Question, engine: Engine) -> Chain | None:
    """Return a question as a chain of draws, made once; None if it cannot be one.

    It can be one if it has exact odds, fixed policies, and not more positions than the engine has
    room for. Its steps are attacks, or whole turns where that makes less rows of what were many.
    """
    key = (question.inputs, question.setup.chooser, min(question.options.turns, 2))
    try:
        found = _chains.get(key, lambda: _made(question, engine))
    except TooLarge:
        return None
    return found if found.positions <= engine.most else None  # whatever was made before


def _made(question: Question, engine: Engine) -> Chain:
    open_play = any(policy.open_decisions for policy in question.options.policies)
    if open_play or question.obstacle:
        raise TooLarge
    found: list[Chain] = []
    solved = Solved(question, engine)
    for whole in (False, True):
        if not found or len(found[0].rows) > FEW:
            with suppress(TooLarge):
                found.append(Builder(question, engine, whole=whole, solved=solved).chain())
    if not found:
        raise TooLarge
    return min(found, key=lambda chain: len(chain.rows))
