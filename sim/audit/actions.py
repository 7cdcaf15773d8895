"""The actions of the fighters activated in a speaking turn (A-5, M-2 to M-7)."""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from .dice import check_test
from .fear import read_courage
from .geometry import Point, within
from .ledger import Data, Fighter, Ledger
from .moves import ASSAULTS, CLAUSES, Way, charged_now, read_move
from .shots import Past, read_cast, read_shot


class Assault(NamedTuple):
    """An assault that reached its targets."""

    fighter: int
    targets: list[int]
    charge: bool


_ACTORS = {
    "disengage": "fighter",
    "courage": "fighter",
    "move": "fighter",
    "announce_walk": "fighter",
    "shoot": "shooter",
    "throw": "shooter",
    "cast": "fighter",
    "nothing": "fighter",
    "announce": "fighter",
}


def activate(ledger: Ledger, fighters: Sequence[int]) -> None:
    """Check all that the fighters of a speaking turn do, exclusive actions first (A-5.2, A-5.3)."""
    through = frozenset(fighters)
    done: set[int] = set()
    for number in fighters:
        ledger.fighters[number].markers.discard("target")  # until this activation (M-6.2)
    announced = _announcements(ledger, through)
    assaults: list[Assault] = []
    for data in announced:
        done.add(data["fighter"])
        ledger.peek()  # what is cast before it is resolved
        if ledger.fighters[data["fighter"]].alive and not ledger.over():
            assaults += _resolve(ledger, data, through)
    _penalties(ledger, assaults)
    _others(ledger, through, done)


def _announcements(ledger: Ledger, through: frozenset[int]) -> list[Data]:
    announced: list[Data] = []
    while ledger.peek() == "announce":
        data = ledger.read()
        twice = any(other["fighter"] == data["fighter"] for other in announced)
        name = ledger.name(data["fighter"])
        if ledger.check(not twice, "A-5.4", f"{name} announces two exclusive actions"):
            _check_announced(ledger, data, through)
            announced.append(data)
    return announced


def _check_announced(ledger: Ledger, data: Data, through: frozenset[int]) -> None:
    fighter, action = ledger.fighters[data["fighter"]], data["action"]
    name = fighter.label
    _check_activated(ledger, fighter, through, ledger.at - 1)
    fighter.activated, fighter.exclusive = True, action
    ledger.check(
        fighter.routed == (action == "flee"),
        "W-4.3",
        f"{name} is in rout: it flees" if fighter.routed else f"{name} flees, and is not in rout",
    )
    free = ledger.free(fighter)
    if action == "engage" and data["disengages"]:
        ledger.check(not free, "M-7.1", f"{name} touches no enemy: nothing to disengage from")
    else:
        ledger.check(not data["disengages"], "M-7.4", f"{name} disengages only to engage or walk")
        ledger.check(free, CLAUSES[action], f"{name} touches an enemy: no {action}")
    thrown = fighter.thrown and not fighter.routed and free
    ledger.check(
        not thrown or action == "under_cover",
        "M-6.3",
        f"{name} has thrown itself to cover: it must move under cover",
    )
    if action == "under_cover" and "level_0" in ledger.rule["actions.under_cover.needs"]:
        ledger.check(fighter.card["level"] == 0, "M-6.1", f"{name} is not at level 0")
    _check_targets(ledger, fighter, data)


def _check_activated(ledger: Ledger, fighter: Fighter, through: frozenset[int], step: int) -> None:
    """Check that a fighter may act in a step: alive, and activated now for the first time."""
    name = fighter.label
    if not fighter.alive:
        ledger.breach("A-1.2", f"{name} is dead and acts", step)
    if fighter.number not in through:
        ledger.breach("A-5.1", f"{name} is not activated in this speaking turn", step)
    if fighter.activated:
        clause = "A-5.4" if fighter.exclusive else "A-5.1"
        ledger.breach(clause, f"{name} has been activated in this phase already", step)


