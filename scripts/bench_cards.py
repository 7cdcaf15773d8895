"""The activation phase of bench.py: sampled and exact, beside the same phase written plainly.

The baselines share no code with the package but the plain kernel's generator and stay as they
are, as `estoc.sim.bench.baselines` does. Each plays A-1 to A-4 and the Tactics roll of T-2.3
and T-2.4 for four policies, whose rules are written out by hand; of an opposed test a 6 is
re-rolled while the test is not won, the side that is behind first, and equal results are
rolled again.
"""

import random
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from itertools import combinations, permutations, product
from math import inf
from typing import Any, NamedTuple

import numpy as np
from bench_exact import bar_cell
from numba import njit
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from estoc.kernels.phases.card_trials import count_phases
from estoc.kernels.samplers.baseline import below, seed_state
from estoc.profiles import Roster
from estoc.profiles.armies.army import Army, Card
from estoc.sim.bench.agreement import CLOSE, FEWEST_SKEWED, demand
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.table import in_words
from estoc.sim.bench.timing import Timing, race, repeated, times_faster
from estoc.sim.phases.card_exact import obstacle, solve_phase
from estoc.sim.phases.card_question import CardQuestion, ask
from estoc.sim.phases.tactics import chance_of_test, chance_to_win

POLICIES = ("cheap", "wait", "threat", "random")
CHEAP, WAIT, THREAT, RANDOM = range(4)
TOP, STORE, RESERVE, BOTH, REFUSE = range(5)
TURNS = 64  # more speaking turns than a phase of these sizes can have
SAMPLED = (
    ("wait", "cheap"),  # cheap always speaks first: the roll is made but changes nothing
    ("threat", "cheap"),
    ("threat", "wait"),
    ("wait", "random"),
    ("random", "random"),
)
SIZES, EXACT_SIZES = (8, 8), (5, 4)
DISCIPLINE = (4, 3)
LIMIT_Z = 5.5  # more than elsewhere: thousands of cells are compared
BAR_NS = 500  # 2 million phases a second
BAR_EXACT = 10e-3
ROUND_SECONDS = 0.01  # short enough to fit between what else the machine does
PYTHON, NUMBA, OURS = "python, plain", "numba, plain", "estoc, 1 thread"
COMPARED = "estoc, compared"
KNOWN, ROLLED, RECURSION = "estoc", "estoc, with roll", "python, plain"


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


# ---------------------------------------------------------------------------- the work


def army(name: str, size: int, discipline: int, seed: int) -> Army:
    """Cards whose cost and whose threat come in different orders."""
    draw = random.Random(seed).sample
    costs, threats = draw(range(8, 80), size), draw(range(5, 30), size)
    return Army(
        name,
        tuple(
            Card(f"{name} {i}", PA=cost, threat=threat, DIS=discipline)
            for i, (cost, threat) in enumerate(zip(costs, threats, strict=True))
        ),
    )


def question(
    policies: tuple[str, str], sizes: tuple[int, int], listed: bool = False
) -> CardQuestion:
    """The phase as estoc asks it; ``listed``: no pile is shuffled."""
    armies = [
        army(name, size, dis, seed)
        for name, size, dis, seed in zip("AB", sizes, DISCIPLINE, (1, 2), strict=True)
    ]
    texts = [f"{side}={policy}" for side, policy in zip("AB", policies, strict=True)]
    asked = ask(*armies, policies=texts, roster=Roster(()))
    if not listed:
        return asked
    a, b = (
        replace(x, policy=replace(x.policy, order="listed")) if x.policy.order == "random" else x
        for x in asked.armies
    )
    return replace(asked, a=a, b=b)


def job_of(asked: CardQuestion) -> Job:
    """The same for the baselines."""
    assert not asked.options.edition["cards.refusal_alone"]
    assert asked.options.edition["tactics.tie"] == "reroll"
    policies = tuple(POLICIES.index(x.policy.name) for x in asked.armies)
    return Job(
        policies,
        tuple(pile(x.cards, code) for x, code in zip(asked.armies, policies, strict=True)),
        tuple(ranks(x.cards) for x in asked.armies),
        tuple(x.policy.order == "random" for x in asked.armies),
    )


