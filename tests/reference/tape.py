"""Where dice come from: a tape answers an address with a die."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol


class Address(NamedTuple):
    """Which die of a combat this is.

    kind is "initiative" (number: the roll-off, striker: the lone fighter 0, target: the
    other side's tester; slot 0 the lone side's die, 1 the other side's, 2 the coin) or
    "attack" (number: the pass; slot 0 the attack die, 1 the wound dice, 2 + j the
    committed defence die j). index is the place in the chain of re-rolls, 0 and 1 for
    the wound dice.
    """

    turn: int
    kind: str
    number: int
    striker: int
    target: int
    slot: int
    index: int


class Tape(Protocol):
    """Anything that answers an address with a die."""

    def die(self, address: Address) -> int: ...


class FunctionTape:
    """A tape that asks a function; it remembers what was asked."""

    def __init__(self, function: Callable[[Address], int]):
        self.function = function
        self.asked: list[Address] = []

    def die(self, address: Address) -> int:
        self.asked.append(address)
        return self.function(address)


class ScriptedTape:
    """A tape that gives listed dice in the order in which they are asked."""

    def __init__(self, values: Sequence[int]):
        self.values = list(values)
        self.used = 0

    def die(self, address: Address) -> int:
        if self.used == len(self.values):
            raise LookupError(f"no die left for {address}")
        self.used += 1
        return self.values[self.used - 1]

    def finish(self) -> None:
        """Complain about dice that nobody rolled."""
        if self.used < len(self.values):
            raise LookupError(f"{len(self.values) - self.used} dice were not rolled")


class Cut(Exception):
    """A branch asked for more dice than the enumeration allows."""


class ReplayTape:
    """A tape that repeats a beginning and goes on with the first face.

    ``following`` is the beginning of the next branch, so that a loop over it visits
    every sequence of faces once (an odometer whose last wheel turns first).
    """

    def __init__(self, beginning: Sequence[int], faces: Sequence[int], depth: int):
        self.positions = list(beginning)
        self.faces = faces
        self.depth = depth
        self.used = 0

    def next_die(self) -> int:
        if self.used == self.depth:
            raise Cut
        if self.used == len(self.positions):
            self.positions.append(0)
        self.used += 1
        return self.faces[self.positions[self.used - 1]]

    def die(self, address: Address) -> int:
        return self.next_die()

    def following(self) -> list[int] | None:
        positions = self.positions[: self.used]
        while positions and positions[-1] == len(self.faces) - 1:
            positions.pop()
        if not positions:
            return None
        positions[-1] += 1
        return positions