def _check_targets(ledger: Ledger, fighter: Fighter, data: Data) -> None:
    name, action, clause = fighter.label, data["action"], CLAUSES[data["action"]]
    targets = [ledger.fighters[t] for t in data["targets"]]
    if action not in ASSAULTS:
        ledger.check(not targets, clause, f"{name} names targets of a {action}")
        return
    ledger.check(bool(targets), clause, f"{name} announces a {action} of nobody")
    for target in targets:
        enemy = target.alive and target.side != fighter.side
        ledger.check(enemy, clause, f"{target.label} is no living enemy of {name}")
        if action == "charge":
            ledger.check(
                ledger.sees(fighter, target), clause, f"{name} does not see {target.label}"
            )
    if action == "engage" and targets and not data["disengages"]:
        unseen = [t for t in targets if not ledger.sees(fighter, t, surely=True)]
        ledger.check(
            bool(unseen), clause, f"{name} sees {ledger.name(data['targets'])}: that is a charge"
        )


def _resolve(ledger: Ledger, data: Data, through: frozenset[int]) -> list[Assault]:
    """Check an exclusive action that was announced; the assault it makes, if any."""
    fighter, action = ledger.fighters[data["fighter"]], data["action"]
    potential = ledger.rule[f"actions.{action}.potential"] if action != "flee" else 0
    clause = ""
    parts = _next_is(ledger, "disengage", fighter) or not ledger.free(fighter)
    if data["disengages"] and parts:  # whom it touched may have died since (M-4.2)
        potential, clause = ledger.rule["actions.disengage.potential"], "M-7.4"
        if not _next_is(ledger, "disengage", fighter):
            text = f"{fighter.label} engages without having disengaged"
            ledger.breach("M-7.4", text, ledger.at)
        elif not _read_disengagement(ledger, fighter, data["disengages"]):
            if _next_is(ledger, "move", fighter):
                text = f"{fighter.label} has failed to disengage, and moves"
                ledger.breach("M-7.5", text, ledger.at)
                ledger.read()
            return []
    targets = [ledger.fighters[t] for t in data["targets"]]
    left = [target for target in targets if target.alive]
    if action in ASSAULTS and left:
        read_courage(ledger, fighter, left, fighter if action == "charge" else None)
    if action == "under_cover":
        fighter.markers.add("target")
        fighter.thrown = False
    if fighter.routed:
        potential, action, clause = ledger.rule["fear.flight"], "flee", "W-4.3"
    if not _next_is(ledger, "move", fighter):
        return []
    if fighter.has("fast") and action in ("charge", "run", "flee"):
        potential = fighter.amount("fast", "fast_factor")  # W-7
    way = Way(action, (fighter.card["MOU"] or 0) * potential, through, clause)
    start = fighter.at
    moved = read_move(ledger, fighter, way, data["targets"])
    if action == "flee":
        _check_flight(ledger, fighter, start, moved["length"])
    if action not in ASSAULTS:
        return []
    if targets and not left:
        rest = way.potential - moved["length"] - moved["toll"]
        return _redirected(ledger, fighter, way._replace(potential=rest))
    return _assailed(ledger, fighter, moved)


def _redirected(ledger: Ledger, fighter: Fighter, way: Way) -> list[Assault]:
    """Check what is left of an assault whose target has died before (M-4.7)."""
    if ledger.peek() == "courage" and ledger.next()["fighter"] == fighter.number:
        target = ledger.fighters[ledger.next()["against"]]
        charges = way.action == "charge" and ledger.sees(fighter, target)
        read_courage(ledger, fighter, [target], fighter if charges else None)
    if not _next_is(ledger, "move", fighter):
        return []
    data = ledger.next()
    if data["action"] == "charge" and way.action == "charge":
        for number in data["targets"]:
            target = ledger.fighters[number]
            text = f"{fighter.label} does not see {target.label}: no charge is redirected at it"
            if not ledger.sees(fighter, target):
                ledger.breach("M-4.7", text, ledger.at)
    elif data["action"] in ("engage", "run"):
        way = way._replace(action=data["action"], clause="M-4.7")
    aimed = data["targets"] or [data.get("aimed", -1)]
    return _assailed(ledger, fighter, read_move(ledger, fighter, way, aimed))


def _assailed(ledger: Ledger, fighter: Fighter, moved: Data) -> list[Assault]:
    """Check the courage of those who are assailed; the assault, if it reached somebody."""
    assailed = moved["targets"] if not moved["short"] else []
    charge = moved["action"] == "charge"
    if charge and assailed:
        fighter.charging = True
    for number in assailed:
        ledger.fighters[number].assaulted = True
    for number in assailed:
        read_courage(ledger, ledger.fighters[number], [fighter], fighter if charge else None)
    return [Assault(fighter.number, assailed, charge)] if assailed else []


