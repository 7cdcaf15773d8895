"""The penalty of a charge over an activation phase (M-5), read sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Assault:
    """A charge or an engage on some fighters, by a fighter of this power."""

    turn: int  # the speaking turn
    power: int
    on: frozenset[str]
    kind: str = "charge"
    brutal: bool = False  # always inflicts the penalty, charging or engaging (W-7)


def groups(charges: Sequence[Assault]) -> list[list[Assault]]:
    """Charges that share a fighter, or are linked by charges that do (M-5.2)."""
    found: list[list[Assault]] = []
    for charge in charges:
        linked = [group for group in found if any(other.on & charge.on for other in group)]
        rest = [group for group in found if group not in linked]
        found = [*rest, [charge, *(other for group in linked for other in group)]]
    return found


def penalised_in_turn(charges: Sequence[Assault], powers: dict[str, int], sharing: str) -> set[str]:
    """Who gets the penalty by the charges of one speaking turn (M-5.1, M-5.2)."""
    hit: set[str] = set()
    if sharing == "pooled":
        for group in groups(charges):
            charged = frozenset[str]().union(*(charge.on for charge in group))
            if sum(charge.power for charge in group) >= sum(powers[name] for name in charged):
                hit |= charged
        return hit
    for name, power in powers.items():
        shares = [Fraction(c.power, len(c.on)) for c in charges if name in c.on]
        if shares and sum(shares) >= power:
            hit.add(name)
    return hit


def penalised(
    assaults: Sequence[Assault], powers: dict[str, int], sharing: str = "pooled"
) -> set[str]:
    """Who has the penalty: charges of different speaking turns do not add up, nor do
    penalties, and an engage causes none but of the brutal (M-5.1, M-5.3, W-7)."""
    charges = [assault for assault in assaults if assault.kind == "charge" and assault.on]
    hit = {name for assault in assaults if assault.brutal for name in assault.on}
    for turn in {charge.turn for charge in charges}:
        hit |= penalised_in_turn([c for c in charges if c.turn == turn], powers, sharing)
    return hit
