"""Samplers of a duel side by side: plain ones, and estoc's own; the exact odds beside them."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Rules, Setup
from ...profiles.message import say, say_n
from .agreement import LIMIT_Z, demand, departure, disagreement
from .baselines import Job, numba_counts, numpy_counts, python_counts
from .exact import (
    BLOCK,
    check_duel,
    check_optimal,
    copies,
    final_states,
    single_duel,
    trials_needed,
)
from .samplers import LITERAL, SAMPLERS, SEED, literal_finals, on_device, sampled
from .timing import CORES, Run, Timing, race, repeated, times_faster
from .work import Dice, arrays, combat, fixed_policy, open_policy, text_of

SAMPLED: tuple[tuple[Dice, Dice], ...] = (((1, 1), (1, 1)), ((2, 0), (2, 0)))
SOLVED = (*SAMPLED, ((1, 1), (2, 0)))
PLAIN = say("numba, plain")
TRIALS = 4_000_000  # of the checks

Row = dict[str, Any]


def speed_of(values: list[float]) -> Row:
    """Return nanoseconds of an answer, and answers a second."""
    return {"ns": asdict(Timing.of(values)), "per_second": 1e9 / min(values)}


def row_of(values: list[float], plain: list[float]) -> Row:
    """Return nanoseconds of an answer, answers a second, and times as fast as the plain kernel."""
    return speed_of(values) | {"times_plain": asdict(times_faster(plain, values))}


def exact_row(values: list[float], plain: list[float]) -> Row:
    """Return the same of an exact answer, and how many plain duels are played meanwhile."""
    return row_of(values, plain) | {"plain_duels": asdict(times_faster(values, plain))}


# ---------------------------------------------------------------------------- samplers


def plain_runs(job: Job) -> dict[str, Run]:
    """Return the three baselines."""
    ways: dict[str, Callable[..., object]] = {
        say("python, plain"): python_counts,
        say("numpy, batches"): numpy_counts,
        PLAIN: numba_counts,
    }
    return {name: partial(way, job, seed=SEED) for name, way in ways.items()}


def own_runs(setup: Setup, rules: Rules, threads: int) -> dict[str, Run]:
    """Return estoc's samplers on so many threads."""
    enemies = len(setup.fighters) - 1
    found: dict[str, Run] = {
        own_name(name, threads): partial(sampled, sampler, setup, rules, threads=threads)
        for name, sampler in SAMPLERS.items()
        if enemies <= sampler.enemies
    }
    if threads == 1:
        found |= {name: partial(sampled, s, setup, rules) for name, s in on_device().items()}
    return found


def own_name(name: str, threads: int) -> str:
    """Return what a sampler on so many threads is called."""
    return say_n("{1}, {0} thread", "{1}, {0} threads", threads, name)


def check_sampler(
    name: str, setup: Setup, rules: Rules, law: NDArray[np.float64], trials: int
) -> float:
    """Compare a sampler with the exact law; the largest |z| of a cell of a fighter's own law."""
    fighters = len(setup.fighters)
    joint = law.reshape((final_states(),) * fighters)
    counts = sampled((SAMPLERS | on_device())[name], setup, rules, trials)
    worst = 0.0
    for i in range(fighters):
        own = joint.sum(axis=tuple(j for j in range(fighters) if j != i))
        worst = max(worst, departure(counts[i], own))
    demand(
        worst < LIMIT_Z, say("{} and the exact odds disagree: |z| = {:.1f} in a cell", name, worst)
    )
    return worst


def check_threads(name: str, setup: Setup, rules: Rules, trials: int, threads: int = 2) -> None:
    """Demand that threads change no count."""
    one, many = (sampled(SAMPLERS[name], setup, rules, trials, n) for n in (1, threads))
    demand(np.array_equal(one, many), say("{} counts differently on {} threads", name, threads))


