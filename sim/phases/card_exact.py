"""Activation phases solved: who acts when, best play, the best pile (A-1 to A-4)."""

from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.cards import MAX_SPOKEN, Feature, RuleColumn, Winner
from ...profiles.compile.cards import BEST_WORD
from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.options import SIDES
from ..base.run import USUAL_RUN, Run
from .card_odds import Difference, PhaseOdds
from .card_question import CardQuestion, Phases
from .card_state import Spoken, listed_states, spoken, told_fault

MOST_ORDERS = 3_000  # pairs of orders of two piles that are added up
MOST_WORK = 1_500_000  # states solved to find the best of all orders of a pile: a second

# What a player may look at without knowing which card is which.
_BLIND = {int(feature) for feature in Feature} - {int(Feature.TOP), int(Feature.RESERVED)}

Floats = NDArray[np.float64]


def obstacle(question: CardQuestion) -> str:
    """Return why there are no exact odds of a phase, empty if there are."""
    orders = _count_orders(question.phase)
    if orders > MOST_ORDERS:
        most = say("exact odds add up {:,} at most", MOST_ORDERS)
        return say("random piles have {:,} pairs of orders, and {}", orders, most)
    return ""


def _count_orders(phases: Phases) -> int:
    """Return how many pairs of orders of the piles have to be looked at."""
    if _is_blind(phases):
        return 1
    sizes, shuffled = phases["cards"][0].tolist(), phases["shuffled"][0].tolist()
    return prod(factorial(n) for n, any_order in zip(sizes, shuffled, strict=True) if any_order)


def _is_blind(phases: Phases) -> bool:
    """Whether no player looks at which card is which: then all orders are played alike."""
    if phases["optimal"].any():
        return False
    for side, count in enumerate(phases["rule_count"][0].tolist()):
        for rule in phases["rules"][0, side, :count]:
            start, conditions = RuleColumn.CONDITIONS + 1, int(rule[RuleColumn.CONDITIONS])
            if not set(rule[start : start + 3 * conditions : 3].tolist()) <= _BLIND:
                return False
    return True


def checked_exact(question: CardQuestion) -> None:
    """Refuse a phase that has no exact odds."""
    reason = obstacle(question)
    if reason:
        raise InputError("{}; take --method mc", reason)


def exact_odds(question: CardQuestion, run: Run = USUAL_RUN) -> PhaseOdds:
    """Return exact odds: all that can happen, weighed."""
    checked_exact(question)
    compared = question.compared
    phases = compared.phases
    solved = []
    for k in range(len(phases)):
        solved.append(solve_phase(question, phases[k : k + 1]))
        run.advance(1)
    nothing = np.zeros(solved[0].before.shape)
    differences = tuple(
        Difference(
            change,
            solved[with_it].value - solved[without].value,
            0.0,
            solved[with_it].before - solved[without].before,
            nothing,
        )
        for change, (with_it, without) in zip(compared.changes, compared.places, strict=True)
    )
    base = solved[0]
    return PhaseOdds(base.before, base.acts, base.first, base.value, 0.0, differences, None)


@dataclass(frozen=True)
class Solved:
    """One phase solved: chances, and the expected sum of swings in thousandths."""

    before: Floats
    acts: Floats
    first: float
    value: float


def solve_phase(question: CardQuestion, phases: Phases) -> Solved:
    """Return who acts when in one phase, exactly, over all orders of random piles.

    The winner of the Tactics roll lets speak first whom his policy says; of a side that
    plays its best, whom it is better for.
    """
    own, enemy = (int(n) for n in phases["cards"][0])
    before = np.zeros((2, own, enemy))
    acts = np.zeros((2, max(own, enemy), MAX_SPOKEN))
    first = [0.0, 0.0]
    orders = _orders(phases)
    for piles in orders:
        tree = _Tree(question, phases, piles)
        for winner, chance in enumerate(winning_chances(question, phases)):
            weight = chance / len(orders)
            if weight:
                speaker = tree.speaker(winner)
                first[speaker] += weight
                tree.add(speaker, weight, before, acts)
    if _is_blind(phases):
        _even_out(phases, before, acts)
    sooner = _certain(before[0], before[1] == 0)
    swing = phases["swing"][0, :own, :enemy]
    once = (acts > 0).sum(axis=2, keepdims=True) == 1
    first_chance = float(_certain(np.array(first[0]), np.array(first[1] == 0)))
    return Solved(sooner, _certain(acts, once), first_chance, float((sooner * swing).sum()))


