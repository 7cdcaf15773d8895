"""Fear, sentence by sentence (W-4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from reference.book import Book
from reference.disengage import chance, test_passed

RALLY = 8  # W-4.4


@dataclass(frozen=True)
class Nerve:
    """What a card says of fear: COU or PEUR, and DIS."""

    COU: int | None = None
    PEUR: int | None = None
    DIS: int | None = None


def needed_test(own: Nerve, enemy: Nerve, command: int | None = None) -> tuple[int, int] | None:
    """What the die is added to, and the difficulty; None where there is no test (W-4.1).

    ``command`` is the printed COU of a leader near enough (W-4.5).
    """
    if enemy.PEUR is None:
        return None
    if own.PEUR is not None:
        return (own.PEUR, enemy.PEUR) if enemy.PEUR > own.PEUR else None
    courage = own.COU if command is None else command
    assert courage is not None
    return courage, enemy.PEUR


def rally_value(own: Nerve) -> int:
    """COU or DIS, player's choice (W-4.4)."""
    return max(value for value in (own.COU, own.DIS) if value is not None)


def holds(book: Book, die: Callable[[int], int], courage: int, difficulty: int) -> bool:
    """Whether a test of Courage succeeds (W-4.1, W-4.2)."""
    return test_passed(book, die, courage, difficulty)


def chance_to_hold(book: Book, courage: int, difficulty: int) -> tuple[Fraction, Fraction]:
    """Bounds of that chance, every sequence of dice enumerated."""
    return chance(book, courage, difficulty, depth=12)


def chance_to_rally(
    book: Book, own: Nerve, touches_fear: bool, difficulty: int = RALLY
) -> tuple[Fraction, Fraction]:
    """Bounds of the chance to rally: none while touching a frightening enemy (W-4.4)."""
    if touches_fear:
        return Fraction(0), Fraction(0)
    return chance(book, rally_value(own), difficulty, depth=12)
