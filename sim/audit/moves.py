"""Moves in a transcript: how far, where they end, whom they touch or charge (M-1 to M-6, C-8.1)."""

from collections.abc import Collection, Sequence
from math import hypot
from typing import NamedTuple

from ...profiles.message import say
from .fighters import Fighter, names, ordered
from .geometry import TOUCH, Point, point_gap, way_round, within
from .ledger import Ledger
from .steps import Move

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
    """What a move may be: its potential in cm, and the clause that says how far."""

    action: str
    potential: float
    through: Collection[Fighter] = ()  # of the same speaking turn: no obstacle if free (M-1.3)
    clause: str = ""


class Assault(NamedTuple):
    """An assault that reached its targets."""

    fighter: Fighter
    targets: Sequence[Fighter]
    charge: bool


def read_move(
    ledger: Ledger, fighter: Fighter, way: Way, aimed: Collection[Fighter | None]
) -> Move:
    """Check a move at the enemies that were named, and put the fighter where it ends."""
    data = ledger.take(Move, "A-5.2")
    action = data.action
    ledger.check(fighter.alive, "A-5.1", "{} is dead and moves", fighter)
    right, nouns = action == way.action, (_noun(action), _noun(way.action))
    ledger.check(right, "A-5.2", "{} makes a {}, not a {}", fighter, *nouns)
    _check_length(ledger, fighter, data, way)
    start, before = fighter.at, ledger.contacts(fighter)
    fighter.place(data.at, data.facing)
    _check_way(ledger, fighter, start, data, way)
    facing = hypot(*data.facing)
    ledger.check(abs(facing - 1) < TOUCH, "M-1.5", "{}: its facing is no unit vector", fighter)
    ledger.check(
        ledger.inside(fighter), "M-1.2", "{} ends its move beyond the table's edge", fighter
    )
    met = ledger.overlapped(fighter)
    ledger.check(not met, "M-1.2", "{} ends its move on {}", fighter, met)
    _check_contact(ledger, fighter, data, way, aimed, before)
    return data


def _noun(action: str) -> str:
    """Return what an action is called; a turn could be one of the battle."""
    return say("turn on the spot") if action == "turn" else action


def _check_length(ledger: Ledger, fighter: Fighter, data: Move, way: Way) -> None:
    length, paid = data.length, data.length + data.toll
    straight = hypot(data.at[0] - fighter.at[0], data.at[1] - fighter.at[1])
    ledger.check(
        within(straight, length),
        "M-1.1",
        "{} moves {:.2f} cm to a point that is {:.2f} cm away",
        fighter,
        length,
        straight,
    )
    ledger.check(data.toll >= 0, "M-1.4", "{} pays a toll below 0", fighter)
    clause = way.clause or CLAUSES[way.action]
    right = within(paid, way.potential)
    ledger.check(
        right, clause, "{} moves {:.2f} cm; its potential is {:g} cm", fighter, paid, way.potential
    )
    if data.action == "turn":
        ledger.check(within(straight, 0.0), "M-1.5", "{} turns on the spot, and moves", fighter)
        ledger.check(fighter.card.MOU, "M-1.5", "{} has no MOU: it cannot turn", fighter)
    elif way.action not in ("turn", "pursue", *ASSAULTS):
        moves = straight > 0 or length > 0
        ledger.check(moves, CLAUSES[way.action], "{} makes a move of no length", fighter)


def _check_way(ledger: Ledger, fighter: Fighter, start: Point, data: Move, way: Way) -> None:
    """Check that the way goes round what it must, and pays for relief (M-1.2 to M-1.4)."""
    end, length, card = fighter.at, data.length + TOUCH, fighter.card
    # a way that ends before its goal may have passed what was near the goal as near as that
    half = card.width / 2 if data.targets else 0.0
    if hypot(end[0] - start[0], end[1] - start[1]) > length:
        return
    for other in ledger.living():
        passed = other.side == fighter.side and other in way.through
        if other is fighter or other.card.level != card.level or (passed and ledger.free(other)):
            continue
        around = way_round(other.shape, start, end, half)
        ledger.check(length >= around, "M-1.2", "{} moves straight through {}", fighter, other)
    toll = 0.0
    for shape, piece in ledger.terrain if card.level == 0 else ():
        around = way_round(shape, start, end, half)
        if piece.impassable:
            ledger.check(
                length >= around, "M-1.2", "{} moves straight through {}", fighter, piece.name
            )
        elif length < around and min(point_gap(shape, start), point_gap(shape, end)) > half:
            bigger = card.size - piece.size
            toll += piece.height * (2 if bigger <= 0 else int(bigger == 1))
    right = within(toll, data.toll)
    ledger.check(
        right, "M-1.4", "{} crosses relief for {:g} cm, and pays {:g}", fighter, toll, data.toll
    )


