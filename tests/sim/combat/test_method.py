"""Exact, sampled or both: which when, what each row tells, what is refused."""

import math
import shlex

import pytest
from running import GUARD, ROSTER, WARRIOR, answered, estoc

from estoc.profiles import InputError
from estoc.sim.base.options import Options
from estoc.sim.base.policy import BEST_PLAY
from estoc.sim.base.printed import plain_text
from estoc.sim.base.run import Method, Run
from estoc.sim.combat.combat import ask, combat
from estoc.sim.combat.duel import duel
from estoc.sim.combat.exact import Engine
from estoc.sim.combat.method import answers, chosen_method
from estoc.sim.combat.sweep import sweep

BEST = Options(policies=(BEST_PLAY, BEST_PLAY))
CALLS = {
    "duel": lambda **asked: duel(GUARD, WARRIOR, roster=ROSTER, **asked),
    "combat": lambda **asked: combat(GUARD, [WARRIOR] * 2, roster=ROSTER, **asked),
    "sweep": lambda **asked: sweep(GUARD, WARRIOR, dice="2/0,1/1", roster=ROSTER, **asked),
}
# Columns of counts and of intervals: empty in an exact row.
COUNTED = ("trials", "wins_a", "wins_b", "undecided", "first_a", "seed")
WORDS = {
    "duel": ("duel", GUARD, WARRIOR),
    "combat": ("combat", GUARD, "vs", f"{WARRIOR}*2"),
    "sweep": ("sweep", GUARD, WARRIOR, "--allocations", "2/0,1/1"),
}


def question(enemies=1, **options):
    return ask([ROSTER.find(GUARD)], [ROSTER.find(WARRIOR)] * enemies, Options(**options))


# --- which when -------------------------------------------------------------------------

SEEDED = 5


@pytest.mark.parametrize(
    ("name", "trials", "seed", "expected"),
    [
        (None, None, None, Method("exact")),
        (None, 10, SEEDED, Method("mc", 10, SEEDED, sampler="literal")),
        (None, None, SEEDED, Method("mc", 77, SEEDED, sampler="literal")),
        ("exact", None, None, Method("exact")),
        ("mc", None, SEEDED, Method("mc", 77, SEEDED, sampler="literal")),
        ("mc", 10, SEEDED, Method("mc", 10, SEEDED, sampler="literal")),
        ("both", None, SEEDED, Method("both", 77, SEEDED, sampler="literal")),
        ("both", 10, SEEDED, Method("both", 10, SEEDED, sampler="literal")),
    ],
)
def test_the_method_by_what_is_told(name, trials, seed, expected):
    found = chosen_method([question()], Run(method=name, trials=trials, seed=seed), 77)
    assert found == expected
    assert (found.exact, found.sampled) == (found.name != "mc", found.name != "exact")


@pytest.mark.parametrize("name", [None, "mc", "both"])
def test_trials_without_a_seed_take_a_fresh_one(name):
    seeds = {chosen_method([question()], Run(method=name, trials=10), 77).seed for _ in range(4)}
    assert len(seeds) > 1
    assert all(isinstance(seed, int) for seed in seeds)


def test_what_has_no_exact_odds_is_sampled_with_a_remark():
    found = chosen_method([question(), question(5)], Run(), 77)
    assert (found.name, found.trials) == ("mc", 77)
    assert found.note == "sampled: 5 enemies; exact odds are for 4 at most"
    told = chosen_method([question(5)], Run(trials=10, seed=1), 77)  # asked for: nothing to remark
    assert told.note == ""


def test_the_remark_stands_by_the_answer():
    done = estoc("combat", GUARD, "vs", f"{WARRIOR}*5", "--policy", "bold")
    assert done.code == 0
    assert "sampled: 5 enemies; exact odds are for 4 at most" in " ".join(done.out.split())
    assert "1,000,000" in done.out
    assert "sampled:" not in estoc(*WORDS["combat"]).out


# --- rows -------------------------------------------------------------------------------


