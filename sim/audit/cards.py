"""The strategic phase and the speaking turns of a transcript (T-2, A-1 to A-4)."""

from dataclasses import dataclass, field

from .actions import activate
from .dice import opposed_winner
from .ledger import SIDES, Data, Fighter, Ledger


@dataclass
class Hand:
    """The cards of a side in an activation phase."""

    pile: list[int] = field(default_factory=list)
    held: int = -1
    used: bool = False
    refusals: int = 0

    @property
    def left(self) -> int:
        """Number of cards not played yet."""
        return len(self.pile) + (self.held >= 0)


def strategic_phase(ledger: Ledger) -> tuple[list[Hand], int]:
    """Check the strategic phase; the cards of both sides, and who speaks first (T-2)."""
    hands = [Hand(), Hand()]
    seen = set()
    while ledger.peek() == "sequence":
        data = ledger.read()
        side = data["side"]
        ledger.check(side not in seen, "T-2.2", f"side {SIDES[side]} arranges its pile twice")
        seen.add(side)
        cards = sorted({f.group for f in ledger.living(side)})
        ledger.check(
            sorted(data["cards"]) == cards,
            "A-1.2",
            f"side {SIDES[side]}: the cards with a living fighter are {cards}, "
            f"not {sorted(data['cards'])}",
        )
        hands[side].pile = list(data["cards"])
    for side in {0, 1} - seen:
        ledger.breach("T-2.2", f"side {SIDES[side]} has arranged no pile", ledger.at)
        hands[side].pile = sorted({f.group for f in ledger.living(side)})
    winner = _tactics(ledger)
    data = ledger.take("first", "T-2.4")
    ledger.check(
        data["winner"] == winner, "T-2.4", f"side {SIDES[winner]} has won the Tactics roll"
    )
    counts = [len(hand.pile) for hand in hands]
    for side, hand in enumerate(hands):
        hand.refusals = max(counts[1 - side] - counts[side], 0)
    return hands, data["side"]


def _may_roll(ledger: Ledger, fighter: Fighter) -> bool:
    """Whether a fighter may make the Tactics roll (T-2.3, T-2.6)."""
    routed = fighter.routed and not ledger.rule["tactics.routed_may_roll"]
    able = fighter.card["tactics"] and ledger.own(fighter, "DIS") is not None
    return bool(fighter.alive and able and not routed)


def _tactics(ledger: Ledger) -> int:
    able = [any(_may_roll(ledger, f) for f in ledger.living(side)) for side in (0, 1)]
    winner, rows = opposed_winner(ledger, "tactics", (able[0], able[1]))
    for data in rows:
        for side, tester in enumerate(data["testers"]):
            fighter = ledger.fighters[tester]
            may = tester >= 0 and fighter.side == side and _may_roll(ledger, fighter)
            ledger.check(may, "T-2.3", f"{ledger.name(tester)} may not make the Tactics roll")
            own = ledger.own(fighter, "DIS")
            ledger.check(
                data["values"][side] == own,
                "T-2.3",
                f"{ledger.name(tester)} rolls with its own Discipline, {own}",
            )
    return winner


def activation_phase(ledger: Ledger, hands: list[Hand], first: int) -> None:
    """Check the speaking turns, one after the other, until both have no card (A-2 to A-4)."""
    speaker = first
    while any(hand.left for hand in hands) and not ledger.over():
        if not hands[speaker].left:
            speaker = 1 - speaker
        data = ledger.take("speak", "A-4.1")
        if not ledger.check(
            data["side"] == speaker, "A-2", f"it is the turn of side {SIDES[speaker]} to speak"
        ):
            speaker = data["side"]
        cards = _play(ledger, data, hands[speaker], hands[1 - speaker])
        _check_after(ledger, data, hands[speaker])
        now = [f.number for f in ledger.living(speaker) if f.group in cards]
        ledger.check(
            sorted(data["fighters"]) == now,
            "A-5.1",
            f"the living fighters of the cards played are {ledger.name(now)}, "
            f"not {ledger.name(data['fighters'])}",
        )
        activate(ledger, data["fighters"])
        speaker = 1 - speaker


def _play(ledger: Ledger, data: Data, hand: Hand, other: Hand) -> list[int]:
    """Check the cards of a speaking turn (A-2) and move them; those that are played."""
    side, move = SIDES[data["side"]], data["move"]
    if move == "refuse":
        ledger.check(hand.refusals > 0, "A-2.5", f"side {side} has no refusal left")
        alone = not other.left and not ledger.rule["cards.refusal_alone"]
        ledger.check(not alone, "A-4.2", f"side {side} is alone: it may not refuse")
        hand.refusals = max(hand.refusals - 1, 0)
        return []
    if move == "to_reserve":
        ledger.check(
            not hand.used and hand.held < 0,
            "A-2.2",
            f"side {side} has used its reserve in this phase already",
        )
        card = max(data["top"], data["reserve"])
        hand.held, hand.used = _top(ledger, data["side"], card, hand), True
        return []
    cards = []
    if move in ("reserve", "both"):
        clause = "A-2.3" if move == "reserve" else "A-2.4"
        ledger.check(hand.held >= 0, clause, f"side {side} has no card in reserve")
        ledger.check(
            data["reserve"] == hand.held,
            clause,
            f"the card in the reserve of side {side} is {hand.held}, not {data['reserve']}",
        )
        cards.append(hand.held if hand.held >= 0 else data["reserve"])
        hand.held = -1
    if move in ("top", "both"):
        cards.append(_top(ledger, data["side"], data["top"], hand))
    return cards


def _top(ledger: Ledger, side: int, card: int, hand: Hand) -> int:
    """Take the top card off the pile (A-2.1)."""
    name = SIDES[side]
    top = hand.pile[0] if hand.pile else -1
    ledger.check(top >= 0, "A-2.1", f"side {name} has no card in its pile")
    ledger.check(top == card, "A-2.1", f"the top card of side {name} is {top}, not {card}")
    if card in hand.pile:
        hand.pile.remove(card)
    elif hand.pile:
        hand.pile.pop(0)
    return card


def _check_after(ledger: Ledger, data: Data, hand: Hand) -> None:
    side = SIDES[data["side"]]
    ledger.check(
        data["held"] == (hand.held >= 0),
        "A-2.2",
        f"side {side} has {int(hand.held >= 0)} card in reserve, not {data['held']}",
    )
    ledger.check(
        data["refusals"] == hand.refusals,
        "A-3.1",
        f"side {side} has {hand.refusals} refusals left, not {data['refusals']}",
    )
