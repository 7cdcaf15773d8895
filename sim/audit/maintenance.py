"""The maintenance phase, the score and the end of a transcript (T-5)."""

from collections.abc import Iterable, Sequence

from ...profiles.message import say, say_n
from .dice import check_test
from .fighters import SIDES, Fighter, Zone, as_written, names
from .geometry import point_gap, polygon, within
from .ledger import Ledger
from .steps import End, Lasting, Markers, Purse, Rally, Score

_CLAUSES = {
    "rally": "T-5.1",
    "faith": "T-5.2",
    "mana": "T-5.2",
    "lasting": "T-5.3",
    "upkeep": "T-5.3",
    "markers": "T-5.3",
}
_ORDER = ("rally", "faith", "mana", "harm", "passive", "active", "other", "return", "markers")
_ONCE = ("rally", "faith", "mana")
_REMOVED = ("charged", "defence", "target")


def maintenance_phase(ledger: Ledger) -> None:
    """Check the maintenance phase (T-5)."""
    last = 0
    done: dict[str, list[Fighter]] = {kind: [] for kind in _CLAUSES}
    hurt = [f for f in ledger.living() if f.has("regeneration") and ledger.book.level(f.state)]
    nerves = {f: _nerve(ledger, f) for f in ledger.living() if f.routed}
    while data := _accepted(ledger):
        kind, who, clause = data.step, data.fighter, _CLAUSES[data.step]
        rank = _ORDER.index(data.stage if isinstance(data, Lasting) else kind)
        ledger.check(
            rank >= last, clause, "{} comes too late in the maintenance phase", as_written(kind)
        )
        last = max(rank, last)
        right = who.alive or isinstance(data, Lasting)
        ledger.check(right, clause, "{} is dead: no {}", who, kind)
        once = who not in done[kind] or kind not in _ONCE
        ledger.check(once, clause, "{} has a second {}", who, kind)
        done[kind].append(who)
        if isinstance(data, Rally):
            _check_rally(ledger, data, nerves.get(who))
        elif isinstance(data, Purse):
            _check_purse(ledger, data)
        elif isinstance(data, Lasting):
            _check_lasting(ledger, data)
        else:
            _check_markers(ledger, data)
    for who in ledger.living():
        for kind, due in (
            ("rally", who.routed),
            ("faith", who.card.casts == "faithful"),
            ("mana", who.card.casts == "magician"),
        ):
            right = not due or who in done[kind]
            ledger.check_next(right, _CLAUSES[kind], "{} has no {}", who, kind)
    for who in hurt:  # who was healed altogether before it was his turn has nothing to roll for
        due = who.alive and ledger.book.level(who.state) > 0
        ledger.check_next(
            not due or who in done["lasting"], "T-5.3", "{} rolls no die to heal (W-7)", who
        )
    _check_left(ledger)


def _accepted(ledger: Ledger) -> Rally | Purse | Lasting | Markers | None:
    step = ledger.next()
    return ledger.read(step) if isinstance(step, Rally | Purse | Lasting | Markers) else None


def _nerve(ledger: Ledger, fighter: Fighter) -> int | None:
    """Return with what a fighter rallies: the higher of COU and DIS (W-4.4, W-4.5)."""
    values = [ledger.with_command(fighter, stat) for stat in ("COU", "DIS")]
    return max((v for v in values if v is not None), default=None)


def _check_rally(ledger: Ledger, data: Rally, before: int | None) -> None:
    """Check a rally (W-4.4); ``before`` is its value when no leader had rallied yet."""
    check, who = ledger.check, data.fighter
    check(who.routed, "T-5.1", "{} is in no rout: nothing to rally from", who)
    touched = ledger.contacts(who) if ledger.rule["fear.no_rally_in_contact"] else []
    frightening = [e for e in touched if e.fear and not who.has("fearless")]
    worse = [e for e in frightening if e.fear > who.fear]
    right = bool(worse) <= data.barred <= bool(frightening)
    check(right, "W-4.4", "{} touches {}, of those who frighten", who, names(frightening))
    if data.barred:
        check(data.routed, "W-4.4", "{} is barred, and rallies", who)
        return
    value = _nerve(ledger, who)
    if value is None or data.value is None or not data.dice:
        check(data.routed, "W-4.4", "{} rallies without a test", who)
        check(value is None, "W-4.4", "{} may test with {}", who, value)
    else:
        right = data.value in (value, before)
        check(right, "W-4.4", "{} tests with {}, not {}", who, value, data.value)
        difficulty = ledger.rule["fear.rally_difficulty"]
        check(data.difficulty == difficulty, "W-4.4", "a rally has difficulty {}", difficulty)
        test = _rally_test(ledger, who, data.value)
        check_test(ledger, data, not data.routed, who, test)
    who.routed = data.routed


