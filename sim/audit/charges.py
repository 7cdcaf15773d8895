"""Who suffers the penalty of the charges of one speaking turn (M-5)."""

from collections.abc import Sequence

from .ledger import Ledger

Charge = tuple[int, Sequence[int]]


def charged_now(
    ledger: Ledger, charges: Sequence[Charge], engages: Sequence[Charge] = ()
) -> set[int]:
    """Return those who suffer the penalty of charges of one speaking turn (M-5.1, M-5.2).

    The brutal always inflict it, and by engaging too; the steady never suffer it (W-7).

    Parameters
    ----------
    ledger : Ledger
    charges, engages : sequence of (int, sequence of int)
        Who charges whom, who engages whom.
    """
    found = _outweighed(ledger, charges)
    for assailant, targets in (*charges, *engages):
        if ledger.fighters[assailant].has("brutal"):
            found |= set(targets)
    return {number for number in found if not ledger.fighters[number].has("steady")}


def _outweighed(ledger: Ledger, charges: Sequence[Charge]) -> set[int]:
    """Return those whose power chargers have (M-5.1, M-5.2).

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
        own = sum(_charging_power(ledger, charger) for charger, _ in group)
        if own >= sum(_power(ledger, target) for target in targets):
            found |= targets
    return found


def _shared(ledger: Ledger, charges: Sequence[Charge]) -> set[int]:
    weights: dict[int, float] = {}
    for charger, targets in charges:
        for target in targets:
            share = _charging_power(ledger, charger) / len(targets)
            weights[target] = weights.get(target, 0.0) + share
    return {t for t, weight in weights.items() if weight > _power(ledger, t) - 1e-9}


def _power(ledger: Ledger, fighter: int) -> int:
    """Return the power of one who is charged (M-5.1, W-7)."""
    charged = ledger.fighters[fighter]
    return int(charged.card["power"]) + charged.amount("power_charged", "power_charged")


def _charging_power(ledger: Ledger, fighter: int) -> int:
    charger = ledger.fighters[fighter]
    return int(charger.card["power"]) + charger.amount("power_charging", "power_charging")
