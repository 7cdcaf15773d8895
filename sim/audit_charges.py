"""Who suffers the penalty of the charges of one speaking turn (M-5)."""

from collections.abc import Sequence

from estoc.sim.audit_state import Ledger

Charge = tuple[int, Sequence[int]]


def charged_now(ledger: Ledger, charges: Sequence[Charge]) -> set[int]:
    """Return those who suffer the penalty of charges of one speaking turn (M-5.1, M-5.2).

    Parameters
    ----------
    ledger : Ledger
    charges : sequence of (int, sequence of int)
        Who charges whom.
    """
    if ledger.rule["charge.sharing"] == "equal":
        return _shared(ledger, charges)
    found: set[int] = set()
    left = list(charges)
    while left:
        group = [left.pop()]
        targets = set(group[0][1])
        while more := [charge for charge in left if targets & set(charge[1])]:
            group += more
            left = [charge for charge in left if charge not in more]
            targets.update(*(charge[1] for charge in more))
        own = sum(_power(ledger, charger) for charger, _ in group)
        if own >= sum(_power(ledger, target) for target in targets):
            found |= targets
    return found


def _shared(ledger: Ledger, charges: Sequence[Charge]) -> set[int]:
    weights: dict[int, float] = {}
    for charger, targets in charges:
        for target in targets:
            share = _power(ledger, charger) / len(targets)
            weights[target] = weights.get(target, 0.0) + share
    return {t for t, weight in weights.items() if weight > _power(ledger, t) - 1e-9}


def _power(ledger: Ledger, fighter: int) -> int:
    return int(ledger.fighters[fighter].card["power"])
