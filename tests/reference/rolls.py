"""Tests and wound rolls (W-1, W-2), each on a function that gives a die.

A ``roll`` is called with (slot, index) as in ``tape.Address``. Decisions about 6s come
in as functions or names, so that nothing here knows of fighters or combats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from reference.book import FAILED, Book, wound_outcome
from reference.feats import SIXES

Roll = Callable[[int, int], int]
Faces = tuple[int, ...]

ATTACK, WOUND, DEFENCE = 0, 1, 2  # slots of an attack; of the defence dice, the first
LONE, OTHER, COIN = 0, 1, 2  # slots of an initiative roll-off
LUCKY = 32  # added to the slots of an attack test or a defence test that is rolled again (W-7)
LUCKY_ROLL_OFF = 4  # the same in initiative, first time; 2 more each time
THIRD, TOXIC, SURVIVAL = 2, 3, 4  # indices of the slot of wounds: other dice than the two (W-7)


def shows_six(dice: Sequence[int], faces: Faces = SIXES) -> bool:
    """Whether the chain may go on: its last die is a 6 (W-1.2), or what is open like it (W-7)."""
    return dice[-1] in faces


def turned_to_one(dice: Sequence[int]) -> bool:
    """Whether a re-roll of the chain came up 1 (W-1.2)."""
    return len(dice) > 1 and dice[-1] == 1


def natural_result(book: Book, dice: Sequence[int]) -> int:
    """Natural result of a die and its re-rolls (W-1.2).

    A chain that fails by a rule has natural result 1 as well.
    """
    if turned_to_one(dice) and book.reroll_one in ("reset", "fail"):
        return 1
    return sum(dice)


def fails_by_rule(book: Book, dice: Sequence[int]) -> bool:
    """Whether a 1 fails the test whatever the characteristic (W-1.3, older editions)."""
    if turned_to_one(dice):
        return book.reroll_one == "fail"
    return len(dice) == 1 and dice[0] == 1 and book.natural_one_fails


def final_result(book: Book, dice: Sequence[int], characteristic: int) -> int:
    """Natural result + characteristic (W-1.1), or ``FAILED``."""
    if fails_by_rule(book, dice):
        return FAILED
    return natural_result(book, dice) + characteristic


class Result(NamedTuple):
    """A test that was made."""

    natural: int
    result: int
    passed: bool


def attack_can_fail(book: Book, attack: int) -> bool:
    """Whether one die could be an automatic failure (C-6.5, W-1.3).

    Nobody re-rolls a 6 that is enough, so only the first die is looked at.
    """
    return book.natural_one_fails or 1 + attack <= book.automatic_failure


def attack_test(
    book: Book,
    roll: Roll,
    attack: int,
    wants: Callable[[int], bool],
    faces: Faces = SIXES,
    slot: int = ATTACK,
) -> Result:
    """Attack test, one die with its re-rolls (C-6.3).

    ``wants`` says for a natural result that shows a 6 whether to re-roll it. Passed
    means: no automatic failure.
    """
    dice = [roll(slot, 0)]
    while shows_six(dice, faces) and wants(natural_result(book, dice)):
        dice.append(roll(slot, len(dice)))
    result = final_result(book, dice, attack)
    return Result(natural_result(book, dice), result, result > book.automatic_failure)


def die_to_reroll(
    book: Book, chains: list[list[int]], reroll: str, enough: bool, faces: Faces = SIXES
) -> int | None:
    """Which defence die is re-rolled next (W-1.2, W-1.4): the first that may, or none."""
    if reroll == "never" or (reroll == "needed" and enough):
        return None
    started = [j for j, dice in enumerate(chains) if len(dice) > 1]
    for j, dice in enumerate(chains):
        barred = book.many_dice == "one_chain" and started not in ([], [j])
        if shows_six(dice, faces) and not barred:
            return j
    return None


def best_chain(book: Book, chains: list[list[int]], characteristic: int) -> list[int]:
    """The die or chain that counts: the best result, first listed among equals (W-1.4)."""
    return max(chains, key=lambda dice: final_result(book, dice, characteristic))


def defence_result(book: Book, chains: list[list[int]], defence: int, difficulty: int) -> Result:
    """What defence dice are as they lie (C-6.4)."""
    best = best_chain(book, chains, defence)
    result = final_result(book, best, defence)
    parried = result >= difficulty and result > book.automatic_failure
    return Result(natural_result(book, best), result, parried)


def defence_test(
    book: Book,
    roll: Roll,
    committed: int,
    defence: int,
    difficulty: int,
    reroll: str,
    faces: Faces = SIXES,
    slot: int = DEFENCE,
) -> Result:
    """Defence test with the committed dice (C-6.4); passed means parried."""
    chains = [[roll(slot + j, 0)] for j in range(committed)]
    while True:
        test = defence_result(book, chains, defence, difficulty)
        j = die_to_reroll(book, chains, reroll, test.result >= difficulty, faces)
        if j is None:
            return test
        chains[j].append(roll(slot + j, len(chains[j])))


class WoundRoll(NamedTuple):
    """A wound roll that was made; row is higher die + FOR - RES."""

    outcome: str
    lower: int
    row: int


def wound_roll(book: Book, roll: Roll, strength: int, resistance: int) -> WoundRoll:
    """Two dice, never re-rolled (W-1.6, W-2)."""
    lower, higher = sorted((roll(WOUND, 0), roll(WOUND, 1)))
    row = higher + strength - resistance
    return WoundRoll(wound_outcome(book, lower, higher, row), lower, row)


class Opposed(NamedTuple):
    """A roll-off; winner -1 means a tie that is rolled again."""

    winner: int
    results: tuple[int, int]


def wants_opposed_reroll(
    reroll: str, own: int, other: int, dice: Sequence[int], faces: Faces = SIXES
) -> bool:
    """Whether a side re-rolls its 6: "needed" only when behind or equal (W-1.5)."""
    if not shows_six(dice, faces) or reroll == "never":
        return False
    return reroll == "always" or own <= other


def break_tie(book: Book, roll: Roll, characteristics: tuple[int, int], chooser: int) -> int:
    """Winner of an equal opposed test, -1 to roll again (C-4.3).

    "higher_characteristic" looks at the value tested, penalties and bonus included; equal
    again: rolled again.
    """
    if book.opposed_tie == "coin":
        return 0 if roll(COIN, 0) <= 3 else 1
    if book.opposed_tie == "first":
        return chooser
    if book.opposed_tie == "higher_characteristic" and characteristics[0] != characteristics[1]:
        return 0 if characteristics[0] > characteristics[1] else 1
    return -1


Chains = tuple[Sequence[int], Sequence[int]]
BOTH_SIXES = (SIXES, SIXES)


def opposed_results(
    book: Book, chains: Chains, characteristics: tuple[int, int]
) -> tuple[int, int]:
    """Results of both sides as their dice lie."""
    return (
        final_result(book, chains[0], characteristics[0]),
        final_result(book, chains[1], characteristics[1]),
    )


def who_rerolls(
    chains: Chains,
    results: tuple[int, int],
    rerolls: tuple[str, str],
    chooser: int,
    faces: tuple[Faces, Faces] = BOTH_SIXES,
) -> int | None:
    """The side that re-rolls a 6 next; the side that is behind is asked first (W-1.5)."""
    behind = 1 - chooser
    if results[0] != results[1]:
        behind = 0 if results[0] < results[1] else 1
    for side in (behind, 1 - behind):
        own, other = results[side], results[1 - side]
        if wants_opposed_reroll(rerolls[side], own, other, chains[side], faces[side]):
            return side
    return None


def opposed_winner(
    book: Book,
    roll: Roll,
    results: tuple[int, int],
    characteristics: tuple[int, int],
    chooser: int,
) -> Opposed:
    """Who has won with these results (W-1.1, C-4.3)."""
    if results[0] != results[1]:
        return Opposed(0 if results[0] > results[1] else 1, results)
    return Opposed(break_tie(book, roll, characteristics, chooser), results)


def opposed_test(
    book: Book,
    roll: Roll,
    characteristics: tuple[int, int],
    rerolls: tuple[str, str],
    chooser: int,
    faces: tuple[Faces, Faces] = BOTH_SIXES,
) -> Opposed:
    """One roll-off of an opposed test (W-1.5).

    Both roll. Then the side behind (equal: the side that did not choose the combat) is
    asked first about its 6, then the other; after a re-roll who is behind is looked at
    again. Nobody wants: the higher result wins. Results at or below 0 are compared as
    numbers; a side failed by a rule is below every number, two such sides are equal.
    """
    chains = ([roll(LONE, 0)], [roll(OTHER, 0)])
    while True:
        results = opposed_results(book, chains, characteristics)
        side = who_rerolls(chains, results, rerolls, chooser, faces)
        if side is None:
            return opposed_winner(book, roll, results, characteristics, chooser)
        chains[side].append(roll(side, len(chains[side])))


def rolled_again(
    book: Book,
    roll: Roll,
    slot: int,
    characteristic: int,
    standing: int,
    reroll: str,
    faces: Faces = SIXES,
) -> int:
    """Result of one side that rolls its part again by luck; the other's stands (W-7)."""
    dice = [roll(slot, 0)]
    while True:
        result = final_result(book, dice, characteristic)
        if not wants_opposed_reroll(reroll, result, standing, dice, faces):
            return result
        dice.append(roll(slot, len(dice)))
