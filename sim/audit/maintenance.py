"""The maintenance phase, the score and the end of a transcript (T-5)."""

from .dice import check_test
from .geometry import point_gap, polygon, within
from .ledger import SIDES, Data, Fighter, Ledger

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
    done: dict[str, list[int]] = {kind: [] for kind in _CLAUSES}
    hurt = [f for f in ledger.living() if f.has("regeneration") and ledger.book.level(f.state)]
    nerves = {f.number: _nerve(ledger, f) for f in ledger.living() if f.routed}
    while ledger.peek() in _CLAUSES:
        kind = ledger.peek()
        clause, effect = _CLAUSES[kind], kind in ("lasting", "upkeep")
        data = ledger.read()
        rank = _ORDER.index(data["stage"] if effect else kind)
        ledger.check(rank >= last, clause, f'"{kind}" comes too late in the maintenance phase')
        last = max(rank, last)
        fighter = ledger.fighters[data["fighter"]]
        ledger.check(fighter.alive or effect, clause, f"{fighter.label} is dead: no {kind}")
        once = fighter.number not in done[kind] or kind not in _ONCE
        ledger.check(once, clause, f"{fighter.label} has a second {kind}")
        done[kind].append(fighter.number)
        if kind == "rally":
            _check_rally(ledger, data, fighter, nerves.get(fighter.number))
        elif kind in ("faith", "mana"):
            _check_regeneration(ledger, data, fighter, kind)
        elif effect:
            _take_over(ledger, data, fighter)
        else:
            _check_markers(ledger, data, fighter)
    for fighter in ledger.living():
        for kind, due in (
            ("rally", fighter.routed),
            ("faith", fighter.card.get("casts") == "faithful"),
            ("mana", fighter.card.get("casts") == "magician"),
        ):
            if due and fighter.number not in done[kind]:
                ledger.breach(_CLAUSES[kind], f"{fighter.label} has no {kind}", ledger.at)
    for fighter in hurt:  # who was healed altogether before it was his turn has nothing to roll for
        due = fighter.alive and ledger.book.level(fighter.state) > 0
        if due and fighter.number not in done["lasting"]:
            ledger.breach("T-5.3", f"{fighter.label} rolls no die to heal (W-7)", ledger.at)
    _check_left(ledger)


def _nerve(ledger: Ledger, fighter: Fighter) -> int | None:
    """Return with what a fighter rallies: the higher of COU and DIS (W-4.4, W-4.5)."""
    values = [ledger.with_command(fighter, stat) for stat in ("COU", "DIS")]
    return max((v for v in values if v is not None), default=None)


def _check_rally(ledger: Ledger, data: Data, fighter: Fighter, before: int | None) -> None:
    """Check a rally (W-4.4); ``before`` is its value when no leader had rallied yet."""
    name = fighter.label
    ledger.check(fighter.routed, "T-5.1", f"{name} is in no rout: nothing to rally from")
    frightening = [e for e in ledger.contacts(fighter) if e.fear and not fighter.has("fearless")]
    worse = [e for e in frightening if e.fear > fighter.fear]
    if not ledger.rule["fear.no_rally_in_contact"]:
        frightening = worse = []
    barred = bool(data["barred"])
    ledger.check(
        bool(worse) <= barred <= bool(frightening),
        "W-4.4",
        f"{name} touches {ledger.name([e.number for e in frightening])}, of those who frighten",
    )
    if barred:
        ledger.check(bool(data["routed"]), "W-4.4", f"{name} is barred, and rallies")
        return
    value = _nerve(ledger, fighter)
    if value is None or data["value"] is None or not data["dice"]:
        ledger.check(bool(data["routed"]), "W-4.4", f"{name} rallies without a test")
        ledger.check(value is None, "W-4.4", f"{name} may test with {value}")
        fighter.routed = bool(data["routed"])
        return
    ledger.check(
        data["value"] in (value, before), "W-4.4", f"{name} tests with {value}, not {data['value']}"
    )
    difficulty = ledger.rule["fear.rally_difficulty"]
    ledger.check(data["difficulty"] == difficulty, "W-4.4", f"a rally has difficulty {difficulty}")
    told = {**data, "success": not data["routed"]}
    check_test(ledger, told, fighter.number, test=_rally_test(ledger, fighter, data["value"]))
    fighter.routed = bool(data["routed"])


def _rally_test(ledger: Ledger, fighter: Fighter, value: int) -> str:
    """Return what a rally tests: COU or DIS; of equal ones that of which 5s are open (W-7)."""
    stats = {"courage": "COU", "discipline": "DIS"}
    used = [test for test, stat in stats.items() if ledger.with_command(fighter, stat) == value]
    opened = [test for test in used if test in fighter.words("open_rolls")]
    either = [test for test in stats if test in fighter.words("open_rolls")]
    return (opened or used or either or ["courage"])[0]


