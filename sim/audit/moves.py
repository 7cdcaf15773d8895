"""Moves in a transcript: how far, where they end, whom they touch or charge (M-1 to M-6, C-8.1)."""

from collections.abc import Iterable, Sequence
from math import hypot
from typing import NamedTuple

from .geometry import TOUCH, point_gap, way_round, within
from .ledger import Data, Fighter, Ledger

Charge = tuple[int, Sequence[int]]
CLAUSES = {
    "charge": "M-4.1",
    "engage": "M-4.2",
    "run": "M-3.1",
    "under_cover": "M-6.1",
    "walk": "M-2.2",
    "turn": "M-1.5",
    "flee": "W-4.3",
    "pursue": "C-8.1",
}
ASSAULTS = ("charge", "engage")
_MOST = 8  # enemies that anyone touches: a combat's limit


class Way(NamedTuple):
    """What a move may be.

    Parameters
    ----------
    action : str
    potential : float
        In cm.
    through : collection of int
        Fighters activated in the same speaking turn: those free of enemies are no obstacle
        (M-1.3).
    clause : str
        That says how far.
    """

    action: str
    potential: float
    through: frozenset[int] = frozenset()
    clause: str = ""


def read_move(ledger: Ledger, fighter: Fighter, way: Way, aimed: Iterable[int]) -> Data:
    """Check a move and put the fighter where it ends; what the step says.

    ``aimed`` are the enemies that were named.
    """
    data = ledger.take("move", "A-5.2")
    name, action = fighter.label, data["action"]
    ledger.check(fighter.alive, "A-5.1", f"{name} is dead and moves")
    ledger.check(action == way.action, "A-5.2", f"{name} makes a {action}, not a {way.action}")
    _check_length(ledger, fighter, data, way)
    start = fighter.at
    before = set(ledger.contacts(fighter))
    fighter.place(tuple(data["at"]), tuple(data["facing"]))
    _check_way(ledger, fighter, start, data, way)
    facing = hypot(*data["facing"])
    ledger.check(abs(facing - 1) < TOUCH, "M-1.5", f"{name}: its facing is no unit vector")
    ledger.check(ledger.inside(fighter), "M-1.2", f"{name} ends its move beyond the table's edge")
    met = ledger.overlapped(fighter)
    ledger.check(not met, "M-1.2", f"{name} ends its move on {met}")
    _check_contact(ledger, fighter, data, way, aimed, before)
    return data


def _check_length(ledger: Ledger, fighter: Fighter, data: Data, way: Way) -> None:
    name, length = fighter.label, data["length"]
    (x, y), (a, b) = fighter.at, data["at"]
    straight = hypot(a - x, b - y)
    ledger.check(
        within(straight, length),
        "M-1.1",
        f"{name} moves {length:.2f} cm to a point that is {straight:.2f} cm away",
    )
    ledger.check(data["toll"] >= 0, "M-1.4", f"{name} pays a toll below 0")
    paid = length + data["toll"]
    clause = way.clause or CLAUSES[way.action]
    ledger.check(
        within(paid, way.potential),
        clause,
        f"{name} moves {paid:.2f} cm; its potential is {way.potential:g} cm",
    )
    if data["action"] == "turn":
        ledger.check(within(straight, 0.0), "M-1.5", f"{name} turns on the spot, and moves")
        ledger.check(bool(fighter.card["MOU"]), "M-1.5", f"{name} has no MOU: it cannot turn")
    elif way.action not in ("turn", "pursue", *ASSAULTS):
        ledger.check(
            straight > 0 or length > 0, CLAUSES[way.action], f"{name} makes a move of no length"
        )


def _check_way(
    ledger: Ledger,
    fighter: Fighter,
    start: tuple[float, float],
    data: Data,
    way: Way,
) -> None:
    """Check that the way goes round what it must, and pays for relief (M-1.2 to M-1.4)."""
    name, end, length = fighter.label, fighter.at, data["length"] + TOUCH
    level = fighter.card["level"]
    # a way that ends before its goal may have passed what was near the goal as near as that
    half = fighter.card["width"] / 2 if data["targets"] else 0.0
    if hypot(end[0] - start[0], end[1] - start[1]) > length:
        return
    for other in ledger.living():
        passed = other.side == fighter.side and other.number in way.through
        if other is fighter or other.card["level"] != level or (passed and ledger.free(other)):
            continue
        around = way_round(other.shape, start, end, half)
        ledger.check(length >= around, "M-1.2", f"{name} moves straight through {other.label}")
    toll = 0.0
    for shape, piece in ledger.terrain if level == 0 else ():
        around = way_round(shape, start, end, half)
        if piece["impassable"]:
            text = f"{name} moves straight through {piece['name']}"
            ledger.check(length >= around, "M-1.2", text)
        elif length < around and min(point_gap(shape, start), point_gap(shape, end)) > half:
            toll += _toll(fighter.card["size"] - piece["size"], piece["height"])
    ledger.check(
        within(toll, data["toll"]),
        "M-1.4",
        f"{name} crosses relief for {toll:g} cm, and pays {data['toll']:g}",
    )


def _toll(bigger: int, height: float) -> float:
    """Return what relief costs who is so many sizes bigger (M-1.4)."""
    return height * (2 if bigger <= 0 else int(bigger == 1))


