"""Combats of one against several: a row for the sides, and one for each fighter."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import ABLE, ARKEON, GUARD, PLAIN, ROSTER, WARRIOR

from estoc.profiles.compile.combat import state_names
from estoc.sim.base.options import Options
from estoc.sim.base.policy import parse_policies
from estoc.sim.base.run import Method, Run
from estoc.sim.combat.combat import ask, combat
from estoc.sim.combat.sampling import count_chunk, count_trials

OPTIONS = Options(sets=(f"{ARKEON}.ATT=5", f"{ARKEON}.RES=9"), turns=2)
FOES = [WARRIOR, WARRIOR, ARKEON]
COUNTS = ("trials", "wins_a", "wins_b", "undecided")
STATES = [name.replace(", ", "_") for name in state_names(OPTIONS.edition)]


def played(a=GUARD, b=FOES, options=OPTIONS, trials=3000, seed=3, **asked):
    return combat(a, b, trials=trials, seed=seed, options=options, roster=ROSTER, **asked)


def question(a=(GUARD,), b=FOES, options=OPTIONS):
    return ask([ROSTER.find(n) for n in a], [ROSTER.find(n) for n in b], options)


def same(one, other):
    return (
        (one.law == other.law).all()
        and (one.sides == other.sides).all()
        and (one.first, one.turns, one.trials) == (other.first, other.turns, other.trials)
    )


def chunk(first, trials, seed=3):
    asked = question()
    return count_chunk(
        asked.setup, asked.rules, seed, asked.cell, first, trials, asked.options.turns
    )


def test_rows():
    sides, *fighters = played().rows
    assert [row["fighter"] for row in (sides, *fighters)] == [
        *("(sides)", GUARD, f"{WARRIOR}#1", f"{WARRIOR}#2", ARKEON)
    ]
    assert [row["side"] for row in fighters] == ["A", "B", "B", "B"]
    assert [row["pa"] for row in fighters] == [49, 19, 19, 74]
    assert all(list(row) == list(sides) for row in fighters)


def test_counts_add_up():
    sides, *fighters = played().rows
    assert all(type(sides[key]) is int for key in COUNTS)
    assert sides["wins_a"] + sides["wins_b"] + sides["undecided"] == sides["trials"] == 3000
    for row in fighters:
        assert all(type(row[state]) is int for state in STATES)
        assert sum(row[state] for state in STATES) == 3000
        assert row["p_dead"] == row["dead"] / 3000
        assert row["p_dead_low"] <= row["p_dead"] <= row["p_dead_high"]
    assert fighters[0]["dead"] == sides["wins_b"]
    assert sides["wins_a"] <= min(row["dead"] for row in fighters[1:])
    assert sides["lost"] == pytest.approx(49 * fighters[0]["p_dead"])
    points = sum(row["pa"] * row["p_dead"] for row in fighters[1:])
    assert sides["destroyed"] == pytest.approx(points)


def test_mean_wounds_are_those_of_the_law():
    for row in played().rows[1:]:
        level = {"light": 1, "serious": 2, "critical": 3, "dead": 4}
        total = sum(row[state] * level.get(state.partition("_")[0], 0) for state in STATES)
        assert row["wounds"] == pytest.approx(total / 3000)


@pytest.mark.parametrize("threads", [1, 2, 4, 8])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_counts_do_not_depend_on_threads_and_chunks(threads, size):
    # H8
    whole = count_trials([question()], Method("mc", 1500, 3), Run(threads=1))[0]
    assert same(
        count_trials([question()], Method("mc", 1500, 3), Run(threads=threads, chunk=size))[0],
        whole,
    )


@given(st.lists(st.integers(0, 4000), max_size=4))
@settings(max_examples=25, deadline=None)
def test_split_runs_add_up(cuts):
    # H9
    ends = [0, *sorted(cuts), 4000]
    parts = [chunk(a, b - a) for a, b in pairwise(ends)]
    assert same(sum(parts[1:], parts[0]), chunk(0, 4000))


def test_a_trial_alone_is_the_trial_of_the_run():
    # H9: replicate 1234
    alone = chunk(1234, 1)
    rest = chunk(0, 1234) + chunk(1235, 765)
    assert same(rest + alone, chunk(0, 2000))


def test_a_run_twice_is_the_same_and_another_seed_is_another():
    assert played().rows == played().rows
    assert played().rows[0]["wins_b"] != played(seed=4).rows[0]["wins_b"]


def test_a_fresh_seed_is_told_and_repeats_the_run():
    fresh = played(seed=None)
    seed = fresh.rows[0]["seed"]
    assert fresh.rows[0] == played(seed=seed).rows[0]
    assert f"--seed {seed}" in fresh.rows[0]["command"]


SWAP = {"a": "b", "b": "a", "A": "B", "B": "A"}


@given(
    st.sampled_from(ABLE),
    st.lists(st.sampled_from(ABLE), min_size=1, max_size=3),
    st.sampled_from(["A", "B"]),
    st.tuples(*[st.sampled_from(["sensible", "bold", "cautious", "never"])] * 2),
    st.integers(1, 3),
    st.integers(0, 2**64 - 1),
)
@settings(max_examples=30, deadline=None)
def test_the_lone_one_may_be_on_either_side(lone, foes, chosen_by, names, turns, seed):
    if len(foes) == 1 and foes[0].key == lone.key:
        return
    options = Options(
        policies=parse_policies((f"A={names[0]}", f"B={names[1]}")),
        chosen_by=chosen_by,
        turns=turns,
    )
    swapped = replace(options, policies=options.policies[::-1], chosen_by=SWAP[chosen_by])
    one = combat(lone, foes, trials=300, seed=seed, options=options).rows
    other = combat(foes, lone, trials=300, seed=seed, options=swapped).rows
    for key, mirrored in (("wins_a", "wins_b"), ("wins_b", "wins_a"), ("undecided",) * 2):
        assert one[0][key] == other[0][mirrored]
    assert one[0]["p_first_a"] == pytest.approx(1 - other[0]["p_first_a"])
    laws = [[row[state] for state in STATES] for row in one[1:]]
    mirrored = [[row[state] for state in STATES] for row in other[1:]]
    assert laws == [mirrored[-1], *mirrored[:-1]]


def test_a_fighter_without_pa_has_points_of_nobody():
    sides, plain, guard, _ = combat(PLAIN, [GUARD] * 2, trials=500, seed=1).rows
    assert plain["pa"] is None
    assert guard["pa"] == 49
    assert sides["lost"] is None
    assert sides["destroyed"] == pytest.approx(49 * 2 * guard["p_dead"], abs=10)


def test_the_dead_stay_dead_and_more_turns_decide_more():
    one, six = (played(options=replace(OPTIONS, turns=turns)).rows[0] for turns in (1, 6))
    assert six["undecided"] < one["undecided"]
    assert six["wins_a"] >= one["wins_a"]  # the same dice: who won in one turn has won
    assert one["mean_turns"] == 1 < six["mean_turns"] <= 6


def test_progress_adds_up():
    told = []
    played(trials=600_000, progress=told.append)
    assert sum(told) == 600_000
    assert len(told) > 1


def test_interrupted_counts_are_those_of_a_shorter_run():
    done = []

    def interrupt(trials):
        done.append(trials)
        if len(done) == 3:
            raise KeyboardInterrupt

    result = played(trials=10**7, progress=interrupt, partial=True)
    trials = sum(done)
    assert result.stopped == f"{trials:,} of 10,000,000 trials"
    assert result.rows == played(trials=trials).rows
    done.clear()
    with pytest.raises(KeyboardInterrupt):
        played(trials=10**7, progress=interrupt)


def test_law_is_close_to_one_of_other_seeds():
    # a coarse guard that trials are independent: 40 runs of 500 vary as a binomial does
    wins = np.array([played(seed=seed, trials=500).rows[0]["wins_b"] for seed in range(40)])
    p = wins.mean() / 500
    assert 0.5 < wins.var(ddof=1) / (500 * p * (1 - p)) < 1.7


def test_the_largest_editions_fit_the_kernels():
    """Most dice, wound levels and wound rows that an edition may have, against 8 enemies."""
    rules = ("dice.base=3", "dice.per_enemy=3", "killed_level=9", "stunned_stacks=true")
    starts = [-99, *range(-8, 0), 99]
    rules += (f"wounds.starts={starts}",)
    strong = replace(ROSTER.find(GUARD), RES=40)
    for placement in ("attack", "defence", "even"):
        policies = parse_policies((f"A=sensible:placement={placement},parry=all", "B=cautious"))
        options = Options(rules=rules, policies=policies, turns=2)
        result = combat(strong, [WARRIOR] * 8, trials=300, seed=1, options=options)
        sides = result.rows[0]
        assert sides["wins_a"] + sides["wins_b"] + sides["undecided"] == 300
