"""When a sampled run may stop, and intervals that hold although it stops when they are narrow.

An interval for a fixed number of trials covers less often than it says if somebody looks at it
again and again and stops when he likes what he sees. Those of a confidence sequence cover the
truth at every number of trials at once, in 95 % of the runs or more, so that a run may end
whenever they are narrow enough, at its cap, or by Ctrl-C.

Proportions have the beta-binomial mixture of Robbins, centred at each tried value (Howard,
Ramdas, McAuliffe, Sekhon 2021): its level is exact, for any proportion and any way to stop. Means
have the asymptotic normal mixture (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2024). The price
is width: at the end of a run they are about 1.5 times as wide as an interval for a fixed number of
trials, so that the same precision takes 2.4 times as many. They cover more often than they say, as
few looks are taken and a run ends where they are narrow: the tests play 50,000 runs each of
proportions from 0.001 to 0.5 at precisions from 0.05 to 0.004, and the interval at the end covers
in 99.5 % or more, all intervals from the first look to the cap together in 98 % or more. They are
not intersected over looks: an answer hangs on its own counts only. Each interval has the level for
itself, not all of a table together.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...profiles.errors import InputError
from ...profiles.message import joined, say
from .answer import columns, optional
from .stats import LEVEL, quantile, wilson

FIRST_LOOK = 200  # trials; means are near enough to normal from there
STEP = 100  # looks are its multiples
FINEST = 1e-6  # precision: it may take 3e12 trials
PRECISION, CAP, STOPPED = "precision", "trials", "Ctrl-C"  # what ended a run

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]


def looks(most: int) -> Iterator[int]:
    """Yield the numbers of trials after which a run may end, ``most`` the last of them.

    They grow by a quarter, and hang on nothing else: not on threads, chunks or what was found.

    >>> list(looks(700))
    [200, 300, 400, 500, 700]
    """
    look = FIRST_LOOK
    while look < most:
        yield look
        look = max(look + STEP, -(-look * 5 // (4 * STEP)) * STEP)
    yield most


def spans(ends: Iterable[int], step: int) -> Iterator[tuple[int, int]]:
    """Yield first trials and numbers of trials, at most ``step``, up to each of some ends.

    >>> list(spans([200, 300], 150))
    [(0, 150), (150, 50), (200, 100)]
    """
    first = 0
    for end in ends:
        while first < end:
            size = min(step, end - first)
            yield first, size
            first += size


def mixed(tuned: float, level: float = LEVEL) -> float:
    """Return the trials that a mixture counts as seen before, narrowest after ``tuned`` trials."""
    from scipy.special import lambertw

    alpha = 1 - level
    return float(tuned / (-lambertw(-(alpha**2) / np.e, -1).real - 1))


def proportion_sequence(
    successes: ArrayLike, trials: ArrayLike, level: float = LEVEL, tuned: float = 10_000
) -> Ends:
    """Return the ends of a time-uniform interval for a proportion.

    With a chance of ``level`` at least, the intervals after all numbers of trials cover the truth.
    It is narrowest after ``tuned`` trials, which must not hang on what the trials gave; no trial
    at all gives the interval from 0 to 1.

    >>> low, high = proportion_sequence(5_000, 10_000)
    >>> round(float(low), 4), round(float(high), 4)
    (0.4848, 0.5152)
    """
    k, n = np.broadcast_arrays(np.asarray(successes, np.float64), np.asarray(trials, np.float64))
    low = _lower(k, n, mixed(tuned, level), level)
    high = 1 - _lower(n - k, n, mixed(tuned, level), level)
    return low, high


def _lower(k: Floats, n: Floats, prior: float, level: float) -> Floats:
    """Return by bisection the least proportion that the mixture does not rule out."""
    from scipy.special import betaln, xlog1py, xlogy

    out, inside = np.zeros(k.shape), np.where(n > 0, k / np.maximum(n, 1), 0.0)
    for _ in range(60):
        p = (out + inside) / 2
        a, b = p * prior, (1 - p) * prior
        with np.errstate(invalid="ignore"):  # of no successes, where p comes down to 0
            wealth = betaln(a + k, b + n - k) - betaln(a, b) - xlogy(k, p) - xlog1py(n - k, -p)
        ruled_out = wealth >= -log(1 - level)
        out, inside = np.where(ruled_out, p, out), np.where(ruled_out, inside, p)
    # one success alone rules out no proportion above 0
    return np.where(k <= 1, 0.0, out)


def mean_sequence(
    total: ArrayLike,
    squares: ArrayLike,
    trials: ArrayLike,
    level: float = LEVEL,
    tuned: float = 10_000,
    reach: float = 0.0,
) -> Ends:
    """Return the ends of a time-uniform interval for a mean, for many trials (asymptotic).

    Level and trials are those of `proportion_sequence`; fewer than two give no bounds. No value is
    further from 0 than ``reach``: one at each end counts as seen besides when their spread is
    estimated, so that equal values do not look like a mean that is known.

    >>> low, high = mean_sequence(0.0, 10_000.0, 10_000)
    >>> round(float(low), 4), round(float(high), 4)
    (-0.0304, 0.0304)
    """
    n = np.asarray(trials, np.float64)
    known = n >= 2
    n = np.where(known, n, 2.0)
    mean = np.asarray(total, np.float64) / n
    all_squares = np.asarray(squares, np.float64) + 2 * reach**2
    seen = n + 2 * (reach > 0)
    variance = np.maximum(all_squares / seen - (mean * n / seen) ** 2, 0.0)
    half = np.where(known, standard_errors(n, level, tuned) * np.sqrt(variance / n), np.inf)
    return mean - half, mean + half


def standard_errors(trials: ArrayLike, level: float = LEVEL, tuned: float = 10_000) -> Floats:
    """Return how many standard errors a time-uniform interval of a mean reaches to each side."""
    n, prior = np.asarray(trials, np.float64), mixed(tuned, level)
    return np.sqrt((1 + prior / n) * np.log((n + prior) / (prior * (1 - level) ** 2)))


def checked_precision(precision: float | None) -> float | None:
    """Return a precision that a run can have, as it is."""
    if precision is not None and not FINEST <= precision < 0.5:
        raise InputError(
            "precision {:g} should be from {:f} to less than 0.5: half the width of an "
            "interval, as 0.005 for half a percent to each side",
            precision,
            FINEST,
        )
    return precision


def usual_cap(precision: float) -> int:
    """Return the most trials where they are not told: enough for any proportion.

    >>> usual_cap(0.005)
    120000
    """
    checked_precision(precision)
    return ceil(round(3 / precision**2, 6))


# What intervals are called wherever one is shown.
WILSON = say("95 % Wilson interval")  # of a proportion, for a fixed number of trials
SEQUENCE = say("95 % confidence sequence")  # holds at all looks of a run that ends by its precision
NORMAL = say("95 % normal interval")  # of a mean
STUDENT = say("95 % Student interval")  # of a mean by batches of trials
PAIRED = say("95 % interval of paired differences")  # normal; the same dice in both


@dataclass(frozen=True)
class Stopping:
    """When a run ends, and the intervals that hold there."""

    most: int  # trials at which it ends in any case
    # half the width of an interval at which it ends before; none: only at the cap, and intervals
    # are those for a fixed number of trials
    precision: float | None = None
    level: float = LEVEL  # of each interval

    @property
    def tuned(self) -> float:
        """Trials after which the intervals are narrowest: about where the run ends."""
        return min(self.most, self.most if self.precision is None else self.precision**-2)

    @property
    def of_proportion(self) -> str:
        """What the interval of a proportion is called."""
        return WILSON if self.precision is None else SEQUENCE

    @property
    def of_mean(self) -> str:
        """What the interval of a mean is called."""
        return NORMAL if self.precision is None else SEQUENCE

    @property
    def of_difference(self) -> str:
        """What the interval of a mean difference is called, the same dice in both."""
        return PAIRED if self.precision is None else SEQUENCE

    def looks(self) -> Iterator[int]:
        """Yield the numbers of trials after which the run may end."""
        return iter((self.most,)) if self.precision is None else looks(self.most)

    def spans(self, step: int) -> Iterator[tuple[int, int]]:
        """Return first trials and numbers of trials, at most ``step``, across no look."""
        return spans(self.looks(), step)

    def proportions(self, successes: ArrayLike, trials: ArrayLike) -> Ends:
        """Return intervals for proportions: time-uniform ones, or Wilson's."""
        if self.precision is None:
            return wilson(successes, trials, self.level)
        return proportion_sequence(successes, trials, self.level, self.tuned)

    def is_narrow(self, low: ArrayLike, high: ArrayLike) -> bool:
        """Whether the widest of some intervals has the precision."""
        if self.precision is None:
            return False
        return bool(np.max(np.subtract(high, low), initial=0.0) <= 2 * self.precision)

    def reached(self, successes: ArrayLike, trials: int) -> bool:
        """Whether a run ends at these counts for the precision of all of its proportions."""
        if self.precision is None or not self.is_look(trials):
            return False
        # quick, and never in the way: the others are wider
        if not self.is_narrow(*wilson(successes, trials, self.level)):
            return False
        return self.is_narrow(*self.proportions(successes, trials))

    def errors(self, trials: int) -> float:
        """Return how many standard errors the interval of a mean reaches to each side."""
        if self.precision is None:
            return quantile(self.level)
        return float(standard_errors(trials, self.level, self.tuned))

    def is_look(self, trials: int) -> bool:
        """Whether a run may end after so many trials."""
        return trials in self.looks()

    def ended(self, successes: ArrayLike, trials: int) -> str:
        """Return what ended a run: its precision, its cap, or Ctrl-C."""
        if self.reached(successes, trials):
            return PRECISION
        return CAP if trials >= self.most else STOPPED

    def cut_short(self, done: int, runs: int = 1) -> str:
        """Return how far a run, or several together, came that Ctrl-C ended."""
        most = say("{} x {:,}", runs, self.most) if runs > 1 else say("{:,}", self.most)
        if self.precision is not None:
            most = say("at most {}", most)
        return say("{:,} of {} trials", done, most)

    def cells(self, successes: ArrayLike | None = None, trials: int = 0) -> dict[str, Any]:
        """Return the cells of a row about its run's end; of an exact row, without counts.

        There are none where no precision was asked for.
        """
        if self.precision is None:
            return {}
        if successes is None:
            return {"precision": None, "most_trials": None, "ended": None}
        ended = self.ended(successes, trials)
        return {"precision": self.precision, "most_trials": self.most, "ended": ended}


