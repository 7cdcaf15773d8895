"""The actions of the fighters activated in a speaking turn (A-5, M-2 to M-7)."""

from collections.abc import Sequence
from math import hypot

from ...profiles.message import say_n
from .dice import check_test
from .fear import read_courage
from .fighters import Fighter, names, ordered
from .geometry import Point, within
from .ledger import Ledger
from .moves import ASSAULTS, CLAUSES, Assault, Way, charged_now, read_move
from .shots import Past, read_cast, read_shot
from .steps import (
    Announce,
    AnnounceWalk,
    Cast,
    Courage,
    Disengage,
    Move,
    Nothing,
    Penalties,
    Shoot,
    Step,
    Throw,
)

Group = Sequence[Fighter]  # activated in the same speaking turn


def _actor(step: Step | None) -> Fighter | None:
    """Return who acts in a step, if it is an action."""
    if isinstance(step, Shoot | Throw):
        return step.shooter
    if isinstance(step, Announce | AnnounceWalk | Cast | Courage | Disengage | Move | Nothing):
        return step.fighter
    return None


def activate(ledger: Ledger, group: Group) -> None:
    """Check all that the fighters of a speaking turn do, exclusive actions first (A-5.2, A-5.3)."""
    for fighter in group:
        fighter.markers.discard("target")  # until this activation (M-6.2)
    announced = _announcements(ledger, group)
    done = {data.fighter for data in announced}
    assaults: list[Assault] = []
    for data in announced:
        ledger.next()  # what is cast before it is resolved
        if data.fighter.alive and not ledger.over():
            assaults += _resolve(ledger, data, group)
    _penalties(ledger, assaults)
    _others(ledger, group, done)


def _announcements(ledger: Ledger, group: Group) -> list[Announce]:
    announced: list[Announce] = []
    while data := ledger.accept(Announce):
        twice = any(other.fighter is data.fighter for other in announced)
        if ledger.check(not twice, "A-5.4", "{} announces two exclusive actions", data.fighter):
            _check_activated(ledger, data.fighter, group, ledger.at - 1)
            _check_announced(ledger, data)
            announced.append(data)
    return announced


def _check_announced(ledger: Ledger, data: Announce) -> None:
    who, action = data.fighter, data.action
    who.activated, who.exclusive = True, action
    ledger.check(
        who.routed == (action == "flee"),
        "W-4.3",
        "{} is in rout: it flees" if who.routed else "{} flees, and is not in rout",
        who,
    )
    free = ledger.free(who)
    if action == "engage" and data.disengages:
        ledger.check(not free, "M-7.1", "{} touches no enemy: nothing to disengage from", who)
    else:
        ledger.check(not data.disengages, "M-7.4", "{} disengages only to engage or walk", who)
        ledger.check(free, CLAUSES[action], "{} touches an enemy: no {}", who, action)
    thrown = who.thrown and not who.routed and free
    right = not thrown or action == "under_cover"
    ledger.check(right, "M-6.3", "{} has thrown itself to cover: it must move under cover", who)
    if action == "under_cover" and "level_0" in ledger.rule["actions.under_cover.needs"]:
        ledger.check(who.card.level == 0, "M-6.1", "{} is not at level 0", who)
    _check_targets(ledger, data)


def _check_activated(ledger: Ledger, who: Fighter, group: Group, step: int) -> None:
    """Check that a fighter may act in a step: alive, and activated now for the first time."""
    if not who.alive:
        ledger.breach("A-1.2", "{} is dead and acts", who, step=step)
    if who not in group:
        ledger.breach("A-5.1", "{} is not activated in this speaking turn", who, step=step)
    if who.activated:
        clause = "A-5.4" if who.exclusive else "A-5.1"
        ledger.breach(clause, "{} has been activated in this phase already", who, step=step)


