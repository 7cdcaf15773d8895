"""Courage tests and rout in a transcript (W-4)."""

from collections.abc import Sequence

from estoc.sim.audit_dice import check_test
from estoc.sim.audit_state import Fighter, Ledger


def must_test(ledger: Ledger, fighter: Fighter, fear: int) -> bool:
    """Whether an enemy of that PEUR makes a fighter test its courage (W-4.1, W-4.2)."""
    immune = fighter.immune if ledger.rule["fear.immune_after_success"] else 0
    if fear <= immune or fighter.routed or not fighter.alive:
        return False
    if fighter.fear and ledger.rule["fear.own_fear_as_courage"]:
        return fear > fighter.fear
    return bool(fighter.fear) or ledger.with_command(fighter, "COU") is not None


def courage_of(ledger: Ledger, fighter: Fighter) -> int | None:
    """Return with what a fighter tests: COU or its own PEUR, or a leader's COU (W-4.1, W-4.5)."""
    led = ledger.with_command(fighter, "COU")
    if fighter.fear and ledger.rule["fear.own_fear_as_courage"]:
        return max(fighter.fear, led or 0)
    return led


def read_courage(ledger: Ledger, fighter: Fighter, enemies: Sequence[Fighter]) -> None:
    """Check the Courage test of a fighter, if it must make one, and put it in rout if it fails.

    Parameters
    ----------
    ledger : Ledger
    fighter : Fighter
        An assailant, or one of those assailed.
    enemies : sequence of Fighter
        Its targets, or its assailant.
    """
    feared = max(enemies, key=lambda e: e.fear, default=None)
    due = feared is not None and must_test(ledger, fighter, feared.fear)
    comes = ledger.peek() == "courage" and ledger.next()["fighter"] == fighter.number
    if not comes:
        if due and feared is not None:
            text = f"{fighter.label} should test its courage against {feared.label}"
            ledger.breach("W-4.1", text, ledger.at)
        return
    data = ledger.read()
    against = ledger.fighters[data["against"]]
    ledger.check(due, "W-4.1", f"{fighter.label} has no need to test against {against.label}")
    if feared is not None:
        ledger.check(
            against.fear == feared.fear,
            "W-4.1",
            f"{fighter.label} tests against the highest PEUR, that of {feared.label}",
        )
    ledger.check(
        data["difficulty"] == against.fear,
        "W-4.1",
        f"the difficulty is the PEUR of {against.label}, {against.fear}",
    )
    value = courage_of(ledger, fighter)
    ledger.check(
        data["value"] == value, "W-4.1", f"{fighter.label} tests with {value}, not {data['value']}"
    )
    if check_test(ledger, data, fighter.number):
        fighter.immune = max(fighter.immune, against.fear)
    else:
        fighter.routed = True
