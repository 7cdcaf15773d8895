"""What a combat is worth when players decide as well as they can: every decision branched on.

``Game(combat, score, best)`` plays the rules of C-3 to C-7 in their order. Where a side's
decision is in ``best``, every choice is tried: the lone fighter's player (side 0) takes the
one that is worth most, his enemies' player the one that is worth least. All others follow
the named policies of `choices`. Values are Fractions; a chain of 6s is kept after ``SIXES``
of them, which is wrong by at most 6**-SIXES of the span of the scores, a test.

Equal positions are worked out once. Nothing else is merged, but for two remarks:

* A defence test matters only in whether it parries, so its tree is one of chances to parry.
  A chain is then no more than: too low, high enough, or an open 6 that is still so and so
  far from the difficulty (a 6 after which nothing can be missing any more is one position,
  and re-rolling it for ever is a choice).
* A tie that is rolled again leads back to the same test: its worth is the number that the
  tree, asked with it, gives back (`chance_of_first_strike` checks that it does, exactly).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from reference.book import Book, Wounds
from reference.choices import (
    can_go_on,
    committed_dice,
    initiative_fighter,
    next_striker,
    next_target,
    placing_order,
    policy_of,
    split,
    sustains_now,
    wants_attack_reroll,
)
from reference.combat import (
    Blow,
    combat_dice,
    needs_attack_test,
    next_turn,
    one_side_dead,
    other_side_strikes,
    spend,
    with_first,
    wound,
)
from reference.exhaustive import parry_law, wound_law
from reference.rolls import wants_opposed_reroll
from reference.state import Combat, Position, alive, beginning, change, current, living, side_of

SIXES = 16
DICE = (1, 2, 3, 4, 5)
ZERO, ONE = Fraction(0), Fraction(1)
BEST = "best"

Score = Callable[[tuple[Wounds, ...]], Fraction]
Choices = frozenset[str]  # names of fields of ``Policy``
EVERY: Choices = frozenset(
    (
        "placement",
        "initiative",
        "strike_order",
        "target",
        "parry",
        "sustain",
        "reroll_attack",
        "reroll_defence",
        "reroll_initiative",
    )
)
NOTHING: Choices = frozenset()


def best_of(side: int, values: Iterable[Fraction]) -> Fraction:
    """What a side makes of its choices."""
    return max(values) if side == 0 else min(values)


# --- a die and its chain (W-1.2, W-1.3) -------------------------------------------------


class Chain(NamedTuple):
    """A die with its re-rolls: natural result, whether it shows a 6, whether a rule failed it."""

    natural: int
    open: bool = False
    failed: bool = False


def first_faces(book: Book) -> list[Chain]:
    """What a first die may show, each with 1/6."""
    one = Chain(1, failed=book.natural_one_fails)
    return [one, *(Chain(die) for die in DICE[1:]), Chain(6, open=True)]


def faces_after(book: Book, chain: Chain) -> list[Chain]:
    """What the re-roll of a 6 may lead to, each with 1/6."""
    one = {
        "reset": Chain(1),
        "add": Chain(chain.natural + 1),
        "fail": Chain(1, failed=True),
    }[book.reroll_one]
    others = [Chain(chain.natural + die) for die in DICE[1:]]
    return [one, *others, Chain(chain.natural + 6, open=True)]


# --- the defence test (C-6.4, W-1.4) ----------------------------------------------------

LOW, ENOUGH = -1, -2  # a die that is closed; 0, 1, 2, ... are open dice: 6s shown less one


@cache
def chance_to_parry(book: Book, dice: int, goal: int, wanted: bool) -> Fraction:
    """Most, or least, that dice re-rolled at will can do to reach a natural result (W-1.4).

    Every open 6 may be re-rolled, in any order, each starting a chain of its own; in
    editions of one chain, one 6 only, again and again.
    """
    choose = max if wanted else min

    def closed(chain: Chain) -> int:
        if chain.failed or chain.natural < goal:
            return LOW
        return ENOUGH

    def code(chain: Chain) -> int:
        """An open 6 that is enough stays so, however many come after it."""
        if not chain.open:
            return closed(chain)
        return min(chain.natural, 6 * max(1, -(-goal // 6))) // 6 - 1

    @cache
    def worth(shown: tuple[int, ...], last: int | None) -> Fraction:
        """Chance to parry from here; ``last`` is the die that one chain is bound to."""
        if ENOUGH in shown:
            return ONE
        naturals = [6 * (die + 1) for die in shown if die >= 0]
        kept = ONE if any(natural >= goal for natural in naturals) else ZERO
        choices = [kept]
        for k, die in enumerate(shown):
            if die < 0 or (last is not None and last != k):
                continue
            bound = k if book.many_dice == "one_chain" else None
            six = Chain(6 * (die + 1), open=True)
            if 6 * (die + 1) >= 6 * SIXES:
                continue
            *ends, again = (put(shown, k, code(face)) for face in faces_after(book, six))
            total = sum((worth(*follow(end, bound)) for end in ends), ZERO)
            if again == shown and bound == last:
                choices.append(total / 5)  # re-rolled until it is no 6
            else:
                choices.append((total + worth(*follow(again, bound))) / 6)
        return choose(choices)

    def follow(shown: tuple[int, ...], bound: int | None) -> tuple[tuple[int, ...], int | None]:
        """Equal positions alike: without a bound die, the order does not matter."""
        return (tuple(sorted(shown)), None) if bound is None else (shown, bound)

    def put(shown: tuple[int, ...], k: int, die: int) -> tuple[int, ...]:
        return (*shown[:k], die, *shown[k + 1 :])

    def rolled(shown: tuple[int, ...]) -> Fraction:
        if len(shown) == dice:
            return worth(*follow(shown, None))
        total = sum((rolled((*shown, code(face))) for face in first_faces(book)), ZERO)
        return total / 6

    return rolled(())


# --- the opposed test (C-4, W-1.5) ------------------------------------------------------


class Roll(NamedTuple):
    """Chances that the lone fighter's side wins a roll-off, and that it is a tie."""

    wins: Fraction
    ties: Fraction