def pile(cards: tuple[Card, ...], policy: int) -> list[int]:
    """Places of the cards, as a policy arranges them."""
    places = list(range(len(cards)))
    cheap_first = sorted(places, key=lambda i: cards[i].PA)
    if policy == WAIT:  # its dearest card goes to the reserve
        return cheap_first[-1:] + cheap_first[:-1]
    if policy == CHEAP:
        return cheap_first
    return sorted(places, key=lambda i: -cards[i].threat) if policy == THREAT else places


def ranks(cards: tuple[Card, ...]) -> list[int]:
    return [1 + sum(other.threat > card.threat for other in cards) for card in cards]


def with_compared(asked: CardQuestion) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """The phase and all others that its changes compare; which of them with which."""
    phases, against = [asked.phase], [0]
    for change in asked.changes():
        places = []
        for phase in (change.with_it, change.without):
            if not any(phase is known for known in phases):
                phases.append(phase)
                against.append(len(against))
            places.append(next(k for k, known in enumerate(phases) if known is phase))
        against[places[1]] = places[0]
    return np.concatenate(phases), np.array(against)


class Kernel(NamedTuple):
    """One question as `count_phases` wants it, and what it counts."""

    phases: NDArray[np.void]
    against: NDArray[np.int64]
    arrays: tuple[NDArray[np.int64], ...]

    @classmethod
    def of(cls, asked: CardQuestion, compared: bool = False) -> "Kernel":
        phases, against = with_compared(asked)
        k = len(phases) if compared else 1
        phases["seed"] = SEED
        own, enemy = (len(x.cards) for x in asked.armies)
        shapes = (k, own, enemy), (k, own, enemy), (k, 3), (2, max(own, enemy), TURNS), (k,)
        arrays = tuple(np.zeros(shape, np.int64) for shape in shapes)
        return cls(phases[:k].copy(), against[:k], arrays)

    def play(self, trials: int) -> None:
        count_phases(self.phases, self.against, 0, trials, *self.arrays)

    def counts(self, trials: int) -> Counts:
        self.play(trials)
        return Counts(trials, self.arrays[0][0], self.arrays[3])


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


# ---------------------------------------------------------------------------- agreement


def apart(one: Counts, other: Counts) -> float:
    """Largest |z| of a cell between counts and counts, or chances; infinite where never is met.

    A rare cell is taken to spread as one with ``FEWEST_SKEWED`` cases does.
    """
    cells = one.cells(), other.cells()
    trials = min(one.trials, other.trials)
    if inf in (one.trials, other.trials):
        share = np.round(cells[0 if one.trials == inf else 1], 12)
    else:
        share = (cells[0] * one.trials + cells[1] * other.trials) / (one.trials + other.trials)
    gap = np.abs(cells[0] - cells[1])
    if (((share == 0) | (share == 1)) & (gap > CLOSE)).any():
        return inf
    spread = np.maximum(share * (1 - share), FEWEST_SKEWED / trials)
    return float((gap / np.sqrt(spread * (1 / one.trials + 1 / other.trials))).max())