def _check_targets(ledger: Ledger, data: Announce) -> None:
    who, action, clause = data.fighter, data.action, CLAUSES[data.action]
    if action not in ASSAULTS:
        ledger.check(not data.targets, clause, "{} names targets of a {}", who, action)
        return
    ledger.check(data.targets, clause, "{} announces a {} of nobody", who, action)
    for target in data.targets:
        enemy = target.alive and target.side != who.side
        ledger.check(enemy, clause, "{} is no living enemy of {}", target, who)
        if action == "charge":
            ledger.check(ledger.sees(who, target), clause, "{} does not see {}", who, target)
    if action == "engage" and data.targets and not data.disengages:
        unseen = not all(ledger.sees(who, target, surely=True) for target in data.targets)
        ledger.check(unseen, clause, "{} sees {}: that is a charge", who, names(data.targets))


def _resolve(ledger: Ledger, data: Announce, group: Group) -> list[Assault]:
    """Check an exclusive action that was announced; the assault it makes, if any."""
    who, action, clause = data.fighter, str(data.action), ""
    potential = ledger.rule[f"actions.{action}.potential"] if action != "flee" else 0
    parts = ledger.coming(Disengage, who) or not ledger.free(who)
    if data.disengages and parts:  # whom it touched may have died since (M-4.2)
        potential, clause = ledger.rule["actions.disengage.potential"], "M-7.4"
        if not ledger.coming(Disengage, who):
            ledger.breach_next("M-7.4", "{} engages without having disengaged", who)
        elif not _read_disengagement(ledger, who, data.disengages):
            if move := ledger.coming(Move, who):
                ledger.breach_next("M-7.5", "{} has failed to disengage, and moves", who)
                ledger.read(move)
            return []
    left = [target for target in data.targets if target.alive]
    if action in ASSAULTS and left:
        read_courage(ledger, who, left, who if action == "charge" else None)
    if action == "under_cover":
        who.markers.add("target")
        who.thrown = False
    if who.routed:
        potential, action, clause = ledger.rule["fear.flight"], "flee", "W-4.3"
    if not ledger.coming(Move, who):
        return []
    if who.has("fast") and action in ("charge", "run", "flee"):
        potential = who.amount("fast_factor")  # W-7
    way, start = Way(action, (who.card.MOU or 0) * potential, group, clause), who.at
    moved = read_move(ledger, who, way, data.targets)
    if action == "flee":
        _check_flight(ledger, who, start, moved.length)
    if action not in ASSAULTS:
        return []
    if data.targets and not left:
        rest = way.potential - moved.length - moved.toll
        return _redirected(ledger, who, way._replace(potential=rest))
    return _assailed(ledger, who, moved)


def _redirected(ledger: Ledger, who: Fighter, way: Way) -> list[Assault]:
    """Check what is left of an assault whose target has died before (M-4.7)."""
    if test := ledger.coming(Courage, who):
        charges = way.action == "charge" and ledger.sees(who, test.against)
        read_courage(ledger, who, [test.against], who if charges else None)
    move = ledger.coming(Move, who)
    if move is None:
        return []
    if move.action == "charge" and way.action == "charge":
        for target in move.targets:
            right = ledger.sees(who, target)
            ledger.check_next(
                right, "M-4.7", "{} does not see {}: no charge is redirected at it", who, target
            )
    elif move.action in ("engage", "run"):
        way = way._replace(action=move.action, clause="M-4.7")
    return _assailed(ledger, who, read_move(ledger, who, way, move.targets or [move.aimed]))


def _assailed(ledger: Ledger, who: Fighter, moved: Move) -> list[Assault]:
    """Check the courage of those who are assailed; the assault, if it reached somebody."""
    if moved.short or not moved.targets:
        return []
    charge = moved.action == "charge"
    who.charging = who.charging or charge
    for target in moved.targets:
        target.assaulted = True
    for target in moved.targets:
        read_courage(ledger, target, [who], who if charge else None)
    return [Assault(who, moved.targets, charge)]


