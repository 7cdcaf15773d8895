"""Runs in processes that are killed, forked from a server that has all loaded."""

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

PRELOADED = [
    "estoc.sim.batch.runs",
    "estoc.sim.phases.cards",
    "estoc.sim.contagion.contagion",
    "estoc.sim.combat.duel",
    "estoc.sim.combat.sweep",
    "estoc.kernels.combat.trials",
    "estoc.kernels.exact.duel",
    "estoc.kernels.phases.card_trials",
    "estoc.kernels.sheet.contagion",
    "pyarrow.parquet",
    "scipy.special",
]


def run_on(batch: str, folder: str, threads: int) -> None:
    """Run a batch, or go on with it; the process ends with 1 if it cannot."""
    from functools import partial

    from estoc.sim.batch.crew import ThreadWorkers
    from estoc.sim.batch.runs import run

    run(batch, folder, resume=True, hire=partial(ThreadWorkers, threads))


def context() -> multiprocessing.context.ForkServerContext:
    """Return what makes processes that begin with everything loaded."""
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(PRELOADED)
    return found


def killed_until_finished(batch: Path, folder: Path, seed: int, longest: float) -> int:
    """Run a batch, killed at random moments, until it is finished; how often it was killed.

    A process that was not killed in ``longest`` seconds gets as long again, so that all comes to
    an end.
    """
    moments, kills = random.Random(seed), 0
    while True:
        process = context().Process(target=run_on, args=(str(batch), str(folder), 2))
        process.start()
        process.join(moments.uniform(0, longest) * (1 + kills / 20))
        if process.exitcode is None:
            os.kill(process.pid, signal.SIGKILL)
            process.join()
            kills += 1
            continue
        assert process.exitcode == 0, process.exitcode
        return kills


def timed(batch: Path, folder: Path) -> float:
    """Return the seconds that a run takes when nothing stops it, everything loaded."""
    process = context().Process(target=run_on, args=(str(batch), str(folder), 2))
    began = time.perf_counter()
    process.start()
    process.join()
    assert process.exitcode == 0
    return time.perf_counter() - began
