"""Training of a policy: what is tuned, the battles it is tried in, what it makes of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...profiles.armies.tuned_policy import TunedPolicy
from ...profiles.errors import InputError, suggestion
from ...profiles.fighters.roster import Roster
from ..base.options import MAX_SEED, checked_trials
from ..base.parallel import in_order
from ..base.run import USUAL_RUN, Run, until_stopped
from ..battle.odds import set_manners
from ..battle.policy import Parameter, player_of, policy_of
from .paired import SCORE, Array, Paired, marks_in
from .search import SPREAD, Values, Worth
from .setting import Contest, Setting

GENERATIONS, CANDIDATES = 20, 10
TRIALS, FRESH = 20, 400  # of each battle: for a candidate, and for the gain
MOST_SPREAD = 0.5
TUNED = "tuned"
_BLOCK = 200  # fresh trials: Ctrl-C keeps whole blocks


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
    spread : float
        Of the first candidates (`estoc.sim.contest.search.search`).
    kept : tuple of str
        Parameters that are not varied.
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
    spread: float = SPREAD
    kept: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = [parameter.name for parameter in policy_of(self.policy)[0].parameters]
        for name in self.kept:
            if name not in known:
                raise InputError(
                    'tune: no parameter "{}" to keep; {}', name, suggestion(name, known)
                )
        for enemy in self.against:
            policy_of(enemy)
        if not self.against:
            raise InputError("tune: say whom to play against: --against POLICY")
        if not self.battles:
            raise InputError("tune: say where to play: --list LIST or --scenario SCENARIO")
        if self.candidates < 4:
            raise InputError("tune: {} candidates: at least 4 in a generation", self.candidates)
        if self.generations < 1:
            raise InputError("tune: {} generations: at least 1", self.generations)
        if not 0 < self.spread <= MOST_SPREAD:
            raise InputError(
                "tune: spread {:g} should be above 0 and at most {}, in shares of each "
                "parameter's range",
                self.spread,
                MOST_SPREAD,
            )
        for trials in (self.trials, self.fresh):
            checked_trials(trials)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What is varied."""
        every = policy_of(self.policy)[0].parameters
        return tuple(parameter for parameter in every if parameter.name not in self.kept)

    @property
    def start(self) -> Values:
        """Where the search begins."""
        told = policy_of(self.policy)[1]
        return {p.name: float(told.get(p.name, p.default)) for p in self.parameters}

    @property
    def fresh_seed(self) -> int:
        """Of the trials that say what was gained."""
        return (self.seed + 1) % (MAX_SEED + 1)

    @property
    def battles_each(self) -> int:
        """Battles that one choice of parameters fights in one trial."""
        kinds = [setting.armies for setting in self.battles]
        ways = [2 if armies is None or armies[0] == armies[1] else 4 for armies in kinds]
        return len(self.against) * sum(ways)

    @property
    def total(self) -> int:
        """Battles that are fought in all."""
        trials = self.generations * self.candidates * self.trials + 2 * self.fresh
        return trials * self.battles_each

    def named(self, values: Values) -> TunedPolicy:
        """Return the policy with other parameters, all of them told."""
        policy, told = policy_of(self.policy)
        every = {p.name: p.default for p in policy.parameters} | told | values
        name = policy.style.name.lower().replace("_", "-")  # that of a file's policy
        return TunedPolicy(TUNED, name, tuple(every.items()))


@dataclass(frozen=True)
class Bout:
    """A battle in which the tuned policy plays one side."""

    contest: Contest
    side: int  # 0 or 1: its own, in the contest's first question

    def versions(self, names: Sequence[str], seed: int) -> Iterator[tuple[NDArray[np.void], bool]]:
        """Yield its record with each policy, and whether that is side B, way after way."""
        for way, question in enumerate(self.contest.questions):
            side = 1 - self.side if way else self.side
            base = question.compiled(seed)
            for name in names:
                record, policies = base.copy(), list(question.policies)
                policies[side] = name
                players = [player_of(policy) for policy in policies]
                set_manners(record[0], question.scenario, question.edition, players)
                yield record, side == 1


def bouts(trainer: Trainer, roster: Roster | None = None) -> list[Bout]:
    """Return all battles of a trainer, the policy on either side of each.

    A list against itself is fought from both sides of the field already.
    """
    return [
        Bout(_with_policies(setting, trainer.policy, enemy, side).contest(roster), side)
        for setting, enemy, side in product(trainer.battles, trainer.against, range(2))
        if side == 0 or setting.armies is None or setting.armies[0] != setting.armies[1]
    ]


def _with_policies(setting: Setting, own: str, enemy: str, side: int) -> Setting:
    return replace(setting, policies=(own, enemy) if side == 0 else (enemy, own))


def played(
    fought: Sequence[Bout],
    names: Sequence[str],
    seed: int,
    first: int,
    trials: int,
    run: Run = USUAL_RUN,
) -> Array:
    """Return marks of a policy in all bouts, with each of some choices of its parameters.

    Of shape (names, trials, battles, 2), as of `marks_of`, seen from the policy's side.
    """

    def tasks() -> Iterator[Callable[[], Array]]:
        for bout in fought:
            for record, turned in bout.versions(names, seed):
                yield partial(marks_in, record, first, trials, swapped=turned)

    found = []
    for marks in in_order(tasks(), run.threads):
        found.append(marks)
        run.advance(trials)
    return np.stack([np.stack(found[n :: len(names)], axis=1) for n in range(len(names))])


def worth_in(trainer: Trainer, fought: Sequence[Bout], run: Run = USUAL_RUN) -> Worth:
    """Return how candidates are tried: all in the same trials, each generation in new ones."""

    def worth(candidates: Sequence[Values], generation: int) -> list[float]:
        names = [trainer.named(values).text for values in candidates]
        first = (generation - 1) * trainer.trials
        marks = played(fought, names, trainer.seed, first, trainer.trials, run)
        halves = marks[..., SCORE].sum(axis=(1, 2))
        return [int(half) / (2 * marks[0, ..., SCORE].size) for half in halves]

    return worth


def gained(
    trainer: Trainer, fought: Sequence[Bout], tuned: TunedPolicy, run: Run = USUAL_RUN
) -> Paired | None:
    """Return what the tuned policy makes of fresh trials, beside the untuned one; None of none."""
    total, names = None, (trainer.policy, tuned.text)
    with until_stopped(run.partial):
        for first in range(0, trainer.fresh, _BLOCK):
            trials = min(_BLOCK, trainer.fresh - first)
            untuned, better = played(fought, names, trainer.fresh_seed, first, trials, run)
            counts = Paired.of(untuned, better)
            total = counts if total is None else total + counts
    return total
