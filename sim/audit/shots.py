"""Shots, throws to cover, mystic actions and wounds of a transcript (W-2, W-6, A-5.5, A-5.6)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from .dice import check_test
from .geometry import TOUCH, gap, within
from .ledger import Data, Fighter, Ledger

_BANDS = ("short", "medium", "long")


@dataclass
class Past:
    """What a fighter has done in its activation."""

    walked: bool = False
    moved: bool = False  # turning counts
    announced: bool = False
    shots: int = 0
    disengaged: bool | None = None  # None: not tried


class Blow(NamedTuple):
    """What a wound roll comes of: its FOR, all that is added included.

    Parameters
    ----------
    strength : int
    still : bool
        Whether the shooter did not move (W-6).
    weapon : {"melee", "ranged"}
    dice : int
        That are rolled, of which the two highest count (W-7).
    """

    strength: int
    still: bool = False
    weapon: str = "melee"
    dice: int = 2


def read_wound(ledger: Ledger, striker: Fighter, target: Fighter, blow: Blow) -> bool:
    """Check a wound roll and give the target its new state (W-2, W-3, W-7).

    Returns
    -------
    bool
        Whether the roll was made: a die of the target may cancel it.
    """
    if _survives(ledger, striker, target):
        return False
    poison = ledger.take_feat("toxic", striker)
    coming = ledger.coming("wound")
    after = ""
    if coming is not None:
        after = ledger.suffer(target, ledger.book.after(target.state, coming["outcome"]), striker)
    data = ledger.take("wound", "C-6.5")
    name, strength = target.label, blow.strength
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
        bool(data["still"]) == blow.still,
        "W-6",
        f"{striker.label} {'did not move' if blow.still else 'gets no bonus for not moving'}",
    )
    dice = _wound_dice(ledger, data, striker, blow.dice)
    if dice is not None:
        outcome = _outcome(ledger, data, striker, target, dice, blow.weapon)
        outcome = _poisoned(ledger, poison, striker, target, outcome)
        ledger.check(
            data["outcome"] == outcome,
            "W-2.1",
            f"{name}: dice {dice[0]} and {dice[1]} give {outcome}, not {data['outcome']}",
        )
    ledger.check(
        data["state"] == after,
        "W-3.1",
        f"{name} is {after} after {data['outcome']}, not {data['state']}",
    )
    ledger.set_state(target, data["state"])
    return True


def _survives(ledger: Ledger, striker: Fighter, target: Fighter) -> bool:
    """Check the die of a target that may cancel the wound roll (W-7); whether it does."""
    if not target.has("survival"):
        return False
    data, name = ledger.take_feat("survival", target), target.label
    if data is None:
        ledger.breach("W-7", f"{name} rolls no die before the wound roll", ledger.at)
        return False
    die = _one_die(ledger, data, target)
    ledger.check(data["against"] == striker.number, "W-7", f"{striker.label} has hit {name}")
    saved = die >= target.amount("survival", "survival_die")
    ledger.check(
        (data["x"], data["y"]) == (die, int(saved)), "W-7", f"{name} {'' if saved else 'not '}saved"
    )
    return bool(data["y"])


def _one_die(ledger: Ledger, data: Data, roller: Fighter) -> int:
    dice = data["dice"]
    right = len(dice) == 1 and dice[0][0] == roller.number and 1 <= dice[0][1] <= 6
    ledger.check(right, "W-7", f"{roller.label} rolls one die")
    return int(dice[0][1]) if dice else 0


def _outcome(
    ledger: Ledger,
    data: Data,
    striker: Fighter,
    target: Fighter,
    dice: tuple[int, int],
    weapon: str,
) -> str:
    """Return what two dice come to before poison, in the order of W-7."""
    lower = min(dice)
    if dice[0] == dice[1]:
        if target.has("ignore_doubles"):
            return "nothing"
        six = lower == 6 and ledger.rule["wounds.double_six_kills"]
        if six or weapon in striker.words("kill_weapons"):
            return "killed"
    if lower in target.words("ignored_locations"):
        return "nothing"
    lines = ledger.rule["shooting.still_lines"] if data["still"] else 0
    if target.number in striker.card.get("banes", ()):
        lines += striker.amount("bane", "bane_rows")
    else:
        lines -= target.amount("tough", "tough_rows")
    outcome = ledger.book.outcome(dice, data["strength"] - data["resistance"], lines)
    if weapon == "melee":
        outcome = striker.card.get("dealt", {}).get(outcome, outcome)
    changed: str = target.card.get("suffered", {}).get(outcome, outcome)
    return changed


def _poisoned(
    ledger: Ledger, poison: Data | None, striker: Fighter, target: Fighter, outcome: str
) -> str:
    """Check poison (W-7); the outcome after it."""
    wounds = ("light", "serious", "critical", "killed")
    due = striker.has("toxic") and not target.has("immune_toxic") and outcome in wounds[:3]
    name = striker.label
    if not ledger.check((poison is not None) == due, "W-7", f"{name}: a die of poison, or none"):
        return outcome
    if poison is None:
        return outcome
    die = _one_die(ledger, poison, striker)
    worse = 2 if die <= striker.amount("toxic", "toxic_twice") else 1
    said = (poison["x"], poison["y"], poison["against"]) == (die, worse, target.number)
    ledger.check(said, "W-7", f"poison of {name}: {die}, so {worse} worse")
    return wounds[min(wounds.index(outcome) + worse, len(wounds) - 1)]


def _wound_dice(ledger: Ledger, data: Data, striker: Fighter, count: int) -> tuple[int, int] | None:
    """Return the two dice that count of a wound roll, if that is what they are (W-1.6)."""
    values = sorted(die[1] for die in data["dice"])
    right = len(values) == count and all(1 <= value <= 6 for value in values)
    own = all(die[0] == striker.number for die in data["dice"])
    text = f"{striker.label} rolls {count} dice for the wound, and none again"
    return (values[-2], values[-1]) if ledger.check(right and own, "W-1.6", text) else None


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
    if check_test(ledger, data, shooter.number, "hit", test="shot"):
        weapon = shooter.card["weapon"] or {"strength": 0}
        still = not moved and not past.announced and ledger.rule["actions.shoot.still_bonus"]
        read_wound(ledger, shooter, target, Blow(weapon["strength"], bool(still), "ranged"))


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
        abs(data["distance"] - distance) <= TOUCH,
        "M-1.1",
        f"{target.label} is {distance:.2f} cm from {name}, not {data['distance']:.2f}",
    )
    ranges = (shooter.card["weapon"] or {"ranges": (0, 0, 0)})["ranges"]
    bands = [band for band, reach in enumerate(ranges) if reach and within(distance, reach)]
    if not ledger.check(bool(bands), "W-6", f"{target.label} is out of range of {name}"):
        return
    words = f"{target.label} is at {_BANDS[bands[0]]} range of {name}"
    if not ledger.check(data["band"] == bands[0], "W-6", words):
        return
    cover = rule["cover.target"]
    steady = cover if "target" in target.markers else 0
    hard = target.amount("aim_difficulty", "aim_difficulty")  # W-7
    allowed = {cover + hard, cover + steady + hard} if thrown else {steady + hard}
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
    if check_test(ledger, data, fighter.number, test=""):
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
    ledger.check(within(far, mystic["range"]), "A-5.6", f"{target.label} is out of range of {name}")
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
    target, book = ledger.fighters[max(cast["target"], 0)], ledger.book
    levels = mystic.get("levels") or 0
    if mystic["kind"] == "heal":
        after = book.with_levels(target.state, -levels)
    else:
        after = book.after(target.state, mystic.get("outcome") or "nothing")
        after = book.with_levels(after, levels)
    before = target.state
    after = ledger.suffer(target, after, ledger.fighters[cast["fighter"]])
    data = ledger.take("effect", "A-5.6")
    name = ledger.name(data["fighter"])
    ledger.check(data["fighter"] == cast["target"], "A-5.6", f"{name} is not the one aimed at")
    ledger.check(data["mystic"] == cast["mystic"], "A-5.6", f"{name} suffers another effect")
    ledger.check(data["before"] == before, "W-3.1", f"{name} is {before}, not {data['before']}")
    ledger.check(data["after"] == after, "W-3.1", f"{name} is {after} after {mystic['name']}")
    ledger.set_state(target, data["after"])
