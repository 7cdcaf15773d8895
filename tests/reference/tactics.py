"""The Tactics roll: who may make it, who wins it (T-2.3 to T-2.6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from reference import exhaustive
from reference.book import Book
from reference.rolls import opposed_test


@dataclass(frozen=True)
class Candidate:
    """Fighters of one card, as far as the roll is concerned."""

    people: str
    abilities: tuple[str, ...] = ()
    routed: bool = False


def alliances(candidate: Candidate) -> set[str]:
    """Each X of Alliance/X."""
    parts = [ability.split("/") for ability in candidate.abilities if "/" in ability]
    return {x.strip() for name, x in parts if name.strip() == "Alliance"}


def may_roll(candidate: Candidate, people: str, path: str, routed_may_roll: bool = True) -> bool:
    """Whether a fighter may make the roll of an army of this people and path of alliance.

    Whoever is not of the people is an ally, whatever else he is: Immortal/X, Elemental/X and
    Mercenary bar nobody of the people and nobody whom Alliance/X lets in (T-2.3).
    """
    if candidate.routed and not routed_may_roll:  # T-2.6
        return False
    if candidate.people == people:
        return True
    return bool(alliances(candidate) & {people, path})


# --- the roll -------------------------------------------------------------------------

Die = Callable[[int, int, int], int]  # number of the roll-off, slot, place in the chain


def winner_of_roll(
    book: Book,
    disciplines: tuple[int, int],
    rerolls: tuple[str, str],
    asked_last: int,
    die: Die,
) -> int:
    """Side that wins (T-2.3, T-2.4); ``book.opposed_tie`` says what a tie is."""
    number = 0
    while True:
        test = opposed_test(
            book,
            lambda slot, index, number=number: die(number, slot, index),
            disciplines,
            rerolls,
            asked_last,
        )
        if test.winner >= 0:
            return test.winner
        number += 1


def chance_to_win(
    book: Book, disciplines: tuple[int, int], rerolls: tuple[str, str], depth: int = 16
) -> tuple[Fraction, Fraction]:
    """Bounds of the chance that side 0 wins: all dice enumerated, up to ``depth`` of them.

    Who is asked last about his 6 is left to a coin, since nobody chose this test. A tie that
    is rolled again counts for nothing; one that a coin decides counts half.
    """
    mass = {0: Fraction(0), 1: Fraction(0), -1: Fraction(0)}
    rest = Fraction(0)
    silent = replace(book, opposed_tie="reroll") if book.opposed_tie == "coin" else book
    for asked_last in (0, 1):
        found = exhaustive.law(
            lambda roll, last=asked_last: opposed_test(silent, roll, disciplines, rerolls, last)[0],
            depth=depth,
        )
        for winner, part in found.masses.items():
            mass[winner] += part / 2
        rest += found.rest / 2
    if book.opposed_tie == "coin":
        low = mass[0] + mass[-1] / 2
        return low, low + rest
    decided = mass[0] + mass[1]
    return mass[0] / (decided + rest), (mass[0] + rest) / (decided + rest)


def won_without_a_roll(able: tuple[bool, bool], no_fighter: str) -> Fraction | None:
    """Chance that side 0 wins where a side has nobody who may roll (T-2.5); None: they roll."""
    if all(able):
        return None
    if able[0] == able[1] or no_fighter == "coin":
        return Fraction(1, 2)
    return Fraction(int(able[0]))
