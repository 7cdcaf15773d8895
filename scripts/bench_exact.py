"""The exact engine of bench.py: its bars, its agreement with others, and what those would need."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from estoc.kernels.combat.trials import new_fight
from estoc.kernels.exact.laws import new_laws
from estoc.kernels.exact.positions import FULL
from estoc.kernels.exact.several import (
    choose_placement,
    count_ways,
    place_dice,
    solve_combat,
    table_of,
)
from estoc.kernels.layout.combat import FIGHT, Column, Setup, Stat
from estoc.kernels.layout.exact import LAWS
from estoc.profiles import Profile
from estoc.sim.bench.agreement import CLOSE, demand
from estoc.sim.bench.baselines import Job, numba_counts
from estoc.sim.bench.exact import (
    BLOCK,
    Batch,
    batch,
    check_combat,
    check_duel,
    check_optimal,
    copies,
    deaths,
    final_states,
    single_combat,
    single_duel,
    trials_needed,
)
from estoc.sim.bench.samplers import LITERAL, SEED, sampled
from estoc.sim.bench.table import in_words
from estoc.sim.bench.timing import Timing, race, repeated, steady_seconds, times_faster
from estoc.sim.bench.work import (
    Dice,
    arrays,
    combat,
    fixed_policy,
    open_policy,
    setup_of,
    shipped,
    text_of,
    usual_rules,
)

PAIRS = tuple(product([(1, 1), (2, 0), (0, 2)], repeat=2))
SHOWN = (((1, 1), (1, 1)), ((2, 0), (2, 0)), ((1, 1), (2, 0)))
CARDS = ("c2", "c3", "c5")
PLACING_ROOM = 1 << 14  # positions: ample for 1 v 2
ROUND_SECONDS = 0.02
PLAIN = "plain numba duel"
SECTIONS = {False: "policies fixed", True: "every decision optimal"}
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


@dataclass
class Run:
    """What is timed: a call that gives so many answers, and the bar of one."""

    call: Callable[[], object]
    enemies: int
    is_open: bool
    answers: int = 1
    barred: bool = True
    taken: list[float] = field(default_factory=list)

    @property
    def bar(self) -> float | None:
        return BARS.get((self.enemies, self.is_open)) if self.barred else None


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


def duel_runs(is_open: bool, policy: NDArray[np.int64]) -> Iterator[tuple[str, Run]]:
    """The nine pairs of dice, each as part of a batch."""
    for dice in PAIRS:
        solve = copies(combat(dice, policy)).solve
        yield f"1 v 1, {text_of(dice)}", Run(solve, 1, is_open, BLOCK)


def combat_runs(
    is_open: bool, policy: NDArray[np.int64], scans: Scans
) -> Iterator[tuple[str, Run]]:
    for enemies in (2, 3):
        count = len(scans.by[enemies, is_open].order)
        chosen = {"slowest": scans.slowest(enemies, is_open)}
        if enemies == 2:
            chosen["middle"] = scans.middle(enemies, is_open)
        for which, dice in sorted(chosen.items()):
            label = f"1 v {enemies}, {which} of {count}: {text_of(dice)}"
            yield label, Run(single_combat(combat(dice, policy)).solve, enemies, is_open)


def asked_runs() -> Iterator[tuple[str, Run]]:
    """A duel as Python asks it, alone."""
    setup = combat(PAIRS[0], fixed_policy())
    label = f"1 v 1, {text_of(PAIRS[0])}, one call from Python"
    yield label, Run(single_duel(setup).solve, 1, False, barred=False)
    yield (
        f"{label}, no table yet",
        Run(single_duel(setup, fresh=True).solve, 1, False, barred=False),
    )


def placing_runs(policy: NDArray[np.int64], scans: Scans) -> Iterator[tuple[str, Run]]:
    """The same with the placement open too."""
    setup = combat(PAIRS[0], policy)
    setup.fighters[:, [Column.PLACED_ATTACK, Column.PLACED_DEFENCE]] = -1
    yield "1 v 1, placement too", Run(copies(setup).solve, 1, True, BLOCK, barred=False)
    setup = combat(scans.slowest(2, True), policy)
    solve = single_placing(setup)
    yield "1 v 2, placement too", Run(solve, 2, True, barred=False)


def all_runs(scans: Scans) -> dict[str, Run]:
    runs: dict[str, Run] = {}
    known = cards()
    for is_open, policy in ((False, fixed_policy()), (True, open_policy(0, 1))):
        found = dict(duel_runs(is_open, policy))
        found |= dict(asked_runs() if not is_open else ())
        found |= dict(combat_runs(is_open, policy, scans))
        found |= dict(placing_runs(policy, scans) if is_open else ())
        label = f"{len(known)} x {len(known)} cards x {len(PAIRS)} pairs of dice"
        found[label] = Run(sweep(known, policy)[0].solve, 0, is_open)
        runs |= {f"{SECTIONS[is_open]}: {name}": run for name, run in found.items()}
    return runs


def sampled_runs(scans: Scans) -> dict[str, Setup]:
    """The combats that Monte Carlo samples for comparison, by the label of their exact run."""
    found = {f"1 v 1, {text_of(dice)}": dice for dice in SHOWN}
    for enemies in (2, 3):
        dice, scanned = scans.slowest(enemies, False), scans.by[enemies, False]
        found[f"1 v {enemies}, slowest of {len(scanned.order)}: {text_of(dice)}"] = dice
    return {
        f"{SECTIONS[False]}: {name}": combat(dice, fixed_policy()) for name, dice in found.items()
    }


def take_times(
    runs: dict[str, Run], sampled: dict[str, Setup], rounds: int
) -> tuple[list[float], dict[str, list[float]]]:
    """Fill in the seconds of all runs; the plain kernel's, and those of one sampled trial."""
    job: Job = arrays(((2, 0), (2, 0)))[0]
    everything = {name: repeated(run.call) for name, run in runs.items()}
    everything[PLAIN] = lambda n: numba_counts(job, n, SEED)
    for name, setup in sampled.items():
        everything[f"sampled {name}"] = partial(sample, setup)
    taken = race(everything, rounds, ROUND_SECONDS)
    for name, run in runs.items():
        run.taken = [value * 1e-9 / run.answers for value in taken[name]]
    trial = {name: [value * 1e-9 for value in taken[f"sampled {name}"]] for name in sampled}
    return [value * 1e-9 for value in taken[PLAIN]], trial


