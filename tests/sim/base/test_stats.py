"""Wilson's interval against SciPy, its ends, and what it covers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from estoc.sim.base.stats import wilson


@st.composite
def samples(draw):
    trials = draw(st.integers(1, 10**7))
    return draw(st.integers(0, trials)), trials


@given(samples(), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_as_scipy_says(sample, level):
    successes, trials = sample
    theirs = binomtest(successes, trials).proportion_ci(level, method="wilson")
    low, high = wilson(successes, trials, level)
    assert low == pytest.approx(theirs.low, abs=1e-12)
    assert high == pytest.approx(theirs.high, abs=1e-12)


@given(samples())
def test_holds_the_proportion_within_0_and_1(sample):
    successes, trials = sample
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert (low == 0) == (successes == 0)
    assert (high == 1) == (successes == trials)


@given(samples())
def test_successes_and_failures_mirror(sample):
    successes, trials = sample
    low, high = wilson(successes, trials)
    mirrored = wilson(trials - successes, trials)
    assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-12)


def test_no_trial_says_nothing():
    low, high = wilson(0, 0)
    assert (low, high) == (0, 1)


def test_many_at_once():
    low, high = wilson([0, 5, 10], [10, 10, 10])
    assert [(a, b) for a, b in zip(low, high, strict=True)] == [
        tuple(map(float, wilson(k, 10))) for k in (0, 5, 10)
    ]


@pytest.mark.parametrize("p", [0.02, 0.1, 0.5, 0.9])
def test_covers_as_often_as_it_says(p):
    trials = 1000
    k = np.arange(trials + 1)
    low, high = wilson(k, np.full_like(k, trials))
    covered = binom.pmf(k, trials, p)[(low <= p) & (p <= high)].sum()
    assert covered == pytest.approx(0.95, abs=0.02)
