"""Shots, throws to cover, mystic actions and wounds of a transcript (W-2, W-6, A-5.5, A-5.6)."""

from dataclasses import dataclass
from typing import Any

from estoc.sim.audit_dice import check_test
from estoc.sim.audit_geometry import gap
from estoc.sim.audit_state import Data, Fighter, Ledger

_BANDS = ("short", "medium", "long")
_EPS = 1e-6


@dataclass
class Past:
    """What a fighter has done in its activation."""

    walked: bool = False
    moved: bool = False  # turning counts
    announced: bool = False
    shots: int = 0
    disengaged: bool | None = None  # None: not tried


def read_wound(
    ledger: Ledger, striker: Fighter, target: Fighter, strength: int, still: bool
) -> None:
    """Check a wound roll and give the target its new state (W-2, W-3)."""
    data = ledger.take("wound", "C-6.5")
    name, book = target.label, ledger.book
    who = (data["striker"], data["target"]) == (striker.number, target.number)
    ledger.check(who, "C-6.5", f"the wound roll is that of {striker.label} on {name}")
    ledger.check(
        data["strength"] == strength,
        "W-2.1",
        f"{striker.label} strikes {name} with FOR {strength}, not {data['strength']}",
    )
    resistance = ledger.value(target, "RES")
    ledger.check(
        data["resistance"] == resistance,
        "W-2.1",
        f"{name} has RES {resistance}, not {data['resistance']}",
    )
    ledger.check(
        bool(data["still"]) == still,
        "W-6",
        f"{striker.label} {'did not move' if still else 'gets no bonus for not moving'}",
    )
    dice = _wound_dice(ledger, data, striker)
    if dice is not None:
        lines = ledger.rule["shooting.still_lines"] if data["still"] else 0
        outcome = book.outcome(dice, data["strength"] - data["resistance"], lines)
        ledger.check(
            data["outcome"] == outcome,
            "W-2.1",
            f"{name}: dice {dice[0]} and {dice[1]} give {outcome}, not {data['outcome']}",
        )
    after = book.after(target.state, data["outcome"])
    ledger.check(
        data["state"] == after,
        "W-3.1",
        f"{name} is {after} after {data['outcome']}, not {data['state']}",
    )
    ledger.set_state(target, data["state"])


def _wound_dice(ledger: Ledger, data: Data, striker: Fighter) -> tuple[int, int] | None:
    """Return the two dice of a wound roll, if that is what they are (W-1.6)."""
    values = [die[1] for die in data["dice"]]
    right = len(values) == 2 and all(1 <= value <= 6 for value in values)
    own = all(die[0] == striker.number for die in data["dice"])
    text = f"{striker.label} rolls two dice for the wound, and none again"
    return (values[0], values[1]) if ledger.check(right and own, "W-1.6", text) else None


def read_shot(ledger: Ledger, shooter: Fighter, past: Past) -> None:
    """Check a shot and all that follows from it (A-5.5, W-6).

    Parameters
    ----------
    ledger : Ledger
    shooter : Fighter
    past : Past
        What it has done before; the shot is added.
    """
    thrown = _read_throw(ledger, shooter)
    data = ledger.take("shoot", "A-5.5")
    name, target = shooter.label, ledger.fighters[data["target"]]
    if thrown is not None:
        ledger.check(thrown is target, "M-6.3", f"{thrown.label} is not shot at by {name}")
    _check_may_shoot(ledger, shooter, target, past)
    past.shots += 1
    away = past.disengaged and ledger.rule["actions.shoot.disengaged_moved"]
    moved = past.moved or bool(away)
    ledger.check(
        bool(data["moved"]) == moved,
        "A-5.5",
        f"{name} {'has moved' if moved else 'has not moved'} before its shot",
    )
    _check_difficulty(ledger, data, shooter, target, thrown is not None)
    value = ledger.value(shooter, "TIR")
    ledger.check(
        data["value"] == value, "W-6", f"{name} shoots with TIR {value}, not {data['value']}"
    )
    if check_test(ledger, data, shooter.number, "hit"):
        weapon = shooter.card["weapon"] or {"strength": 0}
        still = not moved and not past.announced and ledger.rule["actions.shoot.still_bonus"]
        read_wound(ledger, shooter, target, weapon["strength"], bool(still))


