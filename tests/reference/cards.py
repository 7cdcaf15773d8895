"""The activation phase: hands, speaking turns, plans, odds (A-1 to A-4).

Nothing is fast here. Cards are names, a move is a word, a hand is a pile with its top
first; the cards of both players have different names. What is left to chance comes in by
a `Chance`: words of a generator, or `Forks`, which goes every way there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple, Protocol

MOVES = ("top", "reserve", "play-reserve", "both", "refuse")

# --- what the rules say ---------------------------------------------------------------


@dataclass(frozen=True)
class Hand:
    """The cards of one player, and what he may still do with them."""

    pile: tuple[str, ...]  # face down, the top first
    reserve: tuple[str, ...] = ()
    right: bool = True  # to put a card in reserve
    refusals: int = 0
    spoken: int = 0
    played: frozenset[str] = frozenset()

    @property
    def cards(self) -> int:
        return len(self.pile) + len(self.reserve)


@dataclass(frozen=True)
class Position:
    """Both hands and who speaks: 0, 1, or None at the end (A-4.1)."""

    hands: tuple[Hand, Hand]
    speaker: int | None
    refusal_alone: bool = False  # the other reading of

    @property
    def hand(self) -> Hand:
        assert self.speaker is not None
        return self.hands[self.speaker]

    @property
    def enemy(self) -> Hand:
        assert self.speaker is not None
        return self.hands[1 - self.speaker]


def refusals_of(own: int, enemy: int) -> int:
    """Refusals of a player with so many cards against so many (A-3.1)."""
    return enemy - own if own < enemy else 0


def beginning(
    piles: Sequence[Sequence[str]],
    first: int,
    *,
    no_reserve: tuple[bool, bool] = (False, False),
    no_refusals: tuple[bool, bool] = (False, False),
    refusal_alone: bool = False,
) -> Position:
    """The phase before anybody has spoken (A-1, A-3.1)."""
    hands = []
    for side in (0, 1):
        refusals = refusals_of(len(piles[side]), len(piles[1 - side]))
        if no_refusals[side]:
            refusals = 0
        hands.append(Hand(tuple(piles[side]), (), not no_reserve[side], refusals))
    return Position((hands[0], hands[1]), next_to_speak(hands, first), refusal_alone)


def next_to_speak(hands: Sequence[Hand], wanted: int) -> int | None:
    """Who speaks if it is this player's turn: the other one where he has no card (A-4.1)."""
    for side in (wanted, 1 - wanted):
        if hands[side].cards:
            return side
    return None


def broken(position: Position, move: str) -> set[str]:
    """Clauses that the speaker would break with this move."""
    if position.speaker is None:
        return {"A-4.1"}
    hand, clauses = position.hand, set()
    if move in ("top", "reserve", "both") and not hand.pile:
        clauses.add("A-2.1")
    if move == "reserve" and not hand.right:
        clauses.add("A-2.2")
    if move in ("play-reserve", "both") and not hand.reserve:
        clauses.add("A-2.3")
    if move == "refuse":
        if hand.refusals == 0:
            clauses.add("A-3.1")
        if position.enemy.cards == 0 and not position.refusal_alone:
            clauses.add("A-4.2")
    return clauses


def legal(position: Position) -> list[str]:
    """Moves that break nothing, in the order of A-2.1 to A-2.5."""
    return [move for move in MOVES if not broken(position, move)]


def cards_of(hand: Hand, move: str) -> tuple[str, ...]:
    """Cards that a legal move plays, the one in reserve first (A-2)."""
    return {
        "top": hand.pile[:1],
        "reserve": (),
        "play-reserve": hand.reserve,
        "both": hand.reserve + hand.pile[:1],
        "refuse": (),
    }[move]


def after(position: Position, move: str) -> Position:
    """The phase after a legal move: the other player speaks, if he has cards (A-2, A-4.1)."""
    assert not broken(position, move), (position, move, broken(position, move))
    assert position.speaker is not None
    hand = position.hand
    played = cards_of(hand, move)
    waits = hand.pile[:1] if move == "reserve" else ()
    changed = replace(
        hand,
        pile=tuple(card for card in hand.pile if card not in played + waits),
        reserve=tuple(card for card in hand.reserve if card not in played) + waits,
        right=hand.right and move != "reserve",
        refusals=hand.refusals - (move == "refuse"),
        spoken=hand.spoken + 1,
        played=hand.played | set(played),
    )
    hands = (changed, position.enemy) if position.speaker == 0 else (position.enemy, changed)
    return replace(position, hands=hands, speaker=next_to_speak(hands, 1 - position.speaker))