def _next_is(ledger: Ledger, kind: str, fighter: Fighter) -> bool:
    return ledger.peek() == kind and ledger.next()["fighter"] == fighter.number


def _check_flight(ledger: Ledger, fighter: Fighter, start: Point, length: float) -> None:
    """Check that who flees straight comes nearer its side's edge (W-4.3)."""
    gained = (start[0] - fighter.at[0]) * (1 if fighter.side == 0 else -1)
    straight = within(length, hypot(fighter.at[0] - start[0], fighter.at[1] - start[1]))
    ledger.check(
        within(0.0, gained) or not straight,
        "W-4.3",
        f"{fighter.label} does not flee towards its own edge",
    )


def _penalties(ledger: Ledger, assaults: list[Assault]) -> None:
    """Check who suffers the penalty of a charge (M-5)."""
    charges = [(a.fighter, a.targets) for a in assaults if a.charge]
    engages = [(a.fighter, a.targets) for a in assaults if not a.charge]
    due = charged_now(ledger, charges, engages)
    given: list[int] = []
    step = ledger.at
    if ledger.peek() == "penalties":
        given = ledger.read()["fighters"]
    for number in sorted(due - set(given)):
        fighter = ledger.fighters[number]
        if fighter.alive and "charged" not in fighter.markers:
            text = f"{ledger.name(number)} should suffer the penalty of a charge"
            ledger.breach("M-5.1", text, step)
    for number in sorted(set(given) - due):
        ledger.breach("M-5.1", f"{ledger.name(number)} suffers no penalty of a charge", step)
    for number in due | set(given):
        ledger.fighters[number].markers.add("charged")


def _others(ledger: Ledger, through: frozenset[int], done: set[int]) -> None:
    """Check the fighters that act one by one, each in one go (A-5.3)."""
    while ledger.peek() in _ACTORS and not ledger.over():
        if ledger.peek() == "announce":
            data = ledger.read()
            ledger.breach(
                "A-5.2",
                f"{ledger.name(data['fighter'])} announces an exclusive action too late",
            )
            _check_announced(ledger, data, through)
            done.add(data["fighter"])
            _resolve(ledger, data, through)
            continue
        number = ledger.next()[_ACTORS[ledger.peek()]]
        _check_activated(ledger, ledger.fighters[number], through, ledger.at)
        done.add(number)
        Activation(ledger, ledger.fighters[number], through).read()
    if ledger.over():
        return
    for number in sorted(through - done):
        if ledger.fighters[number].alive:
            text = f"{ledger.name(number)} is not activated, or nothing is said of it"
            ledger.breach("A-5.1", text, ledger.at)


def _read_disengagement(ledger: Ledger, fighter: Fighter, way: str = "") -> bool:
    """Check a disengagement (M-7); its success."""
    data = ledger.take("disengage", "M-7.1")
    name, enemies = fighter.label, ledger.contacts(fighter)
    ledger.check(bool(enemies), "M-7.1", f"{name} touches no enemy: nothing to disengage from")
    ledger.check(not way or data["way"] == way, "M-7.1", f"{name} announced another way")
    ledger.check(not fighter.routed, "W-4.3", f"{name} is in rout: it does not disengage")
    barred = ledger.rule["actions.disengage.unless"]
    ledger.check(
        "assaulted" not in barred or not fighter.assaulted,
        "M-7.1",
        f"{name} was charged or engaged in this phase: it may not disengage",
    )
    most = ledger.book.most_enemies(fighter.card["size"])
    ledger.check(
        "surrounded" not in barred or len(enemies) < most,
        "M-7.1",
        f"{name} is touched by the most enemies that its size allows",
    )
    ledger.check(data["enemies"] == len(enemies), "M-7.2", f"{name} touches {len(enemies)} enemies")
    difficulty = ledger.rule["disengage.difficulty"]
    difficulty += ledger.rule["disengage.difficulty_per_enemy"] * len(enemies)
    if fighter.has("disengages"):  # W-7
        difficulty = min(difficulty, fighter.amount("disengages", "disengage_most"))
    ledger.check(data["difficulty"] == difficulty, "M-7.2", f"{name}: difficulty {difficulty}")
    value = ledger.value(fighter, "INI")
    if data["way"] == "force":
        value = ledger.value(fighter, "FOR") - max((e.card["RES"] or 0 for e in enemies), default=0)
        bigger = all(fighter.card["size"] > e.card["size"] for e in enemies)
        ledger.check(bigger and value > 0, "M-7.3", f"{name} may not disengage by force")
    ledger.check(data["value"] == value, "M-7.2", f"{name} tests with {value}, not {data['value']}")
    test = "initiative" if data["way"] == "agility" else "disengagement"
    success = check_test(ledger, data, fighter.number, test=test)
    if not success:
        fighter.markers.add("defence")
    return success


