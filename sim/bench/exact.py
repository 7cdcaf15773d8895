"""Exact answers as `estoc bench` times them: one by one as Python asks, and many by one call."""

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.exact.duel import new_duels, solve_duel, solve_duels
from ...kernels.exact.positions import FULL
from ...kernels.exact.several import place_dice, solve_combat, table_of
from ...kernels.layout.combat import Column, Rules, Setup, new_fight
from ...kernels.layout.exact import new_laws, scratch_of
from ...profiles.message import say
from .agreement import CLOSE, LIMIT_Z, demand, departure
from .baselines import numba_counts
from .samplers import SEED, literal_finals
from .work import Dice, arrays, combat, open_policy, text_of, usual_rules

BLOCK = 256  # duels solved by one call
HALF_WIDTH = 0.001
NORMAL = 1.96  # 95 %

Law = NDArray[np.float64]


def deaths(fighters: int) -> Law:
    """Return what final states are worth: the dead enemies, less the lone fighter if dead."""
    worth = np.zeros((final_states(),) * fighters)
    for i in range(fighters):
        worth[(slice(None),) * i + (-1,)] += 1 if i else -1
    return worth.ravel()


class Batch(NamedTuple):
    """Many duels solved by one call."""

    solve: Callable[[], None]
    joints: Law


def batch(pairs: NDArray[np.int64], policy: NDArray[np.int64]) -> Batch:
    """Return duels of these rows, by one pair of policies."""
    setup = Setup(pairs[0], np.array([0, 1]), policy, 0, 0)
    orders = np.tile(setup.order, (len(pairs), 1))
    worths = np.zeros((len(pairs), 2, final_states()))
    worths[:, 0, -1], worths[:, 1, -1] = -1, 1
    fights, duels = new_fight(setup, usual_rules(), SEED, 0), new_duels(pairs, orders, worths)
    solve = partial(solve_duels, fights, new_laws(), duels, scratch_of(usual_rules()))
    return Batch(solve, duels.joints)


def final_states() -> int:
    """Return how many states a fighter may end in."""
    return len(usual_rules().level)


def copies(setup: Setup) -> Batch:
    """Return the same duel over and over, as a sweep solves it."""
    return batch(np.repeat(setup.fighters[None], BLOCK, axis=0), setup.policy)


class Single(NamedTuple):
    """One combat solved by one call."""

    solve: Callable[[], Any]
    joint: Law
    value: float
    positions: int

    @property
    def law(self) -> Law:
        """Joint law of the final states, flat, whoever struck first."""
        found: Law = self.joint.reshape(2, -1).sum(axis=0)
        return found


def single_duel(setup: Setup, fresh: bool = False, rules: Rules | None = None) -> Single:
    """Return a duel asked from Python.

    ``fresh``: the chances of single tests are worked out each time.
    """
    rules = rules or usual_rules()
    fight, laws, joint = (
        new_fight(setup, rules, SEED, 0),
        new_laws(),
        np.zeros(2 * final_states() ** 2),
    )
    rest = (0, deaths(2), *scratch_of(rules), joint)
    value, _ = solve_duel(fight, laws, *rest)
    if fresh:
        return Single(lambda: solve_duel(fight, new_laws(), *rest), joint, value, 0)
    return Single(partial(solve_duel, fight, laws, *rest), joint, value, 0)


def single_combat(setup: Setup, room: int = 1 << 12) -> Single:
    """Return a combat with its dice placed.

    ``room``: positions in its table, or more if it needs them.
    """
    n = len(setup.fighters)
    fight, laws, joint = (
        new_fight(setup, usual_rules(), SEED, 0),
        new_laws(),
        np.zeros(2 * final_states() ** n),
    )
    states, placed = setup.fighters[:, Column.START].copy(), np.zeros(n, np.int64)
    place_dice(fight, 0, states, 0, placed)
    positions, value = FULL, 0.0
    while positions == FULL:
        rest = (0, states, placed, deaths(n), *table_of(n, room), joint)
        positions, value = solve_combat(fight, laws, *rest)
        room *= 4
    return Single(partial(solve_combat, fight, laws, *rest), joint, value, positions)


def trials_needed(chance: float) -> int:
    """Return how many trials tell a chance to a tenth of a point either way (95 %)."""
    return ceil(NORMAL**2 * chance * (1 - chance) / HALF_WIDTH**2)


# ---------------------------------------------------------------------------- agreement


def check_duel(dice: tuple[Dice, Dice], trials: int) -> dict[str, float]:
    """Compare a duel with samples, and with the other exact engines; largest |z| by sampler."""
    job, setup, rules = arrays(dice)
    single, label = single_duel(setup), text_of(dice)
    sampled = {
        say("plain numba"): numba_counts(job, trials, SEED),
        say("estoc sampled"): literal_finals(setup, rules, trials),
    }
    worst = {name: departure(counts, single.law) for name, counts in sampled.items()}
    for name, z in worst.items():
        demand(z < LIMIT_Z, say("{}: exact and {} disagree: |z| = {:.1f}", label, name, z))
    gap = np.abs(single.joint - single_combat(setup).joint).max()
    demand(gap < CLOSE, say("{}: the two exact engines differ by {:.1e}", label, gap))
    check_copies(dice, setup)
    return worst


def check_copies(dice: tuple[Dice, ...], setup: Setup) -> None:
    """Compare one duel with the same among many."""
    many = copies(setup)
    many.solve()
    gap = np.abs(single_duel(setup).joint - many.joints).max()
    demand(gap < CLOSE, say("{}: one duel and many differ by {:.1e}", text_of(dice), gap))


def check_optimal(dice: tuple[Dice, ...]) -> None:
    """Demand that neither side does better by leaving its best decisions for the fixed policy."""
    solve = single_duel if len(dice) == 2 else single_combat
    least, best, most = (
        solve(combat(dice, open_policy(*sides))).value for sides in ((1,), (0, 1), (0,))
    )
    ordered = least <= best + CLOSE and best <= most + CLOSE
    demand(
        ordered,
        say("{}: optimal play {} is not between {} and {}", text_of(dice), best, least, most),
    )
