"""Battles: who wins, what is destroyed turn by turn, what each fighter is worth (T-1 to T-6)."""

from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...profiles.compile.battle import MOST_TRIALS
from ...profiles.errors import InputError
from ...profiles.message import say, say_all
from ..base.answer import COUNTED, PLAYED, SECTION, AnswerKind, columns, estimates, origin_columns
from ..base.options import SIDES
from ..base.result import Result, Row
from ..base.run import USUAL_RUN, Method, Run, asks, runs_sampled
from ..base.sequence import STOPPED, STOPPING, Stopping
from ..base.stats import quantile, student
from ..combat.method import sampled_method
from .losses import AT_LEAST, LOSSES, tail
from .question import BattleQuestion, ask_battle
from .sampling import BattleCounts, count_battle

BATTLE = AnswerKind(
    "battle",
    SECTION
    + columns("text", "outcome, figure or trial that the row is about", "what")
    + columns("text", "side that it is about", "side")
    + columns("text", "fighter that it is about", "fighter", unit="fighter")
    + columns("whole", "turn that it is about", "turn")
    + columns("whole", "number of a trial where it was so", "trial")
    + COUNTED
    + estimates(say("mean of the figure"), "value", unit="")
    + columns("whole", "fighter's PA, points, or number of what is lost", "number")
    + AT_LEAST,
    origin=origin_columns(lacking=["sampler", "remainder"]) + PLAYED + STOPPING,
    text="battle.table:blocks",
    picture="battle.plot:margins",
    sentences="report.words:of_battle",
    charts="report.charts:of_battle",
    tables="report.placing:watched_tables",
)


TRIALS = 2_000
_FEWEST = 5  # batches that tell how much they differ
OUTCOMES = say_all(("A wins", "B wins", "draw"))
WATCHED = say_all(("lowest", "lower quartile", "median", "upper quartile", "highest"))

_OF_MEANS = say("the precision is of who wins; intervals of means hold so for many trials only")


@runs_sampled
@asks(ask_battle)
def battle(question: BattleQuestion, *, run: Run) -> Result:
    """Return how a battle ends, of many that are played.

    Parameters
    ----------
    scenario, policies, options, roster
        As in `estoc.sim.battle.question.ask_battle`.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`): `TRIALS` if not given, to
        a precision of who wins.

    Returns
    -------
    Result
        Rows as of `answer`.
    """
    return answer(question, sampled(run), run)


def sampled(run: Run) -> Method:
    """Return how battles are counted: a fresh seed if none is given."""
    how = sampled_method(run, TRIALS)
    if (how.trials or 0) > MOST_TRIALS:
        raise InputError("trials {} should be at most {}", how.trials, MOST_TRIALS)
    return how