def _check_contact(
    ledger: Ledger,
    fighter: Fighter,
    data: Data,
    way: Way,
    aimed: Iterable[int],
    before: set[Fighter],
) -> None:
    name, clause = fighter.label, CLAUSES[way.action]
    touched = ledger.contacts(fighter)
    numbers = [e.number for e in touched]
    ledger.check(
        sorted(data["touched"]) == numbers,
        "C-1.1",
        f"{name} touches {ledger.name(numbers)} at the end, not {ledger.name(data['touched'])}",
    )
    for one in (fighter, *touched):
        most = len(ledger.contacts(one)) <= _MOST
        ledger.check(most, "M-7.6", f"{one.label} is touched by more than {_MOST} enemies")
    targets = data["targets"]
    if way.action not in (*ASSAULTS, "pursue"):
        ledger.check(not targets, clause, f"{name} assails nobody by a {way.action}")
        new = touched if way.action != "turn" else set(touched) - before
        ledger.check(
            not new, clause, f"{name} ends its {way.action} in contact with {ledger.name(numbers)}"
        )
        return
    if data["short"] and data.get("redirected"):
        return
    if data["short"]:
        _check_short(ledger, fighter, data, aimed)
        return
    ledger.check(
        bool(targets) or way.action == "pursue",
        "M-8",
        f"{name} ends its {way.action} in contact with nobody",
    )
    for number in targets:
        other = ledger.name(number)
        ledger.check(
            number in aimed or way.action == "pursue", "M-4.5", f"{name} assails {other}, not named"
        )
        ledger.check(number in numbers, "M-4.3", f"{name} does not touch {other}, whom it assails")
    if targets:
        _check_place(ledger, fighter, [ledger.fighters[t] for t in targets])


def _check_place(ledger: Ledger, fighter: Fighter, targets: list[Fighter]) -> None:
    """Check that the aim point is on a target's edge, and that it is faced (M-4.3)."""
    (x, y), (fx, fy) = fighter.at, fighter.facing
    on_edge = [t for t in targets if abs(point_gap(t.shape, fighter.at)) <= TOUCH]
    names = ledger.name([t.number for t in targets])
    if not ledger.check(
        bool(on_edge), "M-4.3", f"the aim point of {fighter.label} is not on the edge of {names}"
    ):
        return
    ahead = (x + 0.1 * fx, y + 0.1 * fy)
    faced = any(point_gap(t.shape, ahead) < 0.01 for t in on_edge)
    ledger.check(faced, "M-4.3", f"{fighter.label} does not face {names}")


def _check_short(ledger: Ledger, fighter: Fighter, data: Data, aimed: Iterable[int]) -> None:
    """Check an assault out of reach: it assails nobody, and faces its target (M-4.4)."""
    name = fighter.label
    ledger.check(not data["targets"], "M-4.4", f"{name} falls short and assails somebody")
    ledger.check(not data["touched"], "M-4.4", f"{name} falls short, and touches an enemy")
    target = data.get("aimed", -1)
    if not ledger.check(target in aimed, "M-4.4", f"{name} falls short of nobody it named"):
        return
    (cx, cy), (x, y) = ledger.fighters[target].shape.centre, fighter.at
    fx, fy = fighter.facing
    ahead = (cx - x) * fx + (cy - y) * fy
    ledger.check(ahead > 0, "M-4.4", f"{name} does not face {ledger.name(target)}")


def charged_now(
    ledger: Ledger, charges: Sequence[Charge], engages: Sequence[Charge] = ()
) -> set[int]:
    """Return those who suffer the penalty of charges of one speaking turn (M-5.1, M-5.2).

    The brutal always inflict it, and by engaging too; the steady never suffer it (W-7).

    Parameters
    ----------
    ledger : Ledger
    charges, engages : sequence of (int, sequence of int)
        Who charges whom, who engages whom.
    """
    found = _outweighed(ledger, charges)
    for assailant, targets in (*charges, *engages):
        if ledger.fighters[assailant].has("brutal"):
            found |= set(targets)
    return {number for number in found if not ledger.fighters[number].has("steady")}


def _outweighed(ledger: Ledger, charges: Sequence[Charge]) -> set[int]:
    """Return those whose power chargers have (M-5.1, M-5.2).

    Parameters
    ----------
    ledger : Ledger
    charges : sequence of (int, sequence of int)
        Who charges whom.
    """
    if ledger.rule["charge.sharing"] == "equal":
        return _shared(ledger, charges)
    found: set[int] = set()
    left = list(charges)
    while left:
        group = [left.pop()]
        targets = set(group[0][1])
        while more := [charge for charge in left if targets & set(charge[1])]:
            group += more
            left = [charge for charge in left if charge not in more]
            targets.update(*(charge[1] for charge in more))
        own = sum(_charging_power(ledger, charger) for charger, _ in group)
        if own >= sum(_power(ledger, target) for target in targets):
            found |= targets
    return found


def _shared(ledger: Ledger, charges: Sequence[Charge]) -> set[int]:
    weights: dict[int, float] = {}
    for charger, targets in charges:
        for target in targets:
            share = _charging_power(ledger, charger) / len(targets)
            weights[target] = weights.get(target, 0.0) + share
    return {t for t, weight in weights.items() if weight > _power(ledger, t) - 1e-9}


def _power(ledger: Ledger, fighter: int) -> int:
    """Return the power of one who is charged (M-5.1, W-7)."""
    charged = ledger.fighters[fighter]
    return int(charged.card["power"]) + charged.amount("power_charged", "power_charged")


def _charging_power(ledger: Ledger, fighter: int) -> int:
    charger = ledger.fighters[fighter]
    return int(charger.card["power"]) + charger.amount("power_charging", "power_charging")
