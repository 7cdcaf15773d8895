"""Scores: what side A gets for each end of a combat, by hand-computed values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import ABLE, GUARD, PLAIN, ROSTER, WARRIOR, answered, estoc

from estoc.profiles import InputError
from estoc.profiles.compile.combat import state_names
from estoc.sim.base.options import Options
from estoc.sim.base.percent import SCORES
from estoc.sim.combat.combat import ask, combat, score_value
from estoc.sim.combat.exact import Engine
from estoc.sim.combat.laws import checked_score, weights

STATES = state_names(Options().edition)
LEVEL = {"unhurt": 0, "stunned": 0, "light": 1, "serious": 2, "critical": 3, "dead": 4}


def question(a=(GUARD,), b=(WARRIOR, WARRIOR), **options):
    return ask([ROSTER.find(n) for n in a], [ROSTER.find(n) for n in b], Options(**options))


def by_state(asked):
    """Weights of each fighter, the lone one first, by the words of a state."""
    return [dict(zip(STATES, map(float, row), strict=True)) for row in weights(asked)]


def only(**values):
    """These values in states so called, 0 in the others."""
    return {state: values.get(state, 0.0) for state in STATES}


def leveled(sign, begun=0):
    return {s: sign * (max(LEVEL[word] for word in s.split(", ")) - begun) for s in STATES}


def test_kills():
    guard, *warriors = by_state(question(score="kills"))
    assert guard == only(dead=-1.0)
    assert warriors == [only(dead=1.0)] * 2


def test_points():
    guard, *warriors = by_state(question(score="points"))
    assert guard == only(dead=-49.0)
    assert warriors == [only(dead=19.0)] * 2


def test_wounds():
    # W-3.1: light 1, serious 2, critical 3, dead 4; stunned is no level (W-3.3)
    guard, *warriors = by_state(question(score="wounds"))
    assert guard == leveled(-1)
    assert warriors == [leveled(1)] * 2


def test_wounds_of_the_beginning_are_not_dealt_in_the_combat():
    hurt = question(score="wounds", wounds=("A=serious", "B2=light,stunned"))
    guard, *warriors = by_state(hurt)
    assert guard == leveled(-1, begun=2)
    assert warriors == [leveled(1), leveled(1, begun=1)]
    idle = question(
        score="wounds", wounds=("A=serious",), dice=("A=0/3", "B=0/2")
    )  # nobody strikes
    assert Engine().law(idle).value == 0


@pytest.mark.parametrize(("score", "mine", "sign"), [("survival-a", 0, 1), ("survival-b", 1, -1)])
def test_survival(score, mine, sign):
    rows = by_state(question(score=score))
    alive = {state: float(sign * (state != "dead")) for state in STATES}
    assert rows == [alive if (i > 0) == mine else only() for i in range(3)]


def test_the_lone_fighter_may_be_on_side_b():
    rows = by_state(question((WARRIOR, WARRIOR), (GUARD,), score="points"))
    assert rows == [only(dead=49.0), only(dead=-19.0), only(dead=-19.0)]


def test_terms_add_up_and_a_number_means_one_fighter():
    score = "A.dead=-1, B.dead=2,B2.dead=0.5,b.STUNNED=+0.25"
    guard, one, two = by_state(question(score=score))
    assert guard == only(dead=-1.0)
    stunned = {s: 0.25 for s in STATES if "stunned" in s.split(", ")}
    assert one == only(dead=2.0, **stunned)
    assert two == only(dead=2.5, **stunned)


def test_the_words_of_a_state_add_up():
    # light and stunned at once (W-3.2)
    guard, *_ = by_state(question(score="A.light=-1,A.stunned=-10"))
    assert guard["light"] == -1
    assert guard["light, stunned"] == -11
    assert guard["stunned"] == -10
    assert guard["serious"] == 0


@pytest.mark.parametrize("turns", [1, 2])
@pytest.mark.parametrize("score", [*SCORES, "A.dead=-3,B.serious=1"])
def test_the_value_of_a_combat_is_the_sum_over_its_fighters(score, turns):
    asked = question(score=score, turns=turns, wounds=("B1=light",))
    law = Engine().law(asked)
    byhand = sum(
        row[state] * chance
        for row, chances in zip(by_state(asked), law.law, strict=True)
        for state, chance in zip(STATES, chances, strict=True)
    )
    assert law.value == pytest.approx(byhand, abs=1e-12)
    assert score_value(asked, law) == pytest.approx(law.value, abs=1e-12)


def test_a_sampled_value_is_the_mean_over_trials():
    sides, guard, *warriors = combat(
        GUARD, [WARRIOR] * 2, trials=3000, seed=1, options=Options(score="points")
    ).rows
    destroyed = 19 * sum(row["dead"] for row in warriors)
    assert sides["value"] == pytest.approx((destroyed - 49 * guard["dead"]) / 3000)
    assert sides["value"] == pytest.approx(sides["destroyed"] - sides["lost"])


@given(st.sampled_from(sorted(SCORES)), st.sampled_from(ABLE), st.sampled_from(ABLE))
@settings(max_examples=25, deadline=None)
def test_the_enemy_counts_the_same_score_the_other_way(score, a, b):
    mirrored = {"survival-a": "survival-b", "survival-b": "survival-a"}.get(score, score)
    options = Options(score=score, sets=("A.PA=10", "B.PA=20"))
    swapped = Options(score=mirrored, sets=("A.PA=20", "B.PA=10"), chosen_by="B")
    engine = Engine()
    one = engine.law(ask([a], [b], options)).value
    two = engine.law(ask([b], [a], swapped)).value
    assert one == pytest.approx(-two, abs=1e-12)


# --- what cannot be read --------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ("fun", 'score "fun": expected one of kills, points, wounds, survival-a, survival-b, or'),
        ("", 'score "": expected one of kills'),
        ("A.dead", 'score "A.dead": expected one of kills'),
        ("C.dead=1", 'score "C.dead=1": expected one of kills'),
        ("A.dead=1;B.dead=2", "expected one of kills"),
        ("A.dead=1,", "expected one of kills"),
        ("A0.dead=1", "expected one of kills"),
        ("A.dead=nan", "expected one of kills"),
        ("A.hurt=1", 'score "A.hurt=1": no state "hurt"; nearest: unhurt'),
        ("B3.dead=1", 'score "B3.dead=1": there is no fighter B3'),
    ],
)
@pytest.mark.parametrize("command", ["combat", "solve"])
def test_a_score_that_cannot_be_read_is_refused_in_a_line(command, score, message):
    done = estoc(command, GUARD, "vs", f"{WARRIOR}*2", "--score", score)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("estoc: ")
    assert done.err.count("\n") == 1
    assert message in done.err


def test_points_of_a_fighter_without_pa_are_refused_before_anything_is_sampled():
    told = []
    with pytest.raises(InputError, match=f'score points: "{PLAIN.name}" has no PA; give it with'):
        combat(PLAIN, GUARD, trials=10**6, options=Options(score="points"), progress=told.append)
    assert told == []
    given_pa = Options(score="points", sets=("A.PA=30",))
    assert combat(PLAIN, GUARD, options=given_pa).rows[0]["value"] is not None


@pytest.mark.parametrize(
    ("written", "kept"),
    [(" Points ", "points"), ("SURVIVAL-A", "survival-a"), (" A.dead=-1,B.dead=2 ",) * 2],
)
def test_scores_are_kept_as_they_are_written(written, kept):
    assert checked_score(written) == kept.strip()
    assert answered("duel", GUARD, WARRIOR, "--score", written)[0]["score"] == kept.strip()


def test_a_score_of_numbers_alone_moves_best_play():
    # who wants to die leaves his defence
    meek = answered("solve", GUARD, WARRIOR, "--score", "A.dead=1,B.dead=-1")
    assert meek[0]["what"].startswith("A 0/2")
    assert np.isclose(meek[0]["value"], meek[0]["p_b"] - meek[0]["p_a"])
