"""The strategic phase and the speaking turns of a transcript (T-2, A-1 to A-4)."""

from dataclasses import dataclass, field

from .actions import activate
from .dice import opposed_winner
from .fighters import SIDES, Fighter, names, ordered
from .ledger import Ledger
from .steps import First, Pile, Speak


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
    hands: dict[int, Hand] = {}
    right = [sorted({f.group for f in ledger.living(side)}) for side in (0, 1)]
    while data := ledger.accept(Pile):
        who, cards, given = SIDES[data.side], right[data.side], sorted(data.cards)
        ledger.check(data.side not in hands, "T-2.2", "side {} arranges its pile twice", who)
        ledger.check(
            given == cards,
            "A-1.2",
            "side {}: the cards with a living fighter are {}, not {}",
            who,
            str(cards),
            str(given),
        )
        hands[data.side] = Hand(list(data.cards))
    for side in {0, 1} - {*hands}:
        ledger.breach_next("T-2.2", "side {} has arranged no pile", SIDES[side])
        hands[side] = Hand(right[side])
    winner = _tactics(ledger)
    first = ledger.take(First, "T-2.4")
    ledger.check(first.winner == winner, "T-2.4", "side {} has won the Tactics roll", SIDES[winner])
    counts = [len(hands[side].pile) for side in (0, 1)]
    for side in (0, 1):
        hands[side].refusals = max(counts[1 - side] - counts[side], 0)
    return [hands[0], hands[1]], first.side


def _may_roll(ledger: Ledger, fighter: Fighter) -> bool:
    """Whether a fighter may make the Tactics roll (T-2.3, T-2.6)."""
    routed = fighter.routed and not ledger.rule["tactics.routed_may_roll"]
    able = fighter.card.tactics and ledger.own(fighter, "DIS") is not None
    return fighter.alive and able and not routed


def _tactics(ledger: Ledger) -> int:
    able = [any(_may_roll(ledger, f) for f in ledger.living(side)) for side in (0, 1)]
    winner, rows = opposed_winner(ledger, "tactics", (able[0], able[1]))
    for data in rows:
        for side, who in enumerate(data.testers):
            may = who and who.side == side and _may_roll(ledger, who)
            ledger.check(may, "T-2.3", "{} may not make the Tactics roll", who or "nobody")
            own = who and ledger.own(who, "DIS")
            right = data.values[side] == own
            ledger.check(
                right, "T-2.3", "{} rolls with its own Discipline, {}", who or "nobody", own
            )
    return winner


def activation_phase(ledger: Ledger, hands: list[Hand], first: int) -> None:
    """Check the speaking turns, one after the other, until both have no card (A-2 to A-4)."""
    speaker = first
    while any(hand.left for hand in hands) and not ledger.over():
        if not hands[speaker].left:
            speaker = 1 - speaker
        data = ledger.take(Speak, "A-4.1")
        ledger.check(
            data.side == speaker, "A-2", "it is the turn of side {} to speak", SIDES[speaker]
        )
        speaker = data.side
        hand = hands[speaker]
        cards = _play(ledger, data, hand, hands[1 - speaker])
        _check_after(ledger, data, hand)
        now = [f for f in ledger.living(speaker) if f.group in cards]
        given = ordered(data.fighters)
        ledger.check(
            given == now,
            "A-5.1",
            "the living fighters of the cards played are {}, not {}",
            names(now),
            names(given),
        )
        activate(ledger, data.fighters)
        speaker = 1 - speaker


def _play(ledger: Ledger, data: Speak, hand: Hand, other: Hand) -> list[int]:
    """Check the cards of a speaking turn (A-2) and move them; those that are played."""
    side, move = SIDES[data.side], data.move
    if move == "refuse":
        ledger.check(hand.refusals > 0, "A-2.5", "side {} has no refusal left", side)
        alone = not other.left and not ledger.rule["cards.refusal_alone"]
        ledger.check(not alone, "A-4.2", "side {} is alone: it may not refuse", side)
        hand.refusals = max(hand.refusals - 1, 0)
        return []
    if move == "to_reserve":
        may = not hand.used and hand.held < 0
        ledger.check(may, "A-2.2", "side {} has used its reserve in this phase already", side)
        hand.held, hand.used = _top(ledger, side, max(data.top, data.reserve), hand), True
        return []
    cards = []
    if move in ("reserve", "both"):
        clause, held = "A-2.3" if move == "reserve" else "A-2.4", hand.held
        ledger.check(held >= 0, clause, "side {} has no card in reserve", side)
        ledger.check(
            data.reserve == held,
            clause,
            "the card in the reserve of side {} is {}, not {}",
            side,
            held,
            data.reserve,
        )
        cards.append(held if held >= 0 else data.reserve)
        hand.held = -1
    if move in ("top", "both"):
        cards.append(_top(ledger, side, data.top, hand))
    return cards


def _top(ledger: Ledger, side: str, card: int, hand: Hand) -> int:
    """Take the top card off the pile (A-2.1)."""
    top = hand.pile[0] if hand.pile else -1
    ledger.check(top >= 0, "A-2.1", "side {} has no card in its pile", side)
    ledger.check(top == card, "A-2.1", "the top card of side {} is {}, not {}", side, top, card)
    if card in hand.pile:
        hand.pile.remove(card)
    elif hand.pile:
        hand.pile.pop(0)
    return card


def _check_after(ledger: Ledger, data: Speak, hand: Hand) -> None:
    side, held = SIDES[data.side], int(hand.held >= 0)
    ledger.check(
        data.held == held, "A-2.2", "side {} has {} card in reserve, not {}", side, held, data.held
    )
    right = data.refusals == hand.refusals
    ledger.check(
        right, "A-3.1", "side {} has {} refusals left, not {}", side, hand.refusals, data.refusals
    )
