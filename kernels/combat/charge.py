"""Who suffers the penalty of a charge (M-5).

An *assault* is what one assailant does in its speaking turn. The assailed are bits of a
mask, at most 64 of them. Who charges is never charged in the same speaking turn, so that
assailants and assailed are numbered apart.
"""

import numpy as np

from .._jit import kernel, part, routine
from ..core.rng import U64
from ..layout.combat import Sharing

UNIT = 720_720  # of a power: whole for every share of 1 to 16 enemies


@part
def holds(mask, j):
    """Whether bit ``j`` of a mask is set."""
    return (mask >> U64(j)) & U64(1) != U64(0)


@part
def counts_with(turns, charging, i, k):
    """Whether assaults i and k are charges of one speaking turn (M-5.1, M-5.3)."""
    return charging[i] != 0 and charging[k] != 0 and turns[i] == turns[k]


@routine
def group_of(turns, charging, targets, i):
    """All whom charger i and those connected with him charge (M-5.2)."""
    group, before = targets[i], U64(0)
    while group != before:
        before = group
        for k in range(len(targets)):
            if counts_with(turns, charging, i, k) and targets[k] & group != U64(0):
                group |= targets[k]
    return group


@routine
def outweighs(turns, charging, targets, powers, charged_powers, i):
    """Whether the chargers of charger i's group have the power of those they charge (M-5.2)."""
    group = group_of(turns, charging, targets, i)
    balance = 0
    for k in range(len(targets)):
        if counts_with(turns, charging, i, k) and targets[k] & group != U64(0):
            balance += powers[k]
    for j in range(len(charged_powers)):
        if holds(group, j):
            balance -= charged_powers[j]
    return balance >= 0


@part
def targets_of(mask, fighters):
    """Number of bits of a mask of so many fighters."""
    number = 0
    for j in range(fighters):
        number += holds(mask, j)
    return number


@routine
def shares_reach(turns, charging, targets, powers, charged_powers, i, j):
    """Whether the shares of those who charge j with charger i have his power (M-5.2)."""
    total = 0
    for k in range(len(targets)):
        if counts_with(turns, charging, i, k) and holds(targets[k], j):
            total += powers[k] * UNIT // targets_of(targets[k], len(charged_powers))
    return total >= charged_powers[j] * UNIT


@routine
def penalised(turns, charging, targets, powers, charged_powers, sharing):
    """Mask of those who suffer the penalty, once however often (M-5); see `charge_penalties`."""
    mask = U64(0)
    for i in range(len(targets)):
        if charging[i] == 0 or targets[i] == U64(0):
            continue
        if sharing == Sharing.POOLED:
            if outweighs(turns, charging, targets, powers, charged_powers, i):
                mask |= targets[i]
            continue
        for j in range(len(charged_powers)):
            if holds(targets[i], j) and shares_reach(
                turns, charging, targets, powers, charged_powers, i, j
            ):
                mask |= U64(1) << U64(j)
    return mask


@kernel
def charge_penalties(turns, charging, charges, powers, charged_powers, sharing):
    """Return who suffers the penalty of a charge in one activation phase, of n fighters (M-5).

    Of each assault ``turns`` has the speaking turn, only those of the same one counting together
    (M-5.1); ``charging`` is 0 for an engage, which causes none (M-5.3); ``charges`` (m, n) says
    whom it assails: at most 64 fighters, of whom one assails at most 16. Powers are those of W-5,
    ``sharing`` is a `Sharing`.
    """
    m, n = charges.shape
    targets = np.zeros(m, np.uint64)
    for i in range(m):
        for j in range(n):
            if charges[i, j]:
                targets[i] |= U64(1) << U64(j)
    mask = penalised(turns, charging, targets, powers, charged_powers, sharing)
    flags = np.zeros(n, np.bool_)
    for j in range(n):
        flags[j] = holds(mask, j)
    return flags