STOPPING = optional(  # the columns of `Stopping.cells`
    columns("number", "half the width of intervals at which it ends", "precision")
    + columns("whole", "most trials of the run", "most_trials", unit="trials")
    + columns("text", "what ended the run: precision, trials or Ctrl-C", "ended")
)


def stopping_of(row: Mapping[str, Any]) -> Stopping:
    """Return how the run of a sampled row was to end, by its `Stopping.cells` if it has them."""
    if row.get("precision") is None:
        return Stopping(int(row["trials"]))
    return Stopping(int(row["most_trials"]), float(row["precision"]))


def trials_told(numbers: Iterable[int]) -> str:
    """Return numbers of trials in words.

    >>> trials_told([1000, 1000]), trials_told([12_000, 900])
    ('1,000', '900 to 12,000')
    """
    told = sorted(set(numbers))
    few, most = told[0], told[-1]
    return say("{:,}", most) if few == most else say("{:,} to {:,}", few, most)


def end_notes(rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return what ended the runs of some rows, and what their intervals are; none if fixed.

    >>> row = {"precision": 0.01, "most_trials": 30_000, "trials": 500}
    >>> end_notes([row | {"ended": STOPPED}])[0]
    'ended by Ctrl-C, after 500 trials, short of the precision 0.01; at most 30,000'
    """
    ended = [row for row in rows if row.get("precision") and row.get("ended") and row["trials"]]
    if not ended:
        return ()
    precision, most = ended[0]["precision"], ended[0]["most_trials"]
    runs: dict[str, list[int]] = {}
    for row in ended:
        runs.setdefault(row["ended"], []).append(row["trials"])

    def ending(why: str) -> str:
        trials = trials_told(runs[why])
        if why == PRECISION:
            return say("at the precision {:g}, after {} trials", precision, trials)
        return say("at the cap, {} trials" if why == CAP else "by Ctrl-C, after {} trials", trials)

    told = joined(say(", or "), [ending(why) for why in (PRECISION, CAP, STOPPED) if why in runs])
    if PRECISION not in runs:
        told = say("{}, short of the precision {:g}", told, precision)
    elif len(runs) > 1:
        told = say("{}, short of it", told)
    return (
        say("ended {}", told) if CAP in runs else say("ended {}; at most {:,}", told, most),
        say(
            "intervals are of a confidence sequence: each covers the truth in 95 % of the runs "
            "wherever they end"
        ),
    )


@dataclass
class SequentialTest:
    """A time-uniform test whether a mean of bounded values is above or below zero.

    Wealth that is won by bets on the sign, a mixture of several stakes: a false sign is given in
    at most ``1 - level`` of the runs whenever one looks, without assumptions on the values but
    their bound and that the trials are alike (Waudby-Smith, Ramdas 2024).

    >>> test = SequentialTest(1_000)
    >>> test.add([1, 0, 1, 1] * 50)
    >>> test.sign, test.trials
    (1, 200)
    """

    most: int  # trials at which the run ends in any case
    bound: float = 1.0  # no value is further from 0
    level: float = LEVEL
    trials: int = 0
    stakes: Floats = field(init=False)
    wealth: Floats = field(init=False)

    def __post_init__(self) -> None:
        finest = max(ceil(log(max(self.most, 4), 4)), 1)
        self.stakes = np.ldexp(1.0, -np.arange(1, finest + 1)).astype(np.float64)
        self.wealth = np.zeros((2, len(self.stakes)))

    def add(self, values: ArrayLike) -> None:
        """Take in the values of further trials."""
        found = np.asarray(values, np.float64).ravel() / self.bound
        if np.abs(found).max(initial=0.0) > 1:
            raise ValueError(say("a value is further from 0 than {:g}", self.bound))
        distinct, counts = np.unique(found, return_counts=True)
        bets = np.multiply.outer(self.stakes, distinct)
        self.wealth = self.wealth + np.stack((np.log1p(bets) @ counts, np.log1p(-bets) @ counts))
        self.trials += len(found)

    @property
    def sign(self) -> int:
        """1 or -1 if the mean is shown to be above or below zero, else 0."""
        above, below = np.logaddexp.reduce(self.wealth, axis=1) - log(len(self.stakes))
        enough = log(2 / (1 - self.level))  # half of the level for each sign
        return int(above >= enough) - int(below >= enough)
