"""Who acts when in an activation phase: sampled and exact odds of one form."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, sqrt

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.card_codes import MAX_SPOKEN, Winner
from estoc.profiles import InputError
from estoc.profiles.phase import BEST_WORD
from estoc.sim.card_question import CardQuestion, Change, Compared
from estoc.sim.card_state import Spoken, listed_states, spoken, told_fault
from estoc.sim.parallel import default_threads, in_order
from estoc.sim.params import SIDES
from estoc.sim.progress import announce_compilation
from estoc.sim.sampling import Progress

CHUNK = 32_768  # phases played in one go: Ctrl-C waits for a chunk
MOST_ORDERS = 3_000  # pairs of orders of two piles, where odds are exact
MOST_WORK = 4_000_000  # states solved to find the best of all orders of a pile: some seconds

Phases = NDArray[np.void]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """What a change makes of the phase: with it less without it.

    Parameters
    ----------
    change : Change
    value : float
        Of the sum of swings, in thousandths.
    error : float
        Its standard error, 0 if it is exact.
    before : ndarray, shape (a, b)
        Of how often A's card i acts before B's card j: trials, or a chance.
    flips : ndarray, shape (a, b)
        How often it is the other way round: trials, or 0.
    """

    change: Change
    value: float
    error: float
    before: NDArray[np.generic]
    flips: NDArray[np.generic]


@dataclass(frozen=True)
class PhaseOdds:
    """Who acts when.

    Parameters
    ----------
    before : ndarray, shape (a, b)
        How often A's card i acts before B's card j: trials, or a chance.
    acts : ndarray, shape (2, c, t)
        How often a card acts in which speaking turn, from 0.
    first : int or float
        How often A speaks first.
    value, error : float
        Expected sum of swings, in thousandths, and its standard error.
    differences : tuple of Difference
    trials : int, optional
        None if all is exact.
    """

    before: NDArray[np.generic]
    acts: NDArray[np.generic]
    first: float
    value: float
    error: float
    differences: tuple[Difference, ...]
    trials: int | None


def check_sampled(question: CardQuestion) -> None:
    """Refuse to play trials of moves that only exact odds can find."""
    if question.optimal:
        raise InputError(
            "policy optimal: only exact odds can find the best moves; take --method exact without "
            "--trials and --seed, or another policy"
        )


def counted_odds(
    question: CardQuestion,
    trials: int,
    seed: int,
    *,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> PhaseOdds:
    """Return sampled odds: the same trials of the phase, and of each phase compared with it.

    Parameters
    ----------
    question : CardQuestion
    trials, seed : int
    threads, chunk, progress, partial
        As in `estoc.sim.sampling.count_trials`.

    Raises
    ------
    InputError
        If a move told in advance is not legal, or a side plays its best.
    """
    check_sampled(question)
    announce_compilation("count_phases", 8)
    phases = question.compared.phases.copy()
    phases["seed"] = seed
    against = np.arange(len(phases))
    for with_it, without in question.compared.places:
        against[without] = with_it

    def tasks() -> Iterator[Callable[[], _Counts]]:
        step = chunk or CHUNK
        for start in range(0, trials, step):
            yield _task(phases, against, start, min(step, trials - start))

    total = _Counts.none(len(phases), *(len(army.cards) for army in question.armies))
    try:
        for counts in in_order(tasks(), threads or default_threads()):
            told_fault(question, counts.fault)
            total += counts
            if progress is not None:
                progress(counts.trials)
    except KeyboardInterrupt:
        if not partial:
            raise
    reach = float(np.abs(question.phase["swing"]).sum())
    return _odds_of(total, question.compared, reach)


@dataclass
class _Counts:
    """Arrays that `estoc.kernels.cards.count_phases` adds to."""

    before: NDArray[np.int64]
    flips: NDArray[np.int64]
    tally: NDArray[np.int64]
    acts: NDArray[np.int64]
    first: NDArray[np.int64]
    fault: NDArray[np.int64]
    trials: int = 0

    @classmethod
    def none(cls, phases: int, own: int, enemy: int) -> "_Counts":
        pairs = np.zeros((2, phases, own, enemy), np.int64)
        acts = np.zeros((2, max(own, enemy), MAX_SPOKEN), np.int64)
        tally = np.zeros((phases, 3), np.int64)
        return cls(
            pairs[0], pairs[1], tally, acts, np.zeros(phases, np.int64), np.zeros(2, np.int64)
        )

    def __add__(self, other: "_Counts") -> "_Counts":
        return _Counts(
            self.before + other.before,
            self.flips + other.flips,
            self.tally + other.tally,
            self.acts + other.acts,
            self.first + other.first,
            self.fault,
            self.trials + other.trials,
        )

    def moments(self, k: int, reach: float) -> tuple[float, float]:
        """Return the mean of a phase's tally, and its standard error.

        Two trials at the ends of its reach are added to the squares, as `stats.paired`
        does, so that few equal trials do not look certain.
        """
        total, high, low = (int(part) for part in self.tally[k])
        mean, trials = total / self.trials, self.trials + 2
        variance = ((high << 32) + low + reach**2) / trials - (total / trials) ** 2
        return mean, sqrt(max(variance, 0.0) / trials)


def _task(
    phases: Phases, against: NDArray[np.int64], start: int, trials: int
) -> Callable[[], _Counts]:
    def count() -> _Counts:
        from estoc.kernels import cards

        own, enemy = (int(n) for n in phases["cards"][0])
        found = _Counts.none(len(phases), own, enemy)
        played = phases.copy()
        cards.count_phases(
            played,
            against,
            start,
            trials,
            found.before,
            found.flips,
            found.tally,
            found.acts,
            found.first,
        )
        found.fault[:] = played["fault"][0]
        found.trials = trials
        return found

    return count


def _odds_of(counts: _Counts, compared: Compared, reach: float) -> PhaseOdds:
    if counts.trials == 0:
        return PhaseOdds(counts.before[0], counts.acts, 0, 0.0, 0.0, (), 0)
    differences = []
    for change, (with_it, without) in zip(compared.changes, compared.places, strict=True):
        mean, error = counts.moments(without, reach)  # of what lacks it, less what has it
        before = counts.before[with_it] - counts.before[without]
        differences.append(Difference(change, -mean, error, before, counts.flips[without]))
    value, error = counts.moments(0, reach)
    return PhaseOdds(
        counts.before[0],
        counts.acts,
        int(counts.first[0]),
        value,
        error,
        tuple(differences),
        counts.trials,
    )


def obstacle(question: CardQuestion) -> str:
    """Return why there are no exact odds of a phase, empty if there are."""
    orders = 1
    for army in question.armies:
        orders *= factorial(len(army.cards)) if army.policy.order == "random" else 1
    if orders > MOST_ORDERS:
        most = f"exact odds add up {MOST_ORDERS:,} at most"
        return f"random piles have {orders:,} pairs of orders, and {most}"
    return ""


def exact_odds(question: CardQuestion, progress: Progress | None = None) -> PhaseOdds:
    """Return exact odds: all that can happen, weighed.

    Parameters
    ----------
    question : CardQuestion
    progress : callable, optional
        Told 1 for each phase solved: the one asked about, and those compared with it.

    Raises
    ------
    InputError
        If there are too many orders or states, or a move told in advance is not legal.
    """
    reason = obstacle(question)
    if reason:
        raise InputError(f"{reason}; take --method mc")
    announce_compilation("phase_odds", 8)
    compared = question.compared
    phases = compared.phases
    solved = []
    for k in range(len(phases)):
        solved.append(solve_phase(question, phases[k : k + 1]))
        if progress is not None:
            progress(1)
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
    sooner = _certain(before[0], before[1] == 0)
    swing = phases["swing"][0, :own, :enemy]
    once = (acts > 0).sum(axis=2, keepdims=True) == 1
    first_chance = float(_certain(np.array(first[0]), np.array(first[1] == 0)))
    return Solved(sooner, _certain(acts, once), first_chance, float((sooner * swing).sum()))


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
    work = factorial(cards) * len(_orders(phases)) * _pairs_of_states(phases)
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

    Raises
    ------
    InputError
        If a pile is in random order: then there is no one line.
    """
    from estoc.kernels import card_odds

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
    """Return every pair of orders of the two piles that may be dealt."""
    piles = []
    for side in range(2):
        cards = tuple(int(c) for c in phases["listed"][0, side, : phases["cards"][0, side]])
        piles.append(list(permutations(cards)) if phases["shuffled"][0, side] else [cards])
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
            from estoc.kernels import card_odds

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
        from estoc.kernels import card_odds

        values = self.values(first) if self.optimal else np.zeros((1, 1))
        fault = card_odds.phase_odds(self.phases, first, *self.states, values, weight, before, acts)
        told_fault(self.question, fault)