def _read_throw(ledger: Ledger, shooter: Fighter) -> Fighter | None:
    """Check a throw to cover (M-6.3); who throws itself, if anybody."""
    if ledger.peek() != "throw":
        return None
    data = ledger.read()
    fighter = ledger.fighters[data["fighter"]]
    name = fighter.label
    ledger.check(data["shooter"] == shooter.number, "M-6.3", f"{name}: the shooter is another one")
    ledger.check(fighter.alive, "M-6.3", f"{name} is dead")
    ledger.check(fighter.side != shooter.side, "M-6.3", f"{name} is a friend of {shooter.label}")
    ledger.check(not fighter.activated, "M-6.3", f"{name} has been activated already")
    ledger.check(ledger.free(fighter), "M-6.3", f"{name} touches an enemy")
    ledger.check(not fighter.routed, "W-4.3", f"{name} is in rout")
    if "level_0" in ledger.rule["cover.throw_needs"]:
        ledger.check(fighter.card["level"] == 0, "M-6.3", f"{name} is not at level 0")
    fighter.thrown = True
    return fighter


def _check_may_shoot(ledger: Ledger, shooter: Fighter, target: Fighter, past: Past) -> None:
    name, card = shooter.label, shooter.card
    ledger.check(
        card["TIR"] is not None and card["weapon"] is not None, "A-5.5", f"{name} cannot shoot"
    )
    ledger.check(not shooter.routed, "W-4.3", f"{name} is in rout and shoots")
    ledger.check(
        ledger.free(shooter) or bool(past.disengaged),
        "A-5.5",
        f"{name} touches an enemy: it cannot shoot",
    )
    times = ledger.rule["actions.shoot.times"]
    ledger.check(not times or past.shots < times, "A-5.5", f"{name} shoots a second time")
    enemy = target.alive and target.side != shooter.side
    if not ledger.check(enemy, "A-5.5", f"{target.label} is no living enemy of {name}"):
        return
    ledger.check(ledger.sees(shooter, target), "A-5.5", f"{name} does not see {target.label}")
    into = ledger.rule.get("shooting.into_melee", False)
    friends = [f for f in ledger.contacts(target) if f is not shooter]
    ledger.check(
        into or not friends, "A-5.5", f"{target.label} touches a friend of {name}: no shot at it"
    )


def _check_difficulty(
    ledger: Ledger, data: Data, shooter: Fighter, target: Fighter, thrown: bool
) -> None:
    name, rule = shooter.label, ledger.rule
    distance = ledger.distance(shooter, target)
    ledger.check(
        abs(data["distance"] - distance) < 1e-3,
        "M-1.1",
        f"{target.label} is {distance:.2f} cm from {name}, not {data['distance']:.2f}",
    )
    ranges = (shooter.card["weapon"] or {"ranges": (0, 0, 0)})["ranges"]
    bands = [band for band, reach in enumerate(ranges) if data["distance"] <= reach + _EPS]
    if not ledger.check(bool(bands), "W-6", f"{target.label} is out of range of {name}"):
        return
    near = [b for b, reach in enumerate(ranges) if data["distance"] <= reach - _EPS]
    right = data["band"] in (bands[0], near[0] if near else bands[0])
    words = f"{target.label} is at {_BANDS[bands[0]]} range of {name}"
    if not ledger.check(right and 0 <= data["band"] < len(_BANDS), "W-6", words):
        return
    cover = rule["cover.target"]
    steady = cover if "target" in target.markers else 0
    allowed = {cover, cover + steady} if thrown else {steady}
    ledger.check(
        data["cover"] in allowed,
        "M-6.2",
        f"{target.label} has Target/+{max(allowed)}, not +{data['cover']}",
    )
    difficulty = rule[f"shooting.{_BANDS[data['band']]}"] + data["cover"]
    difficulty += rule["shooting.moved"] if data["moved"] else 0
    ledger.check(
        data["difficulty"] == difficulty,
        "W-6",
        f"the difficulty of {name} is {difficulty}, not {data['difficulty']}",
    )


