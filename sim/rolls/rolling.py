"""What the answers about a few rolls of a fighter have in common."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...kernels.layout.combat import Rule
from ...profiles.compile.combat import compile_rules, pain_of
from ...profiles.edition.edition import Edition
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import say
from ..base.answer import PLAYED, origin_columns
from ..base.options import Options
from ..base.result import Row
from ..base.run import EXACT, SAMPLED, Method, Run, Traceable, until_stopped
from ..base.sequence import STOPPED, STOPPING, Stopping
from ..combat.combat import TRIALS as TRIALS
from ..combat.combat import profiles_of
from ..combat.combatants import Combatant, numbered, remarks, with_options
from ..combat.method import method_of
from ..combat.question import Feats, feats_of

CHUNK = 65_536  # trials played in one go: Ctrl-C waits for them
POLICY = say("a 6 that is not enough is re-rolled")
TOLD = ("method", "sampler", "remainder", "seed")  # that stand apart in rows of rolls
ORIGIN = PLAYED + origin_columns("seed") + STOPPING + origin_columns(lacking=TOLD)
TESTS = ("tests.reroll_one", "tests.natural_one_fails", "tests.automatic_failure")

Parts = Sequence[float]  # chances, or counts of trials
Counts = NDArray[np.int64]


class Rolled(Traceable):
    """A question about a few rolls; values of cards are in its combatants."""

    options: Options

    @property
    def fighters(self) -> tuple[Combatant, ...]:
        """All who take part."""
        raise NotImplementedError

    @property
    def edition(self) -> Edition:
        """The edition, with the replaced values."""
        return self.options.edition

    @property
    def policy(self) -> str:
        """How the dice are decided about."""
        return POLICY

    def feats(self, combatant: Combatant) -> Feats:
        """Return the abilities that are played of a fighter (W-7)."""
        return feats_of(combatant.profile, self.options)

    def pain(self, combatant: Combatant) -> int:
        """Return how a fighter bears wounds, as `pain_of` says."""
        return pain_of(self.feats(combatant)[1])

    def goal(self, difficulty: int, value: int) -> int:
        """Return the least natural result that succeeds where the die is added to a value."""
        failure = int(compile_rules(self.edition).scalars[Rule.AUTOMATIC_FAILURE])
        return max(difficulty, failure + 1) - value

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the fighters."""
        found = remarks(self.fighters, self.edition, self.options.abilities)
        return tuple(remark for remark in found if remark.startswith("abilities"))


def combatants(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    options: Options,
    roster: Roster | None,
) -> tuple[Combatant, ...]:
    """Return the fighters of sides A and B, as options say."""
    sides = numbered(profiles_of(a, roster), "A"), numbered(profiles_of(b, roster), "B")
    return with_options((*sides[0], *sides[1]), options)


def feats_data(feats: Feats, *more: int) -> bytes:
    """Return the abilities of a fighter as data of a digest; none if it has none."""
    flags, numbers = feats
    return np.append(numbers, (flags, *more)).tobytes() * bool(flags)


def chosen(run: Run) -> Method:
    """Return how to answer a question about a few rolls."""
    return method_of(run, TRIALS, obstacle="", open_play=False)


class Trials(NamedTuple):
    """Trials of one kind, few and quick enough for one thread."""

    cells: int  # how many counts there are
    # plays trials, told the first of them and how many, and adds to the counts
    add: Callable[[int, int, Counts], None]
    # gives the counts that a precision is about, of all counts
    watched: Callable[[Counts], ArrayLike]


class Tally(NamedTuple):
    """The counts of some trials, after how many, and what ended their run."""

    counts: Counts
    trials: int = 0
    ended: str = STOPPED


def rolled(
    rows: Sequence[Row],
    how: Method,
    run: Run,
    laws: Sequence[Parts],
    trials: Sequence[Trials],
    cells: Callable[[int, Parts, int | None], Row],
) -> tuple[list[Row], str]:
    """Return rows with exact chances, then with sampled ones, and how far an ended run came."""
    found: list[Row] = []
    if how.exact:
        ends = {"trials": None, "seed": None, **how.stopping.cells()}
        for number, (row, law) in enumerate(zip(rows, laws, strict=True)):
            own = {"method": EXACT, "remainder": 0.0, **cells(number, law, None)}
            found.append({**row, **own, **ends})
    if not how.sampled:
        return found, ""
    tallies = _tallies(trials, how.stopping, run)
    for number, row in enumerate(rows):
        place = number % len(tallies)
        counts, done, _ = tallies[place]
        watched = trials[place].watched(counts)
        own = {"method": SAMPLED, "remainder": None, **cells(number, counts.tolist(), done)}
        ends = how.stopping.cells(watched if np.size(watched) else None, done)
        found.append({**row, **own, "trials": done, "seed": how.seed, **ends})
    if STOPPED not in {tally.ended for tally in tallies}:
        return found, ""
    return found, how.stopping.cut_short(sum(tally.trials for tally in tallies), len(tallies))


def _tallies(trials: Sequence[Trials], stopping: Stopping, run: Run) -> list[Tally]:
    """Count trials of each kind, one after the other."""
    found = [Tally(np.zeros(kind.cells, np.int64)) for kind in trials]
    with until_stopped(run.partial):
        for place, kind in enumerate(trials):
            for first, part in stopping.spans(CHUNK):
                counts, done = found[place].counts.copy(), first + part
                kind.add(first, part, counts)
                ended = stopping.ended(kind.watched(counts), done)
                found[place] = Tally(counts, done, ended)  # whole: Ctrl-C leaves no half of it
                run.advance(part)
                if ended != STOPPED:
                    break
    return found


def interval(count: float, done: int | None, how: Method) -> tuple[float | None, float | None]:
    """Return the interval of a count; none of an exact chance."""
    if done is None:
        return None, None
    low, high = map(float, how.stopping.proportions(count, done))
    return low, high


def share(part: float, done: int | None) -> float | None:
    """Return a count as a proportion, an exact chance as it is; None of no trials."""
    if done is None:
        return part
    return part / done if done else None


def whole(part: float, done: int | None) -> int | None:
    """Return a count as it is; None of an exact chance."""
    return None if done is None else int(part)