def sample(setup: Setup, trials: int) -> object:
    return sampled(LITERAL, setup, usual_rules(), trials)


# ---------------------------------------------------------------------------- report


def figures(runs: dict[str, Run], plain: list[float]) -> dict[str, dict[str, Any]]:
    """Seconds, bars and multiples of the plain duel, for the tables and the file."""
    rows = {}
    for name, run in runs.items():
        timing = Timing.of(run.taken)
        rows[name] = {
            "enemies": run.enemies,
            "optimal": run.is_open,
            "seconds": asdict(timing),
            "plain_duels": asdict(times_faster(run.taken, plain)),
            "bar": run.bar,
            "met": None if run.bar is None else timing.least <= run.bar,
            "met_by_median": None if run.bar is None else timing.median <= run.bar,
        }
    return rows


def shown_rows(rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The rows for the tables: of the nine pairs of dice some, and the slowest."""
    nine = {f"1 v 1, {text_of(dice)}": dice for dice in PAIRS}
    slowest = max(nine, key=lambda name: rows[name]["seconds"]["least"])
    shown = {name: rows[name] for name, dice in nine.items() if dice in SHOWN}
    shown[f"1 v 1, slowest of 9: {text_of(nine[slowest])}"] = rows[slowest]
    return shown | {name: row for name, row in rows.items() if name not in nine}


def bar_cell(row: dict[str, Any]) -> str:
    """The bar, and whether it holds: by both times, or only by the best."""
    if row["bar"] is None:
        return ""
    if not row["met"]:
        return f"{in_words(row['bar'])} NOT met"
    return f"{in_words(row['bar'])} {'' if row['met_by_median'] else 'min '}met"


def exact_table(section: str, rows: dict[str, dict[str, Any]], plain: Timing) -> Table:
    table = Table(
        "combat",
        title=f"Exact answers, {section}",
        caption="plain: so many duels, 2/0 v 2/0, does the plain numba kernel play in that time"
        f"\n({in_words(plain.least)}, median {in_words(plain.median)} each); median of the rounds",
        width=80,
    )
    for heading in ("min", "median", "bar", "plain"):
        table.add_column(heading, justify="right", no_wrap=True)
    own = {n.partition(": ")[2]: row for n, row in rows.items() if n.startswith(section)}
    for name, row in shown_rows(own).items():
        times = [in_words(row["seconds"][key]) for key in ("least", "median")]
        table.add_row(name, *times, bar_cell(row), f"{row['plain_duels']['median']:,.0f}")
    return table


def needs(
    rows: dict[str, dict[str, Any]], sampled: dict[str, Setup], trial: dict[str, list[float]]
) -> dict[str, dict[str, Any]]:
    """What Monte Carlo needs for a tenth of a point either way, at its speed in this run."""
    found = {}
    for name, setup in sampled.items():
        solve = single_duel if len(setup.fighters) == 2 else single_combat
        joint = solve(setup).joint.reshape((2,) + (final_states(),) * len(setup.fighters))
        chance = float(joint[(slice(None), slice(None)) + (-1,) * (len(setup.fighters) - 1)].sum())
        trials = trials_needed(chance)
        per_trial, exact = Timing.of(trial[name]), rows[name]["seconds"]
        found[name] = {
            "p_a_wins": chance,
            "trials": trials,
            "seconds_per_trial": asdict(per_trial),
            "seconds": trials * per_trial.least,
            "times_exact": trials * per_trial.least / exact["least"],
        }
    return found


def needs_table(found: dict[str, dict[str, Any]]) -> Table:
    table = Table(
        "combat, policies fixed",
        title="What Monte Carlo needs for A wins ± 0.1 points (95 %)",
        caption="estoc's own sampled kernel, 1 thread, min; times the exact answer's min",
        width=80,
    )
    for heading in ("A wins", "trials", "ns a trial", "all", "times exact"):
        table.add_column(heading, justify="right")
    for name, row in found.items():
        table.add_row(
            name.partition(": ")[2],
            f"{100 * row['p_a_wins']:.2f} %",
            f"{row['trials']:,}",
            f"{row['seconds_per_trial']['least'] * 1e9:.1f}",
            in_words(row["seconds"]),
            f"{row['times_exact']:,.0f}",
        )
    return table


def memory(scans: Scans) -> dict[str, dict[str, int]]:
    """Bytes that the allocation with the most positions needs, by section."""
    found = {}
    for (enemies, is_open), scanned in scans.by.items():
        n = 1 + enemies
        found[f"1 v {enemies}, {SECTIONS[is_open]}"] = {
            "positions": scanned.positions,
            "table": sum(part.nbytes for part in table_of(n, scanned.positions)),
            "final_and_joint": 3 * 8 * final_states() ** n,
            "fight_and_laws": FIGHT.itemsize + LAWS.itemsize,
        }
    return found


def memory_table(found: dict[str, dict[str, int]]) -> Table:
    table = Table("combat, most of all allocations", title="Memory in KiB", width=80)
    for heading in ("positions", "their table", "final, joint", "fight, laws"):
        table.add_column(heading, justify="right")
    for name, row in found.items():
        sizes = [f"{row[key] / 1024:,.0f}" for key in list(row)[1:]]
        table.add_row(name, f"{row['positions']:,}", *sizes)
    return table


# ---------------------------------------------------------------------------- all of it


def check_all(scans: Scans, trials: int) -> dict[str, float]:
    """Everything that is timed against something else; largest |z| by what it was."""
    duels = [check_duel(dice, trials) for dice in PAIRS]
    found = {f"1 v 1 and {name}": max(z[name] for z in duels) for name in duels[0]}
    for enemies in (2, 3):
        dice = scans.slowest(enemies, False)
        found[f"1 v {enemies} and estoc sampled"] = check_combat(dice, trials)
    for dice in (*PAIRS, scans.slowest(2, True), scans.middle(2, True)):
        check_optimal(dice)
    for policy in (fixed_policy(), open_policy(0, 1)):
        check_sweep(policy)
    return found


def time_exact(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print the tables of the exact engine; what goes into the file."""
    scans = all_scans(quick)
    agreement = check_all(scans, 100_000 if quick else 1_000_000)
    worst = ", ".join(f"{name} {z:.1f}" for name, z in agreement.items())
    console.print(f"Exact and sampled laws agree: largest |z| of a cell: {worst}.", markup=False)
    runs, sampled = all_runs(scans), sampled_runs(scans)
    plain, trial = take_times(runs, sampled, rounds)
    rows = figures(runs, plain)
    for section in SECTIONS.values():
        console.print(exact_table(section, rows, Timing.of(plain)))
    found, bytes_needed = needs(rows, sampled, trial), memory(scans)
    console.print(needs_table(found))
    console.print(memory_table(bytes_needed))
    return {
        "largest_z": agreement,
        "plain_seconds": asdict(Timing.of(plain)),
        "rows": rows,
        "monte_carlo": found,
        "memory_bytes": bytes_needed,
    }