def read_cast(ledger: Ledger, caster: Fighter | None = None) -> None:
    """Check a mystic action and its effect (A-5.6); ``caster`` where it is activated."""
    data = ledger.take("cast", "A-5.6")
    fighter = ledger.fighters[data["fighter"]]
    name, mystics = fighter.label, ledger.header["mystics"]
    known = data["mystic"] in fighter.card["mystic"] and 0 <= data["mystic"] < len(mystics)
    if not ledger.check(known, "A-5.6", f"{name} knows no mystic action {data['mystic']}"):
        return
    mystic = mystics[data["mystic"]]
    ledger.check(fighter.alive, "A-5.6", f"{name} is dead and casts {mystic['name']}")
    ledger.check(
        caster is not None or mystic["outside"],
        "A-5.6",
        f"{name} casts {mystic['name']} outside its activation",
    )
    ledger.check(
        not fighter.exclusive or mystic["outside"],
        "A-5.4",
        f"{name} has made an exclusive action and casts {mystic['name']}",
    )
    used = fighter.casts[data["mystic"]] = fighter.casts.get(data["mystic"], 0) + 1
    often = not mystic["times"] or used <= mystic["times"]
    ledger.check(often, "A-5.6", f"{name} casts {mystic['name']} too often in a turn")
    _check_cast_target(ledger, data, fighter, mystic)
    _pay(ledger, data, fighter, mystic)
    rank = fighter.card["rank"] or 0
    ledger.check(data["value"] == rank, "A-5.6", f"{name} casts with its rank, {rank}")
    ledger.check(
        data["difficulty"] == mystic["difficulty"],
        "A-5.6",
        f"the difficulty of {mystic['name']} is {mystic['difficulty']}",
    )
    if check_test(ledger, data, fighter.number):
        _read_effect(ledger, data, mystic)


def _check_cast_target(
    ledger: Ledger, data: Data, fighter: Fighter, mystic: dict[str, Any]
) -> None:
    name = fighter.label
    if not ledger.check(data["target"] >= 0, "A-5.6", f"{name} casts {mystic['name']} at nobody"):
        return
    target = ledger.fighters[data["target"]]
    ledger.check(
        target.alive, "A-5.6", f"{name} casts {mystic['name']} at {target.label}, who is dead"
    )
    friend = target.side == fighter.side
    wanted = "a friend" if mystic["friend"] else "an enemy"
    ledger.check(friend == bool(mystic["friend"]), "A-5.6", f"{mystic['name']} is cast at {wanted}")
    if target is fighter:
        return
    far = min(ledger.distance(fighter, target), max(gap(fighter.shape, target.shape), 0.0))
    ledger.check(
        far <= mystic["range"] + _EPS, "A-5.6", f"{target.label} is out of range of {name}"
    )
    ledger.check(
        not mystic["sight"] or ledger.sees(fighter, target),
        "A-5.6",
        f"{name} does not see {target.label}",
    )


def _pay(ledger: Ledger, data: Data, fighter: Fighter, mystic: dict[str, Any]) -> None:
    held = (fighter.faith if mystic["in_faith"] else fighter.mana) or 0
    left = held - mystic["cost"]
    ledger.check(left >= 0, "A-5.6", f"{fighter.label} cannot pay for {mystic['name']}")
    ledger.check(
        data["held"] == left, "A-5.6", f"{fighter.label} has {left} left, not {data['held']}"
    )
    if mystic["in_faith"]:
        fighter.faith = data["held"]
    else:
        fighter.mana = data["held"]


def _read_effect(ledger: Ledger, cast: Data, mystic: dict[str, Any]) -> None:
    data = ledger.take("effect", "A-5.6")
    target = ledger.fighters[data["fighter"]]
    name, book = target.label, ledger.book
    ledger.check(data["fighter"] == cast["target"], "A-5.6", f"{name} is not the one aimed at")
    ledger.check(data["mystic"] == cast["mystic"], "A-5.6", f"{name} suffers another effect")
    ledger.check(
        data["before"] == target.state, "W-3.1", f"{name} is {target.state}, not {data['before']}"
    )
    levels = mystic.get("levels") or 0
    if mystic["kind"] == "heal":
        after = book.with_levels(target.state, -levels)
    else:
        after = book.after(target.state, mystic.get("outcome") or "nothing")
        after = book.with_levels(after, levels)
    ledger.check(data["after"] == after, "W-3.1", f"{name} is {after} after {mystic['name']}")
    ledger.set_state(target, data["after"])