def _check_healing(ledger: Ledger, data: Data, fighter: Fighter) -> None:
    """Check one who heals by himself: a success rolls once more, while there is a wound (W-7)."""
    name, book, state = fighter.label, ledger.book, fighter.state
    ledger.check(bool(book.level(state)), "W-7", f"{name} has no wound to heal")
    right = [die[0] == fighter.number and 1 <= die[1] <= 6 for die in data["dice"]]
    ledger.check(all(right), "W-7", f"{name} rolls dice of its own")
    needs, rolled = fighter.amount("regeneration", "regeneration_die"), 0
    for die in data["dice"][:2]:
        rolled += 1
        if die[1] < needs:
            break
        state = book.with_levels(state, -1)
        if not book.level(state):
            break
    missing = rolled == 1 and data["dice"][0][1] >= needs and book.level(state)
    whole = len(data["dice"]) == rolled and rolled > 0 and not missing
    ledger.check(whole, "W-7", f"{name} rolls a die to heal, and once more after a success")
    ledger.check(data["after"] == state, "W-7", f"{name} is {state}, not {data['after']}")
    step = ledger.rule["maintenance.steps.roll_to_heal"][0]
    ledger.check(_ORDER.index(data["stage"]) == 2 + step, "T-5.3", f"{name} heals in step {step}")


def _check_regeneration(ledger: Ledger, data: Data, fighter: Fighter, kind: str) -> None:
    """Check mana and temporary faith (T-5.2)."""
    name, rule = fighter.label, ledger.rule
    held = fighter.mana if kind == "mana" else fighter.faith
    ledger.check(
        data["before"] == (held or 0), "T-5.2", f"{name} has {held} {kind}, not {data['before']}"
    )
    rank = fighter.card["rank"] or 0
    dice = [die[1] for die in data["dice"]]
    gain = rule[f"mystic.{kind}_base"] + rank * rule[f"mystic.{kind}_per_rank"] + sum(dice)
    if kind == "mana":
        count = rule["mystic.mana_dice"]
        right = len(dice) == count and all(1 <= value <= 6 for value in dice)
        ledger.check(right, "T-5.2", f"{name} rolls {count} dice from 1 to 6 for its mana")
        most = rank * rule["mystic.mana_most_per_rank"]
        after = max(data["before"], min(data["before"] + gain, most))
        ledger.check(
            data["after"] == after, "T-5.2", f"{name} has {after} mana, not {data['after']}"
        )
        fighter.mana = data["after"]
        return
    most = gain + rule["mystic.faith_per_believer"] * sum(1 for _ in ledger.living())
    ledger.check(
        gain <= data["after"] <= most,
        "T-5.2",
        f"{name} has {gain} to {most} temporary faith, not {data['after']}",
    )
    fighter.faith = data["after"]


def _take_over(ledger: Ledger, data: Data, fighter: Fighter) -> None:
    """Take over what a lasting effect does (T-5.3): the header does not say what it should."""
    before, after = data["before"], data["after"]
    if isinstance(after, str) and _heals_itself(data, fighter):
        _check_healing(ledger, data, fighter)
    if isinstance(after, str):
        ledger.check(
            before == fighter.state, "W-3.1", f"{fighter.label} is {fighter.state}, not {before}"
        )
        ledger.set_state(fighter, after)
        return
    purse = "faith" if fighter.card.get("casts") == "faithful" else "mana"
    held = getattr(fighter, purse)
    ledger.check(
        before == held and after <= held,
        "T-5.3",
        f"{fighter.label} pays an upkeep out of {held} {purse}, not from {before} to {after}",
    )
    setattr(fighter, purse, after)


def _heals_itself(data: Data, fighter: Fighter) -> bool:
    """Whether a lasting effect is that of an ability (W-7): of oneself, which no spell has."""
    return fighter.has("regeneration") and data["source"] == fighter.number and bool(data["dice"])


