"""Abilities in tests of one die, and in the wounds of shots, sentence by sentence (W-7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from reference import exhaustive
from reference.book import Book, wound_outcome
from reference.disengage import difficulty as of_enemies
from reference.rolls import ATTACK, WOUND, Roll, final_result
from reference.shooting import MISS

AGAIN = 32  # slot of a test that is rolled again
WORSE = {"L": ("S", "C"), "S": ("C", "K"), "C": ("K", "K")}


@dataclass(frozen=True)
class Gifts:
    """What a fighter's abilities do: effects by name, and their numbers."""

    effects: frozenset[str] = frozenset()
    numbers: dict[str, int] = field(default_factory=dict)
    opens: frozenset[str] = frozenset()  # tests in which 5s are re-rolled like 6s
    suffered: dict[str, str] = field(default_factory=dict)  # what an outcome becomes
    locations: frozenset[int] = frozenset()  # lower dice that are ignored

    def has(self, effect: str) -> bool:
        return effect in self.effects


NONE = Gifts()


def open_faces(gifts: Gifts, test: str) -> tuple[int, ...]:
    """Dice that are re-rolled: 6s, for some 5s as well, for the cursed none."""
    if gifts.has("no_rerolls"):
        return ()
    return (5, 6) if test in gifts.opens else (6,)


def passed_once(
    book: Book, die: Callable[[int], int], value: int, least: int, faces: tuple[int, ...]
) -> bool:
    """A test whose open dice are re-rolled while it is not passed."""

    def passed(dice: list[int]) -> bool:
        result = final_result(book, dice, value)
        return result >= least and result > book.automatic_failure

    dice = [die(0)]
    while dice[-1] in faces and not passed(dice):
        dice.append(die(len(dice)))
    return passed(dice)


def test_passed(book: Book, roll: Roll, value: int, least: int, gifts: Gifts, test: str) -> bool:
    """A test; one that failed is rolled again by luck, and the second stays."""
    faces = open_faces(gifts, test)
    if passed_once(book, lambda index: roll(ATTACK, index), value, least, faces):
        return True
    if not gifts.has("luck"):
        return False
    return passed_once(book, lambda index: roll(AGAIN, index), value, least, faces)


test_passed.__test__ = False  # type: ignore[attr-defined]  # it is no test of pytest's


def chance(
    book: Book, value: int, least: int, gifts: Gifts, test: str, depth: int = 8
) -> tuple[Fraction, Fraction]:
    """Bounds of the chance of a test: all dice enumerated, up to ``depth`` of them."""
    faces = open_faces(gifts, test)
    law = exhaustive.law(
        lambda roll: passed_once(book, lambda index: roll(0, index), value, least, faces),
        depth=depth,
    )
    low = law.masses.get(True, Fraction(0))
    high = low + law.rest
    if gifts.has("luck"):  # two throws that know nothing of each other
        low, high = 1 - (1 - low) ** 2, 1 - (1 - high) ** 2
    return low, high


def disengaging(touching: int, gifts: Gifts) -> int:
    """Difficulty of M-7.2, or X if that is less."""
    usual = of_enemies(touching)
    return min(usual, gifts.numbers["disengage_most"]) if gifts.has("disengages") else usual


def outcome(
    book: Book, low: int, high: int, row: int, lines: int, own: Gifts, foe: Gifts, bane: bool
) -> str:
    """What both dice of a shot come to, before poison."""
    if low == high and foe.has("ignore_doubles"):
        return "-"
    if low == high and (own.has("kill_doubles") or (low == 6 and book.double_six_kills)):
        return "K"
    if low in foe.locations:
        return "-"
    if bane:
        lines += own.numbers["bane_rows"]
    elif foe.has("tough"):
        lines -= foe.numbers["tough_rows"]
    found = in_line(book, low, row, lines)
    return foe.suffered.get(found, found)


def in_line(book: Book, low: int, row: int, lines: int) -> str:
    """A cell of the printed table some lines down, or up; the first and the last stay."""
    last = len(book.wound_table) - 1
    line = 0 if row < 0 else min(1 + row // 2, last)
    line = min(max(line + lines, 0), last)
    return wound_outcome(book, low, 0, 2 * (line - 1) if line else -1)


def shot(
    book: Book,
    roll: Roll,
    aim: int,
    least: int,
    difference: int,
    still_lines: int,
    own: Gifts = NONE,
    foe: Gifts = NONE,
    bane: bool = False,
) -> str:
    """One shot: ``MISS``, or what becomes of the target."""
    if not test_passed(book, roll, aim, least, own, "shot"):
        return MISS
    return wound(book, roll, difference, still_lines, own, foe, bane)


def wound(
    book: Book, roll: Roll, difference: int, still_lines: int, own: Gifts, foe: Gifts, bane: bool
) -> str:
    """The wound of a shot that hit, with all that goes before and after the roll."""
    if foe.has("survival") and roll(WOUND, 4) >= foe.numbers["survival_die"]:
        return "-"
    low, high = sorted((roll(WOUND, 0), roll(WOUND, 1)))
    found = outcome(book, low, high, high + difference, still_lines, own, foe, bane)
    if own.has("toxic") and found in WORSE and not foe.has("immune_toxic"):
        twice = roll(WOUND, 3) <= own.numbers["toxic_twice"]
        found = WORSE[found][twice]
    return found