@pytest.mark.parametrize("command", CALLS)
def test_exact_rows_have_the_columns_of_sampled_ones_and_no_counts(command):
    exact = CALLS[command](method="exact").rows
    sampled = CALLS[command](method="mc", trials=500, seed=1).rows
    assert len(exact) == len(sampled)
    for one, other in zip(exact, sampled, strict=True):
        assert list(one) == list(other)
        assert {one[key] for key in COUNTED} == {None}
        assert not [k for k, v in one.items() if k.endswith(("_low", "_high")) and v is not None]
        assert (one["method"], other["method"]) == ("exact", "mc")
        assert one["remainder"] < 1e-15
        assert other["remainder"] is None
        # what is known of one is known of the other, counts and origin apart
        told = [k for k in one if k.startswith("p_") and not k.endswith(("_low", "_high"))]
        for key in (*told, "wounds", "destroyed", "value", "mean_turns"):
            if key in one:
                assert (one[key] is None) == (other[key] is None), key


@pytest.mark.parametrize("command", CALLS)
def test_both_are_an_exact_and_a_sampled_row_of_each(command):
    both = CALLS[command](method="both", trials=500, seed=1).rows
    exact = CALLS[command](method="exact").rows
    sampled = CALLS[command](method="mc", trials=500, seed=1).rows
    added = [key for key in both[0] if key not in exact[0]]
    assert added
    assert all(key.startswith("z_") for key in added)
    found = {"exact": [], "mc": []}
    for row in both:
        found[row["method"]].append({k: v for k, v in row.items() if k not in added})
        assert row["method"] == "mc" or {row[key] for key in added} == {None}
    assert found == {"exact": exact, "mc": sampled}


def test_differences_are_in_standard_errors_of_the_exact_chance():
    exact, sampled = CALLS["duel"](method="both", trials=800, seed=3).rows
    for key in ("a", "b", "undecided", "first_a"):
        p = exact[f"p_{key}"]
        error = math.sqrt(p * (1 - p) / 800)
        expected = (sampled[f"p_{key}"] - p) / error
        assert sampled[f"z_{key}"] == pytest.approx(expected)
        assert 0 < abs(expected) < 5


def test_what_cannot_happen_differs_by_nothing():
    exact, sampled = duel(
        GUARD, WARRIOR, dice=["0/2", "2/0"], method="both", trials=200, seed=1
    ).rows
    assert exact["p_a"] == 0 == sampled["wins_a"]
    assert sampled["z_a"] == 0
    assert sampled["z_b"] != 0


def test_fighters_of_a_combat_have_differences_of_their_own():
    rows = CALLS["combat"](method="both", trials=800, seed=3).rows
    exact, sampled = rows[:4], rows[4:]
    assert [row["fighter"] for row in exact] == [row["fighter"] for row in sampled]
    for one, other in zip(exact[1:], sampled[1:], strict=True):
        p = one["p_dead"]
        expected = (other["p_dead"] - p) / math.sqrt(p * (1 - p) / 800)
        assert other["z_dead"] == pytest.approx(expected)
        assert other["z_a"] is None
    assert sampled[0]["z_dead"] is None


@pytest.mark.parametrize("command", CALLS)
@pytest.mark.parametrize(
    "more", [(), ("--method", "mc", "--trials", 50), ("--method", "both", "--trials", 50)]
)
def test_the_command_of_a_row_gives_the_row_again(command, more):
    for row in answered(*WORDS[command], *more)[:3]:
        again = answered(*shlex.split(row["command"])[1:])
        assert {k: v for k, v in row.items() if not k.startswith("z_")} in again


@pytest.mark.parametrize("command", ["duel", "combat"])
def test_the_command_of_both_gives_both_again(command):
    result = CALLS[command](method="both", trials=50, seed=2)
    assert "--method both --trials 50 --seed 2" in result.command
    assert answered(*shlex.split(result.command)[1:]) == result.rows


def test_exact_answers_do_not_depend_on_threads():
    assert CALLS["sweep"](threads=1).rows == CALLS["sweep"](threads=4).rows


# --- best of a sweep --------------------------------------------------------------------


@pytest.mark.parametrize("method", ["exact", "both"])
def test_the_best_of_a_sweep_is_marked_by_method(method):
    sampling = {} if method == "exact" else {"trials": 300, "seed": 1}
    rows = sweep(GUARD, WARRIOR, best=True, method=method, **sampling).rows
    for name in {row["method"] for row in rows}:
        mine = [row for row in rows if row["method"] == name]
        assert len(mine) == 9
        worth = {(r["dice_a"], r["dice_b"]): r["value"] for r in mine}
        dice = ["2/0", "1/1", "0/2"]
        safest = max(dice, key=lambda x: min(worth[x, y] for y in dice))
        assert {r["dice_a"] for r in mine if r["safest_a"]} == {safest}
        for y in dice:
            best = [r for r in mine if r["dice_b"] == y and r["best_a"]]
            assert len(best) == 1
            assert best[0]["value"] == max(worth[x, y] for x in dice)