def _rally_test(ledger: Ledger, fighter: Fighter, value: int) -> str:
    """Return what a rally tests: COU or DIS; of equal ones that of which 5s are open (W-7)."""
    stats = {"courage": "COU", "discipline": "DIS"}
    used = [test for test, stat in stats.items() if ledger.with_command(fighter, stat) == value]
    opened = [test for test in used if test in fighter.words("open_rolls")]
    either = [test for test in stats if test in fighter.words("open_rolls")]
    return (opened or used or either or ["courage"])[0]


def _check_purse(ledger: Ledger, data: Purse) -> None:
    """Check mana and temporary faith (T-5.2)."""
    who, kind, rule, check = data.fighter, data.step, ledger.rule, ledger.check
    held = who.mana if kind == "mana" else who.faith
    check(
        data.before == (held or 0),
        "T-5.2",
        "{} has {} mana, not {}" if kind == "mana" else "{} has {} faith, not {}",
        who,
        held,
        data.before,
    )
    rank, dice = who.card.rank or 0, [die.value for die in data.dice]
    gain = rule[f"mystic.{kind}_base"] + rank * rule[f"mystic.{kind}_per_rank"] + sum(dice)
    if kind == "mana":
        count = rule["mystic.mana_dice"]
        right = len(dice) == count and all(1 <= value <= 6 for value in dice)
        check(
            right,
            "T-5.2",
            say_n(
                "{1} rolls {0} die from 1 to 6 for its mana",
                "{1} rolls {0} dice from 1 to 6 for its mana",
                count,
                who,
            ),
        )
        most = rank * rule["mystic.mana_most_per_rank"]
        after = max(data.before, min(data.before + gain, most))
        check(data.after == after, "T-5.2", "{} has {} mana, not {}", who, after, data.after)
        who.mana = data.after
    else:
        most = gain + rule["mystic.faith_per_believer"] * len(list(ledger.living()))
        right = gain <= data.after <= most
        check(
            right, "T-5.2", "{} has {} to {} temporary faith, not {}", who, gain, most, data.after
        )
        who.faith = data.after


def _check_lasting(ledger: Ledger, data: Lasting) -> None:
    """Take over what a lasting effect does (T-5.3): the header does not say what it should."""
    who, before, after = data.fighter, data.before, data.after
    if isinstance(after, str):
        # only an ability is an effect of oneself with dice: no spell is (W-7)
        if who.has("regeneration") and data.source is who and data.dice:
            _check_healing(ledger, data)
        ledger.check_state("W-3.1", who, who.state, before)
        ledger.set_state(who, after)
        return
    purse = "faith" if who.card.casts == "faithful" else "mana"
    held = getattr(who, purse)
    right = before == held and after <= (held or 0)
    if not right and purse == "mana":
        text = say("{} pays an upkeep out of {} mana, not from {} to {}", who, held, before, after)
        ledger.breach("T-5.3", text)
    elif not right:
        text = say("{} pays an upkeep out of {} faith, not from {} to {}", who, held, before, after)
        ledger.breach("T-5.3", text)
    setattr(who, purse, after)


def _check_healing(ledger: Ledger, data: Lasting) -> None:
    """Check one who heals by himself: a success rolls once more, while there is a wound (W-7)."""
    check, book, who = ledger.check, ledger.book, data.fighter
    state, needs, rolled = who.state, who.amount("regeneration_die"), 0
    check(book.level(state), "W-7", "{} has no wound to heal", who)
    own = all(die.roller is who and 1 <= die.value <= 6 for die in data.dice)
    check(own, "W-7", "{} rolls dice of its own", who)
    again = True
    while again and rolled < 2 and rolled < len(data.dice):
        again = data.dice[rolled].value >= needs
        rolled += 1
        state = book.with_levels(state, -1) if again else state
        again = again and book.level(state) > 0
    whole = len(data.dice) == rolled and not (again and rolled < 2)
    check(whole, "W-7", "{} rolls a die to heal, and once more after a success", who)
    ledger.check_state("W-7", who, state, data.after)
    step = ledger.rule["maintenance.steps.roll_to_heal"][0]
    right = _ORDER.index(data.stage) == 2 + step
    check(right, "T-5.3", "{} heals in step {}", who, step)


