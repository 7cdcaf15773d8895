"""What exact.py times: combats and their dice, a sweep of duels, each with its bar."""

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from races.form import Racer

from estoc.kernels.exact.positions import FULL
from estoc.kernels.exact.several import (
    choose_placement,
    count_ways,
    place_dice,
    solve_combat,
    table_of,
)
from estoc.kernels.layout.combat import Column, Setup, Stat, new_fight
from estoc.kernels.layout.exact import new_laws
from estoc.profiles import Profile
from estoc.sim.bench.agreement import CLOSE, demand
from estoc.sim.bench.exact import (
    BLOCK,
    Batch,
    batch,
    copies,
    deaths,
    final_states,
    single_combat,
    single_duel,
)
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.timing import repeated, steady_seconds
from estoc.sim.bench.work import (
    Dice,
    combat,
    fixed_policy,
    open_policy,
    setup_of,
    shipped,
    text_of,
    usual_rules,
)

PAIRS = tuple(product([(1, 1), (2, 0), (0, 2)], repeat=2))
NEEDED = (((1, 1), (1, 1)), ((2, 0), (2, 0)), ((1, 1), (2, 0)))
CARDS = ("c2", "c3", "c5")
PLAIN = "plain numba duel"
PLACING_ROOM = 1 << 14  # positions: ample for 1 v 2
SECTIONS = {False: "fixed", True: "optimal"}
BARS = {  # seconds, by number of enemies (0: the sweep) and whether decisions are open
    (1, False): 4e-6,
    (1, True): 40e-6,
    (2, False): 150e-6,
    (2, True): 50e-3,
    (3, False): 4e-3,
    (0, False): 0.3,
    (0, True): 3.0,
}


# ---------------------------------------------------------------------------- the work


def allocations(enemies: int) -> list[tuple[Dice, ...]]:
    """All ways to place the dice, equal enemies not told apart."""
    lone = [(attack, 1 + enemies - attack) for attack in range(2 + enemies)]
    other = combinations_with_replacement([(2, 0), (1, 1), (0, 2)], enemies)
    return [(own, *theirs) for own, theirs in product(lone, other)]


def single_placing(setup: Setup) -> Callable[[], None]:
    """A combat where the dice are to be placed best as well."""
    fighters = setup.fighters.copy()
    fighters[:, [Column.PLACED_ATTACK, Column.PLACED_DEFENCE]] = -1
    n = len(fighters)
    fight = new_fight(setup._replace(fighters=fighters), usual_rules(), SEED, 0)
    laws, states = new_laws(), fighters[:, Column.START].copy()
    rest = (deaths(n), *table_of(n, PLACING_ROOM), np.zeros(2 * final_states() ** n))
    placed = np.zeros(n, np.int64)

    def solve(way: int) -> float:
        place_dice(fight, 0, states, way, placed)
        positions, value = solve_combat(fight, laws, 0, states, placed, *rest)
        assert positions != FULL
        return value

    def solve_all() -> None:
        ways = count_ways(fight, 0, states)
        values, picks = np.empty((2, ways)), np.empty(ways, np.int64)
        for way in range(ways):
            values[0, way] = solve(way)
        solve(choose_placement(fight, 0, states, values, picks))

    return solve_all


class Scan(NamedTuple):
    """The allocations of a combat, from the quickest to the slowest; their most positions."""

    order: list[tuple[Dice, ...]]
    positions: int


def scan(enemies: int, policy: NDArray[np.int64], quick: bool) -> Scan:
    taken, positions = {}, 1
    for dice in allocations(enemies)[:: 5 if quick else 1]:
        solved = single_combat(combat(dice, policy), positions)
        taken[dice] = steady_seconds(solved.solve)
        positions = max(positions, solved.positions)
    return Scan(sorted(taken, key=taken.__getitem__), positions)


def cards() -> list[Profile]:
    """The complete cards of the published editions C2, C3 and C5."""
    known = shipped(*CARDS).fighters
    return [p for p in known if None not in [getattr(p, stat.name) for stat in Stat]]


def sweep(fighters: list[Profile], policy: NDArray[np.int64]) -> tuple[Batch, NDArray[np.int64]]:
    """Every card against every card with nine pairs of dice, and the rows of the last card.

    One call for each card; the laws of one are written over those of the one before.
    """
    rows = [setup_of([p, p], dice, policy).fighters for p in fighters for dice in PAIRS]
    own = np.array(rows).reshape(len(fighters), len(PAIRS), 2, -1)
    pairs = own.copy()
    one_card = batch(pairs.reshape(-1, *pairs.shape[2:]), policy)

    def solve() -> None:
        for card in own:
            pairs[:, :, 0] = card[:, 0]
            one_card.solve()

    return one_card._replace(solve=solve), pairs.reshape(-1, *pairs.shape[2:])


# ---------------------------------------------------------------------------- agreement