# --- what is refused --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"method": "guess"}, "method should be 'exact', 'mc' or 'both', not 'guess'"),
        ({"method": "exact", "seed": 1}, "method exact has no trials and no seed"),
        ({"method": "exact", "trials": 5}, "method exact has no trials and no seed"),
        ({"trials": 0}, "trials should be at least 1, not 0"),
        ({"seed": -1}, "seed should be at least 0, not -1"),
        ({"trials": 5, "options": BEST}, "only exact odds can find the best decisions"),
        ({"method": "both", "options": BEST}, "only exact odds can find the best decisions"),
        (
            {"seed": 5, "options": BEST},
            "--method exact without --trials, --seed, --precision and --sampler",
        ),
        (
            {"options": Options(score="A.hurt=1"), "method": "mc", "trials": 5},
            'no state "hurt"',
        ),
    ],
)
@pytest.mark.parametrize("command", CALLS)
def test_what_cannot_be_is_refused(command, asked, message):
    with pytest.raises(InputError, match=message):
        CALLS[command](**asked)


@pytest.mark.parametrize("method", ["exact", "both"])
def test_too_many_enemies_for_exact_odds(method):
    with pytest.raises(InputError, match="5 enemies; exact odds are for 4 at most; sample it"):
        combat(GUARD, [WARRIOR] * 5, method=method)


def test_best_play_against_too_many_is_not_sampled():
    with pytest.raises(InputError, match="best play needs exact odds: 5 enemies"):
        combat(GUARD, [WARRIOR] * 5, options=BEST)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--method", "exact", "--seed", 5), "method exact has no trials and no seed"),
        (("--policy", "optimal", "--trials", 5), "only exact odds can find the best decisions"),
        (("--method", "guess"), "guess"),
    ],
)
def test_the_command_line_refuses_the_same(words, message):
    done = estoc(*WORDS["duel"], *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


# --- progress, Ctrl-C, tables -----------------------------------------------------------


def test_progress_counts_an_exact_answer_as_one_trial():
    told = []
    CALLS["sweep"](method="exact", progress=told.append)
    assert told == [1] * 4
    told.clear()
    CALLS["duel"](method="both", trials=1000, seed=1, progress=told.append)
    assert sum(told) == 1000  # as the bar counts


def test_interrupted_exact_odds_are_those_found():
    def interrupt(_):
        seen.append(1)
        if len(seen) == 3:
            raise KeyboardInterrupt

    seen = []
    whole = sweep(GUARD, WARRIOR)
    part = sweep(GUARD, WARRIOR, progress=interrupt, partial=True)
    assert part.stopped == f"{len(part)} of 9 cells"
    assert part.rows == whole.rows[: len(part)]
    assert 2 <= len(part) <= 3
    seen.clear()
    with pytest.raises(KeyboardInterrupt):
        sweep(GUARD, WARRIOR, progress=interrupt)


def test_an_answer_is_whole_only_with_all_that_was_asked():
    asked = question()
    law = Engine().law(asked)
    for method in (Method("exact"), Method("mc", 10, 1), Method("both", 10, 1)):
        (answer,) = answers([asked], method)
        assert answer.is_whole(method)
        assert (answer.law is not None, answer.counts is not None) == (
            method.exact,
            method.sampled,
        )
        if answer.law is not None:
            assert (answer.law.joint == law.joint).all()
    (few,) = answers([asked], Method("mc", 5, 1))
    assert not few.is_whole(Method("mc", 10, 1))
    assert not few.is_whole(Method("both", 5, 1))


@pytest.mark.parametrize("command", CALLS)
@pytest.mark.parametrize("method", ["exact", "both"])
def test_tables_fit_and_say_what_is_exact(command, method):
    sampling = {} if method == "exact" else {"trials": 300, "seed": 1}
    text = plain_text(CALLS[command](method=method, **sampling), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "exact odds, remainder below 1e-16" in " ".join(text.split())
    assert ("interval" in text or "95 %" in text or method == "exact") or command == "sweep"
    assert "None" not in text
    assert "nan" not in text.split()
