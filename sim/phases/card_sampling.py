"""Activation phases played and counted, the same for any number of threads."""

from dataclasses import dataclass, replace
from functools import partial as bound
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.cards import MAX_SPOKEN, Fault
from ...profiles.errors import InputError
from ..base.parallel import count_each, piece
from ..base.run import USUAL_RUN, Method, Run
from .card_odds import Difference, PhaseOdds
from .card_question import CardQuestion, Compared, Phases
from .card_state import told_fault

CHUNK = 32_768  # phases played in one go: Ctrl-C waits for a chunk
SECONDS = 1e-6  # that a phase takes, about


def check_sampled(question: CardQuestion) -> None:
    """Refuse to play trials of moves that only exact odds can find."""
    if question.optimal:
        raise InputError(
            "policy optimal: only exact odds can find the best moves; take --method exact without "
            "--trials and --seed, or another policy"
        )


def counted_odds(question: CardQuestion, how: Method, run: Run = USUAL_RUN) -> PhaseOdds:
    """Return sampled odds: the same trials of the phase, and of each phase compared with it."""
    check_sampled(question)
    phases = question.compared.phases.copy()
    phases["seed"] = how.seed
    against = np.arange(len(phases))
    for with_it, without in question.compared.places:
        against[without] = with_it

    none = PhaseCounts.none(len(phases), *(len(army.cards) for army in question.armies))
    kind = bound(_count, phases, against), piece(CHUNK, SECONDS * len(phases))
    (total,) = count_each([kind], [none], how.stopping, run)
    told_fault(question, total.fault)
    reach = float(np.abs(question.phase["swing"]).sum())
    return replace(_odds_of(total, question.compared, reach), stopping=how.stopping)


@dataclass
class PhaseCounts:
    """Arrays that `estoc.kernels.phases.card_trials.count_phases` adds to."""

    before: NDArray[np.int64]
    flips: NDArray[np.int64]
    tally: NDArray[np.int64]
    acts: NDArray[np.int64]
    first: NDArray[np.int64]
    fault: NDArray[np.int64]
    trials: int = 0

    @classmethod
    def none(cls, phases: int, own: int, enemy: int) -> "PhaseCounts":
        """Return the counts of no trial."""
        pairs = np.zeros((2, phases, own, enemy), np.int64)
        acts = np.zeros((2, max(own, enemy), MAX_SPOKEN), np.int64)
        tally = np.zeros((phases, 3), np.int64)
        return cls(
            pairs[0], pairs[1], tally, acts, np.zeros(phases, np.int64), np.zeros(2, np.int64)
        )

    def __add__(self, other: "PhaseCounts") -> "PhaseCounts":
        return PhaseCounts(
            self.before + other.before,
            self.flips + other.flips,
            self.tally + other.tally,
            self.acts + other.acts,
            self.first + other.first,
            np.where(self.fault[0] == Fault.NONE, other.fault, self.fault),
            self.trials + other.trials,
        )

    @property
    def shares(self) -> NDArray[np.int64]:
        """Trials of everything whose proportion has an interval."""
        parts = (self.first[:1], self.before[0].ravel(), self.acts.ravel())
        return np.concatenate(parts)

    def moments(self, k: int, reach: float) -> tuple[float, float]:
        """Return the mean of a phase's tally, and its standard error.

        Two trials at the ends of its reach are added to the squares, as `base.stats.paired`
        does, so that few equal trials do not look certain.
        """
        total, high, low = (int(part) for part in self.tally[k])
        mean, trials = total / self.trials, self.trials + 2
        variance = ((high << 32) + low + reach**2) / trials - (total / trials) ** 2
        return mean, sqrt(max(variance, 0.0) / trials)


def _count(phases: Phases, against: NDArray[np.int64], start: int, trials: int) -> PhaseCounts:
    from ...kernels.phases import card_trials

    own, enemy = (int(n) for n in phases["cards"][0])
    found = PhaseCounts.none(len(phases), own, enemy)
    played = phases.copy()
    counts = (found.before, found.flips, found.tally, found.acts, found.first)
    card_trials.count_phases(played, against, start, trials, *counts)
    found.fault[:] = played["fault"][0]
    found.trials = trials
    return found


def _odds_of(counts: PhaseCounts, compared: Compared, reach: float) -> PhaseOdds:
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
