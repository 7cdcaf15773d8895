"""Counts of what happened in many trials of a combat, the same for any number of threads."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial as bound
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Rules, Setup
from ...profiles.errors import InputError
from ..base.device import CHUNK as ON_DEVICE
from ..base.device import draw, roll, uses_device
from ..base.memory import Memory
from ..base.parallel import count_each, is_alone, piece
from ..base.run import CHAIN, LITERAL, USUAL_RUN, Method, Run
from ..base.sequence import Stopping
from .chain import Chain, chain_of, new_engine
from .exact import Engine
from .question import Question

if TYPE_CHECKING:
    from ...kernels.samplers.plan import Plan

CHUNK = 65_536  # trials played in one go, fewer of many turns: Ctrl-C waits for a chunk
PIECE = 1 << 20  # the same of trials that a device has left
SECONDS = 1e-7  # that a turn of a trial takes, about
FEWEST_IN_LANES = 4096  # trials for which a plan is made
MOST_POSITIONS = 1 << 17  # of a plan
WORTH = 16  # trials for which another position is worth making, of a plan or for a chain
KEPT = 1 << 27  # bytes of plans
FASTER = {LITERAL: 4, CHAIN: 32}  # than one trial after the other, about


@dataclass
class Counts:
    """What happened in some trials of one combat."""

    law: NDArray[np.int64]  # shape (n, s): final states by fighter, the lone one first
    # shape (s, n): final state of the lone fighter by number of dead enemies
    sides: NDArray[np.int64]
    first: int = 0  # trials in which the lone fighter's side struck first in the first turn
    turns: int = 0  # turns fought, all trials together
    trials: int = 0
    stopping: Stopping = field(default_factory=lambda: Stopping(0))  # when the run ends

    @classmethod
    def none(cls, n: int, states: int) -> "Counts":
        """Return the counts of no trial."""
        return cls(np.zeros((n, states), np.int64), np.zeros((states, n), np.int64))

    def __add__(self, other: "Counts") -> "Counts":
        """Return the counts of these and of other trials of the same combat."""
        return Counts(
            self.law + other.law,
            self.sides + other.sides,
            self.first + other.first,
            self.turns + other.turns,
            self.trials + other.trials,
            self.stopping,
        )

    @property
    def lone_wins(self) -> int:
        """Trials in which all enemies of the lone fighter died, and he did not."""
        return int(self.sides[:-1, -1].sum())

    @property
    def others_win(self) -> int:
        """Trials in which the lone fighter died, and not all of his enemies."""
        return int(self.sides[-1, :-1].sum())

    @property
    def undecided(self) -> int:
        """Trials in which both sides have a survivor, or neither."""
        return int(self.sides[:-1, :-1].sum() + self.sides[-1, -1])

    @property
    def shares(self) -> list[int]:
        """Trials of what a precision is about: who wins, who dies."""
        return [self.lone_wins, self.others_win, self.undecided, *self.law[:, -1].tolist()]

    @property
    def reached(self) -> bool:
        """Whether the run ends here for its precision."""
        return self.stopping.reached(self.shares, self.trials)


def check_sampled(question: Question) -> None:
    """Refuse to play trials of decisions that only exact odds can find."""
    for policy in question.options.policies:
        if policy.open_decisions:
            raise InputError(
                'policy "{}": only exact odds can find the best decisions; take --method '
                "exact without --trials, --seed, --precision and --sampler, or another policy",
                policy,
            )


def count_chunk(
    setup: Setup,
    rules: Rules,
    seed: int,
    cell: int,
    first: int,
    trials: int,
    turns: int,
    most: int = MOST_POSITIONS,
    on_device: bool = False,
) -> Counts:
    """Play trials ``first`` to ``first + trials - 1`` die by die and count how they end.

    A device plays them, or lanes (`kernels.samplers.literal`), if they are many and the combat has
    at most so many positions; else one is played after the other. The counts are the same.
    """
    from ...kernels.combat.trials import count, count_listed
    from ...kernels.layout.combat import new_fight

    counts = Counts.none(len(setup.fighters), len(rules.level))
    tally = np.zeros(2, np.int64)
    fights = new_fight(setup, rules, seed, cell)
    found = (fights, first, trials, turns, counts.law, counts.sides, tally)
    plan = plan_of(setup, rules, turns, most) if trials >= FEWEST_IN_LANES else None
    rolled = None
    if plan is not None and on_device:
        rolled = roll(plan, setup, rules, seed, cell, first, trials, turns)
    if plan is not None and rolled is not None:
        from ...kernels.samplers.literal import ends_of

        ends_of(plan, rolled[0], counts.law, counts.sides)
        tally += rolled[1]
        count_listed(fights, rolled[2], turns, counts.law, counts.sides, tally)
    elif plan is not None:
        from ...kernels.samplers.literal import count_ends

        for begun in range(first, first + trials, PIECE):
            part = min(PIECE, first + trials - begun)
            count_ends(plan, fights, begun, part, turns, counts.law, counts.sides, tally)
    else:
        count(*found)
    counts.first, counts.turns, counts.trials = int(tally[0]), int(tally[1]), trials
    return counts


_plans: Memory["Plan | None"] = Memory(KEPT)


def plan_of(setup: Setup, rules: Rules, turns: int, most: int) -> "Plan | None":
    """Return the plan of a combat for lanes, made once; None if it has too many positions."""
    from ...kernels.layout.combat import new_fight
    from ...kernels.samplers.plan import make_plan

    arrays = (*(part for part in setup if part is not None), *rules)
    digest = sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in arrays))
    key = (digest.digest(), min(turns, 2), most)
    return _plans.get(key, lambda: make_plan(new_fight(setup, rules, 0, 0), turns, most))


def count_draws(
    chain: Chain,
    dead: int,
    seed: int,
    cell: int,
    first: int,
    trials: int,
    turns: int,
    on_device: bool = False,
) -> Counts:
    """Draw trials ``first`` to ``first + trials - 1`` of a chain and count how they end.

    ``dead`` is the state of the killed.
    """
    from ...kernels.combat.trials import add_ends
    from ...kernels.samplers.chain import COPIES, count_chain

    if on_device:
        opened, ended, fought = draw(chain, seed, cell, first, trials, turns)
    else:
        openings = np.zeros(len(chain.ends) * COPIES, np.int64)
        ends = np.zeros(len(chain.later) * COPIES, np.int64)
        fought = count_chain(
            chain.rows, chain.steps, chain.opening, chain.again, chain.goes_on, seed, cell, first,
            trials, turns, openings, ends,
        )  # fmt: skip
        opened, ended = (found.reshape(-1, COPIES).sum(1) for found in (openings, ends))
    counts = Counts.none(chain.ends.shape[1] - 1, dead + 1)
    counts.trials, counts.turns = trials, trials + fought
    counts.first = int(opened[chain.ends[:, 0] == 0].sum())
    states, found = (chain.later, ended) if turns > 1 else (chain.ends[:, 1:], opened)
    add_ends(states, found, dead, counts.law, counts.sides)
    return counts


def count_trials(questions: Sequence[Question], how: Method, run: Run = USUAL_RUN) -> list[Counts]:
    """Count the same trials of each question.

    Parameters
    ----------
    questions : sequence of Question
        With a precision, each ends for itself; the counts do not depend on threads and chunks then
        either.
    how : Method
        It samples. With the sampler ``literal`` every die is rolled (`count_chunk`), with ``chain``
        the questions are chains of draws (`estoc.sim.combat.chain.chain_of`; they have to have
        one). The counts of the two differ.
    run : Run
        With ``partial`` Ctrl-C ends the counting, not the caller: the last question begun may then
        have fewer trials, and later ones none.

    Returns
    -------
    list of Counts
        One a question.
    """
    for question in questions:
        check_sampled(question)
    sampler, stopping, trials = how.sampler or LITERAL, how.stopping, how.trials or 0
    engine, on_device = new_engine(), is_alone() and uses_device(how.device, trials)

    def kinds() -> Iterator[tuple[Callable[[int, int], Counts], int]]:
        for question in questions:
            turns = question.options.turns
            play = _counting(question, sampler, engine, how, on_device)
            yield bound(play, turns=turns), _chunk(sampler, turns, on_device)

    found = [Counts.none(len(q.fighters), len(q.rules.level)) for q in questions]
    for counts in found:
        counts.stopping = stopping
    return count_each(kinds(), found, stopping, run)


def _chunk(sampler: str, turns: int, on_device: bool) -> int:
    """Return how many trials are played in one go."""
    if on_device:
        return ON_DEVICE
    usual, seconds = min(CHUNK, max(CHUNK // 64, 16 * CHUNK // turns)), SECONDS * turns
    faster = FASTER[sampler]
    return piece(faster * usual, seconds / faster)


def _counting(
    question: Question, sampler: str, engine: Engine, how: Method, on_device: bool
) -> Callable[..., Counts]:
    """Return what counts trials of a question, told the first, how many, and turns."""
    dice = how.seed or 0, question.cell
    if sampler == LITERAL:
        most = min(MOST_POSITIONS, (how.trials or 0) // WORTH)
        told = question.setup, question.rules, *dice
        return bound(count_chunk, *told, most=most, on_device=on_device)
    chain = chain_of(question, engine)
    assert chain is not None  # asked before
    return bound(count_draws, chain, len(question.rules.level) - 1, *dice, on_device=on_device)
