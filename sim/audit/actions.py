"""The actions of the fighters activated in a speaking turn (A-5, M-2 to M-7)."""

from collections.abc import Sequence
from math import hypot

from ...profiles.message import say
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
        text = say("{} announces two exclusive actions", data.fighter)
        if ledger.check(not twice, "A-5.4", text):
            _check_activated(ledger, data.fighter, group, ledger.at - 1)
            _check_announced(ledger, data)
            announced.append(data)
    return announced


def _check_announced(ledger: Ledger, data: Announce) -> None:
    who, action = data.fighter, data.action
    who.activated, who.exclusive = True, action
    text = (
        say("{} is in rout: it flees", who)
        if who.routed
        else say("{} flees, and is not in rout", who)
    )
    ledger.check(who.routed == (action == "flee"), "W-4.3", text)
    free = ledger.free(who)
    if action == "engage" and data.disengages:
        text = say("{} touches no enemy: nothing to disengage from", who)
        ledger.check(not free, "M-7.1", text)
    else:
        text = say("{} disengages only to engage or walk", who)
        ledger.check(not data.disengages, "M-7.4", text)
        ledger.check(free, CLAUSES[action], say("{} touches an enemy: no {}", who, action))
    thrown = who.thrown and not who.routed and free
    text = say("{} has thrown itself to cover: it must move under cover", who)
    ledger.check(not thrown or action == "under_cover", "M-6.3", text)
    if action == "under_cover" and "level_0" in ledger.rule["actions.under_cover.needs"]:
        ledger.check(who.card.level == 0, "M-6.1", say("{} is not at level 0", who))
    _check_targets(ledger, data)


def _check_activated(ledger: Ledger, who: Fighter, group: Group, step: int) -> None:
    """Check that a fighter may act in a step: alive, and activated now for the first time."""
    for right, clause, text in (
        (who.alive, "A-1.2", say("{} is dead and acts", who)),
        (who in group, "A-5.1", say("{} is not activated in this speaking turn", who)),
        (
            not who.activated,
            "A-5.4" if who.exclusive else "A-5.1",
            say("{} has been activated in this phase already", who),
        ),
    ):
        if not right:
            ledger.breach(clause, text, step)


def _check_targets(ledger: Ledger, data: Announce) -> None:
    who, action, clause = data.fighter, data.action, CLAUSES[data.action]
    if action not in ASSAULTS:
        ledger.check(not data.targets, clause, say("{} names targets of a {}", who, action))
        return
    ledger.check(data.targets, clause, say("{} announces a {} of nobody", who, action))
    for target in data.targets:
        enemy = target.alive and target.side != who.side
        ledger.check(enemy, clause, say("{} is no living enemy of {}", target, who))
        if action == "charge":
            ledger.check(ledger.sees(who, target), clause, say("{} does not see {}", who, target))
    if action == "engage" and data.targets and not data.disengages:
        unseen = not all(ledger.sees(who, target, surely=True) for target in data.targets)
        ledger.check(unseen, clause, say("{} sees {}: that is a charge", who, names(data.targets)))


def _resolve(ledger: Ledger, data: Announce, group: Group) -> list[Assault]:
    """Check an exclusive action that was announced; the assault it makes, if any."""
    who, action, clause = data.fighter, str(data.action), ""
    potential = ledger.rule[f"actions.{action}.potential"] if action != "flee" else 0
    parts = ledger.coming(Disengage, who) or not ledger.free(who)
    if data.disengages and parts:  # whom it touched may have died since (M-4.2)
        potential, clause = ledger.rule["actions.disengage.potential"], "M-7.4"
        if not ledger.coming(Disengage, who):
            ledger.breach_next("M-7.4", say("{} engages without having disengaged", who))
        elif not _read_disengagement(ledger, who, data.disengages):
            if move := ledger.coming(Move, who):
                ledger.breach_next("M-7.5", say("{} has failed to disengage, and moves", who))
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
            text = say("{} does not see {}: no charge is redirected at it", who, target)
            ledger.check_next(ledger.sees(who, target), "M-4.7", text)
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


def _check_flight(ledger: Ledger, who: Fighter, start: Point, length: float) -> None:
    """Check that who flees straight comes nearer its side's edge (W-4.3)."""
    gained = (start[0] - who.at[0]) * (1 if who.side == 0 else -1)
    straight = within(length, hypot(who.at[0] - start[0], who.at[1] - start[1]))
    text = say("{} does not flee towards its own edge", who)
    ledger.check(within(0.0, gained) or not straight, "W-4.3", text)


def _penalties(ledger: Ledger, assaults: Sequence[Assault]) -> None:
    """Check who suffers the penalty of a charge (M-5)."""
    due = charged_now(ledger, assaults)
    ledger.next()
    step = ledger.at
    data = ledger.accept(Penalties)
    given = set(data.fighters) if data else set()
    for who in ordered(due - given):
        if who.alive and "charged" not in who.markers:
            text = say("{} should suffer the penalty of a charge", who)
            ledger.breach("M-5.1", text, step)
    for who in ordered(given - due):
        ledger.breach("M-5.1", say("{} suffers no penalty of a charge", who), step)
    for who in due | given:
        who.markers.add("charged")


