"""What the maintenance phase needs of an edition, as arrays (T-5)."""

import numpy as np

from ...kernels.layout.combat import Outcome
from ...kernels.layout.maintenance import Custom, MaintenanceRules, Marker
from ..edition.edition import Edition
from .combat import compile_rules

_KEYS = {
    Custom.RALLY_DIFFICULTY: "fear.rally_difficulty",
    Custom.NO_RALLY_IN_CONTACT: "fear.no_rally_in_contact",
    Custom.MANA_BASE: "mystic.mana_base",
    Custom.MANA_PER_RANK: "mystic.mana_per_rank",
    Custom.MANA_DICE: "mystic.mana_dice",
    Custom.MANA_MOST_PER_RANK: "mystic.mana_most_per_rank",
    Custom.FAITH_BASE: "mystic.faith_base",
    Custom.FAITH_PER_RANK: "mystic.faith_per_rank",
    Custom.FAITH_PER_BELIEVER: "mystic.faith_per_believer",
    Custom.REMOVES_STUNNED: "maintenance.removes.stunned",
}


def compile_maintenance(edition: Edition) -> MaintenanceRules:
    """Return what the maintenance phase needs of an edition, beside `compile_rules`."""
    customs = np.zeros(len(Custom), np.int64)
    for custom, key in _KEYS.items():
        customs[custom] = edition[key]
    customs[Custom.REMOVED_MARKERS] = sum(
        marker for marker in Marker if edition[f"maintenance.removes.{marker.name.lower()}"]
    )
    after = compile_rules(edition).after
    dead = len(after) - 1
    healed = np.arange(len(after))
    for state in range(dead):
        worse = after[state, Outcome.LIGHT]  # one level more in every edition (W-3.1)
        if worse != dead:
            healed[worse] = state
    return MaintenanceRules(customs, healed)
