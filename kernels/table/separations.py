"""Separations of a melee into combats (C-1.2 to C-1.4).

Fighters are numbered again, side A first, and have bits of 16. A combat is the set of its
fighters: a lone one and enemies of his.
"""

import numpy as np

from .._jit import kernel, part, routine
from .melees import MAX_COMBATS, MAX_MELEE, has, side_of


@routine
def number_again(touching, side_a, melee, fighters, enemies):
    """Fill a melee's fighters, side A first, and the enemies that each touches, in these bits.

    Returns the fighters of side A and of both; only these numbers for more than MAX_MELEE.
    """
    own, all_ = 0, 0
    for of_a in (True, False):
        for i in range(len(touching)):
            if has(melee, i) and has(side_a, i) == of_a:
                if all_ < MAX_MELEE:
                    fighters[all_] = i
                all_ += 1
        if of_a:
            own = all_
    if all_ <= MAX_MELEE:
        for i in range(all_):
            enemies[i] = 0
            for j in range(all_):
                if (i < own) != (j < own) and has(touching[fighters[i]], fighters[j]):
                    enemies[i] |= 1 << j
    return own, all_


@part
def place_of(bit):
    """Number of a melee's fighter by its bit."""
    place = 0
    while bit >> place > 1:
        place += 1
    return place


@part
def next_subset(subset, whole):
    """The set after another, of those within ``whole``; 0 after the last."""
    return (subset - whole) & whole


@routine
def next_combat(enemies, own, left, combat):
    """The combat after another, of those that the first fighter left may be in; 0 after the last.

    First he alone against one or more, then he and friends against one. ``combat`` is 0 for
    the first one. None is met twice: one against one is of the first kind. ``own`` are the fighters
    of side A, ``left`` those in no combat yet.
    """
    first = left & -left
    foes = enemies[place_of(first)] & left
    foe = 0
    if combat & own & ~first == 0:
        others = next_subset(combat & ~first, foes)
        if others:
            return first | others
    else:
        foe = combat & ~own
        others = next_subset(combat & own & ~first, enemies[place_of(foe)] & left & ~first)
        if others:
            return first | foe | others
    foes &= ~(2 * foe - 1) if foe else -1
    while foes:
        foe = foes & -foes
        friends = enemies[place_of(foe)] & left & ~first
        if friends:
            return first | foe | (friends & -friends)
        foes ^= foe
    return 0


@routine
def count_ways(enemies, fighters_a, n, ways):
    """Fill in how many ways the fighters of each set can be separated (C-1.3); of all of them.

    Only the sets that a separation leads to are filled in; others are -1.
    """
    own, whole = side_of(fighters_a), (1 << n) - 1
    ways[: whole + 1] = -1
    ways[whole] = 0
    for left in range(whole, 0, -1):
        if ways[left] == 0:
            combat = next_combat(enemies, own, left, 0)
            while combat:
                ways[left & ~combat] = 0
                combat = next_combat(enemies, own, left, combat)
    ways[0] = 1
    for left in range(1, whole + 1):
        if ways[left] == 0:
            combat = next_combat(enemies, own, left, 0)
            while combat:
                ways[left] += ways[left & ~combat]
                combat = next_combat(enemies, own, left, combat)
    return ways[whole]


@routine
def write_separation(enemies, fighters_a, n, ways, number, combats):
    """Write the combats of one separation, that of the first fighter left first; how many.

    ``ways`` is of `count_ways`; a row of ``combats`` ends with zeros.
    """
    own, left, count = side_of(fighters_a), (1 << n) - 1, 0
    combats[:] = 0
    while left:
        combat = next_combat(enemies, own, left, 0)
        while number >= ways[left & ~combat]:
            number -= ways[left & ~combat]
            combat = next_combat(enemies, own, left, combat)
        combats[count] = combat
        count += 1
        left &= ~combat
    return count


@routine
def best_separation(enemies, fighters_a, n, values, sign, ways, best, combats):
    """Write the best separation and return its value: the sum of its combats' (C-1.4).

    ``values`` has that of each combat, by the set of its fighters, ``ways`` is of `count_ways`,
    ``best`` gets the best value of each set that a separation leads to. ``sign`` is 1 for the
    greatest sum, -1 for the least; of equal ones the first is taken.
    """
    own, whole = side_of(fighters_a), (1 << n) - 1
    best[0] = 0.0
    for left in range(1, whole + 1):
        if ways[left] > 0:
            best[left] = -sign * np.inf
            combat = next_combat(enemies, own, left, 0)
            while combat:
                rest = left & ~combat
                if ways[rest] > 0:
                    best[left] = sign * max(sign * best[left], sign * (values[combat] + best[rest]))
                combat = next_combat(enemies, own, left, combat)
    combats[:] = 0
    left, count = whole, 0
    while left:
        combat = next_combat(enemies, own, left, 0)
        while ways[left & ~combat] <= 0 or values[combat] + best[left & ~combat] != best[left]:
            combat = next_combat(enemies, own, left, combat)
        combats[count] = combat
        count += 1
        left &= ~combat
    return best[whole]


@routine
def list_combats(enemies, fighters_a, n, ways, found):
    """Fill in every combat of a separation, each once, in ascending order of sets; how many."""
    own, whole = side_of(fighters_a), (1 << n) - 1
    found[: whole + 1] = 0
    for left in range(1, whole + 1):
        if ways[left] > 0:
            combat = next_combat(enemies, own, left, 0)
            while combat:
                if ways[left & ~combat] > 0:
                    found[combat] = 1
                combat = next_combat(enemies, own, left, combat)
    count = 0
    for combat in range(1, whole + 1):
        if found[combat]:
            found[count] = combat
            count += 1
    return count


@kernel
def numbered(touching, side_a, melee):
    """Return a melee's fighters, side A first, their enemies in these numbers, and how many of A.

    Of more than MAX_MELEE fighters only the first are listed, and no enemies.
    """
    fighters, enemies = np.zeros(MAX_MELEE, np.int64), np.zeros(MAX_MELEE, np.int64)
    fighters_a, n = number_again(touching, side_a, melee, fighters, enemies)
    return fighters[:n], enemies[:n], fighters_a, n


@kernel
def ways_of(enemies, fighters_a):
    """Return how many ways there are to separate each set of fighters (`count_ways`).

    The last number is that of the melee. ``enemies`` are those whom each fighter touches,
    ``fighters_a`` the fighters of side A, who come first.
    """
    ways = np.zeros(1 << len(enemies), np.int64)
    count_ways(enemies, fighters_a, len(enemies), ways)
    return ways


@kernel
def separations(enemies, fighters_a, ways, first, number):
    """Return some separations of a melee in their order, from ``first`` on (C-1.3).

    A row has a set of fighters for each combat, and ends with zeros.
    """
    found = np.zeros((number, MAX_COMBATS), np.int64)
    for k in range(number):
        write_separation(enemies, fighters_a, len(enemies), ways, first + k, found[k])
    return found


@kernel
def combats_of(enemies, fighters_a, ways):
    """Return every combat that a separation of a melee has, each once (C-1.2)."""
    found = np.zeros(1 << len(enemies), np.int64)
    return found[: list_combats(enemies, fighters_a, len(enemies), ways, found)].copy()


@kernel
def best_of(enemies, fighters_a, ways, values, sign):
    """Return the best separation of a melee and its value (`best_separation`)."""
    best, combats = np.zeros(len(ways)), np.zeros(MAX_COMBATS, np.int64)
    value = best_separation(enemies, fighters_a, len(enemies), values, sign, ways, best, combats)
    return value, combats