def sequences(position: Position) -> Iterator[tuple[str, ...]]:
    """Every complete legal sequence of moves, one after the other."""
    if position.speaker is None:
        yield ()
        return
    for move in legal(position):
        for rest in sequences(after(position, move)):
            yield (move, *rest)


def count_sequences(first: int, second: int, *, reserve: bool = True) -> int:
    """How many complete legal sequences there are, by going through all of them.

    Equal positions are gone through once; the names of the cards do not matter.
    """
    piles = [f"a{n}" for n in range(first)], [f"b{n}" for n in range(second)]

    @cache
    def ways(position: Position) -> int:
        if position.speaker is None:
            return 1
        return sum(ways(after(position, move)) for move in legal(position))

    return ways(beginning(piles, 0, no_reserve=(not reserve, not reserve)))


# --- what a player wants --------------------------------------------------------------


@dataclass(frozen=True)
class Card:
    """A card with what its player may value it by; all of its fighters count (A-1.1)."""

    name: str
    PA: int = 0
    threat: int = 0
    fighters: int = 1


@dataclass(frozen=True)
class Rule:
    """A line of a plan: the move is made if it is legal and all conditions hold."""

    do: str
    when: tuple[str, ...] = ()
    chance: int = 100


@dataclass(frozen=True)
class Plan:
    """How a player arranges his pile and speaks."""

    order: str = "listed"
    value: str = "PA"
    speak: str = "first"
    moves: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True)
class Player:
    """His cards and his plan."""

    cards: tuple[Card, ...]
    plan: Plan = field(default_factory=Plan)


class Chance(Protocol):
    """Where chance comes from; ``turn`` counts the side's own speaking turns from 0."""

    def shuffled(self, side: int, cards: Sequence[str]) -> list[str]: ...

    def happens(self, side: int, turn: int, draw: int, percent: int) -> bool: ...

    def pick(self, side: int, turn: int, moves: Sequence[str]) -> str: ...


def worth(card: Card, by: str) -> int:
    return card.fighters * (card.PA if by == "PA" else card.threat)


def arranged(player: Player) -> list[str]:
    """Pile of a player who leaves nothing to chance (A-1.1); of equals the first listed first."""
    order = player.plan.order
    pile: list[Card] = []
    by = "threat" if order == "threat" else "PA"
    for card in player.cards:  # by insertion
        place = len(pile)
        if order in ("cheap", "patient"):
            place = sum(worth(other, by) <= worth(card, by) for other in pile)
        elif order in ("dear", "threat"):
            place = sum(worth(other, by) >= worth(card, by) for other in pile)
        pile.insert(place, card)
    if order == "patient":
        most = max(worth(card, by) for card in pile)
        dearest = next(card for card in player.cards if worth(card, by) == most)
        pile.remove(dearest)
        pile.insert(0, dearest)
    return [card.name for card in pile]


def rank(player: Player, names: Sequence[str]) -> int:
    """Rank of the first of these cards by its worth, 1 the most; 0 of no card."""
    if not names:
        return 0
    by = player.plan.value
    listed = [card.name for card in player.cards]
    place = listed.index(names[0])
    own = worth(player.cards[place], by)
    ahead = [
        other
        for n, other in enumerate(player.cards)
        if worth(other, by) > own or (worth(other, by) == own and n < place)
    ]
    return 1 + len(ahead)


def seen(position: Position, player: Player) -> dict[str, int]:
    """What the conditions of the speaker's plan may look at."""
    own, enemy = position.hand, position.enemy
    return {
        "own_cards": own.cards,
        "enemy_cards": enemy.cards,
        "lead": own.cards - enemy.cards,
        "pile": len(own.pile),
        "held": len(own.reserve),
        "refusals": own.refusals,
        "enemy_held": len(enemy.reserve),
        "enemy_refusals": enemy.refusals,
        "turn": own.spoken + 1,
        "top": rank(player, own.pile),
        "reserved": rank(player, own.reserve),
    }


def holds(condition: str, position: Position, player: Player) -> bool:
    """Whether a condition, in the words of a policy file, is so."""
    words = condition.split()
    if "acted" in words:
        hand = position.hand if "own" in words else position.enemy
        return (words[-1] in hand.played) != (words[0] == "not")
    name, sign, number = words
    value, limit = seen(position, player)[name], int(number)
    return {
        "=": value == limit,
        "<": value < limit,
        "<=": value <= limit,
        ">": value > limit,
        ">=": value >= limit,
    }[sign]


class IllegalMove(Exception):
    """A move told in advance is not legal."""


