"""A policy for battles made better by playing, and what it gained on fresh trials."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.battle_codes import End
from estoc.profiles import InputError, Roster
from estoc.profiles.tuned_policy import TunedPolicy
from estoc.sim.battle_policy import Parameter, player_of, policy_of
from estoc.sim.battle_question import BattleQuestion
from estoc.sim.battle_sampling import battle_ends
from estoc.sim.compare import ENDS, MEASURES, gain_cells
from estoc.sim.contest import FIELD, Contest, Setting
from estoc.sim.paired import HALVES, LEAD, SCORE, Array, Paired, marks_of
from estoc.sim.parallel import default_threads, in_order
from estoc.sim.params import MAX_SEED, SIDES, Options, checked_seed, checked_trials, estoc_version
from estoc.sim.params import quoted
from estoc.sim.progress import announce_compilation, until_stopped
from estoc.sim.result import Result, Row
from estoc.sim.sampling import Progress
from estoc.sim.search import Generation, Values, search
from estoc.sim.stats import wilson

GENERATIONS, CANDIDATES = 20, 10
TRIALS, FRESH = 20, 400  # of each battle: for a candidate, and for the gain
TUNED = "tuned"
POLICIES = ("untuned", "tuned")

_BLOCK = 100  # fresh trials: Ctrl-C keeps whole blocks
_COLUMNS = (
    *("section", "what", "text", "count", "p", "p_low", "p_high"),
    *("value", "value_low", "value_high", "start", "low", "high", "chance", "differing"),
    "saving",
)


@dataclass(frozen=True)
class Trainer:
    """A policy to be tuned, and the battles in which it learns.

    Parameters
    ----------
    policy : str
        ``NAME`` or ``NAME:key=value,…``: where the search begins.
    against : tuple of str
        Policies of the enemy.
    battles : tuple of Setting
        Their policies do not count: the tuned one plays either side against each enemy.
    generations, candidates, trials, fresh : int
        How long to search, with how many candidates at once, and trials of each battle for one
        candidate in one generation and for the gain.
    seed : int
        Of the search and its trials; fresh trials have the next one.
    words : tuple of str
        What the command line says of it.
    """

    policy: str
    against: tuple[str, ...]
    battles: tuple[Setting, ...]
    generations: int = GENERATIONS
    candidates: int = CANDIDATES
    trials: int = TRIALS
    fresh: int = FRESH
    seed: int = 0
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for enemy in self.against:
            policy_of(enemy)
        if not self.against:
            raise InputError("tune: say whom to play against: --against POLICY")
        if self.candidates < 4:
            raise InputError(f"tune: {self.candidates} candidates: at least 4 in a generation")
        if self.generations < 1:
            raise InputError(f"tune: {self.generations} generations: at least 1")
        for trials in (self.trials, self.fresh):
            checked_trials(trials)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What is varied."""
        return policy_of(self.policy)[0].parameters

    @property
    def start(self) -> Values:
        """Where the search begins."""
        told = policy_of(self.policy)[1]
        return {p.name: float(told.get(p.name, p.default)) for p in self.parameters}

    @property
    def fresh_seed(self) -> int:
        """Of the trials that say what was gained."""
        return (self.seed + 1) % (MAX_SEED + 1)

    def named(self, values: Values) -> TunedPolicy:
        """Return the policy with other parameters."""
        return TunedPolicy(TUNED, self.policy.partition(":")[0], tuple(values.items()))


@dataclass(frozen=True)
class Bout:
    """A battle in which the tuned policy plays one side.

    Parameters
    ----------
    contest : Contest
    side : {0, 1}
        Its own, in the contest's first question.
    """

    contest: Contest
    side: int

    @classmethod
    def of(cls, setting: Setting, enemy: str, side: int, own: str, roster: Roster | None) -> "Bout":
        """Return the battle of a setting, with both policies."""
        policies = (own, enemy) if side == 0 else (enemy, own)
        return cls(replace(setting, policies=policies).contest(roster), side)

    def own_side(self, way: int) -> int:
        """Return the policy's side in a question of the contest."""
        return 1 - self.side if way else self.side

    def marks(self, seed: int, first: int, trials: int, threads: int | None) -> Array:
        """Return what the policy makes of each trial, as `estoc.sim.paired.marks_of`."""
        marks = marks_of(self.contest.compiled(seed), first, trials, threads)
        return np.array([2, 0]) - marks if self.side else marks


def bouts(trainer: Trainer, own: str, roster: Roster | None = None) -> list[Bout]:
    """Return all battles of a trainer, the policy on either side of each.

    Two army lists are fought from both sides of the field already.
    """
    return [
        Bout.of(setting, enemy, side, own, roster)
        for setting, enemy, side in product(trainer.battles, trainer.against, range(2))
    ]