def check_plain(job: Job, setup: Setup, rules: Rules, trials: int) -> tuple[float, float]:
    """Compare the joint laws of the baselines and of the literal kernel, each with each."""
    counts = {
        "python": python_counts(job, trials // 80, SEED),
        "numpy": numpy_counts(job, trials // 4, SEED),
        PLAIN: numba_counts(job, trials, SEED),
        "estoc": literal_finals(setup, rules, trials),
    }
    law = sampled(LITERAL, setup, rules, trials)
    both = [counts["estoc"].sum(axis=1), counts["estoc"].sum(axis=0)]
    demand(np.array_equal(law, both), "estoc's count and play differ")
    found = []
    for one, other in combinations(counts, 2):
        z, chi = disagreement(counts[one], counts[other])
        demand(z < LIMIT_Z, say("{} and {} disagree: |z| = {:.1f} in a cell", one, other, z))
        found.append((z, chi))
    return max(z for z, _ in found), max(chi for _, chi in found)


def check_kernels(job: Job, setup: Setup, rules: Rules, trials: int) -> dict[str, float]:
    """Compare all samplers of a duel with each other, and with the exact law."""
    law = single_duel(setup, rules=rules).law
    worst, chi = check_plain(job, setup, rules, trials)
    for name in (*SAMPLERS, *on_device()):
        worst = max(worst, check_sampler(name, setup, rules, law, trials))
    for name in SAMPLERS:
        check_threads(name, setup, rules, trials)
    return {"largest_z": worst, "largest_chi_square_by_df": chi}


def time_kernels(rounds: int, quick: bool) -> dict[str, Any]:
    """Return what the samplers take, by the dice placed."""
    report: dict[str, Any] = {}
    for dice in SAMPLED:
        job, setup, rules = arrays(dice)
        agreement = check_kernels(job, setup, rules, TRIALS // (10 if quick else 1))
        runs = plain_runs(job)
        for threads in (1, 2)[: len(CORES)]:
            runs |= own_runs(setup, rules, threads)
        taken = race(runs, rounds)
        rows = {name: row_of(values, taken[PLAIN]) for name, values in taken.items()}
        report[text_of(dice)] = {**agreement, "rows": rows}
    return report


# ---------------------------------------------------------------------------- exact


def exact_runs() -> dict[str, tuple[Run, int]]:
    """Return exact answers, and how many one call gives."""
    found: dict[str, tuple[Run, int]] = {}
    policies = {say("policies fixed"): fixed_policy(), say("best play"): open_policy(0, 1)}
    for told, policy in policies.items():
        for dice in SOLVED:
            solve = copies(combat(dice, policy)).solve
            found[say("{}, {}", text_of(dice), told)] = repeated(solve), BLOCK
    alone = single_duel(combat(SOLVED[0], fixed_policy())).solve
    label = say("{}, one a call", text_of(SOLVED[0]))
    found[label] = repeated(alone), 1
    return found


def precision_rows() -> dict[str, int]:
    """Return how many sampled duels tell A's chance as well as 0.1 points, by the exact row."""
    found = {}
    for dice in SOLVED:
        joint = single_duel(combat(dice, fixed_policy())).law.reshape(
            final_states(), final_states()
        )
        found[f"{text_of(dice)}, policies fixed"] = trials_needed(float(joint[:-1, -1].sum()))
    return found


def time_exact(rounds: int, quick: bool) -> dict[str, Any]:
    """Return what exact answers take, beside the plain kernel."""
    trials, worst = TRIALS // (20 if quick else 4), 0.0
    for dice in SOLVED:
        worst = max(worst, *check_duel(dice, trials).values())
        check_optimal(dice)
    job = arrays(SAMPLED[1])[0]
    runs = exact_runs()
    taken = race(
        {PLAIN: plain_runs(job)[PLAIN]} | {name: run for name, (run, _) in runs.items()}, rounds
    )
    plain, needed, rows = taken[PLAIN], precision_rows(), {}
    for name, (_, answers) in runs.items():
        rows[name] = exact_row([value / answers for value in taken[name]], plain)
        if name in needed:
            rows[name] |= {"trials_for_a_tenth_of_a_point": needed[name]}
    return {"largest_z": worst, "plain_ns": asdict(Timing.of(plain)), "rows": rows}
