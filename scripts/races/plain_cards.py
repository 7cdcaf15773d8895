"""The activation phase written plainly, in Python and in Numba: what cards.py is beside.

The baselines share no code with the package but the plain kernel's generator and stay as they
are, as `estoc.sim.bench.baselines` does. Each plays A-1 to A-4 and the Tactics roll of T-2.3
and T-2.4 for four policies, whose rules are written out by hand; of an opposed test a 6 is
re-rolled while the test is not won, the side that is behind first, and equal results are
rolled again.
"""

import random
from collections.abc import Callable
from itertools import permutations, product
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from estoc.kernels.samplers.baseline import below, seed_state

POLICIES = ("cheap", "wait", "threat", "random")
CHEAP, WAIT, THREAT, RANDOM = range(4)
TOP, STORE, RESERVE, BOTH, REFUSE = range(5)
TURNS = 64  # more speaking turns than a phase of these sizes can have
DISCIPLINE = (4, 3)


class Job(NamedTuple):
    """A phase for the baselines.

    policies : by side
    piles : cards by place, in the order that each side wants
    ranks : by side and card, 1 for the greatest threat
    shuffled : by side, whether the pile comes in any order
    discipline : of who makes the Tactics roll
    reserves : how often a side may put a card in reserve (A-2.2)
    """

    policies: tuple[int, int]
    piles: tuple[list[int], list[int]]
    ranks: tuple[list[int], list[int]]
    shuffled: tuple[bool, bool]
    discipline: tuple[int, int] = DISCIPLINE
    reserves: int = 1


class Counts(NamedTuple):
    """What happened in so many trials; of chances, in infinitely many.

    before : shape (a, b), A's card i acted before B's card j
    acts : shape (2, c, t), a card acted in a speaking turn
    """

    trials: float
    before: NDArray[Any]
    acts: NDArray[Any]

    @classmethod
    def none(cls, sizes: tuple[int, int], trials: float = inf, kind: type = float) -> "Counts":
        return cls(trials, np.zeros(sizes, kind), np.zeros((2, max(sizes), TURNS), kind))

    def cells(self) -> NDArray[np.float64]:
        """All as shares of the trials."""
        every = np.append(self.before, self.acts)
        return every if self.trials == inf else every / self.trials


# ---------------------------------------------------------------------------- plain Python


class Stand(NamedTuple):
    """How a side stands: pile with the top card first, card in reserve or -1."""

    pile: tuple[int, ...]
    held: int
    stored: int
    refusals: int

    @property
    def left(self) -> int:
        return len(self.pile) + (self.held >= 0)


def opening(piles: tuple[tuple[int, ...], ...]) -> list[Stand]:
    """Both sides at the start of the phase (A-3.1)."""
    one, other = map(len, piles)
    refusals = max(other - one, 0), max(one - other, 0)
    return [Stand(p, -1, 0, r) for p, r in zip(piles, refusals, strict=True)]


def legal_moves(own: Stand, enemy_left: int, reserves: int) -> list[int]:
    """What a side may do (A-2, A-4)."""
    may = {
        TOP: own.pile,
        STORE: own.pile and own.held < 0 and own.stored < reserves,
        RESERVE: own.held >= 0,
        BOTH: own.pile and own.held >= 0,
        REFUSE: own.refusals and enemy_left,
    }
    return [move for move, allowed in may.items() if allowed]


def wanted_moves(job: Job, side: int, own: Stand, enemy_left: int) -> list[int]:
    """The move that the side's policy makes; several, if it is as likely to make each."""
    moves, policy = legal_moves(own, enemy_left, job.reserves), job.policies[side]
    if policy == RANDOM:
        return moves
    if policy in (CHEAP, WAIT) and REFUSE in moves:
        return [REFUSE]
    if policy == WAIT and STORE in moves:
        return [STORE]
    if policy == WAIT and BOTH in moves and enemy_left == 0:
        return [BOTH]
    behind = own.left < enemy_left
    if policy == THREAT and STORE in moves and behind and job.ranks[side][own.pile[0]] >= 3:
        return [STORE]
    if policy == THREAT and BOTH in moves:
        return [BOTH]
    return [TOP if TOP in moves else RESERVE]


def after_move(own: Stand, move: int) -> tuple[Stand, tuple[int, ...]]:
    """How the side stands then, and the cards that it plays."""
    pile, held, stored, refusals = own
    if move == TOP:
        return Stand(pile[1:], held, stored, refusals), pile[:1]
    if move == STORE:
        return Stand(pile[1:], pile[0], stored + 1, refusals), ()
    if move == RESERVE:
        return Stand(pile, -1, stored, refusals), (held,)
    if move == BOTH:
        return Stand(pile[1:], -1, stored, refusals), (held, pile[0])
    return Stand(pile, held, stored, refusals - 1), ()