def _check_duty(ledger: Ledger, fighter: Fighter, does: str) -> None:
    """Check that who must flee or move under cover has announced it (W-4.3, M-6.3)."""
    name, step = fighter.label, ledger.at
    able = not fighter.exclusive and fighter.card["MOU"] and ledger.free(fighter)
    if fighter.routed:
        if able:
            ledger.breach("W-4.3", f"{name} is in rout and free: it flees", step)
        elif does not in ("nothing", "courage"):
            ledger.breach("W-4.3", f"{name} is in rout: it does nothing", step)
    elif fighter.thrown and able and fighter.card["level"] == 0:
        text = f"{name} has thrown itself to cover: it must move under cover"
        ledger.breach("M-6.3", text, step)


class Activation:
    """What one fighter does in one go (A-5.3)."""

    def __init__(self, ledger: Ledger, fighter: Fighter, through: frozenset[int]) -> None:
        self.ledger, self.fighter, self.through = ledger, fighter, through
        self.past = Past()
        fighter.activated = True

    def read(self) -> None:
        """Check all steps of this fighter that follow one another."""
        ledger, fighter = self.ledger, self.fighter
        _check_duty(ledger, fighter, ledger.peek())
        while True:
            kind = ledger.peek()
            actor = _ACTORS.get(kind)
            if kind == "announce" or actor is None or ledger.next()[actor] != fighter.number:
                break
            getattr(self, f"_{kind}")()
            if ledger.over():
                break

    def _nothing(self) -> None:
        self.ledger.read()

    def _courage(self) -> None:
        self.ledger.read()
        self.ledger.breach("W-4.1", f"{self.fighter.label} has no need to test its courage")

    def _disengage(self) -> None:
        ledger, past = self.ledger, self.past
        once = past.disengaged is None
        before = not (past.walked or past.shots)
        success = _read_disengagement(ledger, self.fighter)
        name = self.fighter.label
        ledger.check(once, "M-7.1", f"{name} tries to disengage a second time")
        ledger.check(before, "M-7.1", f"{name} disengages after other actions")
        past.disengaged = success

    def _announce_walk(self) -> None:
        ledger, past, name = self.ledger, self.past, self.fighter.label
        ledger.read()
        ledger.check(not past.announced, "A-5.5", f"{name} announces its walk twice")
        ledger.check(not past.shots, "A-5.5", f"{name} announces its walk after a shot")
        ledger.check(not past.walked, "A-5.5", f"{name} announces a walk that it has made")
        past.announced = True

    def _move(self) -> None:
        ledger, fighter, past = self.ledger, self.fighter, self.past
        name, action = fighter.label, ledger.next()["action"]
        turns = action == "turn"
        counts = ledger.rule["actions.walk.turning_counts"]
        kind = "turn" if turns else "walk"
        potential = (fighter.card["MOU"] or 0) * ledger.rule["actions.walk.potential"]
        free = ledger.free(fighter)
        data = read_move(ledger, fighter, Way(kind, 0.0 if turns else potential, self.through), ())
        ledger.check(not data["short"], "M-2.2", f"{name} walks: it falls short of nobody")
        left = free or past.disengaged
        if not turns or counts:
            ledger.check(
                past.disengaged is not False, "M-7.5", f"{name} has failed to disengage: it stays"
            )
            ledger.check(
                bool(left) or past.disengaged is False,
                "M-2.1",
                f"{name} touches an enemy: it walks only after disengaging",
            )
            ledger.check(not past.walked, "M-2.2", f"{name} walks twice")
            told = (
                past.announced or not past.shots or not ledger.rule["actions.shoot.walk_announced"]
            )
            ledger.check(told, "A-5.5", f"{name} walks after a shot and has not announced it")
            past.walked = True
        past.moved = True

    def _shoot(self) -> None:
        read_shot(self.ledger, self.fighter, self.past)

    _throw = _shoot

    def _cast(self) -> None:
        read_cast(self.ledger, self.fighter)
