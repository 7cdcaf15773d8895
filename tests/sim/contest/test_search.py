"""The search for better parameters, of made-up worths: it finds them, keeps bounds, repeats."""

import sys
from typing import NamedTuple

import numpy as np
import pytest

from estoc.profiles import InputError
from estoc.sim.contest.search import search


class Knob(NamedTuple):
    name: str
    low: float
    high: float
    whole: bool = False


KNOBS = [Knob("caution", 0.0, 1.0), Knob("looks", 1, 8, True), Knob("wait", 0.0, 40.0)]
BEST = {"caution": 0.2, "looks": 6, "wait": 31.0}
START = {"caution": 0.9, "looks": 1, "wait": 3.0}


def worth_of(values):
    """Return minus the squared distance from the best, in shares of each range."""
    return -sum(((values[k.name] - BEST[k.name]) / (k.high - k.low)) ** 2 for k in KNOBS)


def found(seed=3, generations=40, knobs=KNOBS, start=START, worth=worth_of, **asked):
    def of_all(candidates, number):
        return [worth(values) for values in candidates]

    return search(knobs, start, of_all, generations=generations, candidates=8, seed=seed, **asked)


def test_it_finds_the_best_parameters():
    last = found()[-1]
    assert last.values["looks"] == BEST["looks"]
    assert last.values["caution"] == pytest.approx(BEST["caution"], abs=0.02)
    assert last.values["wait"] == pytest.approx(BEST["wait"], abs=1)
    assert last.spread < 0.2


def test_it_finds_them_in_spite_of_noise():
    random = np.random.default_rng(5)
    last = found(worth=lambda values: worth_of(values) + random.normal(0, 0.05))[-1]
    assert worth_of(last.values) > worth_of(START) / 20


def test_one_parameter_is_enough():
    knob = KNOBS[0]
    last = found(
        knobs=[knob], start={"caution": 1.0}, worth=lambda v: -((v["caution"] - 0.3) ** 2)
    )[-1]
    assert last.values == {"caution": pytest.approx(0.3, abs=0.01)}


def test_generations_tell_their_mean_and_their_best():
    seen = []

    def worth(candidates, number):
        seen.append([worth_of(values) for values in candidates])
        return seen[-1]

    rows = search(KNOBS, START, worth, generations=3, candidates=6, seed=1)
    assert [row.number for row in rows] == [1, 2, 3]
    for row, worths in zip(rows, seen, strict=True):
        assert len(worths) == 6
        assert row.best == max(worths)
        assert row.mean == pytest.approx(np.mean(worths))


def test_candidates_keep_their_bounds_and_few_digits():
    asked = []

    def worth(values):
        asked.append(dict(values))
        return worth_of(values)

    found(worth=worth, generations=10)
    for values in asked:
        for knob in KNOBS:
            value = values[knob.name]
            assert knob.low <= value <= knob.high
            assert value == round(value, 0 if knob.whole else 3)


def test_a_small_spread_stays_near_to_the_start():
    asked = {0.02: [], 0.3: []}
    for spread, far in asked.items():

        def worth(values, far=far):
            far.append(abs(values["caution"] - START["caution"]))
            return 0.0

        rows = found(worth=worth, generations=1, spread=spread)
        assert 0.5 < rows[0].spread < 1.5
    assert max(asked[0.02]) < 0.1 < max(asked[0.3])


def test_a_seed_gives_the_same_search_and_another_one_another():
    assert found(generations=5) == found(generations=5)
    assert found(generations=5) != found(generations=5, seed=4)
    assert found(generations=2, seed=2**64 - 1) == found(generations=2, seed=2**64 - 1)


def test_the_random_numbers_of_the_caller_are_left_alone():
    np.random.seed(11)
    wanted = np.random.random()
    np.random.seed(11)
    found(generations=2)
    assert np.random.random() == wanted


def test_ctrl_c_keeps_the_generations_that_were_finished():
    asked = []

    def worth(values):
        asked.append(values)
        if len(asked) > 2 * 8:
            raise KeyboardInterrupt
        return worth_of(values)

    rows = found(worth=worth, partial=True)
    assert [row.number for row in rows] == [1, 2]
    assert rows == found(generations=2)
    asked.clear()
    with pytest.raises(KeyboardInterrupt):
        found(worth=worth)


def test_nothing_to_vary_and_no_library_are_said(monkeypatch):
    with pytest.raises(InputError, match="without parameters"):
        found(knobs=[])
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(InputError, match=r"pip install \"estoc\[tune\]\""):
        found()