def _check_markers(ledger: Ledger, data: Markers) -> None:
    """Check markers and stunned results that are removed (T-5.3)."""
    who, rule, check = data.fighter, ledger.rule, ledger.check
    if data.what == "state":
        ledger.check_state("W-3.1", who, who.state, data.before)
        stays = not rule["maintenance.removes.stunned"]
        state = who.state if stays else ledger.book.recovered(who.state)
        ledger.check_state("T-5.3", who, state, data.after)
        ledger.set_state(who, str(data.after))
        return
    before, after = (
        {marks} if isinstance(marks, str) else set(marks) for marks in (data.before, data.after)
    )
    right = before - {"target"} == who.markers - {"target"}
    check(right, "T-5.3", "{} has the markers {}, not {}", who, _words(who.markers), _words(before))
    left = {m for m in before if not rule.get(f"maintenance.removes.{m}", False)}
    check(after == left, "T-5.3", "{} keeps {}, not {}", who, _words(left), _words(after))
    who.markers = after


def _words(markers: Iterable[str]) -> Sequence[str]:
    return sorted(markers) or ("none",)


def _check_left(ledger: Ledger) -> None:
    """Check that nothing is left that this phase removes (T-5.3)."""
    rule = ledger.rule
    for who in ledger.living():
        clean = ledger.book.recovered(who.state)
        if rule["maintenance.removes.stunned"] and who.state != clean:
            ledger.breach_next("T-5.3", "{} is still stunned after the phase", who)
            who.state = clean
        for marker in sorted(who.markers & set(_REMOVED)):
            if rule[f"maintenance.removes.{marker}"]:
                ledger.breach_next(
                    "T-5.3", "{} still has the marker {} after the phase", who, marker
                )
                who.markers.discard(marker)


def _destroyed(ledger: Ledger) -> list[float]:
    """Return the PA of the dead, by the side whose enemies they are."""
    dead = [f for f in ledger.fighters if not f.alive]
    return [sum(f.card.PA or 0 for f in dead if f.side != side) for side in (0, 1)]


def _points(ledger: Ledger) -> list[float]:
    """Return the points of both sides as things are."""
    points = _destroyed(ledger) if ledger.header.destroyed else [0.0, 0.0]
    for zone in ledger.header.zones:
        held = _held_by(ledger, zone)
        if held >= 0:
            points[held] += zone.points
    for item in ledger.header.survival:
        points[item.fighter.side] += item.points if item.fighter.alive else 0
    return points


def _held_by(ledger: Ledger, zone: Zone) -> int:
    """Return the side with more PA of living, unrouted fighters in a zone, or -1."""
    shape, worth = polygon(zone.corners), [0, 0]
    for fighter in ledger.living():
        if not fighter.routed and within(point_gap(shape, fighter.at), 0.0):
            worth[fighter.side] += fighter.card.PA or 0
    return -1 if worth[0] == worth[1] else int(worth[1] > worth[0])


def read_score(ledger: Ledger) -> None:
    """Check the score of a turn."""
    data = ledger.take(Score, "T-1")
    ledger.check(data.turn == ledger.turn, "T-1", "it is the score of turn {}", ledger.turn)
    for side, wanted in enumerate(_destroyed(ledger)):
        given = data.destroyed[side]
        right = abs(given - wanted) < 1e-6
        ledger.check(
            right, "T-1", "side {} has destroyed {:g} points, not {:g}", SIDES[side], wanted, given
        )
    _check_points(ledger, data)


def _check_points(ledger: Ledger, data: Score | End) -> None:
    for side, wanted in enumerate(_points(ledger)):
        given = data.points[side]
        right = abs(given - wanted) < 1e-6
        ledger.check(right, "T-1", "side {} has {:g} points, not {:g}", SIDES[side], wanted, given)


def read_end(ledger: Ledger) -> None:
    """Check the end of the battle: when, with which points, who wins."""
    data, header = ledger.take(End, "T-1"), ledger.header
    ledger.check(data.turn == ledger.turn, "T-1", "the battle ends in turn {}", ledger.turn)
    last = ledger.turn >= header.turns or ledger.over()
    ledger.check(last, "T-1", "the battle ends before turn {}", header.turns)
    _check_points(ledger, data)
    ahead = data.points[0] - data.points[1]
    wins = abs(ahead) >= header.margin and ahead != 0
    winner = int(ahead < 0) if wins else -1
    if data.winner != winner and wins:
        ledger.breach("T-1", "side {} wins", SIDES[winner])
    elif data.winner != winner:
        ledger.breach("T-1", "nobody is ahead by enough: a draw")