def python_roll(below: Callable[[int], int], discipline: tuple[int, int]) -> int:
    """Side that wins the Tactics roll."""
    asked_first = below(2)
    while True:
        dice = [below(6) + 1, below(6) + 1]
        natural = dice.copy()
        while True:
            lead = discipline[0] + natural[0] - discipline[1] - natural[1]
            wants = dice[0] == 6 and lead <= 0, dice[1] == 6 and lead >= 0
            if not any(wants):
                break
            side = asked_first if all(wants) else wants.index(True)
            dice[side] = below(6) + 1
            natural[side] = 1 if dice[side] == 1 else natural[side] + dice[side]
        if lead:
            return int(lead < 0)


def python_phase(job: Job, below: Callable[[int], int]) -> list[dict[int, int]]:
    """Speaking turn in which each card acts, by side."""
    piles = [tuple(p) for p in job.piles]
    for side in range(2):
        if job.shuffled[side]:
            piles[side] = python_shuffle(job.piles[side], below)
    winner = python_roll(below, job.discipline)
    side = 1 - winner if job.policies[winner] == WAIT else winner
    stands, when, turn = opening(piles), [{}, {}], 0
    while stands[0].left or stands[1].left:
        if not stands[side].left:
            side = 1 - side
        moves = wanted_moves(job, side, stands[side], stands[1 - side].left)
        move = moves[below(len(moves))] if len(moves) > 1 else moves[0]
        stands[side], played = after_move(stands[side], move)
        for card in played:
            when[side][card] = turn
        turn += 1
        side = 1 - side
    return when


def python_shuffle(cards: list[int], below: Callable[[int], int]) -> tuple[int, ...]:
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def python_counts(job: Job, trials: int, seed: int) -> Counts:
    uniform = random.Random(seed).random
    own, enemy = map(len, job.piles)
    before = [[0] * enemy for _ in range(own)]
    acts = [[[0] * TURNS for _ in range(max(own, enemy))] for _ in range(2)]
    for _ in range(trials):
        when = python_phase(job, lambda n: int(n * uniform()))
        for i, own_turn in when[0].items():
            for j, enemy_turn in when[1].items():
                before[i][j] += own_turn < enemy_turn
        for side in range(2):
            for card, turn in when[side].items():
                acts[side][card][turn] += 1
    return Counts(trials, np.array(before), np.array(acts))


def python_odds(job: Job, chance: float) -> Counts:
    """Exactly, by trying every move; ``chance`` that A wins the Tactics roll."""
    odds = Counts.none(tuple(map(len, job.piles)))
    orders = [
        list(permutations(p)) if shuffled else [tuple(p)]
        for p, shuffled in zip(job.piles, job.shuffled, strict=True)
    ]
    share = 1 / (len(orders[0]) * len(orders[1]))
    for piles in product(*orders):
        for winner, wins in enumerate((chance, 1 - chance)):
            side = 1 - winner if job.policies[winner] == WAIT else winner
            python_moves(job, opening(piles), side, 0, wins * share, odds)
    return odds


def python_moves(
    job: Job, stands: list[Stand], side: int, turn: int, mass: float, odds: Counts
) -> None:
    """Add all that can happen from here on."""
    if not stands[side].left:
        side = 1 - side
    if not stands[side].left:
        return
    own, enemy = stands[side], stands[1 - side]
    moves = wanted_moves(job, side, own, enemy.left)
    for move in moves:
        stands[side], played = after_move(own, move)
        for card in played:
            odds.acts[side, card, turn] += mass / len(moves)
            if side == 0:
                for other in (*enemy.pile, enemy.held)[: enemy.left]:  # no -1 among them
                    odds.before[card, other] += mass / len(moves)
        python_moves(job, stands.copy(), 1 - side, turn + 1, mass / len(moves), odds)


# ---------------------------------------------------------------------------- Numba
# As one would first write it: scalars in functions, arrays in one loop, since Numba counts
# references to an array at each call that passes it on.


