"""Melees and separations as sets, read plainly (C-1, C-2)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import combinations

Fighter = Hashable
Contacts = set[frozenset[Fighter]]  # pairs of fighters who touch, friends or enemies
Combat = frozenset[Fighter]
Separation = frozenset[Combat]


def enemies_of(fighter: Fighter, side: Mapping[Fighter, str], contacts: Contacts) -> set[Fighter]:
    """The enemies whom a fighter touches."""
    touched = {other for pair in contacts if fighter in pair for other in pair - {fighter}}
    return {other for other in touched if side[other] != side[fighter]}


def melees(side: Mapping[Fighter, str], contacts: Contacts) -> set[frozenset[Fighter]]:
    """C-1.1: chains of enemies in contact; friends who touch join nothing."""
    found = set()
    for fighter in side:
        melee, new = set(), enemies_of(fighter, side, contacts)
        while new:
            melee |= new
            new = {e for f in new for e in enemies_of(f, side, contacts)} - melee
        if melee:
            found.add(frozenset(melee))
    return found


def is_combat(fighters: Iterable[Fighter], side: Mapping[Fighter, str], contacts: Contacts) -> bool:
    """C-1.2: one fighter against one or more enemies, whom he touches, all of them."""
    fighters = set(fighters)
    return any(
        fighters - {lone} and fighters - {lone} <= enemies_of(lone, side, contacts)
        for lone in fighters
    )


def separations(
    melee: Iterable[Fighter], side: Mapping[Fighter, str], contacts: Contacts
) -> set[Separation]:
    """C-1.3: every way to put each fighter into exactly one combat."""
    return set(_partitions(frozenset(melee), side, contacts))


def _partitions(
    left: frozenset[Fighter], side: Mapping[Fighter, str], contacts: Contacts
) -> Iterator[Separation]:
    if not left:
        yield frozenset()
        return
    one = min(left, key=str)
    for size in range(1, len(left)):
        for others in combinations(sorted(left - {one}, key=str), size):
            combat = frozenset({one, *others})
            if is_combat(combat, side, contacts):
                for rest in _partitions(left - combat, side, contacts):
                    yield rest | {combat}


def value(separation: Separation, values: Mapping[Combat, float]) -> float:
    """Sum of the values of its combats."""
    return sum(values[combat] for combat in separation)


def something_to_separate(melee: Iterable[Fighter], side: Mapping[Fighter, str]) -> bool:
    """C-1.6: several fighters on each side."""
    sides = [side[fighter] for fighter in melee]
    return sides.count("A") > 1 and sides.count("B") > 1


def testers(
    fighters: Iterable[Fighter], side: Mapping[Fighter, str], routed: set[Fighter], whose: str
) -> set[Fighter]:
    """C-1.4, C-2.1: who of a melee, or of a combat named, may make a side's test."""
    return {f for f in fighters if side[f] == whose and f not in routed}


def who_wins_without_a_test(able_a: bool, able_b: bool) -> str:
    """C-1.4, C-2.1 (assumed): a side of which nobody may make the test loses it."""
    if able_a and able_b:
        return "test"
    return "coin" if able_a == able_b else "A" if able_a else "B"


def may_choose(first: str, named: int, resolved: list[int], combats: int) -> tuple[str, set[int]]:
    """C-2.2, C-2.3: who speaks next, and which combats he may choose."""
    if not resolved:
        return first, {named}
    other = {"A": "B", "B": "A"}[first]
    return (first, other)[len(resolved) % 2], set(range(combats)) - set(resolved)


# M-5.1, M-5.2: who suffers the penalty of a charge


def charged(
    side: Mapping[Fighter, str],
    contacts: Contacts,
    power: Mapping[Fighter, int],
    chargers: set[Fighter],
) -> set[Fighter]:
    """Those whose chargers, all connected ones together, have at least their total power.

    A charger charges all enemies he touches; a side's charges are of one speaking turn.
    """
    found = set()
    for whose in "AB":
        own = {f for f in chargers if side[f] == whose}
        pairs = {frozenset({f, e}) for f in own for e in enemies_of(f, side, contacts) - chargers}
        for group in melees(side, pairs):
            targets = {f for f in group if side[f] != whose}
            if sum(power[f] for f in group - targets) >= sum(power[f] for f in targets):
                found |= targets
    return found
