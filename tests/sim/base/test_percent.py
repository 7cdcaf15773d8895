"""Percentages: nothing possible reads as 0 or 100, nothing is adjusted."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from estoc.sim.base.percent import figure, interval, mean, percent
from estoc.sim.base.stats import wilson

trials = st.integers(1, 10**7)


@st.composite
def counts(draw):
    n = draw(trials)
    return draw(st.integers(0, n) | st.integers(0, min(n, 3)).map(lambda k: n - k)), n


@given(counts())
@example((1, 10**7))
@example((9_998, 10_000))
@example((99_999, 100_000))
def test_what_is_possible_is_neither_0_nor_100(case):
    successes, n = case
    text = figure(successes, n)
    if successes == 0:
        assert text.startswith("< ")
        bound = float(text[2:])
        assert wilson(0, n)[1] <= bound / 100 + 1e-12
        assert bound > 0
    elif successes == n:
        assert text.startswith("> ")
        assert 0 < float(text[2:]) < 100
        assert float(text[2:]) / 100 <= wilson(n, n)[0] + 1e-12
    else:
        assert 0 < float(text) < 100


@given(counts())
def test_decimals_are_those_of_the_standard_error(case):
    successes, n = case
    if 0 < successes < n:
        text = figure(successes, n)
        error = 100 * (successes * (n - successes) / n) ** 0.5 / n
        unit = 10.0 ** -len(text.partition(".")[2])
        assert abs(float(text) - 100 * successes / n) <= unit / 2 + 1e-9
        assert unit <= max(error, 1) * (1 + 1e-9)
        assert unit > error / 10 * (1 - 1e-9) or unit == 1


@given(counts())
def test_interval_reads_wide_enough_to_hold_the_share(case):
    successes, n = case
    low, high = map(float, interval(successes, n).split(" – "))
    assert low <= 100 * successes / n * (1 + 1e-9)
    assert 100 * successes / n <= high * (1 + 1e-9) + 1e-9
    assert (low == 0) == (successes == 0)
    assert (high == 100) == (successes == n)


def test_rounded_triples_are_not_adjusted():
    # Initiative 3 against 3 (H6): 74, 27 and 74 of 175.
    assert [percent(k, 175) for k in (74, 27, 74)] == ["42 %", "15 %", "42 %"]
    assert [figure(k, 175_000) for k in (74_000, 27_000, 74_000)] == ["42.3", "15.43", "42.3"]


def test_known_figures():
    assert percent(9_998, 10_000) == "99.98 %"
    assert percent(0, 1000) == "< 0.39 %"
    assert percent(1000, 1000) == "> 99.61 %"
    assert percent(0, 10**6) == "< 0.00039 %"
    assert percent(1, 3) == "33 %"
    assert figure(500, 1000, 2) == "50.00"
    assert percent(0, 0) == figure(0, 0) == interval(0, 0) == "–"
    assert interval(500, 1000) == "47 – 53"
    assert interval(500, 1000, 1) == "46.9 – 53.1"
    assert interval(1000, 1000) == "99.61 – 100"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0.00"), (0.0004, "0.0004"), (0.0456, "0.046"), (12.345, "12.35")],
)
def test_mean(value, text):
    assert mean(value) == text


def test_mean_is_never_hidden():
    assert not re.fullmatch(r"0\.0+", mean(1e-5))
