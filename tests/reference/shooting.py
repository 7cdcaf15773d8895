"""Shooting, sentence by sentence (W-6); dice from a roll of (slot, index)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from reference import exhaustive
from reference.book import Book, wound_outcome
from reference.disengage import test_passed
from reference.rolls import ATTACK, WOUND, Roll

BANDS = ("short", "medium", "long")
MISS = "miss"


@dataclass(frozen=True)
class Customs:
    """Difficulties by band, and what a shooter's walk changes."""

    difficulties: tuple[int, int, int] = (4, 7, 10)
    moved: int = 1
    still_lines: int = 1


def band(ranges: tuple[float, float, float], distance: float) -> str | None:
    """The first range that is enough, None beyond the last."""
    for name, reach in zip(BANDS, ranges, strict=True):
        if reach and distance <= reach + 1e-6:
            return name
    return None


def difficulty(customs: Customs, name: str, moved: bool, cover: int) -> int:
    """4, 7 or 10; 1 more after a walk, X more for Target/X."""
    value = customs.difficulties[BANDS.index(name)] + cover
    return value + customs.moved if moved else value


def outcome_lines_down(book: Book, low: int, high: int, row: int, lines: int) -> str:
    """A cell of the printed table, read some of its lines further down, at most the last."""
    if (low, high) == (6, 6) and book.double_six_kills:
        return "K"
    line = 0 if row < 0 else min(1 + row // 2, len(book.wound_table) - 1)
    start = 2 * (min(line + lines, len(book.wound_table) - 1) - 1)
    return wound_outcome(book, low, high, start if start >= 0 else -1)


def wound(book: Book, roll: Roll, difference: int, lines: int) -> str:
    """Two dice, never re-rolled (W-1.6); the lower says where, the higher how hard."""
    low, high = sorted((roll(WOUND, 0), roll(WOUND, 1)))
    return outcome_lines_down(book, low, high, high + difference, lines)


def shoot(
    book: Book, customs: Customs, roll: Roll, aim: int, least: int, difference: int, moved: bool
) -> str:
    """One shot: ``MISS``, or the outcome of the wound roll."""
    if not test_passed(book, lambda index: roll(ATTACK, index), aim, least):
        return MISS
    return wound(book, roll, difference, 0 if moved else customs.still_lines)


def chance_to_hit(book: Book, aim: int, least: int, depth: int = 16) -> tuple[Fraction, Fraction]:
    """Bounds of the chance: every sequence of dice enumerated."""
    law = exhaustive.law(
        lambda roll: test_passed(book, lambda index: roll(ATTACK, index), aim, least), depth=depth
    )
    low = law.masses.get(True, Fraction(0))
    return low, low + law.rest


def wound_law(book: Book, difference: int, lines: int) -> dict[str, Fraction]:
    """Chance of each outcome of a shot that hit."""
    law = exhaustive.law(lambda roll: wound(book, roll, difference, lines))
    return {str(outcome): mass for outcome, mass in law.masses.items()}
