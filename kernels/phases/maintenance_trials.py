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
    """Return one phase as a record array of shape (1,), ready for the kernels below.

    ``people`` and ``effects`` have rows by `Person` and `Effect`, those of a step in the order in
    which they are resolved; ``touches[i, j]``: i touches j, an enemy who frightens him (W-4.4);
    ``aura[i, j]``: the faithful i has temporary faith from j (T-5.2).
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
    """Play one trial and return its log; how it ended stands in ``people`` and ``effects``."""
    phase = phases[0]
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    begin(phase, trial)
    maintain(phase, Moment(0, turn, log))
    return log[1 : 1 + log[0, 0]]
