"""Sums over paired trials: exact, whatever the chunks; intervals, and what pairing saves."""

from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.sim.base.run import Run
from estoc.sim.base.stats import paired, quantile
from estoc.sim.contest.paired import LEAD, SCORE, Paired, holm, marks_of, marks_of_each
from estoc.sim.contest.setting import Setting

POLICIES = (("aggressive", "aggressive"), ("random", "aggressive"))
LISTS = ("daikinee-riders", "devoreurs-elite")

seeds = st.integers(0, 2**32 - 1)


def marks(seed, trials, ways=1, like=0.0):
    """Return what A makes of two contests, in which some share of the trials is the same."""
    random = np.random.default_rng(seed)
    found = [
        np.stack(
            [random.integers(0, 3, (trials, ways)), random.integers(-50, 51, (trials, ways))], -1
        )
        for _ in range(2)
    ]
    same = random.random(trials) < like
    found[1][same] = found[0][same]
    return found


def fields(counts):
    return [np.asarray(value).tolist() for value in vars(counts).values()]


@given(seeds, st.integers(1, 60), st.integers(1, 2), st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_sums_do_not_hang_on_where_trials_are_cut(seed, trials, ways, cut):
    first, second = marks(seed, trials, ways, 0.5)
    cut = min(max(cut, 1), trials)
    whole = Paired.of(first, second)
    parts = Paired.of(first[:cut], second[:cut])
    if cut < trials:
        parts += Paired.of(first[cut:], second[cut:])
    assert fields(whole) == fields(parts)


@given(seeds, st.integers(2, 200), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_what_is_said_is_what_the_trials_say(seed, trials, ways):
    first, second = marks(seed, trials, ways, 0.3)
    counts = Paired.of(first, second)
    assert counts.outcomes.sum(axis=1).tolist() == [trials * ways] * 2
    wins = [[(m[..., 0] == mark).sum() for mark in (2, 0, 1)] for m in (first, second)]
    assert counts.outcomes.tolist() == np.array(wins).tolist()
    assert counts.changed == sum(bool((a != b).any()) for a, b in zip(first, second, strict=True))
    for measure, unit in ((SCORE, 0.5), (LEAD, 1.0)):
        one, other = (unit * m[..., measure] for m in (first, second))
        difference = (other - one).mean(axis=1)
        gain = counts.gain(measure)
        assert counts.mean(0, measure) == pytest.approx(one.mean())
        assert counts.mean(1, measure) == pytest.approx(other.mean())
        assert gain.value == pytest.approx(difference.mean())
        assert gain.differing == (one != other).any(axis=1).sum()
        spread = difference.var(ddof=1)
        if not spread:
            assert gain.saving is None
            continue
        apart = (one.var(axis=0, ddof=1) + other.var(axis=0, ddof=1)).sum() / ways**2
        assert gain.saving == pytest.approx(apart / spread)
        if measure == LEAD:
            half = quantile() * np.sqrt(spread / trials)
            assert (gain.low, gain.high) == (
                pytest.approx(gain.value - half),
                pytest.approx(gain.value + half),
            )


def test_of_wins_alone_the_interval_is_that_of_paired_proportions():
    random = np.random.default_rng(1)
    first, second = (2 * random.integers(0, 2, (100, 1, 2)) for _ in range(2))
    gain = Paired.of(first, second).gain(SCORE)
    change = (second - first)[:, 0, 0] // 2
    assert (gain.low, gain.high) == paired(int(change.sum()), int((change**2).sum()), 100)


def test_nothing_differs_between_the_same_trials():
    first, _ = marks(2, 50)
    counts = Paired.of(first, first)
    for measure in (SCORE, LEAD):
        gain = counts.gain(measure)
        assert (gain.value, gain.differing, gain.saving) == (0, 0, None)
    # fifty trials cannot say that there is never a difference
    assert counts.gain(SCORE).low < 0 < counts.gain(SCORE).high
    assert counts.gain(SCORE).p == 1
    # nor how far points may differ, whichever interval is asked for
    for errors in (None, 3.0):
        gain = counts.gain(LEAD, errors)
        assert (gain.low, gain.high, gain.p) == (None, None, None)


def test_a_single_trial_has_no_interval_of_points():
    first, second = marks(3, 1)
    gain = Paired.of(first, second).gain(LEAD)
    assert gain.value != 0
    assert (gain.low, gain.high, gain.p, gain.saving) == (None, None, None, None)


def test_trials_of_many_contests_are_those_of_each():
    contests = [Setting("pitched", policies=p).contest().compiled(3) for p in POLICIES]
    contests.append(Setting("open", armies=LISTS).contest().compiled(3))
    wanted = [marks_of(records, 5, 4) for records in contests]
    done = []
    for threads in (1, 3):
        found = marks_of_each(contests, 5, 4, Run(threads=threads, progress=done.append))
        for one, other in zip(found, wanted, strict=True):
            assert (one == other).all()
    assert done == [4] * 8


def test_intervals_cover_the_truth():
    random, covered = np.random.default_rng(7), np.zeros(2)
    runs, trials = 2000, 150
    for _ in range(runs):
        first = np.stack([random.integers(0, 3, trials), random.integers(-9, 10, trials)], -1)
        second = first.copy()
        change = random.random(trials) < 0.3
        second[change, 0] = 2  # in which A then wins: by ⅟₂ on average
        second[change, 1] += 5
        counts = Paired.of(first[:, None], second[:, None])
        for measure, truth in ((SCORE, 0.15), (LEAD, 1.5)):
            gain = counts.gain(measure)
            covered[measure] += gain.low <= truth <= gain.high
    assert (covered / runs >= 0.935).all()
    assert (covered / runs <= 0.975).all()


def test_chance_is_as_rare_as_it_says():
    random, rare = np.random.default_rng(8), 0
    for _ in range(2000):
        both = random.integers(0, 3, (2, 120, 1, 2))
        rare += Paired.of(*both).gain(SCORE).p < 0.05
    assert 0.035 <= rare / 2000 <= 0.065


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_rejects_as_its_steps_do(chances):
    adjusted = holm(chances)
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        for rank, i in enumerate(order):
            if chances[i] * (len(chances) - rank) > level:
                break
            rejected.add(i)
        assert {i for i, p in enumerate(adjusted) if p <= level} == rejected
    assert all(isclose(p, q) or p >= q for p, q in zip(adjusted, chances, strict=True))
