"""Tests of the sheet: scripted passes and failures, or every branch with its exact chance."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import NamedTuple, Protocol

from estoc.kernels.layout.sheet import Modifier, Trial

NO_MODIFIER: frozenset[Modifier] = frozenset()


class Taken(NamedTuple):
    """A test: of a piece, or of a wing for Retreat and Demoralisation."""

    trial: Trial
    who: int
    modifiers: frozenset[Modifier] = NO_MODIFIER


class Dice(Protocol):
    """Anything that says whether a test fails."""

    def fails(self, test: Taken) -> bool: ...


class Script:
    """Tests pass (P) and fail (F) as written."""

    def __init__(self, letters: str = ""):
        self.letters = letters
        self.taken: list[Taken] = []

    def fails(self, test: Taken) -> bool:
        if len(self.taken) == len(self.letters):
            raise LookupError(f"no letter left for {test}")
        self.taken.append(test)
        return self.letters[len(self.taken) - 1] == "F"

    def finish(self) -> list[tuple[Trial, int]]:
        """The tests taken, once every letter was read."""
        if len(self.taken) < len(self.letters):
            raise LookupError(f"only {len(self.taken)} tests were taken")
        return [(test.trial, test.who) for test in self.taken]


class Branch:
    """Repeats a beginning, then passes; ``following`` is the next beginning."""

    def __init__(self, beginning: list[bool], chance: Callable[[Taken], Fraction]):
        self.answers = beginning
        self.chance = chance
        self.used = 0
        self.weight = Fraction(1)

    def fails(self, test: Taken) -> bool:
        if self.used == len(self.answers):
            self.answers.append(False)
        failed = self.answers[self.used]
        self.used += 1
        chance = self.chance(test)
        self.weight *= chance if failed else 1 - chance
        return failed

    def following(self) -> list[bool] | None:
        answers = list(self.answers)
        while answers and answers[-1]:
            answers.pop()
        return [*answers[:-1], True] if answers else None


def law(
    run: Callable[[Dice], Hashable], chance: Callable[[Taken], Fraction]
) -> dict[Hashable, Fraction]:
    """The exact law of what a run gives, every test failing or not (8.2)."""
    masses: dict[Hashable, Fraction] = {}
    beginning: list[bool] | None = []
    while beginning is not None:
        branch = Branch(beginning, chance)
        outcome = run(branch)
        if branch.weight:
            masses[outcome] = masses.get(outcome, Fraction(0)) + branch.weight
        beginning = branch.following()
    assert sum(masses.values()) == 1
    return masses