def mean(rolls: Iterable[Roll]) -> Roll:
    listed = list(rolls)
    count = len(listed)
    return Roll(sum(r.wins for r in listed) / count, sum(r.ties for r in listed) / count)


def roll_off(
    book: Book,
    chooser: int,
    rerolls: tuple[str, str],
    characteristics: tuple[int, int],
    wants: int,
    tie: Fraction,
) -> Roll:
    """One roll-off, a tie being worth ``tie``; ``wants`` is the side that wants to strike first.

    Both roll; the side behind is asked about its 6 (equal: the one that did not choose the
    combat), then the other, until neither wants to. A side re-rolls by name, or as is best.
    """

    def worth(roll: Roll) -> Fraction:
        return roll.wins + roll.ties * tie

    def result(chain: Chain, side: int) -> int:
        return -(10**6) if chain.failed else chain.natural + characteristics[side]

    @cache
    def play(one: Chain, other: Chain) -> Roll:
        results = result(one, 0), result(other, 1)
        behind = 1 - chooser
        if results[0] != results[1]:
            behind = 0 if results[0] < results[1] else 1
        return asked((one, other), results, (behind, 1 - behind))

    def asked(
        chains: tuple[Chain, Chain], results: tuple[int, int], sides: tuple[int, ...]
    ) -> Roll:
        if not sides:
            return Roll(Fraction(results[0] > results[1]), Fraction(results[0] == results[1]))
        side, *others = sides
        declined = asked(chains, results, tuple(others))
        if not chains[side].open or sum(chain.natural // 6 for chain in chains) > SIXES:
            return declined
        named = rerolls[side] != BEST
        if named and not wants_opposed_reroll(rerolls[side], results[side], results[1 - side], [6]):
            return declined
        faces = faces_after(book, chains[side])
        rolled = mean(play(f, chains[1]) if side == 0 else play(chains[0], f) for f in faces)
        if named:
            return rolled
        gain = worth(rolled) - worth(declined)
        return rolled if (gain > 0 if side == wants else gain < 0) else declined

    faces = first_faces(book)
    return mean(play(one, other) for one in faces for other in faces)


@cache
def chance_of_first_strike(
    book: Book, chooser: int, rerolls: tuple[str, str], lead: int, wants: int
) -> Fraction:
    """Chance that the lone fighter's side strikes first, by how far his INI leads (C-4.3)."""
    characteristics = lead, 0
    known = None
    if book.opposed_tie == "coin":
        known = Fraction(1, 2)
    elif book.opposed_tie == "first":
        known = Fraction(chooser == 0)
    elif book.opposed_tie == "higher_characteristic" and lead != 0:
        known = Fraction(lead > 0)
    if known is not None:
        wins, ties = roll_off(book, chooser, rerolls, characteristics, wants, known)
        return wins + ties * known
    tie = Fraction(1, 2)
    for _ in range(20):
        wins, ties = roll_off(book, chooser, rerolls, characteristics, wants, tie)
        if wins + ties * tie == tie:
            return tie
        tie = wins / (1 - ties)
    raise AssertionError("no worth of a tie is what the roll-off gives back")


# --- the combat -------------------------------------------------------------------------


class Game:
    """One combat, its score, and the decisions left open to each side."""

    def __init__(self, combat: Combat, score: Score, best: tuple[Choices, Choices]):
        self.combat, self.score, self.best = combat, score, best
        self.passes: dict[Position, Fraction] = {}
        self.turns: dict[Position, Fraction] = {}

    def is_open(self, side: int, decision: str) -> bool:
        return decision in self.best[side]

    def value(self) -> Fraction:
        """What the combat is worth to side 0."""
        return self.turn(beginning(self.combat))

    def turn(self, position: Position) -> Fraction:
        """A turn, from the placing of dice on (C-3)."""
        if position not in self.turns:
            self.turns[position] = self.place(position, placing_order(self.combat), set())
        return self.turns[position]

    def end(self, position: Position) -> Fraction:
        """The end of a turn's combat."""
        if one_side_dead(position) or position.turn + 1 == self.combat.turns:
            return self.score(position.wounds)
        return self.turn(replace(next_turn(position), opening=-1))

    def place(self, position: Position, order: list[int], placed: set[int]) -> Fraction:
        """Everybody alive places his dice, one after the other (C-3.2)."""
        if one_side_dead(position):
            return self.end(position)
        if not order:
            return self.initiative(position)
        i, *rest = order
        if not alive(position, i):
            return self.place(position, rest, placed)
        combat, fighter = self.combat, self.combat.fighters[i]
        dice = combat_dice(combat, position, i)
        splits = [split(combat, position, i, dice, placed)]
        forced = fighter.placed is not None or (fighter.all_defence and position.turn == 0)
        if self.is_open(side_of(i), "placement") and not forced:
            splits = [(attack, dice - attack) for attack in range(dice + 1)]
        values = []
        for attack, defence in splits:
            allowed = defence >= attack
            after = change(position, i, attack=attack, defence=defence, may_sustain=allowed)
            values.append(self.place(after, rest, placed | {i}))
        return best_of(side_of(i), values)

    def initiative(self, position: Position) -> Fraction:
        """Who tests for the several, and the test (C-4)."""
        combat = self.combat
        worths = [self.strike_next(with_first(position, side)) for side in (0, 1)]
        testers = [initiative_fighter(combat, position, 1)]
        if self.is_open(1, "initiative"):
            testers = living(position, 1)
        own = current(combat, position, 0, "INI")
        bonus = combat.book.numbers_bonus * (len(living(position, 1)) - 1)
        values = []
        for i in testers:
            other = current(combat, position, i, "INI") + bonus
            chance = self.chance_of_first(own - other, 0 if worths[0] >= worths[1] else 1)
            values.append(chance * worths[0] + (1 - chance) * worths[1])
        return best_of(1, values)

    def chance_of_first(self, lead: int, wants: int) -> Fraction:
        rerolls = tuple(
            BEST if self.is_open(side, "reroll_initiative") else policy.reroll_initiative
            for side, policy in enumerate(self.combat.policies)
        )
        return chance_of_first_strike(self.combat.book, self.combat.chooser, rerolls, lead, wants)

    def strike_next(self, position: Position) -> Fraction:
        """The rest of a turn's combat, before an attack is named (C-5)."""
        if position not in self.passes:
            self.passes[position] = self.name_attack(position)
        return self.passes[position]

    def name_attack(self, position: Position) -> Fraction:
        if not can_go_on(self.combat, position):
            return self.end(position)
        combat, side = self.combat, position.striking
        if side == 0:
            pairs = [(0, j) for j in living(position, 1) if not position.done[j]]
            if position.attack[0] == 0:
                pairs = []
            if pairs and not self.is_open(0, "target"):
                pairs = [(0, next_target(combat, position, [j for _, j in pairs]))]
        else:
            ready = [i for i in living(position, 1) if position.attack[i] > 0]
            pairs = [(i, 0) for i in ready if not position.done[i]]
            if pairs and not self.is_open(1, "strike_order"):
                pairs = [(next_striker(combat, position, [i for i, _ in pairs]), 0)]
        if not pairs:
            return self.strike_next(other_side_strikes(position))
        return best_of(side, [self.declare(position, *pair) for pair in pairs])

    def declare(self, position: Position, striker: int, target: int) -> Fraction:
        """Target named, then dice committed to its defence (C-6.1, C-6.2, C-7)."""
        combat, side = self.combat, side_of(target)
        position = change(position, striker, attack=position.attack[striker] - 1)
        position = change(position, target if striker == 0 else striker, done=True)
        numbers = [committed_dice(combat, position, target)]
        if self.is_open(side, "parry") and not position.sustained[target]:
            numbers = list(range(position.defence[target] + 1))
        values = []
        for committed in numbers:
            blow = Blow(striker, target, committed)
            last = committed == 1 and position.defence[target] == 1
            may = last and position.may_sustain[target] and not position.sustained[target]
            declares = [sustains_now(combat, position, target, committed)]
            if self.is_open(side, "sustain"):
                declares = [False, True] if may else [False]
            for sustains in declares:
                after = change(position, target, sustained=True) if sustains else position
                values.append(self.attack(after, blow))
        return best_of(side, values)

    def attack(self, position: Position, blow: Blow) -> Fraction:
        """The attack test with its re-rolls, the defence test, the wound roll (C-6.3 to C-6.5)."""
        combat, book = self.combat, self.combat.book
        side, policy = side_of(blow.striker), policy_of(combat, blow.striker)
        attack = current(combat, position, blow.striker, "ATT")
        defence = current(combat, position, blow.target, "DEF")
        spent = spend(position, blow) if blow.committed else position
        hit = self.wound_roll(spent, blow)
        if not needs_attack_test(combat, position, blow):
            return hit
        failed = self.strike_next(position)
        parried = self.strike_next(spent) if blow.committed else hit
        gain = parried - hit
        if failed == parried == hit:
            return hit

        def resolved(chain: Chain) -> Fraction:
            if chain.failed or chain.natural + attack <= book.automatic_failure:
                return failed
            if blow.committed == 0:
                return hit
            chance = self.parry(blow, defence, chain.natural + attack, hit, parried)
            return hit + chance * gain

        def decided(chain: Chain) -> Fraction:
            kept = resolved(chain)
            if not chain.open or chain.natural == 6 * SIXES:
                return kept
            against = defence if blow.committed else None
            if self.is_open(side, "reroll_attack"):
                return best_of(side, [kept, rolled(faces_after(book, chain))])
            if wants_attack_reroll(book, policy, chain.natural, attack, against):
                return rolled(faces_after(book, chain))
            return kept

        def rolled(faces: list[Chain]) -> Fraction:
            return sum((decided(face) for face in faces), ZERO) / 6

        return rolled(first_faces(book))

    def parry(
        self, blow: Blow, defence: int, result: int, hit: Fraction, parried: Fraction
    ) -> Fraction:
        """Chance that the defence test equals the attack's result (C-6.4)."""
        side = side_of(blow.target)
        if self.is_open(side, "reroll_defence"):
            wanted = parried >= hit if side == 0 else parried <= hit
            return chance_to_parry(self.combat.book, blow.committed, result - defence, wanted)
        policy, book = policy_of(self.combat, blow.target), self.combat.book
        law = parry_law(book, policy.reroll_defence, blow.committed, defence, result)
        return law.masses.get(True, ZERO)

    def wound_roll(self, position: Position, blow: Blow) -> Fraction:
        """The wound roll of an attack that landed, and what comes after (C-6.5 to C-6.7)."""
        combat = self.combat
        strength = current(combat, position, blow.striker, "FOR")
        resistance = current(combat, position, blow.target, "RES")
        law = wound_law(combat.book, strength, resistance)
        return sum(
            (
                mass * self.strike_next(wound(combat, position, blow.target, outcome))
                for outcome, mass in law.masses.items()
            ),
            ZERO,
        )
