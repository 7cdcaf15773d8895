"""Courage tests and rout in a transcript (W-4)."""

from collections.abc import Sequence

from .dice import check_test
from .fighters import Fighter
from .ledger import Ledger
from .steps import Courage


def _fear_of(fighter: Fighter, charger: Fighter | None) -> int:
    """Return a PEUR, that of a war cry while its fighter charges (W-7)."""
    return max(fighter.fear, fighter.amount("war_cry_fear") if fighter is charger else 0)


def _must_test(ledger: Ledger, fighter: Fighter, enemy: Fighter, charger: Fighter | None) -> bool:
    """Whether an enemy makes a fighter test its courage (W-4.1, W-4.2, W-7)."""
    fear, own = _fear_of(enemy, charger), _fear_of(fighter, charger)
    immune = fighter.immune if ledger.rule["fear.immune_after_success"] else 0
    if fear <= immune or fighter.routed or not fighter.alive or fighter.has("fearless"):
        return False
    if own and ledger.rule["fear.own_fear_as_courage"]:
        return fear > own or enemy.has("frightens_all")
    return bool(own) or ledger.with_command(fighter, "COU") is not None


def _courage_of(ledger: Ledger, fighter: Fighter, charger: Fighter | None) -> int | None:
    """Return with what a fighter tests: COU or its own PEUR, or a leader's COU (W-4.1, W-4.5)."""
    led, own = ledger.with_command(fighter, "COU"), _fear_of(fighter, charger)
    if own and ledger.rule["fear.own_fear_as_courage"]:
        return max(own, led or 0)
    return led


def read_courage(
    ledger: Ledger, fighter: Fighter, enemies: Sequence[Fighter], charger: Fighter | None = None
) -> None:
    """Check the Courage test that a fighter must make against enemies; failing puts it in rout.

    The charger, one of them or the fighter, has his war cry (W-7).
    """
    feared = max(enemies, key=lambda e: _fear_of(e, charger), default=None)
    due = feared is not None and _must_test(ledger, fighter, feared, charger)
    data = ledger.accept(Courage, fighter)
    if data is None:
        ledger.check_next(
            not due, "W-4.1", "{} should test its courage against {}", fighter, feared
        )
        return
    against = data.against
    fear, value = _fear_of(against, charger), _courage_of(ledger, fighter, charger)
    ledger.check(due, "W-4.1", "{} has no need to test against {}", fighter, against)
    if feared is not None:
        right = fear == _fear_of(feared, charger)
        ledger.check(
            right, "W-4.1", "{} tests against the highest PEUR, that of {}", fighter, feared
        )
    ledger.check(
        data.difficulty == fear, "W-4.1", "the difficulty is the PEUR of {}, {}", against, fear
    )
    ledger.check(
        data.value == value, "W-4.1", "{} tests with {}, not {}", fighter, value, data.value
    )
    if check_test(ledger, data, data.success, fighter, "courage"):
        fighter.immune = max(fighter.immune, fear)
    else:
        fighter.routed = True
