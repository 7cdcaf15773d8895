"""Shots and mystic actions (A-5.5, A-5.6, M-6.3, W-6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference.actions import is_still
from reference.book import DEAD, OUTCOMES, Wounds, suffer
from reference.decisions import must
from reference.field import NEAR, Game, Lasting, Warrior, away
from reference.sightline import sees
from reference.testing import OUTCOMES as WORDS
from reference.testing import Tested, test_of, tested, wound

Check = Callable[[Game, Warrior, list[str], str, list[Warrior]], None]
BANDS = ("short", "medium", "long")
CODES = dict(zip(WORDS, OUTCOMES, strict=True))


# --- shots -------------------------------------------------------------------------------


def shoot(game: Game, shooter: Warrior, past: list[str], check: Check) -> None:
    """A shot, and its wound if it hits (W-6)."""
    edition, thrown = game.edition, False
    if game.choices.next_is("throw", shooter=shooter.number):
        thrown = throws(game, shooter)
    said = game.choices.take("shoot", "A-5.5", shooter=shooter.number)
    target = game[said["target"]]
    check(game, shooter, past, "shoot", [target])
    check_target(game, shooter, target)
    distance = away(shooter.at, target)
    ranges = shooter.card["weapon"]["ranges"]
    near = [nth for nth, reach in enumerate(ranges) if reach and distance <= reach + NEAR]
    must(bool(near), "W-6", f"fighter {target.number} is out of range, {distance} cm")
    band = near[0]
    moved = not is_still([step for step in past if step != "announce_walk"])
    cover = edition["cover.target"] * (thrown + ("target" in target.markers))
    cover += target.amount("aim_difficulty", "aim_difficulty")
    difficulty = edition[f"shooting.{BANDS[band]}"] + moved * edition["shooting.moved"] + cover
    value = game.current(shooter, "TIR")
    test = test_of(game, shooter, value, "shot", target, 0, difficulty)
    hit = test.reaches(game, difficulty)
    game.tell(
        "shoot",
        shooter=shooter.number,
        target=target.number,
        distance=distance,
        band=band,
        moved=moved,
        cover=cover,
        value=value,
        difficulty=difficulty,
        result=test.result,
        hit=hit,
        dice=test.dice,
    )
    if hit:
        still = is_still(past) and edition["actions.shoot.still_bonus"]  # the walk to come
        strength = shooter.card["weapon"]["strength"]
        wound(game, shooter, target, strength, still=still, weapon="ranged")


def check_target(game: Game, shooter: Warrior, target: Warrior) -> None:
    """A living enemy; one who touches a friend only where the edition says so (W-6)."""
    foe = target.alive and target.side != shooter.side
    must(foe, "A-5.5", f"fighter {target.number} is no target")
    if game.enemies(target) and not game.edition["shooting.into_melee"]:
        must(False, "W-6", f"fighter {target.number} is in a melee")


def throws(game: Game, shooter: Warrior) -> bool:
    """Throwing oneself to cover before the shot (M-6.3)."""
    warrior = game[game.choices.take("throw", "M-6.3")["fighter"]]
    aimed_at = game.choices.next_is("shoot", shooter=shooter.number, target=warrior.number)
    must(aimed_at, "M-6.3", f"fighter {warrior.number} is not shot at")
    able = not (warrior.activated or game.enemies(warrior) or warrior.routed)
    low = warrior.card["level"] == 0 or "level_0" not in game.edition["cover.throw_needs"]
    must(able and low, "M-6.3", f"fighter {warrior.number} cannot throw himself to cover")
    warrior.thrown = True
    game.tell("throw", fighter=warrior.number, shooter=shooter.number)
    return True


# --- mystic actions ----------------------------------------------------------------------


def cast(game: Game, caster: Warrior, *, out_of_turn: bool = False) -> None:
    """A spell or a miracle: the test, its price, its effect (A-5.6)."""
    said = game.choices.take("cast", "A-5.6", fighter=caster.number)
    number, target = said["mystic"], game[said["target"]]
    mystic = game.head["mystics"][number]
    check_cast(game, caster, target, number)
    allowed = mystic["outside"] or not out_of_turn
    must(allowed, "A-5.4", f"fighter {caster.number} is not activated now")
    caster.cast[number] = caster.cast.get(number, 0) + 1
    pay(caster, mystic["in_faith"], mystic["cost"])
    value = caster.card["rank"]
    test = cast_test(game, caster, value)
    success = test.reaches(game, mystic["difficulty"])
    game.tell(
        "cast",
        fighter=caster.number,
        mystic=number,
        target=target.number,
        value=value,
        difficulty=mystic["difficulty"],
        result=test.result,
        success=success,
        held=held(caster, mystic["in_faith"]),
        dice=test.dice,
        outside=out_of_turn,
    )
    if success:
        before = game.state(target)
        game.change(target, changed(game, target.wounds, mystic), caster)
        game.tell(
            "effect",
            fighter=target.number,
            mystic=number,
            before=before,
            after=game.state(target),
        )
        if mystic["upkeep"] is not None and target.alive:
            game.lasting.append(Lasting(caster, target, number))


def cast_test(game: Game, caster: Warrior, value: int) -> Tested:
    """The test of a mystic action: no ability changes it (W-7 names none)."""
    dice = [game.dice.take(caster.number, 0)]
    while dice[-1][1] == 6 and game.dice.follows(caster.number, len(dice)):
        dice.append(game.dice.take(caster.number, len(dice)))
    return tested(game, [die[1] for die in dice], value, dice)


def cast_outside(game: Game) -> None:
    """Mystic actions that are allowed outside an activation, while others act (A-5.4)."""
    while not game.over and game.choices.next_is("cast", outside=True):
        said = game.choices.left[-1].cells
        if said["when"] not in (None, len(game.steps)):
            return
        caster = game[said["fighter"]]
        must(caster.alive, "A-5.6", f"fighter {caster.number} is dead")
        cast(game, caster, out_of_turn=True)


def held(caster: Warrior, in_faith: bool) -> int:
    """What he holds to pay with."""
    return caster.faith if in_faith else caster.mana


def pay(caster: Warrior, in_faith: bool, cost: int) -> None:
    """Take it from what he holds."""
    if in_faith:
        caster.faith -= cost
    else:
        caster.mana -= cost


def check_cast(game: Game, caster: Warrior, target: Warrior, number: int) -> None:
    """He knows it, can pay it, and may aim it at the target."""
    mystic, who = game.head["mystics"][number], f"fighter {caster.number}"
    must(number in caster.card["mystic"], "A-5.6", f"{who} does not know {number}")
    enough = held(caster, mystic["in_faith"]) >= mystic["cost"]
    must(enough, "A-5.6", f"{who} cannot pay for {number}")
    often = mystic["times"] == 0 or caster.cast.get(number, 0) < mystic["times"]
    must(often, "A-5.6", f"{who} has used {number} often enough this turn")
    friend = target.side == caster.side
    must(target.alive and friend == mystic["friend"], "A-5.6", f"{target.number} is no target")
    near = target is caster or away(caster.at, target) <= mystic["range"] + NEAR
    must(near, "A-5.6", f"fighter {target.number} is out of reach of {number}")
    seen = target is caster or not mystic["sight"] or sees(game, caster, target)
    must(seen, "A-5.6", f"{who} does not see {target.number}")


def changed(game: Game, wounds: Wounds, mystic: dict[str, Any]) -> Wounds:
    """The wounds after a mystic action has worked."""
    if mystic["kind"] == "heal":
        return Wounds(max(wounds.level - mystic["levels"], 0), wounds.stunned)
    after = suffer(game.book, wounds, CODES[mystic["outcome"]])
    level = after.level + mystic["levels"]
    dead = after.dead or level >= game.book.killing
    return DEAD if dead else Wounds(level, after.stunned)
