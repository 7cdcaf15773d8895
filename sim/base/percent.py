"""Probabilities in percent, with as many decimals as they carry; signed values; scores."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...profiles.message import say, say_all
from .sequence import Stopping, stopping_of

KILLS = "kills"
SCORES = say_all(
    {
        KILLS: "expected kills minus own deaths",
        "points": "PA of B destroyed minus PA of A lost, on average per combat",
        "wounds": "wound levels dealt to B minus levels taken by A, on average per combat",
        "survival-a": "fighters of A who survive, on average per combat",
        "survival-b": "fighters of B who survive, counted against A, on average per combat",
    }
)

UNKNOWN = "–"
_DECIMALS = 2  # of an exact percentage that is not too near to 0 or 100
_RARE = 1e-7  # percent, below which decimals are no longer counted
_COUNTED = {"p_a": "wins_a", "p_b": "wins_b"}  # counts that are not named like the proportion


def chance(value: float, decimals: int = _DECIMALS) -> str:
    """Return an exact probability in percent, without the sign, with ``decimals`` at least.

    Only what cannot happen is 0, and only what must happen is 100.

    >>> chance(5 / 12), chance(1 / 46656), chance(1 - 1e-5), chance(0), chance(1)
    ('41.67', '0.0021', '99.99900', '0', '100')
    >>> chance(1.26e-29), chance(1 - 1e-12)
    ('1.3e-27', '> 99.9999999')
    """
    if value in (0, 1):
        return f"{100 * value:.0f}"
    distance = 100 * min(value, 1 - value)
    if distance < _RARE:
        return f"{100 * value:.1e}" if value < 0.5 else f"> {100 - _RARE:.7f}"
    decimals = max(decimals, _DECIMALS, 1 - math.floor(math.log10(distance)))
    return f"{100 * value:.{decimals}f}"


def rounded_up(points: float) -> str:
    """Return a number rounded up to two decimals.

    >>> rounded_up(0.301), rounded_up(0.0003)
    ('0.31', '0.01')
    """
    return f"{math.ceil(100 * points) / 100:.2f}"


def counted(row: Mapping[str, Any], name: str) -> int:
    """Return how many trials of a row a proportion, as ``p_a`` or ``p_dead``, stands for."""
    return int(row[_COUNTED.get(name, name.removeprefix("p_"))])


def fraction(row: Mapping[str, Any], name: str) -> float:
    """Return a proportion of a row; 0 of no trials."""
    if row["trials"] is None:
        return float(row[name] or 0)
    return counted(row, name) / max(int(row["trials"]), 1)


def rate(row: Mapping[str, Any], name: str, decimals: int = 0) -> str:
    """Return a proportion of a row, as ``p_a`` or ``p_dead``, in percent."""
    if row["trials"] is None:
        return UNKNOWN if row[name] is None else chance(row[name], decimals)
    return figure(counted(row, name), row["trials"], decimals, stopping_of(row))


def range_of(row: Mapping[str, Any], name: str, decimals: int = 0) -> str:
    """Return the interval of a proportion of a row; empty where it is exact."""
    if row["trials"] is None:
        return ""
    return interval(counted(row, name), row["trials"], decimals, stopping_of(row))


def decimals_of(successes: int, trials: int) -> int:
    """Return how many decimals of a percentage a sample carries.

    The last one is worth no more than the standard error, hence what was seen at least
    once is never rounded to 0, nor to 100 what was missed at least once.
    """
    if successes in (0, trials):
        return _rarest(trials, Stopping(trials))[1]
    error = 100 * math.sqrt(successes * (trials - successes) / trials) / trials
    return max(0, math.ceil(-math.log10(error)))


def _rarest(trials: int, stopping: Stopping) -> tuple[float, int]:
    """Return the most that something never seen may weigh, in percent, and its decimals."""
    high = 100 * float(stopping.proportions(0, trials)[1])
    decimals = max(0, 1 - math.floor(math.log10(high)))
    return math.ceil(high * 10**decimals) / 10**decimals, decimals


def figure(successes: int, trials: int, decimals: int = 0, stopping: Stopping | None = None) -> str:
    """Return a sampled proportion in percent, without the sign; so many decimals at least.

    The run ended after these trials if ``stopping`` does not say how.

    >>> figure(9998, 10_000), figure(0, 10_000), figure(10_000, 10_000)
    ('99.98', '< 0.039', '> 99.961')
    """
    if trials == 0:
        return UNKNOWN
    if successes in (0, trials):
        bound, places = _rarest(trials, stopping or Stopping(trials))
        return f"< {bound:.{places}f}" if successes == 0 else f"> {100 - bound:.{places}f}"
    return f"{100 * successes / trials:.{max(decimals, decimals_of(successes, trials))}f}"


def figures(counts: Sequence[int], stopping: Stopping | None = None) -> list[str]:
    """Return all parts of a sample as `figure` does, so that those of equal decimals add up to 100.

    >>> figures([889, 62, 2049]), figures([1000, 1000, 1000]), figures([3000, 0])
    (['29.6', '2.1', '68.3'], ['33.4', '33.3', '33.3'], ['> 99.87', '< 0.13'])
    """
    trials = sum(counts)
    told = [figure(count, trials, stopping=stopping) for count in counts]
    places = 0 if trials in counts else decimals_of(counts[0], trials)
    if {trials, 0} & set(counts) or any(decimals_of(k, trials) != places for k in counts):
        return told
    units = [divmod(count * 10 ** (2 + places), trials) for count in counts]
    missing = 10 ** (2 + places) - sum(whole for whole, _ in units)
    largest = sorted(range(len(units)), key=lambda part: -units[part][1])[:missing]
    whole = [units[part][0] + (part in largest) for part in range(len(units))]
    return [f"{unit / 10**places:.{places}f}" for unit in whole]


def percent(successes: int, trials: int) -> str:
    """Return a sampled proportion with the decimals that the sample carries.

    What was never seen is ``< x %``, what was always seen ``> x %``, x being the end of
    the interval.

    >>> percent(74, 175), percent(470, 100_000)
    ('42 %', '0.47 %')
    """
    return f"{figure(successes, trials)} %" if trials else UNKNOWN


def interval(
    successes: int, trials: int, decimals: int = 0, stopping: Stopping | None = None
) -> str:
    """Return the interval of a proportion, in percent, without the sign; see `figure`.

    Of what was seen sometimes, and not always, it has so many decimals at least.

    >>> interval(470, 100_000), interval(0, 10_000), interval(1, 10_000)
    ('0.43 – 0.51', '0 – 0.039', '0.002 – 0.057')
    """
    if trials == 0:
        return UNKNOWN
    stopping = stopping or Stopping(trials)
    bound, places = _rarest(trials, stopping)
    if successes == 0:
        return f"0 – {bound:.{places}f}"
    if successes == trials:
        return f"{100 - bound:.{places}f} – 100"
    low, high = (100 * float(end) for end in stopping.proportions(successes, trials))
    decimals = max(decimals, decimals_of(successes, trials))
    while (low > 0 and round(low, decimals) == 0) or (high < 100 and round(high, decimals) == 100):
        decimals += 1
    ends = (f"{end:.{0 if end in (0, 100) else decimals}f}" for end in (low, high))
    return " – ".join(ends)


def share_cells(
    successes: int, trials: int, stopping: Stopping | None = None, decimals: int = 0
) -> list[str]:
    """Return a sampled proportion, and its interval, as two cells of a table."""
    return [show(successes, trials, decimals, stopping) for show in (figure, interval)]


def mean(value: float | None) -> str:
    """Return a mean with two decimals, more where they would hide it."""
    if value is None:
        return UNKNOWN
    return f"{value:.2f}" if value == 0 or value >= 0.1 else f"{value:.2g}"


def signed(value: float | None, decimals: int = 2) -> str:
    """Return a number with its sign, and with decimals enough to tell it from 0.

    >>> signed(12.345), signed(-0.5), signed(0.00047), signed(0), signed(None)
    ('+12.35', '−0.50', '+0.00047', '0', '–')
    """
    if value is None:
        return UNKNOWN
    if value == 0:
        return "0"
    decimals = max(decimals, 1 - math.floor(math.log10(abs(value))))
    return f"{value:+.{decimals}f}".replace("-", "−")


def scaled(value: float | None, score: str) -> float | None:
    """Return a value in the unit it is shown in: kills in 100 fights, all else in one combat."""
    return value if value is None or score != KILLS else 100 * value


def shown(value: float | None, score: str) -> str:
    """Return a value in the unit it is shown in, as text."""
    return signed(scaled(value, score), 2 if score == KILLS else 3)


def unit(score: str) -> str:
    """Return what a value counts, in words."""
    if score == KILLS:
        return say("{}, per 100 fights", SCORES[KILLS])
    return SCORES.get(score, say("the score {}, on average per combat", score))
