"""Sampling on a CUDA device: the counts of the processor, to the integer (extra ``gpu``)."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Rules, Setup
from ...profiles.errors import InputError
from ...profiles.message import say

AUTO, GPU = "auto", "gpu"
HINT = "pip install 'estoc[gpu]'"
WORTH = 10_000_000  # trials for which a device is looked for
CHUNK = 1 << 28  # trials given to it in one go
ROOM_LEFT = 1 << 22  # trials that it may leave to the processor
BLOCKS = 16  # for each multiprocessor

Array = NDArray[Any]


def checked_device(device: str) -> str:
    """Return where to sample, if it can be there."""
    if device == GPU and obstacle():
        raise InputError("device gpu: {}; take cpu", obstacle())
    return device


def uses_device(device: str, trials: int) -> bool:
    """Return whether so many trials are sampled on a device."""
    return device == GPU or (device == AUTO and trials >= WORTH and not obstacle())


@cache
def obstacle() -> str:
    """Return why no device can be used; empty if one can."""
    from numba.core import config

    if config.ENABLE_CUDASIM and not config.DISABLE_JIT:  # type: ignore[attr-defined]  # by name
        return say("numba's simulator needs NUMBA_DISABLE_JIT=1 as well, and is for tests only")
    try:
        from numba import cuda
    except ImportError:
        return say("it needs numba-cuda, {}", HINT)
    try:
        return (
            ""
            if cuda.is_available()
            else say("no CUDA device, driver or toolkit is found ({})", HINT)
        )
    except Exception as error:  # of any library below that is not whole
        return say("CUDA does not answer: {}", error)


def draw(
    chain: Any, seed: int, cell: int, first: int, trials: int, turns: int
) -> tuple[Array, Array, int]:
    """Return what `samplers.chain.count_chain` counts, added up, and the turns that it returns."""
    from numba import cuda

    from ...kernels.samplers.gpu import SHARED_ENDS, THREADS, draw_chain

    openings = np.zeros(len(chain.ends), np.int64)
    later, fought = np.zeros(max(len(chain.later), 1), np.int64), np.zeros(1, np.int64)
    found = [cuda.to_device(array) for array in (openings, later, fought)]
    tables = [cuda.to_device(array) for array in (chain.rows, chain.steps)]
    again = cuda.to_device(chain.again if turns > 1 else np.zeros(1, np.uint32))
    goes_on = cuda.to_device(chain.goes_on if turns > 1 else np.zeros(1, np.uint32))
    shared = 4 * min(len(openings), SHARED_ENDS)
    ends = np.uint64(first), np.uint64(first + trials)
    draw_chain[_blocks(trials // 4), THREADS, 0, shared](
        *tables,
        chain.opening,
        again,
        goes_on,
        np.uint64(seed),
        np.uint64(cell),
        *ends,
        turns,
        *found,
    )
    openings, later, fought = (array.copy_to_host() for array in found)
    return openings, later[: len(chain.later)], int(fought[0])


def roll(
    plan: Any, setup: Setup, rules: Rules, seed: int, cell: int, first: int, trials: int, turns: int
) -> tuple[Array, Array, Array] | None:
    """Return how often literal trials end where, their tally, and the trials that are left.

    None if more are left than there is room for. Those that are left are not counted.
    """
    from numba import cuda

    from ...kernels.samplers.gpu import THREADS, roll_literal
    from ...kernels.samplers.literal import figures_of

    counts, tally = np.zeros(len(plan.keys), np.int64), np.zeros(2, np.int64)
    left = np.zeros(1 + min(ROOM_LEFT, trials), np.int64)
    found = [cuda.to_device(array) for array in (counts, tally, left)]
    tables = (plan.rows, plan.returns, plan.outcomes, plan.winners)
    roll_literal[_blocks(trials), THREADS](
        *map(cuda.to_device, tables), plan.attacks, np.uint64(plan.start), np.uint64(seed),
        np.uint64(cell), setup.mirror, cuda.to_device(figures_of(rules.scalars)),
        np.uint64(first), trials, turns, *found,
    )  # fmt: skip
    counts, tally, left = (array.copy_to_host() for array in found)
    if left[0] >= len(left):
        return None
    return counts, tally, first + np.sort(left[1 : 1 + left[0]])


def _blocks(threads: int) -> int:
    """Return how many blocks play so many things at once, as many as a device keeps busy."""
    from numba import cuda
    from numba.core import config

    from ...kernels.samplers.gpu import THREADS

    simulated = config.ENABLE_CUDASIM  # type: ignore[attr-defined]  # numba sets it by name
    processors = 1 if simulated else cuda.get_current_device().MULTIPROCESSOR_COUNT
    return max(1, min(BLOCKS * processors, -(-threads // THREADS)))
