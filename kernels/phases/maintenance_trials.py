"""One trial of the maintenance phase, with all that happened (T-5)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel, part
from ..core.rng import U64
from ..layout.combat import Moment, Rules
from ..layout.log import LOG_COLUMNS, MAX_EVENTS
from ..layout.maintenance import (
    EFFECT_COLUMNS,
    MAINTENANCE,
    PERSON_COLUMNS,
    MaintenanceRules,
)
from .maintenance import maintain


def new_maintenance(
    people: NDArray[np.int64],
    effects: NDArray[np.int64],
    touches: NDArray[np.bool_],
    aura: NDArray[np.bool_],
    rules: Rules,
    maintenance: MaintenanceRules,
    seed: int,
    cell: int,
) -> NDArray[np.void]:
    """One phase as a record array of shape (1,), ready for the kernels below.

    Parameters
    ----------
    people : ndarray of int64, shape (n, len(Person))
        At most ``MAX_PEOPLE`` fighters of both sides.
    effects : ndarray of int64, shape (m, len(Effect))
        At most ``MAX_EFFECTS``, in the order in which those of a step are resolved.
    touches : ndarray of bool, shape (n, n)
        [i, j]: fighter i touches j, an enemy who frightens him (W-4.4).
    aura : ndarray of bool, shape (n, n)
        [i, j]: the faithful i has temporary faith from j (T-5.2).
    rules : Rules
    maintenance : MaintenanceRules
    seed : int
        0 to 2**64 - 1, the run.
    cell : int
        0 to 2**32 - 1, what is played.
    """
    phases = np.zeros(1, MAINTENANCE)
    phase: Any = phases[0]
    n, states = len(people), len(rules.level)
    phase.n, phase.listed = n, len(effects)
    phase.first_people[:n], phase.first_effects[: len(effects)] = people, effects
    phase.touches[:n, :n], phase.aura[:n, :n] = touches, aura
    phase.customs[:], phase.scalars[:] = maintenance.customs, rules.scalars
    phase.after[:states], phase.recover[:states] = rules.after, rules.recover
    phase.healed[:states] = maintenance.healed
    phase.dead, phase.seed, phase.cell = states - 1, seed, cell
    return phases


@part
def begin(phase, trial):
    """Take fighters and effects back to how they were when the phase began."""
    phase.trials[0] = U64(trial)
    for i in range(phase.n):
        for column in range(PERSON_COLUMNS):
            phase.people[i, column] = phase.first_people[i, column]
    for e in range(phase.listed):
        for column in range(EFFECT_COLUMNS):
            phase.effects[e, column] = phase.first_effects[e, column]


@kernel
def maintain_trial(phases, trial, turn):
    """Play one trial; how it ended stands in the record's ``people`` and ``effects``.

    Parameters
    ----------
    phases : ndarray of MAINTENANCE, shape (1,)
        From `new_maintenance`; threads need one each.
    trial : int
    turn : int
        0 to MAX_TURNS - 1.

    Returns
    -------
    ndarray of int64, shape (events, LOG_COLUMNS)
        Dice and what happened, in order; `estoc.kernels.layout.maintenance` says how.
    """
    phase = phases[0]
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    begin(phase, trial)
    maintain(phase, Moment(0, turn, log))
    return log[1 : 1 + log[0, 0]]
