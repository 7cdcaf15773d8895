"""Tests and wound rolls of a battle, from its dice (W-1, W-2); re-rolls are read off the dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from reference.book import FAILED, Book
from reference.book import OUTCOMES as OUTCOME_CODES
from reference.decisions import must
from reference.field import Game, Warrior
from reference.rolls import best_chain, break_tie, final_result, natural_result

OUTCOMES = ("nothing", "stunned", "light", "serious", "critical", "killed")
CODES = dict(zip(OUTCOMES, OUTCOME_CODES, strict=True))


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


def opens(roller: Warrior, test: str) -> tuple[int, ...]:
    """Dice of a test that may be re-rolled: 6s, for some 5s too, for the cursed none (W-7)."""
    if roller.has("no_rerolls"):
        return ()
    return (5, 6) if test in roller.words("open_rolls") else (6,)


def chain_of(game: Game, roller: Warrior, test: str) -> list[list[int]]:
    """One die, re-rolled while it is open as often as its player did (W-1.2)."""
    dice, faces = [game.dice.take(roller.number, 0)], opens(roller, test)
    while dice[-1][1] in faces and game.dice.follows(roller.number, len(dice)):
        dice.append(game.dice.take(roller.number, len(dice)))
    return dice


def luck_is_used(game: Game, roller: Warrior) -> bool:
    """Whether a fighter's player has this test rolled again; it costs him luck (W-7)."""
    if not game.choices.next_is("feat", fighter=roller.number, effect="luck"):
        return False
    game.choices.take("feat", "W-7")
    must(roller.luck > 0, "W-7", f"fighter {roller.number} has no luck left")
    roller.luck -= 1
    return True


def test_of(
    game: Game,
    roller: Warrior,
    value: int,
    test: str,
    against: Warrior,
    slot: int,
    difficulty: int | None,
) -> Tested:
    """One die with its re-rolls; by luck all of it again, and the second result stays (W-7).

    Against a ``difficulty`` only a test that failed is rolled again, and what is told of the first
    is its natural result.
    """
    dice = chain_of(game, roller, test)
    first = tested(game, [die[1] for die in dice], value, dice)
    if not luck_is_used(game, roller):
        return first
    if difficulty is not None:
        must(not first.reaches(game, difficulty), "W-7", "luck is for a test that failed")
    given_up = first.result if difficulty is None else first.natural
    game.feat(roller, "luck", against, slot, given_up, dice=dice)
    dice = chain_of(game, roller, test)
    return tested(game, [die[1] for die in dice], value, dice)


test_of.__test__ = False  # type: ignore[attr-defined]  # it is no test of pytest's


def parry_of(game: Game, roller: Warrior, committed: int, value: int) -> Tested:
    """Several dice, each with re-rolls of its own; the best result counts (W-1.4)."""
    faces = opens(roller, "defence")
    dice = [game.dice.take(roller.number, 0, place) for place in range(committed)]
    chains = [[die[1]] for die in dice]
    again = True
    while again:
        again = False
        for place, chain in enumerate(chains):
            if chain[-1] in faces and game.dice.follows(roller.number, len(chain), place):
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
    again: Callable[[], None] = lambda: None,
) -> int:
    """Roll-offs until one of two has won: 0 or 1 (W-1.5, C-4.3); ``again`` before a further one."""
    number = 0
    while True:
        test = "initiative" if purpose == "initiative" else "discipline"
        winner, results, dice = roll_off(game, testers, values, tie, chooser, test)
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
        again()


def roll_off(
    game: Game,
    testers: tuple[Warrior, Warrior],
    values: tuple[int, int],
    tie: str,
    chooser: int,
    test: str,
) -> tuple[int, list[int | None], list[list[int]]]:
    """One roll-off: its winner or -1, both results, the dice of it that were not given up."""
    dice = [game.dice.take(tester.number, 0) for tester in testers]
    chains = [[die[1]] for die in dice]
    again = True
    while again:
        again = False
        for tester, chain in zip(testers, chains, strict=True):
            open_die = chain[-1] in opens(tester, test)
            if open_die and game.dice.follows(tester.number, len(chain)):
                dice.append(game.dice.take(tester.number, len(chain)))
                chain.append(dice[-1][1])
                again = True
    ends = [tested(game, chain, value, []) for chain, value in zip(chains, values, strict=True)]
    while ends[0].number != ends[1].number:  # who has lost may roll again, by luck (W-7)
        side = int(ends[1].number < ends[0].number)
        if not luck_is_used(game, testers[side]):
            break
        game.feat(testers[side], "luck", testers[1 - side], side, ends[side].result, dice=dice)
        dice = chain_of(game, testers[side], test)
        ends[side] = tested(game, [die[1] for die in dice], values[side], [])
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
        values = [(game.led(t, "DIS") if led else game.own(t, "DIS")) or 0 for t in (one, other)]
        return opposed(game, purpose, (one, other), (values[0], values[1]), tie)
    if (one is None) == (other is None) or nobody == "coin":
        return tossed(game, purpose)
    return int(one is None)


