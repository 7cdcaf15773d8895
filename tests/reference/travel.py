"""Moves: how far, where to, what they touch (M-1 to M-6, C-8.1, W-4.3)."""

from __future__ import annotations

from math import ceil
from typing import Any

from reference.actions import potential as times
from reference.decisions import must
from reference.field import NEAR, TOUCH, Game, Warrior, away, check_place, travel
from reference.nerve import check_flight, stands
from reference.sightline import sees

ASSAULTS = ("charge", "engage")


def potential(game: Game, warrior: Warrior, action: str, past: list[str]) -> float:
    """How far he may go, in cm (M-8, W-4.3, C-8.1)."""
    reach = game.printed(warrior, "MOU")
    if warrior.has("fast") and action in ("charge", "run", "flee"):  # W-7
        return float(reach * warrior.amount("fast", "fast_factor"))
    if action == "flee":
        return float(reach * game.edition["fear.flight"])
    if action == "pursue":
        return float(ceil(reach / 2))
    if action == "turn":
        must(reach > 0, "M-1.5", f"fighter {warrior.number} has MOU 0 and cannot turn")
        return 0.0
    return float(reach * times(past, action))


def go(
    game: Game, warrior: Warrior, action: str, most: float, *, redirected: bool = False
) -> dict[str, Any]:
    """Take a fighter where his player put him; the cells of the move.

    Only an assault may stay where it is: on the same enemy, after disengaging (M-4.2), or at the
    place of one who died (M-4.7).
    """
    cells = game.choices.take("move", "M-1.7", fighter=warrior.number, action=action)
    before = warrior.at
    old = {e.number for e in game.enemies(warrior)}
    warrior.at = (cells["at"][0], cells["at"][1])
    warrior.facing = (cells["facing"][0], cells["facing"][1])
    length, toll, who = cells["length"], cells["toll"], f"fighter {warrior.number}"
    straight = travel(before, warrior.at)
    norm = travel((0.0, 0.0), warrior.facing)
    must(abs(norm - 1) <= NEAR, "M-1.5", f"{who} faces {warrior.facing}, no unit vector")
    must(length >= straight - NEAR, "M-1.1", f"{who} goes {straight} cm, not {length}")
    must(toll >= 0, "M-1.4", f"{who} pays a toll of {toll}")
    must(length + toll <= most + NEAR, "M-8", f"{who} goes {length} + {toll} of {most} cm")
    if action == "turn":
        must(straight <= NEAR, "M-1.5", f"{who} turns about his aim point")
    else:
        stays = action in (*ASSAULTS, "pursue") and (cells["targets"] or redirected)
        must(straight > 0 or stays, "M-1.5", f"{who} stays on the spot: that is no move")
    check_place(game, warrior)
    touched = {e.number for e in game.enemies(warrior)}
    if action in ("walk", "run", "under_cover", "flee", "turn"):
        must(not touched - (old if action == "turn" else set()), "M-8", f"{who} ends in contact")
    if action == "flee":
        check_flight(game, warrior, before)
    return cells


def report(
    game: Game,
    warrior: Warrior,
    action: str,
    cells: dict[str, Any],
    targets: list[int],
    *,
    short: bool = False,
    redirected: bool = False,
) -> list[int]:
    """Write a move; the enemies touched at its end."""
    touched = [enemy.number for enemy in game.enemies(warrior)]
    game.tell(
        "move",
        fighter=warrior.number,
        action=action,
        targets=targets,
        aimed=cells["aimed"],
        at=cells["at"],
        facing=cells["facing"],
        length=cells["length"],
        toll=cells["toll"],
        short=short,
        redirected=redirected,
        touched=touched,
    )
    return touched


def simple_move(game: Game, warrior: Warrior, action: str, past: list[str]) -> None:
    """A move without contact."""
    cells = go(game, warrior, action, potential(game, warrior, action, past))
    report(game, warrior, action, cells, [])


def assault(
    game: Game, warrior: Warrior, action: str, named: list[int], most: float
) -> list[Warrior]:
    """A charge or an engagement; the enemies whom he assails in the end (M-4)."""
    living = [game[t] for t in named if game[t].alive]
    if game.choices.next_is("move", fighter=warrior.number, action=action):
        cells = go(game, warrior, action, most)
        return land(game, warrior, action, cells, living, redirected=False)
    return []


def land(
    game: Game,
    warrior: Warrior,
    action: str,
    cells: dict[str, Any],
    living: list[Warrior],
    *,
    redirected: bool,
) -> list[Warrior]:
    """The end of an assault: in contact with all targets, or short of one (M-4.3 to M-4.5)."""
    who, touched = f"fighter {warrior.number}", game.enemies(warrior)
    short = not cells["targets"]
    targets = [] if short else [target for target in living if target in touched]
    numbers = [target.number for target in targets]
    if short:
        must(not touched, "M-4.4", f"{who} falls short and touches an enemy")
        meant = cells["aimed"] in [target.number for target in living]
        must(meant, "M-4.4", f"{who} falls short of one whom he did not name")
    else:
        must(cells["targets"] == numbers, "M-4.5", f"{who} assails {cells['targets']}")
        nearest = min(abs(away(warrior.at, target)) for target in targets)
        must(nearest <= TOUCH, "M-4.3", f"the aim point of {who} touches no target")
    report(game, warrior, action, cells, numbers, short=short, redirected=redirected)
    return targets


def redirect(
    game: Game, warrior: Warrior, action: str, lost: Warrior, most: float
) -> tuple[str, list[Warrior]]:
    """To the place of a target who died, then on with what is left (M-4.7).

    What the assault has become, and whom it assails.
    """
    if not game.choices.next_is("move", fighter=warrior.number, action=action):
        return action, []
    cells = go(game, warrior, action, most, redirected=True)
    must(cells["aimed"] == lost.number, "M-4.7", f"fighter {warrior.number} goes to his target")
    report(game, warrior, action, cells, [], short=True, redirected=True)
    if cells["then"] is None:
        return action, []
    there, target = abs(away(warrior.at, lost)) <= TOUCH, game[cells["then"]]
    must(there, "M-4.7", f"fighter {warrior.number} is not at the place of {lost.number}")
    foe = target.alive and target.side != warrior.side
    must(foe, "M-4.7", f"fighter {warrior.number} cannot assail {target.number}")
    if action == "charge" and not sees(game, warrior, target):
        action = "engage"
    if not stands(game, warrior, [target], warrior if action == "charge" else None):
        return action, []
    cells = go(game, warrior, action, most - cells["length"] - cells["toll"])
    return action, land(game, warrior, action, cells, [target], redirected=True)
