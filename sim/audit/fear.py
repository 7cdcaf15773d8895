"""Courage tests and rout in a transcript (W-4)."""

from collections.abc import Sequence

from .dice import check_test
from .ledger import Fighter, Ledger


def fear_of(fighter: Fighter, charger: Fighter | None) -> int:
    """Return a PEUR, that of a war cry while its fighter charges (W-7)."""
    cry = fighter.amount("war_cry", "war_cry_fear") if fighter is charger else 0
    return max(fighter.fear, cry)


def must_test(
    ledger: Ledger, fighter: Fighter, enemy: Fighter, charger: Fighter | None = None
) -> bool:
    """Whether an enemy makes a fighter test its courage (W-4.1, W-4.2, W-7)."""
    fear, own = fear_of(enemy, charger), fear_of(fighter, charger)
    immune = fighter.immune if ledger.rule["fear.immune_after_success"] else 0
    if fear <= immune or fighter.routed or not fighter.alive or fighter.has("fearless"):
        return False
    if own and ledger.rule["fear.own_fear_as_courage"]:
        return fear > own or enemy.has("frightens_all")
    return bool(own) or ledger.with_command(fighter, "COU") is not None


def courage_of(ledger: Ledger, fighter: Fighter, charger: Fighter | None = None) -> int | None:
    """Return with what a fighter tests: COU or its own PEUR, or a leader's COU (W-4.1, W-4.5)."""
    led, own = ledger.with_command(fighter, "COU"), fear_of(fighter, charger)
    if own and ledger.rule["fear.own_fear_as_courage"]:
        return max(own, led or 0)
    return led


def read_courage(
    ledger: Ledger,
    fighter: Fighter,
    enemies: Sequence[Fighter],
    charger: Fighter | None = None,
) -> None:
    """Check the Courage test of a fighter, if it must make one, and put it in rout if it fails.

    Parameters
    ----------
    ledger : Ledger
    fighter : Fighter
        An assailant, or one of those assailed.
    enemies : sequence of Fighter
        Its targets, or its assailant.
    charger : Fighter, optional
        Who of them charges; a war cry is his (W-7).
    """
    feared = max(enemies, key=lambda e: fear_of(e, charger), default=None)
    due = feared is not None and must_test(ledger, fighter, feared, charger)
    comes = ledger.peek() == "courage" and ledger.next()["fighter"] == fighter.number
    if not comes:
        if due and feared is not None:
            text = f"{fighter.label} should test its courage against {feared.label}"
            ledger.breach("W-4.1", text, ledger.at)
        return
    data = ledger.read()
    against = ledger.fighters[data["against"]]
    ledger.check(due, "W-4.1", f"{fighter.label} has no need to test against {against.label}")
    fear = fear_of(against, charger)
    if feared is not None:
        ledger.check(
            fear == fear_of(feared, charger),
            "W-4.1",
            f"{fighter.label} tests against the highest PEUR, that of {feared.label}",
        )
    ledger.check(
        data["difficulty"] == fear,
        "W-4.1",
        f"the difficulty is the PEUR of {against.label}, {fear}",
    )
    value = courage_of(ledger, fighter, charger)
    ledger.check(
        data["value"] == value, "W-4.1", f"{fighter.label} tests with {value}, not {data['value']}"
    )
    if check_test(ledger, data, fighter.number, test="courage"):
        fighter.immune = max(fighter.immune, fear)
    else:
        fighter.routed = True
