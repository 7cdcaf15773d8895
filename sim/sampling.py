"""Counts of what happened in many trials of a combat, the same for any number of threads."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial as bound
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from estoc.kernels.layout import Rules, Setup
from estoc.profiles import InputError
from estoc.sim.parallel import Task, default_threads, in_order, piece
from estoc.sim.progress import until_stopped
from estoc.sim.question import Question
from estoc.sim.sequence import STOPPED, Stopping

CHUNK = 65_536  # trials played in one go, fewer of many turns: Ctrl-C waits for a chunk
SECONDS = 1e-7  # that a turn of a trial takes, about

Progress = Callable[[int], None]


@dataclass
class Counts:
    """What happened in some trials of one combat.

    Parameters
    ----------
    law : ndarray of int64, shape (n, s)
        Final states by fighter, the lone one first.
    sides : ndarray of int64, shape (s, n)
        Final state of the lone fighter by number of dead enemies.
    first : int
        Trials in which the lone fighter's side struck first in the first turn.
    turns : int
        Turns fought, all trials together.
    trials : int
    stopping : Stopping
        When the run ends.
    """

    law: NDArray[np.int64]
    sides: NDArray[np.int64]
    first: int = 0
    turns: int = 0
    trials: int = 0
    stopping: Stopping = field(default_factory=lambda: Stopping(0))

    @classmethod
    def none(cls, n: int, states: int) -> "Counts":
        """Return the counts of no trial."""
        return cls(np.zeros((n, states), np.int64), np.zeros((states, n), np.int64))

    def __add__(self, other: "Counts") -> "Counts":
        """Return the counts of these and of other trials of the same combat."""
        return Counts(
            self.law + other.law,
            self.sides + other.sides,
            self.first + other.first,
            self.turns + other.turns,
            self.trials + other.trials,
            self.stopping,
        )

    @property
    def lone_wins(self) -> int:
        """Trials in which all enemies of the lone fighter died, and he did not."""
        return int(self.sides[:-1, -1].sum())

    @property
    def others_win(self) -> int:
        """Trials in which the lone fighter died, and not all of his enemies."""
        return int(self.sides[-1, :-1].sum())

    @property
    def undecided(self) -> int:
        """Trials in which both sides have a survivor, or neither."""
        return int(self.sides[:-1, :-1].sum() + self.sides[-1, -1])

    @property
    def shares(self) -> list[int]:
        """Trials of what a precision is about: who wins, who dies."""
        return [self.lone_wins, self.others_win, self.undecided, *self.law[:, -1].tolist()]

    @property
    def reached(self) -> bool:
        """Whether the run ends here for its precision."""
        return self.stopping.reached(self.shares, self.trials)


def check_sampled(question: Question) -> None:
    """Refuse to play trials of decisions that only exact odds can find."""
    for policy in question.options.policies:
        if policy.open_decisions:
            raise InputError(
                f'policy "{policy}": only exact odds can find the best decisions; take '
                "--method exact without --trials, --seed and --precision, or another policy"
            )


def count_chunk(
    setup: Setup, rules: Rules, seed: int, cell: int, first: int, trials: int, turns: int
) -> Counts:
    """Play trials ``first`` to ``first + trials - 1`` and count how they end."""
    from estoc.kernels.trials import count, new_fight

    counts = Counts.none(len(setup.fighters), len(rules.level))
    tally = np.zeros(2, np.int64)
    fights = new_fight(setup, rules, seed, cell)
    count(fights, first, trials, turns, counts.law, counts.sides, tally)
    counts.first, counts.turns, counts.trials = int(tally[0]), int(tally[1]), trials
    return counts


def count_trials(
    questions: Sequence[Question],
    trials: int,
    seed: int,
    *,
    precision: float | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> list[Counts]:
    """Count the same trials of each question.

    Parameters
    ----------
    questions : sequence of Question
    trials : int
        Of each question.
    seed : int
    precision : float, optional
        Half the width of the intervals at which a question ends before, each for itself; the
        counts do not depend on threads and chunks then either.
    threads : int, optional
        All cores that the process may use if not given; the counts do not depend on it.
    chunk : int, optional
        Trials played in one go; the counts do not depend on it either.
    progress : callable, optional
        Told how many trials were just done.
    partial : bool
        Whether Ctrl-C ends the counting, not the caller: the last question begun may then
        have fewer trials, and later ones none.

    Returns
    -------
    list of Counts
        One a question.
    """
    for question in questions:
        check_sampled(question)
    stopping = Stopping(trials, precision)
    ended: set[int] = set()

    def tasks() -> Iterator[Task[tuple[int, Counts]]]:
        for index, question in enumerate(questions):
            setup, rules = question.setup, question.rules
            cell, turns = question.cell, question.options.turns
            usual = min(CHUNK, max(CHUNK // 64, 16 * CHUNK // turns))
            step = chunk or piece(usual, SECONDS * turns)
            for first, size in stopping.spans(step):
                if index in ended:
                    break
                counting = (setup, rules, seed, cell, first, size, turns)
                yield Task(f"{index}/{first}+{size}", bound(_indexed, index, *counting))

    found = [Counts.none(len(q.fighters), len(q.rules.level)) for q in questions]
    for counts in found:
        counts.stopping = stopping
    with until_stopped(partial):
        for index, counts in in_order(tasks(), threads or default_threads()):
            if index in ended:  # played ahead by threads
                continue
            found[index] += counts  # a new object: Ctrl-C leaves no half of a sum
            if found[index].reached:
                ended.add(index)
            if progress is not None:
                progress(counts.trials)
    return found


class Kind(NamedTuple):
    """Trials of one kind, few and quick enough for one thread.

    Parameters
    ----------
    cells : int
        How many counts there are.
    add : callable
        Plays trials, told the first of them and how many, and adds to the counts.
    watched : callable
        Gives the counts that a precision is about, of all counts.
    """

    cells: int
    add: Callable[[int, int, NDArray[np.int64]], None]
    watched: Callable[[NDArray[np.int64]], ArrayLike]


class Tally(NamedTuple):
    """The counts of a kind of trial, after how many, and what ended its run."""

    counts: NDArray[np.int64]
    trials: int = 0
    ended: str = STOPPED


def count_kinds(
    kinds: Sequence[Kind],
    stopping: Stopping,
    *,
    progress: Progress | None = None,
    partial: bool = False,
) -> list[Tally]:
    """Count trials of each kind, one after the other.

    Parameters
    ----------
    kinds : sequence of Kind
    stopping : Stopping
        Of each of them.
    progress, partial
        As in `count_trials`.
    """
    found = [Tally(np.zeros(kind.cells, np.int64)) for kind in kinds]
    with until_stopped(partial):
        for place, kind in enumerate(kinds):
            for first, part in stopping.spans(CHUNK):
                counts, trials = found[place].counts.copy(), first + part
                kind.add(first, part, counts)
                ended = stopping.ended(kind.watched(counts), trials)
                found[place] = Tally(counts, trials, ended)  # whole: Ctrl-C leaves no half of it
                if progress is not None:
                    progress(part)
                if ended != STOPPED:
                    break
    return found


def cut_short(tallies: Sequence[Tally], stopping: Stopping) -> str:
    """Return how far a run came that Ctrl-C ended; empty if nothing did."""
    if STOPPED not in {tally.ended for tally in tallies}:
        return ""
    most = "at most " * (stopping.precision is not None)
    done = sum(tally.trials for tally in tallies)
    kinds = f"{len(tallies)} x " * (len(tallies) > 1)
    return f"{done:,} of {most}{kinds}{stopping.most:,} trials"


def _indexed(index: int, *counting: Any) -> tuple[int, Counts]:
    return index, count_chunk(*counting)