def decide(position: Position, player: Player, chance: Chance) -> str:
    """The move that a player's plan makes: the first rule that applies, else one card."""
    side, turn, plan = position.speaker, position.hand.spoken, player.plan
    assert side is not None
    if turn < len(plan.moves):
        if broken(position, plan.moves[turn]):
            raise IllegalMove(side, turn, broken(position, plan.moves[turn]))
        return plan.moves[turn]
    draws = 0
    for rule in plan.rules:
        if rule.chance < 100:
            draws += 1
            if not chance.happens(side, turn, draws - 1, rule.chance):
                continue
        if not all(holds(condition, position, player) for condition in rule.when):
            continue
        if rule.do == "any":
            return chance.pick(side, turn, legal(position))
        if rule.do in legal(position):
            return rule.do
    return "top" if position.hand.pile else "play-reserve"


class Told(NamedTuple):
    """One speaking turn, and the speaker's hand after it."""

    side: int
    move: str
    cards: tuple[str, ...]  # played, or put in reserve
    held: int
    right: bool
    refusals: int


def told(position: Position, move: str) -> tuple[Told, Position]:
    """A move and the position after it."""
    side = position.speaker
    assert side is not None
    cards = position.hand.pile[:1] if move == "reserve" else cards_of(position.hand, move)
    then = after(position, move)
    hand = then.hands[side]
    return Told(side, move, cards, len(hand.reserve), hand.right, hand.refusals), then


def play(position: Position, players: Sequence[Player], chance: Chance) -> list[Told]:
    """A phase played to its end."""
    log = []
    while position.speaker is not None:
        move = decide(position, players[position.speaker], chance)
        row, position = told(position, move)
        log.append(row)
    return log


def in_words(row: Told) -> tuple[str, str]:
    """What a turn plays and the state of the reserve, as the worked example writes them."""
    if row.move == "refuse":
        plays = "refusal"
    elif row.move == "reserve":
        plays = f"{row.cards[0]} to reserve"
    else:
        held = 1 if row.move in ("play-reserve", "both") else 0
        names = [f"{card} (reserve)" if n < held else card for n, card in enumerate(row.cards)]
        plays = " + ".join(names)
    most = "1" if row.right or row.held else "-"
    return plays, f"{row.held}/{most}"


def speaks_first(winner: int, players: Sequence[Player]) -> int:
    """Whom the winner of the Tactics roll lets speak first (A-1.3)."""
    return winner if players[winner].plan.speak == "first" else 1 - winner


def dealt(players: Sequence[Player], chance: Chance) -> list[list[str]]:
    """Both piles (A-1.1)."""
    piles = []
    for side, player in enumerate(players):
        pile = arranged(player)
        if player.plan.order == "random":
            pile = chance.shuffled(side, pile)
        piles.append(pile)
    return piles


# --- every way there is ---------------------------------------------------------------


class Forks:
    """A chance that takes the ways it was told, then always the first."""

    def __init__(self, ways: Sequence[int]):
        self.ways = list(ways)
        self.sizes: list[int] = []
        self.mass = Fraction(1)

    def fork(self, options: Sequence[tuple[Any, Fraction]]) -> Any:
        if len(self.sizes) == len(self.ways):
            self.ways.append(0)
        value, mass = options[self.ways[len(self.sizes)]]
        self.sizes.append(len(options))
        self.mass *= mass
        return value

    def shuffled(self, side: int, cards: Sequence[str]) -> list[str]:
        piles = list(permutations(cards))
        return list(self.fork([(pile, Fraction(1, len(piles))) for pile in piles]))

    def happens(self, side: int, turn: int, draw: int, percent: int) -> bool:
        chance = Fraction(percent, 100)
        return self.fork([(True, chance), (False, 1 - chance)])

    def pick(self, side: int, turn: int, moves: Sequence[str]) -> str:
        return self.fork([(move, Fraction(1, len(moves))) for move in moves])


def every(function: Callable[[Forks], Any]) -> Iterator[tuple[Any, Fraction]]:
    """What a function of chance gives on each of its ways, and the way's mass."""
    ways: list[int] | None = []
    while ways is not None:
        forks = Forks(ways)
        yield function(forks), forks.mass
        ways = forks.ways
        while ways and ways[-1] + 1 == forks.sizes[len(ways) - 1]:
            ways.pop()
        if ways:
            ways[-1] += 1
        else:
            ways = None


def law(position: Position, player: Player) -> dict[str, Fraction]:
    """Chance of each move by the plan of the speaker."""
    masses: dict[str, Fraction] = {}
    for move, mass in every(lambda chance: decide(position, player, chance)):
        masses[move] = masses.get(move, Fraction(0)) + mass
    return {move: mass for move, mass in masses.items() if mass}


