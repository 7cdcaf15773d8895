"""Orders of activation that contain a rout best and worst, by the mean number of units in rout.

All orders are looked at where that is soon done. Elsewhere a local search starts from the orders
outward and inward, and exchanges two units, or moves one, as long as that helps; it looks at
exact odds where they are quick to find, else at the same trials of every order, whose seed and
numbers are always the same. It proves nothing, and says so.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...profiles.message import say
from ..base.parallel import default_threads, in_order
from .exact import Law
from .layout import Order
from .play import count_chunk
from .question import Contagion

MOST_WORK = 3_000_000_000  # of a search of all orders, in steps of 2 to 7 nanoseconds
QUICK = 1_500_000  # steps of the exact odds of one order in a local search
TRIALS = 20_000  # of one order in a local search by trials
MOST_LOOKS = 1_500  # orders that a local search looks at from one start
_PART = 40_000_000  # steps between two chances for Ctrl-C
_ENDS = ("best", "worst")


@dataclass(frozen=True)
class Found:
    """An order, and how it was found."""

    order: Order
    told: str = ""  # how, in words; empty where nobody searched


class Odds:
    """Exact odds of orders of one question as floats, where there are few enough units."""

    def __init__(self, question: Contagion) -> None:
        self.question = question

    @property
    def known(self) -> bool:
        """Whether there are any."""
        from ...kernels.sheet.contagion_odds import MOST_FLEEING, MOST_STATIC

        most = MOST_FLEEING if self.question.flee else MOST_STATIC
        return len(self.question.layout) <= most

    @cached_property
    def neighbours(self) -> NDArray[np.uint64]:
        """Of each unit, as bits."""
        return np.array(self.question.layout.neighbours, np.uint64)

    @cached_property
    def states(self) -> NDArray[np.uint64]:
        """All states that some order leads to."""
        from ...kernels.sheet.contagion_odds import reachable

        found: NDArray[np.uint64] = reachable(
            self.neighbours, np.uint64(self.question.start), self.question.flee
        )
        return found

    @property
    def steps(self) -> int:
        """About how many steps the odds of one order take."""
        units = len(self.neighbours)
        sides = sum(word.bit_count() for word in self.question.layout.neighbours)
        return len(self.states) * (sides + 3 * units) * self.question.turns

    def room(self) -> NDArray[np.float64]:
        """Return room for the chances of all states."""
        units = len(self.neighbours)
        return np.zeros(1 << (2 * units if self.question.flee else units))

    @cached_property
    def _room(self) -> NDArray[np.float64]:
        return self.room()

    def law(self, order: Order) -> Law:
        """Return the odds of one order."""
        from ...kernels.sheet.contagion_odds import contagion_law

        law = np.zeros(len(order) + 1)
        asked = self.question
        lost = contagion_law(
            self.neighbours,
            self.states,
            np.uint64(asked.start),
            np.array(order),
            float(asked.fail),
            asked.turns,
            asked.flee,
            self._room,
            law,
        )
        return Law(tuple(law.tolist()), float(lost))


def search(
    question: Contagion, ends: Collection[str] = _ENDS, threads: int | None = None
) -> dict[str, Found]:
    """Return the best and the worst order of a question, or one of them.

    On equal means, ``inward`` is the best and ``outward`` the worst, or the first one as in a
    dictionary.
    """
    odds, units = Odds(question), len(question.layout)
    threads = threads or default_threads()
    if odds.known and factorial(units) * odds.steps <= MOST_WORK:
        return _all_orders(odds, threads)
    return _local(odds, [end for end in _ENDS if end in ends], threads)


# --- all orders -----------------------------------------------------------------------


@dataclass
class _Bounds:
    """The best and the worst of some orders, and how many are as good."""

    means: NDArray[np.float64]
    orders: NDArray[np.int64]
    equal: NDArray[np.int64]

    def take(self, other: "_Bounds") -> None:
        """Take in the bounds of later orders."""
        from ...kernels.sheet.contagion_odds import SAME

        for end, sign in enumerate((1, -1)):
            gain = sign * (self.means[end] - other.means[end])
            if gain > SAME:
                self.means[end], self.orders[end] = other.means[end], other.orders[end]
                self.equal[end] = other.equal[end]
            elif gain > -SAME:
                self.equal[end] += other.equal[end]


def _all_orders(odds: Odds, threads: int) -> dict[str, Found]:
    """Look at all orders, in parts that threads share."""
    units = len(odds.neighbours)
    total, step = factorial(units), max(_PART // odds.steps, 1)
    inward, outward = (odds.question.listed(order) for order in ("inward", "outward"))
    means = [float(odds.law(order).mean) for order in (inward, outward)]
    found = _Bounds(np.array(means), np.array([inward, outward]), np.zeros(2, np.int64))
    tasks = (_part(odds, first, min(step, total - first)) for first in range(0, total, step))
    for part in in_order(tasks, threads):
        found.take(part)
    return {
        end: Found(
            tuple(order.tolist()),
            say("{} of all {:,} orders, {}", _ENDS[i], total, _as_good(equal)),
        )
        for i, (end, order, equal) in enumerate(
            zip(_ENDS, found.orders, found.equal.tolist(), strict=True)
        )
    }


def _as_good(equal: int) -> str:
    return (
        say("no other has the same mean") if equal == 1 else say("{:,} have the same mean", equal)
    )


def _part(odds: Odds, first: int, count: int) -> Callable[[], _Bounds]:
    """Return the work of looking at some orders, told by their place in a dictionary."""
    asked, units = odds.question, len(odds.neighbours)

    def work() -> _Bounds:
        from ...kernels.sheet.contagion_odds import search_orders

        means = np.array([np.inf, -np.inf])
        found = _Bounds(means, np.zeros((2, units), np.int64), np.zeros(2, np.int64))
        search_orders(
            odds.neighbours,
            odds.states,
            np.uint64(asked.start),
            np.array(nth_order(units, first)),
            count,
            float(asked.fail),
            asked.turns,
            asked.flee,
            odds.room(),
            found.means,
            found.orders,
            found.equal,
        )
        return found

    return work


def nth_order(units: int, place: int) -> Order:
    """Return the order at a place, from 0, among all orders as in a dictionary.

    >>> [nth_order(3, place) for place in (0, 1, 5)]
    [(0, 1, 2), (0, 2, 1), (2, 1, 0)]
    """
    left, found = list(range(units)), []
    for remaining in range(units - 1, -1, -1):
        index, place = divmod(place, factorial(remaining))
        found.append(left.pop(index))
    return tuple(found)


# --- local search ---------------------------------------------------------------------


def _local(odds: Odds, ends: Sequence[str], threads: int) -> dict[str, Found]:
    """Improve the orders inward and outward by exchanges and moves, both for the best and worst."""
    exact = odds.known and odds.steps <= QUICK
    by = say("exact odds") if exact else say("{:,} trials each", TRIALS)
    starts = {"best": ("inward", "outward"), "worst": ("outward", "inward")}
    tasks = [
        _climb(odds.question, exact, 1.0 if end == "best" else -1.0, start)
        for end in ends
        for start in starts[end]
    ]
    ended = in_order(tasks, threads)
    found = {}
    for end, (one, other) in zip(ends, list(zip(ended, ended, strict=True)), strict=True):
        order = (other if other.value < one.value - 1e-12 else one).order
        told = say(
            "{} of {:,} orders that a local search looked at by {}",
            end,
            one.looks + other.looks,
            by,
        )
        found[end] = Found(order, say("{}; not proved", told))
    return found


class _Top(NamedTuple):
    """Where a local search ended: an order, its value, how many were looked at."""

    order: Order
    value: float
    looks: int


def _climb(question: Contagion, exact: bool, sign: float, start: str) -> Callable[[], _Top]:
    """Return the work of one local search, with room of its own."""
    return lambda: _improved(question.listed(start), _judge(Odds(question), exact, sign))


def _judge(odds: Odds, exact: bool, sign: float) -> Callable[[Order], tuple[float, float]]:
    """Return what gives an order's mean, times a sign, and what another must be lower by."""
    question = odds.question

    def by_odds(order: Order) -> tuple[float, float]:
        return sign * float(odds.law(order).mean), 1e-12

    def by_trials(order: Order) -> tuple[float, float]:
        # not the dice of the answer: the mean of what was chosen by its own dice is too good
        counts = count_chunk(question, order, 0, question.cell ^ 1, 0, TRIALS)
        mean, low, high = counts.mean_routed()
        return sign * mean, (high - low) / 2

    return by_odds if exact else by_trials


def _improved(order: Order, judge: Callable[[Order], tuple[float, float]]) -> _Top:
    """Return a local optimum near an order."""
    value, margin = judge(order)
    looks, better = 1, True
    while better and looks < MOST_LOOKS:
        better = False
        for near in _nearby(order):
            looks += 1
            found, spread = judge(near)
            if found < value - margin:
                order, value, margin, better = near, found, spread, True
                break
            if looks >= MOST_LOOKS:
                break
    return _Top(order, value, looks)


def _nearby(order: Order) -> Iterator[Order]:
    """Yield the orders with two units exchanged, then those with one unit moved elsewhere."""
    units = len(order)
    for one in range(units):
        for other in range(one + 1, units):
            near = list(order)
            near[one], near[other] = near[other], near[one]
            yield tuple(near)
    for one in range(units):
        for place in range(units):
            if abs(place - one) > 1:  # next to it: an exchange
                near = list(order)
                near.insert(place, near.pop(one))
                yield tuple(near)
