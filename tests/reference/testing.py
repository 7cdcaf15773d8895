"""Tests and wound rolls of a battle, from its dice (W-1, W-2); re-rolls are read off the dice."""

from __future__ import annotations

from typing import NamedTuple

from reference.book import FAILED, Book
from reference.decisions import must
from reference.field import Game, Warrior
from reference.rolls import best_chain, break_tie, final_result, natural_result, shows_six

OUTCOMES = ("nothing", "stunned", "light", "serious", "critical", "killed")


class Tested(NamedTuple):
    """A test: what its dice gave, and in all; both None where a rule failed it."""

    natural: int | None
    result: int | None
    number: int  # the result as a number that can be compared
    dice: list[list[int]]

    def reaches(self, game: Game, difficulty: int) -> bool:
        """Whether it succeeds (W-1.1, W-1.3)."""
        return self.number >= difficulty and self.number > game.book.automatic_failure


def tested(game: Game, chain: list[int], value: int, dice: list[list[int]]) -> Tested:
    """A die and its re-rolls, taken together with a characteristic (W-1.1, W-1.2)."""
    number = final_result(game.book, chain, value)
    if number == FAILED:
        return Tested(None, None, number, dice)
    return Tested(natural_result(game.book, chain), number, number, dice)


def test_of(game: Game, roller: Warrior, value: int) -> Tested:
    """One die, a 6 re-rolled as often as its player did (W-1.2)."""
    dice = [game.dice.take(roller.number, 0)]
    while shows_six([dice[-1][1]]) and game.dice.follows(roller.number, len(dice)):
        dice.append(game.dice.take(roller.number, len(dice)))
    return tested(game, [die[1] for die in dice], value, dice)


test_of.__test__ = False  # type: ignore[attr-defined]  # it is no test of pytest's


def parry_of(game: Game, roller: Warrior, committed: int, value: int) -> Tested:
    """Several dice, each with re-rolls of its own; the best result counts (W-1.4)."""
    dice = [game.dice.take(roller.number, 0, place) for place in range(committed)]
    chains = [[die[1]] for die in dice]
    again = True
    while again:
        again = False
        for place, chain in enumerate(chains):
            if shows_six(chain) and game.dice.follows(roller.number, len(chain), place):
                started = [k for k, other in enumerate(chains) if len(other) > 1]
                single = game.book.many_dice == "best_chain" or started in ([], [place])
                must(single, "W-1.4", "one 6 only of several dice is re-rolled")
                dice.append(game.dice.take(roller.number, len(chain), place))
                chain.append(dice[-1][1])
                again = True
    return tested(game, best_chain(game.book, chains, value), value, dice)


def opposed(
    game: Game,
    purpose: str,
    testers: tuple[Warrior, Warrior],
    values: tuple[int, int],
    tie: str,
    chooser: int = -1,
) -> int:
    """Roll-offs until one of two has won: 0 or 1 (W-1.5, C-4.3)."""
    number = 0
    while True:
        winner, results, dice = roll_off(game, testers, values, tie, chooser)
        game.tell(
            "opposed",
            purpose=purpose,
            roll_off=number,
            testers=[tester.number for tester in testers],
            values=list(values),
            results=results,
            winner=winner,
            dice=dice,
        )
        if winner != -1:
            return winner
        number += 1


def roll_off(
    game: Game,
    testers: tuple[Warrior, Warrior],
    values: tuple[int, int],
    tie: str,
    chooser: int,
) -> tuple[int, list[int | None], list[list[int]]]:
    """One roll-off: its winner or -1, both results, the dice."""
    dice = [game.dice.take(tester.number, 0) for tester in testers]
    chains = [[die[1]] for die in dice]
    again = True
    while again:
        again = False
        for tester, chain in zip(testers, chains, strict=True):
            if shows_six(chain) and game.dice.follows(tester.number, len(chain)):
                dice.append(game.dice.take(tester.number, len(chain)))
                chain.append(dice[-1][1])
                again = True
    ends = [tested(game, chain, value, []) for chain, value in zip(chains, values, strict=True)]
    results = [end.result for end in ends]
    if ends[0].number != ends[1].number:
        return int(ends[1].number > ends[0].number), results, dice

    def coin(slot: int, index: int) -> int:
        """The coin is a die of the first tester's."""
        dice.append(game.dice.take(testers[0].number, 0))
        return dice[-1][1]

    winner = break_tie(Book(opposed_tie=tie), coin, values, chooser)
    return winner, results, dice


def tossed(game: Game, purpose: str) -> int:
    """A coin decides a test that nobody can make, or one side only (C-1.4, T-2.5)."""
    winner: int = game.choices.take("coin", "C-1.4", purpose=purpose)["winner"]
    game.tell("coin", purpose=purpose, winner=winner)
    return winner


def contest(
    game: Game, purpose: str, testers: list[Warrior | None], tie: str, nobody: str, led: bool
) -> int:
    """A test of Discipline of one fighter a side; wounds take nothing from it (C-1.4).

    Parameters
    ----------
    testers
        Of side A and of side B; None where nobody may make it.
    tie, nobody
        The edition's: what a tie is, and a side without a tester.
    led
        Whether a leader's Discipline helps (W-4.5, T-2.3).
    """
    one, other = testers
    if one is not None and other is not None:
        values = [(game.led(t, "DIS") if led else t.card["DIS"]) or 0 for t in (one, other)]
        return opposed(game, purpose, (one, other), (values[0], values[1]), tie)
    if (one is None) == (other is None) or nobody == "coin":
        return tossed(game, purpose)
    return int(one is None)


def wound_line(game: Game, row: int, down: int) -> str:
    """The line of the printed table for a row, or so many lines down (W-2.1, W-6)."""
    table = game.edition["wounds.table"]
    line = sum(row >= start for start in game.edition["wounds.starts"]) + down
    return str(table[min(line, len(table) - 1)])


def wound(
    game: Game, striker: Warrior, target: Warrior, strength: int, *, still: bool = False
) -> None:
    """A wound roll and what it does (W-2, W-3)."""
    edition = game.edition
    resistance = game.current(target, "RES")
    dice = [game.dice.take(striker.number, k) for k in range(2)]
    lower, higher = sorted(die[1] for die in dice)
    down = edition["shooting.still_lines"] if still else 0
    cells = wound_line(game, higher + strength - resistance, down).split()
    places = ("legs", "arms", "abdomen", "thorax", "head")
    outcome = cells[places.index(edition["wounds.places"][lower - 1])]
    if lower == higher == 6 and edition["wounds.double_six_kills"]:
        outcome = "K"
    game.hurt(target, outcome)
    said = dict(zip(("-", "St", "L", "S", "C", "K"), OUTCOMES, strict=True))
    game.tell(
        "wound",
        striker=striker.number,
        target=target.number,
        strength=strength,
        resistance=resistance,
        dice=dice,
        outcome=said[outcome],
        state=game.state(target),
        still=still,
    )
