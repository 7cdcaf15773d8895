"""How the work grows with fighters, dice and threads."""

from dataclasses import asdict
from functools import partial
from typing import Any

from ...kernels.layout.combat import Rules, Setup
from ...profiles.message import say
from .agreement import LIMIT_Z, demand, departure
from .baselines import numba_counts
from .exact import single_combat, single_duel
from .kernels import (
    PLAIN,
    Row,
    check_sampler,
    check_threads,
    exact_row,
    own_runs,
    plain_runs,
    row_of,
    speed_of,
)
from .samplers import SAMPLERS, SEED, sampled
from .timing import CORES, Run, race, repeated, times_faster
from .work import arrays, combat, fixed_policy, rules_of, text_of, usual_rules

EXACT = say("estoc, exact")
MOST_DICE = 4
MOST_ENEMIES = 4
TRIALS = 1_000_000  # of the checks


def threads_tried(cores: int) -> list[int]:
    """Return 1, 2, 4 … and all cores.

    >>> threads_tried(12)
    [1, 2, 4, 8, 12]
    """
    found = [1]
    while found[-1] * 2 <= cores:
        found.append(found[-1] * 2)
    return found if found[-1] == cores else [*found, cores]


def rows_of(taken: dict[str, list[float]]) -> dict[str, Row]:
    """Return the rows of a race of samplers, exact odds and the plain kernel."""
    return {
        name: (exact_row if name == EXACT else row_of)(values, taken[PLAIN])
        for name, values in taken.items()
    }


def check(setup: Setup, rules: Rules, law: Any, trials: int) -> float:
    """Compare each sampler that can play a combat with the exact law; the largest |z|."""
    able = [name for name, s in SAMPLERS.items() if len(setup.fighters) - 1 <= s.enemies]
    return max(check_sampler(name, setup, rules, law, trials) for name in able)


def by_dice(rounds: int, trials: int) -> dict[str, Any]:
    """Return duels of fighters with 2, 3 … dice each, all in attack."""
    report: dict[str, Any] = {}
    for number in range(2, MOST_DICE + 1):
        dice = ((number, 0), (number, 0))
        job, setup, rules = arrays(dice, rules_of(number))
        exact = single_duel(setup, rules=rules)
        z = departure(numba_counts(job, trials, SEED), exact.law)
        demand(z < LIMIT_Z, say("{}: exact and {} disagree: |z| = {:.1f}", text_of(dice), PLAIN, z))
        z = max(z, check(setup, rules, exact.law, trials))
        runs = {PLAIN: plain_runs(job)[PLAIN], **own_runs(setup, rules, 1)}
        taken = race(runs | {EXACT: repeated(exact.solve)}, rounds)
        report[text_of(dice)] = {"largest_z": z, "rows": rows_of(taken)}
    return report


def by_fighters(rounds: int, trials: int) -> dict[str, Any]:
    """Return one against 1, 2 … enemies, all in attack."""
    report: dict[str, Any] = {}
    plain = plain_runs(arrays(((2, 0), (2, 0)))[0])[PLAIN]
    for enemies in range(1, MOST_ENEMIES + 1):
        dice = ((1 + enemies, 0), *[(2, 0)] * enemies)
        setup = combat(dice, fixed_policy())
        exact = (single_duel if enemies == 1 else single_combat)(setup)
        z = check(setup, usual_rules(), exact.law, trials)
        runs: dict[str, Run] = {PLAIN: plain, **own_runs(setup, usual_rules(), 1)}
        taken = race(runs | {EXACT: repeated(exact.solve)}, rounds)
        rows = rows_of(taken)
        if enemies > 1:
            del rows[PLAIN]  # it plays duels only
        report[f"1 v {enemies}"] = {"largest_z": z, "rows": rows}
    return report


def by_threads(rounds: int, trials: int) -> dict[str, Any]:
    """Return each sampler on 1, 2 … all cores; the same counts for all."""
    tried = threads_tried(len(CORES))
    _, setup, rules = arrays(((2, 0), (2, 0)))
    report: dict[str, Any] = {}
    for name, sampler in SAMPLERS.items():
        runs: dict[str, Run] = {
            str(n): partial(sampled, sampler, setup, rules, threads=n) for n in tried
        }
        for n in tried:
            check_threads(name, setup, rules, trials, n)
        taken = race(runs, rounds)
        report[name] = {
            n: speed_of(values) | {"times_one_thread": asdict(times_faster(taken["1"], values))}
            for n, values in taken.items()
        }
    return report


def time_growth(rounds: int, quick: bool) -> dict[str, Any]:
    """Return what grows with what."""
    trials = TRIALS // (10 if quick else 1)
    return {
        "dice": by_dice(rounds, trials),
        "fighters": by_fighters(rounds, trials),
        "threads": by_threads(rounds, trials),
    }