def check_sweep(policy: NDArray[np.int64]) -> None:
    """Duels of the sweep's last card are those asked one by one."""
    every, pairs = sweep(cards(), policy)
    every.solve()
    for m in range(0, len(pairs), 50):
        alone = single_duel(Setup(pairs[m], np.array([0, 1]), policy, 0, 0))
        gap = np.abs(every.joints[m] - alone.joint).max()
        demand(gap < CLOSE, f"duel {m} of the sweep and the same alone differ by {gap:.1e}")


# ---------------------------------------------------------------------------- timing


def racer(
    call: Callable[[], object], enemies: int, is_open: bool, answers: int = 1, barred: bool = True
) -> Racer:
    """A call that gives so many answers, beside a plain duel."""
    bar = BARS.get((enemies, is_open)) if barred else None
    return Racer(repeated(call), answers, PLAIN, bar)


class Scans(NamedTuple):
    """The allocations that are timed, by number of enemies and whether decisions are open."""

    by: dict[tuple[int, bool], Scan]

    def slowest(self, enemies: int, is_open: bool) -> tuple[Dice, ...]:
        return self.by[enemies, is_open].order[-1]

    def middle(self, enemies: int, is_open: bool) -> tuple[Dice, ...]:
        order = self.by[enemies, is_open].order
        return order[len(order) // 2]


def all_scans(quick: bool) -> Scans:
    policies = {False: fixed_policy(), True: open_policy(0, 1)}
    return Scans(
        {(n, is_open): scan(n, policies[is_open], quick) for n in (2, 3) for is_open in policies}
    )


def duel_racers(is_open: bool, policy: NDArray[np.int64]) -> Iterator[tuple[str, Racer]]:
    """The nine pairs of dice, each as part of a batch."""
    for dice in PAIRS:
        solve = copies(combat(dice, policy)).solve
        yield f"1 v 1, {text_of(dice)}", racer(solve, 1, is_open, BLOCK)


def combat_racers(
    is_open: bool, policy: NDArray[np.int64], scans: Scans
) -> Iterator[tuple[str, Racer]]:
    for enemies in (2, 3):
        count = len(scans.by[enemies, is_open].order)
        chosen = {"slowest": scans.slowest(enemies, is_open)}
        if enemies == 2:
            chosen["middle"] = scans.middle(enemies, is_open)
        for which, dice in sorted(chosen.items()):
            label = f"1 v {enemies}, {which} of {count}: {text_of(dice)}"
            yield label, racer(single_combat(combat(dice, policy)).solve, enemies, is_open)


def asked_racers() -> Iterator[tuple[str, Racer]]:
    """A duel as Python asks it, alone."""
    setup = combat(PAIRS[0], fixed_policy())
    label = f"1 v 1, {text_of(PAIRS[0])}, one call from Python"
    yield label, racer(single_duel(setup).solve, 1, False, barred=False)
    yield (
        f"{label}, no table yet",
        racer(single_duel(setup, fresh=True).solve, 1, False, barred=False),
    )


def placing_racers(policy: NDArray[np.int64], scans: Scans) -> Iterator[tuple[str, Racer]]:
    """The same with the placement open too."""
    setup = combat(PAIRS[0], policy)
    setup.fighters[:, [Column.PLACED_ATTACK, Column.PLACED_DEFENCE]] = -1
    yield "1 v 1, placement too", racer(copies(setup).solve, 1, True, BLOCK, barred=False)
    setup = combat(scans.slowest(2, True), policy)
    solve = single_placing(setup)
    yield "1 v 2, placement too", racer(solve, 2, True, barred=False)


def all_racers(scans: Scans) -> dict[str, Racer]:
    racers: dict[str, Racer] = {}
    known = cards()
    for is_open, policy in ((False, fixed_policy()), (True, open_policy(0, 1))):
        found = dict(duel_racers(is_open, policy))
        found |= dict(asked_racers() if not is_open else ())
        found |= dict(combat_racers(is_open, policy, scans))
        found |= dict(placing_racers(policy, scans) if is_open else ())
        label = f"{len(known)} x {len(known)} cards x {len(PAIRS)} pairs of dice"
        found[label] = racer(sweep(known, policy)[0].solve, 0, is_open)
        racers |= {f"{SECTIONS[is_open]}: {name}": one for name, one in found.items()}
    return racers


def sampled_setups(scans: Scans) -> dict[str, Setup]:
    """The combats that Monte Carlo samples for comparison, by the label of their exact racer."""
    found = {f"1 v 1, {text_of(dice)}": dice for dice in NEEDED}
    for enemies in (2, 3):
        dice, scanned = scans.slowest(enemies, False), scans.by[enemies, False]
        found[f"1 v {enemies}, slowest of {len(scanned.order)}: {text_of(dice)}"] = dice
    return {
        f"{SECTIONS[False]}: {name}": combat(dice, fixed_policy()) for name, dice in found.items()
    }
