"""Wound rolls with abilities (W-2, W-7): which dice count, what they say, what it becomes."""

from __future__ import annotations

from typing import NamedTuple

from reference.book import OUTCOMES, Book, table_outcome
from reference.feats import amount, becomes, has, ignores_location, kills_by_doubles, number
from reference.rolls import SURVIVAL, THIRD, TOXIC, WOUND, Roll, WoundRoll
from reference.state import Fighter

DICE = 2  # of a wound roll (W-1.6)
POISONED = ("L", "S", "C")


class Hit(NamedTuple):
    """A blow that landed: all that its wound roll depends on."""

    striker: Fighter
    target: Fighter
    strength: int
    resistance: int
    bane: bool = False  # the striker is one of the target's
    fresh: bool = False  # his first wound roll after a charge
    all_attack: bool = False


class Wounding(NamedTuple):
    """A wound roll that was made; survived: it was not made."""

    survived: bool = False
    outcome: str = "-"
    lower: int = 0
    row: int = 0
    toxic: int = 0  # levels that poison adds
    dice: tuple[int, int] = (0, 0)  # of survival and of poison


def rolls_three(hit: Hit) -> bool:
    """Whether more dice are rolled than count (Assassin)."""
    return hit.fresh and has(hit.striker, "wound_dice")


def rows_down(hit: Hit) -> int:
    """Lines towards killed; a bane cancels the target's toughness."""
    if hit.bane:
        return amount(hit.striker, "bane", "bane_rows")
    return -amount(hit.target, "tough", "tough_rows")


def row_of(hit: Hit, higher: int) -> int:
    """Higher die + FOR - RES, and what is added to it (W-2.1)."""
    bonus = amount(hit.striker, "all_attack_wound") if hit.all_attack else 0
    return higher + hit.strength - hit.resistance + bonus


def told_by_dice(book: Book, hit: Hit, lower: int, higher: int) -> str:
    """What the two dice that count say, the first of these that applies."""
    double = lower == higher
    if double and has(hit.target, "ignore_doubles"):
        return "-"
    if double and kills_by_doubles(hit.striker):
        return "K"
    if (lower, higher) == (6, 6) and book.double_six_kills:
        return "K"
    if ignores_location(hit.target, lower):
        return "-"
    return table_outcome(book, lower, row_of(hit, higher), rows_down(hit))


def read_dice(book: Book, hit: Hit, dice: list[int]) -> WoundRoll:
    """A wound roll without poison: by the dice, then by the striker, then by the target."""
    lower, higher = sorted(dice)[-DICE:]
    outcome = told_by_dice(book, hit, lower, higher)
    outcome = becomes(hit.striker, "dealt", outcome)
    outcome = becomes(hit.target, "suffered", outcome)
    return WoundRoll(outcome, lower, row_of(hit, higher))


def poisons(hit: Hit, outcome: str) -> bool:
    """Whether a die of Toxique is rolled."""
    immune = has(hit.target, "immune_toxic")
    return outcome in POISONED and has(hit.striker, "toxic") and not immune


def worse(outcome: str, levels: int) -> str:
    """A result so many levels worse, killed at most."""
    return OUTCOMES[min(OUTCOMES.index(outcome) + levels, len(OUTCOMES) - 1)]


def wound_test(book: Book, roll: Roll, hit: Hit) -> Wounding:
    """The die of survival, the dice of the wound, the die of poison."""
    survival = 0
    if has(hit.target, "survival"):
        survival = roll(WOUND, SURVIVAL)
        if survival >= number(hit.target, "survival_die"):
            return Wounding(survived=True, dice=(survival, 0))
    dice = [roll(WOUND, 0), roll(WOUND, 1)]
    if rolls_three(hit):
        dice += [roll(WOUND, k) for k in range(THIRD, number(hit.striker, "wound_dice"))]
    outcome, lower, row = read_dice(book, hit, dice)
    if not poisons(hit, outcome):
        return Wounding(False, outcome, lower, row, 0, (survival, 0))
    die = roll(WOUND, TOXIC)
    levels = 1 if die > number(hit.striker, "toxic_twice") else 2
    return Wounding(False, worse(outcome, levels), lower, row, levels, (survival, die))
