"""Melees from contacts, who may test for them, who speaks and chooses (C-1, C-2).

Fighters of the table have bits of 64; those of one melee are numbered again, side A first,
and have bits of 16.
"""

import numpy as np

from .._jit import kernel, part, routine

MAX_TABLE = 64  # fighters whose contacts fit a mask
MAX_MELEE = 16  # fighters of a melee that can be separated
MAX_COMBATS = MAX_MELEE // 2
NOBODY = -1  # instead of a Discipline: no fighter may make the test
U64 = np.uint64
ONE, NONE = U64(1), U64(0)


@part
def has(mask, fighter):
    """Whether a fighter of the table is in a set."""
    return (mask >> U64(fighter)) & ONE != NONE


@part
def enemies_touched(touching, side_a, fighter):
    """Enemies whom a fighter of the table touches."""
    return touching[fighter] & (~side_a if has(side_a, fighter) else side_a)


@routine
def component(touching, side_a, start):
    """Fighters chained to one by contacts between enemies (C-1.1); empty if he touches none."""
    melee = enemies_touched(touching, side_a, start)
    grows = melee != NONE
    while grows:
        before = melee
        for i in range(len(touching)):
            if has(melee, i):
                melee |= enemies_touched(touching, side_a, i)
        grows = melee != before
    return melee


@routine
def find_melees(touching, side_a, found):
    """Fill the melees, that of the first fighter first; how many there are (C-1.1)."""
    seen, count = NONE, 0
    for i in range(len(touching)):
        if has(seen, i):
            continue
        melee = component(touching, side_a, i)
        if melee != NONE:
            found[count] = melee
            count += 1
            seen |= melee
    return count


@routine
def best_discipline(fighters, discipline, routed):
    """Discipline of the best of some fighters who is not in rout (C-1.4, C-2.1); NOBODY: none."""
    best = NOBODY
    for i in range(len(discipline)):
        if (fighters & ~routed) >> i & 1:
            best = max(best, discipline[i])
    return best


@kernel
def melees_of(touching, side_a):
    """Return the melees of a table, each the mask of its fighters (C-1.1).

    ``touching`` says whom each fighter touches, friends or enemies, both ways. Who touches no enemy
    is in none.
    """
    found = np.zeros(len(touching), np.uint64)
    return found[: find_melees(touching, side_a, found)]


@kernel
def testers(fighters, fighters_a, discipline, routed):
    """Return the Disciplines of both sides' best who may test (C-1.4, C-2.1); NOBODY: none may.

    ``fighters`` are those of the melee, or of the combat that both name; the first ``fighters_a``
    numbers are of side A.
    """
    own = side_of(fighters_a)
    return (
        best_discipline(fighters & own, discipline, routed),
        best_discipline(fighters & ~own, discipline, routed),
    )


@part
def side_of(fighters_a):
    """The fighters of side A, who have the first bits."""
    return (1 << fighters_a) - 1
