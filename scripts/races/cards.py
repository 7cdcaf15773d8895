"""The activation phase: sampled and exact, beside the same phase written plainly."""

from functools import partial
from itertools import combinations
from math import inf
from typing import NamedTuple

import numpy as np
from races.asked_cards import Kernel, job_of, question, with_compared
from races.form import Bench, Racer, Racers
from races.plain_cards import (
    DISCIPLINE,
    TURNS,
    Counts,
    Job,
    numba_counts,
    python_counts,
    python_odds,
)

from estoc.sim.bench.agreement import CLOSE, FEWEST_SKEWED, demand
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.timing import repeated
from estoc.sim.phases.card_exact import obstacle, solve_phase
from estoc.sim.phases.card_question import CardQuestion
from estoc.sim.phases.tactics import chance_of_test, chance_to_win

SAMPLED = (
    ("wait", "cheap"),  # cheap always speaks first: the roll is made but changes nothing
    ("threat", "cheap"),
    ("threat", "wait"),
    ("wait", "random"),
    ("random", "random"),
)
SIZES, EXACT_SIZES = (8, 8), (5, 4)
LIMIT_Z = 5.5  # more than elsewhere: thousands of cells are compared
BAR = 500e-9  # 2 million phases a second
BAR_EXACT = 10e-3
ROUND_SECONDS = 0.01  # short enough to fit between what else the machine does
PYTHON, NUMBA, OURS = "python, plain", "numba, plain", "estoc, 1 thread"
COMPARED = "estoc, compared"
PLAYED = f"Activation phases of {SIZES[0]} against {SIZES[1]} cards, sampled"
SEVERAL = "A trial that plays several phases with the same dice and compares them"
AGREE = "All agree with each other and the exact odds: largest |z| of a cell"
SOLVED = f"Who acts before whom, {EXACT_SIZES[0]} against {EXACT_SIZES[1]} cards, exactly"
KNOWN, ROLLED, RECURSION = "estoc", "estoc, with roll", "python, plain"


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


def sampled_racers(name: str, asked: CardQuestion) -> tuple[Racers, Racers]:
    """What plays a phase; and the trial that compares several, beside the one phase."""
    job, ours = job_of(asked), Kernel.of(asked)
    plain = f"{name}: {NUMBA}"
    played = {
        f"{name}: {PYTHON}": Racer(lambda n: python_counts(job, n, SEED), beside=plain),
        plain: Racer(lambda n: numba_counts(job, n, SEED)),
        f"{name}: {OURS}": Racer(ours.play, beside=plain, bar=BAR),
    }
    compared = Racer(Kernel.of(asked, compared=True).play, beside=f"{name}: {OURS}")
    return played, {f"{name}: {COMPARED}": compared, f"{name}: {OURS}": Racer(ours.play)}


def time_sampled(bench: Bench) -> None:
    """Time phases that are sampled."""
    worst, phases = {}, {}
    played: dict[str, Racer] = {}
    compared: dict[str, Racer] = {}
    for policies in SAMPLED:
        name, asked = " v ".join(policies), question(policies, SIZES)
        worst[name] = check_sizes(name, policies, bench.pick(2_000_000, 100_000))
        phases[name] = len(with_compared(asked)[0])
        one, other = sampled_racers(name, asked)
        played |= one
        compared |= other
    taken = bench.take(compared | played, ROUND_SECONDS)
    bench.tell(PLAYED, played, taken)
    bench.tell(SEVERAL, compared, taken, longer=True)
    bench.facts("Phases that are compared in a trial", phases)
    bench.facts(AGREE, worst)


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


def exact_racers(name: str, asked: CardQuestion) -> dict[str, Racer]:
    """The engine with and without the roll, and the recursion."""
    plain = f"{name}: {RECURSION}"
    known = repeated(partial(solve_phase, asked, asked.phase))
    rolled = repeated(partial(solve_afresh, asked))
    return {
        f"{name}: {KNOWN}": Racer(known, beside=plain, bar=BAR_EXACT),
        f"{name}: {ROLLED}": Racer(rolled, beside=plain, bar=BAR_EXACT),
        plain: Racer(repeated(partial(python_odds, job_of(asked), asked.chance))),
    }


def time_part(bench: Bench) -> None:
    """Time phases that are sampled, then those that are solved."""
    time_sampled(bench)
    racers: dict[str, Racer] = {}
    for case in EXACT:
        asked = question(case.policies, EXACT_SIZES, case.listed)
        check_exact(case.name, asked, job_of(asked))
        racers |= exact_racers(case.name, asked)
    notes = (
        "they agree to 12 digits; python: a recursion over all moves",
        "with roll: and the odds of the Tactics roll, else known before",
        "listed: random moves, but no pile is shuffled",
    )
    bench.race(SOLVED, racers, *notes, seconds=ROUND_SECONDS)
