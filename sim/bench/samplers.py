"""Estoc's own samplers, as `estoc bench` checks and times them: each a line of `SAMPLERS`."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.combat.trials import count, play
from ...kernels.layout.combat import Rules, Setup, new_fight
from ...kernels.layout.samplers import JOINED_BITS
from ...profiles.message import say
from ..base.device import obstacle
from ..base.memory import Memory
from ..combat.chain import Builder, Chain, chain_of
from ..combat.exact import Engine
from ..combat.question import Question
from ..combat.sampling import MOST_POSITIONS, count_chunk, count_draws, plan_of
from .timing import all_cores
from .work import question_of

SEED = 1

Counts = NDArray[np.int64]


class Sampler(NamedTuple):
    """A way to sample combats."""

    # ``(setup, rules, first, last)``: final states of each fighter in trials ``first`` to ``last -
    # 1``, ndarray of int64, shape (n, s)
    counts: Callable[[Setup, Rules, int, int], Counts]
    enemies: int = 4  # the most that it can play


def one_by_one(setup: Setup, rules: Rules, first: int, last: int) -> Counts:
    """Return what the kernel counts that plays die by die, one trial after the other."""
    law, sides, tally = _room(setup, rules)
    count(new_fight(setup, rules, SEED, 0), first, last - first, 1, law, sides, tally)
    return law


def literal_counts(setup: Setup, rules: Rules, first: int, last: int) -> Counts:
    """Return the same of trials side by side."""
    from ...kernels.samplers.literal import count_ends

    law, sides, tally = _room(setup, rules)
    plan = plan_of(setup, rules, 1, MOST_POSITIONS)
    assert plan is not None  # no combat here has so many positions
    count_ends(plan, new_fight(setup, rules, SEED, 0), first, last - first, 1, law, sides, tally)
    return law


def _room(setup: Setup, rules: Rules) -> tuple[Counts, Counts, Counts]:
    fighters, states = len(setup.fighters), len(rules.level)
    law, sides = np.zeros((fighters, states), np.int64), np.zeros((states, fighters), np.int64)
    return law, sides, np.zeros(2, np.int64)


def _made(asked: Question, joined: int) -> Chain:
    chain = chain_of(asked, Engine()) if joined else Builder(asked, Engine(), joined).chain()
    assert chain is not None  # no combat here is too large
    return chain


def drawn(
    setup: Setup, rules: Rules, first: int, last: int, joined: int, there: bool = False
) -> Counts:
    """Return final states drawn from a chain, of each attack or of some joined."""
    key = (setup.fighters.tobytes(), rules.scalars.tobytes(), joined)
    asked = question_of(setup, rules)
    chain = _chains.get(key, lambda: _made(asked, joined))
    return count_draws(chain, len(rules.level) - 1, SEED, 0, first, last - first, 1, there).law


_chains: Memory[Chain] = Memory(1 << 26)

LITERAL = Sampler(one_by_one)
SAMPLERS = {
    say("literal, one by one"): LITERAL,
    say("literal, lanes"): Sampler(literal_counts),
    say("chain, by attacks"): Sampler(partial(drawn, joined=0), enemies=3),
    say("chain, joined"): Sampler(partial(drawn, joined=JOINED_BITS)),
}


def on_device() -> dict[str, Sampler]:
    """Return the samplers that play on a device; none where none can be used."""
    if obstacle():
        return {}
    there = partial(drawn, joined=JOINED_BITS, there=True)
    return {say("literal, device"): Sampler(rolled_there), say("chain, device"): Sampler(there)}


def rolled_there(setup: Setup, rules: Rules, first: int, last: int) -> Counts:
    """Return final states of literal trials on a device."""
    return count_chunk(setup, rules, SEED, 0, first, last - first, 1, on_device=True).law


def sampled(sampler: Sampler, setup: Setup, rules: Rules, trials: int, threads: int = 1) -> Counts:
    """Return final states of each fighter, shape (n, s), from so many threads."""
    if threads == 1:
        return sampler.counts(setup, rules, 0, trials)
    ends = [trials * k // threads for k in range(threads + 1)]
    with all_cores(), ThreadPoolExecutor(threads) as pool:
        parts = pool.map(lambda ends: sampler.counts(setup, rules, *ends), pairwise(ends))
        total: Counts = np.sum(list(parts), axis=0)
    return total


def literal_finals(setup: Setup, rules: Rules, trials: int) -> Counts:
    """Return final states of all, shape (s,) * n, of the same trials as `literal_counts`."""
    shape = (len(rules.level),) * len(setup.fighters)
    final = play(new_fight(setup, rules, SEED, 0), 0, trials, 1)
    cells = np.ravel_multi_index(tuple(final[:, : len(shape)].T), shape)
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
