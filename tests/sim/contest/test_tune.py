"""A policy is tuned by playing: the same for any threads, its gain on fresh trials, its file."""

import shlex
import tomllib

import numpy as np
import pytest
from running import answered, estoc

from estoc.profiles import InputError
from estoc.profiles.armies.tuned_policy import TunedPolicy, load_tuned_policy
from estoc.sim.base.run import Run
from estoc.sim.base.stats import wilson
from estoc.sim.battle.policy import player_of, policies, policy_of
from estoc.sim.contest import training
from estoc.sim.contest.paired import SCORE, marks_of
from estoc.sim.contest.setting import Setting
from estoc.sim.contest.training import Trainer, bouts, gained, played, worth_in
from estoc.sim.contest.tune import OUTCOMES, POLICIES, tune

BATTLE_POLICIES = tuple(policies())

SMALL = """
name = "Small"
table = [60, 40]
turns = 2
[[fighters]]
name = "Lama di Smeraldo"
side = "A"
at = [10, 20]
[[fighters]]
name = "Evisceratore"
side = "B"
at = [50, 20]
facing = 180
"""
LISTS = ("daikinee-riders", "devoreurs-elite")
FILE = """
name = "mine"
policy = "defensive"
[parameters]
reach = 0.25
looks = 3
[found]
command = "estoc tune defensive"
seed = 4
generations = 2
candidates = 6
trials = 10
against = ["aggressive"]
battles = ["small.toml"]
"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("tuned")
    (place / "small.toml").write_text(SMALL, encoding="utf-8")
    return place


@pytest.fixture(autouse=True)
def surroundings(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(folder)


PLACE = (Setting("small.toml"),)


def trainer(battles=PLACE, **told):
    usual = {"generations": 2, "candidates": 4, "trials": 6, "fresh": 10, "seed": 2}
    return Trainer("defensive", ("aggressive",), battles, **{**usual, **told})


def cells(result, section):
    return {row["what"]: row for row in result if row["section"] == section}


# --- how candidates are tried ------------------------------------------------------------


def test_a_policy_plays_both_sides_against_each_enemy():
    both = Trainer("defensive", ("aggressive", "random"), PLACE)
    found = bouts(both)
    assert [(b.contest.question.policies, b.side) for b in found] == [
        (("defensive", "aggressive"), 0),
        (("aggressive", "defensive"), 1),
        (("defensive", "random"), 0),
        (("random", "defensive"), 1),
    ]
    assert both.battles_each == sum(len(b.contest.questions) for b in found)


def test_lists_meet_each_other_and_themselves_from_both_sides():
    battles = tuple(
        Setting("open", armies=armies)
        for armies in ((LISTS[0], LISTS[0]), LISTS, (LISTS[1], LISTS[1]))
    )
    found = bouts(trainer(battles))
    assert [b.side for b in found] == [0, 0, 1, 0]
    assert trainer(battles).battles_each == sum(len(b.contest.questions) for b in found) == 8
    # whoever it meets, the policy has each side of the field as often
    for bout in found:
        own = [question.policies.index("defensive") for question in bout.contest.questions]
        assert sorted(own) == [0, 1]


@pytest.mark.parametrize("side", [0, 1])
def test_what_a_policy_makes_of_a_trial_is_seen_from_its_side(side):
    fought = [bouts(trainer())[side]]
    names = ["defensive", "defensive:reach=0.1,looks=1"]
    found = played(fought, names, 5, 3, 8)
    assert found.shape == (2, 8, 1, 2)
    for name, marks in zip(names, found, strict=True):
        policies = (name, "aggressive") if side == 0 else ("aggressive", name)
        alone = marks_of(Setting("small.toml", policies).contest().compiled(5), 3, 8)
        wanted = alone if side == 0 else np.array([2, 0]) - alone
        assert (marks == wanted).all()


def test_the_worth_of_candidates_is_their_score_in_the_trials_of_their_generation():
    asked = trainer()
    fought = bouts(asked)
    candidates = [{"looks": 1.0, "full": 4.0, "reach": reach} for reach in (0.0, 1.0)]
    names = [asked.named(values).text for values in candidates]
    worths = worth_in(asked, fought, Run(threads=1))(candidates, 3)
    marks = played(fought, names, asked.seed, 2 * asked.trials, asked.trials)
    assert worths == [m[..., SCORE].mean() / 2 for m in marks]
    assert worths == worth_in(asked, fought, Run(threads=3))(candidates, 3)
    assert all(0 <= worth <= 1 for worth in worths)


def test_the_gain_is_that_of_fresh_trials(monkeypatch):
    asked = trainer()
    fought, better = bouts(asked), TunedPolicy("tuned", "defensive", (("reach", 0.0),))
    counts = gained(asked, fought, better)
    names = [asked.policy, better.text]
    assert asked.fresh_seed == asked.seed + 1
    marks = played(fought, names, asked.fresh_seed, 0, asked.fresh)
    assert counts.trials == asked.fresh
    assert counts.gains[SCORE] == (marks[1] - marks[0])[..., SCORE].sum()
    monkeypatch.setattr(training, "_BLOCK", 3)
    parts = gained(asked, fought, better, Run(threads=1))
    assert (parts.gains == counts.gains).all()
    assert (parts.squares == counts.squares).all()
    assert Trainer("defensive", ("random",), asked.battles, seed=2**64 - 1).fresh_seed == 0


def test_each_policy_with_parameters_can_be_named():
    for name in BATTLE_POLICIES:
        if policy_of(name)[0].parameters:
            asked = Trainer(name, ("random",), PLACE)
            told = policy_of(asked.named(asked.start).text)
            assert told[0].style == policy_of(name)[0].style
            assert told[1] == asked.start


@pytest.mark.parametrize("told", ["mine.toml", "mine.toml:full=2"])
def test_a_policy_of_a_file_is_tuned_on_and_can_be_loaded(folder, told):
    (folder / "mine.toml").write_text(FILE, encoding="utf-8")
    asked = Trainer(told, ("aggressive",), PLACE, kept=("looks", "full"))
    better = asked.named({"reach": 0.5})
    assert better.policy == "defensive"
    usual = {p.name: p.default for p in policy_of("defensive")[0].parameters}
    full = 2 if "full" in told else usual["full"]
    assert dict(better.parameters) == {"looks": 3, "full": full, "reach": 0.5}
    found = "seed = 1\ngenerations = 1\ncandidates = 4\ntrials = 1\n"
    found += 'against = ["aggressive"]\nbattles = ["small.toml"]\n'
    (folder / "better.toml").write_text(better.toml() + found, encoding="utf-8")
    assert load_tuned_policy("better.toml").policy == "defensive"
    loaded, named = player_of("better.toml"), player_of(better.text)
    assert loaded.style == named.style
    assert (loaded.manner == named.manner).all()


# --- the answer --------------------------------------------------------------------------


def test_a_seed_gives_the_same_policy_for_any_threads():
    one, three = (tune(trainer(), threads=threads) for threads in (1, 3))
    assert one == three
    assert one.policy == three.policy
    assert tune(trainer(seed=9)).policy.parameters != one.policy.parameters


def test_rows_say_what_was_found_and_what_it_gained():
    asked = trainer()
    result = tune(asked)
    found = cells(result, "parameter")
    assert list(found) == [p.name for p in asked.parameters] == ["looks", "full", "reach"]
    for name, row in found.items():
        assert row["start"] == asked.start[name]
        assert row["low"] <= row["value"] <= row["high"]
    assert list(cells(result, "generation")) == ["1", "2"]
    for name in POLICIES:
        counts = [cells(result, name)[what]["count"] for what in OUTCOMES]
        assert sum(counts) == asked.fresh * asked.battles_each
        for what, count in zip(OUTCOMES, counts, strict=True):
            # as many trials, not battles: those of one trial are not apart
            low, high = wilson(count / asked.battles_each, asked.fresh)
            row = cells(result, name)[what]
            assert (row["p_low"], row["p_high"]) == (float(low), float(high))
    scores = [cells(result, name)["score"]["value"] for name in POLICIES]
    gain = cells(result, "gain")["score"]
    assert gain["value"] == pytest.approx(scores[1] - scores[0])
    found = dict(result.policy.found)
    assert (found["gain"], found["gain_low"]) == (gain["value"], gain["value_low"])
    # what was found can be played as it is named
    player_of(result.policy.text)


def test_what_is_kept_stays_as_it_was():
    asked = Trainer(
        "defensive:reach=0.3",
        ("aggressive",),
        PLACE,
        generations=1,
        candidates=4,
        trials=4,
        fresh=4,
        kept=("reach", "full"),
    )
    result = tune(asked)
    assert list(cells(result, "parameter")) == ["looks"]
    assert dict(result.policy.parameters)["reach"] == 0.3
    player_of(result.policy.text)
    full = next(p.default for p in policy_of("defensive")[0].parameters if p.name == "full")
    assert dict(result.policy.parameters)["full"] == full


def test_ctrl_c_keeps_the_best_so_far(monkeypatch):
    asked = trainer(generations=5)
    done = []

    def advance(battles):
        done.append(battles)
        if sum(done) == 2 * asked.candidates * asked.trials * asked.battles_each + battles:
            raise KeyboardInterrupt

    result = tune(asked, progress=advance, partial=True)
    assert result.stopped == "2 of 5 generations"
    assert result.policy.parameters == tune(trainer()).policy.parameters
    assert cells(result, "gain")["score"]["trials"] == asked.fresh
    done.clear()
    with pytest.raises(KeyboardInterrupt):
        tune(asked, progress=advance)


def test_ctrl_c_before_anything_was_found_leaves_nothing():
    def advance(battles):
        raise KeyboardInterrupt

    result = tune(trainer(), progress=advance, partial=True)
    assert {row["trials"] for row in result} == {0}
    assert result.policy is None


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"battles": ()}, "say where to play"),
        ({"candidates": 3}, "at least 4"),
        ({"generations": 0}, "at least 1"),
        ({"spread": 0.6}, "spread 0.6 should be above 0 and at most 0.5"),
        ({"fresh": 0}, "trials 0 should be at least 1"),
        ({"kept": ("reech",)}, 'no parameter "reech" to keep; nearest: reach'),
    ],
)
def test_a_trainer_that_cannot_train_is_refused(told, words):
    with pytest.raises(InputError, match=words):
        trainer(**told)


def test_enemies_are_known_and_wanted():
    with pytest.raises(InputError, match="say whom to play against"):
        Trainer("defensive", (), PLACE)
    with pytest.raises(InputError, match='policy "brave"'):
        Trainer("defensive", ("brave",), PLACE)
    with pytest.raises(InputError, match="without parameters"):
        tune(Trainer("random", ("aggressive",), PLACE))


# --- its file ----------------------------------------------------------------------------


def test_a_file_is_read_as_it_is_written(folder):
    (folder / "mine.toml").write_text(FILE, encoding="utf-8")
    policy = load_tuned_policy("mine.toml")
    assert policy.text == "defensive:reach=0.25,looks=3"
    (folder / "again.toml").write_text(policy.toml(), encoding="utf-8")
    assert load_tuned_policy("again.toml") == policy


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "mine"', "", "has no name"),
        ('policy = "defensive"', "policy = 3", "policy should be a text"),
        ("reach = 0.25", 'reach = "far"', "reach should be a number"),
        ("seed = 4", "sead = 4", 'unknown key "sead"; nearest: spread, seed'),
        ("trials = 10", "trials = 0", "trials should be at least 1"),
        ("[found]", "[found", "is not right TOML"),
    ],
)
def test_a_wrong_file_is_told(folder, old, new, words):
    (folder / "wrong.toml").write_text(FILE.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=r"wrong\.toml") as told:
        load_tuned_policy("wrong.toml")
    assert words in str(told.value)


def test_no_such_file_is_told():
    with pytest.raises(InputError, match=r"neither a tuned policy nor a \.toml file"):
        load_tuned_policy("nowhere")


# --- as a person asks it -----------------------------------------------------------------

WORDS = ("tune", "defensive", "--against", "aggressive", "--scenario", "small.toml", "--seed", 6)
FEW = ("--spread", 0.1, "--generations", 2, "--candidates", 4, "--trials", 4, "--fresh", 8)


def test_the_table_fits_its_terminal_and_the_file_says_how_it_was_found(folder):
    done = estoc(*WORDS, *FEW, "--keep", "full", "-o", "found.toml")
    assert done.code == 0, done.err
    assert max(map(len, done.out.partition("again:")[0].splitlines())) <= 80
    assert "8 fresh trials of each battle (seed 7)" in done.out
    policy = load_tuned_policy("found.toml")
    assert f"wrote found.toml: {policy.text}" in done.err
    found = tomllib.loads((folder / "found.toml").read_text(encoding="utf-8"))["found"]
    again = estoc(*shlex.split(found["command"])[1:], "-o", "again.toml")
    assert again.data == done.data
    assert load_tuned_policy("again.toml") == policy


def test_lists_are_asked_for_by_name():
    words = ("tune", "defensive", "--against", "random", "--field", "village", "--seed", 1)
    rows = answered(*words, "--list", LISTS[0], "--list", LISTS[1], *FEW[:-2], "--fresh", 2)
    wins = [row["count"] for row in rows if row["section"] == "tuned" and row["count"] is not None]
    assert sum(wins) == 2 * 8
    assert "--field village" in rows[0]["command"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--against", "random"], "say where to play"),
        (["--against", "random", "--scenario", "small.toml", "--field", "open"], "--list LIST"),
        (["--against", "random", "--list", "nowhere"], "neither an army"),
        (["--against", "random", "--scenario", "small.toml", "-o", "none/x.toml"], "no folder"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(words, told):
    done = estoc("tune", "defensive", *words)
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1
