"""Maintenance, points and the end of a battle (T-5, T-1)."""

from __future__ import annotations

from typing import Any

from reference.book import maintain
from reference.field import Game, Warrior, inside, state_name
from reference.testing import test_of

MARKERS = ("charged", "defence", "target")


# --- T-5 ---------------------------------------------------------------------------------


def maintenance(game: Game) -> None:
    """The whole phase, in the order of T-5.

    Reading: who leads whom is looked at before the first rally (W-4.5).
    """
    routed = [(warrior, nerve(game, warrior)) for warrior in game.living() if warrior.routed]
    for warrior, value in routed:
        rally(game, warrior, value)
    for warrior in game.living():
        if warrior.card["casts"] == "faithful":
            new_faith(game, warrior)
    for warrior in game.living():
        if warrior.card["casts"] == "magician":
            recover(game, warrior)
    for warrior in game.living():
        clear(game, warrior)


def nerve(game: Game, warrior: Warrior) -> int:
    """What he rallies with: the higher of COU and DIS, or a leader's (T-5.1, W-4.4, W-4.5)."""
    known = [game.led(warrior, stat) for stat in ("COU", "DIS")]
    return max((number for number in known if number is not None), default=0)


def rally(game: Game, warrior: Warrior, value: int) -> None:
    """The test against a difficulty; not while touching a frightening enemy (W-4.4)."""
    edition = game.edition
    frightened = any(game.fear(enemy) for enemy in game.enemies(warrior))
    barred = bool(edition["fear.no_rally_in_contact"] and frightened)
    difficulty = edition["fear.rally_difficulty"]
    result, dice = None, []
    if not barred:
        test = test_of(game, warrior, value)
        warrior.routed = not test.reaches(game, difficulty)
        result, dice = test.result, test.dice
    game.tell(
        "rally",
        fighter=warrior.number,
        value=value,
        difficulty=difficulty,
        result=result,
        routed=warrior.routed,
        barred=barred,
        dice=dice,
    )


def new_faith(game: Game, warrior: Warrior) -> None:
    """A new score of temporary faith (T-5.2)."""
    edition, before = game.edition, warrior.faith
    warrior.faith = edition["mystic.faith_base"]
    warrior.faith += edition["mystic.faith_per_rank"] * warrior.card["rank"]
    game.tell("faith", fighter=warrior.number, before=before, after=warrior.faith, dice=[])


def recover(game: Game, warrior: Warrior) -> None:
    """The mana recovery roll, up to the most that he recovers to (T-5.2)."""
    edition, before, rank = game.edition, warrior.mana, warrior.card["rank"]
    dice = [game.dice.take(warrior.number, k) for k in range(edition["mystic.mana_dice"])]
    gained = edition["mystic.mana_base"] + edition["mystic.mana_per_rank"] * rank
    gained += sum(die[1] for die in dice)
    most = edition["mystic.mana_most_per_rank"] * rank
    warrior.mana = max(before, min(before + gained, most))
    game.tell("mana", fighter=warrior.number, before=before, after=warrior.mana, dice=dice)


def clear(game: Game, warrior: Warrior) -> None:
    """Markers that are needed no longer, and stunned (T-5.3 step 6)."""
    edition = game.edition
    if edition["maintenance.removes.stunned"] and warrior.wounds.stunned:
        before, warrior.wounds = warrior.wounds, maintain(warrior.wounds)
        tell_markers(game, warrior, "state", state_name(edition, before), game.state(warrior))
    gone = {m for m in warrior.markers if edition[f"maintenance.removes.{m}"]}
    if gone:
        before_markers = listed(warrior.markers)
        warrior.markers -= gone
        tell_markers(game, warrior, "markers", before_markers, listed(warrior.markers))


def tell_markers(game: Game, warrior: Warrior, what: str, before: Any, after: Any) -> None:
    """A row of what step 6 removed."""
    game.tell("markers", fighter=warrior.number, what=what, before=before, after=after)


def listed(markers: set[str]) -> list[str]:
    """Markers in a fixed order."""
    return [marker for marker in MARKERS if marker in markers]


# --- points ------------------------------------------------------------------------------


def destroyed(game: Game) -> list[int]:
    """PA of the enemies of each side that are dead."""
    return [
        sum(game.worth(w) for w in game.warriors if w.side != side and not w.alive)
        for side in (0, 1)
    ]


def points(game: Game) -> list[int]:
    """All points of both sides: destroyed, zones held, survival."""
    found = destroyed(game) if game.head["destroyed"] else [0, 0]
    for zone in game.head["zones"]:
        held = [0, 0]
        for warrior in game.living():
            if not warrior.routed and inside(warrior.at, zone["corners"]):
                held[warrior.side] += game.worth(warrior)
        if held[0] != held[1]:
            found[int(held[1] > held[0])] += zone["points"]
    for item in game.head["survival"]:
        warrior = game[item["fighter"]]
        if warrior.alive:
            found[warrior.side] += item["points"]
    return found


def score(game: Game) -> None:
    """The points after a turn."""
    game.tell("score", turn=game.turn, destroyed=destroyed(game), points=points(game))


def end(game: Game) -> None:
    """The end: more points by at least the margin win."""
    a, b = points(game)
    enough = a != b and abs(a - b) >= game.head["margin"]
    winner = int(b > a) if enough else -1
    game.tell("end", turn=game.turn, points=[a, b], winner=winner)