def numba_counts(job: Job, trials: int, seed: int) -> Counts:
    """Plain scalar Numba with xoshiro256++."""
    sizes = tuple(map(len, job.piles))
    counts = Counts.none(sizes, trials, np.int64)
    order, ranks = np.zeros((2, 2, max(sizes)), np.int64)
    for side, size in enumerate(sizes):
        order[side, :size], ranks[side, :size] = job.piles[side], job.ranks[side]
    numba_phases(
        np.array(job.policies),
        np.array(sizes),
        order,
        ranks,
        np.array(job.shuffled),
        job.discipline,
        job.reserves,
        trials,
        seed_state(np.uint64(seed)),
        counts.before,
        counts.acts,
    )
    return counts


@njit(cache=True)
def numba_roll(words, own, other):
    """Side that wins the Tactics roll."""
    asked_first = below(words, 2)
    while True:
        die_0, die_1 = below(words, 6) + 1, below(words, 6) + 1
        natural_0, natural_1 = die_0, die_1
        while True:
            lead = own + natural_0 - other - natural_1
            wants_0, wants_1 = die_0 == 6 and lead <= 0, die_1 == 6 and lead >= 0
            if not (wants_0 or wants_1):
                break
            if wants_0 and not (wants_1 and asked_first == 1):
                die_0 = below(words, 6) + 1
                natural_0 = 1 if die_0 == 1 else natural_0 + die_0
            else:
                die_1 = below(words, 6) + 1
                natural_1 = 1 if die_1 == 1 else natural_1 + die_1
        if lead != 0:
            return 0 if lead > 0 else 1


@njit(cache=True)
def numba_any(words, pile, may_store, held, may_refuse):
    """Any of the legal moves, all of them as likely."""
    both = pile and held
    n = below(words, int(pile) + int(may_store) + int(held) + int(both) + int(may_refuse))
    for move, may in ((TOP, pile), (STORE, may_store), (RESERVE, held), (BOTH, both)):
        if may:
            if n == 0:
                return move
            n -= 1
    return REFUSE


@njit(cache=True)
def numba_move(words, policy, pile, held, may_store, may_refuse, left, enemy_left, rank):
    """The move that a policy makes."""
    if policy == RANDOM:
        return numba_any(words, pile, may_store, held, may_refuse)
    if policy == THREAT:
        if may_store and left < enemy_left and rank >= 3:
            return STORE
        if pile and held:
            return BOTH
    elif may_refuse:
        return REFUSE
    if policy == WAIT:
        if may_store:
            return STORE
        if pile and held and enemy_left == 0:
            return BOTH
    return TOP if pile else RESERVE


@njit(cache=True)
def numba_phases(
    policies,
    size,
    order,
    ranks,
    shuffled,
    discipline,
    reserves,
    trials,
    words,
    before,
    acts,
):
    """Play phases and count who acted when."""
    top, held, stored = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    refusals, left = np.zeros(2, np.int64), np.zeros(2, np.int64)
    when = np.zeros((2, max(size[0], size[1])), np.int64)
    for _ in range(trials):
        for side in range(2):
            if shuffled[side]:
                for place in range(size[side] - 1, 0, -1):
                    other = below(words, place + 1)
                    swapped = order[side, place]
                    order[side, place] = order[side, other]
                    order[side, other] = swapped
            top[side], held[side], stored[side], left[side] = 0, -1, 0, size[side]
            refusals[side] = max(size[1 - side] - size[side], 0)
        winner = numba_roll(words, discipline[0], discipline[1])
        side = 1 - winner if policies[winner] == WAIT else winner
        turn = 0
        while left[0] + left[1] > 0:
            if left[side] == 0:
                side = 1 - side
            pile, enemy_left = top[side] < size[side], left[1 - side]
            card = order[side, top[side]] if pile else -1
            may_store = pile and held[side] < 0 and stored[side] < reserves
            move = numba_move(
                words,
                policies[side],
                pile,
                held[side] >= 0,
                may_store,
                refusals[side] > 0 and enemy_left > 0,
                left[side],
                enemy_left,
                ranks[side, card] if pile else 0,
            )
            if move == REFUSE:
                refusals[side] -= 1
            if move in (RESERVE, BOTH):
                when[side, held[side]] = turn
                held[side] = -1
                left[side] -= 1
            if move in (TOP, BOTH):
                when[side, card] = turn
                top[side] += 1
                left[side] -= 1
            if move == STORE:
                held[side] = card
                stored[side] += 1
                top[side] += 1
            turn += 1
            side = 1 - side
        for i in range(size[0]):
            acts[0, i, when[0, i]] += 1
            for j in range(size[1]):
                before[i, j] += when[0, i] < when[1, j]
        for j in range(size[1]):
            acts[1, j, when[1, j]] += 1
