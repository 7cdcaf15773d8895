"""Disengagement, sentence by sentence (M-7); dice from a function of the place in a chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reference import exhaustive
from reference.book import UNHURT, Book, Wounds, table_penalty, wound_penalty
from reference.rolls import final_result, shows_six

SIZES = ("small", "medium", "large", "very large")


@dataclass(frozen=True)
class Standing:
    """A fighter in contact."""

    size: str = "medium"
    INI: int = 3
    FOR: int = 3
    RES: int = 3
    wounds: Wounds = UNHURT
    charged: bool = False


def current(book: Book, fighter: Standing, characteristic: str) -> int:
    """What is left of a characteristic (W-3.2, M-5.1)."""
    value: int = getattr(fighter, characteristic)
    value -= wound_penalty(book, fighter.wounds, characteristic)
    if fighter.charged:
        value -= table_penalty(book, "charged", characteristic)
    return value


def may_try(assaulted: bool, touching: int, most: int) -> bool:
    """M-7.1."""
    return not assaulted and 0 < touching < most


def difficulty(touching: int, base: int = 4, per_enemy: int = 2) -> int:
    """M-7.2."""
    return base + per_enemy * touching


def value_by_force(book: Book, own: Standing, enemies: Sequence[Standing]) -> int | None:
    """What the die of a test of force is added to, None where there is no such test (M-7.3)."""
    for enemy in enemies:
        if SIZES.index(own.size) <= SIZES.index(enemy.size):
            return None
    left = current(book, own, "FOR") - max(current(book, enemy, "RES") for enemy in enemies)
    return left if left > 0 else None


def test_passed(book: Book, die: Callable[[int], int], value: int, least: int) -> bool:
    """A test of a characteristic; a 6 is re-rolled while it is not enough (W-1.1 to W-1.3)."""

    def passed(dice: list[int]) -> bool:
        result = final_result(book, dice, value)
        return result >= least and result > book.automatic_failure

    dice = [die(0)]
    while shows_six(dice) and not passed(dice):
        dice.append(die(len(dice)))
    return passed(dice)


test_passed.__test__ = False  # type: ignore[attr-defined]  # it is no test of pytest's


def chance(book: Book, value: int, least: int, depth: int = 16) -> tuple[Fraction, Fraction]:
    """Bounds of the chance of a test: all dice enumerated, up to ``depth`` of them."""
    law = exhaustive.law(
        lambda roll: test_passed(book, lambda index: roll(0, index), value, least), depth=depth
    )
    low = law.masses.get(True, Fraction(0))
    return low, low + law.rest
