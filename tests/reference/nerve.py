"""Fear: tests of Courage in an assault, rout, flight (W-4)."""

from __future__ import annotations

from reference.decisions import must
from reference.field import Game, Warrior
from reference.testing import test_of


def frightening_to(
    game: Game, warrior: Warrior, enemies: list[Warrior], charger: Warrior | None
) -> Warrior | None:
    """Whose PEUR he must test against: the highest of those that move him (W-4.1, W-4.2).

    A frightening fighter tests only against a higher PEUR than his own, but for enemies who
    frighten everyone; who is in rout does not test, nor who knows no fear (W-7).
    """
    own = game.fear(warrior, charger) if game.edition["fear.own_fear_as_courage"] else 0
    moved_by = []
    for enemy in enemies:
        least = warrior.immune if enemy.has("frightens_all") else max(warrior.immune, own)
        if game.fear(enemy, charger) > least:
            moved_by.append(enemy)
    if warrior.routed or warrior.has("fearless") or not moved_by:
        return None
    return max(moved_by, key=lambda enemy: game.fear(enemy, charger))


def courage(game: Game, warrior: Warrior, charger: Warrior | None) -> int:
    """What he tests with: COU, his own or a leader's, or his PEUR (W-4.1, W-4.5)."""
    own, fear = game.led(warrior, "COU"), game.fear(warrior, charger)
    if fear and game.edition["fear.own_fear_as_courage"]:
        return max(own or 0, fear)
    return game.printed(warrior, "COU") if own is None else own


def stands(
    game: Game, warrior: Warrior, enemies: list[Warrior], charger: Warrior | None = None
) -> bool:
    """Whether he stands the fear of enemies, by a test if he must make one (W-4.1 to W-4.3).

    ``charger`` is who of them charges, if anybody does: a war cry is his (W-7).
    """
    enemy = frightening_to(game, warrior, enemies, charger)
    if enemy is None:
        return True
    difficulty, value = game.fear(enemy, charger), courage(game, warrior, charger)
    test = test_of(game, warrior, value, "courage", warrior, 0, difficulty)
    success = test.reaches(game, difficulty)
    game.tell(
        "courage",
        fighter=warrior.number,
        against=enemy.number,
        value=value,
        difficulty=difficulty,
        result=test.result,
        success=success,
        dice=test.dice,
    )
    if not success:
        warrior.routed = True
    elif game.edition["fear.immune_after_success"]:
        warrior.immune = max(warrior.immune, difficulty)
    return success


def check_flight(game: Game, warrior: Warrior, before: tuple[float, float]) -> None:
    """Who flees comes nearer to his side's edge (W-4.3)."""
    edge = game.head.get("edges", ("left", "right"))[warrior.side]
    across, along = (now - then for now, then in zip(warrior.at, before, strict=True))
    homewards = {"left": -across, "right": across, "bottom": -along, "top": along}[edge]
    must(homewards >= 0, "W-4.3", f"fighter {warrior.number} flees towards the enemy's edge")
