"""Single tests of Confrontation as the dice libraries icepool and dyce state them.

A chain of sixes is cut after ``SIXES``, where the rest weighs less than 1e-13. Each job is
stated from the dice on and answered by an array of chances.
"""

import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...profiles.message import say

SIXES = 18
MISSED = -1
PEERS = ("icepool", "dyce")

Chances = NDArray[np.float64]


class Test(NamedTuple):
    """Figures of a test; every 6 is re-rolled, of several dice the best counts.

    attack, defence, dice : ATT, DEF and committed defence dice
    ini : both Initiatives of an opposed test
    wound : outcomes of the wound roll by (die 1 - 1) * 6 + die 2 - 1
    outcomes : how many there are
    """

    attack: int
    defence: int
    dice: int
    ini: tuple[int, int]
    wound: list[int]
    outcomes: int


Statements = dict[str, Callable[[Test], Chances]]


def statements(peer: str) -> Statements | None:
    """Return the tests as a library states them; None if it is not installed."""
    try:
        return {"icepool": by_icepool, "dyce": by_dyce}[peer]()
    except ImportError:
        return None


def by_icepool() -> Statements:
    """Return the tests as icepool states them."""
    import icepool
    from icepool import d6

    def chain(shown: int = 0, sixes: int = SIXES) -> icepool.Die:
        def then(die: int) -> icepool.Die | int:
            if die == 1:
                return 1
            return chain(shown + 6, sixes - 1) if die == 6 and sixes else shown + die

        return d6.map(then)

    def landing(test: Test) -> icepool.Die:
        natural = chain()
        return natural + test.attack > natural.highest(test.dice) + test.defence

    def attack(test: Test) -> Chances:
        return np.array([float(landing(test).probability(True))])

    def damage(test: Test) -> Chances:
        wound = icepool.map(lambda one, two: test.wound[6 * one + two - 7], d6, d6)
        ends = landing(test).map({False: MISSED, True: wound})
        return np.array([float(ends.probability(end)) for end in range(MISSED, test.outcomes)])

    def opposed(test: Test) -> Chances:
        natural = chain()
        sign = ((natural + test.ini[0]) - (natural + test.ini[1])).sign()
        return np.array([float(sign.probability(side)) for side in (1, 0, -1)])

    return {"attack": attack, "damage": damage, say("opposed test"): opposed}


def by_dyce() -> Statements:
    """Return the tests as dyce states them."""
    from dyce import H, HResult, P, expand
    from dyce.lifecycle import ExperimentalWarning

    def chain(shown: int = 0, sixes: int = SIXES) -> H[int]:
        def then(die: HResult[int]) -> H[int] | int:
            if die.outcome == 1:
                return 1
            goes_on = die.outcome == 6 and sixes
            return chain(shown + 6, sixes - 1) if goes_on else shown + die.outcome

        # unless told not to, expand cuts branches rarer than 1e-7
        return expand(then, H(6), min_path_probability=Fraction(0))

    def chance(law: H[int], outcome: int) -> float:
        return law.get(outcome, 0) / law.total

    def landing(test: Test) -> H[int]:
        natural = chain()
        best = (test.dice @ P(natural)).at(-1)
        return (natural + test.attack).gt(best + test.defence)

    def attack(test: Test) -> Chances:
        return np.array([chance(landing(test), True)])

    def damage(test: Test) -> Chances:
        wound = H(6).apply(lambda one, two: test.wound[6 * one + two - 7], H(6))
        ends = expand(lambda lands: wound if lands.outcome else MISSED, landing(test))
        return np.array([chance(ends, end) for end in range(MISSED, test.outcomes)])

    def opposed(test: Test) -> Chances:
        natural = chain()
        ours, theirs = natural + test.ini[0], natural + test.ini[1]
        sides = ours.apply(lambda one, two: (one > two) - (one < two), theirs)
        return np.array([chance(sides, side) for side in (1, 0, -1)])

    def quiet(statement: Callable[[Test], Chances]) -> Callable[[Test], Chances]:
        def answer(test: Test) -> Chances:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ExperimentalWarning)  # expand is
                return statement(test)

        return answer

    stated = {"attack": attack, "damage": damage, say("opposed test"): opposed}
    return {name: quiet(statement) for name, statement in stated.items()}
