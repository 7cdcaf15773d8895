"""The exact engine: its bars, its agreement with others, and what those would need."""

from functools import partial
from typing import Any

from races.exact_runs import (
    PAIRS,
    PLAIN,
    SECTIONS,
    Scans,
    all_racers,
    all_scans,
    check_sweep,
    sampled_setups,
)
from races.form import Bench, Racer, Row

from estoc.kernels.exact.several import table_of
from estoc.kernels.layout.combat import FIGHT, Setup
from estoc.kernels.layout.exact import LAWS
from estoc.sim.bench.agreement import LIMIT_Z, demand, departure
from estoc.sim.bench.baselines import numba_counts
from estoc.sim.bench.exact import (
    check_duel,
    check_optimal,
    final_states,
    single_combat,
    single_duel,
    trials_needed,
)
from estoc.sim.bench.samplers import LITERAL, SEED, literal_finals, sampled
from estoc.sim.bench.work import arrays, combat, fixed_policy, open_policy, text_of, usual_rules

ROUND_SECONDS = 0.02
NEEDS = "What Monte Carlo needs for A wins ± 0.1 points (95 %)"
TRIAL = "a trial"
AGREE = "Exact and sampled laws agree: largest |z| of a cell"
ANSWERS = "Exact answers"
NOTES = (
    "fixed: policies; optimal: every decision",
    "a trial: of estoc's own sampled kernel, 1 thread; plain: 2/0 v 2/0",
)
MEMORY = "Memory of the allocation with the most positions, KiB"


# ---------------------------------------------------------------------------- agreement


def check_combat(dice: tuple[tuple[int, int], ...], trials: int) -> float:
    """One against several, exact and by estoc's samples; the largest |z|."""
    setup = combat(dice, fixed_policy())
    z = departure(literal_finals(setup, usual_rules(), trials), single_combat(setup).law)
    demand(z < LIMIT_Z, f"{text_of(dice)}: exact and sampled disagree: |z| = {z:.1f}")
    return z


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


# ---------------------------------------------------------------------------- what they need


def needs(rows: dict[str, Row], setups: dict[str, Setup]) -> dict[str, dict[str, Any]]:
    """What Monte Carlo needs for a tenth of a point either way, at its speed in this run."""
    found = {}
    for name, setup in setups.items():
        solve = single_duel if len(setup.fighters) == 2 else single_combat
        joint = solve(setup).joint.reshape((2,) + (final_states(),) * len(setup.fighters))
        chance = float(joint[(slice(None), slice(None)) + (-1,) * (len(setup.fighters) - 1)].sum())
        trials = trials_needed(chance)
        needed = trials * rows[f"{name}, {TRIAL}"]["seconds"]["least"]
        times = needed / rows[name]["seconds"]["least"]
        found[name] = {"A wins": chance, "trials": trials, "seconds": needed, "times exact": times}
    return found


def memory(scans: Scans) -> dict[str, dict[str, float]]:
    """What the allocation with the most positions needs, by section."""
    found = {}
    for (enemies, is_open), scanned in scans.by.items():
        n = 1 + enemies
        found[f"1 v {enemies}, {SECTIONS[is_open]}"] = {
            "positions": scanned.positions,
            "their table": sum(part.nbytes for part in table_of(n, scanned.positions)) / 1024,
            "final, joint": 3 * 8 * final_states() ** n / 1024,
            "fight, laws": (FIGHT.itemsize + LAWS.itemsize) / 1024,
        }
    return found


# ---------------------------------------------------------------------------- all of it


def time_part(bench: Bench) -> None:
    """Time exact answers, and the trials that would tell as much."""
    scans = all_scans(bench.quick)
    bench.facts(AGREE, check_all(scans, bench.pick(1_000_000, 100_000)))
    plain = partial(numba_counts, arrays(((2, 0), (2, 0)))[0], seed=SEED)
    setups = sampled_setups(scans)
    trials = {
        f"{name}, {TRIAL}": Racer(partial(sampled, LITERAL, setup, usual_rules()), beside=PLAIN)
        for name, setup in setups.items()
    }
    racers = {PLAIN: Racer(plain), **all_racers(scans), **trials}
    rows = bench.race(ANSWERS, racers, *NOTES, seconds=ROUND_SECONDS, longer=True)
    bench.facts(NEEDS, needs(rows, setups))
    bench.facts(MEMORY, memory(scans))
