"""The contagion of rout in rational numbers, over the states that one order leads to (8.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .layout import bits

MOST_STEPS = 300_000  # transitions from state to state: about a second

Number = Fraction | float
_State = tuple[int, int]  # who is in rout, who has fled, as bits
_Weights = dict[_State, int]


@dataclass(frozen=True)
class Law:
    """Exact odds of one order."""

    chances: tuple[Number, ...]  # by the number of units in rout at the end, from 0
    lost: Number  # mean number of activations of units in rout at their action step (A1)

    @property
    def mean(self) -> Number:
        """Mean number of units in rout."""
        return sum((k * p for k, p in enumerate(self.chances)), 0 * self.lost)


def rational_law(
    neighbours: Sequence[int],
    routed: int,
    order: Sequence[int],
    fail: Fraction,
    turns: int,
    flee: bool,
    most: int = MOST_STEPS,
) -> Law | None:
    """Return the odds of one order as fractions, None where they would take too long.

    Neighbours of each unit and who is in rout at the start are bits; a test fails with chance
    ``fail``; it gives up after ``most`` transitions. Weights are integers over one common
    denominator: an activation multiplies it by the ways of as many tests as it can ask for.

    >>> law = rational_law([2, 5, 2], 1, [2, 1, 0], Fraction(1, 2), 1, False)
    >>> [str(p) for p in law.chances], str(law.mean)
    (['0', '1/4', '3/4', '0'], '7/4')
    """
    weights: _Weights = {(routed, 0): 1}
    ways, lost, steps = 1, Fraction(0), 0
    for _ in range(turns):
        for unit in order:
            tests = {state: _testing(state, neighbours[unit], unit) for state in weights}
            steps += sum(1 << testing.bit_count() for testing in tests.values())
            if steps > most:
                return None
            rounds = max(testing.bit_count() for testing in tests.values())
            ways *= fail.denominator**rounds
            weights = _activated(weights, tests, unit, fail, rounds, flee)
            lost += Fraction(sum(w for (r, _), w in weights.items() if r >> unit & 1), ways)
    counts = [0] * (len(neighbours) + 1)
    for (in_rout, _), weight in weights.items():
        counts[in_rout.bit_count()] += weight
    return Law(tuple(Fraction(count, ways) for count in counts), lost)


def _testing(state: _State, neighbours: int, unit: int) -> int:
    """Return who tests when a unit is activated: its neighbours (S1a), itself (S1b), nobody."""
    routed, fled = state
    if routed >> unit & 1:
        return 0 if fled >> unit & 1 else neighbours & ~routed
    return 1 << unit if neighbours & routed & ~fled else 0


def _activated(
    weights: _Weights, tests: _Weights, unit: int, fail: Fraction, rounds: int, flee: bool
) -> _Weights:
    """Return the weights after an activation, over ``rounds`` more tests' denominators."""
    fails, passes, ways = fail.numerator, fail.denominator - fail.numerator, fail.denominator
    found: _Weights = {}
    for state, weight in weights.items():
        routed, fled = state
        size = tests[state].bit_count()
        for failed in _subsets(tests[state]):
            k = failed.bit_count()
            share = fails**k * passes ** (size - k)
            if not share:
                continue
            after = routed | failed
            gone = fled | 1 << unit if flee and after >> unit & 1 else fled
            found[after, gone] = found.get((after, gone), 0) + weight * share * ways ** (
                rounds - size
            )
    return found


def _subsets(word: int) -> Iterator[int]:
    """Yield the subsets of a set."""
    places = bits(word)
    for choice in range(1 << len(places)):
        yield sum(1 << place for i, place in enumerate(places) if choice >> i & 1)