def _check_contact(
    ledger: Ledger,
    fighter: Fighter,
    data: Move,
    way: Way,
    aimed: Collection[Fighter | None],
    before: Sequence[Fighter],
) -> None:
    clause, touched, targets = CLAUSES[way.action], ledger.contacts(fighter), data.targets
    there, action, noun = names(touched), way.action, _noun(way.action)
    right = ordered(data.touched) == touched
    ledger.check(
        right, "C-1.1", "{} touches {} at the end, not {}", fighter, there, names(data.touched)
    )
    for one in (fighter, *touched):
        most = len(ledger.contacts(one)) <= _MOST
        ledger.check(most, "M-7.6", "{} is touched by more than {} enemies", one, _MOST)
    if action not in (*ASSAULTS, "pursue"):
        ledger.check(not targets, clause, "{} assails nobody by a {}", fighter, noun)
        new = touched if action != "turn" else set(touched) - {*before}
        ledger.check(not new, clause, "{} ends its {} in contact with {}", fighter, noun, there)
    elif data.short:
        if not data.redirected:
            _check_short(ledger, fighter, data, aimed)
    else:
        right = bool(targets) or action == "pursue"
        ledger.check(right, "M-8", "{} ends its {} in contact with nobody", fighter, noun)
        for other in targets:
            right = other in aimed or action == "pursue"
            ledger.check(right, "M-4.5", "{} assails {}, not named", fighter, other)
            ledger.check(
                other in touched, "M-4.3", "{} does not touch {}, whom it assails", fighter, other
            )
        if targets:
            _check_place(ledger, fighter, targets)


def _check_place(ledger: Ledger, fighter: Fighter, targets: Sequence[Fighter]) -> None:
    """Check that the aim point is on a target's edge, and that it is faced (M-4.3)."""
    (x, y), (fx, fy) = fighter.at, fighter.facing
    on_edge = [t for t in targets if abs(point_gap(t.shape, fighter.at)) <= TOUCH]
    if ledger.check(
        on_edge, "M-4.3", "the aim point of {} is not on the edge of {}", fighter, names(targets)
    ):
        ahead = (x + 0.1 * fx, y + 0.1 * fy)
        faced = any(point_gap(t.shape, ahead) < 0.01 for t in on_edge)
        ledger.check(faced, "M-4.3", "{} does not face {}", fighter, names(targets))


def _check_short(
    ledger: Ledger, fighter: Fighter, data: Move, aimed: Collection[Fighter | None]
) -> None:
    """Check an assault out of reach: it assails nobody, and faces its target (M-4.4)."""
    ledger.check(not data.targets, "M-4.4", "{} falls short and assails somebody", fighter)
    ledger.check(not data.touched, "M-4.4", "{} falls short, and touches an enemy", fighter)
    target = data.aimed
    right = target is not None and target in aimed
    if ledger.check(right, "M-4.4", "{} falls short of nobody it named", fighter) and target:
        (cx, cy), (x, y), (fx, fy) = target.shape.centre, fighter.at, fighter.facing
        ahead = (cx - x) * fx + (cy - y) * fy
        ledger.check(ahead > 0, "M-4.4", "{} does not face {}", fighter, target)


def charged_now(ledger: Ledger, assaults: Sequence[Assault]) -> set[Fighter]:
    """Return those who suffer the penalty of charges of one speaking turn (M-5.1, M-5.2).

    The brutal always inflict it, and by engaging too; the steady never suffer it (W-7).
    """
    charges = [assault for assault in assaults if assault.charge]
    shared = ledger.rule["charge.sharing"] == "equal"
    charged = _shared(charges) if shared else _outweighed(charges)
    for assault in assaults:
        if assault.fighter.has("brutal"):
            charged |= set(assault.targets)
    return {fighter for fighter in charged if not fighter.has("steady")}


def _outweighed(charges: Sequence[Assault]) -> set[Fighter]:
    """Return those whose power the chargers of their group have (M-5.1, M-5.2)."""
    charged: set[Fighter] = set()
    left = list(charges)
    while left:
        group = [left.pop()]
        targets = set(group[0].targets)
        while more := [charge for charge in left if targets & set(charge.targets)]:
            group += more
            left = [charge for charge in left if charge not in more]
            targets.update(*(charge.targets for charge in more))
        if sum(_charging_power(charge.fighter) for charge in group) >= sum(map(_power, targets)):
            charged |= targets
    return charged


def _shared(charges: Sequence[Assault]) -> set[Fighter]:
    weights: dict[Fighter, float] = {}
    for charge in charges:
        share = _charging_power(charge.fighter) / len(charge.targets)
        for target in charge.targets:
            weights[target] = weights.get(target, 0.0) + share
    return {target for target, weight in weights.items() if weight > _power(target) - 1e-9}


def _power(charged: Fighter) -> int:
    """Return the power of one who is charged (M-5.1, W-7)."""
    return charged.card.power + charged.amount("power_charged")


def _charging_power(charger: Fighter) -> int:
    return charger.card.power + charger.amount("power_charging")
