"""The contagion of rout, sentence by sentence: S1a, S1b, S2d's principle, A1, section 8.1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

Law = dict[tuple[int, int], Fraction]  # by units in rout and activations lost
Beside = Sequence[set[int]]


class OutOfTape(Exception):
    """A test that the tape says nothing of."""


def play(
    beside: Beside,
    first: set[int],
    order: Sequence[int],
    turns: int,
    flee: bool,
    fails: Callable[[], bool],
    chain: bool = False,
) -> tuple[int, int]:
    """Units in rout at the end, and activations lost to A1.

    ``fails`` is asked once a test. ``chain`` is the wrong reading of S1b: who fails makes the
    neighbours test at once.
    """
    routed, there, lost = set(first), set(range(len(beside))), 0

    def communicate(unit: int) -> None:
        """S1a: every adjacent friend who is not in rout tests, activated or not."""
        for friend in sorted(beside[unit] & there):
            if friend not in routed and fails():
                routed.add(friend)

    for _ in range(turns):
        for unit in order:
            if unit in routed:
                if unit in there:
                    communicate(unit)
            elif beside[unit] & routed & there and fails():  # S1b: one test
                routed.add(unit)
                if chain:
                    communicate(unit)
            if unit in routed:  # A1
                lost += 1
                if flee:
                    there.discard(unit)
    return len(routed), lost


def law(
    beside: Beside,
    first: set[int],
    order: Sequence[int],
    q: Fraction,
    turns: int = 1,
    flee: bool = False,
    chain: bool = False,
) -> Law:
    """Exact odds: every tape of passes and failures, played from the start (8.2)."""
    found: Law = {}
    tapes: list[tuple[bool, ...]] = [()]
    while tapes:
        tape = tapes.pop()
        left = list(reversed(tape))

        def fails(left: list[bool] = left) -> bool:
            if not left:
                raise OutOfTape
            return left.pop()

        try:
            end = play(beside, first, order, turns, flee, fails, chain)
        except OutOfTape:
            tapes += [(*tape, False), (*tape, True)]
            continue
        weight = q ** sum(tape) * (1 - q) ** (len(tape) - sum(tape))
        found[end] = found.get(end, Fraction(0)) + weight
    return found


def sizes(found: Law, units: int) -> list[Fraction]:
    """The chances of 0, 1, … units in rout."""
    return [
        sum((p for (k, _), p in found.items() if k == n), Fraction(0)) for n in range(units + 1)
    ]


def mean_lost(found: Law) -> Fraction:
    """The mean number of activations lost to A1."""
    return sum((p * lost for (_, lost), p in found.items()), Fraction(0))