@dataclass
class Odds:
    """Chances: of (A's card, B's card) that A's acts first; of (card, turn from 0)."""

    before: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    acts: dict[tuple[str, int], Fraction] = field(default_factory=dict)
    first: Fraction = Fraction(0)

    def add(self, position: Position, move: str, turn: int, mass: Fraction) -> None:
        """A move is made with this mass in this speaking turn."""
        for card in cards_of(position.hand, move):
            self.acts[card, turn] = self.acts.get((card, turn), Fraction(0)) + mass
            if position.speaker == 0:
                for other in position.enemy.pile + position.enemy.reserve:
                    pair = card, other
                    self.before[pair] = self.before.get(pair, Fraction(0)) + mass


def all_piles(players: Sequence[Player]) -> list[tuple[list[list[str]], Fraction]]:
    """Every way that both piles may lie, and its mass."""
    return list(every(lambda chance: dealt(players, chance)))


def exact(players: Sequence[Player], a_wins: Fraction, **rules: Any) -> Odds:
    """Odds of a phase, equal positions merged turn by turn."""
    odds = Odds()
    for piles, mass in all_piles(players):
        for winner, chance in ((0, a_wins), (1, 1 - a_wins)):
            if chance == 0:
                continue
            first = speaks_first(winner, players)
            odds.first += mass * chance * (first == 0)
            positions = {beginning(piles, first, **rules): mass * chance}
            turn = 0
            while positions:
                following: dict[Position, Fraction] = {}
                for position, weight in positions.items():
                    if position.speaker is None:
                        continue
                    for move, part in law(position, players[position.speaker]).items():
                        odds.add(position, move, turn, weight * part)
                        then = after(position, move)
                        following[then] = following.get(then, Fraction(0)) + weight * part
                positions, turn = following, turn + 1
    return odds


def every_phase(players: Sequence[Player], a_wins: Fraction, **rules: Any) -> Odds:
    """The same odds with nothing merged: every phase that can happen is played."""
    odds = Odds()
    for winner, chance in ((0, a_wins), (1, 1 - a_wins)):
        first = speaks_first(winner, players)
        odds.first += chance * (first == 0)

        def phase(forks: Forks, first: int = first) -> tuple[Position, list[Told]]:
            position = beginning(dealt(players, forks), first, **rules)
            return position, play(position, players, forks)

        for (position, log), mass in every(phase):
            for turn, row in enumerate(log):
                odds.add(position, row.move, turn, mass * chance)
                position = after(position, row.move)
    return odds


# --- best play ------------------------------------------------------------------------

Gains = dict[tuple[str, str], Fraction]


def best_value(
    players: Sequence[Player],
    best: tuple[bool, bool],
    a_wins: Fraction,
    gains: Gains,
    **rules: Any,
) -> Fraction:
    """Value to A: sides that play their best know both piles and the enemy's plan.

    ``gains`` says for (A's card, B's card) what A gains if its card acts first. The winner
    of the Tactics roll who plays his best says who speaks first as it is best (A-1.3).
    """

    @cache
    def value(position: Position) -> Fraction:
        side = position.speaker
        if side is None:
            return Fraction(0)
        worths = {}
        for move in legal(position):
            gained = Fraction(0)
            if side == 0:
                for card in cards_of(position.hand, move):
                    for other in position.enemy.pile + position.enemy.reserve:
                        gained += gains.get((card, other), Fraction(0))
            worths[move] = gained + value(after(position, move))
        if best[side]:
            return max(worths.values()) if side == 0 else min(worths.values())
        chances = law(position, players[side])
        return sum((chances[move] * worths[move] for move in chances), Fraction(0))

    total = Fraction(0)
    for piles, mass in all_piles(players):
        worths = [value(beginning(piles, first, **rules)) for first in (0, 1)]
        for winner, chance in ((0, a_wins), (1, 1 - a_wins)):
            if best[winner]:
                chosen = max(worths) if winner == 0 else min(worths)
            else:
                chosen = worths[speaks_first(winner, players)]
            total += mass * chance * chosen
    return total


def value_of(odds: Odds, gains: Gains) -> Fraction:
    """Value to A of odds."""
    return sum((odds.before.get(pair, 0) * gain for pair, gain in gains.items()), Fraction(0))


def all_pairs(players: Sequence[Player]) -> list[tuple[str, str]]:
    """Every card of A with every card of B."""
    one, other = ([card.name for card in player.cards] for player in players)
    return list(product(one, other))
