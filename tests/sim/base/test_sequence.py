"""Confidence sequences: looks, widths, and what they cover where a run stops by them."""

from itertools import pairwise
from math import lgamma, log, log1p, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from estoc.profiles import InputError
from estoc.sim.base.sequence import (
    CAP,
    PRECISION,
    STOPPED,
    SequentialTest,
    Stopping,
    checked_precision,
    end_notes,
    looks,
    mean_sequence,
    mixed,
    proportion_sequence,
    spans,
    usual_cap,
)
from estoc.sim.base.stats import quantile, wilson


@given(st.integers(1, 10**9))
def test_looks_grow_by_a_quarter_up_to_the_cap(most):
    found = list(looks(most))
    assert found[-1] == most
    assert found == sorted(set(found))
    assert all(look % 100 == 0 for look in found[:-1])
    assert all(b <= max(a * 1.25 + 100, 200) for a, b in pairwise(found))


@given(st.integers(1, 10**5), st.integers(1, 3000))
def test_spans_follow_each_other_and_cross_no_look(most, step):
    stopping = Stopping(most, 0.01)
    reached, ends = 0, set()
    for first, size in stopping.spans(step):
        assert first == reached
        assert 0 < size <= step
        reached += size
        ends.add(reached)
    assert set(stopping.looks()) <= ends
    assert reached == most


def test_without_a_precision_the_cap_is_the_only_look():
    stopping = Stopping(1000)
    assert list(stopping.looks()) == [1000]
    assert not stopping.reached([0], 1000)
    assert stopping.ended([0], 1000) == CAP


def _log_wealth(k, n, p, prior):
    """Return the mixture by its definition: a ratio of beta functions and a likelihood."""

    def log_beta(a, b):
        return lgamma(a) + lgamma(b) - lgamma(a + b)

    a, b = prior * p, prior * (1 - p)
    return log_beta(a + k, b + n - k) - log_beta(a, b) - k * log(p) - (n - k) * log1p(-p)


@pytest.mark.parametrize(("k", "n"), [(3, 200), (100, 200), (199, 300), (40_000, 90_000)])
def test_ends_are_where_the_mixture_reaches_the_level(k, n):
    low, high = proportion_sequence(k, n, 0.95, 5000)
    for end in (float(low), float(high)):
        assert _log_wealth(k, n, end, mixed(5000)) == pytest.approx(log(20), abs=1e-5)


@given(st.integers(1, 10**7), st.data())
def test_holds_the_proportion_and_mirrors(n, data):
    k = data.draw(st.integers(0, n))
    low, high = proportion_sequence(k, n)
    assert 0 <= low <= k / n <= high <= 1
    mirrored = proportion_sequence(n - k, n)
    assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-12)


def test_never_narrower_than_a_fixed_interval_where_many_were_seen():
    k = np.arange(100, 9_901, 100)
    low, high = proportion_sequence(k, 10_000)
    fixed_low, fixed_high = wilson(k, np.full_like(k, 10_000))
    assert (low < fixed_low).all()
    assert (high > fixed_high).all()
    assert (high - low < 1.75 * (fixed_high - fixed_low)).all()


def test_no_trial_says_nothing():
    assert [float(end) for end in proportion_sequence(0, 0)] == [0, 1]
    low, high = mean_sequence([0.0, 1.0], [0.0, 1.0], [0, 1])
    assert np.isneginf(low).all()
    assert np.isposinf(high).all()


def test_a_mean_has_the_width_of_its_formula():
    values = np.random.default_rng(3).normal(2.0, 3.0, 4000)
    low, high = mean_sequence(values.sum(), (values**2).sum(), 4000, 0.9, 3000)
    prior = mixed(3000, 0.9)
    wide = values.std() * sqrt((4000 + prior) * log((4000 + prior) / (prior * 0.01))) / 4000
    assert (low + high) / 2 == pytest.approx(values.mean())
    assert (high - low) / 2 == pytest.approx(wide)
    assert wide > quantile(0.9) * values.std() / sqrt(4000)


def test_equal_values_of_known_reach_leave_a_width():
    low, high = mean_sequence(1000.0, 1000.0, 1000, reach=1.0)
    assert low < 1 < high
    assert mean_sequence(1000.0, 1000.0, 1000) == (1.0, 1.0)