def _even_out(phases: Phases, before: Floats, acts: Floats) -> None:
    """Give each card of a random pile the mean of all places: it is as often in each of them."""
    for side in np.flatnonzero(phases["shuffled"][0]):
        cards = acts[side, : phases["cards"][0, side]]
        cards[:] = cards.mean(axis=0)
        before[:] = before.mean(axis=1 + side, keepdims=True)


def winning_chances(question: CardQuestion, phases: Phases) -> tuple[float, float]:
    """Return the chances that A and B win the Tactics roll of a phase compared with another."""
    winner = int(phases["winner"][0])
    chance = float(winner == 0) if winner < Winner.ROLL else question.chance
    return chance, 1 - chance


def _certain(chances: Floats, surely: NDArray[np.bool_]) -> Floats:
    """Return chances without what rounding did: 1 where nothing else can happen, and only there."""
    below = np.nextafter(1.0, 0.0)
    return np.where(surely & (chances > 0), 1.0, np.minimum(chances, below))


def best_pile(question: CardQuestion, side: int) -> tuple[float, tuple[int, ...]] | None:
    """Return the best order of a side's pile, its moves being the best too, and the value to A.

    The enemy keeps to its pile and its policy. None where there are too many orders to try.
    """
    phases = question.replayed((side == 0, side == 1))
    cards = int(phases["cards"][0, side])
    phases["shuffled"][0, side] = 0
    work = factorial(cards) * _count_orders(phases) * _pairs_of_states(phases)
    if work > MOST_WORK:
        return None
    found = []
    for pile in permutations(phases["listed"][0, side, :cards].tolist()):
        phases["listed"][0, side, :cards] = pile
        found.append((solve_phase(question, phases).value, pile))
    best = max if side == 0 else min
    return best(found, key=lambda one: round(one[0], 6))


def _pairs_of_states(phases: Phases) -> int:
    return len(listed_states(phases, 0)[0]) * len(listed_states(phases, 1)[0])


def best_line(question: CardQuestion) -> tuple[str, list[Spoken]]:
    """Return who wins the Tactics roll, and the likeliest speaking turns: best ones of best play.

    The winner of the Tactics roll is the likelier one, A if both are as likely.
    """
    from ...kernels.phases import card_odds

    phases = question.phase
    if phases["shuffled"].any():
        raise InputError("a pile in random order has no one best line; take another order of it")
    own, enemy = winning_chances(question, phases)
    winner = int(enemy > own)
    tree = _Tree(question, phases, _orders(phases)[0])
    first = tree.speaker(winner)
    log = card_odds.phase_line(tree.phases, first, *tree.states, tree.values(first))
    return SIDES[winner], [spoken(question.armies, turn, row) for turn, row in enumerate(log)]


def _orders(phases: Phases) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return every pair of orders of the piles that may be dealt; one, if all are played alike."""
    piles = []
    for side in range(2):
        cards = tuple(int(c) for c in phases["listed"][0, side, : phases["cards"][0, side]])
        several = phases["shuffled"][0, side] and not _is_blind(phases)
        piles.append(list(permutations(cards)) if several else [cards])
    return list(product(piles[0], piles[1]))


class _Tree:
    """All states of a phase whose piles are known."""

    def __init__(
        self, question: CardQuestion, phases: Phases, piles: tuple[tuple[int, ...], tuple[int, ...]]
    ):
        self.question, self.phases = question, phases.copy()
        self.phases["shuffled"] = 0
        for side, pile in enumerate(piles):
            self.phases["listed"][0, side, : len(pile)] = pile
        self.states = (*listed_states(self.phases, 0), *listed_states(self.phases, 1))
        self.optimal = bool(phases["optimal"].any())
        self.known: dict[int, Floats] = {}

    def values(self, first: int) -> Floats:
        """Return what the rest of the phase is worth in each state."""
        if first not in self.known:
            from ...kernels.phases import card_odds

            self.known[first] = card_odds.phase_values(self.phases, first, *self.states)
        return self.known[first]

    def speaker(self, winner: int) -> int:
        """Return who speaks first if this side wins the Tactics roll (T-2.4)."""
        if self.phases["speaks_second"][0, winner] == BEST_WORD:
            worth = [float(self.values(first)[0, 0]) for first in range(2)]
            best = max(worth) if winner == 0 else min(worth)
            return worth.index(best)
        return 1 - winner if self.phases["speaks_second"][0, winner] else winner

    def add(self, first: int, weight: float, before: Floats, acts: Floats) -> None:
        """Add what happens if this side speaks first, weighed."""
        from ...kernels.phases import card_odds

        values = self.values(first) if self.optimal else np.zeros((1, 1))
        fault = card_odds.phase_odds(self.phases, first, *self.states, values, weight, before, acts)
        told_fault(self.question, fault)