def _check_markers(ledger: Ledger, data: Data, fighter: Fighter) -> None:
    """Check markers and stunned results that are removed (T-5.3)."""
    name, rule = fighter.label, ledger.rule
    if data["what"] == "state":
        ledger.check(
            data["before"] == fighter.state,
            "W-3.1",
            f"{name} is {fighter.state}, not {data['before']}",
        )
        stays = not rule["maintenance.removes.stunned"]
        after = fighter.state if stays else ledger.book.recovered(fighter.state)
        ledger.check(data["after"] == after, "T-5.3", f"{name} is {after}, not {data['after']}")
        ledger.set_state(fighter, str(data["after"]))
        return
    shown = [
        [words] if isinstance(words, str) else words for words in (data["before"], data["after"])
    ]
    before, after_markers = set(shown[0]), set(shown[1])
    ledger.check(
        before - {"target"} == fighter.markers - {"target"},
        "T-5.3",
        f"{name} has the markers {_words(fighter.markers)}, not {_words(before)}",
    )
    left = {m for m in before if not rule.get(f"maintenance.removes.{m}", False)}
    ledger.check(
        after_markers == left,
        "T-5.3",
        f"{name} keeps {_words(left)}, not {_words(after_markers)}",
    )
    fighter.markers = after_markers


def _words(markers: set[str]) -> str:
    return ", ".join(sorted(markers)) or "none"


def _check_left(ledger: Ledger) -> None:
    """Check that nothing is left that this phase removes (T-5.3)."""
    for fighter in ledger.living():
        name, rule = fighter.label, ledger.rule
        clean = ledger.book.recovered(fighter.state)
        if rule["maintenance.removes.stunned"] and fighter.state != clean:
            ledger.breach("T-5.3", f"{name} is still stunned after the phase", ledger.at)
            fighter.state = clean
        for marker in sorted(fighter.markers & set(_REMOVED)):
            if rule[f"maintenance.removes.{marker}"]:
                text = f"{name} still has the marker {marker} after the phase"
                ledger.breach("T-5.3", text, ledger.at)
                fighter.markers.discard(marker)


def _destroyed(ledger: Ledger) -> list[float]:
    """Return the PA of the dead, by the side whose enemies they are."""
    return [
        sum(f.card["PA"] or 0 for f in ledger.fighters if not f.alive and f.side != side)
        for side in (0, 1)
    ]


def _points(ledger: Ledger) -> list[float]:
    """Return the points of both sides as things are."""
    points = _destroyed(ledger) if ledger.header.get("destroyed", True) else [0.0, 0.0]
    for zone in ledger.header["zones"]:
        held = _held_by(ledger, zone)
        if held >= 0:
            points[held] += zone["points"]
    for item in ledger.header["survival"]:
        fighter = ledger.fighters[item["fighter"]]
        points[fighter.side] += item["points"] if fighter.alive else 0
    return points


def _held_by(ledger: Ledger, zone: Data) -> int:
    """Return the side with more PA of living, unrouted fighters in a zone, or -1."""
    shape = polygon(zone["corners"])
    worth = [0.0, 0.0]
    for fighter in ledger.living():
        if not fighter.routed and within(point_gap(shape, fighter.at), 0.0):
            worth[fighter.side] += fighter.card["PA"] or 0
    return -1 if worth[0] == worth[1] else int(worth[1] > worth[0])


def read_score(ledger: Ledger) -> None:
    """Check the score of a turn."""
    data = ledger.take("score", "T-1")
    ledger.check(data["turn"] == ledger.turn, "T-1", f"it is the score of turn {ledger.turn}")
    for side, wanted in enumerate(_destroyed(ledger)):
        ledger.check(
            _equal(data["destroyed"][side], wanted),
            "T-1",
            f"side {SIDES[side]} has destroyed {wanted:g} points, not {data['destroyed'][side]:g}",
        )
    _check_points(ledger, data)


def _equal(one: float, other: float) -> bool:
    return abs(one - other) < 1e-6


def _check_points(ledger: Ledger, data: Data) -> None:
    for side, wanted in enumerate(_points(ledger)):
        ledger.check(
            _equal(data["points"][side], wanted),
            "T-1",
            f"side {SIDES[side]} has {wanted:g} points, not {data['points'][side]:g}",
        )


def read_end(ledger: Ledger) -> None:
    """Check the end of the battle: when, with which points, who wins."""
    data = ledger.take("end", "T-1")
    ledger.check(data["turn"] == ledger.turn, "T-1", f"the battle ends in turn {ledger.turn}")
    last = ledger.turn >= ledger.header["turns"] or ledger.over()
    ledger.check(last, "T-1", f"the battle ends before turn {ledger.header['turns']}")
    _check_points(ledger, data)
    ahead = data["points"][0] - data["points"][1]
    margin = ledger.header["margin"]
    wins = abs(ahead) >= margin and ahead != 0
    winner = int(ahead < 0) if wins else -1
    text = f"side {SIDES[winner]} wins" if wins else "nobody is ahead by enough: a draw"
    ledger.check(data["winner"] == winner, "T-1", text)