def _others(ledger: Ledger, group: Group, done: set[Fighter]) -> None:
    """Check the fighters that act one by one, each in one go (A-5.3)."""
    while (who := _actor(ledger.next())) and not ledger.over():
        _check_activated(ledger, who, group, ledger.at)
        done.add(who)
        if data := ledger.accept(Announce):
            ledger.breach("A-5.2", say("{} announces an exclusive action too late", who))
            _check_announced(ledger, data)
            _resolve(ledger, data, group)
        else:
            Activation(ledger, who, group).read()
    if not ledger.over():
        for who in ordered(set(group) - done):
            text = say("{} is not activated, or nothing is said of it", who)
            ledger.check_next(not who.alive, "A-5.1", text)


def _read_disengagement(ledger: Ledger, who: Fighter, way: str = "") -> bool:
    """Check a disengagement (M-7); its success."""
    data = ledger.take(Disengage, "M-7.1")
    check, rule, enemies = ledger.check, ledger.rule, ledger.contacts(who)
    check(enemies, "M-7.1", say("{} touches no enemy: nothing to disengage from", who))
    check(way in ("", data.way), "M-7.1", say("{} announced another way", who))
    check(not who.routed, "W-4.3", say("{} is in rout: it does not disengage", who))
    barred = rule["actions.disengage.unless"]
    text = say("{} was charged or engaged in this phase: it may not disengage", who)
    check("assaulted" not in barred or not who.assaulted, "M-7.1", text)
    most = ledger.book.most_enemies(who.card.size)
    text = say("{} is touched by the most enemies that its size allows", who)
    check("surrounded" not in barred or len(enemies) < most, "M-7.1", text)
    check(data.enemies == len(enemies), "M-7.2", say("{} touches {} enemies", who, len(enemies)))
    per_enemy = rule["disengage.difficulty_per_enemy"]
    difficulty = rule["disengage.difficulty"] + per_enemy * len(enemies)
    if who.has("disengages"):  # W-7
        difficulty = min(difficulty, who.amount("disengage_most"))
    check(data.difficulty == difficulty, "M-7.2", f"{who}: difficulty {difficulty}")
    value = ledger.value(who, "INI")
    if data.way == "force":
        value = ledger.value(who, "FOR") - max((e.card.RES or 0 for e in enemies), default=0)
        bigger = all(who.card.size > e.card.size for e in enemies)
        check(bigger and value > 0, "M-7.3", say("{} may not disengage by force", who))
    check(data.value == value, "M-7.2", say("{} tests with {}, not {}", who, value, data.value))
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
                text = say("{} has no need to test its courage", self.who)
                ledger.check(isinstance(step, Nothing), "W-4.1", text)
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
            text = say("{} is in rout and free: it flees", who) if able else ""
            text = text or say("{} is in rout: it does nothing", who)
            ledger.check_next(waits and not able, "W-4.3", text)
        elif who.thrown and able and who.card.level == 0:
            text = say("{} has thrown itself to cover: it must move under cover", who)
            ledger.breach_next("M-6.3", text)

    def _disengage(self) -> None:
        ledger, past, who = self.ledger, self.past, self.who
        once, late = past.disengaged is None, past.walked or past.shots
        past.disengaged = _read_disengagement(ledger, who)
        ledger.check(once, "M-7.1", say("{} tries to disengage a second time", who))
        ledger.check(not late, "M-7.1", say("{} disengages after other actions", who))

    def _announce_walk(self, step: AnnounceWalk) -> None:
        ledger, past, who = self.ledger, self.past, self.who
        ledger.read(step)
        ledger.check(not past.announced, "A-5.5", say("{} announces its walk twice", who))
        ledger.check(not past.shots, "A-5.5", say("{} announces its walk after a shot", who))
        ledger.check(not past.walked, "A-5.5", say("{} announces a walk that it has made", who))
        past.announced = True

    def _move(self, step: Move) -> None:
        ledger, who, past = self.ledger, self.who, self.past
        rule, check = ledger.rule, ledger.check
        turns, free = step.action == "turn", ledger.free(who)
        potential = (who.card.MOU or 0) * rule["actions.walk.potential"]
        way = Way("turn", 0.0, self.group) if turns else Way("walk", potential, self.group)
        read_move(ledger, who, way, ())
        check(not step.short, "M-2.2", say("{} walks: it falls short of nobody", who))
        if not turns or rule["actions.walk.turning_counts"]:
            failed = past.disengaged is False
            check(not failed, "M-7.5", say("{} has failed to disengage: it stays", who))
            text = say("{} touches an enemy: it walks only after disengaging", who)
            check(free or past.disengaged is not None, "M-2.1", text)
            check(not past.walked, "M-2.2", say("{} walks twice", who))
            late = past.shots and rule["actions.shoot.walk_announced"]
            text = say("{} walks after a shot and has not announced it", who)
            check(past.announced or not late, "A-5.5", text)
            past.walked = True
        past.moved = True
