"""Maintenance, points and the end of a battle (T-5, T-1)."""

from __future__ import annotations

from typing import Any

from reference.book import Wounds, maintain
from reference.decisions import must
from reference.field import Game, Lasting, Warrior, inside, state_name
from reference.testing import test_of
from reference.volley import changed, held, pay

MARKERS = ("charged", "defence", "target")


# --- T-5 ---------------------------------------------------------------------------------


def maintenance(game: Game) -> None:
    """The whole phase, in the order of T-5.

    Reading: who leads whom is looked at before the first rally (W-4.5).
    """
    routed = [(warrior, *nerve(game, warrior)) for warrior in game.living() if warrior.routed]
    for warrior, value, test in routed:
        rally(game, warrior, value, test)
    for warrior in game.living():
        if warrior.card["casts"] == "faithful":
            new_faith(game, warrior)
    for warrior in game.living():
        if warrior.card["casts"] == "magician":
            recover(game, warrior)
    steps(game)
    for warrior in game.living():
        clear(game, warrior)


def nerve(game: Game, warrior: Warrior) -> tuple[int, str]:
    """What he rallies with: the higher of COU and DIS, or a leader's (T-5.1, W-4.4, W-4.5).

    And of which of them the test is; of equal ones, that of which 5s are re-rolled (W-7).
    """
    tests = {"courage": game.led(warrior, "COU"), "discipline": game.led(warrior, "DIS")}
    known = {test: number for test, number in tests.items() if number is not None}
    best = max(known.values(), default=0)
    used = [test for test, number in known.items() if number == best]
    opened = [test for test in used if test in warrior.words("open_rolls")]
    return best, (opened or used or ["courage"])[0]


def rally(game: Game, warrior: Warrior, value: int, tests: str) -> None:
    """The test against a difficulty; not while touching a frightening enemy (W-4.4)."""
    edition = game.edition
    frightened = any(game.fear(enemy) for enemy in game.enemies(warrior))
    frightened = frightened and not warrior.has("fearless")
    barred = bool(edition["fear.no_rally_in_contact"] and frightened)
    difficulty = edition["fear.rally_difficulty"]
    result, dice = None, []
    if not barred:
        test = test_of(game, warrior, value, tests, warrior, warrior.number, difficulty)
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


STEPS = ("harm", "passive", "active", "other", "return")


def steps(game: Game) -> None:
    """Lasting effects and what is paid for them, in the steps 1 to 5 (T-5.3)."""
    edition = game.edition
    healing = [warrior for warrior in game.warriors if warrior.has("regeneration")]
    for step, name in enumerate(STEPS, 1):
        if edition["maintenance.steps.roll_to_heal"][0] == step:
            for number, warrior in enumerate(healing):
                regenerate(game, warrior, number, name)
        for number, effect in enumerate(game.lasting):
            first = len(healing) + 2 * number
            kind = game.head["mystics"][effect.mystic]["kind"]
            if effect.lasts and edition[f"maintenance.steps.{kind}"][0] == step:
                act_again(game, effect, first, name)
            if effect.lasts and edition["maintenance.steps.upkeep"][0] == step:
                keep_up(game, effect, first + 1, name)


def regenerate(game: Game, warrior: Warrior, number: int, step: str) -> None:
    """A die heals a level, and a success rolls once more while there is a wound (W-7)."""
    if not warrior.alive or not warrior.wounds.level:
        return
    before, dice = game.state(warrior), []
    for again in range(2):
        if warrior.wounds.level:
            dice.append(game.dice.take(warrior.number, 0))
            if dice[again][1] < warrior.amount("regeneration", "regeneration_die"):
                break
            warrior.wounds = Wounds(warrior.wounds.level - 1, warrior.wounds.stunned)
    told = {"source": warrior.number, "effect": number, "stage": step, "dice": dice}
    after = game.state(warrior)
    game.tell("lasting", fighter=warrior.number, before=before, after=after, goes_on=True, **told)


def act_again(game: Game, effect: Lasting, number: int, step: str) -> None:
    """An effect acts again; not of or on the dead, nor where there is nothing to heal (T-5.3)."""
    target, mystic = effect.target, game.head["mystics"][effect.mystic]
    if not effect.source.alive or not target.alive:
        return
    if mystic["kind"] == "heal" and not target.wounds.level:
        return
    needs, dice = mystic.get("needs", 0), []
    if needs:
        dice = [game.dice.take(target.number, 0)]
    before = game.state(target)
    if not needs or dice[0][1] >= needs:
        target.wounds = changed(game, target.wounds, mystic)
    told = {"source": effect.source.number, "effect": number, "stage": step, "dice": dice}
    after = game.state(target)
    game.tell("lasting", fighter=target.number, before=before, after=after, goes_on=True, **told)


def keep_up(game: Game, effect: Lasting, number: int, step: str) -> None:
    """Its caster pays for it to go on, if he can and wants to; nobody pays for the dead (T-5.3)."""
    source, mystic = effect.source, game.head["mystics"][effect.mystic]
    before = held(source, mystic["in_faith"])
    able = source.alive and effect.target.alive and before >= mystic["upkeep"]
    effect.lasts = game.choices.take("upkeep", "T-5.3", effect=number)["goes_on"]
    must(able or not effect.lasts, "T-5.3", f"fighter {source.number} cannot keep {number} up")
    if effect.lasts:
        pay(source, mystic["in_faith"], mystic["upkeep"])
    game.tell(
        "upkeep",
        fighter=source.number,
        stage=step,
        source=source.number,
        effect=number,
        before=before,
        after=held(source, mystic["in_faith"]),
        goes_on=effect.lasts,
        dice=[],
    )


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