def wound_line(game: Game, row: int, down: int) -> str:
    """The line of the printed table for a row, or so many lines down or up (W-2.1, W-6)."""
    table = game.edition["wounds.table"]
    line = sum(row >= start for start in game.edition["wounds.starts"]) + down
    return str(table[min(max(line, 0), len(table) - 1)])


def outcome_of(
    game: Game, striker: Warrior, target: Warrior, pair: tuple[int, int], row: int, down: int,
    weapon: str,
) -> str:  # fmt: skip
    """What two dice come to, before poison: in the order of W-7."""
    edition, (lower, higher) = game.edition, pair
    double = lower == higher
    if double and target.has("ignore_doubles"):
        return "nothing"
    if double and weapon in striker.words("kill_weapons"):
        return "killed"
    if double and lower == 6 and edition["wounds.double_six_kills"]:
        return "killed"
    if lower in target.words("ignored_locations"):
        return "nothing"
    if target.number in striker.card.get("banes", ()):
        down += striker.amount("bane", "bane_rows")
    else:
        down -= target.amount("tough", "tough_rows")
    cells = wound_line(game, row, down).split()
    places = ("legs", "arms", "abdomen", "thorax", "head")
    said = dict(zip(("-", "St", "L", "S", "C", "K"), OUTCOMES, strict=True))
    outcome: str = said[cells[places.index(edition["wounds.places"][lower - 1])]]
    if weapon == "melee":
        outcome = striker.card.get("dealt", {}).get(outcome, outcome)
    changed: str = target.card.get("suffered", {}).get(outcome, outcome)
    return changed


def survives(game: Game, striker: Warrior, target: Warrior) -> bool:
    """A die that may cancel the wound roll (W-7)."""
    if not target.has("survival"):
        return False
    die = game.dice.take(target.number, 4)
    saved = die[1] >= target.amount("survival", "survival_die")
    game.feat(target, "survival", striker, die[1], int(saved), dice=[die])
    return saved


def poisoned(game: Game, striker: Warrior, target: Warrior, outcome: str) -> str:
    """A wound one level worse, or two, by a die (W-7)."""
    immune = not striker.has("toxic") or target.has("immune_toxic")
    if immune or outcome not in ("light", "serious", "critical"):
        return outcome
    die = game.dice.take(striker.number, 3)
    worse = 2 if die[1] <= striker.amount("toxic", "toxic_twice") else 1
    game.feat(striker, "toxic", target, die[1], worse, dice=[die])
    return OUTCOMES[min(OUTCOMES.index(outcome) + worse, len(OUTCOMES) - 1)]


def wound(
    game: Game,
    striker: Warrior,
    target: Warrior,
    strength: int,
    *,
    still: bool = False,
    weapon: str = "melee",
    rolled: int = 2,
) -> bool:
    """A wound roll and what it does (W-2, W-3); False: a die of the target has cancelled it."""
    edition = game.edition
    if survives(game, striker, target):
        return False
    resistance = game.current(target, "RES")
    dice = [game.dice.take(striker.number, k) for k in range(rolled)]
    lower, higher = sorted(die[1] for die in dice)[-2:]
    down = edition["shooting.still_lines"] if still else 0
    row = higher + strength - resistance
    outcome = outcome_of(game, striker, target, (lower, higher), row, down, weapon)
    outcome = poisoned(game, striker, target, outcome)
    game.hurt(target, CODES[outcome], striker)
    game.tell(
        "wound",
        striker=striker.number,
        target=target.number,
        strength=strength,
        resistance=resistance,
        dice=dice,
        outcome=outcome,
        state=game.state(target),
        still=still,
    )
    return True
