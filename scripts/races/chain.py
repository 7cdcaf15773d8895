"""The chain of a duel beside the same chain in hand-written C, if there is a file of it.

The C functions walk rows of eight columns whose thresholds have 16 bits, with xoshiro256++:
``void f(int64_t trials, const uint32_t *rows, int64_t states, int64_t steps, int64_t seed,
int64_t *counts)``, a row's cell being threshold << 16 | other << 8 | own.
"""

import ctypes
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from races.form import Bench, Racer

from estoc.kernels.layout.combat import Rules, Setup
from estoc.kernels.layout.samplers import WORD
from estoc.profiles import InputError
from estoc.sim.bench.agreement import LIMIT_Z, demand, departure
from estoc.sim.bench.baselines import Job
from estoc.sim.bench.exact import single_duel
from estoc.sim.bench.kernels import PLAIN, SAMPLED, plain_runs
from estoc.sim.bench.samplers import SAMPLERS, SEED, sampled
from estoc.sim.bench.timing import Run
from estoc.sim.bench.work import arrays, question_of, text_of
from estoc.sim.combat.chain import Builder, Chain
from estoc.sim.combat.exact import Engine

C_WALKS = ("c_lanes", "c_avx2", "c_avx512")
OURS = ("chain, by attacks", "chain, joined")
COLUMNS, THRESHOLD = 8, 1 << 16

Rows = NDArray[np.uint32]


def compiled(source: Path, folder: str) -> ctypes.CDLL:
    """The C file, compiled for this machine."""
    target = str(Path(folder, "chain.so"))
    command = ["cc", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", target]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise InputError("--beside-c needs a C compiler, cc") from None
    if done.returncode != 0:
        (first, *_) = done.stderr.splitlines() or [f"cc ended with {done.returncode}"]
        raise InputError(f"{source} cannot be compiled: {first}")
    library = ctypes.CDLL(target)
    if not any(hasattr(library, name) for name in C_WALKS):
        raise InputError(f"{source} has none of the functions {', '.join(C_WALKS)}")
    return library


def step_laws(chain: Chain) -> list[list[dict[int, float]]]:
    """By step and place: chances of the places that follow."""
    found: list[list[dict[int, float]]] = []
    size = 1
    for begin, bits in chain.steps.tolist():
        laws = []
        for place in range(size):
            law: dict[int, float] = {}
            for cell in chain.rows[begin + (place << bits) : begin + (place + 1 << bits)].tolist():
                share = (cell >> 32) / (1 << WORD)
                own, other = cell & 0xFFFF, cell >> 16 & 0xFFFF
                law[own] = law.get(own, 0.0) + share
                law[other] = law.get(other, 0.0) + 2.0**-bits - share
            laws.append({target: chance for target, chance in law.items() if chance > 0})
        found.append(laws)
        size = max(target for law in laws for target in law) + 1
    return found


def eight_columns(chain: Chain) -> Rows:
    """The chain as the C functions want it, shape (steps, states, 8)."""
    laws = step_laws(chain)
    rows = np.zeros((len(laws), max(map(len, laws)), COLUMNS), np.uint32)
    for step, of_step in enumerate(laws):
        for place, law in enumerate(of_step):
            rows[step, place] = alias_row(law)
    return rows


def alias_row(law: dict[int, float]) -> list[int]:
    """Eight columns of a law of at most eight places."""
    own = (list(law) + [next(iter(law))] * COLUMNS)[:COLUMNS]
    weight = [law[place] * COLUMNS if k < len(law) else 0.0 for k, place in enumerate(own)]
    row = [THRESHOLD - 1 << 16 | place << 8 | place for place in own]
    small = [k for k in range(COLUMNS) if weight[k] < 1]
    large = [k for k in range(COLUMNS) if weight[k] >= 1]
    while small and large:
        k, other = small.pop(), large[-1]
        threshold = min(round(weight[k] * THRESHOLD), THRESHOLD - 1)
        row[k] = threshold << 16 | own[other] << 8 | own[k]
        weight[other] -= 1 - weight[k]
        if weight[other] < 1:
            small.append(large.pop())
    return row


def c_counts(walk: Any, rows: Rows, trials: int) -> NDArray[np.int64]:
    """How often the C chain ends where; a multiple of its lanes are played."""
    counts = np.zeros(256, np.int64)
    steps, states = map(ctypes.c_int64, rows.shape[:2])
    played, seed = ctypes.c_int64(trials), ctypes.c_int64(SEED)
    where = ctypes.c_void_p(rows.ctypes.data), ctypes.c_void_p(counts.ctypes.data)
    walk(played, where[0], states, steps, seed, where[1])
    return counts


def runs_of(library: ctypes.CDLL, job: Job, setup: Setup, rules: Rules) -> dict[str, Run]:
    """What is raced; the C chains are checked against the exact law first."""
    chain = Builder(question_of(setup, rules), Engine(), 0).chain()
    rows = eight_columns(chain)
    law = single_duel(setup, rules=rules).law.reshape(len(rules.level), -1)
    runs: dict[str, Run] = {PLAIN: plain_runs(job)[PLAIN]}
    runs |= {name: partial(sampled, SAMPLERS[name], setup, rules) for name in OURS}
    for name in C_WALKS:
        if not hasattr(library, name):
            continue
        walk = getattr(library, name)
        walk.restype = None
        counts = c_counts(walk, rows, 1 << 22)
        joint = np.zeros(law.shape, np.int64)
        np.add.at(joint, tuple(chain.ends[:, 1:].T), counts[: len(chain.ends)])
        z = departure(joint, law)
        demand(z < LIMIT_Z, f"{name} and the exact odds disagree: |z| = {z:.1f} in a cell")
        runs[f"C, {name}"] = partial(c_counts, walk, rows)
    return runs


def time_part(bench: Bench) -> None:
    """Time both pairs of dice; ratios are shares of the best C."""
    assert bench.source is not None
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(bench.source, folder)
        for dice in SAMPLED:
            runs = runs_of(library, *arrays(dice))
            taken = bench.take({name: Racer(run) for name, run in runs.items()})
            best = min((n for n in runs if n.startswith("C, ")), key=lambda n: min(taken[n]))
            racers = {name: Racer(run, beside=best) for name, run in runs.items()}
            bench.tell(f"Chains beside C, {text_of(dice)}", racers, taken)
