"""What bench.py times: fighters, their policies, sampled combats; and how results are compared."""

from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from itertools import pairwise

import numpy as np
from bench_baselines import Job
from bench_timing import all_cores
from numpy.typing import NDArray

from estoc.kernels.layout import (
    OPTIMAL,
    STATS,
    Decision,
    Reroll,
    Rule,
    Rules,
    Setup,
    Sustain,
    Tie,
)
from estoc.kernels.trials import count, new_fight, play
from estoc.profiles import Profile, Roster, load_edition, read_fighters
from estoc.profiles.compile import compile_rules, fighter_row, placing_order

EDITION = load_edition("conffede")
RULES = compile_rules(EDITION)
FIGHTERS = ("garde prétorien", "guerrier de l'aube")
LIMIT_Z = 4.5
FEWEST = 10  # expected cases of a cell; rarer cells are compared together
FEWEST_SKEWED = 30  # the same where one side is a law and the cells are many
SEED = 1

Dice = tuple[int, int]
Counts = NDArray[np.int64]


def shipped(*names: str) -> Roster:
    """The fighters of some files; not Roster.load, which knows the user's own as well."""
    folder = files("estoc.profiles")
    return Roster(
        tuple(p for name in names for p in read_fighters(folder / f"fighters-{name}.csv"))
    )


def fixed_policy() -> NDArray[np.int64]:
    """The policy that the baselines play, for both sides."""
    policy = np.zeros((2, len(Decision)), np.int64)
    policy[:, Decision.PARRY] = 1
    policy[:, Decision.SUSTAIN] = Sustain.USEFUL
    policy[:, [Decision.REROLL_ATTACK, Decision.REROLL_INITIATIVE]] = Reroll.ALWAYS
    policy[:, Decision.REROLL_DEFENCE] = Reroll.NEEDED
    return policy


def open_policy(*sides: int) -> NDArray[np.int64]:
    """Every decision of these sides the best one, the others fixed."""
    policy = fixed_policy()
    for side in sides:
        policy[side, : Decision.MARGIN] = OPTIMAL
    return policy


def setup_of(profiles: list[Profile], dice: tuple[Dice, ...], policy: NDArray[np.int64]) -> Setup:
    """The first against the others, their dice placed."""
    rows = [fighter_row(p, EDITION, placed=d) for p, d in zip(profiles, dice, strict=True)]
    return Setup(np.array(rows), placing_order(profiles, 0), policy, 0, 0)


def duellists() -> list[Profile]:
    roster = shipped("conffede")
    return [roster.find(name) for name in FIGHTERS]


def arrays(dice: tuple[Dice, Dice]) -> tuple[Job, Setup, Rules]:
    """One job for the baselines, and the same for estoc's kernel."""
    setup = setup_of(duellists(), dice, fixed_policy())
    scalars = RULES.scalars
    # What the baselines take for granted.
    assert scalars[Rule.AUTOMATIC_FAILURE] == scalars[Rule.NATURAL_ONE_FAILS] == 0
    assert scalars[Rule.REROLL_ONE] == 0
    assert scalars[Rule.OPPOSED_TIE] == Tie.REROLL
    job = Job(
        fighters=setup.fighters[:, :STATS].copy(),
        dice=np.array(dice),
        wound=RULES.wound,
        after=RULES.after,
        penalty=RULES.penalty[0],
        offset=int(scalars[Rule.WOUND_OFFSET]),
        sustained_penalty=int(scalars[Rule.SUSTAINED_PENALTY]),
    )
    return job, setup, RULES


# ---------------------------------------------------------------------------- sampling


def estoc_counts(setup: Setup, rules: Rules, trials: int, threads: int) -> Counts:
    """Final states of each fighter, shape (n, s), from estoc's kernel: what is timed."""
    fighters, states = len(setup.fighters), len(rules.level)

    def part(first: int, last: int) -> Counts:
        law = np.zeros((fighters, states), np.int64)
        sides = np.zeros((states, fighters), np.int64)
        tally = np.zeros(2, np.int64)
        count(new_fight(setup, rules, SEED, 0), first, last - first, 1, law, sides, tally)
        return law

    ends = [trials * k // threads for k in range(threads + 1)]
    if threads == 1:
        return part(*ends)
    with all_cores(), ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(part, *zip(*pairwise(ends), strict=True)))


def estoc_finals(setup: Setup, rules: Rules, trials: int) -> Counts:
    """Final states of all, shape (s,) * n, of the same trials as ``estoc_counts``."""
    shape = (len(rules.level),) * len(setup.fighters)
    final = play(new_fight(setup, rules, SEED, 0), 0, trials, 1)
    cells = np.ravel_multi_index(tuple(final[:, : len(shape)].T), shape)
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)


# ---------------------------------------------------------------------------- agreement


def disagreement(one: Counts, other: Counts) -> tuple[float, float]:
    """Largest |z| of a cell and chi-square by degree of freedom between two sets of counts."""
    both = np.stack([one.ravel(), other.ravel()]).astype(float)
    totals = both.sum(axis=1, keepdims=True)
    share = both.sum(axis=0) / totals.sum()
    rare = share * totals.min() < FEWEST
    both = np.column_stack([both[:, ~rare], both[:, rare].sum(axis=1)])
    share = both.sum(axis=0) / totals.sum()
    both, share = both[:, share > 0], share[share > 0]
    gap = both[0] / totals[0] - both[1] / totals[1]
    spread = share * (1 / totals).sum()
    z = gap / np.sqrt(spread * (1 - share))
    return float(np.abs(z).max()), float((gap**2 / spread).sum() / (len(share) - 1))


def departure(counts: Counts, law: NDArray[np.float64]) -> float:
    """Largest |z| of a cell of counts from their law; infinite where the law says never."""
    counts, law = counts.ravel(), law.ravel()
    if counts[law == 0].any():
        return float("inf")
    trials = counts.sum()
    rare = trials * law < FEWEST_SKEWED
    if trials * law[rare].sum() < FEWEST_SKEWED:
        rare[np.argmin(np.where(rare, np.inf, law))] = True
    counts = np.append(counts[~rare], counts[rare].sum())
    law = np.append(law[~rare], law[rare].sum())
    if len(law) == 1:
        return 0.0
    return float(np.abs((counts - trials * law) / np.sqrt(trials * law * (1 - law))).max())