def answer(question: BattleQuestion, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return how a battle ends, of many that are played.

    Returns
    -------
    Result
        Rows by ``section``: ``outcome`` (A wins, B wins, draws), ``difference`` (A's points
        less B's: their mean), ``points`` (trials by that difference, in ``number``),
        ``destroyed`` (points that a side has destroyed by the end of a turn, on average),
        ``fighter`` (how often it survives; enemies killed and their PA, on average), ``death``
        (trials by the turn of its death), ``round`` (trials by their last turn), ``loss`` (trials
        by fighters lost and by their PA, exactly and at least so many) and ``watch`` (five trials
        from the lowest difference to the highest). Proportions have Wilson's intervals, means
        normal ones; with a precision, both those of a confidence sequence.
    """
    counts, stopping = count_battle(question, how, run), how.stopping
    provenance = question.provenance(how)
    cells = {
        **provenance.cells(method=how.name, seed=how.seed),
        "trials": counts.trials,
        **stopping.cells(counts.outcome, counts.trials),
    }
    rows = [{**row, **cells} for row in _rows(question, counts, stopping)]
    whole = stopping.ended(counts.outcome, counts.trials) != STOPPED
    return Result.of(
        BATTLE,
        rows,
        question.title,
        provenance,
        after=[_OF_MEANS] * (how.precision is not None and bool(rows)),
        stopped="" if whole else stopping.cut_short(counts.trials),
    )


def _row(section: str, what: str | None = None, **cells: Any) -> Row:
    return BATTLE.row(section=section, what=what, **cells)


def _rows(question: BattleQuestion, counts: BattleCounts, stopping: Stopping) -> Iterator[Row]:
    """Yield counts as rows, none of no trial."""
    if not counts.trials:
        return
    for what, count in zip(OUTCOMES, counts.outcome, strict=True):
        yield _row("outcome", what, **_share(int(count), counts.trials, stopping))
    yield from _points(counts, stopping)
    yield from _destroyed(counts, stopping)
    for i, placed in enumerate(question.scenario.fighters):
        who: Row = {"side": placed.side, "fighter": placed.label, "number": placed.profile.PA}
        yield from _fighter(counts, i, who, stopping)
        for turn, count in enumerate(counts.deaths[i], 1):
            yield _row("death", **who, turn=turn, **_share(int(count), counts.trials, stopping))
    yield from _rounds(counts, stopping)
    yield from _losses(counts, stopping)
    yield from _watched(counts)


def _rounds(counts: BattleCounts, stopping: Stopping) -> Iterator[Row]:
    """Yield how often a battle ends in which turn."""
    for turn, count in enumerate(counts.lasted.tolist()):
        if turn:
            yield _row(
                "round", say("last turn"), turn=turn, **_share(count, counts.trials, stopping)
            )


def _losses(counts: BattleCounts, stopping: Stopping) -> Iterator[Row]:
    """Yield how often each side loses so many fighters and points, exactly and at least."""
    for index, side in enumerate(SIDES):
        for what, numbers in zip(LOSSES, (counts.lost[index], counts.paid[index]), strict=True):
            for row in tail(numbers, stopping.proportions):
                yield _row("loss", what, side=side, **row)


def _share(count: int, trials: int, stopping: Stopping) -> Row:
    """Return a proportion with its interval."""
    low, high = (float(end) for end in stopping.proportions(count, trials))
    return {"count": count, "p": count / trials, "p_low": low, "p_high": high}


def _mean(total: float, squares: float, trials: int, stopping: Stopping) -> Row:
    """Return a mean with its interval, none of a single trial."""
    mean = total / trials
    if trials < 2:
        return {"value": mean}
    variance = max(squares - total * mean, 0.0) / (trials - 1)
    half = stopping.errors(trials) * sqrt(variance / trials)
    return {"value": mean, "value_low": mean - half, "value_high": mean + half}


def _points(counts: BattleCounts, stopping: Stopping) -> Iterator[Row]:
    """Yield the mean difference of points, and how often there was each."""
    differences = np.arange(-counts.reach, counts.reach + 1)
    total = int((differences * counts.histogram).sum())
    squares = int((differences**2 * counts.histogram).sum())
    mean = _mean(total, squares, counts.trials, stopping)
    yield _row("difference", say("A's points less B's"), **mean)
    for place in np.flatnonzero(counts.histogram):
        share = _share(int(counts.histogram[place]), counts.trials, stopping)
        trial = int(counts.firsts[place])
        yield _row("points", number=int(differences[place]), trial=trial, **share)


def _destroyed(counts: BattleCounts, stopping: Stopping) -> Iterator[Row]:
    for turn, (totals, squares) in enumerate(zip(counts.destroyed, counts.squares, strict=True), 1):
        for index, side in enumerate(SIDES):
            mean = _mean(int(totals[index]), int(squares[index]), counts.trials, stopping)
            yield _row("destroyed", say("points destroyed so far"), side=side, turn=turn, **mean)


def _fighter(counts: BattleCounts, i: int, who: Row, stopping: Stopping) -> Iterator[Row]:
    lives = _share(int(counts.survived[i]), counts.trials, stopping)
    yield _row("fighter", "survives", **who, **lives)
    totals: tuple[NDArray[np.int64], ...] = (counts.kills, counts.earned)
    for k, what in enumerate(say_all(("kills", "points earned"))):
        mean = int(totals[k][i]) / counts.trials
        half = _half_width(counts, k, i)
        ends: Row = {}
        if half is not None:
            half *= stopping.errors(counts.trials) / quantile()
            ends = {"value_low": mean - half, "value_high": mean + half}
        yield _row("fighter", what, **who, value=mean, **ends)


def _half_width(counts: BattleCounts, k: int, i: int) -> float | None:
    """Return half an interval of a mean that is known by batches of trials only.

    The means of whole batches are nearly normal, with Student's quantile for few of them.
    """
    batches = counts.batches
    if batches < _FEWEST:
        return None
    total = int(counts.whole[k, i])
    variance = max(float(counts.spread[k, i]) - total * total / batches, 0.0) / (batches - 1)
    size = counts.trials / batches  # a part of a batch counts as well
    return student(batches - 1) * sqrt(variance / batches) / size


def _watched(counts: BattleCounts) -> Iterator[Row]:
    """Yield five trials worth watching: from the lowest difference of points to the highest."""
    for k, what in enumerate(WATCHED):
        rank = max(-(-counts.trials * k // 4), 1)
        difference, trial = counts.at_rank(rank)
        yield _row("watch", what, number=difference, trial=trial)