_HOMEWARDS = {"left": (0, -1), "right": (0, 1), "bottom": (1, -1), "top": (1, 1)}


def _check_flight(ledger: Ledger, who: Fighter, start: Point, length: float) -> None:
    """Check that who flees straight comes nearer its side's edge (W-4.3)."""
    axis, sign = _HOMEWARDS[ledger.header.edges[who.side]]
    gained = (who.at[axis] - start[axis]) * sign
    straight = within(length, hypot(who.at[0] - start[0], who.at[1] - start[1]))
    ledger.check(
        within(0.0, gained) or not straight, "W-4.3", "{} does not flee towards its own edge", who
    )


def _penalties(ledger: Ledger, assaults: Sequence[Assault]) -> None:
    """Check who suffers the penalty of a charge (M-5)."""
    due = charged_now(ledger, assaults)
    ledger.next()
    step = ledger.at
    data = ledger.accept(Penalties)
    given = set(data.fighters) if data else set()
    for who in ordered(due - given):
        if who.alive and "charged" not in who.markers:
            ledger.breach("M-5.1", "{} should suffer the penalty of a charge", who, step=step)
    for who in ordered(given - due):
        ledger.breach("M-5.1", "{} suffers no penalty of a charge", who, step=step)
    for who in due | given:
        who.markers.add("charged")


def _others(ledger: Ledger, group: Group, done: set[Fighter]) -> None:
    """Check the fighters that act one by one, each in one go (A-5.3)."""
    while (who := _actor(ledger.next())) and not ledger.over():
        _check_activated(ledger, who, group, ledger.at)
        done.add(who)
        if data := ledger.accept(Announce):
            ledger.breach("A-5.2", "{} announces an exclusive action too late", who)
            _check_announced(ledger, data)
            _resolve(ledger, data, group)
        else:
            Activation(ledger, who, group).read()
    if not ledger.over():
        for who in ordered(set(group) - done):
            ledger.check_next(
                not who.alive, "A-5.1", "{} is not activated, or nothing is said of it", who
            )


def _read_disengagement(ledger: Ledger, who: Fighter, way: str = "") -> bool:
    """Check a disengagement (M-7); its success."""
    data = ledger.take(Disengage, "M-7.1")
    check, rule, enemies = ledger.check, ledger.rule, ledger.contacts(who)
    check(enemies, "M-7.1", "{} touches no enemy: nothing to disengage from", who)
    check(way in ("", data.way), "M-7.1", "{} announced another way", who)
    check(not who.routed, "W-4.3", "{} is in rout: it does not disengage", who)
    barred = rule["actions.disengage.unless"]
    right = "assaulted" not in barred or not who.assaulted
    check(right, "M-7.1", "{} was charged or engaged in this phase: it may not disengage", who)
    most = ledger.book.most_enemies(who.card.size)
    right = "surrounded" not in barred or len(enemies) < most
    check(right, "M-7.1", "{} is touched by the most enemies that its size allows", who)
    text = say_n("{1} touches {0} enemy", "{1} touches {0} enemies", len(enemies), who)
    check(data.enemies == len(enemies), "M-7.2", text)
    per_enemy = rule["disengage.difficulty_per_enemy"]
    difficulty = rule["disengage.difficulty"] + per_enemy * len(enemies)
    if who.has("disengages"):  # W-7
        difficulty = min(difficulty, who.amount("disengage_most"))
    check(data.difficulty == difficulty, "M-7.2", "{}: difficulty {}", who, difficulty)
    value = ledger.value(who, "INI")
    if data.way == "force":
        value = ledger.value(who, "FOR") - max((e.card.RES or 0 for e in enemies), default=0)
        bigger = all(who.card.size > e.card.size for e in enemies)
        check(bigger and value > 0, "M-7.3", "{} may not disengage by force", who)
    check(data.value == value, "M-7.2", "{} tests with {}, not {}", who, value, data.value)
    test = "initiative" if data.way == "agility" else "disengagement"
    success = check_test(ledger, data, data.success, who, test)
    if not success:
        who.markers.add("defence")
    return success


