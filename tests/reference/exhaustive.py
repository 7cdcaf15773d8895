"""Exact laws as Fractions, by enumerating dice on a replaying tape.

``law`` enumerates every sequence of dice of one test; a sequence longer than ``depth``
dice is cut and its mass is returned as the rest. ``exact`` puts the laws of the tests of
a combat together, merging equal positions after each attack. ``every_die`` enumerates
every die of whole combats and merges nothing: it is the check of ``exact``.

All masses are exact: outcomes and rest sum to 1. ``faces`` replaces the six faces of a
die, so that whole combats with many dice can be enumerated die by die in a test.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from reference.book import Book
from reference.choices import policy_of, wants_attack_reroll
from reference.combat import (
    Blow,
    InitiativeTest,
    initiative_values,
    needs_attack_test,
    next_blow,
    next_turn,
    one_side_dead,
    place_dice,
    play,
    roll_off,
    spend,
    with_first,
    wound,
)
from reference.rolls import Roll, attack_test, defence_test, wound_roll
from reference.state import Combat, Policy, Position, beginning, current
from reference.tape import Cut, ReplayTape

SIX = (1, 2, 3, 4, 5, 6)
DEPTH = 20  # dice of one test: what is cut off weighs about 6^-20

Masses = dict[Hashable, Fraction]


class Law(NamedTuple):
    """Masses of outcomes, and the rest that was cut off."""

    masses: Masses
    rest: Fraction


class Final(NamedTuple):
    """How a combat ended: state code of each fighter, winner of the first initiative."""

    states: tuple[int, ...]
    first: int


def collect(pairs: Iterable[tuple[Hashable, Fraction]]) -> Masses:
    """Add up the masses of equal outcomes."""
    masses: Masses = {}
    for outcome, mass in pairs:
        masses[outcome] = masses.get(outcome, Fraction(0)) + mass
    return masses


def branches(
    test: Callable[[ReplayTape], Hashable], faces: tuple[int, ...], depth: int
) -> Iterable[tuple[Hashable, Fraction]]:
    """Outcome and mass of every sequence of dice; outcome None where it was cut."""
    beginning_of_next: list[int] | None = []
    while beginning_of_next is not None:
        tape = ReplayTape(beginning_of_next, faces, depth)
        try:
            outcome = test(tape)
        except Cut:
            outcome = None
        yield outcome, Fraction(1, len(faces) ** tape.used)
        beginning_of_next = tape.following()


def law(test: Callable[[Roll], Hashable], faces: tuple[int, ...] = SIX, depth: int = DEPTH) -> Law:
    """Law of a test that is a function of a roll."""

    def on(tape: ReplayTape) -> Hashable:
        return test(lambda slot, index: tape.next_die())

    masses = collect(branches(on, faces, depth))
    return Law(masses, masses.pop(None, Fraction(0)))


# --- laws of single tests -------------------------------------------------------------


@cache
def attack_law(
    book: Book, policy: Policy, attack: int, defence: int | None, faces: tuple, depth: int
) -> Law:
    """Final result of an attack test, None for an automatic failure (C-6.3)."""

    def test(roll: Roll) -> tuple[int | None]:
        def wants(natural: int) -> bool:
            return wants_attack_reroll(book, policy, natural, attack, defence)

        tested = attack_test(book, roll, attack, wants)
        return (tested.result if tested.passed else None,)

    return law(test, faces, depth)


@cache
def parry_law(
    book: Book,
    reroll: str,
    committed: int,
    defence: int,
    difficulty: int,
    faces: tuple = SIX,
    depth: int = DEPTH,
) -> Law:
    """Whether a defence test parries (C-6.4).

    With "best_chain" each die has its own chain, and whether it is re-rolled depends on
    the other dice only in that nobody goes on once the attack is parried: the attack
    lands when each die, taken alone, fails. So one die's law is enough; "one_chain" is
    enumerated as it stands.
    """
    if committed > 1 and book.many_dice == "best_chain":
        one = parry_law(book, reroll, 1, defence, difficulty, faces, depth)
        lands = one.masses.get(False, Fraction(0)) ** committed
        unknown = (one.masses.get(False, Fraction(0)) + one.rest) ** committed - lands
        return Law({True: 1 - lands - unknown, False: lands}, unknown)
    return raw_parry_law(book, reroll, committed, defence, difficulty, faces, depth)


def raw_parry_law(
    book: Book,
    reroll: str,
    committed: int,
    defence: int,
    difficulty: int,
    faces: tuple = SIX,
    depth: int = DEPTH,
) -> Law:
    """The same law, all dice of the test enumerated together."""

    def test(roll: Roll) -> bool:
        return defence_test(book, roll, committed, defence, difficulty, reroll).passed

    return law(test, faces, depth)


@cache
def exchange_law(
    book: Book,
    attacker: Policy,
    reroll_defence: str,
    attack: int,
    defence: int,
    committed: int,
    faces: tuple = SIX,
    depth: int = DEPTH,
) -> Law:
    """An attack that is rolled: "failed", "parried" or "lands" (C-6.3, C-6.4)."""
    attacks = attack_law(book, attacker, attack, defence if committed else None, faces, depth)
    pairs: list[tuple[Hashable, Fraction]] = []
    rest = attacks.rest
    for (result,), mass in attacks.masses.items():
        if result is None:
            pairs.append(("failed", mass))
        elif committed == 0:
            pairs.append(("lands", mass))
        else:
            parry = parry_law(book, reroll_defence, committed, defence, result, faces, depth)
            for parried, part in parry.masses.items():
                pairs.append(("parried" if parried else "lands", mass * part))
            rest += mass * parry.rest
    return Law(collect(pairs), rest)


@cache
def wound_law(book: Book, strength: int, resistance: int, faces: tuple = SIX) -> Law:
    """Outcome of a wound roll (W-2)."""
    return law(lambda roll: wound_roll(book, roll, strength, resistance).outcome, faces)


@cache
def roll_off_law(
    combat: Combat, characteristics: tuple[int, int], faces: tuple = SIX, depth: int = DEPTH
) -> Law:
    """Winner of one Initiative roll-off, -1 for a tie that is rolled again (W-1.5)."""
    test = InitiativeTest(1, characteristics)
    return law(lambda roll: roll_off(combat, test, roll).winner, faces, depth)


def initiative_law(
    combat: Combat, characteristics: tuple[int, int], faces: tuple = SIX, depth: int = DEPTH
) -> Law:
    """Winner of the Initiative test: roll-offs that end in a tie count for nothing (C-4.3)."""
    once = roll_off_law(combat, characteristics, faces, depth)
    decided = 1 - once.masses.get(-1, Fraction(0))
    if decided == 0:
        raise ValueError("every roll-off is a tie: the test never ends")
    masses = {side: mass / decided for side, mass in once.masses.items() if side != -1}
    return Law(masses, once.rest / decided)


# --- a whole combat, positions merged -------------------------------------------------


def attack_outcomes(
    combat: Combat, position: Position, blow: Blow, faces: tuple, depth: int
) -> Law:
    """Law of one attack: "failed", "parried", or what the wound roll gave (C-6)."""
    book, striker, target = combat.book, blow.striker, blow.target
    exchange = Law({"lands": Fraction(1)}, Fraction(0))
    if needs_attack_test(combat, position, blow):
        exchange = exchange_law(
            book,
            policy_of(combat, striker),
            policy_of(combat, target).reroll_defence,
            current(combat, position, striker, "ATT"),
            current(combat, position, target, "DEF"),
            blow.committed,
            faces,
            depth,
        )
    masses = dict(exchange.masses)
    lands = masses.pop("lands", Fraction(0))
    strength = current(combat, position, striker, "FOR")
    resistance = current(combat, position, target, "RES")
    wounds = wound_law(book, strength, resistance, faces)
    for outcome, mass in wounds.masses.items():
        masses[outcome] = lands * mass
    return Law(masses, exchange.rest)


def after_attack(combat: Combat, position: Position, blow: Blow, outcome: Hashable) -> Position:
    """Position after an attack with this outcome (C-6.3 to C-6.6)."""
    if outcome == "failed":
        return position
    if blow.committed > 0:
        position = spend(position, blow)
    if outcome == "parried":
        return position
    return wound(combat, position, blow.target, outcome)


def resolve_passes(
    combat: Combat, positions: Masses, faces: tuple, depth: int
) -> tuple[Masses, Fraction]:
    """All passes of arms of one turn, equal positions merged after each attack (C-5)."""
    over: list[tuple[Position, Fraction]] = []
    cut = Fraction(0)
    while positions:
        after: list[tuple[Position, Fraction]] = []
        for before, mass in positions.items():
            position, blow = next_blow(combat, before)
            if blow is None:
                over.append((position, mass))
                continue
            attack = attack_outcomes(combat, position, blow, faces, depth)
            cut += mass * attack.rest
            for outcome, part in attack.masses.items():
                if part > 0:
                    after.append((after_attack(combat, position, blow, outcome), mass * part))
        positions = collect(after)
    return collect(over), cut


def decide_initiative(
    combat: Combat, positions: Masses, faces: tuple, depth: int
) -> tuple[Masses, Fraction]:
    """Dice placed, then the Initiative test, from every position (C-3, C-4)."""
    pairs: list[tuple[Position, Fraction]] = []
    cut = Fraction(0)
    for before, mass in positions.items():
        position = place_dice(combat, before, [])
        characteristics = initiative_values(combat, position).characteristics
        initiative = initiative_law(combat, characteristics, faces, depth)
        cut += mass * initiative.rest
        for winner, part in initiative.masses.items():
            pairs.append((with_first(position, winner), mass * part))
    return collect(pairs), cut


def final(position: Position) -> Final:
    return Final(tuple(wounds.code for wounds in position.wounds), position.opening)


def exact(combat: Combat, faces: tuple = SIX, depth: int = DEPTH) -> Law:
    """Law of the end of a combat: ``Final`` -> mass, and the rest that was cut off."""
    positions: Masses = {beginning(combat): Fraction(1)}
    ended: list[tuple[Hashable, Fraction]] = []
    rest = Fraction(0)
    for turn in range(combat.turns):
        going_on = {p: mass for p, mass in positions.items() if not one_side_dead(p)}
        ended += [(final(p), mass) for p, mass in positions.items() if p not in going_on]
        if turn > 0:
            going_on = collect((next_turn(p), mass) for p, mass in going_on.items())
        positions, cut = decide_initiative(combat, going_on, faces, depth)
        rest += cut
        positions, cut = resolve_passes(combat, positions, faces, depth)
        rest += cut
    ended += [(final(p), mass) for p, mass in positions.items()]
    return Law(collect(ended), rest)


# --- a whole combat, die by die -------------------------------------------------------


def every_die(combat: Combat, faces: tuple = SIX, depth: int = 1000) -> Law:
    """The same law with nothing merged: every sequence of dice is played.

    For combats whose 6s are never re-rolled and whose ties are not rolled again (or for
    ``faces`` without such dice): the others have no longest sequence and are cut.
    """
    masses = collect(branches(lambda tape: final(play(combat, tape)[0]), faces, depth))
    return Law(masses, masses.pop(None, Fraction(0)))