def sampled_counts(asked: CardQuestion, job: Job, size: int) -> dict[str, Counts]:
    """What all three count; the plain Python one, which is slow, in fewer trials."""
    return {
        "python": python_counts(job, size // 40, SEED),
        "numba": numba_counts(job, size, SEED),
        "estoc": Kernel.of(asked).counts(size),
    }


def exact_counts(asked: CardQuestion) -> Counts:
    """The chances by the exact engine."""
    solved = solve_phase(asked, asked.phase)
    return Counts(inf, solved.before, solved.acts[:, :, :TURNS])


def check_sampled(name: str, asked: CardQuestion, job: Job, trials: int) -> float:
    """Compare what is timed, with the exact odds where there are any; largest |z|."""
    counts = sampled_counts(asked, job, trials)
    if not obstacle(asked):
        counts["exact"] = exact_counts(asked)
    worst = 0.0
    for one, other in combinations(counts, 2):
        z = apart(counts[one], counts[other])
        demand(z < LIMIT_Z, f"{name}: {one} and {other} disagree: |z| = {z:.1f} in a cell")
        worst = max(worst, z)
    return worst


def check_sizes(name: str, policies: tuple[str, str], trials: int) -> float:
    """Largest |z| of the phase that is timed, and of a smaller one where there are refusals."""
    asked = [question(policies, sizes) for sizes in (SIZES, EXACT_SIZES)]
    return max(check_sampled(name, q, job_of(q), trials) for q in asked)


def check_exact(name: str, asked: CardQuestion, job: Job) -> None:
    """The exact engine and the plain recursion find the same chances."""
    cells = exact_counts(asked).cells(), python_odds(job, asked.chance).cells()
    gap = np.abs(cells[0] - cells[1]).max()
    demand(gap < CLOSE, f"{name}: exact and the plain recursion differ by {gap:.1e}")


# ---------------------------------------------------------------------------- sampled phases


def sampled_runs(asked: CardQuestion, job: Job) -> dict[str, Callable[[int], object]]:
    return {
        PYTHON: lambda n: python_counts(job, n, SEED),
        NUMBA: lambda n: numba_counts(job, n, SEED),
        OURS: Kernel.of(asked).play,
        COMPARED: Kernel.of(asked, compared=True).play,
    }


def sampled_figures(taken: dict[str, list[float]], phases: int) -> dict[str, Any]:
    """Nanoseconds and ratios of a pair of policies, for the table and the file."""
    base, ours = taken[NUMBA], Timing.of(taken[OURS])
    return {
        "rows": {
            name: {
                "ns_per_phase": asdict(Timing.of(taken[name])),
                "times_faster": asdict(times_faster(base, taken[name])),
            }
            for name in (PYTHON, NUMBA, OURS)
        },
        "bar_ns": BAR_NS,
        "met": ours.least <= BAR_NS,
        "met_by_median": ours.median <= BAR_NS,
        "compared": {
            "phases": phases,
            "ns_per_trial": asdict(Timing.of(taken[COMPARED])),
            "times_one_phase": asdict(times_faster(taken[COMPARED], taken[OURS])),
        },
    }


def time_sampled(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print the tables of the sampled phases; what goes into the file."""
    worst, phases, runs = {}, {}, {}
    for policies in SAMPLED:
        name = " v ".join(policies)
        worst[name] = check_sizes(name, policies, 100_000 if quick else 2_000_000)
        asked = question(policies, SIZES)
        phases[name] = len(with_compared(asked)[0])
        found = sampled_runs(asked, job_of(asked))
        runs |= {(name, who): run for who, run in found.items()}
    taken = race(runs, rounds, ROUND_SECONDS)
    report = {}
    for name, z in worst.items():
        own = {who: values for (pair, who), values in taken.items() if pair == name}
        report[name] = {"largest_z": z} | sampled_figures(own, phases[name])
    console.print(sampled_table(report))
    console.print(bar_line(report), markup=False)
    console.print(compared_table(report))
    return report


def timed_cells(ns: dict[str, float], ratio: dict[str, float]) -> list[str]:
    times = [f"{ns[key]:,.0f}" for key in ("least", "median")]
    return times + [f"{ratio[key]:.3g}" for key in ("least", "median")]


def sampled_table(report: dict[str, dict[str, Any]]) -> Table:
    worst = max(row["largest_z"] for row in report.values())
    table = Table(
        "policies",
        title=f"Activation phases of {SIZES[0]} against {SIZES[1]} cards, sampled",
        caption=f"ns per phase; times faster than {NUMBA} (with xoshiro256++)\n"
        f"agree with each other and the exact odds: largest |z| of a cell {worst:.1f}",
        width=80,
    )
    for heading in ("min", "median", "faster, min", "by round"):
        table.add_column(heading, justify="right")
    for pair, row in report.items():
        table.add_row(pair)
        for who, timed in row["rows"].items():
            cells = timed_cells(timed["ns_per_phase"], timed["times_faster"])
            table.add_row(f"  {who}", *cells)
        table.add_section()
    return table


def compared_table(report: dict[str, dict[str, Any]]) -> Table:
    table = Table(
        "policies",
        title="A trial that plays several phases with the same dice and compares them",
        caption="ns per trial; times the one phase of the table above",
        width=80,
    )
    for heading in ("phases", "min", "median", "times one, min", "by round"):
        table.add_column(heading, justify="right")
    for pair, row in report.items():
        compared = row["compared"]
        cells = timed_cells(compared["ns_per_trial"], compared["times_one_phase"])
        table.add_row(pair, str(compared["phases"]), *cells)
    return table


def bar_line(report: dict[str, dict[str, Any]]) -> str:
    """Which pairs of policies meet the bar."""
    groups: dict[str, list[str]] = {"met by": [], "by the min only by": [], "not met by": []}
    for pair, row in report.items():
        met = "met by" if row["met_by_median"] else "by the min only by"
        groups[met if row["met"] else "not met by"].append(pair)
    told = "; ".join(f"{word} {', '.join(pairs)}" for word, pairs in groups.items() if pairs)
    return f"Bar: 2 million phases a second on a core, {BAR_NS} ns a phase: {told}."


# ---------------------------------------------------------------------------- exact phases


class Exact(NamedTuple):
    """An exact question: its policies, and whether no pile is shuffled though it may be."""

    policies: tuple[str, str]
    listed: bool = False

    @property
    def name(self) -> str:
        return " v ".join(self.policies) + (", listed" if self.listed else "")


EXACT = (
    Exact(("wait", "cheap")),
    Exact(("threat", "cheap")),
    Exact(("wait", "random"), listed=True),
    Exact(("random", "random"), listed=True),
    Exact(("wait", "random")),
)


def solve_afresh(asked: CardQuestion) -> None:
    """Solve a phase, the odds of its Tactics roll with it."""
    chance_of_test.cache_clear()
    chance_to_win(*DISCIPLINE, asked.options)
    solve_phase(asked, asked.phase)


def exact_runs(asked: CardQuestion, job: Job) -> dict[str, Callable[[int], object]]:
    return {
        KNOWN: repeated(partial(solve_phase, asked, asked.phase)),
        ROLLED: repeated(partial(solve_afresh, asked)),
        RECURSION: repeated(partial(python_odds, job, asked.chance)),
    }


def exact_figures(taken: dict[str, list[float]]) -> dict[str, Any]:
    """Seconds, bars and ratios of a question, by who answers."""
    rows = {}
    for who, values in taken.items():
        timing = Timing.of([value * 1e-9 for value in values])
        bar = None if who == RECURSION else BAR_EXACT
        rows[who] = {
            "seconds": asdict(timing),
            "bar": bar,
            "met": None if bar is None else timing.least <= bar,
            "met_by_median": None if bar is None else timing.median <= bar,
            "times_faster": asdict(times_faster(taken[RECURSION], values)),
        }
    return rows


def time_exact(console: Console, rounds: int) -> dict[str, Any]:
    """Print the table of the exact phases; what goes into the file."""
    runs = {}
    for case in EXACT:
        asked = question(case.policies, EXACT_SIZES, case.listed)
        check_exact(case.name, asked, job_of(asked))
        runs |= {(case.name, who): run for who, run in exact_runs(asked, job_of(asked)).items()}
    taken = race(runs, rounds, ROUND_SECONDS)
    report: dict[str, Any] = {}
    for case in EXACT:
        own = {who: values for (name, who), values in taken.items() if name == case.name}
        report[case.name] = exact_figures(own)
    console.print(exact_table(report))
    return report


def exact_table(report: dict[str, dict[str, Any]]) -> Table:
    table = Table(
        "policies",
        title=f"Who acts before whom, {EXACT_SIZES[0]} against {EXACT_SIZES[1]} cards, exactly",
        caption="agree to 12 digits; times faster, min, than python's recursion over all moves\n"
        "with roll: and the odds of the Tactics roll, else known before\n"
        "listed: random moves, but no pile is shuffled",
        width=80,
    )
    for heading in ("min", "median", "bar", "faster", "by round"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, rows in report.items():
        table.add_row(name)
        for who, row in rows.items():
            times = [in_words(row["seconds"][key]) for key in ("least", "median")]
            ratios = [f"{row['times_faster'][key]:.3g}" for key in ("least", "median")]
            table.add_row(f"  {who}", *times, bar_cell(row), *ratios)
        table.add_section()
    return table


def time_cards(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print the tables of the activation phase; what goes into the file."""
    return {
        "sampled": time_sampled(console, rounds, quick),
        "exact": time_exact(console, rounds),
    }