class Activation:
    """What one fighter does in one go (A-5.3)."""

    def __init__(self, ledger: Ledger, who: Fighter, group: Group) -> None:
        self.ledger, self.who, self.group = ledger, who, group
        self.past = Past()
        who.activated = True

    def read(self) -> None:
        """Check all steps of this fighter that follow one another."""
        ledger, step = self.ledger, self.ledger.next()
        self._check_duty(step)
        while step and _actor(step) is self.who and not isinstance(step, Announce):
            if isinstance(step, Nothing | Courage):
                ledger.read(step)
                right = isinstance(step, Nothing)
                ledger.check(right, "W-4.1", "{} has no need to test its courage", self.who)
            elif isinstance(step, Disengage):
                self._disengage()
            elif isinstance(step, AnnounceWalk):
                self._announce_walk(step)
            elif isinstance(step, Move):
                self._move(step)
            elif isinstance(step, Cast):
                read_cast(ledger, self.who)
            else:
                read_shot(ledger, self.who, self.past)
            if ledger.over():
                break
            step = ledger.next()

    def _check_duty(self, step: Step | None) -> None:
        """Check that who must flee or move under cover has announced it (W-4.3, M-6.3)."""
        ledger, who = self.ledger, self.who
        able = not who.exclusive and who.card.MOU and ledger.free(who)
        if who.routed:
            waits = isinstance(step, Nothing | Courage)
            ledger.check_next(
                waits and not able,
                "W-4.3",
                "{} is in rout and free: it flees" if able else "{} is in rout: it does nothing",
                who,
            )
        elif who.thrown and able and who.card.level == 0:
            ledger.breach_next(
                "M-6.3", "{} has thrown itself to cover: it must move under cover", who
            )

    def _disengage(self) -> None:
        ledger, past, who = self.ledger, self.past, self.who
        once, late = past.disengaged is None, past.walked or past.shots
        past.disengaged = _read_disengagement(ledger, who)
        ledger.check(once, "M-7.1", "{} tries to disengage a second time", who)
        ledger.check(not late, "M-7.1", "{} disengages after other actions", who)

    def _announce_walk(self, step: AnnounceWalk) -> None:
        ledger, past, who = self.ledger, self.past, self.who
        ledger.read(step)
        ledger.check(not past.announced, "A-5.5", "{} announces its walk twice", who)
        ledger.check(not past.shots, "A-5.5", "{} announces its walk after a shot", who)
        ledger.check(not past.walked, "A-5.5", "{} announces a walk that it has made", who)
        past.announced = True

    def _move(self, step: Move) -> None:
        ledger, who, past = self.ledger, self.who, self.past
        rule, check = ledger.rule, ledger.check
        turns, free = step.action == "turn", ledger.free(who)
        potential = (who.card.MOU or 0) * rule["actions.walk.potential"]
        way = Way("turn", 0.0, self.group) if turns else Way("walk", potential, self.group)
        read_move(ledger, who, way, ())
        check(not step.short, "M-2.2", "{} walks: it falls short of nobody", who)
        if not turns or rule["actions.walk.turning_counts"]:
            failed = past.disengaged is False
            check(not failed, "M-7.5", "{} has failed to disengage: it stays", who)
            right = free or past.disengaged is not None
            check(right, "M-2.1", "{} touches an enemy: it walks only after disengaging", who)
            check(not past.walked, "M-2.2", "{} walks twice", who)
            late = past.shots and rule["actions.shoot.walk_announced"]
            right = past.announced or not late
            check(right, "A-5.5", "{} walks after a shot and has not announced it", who)
            past.walked = True
        past.moved = True