@pytest.mark.parametrize("precision", [0.2, 0.05, 0.01, 0.001])
def test_usual_cap_suffices_for_every_proportion(precision):
    stopping = Stopping(usual_cap(precision), precision)
    k = np.linspace(0, stopping.most, 41).astype(int)
    assert stopping.reached(k, stopping.most)


@pytest.mark.parametrize("precision", [0.0, 0.5, -0.1, 2.0, 1e-200, float("nan")])
def test_precision_has_bounds(precision):
    with pytest.raises(InputError, match=r"should be from 0\.000001 to less than 0\.5"):
        checked_precision(precision)


def test_what_ended_a_run():
    stopping = Stopping(10_000, 0.02)
    assert stopping.ended([5, 195], 200) == STOPPED
    end = next(n for n in stopping.looks() if stopping.reached([n // 2, 0], n))
    assert 1000 < end < 10_000
    assert stopping.ended([end // 2, 0], end) == PRECISION
    assert not stopping.reached([end // 2, 0], end + 1)  # no look
    assert Stopping(500, 0.02).ended([250], 500) == CAP


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ({PRECISION: [200, 900]}, "at the precision 0.01, after 200 to 900 trials; at most 3,000"),
        ({CAP: [3000]}, "at the cap, 3,000 trials, short of the precision 0.01"),
        (
            {STOPPED: [200, 0]},  # of which one was not begun
            "by Ctrl-C, after 200 trials, short of the precision 0.01; at most 3,000",
        ),
        (
            {PRECISION: [900], CAP: [3000, 3000]},
            "at the precision 0.01, after 900 trials, or at the cap, 3,000 trials, short of it",
        ),
        (
            {PRECISION: [900], CAP: [3000], STOPPED: [200]},
            "at the precision 0.01, after 900 trials, or at the cap, 3,000 trials, or by Ctrl-C, "
            "after 200 trials, short of it",
        ),
    ],
)
def test_what_ended_runs_is_told_with_whether_they_have_the_precision(runs, told):
    rows = [
        {"precision": 0.01, "most_trials": 3000, "ended": ended, "trials": trials}
        for ended, numbers in runs.items()
        for trials in numbers
    ]
    note, intervals = end_notes(rows)
    assert note == f"ended {told}"
    assert "confidence sequence" in intervals
    assert end_notes([{"trials": 100}]) == ()


def _covered(p, stopping, runs, seed):
    """Return the share of runs whose last interval, and whose every interval, covers p."""
    rng = np.random.default_rng(seed)
    k, before = np.zeros(runs, np.int64), 0
    runs_on, at_end, always = np.ones(runs, bool), np.zeros(runs, bool), np.ones(runs, bool)
    for look in stopping.looks():
        k += rng.binomial(look - before, p, runs)
        before = look
        kinds, place = np.unique(k, return_inverse=True)
        low, high = (ends[place] for ends in stopping.proportions(kinds, look))
        covers = (low <= p) & (p <= high)
        always &= covers
        ends = runs_on & ((high - low <= 2 * stopping.precision) | (look == stopping.most))
        at_end[ends] = covers[ends]
        runs_on &= ~ends
    assert not runs_on.any()
    return at_end.mean(), always.mean()


@pytest.mark.parametrize("p", [0.5, 0.1, 0.01])
@pytest.mark.parametrize("most", [2_000, 30_000])
def test_covers_where_a_run_stops_and_at_all_looks_together(p, most):
    at_end, always = _covered(p, Stopping(most, 0.01), 20_000, 11)
    assert at_end >= 0.995
    assert always >= 0.98
    assert at_end >= always


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.5, 0.3, 0.1, 0.03, 0.01, 0.001])
@pytest.mark.parametrize("precision", [0.05, 0.01, 0.004])
def test_covers_in_many_runs(p, precision):
    # what README.md and sequence.py say
    at_end, always = _covered(p, Stopping(usual_cap(precision), precision), 50_000, 12)
    assert at_end >= 0.995
    assert always >= 0.98


def test_an_interval_for_a_fixed_number_would_not_cover_at_all_looks():
    rng = np.random.default_rng(5)
    k, before, always = np.zeros(2_000, np.int64), 0, np.ones(2_000, bool)
    for look in looks(30_000):
        k += rng.binomial(look - before, 0.5, 2_000)
        before = look
        low, high = wilson(k, np.full_like(k, look))
        always &= (low <= 0.5) & (high >= 0.5)
    assert always.mean() < 0.85  # as README.md says


def _means_covered(draw, mean, stopping, runs):
    sums, squares, before = np.zeros(runs), np.zeros(runs), 0
    always = np.ones(runs, bool)
    for look in stopping.looks():
        values = draw((runs, look - before))
        sums, squares, before = sums + values.sum(1), squares + (values**2).sum(1), look
        low, high = mean_sequence(sums, squares, look, stopping.level, stopping.tuned, 1.0)
        always &= (low <= mean) & (mean <= high)
    return always.mean()


@pytest.mark.parametrize("spread", [0.25, 0.02])
def test_means_of_differences_are_covered_at_all_looks_together(spread):
    rng = np.random.default_rng(8)
    chances = [spread / 2, 1 - 3 * spread / 4, spread / 4]
    mean = -spread / 4

    def draw(shape):
        return rng.choice([-1.0, 0.0, 1.0], shape, p=chances)

    assert _means_covered(draw, mean, Stopping(3000, 0.02), 1500) >= 0.94


NO_DIFFERENCE = [
    ([-1.0, 0.0, 1.0], [0.25, 0.5, 0.25]),
    ([-1.0, 0.0, 1.0], [0.01, 0.98, 0.01]),
    ([-0.1, 1.0], [10 / 11, 1 / 11]),
]


def _tested(play, most):
    """Return a test at the first look where a sign is shown, or at the last."""
    test = SequentialTest(most)
    for first, trials in spans(looks(most), most):
        test.add(play(first, trials))
        if test.sign:
            break
    return test


def _signs(values, chances, most, runs, seed):
    rng = np.random.default_rng(seed)

    def play(first, trials):
        return rng.choice(values, trials, p=chances)

    return np.array([_tested(play, most).sign for _ in range(runs)])


@pytest.mark.parametrize(("values", "chances"), NO_DIFFERENCE)
def test_no_difference_is_seldom_taken_for_one(values, chances):
    # 600 runs of 5 % give 7.2 % or less but for 7 in 1,000 tests
    assert (_signs(values, chances, 3_000, 600, 2) != 0).mean() <= 0.072


@pytest.mark.slow
@pytest.mark.parametrize(("values", "chances"), NO_DIFFERENCE)
def test_no_difference_is_seldom_taken_for_one_in_many_runs(values, chances):
    assert (_signs(values, chances, 20_000, 5_000, 3) != 0).mean() <= 0.05


@pytest.mark.parametrize("sign", [1, -1])
def test_a_difference_is_found_with_its_sign_before_the_cap(sign):
    rng = np.random.default_rng(4)

    def play(first, trials):
        return sign * rng.choice([-1, 0, 1], trials, p=[0.1, 0.7, 0.2])

    tests = [_tested(play, 20_000) for _ in range(20)]
    assert {test.sign for test in tests} == {sign}
    assert all(test.trials in set(looks(20_000)) and test.trials < 20_000 for test in tests)


def test_wealth_is_that_of_its_bets():
    test = SequentialTest(1000, bound=2.0)
    values = np.array([2.0, -1.0, 0.5, 0.0, 2.0])
    test.add(values[:2])
    test.add(values[2:])
    stake = test.stakes[0]
    assert test.wealth[0, 0] == pytest.approx(np.log(1 + stake * values / 2).sum())
    assert test.wealth[1, 0] == pytest.approx(np.log(1 - stake * values / 2).sum())
    assert (test.trials, test.sign) == (5, 0)


def test_all_equal_runs_to_the_cap():
    test = _tested(lambda first, trials: np.zeros(trials), 1000)
    assert (test.sign, test.trials) == (0, 1000)


def test_a_value_beyond_the_bound_is_refused():
    with pytest.raises(ValueError, match="further from 0 than 1"):
        SequentialTest(100).add([1.5])
