"""A search for better parameters by CMA-ES, of whatever it is told the worth of."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil, log10
from typing import Any, Protocol

import numpy as np

from ...profiles.errors import InputError
from ..base.libraries import check_installed
from ..base.run import until_stopped

SPREAD = 0.25
_STEPS = 1000  # a parameter's range is divided into at least so many
_SEEDS = 2**31 - 1  # cma takes seeds from 1 to that

Values = dict[str, float]
Worth = Callable[[Sequence[Values], int], Sequence[float]]


class Parameter(Protocol):
    """What is varied (`estoc.sim.battle.policy.Parameter`)."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def low(self) -> float:
        """Its least value."""

    @property
    def high(self) -> float:
        """Its greatest value."""

    @property
    def whole(self) -> bool:
        """Whether only whole numbers will do."""


@dataclass(frozen=True)
class Generation:
    """What a generation of candidates was worth."""

    number: int  # from 1
    # of its candidates, in the trials of this generation
    mean: float
    best: float
    spread: float  # of the next candidates, in shares of the first ones'
    values: Values  # the middle of the next candidates


def search(
    parameters: Sequence[Parameter],
    start: Values,
    worth: Worth,
    *,
    generations: int,
    candidates: int,
    seed: int,
    spread: float = SPREAD,
    partial: bool = False,
) -> list[Generation]:
    """Return the generations of a search; the values of the last one are the answer.

    The worth of candidates is known by sampling only, so the answer is not the best of them, but
    the middle of their distribution, which many trials have moved.
    """
    check_installed("cma", "tune")
    import cma

    if not parameters:
        raise InputError("tune: a policy without parameters cannot be tuned")
    found: list[Generation] = []
    with until_stopped(partial), _own_numbers():
        strategy = cma.CMAEvolutionStrategy(*_settings(parameters, start, candidates, seed, spread))
        for number in range(1, generations + 1):
            points = strategy.ask()
            asked = [_values(parameters, point) for point in points]
            worths = [float(value) for value in worth(asked, number)]
            strategy.tell(points, [-value for value in worths])
            found.append(
                Generation(
                    number,
                    sum(worths) / len(worths),
                    max(worths),
                    _spread(parameters, strategy.stds, spread),
                    _values(parameters, strategy.result.xfavorite),
                )
            )
    return found


@contextmanager
def _own_numbers() -> Iterator[None]:
    """Leave NumPy's global random numbers as they were: the library seeds them."""
    state = np.random.get_state()
    try:
        yield
    finally:
        np.random.set_state(state)


def _settings(
    parameters: Sequence[Parameter], start: Values, candidates: int, seed: int, spread: float
) -> tuple[list[float], float, dict[str, Any]]:
    """Return where the library begins, and its options.

    It cannot vary a single number: that one has a companion that nobody looks at.
    """
    lows, highs = [p.low for p in parameters], [p.high for p in parameters]
    first = [start[p.name] for p in parameters]
    if len(parameters) == 1:
        lows, highs, first = [*lows, 0.0], [*highs, 1.0], [*first, 0.5]
    options = {
        "bounds": [lows, highs],
        "CMA_stds": [high - low for low, high in zip(lows, highs, strict=True)],
        "integer_variables": [i for i, p in enumerate(parameters) if p.whole],
        "popsize": candidates,
        "seed": 1 + seed % _SEEDS,
        "verbose": -9,
        "verb_log": 0,
    }
    return first, spread, options


def _spread(parameters: Sequence[Parameter], deviations: Sequence[float], first: float) -> float:
    """Return how much candidates vary, on average, in shares of how much the first ones did."""
    ranges = [first * (p.high - p.low) for p in parameters]
    shares = [float(d) / width for d, width in zip(deviations, ranges, strict=False)]
    return sum(shares) / len(shares)


def _values(parameters: Sequence[Parameter], point: Sequence[float]) -> Values:
    """Return a point as values that are written with few digits, within their bounds."""
    found = {}
    for parameter, x in zip(parameters, point, strict=False):
        step = (parameter.high - parameter.low) / _STEPS
        decimals = 0 if parameter.whole else max(0, ceil(-log10(step)))
        value = round(float(x), decimals)
        found[parameter.name] = min(max(value, parameter.low), parameter.high)
    return found
