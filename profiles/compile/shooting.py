"""What shooting needs of an edition, as arrays (W-6)."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.rolls import Shot
from ..edition.edition import Edition
from .combat import pain_penalties, wound_table


class ShootingRules(NamedTuple):
    """What `estoc.kernels.rolls.shooting` needs of an edition, beside `layout.combat.Rules`."""

    shots: NDArray[np.int64]  # by `Shot`
    still_wound: NDArray[np.int64]  # (d, 36): ``Rules.wound`` of who did not move
    still_lines: int  # lines of the wound table between both
    # (PAINS, s): what each state takes from TIR (W-3.2), by how a fighter bears wounds (W-7)
    aim_penalty: NDArray[np.int64]
    aim_charge: int  # what being charged takes from it (M-5.1)
    into_melee: bool  # whether a target in contact with a friend of the shooter may be shot at


@lru_cache(maxsize=64)
def compile_shooting(edition: Edition) -> ShootingRules:
    """Return what `estoc.kernels.rolls.shooting` needs of an edition, beside `compile_rules`."""
    shots = np.zeros(len(Shot), np.int64)
    for shot in Shot:
        shots[shot] = edition[f"shooting.{shot.name.lower()}"]
    lines_down = edition["shooting.still_lines"] * edition["actions.shoot.still_bonus"]
    return ShootingRules(
        shots=shots,
        still_wound=wound_table(edition, lines_down)[0],
        still_lines=int(lines_down),
        aim_penalty=pain_penalties(edition, "TIR"),
        aim_charge=edition["charge.TIR"],
        into_melee=edition["shooting.into_melee"],
    )
